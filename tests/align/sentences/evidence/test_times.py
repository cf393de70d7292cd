"""Times as evidence: the map of times, and the scores of beads by it."""

from math import exp, log

import numpy as np
import pytest

from bitext.align.sentences import align_sentences, aligner_of
from bitext.align.sentences.aligner import explain_bead
from bitext.align.sentences.corpus import (
    CorpusStatistics,
    pretrained_aligner,
    text_statistics,
)
from bitext.align.sentences.evidence.times import TimeEvidence, TimeMap, estimate_time_map
from bitext.align.sentences.knowledge import (
    LexiconIndex,
)
from bitext.align.sentences.options import SentenceOptions, named
from bitext.align.sentences.texts import SentencePair
from bitext.kernels.bead_path import Band
from bitext.model import Text

BEADS = ((1, 1), (1, 0), (0, 1), (2, 1), (1, 2))


def cues(number, seed=3):
    """Starts and ends of cues, with uneven pauses."""
    chance = np.random.default_rng(seed)
    start = 40 + np.cumsum(0.8 + chance.exponential(2.5, number))
    return np.stack([start, start + 0.7], axis=1)


def one_to_one(number):
    return np.stack([np.arange(number)] * 4, axis=1)


@pytest.mark.parametrize("rate", [1.0, 25 * 1001 / 24000, 24 / 25, 0.93])
def test_a_linear_map_is_found(rate):
    src = cues(60)
    found = estimate_time_map(src, src * rate + 12.5, one_to_one(60))
    assert found.rate == pytest.approx(rate, abs=1e-6)
    assert found.offsets == pytest.approx([12.5], abs=0.01)
    assert max(found.misfits) < 0.05


def test_wrong_beads_do_not_move_the_map():
    src, beads = cues(90), one_to_one(90)
    beads[20:32, 2:] += 2
    beads[50:58, 2:] -= 3
    found = estimate_time_map(src, src + 5, beads)
    assert (found.rate, len(found.cuts)) == (1.0, 0)
    assert found.offsets == pytest.approx([5], abs=0.01)
    assert 0.15 < found.misfits[0] < 0.3


def test_breaks_are_cuts():
    src = cues(90)
    tgt = src.copy()
    tgt[30:] += 120
    tgt[70:] -= 20
    found = estimate_time_map(src, tgt, one_to_one(90))
    assert found.offsets == pytest.approx([0, 120, 100], abs=0.01)
    assert src[29, 0] < found.cuts[0] < src[30, 0]
    assert src[69, 0] < found.cuts[1] < src[70, 0]
    assert found.of(src[:, 0]) == pytest.approx(tgt[:, 0], abs=0.01)
    assert found.beside(src[28:32, 0]) == pytest.approx(src[28:32, 0] + [120, 120, 0, 0], abs=0.01)


@pytest.mark.parametrize("seed", range(8))
def test_unrelated_times_have_no_map(seed):
    assert estimate_time_map(cues(120), cues(120, seed=seed + 50), one_to_one(120)) is None


def test_equal_steps_have_no_map():
    every = np.arange(60.0)[:, None] * 2 + [0, 1.9]
    assert estimate_time_map(every, every + 3, one_to_one(60)) is None


def test_few_beads_or_unknown_times_have_no_map():
    src = cues(30)
    assert estimate_time_map(src, src, one_to_one(7)) is None
    src[:25] = np.nan
    assert estimate_time_map(src, cues(30), one_to_one(30)) is None


def slow_ratio(model, side, source, target):
    """The log-likelihood ratio of one distance; 0 where a time is unknown."""
    mapped = [model.of(np.array([source]))[0], model.beside(np.array([source]))[0]]
    distance = min(abs(one - target) for one in mapped)
    if np.isnan(distance):
        return 0.0
    scale, share, broad = model.scales[side], model.misfits[side], model.broad
    narrow = exp(-distance / scale) / scale
    wide = exp(-distance / broad) / broad
    return log(((1 - share) * narrow + share * wide) / wide)


