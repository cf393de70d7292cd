"""An orderly end when somebody wants one: SIGTERM and SIGHUP end a run as Ctrl-C does."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["EndedError", "end_in_order"]

_ENDING = ("SIGTERM", "SIGHUP")  # those of them that the system has
_GRACE = 10.0  # seconds for an end in order


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


def end_in_order(*, grace: float = _GRACE) -> None:
    """Let the signals raise an error, so that what was begun is taken away; but for `nohup`.

    Who is not through with that after so many seconds of grace is killed, by SIGALRM: an error that
    comes from nowhere may find others' code where it holds a lock.
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
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, grace)
        raise EndedError(number)

    known = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    caught = [number for number in known if signal.getsignal(number) == signal.SIG_DFL]
    for number in caught:
        signal.signal(number, end)
