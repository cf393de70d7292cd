"""Tasks of commands over files or clusters: cluster, convert, compare, stats, split."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np

from bitext.errors import JobError, SegmentationError
from bitext.formats.cleaning.repeats import Decided, RepeatJudge, Step
from bitext.formats.convert.conversion import Outcome, record_signatures
from bitext.formats.convert.conversion import Task as Conversion
from bitext.formats.convert.splitting import Keys, Splitting, read_keys
from bitext.formats.convert.statistics import Description, FileDescriptions, describe
from bitext.formats.corpora import Entry
from bitext.formats.io.source import Notes
from bitext.formats.reading import FileOptions
from bitext.formats.writing import sizes_of
from bitext.jobs.task import (
    CommandTask,
    Document,
    Failure,
    Result,
    notes_of,
    with_name,
)
from bitext.metrics.evaluation.segmentations import Combination, Refused, Scored, score
from bitext.metrics.registry import NamedMetric
from bitext.model import Cluster, Lattice
from bitext.model.segmentation import Segmentations

if TYPE_CHECKING:
    from dataclasses import Field

    from bitext.align.words.options import WordOptions
    from bitext.syntax.parsers import Parser

# Clusters: a task takes a cluster, and returns its lattice as JSON.


@dataclass(kw_only=True)
class ClusterTask(CommandTask):
    """Align clusters."""

    preset: WordOptions  # the options of word alignment
    joining: dict[str, Any]  # the options of joining sentences: `order`, `normalise`
    # Makes the parser of sentences without syntax; `None`: they are not parsed.
    parser: Callable[[], Parser | None] | None = None
    _parser: Parser | None = None

    def prepare(self) -> None:
        """Load the parser."""
        if self.parser is not None:
            self._parser = self.parser()

    def work(self, item: Cluster) -> Any:
        """Align a cluster; return its lattice as a JSON value."""
        from bitext.align import align_cluster
        from bitext.formats.lattices.reading import object_of
        from bitext.syntax.parsers import analyse

        if self._parser is not None and not all(sentence.analysed for sentence in item):
            item = analyse(item, self._parser)
        return object_of(align_cluster(item, preset=self.preset, **self.joining))

    def assemble(self, results: Iterable[Result]) -> list[Lattice]:
        """Return the lattices of all clusters that did not fail."""
        from bitext.formats.lattices.reading import lattice_of

        return [
            lattice_of(result.value, path=result.name) for result in results if not result.failed
        ]


# Comparisons: a task takes a block of texts, and returns counts that add up.

BLOCK = 256  # texts of a document; set by hand

_Table = dict[tuple[int, int], Scored]


def compare_documents(
    references: Sequence[Segmentations], hyps: Sequence[Segmentations], files: Sequence[str] = ()
) -> Iterator[Document]:
    """Yield a document for each block of texts, which depends on all the files."""
    count = len(references[0])
    for number, begin in enumerate(range(0, count, BLOCK)):
        chosen = np.arange(begin, min(begin + BLOCK, count))
        item = tuple(tuple(table.take(chosen) for table in side) for side in (references, hyps))
        ids = references[0].ids
        last = int(chosen[-1])
        name = f"text {ids[begin]}" if last == begin else f"texts {ids[begin]} to {ids[last]}"
        yield Document(number, name, item, tuple(files))


@dataclass(kw_only=True)
class CompareTask(CommandTask):
    """Score blocks of texts by metrics of segmentations."""

    metrics: Sequence[NamedMetric]  # the metrics
    # `combination`, `refused`, `zero_division`: as of
    # `bitext.metrics.evaluation.segmentations.score`.
    combination: Combination = "mean"
    refused: Refused = "error"
    zero_division: float = np.nan

    def work(self, item: Any) -> Any:
        """Score a block; return one row for each system and metric.

        If a metric refuses a text, return the message instead, or `None` with `refused="leave"`.
        """
        references, hyps = item
        rows = []
        for s, hyp in enumerate(hyps):
            for m, metric in enumerate(self.metrics):
                try:
                    scored = score(
                        metric,
                        references,
                        hyp,
                        combination=self.combination,
                        refused=self.refused,
                        zero_division=self.zero_division,
                    )
                except SegmentationError as error:
                    return str(error) if self.refused == "error" else None
                rows.append([s, m, *scored.state()])
        return rows

    def assemble(self, results: Iterable[Result]) -> _Table | None:
        """Return the scores of all texts; `None` if a block lacks them and all need a new run."""
        parts: dict[tuple[int, int], list[Any]] = {}
        is_complete = True
        for result in results:
            if result.failed:  # messages about limits and processes name no texts
                failure = Failure(result.number, result.name, result.failed)
                message = f"{result.name}, scored at once: {result.failed}"
                raise JobError(message, failures=[failure])
            if isinstance(result.value, str):
                raise SegmentationError(result.value)
            if result.value is None:
                is_complete = False
                continue
            for s, m, *state in result.value:
                parts.setdefault((s, m), []).append(state)
        if not is_complete:
            return None
        return {
            (s, m): Scored.from_states(self.metrics[m], states) for (s, m), states in parts.items()
        }


# Statistics: a task takes a file, and returns the counts of its description.


@dataclass(kw_only=True)
class DescribeTask(CommandTask):
    """Describe files."""

    each: bool = True  # whether the summary of each file is wanted, not that of all together alone
    # Notes on the corpus, as on files left aside.
    corpus_notes: list[str] = field(default_factory=list)

    def work(self, item: tuple[Entry, str, FileOptions]) -> Any:
        """Describe a file of a corpus, given with its name; return its counts and notes."""
        entry, path, reading = item
        entry.check(path)
        notes = Notes()
        description = describe(entry.path, reading=reading, notes=notes)
        return {"counts": description.state(), "notes": [asdict(note) for note in notes.all()]}

    def whole(self) -> Any:
        """Return the notes on the corpus."""
        return {"notes": self.corpus_notes}

    def assemble(self, results: Iterable[Result]) -> FileDescriptions:
        """Return the descriptions of all files that did not fail, and their notes."""
        described = FileDescriptions(each=self.each)
        for result in results:
            if not result.failed:
                described.add(Description.from_state(result.value["counts"]))
                described.notes.extend(notes_of(result.value["notes"]))
        return described


# Splits: a task takes a file, and returns the keys of its bisegments.


@dataclass(kw_only=True)
class SplitTask(CommandTask):
    """Read the files of a split."""

    splitting: Splitting  # the options of the split

    def work(self, item: tuple[str, FileOptions]) -> Any:
        """Return the keys of the bisegments of a file, and the notes on it."""
        path, reading = item
        keys, notes = Keys(), Notes()
        read_keys(path, reading, self.splitting, keys, notes=notes)
        return {"keys": keys.state(), "notes": [asdict(note) for note in notes.all()]}

    def assemble(self, results: Iterable[Result]) -> tuple[Keys, Notes]:
        """Return the keys of all files that did not fail, and the notes on them."""
        keys, notes = Keys(), Notes()
        for result in results:
            if not result.failed:
                keys.add(result.value["keys"])
                notes.extend(notes_of(result.value["notes"]))
        return keys, notes


# Files that are each written from several others, one after another or by jobs.


class WrittenFile(Protocol):
    """The result of writing a file, a dataclass whose fields are JSON values and notes."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    output: str  # the file
    failed: str  # the error for which nothing was written

    def __init__(self, output: str, *, failed: str = "") -> None: ...

    @classmethod
    def from_state(cls, state: Mapping[str, Any], /) -> Self:
        """Return the result that JSON values describe."""


