"""Files and folders that must not be read, looked into or written."""

import errno
import os
from pathlib import Path

import pytest

from bitext.cli import main as cli
from bitext.errors import InputError
from bitext.paths import (
    files_below,
    files_in,
    is_file,
    is_folder,
    may_be_there,
    names_in,
    why_unwritable,
)
from reference.permissions import as_anybody

DENIED = os.strerror(errno.EACCES)
GOLD = "[0]:[0]\n[1]:[1]\n"
TSV = "One.\tUn.\nTwo.\tDeux.\n"
EN, FR = "One.\nTwo.\n", "Un.\nDeux.\n"


@pytest.fixture
def shut(write, tmp_path, monkeypatch):
    """Make folders `shut`, of mode 000, and `kept`, that may be read; files of both and of `.`."""
    monkeypatch.chdir(tmp_path)
    for folder in ("", "shut/", "kept/"):
        for name, text in (
            ("g.align", GOLD),
            ("t.tsv", TSV),
            ("a.en", EN),
            ("a.fr", FR),
            ("a.labels", "0\n1\n1\n"),
        ):
            write(folder + name, text)
    Path("shut").chmod(0)
    Path("kept").chmod(0o555)
    with as_anybody():
        yield
    for folder in ("shut", "kept"):
        Path(folder).chmod(0o755)


@pytest.mark.parametrize(
    "command",
    [
        "score g.align shut/g.align",
        "score shut/g.align g.align",
        "score g.align g.align --src shut/a.en --tgt shut/a.fr",
        "score shut shut",
        "align shut/a.en shut/a.fr --to tsv",
        "align a.en a.fr -o new.tsv --gold shut/g.align",
        "align a.en a.fr --to tsv --dictionary shut/a.tsv",
        "align a.en a.fr --to tsv --dictionary shut",
        "align shut kept --to tsv",
        "convert shut/t.tsv - --to jsonl",
        "convert shut new/ --to jsonl",
        "convert . new/ --to jsonl",
        "convert shut/a.en,shut/a.fr - --to tsv",
        "check shut/t.tsv",
        "check shut",
        "show shut/t.tsv",
        "compare shut/t.tsv t.tsv",
        "cluster shut/a.en",
        "cluster shut --by term",
        "paraphrase shut/a.en",
        "paragraphs split shut/a.en --lang en",
        "paragraphs split shut --lang en",
        "paragraphs split a.en --model shut/m",
    ],
)
@pytest.mark.usefixtures("shut")
def test_what_must_not_be_read(bitext, command):
    found = bitext(*command.split())
    assert (found.status, found.out, len(found.lines())) == (2, "", 1)
    assert "shut" in found.err
    assert f"cannot be read: {DENIED}" in found.err


@pytest.mark.parametrize("folder", ["shut", "kept"])
@pytest.mark.parametrize(
    "command",
    [
        "score g.align g.align -o {}/x.tsv",
        "score g.align g.align --html {}/x.html",
        "align a.en a.fr -o {}/x.tsv",
        "align a.en a.fr -o {}/ --to jsonl",
        "align a.en a.fr -o {}/new/ --to tsv",
        "align a.en a.fr --to tsv --save-lexicon {}/x",
        "convert t.tsv {}/x.jsonl",
        "convert t.tsv {}/new/ --to jsonl",
        "convert t.tsv {0}/x.en,{0}/x.fr --to moses",
        "check t.tsv -o {}/x.json",
        "show t.tsv -o {}/x.html",
        "compare a.labels a.labels -m A -o {}/x.json",
        "cluster a.en -o {}/x.json",
        "paragraphs split a.en --lang en -o {}/x",
        "paragraphs train a.en -o {}/x",
        "study errors -o {}/x/",
    ],
)
@pytest.mark.usefixtures("shut")
def test_what_must_not_be_written(bitext, command, folder):
    found = bitext(*command.format(folder).split())
    assert (found.status, found.out, len(found.lines())) == (2, "", 1)
    assert f"{folder}/" in found.err
    assert found.err.endswith((f"cannot be written: {DENIED}\n", f"cannot be made: {DENIED}\n"))


@pytest.mark.usefixtures("shut")
def test_a_name_is_looked_for_where_others_may_not_be_listed(bitext):
    """What is near a mistyped name is told only where it may be known."""
    Path("kept").chmod(0o111)
    found = bitext("check", "kept/u.tsv")
    assert (found.status, found.lines()) == (
        2,
        ["bitext check: kept/u.tsv: no such file; check the path"],
    )


@pytest.mark.usefixtures("shut")
def test_a_file_of_a_folder_that_takes_no_others_stays(bitext):
    """What is written anew is made aside, and renamed."""
    assert why_unwritable("kept/t.tsv") == DENIED
    assert (
        f"kept/t.tsv: cannot be written: {DENIED}" in bitext("convert", "t.tsv", "kept/t.tsv").err
    )
    assert Path("kept/t.tsv").read_text() == TSV
    assert why_unwritable("t.tsv") == why_unwritable("/dev/null") == why_unwritable("no/x") == ""


@pytest.mark.usefixtures("shut")
def test_questions_have_the_same_answers_on_all_versions_of_python(tmp_path):
    assert not is_file("shut/t.tsv")
    assert not is_folder("shut/new")
    assert may_be_there("shut/new")
    assert not may_be_there("kept/new")
    assert not may_be_there("x" * 300)
    assert not is_folder("a\0b")
    assert [path.name for path in files_in("kept")] == [
        "a.en",
        "a.fr",
        "a.labels",
        "g.align",
        "t.tsv",
    ]
    with pytest.raises(InputError, match=rf"^shut: cannot be read: {DENIED}; make it readable"):
        files_in("shut")
    with pytest.raises(InputError, match=rf"shut: cannot be read: {DENIED}"):
        files_below(tmp_path)
    assert files_below("kept") == [Path("kept", name) for name in sorted(names_in("kept"))]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.EIO, "Input/output error", "a/b"), "a/b: Input/output error"),
        (
            OSError(errno.EIO, "Input/output error", "b" * 999),
            f"{'b' * 200} ...: Input/output error",
        ),
        (
            OSError(errno.EMFILE, "Too many open files"),
            "Too many open files: allow more (ulimit -n)",
        ),
        (MemoryError(), "memory ran out: allow more"),
        (MemoryError("Unable to allocate"), "memory ran out (Unable to allocate): allow more"),
        (OSError(errno.ENOTEMPTY, "Directory not empty", "a/b"), None),
    ],
)
def test_what_the_machine_refuses_is_no_bug(monkeypatch, capsys, error, told):
    """An error of the system is one line; only others have a traceback."""

    def refuse(*_):
        raise error

    monkeypatch.setattr("bitext.cli.listings.run_formats", refuse)
    assert cli.main(["formats"]) == (2 if told else cli.BUG)
    lines = capsys.readouterr().err.splitlines()
    assert (len(lines) == 1) == bool(told)
    assert ("Traceback" in lines[0]) == (not told)
    assert not told or lines[0].startswith(f"bitext formats: {told}")
