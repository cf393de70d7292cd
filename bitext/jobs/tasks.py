"""Comparing segmentations by jobs: blocks of texts go out, the columns that add up come back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import JobError, SegmentationError
from bitext.formats.convert.conversion import Bad, Outcome, convert, files_read
from bitext.formats.convert.conversion import Task as Conversion
from bitext.formats.writing import sizes_of
from bitext.jobs.task import CommandTask, Document, Failure
from bitext.metrics.evaluation.segmentations import Combination, Refused, Scored, score
from bitext.model import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitext.align.words.options import WordOptions
    from bitext.jobs.task import Result
    from bitext.metrics.registry import NamedMetric
    from bitext.model import Cluster, Lattice
    from bitext.model.segmentations import Segmentations
    from bitext.syntax.parsers import Parser

__all__ = [
    "ClusterTask",
    "CompareTask",
    "ConvertTask",
    "cluster_documents",
    "compare_documents",
    "conversion_documents",
]


# Aligning clusters by jobs: a cluster goes out, its lattice comes back, as JSON.


def cluster_documents(
    clusters: Sequence[Cluster], names: Sequence[str], files: Sequence[str] = ()
) -> Iterator[Document]:
    """Yield a document for each cluster; any of the files may have been read for it."""
    pairs = zip(names, clusters, strict=True)
    for number, (name, cluster) in enumerate(pairs):
        yield Document(number, name, cluster, tuple(files))


@dataclass(kw_only=True)
class ClusterTask(CommandTask):
    """Aligns clusters.

    Attributes
    ----------
    preset : WordOptions
        How words are aligned.
    joining : dict
        How sentences join: `order`, `normalise`.
    parser : callable or None
        Makes what gives syntax to sentences that have none; `None`: nothing does.
    run, presentation : dict
        As of `CommandTask`.

    """

    preset: WordOptions
    joining: dict[str, Any]
    parser: Callable[[], Parser | None] | None = None
    _made: Parser | None = None

    def prepare(self) -> None:
        """Load the parser."""
        if self.parser is not None:
            self._made = self.parser()

    def work(self, item: Cluster) -> Any:
        """Align a cluster."""
        from bitext.align import align_cluster
        from bitext.formats.lattices.reading import object_of
        from bitext.syntax.analysis import analyse

        if self._made is not None and not all(sentence.analysed for sentence in item):
            item = analyse(item, self._made)
        return object_of(align_cluster(item, preset=self.preset, **self.joining))

    def assemble(self, results: Iterable[Result]) -> list[Lattice]:
        """Return the lattices; where one failed there is none."""
        from bitext.formats.lattices.reading import lattice_of

        return [
            lattice_of(result.value, path=result.name) for result in results if not result.failed
        ]


# Converting a corpus by jobs: outputs are written where the work is, what they came to travels.

_NOTES = ("losses", "dropped", "changed", "notes")


def conversion_documents(tasks: Iterable[Conversion]) -> Iterator[Document]:
    """Yield a document for each file to write; it has the name of that file."""
    for number, task in enumerate(tasks):
        files = (name for name in files_read(task) if name != "-")
        yield Document(number, task.output, task, tuple(files))


@dataclass(kw_only=True)
class ConvertTask(CommandTask):
    """Converts files.

    Attributes
    ----------
    to : str
        The format of the outputs.
    watch : callable
        Is called whenever there is one more outcome; it raises an error to stop.
    roots : list of str
        The folders that the outputs have to be read with.
    run, presentation : dict
        As of `CommandTask`.

    """

    to: str
    watch: Callable[[], None]
    roots: list[str] = field(default_factory=list)

    def __getstate__(self) -> dict[str, Any]:
        """Leave at home what only the one who asked can call."""
        return {**self.__dict__, "watch": None}

    def outputs(self) -> Sequence[str]:
        """Return the report; of its own output each conversion sees to it itself."""
        report = self.run.get("options", {}).get("report")
        return [report] if report else []

    def work(self, item: Conversion) -> Any:
        """Convert into one output."""
        return {"outcome": asdict(convert(item)), "sizes": sizes_of(item.output)}

    def stands(self, item: Conversion, value: Any) -> bool:
        """Tell whether the output is still there."""
        return isinstance(value, dict) and value.get("sizes") == sizes_of(item.output)

    def whole(self) -> Any:
        """Return the folders that the outputs have to be read with."""
        return {"roots": self.roots}

    def assemble(self, results: Iterable[Result]) -> list[Outcome]:
        """Return the outcomes, of what failed, too."""
        found: list[Outcome] = []
        for result in results:
            if result.failed:
                # What a worker tells of time and memory names no file.
                told = result.failed if ": " in result.failed else f"{result.name}: {result.failed}"
                found.append(Outcome(result.name, self.to, failed=told))
            else:
                found.append(_outcome(result.value["outcome"]))
            self.watch()
        return found


def _outcome(held: dict[str, Any]) -> Outcome:
    """Return an outcome of what JSON held of it."""
    notes = {name: tuple(Note(**note) for note in held[name]) for name in _NOTES}
    return Outcome(**{**held, **notes, "bad": [Bad(**bad) for bad in held["bad"]]})


BLOCK = 256  # texts

_Table = dict[tuple[int, int], Scored]


def compare_documents(
    references: Sequence[Segmentations], hyps: Sequence[Segmentations], files: Sequence[str] = ()
) -> Iterator[Document]:
    """Yield a document for each block of texts; any of the files may have been read for it."""
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
    """Scores blocks of texts by metrics of segmentations.

    Attributes
    ----------
    metrics : sequence of NamedMetric
        What to score by.
    combination, refused, zero_division
        As of `bitext.metrics.evaluation.segmentations.score`.
    run, presentation : dict
        As of `CommandTask`.

    """

    metrics: Sequence[NamedMetric]
    combination: Combination = "mean"
    refused: Refused = "error"
    zero_division: float = np.nan

    def work(self, item: Any) -> Any:
        """Score a block: a row a system and metric.

        Where a metric refuses it, that is told, or nothing where what is refused is left out.
        """
        references, hyps = item
        rows = []
        for s, hyp in enumerate(hyps):
            for m, metric in enumerate(self.metrics):
                try:
                    found = score(
                        metric,
                        references,
                        hyp,
                        combination=self.combination,
                        refused=self.refused,
                        zero_division=self.zero_division,
                    )
                except SegmentationError as error:
                    return str(error) if self.refused == "error" else None
                rows.append([s, m, *found.state()])
        return rows

    def assemble(self, results: Iterable[Result]) -> _Table | None:
        """Return the scores of all texts; none where a block has none, and all are to be redone."""
        parts: dict[tuple[int, int], list[Any]] = {}
        is_whole = True
        for result in results:
            if result.failed:  # what a limit or a process tells names no texts
                failure = Failure(result.number, result.name, result.failed)
                told = f"{result.name}, scored at once: {result.failed}"
                raise JobError(told, failures=[failure])
            if isinstance(result.value, str):
                raise SegmentationError(result.value)
            if result.value is None:
                is_whole = False
                continue
            for s, m, *state in result.value:
                parts.setdefault((s, m), []).append(state)
        if not is_whole:
            return None
        return {
            (s, m): Scored.from_states(self.metrics[m], states) for (s, m), states in parts.items()
        }
