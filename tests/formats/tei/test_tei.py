"""TEI: links and `corresp` read, the sides told, what cannot be read refused."""

import io

import pytest

import bitext
from bitext import Alignment, Text
from bitext.errors import FormatError
from bitext.formats import tei
from bitext.formats.io.source import Source, open_source
from bitext.formats.registry import ReadOptions
from formats.samples import kinds, ugly, units
from reference.shared_data import data

FORMAT = tei.FORMAT
MISSING = "documents not found under the given roots, their segments known by ids only"
ONE = "links with one pointer, taken as 0-1 and 1-0"
HEADER = (
    "<teiHeader><fileDesc><titleStmt><title>t</title></titleStmt><publicationStmt><p>p</p>"
    "</publicationStmt><sourceDesc><p>s</p></sourceDesc></fileDesc></teiHeader>"
)
UNITS = [(["e1"], ["f1"]), (["e2", "e3"], ["f2"]), ([], ["f3"])]
LINKS = '<link target="#e1 #f1"/><link target="#e2 #e3 #f2"/><link target="#f3"/>'


def file(content, *, root="TEI", more=""):
    return f'<{root} xmlns="http://www.tei-c.org/ns/1.0"{more}>{content}</{root}>'


def group(links, attributes=""):
    return f'<linkGrp type="alignment"{attributes}>{links}</linkGrp>'


def sentences(*ids, name="s"):
    return "".join(f'<{name} xml:id="{k}">text {k}</{name}>\n' for k in ids)


def texts(en="", fr=' xml:lang="fr"', english=' xml:lang="en"'):
    en = en or sentences("e1", "e2", "e3")
    french = sentences("f1", "f2", "f3")
    return (
        f"<text><body><div{english}><p>{en}</p></div><div{fr}><p>{french}</p></div></body></text>"
    )


def read_all(content, *, path="a.tei.xml", on_bad=None, **options):
    raw = content.encode() if isinstance(content, str) else content
    source = Source(path, io.BytesIO(raw))
    source.on_bad = on_bad
    return list(FORMAT.read(source, ReadOptions(**options)))


def read(content, **options):
    (found,) = read_all(content, **options)
    return found


@pytest.mark.parametrize(
    "name",
    [
        "absolute_uris.tei.xml",
        "corresp_both_ways.tei.xml",
        "link_not_closed.tei.xml",
        "mte_targets_pairs.tei.xml",
        "p5_link_target.tei.xml",
        "p5_standoff_files.tei.xml",
    ],
)
def test_awkward_files(name):
    path, verdict, expected = ugly(name)
    with open_source(path) as source:
        assert FORMAT.sniff(source.head()) >= 90
        options = ReadOptions(roots=(path.parent,))
        if verdict == "refuse":
            with pytest.raises(FormatError, match=r"line \d+"):
                list(FORMAT.read(source, options))
            return
        (found,) = FORMAT.read(source, options)
    assert units(found) == [tuple(unit) for unit in expected]
    assert bool(set(kinds(found)) - {MISSING}) == (verdict == "warn")


def test_every_awkward_file_is_tested():
    cases = data("formats", "ugly", "expected.jsonl").read_text(encoding="utf-8")
    assert cases.count('"format": "tei"') == 6


# Where links stand


@pytest.mark.parametrize(
    "content",
    [
        file(HEADER + texts() + f"<standOff>{group(LINKS)}</standOff>"),
        file(HEADER + f"<standOff>{group(LINKS)}</standOff>" + texts()),
        file(HEADER + texts().replace("</body>", f"</body><back>{group(LINKS)}</back>")),
        file(HEADER + texts().replace("<body>", f"<body>{group(LINKS)}")),
        file(HEADER.replace("</fileDesc>", f"</fileDesc>{group(LINKS)}") + texts()),
        file(HEADER + texts().replace("</div><div", f"</div>{LINKS}<div", 1)),
        file(texts() + group(LINKS), root="teiCorpus"),
        file(HEADER + texts() + f"<standOff>{group(LINKS)}</standOff>", more=' xml:base="a.xml"'),
        file(texts() + group(LINKS.replace('"#e1', '"a.tei.xml#e1'))),
    ],
)
def test_links_anywhere(content):
    assert FORMAT.sniff(content.encode()) >= 90
    found = read(content)
    assert units(found) == UNITS
    assert (found.src.lang, found.tgt.lang) == ("en", "fr")
    assert found.pairs()[1] == (["text e2", "text e3"], ["text f2"])
    assert found.src.paragraphs.masses.tolist() == [3] if found.src.paragraphs else True
    assert kinds(found) == {ONE: 1}
    assert found.meta["holds"] == "text"


