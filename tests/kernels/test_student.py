from math import inf, isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.kernels.distributions import t_quantile, two_sided_p

DF = st.floats(0.5, 1e5)


@given(st.floats(-1e4, 1e4), DF)
def test_the_tail_is_that_of_scipy(t, df):
    from scipy.special import stdtr

    assert two_sided_p(t, df) == pytest.approx(2 * stdtr(df, -abs(t)), rel=1e-7, abs=1e-9)


@given(st.floats(0.01, 0.999), DF)
def test_the_quantile_is_that_of_scipy(level, df):
    from scipy.special import stdtrit

    assert t_quantile(level, df) == pytest.approx(stdtrit(df, (1 + level) / 2), rel=1e-7)


def test_many_degrees_of_freedom_are_as_a_normal_distribution():
    assert t_quantile(0.95, inf) == pytest.approx(1.959964, abs=1e-5)
    assert t_quantile(0.95, 1e12) == t_quantile(0.95, inf)


def test_the_ends_of_the_range():
    assert two_sided_p(0, 3) == 1
    assert two_sided_p(inf, 3) == two_sided_p(-inf, 3) == 0
    assert isnan(two_sided_p(nan, 3))
    assert t_quantile(0, 3) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("level", "df"), [(1, 3), (-0.1, 3), (0.9, 0), (0.9, nan)])
def test_what_is_no_level_and_no_degrees_of_freedom_is_refused(level, df):
    with pytest.raises(InputError, match="want"):
        t_quantile(level, df)
