"""What is searched of a part: how it grows, and which rows are asked for together."""

import numpy as np

from bitext.align.sentences.corridor import ROWS, PartBounds


def _reach(*widths):
    low = np.zeros(len(widths), dtype=np.int64) + 1000
    return PartBounds(low, low + np.maximum.accumulate(widths) - 1)


def test_rows_grow_by_their_own_width():
    wider = PartBounds(np.array([0, *[50] * 60]), np.array([*[59] * 60, 120])).wider(
        np.array([30, 30])
    )
    assert wider.low[[1, 19, 20, 40, 41, 60]].tolist() == [40, 40, 40, 40, 50, 50]
    assert wider.high[[1, 19, 20, 40, 41, 59]].tolist() == [59, 59, 69, 69, 69, 69]


def test_rows_that_are_as_wide_as_a_passage_grow_by_little():
    reach = PartBounds(
        np.arange(2000) - 5, np.where(np.arange(2000) < 1000, 5, 9000) + np.arange(2000)
    )
    grown = reach.wider(np.array([1000])).points - reach.points
    assert 0 < grown < 2 * 2 * 256 * 600


def test_rows_that_are_about_as_wide_are_asked_for_together():
    found = [some for some, _ in _reach(*[10] * 40, *[3000] * 20).runs(0, 60)]
    assert found == [slice(0, 40), slice(40, 60)]
    found = [some for some, _ in _reach(*[10] * 40, *[30] * 180).runs(0, 220)]
    assert found == [slice(0, 2 * ROWS), slice(2 * ROWS, 220)]
    found = [some for some, _ in _reach(*[3000] * 220).runs(0, 220)]
    assert found == [slice(0, ROWS), slice(ROWS, 2 * ROWS), slice(2 * ROWS, 220)]
    low = np.abs(np.arange(96) - 48) * 3
    found = [some for some, _ in PartBounds(np.arange(96) * 0, 150 - low).runs(0, 96)]
    assert [one.start for one in found[1:]] == [one.stop for one in found[:-1]]
    asked = sum((one.stop - one.start) * (151 - low[one].min()) for one in found)
    assert asked < 1.5 * (151 - low).sum() < 0.8 * 96 * 151