def test_attributes_of_segments_that_are_left_out_are_noted():
    body = texts().replace("<s ", '<s n="1" xml:lang="en" type="q" ana="#a" ', 2)
    found = read(file(HEADER + body + f"<standOff>{group(LINKS)}</standOff>"))
    assert kinds(found) == {ONE: 1, "attributes of s, left out": 2}
    tokens = body.replace("text e1", '<w lemma="text" join="right">text</w> <pc>e1</pc>', 1)
    links = group(LINKS, ' resp="#me"').replace("<link ", "<desc>by hand</desc><link ", 1)
    found = read(file(HEADER + tokens + f"<standOff>{links}</standOff>"))
    assert kinds(found) == {
        ONE: 1,
        "attributes of s, left out": 2,
        "attributes of w, left out": 1,
        "attributes of linkGrp, left out": 1,
        "elements in groups of links, left out": 1,
    }


def test_encodings():
    content = '<?xml version="1.0" encoding="iso-8859-1"?>' + file(
        texts(sentences("é1")) + group('<link target="#é1 #f1"/>')
    )
    assert units(read(content.encode("iso-8859-1"))) == [(["é1"], ["f1"])]
    wide = content.replace("iso-8859-1", "utf-16").encode("utf-16")
    assert FORMAT.sniff(wide) >= 90
    assert units(read(wide)) == [(["é1"], ["f1"])]


def test_percent_in_pointers_and_white_space_between_them():
    content = file(texts(sentences("é1")) + group('<link target=" #%C3%A91\t\n #f1 "/>'))
    assert units(read(content)) == [(["é1"], ["f1"])]


def test_what_nothing_points_to_is_in_the_text():
    found = read(file(texts() + group('<link target="#e3 #f1"/>')))
    assert found.src.ids == ["e1", "e2", "e3"]
    assert found.tgt.ids == ["f1", "f2", "f3"]
    assert units(found) == [(["e3"], ["f1"])]


def test_header_and_notes_are_not_text_beside():
    english = sentences("e1", name="p") + '<note><p xml:id="n1">no</p></note>'
    french = f'<div xml:lang="fr">{sentences("f1", name="p")}</div>'
    content = file(
        f'{HEADER}<text><body><div xml:lang="en">{english}</div>{french}</body></text>'
        + group('<link target="#e1 #f1"/>'),
        more=' xml:lang="en"',
    )
    found = read(content)
    assert (found.src.ids, found.tgt.ids) == (["e1"], ["f1"])


def test_columns_and_scores():
    content = file(
        texts()
        + group(
            '<link xml:id="l1" target="#e1 #f1" cert="0.75" type="1:1" resp="#me" n="1-1"/>'
            '<link target="#e2 #f2" cert="high" subtype="x"/>'
        )
        + '<certainty target="#l1" locus="value" degree="0.5"/>'
    )
    found = read(content)
    assert found.alignment.scores[0] == 0.75
    assert found.alignment.attributes == {
        "id": ["l1", None],
        "type": ["1:1", None],
        "resp": ["#me", None],
        "n": ["1-1", None],
        "cert": [None, "high"],
        "subtype": [None, "x"],
    }
    assert kinds(found) == {"certainty elements, left out": 1}


# Evidence the sides


def test_files_are_sides():
    found = read(file(group('<link target="en.xml#e1 fr.xml#f1 en.xml#e2"/>'), root="standOff"))
    assert units(found) == [(["en.xml#e1", "en.xml#e2"], ["fr.xml#f1"])]
    assert (found.meta["src_doc"], found.meta["tgt_doc"]) == ("en.xml", "fr.xml")
    assert "holds" not in found.meta


