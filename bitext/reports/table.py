"""Tables of text and figures: for a terminal, tab-separated, Markdown and LaTeX.

Results of systems are rows, from which tables, records for programs, and figures are made.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from bitext.notebooks import InNotebooks

if TYPE_CHECKING:
    from bitext.metrics.significance import Interval

# Characters with a meaning in Markdown: emphasis, code, formulas, tags, entities and links.
_MARKS = re.compile(r"[\\`*_~$]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[:])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def number(value: float, digits: int = 4) -> str:
    """Format a figure with `digits` decimals; `-` where undefined.

    A number that rounds to 0 has no sign.

    Examples
    --------
    >>> number(-0.00002), number(-0.5, 2)
    ('0.0000', '-0.50')

    """
    return "-" if isnan(value) else f"{value:z.{digits}f}"


def between(low: float, high: float, digits: int = 4) -> str:
    """Format an interval in brackets, with `digits` decimals; empty if undefined.

    Examples
    --------
    >>> number(0.99976), between(0.9991, 0.99982)
    ('0.9998', '[0.9991, 0.9998]')

    """
    return "" if isnan(low) else f"[{number(low, digits)}, {number(high, digits)}]"


def printable(text: str) -> str:
    """Escape characters that could control a terminal, and marks of writing direction."""
    unsafe = {"Cc", "Cf", "Zl", "Zp", "Cs"}
    if text.isascii() and text.isprintable():
        return text
    joiners = {"\u200c", "\u200d"}  # joiners: part of ordinary words
    return "".join(
        f"\\u{ord(character):04x}"
        if unicodedata.category(character) in unsafe and character not in joiners
        else character
        for character in text
    )


def width(text: str) -> int:
    """Return the width of a text in columns: wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    wide_count = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    zero_width = sum(unicodedata.category(character) in {"Mn", "Me", "Cf"} for character in text)
    return len(text) + wide_count - zero_width


class Look(NamedTuple):
    """How figures are shown: the number of decimals, and whether intervals are."""

    digits: int = 4
    intervals: bool = True


class FigureCell(str):
    """A cell with a figure, its interval and its mark; as a string, all three in a row.

    Examples
    --------
    >>> cell = FigureCell("0.91", "[0.88, 0.94]", "*", best=True)
    >>> cell, cell.value
    ('0.91 [0.88, 0.94]*', '0.91')

    """

    __slots__ = ("best", "interval", "mark", "value")

    value: str  # formatted
    interval: str  # formatted; may be empty
    mark: str  # of significance; may be empty
    best: bool  # whether no other figure that it is compared with is better

    def __new__(cls, value: str, interval: str = "", mark: str = "", *, best: bool = False) -> Self:
        """Make a cell of its parts."""
        cell = super().__new__(cls, f"{value} {interval}".rstrip() + mark)
        cell.value, cell.interval, cell.mark, cell.best = value, interval, mark, best
        return cell


@dataclass(slots=True)
class Table(InNotebooks):
    """Rows of cells under a head."""

    head: list[str]  # the names of the columns
    right: set[int] = field(default_factory=set)  # the right-aligned columns
    # Columns in which a terminal leaves out a cell that repeats the one above.
    quiet: set[int] = field(default_factory=set)
    rows: list[list[str]] = field(default_factory=list)  # the cells
    # Whether the first column names groups of rows, which LaTeX heads with the name.
    grouped: bool = False

    def render(self, style: str) -> str:
        """Return the table in one of the `STYLES`, with a line end at its end."""
        return STYLES[style](self)


