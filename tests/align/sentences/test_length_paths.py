"""The way of a path through a wide table, by lengths and marks."""

import numpy as np
import pytest

from bitext.align.sentences import align_sentences, length_profile
from bitext.align.sentences.corridor import Anchors
from bitext.align.sentences.evidence.punctuation import marks_of
from bitext.align.sentences.length_profile import (
    RATIOS,
    LengthProfile,
    ProfileModel,
    profile_corridor,
    profile_path,
)
from bitext.align.sentences.search_space import WHOLE
from bitext.model import Text
from reference.translated_texts import lengths, sentences

NONE = Anchors(np.zeros(0, np.int64), np.zeros(0, np.int64), 1.0)


@pytest.mark.parametrize(
    ("src", "tgt"),
    [((0, 250), (0, 0)), ((100, 400), (0, 0)), ((0, 60), (740, 800)), ((0, 0), (300, 500))],
)
def test_passages_that_are_left_out(src, tgt):
    left, right = lengths(800, 3)
    ids = [np.delete(np.arange(800), slice(*cut)) for cut in (src, tgt)]
    mine, theirs = left[ids[0]], right[ids[1]]
    profile = LengthProfile(mine, theirs)
    found = profile_path(profile, ProfileModel.first(profile))
    assert found.gain > 0.75
    row, column = found.path.row, found.path.column
    both = set(ids[0].tolist()) & set(ids[1].tolist())
    met = {a for a, b in zip(ids[0][row - 1].tolist(), ids[1][column - 1].tolist(), strict=True)
           if abs(a - b) <= 4}  # fmt: skip
    assert len(both & met) > 0.8 * len(both)
    corridor, _ = profile_corridor(NONE, profile)
    # The way that both texts share is looked at, and little beside it.
    at = np.searchsorted(ids[0], sorted(both)), np.searchsorted(ids[1], sorted(both))
    inside = (corridor.lo[at[0]] <= at[1]) & (at[1] <= corridor.hi[at[0]])
    assert inside.mean() > 0.98
    assert corridor.cells < 0.5 * len(mine) * len(theirs)


def test_other_ratios_of_lengths_where_much_is_left_out():
    src, tgt = lengths(400, 7)
    ends = np.random.default_rng(8).choice(list(".?!,"), 400)
    texts = [[f"a{end}" for end in some] for some in (ends, ends[:160])]
    profile = LengthProfile(src, tgt[:160], (marks_of(texts[0]), marks_of(texts[1])))
    first = ProfileModel.first(profile)
    found = profile_path(profile, first, ratios=RATIOS)
    assert found.gain > 0.75
    assert found.gain > profile_path(profile, first).gain
    assert found.model.lengths.ratio == pytest.approx(1.0, abs=0.05)
    met = set(zip(found.path.row.tolist(), found.path.column.tolist(), strict=True))
    assert np.mean([(k, k) in met for k in range(1, 161)]) > 0.9
    corridor, model = profile_corridor(NONE, profile)
    assert model.lengths.ratio == pytest.approx(1.0, abs=0.05)
    assert all(corridor.lo[k] <= k <= corridor.hi[k] for k in range(150))


def test_rows_that_are_as_wide_as_a_passage_are_few():
    src, tgt = lengths(1500, 8)
    kept = np.append(np.arange(500), np.arange(1000, 1500))
    corridor, _ = profile_corridor(NONE, LengthProfile(src[kept], tgt))
    assert ((corridor.lo[:1000] <= kept) & (kept <= corridor.hi[:1000])).mean() > 0.99
    assert 0 < np.count_nonzero(corridor.hi - corridor.lo > 400) < 40
    away = np.abs(corridor.lo - np.append(kept, 1500))[np.r_[100:400, 600:900]]
    assert away.min() > 40


def test_a_model_is_kept_where_there_is_nothing_to_learn_from():
    profile = LengthProfile(np.array([10.0, 20.0]), np.zeros(0))
    model = ProfileModel.first(LengthProfile(np.array([10.0]), np.array([10.0])))
    found = profile_path(profile, model)
    assert found.model == model
    assert found.path.row.tolist() == [1, 2]


def test_anchors_hold():
    src, tgt = lengths(600, 4)
    anchors = Anchors(np.array([100, 101, 500]), np.array([40, 41, 420]), 1.0)
    corridor, _ = profile_corridor(anchors, LengthProfile(src, tgt[:500]))
    assert (corridor.lo[anchors.row] <= anchors.column).all()
    assert (corridor.hi[anchors.row + 1] >= anchors.column + 1).all()


def test_large_tables_are_searched_in_a_band_or_not_at_all():
    src, tgt = lengths(1500, 5)
    banded, _ = profile_corridor(NONE, LengthProfile(src, tgt), points=1_600_000)
    middle = np.arange(1501)
    assert ((banded.lo <= middle) & (middle <= banded.hi)).mean() > 0.99
    assert profile_corridor(NONE, LengthProfile(src, tgt), points=1_000_000) is None


def test_texts_without_a_common_word():
    # They are too large to be all looked at.
    pairs = sentences(720, seed=31, names=0.0)
    assert WHOLE < 720 * 520
    # The target in other letters: nothing is equal or alike.
    greek = {ord("a") + k: 0x3B1 + k for k in range(26)}
    tgt = [b.lower().translate(greek) for _, b in pairs]
    found = align_sentences(Text([a for a, _ in pairs[200:]]), Text(tgt))
    right = {(bead.src[0] + 200, bead.tgt[0]) for bead in found if bead.type == "1-1"}
    assert np.mean([(k, k) in right for k in range(200, 720)]) > 0.95


@pytest.mark.parametrize("sizes", [(0, 5000), (5000, 0), (1, 5000)])
def test_a_side_with_hardly_a_sentence(sizes):
    profile = LengthProfile(*(lengths(size, 3)[0] for size in sizes))
    found = profile_corridor(NONE, profile)
    assert found is None or found[0].hi[-1] == sizes[1]


def test_models_that_sentences_all_alike_teach_are_searched_once(monkeypatch):
    searches = []

    def counted(*args):
        searches.append(args)
        return real(*args)

    real = length_profile.passage_path
    monkeypatch.setattr(length_profile, "passage_path", counted)
    marks = marks_of(["The cat sat on the mat."] * 90), marks_of(["Le chat est sur le tapis."] * 90)
    profile = LengthProfile(np.full(90, 17.0), np.full(90, 19.0), marks)
    profile_path(profile, ProfileModel.first(profile), ratios=RATIOS, sentence_ratio=1.0)
    tables = {(*beads, scores(1, 3).tobytes()) for beads, scores, *_ in searches}
    assert len(tables) == len(searches) > 2
