from fractions import Fraction

import numpy as np
import pytest
import segeval
from hypothesis import given
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.errors import OptionError, SegmentationError
from bitext.metrics import nwin, pk, registry, tnwin, window_diff, winpr
from bitext.metrics.segmentation import Pairs
from bitext.metrics.segmentation import window_metrics as windows
from bitext.metrics.segmentation.window_metrics import by_quotients, by_steps
from reference import windows as slow
from reference.draw_segmentations import pairs_of_masses, random_pairs

# Ocampo Diaz and Ouyang 2022, figures 10, 11, 12 and 16: 1 - WindowDiff, plain, k = 2.
PUBLISHED = [
    ((5, 5, 1, 3), (7, 3, 1, 3), 0.67),
    ((5, 5, 1, 3), (5, 4, 1, 4), 0.67),
    ((2, 2, 5, 5), (2, 2, 4, 6), 0.83),
    ((2, 2, 5, 5), (3, 1, 5, 5), 0.83),
    ((9, 5, 1), (5, 9, 1), 0.69),
    ((8, 6, 1), (5, 9, 1), 0.69),
    ((8, 6, 1), (6, 8, 1), 0.69),
    ((7, 7, 1), (6, 8, 1), 0.85),
    ((1, 8, 1), (9, 1), 0.88),
    ((1, 8, 1), (2, 7, 1), 0.88),
    ((1, 8, 1), (3, 6, 1), 0.62),
]
FORMS = [
    (pk, {}),
    (pk, {"padded": True}),
    (window_diff, {}),
    (window_diff, {"padded": True}),
    (window_diff, {"weighted": True}),
    (window_diff, {"weighted": True, "padded": True}),
]
ALL = [pk, window_diff, winpr, nwin, tnwin]


@st.composite
def drawn(draw, most=24):
    """Draw two segmentations of n units and a k below n."""
    gold, hyp = draw(pairs_of_masses(2, most))
    return gold, hyp, draw(st.integers(1, sum(gold) - 1))


def expected(metric, gold, hyp, k, options):
    pad = k - 1 if options.get("padded") else 0
    if metric is pk:
        return slow.pk(gold, hyp, k, pad)
    return slow.window_diff(gold, hyp, k, pad, weighted=options.get("weighted", False))


@pytest.mark.parametrize(("gold", "hyp", "value"), PUBLISHED)
def test_published_values(gold, hyp, value):
    found = 1 - window_diff(Segmentation(gold), Segmentation(hyp), k=2).value
    # .625 is printed as .62: the paper rounds half to even.
    assert round(found, 2) == value


@pytest.mark.parametrize(("metric", "options"), FORMS)
@given(case=drawn())
def test_windows_are_those_of_the_definition(metric, options, case):
    gold, hyp, k = case
    found = metric(Segmentation(gold), Segmentation(hyp), k=k, **options)
    assert (found.numerator, found.denominator) == expected(metric, gold, hyp, k, options)
    assert found.k == k


@pytest.mark.parametrize("weighted", [False, True])
@given(case=drawn(60), padded=st.booleans())
def test_both_ways_over_windows_agree(weighted, case, padded):
    gold, hyp, k = case
    pairs = Pairs.of([Segmentation(gold)], [Segmentation(hyp)])
    size = np.array([k])
    laid = windows.padded_pairs(pairs, size) if padded else pairs
    by_units = windows.by_units(laid, size, weighted=weighted)
    by_boundaries = windows.by_boundaries(laid, size, weighted=weighted)
    assert by_units.tolist() == by_boundaries.tolist()


def test_both_ways_over_windows_agree_on_many_texts():
    golds, hyps = zip(*random_pairs(11, 3000), strict=True)
    pairs = Pairs.of(golds, hyps)
    rng = np.random.default_rng(2)
    size = rng.integers(1, pairs.sizes)
    for laid in (pairs, windows.padded_pairs(pairs, size)):
        for weighted in (False, True):
            one = windows.by_units(laid, size, weighted=weighted)
            assert one.tolist() == windows.by_boundaries(laid, size, weighted=weighted).tolist()