def test_texts_of_a_group_and_files_of_a_corpus_are_sides():
    both = "<text><body>{}</body></text>"
    one, two = both.format(sentences("e1", "e2", "e3")), both.format(sentences("f1", "f2", "f3"))
    for content in (
        file(f"<text><group>{one}{two}</group></text>{group(LINKS)}"),
        file(f"<TEI>{one}</TEI><TEI>{two}</TEI>{group(LINKS)}", root="teiCorpus"),
    ):
        found = read(content)
        assert units(found) == UNITS
        assert found.src.ids == ["e1", "e2", "e3"]


@pytest.mark.parametrize(("domains", "turned"), [("#en #fr", False), ("#fr #en", True)])
def test_domains_are_sides_in_their_order(domains, turned):
    content = file(
        texts(english=' xml:id="en"', fr=' xml:id="fr"') + group(LINKS, f' domains="{domains}"')
    )
    found = read(content)
    assert units(found.swapped() if turned else found) == UNITS
    assert found.src.ids == (["f1", "f2", "f3"] if turned else ["e1", "e2", "e3"])


def test_domains_of_files():
    links = '<link target="fr.xml#a"/><link target="fr.xml#b en.xml#a"/>'
    found = read(file(group(links, ' domains="en.xml fr.xml"')))
    assert units(found) == [([], ["fr.xml#a"]), (["en.xml#a"], ["fr.xml#b"])]


def test_listed_files_are_sides_in_their_order():
    links = '<link target="fr.xml#a"/><link target="fr.xml#b fr.xml#c"/>'
    found = read(file(links, root="linkGrp", more=' corresp="en.xml fr.xml"'))
    assert units(found) == [([], ["fr.xml#a"]), ([], ["fr.xml#b", "fr.xml#c"])]
    assert found.src.ids == []


def test_a_hub_points_into_another_file():
    content = file(
        f"<text><body>{sentences('u1', 'u2')}</body></text>"
        + group('<link target="#u1 doc_2.xml#u9"/><link target="#u2"/>', ' corresp="doc_2.xml"')
    )
    found = read(content)
    assert units(found) == [(["u1"], ["doc_2.xml#u9"]), (["u2"], [])]
    assert found.src.has_text
    assert not found.tgt.has_text


def test_order_where_every_link_has_two():
    content = file(texts(english="", fr="") + group('<link target="#e1 #f1"/>'))
    assert units(read(content)) == [(["e1"], ["f1"])]
    content = content.replace("<linkGrp", '<linkGrp targFunc="target source"')
    assert units(read(content)) == [(["f1"], ["e1"])]
    with pytest.raises(FormatError, match=r"whose sides are not clear.*domains"):
        read(file(texts(english="", fr="") + group(LINKS)))


def test_one_side_alone_is_refused():
    content = file(
        texts() + group('<link target="#e1 #f1"/>') + '<link target="fr.xml#x en.xml#y"/>'
    )
    assert [units(found) for found in read_all(content)] == [
        [(["e1"], ["f1"])],
        [(["fr.xml#x"], ["en.xml#y"])],
    ]
    links = '<link target="a.xml#1 b.xml#1"/><link target="c.xml#9"/>'
    with pytest.raises(FormatError, match=r"line 1: has a link of one side only \('c.xml'\)"):
        read(file(group(links)))


def test_several_pairs_of_one_group_and_links_of_one_side_in_them():
    links = (
        '<link target="en.xml#1 fr.xml#1"/><link target="en.xml#2 de.xml#2"/>'
        '<link target="en.xml#3"/><link target="de.xml#4"/>'
    )
    first, second = read_all(file(group(links)))
    assert units(first) == [(["en.xml#1"], ["fr.xml#1"]), (["en.xml#3"], [])]
    assert units(second) == [(["en.xml#2"], ["de.xml#2"]), ([], ["de.xml#4"])]
    assert "aligned with several" in " ".join(kinds(first))
    assert (first.name, second.name) == ("{en,fr}", "{en,de}")
    (german,) = read_all(file(group(links)), src_lang="de", tgt_lang="en")
    assert units(german)[0] == (["de.xml#2"], ["en.xml#2"])
    assert "document pairs in other languages than those asked for, left out" in kinds(german)


# Three texts and more

