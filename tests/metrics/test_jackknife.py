"""Intervals and the test of few texts, beside loops over left-out texts.

How often intervals contain the true figure is measured by scripts/bench/interval_coverage.py.
"""

from math import isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.metrics.jackknife import jackknife_interval, paired_t
from bitext.metrics.significance import bootstrap, holm
from bitext.model import Counts, Ratio
from reference import significance as slow

HITS = st.integers(0, 8)


@st.composite
def text(draw_):
    hits, more, left = draw_(HITS), draw_(HITS), draw_(HITS)
    return [hits, hits + more, hits + left, hits]


TEXTS = st.lists(text(), min_size=2, max_size=12)


def left_out(texts, figure, *, macro):
    """Return the figure of all texts, and without each one."""
    rest = [texts[:k] + texts[k + 1 :] for k in range(len(texts))]
    return [slow.value(each, figure, macro=macro) for each in (texts, *rest)]


def degrees(sizes):
    kish = sum(sizes) ** 2 / sum(size**2 for size in sizes)
    return max((kish + len(sizes)) / 2 - 1, 0.5)


def wilson(value, ratio):
    """Return both roots of (p - value)^2 = ratio p (1 - p)."""
    roots = np.roots([1 + ratio, -(2 * value + ratio), value**2])
    return np.clip(np.sort(roots.real), 0, 1)


@given(TEXTS, st.integers(0, 2), st.sampled_from([0.8, 0.95]))
def test_the_interval_is_wilsons_of_the_effective_sample(texts, figure, level):
    from scipy.special import ndtri, stdtrit

    value, *without = left_out(texts, figure, macro=False)
    assume(None not in (value, *without))
    sizes = [expected for _, _, expected, _ in texts]
    assume(all(sizes))
    found = jackknife_interval(texts, level=level)[figure]
    variance = np.var(without) * (len(texts) - 1)
    spread = value * (1 - value)
    ratio = stdtrit(degrees(sizes), (1 + level) / 2) ** 2 * variance / spread if spread else 0
    rare = len(texts) < 10 or sum(sizes) * min(value, 1 - value) < 30
    floor = ndtri((1 + level) / 2) ** 2 * (3 if rare else 1) / sum(sizes)
    assert found == pytest.approx(wilson(value, max(ratio, floor)), abs=1e-5)


@given(TEXTS, st.integers(0, 2))
def test_the_macro_average_counts_the_texts_that_have_the_figure(texts, figure):
    each = [slow.ratio(counts, figure) for counts in texts]
    known = [k for k, value in enumerate(each) if value is not None]
    assume(len(known) > 1)
    found = jackknife_interval(texts, macro=True)[figure]
    some = jackknife_interval([texts[k] for k in known], macro=True)[figure]
    # Fewer than ten texts in all or among the known ones have a wider floor.
    assume((len(texts) < 10) == (len(known) < 10))
    assert found == pytest.approx(some, nan_ok=True)
    mean = sum(each[k] for k in known) / len(known)
    assert found.low <= mean <= found.high


@given(TEXTS, st.integers(2, 5))
def test_the_interval_contains_the_figure_and_stays_within_its_range(texts, times):
    for (low, high), value in zip(jackknife_interval(texts), figures_of(texts), strict=True):
        if not isnan(low):
            assert 0 <= low <= value <= high <= 1
    more = jackknife_interval(texts * times)
    for few, many in zip(jackknife_interval(texts), more, strict=True):
        if not isnan(few.low):
            assert many.high - many.low <= few.high - few.low + 1e-9


def figures_of(texts):
    return [
        nan if (value := slow.value(texts, k, macro=False)) is None else value for k in range(3)
    ]


def test_a_figure_that_needs_one_text_has_no_interval():
    texts = [[0, 0, 4, 0], [0, 0, 5, 0], [3, 4, 5, 3]]  # only the last one proposes anything
    precision, recall, _ = jackknife_interval(texts)
    assert isnan(precision.low)
    assert isnan(precision.high)
    assert recall.low < 3 / 14 < recall.high


def test_no_error_in_few_texts_does_not_prove_that_there_are_none():
    texts = [[50, 50, 50, 50]] * 3
    assert jackknife_interval(texts)[2].low == pytest.approx(
        1 / (1 + 3 * 1.959964**2 / 150), abs=1e-4
    )
    assert bootstrap(texts)[2] == (1, 1)


