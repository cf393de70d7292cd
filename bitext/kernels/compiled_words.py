"""Kernels that number the words of texts and count them in beads, compiled by numba: `fast`.

First come the loops of `lexical.numbered` and `letters_of` over the characters of many sentences,
which are numbers of 32 bits in one array; then those of `lexical.translation_model` over the words
of beads. Results are the same as those of Python's strings, and of numpy to the last bit.
`object_code` describes how kernels are compiled and loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.kernels.arrays import Bools, Ints, batches, distinct, prefix
from bitext.kernels.kernel_groups import KernelGroup
from bitext.kernels.object_code import Type, read, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Characters: a process that has numbered the words of so many has these kernels compiled, which
# takes some seconds, or looks for compiled ones, which takes .06 s at most. Set by hand: they save
# about 150 ns for each, with what follows (scripts/bench/align_profile.md).
_LEAST_WORK, _LEAST_TO_FIND = 6_000_000, 300_000
_CHARACTERS_AT_ONCE = 1 << 15  # characters numbered at once: speed and memory only
_LAST_BLANK = 0x3000  # the last character that `str.isspace` knows
LINE_END = 10
# Kinds of characters in words; a character may be of several. A point may stand within a number,
# a sign (a combining mark) within a word, and a mark is a word by itself.
DIGIT, POINT, LETTER, SIGN, MARK, UNSPACED, KATAKANA, HIRAGANA = (1 << k for k in range(8))


class WordKernels(NamedTuple):
    """The functions below, compiled or not."""

    blank_spans: Callable[..., Any]
    word_spans: Callable[..., Any]
    span_numbers: Callable[..., Any]
    joined_rows: Callable[..., Any]
    weight_sums: Callable[..., Any]
    common_keys: Callable[..., Any]
    sorted_rows: Callable[..., Any]
    mark_duplicates: Callable[..., Any]
    pair_numbers: Callable[..., Any]
    expected_counts: Callable[..., Any]


def _signatures() -> dict[str, tuple[Callable[..., Any], list[Type]]]:
    text = read("u4"), read("i8")
    spans = written("i4"), written("i4"), written("i8")
    return {
        "blank_spans": (blank_spans, [*text, read("b1"), *spans]),
        "word_spans": (word_spans, [*text, read("u2"), *spans]),
        "span_numbers": (
            span_numbers,
            [
                *(read("u4"), read("i4"), read("i4"), "i8", "i8", "i8", written("i4")),
                *(written("u4"), written("i8"), written("u4"), written("i4")),
            ],
        ),
        "joined_rows": (
            joined_rows,
            [*(read("i4"), read("i8"), read("i8"), read("i4")), written("i4"), written("i8")],
        ),
        "weight_sums": (weight_sums, [*text, "i8", "i8", written("i8")]),
        "common_keys": (
            common_keys,
            [
                *(read("i4"), read("i4"), read("i8"), read("i8"), read("i4"), read("i8")),
                *(read("i8"), written("i4"), written("i4", 2), written("i4"), written("i8")),
            ],
        ),
        "sorted_rows": (
            sorted_rows,
            [
                *(read("i4"), read("u2"), read("i8"), read("i8"), written("i8")),
                *(written("i4"), written("i4"), written("i8")),
            ],
        ),
        "mark_duplicates": (
            mark_duplicates,
            [
                *((read("i8"), read("i8")), (read("i4"), read("i4"))),
                *((read("u1"), read("u1")), (read("f8"), read("f8")), (read("f4"), read("f4"))),
                *("i8", "f4", written("f8", 2), written("f4", 2), written("f8", 2)),
                *(written("i4", 2), written("i4"), written("b1")),
            ],
        ),
        "pair_numbers": (
            pair_numbers,
            [
                *(read("i8"), read("i4"), read("i8"), read("i4"), read("i4"), read("i8")),
                *(written("i4"), written("i4"), written("i4"), written("i4"), written("i4")),
                written("i8"),
            ],
        ),
        "expected_counts": (
            expected_counts,
            [
                *((read("i8"), read("i8")), (read("i4"), read("i4")), (read("f8"), read("f8"))),
                *(read("i8"), read("i4"), read("f8", 2), read("i8")),
                *((read("f8"), read("f8")), (read("f8"), read("f8")), "f8"),
                *(written("f8", 2), written("f8", 2), written("i4", 2), written("f8", 2)),
            ],
        ),
    }


word_kernels = KernelGroup(WordKernels, _signatures, _LEAST_WORK, found=_LEAST_TO_FIND)
load_word_kernels, plain_word_kernels = word_kernels.load, word_kernels.plain


def codes_of(text: str) -> NDArray[np.uint32]:
    """Return the characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