def _terminal(table: Table) -> str:
    rows = [[printable(cell) for cell in row] for row in (table.head, *table.rows)]
    widths = [max(width(row[k]) for row in rows) for k in range(len(table.head))]
    lines, above = [], [""] * len(widths)
    for row in rows:
        row_cells = [
            "" if k in table.quiet and row[: k + 1] == above[: k + 1] else cell
            for k, cell in enumerate(row)
        ]
        cells = [
            " " * (size - width(cell)) + cell
            if k in table.right
            else cell + " " * (size - width(cell))
            for k, (cell, size) in enumerate(zip(row_cells, widths, strict=True))
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
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", cell)


def _markdown(table: Table) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(_plain(cell).replace("|", "\\|") for cell in cells) + " |"

    rule = ["--:" if k in table.right else "---" for k in range(len(table.head))]
    return "\n".join([line(table.head), f"| {' | '.join(rule)} |", *map(line, table.rows)]) + "\n"


# LaTeX for pdflatex with the package booktabs and nothing else. The output is ASCII: accents and
# symbols are commands, and letters of other scripts are transliterated, as the fonts of plain
# LaTeX have none of them.

_LATEX_ROOM = 345.0  # pt: the text width of the class article at 10 pt
_LATEX_GAP = 12.0  # pt between columns: twice the default of \tabcolsep
_TIGHT_GAP = 6  # pt between columns of a table that is too wide
# Average widths of characters in pt, of Computer Modern: figures, intervals (at 7 pt) and names;
# measured on tables that were set.
_DIGIT, _SMALL_DIGIT, _LETTER = 4.9, 3.4, 4.8
_SHORT_HEAD = 10  # characters of a head that stay on one line
_LATEX_SPECIAL = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\texttt{\char34}",
    "`": r"\textasciigrave{}", "[": "{[}",  # [ is an option after \\ and \midrule
    "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\dots{}",
    "¡": "!`", "¿": "?`", "§": r"\S{}", "¶": r"\P{}", "©": r"\copyright{}", "£": r"\pounds{}",
    "†": r"\dag{}", "‡": r"\ddag{}", "•": r"\textbullet{}", "\u00a0": "~", "ı": r"{\i}",
    "ß": r"{\ss}", "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}",
    "ø": r"{\o}", "Ø": r"{\O}", "å": r"{\aa}", "Å": r"{\AA}", "ł": r"{\l}", "Ł": r"{\L}",
    "×": r"$\times$", "·": r"$\cdot$", "±": r"$\pm$", "°": r"$^{\circ}$", "µ": r"$\mu$",
    "−": "$-$", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$", "∞": r"$\infty$",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "←": r"$\leftarrow$", "→": r"$\rightarrow$",
}  # fmt: skip
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", _GREEK_NAMES.split(), strict=True))
# Combining marks with the command of the accent.
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0327": "c", "\u0331": "b",
}  # fmt: skip


def latex_text(text: str) -> str:
    r"""Escape text for LaTeX, as ASCII.

    Letters without a command in plain LaTeX are transliterated, and marks of writing direction are
    left out.

    Examples
    --------
    >>> print(latex_text("Å_1 & Łódź, 5%"), latex_text("модель"))
    {\AA}\_1 \& {\L}\'od\'z, 5\% model'

    """
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    above, pieces = "", ""
    for character in text:
        ligature = character == above and character in "-',"  # as in `--`, which is a dash
        pieces += ("{}" if ligature else "") + _latex_character(character)
        above = character
    if text and not pieces:
        pieces = " ".join(f"U+{ord(character):04X}" for character in text)
    return "{*}" + pieces[1:] if pieces.startswith("*") else pieces


@cache
def _latex_character(character: str) -> str:
    if character in _LATEX_SPECIAL:
        return _LATEX_SPECIAL[character]
    if character.isascii():
        return character if character.isprintable() else f"U+{ord(character):04X}"
    if character in _GREEK:
        return f"$\\{_GREEK[character]}$"
    base, mark = _base_and_mark(character)
    if mark:
        accent = _ACCENTS[mark]
        letter = f"\\{base}" if base in "ij" and accent not in "dcb" else base
        closed = accent.isalpha() or len(letter) > 1
        return f"\\{accent}{{{letter}}}" if closed else f"\\{accent}{letter}"
    return "".join(map(_latex_character, _transliterated(character)))


