"""Ranking of candidate sentences by an n-gram model and by the consistency of their syntax.

*Consistency* is the mean score of the steps from each word to the next, with a step into the first
word and one out of the last. A step that occurs in a known sentence, with POS, IOB and trace of
both words, scores 1. A step into the middle of a chunk that is not open (I-XP where the word before
is in no chunk XP) scores 0. Any other step scores a third for each of

- a known sentence with the two parts of speech side by side,
- a known sentence with the two parts of speech and their IOB tags side by side,
- the continued constituents of the second word (the elements I-XP of its trace before the first
  B-XP) being constituents of the first word: the longest common run of labels of both, from the
  root down, divided by the number of continued constituents. A clause may therefore continue within
  a deeper one, but a noun phrase of the object does not continue one of the subject. The third is
  given in full if nothing is continued.

The step out of the last word scores 0 in a sentence without a finite verb (VBD, VBP, VBZ or MD),
if every known sentence has one.

Consistency lies between 0 and 1, and is 1 for every known sentence. It is undefined without syntax.

*Faults* (`faults`) are errors that no single step shows, such as two verbs for one subject, or a
statement of another speaker. A *broken* sentence, with an unpaired mark, without a finite verb, or
with too few or too many complements, ranks after all others.

The *total* is the logarithm (base 2) of the probability by the n-gram model, minus 8 bits for each
inconsistent step (in proportion to its inconsistency) and for each fault, divided by the number of
words plus one for the end. With `syntax` alone the total is the consistency, from which each fault
subtracts as much as a step can contribute; with `ngram` alone it is the log probability. A broken
sentence loses another 8 for each word, more than any other sentence can lose; paraphrases leave it
out unless `keep_broken` is set.

**Faults** are those of a sentence that is composed of parts of others. A fault counts only if no
known sentence has the words in question in full, since such words were written by an author.

- *Two verbs for one subject*: two finite verbs (VBD, VBP, VBZ or MD) follow each other, and neither
  a word between them nor the second verb itself lets a clause or a second verb begin: no CC, no
  relative or question word, no comma, colon or quotation mark, and no word whose trace begins a
  clause or a subject. A subject is a noun phrase right below a clause, unless a preposition of a PP
  stands before it in this sentence.
- *A subject without a verb*: a subject begins at a word, and no verb follows to the end. The words
  in question run from the word before the subject to the end.
- *An unpaired mark*: a bracket or a quotation mark without its other half. The words in question
  run from an opening mark to the end, or from the beginning to a closing mark. A straight mark
  opens if none is open, except after the last word; left alone, it closes if its part of speech is
  `''`. A single mark that may be an apostrophe counts only as the other half of an opening one.
- *A noun phrase of an unknown shape*, such as `a high ratings`: no chunk NP of a known sentence has
  the same sequence of parts of speech, where adjectives before others are left out, and determiners
  of the singular (`a`, `this`, `every`) differ from others. Many of these phrases are sound, so
  each counts half a fault.
- *A statement of another speaker*: no known sentence has both the last word of the subject of a
  verb of saying and the verb of the reported clause.
- *Two times in a row*, such as `at 5:50 p.m. 11:50 a.m.`, which remain where a text lost its
  brackets: a fault even if a known sentence has them.

A sentence is *broken* if it has an unpaired mark, or if it has no finite verb and most known
sentences have one. Taggers confuse the past tense with the past participle, so a participle (VBN)
is enough if a known sentence without a finite verb has it. `Frames` checks complements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise, product
from math import isnan, nan
from typing import NamedTuple, Protocol

from bitext.align.words.key_terms import is_date_word
from bitext.align.words.ngram_model import ArpaModel, NgramModel
from bitext.errors import FormatError, InputError, check_list, check_one_of
from bitext.model.sentence import Sentence, Token, folded, is_word

FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_VERBS = FINITE | {"VB", "VBG", "VBN"}
_SINGULAR = frozenset(("a", "an", "another", "each", "every", "this", "that"))
_ADJECTIVES = frozenset(("JJ", "JJR", "JJS"))
_NEW_CHUNK_FAULT = 0.5  # faults: many noun phrases of an unknown shape are sound
_SAYING = frozenset(
    (
        *("said", "says", "say", "told", "tells", "tell", "reported", "reports", "report"),
        *("added", "announced", "claimed", "confirmed", "stated", "wrote"),
    )
)
_TIME = re.compile(r"\d{1,2}[:.]\d{2}")
_HALVES = frozenset(("a.m.", "p.m.", "am", "pm"))
_CLAUSES = frozenset(("S", "SBAR", "SINV", "SQ", "SBARQ"))
_LETTING = frozenset(("CC", "WDT", "WP", "WP$", "WRB", ",", ":", "``", "''"))
_OPENS = {"``": '"', "“": '"', "`": "'", "‘": "'", "«": "»", "(": ")", "[": "]", "{": "}"}
_OPENS |= {"-LRB-": ")", "-LSB-": "]", "-LCB-": "}"}
_CLOSES = {"''": '"', "”": '"', "'": "'", "’": "'", "»": "»", ")": ")", "]": "]", "}": "}"}
_CLOSES |= {"-RRB-": ")", "-RSB-": "]", "-RCB-": "}"}
_PAIRED = frozenset((*_OPENS, *_CLOSES, '"'))


def faults(
    tokens: Sequence[Token],
    *,
    known: Callable[[tuple[str, ...]], bool],
    whole: Callable[[int, int], bool],
    together: Callable[[int, int], bool],
) -> float:
    """Count the faults of a sentence.

    Without syntax only marks are checked. `known` returns whether a known sentence has a noun chunk
    of a `shape`, `whole` whether one has the words of a half-open range in full, and `together`
    whether one has both words at two indices.

    Examples
    --------
    >>> from bitext.model import Token
    >>> words = [Token("(", "-LRB-"), Token("They", "PRP"), Token("left", "VBD")]
    >>> words += [Token("burns", "VBZ")]
    >>> given = {"known": bool, "together": lambda one, other: True}
    >>> faults(words, whole=lambda first, end: end - first < 2, **given)
    2
    >>> faults(words, whole=lambda first, end: True, **given)
    0

    """
    fault_count: float = (
        _left_alone(tokens, whole) + _clashing(tokens, whole) + _verbless(tokens, whole)
    )
    for first, end in noun_chunks(tokens):
        if not known(shape(tokens[first:end])) and not whole(first, end):
            fault_count += _NEW_CHUNK_FAULT
    return fault_count + _misattributed(tokens, together) + _stacked_times(tokens)


def broken_condition(
    tokens: Sequence[Token],
    *,
    whole: Callable[[int, int], bool],
    finite: bool,
    past: Container[str] = (),
) -> str:
    """Return the condition that a sentence breaks: `mark`, `fragment`, or none.

    `whole` is as in `faults`. If most known sentences have a finite verb (`finite`), one without
    is a fragment, unless it has one of the past participles `past`, which are casefolded.
    """
    if _left_alone(tokens, whole):
        return "mark"
    if not finite or any(token.pos in FINITE for token in tokens):
        return ""
    named = any(token.pos == "VBN" and token.form.casefold() in past for token in tokens)
    return "" if named else "fragment"


# Complements: a sentence that is composed at a common word may lose a complement of a verb of the
# first source (`Unions called the plan to close 85 branches.`, where the source calls it a
# betrayal), or get one that no verb wants (`... defended the plan ... a betrayal of staff.`).
#
# Complements are read from chunks and tags, not from trees, which are often wrong just there: for a
# verb, the noun or adjective phrase after it, and each further one that begins right after a noun,
# as a determiner, a number or an adjective at the end of its phrase does; a clause with `that`
# after the person told; an infinitive after the one asked, forced or allowed; the verb after an
# auxiliary. Times are none. A statement before `officials said` counts for `said`.
#
# A verb wants as many as it has at least in the known sentences, under one tag. At the seam, after
# all words that both sources have in common, the verbs of the first source wait for some
# complements, and those of the second provide some; the differences of all seams of a sentence have
# to add up to nothing. Verbs that both sources have in a row before the seam are left out: they
# have one frame.

_TELLING = frozenset(
    [
        *("told", "tell", "tells", "telling", "informed", "inform", "informs", "warned", "warn"),
        *("warns", "assured", "assure", "assures", "reminded", "remind", "convinced", "persuaded"),
    ]
)
_ASKING = frozenset(
    [
        *("forced", "force", "forces", "asked", "ask", "asks", "told", "tell", "tells", "urged"),
        *("urge", "urges", "ordered", "order", "orders", "allowed", "allow", "allows", "enabled"),
        *("enable", "persuaded", "advised", "invited", "invite", "encouraged", "encourage"),
        *("expected", "expects", "wanted", "wants", "want", "helped", "help", "helps", "required"),
    ]
)
_BEING = frozenset(["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"])
_OF_TIME = frozenset(
    [
        *("today", "yesterday", "tomorrow", "morning", "noon", "afternoon", "evening", "night"),
        *("midnight", "a.m.", "p.m.", "time", "times"),
        *("hour", "day", "week", "month", "year", "minute", "hours", "days", "weeks", "months"),
        *("years", "minutes"),
    ]
)
_STOPS = frozenset(
    (",", ":", ".", "``", "''", "-LRB-", "-RRB-", "CC", "WDT", "WP", "WP$", "WRB", *FINITE)
)
_QUOTING = frozenset((",", "”", "''", '"'))
_MOST_SOURCES = 4  # sources of a span that are tried at a seam; set by hand


class Frames:
    """The complements of the verbs in known sentences, for the seams of composed ones.

    Sentences without parts of speech and chunks have no verbs.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> def sentence(text):
    ...     return Sentence(Token(*word.split("|")) for word in text.split())
    >>> called = "They|PRP|B-NP called|VBD|B-VP it|PRP|B-NP a|DT|B-NP lie|NN|I-NP .|.|O"
    >>> saw = "We|PRP|B-NP saw|VBD|B-VP it|PRP|B-NP .|.|O"
    >>> frames = Frames([sentence(called), sentence(saw)])
    >>> frames.change((0, 2), (1, 2), 1), frames.change((1, 2), (0, 2), 3)
    (1, -1)

    """

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._forms = [tuple(map(folded, sentence.forms)) for sentence in sentences]
        self._starts: list[dict[int, list[int]]] = []
        self._kinds: list[dict[int, tuple[str, str]]] = []
        self._least: dict[tuple[str, str], int] = {}
        self._known: dict[tuple[tuple[int, int], tuple[int, int], int], int] = {}
        for sentence in sentences:
            tokens = sentence.tokens
            starts = dict(_frames(tokens)) if _tagged(tokens) else {}
            kinds = {verb: (folded(tokens[verb].form), tokens[verb].pos) for verb in starts}
            self._starts.append(starts)
            self._kinds.append(kinds)
            for verb, kind in kinds.items():
                count = len(starts[verb]) or _has_statement_before(tokens, verb)
                self._least[kind] = min(self._least.get(kind, count), count)

    def change(self, before: tuple[int, int], after: tuple[int, int], most: int) -> int:
        """Count the complements that are lost at a seam; negative where there are too many.

        `before` and `after` are the sentence and the index of the last word before the seam, in
        both sources; `most` is the number of words that follow from the second source.
        """
        key = before, after, most
        if key not in self._known:
            self._known[key] = self._change(*key)
        return self._known[key]

    def _change(self, before: tuple[int, int], after: tuple[int, int], most: int) -> int:
        (one, before_word), (other, after_word) = before, after
        before_forms, after_forms = self._forms[one], self._forms[other]
        common = 0
        while common < min(
            most, len(before_forms) - before_word - 1, len(after_forms) - after_word - 1
        ):
            if before_forms[before_word + common + 1] != after_forms[after_word + common + 1]:
                break
            common += 1
        before_word, after_word = before_word + common, after_word + common
        shared = 0  # words right before the last one
        while (
            shared < min(before_word, after_word)
            and before_forms[before_word - shared - 1] == after_forms[after_word - shared - 1]
        ):
            shared += 1
        return self._awaited(one, before_word, shared) - self._awaited(other, after_word, shared)

    def _awaited(self, sentence: int, word: int, shared: int) -> int:
        """Return the number of complements that begin after a word, and that its verbs want."""
        missing = 0
        for verb, starts in self._starts[sentence].items():
            if verb > word or word - shared <= verb < word or all(at <= word for at in starts):
                continue
            begun = sum(at <= word for at in starts)
            missing += max(0, self._least[self._kinds[sentence][verb]] - begun)
        return missing

    def balance(
        self, seams: Iterable[tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]], int]]
    ) -> int:
        """Return the sum of `change` over the seams of a sentence, each by its best sources."""
        total = 0
        for before, after, most in seams:
            pairs = product(before[:_MOST_SOURCES], after[:_MOST_SOURCES])
            total += min((self.change(one, other, most) for one, other in pairs), key=abs)
        return total


def _frames(tokens: Sequence[Token]) -> Iterator[tuple[int, list[int]]]:
    """Yield the index of each verb, with the words at which its complements begin."""
    for verb, token in enumerate(tokens):
        if token.pos not in _VERBS or not token.iob.endswith("-VP"):
            continue
        if verb + 1 < len(tokens) and tokens[verb + 1].iob == "I-VP":
            yield verb, [verb + 1]  # an auxiliary, and what it goes with
            continue
        place = verb + 1
        while place < len(tokens) and (
            tokens[place].iob.endswith(("-ADVP", "-PRT")) or tokens[place].pos in {"RB", "RP"}
        ):
            place += 1
        if place == len(tokens):
            yield verb, []
            continue
        after = tokens[place]
        quoted = after.pos in {"``", "''", ":"}
        stated = after.iob == "B-SBAR" and after.form.casefold() in {"that", "whether", "if"}
        to_do = after.pos == "TO" and after.iob.endswith("-VP")
        is_so = after.pos not in _STOPS and token.form.casefold() in _BEING
        if after.pos not in _STOPS and _is_nominal(after):
            yield verb, list(_phrases(tokens, token.form.casefold(), place))
        else:
            yield verb, [place] if quoted or stated or to_do or is_so else []


def _phrases(tokens: Sequence[Token], verb: str, place: int) -> Iterator[int]:
    """Yield the words at which the complements of a verb begin, the first at `place`."""
    if not _is_time(tokens, place):
        yield place
    for at in range(place + 1, len(tokens)):
        token, before = tokens[at], tokens[at - 1]
        if token.pos in _STOPS:
            return
        behind_noun = before.pos.startswith(("NN", "PRP"))
        begins_statement = verb in _TELLING and token.form.casefold() == "that"
        begins_request = verb in _ASKING and token.pos == "TO"
        if behind_noun and (begins_statement or begins_request):
            yield at
            return
        if token.iob == "B-SBAR":
            return
        if not (behind_noun and _is_nominal(token) and _is_nominal(before)) or token.pos == "POS":
            continue
        following = tokens[at + 1].pos if at + 1 < len(tokens) else "."
        last = token.pos in _ADJECTIVES and not following.startswith(("NN", "JJ", "CC", ",", "HY"))
        begins = token.iob.startswith("B-") or token.pos in {"DT", "PRP$", "CD"}
        if (begins or last) and not _is_time(tokens, at):
            yield at


def _is_nominal(token: Token) -> bool:
    return token.iob.endswith(("-NP", "-ADJP"))


def _is_time(tokens: Sequence[Token], place: int) -> bool:
    """Check whether the phrase at a word names a time, up to where it ends or another begins."""
    for at in range(place, len(tokens)):
        token = tokens[at]
        if at > place and (not _is_nominal(token) or token.iob.startswith("B-")):
            return False
        if at > place and token.pos in {"DT", "PRP$", "CD"}:
            return False
        if token.form.casefold() in _OF_TIME or is_date_word(token.form):
            return True
    return False


def _has_statement_before(tokens: Sequence[Token], verb: int) -> bool:
    """Check for a verb after its statement, as in `It burns, officials said` or `, said he`."""
    if verb and tokens[verb - 1].form in _QUOTING:
        return tokens[verb].pos in FINITE
    place = verb - 1
    while place >= 0 and tokens[place].iob.endswith("-NP"):
        place -= 1
    ends = verb + 1 == len(tokens) or tokens[verb + 1].pos in {*_STOPS, "IN", "RB"}
    return 0 <= place < verb - 1 and tokens[place].form in _QUOTING and ends


def noun_chunks(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the half-open range of words of each chunk NP."""
    first = -1
    for place, token in enumerate(tokens):
        if first >= 0 and token.iob != "I-NP":
            yield first, place
            first = -1
        if token.iob == "B-NP":
            first = place
    if first >= 0:
        yield first, len(tokens)


