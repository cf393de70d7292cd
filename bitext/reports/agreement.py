"""The agreement of coders: coefficients, pairs of coders, and the places where coders differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Literal

import bitext
from bitext.errors import InputError, OptionError, import_extra, many
from bitext.metrics.agreement import (
    AgreementCorrelation,
    agreement_correlation,
    agreement_intervals,
    coefficient,
    takes_gaps,
    tallies,
)
from bitext.metrics.coder_counts import Agreement
from bitext.metrics.coder_differences import (
    CodedTexts,
    Disagreement,
    PairAgreement,
    disagreements,
    kinds_in_words,
    pair_agreements,
    parse_pair_metrics,
)
from bitext.metrics.evaluation import Sampling
from bitext.metrics.registry import parse_metric
from bitext.metrics.significance import Interval
from bitext.model import Segmentation
from bitext.notebooks import InNotebooks
from bitext.reports.comparisons import intervals_note
from bitext.reports.scores.figures import defined
from bitext.reports.table import (
    ARROWS,
    FigureCell,
    Look,
    ResultRow,
    Results,
    Table,
    exact,
    figure_of,
    flat_cell,
    number,
    printable,
)

if TYPE_CHECKING:
    Codings = Sequence[Sequence[Segmentation | None]]

_LOOK = Look()
_ANY = ("fleiss-kappa", "multi-kappa", "krippendorff-alpha", "bennett-s")
_OF_TWO = ("cohen-kappa", "scott-pi")
_NO_COMPLETE = "no text has all coders, and by a similarity krippendorff-alpha alone takes others"
_MATRIX = "boundary-similarity"  # metric of pairs of coders, unless others are given
_CUT = 60  # characters of a unit beside a place
_AROUND = 6  # words, or twice as many characters, on each side of a place; set by hand
_LISTED = Literal["coefficients", "pairs", "texts", "disagreements"]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement by one kind of `observed`, with its interval over the texts."""

    name: str
    observed: str
    found: Agreement
    interval: Interval | None
    texts: int
    signature: str


