"""The figures of an evaluation, as tables for readers and for programs, and as JSON."""

from __future__ import annotations

from decimal import Decimal
from math import isnan
from typing import TYPE_CHECKING, Any

from bitext.option_names import remedy
from bitext.reports.table import Table, between, many, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitext.metrics.evaluation.alignments import Difference, Evaluation, Row
    from bitext.metrics.evaluation.similarities import SimilarityDifference, SimilarityRow
    from bitext.metrics.significance import Interval

__all__ = [
    "MARKS",
    "TEST_NAMES",
    "bead_table",
    "caption",
    "defined",
    "exact",
    "flat_table",
    "left_out_notes",
    "percent",
    "score_table",
    "similarity_caption",
    "similarity_table",
    "to_json",
]

SCHEMA = "bitext.score/1"

MARKS = ((0.01, "**"), (0.05, "*"))
_SIMILARITY = ("similarity", "numerator", "denominator")
TEST_NAMES = {"randomisation": "approximate randomisation", "bootstrap": "paired bootstrap"}
_OUTCOMES = 4  # outcomes of a bead type that are shown

_Key = tuple[str, str, str]


def caption(evaluation: Evaluation, averages: Sequence[str]) -> str:
    """Return the caption of the table: texts, average, intervals, test, signature."""
    count, scoring = len(evaluation.texts), evaluation.options
    first = f"{count:,} text{'s' if count > 1 else ''}, {' and '.join(averages)} average"
    lines = [first]
    if evaluation.resampled:
        lines[0] += (
            f"; {percent(scoring.level)} intervals: bootstrap of {evaluation.resampled}, "
            f"{scoring.resamples:,} resamples, seed {scoring.seed}"
        )
        if len(evaluation.systems) > 1:
            test = TEST_NAMES[scoring.test]
            lines.append(f"* p < 0.05, ** p < 0.01 against {evaluation.systems[0]} ({test})")
    elif scoring.resamples:
        lines[0] += f"; no intervals: too few {evaluation.unit} to resample"
    lines += left_out_notes(evaluation, averages)
    lines.append(f"signature: {evaluation.signature(evaluation.metric, averages=averages)}")
    return "\n".join(lines) + "\n"


def left_out_notes(evaluation: Evaluation, averages: Sequence[str]) -> list[str]:
    """Return a note on macro averages that are not over all texts, if any."""
    count, figure = evaluation.most_undefined() if "macro" in averages else (0, "")
    if not count:
        return []
    told = (
        f"macro averages leave out texts in which a ratio is undefined: up to {count:,} of "
        f"{len(evaluation.texts):,} texts ({figure}); {remedy('zero-division')} takes them in"
    )
    return [told]


def percent(share: float) -> str:
    """Format a share in percent, with all its digits.

    Examples
    --------
    >>> percent(0.95), percent(0.9999999), percent(0.00001)
    ('95%', '99.99999%', '0.001%')

    """
    return f"{(Decimal(repr(float(share))) * 100).normalize():f}%"


def score_table(evaluation: Evaluation, averages: Sequence[str], *, texts: bool) -> Table:
    """Return the table for readers, with figure, interval and mark in one cell."""
    many = texts or len(averages) > 1
    head = [evaluation.head, "system", *(["text"] if many else []), *evaluation.figures]
    table = Table(head, quiet={0, 1})
    differences = _differences(evaluation, averages)
    for row in evaluation.rows(averages=averages, texts=texts):
        p = differences.get((row.system, row.measure, row.average))
        where = [row.text if row.text is not None else f"({row.average})"] if many else []
        cells = [_cell(row, p, k) for k in range(len(row.values))]
        table.rows.append([row.measure, row.system, *where, *cells])
    return table


def _cell(row: Row, difference: Difference | None, k: int) -> str:
    interval = row.intervals[k] if row.intervals else None
    return _figure(row.values[k], interval, difference.p[k] if difference else 1.0)


def _figure(value: float, interval: Interval | None, p: float) -> str:
    cell = number(value)
    if interval:
        cell = f"{cell} {between(*interval)}".rstrip()
    return cell + next((mark for limit, mark in MARKS if p < limit), "")


