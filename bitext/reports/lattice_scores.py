"""The figures of lattices, systems side by side: as tables and as JSON."""

from __future__ import annotations

from math import isnan, log10
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.metrics.lattice_figures import over_clusters
from bitext.reports.scores import exact
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.metrics.lattice_figures import Figure, Figures

__all__ = ["caption", "flat_table", "score_table", "to_json"]

SCHEMA = "bitext.lattices/1"

_ARROWS = {"higher": " ↑", "lower": " ↓", "": ""}
_SPELT_OUT = 10**9  # from here on a count is written with a power of ten
_EXACT = 2**53  # from here on a reader of JSON may round


def caption(scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]) -> str:
    """Return what a reader of the table has to know: clusters, averages, estimates, signatures."""
    _check(scores, clusters)
    count = len(clusters)
    lines = [f"{count:,} cluster{'s' if count > 1 else ''}"]
    if count > 1:
        lines[0] += (
            "; sizes and paths are sums; compression, edgain and links are pooled; shares of paths "
            "are means over clusters"
        )
    drawn = sorted(
        {one.repetition.drawn for row in scores.values() for one in row if one.repetition.drawn}
    )
    if drawn:
        numbers = " or ".join(f"{paths:,}" for paths in drawn)
        lines.append(f"~ an estimate from {numbers} paths drawn at random")
    told = {name: dict.fromkeys(one.signature for one in row) for name, row in scores.items()}
    shared = len({tuple(signatures) for signatures in told.values()}) == 1
    for name, signatures in list(told.items())[: 1 if shared else None]:
        whose = "" if shared else f" of {name}"
        lines += [f"signature{whose}: {signature}" for signature in signatures]
    return "\n".join(lines) + "\n"


def score_table(
    scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str], *, texts: bool = False
) -> Table:
    """Return the table for reading: a figure a row, a system a column.

    Parameters
    ----------
    scores : dict of str to sequence of Figures
        Of each system (a preset, say) the figures of each cluster.
    clusters : sequence of str
        The names of the clusters, as many as each system has figures.
    texts : bool
        Whether each cluster gets rows of its own above those over all of them.

    """
    _check(scores, clusters)
    many = texts and len(clusters) > 1
    table = Table(["figure", *(["cluster"] if many else []), *scores], quiet={0} if many else set())
    table.right = set(range(2 if many else 1, len(table.head)))
    shown: dict[tuple[str, str], dict[str, str]] = {}
    better: dict[str, str] = {}
    for system, cluster, figure, _ in _figures(scores, clusters):
        if cluster is None or many:
            place = "(all)" if cluster is None else cluster
            shown.setdefault((figure.name, place), {})[system] = _cell(figure)
            better[figure.name] = _ARROWS[figure.better]
    for name, arrow in better.items():
        for (figure_name, place), cells in shown.items():
            if figure_name == name:
                where = [place] if many else []
                row = [cells.get(system, "-") for system in scores]
                table.rows.append([name + arrow, *where, *row])
    return table


def flat_table(scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]) -> Table:
    """Return the table for programs: one value a row, all digits, `-` where undefined."""
    table = Table(
        ["system", "cluster", "average", "figure", "better", "value", "exact", "error", "signature"]
    )
    for row in to_json(scores, clusters)["rows"]:
        value = row["value"]
        if value is None and row["log10"] is not None:
            spelled = f"1e{row['log10']!r}"
        else:
            spelled = "-" if value is None else repr(value)
        table.rows.append(
            [
                *(row["system"], row["cluster"] or "-", row["average"] or "-", row["figure"]),
                *(row["better"] or "-", spelled, "yes" if row["exact"] else "no"),
                *("-" if row["error"] is None else exact(row["error"]), row["signature"] or "-"),
            ]
        )
    return table


def to_json(scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]) -> dict[str, Any]:
    """Return everything as members of JSON: a row for each system, cluster and figure.

    Undefined figures are `None`. `cluster` is `None` for figures over all clusters. Counts from
    2 ** 53 on are rounded; one that no float holds is `None`, and has its logarithm in `log10`.
    """
    _check(scores, clusters)
    return {
        "schema": SCHEMA,
        "rows": [
            {
                "system": system,
                "cluster": cluster,
                "average": figure.average or None,
                "figure": figure.name,
                "better": figure.better or None,
                **_value(figure),
                "exact": figure.exact,
                "error": of.repetition.error if of is not None and not figure.exact else None,
                "signature": None if of is None else of.signature,
            }
            for system, cluster, figure, of in _figures(scores, clusters)
        ],
    }


def _check(scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]) -> None:
    if not scores or not clusters:
        raise InputError("no figures of lattices: want one system and one cluster or more")
    for system, row in scores.items():
        if len(row) != len(clusters):
            raise InputError(
                f"{system} has figures of {len(row)} clusters, and {len(clusters)} are named: want "
                f"figures of each cluster"
            )


def _figures(
    scores: Mapping[str, Sequence[Figures]], clusters: Sequence[str]
) -> Iterator[tuple[str, str | None, Figure, Figures | None]]:
    """Yield system, cluster, figure and where it is from: each cluster, then all of them."""
    for system, row in scores.items():
        for cluster, one in zip(clusters, row, strict=True):
            yield from ((system, cluster, figure, one) for figure in one.all())
        whole = row[0] if len(row) == 1 else None
        for figure in over_clusters(row):
            yield system, None, figure, whole


def _cell(figure: Figure) -> str:
    if isinstance(figure.value, int):
        return _count(figure.value)
    return ("" if figure.exact else "~") + number(figure.value)


def _count(value: int) -> str:
    """Write a count; a large one with three digits and a power of ten."""
    if value < _SPELT_OUT:
        return f"{value:,}"
    power = int(log10(value))
    power += (value >= 10 ** (power + 1)) - (value < 10**power)
    lead = value // 10 ** (power - 2)
    return f"{lead // 100}.{lead % 100:02d}e+{power}"


def _value(figure: Figure) -> dict[str, float | None]:
    """Return the value, and the logarithm of a count that is too large for exact digits."""
    value = figure.value
    if not isinstance(value, int) or value < _EXACT:
        return {"value": None if isnan(value) else value, "log10": None}
    try:
        rounded: float | None = float(value)
    except OverflowError:
        rounded = None
    return {"value": rounded, "log10": log10(value)}
