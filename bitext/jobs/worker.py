"""A worker process: it reads calls from its standard input and answers on its standard output.

It ends when its input ends, and with the process that began it, whatever it is doing then.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import threading
import time
from typing import IO, Any, NoReturn

from bitext.errors import BitextError, InputError

__all__ = ["BEGUN", "DONE", "FAILED", "main", "read_frame", "write_frame"]

BEGUN, DONE, FAILED = "begun", "done", "failed"  # kinds of answers

_SIZE = struct.Struct("<Q")
_GRACE = 1.0  # seconds that it has to end in good order
_LOOK = 0.25  # seconds between two looks for the one that began it


def write_frame(out: IO[bytes], value: Any) -> None:
    """Write an object, with its size before it."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    out.write(_SIZE.pack(len(data)) + data)
    out.flush()


def read_frame(source: IO[bytes]) -> Any:
    """Read an object; raises `EOFError` at the end, also in the midst of one."""
    head = source.read(_SIZE.size)
    if len(head) < _SIZE.size:
        raise EOFError
    (size,) = _SIZE.unpack(head)
    data = source.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 - from the process that we began, or that began us


def main() -> None:
    """Work until there is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the one that began it
    signal.signal(signal.SIGTERM, _end)
    # What a library prints is no answer, and what it reads no call.
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    try:
        while True:
            call, arguments, tells = read_frame(calls)
            write_frame(answers, _answer(call, arguments, answers if tells else None))
    except (EOFError, OSError):  # whoever asked is gone
        return
    finally:  # and so is who would have what was not written yet
        os.dup2(os.open(os.devnull, os.O_WRONLY), answers.fileno())


def _answer(call: Any, arguments: tuple[Any, ...], answers: IO[bytes] | None) -> tuple[str, Any]:
    more = {} if answers is None else {"began": lambda k: write_frame(answers, (BEGUN, k))}
    try:
        return DONE, pickle.loads(call)(*arguments, **more)  # noqa: S301
    except Exception as error:  # noqa: BLE001 - it travels to the one who asked
        try:
            pickle.loads(pickle.dumps(error))  # noqa: S301
        except Exception:  # noqa: BLE001 - not every error can travel
            if isinstance(error, BitextError):
                return FAILED, InputError(str(error))
            return FAILED, RuntimeError(f"{type(error).__name__}: {error}")
        return FAILED, error


def _watch(parent: int) -> None:
    """End this process with the one that began it."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    main_thread = threading.main_thread().ident
    if main_thread is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread, signal.SIGTERM)  # to take away what is not whole
        time.sleep(_GRACE)
    os._exit(1)


def _end(*_: object) -> NoReturn:
    """End in good order, or else in no order."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    last = threading.Timer(_GRACE, os._exit, (1,))
    last.daemon = True
    last.start()
    sys.exit(1)
