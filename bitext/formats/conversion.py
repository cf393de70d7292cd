"""Converting files of alignments: read, filtered, written, and what was lost on the way."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bitext.errors import BitextError, FormatError, InputError
from bitext.formats.delivery import deliver
from bitext.formats.filtering import Filters, filtered
from bitext.formats.opening import Limits, Notes, two_files
from bitext.formats.reading import opened
from bitext.formats.registry import WriteOptions, by_name
from bitext.formats.writing import refuse_same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from bitext.model import Bitext, Note

__all__ = ["Bad", "Input", "Outcome", "Task", "convert", "convert_all"]

MOST_BAD = 100_000  # bad units that are kept with their messages; all of them are counted


@dataclass(frozen=True, slots=True)
class Input:
    """A file to read: its path, its name in the corpus, and its texts where they are given."""

    path: str
    name: str = ""
    src: str | None = None
    tgt: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What becomes one file, or one pair of files.

    Attributes
    ----------
    inputs : tuple of Input
        Read one after another.
    output : str
        The file to write; two as `a,b`.
    to : str
        The name of its format.
    known : str
        The name of the format of the inputs; empty for what their contents tell.
    encoding : str
        Of inputs that do not declare one.
    roots : tuple of Path
        Where documents may lie; none for the folder of each input.
    src_lang, tgt_lang : str
        The languages to take of files with several, and to write.
    filters : Filters
        What is wanted.
    options : WriteOptions
        For the writer.
    limits : Limits
        What compressed files may unfold to.
    strict : bool
        Whether any loss is an error, and nothing is written then.
    keep_going : bool
        Whether units, and whole inputs, that cannot be read are left out and reported.

    """

    inputs: tuple[Input, ...]
    output: str
    to: str
    known: str = ""
    encoding: str = "utf-8"
    roots: tuple[Path, ...] = ()
    src_lang: str = ""
    tgt_lang: str = ""
    filters: Filters = field(default_factory=Filters)
    options: WriteOptions = field(default_factory=WriteOptions)
    limits: Limits = field(default_factory=Limits)
    strict: bool = False
    keep_going: bool = False


@dataclass(frozen=True, slots=True)
class Bad:
    """A unit, or a whole file, that could not be read."""

    path: str
    line: int | None
    message: str


@dataclass(slots=True)
class Outcome:
    """What a task came to.

    Attributes
    ----------
    output, to : str
        What was written, and its format.
    formats : dict of str to int
        The formats of the inputs, and how many files had each.
    pairs, bisegments : int
        The document pairs and the bisegments written.
    losses, dropped, notes : tuple of Note
        What the format could not hold, what the filters left out, what was odd in the inputs.
    bad : list of Bad
        What could not be read, up to a hundred thousand of them; `bad_count` are all.
    failed : str
        Why nothing was written, if so; `convert_all` gives such outcomes, `convert` raises.

    """

    output: str
    to: str
    formats: dict[str, int] = field(default_factory=dict)
    pairs: int = 0
    bisegments: int = 0
    losses: tuple[Note, ...] = ()
    dropped: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()
    bad: list[Bad] = field(default_factory=list)
    bad_count: int = 0
    failed: str = ""


