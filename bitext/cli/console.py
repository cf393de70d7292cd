"""How far long work is, told on a terminal."""

from __future__ import annotations

import codecs
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TextIO

from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from types import FrameType

    Handler = Callable[[int, FrameType | None], object]

__all__ = [
    "EndedError",
    "Progress",
    "end_in_order",
    "ending",
    "held_back",
    "hush",
    "refuse_closed",
    "remark",
    "say",
]


# An orderly end when somebody wants one: SIGTERM and SIGHUP end a run as Ctrl-C does.


_ENDING = ("SIGTERM", "SIGHUP")  # those of them that the system has
_GRACE = 10.0  # seconds for an end in order
_SOON = 0.02  # seconds until what was ignored is tried again


class EndedError(KeyboardInterrupt):
    """A signal that ends the run.

    Attributes
    ----------
    number : int
        Which.

    """

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(f"ended by {signal.Signals(number).name}")


_came: list[KeyboardInterrupt] = []  # what signals have raised in this process


def ending() -> KeyboardInterrupt | None:
    """Return the error of the signal that was to end this process, whatever became of it."""
    return _came[0] if _came else None


def _interrupt(number: int, frame: FrameType | None) -> None:
    _came.append(KeyboardInterrupt())
    signal.default_int_handler(number, frame)


def end_in_order(*, grace: float = _GRACE) -> None:
    """Let the signals raise an error, so that what was begun is taken away; but for `nohup`.

    Who is not through with that after so many seconds of grace is killed, by SIGALRM: an error that
    comes from nowhere may find others' code where it holds a lock. One that finds code whose errors
    are ignored, as the hooks of a fork, is raised again soon after; so is that of Ctrl-C.
    """
    here = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        if os.getpid() != here:  # a process that was forked has nothing to take away
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        for each in caught:  # `timeout` sends two of them
            signal.signal(each, signal.SIG_IGN)
        limit()
        _came.append(EndedError(number))
        raise EndedError(number)

    def limit() -> None:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, grace)

    def ignored(what: sys.UnraisableHookArgs) -> None:
        error = what.exc_value
        if not isinstance(error, KeyboardInterrupt) or not hasattr(signal, "setitimer"):
            sys.__unraisablehook__(what)
            return

        def again(number: int, frame: FrameType | None) -> None:
            del number, frame
            if isinstance(error, EndedError):
                limit()
                raise EndedError(error.number)
            raise KeyboardInterrupt

        signal.signal(signal.SIGALRM, again)
        signal.setitimer(signal.ITIMER_REAL, _SOON)

    sys.unraisablehook = ignored
    known = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    caught = [number for number in known if signal.getsignal(number) == signal.SIG_DFL]
    for number in caught:
        signal.signal(number, end)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


@contextmanager
def held_back() -> Iterator[None]:
    """Let the signals that end a run wait for the end of this, Ctrl-C too.

    An error from nowhere would leave a lock held, or a process that was begun and not yet known. A
    process that is forked meanwhile has nothing to take away: it ends at once, but for Ctrl-C,
    which is for the one that began it.
    """
    here = os.getpid()
    waiting: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        del frame
        if os.getpid() == here:
            waiting.append(number)
        elif number != signal.SIGINT:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    if threading.current_thread() is not threading.main_thread():  # signals are for that
        yield
        return
    before: dict[int, Handler] = {}
    try:
        for name in (*_ENDING, "SIGINT"):
            number = getattr(signal, name, 0)
            if number and callable(handler := signal.getsignal(number)):
                before[number] = handler
                signal.signal(number, note)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if waiting:
            signal.raise_signal(waiting[0])


# What is said: results on standard output, all else on standard error.
#
# A result that cannot be written is an error. What is told beside it is not: the work was done,
# whether or not anybody can be told of it.


def say(parts: Iterable[str]) -> None:
    """Write to standard output; what its encoding lacks is escaped, so that JSON remains JSON.

    Raises
    ------
    InputError
        When it is closed.
    OSError
        When it cannot be written to, or nobody reads it any more.

    """
    refuse_closed()
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        codecs.register_error("bitext", _escaped)
        reconfigure(errors="bitext")
    sys.stdout.writelines(parts)
    sys.stdout.flush()


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[k : k + 4]}" for k in range(0, len(units), 4)), error.end


def refuse_closed() -> None:
    """Refuse a standard output that is closed: Python has none then.

    Raises
    ------
    InputError
        When it is.

    """
    if sys.stdout is None:
        raise InputError("standard output is closed: open it")


def remark(text: str) -> None:
    """Write to standard error, or nowhere if that cannot be written to."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        hush(sys.stderr)


def hush(stream: TextIO) -> None:
    """Let what is still to be written to a stream go nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


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
