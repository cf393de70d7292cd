"""Readings of positions that fit the lengths of aligned segments better than the one given."""

from __future__ import annotations

import numpy as np
import pytest

from bitext import Alignment
from bitext.kernels.distributions import Reading, better_reading


def translated(size=300, seed=3):
    """Beads 1-1, 1-2 and 2-1 over segments whose lengths agree bead by bead."""
    rng = np.random.default_rng(seed)
    beads, src, tgt = [], [], []
    for _ in range(size):
        shape = [(1, 1), (1, 1), (1, 1), (1, 2), (2, 1)][rng.integers(5)]
        total = rng.integers(20, 200)
        bead = []
        for lengths, count in zip((src, tgt), shape, strict=True):
            bead.append(tuple(range(len(lengths), len(lengths) + count)))
            lengths += [int(total * rng.uniform(0.85, 1.15) / count) for _ in range(count)]
        beads.append(tuple(bead))
    return Alignment(beads), np.array(src), np.array(tgt)


def test_true_lengths_have_no_better_reading():
    for seed in range(20):
        beads, src, tgt = translated(seed=seed)
        assert better_reading(beads.src, beads.tgt, src, tgt) is None


def test_unrelated_lengths_have_no_better_reading():
    for seed in range(20):
        beads, src, _ = translated(seed=seed)
        tgt = np.random.default_rng(seed).permutation(translated(seed=seed)[2])
        assert better_reading(beads.src, beads.tgt, src, tgt) is None


@pytest.mark.parametrize(("i", "j"), [(1, 0), (0, 2), (1, 1), (-1, -1), (-2, 0)])
def test_shifted_texts_are_found(i, j):
    def moved(lengths, step):
        return np.append([50] * step, lengths) if step > 0 else lengths[-step:]

    beads, src, tgt = translated()
    kept = beads[:-5] if min(i, j) < 0 else beads  # positions beyond the text are no question
    beads = Alignment(kept)
    found = better_reading(beads.src, beads.tgt, moved(src, i), moved(tgt, j))
    assert found == Reading(False, i, j)


def test_exchanged_texts_are_found():
    beads, src, tgt = translated()
    size = max(len(src), len(tgt))
    src, tgt = (np.pad(each, (0, size - len(each)), constant_values=50) for each in (src, tgt))
    assert better_reading(beads.src, beads.tgt, tgt, src) == Reading(exchanged=True)


def test_few_bisegments_tell_nothing():
    beads, src, tgt = translated(size=15)
    assert better_reading(beads.src, beads.tgt, np.append(9, src), tgt) is None
