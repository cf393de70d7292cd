"""Systems compared on segmented texts: figures by text, averages, intervals, and tests.

Every metric is worked out for all texts of a system at once. One draw of texts serves all metrics,
so the figures of a resample belong together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import bitext
from bitext.errors import InputError
from bitext.metrics.evaluation.averages import SystemAverages, mean_of_defined
from bitext.metrics.evaluation.options import Sampling
from bitext.metrics.segmentation.segment_scores import Combination, Refused, Scored, score
from bitext.notebooks import InNotebooks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.metrics.metric_spec import NamedMetric
    from bitext.metrics.significance import Interval
    from bitext.model.segmentations import Segmentations

__all__ = ["DEFAULT_METRICS", "SegmentDifference", "SegmentEvaluation", "SegmentRow"]

DEFAULT_METRICS = (
    "alignment-similarity",
    "boundary-similarity",
    "segmentation-similarity",
    "window-diff",
    "pk",
    "boundary",
)


class SegmentRow(NamedTuple):
    """One figure of one system on one text, or on average.

    Attributes
    ----------
    system, text, average, metric : str
        `text` is `None` for averages; `average` is `text`, `micro` or `macro`; `metric` is
        the name of the figure: `window-diff(k=5)`, `boundary.f1`.
    better : str
        `higher` or `lower`.
    value : float
        `nan` where undefined.
    numerator, denominator : float or None
        What the value is the quotient of; `None` for macro averages.
    k : int or None
        The size of the windows, where the metric has some and they are all of one size.
    interval : Interval or None
        Of averages, where there is more than one text to resample.
    undefined : str
        Why the value is `nan`, or how many texts it leaves out.
    signature : str
        How the figure was made.

    """

    system: str
    text: str | None
    average: str
    metric: str
    better: str
    value: float
    numerator: float | None
    denominator: float | None
    k: int | None
    interval: Interval | None
    undefined: str
    signature: str


class SegmentDifference(NamedTuple):
    """The difference of a system from the first one, by one figure, and its p."""

    system: str
    baseline: str
    metric: str
    average: str
    value: float
    p: float


class _Average(NamedTuple):
    """An average by one metric: its figures, and of micro averages what they are quotients of."""

    values: list[float]
    above: list[float | None]
    below: list[float | None]
    undefined: list[str]


@dataclass(slots=True, kw_only=True)
class SegmentEvaluation(InNotebooks):
    """Scores systems on texts, and works out the figures.

    Attributes
    ----------
    systems : sequence of str
        Their names; the first is the one that others are tested against.
    metrics : sequence of NamedMetric
        What to score by.
    references : sequence of Segmentations
        One or more, of the same texts in the same order; the first names the texts.
    hyps : sequence of Segmentations
        Of each system, likewise.
    options : Sampling
        What 0/0 counts as, intervals and tests.
    combination : {"mean", "best", "majority", "any"}
        What is made of several references (`bitext.metrics.segmentation.segment_scores`).
    refused : {"error", "leave"}
        What to do with a text that a metric refuses.
    over : str
        What the units are, for signatures, where they were made of the characters of texts.
    watch : callable
        Passes on what is to be done one by one, to tell how far it is.
    gather : callable or None
        Returns the scores by system and metric, where jobs made them; `None` where they could not,
        and all texts are scored here.

    """

    systems: Sequence[str]
    metrics: Sequence[NamedMetric]
    references: Sequence[Segmentations]
    hyps: Sequence[Segmentations]
    options: Sampling = field(default_factory=Sampling)
    combination: Combination = "mean"
    refused: Refused = "error"
    over: str = ""
    watch: Callable[[list[tuple[int, int]]], Iterable[tuple[int, int]]] = iter
    gather: Callable[[], Mapping[tuple[int, int], Scored] | None] | None = None
    _scored: dict[tuple[int, int], Scored] = field(default_factory=dict)
    _kept: dict[tuple[int, str], list[Interval]] = field(default_factory=dict)

    @property
    def texts(self) -> Sequence[str]:
        """The names of the texts."""
        return self.references[0].ids

    @property
    def resampled(self) -> bool:
        """Whether there are intervals and tests: of one text there are none."""
        return bool(self.options.resamples) and len(self.texts) > 1

    def sampling_notes(self) -> list[str]:
        """Warn of the limits of intervals and tests of few texts."""
        if not self.resampled or not self.systems:
            return []
        return self.options.few(len(self.texts), tested=len(self.systems) > 1)

    def scored(self, system: int, metric: int) -> Scored:
        """Return the scores of a system by one metric; all are worked out when one is asked for.

        Raises
        ------
        BitextError
            As `bitext.metrics.segmentation.segment_scores.score`.

        """
        if not self._scored:
            if not self.texts:
                raise InputError("there is no text: want at least one")
            if self._gathered():
                return self._scored[system, metric]
            todo = [(s, m) for s in range(len(self.systems)) for m in range(len(self.metrics))]
            for s, m in self.watch(todo):
                self._scored[s, m] = score(
                    self.metrics[m],
                    self.references,
                    self.hyps[s],
                    combination=self.combination,
                    refused=self.refused,
                    zero_division=self.options.zero_division,
                )
            if self.refused == "leave":
                self._leave_out()
        return self._scored[system, metric]

    def _gathered(self) -> bool:
        """Take the scores that jobs made, if they did; return whether there are some."""
        table = self.gather() if self.gather is not None else None
        if not table:
            return False
        if len(next(iter(table.values())).columns) != len(self.texts):
            raise InputError("the shards are of another corpus: run them over these files")
        self._scored.update(table)
        if self.refused == "leave":
            self._leave_out()
        return True

    def _leave_out(self) -> None:
        """Leave texts that a metric refused of one system out for all systems."""
        for m in range(len(self.metrics)):
            family = [self._scored[s, m] for s in range(len(self.systems))]
            lost = np.logical_or.reduce([scored.lost for scored in family])
            if lost.any():
                why = {t: told for scored in family for t, told in scored.refused.items()}
                for s, scored in enumerate(family):
                    self._scored[s, m] = scored.without(lost, why)

    def refusals(self) -> dict[str, dict[int, str]]:
        """Return the texts that metrics refused, and why, by the label of the metric."""
        found: dict[str, dict[int, str]] = {}
        for m, metric in enumerate(self.metrics):
            for s in range(len(self.systems)):
                found.setdefault(metric.label, {}).update(self.scored(s, m).refused)
        return {label: texts for label, texts in found.items() if texts}

    def rows(
        self, *, averages: Sequence[str] = ("micro", "macro"), texts: bool = True
    ) -> Iterator[SegmentRow]:
        """Yield the figures: figure by figure, system by system, averages before texts."""
        for m in range(len(self.metrics)):
            for f in range(len(self.scored(0, m).labels) if self.systems else 0):
                for s in range(len(self.systems)):
                    for average in averages:
                        yield self._average_row(s, m, f, average)
                    if texts:
                        yield from self._text_rows(s, m, f)

    def ways(self) -> dict[str, list[str]]:
        """Return the ways to combine several references, each with its metrics.

        That is the `combination`; or `all`, of metrics that take them all at once.
        """
        found: dict[str, list[str]] = {}
        for metric in self.metrics:
            found.setdefault(self._way(metric), []).append(metric.label)
        return dict(sorted(found.items(), key=lambda item: item[0] == "all"))

    def _way(self, metric: NamedMetric) -> str:
        return "all" if metric.metric.over == "coders" else self.combination

    def signature(self, metric: NamedMetric, average: str) -> str:
        """Return every choice that changes a figure, and the version, as one string."""
        parts = [f"average:{average}"]
        if average != "text":
            parts.append(f"texts:{len(self.texts)}")
        many = len(self.references)
        if many > 1:
            parts.append(f"references:{self._way(metric)}-of-{many}")
        if not isnan(self.options.zero_division):
            parts.append(self.options.undefined)
        if self.refused != "error":
            parts.append(f"refused:{self.refused}")
        parts += [self.over] if self.over else []
        if average != "text" and self.resampled:
            parts += self.options.parts(tested=len(self.systems) > 1)
        return metric.signature(*parts, f"bitext:{bitext.__version__}")

    def differences(self, *, average: str = "micro") -> list[SegmentDifference]:
        """Test every other system against the first one, figure by figure."""
        if not self.resampled or len(self.systems) < 2:
            return []
        labels = [label for m in range(len(self.metrics)) for label in self.scored(0, m).labels]
        return [
            SegmentDifference(d.system, d.baseline, label, average, value, p)
            for d in self._averages(average).differences()
            for label, value, p in zip(labels, d.values, d.p, strict=True)
        ]

    def _averages(self, average: str) -> SystemAverages:
        """Return the averages of all figures: one draw of texts serves all metrics."""
        return SystemAverages(
            systems=self.systems,
            options=self.options,
            units=self._wide,
            values=lambda s: [
                value
                for m in range(len(self.metrics))
                for value in self._average(s, m, average).values
            ],
            of=self._figures,
            macro=average == "macro",
        )

    def _text_rows(self, s: int, m: int, f: int) -> Iterator[SegmentRow]:
        scored, metric = self.scored(s, m), self.metrics[m]
        zero = self.options.zero_division
        above, below = (part[:, f].tolist() for part in scored.fractions(scored.flat, zero))
        values = scored.figures(scored.flat, zero)[:, f].tolist()
        signature = self.signature(metric, "text")
        for t, value in enumerate(values):
            why = ""
            if isnan(value):
                why = scored.refused.get(t) or scored.why(scored.flat[t])
            yield SegmentRow(
                system=self.systems[s],
                text=self.texts[t],
                average="text",
                metric=scored.labels[f],
                better=metric.metric.better,
                value=value,
                numerator=None if isnan(above[t]) else above[t],
                denominator=None if isnan(below[t]) else below[t],
                k=None if scored.k is None else int(scored.k[t]) or None,
                interval=None,
                undefined=why,
                signature=signature,
            )

    def _average_row(self, s: int, m: int, f: int, average: str) -> SegmentRow:
        scored, metric = self.scored(s, m), self.metrics[m]
        found = self._average(s, m, average)
        begin = sum(len(self.scored(s, before).labels) for before in range(m))
        return SegmentRow(
            system=self.systems[s],
            text=None,
            average=average,
            metric=scored.labels[f],
            better=metric.metric.better,
            value=found.values[f],
            numerator=found.above[f],
            denominator=found.below[f],
            k=None if scored.k is None else _common(scored.k[~scored.lost.all(axis=1)]),
            interval=self._intervals(s, average)[begin + f] if self.resampled else None,
            undefined=found.undefined[f],
            signature=self.signature(metric, average),
        )

    def _average(self, s: int, m: int, average: str) -> _Average:
        scored, zero = self.scored(s, m), self.options.zero_division
        if average == "micro":
            total = scored.flat.sum(axis=0)
            parts = (part.tolist() for part in scored.fractions(total, zero))
            above, below = ([None if isnan(x) else x for x in part] for part in parts)
            values = scored.figures(total, zero).tolist()
            why = [scored.why(total) if isnan(value) else "" for value in values]
            return _Average(values, above, below, why)
        values, bare = mean_of_defined(scored.figures(scored.flat, zero))
        why = [f"undefined in {n} text{'s' if n > 1 else ''}, left out" if n else "" for n in bare]
        return _Average(values, [None] * len(values), [None] * len(values), why)

    def _intervals(self, s: int, average: str) -> list[Interval]:
        if (s, average) not in self._kept:
            self._kept[s, average] = list(self._averages(average).intervals(s))
        return self._kept[s, average]

    def _wide(self, s: int) -> NDArray[np.float64]:
        """Return the columns of all metrics side by side."""
        return np.concatenate([self.scored(s, m).flat for m in range(len(self.metrics))], axis=1)

    def _figures(self, counts: NDArray[np.float64], zero_division: float) -> NDArray[np.float64]:
        """Return the figures of all metrics of columns side by side."""
        parts, begin = [], 0
        for m in range(len(self.metrics)):
            scored = self.scored(0, m)
            end = begin + scored.columns.shape[1] * scored.columns.shape[2]
            parts.append(scored.figures(counts[..., begin:end], zero_division))
            begin = end
        return np.concatenate(parts, axis=-1)


def _common(k: NDArray[np.int64]) -> int | None:
    """Return the size of the windows of all texts, if it is the same."""
    return int(k[0]) or None if k.size and (k == k[0]).all() else None
