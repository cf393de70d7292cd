"""`bitext score` by jobs: a corpus scored in other processes, or merged from its shards.

The workers import this module to unpickle `PlacesTask`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bitext.cli.job_options import all_failed, collect_failures, run_jobs, split_options
from bitext.cli.score.views import Scored, Worst, collect_pairs, collect_places, pairs_of, places_of
from bitext.errors import BitextError, InputError
from bitext.jobs import Outcome
from bitext.jobs.scoring import ScoreTask, SinglePairing, score_documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.cli.score.options import ScorePlan, ScoreRequest
    from bitext.formats.corpora.pairing import TextSet
    from bitext.jobs.journal import Parts
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation import Options
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.reports.alignment.excerpts import PlaceView
    from bitext.reports.links import PairView
    from bitext.scoring.pages import Pages

__all__ = ["PlacesTask", "add_pages", "score_by_jobs"]

_BY_LINKS = "word links"  # key in the head of a journal: the result of `_scores_links`


@dataclass(kw_only=True)
class PlacesTask(ScoreTask):
    """Scores systems on texts, and returns the worst places too, or the worst pairs of word links.

    Attributes
    ----------
    most : int
        The most places of a system in a text.
    places : Worst or None
        The collector of places; `None` in workers.

    """

    most: int = 0
    places: Worst[Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave the collector out: a worker returns places as records."""
        return {**super().__getstate__(), "places": None}

    def beside(
        self, one: TextSet, compared: Sequence[Comparison], evaluation: Evaluation
    ) -> dict[str, Any]:
        """Return the worst places of a text as records."""
        from bitext.metrics.evaluation.links import LinkEvaluation

        systems = list(self.pairing.systems)
        views: Sequence[Sequence[PlaceView | PairView]]
        if isinstance(evaluation, LinkEvaluation):
            views = pairs_of(evaluation, one.name or one.gold.name, systems, self.most)
        else:
            views = places_of(one.name, compared, systems, self.most)
        return {"places": [[asdict(view) for view in ranked] for ranked in views]}

    def take(self, record: dict[str, Any]) -> None:
        """Add the worst places of a text to the collector."""
        if self.places is None:
            return
        from bitext.metrics.evaluation.links import LinkOptions
        from bitext.reports import links as link_errors
        from bitext.reports.alignment import excerpts as places

        by_links = isinstance(self.options, LinkOptions)
        restored = link_errors.restored if by_links else places.restored
        self.places.take([[restored(place) for place in ranked] for ranked in record["places"]])


def score_by_jobs(request: ScoreRequest, plan: ScorePlan) -> Scored:
    """Score a corpus by jobs, or merge its shards."""
    from bitext.formats.corpora.pairing import Unpaired
    from bitext.scoring.alignments import ScoredTexts

    pairing = SinglePairing.of(plan.pairing)
    systems = list(pairing.systems)
    by_links, notes = _scores_links(pairing, request.measures(), request.parts)
    scoring: Options
    if by_links:
        request.check_links_by_jobs()
        scoring = request.scoring().link_options()
        places = collect_pairs(systems, request.errors)
    else:
        scoring = request.scoring().bisegment_options()
        places = collect_places(
            systems,
            request.errors,
            printed=request.output == "-",
            whole=False,
            min_matched=request.min_matched,
        )
    run, shown = split_options("score", request)
    if by_links or notes:
        # A journal is continued, and shards are merged, only if they have scored the same thing.
        run[_BY_LINKS] = [by_links, notes]
    given: dict[str, Any] = {
        "pairing": pairing,
        "options": scoring,
        "similar": request.similarity,
        "run": run,
        "presentation": shown,
    }
    task = ScoreTask(**given)
    if isinstance(places, Worst):
        task = PlacesTask(**given, most=request.errors or 0, places=places)
    if request.parts is not None:
        outcome = Outcome()
        outcome.output = task.assemble(collect_failures(request.parts.results(), outcome.failures))
        wholes, corpus_notes = request.parts.wholes, []
        _refuse_changed(request.parts)
    else:
        outcome = run_jobs(score_documents(pairing), task, request, what="texts scored")
        wholes = [task.whole()]
        gold, hyps = pairing.corpora()
        corpus_notes = [note for corpus in (gold, *hyps.values()) for note in corpus.assumptions]
    extra = [Unpaired(name, where, extra=True) for name, where in wholes[0]["extra"]]
    pairing.unpaired[:] = [*task.unpaired, *extra]
    aside: dict[str, list[str]] = {}
    for path, name in wholes[0]["aside"]:
        aside.setdefault(path, []).append(name)
    evaluation: Evaluation = outcome.output
    if request.shard is None:
        _refuse_nothing(evaluation, outcome, pairing)
        _add_blocks(evaluation, wholes)
    notes = [*notes, *(str(note) for note in task.notes.values())]
    scored = ScoredTexts(
        evaluation=evaluation,
        pairing=pairing,
        notes=notes,
        aside=aside,
        corpus_notes=corpus_notes,
    )
    return Scored(scored=scored, places=places, outcome=outcome)


