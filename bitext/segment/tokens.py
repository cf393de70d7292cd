"""Tokenisation of text in any script by the kinds of its characters, without word lists.

A word is a run of letters and digits, including single apostrophes and hyphens between them. In
scripts without spaces between words (Chinese, Japanese, Thai ...) each character is a word.
"""

from __future__ import annotations

import unicodedata
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["LETTERS", "NUMERAL", "Kind", "Tokens", "code_points", "is_one_of", "kinds_of"]

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
_KIND_OF_CHARACTER = {sign: kind for kind, signs in _LISTED.items() for sign in signs}
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
    sign = chr(code)
    listed = _KIND_OF_CHARACTER.get(sign)
    if listed is not None:
        return listed
    if sign.isspace():
        return Kind.SPACE
    category = unicodedata.category(sign)
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


def is_one_of(kinds: NDArray[np.uint8], *wanted: Kind) -> NDArray[np.bool_]:
    """Return a mask of the characters of the wanted kinds."""
    among = np.zeros(_UNKNOWN + 1, dtype=np.bool_)
    among[list(wanted)] = True
    mask: NDArray[np.bool_] = among[kinds]
    return mask


NUMERAL = "0"
"""The entry in `Tokens.forms` for all words of digits only."""

_LONGEST_WORD = 40  # characters, to which longer words are cut; set by hand: bounds memory
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
    def sentence_of(self) -> NDArray[np.int64]:
        """The index of the sentence of each word."""
        return np.repeat(np.arange(self.n), np.diff(self.ptr))


def _word_spans(
    kinds: NDArray[np.uint8],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
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


def _forms(
    line: str, begins: NDArray[np.int64], stops: NDArray[np.int64]
) -> tuple[NDArray[np.int64], list[str]]:
    """Return the index of each word in the vocabulary, and the vocabulary in order."""
    # Each spelling is folded to lower case once, however often it occurs.
    cut = np.minimum(stops, begins + _LONGEST_WORD)
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
