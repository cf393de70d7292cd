"""Where passages are left out, and what that means for beads."""

import numpy as np

from bitext.align.sentences.omissions import Omissions, keep_passages_whole
from bitext.kernels.bead_path import Band, BeadPath

BEADS = [(1, 1), (1, 0), (0, 1), (2, 1)]
CHANCE = np.array([0.8, 0.05, 0.1, 0.05])


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
