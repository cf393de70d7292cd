from fractions import Fraction

import numpy as np
import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import OptionError, SegmentationError
from bitext.metrics.segmentation.boundary_similarity import (
    boundary_similarity,
    segmentation_similarity,
)
from bitext.model import Ratio, Segmentation
from reference import boundary_scripts as slow
from reference.draw_segmentations import pairs, random_pair, typed_sets

# Ocampo Diaz and Ouyang, CoNLL 2022, figures 10, 11, 12 and 16: B as printed, and worked by hand.
PUBLISHED = [
    ((5, 5, 1, 3), (7, 3, 1, 3), 0.50, Fraction(1, 2)),
    ((5, 5, 1, 3), (5, 4, 1, 4), 0.50, Fraction(1, 2)),
    ((2, 2, 5, 5), (2, 2, 4, 6), 0.83, Fraction(5, 6)),
    ((2, 2, 5, 5), (3, 1, 5, 5), 0.83, Fraction(5, 6)),
    ((9, 5, 1), (5, 9, 1), 0.33, Fraction(1, 3)),
    ((8, 6, 1), (5, 9, 1), 0.33, Fraction(1, 3)),
    ((8, 6, 1), (6, 8, 1), 0.33, Fraction(1, 3)),
    ((7, 7, 1), (6, 8, 1), 0.75, Fraction(3, 4)),
    ((1, 8, 1), (9, 1), 0.50, Fraction(1, 2)),
    ((1, 8, 1), (2, 7, 1), 0.75, Fraction(3, 4)),
    ((1, 8, 1), (3, 6, 1), 0.33, Fraction(1, 3)),
]
OPTIONS = st.fixed_dictionaries(
    {"max_transposition": st.integers(0, 5), "script": st.sampled_from(["minimal", "greedy"])}
)
BOTH = pytest.mark.parametrize("metric", [boundary_similarity, segmentation_similarity])


def ones(segmentation):
    return [{1} if sign == "1" else set() for sign in segmentation.bits()]


@pytest.mark.parametrize(("gold", "hyp", "printed", "exact"), PUBLISHED)
def test_published_values_of_b(gold, hyp, printed, exact):
    found = boundary_similarity(Segmentation(gold), Segmentation(hyp))
    assert Fraction(found.numerator) / Fraction(found.denominator) == exact
    assert round(found.value, 2) == printed


def test_worked_values_of_both_scripts():
    pair = Segmentation([1, 1, 3]), Segmentation([3, 1, 1])
    at = {"max_transposition": 2}
    assert boundary_similarity(*pair, **at) == Ratio(2 / 3, 2)
    assert boundary_similarity(*pair, **at, script="greedy") == Ratio(2 / 3, 3)
    assert segmentation_similarity(*pair, **at) == Ratio(2, 4)
    assert segmentation_similarity(*pair, **at, weighted=True) == Ratio(8 / 3, 4)
    assert segmentation_similarity(*pair, **at, weighted=True, script="greedy") == Ratio(5 / 3, 4)
    # Without transpositions every difference is two additions.
    assert boundary_similarity(*pair, max_transposition=0) == Ratio(0, 4)


@BOTH
def test_texts_without_boundaries(metric):
    assert metric(Segmentation([1]), Segmentation([1])).value == 1
    assert metric(Segmentation([7]), Segmentation([7])).value == 1
    assert metric.many([], []).total().value == 1


def test_a_boundary_on_one_side_only():
    bare, cut = Segmentation([4]), Segmentation([2, 2])
    assert boundary_similarity(bare, cut) == boundary_similarity(cut, bare) == Ratio(0, 1)
    assert segmentation_similarity(bare, cut) == Ratio(2, 3)


def test_a_million_places_are_no_trouble():
    gold, hyp = Segmentation([10**15, 1, 10**15]), Segmentation([10**15 + 1, 10**15])
    assert boundary_similarity(gold, hyp) == Ratio(1, 2)
    far = boundary_similarity(Segmentation([1, 10**15]), Segmentation([10**15, 1]))
    assert far == Ratio(0, 2)
    near = boundary_similarity(
        Segmentation([1, 10**6]), Segmentation([10**6, 1]), max_transposition=10**9
    )
    assert near.value == pytest.approx(1 - (10**6 - 1) / (10**9 + 1), abs=1e-15)


@given(pairs(), st.integers(0, 4))
def test_values_are_those_of_all_scripts_tried(pair, reach):
    sides = [ones(s) for s in pair]
    b = boundary_similarity(*pair, max_transposition=reach)
    assert b.value == pytest.approx(float(slow.boundary_similarity(*sides, most=reach)))
    s = segmentation_similarity(*pair, max_transposition=reach)
    assert s.value == pytest.approx(float(slow.segmentation_similarity(*sides, most=reach)))


