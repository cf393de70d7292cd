import io
import pkgutil
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import bitext
from bitext import Alignment, Text, formats
from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.io.source import Source
from bitext.formats.line_files import read_lines
from bitext.formats.plain_text import load_text
from bitext.formats.positions import over_positions
from bitext.formats.registry import (
    INDEX,
    ONLY_WRITTEN,
    Format,
    ReadOptions,
    all_formats,
    by_name,
    by_suffix,
    format_suffixes,
    readable_names,
    sniff,
)
from bitext.formats.subtitles import refuse_other_subtitles
from formats.samples import kinds

SAMPLES = {
    "vecalign": b"[0, 1]:[2]:0.12\n",
    "hunalign-ladder": b"0\t0\t0.3\n1\t1\t0.5\n",
    "fast-align": b"One . ||| Yksi .\n",
    "hunalign-text": b"One . ~~~ Two .\tYksi .\t0.5\n",
    "tsv": b"One.\tYksi.\n",
    "jsonl": b'{"translation": {"en": "One.", "fi": "Yksi."}}\n',
    "champollion": b"1,2 <=> 1\nomitted <=> 2\n",
    "opus-ids": b"en/a.xml\tfr/a.xml\t1 2\t1\n",
    "id-pairs": b"s.1\tt.1\ns.2 s.3\tt.2\n",
    "maligna": b'<?xml version="1.0"?>\n<alignmentlist>\n<alignment></alignment></alignmentlist>',
}


def test_formats_are_sorted_and_whole():
    found = all_formats()
    assert list(found) == sorted(found)
    assert {*SAMPLES, "moses"} <= found.keys()
    for name, known in found.items():
        assert isinstance(known, Format)
        assert known.name == name
        assert known.title
        assert all(suffix.startswith(".") for suffix in known.suffixes)


def test_the_index_says_what_the_modules_say():
    there = {}
    for info in pkgutil.walk_packages(formats.__path__, "bitext.formats."):
        module = import_module(info.name)
        for name, found in vars(module).items():
            if isinstance(found, Format) and name.isupper():
                place = info.name.removeprefix("bitext.formats.")
                where = place if name == "FORMAT" else f"{place}:{name}"
                there[found.name] = (where, found.suffixes)
    assert there == INDEX
    assert {name for name, known in all_formats().items() if known.read is None} == ONLY_WRITTEN
    assert ".html" in format_suffixes() - format_suffixes(read=True)


def test_a_format_is_imported_alone():
    code = (
        "import sys; from bitext.formats.registry import by_name; by_name('moses');"
        "print(*(name for name in sys.modules if name.startswith(('bitext.formats.tmx', 'lxml'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b""


@pytest.mark.parametrize("path", ["file", "file.xml", "file.tmx", "file.xces", "file.tsv"])
@pytest.mark.parametrize(
    "head",
    [
        b"<cesAlign version='1.0'>\n<linkGrp>",
        b"<?xml version='1.0'?>\n<tmx version='1.4'>\n<header/>",
        b"<tmx/>",
        b"<cesAlign",
        b"<!DOCTYPE cesAlign [<!ENTITY a 'b'>]>\n<cesAlign>",
        b"\xef\xbb\xbf<!DOCTYPE tmx SYSTEM 'tmx14.dtd'>\n<tmx xmlns='http://www.tei-c.org/ns/1.0'>",
        b"<cesAlign xmlns='http://www.tei-c.org/ns/1.0'>\n<linkGrp/>",
        "<?xml version='1.0' encoding='utf-16'?>\n<tmx><body>".encode("utf-16"),
    ],
)
def test_a_root_element_of_one_format_tells_what_all_formats_tell(head, path):
    sure = {name: known.sniff(head) for name, known in all_formats().items()}
    found = sniff(head, path)
    assert (found.name if found else "") == (max(sure, key=sure.get) if any(sure.values()) else "")


@pytest.mark.parametrize("suffix", [".xlf", ".tmx", ".ts", ".sdlxliff"])
def test_xml_behind_something_else_is_no_table(suffix):
    rows = b"<a>one\tun</a>\n<a>two\tdeux</a>\n<a>three\ttrois</a>\n"
    head = b'x<?xml version="1.0"?>\t<root>\n' + rows
    assert sniff(head, "file").name == "tsv"
    assert suffix in sniff(head, f"file{suffix}").suffixes
    assert sniff(rows, f"file{suffix}").name == "tsv"


def test_a_root_element_of_one_format_imports_no_other():
    code = (
        "import sys; from bitext.formats.registry import sniff; sniff(b'<cesAlign>', 'a.xml');"
        "print(*(name for name in sys.modules if name.startswith('bitext.formats.books')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b""


@pytest.mark.parametrize("name", SAMPLES)
def test_told_by_the_first_bytes(name):
    assert sniff(SAMPLES[name], "file").name == name


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"maligna"}))
def test_told_with_a_mark_and_crlf(name):
    content = SAMPLES[name].replace(b"\n", b"\r\n")
    assert sniff(b"\xef\xbb\xbf" + content, "file").name == name


