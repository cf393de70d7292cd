"""Punctuation at the beginnings and ends of sentences, and their quotation marks."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.segment.tokens import LETTERS, Kind, is_one_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.segment.tokens import Tokens

__all__ = [
    "Beginning",
    "Close",
    "Ending",
    "Punctuation",
    "QuoteMarks",
    "Shape",
    "punctuation",
    "quote_marks",
]


# The direction of quotation marks: opening or closing.
#
# Some characters are unambiguous („ 「 『). Most are not: “ opens in English and closes in German,
# » opens in German, closes in French and does both in Swedish, and ' is mostly an apostrophe.
# Each mark votes for a direction if its neighbours suggest one: white space or punctuation before
# it and a word after it suggest that it opens. If nearly all votes for a character agree, all its
# occurrences in the text have that direction. If not, and always for straight marks, each mark has
# the direction of its own vote, and marks without a vote open and close in turn. A curly or angular
# mark without any vote in the text has its direction in English or French.
#
# A single mark between letters is an apostrophe. In a text with ‘ or ‚, the mark ’ closes only
# quotations that these opened. Otherwise ’ and ' are quotation marks if they often follow a stop,
# which apostrophes do not.

_OPEN, _CLOSE, _EITHER = 1, -1, 0
# Characters with one direction in all languages, and characters with a usual direction.
_FIXED = {
    **dict.fromkeys("„‚「『《〈﹁﹃｢〝", _OPEN),
    **dict.fromkeys("」』》〉﹂﹄｣〞〟", _CLOSE),
}
_USUAL = {**dict.fromkeys("“‟«‹‘‛", _OPEN), **dict.fromkeys("”»›’", _CLOSE)}
_SINGLE = frozenset("‘’‚‛'ʼ＇‹›『』〈〉﹃﹄")
_OPENS_SINGLE = "‘‚‛"
_APOSTROPHES = "'’ʼ＇"
_MAJORITY = 4.0  # votes for a direction, for each vote against it; set by hand: for misprints
_LEAST_CLOSING_RATE = 0.25  # closing votes after a stop, for each opening vote; set by hand
_STOPS = (Kind.FULL_STOP, Kind.QUESTION, Kind.EXCLAMATION, Kind.ELLIPSIS, Kind.COMMA, Kind.DASH)


class QuoteMarks(NamedTuple):
    """The quotation marks of a text, in order.

    Attributes
    ----------
    places : array of int64, shape (marks,)
        The offset of each mark in `Tokens.line`.
    turns : array of int8, shape (marks,)
        1 for a mark that opens a quotation, 2 for a mark that reopens an open quotation (speech
        that continues in a new paragraph), -1 for a mark that closes.
    depths : array of int8, shape (marks,)
        The number of quotations open after the mark: 0, 1 or 2.

    """

    places: NDArray[np.int64]
    turns: NDArray[np.int8]
    depths: NDArray[np.int8]


def quote_marks(tokens: Tokens) -> QuoteMarks:
    """Classify the quotation marks of a text as opening or closing; linear in its characters."""
    kinds = tokens.kinds
    places = np.flatnonzero(is_one_of(kinds, Kind.QUOTE, Kind.APOSTROPHE))
    places = places[~tokens.letters[places]]
    signs = tokens.codes[places]
    left = np.full(len(places), Kind.SPACE, dtype=np.uint8)
    left[places > 0] = kinds[places[places > 0] - 1]
    right = kinds[places + 1]  # always in range, since the line ends with a line break
    votes = _votes(left, right)
    known, of_sign = np.unique(signs, return_inverse=True)
    present = {chr(code) for code in known.tolist()}
    ways = votes.copy()
    dropped = np.zeros(len(places), dtype=np.bool_)
    # For each character, set the direction that all its marks share, if any; drop apostrophes.
    for k, code in enumerate(known.tolist()):
        sign, mine = chr(code), of_sign == k
        if sign in _APOSTROPHES:
            if sign != "'" and present.intersection(_OPENS_SINGLE):
                ways[mine] = _CLOSE
            elif not _are_quotes(votes[mine], left[mine]):
                dropped |= mine
        else:
            one = _direction(sign, votes[mine])
            if one != _EITHER:
                ways[mine] = one
    stays = ~dropped
    single = np.array([chr(code) in _SINGLE for code in known.tolist()], dtype=np.bool_)
    apostrophe = is_one_of(kinds[places], Kind.APOSTROPHE)
    return _follow(places[stays], ways[stays], single[of_sign][stays], apostrophe[stays])


def _votes(left: NDArray[np.uint8], right: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return the vote of each mark by its neighbours: opens (1), closes (-1) or none (0)."""
    words = (*LETTERS, Kind.SYLLABLE)
    space_left, space_right = left == Kind.SPACE, right == Kind.SPACE
    word_left, word_right = is_one_of(left, *words), is_one_of(right, *words)
    opens = (space_left & ~space_right) | (~space_left & ~word_left & word_right)
    shuts = (space_right & ~space_left) | (~space_right & ~word_right & word_left)
    votes: NDArray[np.int8] = opens.astype(np.int8) - shuts.astype(np.int8)
    return votes


