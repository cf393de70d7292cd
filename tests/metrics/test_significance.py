from math import isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.errors import InputError, OptionError
from bitext.metrics import all_metrics, arcade, boundary_similarity
from bitext.metrics.arcade import MEASURES
from bitext.metrics.significance import (
    Interval,
    blocks,
    bootstrap,
    drawn_sums,
    exchanged_sums,
    figures,
    paired_bootstrap,
    randomisation,
)
from bitext.model import Alignment, Bitext, Counts, Ratio, Text
from reference import draw
from reference import significance as slow

SMALL = st.integers(0, 5)
TESTS = pytest.mark.parametrize("test", [randomisation, paired_bootstrap])


@st.composite
def unit(draw_):
    """The counts of a text; nothing may be proposed or expected in it."""
    hits, found = draw_(SMALL), draw_(SMALL)
    if draw_(st.booleans()):
        found = hits
    return [hits, hits + draw_(SMALL), found + draw_(SMALL), found]


def units(least=2, most=7):
    return st.lists(unit(), min_size=least, max_size=most)


@st.composite
def two_systems(draw_):
    both = draw_(st.lists(st.tuples(unit(), unit()), min_size=2, max_size=6))
    return [[pair[k] for pair in both] for k in (0, 1)]


def assert_close(found, want):
    if want is None:
        assert isnan(found)
    else:
        assert found == pytest.approx(want, abs=1e-12)


def draws(seed, n, resamples):
    return np.random.default_rng(seed).integers(n, size=(resamples, n)).tolist()


@given(units(1))
def test_figures_are_those_of_the_definitions(counts):
    for found, one in zip(figures(np.array(counts, dtype=float)), counts, strict=True):
        for k in range(3):
            assert_close(found[k], slow.ratio(one, k))


