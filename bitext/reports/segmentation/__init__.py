"""Segmentations as a picture: strips over one axis, edges between them, errors named.

From above: the axis of units; for several references the votes, in the windows of WiSeBE (with a
solid frame where the hypothesis has a boundary inside); the other references; the reference, and
the hypothesis under it, with the edges of their segment alignment between them. An edge is stronger
for a higher Jaccard index of its segments (`overlap/union` in numbers), and dashed where only one
of the two chose the other. Below are the errors, and the other hypotheses. A text too long for one
row continues in the next.

Classes: `strips` (all), `seg`, `edge`, `window`, `vote`, `cut` (a boundary on a strip) and `mark`
(the same below), the last two with `right`, `missing`, `extra`, `shifted` or `retyped`. Each kind
has a shape of its own: a dot, a hollow triangle, a cross, an arrow, a diamond.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from bitext.errors import InputError, many
from bitext.metrics.coder_differences import Disagreement, kinds_in_words
from bitext.metrics.segmentation.boundary_edits import BoundaryEdits, boundary_edits
from bitext.metrics.segmentation.references import WisebeScore, wisebe
from bitext.metrics.segmentation.segment_alignment import Edge, segment_alignment
from bitext.model import Segmentation
from bitext.reports import pages
from bitext.reports.lettering import cut, em_width, visible

# The data of pictures of segmentations: a text, its segmentations, and their differences.
#
# The page, the drawing and the lines for a terminal share these classes, so that they agree. An
# error is one of four kinds: a boundary is *missing* in the hypothesis, *extra* in it, *shifted* by
# some units, or of *another type*.

KINDS = ("missing", "extra", "shifted", "retyped")
KIND_NAMES = {**dict(zip(KINDS, KINDS, strict=True)), "retyped": "of another type"}
MOST_OF_NAME = 60  # characters of a name in narrow places
MOST_OF_UNIT = 300  # characters of a unit
_SIDES = ("gold", "hyp", "both")
_TYPE = 40  # characters of a type


class BoundaryError(NamedTuple):
    """A boundary that differs."""

    kind: str  # one of `KINDS`
    gold: int | None  # its position in the reference
    hyp: int | None  # its position in the hypothesis
    type: str = ""  # its type, `a → b` where the hypothesis has another type; empty without types

    @property
    def place(self) -> int:
        """The position in the reference, or of an extra boundary in the hypothesis."""
        return self.gold if self.gold is not None else self.hyp or 0

    @property
    def shift(self) -> int:
        """The shift in the hypothesis in units, negative for earlier."""
        return 0 if self.gold is None or self.hyp is None else self.hyp - self.gold

    @property
    def name(self) -> str:
        """The error in words.

        Examples
        --------
        >>> BoundaryError("shifted", 5, 7).name, BoundaryError("extra", None, 3, "2").name
        ('shifted by +2', 'extra (type 2)')

        """
        by = f" by {self.shift:+d}" if self.kind == "shifted" else ""
        return KIND_NAMES[self.kind] + by + (f" (type {self.type})" if self.type else "")


class Compared(NamedTuple):
    """A hypothesis against a reference."""

    edges: list[Edge]  # the segment alignment, from left to right
    matches: list[int]  # the boundaries that both sides have
    errors: list[BoundaryError]  # the other boundaries, from left to right

    def to_json(self) -> dict[str, Any]:
        """Return lists of numbers for JSON: five an edge, three and a type an error.

        The segments of an edge, and the common boundaries, are differences from those before: small
        numbers make small files.
        """
        numbers, gold, hyp = [], 0, 0
        for e in self.edges:
            side = _SIDES.index(e.chosen_by)
            numbers += [e.gold - gold, e.hyp - hyp, e.overlap, e.union, side]
            gold, hyp = e.gold, e.hyp
        right = [place - before for before, place in pairwise([0, *self.matches])]
        errors = [[KINDS.index(e.kind), e.gold, e.hyp, e.type] for e in self.errors]
        return {"edges": numbers, "right": right, "errors": errors}


def compared(gold: Segmentation, hyp: Segmentation, *, shift: int = 1) -> Compared:
    """Align the segments of two segmentations, and name the boundaries that differ.

    Both segmentations have the same units. Types of boundaries are compared where both sides have
    some. A boundary is shifted if the other side has it at most `shift` units away.

    Examples
    --------
    >>> result = compared(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 4]), shift=2)
    >>> [error.name for error in result.errors], result.matches, len(result.edges)
    (['shifted by +2', 'missing'], [10], 4)

    """
    edits = edits_between(gold, hyp, shift=shift)
    errors = [
        BoundaryError("missing", e.position, None, _type(e.type))
        if e.side == "gold"
        else BoundaryError("extra", None, e.position, _type(e.type))
        for e in edits.additions
    ]
    errors += [BoundaryError("shifted", e.gold, e.hyp, _type(e.type)) for e in edits.transpositions]
    errors += [
        BoundaryError("retyped", e.position, e.position, f"{_type(e.gold)} → {_type(e.hyp)}")
        for e in edits.substitutions
    ]
    errors.sort(key=lambda error: (error.place, KINDS.index(error.kind)))
    # A boundary of two types may match twice, but is one place.
    matches = sorted({match.position for match in edits.matches})
    return Compared(segment_alignment(gold, hyp).edges, matches, errors)


def edits_between(gold: Segmentation, hyp: Segmentation, *, shift: int) -> BoundaryEdits:
    """Return the edits of boundaries, with types where both sides have some.

    A boundary is shifted if the other side has it at most `shift` units away.
    """
    if None in (gold.types, hyp.types):
        gold, hyp = Segmentation(gold.masses), Segmentation(hyp.masses)
    return boundary_edits(gold, hyp, max_transposition=shift)


def _type(value: object) -> str:
    return "" if value is None else visible(str(value)[:_TYPE])


def counted(comparison: Compared) -> str:
    """Count the errors of each kind, in words.

    Examples
    --------
    >>> counted(compared(Segmentation([2, 4]), Segmentation([2, 2, 2])))
    '1 extra, 1 right'

    """
    counts = Counter(error.kind for error in comparison.errors)
    parts = [f"{counts[kind]:,} {KIND_NAMES[kind]}" for kind in KINDS if counts[kind]]
    return ", ".join([*parts, f"{len(comparison.matches):,} right"])


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text with its segmentations.

    Raises `InputError` when there is no reference, or numbers of units differ.
    """

    name: str
    references: tuple[Segmentation, ...]  # one or more, of the same units
    hyps: tuple[Segmentation, ...]  # any number, likewise
    units: tuple[str, ...] | None = None  # the units, if their characters are known
    # The values of all metrics for each hypothesis, formatted.
    values: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        if not self.references:
            raise InputError(f"text {self.name!r:.60} has no reference: want one or more")
        sizes = {side.n for side in (*self.references, *self.hyps)}
        sizes |= set() if self.units is None else {len(self.units)}
        if len(sizes) > 1:
            raise InputError(
                f"text {self.name!r:.60} has {' and '.join(map(str, sorted(sizes)))} units: want "
                f"references, hypotheses and text of the same units"
            )

    @property
    def n(self) -> int:
        """The number of units."""
        return self.references[0].n

    def votes(self, hyp: int | None = None, *, limit: int = 3) -> WisebeScore | None:
        """Return the votes and windows of several references; `None` without any.

        `hyp` is the hypothesis whose boundaries may hit windows, by default none. `limit` is the
        greatest distance of neighbours in a window, in units.
        """
        if len(self.references) < 2 or all(len(side) == 1 for side in self.references):
            return None
        candidate = Segmentation([self.n]) if hyp is None else self.hyps[hyp]
        return wisebe(self.references, candidate, limit=limit)


