"""Figures for papers, drawn with matplotlib: results of systems, agreement, and the error study.

Systems are points with interval bars, in the colours and shapes of the pages, each beside its name:
colour is never needed. Figures have no title, embed their fonts, and are the same for the same
results, byte for byte.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import ceil, floor, isnan
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, import_extra
from bitext.formats.io.output import write_whole
from bitext.metrics.coder_differences import PairAgreement
from bitext.metrics.study import Row
from bitext.reports.lettering import cut, em_width
from bitext.reports.study import AXES, Strokes, draw_shares
from bitext.reports.table import ARROWS, Figure, ResultRow, Results, number, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing


KINDS = ("svg", "pdf", "png")  # by the ending of the file

COLOURS = (  # --s0 to --s7 of scores.css, on a light ground
    "#0058a8", "#9a4a00", "#0b6e63", "#a3004f", "#5b3fa8", "#5a6200", "#55565e", "#8a2b2b",
)  # fmt: skip
_SHAPES = ("o", "s", "^", "D", "v", "P", "H", "*")  # the shapes of the pages, in their order
_INK, _QUIET, _LINE = "#1c1c21", "#55565e", "#d9dae0"
_DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2)))
# Inches, for a text width of 6.3 in: of a column, of all columns at most, of a row, between groups.
_COLUMN, _WIDEST, _ROW, _GAP = 2.4, 6.3, 0.17, 0.12
_TALLEST, _LEAST_ROW = 9.0, 0.12  # inches: a page, for which rows come closer, and how close
_AXIS = 0.42  # inches of the numbers and the name below the axes
_NAME = 24.0  # greatest width of a name, in font sizes
_FONT = 8  # pt
_POINTS = 72  # in an inch
_PNG_DPI = 300
_SETTINGS = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so figures are the same everywhere
    "font.size": _FONT,
    "text.parse_math": False,  # a $ in a name is a $
    "axes.unicode_minus": True,
    "pdf.fonttype": 42,  # TrueType: many publishers refuse Type 3
    "svg.fonttype": "path",
    "svg.hashsalt": "bitext",
    "axes.edgecolor": _QUIET,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _QUIET,
    "ytick.color": _INK,
}


@contextmanager
def _settings() -> Iterator[None]:
    """Draw with our settings alone, whatever those of the user are."""
    mpl = import_extra("matplotlib", what="drawing figures", extra="figures")
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def write_plot(drawing: Drawing, place: str, kind: str) -> None:
    """Write a figure as one of `KINDS`, without dates or versions."""
    unsigned: dict[str, dict[str, Any]] = {
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        "png": {"Software": None},
    }
    content = io.BytesIO()
    with _settings():
        drawing.savefig(content, format=kind, dpi=_PNG_DPI, metadata=unsigned[kind])
    with write_whole(place, binary=True) as out:
        out.write(content.getvalue())


def plot_results(results: Results, *, intervals: bool = True) -> Drawing:
    """Draw the averages of results: by group, one row per system, one column per figure.

    Groups with figures beyond -1 and 1, as of distances, have an axis of their own, below. Raises
    `InputError` when there is no average, and `MissingExtraError` when matplotlib is not installed.
    """
    rows = [row for row in results.rows if row.text is None]
    if not rows:
        raise InputError("there is no average to draw")
    results = replace(results, rows=tuple(rows))
    has_several_averages = len({row.average for row in rows}) > 1
    groups: dict[str, list[ResultRow]] = {}
    for row in rows:
        label = results.label(row) + (f" ({row.average})" if has_several_averages else "")
        groups.setdefault(label, []).append(row)
    systems = list(dict.fromkeys(row.system for row in rows))
    blocks = _blocks(groups)
    heights = [sum(_GAP + _ROW * (1 + len(groups[label])) for label in block) for block in blocks]
    columns = len(results.names)
    names = max(em_width(_drawable(name)) for name in (*systems, *groups)) * _FONT / _POINTS
    width = min(_WIDEST, names + _COLUMN * columns + 0.3)
    below = _AXIS * len(blocks)
    scale = min(max((_TALLEST - below) / sum(heights), _LEAST_ROW / _ROW), 1)
    with _settings():
        figure: Drawing = import_extra(
            "matplotlib.figure", what="drawing figures", extra="figures"
        ).Figure(figsize=(width, scale * sum(heights) + below), layout="constrained")
        grid = figure.subplots(
            len(blocks), columns, squeeze=False, sharey="row", height_ratios=heights
        )
        for axes, block in zip(grid, blocks, strict=True):
            _draw_block(axes, {label: groups[label] for label in block}, systems, intervals)
        for name, axes in zip(results.names, grid[-1], strict=True):
            axes.set_xlabel(name)
    return figure


def _blocks(groups: dict[str, list[ResultRow]]) -> list[list[str]]:
    """Return the groups that share an axis: shares together, and any other by itself."""
    shares: list[str] = []
    others: list[str] = []
    for label, rows in groups.items():
        values = (
            abs(end)
            for row in rows
            for figure in row.figures
            for end in figure[:3]
            if not isnan(end)
        )
        (shares if max(values, default=0) <= 1 else others).append(label)
    return [block for block in (shares, *([label] for label in others)) if block]


def _draw_block(
    columns: Sequence[Axes],
    groups: dict[str, list[ResultRow]],
    systems: Sequence[str],
    intervals: bool,
) -> None:
    heads: list[float] = []
    places: list[tuple[float, ResultRow]] = []
    y = 0.0
    for rows in groups.values():
        heads.append(y)
        places += [(y + _ROW * n, row) for n, row in enumerate(rows, start=1)]
        y += _ROW * (1 + len(rows)) + _GAP
    for k, axes in enumerate(columns):
        for place, row in places:
            _draw_point(axes, place, row.figures[k], systems.index(row.system), intervals)
        axes.set_ylim(y - _GAP - _ROW / 3, -_ROW / 2)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=_LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        for head in heads[1:]:
            axes.axhline(head - (_ROW + _GAP) / 2, color=_LINE, linewidth=0.6, zorder=0.5)
    _set_range(columns, [row for _, row in places], intervals)
    labels = [_drawable(name) for name in groups] + [_drawable(row.system) for _, row in places]
    columns[0].set_yticks([*heads, *(place for place, _ in places)], labels)
    for label in columns[0].get_yticklabels()[: len(heads)]:
        label.set_fontweight("bold")


def _draw_point(axes: Axes, y: float, figure: Figure, system: int, intervals: bool) -> None:
    if isnan(figure.value):
        transform = axes.get_yaxis_transform()
        axes.text(0.02, y, "undefined", color=_QUIET, va="center", fontsize=7, transform=transform)
        return
    turn, k = divmod(system, len(COLOURS))
    has_interval = intervals and not isnan(figure.low)
    if has_interval:
        axes.plot([figure.low, figure.high], [y, y], color=COLOURS[k], linewidth=1.3, zorder=2)
        axes.plot([figure.low, figure.high], [y, y], "|", color=COLOURS[k], markersize=5, zorder=2)
    axes.plot(
        [figure.value],
        [y],
        _SHAPES[k],
        markersize=7 if _SHAPES[k] == "*" else 4.6,
        color=COLOURS[k],
        markerfacecolor="white" if turn % 2 else COLOURS[k],
        clip_on=False,  # marks at the ends of the axis are whole
        zorder=3,
    )
    if figure.mark:
        place = (max(figure.value, figure.high) if has_interval else figure.value, y)
        axes.annotate(
            figure.mark,
            place,
            (4, -1),
            textcoords="offset points",
            va="center_baseline",
            annotation_clip=False,
        )


def _set_range(columns: Sequence[Axes], rows: Sequence[ResultRow], intervals: bool) -> None:
    """Give the columns one range: round numbers around all figures, and no further than 1."""
    values = [
        value
        for row in rows
        for figure in row.figures
        for value in (figure[:3] if intervals else figure[:1])
        if not isnan(value)
    ]
    lowest, highest = min(values, default=0.0), max(values, default=1.0)
    step = 0.1 if highest <= 1 else max((highest - lowest) / 5, 1e-9)
    low, high = floor(lowest / step + 1e-9) * step, ceil(highest / step - 1e-9) * step
    if high - low < 2 * step:
        low, high = (low - step, high) if high >= 1 else (low, high + step)
    padding = 0.02 * (high - low)
    for axes in columns:
        axes.set_xlim(low - padding, high + padding)


def _drawable(name: str) -> str:
    """Return a name in letters that the font has; those from right to left are transliterated."""
    return cut("".join(map(_drawable_character, printable(name))), _NAME)


def _drawable_character(character: str) -> str:
    if character.isascii():
        return character
    manager = import_extra("matplotlib.font_manager", what="drawing figures", extra="figures")
    font = manager.get_font(manager.findfont("DejaVu Sans"))
    right_to_left = unicodedata.bidirectional(character) in {"R", "AL"}
    if font.get_char_index(ord(character)) and not right_to_left:
        return character
    from anyascii import anyascii

    return anyascii(character)


# Inches of a cell of a matrix, at most and at least: wide enough for its figure.
_CELL, _LEAST_CELL = 0.52, 0.34
_LEAST_SHADE, _MOST_SHADE = "#fafcfe", "#94b9db"  # as on the pages, so that figures stay readable


def plot_matrices(coders: Sequence[str], matrices: Sequence[Sequence[PairAgreement]]) -> Drawing:
    """Draw the agreement of pairs of coders, for each metric as a matrix shaded by its figures.

    Raises `MissingExtraError` when matplotlib is not installed.
    """
    names = [_drawable(coder) for coder in coders]
    margin = max(map(em_width, names)) * _FONT / _POINTS + 0.2
    cell = min(_CELL, max((_WIDEST - margin) / len(names), _LEAST_CELL))
    side = cell * len(names)
    with _settings():
        figure: Drawing = import_extra(
            "matplotlib.figure", what="drawing figures", extra="figures"
        ).Figure(
            figsize=(margin + side, (0.35 + margin + side * 0.8) * len(matrices)),
            layout="constrained",
        )
        grid = figure.subplots(len(matrices), 1, squeeze=False)[:, 0]
        for axes, pairs in zip(grid, matrices, strict=True):
            _draw_matrix(axes, names, pairs)
    return figure


def _draw_matrix(axes: Axes, names: Sequence[str], pairs: Sequence[PairAgreement]) -> None:
    colours = import_extra("matplotlib.colors", what="drawing figures", extra="figures")
    shades = colours.LinearSegmentedColormap.from_list("shades", [_LEAST_SHADE, _MOST_SHADE])
    patches = import_extra("matplotlib.patches", what="drawing figures", extra="figures")
    for pair in pairs:
        share = pair.value if pair.better == "higher" else 1 - pair.value
        colour = "white" if isnan(share) else shades(min(max(share, 0.0), 1.0))
        place = (pair.other, pair.coder)
        axes.add_patch(patches.Rectangle(place, 1, 1, facecolor=colour, edgecolor="white"))
        axes.text(
            pair.other + 0.5, pair.coder + 0.5, number(pair.value, 2), ha="center", va="center"
        )
    size = len(names)
    axes.set_xlim(0, size)
    axes.set_ylim(size, 0)
    ticks = [k + 0.5 for k in range(size)]
    slanted = max(map(len, names)) > _LONGEST_UPRIGHT
    axes.set_xticks(
        ticks, names, rotation=40 if slanted else 0, ha="right" if slanted else "center"
    )
    axes.set_yticks(ticks, names)
    axes.tick_params(length=0, labelcolor=_INK)
    axes.spines[:].set_visible(False)
    axes.set_title(f"{pairs[0].label} {ARROWS[pairs[0].better]}", fontsize=_FONT, fontweight="bold")


_LONGEST_UPRIGHT = 6  # letters of a name that fit above a column


def plot_study(rows: Sequence[Row]) -> Drawing:
    """Draw the shares of references that metrics err on, against n or m: one column per error type.

    Raises `MissingExtraError` when matplotlib is not installed.
    """
    errors = list(dict.fromkeys(row.error for row in rows))
    metrics = len({row.metric.label for row in rows})
    strokes = Strokes(COLOURS, _DASHES, _SHAPES, (1.1, 0.6), (3.4, 0.8), grid=_LINE, ticks=6)
    with _settings():
        figure: Drawing = import_extra(
            "matplotlib.figure", what="drawing figures", extra="figures"
        ).Figure(figsize=(_WIDEST, 2.3 + 0.18 * ceil(metrics / 3)), layout="constrained")
        grid = figure.subplots(1, len(errors), squeeze=False)[0]
        for letter, error, axes in zip("abc", errors, grid, strict=False):
            # The first axes name the metrics for all.
            name = _drawable if error == errors[0] else lambda _: "_"
            draw_shares(axes, rows, error, strokes, name)
            axes.set_xlabel(f"{AXES[rows[0].by][1]}\n({letter}) {error}")
        grid[0].set_ylabel("references with an error")
        figure.legend(frameon=False, handlelength=4, loc="outside upper center", ncols=3)
    return figure
