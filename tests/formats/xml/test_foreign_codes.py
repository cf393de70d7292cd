"""Inline elements that a format does not have: they are codes with their tags, or a told loss."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from bitext.errors import InputError
from bitext.formats.convert.conversion import Input, Task, convert
from bitext.formats.xml.inline_codes import LOST_ELEMENTS, pieces, plain
from formats.samples import kinds, read, written

LOST = "attributes of codes and marks, left out"
FORMATS = ["tmx", "xliff12", "xliff2", "jsonl"]
NAMES = ["a", "b", "br", "g", "x", "bx", "mrk", "pc", "span", "seg2", "note"]


def tmx(content, before=""):
    return (
        f'<tmx version="1.4"><header srclang="en"/><body>{before}<tu><tuv xml:lang="en"><seg>'
        f'{content}</seg></tuv><tuv xml:lang="de"><seg>z</seg></tuv></tu></body></tmx>'
    )


def xliff12(content):
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        'source-language="en" target-language="de" datatype="plaintext"><body><trans-unit id="1">'
        f"<source>{content}</source><target>z</target></trans-unit></body></file></xliff>"
    )


def xliff2(content, data=""):
    return (
        '<xliff version="2.0" srcLang="en" trgLang="de" '
        'xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f"><unit id="1">'
        f"{data}<segment><source>{content}</source><target>z</target></segment></unit></file>"
        "</xliff>"
    )


def shown(marked):
    """Return a segment as it was in its file: native code as it is, and text escaped."""
    out = []
    for piece in pieces(marked):
        text = piece.text
        if piece.kind == "text":
            text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        out.append(text)
    return "".join(out)


text = st.text(st.sampled_from("ab é&<>\"' "), max_size=4)
attributes = st.dictionaries(
    st.sampled_from(["href", "class", "id", "x2", "data-k"]), text, max_size=3
)


@st.composite
def elements(draw, depth=2):
    """Give the content of a segment with foreign elements in it, as lxml writes it."""
    root = etree.Element("seg")
    root.text = draw(text)
    for _ in range(draw(st.integers(0, 3))):
        name = draw(st.sampled_from(NAMES))
        child = etree.SubElement(root, name, draw(attributes))
        if depth and draw(st.booleans()):
            inner = draw(elements(depth=depth - 1))
            held = etree.fromstring(f"<seg>{inner}</seg>")
            child.text = held.text
            child.extend(held)
        child.tail = draw(text)
    return etree.tostring(root, encoding="unicode")[len("<seg") : -len("</seg>")].removeprefix(">")


def canonical(content):
    return etree.tostring(etree.fromstring(f"<seg>{content}</seg>"), method="c14n2")


@given(elements().filter(lambda content: not content.endswith("/")))
def test_elements_that_tmx_does_not_have_are_whole_in_every_format_with_marks(content):
    found = read("tmx", tmx(content))
    marked = found.src.marked[0] if found.src.marked else None
    if marked is None:
        return
    assert "".join(etree.fromstring(f"<seg>{content}</seg>").itertext()) == plain(marked)
    assert canonical(shown(marked)) == canonical(content)
    assert LOST not in kinds(found)
    for name in FORMATS:
        again = read(name, written(name, found))
        assert again.src[0].text == found.src[0].text
        assert canonical(shown(again.src.marked[0])) == canonical(content), name
        back = read("tmx", written("tmx", again))
        assert re.sub(' [ix]="[^"]*"', "", back.src.marked[0]) == re.sub(
            ' [ix]="[^"]*"', "", marked
        )


HTML = 'See <a href="https://example.org/help?x=1&amp;y">help</a><br class="k"/>.'


@pytest.mark.parametrize("quick", [True, False])
def test_tags_of_html_in_a_memory_are_kept_whole(quick):
    before = "" if quick else "<!-- no regular piece -->"
    found = read("tmx", tmx(HTML, before))
    assert found.src[0].text == "See help."
    assert shown(found.src.marked[0]) == HTML
    assert kinds(found) == {
        "elements within segments that TMX does not have, kept as codes with their tags": 2
    }


def test_codes_with_tags_get_numbers_that_are_free():
    content = '<bpt i="1">q</bpt><b>c</b><ept i="1">r</ept><bpt i="3">s</bpt>t<ept i="3"/>'
    marked = read("tmx", tmx(content)).src.marked[0]
    assert re.findall('bpt i="(.)"', marked) == ["1", "2", "3"]


def test_namespaces_of_foreign_elements_are_kept():
    content = '<h:b xmlns:h="urn:h" h:k="v" l="w">c</h:b>'
    tag = '<b xmlns="urn:h" xmlns:ns1="urn:h" ns1:k="v" l="w">'
    assert shown(read("tmx", tmx(content)).src.marked[0]) == f"{tag}c</b>"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("tmx", tmx('<bpt i="1" id="7">q</bpt>a<ept i="1"/>')),
        ("tmx", tmx('<ut class="k">q</ut>a')),
        ("xliff12", xliff12('<g id="1" xid="u2">a</g>')),
        ("xliff12", xliff12('<x id="1" clone="no"/>a')),
        ("xliff12", xliff12('<ph id="1" equiv-text="[b]">q</ph>a')),
        ("xliff12", xliff12('<mrk mtype="term" comment="c">a</mrk>')),
        ("xliff2", xliff2('<pc id="1" canCopy="no">a</pc>')),
        ("xliff2", xliff2('<ph id="1" disp="b"/>a')),
        (
            "xliff2",
            xliff2(
                '<ph id="1" dataRef="d" equiv="b"/>a',
                '<originalData><data id="d">q</data></originalData>',
            ),
        ),
        ("xliff2", xliff2('<mrk id="1" type="term" ref="urn:x">a</mrk>')),
    ],
)
def test_attributes_that_are_not_kept_are_a_loss_that_strict_obeys(name, content, tmp_path):
    path = tmp_path / f"a.{'tmx' if name == 'tmx' else 'xlf'}"
    path.write_text(content)
    outcome = convert(
        Task(inputs=(Input(str(path)),), output=str(tmp_path / "b.jsonl"), to="jsonl")
    )
    assert [loss.kind for loss in outcome.losses if loss.kind == LOST] == [LOST]
    assert not any(note.kind == LOST for note in outcome.notes)
    strict = Task(
        inputs=(Input(str(path)),), output=str(tmp_path / "c.jsonl"), to="jsonl", strict=True
    )
    with pytest.raises(InputError, match=f"not written, as jsonl would lose .*{LOST}: 1"):
        convert(strict)
    assert not (tmp_path / "c.jsonl").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("xliff12", xliff12('<g id="1" ctype="bold">a</g><x id="2" equiv-text="[b]"/>')),
        ("xliff12", xliff12('<bpt id="1" rid="1">q</bpt>a<ept id="1" rid="1">r</ept>')),
        ("xliff2", xliff2('<pc id="1" type="fmt" subType="xlf:b">a</pc><ph id="2" equiv="b"/>')),
    ],
)
def test_attributes_that_are_kept_are_none(name, content):
    assert LOST not in kinds(read(name, content))


@pytest.mark.parametrize(("name", "file"), [("xliff12", xliff12), ("xliff2", xliff2)])
def test_foreign_elements_of_xliff_are_codes_with_their_tags(name, file):
    content = 'a <b xmlns="urn:h" k="v">c</b><br xmlns="urn:h"/> d'
    found = read(name, file(content))
    assert found.src[0].text == "a c d"
    assert shown(found.src.marked[0]) == content
    told = "elements that XLIFF does not have, kept as codes with their tags"
    assert kinds(found)[told] == 2
    again = read(name, written(name, found))
    assert shown(again.src.marked[0]) == content


def test_elements_within_codes_are_native_code_with_their_tags():
    found = read("xliff12", xliff12('<bpt id="1">q<b k="v">r</b></bpt>a<ept id="1"/>'))
    assert found.src[0].text == "a"
    assert shown(found.src.marked[0]).startswith("q<b ")
    assert ">r</b>a" in shown(found.src.marked[0])


HI = (
    '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body><div xml:lang="en"><p>'
    '<s xml:id="e1">One <hi rend="b">big</hi> dog.</s></p></div><div xml:lang="fr"><p>'
    '<s xml:id="f1">Un.</s></p></div></body><back><linkGrp type="alignment">'
    '<link target="#e1 #f1"/></linkGrp></back></text></TEI>'
)


@pytest.mark.parametrize("kind", ["tei", "xces"])
def test_marks_of_documents_are_a_loss_where_their_text_is_written(kind, tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(HI)
    if kind == "xces":
        path.write_text(
            '<cesAlign version="1.0"><linkGrp fromDoc="d.xml" toDoc="d.xml">'
            '<link xtargets="1;1"/></linkGrp></cesAlign>'
        )
        sentence = '<s id="1">One <hi rend="b">big</hi> dog.</s>'
        (tmp_path / "d.xml").write_text(f"<text><body><p>{sentence}</p></body></text>")
    for to, lost in (("jsonl", True), ("xces", False)):
        outcome = convert(Task(inputs=(Input(str(path)),), output=str(tmp_path / f"b.{to}"), to=to))
        told = [note.kind for note in (outcome.losses if lost else outcome.notes)]
        assert LOST_ELEMENTS in told
        assert LOST_ELEMENTS not in [n.kind for n in (outcome.notes if lost else outcome.losses)]
