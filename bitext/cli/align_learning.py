"""Learning from a corpus by jobs: from a sample of its texts, in passes."""

from __future__ import annotations

import hashlib
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.cli.align_desk import AlignDesk
from bitext.cli.align_journal import (
    PASSES,
    forget,
    lessons_of,
    lexicon_of,
    refuse_other,
    refuse_taken,
)
from bitext.cli.align_output import check_file
from bitext.cli.align_stream import PairStream, Survey, survey
from bitext.cli.common import deliver, tell
from bitext.cli.job_options import (
    nothing_done,
    refuse_streams,
    run_jobs,
    shard_done,
    split,
    tell_failures,
)
from bitext.errors import OptionError
from bitext.paths import is_file, is_there, temporary_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    from bitext.cli.align_pairs import FilePair
    from bitext.jobs import Document, Outcome
    from bitext.jobs.aligning import LearnTask, Recipe

__all__ = [
    "copy_file",
    "digest_of",
    "documents_of",
    "learn_only",
    "learned",
    "learning",
    "merge_lessons",
    "read_beside",
    "recipe_of",
    "streams_of",
]

_BLOCK = 1 << 20


def learn_only(options: argparse.Namespace) -> int:
    """Learn from a corpus, all of it or a shard; return the exit status."""
    if options.output or options.gold or options.explain is not None:
        raise OptionError("--learn-only aligns nothing: leave -o, --gold and --explain out")
    for name, given in (
        ("--to", options.to),
        ("--min-score", options.min_score is not None),
        ("--write-documents", options.write_documents),
        ("--json", options.json),
        ("--format", options.format),
        ("--save-lexicon", options.shard is not None and options.save_lexicon),
    ):
        if given:
            why = "what shards learn is put together by merge" if options.shard else "nothing to do"
            raise OptionError(f"--learn-only does not heed {name} ({why}): leave it out")
    if options.shard is None and not options.save_lexicon:
        raise OptionError("--learn-only writes what was learned: name a file (--save-lexicon)")
    if options.learn_from < 1:
        raise OptionError(f"--learn-from {options.learn_from}: want 1 sentence or more")
    refuse_streams(streams_of(options), options)
    begun = time.monotonic()
    pairs = PairStream(options)
    if options.save_lexicon:
        from bitext.formats.writing import refuse_same

        refuse_same(read_beside(options), [options.save_lexicon])
        check_file(options.save_lexicon)
    found = survey(pairs, None, options, sentences=options.learn_from)
    if options.journal and options.shard is None:
        check_file(options.journal)
        refuse_other(options.journal, {"learning": learning(options, options.lexicon or "")})
        refuse_taken(options.journal)
    if options.shard is not None:
        return shard_done(_lessons(found, options, options.lexicon or "", options.journal), options)
    with ExitStack() as stack:
        known = learned(found, options, stack, begins=options.lexicon or "")
    if options.journal:
        forget(options.journal)
        if known.texts is not None:  # it is that of no other run, and was saved
            Path(known.lexicon).unlink(missing_ok=True)
    took = f"; {time.monotonic() - begun:,.0f} s"
    tell([f"{known.told(of=found.texts)}{took}", *pairs.notes], options)
    return 0


class Learned(NamedTuple):
    """What was learned: its file, and how many texts it is from; None where that was before."""

    lexicon: str
    texts: int | None

    def told(self, *, of: int | None = None) -> str:
        """Tell what it was learned from, of so many texts if they are named."""
        if self.texts is None:
            return f"learned before, {self.lexicon}"
        if of is not None:
            return f"learned from {self.texts:,} of {of:,} texts"
        return "learned from 1 text" if self.texts == 1 else f"learned from {self.texts:,} texts"


