"""How far references agree: coefficients of agreement, and the agreement ratio beside kappa."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from bitext.metrics.agreement_correlation import AgreementCorrelation, agreement_correlation
from bitext.metrics.agreement_interval import agreement_interval
from bitext.metrics.registry import all_metrics
from bitext.reports.scores import defined, exact
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.metrics.coders import Agreement
    from bitext.metrics.options import Sampling
    from bitext.metrics.significance import Interval
    from bitext.model.segmentations import Segmentations

__all__ = ["AgreementReport", "Coefficient", "coefficient_table", "ratio_table", "report"]

_ANY = ("fleiss-kappa", "multi-kappa", "krippendorff-alpha", "bennett-s")
_OF_TWO = ("cohen-kappa", "scott-pi")


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient of agreement on what `observed` says, with its interval over texts."""

    name: str
    observed: str
    found: Agreement
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The agreement of coders on texts."""

    coders: tuple[str, ...]
    texts: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    correlation: AgreementCorrelation

    def to_json(self) -> dict[str, Any]:
        """Return it as members of JSON."""
        rows = zip(self.texts, self.correlation.ratios, self.correlation.kappas, strict=True)
        return {
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
                }
                for one in self.coefficients
            ],
            "texts": [
                {"text": text, "agreement_ratio": defined(ratio), "kappa": defined(kappa)}
                for text, ratio, kappa in rows
            ],
            "correlation": {
                "value": defined(self.correlation.value),
                "texts": self.correlation.n,
                "undefined": self.correlation.undefined or None,
            },
        }


def report(
    coders: dict[str, Segmentations], observed: Sequence[str], options: Sampling
) -> AgreementReport:
    """Work out every coefficient on each of `observed`: `boundaries`, or a similarity.

    Raises
    ------
    InputError
        When there are fewer than two coders.
    OptionError
        When one of `observed` is not known.

    """
    tables = list(coders.values())
    codings = [[table.at(t) for table in tables] for t in range(len(tables[0]))]
    known = all_metrics()
    names = (*_ANY, *_OF_TWO) if len(tables) == 2 else _ANY
    found = []
    for way in observed:
        for name in names:
            interval = None
            if options.resamples and len(codings) > 1:
                interval = agreement_interval(
                    known[name],
                    codings,
                    observed=way,
                    resamples=options.resamples,
                    level=options.level,
                    seed=options.seed,
                )
            found.append(Coefficient(name, way, known[name](codings, observed=way), interval))
    ids = tuple(tables[0].ids)
    return AgreementReport(tuple(coders), ids, tuple(found), agreement_correlation(codings))


def coefficient_table(found: AgreementReport, *, flat: bool) -> Table:
    """Return the table of coefficients, for reading or for programs."""
    head = ["agreement", "on", "value", "observed", "chance"]
    table = Table([*head, "low", "high"] if flat else head, quiet={1})
    for one in found.coefficients:
        figures = (one.found.value, one.found.observed, one.found.chance)
        cells = [exact(value) if flat else number(value) for value in figures]
        if flat:
            cells += [exact(end) for end in one.interval] if one.interval else ["-", "-"]
        elif one.interval and not isnan(one.interval.low):
            cells[0] += f" [{one.interval.low:.3f}, {one.interval.high:.3f}]"
        table.rows.append([one.name, one.observed, *cells])
    return table


def ratio_table(found: AgreementReport, *, flat: bool) -> Table:
    """Return the agreement ratio and kappa of each text, and their correlation at the end."""
    write = exact if flat else number
    table = Table(["text", "agreement ratio", "Fleiss' kappa"])
    rows = zip(found.texts, found.correlation.ratios, found.correlation.kappas, strict=True)
    table.rows = [[text, write(ratio), write(kappa)] for text, ratio, kappa in rows]
    return table


def told(found: AgreementReport) -> str:
    """Return the correlation in words."""
    correlation = found.correlation
    if correlation.undefined:
        return f"no correlation of agreement ratio and kappa: {correlation.undefined}\n"
    return (
        f"correlation of agreement ratio and kappa: {correlation.value:.4f} over "
        f"{correlation.n:,} texts\n"
    )
