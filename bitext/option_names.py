"""Names of options in messages: as options of the command line, or as arguments of Python.

A message names a remedy: `name the format (--from tsv)` for the user of a command, `name the format
(format='tsv')` for the caller of a function. A command declares that it is running (`by_options`),
and so do its processes and threads; any other code was called from Python.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["by_options", "named_by_options", "remedy", "renamed"]

# The running command; `None` when called from Python.
_at_work: ContextVar[str | None] = ContextVar("_at_work", default=None)
_ANY = "bitext"  # any command

# Options with another name for now (`renamed`), in commands and in Python.
_OWN: Mapping[str, tuple[str, str]] = MappingProxyType({})
_renamed = ContextVar("_renamed", default=_OWN)

# Options whose argument has another name, or that have no argument in Python.
_IN_PYTHON = {
    "font": "fonts=",
    "from": "format=",
    "to": "format=",
    "root": "roots=",
    "swap": "Bitext.swapped",
}


def remedy(*options: str, python: str = "", command: str = "") -> str:
    """Return the names of options as the reader of a message knows them, separated by commas.

    Parameters
    ----------
    options : str
        The options without hyphens, each with an optional value, as `from tsv`.
    python : str
        The name in Python, where it is no argument of the same name.
    command : str
        The commands that have the options, separated by blanks, where other commands and Python
        lack them.

    Examples
    --------
    >>> f"give the texts ({remedy('src', 'tgt')}), or their format ({remedy('from tsv')})"
    "give the texts (src=, tgt=), or their format (format='tsv')"
    >>> f"raise it ({remedy('max-size', command='convert')})"
    'raise it (--max-size of bitext convert)'
    >>> with by_options(on="compare"):
    ...     f"raise it ({remedy('max-size', command='convert')})"
    'raise it (--max-size of bitext convert)'
    >>> with by_options():
    ...     f"give the texts ({remedy('src', 'tgt')}), or their format ({remedy('from tsv')})"
    'give the texts (--src, --tgt), or their format (--from tsv)'

    """
    spelled = ", ".join(dict.fromkeys(map(_option, options)))
    at_work = _at_work.get()
    owners = command.split()
    if at_work is not None and (not owners or at_work in {_ANY, *owners}):
        return spelled
    if owners and (at_work is not None or not python):
        return f"{spelled} of bitext {owners[0]}"
    return python or ", ".join(map(_argument, options))


def _option(option: str) -> str:
    name, space, value = option.partition(" ")
    called = _renamed.get().get(name, (name, ""))[0]
    return f"--{called}{'' if called.endswith('=') else space}{value}"


def _argument(option: str) -> str:
    name, _, value = option.partition(" ")
    given = _renamed.get().get(name, ("", ""))[1] or _IN_PYTHON.get(name)
    called = given or f"{name.replace('-', '_')}="
    value = value.strip("'")  # quotes are for the shell
    return f"{called}{value!r}" if value else called


def named_by_options() -> str | None:
    """Return the running command, for `by_options` in other processes.

    The command is `None` where messages name arguments of Python.
    """
    return _at_work.get()


@contextmanager
def renamed(name: str, *, option: str = "", python: str = "") -> Iterator[None]:
    """Rename an option in the messages of a block, where it belongs to another command or function.

    Examples
    --------
    >>> with renamed("from", option="gold-from", python="spelling="):
    ...     print(remedy("from tsv"))
    ...     with by_options():
    ...         print(remedy("from tsv"))
    spelling='tsv'
    --gold-from tsv

    A name that ends with an equals sign takes the value of the option:

    >>> with renamed("base", option="base giza="), by_options():
    ...     print(remedy("base 1"))
    --base giza=1

    """
    before = _renamed.set({**_renamed.get(), name: (option or name, python)})
    try:
        yield
    finally:
        _renamed.reset(before)


@contextmanager
def by_options(*, on: str | None = _ANY) -> Iterator[None]:
    """Name options in the messages of a block as those of a command; `None` for Python."""
    before = _at_work.set(on)
    try:
        yield
    finally:
        _at_work.reset(before)