@dataclass(frozen=True, slots=True)
class AgreementReport(InNotebooks):
    """The agreement of coders on texts."""

    coded: CodedTexts  # the texts of two coders or more, with their segmentations
    coefficients: tuple[Coefficient, ...]  # the coefficients over all texts together
    # For each metric the agreement of each pair of coders, in both orders.
    pairs: tuple[tuple[PairAgreement, ...], ...]
    # The agreement ratio and the kappa of each text. This kappa is that of WiSeBE, over the n units
    # of a text, with full agreement after the last one; `fleiss-kappa` on boundaries is over the n
    # - 1 places between units.
    correlation: AgreementCorrelation
    options: Sampling  # the options of intervals
    signature: str  # every choice behind the figures
    # Returns the units of the texts whose characters are known, by the index of the text.
    read_units: Callable[[], Mapping[int, Sequence[str]]] = dict
    shift: int = 1  # the greatest distance of a near miss, in units
    metrics_of_pairs: bool = False  # whether the metrics of pairs of coders were asked for

    @property
    def shows_pairs(self) -> bool:
        """Whether matrices of coders are shown: on request, or for three coders or more."""
        return self.metrics_of_pairs or len(self.coders) > 2

    @property
    def coders(self) -> tuple[str, ...]:
        """The names of the coders."""
        return self.coded.coders

    @property
    def texts(self) -> tuple[str, ...]:
        """The names of the texts."""
        return self.coded.texts

    def rows(self) -> list[dict[str, Any]]:
        """Return the coefficients as dictionaries, with `None` for undefined values."""
        rows = []
        for one in self.coefficients:
            low, high = one.interval or (nan, nan)
            rows.append(
                {
                    "coefficient": one.name,
                    "on": one.observed,
                    "value": defined(one.found.value),
                    "low": defined(low),
                    "high": defined(high),
                    "observed": defined(one.found.observed),
                    "chance": defined(one.found.chance),
                    "texts": one.texts,
                    "undefined": one.found.undefined or None,
                    "signature": one.signature,
                }
            )
        return rows

    def pair_rows(self) -> list[dict[str, Any]]:
        """Return the agreement of each pair of coders by each metric, in both orders."""
        return [
            {
                "metric": pair.label,
                "better": pair.better,
                "coder": self.coders[pair.coder],
                "other": self.coders[pair.other],
                "value": defined(pair.value),
                "low": defined(pair.interval[0]) if pair.interval else None,
                "high": defined(pair.interval[1]) if pair.interval else None,
                "texts": pair.texts,
                "undefined": pair.undefined or None,
                "signature": pair.signature,
            }
            for of_metric in self.pairs
            for pair in of_metric
        ]

    def text_rows(self) -> list[dict[str, Any]]:
        """Return the agreement ratio and the kappa of each text."""
        correlation = self.correlation
        figures = zip(
            self.texts, self.coded.counts, correlation.ratios, correlation.kappas, strict=True
        )
        return [
            {
                "text": text,
                "coders": coders,
                "agreement_ratio": defined(ratio),
                "kappa_over_units": defined(kappa),
            }
            for text, coders, ratio, kappa in figures
        ]

    def disagreements(self) -> list[Disagreement]:
        """Return the places where coders differ, the worst first."""
        return disagreements(self.coded, shift=self.shift)

    def disagreement_rows(self, most: int | None = None) -> list[dict[str, Any]]:
        """Return the places where coders differ, the worst first.

        Each has `text`, `position` (the units before it), `kind` (`near miss` where all coders have
        a boundary within the shift, else `full miss`), the coders who `placed` it there, those
        `near` with their shifts, those `without`, and the units `before` and `after` it, if their
        characters are known.
        """
        units, coders = self.read_units(), self.coders
        rows = []
        for place in self.disagreements()[:most]:
            text = units.get(place.text)
            neighbours = text[place.position - 1 : place.position + 1] if text else (None, None)
            rows.append(
                {
                    "text": self.texts[place.text],
                    "position": place.position,
                    "kind": place.kind,
                    "placed": [coders[k] for k in place.placed],
                    "near": {coders[k]: shift for k, shift in place.near},
                    "without": [coders[k] for k in place.without],
                    "before": neighbours[0],
                    "after": neighbours[1],
                }
            )
        return rows

    def to_pandas(self, what: _LISTED = "coefficients") -> Any:
        """Return coefficients, pairs, texts or disagreements as a `pandas.DataFrame`.

        Raises `OptionError` when `what` is none of these, and `MissingExtraError` when pandas is
        not installed.
        """
        ways: dict[str, Callable[[], list[dict[str, Any]]]] = {
            "coefficients": self.rows,
            "pairs": self.pair_rows,
            "texts": self.text_rows,
            "disagreements": self.disagreement_rows,
        }
        if what not in ways:
            raise OptionError(f"{what!r} is not known: want one of {', '.join(ways)}")
        return import_extra("pandas", what="a pandas.DataFrame", extra="frames").DataFrame(
            ways[what]()
        )

    def to_json(self) -> dict[str, Any]:
        """Return the members of the JSON document."""
        rows = [dict(row) for row in self.rows()]
        for row in rows:
            low, high = row.pop("low"), row.pop("high")
            row["interval"] = None if low is None else [low, high]
        return {
            "signature": self.signature,
            "coders": list(self.coders),
            "coefficients": rows,
            "pairs": self.pair_rows(),
            "texts": self.text_rows(),
            "correlation": {
                "value": defined(self.correlation.value),
                "texts": self.correlation.n,
                "undefined": self.correlation.undefined or None,
            },
        }


