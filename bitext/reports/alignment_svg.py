"""The beginning of an alignment as a picture: two columns of segments, a line each, and ribbons.

Classes: `pairs` (all), `seg` (a segment), `ribbon` and `sign`, both with `agreed`, `partly`,
`missed` or `wrong` (`plain` where nothing is compared), and with `gold` or `own`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.reports import pages
from bitext.reports.alignment_data import KINDS, harmless, kind_name, sign_of
from bitext.reports.alignment_order import places
from bitext.reports.lettering import cut, em_width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.kernels.rows import Rows
    from bitext.reports.alignment_data import Overlaid, System
    from bitext.reports.alignment_ground import Shown

__all__ = ["ROWS", "draw"]

ROWS = 30  # that are drawn
_ROW = 26.0  # its height
_SEG = 22.0
_COLUMN = 390.0
_GUTTER = 150.0
_WIDTH = 2 * _COLUMN + _GUTTER
_FONT = 12.5
_HUB = 5.0  # half the height at which the arms of a discontinuous bisegment meet
_TOLD = 300  # characters in a tooltip
_LANES = {"a": 0.5, "g": 0.3, "h": 0.7}


class _Picture(NamedTuple):
    found: Overlaid
    at: tuple[list[float], list[float]]  # the row of each segment
    rows: int


def draw(found: Overlaid, *, hyp: int = 0, rows: int = ROWS) -> str:
    """Return the first rows of an alignment as an SVG document with its style.

    Parameters
    ----------
    found : Overlaid
    hyp : int
        The hypothesis that is laid over the gold standard, counted from 1; 0 for none.
    rows : int
        So many rows at most.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> from bitext.reports.alignment_data import overlaid
    >>> gold = Bitext(Text(["a", "b"]), Text(["c"]), Alignment([((0, 1), (0,))]))
    >>> svg = draw(overlaid(gold, {"ours": Alignment([((0,), (0,))])}), hyp=1)
    >>> svg.count('class="seg'), svg.count('class="ribbon partly')
    (3, 2)

    """
    src, tgt = places(found.levels, found.src.size, found.tgt.size)
    used = int(max(src.max(initial=-1), tgt.max(initial=-1))) + 1
    picture = _Picture(found, (src.tolist(), tgt.tolist()), min(rows, used))
    height = picture.rows * _ROW + 8
    told = f"The first {picture.rows} of {used:,} rows" if used > picture.rows else "All rows"
    name = f"{told} of an alignment, ribbons between the sentences of two texts"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pairs" viewBox="0 0 {_WIDTH:g} '
        f'{height:g}" width="{_WIDTH:g}" height="{height:g}" role="img" aria-label="{name}">'
    )
    return "\n".join(
        [
            head,
            f"<title>{name}</title>",
            f"<style>{pages.asset('alignment_svg.css')}</style>",
            _patterns(),
            f'<rect class="ground" width="{_WIDTH:g}" height="{height:g}"/>',
            *_ribbons(picture, hyp),
            *_segments(picture, found.src, 0),
            *_segments(picture, found.tgt, 1),
            "</svg>",
            "",
        ]
    )


def _patterns() -> str:
    parts = "".join(
        f'<pattern id="bitext-{kind}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><path class="hatch {kind}" d="{lines}"/></pattern>'
        for kind, lines in (("wrong", "M0 0V6"), ("partly", "M0 0V6M0 0H6"))
    )
    return f"<defs>{parts}</defs>"


def _top(row: float) -> float:
    return 4 + row * _ROW


def _segments(picture: _Picture, side: Shown, k: int) -> Iterator[str]:
    x = k * (_COLUMN + _GUTTER)
    for m, row in enumerate(picture.at[k]):
        if row >= picture.rows:
            return
        name = cut(harmless(side.ids[m], 60), 8)
        room = _COLUMN / _FONT - em_width(name) - 2.2
        text = "" if side.texts is None else harmless(side.texts[m], _TOLD)
        y = _top(row)
        yield (
            f"<g><title>{escape(text or name)}</title>"
            f'<rect class="seg" x="{x:g}" y="{y:g}" width="{_COLUMN:g}" height="{_SEG:g}"/>'
            f'<text x="{x + 6:g}" y="{y + _SEG / 2:g}"><tspan class="id">{escape(name)}</tspan> '
            f"{escape(cut(text, room))}</text></g>"
        )


def _ribbons(picture: _Picture, hyp: int) -> Iterator[str]:
    """Yield the ribbons, and above them the signs."""
    found = picture.found
    chosen = [(0, found.kinds[hyp - 1][0] if hyp else "")]
    chosen += [(hyp, found.kinds[hyp - 1][1])] if hyp else []
    signs: list[str] = []
    for number, letters in chosen:
        system, at = found.systems[number], found.order(number)
        for k in np.flatnonzero(at < picture.rows).tolist():
            kind = letters[k] if letters else ""
            if number and kind == "a":
                continue
            lane = _LANES["a" if kind in {"", "a"} else "h" if number else "g"]
            outline, (x, y) = _outline(picture, system, k, lane)
            look = f"{KINDS.get(kind, 'plain')} {'own' if number or not kind else 'gold'}"
            name = f"{kind_name(kind, gold=not number)} " if kind else ""
            yield (
                f'<path class="ribbon {look}" d="{outline}"><title>{name}{system.types[k]}</title>'
                "</path>"
            )
            if kind:
                sign = sign_of(kind, gold=not number)
                signs.append(
                    f'<circle class="under" cx="{x:.1f}" cy="{y:.1f}" r="8"/>'
                    f'<text class="sign {look}" x="{x:.1f}" y="{y:.1f}">{sign}</text>'
                )
    yield from signs


def _outline(
    picture: _Picture, system: System, k: int, lane: float
) -> tuple[str, tuple[float, float]]:
    """Return the outline of a bisegment as a path, and where its sign stands."""
    runs = [
        _spans(rows, k, at) for rows, at in zip((system.src, system.tgt), picture.at, strict=True)
    ]
    middles = [sum(a + b for a, b in side) / 2 / len(side) if side else None for side in runs]
    left, right = middles
    if len(runs[0]) == 1 and len(runs[1]) == 1 and left is not None and right is not None:
        y = left + (right - left) * lane * lane * (3 - 2 * lane)
        path = _ribbon(_COLUMN, runs[0][0], _COLUMN + _GUTTER, runs[1][0])
        return path, (_COLUMN + lane * _GUTTER, y)
    if left is None or right is None:
        y = (left if right is None else right) or 0.0
        lane = 0.3 if right is None else 0.7
    else:
        y = (left + right) / 2
    x = _COLUMN + lane * _GUTTER
    hub = (y - _HUB, y + _HUB)
    arms = [_ribbon(_COLUMN, run, x, hub) for run in runs[0]]
    arms += [_ribbon(_COLUMN + _GUTTER, run, x, hub) for run in runs[1]]
    return "".join(arms), (x, y)


def _spans(rows: Rows, k: int, at: list[float]) -> list[tuple[float, float]]:
    """Return the upper and lower end of each run of segments that follow one another."""
    spans: list[tuple[float, float]] = []
    last = -2
    for m in rows.row(k).tolist():
        begin, end = _top(at[m]) + 1, _top(at[m]) + _SEG - 1
        if m == last + 1:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((begin, end))
        last = m
    return spans


def _ribbon(x0: float, near: tuple[float, float], x1: float, far: tuple[float, float]) -> str:
    third = (x1 - x0) / 3
    p, q = x0 + third, x1 - third
    (a, b), (c, d) = near, far
    return (
        f"M{x0:g} {a:g}C{p:g} {a:g} {q:g} {c:g} {x1:g} {c:g}"
        f"V{d:g}C{q:g} {d:g} {p:g} {b:g} {x0:g} {b:g}Z"
    )
