"""`bitext score`: precision, recall and F of alignments, over one text or a corpus."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from bitext.cli.common import print_notes, protected_outputs, show_results
from bitext.cli.console import Progress
from bitext.cli.job_options import finish_shard, print_failures
from bitext.cli.request import request_of
from bitext.cli.score.options import ScoreRequest, parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.cli.score.options import ScorePlan
    from bitext.formats.corpora.pairing import Pairing, TextSet


def run(arguments: Sequence[str]) -> int:
    """Score systems as the arguments ask; return the exit status."""
    request = request_of(ScoreRequest, parser(), arguments)
    from bitext.kernels.one_thread import import_numpy

    import_numpy()
    with protected_outputs(request):
        return score(request)


def score(request: ScoreRequest) -> int:
    """Score here or by jobs, or merge shards; return the exit status."""
    plan = request.resolve()
    if plan.jobs is None or request.shard is None:
        return _score_whole(plan, request)
    from bitext.scoring.by_jobs import score_shard

    return finish_shard(
        score_shard(plan.pairing, plan.scoring, request.errors or 0, plan.jobs), request
    )


def _score_whole(plan: ScorePlan, request: ScoreRequest) -> int:
    """Score a whole corpus, and show the results."""
    from bitext.scoring.alignments import score_corpus

    def watched(pairing: Pairing) -> Iterator[TextSet]:
        shown = Progress("scored", len(pairing), quiet=request.quiet)
        with closing(shown.over(pairing)) as items:
            yield from items

    results = score_corpus(plan.pairing, plan.scoring, plan.showing, over=watched, jobs=plan.jobs)
    print_notes([*results.notes, *results.uncaptioned_notes(plan.style)], request)
    if request.store is not None:
        from bitext.jobs.scoring import write_store

        write_store(request.store, plan.store, results.evaluation)
    show_results(results, plan.style, request, per_text=request.per_text)
    return print_failures(results.failures, request)