def similarity_caption(evaluation: Evaluation, averages: Sequence[str]) -> str:
    """Return the caption of the table of similarities."""
    signature = evaluation.signature("bisegment-similarity", averages=averages)
    return (
        "bisegment similarity: how much of the bisegments is right, near misses too\n"
        f"signature: {signature}\n"
    )


def similarity_table(evaluation: Evaluation, averages: Sequence[str], *, texts: bool) -> Table:
    """Return the table of bisegment similarities for readers, as `score_table`."""
    many = texts or len(averages) > 1
    table = Table(["granularity", "system", *(["text"] if many else []), "similarity"])
    table.quiet = {0, 1}
    differences = _similarity_differences(evaluation, averages)
    for row in evaluation.similarity_rows(averages=averages, texts=texts):
        found = differences.get((row.system, row.granularity, row.average))
        where = [row.text if row.text is not None else f"({row.average})"] if many else []
        cell = _figure(row.value, row.interval, found.p if found else 1.0)
        table.rows.append([row.granularity, row.system, *where, cell])
    return table


def flat_table(evaluation: Evaluation, averages: Sequence[str], *, texts: bool) -> Table:
    """Return the table for programs: one value a cell, all digits, `-` where undefined.

    Bisegment similarities have their own rows, as `similarity-word`, and columns at the end.
    """
    names = _keys(evaluation)
    table = Table(
        [
            *("system", "text", evaluation.head, "average", *names),
            *("hits", "proposed", "expected", "found"),
            *(f"{figure}_{end}" for figure in names for end in ("low", "high")),
            *(f"{figure}_p" for figure in names),
            "signature",
        ]
    )
    differences = _differences(evaluation, averages)
    for row in evaluation.rows(averages=averages, texts=texts):
        p, counts = differences.get((row.system, row.measure, row.average)), row.counts
        table.rows.append(
            [
                *(row.system, row.text or "-", row.measure, row.average),
                *map(exact, row.values),
                *(
                    [
                        str(counts.hits),
                        str(counts.proposed),
                        str(counts.expected),
                        str(counts.found),
                    ]
                    if counts
                    else ["-"] * 4
                ),
                *(
                    exact(end)
                    for pair in row.intervals or [(float("nan"),) * 2] * len(names)
                    for end in pair
                ),
                *(map(exact, p.p) if p else ["-"] * len(names)),
                row.signature,
            ]
        )
    if evaluation.similar:
        _append_similarities(table, evaluation, averages, texts=texts)
    return table


def _append_similarities(
    table: Table, evaluation: Evaluation, averages: Sequence[str], *, texts: bool
) -> None:
    blank = ["-"] * (len(table.head) - 5)
    table.head += [*_SIMILARITY, "similarity_low", "similarity_high", "similarity_p"]
    for line in table.rows:
        line += ["-"] * (len(table.head) - len(line))
    differences = _similarity_differences(evaluation, averages)
    for row in evaluation.similarity_rows(averages=averages, texts=texts):
        found = differences.get((row.system, row.granularity, row.average))
        where = [row.system, row.text or "-", f"similarity-{row.granularity}", row.average]
        ratio = [repr(row.ratio.numerator), str(row.ratio.denominator)] if row.ratio else ["-"] * 2
        ends = map(exact, row.interval) if row.interval else ["-"] * 2
        p = exact(found.p) if found else "-"
        table.rows.append([*where, *blank, row.signature, exact(row.value), *ratio, *ends, p])


def exact(value: float) -> str:
    """Format a figure with all its digits; `-` where undefined."""
    return "-" if isnan(value) else repr(value)


def _differences(evaluation: Evaluation, averages: Iterable[str]) -> dict[_Key, Difference]:
    return {
        (found.system, found.measure, found.average): found
        for average in averages
        for found in evaluation.differences(average=average)
    }


def _similarity_differences(
    evaluation: Evaluation, averages: Iterable[str]
) -> dict[_Key, SimilarityDifference]:
    return {
        (found.system, found.granularity, found.average): found
        for average in averages
        for found in evaluation.similarity_differences(average=average)
    }


