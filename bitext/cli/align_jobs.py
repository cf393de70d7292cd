"""`bitext align` over a corpus by jobs: learn from a sample, then align each text with that."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from bitext.cli.align_desk import AlignDesk
from bitext.cli.align_evidence import refuse_one_of_many
from bitext.cli.align_journal import forget, refuse_other, refuse_taken
from bitext.cli.align_learning import (
    digest_of,
    documents_of,
    learn_only,
    learned,
    learning,
    merge_lessons,
    read_beside,
    recipe_of,
    streams_of,
)
from bitext.cli.align_output import check_file, find_place, names_folder
from bitext.cli.align_stream import PairStream, survey
from bitext.cli.align_summary import Summary, merge_summaries
from bitext.cli.job_options import check_jobs, refuse_streams, run_jobs, shard_done, split
from bitext.errors import OptionError

if TYPE_CHECKING:
    import argparse

    from bitext.cli.align_output import Place
    from bitext.jobs.aligning import AlignTask

__all__ = ["align_by_jobs", "many_texts"]

_LARGE = 1000  # texts; more are aligned by jobs, unless something is asked for that jobs lack


def many_texts(options: argparse.Namespace) -> bool:
    """Tell whether there are so many texts that only jobs can align them."""
    from bitext.formats.places import is_folder_at

    lacks = options.gold or options.explain is not None or options.write_documents
    if lacks or not names_folder(options.output, many=True) or options.src == "-":
        return False
    of_many = is_folder_at(options.src)
    if not of_many and options.tgt is not None:
        return False
    from bitext.cli.align_pairs import find_pairs, manifest_pairs

    named = options.tgt is None and not options.known
    rows = manifest_pairs(options.src, once=False) if named else None
    if rows is None and not of_many:
        return False
    found = rows if rows is not None else iter(find_pairs(options)[0])
    return any(k == _LARGE for k, _ in enumerate(found))


def align_by_jobs(options: argparse.Namespace) -> int:
    """Align a corpus, or learn from it, or put together what shards did; return the status."""
    check_jobs(options)
    parts = getattr(options, "parts", None)
    if options.learn_only:
        return learn_only(options) if parts is None else merge_lessons(options)
    if parts is not None:
        return merge_summaries(options)
    _check(options)
    begun = time.monotonic()
    pairs = PairStream(options)
    place = find_place(options, list(read_beside(options)), many=True)
    if place is None or not place.output.endswith("/"):
        raise OptionError(
            "by jobs each text has a file of its own: name a folder and the format (-o aligned/ "
            "--to tmx)"
        )
    refuse_one_of_many(options)
    if options.encoder and options.engine == "local":
        AlignDesk(options, None, "").prepare()  # what cannot be loaded is told before the work
    learns = not options.lexicon and options.shard is None
    found = survey(pairs, place, options, sentences=options.learn_from if learns else 0)
    if options.journal:
        check_file(options.journal)
        refuse_other(options.journal, _run(options, place, learns=learns), but="lexicon")
        if learns:
            refuse_taken(options.journal)
    with ExitStack() as stack:
        known = learned(found, options, stack) if learns else None
        lexicon = options.lexicon or "" if known is None else known.lexicon
        summary = stack.enter_context(Summary(options, begun))
        if known is not None:
            summary.told.append(known.told())
        summary.told += pairs.notes
        outcome = run_jobs(
            documents_of(pairs), _task(options, place, lexicon, summary, learns=learns), options,
            what="texts aligned",
        )  # fmt: skip
        if options.shard is not None:
            return shard_done(outcome, options)
        if options.journal:
            forget(options.journal)
        return summary.finish(outcome.failures)


def _run(options: argparse.Namespace, place: Place, *, learns: bool) -> dict[str, Any]:
    """Return all that the results depend on, but what is learned, as for JSON."""
    run, _ = split("align", options)
    for name in ("save_lexicon", "lexicon", "learn_from"):  # what they come to is told beside
        run["options"].pop(name)
    run |= {"place": place.output, "lexicon": None}
    return run | {"learning": learning(options, "")} if learns else run


def _task(
    options: argparse.Namespace, place: Place, lexicon: str, summary: Summary, *, learns: bool
) -> AlignTask:
    from bitext.jobs.aligning import AlignTask

    run = _run(options, place, learns=learns) | {"lexicon": digest_of(lexicon)}
    _, shown = split("align", options)
    shown.pop("output")
    recipe = recipe_of(options, lexicon, method=summary.method)
    recipe.prepare()  # what cannot be read is told before the work
    return AlignTask(
        recipe=recipe,
        desk=AlignDesk(options, place.output, place.known.name),
        run=run,
        presentation=shown,
        gather=summary.gather,
    )


def _check(options: argparse.Namespace) -> None:
    """Refuse what is not done by jobs."""
    for name, given, remedy in (
        ("--gold", options.gold, "score what was written: bitext score GOLD OUT"),
        ("--explain", options.explain is not None, "name the two files of one text"),
        ("--write-documents", options.write_documents, "choose a format with texts, as tmx"),
        (
            "--save-lexicon",
            options.save_lexicon and (options.lexicon or options.shard is not None),
            "with --lexicon or --shard nothing is learned",
        ),
    ):
        if given:
            raise OptionError(f"{name} is not for work by jobs: {remedy}")
    refuse_streams(streams_of(options), options)
    if options.learn_from < 1:
        raise OptionError(f"--learn-from {options.learn_from}: want 1 sentence or more")
    lexical = options.method in {None, "lexical", "embedding"}
    if options.shard is not None and not options.lexicon and lexical:
        raise OptionError(
            "--shard aligns with what was learned before: learn it (--learn-only), and give it "
            "(--lexicon)"
        )
    if options.engine != "local" and not (options.lexicon or options.journal):
        raise OptionError(
            "what is learned is a file that the workers of a cluster read: name a --journal beside "
            "which it is written, where they see it"
        )
