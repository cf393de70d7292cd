"""Strings of programs with one language a file, and test sets of WMT in SGML."""

import pytest
from translate.storage import aresource, properties, resx

import bitext
from bitext.errors import FormatError, InputError
from bitext.formats.reading import opened
from bitext.formats.registry import by_name
from formats.samples import kinds, read, read_all

ANDROID = """<?xml version="1.0" encoding="utf-8"?>
<resources>
  <string name="app" translatable="false">Ferry</string>
  <string name="hi">It\\'s <b>here</b>,
     now</string>
  <string name="q">"a  b"\\n\\u0041</string>
  <plurals name="boats"><item quantity="one">%d boat</item>
    <item quantity="other">%d boats</item></plurals>
  <string-array name="days"><item>Mon</item><item>Tue</item></string-array>
  <string name="only">Only here</string>
</resources>
"""
GERMAN = """<resources>
  <string name="q">q</string><string name="hi">Es ist hier</string>
  <plurals name="boats"><item quantity="one">%d Boot</item><item quantity="few">%d Boote!</item>
    <item quantity="other">%d Boote</item></plurals>
  <string-array name="days"><item>Mo</item><item>Di</item></string-array>
  <string name="extra">Extra</string>
</resources>
"""
RESX = """<?xml version="1.0" encoding="utf-8"?>
<root><resheader name="resmimetype"><value>text/microsoft-resx</value></resheader>
<data name="Hi" xml:space="preserve"><value>Hello &amp; you</value><comment>greet</comment></data>
<data name="Img" type="x"><value>zz</value></data></root>
"""
APPLE = '/* Title */\n"title" = "Next \\"ferry\\"";\n// x\nbare.key = "a\\nb";\n"e" = "\\U00e9";\n'
DICT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/a.dtd">
<plist version="1.0"><dict><key>boats</key><dict>
<key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>
<key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>
<key>NSStringFormatValueTypeKey</key><string>d</string>
<key>one</key><string>%d boat</string><key>other</key><string>%d boats</string>
</dict></dict></dict></plist>
"""
SRC = """<srcset setid="n" srclang="en"><doc docid="d1" origlang="en"><p>
<seg id="1">A &amp; B</seg>
<seg id="2"> Two
lines</seg></p></doc><doc docid="d2"><seg id="1">x</seg></doc></srcset>
"""
REF = """<refset setid="n" srclang="en" trglang="de"><doc sysid="one" docid="d1">
<seg id="1">A und B</seg><seg id="2">Zwei</seg></doc><doc sysid="one" docid="d2">
<seg id="1">y</seg></doc><doc sysid="two" docid="d1"><seg id="1">other</seg></doc></refset>
"""


def test_android_by_names_with_plural_forms_and_arrays():
    bt = read("android", ANDROID, GERMAN)
    assert bt.pairs() == [
        (["It's here, now"], ["Es ist hier"]),
        (["a  b\nA"], ["q"]),
        (["%d boat"], ["%d Boot"]),
        (["%d boats"], ["%d Boote"]),
        (["%d boats"], ["%d Boote!"]),
        (["Mon"], ["Mo"]),
        (["Tue"], ["Di"]),
        (["Only here"], []),
        ([], ["Extra"]),
    ]
    assert bt.alignment.attributes["id"][:2] == ["hi", "q"]
    assert bt.alignment.attributes["plural"][2:5] == ["one", "other", "few"]
    assert set(kinds(bt)) == {
        "strings that are not to be translated, left out",
        "strings with inline elements, taken as their text",
        "plural forms that the source lacks, paired with its form 'other'",
        "strings that the target file lacks",
        "strings that the source file lacks",
    }


def test_strings_of_android_may_be_items():
    text = """<resources><item type="string" name="a">A {0}</item><color name="c">#fff</color>
    <item type="dimen" name="d">1dp</item><array name="e"><item>E</item></array>
    <plurals name="p" translatable="false"><item quantity="one">P</item></plurals>
    <string-array name="f"><item>F {0}</item></string-array>
    <item type="string" name="g" translatable="false">G</item></resources>"""
    bt = read("android", text.format("en"), text.format("de"))
    assert bt.pairs() == [(["A en"], ["A de"]), (["F en"], ["F de"])]
    assert kinds(bt) == {"strings that are not to be translated, left out": 4}


def test_blanks_that_do_not_break_are_no_white_space_of_android():
    text = '<resources><string name="a">\n  {0}\u00a0:\t{0}\u202f!\n</string></resources>'
    bt = read("android", text.format("Go"), text.format("\u00a0Va"))
    assert bt.pairs() == [(["Go\u00a0: Go\u202f!"], ["\u00a0Va\u00a0: \u00a0Va\u202f!"])]


@pytest.mark.parametrize(
    ("folder", "lang"),
    [
        ("values-b+sr+Latn", "sr-Latn"), ("values-es-r419", "es-419"), ("values-night", ""),
        ("values-mcc310-de-rAT-night", "de-AT"), ("values-fr-v21", "fr"), ("values-sw600dp", ""),
    ],
)  # fmt: skip
def test_folders_of_android_may_have_further_qualifiers(tmp_path, folder, lang):
    (tmp_path / folder).mkdir()
    file = tmp_path / folder / "strings.xml"
    file.write_text('<resources><string name="a">A</string></resources>')
    assert bitext.read(f"{file},{file}").src.lang == lang


def test_the_languages_are_those_of_the_folders(tmp_path):
    for folder, content in (("values", ANDROID), ("values-pt-rBR", GERMAN)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "strings.xml").write_text(content)
    bt = bitext.read(f"{tmp_path}/values/strings.xml,{tmp_path}/values-pt-rBR/strings.xml")
    assert (bt.meta["format"], bt.src.lang, bt.tgt.lang) == ("android", "", "pt-BR")
    with pytest.raises(InputError, match="one language a file; name both, as source,target"):
        bitext.read(tmp_path / "values" / "strings.xml")


def test_resx_leaves_out_what_is_no_string():
    bt = read("resx", RESX, RESX.replace("Hello &amp; you", "Hallo"))
    assert bt.pairs() == [(["Hello & you"], ["Hallo"])]
    assert bt.alignment.attributes == {"id": ["Hi"], "note": ["greet"]}
    assert kinds(bt)["values that are no strings, left out"] == 2


def test_strings_of_resx_may_name_their_type():
    data = '<data name="A" type="System.String%s"><value>%s</value></data>'
    for assembly in ("", ", mscorlib, Version=4.0.0.0"):
        text = "<root>" + data + "</root>"
        bt = read("resx", text % (assembly, "Hello"), text % (assembly, "Hallo"))
        assert bt.pairs() == [(["Hello"], ["Hallo"])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_property_lists_of_strings_are_recognised(tmp_path, encoding):
    text = DICT.split("<dict>", 1)[0] + "<dict><!-- a --><key>a</key><string>%s</string></dict>"
    for lang, value in {"en": "Save &amp; go", "de": "Sichern"}.items():
        (tmp_path / f"{lang}.lproj").mkdir()
        content = f"{text % value}</plist>".replace("UTF-8", encoding)
        (tmp_path / f"{lang}.lproj" / "A.strings").write_text(content, encoding=encoding)
    bt = bitext.read(f"{tmp_path}/en.lproj/A.strings,{tmp_path}/de.lproj/A.strings")
    assert (bt.meta["format"], bt.pairs()) == ("apple", [(["Save & go"], ["Sichern"])])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_strings_of_apple(encoding):
    bt = read("apple", APPLE.encode(encoding), '"title" = "Nächste";'.encode(encoding))
    assert bt.pairs() == [(['Next "ferry"'], ["Nächste"]), (["a\nb"], []), (["é"], [])]
    assert bt.alignment.attributes["note"] == ["Title", None, None]
    assert by_name("apple").sniff(APPLE.encode(encoding))


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("apple", '"a" = "A";\nfault\n"b" = "open;\n"c" = "C";\n/* "d" = "D";', [2, 3, 5]),
        ("properties", "a=A\nb=\\u00g\nc=\\\n C", [2]),
    ],
)
def test_a_line_that_cannot_be_read_costs_no_other(name, content, lines):
    second = 'a = "x"; c = "y";' if name == "apple" else "a=x\nc=y"
    bad = []
    (bt,) = read_all(name, content, second, bad=bad)
    assert bt.pairs() == [(["A"], ["x"]), (["C"], ["y"])]
    assert [error.line for error in bad] == lines


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("strings.xml", '<string name="{0}">{0}</string>\n'),
        ("a.resx", '<data name="{0}"><value>{0}</value></data>\n'),
    ],
)
def test_an_element_that_cannot_be_read_costs_no_other(tmp_path, name, unit):
    root = "resources" if name == "strings.xml" else "root"
    paths = []
    for side, keys in (("en", ("a", "b &", "c")), ("fr", ("a", "c", "d <"))):
        (tmp_path / side).mkdir()
        content = "".join(map(unit.format, keys))
        (tmp_path / side / name).write_text(f"<{root}>\n{content}</{root}>")
        paths.append(str(tmp_path / side / name))
    bad = []
    with opened(",".join(paths), on_bad=bad.append) as reading:
        (bt,) = reading
    assert bt.pairs() == [(["a"], ["a"]), (["c"], ["c"])]
    assert [error.line for error in bad] == [3, 4]


def test_plural_forms_of_apple():
    more = DICT.replace("<key>other", "<key>few</key><string>FEW</string><key>other")
    bt = read("apple", DICT, more)
    assert [tgt for _, tgt in bt.pairs()] == [["%d boat"], ["%d boats"], ["FEW"]]
    assert bt.alignment.attributes["plural"] == ["one", "other", "few"]


def test_text_beside_the_variables_of_plural_forms_is_a_string():
    bt = read("apple", *(DICT.replace("%#@n@", f"{text} %1$#@n@") for text in ("See", "Sieh")))
    assert bt.pairs()[0] == (["See %1$#@n@"], ["Sieh %1$#@n@"])
    assert bt.alignment.attributes["id"] == ["boats", "boats.n", "boats.n"]
    assert bt.alignment.attributes["plural"] == [None, "one", "other"]
    assert len(read("apple", *[DICT.replace("%#@n@", "%1$#@n@: %2$#@m@")] * 2).pairs()) == 2


def test_test_sets_are_paired_by_document_and_segment():
    found = read_all("wmt-sgm", SRC, REF)
    assert [bt.name for bt in found] == ["d1", "d2"]
    assert found[0].pairs() == [(["A & B"], ["A und B"]), (["Two lines"], ["Zwei"])]
    assert (found[0].src.lang, found[0].tgt.lang) == ("en", "de")
    notes = {note.kind: note.first for note in found[0].notes}
    taken = notes["references of a test set beside the first, left out"]
    assert taken == "second: 'one' taken, not 'two'"


def test_test_sets_may_stand_in_an_element_mteval_and_name_their_languages():
    around = '<?xml version="1.0"?>\n<mteval>\n{}</mteval>'
    src, ref = (
        text.replace('"en"', '"english"').replace('"de"', '"German"') for text in (SRC, REF)
    )
    bt = read_all("wmt-sgm", around.format(src), around.format(ref))[0]
    assert bt.pairs()[0] == (["A & B"], ["A und B"])
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")
    assert by_name("wmt-sgm").sniff(around.format(src).encode()) > 90


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("apple", '"a" = "b"\n"c" = "d";', 'line 1: has .* want "name" = "text";'),
        ("apple", b"bplist00", "is a binary property list: convert it"),
        ("wmt-sgm", "<srcset></srcset>", "has no segment"),
        ("android", "<resources><string", "line 1"),
    ],
)
def test_faulty_files_are_refused(name, content, told):
    with pytest.raises(FormatError, match=told):
        read(name, content, content)


_MANY_COMMENTS = b"<plist><dict>" + b"<!-- a -->" * 3_000 + b"<array/>", b"/* a */\n" * 3_000 + b"a"


@pytest.mark.parametrize(
    "head", [b'"' + b" " * 60_000, b" " * 60_000 + b"x", b"/*" * 30_000, *_MANY_COMMENTS]
)
def test_the_first_bytes_are_examined_at_once(head):
    assert not by_name("apple").sniff(head)


def test_peers_read_the_same():
    """The strings are those of translate-toolkit, but for how it spells inline elements."""
    units = {
        unit.getid(): unit.target
        for unit in aresource.AndroidResourceFile.parsestring(GERMAN.encode()).units
    }
    bt = read("android", GERMAN, GERMAN)
    ours = dict(zip(bt.alignment.attributes["id"], bt.pairs(), strict=True))
    assert {name: ours[name][1][0] for name in ("q", "hi", "extra")} == {
        name: str(units[name]) for name in ("q", "hi", "extra")
    }
    theirs = [unit.target for unit in resx.RESXFile.parsestring(RESX.encode()).units]
    assert "Hello & you" in theirs
    strings = properties.stringsutf8file()
    strings.parse(b'"title" = "Next \\"ferry\\"";\n"e" = "a\\nb";\n')
    bt = read("apple", '"title" = "Next \\"ferry\\"";\n"e" = "a\\nb";\n', '"title" = "x";')
    assert [unit.source for unit in strings.units] == [src[0] for src, _ in bt.pairs()]
