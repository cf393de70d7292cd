"""`bitext convert`: alignments from one format to another, with an account of the losses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from bitext.cli.common import is_output_folder, json_line, write_file
from bitext.cli.console import Progress
from bitext.cli.convert.request import ConvertRequest, languages_written, parse_arguments
from bitext.cli.request import request_from
from bitext.cli.writing import OutputPlan, write_outputs
from bitext.errors import InputError, OptionError, first_names, many, masked
from bitext.paths import temporary_folder

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

    from bitext.formats.convert.conversion import Outcome, Task
    from bitext.jobs.tasks import ConvertTask, OutputWork
    from bitext.model import Bitext
    from bitext.workbench.project import Project
    from bitext.workbench.schema import AlignmentInfo


_SHOWN = 5  # unreadable units printed without --verbose


def run(arguments: Sequence[str]) -> int:
    """Convert files, or export from a project.

    Returns 1 if unreadable units or files were left out, 0 otherwise.
    """
    request = request_from(ConversionRequest, parse_arguments(arguments))
    from bitext.kernels.one_thread import import_numpy

    import_numpy()
    with request.protected_outputs():
        if any(name.endswith(".bitext") for name in request.inputs):
            return export_project(request)
        return write_outputs(request)


class ConversionRequest(ConvertRequest):
    """The request of `bitext convert`, with the steps of its work."""

    def prepared(self, plan: OutputPlan[Outcome], stack: ExitStack) -> OutputPlan[Outcome]:
        """Return the plan with the lexicons and vectors of filters."""
        from bitext.formats.cleaning.repeats import Repeats

        tasks: list[Any] = [*plan.work]
        if len(tasks) > 1 and not plan.by_jobs:
            repeats = Repeats()
            tasks = [replace(task, repeats=repeats) for task in tasks]
        work = _with_scorers(tasks, self, stack, in_folder=plan.in_folder, by_jobs=plan.by_jobs)
        return plan._replace(work=work)

    def compared(
        self, plan: OutputPlan[Outcome], shared: Mapping[str, Any]
    ) -> Sequence[OutputWork[Outcome]]:
        """Return the tasks with judgements on duplicates among all their files.

        Jobs read all files for them first, also for a shard, so that all shards come to the same
        judgements.
        """
        from bitext.formats.convert.conversion import repeat_steps
        from bitext.jobs import Shard
        from bitext.jobs.task import numbered
        from bitext.jobs.tasks import SignaturesTask

        tasks: list[Any] = [*plan.work]
        steps = repeat_steps(tasks[0]) if len(tasks) > 1 else []
        if not steps:
            return tasks
        task = SignaturesTask(steps=steps, conversions=tasks)
        settings = {**shared, "journal": None, "max_failures": None, "shard": Shard()}
        documents = numbered((each.output, each, each.files()) for each in tasks)
        compared = self.run_jobs(documents, task, what="files compared", **settings).output
        return list(compared)

    def task(self, plan: OutputPlan[Outcome], **described: Any) -> ConvertTask:
        """Return the task of jobs, with the options by which it is `described`."""
        from bitext.jobs.tasks import ConvertTask

        run = described["run"]
        if plan.work and self.clean:  # results depend on the filters, not on their file
            from bitext.cli.scorers import digests_of_files
            from bitext.formats.cleaning.cleaner import profile_of

            profile = profile_of(self.clean)
            run["profile"] = repr(profile.rules)
            if digests := digests_of_files(profile):
                run["files"] = digests
        return ConvertTask(to=self.to, watch=self.watch, roots=plan.facts["roots"], **described)

    def failed(self, work: Any, reason: str) -> Outcome:
        """Return the outcome of a task for which nothing was written."""
        from bitext.formats.convert.conversion import Outcome

        return Outcome(work.output, work.to, failed=reason)

    def watch(self) -> None:
        """Refuse a report that would replace a file read so far."""
        from bitext.formats.io.output import refuse_writing

        if names := [name for name in (self.report, self.clean_report) if name]:
            refuse_writing(names)

    def is_complete(self, result: Outcome) -> bool:
        """Check whether an output was written, and nothing left out as unreadable."""
        return not (result.failed or result.bad_count)

    def summarise(
        self, results: Sequence[Outcome], plan: OutputPlan[Outcome], seconds: float
    ) -> None:
        """Write the reports; print the counts, losses, failures and notes of all outcomes."""
        if self.report and self.parts is None:
            _write_report(results, self.report)
        if self.clean_report:
            _write_cleaning(results, self)
        _summarise(results, self, seconds, plan.facts["roots"])
        self.print_notes(plan.notes)

    def document(self, results: Sequence[Outcome], plan: OutputPlan[Outcome]) -> dict[str, Any]:
        """Return the JSON document."""
        return {**super().document(results, plan), **plan.facts}


def _with_scorers(
    work: list[Task], request: ConvertRequest, stack: ExitStack, *, in_folder: bool, by_jobs: bool
) -> list[Task]:
    """Give the filters by scores their lexicons and vectors.

    A lexicon of the corpus is learned here from all files, also for a shard, and jobs read it from
    a temporary file. Standard input is copied to one before, as it is read again then.
    """
    profile = work[0].clean if work else None
    if profile is None or not any(rule.filter.is_scored for rule in profile.rules):
        return work
    from bitext.cli.scorers import learns, remarks, stored, with_names, with_scorers
    from bitext.formats.convert.conversion import read_task
    from bitext.formats.io.source import copied_standard_input

    if learns(profile) and any("-" in task.files() for task in work):
        stack.enter_context(copied_standard_input())

    def corpus() -> Iterator[Bitext]:
        with Progress("bisegments read for the lexicon", quiet=request.quiet) as progress:
            for task in work:
                for bitext in read_task(task):
                    yield bitext
                    progress.add(len(bitext.alignment))

    scored = with_scorers(
        profile, corpus, encoding=request.encoding, langs=languages_written(request)
    )
    request.print_notes(remarks(scored))
    if by_jobs and learns(profile):
        scored = stored(scored, stack.enter_context(temporary_folder()))
    return [
        replace(task, clean=with_names(scored, task.inputs[0].name if in_folder else None))
        for task in work
    ]


def _write_cleaning(outcomes: Sequence[Outcome], request: ConvertRequest) -> None:
    """Write the rejections of each filter of a profile: as a page, JSON, or a table."""
    from bitext.reports.corpus_statistics import add_accounts, cleaning_page, cleaning_table

    filters = add_accounts([outcome.cleaning for outcome in outcomes])
    name = request.clean_report.lower()
    if name.endswith((".html", ".htm")):
        text = cleaning_page(filters, request.clean)
    elif name.endswith(".json"):
        document = {"schema": "bitext.cleaning/1", "profile": request.clean, "filters": filters}
        text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    else:
        text = cleaning_table(filters).render("table")
    write_file(request.clean_report, masked(text))


def _write_report(outcomes: Sequence[Outcome], path: str) -> None:
    """Write one JSON object for each unit or file that could not be read."""
    from bitext.formats.io.output import write_whole

    with write_whole(path) as out:
        for outcome in outcomes:
            for bad in outcome.bad:
                row = {"file": masked(bad.path), "line": bad.line, "message": bad.message}
                out.write(json_line(row))
            if outcome.failed:
                row = {"file": masked(outcome.output), "line": None, "message": outcome.failed}
                out.write(json_line(row))


def _summarise(
    outcomes: Sequence[Outcome], request: ConvertRequest, seconds: float, roots: list[str]
) -> None:
    """Print the counts, losses, failures and notes of all outcomes."""
    from bitext.formats.io.source import pooled

    pairs = sum(outcome.pairs for outcome in outcomes)
    beads = sum(outcome.bisegments for outcome in outcomes)
    files = sum(sum(outcome.formats.values()) for outcome in outcomes)
    unread = [each for outcome in outcomes for each in outcome.bad]
    count = sum(outcome.bad_count for outcome in outcomes)
    failed = [outcome for outcome in outcomes if outcome.failed]
    done = f"{many(beads, 'bisegment')} of {many(pairs, 'document pair')}"
    took = f" in {seconds:,.0f} s" if seconds >= 1 else ""
    lines = [f"{done} from {many(files, 'file')}{_share_left_out(outcomes)}{took}"]
    lines += [f"lost: {note}" for note in pooled(*(outcome.losses for outcome in outcomes))]
    lines += [f"left out: {note}" for note in pooled(*(outcome.dropped for outcome in outcomes))]
    lines += [f"changed: {note}" for note in pooled(*(outcome.changed for outcome in outcomes))]
    lines += [f"the documents are found with --root {root}" for root in roots]
    request.print_notes(lines, most=len(lines))
    shown = unread if request.verbose else unread[:_SHOWN]
    lines = [f"not read: {each.message}" for each in shown]
    if count > len(shown):
        unlisted = count - len(shown)
        lines.append(
            f"not read: and {unlisted:,} more, {count:,} in all (--verbose, --report FILE)"
        )
    lines += [f"not written: {outcome.failed}" for outcome in failed]
    request.print_notes(lines, most=len(lines), failed=True)
    request.print_notes(map(str, pooled(*(outcome.notes for outcome in outcomes))))


def _share_left_out(outcomes: Sequence[Outcome]) -> str:
    """Word the number and share of bisegments that --clean left out; empty without --clean."""
    filters = [outcome.cleaning for outcome in outcomes if outcome.cleaning]
    judged = sum(each[0]["judged"] for each in filters)
    out = sum(row["rejected"] for each in filters for row in each)
    return f"; --clean left out {out:,} of {judged:,} ({out / judged:.1%})" if judged else ""


# Export from a project of `bitext edit`: the files that its page gives, without a server. No format
# reads a project: document and annotator select the part to export, and the workbench writes it.

_TAKEN = frozenset(
    [
        *("inputs", "output", "to", "annotator", "documents", "boundaries"),
        *("src_lang", "tgt_lang", "strict", "quiet", "verbose", "offered"),
    ]
)
_NAMES = {"known": "from"}  # of options whose fields are called otherwise
_NAMED = 10  # names in a message


def export_project(request: ConvertRequest) -> int:
    """Write alignments or segmentations of a project as files; return the exit status.

    Raises `InputError` or `OptionError` when an option is not for projects, the project has no
    alignment or segmentation of the name, or several documents or files are for one file OUT.
    """
    from bitext.workbench.project import Project

    place = _check(request)
    with Project(place) as project:
        chosen = _chosen(project, request)
        in_folder = is_output_folder(request.output)
        with_form = _with_formats(chosen, request)
        if not in_folder and len(with_form) > 1:
            raise OptionError(
                f"{place}: {_listed(info for info, _ in with_form)} are for one file: name one "
                f"(--documents, --annotator), or a folder as OUT"
            )
        apart = in_folder and len({info.annotator for info, form in with_form}) > 1
        files: dict[str, bytes] = {}
        losses: list[str] = []
        for info, form in with_form:
            contents, lost = _files(project, info, form, request)
            losses += [f"lost: {note}" for note in lost]
            for name, content in contents:
                path = _path(request, info, name, apart=apart and form not in _of_coders())
                if path in files:
                    raise InputError(
                        f"{path}: two documents of {info.annotator} have this name: name one "
                        f"(--documents)"
                    )
                files[path] = content
    if request.strict and losses:
        raise InputError(f"{place}: nothing is written (--strict): {losses[0]}")
    _write(files, in_folder=in_folder)
    kinds = {
        noun: sum(info.kind == noun for info, _ in with_form)
        for noun in ("alignment", "segmentation")
    }
    counts = " and ".join(many(count, noun) for noun, count in kinds.items() if count)
    written = many(len(files), "file")
    request.print_notes([f"{counts} in {written}", *losses], most=1 + len(losses))
    return 0


def _check(request: ConvertRequest) -> str:
    """Refuse options that are not for projects, and files beside one; return the project."""
    (place, *others) = sorted(request.inputs, key=lambda name: not name.endswith(".bitext"))
    if others:
        raise OptionError(
            f"{place}: is a project, of which one is exported at a time: leave {others[0]} out"
        )
    for name in type(request).fields:
        if name not in _TAKEN and getattr(request, name) != getattr(type(request), name, None):
            option = _NAMES.get(name, name).replace("_", "-")
            raise OptionError(
                f"--{option} is for files, and {place} is a project: export without it, and "
                f"convert the file"
            )
    request.refuse_inputs([place])
    return place


def _chosen(project: Project, request: ConvertRequest) -> list[AlignmentInfo]:
    """Return the alignments and segmentations of the named documents and annotator."""
    every = [info for info in project.infos() if info.annotator]
    if not every:
        raise InputError(f"{project.path}: no annotator has begun a document: nothing to export")
    pattern, annotator = request.documents, request.annotator
    documents = [info for info in every if not pattern or fnmatchcase(info.name, pattern)]
    if not documents:
        raise InputError(
            f"{project.path}: no document is named {pattern}: want one of "
            f"{_names(info.name for info in every)} (--documents)"
        )
    chosen = [info for info in documents if annotator in (None, info.annotator)]
    if not chosen:
        raise InputError(
            f"{project.path}: {annotator} has none of these documents: want one of "
            f"{_names(info.annotator for info in documents)} (--annotator)"
        )
    return chosen


def _names(names: Any) -> str:
    return first_names(sorted(set(names)), _NAMED)


def _listed(infos: Any) -> str:
    return _names(f"{info.name} of {info.annotator}" for info in infos)


def _of_coders() -> frozenset[str]:
    from bitext.formats.segmentations import OF_CODERS

    return OF_CODERS


def _with_formats(
    chosen: Sequence[AlignmentInfo], request: ConvertRequest
) -> list[tuple[AlignmentInfo, str]]:
    """Return the chosen ones that the format can hold, each with the name of its format."""
    if not request.to and is_output_folder(request.output):
        raise OptionError(
            f"OUT is the folder {request.output}: name the format of its files (--to)"
        )
    forms: dict[str, str] = {}
    refused: OptionError | None = None
    for kind in dict.fromkeys(info.kind for info in chosen):
        try:
            format_of = _segment_format if kind == "segmentation" else _format
            forms[kind] = format_of(request)
        except OptionError as error:
            refused = error
    if refused is not None and not forms:
        raise refused
    rows, coded = [], set()
    for info in chosen:
        form = forms.get(info.kind)
        if form is None:
            continue
        if info.kind == "segmentation" and form in _of_coders():  # all annotators in one file
            if request.annotator is not None:
                raise OptionError(f"{form} has all annotators of a text: leave --annotator out")
            if info.document in coded:
                continue
            coded.add(info.document)
        if info.kind == "alignment" and request.boundaries is not None:
            raise OptionError(
                f"--boundaries is for segmentations, and {info.name} is an alignment: leave it out"
            )
        rows.append((info, form))
    left = len(chosen) - sum(info.kind in forms for info in chosen)
    if left:
        kind = next(info.kind for info in chosen if info.kind not in forms)
        note = f"{many(left, kind)} left out: no {kind}s are written as {request.to}"
        request.print_notes([note])
    return rows


def _format(request: ConvertRequest) -> str:
    """Return the format of alignments: as named, else by the name of OUT."""
    from bitext.formats.writing import writable
    from bitext.workbench.exchange import INTERTEXT

    if request.to == INTERTEXT:
        return INTERTEXT
    if not request.to and request.output.endswith(".zip"):
        raise OptionError(f"{request.output}: its name does not show the format: name it (--to)")
    # An archive, and names with commas, are of the files that the format has.
    files = request.output.removesuffix(".zip").partition(",")[0]
    return writable(files if request.to else request.output, request.to or None).name


def _segment_format(request: ConvertRequest) -> str:
    """Return the notation of segmentations: as named, else by the name of OUT."""
    from bitext.formats.segmentations import WRITTEN

    those = ", ".join(WRITTEN)
    if request.to:
        if request.to not in WRITTEN:
            raise OptionError(
                f"segmentations are not written as {request.to!r:.40}; want one of {those} (--to)"
            )
        return request.to
    notations = [form for form, ending in WRITTEN.items() if request.output.endswith(ending)]
    if len(notations) != 1:
        expected = ", ".join(notations) or those
        raise OptionError(
            f"{request.output}: its name does not show the notation of a segmentation: name it "
            f"(--to), one of {expected}"
        )
    return notations[0]


def _files(
    project: Project, info: AlignmentInfo, form: str, request: ConvertRequest
) -> tuple[list[tuple[str, bytes]], list[str]]:
    """Return the files of an alignment or segmentation by name, and notes on losses."""
    from bitext.formats.io.source import Notes
    from bitext.workbench.exchange import export_files, packed
    from bitext.workbench.segmentations import export_segments

    if info.kind == "segmentation":
        if request.src_lang or request.tgt_lang:
            raise OptionError("--src-lang and --tgt-lang are for alignments: leave them out")
        name, content, lost = export_segments(project, info.id, form, type_=request.boundaries)
        return [(name, content)], lost
    losses = Notes()
    stem, contents = export_files(
        project, info.id, form, losses=losses, languages=request.languages
    )
    if request.output.endswith(".zip"):
        name, content = packed(stem, contents)
        if not name.endswith(".zip"):
            raise OptionError(
                f"{request.output}: {form} is one file, {name}, and no archive: name it so"
            )
        return [(name, content)], [*map(str, losses.all())]
    if not is_output_folder(request.output):
        named = request.output.split(",")
        if len(named) != len(contents):
            files = (
                f"{len(contents)} files ({', '.join(contents)})"
                if len(contents) > 1
                else "one file"
            )
            ways = (
                "name an archive (.zip), a folder, or as many files with commas between"
                if len(contents) > 1
                else "name one"
            )
            raise OptionError(
                f"{request.output}: {info.name} is written as {files} in {form}: {ways}"
            )
        contents = dict(zip(named, contents.values(), strict=True))
    return [*contents.items()], [*map(str, losses.all())]


def _path(request: ConvertRequest, info: AlignmentInfo, name: str, *, apart: bool) -> str:
    """Return the path of an output; with several annotators, in a folder of each one."""
    if not is_output_folder(request.output):
        is_many = info.kind == "alignment" and not request.output.endswith(".zip")
        return name if is_many else request.output
    from bitext.formats.io.remote import join

    if not apart:
        return join(request.output, name)
    folder = info.annotator
    if folder in {".", ".."} or PurePath(folder).name != folder or "\\" in folder:
        raise InputError(
            f"{folder!r}: is no name of a folder, which each annotator has: name one annotator "
            f"(--annotator)"
        )
    return join(request.output, f"{folder}/{name}")


def _write(files: dict[str, bytes], *, in_folder: bool) -> None:
    """Write files, which appear together; remove folders that were made for them in vain."""
    from bitext.formats.io.output import write_together
    from bitext.formats.io.remote import make_folder_of, remove_empty

    folders: list[Path] = []
    try:
        if in_folder:
            for path in files:
                folders += make_folder_of(path)
        with write_together([*files], binary=True) as outs:
            for out, content in zip(outs, files.values(), strict=True):
                out.write(content)
    finally:
        remove_empty(folders)
