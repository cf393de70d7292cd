"""Inline marks of a segment, in the vocabulary of TMX."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.formats.xml import inline_codes as marks

text = st.text(st.sampled_from("ab <>&\"'\t\n\r😀é"), max_size=5)
value = st.text(st.sampled_from("1b <>&\"'\t\n\r"), max_size=3)


def values(name):
    return st.dictionaries(st.sampled_from(marks.ALLOWED[name]), value, max_size=3)


def code(inner):
    """Draw codes whose content is native code, with flows in it."""
    flow = st.tuples(values("sub"), inner).map(
        lambda drawn: f"{marks.tag('sub', drawn[0])}{drawn[1]}</sub>"
    )
    content = st.lists(st.one_of(text.map(marks.escape), flow), max_size=3).map("".join)
    return st.sampled_from(marks.CODES).flatmap(
        lambda name: st.tuples(values(name), content).map(
            lambda drawn: (
                f"{marks.tag(name, drawn[0])}{drawn[1]}</{name}>"
                if drawn[1]
                else marks.tag(name, drawn[0], empty=True)
            )
        )
    )


def highlighted(inner):
    return st.tuples(values("hi"), inner).map(
        lambda drawn: f"{marks.tag('hi', drawn[0])}{drawn[1]}</hi>"
    )


def grown(inner):
    return st.lists(
        st.one_of(text.map(marks.escape), code(inner), highlighted(inner)), max_size=4
    ).map("".join)


segment = st.recursive(text.map(marks.escape), grown, max_leaves=12)


def plain_slow(xml):
    """Return the characters outside of codes, by a tree."""

    def outside(element):
        yield element.text or ""
        for child in element:
            if child.tag == "hi":
                yield from outside(child)
            yield child.tail or ""

    return "".join(outside(ET.fromstring(f"<seg>{xml}</seg>")))


@given(segment)
def test_what_is_taken_apart_is_put_together_again(xml):
    assert marks.marked(marks.pieces(xml)) == xml


@given(segment)
def test_plain_text_is_what_stands_outside_of_codes(xml):
    assert marks.plain(xml) == plain_slow(xml)


@given(segment)
def test_flows_are_found_however_deep(xml):
    tree = ET.fromstring(f"<seg>{xml}</seg>")
    deep = list(tree.iter("sub"))
    found = [flow for piece in marks.pieces(xml) for flow in marks.flows(piece.inner)]
    assert found == ["".join(_own(sub)) for sub in deep]


def _own(sub):
    yield sub.text or ""
    for child in sub:
        if child.tag == "hi":
            yield from _own(child)
        yield child.tail or ""


@given(st.lists(segment, min_size=1, max_size=4))
def test_joined_segments_are_cut_where_they_were_joined(segments):
    lengths = [len(plain_slow(xml)) for xml in segments]
    found = marks.cut(" ".join(segments), lengths)
    assert [list(marks.pieces(xml)) for xml in found] == [
        list(marks.pieces(xml)) for xml in segments
    ]


def test_lengths_that_do_not_fit_cut_nothing():
    assert marks.cut("ab cd", [1, 3]) is None
    assert marks.cut("ab cd", [2, 3]) is None
    assert marks.cut("ab cd", [2]) is None
    assert marks.cut("<hi>ab cd</hi>", [2, 2]) is None


@pytest.mark.parametrize(
    ("xml", "what"),
    [
        ("a < b", "a < that is not escaped"),
        ("<b>x</b>", "which is no mark of it"),
        ("<hi>x", "<hi> without an end tag"),
        ("x</hi>", "an end tag </hi>"),
        ("<ph>x", "<ph> without an end tag"),
        ("<ph>x</it>", "an end tag </it>"),
        ("<sub>x</sub>", "<sub> outside of code"),
        ("<ph><ph>x</ph></ph>", "<ph> where it may not stand"),
        ('<ph x="1" x="2"/>', "which is no mark of it"),
        ("<ph x=1/>", "which is no mark of it"),
    ],
)
def test_what_is_not_in_the_vocabulary_is_refused(xml, what):
    with pytest.raises(InputError, match=re.escape(what)):
        list(marks.pieces(xml))


def test_depth_needs_no_stack():
    deep = 5000
    xml = "<hi>" * deep + "x" + "</hi>" * deep
    assert marks.plain(xml) == "x"
    nested = "<ph><sub>" * deep + "x" + "</sub></ph>" * deep
    assert marks.flows(next(marks.pieces(nested)).inner)[-1] == "x"


def test_a_piece_of_no_kind_is_refused():
    with pytest.raises(InputError, match="a piece is of the kind 'bx'"):
        marks.marked([marks.Piece("bx")])
