"""Strings of programs by keys: JSON, YAML and Java properties, one language a file."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from translate.storage import jsonl10n, properties, yaml

import bitext
from bitext.errors import FormatError, InputError
from formats.samples import kinds, read

ENGLISH = """{"menu": {"open": "Open", "levels": 3, "save": "Save {file}"},
 "boats_one": "{{count}} boat", "boats_other": "{{count}} boats", "days": ["Mon", "Tue"],
 "icu": "{n, plural, one {# day} other {# days}}", "x": null, "a.b": "dotted"}
"""
POLISH = """{"a": {"b": "kropka"}, "menu": {"open": "Otwórz", "levels": 3, "save": ""},
 "boats_one": "1 łódź", "boats_few": "{{count}} łodzie", "boats_other": "{{count}} łodzi",
 "days": ["Pn", "Wt", "Śr"], "y": true}
"""
RAILS = """en:
  greet: &g "Hello, %{name}"
  again: *g
  yes: Yes
  long: |
    First line
    second: line

  order:
  - :year
  - :month
  n: 3
  boats:
    one: a boat
    other: "%{count} boats"
  empty:
"""
GERMAN = RAILS.replace("en:", "de:").replace("Hello", "Hallo").replace("Yes", "Ja")
BUNDLE = r"""# Licence

# greets
! a user
greet = Hello, {0}!
multi=one \
   two
 key\ with\:colon : va\u006Cue\ttab
