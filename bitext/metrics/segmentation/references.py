"""One segmentation against several references, by any metric of segmentations.

There are four ways to combine several references: the mean of the scores against each; the best
score; one reference of the boundaries that most references have; and one of the boundaries that any
reference has. `bitext.metrics.segmentation.wisebe` is a fifth.

Every function takes one text (a list of references and a segmentation) or a corpus (a list of lists
and a list), whose texts are compared in one pass over the arrays. A metric is one of the registry,
or its name as the command line writes it: `window-diff(k=5)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.kernels.rows import prefix
from bitext.metrics.coder_counts import count_votes
from bitext.metrics.registry import Metric, whole
from bitext.metrics.segmentation.pairs import Pairs
from bitext.metrics.significance import FIGURES, figures
from bitext.model import Counts, CountsTable, Ratio, Ratios, Segmentation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.metrics.coder_counts import Votes

__all__ = [
    "BestReference",
    "any_reference",
    "best_reference",
    "majority",
    "majority_reference",
    "mean_over_references",
]

Figure = Literal["precision", "recall", "f1"]
Recall = Literal["union", "votes"]
References: TypeAlias = Sequence[Segmentation] | Sequence[Sequence[Segmentation]]
Hypotheses: TypeAlias = Segmentation | Sequence[Segmentation]
Measure: TypeAlias = Metric[..., Any] | str


class BestReference(NamedTuple):
    """The reference with the best score.

    Attributes
    ----------
    reference : int
        Its index, from 0.
    score : Ratio or Counts
        The score against this reference.

    """

    reference: int
    score: Ratio | Counts


class _Texts(NamedTuple):
    """Texts with their references and hypotheses; `single` for one text given by itself."""

    references: list[list[Segmentation]]
    hyps: list[Segmentation]
    single: bool

    @property
    def ptr(self) -> NDArray[np.int64]:
        """Text t has the references `ptr[t]` to `ptr[t + 1]`, of those of all texts."""
        return prefix(np.array([len(row) for row in self.references], dtype=np.int64))

    def votes(self) -> Votes:
        """Count the references that have each boundary."""
        flat = [reference.boundaries for row in self.references for reference in row]
        lengths = [boundaries.size for boundaries in flat]
        text = np.repeat(np.arange(len(self.hyps)), np.diff(self.ptr))
        positions = np.concatenate([np.zeros(0, dtype=np.int64), *flat])
        return count_votes(np.repeat(text, lengths), positions, len(self.hyps))


def mean_over_references(
    metric: Measure,
    references: References,
    hyp: Hypotheses,
    *,
    figure: Figure = "f1",
    **options: Any,
) -> Ratio | Ratios:
    """The mean of the scores against each reference.

    Parameters
    ----------
    metric : Metric or str
        A metric over segmentations.
    references : list of Segmentation, or a list of such lists
        The references of the text, or of each text.
    hyp : Segmentation, or list of Segmentation
        The segmentation to score, or one a text.
    figure : {"precision", "recall", "f1"}
        The figure to average, of a metric with counts.
    **options
        Options of the metric.

    Returns
    -------
    Ratio, or Ratios for a corpus
        The sum of the scores over their number, without undefined scores; `nan` where all are
        undefined. Pooled over a corpus, all scores against references have the same weight.

    Raises
    ------
    InputError
        When a text has no reference, or segmentations of a text differ in their units.
    OptionError
        When the metric or an option is not known.

    Examples
    --------
    >>> from bitext.metrics.segmentation.segment_alignment import alignment_similarity
    >>> references = [Segmentation([2, 4]), Segmentation([3, 3])]
    >>> mean_over_references(alignment_similarity, references, Segmentation([3, 3])).value
    0.8541666666666666

    """
    texts = _texts(references, hyp)
    values = _values(_each(metric, texts, options), figure)
    known = ~np.isnan(values)
    of = np.repeat(np.arange(len(texts.hyps)), np.diff(texts.ptr))
    means = Ratios(
        np.bincount(of, np.where(known, values, 0.0), minlength=len(texts.hyps)),
        np.bincount(of[known], minlength=len(texts.hyps)),
        reason="the metric is undefined against every reference",
    )
    return means[0] if texts.single else means


def best_reference(
    metric: Measure,
    references: References,
    hyp: Hypotheses,
    *,
    figure: Figure = "f1",
    **options: Any,
) -> BestReference | list[BestReference]:
    """The reference with the best score, the first of equal ones, and this score.

    The best score is the highest or the lowest, by the direction of the metric. A reference with an
    undefined score is the best only when all are undefined. Parameters and errors are as of
    `mean_over_references`.

    Examples
    --------
    >>> references = [Segmentation([2, 4]), Segmentation([3, 3])]
    >>> best_reference("alignment-similarity", references, Segmentation([3, 3])).reference
    1

    """
    texts = _texts(references, hyp)
    scores = _each(metric, texts, options)
    sign = 1.0 if _named(metric)[0].better == "higher" else -1.0
    values = np.nan_to_num(sign * _values(scores, figure), nan=-np.inf)
    out = []
    ends = texts.ptr.tolist()
    for begin, end in pairwise(ends):
        best = int(np.argmax(values[begin:end]))
        out.append(BestReference(best, scores[begin + best]))
    return out[0] if texts.single else out


def majority(references: Sequence[Segmentation], *, share: float = 0.5) -> Segmentation:
    """Return the boundaries that more than a share of the references have, as a segmentation.

    Parameters
    ----------
    references : list of Segmentation
        Segmentations of the same text.
    share : float
        A share from 0, for the boundaries that any reference has, to below 1. It is rounded to the
        simplest near fraction, so that 2/3 of three references are exactly two.

    Raises
    ------
    InputError
        When there is no reference, or the references differ in their units.
    OptionError
        When the share is not from 0 to below 1.

    Examples
    --------
    >>> majority([Segmentation([2, 4]), Segmentation([2, 1, 3]), Segmentation([3, 3])])
    Segmentation([2, 1, 3])
    >>> majority([Segmentation([2, 4]), Segmentation([3, 3])])
    Segmentation([6])

    """
    if isinstance(references, Segmentation) or not len(references):
        raise InputError("want a list of references, of one or more")
    return _majorities(_texts(references, references[0]), share)[0]


def majority_reference(
    metric: Measure,
    references: References,
    hyp: Hypotheses,
    *,
    share: float = 0.5,
    **options: Any,
) -> Any:
    """Score against the segmentation of the boundaries that most references have.

    Parameters and errors are as of `mean_over_references` and `majority`. Returns the score of the
    metric, or those of a corpus.

    Examples
    --------
    >>> references = [Segmentation([2, 4]), Segmentation([2, 4]), Segmentation([3, 3])]
    >>> majority_reference("alignment-similarity", references, Segmentation([2, 4])).value
    1.0

    """
    texts = _texts(references, hyp)
    named, given = _named(metric, options)
    first = None if texts.single else 0
    scores = named.pairs(Pairs.of(_majorities(texts, share), texts.hyps, first=first), **given)
    return scores[0] if texts.single else scores


def any_reference(
    references: References,
    hyp: Hypotheses,
    *,
    tolerance: int = 0,
    recall: Recall = "union",
) -> Counts | CountsTable:
    """Precision and recall of boundaries, where a boundary is right if any reference has it.

    Parameters
    ----------
    references, hyp
        As of `mean_over_references`.
    tolerance : int
        The greatest distance of a boundary that is right, in units. Boundaries are not matched one
        to one: each is compared with the nearest boundary of the other side.
    recall : {"union", "votes"}
        The expected boundaries: each position at which any reference has a boundary, once; or each
        boundary of each reference, so that a position weighs the number of references with it.

    Returns
    -------
    Counts, or CountsTable for a corpus
        `hits` of `proposed` boundaries of the hypothesis are right, and `found` of `expected`
        boundaries are in the hypothesis. Ratios are `nan` where nothing is proposed or expected, as
        in a text of one unit.

    Raises
    ------
    InputError
        As of `mean_over_references`.
    OptionError
        When `tolerance` or `recall` has a value that is not allowed.

    Notes
    -----
    **Departures**: papers that count a boundary as right if any annotator has it define precision
    alone. With recall over the union, F1 compares two sets; the union includes boundaries that a
    single reference has, so precision is lenient and recall strict.

    Examples
    --------
    >>> references = [Segmentation([2, 4]), Segmentation([2, 2, 2])]
    >>> result = any_reference(references, Segmentation([2, 1, 3]))
    >>> result.precision, result.recall
    (0.5, 0.5)
    >>> round(any_reference(references, Segmentation([2, 1, 3]), recall="votes").recall, 4)
    0.6667

    """
    tolerance = whole("tolerance", tolerance, "units")
    if not isinstance(recall, str) or recall not in {"union", "votes"}:
        raise OptionError(f"recall is {recall!r}: want union or votes")
    texts = _texts(references, hyp)
    votes = texts.votes()
    count = len(texts.hyps)
    of_vote = np.repeat(np.arange(count), np.diff(votes.ptr))
    sizes = [side.boundaries for side in texts.hyps]
    of_hyp = np.repeat(np.arange(count), [side.size for side in sizes])
    # All texts on one line, too far apart for a boundary to be near one of another text.
    longest = max((side.n for side in texts.hyps), default=0)
    tolerance = min(tolerance, longest)
    stride = longest + tolerance + 1
    expected = of_vote * stride + votes.positions
    proposed = of_hyp * stride + np.concatenate([np.zeros(0, dtype=np.int64), *sizes])
    right, matched = _near(proposed, expected, tolerance), _near(expected, proposed, tolerance)
    weight = votes.votes if recall == "votes" else np.ones_like(votes.votes)
    columns = [
        np.bincount(of_hyp[right], minlength=count),
        np.bincount(of_hyp, minlength=count),
        votes.sums(weight),
        votes.sums(np.where(matched, weight, 0)),
    ]
    table = CountsTable(np.stack(columns, axis=1))
    return table[0] if texts.single else table


def _near(
    places: NDArray[np.int64], others: NDArray[np.int64], tolerance: int
) -> NDArray[np.bool_]:
    """Mask the places with another place within the tolerance; both arrays ascend."""
    first = np.searchsorted(others, places - tolerance)
    last = np.searchsorted(others, places + tolerance, side="right")
    return last > first


def _texts(references: References, hyp: Hypotheses) -> _Texts:
    single = isinstance(hyp, Segmentation)
    rows: list[Any] = [references] if single else list(references)
    hyps = [hyp] if isinstance(hyp, Segmentation) else list(hyp)
    if len(rows) != len(hyps):
        raise InputError(
            f"{len(rows)} lists of references and {len(hyps)} segmentations: want as many"
        )
    for t, (row, side) in enumerate(zip(rows, hyps, strict=True)):
        where = "" if single else f"text {t}: "
        if isinstance(row, Segmentation) or not len(row):
            raise InputError(f"{where}want a list of references, of one or more")
        for k, reference in enumerate((side, *row), start=-1):
            if not isinstance(reference, Segmentation):
                name = "the hypothesis" if k < 0 else f"reference {k}"
                raise InputError(f"{where}{name} is {reference!r:.40}: want a Segmentation")
            if reference.n != side.n:
                raise InputError(
                    f"{where}reference {k} has {reference.n} units and the hypothesis {side.n}: "
                    f"want segmentations of the same units"
                )
    return _Texts([list(row) for row in rows], hyps, single)


def _majorities(texts: _Texts, share: float) -> list[Segmentation]:
    if not isinstance(share, int | float) or not 0 <= share < 1:
        raise OptionError(f"share is {share!r}: want a share from 0 to below 1")
    part = Fraction(share).limit_denominator(1_000_000)
    votes = texts.votes()
    out = []
    for t, (row, side) in enumerate(zip(texts.references, texts.hyps, strict=True)):
        places = slice(votes.ptr[t], votes.ptr[t + 1])
        many = votes.votes[places] * part.denominator > part.numerator * len(row)
        bounds = np.concatenate([[0], votes.positions[places][many], [side.n]])
        out.append(Segmentation(np.diff(bounds)))
    return out


def _named(metric: Measure, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
    """Return a metric and its options."""
    given = options or {}
    if isinstance(metric, str):
        from bitext.metrics.registry import parse_metric

        named = parse_metric(metric)
        metric, given = named.metric, {**named.options, **given}
    if not isinstance(metric, Metric) or metric.over != "segmentation":
        raise OptionError(f"{metric!r:.60} is not a metric over pairs of segmentations: want one")
    unknown = sorted(set(given) - set(metric.options))
    if unknown:
        known = ", ".join(metric.options) or "none"
        raise OptionError(f"{metric.name} has no option {unknown[0]!r}: its options are {known}")
    return metric, given


def _each(metric: Measure, texts: _Texts, options: dict[str, Any]) -> Any:
    """Return the scores of all texts against each of their references."""
    named, given = _named(metric, options)
    golds = [reference for row in texts.references for reference in row]
    hyps = [side for row, side in zip(texts.references, texts.hyps, strict=True) for _ in row]
    return named.pairs(Pairs.of(golds, hyps), **given)


def _values(scores: Ratios | CountsTable, figure: Figure) -> NDArray[np.float64]:
    if figure not in FIGURES:
        raise OptionError(f"figure is {figure!r}: want one of {', '.join(FIGURES)}")
    if isinstance(scores, CountsTable):
        return np.asarray(figures(scores.counts.astype(np.float64))[..., FIGURES.index(figure)])
    return scores.values