def _transliterated(character: str) -> str:
    from anyascii import anyascii

    return anyascii(character)


def _base_and_mark(character: str) -> tuple[str, str]:
    """Return a letter and its accent; no accent where LaTeX has no command for the two."""
    parts = unicodedata.normalize("NFD", character)
    base, mark = parts[:1], parts[1:]
    has_command = mark in _ACCENTS and base.isascii() and base.isalpha()
    return base, mark if has_command else ""


def _is_transliterated(character: str) -> bool:
    """Check whether LaTeX shows other letters for a character, or none."""
    is_writable = character.isascii() or character in _LATEX_SPECIAL or character in _GREEK
    return not is_writable and not _base_and_mark(character)[1]


def fits(table: Table) -> bool:
    """Check whether a LaTeX table fits the page with its intervals below the figures."""
    return _LatexTable(table).width(stacked=True) <= _LATEX_ROOM


class _LatexTable:
    """A table as LaTeX: a group of rows under its name, the best figure of a column bold.

    Intervals stand beside the figures where the page is wide enough, else below them. If this is
    too wide, too, the columns come closer.
    """

    def __init__(self, table: Table) -> None:
        self.first = 1 if table.grouped else 0
        self.table = table
        self.columns = range(self.first, len(table.head))
        cells = {k: [row[k] for row in table.rows] for k in self.columns}
        self.figures = {
            k: [cell for cell in cells[k] if isinstance(cell, FigureCell)] for k in self.columns
        }
        self.marks = {k: max((len(c.mark) for c in self.figures[k]), default=0) for k in cells}
        self.ends = {k: max((len(c.interval) for c in self.figures[k]), default=0) for k in cells}
        self.sizes = {
            k: max((len(c.value if isinstance(c, FigureCell) else c) for c in cells[k]), default=0)
            for k in cells
        }
        self.stacked = self.width(stacked=False) > _LATEX_ROOM and any(self.ends.values())
        self.names = _distinct_names(table)
        self.tight = self.stacked and self.width(stacked=True) > _LATEX_ROOM

    def width(self, *, stacked: bool) -> float:
        """Return the estimated width in pt."""
        total = -_LATEX_GAP  # none at the edges
        for k in self.columns:
            wide = self.sizes[k] * (_DIGIT if self.figures[k] else _LETTER)
            wide += self.marks[k] * _DIGIT
            ends = self.ends[k] * _SMALL_DIGIT
            wide = max(wide, ends) if stacked else wide + ends + (_DIGIT if ends else 0)
            head = max(map(len, self._head_lines(k))) * _LETTER
            total += max(wide, head) + _LATEX_GAP
        return total

    def render(self) -> str:
        """Return the environment `tabular`, with a line end at its end."""
        between = rf"@{{\hspace{{{_TIGHT_GAP}pt}}}}" if self.tight else ""
        spec = between.join(self._spec(k) for k in self.columns)
        # The package as a comment in the first line, which is the one that is copied for sure.
        lines = [rf"\begin{{tabular}}{{@{{}}{spec}@{{}}}} % \usepackage{{booktabs}}", r"\toprule"]
        lines += [" & ".join(map(self._head, self.columns)) + r" \\"]
        above: list[str] = []
        for number, row in enumerate(self.table.rows):
            if not number or (self.first and row[0] != above[0]):
                lines.append(r"\midrule")
                if self.first:
                    total = sum(self._span(k) for k in self.columns)
                    lines.append(
                        rf"\multicolumn{{{total}}}{{@{{}}l}}{{\emph{{{self.names[row[0]]}}}}} \\"
                    )
            elif self.stacked:
                lines.append(r"\addlinespace[2pt]")
            shown = [
                "" if k in self.table.quiet and row[: k + 1] == above[: k + 1] else row[k]
                for k in self.columns
            ]
            lines.append(" & ".join(map(self._cell, self.columns, shown)) + r" \\")
            if self.stacked and any(isinstance(c, FigureCell) and c.interval for c in row):
                lines.append(" & ".join(map(self._below, shown)).rstrip() + r" \\")
            above = row
        lines += [r"\bottomrule", r"\end{tabular}", *self._originals(), ""]
        return "\n".join(lines)

    def _span(self, column: int) -> int:
        """Return the number of columns of LaTeX: of a figure, its mark and its interval."""
        if self.stacked:
            return 1
        return 1 + bool(self.marks[column]) + bool(self.ends[column])

    def _spec(self, column: int) -> str:
        if not self.figures[column]:
            return "r" if column in self.table.right else "l"
        if self.stacked:
            return "c"
        mark = "@{}l" if self.marks[column] else ""
        return f"r{mark}{'@{ }l' if self.ends[column] else ''}"

    def _head_lines(self, column: int) -> list[str]:
        """Return the head of a column, broken after hyphens and blanks if it is wide."""
        head = self.table.head[column]
        room = max(self.sizes[column], _SHORT_HEAD)
        if not self.figures[column] or len(head) <= room:
            return [head]
        lines = [""]
        for part in re.findall(r"[^\s-]*(?:[\s-]+|$)", head):
            if lines[-1] and len(lines[-1] + part.rstrip()) > room and len(part) > 1:
                lines.append("")
            lines[-1] += part
        return [line.rstrip() for line in lines if line]

    def _head(self, column: int) -> str:
        lines = [*map(latex_text, self._head_lines(column))]
        head = lines[0] if len(lines) == 1 else r"\shortstack{" + r"\\".join(lines) + "}"
        if self.figures[column] and not self.stacked:
            return rf"\multicolumn{{{self._span(column)}}}{{c}}{{{head}}}"
        return head

    def _cell(self, column: int, cell: str) -> str:
        if not self.figures[column]:
            return self.names[cell] if cell else ""
        if not isinstance(cell, FigureCell):
            return " & ".join([latex_text(cell), *[""] * (self._span(column) - 1)]).rstrip()
        value = cell.value.replace("-", "$-$" if len(cell.value) > 1 else "--")
        parts = [rf"\textbf{{{value}}}" if cell.best else value]
        mark = f"$^{{{cell.mark}}}$" if cell.mark else ""
        if self.stacked:
            return parts[0] + (rf"\rlap{{{mark}}}" if mark else "")
        if self.marks[column]:
            parts.append(mark)
        if self.ends[column]:
            parts.append(_small(cell.interval))
        return " & ".join(parts).rstrip()

    def _below(self, cell: str) -> str:
        return _small(cell.interval) if isinstance(cell, FigureCell) else ""

    def _originals(self) -> Iterator[str]:
        """Yield the names that are shown in other letters, as comments."""
        words = (cell for row in (self.table.head, *self.table.rows) for cell in row)
        for text in dict.fromkeys(words):
            if any(map(_is_transliterated, unicodedata.normalize("NFC", text))):
                shown = self.names.get(text) or latex_text(text)
                yield f"% {shown}: {printable(' '.join(text.split()))}"


