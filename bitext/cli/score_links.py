"""What `bitext score` does where word links are scored: whether they are, and their errors."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from bitext.cli.score_options import ALL, measures_asked
from bitext.cli.score_places import NoPlaces
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.formats.pairing import Pairing, TextSet
    from bitext.metrics.link_evaluation import LinkEvaluation, LinkOptions, Misfit
    from bitext.reports.link_errors import PairView

__all__ = [
    "LINKS",
    "LinkPlaces",
    "link_options",
    "link_scoring",
    "refuse_link_options",
    "refuse_misfits",
    "scores_links",
]

LINKS = "links"
_BISEGMENTS = "score the bisegments (-g alignment, or another granularity)"


def scores_links(options: argparse.Namespace, item: TextSet) -> tuple[bool, list[str]]:
    """Tell whether word links are scored, and note which of two readings of the files was taken.

    They are where they are asked for (-g links), or where nothing is and all files have some.

    Raises
    ------
    InputError
        When only some of the files have word links, and these are of no use without.

    """
    from bitext.formats.word_pairs import OF_LINKS, holds_links
    from bitext.model.word_links import COLUMN

    asked = measures_asked(options)
    if asked is not None:
        return LINKS in asked, []
    bitexts = (item.gold, *item.hyps)
    having = [each for each in bitexts if holds_links(each)]
    if not having:
        odd = [each for each in bitexts if COLUMN in each.alignment.attributes]
        paths = dict.fromkeys(each.meta.get("path") or each.name for each in odd)
        return False, [
            f"bisegments are scored: the column {COLUMN} of {path} holds no word links"
            for path in paths
        ]
    lacking = [each for each in bitexts if not holds_links(each) and len(each.alignment)]
    if not lacking:
        if any(each.meta.get("format") not in OF_LINKS for each in bitexts):
            told = "word links are scored, as every file has some"
            return True, [f"{told}; -g alignment (or another granularity) scores the bisegments"]
        return True, []
    has, has_not = (each[0].meta.get("path") or each[0].name for each in (having, lacking))
    if any(each.meta.get("format") in OF_LINKS for each in having):
        raise InputError(
            f"{has} has word links and {has_not} has none; give links for all, or {_BISEGMENTS}"
        )
    return False, [
        f"bisegments are scored and word links are not: {has} has some and {has_not} has none"
    ]


def refuse_link_options(options: argparse.Namespace, *, jobs: bool = False) -> None:
    """Refuse options of word links where bisegments are scored, as by jobs."""
    if jobs and LINKS in (measures_asked(options) or ()):
        raise OptionError("-g links: word links are scored without jobs: leave --jobs and such out")
    given = [
        name
        for name, is_given in (
            ("--alpha", options.alpha != 0.5),
            ("--sure-only", options.sure_only),
            ("--null", options.null),
            ("--by", options.by is not None),
        )
        if is_given
    ]
    if given:
        raise OptionError(
            f"{given[0]} is for word links, and bisegments are scored: leave it out, or ask for "
            f"links (-g links)"
        )


def link_options(options: argparse.Namespace) -> LinkOptions:
    """Return how word links are scored; refuse options of bisegments."""
    from bitext.metrics.link_evaluation import LinkOptions

    asked = measures_asked(options) or (LINKS,)
    if len(asked) > 1:
        raise OptionError(f"-g {','.join(asked)}: links are scored by themselves: give -g links")
    for option, is_given in (
        ("--words", options.words != "space"),
        ("--characters", options.characters != "codepoint"),
        ("--similarity", options.similarity),
        ("--beads", options.beads),
        ("--store", options.store is not None),
    ):
        if is_given:
            raise OptionError(
                f"{option} is for bisegments, and word links are scored: leave it out, or "
                f"{_BISEGMENTS}"
            )
    return LinkOptions(
        alpha=options.alpha,
        sure_only=options.sure_only,
        null=options.null,
        by_part=options.by == "part",
        zero_division=options.zero_division,
        resamples=options.resamples,
        level=options.confidence,
        seed=options.seed,
        test=options.test,
    )


def link_scoring(
    options: argparse.Namespace, systems: Sequence[str]
) -> tuple[LinkEvaluation, NoPlaces]:
    """Return what scores word links, and what gathers the pairs with errors."""
    from bitext.metrics.link_evaluation import LinkEvaluation

    evaluation = LinkEvaluation(list(systems), link_options(options), missing=options.missing)
    places = LinkPlaces(evaluation, options.errors) if options.errors else NoPlaces()
    return evaluation, places


def bases_asked(given: Sequence[str], names: Sequence[str]) -> dict[str, int]:
    """Return where the word links of `gold` and of systems count from, as `--base` says.

    Raises
    ------
    OptionError
        When something else than 0 or 1 is said, of something else, or two things of one.

    """
    bases: dict[str, int] = {}
    for text in given:
        name, _, value = text.rpartition("=")
        name = name or "gold"
        if value not in {"0", "1"}:
            raise OptionError(f"--base {text}: want 0 or 1, or NAME=0 or NAME=1 for one system")
        if name not in names or names.count(name) > 1:
            what = "is the gold standard and a system: name the systems (--names)"
            if name not in names:
                what = f"is no system: want gold, or one of {', '.join(names[1:])}"
            raise OptionError(f"--base {text}: {name} {what}")
        if bases.setdefault(name, int(value)) != int(value):
            raise OptionError(f"--base: {name} counts from 0 or from 1: say one")
    return bases


def refuse_misfits(evaluation: LinkEvaluation, pairing: Pairing) -> None:
    """Refuse systems whose links fit only if sides are exchanged or positions shifted.

    Raises
    ------
    InputError
        With both figures and the options that read the files the other way.

    """
    for misfit in evaluation.misfits():
        name = list(pairing.systems)[misfit.system]
        what, remedies = [], []
        if misfit.shift:
            what.append("positions count from another base")
            remedies.append(_base_remedy(misfit, name, pairing))
        if misfit.swapped:
            what.append("source and target seem exchanged")
            swapped = name in pairing.swapped
            remedies.append(f"leave --swap {name} out" if swapped else f"--swap {name}")
        raise InputError(
            f"{pairing.systems[name]}: {' and '.join(what)} (F1 {misfit.given:.4f} as given, "
            f"{misfit.other:.4f} otherwise): score with {' and '.join(remedies)}, or as they are "
            f"with --no-swap-check"
        )


def _base_remedy(misfit: Misfit, name: str, pairing: Pairing) -> str:
    """Return the option by which the positions of gold standard and system meet."""
    raised, lowered = ("gold", name) if misfit.shift > 0 else (name, "gold")
    if name == "gold":  # which an option cannot tell from the gold standard
        return "--names NAME and " + _base_remedy(misfit, "NAME", pairing)
    # The positions of one are too high: it counts from 1, unless it has a 0, or that was said; then
    # the other one was lowered wrongly.
    has_zero = misfit.zeros[0 if raised == "gold" else 1]
    said = pairing.bases.get(raised) == 1
    if pairing.bases.get(lowered) == 1 and (has_zero or said):
        return f"--base {lowered}=0"
    return f"--base {raised}=0" if said else f"--base {raised}=1"


class LinkPlaces(NoPlaces):
    """The sentence pairs of each system with most errors, the worst first; or all, in order."""

    def __init__(self, evaluation: LinkEvaluation, most: int) -> None:
        self._evaluation, self._most, self._count = evaluation, most, 0
        self._worst: dict[str, list[tuple[int, int, PairView]]] = {
            name: [] for name in evaluation.systems
        }

    def add(self, item: TextSet, compared: Sequence[Any]) -> None:
        """Keep the worst pairs of a text, and drop those that others surpass."""
        from bitext.reports.link_errors import view

        del compared  # the evaluation has the links
        words = self._evaluation.last_words
        for system, (name, heap) in enumerate(self._worst.items()):
            for errors in self._evaluation.errors(system):
                self._count += 1
                key = (errors.weight, -self._count)
                if len(heap) >= self._most and key <= heap[0][:2]:
                    continue
                shown = view(errors, words, system=name, text=item.name or item.gold.name)
                heapq.heappush(heap, (*key, shown))
                if len(heap) > self._most:
                    heapq.heappop(heap)

    def _ranked(self) -> list[PairView]:
        order = (lambda place: -place[1]) if self._most == ALL else (
            lambda place: (-place[0], -place[1])
        )  # fmt: skip
        return [place[2] for heap in self._worst.values() for place in sorted(heap, key=order)]

    def rendered(self) -> list[str]:
        """Return each pair with its number."""
        from bitext.reports.link_errors import render

        parts = [render(place, number=k) for k, place in enumerate(self._ranked(), start=1)]
        return parts or ["no link differs from the gold standard\n"]

    def to_json(self) -> list[dict[str, Any]]:
        """Return each pair."""
        return [place.to_json() for place in self._ranked()]
