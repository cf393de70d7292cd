from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext import InputError
from bitext.reports.lattice import (
    Gap,
    Layers,
    crossings,
    itemise,
    lay_out,
    main_path,
    ranks,
    runs,
    untangle,
)
from reference.drawing_slow import best_sum, crossing_cost, longest_ranks, upon


@st.composite
def graphs(draw, most=7, words=9):
    """Draw the union of random paths: (nodes, arcs, weights) with nodes numbered along the arcs.

    Node 0 and the last are the ends; between are shared words and words of one path.
    """
    shared = draw(st.integers(1, words))
    paths, own = [], 0
    for _ in range(draw(st.integers(1, most))):
        path = []
        for word in range(shared):
            if draw(st.booleans()):
                path.append((word, 0))
            for _ in range(draw(st.integers(0, 2))):
                own += 1
                path.append((word + 0.5, own))
        paths.append(path or [(0, 0)])
    number = {name: k for k, name in enumerate(sorted({n for path in paths for n in path}), 1)}
    last = len(number) + 1
    steps = {}
    for path in paths:
        nodes = [0, *(number[name] for name in path), last]
        for step in pairwise(nodes):
            steps[step] = steps.get(step, 0) + 1
    arcs = sorted(steps)
    return last + 1, arcs, [steps[arc] for arc in arcs]


def laid(graph, **options):
    count, arcs, weights = graph
    widths = [10 + 17 * (node % 5) for node in range(count)]
    heights = [20 + 3 * (node % 3) for node in range(count)]
    thick = [1.5 * weight for weight in weights]
    shape = lay_out(widths, heights, arcs, weights=weights, thickness=thick, **options)
    return widths, heights, thick, shape


def boxes(widths, heights, shape):
    return [
        (x, y - h / 2, x + w, y + h / 2)
        for x, y, w, h in zip(shape.left, shape.y, widths, heights, strict=True)
    ]


@given(graphs())
def test_nodes_do_not_overlap_and_lie_within(graph):
    widths, heights, _, shape = laid(graph)
    found = boxes(widths, heights, shape)
    assert not upon(found)
    assert min(box[0] for box in found) >= 0
    assert min(box[1] for box in found) >= -1e-9
    assert max(box[2] for box in found) <= shape.width + 1e-9
    assert max(box[3] for box in found) <= shape.height + 1e-9


@given(graphs())
def test_arcs_go_right_from_edge_to_edge_and_never_over_a_node(graph):
    widths, heights, thick, shape = laid(graph)
    found = boxes(widths, heights, shape)
    for (tail, head), breadth, strands in zip(graph[1], thick, shape.strands, strict=True):
        assert shape.layer[tail] < shape.layer[head]
        if not strands:
            assert shape.run[tail] == shape.run[head]
            assert shape.left[head] == pytest.approx(shape.left[tail] + widths[tail] + 5)
            continue
        assert strands[0].left == pytest.approx(found[tail][2])
        assert strands[-1].right == pytest.approx(found[head][0])
        assert (strands[0].y, strands[-1].y) == (shape.y[tail], shape.y[head])
        for piece in strands:
            assert piece.left <= piece.right
            line = (piece.left, piece.y - breadth / 2, piece.right, piece.y + breadth / 2)
            assert not [k for k, box in enumerate(found) if upon([box, line])]
        for before, after in pairwise(strands):
            assert before.y != after.y
            assert before.right < after.left


@given(graphs())
def test_the_main_path_is_straight_and_words_of_a_run_stand_in_a_row(graph):
    _, _, _, shape = laid(graph)
    tail, head = np.array(graph[1]).T
    main = main_path(graph[0], tail, head, np.array(graph[2]))
    on = {*tail[main].tolist(), *head[main].tolist()}
    assert {0, graph[0] - 1} <= on
    assert len({shape.y[node] for node in on}) == 1
    for arc in np.flatnonzero(main):
        assert len(shape.strands[arc]) <= 1
    for a, b in graph[1]:
        if shape.run[a] == shape.run[b]:
            assert (shape.y[a], shape.layer[a] + 1) == (shape.y[b], shape.layer[b])


@given(graphs(most=5, words=5))
def test_the_main_path_shares_most(graph):
    count, arcs, weights = graph
    tail, head = np.array(arcs).T
    main = main_path(count, tail, head, np.array(weights))
    steps = dict(arcs[k] for k in np.flatnonzero(main))
    node = 0
    while node != count - 1:
        node = steps.pop(node)
    assert not steps
    assert (np.array(weights)[main] - 1).sum() == best_sum(count, arcs, weights)


