"""Matrix products in one thread.

The parser and the features of paragraphs multiply thousands of small matrices. OpenBLAS, the
library in the wheels of numpy, splits even these among threads that wait for each other in a loop:
on a busy machine products then take ten times as long or more, and on an idle machine the gain is
small. numpy has no setting for the number of threads, so it is set in the library; other libraries
are left as they are.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

_VARIABLE = "OPENBLAS_NUM_THREADS"  # read by the library when it is loaded


class _Depth:
    """The number of entered blocks, over all threads, and the setting before the first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.blocks = 0
        self.before = 1


_depth = _Depth()


@contextmanager
def one_thread() -> Iterator[None]:
    """Run matrix products in one thread, and restore the former setting at the end.

    The setting is one for the whole process. If blocks overlap, in one thread or in several, the
    first block sets it, and the last to end restores it.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     print(np.eye(2) @ np.ones(2))
    [1. 1.]

    """
    functions = library_threads()
    if functions is None:
        yield
        return
    get, put = functions
    with _depth.lock:
        if _depth.blocks == 0:
            _depth.before = get()
            put(1)
        _depth.blocks += 1
    try:
        yield
    finally:
        with _depth.lock:
            _depth.blocks -= 1
            if _depth.blocks == 0:
                put(_depth.before)


def import_numpy() -> None:
    """Import numpy with one thread for matrix products, unless the environment sets their number.

    OpenBLAS starts its threads while numpy is imported, and they wait in a loop: a third of the CPU
    time of the import on two cores, and more on more. For commands without large products. The
    environment is left as it was, so that processes that are started later decide for themselves.

    Examples
    --------
    >>> import_numpy()
    >>> import sys
    >>> "numpy" in sys.modules
    True

    """
    if "numpy" in sys.modules or _VARIABLE in os.environ:
        return
    os.environ[_VARIABLE] = "1"
    try:
        import numpy  # noqa: F401, ICN001 - for the library that it loads
    finally:
        del os.environ[_VARIABLE]


def library_threads() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Return the functions that get and set the number of threads, if numpy's library has them."""
    numpy_core = sys.modules.get("numpy._core._multiarray_umath")
    path = getattr(numpy_core, "__file__", None)
    return None if path is None else _threads_of(path)


@cache
def _threads_of(path: str) -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Return the functions of the library that an extension module is linked with."""
    try:
        library = ctypes.CDLL(path)
    except OSError:
        return None
    for name in ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}"):
        get = getattr(library, name.format("get_num_threads"), None)
        put = getattr(library, name.format("set_num_threads"), None)
        if get is not None and put is not None:
            return get, put
    return None