def _distinct_names(table: Table) -> dict[str, str]:
    """Return the names of a table in LaTeX; those that look alike are numbered."""
    names: dict[str, str] = {}
    times: Counter[str] = Counter()
    for text in dict.fromkeys(cell for row in table.rows for cell in row):
        if not isinstance(text, FigureCell):
            latex_name = latex_text(text)
            times[latex_name] += 1
            is_unique = times[latex_name] == 1 or not latex_name
            names[text] = latex_name if is_unique else f"{latex_name} ({times[latex_name]})"
    return names


def _small(interval: str) -> str:
    return rf"\scriptsize {interval.replace('-', '$-$')}" if interval else ""


def _latex(table: Table) -> str:
    return _LatexTable(table).render()


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


MARKS = ((0.01, "**"), (0.05, "*"))
ARROWS = {"higher": "↑", "lower": "↓"}
_LOOK = Look()


class Figure(NamedTuple):
    """One figure: its value, its interval, and p against the baseline; `nan` if unknown."""

    value: float
    low: float = nan
    high: float = nan
    p: float = nan
    better: str = "higher"

    @property
    def mark(self) -> str:
        """The stars of a difference that chance does not explain."""
        return next((mark for limit, mark in MARKS if self.p < limit), "")

    def cell(self, look: Look = _LOOK, *, best: bool = False) -> FigureCell:
        """Return the figure as a cell of a table."""
        interval = between(self.low, self.high, look.digits) if look.intervals else ""
        return FigureCell(number(self.value, look.digits), interval, self.mark, best=best)