class CharacterKinds:
    """A table of the kinds of characters, by code point; a kind is a number above 0.

    `kind_of` is called once for each different character.

    Examples
    --------
    >>> kinds = CharacterKinds(lambda character: 1 + character.isdigit())
    >>> kinds.of(codes_of("B 12")).tolist(), kinds.table[65:67].tolist()
    ([1, 1, 2, 2], [0, 1])

    """

    def __init__(self, kind_of: Callable[[str], int]) -> None:
        self._kind_of = kind_of
        self.table = np.zeros(sys.maxunicode + 1, dtype=np.uint16)

    def of(self, codes: NDArray[np.uint32]) -> NDArray[np.uint16]:
        """Return the kind of each of some characters."""
        kinds = self.table[codes]
        if len(new := codes[kinds == 0]):
            for code in distinct(new).tolist():
                self.table[code] = self._kind_of(chr(code))
            kinds = self.table[codes]
        return kinds


@cache
def _is_blank() -> Bools:
    """Mask the characters at which `str.split` divides a string; the last one is for all others."""
    return np.array([chr(code).isspace() for code in range(_LAST_BLANK + 2)])


def numbered_strings(
    kernels: WordKernels, sentences: Sequence[str]
) -> tuple[NDArray[np.int32], Ints, str]:
    r"""Number the strings between blanks of sentences by their first occurrences.

    Returns the number of each string, the number of strings of each sentence, and the distinct
    strings, each on a line.

    Examples
    --------
    >>> run, sizes, strings = numbered_strings(plain_word_kernels(), ["a b", " ", "b\tc"])
    >>> run.tolist(), sizes.tolist(), strings
    ([0, 1, 1, 2], [2, 0, 2], 'a\nb\nc\n')

    """
    ends = prefix(np.fromiter(map(len, sentences), np.int64, len(sentences)))
    known = _KnownStrings(kernels)
    for first, last in batches(ends, _CHARACTERS_AT_ONCE):
        codes = codes_of("".join(sentences[first:last]))
        known.add(kernels.blank_spans, codes, ends[first : last + 1] - ends[first], _is_blank())
    return *known.numbers(), known.text()


def numbered_words(
    kernels: WordKernels, codes: NDArray[np.uint32], ends: Ints, kinds: NDArray[np.uint16]
) -> tuple[NDArray[np.int32], Ints, str]:
    """Number the words of lines by their first occurrences.

    The characters of line k are `codes[ends[k]:ends[k + 1]]`, and `kinds` has the kinds of all
    characters, as sums of `DIGIT` and the other kinds. Returns the number of each word, the number
    of words of each line, and the distinct words, each on a line.

    Examples
    --------
    >>> kinds = np.zeros(128, dtype=np.uint16)
    >>> kinds[97:123], kinds[ord(".")] = LETTER, MARK
    >>> run, sizes, words = numbered_words(
    ...     plain_word_kernels(), codes_of("a dog.a"), np.array([0, 6, 7]), kinds
    ... )
    >>> run.tolist(), sizes.tolist(), words.split()
    ([0, 1, 2, 0], [3, 1], ['a', 'dog', '.'])

    """
    known = _KnownStrings(kernels)
    for first, last in batches(ends, _CHARACTERS_AT_ONCE):
        part = codes[ends[first] : ends[last]]
        known.add(kernels.word_spans, part, ends[first : last + 1] - ends[first], kinds)
    return *known.numbers(), known.text()


