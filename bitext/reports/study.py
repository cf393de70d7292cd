"""The error study as a page, with one figure per error type, and the figures of the paper on A."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import import_extra
from bitext.formats.io.output import write_whole
from bitext.metrics.study import DEFINITIONS, Row
from bitext.metrics.study.runs import ERRATA, PUBLISHED, PublishedPair, similarities
from bitext.model import Segmentation
from bitext.reports import pages
from bitext.reports.lettering import cut, em_width, visible
from bitext.reports.pages import Section, isolated
from bitext.reports.segmentation import ShownText, draw
from bitext.reports.segmentation import style as drawing_style
from bitext.reports.table import Figure as Share
from bitext.reports.table import Look, Table, best_of

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# The figures of the error study as our own SVG, which needs no other package.
#
# A line is a metric: the share of references on which it errs, by the number of units. Metrics
# differ in mark, dashes, width and colour, so that lines that cover each other are visible, and
# colour is never needed.

TITLES = {
    "cross": "Crossing a neighbour scored as a soft shift",
    "vanishing": "A longer shift scored as a shorter, soft one",
    "constant-cost": "A hard shift scored as a soft one of the same length",
}
# The letter and the words of the numbers along the axis.
AXES = {
    "units": ("n", "units of the reference, n"),
    "segments": ("m", "segments of the reference, m"),
}
_SVG_COLOURS = 8
_SVG_DASHES = ("", "8 4", "2 3", "8 3 2 3")
_SVG_MARKS = (
    "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z",
    "M-3.6 -3.6H3.6V3.6H-3.6Z",
    "M0 -4.6L4.4 3.6H-4.4Z",
    "M0 -5L5 0L0 5L-5 0Z",
    "M0 4.6L4.4 -3.6H-4.4Z",
    "M-1.5 -4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5V-1.5H-1.5Z",
    "M-4.6 0L-2.3 -4H2.3L4.6 0L2.3 4H-2.3Z",
    "M-4.4 0L3.6 -4.4V4.4Z",
    "M4.4 0L-3.6 -4.4V4.4Z",
)
_WIDTH, _PLOT, _LEFT, _RIGHT, _TOP = 520, 260, 52, 18, 56
_KEY = 20  # height of a line of the key
_FONT = 13
_LABEL = 34.0  # greatest width of the name of a metric, in font sizes


class _Axes(NamedTuple):
    """The coordinates of numbers of units, or of segments, and of shares."""

    first: int
    last: int
    most: float

    def x(self, n: int) -> float:
        room = _WIDTH - _LEFT - _RIGHT - 20
        span = self.last - self.first
        return _LEFT + 10 + (room * (n - self.first) / span if span else room / 2)

    def y(self, share: float) -> float:
        return _TOP + _PLOT * (1 - share / self.most)


def style() -> str:
    """Return the style sheet of the figures."""
    return pages.asset("study.css")


def draw_svg(rows: Sequence[Row], error: str, *, standalone: bool = True) -> str:
    """Draw the share of references with one type of error by each metric, against n or m.

    `error` is one of the error types of the study. A figure that is not `standalone` has no style:
    its page has it. It is the same for the same rows.

    Examples
    --------
    >>> from bitext.metrics.study import StudiedMetric
    >>> from bitext.metrics.study import study_errors
    >>> from bitext.metrics.registry import parse_metrics
    >>> svg = draw_svg(study_errors(map(StudiedMetric, parse_metrics(["pk"])), 5, 8), "vanishing")
    >>> svg.count('class="point'), svg.count("<title")
    (5, 5)

    """
    rows_of_metric: dict[str, list[Row]] = {}
    for row in rows:
        if row.error == error:
            rows_of_metric.setdefault(row.metric.label, []).append(row)
    all_rows = [row for family in rows_of_metric.values() for row in family]
    step, ticks = _axis_shares(max(row.share for row in all_rows))
    axes = _Axes(min(row.n for row in all_rows), max(row.n for row in all_rows), ticks * step)
    keys = list(_key(list(rows_of_metric)))
    height = _TOP + _PLOT + 58 + _KEY * max((line for line, _ in keys), default=0) + _KEY
    description = escape(
        "; ".join(_told(label, family) for label, family in rows_of_metric.items())
    )
    title, name = escape(TITLES.get(error, error)), f"study-{error}"
    size = f'width="{_WIDTH}" height="{height}"'
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="study" {size} '
            f'viewBox="0 0 {_WIDTH} {height}" role="img" '
            f'aria-labelledby="{name}-title" aria-describedby="{name}-desc">'
        ),
        f'<title id="{name}-title">{title}</title><desc id="{name}-desc">{description}</desc>',
        f"<style>{style()}</style>" if standalone else "",
        f'<rect class="ground" {size}/>',
        f'<text class="name" x="12" y="22">{title}</text>',
        '<text class="tick" x="12" y="41">references that the metric errs on</text>',
        *_grid(axes, step, ticks),
        (
            f'<text class="tick" x="{(_LEFT + _WIDTH - _RIGHT) / 2:g}" y="{_TOP + _PLOT + 42}" '
            f'text-anchor="middle">{AXES[all_rows[0].by][1]}</text>'
        ),
    ]
    last = len(rows_of_metric) - 1
    for number, (label, family) in enumerate(rows_of_metric.items()):
        # A mark on top leaves a rim of those below.
        rim = min(last, 4) * (last - number) / max(last, 1)
        parts += _line(label, sorted(family, key=lambda row: row.n), number, rim, axes)
    parts += [f'<g transform="translate(0 {_TOP + _PLOT + 58})">', *(k for _, k in keys), "</g>"]
    return "\n".join(part for part in [*parts, "</svg>"] if part) + "\n"


def _told(label: str, family: list[Row]) -> str:
    shares = {row.n: f"{row.share:.1%} at {AXES[row.by][0]} = {row.n}" for row in family}
    ends = " to ".join(shares[n] for n in sorted({min(shares), max(shares)}))
    return f"{visible(label)}: {ends}"


def _axis_shares(most: float) -> tuple[float, int]:
    """Return a round step of shares, and the number of steps that cover the data."""
    steps = (k * 10.0**power for power in range(-6, 1) for k in (1, 2, 5))
    step = next(step for step in steps if step * 6 >= (most or 0.01))
    return step, max(ceil(most / step - 1e-9), 1)


def _grid(axes: _Axes, step: float, ticks: int) -> Iterator[str]:
    digits = max(0, -int(f"{step * 100:e}".split("e")[1]))
    for k in range(ticks + 1):
        y = f"{axes.y(k * step):.1f}"
        yield f'<path class="{"grid" if k else "axis"}" d="M{_LEFT} {y}H{_WIDTH - _RIGHT}"/>'
        yield (
            f'<text class="tick" x="{_LEFT - 6}" y="{float(y) + 4:.1f}" text-anchor="end">'
            f"{k * step:.{digits}%}</text>"
        )
    every = -(-(axes.last - axes.first + 1) // 16)
    for n in range(axes.first, axes.last + 1, every):
        yield (
            f'<text class="tick" x="{axes.x(n):.1f}" y="{_TOP + _PLOT + 22}" '
            f'text-anchor="middle">{n}</text>'
        )


def _line(label: str, family: list[Row], number: int, rim: float, axes: _Axes) -> Iterator[str]:
    places = [(axes.x(row.n), axes.y(row.share)) for row in family]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    yield f'<path {_look("line", number)} stroke-width="{1.6 + 0.9 * rim:.2f}" d="M{path}"/>'
    for row, (x, y) in zip(family, places, strict=True):
        description = escape(
            f"{visible(label)}, {AXES[row.by][0]} = {row.n}: {row.share:.2%} ({row.erring:,} of "
            f"{row.references:,})"
        )
        yield _point(number, x, y, 1 + 0.3 * rim).replace(
            "/>", f"><title>{description}</title></path>"
        )


def _look(name: str, number: int) -> str:
    dashes = _SVG_DASHES[number % len(_SVG_DASHES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes and name == "line" else ""
    return f'class="{name} c{number % _SVG_COLOURS + 1}"{dashed}'


def _point(number: int, x: float, y: float, size: float) -> str:
    place = f'transform="translate({x:.1f} {y:.1f}) scale({size:.2f})"'
    return f'<path {_look("point", number)} {place} d="{_SVG_MARKS[number % len(_SVG_MARKS)]}"/>'


def _key(labels: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the entries of the key, each with its line."""
    line, x = 0, 12.0
    for number, label in enumerate(labels):
        label_text = cut(visible(label), _LABEL)
        width = 52 + em_width(label_text) * _FONT
        if x > 12 and x + width > _WIDTH:
            line, x = line + 1, 12.0
        y = line * _KEY + 6
        yield (
            line,
            (
                f'<path {_look("line", number)} stroke-width="2" d="M{x:.1f} {y}h30"/>'
                f"{_point(number, x + 15, y, 1)}"
                f'<text x="{x + 36:.1f}" y="{y + 4.5:g}">{escape(label_text)}</text>'
            ),
        )
        x += width


