"""Systems compared on segmented texts: figures of texts, averages, intervals, and tests.

Each metric is computed for all texts of a system at once. All metrics use the same draws of texts,
so the figures of a resample belong together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Any, Literal, NamedTuple

import numpy as np

import bitext
from bitext.errors import InputError, OptionError, SegmentationError, many
from bitext.kernels.arrays import Bools, Floats, Ints, divided, prefix
from bitext.metrics.evaluation import Sampling, SystemAverages, mean_of_defined
from bitext.metrics.registry import NamedMetric
from bitext.metrics.segmentation import Pairs, Side
from bitext.metrics.significance import Interval
from bitext.model import CountsTable
from bitext.model.counts import common_empty, f1_fractions, joined
from bitext.model.segmentation import Segmentations
from bitext.notebooks import InNotebooks

# Scores of many texts by one metric of segmentations: columns that add up, and their figures.
#
# Against several references a metric is scored in one of four ways:
#
# - `mean`: the mean of the figures against each reference. A text's figure is the mean over its
#   references; a pooled figure is the mean over references of the figure pooled against each.
# - `best`: the reference that scores best for each text, by F1 if there are several figures.
# - `majority`: the one reference of the boundaries that more than half the references have.
# - `any`: the one reference of all boundaries that any reference has.
#
# WiSeBE takes all references at once, and pools its votes, windows and boundaries.

Combination = Literal["mean", "best", "majority", "any"]
Refused = Literal["error", "leave"]

COMBINATIONS: tuple[Combination, ...] = ("mean", "best", "majority", "any")

_TEXTS_AT_ONCE = 1 << 15  # texts scored at once; set by hand
_RATIO, _COUNTS, _WISEBE = 2, 4, 6  # columns of each kind of scores
_FIGURES = {
    _RATIO: ("",),
    _COUNTS: ("precision", "recall", "f1"),
    _WISEBE: ("", "precision", "recall", "f1", "agreement-ratio"),
}


@dataclass(frozen=True, slots=True)
class Scored:
    """The texts of a corpus, scored by one metric."""

    metric: NamedMetric  # the metric with its options
    # The columns that add up: numerator and denominator; or hits, proposed, expected and found; or
    # those four after the numerator and denominator of the agreement ratio. The last column is 1,
    # or 0 for a refused text, whose zeros are then not taken for 0/0. More than one reference only
    # for the mean. Shape (texts, references, columns + 1).
    columns: Floats
    k: Ints | None = None  # the size of the windows by text; 0 if references differ
    empty: float = np.nan  # the value of 0/0 by the metric
    reason: str = ""  # the reason of a denominator of 0
    # The texts that the metric refused, with the reasons.
    refused: Mapping[int, str] = field(default_factory=dict)

    @property
    def is_mean(self) -> bool:
        """Whether micro averages are means over texts: each figure is a number, and no quotient."""
        counted = self.columns[self.columns[..., -1] > 0]
        slow = self.metric.metric.is_slow and self.columns.shape[2] == _RATIO + 1
        return bool(slow and (counted[:, 1] == 1).all())

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the figures: the metric, with a dot and the figure if it has several."""
        names = _FIGURES[self.columns.shape[2] - 1]
        return tuple(f"{self.metric.label}.{n}" if n else self.metric.label for n in names)

    @property
    def flat(self) -> Floats:
        """The columns of all references side by side: (texts, references x columns)."""
        return self.columns.reshape(len(self.columns), -1)

    def fractions(self, flat: Floats, zero_division: float = np.nan) -> tuple[Floats, Floats]:
        """Return the numerators and denominators of rows or sums of rows: (..., figures).

        Against several references these are the sum of the figures and the number of defined ones.
        Both are `nan` for refused texts.
        """
        references, columns = self.columns.shape[1:]
        parts = flat.reshape(*flat.shape[:-1], references, columns)
        counted = parts[..., -1:] > 0
        above, below = (np.where(counted, x, np.nan) for x in _fractions(parts[..., :-1]))
        if references == 1:
            return above[..., 0, :], below[..., 0, :]
        each = divided(above, below, empty=self._zero(zero_division))
        known = ~np.isnan(each)
        return np.where(known, each, 0.0).sum(axis=-2), known.sum(axis=-2).astype(np.float64)

    def figures(self, flat: Floats, zero_division: float = np.nan) -> Floats:
        """Return the figures of rows or sums; `nan` for 0/0 means the value by the metric."""
        above, below = self.fractions(flat, zero_division)
        # Against several references, each has its value of 0/0; 0/0 here is a text refused by all.
        several = self.columns.shape[1] > 1
        return divided(above, below, empty=np.nan if several else self._zero(zero_division))

    def state(self) -> list[Any]:
        """Return the scores as JSON can hold them, without the metric."""
        k = None if self.k is None else self.k.tolist()
        return [self.columns.tolist(), k, self.empty, self.reason, list(self.refused.items())]

    @classmethod
    def from_states(cls, metric: NamedMetric, states: Sequence[Sequence[Any]]) -> Scored:
        """Join the states of consecutive blocks of the same corpus."""
        columns, sizes, empty, reason, lost = zip(*states, strict=True)
        tables = [np.array(block, dtype=np.float64) for block in columns]
        k = None if sizes[0] is None else np.concatenate([np.array(s, np.int64) for s in sizes])
        begins = prefix(np.array([len(table) for table in tables])).tolist()
        refused = {
            begin + text: why
            for begin, block in zip(begins, lost, strict=False)
            for text, why in block
        }
        is_void = [bool(((t[..., 1] == 0) & (t[..., -1] > 0)).any()) for t in tables]
        value = common_empty(zip(is_void, empty, reason, strict=True))
        return cls(metric, np.concatenate(tables), k, *value, refused)

    def without(self, lost: Bools, why: Mapping[int, str]) -> Scored:
        """Return the scores without some texts against some references: (texts, references)."""
        columns = np.where(lost[..., None], 0.0, self.columns)
        return replace(self, columns=columns, refused=why)

    @property
    def lost(self) -> Bools:
        """The mask of the refused texts: (texts, references)."""
        return np.asarray(self.columns[..., -1] == 0)

    def _zero(self, zero_division: float) -> float:
        return self.empty if np.isnan(zero_division) else zero_division

    def why(self, flat: Floats) -> str:
        """Return the reason of an undefined figure of one row of columns."""
        rows = flat.reshape(-1, self.columns.shape[2])
        if not rows[:, -1].any():
            return "the metric refused every text"
        if rows.shape[1] - 1 == _RATIO:
            return self.reason
        _, proposed, expected, _ = rows[:, -5:-1].sum(axis=0)
        reasons = ["nothing proposed"] * (not proposed) + ["nothing expected"] * (not expected)
        return ", ".join(reasons) or "undefined against a reference"


