"""Groups of kernels that numba compiles, and the work after which a process loads them.

`object_code` keeps and loads their code. Kernels that allocate arrays (`compiled_charts`,
`lattice_distance`) are loaded by numba itself, which takes half a second (`numba_functions`); so
are all of them on systems other than Linux on x86-64. Forked processes use the loaded kernels.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from bitext.kernels.object_code import (
    ArrayType,
    Function,
    Signatures,
    Type,
    has_loaded,
    is_switched_off,
    object_functions,
    runs_object_code,
)

if TYPE_CHECKING:
    from pathlib import Path

Some = TypeVar("Some")

# The part of the work worth compiling after which a process looks for compiled kernels, and the
# work after which it does so where other kernels are loaded. Set by hand.
_FIND_FRACTION = 6
_SOON_FOUND = 100_000


class Choice(Generic[Some]):
    """What this process has done without compiled kernels, and these, when they are loaded.

    `load` returns the kernels, or None if they cannot be loaded; `worth` is the work after which
    they are loaded. `find` returns them without compiling them, if that was done before; it is
    called after the work `found`, by default a sixth of `worth`, or after little work once
    `is_soon_found`.
    """

    def __init__(
        self,
        load: Callable[[], Some | None],
        worth: int,
        find: Callable[[], Some | None] = lambda: None,
        found: int | None = None,
        is_soon_found: Callable[[], bool] = lambda: False,
    ) -> None:
        self._load, self._find, self._worth = load, find, worth
        self._found = worth // _FIND_FRACTION if found is None else found
        self._is_soon_found = is_soon_found
        self._done = 0
        self._is_sought = self._is_tried = False
        self._kernels: Some | None = None
        _choices.append(self)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._stay)

    def _stay(self) -> None:
        """Load nothing in a forked process, which would be for a part of the work alone."""
        self._is_tried = True

    def resume(self) -> None:
        """Load kernels also in a forked process."""
        self._is_tried = self._kernels is not None

    def after(self, work: int) -> Some | None:
        """Return the kernels; None if they cannot be loaded, or are not worth loading yet.

        `work`, in the unit of `worth`, is what comes next.
        """
        if not self._is_tried:
            self._done += work
            if self._done > self._worth:
                self._is_tried, self._kernels = True, self._load()
            elif not self._is_sought and self._done > (
                min(_SOON_FOUND, self._found) if self._is_soon_found() else self._found
            ):
                self._is_sought, self._kernels = True, self._find()
                self._is_tried = self._kernels is not None
        return self._kernels

    @contextmanager
    def using(self, kernels: Some | None) -> Iterator[None]:
        """Use some kernels within the block, or none, whatever the work."""
        before = self._is_tried, self._kernels
        self._is_tried, self._kernels = True, kernels
        try:
            yield
        finally:
            self._is_tried, self._kernels = before


_choices: list[Choice[Any]] = []  # all that there are


def work_as_others() -> None:
    """Let this forked process load kernels as one that was not forked."""
    for choice in _choices:
        choice.resume()


class KernelGroup(Choice[Some]):
    """Functions that are compiled together, by the names of a named tuple.

    `kind` is the type of the tuple, and `signatures` returns the functions with the types of their
    arguments. With `by_numba` numba alone compiles and loads them, as those that allocate arrays.
    `worth` and `found` are those of `Choice`.
    """

    def __init__(
        self,
        kind: Callable[..., Some],
        signatures: Callable[[], Signatures],
        worth: int,
        *,
        found: int | None = None,
        by_numba: bool = False,
    ) -> None:
        self._kind, self._signatures, self._by_numba = kind, signatures, by_numba
        # Nearly all of the time of loading is that of llvmlite, which other kernels have loaded.
        is_soon_found = (lambda: False) if by_numba else has_loaded
        find = partial(self.load, compiles=False)
        super().__init__(self.load, worth, find, found, is_soon_found)

    def plain(self) -> Some:
        """Return the functions as Python runs them: slow, for tests if numba is missing."""
        return self._kind(**{name: each for name, (each, _) in self._signatures().items()})

    def load(self, *, folders: Sequence[Path] | None = None, compiles: bool = True) -> Some | None:
        """Load the compiled functions; None where they cannot be loaded.

        `folders` and `compiles` are those of `object_functions`.
        """
        if self._by_numba:
            functions = numba_functions(self._signatures()) if compiles else None
        else:
            functions = load_functions(self._signatures(), folders=folders, compiles=compiles)
        return None if functions is None else self._kind(**functions)


def load_functions(
    signatures: Signatures, *, folders: Sequence[Path] | None = None, compiles: bool = True
) -> dict[str, Function] | None:
    """Load functions by `object_functions`; by numba on systems without it, if `compiles`."""
    if not runs_object_code():
        return numba_functions(signatures) if compiles else None
    return object_functions(signatures, folders=folders, compiles=compiles)


def numba_functions(signatures: Signatures) -> dict[str, Function] | None:
    """Compile functions by numba, or load them; None without it, or where it cannot keep them."""
    if is_switched_off():
        return None
    try:
        import numba
    # An error of any kind: numba does not know the numpy that is installed, or a module of the user
    # has the name of one that numba imports. Results are the same without it.
    except Exception:  # noqa: BLE001
        return None
    try:
        return {
            # Loops with checks for a division by 0 would not be vectorised; no kernel has any.
            name: numba.njit(
                tuple(_numba_type(numba, one) for one in types), cache=True, error_model="numpy"
            )(function)
            for name, (function, types) in signatures.items()
        }
    except (RuntimeError, OSError):  # no folder or room for the cache: compiling takes seconds
        return None


def _numba_type(numba: Any, kind: Type) -> Any:
    if isinstance(kind, str):
        return numba.from_dtype(np.dtype(kind))
    if not isinstance(kind, ArrayType):
        return numba.types.BaseTuple.from_types([_numba_type(numba, one) for one in kind])
    item = numba.from_dtype(np.dtype(kind.kind))
    return numba.types.Array(item, kind.dimensions, "C", readonly=not kind.is_written)
