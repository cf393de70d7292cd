import copy
import pickle
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import InputError, Ratio
from bitext.model import Counts, CountsTable, Ratios
from bitext.model.counts import joined

ratios = st.builds(Ratio, st.integers(0, 99), st.integers(0, 99))


@given(st.lists(ratios, min_size=1))
def test_ratios_pool_by_addition(found):
    total = sum(found)
    assert total.numerator == sum(r.numerator for r in found)
    assert total.denominator == sum(r.denominator for r in found)
    if total.denominator:
        assert total.value == total.numerator / total.denominator
        assert not total.undefined


def test_zero_over_zero_is_what_the_metric_says():
    undefined = Ratio(0, 0, reason="no boundary")
    assert isnan(undefined.value)
    assert undefined.undefined == "no boundary"
    assert isnan(float(undefined + undefined))
    perfect = Ratio(0, 0, empty=1.0)
    assert (perfect.value, perfect.undefined) == (1.0, "")
    assert (perfect + Ratio(1, 2, empty=1.0)).value == 0.5
    assert (perfect + perfect).value == 1.0


def test_pooled_windows_keep_their_size_where_it_is_one():
    assert (Ratio(1, 2, k=3) + Ratio(1, 2, k=3)).k == 3
    assert (Ratio(1, 2, k=3) + Ratio(1, 2, k=4)).k is None
    with pytest.raises(TypeError):
        Ratio(1, 2) + 1


def test_a_ratio_is_shown_with_its_windows_if_it_has_any():
    assert repr(Ratio(1.5, 2)) == "<Ratio: 0.7500 (1.5/2)>"
    assert repr(Ratio(4, 12, k=2)) == "<Ratio: 0.3333 (4/12), k=2>"
    assert repr(Ratio(0, 0)) == "<Ratio: undefined (0/0)>"
    assert repr(Ratio(0, 0, 1.0)) == "<Ratio: 1.0000 (0/0)>"


def test_ratios_are_ratios_in_arrays():
    found = Ratios([1, 0, 3], [2, 0, 4], empty=1.0, reason="why", k=np.array([2, 2, 5]))
    assert list(found) == [Ratio(1, 2), Ratio(0, 0), Ratio(3, 4)]
    assert [r.k for r in found] == [2, 2, 5]
    assert [r.empty for r in found] == [1.0] * 3
    assert found.values.tolist() == [0.5, 1.0, 0.75]
    assert found.counts.tolist() == [[1, 2], [0, 0], [3, 4]]
    assert (found[1:][1], found[-1], len(found[1:])) == (Ratio(3, 4), Ratio(3, 4), 2)
    assert (found.total(), found.total().k, found[:2].total().k) == (Ratio(4, 6), None, 2)
    assert isinstance(found[0].numerator, int)
    again = joined([found[:1], found[1:]])
    assert list(again) == list(found)
    assert again.k.tolist() == [2, 2, 5]
    assert again.empty == 1.0
    assert joined([[1], [2, 3]]) == [1, 2, 3]
    assert repr(found) == "<Ratios of 3 pairs, pooled 0.6667>"


def test_a_table_of_counts_is_counts_in_arrays():
    rows = np.array([[1, 2, 3, 1], [2, 2, 2, 2]])
    plain = CountsTable(rows)
    assert list(plain) == [Counts(1, 2, 3), Counts(2, 2, 2)]
    assert [c.neither for c in plain] == [None, None]
    full = CountsTable(rows, neither=np.array([7, 8]), k=np.array([2, 2]))
    assert [(c.neither, c.k) for c in full] == [(7, 2), (8, 2)]
    total = sum(full, Counts(0, 0, 0, neither=0, k=2))
    assert (total.hits, total.neither, total.k) == (3, 15, 2)
    assert (full[0] + plain[0]).neither is None
    again = joined([full[:1], full[1:]])
    assert list(again) == list(full)
    assert again[1].neither == 8
    assert repr(full).startswith("<CountsTable of 2 pairs, pooled F1 0.")


@pytest.mark.parametrize(
    "value", [Ratios([1], [2], k=np.array([3])), CountsTable(np.array([[1, 2, 3, 1]]))], ids=repr
)
def test_tables_can_be_sent_and_do_not_change(value):
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert list(again) == list(value)
    with pytest.raises(AttributeError, match="does not change"):
        value.k = None


def test_ratios_of_small_integers_of_numpy_do_not_overflow():
    ratio = Ratio(np.int8(100), np.int8(120))
    assert ratio + ratio == Ratio(200, 240)
    assert type((ratio + ratio).numerator) is int


def test_ratios_are_of_numbers_one_of_each_a_pair():
    with pytest.raises(InputError, match="numerator of Ratio is '1': want a number"):
        Ratio("1", 2)
    with pytest.raises(InputError, match="2 numerators and 1 denominators: want one of each"):
        Ratios([1, 2], [3])
    with pytest.raises(InputError, match="want numbers"):
        Ratios(["1"], [3])
