"""Running sums that are added up again where they are read."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext.kernels.arrays import RunningSums, prefix, running_sums

numbers = st.lists(st.floats(-1e6, 1e6), max_size=30)


@given(numbers, st.integers(1, 7), st.data())
def test_sums_are_those_of_the_whole_sequence_to_the_last_bit(values, together, data):
    array = np.array(values)
    sums = RunningSums(len(values), lambda first, last: array[first:last], together=together)
    assert len(sums) == len(values) + 1
    places = st.lists(st.integers(0, len(values)), min_size=1, max_size=4)
    for at in data.draw(st.lists(places, max_size=8)):
        found = sums[np.array([at, at])]
        assert found.tobytes() == prefix(array)[[at, at]].tobytes()


def test_few_sums_are_an_array():
    assert running_sums(3, lambda first, last: np.ones(9)[first:last]).tolist() == [0, 1, 2, 3]
    many = running_sums(1 << 17, lambda first, last: np.ones(last - first))
    assert isinstance(many, RunningSums)
    assert many[np.array([1 << 17, 0])].tolist() == [1 << 17, 0]
