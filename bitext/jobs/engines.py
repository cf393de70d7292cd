"""Executors of engines that a user runs already: Dask.

A run over a cluster goes through the executor that `distributed` has for it. The workers must have
`bitext` installed and see the files by the same names (a shared file system, or places as `s3://`).
The scheduler moves the work of a worker that dies to others; what kills several, it gives up.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from bitext.errors import InputError, MissingExtraError, OptionError
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

__all__ = ["ENGINES", "engine_executor"]

ENGINES = ("local", "dask")
_PATIENCE = "10s"  # for a scheduler that does not answer


@contextmanager
def engine_executor(name: str, address: str | None) -> Iterator[tuple[Executor, int]]:
    """Give the executor of an engine, and how many work in it at once.

    Parameters
    ----------
    name : str
        `dask`.
    address : str
        Of its scheduler, as `tcp://10.0.0.1:8786`.

    Raises
    ------
    MissingExtraError
        When `distributed` is not installed.
    InputError
        When the scheduler cannot be reached, or has no workers.
    OptionError
        When the engine is not known, or the address is missing.

    """
    if name != "dask":
        raise OptionError(f"the engine {name!r} is not known: want one of {', '.join(ENGINES)}")
    if not address:
        shown = remedy("scheduler tcp://HOST:8786", python="address='tcp://HOST:8786'")
        raise OptionError(f"{_dask()} wants the address of its scheduler, as {shown}")
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise MissingExtraError(_dask(), extra="cluster") from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"{address}: no scheduler answers: {error}; check "
            f"{remedy('scheduler', python='the address')}, and that it runs"
        ) from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise InputError(f"{address}: the scheduler has no workers; begin some")
        yield client.get_executor(pure=False), threads
    finally:
        client.close()


def _dask() -> str:
    return remedy("engine dask", python="the engine dask")
