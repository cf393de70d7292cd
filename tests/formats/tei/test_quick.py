"""TEI read by expressions and by columns, against the parser and link by link: they are equal."""

import io
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.formats.tei.fast import scan
from bitext.formats.tei.reading import read_bitexts

POINTERS = ["#e0", "#e1", "#e2", "#f0", "#f1", "#f2"]
OPENING = '<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'


def opened(content, *, quick=True, size=0):
    stream = io.BytesIO(content.encode())
    return Source("a.tei", stream, block_size=size, by_parser=not quick)


def seen(content, *, quick, **options):
    """Return all that is read of a file, or what is wrong with it."""
    try:
        source = opened(content, quick=quick)
        found = list(read_bitexts(source, ReadOptions(lines=True, **options)))
    except FormatError as error:
        return re.sub(r"'.*|ID .*", "", error.message), error.line
    return [
        (
            [list(text.segments()) for text in (bt.src, bt.tgt)],
            [list(text.ids) for text in (bt.src, bt.tgt)],
            [(text.lang, text.name, text.has_ids) for text in (bt.src, bt.tgt)],
            [text.paragraphs and text.paragraphs.masses.tolist() for text in (bt.src, bt.tgt)],
            [(bead.src, bead.tgt) for bead in bt.alignment],
            None if bt.alignment.scores is None else repr(bt.alignment.scores.tolist()),
            bt.alignment.attributes,
            (bt.name, bt.meta, bt.lines.tolist()),
            sorted((note.kind, note.count, note.first) for note in bt.notes),
        )
        for bt in found
    ]


def same_both_ways(content, **options):
    by_parser = seen(content, quick=False, **options)
    assert seen(content, quick=True, **options) == by_parser
    return by_parser


def places_of(content, *, quick, size=0):
    found = scan(opened(content, quick=quick, size=size))
    places = found.places
    columns = (places.orders, places.lasts, places.begins, places.ends, places.lines)
    return (
        places.ids,
        [column.tolist() for column in (*columns, places.paragraphs)],
        [places.contexts[k] for k in places.context],
        places.attributes,
        found.by_id,
        found.line,
        found.columns,
        [(group.attributes, group.line, list(group.links)) for group in found.groups],
        (found.aside_order, found.aside_span, found.has_units, places.made),
    )


blank = st.sampled_from(["", "\n", " ", "\n  ", " x ", "&#10;", " > "])
words = st.sampled_from(["", "a", " two\n words ", "R&amp;D", "&lt;b>", "é😀", "a &#13; b", "]]"])
more = st.sampled_from(
    ["", ' n="1"', ' n="a&quot;b" xml:space="preserve"', ' xml:lang="de"', ' part="I"', ' type="q"']
)
odd = st.sampled_from(
    [
        "<lb/>", "<note>no</note>", "<!-- no -->", "<?no?>", "<w>a</w><w>b</w>", "<hi>h</hi>",
        "<w>a<ana>N</ana></w><pc>,</pc>",
        "<anchor xml:id='x1'/>", '<anchor xml:id="x2"/>', "<![CDATA[c]]>", '<p xml:id="e1">e</p>',
        '<seg xml:id="1">e</seg>', '<seg xml:id="é">e</seg>', "<s>no id</s>", "</p><p>",
        '<s xml:id="o1" corresp="#f1">c</s>', '<p xml:id="o2">\n<s xml:id="o3">in</s></p>',
        '<link target="#e1 #f1"/>', '<link xml:id="l7" target="#e2 #f1"/> ', "<b", "</div>",
        '<x a="1" a="2"/>', '<x xmlns="y"/>', '<s n="a\nb" xml:id="o4">t</s>', "<!DOCTYPE a>",
    ]
)  # fmt: skip


