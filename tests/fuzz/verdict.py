"""What must hold of every input, and what becomes of one for which it does not.

A reader gives what it read, or raises an error of ours: one line that names the file. Nothing else
comes out of it, no file stays open, no time or memory goes that the input is not worth.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import sys
import threading
import traceback
import warnings
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bitext.errors import BitextError, FormatError

SECONDS = 10  # an input of at most 64 KB takes some milliseconds
MEGABYTES = 400  # that an input may add to the highest memory so far
FILES = Path("/proc/self/fd")  # where the system has it
_HOUSE = f"{os.sep}bitext{os.sep}"


class Late(BaseException):
    """An input takes too long; not an `Exception`, so that nobody takes it for another error."""


class Wrong(Exception):  # noqa: N818 - of an input, not of us
    """What was read, or how it was refused, is not as it should be."""


@dataclass(frozen=True)
class Finding:
    """What went wrong with an input; `sign` is equal for inputs that find the same."""

    sign: str
    told: str


def judged(run, content):
    """Run a target over one input; return a `Finding`, or None when all is well."""
    loose = []
    before = _highest()
    opened = _open_files()
    try:
        with _limited(SECONDS), _unraisable(loose), warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                run(content)
            except BitextError as error:
                check_error(error)
    except (Late, Exception) as error:  # noqa: BLE001  # MemoryError and RecursionError among them
        return _finding(error)
    if loose:
        return Finding(f"unraisable {loose[0][:60]}", loose[0])
    if _open_files() > opened:
        return Finding("files left open", f"{_open_files() - opened} files are left open")
    if _highest() - before > MEGABYTES:
        return Finding("memory", f"took {_highest() - before:.0f} MB more than any input before")
    return None


def check_error(error, *names):
    """Hold an error to be one line that names the file, if `names` are those of the files."""
    told = str(error)
    if not told.strip():
        raise Wrong("an error says nothing")
    if "\n" in told or "\r" in told:
        raise Wrong(f"an error has several lines: {told[:300]!r}")
    if len(told) > 1500:
        raise Wrong(f"an error is {len(told)} characters long: {told[:300]!r}")
    if isinstance(error, FormatError) and error.line is not None and error.line < 1:
        raise Wrong(f"an error names line {error.line}: {told[:300]!r}")
    if names and not any(name in told for name in names):
        raise Wrong(f"an error does not name the file: {told[:300]!r}")


def named(*names):
    """Return a context in which errors of ours have to name one of these files."""
    return _Named(names)


class _Named:
    def __init__(self, names):
        self._names = names

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, BitextError):
            check_error(error, *self._names)


def _finding(error):
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _HOUSE in frame.filename]
    last = ours[-1] if ours else frames[-1]
    place = f"{Path(last.filename).name}:{last.lineno} {last.name}"
    if isinstance(error, Wrong):  # its first words tell one from another
        place = f"{' '.join(re.sub('[0-9]+', '#', str(error)).split()[:9])[:150]} {place}"
    told = "".join(traceback.format_exception(error, limit=-12))
    return Finding(f"{type(error).__name__} {place}", told)


@contextmanager
def _limited(seconds):
    """Raise `Late` in here after so many seconds of this process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number, _frame):
        raise Late(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def _unraisable(found):
    """Collect what goes wrong where nothing can be raised, as files that are never closed."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda told: found.append(f"{told.exc_value!r} in {told.object!r}")
    try:
        yield
    finally:
        sys.unraisablehook = before


def _open_files():
    """Return how many files are open, but for those of libraries, which keep fonts open."""
    count = 0
    for name in os.listdir(FILES) if FILES.is_dir() else []:  # noqa: PTH208 - asked for each input
        with suppress(OSError):  # the folder itself
            at = os.fstat(int(name))
            count += not _is_of_library(name, at.st_dev, at.st_ino)
    return count


@cache
def _is_of_library(name, _device, _inode):
    return "site-packages" in os.readlink(f"{FILES}/{name}")  # noqa: PTH115


def _highest():
    """Return the highest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
