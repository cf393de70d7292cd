"""A corpus scored by jobs, or put together from the shards of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.cli.job_options import collect, nothing_done, run_jobs, split, tell_failures
from bitext.cli.score_places import WorstPlaces
from bitext.errors import InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.cli.score_places import NoPlaces
    from bitext.formats.pairing import Pairing, Unpaired
    from bitext.jobs import Outcome
    from bitext.jobs.parts import Parts
    from bitext.jobs.scoring import Gathered, ScoreTask
    from bitext.metrics.options import Options

__all__ = ["Scored", "score_by_jobs"]

_READING = (
    "gold", "systems", "src", "tgt", "hyp_src", "hyp_tgt", "gold_format", "hyp_format", "formats",
    "encoding", "roots", "swapped", "missing", "partial", "bases", "where", "drafts", "columns",
)  # fmt: skip


class Scored:
    """A corpus that was scored by jobs, or by the shards that are merged.

    Attributes
    ----------
    evaluation : Gathered
        The counts, as if all texts had been scored here.
    outcome : Outcome
        What was done and what failed.
    notes : list of str
        What was odd in the files.
    aside : dict of str to list of str
        The files of folders that hold no alignment, by folder.

    """

    def __init__(self, evaluation: Gathered, outcome: Outcome, notes: list[str]) -> None:
        self.evaluation, self.outcome, self.notes = evaluation, outcome, notes
        self.aside: dict[str, list[str]] = {}
        self.failures = outcome.failures

    def to_json(self) -> list[dict[str, str]]:
        """Return the failures."""
        return [{"text": each.name, "reason": each.reason} for each in self.failures]

    def status(self, options: argparse.Namespace) -> int:
        """Tell what failed; return the exit status."""
        return tell_failures(self.failures, options)


def score_by_jobs(
    options: argparse.Namespace, pairing: Pairing, scoring: Options, places: NoPlaces
) -> Scored:
    """Score a corpus by jobs, as the options ask; what lacks a partner is put into the pairing."""
    from bitext.formats.pairing import Unpaired
    from bitext.jobs import Outcome
    from bitext.jobs.scoring import ScoreTask, SinglePairing, score_documents

    single = SinglePairing(**{name: getattr(pairing, name) for name in _READING})
    run, shown = split("score", options)
    given: dict[str, Any] = {
        "pairing": single,
        "options": scoring,
        "similar": options.similarity,
        "run": run,
        "presentation": shown,
    }
    task = ScoreTask(**given)
    if isinstance(places, WorstPlaces):
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
    found = Scored(outcome.output, outcome, [str(note) for note in task.notes.values()])
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
    if len(texts) == 1:
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
