"""Files that an earlier run left in a folder of outputs, of texts that are gone since."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reference.job_tasks import AtHand


@pytest.fixture
def corpus(write, tmp_path, monkeypatch):
    """Three texts in each of two folders, and their alignments in a third one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    for name in "abc":
        write(f"en/{name}.en", f"One dog {name}.\nTwo cats sleep.\n")
        write(f"fr/{name}.fr", f"Un chien {name}.\nDeux chats dorment.\n")
        write(f"m/{name}.tsv", f"One dog {name}.\tUn chien {name}.\nTwo cats.\tDeux chats.\n")
    shutil.copytree("m", "n")


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("align en fr -o out/ --to jsonl", "c.jsonl"),
        ("align en fr -o out/ --to jsonl -j 1 --journal j", "c.jsonl"),
        ("align en fr -o out/ --to moses --src-lang en --tgt-lang fr", "c.en, c.fr"),
        ("convert m out/ --to vecalign --compress gz", "c.vecalign.gz"),
        ("convert m out/ --to epub", "c.epub"),
        ("link m -o out/ --to jsonl", "c.jsonl"),
        ("combine m n -o out/ --to tmx", "c.tmx"),
        ("join m n --langs en-fr,en-de --by text -o out/ --to tsv", "c.tsv"),
        ("sample m -n 1 --each -o out/ --to tmx", "c.tmx"),
    ],
)
@pytest.mark.usefixtures("corpus")
def test_outputs_of_texts_that_are_gone_are_noted(bitext, command, left):
    assert "also has" not in bitext(*command.split()).err
    for path in Path().glob("*/c.*"):
        if path.parent.name != "out":
            path.unlink()
    for path in Path().glob("j*"):
        path.unlink()
    Path("out/readme.md").write_text("What is here.\n", encoding="utf-8")
    result = bitext(*command.split(), "-v")
    note = f"note: out/: also has {left}, of no text of this run: delete what an earlier one left"
    assert (result.status, note in result.err) == (0, True), result.err


@pytest.mark.parametrize("jobs", [(), ("-j", "1", "--journal", "j")])
@pytest.mark.usefixtures("corpus")
def test_volumes_that_are_written_side_by_side_leave_nothing(bitext, jobs):
    bitext("align", "en", "fr", "-o", "out/", "--to", "jsonl")
    for side in ("en", "fr"):
        Path("2", side).mkdir(parents=True)
        for name in "abc":
            shutil.copy(f"{side}/{name}.{side}", f"2/{side}/{name}2.{side}")
    result = bitext("align", "2/en", "2/fr", "-o", "out/", "--to", "jsonl", *jobs)
    assert (result.status, "also has" in result.err) == (0, False), result.err
    assert len([*Path("out").iterdir()]) == 6


def test_paragraphs_of_texts_that_are_gone_are_noted(bitext, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = [write(f"texts/{name}.txt", "One dog sleeps.\nTwo cats sleep.\n") for name in "abc"]
    command = ["paragraphs", "split", "texts", "--sentences", "--lang", "en", "-o", "out/"]
    assert "also has" not in bitext(*command).err
    Path(texts[2]).unlink()
    Path("out/README.txt").write_text("What is here.\n", encoding="utf-8")
    assert "also has" not in bitext(*command[:2], *texts[:1], *command[3:]).err
    assert "out/: also has c.txt, of no text of this run" in bitext(*command).err


@pytest.mark.usefixtures("corpus")
def test_texts_that_are_written_one_by_one_leave_nothing(bitext):
    for name in "ab":
        for command in (f"convert m/{name}.tsv", f"align en/{name}.en fr/{name}.fr -o"):
            result = bitext(*command.split(), "out/", "--to", "jsonl")
            assert (result.status, "also has" in result.err) == (0, False)


@pytest.mark.usefixtures("corpus")
def test_other_files_beside_inputs_and_outputs_are_no_leftovers(bitext, write):
    write("list.tsv", "text\tsrc\ttgt\na\ten/a.en\tfr/a.fr\nb\ten/b.en\tfr/b.fr\n")
    write("scores.tsv", "One.\tUn.\n")
    write("out/counts.jsonl", '{"counts": [1, 2]}\n')
    for out, kind in (("./", "tsv"), ("out/", "jsonl"), ("out/", "tsv"), ("out/", "tsv")):
        more = ("--save-lexicon", "out/lexicon.tsv") if out == "out/" else ()
        result = bitext("align", "list.tsv", "-o", out, "--to", kind, *more)
        assert (result.status, "also has" in result.err) == (0, False), result.err
