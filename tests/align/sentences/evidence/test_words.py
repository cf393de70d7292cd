from __future__ import annotations

import itertools
import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bitext.align.sentences.bead_types import DEFAULT_BEADS, bead_types
from bitext.align.sentences.evidence.words import LexicalEvidence, TileLimits
from bitext.align.sentences.lexical.word_links import KnownWords, WordPairs, links_of
from bitext.align.sentences.texts import SentencePair
from bitext.kernels.bead_path import Band
from bitext.kernels.compiled import using
from bitext.model import Text
from tests.reference.sentence_evidence_slow import word_score

sentence = st.lists(st.sampled_from("abcdef"), max_size=6).map(" ".join)
texts = st.lists(sentence, min_size=1, max_size=6)


def linked(pair, seed, *, share=0.4):
    """Return links by chance, of a share of all pairs, and the same as dictionaries."""
    rng = np.random.default_rng(seed)
    src, tgt = pair.src.vocabulary.forms, pair.tgt.vocabulary.forms
    chances = rng.random((2, len(src), len(tgt))) * (rng.random((2, len(src), len(tgt))) < share)
    x, y = np.nonzero(chances.max(axis=0))
    known = [rng.random(len(words)) * 0.8 * (rng.random(len(words)) < 0.7) for words in (src, tgt)]
    frequent = [rng.random(len(words)) * 0.1 + 0.01 for words in (src, tgt)]
    pairs = WordPairs(x.astype(np.int32), y.astype(np.int32), *chances[:, x, y], *known)
    slow = (
        {(src[i], tgt[j]): tuple(chances[:, i, j]) for i, j in zip(x, y, strict=True)},
        [dict(zip(words, one, strict=True)) for words, one in zip((src, tgt), known, strict=True)],
        [
            dict(zip(words, one, strict=True))
            for words, one in zip((src, tgt), frequent, strict=True)
        ],
    )
    return links_of(pairs, *frequent), slow


def telling(links, known, frequent):
    """Set links that hardly change a score to 0, one by one."""
    found = {}
    for (s, y), (forward, backward) in links.items():
        there = known[1][y] * forward / frequent[1][y] >= 1 - known[1][y]
        back = known[0][s] * backward / frequent[0][s] >= 1 - known[0][s]
        found[s, y] = forward * there, backward * back
    return found


@given(texts, texts, st.integers(0, 1000))
def test_scores_are_those_of_the_formula(src, tgt, seed):
    pair = SentencePair(Text(src), Text(tgt))
    links, (every, *shares) = linked(pair, seed)
    slow = telling(every, *shares), *shares
    band = Band(np.zeros(len(src) + 1, dtype=np.int64), len(tgt) + 1, len(tgt))
    block = LexicalEvidence(DEFAULT_BEADS, pair, links, weight=0.7).block(0, len(src) + 1, band)
    words = [one.split() for one in src], [one.split() for one in tgt]
    for k, (a, b) in enumerate(DEFAULT_BEADS):
        wanted = [
            word_score(words[0][i - a : i], words[1][j - b : j], *slow, 0.7) if a and b else 0.0
            for i in range(a, len(src) + 1)
            for j in range(b, len(tgt) + 1)
        ]
        assert_allclose(block[k, a:, b:].ravel(), wanted, rtol=0, atol=1e-4, equal_nan=False)


@pytest.mark.parametrize("words", [12, 400])
def test_scores_of_many_and_of_few_linked_words_are_those_of_the_formula(words):
    # Few scores that are not 0 are summed one by one, many by products of matrices.
    rng = np.random.default_rng(words)
    forms = [a + b for a, b in itertools.product(string.ascii_lowercase, repeat=2)][:words]
    made = [[" ".join(rng.choice(forms, 6)) for _ in range(70)] for _ in range(2)]
    pair = SentencePair(*map(Text, made))
    links, (every, *shares) = linked(pair, 3, share=4 / words)
    slow = telling(every, *shares), *shares
    block = LexicalEvidence(DEFAULT_BEADS, pair, links).block(
        0, 71, Band(np.zeros(71, dtype=np.int64), 71, 70)
    )
    split = [[one.split() for one in side] for side in made]
    for i, j in rng.integers(4, 71, (60, 2)).tolist():
        for k, (a, b) in enumerate(DEFAULT_BEADS):
            if a and b:
                wanted = word_score(split[0][i - a : i], split[1][j - b : j], *slow, 0.7)
                assert block[k, i, j] == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("beads", ["max 1-1", "2-1", "1-3", "max 3-3"])
