"""The figures of an evaluation, as tables for readers and for programs, and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING, Any, TypeVar

from bitext.errors import many, remedy
from bitext.metrics.bisegment_similarity import SimilarityDifference, SimilarityRow
from bitext.metrics.evaluation import ALSO, BeadType
from bitext.model import Counts
from bitext.reports.table import (
    Figure,
    Look,
    ResultRow,
    Results,
    Table,
    differences_table,
    figure_of,
)

if TYPE_CHECKING:
    from bitext.metrics.evaluation.alignments import Difference, Evaluation, Row
    from bitext.metrics.evaluation.segmentations import SegmentDifference

    # Named tuples of a system, the baseline, a group, an average, and figures.
    AnyDifference = TypeVar("AnyDifference", Difference, SegmentDifference, SimilarityDifference)

SCHEMA = "bitext.score/1"

_OUTCOMES = 4  # outcomes of a bead type that are shown
_LOOK = Look()
_UNKNOWN = (nan, nan)

_Key = tuple[str, str, str]


def caption(evaluation: Evaluation, averages: Sequence[str]) -> str:
    """Return the caption of the table: texts, average, intervals, test, signature."""
    count, scoring = len(evaluation.texts), evaluation.options
    lines = [f"{many(count, 'text')}, {' and '.join(averages)} average"]
    if evaluation.resampled:
        lines[0] += f"; {scoring.interval_words(evaluation.resampled)}"
        if len(evaluation.systems) > 1:
            lines.append(scoring.test_words(evaluation.systems, *evaluation.units_of_tests))
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
    note = (
        f"macro averages leave out texts in which a ratio is undefined: up to {count:,} of "
        f"{many(len(evaluation.texts), 'text')} ({figure}); {remedy('zero-division')} takes them in"
    )
    return [note]


def score_results(evaluation: Evaluation, averages: Sequence[str], *, texts: bool) -> Results:
    """Return the figures as rows: granularity by granularity, system by system."""
    names, rows = keys(evaluation), []
    for row, figures, _ in drawn_rows(evaluation, averages, texts=texts):
        named = list(zip(names, figures, strict=True))
        record = {
            "system": row.system,
            "text": row.text,
            evaluation.head: row.measure,
            "average": row.average,
            **_named(names, row.values),
            **_counted(row),
            **{
                f"{name}_{end}": defined(getattr(figure, end))
                for name, figure in named
                for end in ("low", "high")
            },
            **{f"{name}_p": defined(figure.p) for name, figure in named},
            "signature": row.signature,
        }
        rows.append(ResultRow(row.measure, row.system, row.text, row.average, figures, record))
    return Results(evaluation.head, tuple(evaluation.figures), tuple(rows))


def drawn_rows(
    evaluation: Evaluation, averages: Sequence[str], *, texts: bool
) -> Iterator[tuple[Row, tuple[Figure, ...], Difference | None]]:
    """Yield each row with its figures for readers, and its difference from the baseline if any."""
    better = ["lower" if n == "aer" or n in ALSO else "higher" for n in keys(evaluation)]
    differences = against_baseline(
        of_averages(evaluation.differences, averages), evaluation.baseline
    )
    for row in evaluation.rows(averages=averages, texts=texts):
        difference = differences.get((row.system, row.measure, row.average))
        ends = row.intervals or (_UNKNOWN,) * len(better)
        p = difference.p if difference else (nan,) * len(better)
        figures = zip(row.values, ends, p, better, strict=True)
        cells = tuple(Figure(value, *pair, chance, kind) for value, pair, chance, kind in figures)
        yield row, cells, difference


def score_table(
    evaluation: Evaluation, averages: Sequence[str], *, texts: bool, look: Look = _LOOK
) -> Table:
    """Return the table for readers, with figure, interval and mark in one cell."""
    return score_results(evaluation, averages, texts=texts).table(look)


def pair_table(evaluation: Evaluation, averages: Sequence[str], look: Look = _LOOK) -> Table:
    """Return the differences of all tested pairs of systems, with their marks."""
    return differences_table(
        evaluation.head,
        evaluation.figures,
        of_averages(evaluation.differences, averages),
        look,
    )


def similarity_caption(evaluation: Evaluation, averages: Sequence[str]) -> str:
    """Return the caption of the table of similarities."""
    signature = evaluation.signature("bisegment-similarity", averages=averages)
    return (
        "bisegment similarity: how much of the bisegments is right, near misses too\n"
        f"signature: {signature}\n"
    )


def similarity_results(evaluation: Evaluation, averages: Sequence[str], *, texts: bool) -> Results:
    """Return the bisegment similarities as rows, in the order of `score_results`."""
    rows = []
    differences = against_baseline(
        of_averages(evaluation.similarity_differences, averages), evaluation.baseline
    )
    for row in evaluation.similarity_rows(averages=averages, texts=texts):
        difference = differences.get((row.system, row.granularity, row.average))
        figure = figure_of(row.value, row.interval, difference.p if difference else nan)
        record = {
            "system": row.system,
            "text": row.text,
            "granularity": f"similarity-{row.granularity}",
            "average": row.average,
            "signature": row.signature,
            "similarity": defined(row.value),
            "numerator": row.ratio.numerator if row.ratio else None,
            "denominator": row.ratio.denominator if row.ratio else None,
            "similarity_low": defined(figure.low),
            "similarity_high": defined(figure.high),
            "similarity_p": defined(figure.p),
        }
        labels = (row.granularity, row.system, row.text, row.average)
        rows.append(ResultRow(*labels, (figure,), record))
    return Results("granularity", ("similarity",), tuple(rows))


def flat_table(evaluation: Evaluation, averages: Sequence[str], *, texts: bool) -> Table:
    """Return the table for programs: one value per cell, all digits, `-` where undefined.

    Bisegment similarities have their own rows, as `similarity-word`, and columns at the end.
    """
    results = score_results(evaluation, averages, texts=texts)
    if evaluation.similar:
        similar = similarity_results(evaluation, averages, texts=texts)
        results = Results(results.head, results.names, (*results.rows, *similar.rows))
    return results.flat_table()


def against_baseline(
    differences: Iterable[AnyDifference], baseline: str
) -> dict[_Key, AnyDifference]:
    """Return the differences from the baseline by system, group and average; tables mark these."""
    return {(each[0], each[2], each[3]): each for each in differences if each[1] == baseline}


def of_averages(
    differences: Callable[..., Iterable[AnyDifference]], averages: Iterable[str]
) -> list[AnyDifference]:
    """Return the differences of several averages in order."""
    return [each for average in averages for each in differences(average=average)]


def bead_table(evaluation: Evaluation) -> Table:
    """Return the breakdown by bead type of the gold standard, with the outcomes of missed beads."""
    table = Table(["system", "gold bead", "expected", "found", "missed", "the missed became"])
    table.right, table.quiet = {2, 3, 4}, {0}
    for k, system in enumerate(evaluation.systems):
        for kind in filter(lambda each: each.expected, evaluation.bead_types(k)):
            items = list(kind.became.items())
            outcomes = "; ".join(f"{outcome} ({count})" for outcome, count in items[:_OUTCOMES])
            if len(items) > _OUTCOMES:
                outcomes += f"; {many(len(items) - _OUTCOMES, 'other')}"
            numbers = [str(n) for n in (kind.expected, kind.found, kind.missed)]
            table.rows.append([system, kind.type, *numbers, outcomes or "-"])
    return table


def bead_results(evaluation: Evaluation) -> Results:
    """Return precision, recall and F1 of the bisegments of each bead type, system by system.

    A proposed bisegment is right if the gold standard has the same one.
    """
    types = {
        (system, kind.type): kind
        for k, system in enumerate(evaluation.systems)
        for kind in evaluation.bead_types(k)
    }
    expected: dict[str, int] = {}
    for (_, name), kind in types.items():
        expected[name] = max(expected.get(name, 0), kind.expected)
    rows = []
    for name in sorted(expected, key=lambda name: -expected[name]):
        for system in evaluation.systems:
            kind = types.get((system, name)) or BeadType(name, expected[name], 0, {})
            counts = Counts(kind.found, kind.proposed, kind.expected)
            values = [
                evaluation.options.zero_division if isnan(value) else value
                for value in (counts.precision, counts.recall, counts.f1)
            ]
            record = {
                "system": system,
                "bead": name,
                "expected": kind.expected,
                "proposed": kind.proposed,
                "found": kind.found,
                **_named(("precision", "recall", "f1"), values),
            }
            rows.append(ResultRow(name, system, None, "micro", tuple(map(Figure, values)), record))
    names = ("precision", "recall", "F1")
    return Results("bead", names, tuple(rows), counts=("expected", "proposed", "found"))


def keys(evaluation: Evaluation) -> tuple[str, ...]:
    """Return the names of the figures in output for programs."""
    return tuple(figure.lower() for figure in evaluation.figures)


_AVERAGES = ("micro", "macro")


def to_json(evaluation: Evaluation) -> dict[str, Any]:
    """Return all figures as members of JSON; undefined figures are `None`."""
    document = {
        "schema": SCHEMA,
        "signature": evaluation.signature(evaluation.metric, averages=_AVERAGES),
        "rows": row_records(evaluation, _AVERAGES, texts=True),
        "differences": difference_records(evaluation, _AVERAGES),
        "bead_types": bead_records(evaluation),
    }
    if evaluation.similar:
        document["similarity"] = similarity_records(evaluation, _AVERAGES, texts=True)
        document["similarity_differences"] = similarity_difference_records(evaluation, _AVERAGES)
    return document


def row_records(
    evaluation: Evaluation, averages: Sequence[str], *, texts: bool
) -> list[dict[str, Any]]:
    """Return the figures of systems by granularity, or by part of word links, for JSON."""
    names = keys(evaluation)
    rows = evaluation.rows(averages=averages, texts=texts)
    return [_row(row, evaluation.head, names) for row in rows]


def difference_records(evaluation: Evaluation, averages: Sequence[str]) -> list[dict[str, Any]]:
    """Return the differences between systems and their p, for JSON."""
    names, tested = keys(evaluation), evaluation.options.test_members(*evaluation.units_of_tests)
    return [
        {
            **_tested(found, evaluation.head, tested),
            **_named(names, found.values),
            "p": _named(names, found.p),
        }
        for found in of_averages(evaluation.differences, averages)
    ]


def _tested(difference: tuple[Any, ...], head: str, tested: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a difference before its figures; `head` is what the groups are."""
    system, baseline, group, average, *_ = difference
    labels = {"system": system, "baseline": baseline, head: group, "average": average}
    return {**labels, **tested}


