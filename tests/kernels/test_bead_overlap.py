from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.kernels import overlap as kernel
from bitext.kernels.overlap import Beads, bead_edges
from bitext.model import Alignment
from reference import bisegment_similarity as slow
from reference import draw


def beads_of(beads):
    made = Alignment(beads)
    return Beads(made.src, made.tgt)


def distinct(beads):
    return list(dict.fromkeys((frozenset(s), frozenset(t)) for s, t in beads))


@st.composite
def cases(draw_):
    """Two alignments without repeats, and two weightings of each side."""
    n_src, n_tgt, gold, hyp = draw_(draw.compared())
    src, tgt = ([draw_(positive(n)) for _ in range(2)] for n in (n_src, n_tgt))
    return distinct(gold), distinct(hyp), src, tgt


def positive(size):
    return st.lists(st.integers(1, 3), min_size=size, max_size=size)


def arrays(weights):
    return np.array(weights, dtype=np.int64).reshape(len(weights), -1)


def named(edges, gold, hyp):
    """Return the edges as the slow version does."""
    sides = zip(edges.gold.tolist(), edges.hyp.tolist(), strict=True)
    names = [(gold[a] if a >= 0 else None, hyp[b] if b >= 0 else None) for a, b in sides]
    areas = zip(edges.overlap.tolist(), edges.union.tolist(), strict=True)
    assert len(set(names)) == len(names)
    return {name: Fraction(*area) for name, area in zip(names, areas, strict=True)}


def found_in(gold, hyp, src, tgt, **options):
    return bead_edges(beads_of(gold), beads_of(hyp), arrays(src), arrays(tgt), **options)


@settings(max_examples=60)
@given(cases(), st.sampled_from([1, 2, 5, 1 << 20]))
def test_edges_are_those_of_the_definition_in_chunks_of_any_size(case, chunk):
    gold, hyp, src, tgt = case
    found = found_in(*case, at_once=chunk)
    for k, edges in enumerate(found):
        assert named(edges, gold, hyp) == slow.edges(gold, hyp, src[k], tgt[k])


@st.composite
def discontinuous(draw_):
    """Bisegments that begin and often end alike: what lies between has to tell them apart."""

    def beads():
        inner = st.frozensets(st.integers(1, 4), min_size=1, max_size=3)
        side = st.tuples(inner, st.sampled_from([5, 5, 6])).map(lambda x: x[0] | {0, x[1]})
        return draw_(st.lists(st.tuples(side, side), max_size=6))

    return distinct(beads()), distinct(beads())


@given(discontinuous())
def test_ties_of_bisegments_that_begin_and_end_alike_are_settled_by_their_members(case):
    gold, hyp = case
    ones = [1] * 7
    (edges,) = found_in(gold, hyp, [ones], [ones])
    assert named(edges, gold, hyp) == slow.edges(gold, hyp, ones, ones)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (((0,), (1, 2)), ((1,), (0, 1))),
        (((0,), (0, 1)), ((0,), (1, 2))),
        (((0, 1), (0, 1, 2)), ((0, 2), (0, 1, 2))),
        (((0,), (0, 1)), ((0,), (0, 2))),
        (((0, 1, 4), (0,)), ((0, 2, 4), (0,))),
        (((0, 4), (0, 1, 4)), ((0, 4), (0, 2, 4))),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_ties_go_by_first_members_then_by_last_then_by_all(left, right, turned):
    whole, beads = [(range(5), range(5))], [left, right]
    if turned:
        beads.reverse()
    (edges,) = found_in(whole, [*beads, ((0, 1, 2, 3), ())], [[1] * 5], [[1] * 5])
    # Both find the whole, which makes an edge for each; so what the whole finds is looked at.
    mine = kernel.closest(
        *(beads_of(whole), np.zeros(1, dtype=np.int64), beads_of(beads)),
        *(np.array([[len(s) * len(t) for s, t in beads]]), (np.ones((1, 5), int),) * 2),
    )
    assert beads[mine[0][0][0]] == left
    assert edges.gold.size == 3


