from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.kernels import overlap as kernel
from bitext.kernels.arrays import Rows
from bitext.kernels.overlap import Beads, overlay, overlay_by_intervals
from bitext.model import Alignment
from reference import draw
from reference import kernels as slow


def beads_of(beads):
    made = Alignment(beads)
    return Beads(made.src, made.tgt)


@st.composite
def cases(draw_, made=None):
    """Two alignments, and three weightings of each side with zeros in them."""
    n_src, n_tgt, gold, hyp = draw_(draw.compared() if made is None else made)
    src = [draw_(draw.weights(n_src)) for _ in range(3)]
    tgt = [draw_(draw.weights(n_tgt)) for _ in range(3)]
    return gold, hyp, src, tgt


@st.composite
def partitioned(draw_):
    n_src, n_tgt = draw_(st.integers(0, 7)), draw_(st.integers(0, 7))
    gold, hyp = draw_(draw.partitions(n_src, n_tgt)), draw_(draw.partitions(n_src, n_tgt))
    return n_src, n_tgt, gold, hyp


def arrays(weights):
    return np.array(weights, dtype=np.int64).reshape(len(weights), -1)


def assert_agrees(found, case):
    for mine, theirs in zip(found, slow.overlay(*case), strict=True):
        assert mine.tolist() == theirs


@given(cases())
def test_agrees_with_sets_of_pairs(case):
    gold, hyp, src, tgt = case
    assert_agrees(overlay(beads_of(gold), beads_of(hyp), arrays(src), arrays(tgt)), case)


@given(cases(), st.sampled_from([1, 2, 5, 1 << 21]))
def test_intervals_agree_with_sets_of_pairs_in_chunks_of_any_size(case, chunk):
    gold, hyp, src, tgt = case
    found = overlay_by_intervals(
        beads_of(gold), beads_of(hyp), arrays(src), arrays(tgt), at_once=chunk
    )
    assert_agrees(found, case)


@given(cases(partitioned()))
def test_partition_agrees_with_sets_of_pairs_and_is_the_way_taken(case):
    gold, hyp, src, tgt = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "overlay_by_intervals", None)
        assert_agrees(overlay(beads_of(gold), beads_of(hyp), arrays(src), arrays(tgt)), case)


@given(cases())
def test_intervals_agree_when_the_targets_are_rearranged(case):
    gold, hyp, src, tgt = case
    with pytest.MonkeyPatch.context() as patch:
        # Huge for the order of the text, of both alignments, and small for any other order.
        costs = iter([10**9, 10**9, 1, 1])
        patch.setattr(kernel, "interval_count", lambda _: next(costs))
        found = overlay_by_intervals(beads_of(gold), beads_of(hyp), arrays(src), arrays(tgt))
    assert_agrees(found, case)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_larger_random_alignments_agree(seed):
    rng = np.random.default_rng(seed)
    n_src, n_tgt = (int(n) for n in rng.integers(1, 40, size=2))

    def side(n):
        return frozenset(rng.choice(n, size=rng.integers(0, min(n, 15) + 1), replace=False))

    gold, hyp = (
        [b for b in ((side(n_src), side(n_tgt)) for _ in range(12)) if b[0] or b[1]]
        for _ in range(2)
    )
    src, tgt = (rng.integers(0, 50, size=(2, n)).tolist() for n in (n_src, n_tgt))
    case = (gold, hyp, src, tgt)
    assert_agrees(overlay(beads_of(gold), beads_of(hyp), arrays(src), arrays(tgt)), case)


def test_two_alignments_without_bisegments_hold_nothing():
    none = beads_of([])
    for n_src, n_tgt in product((0, 3), repeat=2):
        weights = np.ones((1, n_src), np.int64), np.ones((1, n_tgt), np.int64)
        for found in (overlay(none, none, *weights), overlay_by_intervals(none, none, *weights)):
            assert found.expected.tolist() == found.hits.tolist() == [[0] * n_src]
            assert found.gold_touched.size == found.hyp_touched.size == 0


def test_a_pair_that_weighs_nothing_still_touches():
    bead = beads_of([((0,), (0,))])
    weights = np.zeros((1, 1), np.int64)
    for way in (overlay, overlay_by_intervals):
        found = way(bead, bead, weights, weights)
        assert found.hits.tolist() == [[0]]
        assert found.gold_touched.tolist() == found.hyp_touched.tolist() == [True]


# Large cases, with answers worked out by hand. None could end if work grew with the products.

N = 100_000


def ones(n):
    return np.ones((1, n), dtype=np.int64)


def rows(ptr, idx):
    return Rows(np.asarray(ptr, dtype=np.int64), np.asarray(idx, dtype=np.int64))


