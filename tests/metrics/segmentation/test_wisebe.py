"""WiSeBE against a slow version, the run that its authors print, and values worked by hand."""

from fractions import Fraction
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.errors import InputError, OptionError
from bitext.metrics.agreement import agreement_correlation, fleiss_kappa
from bitext.metrics.coder_counts import Codings
from bitext.metrics.segmentation.references import Window, kappa_of_votes, wisebe
from reference import wisebe as slow
from reference.draw import numbers

N = 40
SETS = numbers(N - 1, most=14).map(lambda found: {k + 1 for k in found})
FAMILIES = st.lists(SETS, min_size=1, max_size=5).filter(any)


def fraction(score):
    return Fraction(score.numerator, score.denominator)


@given(FAMILIES, SETS, st.integers(0, 6))
def test_score_is_that_of_the_slow_version(references, candidate, limit):
    found = wisebe(references, candidate, limit=limit)
    ratio, precision, recall, value = slow.score(references, candidate, limit)
    assert Fraction(found.agreement.numerator, found.agreement.denominator) == ratio
    assert (found.precision, found.recall) == (float(precision), float(recall))
    assert fraction(found) == value
    assert float(found) == pytest.approx(float(value))
    assert found.value == pytest.approx(found.agreement.value * found.f1)


@given(FAMILIES, SETS, st.integers(0, 6))
def test_windows_and_what_lies_in_them_are_those_of_the_slow_version(references, candidate, limit):
    found = wisebe(references, candidate, limit=limit)
    votes = slow.general_reference(references)
    expected = slow.windows(votes, limit)
    assert found.votes == votes
    assert [(w.first, w.last, w.votes, w.candidates) for w in found.windows] == [
        (w[0], w[-1], sum(votes[j] for j in w), sum(slow.inside(b, w) for b in candidate))
        for w in expected
    ]
    assert found.inside == {
        b: next((k for k, w in enumerate(expected) if slow.inside(b, w)), None)
        for b in sorted(candidate)
    }


@given(st.lists(st.tuples(FAMILIES, SETS), max_size=6), st.integers(0, 6))
def test_many_equals_one_by_one(texts, limit):
    families, candidates = [f for f, _ in texts], [c for _, c in texts]
    found = wisebe.many(families, candidates, limit=limit)
    assert repr(found) == repr([wisebe(f, c, limit=limit) for f, c in texts])
    for score, (family, candidate) in zip(found, texts, strict=True):
        alone = wisebe(family, candidate, limit=limit)
        assert (score.windows, score.inside, score.votes) == (
            alone.windows,
            alone.inside,
            alone.votes,
        )
        assert (score.counts, score.agreement) == (alone.counts, alone.agreement)


@given(FAMILIES, SETS)
def test_sets_and_segmentations_are_the_same(references, candidate):
    as_sets = wisebe(references, candidate, n=N)
    made = wisebe(
        [Segmentation.from_boundaries(r, N) for r in references],
        Segmentation.from_boundaries(candidate, N),
    )
    assert repr(as_sets) == repr(made)
    assert as_sets.windows == made.windows
    assert repr(as_sets.kappa) == repr(made.kappa)


@given(st.lists(SETS, min_size=1, max_size=5), SETS, st.integers(0, 6))
def test_a_closing_boundary_is_a_position_that_all_have(references, candidate, limit):
    found = wisebe(references, candidate, limit=limit, n=N, closing=True)
    closed = [reference | {N} for reference in references]
    ratio, precision, recall, value = slow.score(closed, candidate | {N}, limit)
    assert fraction(found) == value
    assert (found.precision, found.recall) == (float(precision), float(recall))
    assert Fraction(found.agreement.numerator, found.agreement.denominator) == ratio
    made = [Segmentation.from_boundaries(r, N) for r in references]
    assert repr(found) == repr(
        wisebe(made, Segmentation.from_boundaries(candidate, N), limit=limit, closing=True)
    )
    if len(references) > 1:
        correlated = agreement_correlation([made], closing=True)
        assert correlated.ratios == (found.agreement.value,)
        assert correlated.kappas[0] == pytest.approx(found.kappa.value, nan_ok=True)


def test_the_end_of_a_text_must_be_known_to_be_counted():
    with pytest.raises(InputError, match="closing wants to know where the text ends: give n"):
        wisebe([{3}], {4}, closing=True)


