"""The command line `bitext`: the table of commands, and what becomes of errors.

Exit status: 0 done, 1 findings, 2 user's error (one line), 70 our bug (traceback), and as of a
shell 128 and the number of the signal that ended it (SIGALRM where an end in order took too long).
"""

from __future__ import annotations

import errno
import gc
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from bitext.cli.console import hush, remark, say
from bitext.errors import BitextError
from bitext.option_names import by_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["COMMANDS", "entry", "main"]

USER_ERROR = 2
BUG = 70
_SIGINT = 2
_NAME = 200  # signs of a file's name that are shown
# What the machine refuses, whatever is asked of a file.
_FOREIGN = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.ELOOP),
    *(errno.ENAMETOOLONG, errno.ENOSPC),
}
_MADE = 100_000

# name: (module and its function when it is not `run`, what it does)
COMMANDS = {
    "score": ("bitext.cli.score", "precision, recall and F of alignments at four granularities"),
    "compare": ("bitext.cli.compare", "metrics of segmentations, against one reference or more"),
    "align": ("bitext.cli.align", "the sentences of a text and its translation, aligned"),
    "study": ("bitext.cli.study", "on how many references a metric errs: the error study"),
    "cluster": ("bitext.cli.cluster", "comparable sentences, aligned to a word lattice"),
    "paraphrase": ("bitext.cli.paraphrase", "novel sentences from a cluster or a lattice"),
    "paragraphs": ("bitext.cli.paragraphs", "paragraph breaks for running text, and their models"),
    "convert": ("bitext.cli.convert", "alignments from one format to another; losses are told"),
    "check": ("bitext.cli.check", "is a file of alignments sound? each finding with its line"),
    "show": ("bitext.cli.show", "alignments for reading, source and target side by side"),
    "merge": ("bitext.cli.merge", "what the shards of a command did, put together"),
    "formats": ("bitext.cli.listings:run_formats", "the formats that can be read and written"),
    "metrics": ("bitext.cli.listings:run_metrics", "the metrics, their options and their sources"),
    "methods": ("bitext.cli.listings:run_methods", "the aligners and the parsers"),
}


@by_options()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status; errors of users become one line."""
    asked = sys.argv[1:] if arguments is None else arguments
    given = ["-" if argument == "/dev/stdin" else argument for argument in asked]
    if not given or given[0] in {"-h", "--help", "help"}:
        return _guarded("bitext", lambda: _said(_help()))
    if given[0] in {"-V", "--version"}:
        from bitext import __version__

        return _guarded("bitext", lambda: _said(f"bitext {__version__}\n"))
    name = given[0]
    if name not in COMMANDS:
        return _complain("bitext", _unknown(name))
    return _guarded(f"bitext {name}", lambda: _done(name, given[1:]))


def _said(text: str) -> int:
    say([text])
    return 0


def _done(name: str, arguments: Sequence[str]) -> int:
    # Data are long lists of strings, which hold no cycles: to look for some less often saves up
    # to a tenth of the time.
    gc.set_threshold(_MADE, 20, 100)
    with by_options(on=name):
        module, _, function = COMMANDS[name][0].partition(":")
        status = int(getattr(import_module(module), function or "run")(arguments))
    if sys.stdout is not None:  # None: closed by who called us
        sys.stdout.flush()
    return status


def _guarded(who: str, work: Callable[[], int]) -> int:
    """Do what gives an exit status; errors give one, too."""
    try:
        return work()
    except KeyboardInterrupt as error:
        return _ended(who, error)
    except Exception as error:  # noqa: BLE001 - the one place where all errors end
        # Some code makes an error of its own of Ctrl-C, as numpy does while it is imported.
        from bitext.cli.console import ending

        ended = ending()
        return _failed(who, error) if ended is None else _ended(who, ended)


def _ended(who: str, error: KeyboardInterrupt) -> int:
    """Tell that a signal has ended the run; return the exit status."""
    number = getattr(error, "number", _SIGINT)
    return _complain(who, str(error) or "interrupted", status=128 + number)


def _failed(who: str, error: Exception) -> int:
    """Print the message of the error that is being handled; return the exit status."""
    if isinstance(error, BitextError):
        return _complain(who, str(error))
    if isinstance(error, BrokenPipeError):
        # The reader of our output has gone, as `head` does: that is no error.
        hush(sys.stdout)
        return 0
    if isinstance(error, MemoryError):
        told = f" ({error})" if str(error) else ""
        return _complain(who, f"memory ran out{told}: allow more, or ask for less at once")
    if not isinstance(error, OSError):
        return _bug(who)
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        told = f"{error.strerror}: allow more (ulimit -n), or ask for fewer processes (-j)"
        return _complain(who, told)
    if error.filename is not None and error.errno in _FOREIGN:
        name = str(error.filename)
        shown = name if len(name) <= _NAME else f"{name[:_NAME]} ..."
        return _complain(who, f"{shown}: {error.strerror}")
    if error.filename is not None:  # errors of files are reported where they are opened
        return _bug(who)
    hush(sys.stdout)
    return _complain(who, f"cannot write: {error.strerror or error}")


def _bug(who: str) -> int:
    """Show the error at hand in full."""
    import traceback

    remark(traceback.format_exc())
    _complain(who, "this is a bug of bitext: please report it with the above")
    return BUG


def _complain(who: str, message: str, *, status: int = USER_ERROR) -> int:
    if sys.stderr is None:
        return status
    line = " ".join(message.split())
    safe = "".join(sign if sign.isprintable() else _escaped(sign) for sign in line)
    encoding = sys.stderr.encoding or "ascii"
    shown = f"{who}: {safe}".encode(encoding, "backslashreplace").decode(encoding)
    remark(f"{shown}\n")
    return status


def _escaped(sign: str) -> str:
    """Return a sign by its number; a byte of a file name that is no UTF-8 by its own."""
    number = ord(sign)
    return f"\\x{number - 0xDC00 if 0xDC80 <= number <= 0xDCFF else number:02x}"


def _unknown(name: str) -> str:
    from bitext.errors import did_you_mean

    return f"no command {name!r}; {did_you_mean(name, COMMANDS)}the commands: {', '.join(COMMANDS)}"


def _help() -> str:
    rows = "\n".join(f"  {name:<10} {told}" for name, (_, told) in COMMANDS.items())
    return (
        "usage: bitext COMMAND ...\n\n"
        "Score, make and convert alignments of parallel texts; compare segmentations.\n\n"
        f"{rows}\n\n"
        "  bitext COMMAND --help   tells the arguments of a command\n"
        "  bitext --version        tells the version\n"
    )


def entry() -> NoReturn:
    """Run as a program."""
    try:
        from bitext.cli.console import end_in_order

        end_in_order()
    except KeyboardInterrupt as error:
        sys.exit(_ended("bitext", error))
    sys.exit(main())
