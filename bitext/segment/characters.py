"""Kinds of characters, of any script: letters, digits, dashes, quotation marks.

A kind is a small number; `kinds_of` gives those of a whole text in a few array steps. What a
character is follows from Unicode and from the short lists below, not from any language.
"""

from __future__ import annotations

import unicodedata
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LETTERS", "Kind", "code_points", "is_one_of", "kinds_of"]


class Kind(IntEnum):
    """The kind of a character, as far as paragraphs are concerned."""

    SPACE = 0
    LOWER = 1
    UPPER = 2
    UNCASED = 3  # a letter of a script without case, or a mark upon a letter
    DIGIT = 4
    SYLLABLE = 5  # of a script without spaces between words: stands for a word
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
    APOSTROPHE = 18  # may be a quotation mark
    OTHER = 19


LETTERS = (Kind.LOWER, Kind.UPPER, Kind.UNCASED, Kind.DIGIT)

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
# Scripts that put no space between words, by the first and last code point of a range.
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
_UNKNOWN = 255
# The kinds of all characters met so far: a text has a few hundred different ones.
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
    """Return the code point of each character of a string; lone surrogates are kept."""
    return np.frombuffer(line.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def kinds_of(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the `Kind` of each code point, shape as given.

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
    """Mark the characters of the wanted kinds."""
    among = np.zeros(_UNKNOWN + 1, dtype=np.bool_)
    among[list(wanted)] = True
    found: NDArray[np.bool_] = among[kinds]
    return found