def shape(chunk: Sequence[Token]) -> tuple[str, ...]:
    """Return the sequence of parts of speech by which noun chunks are compared.

    Examples
    --------
    >>> from bitext.model import Token
    >>> shape([Token("a", "DT"), Token("high", "JJ"), Token("ratings", "NNS")])
    ('one', 'NNS')

    """
    last = len(chunk) - 1
    return tuple(
        "one" if token.form.casefold() in _SINGULAR else token.pos
        for place, token in enumerate(chunk)
        if place == last or token.pos not in _ADJECTIVES
    )


def _clashing(tokens: Sequence[Token], whole: Callable[[int, int], bool]) -> int:
    """Count the finite verbs that share the subject of the verb before."""
    fault_count = 0
    verbs = [place for place, token in enumerate(tokens) if token.pos in FINITE]
    for one, other in pairwise(verbs):
        lets = any(_lets_another(tokens, place) for place in range(one + 1, other + 1))
        fault_count += not lets and not whole(one, other + 1)
    return fault_count


def _lets_another(tokens: Sequence[Token], place: int) -> bool:
    """Check whether a clause, a subject or a second verb may begin at a word."""
    token = tokens[place]
    if token.pos in _LETTING or _begins_subject(tokens, place):
        return True
    return any(part.startswith("B-") and part[2:] in _CLAUSES for part in token.trace)


