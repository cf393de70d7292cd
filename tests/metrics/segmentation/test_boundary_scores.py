import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import OptionError
from bitext.metrics.segmentation.boundary_scores import (
    boundary_accuracy,
    boundary_f,
    exact_segments,
)
from bitext.model import Counts, Ratio, Segmentation
from reference import boundary_scripts as slow
from reference.draw_segmentations import pairs


def test_a_tolerance_may_break_up_an_exact_match():
    # 2 and 2 are the same, yet 1 with 2 and 2 with 3 are two hits.
    gold, hyp = Segmentation([1, 1, 2]), Segmentation([2, 1, 1])
    assert boundary_f(gold, hyp) == Counts(1, 2, 2)
    assert boundary_f(gold, hyp, tolerance=1) == Counts(2, 2, 2)


def test_one_boundary_finds_one():
    gold, hyp = Segmentation([2, 2, 2]), Segmentation([3, 3])
    assert boundary_f(gold, hyp, tolerance=1) == Counts(1, 1, 2)


@given(pairs(most=7), st.integers(0, 5))
@settings(max_examples=150)
def test_hits_are_the_most_that_can_be(pair, tolerance):
    gold, hyp = (tuple(s.boundaries.tolist()) for s in pair)
    expected = slow.most_hits(gold, hyp, tolerance)
    found = boundary_f(*pair, tolerance=tolerance)
    assert found == Counts(expected, len(hyp), len(gold))


@given(pairs(most=30))
def test_accuracy_and_segments_by_their_definitions(pair):
    signs = [s.bits() for s in pair]
    alike = sum(a == b for a, b in zip(*signs, strict=True))
    assert boundary_accuracy(*pair) == Ratio(alike, len(signs[0]))
    same = len(set(pair[0].spans()) & set(pair[1].spans()))
    assert exact_segments(*pair) == Counts(same, len(pair[1]), len(pair[0]))


@given(st.lists(pairs(most=20), max_size=8), st.integers(0, 4))
def test_many_are_as_one_by_one(family, tolerance):
    golds, hyps = [g for g, _ in family], [h for _, h in family]
    many = boundary_f.many(golds, hyps, tolerance=tolerance)
    assert list(many) == [boundary_f(*pair, tolerance=tolerance) for pair in family]
    for metric in (boundary_accuracy, exact_segments):
        assert list(metric.many(golds, hyps)) == [metric(*pair) for pair in family]


def test_one_unit():
    one = Segmentation([1])
    assert boundary_f(one, one).undefined == "nothing proposed, nothing expected"
    assert boundary_accuracy(one, one).undefined == "one unit: no potential boundary"
    assert exact_segments(one, one).f1 == 1


def test_a_tolerance_that_reaches_everything():
    gold, hyp = Segmentation([1, 10**12, 1]), Segmentation([10**12, 2])
    assert boundary_f(gold, hyp, tolerance=10**15) == Counts(1, 1, 2)


@pytest.mark.parametrize("tolerance", [-1, 0.5, True, "1"])
def test_tolerances_that_cannot_be(tolerance):
    with pytest.raises(OptionError, match=r"tolerance is .*: want a whole number of units"):
        boundary_f(Segmentation([2]), Segmentation([2]), tolerance=tolerance)


def test_a_tolerance_reaches_no_further_in_as_many_units_as_can_be_held():
    most = 2**60 - 1000
    gold, near, far = (Segmentation([most - k, k]) for k in (100, 98, 91))
    assert boundary_f(gold, near, tolerance=2) == Counts(1, 1, 1)
    assert boundary_f(gold, far, tolerance=2) == Counts(0, 1, 1)
