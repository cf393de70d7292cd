"""The shell lines of the README are run, and what they print is what it shows."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from bitext.metrics import all_metrics

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def sessions():
    """Yield each command of the console blocks with the output shown under it."""
    for block in re.findall(r"^```console\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.replace("\\\n", " ").partition("\n")
            yield pytest.param(command, shown, id=command[:60])


@pytest.mark.parametrize(("command", "shown"), list(sessions()))
def test_the_readme_shows_what_its_commands_print(command, shown):
    words = shlex.split(command)
    assert words[0] == "bitext", "the README runs bitext and nothing else"
    env = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    # A busy machine takes so long that it is told.
    lines = [re.sub(r" in \d+ s$", "", line.rstrip()) for line in done.stdout.rstrip().splitlines()]
    assert lines == [line.rstrip() for line in shown.rstrip().splitlines()]


def test_the_readme_shows_python_that_runs():
    found = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert found.examples
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        assert runner.run(found).failed == 0
    finally:
        os.chdir(here)


def test_every_metric_stands_in_a_table():
    cells = "".join(line for line in README.splitlines() if line.startswith("| `"))
    missing = [name for name in all_metrics() if f"`{name}`" not in cells]
    # Alignments have tables of measures, not of metrics.
    assert missing == ["arcade", "bisegment-similarity"]


def test_the_tables_of_formats_are_those_of_the_registry():
    command = [sys.executable, ROOT / "scripts" / "make_tables.py", "--check"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout, done.returncode) == ("up to date\n", 0)
    assert README.count("<!-- bitext formats") == 2