@pytest.mark.parametrize("lo", [np.arange(121) - 4, np.maximum(np.arange(121) * 3 - 250, 0)])
def test_a_band_gives_what_the_whole_table_has(beads, lo):
    rng = np.random.default_rng(4)
    made = [[" ".join(rng.choice(list("abcdefgh"), 5)) for _ in range(120)] for _ in range(2)]
    pair = SentencePair(*map(Text, made))
    links, _ = linked(pair, 7)
    kinds = bead_types(beads)
    evidence = LexicalEvidence(kinds, pair, links)
    table = evidence.block(0, 121, Band(np.zeros(121, dtype=np.int64), 121, 120))
    band = Band(lo, 25, 120)
    part = evidence.block(10, 115, band)
    for i in range(10, 115):
        columns = lo[i] + np.arange(25)
        held = (columns >= 3) & (columns <= 120)
        assert np.abs(part[:, i - 10, held] - table[:, i, columns[held]]).max(initial=0) < 1e-4


@pytest.mark.parametrize("begin", [0, 10, 119])
def test_only_what_matters_need_be_right(begin):
    """Columns that a band says do not matter take no work, and change no others."""
    rng = np.random.default_rng(6)
    made = [[" ".join(rng.choice(list("abcdefgh"), 5)) for _ in range(120)] for _ in range(2)]
    pair = SentencePair(*map(Text, made))
    links, _ = linked(pair, 7)
    evidence = LexicalEvidence(DEFAULT_BEADS, pair, links)
    lo = np.arange(121) - 4
    hi = np.maximum.accumulate(lo + rng.integers(0, 25, 121))
    whole = evidence.block(begin, 121, Band(lo, 49, 120))
    part = evidence.block(begin, 121, Band(lo, 49, 120, hi))
    column = lo[begin:, None] + np.arange(49)
    matters = (column >= 4) & (column <= np.minimum(hi[begin:, None], 120))
    assert (part[:, matters] == whole[:, matters]).all()
    assert (part != whole).any() or begin == 119


def test_words_that_are_not_known_say_nothing():
    pair = SentencePair(Text(["a b", "c"]), Text(["x", "y z"]))
    none = np.zeros(0, dtype=np.int32)
    nothing = WordPairs(none, none, np.zeros(0), np.zeros(0), np.zeros(3), np.zeros(3))
    links = links_of(nothing, np.full(3, 0.3), np.full(3, 0.3))
    band = Band(np.zeros(3, dtype=np.int64), 3, 2)
    assert not LexicalEvidence(DEFAULT_BEADS, pair, links).block(0, 3, band).any()


def test_links_that_tell_little_are_left_out():
    rng = np.random.default_rng(8)
    made = [[" ".join(rng.choice(list("abcdefgh"), 20)) for _ in range(12)] for _ in range(2)]
    pair = SentencePair(*map(Text, made))
    links, (every, *shares) = linked(pair, 3)
    kinds = bead_types("max 1-1")
    evidence = LexicalEvidence(kinds, pair, links)
    src, tgt = pair.src.vocabulary.forms, pair.tgt.vocabulary.forms
    kept = [evidence.ratio("tgt", src.index(s), tgt.index(y)) > 0 for s, y in every]
    assert 0 < sum(kept) < sum(forward > 0 for forward, _ in every.values())
    band = Band(np.zeros(13, dtype=np.int64), 13, 12)
    nearly = evidence.block(1, 13, band)[kinds.index((1, 1)), :, 1:]
    src, tgt = ([[sentence.split()] for sentence in side] for side in made)
    whole, nothing = (
        np.array([[word_score(a, b, some, *shares, 0.7) for b in tgt] for a in src])
        for some in (every, {})
    )
    # Each of the 8 different words changes by log(1 + 1 / 21) for each of those left out, at most.
    assert np.abs(nearly - whole).max() < 0.7 * 8 * np.log1p(8 / 21) < np.abs(nothing - whole).max()
    assert np.abs(nearly - whole).max() > 0.01