def report(
    coded: CodedTexts,
    observed: Sequence[str],
    options: Sampling,
    *,
    matrix: Sequence[str] = (),
    closing: bool = False,
    shift: int = 1,
    read_units: Callable[[], Mapping[int, Sequence[str]]] = dict,
) -> AgreementReport:
    """Compute every coefficient by each of `observed`, and the agreement of pairs of coders.

    The texts are of two coders or more; those that some coders lack count in each coefficient that
    is defined for them. `observed` are `boundaries`, or similarities; `matrix` the metrics of pairs
    of coders, by default B. `closing` tells whether the boundary at the end counts in the agreement
    ratio and the kappa of each text, and in those of these metrics that have this option; `shift`
    and `read_units` are as in `AgreementReport`.

    Raises `InputError` when there is no text of two coders, or the codings of a text differ in
    their units, and `OptionError` when one of `observed` or `matrix` is not known.
    """
    _check_units(coded)
    sampled = replace(options, test="auto", baseline=None, pairs=False, holm=False)
    names = (*_ANY, *_OF_TWO) if len(coded.coders) == 2 else _ANY
    ways = {way if way == "boundaries" else parse_metric(way).label: way for way in observed}
    coefficients: list[Coefficient] = []
    for label, way in ways.items():
        for codings, group in _groups(coded, names, way):
            grouped = replace(coded, codings=tuple(map(tuple, codings)))
            coefficients += _coefficients(grouped, group, label, way, options)
    order = {
        (label, name): k for k, (label, name) in enumerate((w, n) for w in ways for n in names)
    }
    coefficients.sort(key=lambda one: order[one.observed, one.name])
    pair_metrics = parse_pair_metrics(matrix or [_MATRIX])
    if closing:
        pair_metrics = [metric.counting_ends for metric in pair_metrics]
    return AgreementReport(
        coded,
        tuple(coefficients),
        tuple(tuple(pair_agreements(coded, metric, sampled)) for metric in pair_metrics),
        agreement_correlation(coded.codings, closing=closing),
        options,
        _signature(coded, options, closing=closing),
        read_units,
        shift,
        bool(matrix),
    )


def _check_units(coded: CodedTexts) -> None:
    for name, row in zip(coded.texts, coded.codings, strict=True):
        coders = zip(coded.coders, row, strict=True)
        sizes = {coding.n: coder for coder, coding in coders if coding is not None}
        if len(sizes) > 1:
            (n, coder), (m, other), *_ = sizes.items()
            raise InputError(
                f"text {name!r} has {n} units in {coder} and {m} in {other}: want segmentations of "
                f"the same units"
            )


def _groups(
    coded: CodedTexts, names: Sequence[str], way: str
) -> Iterator[tuple[Codings, list[str]]]:
    """Yield the coefficients of all texts, and those of the texts that no coder lacks."""
    complete = coded.complete
    coders = len(coded.coders)
    tolerant = [n for n in names if takes_gaps(n, way, coders)]
    if len(complete) == len(coded.codings):
        tolerant = list(names)
    yield coded.codings, tolerant
    yield complete, [name for name in names if name not in tolerant]


def _coefficients(
    coded: CodedTexts, names: Sequence[str], label: str, way: str, options: Sampling
) -> Iterator[Coefficient]:
    """Yield coefficients with their intervals over the texts."""
    codings, count = coded.codings, len(coded.codings)
    signature = _signature(coded, options)
    if not count:
        undefined = Agreement(nan, nan, _NO_COMPLETE)
        yield from (Coefficient(name, label, undefined, None, 0, signature) for name in names)
        return
    for sums, group in tallies(names, codings, way):
        intervals: Sequence[Interval | None] = [None] * len(group)
        if options.resamples and count > 1:
            intervals = agreement_intervals(
                group,
                sums,
                interval=options.interval,
                resamples=options.resamples,
                level=options.level,
                seed=options.seed,
            )
        for name, interval in zip(group, intervals, strict=True):
            agreement = coefficient(name, sums)
            yield Coefficient(name, label, agreement, interval, count, signature)


def _signature(coded: CodedTexts, options: Sampling, *, closing: bool = False) -> str:
    texts, incomplete = len(coded.codings), sum(None in row for row in coded.codings)
    sampled = options.parts(texts, tested=False) if options.resamples and texts > 1 else []
    parts = [f"coders:{len(coded.coders) if texts else 0}", f"texts:{texts}"]
    parts += [f"incomplete:{incomplete}"] * (incomplete > 0) + ["closing:yes"] * closing
    parts += [*coded.read_by, *sampled, f"bitext:{bitext.__version__}"]
    return "|".join(["agreement", *parts])


def agreement_caption(agreement: AgreementReport) -> str:
    """Return the caption of the tables: texts, coders, intervals, signature."""
    count = len(agreement.texts)
    line = f"{many(count, 'text')}, {len(agreement.coders)} coders"
    if incomplete := count - len(agreement.coded.complete):
        line += f" ({incomplete:,} of the texts lack some)"
    return f"{line}{intervals_note(agreement.options, count)}\nsignature: {agreement.signature}\n"


