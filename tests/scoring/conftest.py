from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest

from bitext.cli.main import main

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.fixture
def command(capsys):
    """Return a function that runs a command and returns its standard output."""

    def run(*arguments):
        assert main([str(argument) for argument in arguments]) == 0
        return capsys.readouterr().out

    return run


@pytest.fixture
def document(command):
    """Return a function that runs a command with --json and returns its document."""

    def run(*arguments):
        return json.load(StringIO(command(*arguments, "--json", "--quiet")))

    return run
