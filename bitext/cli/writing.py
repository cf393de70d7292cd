"""How commands write files, each from several others: here, by jobs, or from the shards of a run.

`convert`, `combine`, `compose` and `join` differ in the work on a file, its result and their
reports, which the methods of their requests have.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from bitext.cli.common import json_line, note_on_written
from bitext.cli.console import Progress, write_out
from bitext.cli.job_options import refuse_all_failed
from bitext.cli.request import JobRequest
from bitext.errors import BitextError, InputError, masked

if TYPE_CHECKING:
    from pathlib import Path

    from bitext.jobs import Outcome, Task
    from bitext.jobs.tasks import OutputWork, WrittenFile

Written = TypeVar("Written", bound="WrittenFile")


class OutputPlan(NamedTuple, Generic[Written]):
    """The work, a value for each output, and what is known of the inputs."""

    work: Sequence[OutputWork[Written]]
    facts: dict[str, list[str]]  # about the whole, which journals record, as notes on the inputs
    by_jobs: bool
    in_folder: bool  # outputs go into a folder, which may have to be made
    notes: Sequence[str] = ()  # on the inputs, beside the facts


class WritingRequest(JobRequest, Generic[Written]):
    """The options of commands that write files, each from several others."""

    command: ClassVar[str]  # the name of the command
    unit: ClassVar[str] = "texts"  # of the progress of a single output
    keep_going: bool = False  # whether outputs that cannot be written are left out

    def resolve(self) -> OutputPlan[Written]:
        """Check options, paths and clashes before any work; return the work."""
        raise NotImplementedError

    def failed(self, work: OutputWork[Written], reason: str) -> Written:
        """Return the result of work for which nothing was written."""
        raise NotImplementedError

    def task(self, plan: OutputPlan[Written], **described: Any) -> Task:
        """Return the task of jobs, with the options by which it is `described`."""
        raise NotImplementedError

    def summarise(
        self, results: Sequence[Written], plan: OutputPlan[Written], seconds: float
    ) -> None:
        """Print the counts, losses, failures and notes of all outputs."""
        raise NotImplementedError

    def prepared(self, plan: OutputPlan[Written], stack: ExitStack) -> OutputPlan[Written]:
        """Return the plan with what the work needs; `stack` ends that after the run."""
        del stack
        return plan

    def compared(
        self, plan: OutputPlan[Written], shared: Mapping[str, Any]
    ) -> Sequence[OutputWork[Written]]:
        """Return the work for jobs, with what depends on other files of the run."""
        del shared
        return plan.work

    def is_complete(self, result: Written) -> bool:
        """Check whether an output was written, and nothing of its inputs left out as unreadable."""
        return not result.failed

    def watch(self) -> None:
        """Check what is written last against the files that were read so far."""

    def document(self, results: Sequence[Written], plan: OutputPlan[Written]) -> dict[str, Any]:
        """Return the JSON document."""
        del plan
        return {"schema": f"bitext.{self.command}/1", "files": [*map(asdict, results)]}


def write_outputs(request: WritingRequest[Written]) -> int:
    """Write files here or by jobs, or merge the results of shards; return the exit status."""
    folders: list[Path] = []
    try:
        with ExitStack() as stack:
            return _write(request, folders, stack)
    finally:
        if request.shard is None:  # other shards may write into the same folders
            from bitext.formats.io.remote import remove_empty

            remove_empty(folders)


def _write(request: WritingRequest[Written], folders: list[Path], stack: ExitStack) -> int:
    """Write; append the folders created for outputs to `folders`."""
    plan = request.prepared(request.resolve(), stack)
    if plan.in_folder:
        from bitext.formats.io.remote import make_folder_of, two_files

        for item in plan.work:
            for output in item.outputs():
                folders += make_folder_of((two_files(output) or (output,))[0])
    start_time = time.monotonic()
    results: list[Written] = []
    if plan.by_jobs:
        done = _by_jobs(request, plan)
        if request.shard is not None:
            return request.finish_shard(done)
        results = done.output
        facts = {name: request.of_shards(name, own) for name, own in plan.facts.items()}
        plan = plan._replace(facts=facts)
        refuse_all_failed(done.failures, len(results) - len(done.failures))
    else:
        with closing(_results(request, plan.work)) as running:
            for result in running:
                results.append(result)
                request.watch()
                if result.failed and not request.keep_going:
                    written = note_on_written(len(results) - 1, len(plan.work))
                    raise InputError(result.failed + written)
    request.summarise(results, plan, time.monotonic() - start_time)
    if request.json or request.parts is not None:
        text = masked(json_line(request.document(results, plan)))
        if request.parts is not None:
            request.deliver(text)
        else:
            write_out([text])
    return 0 if all(map(request.is_complete, results)) else 1


def _write_each(
    request: WritingRequest[Written], work: Sequence[OutputWork[Written]]
) -> Iterator[Written]:
    """Write one after another; an error is the result of its file."""
    for item in work:
        try:
            yield item.write()
        except BitextError as error:
            yield request.failed(item, str(error))


def _results(
    request: WritingRequest[Written], work: Sequence[OutputWork[Written]]
) -> Generator[Written]:
    """Write one after another; show the progress in a unit for one output, in files for several."""
    if len(work) > 1:
        progress = Progress("files", len(work), quiet=request.quiet)
        yield from progress.over(_write_each(request, work))
        return
    with Progress(request.unit, quiet=request.quiet) as progress:
        for item in work:
            yield item.write(on_text=progress.add)


def _by_jobs(request: WritingRequest[Written], plan: OutputPlan[Written]) -> Outcome:
    """Write by jobs, or collect the results of shards."""
    from bitext.jobs.task import numbered

    run, shown = request.split_options(request.command)
    task = request.task(plan, run=run, presentation=shown)
    with request.one_executor() as shared:
        work = plan.work if request.parts is not None else request.compared(plan, shared)
        documents = numbered((each.output, each, each.files()) for each in work)
        return request.run_or_merge(documents, task, what="files", **shared)
