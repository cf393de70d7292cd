"""Converting files of alignments: reading, filtering and writing, with an account of losses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from bitext.errors import (
    BitextError,
    ClashError,
    FormatError,
    InputError,
    first_names,
    nearest,
    remedy,
)
from bitext.formats.beads import ChunkPositions, known_texts, name_of
from bitext.formats.cleaning.repeats import Recording, Repeats, Step
from bitext.formats.convert.filters import (
    UNIQUE,
    Filters,
    filtered,
    holding,
    select,
    without_segments,
)
from bitext.formats.io.output import refuse_clashes, write_whole
from bitext.formats.io.remote import two_files
from bitext.formats.io.source import Notes
from bitext.formats.languages import LanguageSamples, OtherLanguage, with_languages
from bitext.formats.reading import FileOptions, opened
from bitext.formats.registry import Format, WriteOptions, by_name
from bitext.formats.writing import deliver
from bitext.formats.xml import FORBIDDEN, SURROGATES
from bitext.formats.xml.inline_codes import LOST_ATTRIBUTES, LOST_ELEMENTS
from bitext.model import Bitext, Note

if TYPE_CHECKING:
    from pathlib import Path

    from bitext.formats.cleaning.cleaner import Cleaner, Profile
    from bitext.formats.convert.symmetrising import Symmetrising

MOST_BAD = 100_000  # bad units whose messages are stored; all are counted; set by hand
_MOST_COLUMNS = 20  # names of columns in an error


@dataclass(frozen=True, slots=True)
class Input:
    """A file to read: its path, its name in the corpus, and its texts where they are given.

    `base` is the number that positions of word links count from, as in `bitext.read`.
    """

    path: str
    name: str = ""
    src: str | None = None
    tgt: str | None = None
    base: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The conversion of some inputs into one file, or one pair of files."""

    inputs: tuple[Input, ...]  # the files to read, one after another
    output: str  # the file to write; two as `a,b`
    to: str  # the name of its format
    # How the inputs are read; their texts, names and bases are those of each.
    reading: FileOptions = field(default_factory=FileOptions)
    # The method that combines the word links of two inputs; none for inputs to concatenate.
    symmetrise: Symmetrising | None = None
    filters: Filters = field(default_factory=Filters)  # further filters
    options: WriteOptions = field(default_factory=WriteOptions)  # the options of the writer
    strict: bool = False  # whether any loss is an error, so that nothing is written
    # Whether unreadable units, and whole inputs, are left out and reported.
    keep_going: bool = False
    # The folder that the names of documents in links are relative to, where the written documents
    # lie under it; none for the folder of the documents.
    base: Path | None = None
    clean: Profile | None = None  # the filters by texts, in order, after all others
    # A file for the bisegments that `clean` rejects, with the reason; empty for none.
    rejected: str = ""
    # Judges duplicates and near-duplicates; the same for tasks whose bisegments are compared. None:
    # among the bisegments of the task.
    repeats: Repeats | None = None
    # Returns the language of sentences that are clearly not in the named one. `None`: texts are not
    # compared with their languages.
    other_language: OtherLanguage | None = None

    def files(self) -> Iterator[str]:
        """Yield the names of the files to read."""
        for given in self.inputs:
            yield from two_files(given.path) or (given.path,)
            yield from filter(None, (given.src, given.tgt))
        for rule in () if self.clean is None else self.clean.rules:
            if rule.name == "vectors":
                yield from rule.files

    def outputs(self) -> list[str]:
        """Return the files to write."""
        return [self.output, self.rejected] if self.rejected else [self.output]

    def write(self, *, on_text: Callable[[int], None] | None = None) -> Outcome:
        """Convert the inputs, as `convert` does."""
        return convert(self, on_part=on_text)


@dataclass(frozen=True, slots=True)
class Bad:
    """A unit, or a whole file, that could not be read."""

    path: str
    line: int | None
    message: str


@dataclass(slots=True)
class Outcome:
    """The result of a task."""

    # `output`, `to`: the written file, and its format.
    output: str
    to: str = ""
    formats: dict[str, int] = field(default_factory=dict)  # the number of input files by format
    # `pairs`, `bisegments`: the numbers of document pairs and of bisegments written.
    pairs: int = 0
    bisegments: int = 0
    # `losses`, `dropped`, `changed`, `notes`: losses of the format, bisegments that the filters
    # left out, changes by the filters, and irregularities of the inputs.
    losses: tuple[Note, ...] = ()
    dropped: tuple[Note, ...] = ()
    changed: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()
    # Unreadable units, up to a hundred thousand; `bad_count` counts all.
    bad: list[Bad] = field(default_factory=list)
    bad_count: int = 0
    # The error for which nothing was written; `convert_all` yields such outcomes, `convert` raises
    # the error.
    failed: str = ""
    # For each filter of a profile, its bounds, the numbers of bisegments judged and rejected, and
    # samples.
    cleaning: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Outcome:
        """Return the outcome that JSON values describe."""
        notes = {
            name: tuple(Note(**each) for each in state[name])
            for name in ("losses", "dropped", "changed", "notes")
        }
        return cls(**{**state, **notes, "bad": [Bad(**bad) for bad in state["bad"]]})


