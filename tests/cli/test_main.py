from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bitext as package
from bitext.cli import main as module

RUN = [sys.executable, "-m", "bitext"]
# What streams know; names of files are of any characters, whatever runs the tests.
ASCII_ONLY = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C.UTF-8"}
HEAVY = {"numpy", "lxml", "nltk", "regex", "zstandard", "bitext.formats", "bitext.metrics"}


def imported_by(*arguments):
    program = (
        "import sys; from bitext.cli.main import main; main(sys.argv[1:]); "
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], []])
def test_nothing_heavy_is_imported_before_a_command_runs(arguments):
    assert not imported_by(*arguments) & HEAVY


def test_help_of_a_command_imports_nothing_heavy():
    program = (
        "import sys\n"
        "from bitext.cli.main import main\n"
        "try:\n    main(['score', '--help'])\n"
        "except SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not set(done.stderr.split()) & HEAVY
    assert "--granularity" in done.stdout


def test_a_score_imports_no_parser_and_no_tagger_that_it_does_not_use(coast):
    used = imported_by("score", coast / "gold", coast / "alpha")
    assert "numpy" in used
    assert not used & {"lxml", "nltk", "regex", "zstandard"}


def test_help_names_every_command_and_exits_0(bitext):
    result = bitext("--help")
    assert result.status == 0
    assert all(name in result.out for name in module.COMMANDS)


def test_help_may_name_a_command(bitext, capsys):
    with pytest.raises(SystemExit, match="0"):
        bitext("help", "formats")
    assert "usage: bitext formats" in capsys.readouterr().out
    assert "no command 'scoer'; did you mean 'score'?" in bitext("help", "scoer").err


def test_the_version_is_that_of_the_package(bitext):
    assert bitext("--version").out == f"bitext {package.__version__}\n"


def test_a_mistyped_command_is_one_line_with_the_nearest_one(bitext):
    result = bitext("scoer")
    assert result.status == 2
    assert len(result.lines()) == 1
    assert "did you mean 'score'?" in result.err


def test_a_mistyped_option_is_one_line_with_the_nearest_one(bitext):
    result = bitext("score", "a", "b", "--granularty=word")
    assert result.status == 2
    assert len(result.lines()) == 1
    assert "did you mean --granularity?" in result.err


def test_words_for_an_option_or_value_that_another_has(bitext):
    for given, told in (
        (["score", "a", "b", "--source=x"], "no option --source=x; did you mean --src?"),
        (["align", "a", "b", "--target-language", "x"], "did you mean --tgt-lang?"),
        (["align", "a", "b", "--glossary", "x"], "did you mean --dictionary?"),
        (["score", "a", "b", "-m", "x"], "no option -m; 'bitext score --help' lists"),
        (["align", "a", "b", "no.tmx"], "arguments: no.tmx; name an output after -o; put a name"),
        (["align", "a", "b", __file__], f"{__file__}; put a name with spaces in quotes"),
        (["stats", "a", "--total", "b"], "b; put each FILE beside the others, with no option"),
        (["metrics", "pk"], "unrecognized arguments: pk; 'bitext metrics --help' lists"),
        (["compare", "a", "b", "--errors"], "--errors: expected one argument (--errors N);"),
        (["link", "a", "--explain", "1"], "expected 3 arguments (--explain PAIR I J);"),
        (["split", "a.tsv", "-o", "x"], "are required: FILE (the order is PARTS FILE);"),
        (["convert", "a.tsv"], "are required: OUT (the order is IN OUT);"),
        (["score", "a", "b", "--format", "json"], "); --json prints JSON; 'bitext score --help'"),
    ):
        assert told in bitext(*given).err


def test_an_option_may_be_meant_by_a_part_of_its_name(bitext):
    assert "no option --lang; did you mean --src-lang?" in bitext("align", "a", "--lang", "x").err
    assert "no option --dict; did you mean --dictionary?" in bitext("link", "a", "--dict", "x").err
    # Also where the command lacks what the option would have given.
    assert "no option --frist; did you mean --first?" in bitext("sample", "a", "--frist", "1").err
    assert "are required: -n/--size" in bitext("sample", "a", "--", "--frist").err
    assert "did you mean" not in bitext("check", "a", "--strict").err  # dashes make nothing alike


def test_a_bug_keeps_its_traceback_and_exits_70(bitext, monkeypatch):
    def broken(_):
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr("bitext.cli.listings.run_formats", broken)
    result = bitext("formats")
    assert result.status == 70
    assert "Traceback" in result.err
    assert "of ours" in result.err


def test_an_interrupt_is_one_line(bitext, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("bitext.cli.listings.run_formats", interrupted)
    result = bitext("formats")
    assert (result.status, result.err) == (130, "bitext formats: interrupted\n")


def test_a_reader_that_goes_away_is_no_error():
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m bitext formats; echo $? >&2"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.strip() == "0"
    for arguments in (["formats"], ["--help"], ["--version"], ["score", "--help"]):
        reading, writing = os.pipe()
        os.close(reading)
        process = subprocess.run(
            [*RUN, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False
        )
        os.close(writing)
        assert (process.returncode, process.stderr) == (0, b"")


def test_messages_survive_a_terminal_that_knows_ascii_only():
    env = {**os.environ, **ASCII_ONLY}
    done = subprocess.run(
        [*RUN, "score", "größe.xml", "b"], capture_output=True, env=env, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert b"gr\\xf6" in done.stderr


def test_control_characters_in_names_do_not_reach_the_terminal(bitext):
    result = bitext("score", "a\x1b[2Jb", "c")
    assert result.status == 2
    assert "\x1b" not in result.err


full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")


@full
@pytest.mark.parametrize(
    "command", ["metrics", "--version", "--help", "score --help", "study errors --help"]
)
def test_output_that_cannot_be_written_is_told_in_a_line(command):
    with Path("/dev/full").open("w") as nowhere:
        done = subprocess.run(
            [*RUN, *command.split()], stdout=nowhere, stderr=subprocess.PIPE, text=True, check=False
        )
    who = "bitext" if command.startswith("-") else f"bitext {command.split()[0]}"
    assert done.returncode == 2
    assert done.stderr == f"{who}: cannot write: No space left on device\n"


@full
def test_what_was_done_is_done_if_nobody_can_be_told_of_it(write, tmp_path):
    path = write("a.tsv", "One.\tUn.\t0.9\nTwo.\tDeux.\t0.8\n")
    with Path("/dev/full").open("w") as nowhere:
        command = [*RUN, "convert", path, tmp_path / "o.tmx"]
        done = subprocess.run(command, stderr=nowhere, check=False)
        wrong = subprocess.run([*RUN, "convert", "none", "o.tmx"], stderr=nowhere, check=False)
    assert (done.returncode, wrong.returncode) == (0, 2)
    assert "Deux." in (tmp_path / "o.tmx").read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell closes streams")
def test_a_closed_standard_output_is_told(write, tmp_path):
    path = write("a.tsv", "One.\tUn.\t0.9\n")
    convert = f"convert {path} {tmp_path}/o.jsonl --json"
    for arguments in ("--help", "--version", "score --help", "metrics", convert):
        command = f'"{sys.executable}" -m bitext {arguments} >&-'
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "standard output is closed" in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "o.jsonl").exists()


def test_json_is_json_whatever_the_encoding_of_standard_output(write, tmp_path):
    path, out = write("a.tsv", "One.\tUn.\t0.9\n"), tmp_path / "é𝄞.jsonl"
    env = {**os.environ, **ASCII_ONLY}
    command = [*RUN, "convert", path, out, "--json", "-q"]
    done = subprocess.run(command, capture_output=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("ascii"))["files"][0]["output"] == str(out)
