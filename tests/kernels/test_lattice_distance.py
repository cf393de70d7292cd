"""The edit distance to the nearest path of a graph, against all paths one by one."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.kernels.arrays import Rows, prefix
from bitext.kernels.lattice_distance import (
    DistanceKernels,
    distance_kernels,
    distances,
    layers,
    left_out_distance,
    load_distance_kernels,
    near_distances,
    nearest_distances,
)
from bitext.metrics import edgain
from bitext.model import Cluster, Sentence
from bitext.model.lattice import WordGroups
from reference import lattice_figures_slow as slow

WORDS = st.lists(st.integers(0, 3), max_size=6)


def ints(values):
    return np.array(values, dtype=np.int64)


def distance(graph, words):
    return int(distances(graph, np.zeros(len(graph.last), dtype=np.int64), [words])[0])


def side_by_side(sequences):
    """Return the graph whose paths are some sequences of words, without common nodes."""
    arcs, held, last = [], [[]], sum(map(len, sequences)) + 1
    for sequence in sequences:
        before = 0
        for word in sequence.tolist():
            arcs.append((before, before := len(held)))
            held.append([word])
        arcs.append((before, last))
    return graph_of(sorted({*arcs}), [*held, []])


def graph_of(arcs, held):
    labels = Rows(prefix(ints([len(h) for h in held])), ints([w for h in held for w in sorted(h)]))
    return layers(ints([a for a, _ in arcs]), ints([b for _, b in arcs]), labels)


@st.composite
def graphs(draw):
    """Draw an acyclic graph as sets of successors, with a set of words at every inner node."""
    nodes = draw(st.integers(2, 8))
    after = [
        sorted(draw(st.sets(st.integers(k + 1, nodes - 1), min_size=1))) for k in range(nodes - 1)
    ]
    for node in range(1, nodes):  # everything is on a way from the start
        if not any(node in row for row in after):
            after[0] = sorted({*after[0], node})
    inner = st.sets(st.integers(0, 3), min_size=1, max_size=3)
    return after, [set(), *(draw(inner) for _ in range(nodes - 2)), set()]


def paths(after):
    waiting, found = [[0]], []
    while waiting:
        path = waiting.pop()
        if path[-1] == len(after):
            found.append(path[1:-1])
        else:
            waiting += [[*path, node] for node in after[path[-1]]]
    return found


def built(after, held):
    return graph_of([(k, node) for k, row in enumerate(after) for node in row], held)


@given(graphs(), WORDS)
def test_distance_is_that_of_the_nearest_path(graph, words):
    after, held = graph
    want = min(slow.edits(tuple(held[n] for n in path), tuple(words)) for path in paths(after))
    assert distance(built(after, held), ints(words)) == want


@given(st.lists(st.tuples(graphs(), WORDS), min_size=1, max_size=4))
def test_graphs_beside_each_other_are_compared_as_each_alone(both):
    arcs, held, owner = [], [[]], [0]
    for k, ((after, words), _) in enumerate(both):
        shift = len(held) - 1  # all have the start in common
        arcs += [(a + shift if a else 0, b + shift) for a, row in enumerate(after) for b in row]
        held += words[1:]
        owner += [k] * (len(words) - 1)
    graph = graph_of(arcs, held)
    found = distances(graph, ints(owner)[graph.order], [ints(words) for _, words in both])
    assert found.tolist() == [distance(built(*each), ints(words)) for each, words in both]


@given(st.lists(st.tuples(graphs(), WORDS), min_size=1, max_size=4), st.floats(0, 1))
def test_near_distances_are_distances_or_left_open(both, most):
    tail, head, held, owner = [], [], [[]], [0]
    for k, ((after, words), _) in enumerate(both):
        shift = len(held) - 1
        tail += [a + shift if a else 0 for a, row in enumerate(after) for _ in row]
        head += [b + shift for row in after for b in row]
        held += words[1:]
        owner += [k] * (len(words) - 1)
    labels = Rows(prefix(ints(list(map(len, held)))), ints([w for h in held for w in sorted(h)]))
    graph = ints(tail), ints(head), labels, ints(owner), [ints(words) for _, words in both]
    want = [distance(built(*each), ints(words)) for each, words in both]
    assert near_distances(*graph, most_visited=1).tolist() == want
    found = near_distances(*graph, most_visited=most).tolist()
    assert all(near in {far, -1} for near, far in zip(found, want, strict=True))


@st.composite
def held_out(draw):
    """Draw sentences, and the group of each word of them without each sentence in turn.

    The groups of a sentence ascend, so that no lattice has a circle.
    """
    forms = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6)
    texts = draw(st.lists(forms, min_size=2, max_size=6))
    groups = [
        sorted(draw(st.sets(st.integers(0, 11), min_size=len(text), max_size=len(text))))
        for text in texts
    ]
    return texts, groups


@pytest.fixture(scope="module", params=["plain", "compiled"])
def kernels(request):
    found = (
        DistanceKernels(left_out_distance) if request.param == "plain" else load_distance_kernels()
    )
    if found is None:
        pytest.skip("numba is not installed (the extra `fast`)")
    return found


@given(held_out())
def test_kernels_find_the_distances_of_left_out_sentences(kernels, drawn):
    texts, groups = drawn
    cluster = Cluster([Sentence(text) for text in texts])
    others = []
    for k in range(len(texts)):
        rest = groups[:k] + groups[k + 1 :]
        rows = Rows(prefix(ints(list(map(len, rest)))), ints([g for one in rest for g in one]))
        others.append(WordGroups(cluster.without(k), rows))
    with distance_kernels.using(None):
        wanted = edgain(cluster, others)
    with distance_kernels.using(kernels):
        assert edgain(cluster, others) == wanted


@given(st.lists(st.lists(st.integers(0, 3), max_size=30) | WORDS, min_size=2, max_size=9))
def test_the_nearest_other_sequence_of_each(sequences):
    found = nearest_distances([ints(sequence) for sequence in sequences])
    assert found.tolist() == [
        slow.nearest(sequences[:k] + sequences[k + 1 :], own) for k, own in enumerate(sequences)
    ]


def test_many_sequences_are_compared_in_several_steps():
    rng = np.random.default_rng(7)
    sequences = [rng.integers(0, 3, size=n) for n in (*range(90, 130), 1000, 1100, 3, 0)] * 2
    few = [ints(range(5)), *sequences[40:43]]
    assert nearest_distances(sequences).tolist() == [0] * len(sequences)  # each has its double
    want = [distance(side_by_side(few[:k] + few[k + 1 :]), one) for k, one in enumerate(few)]
    assert nearest_distances(few).tolist() == want


@given(graphs())
def test_no_arc_stays_within_a_layer(graph):
    after, held = graph
    found = built(after, held)
    layer = np.repeat(np.arange(len(found.bounds) - 1), np.diff(found.bounds))
    assert len(layer) == len(held)
    for node in range(len(held)):
        before = layer[found.tails.row(node)]
        assert layer[node] == (before.max() + 1 if before.size else 0)
    longest = max(map(len, paths(after)))
    assert len(found.bounds) - 1 == longest + 2


@given(st.lists(WORDS, min_size=1, max_size=5), WORDS)
def test_side_by_side_the_nearest_sequence_counts(sequences, words):
    found = distance(side_by_side([ints(sequence) for sequence in sequences]), ints(words))
    assert found == slow.nearest(sequences, words)


@given(WORDS, WORDS, WORDS)
def test_it_is_a_distance(a, b, c):
    def d(one, other):
        return distance(side_by_side([ints(one)]), ints(other))

    assert d(a, a) == 0
    assert d(a, b) == d(b, a) >= abs(len(a) - len(b))
    assert d(a, c) <= d(a, b) + d(b, c)


@pytest.mark.parametrize(
    ("one", "other", "want"),
    [("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("", "", 0), ("ab", "ba", 2)],
)
def test_known_distances(one, other, want):
    sides = [ints([ord(sign) for sign in side]) for side in (one, other)]
    assert distance(side_by_side([sides[0]]), sides[1]) == want


def test_a_graph_of_one_way_and_ten_thousand_words_keeps_few_rows():
    words = np.arange(4000) % 17
    graph = side_by_side([words])
    assert (graph.last[:-1] == np.arange(1, len(graph.last))).all()
    assert distance(graph, words[:50]) == 3950


def test_nodes_come_in_layers_whatever_their_numbers():
    # 0 -> 3 -> 1 -> 4 and 0 -> 2 -> 4: numbers do not ascend along the first way
    tail, head = ints([0, 3, 1, 0, 2]), ints([3, 1, 4, 2, 4])
    graph = layers(tail, head, Rows(ints([0, 0, 1, 2, 3, 3]), ints([7, 8, 9])))
    assert np.diff(graph.bounds).tolist() == [1, 2, 1, 1]
    assert distance(graph, ints([9, 7])) == 0
    assert distance(graph, ints([8])) == 0
    assert [b - a for a, b in pairwise(graph.tails.ptr.tolist())] == [0, 1, 1, 1, 2]
