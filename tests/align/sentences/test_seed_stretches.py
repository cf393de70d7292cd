"""Stretches of a text that are looked for in the other by lengths and marks."""

import numpy as np
import pytest

from bitext.align.sentences import align_sentences, length_profile, search_space
from bitext.align.sentences.corridor import Anchors
from bitext.align.sentences.evidence.punctuation import marks_of
from bitext.align.sentences.length_profile import (
    FIT,
    RATIOS,
    LengthProfile,
    profile_corridor,
    profile_path,
)
from bitext.align.sentences.search_space import (
    WHOLE,
    corridor_between,
    initial_corridor,
    profile_model,
)
from bitext.align.sentences.seed_stretches import seed_anchors
from bitext.model import Text
from reference.translated_texts import lengths, pair_of, sentences

NONE = Anchors(np.zeros(0, np.int64), np.zeros(0, np.int64), 1.0)
GREEK = {ord("a") + k: 0x3B1 + k for k in range(26)}


def _cut(count, cuts):
    return np.delete(np.arange(count), np.concatenate([np.arange(*cut) for cut in cuts]))


@pytest.mark.parametrize(
    ("side", "cuts"),
    [
        (0, [(0, 550)]),
        (1, [(495, 1320)]),
        (1, [(210, 380), (720, 890), (1230, 1400)]),
    ],
)
def test_passages_that_are_left_out(side, cuts):
    src, tgt = lengths(1650, 3)
    kept = [np.arange(1650), np.arange(1650)]
    kept[side] = _cut(1650, cuts)
    found = seed_anchors(NONE, LengthProfile(src[kept[0]], tgt[kept[1]]))
    assert found.model.lengths.ratio == pytest.approx(1.0, abs=0.05)
    away = kept[0][found.anchors.row] - kept[1][found.anchors.column]
    assert len(away) >= 4
    assert np.mean(np.abs(away) <= 2) > 0.9
    assert found.anchors.tilt == pytest.approx(1.0, abs=0.1)


def test_a_half_that_is_left_out_of_a_long_text():
    texts, kept = list(lengths(8_000, 12)), [np.arange(8_000)] * 2
    kept[1] = _cut(8_000, [(2_000, 6_000)])
    profile = LengthProfile(*(text[rows] for text, rows in zip(texts, kept, strict=True)))
    # So many points are not enough to look for two stretches in all of the other text.
    found = seed_anchors(NONE, profile, most=350 * 8_000)
    assert found.model.lengths.ratio == pytest.approx(1.0, abs=0.05)
    row, column = kept[0][found.anchors.row], kept[1][found.anchors.column]
    assert np.mean(np.abs(row - column) <= 2) > 0.95
    both = np.sort(row[(row < 2_000) | (row >= 6_000)])
    assert len(both) >= 7
    assert both[0] < 700
    assert both[-1] > 7_300


def test_texts_that_do_not_belong_together():
    src, tgt = lengths(1100, 4)[0], lengths(1100, 5)[1]
    found = seed_anchors(NONE, LengthProfile(src, tgt))
    assert found.model is None
    assert not len(found.anchors.row)


def test_anchors_that_are_there_hold():
    src, tgt = lengths(3000, 6)
    held = Anchors(np.array([1500]), np.array([1400]), 1.0)
    found = seed_anchors(held, LengthProfile(src, tgt)).anchors
    assert (1500, 1400) in set(zip(found.row.tolist(), found.column.tolist(), strict=True))
    assert len(found.row) > 1


def test_a_text_that_repeats_itself_is_given_up_early(monkeypatch):
    """Where stretches fit in many places, other ratios of lengths are not tried in vain."""
    src, tgt = lengths(600, 5)
    asked = []
    free_paths = length_profile.free_paths
    monkeypatch.setattr(
        length_profile,
        "free_paths",
        lambda *a, **k: asked.append(k["columns"]) or free_paths(*a, **k),
    )
    found = seed_anchors(NONE, LengthProfile(np.tile(src, 12), np.tile(tgt, 12)))
    assert found.anchors is NONE
    assert found.model is None
    assert len(asked) <= 2 * 7


def test_only_where_anchors_are_far_apart_lengths_lead():
    src, tgt = lengths(3000, 8)
    every = np.setdiff1d(np.arange(0, 3000, 30), np.arange(900, 2100))
    anchors = Anchors(every, every, 1.0)
    texts = [[("ab" * int(n))[: int(n)] + "." for n in side] for side in (src, tgt)]
    marks = tuple(marks_of(lines) for lines in texts)
    pair = pair_of(*texts)
    narrow = corridor_between(anchors, rows=3000, columns=3000)
    way = initial_corridor(pair, anchors=anchors, marks=marks)
    assert way.model is not None
    for rows in (slice(0, 850), slice(2150, 3001)):
        assert way.corridor.lo[rows].tolist() == narrow.lo[rows].tolist()
        assert way.corridor.hi[rows].tolist() == narrow.hi[rows].tolist()
    middle = np.arange(1000, 2000)
    assert (way.corridor.hi - way.corridor.lo)[middle].max() < 200
    assert (narrow.hi - narrow.lo)[1500] > 200
    assert (way.corridor.lo[middle] <= middle).all()
    assert (way.corridor.hi[middle] >= middle).all()


