"""Progress: told on a terminal only, a line that is wiped."""

from __future__ import annotations

import io
import os
import select
import sys
import time
from contextlib import contextmanager

import pytest

from bitext.cli.align.running import forked_map
from bitext.cli.console import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes a second with every look at it."""
    seconds = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))


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
def test_work_may_become_more(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    told = Progress("sentences", 100, quiet=False)
    told.add(50)
    told.add(50, total=200)
    assert "50 of 100 sentences" in sys.stderr.getvalue()
    assert "100 of 200 sentences" in sys.stderr.getvalue()


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


def test_without_standard_error_there_is_no_progress(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert list(Progress("scored", 3, quiet=False).over("abc")) == ["a", "b", "c"]
    with Progress("scored", quiet=False).beating():
        pass


@contextmanager
def screen(monkeypatch):
    """A terminal of 30 columns; called, it gives what it was told so far."""
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        patch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((30, 24)))
        yield lambda: _all_of(ours).decode().split("\r\x1b[K")
    os.close(ours)


def _all_of(terminal):
    """Read what was written, which comes in parts."""
    read = b""
    while select.select([terminal], [], [], 0.2)[0]:
        read += os.read(terminal, 100_000)
    return read


def test_a_step_that_is_long_is_seen_to_go_on(monkeypatch):
    with screen(monkeypatch) as lines:
        # Nobody reads meanwhile: a terminal holds some hundred beats, then who writes waits.
        told = Progress("steps", 7, quiet=False, beat=0.05)
        with told.beating():
            told.add(3)
            assert list(forked_map(2)(_late, [1, 2])) == [1, 2], "work inside may fork"
        shown = lines()
    assert sum(line.startswith("3 of 7 steps; ") for line in shown) > 2
    assert shown[-1] == "", "it is wiped"


def _late(number):
    time.sleep(0.3)
    return number


def _fails_late():
    with Progress(f"steps {'of a kind ' * 9}", quiet=False, beat=0.01).beating():
        time.sleep(0.1)
        raise ValueError("x")


def test_a_line_is_cut_to_the_terminal_and_wiped_before_an_error(monkeypatch):
    with screen(monkeypatch) as lines:
        with pytest.raises(ValueError, match="x"):
            _fails_late()
        shown = lines()
    assert {len(line) for line in shown} == {0, 29}
    assert shown[-1] == ""
