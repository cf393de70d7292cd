"""One segmentation against several references: averages of any metric, and WiSeBE.

There are four ways to combine several references: the mean of the scores against each; the best
score; one reference of the boundaries that most references have; and one of the boundaries that any
reference has. WiSeBE is a fifth.

Every function takes one text (a list of references and a segmentation) or a corpus (a list of lists
and a list), whose texts are compared in one pass over the arrays. A metric is one of the registry,
or its name as the command line writes it: `window-diff(k=5)`.

For WiSeBE the references are laid over each other: position j has d_j votes of m references. Nearby
positions with votes make a *window*, in which the references agree on a boundary but not on its
position. A candidate boundary inside a window is right, and the score is the F1 of windows times
the agreement of the references (González-Gallardo and Torres-Moreno 2018).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import nan
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.kernels.arrays import Bools, Floats, Ints, divided, prefix
from bitext.metrics.coder_counts import Agreement, Votes, count_votes
from bitext.metrics.registry import Metric, is_number, metric, parse_metric, whole
from bitext.metrics.segmentation import Pairs
from bitext.metrics.significance import FIGURES, figures
from bitext.model import Counts, CountsTable, Ratio, Ratios, Segmentation

if TYPE_CHECKING:
    Boundaries: TypeAlias = Segmentation | Collection[int]

Figure = Literal["precision", "recall", "f1"]
Recall = Literal["union", "votes"]
References: TypeAlias = Sequence[Segmentation] | Sequence[Sequence[Segmentation]]
Hypotheses: TypeAlias = Segmentation | Sequence[Segmentation]
Measure: TypeAlias = Metric[..., Any] | str


class BestReference(NamedTuple):
    """The reference with the best score."""

    reference: int  # its index, from 0
    score: Ratio | Counts  # the score against this reference


class _Texts(NamedTuple):
    """Texts with their references and hypotheses; `single` for one text given by itself."""

    references: list[list[Segmentation]]
    hyps: list[Segmentation]
    single: bool

    @property
    def ptr(self) -> Ints:
        """Text t has the references `ptr[t]` to `ptr[t + 1]`, of those of all texts."""
        return prefix(np.array([len(row) for row in self.references], dtype=np.int64))

    def votes(self) -> Votes:
        """Count the references that have each boundary."""
        return general_reference([[each.boundaries for each in row] for row in self.references])


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
        The sum of the scores over their number, without undefined scores; `nan` if all are
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
    undefined score is the best only when all are undefined. Parameters and errors are as in
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
    row = _row(references, "")
    if not isinstance(row[0], Segmentation):
        raise InputError(f"reference 0 is {row[0]!r:.40}: want a Segmentation")
    return _majorities(_texts(row, row[0]), share)[0]


def majority_reference(
    metric: Measure, references: References, hyp: Hypotheses, *, share: float = 0.5, **options: Any
) -> Any:
    """Score against the segmentation of the boundaries that most references have.

    Parameters and errors are as in `mean_over_references` and `majority`. Returns the score of the
    metric, or those of a corpus.

    Examples
    --------
    >>> references = [Segmentation([2, 4]), Segmentation([2, 4]), Segmentation([3, 3])]
    >>> majority_reference("alignment-similarity", references, Segmentation([2, 4])).value
    1.0

    """
    texts = _texts(references, hyp)
    named, all_options = _named(metric, options)
    first = None if texts.single else 0
    scores = named.pairs(
        Pairs.of(_majorities(texts, share), texts.hyps, first=first), **all_options
    )
    return scores[0] if texts.single else scores


def any_reference(
    references: References, hyp: Hypotheses, *, tolerance: int = 0, recall: Recall = "union"
) -> Counts | CountsTable:
    """Precision and recall of boundaries, where a boundary is right if any reference has it.

    Parameters
    ----------
    references, hyp
        As in `mean_over_references`.
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
        As in `mean_over_references`.
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


def _near(places: Ints, others: Ints, tolerance: int) -> Bools:
    """Mask the places with another place within the tolerance; both arrays ascend."""
    first = np.searchsorted(others, places - tolerance)
    last = np.searchsorted(others, places + tolerance, side="right")
    return last > first


