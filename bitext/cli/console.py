"""Signals that end a run, standard output and error, progress, and freed memory."""

from __future__ import annotations

import codecs
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Event, Thread
from types import FrameType
from typing import TYPE_CHECKING, Any, Self, TextIO

from bitext.errors import InputError

if TYPE_CHECKING:
    Handler = Callable[[int, FrameType | None], object]

# SIGTERM and SIGHUP, as Ctrl-C, end a run in order: temporary files and processes are removed.

_ENDING = ("SIGTERM", "SIGHUP")  # Windows lacks the second
_GRACE = 10.0  # seconds for an orderly end before SIGALRM kills the process; set by hand
_SOON = 0.02  # seconds until an error that a hook ignored is raised again; set by hand


class EndedError(KeyboardInterrupt):
    """The signal `number`, which ends the run."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(f"ended by {signal.Signals(number).name}")


_raised: list[KeyboardInterrupt] = []  # errors that signals have raised in this process


def signal_error() -> KeyboardInterrupt | None:
    """Return the error of the signal that was to end this process, even if it was caught."""
    return _raised[0] if _raised else None


def _interrupt(number: int, frame: FrameType | None) -> None:
    _raised.append(KeyboardInterrupt())
    signal.default_int_handler(number, frame)


def handle_signals(*, grace: float = _GRACE) -> None:
    """Turn the signals into errors, so that a run cleans up; `nohup` stays in force.

    An error raised by a signal may strike library code that holds a lock: a process that has not
    ended after `grace` seconds is killed by SIGALRM. An error that strikes code whose errors are
    ignored, as the hooks of a fork, is raised again soon after; so is that of Ctrl-C.
    """
    process = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        if os.getpid() != process:  # a forked process has nothing to clean up
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        for each in caught:  # `timeout` sends two signals
            signal.signal(each, signal.SIG_IGN)
        limit()
        _raised.append(EndedError(number))
        raise EndedError(number)

    def limit() -> None:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, grace)

    def ignored(unraisable: sys.UnraisableHookArgs) -> None:
        error = unraisable.exc_value
        if not isinstance(error, KeyboardInterrupt) or not hasattr(signal, "setitimer"):
            sys.__unraisablehook__(unraisable)
            return
        number = error.number if isinstance(error, EndedError) else signal.SIGINT
        if number in caught:
            signal.signal(number, end)

        def again(*_: object) -> None:
            signal.raise_signal(number)  # as a signal, so that `delayed_signals` can delay it

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
def delayed_signals() -> Iterator[None]:
    """Delay the signals that end a run, Ctrl-C too, to the end of the context.

    An error within could leave a lock locked, or a process running that nobody knows yet. A process
    forked within has nothing to clean up: it ends at once, but ignores Ctrl-C, which its parent
    handles.
    """
    process = os.getpid()
    waiting: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        del frame
        if os.getpid() == process:
            waiting.append(number)
        elif number != signal.SIGINT:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    if threading.current_thread() is not threading.main_thread():  # the one that gets signals
        yield
        return
    handlers_before: dict[int, Handler] = {}
    try:
        for name in (*_ENDING, "SIGINT"):
            number = getattr(signal, name, 0)
            if number and callable(handler := signal.getsignal(number)):
                handlers_before[number] = handler
                signal.signal(number, note)
        yield
    finally:
        for number, handler in handlers_before.items():
            signal.signal(number, handler)
        if waiting:
            signal.raise_signal(waiting[0])


# Results go to standard output, all else to standard error. A failure to write a result is an
# error; a failure to write a note is not, as the work was done.


def write_out(parts: Iterable[str]) -> None:
    """Write to standard output; escape characters that its encoding lacks, as JSON does.

    Files and pipes get UTF-8, as all outputs do, unless `PYTHONIOENCODING` names another encoding:
    what a table has in a legacy encoding, or escaped, would be read back as another text.

    Raises `InputError` when standard output is closed, and `OSError` when it cannot be written, or
    its reader has closed it.
    """
    refuse_closed()
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        codecs.register_error("bitext", _escaped)
        ours = sys.stdout is sys.__stdout__ and not os.environ.get("PYTHONIOENCODING")
        saved = ours and not sys.stdout.isatty()
        reconfigure(encoding="utf-8" if saved else None, errors="bitext")
    sys.stdout.writelines(parts)
    sys.stdout.flush()


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[k : k + 4]}" for k in range(0, len(units), 4)), error.end


def refuse_closed() -> None:
    """Refuse a closed standard output, for which Python has `None`.

    Raises `InputError` when standard output is closed.
    """
    if sys.stdout is None:
        raise InputError("standard output is closed: open it")


def write_err(text: str) -> None:
    """Write to standard error; give it up if it cannot be written."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        hush(sys.stderr)


