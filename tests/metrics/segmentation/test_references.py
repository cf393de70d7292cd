"""One segmentation against several references, and the two agreements over a corpus."""

from fractions import Fraction
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.errors import InputError, OptionError
from bitext.metrics.agreement import agreement_correlation, fleiss_kappa
from bitext.metrics.registry import metric
from bitext.metrics.segmentation.references import (
    any_reference,
    best_reference,
    majority,
    majority_reference,
    mean_over_references,
    wisebe,
)
from bitext.metrics.segmentation.segment_alignment import alignment_similarity
from bitext.metrics.segmentation.window_metrics import window_diff
from bitext.model import CountsTable, Ratios


def segmentations(n):
    return st.text("01", min_size=n - 1, max_size=n - 1).map(Segmentation.from_bits)


TEXTS = st.integers(6, 16).flatmap(
    lambda n: st.tuples(
        st.lists(segmentations(n), min_size=1, max_size=4),
        segmentations(n),
    )
)
CORPORA = st.lists(TEXTS, min_size=1, max_size=4)


def apart(texts):
    return [family for family, _ in texts], [hyp for _, hyp in texts]


def places(segmentation):
    return set(segmentation.boundaries.tolist())


def _boundaries(pairs):
    """Count boundaries that both have."""
    sides = zip(pairs.gold.boundary_ptr, pairs.gold.boundary_ptr[1:], strict=False)
    gold = [set(pairs.gold.boundaries[a:b].tolist()) for a, b in sides]
    sides = zip(pairs.hyp.boundary_ptr, pairs.hyp.boundary_ptr[1:], strict=False)
    hyp = [set(pairs.hyp.boundaries[a:b].tolist()) for a, b in sides]
    rows = [[len(g & h), len(h), len(g), len(g & h)] for g, h in zip(gold, hyp, strict=True)]
    return CountsTable(np.array(rows))


def _shared(pairs):
    """Give boundaries that both have over those of the gold standard; 0/0 is undefined."""
    counts = _boundaries(pairs).counts
    return Ratios(counts[:, 0], counts[:, 2])


@metric("counted", over="segmentation", better="higher", source="here", pairs=_boundaries)
def counted(gold, hyp):
    """Count boundaries."""


@metric("shared", over="segmentation", better="higher", source="here", pairs=_shared)
def shared(gold, hyp):
    """Give the recall of boundaries."""


@given(TEXTS)
def test_the_mean_is_that_of_the_scores_one_by_one(text):
    references, hyp = text
    values = [alignment_similarity(reference, hyp).value for reference in references]
    found = mean_over_references(alignment_similarity, references, hyp)
    assert found.value == pytest.approx(sum(values) / len(values))
    assert found.denominator == len(values)
    found = mean_over_references("window-diff(k=2)", references, hyp)
    values = [window_diff(reference, hyp, k=2).value for reference in references]
    assert found.value == pytest.approx(sum(values) / len(values))


@given(TEXTS)
def test_the_best_is_best_and_the_first_of_equals(text):
    references, hyp = text
    for measure, sign in ((alignment_similarity, 1), (window_diff, -1)):
        options = {} if sign > 0 else {"k": 2}
        values = [sign * measure(reference, hyp, **options).value for reference in references]
        found = best_reference(measure, references, hyp, **options)
        assert found.reference == values.index(max(values))
        assert found.score.value == sign * max(values)


@given(TEXTS, st.sampled_from([0, 0.3, 0.5, 2 / 3, 0.99]))
def test_the_majority_is_counted_place_by_place(text, share):
    references, hyp = text
    whole = {0: 0, 0.3: Fraction(3, 10), 0.5: Fraction(1, 2), 2 / 3: Fraction(2, 3)}
    least = whole.get(share, Fraction(99, 100)) * len(references)
    voted = {b for b in range(1, hyp.n) if sum(b in places(r) for r in references) > least}
    found = majority(references, share=share)
    assert (places(found), found.n) == (voted, hyp.n)
    score = majority_reference(alignment_similarity, references, hyp, share=share)
    assert score == alignment_similarity(found, hyp)


