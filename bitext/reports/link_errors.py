"""Sentence pairs whose word links differ from the gold standard's, for reading and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitext.reports.table import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.metrics.link_evaluation import LinkErrors

__all__ = ["PairView", "render", "restored", "view"]

_NOBODY = "(none)"  # the word that is none, in links to NULL


@dataclass(frozen=True, slots=True)
class PairView:
    """A sentence pair to be looked at.

    Attributes
    ----------
    system, text : str
    errors : LinkErrors
        The links that differ.
    src, tgt : tuple of str or None
        The words of its sides, where they are known.

    """

    system: str
    text: str
    errors: LinkErrors
    src: tuple[str, ...] | None
    tgt: tuple[str, ...] | None

    @property
    def weight(self) -> int:
        """How many links are missing or wrong."""
        return self.errors.weight

    def to_json(self) -> dict[str, Any]:
        """Return it as members of JSON; the number of the pair counts from 1, positions from 0."""
        return {
            "system": self.system,
            "text": self.text,
            "pair": self.errors.pair + 1,
            "weight": self.errors.weight,
            "unit": "links",
            "right": self.errors.right,
            "missing": [list(link) for link in self.errors.missing],
            "wrong": [list(link) for link in self.errors.wrong],
            "src_words": None if self.src is None else list(self.src),
            "tgt_words": None if self.tgt is None else list(self.tgt),
        }


def restored(held: dict[str, Any]) -> PairView:
    """Return a pair of what `dataclasses.asdict` made of it, also after it was JSON."""
    from bitext.metrics.link_evaluation import LinkErrors

    pair, missing, wrong, right = held["errors"]
    errors = LinkErrors(pair, [(i, j) for i, j in missing], [(i, j) for i, j in wrong], right)
    sides = [None if held[side] is None else tuple(held[side]) for side in ("src", "tgt")]
    return PairView(held["system"], held["text"], errors, *sides)


def view(
    errors: LinkErrors,
    words: tuple[list[list[str]] | None, list[list[str]] | None],
    *,
    system: str,
    text: str,
) -> PairView:
    """Put the words of a pair beside its errors."""
    src, tgt = (None if side is None else tuple(side[errors.pair]) for side in words)
    return PairView(system, text, errors, src, tgt)


def render(place: PairView, *, number: int) -> str:
    """Return a pair as text: its sentences, the links that are missing and those that are wrong."""
    errors = place.errors
    where = f"{place.text}, pair {errors.pair + 1}"
    counts = f"{len(errors.missing)} missing, {len(errors.wrong)} wrong, {errors.right} right"
    lines = [f"{number}. {place.system}, {where}: {counts}"]
    for mark, side in (("<", place.src), (">", place.tgt)):
        if side is not None:
            lines.append(f"  {mark} {' '.join(side)}")
    for name, links in (("missing", errors.missing), ("wrong", errors.wrong)):
        if links:
            told = ", ".join(_link(link, place.src, place.tgt) for link in links)
            lines.append(f"  {name:7} {told}")
    return "\n".join(map(printable, lines)) + "\n"


def _link(link: tuple[int, int], src: Sequence[str] | None, tgt: Sequence[str] | None) -> str:
    i, j = link
    positions = f"{'' if i < 0 else i}-{'' if j < 0 else j}"
    if src is None or tgt is None:
        return positions
    return f"{_word(i, src)}={_word(j, tgt)} ({positions})"


def _word(at: int, words: Sequence[str]) -> str:
    return words[at] if at >= 0 else _NOBODY