def _direction(sign: str, votes: NDArray[np.int8]) -> int:
    """Return the direction of a character in the text, or `_EITHER` if its marks differ."""
    if sign in _FIXED:
        return _FIXED[sign]
    opens, shuts = int((votes == _OPEN).sum()), int((votes == _CLOSE).sum())
    if not opens + shuts:
        return _USUAL.get(sign, _EITHER)
    if sign not in _USUAL:
        return _EITHER
    return (
        _OPEN if opens >= _MAJORITY * shuts else _CLOSE if shuts >= _MAJORITY * opens else _EITHER
    )


def _are_quotes(votes: NDArray[np.int8], left: NDArray[np.uint8]) -> bool:
    """Check whether the occurrences of an apostrophe character include quotation marks."""
    opens = int((votes == _OPEN).sum())
    shuts = int(((votes == _CLOSE) & is_one_of(left, *_STOPS)).sum())
    return opens > 0 and shuts > 0 and shuts >= _LEAST_CLOSING_RATE * opens


def _follow(
    places: NDArray[np.int64],
    ways: NDArray[np.int8],
    single: NDArray[np.bool_],
    apostrophe: NDArray[np.bool_],
) -> QuoteMarks:
    """Pair the marks, with at most one double and one single quotation open at a time.

    Marks that turn out to be apostrophes are left out.
    """
    is_open = [False, False]
    turns, depths = [], []
    for way, inner, may_join in zip(
        ways.tolist(), single.tolist(), apostrophe.tolist(), strict=True
    ):
        now = is_open[inner]
        if may_join and (way == _OPEN) == now:
            turn = 0  # an apostrophe: 'tis within a quotation, or boys' outside
        elif way == _OPEN or (way == _EITHER and not now):
            turn = 2 if now else 1
            is_open[inner] = True
        else:
            turn = -1
            is_open[inner] = False
            if not inner:
                is_open[1] = False
        turns.append(turn)
        depths.append(is_open[0] + is_open[1])
    moved = np.array(turns, dtype=np.int8)
    moves = moved != 0
    return QuoteMarks(places[moves], moved[moves], np.array(depths, dtype=np.int8)[moves])


class Beginning(IntEnum):
    """The kind of the first character of a sentence."""

    NOTHING = 0  # an empty sentence
    PLAIN = 1  # any other character
    OPENING = 2  # an opening quotation mark
    AGAIN = 3  # an opening quotation mark within an open quotation
    CLOSING = 4  # a closing quotation mark
    DASH = 5


class Close(IntEnum):
    """The position of a quotation mark at the end of a sentence."""

    NONE = 0
    LAST = 1  # a closing mark at the very end: he said.”
    BEFORE = 2  # a closing mark before the final punctuation: he said».
    OPENING = 3  # an opening mark at the very end


class Ending(IntEnum):
    """The kind of the last character of a sentence, quotation marks and brackets aside."""

    NOTHING = 0
    WORD = 1
    FULL_STOP = 2
    QUESTION = 3
    EXCLAMATION = 4
    ELLIPSIS = 5
    COLON = 6
    SEMICOLON = 7
    COMMA = 8
    DASH = 9
    OTHER = 10


