"""How far long work is, told on a terminal."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from bitext.cli.speaking import remark

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

__all__ = ["Progress"]

_BEAT = 1.0  # seconds
_WIPE = "\r\x1b[K"


class Progress:
    """Tells on standard error how far long work is, when that is a terminal.

    `over` goes through items whose number is known; `add` and `end` are for work whose size is not,
    or whose steps are not alike. Where one step may be long, `beating` shows that it goes on.

    Parameters
    ----------
    what : str
        What is counted.
    total : int
        How many there are; 0: that is not known.
    quiet : bool
        Whether nothing is told.

    """

    def __init__(self, what: str, total: int = 0, *, quiet: bool) -> None:
        self._what, self._total = what, total
        self._done = 0
        self._begun = self._shown = time.monotonic()
        self._live = not quiet and sys.stderr is not None and sys.stderr.isatty()

    def over(
        self, items: Iterable[Any], *, size: Callable[[Any], int] | None = None
    ) -> Generator[Any]:
        """Yield the items, telling how many are done, at most ten times a second.

        It tells at once that work has begun: one item may be a file of a million lines. Close it
        when something fails, so that the line is wiped before the error is told. With `size` each
        item counts for that much of the total, and the time that is left is told too.
        """
        done = 0
        try:
            self._tell(f"{self._what} 0 of {self._total:,} ...")
            for item in items:
                yield item
                done += 1 if size is None else size(item)
                now = time.monotonic()
                if now - self._shown > 0.1:
                    rate = done / (now - self._begun)
                    self._shown = now
                    left = f", {(self._total - done) / rate:,.0f} s left" if size else ""
                    told = f"{rate:,.0f} a second{left}"
                    self._tell(f"{self._what} {done:,} of {self._total:,} ({told})")
        finally:
            self._tell("")

    def add(self, count: int, *, total: int | None = None) -> None:
        """Tell that so many more are done, at most ten times a second; `total` if it has grown."""
        self._done += count
        self._total = self._total if total is None else total
        now = time.monotonic()
        if self._live and now - self._shown > 0.1:
            rate = self._done / (now - self._begun)
            self._shown = now
            self._tell(f"{self._counted()} ({rate:,.0f} a second)")

    def end(self) -> None:
        """Wipe the line."""
        self._tell("")

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Tell every second how long it takes, as long as the work inside goes on; wipe the line.

        Work inside may fork, so the thread that tells takes no lock that a fork would copy: it
        writes to the file descriptor itself.
        """
        over = Event()
        beat = Thread(target=self._beat, args=(over,), daemon=True)
        if self._live:
            beat.start()
        try:
            yield
        finally:
            over.set()
            if self._live:
                beat.join()
            self.end()

    def _beat(self, over: Event) -> None:
        stream = sys.stderr.fileno()
        while not over.wait(_BEAT):
            now = time.monotonic()
            if now - self._shown >= _BEAT:
                line = f"{self._counted()}; {now - self._begun:,.0f} s"
                os.write(stream, f"{_WIPE}{self._cut(line)}".encode())

    def _counted(self) -> str:
        of = f" of {self._total:,}" if self._total else ""
        return f"{self._done:,}{of} {self._what}"

    def _tell(self, line: str) -> None:
        """Put a line in the place of the last one."""
        if self._live:
            remark(f"{_WIPE}{self._cut(line)}")

    def _cut(self, line: str) -> str:
        """Cut a line that would take two of the terminal: only one is wiped."""
        try:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
        except (OSError, ValueError):
            columns = 0  # as those say that do not know
        return line[: columns - 1] if columns > 1 else line
