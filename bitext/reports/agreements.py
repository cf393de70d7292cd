"""How far references agree: coefficients of agreement, and the agreement ratio beside kappa."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import bitext
from bitext.errors import InputError
from bitext.metrics.agreement_correlation import AgreementCorrelation, agreement_correlation
from bitext.metrics.agreement_interval import agreement_intervals
from bitext.metrics.chance import coefficient
from bitext.metrics.coders import Codings
from bitext.metrics.observed import tally, tally_of_some
from bitext.reports.comparisons import intervals_told
from bitext.reports.scores import defined, exact
from bitext.reports.table import Table, between, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.metrics.coders import Agreement
    from bitext.metrics.observed import Tally
    from bitext.metrics.options import Sampling
    from bitext.metrics.significance import Interval
    from bitext.model import Segmentation
    from bitext.model.segmentations import Segmentations

__all__ = [
    "AgreementReport",
    "Coefficient",
    "caption",
    "coefficient_table",
    "flat_table",
    "ratio_table",
    "report",
    "told",
]

_ALPHA = "krippendorff-alpha"
_ANY = ("fleiss-kappa", "multi-kappa", _ALPHA, "bennett-s")
_OF_TWO = ("cohen-kappa", "scott-pi")


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement on what `observed` says, with its interval over so many texts."""

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
        Of all texts together.
    correlation : AgreementCorrelation
        With the agreement ratio and the kappa of each text. This kappa is that of WiSeBE, over the
        n units of a text, after the last of which all agree; `fleiss-kappa` on boundaries is over
        the n - 1 places between them.
    options : Sampling
        How intervals were made.
    signature : str
        How the figures were made.

    """

    coders: tuple[str, ...]
    texts: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    correlation: AgreementCorrelation
    options: Sampling
    signature: str

    def to_json(self) -> dict[str, Any]:
        """Return it as members of JSON."""
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
) -> AgreementReport:
    """Work out every coefficient on each of `observed`: `boundaries`, or a similarity.

    Parameters
    ----------
    coders : dict of str to Segmentations
        Of each coder, the texts that all have.
    whole : dict of str to Segmentations, optional
        Of each coder all texts that there are: Krippendorff's alpha is over those of two coders
        or more.

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
    correlation = agreement_correlation(codings)
    signature = _signature(len(tables), count, options)
    return AgreementReport(tuple(coders), ids, tuple(found), correlation, options, signature)


def _coefficients(
    names: Sequence[str], sums: Tally, way: str, options: Sampling
) -> dict[str, Coefficient]:
    """Return coefficients of one tally, with their intervals over its texts."""
    texts = len(sums.counts)
    intervals: Sequence[Interval | None] = [None] * len(names)
    if names and options.resamples and texts > 1:
        intervals = agreement_intervals(
            names, sums, resamples=options.resamples, level=options.level, seed=options.seed
        )
    return {
        name: Coefficient(name, way, coefficient(name, sums), interval, texts)
        for name, interval in zip(names, intervals, strict=True)
    }


def _coded_by_some(whole: dict[str, Segmentations]) -> list[list[Segmentation | None]]:
    """Return the codings of all texts that two coders have or more, `None` where one has none."""
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


def _signature(coders: int, texts: int, options: Sampling) -> str:
    sampled = options.parts(tested=False) if options.resamples and texts > 1 else []
    sizes = [f"coders:{coders}", f"texts:{texts}"]
    return "|".join(["agreement", *sizes, *sampled, f"bitext:{bitext.__version__}"])


def caption(found: AgreementReport) -> str:
    """Return what a reader of the tables has to know: texts, coders, intervals, signature."""
    count = len(found.texts)
    line = f"{count:,} text{'' if count == 1 else 's'}, {len(found.coders)} coders"
    return f"{line}{intervals_told(found.options, count)}\nsignature: {found.signature}\n"


def coefficient_table(found: AgreementReport) -> Table:
    """Return the table of coefficients, for reading."""
    uneven = any(one.texts != len(found.texts) for one in found.coefficients)
    head = ["agreement", "on", "value", "observed", "chance", *(["texts"] if uneven else [])]
    table = Table(head, quiet={1})
    for one in found.coefficients:
        value = number(one.found.value)
        if one.interval:
            value = f"{value} {between(*one.interval)}".rstrip()
        others = number(one.found.observed), number(one.found.chance)
        texts = [f"{one.texts:,}"] if uneven else []
        table.rows.append([one.name, one.observed, value, *others, *texts])
    return table


def ratio_table(found: AgreementReport) -> Table:
    """Return the agreement ratio and kappa of each text, for reading."""
    table = Table(["text", "agreement ratio", "kappa over units"])
    rows = zip(found.texts, found.correlation.ratios, found.correlation.kappas, strict=True)
    table.rows = [[text, number(ratio), number(kappa)] for text, ratio, kappa in rows]
    return table


def flat_table(found: AgreementReport) -> Table:
    """Return everything in one table for programs: all digits, `-` where undefined or none."""
    head = ["text", "agreement", "on", "value", "observed", "chance", "low", "high", "signature"]
    table = Table(head)

    def add(text: str, name: str, on: str, *figures: float, signature: str = "") -> None:
        cells = [exact(value) for value in (*figures, *[nan] * (5 - len(figures)))]
        table.rows.append([text, name, on, *cells, signature or found.signature])

    for one in found.coefficients:
        ends = one.interval or (nan, nan)
        figures = (one.found.value, one.found.observed, one.found.chance, *ends)
        made = _signature(len(found.coders), one.texts, found.options)
        add("-", one.name, one.observed, *figures, signature=made)
    correlation = found.correlation
    add("-", "correlation", "agreement-ratio and kappa-over-units", correlation.value)
    for text, ratio, kappa in zip(found.texts, correlation.ratios, correlation.kappas, strict=True):
        add(text, "agreement-ratio", "boundaries", ratio)
        add(text, "kappa-over-units", "units", kappa)
    return table


def told(found: AgreementReport) -> str:
    """Return the correlation in words."""
    correlation = found.correlation
    if correlation.undefined:
        return f"no correlation of agreement ratio and kappa over units: {correlation.undefined}\n"
    return (
        f"correlation of agreement ratio and kappa over units: {number(correlation.value)} over "
        f"{correlation.n:,} text{'' if correlation.n == 1 else 's'}\n"
    )