@pytest.mark.parametrize("name", SAMPLES)
def test_told_in_utf_16(name):
    assert sniff(SAMPLES[name].decode().encode("utf-16"), "file").name == name


@pytest.mark.parametrize(
    ("head", "path", "name"),
    [
        (b"a\tb\n", "a.bi", "hunalign-text"),
        (b"a\tb\n", "a.tsv", "tsv"),
        (b"a\tb\n", "a.txt", "tsv"),
        (b"a\tb\t0.5\n", "a.tsv.gz", "tsv"),
        (b"a\tb\t0.5\n", "a.hunalign", "hunalign-text"),
        (b"a\tb ~~~ c\thigh\n", "a", "tsv"),
        (b"1 1\n2 2\n", "a.ladder", "hunalign-ladder"),
        (b"[1]\tb\n", "a", "tsv"),
        (b'{"src": "a", \n', "a", "jsonl"),
        (b'{"id": "a"}\n', "a", "jsonl"),
    ],
)
def test_the_name_decides_between_equals(head, path, name):
    assert sniff(head, path).name == name


@pytest.mark.parametrize(
    "head",
    [
        b"plain words\n",
        b"",
        b"\x89PNG\r\n\x1a\n\0\t\0",
        b"<?x y?>\n\t<a>\n\t\t<b/>\n",
        b"0-0 1-1\n",
    ],
)
def test_what_is_none(head):
    found = sniff(head, "file")
    assert found is None or found.name not in SAMPLES


def test_many_comments_before_a_root_are_recognised_in_linear_time():
    comments = b"<!-- x -->" * 5_000
    assert sniff(comments + b"<p>It rained.</p>", "made") is None
    with Source("made", io.BytesIO(comments + b"<p/>")) as source:
        refuse_other_subtitles(source)
    with (
        Source("made", io.BytesIO(comments + b"<tt>")) as source,
        pytest.raises(FormatError, match="TTML"),
    ):
        refuse_other_subtitles(source)


def test_by_suffix():
    assert by_suffix("a.vecalign.gz").name == "vecalign"
    assert by_suffix("a.AL").name == "maligna"
    assert by_suffix("a.moses.tsv").name == "tsv"
    assert by_suffix("a.gz") is by_suffix("a") is None


def test_an_unknown_name_suggests():
    with pytest.raises(OptionError, match=r"'vecaling' is not known; did you mean 'vecalign'\?"):
        by_name("vecaling")


def test_files_that_cannot_be_told(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("plain words\n")
    with pytest.raises(FormatError, match=r"a\.txt: is in no format .*format=.*hunalign-ladder"):
        bitext.read(path)
    path.write_text('# en/a.xml\n====\n(src)="1">One.\n(trg)="1">Eins.\n====\n')
    with pytest.raises(FormatError, match=r"have it write TMX \(opus_read -wm tmx\); else name"):
        bitext.read(path)
    path.write_text(" \n")
    with pytest.raises(FormatError, match=r"a\.txt: is empty; give the file that holds"):
        bitext.read(path)
    empty = tmp_path / "a.ladder"
    empty.write_bytes(b"")
    with pytest.raises(FormatError, match="is empty, which no hunalign-ladder file is"):
        bitext.read(empty)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.masses", "5,5\n"), ("a.masses", "t1\t5,5\n"), ("a.rs3", "<rst>\n"), ("a.labels", "B\n")],
)
def test_files_named_as_segmentations_are_no_alignments(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(FormatError, match="named as a segmentation, which 'bitext compare' takes"):
        bitext.read(path)
    path.write_text("0-0 1-1\n")
    assert len(bitext.read(path).alignment) == 1


def test_writing_needs_a_known_name(tmp_path):
    bt = bitext.Bitext(None, None, Alignment([((0,), (0,))]))
    with pytest.raises(
        OptionError, match=r"its name does not show the format; name it \(format=\), one of"
    ):
        bitext.write(bt, tmp_path / "a.xyz")
    bitext.write(bt, tmp_path / "a.xyz", format="vecalign")
    assert bitext.read(tmp_path / "a.xyz") == bt


@pytest.mark.parametrize("given", [bitext.Alignment([((0,), (0,))]), "a.xml", 7, [7]])
def test_what_is_no_bitext_is_not_written(given, tmp_path):
    with pytest.raises(InputError, match=r"out\.jsonl: .* is not a Bitext: want one, as Bitext\("):
        bitext.write(given, tmp_path / "out.jsonl")
    assert not list(tmp_path.iterdir())


def test_a_text_that_is_none_is_named(tmp_path):
    (tmp_path / "a.align").write_text("[0]:[0]\n")
    with pytest.raises(InputError, match=r"a text is given as \['One.'\]: want the name of its"):
        bitext.read(tmp_path / "a.align", src=["One."], tgt=["Un."])


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.ladder"
    path.write_text("old")
    with pytest.raises(InputError, match="a ladder cannot express"):
        bitext.write(bitext.Bitext(None, None, Alignment([((1,), (0,))])), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def _lines(content):
    return list(read_lines(Source("made", io.BytesIO(content.encode()))).segments())


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\r\nb", ["a", "b"]),
        ("\r\n\r\n", ["", ""]),
        ("a\n\nb\n\n", ["a", "", "b", ""]),
        ("a\rb\r\r\n", ["a\rb\r"]),
        ("\ufeffa\u2028b\x0b\x0c\x1c\x85c\n😀\n", ["a\u2028b\x0b\x0c\x1c\x85c", "😀"]),
    ],
)
def test_lines_of_a_text(content, lines):
    assert _lines(content) == lines


