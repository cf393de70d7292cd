from dataclasses import FrozenInstanceError

import pytest

from bitext.errors import AlignmentError, InputError
from bitext.model import Alignment, Bitext, Note, Segmentation, Text
from bitext.model.segmentation import Segmentations

SRC, TGT = Text(["Yes.", "No."], name="a.txt"), Text(["Oui.", "Non.", "Si."], name="b.txt")
LINKS = Alignment([((0,), (0, 2)), ((), (1,)), ((1,), ())])


def test_pairs_are_the_characters_of_each_bisegment():
    assert Bitext(SRC, TGT, LINKS).pairs() == [
        (["Yes."], ["Oui.", "Si."]),
        ([], ["Non."]),
        (["No."], []),
    ]


def test_swapped_exchanges_texts_and_alignment_and_keeps_the_rest():
    bitext = Bitext(SRC, TGT, LINKS, name="n", meta={"k": "v"}, notes=(Note("odd", 1, "x"),))
    other = bitext.swapped()
    assert (other.src, other.tgt, other.alignment) == (TGT, SRC, LINKS.swapped())
    assert (other.name, other.meta, other.notes) == ("n", {"k": "v"}, bitext.notes)
    assert other.swapped() == bitext


@pytest.mark.parametrize(
    ("beads", "message"),
    [
        (
            [((0,), (0,)), ((0, 2), (0,))],
            r"bisegment 1 has the source index 2, .* a\.txt has 2 seg",
        ),
        ([((0,), (0,)), ((), (3,))], r"bisegment 1 has the target index 3, .* b\.txt has 3 seg"),
    ],
)
def test_an_index_beyond_a_text_is_named(beads, message):
    with pytest.raises(AlignmentError, match=message):
        Bitext(SRC, TGT, Alignment(beads))


def test_without_a_text_any_index_will_do():
    assert Bitext(None, None, Alignment([((9,), (9,))])).alignment[0].src == (9,)


@pytest.mark.parametrize(
    "texts", [(None, TGT), (SRC, None), (Text.of_ids(["x", "y"]), TGT), (SRC, Text.of_ids("xyz"))]
)
def test_pairs_need_the_characters_of_both_texts(texts):
    with pytest.raises(InputError, match=r"doc lacks the characters of a text: give those of both"):
        Bitext(*texts, LINKS, name="doc").pairs()


def test_an_empty_text_is_a_text():
    assert Bitext(Text([]), TGT, Alignment([((), (1,))])).pairs() == [([], ["Non."])]


def test_equal_when_texts_and_alignment_are():
    bitext = Bitext(SRC, TGT, LINKS, name="n")
    assert bitext == Bitext(Text(["Yes.", "No."]), TGT, Alignment(list(LINKS)[::-1]))
    assert hash(bitext) == hash(Bitext(SRC, TGT, Alignment(list(LINKS)[::-1])))
    assert bitext != Bitext(SRC, None, LINKS)
    assert bitext != Bitext(SRC, TGT, Alignment(list(LINKS)[1:]))
    assert bitext != LINKS


def test_a_bitext_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Bitext(SRC, TGT, LINKS).name = "other"


def test_a_note_tells_its_kind_how_often_and_where_first():
    assert str(Note("odd lines", 1234, "f line 3")) == "odd lines: 1,234, first f line 3"


def test_its_picture_tells_its_parts():
    bitext = Bitext(None, Text(["ab"]), Alignment([((), (0,))]), name="n")
    assert repr(bitext) == (
        "<Bitext 'n': None, <Text: 1 segment, 2 characters>, <Alignment: 1 bisegment (0-1: 1)>>"
    )
    noted = Bitext(None, None, LINKS, notes=(Note("odd lines", 2, "f line 3"),))
    assert repr(noted).endswith(">; notes: 1>")
    assert (
        repr(Segmentations.of({"t": Segmentation([2])})) == "<Segmentations of 1 text, 1 segment>"
    )
    table = Segmentations(["t"], [0, 1], [2], notes=noted.notes)
    assert repr(table) == "<Segmentations of 1 text, 1 segment; notes: 1>"


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((["Yes."], TGT, LINKS), r"the source text is \['Yes\.'\]: want a Text"),
        ((SRC, "Oui.", LINKS), "the target text is 'Oui.': want a Text"),
        ((SRC, TGT, [((0,), (0,))]), "the alignment is .*: want an Alignment"),
    ],
)
def test_parts_of_another_type_are_named(parts, message):
    with pytest.raises(InputError, match=message):
        Bitext(*parts)
