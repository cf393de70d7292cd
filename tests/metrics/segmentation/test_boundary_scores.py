from fractions import Fraction
from itertools import pairwise
from math import isnan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import OptionError, SegmentationError
from bitext.metrics.segmentation.boundary_scores import (
    boundary_accuracy,
    boundary_f,
    exact_segments,
    rand_index,
    slot_error_rate,
)
from bitext.metrics.significance import bootstrap, randomisation
from bitext.model import Counts, Ratio, Segmentation
from reference import boundary_scripts as slow
from reference import segments
from reference.draw_segmentations import pairs, pairs_of_masses


def test_a_tolerance_may_break_up_an_exact_match():
    # 2 and 2 are the same, yet 1 with 2 and 2 with 3 are two hits.
    gold, hyp = Segmentation([1, 1, 2]), Segmentation([2, 1, 1])
    assert boundary_f(gold, hyp) == Counts(1, 2, 2)
    assert boundary_f(gold, hyp, tolerance=1) == Counts(2, 2, 2)


def test_one_boundary_finds_one():
    gold, hyp = Segmentation([2, 2, 2]), Segmentation([3, 3])
    assert boundary_f(gold, hyp, tolerance=1) == Counts(1, 1, 2)


@given(pairs(most=7), st.integers(0, 5))
@settings(max_examples=60)
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


@given(pairs_of_masses())
def test_the_rand_index_is_that_of_all_pairs_of_units(pair):
    gold, hyp = map(Segmentation, pair)
    found = rand_index(gold, hyp)
    assert (found.numerator, found.denominator) == segments.rand(*pair)
    assert found == rand_index(hyp, gold)
    assert 0 <= found.value <= 1
    assert (found.value == 1) == (gold == hyp)
    backwards = (Segmentation(side[::-1]) for side in pair)
    assert rand_index(*backwards) == found


@given(pairs_of_masses())
def test_the_adjusted_rand_index_is_by_chance_zero(pair):
    gold, hyp = map(Segmentation, pair)
    found, expected = rand_index(gold, hyp, adjusted=True), segments.adjusted_rand(*pair)
    assert found.value == pytest.approx(1 if expected is None else float(expected), abs=1e-12)
    assert found.value <= 1
    assert rand_index(gold, gold, adjusted=True).value == 1


@given(st.lists(pairs_of_masses(), max_size=6), st.booleans())
def test_many_rand_indices_are_as_one_by_one(family, adjusted):
    golds, hyps = ([Segmentation(pair[k]) for pair in family] for k in (0, 1))
    each = [rand_index(a, b, adjusted=adjusted) for a, b in zip(golds, hyps, strict=True)]
    assert list(rand_index.many(golds, hyps, adjusted=adjusted)) == each


def test_rand_indices_worked_by_hand():
    # Of 91 pairs, gold joins 10 + 10 + 0 + 3, the hypothesis 21 + 3 + 0 + 3, both 10 + 1 + 3 + 3.
    figure_10 = Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 1, 3])
    assert rand_index(*figure_10) == Ratio(91 - (23 - 17) - (27 - 17), 91)
    chance = Fraction(23 * 27, 91)
    exact = (17 - chance) / (Fraction(23 + 27, 2) - chance)
    assert rand_index(*figure_10, adjusted=True).value == pytest.approx(float(exact), abs=1e-15)
    assert rand_index(Segmentation([1]), Segmentation([1])).value == 1


def test_rand_indices_of_texts_of_any_length():
    half = 2**30
    halves, one = Segmentation([half, half]), Segmentation([2 * half])
    within = half * (half - 1)  # in both halves
    assert rand_index(halves, one) == Ratio(within, half * (2 * half - 1))
    assert rand_index(Segmentation([2**58] * 2), Segmentation([2**59])).value == pytest.approx(0.5)


TYPED = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        *[st.sets(st.tuples(st.integers(1, n - 1), st.sampled_from("ab3")), max_size=8)] * 2,
        st.just(n),
    )
)


