"""Commands that write files, each from several others: here, by jobs, or merged from shards."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from bitext.cli.algebra import AlgebraRequest
from bitext.cli.common import deliver, is_output_folder, note_on_written
from bitext.cli.console import Progress, refuse_closed, write_out
from bitext.cli.job_options import (
    all_failed,
    collect_failures,
    finish_shard,
    refuse_streams,
    run_jobs,
    split_options,
    uses_jobs,
)
from bitext.errors import InputError, OptionError, masked

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

    from bitext.formats.registry import Format
    from bitext.jobs import Outcome
    from bitext.jobs.outputs import OutputWork, WrittenFile

Written = TypeVar("Written", bound="WrittenFile")

__all__ = ["OutputPlan", "OutputRequest", "write_outputs"]


class OutputPlan(NamedTuple, Generic[Written]):
    """The work, a value for each output, and notes on the inputs."""

    work: Sequence[OutputWork[Written]]
    notes: list[str]
    by_jobs: bool
    in_folder: bool


class OutputRequest(AlgebraRequest, ABC):
    """The options of commands that write files, each from several others.

    Attributes
    ----------
    keep_going : bool
        Whether outputs that cannot be written are left out.

    """

    keep_going: bool = False

    @property
    @abstractmethod
    def command(self) -> str:
        """The name of the command."""

    @property
    @abstractmethod
    def operands(self) -> tuple[str, ...]:
        """The files, folders or manifests."""

    def check_output(self, texts: Sequence[str | None]) -> tuple[Format, bool, bool]:
        """Check the options of the output, and the inputs with these texts.

        Returns
        -------
        (Format, bool, bool)
            The format to write, whether by jobs, and whether into a folder.

        """
        if self.json:
            refuse_closed()
            if self.output == "-":
                raise OptionError("--json and OUT - both want standard output: name a file (-o)")
        self.check(self.operands, texts)
        known, by_jobs = self.format_to_write(), uses_jobs(self)
        in_folder = is_output_folder(self.output)
        if by_jobs:
            refuse_streams([*self.operands, self.output, *texts], self)
        if self.jobs > 1 and not in_folder:
            raise OptionError(
                f"--jobs is for a folder as OUT, and {self.output} is one file: name a folder "
                f"(with / at its end), or leave --jobs out"
            )
        return known, by_jobs, in_folder


def write_outputs(
    request: OutputRequest,
    resolve: Callable[[], OutputPlan[Written]],
    outcome: type[Written],
    report: Callable[[Sequence[Written], Sequence[str]], object],
) -> int:
    """Write files here or by jobs, or merge the results of shards; return the exit status.

    Parameters
    ----------
    request : OutputRequest
    resolve : callable
        Checks everything before any work, and returns the work.
    outcome : type
        The class of the results.
    report : callable
        Called with the results and with the notes on the inputs.

    """
    folders: list[Path] = []
    try:
        return _write(request, resolve(), outcome, report, folders)
    finally:
        if request.shard is None:  # other shards may write into the same folders
            from bitext.formats.io.remote import remove_empty

            remove_empty(folders)


def _write(
    request: OutputRequest,
    plan: OutputPlan[Written],
    outcome: type[Written],
    report: Callable[[Sequence[Written], Sequence[str]], object],
    folders: list[Path],
) -> int:
    """Write; append the folders created for outputs to `folders`."""
    work, notes, by_jobs, in_folder = plan
    if in_folder:
        from bitext.formats.io.remote import make_folder_of, two_files

        for item in work:
            folders += make_folder_of((two_files(item.output) or (item.output,))[0])
    results: list[Written] = []
    if by_jobs:
        results, notes, done = _by_jobs(request, work, notes, outcome)
        if request.shard is not None and request.parts is None:
            return finish_shard(done, request)
        if done.failures and len(done.failures) == len(results):
            raise all_failed(done.failures)
    else:
        with closing(_results(work, outcome, quiet=request.quiet)) as running:
            for result in running:
                results.append(result)
                if result.failed and not (request.keep_going and in_folder):
                    raise InputError(result.failed + note_on_written(len(results) - 1, len(work)))
    report(results, notes)
    if request.json or request.parts is not None:
        schema = f"bitext.{request.command}/1"
        document = {"schema": schema, "files": [asdict(result) for result in results]}
        text = masked(json.dumps(document, ensure_ascii=False)) + "\n"
        if request.parts is not None:
            deliver(text, request)
        else:
            write_out([text])
    return 1 if any(result.failed for result in results) else 0


def _results(
    work: Sequence[OutputWork[Written]], outcome: type[Written], *, quiet: bool
) -> Generator[Written]:
    """Write one after another; show the progress in texts for one output, in files for several."""
    from bitext.jobs.outputs import write_all

    if len(work) > 1:
        progress = Progress("files", len(work), quiet=quiet)
        yield from progress.over(write_all(work, outcome))
        return
    progress = Progress("texts", quiet=quiet)
    try:
        yield work[0].write(on_text=progress.add)
    finally:
        progress.end()


def _by_jobs(
    request: OutputRequest,
    work: Sequence[OutputWork[Written]],
    notes: list[str],
    outcome: type[Written],
) -> tuple[list[Written], list[str], Outcome]:
    """Write by jobs, or collect the results of shards; return these, notes, and the outcome."""
    from bitext.jobs import Outcome
    from bitext.jobs.outputs import OutputTask, output_documents

    run, shown = split_options(request.command, request)
    task = OutputTask(outcome=outcome, corpus_notes=notes, run=run, presentation=shown)
    if (parts := request.parts) is not None:
        done = Outcome()
        done.output = task.assemble(collect_failures(parts.results(), done.failures))
        notes = list(dict.fromkeys(note for whole in parts.wholes for note in whole["notes"]))
    else:
        done = run_jobs(output_documents(work), task, request, what="files")
    return done.output, notes, done
