"""Sums along rows against those that are made one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.kernels.bead_posteriors import runs_of


def one_by_one(numbers, single, *, back):
    """Return the sums of a row as they are defined."""
    sums = numbers.tolist()
    columns = range(len(sums) - 2, -1, -1) if back else range(1, len(sums))
    for j in columns:
        sums[j] += sums[j + 1] * single[j + 1] if back else sums[j - 1] * single[j]
    return sums


@st.composite
def rows(draw):
    """Return the weights of some rows, where there are points, and numbers at these."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    steps, count, width = (draw(st.integers(1, most)) for most in (4, 3, 33))
    single = np.exp(rng.normal(-2, draw(st.sampled_from([0.1, 3.0, 20.0])), (steps, count, width)))
    single[rng.random(single.shape) < draw(st.sampled_from([0.0, 0.2]))] = 0.0  # a border
    at = np.arange(width)
    begin, end = rng.integers(0, 3, (2, steps, count, 1))
    inside = (at >= begin) & (at < width - end)
    single[~inside | (at == begin)] = 0.0
    return single, inside, np.where(inside, rng.lognormal(0, 9, single.shape), 0.0)


@pytest.mark.parametrize("back", [False, True])
@given(rows())
def test_sums_are_those_of_the_definition(back, given_rows):
    single, inside, numbers = given_rows
    with np.errstate(over="ignore"):
        runs = runs_of(single, inside)
        for step, here in enumerate(numbers):
            found = np.empty_like(here)
            (runs.back if back else runs.along)(step, here.copy(), found)
            for row, own, weights in zip(found, here, single[step], strict=True):
                exact = one_by_one(own, weights, back=back)
                np.testing.assert_allclose(row, exact, rtol=1e-12, atol=1e-290)


def test_where_products_of_weights_are_in_range_they_are_taken():
    inside = np.ones((2, 1, 4), dtype=bool)
    ways = [type(runs_of(np.full((2, 1, 4), weight), inside)) for weight in (0.1, 1e-40, 0.0)]
    assert ways[0] is not ways[1]
    assert ways[1] is ways[2]
