"""`bitext check`, from the command line."""

import io
import json
import os
import threading

import pytest

from bitext import Alignment, Bitext, Text
from bitext import write as write_file

DOC = "<text>{}</text>"
LINKS = """<?xml version="1.0" encoding="utf-8"?>
<cesAlign version="1.0">
<linkGrp targType="s" fromDoc="en/a.xml" toDoc="fr/a.xml">
{}
</linkGrp>
</cesAlign>
"""


def rows(found):
    return [
        (row["severity"], row["line"], row["count"], row["kind"])
        for row in json.loads(found.out)["rows"]
    ]


@pytest.fixture
def corpus(write):
    def make(*links):
        for folder, size in (("en", 4), ("fr", 3)):
            sentences = "".join(f'<s id="s{k}">{folder} {k}.</s>' for k in range(1, size + 1))
            write(f"{folder}/a.xml", DOC.format(sentences))
        return write("a.xml", LINKS.format("\n".join(links)))

    return make


def test_a_sound_file(bitext, corpus):
    path = corpus(
        '<link xtargets="s1 s2;s1"/>', '<link xtargets="s3;s2"/>', '<link xtargets="s4;s3"/>'
    )
    found = bitext("check", path, "--format", "table")
    assert (found.status, found.out, found.err) == (0, "nothing found\n", "")


def test_findings_have_their_lines(bitext, corpus):
    path = corpus(
        '<link xtargets="s1;s1"/>',
        '<link xtargets="s2;"/>',
        '<link xtargets="s1;s1"/>',
        '<link xtargets="s9;s3"/>',
        '<link certainty="1"/>',
        '<link xtargets="s4;s2"/>',
    )
    found = bitext("check", path, "--json", "--each")
    assert found.status == 1
    told = rows(found)
    assert ("error", 7, 1, "units or files that cannot be read") in told
    assert ("error", 8, 1, "units or files that cannot be read") in told
    assert ("warning", 6, 1, "bisegments that occur twice") in told
    assert ("remark", 5, 1, "0-1 and 1-0 bisegments") in told
    assert ("warning", None, 1, "source segments in no bisegment") in told
    assert [row[0] for row in told] == sorted(
        (row[0] for row in told), key=["error", "warning", "remark"].index
    )


def test_remarks_alone_are_no_failure_unless_asked(bitext, corpus):
    path = corpus(
        '<link xtargets="s1 s2 s3;s1 s2"/>', '<link xtargets="s4;"/>', '<link xtargets=";s3"/>'
    )
    assert bitext("check", path).status == 0
    assert bitext("check", path, "--fail-on", "remark").status == 1


def test_our_schema_finds_what_the_reader_takes(bitext, write):
    path = write(
        "a.al",
        '<alignmentlist><alignment score="high"><sourcelist><segment>a</segment></sourcelist>'
        "<targetlist><segment>b</segment></targetlist></alignment></alignmentlist>",
    )
    found = bitext("check", path, "--json")
    assert found.status == 1
    assert any("not valid by the schema" in row[3] for row in rows(found))


def test_places_beyond_the_most_that_are_reported_are_said_not_to_be_counted(bitext, write):
    faults = "<alignment><sourcelist/><targetlist/><x/></alignment>\n" * 1001
    path = write("a.al", f"<alignmentlist>\n{faults}</alignmentlist>")
    found = [row[2:] for row in rows(bitext("check", path, "--json")) if "by the schema" in row[3]]
    assert found == [
        (1000, "places that are not valid by the schema (only the first 1,000 are counted)")
    ]


def test_a_schema_that_is_given(bitext, corpus, write):
    path = corpus('<link xtargets="s1 s2 s3 s4;s1 s2 s3"/>')
    dtd = write(
        "own.dtd",
        "<!ELEMENT cesAlign (linkGrp*)><!ATTLIST cesAlign version CDATA #IMPLIED>"
        "<!ELEMENT linkGrp (link*)><!ATTLIST linkGrp targType CDATA #IMPLIED fromDoc CDATA "
        "#IMPLIED toDoc CDATA #IMPLIED><!ELEMENT link EMPTY><!ATTLIST link xtargets CDATA "
        "#REQUIRED id CDATA #REQUIRED>",
    )
    found = bitext("check", path, "--schema", dtd, "--json")
    assert found.status == 1
    assert [row[:3] for row in rows(found)] == [("error", 4, 1)]
    assert bitext("check", path, "--schema", write("x.txt", "")).status == 2
    assert bitext("check", path, "--schema", write("x.xsd", "<a/>")).status == 2