def figure_of(
    value: float, interval: Interval | None, p: float = nan, better: str = "higher"
) -> Figure:
    """Return a figure with its interval, where there is one."""
    return Figure(value, *(interval or (nan, nan)), p, better)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The figures of one system on one text, or on average."""

    group: str  # the granularity, the part or the metric
    system: str
    text: str | None  # `None` for averages
    average: str  # `text`, `micro` or `macro`
    figures: tuple[Figure, ...]  # the figures, in the order of `Results.names`
    # All of the row for programs, with full precision: names, figures, counts, ends of intervals, p
    # and the signature. `None` if undefined.
    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Results:
    """Rows of results, with the names of their groups and figures."""

    head: str  # the kind of the groups: `granularity`, `part` or `metric`
    names: tuple[str, ...]  # the names of the figures of a row
    rows: tuple[ResultRow, ...]  # group by group, system by system, averages before texts
    counts: tuple[str, ...] = ()  # the members of records that are shown before the figures
    arrows: bool = False  # whether groups are shown with the direction of better values

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries, all with the same keys."""
        keys = list(dict.fromkeys(key for row in self.rows for key in row.record))
        return [{key: row.record.get(key) for key in keys} for row in self.rows]

    def flat_table(self) -> Table:
        """Return the table for programs: one value per cell, all digits, `-` where undefined."""
        records = self.records()
        cells = [[flat_cell(value) for value in record.values()] for record in records]
        return Table(list(records[0]) if records else [], rows=cells)

    def table(self, look: Look = _LOOK) -> Table:
        """Return the table for readers, with figure, interval and mark in one cell."""
        with_text, with_k = self._has_texts, any(row.record.get("k") for row in self.rows)
        labels = [self.head, "system", *(["text"] if with_text else [])]
        table = Table([*labels, *self.counts, *self.names], quiet={0, 1}, grouped=True)
        table.right = {len(labels) + k for k in range(len(self.counts))}
        best = self._best(look)
        for n, row in enumerate(self.rows):
            cells = [figure.cell(look, best=(n, k) in best) for k, figure in enumerate(row.figures)]
            labels = [_where(row)] if with_text else []
            counts = [f"{row.record[name]:,}" for name in self.counts]
            k = [str(row.record.get("k") or "")] if with_k else []
            table.rows.append([self.label(row), row.system, *labels, *counts, *cells, *k])
        if with_k:
            table.right |= {len(table.head)}
            table.head.append("k")
        return table

    def latex_table(self, look: Look = _LOOK) -> Table:
        """Return the table for LaTeX: one column per group if a row has one figure and it fits.

        A common window size is in the head, as in `pk ↓ (k=2)`.
        """
        wide = self._wide(look) if len(self.names) == 1 else None
        return wide if wide is not None and fits(wide) else self.table(look)

    def _wide(self, look: Look) -> Table | None:
        """Return a table with one column per group; `None` if windows of a group differ in size."""
        sizes: dict[str, set[int]] = {}
        cells: dict[tuple[str, str], dict[str, FigureCell]] = {}
        best = self._best(look)
        for n, row in enumerate(self.rows):
            size = row.record.get("k")
            sizes.setdefault(self.label(row), set()).update([size] if size else [])
            cell = row.figures[0].cell(look, best=(n, 0) in best)
            cells.setdefault((row.system, _where(row)), {})[self.label(row)] = cell
        if any(len(several) > 1 for several in sizes.values()):
            return None
        heads = [
            f"{group} (k={k})" if (k := max(s, default=0)) else group for group, s in sizes.items()
        ]
        with_text = self._has_texts
        table = Table(["system", *(["text"] if with_text else []), *heads], quiet={0})
        for (system, where), by_group in cells.items():
            row_cells = [by_group.get(group, FigureCell("-")) for group in sizes]
            table.rows.append([system, *([where] if with_text else []), *row_cells])
        return table

    def render(self, style: str, look: Look = _LOOK) -> str:
        """Return the table in a style: for programs in TSV, else for readers."""
        if style == "tsv":
            return self.flat_table().render(style)
        return (self.latex_table(look) if style == "latex" else self.table(look)).render(style)

    def label(self, row: ResultRow) -> str:
        """Return the group of a row as readers see it."""
        return f"{row.group} {ARROWS[row.figures[0].better]}" if self.arrows else row.group

    @property
    def _has_texts(self) -> bool:
        return len({(row.text, row.average) for row in self.rows}) > 1

    def _best(self, look: Look) -> set[tuple[int, int]]:
        """Return the figures, as row and column, that no system surpasses in the shown digits."""
        return best_places(
            (((row.group, row.text, row.average), row.figures) for row in self.rows), look
        )


