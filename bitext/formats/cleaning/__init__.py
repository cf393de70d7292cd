"""Sides of bisegments as arrays of code points, from which filters compute their values.

All strings of a side are joined, a line end between, and classes of characters, words and hashes
are computed for the joined string at once.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Bools, Ints, distinct, mixed

if TYPE_CHECKING:
    import re


_CHARACTERS = sys.maxunicode + 1
# General categories; white space among the controls is a category of its own, `Zc`.
_CATEGORIES = sorted({unicodedata.category(chr(k)) for k in range(0x3000)} | {"Co", "Cs", "Zc"})
_WHITE_CONTROLS = [*range(9, 14), *range(0x1C, 0x20), 0x85]
# Ranges of characters of one category and one script, which are looked up once: ideographs, Hangul,
# surrogates, private use, and planes without any. A test compares each of their characters.
_ALIKE = (
    (0x3400, 0x4DB0), (0x4E00, 0x9FA0), (0xAC00, 0xD7A0), (0xD800, 0xE000), (0xE000, 0xF900),
    (0x20000, 0x2A6D0), (0x2A700, 0x2B730), (0x2B820, 0x2CEA0), (0x2CEB0, 0x2EBE0),
    (0x40000, 0xE0000), (0xE0200, 0xF0000), (0xF0000, 0xFFFFE), (0x100000, 0x10FFFE),
)  # fmt: skip
_PRIME = np.uint64(0x9E3779B97F4A7C15)  # an odd factor, as of SplitMix64 (Steele and others 2014)
# Characters of scripts without blanks between words; each is a word by itself: Thai to
# Tibetan, Myanmar, Khmer, kana, Han.
_DENSE = (
    (0xE00, 0xFFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF),
    (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip


@cache
def _categories() -> NDArray[np.uint8]:
    """Return the index of the category of every character (0.02 s of CPU, once)."""
    index = {name: k for k, name in enumerate(_CATEGORIES)}
    table = np.empty(_CHARACTERS, dtype=np.uint8)
    at = 0
    for begin, end in (*_ALIKE, (_CHARACTERS, _CHARACTERS)):
        names = map(unicodedata.category, map(chr, range(at, begin)))
        table[at:begin] = np.fromiter(map(index.__getitem__, names), np.uint8, begin - at)
        table[begin:end] = index[unicodedata.category(chr(min(begin, sys.maxunicode)))]
        at = end
    table[_WHITE_CONTROLS] = index["Zc"]
    return table


@cache
def _chosen_categories(names: str) -> bytes:
    """Return a table of 256 bytes, 1 for the index of each category that `names` begin."""
    chosen = [any(map(one.startswith, names.split())) for one in _CATEGORIES]
    return bytes(chosen).ljust(256, b"\0")


@cache
def in_categories(names: str) -> Bools:
    """Return a mask of all characters in categories, given by their first letters or in full."""
    table = np.frombuffer(_chosen_categories(names), np.bool_)
    return np.asarray(table[_categories()], dtype=np.bool_)


@cache
def _lower() -> NDArray[np.uint32]:
    """Return the lower case of every character that has one of one character."""
    table = np.arange(_CHARACTERS, dtype=np.uint32)
    for code in np.flatnonzero(in_categories("Lu Lt")).tolist():
        small = chr(code).lower()
        table[code] = ord(small) if len(small) == 1 else code
    return table


@cache
def of_script(name: str) -> Bools:
    """Return a mask of the letters of a Unicode script; empty if there is no such script."""
    import regex

    try:
        pattern = regex.compile(rf"\p{{Script={name}}}")
    except regex.error:
        return np.zeros(0, dtype=np.bool_)
    mask = np.zeros(_CHARACTERS, dtype=np.bool_)
    single = in_categories("L").copy()
    for begin, end in _ALIKE:
        mask[begin:end] = single[begin] and pattern.match(chr(begin)) is not None
        single[begin:end] = False
    letters = np.flatnonzero(single)
    spelled = "".join(map(chr, letters.tolist()))
    mask[letters[[match.start() for match in pattern.finditer(spelled)]]] = True
    return mask


@cache
def _codes_mixed() -> NDArray[np.uint64]:
    """Return a hash of the lower case of every character."""
    return mixed(_lower().astype(np.uint64) * _PRIME + np.uint64(1))


@lru_cache(2)
def _powers(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the first powers of the factor of hashes, and of its inverse."""
    powers = np.ones((2, size), dtype=np.uint64)
    powers[0, 1:], powers[1, 1:] = _PRIME, pow(int(_PRIME), -1, 1 << 64)
    np.multiply.accumulate(powers, axis=1, out=powers)
    return powers[0], powers[1]


