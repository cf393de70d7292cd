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
statement of another speaker. A *broken* sentence, with an unpaired mark or without a finite verb,
ranks behind all others.

The *total* is the logarithm (base 2) of the probability by the n-gram model, minus 8 bits for each
inconsistent step (in proportion to its inconsistency) and for each fault, divided by the number of
words plus one for the end. With `syntax` alone the total is the consistency, from which each fault
subtracts as much as a step can contribute; with `ngram` alone it is the log probability. A broken
sentence loses another 8 for each word, more than any other sentence can lose.

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
  opens if none is open, except after the last word. A single mark that may be an apostrophe counts
  only as the other half of an opening one.
- *A noun phrase of an unknown shape*, such as `a high ratings`: no chunk NP of a known sentence has
  the same sequence of parts of speech, where adjectives before others are left out, and determiners
  of the singular (`a`, `this`, `every`) differ from others. Many of these phrases are sound, so
  each counts half a fault.
- *A statement of another speaker*: no known sentence has both the last word of the subject of a
  verb of saying and the verb of the reported clause.
- *Two times in a row*, such as `at 5:50 p.m. 11:50 a.m.`, which remain where a text lost its
  brackets: a fault even if a known sentence has them.

A sentence is *broken* if it has an unpaired mark, or if most known sentences have a finite verb and
it has neither one nor a past participle (VBN), which taggers confuse with the past tense.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain, pairwise
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bitext.align.words.ngram_model import ArpaModel, NgramModel
from bitext.errors import FormatError, InputError, OptionError
from bitext.model.sentence import Token, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitext.model.sentence import Sentence

__all__ = [
    "FINITE",
    "RANKS",
    "LanguageModel",
    "Scores",
    "Transitions",
    "faults",
    "is_broken",
    "noun_chunks",
    "read_model",
    "score",
    "shape",
]


FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
_PAST_OR_FINITE = FINITE | {"VBN"}
_VERBS = FINITE | {"VB", "VBG", "VBN"}
_SINGULAR = frozenset(("a", "an", "another", "each", "every", "this", "that"))
_ADJECTIVES = frozenset(("JJ", "JJR", "JJS"))
_NEW_CHUNK = 0.5
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


