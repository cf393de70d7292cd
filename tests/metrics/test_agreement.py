"""Coefficients of agreement against a slow version, nltk, segeval and published values."""

import warnings
from functools import partial
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.errors import InputError, OptionError
from bitext.metrics import all_metrics
from bitext.metrics.agreement import (
    agreement_interval,
    agreement_intervals,
    bennett_s,
    bias,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    multi_kappa,
    multi_pi,
    observed_agreement,
    scott_pi,
)
from bitext.metrics.coder_counts import Codings, tally
from bitext.metrics.segmentation.boundary_similarity import boundary_similarity
from bitext.metrics.segmentation.window_metrics import pk
from bitext.model import Ratios
from reference import agreement as slow

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import segeval
    from segeval.agreement import actual_agreement_linear
    from segeval.data import samples

OF_MANY = [bennett_s, fleiss_kappa, krippendorff_alpha, multi_kappa, multi_pi]
OF_TWO = [cohen_kappa, scott_pi]
GREEDY = {
    "B": (segeval.boundary_similarity, {"script": "greedy"}),
    "S": (segeval.segmentation_similarity, {"script": "greedy", "weighted": True}),
}


def bits(coders, n):
    return st.lists(st.text("01", min_size=n, max_size=n), min_size=coders, max_size=coders)


@st.composite
def corpora(draw, least=2, most=4):
    """Draw texts as 0/1 strings, with the same coders in each."""
    coders = draw(st.integers(least, most))
    texts = st.lists(st.integers(1, 8).flatmap(lambda n: bits(coders, n)), min_size=1, max_size=4)
    return draw(texts)


def coded(texts):
    return [[Segmentation.from_bits(mark) for mark in text] for text in texts]


def dataset(texts):
    """Return texts as segeval has them."""
    return segeval.Dataset(
        {
            f"text{t}": {f"coder{k}": tuple(coding) for k, coding in enumerate(text)}
            for t, text in enumerate(texts)
        }
    )


def from_sample(name):
    return [
        [Segmentation(masses) for _, masses in sorted(text.items())]
        for text in getattr(samples, name).values()
    ]


def check(found, seen, chance):
    """Compare with fractions."""
    assert found.observed == pytest.approx(float(seen))
    assert found.chance == pytest.approx(float(chance))
    expected = slow.coefficient(seen, chance)
    if expected is None:
        assert isnan(found.value)
        assert "certain by chance" in found.undefined
    else:
        assert found.value == pytest.approx(float(expected), abs=1e-12)
        assert found.undefined == ""
        assert found.value == pytest.approx(found.numerator / found.denominator)


@given(corpora())
def test_coefficients_are_those_of_the_slow_version(texts):
    seen = slow.observed(texts)
    for measure in OF_MANY:
        check(measure(coded(texts)), seen, slow.COEFFICIENTS[measure.name](texts))
    found = observed_agreement(coded(texts))
    assert found.value == pytest.approx(float(seen))


@given(corpora(most=2))
def test_coefficients_of_two_are_those_of_many_with_two(texts):
    codings = coded(texts)
    assert repr(cohen_kappa(codings)) == repr(multi_kappa(codings))
    assert repr(scott_pi(codings)) == repr(multi_pi(codings)) == repr(fleiss_kappa(codings))


@given(corpora(), st.randoms(use_true_random=False))
def test_order_of_texts_and_of_coders_does_not_matter(texts, random):
    shuffled = random.sample(texts, len(texts))
    order = random.sample(range(len(texts[0])), len(texts[0]))
    shuffled = [[text[k] for k in order] for text in shuffled]
    for measure in OF_MANY:
        one, other = measure(coded(texts)), measure(coded(shuffled))
        assert one.value == pytest.approx(other.value, nan_ok=True)


@given(corpora())
def test_full_agreement_is_one_and_nothing_is_more(texts):
    same = [[text[0]] * len(text) for text in texts]
    for measure in OF_MANY:
        found = measure(coded(texts)).value
        assert isnan(found) or found <= 1
        found = measure(coded(same)).value
        assert isnan(found) or found == 1


