"""nltk's own tagger, trained here from a few sentences and kept as nltk keeps its data."""

import json

import pytest

from bitext.errors import InputError
from bitext.model import Sentence
from bitext.syntax.adapters.local import NltkParser

TAGGED = """
    The/DT ferry/NN left/VBD Milan/NNP ./.
    It/PRP sank/VBD off/IN the/DT coast/NN (/( soon/RB )/) ./.
    The/DT owner/NN 's/POS boats/NNS will/MD sink/VB ./.
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Make a folder of nltk's data with a small tagger, and nothing else."""
    import nltk
    from nltk.tag.perceptron import PerceptronTagger

    lines = [line.split() for line in TAGGED.strip().split("\n")]
    tagger = PerceptronTagger(load=False)
    tagger.train([[tuple(item.rsplit("/", 1)) for item in line] for line in lines] * 20)
    folder = tmp_path / "taggers" / "averaged_perceptron_tagger_eng"
    folder.mkdir(parents=True)
    for name, held in zip(("weights", "tagdict", "classes"), tagger.encode_json_obj(), strict=True):
        path = folder / f"averaged_perceptron_tagger_eng.{name}.json"
        path.write_text(json.dumps(held), encoding="utf-8")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    return folder


@pytest.mark.usefixtures("data")
def test_nltk_tags_and_chunks():
    asked = [
        Sentence(["The", "ferry", "sank", "-LRB-", "soon", "-RRB-", "."], id="a", source="wire"),
        Sentence(["The", "owner", "'s", "coast", "will", "sink"]),
    ]
    found = list(NltkParser().parse(asked))
    assert [s.forms for s in found] == [s.forms for s in asked]
    assert [t.iob for t in found[0]] == ["B-NP", "I-NP", "B-VP", "O", "B-ADVP", "O", "O"]
    assert [t.iob for t in found[1]] == ["B-NP", "I-NP", "B-NP", "I-NP", "B-VP", "I-VP"]
    assert found[0][2].trace == ("I-S", "B-VP")
    assert (found[0].id, found[0].source) == ("a", "wire")
    assert all(s.analysed and s.tree is None for s in found)


def test_missing_data_are_told_with_what_brings_them(tmp_path, monkeypatch):
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    told = (
        "parser nltk: the data 'averaged_perceptron_tagger_eng' are missing: bring them: "
        "python -m nltk.downloader averaged_perceptron_tagger_eng"
    )
    with pytest.raises(InputError, match=told):
        list(NltkParser().parse([Sentence(["It"])]))


def test_broken_data_are_told(data):
    (data / "averaged_perceptron_tagger_eng.classes.json").write_text("[")
    with pytest.raises(InputError, match=r"cannot be read: .*: bring them anew") as error:
        list(NltkParser().parse([Sentence(["It"])]))
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("data")
def test_a_language_that_is_no_name_is_told():
    with pytest.raises(InputError, match=r"tagger_\.\./x"):
        list(NltkParser(model="../x").parse([Sentence(["It"])]))