def _begins_subject(tokens: Sequence[Token], place: int) -> bool:
    """Check whether a noun phrase right below a clause begins at a word."""
    if not _has_subject(tokens[place].trace):
        return False
    before = tokens[place - 1] if place else None
    return before is None or before.pos not in {"IN", "TO"} or _inmost(before) != "PP"


@lru_cache(maxsize=1 << 12)  # the sentences of a lattice repeat its words
def _has_subject(trace: tuple[str, ...]) -> bool:
    return any(
        part in {"B-NP", "B-WHNP"} and above[2:] in _CLAUSES for above, part in pairwise(trace)
    )


def _inmost(token: Token) -> str:
    return token.trace[-1][2:] if token.trace else ""


def _verbless(tokens: Sequence[Token], whole: Callable[[int, int], bool]) -> bool:
    """Check whether the last verb is followed by a subject and nothing more."""
    last = max((place for place, token in enumerate(tokens) if token.pos in _VERBS), default=-1)
    return any(
        _begins_subject(tokens, place) and not whole(max(place - 1, 0), len(tokens))
        for place in range(last + 1, len(tokens))
    )


def _misattributed(tokens: Sequence[Token], together: Callable[[int, int], bool]) -> int:
    """Count the statements that no known sentence attributes to their speaker."""
    finite = [place for place, token in enumerate(tokens) if token.pos in FINITE]
    fault_count = 0
    for verb in finite:
        if tokens[verb].form.casefold() not in _SAYING or not verb:
            continue
        inside = tokens[verb - 1].iob.endswith("-NP")
        if inside:
            speaker = verb - 1
        elif verb + 1 < len(tokens) and tokens[verb + 1].iob == "B-NP":
            speaker = next(end for first, end in noun_chunks(tokens) if first == verb + 1) - 1
        else:
            continue
        # `X said Y burns.`, else `Y burns, X said.` and `Y burns, said X.`
        later = [place for place in finite if place > verb] if inside else []
        stated = later[:1] or [place for place in finite if place < verb][:1]
        fault_count += any(not together(speaker, _last_verb(tokens, place)) for place in stated)
    return fault_count