@st.composite
def files(draw):
    def side(letter, lang):
        name = draw(st.sampled_from(["s", "seg", "ab"]))
        tags = [
            f'<{name} xml:id="{letter}{k}"{draw(more)}>{draw(words)}</{name}>{draw(blank)}'
            for k in range(1, draw(st.integers(2, 5)))
        ]
        if draw(st.booleans()):
            tags.insert(draw(st.integers(0, len(tags))), draw(odd))
        own = draw(st.sampled_from([f' xml:lang="{lang}"', f' xml:id="{lang}"', ""]))
        return f"<div{own}>{draw(blank)}<p>{''.join(tags)}</p></div>"

    def link(k):
        ends = draw(st.lists(st.sampled_from(["#e1", "#f1", "#e2", "#f2"]), min_size=1, max_size=3))
        name = draw(st.sampled_from(["", f' xml:id="l{k}"', f' xml:id="bitext-1-link-{k}"']))
        rest = draw(st.sampled_from(["", ' cert="0.5"', ' cert="low" type="x"', ' n="&lt;"']))
        return f'<link{name} target="{" ".join(ends)}"{rest}/>{draw(blank)}'

    body = f"<text><body>{side('e', 'en')}\n{side('f', 'fr')}</body></text>\n"
    spans = '<spanGrp type="score"><span target="#l1">-2.5</span></spanGrp>\n'
    groups = ""
    for _ in range(draw(st.integers(1, 2))):
        links = "".join(map(link, range(draw(st.integers(0, 4)))))
        domains = draw(st.sampled_from(["", ' domains="#en #fr"', ' domains="#fr #en" n="x"']))
        links += draw(st.just("") | odd)
        groups += f'<linkGrp type="alignment"{domains}>\n{links}</linkGrp>\n'
    return f"{OPENING}{body}<standOff>{groups}{spans}</standOff></TEI>\n"


@given(files(), st.sampled_from(["", "fr"]))
@settings(suppress_health_check=list(HealthCheck))
def test_both_ways_say_the_same(content, language):
    same_both_ways(content, src_lang=language)


@given(files(), st.sampled_from([16, 100, 333]))
@settings(suppress_health_check=list(HealthCheck))
def test_scans_are_the_same_whatever_the_pieces(content, size):
    try:
        quick = places_of(content, quick=True, size=size)
    except FormatError:
        with pytest.raises(FormatError):
            places_of(content, quick=False)
    else:
        assert quick == places_of(content, quick=False)


@given(
    st.lists(
        st.lists(st.sampled_from(POINTERS), min_size=1, max_size=4),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["", ' domains="#f #e"']),
    st.sampled_from(["", "fr"]),
)
def test_links_by_the_column_and_one_by_one(targets, domains, language):
    body = corpus(3).split("<linkGrp>")[0].replace("<div", '<div xml:id="e"', 1)
    body = body.replace('<div xml:lang="fr"', '<div xml:id="f" xml:lang="fr"')
    tags = "".join(
        f'<link target="{" ".join(names)}" cert="0.{k}"/>\n' for k, names in enumerate(targets)
    )
    content = f'{body}<linkGrp{domains} n="x">\n{tags}</linkGrp></TEI>'
    found = same_both_ways(content, src_lang=language)
    if domains:
        assert sum(len(src) + len(tgt) for src, tgt in found[0][4]) == sum(
            map(len, map(set, targets))
        )


def corpus(size, *, links="", texts=""):
    def side(letter):
        return "".join(f'<s xml:id="{letter}{k}">text {k}</s>\n' for k in range(size))

    linked = "".join(f'<link target="#e{k} #f{k}"/>\n' for k in range(size))
    return (
        f'{OPENING}<text><body><div xml:lang="en">\n{side("e")}{texts}</div><div xml:lang="fr">'
        f"{side('f')}</div></body></text><linkGrp>\n{linked}{links}</linkGrp></TEI>"
    )


