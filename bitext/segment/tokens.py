"""Tokens of a text in any script, and the punctuation at the ends of its sentences.

Text is cut by the kinds of its characters, without word lists. A word is a run of letters and
digits, including single apostrophes and hyphens between them. In scripts without spaces between
words (Chinese, Japanese, Thai ...) each character is a word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from bitext.kernels.arrays import Bools, Ints

# Kinds of characters, in any script: letters, digits, dashes, quotation marks.
#
# A kind is a small integer; `kinds_of` looks up those of a whole text in a few array operations.
# The kind follows from the Unicode category and the short lists below, whatever the language.


class Kind(IntEnum):
    """The kind of a character, as the features of paragraphs distinguish it."""

    SPACE = 0
    LOWER = 1
    UPPER = 2
    UNCASED = 3  # a letter of a script without case, or a combining mark
    DIGIT = 4
    SYLLABLE = 5  # a letter or mark of a script without spaces between words; counts as a word
    FULL_STOP = 6
    QUESTION = 7
    EXCLAMATION = 8
    ELLIPSIS = 9
    COLON = 10
    SEMICOLON = 11
    COMMA = 12
    DASH = 13
    HYPHEN = 14
    OPENING_BRACKET = 15
    CLOSING_BRACKET = 16
    QUOTE = 17
    APOSTROPHE = 18  # may also be a quotation mark
    OTHER = 19


LETTERS = (Kind.LOWER, Kind.UPPER, Kind.UNCASED, Kind.DIGIT)

# Characters whose kind does not follow from their Unicode category.
_LISTED = {
    Kind.FULL_STOP: ".。．｡।॥۔።",
    Kind.QUESTION: "?？؟\u037e‽՞፧⁇⁈",
    Kind.EXCLAMATION: "!！՜‼⁉",
    Kind.ELLIPSIS: "…⋯‥",
    Kind.COLON: ":：፡",
    Kind.SEMICOLON: ";；؛፤",
    Kind.COMMA: ",，、،､፣",
    Kind.DASH: "–—―‒⸺⸻﹘",
    Kind.HYPHEN: "-‐‑\u2212\u00ad",
    Kind.QUOTE: '"“”„‟«»‹›‘‚‛「」『』《》〈〉﹁﹂﹃﹄｢｣〝〞〟＂',
    Kind.APOSTROPHE: "'’ʼ＇",
}
_KIND_OF_CHARACTER = {char: kind for kind, chars in _LISTED.items() for char in chars}
_KIND_OF_CATEGORY = {
    "Lu": Kind.UPPER,
    "Lt": Kind.UPPER,
    "Ll": Kind.LOWER,
    "Lm": Kind.UNCASED,
    "Lo": Kind.UNCASED,
    "Mn": Kind.UNCASED,
    "Mc": Kind.UNCASED,
    "Me": Kind.UNCASED,
    "Nd": Kind.DIGIT,
    "Nl": Kind.DIGIT,
    "Pd": Kind.HYPHEN,
    "Ps": Kind.OPENING_BRACKET,
    "Pe": Kind.CLOSING_BRACKET,
    "Cf": Kind.OTHER,
}
# Scripts without spaces between words: the first and the last code point of each range.
# Source: the code charts of Unicode.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x30FF),  # kana and iteration marks
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Chinese characters
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9F),
    (0x1B000, 0x1B16F),
    (0x20000, 0x323AF),
)
_UNKNOWN = 255  # not yet in the table, and no kind
# Cache of the kind of each code point. It is filled as characters occur, since a text has only a
# few hundred different ones.
_table = np.full(0x110000, _UNKNOWN, dtype=np.uint8)


def _kind(code: int) -> int:
    char = chr(code)
    listed = _KIND_OF_CHARACTER.get(char)
    if listed is not None:
        return listed
    if char.isspace():
        return Kind.SPACE
    category = unicodedata.category(char)
    if category[0] in "LM" and any(first <= code <= last for first, last in _UNSPACED):
        return Kind.SYLLABLE
    return _KIND_OF_CATEGORY.get(category, Kind.OTHER)


def code_points(line: str) -> NDArray[np.uint32]:
    """Return the code point of each character of a string, lone surrogates included."""
    return np.frombuffer(line.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def kinds_of(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the `Kind` of each code point, in an array of the same shape.

    Examples
    --------
    >>> [Kind(k).name for k in kinds_of(code_points("Ab 你”"))]
    ['UPPER', 'LOWER', 'SPACE', 'SYLLABLE', 'QUOTE']

    """
    kinds = _table[codes]
    new = kinds == _UNKNOWN
    if new.any():
        for code in np.unique(codes[new]).tolist():
            _table[code] = _kind(code)
        kinds = _table[codes]
    return kinds