def _last_verb(tokens: Sequence[Token], place: int) -> int:
    """Return the index of the last verb in the chunk of a finite verb: `sent` in `had sent`."""
    last = place
    for after in range(place + 1, len(tokens)):
        if tokens[after].iob != "I-VP":
            break
        if tokens[after].pos in _VERBS:
            last = after
    return last


def _stacked_times(tokens: Sequence[Token]) -> int:
    """Count the times of day right after another."""
    forms = [token.form for token in tokens]
    fault_count = 0
    for place, form in enumerate(forms[:-1]):
        if not _TIME.fullmatch(form):
            continue
        after = place + 1 + (forms[place + 1].casefold() in _HALVES)
        if after < len(forms):
            zoned = forms[after].isdecimal() and forms[after + 1 : after + 2] == ["GMT"]
            fault_count += zoned or _TIME.fullmatch(forms[after]) is not None
    return fault_count


def _left_alone(tokens: Sequence[Token], whole: Callable[[int, int], bool]) -> int:
    """Count the brackets and quotation marks without their other half."""
    marks = [(place, token.form) for place, token in enumerate(tokens) if token.form in _PAIRED]
    if not marks:
        return 0
    opened: dict[str, list[int]] = {}
    fault_count = 0
    last = max((place for place, token in enumerate(tokens) if is_word(token.form)), default=-1)
    for place, form in marks:
        kind = _OPENS.get(form) or _CLOSES.get(form) or form
        if form in _OPENS or (form == '"' and place < last and not opened.get(kind)):
            opened.setdefault(kind, []).append(place)
        elif form in _CLOSES or form == '"':
            if opened.get(kind):
                opened[kind].pop()
            else:
                fault_count += kind != "'" and not whole(0, place + 1)
    for place in (place for places in opened.values() for place in places):
        # A straight mark whose opening half is lost: its part of speech says that it closes.
        closes = tokens[place].form == '"' and tokens[place].pos == "''"
        fault_count += not (whole(0, place + 1) if closes else whole(place, len(tokens)))
    return fault_count


