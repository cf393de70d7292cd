"""Counts of what a format cannot hold, against plain counting."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitext
from bitext import Alignment, Bitext, Segmentation, Text
from bitext.errors import InputError
from bitext.formats.beads import ChunkPositions
from bitext.formats.io.source import Notes
from bitext.formats.registry import FIELDS, LOSSES, MERGED, Capabilities, WriteOptions, by_name
from bitext.formats.writing import count_losses, deliver
from formats.samples import inline


def losses(bitext, *, first=True, **kept):
    notes = Notes()
    count_losses(bitext, Capabilities(**kept), notes, first=first)
    words = {told: name for name, told in LOSSES.items()}
    return {words[note.kind]: note.count for note in notes.all()}


def test_every_field_has_its_words():
    assert list(LOSSES) == Capabilities().lost()


def test_what_keeps_everything_loses_nothing():
    everything = dict.fromkeys(LOSSES, True)
    bitext = inline([(["a\t", ""], []), (["\x00"], ["b"])], scores=[1, 2])
    assert losses(bitext, **everything) == {}


def test_each_kind_is_counted():
    src = Text(
        ["a\tb", "", "c", "d"],
        ids=["1", "2", "3", "4"],
        lang="en",
        marked=[None, None, "<hi>c</hi>", None],
        paragraphs=Segmentation([1, 3]),
    )
    tgt = Text(["e\x01", "f", "g"])
    alignment = Alignment(
        [((0, 2), (1,)), ((1,), (0,)), ((1,), ())],
        scores=[0.5, float("nan"), 1],
        attributes={
            "words": ["0-0", None, None],
            "lang:de": ["x", "y", None],
            "n": ["1", None, "2"],
        },
    )
    assert losses(Bitext(src, tgt, alignment)) == {
        "texts": 7,
        "borders": 1,
        "empty_sides": 1,
        "empty_segments": 2,
        "crossings": 1,
        "gaps": 1,
        "overlaps": 1,
        "uncovered": 2,
        "ids": 4,
        "scores": 2,
        "attributes": 2,
        "languages": 1,
        "other_languages": 1,
        "markup": 1,
        "words": 1,
        "breaks": 1,
        "controls": 1,
        "paragraphs": 2,
    }


def test_values_of_columns_that_are_kept_may_be_changed():
    columns = {
        "n": ["", None, "a\tb", ""],
        "x": ["a\r", "", None, "b"],
        "lang:de": ["", "c\nd", "e\tf", None],
        "words": [None, None, "", "0-0"],
    }
    bitext = inline([(["a"], ["b"])] * 4, attributes=columns)
    kept = {"columns": frozenset({"n"}), "other_languages": True}
    found = losses(bitext, **kept, words=True, empty_values=False)
    assert found == {"texts": 8, "attributes": 5, "breaks": 3, "other_languages": 1, "words": 1}
    assert losses(bitext, **kept) == {"texts": 8, "attributes": 3, "words": 2, "breaks": 3}
    assert losses(bitext, texts=True) == {"attributes": 6, "other_languages": 1, "words": 2}
    assert losses(bitext, **kept, attributes=True, words=True, breaks=True) == {"texts": 8}


def test_a_text_in_a_further_language_counts_once():
    """However many segments it has, in however many parts and columns."""
    columns = [
        {"lang:de": ["x", "y"], "lang:de#2": ["z", None], "lang:it": [None, "z"]},
        {"lang:de": ["x", None], "lang:fr": [None, "z"], "lang:es": [None, None]},
    ]
    notes, places = Notes(), ChunkPositions()
    for k, each in enumerate([*columns, columns[0]]):
        part = replace(inline([(["a"], ["b"])] * 2, attributes=each), continues=k == 1)
        count_losses(part, Capabilities(texts=True), notes, place=places.of(part))
    (note,) = (note for note in notes.all() if note.kind == LOSSES["other_languages"])
    assert (note.count, note.first) == (5, "the bitext: de, it")


def test_the_first_value_is_told():
    notes = Notes()
    bitext = inline([(["a"], ["b"])] * 2, attributes={"n": [None, "\t"], "m": ["", "x"]})
    count_losses(bitext, Capabilities(texts=True, attributes=True, empty_values=False), notes)
    assert {note.kind: note.first for note in notes.all()} == {
        LOSSES["breaks"]: "the bitext: n of bisegment 1",
        LOSSES["attributes"]: "the bitext: m of bisegment 0, without characters",
    }


def test_borders_between_documents_count_from_the_second_on():
    bitext = inline([(["a"], ["b"])])
    assert "documents" not in losses(bitext)
    assert losses(bitext, first=False)["documents"] == 1
    part = Bitext(bitext.src, bitext.tgt, bitext.alignment, continues=True)
    assert "documents" not in losses(part, first=False)


def test_texts_of_files_of_their_own_are_not_lost():
    bitext = inline([(["a"], ["b"])])
    apart = Bitext(bitext.src, bitext.tgt, bitext.alignment, meta={"holds": "ids"})
    assert "texts" not in losses(apart)
    assert losses(bitext)["texts"] == 2


@pytest.mark.parametrize("line", ["a\nb\nc", "a\nb c"])
def test_breaks_between_segments_are_none_within_them(line):
    text = Text.from_offsets(line, [0, 2, 4], [1, 3, 5])
    found = losses(Bitext(text, Text([]), Alignment([((0, 1, 2), ())])))
    assert "breaks" not in found


segment = st.text("a\t\n\r\x00é", max_size=4)


@given(
    st.lists(st.tuples(st.lists(segment, max_size=3), st.lists(segment, max_size=3)).filter(any))
)
def test_counts_of_characters_by_hand(pairs):
    found = losses(inline(pairs))
    held = [segment for pair in pairs for side in pair for segment in side]
    by_hand = {
        "breaks": sum(any(sign in s for sign in "\t\n\r") for s in held),
        "controls": sum("\x00" in s for s in held),
        "empty_segments": sum(not s for s in held),
        "borders": sum(len(src) > 1 or len(tgt) > 1 for src, tgt in pairs),
        "empty_sides": sum(not (src and tgt) for src, tgt in pairs),
    }
    assert {name: found.get(name, 0) for name in by_hand} == by_hand


def names_lost(keeps, *, name="", **meta):
    bitext = inline([(["a"], ["b"])])
    bitext = Bitext(bitext.src, bitext.tgt, bitext.alignment, name=name, meta=meta)
    notes = Notes()
    count_losses(bitext, keeps, notes)
    return [note.first for note in notes.all() if note.kind == LOSSES["document_names"]]


def test_names_of_documents():
    docs = {"src_doc": "en/a.xml", "tgt_doc": "fr/a.xml"}
    none, all_of_them = Capabilities(), Capabilities(document_names=True)
    source_only = Capabilities(names=frozenset({"src_doc", "name"}))
    assert names_lost(none, name="a", **docs) == ["a: en/a.xml"]
    assert names_lost(all_of_them, name="a", **docs) == []
    assert names_lost(source_only, name="a", **docs) == ["a: fr/a.xml"]
    assert names_lost(source_only, src_doc="en/a.xml", name="en/a.xml") == []
    assert names_lost(Capabilities(names=frozenset({"name"})), src_doc="d", name="d") == []
    assert names_lost(none, name="own") == ["own: own"]
    assert names_lost(source_only, name="own") == []


def test_names_that_tell_nothing_new_are_not_lost():
    assert names_lost(Capabilities(), name="links", path="in/links.tsv") == []
    assert names_lost(Capabilities(), name="links#2", path="in/links.tsv") == []
    assert names_lost(Capabilities(), name="texts/a", path="x.tsv", corpus_name="texts/a") == []
    assert names_lost(Capabilities(), path="x.tsv") == []


def test_names_are_lost_once_a_document_pair():
    bitext = inline([(["a"], ["b"])])
    part = Bitext(bitext.src, bitext.tgt, bitext.alignment, name="n", continues=True)
    assert "document_names" not in losses(part)


def test_fields_of_headers_are_lost_in_other_formats(tmp_path):
    po = "Project-Id-Version: mill\nLast-Translator:\nMIME-Version: 1.0\nLanguage: fr\n"
    po += "Plural-Forms: nplurals=2; plural=n>1;\n"
    meta = {"creationdate": "20200101T000000Z", "changeid": "jo", "note": "n", "po_header": po}
    pair = replace(inline([(["a"], ["b"])]), meta=meta)
    name = "Project-Id-Version"
    for suffix, count, first in ("jsonl", 3, name), ("tmx", 1, name), ("po", 2, "changeid"):
        told = Notes()
        bitext.write(pair, tmp_path / f"a.{suffix}", losses=told)
        (note,) = [note for note in told.all() if note.kind == FIELDS]
        assert (note.count, note.first.partition(": ")[2]) == (count, first)
    told = Notes()
    bitext.write([pair, pair], tmp_path / "b.tmx", losses=told)
    assert [note.count for note in told.all() if note.kind == FIELDS] == [1]


def test_the_first_case_of_parts_has_its_number_in_the_document_pair(tmp_path):
    parts = [
        inline([(["a"], ["b"]), (["c"], ["d"])]),
        replace(inline([(["e"], ["f"]), (["g", "h\t"], ["i"])]), continues=True),
    ]
    told = Notes()
    bitext.write(parts, f"{tmp_path}/a.en,{tmp_path}/a.fr", losses=told)
    assert [note.first for note in told.all()] == [
        "the bitext: bisegment 3 (2-1)",
        "the bitext: source segment 4",
    ]


def test_pairs_that_are_told_apart_by_their_place_alone_are_merged_in_xces(tmp_path):
    one = replace(inline([(["a"], ["b"])]), meta={"src_doc": "a.txt"}, name="a.txt")
    again = replace(one, name="a.txt (2)")
    for pairs, told in ([one, again], ["a.txt (2)"]), ([one, replace(again, continues=True)], []):
        losses = Notes()
        bitext.write(pairs, tmp_path / "a.xces", losses=losses)
        assert [note.first for note in losses.all() if note.kind == MERGED] == told
        assert len(list(bitext.read_all(tmp_path / "a.xces"))) == 1
    losses = Notes()
    nameless = [inline([(["a"], ["b"])])] * 2
    bitext.write(nameless, tmp_path / "a.xces", losses=losses)
    assert MERGED not in {note.kind for note in losses.all()}
    assert len(list(bitext.read_all(tmp_path / "a.xces"))) == 2


def test_losses_are_taken_by_notes(tmp_path):
    text = Text(["Yes."])
    pair = Bitext(text, text, Alignment([((0,), (0,))], scores=[0.5]))
    for name in ("losses", "notes"):
        with pytest.raises(
            InputError, match=rf"{name} is \[\] \(list\): want Notes, as bitext\.form"
        ):
            bitext.write(pair, tmp_path / "out.tmx", **{name: []})
    assert not list(tmp_path.iterdir())


CUES = "segments with white space at an end, or what reads as markup of cues (<i>), changed"
BLANKS = "segments with several blanks in a row or blanks at an end, left out"
UNLINKED = "bisegments whose word links are not known, written as pairs without links"


@pytest.mark.parametrize(
    ("name", "told"),
    [("srt", {CUES: 5}), ("vtt", {CUES: 3}), ("giza", {BLANKS: 2}), ("pharaoh", {})],
)
def test_characters_that_come_back_otherwise_are_lost(tmp_path, name, told):
    texts = ["R&D <3 a\u00a0b", " x", "{\\b}x", "x  y ", "<i>x</i>", "a --> b", "\x01"]
    count = len(texts)
    src = Text(texts, times=[(k, k + 1) for k in range(count)])
    beads = [((k,), (k,)) for k in range(count)]
    made = Bitext(src, Text(["y"] * count), Alignment(beads, attributes={"words": ["0-0"] * count}))
    path = f"{tmp_path}/a.{name}"
    bitext.write(made, path, format=name, losses=(losses := Notes()))
    kept = set(LOSSES.values()) - {LOSSES["breaks"], LOSSES["controls"]}
    assert {note.kind: note.count for note in losses if note.kind not in kept} == told
    if told:
        back = [source[0] for source, _ in bitext.read(path, format=name).pairs()]
        assert sum(one != other for one, other in zip(texts, back, strict=True)) == max(
            told.values()
        )


def test_sentence_pairs_whose_links_are_not_known_are_told_from_those_without(tmp_path):
    pairs = [(["a"], ["b"]), (["a"], ["b"]), (["c"], ["d"]), (["e"], [])]
    made = inline(pairs, attributes={"words": ["0-0", "", None, None]})
    for name, told in (("pharaoh", 1), ("naacl", 1), ("giza", 1), ("jsonl", 0)):
        bitext.write(made, tmp_path / name, format=name, losses=(losses := Notes()))
        assert {note.kind: note.count for note in losses}.get(UNLINKED, 0) == told


def test_segments_without_characters_among_others_are_kept_between_joints(tmp_path):
    made = inline([(["a", ""], ["b"]), ([""], ["c"])])
    bitext.write(made, tmp_path / "a.hunalign", losses=(losses := Notes()))
    assert [(note.count, note.first) for note in losses] == [(1, "the bitext: source segment 2")]
    assert bitext.read(tmp_path / "a.hunalign").pairs() == [(["a", ""], ["b"]), ([], ["c"])]


def test_document_pairs_of_unlinked_segments_are_kept_in_props(tmp_path):
    bare = replace(inline([]), src=Text(["u"]), tgt=Text(["v"]), name="bare")
    pairs = [inline([(["a"], ["b"])]), bare]
    known = by_name("tmx")
    options = WriteOptions(beads=True)
    deliver(pairs, f"{tmp_path}/a.tmx", known, options=options, losses=(losses := Notes()))
    assert not losses.all()
    back = list(bitext.read_all(tmp_path / "a.tmx"))
    assert [(each.name, len(each.src), len(each.alignment)) for each in back][1] == ("bare", 1, 0)


@pytest.mark.parametrize("name", ["csv", "xlsx", "ods"])
def test_tables_keep_the_times_of_bisegments_and_the_name_of_the_only_document(tmp_path, name):
    src = Text(["a"], times=[(1, 2)])
    beads = Alignment([((0,), (0,))])
    made = Bitext(src, Text(["b"]), beads, name="a.html", meta={"src_doc": "a.html"})
    bitext.write(made, tmp_path / f"out.{name}", losses=(losses := Notes()))
    assert not losses.all()
    back = bitext.read(tmp_path / f"out.{name}")
    assert back.name == "a.html"
    assert back.alignment.attributes == {"src_time": ["00:00:01,000 --> 00:00:02,000"]}
