"""`bitext merge`: the parts that shards made, put together; and scoring by parts or by jobs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from bitext.cli.common import Parser
from bitext.cli.job_options import NO_JOBS, add_store, nothing_done, run_jobs, split, tell_failures
from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitext.formats.pairing import Pairing, Unpaired
    from bitext.jobs import Failure, Outcome, Result
    from bitext.jobs.parts import Parts
    from bitext.jobs.scoring import Gathered, ScoreTask
    from bitext.metrics.options import Options

__all__ = ["Scored", "collect", "run", "score_by_jobs"]

_EPILOG = """\
A shard is the command with --shard I/N and --journal PART. Its parts may be made on different
machines, in any order; what comes of them is what the command gives without --shard.

example, two shards and the whole:
  bitext score gold/ system/ --shard 1/2 --journal part1
  bitext score gold/ system/ --shard 2/2 --journal part2
  bitext merge scores.json part1 part2
"""


def parser() -> Parser:
    """Return the parser."""
    made = Parser(
        prog="bitext merge",
        description="Put together what the shards of a command did.",
        epilog=_EPILOG,
    )
    made.add_argument("output", metavar="OUT", help="what to write; - for standard output")
    made.add_argument("paths", metavar="PART", nargs="+", help="the journal of each shard")
    made.add_argument("--json", action="store_true", help="one JSON document")
    made.add_argument("--format", choices=("table", "tsv", "markdown", "latex"), help="of tables")
    add_store(made)
    made.add_argument("-q", "--quiet", action="store_true", help="no notes and no progress")
    made.add_argument("-v", "--verbose", action="store_true", help="every note, not a few")
    return made


def run(arguments: Sequence[str]) -> int:
    """Merge."""
    from bitext.formats.writing import refuse_same
    from bitext.jobs.parts import Parts

    options = parser().parse_args(arguments)
    refuse_same(options.paths, [options.output])
    with Parts(options.paths) as parts:
        held = argparse.Namespace(**NO_JOBS)
        vars(held).update(parts.shown)
        vars(held).update(parts.run.get("options", {}))
        for name in ("output", "json", "format", "quiet", "verbose", "store"):
            setattr(held, name, getattr(options, name))
        held.parts = parts
        return _command(parts)(held)


def _command(parts: Parts) -> Callable[[argparse.Namespace], int]:
    """Return what makes the output of the command whose parts these are."""
    name = parts.run.get("command")
    if name == "score":
        from bitext.cli.score import score

        return score
    if name == "convert":
        from bitext.cli.convert import convert

        return convert
    if name == "compare":  # which reads its files again
        from bitext.cli.compare import compare

        return compare
    if name == "cluster":
        from bitext.cli.cluster import cluster

        return cluster
    raise InputError(f"{parts.paths[0]}: is of {name!r}, whose parts 'bitext merge' does not know")


def collect(results: Iterator[Result], failures: list[Failure]) -> Iterator[Result]:
    """Pass results on, and note those that failed."""
    from bitext.jobs import Failure

    for result in results:
        if result.failed:
            failures.append(Failure(result.number, result.name, result.failed))
        yield result


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
    aside : list of str
        The files of folders that hold no alignment.

    """

    def __init__(self, evaluation: Gathered, outcome: Outcome, notes: list[str]) -> None:
        self.evaluation, self.outcome, self.notes = evaluation, outcome, notes
        self.aside: list[str] = []
        self.failures = outcome.failures

    def to_json(self) -> list[dict[str, str]]:
        """Return the failures."""
        return [{"text": each.name, "reason": each.reason} for each in self.failures]

    def status(self, options: argparse.Namespace) -> int:
        """Tell what failed; return the exit status."""
        return tell_failures(self.failures, options)


def score_by_jobs(options: argparse.Namespace, pairing: Pairing, scoring: Options) -> Scored:
    """Score a corpus by jobs, as the options ask; what lacks a partner is put into the pairing."""
    from bitext.formats.pairing import Unpaired
    from bitext.jobs import Outcome
    from bitext.jobs.scoring import ScoreTask, SinglePairing, score_documents

    single = SinglePairing(**{name: getattr(pairing, name) for name in _READING})
    run, shown = split("score", options)
    task = ScoreTask(
        pairing=single, options=scoring, similar=options.similarity, run=run, presentation=shown
    )
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
    found.aside = [f"{path}: {name} holds no alignment" for path, name in wholes[0]["aside"]]
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


_READING = (
    "gold", "systems", "src", "tgt", "hyp_src", "hyp_tgt", "gold_format", "hyp_format", "encoding",
    "roots", "swapped", "missing", "partial",
)  # fmt: skip
