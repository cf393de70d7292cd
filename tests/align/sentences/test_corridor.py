"""Corridors against all their points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.corridor import Corridor
from bitext.errors import InputError


@st.composite
def wishes(draw):
    rows, columns = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    some = st.lists(st.integers(-5, columns + 5), min_size=rows + 1, max_size=rows + 1)
    return draw(some), draw(some), columns


@given(wishes())
def test_a_corridor_holds_what_is_wished_and_has_a_way(given_wishes):
    low, high, columns = given_wishes
    corridor = Corridor.between(low, high, columns)
    assert corridor.lo[0] == 0
    assert corridor.hi[-1] == columns
    assert (np.diff(corridor.lo) >= 0).all()
    assert (np.diff(corridor.hi) >= 0).all()
    assert (corridor.lo[1:] <= corridor.hi[:-1]).all()
    for row, (a, b) in enumerate(zip(low, high, strict=True)):
        for column in range(max(a, 0), min(b, columns) + 1):
            assert corridor.lo[row] <= column <= corridor.hi[row]
    assert corridor.cells == sum(
        b - a + 1 for a, b in zip(corridor.lo.tolist(), corridor.hi.tolist(), strict=True)
    )


@st.composite
def ways(draw):
    steps = draw(st.lists(st.sampled_from([(1, 1), (1, 0), (0, 1), (2, 1), (1, 3)]), max_size=14))
    return np.cumsum(np.array([(0, 0), *steps]), axis=0), draw(st.integers(0, 4))


@given(ways())
def test_what_is_near_a_path_is_within(way):
    points, margin = way
    rows, columns = (int(n) for n in points[-1])
    corridor = Corridor.around(
        points[1:, 0], points[1:, 1], rows=rows, columns=columns, margin=margin
    )
    for i, j in points.tolist():
        for far in range(-margin, margin + 1):
            for row, column in ((i + far, j), (i, j + far)):
                if 0 <= row <= rows and 0 <= column <= columns:
                    assert corridor.lo[row] <= column <= corridor.hi[row]


def test_little_more_than_what_is_near_is_within():
    every = np.arange(1000)
    corridor = Corridor.around(every, every, rows=1000, columns=1000, margin=5)
    assert corridor.cells <= 1001 * 21
    wide = Corridor.around([100, 900], [100, 900], rows=1000, columns=1000, margin=5)
    assert wide.lo[500] <= 105
    assert wide.hi[500] >= 895


def test_two_corridors_as_one():
    one = Corridor.around([10], [0], rows=20, columns=20, margin=1)
    other = Corridor.around([0], [10], rows=20, columns=20, margin=1)
    both = one.joined(other)
    for each in (one, other):
        assert (both.lo <= each.lo).all()
        assert (both.hi >= each.hi).all()
    assert [*map(list, one.joined(one)[:2])] == [*map(list, one[:2])]


@given(st.lists(st.integers(0, 400), min_size=1, max_size=12), st.integers(0, 127))
def test_parts_follow_each_other(widths, rest):
    wide = np.repeat(widths, 128)[: 128 * (len(widths) - 1) + rest + 1]
    corridor = Corridor(np.zeros_like(wide), wide, int(wide.max()))
    parts = corridor.parts()
    assert [0, *(end for _, end in parts)] == [*(begin for begin, _ in parts), corridor.rows]


def test_wide_rows_are_a_part_by_themselves():
    wide = np.full(1025, 20)
    wide[512:600] = 600
    parts = Corridor(np.zeros_like(wide), wide, 600).parts()
    assert parts == [(0, 512), (512, 640), (640, 1024)]


def test_wishes_that_are_none():
    with pytest.raises(InputError, match="a first and a last column"):
        Corridor.between([], [], 3)
    with pytest.raises(InputError, match="a first and a last column"):
        Corridor.between([1, 2], [3], 3)
