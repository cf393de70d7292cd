"""Complete and average linkage, and shared features, against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.kernels.arrays import Rows, prefix
from bitext.kernels.matching import average_link, complete_link, shared_features
from reference import event_clusters_slow as slow
from reference.draw import sides


@st.composite
def tables(draw):
    n = draw(st.integers(1, 9))
    values = st.integers(0, draw(st.sampled_from([2, 4, 100])))
    return [[draw(values) if j > i else 0 for j in range(n)] for i in range(n)]


def groups_of(labels):
    return [np.flatnonzero(labels == first).tolist() for first in sorted(set(labels.tolist()))]


@given(tables(), st.integers(1, 5))
def test_groups_are_those_of_joining_one_by_one(table, threshold):
    found = complete_link(np.array(table, dtype=np.float64), threshold=threshold)
    assert groups_of(found) == slow.complete_link(table, threshold)
    assert all(found[k] == min(np.flatnonzero(found == found[k])) for k in range(len(table)))


def test_no_two_members_are_less_similar_than_the_threshold():
    rng = np.random.default_rng(5)
    table = np.triu(rng.random((60, 60)), 1)
    found = complete_link(table.copy(), threshold=0.6)
    for group in groups_of(found):
        assert all(table[a, b] >= 0.6 for a in group for b in group if a < b)
    assert max(map(len, groups_of(found))) > 1


def test_a_chain_is_not_joined_through_its_middle():
    # 0 is near 1, and 1 near 2, but 0 is far from 2: single link would join all three
    table = np.array([[0, 0.9, 0.1], [0, 0, 0.8], [0, 0, 0]])
    assert complete_link(table, threshold=0.5).tolist() == [0, 0, 2]


@given(tables(), st.integers(1, 5), st.none() | st.integers(1, 9))
def test_groups_by_average_are_those_of_joining_one_by_one(table, threshold, groups):
    given_table = np.array(table, dtype=np.float64)
    found = average_link(given_table, threshold=threshold, groups=groups)
    assert groups_of(found) == slow.average_link(table, threshold, groups)
    assert given_table.tolist() == table  # not overwritten
    if groups is not None:
        assert len(groups_of(found)) == min(groups, len(table))


def test_a_chain_is_joined_by_its_mean():
    # 2 is .8 from 1 and .1 from 0: .45 from both together.
    table = np.array([[0, 0.9, 0.1], [0, 0, 0.8], [0, 0, 0]])
    assert average_link(table, threshold=0.5).tolist() == [0, 0, 2]
    assert average_link(table, threshold=0.4).tolist() == [0, 0, 0]


@pytest.mark.parametrize("n", [0, 1])
def test_few_items_stay_alone(n):
    assert complete_link(np.zeros((n, n)), threshold=0.1).tolist() == list(range(n))
    assert average_link(np.zeros((n, n)), threshold=0.1).tolist() == list(range(n))


ITEMS = st.lists(sides(9, 6), max_size=8)


def rows_of(items):
    flat = [feature for item in items for feature in sorted(item)]
    lengths = np.array([len(item) for item in items], dtype=np.int64)
    return Rows(prefix(lengths), np.array(flat, dtype=np.int64))


@given(ITEMS, st.sampled_from([1, 3, 32]), st.sampled_from([1, 4, 1 << 21]))
def test_shared_features_are_those_of_both(items, common, block):
    found = shared_features(rows_of(items), common=common, at_once=block)
    assert found.tolist() == [[len(one & other) for other in items] for one in items]
