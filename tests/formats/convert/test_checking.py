"""Checking: an error is of the file that it is in. Mending: what is told is what was done."""

import pytest

from bitext import read
from bitext.errors import InputError, OptionError
from bitext.formats.convert.checking import check, mend
from bitext.formats.reading import FileOptions
from bitext.formats.registry import PART


@pytest.fixture
def write(tmp_path):
    def make(name, content):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return str(tmp_path / name)

    return make


def kinds(notes):
    return [note.kind for note in notes]


def tmx(*units, header=""):
    return (
        f'<tmx version="1.4"><header srclang="en">{header}</header><body>{"".join(units)}'
        "</body></tmx>"
    )


UNIT = '<tu>{}<tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="fr"><seg>b</seg>{}</tuv>{}</tu>'


def test_what_is_left_out_is_not_told_as_mended(write, tmp_path):
    path = write("a.tmx", tmx(UNIT.format("<new/>", "", ""), UNIT.format("", "", "")))
    found = mend(path, str(tmp_path / "o.tmx"), reading=FileOptions())
    assert kinds(found.left_out) == ["elements that are not read, left out"]
    assert kinds(found.put_right) == []


def test_elements_beside_units_are_told(write, tmp_path):
    path = write("a.tmx", tmx(*(f"<new/>{UNIT.format('', '', '')}<tv/>" for _ in range(500))))
    found = mend(path, str(tmp_path / "o.tmx"), reading=FileOptions())
    assert [(note.count, note.first) for note in found.left_out] == [(1000, f"{path} line 1: new")]


def test_what_comes_behind_the_last_part_is_told(write, tmp_path):
    entries = "".join(f'msgid "{k}"\nmsgstr "b"\n\n' for k in range(PART))
    obsolete = '\n#~ msgid "c"\n#~ msgstr "d"\n'
    path = write("a.po", entries + obsolete * 2)
    found = mend(path, str(tmp_path / "o.po"), reading=FileOptions())
    assert kinds(found.left_out) == ["obsolete entries (#~), left out"]
    assert found.left_out[0].count == 2


def test_fuzzy_entries_are_not_mended(write, tmp_path):
    content = 'msgid "a"\nmsgstr "b"\n\n#, fuzzy\nmsgid "c"\nmsgstr "d"\n'
    found = mend(write("a.po", content), str(tmp_path / "o.po"), reading=FileOptions())
    assert (found.put_right, found.left_out) == ((), ())
    assert '#, fuzzy\nmsgid "c"\nmsgstr "d"\n' in (tmp_path / "o.po").read_text()


def test_what_the_format_cannot_hold_is_kept_in_props_or_refused(write, tmp_path):
    path = write("a.tmx", tmx(UNIT.format("", "<seg>c</seg>", "")))
    mend(path, str(tmp_path / "o.tmx"), reading=FileOptions())
    assert read(str(tmp_path / "o.tmx")).pairs() == [(["a"], ["b", "c"])]

    same = write("a.po", '# n\nmsgid "a"\nmsgid_plural "as"\nmsgstr[0] "b"\nmsgstr[1] ""\n')
    mend(same, str(tmp_path / "o.po"), reading=FileOptions())

    lost = write("b.pharaoh", "0-0 1-1\t-3.2\n0-0\t-1\n")
    with pytest.raises(InputError, match="not written, as pharaoh that is written anew would lose"):
        mend(lost, str(tmp_path / "p.pharaoh"), reading=FileOptions())
    assert not (tmp_path / "p.pharaoh").exists()

    forms = "".join(f'msgstr[{k}] "b{k}"\n' for k in range(11))  # more than any language has
    many = write("b.po", f'#, fuzzy\nmsgid "a"\nmsgid_plural "as"\n{forms}')
    mend(many, str(tmp_path / "p.po"), reading=FileOptions())
    assert f'#, fuzzy\nmsgid "a"\nmsgid_plural "as"\n{forms}' in (tmp_path / "p.po").read_text()


def test_a_name_that_tells_another_format_is_refused(write, tmp_path):
    path = write("a.po", 'msgid "a"\nmsgstr "b"\n')
    message = "its name says tmx, and the file is written in the format it has, po"
    with pytest.raises(OptionError, match=message):
        mend(path, str(tmp_path / "o.tmx.gz"), reading=FileOptions())
    mend(path, str(tmp_path / "o.pot"), reading=FileOptions())
    mend(path, str(tmp_path / "without"), reading=FileOptions())
    two = write(
        "a.xlf",
        '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" '
        'trgLang="fr"><file id="f"><unit id="u"><segment><source>a</source><target>b</target>'
        "</segment></unit></file></xliff>",
    )
    mend(two, str(tmp_path / "o.xlf"), reading=FileOptions())  # an ending of two formats


@pytest.mark.parametrize(
    ("english", "line", "message"),
    [
        ('<s id="s1">a</s>\n<s id="s1">b</s>', 2, "has a second sentence with the id 's1'"),
        ('\n\n<s id="s1">a</s><s>b</s>', 3, "id"),
        ('<s id="s1">A b.</s>\n<q>b', 2, "XML"),
    ],
)
def test_an_error_in_a_document_is_of_the_document(write, english, line, message):
    document = write("en.xml", f"<text><p>{english}</p></text>")
    write("fr.xml", '<text><p><s id="s1">a</s></p></text>')
    group = '<linkGrp targType="s" fromDoc="en.xml" toDoc="fr.xml">'
    path = write("a.xml", f'<cesAlign>{group}<link xtargets="s1;s1"/></linkGrp></cesAlign>')
    ((finding, _),) = check(path, reading=FileOptions()).each()
    assert (finding.path, finding.severity) == (document, "error")
    assert message in finding.case
    assert line is None or finding.line == line


def test_an_error_in_one_of_two_files_is_of_that_one(write, tmp_path):
    pair = f"{write('a.en', 'a')},{write('a.fr', 'a')}"
    (tmp_path / "a.fr").write_bytes(b"\xff")
    ((finding, _),) = check(pair, reading=FileOptions()).each()
    assert (finding.path, finding.line) == (f"{tmp_path}/a.fr", 1)


def test_what_each_file_of_studio_has_is_only_remarked(write):
    segment = '<mrk mtype="seg" mid="1">{}</mrk>'
    deleted = '<mrk mtype="x-sdl-deleted" sdl:revid="r">b</mrk>c'
    path = write(
        "a.sdlxliff",
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:sdl="'
        'http://sdl.com/FileTypes/SdlXliff/1.0"><file original="a" source-language="en" '
        'target-language="fr" datatype="plaintext"><body>'
        '<trans-unit id="u0" translate="no"><source><x id="0"/></source></trans-unit>'
        f'<trans-unit id="u1"><source>a</source><seg-source>{segment.format("a")}</seg-source>'
        f'<target>{segment.format(deleted)}</target><sdl:seg-defs><sdl:seg id="1" '
        'conf="Translated"/></sdl:seg-defs></trans-unit></body></file></xliff>',
    )
    found = check(path, reading=FileOptions())
    assert {(finding.severity, finding.kind) for finding, _ in found.all()} == {
        ("remark", "units of codes only that are not to be translated, left out"),
        ("remark", "deletions that are tracked, left out"),
        ("remark", "attributes of codes and marks, left out"),
    }