def test_texts_are_loaded_or_taken(tmp_path):
    text = Text(["a"])
    assert load_text(text) is text
    assert load_text(None) is None
    (tmp_path / "a.txt").write_bytes(b"\xb1\n")
    assert load_text(tmp_path / "a.txt", "iso-8859-2")[0].text == "ą"


def _over(bisegments, src=None, tgt=None, *, over=(None, None), whole=None):
    source = Source("made", io.BytesIO())
    options = ReadOptions(src=src, tgt=tgt, over_src=over[0], over_tgt=over[1], name="doc")
    alignment = Alignment(bisegments)
    return over_positions(source, alignment, options, lambda k: k + 1, whole=whole)


def test_positions_without_texts():
    bt = _over([((0,), (5,))])
    assert (bt.src, bt.tgt, bt.name) == (None, None, "doc")


def test_texts_named_win_over_those_read_over():
    named, other = Text(["a"]), Text(["b", "c"])
    bt = _over([((0,), (0,))], src=named, over=(other, other))
    assert bt.src is named
    assert bt.tgt is other


def test_a_position_beyond_the_text():
    three, one = Text(["a", "b", "c"]), Text(["x"], name="x.txt")
    with pytest.raises(
        FormatError, match=r"made line 2: \[1\]:\[1\] names target segment 1, but x\.txt has 1"
    ):
        _over([((0,), (0,)), ((1,), (1,))], three, one)
    with pytest.raises(
        FormatError, match=r"names source segment 2, .*it fits: exchange src= and tgt="
    ):
        _over([((0,), (0,)), ((2,), (0,))], Text(["x"]), three)


def test_positions_beyond_the_text_that_end_where_the_texts_do_if_exchanged_are_refused():
    """Each of them is opposite nothing, which would pass, and all others would be wrong."""
    three, one = Text(["a", "b", "c"]), Text(["x"])
    beads = [((0,), (0,)), ((1, 2), ())]
    assert not kinds(_over(beads, three, one))
    with pytest.raises(FormatError, match=r"names source segment 1, .*: exchange src= and tgt="):
        _over(beads, one, three)


def test_a_position_beyond_the_text_opposite_nothing_is_empty():
    bt = _over([((0,), (0,)), ((1, 2), ())], Text(["a"], ids=["s1"]), Text(["x"]))
    assert list(bt.src.segments()) == ["a", "", ""]
    assert bt.src.ids == ["s1", "+1", "+2"]
    (kind,) = kinds(bt)
    assert kind.startswith("segments beyond the text, in bisegments with an empty side")
    assert bt.notes[0].count == 2
    with pytest.raises(FormatError, match="names source segment 1000000"):
        _over([((10**6,), ())], Text(["a"]))


def test_inline_codes_stay_where_a_text_gets_segments_beyond_its_end():
    bt = _over([((0,), (0,)), ((1,), ())], Text(["a"], marked=["<ph/>a"]), Text(["x"]))
    assert list(bt.src.marked) == ["<ph/>a", None]


def test_whole_texts():
    two = Text(["a", "b"])
    assert len(_over([((0, 1), (0,))], two, whole=(2, 1)).src) == 2
    with pytest.raises(
        FormatError, match=r"made line 1: the ladder ends at \(3, 1\), the source text has 2"
    ):
        _over([((0, 1), (0,))], two, whole=(3, 1))


def test_positions_are_arrays():
    bt = _over([((0,), (0,))])
    assert bt.alignment.src.idx.dtype == np.int64


@pytest.mark.parametrize("name", [name for name in readable_names() if name in INDEX])
def test_what_an_empty_file_is_said_to_be(name, tmp_path):
    """Where the remedy is to name the format, it is read so."""
    known = by_name(name)
    path = tmp_path / f"a{known.suffixes[0] if known.suffixes else '.txt'}"
    path.write_bytes(b"")
    if known.two_files:
        return
    with pytest.raises(FormatError, match="is empty") as error:
        bitext.read(path)
    if f"name its format (format={name!r})" in str(error.value):
        assert [len(one.alignment) for one in bitext.read_all(path, format=name)] in ([], [0])
    else:
        with pytest.raises(FormatError):
            list(bitext.read_all(path, format=name))