RANKS = ("ngram+syntax", "ngram", "syntax", "none")

_FAULT_BITS = 8.0  # bits that an inconsistent step or a fault costs; set by hand: 8 binary choices
_BEGIN, _END = Token("", "<begin>", "O"), Token("", "<end>", "O")

Place = tuple[str, str, tuple[str, ...]]


class LanguageModel(Protocol):
    """The interface of a language model: `NgramModel`, `ArpaModel`, or one of your own."""

    order: int

    def per_word(self, sentences: Sequence[Sequence[str]]) -> list[float]:
        """Return the log2 probability of each sentence, divided by its words plus one."""
        ...


class Scores(NamedTuple):
    """The scores of a sentence."""

    # The logarithm (base 2) of the probability, divided by the number of words plus one.
    log2: float
    consistency: float  # from 0 to 1; `nan` if a word has no POS or IOB
    faults: float  # the number of faults; some kinds count half
    # The score of the ranking: higher is better. 0 without a ranking.
    total: float


@dataclass(slots=True)
class _Known:
    """The steps of known sentences: in full, without traces, and without chunks."""

    whole: set[tuple[Place, Place]] = field(default_factory=set)
    tagged: set[tuple[str, str, str, str]] = field(default_factory=set)
    tags: set[tuple[str, str]] = field(default_factory=set)
    chunks: set[tuple[str, ...]] = field(default_factory=set)
    past: set[str] = field(default_factory=set)  # participles of sentences without a finite verb
    finite: int = 0  # sentences with a finite verb
    count: int = 0


