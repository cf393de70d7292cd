"""Plug-ins: formats, metrics and aligners of other installed packages, by their entry points.

A package declares an entry point for each (groups `bitext.formats`, `bitext.metrics` and
`bitext.aligners`). Nothing is looked for before a name is used that `bitext` itself does not have,
or all are listed, and the module of a plug-in is imported only then. A plug-in that cannot be used
raises a `PluginError` where it is named; everywhere else it is left out.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bitext.errors import BitextError, PluginError

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

T = TypeVar("T")

# The groups of entry points, with the noun for their objects.
_KINDS = {"bitext.aligners": "method", "bitext.formats": "format", "bitext.metrics": "metric"}
_SECTION = b"[bitext."  # in the file of entry points of a package, if it has any of ours
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point of an installed package."""

    name: str  # the name of the entry point
    package: str  # the distribution package and its version
    entry: EntryPoint

    @property
    def kind(self) -> str:
        """The noun for its object: `format`, `metric` or `method`."""
        return _KINDS[self.entry.group]

    def error(self, reason: str) -> PluginError:
        """Return an error that names the package, the entry point and the reason."""
        place = f"{self.entry.group}: {self.name} = {self.entry.value}"
        return PluginError(
            f"{self.kind} {self.name!r} of the package {self.package} ({place}): {reason}"
        )

    def load(self) -> Any:
        """Import the object of the entry point.

        Raises `PluginError` when the import fails, whatever its error.
        """
        try:
            return self.entry.load()
        except (MemoryError, KeyboardInterrupt):
            raise
        except BaseException as error:  # also SystemExit: a plug-in must not end the run
            raise self.error(f"cannot be imported: {fault_at(error)}") from error


def fault_at(error: BaseException) -> str:
    """Return the type and message of an error, and the file and line that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = ""
    if trace is not None and not trace.tb_frame.f_code.co_filename.startswith("<"):
        where = f" ({trace.tb_frame.f_code.co_filename} line {trace.tb_lineno})"
    return f"{type(error).__name__}: {error}{where}"


@dataclass(slots=True, eq=False)
class Plugins(Generic[T]):
    """The plug-ins of one group."""

    group: str  # the group of entry points, as `bitext.formats`
    # Checks a plug-in's object and returns the value to use; raises a `PluginError`.
    make: Callable[[Plugin, Any], T]
    # Returns the names of `bitext` itself, which no plug-in may take.
    own: Callable[[], Collection[str]]
    _made: dict[EntryPoint, T | PluginError] = field(default_factory=dict)

    def names(self) -> list[str]:
        """Return the names of all entry points of the group, sorted, without importing them."""
        return sorted(self._entries())

    def get(self, name: str) -> T | None:
        """Return the plug-in with a name; `None` if no package has one.

        Raises `PluginError` when it cannot be used: names clash, the import fails, or its object is
        of another kind.
        """
        entries = self._entries().get(name)
        if not entries:
            return None
        made = self._usable(name, entries)
        if isinstance(made, PluginError):
            raise made
        return made

    def all(self) -> dict[str, T]:
        """Import every plug-in; return those that can be used by name, sorted."""
        return {name: made for name, made in self._each() if not isinstance(made, PluginError)}

    def faults(self) -> list[str]:
        """Import every plug-in; return the messages about those that cannot be used."""
        return [str(made) for _, made in self._each() if isinstance(made, PluginError)]

    def _entries(self) -> dict[str, list[Plugin]]:
        return _installed(tuple(sys.path), self.group)

    def _each(self) -> list[tuple[str, T | PluginError]]:
        entries = self._entries()
        return [(name, self._usable(name, entries[name])) for name in sorted(entries)]

    def _usable(self, name: str, entries: list[Plugin]) -> T | PluginError:
        key = entries[0].entry
        if key not in self._made:
            self._made[key] = self._checked(name, entries)
        return self._made[key]

    def _checked(self, name: str, entries: list[Plugin]) -> T | PluginError:
        first = entries[0]
        if name in self.own():
            return first.error(f"bitext has a {first.kind} of this name; want another name")
        if not _NAME.fullmatch(name):
            return first.error("want a name of letters, digits, - _ and .")
        if len(entries) > 1:
            others = " and ".join(other.package for other in entries[1:])
            return first.error(f"{others} has one of the same name; uninstall one of the packages")
        try:
            return self.make(first, first.load())
        except PluginError as error:
            return error
        except BitextError as error:
            return first.error(str(error))


@cache
def _installed(paths: tuple[str, ...], group: str) -> dict[str, list[Plugin]]:
    """Return the entry points of a group by name."""
    found: dict[str, list[Plugin]] = {}
    if not _are_declared(paths):
        return found
    from importlib.metadata import entry_points

    for entry in entry_points(group=group):
        package = "of unknown name" if entry.dist is None else _named(entry.dist)
        found.setdefault(entry.name, []).append(Plugin(entry.name, package, entry))
    for plugins in found.values():
        plugins.sort(key=lambda plugin: plugin.package)
    return found


def _named(dist: Distribution) -> str:
    return f"{dist.name} {dist.version}"


@cache
def _are_declared(paths: tuple[str, ...]) -> bool:
    """Check for packages on these paths that may have entry points of ours.

    `importlib.metadata` takes 17 ms to import and 7 ms to read 140 packages; this takes 3 ms, and
    spares both where no plug-in is installed.
    """
    return any(map(_may_declare, paths))


def _may_declare(folder: str) -> bool:
    """Check for entry points of ours in the packages of a folder; True for an archive."""
    try:
        with os.scandir(folder or ".") as entries:
            names = [e.path for e in entries if e.name.endswith((".dist-info", ".egg-info"))]
    except NotADirectoryError:
        return True
    except OSError:
        return False
    for name in names:
        try:
            with open(os.path.join(name, "entry_points.txt"), "rb") as file:  # noqa: PTH118, PTH123
                if _SECTION in file.read():
                    return True
        except OSError:
            continue
    return False
