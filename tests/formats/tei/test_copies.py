"""Copies through TEI: TEI to TEI, and XCES to TEI and back."""

import io

from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.formats.registry import ReadOptions, WriteOptions, by_name
from formats.samples import opened, written
from reference.draw import few_beads

XCES = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">
<cesAlign version="1.0">
<linkGrp targType="s" fromDoc="en/a b.xml.gz" toDoc="fr/a.xml.gz">
<link certainty="0.5" xtargets="s1.1;s1.1 s1.2" id="SL1" overlap="0.1"/>
<link certainty="-3" xtargets="s2;" id="SL2"/>
<link xtargets="s4 s3;s3" id="SL3"/>
<link certainty="2.25" xtargets=";s9" type="a b"/>
</linkGrp>
<linkGrp targType="s" fromDoc="en/b.xml" toDoc="fr/é%20&amp;.xml">
<link xtargets="1;1" id="SL1"/>
<link xtargets="a(b)%20#c;fr/x.xml#1"/>
</linkGrp>
</cesAlign>
"""
TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><text xml:id="t"><body>
<div xml:id="en" xml:lang="en"><p><s xml:id="e1">It <hi>rained</hi>.</s> <s xml:id="e2">No</s></p>
<p><s xml:id="e3" n="3">Yes.</s></p></div>
<div xml:id="fr" xml:lang="fr">
<p><s xml:id="f1">Il pleuvait.</s><s xml:id="f2"> Non ! </s></p></div>
</body></text><standOff><linkGrp type="translation" domains="#fr #en" n="pair">
<link xml:id="L1" target="#f1 #e1 #e2" cert="0.5" resp="#me" type="2:1"/>
<link target="#f2 #e3" cert="high" xml:lang="en"/><link target="#e2" n=""/>
</linkGrp></standOff></TEI>"""
FILES = """<standOff xmlns="http://www.tei-c.org/ns/1.0"><linkGrp type="alignment">
<link xml:id="L1" target="en.xml#a en.xml#b sub/fr.xml#a" cert="0.25"/>
<link target="sub/fr.xml#c%20d" n="x"/></linkGrp></standOff>"""


def read(name, content):
    return list(by_name(name).read(opened(content), ReadOptions()))


def facts(found):
    """Return what of a bitext a copy has to keep."""
    scores = found.alignment.scores
    return (
        [list(text.ids) for text in (found.src, found.tgt)],
        [list(text.segments()) for text in (found.src, found.tgt)],
        [(text.lang, text.has_text, text.paragraphs) for text in (found.src, found.tgt)],
        [(bead.src, bead.tgt) for bead in found.alignment],
        None if scores is None else repr(scores.tolist()),
        found.alignment.attributes,
        found.name,
        {key: found.meta[key] for key in ("type", "src_doc", "tgt_doc") if key in found.meta},
    )


def test_tei_to_tei():
    for content in (TEI, FILES):
        first = read("tei", content)
        copy = written("tei", *first)
        again = read("tei", copy)
        kept = [facts(found)[:-2] for found in first]
        assert [facts(found)[:-2] for found in again] == kept
        assert [found.meta.get("src_doc") for found in again] == [
            found.meta.get("src_doc") for found in first
        ]
        assert written("tei", *again) == copy
    (found,) = read("tei", written("tei", *read("tei", TEI)))
    assert found.name == "pair"
    assert found.src.ids == ["f1", "f2"]
    assert found.alignment.attributes["id"] == ["L1", None, None]


def test_xces_to_tei_and_back():
    first = read("xces", XCES)
    copy = written("tei", *first)
    again = read("tei", copy)
    assert [facts(found)[:-1] for found in again] == [facts(found)[:-1] for found in first]
    assert written("xces", *again) == written("xces", *first)
    assert written("xces", *again).decode() == XCES
    assert written("tei", *read("xces", written("xces", *again))) == copy


names = st.text(
    st.sampled_from("ab1.#%()-_é&<😀/"), min_size=1, max_size=5
)  # neither blanks nor semicolons, which XCES has no place for


@st.composite
def stand_off(draw, doc):
    texts = [Text.of_ids(draw(st.lists(names, min_size=1, max_size=4, unique=True))) for _ in "ab"]
    beads = draw(few_beads(*map(len, texts), least=1, most=5))
    size = len(beads)
    scores = draw(st.none() | st.lists(st.floats(-2, 2), min_size=size, max_size=size))
    column = st.lists(st.none() | names, min_size=size, max_size=size)
    columns = draw(st.dictionaries(st.sampled_from(["id", "n", "overlap", "type"]), column))
    meta = {"src_doc": f"en/{doc}.xml", "tgt_doc": f"fr/{doc} &%20é.xml"}
    return Bitext(*texts, Alignment(beads, scores=scores, attributes=columns), meta=meta)


@given(stand_off("a"), stand_off("b"))
def test_links_into_documents_survive(one, two):
    first = read("xces", written("xces", one, two))
    again = read("tei", written("tei", *first))
    back = read("xces", written("xces", *again))  # the order of attributes may be another
    wanted = [facts(found)[:-1] for found in first]
    assert [facts(found)[:-1] for found in again] == wanted
    assert [facts(found)[:-1] for found in back] == wanted
    assert [found.meta["tgt_doc"] for found in again] == [one.meta["tgt_doc"], two.meta["tgt_doc"]]


def test_parts_of_stand_off_links():
    whole = read("xces", XCES)[0]
    out = io.StringIO()
    source = opened(XCES)
    parts = by_name("xces").read(source, ReadOptions(parts=True))
    by_name("tei").write(parts, out, options=WriteOptions())
    found = read("tei", out.getvalue())[0]
    assert facts(found)[:-1] == facts(whole)[:-1]
