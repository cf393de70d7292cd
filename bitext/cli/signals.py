"""An orderly end when somebody wants one: SIGTERM and SIGHUP end a run as Ctrl-C does."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    Handler = Callable[[int, FrameType | None], object]

__all__ = ["EndedError", "end_in_order", "ending", "held_back"]

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
