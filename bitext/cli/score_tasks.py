"""Scoring by jobs that keeps what `--errors` shows beside the counts.

It is imported when that is asked for: the workers import it, too.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bitext.cli.score_places import places_of
from bitext.jobs.scoring import ScoreTask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.cli.score_places import WorstPlaces
    from bitext.formats.pairing import TextSet
    from bitext.metrics.comparison import Comparison

__all__ = ["PlacesTask"]


@dataclass(kw_only=True)
class PlacesTask(ScoreTask):
    """Scores systems on texts, and keeps the worst places of each.

    Attributes
    ----------
    most : int
        How many of each system and text.
    places : WorstPlaces or None
        Takes them.

    """

    most: int = 0
    places: WorstPlaces | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave at home what takes the places."""
        return {**super().__getstate__(), "places": None}

    def beside(self, one: TextSet, compared: Sequence[Comparison]) -> dict[str, Any]:
        """Return the worst places of a text."""
        systems = list(self.pairing.systems)
        found = places_of(one.name, compared, systems, self.most)
        return {"places": [[asdict(place) for place in places] for places in found]}

    def take(self, record: dict[str, Any]) -> None:
        """Hand on the worst places of a text."""
        if self.places is None:
            return
        from bitext.reports.places import restored

        self.places.take([[restored(held) for held in places] for places in record["places"]])
