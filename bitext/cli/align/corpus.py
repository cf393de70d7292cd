"""`bitext align` over a corpus by jobs: learn from a sample, then align each text with that."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.cli.align.outputs import check_file, find_place, names_folder
from bitext.cli.align.resources import refuse_one_of_many
from bitext.cli.align.running import Totals
from bitext.cli.align.stream import AlignDesk, PairStream, Survey, survey
from bitext.cli.common import deliver, tell
from bitext.cli.job_options import (
    check_jobs,
    collect,
    nothing_done,
    refuse_streams,
    run_jobs,
    shard_done,
    split,
    tell_failures,
)
from bitext.errors import InputError, OptionError
from bitext.paths import is_file, is_there, refuse_writing_to, temporary_folder, temporary_room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from bitext.cli.align.inputs import FilePair
    from bitext.cli.align.outputs import Place
    from bitext.jobs import Document, Failure, Outcome, Result
    from bitext.jobs.align_task import AlignTask, LearnTask, Recipe

__all__ = [
    "PASSES",
    "Summary",
    "align_by_jobs",
    "copy_file",
    "digest_of",
    "documents_of",
    "forget",
    "learn_only",
    "learned",
    "learning",
    "lessons_of",
    "lexicon_of",
    "many_texts",
    "merge_lessons",
    "merge_summaries",
    "read_beside",
    "recipe_of",
    "refuse_other",
    "refuse_taken",
    "streams_of",
]


# The files beside the journal of `bitext align`, and whether they are of this run.

PASSES = 3  # over the sample: without a lexicon first, then with what was learned by then


def lessons_of(journal: str, number: int) -> str:
    """Return the journal of a pass over the sample, counted from 1."""
    return f"{journal}.lessons-{number}"


def lexicon_of(journal: str, number: int = PASSES) -> str:
    """Return the file of what a pass taught; default: the last, which texts are aligned with."""
    return f"{journal}.lexicon" if number == PASSES else f"{journal}.lexicon-{number}"


def refuse_taken(journal: str) -> None:
    """Refuse a journal beside which there are links, or files that no run of it wrote.

    Raises
    ------
    InputError
        When what is learned would be written over such a file.

    """
    for name in (lexicon_of(journal), *_passing(journal)):
        refuse_writing_to(name)
    if _is_begun(journal) or _is_begun(lessons_of(journal, 1)):
        return
    for name in (lexicon_of(journal, k) for k in range(1, PASSES + 1)):
        if is_there(name):
            raise InputError(
                f"{name}: is there, but no journal {journal} that it belongs to, and what is "
                f"learned would be written over it; name another --journal, or delete it, too, if "
                f"it is left of a run"
            )


def refuse_other(journal: str, run: dict[str, Any], *, but: str = "") -> None:
    """Refuse a journal of another run before the work, so far as it is known what is run.

    Parameters
    ----------
    journal : str
    run : dict
        What is run, or a part of it.
    but : str, optional
        What of it is not known yet.

    Raises
    ------
    FormatError, InputError
        When the file is no journal, or is that of another run.

    """
    if not _is_begun(journal):
        return
    from bitext.jobs.journal import refuse_difference, run_of

    held = run_of(journal)
    if held is not None:
        wanted = {key: value for key, value in run.items() if key != but}
        refuse_difference(
            journal,
            {"run": {key: value for key, value in held.items() if key in wanted}},
            {"run": json.loads(json.dumps(wanted))},
        )


def forget(journal: str) -> None:
    """Take away what was learned from: what was learned is written."""
    for name in _passing(journal):
        Path(name).unlink(missing_ok=True)


def _passing(journal: str) -> Iterator[str]:
    for number in range(1, PASSES + 1):
        yield lessons_of(journal, number)
        if number < PASSES:
            yield lexicon_of(journal, number)


def _is_begun(journal: str) -> bool:
    path = Path(journal)
    return is_file(path) and path.stat().st_size > 0


# Learning from a corpus by jobs: from a sample of its texts, in passes.

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
        from bitext.formats.io.clashes import refuse_clashes

        refuse_clashes(read_beside(options), [options.save_lexicon])
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
    from bitext.jobs.align_task import LearnTask

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
    from bitext.formats.io.output import write_whole

    with write_whole(path) as out:
        out.writelines(f"{line}\n" for line in knowledge.lines())


def copy_file(path: str, place: str) -> None:
    """Copy a file, whole or not at all."""
    from bitext.formats.io.output import write_whole

    with Path(path).open("rb") as source, write_whole(place, binary=True) as out:
        while block := source.read(_BLOCK):
            out.write(block)


def digest_of(path: str) -> str | None:
    """Return what tells a file from others."""
    if not path:
        return None
    from bitext.formats.io.source import open_source

    if not is_file(path):
        open_source(path).close()  # raises, with the nearest name there is
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def recipe_of(options: argparse.Namespace, lexicon: str, *, method: str) -> Recipe:
    """Return how texts are aligned, as the options say."""
    from bitext.align.sentences.options import SentenceOptions, named
    from bitext.formats.io.encodings import encoding_of
    from bitext.jobs.align_task import Recipe

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


# What is told of a corpus that was aligned by jobs: none of its texts is held for it.

_HELD = 1 << 20  # characters of a document that are held in memory


class Summary:
    """Adds up what each text came to.

    Parameters
    ----------
    options : Namespace
    begun : float
        When the work was begun, of the monotonic clock.

    Attributes
    ----------
    method : str
        Its name.
    told : list of str
        What the user has to know beside.

    """

    def __init__(self, options: argparse.Namespace, begun: float) -> None:
        from bitext.formats.io.source import Notes

        vectors = options.vectors or options.encoder
        self.method = options.method or ("embedding" if vectors else "lexical")
        self.told: list[str] = []
        self._options, self._begun = options, begun
        self._merged = getattr(options, "parts", None) is not None
        self._totals, self._notes, self._losses = Totals(), Notes(), Notes()
        self._rows = tempfile.SpooledTemporaryFile(_HELD, "w+", encoding="utf-8")  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.close()

    def gather(self, results: Iterable[Result]) -> None:
        """Take the results, in the order of the texts."""
        for k, result in enumerate(results):
            row = {"text": result.name, "failed": result.failed}
            if not result.failed:
                row = self._taken(result.name, result.value)
            if self._options.json or self._merged:
                with temporary_room():
                    self._rows.write((", " if k else "") + json.dumps(row, ensure_ascii=False))

    def _taken(self, name: str, held: dict[str, Any]) -> dict[str, Any]:
        """Count what a text came to; return what is told of it."""
        self._totals.add(held)
        for notes, found in ((self._losses, held["losses"]), (self._notes, held["notes"])):
            for kind, first, count in found:
                notes.add(kind, first, count)
        return {
            "text": name,
            "src": held["names"][0],
            "tgt": held["names"][1],
            "sentences": held["sentences"],
            "beads": held["beads"],
            "output": held["output"],
            "notes": [first for _, first, _ in held["notes"]],
        }

    def finish(self, failures: list[Failure]) -> int:
        """Tell what was done; return the exit status."""
        options = self._options
        if failures and not self._totals.texts:
            raise nothing_done(failures)
        status = tell_failures(failures, options)
        notes = [] if not self._totals.left else [
            f"left out: beads less probable than {options.min_score:g}: {self._totals.left:,}"
        ]  # fmt: skip
        notes += [f"lost: {note}" for note in self._losses.all()]
        notes += map(str, self._notes.all())
        done = self._totals.told(0.0 if self._merged else time.monotonic() - self._begun)
        tell([done, *self.told, *notes], options, most=9)
        if options.json or self._merged:
            place = options.output if self._merged else "-"
            if place == "-" and sys.stdout is None:
                raise InputError("standard output is closed: open it, or name a file")
            deliver(self._document(notes), argparse.Namespace(output=place))
        return status

    def _document(self, notes: list[str]) -> Iterator[str]:
        """Yield the parts of the document of --json."""
        head = json.dumps({"schema": "bitext.align/1", "method": self.method})
        yield f'{head[:-1]}, "texts": ['
        with temporary_room():
            self._rows.seek(0)
        while block := self._rows.read(_HELD):
            yield block
        yield f'], "notes": {json.dumps(notes, ensure_ascii=False)}}}\n'


def merge_summaries(options: argparse.Namespace) -> int:
    """Tell what shards did; return the exit status."""
    failures: list[Failure] = []
    with Summary(options, 0.0) as summary:
        summary.gather(collect(options.parts.results(), failures))
        return summary.finish(failures)


_LARGE = 1000  # texts; more are aligned by jobs, unless something is asked for that jobs lack


def many_texts(options: argparse.Namespace) -> bool:
    """Tell whether there are so many texts that only jobs can align them."""
    from bitext.formats.io.remote import is_folder_at

    lacks = options.gold or options.explain is not None or options.write_documents
    if lacks or not names_folder(options.output, many=True) or options.src == "-":
        return False
    of_many = is_folder_at(options.src)
    if not of_many and options.tgt is not None:
        return False
    from bitext.cli.align.inputs import find_pairs, manifest_pairs

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
    from bitext.jobs.align_task import AlignTask

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
