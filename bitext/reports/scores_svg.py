"""Drawings of scores: bars with intervals, F1 by granularity, and the marks of systems.

Every system has a colour and a shape of its own, and its name stands beside it. A drawing has a
title and a description; its numbers stand in the table of the page. Colours are in `scores.css`.
"""

from __future__ import annotations

from html import escape
from math import floor, isnan
from typing import TYPE_CHECKING, NamedTuple

from bitext.reports.lettering import cut, visible
from bitext.reports.scores_data import F1, FIGURES
from bitext.reports.table import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.reports.scores_data import Score, Scores

__all__ = ["COLOURS", "SHAPES", "bars", "lines", "mark"]

COLOURS = 8
# Within a square of 10 around 0 0.
SHAPES = (
    "M0-4.6a4.6 4.6 0 1 0 .01 0z",
    "M-4.1-4.1h8.2v8.2h-8.2z",
    "M0-5.2 5 4h-10z",
    "M0-5.6 5 0 0 5.6-5 0z",
    "M0 5.2 5-4h-10z",
    "M-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
    "M-2.6-4.5h5.2l2.6 4.5-2.6 4.5h-5.2l-2.6-4.5z",
    "M0-5.6 1.5-1.7 5.4-1.7 2.4.8 3.4 4.8 0 2.4-3.4 4.8-2.4.8-5.4-1.7-1.5-1.7z",
)

_WIDTH = 400
_TEXT = 11  # font size, as in the style
_ROW, _HEAD, _TOP = 19, 22, 8
_NAMES, _VALUES = 112, 48
_PLOT = _WIDTH - _NAMES - _VALUES
_LEFT, _RIGHT, _INSIDE, _FLOOR = 32, 112, 18, 250  # of the lines
_LABEL = 14


def mark(system: int, x: float = 0, y: float = 0) -> str:
    """Return the shape of a system; from the ninth on shapes and colours repeat, hollow.

    Examples
    --------
    >>> mark(1, 3, 4)
    '<path class="s1" transform="translate(3 4)" d="M-4.1-4.1h8.2v8.2h-8.2z"/>'

    """
    turn, k = divmod(system, COLOURS)
    hollow = " hollow" if turn % 2 else ""
    return f'<path class="s{k}{hollow}" transform="translate({x:g} {y:g})" d="{SHAPES[k]}"/>'


def _named(scores: Scores, system: int, room: float) -> str:
    return escape(cut(visible(scores.systems[system]), room / _TEXT))


def _opening(name: str, title: str, told: str, height: float) -> Iterator[str]:
    yield (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-told">'
    )
    yield f'<title id="{name}-title">{escape(title)}</title>'
    yield f'<desc id="{name}-told">{escape(told)}</desc>'


def bars(scores: Scores, figure: int, *, name: str = "") -> str:
    """Return bars of one figure with their intervals: granularity by granularity, from 0 to 1.

    `name` is what the figure is called where it is none of precision, recall and F1.
    """
    name = name or FIGURES[figure]
    count = len(scores.measures)
    height = _TOP + count * (_HEAD + _ROW * len(scores.systems)) + 22
    told = f"Bars from 0 to 1, one a system, under {', '.join(scores.measures)}."
    out = list(_opening(f"bars-{name}", f"{name} of the systems", told, height))
    foot = height - 18
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x = _NAMES + _PLOT * tick
        out.append(f'<path class="grid" d="M{x:g} {_TOP}V{foot:g}"/>')
        out.append(f'<text class="tick" x="{x:g}" y="{foot + 13:g}">{tick:g}</text>')
    y: float = _TOP
    for measure in scores.measures:
        y += _HEAD
        out.append(f'<text class="head" x="0" y="{y - 6:g}">{escape(measure)}</text>')
        for row in scores.of(measure):
            out += _bar(scores, row, figure, y)
            y += _ROW
    return "".join([*out, "</svg>"])


def _bar(scores: Scores, row: Score, figure: int, y: float) -> Iterator[str]:
    value, low, high, _ = row.figures[figure]
    middle = y + _ROW / 2
    name = _named(scores, row.system, _NAMES - 24)
    yield mark(row.system, 8, middle)
    yield f'<text x="18" y="{middle + 4:g}">{name}</text>'
    if isnan(value):
        yield f'<text class="value" x="{_NAMES + 4}" y="{middle + 4:g}">undefined</text>'
        return
    wide = max(_PLOT * value, 1)
    box = f'x="{_NAMES}" y="{y + 3:g}" width="{wide:.1f}" height="{_ROW - 6}"'
    yield f'<rect class="bar s{row.system % COLOURS}" {box}/>'
    if not isnan(low):
        yield _whisker(_NAMES + _PLOT * low, _NAMES + _PLOT * high, middle)
    shown = f"{number(value, 3)}{row.figures[figure].mark}"
    yield f'<text class="value" x="{_NAMES + _PLOT + 6}" y="{middle + 4:g}">{shown}</text>'