class Shape(IntEnum):
    """The case of the first word of a sentence, or another class of its spelling."""

    NONE = 0
    LOWER = 1
    CAPITALISED = 2
    ONE_CAPITAL = 3  # a word of one letter, such as I
    CAPITALS = 4
    UNCASED = 5
    DIGITS = 6


class Punctuation(NamedTuple):
    """The punctuation of n sentences, one value a sentence.

    Attributes
    ----------
    beginning, ending, close, shape : arrays of uint8, shape (n,)
        `Beginning`, `Ending`, `Close` and `Shape` of each sentence.
    before, after : arrays of int64, shape (n,)
        The number of quotations open at the beginning and at the end of the sentence: 0, 1 or 2.
    opened, closed : arrays of int64, shape (n,)
        The numbers of opening and of closing marks in the sentence.
    pairs : array of int64, shape (n,)
        The number of quotations that the sentence both opens and closes.
    tail : array of int64, shape (n,)
        The offset in `Tokens.line` after the last closing mark of the sentence; -1 without one.
    marks : QuoteMarks
        The quotation marks of the text.

    """

    beginning: NDArray[np.uint8]
    ending: NDArray[np.uint8]
    close: NDArray[np.uint8]
    shape: NDArray[np.uint8]
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    opened: NDArray[np.int64]
    closed: NDArray[np.int64]
    pairs: NDArray[np.int64]
    tail: NDArray[np.int64]
    marks: QuoteMarks


_ENDINGS = np.full(256, Ending.OTHER, dtype=np.uint8)
_ENDINGS[: Kind.SYLLABLE + 1] = Ending.WORD
for _kind, _last_sign in (
    (Kind.FULL_STOP, Ending.FULL_STOP),
    (Kind.QUESTION, Ending.QUESTION),
    (Kind.EXCLAMATION, Ending.EXCLAMATION),
    (Kind.ELLIPSIS, Ending.ELLIPSIS),
    (Kind.COLON, Ending.COLON),
    (Kind.SEMICOLON, Ending.SEMICOLON),
    (Kind.COMMA, Ending.COMMA),
    (Kind.DASH, Ending.DASH),
    (Kind.HYPHEN, Ending.DASH),
):
    _ENDINGS[_kind] = _last_sign


def punctuation(tokens: Tokens) -> Punctuation:
    """Classify the punctuation of each sentence of a text; linear in its characters.

    Examples
    --------
    >>> from bitext.segment.tokens import Tokens
    >>> marks = punctuation(Tokens(["“Come here!", "Now.”", "He came."]))
    >>> marks.before.tolist(), marks.after.tolist(), marks.close.tolist()
    ([0, 1, 0], [1, 0, 0], [0, 1, 0])
    >>> [Beginning(k).name for k in marks.beginning], Ending(marks.ending[0]).name
    (['OPENING', 'PLAIN', 'PLAIN'], 'EXCLAMATION')

    """
    kinds, starts, ends = tokens.kinds, tokens.starts, tokens.ends
    marks = quote_marks(tokens)
    turns = np.zeros(len(kinds), dtype=np.int8)
    turns[marks.places] = marks.turns
    depths = np.concatenate([[0], marks.depths]).astype(np.int64)
    at = np.searchsorted(marks.places, starts)
    to = np.searchsorted(marks.places, ends)
    # The differences of cumulative counts are the numbers of marks in each sentence.
    opens = np.concatenate([[0], np.cumsum(marks.turns > 0)])
    shuts = np.concatenate([[0], np.cumsum(marks.turns < 0)])
    opened, closed = opens[to] - opens[at], shuts[to] - shuts[at]

    # Ends are classified by the last character that is no space, quotation mark or bracket.
    space = kinds == Kind.SPACE
    first = _next(~space, starts)
    last = _last(~space, ends)
    solid = ~(space | (turns != 0) | is_one_of(kinds, Kind.OPENING_BRACKET, Kind.CLOSING_BRACKET))
    solid &= kinds != Kind.QUOTE
    return Punctuation(
        beginning=_beginning(first, ends, kinds, turns),
        ending=_ending(_last(solid, ends), last, starts, kinds),
        close=_close(last, starts, kinds, turns),
        shape=_shape(tokens),
        before=depths[at],
        after=depths[to],
        opened=opened,
        closed=closed,
        pairs=np.maximum(0, np.minimum(opened, closed - (depths[at] > 0) * (closed > 0))),
        tail=_tail(marks.places, shuts, at, to),
        marks=marks,
    )


