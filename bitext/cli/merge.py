"""`bitext merge`: the parts that shards made, put together; and scoring by parts or by jobs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bitext.cli.common import Parser
from bitext.cli.job_options import NO_JOBS, add_store
from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitext.jobs.parts import Parts

__all__ = ["run"]

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
    refuse_same(options.paths, filter(None, (options.output, options.store)))
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
    if name == "align":
        from bitext.cli.align_jobs import align_by_jobs

        return align_by_jobs
    raise InputError(f"{parts.paths[0]}: is of {name!r}, whose parts 'bitext merge' does not know")
