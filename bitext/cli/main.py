"""The command line `bitext`: the table of commands, and the handling of errors.

Exit status: 0 done, 1 findings, 2 user's error (one line), 70 our bug (traceback); as in a shell,
128 plus the number of the signal that ended the run (SIGALRM if an orderly end took too long).
"""

from __future__ import annotations

import errno
import gc
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn

from bitext.cli.console import hush, keep_freed_memory, write_err, write_out
from bitext.errors import BitextError, by_options

USER_ERROR = 2
BUG = 70
_SIGINT = 2
_NAME = 200  # characters of a file name that are printed
# Errors of the machine, whatever the operation on a file: they are the user's to mend.
_FOREIGN = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.ELOOP),
    *(errno.ENAMETOOLONG, errno.ENOSPC),
}
# Objects allocated between two garbage collections (the default is 700); set by hand.
_ALLOCATED = 100_000
# name: (module, with its function unless that is `run`; summary)
COMMANDS = {
    "score": (
        "bitext.cli.score",
        "score alignments: precision, recall and F at four granularities",
    ),
    "compare": ("bitext.cli.compare", "score segmentations against one reference or more"),
    "align": ("bitext.cli.align", "align the sentences of a text and its translation"),
    "link": ("bitext.cli.link", "link the words of translated sentences"),
    "edit": ("bitext.cli.edit", "make and correct gold standards in the browser"),
    "agreement": ("bitext.cli.agreement", "measure the agreement of the annotators of a project"),
    "study": ("bitext.cli.study", "count the references on which a metric errs: the error study"),
    "cluster": ("bitext.cli.cluster", "align comparable sentences to a word lattice"),
    "paraphrase": ("bitext.cli.paraphrase", "derive new sentences from a cluster or a lattice"),
    "paragraphs": (
        "bitext.cli.paragraphs",
        "put paragraph breaks into running text, or train models",
    ),
    "convert": ("bitext.cli.convert", "convert alignments to another format, and list the losses"),
    "check": ("bitext.cli.check", "list errors of files of alignments, each with its line"),
    "split": ("bitext.cli.split", "split alignments into train, dev and test parts"),
    "stats": ("bitext.cli.stats", "describe sizes, lengths, languages, scores and duplicates"),
    "show": ("bitext.cli.show", "show alignments for reading, source and target side by side"),
    "combine": ("bitext.cli.algebra.joining:run_combine", "combine alignments of the same texts"),
    "compose": (
        "bitext.cli.algebra.joining:run_compose",
        "compose two alignments through a shared text",
    ),
    "join": ("bitext.cli.join", "join pairs of languages in one table or memory"),
    "sample": (
        "bitext.cli.algebra:run_sample",
        "draw bisegments at random, or take the first ones",
    ),
    "diff": ("bitext.cli.algebra:run_diff", "list the bisegments that only one file has"),
    "merge": ("bitext.cli.merge", "merge the shards of a command"),
    "formats": ("bitext.cli.listings:run_formats", "list the formats that can be read and written"),
    "metrics": (
        "bitext.cli.listings:run_metrics",
        "list the metrics, their options and their sources",
    ),
    "methods": ("bitext.cli.listings:run_methods", "list the aligners and the parsers"),
}