def score(
    metric: NamedMetric,
    references: Sequence[Segmentations],
    hyp: Segmentations,
    *,
    combination: Combination = "mean",
    refused: Refused = "error",
    zero_division: float = np.nan,
    at_once: int = _TEXTS_AT_ONCE,
) -> Scored:
    """Score every text of a hypothesis by a metric over segmentations, or by `wisebe`.

    The references have the same texts in the same order; `combination` is the way to combine
    several. `refused` decides whether a text that the metric refuses, as one shorter than its
    window, is an error, or is left out of this metric. `zero_division` is the value of 0/0 in the
    choice of the best reference: one with an undefined figure is the best only when all are
    undefined. `at_once` texts are scored at once; memory grows with it.

    Raises `SegmentationError` when the metric refuses a text, which the message names; and other
    errors of the metric.
    """
    if metric.metric.over == "coders":
        return _wisebe(metric, references, hyp, refused, at_once)
    if len(references) > 1 and combination in {"majority", "any"}:
        share = 0.5 if combination == "majority" else 0.0
        references = [consensus(references, share)]
    each = [_against(metric, gold, hyp, refused, at_once) for gold in references]
    if len(each) == 1:
        return each[0]
    columns = np.concatenate([scored.columns for scored in each], axis=1)
    lost = {text: reason for scored in each for text, reason in scored.refused.items()}
    sizes = None if each[0].k is None else np.stack([s.k for s in each if s.k is not None], axis=1)
    if combination == "best":
        best = _best(metric, each, zero_division)
        columns = np.take_along_axis(columns, best[:, None, None], axis=1)
        sizes = None if sizes is None else np.take_along_axis(sizes, best[:, None], axis=1)
    k = None if sizes is None else np.where((sizes == sizes[:, :1]).all(axis=1), sizes[:, 0], 0)
    return replace(each[0], columns=columns, k=k, refused=lost)