def hush(stream: TextIO) -> None:
    """Redirect a stream, with the text in its buffer, to the null device."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


_WIPE = "\r\x1b[K"


class Progress:
    """The progress of long work, in a line on standard error if that is a terminal.

    `over` goes through items of a known number; `add` serves work of unknown size, or with steps of
    several sizes, in a `with` block, at whose end the line is wiped. During a long step `beating`
    shows that the work goes on.

    `what` is the noun for the items, `total` their number, 0 if unknown, and `beat` the seconds
    between two lines of `beating`. With `quiet` nothing is printed.
    """

    def __init__(self, what: str, total: int = 0, *, quiet: bool, beat: float = 1.0) -> None:
        self._what, self._total, self._seconds = what, total, beat
        self._done = 0
        self._begun = self._shown = time.monotonic()
        self._live = not quiet and sys.stderr is not None and sys.stderr.isatty()

    def over(
        self, items: Iterable[Any], *, size: Callable[[Any], int] | None = None
    ) -> Generator[Any]:
        """Yield the items; print the number done so far, at most ten times a second.

        The first line comes at once, as one item may be a file of a million lines. Close the
        generator when something fails, so that the line is wiped before the error is printed. With
        `size` each item counts for its size in the total, and the line has the time left, too.
        """
        done = 0
        try:
            self.show(f"{self._what} 0 of {self._total:,} ...")
            for item in items:
                yield item
                done += 1 if size is None else size(item)
                now = time.monotonic()
                if now - self._shown > 0.1:
                    rate = done / (now - self._begun)
                    self._shown = now
                    left = f", {(self._total - done) / rate:,.0f} s left" if size else ""
                    speed = f"{rate:,.0f} a second{left}"
                    self.show(f"{self._what} {done:,} of {self._total:,} ({speed})")
        finally:
            self.show("")

    def add(self, count: int, *, total: int | None = None) -> None:
        """Count more items as done, of a new `total` if given; print at most ten times a second."""
        self._done += count
        self._total = self._total if total is None else total
        now = time.monotonic()
        if self._live and now - self._shown > 0.1:
            rate = self._done / (now - self._begun)
            self._shown = now
            self.show(f"{self._counted()} ({rate:,.0f} a second)")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def end(self) -> None:
        """Wipe the line."""
        self.show("")

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Print the elapsed time at every beat within the context; wipe the line at its end.

        The work within may fork, so the thread that prints takes no lock that a fork would copy: it
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
        while not over.wait(self._seconds):
            now = time.monotonic()
            if now - self._shown >= self._seconds:
                line = f"{self._counted()}; {now - self._begun:,.0f} s"
                os.write(stream, f"{_WIPE}{self._cut(line)}".encode())

    def _counted(self) -> str:
        of = f" of {self._total:,}" if self._total else ""
        return f"{self._done:,}{of} {self._what}"

    def show(self, line: str) -> None:
        """Replace the last line on the terminal."""
        if self._live:
            write_err(f"{_WIPE}{self._cut(line)}")

    def _cut(self, line: str) -> str:
        """Cut a line to the width of the terminal, as one line is wiped."""
        try:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
        except (OSError, ValueError):
            columns = 0  # unknown
        return line[: columns - 1] if columns > 1 else line


# The memory of arrays that are let go: whether glibc keeps it, or returns it to the system.

# Parameters of mallopt(3), with bytes: M_TRIM_THRESHOLD, and M_MMAP_THRESHOLD at its greatest, to
# which glibc raises it by itself when an array of this size is freed.
_KEPT = {-1: 1 << 26, -3: 1 << 25}


def keep_freed_memory() -> None:
    """Have glibc keep the memory of arrays that are let go, since the next part takes as much.

    It returns them to the system, part by part, and the pages of new ones are made again: a fifth
    of the time of `convert --clean` where the first filter rejects most.
    """
    mallopt = _function("mallopt")
    for parameter, size in _KEPT.items():
        if mallopt is not None:
            mallopt(parameter, size)


def release_freed_memory() -> None:
    """Return freed memory to the system, at a point after which little of it is used again."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


@cache
def _function(name: str) -> Any:
    """Return a function of glibc; `None` elsewhere: other libraries, as musl, lack it."""
    if sys.platform != "linux":
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)
