"""Reports of cleaning: what each filter rejected, with samples, as a table and as a page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bitext.reports.pages import Section, asset, page, table_sheet
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.cleaning.suggestions import Suggestion

__all__ = ["add_accounts", "cleaning_page", "cleaning_table", "suggestions_page"]

_SAMPLES = 5  # samples of a filter
_SHOWN = 160  # characters of a text in a sample of a page
# Texts of samples wrap, unlike figures.
_STYLE = """
.page table.samples :is(tbody th, td:not(.n)) { white-space: normal; overflow-wrap: anywhere; }
.page table.samples tbody :is(th, td) { vertical-align: top; }
.page table.samples tbody th { font-weight: 400; min-width: 9rem; }
.page table.samples td:not(.n) { min-width: min(16rem, 60vw); max-width: 32rem; }
"""


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
                _title(row),
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


def _title(row: dict[str, Any]) -> str:
    """Return the name of a filter, with the measure and the side that a profile names."""
    given = row.get("parameters", {})
    return " ".join([row["filter"], *(given[key] for key in ("measure", "side") if key in given)])


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
        Section(f"filter-{k}", escape(_title(row)), [*_samples(row, k)])
        for k, row in enumerate(filters, start=1)
        if row["samples"]
    ]
    return page("Cleaning", summary, sections, style=_STYLE)


def _samples(row: dict[str, Any], number: int) -> Iterator[str]:
    table = Table(["place", "value", "source", "target"], right={1})
    for one in row["samples"]:
        table.rows.append([one["place"], f"{one['value']:,.6g}", one["src"], one["tgt"]])
    shown = f"; the first {len(table.rows)}" if row["rejected"] > len(table.rows) else ""
    yield f'<p class="quiet">{row["rejected"]:,} rejected{shown}:</p>'
    yield from table_sheet(
        table, f"Rejected by filter {number}, {_title(row)}", longest=_SHOWN, kind="plain samples"
    )


_WIDTH, _HEIGHT = 480, 90  # units of a histogram, which is as wide as its figure


def suggestions_page(suggestions: Sequence[Suggestion], profile: str) -> str:
    """Return a page of proposed bounds: a table, a histogram of each, and the profile."""
    table = Table(
        ["filter", "side", "min", "max", "expected", "beyond", "one of 200 beyond"],
        right={2, 3, 4, 5, 6},
    )
    for one in suggestions:
        bounds = [_bound(value) for value in (one.low, one.high, one.expected)]
        quantile = "" if one.quantile is None else f"{one.quantile:,.6g}"
        table.rows.append([one.name, one.side, *bounds, f"{one.share:.2%}", quantile])
    figures = [line for one in suggestions for line in _histogram(one)]
    note = (
        '<p class="quiet">The height of a bar is the root of its count; the line is the bound, and '
        "the last bar has all values above it, too.</p>"
    )
    text = escape(profile, quote=False)
    sections = [
        Section("bounds", "Bounds", [*table_sheet(table, "Proposed bounds")]),
        Section(
            "histograms",
            "Histograms",
            [note, '<div class="histograms">', *figures, "</div>"],
        ),
        Section(
            "profile",
            "Profile",
            [
                '<div class="sheet" tabindex="0" role="region" aria-label="Profile in TOML">',
                f"<pre>{text}</pre></div>",
            ],
        ),
    ]
    summary = (
        "A bound is four robust standard deviations from the median, or the default where half of "
        "the values are equal"
    )
    return page("Bounds of filters", summary, sections, style=asset("corpus_statistics.css"))


def _histogram(one: Suggestion) -> Iterator[str]:
    """Yield the HTML of a histogram: bars, the bound, and the limits of its axis."""
    low, top, most = one.edges[0], one.edges[-1], max(*one.counts, 1)
    name, bound = ("max", one.high) if one.high is not None else ("min", one.low or 0.0)
    step = _WIDTH / len(one.counts)
    label = f"{one.title}: {name} {bound:g}, {one.share:.2%} beyond"
    yield (
        f'<figure class="{one.side or "both"}"><figcaption>{escape(one.title)}</figcaption>'
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'preserveAspectRatio="none">'
    )
    for k, count in enumerate(one.counts):
        # By the root of the counts, so that rare values are seen.
        height = (count / most) ** 0.5 * (_HEIGHT - 4)
        is_open = one.high is not None and k == len(one.counts) - 1
        more = " and more" if is_open else f" to {one.edges[k + 1]:.4g}"
        yield (
            f'<rect x="{k * step:.1f}" y="{_HEIGHT - height:.1f}" width="{step - 1:.1f}" '
            f'height="{height:.1f}"><title>{one.edges[k]:.4g}{more}: {count:,}</title></rect>'
        )
    x = min(bound / top, 1.0) * _WIDTH
    yield (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{_HEIGHT}" stroke="currentColor" '
        f'stroke-width="2" vector-effect="non-scaling-stroke"/></svg>'
    )
    yield (
        f'<p class="axis"><span>{low:.4g}</span><span>{name} {bound:g}: {one.share:.2%} beyond'
        f"</span><span>{top:.4g}{'+' if one.high is not None else ''}</span></p></figure>"
    )
