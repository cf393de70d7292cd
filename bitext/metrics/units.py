"""Lengths of segments in words and characters, by named counters or functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import index

import numpy as np

from bitext.errors import InputError, OptionError, did_you_mean
from bitext.kernels.arrays import Bools, Ints
from bitext.model import Text

Counter = str | Callable[[str], int]

WORDS = {
    "space": "maximal runs of characters other than white space",
    "unicode": "Unicode word boundaries (UAX 29), pieces with a letter or a digit",
    "treebank": "tokens of the Penn Treebank tokenizer, punctuation too (nltk)",
}
CHARACTERS = {
    "codepoint": "Unicode code points",
    "grapheme": "extended grapheme clusters (UAX 29): what a reader takes for one character",
}
MOST_COUNTED = 1 << 62  # below it every count lies, so that sums of two fit into 64 bits
_CHARACTERS_AT_ONCE = 1 << 19  # characters in one step; set by hand: their arrays stay in the cache


def counter_name(counter: Counter) -> str:
    """Return the name of a counter in signatures."""
    if isinstance(counter, str):
        return counter
    return str(getattr(counter, "__qualname__", type(counter).__qualname__))


def check_counter(counter: Counter, known: dict[str, str]) -> None:
    """Refuse an unknown name of a counter."""
    if not callable(counter) and (not isinstance(counter, str) or counter not in known):
        hint = did_you_mean(str(counter), known)
        raise OptionError(f"counter {counter!r} is not known; {hint}there are: {', '.join(known)}")


def lengths_in(text: Text, counter: Counter, known: dict[str, str]) -> Ints:
    """Return the length of each segment of a text with characters, in the units of `counter`.

    The counter is a name from `known` (`WORDS` or `CHARACTERS`, which describe each name), or a
    function of the characters of a segment.

    Raises `OptionError` when the name is not known, or a function returns no integer from 0, and
    `InputError` when a function returns 2^62 or more, for one segment or for all together.
    """
    if callable(counter):
        lengths = text.lengths(_checked(counter))
        if lengths.sum(dtype=np.float64) >= MOST_COUNTED:
            raise InputError(
                f"{text.name or 'the text'}: the counter {counter_name(counter)} gave "
                f"{sum(lengths.tolist()):,} in all: want less than 2^62"
            )
        return lengths
    check_counter(counter, known)
    if counter == "codepoint":
        return text.lengths()
    if counter == "space":
        return words_by_space(text)
    return text.lengths(_function(counter))


def _checked(counter: Callable[[str], int]) -> Callable[[str], int]:
    def count(segment: str) -> int:
        counted = counter(segment)
        try:
            number = index(counted)
        except TypeError:
            number = -1
        if number < 0:
            raise OptionError(
                f"the counter {counter_name(counter)} gave {counted!r:.40} for {segment!r:.40}: "
                f"want an integer from 0"
            )
        if number >= MOST_COUNTED:
            raise InputError(
                f"the counter {counter_name(counter)} gave {number:,} for {segment!r:.40}: want "
                f"less than 2^62"
            )
        return number

    return count


@cache
def _function(name: str) -> Callable[[str], int]:
    if name == "treebank":
        from nltk.tokenize import NLTKWordTokenizer

        tokenizer = NLTKWordTokenizer()
        return lambda segment: len(tokenizer.tokenize(segment))
    import regex

    if name == "grapheme":
        cluster = regex.compile(r"\X")
        return lambda segment: len(cluster.findall(segment))
    boundary = regex.compile(r"(?V1w)\b")
    return lambda segment: sum(any(map(str.isalnum, p)) for p in boundary.split(segment))


@cache
def _spaces() -> Bools:
    """Return the mask of white space among the code points of the first plane; no other has any."""
    table = np.zeros(0x10000, dtype=bool)
    table[[c for c in range(0x10000) if chr(c).isspace()]] = True
    return table


def is_space(line: str) -> Bools:
    """Return the mask of the characters that are white space by `str.isspace`."""
    if line.isascii():
        return _spaces()[np.frombuffer(line.encode("ascii"), dtype=np.uint8)]
    coded = line.encode("utf-32-le", "surrogatepass")
    return _spaces()[np.minimum(np.frombuffer(coded, dtype=np.uint32), 0xFFFF)]


def words_by_space(text: Text, *, at_once: int = _CHARACTERS_AT_ONCE) -> Ints:
    """Count the maximal runs of characters other than white space in each segment, in arrays.

    A word begins at such a character after white space, or at the start of its segment. Segments
    are counted together up to `at_once` characters.
    """
    line = text.line or ""
    counts = np.zeros(len(text), dtype=np.int64)
    begin = 0
    while begin < len(text):
        reach = np.searchsorted(text.ends, text.starts[begin] + at_once, side="right")
        end = max(int(reach), begin + 1)
        low, high = int(text.starts[begin]), int(text.ends[end - 1])
        solid = ~is_space(line[low:high])
        opens = solid.copy()
        opens[1:] &= ~solid[:-1]
        starts, ends = text.starts[begin:end] - low, text.ends[begin:end] - low
        filled = starts[starts < ends]
        opens[filled] = solid[filled]
        before = np.append(0, np.cumsum(opens))
        counts[begin:end] = before[ends] - before[starts]
        begin = end
    return counts
