"""Public names of a package that are imported on first use.

A package with public names of many modules would import all modules for any name, and a command
that aligns sentences would wait for the aligners of words. This module imports nothing: a package
passes the module of each of its names.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["imported_late"]


def imported_late(
    package: str,
    homes: Mapping[str, Sequence[str]],
    *,
    rooms: Sequence[str] = (),
    former: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package (PEP 562).

    `dir()` lists the public names and modules, and the names that Python itself adds.

    Parameters
    ----------
    package : str
        Its `__name__`.
    homes : mapping of str to sequence of str
        The public names of each module; no name is that of a module of the package.
    rooms : sequence of str
        The public modules of the package, imported on first use.
    former : mapping of str to sequence of str, optional
        Public names of the release before, by their modules. They still work, with a
        `DeprecationWarning`, but are not listed.

    Examples
    --------
    >>> ask, listed = imported_late("bitext", {"bitext.errors": ("InputError",)}, rooms=("model",))
    >>> ask("InputError").__module__
    'bitext.errors'
    >>> [name for name in ("InputError", "model", "lazy", "__doc__") if name in listed()]
    ['InputError', 'model', '__doc__']

    """
    home = {name: module for module, names in homes.items() for name in names}
    old = {name: module for module, names in (former or {}).items() for name in names}

    def ask(name: str) -> Any:
        if name in rooms:
            return import_module(f"{package}.{name}")
        if name in old:
            warnings.warn(
                f"{package}.{name} is {old[name]}.{name}; the short name goes in version 0.3",
                DeprecationWarning,
                stacklevel=2,
            )
            return getattr(import_module(old[name]), name)
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(home[name]), name)
        setattr(sys.modules[package], name, found)  # so that the next access is direct
        return found

    def listed() -> list[str]:
        pythons = [name for name in vars(sys.modules[package]) if name[:2] == "__"]
        return sorted({*home, *rooms, *pythons})

    return ask, listed
