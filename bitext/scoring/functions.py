"""Metrics in memory: functions as metrics of `compare` and `evaluate`, and their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import InputError, OptionError, SegmentationError
from bitext.metrics.evaluation.segmentations import Scored, SegmentEvaluation
from bitext.metrics.registry import NamedMetric, metric_of, own_metrics, score_each
from bitext.model import CountsTable, Segmentation
from bitext.model.segmentations import Segmentations
from bitext.reports import comparisons
from bitext.reports.table import beside

if TYPE_CHECKING:
    from bitext.formats.corpora.pairing import TextSet
    from bitext.metrics.evaluation import Sampling
    from bitext.metrics.registry import Metric, Over
    from bitext.model import Bitext
    from bitext.reports.table import Look

Metrics = (
    str | Callable[..., Any] | Sequence[str | Callable[..., Any]] | Mapping[str, Callable[..., Any]]
)


def functions_of(given: Metrics, *, over: Over) -> tuple[tuple[str, ...], list[Metric[..., Any]]]:
    """Return the metrics that are given as strings, and those that are functions.

    Raises
    ------
    OptionError
        When a value is neither, or a function has the name of a metric of `bitext`.

    """
    if isinstance(given, str) or callable(given):
        given = [given]
    items = given.items() if isinstance(given, Mapping) else (("", each) for each in given)
    texts, functions = [], []
    for name, each in items:
        if isinstance(each, str):
            texts.append(each)
            continue
        made = metric_of(each, str(name), over=over)
        if made.over != over:
            raise OptionError(f"metric {made.name!r} is over {made.over}: want one over {over}")
        own = own_metrics().get(made.name)
        if own not in {None, made}:
            raise OptionError(
                f"metric {made.name!r}: bitext has one of this name; give the function another, as "
                f"{{'my-{made.name}': function}}"
            )
        functions.append(made)
    names = [function.name for function in functions]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise OptionError(f"metric {twice!r} is given twice: want each once")
    return tuple(texts), functions


class FunctionScores:
    """The figures of functions of two bitexts, text by text, with averages, intervals and tests.

    Parameters
    ----------
    systems : sequence of str
    functions : sequence of Metric
        Metrics over alignments, called for each text.
    options : Sampling
        The value of 0/0, and the options of intervals and tests.

    """

    def __init__(
        self, systems: Sequence[str], functions: Sequence[Metric[..., Any]], options: Sampling
    ) -> None:
        self._systems, self._options = list(systems), options
        self._metrics = [NamedMetric(function) for function in functions]
        self._columns: dict[tuple[int, int], list[list[float]]] = {}
        self._means: dict[tuple[int, int], tuple[float, str]] = {}
        self._sizes: dict[str, int] = {}

    def add(self, item: TextSet, *_: object) -> None:
        """Score a text of all systems.

        Raises
        ------
        InputError
            When a function fails, or returns no number, `Ratio` or `Counts`.

        """
        self._sizes[item.name] = len(item.gold.alignment)
        for s, hyp in enumerate(item.hyps):
            for m, metric in enumerate(self._metrics):
                where = f"text {item.name!r}: {metric.label}: "
                try:
                    counted = score_each(metric.metric, _OnePair(item.gold, hyp), {})
                except SegmentationError as error:
                    raise InputError(f"{where}{error}") from error
                rows = self._columns.setdefault((s, m), [])
                rows.append(np.asarray(counted.counts, dtype=np.float64)[0].tolist())
                if len(rows[0]) != len(rows[-1]):
                    raise InputError(f"{where}returns another type than for a text before")
                if not isinstance(counted, CountsTable):
                    self._means[s, m] = counted.empty, counted.reason

    def evaluation(self) -> SegmentEvaluation:
        """Return the evaluation, with the texts as units of one segment a gold bisegment."""
        texts = Segmentations.of(
            {name: Segmentation([1] * max(size, 1)) for name, size in self._sizes.items()}
        )
        table = {}
        for (s, m), rows in self._columns.items():
            columns = np.array([[*row, 1.0] for row in rows])[:, None, :]
            empty, reason = self._means.get((s, m), (np.nan, ""))
            table[s, m] = Scored(self._metrics[m], columns, empty=empty, reason=reason)
        return SegmentEvaluation(
            systems=self._systems,
            metrics=self._metrics,
            references=[texts],
            hyps=[texts] * len(self._systems),
            options=self._options,
            gather=lambda: table,
        )


class _OnePair:
    """A pair of bitexts, for `score_each`."""

    def __init__(self, gold: Bitext, hyp: Bitext) -> None:
        self._pair = gold, hyp

    def each(self) -> Iterator[tuple[Bitext, Bitext]]:
        yield self._pair

    def name(self, p: int) -> str:
        del p
        return ""


def figure_rows(
    evaluation: SegmentEvaluation, averages: Sequence[str], head: str, *, texts: bool
) -> Iterator[dict[str, Any]]:
    """Yield the figures of functions as rows of alignments, whose `head` is `None`."""
    for record in comparisons.row_records(evaluation, averages, texts=texts):
        low, high = record["interval"] or (None, None)
        yield {
            "system": record["system"],
            "text": record["text"],
            head: None,
            "average": record["average"],
            "figure": record["metric"],
            "value": record["value"],
            "low": low,
            "high": high,
            **{n: record[n] for n in ("numerator", "denominator", "undefined", "signature")},
        }


def figure_parts(
    evaluation: SegmentEvaluation,
    style: str,
    averages: Sequence[str],
    look: Look,
    *,
    texts: bool,
) -> list[str]:
    """Return the caption and the table of functions; TSV has no caption."""
    table = comparisons.comparison_results(evaluation, averages, texts=texts).render(style, look)
    if style == "tsv":
        return [table]
    return [beside(_caption(evaluation, averages), style), table]


def figures_html(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    """Return the caption and the table of functions, for notebooks."""
    from bitext.reports.notebook import lines_html, table_html

    table = comparisons.comparison_table(evaluation, averages, texts=False)
    return lines_html(_caption(evaluation, averages)) + table_html(table)


def _caption(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    caption = comparisons.caption(evaluation, averages)
    return caption.replace("signature: compare|", "signature: metrics|")


def figure_tests(
    evaluation: SegmentEvaluation, averages: Sequence[str], head: str
) -> Iterator[dict[str, Any]]:
    """Yield the tests of functions as those of alignments."""
    for record in comparisons.difference_records(evaluation, averages):
        record["difference"] = record.pop("value")
        yield {"figure": record.pop("metric"), head: None, **record}
