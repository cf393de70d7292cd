"""The memory of arrays that are let go: whether glibc keeps it, or returns it to the system."""

from __future__ import annotations

import sys
from typing import Any

# Parameters of mallopt(3), with bytes: M_TRIM_THRESHOLD, and M_MMAP_THRESHOLD at its greatest, to
# which glibc raises it by itself when an array of this size is freed.
_KEPT = {-1: 1 << 26, -3: 1 << 25}


def keep_freed_memory() -> None:
    """Have glibc keep the memory of arrays that are let go, since the next part takes as much.

    It returns them to the system, part by part, and the pages of new ones are made anew: a fifth of
    the time of `convert --clean` where the first filter rejects most.
    """
    mallopt = _function("mallopt")
    for parameter, size in _KEPT.items():
        if mallopt is not None:
            mallopt(parameter, size)


def release_freed_memory() -> None:
    """Return to the system what was let go, at a point after which little of it is used again."""
    trim = _function("malloc_trim")
    if trim is not None:
        trim(0)


def _function(name: str) -> Any:
    """Return a function of glibc; `None` elsewhere: other libraries, as musl, lack it."""
    if sys.platform != "linux":
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)