@given(st.lists(SETS, min_size=2, max_size=5).filter(any))
def test_kappa_beside_it_is_over_all_words(references):
    segmentations = [Segmentation.from_boundaries(r, N) for r in references]
    found = wisebe(segmentations, segmentations[0]).kappa
    # N words are N places to judge: those of a text with one unit more, the last of them empty.
    expected = fleiss_kappa([Segmentation.from_boundaries(r, N + 1) for r in references])
    assert found.value == pytest.approx(expected.value, nan_ok=True)
    assert found.observed == pytest.approx(expected.observed)
    assert found.chance == pytest.approx(expected.chance)


@given(st.sets(st.integers(1, N - 1), min_size=1), st.integers(2, 5))
def test_full_agreement_is_one_and_bounds_hold(boundaries, m):
    assert wisebe([boundaries] * m, boundaries).value == 1


def test_the_run_that_the_authors_print():
    """The README of their program: three references of 99, 88 and 40 borders, one candidate.

    It prints 115 positions, 188 votes at those with two or more, and so 39, 40 and 36 with one,
    two and three votes; 104 windows, 59 of them hit; 109 candidate borders, 61 of them inside.
    The text is laid out here so that it has those counts; the figures are theirs.
    """
    votes = [1] * 39 + [2] * 40 + [3] * 36
    # 104 windows of 115 positions: eleven windows have a second position, one word later.
    positions = [100 * k + 1 for k in range(104)] + [100 * k + 2 for k in range(11)]
    references = [{p for p, d in zip(positions, votes, strict=True) if d > r} for r in range(3)]
    inside = {100 * k + 1 for k in range(59)} | {2, 102}
    candidate = inside | {100 * k + 50 for k in range(48)}
    found = wisebe(references, candidate)
    assert (found.agreement.numerator, found.agreement.denominator) == (188, 345)
    assert found.counts.proposed == 109
    figures = [found.agreement.value, found.precision, found.recall, found.f1, found.value]
    assert [round(f, 3) for f in figures] == [0.545, 0.560, 0.567, 0.563, 0.307]


def test_kappa_over_positions_with_votes_that_the_authors_print():
    votes = [1] * 39 + [2] * 40 + [3] * 36
    assert round(kappa_of_votes(np.array(votes), 3, len(votes)).value, 4) == -0.0175


def test_a_value_worked_by_hand():
    # Votes 2 at 10, 1 at 12, 1 at 16, 2 at 30: windows 10-12 (12 to 16 is 4), 16, 30.
    references = [{10, 30}, {10, 16}, {12, 30}]
    found = wisebe(references, {11, 12, 20, 30})
    assert [w[:2] for w in found.windows] == [(10, 12), (16, 16), (30, 30)]
    assert found.agreement.value == 4 / (3 * 4)
    assert (found.precision, found.recall) == (3 / 4, 2 / 3)
    assert fraction(found) == Fraction(1, 3) * Fraction(12, 17)
    assert wisebe(references, {11, 12, 20, 30}, limit=4).windows[0] == Window(10, 16, 4, 2)


def test_windows_chain_from_the_previous_boundary():
    found = wisebe([{1, 7}, {4, 10}], {5})
    assert [w[:2] for w in found.windows] == [(1, 10)]
    assert found.value == 0  # no position has two votes


@pytest.mark.parametrize("candidate", [set(), {30}, Segmentation([50])])
def test_no_boundary_and_no_hit_score_zero(candidate):
    found = wisebe([{5, 20}, {5}], candidate)
    assert found.value == found.f1 == found.precision == 0
    assert (found.numerator, found.windows[0].candidates) == (0, 0)


def test_lists_of_masses_are_no_positions():
    with pytest.raises(InputError, match="lists that all have the sum 26, as masses of one text"):
        wisebe([[5, 9, 12], [5, 6, 15]], [4, 8, 14])
    with pytest.raises(InputError, match="text 1: has lists that all have the sum 9"):
        wisebe.many([[[3]], [[2, 7]]], [[3], [4, 5]])
    # With other numbers of units, in sets, and where all are equal, they are positions.
    assert wisebe([[5, 9, 12], [5, 6, 15]], [4, 8, 14], n=30) == wisebe(
        [{5, 9, 12}, {5, 6, 15}], {4, 8, 14}, n=30
    )
    assert wisebe([[5, 20], [5, 20]], [5, 20]).value == 1


