"""Texts without their words."""

import numpy as np
import pytest

from bitext.align.sentences.evidence import UNIT
from bitext.align.sentences.length_profile import (
    IN_PASSAGE,
    RATIOS,
    LengthProfile,
    ProfileModel,
    profile_path,
)
from bitext.kernels.bead_path import BeadPath


def _model():
    return ProfileModel.first(
        LengthProfile(np.array([80.0, 90.0]), np.array([40.0, 50.0, 45.0, 40.0]))
    )


def test_a_text_that_is_cut_more_finely_has_beads_of_its_own():
    model = _model()
    finer, coarser = model.finer(2.5), model.finer(0.4)
    assert not model.is_finer
    assert finer.is_finer
    assert {(1, k) for k in range(3, 9)} == {*finer.beads} - {*model.beads}
    assert {(k, 1) for k in range(3, 9)} == {*coarser.beads} - {*model.beads}
    for one, bead in ((finer, (1, 2)), (coarser, (2, 1))):
        assert sum(one.chance) == pytest.approx(1)
        assert one.beads[int(np.argmax(one.chance))] == bead
        assert one.lengths == model.lengths
    assert {b[::-1]: c for b, c in zip(finer.beads, finer.chance, strict=True)} == pytest.approx(
        dict(zip(coarser.beads, coarser.chance, strict=True))
    )


@pytest.mark.parametrize("many", [1.0, 0.3, 3.0])
def test_a_sentence_in_a_passage_costs_the_same_in_all_models(many):
    model = _model().finer(many) if many != 1 else _model()
    costs = model.passages
    assert costs.opening < 0
    for bead, more in zip(((1, 0), (0, 1)), costs.more, strict=True):
        alone = np.log(model.chance[model.beads.index(bead)]) * UNIT
        assert alone + more == pytest.approx(max(np.log(IN_PASSAGE) * UNIT, alone), abs=1)


@pytest.mark.parametrize(("many", "seen"), [(3.0, 2.0), (0.2, 0.5)])
def test_how_many_sentences_are_beside_one_is_learned_from_a_path(many, seen):
    profile = LengthProfile(np.full(50, 80.0), np.full(100, 40.0))
    row, column = np.arange(1, 51), np.arange(2, 102, 2)
    if many < 1:
        profile, row, column = LengthProfile(profile.tgt, profile.src), column, row
    model = ProfileModel.first(profile).finer(many)
    kinds = np.full(50, model.beads.index((1, 2) if many > 1 else (2, 1)))
    found = model.learned(profile, BeadPath(0, kinds, row, column, 0.5))
    assert found.sentence_ratio == pytest.approx(seen)
    assert found.chance == pytest.approx(model.finer(seen).chance)


def _verses(rng, number, most):
    """Return the lengths of verses, of their sentences, and where the sentences of each end."""
    sizes = np.minimum(1 + rng.poisson(1.5, number), most)
    tgt = np.rint(rng.lognormal(4, 0.6, sizes.sum())) + 5
    ends = np.cumsum(sizes)
    total = np.diff(np.append(0, np.cumsum(tgt)[ends - 1]))
    return np.maximum(np.rint(total + rng.normal(0, np.sqrt(total))), 1), tgt, ends


@pytest.mark.parametrize("turned", [False, True])
def test_a_path_of_verses_is_found_by_lengths_where_a_quarter_is_left_out(turned):
    verses, sentences, ends = _verses(np.random.default_rng(6), 220, 7)
    left = ends[80], ends[135]
    profile = LengthProfile(verses, np.delete(sentences, np.s_[left[0] : left[1]]))
    profile = LengthProfile(profile.tgt, profile.src) if turned else profile
    first = ProfileModel.first(profile)
    found = profile_path(profile, first, ratios=RATIOS, sentence_ratio=profile.sentence_ratio)
    assert found.model.is_finer
    path = zip(found.path.row.tolist(), found.path.column.tolist(), strict=True)
    met = {(column, row) if turned else (row, column) for row, column in path}
    ends = np.where(np.arange(220) > 135, ends - left[1] + left[0], ends)
    kept = [k for k in range(220) if not 70 < k <= 145]
    assert np.mean([(k + 1, int(ends[k])) in met for k in kept]) > 0.85


def test_a_path_of_verses_is_found_by_lengths():
    rng = np.random.default_rng(4)
    sizes = rng.choice([1, 2, 3, 4], 300, p=[0.2, 0.35, 0.25, 0.2])
    tgt = np.rint(rng.lognormal(4, 0.6, sizes.sum())) + 5
    ends = np.cumsum(sizes)
    total = np.diff(np.append(0, np.cumsum(tgt)[ends - 1]))
    src = np.maximum(np.rint(total + rng.normal(0, np.sqrt(total))), 1)
    profile = LengthProfile(src, tgt)
    first = ProfileModel.first(profile)
    plain = profile_path(profile, first)
    found = profile_path(profile, first, sentence_ratio=len(tgt) / len(src))
    assert found.model.is_finer
    assert found.gain > plain.gain + 0.2
    met = set(zip(found.path.row.tolist(), found.path.column.tolist(), strict=True))
    assert np.mean([point in met for point in enumerate(ends.tolist(), start=1)]) > 0.85


def test_what_is_left_out_is_told_from_what_is_cut_more_finely():
    rng = np.random.default_rng(5)
    src = np.rint(rng.lognormal(4, 0.6, 800)) + 5
    tgt = np.maximum(np.rint(src + rng.normal(0, np.sqrt(src))), 1)[250:]
    profile = LengthProfile(src, tgt)
    found = profile_path(profile, ProfileModel.first(profile), sentence_ratio=len(tgt) / len(src))
    assert not found.model.is_finer
    assert sorted(set((found.path.row - found.path.column)[-300:].tolist())) == [250]
