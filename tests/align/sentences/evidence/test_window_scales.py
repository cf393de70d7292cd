from __future__ import annotations

import numpy as np
import pytest

from bitext.align.sentences.bead_types import DEFAULT_BEADS
from bitext.align.sentences.evidence.vectors import EmbeddingEvidence, LogOdds, window_scales
from bitext.align.sentences.vectors import SentenceVectors


def topics(seed, sentences):
    """Return vectors of sentences of which neighbours are about one thing, a hundred at a time."""
    rng = np.random.default_rng(seed)
    about = np.repeat(np.random.default_rng(4).normal(size=(sentences // 100 + 1, 16)), 100, axis=0)
    own = rng.normal(size=(sentences, 16)) * 3
    return SentenceVectors((about[:sentences] + own).astype(np.float32))


def test_cosines_of_joined_neighbours_are_brought_to_the_spread_of_single_ones():
    src, tgt = topics(1, 200), topics(2, 200)
    scales = window_scales([(src, tgt)], DEFAULT_BEADS)
    for (a, b), scale in scales.items():
        both = [
            side.windows(n, 0, 200 - n + 1) for side, n in ((src, 1), (tgt, 1), (src, a), (tgt, b))
        ]
        single, joined = np.square(both[0] @ both[1].T), np.square(both[2] @ both[3].T)
        wanted = np.sqrt(single.mean() / joined.mean())
        assert scale == pytest.approx(max(wanted, 0.5), rel=0.08), (a, b)
    assert scales[1, 1] == 1
    assert scales[2, 2] < 0.95


def test_short_texts_and_sides_without_vectors_tell_nothing():
    short = topics(1, 7)
    none = SentenceVectors(np.zeros((0, 0), dtype=np.float32))
    assert set(window_scales([(short, short)], [(2, 2), (3, 1)]).values()) == {1.0}
    assert set(window_scales([(none, short)], [(1, 1)]).values()) == {1.0}
    assert window_scales([], [(1, 1), (1, 0)]) == {(1, 1): 1.0}


def test_the_evidence_takes_the_scale_of_its_bead():
    side = topics(3, 30)
    odds = LogOdds(8.0, 0.0)
    plain = EmbeddingEvidence(DEFAULT_BEADS, side, side, odds=odds)
    scaled = EmbeddingEvidence(DEFAULT_BEADS, side, side, odds=odds, scales={(2, 2): 0.5})
    at = DEFAULT_BEADS.index((2, 2))
    assert scaled.of(5, 5, at)[1] == pytest.approx(plain.of(5, 5, at)[1] / 2)
    assert scaled.of(5, 5, 0) == plain.of(5, 5, 0)