def test_a_regular_file_needs_no_parser(monkeypatch):
    from bitext.formats.xml import fast as regular

    monkeypatch.setattr(regular, "iterate", lambda *_, **__: pytest.fail("parser"))
    (found,) = read_bitexts(opened(corpus(12_000)), ReadOptions(lines=True))
    assert found.pairs()[11_345] == (["text 11345"], ["text 11345"])
    assert len(found.alignment) == 12_000
    first = corpus(12_000).split("<linkGrp>")[0].count("\n") + 2
    assert np.array_equal(found.lines, np.arange(first, first + 12_000))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"links": '<link target="#e1 #nil"/>'}, "names no element"),
        ({"links": '<!-- x --><link target="#e1 #nil"/>'}, "names no element"),
        ({"texts": '<s xml:id="e7">again</s>'}, "e7 already defined"),
        ({"texts": '<!-- x --><s xml:id="e7">again</s>'}, "e7 already defined"),
        ({"texts": "<s>open"}, "not well-formed"),
        ({"texts": '<s xml:id="9">x</s>'}, "not an NCName"),
    ],
)
def test_errors_have_the_line_of_the_file(more, message):
    content = corpus(1500, **more)
    wrong = next(iter(more.values()))
    line = content[: content.index(wrong)].count("\n") + 1
    for quick in (True, False):
        with pytest.raises(FormatError, match=message) as raised:
            list(read_bitexts(opened(content, quick=quick, size=1 << 15), ReadOptions()))
        assert raised.value.line == line or "open" in wrong


# Documents by elements that are no sentences


def document(name, *ids, lang="en", before=""):
    parts = "".join(f'<{name} xml:id="{k}">text {k}</{name}>\n' for k in ids)
    inner = f"<p>{parts}</p>" if name in {"seg", "s"} else parts
    root = OPENING.replace('1.0">', f'1.0" xml:lang="{lang}">')
    return f"{root}<text><body>{before}{inner}</body></text></TEI>"


def links(*targets, more=""):
    tags = "".join(f'<link target="{target}"/>\n' for target in targets)
    return f"{OPENING}<standOff><linkGrp{more}>\n{tags}</linkGrp></standOff></TEI>"


@pytest.mark.parametrize("name", ["s", "seg", "ab", "p", "l"])
def test_documents_by_other_elements(tmp_path, name):
    (tmp_path / "en.xml").write_text(document(name, "e1", "e2", "e3"), encoding="utf-8")
    (tmp_path / "fr.xml").write_text(document(name, "f1", "f2", lang="fr"), encoding="utf-8")
    content = links("en.xml#e1 fr.xml#f1", "en.xml#e3 en.xml#e2 fr.xml#f2")
    (found,) = read_bitexts(opened(content), ReadOptions(roots=(tmp_path,)))
    assert found.pairs() == [(["text e1"], ["text f1"]), (["text e2", "text e3"], ["text f2"])]
    assert (found.src.ids, found.tgt.ids) == (["e1", "e2", "e3"], ["f1", "f2"])
    assert (found.src.lang, found.tgt.lang) == ("en", "fr")
    assert found.meta["src_doc"] == "en.xml"
    assert found.notes == ()
    turned = ReadOptions(roots=(tmp_path,), src_lang="fr", tgt_lang="en")
    (found,) = read_bitexts(opened(content), turned)
    assert found.pairs()[0] == (["text f1"], ["text e1"])
    bare = links("#e1 #f1", more=' corresp="en.xml fr.xml"')
    (found,) = read_bitexts(opened(bare), ReadOptions(roots=(tmp_path,)))
    assert found.pairs() == [(["text e1"], ["text f1"])]


def test_documents_with_sentences_beside_what_is_pointed_to(tmp_path):
    inner = '<ab xml:id="a0"><s xml:id="s1">One.</s> <note>no</note>\n<s xml:id="s2">Two.</s></ab>'
    (tmp_path / "en.xml").write_text(document("ab", "a1", before=inner), encoding="utf-8")
    (tmp_path / "fr.xml").write_text(document("s", "f1"), encoding="utf-8")
    options = ReadOptions(roots=(tmp_path,))
    (found,) = read_bitexts(opened(links("en.xml#a0 fr.xml#f1")), options)
    assert found.pairs() == [(["One. Two."], ["text f1"])]
    assert [note.kind for note in found.notes] == [
        "notes and the like inside segments, not taken as their text"
    ]
    (found,) = read_bitexts(opened(links("en.xml#s2 fr.xml#f1")), options)
    assert found.pairs() == [(["Two."], ["text f1"])]
    with pytest.raises(FormatError, match=r"line 5: target names the source segment 'a9', but .*2"):
        list(read_bitexts(opened(links("en.xml#a0 fr.xml#f1", "en.xml#a9 fr.xml#f1")), options))


