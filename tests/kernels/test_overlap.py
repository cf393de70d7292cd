import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import SegmentationError
from bitext.kernels.overlap import overlap, overlap_intervals
from reference import kernels as slow


@st.composite
def bounds(draw, n):
    """Bounds from 0 to n, some of them repeated: segments without length."""
    return [0, *sorted(draw(st.lists(st.integers(0, n), max_size=7))), n]


@st.composite
def two_segmentations(draw):
    n, at = draw(st.integers(0, 12)), draw(st.integers(-9, 9))
    return [[at + b for b in draw(bounds(n))] for _ in range(2)]


@st.composite
def intervals(draw):
    """Intervals in order and disjoint; some touch, some are empty."""
    ends = sorted(draw(st.lists(st.integers(-5, 15), max_size=10)))
    return list(zip(ends[::2], ends[1::2], strict=False))


def listed(found):
    return list(zip(*(x.tolist() for x in found), strict=True))


@given(two_segmentations())
def test_overlaps_are_those_of_every_pair(both):
    first, second = both
    found = listed(overlap(np.array(first), np.array(second)))
    assert found == slow.overlap(first, second)
    solid = [len(set(x)) - 1 for x in both]
    assert len(found) <= max(sum(solid) - 1, 0)


@given(two_segmentations())
def test_overlaps_fill_the_line(both):
    first, second = map(np.array, both)
    found = overlap(first, second)
    assert int((found.end - found.start).sum()) == both[0][-1] - both[0][0]
    assert (found.start[1:] == found.end[:-1]).all()


@given(intervals(), intervals())
def test_intervals_overlap_as_every_pair_does(first, second):
    families = [
        tuple(np.array([i[k] for i in family], dtype=np.int64) for k in (0, 1))
        for family in (first, second)
    ]
    assert listed(overlap_intervals(*families)) == slow.overlap_intervals(first, second)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([0, 5], [0, 6], r"the lines differ: 0 to 5 and 0 to 6; want two segmentations of one"),
        ([1, 5], [0, 5], r"the lines differ: 1 to 5 and 0 to 5"),
        ([], [0, 5], r"the lines differ: nothing and 0 to 5"),
        ([0, 3, 2, 5], [0, 5], r"bounds of a segmentation run backwards: want ascending ones"),
        ([0, 5], [0, 7, 5], r"bounds of a segmentation run backwards"),
    ],
)
def test_what_is_no_pair_of_segmentations_is_refused(first, second, message):
    with pytest.raises(SegmentationError, match=message):
        overlap(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64))


def test_a_million_segments_against_one_and_against_shifted_ones():
    n = 1_000_000
    fine = np.arange(0, 2 * n + 1, 2)
    shifted = np.concatenate([[0], np.arange(1, 2 * n, 2), [2 * n]])
    assert overlap(fine, np.array([0, 2 * n])).first.size == n
    found = overlap(fine, shifted)
    assert found.first.size == 2 * n
    assert (found.end - found.start == 1).all()