def _next(wanted: NDArray[np.bool_], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the first wanted offset from each start on, or the length of the line without one."""
    places = np.append(np.flatnonzero(wanted), len(wanted))
    return places[np.searchsorted(places, starts)]


def _last(wanted: NDArray[np.bool_], ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the last wanted offset before each end, or -1 without one."""
    places = np.concatenate([[-1], np.flatnonzero(wanted)])
    return places[np.searchsorted(places, ends) - 1]


def _beginning(
    first: NDArray[np.int64],
    ends: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    turns: NDArray[np.int8],
) -> NDArray[np.uint8]:
    none = first >= ends
    place = np.where(none, 0, first)
    kind, turn = kinds[place], turns[place]
    # A hyphen is a dash unless a digit follows: -5 is a number.
    typed = (kind == Kind.HYPHEN) & ~is_one_of(
        kinds[np.minimum(place + 1, len(kinds) - 1)], Kind.DIGIT
    )
    cases = [none, turn == 1, turn == 2, turn == -1, (kind == Kind.DASH) | typed]
    values = [
        Beginning.NOTHING,
        Beginning.OPENING,
        Beginning.AGAIN,
        Beginning.CLOSING,
        Beginning.DASH,
    ]
    return np.select(cases, values, Beginning.PLAIN).astype(np.uint8)


def _ending(
    last_solid: NDArray[np.int64],
    last: NDArray[np.int64],
    starts: NDArray[np.int64],
    kinds: NDArray[np.uint8],
) -> NDArray[np.uint8]:
    none = last_solid < starts
    place = np.where(none, 0, last_solid)
    endings = _ENDINGS[kinds[place]]
    before = kinds[np.maximum(place - 1, 0)]
    dots = (kinds[place] == Kind.FULL_STOP) & (before == Kind.FULL_STOP) & (place > starts)
    endings[dots] = Ending.ELLIPSIS
    endings[none] = Ending.OTHER
    endings[last < starts] = Ending.NOTHING
    return endings


def _close(
    last: NDArray[np.int64],
    starts: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    turns: NDArray[np.int8],
) -> NDArray[np.uint8]:
    # Skip a closing bracket after the mark: (“Yes.”)
    inside = np.maximum(last - 1, 0)
    bracket = (kinds[np.maximum(last, 0)] == Kind.CLOSING_BRACKET) & (last > starts)
    place = np.where(bracket, inside, np.maximum(last, 0))
    behind = np.maximum(place - 1, 0)
    cases = [
        last < starts,
        turns[place] < 0,
        turns[place] > 0,
        (turns[behind] < 0) & (place > starts) & (_ENDINGS[kinds[place]] != Ending.WORD),
    ]
    values = [Close.NONE, Close.LAST, Close.OPENING, Close.BEFORE]
    return np.select(cases, values, Close.NONE).astype(np.uint8)


def _shape(tokens: Tokens) -> NDArray[np.uint8]:
    has = np.diff(tokens.ptr) > 0
    shapes = np.zeros(tokens.n, dtype=np.uint8)
    word = tokens.ptr[:-1][has]
    begin, size = tokens.begins[word], (tokens.stops - tokens.begins)[word]
    kind, second = tokens.kinds[begin], tokens.kinds[begin + 1]
    upper = kind == Kind.UPPER
    cases = [
        kind == Kind.LOWER,
        upper & (size == 1),
        upper & (second == Kind.UPPER),
        upper,
        kind == Kind.DIGIT,
    ]
    values = [Shape.LOWER, Shape.ONE_CAPITAL, Shape.CAPITALS, Shape.CAPITALISED, Shape.DIGITS]
    shapes[has] = np.select(cases, values, Shape.UNCASED)
    return shapes


def _tail(
    places: NDArray[np.int64],
    shuts: NDArray[np.int64],
    at: NDArray[np.int64],
    to: NDArray[np.int64],
) -> NDArray[np.int64]:
    closing = np.append(places[np.diff(shuts) > 0] + 1, -1)
    return np.where(shuts[to] > shuts[at], closing[shuts[to] - 1], -1)