@given(corpora())
def test_bias_is_the_difference_of_chances_and_not_below_zero(texts):
    codings = coded(texts)
    found = bias(codings)
    assert found == pytest.approx(float(slow.chance_of_pi(texts) - slow.chance_of_kappa(texts)))
    assert found >= -1e-12
    assert bias(codings, observed="A", pooled=True) >= -1e-12


@given(corpora(most=5))
def test_nltk_agrees(texts):
    from nltk.metrics.agreement import AnnotationTask

    items = slow.items(texts)
    task = AnnotationTask(
        [(str(k), str(i), mark) for i, marks in enumerate(items) for k, mark in enumerate(marks)]
    )
    codings = coded(texts)
    assert observed_agreement(codings).value == pytest.approx(task.avg_Ao())
    assert bennett_s(codings).value == pytest.approx(task.S())
    if len({mark for marks in items for mark in marks}) == 2:
        assert multi_pi(codings).value == pytest.approx(task.pi(), abs=1e-12)
        assert krippendorff_alpha(codings).value == pytest.approx(task.alpha(), abs=1e-12)
        assert multi_kappa(codings).value == pytest.approx(task.multi_kappa(), abs=1e-12)


def random_corpus(rng):
    coders = int(rng.integers(2, 6))
    out = []
    for _ in range(int(rng.integers(1, 5))):
        n, share = int(rng.integers(2, 30)), rng.random()
        marks = rng.random((coders, n - 1)) < share
        out.append([Segmentation.from_boundaries(np.flatnonzero(m) + 1, n) for m in marks])
    return out


def compare_with_segeval(texts, given_, letter, k):
    compare, options = GREEDY[letter]
    options = {**options, "max_transposition": k}
    theirs = {"fnc_compare": compare, "n_t": k + 1}
    ours = {"observed": letter, "observed_options": options}
    seen = actual_agreement_linear(given_, **theirs)
    assert observed_agreement(texts, **ours).value == pytest.approx(float(seen), abs=1e-12)
    pairs = [
        (multi_kappa(texts, **ours), segeval.fleiss_kappa_linear(given_, **theirs)),
        (multi_pi(texts, **ours), segeval.fleiss_pi_linear(given_, **theirs)),
    ]
    for found, expected in pairs:
        assert found.value == pytest.approx(float(expected), abs=1e-12)
    expected = segeval.artstein_poesio_bias_linear(given_, **theirs)
    assert bias(texts, **ours) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("letter", ["B", "S"])
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize(
    "name",
    [
        "HEARST_1997_STARGAZER",
        "KAZANTSEVA2012_G5",
        "KAZANTSEVA2012_G2",
        "COMPLETE_AGREEMENT",
        "LARGE_DISAGREEMENT",
    ],
)
def test_segeval_agrees_on_its_samples(name, k, letter):
    compare_with_segeval(from_sample(name), getattr(samples, name), letter, k)


@pytest.mark.parametrize("letter", ["B", "S"])
def test_segeval_agrees_on_random_corpora(letter):
    rng = np.random.default_rng(7)
    compared = 0
    while compared < 25:
        texts = random_corpus(rng)
        # It fails on two codings without a boundary, and where all have one everywhere.
        bare = max(sum(len(coding) == 1 for coding in text) for text in texts)
        if bare > 1 or multi_pi(texts, observed="B").undefined:
            continue
        compare_with_segeval(texts, dataset(texts), letter, int(rng.integers(1, 4)))
        compared += 1


def test_published_figures_of_segeval_are_reproduced():
    options = {"observed": "boundary-similarity(script=greedy)"}
    group = from_sample("KAZANTSEVA2012_G5")
    assert multi_kappa(group, **options).value == pytest.approx(0.2421099324579046)
    assert bias(group, **options) == pytest.approx(0.00277829320319822615)
    assert bias(from_sample("LARGE_DISAGREEMENT"), **options) == 0.25


def test_types_of_boundaries_widen_the_room_for_chance():
    sample = samples.MULTIPLE_BOUNDARY_TYPES
    texts = [
        [Segmentation.from_types(sets) for _, sets in sorted(text.items())]
        for text in sample.values()
    ]
    expected = segeval.artstein_poesio_bias_linear(sample)
    assert bias(texts, observed="B") == pytest.approx(float(expected))
    # On boundaries types are not looked at: 5 places, alike but for the last two of one text.
    assert observed_agreement(texts).value == 7 / 10