def _texts(references: References, hyp: Hypotheses) -> _Texts:
    single = isinstance(hyp, Segmentation)
    if not single and not isinstance(hyp, Iterable):
        raise InputError(f"the hypothesis is {hyp!r:.40}: want a Segmentation, or a list of them")
    if not single and not isinstance(references, Iterable):
        raise InputError(f"the references are {references!r:.40}: want a list for each text")
    rows: list[Any] = [references] if single else list(references)
    hyps = [hyp] if isinstance(hyp, Segmentation) else list(hyp)
    if len(rows) != len(hyps):
        raise InputError(
            f"{len(rows)} lists of references and {len(hyps)} segmentations: want as many"
        )
    for t, (row, side) in enumerate(zip(rows, hyps, strict=True)):
        where = "" if single else f"text {t}: "
        rows[t] = _row(row, where)
        for k, reference in enumerate((side, *rows[t]), start=-1):
            if not isinstance(reference, Segmentation):
                name = "the hypothesis" if k < 0 else f"reference {k}"
                raise InputError(f"{where}{name} is {reference!r:.40}: want a Segmentation")
            if reference.n != side.n:
                raise InputError(
                    f"{where}reference {k} has {reference.n} units and the hypothesis {side.n}: "
                    f"want segmentations of the same units"
                )
    return _Texts(rows, hyps, single)


def _row(references: Any, where: str) -> list[Any]:
    """Return references as a list, of one or more."""
    is_list = isinstance(references, Iterable) and not isinstance(
        references, Segmentation | Mapping | str
    )
    row = list(references) if is_list else []
    if not row:
        raise InputError(f"{where}want a list of references, of one or more")
    return row


def _majorities(texts: _Texts, share: float) -> list[Segmentation]:
    if not is_number(share) or not 0 <= share < 1:
        raise OptionError(f"share is {share!r}: want a share from 0 to below 1")
    part = Fraction(float(share)).limit_denominator(1_000_000)
    votes = texts.votes()
    out = []
    for t, (row, side) in enumerate(zip(texts.references, texts.hyps, strict=True)):
        places = slice(votes.ptr[t], votes.ptr[t + 1])
        is_majority = votes.votes[places] * part.denominator > part.numerator * len(row)
        bounds = np.concatenate([[0], votes.positions[places][is_majority], [side.n]])
        out.append(Segmentation(np.diff(bounds)))
    return out