def test_wide_bands_are_not_worked_on_word_by_word(monkeypatch):
    made = [[" ".join("abcdefgh") for _ in range(count)] for count in (40, 3000)]
    pair = SentencePair(*map(Text, made))
    links, _ = linked(pair, 9)
    evidence = LexicalEvidence(DEFAULT_BEADS, pair, links)
    asked, some = [], KnownWords.words
    monkeypatch.setattr(
        KnownWords, "words", lambda self, *a, **how: asked.append(a) or some(self, *a, **how)
    )
    with using(None):
        evidence.block(1, 41, Band(np.zeros(41, dtype=np.int64), 3001, 3000))
    assert 2 <= len(asked) < 2 * 40  # those of both sides, for each tile


@pytest.mark.parametrize("tiles", [(3, 128, 10**9), (24, 2, 10**9), (24, 128, 0), (7, 5, 900)])
def test_scores_do_not_depend_on_what_is_worked_on_at_once(tiles):
    rng = np.random.default_rng(8)
    made = [[" ".join(rng.choice(list("abcdefgh"), 4)) for _ in range(50)] for _ in range(2)]
    pair = SentencePair(*map(Text, made))
    links, _ = linked(pair, 9)
    whole = LexicalEvidence(DEFAULT_BEADS, pair, links)
    parts = LexicalEvidence(DEFAULT_BEADS, pair, links, tiles=TileLimits(*tiles))
    lo = np.maximum(np.arange(51) - 6 + 9 * (np.arange(51) > 30), -2)
    high = np.minimum(lo + 8 + np.arange(51) % 4, 50)
    band = Band(lo, 13, 50, np.maximum.accumulate(high))
    wanted, found = whole.block(2, 50, band), parts.block(2, 50, band)
    column = lo[2:50, None] + np.arange(13)
    held = (column >= 0) & (column <= band.last(np.arange(2, 50))[:, None])
    assert np.abs(wanted[:, held]).max() > 1
    np.testing.assert_allclose(found[:, held], wanted[:, held], atol=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_each_row_where_the_band_leaps(seed):
    """Where it does, a tile has fewer rows than those before and after it."""
    rng = np.random.default_rng(seed)
    made = [[" ".join(rng.choice(list("abcdefgh"), 4)) for _ in range(n)] for n in (80, 400)]
    pair = SentencePair(*map(Text, made))
    links, _ = linked(pair, 9)
    leaps = rng.integers(20, 40, 81) * (rng.random(81) < 0.06)
    lo = np.minimum(np.cumsum(rng.integers(0, 3, 81) + leaps) - 2, 395)
    band = Band(lo, 12, 400, np.minimum(lo + 11, 400))
    column = lo[2:81, None] + np.arange(12)
    held = (column >= 0) & (column <= band.last(np.arange(2, 81))[:, None])

    def scores(*tiles):
        evidence = LexicalEvidence(DEFAULT_BEADS, pair, links, tiles=TileLimits(*tiles))
        return evidence.block(2, 81, band)[:, held]

    of_each = scores(1, 1, 10**9)
    for tiles in ((8, 128, 10**9), (24, 128, 10**9), (24, 128, 2000)):
        np.testing.assert_allclose(scores(*tiles), of_each, atol=1e-4, err_msg=f"tiles {tiles}")
