"""The figures of systems on segmented texts, as tables for readers and programs, and as JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import bitext
from bitext.errors import InputError
from bitext.metrics.agreement import (
    AgreementCorrelation,
    agreement_correlation,
    agreement_intervals,
    coefficient,
)
from bitext.metrics.coder_counts import Codings, tally, tally_of_some
from bitext.reports.results import ResultRow, Results, differences_table, exact, figure_of
from bitext.reports.scores.figures import defined
from bitext.reports.table import Look, Table, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.metrics.coder_counts import Agreement, Tally
    from bitext.metrics.evaluation.sampling import Sampling
    from bitext.metrics.evaluation.segmentations import SegmentEvaluation, SegmentRow
    from bitext.metrics.significance import Interval
    from bitext.model import Segmentation
    from bitext.model.segmentations import Segmentations

__all__ = [
    "AgreementReport",
    "Coefficient",
    "agreement_caption",
    "agreement_results",
    "agreement_table",
    "caption",
    "coefficient_table",
    "comparison_results",
    "comparison_table",
    "correlation_note",
    "difference_records",
    "flat_table",
    "intervals_note",
    "json_parts",
    "pair_table",
    "ratio_table",
    "report",
    "row_records",
    "signature",
]


SCHEMA = "bitext.compare/1"

_LOOK = Look()
_AVERAGES = ("micro", "macro")


def caption(evaluation: SegmentEvaluation, averages: Sequence[str]) -> str:
    """Return the caption of the table: texts, references, intervals, signature."""
    count, many, options = len(evaluation.texts), len(evaluation.references), evaluation.options
    line = f"{count:,} text{'s' if count > 1 else ''}, {' and '.join(averages)} average"
    if many > 1:
        line += f"; {many} references: {_references(evaluation.ways())}"
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
        many = len(evaluation.references)
        parts.append("references:" + ",".join(f"{way}-of-{many}" for way in evaluation.ways()))
    if evaluation.resampled:
        parts += options.parts(len(evaluation.texts), tested=len(evaluation.systems) > 1)
    if not isnan(options.zero_division):
        parts.append(options.undefined)
    if evaluation.refused != "error":
        parts.append(f"refused:{evaluation.refused}")
    parts += [evaluation.over] if evaluation.over else []
    return "|".join([*parts, f"bitext:{bitext.__version__}"])


def comparison_results(
    evaluation: SegmentEvaluation, averages: Sequence[str], *, texts: bool
) -> Results:
    """Return the figures as rows: metric by metric, system by system."""
    rows = []
    differences = _differences(evaluation, averages)
    for row in evaluation.rows(averages=averages, texts=texts):
        difference, p = nan, nan
        if row.text is None:
            difference, p = differences.get((row.system, row.metric, row.average), (nan, nan))
        figure = figure_of(row.value, row.interval, p, row.better)
        record = {
            "system": row.system,
            "text": row.text,
            "average": row.average,
            "metric": row.metric,
            "better": row.better,
            "value": defined(row.value),
            "numerator": None if row.numerator is None else _plain(row.numerator),
            "denominator": None if row.denominator is None else _plain(row.denominator),
            "k": row.k,
            "low": defined(figure.low),
            "high": defined(figure.high),
            "difference": defined(difference),
            "p": defined(p),
            "signature": row.signature,
        }
        where = (row.metric, row.system, row.text, row.average)
        rows.append(ResultRow(*where, (figure,), record))
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
            (d.metric, d.system, d.baseline, d.average, (d.value,), (d.p,))
            for average in averages
            for d in evaluation.differences(average=average)
        ],
        look,
    )


def flat_table(evaluation: SegmentEvaluation, averages: Sequence[str], *, texts: bool) -> Table:
    """Return the table for programs: one value a cell, with all digits, `-` where undefined."""
    return comparison_results(evaluation, averages, texts=texts).flat_table()


def _differences(
    evaluation: SegmentEvaluation, averages: Sequence[str]
) -> dict[tuple[str, str, str], tuple[float, float]]:
    return {
        (found.system, found.metric, found.average): (found.value, found.p)
        for average in averages
        for found in evaluation.differences(average=average)
        if found.baseline == evaluation.baseline
    }


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
    return [
        {
            "system": found.system,
            "baseline": found.baseline,
            "metric": found.metric,
            "average": found.average,
            **evaluation.options.test_members(len(evaluation.texts)),
            "value": defined(found.value),
            "p": defined(found.p),
        }
        for average in averages
        for found in evaluation.differences(average=average)
    ]


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
    """Convert whole numbers to `int`, as far as floats are exact."""
    return int(value) if float(value).is_integer() and abs(value) <= 1 << 53 else value


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


# Agreement of references: coefficients of agreement, and the agreement ratio beside kappa.

_ALPHA = "krippendorff-alpha"
_ANY = ("fleiss-kappa", "multi-kappa", _ALPHA, "bennett-s")
_OF_TWO = ("cohen-kappa", "scott-pi")


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement by one kind of `observed`, with its interval over the texts."""

    name: str
    observed: str
    found: Agreement
    interval: Interval | None
    texts: int


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The agreement of coders on texts.

    Attributes
    ----------
    coders, texts : tuple of str
        Their names.
    coefficients : tuple of Coefficient
        The coefficients over all texts together.
    correlation : AgreementCorrelation
        The agreement ratio and the kappa of each text. This kappa is that of WiSeBE, over the n
        units of a text, with full agreement behind the last one; `fleiss-kappa` on boundaries is
        over the n - 1 places between units.
    options : Sampling
        The options of intervals.
    signature : str
        Every choice behind the figures.

    """

    coders: tuple[str, ...]
    texts: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    correlation: AgreementCorrelation
    options: Sampling
    signature: str

    def to_json(self) -> dict[str, Any]:
        """Return the members of the JSON document."""
        rows = zip(self.texts, self.correlation.ratios, self.correlation.kappas, strict=True)
        return {
            "signature": self.signature,
            "coders": list(self.coders),
            "coefficients": [
                {
                    "coefficient": one.name,
                    "on": one.observed,
                    "value": defined(one.found.value),
                    "observed": defined(one.found.observed),
                    "chance": defined(one.found.chance),
                    "interval": None if one.interval is None else [*map(defined, one.interval)],
                    "undefined": one.found.undefined or None,
                    "texts": one.texts,
                }
                for one in self.coefficients
            ],
            "texts": [
                {
                    "text": text,
                    "agreement_ratio": defined(ratio),
                    "kappa_over_units": defined(kappa),
                }
                for text, ratio, kappa in rows
            ],
            "correlation": {
                "value": defined(self.correlation.value),
                "texts": self.correlation.n,
                "undefined": self.correlation.undefined or None,
            },
        }


def report(
    coders: dict[str, Segmentations],
    observed: Sequence[str],
    options: Sampling,
    *,
    whole: dict[str, Segmentations] | None = None,
    closing: bool = False,
) -> AgreementReport:
    """Compute every coefficient by each of `observed`: `boundaries`, or a similarity.

    Parameters
    ----------
    coders : dict of str to Segmentations
        The segmentations of each coder, of the texts that all coders have.
    whole : dict of str to Segmentations, optional
        All segmentations of each coder: Krippendorff's alpha is over the texts of two coders or
        more.
    closing : bool
        Whether the boundary at the end counts in the agreement ratio and the kappa of each text.

    Raises
    ------
    InputError
        When there are fewer than two coders, or the codings of a text differ in their units.
    OptionError
        When one of `observed` is not known.

    """
    tables = list(coders.values())
    codings = Codings([[table.at(t) for table in tables] for t in range(len(tables[0]))])
    count = len(codings.texts)
    names = (*_ANY, *_OF_TWO) if len(tables) == 2 else _ANY
    some = _coded_by_some(whole) if whole else []
    found = []
    for way in observed:
        sums = tally(codings, way, {})
        alpha = tally_of_some(some, way, {}) if some else sums
        made = {}
        for group, counted in ((names, sums), ((_ALPHA,) if some else (), alpha)):
            made.update(_coefficients(group, counted, way, options))
        found += [made[name] for name in names]
    ids = tuple(tables[0].ids)
    correlation = agreement_correlation(codings, closing=closing)
    signature = _signature(len(tables), count, options, closing=closing)
    return AgreementReport(tuple(coders), ids, tuple(found), correlation, options, signature)


def _coefficients(
    names: Sequence[str], sums: Tally, way: str, options: Sampling
) -> dict[str, Coefficient]:
    """Return the coefficients of one tally, with their intervals over its texts."""
    texts = len(sums.counts)
    intervals: Sequence[Interval | None] = [None] * len(names)
    if names and options.resamples and texts > 1:
        intervals = agreement_intervals(
            names,
            sums,
            interval=options.interval,
            resamples=options.resamples,
            level=options.level,
            seed=options.seed,
        )
    return {
        name: Coefficient(name, way, coefficient(name, sums), interval, texts)
        for name, interval in zip(names, intervals, strict=True)
    }


def _coded_by_some(whole: dict[str, Segmentations]) -> list[list[Segmentation | None]]:
    """Return the codings of the texts of two coders or more, `None` for a missing coding."""
    rows = []
    for name in dict.fromkeys(name for table in whole.values() for name in table):
        row = [table.get(name) for table in whole.values()]
        held = {coder: coding for coder, coding in zip(whole, row, strict=True) if coding}
        if len(held) < 2:
            continue
        sizes = {coding.n: coder for coder, coding in held.items()}
        if len(sizes) > 1:
            (n, coder), (m, other), *_ = sizes.items()
            raise InputError(
                f"text {name!r} has {n} units in {coder} and {m} in {other}: want segmentations of "
                f"the same units"
            )
        rows.append(row)
    return rows


def _signature(coders: int, texts: int, options: Sampling, *, closing: bool = False) -> str:
    sampled = options.parts(texts, tested=False) if options.resamples and texts > 1 else []
    sizes = [f"coders:{coders}", f"texts:{texts}", *["closing:yes"] * closing]
    return "|".join(["agreement", *sizes, *sampled, f"bitext:{bitext.__version__}"])


def agreement_caption(agreement: AgreementReport) -> str:
    """Return the caption of the tables: texts, coders, intervals, signature."""
    count = len(agreement.texts)
    line = f"{count:,} text{'' if count == 1 else 's'}, {len(agreement.coders)} coders"
    return f"{line}{intervals_note(agreement.options, count)}\nsignature: {agreement.signature}\n"


def agreement_results(agreement: AgreementReport) -> Results:
    """Return the coefficients of agreement as rows, in groups by the kind of observation."""
    rows = []
    for one in agreement.coefficients:
        figure = figure_of(one.found.value, one.interval)
        record = {
            "agreement": one.name,
            "on": one.observed,
            "value": defined(one.found.value),
            "observed": defined(one.found.observed),
            "chance": defined(one.found.chance),
            "low": defined(figure.low),
            "high": defined(figure.high),
            "texts": one.texts,
            "signature": _signature(len(agreement.coders), one.texts, agreement.options),
        }
        rows.append(ResultRow(one.observed, one.name, None, "micro", (figure,), record))
    return Results("on", ("agreement",), tuple(rows))


def coefficient_table(
    agreement: AgreementReport, look: Look = _LOOK, *, grouped: bool = False
) -> Table:
    """Return the table of coefficients, for readers; `grouped` by the kind of observation."""
    uneven = any(one.texts != len(agreement.texts) for one in agreement.coefficients)
    head = ["agreement", "on", "value", "observed", "chance", *(["texts"] if uneven else [])]
    table = Table(head, quiet={1})
    if grouped:
        table = Table(["on", "agreement", *head[2:]], quiet={0}, grouped=True)
    for one in agreement.coefficients:
        cells = [
            figure_of(value, interval).cell(look)
            for value, interval in (
                (one.found.value, one.interval),
                (one.found.observed, None),
                (one.found.chance, None),
            )
        ]
        texts = [f"{one.texts:,}"] if uneven else []
        names = [one.observed, one.name] if grouped else [one.name, one.observed]
        table.rows.append([*names, *cells, *texts])
    return table


def ratio_table(agreement: AgreementReport, look: Look = _LOOK) -> Table:
    """Return the table of the agreement ratio and kappa of each text, for readers."""
    table = Table(["text", "agreement ratio", "kappa over units"])
    rows = zip(
        agreement.texts, agreement.correlation.ratios, agreement.correlation.kappas, strict=True
    )
    for text, *values in rows:
        table.rows.append([text, *(figure_of(value, None).cell(look) for value in values)])
    return table


def agreement_table(agreement: AgreementReport) -> Table:
    """Return all figures as one table for programs: all digits, `-` where undefined or missing."""
    head = ["text", "agreement", "on", "value", "observed", "chance", "low", "high", "signature"]
    table = Table(head)

    def add(text: str, name: str, on: str, *figures: float, signature: str = "") -> None:
        cells = [exact(value) for value in (*figures, *[nan] * (5 - len(figures)))]
        table.rows.append([text, name, on, *cells, signature or agreement.signature])

    for one in agreement.coefficients:
        ends = one.interval or (nan, nan)
        figures = (one.found.value, one.found.observed, one.found.chance, *ends)
        made = _signature(len(agreement.coders), one.texts, agreement.options)
        add("-", one.name, one.observed, *figures, signature=made)
    correlation = agreement.correlation
    add("-", "correlation", "agreement-ratio and kappa-over-units", correlation.value)
    for text, ratio, kappa in zip(
        agreement.texts, correlation.ratios, correlation.kappas, strict=True
    ):
        add(text, "agreement-ratio", "boundaries", ratio)
        add(text, "kappa-over-units", "units", kappa)
    return table


def correlation_note(agreement: AgreementReport) -> str:
    """Return the correlation in words."""
    correlation = agreement.correlation
    if correlation.undefined:
        return f"no correlation of agreement ratio and kappa over units: {correlation.undefined}\n"
    return (
        f"correlation of agreement ratio and kappa over units: {number(correlation.value)} over "
        f"{correlation.n:,} text{'' if correlation.n == 1 else 's'}\n"
    )
