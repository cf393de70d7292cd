from __future__ import annotations

import re
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from bitext.cli.main import COMMANDS, main

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


_NAMED = r"(?<![\w/'-])--[a-z][a-z-]*[a-z]"
# Told to be of another command: `--max-size of bitext convert`, 'bitext align --learn-only'.
_FOREIGN = rf"{_NAMED}(?:, {_NAMED})* of bitext [a-z]+|'?bitext [a-z]+ [^;']*"


@cache
def _options(command):
    """Return the options that a command tells of itself."""
    told = StringIO()
    kinds = ("split", "train", "score", "show", "export", "import")
    for more in [(kind,) for kind in kinds] if command == "paragraphs" else [()]:
        with redirect_stdout(told), suppress(SystemExit):
            main([command, *more, "--help"])
    return {*re.findall(r"--[a-z][a-z-]*[a-z]", told.getvalue())}


@pytest.fixture
def bitext(capsys):
    """Runs the command line in this process."""

    def run(*arguments):
        given = [str(argument) for argument in arguments]
        status = main(given)
        captured = capsys.readouterr()
        named = {*re.findall(_NAMED, re.sub(_FOREIGN, "", captured.err))}
        if named and given[0] in COMMANDS:
            known = set(_options(given[0]))
            if told := re.search("make the shards anew by 'bitext ([a-z]+)'", captured.err):
                known |= _options(told[1])
            lacking = named - known - {each.split("=")[0] for each in given}
            assert not lacking, f"{given[0]} has no {lacking}: {captured.err}"
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