def typed(slots, n):
    """Segment n units at the places of the slots, with their types."""
    places = sorted({place for place, _ in slots})
    types = [{t for at, t in slots if at == place} for place in places]
    bounds = [0, *places, n]
    return Segmentation([b - a for a, b in pairwise(bounds)], types=types)


@given(TYPED)
def test_slot_errors_are_those_of_the_slow_version(case):
    gold, hyp, n = case
    found = slot_error_rate(typed(gold, n), typed(hyp, n))
    assert (found.numerator, found.denominator) == (segments.slot_errors(gold, hyp), len(gold))
    assert slot_error_rate(typed(gold, n), typed(gold, n)).numerator == 0


@given(st.lists(pairs(most=20), max_size=8), st.booleans())
def test_slot_errors_without_types_are_what_f_leaves_over(family, closing):
    golds, hyps = [g for g, _ in family], [h for _, h in family]
    many = list(slot_error_rate.many(golds, hyps, closing=closing))
    assert many == [slot_error_rate(*pair, closing=closing) for pair in family]
    for found, pair in zip(many, family, strict=True):
        counts = boundary_f(*pair, closing=closing)
        missing, extra = counts.expected - counts.hits, counts.proposed - counts.hits
        assert found == Ratio(missing + extra, counts.expected, reason="nothing expected")


def test_slot_errors_worked_by_hand():
    gold, hyp = Segmentation([2, 2, 5, 5]), Segmentation([2, 2, 3, 1, 6])
    assert slot_error_rate(gold, hyp) == Ratio(3, 3)  # 9 is missing, 7 and 8 are extra
    assert slot_error_rate(gold, hyp, closing=True) == Ratio(3, 4)
    assert slot_error_rate(Segmentation([1] * 5), Segmentation([5])).value == 1
    assert slot_error_rate(Segmentation([1, 4]), Segmentation([1] * 5)).value == 3
    assert isnan(slot_error_rate(Segmentation([5]), Segmentation([1] * 5)).value)
    one, other = (Segmentation([2, 2], types=[{kind}]) for kind in ("scene", "act"))
    assert slot_error_rate(one, other) == Ratio(1, 1)  # a substitution
    with pytest.raises(SegmentationError, match="boundaries of the hypothesis have no types"):
        slot_error_rate(one, Segmentation([2, 2]))


def test_typed_and_untyped_pairs_can_be_of_one_corpus():
    golds = [Segmentation([2, 2], types=[{"a"}]), Segmentation([1, 3])]
    hyps = [Segmentation([2, 2], types=[{"b"}]), Segmentation([2, 2])]
    assert list(slot_error_rate.many(golds, hyps)) == [Ratio(1, 1), Ratio(2, 1)]


@given(pairs(most=20), st.integers(0, 3))
def test_a_closing_boundary_is_one_more_that_is_right(pair, tolerance):
    plain = boundary_f(*pair, tolerance=tolerance)
    closed = boundary_f(*pair, tolerance=tolerance, closing=True)
    assert closed == plain + Counts(1, 1, 1)
    found = boundary_accuracy(*pair), boundary_accuracy(*pair, closing=True)
    assert found[1].numerator == found[0].numerator + 1
    assert found[1].denominator == found[0].denominator + 1 == pair[0].n


@pytest.mark.parametrize("metric", [rand_index, slot_error_rate])
def test_intervals_and_tests_take_the_new_figures(metric):
    golds = [Segmentation([2, 3, 4])] * 20
    alike = metric.many(golds, golds)
    other = metric.many(golds, [Segmentation([3, 3, 3])] * 20)
    best = float(metric is rand_index)
    assert bootstrap(alike, resamples=100) == ((best, best),)
    ((low, high),) = bootstrap(other, resamples=100)
    assert low == pytest.approx(high)
    assert randomisation(alike, other, resamples=500)[0] < 0.01
