from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from segeval import boundary_statistics
from segeval.format import BoundaryFormat

from bitext.errors import OptionError, SegmentationError
from bitext.metrics.segmentation.boundary_edits import (
    Addition,
    Match,
    Transposition,
    boundary_edits,
)
from bitext.model import Segmentation
from reference import boundary_scripts as slow
from reference.draw_segmentations import pairs, random_pair, typed_sets

REACH = st.integers(0, 5)


def points(edits):
    """Return transpositions and substitutions as the slow version does."""
    moved = [((t.gold, t.type), (t.hyp, t.type)) for t in edits.transpositions]
    replaced = [((s.position, s.gold), (s.position, s.hyp)) for s in edits.substitutions]
    return sorted([*moved, *replaced])


def ones(segmentation):
    return [{1} if sign == "1" else set() for sign in segmentation.bits()]


def test_the_smallest_case_in_which_greedy_is_not_minimal():
    gold, hyp = Segmentation([1, 1, 3]), Segmentation([3, 1, 1])
    minimal = boundary_edits(gold, hyp, max_transposition=2)
    greedy = boundary_edits(gold, hyp, max_transposition=2, script="greedy")
    assert minimal.cost == Fraction(4, 3)
    assert minimal.transpositions == [Transposition(1, 3), Transposition(2, 4)]
    assert greedy.cost == Fraction(7, 3)
    assert greedy.transpositions == [Transposition(2, 3)]
    assert greedy.additions == [Addition(1, "gold"), Addition(4, "hyp")]


def test_there_is_no_smaller_case():
    for n in range(2, 5):
        family = [Segmentation.from_bits("".join(bits)) for bits in product("01", repeat=n - 1)]
        for gold, hyp, reach in product(family, family, range(n)):
            costs = [
                boundary_edits(gold, hyp, max_transposition=reach, script=script).cost
                for script in ("minimal", "greedy")
            ]
            assert costs[0] == costs[1]


def test_a_match_stays_one_even_where_two_shifts_would_cost_less():
    edits = boundary_edits(Segmentation([1, 1, 2]), Segmentation([2, 1, 1]))
    assert edits.matches == [Match(2)]
    assert edits.additions == [Addition(1, "gold"), Addition(3, "hyp")]
    assert edits.cost == 2


def test_weights_can_choose_different_scripts():
    # Six shifts by 2, or five by 1 and two additions: 4 or 11/3 scaled, 6 or 7 by the unit.
    gold = Segmentation.from_boundaries([1, 4, 7, 10, 13, 16], 20)
    hyp = Segmentation.from_boundaries([3, 6, 9, 12, 15, 18], 20)
    scaled = boundary_edits(gold, hyp, max_transposition=2)
    unit = boundary_edits(gold, hyp, max_transposition=2, weight="unit")
    assert (scaled.cost, scaled.counts["transpositions"]) == (Fraction(11, 3), 5)
    assert (unit.cost, unit.counts["transpositions"]) == (6, 6)


def test_equal_cost_prefers_fewer_edits():
    # Five shifts by 2 cost 10/3, and so do four by 1 with two additions.
    gold = Segmentation.from_boundaries([1, 4, 7, 10, 13], 17)
    hyp = Segmentation.from_boundaries([3, 6, 9, 12, 15], 17)
    edits = boundary_edits(gold, hyp, max_transposition=2)
    assert edits.cost == Fraction(10, 3)
    assert edits.counts["transpositions"] == len(edits) == 5


def test_equal_cost_prefers_short_shifts_and_then_the_left():
    three = Segmentation.from_boundaries([2, 4, 5], 9), Segmentation.from_boundaries([3, 7], 9)
    assert boundary_edits(*three).transpositions == [Transposition(2, 3)]
    unit = boundary_edits(*three, max_transposition=2, weight="unit")
    assert unit.transpositions == [Transposition(2, 3), Transposition(5, 7)]


def test_what_is_made_when_asked_for():
    gold = Segmentation([2, 2, 2], types=[{"a"}, {"b"}])
    hyp = Segmentation([2, 3, 1], types=[{"c"}, {"b"}])
    edits = boundary_edits(gold, hyp)
    assert edits.counts == {"matches": 0, "additions": 0, "transpositions": 1, "substitutions": 1}
    assert [tuple(s) for s in edits.substitutions] == [(2, "a", "c")]
    assert edits.transpositions == [Transposition(4, 5, "b")]
    assert edits.cost == Fraction(3, 2)
    assert repr(edits).endswith("1 substitutions; cost 3/2>")
    assert boundary_edits(gold, gold).matches == [Match(2, "a"), Match(4, "b")]
    lone = boundary_edits(gold, Segmentation([6]))
    assert lone.additions == [Addition(2, "gold", "a"), Addition(4, "gold", "b")]


@given(pairs(most=12), REACH, st.sampled_from(["scaled", "unit"]))
@settings(max_examples=60)
def test_cost_and_script_are_those_of_all_tried(pair, reach, weight):
    edits = boundary_edits(*pair, max_transposition=reach, weight=weight)
    cost, both, best, count = slow.edits(*map(ones, pair), most=reach, unit=weight == "unit")
    assert edits.cost == cost
    assert len(edits) == count
    assert [m.position for m in edits.matches] == [p for p, _ in both]
    assert sorted((t.gold, t.hyp) for t in edits.transpositions) == [
        (a, b) for (a, _), (b, _) in best
    ]


