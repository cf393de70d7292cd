"""Comparing segmentations by jobs: blocks of texts go out, the columns that add up come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import InputError, JobError, SegmentationError
from bitext.jobs.task import CommandTask, Document, Failure
from bitext.metrics.segment_evaluation import SegmentEvaluation
from bitext.metrics.segment_scores import Combination, Refused, Scored, score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitext.jobs.task import Result
    from bitext.metrics.named import NamedMetric
    from bitext.model.segmentations import Segmentations

__all__ = ["CompareTask", "GatheredSegments", "compare_documents"]

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
        As of `bitext.metrics.segment_scores.score`.
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
                k = None if found.k is None else found.k.tolist()
                lost = list(found.refused.items())
                rows.append([s, m, found.columns.tolist(), k, found.empty, found.reason, lost])
        return rows

    def assemble(self, results: Iterable[Result]) -> _Table | None:
        """Return the scores of all texts; none where a block has none, and all are to be redone."""
        parts: dict[tuple[int, int], list[Any]] = {}
        begin, is_whole = 0, True
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
            for s, m, columns, k, empty, reason, lost in result.value:
                held = np.array(columns, dtype=np.float64)
                moved = {begin + t: told for t, told in lost}
                parts.setdefault((s, m), []).append((held, k, empty, reason, moved))
            begin += len(result.value[0][2])
        if not is_whole:
            return None
        return {key: self._joined(key[1], rows) for key, rows in parts.items()}

    def _joined(self, m: int, rows: list[Any]) -> Scored:
        columns, sizes, empty, reason, lost = zip(*rows, strict=True)
        k = None if sizes[0] is None else np.concatenate([np.array(s, np.int64) for s in sizes])
        refused = {t: told for part in lost for t, told in part.items()}
        return Scored(self.metrics[m], np.concatenate(columns), k, empty[0], reason[0], refused)


class GatheredSegments(SegmentEvaluation):
    """An evaluation whose scores come from elsewhere; where none come, it makes its own."""

    gather: Callable[[], _Table | None]

    def scored(self, system: int, metric: int) -> Scored:
        """As of `SegmentEvaluation`."""
        if not self._scored and self.texts:
            table = self.gather() or {}
            if table and len(next(iter(table.values())).columns) != len(self.texts):
                raise InputError("the shards are of another corpus: run them over these files")
            self._scored.update(table)
            if table and self.refused == "leave":
                self._leave_out()
        return super().scored(system, metric)
