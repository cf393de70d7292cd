"""Tables of text: for a terminal, tab-separated, Markdown and LaTeX."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from math import isnan

from bitext.notebooks import InNotebooks

__all__ = ["STYLES", "Table", "beside", "between", "many", "number", "printable"]

# Characters with a meaning in Markdown: emphasis, code, formulas, tags, entities and links.
_MARKS = re.compile(r"[\\`*_~$]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[:])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def number(value: float, digits: int = 4) -> str:
    """Format a figure with `digits` decimals; `-` where undefined.

    A number that rounds to 0 has no sign.

    Examples
    --------
    >>> number(-0.00002), number(-0.5, 2)
    ('0.0000', '-0.50')

    """
    return "-" if isnan(value) else f"{value:z.{digits}f}"


def many(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural except for 1.

    Examples
    --------
    >>> many(1, "text"), many(2000, "text")
    ('1 text', '2,000 texts')

    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def between(low: float, high: float) -> str:
    """Format an interval in brackets, with four decimals; empty where undefined.

    Examples
    --------
    >>> number(0.99976), between(0.9991, 0.99982)
    ('0.9998', '[0.9991, 0.9998]')

    """
    return "" if isnan(low) else f"[{number(low)}, {number(high)}]"


def printable(text: str) -> str:
    """Escape characters that could control a terminal, and marks of writing direction."""
    unsafe = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    if text.isascii() and text.isprintable():
        return text
    joiners = {"\u200c", "\u200d"}  # joiners: part of ordinary words
    return "".join(
        f"\\u{ord(sign):04x}"
        if unicodedata.category(sign) in unsafe and sign not in joiners
        else sign
        for sign in text
    )


def width(text: str) -> int:
    """Return the width of a text in columns: wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    marks = sum(unicodedata.category(sign) in {"Mn", "Me", "Cf"} for sign in text)
    return len(text) + wide - marks


@dataclass(slots=True)
class Table(InNotebooks):
    """Rows of cells under a head.

    Attributes
    ----------
    head : list of str
        The names of the columns.
    right : set of int
        The right-aligned columns.
    rows : list of list of str
        The cells.
    quiet : set of int
        Columns in which a terminal leaves out a cell that repeats the one above.

    """

    head: list[str]
    right: set[int] = field(default_factory=set)
    quiet: set[int] = field(default_factory=set)
    rows: list[list[str]] = field(default_factory=list)

    def render(self, style: str) -> str:
        """Return the table in one of the `STYLES`, with a line end at its end."""
        return STYLES[style](self)


def _terminal(table: Table) -> str:
    rows = [[printable(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(width(row[k]) for row in rows) for k in range(len(table.head))]
    lines, above = [], [""] * len(widths)
    for row in rows:
        shown = [
            "" if k in table.quiet and row[: k + 1] == above[: k + 1] else cell
            for k, cell in enumerate(row)
        ]
        cells = [
            " " * (size - width(cell)) + cell
            if k in table.right
            else cell + " " * (size - width(cell))
            for k, (cell, size) in enumerate(zip(shown, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
        above = row
    lines.insert(1, "  ".join("-" * size for size in widths))
    return "\n".join(lines) + "\n"


def _tsv(table: Table) -> str:
    rows = (table.head, *table.rows)
    flat = ("\t".join(_steady(" ".join(cell.split())) for cell in row) for row in rows)
    return "\n".join(flat) + "\n"


def _steady(cell: str) -> str:
    """Escape control characters, which may control a terminal, and no others: cells are data."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", cell)


def _markdown(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(_plain(cell).replace("|", "\\|") for cell in cells) + " |"

    rule = ["--:" if k in table.right else "---" for k in range(len(table.head))]
    return "\n".join([line(table.head), f"| {' | '.join(rule)} |", *map(line, table.rows)]) + "\n"


def _latex(table: Table) -> str:
    def escaped(cell: str) -> str:
        cell = printable(cell)
        cell = "".join(_ESCAPES.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in cell)
        return cell.replace("×", r"$\times$")

    def line(cells: list[str]) -> str:
        return " & ".join(map(escaped, cells)) + r" \\"

    columns = "".join("r" if k in table.right else "l" for k in range(len(table.head)))
    body = [line(row) for row in table.rows]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            line(table.head),
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _plain(text: str) -> str:
    """Escape a line so that Markdown shows it unchanged."""
    return _MARKS.sub(r"\\\g<0>", printable(text))


def beside(text: str, style: str) -> str:
    """Format the lines above or below a table in its style.

    In LaTeX the lines become comments; in Markdown they stay lines, with special characters
    escaped.
    """
    lines = [printable(line) for line in text.splitlines()]
    if style == "latex":
        return "".join(f"% {line}".rstrip() + "\n" for line in lines)
    if style == "markdown":
        return "  \n".join(map(_plain, lines)) + "\n"  # two spaces: a line break in Markdown
    return "".join(f"{line}\n" for line in lines)


STYLES = {"table": _terminal, "tsv": _tsv, "markdown": _markdown, "latex": _latex}
