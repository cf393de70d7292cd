"""`bitext align` by jobs: a lexicon is learned from a sample, then each text is aligned with it."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from bitext.align.sentences.evidence import Evidence
from bitext.align.sentences.evidence.times import TimeMap
from bitext.align.sentences.options import SentenceOptions, named
from bitext.align.sentences.relatedness import WrongLanguageSides
from bitext.cli.align.inputs import FilePair, PairStream
from bitext.cli.align.outputs import (
    BeadTotals,
    CorpusSurvey,
    dropped_note,
    filter_alignment,
    refuse_documents,
    refuse_forbidden,
    reported_losses,
    sentence_estimate,
    survey_corpus,
    text_output,
    write,
)
from bitext.cli.align.request import AlignRequest, Place, check_file, find_place, has_records
from bitext.cli.align.running import refuse_single_file, vectors_of_pair
from bitext.cli.align.texts import TextPair, TextReader, text_reader
from bitext.cli.align.warnings import (
    RepeatedTexts,
    input_warnings,
    language_notes,
    other_languages,
    text_digests,
    with_identified_languages,
)
from bitext.cli.common import write_file
from bitext.cli.job_options import collect_failures, refuse_all_failed
from bitext.cli.request import OutputRequest
from bitext.errors import InputError, OptionError, many
from bitext.formats.io.encodings import encoding_of
from bitext.formats.io.output import (
    ReadRecord,
    record_reads,
    refuse_clashes,
    reopen,
    write_whole,
)
from bitext.formats.io.source import Notes, open_source
from bitext.formats.languages import named_languages, unknown_languages
from bitext.formats.registry import by_name
from bitext.formats.writing import sizes_of
from bitext.jobs import Document, Failure, Outcome, Result
from bitext.jobs.align_task import AlignTask, LearnTask, Recipe
from bitext.jobs.command_aligner import CommandAligner
from bitext.jobs.journal import LEARNED, Parts, refuse_difference, run_of
from bitext.jobs.task import numbered
from bitext.model import Alignment
from bitext.paths import is_file, is_there, refuse_writing_to, temporary_folder, temporary_room

if TYPE_CHECKING:
    from bitext.align.sentences.vectors import SentenceVectors

# Files beside a journal: the journal of learned statistics, and the lexicon from them.


def learning_journal(journal: str) -> str:
    """Return the path of the journal of the statistics learned from the sample."""
    return f"{journal}.lessons"


def learned_file(journal: str) -> str:
    """Return the file of the learned lexicon, which all texts use."""
    return f"{journal}{LEARNED}"


def refuse_foreign_files(journal: str) -> None:
    """Refuse a journal if lexicons would overwrite links, or files that no run of it wrote.

    Raises `InputError` naming the first such file.
    """
    lexicon, lessons = learned_file(journal), learning_journal(journal)
    for name in (lexicon, lessons):
        refuse_writing_to(name)
    if is_there(lexicon) and not (has_records(journal) or has_records(lessons)):
        raise InputError(
            f"{lexicon}: exists without its journal {journal}, and the new lexicon would "
            f"overwrite it; name another --journal, or delete the file if an earlier run left it "
            f"behind"
        )


def refuse_other_run(journal: str, run: dict[str, Any], *, but: str = "") -> None:
    """Refuse the journal of another run before the work.

    `run` is the description of this run, as in the first line of a journal, or some keys of it.
    `but` is a key whose value is not known yet; it is not compared.

    Raises `FormatError` or `InputError` when the file is not a journal, or is that of another run.
    """
    if not has_records(journal):
        return
    earlier = run_of(journal)
    if earlier is not None:
        compared = {key: value for key, value in run.items() if key != but}
        refuse_difference(
            journal,
            {"run": {key: value for key, value in earlier.items() if key in compared}},
            {"run": json.loads(json.dumps(compared))},
        )


# What a worker does with one pair of texts.

# Sentences of both sides that a process keeps of the texts it learned from, until they are aligned:
# those of a sample of the usual size, at some 200 bytes each. Bounds memory.
_MOST_KEPT = 20_000


class _TextsRead(NamedTuple):
    """Texts as they were read, for one request and format."""

    texts: TextPair
    notes: Notes
    files: ReadRecord
    read_for: tuple[AlignRequest, str]


class _TextMemory:
    """Texts that this process learned from, which it may be given to align."""

    def __init__(self, most: int) -> None:
        self._room = most
        self._read: dict[FilePair, _TextsRead] = {}

    def keep(self, item: FilePair, read: _TextsRead) -> None:
        size = sum(map(len, read.texts.whole))
        if size <= self._room and item not in self._read:
            self._read[item] = read
            self._room -= size

    def taken(self, item: FilePair, read_for: tuple[AlignRequest, str]) -> _TextsRead | None:
        """Remove the texts of some files; return them if they were read alike and are unchanged."""
        read = self._read.pop(item, None)
        if read is None:
            return None
        self._room += sum(map(len, read.texts.whole))
        return read if read.read_for == read_for and reopen(read.files) else None


_learned_from = _TextMemory(_MOST_KEPT)


@dataclass
class CorpusWorker:
    """The reader of texts and writer of alignments in a worker."""

    request: AlignRequest
    output: str | None  # the folder of the outputs; `None`: nothing is written
    # The name of the format of the outputs, as which texts are read; empty: none in particular.
    format: str
    _encoder: Any = field(default=None, repr=False)

    def prepare(self) -> None:
        """Load the encoder, once in each worker."""
        if self.request.encoder:
            from bitext.align.sentences.vectors import encoder_named

            self._encoder = encoder_named(self.request.encoder)

    def read(self, item: FilePair, notes: Notes) -> TextPair:
        """Return the texts of a pair of files; those that it learned from are not read again."""
        read_for = self.request, self.format
        read = _learned_from.taken(item, read_for)
        if read is None:
            own_notes = Notes()
            # Running text is split for formats with texts alone, also if it is only learned from.
            place = Place(self.output or "", by_name(self.format)) if self.format else None
            with record_reads(around=True) as files:
                (texts,) = TextReader(self.request, own_notes, place).pairs(item)
            read = _TextsRead(texts, own_notes, files, read_for)
        if self.output is None:
            _learned_from.keep(item, read)
        notes.extend(read.notes)
        (pair,) = with_identified_languages([read.texts], self.place(), notes)
        return pair

    def evidence(
        self, item: FilePair, texts: TextPair, options: SentenceOptions
    ) -> Callable[[int], Sequence[Evidence]] | None:
        """Return evidence from vectors; `None` if the request names no vectors."""
        del item
        if not (self.request.vectors or self.request.encoder):
            return None
        from bitext.align.sentences.evidence.vectors import CorpusVectors

        return CorpusVectors(options.kinds, [vectors_of_pair(self.request, texts, self._encoder)])

    def _vectors(self, texts: TextPair) -> tuple[SentenceVectors, SentenceVectors] | None:
        """Return the vectors of two texts from files; `None` without files of vectors."""
        if not self.request.vectors:
            return None
        return vectors_of_pair(self.request, texts, None)

    def write(
        self,
        item: FilePair,
        texts: TextPair,
        found: Alignment,
        notes: Notes,
        *,
        wrong_language: WrongLanguageSides | None = None,
        time_map: TimeMap | None = None,
    ) -> dict[str, Any]:
        """Write an alignment, and return its counts and notes for the summary, as for JSON."""
        filtered = filter_alignment(texts, found, self.request)
        vectors = self._vectors(texts)
        for kind, warning in input_warnings(
            texts,
            found,
            self.request,
            wrong_language=wrong_language,
            vectors=vectors,
            time_map=time_map,
        ):
            notes.add(kind, warning)
        if warning := other_languages(texts, split=self.request.split):
            notes.add("texts with words of other languages than they are given as", warning)
        losses, output = Notes(), None
        if (place := self.place()) is not None:
            output = text_output(place, item.name, self.request)
            refuse_clashes([item.src, str(item.tgt)], [output])
            refuse_documents(texts, place, self.request)
            refuse_forbidden(texts.whole, place, self.request)
            write([filtered.bitext], place, [output], self.request, losses, notes)
        return {
            **filtered.counts(),
            "sentences": [len(texts.src), len(texts.tgt)],
            "names": [texts.src.name, texts.tgt.name],
            "digests": text_digests(texts),
            "unknown_language": self._lacks_language(item, texts),
            "output": output,
            "sizes": _output_sizes(output),
            "losses": notes_to_json(
                () if place is None else reported_losses(place, losses, self.request)
            ),
            "notes": notes_to_json(notes.all()),
        }

    def _lacks_language(self, item: FilePair, texts: TextPair) -> bool:
        """Check whether the output names languages, and one of them is not known."""
        place = self.place()
        if place is None or not place.known.names_languages:
            return False
        known = all(text.lang for text in texts.whole)
        return not (known or any(named_languages(item.src, str(item.tgt))))

    def stands(self, item: FilePair, value: Any) -> bool:
        """Compare the size of the output file with the size noted in the journal."""
        del item
        if not isinstance(value, dict) or not isinstance(value.get("output"), str | None):
            return False
        return bool(value.get("sizes") == _output_sizes(value.get("output")))

    def place(self) -> Place | None:
        """Return the output folder and its format; `None` if nothing is written."""
        if self.output is None:
            return None
        return Place(self.output, by_name(self.format))


def _output_sizes(output: str | None) -> list[int]:
    """Return the size of each output file in bytes; -1 for a missing file."""
    return [] if output is None else sizes_of(output)


def notes_to_json(notes: Any) -> list[list[Any]]:
    """Return the kind, the first case and the count of each note, as for JSON."""
    return [[note.kind, note.first, note.count] for note in notes]


# The lexicon of a corpus is learned from its sample, some texts at a time: these are aligned
# together, and learn from each other. Which texts these are depends on the sample alone.

# Sentences that are aligned together to learn from, set by hand: with half as many F1 is lower by
# .004 in one case of alignment_corpora.py (bible-enzh, some); with twice as many it is no higher,
# and fewer processes can share them.
_TOGETHER = 2_500
_ONE_GROUP = 1.5  # times that number: smaller samples are one group
_GROUPS = 8  # about so many groups of texts, at least, make a sample of the wanted size
_BLOCK = 1 << 20  # bytes of a file that are copied at once


def _learn_only(request: AlignRequest, shared: Mapping[str, Any]) -> int:
    if request.output or request.gold or request.explain is not None:
        raise OptionError("--learn-only aligns nothing: leave -o, --gold and --explain out")
    for name in request.given(
        *("--to", "--html", "--retime", "--min-score", "--write-documents", "--json", "--format"),
        *("--vectors", "--encoder", *["--save-lexicon"] * (request.shard is not None)),
    ):
        why = "what shards learn is put together by merge" if request.shard else "nothing to do"
        raise OptionError(f"--learn-only ignores {name} ({why}): leave it out")
    if request.shard is None and not request.save_lexicon:
        raise OptionError("--learn-only writes a lexicon: name a file (--save-lexicon)")
    if request.sample_size < 1:
        raise OptionError(f"--learn-from {request.sample_size}: want 1 sentence or more")
    request.refuse_streams(_stream_names(request))
    start_time = time.monotonic()
    pairs = _pairs(request)
    if request.save_lexicon:
        refuse_clashes(_inputs_beside(request), [request.save_lexicon])
        check_file(request.save_lexicon)
    survey = survey_corpus(pairs, None, request, learns=True)
    initial = request.lexicon or ""
    if request.shard is not None:
        outcome = _run_lessons(survey, request, initial, request.journal, shared=shared)
        groups = many(outcome.done + outcome.kept, "group")
        return request.finish_shard(outcome, what=f"{groups} of texts")
    if request.journal:
        check_file(request.journal)
        refuse_other_run(request.journal, {"learning": learning_run(request, initial)})
        refuse_foreign_files(request.journal)
    with ExitStack() as stack:
        learned = learn_lexicon(survey, request, stack, initial=initial, shared=shared)
    if request.journal:
        Path(learning_journal(request.journal)).unlink(missing_ok=True)
        if learned.texts is not None:  # of this run, and saved under its own name
            Path(learned.lexicon).unlink(missing_ok=True)
    took = f"; {time.monotonic() - start_time:,.0f} s"
    request.print_notes([f"{learned.summary(of=survey.texts)}{took}", *pairs.notes])
    return 0


class LearnedLexicon(NamedTuple):
    """A lexicon, and the number of texts it was learned from; `None` for one of an earlier run."""

    lexicon: str  # its file
    texts: int | None

    def summary(self, *, of: int | None = None) -> str:
        """Return the source of the lexicon in words; `of` is the number of texts of the corpus."""
        if self.texts is None:
            return f"learned before, {self.lexicon}"
        if of is not None:
            return f"learned from {self.texts:,} of {of:,} texts"
        return "learned from 1 text" if self.texts == 1 else f"learned from {self.texts:,} texts"


def learn_lexicon(
    survey: CorpusSurvey,
    request: AlignRequest,
    stack: ExitStack,
    *,
    initial: str = "",
    place: Place | None = None,
    shared: Mapping[str, Any] | None = None,
) -> LearnedLexicon:
    """Learn a lexicon from the sample, beginning with that of the file `initial` (empty: none).

    Beside a journal the lexicon stays. A run that resumes takes it as it is, since texts were
    aligned with it. Without a journal `stack` deletes the temporary folder of the lexicon.

    `place` is the output of the alignments to come: texts are read as they are to be aligned.
    `shared` is the executor, as `workers_ahead` yields it.
    """
    if request.journal:
        base, journal = request.journal, learning_journal(request.journal)
        earlier = learned_file(base)
        if is_there(base) and Path(base).stat().st_size and is_there(earlier):
            if request.save_lexicon:
                _copy_file(earlier, request.save_lexicon)
            return LearnedLexicon(earlier, None)
    else:
        base, journal = str(stack.enter_context(temporary_folder()) / "run"), None
    outcome = _run_lessons(survey, request, initial, journal, place=place, shared=shared)
    refuse_all_failed(outcome.failures, outcome.output.texts)
    lexicon = learned_file(base)
    write_file(lexicon, (f"{line}\n" for line in outcome.output.knowledge.lines()))
    if request.learn_only:
        request.print_failures(outcome.failures)
    if request.save_lexicon:
        _copy_file(lexicon, request.save_lexicon)
    return LearnedLexicon(lexicon, outcome.output.texts)


def _run_lessons(
    survey: CorpusSurvey,
    request: AlignRequest,
    lexicon: str,
    journal: str | None,
    *,
    place: Place | None = None,
    shared: Mapping[str, Any] | None = None,
) -> Outcome:
    """Align the sample some texts at a time, and count words, lengths and beads."""
    together = min(_TOGETHER, request.sample_size // _GROUPS)
    groups = list(learning_groups(survey.sample, together))
    task = _learn_task(request, lexicon, place)
    changed: dict[str, Any] = {"journal": journal, "max_failures": None, **(shared or {})}
    if request.time_limit is not None:  # of one text
        changed["timeout"] = request.time_limit * max(map(len, groups), default=1)
    outcome = request.run_jobs(_group_documents(groups), task, what="groups of texts", **changed)
    numbers = {pair.name: number for number, pair in survey.sample}
    outcome.failures += [
        Failure(numbers.get(name, 0), name, reason) for name, reason in outcome.output.failed
    ]
    return outcome


def learning_groups(
    sample: Sequence[tuple[int, FilePair]], sentences: int
) -> Iterator[tuple[FilePair, ...]]:
    """Yield texts that are aligned together: neighbours, of about `sentences` sentences in all.

    Groups have three quarters to one and a half times as many. They are of about one size, and
    their number is even unless there is one: two processes, or four, end at about one time.
    """
    sizes = [sentence_estimate(pair.src) for _, pair in sample]
    total, share = sum(sizes), sum(sizes) / max(sentences, 1)
    number = 1 if share < _ONE_GROUP else 2 * max(1, round(share / 2))
    group: list[FilePair] = []
    size_before = groups_made = 0
    for (_, pair), size in zip(sample, sizes, strict=True):
        # A text belongs to the group in which its middle is.
        place = int((size_before + size / 2) * number / total)
        if group and place > groups_made:
            yield tuple(group)
            group = []
        groups_made = place
        group.append(pair)
        size_before += size
    if group:
        yield tuple(group)


def _group_documents(groups: Iterable[tuple[FilePair, ...]]) -> Iterator[Document]:
    for number, group in enumerate(groups):
        others = f" and {len(group) - 1:,} more" if len(group) > 1 else ""
        files = tuple(file for pair in group for file in (pair.src, str(pair.tgt)))
        yield Document(number, f"{group[0].name}{others}", group, files)


# The version of the lessons in a journal: lessons of another version are not resumed. Version 2 has
# paths, without which texts would be aligned otherwise; those of version 3 are of one round less.
_LESSONS = 3


def _learn_task(request: AlignRequest, lexicon: str, place: Place | None = None) -> LearnTask:
    run, (_, shown) = learning_run(request, lexicon), request.split_options("align")
    run |= {"lessons": _LESSONS, "format": "" if place is None else place.known.name}
    # Vectors teach nothing about words: their sample is aligned by words.
    method = "lexical" if request.is_lexical else request.aligner
    recipe = _recipe(request, lexicon, method=method)
    recipe.prepare()  # a file that cannot be read is an error before the work
    desk = CorpusWorker(request, None, "" if place is None else place.known.name)
    return LearnTask(recipe=recipe, desk=desk, run=run, presentation=shown)


def learning_run(request: AlignRequest, lexicon: str) -> dict[str, Any]:
    """Return the description of a learning run for its journal: all that its lexicon depends on."""
    run, _ = request.split_options("align")
    run["options"] |= {"learn_only": True, "output": "", "save_lexicon": None, "to": ""}
    return {**run, "lexicon": file_digest(lexicon)}


def _merge_learned(request: AlignRequest, parts: Parts) -> int:
    """Write the lexicon of the counts of all shards; return the exit status."""
    task = _learn_task(request, request.lexicon or "")
    lessons = task.assemble(parts.results())
    request.deliver(f"{line}\n" for line in lessons.knowledge.lines())
    return 0


def _copy_file(path: str, place: str) -> None:
    """Copy a file, whole or not at all."""
    with Path(path).open("rb") as source, write_whole(place, binary=True) as out:
        while block := source.read(_BLOCK):
            out.write(block)


def file_digest(path: str) -> str | None:
    """Return the SHA-256 of a file; `None` without a file."""
    if not path:
        return None
    if not is_file(path):
        open_source(path).close()  # raises, with the nearest name there is
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _recipe(request: AlignRequest, lexicon: str, *, method: str) -> Recipe:
    named(method)  # raises, with the nearest name there is
    return Recipe(
        method=method,
        options=request.sentence_options(),
        lexicon=lexicon,
        dictionaries=request.dictionary,
        encoding=encoding_of(request.encoding, ""),
        langs=request.languages,
    )


def _stream_names(request: AlignRequest) -> list[str | None]:
    """Return the options that may name standard input, which workers cannot read."""
    return [request.src, request.tgt, request.lexicon, *request.dictionary]


def _inputs_beside(request: AlignRequest) -> Iterator[str]:
    """Yield the files beside the texts that no output may overwrite."""
    yield from filter(None, [request.lexicon, *request.dictionary, request.journal])


# The summary of a corpus: counts of all texts, and a row each for --json, in a temporary file.

_IN_MEMORY = 1 << 20  # characters of rows in memory; more go to the temporary file


class CorpusSummary:
    """The counts, losses and notes of all texts of a corpus.

    `begun` is the time at which the work began, by the monotonic clock. `method` is the name of the
    method; `notes` are about the corpus as a whole.
    """

    def __init__(self, request: AlignRequest, begun: float) -> None:
        self.method = request.aligner
        self.notes: list[str] = []
        self._request, self._begun = request, begun
        self._merged = request.parts is not None
        self._totals = BeadTotals(score="score" if request.is_external else "probability")
        self._notes, self._losses, self._repeated = Notes(), Notes(), RepeatedTexts()
        self._rows = tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8")  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.close()

    def gather(self, results: Iterable[Result]) -> None:
        """Add the results, in the order of the texts."""
        for k, result in enumerate(results):
            row = {"text": result.name, "failed": result.failed}
            if not result.failed:
                row = self._add(result.name, result.value)
            if self._request.json or self._merged:
                with temporary_room():
                    self._rows.write((", " if k else "") + json.dumps(row, ensure_ascii=False))

    def _add(self, name: str, value: dict[str, Any]) -> dict[str, Any]:
        """Add the result of `CorpusWorker.write` for a text; return the row of the text."""
        self._totals.add(value)
        # Journals of earlier versions have neither.
        self._repeated.add(value["names"], value.get("digests", ()))
        if value.get("unknown_language"):
            self._notes.add(unknown_languages(), value["names"][0])
        for notes, added in ((self._losses, value["losses"]), (self._notes, value["notes"])):
            for kind, first, count in added:
                notes.add(kind, first, count)
        return {
            "text": name,
            "src": value["names"][0],
            "tgt": value["names"][1],
            "sentences": value["sentences"],
            "beads": value["beads"],
            "output": value["output"],
            "notes": [first for _, first, _ in value["notes"]],
        }

    def finish(self, failures: list[Failure]) -> int:
        """Print the summary; return the exit status."""
        request = self._request
        refuse_all_failed(failures, self._totals.texts)
        status = request.print_failures(failures)
        notes = []
        if dropped := self._totals.dropped:
            notes.append(dropped_note(request, dropped))
        notes += [f"lost: {note}" for note in self._losses.all()]
        notes += [*self._repeated.notes(), *map(str, self._notes.all())]
        done = self._totals.summary(0.0 if self._merged else time.monotonic() - self._begun)
        request.print_notes([done, *self.notes, *notes], most=9)
        if request.json or self._merged:
            place = request.output if self._merged else "-"
            if place == "-" and sys.stdout is None:
                raise InputError("standard output is closed: open it, or name a file")
            OutputRequest(output=place, json=True).deliver(self._document(notes))
        return status

    def _document(self, notes: list[str]) -> Iterator[str]:
        """Yield the parts of the document of --json."""
        head = json.dumps({"schema": "bitext.align/1", "method": self.method})
        yield f'{head[:-1]}, "texts": ['
        with temporary_room():
            self._rows.seek(0)
        while block := self._rows.read(_IN_MEMORY):
            yield block
        yield f'], "notes": {json.dumps(notes, ensure_ascii=False)}}}\n'


def _merge_summaries(request: AlignRequest, parts: Parts) -> int:
    failures: list[Failure] = []
    with CorpusSummary(request, 0.0) as summary:
        summary.gather(collect_failures(parts.results(), failures))
        return summary.finish(failures)


class _CorpusFiles(NamedTuple):
    """The texts of a corpus and their output, checked."""

    pairs: PairStream
    place: Place
    survey: CorpusSurvey


def align_by_jobs(request: AlignRequest, *, shared: Mapping[str, Any] | None = None) -> int:
    """Align a corpus, learn from it, or merge the shards of either; return the exit status.

    `shared` is the executor, as `workers_ahead` yields it.
    """
    request.check_jobs()
    if request.parts is not None:
        merge = _merge_learned if request.learn_only else _merge_summaries
        return merge(request, request.parts)
    if request.learn_only:
        return _learn_only(request, shared or {})
    _check_options(request)
    start_time = time.monotonic()
    learns = not request.lexicon and request.shard is None and not request.is_external
    files = _resolve(request, learns=learns)
    pairs, place = files.pairs, files.place
    with ExitStack() as stack:
        # Workers that learned go on to align; but a limit of memory is set once in each.
        if request.memory_limit is not None:
            shared = {}
        elif shared is None:
            shared = stack.enter_context(request.one_executor())
        learned = None
        if learns:
            learned = learn_lexicon(files.survey, request, stack, place=place, shared=shared)
        lexicon = request.lexicon or "" if learned is None else learned.lexicon
        summary = stack.enter_context(CorpusSummary(request, start_time))
        if learned is not None:
            summary.notes.append(learned.summary())
        first = [*islice(pairs, 1)]
        summary.notes += [*pairs.notes, *language_notes(first, request, place, declared=True)]
        summary.notes += files.survey.notes
        task = _task(request, place, lexicon, summary, learns=learns)
        if learned is None or learned.texts is None:  # else it was written by this process
            task.recipe.prepare()  # a file that cannot be read is an error before the work
        documents = numbered((pair.name, pair, (pair.src, str(pair.tgt))) for pair in pairs)
        outcome = request.run_jobs(documents, task, what="texts aligned", **shared)
        if request.shard is not None:
            return request.finish_shard(outcome)
        if request.journal:
            Path(learning_journal(request.journal)).unlink(missing_ok=True)
        return summary.finish(outcome.failures)


def _check_options(request: AlignRequest) -> None:
    """Refuse options that work by jobs has no use for."""
    remedies = {
        "--gold": "score what was written: bitext score GOLD OUT",
        "--html": "show what was written: bitext show OUT --html FOLDER/",
        "--explain": "name the two files of one text",
        "--write-documents": "choose a format with texts, as tmx",
    }
    if request.lexicon or request.shard is not None:
        remedies["--save-lexicon"] = "with --lexicon or --shard nothing is learned"
    for name in request.given(*remedies):
        raise OptionError(f"{name} is not for work by jobs: {remedies[name]}")
    request.refuse_streams(_stream_names(request))
    if request.sample_size < 1:
        raise OptionError(f"--learn-from {request.sample_size}: want 1 sentence or more")
    if request.shard is not None and not request.lexicon and request.is_lexical:
        raise OptionError(
            "--shard aligns with what was learned before: learn it (--learn-only), and give it "
            "(--lexicon)"
        )
    if request.engine != "local" and not (
        request.lexicon or request.journal or request.is_external
    ):
        raise OptionError(
            "the workers of a cluster read what is learned from a file, written beside the "
            "journal: name a --journal that they can read"
        )


def _resolve(request: AlignRequest, *, learns: bool) -> _CorpusFiles:
    """Check the texts, the output and the journal before the work."""
    pairs = _pairs(request)
    place = find_place(request, list(_inputs_beside(request)), many=True)
    if place is None or not place.output.endswith("/"):
        raise OptionError(
            "by jobs each text has a file of its own: name a folder and the format (-o aligned/ "
            "--to tmx)"
        )
    refuse_single_file(request)
    if request.encoder and request.engine == "local":
        CorpusWorker(request, None, "").prepare()  # an encoder that is missing is an error here
    survey = survey_corpus(pairs, place, request, learns=learns)
    if request.journal:
        check_file(request.journal)
        refuse_other_run(
            request.journal, _run_options(request, place, learns=learns), but="lexicon"
        )
        if learns:
            refuse_foreign_files(request.journal)
    return _CorpusFiles(pairs, place, survey)


def _pairs(request: AlignRequest) -> PairStream:
    return PairStream(request.inputs(text_reader(request)))


def _run_options(request: AlignRequest, place: Place, *, learns: bool) -> dict[str, Any]:
    """Return the description of a run for its journal, but the digest of its lexicon."""
    run, _ = request.split_options("align")
    for name in (
        "save_lexicon",
        "lexicon",
        "learn_from",
    ):  # the digest of the lexicon depends on them
        run["options"].pop(name)
    run |= {"place": place.output, "lexicon": None}
    return run | {"learning": learning_run(request, "")} if learns else run


def _task(
    request: AlignRequest, place: Place, lexicon: str, summary: CorpusSummary, *, learns: bool
) -> AlignTask:
    run = _run_options(request, place, learns=learns) | {"lexicon": file_digest(lexicon)}
    _, shown = request.split_options("align")
    shown.pop("output")
    external = request.external_aligner()
    if isinstance(external, CommandAligner):
        external.prepare()
    recipe = _recipe(request, lexicon, method=summary.method if external is None else "lexical")
    return AlignTask(
        external=external,
        recipe=recipe,
        desk=CorpusWorker(request, place.output, place.known.name),
        run=run,
        presentation=shown,
        gather=summary.gather,
    )
