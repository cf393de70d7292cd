"""The marks of boundaries in pictures of segmentations: on the strips, and in the line of errors.

Each kind has a shape of its own: a dot, a hollow triangle, a cross, an arrow, a diamond.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from bitext.reports.lettering import em_width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.reports.segmentation_data import BoundaryError, Compared

__all__ = ["SHAPES", "SIZES", "Span", "boundary_marks", "cuts", "swatch"]

# Heights, which the script of the page has to know too.
SIZES = {"axis": 20, "head": 18, "votes": 36, "thin": 12, "strip": 28, "edges": 52, "errors": 36}
SIZES |= {"pad": 16, "gap": 6}
SHAPES = {
    "right": "M-3 0A3 3 0 1 0 3 0A3 3 0 1 0 -3 0Z",
    "missing": "M-6 -5H6L0 6Z",
    "extra": "M-5 -5L5 5M-5 5L5 -5",
    "shifted": "M-3 0A3 3 0 1 0 3 0A3 3 0 1 0 -3 0Z",
    "retyped": "M0 -6L6 0L0 6L-6 0Z",
}


class Span(NamedTuple):
    """A row: the units `first` to `last`, and how wide one of them is."""

    first: int
    last: int
    scale: float

    def x(self, place: float) -> float:
        """Return where a place is drawn."""
        return SIZES["pad"] + (place - self.first) * self.scale

    def inside(self, place: int) -> bool:
        """Tell whether the row shows a boundary; one between two rows ends the first of them."""
        return self.first < place <= self.last


def swatch(kind: str) -> str:
    """Return a small picture of the mark of a kind, for a key."""
    arrow = '<path class="mark shifted" d="M11 8H24M20 4L24 8L20 12"/>' if kind == "shifted" else ""
    x = 8 if arrow else 14
    return (
        '<svg class="strips" width="28" height="16" aria-hidden="true">'
        f'<path class="mark {kind}" transform="translate({x} 8)" d="{SHAPES[kind]}"/>{arrow}</svg>'
    )


def cuts(span: Span, found: Compared, y: float, high: int, *, gold: bool) -> Iterator[str]:
    """Yield the boundaries of one side as lines on its strip."""
    places = [("right", place) for place in found.matches]
    for error in found.errors:
        place = error.gold if gold else error.hyp
        if place is not None:
            places.append((error.kind, place))
    for kind, place in places:
        if span.inside(place):
            yield f'<path class="cut {kind}" d="M{span.x(place):.1f} {y:g}v{high}"/>'


def boundary_marks(span: Span, found: Compared, y: float) -> Iterator[str]:
    """Yield the marks of all boundaries, errors with their names where there is room."""
    for place in found.matches:
        if span.inside(place):
            yield f'<path class="mark right" transform="translate({span.x(place):.1f} {y + 8:g})" '
            yield f'd="{SHAPES["right"]}"><title>right, after unit {place}</title></path>'
    mine = [error for error in found.errors if span.inside(error.place)]
    # An error is named in full where the next one leaves the room.
    last = span.x(span.last) + 2 * SIZES["pad"]
    ends = [*(span.x(error.place) for error in mine[1:]), *([last] if mine else [])]
    before = 0.0
    for error, end in zip(mine, ends, strict=True):
        x, far = (span.x(p if p is not None else error.place) for p in (error.gold, error.hyp))
        yield _mark(error, x if error.gold is not None else far, far, y + 8)
        middle = (x + far) / 2
        full, short = error.name, f"{error.shift:+d}" if error.shift else ""
        room = 2 * min(middle - before, end - middle) - 8
        name = next((told for told in (full, short) if told and em_width(told) * 11 < room), "")
        if name:
            before = middle + em_width(name) * 5.5
            yield (
                f'<text class="named {error.kind}" x="{middle:.1f}" y="{y + 28:g}">'
                f"{escape(name)}</text>"
            )


def _mark(error: BoundaryError, x: float, far: float, y: float) -> str:
    shape = f'<path transform="translate({x:.1f} {y:g})" d="{SHAPES[error.kind]}"/>'
    if error.kind == "shifted":
        way = 1 if far > x else -1
        shape += (
            f'<path d="M{x + 3 * way:.1f} {y:g}H{far:.1f}m{-4 * way} -4L{far:.1f} {y:g}'
            f'l{-4 * way} 4"/>'
        )
    told = escape(f"{error.name}, after unit {error.place}")
    return f'<g class="mark {error.kind}"><title>{told}</title>{shape}</g>'