THREE = (
    '<link target="a-en.xml#1 a-fr.xml#1 a-de.xml#1"/><link target="a-en.xml#2 a-de.xml#2"/>'
    '<link target="a-fr.xml#3"/>'
)


def test_three_texts_by_the_names_of_files():
    with pytest.raises(FormatError, match=r"between 3 texts; choose .*src_lang=.*'a-en.xml', 'a-"):
        read(file(group(THREE)))
    found = read(file(group(THREE)), src_lang="de", tgt_lang="en")
    assert units(found) == [
        (["a-de.xml#1"], ["a-en.xml#1"]),
        (["a-de.xml#2"], ["a-en.xml#2"]),
    ]
    assert kinds(found)["segments of further texts, left out"] == 2
    assert "texts whose language was taken from the name of their file" in kinds(found)
    with pytest.raises(FormatError, match=r"not one text for each language asked for \(de and hu"):
        read(file(group(THREE)), src_lang="de", tgt_lang="hu")


def test_three_texts_by_their_languages():
    german = f'<div xml:lang="de-AT">{sentences("d1", "d2")}</div></body>'
    content = file(
        texts().replace("</body>", german) + group('<link target="#e1 #f1 #d1"/>' + LINKS)
    )
    with pytest.raises(FormatError, match=r"between 3 texts; choose .*en, fr, de-at"):
        read(content)
    found = read(content, src_lang="fr", tgt_lang="de")
    assert units(found)[0] == (["f1"], ["d1"])
    assert found.tgt.ids == ["d1", "d2"]
    assert (found.src.lang, found.tgt.lang) == ("fr", "de-AT")


def test_languages_turn_two_texts():
    content = file(texts() + group(LINKS))
    assert units(read(content, src_lang="fr")) == [(t, s) for s, t in UNITS]
    assert units(read(content, src_lang="en", tgt_lang="fr")) == UNITS
    with pytest.raises(FormatError, match=r"asked for .fr and de., but: en, fr"):
        read(content, src_lang="fr", tgt_lang="de")


# Pointers


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("#xpath(//s[1]) #f1", r"'#xpath\(//s\[1\]\)' is by the scheme xpath\(\), which is not"),
        ("#string-range(e1,1,2) #f1", r"by the scheme string-range\(\)"),
        ("#e1 fr.xml", "'fr.xml' names a whole document"),
        ("#e1 #f9", "'#f9' names no element of this file"),
        ("#e1 #j1", "names an element join, which is not a segment"),
        ("#e1 #l1", "names an element link"),
        ("", "without target"),
        ("#e1 #f1#", "names no element"),
    ],
)
def test_pointers_that_are_refused(target, message):
    english = '<s xml:id="e1">a</s><s xml:id="e2">b</s><join xml:id="j1" target="#e1 #e2"/>'
    content = file(
        texts(english) + group(f'<link target="{target}"/><link xml:id="l1" target="#e2 #f2"/>')
    )
    with pytest.raises(FormatError, match=message):
        read(content)
    bad = []
    assert units(read(content, on_bad=bad.append)) == [(["e2"], ["f2"])]
    assert len(bad) == 1
    assert f"line {content[: content.index('<link')].count(chr(10)) + 1}" in str(bad[0])


def test_links_of_xces_in_tei_are_refused_by_name():
    links = '<linkGrp targType="p" n="x" type="n-n"><link type="1-1" xtargets="2;2"/></linkGrp>'
    content = f"<TEI.2><text><body><div>{links}</div></body></text></TEI.2>"
    with pytest.raises(FormatError, match="has a link with xtargets, as in XCES and in JRC-Acquis"):
        read(content)


def test_bases_apply():
    links = '<link target="en.xml#a sub/fr.xml#b" xml:base="deep/"/><link target="en.xml#c #d"/>'
    content = file(group(links, ' xml:base="x/other.xml"'))
    found = read_all(content)
    assert units(found[0]) == [(["x/deep/en.xml#a"], ["x/deep/sub/fr.xml#b"])]
    assert units(found[1]) == [(["x/en.xml#c"], ["x/other.xml#d"])]