def test_texts_that_are_hardly_meant(bitext, write):
    lines = [f"word {k} and more of it\tmot {k} et plus de cela" for k in range(40)]
    lines[3] = "caf\u00c3\u00a9 there\tcafé là"
    lines[5] = "lost \ufffd sign\tsigne perdu"
    lines[7] = "the same\tthe same"
    lines[9] = lines[8]
    lines[11] = "short but then\t" + "bien trop long " * 30
    found = bitext("check", write("a.tsv", "\n".join(lines) + "\n"), "--json", "--each")
    told = {row[3]: row[1] for row in rows(found)}
    assert (
        told["bisegments with source segments with UTF-8 that was read as Latin-1 or Windows-1252"]
        == 4
    )
    assert told["bisegments with source segments with U+FFFD, the sign of lost characters"] == 6
    assert told["bisegments with the same text on both sides"] == 8
    assert told["bisegments that repeat the texts of an earlier one"] == 10
    assert told["bisegments whose lengths do not fit together"] == 12


def test_a_file_that_is_no_xml_to_its_end(bitext, write):
    found = bitext("check", write("a.xces", LINKS.format('<link xtargets="a;b"/>')[:-20]), "--json")
    assert found.status == 1
    assert ("error", "units or files that cannot be read") in {(r[0], r[3]) for r in rows(found)}


def test_a_fixed_file_is_checked(bitext, write, tmp_path):
    path = write(
        "old.sgm",
        '<!DOCTYPE CESALIGN SYSTEM "x">\n<CESALIGN><LINKGRP><LINK XTARGETS="a ;b ">'
        '<LINK XTARGETS=";"><LINK XTARGETS="c;d">\n<LINK XTARGETS="a;b"></LINKGRP></CESALIGN>',
    )
    out = tmp_path / "new.xml"
    found = bitext("check", path, "--fix", out, "--json")
    assert found.status == 0, found.out
    assert out.read_text().count("<link ") == 2
    assert "mended: bisegments that occur twice, written once: 1" in found.err
    assert "mended: alignments in SGML" in found.err


def test_what_cannot_be_read_is_left_out_of_the_mended_file_and_told(bitext, corpus, tmp_path):
    path = corpus('<link xtargets="s9;s1"/>\n<link xtargets="s1;s1"/>')
    found = bitext("check", path, "--fix", tmp_path / "o.xml", "--json")
    assert found.status == 1
    assert ("error", 4, 1, "units or files that cannot be read") in rows(found)
    assert (tmp_path / "o.xml").read_text(encoding="utf-8").count("<link ") == 1
    assert bitext("check", path, "--fix", path).status == 2


def test_a_unit_that_is_not_well_formed_is_left_out_of_the_mended_file(bitext, write, tmp_path):
    unit = (
        '<tu><tuv xml:lang="en"><seg>{}</seg></tuv>\n<tuv xml:lang="fr"><seg>{}</seg></tuv></tu>\n'
    )
    units = unit.format("Salt.", "Sel.") + unit.format("Salt & oil", "x") + unit.format("A", "B")
    path = write("a.tmx", f'<tmx version="1.4"><header srclang="en"/><body>\n{units}</body></tmx>')
    found = bitext("check", path, "--fix", tmp_path / "o.tmx", "--format", "tsv")
    assert found.status == 1
    assert "a.tmx\t4\t1\tunits or files that cannot be read\thas a tu that is not" in found.out
    mended = (tmp_path / "o.tmx").read_text(encoding="utf-8")
    assert [text in mended for text in ("Salt.", "oil", ">x<", ">B<")] == [True, False, False, True]
    assert f"left out: units that cannot be read, which {tmp_path / 'o.tmx'} lacks: 1" in found.err


def test_a_folder_tells_each_file(bitext, write, tmp_path):
    write("in/a.tsv", "One.\tUn.\n")
    write("in/b.jsonl", '{"src": ["a"], "tgt": ["b"]}\n{"src": 1}\n')
    found = bitext("check", tmp_path / "in", "--format", "tsv")
    assert found.status == 1
    assert "b.jsonl\t2\t1\tunits or files that cannot be read" in found.out


