"""Views of `bitext score` beside tables and pages: places with errors (--errors)."""

from __future__ import annotations

import heapq
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bitext.cli.score.options import ALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.corpora.pairing import TextSet
    from bitext.jobs import Failure, Outcome
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.links import LinkEvaluation
    from bitext.reports.alignment.excerpts import PlaceView
    from bitext.reports.links import PairView
    from bitext.scoring.alignments import ScoredTexts

__all__ = [
    "Differences",
    "LinkPlaces",
    "NoPlaces",
    "Scored",
    "Worst",
    "WorstPlaces",
    "collect_pairs",
    "collect_places",
    "pairs_of",
    "places_of",
]


@dataclass(slots=True, kw_only=True)
class Scored:
    """Results of scoring: here, by jobs, or from the shards of a corpus.

    Attributes
    ----------
    scored : ScoredTexts
        The counts of all texts, with notes on the files.
    places : NoPlaces
        The places to show.
    outcome : Outcome or None
        The outcome of the jobs; `None` without jobs.

    """

    scored: ScoredTexts
    places: NoPlaces
    outcome: Outcome | None = None

    @property
    def failures(self) -> Sequence[Failure]:
        """The texts that jobs gave up."""
        return self.outcome.failures if self.outcome is not None else ()


View = TypeVar("View", "PlaceView", "PairView")

_COLUMNS = (100, 24)  # width and height of output that is no terminal, in characters


class NoPlaces:
    """A collector of no places, and the base of collectors of places."""

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Take the text that was scored last."""

    def rendered(self) -> list[str]:
        """Return the places as text."""
        return []

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the places as objects of JSON; `None` without --errors."""
        return None


def collect_places(
    systems: Sequence[str], most: int | None, *, printed: bool, whole: bool, min_matched: float
) -> NoPlaces:
    """Return a collector of the places where systems differ from the gold standard.

    Parameters
    ----------
    systems : sequence of str
    most : int or None
        How many places of each system; `None` for none, `ALL` for all.
    printed : bool
        Whether all places are printed on standard output, in colour where it has some.
    whole : bool
        Whether all places are shown as whole texts, not as a list.
    min_matched : float
        The least share of both texts that is the same.

    """
    if not most:
        return NoPlaces()
    if most == ALL and whole:
        return Differences(systems, printed=printed, min_matched=min_matched)
    return WorstPlaces(systems, most)


def places_of(
    text: str, compared: Sequence[Comparison], systems: Sequence[str], most: int
) -> list[list[PlaceView]]:
    """Return the `most` worst places of a text, the worst first, of each system."""
    from bitext.metrics.evaluation.breakdown import worst_places
    from bitext.reports.alignment.excerpts import view

    return [
        [
            view(comparison, place, system=system, text=text)
            for place in worst_places(comparison, None if most == ALL else most)
        ]
        for system, comparison in zip(systems, compared, strict=True)
    ]


def collect_pairs(
    systems: Sequence[str], most: int | None, evaluation: LinkEvaluation | None = None
) -> NoPlaces:
    """Return a collector of the `most` sentence pairs with most errors, of each system.

    Without an `evaluation` the collector takes pairs from jobs (`Worst.take`).
    """
    return LinkPlaces(systems, most, evaluation) if most else NoPlaces()


def pairs_of(
    evaluation: LinkEvaluation, text: str, systems: Sequence[str], most: int
) -> list[list[PairView]]:
    """Return the `most` pairs of the last text with most errors, of each system, the worst first.

    All pairs (`ALL`) are in the order of the text.
    """
    from bitext.reports.links import view

    views = []
    for k, system in enumerate(systems):
        errors = evaluation.errors(k)
        if most < len(errors):
            errors = heapq.nsmallest(most, errors, key=lambda each: (-each.weight, each.pair))
        words = evaluation.last_words
        views.append([view(each, words, system=system, text=text) for each in errors])
    return views