@by_options()
def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status. An error of the user is printed in one line."""
    arguments = sys.argv[1:] if arguments is None else arguments
    given = ["-" if argument == "/dev/stdin" else argument for argument in arguments]
    if len(given) > 1 and given[0] == "help":
        given = [given[1], "--help"]
    if not given or given[0] in {"-h", "--help", "help"}:
        return _guarded("bitext", lambda: _print(_help()))
    if given[0] in {"-V", "--version"}:
        from bitext import __version__

        return _guarded("bitext", lambda: _print(f"bitext {__version__}\n"))
    name = given[0]
    if name not in COMMANDS:
        return _complain("bitext", _unknown(name))
    return _guarded(f"bitext {name}", lambda: _run(name, given[1:]))


def _print(text: str) -> int:
    write_out([text])
    return 0


def _run(name: str, arguments: Sequence[str]) -> int:
    # Data are long lists of strings without cycles: fewer collections save up to a tenth of the
    # time.
    gc.set_threshold(_ALLOCATED, 20, 100)
    keep_freed_memory()
    with by_options(on=name):
        module, _, function = COMMANDS[name][0].partition(":")
        status = int(getattr(import_module(module), function or "run")(arguments))
    if sys.stdout is not None:  # None: closed by the caller
        sys.stdout.flush()
    return status


def _guarded(program: str, work: Callable[[], int]) -> int:
    """Return the exit status of `work`, or that of its error, which is printed."""
    try:
        return work()
    except KeyboardInterrupt as error:
        return _ended(program, error)
    except Exception as error:  # noqa: BLE001 - the one place where all errors end
        # Some code turns Ctrl-C into an error of its own, as numpy does while it is imported.
        from bitext.cli.console import signal_error

        ended = signal_error()
        return _failed(program, error) if ended is None else _ended(program, ended)


def _ended(program: str, error: KeyboardInterrupt) -> int:
    """Print that a signal has ended the run; return the exit status."""
    number = getattr(error, "number", _SIGINT)
    return _complain(program, str(error) or "interrupted", status=128 + number)


def _failed(program: str, error: Exception) -> int:
    """Print the message of the error at hand; return the exit status."""
    if isinstance(error, BitextError):
        return _complain(program, str(error))
    if isinstance(error, BrokenPipeError):
        # The reader of our output has closed it, as `head` does: no error.
        hush(sys.stdout)
        return 0
    if isinstance(error, MemoryError):
        detail = f" ({error})" if str(error) else ""
        return _complain(program, f"memory ran out{detail}: allow more, or ask for less at once")
    if not isinstance(error, OSError):
        return _bug(program)
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        return _complain(
            program, f"{error.strerror}: allow more (ulimit -n), or ask for fewer processes (-j)"
        )
    if error.filename is not None and error.errno in _FOREIGN:
        name = str(error.filename)
        shown = name if len(name) <= _NAME else f"{name[:_NAME]} ..."
        return _complain(program, f"{shown}: {error.strerror}")
    if error.filename is not None:  # modules that open files turn their errors into ours
        return _bug(program)
    hush(sys.stdout)
    return _complain(program, f"cannot write: {error.strerror or error}")


def _bug(program: str) -> int:
    """Print the traceback of the error at hand; return the exit status."""
    import traceback

    write_err(traceback.format_exc())
    _complain(program, "this is a bug of bitext: please report it with the above")
    return BUG


def _complain(program: str, message: str, *, status: int = USER_ERROR) -> int:
    if sys.stderr is None:
        return status
    line = " ".join(message.split())
    safe = "".join(each if each.isprintable() else _escape(each) for each in line)
    encoding = sys.stderr.encoding or "ascii"
    shown = f"{program}: {safe}".encode(encoding, "backslashreplace").decode(encoding)
    write_err(f"{shown}\n")
    return status


def _escape(character: str) -> str:
    """Return the escape of a code point, or of a byte of a file name that is not UTF-8."""
    number = ord(character)
    return f"\\x{number - 0xDC00 if 0xDC80 <= number <= 0xDCFF else number:02x}"


def _unknown(name: str) -> str:
    from bitext.errors import did_you_mean

    hint = did_you_mean(name, (*COMMANDS, "--help", "--version"))
    return f"no command {name!r}; {hint}the commands: {', '.join(COMMANDS)}"


def _help() -> str:
    rows = "\n".join(f"  {name:<10} {summary}" for name, (_, summary) in COMMANDS.items())
    return (
        "usage: bitext COMMAND ...\n\n"
        "Score, make and convert alignments of parallel texts; compare segmentations.\n\n"
        f"{rows}\n\n"
        "  bitext COMMAND --help   lists the arguments of a command\n"
        "  bitext --version        prints the version\n"
    )


def entry() -> NoReturn:
    """Run as a program, and exit."""
    try:
        from bitext.cli.console import handle_signals

        handle_signals()
    except KeyboardInterrupt as error:
        sys.exit(_ended("bitext", error))
    status = main()
    gc.freeze()  # Python's last collections pass over no object: a fifteenth of a short command
    sys.exit(status)
