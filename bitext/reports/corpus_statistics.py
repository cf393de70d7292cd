"""Reports of `stats` and of cleaning: tables, and pages with histograms.

Statistics of files of alignments: the table, and the page with histograms.

Both are made from the document that `bitext stats --json` prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import isclose
from typing import TYPE_CHECKING, Any

from bitext.errors import many
from bitext.formats.convert.statistics import QUANTILES
from bitext.reports.pages import Section, asset, isolated, page, table_sheet
from bitext.reports.table import Table, printable

if TYPE_CHECKING:
    from bitext.formats.cleaning.cleaner import Suggestion

    Summary = Mapping[str, Any]


_HEAD = ["file", "figure", "count", "share", "mean", "least", "5 %", "25 %", "median"]
_HEAD += ["75 %", "95 %", "most"]
_MOST_TYPES = 10  # bead types, and pairs of languages, that have a row of their own
_LENGTHS = ("words", "characters")
_MAX_NAME = 120  # characters of the name of a file
_EXACT = 1e15  # beyond, digits of floats say nothing
_WIDTH, _HEIGHT = 400, 100  # of a histogram, in its own units

# A title, where its values are in a summary, and the side whose colour its bars have.
_HISTOGRAMS = (
    ("Words a source sentence", ("src", "sentence_words"), "src"),
    ("Words a target sentence", ("tgt", "sentence_words"), "tgt"),
    ("Characters a source sentence", ("src", "sentence_characters"), "src"),
    ("Characters a target sentence", ("tgt", "sentence_characters"), "tgt"),
    ("Target characters by source characters", ("length_ratios",), "both"),
    ("Scores", ("scores",), "both"),
)


def statistics_table(document: Mapping[str, Any], *, exact: bool = False) -> Table:
    """Return the statistics of each file, and of all if they are several, as one table.

    With `exact`, figures have all their digits, for programs.
    """
    table = Table(list(_HEAD), right=set(range(2, len(_HEAD))), quiet={0}, grouped=True)
    for summary in _summaries(document):
        name = printable(summary["name"])
        for title, *figures in _rows(summary):
            cells = _exact(figures) if exact else _shown(title, figures)
            empty = [""] * (len(_HEAD) - 2 - len(cells))
            table.rows.append([name, title, *cells, *empty])
    return table


def statistics_text(document: Mapping[str, Any]) -> str:
    """Return the statistics for a terminal: two tables a file, below its name if it is not alone.

    The tables have at most 80 columns, unless figures have more than five characters.
    """
    summaries = _summaries(document)
    parts = []
    for summary in summaries:
        name = [f"{printable(summary['name'])}\n"] if len(summaries) > 1 else []
        tables = [table.render("table") for table in _tables(summary)]
        parts.append("\n".join([*name, *tables]))
    return "\n".join(parts)


def _summaries(document: Mapping[str, Any]) -> list[Summary]:
    files = document["files"]
    return files if len(files) == 1 else [*files, document["total"]]


def _tables(summary: Summary) -> list[Table]:
    """Return the tables of a file: of counts, and of means and quantiles if there are any."""
    counts = Table(_HEAD[1:4], right={1, 2})
    spreads = Table([_HEAD[1], *_HEAD[4:]], right=set(range(1, len(_HEAD) - 3)))
    for title, *figures in _rows(summary):
        cells = _shown(title, figures)
        counts.rows.append([title, *cells[:2], *[""] * (2 - len(cells))])
        if len(cells) > 2:
            spreads.rows.append([title, *cells[2:]])
    return [counts, spreads] if spreads.rows else [counts]


def _exact(figures: Sequence[float | None]) -> list[str]:
    return ["" if value is None else f"{value}" for value in figures]


def _shown(title: str, figures: Sequence[float | None]) -> list[str]:
    """Format a count, a share, a mean and quantiles for readers.

    Lengths are whole numbers, and their mean has one decimal; a ratio or a score has as many
    decimals as the others of its row.
    """
    count, *rest = figures
    cells = [_short(count or 0)]
    if rest:
        cells.append("" if rest[0] is None else f"{rest[0]:.1%}")
    values = [value for value in rest[1:] if value is not None]
    if values and title.endswith(_LENGTHS):
        return [*cells, f"{values[0]:,.1f}", *map(_short, values[1:])]
    largest = max((abs(value) for value in values), default=0.0)
    if largest < 0.1:  # decimals would be zeros
        return [*cells, *(f"{value:.3g}" for value in values)]
    digits = next((d for top, d in ((10, 3), (100, 2), (10_000, 1)) if largest < top), 0)
    return [*cells, *(f"{value:z,.{digits}f}" for value in values)]


def _rows(summary: Summary) -> Iterator[list[Any]]:
    """Yield the rows of a file: a name, its count, share, mean and quantiles, as far as defined."""
    yield ["texts", summary["texts"]]
    yield from _counted("languages ", summary["languages"], summary["texts"])
    yield ["bisegments", summary["bisegments"]]
    yield from _counted("bisegments ", summary["bead_types"], summary["bisegments"])
    for side, name in (("src", "source"), ("tgt", "target")):
        counts = summary[side]
        if counts["sentences"]:
            yield [f"{name} sentences", counts["sentences"]]
        if "types" in counts:
            for unit in _LENGTHS:
                lengths = _spread(counts[f"sentence_{unit}"])
                yield [f"{name} {unit}", counts[unit], None, *lengths]
            yield [f"{name} types", counts["types"], _share(counts["types"], counts["words"])]
    for key, name in (("length_ratios", "length ratios"), ("scores", "scores")):
        if summary[key]["count"]:
            yield [name, summary[key]["count"], None, *_spread(summary[key])]
    for key, name in (("both", "duplicates"), ("src", "source repeats"), ("tgt", "target repeats")):
        repeats = summary["duplicates"][key]
        if repeats["of"]:
            yield [name, repeats["count"], _share(repeats["count"], repeats["of"])]


def _counted(prefix: str, counts: Mapping[str, int], total: int) -> Iterator[list[Any]]:
    """Yield a row for each of the most frequent values, and one for all others."""
    items = list(counts.items())
    if [name for name, _ in items] == ["-"]:  # languages that no file names
        return
    for name, count in items[:_MOST_TYPES]:
        yield [prefix + printable(name), count, _share(count, total)]
    if rest := sum(count for _, count in items[_MOST_TYPES:]):
        yield [f"{prefix}of {len(items) - _MOST_TYPES} other kinds", rest, _share(rest, total)]


def _share(part: int, total: int) -> float | None:
    return part / total if total else None


def _spread(values: Summary) -> list[float]:
    if not values["count"]:
        return []
    quantiles = [values["quantiles"][f"{share:g}"] for share in QUANTILES]
    return [values["mean"], values["least"], *quantiles, values["most"]]


def _short(value: float) -> str:
    """Format a value: a whole number with all digits, another with three that count."""
    if abs(value) < _EXACT and value == int(value):
        return f"{int(value):,}"
    return f"{value:.1f}" if abs(value) >= 100 else f"{value:.3g}"


def statistics_page(document: Mapping[str, Any], *, title: str) -> str:
    """Return the page: the histograms of all files together, and the table."""
    total = document["total"]
    summary = f"{many(total['texts'], 'text')}, {many(total['bisegments'], 'bisegment')}"
    graphs = []
    for heading, keys, side in _HISTOGRAMS:
        values: Any = total
        for key in keys:
            values = values.get(key, {})
        if values.get("count"):
            graphs.append(_histogram(heading, values, side))
    graphs += _bars("Bisegments by type", total["bead_types"], total["bisegments"])
    sections = [
        Section("histograms", "Histograms", ['<div class="histograms">', *graphs, "</div>"]),
        Section("figures", "Figures", _figures(document)),
    ]
    return page(title, summary, sections, style=asset("corpus_statistics.css"))


def _figures(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the HTML of the tables of each file, below its name if it is not alone."""
    summaries = _summaries(document)
    for summary in summaries:
        if len(summaries) > 1:
            yield f"<h3>{isolated(summary['name'], _MAX_NAME)}</h3>"
        for table, what in zip(_tables(summary), ("Counts", "Lengths and scores"), strict=False):
            yield from table_sheet(table, f"{what} of {printable(summary['name'])}")