def _whisker(low: float, high: float, y: float) -> str:
    path = f"M{low:.1f} {y - 4:g}v8m0-4H{high:.1f}m0-4v8"
    return f'<path class="halo" d="{path}"/><path class="whisker" d="{path}"/>'


def lines(scores: Scores) -> str:
    """Return F1 against granularity: one line a system, with its intervals and its name."""
    axes = _Axes.of(scores)
    count = len(scores.systems)
    told = (
        f"One line a system over the granularities {', '.join(scores.measures)}; the axis goes "
        f"from {axes.least:g} to 1."
    )
    height = max(_FLOOR + 36, _TOP + _LABEL * count + 8)
    out = [*_opening("lines", "F1 by granularity", told, height), *_grid(scores, axes)]
    ends = []
    rows = {measure: scores.of(measure) for measure in scores.measures}
    for system in range(count):
        # Whiskers of systems stand beside one another, not upon one another.
        aside = (system - (count - 1) / 2) * min(5, 20 / count)
        cells = [rows[measure][system].figures[F1] for measure in scores.measures]
        drawn = [
            (round(axes.x(k) + aside, 1), round(axes.y(cell.value), 1), cell)
            for k, cell in enumerate(cells)
            if not isnan(cell.value)
        ]
        path = " ".join(f"{x:g},{y:g}" for x, y, _ in drawn)
        colour = f"s{system % COLOURS}"
        out.append(f'<polyline class="line {colour} d{system % 4}" points="{path}"/>')
        for x, _, cell in drawn:
            if not isnan(cell.low):
                reach = f"M{x:g} {axes.y(cell.low):.1f}V{axes.y(cell.high):.1f}"
                out.append(f'<path class="reach {colour}" d="{reach}"/>')
        out += [mark(system, x, y) for x, y, _ in drawn]
        if drawn:
            ends.append((drawn[-1][1], drawn[-1][0], system))
    out += _labels(scores, sorted(ends), height - 10)
    return "".join([*out, "</svg>"])


class _Axes(NamedTuple):
    """Where a granularity and a value stand in the drawing of lines."""

    least: float
    step: float

    @classmethod
    def of(cls, scores: Scores) -> _Axes:
        found = [row.figures[F1] for measure in scores.measures for row in scores.of(measure)]
        known = [end for cell in found for end in cell[:3] if not isnan(end)]
        least = min(floor(min(known, default=0) * 10) / 10, 0.9)
        room = _WIDTH - _RIGHT - _LEFT - _INSIDE
        return cls(least, room / max(len(scores.measures) - 1, 1))

    def x(self, k: int) -> float:
        return _LEFT + _INSIDE + k * self.step

    def y(self, value: float) -> float:
        return _TOP + (_FLOOR - _TOP) * (1 - value) / (1 - self.least)


def _grid(scores: Scores, axes: _Axes) -> Iterator[str]:
    for tick in range(10, round(axes.least * 10) - 1, -2 if axes.least < 0.4 else -1):
        y = axes.y(tick / 10)
        yield f'<path class="grid" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT + 6}"/>'
        yield f'<text class="side" x="{_LEFT - 5}" y="{y + 4:.1f}">{tick / 10:g}</text>'
    for k, measure in enumerate(scores.measures):
        # Names side by side would touch: every second one stands lower.
        y = _FLOOR + 16 + 14 * (k % 2)
        yield f'<text class="tick" x="{axes.x(k):.1f}" y="{y:g}">{escape(measure)}</text>'


def _labels(scores: Scores, ends: list[tuple[float, float, int]], last: float) -> Iterator[str]:
    """Name each line at its end; names that would touch are moved apart, and led to."""
    x = _WIDTH - _RIGHT + 20
    places: list[float] = []
    for y, _, _ in ends:
        places.append(max(y, places[-1] + _LABEL if places else y))
    for k in range(len(places) - 1, -1, -1):  # what would stand too low pushes others up
        places[k] = min(places[k], last - _LABEL * (len(places) - 1 - k))
    for place, (y, end, system) in zip(places, ends, strict=True):
        yield f'<path class="lead" d="M{end + 6:.1f} {y:.1f}L{x - 2:g} {place:.1f}"/>'
        yield mark(system, x + 5, round(place, 1))
        name = _named(scores, system, _WIDTH - x - 14)
        yield f'<text x="{x + 13:g}" y="{place + 4:.1f}">{name}</text>'