@given(TEXTS, st.integers(0, 3))
def test_any_reference_is_counted_place_by_place(text, tolerance):
    references, hyp = text
    union = set().union(*map(places, references))
    mine = places(hyp)

    def near(b, others):
        return any(abs(b - other) <= tolerance for other in others)

    found = any_reference(references, hyp, tolerance=tolerance)
    assert (found.hits, found.proposed) == (sum(near(b, union) for b in mine), len(mine))
    assert (found.found, found.expected) == (sum(near(b, mine) for b in union), len(union))
    found = any_reference(references, hyp, tolerance=tolerance, recall="votes")
    every = [b for reference in references for b in places(reference)]
    assert (found.found, found.expected) == (sum(near(b, mine) for b in every), len(every))


@settings(max_examples=30)
@given(CORPORA)
def test_corpora_are_their_texts_one_by_one(texts):
    families, hyps = apart(texts)
    pairs = list(zip(families, hyps, strict=True))
    a = alignment_similarity
    means = mean_over_references(a, families, hyps)
    assert means.values.tolist() == pytest.approx(
        [mean_over_references(a, f, h).value for f, h in pairs]
    )
    assert best_reference(a, families, hyps) == [best_reference(a, f, h) for f, h in pairs]
    found = majority_reference(a, families, hyps)
    assert list(found) == [majority_reference(a, f, h) for f, h in pairs]
    for tolerance in (0, 2):
        found = any_reference(families, hyps, tolerance=tolerance)
        assert list(found) == [any_reference(f, h, tolerance=tolerance) for f, h in pairs]


def test_metrics_that_give_counts_are_taken_by_a_figure():
    references = [Segmentation([2, 4]), Segmentation([2, 2, 2])]
    hyp = Segmentation([2, 1, 3])
    assert mean_over_references(counted, references, hyp, figure="recall").value == 3 / 4
    assert mean_over_references(counted, references, hyp).value == pytest.approx(
        (2 / 3 + 1 / 2) / 2
    )
    assert best_reference(counted, references, hyp).score.proposed == 2
    assert majority_reference(counted, references, hyp).recall == 1


def test_undefined_scores_are_left_out_and_are_not_best():
    hyp = Segmentation([2, 4])
    references = [Segmentation([6]), Segmentation([3, 3])]
    assert mean_over_references(shared, references, hyp).denominator == 1
    assert best_reference(shared, references, hyp).reference == 1
    none = mean_over_references(shared, references[:1], hyp)
    assert isnan(none.value)
    assert "undefined against every reference" in none.undefined
    assert best_reference(shared, references[:1], hyp).reference == 0


def test_nothing_proposed_or_expected_is_undefined():
    single = [Segmentation([1])]
    found = any_reference(single, single[0])
    assert found.undefined == "nothing proposed, nothing expected"
    assert any_reference([], []).counts.shape == (0, 4)
    assert len(mean_over_references(alignment_similarity, [], [])) == 0


@pytest.mark.parametrize(
    ("references", "hyp", "message"),
    [
        ([], Segmentation([2]), "want a list of references"),
        ([[]], [Segmentation([2])], "text 0: want a list of references"),
        (Segmentation([2]), Segmentation([2]), "want a list of references"),
        ([Segmentation([2]), Segmentation([3])], Segmentation([2]), "reference 1 has 3 units"),
        ([[Segmentation([3])]], [Segmentation([2])], "text 0: reference 0 has 3 units"),
        ([[Segmentation([3])]], [], "1 lists of references and 0 segmentations"),
    ],
)
def test_wrong_references_are_told(references, hyp, message):
    with pytest.raises(InputError, match=message):
        mean_over_references(alignment_similarity, references, hyp)
    with pytest.raises(InputError, match=message):
        any_reference(references, hyp)


def test_wrong_options_are_told():
    text = [Segmentation([2, 2])], Segmentation([4])
    with pytest.raises(InputError, match="want a list of references, of one or more"):
        majority([])
    with pytest.raises(InputError, match="reference 1 has 3 units"):
        majority([Segmentation([2]), Segmentation([3])])
    for share in (-0.1, 1, nan):
        with pytest.raises(OptionError, match="share is"):
            majority(text[0], share=share)
    for tolerance in (-1, 0.5, True):
        with pytest.raises(OptionError, match="tolerance is"):
            any_reference(*text, tolerance=tolerance)
    with pytest.raises(OptionError, match="recall is 'all'"):
        any_reference(*text, recall="all")
    with pytest.raises(OptionError, match="figure is 'f2'"):
        mean_over_references(counted, *text, figure="f2")
    with pytest.raises(OptionError, match="window-diff has no option 'q'"):
        mean_over_references(window_diff, *text, q=3)
    with pytest.raises(OptionError, match="counted has no option 'q': its options are none"):
        best_reference(counted, *text, q=3)
    with pytest.raises(OptionError, match="not a metric over pairs of segmentations"):
        majority_reference(fleiss_kappa, *text)
    with pytest.raises(OptionError, match="no metric 'pq'"):
        majority_reference("pq", *text)


