"""A corpus scored by jobs, or put together from the shards of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.cli.job_options import collect, nothing_done, run_jobs, split, tell_failures
from bitext.cli.score_links import LINKS, scores_links
from bitext.cli.score_options import measures_asked
from bitext.cli.score_places import Worst
from bitext.errors import BitextError, InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.cli.score_places import NoPlaces
    from bitext.formats.pairing import Pairing, Unpaired
    from bitext.jobs import Outcome
    from bitext.jobs.parts import Parts
    from bitext.jobs.scoring import Gathered, GatheredLinks, ScoreTask, SinglePairing
    from bitext.metrics.options import Options

__all__ = ["Scored", "links_by_jobs", "score_by_jobs"]

_READING = (
    "gold", "systems", "src", "tgt", "hyp_src", "hyp_tgt", "gold_format", "hyp_format", "formats",
    "encoding", "roots", "swapped", "missing", "partial", "bases", "where", "drafts", "columns",
)  # fmt: skip
_BY_LINKS = "word links"  # in the head of a journal: what `links_by_jobs` returned


class Scored:
    """A corpus that was scored by jobs, or by the shards that are merged.

    Attributes
    ----------
    evaluation : Gathered or GatheredLinks
        The counts, as if all texts had been scored here.
    outcome : Outcome
        What was done and what failed.
    notes : list of str
        What was odd in the files.
    aside : dict of str to list of str
        The files of folders that hold no alignment, by folder.

    """

    def __init__(
        self, evaluation: Gathered | GatheredLinks, outcome: Outcome, notes: list[str]
    ) -> None:
        self.evaluation, self.outcome, self.notes = evaluation, outcome, notes
        self.aside: dict[str, list[str]] = {}
        self.failures = outcome.failures

    def to_json(self) -> list[dict[str, str]]:
        """Return the failures."""
        return [{"text": each.name, "reason": each.reason} for each in self.failures]

    def status(self, options: argparse.Namespace) -> int:
        """Tell what failed; return the exit status."""
        return tell_failures(self.failures, options)


def _single(pairing: Pairing) -> SinglePairing:
    from bitext.jobs.scoring import SinglePairing

    return SinglePairing(**{name: getattr(pairing, name) for name in _READING})


def links_by_jobs(options: argparse.Namespace, pairing: Pairing) -> tuple[bool, list[str]]:
    """Tell whether word links are scored, and note which reading of the files was taken.

    The first text that can be read decides for all, as without jobs; of shards that are merged,
    their journals tell.
    """
    from bitext.jobs.scoring import score_documents

    asked = measures_asked(options)
    if asked is not None:
        return LINKS in asked, []
    parts = getattr(options, "parts", None)
    if parts is not None:
        by_links, told = parts.run.get(_BY_LINKS, (False, []))
        return by_links is True, [str(note) for note in told]
    single = _single(pairing)
    for document in score_documents(single):
        try:
            texts = single.one(*document.item)
        except BitextError:
            continue  # it fails by itself, as a job
        if texts:
            return scores_links(options, texts[0])
    return False, []


def score_by_jobs(
    options: argparse.Namespace,
    pairing: Pairing,
    scoring: Options,
    places: NoPlaces,
    by_links: tuple[bool, list[str]] = (False, []),
) -> Scored:
    """Score a corpus by jobs, as the options ask; what lacks a partner is put into the pairing.

    `by_links` is what `links_by_jobs` returns: a run goes on, and shards are merged, only where it
    is the same.
    """
    from bitext.formats.pairing import Unpaired
    from bitext.jobs import Outcome
    from bitext.jobs.scoring import ScoreTask, score_documents

    single = _single(pairing)
    run, shown = split("score", options)
    if any(by_links):
        run[_BY_LINKS] = list(by_links)
    given: dict[str, Any] = {
        "pairing": single,
        "options": scoring,
        "similar": options.similarity,
        "run": run,
        "presentation": shown,
    }
    task = ScoreTask(**given)
    if isinstance(places, Worst):
        from bitext.cli.score_tasks import PlacesTask

        task = PlacesTask(**given, most=options.errors, places=places)
    parts = getattr(options, "parts", None)
    if parts is not None:
        outcome = Outcome()
        outcome.output = task.assemble(collect(parts.results(), outcome.failures))
        wholes = parts.wholes
        _refuse_changed(parts)
    else:
        outcome = run_jobs(score_documents(single), task, options, what="texts scored")
        wholes = [task.whole()]
    notes = [*by_links[1], *(str(note) for note in task.notes.values())]
    found = Scored(outcome.output, outcome, notes)
    extra = [Unpaired(name, where, extra=True) for name, where in wholes[0]["extra"]]
    for path, name in wholes[0]["aside"]:
        found.aside.setdefault(path, []).append(name)
    pairing.unpaired[:] = [*task.unpaired, *extra]
    if options.shard is None:
        _settle(found, task, wholes, pairing.unpaired)
    return found


def _settle(
    found: Scored, task: ScoreTask, wholes: Sequence[dict[str, Any]], unpaired: list[Unpaired]
) -> None:
    """Refuse a corpus without a text; let a text that is the only one have its blocks."""
    from bitext.jobs.scoring import Gathered

    texts = found.evaluation.texts
    if not texts and found.failures:
        raise nothing_done(found.failures)
    if not texts:
        first = unpaired[0].name if unpaired else ""
        raise InputError(
            f"no text of {task.pairing.gold} has a partner of the same name in "
            f"{next(iter(task.pairing.systems.values()))}: {first!r} has none; name the files "
            f"alike, or pair them in manifests"
        )
    if len(texts) == 1 and isinstance(found.evaluation, Gathered):
        lone = next((whole["lone"] for whole in wholes if whole["lone"] is not None), None)
        if lone is not None:
            found.evaluation.take_units(lone)


def _refuse_changed(parts: Parts) -> None:
    """Refuse shards between which the corpus changed."""
    for path, whole in zip(parts.paths, parts.wholes, strict=True):
        for key in ("extra", "aside"):
            if whole[key] != parts.wholes[0][key]:
                raise InputError(
                    f"{path}: saw other files than {parts.paths[0]}; run the shards over one corpus"
                )