def test_a_coding_without_types_beside_one_without_a_boundary_has_one_kind():
    typed = Segmentation.from_types([{1}, set(), {2}])
    texts = [[typed, typed], [Segmentation([4]), Segmentation([4])]]
    # Two kinds make 6 marks in the first text, of which each coder has 2; one kind 3 in the other.
    assert multi_kappa(texts, observed="S").chance == (2 / 9) ** 2
    assert multi_pi(texts, observed="S").chance == ((2 / 6 + 0) / 2) ** 2
    assert float(multi_kappa(texts, observed="S")) == 1


@pytest.mark.parametrize("way", ["A", "S", "B(max_transposition=5)"])
@pytest.mark.parametrize("texts", [1, 3])
def test_pairs_of_coders_are_compared_some_at_a_time(way, texts):
    rng = np.random.default_rng(texts)
    marks = [["".join(rng.choice(["0", "1"], n)) for _ in range(9)] for n in range(9, 9 + texts)]
    typed = [[Segmentation.from_types([{c} for c in bits]) for bits in text] for text in marks]
    for codings in (coded(marks), typed if way != "A" else coded(marks)):
        whole = tally(Codings(codings), way, {})
        for most in (1, 60, 250):
            parts = tally(Codings(codings), way, {}, at_once=most)
            assert np.array_equal(parts.counts, whole.counts)  # to the last bit
            assert repr(parts.empty) == repr(whole.empty)


def test_what_is_compared_at_once_does_not_grow_with_the_coders():
    rng = np.random.default_rng(3)
    held = []

    def count(pairs):
        held.append(len(pairs.gold.bounds) + len(pairs.hyp.bounds))
        return Ratios(np.ones(len(pairs)), np.ones(len(pairs)))

    for coders in (200, 400):
        held.clear()
        text = coded([["".join(rng.choice(["0", "1"], 60)) for _ in range(coders)]])
        assert observed_agreement(text, observed=count).value == 1
        assert max(held) < 300_000 < sum(held)


def test_krippendorffs_worked_example_of_binary_data():
    """Two observers, ten items, alpha 0.095 (Computing Krippendorff's alpha-reliability, A)."""
    texts = coded([["0100000010", "1110010000"]])
    found = krippendorff_alpha(texts)
    assert round(found.value, 3) == 0.095
    assert found.value == pytest.approx(1 - 19 * 4 / (14 * 6))


def test_values_worked_by_hand():
    # Marks 1100 and 1010: alike on two of four, half of the marks are boundaries.
    texts = coded([["1100", "1010"]])
    assert [m(texts).value for m in (cohen_kappa, scott_pi, bennett_s)] == [0, 0, 0]
    assert krippendorff_alpha(texts).value == pytest.approx(1 - 7 * 2 / 16)
    # Shares 1/4 and 3/4, alike on two: kappa's chance 6/16, pi's 1/2.
    texts = coded([["1000", "1110"]])
    assert cohen_kappa(texts).value == pytest.approx(0.2)
    assert scott_pi(texts).value == 0
    assert bias(texts) == 1 / 8


def test_shares_of_texts_or_of_all_texts_together():
    # Shares 1 and 0 of texts with 1 and 3 places: mean 1/2, together 1/4.
    texts = coded([["1", "1"], ["000", "000"]])
    assert multi_pi(texts, observed="B").chance == 1 / 4
    assert multi_pi(texts, observed="B", pooled=True).chance == 1 / 16
    assert multi_pi(texts).chance == multi_pi(texts, pooled=True).chance == 10 / 16
    assert krippendorff_alpha(texts, observed="B").chance == 2 * 1 / (8 * 7)


@pytest.mark.parametrize("measure", OF_MANY + OF_TWO)
def test_one_text_may_be_given_as_it_is(measure):
    text = [Segmentation([2, 3]), Segmentation([2, 2, 1])]
    assert measure(text) == measure([text])


