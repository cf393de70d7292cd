"""Public names of a package that are imported when they are first asked for.

A package that names what is public in many modules would import all of them for any one, and a
command that aligns sentences would wait for the aligners of words. This module knows nobody: a
package says which module each of its names is from.
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

    `dir()` lists the public names and rooms, and what Python itself puts there.

    Parameters
    ----------
    package : str
        Its `__name__`.
    homes : mapping of str to sequence of str
        The public names that each module has; a name is not that of a module of the package.
    rooms : sequence of str
        The public modules of the package, imported when they are first asked for.
    former : mapping of str to sequence of str, optional
        Names that the package had in the release before, by the module that has them. They are
        still found, with a `DeprecationWarning`, and not listed.

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
        setattr(sys.modules[package], name, found)  # so it is asked for once
        return found

    def listed() -> list[str]:
        pythons = [name for name in vars(sys.modules[package]) if name[:2] == "__"]
        return sorted({*home, *rooms, *pythons})

    return ask, listed
