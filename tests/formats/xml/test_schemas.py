"""Schemas: ours against the definitions they stand for, and line by line against the whole tree."""

import pytest
from lxml import etree

from bitext.errors import InputError, OptionError
from bitext.formats.xml.schemas import shipped, validate
from reference.shared_data import data

TMX = (
    '<?xml version="1.0"?>\n<tmx version="1.4"><header creationtool="t" creationtoolversion="1" '
    'segtype="sentence" o-tmf="x" adminlang="en" srclang="en" datatype="plaintext"/>\n<body>\n{}\n'
    "</body></tmx>"
)
TU = '<tu{}><tuv xml:lang="en"><seg>{}</seg></tuv></tu>'


@pytest.fixture
def found(tmp_path):
    def check(content, schema=None, name="tmx"):
        path = tmp_path / "a.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(validate(str(path), schema or shipped(name)))

    return check


def test_formats_without_a_schema():
    assert shipped("tsv") is None


@pytest.mark.parametrize(
    "unit",
    [
        TU.format("", "a"),
        TU.format(' tuid="1" segtype="phrase" usagecount="2"', '<bpt i="1">b</bpt>x<ept i="1"/>'),
        TU.format(
            "", 'a <hi type="b">c <ph x="1"><sub>d<it pos="begin"/></sub></ph></hi><ut x="2"/>'
        ),
        TU.format(' creationdate="20200131T235959Z" changedate="2020-02-01T12:00:00+01:00"', "a"),
        '<tu><note>n</note><prop type="p"/><tuv xml:lang="fr"><prop type="q"/><seg/></tuv></tu>',
    ],
)
def test_sound_units(found, unit):
    assert found(TMX.format(unit)) == []


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ("<tu/>", "tu"),
        (TU.format(' segtype="word"', "a"), "segtype"),
        (TU.format("", "<g>a</g>"), "g"),
        (TU.format("", "<bpt>a</bpt>"), "'i'"),
        (TU.format("", '<it pos="middle">a</it>'), "pos"),
        ('<tu><tuv xml:lang="en"><seg>a</seg><seg>b</seg></tuv></tu>', "seg"),
        ('<tu><prop>x</prop><tuv xml:lang="en"><seg/></tuv></tu>', "type"),
        (TU.format(' colour="red"', "a"), "colour"),
        (TU.format(' creationdate="20200132T000000Z"', "a"), "'20200132T000000Z' is not a valid"),
        (TU.format(' changedate="yesterday"', "a"), "'yesterday' is not a valid"),
    ],
)
def test_unsound_units_by_their_line(found, unit, told):
    (first, *_) = found(TMX.format(TU.format("", "a") + "\n" + unit + "\n" + TU.format("", "b")))
    assert first[0] == 5
    assert told in first[1]


def test_nothing_more_is_told_behind_what_is_not_well_formed(found):
    content = TMX.format("<tu/>\n</tuv>\n<tu/>")
    assert [line for line, _ in found(content)] == [4]


def test_long_lines_count_once(found):
    content = TMX.format(TU.format("", "a" * 3_000_000) + "\n<tu/>")
    assert [line for line, _ in found(content)] == [5]


def test_wide_characters(found):
    content = TMX.format(TU.format("", "a") + "\n<tu/>").replace(
        '"1.0"', '"1.0" encoding="utf-16"', 1
    )
    assert [line for line, _ in found(content.encode("utf-16"))] == [5]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "xces",
            (
                '<cesAlign version="1"><linkGrp fromDoc="a" toDoc="b"><link xtargets="1;2" x="y">'
                '<wordLink xtargets="w1;w2"/></link></linkGrp></cesAlign>'
            ),
        ),
        ("xces", "<linkGrp><link type='1-1' xtargets='a;b' status='man'/></linkGrp>"),
        (
            "maligna",
            (
                "<alignmentlist><alignment score='0.5'><targetlist/><sourcelist><segment>a"
                "</segment></sourcelist></alignment></alignmentlist>"
            ),
        ),
    ],
)
def test_sound_files_of_other_formats(found, name, content):
    assert found(content, name=name) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("xces", "<cesAlign><linkGrp><link xtargets='a b'/></linkGrp></cesAlign>"),
        ("xces", "<cesAlign><linkGrp><link/></linkGrp></cesAlign>"),
        ("maligna", "<alignmentlist><alignment><sourcelist/></alignment></alignmentlist>"),
        (
            "maligna",
            (
                "<alignmentlist><alignment score='x'><sourcelist/><targetlist/></alignment>"
                "</alignmentlist>"
            ),
        ),
    ],
)
def test_unsound_files_of_other_formats(found, name, content):
    assert found(content, name=name)


