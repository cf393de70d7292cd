"""Places where gold standard and hypothesis differ, side by side with the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitext.errors import many
from bitext.reports.table import printable
from bitext.reports.terminal import clipped, padded

if TYPE_CHECKING:
    from bitext.kernels.overlap import Beads
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.breakdown import Place

__all__ = ["BeadView", "PlaceView", "render", "restored", "view"]

_MOST_BEADS = 12  # bisegments of a place
_MOST_SEGMENTS = 6  # segments of a side


@dataclass(frozen=True, slots=True)
class BeadView:
    """A bisegment for display: identifiers and characters of its first segments."""

    src: tuple[str, ...]
    tgt: tuple[str, ...]
    src_text: tuple[str, ...]
    tgt_text: tuple[str, ...]
    more: tuple[int, int]

    @property
    def title(self) -> str:
        """Its identifiers, as `3 4 : 5`."""
        sides = []
        for names, more in zip((self.src, self.tgt), self.more, strict=True):
            sides.append(" ".join(names) + (f" ... {more:,} more" if more else "") or "nothing")
        return " : ".join(sides)


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place for display."""

    system: str
    text: str
    weight: int
    unit: str
    gold: tuple[BeadView, ...]
    hyp: tuple[BeadView, ...]
    more: tuple[int, int]

    def to_json(self) -> dict[str, Any]:
        """Return the members of the JSON document."""

        def beads(family: tuple[BeadView, ...]) -> list[dict[str, Any]]:
            return [
                {
                    "src": list(bead.src),
                    "tgt": list(bead.tgt),
                    "src_text": list(bead.src_text),
                    "tgt_text": list(bead.tgt_text),
                }
                for bead in family
            ]

        return {
            "system": self.system,
            "text": self.text,
            "weight": self.weight,
            "unit": self.unit,
            "gold": beads(self.gold),
            "hyp": beads(self.hyp),
        }


def restored(held: dict[str, Any]) -> PlaceView:
    """Return a place from its `dataclasses.asdict`, which may have been JSON."""
    families = [
        tuple(
            BeadView(**{name: tuple(value) for name, value in bead.items()})
            for bead in held[family]
        )
        for family in ("gold", "hyp")
    ]
    rest = {"gold": families[0], "hyp": families[1], "more": tuple(held["more"])}
    return PlaceView(**{**held, **rest})


def view(comparison: Comparison, place: Place, *, system: str, text: str) -> PlaceView:
    """Return a place with the segments of its bisegments; very large places are truncated."""
    ground = comparison.ground
    unit = "character pairs" if ground.src.texts and ground.tgt.texts else "sentence pairs"
    families = [
        tuple(_bead(comparison, beads, k) for k in chosen[:_MOST_BEADS])
        for beads, chosen in ((ground.gold, place.gold), (ground.hyp, place.hyp))
    ]
    more = tuple(max(len(chosen) - _MOST_BEADS, 0) for chosen in (place.gold, place.hyp))
    return PlaceView(system, text, place.weight, unit, families[0], families[1], (more[0], more[1]))


def _bead(comparison: Comparison, beads: Beads, k: int) -> BeadView:
    ground = comparison.ground
    names, texts, more = [], [], []
    for side, rows in ((ground.src, beads.src), (ground.tgt, beads.tgt)):
        members = rows.row(k).tolist()
        shown = members[:_MOST_SEGMENTS]
        # Atoms of one segment have one name.
        names.append(tuple(dict.fromkeys(side.label(m) for m in shown)))
        texts.append(tuple(side.segment(m) for m in shown))
        more.append(len(members) - len(shown))
    return BeadView(names[0], names[1], texts[0], texts[1], (more[0], more[1]))


def render(place: PlaceView, *, number: int, columns: int) -> str:
    """Return a place as text: gold bisegments on the left, proposed ones on the right."""
    half = max((columns - 3) // 2, 20)
    left, right = (
        _lines(beads, more, half)
        for beads, more in ((place.gold, place.more[0]), (place.hyp, place.more[1]))
    )
    size = max(len(left), len(right))
    left += [""] * (size - len(left))
    right += [""] * (size - len(right))
    head = f"{number}. {place.system}, {place.text}: {many(place.weight, place.unit[:-1])} wrong"
    title = padded("gold", half) + " │ proposed"
    rows = [f"{padded(a, half)} │ {b}".rstrip() for a, b in zip(left, right, strict=True)]
    return "\n".join([printable(head), title, *rows]) + "\n"


def _lines(beads: tuple[BeadView, ...], more: int, columns: int) -> list[str]:
    lines: list[str] = []
    for bead in beads:
        lines.append(clipped(printable(f"[{bead.title}]"), columns))
        for mark, texts in (("<", bead.src_text), (">", bead.tgt_text)):
            lines += [clipped(f"  {mark} {printable(text)}", columns) for text in texts if text]
    if more:
        lines.append(f"... and {more:,} more")
    return lines or ["(nothing)"]