empty
uni=caf\u00e9 \uD83D\uDE00
path=C\:\\new
"""


def _files(folder, **contents):
    for name, content in contents.items():
        path = folder / name.replace("__", ".").replace("_in_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")


def test_json_by_keys_with_arrays_plural_forms_and_missing_texts(tmp_path):
    _files(tmp_path, en__json=ENGLISH, pl__json=POLISH)
    bt = bitext.read(f"{tmp_path}/en.json,{tmp_path}/pl.json")
    assert (bt.meta["format"], bt.src.lang, bt.tgt.lang) == ("json-strings", "en", "pl")
    assert list(zip(bt.alignment.attributes["id"], bt.pairs(), strict=True)) == [
        ("menu.open", (["Open"], ["Otwórz"])),
        ("menu.save", (["Save {file}"], [])),
        ("boats", (["{{count}} boat"], ["1 łódź"])),
        ("boats", (["{{count}} boats"], ["{{count}} łodzi"])),
        ("boats", (["{{count}} boats"], ["{{count}} łodzie"])),
        ("days[0]", (["Mon"], ["Pn"])),
        ("days[1]", (["Tue"], ["Wt"])),
        ("icu", (["{n, plural, one {# day} other {# days}}"], [])),
        ("a.b", (["dotted"], ["kropka"])),
        ("days[2]", ([], ["Śr"])),
    ]
    assert kinds(bt) == {
        "values that are no strings, left out": 3,
        "strings without text on either side, left out": 1,
        "plural forms that the source lacks, paired with its form 'other'": 1,
        "strings that the target file lacks": 2,
        "strings that the source file lacks": 1,
    }


def test_forms_that_the_target_lacks_are_paired_with_other():
    bt = read("json-strings", '{"n_one": "1 day", "n_other": "# days"}', '{"n_other": "日"}')
    assert bt.pairs() == [(["1 day"], ["日"]), (["# days"], ["日"])]
    assert kinds(bt) == {"plural forms that the target lacks, paired with its form 'other'": 1}


def test_an_ending_of_a_plural_form_alone_is_a_name():
    bt = read("json-strings", '{"part_two": "Part 2", "x": "X"}', '{"part_two": "Teil 2"}')
    assert bt.alignment.attributes == {"id": ["part_two", "x"]}


def test_arb_has_its_language_and_descriptions():
    arb = '{"@@locale": "%s", "hi": "%s", "@hi": {"description": "greets", "placeholders": {}}}'
    bt = read("json-strings", arb % ("en", "Hi"), arb % ("pt_BR", "Oi"))
    assert (bt.pairs(), bt.src.lang, bt.tgt.lang) == ([(["Hi"], ["Oi"])], "en", "pt-BR")
    assert bt.alignment.attributes == {"id": ["hi"], "note": ["greets"]}


def test_messages_of_browser_extensions(tmp_path):
    _files(
        tmp_path,
        en_in_messages__json='{"app": {"message": "Ferry", "description": "its name"}}',
        pt_BR_in_messages__json='{"app": {"message": "Balsa"}}',
    )
    bt = bitext.read(f"{tmp_path}/{{en,pt_BR}}/messages.json")
    assert (bt.pairs(), bt.src.lang, bt.tgt.lang) == ([(["Ferry"], ["Balsa"])], "en", "pt-BR")
    assert bt.alignment.attributes == {"id": ["app"], "note": ["its name"]}


def test_members_named_message_are_strings_elsewhere():
    content = '{"error": {"message": "Failed", "description": "Try again"}}'
    bt = read("json-strings", content, content)
    assert bt.alignment.attributes == {"id": ["error.message", "error.description"]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # FormatJS, as extracted and as compiled
        (
            '{"a": {"defaultMessage": "Save", "description": "A button"}}',
            '{"a": {"defaultMessage": "Sichern", "description": "A button"}}',
        ),
        ('{"a": {"defaultMessage": "Save", "description": "A button"}}', '{"a": "Sichern"}'),
        # structured JSON of Transifex
        (
            '{"a": {"string": "Save", "developer_comment": "A button", "character_limit": 9}}',
            '{"a": {"string": "Sichern", "developer_comment": "A button"}}',
        ),
        # Lokalise and Lingui
        (
            '{"a": {"translation": "Save", "notes": "A button", "context": "", "limit": ""}}',
            '{"a": {"translation": "Sichern", "message": "Save", "origin": [["a.js", 3]]}}',
        ),
        # Docusaurus
        (
            '{"a": {"message": "Save", "description": "A button"}}',
            '{"a": {"message": "Sichern", "description": "A button"}}',
        ),
    ],
)
def test_descriptions_of_strings_are_notes(one, other):
    bt = read("json-strings", one, other)
    assert bt.pairs() == [(["Save"], ["Sichern"])]
    assert bt.alignment.attributes == {"id": ["a"], "note": ["A button"]}
    told = "descriptions that are the same in both files, read as notes of their messages"
    assert (told in kinds(bt)) == ("message" in one)


def test_translated_descriptions_beside_messages_are_strings():
    content = '{"a": {"message": "%s", "description": "%s"}}'
    bt = read("json-strings", content % ("Failed", "Again"), content % ("Fehler", "Noch einmal"))
    assert bt.pairs() == [(["Failed"], ["Fehler"]), (["Again"], ["Noch einmal"])]


@pytest.mark.parametrize("member", ["string", "translation"])
def test_members_beside_a_text_that_differ_are_strings(member):
    named = "developer_comment" if member == "string" else "notes"
    one, other = {"a": {member: "Rope", named: "Note"}}, {"a": {member: "Seil", named: "Notiz"}}
    bt = read("json-strings", json.dumps(one), json.dumps(other))
    assert bt.pairs() == [(["Rope"], ["Seil"]), (["Note"], ["Notiz"])]


def test_objects_in_one_file_alone_are_strings_of_their_members():
    one = '{"a": {"string": "Save"}, "b": {"string": "Go"}}'
    bt = read("json-strings", one, '{"a": {"string": "Sichern"}, "b": {"string": "Los"}, "c": "x"}')
    assert bt.alignment.attributes["id"] == ["a.string", "b.string", "c"]


def test_the_frame_of_angular_and_the_schema_of_a_file_are_no_strings():
    content = '{"locale": "%s", "translations": {"12": "%s", "locale": "x"}}'
    bt = read("json-strings", content % ("en-US", "Save"), content % ("de", "Sichern"))
    assert (bt.src.lang, bt.tgt.lang) == ("en-US", "de")
    assert bt.pairs() == [(["Save"], ["Sichern"]), (["x"], ["x"])]
    content = '{"$schema": "https://example.org/a", "a": "%s", "translations": "%s"}'
    bt = read("json-strings", content % ("Save", "Texts"), content % ("Sichern", "Texte"))
    assert bt.pairs() == [(["Save"], ["Sichern"]), (["Texts"], ["Texte"])]
    assert kinds(bt) == {"values that are no strings, left out": 2}


def test_yaml_of_rails(tmp_path):
    _files(tmp_path, en__yml=RAILS, de__yml=GERMAN)
    bt = bitext.read(f"{tmp_path}/en.yml,{tmp_path}/de.yml")
    assert (bt.meta["format"], bt.src.lang, bt.tgt.lang) == ("yaml-strings", "en", "de")
    assert list(zip(bt.alignment.attributes["id"], bt.pairs(), strict=True)) == [
        ("greet", (["Hello, %{name}"], ["Hallo, %{name}"])),
        ("again", (["Hello, %{name}"], ["Hallo, %{name}"])),
        ("yes", (["Yes"], ["Ja"])),
        ("long", (["First line\nsecond: line"], ["First line\nsecond: line"])),
        ("boats", (["a boat"], ["a boat"])),
        ("boats", (["%{count} boats"], ["%{count} boats"])),
    ]
    assert read("yaml-strings", RAILS, GERMAN, lines=True).lines.tolist() == [2, 3, 4, 5, 14, 15]
    assert kinds(bt)["values that are no strings, left out"] == 6


def test_yaml_merges_mappings_and_own_members_win():
    base = "base: &b {a: A, b: B}\nmore: {<<: [*b, {a: D}], b: C}\nquoted: {'<<': x}\n"
    bt = read("yaml-strings", base, base)
    assert bt.alignment.attributes["id"] == ["base.a", "base.b", "more.b", "more.a", "quoted.<<"]
    assert [src for src, _ in bt.pairs()] == [["A"], ["B"], ["C"], ["A"], ["x"]]


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + k)}: &{chr(98 + k)} [{', '.join([f'*{chr(97 + k)}'] * 9)}]\n" for k in range(9)
)
MERGES = "a0: &a0 {x: y}\n" + "".join(
    f"a{k}: &a{k} {{<<: [{', '.join([f'*a{k - 1}'] * 2000)}], k{k}: z}}\n" for k in range(1, 60)
)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (BOMB, "unfold to much more text than the file has"),
        (MERGES, "line .*: merges .* beyond all limits"),
        ("a: " + "[" * 200_000, "line 1: is nested deeper than 200 levels"),
        ("{a: " * 100_000, "line 1: is nested deeper than 200 levels"),
        ("a: &a\n  b: *a\n", "line 2: has the alias 'a' within itself"),
        ("a: *b\n", "line 1: .*undefined alias|line 1: has the alias 'b', but no anchor"),
        ("a: x\n---\na: y\n", "line 2: has a second document"),
        ("a: 'x\n", "line 2: is not YAML"),
        ("- a\n", "has no mapping of keys"),
        ("a: x\nb: \x07\n", "line 2: has the control character"),
        ("", "has no mapping of keys"),
        ("? [a]\n: x\n", "line 1: has a key that is no text"),
        ("a: {<<: 3}\n", "merges .* what is no mapping"),
        ("a: 3\n", "has no string by a key"),
        ("other: x\n", "has no string by a name of second"),
    ],
)
def test_faulty_yaml_is_refused(content, told):
    with pytest.raises(FormatError, match=told):
        read("yaml-strings", content, GERMAN)


def test_no_tag_of_yaml_makes_an_object():
    content = "a: !!python/object/apply:os.getcwd []\nb: !ruby/sym x\nc: !!str 5\n"
    bt = read("yaml-strings", content, content)
    assert bt.pairs() == [(["5"], ["5"])]
    assert kinds(bt) == {"values that are no strings, left out": 4}


def test_properties_with_escapes_and_comments(tmp_path):
    _files(tmp_path, m__properties=BUNDLE, m_de__properties=BUNDLE.replace("Hello", "Hallo"))
    bt = bitext.read(f"{tmp_path}/m.properties,{tmp_path}/m_de.properties")
    assert (bt.meta["format"], bt.src.lang, bt.tgt.lang) == ("properties", "", "de")
    assert [src for src, _ in bt.pairs()] == [
        ["Hello, {0}!"],
        ["one two"],
        ["value\ttab"],
        ["café 😀"],
        ["C:\\new"],
    ]
    attributes = bt.alignment.attributes
    assert attributes["id"] == ["greet", "multi", "key with:colon", "uni", "path"]
    assert attributes["note"][:2] == ["greets a user", None]
    numbered = read("properties", BUNDLE, BUNDLE, lines=True)
    assert numbered.lines.tolist() == [5, 6, 8, 10, 11]


def test_properties_in_latin_1_are_asked_for(tmp_path):
    for lang in ("en", "fr"):
        (tmp_path / f"m_{lang}.properties").write_bytes(b"a=caf\xe9\r\nb=\\\r\n  x")
    path = f"{tmp_path}/m_en.properties,{tmp_path}/m_fr.properties"
    with pytest.raises(FormatError, match=r"line 1: .*latin-1"):
        bitext.read(path)
    assert bitext.read(path, encoding="latin-1").pairs()[0] == (["café"], ["café"])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("properties", "a=b\nb=\\u00g1\n", r"line 2: has the escape '\\\\u00g1'"),
        ("properties", "# nothing\n", "has no string by a key"),
        ("json-strings", "[1]", "is no object of strings by keys"),
        ("json-strings", '{"a": "x",\n "b" 1}', "line 2: is not JSON"),
        ("json-strings", '{"a": "x", "a": "y"}', "has the key 'a' twice"),
        ("json-strings", '{"a": "\\ud800"}', "has half of a surrogate pair"),
        ("json-strings", '{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_faulty_files_are_refused(name, content, told):
    with pytest.raises(FormatError, match=told):
        read(name, content, content)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (
            "en.json",
            "fr.yml",
            r"fr\.yml: is YAML by its name, and \S*en\.json is JSON: give two files",
        ),
        ("en.json", "m.properties", r"m\.properties: is Java properties by its name"),
        ("m.properties", "en.json", r"en\.json: is JSON by its name"),
        ("fr.yml", "m.properties", r"m\.properties: is Java properties by its name"),
        ("en.json", "strings.xml", r"strings\.xml: is XML by its name"),
        ("a.strings", "fr.yml", r"fr\.yml: is YAML by its name"),
    ],
)
def test_files_of_two_formats_are_told_to_be_so(tmp_path, one, other, told):
    contents = {
        "json": '{"a": "x"}',
        "yml": "a: x",
        "properties": "a=x",
        "xml": '<resources><string name="a">x</string></resources>',
        "strings": '"a" = "x";',
    }
    for name in (one, other):
        (tmp_path / name).write_text(contents[name.split(".")[1]], encoding="utf-8")
    with pytest.raises(FormatError, match=told):
        bitext.read(f"{tmp_path}/{one},{tmp_path}/{other}")


def test_one_file_for_both_sides_is_noted(tmp_path):
    (tmp_path / "en.json").write_text('{"a": "one"}', encoding="utf-8")
    bt = bitext.read(f"{tmp_path}/en.json,{tmp_path}/en.json")
    assert kinds(bt) == {"the same file given for both sides": 1}


def test_json_beside_yaml_is_read_as_yaml(tmp_path):
    (tmp_path / "fr.yml").write_text("a: un\n", encoding="utf-8")
    (tmp_path / "en.json").write_text('{"a": "one"}', encoding="utf-8")
    assert bitext.read(f"{tmp_path}/fr.yml,{tmp_path}/en.json").pairs() == [(["un"], ["one"])]


@pytest.mark.parametrize("name", ["en.yml", "m.properties", "app_en.arb"])
def test_one_file_alone_is_told_to_be_one_of_two(tmp_path, name):
    (tmp_path / name).write_text("a: x\n", encoding="utf-8")
    with pytest.raises(FormatError, match="name it with that of the other language"):
        bitext.read(tmp_path / name)
    with pytest.raises(InputError, match="has one language a file; name both"):
        bitext.read(tmp_path / name, format="properties")


@pytest.mark.parametrize(
    ("one", "other", "langs"),
    [
        ("en.json", "pt-BR.json", ("en", "pt-BR")),
        ("app_en_GB.json", "app_zh_Hant_TW.json", ("en-GB", "zh-Hant-TW")),
        ("en.json", "en-GB.json", ("en", "en-GB")),
        ("x.en.json", "x.de.json", ("en", "de")),
        ("en/web.json", "de/web.json", ("en", "de")),
        ("en/LC_MESSAGES/web.json", "pt_BR/LC_MESSAGES/web.json", ("en", "pt-BR")),
        ("app.json", "app_de.json", ("", "de")),
        ("app_de.json", "app.json", ("de", "")),
        ("one.json", "two.json", ("", "")),
    ],
)
def test_the_languages_are_those_of_the_names(tmp_path, one, other, langs):
    for name in (one, other):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text('{"a": "x"}', encoding="utf-8")
    bt = bitext.read(f"{tmp_path / one},{tmp_path / other}")
    assert (bt.src.lang, bt.tgt.lang) == langs


def test_a_key_that_looks_like_a_language_is_a_key():
    content = '{"it": {"a": "x", "b": "y"}}'
    bt = read("json-strings", content, content)
    assert bt.alignment.attributes["id"] == ["it.a", "it.b"]
    bt = read("json-strings", content, content.replace("it", "de"))
    assert (bt.alignment.attributes["id"], bt.tgt.lang) == (["a", "b"], "de")


def test_peers_read_the_same():
    """The strings are those of translate-toolkit, but for what it takes for a text."""
    bundle = properties.javautf8file()
    bundle.parse(BUNDLE.encode())
    theirs = {unit.name: str(unit.source) for unit in bundle.units if unit.name}
    bt = read("properties", BUNDLE, BUNDLE)
    ours = dict(zip(bt.alignment.attributes["id"], (src[0] for src, _ in bt.pairs()), strict=True))
    for name in ("greet", "multi", "path"):
        assert ours[name] == theirs[name]
    rails = yaml.RubyYAMLFile()
    rails.parse(RAILS.encode())
    theirs = {re.sub(" / ", ".", unit.getid()): str(unit.source) for unit in rails.units}
    bt = read("yaml-strings", RAILS, GERMAN)
    ours = dict(zip(bt.alignment.attributes["id"], (src[0] for src, _ in bt.pairs()), strict=True))
    for name in ("greet", "again"):
        assert ours[name] in theirs.values()
    nested = jsonl10n.JsonNestedFile()
    nested.parse(ENGLISH.encode())
    texts = {str(unit.source) for unit in nested.units}
    bt = read("json-strings", ENGLISH, POLISH)
    assert {src[0] for src, _ in bt.pairs() if src} <= texts


_LEAF = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cn", "Zl", "Zp"]), min_size=1, max_size=8
)
_NAME = st.text("abc[]_- ", min_size=1, max_size=4)
_TREES = st.dictionaries(
    _NAME,
    st.recursive(
        _LEAF,
        lambda each: st.lists(each, max_size=3) | st.dictionaries(_NAME, each, max_size=3),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)


def _leaves(value):
    if isinstance(value, str):
        return [value]
    each = value.values() if isinstance(value, dict) else value
    return [leaf for one in each for leaf in _leaves(one)]


@given(_TREES)
def test_json_is_yaml_and_every_text_is_read(tree):
    """JSON is YAML, but for characters that YAML forbids."""
    tree["z"] = "end"
    content = json.dumps(tree, ensure_ascii=False)
    one = read("json-strings", content, content)
    assert one.pairs() == read("yaml-strings", content, content).pairs()
    if not kinds(one):
        assert [src[0] for src, _ in one.pairs()] == _leaves(tree)
