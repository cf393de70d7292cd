"""What `bitext score --errors` shows: the worst places of each system, or every difference."""

from __future__ import annotations

import heapq
import shutil
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bitext.cli.score_options import ALL

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.formats.pairing import TextSet
    from bitext.metrics.comparison import Comparison
    from bitext.reports.link_errors import PairView
    from bitext.reports.places import PlaceView

__all__ = ["Differences", "NoPlaces", "Worst", "WorstPlaces", "places_asked", "places_of"]

View = TypeVar("View", "PlaceView", "PairView")

_COLUMNS = (100, 24)  # of what is no terminal


class NoPlaces:
    """Nothing: what is gathered where nobody asks for places."""

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Take a text that was scored just now."""

    def rendered(self) -> list[str]:
        """Return the places as text."""
        return []

    def to_json(self) -> list[dict[str, Any]] | None:
        """Return the places as JSON; `None` where nobody asked."""
        return None


def places_asked(systems: Sequence[str], style: str, options: argparse.Namespace) -> NoPlaces:
    """Return what gathers places as the options ask."""
    if not options.errors:
        return NoPlaces()
    if options.errors == ALL and style != "json":
        return Differences(systems, options)
    return WorstPlaces(systems, options.errors)


def places_of(
    text: str, compared: Sequence[Comparison], systems: Sequence[str], most: int
) -> list[list[PlaceView]]:
    """Return the so many worst places of a text, the worst first, of each system."""
    from bitext.metrics.breakdown import worst_places
    from bitext.reports.places import view

    return [
        [
            view(comparison, place, system=system, text=text)
            for place in worst_places(comparison, None if most == ALL else most)
        ]
        for system, comparison in zip(systems, compared, strict=True)
    ]


class Worst(NoPlaces, Generic[View]):
    """The so many worst of each system, the worst first: places, or pairs of word links."""

    def __init__(self, systems: Sequence[str], most: int) -> None:
        self._most, self._texts = most, 0
        # Of places that weigh the same, the first stay: hence the falling numbers.
        self._worst: dict[str, list[tuple[int, tuple[int, int], View]]] = {
            name: [] for name in systems
        }

    def take(self, found: Sequence[Sequence[View]]) -> None:
        """Keep the worst of a text, given system by system; drop those that others surpass."""
        for heap, places in zip(self._worst.values(), found, strict=True):
            for k, shown in enumerate(places):
                heapq.heappush(heap, (shown.weight, (-self._texts, -k), shown))
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
        """Return each."""
        return [place.to_json() for place in self._ranked()]


class WorstPlaces(Worst["PlaceView"]):
    """The so many worst places of each system, the worst first."""

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Keep the worst places of a text."""
        self.take(places_of(item.name, compared, list(self._worst), self._most))

    def rendered(self) -> list[str]:
        """Return each place with its number."""
        from bitext.reports.places import render

        columns = shutil.get_terminal_size(_COLUMNS).columns
        ranked = enumerate(self._ranked(), start=1)
        parts = [render(place, number=k, columns=columns) for k, place in ranked]
        return parts or ["no place differs from the gold standard\n"]


class Differences(NoPlaces):
    """Every difference of each system, text by text, in the order of the texts."""

    def __init__(self, systems: Sequence[str], options: argparse.Namespace) -> None:
        from bitext.reports.terminal import wants_colour

        self._systems = systems
        self._width = shutil.get_terminal_size(_COLUMNS).columns
        self._colour = options.output == "-" and wants_colour()
        self._min_matched = options.min_matched
        self._parts: list[str] = []

    def add(self, item: TextSet, compared: Sequence[Comparison]) -> None:
        """Put the differences of a text into lines."""
        from bitext.reports.alignment_text import error_lines

        del compared  # the lines tell of bisegments, not of places
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
        """Return the key of the signs, and the differences."""
        from bitext.reports.alignment_text import key_line

        if not self._parts:
            return ["nothing differs from the gold standard\n"]
        return [f"{key_line(colour=self._colour)}\n", *self._parts]