def differences_table(
    head: str,
    names: Sequence[str],
    rows: Sequence[tuple[str, str, str, str, Sequence[float], Sequence[float]]],
    look: Look = _LOOK,
) -> Table:
    """Return a table of differences between systems, signed, with the marks of their tests.

    `head` is what the groups are (`granularity`, `part` or `metric`), `names` are those of the
    figures. A row has its system, baseline, group and average, the differences, and p of each
    difference.
    """
    with_average = len({row[3] for row in rows}) > 1
    table = Table([head, "system", "against", *(["text"] if with_average else []), *names])
    table.quiet, table.grouped = {0}, True
    for system, baseline, group, average, values, p in rows:
        cells = [
            FigureCell(f"{value:+z.{look.digits}f}", "", Figure(value, p=chance).mark)
            if not isnan(value)
            else FigureCell("-")
            for value, chance in zip(values, p, strict=True)
        ]
        labels = [f"({average})"] if with_average else []
        table.rows.append([group, system, baseline, *labels, *cells])
    return table


def best_of(figures: Sequence[Figure], look: Look = _LOOK) -> list[int]:
    """Return the indices of the best of several figures in the shown digits; none of one alone."""
    rounded = {
        k: float(number(figure.value, look.digits))
        for k, figure in enumerate(figures)
        if not isnan(figure.value)
    }
    if len(rounded) < 2:
        return []
    best = (max if figures[0].better == "higher" else min)(rounded.values())
    return [k for k, value in rounded.items() if value == best]


def best_places(
    rows: Iterable[tuple[Hashable, Sequence[Figure]]], look: Look = _LOOK
) -> set[tuple[int, int]]:
    """Return the best figures among rows of one group each, as row and column; see `best_of`."""
    rivals: dict[Hashable, list[tuple[int, Sequence[Figure]]]] = {}
    for place, (group, figures) in enumerate(rows):
        rivals.setdefault(group, []).append((place, figures))
    return {
        (numbered[n][0], k)
        for numbered in rivals.values()
        for k in range(len(numbered[0][1]))
        for n in best_of([figures[k] for _, figures in numbered], look)
    }


def _where(row: ResultRow) -> str:
    return row.text if row.text is not None else f"({row.average})"


def exact(value: float) -> str:
    """Format a figure with all its digits; `-` where undefined."""
    return "-" if isnan(value) else repr(value)


def flat_cell(value: object) -> str:
    """Format a value for programs: floats with all their digits, `-` where undefined or `None`."""
    if value is None:
        return "-"
    return exact(value) if isinstance(value, float) else str(value)