@given(units(), st.booleans(), st.integers(0, 9), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_interval_is_that_of_a_loop_over_the_same_draws(counts, macro, seed, level):
    found = bootstrap(np.array(counts), macro=macro, resamples=40, level=level, seed=seed)
    for k, interval in enumerate(found):
        values = slow.bootstrap(counts, draws(seed, len(counts), 40), k, macro=macro)
        known = [v for v in values if v is not None]
        if 2 * len(known) < len(values):
            assert isnan(interval.low)
            assert isnan(interval.high)
        else:
            tail = 50 * (1 - level)
            assert_close(interval.low, slow.percentile(known, tail))
            assert_close(interval.high, slow.percentile(known, 100 - tail))


def test_resamples_worked_out_in_parts_are_the_same():
    """Parts have four million draws."""
    units, resamples = 1_000, 4_300
    a = np.random.default_rng(0).integers(9, size=(units, 4)).astype(float)
    drawn = np.random.default_rng(1).integers(units, size=(resamples, units))
    often = np.array([np.bincount(each, minlength=units) for each in drawn])
    assert np.array_equal(drawn_sums(a, resamples=resamples, seed=1), often @ a)
    taken = np.random.default_rng(1).integers(2, size=(resamples, units))
    assert np.array_equal(exchanged_sums(a, resamples=resamples, seed=1), taken @ a)


def test_two_texts_one_all_right_one_all_wrong():
    # A resample has precision 0, 1/2 or 1 with chances 1/4, 1/2, 1/4.
    counts = np.array([[10, 10, 10, 10], [0, 10, 10, 0]])
    for macro in (False, True):
        for interval in bootstrap(counts, macro=macro, level=0.95):
            assert interval == (0, 1)
        for interval in bootstrap(counts, macro=macro, level=0.4):
            assert interval == (0.5, 0.5)
    same = [Counts(*row) for row in counts.tolist()]
    assert bootstrap(same, resamples=99) == bootstrap(counts, resamples=99)
    assert randomisation(same, counts, resamples=99) == (1.0, 1.0, 1.0)


def test_texts_that_are_all_alike_leave_no_doubt():
    for interval in bootstrap(np.array([[1, 2, 4, 1]] * 5)):
        assert interval.low == interval.high
    assert [interval.low for interval in bootstrap(np.array([[1, 2, 4, 1]] * 5))[:2]] == [0.5, 0.25]


def test_micro_and_macro_weigh_texts_differently():
    counts = np.array([[99, 100, 100, 99], [0, 1, 1, 0]] * 20)
    micro, macro = (bootstrap(counts, macro=m)[0] for m in (False, True))
    assert micro.low > 0.97
    assert macro.low < 0.4
    assert macro.high > 0.6


def test_texts_without_the_figure_are_left_out_of_the_mean():
    counts = np.array([[1, 2, 2, 1], [0, 0, 2, 0]])
    precision, recall, _ = bootstrap(counts, macro=True)
    assert precision == (0.5, 0.5)
    assert recall == (0, 0.5)
    assert all(map(isnan, bootstrap(np.array([[0, 0, 2, 0]] * 3))[0]))


@TESTS
def test_the_same_seed_gives_the_same_p(test):
    rng = np.random.default_rng(5)
    a, b = (np.stack([h := rng.integers(1, 9, 12), h + 3, h + 5, h], axis=1) for _ in range(2))
    assert test(a, b, resamples=500, seed=4) == test(a, b, resamples=500, seed=4)
    assert test(a, b, resamples=500, seed=4) != test(a, b, resamples=500, seed=5)
    assert bootstrap(a, resamples=500, seed=4) == bootstrap(a, resamples=500, seed=4)
    assert bootstrap(a, resamples=500, seed=4) != bootstrap(a, resamples=500, seed=5)


@TESTS
@given(counts=units(), macro=st.booleans())
@settings(max_examples=30)
def test_identical_systems_do_not_differ(test, counts, macro):
    array = np.array(counts)
    for k, p in enumerate(test(array, array, macro=macro, resamples=50)):
        whole = slow.value(counts, k, macro=macro)
        if whole is None:
            assert isnan(p)
        elif test is randomisation:
            assert p == 1
        else:
            assert p > 0


@TESTS
@pytest.mark.parametrize("macro", [False, True])
def test_clearly_different_systems_differ(test, macro):
    rng = np.random.default_rng(0)
    good = np.array([[h, 100, 100, h] for h in rng.integers(85, 95, size=30)])
    poor = np.array([[h, 100, 100, h] for h in rng.integers(40, 60, size=30)])
    for a, b in ((good, poor), (poor, good)):
        least = 2 / 2001 if test is randomisation else 0.003  # by the tail of t
        assert max(test(a, b, macro=macro, resamples=2000)) <= least


@TESTS
@pytest.mark.parametrize("macro", [False, True])
def test_systems_that_differ_by_chance_seldom_differ(test, macro):
    rng = np.random.default_rng(7)
    low = 0
    for _ in range(60):
        a, b = (
            np.array([[h, 50, 50, h] for h in rng.binomial(50, 0.8, size=20)]) for _ in range(2)
        )
        low += test(a, b, macro=macro, resamples=300)[2] < 0.05
    assert low <= 9  # 3 expected; 10 or more in one of two thousand such tests


@pytest.mark.parametrize("macro", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_randomisation_agrees_with_all_exchanges_of_six_texts(seed, macro):
    rng = np.random.default_rng(seed)
    a, b = (
        np.stack([h := rng.integers(0, 9, 6), h + rng.integers(0, 5, 6), h + 3, h], axis=1)
        for _ in range(2)
    )
    a[0] = (0, 0, 3, 0)  # nothing proposed: precision undefined in one text of one system
    found = randomisation(a, b, macro=macro, resamples=20_000)
    for k in range(3):
        exact = slow.exact_randomisation(a.tolist(), b.tolist(), k, macro=macro)
        assert found[k] == pytest.approx(exact, abs=0.02)  # over five standard errors


@given(two_systems(), st.booleans(), st.integers(0, 9))
def test_the_paired_bootstrap_is_that_of_a_loop_over_the_same_draws(systems, macro, seed):
    from scipy.special import ndtri, stdtr

    first, second = systems
    found = paired_bootstrap(
        np.array(first), np.array(second), macro=macro, resamples=30, seed=seed
    )
    drawn = draws(seed, len(first), 30)
    for k in range(3):
        whole = [slow.value(s, k, macro=macro) for s in systems]
        if None in whole:
            assert isnan(found[k])
            continue
        observed = whole[1] - whole[0]
        values = zip(*(slow.bootstrap(s, drawn, k, macro=macro) for s in systems), strict=True)
        known = [b - a for a, b in values if None not in (a, b)]
        large = sum(abs(d - observed) >= abs(observed) - 1e-12 for d in known)
        share, units = (large + 1) / (len(known) + 1), len(first)
        z = -ndtri(share / 2) * sqrt((units - 1) / units)
        assert found[k] == pytest.approx(2 * stdtr(units - 1, -z), abs=1e-9)


def test_resamples_without_a_figure_say_nothing():
    first, second = np.array([[0, 0, 1, 0], [1, 1, 1, 1]]), np.array([[1, 2, 1, 1], [0, 0, 1, 0]])
    # Of the four exchanges two leave a system without proposals; the others differ as much.
    assert randomisation(first, second)[0] == 1


@given(two_systems(), st.booleans())
def test_p_is_a_share_and_does_not_depend_on_who_is_first(systems, macro):
    first, second = map(np.array, systems)
    one = randomisation(first, second, macro=macro, resamples=50)
    other = randomisation(second, first, macro=macro, resamples=50)
    for p, q in zip(one, other, strict=True):
        assert isnan(p) == isnan(q)
        assert isnan(p) or (0 < p <= 1 and p == q)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 1, 1, 1]], r"1 unit: want two or more to resample"),
        (np.zeros((0, 4)), r"0 unit: want two or more"),
        ([[1, 1, 1], [1, 1, 1]], r"counts have the shape \(units, 4\): hits, proposed, expected"),
        ([1, 1, 1, 1], r"counts have the shape \(units, 4\)"),
    ],
)
def test_what_cannot_be_resampled_is_refused(counts, message):
    with pytest.raises(InputError, match=message):
        bootstrap(counts)
    with pytest.raises(InputError, match=message):
        randomisation(counts, counts)


