"""The evidence of vectors: against the definition, in any band, and in rounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bitext.align.sentences.bead_types import DEFAULT_BEADS
from bitext.align.sentences.evidence.vectors import (
    CorpusVectors,
    EmbeddingEvidence,
    LogOdds,
    random_spread,
)
from bitext.align.sentences.vectors import SentenceVectors, vectors_of
from bitext.errors import InputError
from bitext.kernels.bead_path import Band, best_path
from bitext.model import Text
from reference.embedding_evidence_slow import bead_score

ODDS = LogOdds(12.0, -3.0)


def translated(size, *, seed=1, noise=0.8, dimensions=24):
    """Return vectors of a text and of its translation; both lie in a narrow cone of their own."""
    draw = np.random.default_rng(seed)
    meaning = draw.standard_normal((size, dimensions))
    cones = draw.standard_normal((2, dimensions)) * 4
    sides = [cone + meaning + noise * draw.standard_normal(meaning.shape) for cone in cones]
    return [SentenceVectors(side.astype(np.float32)) for side in sides]


@given(st.data())
def test_a_block_is_what_the_definition_says(data):
    rows, columns = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    draw = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    src, tgt = draw.standard_normal((rows, 5)), draw.standard_normal((columns, 5))
    steps = data.draw(st.lists(st.integers(0, 4), min_size=rows + 1, max_size=rows + 1))
    lo = np.cumsum(steps) - data.draw(st.integers(0, 5))
    width = data.draw(st.integers(1, 9))
    beads = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 3), (2, 2)]
    evidence = EmbeddingEvidence(
        beads, SentenceVectors(src), SentenceVectors(tgt), odds=ODDS, weight=0.6
    )
    first = data.draw(st.integers(0, rows))
    block = evidence.block(first, rows + 1, Band(lo, width, columns))
    assert block.dtype == np.float32
    for k, bead in enumerate(beads):
        slow = [
            bead_score(src, tgt, i, int(lo[i]) + j, bead, ODDS, 0.6)
            for i in range(first, rows + 1)
            for j in range(width)
        ]
        assert_allclose(block[k].ravel(), slow, rtol=0, atol=5e-3, equal_nan=False)


def test_a_block_does_not_hang_on_where_it_is_cut():
    src, tgt = translated(400)
    evidence = EmbeddingEvidence(DEFAULT_BEADS, src, tgt, odds=ODDS)
    lo = np.maximum(np.arange(401) - 10, -10)
    lo[200:] += 60  # a jump, as where sentences are left out
    band = Band(lo, 90, 400)
    whole = evidence.block(0, 401, band)
    cut = [evidence.block(k, min(k + 37, 401), band) for k in range(0, 401, 37)]
    np.testing.assert_allclose(np.concatenate(cut, axis=1), whole, atol=2e-3)


def test_one_bead_is_what_it_is_in_its_block():
    src, tgt = translated(9)
    evidence = EmbeddingEvidence(DEFAULT_BEADS, src, tgt, odds=ODDS)
    block = evidence.block(0, 10, Band(np.zeros(10, dtype=np.int64), 10, 9))
    for kind in range(len(DEFAULT_BEADS)):
        cosine, score = evidence.of(7, 6, kind)
        assert score == pytest.approx(block[kind, 7, 6], abs=2e-3)
        assert -1 <= cosine <= 1


def test_sides_of_different_encoders_are_refused():
    src, tgt = SentenceVectors(np.eye(3), name="a.npy"), SentenceVectors(np.eye(4), name="b.npy")
    with pytest.raises(InputError, match=r"a\.npy has 3 dimensions, b\.npy 4: want vectors of one"):
        EmbeddingEvidence(DEFAULT_BEADS, src, tgt)
    with pytest.raises(InputError, match=r"b\.npy has 4 dimensions, a\.npy 3"):
        CorpusVectors(DEFAULT_BEADS, [(src, tgt)])


@pytest.mark.parametrize("sentences", [[], ["", " "]])
def test_sides_without_characters_are_evidence_for_nothing(sentences):
    src = vectors_of(Text(sentences), lambda texts: np.ones((len(texts), 2)))
    tgt = SentenceVectors(np.eye(2))
    vectors = CorpusVectors(DEFAULT_BEADS, [(src, tgt)])
    (evidence,) = vectors(0)
    rows = len(sentences) + 1
    assert not evidence.block(0, rows, Band(np.zeros(rows, dtype=np.int64), 3, 2)).any()
    assert evidence.of(len(sentences), 1, 0) == (0.0, 0.0)
    assert vectors.odds == LogOdds.first(0.1)


def test_the_spread_of_random_cosines_is_that_of_random_vectors():
    src, tgt = translated(500, noise=3.0, dimensions=64)
    assert random_spread([(src, tgt)]) == pytest.approx(64**-0.5, rel=0.15)


def path_of(vectors, size):
    """Return the best path by the vectors of a pair of texts of equal length."""
    band = Band(np.zeros(size + 1, dtype=np.int64), size + 1, size)
    (evidence,) = vectors(0)
    chance = np.log([0.9 if bead == (1, 1) else 0.01 for bead in vectors.beads])[:, None, None]

    def scores(first, last):
        return np.rint((evidence.block(first, last, band) + chance) * 1024).astype(np.int64)

    return best_path(vectors.beads, scores, band)


def test_vectors_find_the_translation():
    src, tgt = translated(80)
    vectors = CorpusVectors(DEFAULT_BEADS, [(src, tgt)])
    assert vectors.odds == LogOdds.first(random_spread(vectors.pairs))
    assert (path_of(vectors, 80).kinds == 0).all()


class Counting:
    """An encoder: words are directions; it keeps what it was asked for."""

    def __init__(self):
        self.asked = []

    def __call__(self, texts):
        self.asked += texts
        made = np.zeros((len(texts), 40), dtype=np.float32)
        for k, text in enumerate(texts):
            for word in text.split():
                made[k, int(word) % 40] += 1
        return made


def test_vectors_are_made_of_texts_with_an_encoder_or_with_vectors(tmp_path):
    sentences = [f"{k} {7 * k + 3}" for k in range(8)]
    encoder = Counting()
    text = Text(sentences, name="t")
    made = CorpusVectors.of_texts([(1, 1), (1, 0), (0, 1)], [(text, text)], encoder)
    np.save(tmp_path / "v.npy", encoder(sentences))
    given_ = CorpusVectors.of_texts(
        [(1, 1), (1, 0), (0, 1)], [(text, text)], [(tmp_path / "v.npy", encoder(sentences))]
    )
    assert made.odds == pytest.approx(given_.odds, rel=1e-4)
    assert (path_of(made, 8).kinds == 0).all()
    with pytest.raises(InputError, match=r"vectors of 0 pairs for 1 pairs of texts"):
        CorpusVectors.of_texts([(1, 1)], [(text, text)], [])
    with pytest.raises(InputError, match=r"the target: 8 rows for 2 sentences"):
        CorpusVectors.of_texts(
            [(1, 1)], [(text, Text(["a", "b"]))], [(encoder, encoder(sentences))]
        )
