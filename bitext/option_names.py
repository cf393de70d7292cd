"""What remedies are called: options of the command line, or what one writes in Python.

A message names what to do about it: `name the format (--from tsv)` for who gave a command,
`name the format (format='tsv')` for who called a function. A command says that it is at work, and
so does what works for it in another process or thread; all else was called from Python.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["by_options", "named_by_options", "remedy", "renamed"]

# The command that is at work; `None`: we were called from Python.
_at_work: ContextVar[str | None] = ContextVar("_at_work", default=None)
_ANY = "bitext"  # a command, whichever

# Options that are called otherwise for now, in commands and in Python.
_OWN: Mapping[str, tuple[str, str]] = MappingProxyType({})
_renamed = ContextVar("_renamed", default=_OWN)

# Options whose argument has another name, and what stands for those that are none.
_IN_PYTHON = {
    "from": "format=",
    "to": "format=",
    "root": "roots=",
    "swap": "Bitext.swapped",
}


def remedy(*options: str, python: str = "", command: str = "") -> str:
    """Return what options are called by who reads of them, with commas between.

    Parameters
    ----------
    options : str
        Without their hyphens; one may have its value behind it, as `from tsv`.
    python : str
        What is written in Python, where that is no argument of the same name.
    command : str
        Whose options they are, where other commands do not have them, and nothing in Python is
        like them; several with blanks between.

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
    spelled = ", ".join(map(_option, options))
    at_work = _at_work.get()
    owners = command.split()
    if at_work is not None and (not owners or at_work in {_ANY, *owners}):
        return spelled
    if owners:
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
    value = value.strip("'")  # which are for the shell
    return f"{called}{value!r}" if value else called


def named_by_options() -> str | None:
    """Return the command whose options remedies are here, for `by_options` in other processes.

    That is `None` where they are what one writes in Python.
    """
    return _at_work.get()


@contextmanager
def renamed(name: str, *, option: str = "", python: str = "") -> Iterator[None]:
    """Let an option of remedies that are told within be called otherwise: it is another's there.

    Examples
    --------
    >>> with renamed("from", option="gold-from", python="spelling="):
    ...     print(remedy("from tsv"))
    ...     with by_options():
    ...         print(remedy("from tsv"))
    spelling='tsv'
    --gold-from tsv

    One that takes a value of another's ends with an equals sign:

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
    """Name remedies within as options of a command; with `None` as arguments of Python."""
    before = _at_work.set(on)
    try:
        yield
    finally:
        _at_work.reset(before)