@given(drawn())
def test_winpr_counts_are_those_of_the_definition(case):
    gold, hyp, k = case
    found = winpr(Segmentation(gold), Segmentation(hyp), k=k)
    right, wrong, missed, neither = slow.winpr(gold, hyp, k)
    assert (found.hits, found.proposed, found.expected) == (right, right + wrong, right + missed)
    assert found.neither == neither
    assert right + wrong + missed + neither == k * (sum(gold) - 1)
    assert found.k == k


@given(pairs_of_masses(5, 40))
def test_the_default_window_is_half_the_mean_gold_segment(pair):
    gold, hyp = map(Segmentation, pair)
    size = slow.half_mean(pair[0])
    if size >= gold.n:
        with pytest.raises(SegmentationError, match="want k below the number of units"):
            pk(gold, hyp)
        return
    for metric in ALL:
        assert metric(gold, hyp).k == size
    assert pk(gold, hyp) == pk(gold, hyp, k=size)


def test_halves_are_rounded_to_even():
    assert pk(Segmentation([5, 5]), Segmentation([10])).k == 2  # 2.5
    assert pk(Segmentation([7, 7]), Segmentation([14])).k == 4  # 3.5


@pytest.mark.parametrize("metric", ALL)
@given(pair=pairs_of_masses(3, 20))
def test_identity_and_bounds(metric, pair):
    gold, hyp = map(Segmentation, pair)
    size = min(2, gold.n - 1)
    same, found = metric(gold, gold, k=size), metric(gold, hyp, k=size)
    if metric is winpr:
        assert same.hits == same.proposed == same.expected
        assert found.hits <= min(found.proposed, found.expected)
        return
    assert same.numerator == 0
    assert found.numerator >= 0
    if metric in {pk, window_diff}:
        assert same.value == 0
        assert 0 <= found.value <= 1


@pytest.mark.parametrize("factor", [2**20, 2**33, 2**55, 3**35])
def test_counts_of_very_long_texts_are_exact(factor):
    cases = [((3, 1), (1, 3), 1), ((1, 4, 2, 3), (2, 2, 5, 1), 3), ((2, 2, 1), (5,), 4)]
    for gold, hyp, k in cases:
        long = [Segmentation([mass * factor for mass in masses]) for masses in (gold, hyp)]
        right, wrong, missed, _ = (n * factor for n in slow.winpr(gold, hyp, k))
        found = winpr(*long, k=k * factor)
        assert (found.hits, found.proposed) == (right, right + wrong)
        assert found.expected == right + missed
        places = k * factor * (sum(gold) * factor - 1)
        assert found.neither == places - (right + wrong + missed)
        many = winpr.many([long[0]] * 2, [long[1]] * 2, k=k * factor)
        assert [one.neither for one in many] == [found.neither] * 2
        weighted = window_diff(*long, k=k * factor, weighted=True, padded=True)
        assert weighted.numerator == wrong + missed
        if k == 1:  # half the mean segment
            assert winpr(*long) == found


@pytest.mark.parametrize("metric", [pk, window_diff, tnwin, winpr])
@given(case=drawn(20))
def test_gold_and_hypothesis_may_be_exchanged_at_one_k(metric, case):
    gold, hyp, k = Segmentation(case[0]), Segmentation(case[1]), case[2]
    one, other = metric(gold, hyp, k=k), metric(hyp, gold, k=k)
    if metric is winpr:
        assert (one.hits, one.proposed, one.expected) == (
            other.hits,
            other.expected,
            other.proposed,
        )
    else:
        assert one.numerator == other.numerator
        assert one.denominator == pytest.approx(other.denominator, abs=1e-9)


@pytest.mark.parametrize("metric", ALL)
@given(case=drawn(20))
def test_both_reversed_are_the_same(metric, case):
    gold, hyp, k = case
    one = metric(Segmentation(gold), Segmentation(hyp), k=k)
    other = metric(Segmentation(gold[::-1]), Segmentation(hyp[::-1]), k=k)
    if metric is winpr:
        assert one == other
    else:
        assert one.numerator == other.numerator
        assert one.denominator == pytest.approx(other.denominator, abs=1e-9)


