"""`bitext compare`: metrics of segmentations, over one text or a corpus."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    FIGURES,
    deliver,
    deliver_figure,
    print_notes,
    protected_outputs,
)
from bitext.cli.compare.options import CompareRequest, parser
from bitext.cli.console import Progress
from bitext.cli.job_options import add_jobs, finish_shard, run_jobs, split_options
from bitext.cli.request import request_from
from bitext.paths import is_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitext.formats.corpora.segmentation_pairing import PairedTexts
    from bitext.metrics.evaluation.segmentations import SegmentEvaluation
    from bitext.reports.segmentation.strips import TextEdits
    from bitext.scoring.segmentations import SegmentationResults

__all__ = ["compare", "run"]


def run(arguments: Sequence[str]) -> int:
    """Compare segmentations; return the exit status."""
    given = add_jobs(parser()).parse_intermixed_args(arguments)
    request = request_from(CompareRequest, vars(given))
    with protected_outputs(request):
        return compare(request)


def compare(request: CompareRequest) -> int:
    """Compare here or by jobs, or merge the results of shards; return the exit status."""
    style, by_jobs = request.resolve()
    from bitext.scoring.segmentations import SegmentationResults, compare_texts

    with ExitStack() as stack:

        def watch(what: str) -> Callable[[list[Any]], Iterable[Any]]:
            def over(items: list[Any]) -> Iterator[Any]:
                progress = Progress(what, len(items), quiet=request.quiet)
                return stack.enter_context(closing(progress.over(items)))

            return over

        compared = compare_texts(request.pairing(watch("read")), request.comparing(), watch=watch)
        evaluation = compared.evaluation
        request.check_systems(evaluation.systems, style)
        if by_jobs:
            gather = _gathering(evaluation, compared.paired, request)
            if request.shard is not None:
                gather()  # an error in one block ends the run, so a finished shard is complete
                return 0
            evaluation.gather = gather
        notes = compared.notes(verbose=request.verbose)
    results = SegmentationResults(
        compared,
        averages=request.averages(),
        notes=notes,
        agreement=compared.agreement(),
        shift=request.shift,
    )
    edits = _edits(compared.paired, evaluation, request) if evaluation.systems else []
    print_notes(notes, request)
    if request.html:
        results.save_html(request.html)
        if request.html == request.output == "-":
            return 0
    if style in FIGURES:
        deliver_figure(results.plot(intervals=request.look.intervals), request, style)
    elif style == "json":
        extra: dict[str, Any] = {}
        if request.errors and evaluation.systems:
            extra["edits"] = [each.to_json() for each in edits]
        elif request.errors and results.agreement:
            extra["disagreements"] = results.agreement.disagreement_rows(request.errors)
        deliver(results.json_parts(**extra), request)
    else:
        text = _tables(results, edits, style, request)
        if request.strips:
            text += "\n" + _strips(results, request.strips, request)
        deliver(text, request)
    return 0


def _gathering(
    evaluation: SegmentEvaluation, paired: PairedTexts, request: CompareRequest
) -> Callable[[], Any]:
    """Return a function that scores by jobs, or adds up the counts of the shards."""
    from bitext.jobs.tasks import CompareTask, compare_documents

    run, shown = split_options("compare", request)
    packages = {metric.metric.package for metric in evaluation.metrics} - {""}
    run |= {"packages": sorted(packages)} if packages else {}
    task = CompareTask(
        metrics=evaluation.metrics,
        combination=evaluation.combination,
        refused=evaluation.refused,
        zero_division=request.zero_division,
        run=run,
        presentation=shown,
    )
    paths = [corpus.path for corpus in paired.inputs if is_file(corpus.path)]

    def gather() -> Any:
        if (parts := request.parts) is not None:
            return task.assemble(parts.results())
        documents = compare_documents(paired.references, paired.hyps, paths)
        outcome = run_jobs(documents, task, request, what="blocks of texts")
        if request.shard is not None:
            finish_shard(outcome, request)
        return outcome.output

    return gather


def _edits(
    paired: PairedTexts, evaluation: SegmentEvaluation, request: CompareRequest
) -> list[TextEdits]:
    if not request.errors:
        return []
    from bitext.reports.segmentation.strips import texts_with_most_edits

    edits = []
    units = paired.units()
    for system, hyp in zip(evaluation.systems, paired.hyps, strict=True):
        edits += texts_with_most_edits(
            paired.references[0],
            hyp,
            units,
            system=system,
            most=request.errors,
            shift=request.shift,
        )
    return edits


def _strips(results: SegmentationResults, most: int, request: CompareRequest) -> str:
    from bitext.reports.lettering import wants_colour
    from bitext.reports.segmentation.strips import can_show

    printed = request.output == "-"
    look: dict[str, Any] = {
        "width": shutil.get_terminal_size((100, 24)).columns,
        "colour": printed and wants_colour(),
        "plain": printed and not can_show(sys.stdout.encoding),
    }
    if results.agreement and not results.systems:
        from bitext.reports.segmentation.strips import worst_strips as of_coders

        lines = of_coders(results.agreement, most, **look)
    else:
        from bitext.reports.segmentation.page import worst_strips

        lines = worst_strips(
            results.evaluation,
            references=results.references,
            most=most,
            shift=request.shift,
            **look,
        )
    return "".join(f"{line}\n" for line in lines)


def _tables(
    results: SegmentationResults, edits: Sequence[TextEdits], style: str, request: CompareRequest
) -> str:
    parts = results.parts(style, results.averages, request.look, per_text=request.per_text)
    if request.errors and results.agreement and not results.systems:
        from bitext.reports.agreement import render_disagreements

        parts.append(render_disagreements(results.agreement, request.errors))
    elif request.errors:
        from bitext.reports.segmentation.strips import render

        parts += [render(each, number=k) for k, each in enumerate(edits, start=1)]
        parts += [] if edits else ["no text differs from the reference\n"]
    return "\n".join(parts)
