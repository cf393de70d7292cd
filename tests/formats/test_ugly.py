"""The awkward files: every verdict, and every unit, as listed."""

import json

import pytest

from bitext.errors import FormatError
from bitext.formats.reading import FileOptions, opened
from reference.shared_data import data

NOT_FOUND = "documents not found"  # the documents that these files name do not exist
NAMES = {"ladder": "hunalign-ladder"}
ASKED = {"src_lang": "en", "tgt_lang": "fr"}


def cases():
    path = data("formats", "ugly", "expected.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def units(bitext):
    if "words" in bitext.alignment.attributes and bitext.meta["format"] == "pharaoh":
        # Listed are the sure links; the possible ones (`0-1p`) are kept beside them.
        rows = [(value or "").split() for value in bitext.alignment.attributes["words"]]
        return [[item for item in row if "p" not in item] for row in rows]

    def side(text, members):
        if text is None:
            return [str(k) for k in members]
        by_id = bitext.meta["holds"] != "text" or bitext.meta["format"] == "tei"
        return [text.ids[k] if by_id else text[k].text for k in members]

    return [[side(bitext.src, b.src), side(bitext.tgt, b.tgt)] for b in bitext.alignment]


def look(case):
    """Return the units of a file and the kinds of its notes."""
    path = data("formats", "ugly", case["file"])
    known = NAMES.get(case["format"], case["format"])
    asked = ASKED if case["format"] in {"tmx", "xliff12"} else {}
    with opened(path, FileOptions(format=known, **asked)) as reading:
        bitexts = list(reading)
        notes = [note for bitext in bitexts for note in bitext.notes]
        notes += reading.source.notes.drain()
    kinds = [note.kind for note in notes if not note.kind.startswith(NOT_FOUND)]
    return [unit for bitext in bitexts for unit in units(bitext)], kinds


def test_all_awkward_files_are_listed():
    folder = data("formats", "ugly")
    there = {path.name for path in folder.iterdir()} - {"expected.jsonl", "README.md"}
    assert {case["file"] for case in cases()} == there


def test_verdicts_and_units():
    wrong = []
    for case in cases():
        try:
            found, kinds = look(case)
            verdict = "warn" if kinds else "read"
        except FormatError as error:
            found, kinds, verdict = [], [str(error)], "refuse"
        if verdict != case["verdict"] or (verdict != "refuse" and found != case["units"]):
            wrong.append((case["file"], case["verdict"], verdict, found, kinds))
    assert wrong == []


@pytest.mark.parametrize("parts", [False, True])
def test_contents_alone_tell_the_format(parts):
    """But for one side of Moses-like TSV and words, which are lines of anything."""
    for case in cases():
        if case["verdict"] == "refuse" or case["format"] in {"tsv", "pharaoh", "hunalign-text"}:
            continue
        options = FileOptions(parts=parts, **ASKED)
        with opened(data("formats", "ugly", case["file"]), options) as reading:
            assert reading.format.name == NAMES.get(case["format"], case["format"]), case["file"]
            list(reading)
