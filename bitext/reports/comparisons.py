"""The figures of systems on segmented texts: as tables for reading and for programs, as JSON."""

from __future__ import annotations

import json
from math import isnan
from typing import TYPE_CHECKING, Any

import bitext
from bitext.reports.scores import MARKS, TEST_NAMES, defined, exact, percent
from bitext.reports.table import Table, between, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.metrics.options import Sampling
    from bitext.metrics.segment_evaluation import SegmentEvaluation, SegmentRow

__all__ = [
    "caption",
    "comparison_table",
    "flat_table",
    "intervals_told",
    "json_parts",
    "signature",
]

SCHEMA = "bitext.compare/1"

_ARROWS = {"higher": "↑", "lower": "↓"}
_ENDS = ("low", "high")


def caption(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    """Return what a reader of the table has to know: texts, references, intervals, signature."""
    count, many, options = len(evaluation.texts), len(evaluation.references), evaluation.options
    line = f"{count:,} text{'s' if count > 1 else ''}, {' and '.join(averages)} average"
    if many > 1:
        line += f"; {many} references: {_references(evaluation.ways())}"
    lines = [line + intervals_told(options, count)]
    if evaluation.resampled and len(evaluation.systems) > 1:
        lines.append(
            f"* p < 0.05, ** p < 0.01 against {evaluation.systems[0]} ({TEST_NAMES[options.test]})"
        )
    lines.append(f"signature: {signature(evaluation, averages)}")
    return "\n".join(lines) + "\n"


def intervals_told(options: Sampling, texts: int) -> str:
    """Return in words, for a caption, how the intervals of so many texts were made."""
    if not options.resamples:
        return ""
    if texts < 2:
        return "; no intervals: one text"
    return (
        f"; {percent(options.level)} intervals: bootstrap of texts, {options.resamples:,} "
        f"resamples, seed {options.seed}"
    )


def _references(ways: Mapping[str, Sequence[str]]) -> str:
    """Return in words what is made of several references."""
    told = []
    for way, metrics in ways.items():
        whose = f" for {', '.join(metrics)}" if way == "all" and len(ways) > 1 else ""
        told.append(f"all at once{whose}" if way == "all" else way)
    return ", ".join(told)


def signature(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    """Return every choice that changes a figure or an interval, and the version, as one string."""
    options = evaluation.options
    parts = ["compare", f"average:{','.join(averages)}", f"texts:{len(evaluation.texts)}"]
    if len(evaluation.references) > 1:
        many = len(evaluation.references)
        parts.append("references:" + ",".join(f"{way}-of-{many}" for way in evaluation.ways()))
    if evaluation.resampled:
        parts += options.parts(tested=len(evaluation.systems) > 1)
    if not isnan(options.zero_division):
        parts.append(options.undefined)
    if evaluation.refused != "error":
        parts.append(f"refused:{evaluation.refused}")
    parts += [evaluation.over] if evaluation.over else []
    return "|".join([*parts, f"bitext:{bitext.__version__}"])


def comparison_table(
    evaluation: SegmentEvaluation, averages: Sequence[str], *, texts: bool
) -> Table:
    """Return the table for reading: a figure with its interval and its mark in one cell."""
    many = texts or len(averages) > 1
    table = Table(
        ["metric", "system", *(["text"] if many else []), "value", "k"],
        right={4 if many else 3},
        quiet={0, 1},
    )
    found = _differences(evaluation, averages)
    for row in evaluation.rows(averages=averages, texts=texts):
        where = [row.text if row.text is not None else f"({row.average})"] if many else []
        metric = f"{row.metric} {_ARROWS[row.better]}"
        k = "" if row.k is None else str(row.k)
        table.rows.append([metric, row.system, *where, _cell(row, found), k])
    return _without_bare(table)


def _cell(row: SegmentRow, differences: Mapping[tuple[str, str, str], tuple[float, float]]) -> str:
    cell = number(row.value)
    if row.interval:
        cell = f"{cell} {between(*row.interval)}".rstrip()
    if row.text is None and (row.system, row.metric, row.average) in differences:
        _, p = differences[row.system, row.metric, row.average]
        cell += next((mark for limit, mark in MARKS if p < limit), "")
    return cell


def _without_bare(table: Table) -> Table:
    """Leave out the last column where it is empty throughout."""
    if not any(row[-1] for row in table.rows):
        table.head.pop()
        for row in table.rows:
            row.pop()
    return table


def flat_table(evaluation: SegmentEvaluation, averages: Sequence[str], *, texts: bool) -> Table:
    """Return the table for programs: one value a cell, all digits, `-` where undefined."""
    table = Table(
        [
            *("system", "text", "average", "metric", "better", "value"),
            *("numerator", "denominator", "k", *_ENDS, "difference", "p", "signature"),
        ]
    )
    differences = _differences(evaluation, averages)
    for row in evaluation.rows(averages=averages, texts=texts):
        against = None
        if row.text is None:
            against = differences.get((row.system, row.metric, row.average))
        table.rows.append(
            [
                *(row.system, "-" if row.text is None else row.text, row.average),
                *(row.metric, row.better, exact(row.value)),
                *(
                    ("-" if n is None else repr(_plain(n)))
                    for n in (row.numerator, row.denominator)
                ),
                "-" if row.k is None else str(row.k),
                *(map(exact, row.interval) if row.interval else ["-"] * 2),
                *(map(exact, against) if against else ["-"] * 2),
                row.signature,
            ]
        )
    return table


def _differences(
    evaluation: SegmentEvaluation, averages: Sequence[str]
) -> dict[tuple[str, str, str], tuple[float, float]]:
    return {
        (found.system, found.metric, found.average): (found.value, found.p)
        for average in averages
        for found in evaluation.differences(average=average)
    }


def json_parts(evaluation: SegmentEvaluation, extra: Mapping[str, Any]) -> Iterator[str]:
    """Yield one JSON document in parts, a row at a time; undefined figures are `null`."""
    differences = [
        {
            "system": found.system,
            "baseline": found.baseline,
            "metric": found.metric,
            "average": found.average,
            "test": evaluation.options.test,
            "value": defined(found.value),
            "p": defined(found.p),
        }
        for average in ("micro", "macro")
        for found in evaluation.differences(average=average)
    ]
    head = {"schema": SCHEMA, "signature": signature(evaluation, ("micro", "macro")), **extra}
    yield _dumped({**head, "differences": differences})[:-1]
    yield ', "rows": ['
    for k, row in enumerate(evaluation.rows()):
        yield (",\n" if k else "") + _dumped(_members(row))
    yield "]}\n"


def _members(row: SegmentRow) -> dict[str, Any]:
    ends = None if row.interval is None else [defined(end) for end in row.interval]
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
        "interval": ends,
        "undefined": row.undefined or None,
        "signature": row.signature,
    }


def _plain(value: float) -> float | int:
    """Write whole numbers as such, as far as floats hold each of them."""
    return int(value) if float(value).is_integer() and abs(value) <= 1 << 53 else value


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