def test_a_folder_with_files_that_are_empty_or_damaged_is_not_sound(bitext, write, tmp_path):
    write("in/a.tsv", "One.\tUn.\n")
    write("in/b.tmx", "")
    write("in/c.tmx.gz", b"\x1f\x8b\x08\x00xxxx")
    write("in/README", "Read me.\n")
    found = bitext("check", tmp_path / "in", "--format", "tsv")
    assert found.status == 1
    assert "b.tmx: is empty" in found.out
    assert "c.tmx.gz: is damaged" in found.out
    told = f"note: 1 file of {tmp_path / 'in'} holds no alignment, ignored: README"
    assert found.lines() == [told]


def test_a_damaged_file_does_not_keep_others_from_being_checked(bitext, write):
    good, bad = write("a.tsv", "One.\tUn.\n"), write("b.tmx.gz", b"\x1f\x8b\x08\x00xxxx")
    odd = write("c.jsonl", '{"src": 1}\n')
    found = bitext("check", good, bad, odd, "--json")
    rows = json.loads(found.out)["rows"]
    assert (found.status, found.err) == (1, "")
    assert [row["path"] for row in rows] == [str(bad), str(odd)]
    assert rows[0]["kind"] == "files that cannot be checked"
    assert rows[0]["case"].startswith(f"{bad}: is damaged")


def test_texts_that_are_not_read_are_a_remark(bitext, write, coast):
    path = write("a.tsv", "One.\tUn.\n")
    found = bitext("check", path, "--src", "nothere", "--tgt", "alsonot")
    assert (found.status, len(found.out.splitlines())) == (0, 2)
    assert "texts named beside a file that holds its own, not read\ttsv (--src" in found.out
    sides = ["--src", coast / "text/market.en", "--tgt", coast / "text/market.fr"]
    assert "texts named" not in bitext("check", coast / "gold/market.align", *sides).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing"], "no such file"),
        (["a.tsv", "a.tsv", "--fix", "o"], "--fix writes one file"),
        (["a.tsv", "--ratio", "0"], "above 0"),
        (["a.tsv", "--ratio", "nan"], "above 0"),
        (["damaged.tmx.gz"], "is damaged"),
        (["a.tsv", "missing", "damaged.tmx.gz"], "no such file"),
        (["a.tsv", "--schema", "none.xsd"], "no such file"),
        (["-", "--schema", "none.xsd"], "--schema reads a file again"),
        (["a.tsv", "--fix", "-"], "--fix writes a file"),
        (["a.tsv", "--fix", "o.tmx"], "its name says tmx"),
    ],
)
def test_what_cannot_be_done(bitext, write, monkeypatch, tmp_path, arguments, message):
    write("a.tsv", "One.\tUn.\n")
    write("damaged.tmx.gz", b"\x1f\x8b\x08\x00xxxx")
    monkeypatch.chdir(tmp_path)
    found = bitext("check", *arguments)
    assert found.status == 2
    assert message in found.err


def test_what_is_mended_is_told_apart_from_what_is_left_out(bitext, write, tmp_path):
    content = (
        '#, fuzzy\nmsgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr "d"\n\n#~ msgid "e"\n#~ msgstr "f"\n'
    )
    found = bitext("check", write("a.po", content), "--fix", tmp_path / "o.po")
    assert "left out: obsolete entries (#~), left out: 1" in found.err
    assert "mended:" not in found.err


def test_what_is_found_again_is_not_mended(bitext, write, tmp_path):
    content = (
        '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>a</seg></tuv>'
        '</tu><tu><tuv xml:lang="en"><seg>b</seg></tuv><tuv lang="fr" xml:lang="fr-FR"><seg>c</seg>'
        "</tuv></tu></body></tmx>"
    )
    found = bitext("check", write("a.tmx", content), "--fix", tmp_path / "o.tmx")
    assert "mended: tuv with lang and a different xml:lang" in found.err
    assert "units with a text in one of the two languages only" not in found.err


def test_an_empty_folder(bitext, tmp_path):
    (tmp_path / "in").mkdir()
    found = bitext("check", tmp_path / "in")
    assert found.status == 2
    assert f"{tmp_path / 'in'}: is empty: name another folder" in found.err


def test_memory_is_in_the_help(bitext, capsys):
    with pytest.raises(SystemExit):
        bitext("check", "--help")
    assert "memory: 40 bytes a bisegment" in capsys.readouterr().out


def test_sound_codes_of_xliff_are_no_failure(bitext, write):
    path = write(
        "a.xlf",
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        'source-language="en" target-language="fr" datatype="html"><body><trans-unit id="1">'
        '<source>a<x id="1"/></source><target>b<x id="1"/></target></trans-unit></body></file>'
        "</xliff>",
    )
    found = bitext("check", path, "--json")
    assert (found.status, {row[0] for row in rows(found)}) == (0, {"remark"})


