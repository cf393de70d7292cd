"""Results of systems as rows, from which tables, records for programs, and figures are made."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.reports.table import FigureCell, Look, Table, between, fits, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.metrics.significance import Interval

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
    # `system`, `text`, `average`: `text` is `None` for averages; `average` is `text`, `micro` or
    # `macro`.
    system: str
    text: str | None
    average: str
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
        cells = [[_flat(value) for value in record.values()] for record in records]
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
        rivals: dict[tuple[str, str | None, str], list[int]] = {}
        for n, row in enumerate(self.rows):
            rivals.setdefault((row.group, row.text, row.average), []).append(n)
        return {
            (numbers[place], k)
            for numbers in rivals.values()
            for k in range(len(self.names))
            for place in best_of([self.rows[n].figures[k] for n in numbers], look)
        }


def differences_table(
    head: str,
    names: Sequence[str],
    rows: Sequence[tuple[str, str, str, str, Sequence[float], Sequence[float]]],
    look: Look = _LOOK,
) -> Table:
    """Return a table of differences between systems, signed, with the marks of their tests.

    Parameters
    ----------
    head : str
        What the groups are: `granularity`, `part` or `metric`.
    names : sequence of str
        The names of the figures.
    rows : sequence of tuple
        Group, system, baseline, average, differences, and p of each difference.
    look : Look
        The number of digits.

    """
    with_average = len({row[3] for row in rows}) > 1
    table = Table([head, "system", "against", *(["text"] if with_average else []), *names])
    table.quiet, table.grouped = {0}, True
    for group, system, baseline, average, values, p in rows:
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


def _where(row: ResultRow) -> str:
    return row.text if row.text is not None else f"({row.average})"


def exact(value: float) -> str:
    """Format a figure with all its digits; `-` where undefined."""
    return "-" if isnan(value) else repr(value)


def _flat(value: object) -> str:
    if value is None:
        return "-"
    return exact(value) if isinstance(value, float) else str(value)