def consensus(references: Sequence[Segmentations], share: float) -> Segmentations:
    """Return the boundaries that more than a share of the references have, as segmentations."""
    if any(reference.types for reference in references):
        raise InputError(
            "references with types of boundaries have no majority and no union: want the mean over "
            "them, or the best"
        )
    sides = [_side(reference) for reference in references]
    ends = sides[0].bounds[sides[0].ptr]
    places, votes = np.unique(np.concatenate([s.boundaries for s in sides]), return_counts=True)
    chosen = places[votes > share * len(references)]
    bounds = np.union1d(ends, chosen)
    return Segmentations(references[0].ids, np.searchsorted(bounds, ends), np.diff(bounds))


def lay(golds: Segmentations, hyps: Segmentations) -> Pairs:
    """Lay out the pairs of two corpora of the same texts."""
    gold, hyp = _side(golds), _side(hyps)
    starts = gold.bounds[gold.ptr]
    if not np.array_equal(starts, hyp.bounds[hyp.ptr]):
        raise SegmentationError("gold standard and hypothesis differ in units: want the same")
    typed = None
    if golds.types or hyps.types:
        typed = ([golds.at(k) for k in range(len(golds))], [hyps.at(k) for k in range(len(hyps))])
    return Pairs(starts, gold, hyp, typed)


def _side(table: Segmentations) -> Side:
    return Side(table.ptr, prefix(table.masses))


def _against(
    metric: NamedMetric, golds: Segmentations, hyps: Segmentations, refused: Refused, at_once: int
) -> Scored:
    lost: dict[int, str] = {}
    scored = np.arange(len(golds))
    try:
        counted = _in_blocks(metric, golds, hyps, at_once)
    except SegmentationError:
        lost = _refusals(metric, golds, hyps, most=None if refused == "leave" else 1)
        scored = np.setdiff1d(scored, list(lost))
        if not lost or refused == "error" or not scored.size:
            raise _named(lost, golds) from None
        counted = _in_blocks(metric, golds.take(scored), hyps.take(scored), at_once)
    counts = np.asarray(counted.counts, dtype=np.float64)
    columns = np.zeros((len(golds), 1, counts.shape[1] + 1))
    columns[scored, 0, :-1] = counts
    columns[scored, 0, -1] = 1
    k = None
    if counted.k is not None:
        k = np.zeros(len(golds), dtype=np.int64)
        k[scored] = counted.k
    if isinstance(counted, CountsTable):
        return Scored(metric, columns, k, refused=lost)
    return Scored(metric, columns, k, counted.empty, counted.reason, lost)


def _in_blocks(metric: NamedMetric, golds: Segmentations, hyps: Segmentations, at_once: int) -> Any:
    """Score all pairs, some at a time, so that memory does not grow with the corpus."""
    parts = []
    for begin in range(0, max(len(golds), 1), at_once):
        part = np.arange(begin, min(begin + at_once, len(golds)))
        parts.append(metric.pairs(lay(golds.take(part), hyps.take(part))))
    return joined(parts)


def _refusals(
    metric: NamedMetric, golds: Segmentations, hyps: Segmentations, *, most: int | None
) -> dict[int, str]:
    """Find the texts that a metric refuses by bisection: all of them, or the first `most`."""
    refused: dict[int, str] = {}
    todo = [(0, len(golds))]
    while todo and (most is None or len(refused) < most):
        begin, end = todo.pop()
        part = np.arange(begin, end)
        try:
            metric.pairs(lay(golds.take(part), hyps.take(part)))
        except SegmentationError as error:
            if end - begin == 1:
                refused[begin] = str(error)
            else:
                middle = (begin + end) // 2
                todo += [(middle, end), (begin, middle)]
    return refused


def _named(lost: Mapping[int, str], golds: Segmentations) -> SegmentationError:
    text, reason = next(iter(lost.items()))
    return SegmentationError(f"text {golds.ids[text]!r}: {reason}")