@given(typed_sets(), st.integers(0, 4), st.booleans())
def test_values_with_types_are_those_of_all_scripts_tried(pair, reach, ordered):
    sides = [Segmentation.from_types(s) for s in pair]
    options = {"max_transposition": reach, "ordered": ordered}
    b = boundary_similarity(*sides, **options)
    assert b.value == pytest.approx(
        float(slow.boundary_similarity(*pair, most=reach, ordered=ordered))
    )
    s = segmentation_similarity(*sides, **options)
    assert s.value == pytest.approx(
        float(slow.segmentation_similarity(*pair, most=reach, ordered=ordered))
    )


def test_types_worked_by_hand():
    gold = Segmentation([2, 2, 2], types=[{1}, {2, 3}])
    hyp = Segmentation([2, 2, 2], types=[{2}, {3}])
    # Match 3; substitute 1 by 2; add 2. Three types, five potential boundaries.
    assert boundary_similarity(gold, hyp) == Ratio(1, 3)
    assert segmentation_similarity(gold, hyp) == Ratio(13, 15)
    # In order the substitution costs (2 - 1) / (3 - 1).
    assert boundary_similarity(gold, hyp, ordered=True) == Ratio(1.5, 3)
    assert segmentation_similarity(gold, hyp, ordered=True) == Ratio(13.5, 15)
    # Two types at the ends of the span differ as much as any two do without order.
    ends = Segmentation([1, 1], types=[{1}]), Segmentation([1, 1], types=[{9}])
    assert boundary_similarity(*ends, ordered=True) == Ratio(0, 1)


@BOTH
@given(pairs(most=40), OPTIONS)
def test_bounds_symmetry_and_identity(metric, pair, options):
    value = metric(*pair, **options).value
    assert 0 <= value <= 1
    assert value == metric(*pair[::-1], **options).value
    assert (value == 1) == (pair[0] == pair[1])
    turned = [Segmentation(s.masses[::-1]) for s in pair]
    if options["script"] == "minimal":
        assert value == metric(*turned, **options).value


@BOTH
@given(st.lists(pairs(most=40), max_size=6), st.lists(typed_sets(), max_size=3), OPTIONS)
def test_many_are_as_one_by_one(metric, bare, typed, options):
    golds, hyps = [g for g, _ in bare], [h for _, h in bare]
    golds += [Segmentation.from_types(g) for g, _ in typed]
    hyps += [Segmentation.from_types(h) for _, h in typed]
    many = metric.many(golds, hyps, **options)
    assert list(many) == [metric(g, h, **options) for g, h in zip(golds, hyps, strict=True)]
    assert many.total() == sum(many, Ratio(0, 0)) or many.total().value == pytest.approx(
        sum(many, Ratio(0, 0)).value
    )


def test_greedy_is_segeval():
    rng = np.random.default_rng(1)
    for _ in range(800):
        gold, hyp = random_pair(rng)
        if len(gold) + len(hyp) == 2:
            continue  # it fails there
        reach = int(rng.integers(1, 6))
        options = {"max_transposition": reach, "script": "greedy"}
        theirs = segeval.boundary_similarity(tuple(gold), tuple(hyp), n_t=reach + 1)
        assert boundary_similarity(gold, hyp, **options).value == pytest.approx(float(theirs))
        theirs = segeval.segmentation_similarity(tuple(gold), tuple(hyp), n_t=reach + 1)
        ours = segmentation_similarity(gold, hyp, weighted=True, **options)
        assert ours.value == pytest.approx(float(theirs))
        if reach == 1:
            assert boundary_similarity(gold, hyp) == boundary_similarity(gold, hyp, **options)


def test_types_on_one_side_only_are_refused_by_pair():
    typed, bare = Segmentation([1, 2], types=[{1}]), Segmentation([1, 2])
    with pytest.raises(SegmentationError, match="pair 1: the boundaries of the hypothesis"):
        boundary_similarity.many([typed, typed], [typed, bare])
    # A text without boundaries has no types to give.
    assert boundary_similarity(typed, Segmentation([3])) == Ratio(0, 1)


@BOTH
def test_options_that_cannot_be(metric):
    pair = Segmentation([2]), Segmentation([2])
    with pytest.raises(OptionError, match="max_transposition is -1"):
        metric(*pair, max_transposition=-1)
    with pytest.raises(OptionError, match="script is 'worst': want one of minimal, greedy"):
        metric(*pair, script="worst")


def test_far_transpositions_in_very_many_units_are_weighted_exactly():
    found = segmentation_similarity(
        Segmentation([10**11, 1]),
        Segmentation([10**11 - 5, 6]),
        max_transposition=10**8 - 1,
        weighted=True,
    )
    assert found.value == pytest.approx(1 - 5 / 10**8 / 10**11, abs=1e-15)
    assert found.numerator == pytest.approx(10**11, rel=1e-12)