def add_pages(done: Scored, plan: ScorePlan, pages: Pages) -> None:
    """Read the scored texts again, for pages that show them; jobs hand over counts only."""
    from bitext.metrics.evaluation.links import LinkEvaluation
    from bitext.scoring.pages import links_of

    evaluation = done.scored.evaluation
    links = links_of(evaluation)
    if not (pages.shows_texts or links):
        return
    failed = {failure.number for failure in done.failures}
    pairing = SinglePairing.of(plan.pairing)
    place = 0
    for document in score_documents(pairing):
        for item in () if document.number in failed else pairing.one(*document.item):
            if links:
                again = LinkEvaluation(links.systems, links.options, missing=links.missing)
                again.add(item.gold, item.hyps, item.name)
                pages.add(item, again)
            else:
                pages.add(item, evaluation, place)
            place += 1


def _scores_links(
    pairing: SinglePairing, measures: Sequence[str] | None, parts: Parts | None
) -> tuple[bool, list[str]]:
    """Return `True` where word links are scored, not bisegments, and notes on the choice.

    The first text that can be read decides for all, as without jobs. Shards have the choice in
    their journals.
    """
    from bitext.scoring.alignments import LINKS, scores_links

    if measures is not None:
        return LINKS in measures, []
    if parts is not None:
        by_links, notes = parts.run.get(_BY_LINKS, (False, []))
        return by_links is True, [str(note) for note in notes]
    for document in score_documents(pairing):
        try:
            texts = pairing.one(*document.item)
        except BitextError:
            continue  # its job reports the error
        if texts:
            return scores_links(measures, texts[0])
    return False, []


def _refuse_nothing(evaluation: Evaluation, outcome: Outcome, pairing: SinglePairing) -> None:
    """Refuse a corpus of which no text was scored."""
    if evaluation.texts:
        return
    if outcome.failures:
        raise all_failed(outcome.failures)
    first = pairing.unpaired[0].name if pairing.unpaired else ""
    raise InputError(
        f"no text of {pairing.gold} has a partner of the same name in "
        f"{next(iter(pairing.systems.values()))}: {first!r} has none; name the files alike, or "
        f"pair them in manifests"
    )


def _add_blocks(evaluation: Evaluation, wholes: Sequence[dict[str, Any]]) -> None:
    """Add the blocks of a single text, which is resampled by blocks."""
    if len(evaluation.texts) == 1 and evaluation.resamples_blocks:
        lone = next((whole["lone"] for whole in wholes if whole["lone"] is not None), None)
        if lone is not None:
            evaluation.add_block_state(lone)


def _refuse_changed(parts: Parts) -> None:
    """Refuse shards of a corpus that changed between their runs."""
    for path, whole in zip(parts.paths, parts.wholes, strict=True):
        for key in ("extra", "aside"):
            if whole[key] != parts.wholes[0][key]:
                raise InputError(
                    f"{path}: saw other files than {parts.paths[0]}; run the shards over one corpus"
                )
