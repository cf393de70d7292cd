"""Faults of a sentence that is made of parts of others: what no step from word to word shows.

Each is counted only where no sentence has the words in question in full: what one has is how
somebody wrote.

- *Two verbs for one subject*: two finite verbs (VBD, VBP, VBZ or MD) follow each other, and between
  them, the second one with them, nothing lets a clause or a second verb begin: no CC, no relative
  or question word, no comma, colon or quotation mark, and no word at which by its trace a clause
  begins, or a subject: a noun phrase right below a clause, unless a preposition of a PP stands
  before it here.
- *A subject without a verb*: at a word a subject begins, and from there to the end there is no
  verb. The words in question are all of these, and the one before.
- *A mark left alone*: a bracket or a quotation mark that nothing closes, or that closes nothing.
  The words in question are those from there to the end, or from the beginning to there. A straight
  mark opens where none is open, except after the last word. A single mark that may be an apostrophe
  counts only as the other half of one that opens.
- *A noun phrase of a new kind*, as `a high ratings`: no chunk NP of a known sentence has the same
  parts of speech in a row, adjectives before others left out, and determiners that want a singular
  (`a`, `this`, `every`) apart from others. Many such are sound, so it counts half a fault.
- *A statement of another speaker*: the last word of the subject of a verb of saying, and the verb
  of what is said, are in no sentence together.
- *Two times in a row*, as in `at 5:50 p.m. 11:50 a.m.`, which text is left with that lost its
  brackets: a fault even where a sentence has them.

A sentence is *broken* that has a mark left alone, or neither a finite verb nor a participle, which
taggers take for the other (VBN), where most known sentences have a finite one. That is more than a
fault: such sentences come behind all others.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.model.sentence import is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitext.model.sentence import Token

__all__ = ["FINITE", "faults", "is_broken", "noun_chunks", "shape"]

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
    """Return how many faults a sentence has.

    Parameters
    ----------
    tokens : sequence of Token
        Its words. Without syntax, marks alone can be at fault.
    known : callable
        Tells whether there is a noun chunk of some `shape`.
    whole : callable
        Tells whether some sentence has the words from a first one to an end in full.
    together : callable
        Tells whether some sentence has two words, given by their places.

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
    """Return whether a mark is left alone, or a finite verb is missing.

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
    """Yield the first word, and the last + 1, of each chunk NP."""
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
    """Return the parts of speech that make two noun chunks the same kind.

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
    """Return how many finite verbs have the subject of the one before."""
    found = 0
    verbs = [place for place, token in enumerate(tokens) if token.pos in FINITE]
    for one, other in pairwise(verbs):
        lets = any(_lets_another(tokens, place) for place in range(one + 1, other + 1))
        found += not lets and not whole(one, other + 1)
    return found


def _lets_another(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a clause, a subject or a second verb may begin at a word."""
    token = tokens[place]
    if token.pos in _LETTING or _begins_subject(tokens, place):
        return True
    return any(part.startswith("B-") and part[2:] in _CLAUSES for part in token.trace)


def _begins_subject(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a noun phrase right below a clause begins at a word."""
    if place and tokens[place - 1].pos in {"IN", "TO"} and _inmost(tokens[place - 1]) == "PP":
        return False
    return any(
        part in {"B-NP", "B-WHNP"} and above[2:] in _CLAUSES
        for above, part in pairwise(tokens[place].trace)
    )


def _inmost(token: Token) -> str:
    return token.trace[-1][2:] if token.trace else ""


def _verbless(tokens: Sequence[Token], whole: Callable[[int, int], bool]) -> bool:
    """Tell whether a subject is all that comes after the last verb."""
    last = max((place for place, token in enumerate(tokens) if token.pos in _VERBS), default=-1)
    return any(
        _begins_subject(tokens, place) and not whole(max(place - 1, 0), len(tokens))
        for place in range(last + 1, len(tokens))
    )


def _misattributed(tokens: Sequence[Token], together: Callable[[int, int], bool]) -> int:
    """Return how many statements are of a speaker who makes them in no sentence."""
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
    """Return where the chunk of a finite verb has its last verb: `sent`, of `had sent`."""
    last = place
    for after in range(place + 1, len(tokens)):
        if tokens[after].iob != "I-VP":
            break
        if tokens[after].pos in _VERBS:
            last = after
    return last


def _stacked_times(tokens: Sequence[Token]) -> int:
    """Return how many times of day stand right behind another."""
    forms = [token.form for token in tokens]
    found = 0
    for place, form in enumerate(forms[:-1]):
        after = place + 1 + (forms[place + 1].casefold() in _HALVES)
        if _TIME.fullmatch(form) and after < len(forms):
            zoned = forms[after].isdecimal() and forms[after + 1 : after + 2] == ["GMT"]
            found += zoned or _TIME.fullmatch(forms[after]) is not None
    return found


def _left_alone(tokens: Sequence[Token], whole: Callable[[int, int], bool]) -> int:
    """Return how many brackets and quotation marks have no other half."""
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
