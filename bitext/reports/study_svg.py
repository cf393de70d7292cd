"""The figures of the error study as SVG of our own: nothing has to be installed for them.

A line is a metric: the share of references that it errs on, by their number of units. Metrics are
told apart by mark, dashes, width and colour, so lines that cover each other show too, and colour is
never needed.
"""

from __future__ import annotations

from html import escape
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from bitext.reports import pages
from bitext.reports.lettering import cut, em_width, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.metrics.error_study import Row

__all__ = ["TITLES", "draw", "style"]

TITLES = {
    "cross": "Crossing a neighbour scored as a soft shift",
    "vanishing": "A longer shift scored as a shorter, soft one",
    "constant-cost": "A hard shift scored as a soft one of the same length",
}
_COLOURS = 8
_DASHES = ("", "8 4", "2 3", "8 3 2 3")
_MARKS = (
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
_KEY = 20  # a line of the key
_FONT = 13
_LABEL = 34.0  # a metric is cut, in font sizes


class _Axes(NamedTuple):
    """Where numbers of units and shares are drawn."""

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


def draw(rows: Sequence[Row], error: str, *, standalone: bool = True) -> str:
    """Draw the share of references that each metric errs on by one error type, by n.

    Parameters
    ----------
    rows : sequence of Row
        Of the study.
    error : str
        One of its error types.
    standalone : bool
        With its style. Without, it is for a page that has it.

    Returns
    -------
    str
        The same for the same rows.

    Examples
    --------
    >>> from bitext.metrics.error_metrics import StudiedMetric
    >>> from bitext.metrics.error_study import study_errors
    >>> from bitext.metrics.named import parse_metrics
    >>> svg = draw(study_errors(map(StudiedMetric, parse_metrics(["pk"])), 5, 8), "vanishing")
    >>> svg.count('class="point'), svg.count("<title")
    (5, 5)

    """
    mine: dict[str, list[Row]] = {}
    for row in rows:
        if row.error == error:
            mine.setdefault(row.metric.label, []).append(row)
    every = [row for family in mine.values() for row in family]
    step, ticks = _shares(max(row.share for row in every))
    axes = _Axes(min(row.n for row in every), max(row.n for row in every), ticks * step)
    keys = list(_key(list(mine)))
    height = _TOP + _PLOT + 58 + _KEY * max((line for line, _ in keys), default=0) + _KEY
    told = escape("; ".join(_told(label, family) for label, family in mine.items()))
    title, name = escape(TITLES.get(error, error)), f"study-{error}"
    size = f'width="{_WIDTH}" height="{height}"'
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="study" {size} '
            f'viewBox="0 0 {_WIDTH} {height}" role="img" '
            f'aria-labelledby="{name}-title" aria-describedby="{name}-desc">'
        ),
        f'<title id="{name}-title">{title}</title><desc id="{name}-desc">{told}</desc>',
        f"<style>{style()}</style>" if standalone else "",
        f'<rect class="ground" {size}/>',
        f'<text class="name" x="12" y="22">{title}</text>',
        '<text class="tick" x="12" y="41">references that the metric errs on</text>',
        *_grid(axes, step, ticks),
        (
            f'<text class="tick" x="{(_LEFT + _WIDTH - _RIGHT) / 2:g}" y="{_TOP + _PLOT + 42}" '
            'text-anchor="middle">units of the reference, n</text>'
        ),
    ]
    last = len(mine) - 1
    for number, (label, family) in enumerate(mine.items()):
        # What is drawn upon others leaves a rim of them.
        rim = min(last, 4) * (last - number) / max(last, 1)
        parts += _line(label, sorted(family, key=lambda row: row.n), number, rim, axes)
    parts += [f'<g transform="translate(0 {_TOP + _PLOT + 58})">', *(k for _, k in keys), "</g>"]
    return "\n".join(part for part in [*parts, "</svg>"] if part) + "\n"


def _told(label: str, family: list[Row]) -> str:
    shares = {row.n: f"{row.share:.1%} at n = {row.n}" for row in family}
    ends = " to ".join(shares[n] for n in sorted({min(shares), max(shares)}))
    return f"{visible(label)}: {ends}"


def _shares(most: float) -> tuple[float, int]:
    """Return a round step of shares, and how many of them reach as far as the data."""
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
        told = escape(
            f"{visible(label)}, n = {row.n}: {row.share:.2%} ({row.erring:,} of {row.references:,})"
        )
        yield _point(number, x, y, 1 + 0.3 * rim).replace("/>", f"><title>{told}</title></path>")


def _look(name: str, number: int) -> str:
    dashes = _DASHES[number % len(_DASHES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes and name == "line" else ""
    return f'class="{name} c{number % _COLOURS + 1}"{dashed}'


def _point(number: int, x: float, y: float, size: float) -> str:
    place = f'transform="translate({x:.1f} {y:.1f}) scale({size:.2f})"'
    return f'<path {_look("point", number)} {place} d="{_MARKS[number % len(_MARKS)]}"/>'


def _key(labels: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield what tells the metrics apart, with the line of the key that it stands in."""
    line, x = 0, 12.0
    for number, label in enumerate(labels):
        shown = cut(visible(label), _LABEL)
        width = 52 + em_width(shown) * _FONT
        if x > 12 and x + width > _WIDTH:
            line, x = line + 1, 12.0
        y = line * _KEY + 6
        yield (
            line,
            (
                f'<path {_look("line", number)} stroke-width="2" d="M{x:.1f} {y}h30"/>'
                f"{_point(number, x + 15, y, 1)}"
                f'<text x="{x + 36:.1f}" y="{y + 4.5:g}">{escape(shown)}</text>'
            ),
        )
        x += width
