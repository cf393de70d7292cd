"""Agreement of annotators about word links.

Only beads count that two annotators have alike, with the same sentences, and whose word links both
have confirmed: what nobody has looked at would pass for agreement, and links of other sentences
for disagreement.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitext.model import Counts
    from bitext.workbench.changes import Bead


class WordFigures(NamedTuple):
    """What is counted of the word links of two annotators; `+` adds beads."""

    # `sure`, `whole`: sure links of both, and links of both kinds, as `link_scores` counts them.
    sure: Counts
    whole: Counts
    # `first`, `second`: with the first annotator as the gold standard, whose possible links need
    # not be there; with the second.
    first: Counts
    second: Counts
    beads: int

    def __add__(self, other: object) -> WordFigures:
        if not isinstance(other, WordFigures):
            return NotImplemented
        return WordFigures(
            self.sure + other.sure,
            self.whole + other.whole,
            self.first + other.first,
            self.second + other.second,
            self.beads + other.beads,
        )


def word_figures(one: Iterable[Bead], other: Iterable[Bead]) -> WordFigures | None:
    """Count the word links of two annotators of a document; `None` if no bead counts.

    Notes
    -----
    Of sure links, and of all, F is the same whichever annotator is the gold standard. AER is not:
    a possible link of the gold standard may be left out, one of the other is a link like any.

    **Source**: F. J. Och and H. Ney, A Systematic Comparison of Various Statistical Alignment
    Models, Computational Linguistics 29, 2003, section 6 (AER).

    Examples
    --------
    >>> from bitext.workbench.changes import Bead
    >>> link = ("s", 0, "t", 0, "sure", None)
    >>> bead = Bead("b", ("s",), ("t",), words=(link,), linked=True)
    >>> other = bead._replace(words=(link, ("s", 1, "t", 1, "possible", None)))
    >>> figures = word_figures([bead], [other])
    >>> [round(value, 3) for value in (figures.whole.f1, figures.first.aer, figures.second.aer)]
    [0.667, 0.333, 0.0]

    """
    from bitext.metrics import link_scores
    from bitext.model import WordLinks

    theirs = {(bead.source, bead.target): bead for bead in other if bead.linked}
    pairs = [
        (bead, theirs[bead.source, bead.target])
        for bead in one
        if bead.linked and (bead.source, bead.target) in theirs
    ]
    if not pairs:
        return None
    # Possible links: marked as such, left out, or taken as sure.
    values: dict[str, list[list[str]]] = {"marked": [], "left out": [], "taken": []}
    for pair in pairs:
        places = _numbered(pair)
        for possible, own in values.items():
            own.append([_spelled(bead, places, possible) for bead in pair])
    marked, sure, whole = (
        [WordLinks.parse([each[k] for each in own]) for k in (0, 1)] for own in values.values()
    )
    return WordFigures(
        link_scores(sure[0], sure[1]),
        link_scores(whole[0], whole[1]),
        link_scores(marked[0], marked[1]),
        link_scores(marked[1], marked[0]),
        len(pairs),
    )


def _numbered(pair: Iterable[Bead]) -> tuple[dict[tuple[str, int], int], ...]:
    """Return a number for each word that a link of one of two beads names, of each side."""
    found: tuple[dict[tuple[str, int], int], ...] = ({}, {})
    for bead in pair:
        for one, i, other, j, _, _ in bead.words:
            found[0].setdefault((one, i), len(found[0]))
            found[1].setdefault((other, j), len(found[1]))
    return found


def _spelled(bead: Bead, places: Sequence[Mapping[tuple[str, int], int]], possible: str) -> str:
    kept = ("sure",) if possible == "left out" else ("sure", "possible")
    return " ".join(
        f"{places[0][a, i]}-{places[1][b, j]}{'p' * (possible == 'marked' and kind == 'possible')}"
        for a, i, b, j, kind, _ in bead.words
        if kind in kept
    )


def word_agreement(
    documents: Iterable[tuple[str, Mapping[str, Sequence[Bead]]]],
) -> list[dict[str, Any]]:
    """Return the agreement of each two annotators about word links, as JSON.

    Parameters
    ----------
    documents : iterable of (str, mapping of str to sequence of Bead)
        The name of each document, and the beads of its annotators.

    Returns
    -------
    list of dict
        By document, and over all of several (`document` is null): `annotators`, `beads`, `links`
        of each, `f1_sure`, `f1` (of links of both kinds), and `aer` with the first and the second
        annotator as the gold standard. Undefined figures are null.

    """
    rows, totals, count = [], dict[tuple[str, str], WordFigures](), 0
    for name, held in documents:
        found = {
            (a, b): figures
            for a, b in combinations(sorted(held), 2)
            if (figures := word_figures(held[a], held[b])) is not None
        }
        count += bool(found)
        for pair, figures in found.items():
            rows.append(_row(name, pair, figures))
            totals[pair] = totals[pair] + figures if pair in totals else figures
    if count > 1:
        rows += [_row(None, pair, figures) for pair, figures in sorted(totals.items())]
    return rows


def _row(name: str | None, pair: tuple[str, str], figures: WordFigures) -> dict[str, Any]:
    def defined(value: float) -> float | None:
        return None if math.isnan(value) else value

    return {
        "document": name,
        "annotators": list(pair),
        "beads": figures.beads,
        "links": [int(figures.whole.expected), int(figures.whole.proposed)],
        "f1_sure": defined(figures.sure.f1),
        "f1": defined(figures.whole.f1),
        "aer": [defined(figures.first.aer), defined(figures.second.aer)],
    }
