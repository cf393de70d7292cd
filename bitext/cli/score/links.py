"""What `bitext score` does where word links are scored: whether they are, and their errors."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from bitext.cli.score.options import ALL, measures_asked
from bitext.cli.score.views import NoPlaces, Worst
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.formats.corpora.pairing import Pairing, TextSet
    from bitext.metrics.evaluation.links import LinkEvaluation, LinkOptions, Misfit
    from bitext.reports.links.data import PairView

__all__ = [
    "LINKS",
    "LinkPlaces",
    "link_job",
    "link_options",
    "link_scoring",
    "pairs_of",
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
    from bitext.formats.word_links import OF_LINKS, holds_links
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


def refuse_link_options(options: argparse.Namespace) -> None:
    """Refuse options of word links where bisegments are scored."""
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
    from bitext.metrics.evaluation.links import LinkOptions

    asked = measures_asked(options) or (LINKS,)
    if len(asked) > 1:
        raise OptionError(f"-g {','.join(asked)}: links are scored by themselves: give -g links")
    for option, is_given in (
        ("--words", options.words != "space"),
        ("--characters", options.characters != "codepoint"),
        ("--similarity", options.similarity),
        ("--beads", options.beads),
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
    """Return the evaluation of word links, and the collector of pairs with errors."""
    from bitext.metrics.evaluation.links import LinkEvaluation

    evaluation = LinkEvaluation(list(systems), link_options(options), missing=options.missing)
    if not options.errors:
        return evaluation, NoPlaces()
    return evaluation, LinkPlaces(systems, options.errors, evaluation)


def link_job(options: argparse.Namespace, systems: Sequence[str]) -> tuple[LinkOptions, NoPlaces]:
    """Return how jobs score word links, and what takes the pairs with errors that they find.

    Raises
    ------
    OptionError
        For options that do not go with word links, and for what jobs do not hand over.

    """
    if options.by is not None:
        raise OptionError(
            f"--by {options.by} wants the words of all texts, which jobs do not hand over: leave "
            f"it out, or leave --jobs and such out"
        )
    if options.html is not None:
        raise OptionError(
            f"--html {options.html} shows the links of all pairs, which jobs do not hand over: "
            f"leave it out, or score without jobs"
        )
    places = LinkPlaces(systems, options.errors) if options.errors else NoPlaces()
    return link_options(options), places


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


def pairs_of(
    evaluation: LinkEvaluation, text: str, systems: Sequence[str], most: int
) -> list[list[PairView]]:
    """Return the so many pairs of the last text with most errors, of each system, worst first.

    Where all are asked for, they are in the order of the text.
    """
    from bitext.reports.links.data import view

    found = []
    for k, system in enumerate(systems):
        errors = evaluation.errors(k)
        if most < len(errors):
            errors = heapq.nsmallest(most, errors, key=lambda each: (-each.weight, each.pair))
        words = evaluation.last_words
        found.append([view(each, words, system=system, text=text) for each in errors])
    return found


class LinkPlaces(Worst["PairView"]):
    """The sentence pairs of each system with most errors, the worst first; or all, in order."""

    def __init__(
        self, systems: Sequence[str], most: int, evaluation: LinkEvaluation | None = None
    ) -> None:
        super().__init__(systems, most)
        self._evaluation = evaluation

    def add(self, item: TextSet, compared: Sequence[Any]) -> None:
        """Keep the worst pairs of the text that the evaluation was given last."""
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
        """Return each pair with its number."""
        from bitext.reports.links.data import render

        parts = [render(place, number=k) for k, place in enumerate(self._ranked(), start=1)]
        return parts or ["no link differs from the gold standard\n"]