class Transitions:
    """The steps from word to word in parsed sentences, by part of speech, chunk and trace.

    The sentences are iterated once; those that lack POS or IOB at a word are ignored. `beside` has
    the steps of other sentences, which count as known, too.

    Attributes
    ----------
    mostly_finite : bool
        Whether most sentences have a finite verb.
    past : frozenset of str
        The past participles of sentences without a finite verb, casefolded.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> i = Token("I", "PRP", "B-NP", ("B-S", "B-NP"))
    >>> left = Token("left", "VBD", "B-VP", ("I-S", "B-VP"))
    >>> known = Transitions([Sentence([i, left])])
    >>> known.consistency([i, left]), round(known.consistency([left, i]), 3)
    (1.0, 0.222)

    """

    def __init__(self, sentences: Iterable[Sentence], *, beside: Transitions | None = None) -> None:
        own = _Known()
        self._layers: list[_Known] = [own, *(beside._layers if beside else ())]  # noqa: SLF001 - its own kind
        self._judged: dict[tuple[Place, Place], float] = {}
        for sentence in sentences:
            if not _tagged(sentence.tokens):
                continue
            own.finite += _finite(sentence.tokens)
            if not _finite(sentence.tokens):
                own.past.update(t.form.casefold() for t in sentence.tokens if t.pos == "VBN")
            own.count += 1
            for left, right in _steps(sentence.tokens):
                own.whole.add((_place(left), _place(right)))
                own.tagged.add((left.pos, left.iob, right.pos, right.iob))
                own.tags.add((left.pos, right.pos))
            sentence_tokens = sentence.tokens
            own.chunks.update(
                shape(sentence_tokens[first:end]) for first, end in noun_chunks(sentence_tokens)
            )
        finite, count = (
            sum(numbers)
            for numbers in zip(*((x.finite, x.count) for x in self._layers), strict=True)
        )
        self._finite = finite == count
        self.mostly_finite = 2 * finite > count
        self.past = frozenset(word for layer in self._layers for word in layer.past)

    def has_chunk(self, kind: tuple[str, ...]) -> bool:
        """Check for a noun chunk of this `shape` in the known sentences."""
        return any(kind in layer.chunks for layer in self._layers)

    def consistency(self, tokens: Sequence[Token]) -> float:
        """Return the mean score of the steps; `nan` if a word lacks POS or IOB."""
        if not any(layer.tags for layer in self._layers) or not _tagged(tokens):
            return nan
        steps = [self.step(left, right) for left, right in _steps(tokens)]
        if self._finite and not _finite(tokens):
            steps[-1] = 0.0
        return sum(steps) / len(steps)

    def step(self, left: Token, right: Token) -> float:
        """Score the step from a word to the next, from 0 to 1."""
        key = (_place(left), _place(right))
        if key not in self._judged:
            self._judged[key] = self._judge(left, right)
        return self._judged[key]

    def _judge(self, left: Token, right: Token) -> float:
        layers = self._layers
        if any((_place(left), _place(right)) in layer.whole for layer in layers):
            return 1.0
        if right.iob.startswith("I-") and right.iob[2:] != left.iob[2:]:
            return 0.0
        tags = any((left.pos, right.pos) in layer.tags for layer in layers)
        step = left.pos, left.iob, right.pos, right.iob
        chunks = any(step in layer.tagged for layer in layers)
        return (tags + chunks + _continued(left.trace, right.trace)) / 3