def test_no_reference_boundary_is_an_error_that_says_so():
    with pytest.raises(InputError, match="no reference has a boundary"):
        wisebe([set(), set()], {3})
    with pytest.raises(InputError, match="text 1: no reference has a boundary"):
        wisebe.many([[{1}], [Segmentation([5])]], [{1}, {1}])
    with pytest.raises(InputError, match="no reference has a boundary"):
        wisebe([Segmentation([1])], Segmentation([1]))


def test_kappas_of_many_texts_are_those_of_each():
    texts = [
        [Segmentation(masses) for masses in text]
        for text in ([[2, 3], [3, 2]], [[4], [4]], [[1], [1]], [[1, 1], [1, 1]], [[1] * 9, [9]])
    ]
    found = agreement_correlation(texts).kappas
    each = [wisebe(text, text[0]).kappa.value for text in texts if any(len(s) > 1 for s in text)]
    assert [kappa for kappa in found if not isnan(kappa)] == each
    assert [isnan(kappa) for kappa in found] == [False, True, True, False, False]
    assert agreement_correlation(Codings(texts)).kappas[0] == found[0]


def test_kappa_is_undefined_with_a_reason():
    assert isnan(wisebe([{1}, {2}], {1}).kappa.value)
    assert "units is not known" in wisebe([{1}, {2}], {1}).kappa.undefined
    assert wisebe([{1}], {1}, n=5).kappa.undefined == "one reference"
    everywhere = Segmentation([1, 1])
    assert wisebe([everywhere, everywhere], everywhere).kappa.value == 1


@pytest.mark.parametrize(
    ("references", "candidate", "options", "message"),
    [
        ([], {1}, {}, "want a list of references"),
        (Segmentation([2, 2]), {1}, {}, "want a list of references"),
        ([{1}, {9}], {1}, {"n": 9}, "reference 1 has a boundary at 9: want positions 1 to 8"),
        ([{1}], {0}, {"n": 9}, "the candidate has a boundary at 0"),
        ([{1}], {-1}, {}, "want positions 0 or more"),
        ([[1, 1]], {1}, {}, "reference 0 has position 1 twice"),
        ([{1.5}], {1}, {}, "want a Segmentation or a set of positions"),
        ([[5, 3, 2]], {5}, {}, r"reference 0 is \[5, 3, 2\], and positions of boundaries ascend"),
        ([Segmentation([2, 3])], Segmentation([2, 2]), {}, "found 4 and 5 units"),
        ([Segmentation([2, 3])], {2}, {"n": 6}, "found 5 and 6 units"),
        ([Segmentation([2, 3])], {7}, {}, "the candidate has a boundary at 7"),
    ],
)
def test_wrong_input_is_told(references, candidate, options, message):
    with pytest.raises(InputError, match=message):
        wisebe(references, candidate, **options)


def test_wrong_options_and_lists_are_told():
    for limit in (-1, 1.5, True):
        with pytest.raises(OptionError, match="limit is"):
            wisebe([{1}], {1}, limit=limit)
    with pytest.raises(InputError, match="2 lists of references and 1 candidates"):
        wisebe.many([[{1}], [{1}]], [{1}])


def test_long_texts_cost_no_more_than_their_boundaries():
    rng = np.random.default_rng(1)
    n = 10_000_000
    family = [rng.choice(n - 1, 20_000, replace=False) + 1 for _ in range(3)]
    found = wisebe([Segmentation.from_boundaries(f.tolist(), n) for f in family], {1, n - 1})
    assert len(found.votes) <= 60_000
    assert 0 <= found.value < 1e-3


def test_numbers_may_be_numpy():
    found = wisebe([{5, 20}, {6, 20}], {6}, limit=np.int64(3), n=np.int64(40))
    assert found.value == wisebe([{5, 20}, {6, 20}], {6}, limit=3, n=40).value


@pytest.mark.parametrize(
    ("references", "candidate", "told"),
    [
        ([{5}, {6}], None, "the candidate is None: want a Segmentation or a set of positions"),
        ([{5}, {6}], [1, "a"], "want a Segmentation or a set of positions"),
        ([5, 20], {5}, "reference 0 is 5: want a Segmentation or a set of positions"),
        ([{5}], b"ab", "want a Segmentation or a set of positions"),
    ],
)
def test_what_are_no_positions_is_told(references, candidate, told):
    with pytest.raises(InputError, match=told):
        wisebe(references, candidate)
    with pytest.raises(OptionError, match="n is '40': want a whole number of words, 1 or more"):
        wisebe([{5}], {5}, n="40")
