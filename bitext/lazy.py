"""Public names of a package that are imported when they are first asked for.

A package that names what is public in many modules would import all of them for any one, and a
command that aligns sentences would wait for the aligners of words. This module knows nobody: a
package says which module each of its names is from.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["imported_late"]


def imported_late(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package (PEP 562).

    Listed are its public names, its modules that are imported, and what Python puts there.

    Parameters
    ----------
    package : str
        Its `__name__`.
    homes : mapping of str to sequence of str
        The public names that each module has; a name is not that of a module of the package.

    Examples
    --------
    >>> ask, listed = imported_late("bitext", {"bitext.errors": ("InputError",)})
    >>> ask("InputError").__module__
    'bitext.errors'
    >>> [name for name in ("InputError", "errors", "__doc__", "TYPE_CHECKING") if name in listed()]
    ['InputError', 'errors', '__doc__']

    """
    home = {name: module for module, names in homes.items() for name in names}

    def ask(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(home[name]), name)
        setattr(sys.modules[package], name, found)  # so it is asked for once
        return found

    def listed() -> list[str]:
        there = vars(sys.modules[package])
        own = [name for name in there if name[:2] == "__" or f"{package}.{name}" in sys.modules]
        return sorted({*home, *own})

    return ask, listed