def score(
    sentences: Sequence[Sequence[Token]],
    *,
    rank: str,
    model: LanguageModel,
    transitions: Transitions,
    faults: Sequence[float] | None = None,
    broken: Sequence[bool] | None = None,
) -> list[Scores]:
    """Score each sentence by the language model, the syntax, or both.

    `rank` is one of `RANKS`. Words have their syntax if they were parsed; with `ngram+syntax`, the
    n-gram model alone ranks unparsed sentences. `faults` has the number of faults of each sentence,
    `broken` whether it is broken; by default none has any.

    Raises `InputError` when the rank is by syntax alone and a word lacks it, and `OptionError` when
    it is not known.
    """
    check_one_of("rank", rank, RANKS)
    bits = model.per_word([[token.form for token in tokens] for tokens in sentences])
    out = []
    none = [0.0] * len(sentences)
    whole = [False] * len(sentences)
    for log2, tokens, wrong, apart in zip(
        bits, sentences, faults or none, broken or whole, strict=True
    ):
        share = transitions.consistency(tokens)
        if rank == "syntax" and isnan(share):
            raise InputError(
                "rank 'syntax' needs the syntax of every word: give trees or tags, or rank by "
                "'ngram'"
            )
        less = wrong / (len(tokens) + 1)
        lost = less if isnan(share) else less + 1 - share
        total = {
            "ngram+syntax": log2 - _FAULT_BITS * (lost + apart),
            "ngram": log2,
            "syntax": share - less - _FAULT_BITS * apart,
            "none": 0.0,
        }[rank]
        out.append(Scores(log2, share, wrong, total))
    return out


