"""How bisegments and segments are called in notes, also where a document pair comes in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from bitext.formats.keeps import further_languages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitext.model import Bitext

__all__ = ["Place", "Places", "name_of"]


class Place(NamedTuple):
    """How much of its document pair came before a part of it.

    Attributes
    ----------
    beads, src, tgt : int
        The numbers of bisegments, of source and of target segments.
    languages : frozenset of str
        The languages of further texts.

    """

    beads: int = 0
    src: int = 0
    tgt: int = 0
    languages: frozenset[str] = frozenset()

    def bead(self, bitext: Bitext, k: int) -> str:
        """Tell a bisegment by its number in the document pair: `bisegment 7 (2-1)`."""
        return f"bisegment {self.beads + k} ({bitext.alignment[k].type})"

    def new_languages(self, columns: Mapping[str, Sequence[str | None]]) -> list[str]:
        """Return the languages of further texts of the part that none before it has."""
        return [code for code in further_languages(columns) if code not in self.languages]

    def segment(self, bitext: Bitext, side: Literal["source", "target"], k: int) -> str:
        """Tell a segment by its id, or its number in its text: `source segment s7`."""
        text, before = (bitext.src, self.src) if side == "source" else (bitext.tgt, self.tgt)
        known = text is not None and text.has_ids
        return f"{side} segment {text.ids[k] if text is not None and known else before + k}"


class Places:
    """Counts how much of a document pair came before each part, one part after another."""

    def __init__(self) -> None:
        self._next = Place()

    def of(self, bitext: Bitext) -> Place:
        """Return the place of a bitext, or of the next part of one."""
        place = self._next if bitext.continues else Place()
        self._next = Place(
            place.beads + len(bitext.alignment),
            place.src + (0 if bitext.src is None else len(bitext.src)),
            place.tgt + (0 if bitext.tgt is None else len(bitext.tgt)),
            place.languages.union(further_languages(bitext.alignment.attributes)),
        )
        return place


def name_of(bitext: Bitext) -> str:
    """Return what a note calls a bitext: its name, or that of its file."""
    return bitext.name or bitext.meta.get("path", "") or "the bitext"
