"""Kernels that number the words of texts, compiled by numba: the extra `fast`.

The loops of `lexical.numbered` and `letters_of` over the characters of many sentences, which are
numbers of 32 bits in one array. Results are the same as those of Python's strings. `object_code`
describes how kernels are compiled and loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.kernels.arrays import Bools, Ints, prefix
from bitext.kernels.compiled import Choice, load_functions
from bitext.kernels.object_code import Type, read, written

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

# Characters: a process that has numbered the words of so many has these kernels compiled. Set by
# hand: they save about 60 ns for each (scripts/bench/align_profile.md).
_LEAST_WORK = 6_000_000
_CHARACTERS_AT_ONCE = 1 << 15  # characters numbered at once: speed and memory only
_LAST_BLANK = 0x3000  # the last character that `str.isspace` knows


class WordKernels(NamedTuple):
    """The functions below, compiled or not."""

    string_numbers: Callable[..., Any]
    weight_sums: Callable[..., Any]


def plain_word_kernels() -> WordKernels:
    """Return the functions as Python runs them: slow, for tests if numba is missing."""
    return WordKernels(**{name: function for name, (function, _) in _signatures().items()})


def load_word_kernels(
    *, folders: Sequence[Path] | None = None, compiles: bool = True
) -> WordKernels | None:
    """Load the compiled kernels; None where they cannot be loaded.

    `folders` and `compiles` are those of `object_functions`.
    """
    functions = load_functions(_signatures(), folders=folders, compiles=compiles)
    return None if functions is None else WordKernels(**functions)


word_kernels: Choice[WordKernels] = Choice(
    load_word_kernels, _LEAST_WORK, partial(load_word_kernels, compiles=False)
)


def _signatures() -> dict[str, tuple[Callable[..., Any], list[Type]]]:
    text = read("u4"), read("i8")
    return {
        "string_numbers": (
            string_numbers,
            [
                *(*text, read("b1"), "i8", "i8", written("i4"), written("u4"), written("i8")),
                *(written("u4"), written("i4"), written("i8")),
            ],
        ),
        "weight_sums": (weight_sums, [*text, "i8", "i8", written("i8")]),
    }


def codes_of(text: str) -> NDArray[np.uint32]:
    """Return the characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


@cache
def _is_blank() -> Bools:
    """Mask the characters at which `str.split` divides a string; the last one is for all others."""
    return np.array([chr(code).isspace() for code in range(_LAST_BLANK + 2)])


