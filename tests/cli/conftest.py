from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from bitext.cli.main import main

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@dataclass
class Result:
    status: int
    out: str
    err: str

    def lines(self):
        return self.err.splitlines()


@pytest.fixture(autouse=True)
def width(monkeypatch):
    """A terminal of one width, however the tests are run."""
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def bitext(capsys):
    """Runs the command line in this process."""

    def run(*arguments):
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return run


@pytest.fixture
def coast():
    return FIXTURES / "coast"


@pytest.fixture
def harbour():
    return FIXTURES / "harbour"


@pytest.fixture
def published():
    return FIXTURES / "published"


@pytest.fixture
def texts(coast):
    """The options that name the texts of the coast corpus."""
    return ["--src", f"{coast}/text/{{name}}.en", "--tgt", f"{coast}/text/{{name}}.fr"]


@pytest.fixture
def write(tmp_path):
    """Writes small files, and gives their paths."""

    def make(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8", newline="")
        return path

    return make
