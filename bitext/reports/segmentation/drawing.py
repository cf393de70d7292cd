"""Segmentations as a picture: strips over one axis, edges between them, errors named.

From above: the axis of units; of several references the votes, in the windows of WiSeBE (a solid
frame where the hypothesis has a boundary inside); the other references; the reference, and the
hypothesis under it, with the edges of their segment alignment between them. An edge is the stronger
the more its segments share (their Jaccard index, `overlap/union` in numbers), and dashed where only
one of the two chose the other. Below stand the errors, and the other hypotheses. A text that is
too long for one line goes on in the next.

Classes: `strips` (all), `seg`, `edge`, `window`, `vote`, `cut` (a boundary on a strip) and `mark`
(the same below), the last two with `right`, `missing`, `extra`, `shifted` or `retyped`. Each kind
has a shape of its own: a dot, a hollow triangle, a cross, an arrow, a diamond.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from bitext.reports import pages
from bitext.reports.lettering import cut, visible
from bitext.reports.segmentation.data import (
    SIZES,
    Compared,
    Span,
    boundary_marks,
    compared,
    counted,
    cuts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model import Segmentation
    from bitext.reports.segmentation.data import ShownText

__all__ = ["draw", "style"]

_WIDEST = 960.0  # of a row
_SCALES = (12.0, 64.0)  # of a unit
_UNITS = 800  # that are drawn; a page shows the rest
_NAME = 26.0  # a name is cut, in font sizes
_SHOWN = 6  # units in a tooltip
_UNIT = 80  # characters of each


def draw(
    text: ShownText,
    *,
    reference: int = 0,
    hyp: int = 0,
    references: Sequence[str] = (),
    systems: Sequence[str] = (),
    shift: int = 1,
    limit: int = 3,
    standalone: bool = True,
) -> str:
    """Return the picture of a text as an SVG document.

    Parameters
    ----------
    text : ShownText
        With at least one hypothesis.
    reference, hyp : int
        Which two are held against each other.
    references, systems : sequence of str, optional
        Their names.
    shift : int
        How far a boundary may be shifted to be the same one.
    limit : int
        The greatest distance of neighbours in a window of votes, in units.
    standalone : bool
        With its style. Without, it is for a page that has it.

    Returns
    -------
    str
        The same for the same text; of a long one its beginning.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.reports.segmentation.data import ShownText
    >>> text = ShownText("a", (Segmentation([5, 5, 1, 3]),), (Segmentation([7, 3, 4]),))
    >>> svg = draw(text, shift=2)
    >>> svg.count('class="seg'), svg.count('class="edge'), svg.count('class="mark')
    (7, 4, 3)

    """
    picture = _Picture(text, reference, hyp, references, systems, shift, limit)
    spans = _spans(text.n)
    width = 2 * SIZES["pad"] + max((s.last - s.first) * s.scale for s in spans)
    width = max(width, 360.0)
    parts, y = [], 0.0
    for span in spans:
        row, height = picture.row(span)
        parts.append(f'<g transform="translate(0 {y:g})">')
        parts += row
        parts.append("</g>")
        y += height + 4 * SIZES["gap"]
    name = escape(
        f"{visible(text.name[:200])}: {picture.hyp_name} against {picture.reference_name}, "
        f"{text.n:,} units; {picture.counts[hyp]}"
    )
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
    rows = -(-shown * low // _WIDEST)
    length = -(-shown // int(rows))
    scale = min(high, max(low, _WIDEST / length))
    return [Span(k, min(k + length, shown), scale) for k in range(0, shown, length)]


class _Picture:
    """What all rows of a picture draw on."""

    def __init__(
        self,
        text: ShownText,
        reference: int,
        hyp: int,
        references: Sequence[str],
        systems: Sequence[str],
        shift: int,
        limit: int,
    ) -> None:
        names = references or ["reference"] * len(text.references)
        self.reference_names = [_name(name) for name in names]
        names = systems or ["hypothesis"] * len(text.hyps)
        self.hyp_names = [_name(name) for name in names]
        self.text, self.reference, self.hyp = text, reference, hyp
        gold = text.references[reference]
        found = [compared(gold, side, shift=shift) for side in text.hyps]
        self.counts = [counted(one) for one in found]
        self.all_found = [
            _begin(one, gold, side) for one, side in zip(found, text.hyps, strict=True)
        ]
        self.golds, self.hyps = (
            [[span for span in side.spans() if span[0] < _UNITS] for side in sides]
            for sides in (text.references, text.hyps)
        )
        self.votes = text.votes(hyp, limit=limit)

    @property
    def found(self) -> Compared:
        return self.all_found[self.hyp]

    @property
    def reference_name(self) -> str:
        return self.reference_names[self.reference]

    @property
    def hyp_name(self) -> str:
        return self.hyp_names[self.hyp]

    def row(self, span: Span) -> tuple[list[str], float]:
        """Return one row and its height."""
        text, out = self.text, list(_axis(span))
        y = float(SIZES["axis"])
        if self.votes is not None:
            out.append(_head(y, f"votes of {len(text.references)} references", "windows of WiSeBE"))
            out += self._votes(span, y + SIZES["head"])
            y += SIZES["head"] + SIZES["votes"]
        for k, segments in enumerate(self.golds):
            if k != self.reference:
                out.append(_head(y, self.reference_names[k], ""))
                out += self._strip(span, segments, y + SIZES["head"], "thin")
                y += SIZES["head"] + SIZES["thin"]
        out.append(_head(y, self.reference_name, "reference" if text.references[1:] else ""))
        y += SIZES["head"]
        out += self._strip(span, self.golds[self.reference], y, "strip")
        out += cuts(span, self.found, y, SIZES["strip"], gold=True)
        out += self._edges(span, y + SIZES["strip"])
        y += SIZES["strip"] + SIZES["edges"]
        out += self._strip(span, self.hyps[self.hyp], y, "strip")
        out += cuts(span, self.found, y, SIZES["strip"], gold=False)
        y += SIZES["strip"]
        out.append(_head(y, self.hyp_name, self.counts[self.hyp]))
        y += SIZES["head"] + SIZES["gap"]
        out += boundary_marks(span, self.found, y)
        y += SIZES["errors"]
        for k, segments in enumerate(self.hyps):
            if k != self.hyp:
                out.append(_head(y, self.hyp_names[k], self.counts[k]))
                y += SIZES["head"]
                out += self._strip(span, segments, y, "thin")
                out += cuts(span, self.all_found[k], y, SIZES["thin"], gold=False)
                y += SIZES["thin"]
        return out, y

    def _votes(self, span: Span, y: float) -> Iterator[str]:
        found, high = self.votes, SIZES["votes"] - 8
        if found is None:
            return
        for window in found.windows:
            if window.last > span.first and window.first <= span.last:
                x = max(span.x(window.first), span.x(span.first)) - 6
                far = min(span.x(window.last), span.x(span.last)) + 6
                hit = " hit" if window.candidates else ""
                told = f"window of {window.votes} votes, {'hit' if hit else 'not hit'}"
                yield (
                    f'<rect class="window{hit}" x="{x:.1f}" y="{y:g}" width="{far - x:.1f}" '
                    f'height="{high + 4}" rx="5"><title>{told}</title></rect>'
                )
        for place, votes in found.votes.items():
            if span.inside(place):
                size = (high - 12) * votes / len(self.text.references)
                yield (
                    f'<rect class="vote" x="{span.x(place) - 3:.1f}" y="{y + high + 2 - size:.1f}" '
                    f'width="6" height="{size:.1f}"/><text class="count" x="{span.x(place):.1f}" '
                    f'y="{y + high - size - 1:.1f}">{votes}</text>'
                )

    def _strip(
        self, span: Span, segments: Sequence[tuple[int, int]], y: float, size: str
    ) -> Iterator[str]:
        for k, (start, end) in enumerate(segments):
            if end <= span.first or start >= span.last:
                continue
            x, far = span.x(max(start, span.first)), span.x(min(end, span.last))
            yield (
                f'<rect class="seg{" odd" if k % 2 else ""}" x="{x:.1f}" y="{y:g}" '
                f'width="{far - x:.1f}" height="{SIZES[size]}">'
                f"<title>{escape(self._about(k, start, end))}</title></rect>"
            )
            if size == "strip" and far - x > 10 * len(str(end - start)):
                yield (
                    f'<text class="mass" x="{(x + far) / 2:.1f}" y="{y + 18:g}">'
                    f"{end - start}</text>"
                )

    def _about(self, k: int, start: int, end: int) -> str:
        told = f"segment {k + 1}: " + (
            f"unit {end}" if end == start + 1 else f"units {start + 1} to {end}"
        )
        if self.text.units is None:
            return told
        shown = [
            visible(unit[:_UNIT]) for unit in self.text.units[start : min(end, start + _SHOWN)]
        ]
        return "\n".join([told, *shown, *(["…"] if end > start + _SHOWN else [])])

    def _edges(self, span: Span, y: float) -> Iterator[str]:
        golds, hyps = self.golds[self.reference], self.hyps[self.hyp]
        taken = [0.0, 0.0]
        golds_of = Counter(edge.hyp for edge in self.found.edges)
        for edge in self.found.edges:
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
            # Numbers stand where edges are apart: above, of those that meet below.
            upper = golds_of[edge.hyp] > 1
            at = 0.3 if upper else 0.72
            middle, told = x + at * (far - x), f"{edge.overlap}/{edge.union}"
            if middle - 4 * len(told) > taken[upper]:
                taken[upper] = middle + 4 * len(told)
                yield (
                    f'<text class="weight" x="{middle:.1f}" '
                    f'y="{y + at * SIZES["edges"] + 4:.1f}">{told}</text>'
                )


def _begin(found: Compared, gold: Segmentation, hyp: Segmentation) -> Compared:
    """Return what there is of a comparison in the part of a text that is drawn."""
    if gold.n <= _UNITS:
        return found
    first = np.concatenate([[0], gold.boundaries]), np.concatenate([[0], hyp.boundaries])
    return Compared(
        [e for e in found.edges if max(first[0][e.gold], first[1][e.hyp]) < _UNITS],
        [place for place in found.matches if place <= _UNITS],
        [error for error in found.errors if error.place <= _UNITS],
    )


def _name(name: str) -> str:
    return cut(visible(name), _NAME)


def _middle(span: Span, start: int, end: int) -> float | None:
    """Return the middle of what a row shows of a segment."""
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
    told = f' <tspan class="more">{escape(more)}</tspan>' if more else ""
    return f'<text class="head" x="{SIZES["pad"]}" y="{y + 13:g}">{escape(name)}{told}</text>'