Written = TypeVar("Written", bound=WrittenFile)
Written_co = TypeVar("Written_co", bound=WrittenFile, covariant=True)


class OutputWork(Protocol[Written_co]):
    """The work of writing one file."""

    @property
    def output(self) -> str:
        """The file to write."""

    def files(self) -> Iterable[str]:
        """Return the names of the files to read."""

    def outputs(self) -> Sequence[str]:
        """Return the files to write; one may be two as `a,b`."""

    def write(self, *, on_text: Callable[[int], None] | None = None) -> Written_co:
        """Write the file, which appears when it is complete; raise a `BitextError` otherwise."""


@dataclass(kw_only=True)
class OutputTask(CommandTask, Generic[Written]):
    """Write files: a worker writes one, and returns its counts and notes."""

    outcome: type[Written]  # the class of results
    # What the journal records of the whole, as notes on texts without a counterpart.
    facts: dict[str, list[str]] = field(default_factory=dict)

    def outputs(self) -> list[str]:
        """Return nothing: each item protects its inputs from its own output."""
        return []

    def work(self, item: OutputWork[Written]) -> Any:
        """Write a file; return its result, and its sizes."""
        return {"outcome": asdict(item.write()), "sizes": _sizes(item)}

    def stands(self, item: OutputWork[Written], value: Any) -> bool:
        """Compare the sizes of the output files with those noted in the journal."""
        return isinstance(value, dict) and value.get("sizes") == _sizes(item)

    def whole(self) -> Any:
        """Return the facts about the whole."""
        return self.facts

    def written(self, result: Result) -> Written:
        """Return the result of a file, or of its failure."""
        if result.failed:
            return self.outcome(result.name, failed=with_name(result))
        return self.outcome.from_state(result.value["outcome"])

    def assemble(self, results: Iterable[Result]) -> list[Written]:
        """Return the results for all files, failures included."""
        return [self.written(result) for result in results]