def test_documents_by_anchors_and_parts(tmp_path):
    english = '<p><anchor xml:id="e1"/>One. <anchor xml:id="e2"/>Two.</p>'
    french = '<ab xml:id="f1" next="#f1b">Un</ab><ab xml:id="f1b">deux.</ab>'
    (tmp_path / "en.xml").write_text(document("p", before=english), encoding="utf-8")
    (tmp_path / "fr.xml").write_text(document("p", before=french), encoding="utf-8")
    content = links("en.xml#e1 fr.xml#f1b", "en.xml#e2")
    (found,) = read_bitexts(opened(content), ReadOptions(roots=(tmp_path,)))
    assert found.pairs() == [(["One."], ["Un deux."]), (["Two."], [])]


def test_documents_of_other_elements_outside_of_the_roots_stay_closed(tmp_path):
    (tmp_path / "en.xml").write_text(document("seg", "e1"), encoding="utf-8")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link.xml").symlink_to(tmp_path / "en.xml")
    for name in ("../en.xml", "link.xml", str(tmp_path / "en.xml")):
        content = links(f"{name}#e1 fr.xml#f1")
        (found,) = read_bitexts(opened(content), ReadOptions(roots=(root,)))
        assert not found.src.has_text


# Lines


def test_lines_of_corresp():
    one = '<s xml:id="e1" corresp="#f1">a</s>\n<s xml:id="e2">b</s>\n<s xml:id="e3">c</s>\n'
    two = '<s xml:id="f0">x</s>\n<s xml:id="f1">y</s>\n<s xml:id="f2" corresp="#e3 #e2">z</s>'
    sides = f'<div xml:lang="en">\n{one}</div><div xml:lang="fr">\n{two}</div>'
    content = f"{OPENING}<text>{sides}</text></TEI>"
    (found,) = read_bitexts(opened(content), ReadOptions(lines=True))
    assert [bead.tgt for bead in found.alignment] == [(0,), (1,), (2,)]
    assert found.lines.tolist() == [8, 4, 5]
    (found,) = read_bitexts(opened(content), ReadOptions())
    assert found.lines is None


@pytest.mark.parametrize("name", ["a b", " urn:x", ":x", "&#x60;urn:x", "http://a:b/", "http://[x"])
def test_namespaces_that_are_no_names_are_refused(name):
    """Found by fuzzing: by expressions such a file was read."""
    opening = OPENING.replace("http://www.tei-c.org/ns/1.0", f"{name}www.tei-c.org")
    sides = (f'<div xml:lang="{k}"><s xml:id="{k}1">a</s></div>' for k in "ef")
    links = '<standOff><linkGrp type="alignment"><link target="#e1 #f1"/></linkGrp></standOff>'
    body = f"<text><body>{''.join(sides)}</body></text>{links}</TEI>"
    assert same_both_ways(opening + body)[1] == 2
    assert len(same_both_ways(OPENING + body)) == 1


def test_segments_in_groups_of_links_are_noted():
    sides = (f'<div xml:lang="{k}"><s xml:id="{k}1">a</s></div>' for k in "ef")
    links = '<link target="#e1 #f1"/>\n<seg xml:id="x">b</seg>'
    content = (
        f"{OPENING}<text><body>{''.join(sides)}</body></text>"
        f'<standOff><linkGrp type="alignment">{links}</linkGrp></standOff></TEI>'
    )
    ((*_, notes),) = same_both_ways(content)
    assert notes == [("elements in groups of links, left out", 1, "a.tei line 4: seg")]
