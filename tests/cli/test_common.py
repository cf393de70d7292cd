from __future__ import annotations

import argparse
import io
import sys

import pytest

from bitext.cli import common
from bitext.cli.common import Progress, deliver, tell


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes a second with every look at it."""
    seconds = iter(range(1000))
    monkeypatch.setattr(common.time, "monotonic", lambda: next(seconds))


@pytest.mark.usefixtures("clock")
def test_progress_is_told_on_a_terminal_and_wiped_at_the_end(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert list(Progress("scored", 3, quiet=False).over("abc")) == ["a", "b", "c"]
    told = sys.stderr.getvalue()
    assert told.startswith("\r\x1b[Kscored 0 of 3 ...")
    assert "scored 2 of 3 (1 a second)" in told
    assert told.endswith("\r\x1b[K")


@pytest.mark.usefixtures("clock")
def test_items_of_several_sizes_tell_the_time_that_is_left(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    items = [100, 20, 880]
    assert list(Progress("units", 1000, quiet=False).over(items, size=int)) == items
    told = sys.stderr.getvalue()
    assert "units 100 of 1,000 (100 a second, 9 s left)" in told
    assert "units 120 of 1,000 (60 a second, 15 s left)" in told


@pytest.mark.usefixtures("clock")
def test_progress_is_wiped_before_an_error_is_told(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    items = Progress("scored", 3, quiet=False).over("abc")
    next(items)
    items.close()
    assert sys.stderr.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(("stream", "quiet"), [(io.StringIO, False), (Terminal, True)])
@pytest.mark.usefixtures("clock")
def test_elsewhere_or_when_quiet_there_is_no_progress(monkeypatch, stream, quiet):
    monkeypatch.setattr(sys, "stderr", stream())
    assert list(Progress("scored", 3, quiet=quiet).over("abc")) == ["a", "b", "c"]
    assert sys.stderr.getvalue() == ""


def test_few_notes_are_told_unless_all_are_wanted(capsys):
    notes = [f"note {k}\x1b" for k in range(8)]
    tell(notes, argparse.Namespace(quiet=False, verbose=False))
    few = capsys.readouterr().err.splitlines()
    assert few[-1] == "note: and 3 more (--verbose)"
    assert few[0] == "note: note 0\\u001b"
    tell(notes, argparse.Namespace(quiet=False, verbose=True))
    assert len(capsys.readouterr().err.splitlines()) == 8


def test_what_a_terminal_cannot_show_is_escaped(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    deliver("naïve\n", argparse.Namespace(output="-"))
    sys.stdout.flush()
    assert raw.getvalue() == b"na\\xefve\n"
