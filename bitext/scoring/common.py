"""Results of evaluations as rows, data frames, tables and pages; names of systems."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

from bitext.errors import (
    InputError,
    OptionError,
    few,
    import_extra,
    many,
    masked,
    named_by_options,
    remedy,
)
from bitext.formats.corpora import text_name
from bitext.formats.io.compression import unpacked
from bitext.formats.io.remote import called
from bitext.metrics.evaluation import Sampling
from bitext.paths import path_name
from bitext.reports.table import Look, Results, Table, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from bitext.formats.corpora.pairing import Unpaired
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.metrics.evaluation.segmentations import SegmentEvaluation

Average = Literal["micro", "macro", "both"]

_MOST_DECIMALS = 15  # the significant digits that every float has
_AVERAGES = ("micro", "macro", "both")
_TEXT = {
    *("system", "text", "average", "granularity", "part", "metric", "figure", "better"),
    *("baseline", "test", "undefined", "signature"),
    *("coefficient", "on"),
}  # columns of strings; all others have numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """The options of the display of results."""

    averages: tuple[str, ...] = ("micro",)  # the averages over texts: `micro`, `macro`, or both
    # The most places with errors of each system, or of segmentations texts with edits; `ALL` of
    # `bitext.reports.scores.page_writers` for all places, `None` for none.
    errors: int | None = None
    whole: bool = False  # whether all places are shown within their whole texts
    # Of segmentations, the most texts of each system that are drawn as strips.
    strips: int | None = None
    # Whether tables are printed on standard output, in colour where it has some.
    printed: bool = False
    detailed: bool = True  # whether the breakdown by bead type is collected
    html: str | None = None  # the file or folder of pages that are written while texts are scored
    # Whether to refuse systems that fit only with sides exchanged or positions shifted.
    swap_check: bool = True
    verbose: bool = False  # whether each file left aside has a note


class EvaluationResults(ABC):
    """The results of `evaluate` or `compare`: figures, intervals and tests in several forms.

    `print` shows the table of the command, a notebook the table and a drawing. Objects of this
    class are an Arrow stream, too (`__arrow_c_stream__`, with pyarrow installed):
    `polars.DataFrame(results)`, `pyarrow.table(results)` and DuckDB take them.

    Attributes
    ----------
    evaluation : Evaluation or SegmentEvaluation
        The counts, from which all figures are computed.
    averages : tuple of str
        The averages over texts that are shown: `micro`, `macro`, or both.
    notes : tuple of str
        Notes on the input and on the limits of the figures.

    """

    evaluation: Evaluation | SegmentEvaluation
    averages: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.evaluation.systems)

    @property
    def texts(self) -> tuple[str, ...]:
        """The names of the scored texts."""
        return tuple(self.evaluation.texts)

    @property
    @abstractmethod
    def signature(self) -> str:
        """Every choice that changes a figure or an interval, and the version."""

    def rows(self, *, average: Average | None = None, per_text: bool = False) -> list[Any]:
        """Return the figures as dictionaries, one a figure of a system.

        Parameters
        ----------
        average : {"micro", "macro", "both"}, optional
            The averages over texts. Default: those of the call of `evaluate` or `compare`.
        per_text : bool
            Whether to return the figures of each text, too.

        Returns
        -------
        list of dict
            Each has `system`, `text` (`None` for averages), `average`, the measure, `value`, the
            ends of its interval (`low`, `high`), the test against the baseline (`baseline`,
            `difference`, `p`), the counts behind it, the reason where it is undefined, and its
            signature. `None` stands for a figure that is undefined or was not computed.

        """
        tests: dict[tuple[Any, ...], dict[str, Any]] = {}
        averages = self._averages(average)
        for test in self._tests(averages):
            tests.setdefault(_key(test), test)
        rows = []
        for row in self._rows(averages, per_text=per_text):
            test = tests.get(_key(row)) or {}
            test_values = {name: test.get(name) for name in ("baseline", "difference", "p")}
            ends = {name: row.pop(name) for name in ("undefined", "signature")}
            rows.append({**row, **test_values, **ends})
        return rows

    def tests(self, *, average: Average | None = None) -> list[dict[str, Any]]:
        """Return the tests between systems as dictionaries, one a figure.

        Each has `system`, `baseline`, `average`, the measure, the `difference` (system minus
        baseline), the `test` and its `p`. There are none for one system, or without resamples.
        """
        return list(self._tests(self._averages(average)))

    def _averages(self, average: Average | None) -> tuple[str, ...]:
        return self.averages if average is None else averages_of(average)

    @abstractmethod
    def _rows(self, averages: Sequence[str], *, per_text: bool) -> Iterator[dict[str, Any]]: ...

    @abstractmethod
    def _tests(self, averages: Sequence[str]) -> Iterator[dict[str, Any]]: ...

    def to_json(self) -> dict[str, Any]:
        """Return the JSON document of the command (`--json`) as a dictionary."""
        return dict(json.loads("".join(self.json_parts())))

    @abstractmethod
    def json_parts(self) -> Iterator[str]:
        """Yield the JSON document of the command in parts."""

    # Data frames.

    def to_pandas(self, *, average: Average | None = None, per_text: bool = False) -> Any:
        """Return `rows` as a `pandas.DataFrame`; undefined numbers are `nan`.

        Raises `MissingExtraError` when pandas is not installed.
        """
        pandas = import_extra("pandas", what="a pandas.DataFrame", extra="frames")
        columns = self._columns(average=average, per_text=per_text)
        kinds = {name: "object" if name in _TEXT else "float64" for name in columns}
        return pandas.DataFrame(
            {name: pandas.Series(cells, dtype=kinds[name]) for name, cells in columns.items()}
        )

    def to_polars(self, *, average: Average | None = None, per_text: bool = False) -> Any:
        """Return `rows` as a `polars.DataFrame`; an undefined figure is `null`.

        Raises `MissingExtraError` when polars is not installed.
        """
        polars = import_extra("polars", what="a polars.DataFrame", extra="frames")
        columns = self._columns(average=average, per_text=per_text)
        kinds = {name: polars.String if name in _TEXT else polars.Float64 for name in columns}
        return polars.DataFrame(_floats(columns), schema=kinds)

    def to_arrow(self, *, average: Average | None = None, per_text: bool = False) -> Any:
        """Return `rows` as a `pyarrow.Table`.

        Raises `MissingExtraError` when pyarrow is not installed.
        """
        arrow = import_extra("pyarrow", what="an Arrow table", extra="table")
        columns = self._columns(average=average, per_text=per_text)
        kinds = [(name, arrow.string() if name in _TEXT else arrow.float64()) for name in columns]
        return arrow.table(_floats(columns), schema=arrow.schema(kinds))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return `rows` as a stream of the Arrow C interface, which data frames are made from."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _columns(self, *, average: Average | None, per_text: bool) -> dict[str, list[Any]]:
        rows = self.rows(average=average, per_text=per_text)
        names = rows[0] if rows else ()
        return {name: [row[name] for row in rows] for name in names}

    # Tables and pages.

    def table(
        self,
        *,
        average: Average | None = None,
        per_text: bool = False,
        digits: int = 4,
        intervals: bool = True,
    ) -> Table:
        """Return the table for readers, with figure, interval and mark in one cell.

        Parameters
        ----------
        average, per_text
            As in `rows`.
        digits : int
            The decimals of figures.
        intervals : bool
            Whether to show intervals.

        """
        look = Look(_whole_digits(digits), intervals)
        return self._table(self._averages(average), look, per_text=per_text)

    @abstractmethod
    def _table(self, averages: Sequence[str], look: Look, *, per_text: bool) -> Table: ...

    def caption(self, *, average: Average | None = None) -> str:
        """Return the lines about the table: texts, average, intervals, test, signature."""
        return self._caption(self._averages(average))

    @abstractmethod
    def _caption(self, averages: Sequence[str]) -> str: ...

    def render(
        self,
        style: str = "table",
        *,
        average: Average | None = None,
        per_text: bool = False,
        digits: int = 4,
        intervals: bool = True,
    ) -> str:
        """Return caption and tables as the command prints them.

        Parameters
        ----------
        style : {"table", "tsv", "markdown", "latex"}
            The value of `--format`.
        average, per_text, digits, intervals
            As in `table`.

        """
        check_choice("format", style, ("table", "tsv", "markdown", "latex"), python="style")
        look = Look(_whole_digits(digits), intervals)
        return "\n".join(self.parts(style, self._averages(average), look, per_text=per_text))

    @abstractmethod
    def parts(
        self, style: str, averages: Sequence[str], look: Look, *, per_text: bool
    ) -> list[str]:
        """Return captions and tables in order, each as text in a style of tables."""

    def to_latex(
        self,
        *,
        average: Average | None = None,
        per_text: bool = False,
        digits: int = 4,
        intervals: bool = True,
    ) -> str:
        """Return the table for LaTeX with booktabs, under its caption as comments.

        Parameters are those of `table`.
        """
        return self.render(
            "latex", average=average, per_text=per_text, digits=digits, intervals=intervals
        )

    def plot(self, *, average: Average | None = None, intervals: bool = True) -> Drawing:
        """Draw the averages: systems as points with interval bars.

        Raises `MissingExtraError` when matplotlib is not installed.

        Parameters
        ----------
        average, intervals
            As in `table`.

        Returns
        -------
        matplotlib.figure.Figure
            The figure that the command writes (`-o FILE.pdf`).

        """
        from bitext.reports.plots import plot_results

        return plot_results(self._results(self._averages(average)), intervals=intervals)

    def save_figure(
        self,
        path: str | os.PathLike[str],
        *,
        average: Average | None = None,
        intervals: bool = True,
    ) -> None:
        """Write the figure of `plot` as SVG, PDF or PNG, by the ending of the name.

        Raises `OptionError` when the name has another ending, and `MissingExtraError` when
        matplotlib is not installed.
        """
        from bitext.reports.plots import KINDS, write_plot

        name = path_name(path)
        kind = PurePath(unpacked(name.partition("?")[0])).suffix[1:].lower()
        if kind not in KINDS:
            raise OptionError(f"{name}: figures are .{', .'.join(KINDS)}")
        write_plot(self.plot(average=average, intervals=intervals), name, kind)

    @abstractmethod
    def _results(self, averages: Sequence[str]) -> Results:
        """Return the averages as rows of a table or a figure."""

    @abstractmethod
    def save_html(self, path: str | os.PathLike[str]) -> None:
        """Write the page that the command writes (`--html`)."""

    @abstractmethod
    def _html(self) -> str:
        """Return the tables and drawings for a notebook."""

    def _repr_html_(self) -> str:
        from bitext.reports.notebook import lines_html

        return self._html() + lines_html(self._note_lines())

    def __repr__(self) -> str:
        return f"{self.render()}{self._note_lines()}".rstrip("\n")

    def _note_lines(self) -> str:
        return "".join(f"note: {printable(masked(note))}\n" for note in self.notes)


def _whole_digits(digits: int) -> int:
    if not isinstance(digits, Integral) or not 0 <= digits <= _MOST_DECIMALS:
        raise OptionError(f"{remedy('digits')}{digits!r:.40}: want 0 to {_MOST_DECIMALS}")
    return int(digits)


def _key(record: Mapping[str, Any]) -> tuple[Any, ...]:
    names = ("system", "average", "granularity", "part", "metric", "figure")
    return tuple(record.get(name) for name in names)


def _floats(columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    return {
        name: cells if name in _TEXT else [None if c is None else float(c) for c in cells]
        for name, cells in columns.items()
    }


def flattened(
    record: Mapping[str, Any], figures: Iterable[str], value: str
) -> Iterator[dict[str, Any]]:
    """Yield a record of several figures as one a figure, whose value is named `value`.

    Members that are dictionaries have a value for each figure; pairs of `intervals` become `low`
    and `high`.
    """
    names = list(figures)
    for figure in names:
        flat: dict[str, Any] = {}
        for name, member in record.items():
            if name in names:
                if name == names[0]:
                    flat |= {"figure": figure, value: record[figure]}
            elif name == "intervals":
                low, high = member[figure] if member else (None, None)
                flat |= {"low": low, "high": high}
            else:
                flat[name] = member[figure] if isinstance(member, dict) else member
        yield flat


def figure_row(
    record: Mapping[str, Any], head: str, group: str | None, figure: str
) -> dict[str, Any]:
    """Return a record of one figure as a row, whose column `head` has the `group`."""
    low, high = record["interval"] or (None, None)
    return {
        "system": record["system"],
        "text": record["text"],
        head: group,
        "average": record["average"],
        "figure": figure,
        "value": record["value"],
        "low": low,
        "high": high,
        **{n: record[n] for n in ("numerator", "denominator", "undefined", "signature")},
    }


def averages_of(average: str) -> tuple[str, ...]:
    """Return the averages of a value of `average`.

    Raises `OptionError` when there is no such average.
    """
    check_choice("average", average, _AVERAGES)
    return ("micro", "macro") if average == "both" else (average,)


def check_choice(option: str, value: object, allowed: Sequence[str], *, python: str = "") -> None:
    """Refuse a value of an option that is not one of those allowed.

    Raises `OptionError` with the values allowed.
    """
    if value not in allowed:
        option_name = remedy(option, python=f"{python}=" if python else "")
        raise OptionError(f"{option_name}{value!r} is not known: want one of {', '.join(allowed)}")


def place_of(value: object) -> str | None:
    """Return the path of a file or folder as a string; `None` for another value."""
    return os.fspath(value) if isinstance(value, str | os.PathLike) else None


def items_of(value: object) -> tuple[str, ...]:
    """Return the items of an option that repeats, given as one string or path, or several.

    Raises `OptionError` when the value is neither.
    """
    if isinstance(value, str | os.PathLike):
        return (os.fspath(value),)
    if value is None or (isinstance(value, Iterable) and not isinstance(value, bytes)):
        return tuple(value or ())
    raise OptionError(f"an option is {value!r:.60}: want a string, or a list of strings")


def refuse_reading(options: Mapping[str, object]) -> None:
    """Refuse options about reading where all texts are in memory, and no file is read."""
    option = next((name for name, value in options.items() if value), None)
    if option is not None:
        raise OptionError(
            f"{remedy(option)} is for files, and all texts are in memory: leave it out"
        )


def by_name(values: Mapping[Any, Any], spell: Callable[[Any], str] = str) -> dict[str, Any]:
    """Return values by names as strings; refuse two keys with one name, as 1 and "1"."""
    names = [spell(name) for name in values]
    named = dict(zip(names, values.values(), strict=True))
    if len(named) < len(values):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"two are named {twice!r}: want different names")
    return named


def check_sampling(
    sampling: Sampling, systems: Sequence[str], *, called: str = "HYP", seeded: bool = False
) -> None:
    """Refuse options of resampling that would have no effect, and a baseline that is not a system.

    `systems` are the names of the systems, and `called` is the argument of the command that names
    them. With `seeded` the seed has a use without resamples. Raises `OptionError`.
    """
    if systems:
        sampling.baseline_of(systems)
    if sampling.resamples == 1:
        raise OptionError(
            f"{_option('resamples', 1)}: no interval is made of one: want more, or 0 for none"
        )
    given = sampling.given()
    for name, each in given.items():
        if not sampling.resamples and not (seeded and name == "seed"):
            raise OptionError(
                f"{_option(name, each)} is for resamples, and {_option('resamples', 0)} makes "
                f"none: leave one out"
            )
    for name in ("test", "baseline", "pairs", "holm"):
        if (each := given.get(name)) and len(systems) < 2:
            there = "there is one" if systems else "there is none"
            needed = f"several {called}" if named_by_options() else "several"
            raise OptionError(
                f"{_option(name, each)} is between systems, and {there}: give {needed}, or leave "
                f"it out"
            )


def _option(name: str, value: object) -> str:
    option = name if value is True else f"{name} {value}"
    return remedy(option, python=f"{name}={value!r}")


def distinct_names(
    paths: Sequence[str], others: Sequence[str], *, role: str = "HYP"
) -> dict[str, str]:
    """Return the paths of systems by name: the shortest distinct ends of the paths.

    Names also differ from those of `others`, the gold standards, where possible. Errors call a
    system `role`.
    """
    given = [path if "://" in path else str(Path(path)) for path in paths]  # `a/` is `a`
    if len(set(given)) < len(given):
        again = next(path for k, path in enumerate(paths) if given.count(given[k]) > 1)
        raise OptionError(f"{again or repr(again)} is given twice as {role}: give each once")
    path_parts = [
        Path(text_name(_with_name(Path(called(path))))).parts if path != "-" else ("stdin",)
        for path in (*paths, *others)
    ]
    deepest = max(map(len, path_parts))
    for family in (path_parts, path_parts[: len(paths)]):
        for depth in range(1, deepest + 1):
            ends = ["/".join(parts[-depth:]) for parts in family]
            if len(set(ends)) == len(ends):
                return dict(zip(ends[: len(paths)], paths, strict=True))
    return {path: path for path in paths}


def _with_name(path: Path) -> Path:
    """Return the absolute path of a folder that is given as `.` or `..`."""
    return path.resolve() if path.name in {"", ".."} else path


def unpaired_notes(unpaired: Sequence[Unpaired], *, lacking: str) -> list[str]:
    """Return notes on texts without a partner: their number by corpus, and the first names."""
    notes = []
    for path in dict.fromkeys(lone.where for lone in unpaired):
        for extra in (False, True):
            names = [u.name for u in unpaired if u.where == path and u.extra == extra]
            texts = f"{many(len(names), 'text')}"
            if names and extra:
                verb = "has" if len(names) == 1 else "have"
                outcome = f"{verb} no partner in the gold standard, left out"
                notes.append(f"{texts} of {path}: {outcome}: {few(names)}")
            elif names:
                notes.append(f"{texts} that {path} lacks, {lacking}: {few(names)}")
    return notes