def _best(metric: NamedMetric, each: Sequence[Scored], zero_division: float) -> Ints:
    """Return the reference that scores best for each text, the first of equal ones."""
    sign = 1.0 if metric.metric.better == "higher" else -1.0
    values = np.stack(
        [sign * scored.figures(scored.flat, zero_division)[:, -1] for scored in each], axis=1
    )
    return np.asarray(np.argmax(np.nan_to_num(values, nan=-np.inf), axis=1))


def _wisebe(
    metric: NamedMetric,
    references: Sequence[Segmentations],
    hyp: Segmentations,
    refused: Refused,
    at_once: int,
) -> Scored:
    lost: dict[int, str] = {}
    if refused == "leave" and not metric.bound["closing"]:
        marks = np.stack([np.diff(reference.ptr) for reference in references])
        bare = np.flatnonzero((marks == 1).all(axis=0)).tolist()
        lost = dict.fromkeys(bare, "no reference has a boundary")
    scored = [t for t in range(len(hyp)) if t not in lost]
    if not scored:
        raise _named(lost, hyp)
    columns = np.zeros((len(hyp), 1, _WISEBE + 1))
    columns[scored, 0, -1] = 1
    for begin in range(0, len(scored), at_once):  # as a score stores every window
        batch = scored[begin : begin + at_once]
        columns[batch, 0, :-1] = _wisebe_columns(metric, references, hyp, batch)
    return Scored(metric, columns, reason="no reference has a boundary", refused=lost)


def _wisebe_columns(
    metric: NamedMetric,
    references: Sequence[Segmentations],
    hyp: Segmentations,
    texts: Sequence[int],
) -> list[tuple[float, ...]]:
    try:
        scores = metric.metric.many(
            [[reference.at(t) for reference in references] for t in texts],
            [hyp.at(t) for t in texts],
            **metric.options,
        )
    except OptionError as error:
        raise OptionError(f"{metric.label}: {error}") from None
    except InputError as error:
        message = str(error)
        named = (
            f"text {hyp.ids[t]!r}: "
            for k, t in enumerate(texts)
            if message.startswith(f"text {k}: ")
        )
        where = next(named, "")
        message = message.partition(": ")[2] if where else message
        if len(texts) == 1 < len(hyp):
            where = f"text {hyp.ids[texts[0]]!r}: "
        raise InputError(f"{where}{metric.label}: {message}") from None
    return [(one.agreement.numerator, one.agreement.denominator, *one.counts.row) for one in scores]


def _fractions(columns: Floats) -> tuple[Floats, Floats]:
    """Return the numerators and denominators of columns, by the number of columns."""
    if columns.shape[-1] == _RATIO:
        return columns[..., :1], columns[..., 1:]
    hits, proposed, expected, found = np.moveaxis(columns[..., -4:], -1, 0)
    above, below = f1_fractions(hits, proposed, expected, found)
    if columns.shape[-1] == _COUNTS:
        return np.stack([hits, found, above], axis=-1), np.stack([proposed, expected, below], -1)
    # WiSeBE is 0 without a hit, whatever was proposed.
    agreed, judged = columns[..., 0], columns[..., 1]
    is_judged = judged > 0
    proposed, below = (np.where(is_judged, np.maximum(x, 1), 0) for x in (proposed, below))
    return (
        np.stack([agreed * above, hits, found, above, agreed], axis=-1),
        np.stack([judged * below, proposed, expected, below, judged], axis=-1),
    )


DEFAULT_METRICS = (
    "alignment-similarity",
    "boundary-similarity",
    "segmentation-similarity",
    "window-diff",
    "pk",
    "boundary",
)


class SegmentRow(NamedTuple):
    """One figure of one system on one text, or on average."""

    system: str
    text: str | None  # `None` for averages
    average: str  # `text`, `micro` or `macro`
    metric: str  # the name of the figure: `window-diff(k=5)`, `boundary.f1`
    better: str  # `higher` or `lower`
    value: float  # `nan` where undefined
    numerator: float | None  # of the quotient; `None` for macro averages
    denominator: float | None  # likewise
    k: int | None  # the size of the windows, where the metric has windows of one size
    interval: Interval | None  # for averages over more than one text
    undefined: str  # the reason where the value is `nan`, or the number of texts left out of it
    signature: str  # every choice behind the figure


