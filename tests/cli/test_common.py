from __future__ import annotations

import csv
import gzip
import io
import sys

import pytest

from bitext.cli.align.request import AlignRequest
from bitext.cli.cluster.request import ClusterRequest
from bitext.cli.common import Parser, as_csv, name_systems, style_of_name
from bitext.cli.convert.request import ConvertRequest
from bitext.cli.request import JobRequest, OutputRequest
from bitext.errors import ClashError, InputError, OptionError
from bitext.formats.io.output import write_whole
from bitext.formats.io.source import open_source


@pytest.mark.parametrize("given", [["--store=--"], ["-s--"], ["--store", "--"]])
def test_two_dashes_are_no_value(given):
    parser = Parser(prog="tool")
    parser.add_argument("-s", "--store")
    with pytest.raises(OptionError, match=r"argument .*--store: expected one argument"):
        parser.parse_args(given)


def test_few_notes_are_told_unless_all_are_wanted(capsys):
    notes = [f"note {k}\x1b" for k in range(8)]
    OutputRequest(quiet=False, verbose=False).print_notes(notes)
    few = capsys.readouterr().err.splitlines()
    assert few[-1] == "note: and 3 more (--verbose)"
    assert few[0] == "note: note 0\\u001b"
    OutputRequest(quiet=False, verbose=True).print_notes(notes)
    assert len(capsys.readouterr().err.splitlines()) == 8


def test_what_a_terminal_cannot_show_is_escaped(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    OutputRequest().deliver("naïve\n")
    sys.stdout.flush()
    assert raw.getvalue() == b"na\\u00efve\n"


class Terminal(io.BytesIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("terminal", "named", "written"),
    [
        (False, "", "naïve\n".encode()),
        (False, "latin-1", "naïve\n".encode("latin-1")),
        (True, "", "naïve\n".encode("latin-1")),
    ],
)
def test_files_and_pipes_get_utf_8_in_every_locale(monkeypatch, terminal, named, written):
    raw = Terminal() if terminal else io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="latin-1")
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "__stdout__", stream)
    monkeypatch.setenv("PYTHONIOENCODING", named)
    OutputRequest().deliver("naïve\n")
    sys.stdout.flush()
    assert raw.getvalue() == written


def options(**given):
    return OutputRequest(**given, offered=("json", "format", "output"))


@pytest.mark.parametrize(
    ("name", "style"),
    [
        ("a.json", "json"),
        ("a.json.gz", "json"),
        ("a.TSV.XZ", "tsv"),
        ("a.md.zst", "markdown"),
        ("a.gz", "table"),
    ],
)
def test_the_name_of_a_file_tells_the_format(name, style):
    assert options(output=name).style() == style


def test_a_closed_standard_output_is_told_unless_there_is_a_file(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdout", None)
    for closed in (
        lambda: options().style(),
        lambda: options(json=True).style(),
        lambda: options().deliver("a"),
        lambda: write_whole("-").__enter__(),
    ):
        with pytest.raises(InputError, match="standard output is closed"):
            closed()
    file = options(output=str(tmp_path / "a.tsv"))
    assert file.style() == "tsv"
    file.deliver("a\n")
    assert (tmp_path / "a.tsv").read_text() == "a\n"


def test_without_standard_error_there_are_no_notes(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    OutputRequest(quiet=False, verbose=False).print_notes(["a"])
    assert capsys.readouterr().out == ""


def test_no_name_is_no_place():
    for refused in (OutputRequest.style, lambda given: given.deliver("a")):
        with pytest.raises(OptionError, match="-o names no file"):
            refused(options(output=""))


def test_what_is_given_twice_is_called_by_its_role():
    with pytest.raises(OptionError, match=r"a\.m is given twice as HYP"):
        name_systems(["a.m", "a.m"], ["r.m"], None)
    with pytest.raises(OptionError, match=r"s1/ is given twice as HYP"):  # as a shell completes it
        name_systems(["s1/", "s2", "./s1"], ["r"], None)
    with pytest.raises(OptionError, match=r"r\.m is given twice as a reference"):
        name_systems(["r.m", "r.m"], ["a.m"], None, role="a reference")


@pytest.mark.parametrize(
    ("kind", "given", "name"),
    [
        (OutputRequest, {}, "output"),
        (OutputRequest, {}, "html"),
        (ClusterRequest, {"files": ("c",), "report": True}, "html"),  # its --report is a flag
        (JobRequest, {}, "store"),
        (ConvertRequest, {"inputs": ("b",)}, "report"),
        (AlignRequest, {"output": "-"}, "save_lexicon"),
    ],
)
def test_every_output_is_spared_while_inputs_are_read(tmp_path, kind, given, name):
    path = tmp_path / "a"
    path.write_text("old")
    request = kind(**given, **{name: str(path)})
    with request.protected_outputs(), pytest.raises(ClashError, match="a: is the same file as"):
        open_source(path)
    with pytest.raises(ClashError):
        request.refuse_inputs([str(path)])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["formats", "-o", "f.jsn"],
            "-o f.jsn: tables are not written as .jsn; did you mean .json?",
        ),
        (["formats", "-o", "f.tvs.gz"], "are not written as .tvs; did you mean .tsv?"),
        (["score", "a", "b", "-o", "f.htlm"], "are not written as .htlm; did you mean .html?"),
        (
            ["convert", __file__, "f.tmxx"],
            "its name does not show the format; did you mean .tmx? name it",
        ),
        (["convert", __file__, "f.moses"], "did you mean --to moses? name it"),
        (["convert", __file__, "f.odt"], "did you mean .docx? name it"),
        (["convert", __file__, "f.mobi"], "did you mean .epub? name it"),
        (["convert", __file__, "f.ass"], "did you mean .srt? name it"),
    ],
)
def test_a_mistyped_ending_is_refused(bitext, arguments, told):
    found = bitext(*arguments)
    assert (found.status, found.out, len(found.lines())) == (2, "", 1)
    assert told in found.err