def learned(
    found: Survey, options: argparse.Namespace, stack: ExitStack, *, begins: str = ""
) -> Learned:
    """Learn from the sample, in passes, and return the file of what was learned.

    Beside a journal it stays; a run that is gone on with takes what is there, as what was aligned
    was aligned with it.
    """
    if options.journal:
        base = options.journal
        kept = lexicon_of(base)
        if is_there(base) and Path(base).stat().st_size and is_there(kept):
            if options.save_lexicon:
                copy_file(kept, options.save_lexicon)
            return Learned(kept, None)
    else:
        base = str(stack.enter_context(temporary_folder()) / "run")
    lexicon, outcome, texts = begins, None, 0
    for number in range(1, PASSES + 1):
        journal = lessons_of(base, number) if options.journal else None
        outcome = _lessons(found, options, lexicon, journal)
        texts = len(found.sample) - len(outcome.failures)
        if not texts and not len(outcome.output.words[0].counts):
            raise nothing_done(outcome.failures)
        lexicon = lexicon_of(base, number)
        _write_knowledge(outcome.output, lexicon)
    if options.learn_only and outcome is not None:
        tell_failures(outcome.failures, options)
    if options.save_lexicon:
        copy_file(lexicon, options.save_lexicon)
    return Learned(lexicon, texts)


def _lessons(
    found: Survey, options: argparse.Namespace, lexicon: str, journal: str | None
) -> Outcome:
    """Go over the sample once."""
    changed = {"journal": journal, "max_failures": None}
    documents = documents_of((pair for _, pair in found.sample))
    return run_jobs(documents, _learn_task(options, lexicon), options,
                    what="texts to learn from", **changed)  # fmt: skip


def _learn_task(options: argparse.Namespace, lexicon: str) -> LearnTask:
    from bitext.jobs.aligning import LearnTask

    run, (_, shown) = learning(options, lexicon), split("align", options)
    recipe = recipe_of(options, lexicon, method=_teaching(options))
    recipe.prepare()  # what cannot be read is told before the work
    desk = AlignDesk(options, None, "")
    return LearnTask(recipe=recipe, desk=desk, run=run, presentation=shown)


def learning(options: argparse.Namespace, lexicon: str) -> dict[str, Any]:
    """Return what is learned from, and how, as for JSON: what is learned depends on it."""
    run, _ = split("align", options)
    run["options"] |= {"learn_only": True, "output": "", "save_lexicon": None, "to": ""}
    return {**run, "lexicon": digest_of(lexicon)}


def _teaching(options: argparse.Namespace) -> str:
    """Return the method that a sample is aligned with: vectors teach nothing of words."""
    return "lexical" if options.method in {None, "embedding"} else str(options.method)


def merge_lessons(options: argparse.Namespace) -> int:
    """Write what the lessons of all shards make known."""
    task = _learn_task(options, options.lexicon or "")
    knowledge = task.assemble(options.parts.results())
    deliver((f"{line}\n" for line in knowledge.lines()), options)
    return 0


def _write_knowledge(knowledge: Any, path: str) -> None:
    from bitext.formats.writing import write_whole

    with write_whole(path) as out:
        out.writelines(f"{line}\n" for line in knowledge.lines())


def copy_file(path: str, place: str) -> None:
    """Copy a file, whole or not at all."""
    from bitext.formats.writing import write_whole

    with Path(path).open("rb") as source, write_whole(place, binary=True) as out:
        while block := source.read(_BLOCK):
            out.write(block)


def digest_of(path: str) -> str | None:
    """Return what tells a file from others."""
    if not path:
        return None
    from bitext.formats.opening import open_source

    if not is_file(path):
        open_source(path).close()  # raises, with the nearest name there is
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def recipe_of(options: argparse.Namespace, lexicon: str, *, method: str) -> Recipe:
    """Return how texts are aligned, as the options say."""
    from bitext.align.sentences.sentence_options import SentenceOptions, named
    from bitext.formats.encodings import encoding_of
    from bitext.jobs.aligning import Recipe

    named(method)  # raises, with the nearest name there is
    return Recipe(
        method=method,
        options=SentenceOptions(beads=options.beads),
        lexicon=lexicon,
        dictionaries=tuple(options.dictionary),
        encoding=encoding_of(options.encoding, ""),
    )


def documents_of(pairs: Iterable[FilePair]) -> Iterator[Document]:
    """Yield a document for each pair of texts."""
    from bitext.jobs import Document

    for number, pair in enumerate(pairs):
        yield Document(number, pair.name, pair, (pair.src, str(pair.tgt)))


def streams_of(options: argparse.Namespace) -> list[str | None]:
    """Return what may name standard input: each process reads for itself."""
    return [options.src, options.tgt, options.lexicon, *options.dictionary]


def read_beside(options: argparse.Namespace) -> Iterator[str]:
    """Yield the files that may not be written over."""
    yield from filter(None, [options.lexicon, *options.dictionary, options.journal])