@TESTS
def test_systems_are_tested_on_the_same_texts(test):
    with pytest.raises(InputError, match=r"scored on 2 and 3 units: want the same ones"):
        test(np.ones((2, 4)), np.ones((3, 4)))


@TESTS
def test_systems_are_tested_by_the_same_metric(test):
    with pytest.raises(InputError, match=r"have 4 and 2 counts a unit: want .* the same metric"):
        test(np.ones((3, 4)), np.ones((3, 2)))


# Blocks of one text.


@settings(max_examples=100)
@given(draw.compared(), st.data())
def test_blocks_add_up_to_the_text_by_every_measure(case, data):
    n_src, n_tgt, gold, hyp = case
    assume(gold)
    texts = [Text(data.draw(draw.segments(n))) for n in (n_src, n_tgt)]
    scores = arcade(Bitext(*texts, Alignment(gold)), Bitext(*texts, Alignment(hyp)))
    count = data.draw(st.integers(1, len(gold)))
    for m in MEASURES:
        found = blocks(scores.comparison, m, count)
        total = scores[m]
        assert found.shape == (count, 4)
        assert (found >= 0).all()
        assert found.sum(axis=0).tolist() == [
            total.hits,
            total.proposed,
            total.expected,
            total.found,
        ]


def test_blocks_are_stretches_of_the_text_of_nearly_equal_number():
    gold = Alignment([((k,), (k,)) for k in range(10)])
    hyp = Alignment([((k,), (k,)) for k in range(5)])
    comparison = arcade(gold, hyp).comparison
    assert blocks(comparison, "alignment", 3).tolist() == [
        [3, 3, 3, 3],
        [2, 2, 3, 2],
        [0, 0, 4, 0],
    ]


def test_a_bisegment_without_source_stands_with_the_target_before_it():
    gold = Alignment([((0,), (0,)), ((), (1,)), ((1,), (2,)), ((), (3,))])
    hyp = Alignment([((), (3,)), ((), (1,)), ((1,), ())])
    of_gold, of_hyp = arcade(gold, hyp).comparison.anchors()
    assert of_gold.tolist() == [0, 0, 1, 1]
    assert of_hyp.tolist() == [1, 0, 1]


