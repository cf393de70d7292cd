from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.model import Counts, CountsTable
from bitext.model.counts import f1_fractions
from reference.significance import ratio

SMALL = st.integers(0, 6)


@st.composite
def counts(draw):
    hits, found = draw(SMALL), draw(SMALL)
    if draw(st.booleans()):
        found = hits
    return Counts(hits, hits + draw(SMALL), found + draw(SMALL), found)


@given(counts())
def test_ratios_are_those_of_the_definition(c):
    four = (c.hits, c.proposed, c.expected, c.found)
    for k, value in enumerate((c.precision, c.recall, c.f1)):
        want = ratio(four, k)
        if want is None:
            assert isnan(value)
        else:
            assert value == pytest.approx(want)
        assert isnan(value) or 0 <= value <= 1


@given(st.lists(counts(), min_size=1), st.sampled_from([1, 7, 10**9]))
def test_fractions_of_many_f1_are_those_of_each(table, times):
    each = [Counts(*(times * value for value in one.row)) for one in table]
    above, below = f1_fractions(*np.array([one.row for one in each], dtype=float).T)
    for one, top, bottom in zip(each, above, below, strict=True):
        value = top / bottom if bottom else nan
        assert value == one.f1 or (isnan(value) and isnan(one.f1))
        assert one.hits != one.found or bottom <= one.proposed + one.expected


@given(counts(), counts(), counts())
def test_counts_add(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c) == sum([a, b, c])
    assert a + Counts(0, 0, 0) == a


def test_found_is_the_hits_where_it_is_not_given():
    assert Counts(2, 3, 4).found == 2
    assert Counts(2, 3, 4) == Counts(2, 3, 4, 2)
    assert Counts(2, 3, 4, 0).found == 0


def test_nothing_over_nothing_is_undefined_and_says_why():
    empty = Counts(0, 0, 0)
    assert all(isnan(v) for v in (empty.precision, empty.recall, empty.f1))
    assert empty.undefined == "nothing proposed, nothing expected"
    nothing = Counts(0, 0, 3)
    assert (isnan(nothing.precision), nothing.recall, nothing.f1) == (True, 0, 0)
    assert nothing.undefined == "nothing proposed"
    assert Counts(0, 3, 0).undefined == "nothing expected"
    assert (Counts(0, 3, 0).precision, Counts(0, 3, 0).f1) == (0, 0)
    assert Counts(1, 2, 3).undefined == ""


def test_no_hits_is_zero_where_there_was_something_to_hit():
    assert Counts(0, 2, 3).f1 == 0


def test_all_right_but_nothing_to_recall_has_no_harmonic_mean():
    c = Counts(5, 5, 0, 0)
    assert (c.precision, isnan(c.recall), isnan(c.f1)) == (1, True, True)


def test_counts_add_to_counts_only():
    with pytest.raises(TypeError, match="unsupported operand"):
        Counts(1, 1, 1) + 1


@pytest.mark.parametrize("alpha", [2, -0.1, float("nan")])
def test_a_weight_is_from_0_to_1(alpha):
    with pytest.raises(OptionError, match=r"^the weight of precision is .*: want one from 0 to 1"):
        Counts(2, 3, 4).f(alpha)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((-1, 2, 3), "not below 0, as in Counts.hits=-1, proposed=2, expected=3"),
        ((1, 2, -3), "not below 0"),
        ((10, 2, 30), "no more items are right than are proposed"),
        ((1, 2, 3, 4), "no more items are right than are proposed, or expected"),
    ],
)
def test_counts_that_no_items_have_are_refused(numbers, message):
    with pytest.raises(InputError, match=message):
        Counts(*numbers)
    assert Counts(0.1 + 0.2, 0.3, 0.3).precision == pytest.approx(1)  # rounded


def test_the_weight_of_precision_is_a_number():
    with pytest.raises(OptionError, match="the weight of precision is 'x': want one from 0 to 1"):
        Counts(1, 2, 3).f("x")


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16])
def test_counts_of_small_integers_of_numpy_do_not_overflow(kind):
    counts = Counts(kind(100), kind(120), kind(120))
    assert counts.f1 == Counts(100, 120, 120).f1
    assert counts + counts == Counts(200, 240, 240)
    assert type((counts + counts).hits) is int


@pytest.mark.parametrize("given", ["1", None, 1j, [1]])
def test_counts_are_numbers(given):
    with pytest.raises(InputError, match=r"proposed of Counts is .*: want a number"):
        Counts(0, given, 3)


def test_tables_of_counts_have_four_columns():
    assert CountsTable([[1, 2, 3, 1]])[0] == Counts(1, 2, 3)
    with pytest.raises(InputError, match="want rows of hits, proposed, expected, found"):
        CountsTable([[1, 2, 3]])