@pytest.mark.parametrize("metric", ALL)
@pytest.mark.parametrize("k", [None, 1, 3])
def test_many_pairs_are_as_one_by_one(metric, k):
    chosen = [pair for pair in random_pairs(4, 200) if pair[0].n > 2 * len(pair[0]) + 4]
    chosen = [p for p in chosen if slow.half_mean(p[0].masses.tolist()) < p[0].n]
    assert len(chosen) > 50
    golds, hyps = zip(*chosen, strict=True)
    found = metric.many(golds, hyps, k=k)
    for one, (gold, hyp) in zip(found, chosen, strict=True):
        alone = metric(gold, hyp, k=k)
        if metric is winpr:
            assert one == alone
        else:
            assert one.numerator == alone.numerator
            assert one.denominator == pytest.approx(alone.denominator, rel=1e-12)
        assert one.k == alone.k
    assert len(metric.many([], [])) == 0


def test_many_pairs_are_worked_on_in_blocks():
    golds, hyps = zip(*[p for p in random_pairs(6, 5700, 12) if p[0].n > 4], strict=True)
    assert len(golds) > registry.BLOCK
    for metric in (window_diff, winpr):
        found = metric.many(golds, hyps, k=3)
        assert len(found) == len(golds)
        for k in (*range(0, len(golds), 9), *range(registry.BLOCK - 3, registry.BLOCK + 3)):
            assert found[k] == metric(golds[k], hyps[k], k=3)
        assert found[-1] == metric(golds[-1], hyps[-1], k=3)
        assert [one.k for one in found[-3:]] == [3] * 3
    golds = (*golds[:-1], Segmentation([9]))
    hyps = (*hyps[:-1], Segmentation([8]))
    with pytest.raises(SegmentationError, match=f"pair {len(golds) - 1}: the gold standard has 9"):
        pk.many(golds, hyps)
    with pytest.raises(SegmentationError, match="pair 4100: k is 5 and the text has 3 units"):
        pk.many(
            [Segmentation([9])] * 4100 + [Segmentation([3])],
            [Segmentation([9])] * 4100 + [Segmentation([3])],
            k=5,
        )


@given(drawn(9))
def test_chance_is_the_mean_over_all_hypotheses(case):
    gold, hyp, k = case
    found = nwin(Segmentation(gold), Segmentation(hyp), k=k)
    assert found.denominator == pytest.approx(float(slow.expected_of_one(gold, hyp, k)), abs=1e-9)
    assert found.numerator == slow.window_diff(gold, hyp, k, k - 1)[0]


@given(drawn(7))
def test_chance_is_the_mean_over_all_golds_and_hypotheses(case):
    gold, hyp, k = case
    found = tnwin(Segmentation(gold), Segmentation(hyp), k=k)
    assert found.denominator == pytest.approx(float(slow.expected_of_both(gold, hyp, k)), abs=1e-9)


def test_chance_agrees_with_a_simulation():
    rng = np.random.default_rng(0)
    n, k = 200, 7
    gold, hyp = (
        Segmentation.from_boundaries(rng.choice(np.arange(1, n), m, replace=False).tolist(), n)
        for m in (14, 30)
    )

    def shuffled(m):
        places = (rng.choice(np.arange(1, n), m, replace=False).tolist() for _ in range(4000))
        return [Segmentation.from_boundaries(found, n) for found in places]

    ones = shuffled(30)
    for metric, golds in ((nwin, [gold] * 4000), (tnwin, shuffled(14))):
        errors = window_diff.many(golds, ones, k=k, padded=True).numerators
        error = errors.std() / np.sqrt(errors.size)
        found = metric(gold, hyp, k=k).denominator
        assert abs(errors.mean() - found) < 4 * error


def test_chance_keeps_its_precision_in_long_texts():
    # Half of all places drawn, in windows of 300: P(0) is far below the smallest float.
    gold = Segmentation([600] * 50)
    hyp = Segmentation([2] * 15_000)
    found = nwin(gold, hyp)
    assert found.k == 300
    assert found.denominator == pytest.approx(30_000 + 300 - 2, rel=1e-3)
    assert nwin(hyp, hyp, k=300).value == 0