class ComparedText(NamedTuple):
    """A text with each of its hypotheses against each of its references."""

    text: ShownText
    pairs: list[list[Compared]]  # one row per reference, one column per hypothesis

    @property
    def wrong(self) -> int:
        """The number of boundaries of all hypotheses that differ from the first reference."""
        return sum(len(found.errors) for found in self.pairs[0])

    @property
    def edges(self) -> int:
        """The number of edges between segments, over all pairs."""
        return sum(len(found.edges) for row in self.pairs for found in row)


def shortened_name(name: str, *, most: int = MOST_OF_NAME) -> str:
    """Return a name, or another text, made harmless and truncated to `most` characters."""
    return visible(name[:most]) + ("…" if len(name) > most else "")


# The marks of boundaries in pictures of segmentations: on the strips, and in the line of errors.
#
# Each kind has its own shape: a dot, a hollow triangle, a cross, an arrow, a diamond.

# Heights, which the script of the page has, too.
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
    """A row of a picture: the units `first` to `last`, and the width of a unit."""

    first: int
    last: int
    scale: float

    def x(self, place: float) -> float:
        """Return the x coordinate of a place."""
        return SIZES["pad"] + (place - self.first) * self.scale

    def inside(self, place: int) -> bool:
        """Check whether the row has a boundary; one between two rows belongs to the first."""
        return self.first < place <= self.last