def test_a_segment_named_twice_is_taken_once():
    found = read(file(texts() + group('<link target="#e1 #f1 #e1"/>')))
    assert units(found) == [(["e1"], ["f1"])]
    assert kinds(found) == {"links that name a segment twice, taken once": 1}


def test_groups_of_other_types_are_left_out():
    other = '<linkGrp type="UD-SYN" targFunc="head argument"><link target="#e1 #e2"/></linkGrp>'
    found = read(file(texts() + other + group(LINKS)))
    assert units(found) == UNITS
    assert "groups of links of another type than alignments, left out" in kinds(found)


def test_groups_of_the_same_texts_are_merged():
    first, rest = LINKS.split("/>", 1)
    found = read(file(texts() + group(first + "/>") + group(rest)))
    assert units(found) == UNITS
    assert "groups of the same two texts, merged" in kinds(found)


def test_no_links():
    with pytest.raises(FormatError, match="no linkGrp, no link and no corresp"):
        read(file(HEADER + texts()))


def test_sniffing():
    assert FORMAT.sniff(file(HEADER + texts()).encode()) == 70
    assert FORMAT.sniff(b'<linkGrp><link targets="a.xml#1 b.xml#1"/></linkGrp>') == 85
    assert FORMAT.sniff(b'<linkGrp fromDoc="a"><link xtargets="1;1"/></linkGrp>') == 0
    assert FORMAT.sniff(b"<cesAlign/>") == FORMAT.sniff(b"<tmx/>") == FORMAT.sniff(b"") == 0
    apparatus = file("<teiHeader><listWit/><variantEncoding/></teiHeader>").encode()
    assert FORMAT.sniff(apparatus) == 0


def test_a_lattice_in_tei_is_none():
    from bitext.formats.lattices import tei_of
    from bitext.model import Cluster, Lattice, Sentence

    lattice = Lattice(Cluster(map(Sentence, (["It", "burns"], ["It", "rains"]))), [[1, 2], [1, 3]])
    assert FORMAT.sniff("".join(tei_of(lattice)).encode()) == 0


# Other documents


def write_document(path, *ids, lang=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'<text xml:lang="{lang}">{sentences(*ids)}</text>', encoding="utf-8")


def test_documents_are_found(tmp_path):
    write_document(tmp_path / "en.xml", "e1", "e2", lang="en")
    write_document(tmp_path / "sub dir" / "fr.xml", "f1", lang="fr")
    links = '<link target="en.xml#e2 sub%20dir/fr.xml#f1"/><link target="en.xml#e1"/>'
    found = read(file(group(links)), roots=(tmp_path,))
    assert found.pairs() == [(["text e2"], ["text f1"]), (["text e1"], [])]
    assert units(found) == [(["e2"], ["f1"]), (["e1"], [])]
    assert found.meta["tgt_doc"] == "sub dir/fr.xml"
    assert (found.src.lang, found.tgt.lang) == ("en", "fr")
    turned = read(file(group(links)), roots=(tmp_path,), src_lang="fr", tgt_lang="en")
    assert units(turned)[0] == (["f1"], ["e2"])


def test_an_id_that_its_document_lacks(tmp_path):
    write_document(tmp_path / "en.xml", "e1")
    write_document(tmp_path / "fr.xml", "f1")
    links = '<link target="en.xml#e1 fr.xml#f1"/>\n<link target="en.xml#e9 fr.xml#f1"/>'
    content = file(group(links))
    with pytest.raises(FormatError, match=r"line 2: target names the source segment 'e9', but .*1"):
        read(content, roots=(tmp_path,))
    bad = []
    assert units(read(content, roots=(tmp_path,), on_bad=bad.append)) == [(["e1"], ["f1"])]
    assert len(bad) == 1


def test_documents_that_are_none(tmp_path):
    (tmp_path / "en.xml").write_text("<text><p>no sentences</p></text>")
    write_document(tmp_path / "fr.xml", "other")
    found = read(file(group('<link target="en.xml#e1 fr.xml#f1"/>')), roots=(tmp_path,))
    assert units(found) == [(["en.xml#e1"], ["fr.xml#f1"])]
    assert set(kinds(found)) == {
        "documents that cannot be read, their segments known by ids only",
        "documents that have none of the segments, these known by ids only",
    }


