"""The notebooks of the guides run, and their stored outputs are those of a run."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "run_notebook.py"
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def run(*arguments):
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False
    )


def cell(source, kind="code"):
    made = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
    return {**made, "execution_count": None, "outputs": []} if kind == "code" else made


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_stored_outputs_are_those_of_a_run(path):
    done = run("--check", path)
    assert (done.returncode, done.stdout) == (0, f"{path.name}: up to date\n"), done.stderr


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_links_lead_somewhere_and_no_output_is_large_or_of_one_machine(path):
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    prose = "".join("".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "markdown")
    links = re.findall(r"\]\(([^)#]+)", prose)
    assert links
    assert [link for link in links if not (path.parent / link).exists()] == []
    assert str(ROOT) not in text
    assert not re.search(r"/(tmp|home|root)/", text)
    assert len(text) < 200_000


def test_outputs_are_written_and_other_ones_are_shown(tmp_path):
    path = tmp_path / "one.ipynb"
    cells = [
        cell("# Sums", "markdown"),
        cell("print('one')\nimport bitext\nbitext.Ratio(1, 4) + bitext.Ratio(1, 4)"),
        cell("display('<two>')\n2;"),
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert run(path).returncode == 0
    assert run("--check", path).returncode == 0
    made = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert made[0] == cells[0]
    first, second = (each["outputs"] for each in made[1:])
    assert first[0]["text"] == ["one\n"]
    assert "(2/8)" in first[1]["data"]["text/plain"][0]
    assert [output["output_type"] for output in second] == ["display_data"]
    text = path.read_text(encoding="utf-8")
    other = text.replace("one\\n", "two\\n")
    path.write_text(other, encoding="utf-8")
    done = run("--check", path)
    assert done.returncode == 1
    assert "two" in done.stdout
    assert path.read_text(encoding="utf-8") == other


def test_an_error_ends_the_run(tmp_path):
    path = tmp_path / "bad.ipynb"
    notebook = {"cells": [cell("1 / 0")], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    done = run("--check", path)
    assert done.returncode != 0
    assert "ZeroDivisionError" in done.stderr