class _KnownStrings:
    """The different strings of some lines, which grow, and the number of each string of a line."""

    def __init__(self, kernels: WordKernels) -> None:
        self._kernels = kernels
        self._number = 0
        # A hash table of the numbers of the first `placed` strings: -1 for none.
        self._placed = 0
        self._places = np.zeros(0, dtype=np.int32)
        # The hash of each string, and its end in `codes`, all strings in a row, each with a line
        # end.
        self._hashes, self._ends = np.zeros(0, dtype=np.uint32), np.zeros(1, dtype=np.int64)
        self._codes = np.zeros(0, dtype=np.uint32)
        self._runs = [np.zeros(0, dtype=np.int32)]
        self._sizes = [np.zeros(0, dtype=np.int64)]

    def add(
        self,
        find: Callable[..., Any],
        codes: NDArray[np.uint32],
        ends: Ints,
        table: NDArray[Any],
    ) -> None:
        """Number the strings of some lines, of which `find` writes the spans."""
        begins, lasts = (np.empty(len(codes), dtype=np.int32) for _ in range(2))
        sizes = np.empty(len(ends) - 1, dtype=np.int64)
        strings = find(codes, ends, table, begins, lasts, sizes)
        run = np.empty(strings, dtype=np.int32)
        # Strings may share characters, as pairs of letters do: each character is in two at most.
        self._reserve(strings, strings + 2 * len(codes))
        self._number += self._kernels.span_numbers(
            *(codes, begins, lasts, strings, self._number, self._placed, self._places),
            *(self._hashes, self._ends, self._codes, run),
        )
        self._placed = self._number
        self._runs.append(run)
        self._sizes.append(sizes)

    def _reserve(self, strings: int, characters: int) -> None:
        """Make room for so many strings more, with so many characters."""
        strings += self._number
        if 2 * strings > len(self._places):
            self._placed = 0
            self._places = np.full(1 << (2 * strings).bit_length(), -1, dtype=np.int32)
        characters += int(self._ends[self._number])
        if characters > len(self._codes):
            self._codes = _longer(self._codes, characters)
        if strings > len(self._hashes):
            self._hashes = _longer(self._hashes, strings)
            self._ends = _longer(self._ends, strings + 1)

    def numbers(self) -> tuple[NDArray[np.int32], Ints]:
        """Return the number of each string, and the number of strings of each line."""
        return np.concatenate(self._runs), np.concatenate(self._sizes)

    def text(self) -> str:
        """Return the different strings, each with a line end."""
        codes = self._codes[: self._ends[self._number]]
        return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _longer(values: NDArray[Any], size: int) -> NDArray[Any]:
    longer = np.empty(size * 5 // 4, dtype=values.dtype)
    longer[: len(values)] = values
    return longer


def blank_spans(codes: Any, ends: Any, blank: Any, begins: Any, lasts: Any, sizes: Any) -> int:
    """Find the strings between blanks of lines; return how many there are.

    The characters of line k are `codes[ends[k]:ends[k + 1]]`. `blank` is a mask of characters;
    those beyond are no blanks. `begins` and `lasts` get the places of the strings, half-open, and
    `sizes` the number of strings of each line.
    """
    strings = 0
    for line in range(len(sizes)):
        at, end, before = ends[line], ends[line + 1], strings
        while at < end:
            if codes[at] < len(blank) and blank[codes[at]]:
                at += 1
                continue
            begins[strings] = at
            while at < end and not (codes[at] < len(blank) and blank[codes[at]]):
                at += 1
            lasts[strings] = at
            strings += 1
        sizes[line] = strings - before
    return strings


def word_spans(  # noqa: C901 - numba compiles whole functions
    codes: Any, ends: Any, kinds: Any, begins: Any, lasts: Any, sizes: Any
) -> int:
    """Find the words of lines, as `lexical.words_of` does; return how many there are.

    `kinds` has the kinds of each character; the other arguments are those of `blank_spans`. Among
    characters without spaces there are ideographs and kana alone.
    """
    words = 0
    for line in range(len(sizes)):
        at, end, before = ends[line], ends[line + 1], words
        while at < end:
            kind, begin = kinds[codes[at]], at
            at += 1
            if kind & DIGIT:
                while at < end:
                    if kinds[codes[at]] & DIGIT:
                        at += 1
                    elif kinds[codes[at]] & POINT and at + 1 < end and kinds[codes[at + 1]] & DIGIT:
                        at += 2
                    else:
                        break
            elif kind & KATAKANA:
                while at < end and kinds[codes[at]] & KATAKANA:
                    at += 1
            elif kind & HIRAGANA:
                # Pairs of letters; a single letter by itself.
                while at < end and kinds[codes[at]] & HIRAGANA:
                    at += 1
                    if at < end and kinds[codes[at]] & HIRAGANA:
                        begins[words], lasts[words] = begin, at
                        words += 1
                        begin += 1
            elif kind & LETTER:
                while at < end and kinds[codes[at]] & (LETTER | SIGN):
                    at += 1
            elif not kind & (UNSPACED | MARK):
                continue
            begins[words], lasts[words] = begin, at
            words += 1
        sizes[line] = words - before
    return words


def span_numbers(
    codes: Any,
    begins: Any,
    lasts: Any,
    spans: int,
    known: int,
    placed: int,
    places: Any,
    hashes: Any,
    string_ends: Any,
    string_codes: Any,
    run: Any,
) -> int:
    """Number strings by their first occurrences; return how many of them are new.

    String k is `codes[begins[k]:lasts[k]]`, and `run` gets its number. The first `known` strings
    are known: `places`, a hash table, has the first `placed` of these, and -1 elsewhere; its size
    is a power of 2, at least twice the number of strings. `hashes` has the hash of each, and
    `string_ends` its end in `string_codes`, after a 0 and with a line end.
    """
    different, mask = known, len(places) - 1
    for k in range(placed, known):
        place = (np.int64(hashes[k]) ^ (np.int64(hashes[k]) >> 15)) & mask
        while places[place] >= 0:
            place = (place + 1) & mask
        places[place] = k
    for span in range(spans):
        first, size = begins[span], lasts[span] - begins[span]
        mixed = np.int64(2166136261)
        for k in range(size):
            mixed = ((mixed ^ np.int64(codes[first + k])) * 16777619) & 0xFFFFFFFF  # FNV-1a
        place, found = (mixed ^ (mixed >> 15)) & mask, -1
        while places[place] >= 0 and found < 0:
            other = places[place]
            begin = string_ends[other]
            if hashes[other] == mixed and string_ends[other + 1] - begin == size + 1:
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
            string_ends[found + 1] = begin + size + 1
            for k in range(size):
                string_codes[begin + k] = codes[first + k]
            string_codes[begin + size] = LINE_END
            different += 1
        run[span] = found
    return different - known


def joined_rows(rows: Any, sizes: Any, ptr: Any, members: Any, joined: Any, numbers: Any) -> None:
    """Join the members of rows; `numbers` gets how many members each group of rows has.

    The members of row k are `members[ptr[k]:ptr[k + 1]]`. Group k has the next `sizes[k]` of
    `rows`.
    """
    at = size = 0
    for group in range(len(sizes)):
        before = size
        for _ in range(sizes[group]):
            for k in range(ptr[rows[at]], ptr[rows[at] + 1]):
                joined[size] = members[k]
                size += 1
            at += 1
        numbers[group] = size - before


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


def common_keys(  # noqa: C901 - numba compiles whole functions
    key: Any,
    word: Any,
    first: Any,
    number: Any,
    other: Any,
    begin: Any,
    other_begin: Any,
    order: Any,
    met: Any,
    found: Any,
    ends: Any,
) -> int:
    """Find words that share two keys, or one key and their beginning; return how many pairs.

    `key` has the number of each key of a word in `word`. The words of the other language with key k
    are the `number[k]` ones from `first[k]` on in `other`. `begin` and `other_begin` have the
    beginning of each word. `found` gets the other words of each word, ascending, and `ends` where
    they end, after a 0.

    The others are memory: `order` for each key of a word, and `met`, of two rows, for each word of
    the other language.
    """
    ends[:] = 0
    for k in range(len(word)):
        ends[word[k] + 1] += 1
    for k in range(1, len(ends)):
        ends[k] += ends[k - 1]
    for k in range(len(word) - 1, -1, -1):
        ends[word[k] + 1] -= 1
        order[ends[word[k] + 1]] = key[k]
    # The keys of a word now begin where those of the word before ended.
    met[0, :] = -1
    size, last = 0, len(ends) - 1
    for row in range(last):
        begin_keys = ends[row + 1]
        end_keys = ends[row + 2] if row + 2 <= last else len(word)
        start, seen = size, size
        for place in range(begin_keys, end_keys):
            one = order[place]
            for at in range(first[one], first[one] + number[one]):
                if met[0, other[at]] != row:
                    met[0, other[at]], met[1, other[at]] = row, 0
                    found[seen] = other[at]
                    seen += 1
                met[1, other[at]] += 1
        for k in range(start, seen):
            one = found[k]
            if met[1, one] > 1 or begin[row] == other_begin[one]:
                found[size] = one
                size += 1
        ends[row] = start
        # Sorted by the method of Shell.
        gap = 1
        while gap < size - start:
            gap = gap * 9 // 4 + 1
        while gap > 1:
            gap = gap * 4 // 9
            for k in range(start + gap, size):
                one, at = found[k], k
                while at >= start + gap and found[at - gap] > one:
                    found[at] = found[at - gap]
                    at -= gap
                found[at] = one
    ends[last] = size
    return size


# Words of beads.


def sorted_rows(
    words: Any,
    times: Any,
    begins: Any,
    ends: Any,
    room: Any,
    row_words: Any,
    row_times: Any,
    row_ends: Any,
) -> None:
    """Sort the words of each row, and add up the counts of equal words.

    The words of row k are `words[begins[k]:ends[k]]`, with their counts in `times`. `row_words` and
    `row_times` get the distinct words of all rows, and `row_ends`, after a 0, where each row ends.
    `room` is memory for the longest row.
    """
    size = 0
    row_ends[0] = 0
    for row in range(len(begins)):
        begin, number = begins[row], ends[row] - begins[row]
        for k in range(number):
            room[k] = np.int64(words[begin + k]) << 32 | np.int64(times[begin + k])
        # The method of Shell: rows are short, and many are in order.
        gap = 1
        while gap < number:
            gap = gap * 9 // 4 + 1
        while gap > 1:
            gap = gap * 4 // 9
            for k in range(gap, number):
                one, at = room[k], k
                while at >= gap and room[at - gap] > one:
                    room[at] = room[at - gap]
                    at -= gap
                room[at] = one
        first = size
        for k in range(number):
            word, count = np.int32(room[k] >> 32), np.int32(room[k] & 0xFFFFFFFF)
            if size > first and row_words[size - 1] == word:
                row_times[size - 1] += count
            else:
                row_words[size], row_times[size] = word, count
                size += 1
        row_ends[row + 1] = size


def mark_duplicates(  # noqa: C901 - numba compiles whole functions
    ptr: Any,
    word: Any,
    group: Any,
    code: Any,
    tells: Any,
    times: int,
    least: Any,
    sums: Any,
    worth: Any,
    parts: Any,
    first: Any,
    places: Any,
    repeated: Any,
) -> None:
    """Mark near-duplicate beads, as `is_near_duplicate` does.

    Of pairs of arrays, the first one is of the source. The words of bead k are
    `word[ptr[k]:ptr[k + 1]]`. Each word has its `group`, 255 if it is not compared, its hash, and
    what it `tells`. `least` is the smallest share of the information that is common to a copy.

    The others are memory: `sums`, `worth` and `first` for each bead and each group, and one column
    more for the whole bead; `parts`, of two rows, for each group; `places`, a hash table whose size
    is a power of 2, at least twice the number of beads. `repeated` is the result.
    """
    beads, groups = repeated.size, sums.shape[1] - 1
    for bead in range(beads):
        sums[bead, :] = 0
        worth[bead, :] = 0
        for side in range(2):
            parts[:] = 0
            for at in range(ptr[side][bead], ptr[side][bead + 1]):
                one = word[side][at]
                if group[side][one] < groups:
                    parts[0, group[side][one]] += code[side][one]
                    parts[1, group[side][one]] += np.float64(tells[side][one])
            for k in range(groups):
                sums[bead, k] += parts[0, k]
                worth[bead, k] = np.float32(np.float64(worth[bead, k]) + parts[1, k])
        for k in range(groups):
            sums[bead, groups] += sums[bead, k]
            worth[bead, groups] += worth[bead, k]
    # The first bead with the same sum; zeros count as different.
    mask = len(places) - 1
    for k in range(groups + 1):
        places[:] = -1
        for bead in range(beads):
            one = sums[bead, k]
            first[bead, k] = bead
            if one > 0:
                # Sums are whole numbers, of which the lower bits are mixed.
                place = (np.int64(one) ^ (np.int64(one) >> 20)) & mask
                while places[place] >= 0 and sums[places[place], k] != one:
                    place = (place + 1) & mask
                if places[place] < 0:
                    places[place] = bead
                first[bead, k] = places[place]
    for bead in range(beads):
        same, most = first[bead, groups], np.float32(0)
        if same == bead:
            for k in range(groups):
                other = first[bead, k]
                if other >= bead:
                    continue
                common = np.float32(0)
                for one in range(groups):
                    if first[other, one] == first[bead, one]:
                        common += worth[bead, one]
                enough = least * max(worth[bead, groups], worth[other, groups])
                if common >= enough and common > most:
                    same, most = other, common
        # A copy of a copy is a copy of the first bead. That one is earlier, so it is known.
        copied = bead if same == bead else places[same]
        places[bead] = copied
        if copied == bead:
            places[beads + bead] = 0
        repeated[bead] = places[beads + copied] >= times
        places[beads + copied] += 1


def pair_numbers(
    src_ptr: Any,
    src_word: Any,
    tgt_ptr: Any,
    tgt_word: Any,
    tgt_bead: Any,
    ptr: Any,
    order: Any,
    ends: Any,
    last: Any,
    number: Any,
    kind: Any,
    keys: Any,
) -> int:
    """Number the pairs of a source and a target word in one bead; return how many are different.

    The words of bead k are `src_word[src_ptr[k]:src_ptr[k + 1]]` and those of the target, each of
    which has its bead in `tgt_bead`. `kind` gets the numbers of the pairs of bead k from `ptr[k]`
    on, all source words for each target word. `keys` gets the different pairs, ascending, as
    `source word * size of the target vocabulary + target word`.

    The others are memory: `order` for each target word of a bead, `ends` and `last` for each word
    of the target and of the source vocabulary, and `number` for one source word more.
    """
    # Target words one after another, so that those of a source word ascend.
    ends[:] = 0
    for one in tgt_word:
        ends[one] += 1
    before = 0
    for one in range(len(ends)):
        before += ends[one]
        ends[one] = before - ends[one]
    for item in range(len(tgt_word)):
        order[ends[tgt_word[item]]] = item
        ends[tgt_word[item]] += 1
    number[:] = 0
    last[:] = -1
    for item in order:
        bead, target = tgt_bead[item], tgt_word[item]
        for at in range(src_ptr[bead], src_ptr[bead + 1]):
            if last[src_word[at]] != target:
                last[src_word[at]] = target
                number[src_word[at] + 1] += 1
    for one in range(1, len(number)):
        number[one] += number[one - 1]
    last[:] = -1
    for item in order:
        bead, target = tgt_bead[item], tgt_word[item]
        first, end = src_ptr[bead], src_ptr[bead + 1]
        pair = ptr[bead] + (item - tgt_ptr[bead]) * (end - first)
        for at in range(first, end):
            source = src_word[at]
            if last[source] != target:
                last[source] = target
                keys[number[source]] = np.int64(source) * len(ends) + target
                number[source] += 1
            kind[pair] = number[source] - 1
            pair += 1
    return number[len(number) - 2] if len(number) > 1 else 0


def expected_counts(  # noqa: C901 - numba compiles whole functions
    ptr: Any,
    word: Any,
    times: Any,
    pair_ptr: Any,
    kind: Any,
    weight: Any,
    cuts: Any,
    added: Any,
    frequent: Any,
    null: float,
    totals: Any,
    parts: Any,
    slots: Any,
    counts: Any,
) -> None:
    """Count how often the words of a pair explain each other: the E-step of both directions.

    Of pairs of arrays, the first one is of the source. The words of bead k are
    `word[ptr[k]:ptr[k + 1]]`, with their counts in `times`. The pairs of its words are
    `kind[pair_ptr[k]:pair_ptr[k + 1]]`, all source words for each target word. A kind of pair has
    its row of `weight` in the first column of `slots`, and gets its counts in the last two columns
    of `counts`: of target given source, and of source given target, as in `weight`.

    A word is explained with the weight of the pair and what is `added` for the word, and by NULL,
    of which there are `null` for each word of the other side, with its frequency. The counts of
    beads between two `cuts` are added up before they are added to others, as by numpy.

    The others are memory: `totals` for the words of a bead, with three rows for each side; `parts`
    for its pairs, in two columns; the other columns of `slots` and `counts` for the beads between
    two cuts.
    """
    slots[:, 1] = -1
    counts[:] = 0
    src_total, src_times, src_added = totals[0], totals[1], totals[2]
    tgt_total, tgt_times, tgt_added = totals[3], totals[4], totals[5]
    for batch in range(len(cuts) - 1):
        for bead in range(cuts[batch], cuts[batch + 1]):
            src, tgt = ptr[0][bead], ptr[1][bead]
            across, down = ptr[0][bead + 1] - src, ptr[1][bead + 1] - tgt
            all_src, all_tgt = 0.0, 0.0
            for x in range(across):
                src_total[x], src_times[x] = 0, times[0][src + x]
                src_added[x] = added[0][word[0][src + x]]
                all_src += src_times[x]
            for y in range(down):
                tgt_total[y], tgt_times[y] = 0, times[1][tgt + y]
                tgt_added[y] = added[1][word[1][tgt + y]]
                all_tgt += tgt_times[y]
            first = pair = pair_ptr[bead]
            for y in range(down):
                total, more, count = 0.0, tgt_added[y], tgt_times[y]
                for x in range(across):
                    row = slots[kind[pair], 0]
                    forward = (weight[row, 0] + more) * src_times[x]
                    backward = (weight[row, 1] + src_added[x]) * count
                    total += forward
                    src_total[x] += backward
                    parts[pair - first, 0], parts[pair - first, 1] = forward, backward
                    pair += 1
                total += null * all_src * frequent[1][word[1][tgt + y]]
                tgt_total[y] = count / max(total, 1e-300)
            for x in range(across):
                total = null * all_tgt * frequent[0][word[0][src + x]] + src_total[x]
                src_total[x] = src_times[x] / max(total, 1e-300)
            pair = first
            for y in range(down):
                share = tgt_total[y]
                for x in range(across):
                    one = kind[pair]
                    if slots[one, 1] != batch:
                        slots[one, 1] = batch
                        for way in range(2):
                            counts[one, 2 + way] += counts[one, way]
                            counts[one, way] = 0
                    counts[one, 0] += parts[pair - first, 0] * share
                    counts[one, 1] += parts[pair - first, 1] * src_total[x]
                    pair += 1
    for one in range(len(counts)):
        for way in range(2):
            counts[one, 2 + way] += counts[one, way]
