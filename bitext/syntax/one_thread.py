"""Matrix products in one thread.

The parser multiplies thousands of small matrices. OpenBLAS, which numpy's wheels bring, shares
even those out among threads that wait for each other in a loop: on a busy machine that takes ten
times as long and more, and on an idle one it gains little. There is no setting for it in numpy,
so the library is asked itself; where it is another one, nothing is changed.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["one_thread"]


@contextmanager
def one_thread() -> Iterator[None]:
    """Let matrix products run in one thread; what was set before holds again afterwards.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     print(np.eye(2) @ np.ones(2))
    [1. 1.]

    """
    found = _settings()
    if found is None:
        yield
        return
    get, put = found
    before = get()
    put(1)
    try:
        yield
    finally:
        put(before)


@cache
def _settings() -> tuple[Callable[[], int], Callable[[int], None]] | None:
    """Return what tells and what sets the number of threads, if numpy's library has them."""
    numpy_core = sys.modules.get("numpy._core._multiarray_umath")
    path = getattr(numpy_core, "__file__", None)
    if path is None:
        return None
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