def test_relax_ng_and_what_is_no_schema(found, tmp_path):
    grammar = tmp_path / "a.rng"
    grammar.write_text(
        '<element name="a" xmlns="http://relaxng.org/ns/structure/1.0"><zeroOrMore><element '
        'name="b"><empty/></element></zeroOrMore></element>'
    )
    assert found("<a><b/></a>", str(grammar)) == []
    assert found("<a>\n<c/></a>", str(grammar))[0][0] in {1, 2}
    grammar.write_text("<nothing/>")
    with pytest.raises(InputError, match="is not a usable schema"):
        found("<a/>", str(grammar))
    with pytest.raises(InputError, match="no such file"):
        found("<a/>", str(tmp_path / "b.xsd"))
    with pytest.raises(OptionError, match=r"want \.xsd, \.rng or \.dtd"):
        found("<a/>", "schema.txt")


def test_ours_for_tmx_says_what_the_dtd_of_its_makers_says():
    """But for the version, which that DTD fixes, and for `lang`, which was its name before 1.3."""
    dtd = etree.DTD(str(data("formats", "tmx", "tmx14.dtd")))
    looked = 0
    for path in sorted(data("formats", "tmx").glob("*.tmx")):
        try:
            tree = etree.parse(str(path))
        except etree.XMLSyntaxError:
            continue
        root = tree.getroot()
        if root.get("version") != "1.4":
            continue
        looked += 1
        assert dtd.validate(tree) == (not list(validate(str(path), shipped("tmx")))), path.name
    assert looked > 10


XSD = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">{}</xs:schema>'
RNG = '<grammar xmlns="http://relaxng.org/ns/structure/1.0">{}</grammar>'
INCLUDES = {
    ".xsd": (
        XSD.format('<xs:element name="a" type="xs:string"/>'),
        XSD.format('<xs:include schemaLocation="{}"/>'),
    ),
    ".rng": (
        RNG.format('<start><element name="a"><text/></element></start>'),
        RNG.format('<include href="{}"/>'),
    ),
    ".dtd": ("<!ELEMENT a (#PCDATA)>", '<!ENTITY % more SYSTEM "{}"> %more;'),
}


@pytest.fixture
def included(tmp_path, found):
    """Return what a schema finds that includes a file by some name; it lies in `home`."""

    def check(name, kind, place="home/part"):
        own, including = INCLUDES[kind]
        (tmp_path / "home/inner").mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{place}{kind}").write_text(own)
        schema = tmp_path / f"home/schema{kind}"
        schema.write_text(including.format(name))
        return found("<a>b</a>", str(schema))

    return check


@pytest.mark.parametrize("kind", INCLUDES)
def test_a_schema_includes_files_beside_it_and_in_folders_there(included, kind):
    assert included(f"part{kind}", kind) == []
    assert included(f"inner/more{kind}", kind, "home/inner/more") == []


@pytest.mark.parametrize("kind", INCLUDES)
@pytest.mark.parametrize("written", ["../part{}", "inner/../../part{}", "%2e%2e/part{}", "{}"])
def test_a_schema_includes_no_file_from_elsewhere(included, tmp_path, kind, written):
    away = tmp_path / f"part{kind}"
    name = written.format(kind) if written != "{}" else str(away)
    with pytest.raises(InputError, match="is not in its folder: put that file beside"):
        included(name, kind, "part")


@pytest.mark.parametrize("kind", INCLUDES)
def test_a_schema_includes_nothing_that_a_link_beside_it_leads_to(included, tmp_path, kind):
    (tmp_path / "home").mkdir()
    (tmp_path / f"home/link{kind}").symlink_to(tmp_path / f"part{kind}")
    with pytest.raises(InputError, match="is not in its folder"):
        included(f"link{kind}", kind, "part")


def test_files_that_a_schema_includes_include_none_from_elsewhere(included, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home/between.rng").write_text(RNG.format('<include href="../part.rng"/>'))
    with pytest.raises(InputError, match="is not in its folder"):
        included("between.rng", ".rng", "part")


def test_a_fault_far_into_a_file_has_the_line_on_which_it_is_found(found):
    # The file is validated in blocks up to the first fault, and line by line from there.
    units = [TU.format(f' tuid="{k}"', f"text {k} &amp; more\n of it") for k in range(6000)]
    assert found(TMX.format("\n".join(units))) == []
    bad = {5: ' tuid="6" x="1"', 2990: ' segtype="word"', 5990: ' colour="red"'}
    for wrong in ({5990}, {2990}, {5, 2990, 5990}):
        changed = [
            TU.format(bad[k], "a\nb") if k in wrong else unit for k, unit in enumerate(units)
        ]
        faults = found(TMX.format("\n".join(changed)))
        assert [line for line, _ in faults] == [4 + 2 * k for k in sorted(wrong)]