def faults(
    tokens: Sequence[Token],
    *,
    known: Callable[[tuple[str, ...]], bool],
    whole: Callable[[int, int], bool],
    together: Callable[[int, int], bool],
) -> float:
    """Count the faults of a sentence.

    Parameters
    ----------
    tokens : sequence of Token
        The words of the sentence. Without syntax only marks are checked.
    known : callable
        Returns whether a known sentence has a noun chunk of a `shape`.
    whole : callable
        Returns whether a known sentence has the words of a half-open range in full.
    together : callable
        Returns whether a known sentence has both words at two indices.

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
    found: float = _left_alone(tokens, whole) + _clashing(tokens, whole) + _verbless(tokens, whole)
    for first, end in noun_chunks(tokens):
        if not known(shape(tokens[first:end])) and not whole(first, end):
            found += _NEW_CHUNK
    return found + _misattributed(tokens, together) + _stacked_times(tokens)


def is_broken(tokens: Sequence[Token], *, whole: Callable[[int, int], bool], finite: bool) -> bool:
    """Check for an unpaired mark or a missing finite verb.

    Parameters
    ----------
    tokens : sequence of Token
    whole : callable
        As of `faults`.
    finite : bool
        Whether most known sentences have a finite verb.

    """
    if _left_alone(tokens, whole):
        return True
    return finite and not any(token.pos in _PAST_OR_FINITE for token in tokens)


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
    found = 0
    verbs = [place for place, token in enumerate(tokens) if token.pos in FINITE]
    for one, other in pairwise(verbs):
        lets = any(_lets_another(tokens, place) for place in range(one + 1, other + 1))
        found += not lets and not whole(one, other + 1)
    return found


def _lets_another(tokens: Sequence[Token], place: int) -> bool:
    """Check whether a clause, a subject or a second verb may begin at a word."""
    token = tokens[place]
    if token.pos in _LETTING or _begins_subject(tokens, place):
        return True
    return any(part.startswith("B-") and part[2:] in _CLAUSES for part in token.trace)


def _begins_subject(tokens: Sequence[Token], place: int) -> bool:
    """Check whether a noun phrase right below a clause begins at a word."""
    if place and tokens[place - 1].pos in {"IN", "TO"} and _inmost(tokens[place - 1]) == "PP":
        return False
    return any(
        part in {"B-NP", "B-WHNP"} and above[2:] in _CLAUSES
        for above, part in pairwise(tokens[place].trace)
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
    found = 0
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
        found += any(not together(speaker, _last_verb(tokens, place)) for place in stated)
    return found


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
    found = 0
    for place, form in enumerate(forms[:-1]):
        after = place + 1 + (forms[place + 1].casefold() in _HALVES)
        if _TIME.fullmatch(form) and after < len(forms):
            zoned = forms[after].isdecimal() and forms[after + 1 : after + 2] == ["GMT"]
            found += zoned or _TIME.fullmatch(forms[after]) is not None
    return found


def _left_alone(tokens: Sequence[Token], whole: Callable[[int, int], bool]) -> int:
    """Count the brackets and quotation marks without their other half."""
    opened: dict[str, list[int]] = {}
    found = 0
    last = max((place for place, token in enumerate(tokens) if is_word(token.form)), default=-1)
    for place, token in enumerate(tokens):
        form = token.form
        kind = _OPENS.get(form) or _CLOSES.get(form) or form
        if form in _OPENS or (form == '"' and place < last and not opened.get(kind)):
            opened.setdefault(kind, []).append(place)
        elif form in _CLOSES or form == '"':
            if opened.get(kind):
                opened[kind].pop()
            else:
                found += kind != "'" and not whole(0, place + 1)
    left = (place for places in opened.values() for place in places)
    return found + sum(not whole(place, len(tokens)) for place in left)


RANKS = ("ngram+syntax", "ngram", "syntax", "none")

_BITS = 8.0  # bits that an inconsistent step or a fault costs; set by hand: 8 binary choices
_BEGIN, _END = Token("", "<begin>", "O"), Token("", "<end>", "O")

Place = tuple[str, str, tuple[str, ...]]


class LanguageModel(Protocol):
    """The interface of a language model: `NgramModel`, `ArpaModel`, or one of your own."""

    order: int

    def per_word(self, sentences: Sequence[Sequence[str]]) -> list[float]:
        """Return the log2 probability of each sentence, divided by its words plus one."""
        ...


class Scores(NamedTuple):
    """The scores of a sentence.

    Attributes
    ----------
    log2 : float
        The logarithm (base 2) of the probability, divided by the number of words plus one.
    consistency : float
        From 0 to 1; `nan` where a word has no POS or IOB.
    faults : float
        The number of faults; some kinds count half.
    total : float
        The score of the ranking: higher is better. 0 without a ranking.

    """

    log2: float
    consistency: float
    faults: float
    total: float


@dataclass(slots=True)
class _Known:
    """The steps of known sentences: in full, without traces, and without chunks."""

    whole: set[tuple[Place, Place]] = field(default_factory=set)
    tagged: set[tuple[str, str, str, str]] = field(default_factory=set)
    tags: set[tuple[str, str]] = field(default_factory=set)
    chunks: set[tuple[str, ...]] = field(default_factory=set)
    finite: int = 0  # sentences with a finite verb
    count: int = 0


class Transitions:
    """The steps from word to word in parsed sentences, by part of speech, chunk and trace.

    Parameters
    ----------
    sentences : iterable of Sentence
        Iterated once. Sentences that lack POS or IOB at a word are ignored.

    beside : Transitions, optional
        Steps of other sentences, which count as known too.

    Attributes
    ----------
    mostly_finite : bool
        Whether most sentences have a finite verb.

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
            own.count += 1
            for left, right in _steps(sentence.tokens):
                own.whole.add((_place(left), _place(right)))
                own.tagged.add((left.pos, left.iob, right.pos, right.iob))
                own.tags.add((left.pos, right.pos))
            held = sentence.tokens
            own.chunks.update(shape(held[first:end]) for first, end in noun_chunks(held))
        finite, count = (
            sum(numbers)
            for numbers in zip(*((x.finite, x.count) for x in self._layers), strict=True)
        )
        self._finite = finite == count
        self.mostly_finite = 2 * finite > count

    def has_chunk(self, kind: tuple[str, ...]) -> bool:
        """Return whether a known sentence has a noun chunk of this `shape`."""
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

    Parameters
    ----------
    sentences : sequence of sequences of Token
        The words of each sentence, with their syntax if they were parsed.
    rank : str
        One of `RANKS`. With `ngram+syntax`, the n-gram model alone ranks unparsed sentences.
    model : LanguageModel
    transitions : Transitions
    faults : sequence of float, optional
        The number of faults of each sentence; by default none.
    broken : sequence of bool, optional
        Whether each sentence is broken; by default none is.

    Raises
    ------
    InputError
        When the rank is by syntax alone and a word lacks it.
    OptionError
        When the rank is not known.

    """
    if rank not in RANKS:
        raise OptionError(f"rank {rank!r} is not known: want one of {', '.join(RANKS)}")
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
            "ngram+syntax": log2 - _BITS * (lost + apart),
            "ngram": log2,
            "syntax": share - less - _BITS * apart,
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