def _sizes(item: OutputWork[Any]) -> list[int]:
    """Return the sizes of the files that an item writes."""
    return [size for output in item.outputs() for size in sizes_of(output)]


# Conversions: the worker writes the output, and returns its counts and notes.


@dataclass(kw_only=True)
class ConvertTask(OutputTask[Outcome]):
    """Convert files."""

    outcome: type[Outcome] = Outcome
    to: str  # the format of the outputs
    watch: Callable[[], None]  # is called after each outcome; may raise an error to stop the run
    # The folders (`--root`) of the documents of the outputs.
    roots: list[str] = field(default_factory=list)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out `watch`, which only the parent process calls."""
        return {**self.__dict__, "watch": None}

    def outputs(self) -> list[str]:
        """Return the report; each conversion protects its inputs from its own output."""
        report = self.run.get("options", {}).get("report")
        return [report] if report else []

    def work(self, item: OutputWork[Outcome]) -> Any:
        """Write one output; return its outcome, its sizes and the digest of others."""
        repeats = _digest_of_others(item)
        return {**super().work(item), "repeats": repeats}

    def stands(self, item: OutputWork[Outcome], value: Any) -> bool:
        """Compare the sizes of output files, and their omitted bisegments, with the journal.

        Repeats, and lexicons that are learned, change with other files than that of the item.
        """
        return super().stands(item, value) and value.get("repeats") == _digest_of_others(item)

    def whole(self) -> Any:
        """Return the folders of the documents of the outputs."""
        return {"roots": self.roots}

    def written(self, result: Result) -> Outcome:
        """Return the outcome of a conversion."""
        self.watch()
        if result.failed:
            return Outcome(result.name, self.to, failed=with_name(result))
        return super().written(result)


def _digest_of_others(item: Any) -> str | None:
    """Return a digest of all that depends on other files of the run: repeats, learned lexicons."""
    digests = [item.repeats.digest] if isinstance(item.repeats, Decided) else []
    rules = () if item.clean is None else item.clean.rules
    digests += [getattr(rule.scorer, "digest", "") for rule in rules]
    return " ".join(filter(None, digests)) or None


@dataclass(kw_only=True)
class SignaturesTask(CommandTask):
    """Read files for the duplicates among all of them, before they are converted."""

    steps: list[Step]  # the filters that compare bisegments with earlier ones
    conversions: list[Conversion]  # the conversions, in order

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the conversions, which only the parent process needs."""
        return {**self.__dict__, "conversions": []}

    def work(self, item: Conversion) -> Any:
        """Return the signatures of the bisegments of a file."""
        return record_signatures(item)

    def assemble(self, results: Iterable[Result]) -> list[Conversion]:
        """Return the conversions with the judgements on their bisegments.

        A file that could not be read has none; its conversion fails likewise.
        """
        judge = RepeatJudge(self.steps)
        conversions = []
        for result in results:
            conversion = self.conversions[result.number]
            values = judge.decide([] if result.failed else result.value)
            repeats = Decided(conversion.inputs[0].path, values)
            conversions.append(replace(conversion, repeats=repeats))
        return conversions
