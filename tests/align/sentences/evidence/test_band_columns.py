"""What is known of columns, by the rows of a band."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.evidence import BandColumns
from bitext.kernels.arrays import within
from bitext.kernels.bead_path import Band


@given(
    st.lists(st.integers(0, 5), min_size=2, max_size=12),
    st.integers(-4, 4),
    st.integers(1, 6),
    st.data(),
)
def test_each_row_has_what_its_columns_have(steps, begin, width, data):
    lo = begin + np.cumsum(steps)
    first = data.draw(st.integers(0, len(lo) - 1))
    last = data.draw(st.integers(first + 1, len(lo)))
    columns = BandColumns.of(first, last, Band(lo, width, 100))
    assert (np.diff(columns.column) == 1).all()
    values = np.stack([columns.column * 3, columns.column**2])
    wanted = lo[first:last, None] + np.arange(width)
    assert (columns.by_rows(values, np.array([[0], [1]])) == [wanted * 3, wanted**2]).all()
    kind = np.arange(first, last) % 2
    by_row = np.where(kind[:, None] == 0, wanted * 3, wanted**2)
    assert (columns.by_rows(values, kind) == by_row).all()


@given(st.lists(st.integers(-50, 50)), st.integers(-20, 20), st.integers(0, 20))
def test_numbers_are_brought_within_bounds(values, least, more):
    found = within(np.array(values, dtype=np.int64), least, least + more)
    assert found.tolist() == [min(max(value, least), least + more) for value in values]