def laid(gold, hyp, n_src=N, n_tgt=N):
    found = overlay(gold, hyp, ones(n_src), ones(n_tgt))
    sums = tuple(int(area.sum()) for area in (found.expected, found.proposed, found.hits))
    return sums, int(found.gold_touched.sum()), int(found.hyp_touched.sum())


def whole(n=N):
    every = rows([0, n], np.arange(n))
    return Beads(every, every)


def diagonal(n=N):
    each = rows(np.arange(n + 1), np.arange(n))
    return Beads(each, each)


def joined(a, b):
    return Beads(*(_joined(x, y) for x, y in zip(a, b, strict=True)))


def _joined(x, y):
    return rows(np.concatenate([x.ptr, x.ptr[-1] + y.ptr[1:]]), np.concatenate([x.idx, y.idx]))


def test_one_huge_bisegment_against_itself():
    assert laid(whole(), whole()) == ((N * N, N * N, N * N), 1, 1)


def test_one_huge_bisegment_against_the_diagonal():
    assert laid(whole(), diagonal()) == ((N * N, N, N), 1, N)
    assert laid(diagonal(), whole()) == ((N, N * N, N), N, 1)


def test_a_huge_bisegment_with_the_diagonal_inside_it():
    both = joined(whole(), diagonal())
    assert laid(both, diagonal()) == ((N * N, N, N), N + 1, N)
    assert laid(both, both) == ((N * N, N * N, N * N), N + 1, N + 1)


def test_even_and_odd_targets_in_two_discontinuous_bisegments():
    half = N // 2
    src = rows([0, half, N], np.arange(N))
    parity = Beads(src, rows([0, half, N], [*range(0, N, 2), *range(1, N, 2)]))
    halves = Beads(src, rows([0, half, N], np.arange(N)))
    area = 2 * half * half
    assert laid(parity, parity) == ((area, area, area), 2, 2)
    assert laid(parity, halves) == ((area, area, area // 2), 2, 2)


def test_even_and_odd_targets_overlapping_on_the_source():
    half = N // 2
    both = rows([0, N, 2 * N], np.tile(np.arange(N), 2))
    parity = Beads(both, rows([0, half, N], [*range(0, N, 2), *range(1, N, 2)]))
    assert laid(parity, whole()) == ((N * N, N * N, N * N), 2, 1)
    assert laid(parity, diagonal()) == ((N * N, N, N), 2, N)


def test_sliding_windows():
    size, n = 600, 1199
    window = rows(
        np.arange(size + 1) * size, np.add.outer(np.arange(size), np.arange(size)).ravel()
    )
    windows = Beads(window, window)
    # Pair (s, t) lies in a window exactly when the two are less than 600 apart.
    area = sum(min(s + size, n) - max(s - size + 1, 0) for s in range(n))
    assert laid(windows, windows, n, n) == ((area, area, area), size, size)
    assert laid(windows, diagonal(n), n, n) == ((area, n, n), size, n)


def test_nested_bisegments():
    depth = 1000
    sizes = np.arange(1, depth + 1)
    nest = rows(np.append(0, np.cumsum(sizes)), np.concatenate([np.arange(k) for k in sizes]))
    nested, n = Beads(nest, nest), depth
    assert laid(nested, nested, n, n) == ((n * n, n * n, n * n), n, n)
    assert laid(nested, diagonal(n), n, n) == ((n * n, n, n), n, n)


def test_a_star_of_bisegments_on_one_source():
    star = Beads(rows(np.arange(N + 1), np.zeros(N)), rows(np.arange(N + 1), np.arange(N)))
    one = Beads(rows([0, 1], [0]), rows([0, N], np.arange(N)))
    assert laid(star, star, 1) == ((N, N, N), N, N)
    assert laid(star, one, 1) == ((N, N, N), N, 1)
    turned = Beads(star.tgt, star.src)
    assert laid(turned, turned, N, 1) == ((N, N, N), N, N)
    assert laid(star, diagonal()) == ((N, N, 1), 1, 1)


def test_random_partitions_agree_both_ways():
    rng = np.random.default_rng(1)
    n, groups = 20_000, 3_000

    def partition():
        return Beads(*(_grouped(rng.integers(groups, size=n), groups) for _ in range(2)))

    gold, hyp = partition(), partition()
    weights = rng.integers(0, 100, size=(3, n)), rng.integers(0, 100, size=(3, n))
    left, right = overlay(gold, hyp, *weights), overlay_by_intervals(gold, hyp, *weights)
    assert left.hits.sum() > 0
    for a, b in zip(left, right, strict=True):
        assert np.array_equal(a, b)


def _grouped(group, groups):
    order = np.argsort(group, kind="stable")
    return rows(np.append(0, np.cumsum(np.bincount(group, minlength=groups))), order)
