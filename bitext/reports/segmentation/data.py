"""What pictures of segmentations show: a text, its segmentations, and what differs between them.

The page, the drawing and the lines for a terminal all work on the nouns of this module, so they
say the same. An error is one of four kinds: a boundary is *missing* in the hypothesis, *extra* in
it, *shifted* by some units, or of *another type*.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import InputError
from bitext.metrics.segmentation.boundary_edits import boundary_edits
from bitext.metrics.segmentation.segment_alignment import segment_alignment
from bitext.metrics.segmentation.wisebe import wisebe
from bitext.model import Segmentation
from bitext.reports.lettering import em_width, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.metrics.segmentation.segment_alignment import Edge
    from bitext.metrics.segmentation.wisebe import WisebeScore

__all__ = [
    "KINDS",
    "KIND_NAMES",
    "MOST_OF_NAME",
    "MOST_OF_UNIT",
    "SHAPES",
    "SIZES",
    "BoundaryError",
    "Compared",
    "ComparedText",
    "ShownText",
    "Span",
    "boundary_marks",
    "compared",
    "counted",
    "cuts",
    "shortened_name",
    "swatch",
]


KINDS = ("missing", "extra", "shifted", "retyped")
KIND_NAMES = {**dict(zip(KINDS, KINDS, strict=True)), "retyped": "of another type"}
MOST_OF_NAME = 60  # characters where there is little room
MOST_OF_UNIT = 300  # characters
_SIDES = ("gold", "hyp", "both")
_TYPE = 40  # characters of a type that are shown


class BoundaryError(NamedTuple):
    """A boundary that differs.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    gold, hyp : int or None
        Its position in the reference and in the hypothesis.
    type : str
        Its type, `a → b` where the hypothesis has another; empty where boundaries have none.

    """

    kind: str
    gold: int | None
    hyp: int | None
    type: str = ""

    @property
    def place(self) -> int:
        """Where it is: in the reference, if that has it."""
        return self.gold if self.gold is not None else self.hyp or 0

    @property
    def shift(self) -> int:
        """How many units later the hypothesis has it; below 0 for earlier."""
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
    """A hypothesis against a reference.

    Attributes
    ----------
    edges : list of Edge
        The segment alignment, from left to right.
    matches : list of int
        The boundaries that both have.
    errors : list of BoundaryError
        The others, from left to right.

    """

    edges: list[Edge]
    matches: list[int]
    errors: list[BoundaryError]

    def to_json(self) -> dict[str, Any]:
        """Return it as short lists of numbers: five an edge, three and a type an error.

        The two segments of an edge, and the boundaries that both have, are told by how far they
        are from the ones before: small numbers make small files.
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

    Types of boundaries are compared where both sides have some.

    Parameters
    ----------
    gold, hyp : Segmentation
        Of the same units.
    shift : int
        How far a boundary may be shifted to be the same one.

    Examples
    --------
    >>> found = compared(Segmentation([5, 5, 1, 3]), Segmentation([7, 3, 4]), shift=2)
    >>> [error.name for error in found.errors], found.matches, len(found.edges)
    (['shifted by +2', 'missing'], [10], 4)

    """
    if None in (gold.types, hyp.types):
        gold, hyp = Segmentation(gold.masses), Segmentation(hyp.masses)
    edits = boundary_edits(gold, hyp, max_transposition=shift)
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
    # A boundary of two types may match twice: it is one place.
    matches = sorted({match.position for match in edits.matches})
    return Compared(segment_alignment(gold, hyp).edges, matches, errors)


def _type(given: object) -> str:
    return "" if given is None else visible(str(given)[:_TYPE])


def counted(found: Compared) -> str:
    """Count the errors of each kind, in words.

    Examples
    --------
    >>> counted(compared(Segmentation([2, 4]), Segmentation([2, 2, 2])))
    '1 extra, 1 right'

    """
    counts = Counter(error.kind for error in found.errors)
    told = [f"{counts[kind]:,} {KIND_NAMES[kind]}" for kind in KINDS if counts[kind]]
    return ", ".join([*told, f"{len(found.matches):,} right"])


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text with its segmentations.

    Attributes
    ----------
    name : str
    references, hyps : tuple of Segmentation
        Of the same units; one reference or more, and any number of hypotheses.
    units : tuple of str or None
        The units, where their characters are known.
    values : tuple of tuples of str
        Of each hypothesis the values of all metrics, as they are shown.

    Raises
    ------
    InputError
        When there is no reference, or the units do not go together.

    """

    name: str
    references: tuple[Segmentation, ...]
    hyps: tuple[Segmentation, ...]
    units: tuple[str, ...] | None = None
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
        """Return the votes and windows of several references; `None` where there are none.

        Parameters
        ----------
        hyp : int, optional
            Whose boundaries are looked for in the windows; default: nobody's.
        limit : int
            The greatest distance of neighbours in a window, in units.

        """
        if len(self.references) < 2 or all(len(side) == 1 for side in self.references):
            return None
        candidate = Segmentation([self.n]) if hyp is None else self.hyps[hyp]
        return wisebe(self.references, candidate, limit=limit)


class ComparedText(NamedTuple):
    """A text, and each of its hypotheses against each of its references.

    Attributes
    ----------
    text : ShownText
    pairs : list of list of Compared
        A row a reference, a column a hypothesis.

    """

    text: ShownText
    pairs: list[list[Compared]]

    @property
    def wrong(self) -> int:
        """The boundaries that differ from the first reference, of all hypotheses."""
        return sum(len(found.errors) for found in self.pairs[0])

    @property
    def edges(self) -> int:
        """The edges between segments, of all pairs."""
        return sum(len(found.edges) for row in self.pairs for found in row)


def shortened_name(name: str, *, most: int = MOST_OF_NAME) -> str:
    """Return a name, or another text, as it is shown: cut to so many characters."""
    return visible(name[:most]) + ("…" if len(name) > most else "")


# The marks of boundaries in pictures of segmentations: on the strips, and in the line of errors.
#
# Each kind has a shape of its own: a dot, a hollow triangle, a cross, an arrow, a diamond.

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
        """Return the x coordinate of a place."""
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
