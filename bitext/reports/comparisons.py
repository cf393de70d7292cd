"""The figures of systems on segmented texts, as tables for readers and programs, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import bitext
from bitext.errors import many
from bitext.metrics.evaluation import Sampling
from bitext.reports.scores.figures import (
    against_baseline,
    defined,
    difference_record,
    of_averages,
)
from bitext.reports.table import Look, ResultRow, Results, Table, differences_table, figure_of

if TYPE_CHECKING:
    from bitext.metrics.evaluation.segmentations import SegmentEvaluation, SegmentRow

SCHEMA = "bitext.compare/1"

_LOOK = Look()
_AVERAGES = ("micro", "macro")


def caption(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    """Return the caption of the table: texts, references, intervals, signature."""
    count, options = len(evaluation.texts), evaluation.options
    reference_count = len(evaluation.references)
    line = f"{many(count, 'text')}, {' and '.join(averages)} average"
    if reference_count > 1:
        line += f"; {reference_count} references: {_references(evaluation.ways())}"
    if means := [m.label for m in evaluation.metrics if evaluation.is_mean(m)]:
        line += f"; {', '.join(means)}: mean over texts"
    lines = [line + intervals_note(options, count)]
    if evaluation.resampled and len(evaluation.systems) > 1:
        lines.append(options.test_words(evaluation.systems, count))
    lines.append(f"signature: {signature(evaluation, averages)}")
    return "\n".join(lines) + "\n"


def intervals_note(options: Sampling, texts: int) -> str:
    """Return the part of a caption on the intervals over `texts` texts."""
    if not options.resamples:
        return ""
    if texts < 2:
        return "; no intervals: one text"
    return f"; {options.interval_words(f'{texts:,} texts')}"


def _references(ways: Mapping[str, Sequence[str]]) -> str:
    """Return the part of a caption on the combination of several references."""
    parts = []
    for way, metrics in ways.items():
        whose = f" for {', '.join(metrics)}" if way == "all" and len(ways) > 1 else ""
        parts.append(f"all at once{whose}" if way == "all" else way)
    return ", ".join(parts)


def signature(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    """Return every choice that changes a figure or an interval, and the version, as one string."""
    options = evaluation.options
    parts = ["compare", f"average:{','.join(averages)}", f"texts:{len(evaluation.texts)}"]
    if len(evaluation.references) > 1:
        reference_count = len(evaluation.references)
        parts.append(
            "references:" + ",".join(f"{way}-of-{reference_count}" for way in evaluation.ways())
        )
    if evaluation.resampled:
        parts += options.parts(len(evaluation.texts), tested=len(evaluation.systems) > 1)
    if not isnan(options.zero_division):
        parts.append(options.undefined)
    if evaluation.refused != "error":
        parts.append(f"refused:{evaluation.refused}")
    parts += evaluation.read_by
    return "|".join([*parts, f"bitext:{bitext.__version__}"])


def comparison_results(
    evaluation: SegmentEvaluation, averages: Sequence[str], *, texts: bool
) -> Results:
    """Return the figures as rows: metric by metric, system by system."""
    rows = []
    differences = against_baseline(
        of_averages(evaluation.differences, averages), evaluation.baseline
    )
    for row in evaluation.rows(averages=averages, texts=texts):
        found = differences.get((row.system, row.metric, row.average)) if row.text is None else None
        difference, p = (found.value, found.p) if found else (nan, nan)
        figure = figure_of(row.value, row.interval, p, row.better)
        record = {
            **_figure(row),
            "low": defined(figure.low),
            "high": defined(figure.high),
            "difference": defined(difference),
            "p": defined(p),
            "signature": row.signature,
        }
        labels = (row.metric, row.system, row.text, row.average)
        rows.append(ResultRow(*labels, (figure,), record))
    return Results("metric", ("value",), tuple(rows), arrows=True)


def comparison_table(
    evaluation: SegmentEvaluation, averages: Sequence[str], *, texts: bool, look: Look = _LOOK
) -> Table:
    """Return the table for readers, with figure, interval and mark in one cell."""
    return comparison_results(evaluation, averages, texts=texts).table(look)


def pair_table(evaluation: SegmentEvaluation, averages: Sequence[str], look: Look = _LOOK) -> Table:
    """Return the differences of all tested pairs of systems, with their marks."""
    return differences_table(
        "metric",
        ("difference",),
        [
            (*each[:4], (each.value,), (each.p,))
            for each in of_averages(evaluation.differences, averages)
        ],
        look,
    )


def json_parts(evaluation: SegmentEvaluation, extra: Mapping[str, Any]) -> Iterator[str]:
    """Yield one JSON document in parts, a row at a time; undefined figures are `null`."""
    differences = difference_records(evaluation, _AVERAGES)
    head = {"schema": SCHEMA, "signature": signature(evaluation, _AVERAGES), **extra}
    yield _dumped({**head, "differences": differences})[:-1]
    yield ', "rows": ['
    for k, record in enumerate(row_records(evaluation, _AVERAGES, texts=True)):
        yield (",\n" if k else "") + _dumped(record)
    yield "]}\n"


def row_records(
    evaluation: SegmentEvaluation, averages: Sequence[str], *, texts: bool
) -> Iterator[dict[str, Any]]:
    """Yield the figures of systems, metric by metric, for JSON."""
    return map(_members, evaluation.rows(averages=averages, texts=texts))


def difference_records(
    evaluation: SegmentEvaluation, averages: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the differences between systems and their p, for JSON."""
    tested = evaluation.options.test_members(len(evaluation.texts))
    differences = of_averages(evaluation.differences, averages)
    return [difference_record(each, "metric", tested) for each in differences]


def _members(row: SegmentRow) -> dict[str, Any]:
    ends = None if row.interval is None else [defined(end) for end in row.interval]
    return {
        **_figure(row),
        "interval": ends,
        "undefined": row.undefined or None,
        "signature": row.signature,
    }


def _figure(row: SegmentRow) -> dict[str, Any]:
    return {
        "system": row.system,
        "text": row.text,
        "average": row.average,
        "metric": row.metric,
        "better": row.better,
        "value": defined(row.value),
        "numerator": None if row.numerator is None else _plain(row.numerator),
        "denominator": None if row.denominator is None else _plain(row.denominator),
        "k": row.k,
    }


def _plain(value: float) -> float | int:
    """Convert whole numbers to `int`, as far as floats are exact."""
    return int(value) if float(value).is_integer() and abs(value) <= 1 << 53 else value


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
