"""`bitext score`: precision, recall and F of alignments, over one text or a corpus."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from bitext.cli.common import (
    FIGURES,
    deliver,
    deliver_figure,
    print_notes,
    protected_outputs,
    unpaired_notes,
)
from bitext.cli.console import Progress
from bitext.cli.job_options import finish_shard, print_failures
from bitext.cli.request import request_of
from bitext.cli.score.options import ScoreRequest, parser, scores_links
from bitext.cli.score.views import Scored, collect_pairs, collect_places, write_pages
from bitext.errors import InputError, masked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.cli.score.options import ScorePlan
    from bitext.cli.score.views import Pages
    from bitext.formats.corpora.pairing import Pairing
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.metrics.evaluation.links import LinkEvaluation, Misfit
    from bitext.model import Bitext, Note

__all__ = ["run", "score"]


def run(arguments: Sequence[str]) -> int:
    """Score systems as the arguments ask; return the exit status."""
    request = request_of(ScoreRequest, parser(), arguments)
    with protected_outputs(request):
        return score(request)


def score(request: ScoreRequest) -> int:
    """Score here or by jobs, or merge shards; return the exit status."""
    plan = request.resolve()
    # A shard writes no page: that of all shards is written when they are merged.
    with write_pages(request.html if request.shard is None else None) as pages:
        if plan.by_jobs:
            from bitext.cli.score.corpus import score_by_jobs

            scored = score_by_jobs(request, plan)
            if request.shard is not None and scored.outcome is not None:
                return finish_shard(scored.outcome, request)
        else:
            scored = _score_here(request, plan, pages)
        evaluation, notes, averages = scored.evaluation, scored.notes, plan.averages
        if not request.no_swap_check:
            _refuse_swapped(evaluation, scored.pairing)
            notes += evaluation.shifted_notes()
        notes += evaluation.matched_notes()
        notes += evaluation.sampling_notes(averages)
        notes += _unpaired_notes(scored, request.missing, verbose=request.verbose)
        if "word" in evaluation.left_out or "character" in evaluation.left_out:
            reason = next(iter(evaluation.left_out.values()))
            notes.append(f"word and character granularity left out: {reason} (--src, --tgt)")
        from bitext.reports.scores.figures import left_out_notes

        left = left_out_notes(evaluation, averages)
        notes += pages.finish(evaluation, averages, [*notes, *left])
        if plan.style == "json":
            notes += left_out_notes(evaluation, ("micro", "macro"))
        elif plan.style == "tsv":
            notes += left  # other styles have a caption for them
    print_notes(notes, request)
    if request.store is not None:
        from bitext.jobs.scoring import write_store

        write_store(request.store, evaluation)
    if plan.style in FIGURES:
        from bitext.reports.plots import plot_results
        from bitext.reports.scores.figures import score_results

        results = score_results(evaluation, averages, texts=False)
        drawing = plot_results(results, intervals=request.look.intervals)
        deliver_figure(drawing, request, plan.style)
    elif not request.html == request.output == "-":
        as_json = plan.style == "json"
        deliver(_document(scored) if as_json else _tables(scored, plan, request), request)
    return print_failures(scored.failures, request)


def _score_here(request: ScoreRequest, plan: ScorePlan, pages: Pages) -> Scored:
    """Read and score text by text; pass each text on to the collector of places and the pages."""
    from bitext.metrics.evaluation.alignments import Evaluation

    pairing = plan.pairing
    systems = list(pairing.systems)
    notes: dict[str, Note] = {}
    progress = Progress("scored", len(pairing), quiet=request.quiet)
    with closing(progress.over(pairing)) as items:
        first = next(items)
        by_links, reading_notes = scores_links(request.measures(), first)
        evaluation: Evaluation
        if by_links:
            from bitext.metrics.evaluation.links import LinkEvaluation

            links = LinkEvaluation(systems, request.link_options(), missing=request.missing)
            evaluation, places = links, collect_pairs(systems, request.errors, links)
        else:
            as_json = plan.style == "json"
            evaluation = Evaluation(
                systems,
                request.bisegment_options(),
                detailed=request.by_bead or as_json or request.html is not None,
                similar=request.similarity,
                missing=request.missing,
            )
            places = collect_places(
                systems,
                request.errors,
                printed=request.output == "-",
                whole=not as_json,
                min_matched=request.min_matched,
            )
        for item in chain([first], items):
            compared = evaluation.add(item.gold, item.hyps, item.name)
            for role, bitext in zip(("gold", *systems), (item.gold, *item.hyps), strict=True):
                _collect(notes, role, bitext)
            places.add(item, compared)
            pages.add(item, evaluation)
    gold, hyps = pairing.corpora()
    corpora = (gold, *hyps.values())
    return Scored(
        evaluation,
        places,
        notes=[*reading_notes, *(str(note) for note in notes.values())],
        pairing=pairing,
        aside={corpus.path: corpus.aside for corpus in corpora},
        corpus_notes=[note for corpus in corpora for note in corpus.assumptions],
    )


def _collect(notes: dict[str, Note], role: str, bitext: Bitext) -> None:
    """Add the notes of a text to `notes`, by kind and by role: gold standard or system."""
    for note in bitext.notes:
        kind = f"{role}: {note.kind}"
        known = notes.get(kind)
        count, first = (known.count, known.first) if known else (0, note.first)
        notes[kind] = replace(note, kind=kind, count=count + note.count, first=first)


def _refuse_swapped(evaluation: Evaluation, pairing: Pairing) -> None:
    from bitext.metrics.evaluation.links import LinkEvaluation

    if isinstance(evaluation, LinkEvaluation):
        _refuse_misfits(evaluation, pairing)
        return
    for name, (given, exchanged) in evaluation.swapped_systems().items():
        swapped = name in pairing.swapped
        given_as = "with --swap" if swapped else "as given"
        other = "without" if swapped else "exchanged"
        remedy = f"leave --swap {name} out" if swapped else f"score it with --swap {name}"
        raise InputError(
            f"{pairing.systems[name]}: source and target seem swapped: sentence F1 is {given:.4f} "
            f"{given_as} and {exchanged:.4f} {other}; {remedy}, or score it as it is with "
            f"--no-swap-check"
        )


def _refuse_misfits(evaluation: LinkEvaluation, pairing: Pairing) -> None:
    """Refuse systems whose links fit only if sides are exchanged or positions shifted.

    Raises
    ------
    InputError
        With both F1 and the options that read the files the other way.

    """
    for misfit in evaluation.misfits():
        name = list(pairing.systems)[misfit.system]
        causes, remedies = [], []
        if misfit.shift:
            causes.append("positions count from another base")
            remedies.append(_base_remedy(misfit, name, pairing))
        if misfit.swapped:
            causes.append("source and target seem exchanged")
            swapped = name in pairing.swapped
            remedies.append(f"leave --swap {name} out" if swapped else f"--swap {name}")
        raise InputError(
            f"{pairing.systems[name]}: {' and '.join(causes)} (F1 {misfit.given:.4f} as given, "
            f"{misfit.other:.4f} otherwise): score with {' and '.join(remedies)}, or as they are "
            f"with --no-swap-check"
        )


def _base_remedy(misfit: Misfit, name: str, pairing: Pairing) -> str:
    """Return the option by which the positions of gold standard and system meet."""
    raised, lowered = ("gold", name) if misfit.shift > 0 else (name, "gold")
    if name == "gold":  # --base gold=1 would be of the gold standard
        return "--names NAME and " + _base_remedy(misfit, "NAME", pairing)
    # The positions of `raised` are too high by 1: it counts from 1, unless it has a position 0 or
    # --base said so already. Then --base has lowered the other one wrongly.
    has_zero = misfit.zeros[0 if raised == "gold" else 1]
    said = pairing.bases.get(raised) == 1
    if pairing.bases.get(lowered) == 1 and (has_zero or said):
        return f"--base {lowered}=0"
    return f"--base {raised}=0" if said else f"--base {raised}=1"


def _unpaired_notes(scored: Scored, missing: str, *, verbose: bool) -> list[str]:
    from bitext.formats.corpora import aside_notes

    lacking = {"leave": "left out for all systems", "empty": "taken as nothing proposed"}
    notes = unpaired_notes(scored.pairing.unpaired, lacking=lacking.get(missing, ""))
    for path, names in scored.aside.items():
        if verbose:
            notes += [f"{path}: {name} holds no alignment" for name in names]
        else:
            notes += aside_notes(path, names)
    return [*notes, *scored.corpus_notes]


def _tables(scored: Scored, plan: ScorePlan, request: ScoreRequest) -> str:
    from bitext.reports.scores import figures
    from bitext.reports.table import beside

    evaluation, style, averages = scored.evaluation, plan.style, plan.averages
    if style == "tsv":
        parts = [figures.flat_table(evaluation, averages, texts=request.per_text).render(style)]
    else:
        results = figures.score_results(evaluation, averages, texts=request.per_text)
        caption = beside(figures.caption(evaluation, averages), style)
        parts = [caption, results.render(style, request.look)]
    if request.similarity and style != "tsv":
        parts.append(beside(figures.similarity_caption(evaluation, averages), style))
        results = figures.similarity_results(evaluation, averages, texts=request.per_text)
        parts.append(results.render(style, request.look))
    if request.precision_by_bead:
        parts.append(figures.bead_results(evaluation).render(style, request.look))
    if request.beads:
        parts.append(figures.bead_table(evaluation).render(style))
    parts += scored.places.rendered()
    return "\n".join(parts)


def _document(scored: Scored) -> str:
    from bitext.reports.scores.figures import to_json

    pairing = scored.pairing
    systems = {name: masked(path) for name, path in pairing.systems.items()}
    document = {**to_json(scored.evaluation), "gold": masked(pairing.gold), "systems": systems}
    document["unpaired"] = [
        {"text": lone.name, "where": masked(lone.where), "extra": lone.extra}
        for lone in pairing.unpaired
    ]
    document["notes"] = [masked(note) for note in scored.notes]
    if (places := scored.places.to_json()) is not None:
        document["places"] = places
    if scored.failures:
        document["failed"] = [{"text": f.name, "reason": f.reason} for f in scored.failures]
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