def swatch(kind: str) -> str:
    """Return a small picture of the mark of a kind, for a key."""
    arrow = '<path class="mark shifted" d="M11 8H24M20 4L24 8L20 12"/>' if kind == "shifted" else ""
    x = 8 if arrow else 14
    return (
        '<svg class="strips" width="28" height="16" aria-hidden="true">'
        f'<path class="mark {kind}" transform="translate({x} 8)" d="{SHAPES[kind]}"/>{arrow}</svg>'
    )


def cuts(span: Span, comparison: Compared, y: float, high: int, *, gold: bool) -> Iterator[str]:
    """Yield the boundaries of one side as lines on its strip."""
    places = [("right", place) for place in comparison.matches]
    for error in comparison.errors:
        place = error.gold if gold else error.hyp
        if place is not None:
            places.append((error.kind, place))
    for kind, place in places:
        if span.inside(place):
            yield f'<path class="cut {kind}" d="M{span.x(place):.1f} {y:g}v{high}"/>'


def boundary_marks(span: Span, comparison: Compared, y: float) -> Iterator[str]:
    """Yield the marks of all boundaries, with the names of errors where they fit."""
    for place in comparison.matches:
        if span.inside(place):
            yield f'<path class="mark right" transform="translate({span.x(place):.1f} {y + 8:g})" '
            yield f'd="{SHAPES["right"]}"><title>right, after unit {place}</title></path>'
    row_errors = [error for error in comparison.errors if span.inside(error.place)]
    # An error has its full name if there is room before the next one.
    last = span.x(span.last) + 2 * SIZES["pad"]
    ends = [*(span.x(error.place) for error in row_errors[1:]), *([last] if row_errors else [])]
    before = 0.0
    for error, end in zip(row_errors, ends, strict=True):
        x, far_x = (span.x(p if p is not None else error.place) for p in (error.gold, error.hyp))
        yield _mark(error, x if error.gold is not None else far_x, far_x, y + 8)
        middle = (x + far_x) / 2
        full_name, short_name = error.name, f"{error.shift:+d}" if error.shift else ""
        available = 2 * min(middle - before, end - middle) - 8
        name = next(
            (
                name_that_fits
                for name_that_fits in (full_name, short_name)
                if name_that_fits and em_width(name_that_fits) * 11 < available
            ),
            "",
        )
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
    label = escape(f"{error.name}, after unit {error.place}")
    return f'<g class="mark {error.kind}"><title>{label}</title>{shape}</g>'