def agreement_results(agreement: AgreementReport) -> Results:
    """Return the coefficients of agreement as rows, in groups by the kind of observation."""
    rows = []
    for one, record in zip(agreement.coefficients, agreement.rows(), strict=True):
        figure = figure_of(one.found.value, one.interval)
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
    counts = agreement.coded.counts
    uneven = len(set(counts)) > 1
    head = ["text", *(["coders"] if uneven else []), "agreement ratio", "kappa over units"]
    table = Table(head, right={1} if uneven else set())
    ratios, kappas = agreement.correlation.ratios, agreement.correlation.kappas
    for text, coders, *values in zip(agreement.texts, counts, ratios, kappas, strict=True):
        cells = [figure_of(value, None).cell(look) for value in values]
        table.rows.append([text, *([str(coders)] if uneven else []), *cells])
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
        add("-", one.name, one.observed, *figures, signature=one.signature)
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
        f"{many(correlation.n, 'text')}\n"
    )


# Pairs of coders.


def matrix_table(
    agreement: AgreementReport, pairs: Sequence[PairAgreement], look: Look = _LOOK
) -> Table:
    """Return the agreement of pairs by one metric as a matrix: one row and one column per coder.

    The last column is the mean of a row. If pairs differ in their numbers of texts, a cell has
    the number in parentheses.
    """
    head = f"{pairs[0].label} {ARROWS[pairs[0].better]}"
    table = Table([head, *agreement.coders, "mean"])
    uneven = len({pair.texts for pair in pairs}) > 1
    for k, coder in enumerate(agreement.coders):
        cells = [FigureCell("") for _ in agreement.coders]
        row = [pair for pair in pairs if pair.coder == k]
        for pair in row:
            shared = f"({pair.texts:,})" if uneven else ""
            cells[pair.other] = FigureCell(number(pair.value, look.digits), shared)
        values = [pair.value for pair in row if not isnan(pair.value)]
        mean = sum(values) / len(values) if values else nan
        table.rows.append([coder, *cells, FigureCell(number(mean, look.digits))])
    return table


def matrix_note(pairs: Sequence[PairAgreement]) -> str:
    """Return the line above a matrix: the numbers of texts behind its figures."""
    shared = {pair.texts for pair in pairs}
    if len(shared) > 1:
        texts = f"the texts that both have in parentheses: {min(shared):,} to {max(shared):,}"
    else:
        texts = f"{many(max(shared), 'text')} of each pair"
    return f"pairs of coders, micro average; {texts}\n"


def pair_table(agreement: AgreementReport) -> Table:
    """Return the agreement of pairs as a table for programs, `-` where undefined."""
    rows = agreement.pair_rows()
    cells = [[flat_cell(cell) for cell in row.values()] for row in rows]
    return Table(list(rows[0]) if rows else [], rows=cells)


# Places where coders differ.


def render_disagreements(agreement: AgreementReport, most: int) -> str:
    """Format the worst places where coders differ as lines for readers."""
    places = agreement.disagreements()
    if not places:
        return "there is no place where coders differ\n"
    lines = [f"coders differ at {many(len(places), 'place')}: {kinds_in_words(places)}"]
    units = agreement.read_units()
    for number_of, place in enumerate(places[:most], start=1):
        text, position = agreement.texts[place.text], place.position
        coders = place.in_words(agreement.coders)
        lines.append(f"{number_of}. {text}, after unit {position}, {place.votes}: {coders}")
        if place.text in units:
            before, after = around(units[place.text], position)
            lines.append(f"   {cut_unit(before)} | {cut_unit(after)}")
    if len(places) > most:
        lines.append(f"... and {len(places) - most:,} more")
    return "\n".join(map(printable, lines)) + "\n"


def around(units: Sequence[str], position: int) -> tuple[str, str]:
    """Return the units before and after a place; of words and characters, several of each.

    Examples
    --------
    >>> around(["We met.", "It rained."], 1), around(["of", "course", "but", "no"], 2)
    (('We met.', 'It rained.'), ('of course', 'but no'))

    """
    sides = units[max(0, position - _AROUND) : position], units[position : position + _AROUND]
    if any(" " in unit for side in sides for unit in side):
        return units[position - 1], units[position]
    if any(len(unit) > 1 for side in sides for unit in side):
        return " ".join(sides[0]), " ".join(sides[1])
    begin = max(0, position - 2 * _AROUND)
    return "".join(units[begin:position]), "".join(units[position : position + 2 * _AROUND])


def cut_unit(unit: str) -> str:
    """Cut a unit that is too long for a line."""
    return unit if len(unit) <= _CUT else f"{unit[: _CUT - 1]}…"