def is_one_of(kinds: NDArray[np.uint8], *wanted: Kind) -> Bools:
    """Return a mask of the characters of the wanted kinds."""
    among = np.zeros(_UNKNOWN + 1, dtype=np.bool_)
    among[list(wanted)] = True
    return among[kinds]


NUMERAL = "0"
"""The entry in `Tokens.forms` for all words of digits only."""

_MOST_WORD_CHARACTERS = 40  # characters, to which longer words are cut; set by hand: bounds memory
_BREAK = "\n"  # separates sentences on the line


class Tokens:
    """The characters and the words of n sentences, concatenated into one string.

    Parameters
    ----------
    sentences : sequence of str
        The sentences, which may be empty.

    Attributes
    ----------
    n : int
        The number of sentences.
    line : str
        The concatenated sentences, each with a line break after it.
    codes, kinds : arrays of uint32 and uint8, shape (characters,)
        The code point and the `Kind` of each character.
    starts, ends : arrays of int64, shape (n,)
        The half-open span of each sentence in `line`, without its line break.
    letters : array of bool, shape (characters,)
        Whether each character is part of a word, as are apostrophes and hyphens within it.
    ptr : array of int64, shape (n + 1,)
        The words of sentence k are `ptr[k]` to `ptr[k + 1]`.
    begins, stops : arrays of int64, shape (words,)
        The half-open span of each word in `line`.
    forms : list of str
        The vocabulary: the different words in lower case, ascending, with one entry (`NUMERAL`)
        for all numerals.
    ids : array of int64, shape (words,)
        The index of each word in `forms`.

    Examples
    --------
    >>> tokens = Tokens(["Don't go, Ann!", "", "你好 42"])
    >>> tokens.ptr.tolist(), [tokens.forms[k] for k in tokens.ids]
    ([0, 3, 3, 6], ["don't", 'go', 'ann', '你', '好', '0'])

    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self.n = len(sentences)
        self.line = _BREAK.join(sentences) + _BREAK
        sizes = np.fromiter(map(len, sentences), dtype=np.int64, count=self.n)
        self.ends = np.cumsum(sizes + 1) - 1
        self.starts = self.ends - sizes
        self.codes = code_points(self.line)
        self.kinds = kinds_of(self.codes)
        self.begins, self.stops, self.letters = _word_spans(self.kinds)
        self.ptr = np.append(np.searchsorted(self.begins, self.starts), len(self.begins)).astype(
            np.int64
        )
        self.ids, self.forms = _forms(self.line, self.begins, self.stops)

    @property
    def sentence_of(self) -> Ints:
        """The index of the sentence of each word."""
        return np.repeat(np.arange(self.n), np.diff(self.ptr))


def _word_spans(kinds: NDArray[np.uint8]) -> tuple[Ints, Ints, Bools]:
    """Return the starts and ends of words, and a mask of the characters within words.

    The last character must be a space, such as the line break of `Tokens.line`.
    """
    letters = is_one_of(kinds, *LETTERS)
    joins = np.zeros(len(kinds), dtype=np.bool_)
    joins[1:-1] = is_one_of(kinds[1:-1], Kind.APOSTROPHE, Kind.HYPHEN)
    joins[1:-1] &= letters[:-2] & letters[2:]
    letters |= joins
    alone = kinds == Kind.SYLLABLE
    opens, shuts = alone.copy(), alone.copy()
    opens[0] |= letters[0]
    opens[1:] |= letters[1:] & ~letters[:-1]
    shuts[:-1] |= letters[:-1] & ~letters[1:]
    return np.flatnonzero(opens), np.flatnonzero(shuts) + 1, letters | alone


def _forms(line: str, begins: Ints, stops: Ints) -> tuple[Ints, list[str]]:
    """Return the index of each word in the vocabulary, and the vocabulary in order."""
    # Each spelling is folded to lower case once, however often it occurs.
    cut = np.minimum(stops, begins + _MOST_WORD_CHARACTERS)
    spelt: dict[str, int] = {}
    seen = [
        spelt.setdefault(line[begin:stop], len(spelt))
        for begin, stop in zip(begins.tolist(), cut.tolist(), strict=True)
    ]
    folded = [NUMERAL if word.isdigit() else word.lower() for word in spelt]
    forms = sorted(set(folded))
    place = {form: k for k, form in enumerate(forms)}
    of_spelling = np.array([place[form] for form in folded], dtype=np.int64)
    return of_spelling[np.array(seen, dtype=np.int64)], forms


# Punctuation at the beginnings and ends of sentences, and their quotation marks.


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
_FIXED = {**dict.fromkeys("„‚「『《〈﹁﹃｢〝", _OPEN), **dict.fromkeys("」』》〉﹂﹄｣〞〟", _CLOSE)}
_USUAL = {**dict.fromkeys("“‟«‹‘‛", _OPEN), **dict.fromkeys("”»›’", _CLOSE)}
_SINGLE = frozenset("‘’‚‛'ʼ＇‹›『』〈〉﹃﹄")
_OPENS_SINGLE = "‘‚‛"
_APOSTROPHES = "'’ʼ＇"
_LEAST_MAJORITY = 4.0  # votes for a direction, for each vote against it; set by hand: for misprints
_LEAST_CLOSING_RATE = 0.25  # closing votes after a stop, for each opening vote; set by hand
_STOPS = (Kind.FULL_STOP, Kind.QUESTION, Kind.EXCLAMATION, Kind.ELLIPSIS, Kind.COMMA, Kind.DASH)


class QuoteMarks(NamedTuple):
    """The quotation marks of a text, in order."""

    places: Ints  # the offset of each mark in `Tokens.line`; shape (marks,)
    # 1 for a mark that opens a quotation, 2 for a mark that reopens an open quotation (speech that
    # continues in a new paragraph), -1 for a mark that closes. Shape (marks,).
    turns: NDArray[np.int8]
    # The number of quotations open after the mark: 0, 1 or 2. Shape (marks,).
    depths: NDArray[np.int8]


def quote_marks(tokens: Tokens) -> QuoteMarks:
    """Classify the quotation marks of a text as opening or closing; linear in its characters."""
    kinds = tokens.kinds
    places = np.flatnonzero(is_one_of(kinds, Kind.QUOTE, Kind.APOSTROPHE))
    places = places[~tokens.letters[places]]
    left = np.full(len(places), Kind.SPACE, dtype=np.uint8)
    left[places > 0] = kinds[places[places > 0] - 1]
    right = kinds[places + 1]  # always in range, since the line ends with a line break
    votes = _votes(left, right)
    known, of_mark = np.unique(tokens.codes[places], return_inverse=True)
    present = {chr(code) for code in known.tolist()}
    ways = votes.copy()
    dropped = np.zeros(len(places), dtype=np.bool_)
    # For each character, set the direction that all its marks share, if any; drop apostrophes.
    for k, code in enumerate(known.tolist()):
        mark, is_of_mark = chr(code), of_mark == k
        if mark in _APOSTROPHES:
            if mark != "'" and present.intersection(_OPENS_SINGLE):
                ways[is_of_mark] = _CLOSE
            elif not _are_quotes(votes[is_of_mark], left[is_of_mark]):
                dropped |= is_of_mark
        else:
            one = _direction(mark, votes[is_of_mark])
            if one != _EITHER:
                ways[is_of_mark] = one
    stays = ~dropped
    single = np.array([chr(code) in _SINGLE for code in known.tolist()], dtype=np.bool_)
    apostrophe = is_one_of(kinds[places], Kind.APOSTROPHE)
    return _follow(places[stays], ways[stays], single[of_mark][stays], apostrophe[stays])


def _votes(left: NDArray[np.uint8], right: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return the vote of each mark by its neighbours: opens (1), closes (-1) or none (0)."""
    words = (*LETTERS, Kind.SYLLABLE)
    space_left, space_right = left == Kind.SPACE, right == Kind.SPACE
    word_left, word_right = is_one_of(left, *words), is_one_of(right, *words)
    opens = (space_left & ~space_right) | (~space_left & ~word_left & word_right)
    shuts = (space_right & ~space_left) | (~space_right & ~word_right & word_left)
    votes: NDArray[np.int8] = opens.astype(np.int8) - shuts.astype(np.int8)
    return votes