@pytest.mark.parametrize("name", ["m.xyz", "m.xlsx", "m.png", "m.html", "m.jsonl", "m.csv.pdf"])
def test_an_ending_of_what_is_not_written_is_refused_before_the_work(bitext, tmp_path, name):
    found = bitext("methods", "-o", tmp_path / name)
    assert (found.status, found.out, len(found.lines())) == (2, "", 1)
    assert "tables are not written as ." in found.err
    assert ".json .tsv .csv .md .tex and .txt; --format writes one to any name" in found.err
    assert list(tmp_path.iterdir()) == []
    assert bitext("methods", "-o", tmp_path / name, "--format", "tsv").err == ""


@pytest.mark.parametrize(
    "command",
    [
        ["score", "gold.tsv", "gold.tsv"],
        ["compare", "a.labels", "a.labels"],
        ["paragraphs", "score", "a.txt"],
        ["study", "errors"],
    ],
)
def test_the_ending_of_a_page_names_the_option_of_pages(bitext, tmp_path, command):
    found = bitext(*command, "-o", tmp_path / "a.html")
    assert (found.status, found.out) == (2, "")
    assert f"a page is written with --html {tmp_path}/a.html" in found.err


def test_csv_has_the_cells_of_tsv_quoted_where_they_must_be(bitext, write, tmp_path):
    gold, out = write("gold.tsv", "One.\tUn.\n"), tmp_path / "a.csv.gz"
    assert bitext("score", gold, gold, "--names", "a", "-o", out).status == 0
    with gzip.open(out, "rt") as file:
        rows = list(csv.reader(file))
    tsv = bitext("score", gold, gold, "--names", "a", "--format", "tsv").out
    # What is undefined is empty in CSV, so that columns of figures are of numbers.
    assert rows == [
        ["" if cell == "-" else cell for cell in line.split("\t")] for line in tsv.splitlines()
    ]
    printed = bitext("score", gold, gold, "--names", "a", "--format", "csv").out
    assert list(csv.reader(printed.splitlines())) == rows
    assert list(as_csv(["a,b\t", 'c "d"\ne\t\n'])) == ["", '"a,b","c ""d"""\ne,\n']


def test_marks_of_undefined_figures_are_empty_in_csv_and_values_stay():
    assert "".join(as_csv(["file\tvalue\n-\t", "-\n"])) == "file,value\n-,\n"


@pytest.mark.parametrize("name", ["f", "f.txt", "f.out", "f.log", "f.2", "f.v2", "f.TXT.gz"])
def test_names_of_plain_text_get_a_table(name):
    assert style_of_name(name) == "table"
    assert style_of_name("s3://b/f.TSV.xz?v=1") == "tsv"
