"""A target: inputs to begin with, and what is done with one."""

from __future__ import annotations

import os
import shutil
import tempfile
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

from fuzz import verdict


@dataclass(frozen=True)
class Target:
    """What is fuzzed.

    Attributes
    ----------
    name : str
    run : callable
        Takes the bytes of an input. Errors of ours are well; anything else that it raises is a
        finding.
    seeds : callable
        Gives the inputs to begin with, as bytes.
    kind : str
        What changes suit it: those of `mutations`, or of `containers`; empty: told by each input.
    change : callable, optional
        Makes the changes of inputs that are no files: takes one, a `random.Random` and the `others`
        to begin with.

    """

    name: str
    run: Callable[[bytes], object]
    seeds: Callable[[], list[bytes]]
    kind: str = ""
    change: Callable[..., bytes] | None = None


def coin(content, sides, salt=0):
    """Return a number below `sides` that depends on the content only: what else is varied."""
    return zlib.crc32(content, salt) % sides


@cache
def _folder(_process):
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="bitext-fuzz-", dir=base)
    import atexit

    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def folder():
    """Return a folder of this process, which goes with it."""
    return _folder(os.getpid())


def on_file(name, read):
    """Make the `run` of a reader of files: it writes the input to a file of that name."""

    def run(content):
        path = folder() / name
        path.write_bytes(content)
        with verdict.named(name):
            return read(path, content)

    return run
