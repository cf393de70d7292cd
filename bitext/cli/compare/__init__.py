"""`bitext compare`: metrics of segmentations, over one text or a corpus."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from bitext.cli.common import print_notes, protected_outputs, show_results
from bitext.cli.compare.options import CompareRequest, parser
from bitext.cli.console import Progress
from bitext.cli.job_options import add_jobs
from bitext.cli.request import request_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


def run(arguments: Sequence[str]) -> int:
    """Compare segmentations; return the exit status."""
    given = add_jobs(parser()).parse_intermixed_args(arguments)
    request = request_from(CompareRequest, vars(given))
    with protected_outputs(request):
        return compare(request)


def compare(request: CompareRequest) -> int:
    """Compare here or by jobs, or merge the results of shards; return the exit status."""
    plan = request.resolve()
    from bitext.scoring.compared_texts import compare_texts
    from bitext.scoring.segmentations import SegmentationResults

    with ExitStack() as stack:

        def watch(what: str) -> Callable[[list[Any]], Iterable[Any]]:
            def over(items: list[Any]) -> Iterator[Any]:
                progress = Progress(what, len(items), quiet=request.quiet)
                return stack.enter_context(closing(progress.over(items)))

            return over

        compared = compare_texts(plan.pairing, plan.comparing, watch=watch)
        request.check_systems(compared.evaluation.systems, plan)
        if plan.jobs is not None:
            gather = compared.gather_by(plan.jobs)
            if request.shard is not None:
                gather()  # an error in one block ends the run, so a finished shard is complete
                return 0
        notes = compared.notes(verbose=request.verbose)
    results = SegmentationResults(compared, plan.showing, notes)
    print_notes(notes, request)
    if request.html:
        results.save_html(request.html)
    show_results(results, plan.style, request, per_text=request.per_text)
    return 0