def numbered_strings(
    kernels: WordKernels, sentences: Sequence[str]
) -> tuple[NDArray[np.int32], Ints, list[str]]:
    r"""Number the strings between blanks of sentences by their first occurrences.

    Returns the number of each string, the number of strings of each sentence, and the distinct
    strings.

    Examples
    --------
    >>> run, sizes, strings = numbered_strings(plain_word_kernels(), ["a b", " ", "b\tc"])
    >>> run.tolist(), sizes.tolist(), strings
    ([0, 1, 1, 2], [2, 0, 2], ['a', 'b', 'c'])

    """
    ends = prefix(np.fromiter(map(len, sentences), np.int64, len(sentences)))
    sizes, runs = np.empty(len(sentences), dtype=np.int64), [np.zeros(0, dtype=np.int32)]
    known = _KnownStrings()
    first = 0
    while first < len(sentences):
        last = int(np.searchsorted(ends, ends[first] + _CHARACTERS_AT_ONCE, side="right")) - 1
        last = max(last, first + 1)
        codes = codes_of("".join(sentences[first:last]))
        run = np.empty(len(codes) // 2 + last - first, dtype=np.int32)
        known.reserve(len(run), len(codes))
        known.number += kernels.string_numbers(
            *(codes, ends[first : last + 1] - ends[first], _is_blank(), known.number, known.placed),
            *(known.places, known.hashes, known.ends, known.codes, run, sizes[first:last]),
        )
        known.placed = known.number
        runs.append(run[: int(sizes[first:last].sum())].copy())
        first = last
    return np.concatenate(runs), sizes, known.strings()


class _KnownStrings:
    """The different strings of some sentences, which grow."""

    def __init__(self) -> None:
        self.number = 0
        # A hash table of the numbers of the first `placed` strings: -1 for none.
        self.placed = 0
        self.places = np.zeros(0, dtype=np.int32)
        # `hashes`, `ends`: the hash of each string, and its end in `codes`, all strings in a row.
        self.hashes, self.ends = np.zeros(0, dtype=np.uint32), np.zeros(1, dtype=np.int64)
        self.codes = np.zeros(0, dtype=np.uint32)

    def reserve(self, strings: int, characters: int) -> None:
        """Make room for so many strings more, with so many characters."""
        strings += self.number
        if 2 * strings > len(self.places):
            self.placed = 0
            self.places = np.full(1 << (2 * strings).bit_length(), -1, dtype=np.int32)
        characters += int(self.ends[self.number])
        if characters > len(self.codes):
            self.codes = _longer(self.codes, characters)
        if strings > len(self.hashes):
            self.hashes = _longer(self.hashes, strings)
            self.ends = _longer(self.ends, strings + 1)

    def strings(self) -> list[str]:
        ends = self.ends[: self.number + 1].tolist()
        text = self.codes[: ends[-1]].tobytes().decode("utf-32-le", "surrogatepass")
        return [text[begin:end] for begin, end in pairwise(ends)]


def _longer(values: NDArray[Any], size: int) -> NDArray[Any]:
    longer = np.empty(size * 5 // 4, dtype=values.dtype)
    longer[: len(values)] = values
    return longer


def string_numbers(  # noqa: C901 - numba compiles whole functions
    codes: Any,
    ends: Any,
    blank: Any,
    known: int,
    placed: int,
    places: Any,
    hashes: Any,
    string_ends: Any,
    string_codes: Any,
    run: Any,
    sizes: Any,
) -> int:
    """Number the strings between blanks of sentences; return how many of them are new.

    The characters of sentence k are `codes[ends[k]:ends[k + 1]]`. `blank` is a mask of characters;
    those beyond are no blanks. The first `known` strings are known: `places`, a hash table, has
    the first `placed` of these, and -1 elsewhere; its size is a power of 2, at least twice the
    number of strings. `hashes` has the hash of each, and `string_ends` its end in `string_codes`,
    after a 0. `run` gets the number of each string, and `sizes` the number of strings of each
    sentence.
    """
    different, strings, mask = known, 0, len(places) - 1
    for k in range(placed, known):
        place = (np.int64(hashes[k]) ^ (np.int64(hashes[k]) >> 15)) & mask
        while places[place] >= 0:
            place = (place + 1) & mask
        places[place] = k
    for sentence in range(len(sizes)):
        at, last, before = ends[sentence], ends[sentence + 1], strings
        while at < last:
            if codes[at] < len(blank) and blank[codes[at]]:
                at += 1
                continue
            first, mixed = at, np.int64(2166136261)
            while at < last and not (codes[at] < len(blank) and blank[codes[at]]):
                mixed = ((mixed ^ np.int64(codes[at])) * 16777619) & 0xFFFFFFFF  # FNV-1a
                at += 1
            place, found = (mixed ^ (mixed >> 15)) & mask, -1
            while places[place] >= 0 and found < 0:
                other = places[place]
                begin, size = string_ends[other], at - first
                if hashes[other] == mixed and string_ends[other + 1] - begin == size:
                    k = 0
                    while k < size and string_codes[begin + k] == codes[first + k]:
                        k += 1
                    if k == size:
                        found = other
                place = (place + 1) & mask
            if found < 0:
                found = different
                places[place], hashes[found] = found, mixed
                begin = string_ends[found]
                string_ends[found + 1] = begin + at - first
                for k in range(at - first):
                    string_codes[begin + k] = codes[first + k]
                different += 1
            run[strings] = found
            strings += 1
        sizes[sentence] = strings - before
    return different - known


def weight_sums(codes: Any, ends: Any, narrow: int, wide: int, sums: Any) -> None:
    """Add the weights of the characters of each sentence, as `letters_of` does.

    `codes` and `ends` are as above; `narrow` and `wide` are the weights of both kinds of letters.
    """
    for sentence in range(len(sums)):
        total = 0
        for at in range(ends[sentence], ends[sentence + 1]):
            code = codes[at]
            is_space = code <= 0x20 or code == 0xA0 or code == 0x3000  # noqa: PLR1714 - as numba
            total += 0 if is_space else wide if code >= 0x2E80 else narrow
        sums[sentence] = total
