"""Trees as plain arrays."""

import numpy as np
import pytest

from bitext.errors import InputError
from bitext.segment.rivals import Tree, Trees


def random_tree(rng, columns, depth):
    """A tree as lists, grown from the root."""
    nodes = [[0, 0.0, 0, 0, float(rng.normal())]]
    todo = [(0, 0)]
    deepest = 0
    while todo:
        k, level = todo.pop()
        deepest = max(deepest, level)
        if level == depth or rng.random() < 0.2:
            nodes[k][2] = nodes[k][3] = k
            continue
        for side in (2, 3):
            nodes[k][side] = len(nodes)
            todo.append((len(nodes), level + 1))
            nodes.append([0, 0.0, 0, 0, float(rng.normal())])
        nodes[k][:2] = [int(rng.integers(columns)), float(rng.integers(-2, 3))]
    column, threshold, left, right, value = map(np.array, zip(*nodes, strict=True))
    return Tree(column, threshold, left, right, value, deepest)


def answer(tree, row):
    k = 0
    while tree.left[k] != k:
        k = tree.left[k] if row[tree.column[k]] <= tree.threshold[k] else tree.right[k]
    return tree.value[k]


def test_sums_are_those_of_each_tree_walked_by_itself():
    rng = np.random.default_rng(5)
    trees = [random_tree(rng, 3, 4) for _ in range(20)]
    rows = rng.integers(-3, 4, size=(40, 3)).astype(float)
    wanted = []
    for row in rows:
        total = 0.5
        for tree in trees:
            total += answer(tree, row)
        wanted.append(total)
    assert Trees.of(trees, 0.5).sums(rows, at_once=50).tolist() == wanted  # in several blocks


def test_no_trees_give_their_base():
    assert Trees.of([], -2.0).sums(np.zeros((3, 0))).tolist() == [-2.0] * 3


def test_parts_come_back_and_broken_ones_are_refused():
    rng = np.random.default_rng(1)
    trees = Trees.of([random_tree(rng, 3, 3) for _ in range(4)], 0.0)
    header, arrays = trees.to_parts()
    again = Trees.from_parts(header, arrays, 3)
    rows = rng.normal(size=(9, 3))
    assert again.sums(rows).tolist() == trees.sums(rows).tolist()
    beyond = {**arrays, "trees.left": arrays["trees.left"] + 1000}
    with pytest.raises(InputError, match="point to what there is not"):
        Trees.from_parts(header, beyond, 3)
    with pytest.raises(InputError, match="point to what there is not"):
        Trees.from_parts(header, arrays, 1)
    with pytest.raises(InputError, match="point to what there is not"):
        Trees.from_parts({**header, "depth": 10**9}, arrays, 3)
    with pytest.raises(InputError, match=r"lacks the array 'trees\.value'"):
        Trees.from_parts(header, {}, 3)
    with pytest.raises(InputError, match="does not tell the base"):
        Trees.from_parts({}, arrays, 3)
    nans = {**arrays, "trees.value": arrays["trees.value"] * np.nan}
    with pytest.raises(InputError, match="want finite numbers"):
        Trees.from_parts(header, nans, 3)