def test_observed_may_be_a_metric_a_partial_or_a_function():
    texts = from_sample("HEARST_1997_STARGAZER")
    expected = multi_pi(texts, observed="B", observed_options={"max_transposition": 3})
    named = multi_pi(texts, observed="boundary-similarity(max_transposition=3)")
    bound = partial(boundary_similarity, max_transposition=3)
    given_ = {"observed": boundary_similarity, "observed_options": {"max_transposition": 3}}
    assert expected == named == multi_pi(texts, observed=bound) == multi_pi(texts, **given_)

    def alike(pairs, *, worth=1):
        same = [a == b for a, b in zip(pairs.gold.segments, pairs.hyp.segments, strict=True)]
        return Ratios(np.array(same) * worth, np.ones(len(same)))

    assert observed_agreement(texts, observed=alike).value == 2 / 21
    half = {"observed": alike, "observed_options": {"worth": 0.5}}
    assert observed_agreement(texts, **half).value == 1 / 21
    assert observed_agreement(texts, observed=partial(alike, worth=0.5)).value == 1 / 21


@pytest.mark.parametrize("measure", OF_MANY)
def test_undefined_says_why(measure):
    single = [Segmentation([1]), Segmentation([1])]
    assert isnan(measure(single).value)
    assert "no text has two units" in measure(single).undefined
    assert "no text has two units" in measure(single, observed="B").undefined
    if measure is not bennett_s:
        for texts in (coded([["000", "000"]]), coded([["111", "111"]])):
            assert isnan(measure(texts).value)
            assert "certain by chance" in measure(texts).undefined
        assert measure(coded([["00", "00"]]), observed="B").value == 1
        assert isnan(measure(coded([["11", "11"]]), observed="B").value)


def test_texts_of_one_unit_count_nothing():
    texts = coded([["101", "100"]])
    more = [[Segmentation([1]), Segmentation([1])], *texts]
    for measure in OF_MANY + OF_TWO:
        for observed in ("boundaries", "B"):
            assert measure(more, observed=observed) == measure(texts, observed=observed)


@pytest.mark.parametrize(
    ("codings", "message"),
    [
        ([], "there are no codings"),
        ([Segmentation([2])], "text 0 has 1 coders: want two or more"),
        (
            [[Segmentation([2])] * 2, [Segmentation([2])] * 3],
            "text 1 has 3 coders and text 0 has 2",
        ),
        (
            [[Segmentation([2])] * 2, [Segmentation([2]), Segmentation([3])]],
            "text 1 has 2 units for coder 0 and 3 for coder 1",
        ),
        ([[Segmentation([2])] * 2, Segmentation([2])], "text 1 is one segmentation"),
        ([[Segmentation([2]), [2]]], "text 0, coder 1: found list, want a Segmentation"),
    ],
)
def test_wrong_codings_are_told(codings, message):
    with pytest.raises(InputError, match=message):
        multi_pi(codings)


@pytest.mark.parametrize("measure", OF_TWO)
def test_two_coders_are_wanted_and_the_form_for_more_is_named(measure):
    three = [Segmentation([2, 3])] * 3
    wanted = "multi_kappa" if measure is cohen_kappa else "multi_pi"
    with pytest.raises(InputError, match=f"for two coders, and there are 3: want two, or {wanted}"):
        measure(three)
    with pytest.raises(InputError, match="for two coders"):
        agreement_interval(measure, [three, three])


@pytest.mark.parametrize(
    ("observed", "options", "message"),
    [
        ("boundaries", {"script": "greedy"}, "has no option 'script'"),
        ("boundary-similarty", {}, "did you mean 'boundary-similarity'"),
        ("B", {"scrpt": "greedy"}, "no option 'scrpt'"),
        (pk, {}, "pk is no similarity"),
        (fleiss_kappa, {}, "fleiss-kappa is no similarity"),
        (7, {}, "observed is 7"),
        (lambda pairs: pairs, {}, "does not give one ratio a pair"),
    ],
)
def test_what_cannot_be_observed_is_told(observed, options, message):
    texts = [Segmentation([2, 3]), Segmentation([2, 2, 1])]
    with pytest.raises(OptionError, match=message):
        multi_pi(texts, observed=observed, observed_options=options)


