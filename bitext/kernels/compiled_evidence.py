"""Kernels of the evidence of lengths and marks that numba compiles: the extra `fast`.

The loops of `LengthEvidence`, of `PunctuationEvidence` and of `free_paths`, written for single
numbers, with the same results to the last bit: 32-bit numbers are added and multiplied in the same
order, and logarithms are those of numpy. `compiled` describes when they are compiled and loaded.

The rows of a band have a column to begin with (`begin`), in arrays of all columns of these rows. A
bead type with two sides has a number of source sentences, for which values of rows are given, and
one of target sentences: `which` is its index among these numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bitext.kernels.compiled import KernelGroup
from bitext.kernels.object_code import Type, read, written

# Cells, as beads at points of tables: a process that has scored so many loads these kernels. Set by
# hand: loading takes up to a tenth of a second beside those of `compiled`, and they save about half
# of the 8 ns that numpy takes for a cell (scripts/bench/align_profile.md).
_LEAST_WORK = 40_000_000


class EvidenceKernels(NamedTuple):
    """The functions below, compiled or not."""

    length_terms: Callable[..., Any]
    length_scores: Callable[..., Any]
    mark_scores: Callable[..., Any]
    whole_numbers: Callable[..., Any]
    whole_sums: Callable[..., Any]
    set_after: Callable[..., Any]
    free_rows: Callable[..., Any]


def _signatures() -> dict[str, tuple[Callable[..., Any], list[Type]]]:
    sides, columns = [read("f4", 2), read("f4", 2)], read("i8")
    marks = [read("i2"), read("i2"), read("f4", 2)]
    return {
        "length_terms": (
            length_terms,
            [*sides, columns, columns, columns, "f4", "f4", "f4", written("f4", 3)],
        ),
        "length_scores": (
            length_scores,
            [*sides, columns, columns, columns, "f4", written("f4", 3)],
        ),
        "mark_scores": (
            mark_scores,
            [
                *(*marks, *marks, read("i2", 2), read("i2", 2), read("f4", 2), *sides),
                *(columns, columns, columns, "f4", "f4", written("f4", 3)),
            ],
        ),
        "whole_numbers": (whole_numbers, [read("f4"), "f4", "f4", written("i4")]),
        "whole_sums": (
            whole_sums,
            [*[read("f4", 3)] * 4, read("f4"), "f4", "f4", written("i4", 3)],
        ),
        "set_after": (set_after, [written("i4", 3), columns, "i8"]),
        "free_rows": (
            free_rows,
            [read("i4", 3), *[read("i8")] * 3, "i8", "i8", "i8", written("i8", 2)],
        ),
    }


evidence_kernels = KernelGroup(EvidenceKernels, _signatures, _LEAST_WORK)
load_evidence_kernels, plain_evidence_kernels = evidence_kernels.load, evidence_kernels.plain


def length_terms(
    source: Any,
    target: Any,
    which: Any,
    kinds: Any,
    begin: Any,
    variance: float,
    slack: float,
    share: float,
    terms: Any,
) -> None:
    """Write the numbers whose logarithms `LengthEvidence` takes, of each type at each point.

    `source`, shape (types, rows), and `target`, shape (numbers, columns), are total lengths.
    `variance` is half of that for each letter, `slack` what is added to it, and `share` is 1 over
    the degrees of freedom. `terms` has the shape (beads, rows, width), and `kinds` are the indices
    of the types in it; those of other beads stay.
    """
    for kind in range(len(kinds)):
        lengths = target[which[kind]]
        for r in range(terms.shape[1]):
            own, row, first = source[kind, r], terms[kinds[kind], r], begin[r]
            for c in range(terms.shape[2]):
                other = lengths[first + c]
                spread = (own + other) * variance + slack
                apart = other - own
                apart = apart * apart / spread * share + np.float32(1)
                row[c] = (apart * apart) * (np.sqrt(spread) * apart)


def length_scores(
    rest: Any, more: Any, which: Any, kinds: Any, begin: Any, peak: float, out: Any
) -> None:
    """Write the scores by lengths in place of the logarithms of `length_terms`.

    `rest`, shape (types, rows), and `more`, shape (numbers, columns), are the terms of one side
    alone.
    """
    for kind in range(len(kinds)):
        alone = more[which[kind]]
        for r in range(out.shape[1]):
            own, row, first = rest[kind, r], out[kinds[kind], r], begin[r]
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
    down: Any,
    across: Any,
    which: Any,
    kinds: Any,
    begin: Any,
    pair_weight: float,
    weight: float,
    out: Any,
) -> None:
    """Write the scores of marks, as `PunctuationEvidence.block` does.

    The marks at the ends of the sentences before each row and each column, the marks that close
    them, and those at the beginnings of beads, shapes (types, rows) and (numbers, columns), are
    each followed by the scores of their pairs. `down` and `across` are the scores of the marks
    within beads.
    """
    for r in range(out.shape[1]):
        # The scores of the sentences before stand in the row of the last type until it is its turn.
        first, ended = begin[r], out[kinds[len(kinds) - 1], r]
        by_end, by_close = ends[src_ends[r]], closes[src_closes[r]]
        for c in range(len(ended)):
            ended[c] = by_end[tgt_ends[first + c]] + by_close[tgt_closes[first + c]]
        for kind in range(len(kinds)):
            row, by_begin = out[kinds[kind], r], begins[src_begins[kind, r]]
            sorts, within, own = tgt_begins[which[kind]], across[which[kind]], down[kind, r]
            for c in range(len(ended)):
                pairs = (by_begin[sorts[first + c]] + ended[c]) * pair_weight
                row[c] = (pairs + (within[first + c] + own)) * weight


def whole_numbers(scores: Any, least: float, unit: float, out: Any) -> None:
    """Write scores, `least` at least, as whole numbers of 1 over `unit`."""
    for k in range(len(scores)):
        out[k] = np.int32(np.rint(max(scores[k], least) * unit))


def whole_sums(
    one: Any, two: Any, three: Any, four: Any, logs: Any, least: float, unit: float, out: Any
) -> None:
    """Write sums of scores, `least` at least, as whole numbers of 1 over `unit`.

    `logs` has a number for each bead, which is added to `one` first. Of `two`, `three` and `four`,
    those of length 0 are left out.
    """
    twos, threes, fours = len(two) > 0, len(three) > 0, len(four) > 0
    for kind in range(out.shape[0]):
        for r in range(out.shape[1]):
            row, first = out[kind, r], one[kind, r]
            for c in range(len(row)):
                total = first[c] + logs[kind]
                if twos:
                    total += two[kind, r, c]
                if threes:
                    total += three[kind, r, c]
                if fours:
                    total += four[kind, r, c]
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