@given(st.lists(TEXTS.filter(lambda text: len(text[0]) > 1), min_size=1, max_size=6))
def test_correlation_is_of_the_figures_of_each_text(texts):
    families = [family[:2] for family, _ in texts]
    found = agreement_correlation(families)
    for family, ratio, kappa in zip(families, found.ratios, found.kappas, strict=True):
        words = [Segmentation.from_boundaries(places(one), one.n + 1) for one in family]
        assert kappa == pytest.approx(fleiss_kappa(words).value, nan_ok=True, abs=1e-12)
        if any(map(places, family)):
            assert ratio == wisebe(family, family[0]).agreement.value
        else:
            assert isnan(ratio)
    both = [
        (r, k)
        for r, k in zip(found.ratios, found.kappas, strict=True)
        if not isnan(r) and not isnan(k)
    ]
    assert found.n == len(both)
    if found.undefined:
        assert isnan(found.value)
    else:
        x, y = np.array(both).T - np.mean(both, axis=0)[:, None]
        expected = (x @ y) / np.sqrt((x @ x) * (y @ y))
        assert float(found) == pytest.approx(expected, abs=1e-6)


def test_correlation_is_undefined_with_a_reason():
    same, none = [Segmentation([2, 3])] * 2, [Segmentation([5])] * 2
    assert "one text has both figures" in agreement_correlation([same, none]).undefined
    assert "agreement ratio is the same" in agreement_correlation([same, same]).undefined
    # Both agree on one of two boundaries, among few and among many places.
    near = [[Segmentation([1, 1, n]), Segmentation([1, n + 1])] for n in (1, 9)]
    assert "agreement ratio is the same" in agreement_correlation(near).undefined
    # As much as by chance: kappa is 0, with one common boundary of three and of seven.
    # The last of four and of sixteen words has no boundary after it.
    chance = [("110", "101"), ("111100000000000", "100011100000000")]
    found = agreement_correlation([list(map(Segmentation.from_bits, text)) for text in chance])
    assert (found.kappas, found.ratios) == ((0, 0), (1 / 3, 1 / 7))
    assert "kappa is the same" in found.undefined


def test_rounding_makes_no_correlation():
    """Kappa is -1/5 of both texts, and differs in its last bits."""
    texts = [
        [Segmentation([1, 1, 1, 1, 8]), Segmentation([12])],
        [Segmentation([1, 1, 1, 1, 1]), Segmentation([4, 1])],
    ]
    found = agreement_correlation(texts)
    assert found.kappas[0] != found.kappas[1]
    assert found.kappas == pytest.approx((-0.2, -0.2), abs=1e-12)
    assert (isnan(found.value), found.undefined) == (True, "the kappa is the same for all texts")


def test_numbers_may_be_numpy_and_large():
    references, hyp = [Segmentation([2, 4]), Segmentation([3, 3])], Segmentation([4, 2])
    assert any_reference(references, hyp, tolerance=np.int32(1)).hits == 1
    assert any_reference(references, hyp, tolerance=2**70).hits == 1
    with pytest.raises(OptionError, match="recall is"):
        any_reference(references, hyp, recall=["votes"])
    with pytest.raises(OptionError, match="share is 'a'"):
        majority(references, share="a")


def test_what_is_no_segmentation_is_told():
    with pytest.raises(InputError, match=r"reference 1 is \[3, 3\]: want a Segmentation"):
        best_reference("pk(k=1)", [Segmentation([2, 4]), [3, 3]], Segmentation([3, 3]))
    with pytest.raises(InputError, match="want a list of references"):
        majority(Segmentation([3, 3]))


def test_texts_of_a_corpus_do_not_disturb_each_other():
    references, hyp = [Segmentation([2, 4]), Segmentation([1, 1, 4])], Segmentation([3, 3])
    found = mean_over_references("alignment-similarity", [references] * 5000, [hyp] * 5000)
    assert len(set(found.values.tolist())) == 1
