"""Kernels that numba compiles, where it is installed: the extra `fast`.

The loops of `bead_path`, of `bead_posteriors` and of the evidence of words, written for single
numbers. They compute what numpy's ways compute, in the same order where it matters, so that all
results are the same to the last bit. Logarithms and exponentials are numpy's in both ways, since
those of compilers differ from them.

On texts of 100,000 sentences they save a fifth to a third of the CPU seconds of a whole command
(scripts/bench/align_profile.md), and take 120 to 150 MB more. numba takes half a second to load,
and compiles each kernel once on a machine: it keeps them on the disk, beside this module or in the
user's cache folder. So a process loads it when it has done as much work without it as the loading
takes; processes that it forks use what it has loaded. With the environment variable
`BITEXT_COMPILED=0` it is never used.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "Choice",
    "Kernels",
    "compiled",
    "compiled_kernels",
    "load_kernels",
    "plain_kernels",
    "using",
]

Some = TypeVar("Some")

# Cells of tables: a process loads numba when it has scored or searched so many without it.
_WORTH = 12_000_000
_OFF = "0"  # of the environment variable


class Kernels(NamedTuple):
    """The functions below, compiled or not."""

    path_rows: Callable[..., Any]
    path_back: Callable[..., Any]
    passage_rows: Callable[..., Any]
    piece_sums: Callable[..., Any]
    word_cells: Callable[..., Any]
    word_sums: Callable[..., Any]
    word_beads: Callable[..., Any]


class Choice(Generic[Some]):
    """What this process has done without compiled kernels, and these, when they are loaded.

    Parameters
    ----------
    load : callable
        Loads the kernels; None where they cannot be loaded.
    worth : int
        The work after which they are loaded.

    """

    def __init__(self, load: Callable[[], Some | None], worth: int) -> None:
        self._load, self._worth = load, worth
        self._done = 0
        self._is_tried = False
        self._kernels: Some | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._stay)

    def _stay(self) -> None:
        """Load nothing in a forked process, which would be for a part of the work alone."""
        self._is_tried = True

    def after(self, work: int) -> Some | None:
        """Return the kernels; None where they cannot be loaded, or are not worth loading yet.

        Parameters
        ----------
        work : int
            What is worked on next, in the unit of `worth`.

        """
        if not self._is_tried:
            self._done += work
            if self._done > self._worth:
                self._is_tried, self._kernels = True, self._load()
        return self._kernels

    @contextmanager
    def using(self, kernels: Some | None) -> Iterator[None]:
        """Use some kernels within the block, or none, whatever the work."""
        before = self._is_tried, self._kernels
        self._is_tried, self._kernels = True, kernels
        try:
            yield
        finally:
            self._is_tried, self._kernels = before


def compiled_kernels(cells: int) -> Kernels | None:
    """Return the compiled kernels; None where numba is missing, or not worth loading yet.

    Parameters
    ----------
    cells : int
        The cells of tables that are worked on next.

    """
    return _choice.after(cells)


@contextmanager
def using(kernels: Kernels | None) -> Iterator[None]:
    """Use some kernels within the block, or none, whatever the work."""
    with _choice.using(kernels):
        yield


def plain_kernels() -> Kernels:
    """Return the functions as Python runs them: slow, for tests where numba is missing."""
    return Kernels(
        path_rows, path_back, passage_rows, piece_sums, word_cells, word_sums, word_beads
    )


def load_kernels() -> Kernels | None:
    """Load the compiled kernels; None without numba, or where it cannot keep what it compiles."""
    found = compiled(_signatures)
    return None if found is None else Kernels(*(found[one] for one in plain_kernels()))


_choice = Choice(load_kernels, _WORTH)


def compiled(
    signatures: Callable[[Any], dict[Callable[..., Any], list[Any]]],
) -> dict[Callable[..., Any], Callable[..., Any]] | None:
    """Compile functions, or load them; None without numba, or where it cannot keep them.

    Parameters
    ----------
    signatures : callable
        Returns the types of the arguments of each function, given numba's module of types.

    """
    if os.environ.get("BITEXT_COMPILED") == _OFF:
        return None
    try:
        from numba import njit, types
    # An error of any kind: numba does not know the numpy that is installed, or a module of the user
    # has the name of one that numba imports. Results are the same without it.
    except Exception:  # noqa: BLE001
        return None
    try:
        return {
            function: njit(types_of, cache=True)(function)
            for function, types_of in signatures(types).items()
        }
    except (RuntimeError, OSError):  # no folder for what is compiled, or no room: it takes seconds
        return None


def _signatures(types: Any) -> dict[Callable[..., Any], list[Any]]:
    def read(kind: Any, dimensions: int = 1) -> Any:
        return types.Array(kind, dimensions, "C", readonly=True)

    def written(kind: Any, dimensions: int = 1) -> Any:
        return types.Array(kind, dimensions, "C")

    i8, i4, u1, u2 = types.int64, types.int32, types.uint8, types.uint16
    f8, f4, b1 = types.float64, types.float32, types.boolean
    table, beads = read(i8, 3), (read(i8), read(i8), read(i8))
    words = (read(i8), read(i4), read(u2), read(f8), read(b1), i8, i8)
    links = (read(i8), read(i4), read(f8))
    cells = written(f4), written(i4), written(i4)
    return {
        path_rows: [(table, read(i8), i8, *beads, i8, i8, written(i8, 2), written(u1, 2))],
        path_back: [(read(u1), read(i8), read(i8), read(i8), i8, i8, written(u1))],
        passage_rows: [
            (
                *(table, read(i8), i8, *beads, i8, i8, i8, read(i8)),
                *(written(i8, 2), written(i8), written(kind, 2)),
            )
            for kind in (u1, u2)
        ],
        piece_sums: [
            (
                *(read(f8, 3), read(i8, 2), read(b1, 2), read(i8), read(i8), read(i8), read(i8)),
                *(read(i8), read(i8), read(i8), read(b1, 2), read(f8), read(f8, 3), read(f8, 3)),
                *(written(f8, 3), written(f8, 3)),
            )
        ],
        word_cells: [
            (
                *words,
                *words,
                *links,
                read(f8),
                read(f8),
                i8,
                i8,
                written(i4),
                written(i4),
                *cells,
                i8,
            )
        ],
        word_sums: [(read(f4), read(i4), read(i4), *words, written(i4), written(f8, 2))],
        word_beads: [
            (
                *(read(f8, 2), read(f8, 2), read(f8), read(f8), i8, i8, i8, i8, i8, i8, i8),
                *(read(i8), read(i8), read(i8), read(i8), i8, i8, written(f4, 3)),
            )
        ],
    }


# The best path (`bead_path`).


def path_rows(
    asked: Any,
    lo: Any,
    first: int,
    a: Any,
    b: Any,
    taking: Any,
    alone: int,
    columns: int,
    held: Any,
    came: Any,
) -> None:
    """Search a block of rows, as `best_path` does.

    Parameters
    ----------
    asked : array of int64, shape (beads, rows, columns of the scores)
    lo : array of int64
        The first column of each row of the table.
    first : int
        The first row of the block.
    a, b, taking : array of int64
        The members of the beads that take one of the first sequence, and their indices.
    alone : int
        The index of (0, 1).
    columns : int
        The length of the second sequence.
    held : array of int64, shape (rows above + rows, width)
        The cells of the rows above, before those of the block.
    came : array of uint8, shape (rows, width)
        Gets the bead of each cell.

    """
    rows, wide = asked.shape[1], asked.shape[2]
    width, deep = held.shape[1], held.shape[0] - rows
    best = np.empty(wide, dtype=np.int64)
    for r in range(rows):
        low = lo[first + r]
        begin, end = max(0, -low), min(wide, columns + 1 - low)  # the cells in the table
        for j in range(wide):
            best[j] = -(1 << 62)
        for k in range(len(taking)):
            up = first + r - a[k]
            shift = low - lo[max(up, 0)] - b[k]
            code, above, kind = 255 - taking[k], deep + r - a[k], taking[k]
            for j in range(wide):
                at = j + shift
                cell = held[above, at] if 0 <= at < width else -(1 << 58)
                if begin <= j < end:
                    cell += asked[kind, r, j] << 8
                best[j] = max(best[j], cell + code)
        if first + r == 0 and -low < wide:
            best[-low] = 0
        total, along = 0, -(1 << 62)
        for j in range(wide):
            if j and begin <= j < end and j - 1 >= begin:
                total += asked[alone, r, j] << 8
            apart = best[j] - total
            along = max(along, apart)
            held[deep + r, j] = (along + total) & -256
            came[r, j] = alone if along >> 8 > apart >> 8 else 255 - (apart & 255)
        for j in range(wide, width):
            held[deep + r, j] = -(1 << 58)


def path_back(came: Any, starts: Any, a: Any, b: Any, rows: int, columns: int, kinds: Any) -> int:
    """Follow the beads back from the end of a table; return their number.

    `came` is flat; `starts` has the index in it of each column 0. `kinds` gets the beads, the last
    one first.
    """
    number, i, j = 0, rows, columns
    while i or j:
        kind = came[starts[i] + j]
        kinds[number] = kind
        number += 1
        i -= a[kind]
        j -= b[kind]
    return number


def passage_rows(
    asked: Any,
    lo: Any,
    first: int,
    a: Any,
    b: Any,
    taking: Any,
    alone: int,
    down: int,
    columns: int,
    costs: Any,
    held: Any,
    passed: Any,
    came: Any,
) -> None:
    """Search a block of rows, as `passage_path` does.

    Parameters
    ----------
    asked, lo, first, a, b, taking, alone, columns, held, came
        As in `path_rows`; `came` has both answers.
    down : int
        The index of (1, 0) among `taking`.
    costs : array of int64
        The opening of a passage, what (1, 0) and (0, 1) score more in one, each times 256, and the
        bits of the first answer.
    passed : array of int64, shape (width,)
        The cells in passages of the row above.

    """
    rows, wide = asked.shape[1], asked.shape[2]
    width, deep = held.shape[1], held.shape[0] - rows
    opening, more_down, more_along, bits = costs[0], costs[1], costs[2], costs[3]
    closed = (1 << bits) - 1
    best, inner = np.empty(wide, dtype=np.int64), np.empty(wide, dtype=np.int64)
    for r in range(rows):
        low = lo[first + r]
        begin, end = max(0, -low), min(wide, columns + 1 - low)
        for j in range(wide):
            best[j] = inner[j] = -(1 << 62)
        for k in range(len(taking)):
            up = first + r - a[k]
            shift = low - lo[max(up, 0)] - b[k]
            code, above, kind = 255 - taking[k], deep + r - a[k], taking[k]
            for j in range(wide):
                at = j + shift
                cell = held[above, at] if 0 <= at < width else -(1 << 58)
                own = asked[kind, r, j] << 8 if begin <= j < end else 0
                best[j] = max(best[j], cell + own + code)
                if k == down:
                    # From above outside of a passage (2), or from above in one (3).
                    stayed = passed[at] if 0 <= at < width else -(1 << 58)
                    inner[j] = max(cell + opening - 1, stayed) + own + more_down + 3
        if first + r == 0 and -low < wide:
            best[-low] = 255
        total, outer_along, inner_along, sums = 0, -(1 << 62), -(1 << 62), 0
        for j in range(wide):
            if j and begin <= j < end and j - 1 >= begin:
                total += asked[alone, r, j] << 8
            sums = total + j * more_along
            apart = best[j] - total
            outer_along = max(outer_along, apart)
            outer = (outer_along + total) & -256
            step = alone if outer_along >> 8 > apart >> 8 else 255 - (apart & 255)
            within = max(inner[j], outer + opening + 1) - sums  # from itself (1)
            inner_along = max(inner_along, within)
            inside = (inner_along + sums) & -256
            way = 0 if inner_along >> 8 > within >> 8 else within & 255  # along the row (0)
            if inside > outer:
                step = closed
            held[deep + r, j] = max(outer, inside)
            inner[j] = inside
            came[r, j] = step | (way << bits)
        for j in range(wide):
            passed[j] = inner[j]
        for j in range(wide, width):
            held[deep + r, j] = passed[j] = -(1 << 58)


# Forward and backward sums (`bead_posteriors`).


def piece_sums(  # noqa: C901 - numba compiles whole functions
    weights: Any,
    row: Any,
    real: Any,
    lo: Any,
    begin: Any,
    end: Any,
    columns: Any,
    first: Any,
    a: Any,
    b: Any,
    inside: Any,
    origin: Any,
    products: Any,
    inverse: Any,
    before: Any,
    after: Any,
) -> None:
    """Sum the weights of the paths to and from each point, as `Pieces.sums` does by products.

    Parameters
    ----------
    weights, row, real, lo, begin, end, columns, first, a, b, inside, origin
        As `Pieces` has them.
    products, inverse : array of float64, shape (rows, pieces, width)
        The products of the weights of (0, 1) from the beginning of each row on, and 1 over these.
    before, after : array of float64, shape (rows, pieces, width)
        Get the sums.

    """
    size, count, width = before.shape
    kinds = len(a)
    for t in range(size):
        for p in range(count):
            here, mine = before[t, p], row[t, p]
            for j in range(width):
                here[j] = 0.0
            for k in range(kinds):
                shift = lo[mine] - lo[max(mine - a[k], begin[p])] - b[k]
                above = t - a[k]
                for j in range(width):
                    at = j + shift
                    value = 0.0
                    if above >= 0 and 0 <= at < width and real[t, p]:
                        value = before[above, p, at] * weights[k, mine, j]
                    here[j] = here[j] + value if k else value
            # Paths begin at the first point of the table, or anywhere in a piece's first row.
            if t == 0 and first[p] > begin[p]:
                for j in range(width):
                    here[j] = 1.0 if inside[mine, j] else 0.0
            if t == begin[p] - first[p]:
                here[-lo[begin[p]]] = origin[p]
            total = 0.0
            for j in range(width):
                value = here[j] * inverse[t, p, j]
                total = total + value if j else value
                here[j] = total * products[t, p, j]
    for t in range(size - 1, -1, -1):
        for p in range(count):
            here, mine = after[t, p], row[t, p]
            for j in range(width):
                here[j] = 0.0
            for k in range(kinds):
                under = min(mine + a[k], end[p])
                shift = lo[mine] - lo[under] + b[k]
                below = t + a[k]
                for j in range(width):
                    at = j + shift
                    value = 0.0
                    if below < size and 0 <= at < width and real[below, p]:
                        value = weights[k, row[below, p], at] * after[below, p, at]
                    here[j] = here[j] + value if k else value
            if t == size - 1 and first[p] + size - 1 < end[p]:
                for j in range(width):
                    here[j] = 1.0 if inside[mine, j] else 0.0
            if t == end[p] - first[p]:
                here[columns[p] - lo[end[p]]] = 1.0
            total = 0.0
            for j in range(width - 1, -1, -1):
                value = here[j] * products[t, p, j]
                total = total + value if j < width - 1 else value
                here[j] = total * inverse[t, p, j]


# The evidence of words (`align.sentences.evidence.words`).
#
# Words of one side, the taking one, are scored by what sentences of the other side, the giving one,
# say for them. A side of a tile is given by the words of its text (`ptr`, `ids`, `times` of each
# sentence, and `weight` of sentences), the mask of linked words, its first sentence, which may be
# before the text, and the number of its sentences. The `steps` cells of a point are for the last 1,
# 2, ... sentences before it.


def word_cells(  # noqa: C901 - as above
    given_ptr: Any,
    given_ids: Any,
    given_times: Any,
    given_weight: Any,
    given_linked: Any,
    given_first: int,
    given_count: int,
    ptr: Any,
    ids: Any,
    times: Any,  # noqa: ARG001 - the side is given as to `word_sums`
    weight: Any,
    linked: Any,
    first: int,
    count: int,
    link_ptr: Any,
    link_word: Any,
    link_ratio: Any,
    odds: Any,
    room: Any,
    steps: int,
    points: int,
    given_place: Any,
    place: Any,
    value: Any,
    cell: Any,
    begin: Any,
    number: int,
) -> int:
    """Write 1 + what sentences say for each word of the taking side, where they say anything.

    Parameters
    ----------
    given_ptr, given_ids, given_times, given_weight, given_linked, given_first, given_count
        The giving side.
    ptr, ids, times, weight, linked, first, count
        The taking side.
    link_ptr, link_word, link_ratio : array of int64, of int32, of float64
        The links of each word of the taking side, ascending, and their t / p.
    odds : array of float64
        Of each word of the taking side.
    room : array of float64
        The running sum of sentences and words of the giving side.
    steps, points : int
    given_place, place : array of int32
        -1 for each word of both vocabularies. The first is left as it was; the second gets the
        numbers of the words that are met.
    value, cell : array of float32, of int32
        Get the values, and the cell of each: its point times `steps`, and the step.
    begin : array of int32
        Gets the first value of each word, and the end of the last one.
    number : int
        The values that are there before.

    Returns
    -------
    int
        The values there are then.

    """
    low = min(max(given_first, 0), len(given_weight))
    high = min(max(given_first + given_count, 0), len(given_weight))
    base = given_ptr[low]
    follows = np.empty(given_ptr[high] - base, dtype=np.int32)
    sentence = np.empty(len(follows), dtype=np.int32)
    for s in range(low, high):
        for item in range(given_ptr[s], given_ptr[s + 1]):
            word = given_ids[item]
            if given_linked[word]:
                follows[item - base] = given_place[word]
                sentence[item - base] = s
                given_place[word] = item - base
    inverse = np.empty((points, steps), dtype=np.float32)
    for point in range(points):
        end = min(max(given_first + steps + point, 0), len(room) - 1)
        for step in range(steps):
            start = min(max(given_first + steps + point - step - 1, 0), len(room) - 1)
            inverse[point, step] = 1.0 / max(room[end] - room[start], 1.0)
    sums = np.zeros(given_count, dtype=np.float64)
    said = np.zeros(given_count, dtype=np.float32)
    words = 0
    lowest = min(max(first, 0), len(weight))
    highest = min(max(first + count, 0), len(weight))
    for item in range(ptr[lowest], ptr[highest]):
        word = ids[item]
        if place[word] >= 0 or not linked[word]:
            continue
        place[word] = words
        begin[words] = number
        words += 1
        least, most = given_count, -1
        for link in range(link_ptr[word], link_ptr[word + 1]):
            ratio = link_ratio[link]
            at = given_place[link_word[link]]
            while at >= 0 and ratio != 0.0:
                s = sentence[at]
                where = s - given_first
                sums[where] += ratio * (given_times[base + at] * given_weight[s])
                least, most = min(least, where), max(most, where)
                at = follows[at]
        if most < 0:
            continue
        for where in range(least, most + 1):
            said[where] = sums[where] * odds[word]
            sums[where] = 0.0
        for point in range(max(least - steps + 1, 0), min(most, points - 1) + 1):
            grown = np.float32(0.0)
            for step in range(steps):
                # The sentence before the point, then the ones before it.
                grown += said[point + steps - 1 - step]
                if grown != np.float32(0.0):
                    value[number] = inverse[point, step] * grown + np.float32(1.0)
                    cell[number] = point * steps + step
                    number += 1
        for where in range(least, most + 1):
            said[where] = np.float32(0.0)
    begin[words] = number
    for item in range(given_ptr[low], given_ptr[high]):
        given_place[given_ids[item]] = -1
    return number


def word_sums(
    value: Any,
    cell: Any,
    begin: Any,
    ptr: Any,
    ids: Any,
    times: Any,
    weight: Any,
    linked: Any,
    first: int,
    count: int,
    place: Any,
    sums: Any,
) -> None:
    """Add the scores of the words of each sentence of the taking side, at each cell.

    Parameters
    ----------
    value, cell, begin, place
        As `word_cells` leaves them, with the logarithms of values; `place` is made -1 again.
    ptr, ids, times, weight, linked, first, count
        The taking side.
    sums : array of float64, shape (sentences, cells)
        Zeros, to which the scores are added.

    """
    lowest = min(max(first, 0), len(weight))
    highest = min(max(first + count, 0), len(weight))
    for s in range(lowest, highest):
        for item in range(ptr[s], ptr[s + 1]):
            word = place[ids[item]]
            if word >= 0:
                many = times[item] * weight[s]
                for k in range(begin[word], begin[word + 1]):
                    sums[s - first, cell[k]] += value[k] * many
    for item in range(ptr[lowest], ptr[highest]):
        if linked[ids[item]]:
            place[ids[item]] = -1


def word_beads(
    by_row: Any,
    by_column: Any,
    src_silence: Any,
    tgt_silence: Any,
    begin: int,
    rows: int,
    left: int,
    width: int,
    across: int,
    most: int,
    deep: int,
    lo: Any,
    kinds: Any,
    a: Any,
    b: Any,
    above: int,
    into: int,
    out: Any,
) -> None:
    """Write the scores of the beads that end in a tile.

    Parameters
    ----------
    by_row, by_column : array of float64, shape (sentences, cells)
        The sums of the target sentences by rows, and those of the source sentences by columns.
    src_silence, tgt_silence : array of float64
        The running sums of the scores of words that nothing explains.
    begin, rows, left, width, across : int
        The rows and columns of the tile: `left` and `width` of each row, and `across` of all.
    most, deep : int
        The most sentences of a bead.
    lo : array of int64
        The first column of each row of the table.
    kinds, a, b : array of int64
        The beads with two sides.
    above, into : int
        The rows and columns before the tile in `out`.
    out : array of float32, shape (beads, rows, width)

    """
    ahead = lo[begin] + left
    sources, targets = len(src_silence) - 1, len(tgt_silence) - 1
    for r in range(rows):
        i = begin + r
        for c in range(width):
            column = lo[i] + left + c
            place = column - ahead
            for k in range(len(kinds)):
                total = 0.0
                if place < across:
                    mine = r * most + a[k] - 1
                    for d in range(b[k]):
                        s = column - 1 - d
                        silence = (
                            tgt_silence[min(max(s + 1, 0), targets)]
                            - tgt_silence[min(max(s, 0), targets)]
                        )
                        one = by_row[s - ahead + deep, mine] + silence
                        total = total + one if d else one
                    mine, theirs = place * deep + b[k] - 1, 0.0
                    for d in range(a[k]):
                        s = i - 1 - d
                        silence = (
                            src_silence[min(max(s + 1, 0), sources)]
                            - src_silence[min(max(s, 0), sources)]
                        )
                        one = by_column[s - begin + most, mine] + silence
                        theirs = theirs + one if d else one
                    total += theirs
                out[kinds[k], above + r, into + c] = total