_MAX_ROW_WIDTH = 960.0  # width of a row
_SCALES = (12.0, 64.0)  # least and greatest width of a unit
_UNITS = 800  # units of a drawing; a page shows the rest
_NAME = 26.0  # greatest width of a name, in font sizes
_TOOLTIP_UNITS = 6  # units in a tooltip
_UNIT = 80  # characters of each


def draw(
    text: ShownText,
    *,
    references: Sequence[str] = (),
    systems: Sequence[str] = (),
    shift: int = 1,
    limit: int = 3,
    standalone: bool = True,
) -> str:
    """Return the picture of a text as an SVG document, of a long text its beginning.

    Edges join the first reference and the first hypothesis; `references` and `systems` are the
    names of all. `shift` is the greatest shift of a boundary, `limit` the greatest distance of
    neighbours in a window of votes, both in units. A picture that is not `standalone` has no style:
    its page has it. It is the same for the same text.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.reports.segmentation import ShownText
    >>> text = ShownText("a", (Segmentation([5, 5, 1, 3]),), (Segmentation([7, 3, 4]),))
    >>> svg = draw(text, shift=2)
    >>> svg.count('class="seg'), svg.count('class="edge'), svg.count('class="mark')
    (7, 4, 3)

    """
    picture = _Picture(text, references, systems, shift, limit)
    name = escape(
        f"{visible(text.name[:200])}: {picture.hyp_names[0]} against {picture.reference_names[0]}, "
        f"{many(text.n, 'unit')}; {picture.counts[0]}"
    )
    return _svg(name, picture.row, text.n, standalone=standalone)


def _svg(
    name: str, draw_row: Callable[[Span], tuple[list[str], float]], n: int, *, standalone: bool
) -> str:
    """Return a picture of the rows of a text of `n` units, below each other.

    `draw_row` returns a row and its height.
    """
    spans = _spans(n)
    width = max(2 * SIZES["pad"] + max((s.last - s.first) * s.scale for s in spans), 360.0)
    parts: list[str] = []
    y = 0.0
    for span in spans:
        row, height = draw_row(span)
        parts.append(f'<g transform="translate(0 {y:g})">')
        parts += row
        parts.append("</g>")
        y += height + 4 * SIZES["gap"]
    if (drawn := spans[-1].last) < n:
        left_out = f"{many(n - drawn, 'more unit')} {'is' if n - drawn == 1 else 'are'} not drawn"
        parts.append(_head(y, left_out, "counts are of the whole text"))
        y += SIZES["head"] + 4 * SIZES["gap"]
    size = f'width="{width:.0f}" height="{y:.0f}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="strips" {size} '
        f'viewBox="0 0 {width:.0f} {y:.0f}" role="img" aria-label="{name}">'
    )
    top = [f"<title>{name}</title>", f"<style>{style()}</style>"] if standalone else []
    return "\n".join([head, *top, f'<rect class="ground" {size}/>', *parts, "</svg>"]) + "\n"


def style() -> str:
    """Return the style sheet of pictures."""
    return pages.asset("segmentation/segmentation_svg.css")


