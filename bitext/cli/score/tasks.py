"""Scoring by jobs that keeps what `--errors` shows beside the counts.

It is imported when that is asked for: the workers import it, too.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bitext.cli.score.links import (
    pairs_of,
)
from bitext.cli.score.views import Worst, places_of
from bitext.jobs.scoring import ScoreTask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.corpora.pairing import TextSet
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.reports.alignment.places import PlaceView
    from bitext.reports.links.data import PairView

__all__ = ["PlacesTask"]


@dataclass(kw_only=True)
class PlacesTask(ScoreTask):
    """Scores systems on texts, and keeps the worst places of each, or pairs of word links.

    Attributes
    ----------
    most : int
        How many of each system and text.
    places : Worst or None
        Takes them.

    """

    most: int = 0
    places: Worst[Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave at home what takes the places."""
        return {**super().__getstate__(), "places": None}

    def beside(
        self, one: TextSet, compared: Sequence[Comparison], evaluation: Evaluation
    ) -> dict[str, Any]:
        """Return the worst places of a text."""
        from bitext.metrics.evaluation.links import LinkEvaluation

        systems = list(self.pairing.systems)
        found: Sequence[Sequence[PlaceView | PairView]]
        if isinstance(evaluation, LinkEvaluation):
            found = pairs_of(evaluation, one.name or one.gold.name, systems, self.most)
        else:
            found = places_of(one.name, compared, systems, self.most)
        return {"places": [[asdict(place) for place in those] for those in found]}

    def take(self, record: dict[str, Any]) -> None:
        """Hand on the worst places of a text."""
        if self.places is None:
            return
        from bitext.metrics.evaluation.links import LinkOptions
        from bitext.reports.alignment import places
        from bitext.reports.links import data as link_errors

        by_links = isinstance(self.options, LinkOptions)
        restored = link_errors.restored if by_links else places.restored
        self.places.take([[restored(held) for held in those] for those in record["places"]])