def _direction(mark: str, votes: NDArray[np.int8]) -> int:
    """Return the direction of a character in the text, or `_EITHER` if its marks differ."""
    if mark in _FIXED:
        return _FIXED[mark]
    opens, shuts = int((votes == _OPEN).sum()), int((votes == _CLOSE).sum())
    if not opens + shuts:
        return _USUAL.get(mark, _EITHER)
    if mark not in _USUAL:
        return _EITHER
    return (
        _OPEN
        if opens >= _LEAST_MAJORITY * shuts
        else _CLOSE
        if shuts >= _LEAST_MAJORITY * opens
        else _EITHER
    )


def _are_quotes(votes: NDArray[np.int8], left: NDArray[np.uint8]) -> bool:
    """Check whether the occurrences of an apostrophe character include quotation marks."""
    opens = int((votes == _OPEN).sum())
    shuts = int(((votes == _CLOSE) & is_one_of(left, *_STOPS)).sum())
    return opens > 0 and shuts > 0 and shuts >= _LEAST_CLOSING_RATE * opens


def _follow(places: Ints, ways: NDArray[np.int8], single: Bools, apostrophe: Bools) -> QuoteMarks:
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
    """The punctuation of n sentences, one value per sentence."""

    # `beginning`, `ending`, `close`, `shape`: `Beginning`, `Ending`, `Close` and `Shape` of each
    # sentence; shape (n,).
    beginning: NDArray[np.uint8]
    ending: NDArray[np.uint8]
    close: NDArray[np.uint8]
    shape: NDArray[np.uint8]
    # `before`, `after`: the number of quotations open at the beginning and at the end of the
    # sentence: 0, 1 or 2; shape (n,).
    before: Ints
    after: Ints
    # `opened`, `closed`: the numbers of opening and of closing marks in the sentence; shape (n,).
    opened: Ints
    closed: Ints
    # The number of quotations that the sentence both opens and closes. Shape (n,).
    pairs: Ints
    # The offset in `Tokens.line` after the last closing mark of the sentence; -1 without one. Shape
    # (n,).
    tail: Ints
    marks: QuoteMarks  # the quotation marks of the text


