import numpy as np
import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st
from segeval.format import BoundaryFormat

from bitext.metrics.segmentation.boundary_similarity import (
    boundary_confusion,
    boundary_confusion_matrix,
)
from bitext.metrics.significance import figures
from bitext.model import Counts, Segmentation
from reference.draw_segmentations import pairs, random_pair, typed_sets


def test_a_near_miss_is_half_a_hit():
    found = boundary_confusion(Segmentation([1, 2]), Segmentation([2, 1]))
    assert found == Counts(0.5, 1, 1)
    assert found.f1 == 0.5


def test_precision_is_over_the_hypothesis():
    gold, hyp = Segmentation([2, 2, 2, 2]), Segmentation([2, 6])
    found = boundary_confusion(gold, hyp)
    assert (found.precision, found.recall) == (1, 1 / 3)
    matrix = boundary_confusion_matrix(gold, hyp)
    assert matrix.table.tolist() == [[1, 0], [2, 0]]
    assert "None" in repr(matrix)


def test_longer_shifts_bring_less():
    gold = Segmentation([3, 5])
    hits = [
        boundary_confusion(gold, Segmentation([3 + d, 5 - d]), max_transposition=3).hits
        for d in range(5)
    ]
    assert hits == [1, 0.75, 0.5, 0.25, 0]


def test_without_boundaries_there_is_nothing_to_measure():
    found = boundary_confusion(Segmentation([1]), Segmentation([1]))
    assert found.undefined == "nothing proposed, nothing expected"


def test_a_substitution_is_a_miss_of_both_types():
    gold = Segmentation([2, 2], types=[{"a"}])
    hyp = Segmentation([2, 2], types=[{"b"}])
    matrix = boundary_confusion_matrix(gold, hyp)
    assert matrix.types == ("a", "b")
    assert matrix.table.tolist() == [[0, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert matrix.by_type == {"a": Counts(0, 0, 1), "b": Counts(0, 1, 0)}
    assert boundary_confusion(gold, hyp) == Counts(0, 1, 1)


@given(st.lists(pairs(most=30), max_size=5), st.lists(typed_sets(), max_size=3), st.integers(0, 4))
def test_many_are_as_one_by_one_and_as_the_matrix(bare, typed, reach):
    golds, hyps = [g for g, _ in bare], [h for _, h in bare]
    golds += [Segmentation.from_types(g) for g, _ in typed]
    hyps += [Segmentation.from_types(h) for _, h in typed]
    many = boundary_confusion.many(golds, hyps, max_transposition=reach)
    assert many.counts.shape == (len(golds), 4)
    assert figures(many.counts.sum(axis=0)).shape == (3,)
    for gold, hyp, row in zip(golds, hyps, many, strict=True):
        assert row == boundary_confusion(gold, hyp, max_transposition=reach)
        total = boundary_confusion_matrix(gold, hyp, max_transposition=reach).total
        assert row.hits == pytest.approx(total.hits)
        assert (row.proposed, row.expected) == (total.proposed, total.expected)
        assert 0 <= row.hits <= min(row.proposed, row.expected)


def theirs_as_ours(matrix, types):
    """Return segeval's matrix as an array, its additions put where they belong."""
    keys = [*types, None]
    table = np.array([[float(matrix[row][column]) for column in keys] for row in keys])
    table[:-1, -1], table[-1, :-1] = table[-1, :-1].copy(), table[:-1, -1].copy()
    return table


def test_the_matrix_is_that_of_segeval_but_for_the_side_of_additions():
    rng = np.random.default_rng(5)
    for _ in range(500):
        gold, hyp = random_pair(rng)
        if len(gold) + len(hyp) == 2:
            continue  # it fails there
        matrix = segeval.boundary_confusion_matrix(tuple(hyp), tuple(gold))
        ours = boundary_confusion_matrix(gold, hyp, script="greedy")
        assert ours.table.tolist() == theirs_as_ours(matrix, [1]).tolist()


def test_the_matrix_with_types_is_that_of_segeval():
    rng = np.random.default_rng(6)
    for _ in range(300):
        n = int(rng.integers(2, 12))
        sets = [
            tuple(frozenset(t for t in (1, 2, 3) if rng.random() < 0.3) for _ in range(n))
            for _ in range(2)
        ]
        if not any(sets[0] + sets[1]):
            continue
        matrix = segeval.boundary_confusion_matrix(*sets[::-1], boundary_format=BoundaryFormat.sets)
        gold, hyp = map(Segmentation.from_types, sets)
        ours = boundary_confusion_matrix(gold, hyp, script="greedy")
        assert ours.table.tolist() == theirs_as_ours(matrix, ours.types).tolist()


def test_segeval_exchanges_precision_and_recall():
    # Gold has three boundaries, and the hypothesis one of them.
    matrix = segeval.boundary_confusion_matrix((2, 6), (2, 2, 2, 2))
    assert float(segeval.precision(matrix, classification=1)) == pytest.approx(1 / 3)
    assert float(segeval.recall(matrix, classification=1)) == 1
