"""TEI written: what comes back, what the file looks like, what cannot be written."""

import io
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Segmentation, Text
from bitext.errors import InputError
from bitext.formats.io.source import Source
from bitext.formats.opus_documents import tidy
from bitext.formats.registry import ReadOptions
from bitext.formats.tei import FORMAT
from bitext.formats.tei.writing import uri
from bitext.formats.xml import FORBIDDEN
from formats.samples import TRAPS, text_written, units
from reference.draw import few_beads
from reference.tei_beads import TEI, XML, pairs_of_file, parts_of_graph

written = partial(text_written, "tei")


def read_all(content, **options):
    source = Source("made", io.BytesIO(content.encode()))
    return list(FORMAT.read(source, ReadOptions(**options)))


signs = st.one_of(
    st.sampled_from([sign for sign in TRAPS if not FORBIDDEN.match(sign)]),
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
)
strings = st.text(signs, max_size=6)
names = st.one_of(
    st.sampled_from(["s1", "s2", "1", "2", "é", "a b", "bitext-1-src-1", "bitext-1-tgt-2", ""]),
    strings,
)


@st.composite
def texts(draw):
    segments = draw(st.lists(strings, max_size=5))
    ids = None
    if draw(st.booleans()):
        size = len(segments)
        ids = draw(st.lists(names, min_size=size, max_size=size, unique=True))
    paragraphs = None
    if segments and draw(st.booleans()):
        cut = draw(st.integers(1, len(segments)))
        paragraphs = Segmentation([mass for mass in (cut, len(segments) - cut) if mass])
    lang = draw(st.sampled_from(["", "en", "fr-CA"]))
    return Text(segments, ids=ids, lang=lang, paragraphs=paragraphs)


@st.composite
def bitexts(draw):
    src, tgt = draw(texts()), draw(texts())
    beads = draw(few_beads(len(src), len(tgt)))
    size = len(beads)
    scores = draw(
        st.none()
        | st.lists(st.floats(allow_infinity=True) | st.floats(0, 1), min_size=size, max_size=size)
    )
    keys = st.sampled_from(["id", "n", "type", "cert", "resp", "lang:de", "words", "a b"]) | strings
    column = st.lists(
        st.none() | st.sampled_from(["high", "0.5", ""]) | strings, min_size=size, max_size=size
    )
    columns = draw(st.dictionaries(keys, column, max_size=3))
    alignment = Alignment(beads, scores=scores, attributes=columns)
    docs = draw(st.sampled_from([{}, {"src_doc": "a b.xml", "tgt_doc": "é&.xml"}]))
    return Bitext(src, tgt, alignment, meta=docs)


def same(found, wanted):
    assert found.alignment == wanted.alignment
    assert list(found.alignment) == list(wanted.alignment)
    for mine, theirs in ((found.src, wanted.src), (found.tgt, wanted.tgt)):
        assert list(mine.segments()) == list(theirs.segments())
        assert list(mine.ids) == list(theirs.ids)
        if len(theirs):
            assert mine.has_ids == theirs.has_ids
        assert mine.lang == theirs.lang
        assert mine.paragraphs == theirs.paragraphs
    scores = wanted.alignment.scores
    if scores is None or np.isnan(scores).all():
        assert found.alignment.scores is None
    else:
        assert np.array_equal(found.alignment.scores, scores, equal_nan=True)
    known = {k: v for k, v in wanted.alignment.attributes.items() if any(x is not None for x in v)}
    assert found.alignment.attributes == known
    assert {k: v for k, v in found.meta.items() if k.endswith("_doc")} == wanted.meta


@given(st.lists(bitexts(), max_size=3))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_round_trip(many):
    content = written(*many)
    root = ET.fromstring(content)
    ids = [element.get(f"{XML}id") for element in root.iter() if element.get(f"{XML}id")]
    assert len(set(ids)) == len(ids)
    if not many:
        return
    found = read_all(content)
    assert len(found) == len(many)
    for mine, theirs in zip(found, many, strict=True):
        same(mine, theirs)
    assert pairs_of_file(content) == [bitext.pairs() for bitext in many]