def _named(metric: Measure, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
    all_options = options or {}
    if isinstance(metric, str):
        named = parse_metric(metric)
        metric, all_options = named.metric, {**named.options, **all_options}
    if not isinstance(metric, Metric) or metric.over != "segmentation":
        raise OptionError(f"{metric!r:.60} is not a metric over pairs of segmentations: want one")
    metric.check_options(all_options)
    return metric, all_options


def _each(metric: Measure, texts: _Texts, options: dict[str, Any]) -> Any:
    named, all_options = _named(metric, options)
    golds = [reference for row in texts.references for reference in row]
    hyps = [side for row, side in zip(texts.references, texts.hyps, strict=True) for _ in row]
    return named.pairs(Pairs.of(golds, hyps), **all_options)


def _values(scores: Ratios | CountsTable, figure: Figure) -> Floats:
    if figure not in FIGURES:
        raise OptionError(f"figure is {figure!r}: want one of {', '.join(FIGURES)}")
    if isinstance(scores, CountsTable):
        return np.asarray(figures(scores.counts.astype(np.float64))[..., FIGURES.index(figure)])
    return scores.values


# WiSeBE: a segmentation against several references that disagree.


class Window(NamedTuple):
    """A run of positions with votes."""

    first: int  # the first position inside
    last: int  # the last position inside
    votes: int  # the sum of the votes of its positions
    candidates: int  # the number of boundaries of the candidate inside


@dataclass(frozen=True, slots=True)
class WisebeScore:
    """The score of a candidate, with its parts.

    Attributes
    ----------
    votes : dict of int to int
        The general reference: the number of references with a boundary, by position.
    windows : tuple of Window
        The windows in order. A window is hit when it has candidates.
    inside : dict of int to (int or None)
        The index of the window around each candidate boundary, or `None`.
    agreement : Ratio
        The agreement ratio: the votes at positions with two or more, over m times the positions.
    counts : Counts
        `hits` of `proposed` candidate boundaries lie in a window, and `found` of `expected`
        windows are hit: precision, recall and F1.
    kappa : Agreement
        Fleiss' kappa of the references, over all n words, each with or without a boundary after.

    """

    votes: dict[int, int]
    windows: tuple[Window, ...]
    inside: dict[int, int | None]
    agreement: Ratio
    counts: Counts
    kappa: Agreement

    @property
    def value(self) -> float:
        """The agreement ratio times F1; 0 if the candidate has no boundary or hits no window."""
        return self.numerator / self.denominator

    @property
    def numerator(self) -> float:
        """The numerator of the value as a fraction, which does not pool over texts."""
        return self.agreement.numerator * 2 * self.counts.hits * self.counts.found

    @property
    def denominator(self) -> float:
        """The denominator of the fraction; never 0."""
        hits, found = self.counts.hits, self.counts.found
        below = hits * self.counts.expected + found * self.counts.proposed
        return self.agreement.denominator * (below or 1)

    @property
    def precision(self) -> float:
        """The share of candidate boundaries inside a window; 0 without candidate boundaries."""
        return self.counts.precision if self.counts.proposed else 0.0

    @property
    def recall(self) -> float:
        """The share of hit windows."""
        return self.counts.recall

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if both are 0."""
        return self.counts.f1

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return (
            f"<WisebeScore {self.value:.4f}: F1 {self.f1:.4f}, "
            f"agreement ratio {self.agreement.value:.4f}>"
        )


def _wisebe_many(
    references: Sequence[Sequence[Boundaries]],
    candidates: Sequence[Boundaries],
    *,
    limit: int = 3,
    n: int | None = None,
    closing: bool = False,
) -> list[WisebeScore]:
    limit = whole("limit", limit, "words")
    n = None if n is None else whole("n", n, "words", least=1)
    if len(references) != len(candidates):
        raise InputError(
            f"{len(references)} lists of references and {len(candidates)} candidates: want as many"
        )
    texts = len(references)
    families, proposed, sizes = [], [], []
    for t, (family, candidate) in enumerate(zip(references, candidates, strict=True)):
        where = f"text {t}: " if texts > 1 else ""
        family = _row(family, where)
        units = _units([*family, candidate], n, where)
        sizes.append(units)
        families.append(
            [_positions(r, units, f"{where}reference {k}") for k, r in enumerate(family)]
        )
        proposed.append(_positions(candidate, units, f"{where}the candidate"))
        if all(isinstance(side, list | tuple) for side in (*family, candidate)):
            _refuse_masses([*families[-1], proposed[-1]], n, where)
        # With `closing`, the end of the text is a boundary of everybody.
        if closing:
            if units is None:
                raise InputError(f"{where}closing wants to know where the text ends: give n")
            families[-1] = [np.append(positions, units) for positions in families[-1]]
            proposed[-1] = np.append(proposed[-1], units)
    votes = general_reference(families)
    empty = np.flatnonzero(np.diff(votes.ptr) == 0)
    if empty.size:
        where = f"text {empty[0]}: " if texts > 1 else ""
        raise InputError(
            f"{where}no reference has a boundary, so there is nothing to score against: "
            f"want one or more, or the text left out"
        )
    return _score(votes, families, proposed, limit, sizes) if texts else []


@metric(
    "wisebe",
    over="coders",
    better="higher",
    source="González-Gallardo and Torres-Moreno 2018",
    many=_wisebe_many,
)
def wisebe(
    references: Sequence[Boundaries],
    candidate: Boundaries,
    *,
    limit: int = 3,
    n: int | None = None,
    closing: bool = False,
) -> WisebeScore:
    """WiSeBE: F1 over windows of several references, times the agreement of the references.

    Between 0 and 1; higher is better. 1 only when all references agree on every boundary and the
    candidate has the same boundaries, or others within their windows.

        agreement ratio = sum of d_j over positions with d_j >= 2 / (m x positions with d_j > 0)
        precision       = candidate boundaries inside a window / candidate boundaries
        recall          = windows with a candidate boundary / windows
        value           = agreement ratio x F1

    Windows chain: a position with votes joins the current window when it lies at most `limit` units
    after the *previous position with votes*; otherwise it opens the next window. A candidate
    boundary is inside a window from its first to its last position, both included.

    Parameters
    ----------
    references : list of Segmentation or of sets of int
        References of the same text; a set has the positions of the boundaries, without the final
        one.
    candidate : Segmentation or set of int
        The segmentation to score.
    limit : int
        The greatest distance between neighbours in a window, in units (words).
    n : int, optional
        The number of units, for sets of positions, which then must be between 1 and n - 1. Only
        with it is there a kappa.
    closing : bool
        Whether the boundary at the end of the text counts, which all references and the candidate
        have; its position is n.

    Returns
    -------
    WisebeScore
        `value`; `agreement`, `counts`, `kappa`, `votes`, `windows`, `inside`. 0 when the
        candidate has no boundary or none in a window, and for a single reference, which never
        has two votes.

    Raises
    ------
    InputError
        When there is no reference, no reference has a boundary (as in a text of one unit),
        segmentations differ in their units, or positions in a list do not ascend.
    OptionError
        When `limit` is not a whole number from 0.

    Notes
    -----
    **Source**: C.-E. González-Gallardo and J.-M. Torres-Moreno, WiSeBE: window-based sentence
    boundary evaluation, MICAI 2018, and the authors' program.

    **Departures**: the final boundary of a text, on which all references and candidates agree, is
    not counted, as in the tables of the paper; the program counts it, and so does `closing`.
    Precision counts candidate boundaries and recall
    counts windows, as in the program: two boundaries in one window are both right, and hit one
    window.

    **Cost**: the sort of the boundaries, whatever n.

    Examples
    --------
    >>> result = wisebe([{5, 20}, {6, 20}, {5, 30}], {6, 25}, n=40)
    >>> result.windows[0], len(result.windows)
    (Window(first=5, last=6, votes=3, candidates=1), 3)
    >>> result.agreement.value, result.precision, round(result.recall, 4)
    (0.3333333333333333, 0.5, 0.3333)
    >>> round(result.value, 4)
    0.1333

    With the boundary at the end, there is one more vote of all three, and a fourth window:

    >>> result = wisebe([{5, 20}, {6, 20}, {5, 30}], {6, 25}, n=40, closing=True)
    >>> result.agreement, round(result.f1, 4)
    (<Ratio: 0.4667 (7/15)>, 0.5714)

    """
    return _wisebe_many([references], [candidate], limit=limit, n=n, closing=closing)[0]


def general_reference(families: Sequence[Sequence[Ints]]) -> Votes:
    """Count the votes of the references of each text, given by their positions."""
    count = sum(map(len, families))
    lengths = np.fromiter((b.size for row in families for b in row), dtype=np.int64, count=count)
    text = np.repeat(np.arange(len(families)), list(map(len, families)))
    flat = [b for row in families for b in row]
    positions = np.concatenate([np.zeros(0, dtype=np.int64), *flat])
    return count_votes(np.repeat(text, lengths), positions, len(families))


def _score(
    votes: Votes,
    families: Sequence[Sequence[Ints]],
    proposed: Sequence[Ints],
    limit: int,
    sizes: Sequence[int | None],
) -> list[WisebeScore]:
    """Score all texts on one line, too far apart for windows to touch."""
    texts = len(families)
    text = np.repeat(np.arange(texts), np.diff(votes.ptr))
    opens = np.ones(text.size, dtype=bool)
    opens[1:] = (np.diff(text) != 0) | (np.diff(votes.positions) > limit)
    at = np.flatnonzero(opens)
    first, last = votes.positions[at], votes.positions[np.append(at[1:], text.size) - 1]
    weight = np.diff(prefix(votes.votes)[np.append(at, text.size)])
    ends = prefix(np.bincount(text[at], minlength=texts))  # windows by text

    lengths = np.fromiter(map(len, proposed), dtype=np.int64, count=texts)
    of = np.repeat(np.arange(texts), lengths)
    candidates = np.concatenate([np.zeros(0, dtype=np.int64), *proposed])
    reach = max(last.max(initial=0), candidates.max(initial=0)) + 1
    window = np.searchsorted(text[at] * reach + first, of * reach + candidates, side="right") - 1
    into = (window >= ends[of]) & (candidates <= last[np.maximum(window, 0)])
    hits = np.bincount(window[into], minlength=at.size)

    inner, cuts = np.where(into, window - ends[of], -1).tolist(), prefix(lengths).tolist()
    windows = list(map(Window._make, np.stack([first, last, weight, hits], axis=1).tolist()))
    right = np.bincount(of[into], minlength=texts).tolist()
    hit = np.diff(prefix((hits > 0).astype(np.int64))[ends]).tolist()
    agreed = votes.sums(np.where(votes.votes > 1, votes.votes, 0)).tolist()
    positions, vote_counts = votes.positions.tolist(), votes.votes.tolist()
    out = []
    for t, candidate in enumerate(proposed):
        places = slice(*votes.ptr[t : t + 2].tolist())
        text_windows = windows[slice(*ends[t : t + 2].tolist())]
        lies = inner[cuts[t] : cuts[t + 1]]
        references = len(families[t])
        out.append(
            WisebeScore(
                dict(zip(positions[places], vote_counts[places], strict=True)),
                tuple(text_windows),
                {b: None if w < 0 else w for b, w in zip(candidate.tolist(), lies, strict=True)},
                Ratio(agreed[t], references * (places.stop - places.start)),
                Counts(right[t], len(lies), len(text_windows), hit[t]),
                kappa_of_votes(votes.votes[places], references, sizes[t]),
            )
        )
    return out


def kappa_of_votes(votes: Ints, references: int, n: int | None) -> Agreement:
    """Return Fleiss' kappa of references over n words, from the votes at positions with any.

    All references agree on the last word: on a boundary after it if votes have one, else on none.
    """
    if references < 2 or n is None:
        reason = "one reference" if references < 2 else "the number of units is not known"
        return Agreement(nan, nan, reason)
    apart = int((votes * (references - votes)).sum())
    observed, chance = _agreed(int(votes.sum()), apart, references, n)
    return Agreement(observed, chance, "" if chance != 1 else "no reference has a boundary")


def kappas_of_votes(votes: Votes, references: int, sizes: Ints, *, closing: bool = False) -> Floats:
    """Return the kappa of each text, `sizes` its number of words; `nan` if undefined.

    With `closing`, all references have a boundary after the last word, besides the votes.
    """
    apart = votes.sums(votes.votes * (references - votes.votes))
    boundary_votes = votes.sums(votes.votes) + references * int(closing)
    observed, chance = _agreed(boundary_votes, apart, references, sizes)
    return divided(observed - chance, 1 - chance)


def _agreed(boundary_votes: Any, apart: Any, references: int, n: Any) -> tuple[Any, Any]:
    """Return observed agreement and agreement by chance, for one text or for each of several.

    `boundary_votes` is the number of votes, `apart` the pairs of references that differ.
    """
    pairs = n * references * (references - 1)
    share = boundary_votes / (n * references)
    return (pairs - 2 * apart) / pairs, share * share + (1 - share) * (1 - share)


def _units(sides: Sequence[Boundaries], n: int | None, where: str) -> int | None:
    """Return the number of units, if known; refuse more than one."""
    sizes = {side.n for side in sides if isinstance(side, Segmentation)}
    if n is not None:
        sizes.add(n)
    if len(sizes) > 1:
        raise InputError(
            f"{where}found {' and '.join(map(str, sorted(sizes)))} units: want references and a "
            f"candidate of the same units"
        )
    return next(iter(sizes), None)


def _refuse_masses(lists: Sequence[Ints], n: int | None, where: str) -> None:
    """Refuse lists that are rather masses: different ones with one sum, the number of units."""
    sums = {int(each.sum()) for each in lists}
    if len(sums) == 1 and n in {None, *sums} and len({each.tobytes() for each in lists}) > 1:
        raise InputError(
            f"{where}has lists that all have the sum {sums.pop()}, as masses of one text do: give "
            f"masses as Segmentation([5, 5, 1, 3]), and positions of boundaries as a set"
        )


def _positions(side: Boundaries, n: int | None, where: str) -> Ints:
    """Return the positions of the boundaries, ascending."""
    if isinstance(side, Segmentation):
        return side.boundaries
    try:
        given = list(side)
        positions = np.array(sorted(given))
    except (TypeError, ValueError):
        raise InputError(
            f"{where} is {side!r:.60}: want a Segmentation or a set of positions"
        ) from None
    whole_numbers = positions.ndim == 1 and (not positions.size or positions.dtype.kind in "iu")
    if isinstance(side, str | bytes) or not whole_numbers:
        raise InputError(f"{where} is {side!r:.60}: want a Segmentation or a set of positions")
    positions = positions.astype(np.int64)
    if not isinstance(side, AbstractSet) and given != positions.tolist():
        raise InputError(
            f"{where} is {side!r:.60}, and positions of boundaries ascend: want a set of positions "
            f"(masses: Segmentation([5, 5, 1, 3]))"
        )
    twice = np.flatnonzero(np.diff(positions) == 0)
    if twice.size:
        raise InputError(f"{where} has position {positions[twice[0]]} twice: want each once")
    low, high = (0, None) if n is None else (1, n - 1)
    if positions.size and (positions[0] < low or (high is not None and positions[-1] > high)):
        wrong = positions[0] if positions[0] < low else positions[-1]
        allowed_range = "0 or more" if high is None else f"1 to {high}, the final boundary left out"
        raise InputError(f"{where} has a boundary at {wrong}: want positions {allowed_range}")
    return positions