@given(graphs())
def test_layers_ascend_and_are_as_few_as_the_longest_path(graph):
    count, arcs, _ = graph
    tail, head = np.array(arcs).T
    layer = ranks(runs(count, tail, head), tail, head)
    slow = longest_ranks(count, arcs)
    assert layer[0] == 0
    assert layer[-1] == slow[-1]
    assert (layer >= slow).all()
    assert (layer[tail] < layer[head]).all()


@given(graphs())
@settings(max_examples=25)
def test_the_layout_is_the_same_again_and_whatever_order_arcs_come_in(graph):
    count, arcs, weights = graph
    assert laid(graph)[-1] == laid(graph)[-1]
    turned = laid((count, arcs[::-1], weights[::-1]))[-1]
    # Ties between lines go by number, so only what does not depend on that is compared.
    assert turned.layer == laid(graph)[-1].layer


def test_runs_are_chains_without_the_ends():
    arcs = np.array([(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 5), (5, 6), (6, 7)])
    assert runs(8, *arcs.T).tolist() == [0, 1, 2, 1, 2, 3, 3, 4]


@given(graphs())
def test_crossings_are_those_of_pairs(graph):
    items = _items(graph)
    random = np.random.default_rng(len(items.node))
    place = _shuffled(items.layers, random)
    assert crossings(items.layers, place) == crossing_cost(items.layers.gaps, place)


@given(graphs())
def test_untangling_orders_each_layer_lets_no_rigid_lines_cross_and_does_not_harm(graph):
    items = _items(graph)
    start = np.arange(len(items.node), dtype=float)
    place = untangle(items.layers, start)
    for low, high in zip(items.layers.ptr[:-1], items.layers.ptr[1:], strict=True):
        assert sorted(place[low:high]) == list(range(high - low))
    for gap in items.layers.gaps:
        rigid = Gap(*(part[gap.rigid] for part in gap))
        assert crossing_cost([rigid], place) == 0


def test_untangling_undoes_a_knot():
    # Two layers of four; each item has one line, all turned around: no order of one layer by
    # itself is right until the other's is kept.
    gap = Gap(np.arange(4), np.array([7, 6, 5, 4]), np.ones(4, int), np.zeros(4, bool))
    layers = Layers(np.array([0, 4, 8]), [gap])
    assert crossings(layers, np.array([0, 1, 2, 3] * 2)) == 6
    assert crossings(layers, untangle(layers, np.arange(8.0))) == 0


def test_a_ladder_of_alternatives_has_no_crossing_and_lies_on_both_sides():
    # Five places where three words each are choices: the plainest lattice there is.
    arcs, node = [], 0
    for _ in range(5):
        join = node + 4
        arcs += [(node, node + k) for k in (1, 2, 3)] + [(node + k, join) for k in (1, 2, 3)]
        node = join
    weights = [2 if tail % 4 == 2 or head % 4 == 2 else 1 for tail, head in arcs]
    shape = lay_out([20] * 21, [20] * 21, arcs, weights=weights)
    assert [shape.y[k] for k in range(0, 21, 4)] == [shape.y[0]] * 6
    assert len(set(shape.y)) == 3
    assert all(shape.y[k] == shape.y[0] for k in range(2, 21, 4))
    assert shape.height == 20 * 3 + 7 * 2


def test_columns_are_not_as_wide_as_their_widest_word():
    # A long word beside three short ones: the short ones stand together under it.
    arcs = [(0, 1), (0, 2), (1, 5), (2, 3), (3, 4), (4, 5)]
    shape = lay_out([10, 100, 20, 20, 20, 10], [20] * 6, arcs, weights=[1] * 6)
    assert shape.left[4] + 20 == shape.left[2] + 70
    assert shape.width < 10 + 100 + 10 + 3 * 64


def test_one_path_is_a_line():
    shape = lay_out([10, 20, 20, 10], [10] * 4, [(0, 1), (1, 2), (2, 3)], weights=[1, 1, 1])
    assert len(set(shape.y)) == 1
    assert shape.strands[1] == []


@pytest.mark.parametrize(
    ("count", "arcs", "message"),
    [
        (1, [], "want arcs between its nodes"),
        (3, [(0, 1), (1, 5)], "want arcs between its nodes"),
        (3, [(0, 2)], "every node on a path"),
        (3, [(0, 1), (2, 1), (1, 2)], "tail < head"),
        (4, [(0, 1), (1, 2)], "every node on a path"),
    ],
)
def test_other_graphs_are_refused(count, arcs, message):
    with pytest.raises(InputError, match=message):
        lay_out([1] * count, [1] * count, arcs, weights=[1] * len(arcs))


def _items(graph):
    count, arcs, weights = graph
    tail, head = np.array(arcs).T
    run = runs(count, tail, head)
    return itemise(ranks(run, tail, head), run, tail, head, np.array(weights))


def _shuffled(layers, random):
    return np.concatenate([random.permutation(int(n)) for n in np.diff(layers.ptr)])
