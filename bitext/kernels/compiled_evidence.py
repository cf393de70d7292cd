"""Kernels of the evidence of lengths and marks that numba compiles: the extra `fast`.

The loops of `LengthEvidence`, of `PunctuationEvidence` and of `free_paths`, written for single
numbers, with the same results to the last bit: 32-bit numbers are added and multiplied in the same
order, and logarithms are those of numpy. `compiled` describes when they are compiled and loaded.

The rows of a band have a column to begin with (`begin`), in arrays of all columns of these rows. A
bead type with two sides has a number of source sentences, for which there are values of rows, and
one of target sentences, for which there are values of columns: `a` and `b` are the distinct
numbers, and `src_index` and `tgt_index` the indices among them of the numbers of each type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bitext.kernels.kernel_groups import KernelGroup
from bitext.kernels.object_code import Type, read, written

# Cells, as beads at points of tables: a process that has scored so many loads these kernels. Set by
# hand: loading takes up to a tenth of a second beside those of `compiled`, and they save about half
# of the 8 ns that numpy takes for a cell (scripts/bench/align_profile.md).
_LEAST_WORK = 40_000_000


class EvidenceKernels(NamedTuple):
    """The functions below, compiled or not."""

    length_totals: Callable[..., Any]
    length_terms: Callable[..., Any]
    length_scores: Callable[..., Any]
    mark_scores: Callable[..., Any]
    whole_numbers: Callable[..., Any]
    whole_sums: Callable[..., Any]
    set_after: Callable[..., Any]
    free_rows: Callable[..., Any]


def _signatures() -> dict[str, tuple[Callable[..., Any], list[Type]]]:
    columns = read("i8")
    sums: list[Type] = [read("f8"), "i8", "i8"]
    sides: list[Type] = [*sums, *sums, "i8", "i8"]
    beads = [columns, columns]
    parts: list[Type] = [read("f4"), "i8", "i8", "i8"] * 4
    totals, marks = [read("f8", 2), read("f8", 2)], [read("i2"), read("i2"), read("f4", 2)]
    return {
        "length_totals": (
            length_totals,
            [*sides, *beads, "f8", written("f8", 2), written("f8", 2)],
        ),
        "length_terms": (
            length_terms,
            [
                *(*totals, *totals, *sides, *beads, *beads, columns, columns, "f4", "f4", "f4"),
                *(written("f4", 2), written("f4", 2), written("f4", 2), written("f4", 3)),
            ],
        ),
        "length_scores": (
            length_scores,
            [read("f4", 2), read("f4", 2), *beads, columns, columns, "f4", written("f4", 3)],
        ),
        "mark_scores": (
            mark_scores,
            [
                *(*marks, *marks, *marks, *sides, *beads, *beads, columns, columns, "f4", "f4"),
                *(written("f4", 2), written("f4", 2), written("i8"), written("f4", 3)),
            ],
        ),
        "whole_numbers": (whole_numbers, [read("f4"), "f4", "f4", written("i4")]),
        "whole_sums": (
            whole_sums,
            [*parts, read("f4"), "f4", "f4", written("i4", 3)],
        ),
        "set_after": (set_after, [written("i4", 3), columns, "i8"]),
        "free_rows": (
            free_rows,
            [read("i4", 3), *[read("i8")] * 3, "i8", "i8", "i8", written("i8", 2)],
        ),
    }


evidence_kernels = KernelGroup(EvidenceKernels, _signatures, _LEAST_WORK)
load_evidence_kernels, plain_evidence_kernels = evidence_kernels.load, evidence_kernels.plain


def length_totals(
    src: Any,
    src_begin: int,
    src_size: int,
    tgt: Any,
    tgt_begin: int,
    tgt_size: int,
    row: int,
    column: int,
    a: Any,
    b: Any,
    least: float,
    source: Any,
    target: Any,
) -> None:
    """Write the total length, `least` at least, of each side of the beads that end at some points.

    `src` and `tgt` are running sums of the lengths of `src_size` and `tgt_size` sentences, from
    those numbered `src_begin` and `tgt_begin` on. The first points are those of `row` and `column`.
    For the numbers of sentences `a` and `b` `source`, shape (numbers, rows), and
    `target`, shape (numbers, columns), get the totals.
    """
    for k in range(len(a)):
        for r in range(source.shape[1]):
            end, begin = min(max(row + r, 0), src_size), min(max(row + r - a[k], 0), src_size)
            source[k, r] = max(src[end - src_begin] - src[begin - src_begin], least)
    for k in range(len(b)):
        for c in range(target.shape[1]):
            end, begin = min(max(column + c, 0), tgt_size), min(max(column + c - b[k], 0), tgt_size)
            target[k, c] = max(tgt[end - tgt_begin] - tgt[begin - tgt_begin], least)


def length_terms(
    source: Any,
    target: Any,
    src_logs: Any,
    tgt_logs: Any,
    src: Any,
    src_begin: int,
    src_size: int,
    tgt: Any,
    tgt_begin: int,
    tgt_size: int,
    row: int,
    column: int,
    a: Any,
    b: Any,
    src_index: Any,
    tgt_index: Any,
    kinds: Any,
    begin: Any,
    variance: float,
    slack: float,
    share: float,
    singles: Any,
    rest: Any,
    more: Any,
    terms: Any,
) -> None:
    """Write the numbers whose logarithms `LengthEvidence` takes, of each type at each point.

    `source` and `target` are the total lengths of `length_totals`, and `src_logs` and `tgt_logs`
    their logarithms. The next arguments are as there, but `src` and `tgt` are running sums of the
    scores of lengths by themselves. `variance` is half of that for each letter, `slack` what is
    added to it, and `share` is 1 over the degrees of freedom. `singles`, of the shape of `target`,
    gets its numbers; `rest` and `more` get the terms of one side alone. `terms` has the shape
    (beads, rows, width), and `kinds` are the indices of the types in it; those of other beads stay.
    """
    for k in range(len(a)):
        for r in range(source.shape[1]):
            end, start = min(max(row + r, 0), src_size), min(max(row + r - a[k], 0), src_size)
            alone = src[end - src_begin] - src[start - src_begin]
            rest[k, r] = np.float32((-(a[k] - 1) * src_logs[k, r] - alone) / 2)
    for k in range(len(b)):
        for c in range(target.shape[1]):
            end, start = min(max(column + c, 0), tgt_size), min(max(column + c - b[k], 0), tgt_size)
            alone = tgt[end - tgt_begin] - tgt[start - tgt_begin]
            more[k, c] = np.float32((-(b[k] - 1) * tgt_logs[k, c] - alone) / 2)
            singles[k, c] = np.float32(target[k, c])
    for kind in range(len(kinds)):
        lengths = singles[tgt_index[kind]]
        for r in range(terms.shape[1]):
            own, to, first = np.float32(source[src_index[kind], r]), terms[kinds[kind], r], begin[r]
            for c in range(terms.shape[2]):
                other = lengths[first + c]
                spread = (own + other) * variance + slack
                apart = other - own
                apart = apart * apart / spread * share + np.float32(1)
                to[c] = (apart * apart) * (np.sqrt(spread) * apart)


def length_scores(
    rest: Any,
    more: Any,
    src_index: Any,
    tgt_index: Any,
    kinds: Any,
    begin: Any,
    peak: float,
    out: Any,
) -> None:
    """Write the scores by lengths in place of the logarithms of `length_terms`.

    `rest`, shape (types, rows), and `more`, shape (numbers, columns), are the terms of one side
    alone.
    """
    for kind in range(len(kinds)):
        alone = more[tgt_index[kind]]
        for r in range(out.shape[1]):
            own, row, first = rest[src_index[kind], r], out[kinds[kind], r], begin[r]
            for c in range(out.shape[2]):
                row[c] = (peak - row[c]) + (alone[first + c] + own)


def mark_scores(
    src_ends: Any,
    tgt_ends: Any,
    ends: Any,
    src_closes: Any,
    tgt_closes: Any,
    closes: Any,
    src_begins: Any,
    tgt_begins: Any,
    begins: Any,
    src: Any,
    src_begin: int,
    src_size: int,
    tgt: Any,
    tgt_begin: int,
    tgt_size: int,
    row: int,
    column: int,
    a: Any,
    b: Any,
    src_index: Any,
    tgt_index: Any,
    kinds: Any,
    begin: Any,
    pair_weight: float,
    weight: float,
    across: Any,
    beside: Any,
    places: Any,
    out: Any,
) -> None:
    """Write the scores of marks, as `PunctuationEvidence.block` does.

    The marks at the ends of all sentences of both sides, the marks that close them, and those at
    their beginnings, are each followed by the scores of their pairs. `src` and `tgt` are running
    sums of the scores of the marks within beads; the arguments from there to `begin` are as in
    `length_terms`. `across`, shape (numbers, columns), gets the scores of marks within the target
    side. `beside` gets the scores of each beginning of the source beside the columns, and as many
    columns before the first one as the largest of `b`; `places`, with a number for each sort, gets
    the index of its row.
    """
    deep = beside.shape[1] - across.shape[1]
    for k in range(len(b)):
        for c in range(across.shape[1]):
            end, start = (
                min(max(column + c - 1, 0), tgt_size),
                min(max(column + c - b[k], 0), tgt_size),
            )
            across[k, c] = np.float32(tgt[end - tgt_begin] - tgt[start - tgt_begin])
    places[:] = -1
    sorts = 0
    for r in range(out.shape[1]):
        # The scores of the sentences before stand in the row of the last type until it is its turn.
        first, ended = begin[r], out[kinds[len(kinds) - 1], r]
        before = min(max(row + r - 1, 0), len(src_ends) - 1)
        by_end, by_close = ends[src_ends[before]], closes[src_closes[before]]
        for c in range(len(ended)):
            other = min(max(column + first + c - 1, 0), len(tgt_ends) - 1)
            ended[c] = by_end[tgt_ends[other]] + by_close[tgt_closes[other]]
        for kind in range(len(kinds)):
            end, start = (
                min(max(row + r - 1, 0), src_size),
                min(max(row + r - a[src_index[kind]], 0), src_size),
            )
            down = np.float32(src[end - src_begin] - src[start - src_begin])
            sort = src_begins[min(max(row + r - a[src_index[kind]], 0), len(src_begins) - 1)]
            if places[sort] < 0:
                places[sort] = sorts
                by_begin = begins[sort]
                for c in range(beside.shape[1]):
                    other = min(max(column + c - deep, 0), len(tgt_begins) - 1)
                    beside[sorts, c] = by_begin[tgt_begins[other]]
                sorts += 1
            to, within = out[kinds[kind], r], across[tgt_index[kind], first:]
            begun = beside[places[sort], first + deep - b[tgt_index[kind]] :]
            for c in range(len(ended)):
                pairs = (begun[c] + ended[c]) * pair_weight
                to[c] = (pairs + (within[c] + down)) * weight


def whole_numbers(scores: Any, least: float, unit: float, out: Any) -> None:
    """Write scores, `least` at least, as whole numbers of 1 over `unit`."""
    for k in range(len(scores)):
        out[k] = np.int32(np.rint(max(scores[k], least) * unit))


def whole_sums(
    one: Any,
    one_first: int,
    one_kind: int,
    one_row: int,
    two: Any,
    two_first: int,
    two_kind: int,
    two_row: int,
    three: Any,
    three_first: int,
    three_kind: int,
    three_row: int,
    four: Any,
    four_first: int,
    four_kind: int,
    four_row: int,
    logs: Any,
    least: float,
    unit: float,
    out: Any,
) -> None:
    """Write sums of scores, `least` at least, as whole numbers of 1 over `unit`.

    The scores of each array begin at the number after it; the next two numbers are the distances
    of the scores of beads, and of rows. `logs` has a number for each bead, which is added to `one`
    first. Of `two`, `three` and `four`, those of length 0 are left out.
    """
    twos, threes, fours = len(two) > 0, len(three) > 0, len(four) > 0
    for kind in range(out.shape[0]):
        for r in range(out.shape[1]):
            row, first = out[kind, r], one[one_first + kind * one_kind + r * one_row :]
            second = two[two_first + kind * two_kind + r * two_row :]
            third = three[three_first + kind * three_kind + r * three_row :]
            fourth = four[four_first + kind * four_kind + r * four_row :]
            for c in range(len(row)):
                total = first[c] + logs[kind]
                if twos:
                    total += second[c]
                if threes:
                    total += third[c]
                if fours:
                    total += fourth[c]
                row[c] = np.int32(np.rint(max(total, least) * unit))


def set_after(scores: Any, last: Any, value: int) -> None:
    """Write a number in place of the scores after the `last` column of each row."""
    for kind in range(scores.shape[0]):
        for r in range(scores.shape[1]):
            for c in range(last[r] + 1, scores.shape[2]):
                scores[kind, r, c] = value


def free_rows(
    bead_scores: Any,
    a: Any,
    b: Any,
    taking: Any,
    alone: int,
    bits: int,
    left: int,
    path_scores: Any,
) -> None:
    """Search a block of rows, as `free_paths` does.

    `a`, `b`, `taking` and `alone` are as in `path_rows`. `bits` of a cell are for the column where
    its path begins. `path_scores` has the cells of the rows above; those of the block are written
    after them. The cells of a row begin at `left`, and those before it are lower than any other.
    """
    rows, width = bead_scores.shape[1], bead_scores.shape[2]
    deep = path_scores.shape[0] - rows
    for r in range(rows):
        best = path_scores[deep + r, left : left + width]
        for k in range(len(taking)):
            above, own = path_scores[deep + r - a[k], left - b[k] :], bead_scores[taking[k], r]
            for j in range(width):
                cell = above[j] + (np.int64(own[j]) << bits)
                best[j] = max(best[j], cell) if k else cell
        total, along = np.int64(0), best[0]
        for j in range(1, width):
            total += np.int64(bead_scores[alone, r, j]) << bits
            along = max(along, best[j] - total)
            best[j] = along + total