def convert_all(tasks: Sequence[Task], *, jobs: int = 1) -> Iterator[Outcome]:
    """Do tasks, in several processes if asked for; yield their outcomes in order.

    A task that fails gives an outcome that says so, and the others go on; whoever does not want
    that stops asking, and those that have not begun are not done.

    Raises
    ------
    InputError
        When a process is killed, as for want of memory.

    """
    if jobs == 1 or len(tasks) < 2:
        yield from map(_attempt, tasks)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # Fresh processes: a fork would carry along whatever threads and files there are.
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=get_context("spawn"))
    try:
        yield from pool.map(_attempt, tasks)
    except BrokenProcessPool:
        raise InputError(
            "a process was killed, maybe for want of memory: try with fewer --jobs"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _attempt(task: Task) -> Outcome:
    """Do a task; errors of it, of which not all can travel between processes, become words."""
    try:
        return convert(task)
    except BitextError as error:
        return Outcome(task.output, task.to, failed=str(error))


def convert(task: Task, *, on_part: Callable[[int], None] | None = None) -> Outcome:
    """Convert the inputs of a task into its output, which appears when it is whole.

    Parameters
    ----------
    task : Task
        What to read, what to write.
    on_part : callable, optional
        Is told, as the work goes on, how many bisegments were read since the last time.

    Raises
    ------
    BitextError
        When an input cannot be read (unless the task keeps going), the output cannot be written,
        or something is lost and the task is strict.

    """
    refuse_same(_files_read(task), two_files(task.output) or (task.output,))
    work = _Work(task, on_part)
    known = by_name(task.to)
    replaces = task.filters.replace_forbidden and not known.keeps.controls
    filters = replace(task.filters, replace_forbidden=replaces)
    bitexts = work.bitexts()
    if filters.any():
        bitexts = filtered(bitexts, filters, work.dropped, whole=known.holds != "text")
    deliver(
        work.counted(bitexts),
        task.output,
        known,
        options=task.options,
        losses=work.losses,
        finish=work.check_losses if task.strict else None,
    )
    return work.outcome()


def _files_read(task: Task) -> Iterator[str]:
    for given in task.inputs:
        yield from two_files(given.path) or (given.path,)
        yield from filter(None, (given.src, given.tgt))


class _Work:
    """A task being done: what it reads, counts and finds wrong."""

    def __init__(self, task: Task, on_part: Callable[[int], None] | None) -> None:
        self._task, self._on_part = task, on_part
        self._found = Outcome(task.output, task.to)
        self.losses, self.dropped, self._notes = Notes(), Notes(), Notes()

    def bitexts(self) -> Iterator[Bitext]:
        """Yield the bitexts of all inputs."""
        for given in self._task.inputs:
            try:
                yield from self._read(given)
            except BitextError as error:
                if not self._task.keep_going:
                    raise
                self._bad(error, given.path)

    def _read(self, given: Input) -> Iterator[Bitext]:
        task = self._task
        with opened(
            given.path,
            src=given.src,
            tgt=given.tgt,
            format=task.known or None,
            encoding=task.encoding,
            roots=task.roots,
            name=given.name,
            src_lang=task.src_lang,
            tgt_lang=task.tgt_lang,
            parts=True,
            limits=task.limits,
            on_bad=self._bad if task.keep_going else None,
        ) as reading:
            self._found.formats.setdefault(reading.format.name, 0)
            self._found.formats[reading.format.name] += 1
            for bitext in reading:
                self._take(bitext.notes)
                yield bitext
                if self._on_part is not None:
                    self._on_part(len(bitext.alignment))
            self._take(reading.source.notes.drain())

    def counted(self, bitexts: Iterator[Bitext]) -> Iterator[Bitext]:
        """Yield what is to be written, and count it."""
        for bitext in bitexts:
            self._found.pairs += not bitext.continues
            self._found.bisegments += len(bitext.alignment)
            yield bitext

    def check_losses(self) -> None:
        """Raise an error for what was lost, if anything was."""
        losses = self.losses.all()
        if losses:
            told = "; ".join(f"{loss.kind}: {loss.count:,}" for loss in losses)
            raise InputError(
                f"{self._task.output}: not written, as {self._task.to} would lose {told}; choose "
                f"another format, or do without --strict"
            )

    def _take(self, notes: tuple[Note, ...]) -> None:
        for note in notes:
            self._notes.add(note.kind, note.first, note.count)

    def _bad(self, error: BitextError, path: str = "") -> None:
        self._found.bad_count += 1
        if len(self._found.bad) < MOST_BAD:
            told = error if isinstance(error, FormatError) else None
            where = (told and told.path) or path
            line = told.line if told else None
            self._found.bad.append(Bad(where, line, str(error)))

    def outcome(self) -> Outcome:
        """Return what the task came to."""
        found = self._found
        found.losses, found.dropped = self.losses.all(), self.dropped.all()
        found.notes = self._notes.all()
        return found
