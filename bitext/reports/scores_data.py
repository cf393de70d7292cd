"""What a page of scores shows: the figures of an evaluation, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple

from bitext.reports.lettering import cut, visible
from bitext.reports.scores import MARKS, caption
from bitext.reports.table import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.metrics.breakdown import BeadType
    from bitext.metrics.evaluation import Evaluation

__all__ = [
    "F1",
    "FIGURES",
    "Figure",
    "Score",
    "Scores",
    "headline",
    "leaders",
    "scores_of",
    "worst",
]

FIGURES = ("precision", "recall", "F1")
F1 = 2  # its place among the figures
_NAME = 20.0  # of a system, in font sizes
_NAMED = 3  # of those that share a lead
_HEADLINE = ("sentence", "character", "alignment")


class Figure(NamedTuple):
    """One figure: its value, its interval, and p against the first system; `nan` where unknown."""

    value: float
    low: float = nan
    high: float = nan
    p: float = nan

    @property
    def mark(self) -> str:
        """The stars of a difference that chance does not explain."""
        return next((mark for limit, mark in MARKS if self.p < limit), "")


class Score(NamedTuple):
    """One row of the table of systems.

    Attributes
    ----------
    measure, average : str
    system : int
        Its place among the systems.
    figures : tuple of Figure
        Precision, recall, F1.
    difference : float
        Of F1 from the first system; `nan` for the first, and where nothing was tested.
    undefined : str
        Why a value is `nan`.

    """

    measure: str
    average: str
    system: int
    figures: tuple[Figure, ...]
    difference: float
    undefined: str


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of systems on a corpus, as pages show them.

    Attributes
    ----------
    systems, measures, averages : tuple of str
    rows : tuple of Score
        Measure by measure, system by system, average by average.
    texts : tuple of str
    values : dict of str to list
        For each measure and system, precision, recall and F1 of each text.
    beads : tuple of list of BeadType
        For each system; empty where no breakdown was asked for.
    caption : str
        What a reader of the table has to know.

    """

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    averages: tuple[str, ...]
    rows: tuple[Score, ...]
    texts: tuple[str, ...]
    values: dict[str, list[list[tuple[float, ...]]]]
    beads: tuple[list[BeadType], ...]
    caption: str

    def of(self, measure: str) -> list[Score]:
        """Return the rows of a measure by the first average, system by system."""
        average = self.averages[0]
        return [row for row in self.rows if row.measure == measure and row.average == average]


def scores_of(evaluation: Evaluation, *, averages: Sequence[str] = ("micro",)) -> Scores:
    """Work out all that a page shows of an evaluation."""
    place = {system: k for k, system in enumerate(evaluation.systems)}
    tested = {
        (found.system, found.measure, found.average): found
        for average in averages
        for found in evaluation.differences(average=average)
    }
    rows = []
    for row in evaluation.rows(averages=averages, texts=False):
        found = tested.get((row.system, row.measure, row.average))
        ends = row.intervals or [(nan, nan)] * len(FIGURES)
        chances = found.p if found else (nan,) * len(FIGURES)
        cells = tuple(
            Figure(value, *end, p) for value, end, p in zip(row.values, ends, chances, strict=True)
        )
        difference = found.values[F1] if found else nan
        rows.append(
            Score(row.measure, row.average, place[row.system], cells, difference, row.undefined)
        )
    values: dict[str, list[list[tuple[float, ...]]]] = {
        measure: [[] for _ in place] for measure in evaluation.measures
    }
    for row in evaluation.rows(averages=()):
        values[row.measure][place[row.system]].append(row.values)
    return Scores(
        tuple(evaluation.systems),
        tuple(evaluation.measures),
        tuple(averages),
        tuple(rows),
        tuple(evaluation.texts),
        values,
        tuple(evaluation.bead_types(k) for k in range(len(place))) if evaluation.detailed else (),
        caption(evaluation, averages),
    )


def headline(scores: Scores) -> str:
    """Return the measure by which texts are ranked unless a reader chooses another."""
    return next((m for m in _HEADLINE if m in scores.measures), scores.measures[0])


def leaders(scores: Scores) -> str:
    """Tell in a sentence which system has the highest F1.

    Systems that share the highest F1 of a measure share the lead. Names are made harmless, and cut.
    """
    count = len(scores.measures)
    leads: dict[tuple[str, ...], int] = {}
    for measure in scores.measures:
        rows = scores.of(measure)
        best = max(
            (r.figures[F1].value for r in rows if not isnan(r.figures[F1].value)), default=nan
        )
        names = tuple(scores.systems[r.system] for r in rows if r.figures[F1].value == best)
        if names:
            leads[names] = leads.get(names, 0) + 1
    told = []
    for names, times in sorted(leads.items(), key=lambda item: -item[1]):
        have = "have" if len(names) > 1 else "has"
        shown = [cut(visible(name), _NAME) for name in names[:_NAMED]]
        if (others := len(names) - len(shown)) > 0:
            shown.append(many(others, "other"))
        where = "every granularity" if times == count > 1 else f"{times} of {count} granularities"
        told.append(f"{' and '.join(shown)} {have} the highest F1 at {where}")
    if count == 1:
        told = [text.replace("1 of 1 granularities", scores.measures[0]) for text in told]
    return "; ".join(told)


def worst(scores: Scores, system: int, *, measure: str, most: int) -> list[tuple[int, float]]:
    """Return the texts of least F1 of a system, the least first, as (text, F1); only imperfect."""
    values = [(each[F1], text) for text, each in enumerate(scores.values[measure][system])]
    return [(text, f1) for f1, text in sorted(v for v in values if v[0] < 1)[:most]]