@pytest.mark.parametrize("observed", ["boundaries", "B"])
@pytest.mark.parametrize("measure", [*OF_MANY, observed_agreement])
def test_interval_is_of_resampled_texts(measure, observed):
    texts = from_sample("KAZANTSEVA2012_G5")
    low, high = agreement_interval(
        measure, texts, observed=observed, interval="bootstrap", resamples=60, level=0.9, seed=3
    )
    rng = np.random.default_rng(3)
    draws = rng.integers(len(texts), size=(60, len(texts)))
    values = [measure([texts[t] for t in draw], observed=observed).value for draw in draws]
    assert [low, high] == pytest.approx(np.percentile(values, [5, 95]).tolist())
    assert low <= measure(texts, observed=observed).value <= high


@pytest.mark.parametrize("observed", ["boundaries", "B"])
@pytest.mark.parametrize("measure", [*OF_MANY, observed_agreement])
def test_interval_is_wider_than_that_of_the_bootstrap_with_few_texts(measure, observed):
    texts = from_sample("KAZANTSEVA2012_G5")[:3]
    low, high = agreement_interval(measure, texts, observed=observed)
    narrow = agreement_interval(measure, texts, observed=observed, interval="bootstrap")
    assert -1 <= low < measure(texts, observed=observed).value < high <= 1
    assert high - low > narrow.high - narrow.low


def test_interval_of_a_method_that_is_not_known_is_refused():
    texts = from_sample("KAZANTSEVA2012_G5")
    with pytest.raises(OptionError, match="interval 'wald' is not known"):
        agreement_interval(multi_pi, texts, interval="wald")


def test_interval_takes_the_options_of_the_coefficient():
    texts = from_sample("KAZANTSEVA2012_G5")
    options = {"observed": "B", "resamples": 50}
    plain = agreement_interval(multi_pi, texts, **options)
    assert agreement_interval(multi_pi, texts, **options) == plain
    assert agreement_interval(multi_pi, texts, pooled=True, **options) != plain
    sums = tally(Codings(texts), "B", {})
    both = agreement_intervals(
        ["multi-pi", "multi-kappa"], sums, interval="jackknife", resamples=50, level=0.95, seed=0
    )
    assert both == (plain, agreement_interval(multi_kappa, texts, **options))
    far = {"observed_options": {"max_transposition": 5}}
    assert agreement_interval(multi_pi, texts, **far, **options).low > plain.low


def test_interval_of_what_is_undefined_is_nan():
    nothing = coded([["00", "00"], ["000", "000"]])
    assert all(map(isnan, agreement_interval(multi_pi, nothing, resamples=20)))


def test_interval_wants_texts_and_a_coefficient():
    text = [Segmentation([2, 3]), Segmentation([2, 2, 1])]
    with pytest.raises(InputError, match="one text has no interval"):
        agreement_interval(multi_pi, text)
    with pytest.raises(OptionError, match="is not over codings: want one of bennett-s"):
        agreement_interval(boundary_similarity, [text, text])
    with pytest.raises(OptionError, match="multi-kappa has no option 'pooled'"):
        agreement_interval(multi_kappa, [text, text], pooled=True)


def test_the_registry_has_them():
    for measure in [*OF_MANY, *OF_TWO, observed_agreement]:
        assert all_metrics()[measure.name] is measure
        assert (measure.over, measure.better) == ("coders", "higher")
        assert measure.options["observed"] == "boundaries"


SOME = {  # masses of three coders, of whom each lacks a text or two
    "t1": [(2, 3), (1, 1, 3), None],
    "t2": [(1, 4), (1, 4), (1, 4)],
    "t3": [(2, 2, 1), (2, 3), (2, 2, 1)],
    "t4": [(3, 3), None, (2, 1, 3)],
}


def some_coded(texts):
    return [[None if m is None else Segmentation(m) for m in text] for text in texts]


def test_alpha_takes_texts_that_some_coders_lack():
    found = krippendorff_alpha(some_coded(SOME.values()))
    assert round(found.value, 4) == 0.6862
    assert (found.observed, found.chance) == (pytest.approx(6 / 7), pytest.approx(67 / 123))
    whole = some_coded([SOME["t2"], SOME["t3"]])
    assert round(krippendorff_alpha(whole).value, 4) == 0.8203