# The figures of the error study as files: SVG, and PNG if matplotlib is installed.
#
# The SVG is the one above: the same everywhere, and with both themes.


# Metrics differ in mark, dashes and width, so that lines that cover each other are visible, and
# colour is never needed. The colours are those of Okabe and Ito, safe for colour blindness.
class Strokes(NamedTuple):
    """The lines and marks of metrics in a figure of matplotlib, in turn, and their sizes."""

    colours: Sequence[str]
    dashes: Sequence[Any]
    marks: Sequence[str]
    widths: tuple[float, float]  # of a line in pt: the least, and the growth towards lower lines
    sizes: tuple[float, float]  # of a mark in pt, likewise
    grid: str  # the colour of the grid
    ticks: int | str = "auto"  # the most numbers along the axis


_STROKES = Strokes(
    ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"),
    ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2))),
    ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">"),
    widths=(1.4, 0.9),
    sizes=(5, 1.6),
    grid="#dddddd",
)


def draw_shares(
    axes: Axes,
    rows: Sequence[Row],
    error: str,
    strokes: Strokes,
    name: Callable[[str], str] = str,
    **marks: Any,
) -> None:
    """Draw the shares of one type of error, a line a metric under its `name`, by matplotlib.

    `marks` are further properties of marks.
    """
    ticker = import_extra("matplotlib.ticker", what="drawing figures", extra="figures")
    metrics = list(dict.fromkeys(row.metric.label for row in rows))
    last = len(metrics) - 1
    for number, label in enumerate(metrics):
        points = sorted((r.n, r.share) for r in rows if (r.metric.label, r.error) == (label, error))
        # Lines and marks get smaller, so that one on top leaves a rim of those below.
        rim = min(last, 4) * (last - number) / max(last, 1)
        axes.plot(
            [n for n, _ in points],
            [share for _, share in points],
            label=name(label),
            color=strokes.colours[number % len(strokes.colours)],
            linestyle=strokes.dashes[number % len(strokes.dashes)],
            linewidth=strokes.widths[0] + strokes.widths[1] * rim,
            marker=strokes.marks[number % len(strokes.marks)],
            markersize=strokes.sizes[0] + strokes.sizes[1] * rim,
            markerfacecolor="white",
            clip_on=False,  # marks at 0 are whole
            zorder=3,
            **marks,
        )
    axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True, nbins=strokes.ticks))
    axes.yaxis.set_major_formatter(ticker.PercentFormatter(xmax=1, decimals=None))
    axes.set_ylim(bottom=0, auto=True)
    axes.grid(color=strokes.grid, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def draw_figure(rows: Sequence[Row], error: str) -> Figure:
    """Draw the share of references with an error by each metric, against n or m, by matplotlib.

    Raises `MissingExtraError` when matplotlib is not installed.
    """
    purpose = "drawing figures"
    figure: Figure = import_extra("matplotlib.figure", what=purpose, extra="figures").Figure(
        figsize=(6.4, 4.0), layout="constrained"
    )
    axes = figure.add_subplot()
    draw_shares(axes, rows, error, _STROKES, markeredgewidth=1.4)
    axes.set_title(TITLES[error])
    axes.set_xlabel(AXES[rows[0].by][1])
    axes.set_ylabel("references that the metric errs on")
    if (count := len(axes.lines)) > 5:
        figure.legend(frameon=False, handlelength=4, loc="outside lower center", ncols=2)
        figure.set_figheight(4.0 + 0.12 * count)
    else:
        axes.legend(frameon=False, handlelength=4)
    return figure


def write_figures(rows: Sequence[Row], folder: Path) -> None:
    """Write one figure per error type, as SVG and as PNG; the same rows give the same bytes.

    The names of figures by segments end in `-by-segments`.

    Raises `MissingExtraError` when matplotlib is not installed; the SVG files are written before.
    """
    errors = list(dict.fromkeys(row.error for row in rows))
    suffix = suffix_of(rows)
    for error in errors:
        with write_whole(folder / f"{error}{suffix}.svg") as out:
            out.write(draw_svg(rows, error))
    mpl = import_extra("matplotlib", what="drawing PNG figures", extra="figures")
    # Independent of the settings of the user.
    with mpl.rc_context():
        mpl.rcdefaults()
        for error in errors:
            pixels = io.BytesIO()
            draw_figure(rows, error).savefig(pixels, format="png", dpi=150)
            with write_whole(folder / f"{error}{suffix}.png", binary=True) as out:
                out.write(pixels.getvalue())


def suffix_of(rows: Sequence[Row]) -> str:
    """Return the end of the names of files of rows, without their endings."""
    return "-by-segments" if rows and rows[0].by == "segments" else ""


_MEANING = {
    "cross": "One hypothesis shifts a boundary softly; the other moves one as far, over exactly "
    "one neighbour.",
    "vanishing": "One hypothesis shifts a boundary softly; the other shifts the same one farther.",
    "constant-cost": "One hypothesis shifts a boundary softly; the other shifts one as far, and "
    "hard.",
}


def shares_table(rows: Sequence[Row], look: Look) -> Table:
    """Return the shares as a table: in groups by error type, one row per number of units."""
    metrics = list(dict.fromkeys(row.metric.label for row in rows))
    shares = {(row.error, row.n, row.metric.label): row for row in rows}
    letter = AXES[rows[0].by][0]
    table = Table(["error", letter, "references", *metrics], right={1, 2}, grouped=True)
    for error, n in dict.fromkeys((row.error, row.n) for row in rows):
        row_shares = [shares[error, n, metric] for metric in metrics]
        figures = [Share(row.share, better="lower") for row in row_shares]
        best = best_of(figures, look)
        cells = [figure.cell(look, best=k in best) for k, figure in enumerate(figures)]
        table.rows.append([error, str(n), f"{row_shares[0].references:,}", *cells])
    return table


def study_page(rows: Sequence[Row], *, signature: str = "") -> str:
    """Return the page of an error study as HTML, the same for the same rows.

    The rows are as in `bitext.metrics.study.study_errors`; the signature is every choice behind the
    figures.

    Examples
    --------
    >>> from bitext.metrics.study import StudiedMetric
    >>> from bitext.metrics.study import study_errors
    >>> from bitext.metrics.registry import parse_metrics
    >>> html = study_page(study_errors(map(StudiedMetric, parse_metrics(["pk"])), 5, 8))
    >>> html.count("<svg"), html.count("<script")
    (3, 0)

    """
    errors = list(dict.fromkeys(row.error for row in rows))
    sizes = sorted({row.n for row in rows})
    metrics = list(dict.fromkeys(row.metric.label for row in rows))
    span = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else str(sizes[0])
    by = rows[0].by
    summary = (
        f"For how many references of {span} {by} {len(metrics)} "
        f"metric{'s' * (len(metrics) != 1)} score two hypotheses equally that differ in worth. A "
        "shift is soft when both segments keep a Jaccard index above 1/2, hard when both fall "
        "below."
    )
    sections = [
        Section("figures", "Figures", _figures(rows, errors)),
        Section("shares", "Shares", _shares(rows, errors, metrics, sizes)),
        Section("examples", "Examples", _examples(rows, signature)),
    ]
    look = style() + pages.asset("study_page.css")
    return pages.page("Errors of segmentation metrics", summary, sections, style=look)


def _figures(rows: Sequence[Row], errors: Sequence[str]) -> Iterator[str]:
    yield '<div class="charts">'
    for error in errors:
        yield f"<figure>{draw_svg(rows, error, standalone=False).rstrip()}"
        yield f"<figcaption>{_MEANING.get(error, '')}</figcaption></figure>"
    yield "</div>"


def _shares(
    rows: Sequence[Row], errors: Sequence[str], metrics: Sequence[str], sizes: Sequence[int]
) -> Iterator[str]:
    row_of_cell = {(row.error, row.metric.label, row.n): row for row in rows}
    letter = AXES[rows[0].by][0]
    yield (
        f'<p class="quiet">References that a metric errs on, in per cent of all of {letter} '
        f"{rows[0].by}.</p>"
    )
    for error in errors:
        yield f"<h3>{isolated(TITLES.get(error, error))}</h3>"
        table = Table([letter, *map(str, sizes)], right={*range(1, len(sizes) + 1)})
        for metric in metrics:
            cells = (row_of_cell.get((error, metric, n)) for n in sizes)
            percentages = ("-" if row is None else f"{100 * row.share:.2f}" for row in cells)
            table.rows.append([metric, *percentages])
        yield from pages.table_sheet(table, f"Shares: {error}")


def _examples(rows: Sequence[Row], signature: str) -> Iterator[str]:
    """Yield the smallest reference with an error, for each metric and type."""
    smallest: dict[tuple[str, str], Row] = {}
    for row in sorted(rows, key=lambda row: row.n):
        if row.example is not None:
            smallest.setdefault((row.error, row.metric.label), row)
    yield (
        '<p class="quiet">The smallest reference that a metric errs on, as masses, with two '
        "hypotheses that it scores equally.</p>"
    )
    yield from pages.sheet("Table of examples", _example_rows(rows, smallest))
    if not smallest:
        yield "<p>No metric here errs on any reference.</p>"
    yield f'<p class="quiet">{isolated(DEFINITIONS)}</p>'
    if signature:
        yield f'<p class="quiet signature">{isolated(signature)}</p>'


def _example_rows(rows: Sequence[Row], smallest: dict[tuple[str, str], Row]) -> Iterator[str]:
    yield "<thead><tr>"
    yield '<th scope="col">metric</th><th scope="col" class="text">error</th>'
    yield f'<th scope="col">{AXES[rows[0].by][0]}</th>'
    for name in ("reference", "h1", "h2"):
        yield f'<th scope="col" class="text">{name}</th>'
    yield "</tr></thead><tbody>"
    requested = list(dict.fromkeys((row.error, row.metric.label) for row in rows))
    for error, label in (key for key in requested if key in smallest):
        row = smallest[error, label]
        masses = "".join(
            f'<td class="text">{isolated(", ".join(map(str, side)))}</td>'
            for side in row.example or ()
        )
        yield (
            f'<tr><th scope="row">{isolated(label)}</th><td class="text">{error}</td>'
            f"<td>{row.n}</td>{masses}</tr>"
        )
    yield "</tbody>"


# The figures of the paper on A: the pairs of segmentations drawn, with their similarities.


def published_table(style: str) -> Table:
    """Return the similarities of the published pairs, beside the printed figures."""
    head = ["figure", "reference", "hypothesis", "A", "B", "1-WD"]
    printed = ["A printed", "B printed", "1-WD printed", "equal"]
    table = Table([*head, *printed], right={3, 4, 5, 6, 7, 8})
    for pair in PUBLISHED:
        found = similarities(pair.reference, pair.hypothesis)
        values = [repr(float(v)) if style == "tsv" else f"{float(v):.4f}" for v in found]
        masses = (",".join(map(str, side)) for side in (pair.reference, pair.hypothesis))
        equal = "yes" if pair.agrees(found) else "no"
        cells = [f"{pair.figure}{pair.letter}", *masses, *values]
        table.rows.append([*cells, str(pair.a), str(pair.b), str(pair.wd), equal])
    return table


def published_svg(pair: PublishedPair, *, standalone: bool = True) -> str:
    """Draw a published pair: both segmentations, the edges of A, and the boundaries that differ."""
    return draw(
        _shown(pair),
        references=["reference"],
        systems=["hypothesis"],
        shift=1,
        standalone=standalone,
    )


def _shown(pair: PublishedPair) -> ShownText:
    sides = Segmentation(pair.reference), Segmentation(pair.hypothesis)
    return ShownText(pair.name, sides[:1], sides[1:])


def published_page(signature: str) -> str:
    """Return the page of the published pairs as HTML."""
    sections = [
        Section("values", "Figures as numbers", _published_values(signature)),
        Section("strips", "Figures", _published_figures()),
    ]
    summary = (
        f"{len(PUBLISHED)} pairs of segmentations of the paper on A (Ocampo Diaz and Ouyang 2022), "
        "with A, B and 1 - WindowDiff."
    )
    look = drawing_style() + style() + pages.asset("study_page.css")
    return pages.page("Figures 10, 11, 12 and 16", summary, sections, style=look)


def _published_figures() -> Iterator[str]:
    yield (
        '<p class="quiet">Lines join segments that are closest to each other, the stronger the '
        "more they share: 3/5 is three units of five. Dashed: only one of the two is closest.</p>"
    )
    for number in dict.fromkeys(pair.figure for pair in PUBLISHED):
        yield f"<h3>Figure {number}</h3>"
        for pair in (pair for pair in PUBLISHED if pair.figure == number):
            own = similarities(pair.reference, pair.hypothesis)
            name = f"Figure {number}{pair.letter}"
            yield f'<figure class="sheet" tabindex="0" role="region" aria-label="{name}">'
            yield published_svg(pair, standalone=False).rstrip()
            yield (
                f"<figcaption>{number}{pair.letter}: A = {own.a} = {float(own.a):.4f}, "
                f"B = {float(own.b):.2f}, 1 − WindowDiff = {float(own.wd):.2f}</figcaption>"
            )
            yield "</figure>"


def _published_values(signature: str) -> Iterator[str]:
    table = published_table("table")
    yield from pages.table_sheet(table, "Similarities")
    yield from pages.quiet_lines([*(f"erratum: {each}" for each in ERRATA), signature])
