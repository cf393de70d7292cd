"""What pictures of segmentations show: a text, its segmentations, and what differs between them.

The page, the drawing and the lines for a terminal all work on the nouns of this module, so they
say the same. An error is one of four kinds: a boundary is *missing* in the hypothesis, *extra* in
it, *shifted* by some units, or of *another type*.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import InputError
from bitext.metrics.boundary_edits import boundary_edits
from bitext.metrics.segment_alignment import segment_alignment
from bitext.metrics.wisebe import wisebe
from bitext.model import Segmentation
from bitext.reports.lettering import visible

if TYPE_CHECKING:
    from bitext.metrics.segment_alignment import Edge
    from bitext.metrics.wisebe import WisebeScore

__all__ = [
    "KINDS",
    "KIND_NAMES",
    "MOST_OF_NAME",
    "MOST_OF_UNIT",
    "BoundaryError",
    "Compared",
    "ComparedText",
    "ShownText",
    "compared",
    "counted",
    "shortened",
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
    """Return how many errors of each kind there are, in words.

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


def shortened(name: str, *, most: int = MOST_OF_NAME) -> str:
    """Return a name, or another text, as it is shown: cut to so many characters."""
    return visible(name[:most]) + ("…" if len(name) > most else "")