def difference_record(
    difference: SimilarityDifference | SegmentDifference, head: str, tested: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the difference of one figure and its p, for JSON; `tested` are members on the test."""
    figures = {"value": defined(difference.value), "p": defined(difference.p)}
    return {**_tested(difference, head, tested), **figures}


def bead_records(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the breakdown by bead type of each system, for JSON."""
    return [
        {
            "system": system,
            "type": kind.type,
            "expected": kind.expected,
            "found": kind.found,
            "proposed": kind.proposed,
            "missed": kind.missed,
            "became": kind.became,
        }
        for k, system in enumerate(evaluation.systems)
        for kind in evaluation.bead_types(k)
    ]


def similarity_records(
    evaluation: Evaluation, averages: Sequence[str], *, texts: bool
) -> list[dict[str, Any]]:
    """Return the bisegment similarities of systems, for JSON; none unless they were measured."""
    if not evaluation.similar:
        return []
    rows = evaluation.similarity_rows(averages=averages, texts=texts)
    return [_similarity_row(row) for row in rows]


def similarity_difference_records(
    evaluation: Evaluation, averages: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the differences of bisegment similarities and their p, for JSON."""
    if not evaluation.similar:
        return []
    tested = evaluation.options.test_members(*evaluation.units_of_tests)
    differences = of_averages(evaluation.similarity_differences, averages)
    return [difference_record(each, "granularity", tested) for each in differences]


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
        **_counted(row),
        "intervals": dict(zip(names, ends, strict=True)) if ends else None,
        "undefined": row.undefined or None,
        "signature": row.signature,
    }


def _counted(row: Row) -> dict[str, float | None]:
    names = ("hits", "proposed", "expected", "found")
    return {name: None if row.counts is None else getattr(row.counts, name) for name in names}


def _named(names: Sequence[str], values: Sequence[float]) -> dict[str, float | None]:
    return dict(zip(names, map(defined, values), strict=True))


def defined(value: float) -> float | None:
    """Return a figure for JSON: `None` if undefined."""
    return None if isnan(value) else value