def test_scores_are_those_of_starts_and_ends():
    src, tgt = cues(9), cues(11, seed=4)
    src[4, 1] = np.nan
    model = TimeMap(1.1, np.array([0.0, 3.0]), np.array([55.0]), (0.1, 0.3), (0.05, 0.2), 5.0)
    evidence = TimeEvidence(BEADS, src, tgt, model, weight=0.5)
    lo = np.array([0, 0, 1, 1, 2, 3, 4, 4, 5, 5])
    band = Band(lo, 7, 11)
    scores = evidence.block(2, 10, band)
    for kind, (a, b) in enumerate(BEADS):
        for i in range(2, 10):
            for j in range(max(lo[i], b), lo[i] + 7):
                expected = 0.0
                if a and b and i >= a and j <= 11:
                    expected = slow_ratio(model, 0, src[i - a, 0], tgt[j - b, 0])
                    expected += slow_ratio(model, 1, src[i - 1, 1], tgt[j - 1, 1])
                    assert scores[kind, i - 2, j - lo[i]] == pytest.approx(expected / 2, abs=1e-4)
                elif not (a and b):
                    assert scores[kind, i - 2, j - lo[i]] == 0


@pytest.fixture(scope="module")
def replies():
    """Short replies that words cannot tell apart; the target lacks three of them."""
    src = cues(40)
    words = ["Yes.", "No.", "Well.", "Good."]
    chance = np.random.default_rng(1)
    lines = [words[k] for k in chance.integers(0, 4, 40)]
    kept = [k for k in range(40) if k not in {9, 18, 30}]
    answers = {"Yes.": "Ja.", "No.": "Nein.", "Well.": "Nun.", "Good.": "Gut."}
    tgt = Text([answers[lines[k]] for k in kept], times=src[kept] * 25 / 24 + 7)
    return Text(lines, times=src), tgt, kept


def test_times_decide_where_words_cannot(replies):
    src, tgt, kept = replies
    pairs = [(bead.src[0], bead.tgt[0]) for bead in align_sentences(src, tgt) if bead.tgt]
    assert pairs == [(k, n) for n, k in enumerate(kept)]
    without = align_sentences(src.with_times(None), tgt)
    assert list(align_sentences(src, tgt, time_weight=0)) == list(without)


def test_unrelated_times_change_nothing(replies):
    src, tgt, _ = replies
    other = tgt.with_times(cues(37, seed=77))
    assert list(align_sentences(src, other)) == list(align_sentences(src, tgt, time_weight=0))


def test_times_are_a_part_of_explanations(replies):
    src, tgt, _ = replies
    aligner = aligner_of([(src, tgt)])
    aligner.run()
    parts = dict(explain_bead(aligner, 5).parts)
    assert list(parts) == ["length", "marks", "words", "times"]
    assert parts["times"] > 2


def test_times_are_evidence_with_the_statistics_of_a_corpus(replies):
    src, tgt, _ = replies
    first = aligner_of([(src, tgt)], rounds=1)
    first.run()
    method, options = named("lexical"), SentenceOptions()
    learner = CorpusStatistics("lexical", method, options)
    learner.add(text_statistics(first))
    known = learner.learned()
    pair, index = SentencePair(src, tgt), LexiconIndex(known.lexicon)
    aligner = pretrained_aligner(pair, method, options, known=known, lexicon=index)
    aligner.run()
    assert aligner.state.time_maps[0].rate == pytest.approx(25 / 24)


def test_a_film_that_is_another_from_the_middle_on_has_a_map():
    src, tgt = cues(80), cues(80)
    tgt[40:] = cues(120, seed=9)[80:]
    found = estimate_time_map(src, tgt + 5, one_to_one(80))
    assert found.of(src[:40, 0]) == pytest.approx(tgt[:40, 0] + 5, abs=0.01)
    assert 0.4 < found.misfits[0] < 0.6
