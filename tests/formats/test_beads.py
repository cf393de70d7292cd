import io

import numpy as np
import pytest

from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats.beads import Beads, joined_sides, known_texts
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from formats.samples import joined


def _beads(*, parts=False, part_size=1000, **options):
    source = Source("made", io.BytesIO())
    return source, Beads(source, ReadOptions(parts=parts, part_size=part_size, name="n"), **options)


def test_one_by_one_and_many_at_once():
    source, beads = _beads(langs=("en", "fi"), names=("a.en", "a.fi"), meta={"x": "y"})
    beads.add(["One.", "Two."], ["Yksi."], 0.5, attributes={"id": "1"})
    beads.extend(["Three."], ["Kolme."], attributes={"why": ["z"]})
    beads.extend(["4", "5", "6"], ["7"], sizes=([0, 3], [1, 0]), scores=[1, 2])
    beads.add([], ["8"], marked=([], ["<hi>8</hi>"]))
    assert len(beads) == 5
    assert [size.tolist() for size in beads.sizes()] == [[2, 1, 0, 3, 0], [1, 1, 1, 0, 1]]
    source.notes.add("oddities", "here")
    (bt,) = beads.rest()
    assert bt.pairs() == [
        (["One.", "Two."], ["Yksi."]),
        (["Three."], ["Kolme."]),
        ([], ["7"]),
        (["4", "5", "6"], []),
        ([], ["8"]),
    ]
    expected = [0.5, np.nan, 1, 2, np.nan]
    assert np.array_equal(bt.alignment.scores, expected, equal_nan=True)
    assert bt.alignment.attributes == {
        "id": ["1", None, None, None, None],
        "why": [None, "z", None, None, None],
    }
    assert (bt.src.lang, bt.tgt.lang, bt.name, bt.meta) == ("en", "fi", "n", {"x": "y"})
    assert (bt.src.name, bt.tgt.name) == ("a.en", "a.fi")
    assert bt.src.marked is None
    assert bt.tgt.marked == [None, None, None, "<hi>8</hi>"]
    assert [str(note) for note in bt.notes] == ["oddities: 1, first here"]


def test_parts_are_handed_out_as_they_are_full():
    source, beads = _beads(parts=True, part_size=2)
    found = []
    for k in range(5):
        beads.add([f"s{k}"], [], attributes={"id": str(k)} if k == 3 else None)
        if k == 2:
            source.notes.add("oddities", "there")
        found += beads.parts()
    found += beads.rest()
    assert [len(part.alignment) for part in found] == [2, 2, 1]
    assert [part.continues for part in found] == [False, True, True]
    assert [len(part.notes) for part in found] == [0, 1, 0]
    assert joined(found).pairs() == [([f"s{k}"], []) for k in range(5)]
    assert joined(found).alignment.attributes == {"id": [None, None, None, "3", None]}
    assert found[0].src.name == "made"
    assert list(beads.rest()) == []


def test_without_parts_all_comes_at_the_end():
    _, beads = _beads(part_size=1)
    beads.add(["a"], [])
    assert list(beads.parts()) == []
    assert len(list(beads.rest())) == 1
    (empty,) = _beads()[1].rest()
    assert len(empty.alignment) == 0


def test_sides_are_joined_on_one_line():
    src = Text.from_offsets("a\nb c\td", [0, 4, 6], [3, 5, 7])
    tgt = Text(["x", "y\r\nz"])
    bt = Bitext(src, tgt, Alignment([((1, 2), (0,)), ((0,), ()), ((0,), (1,))]))
    assert joined_sides(bt, "x") == (["c d", "a b", "a b"], ["x", "", "y z"])
    assert joined_sides(bt, "x", joint="|")[0][0] == "c|d"
    plain = Bitext(tgt, tgt, Alignment([((1,), (0,)), ((0,), (1,))]))
    assert joined_sides(plain, "x") == (["y z", "x"], ["x", "y z"])


def test_texts_have_to_be_known():
    text = Text(["a"])
    bt = Bitext(text, Text.of_ids(["t1"]), Alignment([((0,), (0,))]), name="doc")
    with pytest.raises(
        InputError, match=r"tsv takes texts, but the target text of doc is known by"
    ):
        known_texts(bt, "tsv")
    assert known_texts(Bitext(text, text, bt.alignment), "tsv") == (text, text)


def test_a_file_of_nothing_but_names_is_refused():
    source = Source("a.tmx", io.BytesIO(b""))
    beads = Beads(source, ReadOptions(parts=True))
    names = {f"prop:{k}": "x" for k in range(20_000)}
    with pytest.raises(FormatError, match="has more than 10,000 different attributes"):
        beads.add(["a"], ["b"], attributes=names)
    assert (len(beads), [*beads.parts()]) == (0, [])


def test_what_was_collected_before_too_many_names_is_whole():
    _, beads = _beads(part_size=1)
    beads.add(["a"], ["b"], attributes={"id": "1"})
    names = {"id": "2", **{f"prop:{k}": "x" for k in range(10_000)}}
    with pytest.raises(FormatError, match="within 2 bisegments"):
        beads.add(["c"], ["d"], attributes=names)
    with pytest.raises(FormatError, match="within 2 bisegments"):
        beads.extend(["c"], ["d"], attributes={name: [x] for name, x in names.items()})
    (found,) = beads.rest()
    assert (found.pairs(), found.alignment.attributes) == ([(["a"], ["b"])], {"id": ["1"]})
    beads.extend(["e"], ["f"], attributes={f"prop:{k}": ["x"] for k in range(10_000)})
    assert len(beads) == 1