@given(bitexts(), st.integers(0, 6))
@settings(max_examples=30)
def test_parts_are_one_pair(whole, cut):
    parts = [
        replace(whole, alignment=whole.alignment.between(0, min(cut, len(whole.alignment)))),
        replace(
            whole,
            src=Text(whole.src.segments()),
            tgt=Text(whole.tgt.segments()),
            alignment=whole.alignment.between(min(cut, len(whole.alignment)), len(whole.alignment)),
            continues=True,
        ),
    ]
    content = written(*parts, parts[1])
    (found,) = read_all(content)
    assert found.pairs() == parts[0].pairs() + 2 * parts[1].pairs()
    assert len(found.src) == 3 * len(whole.src)
    assert content.count("<linkGrp") == 1


EN = Text(["One <b>.", "Two.\nThree", ""], ids=["s1", "1", "é"], lang="en")
FR = Text(["Un.", "Deux & trois."], ids=["s1", "t2"], lang="fr")


def test_what_a_file_looks_like():
    alignment = Alignment(
        [((0,), (0,)), ((1, 2), (1,)), ((1,), ())],
        scores=[0.5, -2, math.nan],
        attributes={
            "id": ["L1", None, None],
            "note": [None, None, "odd <"],
            "type": ["x", "y z", None],
        },
    )
    bt = Bitext(EN, FR, alignment, name="pair", meta={"src_doc": "en/a.xml"})
    content = written(bt)
    body = content[content.index("<text>") :]
    assert body == (
        '<text><group>\n<group n="pair">\n'
        '<text xml:id="bitext-1-src" xml:lang="en" n="en/a.xml"><body>\n<ab>\n'
        '<s xml:id="s1">One &lt;b&gt;.</s>\n'
        '<s xml:id="bitext-1-src-2" n="1" xml:space="preserve">Two.\nThree</s>\n'
        '<s xml:id="é"></s>\n</ab>\n</body></text>\n'
        '<text xml:id="bitext-1-tgt" xml:lang="fr"><body>\n<ab>\n'
        '<s xml:id="bitext-1-tgt-1" n="s1">Un.</s>\n<s xml:id="t2">Deux &amp; trois.</s>\n</ab>\n'
        "</body></text>\n</group>\n</group></text>\n<standOff>\n"
        '<linkGrp type="alignment" domains="#bitext-1-src #bitext-1-tgt" n="pair">\n'
        '<link xml:id="L1" target="#s1 #bitext-1-tgt-1" cert="0.5" type="x"/>\n'
        '<link xml:id="bitext-1-link-2" target="#bitext-1-src-2 #é #t2"/>\n'
        '<link xml:id="bitext-1-link-3" target="#bitext-1-src-2"/>\n</linkGrp>\n'
        '<spanGrp type="score">\n<span target="#bitext-1-link-2">-2.0</span>\n</spanGrp>\n'
        '<spanGrp type="attribute" n="note">\n'
        '<span target="#bitext-1-link-3">odd &lt;</span>\n</spanGrp>\n'
        '<spanGrp type="attribute" n="type">\n'
        '<span target="#bitext-1-link-2">y z</span>\n</spanGrp>\n'
        "</standOff>\n</TEI>\n"
    )
    assert FORMAT.sniff(content.encode()) >= 90
    (found,) = read_all(content)
    same(found, bt)
    assert found.name == "pair"
    assert read_all(content, name="other")[0].name == "other"


def test_languages_that_are_asked_for():
    bt = Bitext(EN, FR, Alignment([((0,), (0,))]))
    (found,) = read_all(written(bt, src_lang="en-GB", tgt_lang="oc"))
    assert (found.src.lang, found.tgt.lang) == ("en-GB", "oc")


def test_texts_known_by_ids_are_pointed_to():
    src = Text.of_ids(["s1", "1", "a b", "x#(y)%"], name="en/my doc.xml")
    tgt = Text.of_ids(["en.xml#z"])
    bt = Bitext(src, tgt, Alignment([((0, 1, 2, 3), (0,)), ((1,), ())]), meta={"tgt_doc": "en.xml"})
    content = written(bt)
    assert "<text>" not in content
    targets = [link.get("target") for link in ET.fromstring(content).iter(f"{TEI}link")]
    doc = "en/my%20doc.xml"
    assert targets == [
        f"{doc}#s1 {doc}#1 {doc}#a%20b {doc}#x%23%28y%29%25 en.xml#z",
        f"{doc}#1",
    ]
    (found,) = read_all(content)
    assert found.src.ids == [f"{doc}#s1", f"{doc}#1", f"{doc}#a b", f"{doc}#x#(y)%"]
    assert found.alignment == bt.alignment
    assert (found.meta["src_doc"], found.meta["tgt_doc"]) == ("en/my doc.xml", "en.xml")
    assert written(found) == content


