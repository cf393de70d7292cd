"""Scores of a corpus by jobs: its texts are scored in other processes, or its shards are merged.

The workers import this module to unpickle `PlacesTask`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from bitext.errors import BitextError, InputError, OptionError, remedy
from bitext.jobs.scoring import ScoreTask
from bitext.reports.scores.page_writers import pairs_of, places_of
from bitext.scoring.scored_texts import LINKS, ScoredTexts, scores_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitext.formats.corpora.pairing import Pairing, TextSet
    from bitext.jobs import Outcome
    from bitext.jobs.journal import Parts
    from bitext.metrics.arcade import Comparison
    from bitext.metrics.evaluation import Options
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.reports.alignment.excerpts import PlaceView
    from bitext.reports.links import PairView
    from bitext.reports.scores.page_writers import Places
    from bitext.scoring.scored_texts import Scoring

_BY_LINKS = "word links"  # key in the head of a journal: the result of `_scores_links`


@dataclass(kw_only=True)
class PlacesTask(ScoreTask):
    """Scores systems on texts, and returns the worst places, or the worst pairs of word links."""

    most: int = 0  # the most places of a system in a text
    places: Places | None = None  # the collector of places; `None` in workers, and for a shard

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
        views = [[restored(place) for place in ranked] for ranked in record["places"]]
        self.places.take(views, by_links=by_links)


@dataclass(frozen=True, slots=True, kw_only=True)
class Jobs:
    """How jobs score the texts."""

    # Runs a task over its documents, or assembles the results of its shards; returns the outcome.
    run: Callable[[ScoreTask], Outcome]
    # `options`, `presentation`: the options that results depend on, with the command, and those of
    # the output alone.
    options: dict[str, Any]
    presentation: dict[str, Any]
    parts: Parts | None = None  # the journals of all shards, to be merged


def score_by_jobs(pairing: Pairing, scoring: Scoring, places: Places, jobs: Jobs) -> ScoredTexts:
    """Score a corpus by jobs, or merge its shards; add the places with errors to `places`.

    Raises `BitextError` when no text can be scored, or the shards are not of one corpus.
    """
    task, notes = _prepared(pairing, scoring, jobs, max_places=places.most, places=places)
    outcome = jobs.run(task)
    aside: dict[str, list[str]] | None = None
    if jobs.parts is not None:
        _refuse_changed(jobs.parts)
        aside = {}
        for path, name in jobs.parts.wholes[0]["aside"]:
            aside.setdefault(path, []).append(name)
    task.complete(outcome, [task.whole()] if jobs.parts is None else jobs.parts.wholes)
    return ScoredTexts(
        evaluation=outcome.output,
        pairing=task.pairing,
        notes=[*notes, *(str(note) for note in task.notes.values())],
        failures=outcome.failures,
        aside_by_shards=aside,
    )


def score_shard(pairing: Pairing, scoring: Scoring, most: int, jobs: Jobs) -> Outcome:
    """Score a shard of a corpus, with `most` places of a system; its journal has the results."""
    task, _ = _prepared(pairing, scoring, jobs, max_places=most)
    return jobs.run(task)


def _prepared(
    pairing: Pairing, scoring: Scoring, jobs: Jobs, *, max_places: int, places: Places | None = None
) -> tuple[ScoreTask, list[str]]:
    """Return the task, and notes on the choice of scores."""
    single = pairing.unread()
    by_links, notes = _scores_links(single, scoring.granularity, jobs.parts)
    options: Options
    if by_links:
        if scoring.by is not None:
            raise OptionError(
                f"{remedy(f'by {scoring.by}')} wants the words of all texts, which jobs do not "
                f"have: leave it out, or leave {remedy('jobs')} and the like out"
            )
        options = scoring.link_options()
    else:
        options = scoring.bisegment_options()
    run = dict(jobs.options)
    if by_links or notes:
        # A journal is continued, and shards are merged, only if they have scored the same thing.
        run[_BY_LINKS] = [by_links, notes]
    arguments: dict[str, Any] = {
        "pairing": single,
        "options": options,
        "similar": scoring.similarity,
        "run": run,
        "presentation": jobs.presentation,
    }
    task = (
        PlacesTask(**arguments, most=max_places, places=places)
        if max_places
        else ScoreTask(**arguments)
    )
    return task, notes


def _scores_links(
    pairing: Pairing, measures: Sequence[str] | None, parts: Parts | None
) -> tuple[bool, list[str]]:
    """Return `True` where word links are scored, not bisegments, and notes on the choice.

    The first text that can be read decides for all, as without jobs. Shards have the choice in
    their journals.
    """
    if measures is None and parts is not None:
        by_links, notes = parts.run.get(_BY_LINKS, (False, []))
        return by_links is True, [str(note) for note in notes]
    # Bisegments are refused where the files have none but lines of word links.
    is_undecided = parts is None and (measures is None or LINKS not in measures)
    return scores_links(measures, next(_readable(pairing), None) if is_undecided else None)


def _readable(pairing: Pairing) -> Iterator[TextSet]:
    """Read the texts of the files without errors."""
    for files in pairing.files():
        try:
            texts = pairing.read(files)
        except BitextError:
            continue  # its job reports the error
        yield from texts


def _refuse_changed(parts: Parts) -> None:
    """Refuse shards of a corpus that changed between their runs."""
    for path, head in zip(parts.paths, parts.wholes, strict=True):
        for key in ("extra", "aside"):
            if head[key] != parts.wholes[0][key]:
                raise InputError(
                    f"{path}: read other files than {parts.paths[0]}; run the shards over one "
                    f"corpus"
                )
