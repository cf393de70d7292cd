"""What the commands share: their parser, progress, and where output goes."""

from __future__ import annotations

import argparse
import sys
import time
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bitext.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

__all__ = ["Parser", "Progress", "add_output", "deliver", "style_of", "tell", "value"]

_BY_SUFFIX = {".json": "json", ".tsv": "tsv", ".md": "markdown", ".tex": "latex"}
_FORMATS = ("table", "tsv", "markdown", "latex")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line with a suggestion, like all our errors."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options
        )

    def error(self, message: str) -> NoReturn:
        """Raise an `OptionError` that names the nearest option."""
        if message.startswith("unrecognized arguments: "):
            given = message.removeprefix("unrecognized arguments: ").split()[0]
            near = get_close_matches(given.split("=")[0], self._option_string_actions, n=1)
            if near:
                message = f"no option {given}; did you mean {near[0]}?"
        raise OptionError(f"{message}; '{self.prog} --help' tells the arguments")


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the options about output that every command has."""
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="print one JSON document")
    group.add_argument(
        "--format",
        choices=_FORMATS,
        help="how tables are printed (default: table on a terminal, tsv elsewhere)",
    )
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="write there, not to standard output; the name tells the format (.json .tsv .md .tex)",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="no notes and no progress")
    group.add_argument("-v", "--verbose", action="store_true", help="every note, not a few")


def style_of(options: argparse.Namespace) -> str:
    """Return `json` or the style of tables that the options, or the place of output, ask for."""
    if options.json and options.format:
        raise OptionError("--json and --format exclude each other: give one")
    if options.json:
        return "json"
    if options.format:
        return str(options.format)
    if options.output != "-":
        return _BY_SUFFIX.get(Path(options.output).suffix.lower(), "table")
    return "table" if sys.stdout.isatty() else "tsv"


def deliver(text: str, options: argparse.Namespace) -> None:
    """Print a result, or write it to the file asked for, whole."""
    if options.output == "-":
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
        sys.stdout.write(text)
        return
    from bitext.formats.opening import write_whole

    with write_whole(options.output) as out:
        out.write(text)


def tell(lines: Iterable[str], options: argparse.Namespace, *, most: int = 5) -> None:
    """Print notes on standard error: some of them, or with --verbose all."""
    if options.quiet:
        return
    from bitext.reports.table import printable

    told = list(lines)
    shown = told if options.verbose else told[:most]
    for line in shown:
        sys.stderr.write(f"note: {printable(line)}\n")
    if len(told) > len(shown):
        sys.stderr.write(f"note: and {len(told) - len(shown)} more (--verbose)\n")


def value(kind: Callable[[str], Any], wanted: str) -> Callable[[str], Any]:
    """Return a type for argparse that says what is wanted when a value is not that."""

    def convert(given: str) -> Any:
        try:
            return kind(given)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{given!r} is not {wanted}") from None

    return convert


class Progress:
    """Tells on standard error how far long work is, when that is a terminal."""

    def __init__(self, what: str, total: int, *, quiet: bool) -> None:
        self._what, self._total = what, total
        self._begun = self._shown = time.monotonic()
        self._live = not quiet and sys.stderr.isatty()

    def over(
        self, items: Iterable[Any], *, size: Callable[[Any], int] | None = None
    ) -> Generator[Any]:
        """Yield the items, telling how many are done, at most ten times a second.

        It tells at once that work has begun: one item may be a file of a million lines. Close it
        when something fails, so that the line is wiped before the error is told. With `size` each
        item counts for that much of the total, and the time that is left is told too.
        """
        done = 0
        try:
            self._tell(f"{self._what} 0 of {self._total:,} ...")
            for item in items:
                yield item
                done += 1 if size is None else size(item)
                now = time.monotonic()
                if now - self._shown > 0.1:
                    rate = done / (now - self._begun)
                    self._shown = now
                    left = f", {(self._total - done) / rate:,.0f} s left" if size else ""
                    told = f"{rate:,.0f} a second{left}"
                    self._tell(f"{self._what} {done:,} of {self._total:,} ({told})")
        finally:
            self._tell("")

    def _tell(self, line: str) -> None:
        """Put a line in the place of the last one."""
        if self._live:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
