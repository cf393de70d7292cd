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
    """Yield the console blocks: their commands, each with the output shown under it."""
    for block in re.findall(r"^```console\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL):
        parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        steps = [part.replace("\\\n", " ").partition("\n")[::2] for part in parts]
        yield pytest.param(steps, id=steps[0][0][:60])


@pytest.mark.parametrize("steps", list(sessions()))
def test_the_readme_shows_what_its_commands_print(steps, tmp_path):
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")  # a place where files may be written
    env = {**os.environ, "COLUMNS": "100", "PYTHONPATH": str(ROOT)}
    for command, shown in steps:
        words = shlex.split(command)
        assert words[0] == "bitext", "the README runs bitext and nothing else"
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        # A busy machine takes so long that it is told.
        lines = [re.sub(r" in \d+ s$", "", line.rstrip()) for line in done.stdout.splitlines()]
        assert "\n".join(lines).rstrip() == shown.rstrip(), command


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