def _spans(n: int) -> list[Span]:
    """Cut a text into rows of about equal length."""
    shown = min(n, _UNITS)
    low, high = _SCALES
    rows = -(-shown * low // _MAX_ROW_WIDTH)
    length = -(-shown // int(rows))
    scale = min(high, max(low, _MAX_ROW_WIDTH / length))
    return [Span(k, min(k + length, shown), scale) for k in range(0, shown, length)]


class _Picture:
    """The common data of all rows of a picture."""

    def __init__(
        self,
        text: ShownText,
        references: Sequence[str],
        systems: Sequence[str],
        shift: int,
        limit: int,
    ) -> None:
        names = references or ["reference"] * len(text.references)
        self.reference_names = [_name(name) for name in names]
        names = systems or ["hypothesis"] * len(text.hyps)
        self.hyp_names = [_name(name) for name in names]
        self.text, gold = text, text.references[0]
        comparisons = [compared(gold, side, shift=shift) for side in text.hyps]
        self.counts = [counted(one) for one in comparisons]
        self.found = [
            _begin(one, gold, side) for one, side in zip(comparisons, text.hyps, strict=True)
        ]
        self.golds, self.hyps = (
            [[span for span in side.spans() if span[0] < _UNITS] for side in sides]
            for sides in (text.references, text.hyps)
        )
        self.votes = text.votes(0, limit=limit)

    def row(self, span: Span) -> tuple[list[str], float]:
        """Return one row and its height."""
        text, out = self.text, list(_axis(span))
        y = float(SIZES["axis"])
        if (votes := self.votes) is not None:
            out.append(_head(y, f"votes of {len(text.references)} references", "windows of WiSeBE"))
            out += self._votes(votes, span, y + SIZES["head"])
            y += SIZES["head"] + SIZES["votes"]
        for name, segments in zip(self.reference_names[1:], self.golds[1:], strict=True):
            out.append(_head(y, name, ""))
            out += _strip(span, segments, y + SIZES["head"], "thin", text.units)
            y += SIZES["head"] + SIZES["thin"]
        has_several = len(text.references) > 1
        out.append(_head(y, self.reference_names[0], "reference" if has_several else ""))
        y += SIZES["head"]
        out += _strip(span, self.golds[0], y, "strip", text.units)
        out += cuts(span, self.found[0], y, SIZES["strip"], gold=True)
        out += self._edges(span, y + SIZES["strip"])
        y += SIZES["strip"] + SIZES["edges"]
        out += _strip(span, self.hyps[0], y, "strip", text.units)
        out += cuts(span, self.found[0], y, SIZES["strip"], gold=False)
        y += SIZES["strip"]
        out.append(_head(y, self.hyp_names[0], self.counts[0]))
        y += SIZES["head"] + SIZES["gap"]
        out += boundary_marks(span, self.found[0], y)
        y += SIZES["errors"]
        for k, segments in enumerate(self.hyps[1:], start=1):
            out.append(_head(y, self.hyp_names[k], self.counts[k]))
            y += SIZES["head"]
            out += _strip(span, segments, y, "thin", text.units)
            out += cuts(span, self.found[k], y, SIZES["thin"], gold=False)
            y += SIZES["thin"]
        return out, y

    def _votes(self, score: WisebeScore, span: Span, y: float) -> Iterator[str]:
        high = SIZES["votes"] - 8
        for window in score.windows:
            if window.last > span.first and window.first <= span.last:
                x = max(span.x(window.first), span.x(span.first)) - 6
                far = min(span.x(window.last), span.x(span.last)) + 6
                hit = " hit" if window.candidates else ""
                label = f"window of {window.votes} votes, {'hit' if hit else 'not hit'}"
                yield (
                    f'<rect class="window{hit}" x="{x:.1f}" y="{y:g}" width="{far - x:.1f}" '
                    f'height="{high + 4}" rx="5"><title>{label}</title></rect>'
                )
        for place, votes in score.votes.items():
            if span.inside(place):
                size = (high - 12) * votes / len(self.text.references)
                yield (
                    f'<rect class="vote" x="{span.x(place) - 3:.1f}" y="{y + high + 2 - size:.1f}" '
                    f'width="6" height="{size:.1f}"/><text class="count" x="{span.x(place):.1f}" '
                    f'y="{y + high - size - 1:.1f}">{votes}</text>'
                )

    def _edges(self, span: Span, y: float) -> Iterator[str]:
        golds, hyps, edges = self.golds[0], self.hyps[0], self.found[0].edges
        used_to = [0.0, 0.0]
        golds_of = Counter(edge.hyp for edge in edges)
        for edge in edges:
            ends = [_middle(span, *golds[edge.gold]), _middle(span, *hyps[edge.hyp])]
            if None in ends:
                continue
            (x, far), share = [end or 0.0 for end in ends], edge.overlap / edge.union
            below = y + SIZES["edges"]
            one = "" if edge.chosen_by == "both" else " one"
            yield (
                f'<path class="edge{one}" stroke-opacity="{0.2 + 0.8 * share:.2f}" '
                f'stroke-width="{1 + 3 * share:.1f}" d="M{x:.1f} {y:g}L{far:.1f} {below:g}"/>'
            )
            # Numbers stand at the end where edges are apart: above for edges that meet below.
            upper = golds_of[edge.hyp] > 1
            label_share = 0.3 if upper else 0.72
            middle, label = x + label_share * (far - x), f"{edge.overlap}/{edge.union}"
            if middle - 4 * len(label) > used_to[upper]:
                used_to[upper] = middle + 4 * len(label)
                yield (
                    f'<text class="weight" x="{middle:.1f}" '
                    f'y="{y + label_share * SIZES["edges"] + 4:.1f}">{label}</text>'
                )


def _strip(
    span: Span,
    segments: Sequence[tuple[int, int]],
    y: float,
    size: str,
    units: Sequence[str] | None,
) -> Iterator[str]:
    """Yield the segments of one side as rectangles, with their numbers of units where they fit."""
    for k, (start, end) in enumerate(segments):
        if end <= span.first or start >= span.last:
            continue
        x, far = span.x(max(start, span.first)), span.x(min(end, span.last))
        yield (
            f'<rect class="seg{" odd" if k % 2 else ""}" x="{x:.1f}" y="{y:g}" '
            f'width="{far - x:.1f}" height="{SIZES[size]}">'
            f"<title>{escape(_about(k, start, end, units))}</title></rect>"
        )
        if size == "strip" and far - x > 10 * len(str(end - start)):
            yield (
                f'<text class="mass" x="{(x + far) / 2:.1f}" y="{y + 18:g}">{end - start}</text>'
            )


def _about(k: int, start: int, end: int, units: Sequence[str] | None) -> str:
    words = f"segment {k + 1}: "
    words += f"unit {end}" if end == start + 1 else f"units {start + 1} to {end}"
    if units is None:
        return words
    unit_texts = [visible(unit[:_UNIT]) for unit in units[start : min(end, start + _TOOLTIP_UNITS)]]
    return "\n".join([words, *unit_texts, *(["…"] if end > start + _TOOLTIP_UNITS else [])])


def _begin(comparison: Compared, gold: Segmentation, hyp: Segmentation) -> Compared:
    """Return the part of a comparison at the beginning of a text that is drawn."""
    if gold.n <= _UNITS:
        return comparison
    first = np.concatenate([[0], gold.boundaries]), np.concatenate([[0], hyp.boundaries])
    return Compared(
        [e for e in comparison.edges if max(first[0][e.gold], first[1][e.hyp]) < _UNITS],
        [place for place in comparison.matches if place <= _UNITS],
        [error for error in comparison.errors if error.place <= _UNITS],
    )


def _name(name: str) -> str:
    return cut(visible(name), _NAME)


def _middle(span: Span, start: int, end: int) -> float | None:
    """Return the middle of the part of a segment in a row; `None` if no part is."""
    first, last = max(start, span.first), min(end, span.last)
    return None if last <= first else span.x((first + last) / 2)


def _axis(span: Span) -> Iterator[str]:
    step = next(s for s in (1, 2, 5, 10, 20, 50) if s * span.scale >= 28)
    y = SIZES["axis"] - 4
    yield f'<path class="tick" d="M{span.x(span.first):.1f} {y}H{span.x(span.last):.1f}"/>'
    for place in range(-(-span.first // step) * step, span.last + 1, step):
        x = f"{span.x(place):.1f}"
        yield f'<path class="tick" d="M{x} {y}v-4"/>'
        yield f'<text class="number" x="{x}" y="10">{place}</text>'


def _head(y: float, name: str, more: str) -> str:
    more_text = f' <tspan class="more">{escape(more)}</tspan>' if more else ""
    return f'<text class="head" x="{SIZES["pad"]}" y="{y + 13:g}">{escape(name)}{more_text}</text>'


# Coders of one text over each other, with the places where they differ.
#
# A boundary that all coders have is a dot, a near miss a diamond, and a boundary that some have and
# others do not have at all a cross, with the number of coders who have it at the place.

_THIN_FROM = 7  # coders from whom on strips are thin; set by hand
_MARKS = {"full miss": "extra", "near miss": "retyped"}  # the marks of other pictures
_CUTS = {"full miss": "extra", "near miss": "shifted"}


def draw_coders(
    name: str,
    codings: Sequence[Segmentation | None],
    places: Sequence[Disagreement],
    *,
    coders: Sequence[str],
    units: Sequence[str] | None = None,
    standalone: bool = True,
) -> str:
    """Return the picture of the segmentations of one text by several coders as an SVG document.

    `codings` has `None` for a coder who did not segment the text; `places` are those where coders
    differ. `units` are the units of the text, if they are known. A document that is not
    `standalone` has no style sheet and no title.

    Examples
    --------
    >>> from bitext.metrics.coder_differences import CodedTexts, disagreements
    >>> row = (Segmentation([2, 4]), None, Segmentation([3, 2, 1]))
    >>> places = disagreements(CodedTexts(("a", "b", "c"), ("t",), (row,)))
    >>> svg = draw_coders("t", row, places, coders=("a", "b", "c"))
    >>> svg.count('class="seg'), svg.count('class="mark')
    (5, 2)

    """
    present = [coding for coding in codings if coding is not None]
    # A boundary that all coders have is right; others have the kind of their difference.
    shared = set.intersection(*(set(coding.boundaries.tolist()) for coding in present))
    kinds = dict.fromkeys(shared, "right")
    for place in places:
        shifts = {0, *(shift for _, shift in place.near)}
        kinds |= {place.position + shift: _CUTS[place.kind] for shift in shifts}
    votes = Counter(p for coding in present for p in coding.boundaries.tolist())
    marks = [(p, "right", f"all {len(present)} coders, after unit {p}") for p in sorted(shared)]
    names = [_name(coder) for coder in coders]
    marks += [
        (p.position, _MARKS[p.kind], f"{p.kind}, after unit {p.position}: {p.in_words(names)}")
        for p in places
    ]
    size = "strip" if len(present) < _THIN_FROM else "thin"

    def row(span: Span) -> tuple[list[str], float]:
        out, y = list(_axis(span)), float(SIZES["axis"])
        for coder, coding in zip(names, codings, strict=True):
            out.append(_head(y, coder, "" if coding else "did not segment this text"))
            y += SIZES["head"]
            if coding is not None:
                out += _strip(span, coding.spans(), y, size, units)
                for p in filter(span.inside, coding.boundaries.tolist()):
                    cut = f"M{span.x(p):.1f} {y:g}v{SIZES[size]}"
                    out.append(f'<path class="cut {kinds[p]}" d="{cut}"/>')
                y += SIZES[size]
        y += SIZES["gap"]
        for p, kind, label in marks:
            if span.inside(p):
                out.append(
                    f'<g class="mark {kind}"><title>{escape(label)}</title><path '
                    f'transform="translate({span.x(p):.1f} {y + 8:g})" d="{SHAPES[kind]}"/></g>'
                )
                out.append(
                    f'<text class="count" x="{span.x(p):.1f}" y="{y + 28:g}">{votes[p]}</text>'
                )
        return out, y + SIZES["errors"]

    label = escape(
        f"{visible(name[:200])}: {len(present)} coders, {many(present[0].n, 'unit')}; "
        f"{kinds_in_words(places) or 'no differences'}; "
        f"{len(shared):,} {'boundary' if len(shared) == 1 else 'boundaries'} of all"
    )
    return _svg(label, row, present[0].n, standalone=standalone)