def test_edges_come_in_order_with_lone_proposed_ones_last():
    gold = [((0,), (0,)), ((1,), (1,)), ((2,), (2,)), ((3,), (3,))]
    hyp = [((9,), (9,)), ((3, 2), (2, 3)), ((0,), (0,)), ((), (1,))]
    (edges,) = found_in(gold, hyp, [[1] * 10], [[1] * 10])
    assert edges.gold.tolist() == [0, 1, 2, 3, -1, -1]
    assert edges.hyp.tolist() == [2, -1, 1, 1, 0, 3]
    assert edges.overlap.tolist() == [1, 0, 1, 1, 0, 0]
    assert edges.union.tolist() == [1, 1, 4, 4, 1, 1]
    assert edges.weights.tolist() == [1, 0, 0.25, 0.25, 0, 0]


def test_areas_are_exact_where_floats_are_not():
    n = 1 << 29
    # Two overlaps that differ by one in 2^58: the second is the larger.
    src, tgt = [[n - 1, n, 1]], [[n, n + 1, 1]]
    gold = [((0, 1), (0, 1))]
    (edges,) = found_in(gold, [((0,), (1,)), ((1,), (0,))], src, tgt)
    assert edges.overlap.tolist() == [(n - 1) * (n + 1), n * n]
    assert edges.hyp.tolist() == [0, 1]
    (edges,) = found_in([((0, 1), (0, 1))], [((0, 2), (1, 2)), ((1, 2), (0, 2))], src, tgt)
    assert dict(zip(edges.hyp.tolist(), edges.overlap.tolist(), strict=True)) == {
        0: n * n - 1,
        1: n * n,
    }


def test_areas_beyond_64_bits_are_refused():
    with pytest.raises(InputError, match=r"bisegment 1 weighs 2,147,483,648 x 2,147,483,648"):
        found_in([((1,), (0,)), ((0,), (0,))], [], [[1 << 31, 1]], [[1 << 31]])


def timed(work):
    """Count the pairs that are worked off."""
    pairs = []
    shared = kernel.shared_weights

    def counting(mine, theirs, pair, *rest):
        pairs.append(pair[0].size)
        return shared(mine, theirs, pair, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "shared_weights", counting)
        found = work()
    return found, sum(pairs)


def test_a_huge_bisegment_meets_each_small_one_once():
    n = 20_000
    huge, small = [(range(n), range(n))], [((k,), (k,)) for k in range(n)]
    (edges,), pairs = timed(lambda: found_in(huge, small, np.ones((1, n)), np.ones((1, n))))
    assert edges.gold.size == n
    assert set(edges.overlap.tolist()) == {1}
    assert set(edges.union.tolist()) == {n * n}
    assert pairs == 2 * (n + n)  # on both sides, sought from both


def test_bisegments_in_both_are_not_looked_for():
    gold = [(range(k, k + 50), range(k, k + 50)) for k in range(200)]
    (edges,), pairs = timed(lambda: found_in(gold, gold[::-1], [[1] * 300], [[1] * 300]))
    assert edges.weights.tolist() == [1] * 200
    assert pairs == 0


@pytest.mark.parametrize("exchanged", [False, True])
def test_bisegments_meet_through_the_side_on_which_they_meet_fewer(exchanged):
    n = 300
    gold, hyp = ([((0,), (2 * k, 2 * k + 1 + d)) for k in range(n)] for d in (0, 1))
    if exchanged:
        gold, hyp = ([(t, s) for s, t in beads] for beads in (gold, hyp))
    _, pairs = timed(lambda: found_in(gold, hyp, [[1] * 1000], [[1] * 1000]))
    assert pairs < 20 * n


def test_empty_sides_do_not_all_meet():
    n = 3_000
    gold, hyp = ([((), (2 * k, 2 * k + 1 + d)) for k in range(n)] for d in (0, 2))
    (edges,), pairs = timed(lambda: found_in(gold, hyp, [[]], [[1] * (2 * n + 3)]))
    assert pairs < 20 * n
    assert set(edges.union.tolist()) == {3}
    # Nor do they meet those whose other side is not empty, though they share much.
    gold, hyp = [((), (0, k)) for k in range(1, n)], [((k,), (0, k)) for k in range(1, n)]
    (edges,), pairs = timed(lambda: found_in(gold, hyp, [[1] * n], [[1] * n]))
    assert pairs == 0
    assert set(edges.overlap.tolist()) == {0}