@given(st.integers(2, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n // 2))))
def test_both_ways_to_chance_agree(drawn_of):
    places, drawn = (np.array([number, number + 3]) for number in drawn_of)
    widest = int(min(places - drawn))
    most = int(min(drawn.max(), widest, 8))
    steps = [chance[0].copy() for _, chance in by_steps(places, drawn, widest, most)]
    blocks = list(by_quotients(places, drawn, widest, most))
    assert np.concatenate([width for width, _ in blocks]).tolist() == [*range(1, widest + 1)]
    assert np.concatenate([chance for _, chance in blocks]) == pytest.approx(np.array(steps))


def test_counts_without_a_chance_are_left_out_and_nothing_is_lost():
    # Of the last, a window of 300 has none with a chance below the smallest float.
    places, drawn, widest = np.array([1500, 1500, 1500]), np.array([450, 22, 1200]), 300
    steps = np.array([chance[0].copy() for _, chance in by_steps(places, drawn, widest, widest)])
    assert np.abs(steps.sum(axis=2) - 1).max() <= 1e-12
    assert (steps[..., :-1] == 0).any()
    blocks = np.concatenate([c for _, c in by_quotients(places, drawn, widest, widest)])
    assert (np.abs(steps - blocks) <= np.maximum(1e-6 * blocks, 1e-12)).all()
    # The mean and the variance of the hypergeometric distribution.
    counts, share = np.arange(widest + 1), drawn / places
    mean = steps[-1] @ counts
    assert mean == pytest.approx(widest * share)
    spread = widest * share * (1 - share) * (places - widest) / (places - 1)
    assert steps[-1] @ counts**2 - mean**2 == pytest.approx(spread)


def different_by_quotients(gold, hyp, k, *, both):
    """Return the windows expected to differ when `hyp`, or `both`, are random."""
    places, drawn = gold.n - 1, [len(gold) - 1, len(hyp) - 1]
    bounds = np.cumsum(gold.masses)[:-1]
    # Windows of k places, fewer at the ends of the text: places `low` + 1 to `high`.
    high = np.arange(1, places + k)
    low, high = np.maximum(high - k, 0), np.minimum(high, places)
    held = np.searchsorted(bounds, high, side="right") - np.searchsorted(bounds, low, side="right")
    most = min(*drawn, k) if both else int(held.max())
    chance = [
        np.concatenate([c[:, 0] for _, c in by_quotients(*map(np.array, ([places], [m])), k, most)])
        for m in drawn
    ]
    same = (chance[0] * chance[1]).sum(axis=1)
    width = high - low - 1
    return (1 - (same[width] if both else chance[1][width, held])).sum()


@pytest.mark.parametrize("metric", [nwin, tnwin])
def test_many_boundaries_in_wide_windows(metric):
    gold, hyp = Segmentation([3] * 2000), Segmentation([2, 5, 1] * 750)
    found = metric(gold, hyp, k=750).denominator
    expected = different_by_quotients(gold, hyp, 750, both=metric is tnwin)
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("metric", [nwin, tnwin])
def test_chance_in_very_long_windows(metric):
    n = 10**6
    for gold, hyp in (([n], [n]), ([n // 2] * 2, [n]), ([n // 2, n // 2], [10, n - 10])):
        found = metric(Segmentation(gold), Segmentation(hyp))
        assert found.k == n // (2 * len(gold))
        if len(gold) + len(hyp) == 2:
            assert found.denominator == 0
        # One boundary in the middle, another anywhere: by hand from k windows around either.
        if len(gold) == len(hyp) == 2:
            k, places = found.k, n - 1
            apart = np.abs(np.arange(1, n) - n // 2)
            expected = 2 * np.minimum(apart, k).sum() / places
            if metric is nwin:
                assert found.denominator == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("metric", [nwin, tnwin])
def test_without_chance_of_error_the_ratio_is_undefined(metric):
    for masses in ([9], [1] * 9):
        found = metric(Segmentation(masses), Segmentation(masses), k=2)
        assert (found.numerator, found.denominator) == (0, 0)
        assert "chance makes no error" in found.undefined
    certain = metric(Segmentation([1] * 9), Segmentation([9]), k=2)
    assert (certain.numerator, certain.denominator) == (9, pytest.approx(9))


def test_segeval_agrees():
    for gold, hyp in random_pairs(1, 500, 60):
        a, b = tuple(gold.masses.tolist()), tuple(hyp.masses.tolist())
        k = slow.half_mean(a)
        if k >= gold.n:
            continue
        found = window_diff(gold, hyp)
        errors, windows_ = segeval.window_diff(b, a, return_parts=True)[:2]
        assert (found.numerator, found.denominator) == (errors, windows_)
        found = pk(gold, hyp)
        assert (found.numerator, found.denominator) == segeval.pk(b, a, return_parts=True)


def test_segeval_pads_by_more_and_finds_the_same_errors():
    for gold, hyp in random_pairs(9, 200, 30):
        a, b = tuple(gold.masses.tolist()), tuple(hyp.masses.tolist())
        k = slow.half_mean(a)
        if k >= gold.n:
            continue
        parts = segeval.window_diff(b, a, return_parts=True, lamprier_et_al_2007_fix=True)
        found = window_diff(gold, hyp, padded=True)
        assert (found.numerator, found.denominator) == (parts[0], parts[1] - 3)


def test_nltk_agrees():
    from nltk.metrics import segmentation as nltk_metrics

    for gold, hyp in random_pairs(2, 400, 30):
        a, b = gold.bits(), hyp.bits()
        for k in (1, 2, 5):
            if k >= gold.n:
                continue
            assert window_diff(gold, hyp, k=k).value == pytest.approx(
                nltk_metrics.windowdiff(a, b, k)
            )
            weighted = nltk_metrics.windowdiff(a, b, k, weighted=True)
            assert window_diff(gold, hyp, k=k, weighted=True).value == pytest.approx(weighted)
            assert pk(gold, hyp, k=k).value == pytest.approx(nltk_metrics.pk(a, b, k=k))


def test_windows_above_255_are_right():
    # A known library compares labels by identity, and fails here.
    gold = Segmentation([1] * 3 + [700] * 3)
    hyp = Segmentation([1] * 2 + [701, 700, 700])
    for k in (255, 256, 257, 300, 700):
        found = pk(gold, hyp, k=k), window_diff(gold, hyp, k=k)
        given = gold.masses.tolist(), hyp.masses.tolist()
        assert (found[0].numerator, found[0].denominator) == slow.pk(*given, k)
        assert (found[1].numerator, found[1].denominator) == slow.window_diff(*given, k)
    many = Segmentation([2] * 700), Segmentation([3] * 466 + [2])
    assert pk(*many, k=300).numerator == 0
    assert window_diff(*many, k=300) == window_diff.many([many[0]], [many[1]], k=300)[0]
    assert window_diff(*many, k=300).numerator == 1100


@pytest.mark.parametrize("metric", ALL)
def test_odd_windows_are_told(metric):
    pair = Segmentation([3, 2]), Segmentation([2, 3])
    with pytest.raises(SegmentationError, match="k is 5 and the text has 5 units: want k below"):
        metric(*pair, k=5)
    with pytest.raises(SegmentationError, match="k is 2 and the text has 1 unit: want k below"):
        metric(Segmentation([1]), Segmentation([1]))
    for wrong in (0, -1, 1.5, True, "2"):
        with pytest.raises(OptionError, match="want a whole number of units, 1 or more"):
            metric(*pair, k=wrong)
    with pytest.raises(SegmentationError, match="pair 1: k is 4 and the text has 3 units"):
        metric.many(
            [Segmentation([5]), Segmentation([3])],
            [Segmentation([5])] * 1 + [Segmentation([3])],
            k=4,
        )


@pytest.mark.parametrize("metric", [pk, window_diff])
def test_no_boundary_on_either_side_is_no_error(metric):
    found = metric(Segmentation([9]), Segmentation([9]))
    assert (found.numerator, found.denominator, found.value) == (0, 5, 0)


def test_ten_million_units():
    rng = np.random.default_rng(8)
    n = 10**7
    gold, hyp = (
        Segmentation.from_boundaries(np.unique(rng.integers(1, n, size=m)).tolist(), n)
        for m in (1000, 1200)
    )
    found = pk(gold, hyp), window_diff(gold, hyp)
    assert found[0].k == found[1].k == round(Fraction(n, 2 * len(gold)))
    assert 0 < found[0].value <= found[1].value < 1


@pytest.mark.parametrize("measure", [nwin, tnwin])
def test_windows_too_wide_to_work_out_what_chance_does_are_refused(measure):
    gold, hyp = Segmentation([10**11, 1]), Segmentation([1, 10**11])
    with pytest.raises(SegmentationError, match=r"k is 25000000000, .* up to 10,000,000 units"):
        measure(gold, hyp)
    assert measure(gold, hyp, k=3).value > 0
