"""Paths: counted, numbered, drawn and listed as the slow version has them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.kernels.lattice_path import (
    all_paths,
    arc_log2,
    count_paths,
    draw_paths,
    paths_at,
    random_shares,
    successors,
    walk_arcs,
)
from reference import paths_slow


def graph_of(arcs, nodes):
    tail, head = np.array(arcs, dtype=np.int64).reshape(-1, 2).T
    return successors(tail, head, nodes)


def listed(rows):
    return [rows.row(k).tolist() for k in range(len(rows.ptr) - 1)]


@st.composite
def graphs(draw):
    nodes = draw(st.integers(1, 8))
    arcs = [
        (tail, head)
        for tail in range(nodes - 1)
        for head in sorted(draw(st.sets(st.integers(tail + 1, nodes - 1), min_size=1)))
    ]
    return draw(st.permutations(arcs)), nodes


def ladder(rungs):
    """Two ways at each of so many steps: nodes 3k, then 3k+1 or 3k+2, then 3k+3."""
    arcs = [
        arc
        for k in range(0, 3 * rungs, 3)
        for arc in ((k, k + 1), (k, k + 2), (k + 1, k + 3), (k + 2, k + 3))
    ]
    return graph_of(arcs, 3 * rungs + 1)


@given(graphs())
def test_all_paths_and_their_numbers_are_those_of_the_slow_version(made):
    arcs, nodes = made
    graph = graph_of(arcs, nodes)
    expected = paths_slow.all_paths(arcs, nodes - 1)
    assert listed(all_paths(graph)) == expected
    assert count_paths(graph) == [
        len(paths_slow.all_paths(arcs, nodes - 1, node)) for node in range(nodes)
    ]
    chances = [paths_slow.walk_probability(arcs, path) for path in expected]
    assert 2 ** arc_log2(graph, all_paths(graph)) == pytest.approx(chances)
    assert sum(chances) == pytest.approx(1)


@given(graphs(), st.integers(0, 10), st.integers(0, 2**80), st.integers(0, 99))
def test_draws_are_paths_and_a_draw_is_known_by_its_number(made, draws, seed, first):
    arcs, nodes = made
    graph = graph_of(arcs, nodes)
    known = paths_slow.all_paths(arcs, nodes - 1)
    for kind in (draw_paths, walk_arcs):
        drawn = listed(kind(graph, draws, seed=seed, first=first))
        assert len(drawn) == draws
        assert all(path in known for path in drawn)
        assert drawn == listed(kind(graph, first + draws, seed=seed))[first:]


def test_the_first_paths_come_first():
    graph = ladder(3)
    assert listed(all_paths(graph, limit=3)) == listed(all_paths(graph))[:3]
    assert listed(all_paths(graph, limit=0)) == []
    assert arc_log2(graph, all_paths(graph, limit=0)).tolist() == []
    assert count_paths(graph)[0] == len(listed(all_paths(graph, limit=100))) == 8


def test_numbers_beyond_64_bits_are_exact():
    graph = ladder(100)
    counts = count_paths(graph)
    assert counts[0] == 2**100
    last = paths_at(graph, [2**100 - 1], counts)
    assert last.idx.tolist() == sorted([*range(0, 301, 3), *range(2, 300, 3)])
    assert arc_log2(graph, last).tolist() == [-100.0]
    # The bits of a place are the ways that its path takes.
    place = 0x123456789ABCDEF0123456789
    path = set(paths_at(graph, [place], counts).idx.tolist())
    assert sum((3 * k + 2 in path) << (99 - k) for k in range(100)) == place
    drawn = map(set, listed(draw_paths(graph, 2000, seed=3, counts=counts)))
    ways = [[3 * k + 2 in path for k in range(100)] for path in drawn]
    # Each way is taken 1000 times of 2000 give or take: 5 standard deviations are 112.
    assert (np.abs(np.sum(ways, axis=0) - 1000) < 112).all()
    assert len({tuple(way) for way in ways}) == 2000


def test_a_walk_and_a_path_differ_in_what_is_equally_likely():
    # One way of one path, one way of three: 1/2 against 1/4.
    arcs = [(0, 1), (0, 2), (1, 6), (2, 3), (2, 4), (2, 5), (3, 6), (4, 6), (5, 6)]
    graph = graph_of(arcs, 7)
    for kind, wanted in (
        (walk_arcs, [3000, 1000, 1000, 1000]),
        (draw_paths, [1500, 1500, 1500, 1500]),
    ):
        found = Counter(map(tuple, listed(kind(graph, 6000, seed=11))))
        seen = [found[tuple(path)] for path in listed(all_paths(graph))]
        chi = sum((s - w) ** 2 / w for s, w in zip(seen, wanted, strict=True))
        assert chi < 16.3  # beyond it once in a thousand seeds, at 3 degrees of freedom


def test_the_draws_of_a_seed_never_change():
    graph = ladder(8)
    assert walk_arcs(graph, 2, seed=1).idx.tolist() == WALKS
    assert draw_paths(graph, 2, seed=1).idx.tolist() == DRAWS
    assert random_shares(1, np.arange(2)).tolist() == SHARES
    assert listed(walk_arcs(graph, 5, seed=2)) != listed(walk_arcs(graph, 5, seed=2 + 2**64))


def test_the_random_shares_are_spread_evenly():
    shares = random_shares(4, np.arange(10_000))
    assert 0 <= shares.min() <= shares.max() < 1
    tenths = np.bincount((shares * 10).astype(int), minlength=10)
    assert ((tenths - 1000) ** 2 / 1000).sum() < 27.9  # once in a thousand seeds, at 9


def test_a_graph_of_one_node_has_one_path():
    graph = graph_of([], 1)
    assert listed(all_paths(graph)) == [[0]]
    assert listed(walk_arcs(graph, 2, seed=1)) == listed(draw_paths(graph, 2, seed=1)) == [[0], [0]]


@pytest.mark.parametrize(
    ("arcs", "nodes", "message"),
    [
        ([(0, 1), (2, 1)], 3, "an arc from node 2 to node 1 of 3: want arcs that go up"),
        ([(0, 3)], 3, "an arc from node 0 to node 3 of 3"),
        ([(0, 1), (0, 1)], 2, "from node 0 to node 1 stands twice"),
        ([(0, 2)], 3, "no arc leaves node 1 of 3"),
    ],
)
def test_what_is_no_such_graph_is_refused(arcs, nodes, message):
    with pytest.raises(InputError, match=message):
        graph_of(arcs, nodes)


def test_a_place_that_is_none_and_a_seed_below_0_are_refused():
    graph = ladder(2)
    with pytest.raises(InputError, match="path 4 of 4: want a place from 0 to 3"):
        paths_at(graph, [0, 4])
    with pytest.raises(InputError, match="path -1 of 4"):
        paths_at(graph, [-1])
    with pytest.raises(OptionError, match="the seed is -1: want 0 or more"):
        walk_arcs(graph, 1, seed=-1)


WALKS = [
    0,
    1,
    3,
    4,
    6,
    8,
    9,
    10,
    12,
    13,
    15,
    16,
    18,
    20,
    21,
    22,
    24,
    0,
    1,
    3,
    4,
    6,
    7,
    9,
    11,
    12,
    13,
    15,
    16,
    18,
    19,
    21,
    22,
    24,
]
DRAWS = [
    0,
    1,
    3,
    5,
    6,
    7,
    9,
    10,
    12,
    13,
    15,
    16,
    18,
    19,
    21,
    23,
    24,
    0,
    1,
    3,
    5,
    6,
    7,
    9,
    11,
    12,
    13,
    15,
    17,
    18,
    19,
    21,
    23,
    24,
]
SHARES = [0.2558852031320078, 0.3350425609216934]
