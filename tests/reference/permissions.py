"""Rights that root has beyond everybody's, laid down for a while, so that modes of files count."""

from __future__ import annotations

import ctypes
import os
from contextlib import contextmanager

import pytest

_VERSION = 0x20080522  # of the structures of capget(2)
_DAC = 0b110  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH


@contextmanager
def as_anybody():
    """Let modes of files hold for root, too."""
    if os.geteuid():
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    head, rights = (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    if libc.capget(head, rights):
        pytest.skip("the rights of root cannot be asked for here")
    before = rights[0]
    rights[0] = before & ~_DAC
    if libc.capset(head, rights):
        pytest.skip("the rights of root cannot be laid down here")
    try:
        yield
    finally:
        rights[0] = before
        libc.capset(head, rights)