def test_blocks_of_one_text_are_merged_since_errors_come_in_bursts():
    rng = np.random.default_rng(0)
    blocks = np.array([[h, 10, 10, h] for h in rng.integers(2, 10, size=20)])
    found = jackknife_interval(blocks, one_text=True)[2]
    merged = [blocks.reshape(count, -1, 4).sum(axis=1) for count in (10, 5)]
    each = [jackknife_interval(some)[2] for some in merged]
    wider = max(each, key=lambda ends: ends.high - ends.low)
    assert found == pytest.approx(wider)


def test_bounds_move_the_interval_and_infinite_ones_make_it_students():
    from scipy.special import stdtrit

    counts = [[9, 10], [6, 10], [8, 10], [9, 10]]
    ((low, high),) = jackknife_interval(counts)
    shifted = [[2 * a - b, b] for a, b in counts]  # the same figure on the range from -1 to 1
    ((left, right),) = jackknife_interval(shifted, bounds=(-1, 1))
    assert [left, right] == pytest.approx([2 * low - 1, 2 * high - 1])
    ((left, right),) = jackknife_interval(counts, bounds=(-np.inf, np.inf))
    error = np.std([0.9, 0.6, 0.8, 0.9], ddof=1) / sqrt(4)
    half = stdtrit(3, 0.975) * error
    assert [left, right] == pytest.approx([0.8 - half, 0.8 + half])
    assert half > 0.1
    ((left, right),) = jackknife_interval([[a - 7, b] for a, b in counts], bounds=(0, np.inf))
    assert (left, right) == (0, pytest.approx(0.1 + half))
    ((left, right),) = jackknife_interval([[0, 5], [0, 9]], bounds=(0, np.inf))
    assert (isnan(left), isnan(right)) == (True, True)  # no error says nothing of their size
    ((left, right),) = jackknife_interval(counts, bounds=(0.9, np.inf))  # the figure is below it
    assert [left, right] == pytest.approx([0.8 - half, 0.8 + half])


def test_counts_of_every_kind_are_taken():
    rows = [[3, 4, 5, 3], [4, 4, 6, 4]]
    assert jackknife_interval([Counts(*row) for row in rows]) == jackknife_interval(rows)
    assert jackknife_interval([Ratio(3, 4), Ratio(2, 4)]) == jackknife_interval([[3, 4], [2, 4]])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"level": 1.5}, OptionError, "level"),
        ({"sizes": [1, 2, 3]}, InputError, "3 sizes of 2 units"),
        ({"sizes": [1, -2]}, InputError, "a size is below 0 or not a number"),
        ({"burst": 0}, OptionError, "burst is 0: want a number of items above 0"),
        ({"bounds": (1, 0)}, OptionError, r"bounds are \(1, 0\): want the least value, then"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        jackknife_interval([[1, 2], [2, 2]], **options)
    with pytest.raises(InputError, match="1 unit"):
        jackknife_interval([[1, 2]])


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=9))
def test_the_test_of_texts_of_equal_size_is_students(hits):
    from scipy.special import stdtr

    a, b = ([[h[k], 20] for h in hits] for k in (0, 1))
    gains = [(y - x) / 20 for x, y in hits]
    assume(np.std(gains) > 1e-6)
    t = np.mean(gains) / (np.std(gains, ddof=1) / sqrt(len(gains)))
    wanted = 2 * stdtr(len(gains) - 1, -abs(t))
    assert paired_t(a, b) == pytest.approx((wanted,), abs=1e-9)
    assert paired_t(b, a) == pytest.approx((wanted,), abs=1e-9)
    assert paired_t(a, b, macro=True) == pytest.approx((wanted,), abs=1e-9)


def test_equal_systems_and_undefined_figures():
    rows = [[3, 4, 5, 3], [4, 4, 6, 4]]
    assert paired_t(rows, rows) == (1, 1, 1)
    nothing = [[0, 0, 5, 0], [0, 0, 6, 0]]
    assert isnan(paired_t(rows, nothing)[0])
    # Gains of one in ten in both texts have no variance, but few items.
    assert 0.05 < paired_t([[5, 10]] * 2, [[6, 10]] * 2)[0] < 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holms_correction_rejects_what_the_steps_reject(p):
    corrected = [value for (value,) in holm([[value] for value in p])]
    for level in (0.01, 0.05, 0.2):
        rejected = set()
        for rank, k in enumerate(sorted(range(len(p)), key=lambda k: p[k])):
            if p[k] * (len(p) - rank) > level:
                break
            rejected.add(k)
        assert {k for k, value in enumerate(corrected) if value <= level} == rejected


def test_an_undefined_p_is_no_test():
    assert holm([[0.02, 0.5], [nan, 0.01], [0.03, nan]]) == [
        (0.04, 0.5),
        (pytest.approx(nan, nan_ok=True), 0.02),
        (0.04, pytest.approx(nan, nan_ok=True)),
    ]
