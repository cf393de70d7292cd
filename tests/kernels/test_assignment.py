from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from bitext.kernels.matching import assign

GAINS = st.lists(st.dictionaries(st.integers(0, 3), st.integers(-3, 20), max_size=4), max_size=4)


def best(gains):
    """Try every order of the columns, a place beyond them being none."""
    return max(
        sum(row.get(c, 0) for row, c in zip(gains, order, strict=False))
        for order in permutations(range(4 + len(gains)), len(gains))
    )


@given(GAINS)
def test_the_gain_is_the_largest(gains):
    found = assign(gains)
    assert all(column in gains[row] for row, column in found.items())
    assert len(set(found.values())) == len(found)
    assert sum(gains[row][column] for row, column in found.items()) == best(gains)


def test_rows_pass_columns_on():
    assert assign([{0: 5, 1: 4}, {0: 5}, {1: 3}]) in ({0: 1, 1: 0}, {0: 0, 2: 1})
    assert assign([{0: 10**40 + 1}, {0: 10**40}]) == {0: 0}
    assert assign([]) == {}
