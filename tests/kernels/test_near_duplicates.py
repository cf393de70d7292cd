"""Clusters of near-duplicates, held against the comparison of all pairs."""

import random

import numpy as np
import pytest

from bitext.kernels.arrays import Rows, joined_labels
from bitext.kernels.near_duplicates import NearDuplicates, near_duplicate_clusters


def rows(sets):
    sizes = [len(each) for each in sets]
    members = [token for each in sets for token in sorted(each)]
    return Rows(np.cumsum([0, *sizes]), np.array(members, dtype=np.uint32))


def exact(sets, threshold):
    """Single linkage over all pairs."""
    label = list(range(len(sets)))
    for k, one in enumerate(sets):
        for j in range(k):
            if len(one & sets[j]) >= threshold * len(one | sets[j]) and label[j] != label[k]:
                low, high = sorted((label[j], label[k]))
                label = [low if each == high else each for each in label]
    return label


def nearest(sets, threshold):
    """The coefficient of each set and the nearest before it that passed, over all pairs."""
    passed, values = [], []
    for one in sets:
        near = [len(one & other) / len(one | other) for other in passed]
        value = max((each for each in near if each >= threshold), default=0)
        if one and not value:
            passed.append(one)
        values.append(value)
    return values


def changed_sets(seed):
    """Sets of frequent and rare tokens; copies of some with a few tokens lost or added."""
    rng = random.Random(seed)
    sets = []
    for _ in range(60):
        base = {int(rng.paretovariate(0.6)) % 2**32 for _ in range(rng.randrange(3, 30))}
        sets.append(base)
        for _ in range(rng.randrange(4)):
            changed = set(rng.sample(sorted(base), max(len(base) - rng.randrange(4), 1)))
            sets.append(changed | {rng.randrange(2**32) for _ in range(rng.randrange(2))})
    rng.shuffle(sets)
    return sets


@pytest.mark.parametrize("threshold", [0.55, 0.7, 0.8, 0.9, 1])
def test_clusters_are_those_of_all_pairs(threshold):
    sets = changed_sets(3)
    labels = near_duplicate_clusters(rows(sets), threshold=threshold)
    assert labels.tolist() == exact(sets, threshold)


@pytest.mark.parametrize("threshold", [0.55, 0.7, 0.8, 0.9, 1])
def test_near_duplicates_in_one_pass_are_those_of_all_pairs(threshold):
    sets = [*changed_sets(4), set(), {7}, {7}, set(), *changed_sets(4)[:20]]
    known = NearDuplicates(threshold)
    assert known.nearest(rows(sets)).tolist() == nearest(sets, threshold)
    by_parts = NearDuplicates(threshold)
    parts = [by_parts.nearest(rows(sets[k : k + 17])).tolist() for k in range(0, len(sets), 17)]
    # A near-duplicate that was rejected in the same part may be nearer to a later one that passed.
    assert [value > 0 for part in parts for value in part] == [
        value > 0 for value in nearest(sets, threshold)
    ]


def test_near_duplicates_of_many_sets():
    """The index has several runs, and its bitmap grows."""
    generator = np.random.default_rng(5)
    tokens = np.sort(generator.integers(0, 2**32, (12_000, 9)), axis=1)
    sets = Rows(np.arange(0, tokens.size + 1, 9), tokens.ravel())
    known = NearDuplicates(0.8)
    assert not known.nearest(sets).any()
    tokens[:, 4] = tokens[:, 3] + 1
    assert (known.nearest(sets) == 0.8).all()


def test_sets_with_frequent_tokens_in_common_are_not_joined():
    sets = [{1, 2, 3, 4, 1_000 + k, 2_000 + k} for k in range(400)]
    assert near_duplicate_clusters(rows(sets), threshold=0.6).tolist() == list(range(400))


def test_all_of_a_large_group_of_near_duplicates():
    fixed = set(range(1, 29))
    sets = [fixed | {1000 + k, 9000 + 3 * k} for k in range(600)]
    assert not near_duplicate_clusters(rows(sets), threshold=0.8).any()
    assert (NearDuplicates(0.8).nearest(rows(sets)) > 0).tolist() == [False] + [True] * 599


def test_no_sets_and_equal_ones():
    assert near_duplicate_clusters(rows([]), threshold=0.8).tolist() == []
    assert near_duplicate_clusters(rows([{5}, {6}, {5}, {5}]), threshold=0.8).tolist() == [
        0,
        1,
        0,
        0,
    ]


def test_chains_are_joined_to_their_least_member():
    one, other = np.array([4, 3, 2, 1]), np.array([3, 2, 1, 0])
    assert joined_labels(np.arange(6), one, other).tolist() == [0, 0, 0, 0, 0, 5]