def convert_all(tasks: Iterable[Task]) -> Iterator[Outcome]:
    """Convert tasks one after another; yield the error of a failed task as its outcome."""
    for task in tasks:
        try:
            yield convert(task)
        except BitextError as error:
            yield Outcome(task.output, task.to, failed=str(error))


def convert(task: Task, *, on_part: Callable[[int], None] | None = None) -> Outcome:
    """Convert the inputs of a task into its output, which appears when complete.

    `on_part` is called during the work with the number of bisegments read since the last call.

    Raises `BitextError` when an input cannot be read (unless the task keeps going), the output
    cannot be written, or the format loses something and the task is strict.
    """
    refuse_clashes(task.files(), task.outputs())
    if not task.rejected:
        return _convert(task, _Work(task, on_part), None)
    with write_whole(task.rejected, held_back=True) as rejected:
        return _convert(task, _Work(task, on_part), rejected)


def repeat_steps(task: Task) -> list[Step]:
    """Return the filters of a task that compare bisegments with earlier ones, in their order."""
    steps = [Step(UNIQUE)] if task.filters.unique else []
    if task.clean is not None:
        from bitext.formats.cleaning.cleaner import comparing_rules

        steps += [step for _, step in comparing_rules(task.clean)]
    return steps


def record_signatures(task: Task) -> list[list[str]]:
    """Read the inputs of a task; return the signatures of all values that reach `repeat_steps`."""
    recording = Recording()
    work = _Work(task, None)
    for _ in _filtered(task, work, recording, None)[0]:
        pass
    return recording.record


def _filtered(
    task: Task, work: _Work, repeats: Repeats, rejected: IO[str] | None
) -> tuple[Iterator[Bitext], Cleaner | None]:
    """Return the filtered bitexts of a task, and the cleaner that applies its profile."""
    cleaner = None
    if task.clean is not None:
        from bitext.formats.cleaning.cleaner import Cleaner

        langs = task.reading.languages
        langs = langs[::-1] if task.filters.swap else langs
        cleaner = Cleaner(task.clean, rejected, repeats, langs=langs)
    known = by_name(task.to)
    replaces = task.filters.replace_forbidden and not known.keeps.controls
    filters = replace(task.filters, replace_forbidden=replaces)
    bitexts = work.bitexts()
    if filters.any() or cleaner is not None:
        bitexts = filtered(
            bitexts,
            filters,
            work.dropped,
            changed=work.changed,
            cleaner=cleaner,
            whole=known.holds != "text",
            repeats=repeats,
        )
    return bitexts, cleaner


def _convert(task: Task, work: _Work, rejected: IO[str] | None) -> Outcome:
    """Convert; write the bisegments that a profile rejects to `rejected`."""
    known = by_name(task.to)
    whole = known.holds != "text"
    repeats = task.repeats or Repeats()
    bitexts, cleaner = _filtered(task, work, repeats, rejected)

    # Standard output is held back where the end may refuse it.
    checks = task.strict or bool(task.filters.score)
    has_files = task.clean is not None and bool(task.clean.files)
    holds_back = checks or has_files or task.repeats is not None

    def finish() -> None:
        repeats.finish()
        if cleaner is not None:
            cleaner.finish()
        if checks:
            work.check()

    if task.keep_going:
        bitexts = work.writable(bitexts, known, whole=whole)
    try:
        deliver(
            work.counted(bitexts),
            task.output,
            known,
            options=task.options,
            losses=work.losses,
            notes=work.notes,
            finish=finish if holds_back else None,
            base=task.base,
        )
    except InputError as error:
        if not known.keeps.controls and work.was_forbidden(error):
            way = remedy("replace-forbidden", python="replace_forbidden=True")
            raise InputError(f"{error}; {way} replaces such characters with U+FFFD") from None
        raise
    if cleaner is None:
        return work.outcome()
    for reason, first, count in cleaner.reasons():
        work.dropped.add(f"bisegments {reason}", first, count)
    outcome = work.outcome()
    outcome.cleaning = cleaner.account()
    return outcome


def read_task(task: Task) -> Iterator[Bitext]:
    """Yield the bitexts of the inputs of a task, before any filter."""
    for bitext in _Work(task, None).bitexts():
        yield bitext.swapped() if task.filters.swap else bitext


