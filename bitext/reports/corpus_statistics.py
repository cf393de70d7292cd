"""Statistics of files of alignments: the table, and the page with histograms.

Both are made from the document that `bitext stats --json` prints.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bitext.formats.convert.statistics import QUANTILES
from bitext.reports.pages import Section, asset, page, table_sheet
from bitext.reports.table import Table, many, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Summary = Mapping[str, Any]

__all__ = ["statistics_page", "statistics_table"]

_HEAD = ["file", "figure", "count", "share", "mean", "least", "5 %", "25 %", "median"]
_HEAD += ["75 %", "95 %", "most"]
_MOST_TYPES = 10  # bead types, and pairs of languages, that have a row of their own
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
    """Return the statistics of each file, and of all if they are several, as a table.

    With `exact`, figures have all their digits, for programs.
    """
    table = Table(list(_HEAD), right=set(range(2, len(_HEAD))), quiet={0}, grouped=True)
    files = document["files"]
    for summary in files if len(files) == 1 else [*files, document["total"]]:
        name = printable(summary["name"])
        for title, *figures in _rows(summary):
            cells = [_shown(k, value, exact=exact) for k, value in enumerate(figures)]
            empty = [""] * (len(_HEAD) - 2 - len(cells))
            table.rows.append([name, f"{title}", *cells, *empty])
    return table


def _shown(column: int, value: float | None, *, exact: bool) -> str:
    if value is None:
        return ""
    if exact:
        return f"{value}"
    return f"{value:.1%}" if column == 1 else _short(value)


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
            for unit in ("words", "characters"):
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


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _spread(values: Summary) -> list[float]:
    if not values["count"]:
        return []
    quantiles = [values["quantiles"][f"{share:g}"] for share in QUANTILES]
    return [values["mean"], values["least"], *quantiles, values["most"]]


def _short(value: float) -> str:
    """Format a value: a whole number with all digits, another with three that count."""
    if value == int(value) and abs(value) < 1e15:  # beyond, digits of floats say nothing
        return f"{int(value)}"
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
        Section(
            "figures",
            "Figures",
            table_sheet(statistics_table(document), "Figures of every file", kind="plain two"),
        ),
    ]
    return page(title, summary, sections, style=asset("corpus_statistics.css"))


def _histogram(heading: str, values: Summary, side: str) -> str:
    """Return the HTML of a histogram: bars, the limits and the median below, a title each bar."""
    bins = values["bins"]
    low, high = bins[0][0], bins[-1][1]
    beyond = values["most"] > high
    names = [_limits(*each[:2]) for each in bins]
    if beyond:
        names[-1] = f"{_short(bins[-1][0])} and more, up to {_short(values['most'])}"
    bars = _drawn([each[2] for each in bins], names)
    median = _short(values["quantiles"]["0.5"])
    last = f"{_short(high)}+" if beyond else _short(high)
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