TMX = (
    '<tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" '
    'o-tmf="x" adminlang="en" srclang="en" datatype="plaintext"/><body>\n{}</body></tmx>'
)
OF_SEGMENT = "codes that begin or end a pair (bpt, ept) without the other half in their segment"
BY_ONE_I = "codes that begin a pair (bpt) by the i of another one in their segment"
OF_UNIT = "codes that begin or end a pair without the other half in their unit"


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ('<bpt i="1">b</bpt>a<ept i="1">b</ept>', []),
        ('<it pos="begin">b</it>a', []),
        ('<bpt i="1">b</bpt>a', [(OF_SEGMENT, 1, 'bpt i="1"')]),
        ('a<ept i="2">b</ept>', [(OF_SEGMENT, 1, 'ept i="2"')]),
        ('<bpt i="1"/>a<ept i="2"/>', [(OF_SEGMENT, 2, 'bpt i="1"')]),
        ('<ept i="1"/>a<bpt i="1"/>', [(OF_SEGMENT, 2, 'ept i="1"')]),
        ('<bpt i="1"/>a<ept i="1"/><bpt i="1"/>b<ept i="1"/>', [(BY_ONE_I, 1, 'bpt i="1"')]),
        ('<ph>c<sub>d<bpt i="1"/></sub></ph>', [(OF_SEGMENT, 1, 'bpt i="1"')]),
    ],
)
def test_codes_of_tmx_are_pairs_within_a_segment(bitext, write, codes, expected):
    unit = (
        '<tu><tuv xml:lang="en"><seg>a</seg></tuv>\n<tuv xml:lang="fr"><seg>{}</seg></tuv></tu>\n'
    )
    path = write("a.tmx", TMX.format(unit.format("a") * 20 + unit.format(codes)))
    told = json.loads(bitext("check", path, "--json").out)["rows"]
    found = [row for row in told if "pair" in row["kind"]]
    assert [(row["kind"], row["count"]) for row in found] == [case[:2] for case in expected]
    for row, case in zip(found, expected, strict=True):
        assert (row["severity"], row["line"]) == ("warning", 43)
        assert row["case"] == f"{path} line 43: {case[2]}"


def test_codes_of_xliff_are_pairs_within_a_unit(bitext, write):
    unit = (
        '<trans-unit id="1"><source>a<g id="1">a</g>{}</source>\n<seg-source>{}</seg-source>\n'
        "<target>{}</target></trans-unit>"
    )
    apart = '<mrk mtype="seg" mid="1">a{}</mrk> <mrk mtype="seg" mid="2">b{}</mrk>'
    body = [
        unit.format("", *[apart.format('<bx id="2" rid="5"/>', '<ex id="3" rid="5"/>')] * 2),
        unit.format("", *[apart.format('<bx id="2"/>', '<ex id="3"/>')] * 2),
        unit.format("", "a", apart.format('<ept id="1">b</ept>', '<bpt id="1">b</bpt>')),
        unit.format('<x id="1"/>', "a", 'a<x id="1"/><x id="1"/>'),
    ]
    path = write(
        "a.xlf",
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" '
        'source-language="en" target-language="fr" datatype="html"><body>\n'
        f"{chr(10).join(body)}</body></file></xliff>",
    )
    told = rows(bitext("check", path, "--json", "--each"))
    assert [row for row in told if row[3] == OF_UNIT] == [("warning", 6, 4, OF_UNIT)]
    again = "ids of codes that repeat in the source of a unit"
    assert [row for row in told if row[3] == again] == [("remark", 11, 1, again)]


def test_codes_of_xliff_2_are_pairs_within_a_unit(bitext, write):
    segment = "<segment><source>a{}</source>\n<target>b{}</target></segment>"
    begin, end = '<sc id="1"/>', '<ec startRef="1"/>'
    units = [
        segment.format(begin, begin) + f"<ignorable><source>{end}</source></ignorable>",
        segment.format("", end),
        '</unit>\n<unit id="2">',
        segment.format(
            '<sc id="1" isolated="yes"/><sm id="2"/>', '<ph id="3"/><mrk id="3">c</mrk>'
        ),
        segment.format('<ec id="4" isolated="yes"/><em startRef="2"/>', '<em startRef="2"/>'),
        segment.format('<pc id="4">c</pc>', ""),
    ]
    path = write(
        "a.xlf",
        '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" '
        f'trgLang="fr"><file id="f"><unit id="1">\n{"".join(units)}</unit></file></xliff>',
    )
    told = rows(bitext("check", path, "--json", "--each"))
    again = "ids of codes that repeat in a unit"
    assert [row for row in told if row[3] == OF_UNIT] == [("warning", 7, 1, OF_UNIT)]
    assert [row for row in told if row[3] == again] == [("warning", 7, 2, again)]