def _histogram(heading: str, values: Summary, side: str) -> str:
    """Return the HTML of a histogram: bars, the limits and the median below, a title each bar."""
    bins = values["bins"]
    low, high = bins[0][0], min(bins[-1][1], values["most"])
    is_open = values["most"] > high and not isclose(values["most"], high)  # rounding of bins
    names = [_limits(*each[:2]) for each in bins]
    if is_open:
        names[-1] = f"{_short(bins[-1][0])} and more, up to {_short(values['most'])}"
    bars = _drawn([each[2] for each in bins], names)
    median = _short(values["quantiles"]["0.5"])
    last = f"{_short(high)}+" if is_open else _short(high)
    label = f"{heading}: {values['count']:,}, median {median}, {_short(low)} to {last}"
    return (
        f'<figure class="{side}"><figcaption>{escape(heading)}</figcaption>'
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'preserveAspectRatio="none">{bars}</svg><p class="axis"><span>{_short(low)}</span>'
        f"<span>median {median}</span><span>{last}</span></p></figure>"
    )


def _limits(low: float, high: float) -> str:
    first, last = _short(low), _short(high)
    return first if first == last else f"{first} to {last}"


def _drawn(counts: list[int], names: list[str]) -> str:
    width, highest = _WIDTH / len(counts), max(counts)
    parts = []
    for k, (count, name) in enumerate(zip(counts, names, strict=True)):
        # A bin with few values stays visible.
        height = max(_HEIGHT * count / highest, 1) if count else 0
        parts.append(
            f'<rect x="{k * width + width * 0.05:.2f}" y="{_HEIGHT - height:.2f}" '
            f'width="{width * 0.9:.2f}" height="{height:.2f}">'
            f"<title>{escape(name)}: {count:,}</title></rect>"
        )
    return "".join(parts)