def _lack_of_document(bitext: Bitext, name: str) -> InputError | None:
    """Return the error of a format of texts `name` where a named document was not found."""
    if any(text is None or not text.has_text for text in (bitext.src, bitext.tgt)) and (
        {"src_doc", "tgt_doc"} & bitext.meta.keys()
    ):
        try:
            known_texts(bitext, name)
        except InputError as error:
            return error
    return None


def _with_way(error: BitextError) -> BitextError:
    """Return the error of a unit with the option that leaves the unit out; others as they are."""
    way = remedy("keep-going")
    if not isinstance(error, FormatError) or not error.is_of_unit or way in error.message:
        return error
    joint = " or" if error.message.endswith("?") else ", or"
    message = f"{error.message}{joint} leave it out ({way})"
    return FormatError(message, path=error.path, line=error.line, column=error.column)


class _Work:
    """A running task: its inputs, counts and notes."""

    def __init__(self, task: Task, on_part: Callable[[int], None] | None) -> None:
        self._task, self._on_part = task, on_part
        self._outcome = Outcome(task.output, task.to)
        self.losses, self.dropped, self.changed, self.notes = Notes(), Notes(), Notes(), Notes()
        self._columns: set[str] = set()
        self._units = 0
        self._names_languages = by_name(task.to).names_languages
        self._texts = by_name(task.to).capabilities(task.options).texts
        self._whole = by_name(task.to).holds != "text"  # whether positions must stay valid
        self._last: Bitext | None = None  # the bitext that is being written

    def bitexts(self) -> Iterator[Bitext]:
        """Yield the bitexts of all inputs, or of two inputs with their word links combined."""
        if self._task.symmetrise is not None:
            forward, reverse = self._task.inputs
            yield from self._task.symmetrise.bitexts(
                self._read(forward),
                # The texts belong to the first file; the sides of the second may be exchanged.
                self._read(replace(reverse, src=None, tgt=None)),
                names=(forward.path, reverse.path),
                losses=self.losses,
                notes=self.notes,
            )
            return
        seen: set[Input] = set()
        for given in self._task.inputs:
            if (same := replace(given, name="", path=os.path.normpath(given.path))) in seen:
                self.notes.add("files that are given more than once, read each time", given.path)
            seen.add(same)
            try:
                yield from self._read(given)
            except BitextError as error:
                if not self._task.keep_going or isinstance(error, ClashError):
                    raise _with_way(error) from None
                self._bad(error, given.path)

    def _read(self, given: Input) -> Iterator[Bitext]:
        task = self._task
        options = replace(
            task.reading,
            src=given.src,
            tgt=given.tgt,
            name=given.name,
            base=given.base,
            parts=True,
            lines=task.symmetrise is not None or task.clean is not None,
            where=task.reading.conditions(whole=self._whole) or (),
        )
        on_bad = self._bad if task.keep_going else None
        with opened(given.path, options, on_bad=on_bad, dropped=self.dropped) as reading:
            self._outcome.formats.setdefault(reading.format.name, 0)
            self._outcome.formats[reading.format.name] += 1
            self._check_scores(reading.format, given.path)
            # Of texts whose languages only names or the user tell
            samples = LanguageSamples(
                None if reading.format.keeps.languages else task.other_language
            )
            scored = False
            # Bitexts pass one by one, so that memory does not grow with the file.
            for bitext in reading:
                if not scored and bitext.alignment.scores is not None:
                    scored = True
                    self._note_costs(reading.format, given.path)
                self._take(bitext.notes)
                self._columns.update(bitext.alignment.attributes)
                self._units += len(bitext.alignment)
                if self._names_languages:
                    bitext = with_languages(bitext, options.requested, self.notes)
                    samples.add(bitext, options.requested)
                yield bitext
                if self._on_part is not None:
                    self._on_part(len(bitext.alignment))
            self._take(reading.source.notes.drain())
            for side, lang, found in samples.others():
                way = remedy("src-lang", "tgt-lang")
                kind = f"texts whose words are those of another language than named ({way})"
                self.notes.add(kind, f"{given.path}: {side} in {lang}, with words of {found}")

    def _check_scores(self, known: Format, path: str) -> None:
        """Refuse a lowest score of costs; note that scores may be costs.

        Raises `InputError` when a lowest score is given for a format whose scores are costs.
        """
        filters = self._task.filters
        if filters.score or known.better == "higher":
            return
        lowest, highest = remedy("min-score"), remedy("max-score")
        if filters.min_score is not None:
            if known.better == "lower":
                raise InputError(
                    f"{path}: scores of {known.name} are costs, lower is better, so {lowest} "
                    f"would keep the worst: give {highest} instead"
                )
            self.notes.add(
                f"files whose scores may be costs, lower is better ({highest}), or "
                f"similarities, as assumed ({lowest})",
                f"{path}: {known.name}",
            )

    def _note_costs(self, known: Format, path: str) -> None:
        """Note scores that are costs and are written as scores."""
        filters, to = self._task.filters, by_name(self._task.to)
        if filters.score or filters.min_score is not None or to.better == "lower":
            return
        if known.better == "lower" and to.keeps.scores:
            self.notes.add(
                f"files whose scores are costs, lower is better, written to {to.name} as they are",
                f"{path}: {known.name}",
            )

    def writable(
        self, bitexts: Iterator[Bitext], known: Format, *, whole: bool
    ) -> Iterator[Bitext]:
        """Yield the bitexts; report and leave out what the format cannot hold.

        That is bisegments with unwritable characters, and, of a format of texts, document pairs of
        which a named document was not found.
        """
        unwritable = SURROGATES if known.keeps.controls else FORBIDDEN
        positions = ChunkPositions()
        for bitext in bitexts:
            if known.has_texts and (error := _lack_of_document(bitext, known.name)):
                if not bitext.continues:
                    self._bad(error, bitext.meta.get("path", ""))
                continue
            place, bad = positions.of(bitext), holding(bitext, unwritable)
            for k in np.flatnonzero(bad).tolist():
                case = f"{name_of(bitext)}: {place.bead(bitext, k)} has a character that"
                way = remedy("replace-forbidden", python="replace_forbidden=True")
                self._bad(
                    InputError(f"{case} {known.name} cannot hold; {way} replaces it with U+FFFD"),
                    bitext.meta.get("path", ""),
                )
            if bad.any():
                bitext = select(bitext, ~bad, whole=whole)
            yield without_segments(bitext, unwritable)

    def counted(self, bitexts: Iterator[Bitext]) -> Iterator[Bitext]:
        """Yield the bitexts to write; count their pairs and bisegments."""
        for bitext in bitexts:
            self._outcome.pairs += not bitext.continues
            self._outcome.bisegments += len(bitext.alignment)
            self._last = bitext
            yield bitext
            self._last = None

    def was_forbidden(self, error: InputError) -> bool:
        """Check whether the writer refused the last bitext for a character that XML forbids."""
        bitext = self._last
        if bitext is None or "XML" not in str(error):
            return False
        lines = [text.line or "" for text in (bitext.src, bitext.tgt) if text is not None]
        ids = [
            each for text in (bitext.src, bitext.tgt) if text and text.has_ids for each in text.ids
        ]
        columns = bitext.alignment.attributes.values()
        values = (value for column in columns for value in column if value)
        return any(FORBIDDEN.search(each) for each in (*lines, *ids, *values))

    def check(self) -> None:
        """Refuse a score column that no bisegment has, and losses if the task is strict."""
        name = self._task.filters.score
        if name and self._units and name not in self._names():
            shown = sorted(self._names())
            columns = (
                f"its columns are: {first_names(shown, _MOST_COLUMNS)}" if shown else "it has none"
            )
            near = nearest(name, shown)
            raise InputError(
                f"{self._task.output}: not written, as no bisegment read has the column {name!r} "
                f"({remedy('score')}); {columns}{f'; did you mean {near!r}?' if near else ''}"
            )
        losses = self.losses.all()
        if losses and self._task.strict:
            lost = "; ".join(f"{loss.kind}: {loss.count:,}" for loss in losses)
            raise InputError(
                f"{self._task.output}: not written, as {self._task.to} would lose {lost}; choose "
                f"another format, or do without {remedy('strict', python='strict=True')}"
            )

    def _names(self) -> set[str]:
        """Return the names of the columns read, with the sides exchanged if the filters do so."""
        if not self._task.filters.swap:
            return self._columns
        exchanged = {"src.": "tgt.", "tgt.": "src."}
        return {exchanged.get(name[:4], name[:4]) + name[4:] for name in self._columns}

    def _take(self, notes: tuple[Note, ...]) -> None:
        for note in notes:
            # An output without texts loses no inline codes: the documents still hold them.
            lost = self._texts and note.kind in {LOST_ATTRIBUTES, LOST_ELEMENTS}
            (self.losses if lost else self.notes).add(note.kind, note.first, note.count)

    def _bad(self, error: BitextError, path: str = "") -> None:
        self._outcome.bad_count += 1
        if len(self._outcome.bad) < MOST_BAD:
            located = error if isinstance(error, FormatError) else None
            where = (located and located.path) or path
            line = located.line if located else None
            self._outcome.bad.append(Bad(where, line, str(error)))

    def outcome(self) -> Outcome:
        """Return the outcome of the finished task."""
        outcome = self._outcome
        outcome.losses, outcome.dropped = self.losses.all(), self.dropped.all()
        outcome.changed, outcome.notes = self.changed.all(), self.notes.all()
        return outcome
