import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bitext
from bitext import Text
from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.registry import by_name
from bitext.formats.writing import writable
from formats.samples import (
    assert_parts,
    assert_same,
    beads,
    inline,
    joined,
    kinds,
    noted,
    one_line,
    read,
    read_all,
)


def _files(folder, src, tgt):
    (folder / "x.en").write_text(src, encoding="utf-8", newline="")
    (folder / "x.fi").write_text(tgt, encoding="utf-8", newline="")
    return f"{folder}/x.en,{folder}/x.fi"


def test_line_k_of_both(tmp_path):
    bt = bitext.read(_files(tmp_path, "a\r\n\nc\n\n", "d\ne\n\n\n"))
    assert bt.pairs() == [(["a"], ["d"]), ([], ["e"]), (["c"], [])]
    assert kinds(bt) == {"lines that are empty in both files, left out": 1}
    assert bt.notes[0].first.endswith("x.en line 4")
    assert (bt.src.name, bt.tgt.name) == (f"{tmp_path}/x.en", f"{tmp_path}/x.fi")


def test_braces_name_two_files(tmp_path):
    _files(tmp_path, "a\n", "b\n")
    assert bitext.read(f"{tmp_path}/x.{{en,fi}}").pairs() == [(["a"], ["b"])]


def test_only_lf_and_crlf_end_a_line(tmp_path):
    odd = "a\u2028b\x0b\x0c\x1c\x85c"
    assert bitext.read(_files(tmp_path, odd, "d\n")).pairs() == [([odd], ["d"])]


def test_unequal_numbers_of_lines(tmp_path):
    with pytest.raises(FormatError, match=r"x\.en: has 2 lines, and .*x\.fi has 1; want as many"):
        bitext.read(_files(tmp_path, "a\nb\n", "c\n"))


def test_both_files_are_needed(tmp_path):
    _files(tmp_path, "a\n", "b\n")
    with pytest.raises(InputError, match="moses is two files; name both"):
        read("moses", "a\n")
    with pytest.raises(OptionError, match="moses is two files: name them as"):
        bitext.write(inline([(["a"], ["b"])]), tmp_path / "one", format="moses")
    with pytest.raises(InputError, match="no such file"):
        bitext.read(f"{tmp_path}/x.en,{tmp_path}/y.fi")


def test_empty_files(tmp_path):
    assert len(bitext.read(_files(tmp_path, "", "")).alignment) == 0


@given(beads)
@example([(["One.", "Two."], ["Yksi\tja\r\nkaksi."]), ([], ["x"])])
@example([(["\ufeffa"], ["b"])])
@example([([], ["\ufeff"]), (["\ufeff\ufeff"], ["\ufeffb"])])
def test_round_trip(pairs):
    outs = io.StringIO(), io.StringIO()
    by_name("moses").write([inline(pairs)], *outs)
    sides = [out.getvalue().encode() for out in outs]
    back = read("moses", *sides)
    expected = [(one_line(src), one_line(tgt)) for src, tgt in pairs]
    assert back.pairs() == [pair for pair in expected if any(pair)]


def test_written_as_one_where_there_are_several(tmp_path):
    path = f"{tmp_path}/o.en,{tmp_path}/o.fi"
    bitext.write([inline([(["a"], ["b"])]), inline([(["c"], [])])], path)
    assert (tmp_path / "o.en").read_text() == "a\nc\n"
    assert (tmp_path / "o.fi").read_text() == "b\n\n"


def test_never_told_by_its_bytes():
    assert by_name("moses").sniff(b"a b\nc d\n") == 0
    assert Text(["a"]).name == ""


lines = st.lists(st.sampled_from(["", "a", "b\r", "\u2028c"]), max_size=9)


@given(lines, lines, st.integers(1, 4), st.sampled_from([1, 5, 1 << 20]))
def test_parts_are_the_whole(src, tgt, size, block):
    contents = ["".join(f"{line}\n" for line in side) for side in (src, tgt)]
    if len(src) != len(tgt):
        message = f"has {len(src)} lines, and second has {len(tgt)}; want as many"
        for parts in (True, False):
            with pytest.raises(FormatError, match=message):
                read_all("moses", *contents, parts=parts)
        return
    parts = read_all("moses", *contents, block_size=block, parts=True, part_size=size)
    assert_parts(parts, size)
    whole = read("moses", *contents)
    assert_same(joined(parts), whole)
    assert noted(parts) == kinds(whole)
    assert {(part.src.name, part.tgt.name) for part in parts} == {("made", "second")}