def test_one_text_here_and_one_elsewhere():
    bt = Bitext(EN, Text.of_ids(["t1"], name="fr.xml"), Alignment([((0,), (0,)), ((1,), ())]))
    (found,) = read_all(written(bt))
    assert found.src == EN
    assert (found.tgt.ids, found.meta["tgt_doc"]) == (["t1"], "fr.xml")
    assert found.alignment == bt.alignment


@pytest.mark.parametrize(
    ("bt", "message"),
    [
        (Bitext(None, FR, Alignment([((0,), (0,))])), r"known by positions only; .*Bitext.src"),
        (Bitext(EN, Text.of_ids(["a"]), Alignment([((0,), (0,))])), r"name of a docu.*Bitext.tgt"),
        (
            Bitext(Text(["ok", "a\x01"]), FR, Alignment([((0,), (0,)), ((1,), ())])),
            r"the bitext, source: bisegment 1: .* U\+0001, which XML forbids",
        ),
        (
            Bitext(Text(["ok", "a\x01"]), FR, Alignment([((0,), (0,))])),
            r"segment 1, in no bisegment",
        ),
        (Bitext(Text(["a"], ids=["\x02"]), FR, Alignment([])), "control character"),
        (Bitext(EN, FR, Alignment([((0,), (0,))], attributes={"x": ["\x03"]})), "x, bisegment 0"),
        (Bitext(EN, FR, Alignment([]), name="\x04"), "control character"),
    ],
)
def test_what_cannot_be_written(bt, message):
    with pytest.raises(InputError, match=message):
        written(bt)


def test_links_within_one_document_are_written_only_where_their_sides_come_back():
    text = Text.of_ids(["a", "b"], name="d.xml")
    assert units(*read_all(written(Bitext(text, text, Alignment([((0,), (1,))]))))) == [
        (["a"], ["b"])
    ]
    with pytest.raises(InputError, match=r"would not tell them apart in bisegment 0 \(2-0\)"):
        written(Bitext(text, text, Alignment([((0, 1), ())])))


def test_parts_with_other_texts_are_refused():
    first = Bitext(EN, FR, Alignment([((0,), (0,))]))
    second = Bitext(EN, Text.of_ids(["a"]), Alignment([((0,), (0,))]), continues=True)
    with pytest.raises(InputError, match="a part of it has the characters of other texts"):
        written(first, second)


@given(strings)
@example(" a\n b")
def test_what_is_marked_as_kept_white_space(segment):
    content = written(Bitext(Text([segment]), FR, Alignment([((0,), (0,))])))
    assert ("preserve" in content) == (tidy(segment) != segment)
    assert tidy(segment) == re.sub(r"[ \t]*[\r\n][ \t\r\n]*", " ", segment.strip(" \t\r\n"))


@given(strings)
def test_pointers_are_one_word(name):
    assert not re.search(r"[\s#]", uri(name))
    from urllib.parse import unquote

    assert unquote(uri(name)) == name


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), min_size=1))
def test_corresp_is_a_graph(arrows):
    points: dict[str, list[str]] = {}
    for e, f, forward in arrows:
        here, there = (f"e{e}", f"f{f}") if forward else (f"f{f}", f"e{e}")
        points.setdefault(here, []).append(f"#{there}")
    body = ""
    for side, lang in (("e", "en"), ("f", "fr")):
        body += f'<div xml:lang="{lang}">'
        for k in range(6):
            targets = points.get(f"{side}{k}")
            more = f' corresp="{" ".join(targets)}"' if targets else ""
            body += f'<s xml:id="{side}{k}"{more}>{k}</s>'
        body += "</div>"
    (found,) = read_all(f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>{body}</text></TEI>')
    got = {
        frozenset([f"e{k}" for k in bead.src] + [f"f{k}" for k in bead.tgt])
        for bead in found.alignment
        if bead.src and bead.tgt
    }
    assert got == set(map(frozenset, parts_of_graph([(f"e{e}", f"f{f}") for e, f, _ in arrows])))
    assert sum(len(bead.src) for bead in found.alignment) == 6
    assert sum(len(bead.tgt) for bead in found.alignment) == 6