def test_a_path_by_lengths_that_saves_little_does_not_lead(monkeypatch):
    # So many sentences are more points than are all looked at, whatever the lengths tell.
    rng = np.random.default_rng(9)
    texts = [["a" * (2 + int(n)) + "." for n in rng.lognormal(4.5, 1.0, 260)] for _ in range(2)]
    marks, pair = tuple(marks_of(lines) for lines in texts), pair_of(*texts)
    paths, ways = [], []

    def noted(found, call):
        return lambda *a, **k: found.append((call(*a, **k), k)) or found[-1][0]

    monkeypatch.setattr(length_profile, "profile_path", noted(paths, profile_path))
    monkeypatch.setattr(search_space, "profile_corridor", noted(ways, profile_corridor))
    way = initial_corridor(pair, anchors=NONE, marks=marks, whole=1 << 16)
    assert way.model is None
    ((path, how),) = paths
    assert how["ratios"] == RATIOS
    assert path.gain < FIT
    # What all of the table does not tell is not asked again.
    assert way.profiled
    assert profile_model(pair, marks) is None
    ((near, _),) = ways
    assert near[1] is None
    whole = corridor_between(NONE, rows=260, columns=260)
    assert way.corridor.lo.tolist() == whole.lo.tolist()
    assert way.corridor.hi.tolist() == whole.hi.tolist()


def test_points_are_limited():
    assert seed_anchors(NONE, LengthProfile(*lengths(3000, 6)), most=0).model is None


def _texts(count, cut):
    pairs = sentences(count, seed=31, names=0.0)
    rng = np.random.default_rng(9)
    ends = rng.choice([".", "?", "!"], count, p=[0.8, 0.15, 0.05])
    texts = [
        [one[side].rstrip(".") + end for one, end in zip(pairs, ends, strict=True)]
        for side in (0, 1)
    ]
    # The target in other letters: nothing is equal or alike.
    texts[1] = [line.lower().translate(GREEK) for line in texts[1]]
    return texts[0], [texts[1][k] for k in _cut(count, [cut])]


def test_the_way_of_texts_without_a_common_word():
    src, tgt = _texts(800, (200, 500))
    pair, marks = pair_of(src, tgt), (marks_of(src), marks_of(tgt))
    way = initial_corridor(pair, marks=marks, whole=WHOLE // 4)
    rows = np.append(np.arange(0, 200), np.arange(500, 800))
    columns = np.arange(500)
    inside = (way.corridor.lo[rows] <= columns) & (columns <= way.corridor.hi[rows])
    assert inside.mean() > 0.98
    assert way.corridor.cells < 0.25 * len(src) * len(tgt)
    # Once more is known, it is not looked for again.
    known = {"model": way.model, "anchors": way.anchors}
    again = initial_corridor(pair, marks=marks, whole=WHOLE // 4, **known)
    assert again.model == way.model


def test_texts_of_which_a_third_is_left_out():
    # They are just too large to be all looked at.
    cut = 230, 460
    src, tgt = _texts(690, cut)
    assert len(src) * len(tgt) > WHOLE
    found = align_sentences(Text(src), Text(tgt))
    kept = _cut(690, [cut])
    right = {(bead.src[0], int(kept[bead.tgt[0]])) for bead in found if bead.type == "1-1"}
    assert np.mean([(k, k) in right for k in kept.tolist()]) > 0.95
    assert np.mean([a == b for a, b in right]) > 0.95


def test_short_texts_of_which_a_half_is_left_out():
    src, tgt = _texts(160, (20, 100))
    pair = pair_of(src, tgt)
    model = profile_model(pair, (marks_of(src), marks_of(tgt)))
    whole = pair.tgt.letters.sum() / pair.src.letters.sum()
    assert model.lengths.ratio > 1.5 * whole
    assert profile_model(pair, None) is None
    found = align_sentences(Text(src), Text(tgt))
    kept = _cut(160, [(20, 100)])
    right = {(bead.src[0], int(kept[bead.tgt[0]])) for bead in found if bead.type == "1-1"}
    assert np.mean([(k, k) in right for k in kept.tolist()]) > 0.8


def test_both_starts_ask_lengths_once(monkeypatch):
    asked = []
    model = search_space.profile_model
    monkeypatch.setattr(search_space, "profile_model", lambda *a: asked.append(a) or model(*a))
    src, tgt = _texts(240, (60, 180))
    align_sentences(Text(src), Text(tgt))
    assert len(asked) == 1


@pytest.mark.parametrize(("size", "turned"), [(100, True), (190, False), (250, True)])
def test_a_text_of_fewer_sentences_than_a_stretch_has_no_anchors_before_its_begin(size, turned):
    src, tgt = lengths(4000, 9)
    sides = src, tgt[-size:]
    profile = LengthProfile(*(sides if turned else sides[::-1]))
    found = seed_anchors(NONE, profile).anchors
    for at, side in zip((found.row, found.column), profile[:2], strict=True):
        assert ((at >= 0) & (at < len(side))).all()
        assert (np.diff(at) > 0).all()


@pytest.mark.parametrize(("begin", "turned"), [(0, True), (450, False), (800, True)])
def test_stretches_of_verses_are_found_though_much_is_left_out(begin, turned):
    rng = np.random.default_rng(begin)
    sizes = np.minimum(1 + rng.poisson(1.2, 1200), 7)
    own = np.repeat(np.arange(len(sizes)), sizes)
    sentences = np.rint(rng.lognormal(4, 0.6, len(own))) + 5
    verses = np.bincount(own, sentences)
    verses = np.maximum(np.rint(verses + rng.normal(0, np.sqrt(verses) / 2)), 1)
    kept = (own < begin) | (own >= begin + 250)
    sides = verses, sentences[kept]
    profile = LengthProfile(*(sides[::-1] if turned else sides))
    none = Anchors(np.zeros(0, np.int64), np.zeros(0, np.int64), 1.0)
    found = seed_anchors(none, profile)
    assert found.model is not None
    assert found.model.is_finer
    rows, columns = (found.anchors.column, found.anchors.row) if turned else found.anchors[:2]
    assert len(rows) >= 4
    assert np.abs(own[kept][columns] - rows).max() <= 2
