"""Where passages are left out, and what that means for beads."""

import numpy as np
import pytest

from bitext.align.sentences.corridor import Anchors
from bitext.align.sentences.omissions import (
    Omissions,
    keep_passages_whole,
    omissions_of,
    worth,
)
from bitext.kernels.bead_path import Band, BeadPath

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1)]
CHANCE = np.array([0.8, 0.05, 0.1, 0.05])


def anchors(row, column):
    return Anchors(np.array(row), np.array(column), 1.0)


def test_nothing_is_left_out():
    every = np.arange(0, 300, 3)
    assert omissions_of(anchors(every, every), rows=300, columns=300) is None
    assert omissions_of(anchors(every[:3], every[:3] + 200), rows=300, columns=500) is None


def test_some_sentences_more_are_no_omission():
    every = np.arange(0, 300, 3)
    assert omissions_of(anchors(every, every + 6 * (every > 99)), rows=300, columns=306) is None


@pytest.mark.parametrize("begin", [0, 99, 300])
def test_a_passage_that_the_source_lacks(begin):
    every = np.arange(0, 300, 3)
    found = omissions_of(anchors(every, every + 200 * (every >= begin)), rows=300, columns=500)
    assert not found.src.any()
    raised = np.flatnonzero(found.tgt)
    assert (raised[0], raised[-1]) == (max(begin - 2, 0), begin + 199 if begin < 300 else 499)
    assert found.tgt.max() > 0.8
    assert found.tgt.max() < 1.0


def test_the_other_side():
    every = np.arange(0, 300, 3)
    found = omissions_of(anchors(every + 200 * (every > 99), every), rows=500, columns=300)
    assert not found.tgt.any()
    assert np.count_nonzero(found.src) == 202


def test_passages_without_anchors_may_be_left_out_on_both_sides():
    every = np.concatenate([np.arange(0, 300, 3), np.arange(600, 900, 3)])
    found = omissions_of(anchors(every, every), rows=900, columns=900)
    assert np.flatnonzero(found.src).tolist() == list(range(298, 600))
    assert np.flatnonzero(found.tgt).tolist() == list(range(298, 600))
    assert found.src.max() < 0.5


def test_only_beads_with_an_empty_side_gain_and_only_there():
    src, tgt = np.zeros(6), np.zeros(7)
    src[2], tgt[4] = 0.5, 0.9
    band = Band(np.array([-1, 0, 0, 1, 2, 3, 3]), 6, 7)
    found = Omissions(src, tgt).block(BEADS, CHANCE, 0, 7, band)
    assert found.shape == (4, 7, 6)
    assert not found[[0, 3]].any()
    assert np.flatnonzero(found[1].any(axis=1)).tolist() == [3]
    np.testing.assert_allclose(found[1, 3], np.log(0.5 / 0.05), rtol=1e-6)
    row, place = np.nonzero(found[2])
    assert (band.lo[row] + place == 5).all()
    np.testing.assert_allclose(found[2, row, place], np.log(0.9 / 0.1), rtol=1e-6)
    assert len(row) == sum(0 <= 5 - low < 6 for low in band.lo.tolist())
    # Some rows give what all rows give.
    np.testing.assert_array_equal(
        found[:, 2:5], Omissions(src, tgt).block(BEADS, CHANCE, 2, 5, band)
    )


def test_frequent_gaps_are_not_made_rarer():
    src = np.full(3, 0.2)
    band = Band(np.zeros(4, dtype=np.int64), 4, 3)
    found = Omissions(src, src).block(BEADS, np.array([0.2, 0.4, 0.4, 0.1]), 0, 4, band)
    assert not found.any()


def test_of_a_path_the_same_is_added():
    rng = np.random.default_rng(2)
    found = Omissions(rng.random(6) * (rng.random(6) < 0.7), rng.random(7) * (rng.random(7) < 0.7))
    kinds = np.array([0, 1, 2, 3, 2, 1, 2, 0, 2])
    row, column = np.cumsum([BEADS[kind] for kind in kinds], axis=0).T
    path = BeadPath(0, kinds, row, column, 0.5)
    band = Band(np.zeros(7, dtype=np.int64), 8, 7)
    block = found.block(BEADS, CHANCE, 0, 7, band)
    assert block[kinds, row, column].any()
    np.testing.assert_allclose(found.of(BEADS, CHANCE, path), block[kinds, row, column], rtol=1e-6)


def test_beads_with_both_sides_that_divide_a_passage_score_less():
    src, tgt = np.zeros(6), np.zeros(7)
    src[2], tgt[4:6] = 0.45, 0.9
    band = Band(np.array([-1, 0, 0, 1, 2, 3, 3]), 6, 7)
    table = np.arange(4 * 7 * 6).reshape(4, 7, 6)
    asked = keep_passages_whole(
        lambda a, b, _: table[:, a:b], BEADS, Omissions(src, tgt), unit=10.0
    )
    less = (asked(0, 7, band) - table).tolist()
    kept = table.copy()
    for kind, (a, b) in enumerate(BEADS):
        for i in range(7):
            for at in range(6):
                j = band.lo[i] + at
                if not 0 <= j <= 7:
                    continue
                inside = 2 in range(max(i - a, 0), i) or {4, 5} & set(range(max(j - b, 0), j))
                assert less[kind][i][at] == (-30 if a and b and inside else 0)
    assert (table == kept).all(), "what was asked for is not changed"
    np.testing.assert_array_equal(asked(2, 5, band), asked(0, 7, band)[:, 2:5])


def test_samples_of_a_long_text_are_scored_apart():
    """No block of scores reaches over the columns between them."""
    asked = []

    def scores(first, last, band):
        asked.append(int(band.lo[last - 1] - band.lo[first]))
        row, column = np.arange(first, last)[:, None], band.lo[first:last, None]
        same = column + np.arange(band.width) - row
        return np.stack([np.where((same == 0) | (same == 50_000), 7, -9)] * len(BEADS))

    near, far = np.arange(1, 41), np.arange(61, 101)
    row = np.concatenate([near, [60], far])
    column = np.concatenate([near, [50_060], far + 50_000])
    kinds = np.where(row == 60, -1, 0)
    path = BeadPath(0, kinds, row, column, 0.5)
    assert worth(BEADS, scores, path, chance=CHANCE, unit=1.0) == 80 * 7
    assert max(asked) < 100
