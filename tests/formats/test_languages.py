"""Languages of files that name them: those of the texts, those that file names tell, or a note."""

import pytest

import bitext as package
from bitext import Bitext, Text
from bitext.formats import Notes, write
from formats.samples import inline


@pytest.fixture
def sides(tmp_path):
    for name in ("a.en", "a.fr", "one", "two"):
        (tmp_path / name).write_text(f"{name}.\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("m.tmx", ['xml:lang="en"', 'xml:lang="fr"']),
        ("m.xlf", ['source-language="en"', 'target-language="fr"']),
        ("m.tei", ['xml:lang="en"', 'xml:lang="fr"']),
        ("m.po", ["X-Source-Language: en", "Language: fr"]),
    ],
)
def test_names_of_files_tell_their_languages(sides, name, spelled):
    notes = Notes()
    write(package.read(f"{sides}/a.en,{sides}/a.fr"), sides / name, losses=notes)
    content = (sides / name).read_text()
    assert [word in content for word in (*spelled, "und-x")] == [True, True, False]
    assert [
        note.first.rpartition(": ")[2] for note in notes if "told by the names" in note.kind
    ] == ["en and fr"]


def test_languages_that_are_not_known_are_noted(sides):
    notes = Notes()
    write(package.read(f"{sides}/one,{sides}/two"), sides / "m.tmx", losses=notes)
    assert 'xml:lang="und-x-src"' in (sides / "m.tmx").read_text()
    told = "languages that are not known, and are written so: name them (src_lang=, tgt_lang=)"
    assert [note.kind for note in notes] == [told]


def test_languages_that_are_known_or_named_are_written_without_a_note(sides):
    notes = Notes()
    bt = inline([(["A."], ["B."])])
    texts = Text(["A."], name="a.en", lang="de"), Text(["B."], name="a.fr", lang="it")
    write(Bitext(*texts, bt.alignment), sides / "m.tmx", losses=notes)
    write(bt, sides / "n.tmx", src_lang="de", tgt_lang="it", losses=notes)
    for name in ("m.tmx", "n.tmx"):
        assert 'xml:lang="de"' in (sides / name).read_text()
    assert list(notes) == []