def test_sides_that_are_joined_keep_their_pairs_apart(bitext, tmp_path):
    marked = ['<bpt i="1"/>a<ept i="1"/>', '<bpt i="2"/>b<ept i="2"/>', '<bpt i="1"/>c<ept i="1"/>']
    bt = Bitext(
        Text(["a", "b", "c"], lang="en", marked=marked),
        Text(["A"], lang="fr"),
        Alignment([((0, 1, 2), (0,))]),
    )
    path = str(tmp_path / "a.tmx")
    write_file(bt, path)
    assert not [row for row in rows(bitext("check", path, "--json")) if "pair" in row[3]]
    assert '<bpt i="3"/>c<ept i="3"/>' in (tmp_path / "a.tmx").read_text()


def test_notes_on_standard_input_have_their_line(bitext, monkeypatch):
    tmx = (
        '<tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" '
        'o-tmf="x" adminlang="en" srclang="en" datatype="plaintext"/><body>\n'
        '<tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="fr"><seg>b</seg></tuv></tu>\n'
        '<tu><tuv xml:lang="en"><seg>c</seg></tuv></tu></body></tmx>'
    )
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(tmx.encode())))
    told = rows(bitext("check", "-", "--json"))
    assert ("warning", 3, 1, "units with a text in one of the two languages only") in told


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of Unix")
def test_a_named_pipe_is_checked_as_the_file_is(bitext, tmp_path):
    path, pipe = tmp_path / "a.tmx", tmp_path / "pipe"
    write_file(Bitext(Text(["a", "b"]), Text(["c"]), Alignment([((0,), (0,)), ((1,), ())])), path)
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(path.read_bytes(),))
    writer.start()
    found = rows(bitext("check", str(pipe), "--json"))
    writer.join()
    assert found == rows(bitext("check", str(path), "--json")) != []


def test_names_of_files_steer_no_terminal(bitext, write):
    name = "a\x1b[31m\u202ecod.tmx"
    result = bitext("check", write(name, "<tmx>"), "--format", "tsv")
    assert "a\\u001b[31m\\u202ecod.tmx" in result.out
    assert not {"\x1b", "\u202e"} & {*result.out}


def test_what_other_programs_stumble_at_is_remarked(bitext, write):
    def remarks(path):
        found = json.loads(bitext("check", path, "--json").out)["rows"]
        return [row["kind"] for row in found if row["severity"] == "remark"]

    unit = (
        '<tu><tuv xml:lang="en"><seg>A{}b.</seg></tuv><tuv xml:lang="fr"><seg>C d.</seg></tuv></tu>'
    )
    tmx = '<tmx{} version="1.4"><header srclang="en"/><body>{}</body></tmx>'
    for sign in "\u2028\u0085\u2029":
        path = write("a.tmx", tmx.format("", unit.format(sign)))
        (kind,) = remarks(path)
        assert kind.startswith("bisegments with source segments with characters that some programs")
    assert remarks(write("b.tmx", tmx.format("", unit.format(" ")))) == []
    foreign = write("c.tmx", tmx.format(' xmlns="urn:other"', unit.format(" ")))
    assert remarks(foreign) == ["files in a namespace that is not that of tmx"]
    xliff = (
        '<xliff{} version="1.2"><file original="a" source-language="en" target-language="fr">'
        '<body><trans-unit id="1"><source>A b.</source><target>C d.</target></trans-unit></body>'
        "</file></xliff>"
    )
    assert remarks(write("d.xlf", xliff.format(""))) == ["files without the namespace of xliff12"]
    named = ' xmlns="urn:oasis:names:tc:xliff:document:1.2"'
    assert remarks(write("e.xlf", xliff.format(named))) == []
    wide = tmx.format("", unit.format(" ")).encode("utf-16-le")
    assert remarks(write("f.tmx", wide)) == ["files in UTF-16 without a byte order mark"]


