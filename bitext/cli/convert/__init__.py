"""`bitext convert`: alignments from one format to another, and what is lost on the way."""

from __future__ import annotations

import json
import time
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

from bitext.cli.common import deliver, protected_outputs, tell
from bitext.cli.console import Progress, say
from bitext.cli.convert.request import parsed, roots_wanted
from bitext.cli.job_options import (
    collect,
    nothing_done,
    run_jobs,
    shard_done,
    split,
)
from bitext.errors import InputError, masked

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from bitext.cli.convert.request import ConvertRequest
    from bitext.formats.convert.conversion import Outcome, Task
    from bitext.jobs import Outcome as Done
    from bitext.model import Note

__all__ = ["convert", "run"]

_SHOWN = 5  # bad units that are told


def run(arguments: Sequence[str]) -> int:
    """Convert; return 1 if something could not be read and was left out, 0 otherwise."""
    request = parsed(arguments)
    with protected_outputs(request):
        return convert(request)


def convert(request: ConvertRequest) -> int:
    """Convert as requested, here or by jobs; or put together what shards did."""
    folders: list[Path] = []
    try:
        return _converted(request, folders)
    finally:
        if request.shard is None:  # other shards may count on them
            from bitext.formats.io.remote import remove_empty

            remove_empty(folders)


def _converted(request: ConvertRequest, folders: list[Path]) -> int:
    """Convert; append the folders created for outputs to `folders`."""
    merged = request.parts is not None
    work, notes, by_jobs, in_folder = request.resolve()
    if in_folder:
        from bitext.formats.io.remote import make_folder_of

        for task in work:
            folders += make_folder_of(task.output.partition(",")[0])
    roots = [*map(str, roots_wanted(work))]
    begun = time.monotonic()
    outcomes: list[Outcome] = []
    if by_jobs:
        outcomes, roots, done = _by_jobs(work, roots, request)
        if request.shard is not None:
            return shard_done(done, request)
        if done.failures and len(done.failures) == len(outcomes):
            raise nothing_done(done.failures)
    else:
        with closing(_outcomes(work, request)) as running:
            for outcome in running:
                outcomes.append(outcome)
                _spare(request)
                _stop(outcomes, work, request)
    if request.report and not merged:
        _report(outcomes, request.report)
    if request.json or merged:
        document = {
            "schema": "bitext.convert/1",
            "files": [*map(asdict, outcomes)],
            "roots": roots,
        }
        text = masked(json.dumps(document, ensure_ascii=False)) + "\n"
        if merged:
            deliver(text, request)
        else:
            say([text])
    _tell(outcomes, request, time.monotonic() - begun, roots)
    tell(notes, request)
    return 1 if any(found.failed or found.bad_count for found in outcomes) else 0


def _by_jobs(
    work: list[Task], roots: list[str], request: ConvertRequest
) -> tuple[list[Outcome], list[str], Done]:
    """Do the tasks by jobs, or take what shards did; return the roots for their outputs, too."""
    from bitext.jobs import Outcome as Done
    from bitext.jobs.tasks import ConvertTask, conversion_documents

    run, shown = split("convert", request)
    task = ConvertTask(
        to=request.to, watch=lambda: _spare(request), roots=roots, run=run, presentation=shown
    )
    if (parts := request.parts) is not None:
        done = Done()
        done.output = task.assemble(collect(parts.results(), done.failures))
        roots = list(dict.fromkeys(root for whole in parts.wholes for root in whole["roots"]))
    else:
        done = run_jobs(conversion_documents(work), task, request, what="files")
    return done.output, roots, done


def _spare(request: ConvertRequest) -> None:
    """Raise an error where the report would replace what was read by now."""
    from bitext.formats.io.clashes import refuse_writing

    if request.report:
        refuse_writing([request.report])


def _stop(outcomes: list[Outcome], work: list[Task], request: ConvertRequest) -> None:
    """Raise the error of the last outcome, if it failed and that is to be the end."""
    if outcomes[-1].failed and not request.keep_going:
        raise InputError(outcomes[-1].failed + _so_far(outcomes[:-1], work))


def _so_far(outcomes: list[Outcome], work: list[Task]) -> str:
    """Tell how many files were written before an error; those stay."""
    if len(work) == 1:
        return ""
    return (
        f" ({len(outcomes):,} of {len(work):,} files were written before this; --keep-going "
        f"goes on with the others)"
    )


def _outcomes(work: list[Task], request: ConvertRequest) -> Generator[Outcome]:
    """Do the tasks; tell how far they are: by bisegments where there is one, else by files."""
    from bitext.formats.convert.conversion import convert as convert_one
    from bitext.formats.convert.conversion import convert_all

    if len(work) > 1:
        progress = Progress("files", len(work), quiet=request.quiet)
        yield from progress.over(convert_all(work))
        return
    progress = Progress("bisegments", quiet=request.quiet)
    try:
        for task in work:
            yield convert_one(task, on_part=progress.add)
    finally:
        progress.end()


def _report(outcomes: list[Outcome], path: str) -> None:
    """Write what could not be read, one JSON object each."""
    from bitext.formats.io.output import write_whole

    with write_whole(path) as out:
        for outcome in outcomes:
            for bad in outcome.bad:
                found = {"file": masked(bad.path), "line": bad.line, "message": bad.message}
                out.write(json.dumps(found, ensure_ascii=False) + "\n")
            if outcome.failed:
                found = {"file": masked(outcome.output), "line": None, "message": outcome.failed}
                out.write(json.dumps(found, ensure_ascii=False) + "\n")


def _tell(
    outcomes: list[Outcome], request: ConvertRequest, seconds: float, roots: list[str]
) -> None:
    """Tell what was done, what was lost, and what was odd."""
    pairs = sum(found.pairs for found in outcomes)
    beads = sum(found.bisegments for found in outcomes)
    files = sum(sum(found.formats.values()) for found in outcomes)
    bad = [each for found in outcomes for each in found.bad]
    count = sum(found.bad_count for found in outcomes)
    failed = [found for found in outcomes if found.failed]
    done = f"{_many(beads, 'bisegment')} of {_many(pairs, 'document pair')}"
    took = f" in {seconds:,.0f} s" if seconds >= 1 else ""
    lines = [f"{done} from {_many(files, 'file')}{took}"]
    lines += [f"lost: {note}" for note in _pooled([found.losses for found in outcomes])]
    lines += [f"left out: {note}" for note in _pooled([found.dropped for found in outcomes])]
    lines += [f"changed: {note}" for note in _pooled([found.changed for found in outcomes])]
    lines += [f"the documents are found with --root {root}" for root in roots]
    tell(lines, request, most=len(lines))
    shown = bad if request.verbose else bad[:_SHOWN]
    lines = [f"not read: {each.message}" for each in shown]
    if count > len(shown):
        more = count - len(shown)
        lines.append(f"not read: and {more:,} more, {count:,} in all (--verbose, --report FILE)")
    lines += [f"not written: {found.failed}" for found in failed]
    tell(lines, request, most=len(lines), failed=True)
    tell(map(str, _pooled([found.notes for found in outcomes])), request)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _pooled(groups: Sequence[Sequence[Note]]) -> tuple[Note, ...]:
    """Add up notes of the same kind."""
    from bitext.formats.io.source import Notes

    pooled = Notes()
    for group in groups:
        for note in group:
            pooled.add(note.kind, note.first, note.count)
    return pooled.all()
