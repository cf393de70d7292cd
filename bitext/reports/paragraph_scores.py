"""The figures of methods of paragraph segmentation: with intervals and tests, as table and JSON.

A decision is whether a sentence starts a paragraph; the first sentence of a chapter always does,
and is none. Figures are *micro*: of the pooled counts of all chapters. Accuracy, precision, recall
and F1 are over decisions; A, B, WindowDiff and Pk judge the segmentations as wholes
(`bitext.metrics`), with their defaults.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import bitext
from bitext.errors import InputError, SegmentationError
from bitext.metrics.named import parse_metric
from bitext.metrics.options import Sampling
from bitext.metrics.segment_evaluation import SegmentEvaluation
from bitext.model.segmentations import Segmentations
from bitext.reports.scores import MARKS, TEST_NAMES, defined, exact, percent
from bitext.reports.table import Table, between, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitext.metrics.significance import Interval
    from bitext.model import Segmentation

__all__ = ["FIGURES", "ParagraphScore", "ParagraphScores", "score_paragraphs"]

SCHEMA = "bitext.paragraph-scores/1"

FIGURES = {
    "accuracy": "boundary-accuracy",
    "precision": "boundary.precision",
    "recall": "boundary.recall",
    "F1": "boundary.f1",
    "A": "alignment-similarity",
    "B": "boundary-similarity",
    "WindowDiff": "window-diff",
    "Pk": "pk",
}
"""The figures in their order, with what `bitext compare` calls them."""

_METRICS = tuple(dict.fromkeys(label.partition(".")[0] for label in FIGURES.values()))
_LOWER = ("WindowDiff", "Pk")


@dataclass(frozen=True, slots=True)
class ParagraphScore:
    """One figure of one method.

    Attributes
    ----------
    method, figure : str
        `figure` is one of `FIGURES`.
    better : str
        `higher` or `lower`.
    value : float
        `nan` where undefined.
    numerator, denominator : float or None
        Of the value.
    chapters : int
        How many of them count: windows have no place in the shortest.
    interval : Interval or None
        By bootstrap over chapters; `None` of one chapter, or without resamples.
    difference, p : float or None
        The value less that of the first method, and the p of that; `None` of the first method.
    undefined : str
        Why the value is `nan`.

    """

    method: str
    figure: str
    better: str
    value: float
    numerator: float | None
    denominator: float | None
    chapters: int
    interval: Interval | None
    difference: float | None
    p: float | None
    undefined: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphScores:
    """The figures of all methods on the same chapters.

    Attributes
    ----------
    rows : tuple of ParagraphScore
        Method by method, each with all `FIGURES` in their order.
    methods : tuple of str
        The first is the one that the others are tested against.
    chapters, decisions, breaks : int
        The chapters, the sentences but the first of each, and how many of these start a paragraph.
    options : Sampling
        How intervals and tests were made.

    """

    rows: tuple[ParagraphScore, ...]
    methods: tuple[str, ...]
    chapters: int
    decisions: int
    breaks: int
    options: Sampling

    @property
    def resampled(self) -> bool:
        """Whether there are intervals and tests."""
        return bool(self.options.resamples) and self.chapters > 1

    def sampling_notes(self) -> list[str]:
        """Say what intervals and tests of few chapters are worth."""
        if not self.resampled:
            return []
        return self.options.few(self.chapters, "chapters", tested=len(self.methods) > 1)

    def value(self, method: str, figure: str) -> float:
        """Return one figure of one method; `KeyError` where there is none."""
        for row in self.rows:
            if (row.method, row.figure) == (method, figure):
                return row.value
        raise KeyError(f"{method}: {figure}")

    def signature(self) -> str:
        """Return every choice that changes a figure or an interval, and the version."""
        parts = ["paragraph-scores", "average:micro", f"chapters:{self.chapters}"]
        if self.resampled:
            parts += self.options.parts(tested=len(self.methods) > 1)
        return "|".join([*parts, f"bitext:{bitext.__version__}"])

    def caption(self) -> str:
        """Return what a reader of the table has to know."""
        plural = "" if self.chapters == 1 else "s"
        line = f"{self.chapters:,} chapter{plural}, {self.decisions:,} decisions, "
        line += f"{self.breaks:,} breaks, micro average"
        if self.resampled:
            line += (
                f"; {percent(self.options.level)} intervals: bootstrap of chapters, "
                f"{self.options.resamples:,} resamples, seed {self.options.seed}"
            )
        elif self.options.resamples:
            line += "; no intervals: one chapter"
        lines = [line]
        if self.resampled and len(self.methods) > 1:
            test = TEST_NAMES[self.options.test]
            lines.append(f"* p < 0.05, ** p < 0.01 against {self.methods[0]} ({test})")
        found = {row.figure: row.chapters for row in self.rows if row.chapters < self.chapters}
        for figure, chapters in found.items():
            lines.append(
                f"{figure}: {chapters:,} chapters, the others are too short for its windows"
            )
        lines.append(f"signature: {self.signature()}")
        return "\n".join(lines) + "\n"

    def table(self) -> Table:
        """Return the table for reading: a line a method, and its intervals below."""
        arrows = (f"{name} {'↓' if name in _LOWER else '↑'}" for name in FIGURES)
        table = Table(["method", *arrows])
        for method in self.methods:
            mine = [row for row in self.rows if row.method == method]
            table.rows.append([method, *map(_cell, mine)])
            if self.resampled:
                table.rows.append(["", *map(_ends, mine)])
        return table

    def flat_table(self) -> Table:
        """Return the table for programs: one figure a line, all digits, `-` where undefined."""
        head = ["method", "figure", "better", "value", "numerator", "denominator", "chapters"]
        table = Table([*head, "low", "high", "difference", "p", "signature"])
        signature = self.signature()
        for row in self.rows:
            numbers = (row.numerator, row.denominator)
            ends = row.interval or (None, None)
            table.rows.append(
                [
                    *(row.method, row.figure, row.better, exact(row.value)),
                    *("-" if found is None else exact(found) for found in numbers),
                    str(row.chapters),
                    *(
                        "-" if found is None else exact(found)
                        for found in (*ends, row.difference, row.p)
                    ),
                    signature,
                ]
            )
        return table

    def to_json(self) -> dict[str, Any]:
        """Return everything as members of JSON; undefined figures are `None`."""
        return {
            "schema": SCHEMA,
            "signature": self.signature(),
            "chapters": self.chapters,
            "decisions": self.decisions,
            "breaks": self.breaks,
            "baseline": self.methods[0],
            "rows": [_members(row) for row in self.rows],
        }


def score_paragraphs(
    golds: Sequence[Segmentation],
    predictions: Mapping[str, Sequence[Segmentation]],
    *,
    seed: int = 0,
    resamples: int = 10_000,
    level: float = 0.95,
    test: str = "randomisation",
) -> ParagraphScores:
    """Score the paragraphs that methods put into the same chapters.

    Parameters
    ----------
    golds : sequence of Segmentation
        The paragraphs of each chapter, over its sentences.
    predictions : mapping of str to sequence of Segmentation
        What each method made of them, in the same order. Others are tested against the first.
    seed, resamples, level : int, int, float
        Of the bootstrap over chapters and of the tests; 0 resamples leave both out.
    test : {"randomisation", "bootstrap"}
        How p is found.

    Raises
    ------
    InputError
        When there is no method or no chapter, or not one segmentation a chapter; when one is over
        another number of sentences than the gold standard.
    OptionError
        When an option has a value that is not allowed.

    Examples
    --------
    >>> from bitext.model import Segmentation
    >>> golds = [Segmentation([2, 3, 1]), Segmentation([1, 4])]
    >>> found = [Segmentation([2, 4]), Segmentation([1, 2, 2])]
    >>> scores = score_paragraphs(golds, {"a": found, "b": golds}, resamples=0)
    >>> print(scores.table().render("table"), end="")
    method  accuracy ↑  precision ↑  recall ↑  F1 ↑    A ↑     B ↑     WindowDiff ↓  Pk ↓
    ------  ----------  -----------  --------  ------  ------  ------  ------------  ------
    a       0.7778      0.6667       0.6667    0.6667  0.6667  0.5000  0.4286        0.4286
    b       1.0000      1.0000       1.0000    1.0000  1.0000  1.0000  0.0000        0.0000

    """
    options = Sampling(seed=seed, resamples=resamples, level=level, test=test)
    methods = tuple(predictions)
    gold, hyps = _laid(golds, predictions)
    found: dict[tuple[str, str], ParagraphScore] = {}
    for name in _METRICS:
        evaluation = SegmentEvaluation(
            systems=methods,
            metrics=[parse_metric(name)],
            references=[gold],
            hyps=hyps,
            options=options,
            refused="leave",
        )
        found.update(_scored(evaluation))
    order = [(method, figure) for method in methods for figure in FIGURES]
    return ParagraphScores(
        rows=tuple(found.get(place) or _refused(*place) for place in order),
        methods=methods,
        chapters=len(gold),
        decisions=int(gold.sizes.sum()) - len(gold),
        breaks=len(gold.masses) - len(gold),
        options=options,
    )


def _laid(
    golds: Sequence[Segmentation], predictions: Mapping[str, Sequence[Segmentation]]
) -> tuple[Segmentations, list[Segmentations]]:
    if not predictions:
        raise InputError("there is no method to score: want one or more")
    if not len(golds):
        raise InputError("there is no chapter to score: want one or more")
    ids = [str(k) for k in range(len(golds))]
    gold = Segmentations.of(dict(zip(ids, golds, strict=True)))
    hyps = []
    for method, found in predictions.items():
        if len(found) != len(golds):
            raise InputError(f"{method}: {len(found)} segmentations of {len(golds)} chapters")
        hyp = Segmentations.of(dict(zip(ids, found, strict=True)))
        wrong = (hyp.sizes != gold.sizes).nonzero()[0]
        if wrong.size:
            k = int(wrong[0])
            raise InputError(
                f"{method}: chapter {k} has paragraphs over {hyp.sizes[k]} sentences, and the gold "
                f"standard over {gold.sizes[k]}: want equal"
            )
        hyps.append(hyp)
    return gold, hyps


def _scored(evaluation: SegmentEvaluation) -> dict[tuple[str, str], ParagraphScore]:
    """Return the figures of one metric; none where all chapters are too short."""
    try:
        lost = evaluation.refusals()
    except SegmentationError:
        return {}
    left = len(evaluation.texts) - sum(len(texts) for texts in lost.values())
    against = {(d.system, d.metric): d for d in evaluation.differences()}
    names = {label: figure for figure, label in FIGURES.items()}
    out = {}
    for row in evaluation.rows(averages=("micro",), texts=False):
        other = against.get((row.system, row.metric))
        out[row.system, names[row.metric]] = ParagraphScore(
            method=row.system,
            figure=names[row.metric],
            better=row.better,
            value=row.value,
            numerator=row.numerator,
            denominator=row.denominator,
            chapters=left,
            interval=row.interval,
            difference=other.value if other else None,
            p=other.p if other else None,
            undefined=row.undefined,
        )
    return out


def _refused(method: str, figure: str) -> ParagraphScore:
    return ParagraphScore(
        method=method,
        figure=figure,
        better="lower" if figure in _LOWER else "higher",
        value=float("nan"),
        numerator=None,
        denominator=None,
        chapters=0,
        interval=None,
        difference=None,
        p=None,
        undefined="all chapters are too short",
    )


def _cell(row: ParagraphScore) -> str:
    p = 1.0 if row.p is None else row.p
    return number(row.value) + next((mark for limit, mark in MARKS if p < limit), "")


def _ends(row: ParagraphScore) -> str:
    return "" if row.interval is None else between(*row.interval)


def _members(row: ParagraphScore) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: defined(value) if isinstance(value, float) else value
        for name, value in asdict(row).items()
    }
    found["interval"] = None if row.interval is None else [defined(end) for end in row.interval]
    found["undefined"] = row.undefined or None
    return found
