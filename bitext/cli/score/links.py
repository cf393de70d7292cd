"""Word links in `bitext score`: when they are scored, misfits of their files, and their errors."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from bitext.cli.score.options import ALL, BISEGMENTS, LINKS
from bitext.cli.score.views import NoPlaces, Worst
from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.corpora.pairing import Pairing, TextSet
    from bitext.metrics.evaluation.links import LinkEvaluation, Misfit
    from bitext.reports.links.data import PairView

__all__ = [
    "LinkPlaces",
    "collect_pairs",
    "pairs_of",
    "refuse_misfits",
    "scores_links",
]


def scores_links(measures: Sequence[str] | None, item: TextSet) -> tuple[bool, list[str]]:
    """Return `True` where word links are scored, not bisegments, and notes on the choice.

    Word links are scored where `measures` names them, or where it is `None` and all files have
    some.

    Raises
    ------
    InputError
        When only some of the files have word links, and one of these is in a format of word links.

    """
    from bitext.formats.word_links import OF_LINKS, holds_links
    from bitext.model.word_links import COLUMN

    if measures is not None:
        return LINKS in measures, []
    bitexts = (item.gold, *item.hyps)
    having = [each for each in bitexts if holds_links(each)]
    if not having:
        without = [each for each in bitexts if COLUMN in each.alignment.attributes]
        paths = dict.fromkeys(each.meta.get("path") or each.name for each in without)
        return False, [
            f"bisegments are scored: the column {COLUMN} of {path} holds no word links"
            for path in paths
        ]
    lacking = [each for each in bitexts if not holds_links(each) and len(each.alignment)]
    if not lacking:
        if any(each.meta.get("format") not in OF_LINKS for each in bitexts):
            reason = "word links are scored, as every file has some"
            return True, [f"{reason}; -g alignment (or another granularity) scores the bisegments"]
        return True, []
    has, has_not = (each[0].meta.get("path") or each[0].name for each in (having, lacking))
    if any(each.meta.get("format") in OF_LINKS for each in having):
        raise InputError(
            f"{has} has word links and {has_not} has none; give links for all, or {BISEGMENTS}"
        )
    return False, [
        f"bisegments are scored and word links are not: {has} has some and {has_not} has none"
    ]


def refuse_misfits(evaluation: LinkEvaluation, pairing: Pairing) -> None:
    """Refuse systems whose links fit only if sides are exchanged or positions shifted.

    Raises
    ------
    InputError
        With both F1 and the options that read the files the other way.

    """
    for misfit in evaluation.misfits():
        name = list(pairing.systems)[misfit.system]
        causes, remedies = [], []
        if misfit.shift:
            causes.append("positions count from another base")
            remedies.append(_base_remedy(misfit, name, pairing))
        if misfit.swapped:
            causes.append("source and target seem exchanged")
            swapped = name in pairing.swapped
            remedies.append(f"leave --swap {name} out" if swapped else f"--swap {name}")
        raise InputError(
            f"{pairing.systems[name]}: {' and '.join(causes)} (F1 {misfit.given:.4f} as given, "
            f"{misfit.other:.4f} otherwise): score with {' and '.join(remedies)}, or as they are "
            f"with --no-swap-check"
        )


def _base_remedy(misfit: Misfit, name: str, pairing: Pairing) -> str:
    """Return the option by which the positions of gold standard and system meet."""
    raised, lowered = ("gold", name) if misfit.shift > 0 else (name, "gold")
    if name == "gold":  # --base gold=1 would be of the gold standard
        return "--names NAME and " + _base_remedy(misfit, "NAME", pairing)
    # The positions of `raised` are too high by 1: it counts from 1, unless it has a position 0 or
    # --base said so already. Then --base has lowered the other one wrongly.
    has_zero = misfit.zeros[0 if raised == "gold" else 1]
    said = pairing.bases.get(raised) == 1
    if pairing.bases.get(lowered) == 1 and (has_zero or said):
        return f"--base {lowered}=0"
    return f"--base {raised}=0" if said else f"--base {raised}=1"


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
    from bitext.reports.links.data import view

    views = []
    for k, system in enumerate(systems):
        errors = evaluation.errors(k)
        if most < len(errors):
            errors = heapq.nsmallest(most, errors, key=lambda each: (-each.weight, each.pair))
        words = evaluation.last_words
        views.append([view(each, words, system=system, text=text) for each in errors])
    return views


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
        from bitext.reports.links.data import render

        parts = [render(place, number=k) for k, place in enumerate(self._ranked(), start=1)]
        return parts or ["no link differs from the gold standard\n"]
