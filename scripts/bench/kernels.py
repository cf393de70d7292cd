"""Kernels: cells a second, beside a plain loop of Python over the same cells that answers the same.

A cell is what the recurrence is about: a bead that may end at a point of the band, a field of the
table of two sentences, a word at a node of a lattice, a bound, a pair of items. The loops are
written here after the formulas in the docstrings of the kernels, with lists and whole numbers.
Both run in this process by turns on the same data, and have to give the same: score and path where
there is a path, shares to a billionth.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import kernel_loops as loops
import numpy as np
from harness import agree, exponent, here, least, ratio, turns
from results import Asked, Section, told

from bitext.kernels.arrays import Rows, prefix
from bitext.kernels.bead_path import Band, best_path
from bitext.kernels.bead_posteriors import chances, chances_by_pieces
from bitext.kernels.lattice_distance import distances, layers
from bitext.kernels.lattice_path import best_paths, best_scores
from bitext.kernels.matching import complete_link, match_points, shared_features
from bitext.kernels.overlap import Beads, overlap, overlay
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

BEADS = ((1, 1), (1, 0), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (0, 1))

WIDTH = 160  # points of a row of the band


class Case(NamedTuple):
    """A kernel and a loop on the same data.

    Attributes
    ----------
    name : str
    cells : int
    kernel, loop : callable
        Each returns its answer as numbers and lists.
    within : float
        How far the answers may be apart.

    """

    name: str
    cells: int
    kernel: Callable[[], Any]
    loop: Callable[[], Any]
    within: float = 0.0


def _beads(rows: int) -> tuple[NDArray[np.int32], Band]:
    """Make a band around the diagonal, and scores in it that like the diagonal, as texts do."""
    rng = np.random.default_rng(rows)
    wide = min(WIDTH, rows + 1)
    lo = np.clip(np.arange(rows + 1) - wide // 2, 0, rows + 1 - wide)
    table = rng.integers(-900, 100, size=(len(BEADS), rows + 1, wide), dtype=np.int32)
    table[0, np.arange(rows + 1), np.arange(rows + 1) - lo] += 1500
    return table, Band(lo, wide, rows)


def bead_cases(size: int) -> list[Case]:
    """Return the cases of beads: the best path of so many rows, and how sure it is."""
    table, band = _beads(size)

    def scores(first: int, last: int) -> NDArray[np.int32]:
        return table[:, first:last]

    def kernel() -> Any:
        found = best_path(BEADS, scores, band)
        return [found.score, found.kinds.tolist(), found.row.tolist(), found.column.tolist()]

    path = best_path(BEADS, scores, band)
    ends = list(zip(path.kinds.tolist(), path.row.tolist(), path.column.tolist(), strict=True))
    lists, lo = table.tolist(), band.lo.tolist()

    def shares() -> list[float]:
        return loops.bead_chances(BEADS, lists, lo, size, ends, 300.0)

    return [
        Case(
            "bead_path.best_path",
            table.size,
            kernel,
            lambda: loops.bead_path(BEADS, lists, lo, size),
        ),
        Case(
            "bead_chances.chances",
            2 * table.size,
            lambda: chances(BEADS, scores, band, path, unit=300.0).tolist(),
            shares,
            1e-9,
        ),
        Case(
            "bead_pieces.chances_by_pieces",
            2 * table.size,
            lambda: chances_by_pieces(BEADS, table, band, path, unit=300.0).tolist(),
            shares,
            1e-3,
        ),
    ]


def lattice_cases(size: int) -> list[Case]:
    """Return the cases of two sequences: so many pairs of 22 x 25 words."""
    rng = np.random.default_rng(size)
    tables = np.where(rng.random((22, 25, size)) < 0.08, 2, -1).astype(np.int8)
    rows, columns = np.full(size, 22), np.full(size, 25)
    lists = tables.transpose(2, 0, 1).tolist()

    def gains(pairs: NDArray[np.int64], first: int, last: int) -> NDArray[np.int8]:
        return tables[first:last][:, :, pairs]

    def paths() -> Any:
        found = best_paths(rows, columns, gains)
        return [found.score.tolist(), found.row.tolist(), found.column.tolist()]

    def plain_paths() -> Any:
        found = [loops.lattice_path(table) for table in lists]
        steps = [step for _, way in found for step in way]
        return [[score for score, _ in found], [i for i, _ in steps], [j for _, j in steps]]

    return [
        Case(
            "lattice_path.best_scores",
            tables.size,
            lambda: best_scores(rows, columns, gains).tolist(),
            lambda: [loops.lattice_path(table)[0] for table in lists],
        ),
        Case("lattice_path.best_paths", tables.size, paths, plain_paths),
        _distance(size),
    ]


def _distance(size: int) -> Case:
    rng = np.random.default_rng(size)
    words = rng.integers(0, 50, size=size // 2)
    # A graph of 20 ways of 25 words, without common nodes.
    inner = np.arange(1, 501)
    begins, ends = inner[::25], inner[24::25]
    tail = np.concatenate([np.where(np.isin(inner, begins), 0, inner - 1), ends])
    head = np.concatenate([inner, np.full(20, 501)])
    labels_at = np.concatenate([[0], np.arange(501), [500]])
    graph = layers(tail, head, Rows(labels_at, rng.integers(0, 50, size=500)))
    owner = np.zeros(len(graph.last), dtype=np.int64)
    tails = [graph.tails.row(v).tolist() for v in range(len(graph.last))]
    labels = [set(graph.labels.row(v).tolist()) for v in range(len(graph.last))]
    said = words.tolist()
    return Case(
        "lattice_distance.distances",
        len(graph.last) * len(words),
        lambda: int(distances(graph, owner, [words])[0]),
        lambda: loops.lattice_distance(tails, labels, said),
    )


def line_cases(size: int) -> list[Case]:
    """Return the cases of bounds on a line, so many segments or points."""
    rng = np.random.default_rng(size)
    ends = 10 * size
    bounds = [
        np.concatenate([[0], np.sort(rng.choice(np.arange(1, ends), size - 1, False)), [ends]])
        for _ in range(2)
    ]
    lists = [each.tolist() for each in bounds]

    def kernel() -> Any:
        found = overlap(*bounds)
        return [each.tolist() for each in found]

    places = np.sort(rng.choice(12 * size, 2 * size, replace=False))
    of_gold = rng.random(2 * size) < 0.5
    points = list(zip(places.tolist(), of_gold.tolist(), strict=True))
    costs = {"alone": (6, 6), "fixed": 1, "slope": 2}

    def matched() -> Any:
        left, right = match_points(places, of_gold, reach=5, alone=(6, 6), fixed=1, slope=2)
        gaps = (places[right] - places[left]).tolist()
        return [6 * 2 * size - 12 * len(gaps) + sum(1 + 2 * gap for gap in gaps)]

    return [
        Case("overlap.overlap", 2 * size, kernel, lambda: loops.overlaps(*lists)),
        Case(
            "line_matching.match_points (the cost)",
            2 * size,
            matched,
            lambda: [loops.matching_cost(points, 5, **costs)],  # type: ignore[arg-type]
        ),
        _overlay(size),
    ]


def _overlay(size: int) -> Case:
    rng = np.random.default_rng(size)
    sides = []
    for _ in range(2):
        lengths = rng.choice([1, 1, 1, 2], size=(2, size))
        kept = [prefix(each) for each in lengths]
        end = size  # all hold the same segments
        sides.append([Rows(_until(ptr, end), np.arange(end)) for ptr in kept])
    few = min(len(rows.ptr) - 1 for side in sides for rows in side)
    gold, hyp = (
        Beads(*(Rows(rows.ptr[: few + 1], rows.idx[: rows.ptr[few]]) for rows in side))
        for side in sides
    )
    ones = np.ones((1, size), dtype=np.int64)
    lists = [
        [(b.src.row(k).tolist(), b.tgt.row(k).tolist()) for k in range(few)] for b in (gold, hyp)
    ]

    def kernel() -> Any:
        found = overlay(gold, hyp, ones, ones)
        return [int(each.sum()) for each in (found.expected, found.proposed, found.hits)]

    return Case("overlay.overlay", 4 * size, kernel, lambda: loops.pairs_of(*lists))


def _until(ptr: NDArray[np.int64], end: int) -> NDArray[np.int64]:
    return np.append(ptr[ptr < end], end)


def item_cases(size: int) -> list[Case]:
    """Return the case of many items with features, as sentences with words."""
    rng = np.random.default_rng(size)
    held = [np.unique(rng.zipf(1.4, size=25) % 5000) for _ in range(size)]
    items = Rows(prefix(np.array([len(each) for each in held])), np.concatenate(held))
    sets = [set(each.tolist()) for each in held]
    return [
        Case(
            "shared_features.shared_features",
            size * size // 2,
            lambda: shared_features(items).tolist(),
            lambda: loops.shared(sets),
        )
    ]


def group_cases(size: int) -> list[Case]:
    """Return the case of groups of items."""
    rng = np.random.default_rng(size)
    similar = rng.random((size, size))
    similar = np.maximum(similar, similar.T)
    lists = similar.tolist()
    return [
        Case(
            "complete_link.complete_link",
            size * size // 2,
            lambda: complete_link(similar.copy(), threshold=0.4).tolist(),
            lambda: loops.complete_link(lists, 0.4),
        )
    ]


def measure(asked: Asked) -> Section:
    """Measure each kernel and its loop by turns, at three sizes."""
    rounds, part = (2, 4) if asked.quick else (3, 1)
    table = Table(
        ["kernel", "cells", "cells a second", "loop, cells a second", "times", "CPU grows as"],
        right={1, 2, 3, 4, 5},
    )
    families: tuple[tuple[Callable[[int], list[Case]], tuple[int, int, int]], ...] = (
        (bead_cases, (500, 1_000, 2_000)),
        (lattice_cases, (800, 3_200, 12_800)),
        (line_cases, (5_000, 20_000, 80_000)),
        (item_cases, (500, 1_000, 2_000)),
        (group_cases, (64, 128, 256)),
    )
    for cases, sizes in families:
        seconds: dict[str, list[tuple[int, float]]] = {}
        for size in sizes:
            for case in cases(size // part):
                found = turns(
                    {
                        "kernel": lambda case=case: here(case.kernel, least=0.05),  # type: ignore[misc]
                        "loop": lambda case=case: here(case.loop),  # type: ignore[misc]
                    },
                    rounds,
                )
                agree({k: u[-1].value for k, u in found.items()}, within=case.within)
                ours, theirs = least(found["kernel"]), least(found["loop"])
                seconds.setdefault(case.name, []).append((case.cells, ours))
                grows = exponent(*map(list, zip(*seconds[case.name], strict=True)))
                row = [case.name, f"{case.cells:,}", f"{case.cells / ours:,.0f}"]
                row += [f"{case.cells / theirs:,.0f}"]
                row += [f"{ratio(found['loop'], found['kernel']):,.0f}", f"n^{grows:.2f}"]
                print("  " + "  ".join(row), flush=True)
                # The growth is known with the largest size, which is also the one to tell.
                if size == sizes[-1]:
                    table.rows.append(row)
    notes = ["At the largest of three sizes; the growth of CPU by cells is over all three."]
    return Section([table], notes)


if __name__ == "__main__":
    sys.exit(told("kernels", __doc__ or "", measure))