@given(st.data())
def test_alpha_of_texts_that_some_coders_lack_is_that_of_the_table_of_coincidences(data):
    texts = data.draw(corpora(least=3, most=4))
    lacking = [data.draw(st.sets(st.integers(0, len(text) - 1), max_size=2)) for text in texts]
    marks = [
        [
            None if k in lost and len(text) - len(lost) > 1 else coding
            for k, coding in enumerate(text)
        ]
        for text, lost in zip(texts, lacking, strict=True)
    ]
    given_codings = [
        [None if coding is None else Segmentation.from_bits(coding) for coding in text]
        for text in marks
    ]
    found = krippendorff_alpha(given_codings)
    flat = "".join(coding for text in marks for coding in text if coding is not None)
    if "0" not in flat or "1" not in flat:
        assert isnan(found.value)
        return
    assert found.value == pytest.approx(float(slow.alpha_of_some(marks)))
    assert fleiss_kappa(given_codings).value == pytest.approx(float(slow.kappa_of_some(marks)))
    kappa, bennett = slow.multi_kappa_of_some(marks)
    if kappa is not None:
        assert multi_kappa(given_codings).value == pytest.approx(float(kappa))
    assert bennett_s(given_codings).value == pytest.approx(float(bennett))


def test_texts_of_one_coder_tell_alpha_nothing():
    texts = some_coded(SOME.values())
    alone = [[None, Segmentation([1, 1]), None], *texts]
    assert krippendorff_alpha(alone) == krippendorff_alpha(texts)
    with pytest.raises(InputError, match="no text has two coders"):
        krippendorff_alpha(alone[:1])
    one = [Segmentation([2, 3]), None, Segmentation([2, 2, 1])]
    assert krippendorff_alpha(one).value == pytest.approx(8 / 15)


def test_fleiss_kappa_of_unequal_numbers_of_coders_is_the_published_one():
    # Fleiss, Levin and Paik, Statistical methods for rates and proportions, 2003, page 612: judges
    # and positive ratings of 25 subjects; the figure with four digits is of the manual of Stata.
    judged = "22 20 32 43 33 41 30 50 20 44 55 33 44 43 20 22 31 21 41 54 32 40 30 33 22"
    texts = [
        [Segmentation([1, 1] if k < marks else [2]) if k < coders else None for k in range(5)]
        for coders, marks in (map(int, subject) for subject in judged.split())
    ]
    assert round(fleiss_kappa(texts).value, 4) == 0.5415
    assert multi_pi(texts) == fleiss_kappa(texts)


def test_texts_that_some_coders_lack_are_refused_by_a_similarity_and_of_two_left_out():
    texts = some_coded(SOME.values())
    for measure in (fleiss_kappa, multi_pi, multi_kappa, bennett_s, observed_agreement):
        with pytest.raises(
            InputError, match=f"^{measure.name} by a similarity .* text 0 has no seg"
        ):
            measure(texts, observed="B")
    with pytest.raises(InputError, match="cohen-kappa is for two coders, and there are 3"):
        cohen_kappa(texts)
    two, whole = [text[:2] for text in texts], [text[:2] for text in texts[:3]]
    for measure in (*OF_MANY, *OF_TWO):
        for observed in ("boundaries", "B"):
            assert measure(two, observed=observed) == measure(whole, observed=observed)


def test_a_coder_whose_texts_no_other_has_does_not_count():
    texts = some_coded(SOME.values())
    alone = [[*text, None] for text in texts] + [[None, None, None, Segmentation([1, 1])]]
    for measure in (*OF_MANY, observed_agreement):
        assert measure(alone).value == pytest.approx(measure(texts).value)
    low, high = agreement_interval(multi_kappa, texts)
    assert low < multi_kappa(texts).value < high


def test_alpha_with_gaps_has_an_interval_and_a_similarity():
    texts = some_coded(SOME.values())
    low, high = agreement_interval(krippendorff_alpha, texts, resamples=500)
    assert low < krippendorff_alpha(texts).value < high
    same = [[coding if coding is None else text[1] or text[0] for coding in text] for text in texts]
    assert krippendorff_alpha(same, observed="B").value == 1.0


def test_an_agreement_shows_its_coefficient():
    codings = [Segmentation([5, 5, 1, 3]), Segmentation([5, 6, 3])]
    assert repr(fleiss_kappa(codings)) == "<Agreement 0.7524: observed 0.9231, chance 0.6893>"
    assert repr(fleiss_kappa([Segmentation([2])] * 2)).startswith("<Agreement undefined (agreement")