def test_blocks_with_other_borders_are_read_in_step():
    long, short = ["x" * 3000] * 2000, [str(k) for k in range(2000)]
    parts = read_all("moses", "\n".join(long), "\n".join(short), parts=True)
    assert joined(parts).pairs() == [([a], [b]) for a, b in zip(long, short, strict=True)]


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("html", "<html><body>Hi</body></html>\n", "an HTML page"),
        ("xml", '<?xml version="1.0"?>\n<s>Hi</s>\n', "XML"),
        ("toml", 'title = "Hi"\n', "TOML"),
        ("jsonl", '{"text": "Hi"}\n', "a file of alignments .jsonl."),
        ("tsv", "1\tHi\n", "a file of alignments .tsv."),
        ("po", 'msgid "x"\nmsgstr "Hi"\n', "a file of alignments .po."),
        ("vert", "<s>\nHi\tUH\n</s>\n", "vertical text"),
        ("js", "/* a * b */\n// c\nexport default {\n  a: 'Hi',\n}\n", "a program"),
        ("ts", "import { A } from './a'\nexport const de: A = {\n  a: 'Hi',\n}\n", "a program"),
        ("js", "module.exports = {\n  a: 'Hi',\n}\n", "a program"),
        ("rc", '// a\n#include "a.h"\nSTRINGTABLE\nBEGIN\n IDS_A "Hi"\nEND\n', "a program"),
        ("dtd", '<!ENTITY a "Hi">\n', "XML"),
    ],
)
def test_two_files_that_are_no_lines_of_text_are_refused(tmp_path, name, content, what):
    paths = [tmp_path / f"a.{lang}.{name}" for lang in ("en", "fr")]
    for path in paths:
        path.write_text(content)
    pair = ",".join(map(str, paths))
    with pytest.raises(FormatError, match=f"is {what}, .*format='moses'"):
        bitext.read(pair)
    assert len(bitext.read(pair, format="moses").alignment) == content.count("\n")


@pytest.mark.parametrize(
    "line",
    [
        *("import duties on cars from japan", "const", "# exports rose"),
        *("import taxes from 'abroad' rose", "exports of goods (2020 = 100) fell"),
    ],
)
def test_sentences_that_begin_as_programs_are_read(line, tmp_path):
    for lang in ("en", "fr"):
        (tmp_path / f"a.{lang}").write_text(f"{line}\nThey = {{more}}.\n")
    assert len(bitext.read(f"{tmp_path}/a.en,{tmp_path}/a.fr").alignment) == 2


def test_two_files_of_numbered_lines_are_noted(tmp_path):
    for lang in ("en", "fr"):
        (tmp_path / f"a.{lang}").write_text("1\tHi\n2\tHo\n")
    bt = bitext.read(f"{tmp_path}/a.en,{tmp_path}/a.fr")
    assert "a number before each line" in bt.notes[0].kind


def test_fields_in_tags_are_noted(tmp_path):
    field = "<url>http://a.b</url>\n<b>Go</b> <i>on</i>\n<h1>Go</h1>\n"
    bt = bitext.read(_files(tmp_path, f"{field}He came.\n", f"{field}Il vint.\n"))
    assert kinds(bt)["lines that are a field in tags, as of IWSLT, taken as segments"] == 2
    assert len(bt.pairs()) == 4


def test_tags_alone_and_one_file_for_both_sides_are_noted(tmp_path):
    pair = _files(tmp_path, "<CHAPTER ID=1>\nHi <b>you</b>\n.EOA\n", "<P>\nHei\n.EOA\n")
    bt = bitext.read(pair)
    assert kinds(bt)["lines that are a tag alone, taken as segments"] == 4
    assert bt.pairs()[0] == (["<CHAPTER ID=1>"], ["<P>"])
    one = pair.partition(",")[0]
    assert "the same file given for both sides" in kinds(bitext.read(f"{one},{one}"))


@pytest.mark.parametrize(
    "name", ["a.en.resx,a.fr.resx", "v/strings.xml,w/strings.xml", "a.{en,fr}.csv"]
)
def test_two_files_named_as_something_else_are_not_written(name):
    with pytest.raises(OptionError, match=r"its name says otherwise.*format='moses'"):
        writable(name, None)
    assert writable(name, "moses").name == "moses"


@pytest.mark.parametrize("name", ["a.en,a.ts", "a.en.txt.gz,a.fr.txt.gz", "a.{en,fr}"])
def test_two_texts_are_written(name):
    assert writable(name, None).name == "moses"