def test_undefined_figures_have_no_p():
    nothing = np.array([[0, 0, 2, 0]] * 4)
    something = np.array([[1, 2, 2, 1]] * 4)
    for test in (randomisation, paired_bootstrap):
        p = test(nothing, something, resamples=50)
        assert isnan(p[0])
        assert not isnan(p[1])
    assert bootstrap(nothing)[0] == pytest.approx((nan, nan), nan_ok=True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"resamples": 0}, "resamples is 0: want a whole number of draws, 1 or more"),
        ({"resamples": 1.5}, "resamples is 1.5: want a whole number of draws"),
        ({"seed": -1}, "seed is -1: want a whole number, 0 or more"),
        ({"level": 2}, "the confidence level is 2: want one between 0 and 1"),
        ({"level": nan}, "the confidence level is nan"),
        ({"level": "x"}, "the confidence level is 'x': want one between 0 and 1"),
        ({"resamples": -5}, "resamples is -5: want a whole number of draws, 1 or more"),
        ({"resamples": 10.0}, "resamples is 10.0: want a whole number of draws"),
        ({"resamples": True}, "resamples is True: want a whole number of draws"),
        ({"resamples": None}, "resamples is None: want a whole number of draws"),
        ({"seed": 1.0}, "seed is 1.0: want a whole number"),
        ({"seed": "1"}, "seed is '1': want a whole number"),
        ({"zero_division": "x"}, "zero_division is 'x': want a number"),
        ({"zero_division": None}, "zero_division is None: want a number"),
    ],
)
def test_odd_options_of_resampling_are_told(options, told):
    counts = np.ones((3, 4))
    with pytest.raises(OptionError, match=told):
        bootstrap(counts, **options)
    for test in () if "level" in options else (randomisation, paired_bootstrap):
        with pytest.raises(OptionError, match=told):
            test(counts, counts, **options)


def masses(draw, count=30):
    return [Segmentation([a, b, 8 - a - b]) for a, b in draw.integers(1, 4, (count, 2)).tolist()]


@pytest.mark.parametrize(
    "name", [name for name, each in all_metrics().items() if each.over == "segmentation"]
)
def test_intervals_and_tests_take_what_every_metric_gives_of_many(name):
    draw = np.random.default_rng(5)
    golds, a, b = masses(draw), masses(draw), masses(draw)
    measure = all_metrics()[name]
    first, second = measure.many(golds, a), measure.many(golds, b)
    total = sum(first[k] for k in range(len(first)))
    values = [getattr(total, m) for m in measure.measures] or [total.value]
    intervals = bootstrap(first, resamples=200)
    assert len(intervals) == len(values)
    for interval, value in zip(intervals, values, strict=True):
        assert interval.low <= value <= interval.high
    assert bootstrap(list(first), resamples=200) == intervals
    for test in (randomisation, paired_bootstrap):
        found = test(first, second, resamples=200)
        assert len(found) == len(values)
        assert all(0 < p <= 1 for p in found)


def test_a_ratio_of_nothing_counts_as_its_metric_has_it():
    bare = [Segmentation([5])] * 4
    found = boundary_similarity.many(bare, bare)
    assert bootstrap(found, resamples=20) == (Interval(1.0, 1.0),)
    assert bootstrap(found, resamples=20, zero_division=0.5) == (Interval(0.5, 0.5),)
    assert bootstrap(np.array([[1, 2], [1, 4]]), resamples=50)[0].high == 0.5


def test_scores_that_do_not_add_up_are_refused():
    with pytest.raises(InputError, match=r"the scores are object objects.*see agreement_interval"):
        bootstrap([object(), object()])
    with pytest.raises(InputError, match=r"want what metric\.many gives"):
        bootstrap([{"word": 1}, {"word": 2}])


@TESTS
def test_series_of_systems_are_in_one_order(test):
    import pandas as pd

    scores = pd.Series([Ratio(1, 2), Ratio(1, 3)], index=["x", "y"])
    assert 0 < test(scores, scores)[0] <= 1
    with pytest.raises(InputError, match="two Series have the same labels in different orders"):
        test(scores, scores[::-1])


def test_figures_alone_are_counts_with_the_denominator_1():
    for values in ([0.5, 0.7, 0.9], np.array([0.5, 0.7, 0.9])):
        with pytest.raises(InputError, match="of figures alone, give each with the denominator 1"):
            bootstrap(values)
    ((low, high),) = bootstrap([(figure, 1) for figure in (0.5, 0.7, 0.9)])
    assert 0.5 <= low < 0.7 < high <= 0.9


def test_sets_of_scores_would_drop_equal_ones():
    with pytest.raises(InputError, match=r"the scores are .*: want a list with the score of each"):
        bootstrap({Counts(1, 2, 3), Counts(2, 2, 3)})


def test_figures_are_a_function():
    with pytest.raises(OptionError, match="of is 'f1': want a function from counts to figures"):
        bootstrap([Counts(1, 2, 3), Counts(2, 2, 3)], of="f1")
