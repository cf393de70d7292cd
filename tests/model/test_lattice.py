import copy
import pickle
from itertools import pairwise, permutations
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import LatticeError
from bitext.model import Cluster, Lattice, Sentence, Token


def cluster_of(*texts):
    return Cluster([Sentence(text.split()) for text in texts])


@st.composite
def grouped(draw):
    """Groups of words, with or without an order that all sentences have in common."""
    count = draw(st.integers(1, 4))
    number = st.integers(0, 5)
    if draw(st.booleans()):
        rows = [sorted(draw(st.sets(number, min_size=1, max_size=4))) for _ in range(count)]
    else:
        rows = draw(
            st.lists(st.lists(number, min_size=1, max_size=4), min_size=count, max_size=count)
        )
    return rows


def made(rows):
    cluster = Cluster([Sentence([f"w{number}" for number in row]) for row in rows])
    return Lattice(cluster, rows)


def has_order(rows):
    """Tell by trying them all whether some order of the groups ascends along every row."""
    numbers = sorted({number for row in rows for number in row})
    return any(
        all(order.index(a) < order.index(b) for row in rows for a, b in pairwise(row))
        for order in permutations(numbers)
    )


MILAN = made([[7, 8, 1], [9, 8, 1], [9, 3]])


def test_parts_of_a_lattice():
    assert len(MILAN) == 7
    assert (MILAN.start, MILAN.accept) == (0, 6)
    assert [MILAN.path(k) for k in range(3)] == [[0, 1, 3, 4, 6], [0, 2, 3, 4, 6], [0, 2, 5, 6]]
    assert MILAN.members(3) == [(0, 1), (1, 1)]
    assert MILAN.members(0) == MILAN.members(6) == []
    assert MILAN.successors() == [[1, 2], [3], [3, 5], [4], [6], [6], []]
    assert repr(MILAN) == "<Lattice of 3 sentences, 8 words: 7 nodes, 8 arcs>"


def test_arcs_tell_who_takes_them():
    tails, heads = MILAN.arcs.tail.tolist(), MILAN.arcs.head.tolist()
    who = [MILAN.arcs.sentences.row(k).tolist() for k in range(len(tails))]
    assert list(zip(tails, heads, who, strict=True)) == [
        (0, 1, [0]),
        (0, 2, [1, 2]),
        (1, 3, [0]),
        (2, 3, [1]),
        (2, 5, [2]),
        (3, 4, [0, 1]),
        (4, 6, [0, 1]),
        (5, 6, [2]),
    ]


def test_a_node_is_called_as_most_of_its_words_are():
    tokens = [Token("Sea", "NNP"), Token("sea", "NN"), Token("sea", "NNP"), Token("SEA", "NN")]
    lattice = Lattice(Cluster([Sentence([token]) for token in tokens]), [[0]] * 4)
    assert lattice.form(1) == "sea"
    assert lattice.pos(1) == "NNP"  # as often as NN, and earlier
    assert lattice.tokens(1) == tokens
    assert lattice.form(0) == lattice.pos(2) == ""


def test_a_sentence_by_itself_is_a_chain():
    lattice = Lattice(cluster_of("a b"), [[5, -3]])
    assert lattice.path(0) == [0, 1, 2, 3]
    assert lattice.arcs.head.tolist() == [1, 2, 3]


def test_equal_sentences_may_share_all():
    lattice = made([[0, 1]] * 3)
    assert len(lattice) == 4
    assert lattice.arcs.sentences.row(1).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("texts", "groups", "told"),
    [
        (["a b"], [[0]], r"groups of \[1\] words for sentences of \[2\]: want one group a word"),
        (["a b"], [[0, 1], [2]], r"groups of \[2, 1\] words for sentences of \[2\]"),
        (["a b"], [[nan, nan]], "a word has the group nan: want a number for each word"),
        (["x a a"], [[5, 0, 0]], r"word 2 \('a'\) of sentence 1 is in or after a cycle"),
        (["x a b", "b a"], [[9, 0, 1], [1, 0]], r"word 2 \('a'\) of sentence 1 is in or after a"),
        (["a b", "b c", "c a"], [[0, 1], [1, 2], [2, 0]], r"word 1 \('a'\) of sentence 1"),
    ],
)
def test_what_is_refused(texts, groups, told):
    with pytest.raises(LatticeError, match=told):
        Lattice(cluster_of(*texts), groups)