class Worst(NoPlaces, Generic[View]):
    """The `most` worst views of each system, the worst first: places, or pairs of word links."""

    def __init__(self, systems: Sequence[str], most: int) -> None:
        self._most, self._texts = most, 0
        # A heap drops its least item. Numbers of texts and places are negative, so that of views
        # of equal weight the last is dropped.
        self._worst: dict[str, list[tuple[int, tuple[int, int], View]]] = {
            name: [] for name in systems
        }

    def take(self, views: Sequence[Sequence[View]]) -> None:
        """Add the views of a text, system by system; drop all but the worst."""
        for heap, ranked in zip(self._worst.values(), views, strict=True):
            for k, view in enumerate(ranked):
                heapq.heappush(heap, (view.weight, (-self._texts, -k), view))
                if len(heap) > self._most:
                    heapq.heappop(heap)
        self._texts += 1

    def _ranked(self) -> list[View]:
        return [
            view
            for heap in self._worst.values()
            for *_, view in sorted(heap, key=lambda place: place[:2], reverse=True)
        ]

    def to_json(self) -> list[dict[str, Any]]:
        """Return all views as objects of JSON, the worst of each system first."""
        return [place.to_json() for place in self._ranked()]


class WorstPlaces(Worst["PlaceView"]):
    """The worst places of each system, the worst first."""

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Add the worst places of a text."""
        self.take(places_of(item.name, compared, list(self._worst), self._most))

    def rendered(self) -> list[str]:
        """Return the places as text, with their numbers."""
        from bitext.reports.alignment.excerpts import render

        columns = shutil.get_terminal_size(_COLUMNS).columns
        ranked = enumerate(self._ranked(), start=1)
        parts = [render(place, number=k, columns=columns) for k, place in ranked]
        return parts or ["no place differs from the gold standard\n"]


class LinkPlaces(Worst["PairView"]):
    """The sentence pairs of each system with most errors, the worst first; or all, in order."""

    def __init__(
        self, systems: Sequence[str], most: int, evaluation: LinkEvaluation | None = None
    ) -> None:
        super().__init__(systems, most)
        self._evaluation = evaluation

    def add(self, item: TextSet, compared: Sequence[Any]) -> None:
        """Add the worst pairs of the last text of the evaluation."""
        del compared  # the evaluation has the links
        if self._evaluation is not None:
            label = item.name or item.gold.name
            self.take(pairs_of(self._evaluation, label, list(self._worst), self._most))

    def _ranked(self) -> list[PairView]:
        if self._most < ALL:
            return super()._ranked()
        return [
            view
            for heap in self._worst.values()
            for *_, view in sorted(heap, key=lambda place: place[1], reverse=True)
        ]

    def rendered(self) -> list[str]:
        """Return the pairs as text, with their numbers."""
        from bitext.reports.links import render

        parts = [render(place, number=k) for k, place in enumerate(self._ranked(), start=1)]
        return parts or ["no link differs from the gold standard\n"]


class Differences(NoPlaces):
    """Every difference of each system, text by text, in the order of the texts."""

    def __init__(self, systems: Sequence[str], *, printed: bool, min_matched: float) -> None:
        from bitext.reports.lettering import wants_colour

        self._systems = systems
        self._width = shutil.get_terminal_size(_COLUMNS).columns
        self._colour = printed and wants_colour()
        self._min_matched = min_matched
        self._parts: list[str] = []

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Add the differences of a text as lines."""
        from bitext.reports.alignment.page import error_lines

        del compared  # the lines show bisegments, not places
        for system, hyp in zip(self._systems, item.hyps, strict=True):
            lines = error_lines(
                item.gold,
                hyp,
                name=f"{system} {item.name}".strip(),
                width=self._width,
                colour=self._colour,
                min_matched=self._min_matched,
            )
            if part := "".join(f"{line}\n" for line in lines):
                self._parts.append(part)

    def rendered(self) -> list[str]:
        """Return the key of the marks, and the differences."""
        from bitext.reports.alignment.page import key_line

        if not self._parts:
            return ["nothing differs from the gold standard\n"]
        return [f"{key_line(colour=self._colour)}\n", *self._parts]