def test_bare_pointers_into_the_files_that_are_listed(tmp_path):
    write_document(tmp_path / "en.xml", "e1", "e2")
    write_document(tmp_path / "fr.xml", "f1", "both")
    links = '<link target="#f1 #e1 #e2" n="0:0"/><link target="#both"/>'
    content = file(group(links, ' corresp="en.xml fr.xml"'), root="linkGrp")
    found = read(content, roots=(tmp_path,))
    assert units(found) == [(["e1", "e2"], ["f1"]), ([], ["both"])]
    write_document(tmp_path / "en.xml", "e1", "e2", "both")
    with pytest.raises(FormatError, match=r"several of the files have \(en.xml, fr.xml\)"):
        read(content, roots=(tmp_path,))
    with pytest.raises(FormatError, match="files that the linkGrp lists, which are not there"):
        read(content)
    two = file(group('<link target="#1 #1"/>', ' corresp="en.xml fr.xml"'), root="linkGrp")
    assert units(read(two)) == [(["en.xml#1"], ["fr.xml#1"])]


def test_texts_that_the_user_gives():
    links = file(group('<link target="en.xml#s2 fr.xml#t1"/>'))
    found = read(links, src=Text(["a", "b"]), tgt=Text(["x"], ids=["t1"]))
    assert found.pairs() == [(["b"], ["x"])]
    two = file(group('<link target="#s2 #t1"/>'))
    assert read(two, src=Text(["a", "b"]), tgt=Text(["x"], ids=["t1"])).pairs() == [(["b"], ["x"])]
    assert read(links, over_src=Text(["a", "b"])).src.has_text
    whole = Text(["a"], ids=["en.xml#s2"])
    assert read(links, src=whole).alignment == Alignment([((0,), (0,))])
    pairs = file(group('<link target="a.xml#1 b.xml#1"/><link target="a.xml#1 c.xml#1"/>'))
    with pytest.raises(FormatError, match="several document pairs, while one text is given"):
        read_all(pairs, src=whole)


@pytest.mark.parametrize(
    "name",
    [
        "../secret.xml",
        "sub/../../secret.xml",
        "%2e%2e/secret.xml",
        "{outside}/secret.xml",
        "file://{outside}/secret.xml",
        "file:secret.xml",
        "http://localhost:1/secret.xml",
        "//localhost/secret.xml",
        "link.xml",
        "folder/secret.xml",
        "pipe",
        "/dev/zero",
        "/etc/passwd",
        "sub%00/secret.xml",
        "http://[",
    ],
)
def test_hostile_names_are_never_opened(tmp_path, name, monkeypatch):
    import os

    outside, root = tmp_path / "outside", tmp_path / "root"
    write_document(outside / "secret.xml", "e1")
    write_document(tmp_path / "secret.xml", "e1")
    write_document(root / "fr.xml", "f1")
    (root / "sub").mkdir()
    (root / "link.xml").symlink_to(outside / "secret.xml")
    (root / "folder").symlink_to(outside)
    os.mkfifo(root / "pipe")
    opened = []
    from bitext.formats.xces import reading as xces_texts

    kept = xces_texts.open_source
    monkeypatch.setattr(
        xces_texts, "open_source", lambda path, **more: opened.append(path) or kept(path, **more)
    )
    doc = name.format(outside=outside)
    content = file(group(f'<link target="{doc}#e1 fr.xml#f1"/>', f' corresp="{doc} fr.xml"'))
    found = read(content, roots=(root,))
    assert units(found) == [([f"{doc}#e1"], ["f1"])]
    assert found.tgt.has_text
    assert [path.name for path in opened] == ["fr.xml"]


# P4 and P3

P4 = (
    '<TEI.2><text><body><div lang="en"><s id="e1">a</s><s id="e2">b</s><s id="e3">c</s></div>'
    '<div lang="fr"><s id="f1">x</s><s id="f2">y</s><s id="f3">z</s></div></body>'
    '<back><linkGrp type="alignment" targOrder="Y"><link targets="e1 f1"/>'
    '<link targets="e2 e3 f2"/><link targets="f3"/></linkGrp></back></text></TEI.2>'
)