class SegmentDifference(NamedTuple):
    """The difference of a system from the baseline by one figure, and its p."""

    system: str
    baseline: str
    metric: str
    average: str
    value: float
    p: float


class _Average(NamedTuple):
    """The figures of an average by one metric, with the terms of micro averages."""

    values: list[float]
    above: list[float | None]
    below: list[float | None]
    undefined: list[str]


@dataclass(slots=True, kw_only=True)
class SegmentEvaluation(InNotebooks):
    """The scores of systems on texts, and the figures computed from them."""

    systems: Sequence[str]  # their names
    metrics: Sequence[NamedMetric]  # the metrics of the scores
    # One or more, of the same texts in the same order; the first names the texts.
    references: Sequence[Segmentations]
    hyps: Sequence[Segmentations]  # one a system, likewise
    # The value of 0/0, and the options of intervals and tests.
    options: Sampling = field(default_factory=Sampling)
    combination: Combination = "mean"  # the way to combine several references, as in `score`
    refused: Refused = "error"  # the treatment of a text that a metric refuses, as in `score`
    read_by: tuple[str, ...] = ()  # the choices of units, segments and labels, for signatures
    # Whether the one system is a coder like the reference: the weights of texts are then of both.
    of_coders: bool = False
    # Yields the items of a sequence one by one, to show progress.
    watch: Callable[[list[tuple[int, int]]], Iterable[tuple[int, int]]] = iter
    # Returns the scores of jobs by system and metric, or `None` if jobs cannot score; all texts
    # are then scored here.
    gather: Callable[[], Mapping[tuple[int, int], Scored] | None] | None = None
    _scored: dict[tuple[int, int], Scored] = field(default_factory=dict)
    _kept: dict[tuple[int, str], list[Interval]] = field(default_factory=dict)

    @property
    def texts(self) -> Sequence[str]:
        """The names of the texts."""
        return self.references[0].ids

    @property
    def baseline(self) -> str:
        """The system that the others are tested against."""
        return self.systems[self.options.baseline_of(self.systems)]

    @property
    def resampled(self) -> bool:
        """Whether there are intervals and tests, which need more than one text."""
        return bool(self.options.resamples) and len(self.texts) > 1

    @property
    def draws(self) -> bool:
        """Whether intervals or tests draw resamples."""
        tested = len(self.systems) > 1
        return self.resampled and self.options.draws(len(self.texts), tested=tested)

    def sampling_notes(self) -> list[str]:
        """Warn of the limits of intervals and tests of few texts."""
        if not self.systems:
            return []
        if not self.resampled:
            return self.options.without_units("texts")
        return self.options.few(len(self.texts), tested=len(self.systems) > 1)

    def scored(self, system: int, metric: int) -> Scored:
        """Return the scores of a system by one metric; the first call computes all of them.

        Raises `BitextError` as `bitext.metrics.evaluation.segmentations.score`.
        """
        if not self._scored:
            if not self.texts:
                raise InputError("there is no text: want at least one")
            gathered = self.gather() if self.gather is not None else None
            if gathered:
                if len(next(iter(gathered.values())).columns) != len(self.texts):
                    raise InputError("the shards are of another corpus: run them over these files")
                self._scored.update(gathered)
            else:
                self._score_all()
            if self.refused == "leave":
                self._leave_out()
        return self._scored[system, metric]

    def _score_all(self) -> None:
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

    def _leave_out(self) -> None:
        """Leave the texts that a metric refused for one system out for all systems."""
        for m in range(len(self.metrics)):
            family = [self._scored[s, m] for s in range(len(self.systems))]
            lost = np.logical_or.reduce([scored.lost for scored in family])
            if lost.any():
                why = {t: reason for scored in family for t, reason in scored.refused.items()}
                for s, scored in enumerate(family):
                    self._scored[s, m] = scored.without(lost, why)

    def __repr__(self) -> str:
        start = f"<{type(self).__name__} on {many(len(self.texts), 'text')}"
        if not self.systems or not self.metrics or not self._scored:
            return f"{start}>"
        shown = (
            f"{name} {self._average(s, 0, 'micro').values[0]:.4f}"
            for s, name in enumerate(self.systems)
        )
        return f"{start}, {self.scored(0, 0).labels[0]}: {', '.join(shown)}>"

    def refusals(self) -> dict[str, dict[int, str]]:
        """Return the refused texts with the reasons, by the label of the metric."""
        refused: dict[str, dict[int, str]] = {}
        for m, metric in enumerate(self.metrics):
            for s in range(len(self.systems)):
                refused.setdefault(metric.label, {}).update(self.scored(s, m).refused)
        return {label: texts for label, texts in refused.items() if texts}

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

        A way is the `combination`, or `all` for metrics that take all references at once.
        """
        metrics_by_way: dict[str, list[str]] = {}
        for metric in self.metrics:
            metrics_by_way.setdefault(self._way(metric), []).append(metric.label)
        return dict(sorted(metrics_by_way.items(), key=lambda item: item[0] == "all"))

    def _way(self, metric: NamedMetric) -> str:
        return "all" if metric.metric.over == "coders" else self.combination

    def is_mean(self, metric: NamedMetric) -> bool:
        """Check whether a metric gives numbers; its micro average is the mean over texts."""
        return bool(self.systems) and self.scored(0, self.metrics.index(metric)).is_mean

    def signature(self, metric: NamedMetric, average: str) -> str:
        """Return every choice that changes a figure, and the version, as one string."""
        parts = [f"average:{'mean' if average == 'micro' and self.is_mean(metric) else average}"]
        if average != "text":
            parts.append(f"texts:{len(self.texts)}")
        reference_count = len(self.references)
        if reference_count > 1:
            parts.append(f"references:{self._way(metric)}-of-{reference_count}")
        if not isnan(self.options.zero_division):
            parts.append(self.options.undefined)
        if self.refused != "error":
            parts.append(f"refused:{self.refused}")
        parts += self.read_by
        if average != "text" and self.resampled:
            parts += self.options.parts(len(self.texts), tested=len(self.systems) > 1)
        return metric.signature(*parts, f"bitext:{bitext.__version__}")

    def differences(self, *, average: str = "micro") -> list[SegmentDifference]:
        """Test systems against the baseline, or in all pairs, figure by figure."""
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
            sizes=self._sizes,
            burst=1.0,
            bounds=[
                metric.bounds
                for m, metric in enumerate(self.metrics)
                for _ in self.scored(0, m).labels
            ],
        )

    def _sizes(self) -> Floats:
        """Return the weight of each text: its gold segments, or 1; 0 if a metric refused it.

        Of two coders it is the mean of their segments, so that the intervals of a symmetric metric
        do not depend on their order.
        """
        sides = (self.references[0], *self.hyps) if self.of_coders else self.references[:1]
        segments = np.mean([np.diff(side.ptr) for side in sides], axis=0)
        columns = []
        for m in range(len(self.metrics)):
            scored = self.scored(0, m)
            weights = np.ones(len(segments)) if scored.is_mean else segments
            counted = np.where(scored.lost.all(axis=1), 0.0, weights)
            columns += [counted] * len(scored.labels)
        return np.stack(columns, axis=1)

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
        mean = self._average(s, m, average)
        begin = sum(len(self.scored(s, before).labels) for before in range(m))
        return SegmentRow(
            system=self.systems[s],
            text=None,
            average=average,
            metric=scored.labels[f],
            better=metric.metric.better,
            value=mean.values[f],
            numerator=mean.above[f],
            denominator=mean.below[f],
            k=None if scored.k is None else _common(scored.k[~scored.lost.all(axis=1)]),
            interval=self._intervals(s, average)[begin + f] if self.resampled else None,
            undefined=mean.undefined[f],
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

    def _wide(self, s: int) -> Floats:
        """Return the columns of all metrics side by side."""
        return np.concatenate([self.scored(s, m).flat for m in range(len(self.metrics))], axis=1)

    def _figures(self, counts: Floats, zero_division: float) -> Floats:
        """Return the figures of all metrics of columns side by side."""
        parts, begin = [], 0
        for m in range(len(self.metrics)):
            scored = self.scored(0, m)
            end = begin + scored.columns.shape[1] * scored.columns.shape[2]
            parts.append(scored.figures(counts[..., begin:end], zero_division))
            begin = end
        return np.concatenate(parts, axis=-1)


def _common(k: Ints) -> int | None:
    """Return the size of the windows of all texts, if it is the same."""
    return int(k[0]) or None if k.size and (k == k[0]).all() else None
