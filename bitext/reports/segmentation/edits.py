"""Differences of segmentations: boundaries missing, extra, shifted or of another type."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.metrics.evaluation.segmentations import lay
from bitext.metrics.segmentation.boundary_edits import boundary_edits
from bitext.reports.table import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.model import Segmentation
    from bitext.model.segmentations import Segmentations

__all__ = ["EditView", "TextEdits", "render", "worst_texts"]

_MOST_EDITS = 20  # edits of a text
_CUT = 60  # characters of a unit


@dataclass(frozen=True, slots=True)
class EditView:
    """A boundary that differs.

    Attributes
    ----------
    kind : str
        `missing` (the hypothesis lacks it), `extra` (the reference lacks it), `shifted` or
        `substituted`.
    position : int
        The number of units before it, in the reference, or for an extra one in the hypothesis.
    shift : int
        The shift in the hypothesis in units, negative for earlier.
    type : str or None
        Its type in the reference, or for an extra one in the hypothesis; `None` without types.
    before, after : str or None
        The units around it, if their characters are known.

    """

    kind: str
    position: int
    shift: int
    type: str | None
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class TextEdits:
    """The boundaries of a text that differ, from the left."""

    system: str
    text: str
    matches: int
    edits: tuple[EditView, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the members of the JSON document."""
        edits = [asdict(edit) for edit in self.edits]
        return {"system": self.system, "text": self.text, "matches": self.matches, "edits": edits}


def worst_texts(
    gold: Segmentations,
    hyp: Segmentations,
    units: Mapping[int, Sequence[str]],
    *,
    system: str,
    most: int,
    shift: int,
) -> list[TextEdits]:
    """Return the edits of the texts with the most differing boundaries.

    Parameters
    ----------
    gold, hyp : Segmentations
        Segmentations of the same texts.
    units : mapping of int to sequence of str
        The units of the texts whose characters are known.
    system : str
        The name of the system.
    most : int
        The number of texts.
    shift : int
        The greatest shift of a boundary, in units.

    """
    wrong = _differing(gold, hyp)
    order = np.lexsort((np.arange(wrong.size), -wrong))[:most]
    return [
        _edits(gold.at(t), hyp.at(t), units.get(t), system=system, text=gold.ids[t], shift=shift)
        for t in order.tolist()
        if wrong[t]
    ]


def _differing(gold: Segmentations, hyp: Segmentations) -> NDArray[np.int64]:
    """Count the boundaries of each text that only one side has; with types, their places."""
    pairs = lay(gold, hyp)
    only = np.setxor1d(pairs.gold.boundaries, pairs.hyp.boundaries, assume_unique=True)
    text = np.searchsorted(pairs.starts, only, side="right") - 1
    counts = np.bincount(text, minlength=len(pairs)).astype(np.int64)
    if pairs.typed is not None:
        for t, (first, second) in enumerate(zip(*pairs.typed, strict=True)):
            counts[t] += not counts[t] and first.types != second.types
    return counts


def _edits(
    gold: Segmentation,
    hyp: Segmentation,
    units: Sequence[str] | None,
    *,
    system: str,
    text: str,
    shift: int,
) -> TextEdits:
    found = boundary_edits(gold, hyp, max_transposition=shift)

    def view(kind: str, place: int, by: int, kind_of: object) -> EditView:
        around = (units[place - 1], units[place]) if units else (None, None)
        return EditView(kind, place, by, None if kind_of is None else str(kind_of), *around)

    edits = [
        view("missing" if edit.side == "gold" else "extra", edit.position, 0, edit.type)
        for edit in found.additions
    ]
    edits += [view("shifted", e.gold, e.hyp - e.gold, e.type) for e in found.transpositions]
    edits += [view("substituted", e.position, 0, e.gold) for e in found.substitutions]
    ordered = sorted(edits, key=lambda edit: (edit.position, edit.kind))
    return TextEdits(system, text, len(found.matches), tuple(ordered))


def render(edits: TextEdits, *, number: int) -> str:
    """Format the edits of a text as lines for readers."""
    counts = {
        kind: sum(edit.kind == kind for edit in edits.edits)
        for kind in ("missing", "extra", "shifted", "substituted")
    }
    counted = ", ".join(f"{count:,} {kind}" for kind, count in counts.items() if count)
    lines = [f"{number}. {edits.system}, {edits.text}: {counted}; {edits.matches:,} right"]
    for edit in edits.edits[:_MOST_EDITS]:
        by = f" by {edit.shift:+d}" if edit.shift else ""
        kind = "" if edit.type is None else f" ({edit.type})"
        around = f": {_cut(edit.before)} | {_cut(edit.after)}" if edit.before is not None else ""
        lines.append(f"   {edit.kind}{by}{kind} after unit {edit.position}{around}")
    if len(edits.edits) > _MOST_EDITS:
        lines.append(f"   ... and {len(edits.edits) - _MOST_EDITS:,} more")
    return "\n".join(map(printable, lines)) + "\n"


def _cut(unit: str | None) -> str:
    text = unit or ""
    return text if len(text) <= _CUT else f"{text[: _CUT - 1]}…"