class Side:
    """The strings of one side of some bisegments.

    `strings` has one for each bisegment; `lang` is the code of the language, empty if it is not
    known.
    """

    def __init__(self, strings: Sequence[str], lang: str = "") -> None:
        self.strings, self.lang = strings, lang

    @cached_property
    def line(self) -> str:
        """All strings, each followed by a line end."""
        return "\n".join([*self.strings, ""])

    @cached_property
    def lengths(self) -> Ints:
        """The number of characters of each string."""
        return np.fromiter(map(len, self.strings), np.int64, len(self.strings))

    @cached_property
    def ends(self) -> Ints:
        """The offsets of the ends of the strings in the line."""
        return np.cumsum(self.lengths + 1) - 1

    @cached_property
    def starts(self) -> Ints:
        """The offsets of the strings in the line."""
        return np.asarray(self.ends - self.lengths)

    @cached_property
    def is_filled(self) -> Bools:
        """A mask of the strings that are neither empty nor only white space."""
        return ~np.fromiter((not s or s.isspace() for s in self.strings), np.bool_, len(self))

    def __len__(self) -> int:
        return len(self.strings)

    @cached_property
    def codes(self) -> Ints:
        """The code points of the line."""
        encoded = self.line.encode("utf-32-le", "surrogatepass")
        return np.asarray(np.frombuffer(encoded, np.uint32), dtype=np.int64)

    @cached_property
    def _kinds(self) -> bytes:
        return _categories().take(self.codes).tobytes()

    def kind(self, categories: str) -> Bools:
        """Return a mask of the characters of the line in categories, as in `in_categories`."""
        return np.frombuffer(self._kinds.translate(_chosen_categories(categories)), np.bool_)

    def marked(self, table: Bools) -> Bools:
        """Return a mask of the characters of the line that are true in a table."""
        return table.take(self.codes)

    def number(self, characters: Bools) -> Ints:
        """Count the characters of each string that are true in a mask of the line."""
        # Bits in words of 64, and the number of bits before each word: a tenth of the time that a
        # sum over all characters takes.
        packed = np.packbits(characters, bitorder="little")
        words = np.zeros(characters.size // 64 + 1, dtype=np.uint64)
        words.view(np.uint8)[: packed.size] = packed
        before = np.zeros(words.size + 1, dtype=np.int64)
        np.cumsum(np.bitwise_count(words), out=before[1:])

        def rank(places: Ints) -> Ints:
            index = places >> 6
            below = (np.uint64(1) << (places & 63).astype(np.uint64)) - np.uint64(1)
            within = np.bitwise_count(words[index] & below)
            return np.asarray(before[index] + within, dtype=np.int64)

        return rank(self.ends) - rank(self.starts)

    def owner(self, places: NDArray[Any]) -> Ints:
        """Return the strings that characters belong to, by ascending offsets in the line."""
        return np.searchsorted(self.ends, places)

    def greatest(self, values: NDArray[Any], owner: Ints) -> Ints:
        """Return the greatest of the values of each string, 0 without; owners ascend."""
        result = np.zeros(len(self), dtype=np.int64)
        if values.size:
            first = np.flatnonzero(np.diff(owner, prepend=-1))
            result[owner[first]] = np.maximum.reduceat(values, first)
        return result

    @cached_property
    def filled(self) -> Ints:
        """The number of characters of each string that are not white space."""
        return self.number(~self.kind("Z"))

    @cached_property
    def letters(self) -> Bools:
        """A mask of the letters of the line, with combining marks."""
        return self.kind("L M")

    @cached_property
    def words(self) -> tuple[Ints, Ints]:
        """The starts and ends of runs without white space, as offsets in the line."""
        return _runs(~self.kind("Z"))

    @cached_property
    def word_counts(self) -> Ints:
        """The number of words of each string."""
        begins = ~self.kind("Z")
        begins[1:] &= ~begins[:-1]  # the right side is evaluated first
        return self.number(begins)

    @cached_property
    def tokens(self) -> tuple[Ints, Ints, NDArray[np.uint64]]:
        """Runs of letters and digits: the string of each, its characters, a hash of lower case.

        Each character of a script without blanks between words is a token.
        """
        inside = self.kind("L M N")
        dense = np.zeros(inside.size, dtype=np.bool_)
        if self.codes.size and int(self.codes.max()) >= _DENSE[0][0]:
            for low, high in _DENSE:
                dense |= (self.codes >= low) & (self.codes <= high)
            dense &= inside
        starts, ends = _runs(inside, apart=dense)
        powers, inverses = _powers(1 << inside.size.bit_length())
        sums = np.zeros(inside.size + 1, dtype=np.uint64)
        np.cumsum(_codes_mixed().take(self.codes) * powers[: inside.size], out=sums[1:])
        hashes = mixed((sums[ends] - sums[starts]) * inverses[starts])
        return self.owner(starts), ends - starts, hashes

    @cached_property
    def trigrams(self) -> tuple[Ints, NDArray[np.uint64]]:
        """Trigrams of letters and digits in lower case: the string of each, and its hash."""
        places = np.flatnonzero(self.kind("L M N"))
        owner, codes = self.owner(places), _codes_mixed()[self.codes[places]]
        whole = owner[2:] == owner[:-2]
        hashes = codes[:-2] * _PRIME * _PRIME + codes[1:-1] * _PRIME + codes[2:]
        return owner[2:][whole], mixed(hashes[whole])

    def matches(self, pattern: re.Pattern[str]) -> tuple[Ints, list[str]]:
        """Return the matches of a pattern that cross no end of a string, and their strings."""
        found = [(match.start(), match[0]) for match in pattern.finditer(self.line)]
        places = np.array([place for place, _ in found], dtype=np.int64)
        return self.owner(places), [text for _, text in found]


class Pair:
    """The two sides of some bisegments, and which of them are still to be judged.

    `numbers` has the number of each bisegment in its file, and `open` marks the bisegments that no
    filter has rejected.
    """

    def __init__(self, src: Side, tgt: Side, numbers: Ints | None = None) -> None:
        self.src, self.tgt = src, tgt
        self.numbers = np.arange(len(src)) if numbers is None else numbers
        self.open = np.ones(len(src), dtype=np.bool_)

    def __len__(self) -> int:
        return len(self.src)

    def select(self, rows: Sequence[int]) -> Pair:
        """Return the bisegments of some rows."""
        src, tgt = (Side([side.strings[k] for k in rows], side.lang) for side in self.sides)
        return Pair(src, tgt, self.numbers[rows])

    @property
    def sides(self) -> tuple[Side, Side]:
        """The source and the target."""
        return self.src, self.tgt

    @cached_property
    def both(self) -> Bools:
        """A mask of the bisegments without a blank side."""
        return self.src.is_filled & self.tgt.is_filled


def _runs(inside: Bools, apart: Bools | None = None) -> tuple[Ints, Ints]:
    """Return the starts and ends of runs of a mask; those `apart` are runs of one."""
    before = np.zeros(inside.size, dtype=np.bool_)
    after = np.zeros(inside.size, dtype=np.bool_)
    before[1:], after[:-1] = inside[:-1], inside[1:]
    begins, finishes = inside & ~before, inside & ~after
    if apart is not None and apart.any():
        begins |= apart
        finishes |= apart
        begins[1:] |= inside[1:] & apart[:-1]
        finishes[:-1] |= inside[:-1] & apart[1:]
    return np.flatnonzero(begins), np.flatnonzero(finishes) + 1


def shares_in_common(
    one: tuple[Ints, NDArray[np.uint64]], other: tuple[Ints, NDArray[np.uint64]], size: int
) -> tuple[Ints, Ints, Ints]:
    """Count the different items of two sides, and those that both have, for each bisegment.

    Items are pairs of a bisegment and a hash.
    """
    keys = []
    for owner, hashes in (one, other):
        key = (owner.astype(np.uint64) << np.uint64(44)) | (hashes >> np.uint64(20))
        keys.append(distinct(key))
    common = np.intersect1d(keys[0], keys[1], assume_unique=True)
    counts = [
        np.bincount((key >> np.uint64(44)).astype(np.int64), minlength=size)
        for key in (*keys, common)
    ]
    return counts[0], counts[1], counts[2]