def _bars(heading: str, counts: Mapping[str, int], total: int) -> Iterator[str]:
    """Yield the HTML of one figure with a bar for each of the most frequent values."""
    items = list(counts.items())[:_MOST_TYPES]
    if not items:
        return
    yield f'<figure class="both types"><figcaption>{escape(heading)}</figcaption><table>'
    for name, count in items:
        width = _WIDTH * count / items[0][1]
        yield (
            f'<tr><th scope="row">{escape(name)}</th><td><svg viewBox="0 0 {_WIDTH} 10" '
            f'preserveAspectRatio="none" aria-hidden="true"><rect width="{max(width, 1):.1f}" '
            f'height="10"/></svg></td><td class="n">{count:,}</td>'
            f'<td class="n">{count / max(total, 1):.1%}</td></tr>'
        )
    yield "</table></figure>"


# Reports of cleaning: what each filter rejected, with samples, as a table and as a page.


_SAMPLES = 5  # samples of a filter
_MAX_SAMPLE_TEXT = 160  # characters of a text in a sample of a page
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
        for row, other_row in zip(total, account, strict=True):
            row["judged"] += other_row["judged"]
            row["rejected"] += other_row["rejected"]
            row["samples"] = (row["samples"] + other_row["samples"])[:_SAMPLES]
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
    parameters = row.get("parameters", {})
    return " ".join(
        [row["filter"], *(parameters[key] for key in ("measure", "side") if key in parameters)]
    )


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
        table,
        f"Rejected by filter {number}, {_title(row)}",
        longest=_MAX_SAMPLE_TEXT,
        kind="plain samples",
    )


_BAR_WIDTH, _BAR_HEIGHT = 480, 90  # units of a histogram, which is as wide as its figure


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
    figures = [line for one in suggestions for line in _bound_histogram(one)]
    note = (
        '<p class="quiet">The height of a bar is the root of its count; the line is the bound, and '
        "the last bar has all values above it, too.</p>"
    )
    text = escape(profile, quote=False)
    sections = [
        Section("bounds", "Bounds", [*table_sheet(table, "Proposed bounds")]),
        Section("histograms", "Histograms", [note, '<div class="histograms">', *figures, "</div>"]),
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


def _bound_histogram(one: Suggestion) -> Iterator[str]:
    """Yield the HTML of a histogram: bars, the bound, and the limits of its axis."""
    low, top, max_count = one.edges[0], one.edges[-1], max(*one.counts, 1)
    name, bound = ("max", one.high) if one.high is not None else ("min", one.low or 0.0)
    step = _BAR_WIDTH / len(one.counts)
    label = f"{one.title}: {name} {bound:g}, {one.share:.2%} beyond"
    yield (
        f'<figure class="{one.side or "both"}"><figcaption>{escape(one.title)}</figcaption>'
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {_BAR_WIDTH} {_BAR_HEIGHT}" '
        f'preserveAspectRatio="none">'
    )
    for k, count in enumerate(one.counts):
        # By the root of the counts, so that rare values are seen.
        height = (count / max_count) ** 0.5 * (_BAR_HEIGHT - 4)
        is_open = one.high is not None and k == len(one.counts) - 1
        upper = " and more" if is_open else f" to {one.edges[k + 1]:.4g}"
        yield (
            f'<rect x="{k * step:.1f}" y="{_BAR_HEIGHT - height:.1f}" width="{step - 1:.1f}" '
            f'height="{height:.1f}"><title>{one.edges[k]:.4g}{upper}: {count:,}</title></rect>'
        )
    x = min(bound / top, 1.0) * _BAR_WIDTH
    yield (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{_BAR_HEIGHT}" stroke="currentColor" '
        f'stroke-width="2" vector-effect="non-scaling-stroke"/></svg>'
    )
    yield (
        f'<p class="axis"><span>{low:.4g}</span><span>{name} {bound:g}: {one.share:.2%} beyond'
        f"</span><span>{top:.4g}{'+' if one.high is not None else ''}</span></p></figure>"
    )
