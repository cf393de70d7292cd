"""Public names of a package and regular expressions, made on first use.

A package with public names of many modules would import all modules for any name, and a command
that aligns sentences would wait for the aligners of words. This module imports nothing of
`bitext`: a package passes the module of each of its names.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, AnyStr, cast


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


class _LatePattern:
    """Stands for a compiled pattern; its methods are those of the pattern, from their first use."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":  # of `copy` and `pickle`, which take the object as it is
            raise AttributeError(name)
        found = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, found)  # so that the next access is direct
        return found


def late_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled on first use.

    For the patterns of modules of which a short command uses few: to compile those that `align`
    never matches took a twentieth of its time for a pair of 100 sentences.

    The result has the methods and the attributes of a compiled pattern, as fast as they are; but it
    is no instance of `re.Pattern`, so functions of `re` do not take it.

    In every pattern of `re`, a group that is repeated possessively ends with an empty alternative:
    `(?:ab?c|)*+`. Without it, Python before 3.11.5 counts the beginning of a repetition that fails
    as matched, here all of `aca` (python/cpython#106052). An atomic group, `(?>(?:ab?c)*)`, is
    right as well, but takes 120 bytes of memory for each repetition.

    Parameters
    ----------
    pattern : str or bytes
    flags : int
        As for `re.compile`.

    Examples
    --------
    >>> late_pattern("[ab]+").findall("abcab")
    ['ab', 'ab']

    """
    return cast("re.Pattern[AnyStr]", _LatePattern(pattern, flags))
