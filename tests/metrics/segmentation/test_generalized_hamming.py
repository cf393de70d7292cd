from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import OptionError
from bitext.metrics.segmentation.boundary_similarity import generalized_hamming
from bitext.model import Ratio, Segmentation
from reference import boundary_scripts as slow
from reference.draw_segmentations import pairs, random_pair

COSTS = st.fixed_dictionaries(
    {
        "insertion": st.sampled_from([0, 1, 2.0, 2.5, 7]),
        "deletion": st.sampled_from([0, 1, 2.0, 0.1, 4]),
        "shift": st.sampled_from([0, 0.5, 1.0, 0.3, 2]),
    }
)


@pytest.mark.parametrize(
    ("gold", "hyp", "costs", "value"),
    [
        # The examples of the reference implementation by V. Kulyukin, as nltk gives them.
        ("1100100000", "1100010000", (1.0, 1.0, 0.5), 0.5),
        ("1100100000", "1100000001", (1.0, 1.0, 0.5), 2.0),
        ("011", "110", (1.0, 1.0, 0.5), 1.0),
        ("1", "0", (1.0, 1.0, 0.5), 1.0),
        ("111", "000", (1.0, 1.0, 0.5), 3.0),
        ("000", "111", (1.0, 2.0, 0.5), 6.0),
    ],
)
def test_published_examples(gold, hyp, costs, value):
    pair = Segmentation.from_bits(gold), Segmentation.from_bits(hyp)
    names = ("insertion", "deletion", "shift")
    assert generalized_hamming(*pair, **dict(zip(names, costs, strict=True))).value == value


def test_which_cost_is_whose():
    # The hypothesis lacks one, which is inserted; the other way round it is deleted.
    pair = Segmentation([2, 4]), Segmentation([6])
    assert generalized_hamming(*pair, insertion=3, deletion=5).value == 3
    assert generalized_hamming(*pair[::-1], insertion=3, deletion=5).value == 5
    assert generalized_hamming(*pair, insertion=3, deletion=5, normalised=True) == Ratio(3, 3)


def test_nothing_to_do():
    assert generalized_hamming(Segmentation([1]), Segmentation([1])) == Ratio(0, 1)
    assert generalized_hamming(Segmentation([4]), Segmentation([4]), normalised=True).value == 0


def test_decimals_are_exact():
    pair = Segmentation([2, 2, 2, 2]), Segmentation([8])
    assert generalized_hamming(*pair, insertion=0.1).value == 0.3
    assert generalized_hamming(*pair, insertion=Fraction(1, 3)).value == 1
    fine = generalized_hamming(*pair, insertion=0.12345678901234567, shift=1e-17)
    assert fine.value == pytest.approx(3 * 0.12345678901234567)
    assert generalized_hamming(*pair, insertion=1e300).value == pytest.approx(3e300)


def test_costs_beyond_what_floats_hold_are_refused_and_their_shares_are_exact():
    gold, hyp = Segmentation([5, 5, 1, 3]), Segmentation([14])
    great = {"insertion": 1e308, "deletion": 1e308}
    with pytest.raises(OptionError, match=r"insertion=1e\+308, .* beyond 2\^1000, .* normalised="):
        generalized_hamming(gold, hyp, **great)
    with pytest.raises(OptionError, match="too great to add up"):
        generalized_hamming.many([gold] * 10, [hyp] * 10, insertion=1e300)  # 3e301 in all
    share = generalized_hamming(gold, hyp, normalised=True, **great)
    assert share.value == 1
    golds, hyps = [gold, gold, gold], [hyp, Segmentation([5, 6, 3]), Segmentation([6, 8])]
    for cost in (1e308, 10**400, Fraction(10**400, 3)):
        costs = {"insertion": cost, "deletion": 2 * Fraction(cost), "shift": Fraction(cost) / 2}
        many = generalized_hamming.many(golds, hyps, normalised=True, **costs)
        usual = {"insertion": 1, "deletion": 2, "shift": 0.5}
        expected = generalized_hamming.many(golds, hyps, normalised=True, **usual)
        assert [r.value for r in many] == [r.value for r in expected]
        assert many.total().value == pytest.approx(expected.total().value)
    with pytest.raises(OptionError, match=r"too far apart, from 1e-300 to beyond 2\^900"):
        generalized_hamming(gold, hyp, insertion=1e308, deletion=1e-300, normalised=True)


@given(pairs(most=30), COSTS)
@settings(max_examples=60)
def test_the_cost_is_the_least_of_all_tried(pair, costs):
    gold, hyp = (tuple(s.boundaries.tolist()) for s in pair)
    exact = {name: Fraction(str(cost)) for name, cost in costs.items()}
    expected = slow.hamming(gold, hyp, **exact)
    assert generalized_hamming(*pair, **costs).value == float(expected)
    share = generalized_hamming(*pair, **costs, normalised=True)
    assert share.numerator == float(expected)
    assert 0 <= share.value <= 1 or share.denominator == 0


def test_nltk_gives_the_same():
    from nltk.metrics.segmentation import ghd

    rng = np.random.default_rng(8)
    for _ in range(600):
        gold, hyp = random_pair(rng, most=60)
        costs = [float(cost) for cost in rng.choice([0.5, 1, 2, 3.5, 8], 3)]
        ours = generalized_hamming(gold, hyp, insertion=costs[0], deletion=costs[1], shift=costs[2])
        assert ours.value == pytest.approx(ghd(gold.bits(), hyp.bits(), *costs))


@given(st.lists(pairs(most=30), max_size=6), COSTS, st.booleans())
def test_many_are_as_one_by_one(family, costs, normalised):
    golds, hyps = [g for g, _ in family], [h for _, h in family]
    options = {**costs, "normalised": normalised}
    many = generalized_hamming.many(golds, hyps, **options)
    assert list(many) == [generalized_hamming(*pair, **options) for pair in family]


@given(pairs(most=40), COSTS)
def test_bounds_and_exchange(pair, costs):
    value = generalized_hamming(*pair, **costs).value
    back = dict(costs, insertion=costs["deletion"], deletion=costs["insertion"])
    assert value == generalized_hamming(*pair[::-1], **back).value
    assert generalized_hamming(pair[0], pair[0], **costs).value == 0
    assert value >= 0


def test_long_texts():
    n = 10_000_000
    gold = Segmentation(np.full(n // 100, 100))
    hyp = Segmentation(np.concatenate([[102], np.full(n // 100 - 2, 100), [98]]))
    assert generalized_hamming(gold, hyp).value == 2 * (n // 100 - 1)
    assert generalized_hamming(gold, hyp, shift=0.01, insertion=50, deletion=50).value == (
        0.02 * (n // 100 - 1)
    )


@pytest.mark.parametrize("cost", [-1, "two", float("nan"), float("inf"), True, None])
def test_costs_that_cannot_be(cost):
    pair = Segmentation([2]), Segmentation([2])
    for name in ("insertion", "deletion", "shift"):
        with pytest.raises(OptionError, match=f"{name} is .*: want a cost, 0 or more"):
            generalized_hamming(*pair, **{name: cost})
