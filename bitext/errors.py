"""The errors of `bitext`, all under one root, and how their messages name options.

    BitextError
      InputError(ValueError)           data that contradict themselves or each other
        AlignmentError                 a bisegment that cannot be one
        SegmentationError              masses, boundaries or labels that cannot be a segmentation
        LatticeError                   words that share nodes in no common order
        ClashError                     a file that one run would read and write
      FormatError(ValueError)          a file that violates its format: path, line, column
      OptionError(ValueError)          an option with a value that is not allowed
      MissingExtraError(ImportError)   a feature whose dependency is not installed
      JobError(RuntimeError)           a run over a corpus that ended before its end

A message says in one line where the error is, what was wanted, what was found, and what to do. The
command line prints the message and exits with status 2. Credentials in addresses are masked.

A message names a remedy: `name the format (--from tsv)` for the user of a command, `name the format
(format='tsv')` for the caller of a function. A command declares that it is running (`by_options`),
and so do its processes and threads; any other code was called from Python.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, TypeVar

T = TypeVar("T")

_NEEDS_QUOTES = re.compile(r"[\s'\"`$&|;()<>*?\\]")  # in words of a shell
_USER = re.compile(r"(://)[^/\s'\"?#]*@")
_QUERY = re.compile(r"(://[^\s'\"?#]*\?)[^\s'\"]*[^\s'\":;,.)]")


def masked(message: str) -> str:
    """Replace possible secrets in the addresses of a message by asterisks.

    Secrets may stand before `@`, and in a query: tokens and signatures.

    Examples
    --------
    >>> masked("s3://key:secret@bucket/a.xml: cannot be read")
    's3://***@bucket/a.xml: cannot be read'
    >>> masked("https://example.org/a.tmx?token=abc&v=1: no such file")
    'https://example.org/a.tmx?***: no such file'

    """
    if "://" not in message:
        return message
    return _QUERY.sub(r"\1***", _USER.sub(r"\1***@", message))


def brief(text: object, *, width: int = 200) -> str:
    """Shorten the message of another program to one line: its end, which names the cause."""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    return line if len(line) <= width else f"...{line[3 - width :]}"


def many(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural except for 1.

    Examples
    --------
    >>> many(1, "text"), many(2000, "text")
    ('1 text', '2,000 texts')

    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def few(names: Sequence[str], most: int = 3) -> str:
    """Return the first names for a message, and `...` for the others.

    Examples
    --------
    >>> few(["a", "b", "c", "d"])
    'a, b, c, ...'

    """
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


def first_names(names: Sequence[str], most: int) -> str:
    """Return the first names for a message, and the number of the others.

    Examples
    --------
    >>> first_names(["a", "b", "c", "d"], 2)
    'a, b and 2 more'

    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def nearest(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """Return the known name most similar to an unknown one, or an empty string.

    Parameters
    ----------
    name : str
        The unknown name.
    known : iterable of str
        The known names. Among equally similar names, the greatest by code points is returned.
    cutoff : float, default 0.6
        The least similarity, from 0 to 1: the share of characters that both have in order.

    Examples
    --------
    >>> nearest("moess", ["moses", "tmx"])
    'moses'
    >>> nearest("docx", ["moses", "tmx"]), nearest("TMX", ["moses", "tmx"])
    ('', 'tmx')

    """
    # Imported here, since the import takes time and most runs have no mistyped name.
    from difflib import get_close_matches

    if not isinstance(name, str):  # an argument of Python of another type
        return ""
    names = list(known)
    near = [each for each in names if each.casefold() == name.casefold()]
    near = near or get_close_matches(name, names, n=1, cutoff=cutoff)
    return near[0] if near else ""


def check_truths(**options: object) -> None:
    """Refuse strings as values of options that are true or false: `"no"` would count as true."""
    for name, value in options.items():
        if isinstance(value, str):
            raise OptionError(f"{name} is {value!r:.60}: want True or False")


def check_one_of(name: str, value: object, allowed: Collection[str], *, verb: str = "is") -> None:
    """Refuse a value of an option that is not one of those allowed."""
    if value not in allowed:
        raise OptionError(f"{name} {value!r} {verb} not known: want one of {', '.join(allowed)}")


def check_type(name: str, value: object, kind: type, want: str) -> None:
    """Refuse a value of another type; `want` describes the wanted one."""
    if not isinstance(value, kind):
        raise InputError(f"{name} is {value!r:.40} ({type(value).__name__}): want {want}")


def check_list(name: str, given: object, want: str) -> None:
    """Refuse other values in place of a list.

    A string would give its characters, a set its members in any order, a mapping its keys, and a
    table the names of its columns.
    """
    if isinstance(given, str):
        raise InputError(f"{name} are {given!r:.40}, one string: want {want}")
    is_iterable = isinstance(given, Iterable) or hasattr(given, "__getitem__")
    if isinstance(given, set | frozenset | Mapping) or hasattr(given, "columns") or not is_iterable:
        shown = " ".join(repr(given).split())
        raise InputError(f"{name} are {shown:.40} ({type(given).__name__}): want {want}")


def is_series(value: object) -> bool:
    """Check for a Series or a data frame of pandas, which is not imported for this."""
    return not isinstance(value, Mapping) and hasattr(value, "index") and hasattr(value, "items")


def check_order(first: object, second: object) -> None:
    """Refuse two Series of pandas whose labels are the same in different orders.

    Their values are about to be paired by place, as those of lists.
    """
    if not (is_series(first) and is_series(second)):
        return
    a, b = first.index, second.index  # type: ignore[attr-defined]
    if len(a) != len(b) or a.equals(b):
        return
    a, b = list(a), list(b)
    # As sets, since NA is neither equal to another label nor different from it.
    place = next((k for k, label in enumerate(a) if {label} != {b[k]}), None)
    if place is not None and set(a) == set(b):
        raise InputError(
            f"two Series have the same labels in different orders, {a[place]!r:.40} and "
            f"{b[place]!r:.40} at place {place}: want one order, as that of sort_index(), "
            f"or lists, paired by place"
        )


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the part of a message that names the nearest known name; empty if none is near.

    Examples
    --------
    >>> did_you_mean("moess", ["moses", "tmx"])
    "did you mean 'moses'? "
    >>> did_you_mean("docx", ["moses", "tmx"])
    ''

    """
    near = nearest(name, known)
    return f"did you mean {near!r}? " if near else ""


class BitextError(Exception):
    """The root of all errors that are not bugs of ours."""

    def __init__(self, message: str = "") -> None:
        super().__init__(masked(message))


class InputError(BitextError, ValueError):
    """Data that contradict themselves, each other, or the needs of a computation."""


class AlignmentError(InputError):
    """An invalid bisegment; the message names it and the valid values."""


class SegmentationError(InputError):
    """Masses, boundaries, labels or spans that cannot be a segmentation."""


class IgnoredTypesWarning(UserWarning):
    """A metric compares positions of boundaries alone, and the boundaries have several types."""


class LatticeError(InputError):
    """Words that share nodes in no common order, or a graph that is not a lattice."""


class ClashError(InputError):
    """A file that one run would both read and write, which ends the run."""


class FormatError(BitextError, ValueError):
    """A file that violates its format.

    Parameters
    ----------
    message : str
        What was wanted, what was found and what to do, without the place.
    path : str, optional
        The file as the user named it. Without it, `of_file` around the reading names the file.
    line : int, optional
        The line, counted from 1.
    column : int, optional
        The column within the line, in characters, counted from 1.

    Attributes
    ----------
    is_of_unit : bool
        Whether only one unit cannot be read, so that reading may go on after it.

    """

    def __init__(
        self, message: str, *, path: str = "", line: int | None = None, column: int | None = None
    ) -> None:
        self.line = line
        self.column = column
        self.message = masked(message)
        self.is_of_unit = False
        self.locate(path)

    def locate(self, path: str) -> None:
        """Set the file that the message names."""
        self.path = masked(path)
        place = "" if self.line is None else f" line {self.line}"
        place += "" if self.column is None else f" column {self.column}"
        super().__init__(f"{path}{place}: {self.message}")


@contextmanager
def of_file(path: str) -> Iterator[None]:
    """Name the file in format errors that name none."""
    try:
        yield
    except FormatError as error:
        if not error.path:
            error.locate(path)
        raise


def items_of_file(items: Iterable[T], path: str) -> Iterator[T]:
    """Yield the items read from a file, which format errors name."""
    with of_file(path):
        yield from items


class OptionError(BitextError, ValueError):
    """An option with a value that is not allowed; the message lists the allowed ones."""


class MissingExtraError(BitextError, ImportError):
    """A feature whose dependency is not installed.

    Parameters
    ----------
    what : str
        The feature, as the user knows it.
    extra : str
        The extra of the `bitext` distribution that installs the dependency.

    """

    def __init__(self, what: str, *, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs a package that is missing: pip install 'bitext[{extra}]'")


def import_extra(module: str, *, what: str, extra: str) -> Any:
    """Import a module of a package of an extra, when a feature first needs the module.

    Parameters
    ----------
    module : str
        Its full name, as `pyarrow.parquet`.
    what : str
        The feature, as the user knows it.
    extra : str
        The extra of the `bitext` distribution that installs the package.

    Raises
    ------
    MissingExtraError
        When the package is not installed.
    InputError
        When the package is installed but cannot be imported.

    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(what, extra=extra) from error
    except ImportError as error:
        raise InputError(
            f"{what}: {module} is installed but cannot be imported ({brief(error)}): install it "
            f"anew: pip install --force-reinstall {module.partition('.')[0]}"
        ) from error


class JobError(BitextError, RuntimeError):
    """A run over a corpus that stopped early; its results so far are in its journal.

    Parameters
    ----------
    message : str
        The reason of the stop, and how to go on.
    failures : sequence
        The documents without a result (`bitext.jobs.Failure`).

    """

    def __init__(self, message: str, *, failures: Sequence[Any] = ()) -> None:
        self.failures = tuple(failures)
        super().__init__(message)

    @classmethod
    def of_all(cls, failures: Sequence[Any]) -> JobError:
        """Return the error for a run in which all documents failed."""
        first = failures[0]
        more = f", and {len(failures) - 1:,} more" if len(failures) > 1 else ""
        message = f"every document failed: {first.name}: {first.reason}{more}"
        return cls(message, failures=failures)


class PluginError(BitextError, RuntimeError):
    """A plug-in of another package that cannot be used, or fails; the message names both."""


# Names of options in messages: as options of the command line, or as arguments of Python.

# The running command; `None` when called from Python.
_at_work: ContextVar[str | None] = ContextVar("_at_work", default=None)
_ANY = "bitext"  # any command

# Options with another name for now (`renamed`), in commands and in Python.
_OWN: Mapping[str, tuple[str, str]] = MappingProxyType({})
# What a page calls the options that it offers (`by_words`).
_words: ContextVar[Mapping[str, str] | None] = ContextVar("_words", default=None)
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
    words = _words.get()
    if words is not None and (not owners or at_work in owners):
        return ", ".join(dict.fromkeys(_word(each, words, at_work) for each in options))
    if at_work is not None and (not owners or at_work in {_ANY, *owners}):
        return spelled
    if owners and (at_work is not None or not python):
        return f"{spelled} of bitext {owners[0]}"
    return python or ", ".join(map(_argument, options))


def leaving_out(units: str) -> str:
    """Word the advice to leave bad units out; empty on a page, which has no such option.

    Examples
    --------
    >>> f"want two texts{leaving_out('lines')}"
    'want two texts, or leave out such lines (--keep-going of bitext convert)'

    """
    if _words.get() is not None:
        return ""
    return f", or leave out such {units} ({remedy('keep-going', command='convert')})"


def _option(option: str) -> str:
    name, space, value = option.partition(" ")
    called = _renamed.get().get(name, (name, ""))[0]
    if called.endswith("=") and not value:
        called = called.partition(" ")[0]
    if _NEEDS_QUOTES.search(value) and not value.startswith(("'", '"')):
        value = "'{}'".format(value.replace("'", "'\\''"))
    return f"--{called}{'' if called.endswith('=') else space}{value}"


def _word(option: str, words: Mapping[str, str], command: str | None) -> str:
    name, _, value = option.partition(" ")
    if name not in words:
        return f"{_option(option)} of bitext {command}"
    return " ".join(filter(None, (words[name], value)))


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

    A name that ends with an equals sign takes the value of the option, and needs one:

    >>> with renamed("base", option="base giza="), by_options():
    ...     print(remedy("base 1"), remedy("base"))
    --base giza=1 --base

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


@contextmanager
def by_words(words: Mapping[str, str], *, on: str) -> Iterator[None]:
    """Name options in the messages of a block by the words of a page.

    Parameters
    ----------
    words : mapping of str to str
        By option without hyphens the words of the page, which the value of the option follows.
    on : str
        The command that has the options which the page does not offer.

    Examples
    --------
    >>> with by_words({"from": "format"}, on="edit"):
    ...     f"name it ({remedy('from tsv')}), or count from 0 ({remedy('base 0')})"
    'name it (format tsv), or count from 0 (--base 0 of bitext edit)'

    """
    before = _words.set(words)
    try:
        with by_options(on=on):
            yield
    finally:
        _words.reset(before)