_ENDINGS = np.full(256, Ending.OTHER, dtype=np.uint8)
_ENDINGS[: Kind.SYLLABLE + 1] = Ending.WORD
for _of_kind, _last_sign in (
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
    _ENDINGS[_of_kind] = _last_sign


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


def _next(is_wanted: Bools, starts: Ints) -> Ints:
    """Return the first wanted offset from each start on, or the length of the line without one."""
    places = np.append(np.flatnonzero(is_wanted), len(is_wanted))
    return places[np.searchsorted(places, starts)]


def _last(is_wanted: Bools, ends: Ints) -> Ints:
    """Return the last wanted offset before each end, or -1 without one."""
    places = np.concatenate([[-1], np.flatnonzero(is_wanted)])
    return places[np.searchsorted(places, ends) - 1]


def _beginning(
    first: Ints, ends: Ints, kinds: NDArray[np.uint8], turns: NDArray[np.int8]
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
    last_solid: Ints, last: Ints, starts: Ints, kinds: NDArray[np.uint8]
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
    last: Ints, starts: Ints, kinds: NDArray[np.uint8], turns: NDArray[np.int8]
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


def _tail(places: Ints, shuts: Ints, at: Ints, to: Ints) -> Ints:
    closing = np.append(places[np.diff(shuts) > 0] + 1, -1)
    return np.where(shuts[to] > shuts[at], closing[shuts[to] - 1], -1)