def test_p4():
    assert FORMAT.sniff(P4.encode()) >= 90
    found = read(P4)
    assert units(found) == UNITS
    assert (found.src.lang, found.tgt.lang) == ("en", "fr")
    assert kinds(found) == {ONE: 1}
    found = read(
        P4.replace(' lang="en"', ' id="A"')
        .replace(' lang="fr"', ' id="B"')
        .replace("targOrder", 'domains="B A" targOrder')
    )
    assert units(found.swapped()) == UNITS


def test_p4_pointers_to_other_documents_are_not_followed():
    content = P4.replace("<back>", '<back><xptr id="x1" doc="FR" from="ID (f1)"/>').replace(
        "e1 f1", "e1 x1"
    )
    with pytest.raises(FormatError, match="'x1' names an element xptr, which is not a segment"):
        read(content)
    entity = '<!DOCTYPE TEI.2 [<!ENTITY FR SYSTEM "/etc/passwd" NDATA x>]>'
    with pytest.raises(FormatError, match="an external entity"):
        read(entity + content)


@pytest.mark.parametrize(
    "content",
    [
        '<!DOCTYPE TEI.2 PUBLIC "-//TEI P3//DTD Main Document Type//EN" []><TEI.2><TEXT><P>a</TEXT',
        "<!doctype tei.2><tei.2><text><p>a",
        "<tei.2><text><link targets='a b'></text></tei.2>",
        '<!DOCTYPE TEI.2 [<!ELEMENT link - O EMPTY>]><TEI.2><link targets="a b"></TEI.2>',
    ],
)
def test_p3_is_refused(content):
    assert FORMAT.sniff(content.encode()) >= 60
    with pytest.raises(FormatError, match="TEI P3 in SGML, which is not read; convert it"):
        read(content)


def test_by_the_library(tmp_path):
    path = tmp_path / "a.tei.xml"
    path.write_text(file(texts() + group(LINKS)), encoding="utf-8")
    found = bitext.read(path)
    assert (found.meta["format"], found.meta["holds"]) == ("tei", "text")
    path.write_text(file(group('<link target="en.xml#1 fr.xml#1"/>')), encoding="utf-8")
    assert bitext.read(path).meta["holds"] == "ids"


def test_an_identifier_of_two_elements():
    content = P4.replace('<s id="e3">', '<s id="e2">')
    with pytest.raises(FormatError, match=r"'e2' names an identifier that two elements have \(aga"):
        read(content)
    with pytest.raises(FormatError, match="e1 already defined"):
        read(file(texts(sentences("e1") + sentences("e1")) + group(LINKS)))


def test_domains_say_which_segments_are_of_a_text():
    content = file(
        texts(english=' xml:id="en"', fr=' xml:id="fr"')
        + group('<link target="#e1 #f2"/>', ' domains="#en #fr"')
    )
    found = read(content)
    assert (found.src.ids, found.tgt.ids) == (["e1", "e2", "e3"], ["f1", "f2", "f3"])


def test_a_listed_file_that_is_not_found_is_named(tmp_path):
    links = group('<link target="#e1 #f1"/>', ' corresp="en.xml fr.xml"')
    (tmp_path / "en.xml").write_text(file(HEADER + texts().replace("f1", "g1")))
    (tmp_path / "links.xml").write_text(file(f"{HEADER}<standOff>{links}</standOff>"))
    message = r"'#f1' names no element of what was read, and fr\.xml, .* is not found"
    with pytest.raises(FormatError, match=message):
        bitext.read(tmp_path / "links.xml")
    (tmp_path / "links.xml").write_text(file(HEADER + texts().replace("f1", "g1") + links))
    with pytest.raises(FormatError, match=message):
        bitext.read(tmp_path / "links.xml")
    (tmp_path / "fr.xml").write_text(file(HEADER + texts().replace("e1", "d1")))
    assert units(bitext.read(tmp_path / "links.xml"))


def test_groups_of_links_for_other_uses_alone_are_noted():
    found = read(file(texts() + '<linkGrp type="coref"><link target="#e1 #f1"/></linkGrp>'))
    assert "groups of links of another type, read as alignments" in kinds(found)
    found = read(file(texts() + '<linkGrp type="chapters"><link target="#e1 #f1"/></linkGrp>'))
    assert not kinds(found)