def _steps(tokens: Sequence[Token]) -> Iterable[tuple[Token, Token]]:
    """Return pairs of adjacent words, with sentinels before the first and after the last."""
    return zip([_BEGIN, *tokens], [*tokens, _END], strict=True)


def _finite(tokens: Iterable[Token]) -> bool:
    return any(token.pos in FINITE for token in tokens)


def _tagged(tokens: Iterable[Token]) -> bool:
    return all(token.pos and token.iob for token in tokens)


def _place(token: Token) -> Place:
    return token.pos, token.iob, token.trace


def _continued(left: tuple[str, ...], right: tuple[str, ...]) -> float:
    """Return the share of the continued constituents of a word that the word before is in."""
    begun = next((k for k, part in enumerate(right) if not part.startswith("I-")), len(right))
    if not begun:
        return 1.0
    if not left:
        return 0.0
    standing = [part[2:] for part in left]
    runs = [0] * len(left)  # length of the common run that ends at each constituent
    longest = 0
    for part in right[:begun]:
        ended = [0, *runs[:-1]]
        runs = [
            run + 1 if other == part[2:] else 0 for run, other in zip(ended, standing, strict=True)
        ]
        longest = max(longest, *runs)
    return longest / begun


# Reading of language models: a model in the ARPA format, or text to train one.

_ARPA = "\\data\\"
_OF_ARPA = re.compile(r"\\[0-9]+-grams:|\\end\\|ngram\s+[0-9]+\s*=\s*[0-9]+")


def read_model(lines: Iterable[str], *, path: str, order: int = 3) -> LanguageModel:
    r"""Read a model in the ARPA format from lines, or train one on plain text.

    Lines are in the ARPA format if the first that is not empty is `\data\`.

    Parameters
    ----------
    lines : iterable of str
        The lines of one file, or of several texts in a row; iterated once.
    path : str
        The name of the file, for errors.
    order : int
        The length of the longest n-gram of a trained model.

    Raises
    ------
    FormatError
        When a file of the ARPA format is damaged, lacks `\data\`, or has text before it.
    InputError
        When there is no text.

    Examples
    --------
    >>> read_model(["", "A ferry burns."], path="ferry.txt").order
    3
    >>> read_model(["\\data\\", "ngram 1=1", "\\1-grams:", "-1 a", "\\end\\"], path="a.arpa").order
    1

    """
    check_list("the lines", lines, "the lines of the file, as open(path)")
    stream = iter(lines)
    before: list[str] = []
    for line in stream:
        before.append(line)
        if line.strip():
            break
    if not any(line.strip() for line in before[-1:]):
        raise InputError(f"{path}: has no sentence to learn from; name a file with text")
    whole = chain(before, stream)
    if before[-1].strip() == _ARPA:
        return ArpaModel(whole, path=path)
    return NgramModel.of_lines(_text(whole, path), order=order)


def _text(lines: Iterable[str], path: str) -> Iterator[str]:
    r"""Yield lines of plain text; refuse lines of the ARPA format."""
    for number, line in enumerate(lines, start=1):
        if line.strip() == _ARPA:
            raise FormatError(
                f"found {_ARPA} after other text: want text alone, or a model in the ARPA format "
                f"alone, with this as its first line",
                path=path,
                line=number,
            )
        if _OF_ARPA.fullmatch(line.strip()):
            raise FormatError(
                f"found {line.strip()!r:.60}, as models in the ARPA format have it, but no {_ARPA} "
                f"before it, with which these begin: give the whole file, or text alone",
                path=path,
                line=number,
            )
        yield line
