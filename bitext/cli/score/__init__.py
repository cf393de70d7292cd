"""`bitext score`: precision, recall and F of alignments, over one text or a corpus."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

from bitext.cli.common import (
    FIGURES,
    deliver,
    deliver_figure,
    print_notes,
    protected_outputs,
)
from bitext.cli.console import Progress
from bitext.cli.job_options import finish_shard, print_failures
from bitext.cli.request import request_of
from bitext.cli.score.options import ScoreRequest, parser
from bitext.cli.score.views import NoPlaces, Scored, collect_pairs, collect_places

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.cli.score.options import ScorePlan
    from bitext.formats.corpora.pairing import Pairing, TextSet
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.scoring.alignments import AlignmentResults, Observer
    from bitext.scoring.pages import Pages

__all__ = ["run", "score"]


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
    from bitext.scoring.alignments import AlignmentResults
    from bitext.scoring.pages import write_pages

    # A shard writes no page: that of all shards is written when they are merged.
    with write_pages(request.html if request.shard is None else None) as pages:
        if plan.by_jobs:
            from bitext.cli.score.corpus import add_pages, score_by_jobs

            done = score_by_jobs(request, plan)
            if request.shard is not None and done.outcome is not None:
                return finish_shard(done.outcome, request)
            if request.html is not None:
                add_pages(done, plan, pages)
        else:
            done = _score_here(request, plan, pages)
        scored, averages = done.scored, plan.averages
        notes = scored.all_notes(
            averages, swap_check=not request.no_swap_check, verbose=request.verbose
        )
        results = AlignmentResults(scored, request.scoring(), averages=averages, notes=notes)
        from bitext.reports.scores.figures import left_out_notes

        left = left_out_notes(scored.evaluation, averages)
        notes += pages.finish(scored.evaluation, averages, [*notes, *left])
        if plan.style == "json":
            notes += left_out_notes(scored.evaluation, ("micro", "macro"))
        elif plan.style == "tsv":
            notes += left  # other styles have a caption for them
    print_notes(notes, request)
    if request.store is not None:
        from bitext.jobs.scoring import write_store

        write_store(request.store, scored.evaluation)
    if plan.style in FIGURES:
        drawing = results.plot(intervals=request.look.intervals)
        deliver_figure(drawing, request, plan.style)
    elif not request.html == request.output == "-":
        as_json = plan.style == "json"
        deliver(
            _document(done, notes) if as_json else _tables(done, results, plan, request), request
        )
    return print_failures(done.failures, request)


def _score_here(request: ScoreRequest, plan: ScorePlan, pages: Pages) -> Scored:
    """Read and score text by text; pass each text on to the collector of places and the pages."""
    from bitext.scoring.alignments import score_texts

    systems = list(plan.pairing.systems)
    as_json = plan.style == "json"
    places = NoPlaces()

    def progress(pairing: Pairing) -> Iterator[TextSet]:
        shown = Progress("scored", len(pairing), quiet=request.quiet)
        with closing(shown.over(pairing)) as items:
            yield from items

    def observed(evaluation: Evaluation) -> Observer:
        nonlocal places
        from bitext.scoring.pages import links_of

        if (links := links_of(evaluation)) is not None:
            places = collect_pairs(systems, request.errors, links)
        else:
            places = collect_places(
                systems,
                request.errors,
                printed=request.output == "-",
                whole=not as_json,
                min_matched=request.min_matched,
            )

        def add(item: TextSet, compared: Sequence[Comparison]) -> None:
            places.add(item, compared)
            pages.add(item, evaluation)

        return add

    scored = score_texts(
        plan.pairing,
        request.scoring(),
        detailed=request.by_bead or as_json or request.html is not None,
        over=progress,
        observed=observed,
    )
    return Scored(scored=scored, places=places)


def _tables(done: Scored, results: AlignmentResults, plan: ScorePlan, request: ScoreRequest) -> str:
    from bitext.reports.scores.figures import bead_results, bead_table

    parts = results.parts(plan.style, plan.averages, request.look, per_text=request.per_text)
    if request.precision_by_bead:
        parts.append(bead_results(results.evaluation).render(plan.style, request.look))
    if request.beads:
        parts.append(bead_table(results.evaluation).render(plan.style))
    parts += done.places.rendered()
    return "\n".join(parts)


def _document(done: Scored, notes: Sequence[str]) -> str:
    from bitext.scoring.alignments import document_of

    places = done.places.to_json()
    document = document_of(done.scored, notes, places=places, failures=done.failures)
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
