"""The paragraph models that ship with the package: they load, and know dialogue."""

from pathlib import Path

import numpy as np
import pytest

import bitext.segment
from bitext.errors import OptionError
from bitext.segment.model_files import model_path, shipped_models
from bitext.segment.segmenter import ParagraphSegmenter

ENGLISH = [
    "The lamp had burned low, and the rain went on.",
    "Anna shut the door behind her.",
    "“Has he come?” she asked.",
    "“Not yet,” said the boy.",
    "“Nobody has come since noon.”",
    "“Then we must wait.”",
    "“In this cold?”",
    "“In this cold.”",
    "She sat down on the chest by the wall.",
]
GERMAN = [
    "Die Lampe brannte niedrig, und der Regen hörte nicht auf.",
    "Anna schloß die Tür hinter sich.",
    "»Ist er da?« fragte sie.",
    "»Noch nicht«, sagte der Junge.",
    "»Dann müssen wir warten.«",
    "»Bei der Kälte?«",
    "»Bei der Kälte.«",
    "Sie setzte sich auf die Truhe an der Wand.",
]


@pytest.fixture(scope="module", params=["en", "de"])
def model(request):
    return request.param, ParagraphSegmenter.load(request.param)


def test_every_model_of_the_folder_loads_by_its_language():
    assert sorted(shipped_models()) == ["de", "en"]


def test_a_country_is_answered_by_its_language_and_an_unknown_language_by_what_there_is():
    british = ParagraphSegmenter.load("en-GB").predict(ENGLISH)
    assert british == ParagraphSegmenter.load("en").predict(ENGLISH)
    assert british == ParagraphSegmenter.load("eng").predict(ENGLISH)
    assert model_path("DEU-Latn") == model_path("de")
    with pytest.raises(OptionError, match="there are: de, en"):
        ParagraphSegmenter.load("tlh")


def test_speakers_take_turns_in_paragraphs_of_their_own():
    english = ParagraphSegmenter.load("en").predict(ENGLISH)
    assert {2, 3, 5, 6, 7} <= set(english.boundaries.tolist())
    assert 4 not in english.boundaries.tolist()  # the boy goes on
    german = ParagraphSegmenter.load("de").predict(GERMAN)
    assert {3, 4, 5, 6} <= set(german.boundaries.tolist())


def test_a_model_is_small_has_a_card_and_finite_weights(model):
    language, segmenter = model
    assert shipped_models()[language].stat().st_size < 1_500_000
    assert segmenter.card_["language"] == language
    assert {"data", "rights", "parts", "F1 on the test parts"} <= set(segmenter.card_)
    assert np.isfinite(segmenter.weights_).all()
    assert len(segmenter.weights_) == segmenter.features_.size


def test_the_card_beside_the_models_tells_the_scores_that_the_files_hold(model):
    _, segmenter = model
    folder = Path(bitext.segment.__file__).parent / "models"
    card = (folder / "PARAGRAPHS.md").read_text("utf-8")
    for value in segmenter.card_["F1 on the test parts"].values():
        assert f"{value:.1f}" in card


def test_what_is_short_or_of_another_language_is_answered(model):
    _, segmenter = model
    assert list(segmenter.predict(["Es regnet."])) == [1]
    assert sum(segmenter.predict(["雨が降る。", "彼は来た。", "...", "Да."])) == 4
    chances = segmenter.confidence(ENGLISH)
    assert chances[0] == 1.0
    assert ((chances >= 0.0) & (chances <= 1.0)).all()