def bead_table(evaluation: Evaluation) -> Table:
    """Return the breakdown by bead type of the gold standard, with the outcomes of missed beads."""
    table = Table(["system", "gold bead", "expected", "found", "missed", "the missed became"])
    table.right, table.quiet = {2, 3, 4}, {0}
    for k, system in enumerate(evaluation.systems):
        for kind in evaluation.bead_types(k):
            items = list(kind.became.items())
            became = "; ".join(f"{outcome} ({count})" for outcome, count in items[:_OUTCOMES])
            if len(items) > _OUTCOMES:
                became += f"; {many(len(items) - _OUTCOMES, 'other')}"
            numbers = [str(n) for n in (kind.expected, kind.found, kind.missed)]
            table.rows.append([system, kind.type, *numbers, became or "-"])
    return table


def _keys(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the names of the figures in output for programs."""
    return tuple(figure.lower() for figure in evaluation.figures)


def to_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return all figures as members of JSON; undefined figures are `None`."""
    names = _keys(evaluation)
    return {
        "schema": SCHEMA,
        "signature": evaluation.signature(evaluation.metric, averages=("micro", "macro")),
        "rows": [_row(row, evaluation.head, names) for row in evaluation.rows()],
        "differences": [
            {
                "system": found.system,
                "baseline": found.baseline,
                evaluation.head: found.measure,
                "average": found.average,
                "test": evaluation.options.test,
                **_named(names, found.values),
                "p": _named(names, found.p),
            }
            for average in ("micro", "macro")
            for found in evaluation.differences(average=average)
        ],
        "bead_types": [
            {
                "system": system,
                "type": kind.type,
                "expected": kind.expected,
                "found": kind.found,
                "missed": kind.missed,
                "became": kind.became,
            }
            for k, system in enumerate(evaluation.systems)
            for kind in evaluation.bead_types(k)
        ],
        **(_similarities(evaluation) if evaluation.similar else {}),
    }


def _similarities(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "similarity": [_similarity_row(row) for row in evaluation.similarity_rows()],
        "similarity_differences": [
            {
                "system": found.system,
                "baseline": found.baseline,
                "granularity": found.granularity,
                "average": found.average,
                "test": evaluation.options.test,
                "value": defined(found.value),
                "p": defined(found.p),
            }
            for average in ("micro", "macro")
            for found in evaluation.similarity_differences(average=average)
        ],
    }


def _similarity_row(row: SimilarityRow) -> dict[str, Any]:
    return {
        "system": row.system,
        "text": row.text,
        "average": row.average,
        "granularity": row.granularity,
        "value": defined(row.value),
        "numerator": row.ratio.numerator if row.ratio else None,
        "denominator": row.ratio.denominator if row.ratio else None,
        "interval": [defined(end) for end in row.interval] if row.interval else None,
        "undefined": row.undefined or None,
        "signature": row.signature,
    }


def _row(row: Row, head: str, names: Sequence[str]) -> dict[str, Any]:
    counts = row.counts
    ends = [[defined(end) for end in pair] for pair in row.intervals or ()]
    # Word links are compared by their error rate.
    error: dict[str, Any] = {}
    if names[-1] == "aer":
        error = {"granularity": "links", "metric": "aer", "value": defined(row.values[-1])}
    return {
        "system": row.system,
        "text": row.text,
        head: row.measure,
        "average": row.average,
        **error,
        **_named(names, row.values),
        "hits": counts.hits if counts else None,
        "proposed": counts.proposed if counts else None,
        "expected": counts.expected if counts else None,
        "found": counts.found if counts else None,
        "intervals": dict(zip(names, ends, strict=True)) if ends else None,
        "undefined": row.undefined or None,
        "signature": row.signature,
    }


def _named(names: Sequence[str], values: Sequence[float]) -> dict[str, float | None]:
    return dict(zip(names, map(defined, values), strict=True))


def defined(value: float) -> float | None:
    """Return a figure for JSON: `None` where undefined."""
    return None if isnan(value) else value
