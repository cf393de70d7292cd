"""`bitext score`: precision, recall and F of alignments, over one text or a corpus."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    check_where,
    columns_of,
    deliver,
    name_systems,
    protected_outputs,
    tell,
    tell_unpaired,
)
from bitext.cli.console import Progress
from bitext.cli.job_options import (
    add_jobs,
    add_store,
    collect,
    jobs_asked,
    nothing_done,
    refuse_streams,
    refuse_unwritten,
    run_jobs,
    shard_done,
    split,
    tell_failures,
)
from bitext.cli.score.links import (
    LINKS,
    bases_asked,
    link_job,
    link_scoring,
    refuse_link_options,
    refuse_misfits,
    scores_links,
)
from bitext.cli.score.options import ALL, formats_asked, measures_asked, parser, style_asked
from bitext.cli.score.views import Worst, pages_asked, places_asked
from bitext.errors import BitextError, InputError, OptionError, masked
from bitext.paths import is_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.cli.score.views import NoPlaces, Pages
    from bitext.formats.corpora.pairing import Pairing, Unpaired
    from bitext.jobs import Outcome
    from bitext.jobs.parts import Parts
    from bitext.jobs.scoring import ScoreTask, SinglePairing
    from bitext.metrics.evaluation.alignments import Evaluation
    from bitext.metrics.evaluation.sampling import Options
    from bitext.model import Bitext, Note

__all__ = ["Scored", "links_by_jobs", "run", "score", "score_by_jobs"]


# A corpus scored by jobs, or put together from the shards of others.

_READING = (
    "gold", "systems", "src", "tgt", "hyp_src", "hyp_tgt", "gold_format", "hyp_format", "formats",
    "encoding", "roots", "swapped", "missing", "partial", "bases", "where", "drafts", "columns",
)  # fmt: skip
_BY_LINKS = "word links"  # in the head of a journal: what `links_by_jobs` returned


class Scored:
    """A corpus that was scored by jobs, or by the shards that are merged.

    Attributes
    ----------
    evaluation : Evaluation
        The counts, as if all texts had been scored here.
    outcome : Outcome
        What was done and what failed.
    notes : list of str
        What was odd in the files.
    aside : dict of str to list of str
        The files of folders that hold no alignment, by folder.

    """

    def __init__(self, evaluation: Evaluation, outcome: Outcome, notes: list[str]) -> None:
        self.evaluation, self.outcome, self.notes = evaluation, outcome, notes
        self.aside: dict[str, list[str]] = {}
        self.failures = outcome.failures

    def to_json(self) -> list[dict[str, str]]:
        """Return the failures."""
        return [{"text": each.name, "reason": each.reason} for each in self.failures]

    def status(self, options: argparse.Namespace) -> int:
        """Tell what failed; return the exit status."""
        return tell_failures(self.failures, options)


def _single(pairing: Pairing) -> SinglePairing:
    from bitext.jobs.scoring import SinglePairing

    return SinglePairing(**{name: getattr(pairing, name) for name in _READING})


def links_by_jobs(options: argparse.Namespace, pairing: Pairing) -> tuple[bool, list[str]]:
    """Tell whether word links are scored, and note which reading of the files was taken.

    The first text that can be read decides for all, as without jobs; of shards that are merged,
    their journals tell.
    """
    from bitext.jobs.scoring import score_documents

    asked = measures_asked(options)
    if asked is not None:
        return LINKS in asked, []
    parts = getattr(options, "parts", None)
    if parts is not None:
        by_links, told = parts.run.get(_BY_LINKS, (False, []))
        return by_links is True, [str(note) for note in told]
    single = _single(pairing)
    for document in score_documents(single):
        try:
            texts = single.one(*document.item)
        except BitextError:
            continue  # it fails by itself, as a job
        if texts:
            return scores_links(options, texts[0])
    return False, []


def score_by_jobs(
    options: argparse.Namespace,
    pairing: Pairing,
    scoring: Options,
    places: NoPlaces,
    by_links: tuple[bool, list[str]] = (False, []),
) -> Scored:
    """Score a corpus by jobs, as the options ask; what lacks a partner is put into the pairing.

    `by_links` is what `links_by_jobs` returns: a run goes on, and shards are merged, only where it
    is the same.
    """
    from bitext.formats.corpora.pairing import Unpaired
    from bitext.jobs import Outcome
    from bitext.jobs.scoring import ScoreTask, score_documents

    single = _single(pairing)
    run, shown = split("score", options)
    if any(by_links):
        run[_BY_LINKS] = list(by_links)
    given: dict[str, Any] = {
        "pairing": single,
        "options": scoring,
        "similar": options.similarity,
        "run": run,
        "presentation": shown,
    }
    task = ScoreTask(**given)
    if isinstance(places, Worst):
        from bitext.cli.score.tasks import PlacesTask

        task = PlacesTask(**given, most=options.errors, places=places)
    parts = getattr(options, "parts", None)
    if parts is not None:
        outcome = Outcome()
        outcome.output = task.assemble(collect(parts.results(), outcome.failures))
        wholes = parts.wholes
        _refuse_changed(parts)
    else:
        outcome = run_jobs(score_documents(single), task, options, what="texts scored")
        wholes = [task.whole()]
    notes = [*by_links[1], *(str(note) for note in task.notes.values())]
    found = Scored(outcome.output, outcome, notes)
    extra = [Unpaired(name, where, extra=True) for name, where in wholes[0]["extra"]]
    for path, name in wholes[0]["aside"]:
        found.aside.setdefault(path, []).append(name)
    pairing.unpaired[:] = [*task.unpaired, *extra]
    if options.shard is None:
        _settle(found, task, wholes, pairing.unpaired)
    return found


def _settle(
    found: Scored, task: ScoreTask, wholes: Sequence[dict[str, Any]], unpaired: list[Unpaired]
) -> None:
    """Refuse a corpus without a text; let a text that is the only one have its blocks."""
    texts = found.evaluation.texts
    if not texts and found.failures:
        raise nothing_done(found.failures)
    if not texts:
        first = unpaired[0].name if unpaired else ""
        raise InputError(
            f"no text of {task.pairing.gold} has a partner of the same name in "
            f"{next(iter(task.pairing.systems.values()))}: {first!r} has none; name the files "
            f"alike, or pair them in manifests"
        )
    if len(texts) == 1 and found.evaluation.resamples_blocks:
        lone = next((whole["lone"] for whole in wholes if whole["lone"] is not None), None)
        if lone is not None:
            found.evaluation.add_block_state(lone)


def _refuse_changed(parts: Parts) -> None:
    """Refuse shards between which the corpus changed."""
    for path, whole in zip(parts.paths, parts.wholes, strict=True):
        for key in ("extra", "aside"):
            if whole[key] != parts.wholes[0][key]:
                raise InputError(
                    f"{path}: saw other files than {parts.paths[0]}; run the shards over one corpus"
                )


def run(arguments: Sequence[str]) -> int:
    """Score."""
    options = add_jobs(add_store(parser())).parse_args(arguments)
    with protected_outputs(options):
        return score(options)


def score(options: argparse.Namespace) -> int:
    """Score as the options ask, here or by jobs; or put together what shards did."""
    style = style_asked(options)
    refuse_unwritten(options)
    check_where(options)
    if options.store is not None:
        from bitext.jobs.scoring import check_store

        check_store(options.store)
    systems = name_systems(options.hyps, [options.gold], options.names)
    pairing = _pairing(options, systems)
    averages = ("micro", "macro") if options.average == "both" else (options.average,)
    scored: Scored | None = None
    evaluation: Evaluation
    with pages_asked(options) as pages:
        if jobs_asked(options):
            scored, places = _score_by_jobs(pairing, style, options)
            if options.shard is not None:
                return shard_done(scored.outcome, options)
            evaluation, notes = scored.evaluation, scored.notes
        else:
            evaluation, places, notes = _score(pairing, pages, style, options)
        if not options.no_swap_check:
            _refuse_swapped(evaluation, pairing)
            notes += evaluation.shifted_notes()
        notes += evaluation.matched_notes()
        notes += evaluation.sampling_notes(averages)
        notes += _unpaired_notes(pairing, options, scored)
        if "word" in evaluation.left_out or "character" in evaluation.left_out:
            told = next(iter(evaluation.left_out.values()))
            notes.append(f"word and character granularity left out: {told} (--src, --tgt)")
        from bitext.reports.scores.figures import left_out_notes

        left = left_out_notes(evaluation, averages)
        notes += pages.finish(evaluation, averages, [*notes, *left])
        if style == "json":
            notes += left_out_notes(evaluation, ("micro", "macro"))
        elif style == "tsv":
            notes += left  # others have it in their caption
    tell(notes, options)
    if options.store is not None:
        from bitext.jobs.scoring import write_store

        write_store(options.store, evaluation)
    if options.html == "-" and options.output == "-":
        return scored.status(options) if scored else 0
    if style == "json":
        text = _document(evaluation, pairing, notes, places, options, scored)
    else:
        text = _tables(evaluation, places, style, averages, options)
    deliver(text, options)
    return scored.status(options) if scored else 0


def _score_by_jobs(
    pairing: Pairing, style: str, options: argparse.Namespace
) -> tuple[Scored, NoPlaces]:
    """Score by jobs what the first text has, word links or bisegments."""
    _refuse_views(options, style)
    systems = list(pairing.systems)
    by_links = links_by_jobs(options, pairing)
    scoring: Options
    if by_links[0]:
        scoring, places = link_job(options, systems)
    else:
        refuse_link_options(options)
        scoring, places = _scoring(options), places_asked(systems, style, options)
    return score_by_jobs(options, pairing, scoring, places, by_links), places


def _scoring(options: argparse.Namespace) -> Options:
    from bitext.metrics.evaluation.sampling import Options

    return Options(
        measures=measures_asked(options),
        words=options.words,
        characters=options.characters,
        min_matched=options.min_matched,
        zero_division=options.zero_division,
        resamples=options.resamples,
        level=options.confidence,
        seed=options.seed,
        test=options.test,
    )


def _refuse_views(options: argparse.Namespace, style: str) -> None:
    """Refuse what needs whole texts where only their counts and worst places are at hand."""
    if options.errors == ALL and style != "json":
        raise OptionError(
            "--errors without a number shows whole texts, which jobs do not hand over: give a "
            "number, as --errors 20, or leave --jobs and such out"
        )
    if options.html is not None and (options.html.endswith("/") or is_folder(options.html)):
        raise OptionError(
            "--html FOLDER/ shows whole texts, which jobs do not hand over: name a file, or leave "
            "--jobs and such out"
        )
    if getattr(options, "parts", None) is None:
        texts = (options.src, options.tgt, options.hyp_src, options.hyp_tgt)
        refuse_streams((options.gold, *options.hyps, *texts), options)


def _pairing(options: argparse.Namespace, systems: dict[str, str]) -> Pairing:
    from bitext.formats.corpora.pairing import Pairing
    from bitext.formats.io.encodings import check_encodings
    from bitext.formats.io.remote import is_folder_at

    unknown = next((name for name in options.swap if name not in systems), None)
    if unknown is not None:
        raise OptionError(f"--swap {unknown!r}: want one of the systems {', '.join(systems)}")
    nowhere = next((root for root in options.root if not is_folder_at(root)), None)
    if nowhere is not None and getattr(options, "parts", None) is None:
        raise OptionError(f"--root {nowhere}: no such folder; check the path")
    if [options.gold, *options.hyps].count("-") > 1:
        raise OptionError("standard input (-) can be one alignment only")
    known, formats = formats_asked(options.formats, [*systems])
    return Pairing(
        gold=options.gold,
        systems=systems,
        src=options.src,
        tgt=options.tgt,
        hyp_src=options.hyp_src,
        hyp_tgt=options.hyp_tgt,
        gold_format=options.gold_from or known,
        hyp_format=known,
        formats=formats,
        encoding=check_encodings(options.encoding),
        roots=options.root,
        swapped=frozenset(options.swap),
        bases=bases_asked(options.base, ("gold", *systems)),
        missing=options.missing,
        partial=options.partial,
        where=tuple(options.where),
        drafts=options.drafts,
        columns=columns_of(options),
    )


def _score(
    pairing: Pairing, pages: Pages, style: str, options: argparse.Namespace
) -> tuple[Evaluation, NoPlaces, list[str]]:
    """Read and score text by text, hand each on, and return what was odd."""
    from bitext.metrics.evaluation.alignments import Evaluation

    systems = list(pairing.systems)
    notes: dict[str, Note] = {}
    progress = Progress("scored", len(pairing), quiet=options.quiet)
    with closing(progress.over(pairing)) as items:
        first = next(items)
        by_links, told = scores_links(options, first)
        evaluation: Evaluation
        if by_links:
            evaluation, places = link_scoring(options, systems)
        else:
            refuse_link_options(options)
            detailed = options.beads or style == "json" or options.html is not None
            evaluation = Evaluation(
                systems,
                _scoring(options),
                detailed,
                similar=options.similarity,
                missing=options.missing,
            )
            places = places_asked(systems, style, options)
        for item in chain([first], items):
            compared = evaluation.add(item.gold, item.hyps, item.name)
            for role, bitext in zip(("gold", *systems), (item.gold, *item.hyps), strict=True):
                _collect(notes, role, bitext)
            places.add(item, compared)
            pages.add(item, evaluation)
    return evaluation, places, [*told, *(str(note) for note in notes.values())]


def _collect(notes: dict[str, Note], role: str, bitext: Bitext) -> None:
    """Add up the notes of the gold standard, and of each system, by kind."""
    for note in bitext.notes:
        kind = f"{role}: {note.kind}"
        known = notes.get(kind)
        count, first = (known.count, known.first) if known else (0, note.first)
        notes[kind] = replace(note, kind=kind, count=count + note.count, first=first)


def _refuse_swapped(evaluation: Evaluation, pairing: Pairing) -> None:
    from bitext.metrics.evaluation.links import LinkEvaluation

    if isinstance(evaluation, LinkEvaluation):
        refuse_misfits(evaluation, pairing)
        return
    for name, (given, exchanged) in evaluation.swapped_systems().items():
        swapped = name in pairing.swapped
        found = "with --swap" if swapped else "as given"
        other = "without" if swapped else "exchanged"
        remedy = f"leave --swap {name} out" if swapped else f"score it with --swap {name}"
        raise InputError(
            f"{pairing.systems[name]}: source and target seem swapped: sentence F1 is {given:.4f} "
            f"{found} and {exchanged:.4f} {other}; {remedy}, or score it as it is with "
            f"--no-swap-check"
        )


def _unpaired_notes(
    pairing: Pairing, options: argparse.Namespace, scored: Scored | None
) -> list[str]:
    from bitext.formats.corpora import aside_notes

    left = {"leave": "left out for all systems", "empty": "taken as nothing proposed"}
    notes = tell_unpaired(pairing.unpaired, lacking=left.get(options.missing, ""))
    aside = scored.aside if scored is not None else _aside(pairing)
    for path, names in aside.items():
        if options.verbose:
            notes += [f"{path}: {name} holds no alignment" for name in names]
        else:
            notes += aside_notes(path, names)
    if getattr(options, "parts", None) is None:  # of shards nobody looks for the files again
        gold, hyps = pairing.corpora()
        notes += [told for corpus in (gold, *hyps.values()) for told in corpus.told]
    return notes


def _aside(pairing: Pairing) -> dict[str, Sequence[str]]:
    """Return the files of folders that hold no alignment, by folder."""
    gold, hyps = pairing.corpora()
    return {corpus.path: corpus.aside for corpus in (gold, *hyps.values())}


def _tables(
    evaluation: Evaluation,
    places: NoPlaces,
    style: str,
    averages: Sequence[str],
    options: argparse.Namespace,
) -> str:
    from bitext.reports.scores import figures as scores
    from bitext.reports.table import beside

    make = scores.flat_table if style == "tsv" else scores.score_table
    parts = [make(evaluation, averages, texts=options.per_text).render(style)]
    if style != "tsv":
        parts.insert(0, beside(scores.caption(evaluation, averages), style))
    if options.similarity and style != "tsv":
        parts.append(beside(scores.similarity_caption(evaluation, averages), style))
        table = scores.similarity_table(evaluation, averages, texts=options.per_text)
        parts.append(table.render(style))
    if options.beads:
        parts.append(scores.bead_table(evaluation).render(style))
    parts += places.rendered()
    return "\n".join(parts)


def _document(
    evaluation: Evaluation,
    pairing: Pairing,
    notes: list[str],
    places: NoPlaces,
    options: argparse.Namespace,
    scored: Scored | None,
) -> str:
    from bitext.reports.scores.figures import to_json

    systems = {name: masked(path) for name, path in pairing.systems.items()}
    document = {**to_json(evaluation), "gold": masked(options.gold), "systems": systems}
    document["unpaired"] = [
        {"text": lone.name, "where": masked(lone.where), "extra": lone.extra}
        for lone in pairing.unpaired
    ]
    document["notes"] = [masked(note) for note in notes]
    if (told := places.to_json()) is not None:
        document["places"] = told
    if scored is not None and scored.failures:
        document["failed"] = scored.to_json()
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