def test_equality_is_by_cluster_and_shared_words():
    rows = [[0, 1], [2, 1]]
    lattice = made(rows)
    renumbered = Lattice(lattice.cluster, [[10, -1], [7, -1]])
    assert lattice == renumbered
    assert hash(lattice) == hash(renumbered)
    assert lattice != Lattice(lattice.cluster, [[0, 1], [2, 3]])
    assert lattice != Lattice(Cluster(lattice.cluster.sentences, id="x"), rows)
    assert lattice != rows


def test_a_lattice_does_not_change_and_can_be_copied():
    lattice = Lattice(cluster_of("a b", "a"), [[0, 1], [0]], [((0, 0), (1, 0))])
    for other in (pickle.loads(pickle.dumps(lattice)), copy.deepcopy(lattice)):
        assert other == lattice
        assert other.pairs == (((0, 0), (1, 0)),)
        assert other.members(1) == lattice.members(1)
        assert np.array_equal(other.arcs.tail, lattice.arcs.tail)
    with pytest.raises(AttributeError, match="Lattice does not change"):
        lattice.pairs = ()


@given(grouped())
def test_there_is_a_lattice_just_when_there_is_an_order(rows):
    try:
        lattice = made(rows)
    except LatticeError:
        assert not has_order(rows)
        return
    assert has_order(rows)
    # Words share a node just when they share a group, and nodes ascend along every sentence.
    node = {}
    for row, numbers in enumerate(rows):
        path = lattice.path(row)
        assert path[0] == lattice.start
        assert path[-1] == lattice.accept
        assert path == sorted(set(path))
        for number, found in zip(numbers, path[1:-1], strict=True):
            assert node.setdefault(number, found) == found
    assert sorted(node.values()) == list(range(1, len(lattice) - 1))
    # Members and arcs tell the same as the paths.
    places = [
        (lattice.path(s)[w + 1], (s, w)) for s, row in enumerate(rows) for w in range(len(row))
    ]
    for number in range(len(lattice)):
        assert lattice.members(number) == [place for at, place in places if at == number]
    steps = {}
    for row in range(len(rows)):
        path = lattice.path(row)
        for step in pairwise(path):
            steps.setdefault(step, []).append(row)
    arcs = lattice.arcs
    ends = list(zip(arcs.tail.tolist(), arcs.head.tolist(), strict=True))
    assert ends == sorted(steps)
    assert [arcs.sentences.row(k).tolist() for k in range(len(ends))] == [
        steps[end] for end in ends
    ]


@given(grouped())
def test_of_all_numberings_it_has_that_of_the_earliest_words(rows):
    try:
        lattice = made(rows)
    except LatticeError:
        return
    first = {}
    for s, row in enumerate(rows):
        for w, number in enumerate(row):
            first.setdefault(number, (s, w))
    before = {number: set() for number in first}
    for row in rows:
        for a, b in pairwise(row):
            before[b].add(a)
    order = []
    while len(order) < len(first):
        ready = [n for n in first if n not in order and before[n] <= set(order)]
        order.append(min(ready, key=first.__getitem__))
    for s, row in enumerate(rows):
        assert lattice.path(s)[1:-1] == [order.index(number) + 1 for number in row]


def test_long_sentences_and_many_are_no_matter():
    size = 20_000
    lattice = Lattice(Cluster([Sentence(["x"] * size)] * 3), [range(size)] * 3)
    assert len(lattice) == size + 2
    wide = Lattice(Cluster([Sentence(["x"])] * size), [[k] for k in range(size)])
    assert len(wide.arcs.tail) == 2 * size


def test_nodes_and_sentences_may_be_counted_from_the_end():
    lattice = Lattice(Cluster([Sentence(["a", "b"]), Sentence(["a", "c"])]), [[0, 1], [0, 2]])
    last = len(lattice) - 2
    assert lattice.members(-2) == lattice.members(last) != []
    assert lattice.path(-1) == lattice.path(1)
    with pytest.raises(IndexError, match="node 5 of 5"):
        lattice.form(5)
    with pytest.raises(IndexError, match="sentence 2 of 2"):
        lattice.path(2)
