"""The places of alignments with most errors (`bitext score --errors`), collected text by text."""

from __future__ import annotations

import heapq
import shutil
import sys
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.corpora.pairing import TextSet
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.metrics.evaluation.links import LinkEvaluation
    from bitext.reports.alignment.excerpts import PlaceView
    from bitext.reports.links import PairView

ALL = sys.maxsize  # places of a system: more than any text has

View = TypeVar("View", "PlaceView", "PairView")

_COLUMNS = (100, 24)  # width and height of output that is no terminal, in characters


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


class _Collector(ABC):
    """A collector of places."""

    @abstractmethod
    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Take the text that was scored last."""

    @abstractmethod
    def rendered(self) -> list[str]:
        """Return the places as text."""

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the places as objects of JSON; `None` where they are text alone."""
        return None


class _Worst(_Collector, Generic[View]):
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


class _WorstPlaces(_Worst["PlaceView"]):
    """The worst places of each system, the worst first."""

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the worst places of a text."""
        del evaluation  # the comparisons have the places
        self.take(places_of(item.name, compared, list(self._worst), self._most))

    def rendered(self) -> list[str]:
        """Return the places as text, with their numbers."""
        from bitext.reports.alignment.excerpts import render

        columns = shutil.get_terminal_size(_COLUMNS).columns
        ranked = enumerate(self._ranked(), start=1)
        parts = [render(place, number=k, columns=columns) for k, place in ranked]
        return parts or ["no place differs from the gold standard\n"]


class _LinkPlaces(_Worst["PairView"]):
    """The sentence pairs of each system with most errors, the worst first; or all, in order."""

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the worst pairs of the last text of the evaluation."""
        from bitext.metrics.evaluation.links import LinkEvaluation

        del compared  # the evaluation has the links
        if isinstance(evaluation, LinkEvaluation):
            label = item.name or item.gold.name
            self.take(pairs_of(evaluation, label, list(self._worst), self._most))

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


class _Differences(_Collector):
    """Every difference of each system, text by text, in the order of the texts."""

    def __init__(self, systems: Sequence[str], *, printed: bool, min_matched: float) -> None:
        from bitext.reports.lettering import wants_colour

        self._systems = systems
        self._width = shutil.get_terminal_size(_COLUMNS).columns
        self._colour = printed and wants_colour()
        self._min_matched = min_matched
        self._parts: list[str] = []

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the differences of a text as lines."""
        from bitext.reports.alignment.page import error_lines

        del evaluation, compared  # the lines show bisegments, not places
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


class Places:
    """The places where systems differ from the gold standard, collected text by text.

    The first text decides between places of bisegments and sentence pairs of word links.

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

    def __init__(
        self,
        systems: Sequence[str],
        most: int | None,
        *,
        printed: bool = False,
        whole: bool = False,
        min_matched: float = 0.9,
    ) -> None:
        self.most = most or 0
        self._systems, self._printed = systems, printed
        self._whole, self._min_matched = whole and most == ALL, min_matched
        self._collected: _Collector | None = None

    def add(self, item: TextSet, evaluation: Evaluation, compared: Sequence[Comparison]) -> None:
        """Add the places of the text that was scored last."""
        if self.most:
            by_links = evaluation.metric != "arcade"
            self._collector(by_links=by_links).add(item, evaluation, compared)

    def take(self, views: Sequence[Sequence[Any]], *, by_links: bool) -> None:
        """Add the worst places of a text from a job, system by system."""
        collector = self._collector(by_links=by_links)
        if isinstance(collector, _Worst):
            collector.take(views)

    def _collector(self, *, by_links: bool) -> _Collector:
        if self._collected is None:
            if by_links:
                self._collected = _LinkPlaces(self._systems, self.most)
            elif self._whole:
                self._collected = _Differences(
                    self._systems, printed=self._printed, min_matched=self._min_matched
                )
            else:
                self._collected = _WorstPlaces(self._systems, self.most)
        return self._collected

    def rendered(self) -> list[str]:
        """Return the places as text."""
        return [] if self._collected is None else self._collected.rendered()

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the places as objects of JSON; `None` without --errors."""
        return None if self._collected is None else self._collected.to_json()