def test_a_file_name_that_is_not_utf_8_is_kept(bitext, write, tmp_path):
    write("in/a.tsv", "One.\tUn.\n")
    folder = os.fsencode(tmp_path / "in")
    try:
        os.rename(folder + b"/a.tsv", folder + b"/caf\xe9.tsv")  # noqa: PTH104 - bytes
    except OSError:
        pytest.skip("this file system wants names in UTF-8")
    found = bitext("convert", tmp_path / "in", f"{tmp_path}/out/", "--to", "jsonl")
    assert found.status == 0, found.err
    assert "names of files that are not UTF-8, with U+FFFD in the names of their texts" in found.err
    assert os.listdir(os.fsencode(tmp_path / "out")) == [b"caf\xe9.jsonl"]  # noqa: PTH208


def test_what_joined_files_leave_and_references_of_xml_are_told(bitext, tmp_path):
    (tmp_path / "a.tsv").write_text("Salt &amp; pepper\tSalz\nA\tB &#124; C\n\ufeffD\tE\n")
    found = bitext("check", tmp_path / "a.tsv")
    rows = [row.split("\t") for row in found.out.splitlines()]
    told = {row[4]: row[0] for row in rows}
    for kind, severity in (
        ("source segments with references as in XML, as &amp;, which are characters", "remark"),
        ("target segments with references as in XML, as &amp;, which are characters", "remark"),
        ("source segments with a byte order mark within, as of joined files", "warning"),
        ("lines that begin with a byte order mark, as in joined files, which is kept", "warning"),
    ):
        assert [told[each] for each in told if kind in each] == [severity]


def test_filters_compare_the_bisegments_of_all_files(bitext, write):
    profile = write("p.toml", '[[filter]]\nname = "duplicates"\n')
    files = [write(f"{name}.tsv", "One bridge.\tUn pont.\n") for name in "ab"]
    found = bitext("check", *files, "--clean", profile, "--json")
    (row,) = [row for row in json.loads(found.out)["rows"] if "duplicates" in row["kind"]]
    assert (row["path"], row["count"]) == (str(files[1]), 1)
    assert (
        "note: duplicates: among all files; to compare within each, check one by one" in found.err
    )
    found = bitext("check", files[1], "--clean", profile, "--json")
    assert not json.loads(found.out)["rows"]


def test_texts_in_another_language_than_named_are_told(bitext, write):
    english = "The old man was not in the house when they came to him.\n"
    german = "Der alte Mann war nicht in dem Haus, als sie zu ihm kamen.\n"
    wrong = f"{write('a.de', english * 9)},{write('a.en', german * 9)}"
    found = bitext("check", wrong, "--format", "tsv")
    assert "\tsource texts in de whose words are those of another language\ten\n" in found.out
    assert "\ttarget texts in en whose words are those of another language\tde\n" in found.out
    right = f"{write('b.de', german * 9)},{write('b.en', english * 9)}"
    assert "another language" not in bitext("check", right, "--format", "tsv").out


def test_copies_of_the_source_are_told_once(bitext, write):
    lines = "".join(f"Line {k} here\tLine {k} here\n" for k in range(6))
    rows = bitext("check", write("a.tsv", lines), "--format", "tsv").out.split("\n")
    assert sum("same text on both sides" in row and "most" in row for row in rows) == 1


def test_bounds_are_proposed_from_what_can_be_read_of_all_files(bitext, write, tmp_path):
    lines = [f"One dog {'barks ' * (k % 7)}.\tUn chien {'aboie ' * (k % 5)}.\n" for k in range(150)]
    sound, half = write("in/a.tsv", "".join(lines)), write("c.tsv", "".join(lines[:120]))
    bad = write("in/0.tmx", '<tmx version="1.4"><body><tu></body></tmx>')
    lost = write("lost.tsv.gz", "no gzip\n")
    alone, several = tmp_path / "alone.toml", tmp_path / "several.toml"
    assert bitext("check", sound, "--suggest", alone).status in {0, 1}
    for files in ([sound.parent], [bad, sound], [lost, sound]):
        result = bitext("check", *files, "--suggest", several, "--json")
        severities = {row["severity"] for row in json.loads(result.out)["rows"]}
        assert (result.status, "error" in severities) == (1, True)
        assert several.read_text() == alone.read_text()
    with half.open("ab") as file:
        file.write(b"\xff\tx\n")
    refused = bitext("check", lost, "--suggest", several)
    assert (refused.status, len(refused.lines())) == (2, 1)
    assert bitext("check", half, "--suggest", several).status == 1
