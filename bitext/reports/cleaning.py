"""Reports of cleaning: what each filter rejected, with samples, as a table and as a page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bitext.reports.pages import Section, isolated, page, table_sheet
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.cleaning.suggestions import Suggestion

__all__ = ["add_accounts", "cleaning_page", "cleaning_table", "suggestions_page"]

_SAMPLES = 5  # samples of a filter


def add_accounts(accounts: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Add up the counts of several files, filter by filter; the samples are the first ones.

    Examples
    --------
    >>> one = {"filter": "empty", "judged": 3, "rejected": 1, "samples": []}
    >>> add_accounts([[one], [], [one]])[0]["judged"]
    6

    """
    total: list[dict[str, Any]] = []
    for account in filter(None, accounts):
        if not total:
            total = [{**row, "samples": [*row["samples"]]} for row in account]
            continue
        for row, more in zip(total, account, strict=True):
            row["judged"] += more["judged"]
            row["rejected"] += more["rejected"]
            row["samples"] = (row["samples"] + more["samples"])[:_SAMPLES]
    return total


def cleaning_table(filters: Sequence[dict[str, Any]]) -> Table:
    """Return a table of the filters: bounds, numbers judged and rejected, the first sample."""
    table = Table(
        ["filter", "min", "max", "judged", "rejected", "share", "value", "first"],
        right={1, 2, 3, 4, 5, 6},
    )
    for row in filters:
        judged, rejected = row["judged"], row["rejected"]
        first = row["samples"][0] if row["samples"] else None
        table.rows.append(
            [
                row["filter"],
                _bound(row["min"]),
                _bound(row["max"]),
                f"{judged:,}",
                f"{rejected:,}",
                f"{rejected / judged:.2%}" if judged else "",
                f"{first['value']:.4g}" if first else "",
                f"{first['src'][:40]} | {first['tgt'][:40]}" if first else "",
            ]
        )
    return table


def _bound(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def cleaning_page(filters: Sequence[dict[str, Any]], profile: str) -> str:
    """Return a page with the table of the filters, and the samples of each."""
    judged = filters[0]["judged"] if filters else 0
    rejected = sum(row["rejected"] for row in filters)
    summary = (
        f"{rejected:,} of {judged:,} bisegments rejected by the profile "
        f"<bdi>{escape(profile)}</bdi>; each counts for the first filter that rejects it"
    )
    table = cleaning_table(filters)
    counts = Table(table.head[:6], right={1, 2, 3, 4, 5}, rows=[row[:6] for row in table.rows])
    sections = [Section("filters", "Filters", [*table_sheet(counts, "Filters in order")])]
    sections += [
        Section(row["filter"], row["filter"], [*_samples(row)]) for row in filters if row["samples"]
    ]
    return page("Cleaning", summary, sections)


def _samples(row: dict[str, Any]) -> Iterator[str]:
    table = Table(["source", "target", "value", "place"], right={2})
    for one in row["samples"]:
        table.rows.append([one["src"], one["tgt"], f"{one['value']:.4g}", one["place"]])
    yield f'<p class="quiet">{row["rejected"]:,} rejected; the first {len(table.rows)}:</p>'
    yield from table_sheet(table, f"Rejected by {isolated(row['filter'])}", longest=300)


_WIDTH, _HEIGHT = 480, 90  # pixels of a histogram


def suggestions_page(suggestions: Sequence[Suggestion], profile: str) -> str:
    """Return a page with a profile of proposed bounds, and a histogram of each filter."""
    sections = [Section("profile", "Profile", [f"<pre>{escape(profile, quote=False)}</pre>"])]
    sections += [
        Section(one.title.replace(" ", "-"), one.title, [*_histogram(one)]) for one in suggestions
    ]
    summary = (
        "Bounds at four robust standard deviations from the median, or defaults where half of the "
        "values are equal; the heights of bars are roots of counts"
    )
    return page("Bounds of filters", summary, sections)


def _histogram(one: Suggestion) -> Iterator[str]:
    top, most = one.edges[-1], max(*one.counts, 1)
    step = _WIDTH / len(one.counts)
    bounds = [(name, b) for name, b in (("min", one.low), ("max", one.high)) if b is not None]
    label = ", ".join(f"{name} {bound:g}" for name, bound in bounds)
    beyond = f"; {one.share:.2%} of the bisegments beyond"
    quantile = "" if one.quantile is None else f"; beyond {one.quantile:.4g}, one of 200"
    yield (
        f'<p class="quiet">{label}{beyond}{quantile}; values from 0 to {top:g}, the last bar and '
        f"above</p>"
    )
    yield (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="Values of {escape(one.name)}: {label}">'
    )
    for k, count in enumerate(one.counts):
        # By the root of the counts, so that rare values are seen.
        height = (count / most) ** 0.5 * (_HEIGHT - 4)
        yield (
            f'<rect x="{k * step:.1f}" y="{_HEIGHT - height:.1f}" width="{step - 1:.1f}" '
            f'height="{height:.1f}" fill="currentColor" opacity="0.5">'
            f"<title>{one.edges[k]:g} to {one.edges[k + 1]:g}: {count:,}</title></rect>"
        )
    for _, bound in bounds:
        x = bound / top * _WIDTH
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{_HEIGHT}" stroke="currentColor"/>'
    yield "</svg>"