@given(typed_sets(), REACH, st.sampled_from(["scaled", "unit"]), st.booleans())
@settings(max_examples=60)
def test_cost_and_script_with_types_are_those_of_all_tried(pair, reach, weight, ordered):
    gold, hyp = map(Segmentation.from_types, pair)
    edits = boundary_edits(gold, hyp, max_transposition=reach, weight=weight, ordered=ordered)
    options = {"most": reach, "unit": weight == "unit", "ordered": ordered}
    cost, both, best, count = slow.edits(*pair, **options)
    assert edits.cost == cost
    assert len(edits) == count
    assert [(m.position, m.type) for m in edits.matches] == both
    assert points(edits) == best


@given(pairs(most=40), REACH, st.sampled_from(["minimal", "greedy"]))
def test_one_type_is_as_good_as_none(pair, reach, script):
    options = {"max_transposition": reach, "script": script}
    bare = boundary_edits(*pair, **options)
    typed = boundary_edits(
        *(Segmentation(s.masses, types=[{7}] * (len(s) - 1)) for s in pair), **options
    )
    assert bare.cost == typed.cost
    assert [(t.gold, t.hyp) for t in bare.transpositions] == [
        (t.gold, t.hyp) for t in typed.transpositions
    ]


@given(pairs(most=40), REACH, st.sampled_from(["minimal", "greedy"]))
def test_exchanging_the_sides_exchanges_the_edits(pair, reach, script):
    options = {"max_transposition": reach, "script": script}
    there, back = boundary_edits(*pair, **options), boundary_edits(*pair[::-1], **options)
    assert there.cost == back.cost
    assert {(t.gold, t.hyp) for t in there.transpositions} == {
        (t.hyp, t.gold) for t in back.transpositions
    }
    assert len(there) * 2 - len(there.additions) + len(there.matches) * 2 == sum(
        len(s) - 1 for s in pair
    )


def test_greedy_is_segeval():
    rng = np.random.default_rng(11)
    for _ in range(800):
        gold, hyp = random_pair(rng)
        if len(gold) + len(hyp) == 2:
            continue  # it fails there
        reach = int(rng.integers(1, 6))
        theirs = boundary_statistics(tuple(gold), tuple(hyp), n_t=reach + 1)
        ours = boundary_edits(gold, hyp, max_transposition=reach, script="greedy")
        assert sorted((min(t[:2]), max(t[:2])) for t in ours.transpositions) == sorted(
            (a + 1, b + 1) for a, b, _ in theirs["transpositions"]
        )
        assert sorted("ab"[a.side == "hyp"] for a in ours.additions) == sorted(
            side for _, side in theirs["additions"]
        )
        minimal = boundary_edits(gold, hyp, max_transposition=reach)
        assert minimal.cost <= ours.cost
        if reach == 1:
            assert minimal.transpositions == ours.transpositions


def test_greedy_with_types_is_segeval():
    rng = np.random.default_rng(12)
    for _ in range(600):
        n, kinds = int(rng.integers(2, 14)), int(rng.integers(1, 5))
        sets = [
            tuple(frozenset(t for t in range(1, kinds + 1) if rng.random() < 0.3) for _ in range(n))
            for _ in range(2)
        ]
        if not any(sets[0] + sets[1]):
            continue
        reach = int(rng.integers(1, 5))
        theirs = boundary_statistics(*sets, n_t=reach + 1, boundary_format=BoundaryFormat.sets)
        gold, hyp = map(Segmentation.from_types, sets)
        ours = boundary_edits(gold, hyp, max_transposition=reach, script="greedy")
        assert sorted(
            (min(t.gold, t.hyp) - 1, max(t.gold, t.hyp) - 1, t.type) for t in ours.transpositions
        ) == sorted(map(tuple, theirs["transpositions"]))
        assert sorted((a.type, "ab"[a.side == "hyp"]) for a in ours.additions) == sorted(
            map(tuple, theirs["additions"])
        )
        assert sorted((s.gold, s.hyp) for s in ours.substitutions) == sorted(
            map(tuple, theirs["substitutions"])
        )


def test_types_on_one_side_only_are_refused():
    typed, bare = Segmentation([1, 2], types=[{1}]), Segmentation([1, 2])
    with pytest.raises(SegmentationError, match="boundaries of the hypothesis have no types"):
        boundary_edits(typed, bare)
    with pytest.raises(SegmentationError, match="boundaries of the gold standard have no types"):
        boundary_edits(bare, typed)
    with pytest.raises(SegmentationError, match="the type 'x': want integers"):
        boundary_edits(*[Segmentation([1, 2], types=[{"x"}])] * 2, ordered=True)


@pytest.mark.parametrize(
    ("option", "match"),
    [
        ({"max_transposition": -1}, "max_transposition is -1: want a whole number"),
        ({"max_transposition": 1.5}, "max_transposition is 1.5: want a whole number"),
        ({"max_transposition": 10**30}, "want a whole number of places, 0 to 1,000,000,000"),
        ({"max_transposition": True}, "max_transposition is True"),
        ({"script": "best"}, "script is 'best': want one of minimal, greedy"),
        ({"weight": "none"}, "weight is 'none': want one of scaled, unit"),
    ],
)
def test_options_that_cannot_be(option, match):
    with pytest.raises(OptionError, match=match):
        boundary_edits(Segmentation([2]), Segmentation([2]), **option)
