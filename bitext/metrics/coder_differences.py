"""Where coders differ: the agreement of each pair of coders, and the places of disagreement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import isnan, nan
from typing import Any, NamedTuple, cast

from bitext.errors import OptionError, SegmentationError
from bitext.metrics.agreement import CHANCE, agreement_interval
from bitext.metrics.evaluation import Sampling
from bitext.metrics.evaluation.segmentations import SegmentEvaluation
from bitext.metrics.registry import NamedMetric, parse_metric, split_items
from bitext.metrics.significance import Interval
from bitext.model import Segmentation
from bitext.model.segmentation import Segmentations


@dataclass(frozen=True, slots=True)
class CodedTexts:
    """Texts and their segmentations by several coders, of whom each may lack some."""

    coders: tuple[str, ...]  # their names
    texts: tuple[str, ...]  # their names
    # Of each text, one segmentation a coder; two or more are there.
    codings: tuple[tuple[Segmentation | None, ...], ...]
    read_by: tuple[str, ...] = ()  # the choices of units, segments and labels, for signatures

    @property
    def counts(self) -> list[int]:
        """The number of coders of each text."""
        return [sum(coding is not None for coding in row) for row in self.codings]

    @property
    def complete(self) -> list[tuple[Segmentation | None, ...]]:
        """The codings of the texts that no coder lacks."""
        return [row for row in self.codings if None not in row]


# The agreement of each pair of coders.


class PairAgreement(NamedTuple):
    """The agreement of two coders over the texts that both segmented."""

    coder: int  # the index of one coder, the reference where a metric has one
    other: int  # the index of the other coder
    label: str  # the figure: the metric, with a dot and its part if it has several
    better: str  # the direction of better values; one of "higher", "lower"
    value: float  # the figure, pooled over the texts
    interval: Interval | None  # its interval over more than one text
    texts: int  # the number of texts that both segmented, and the metric does not refuse
    undefined: str  # the reason where the value is `nan`, else empty
    signature: str  # every choice behind the figure


def parse_pair_metrics(given: Iterable[str]) -> list[NamedMetric]:
    """Parse metrics for pairs of coders: of segmentations, or coefficients of agreement.

    Raises `OptionError` when a metric or an option is not known, or a metric is not of two
    segmentations.
    """
    parts = [part.strip() for item in given for part in split_items(item)]
    metrics: dict[str, NamedMetric] = {}
    for part in parts:
        named = parse_metric(part, also=CHANCE)
        metrics.setdefault(named.label, named)
    return list(metrics.values())


def pair_agreements(
    texts: CodedTexts, metric: NamedMetric, options: Sampling | None = None
) -> list[PairAgreement]:
    """Compare each coder with each other one, over the texts that both segmented.

    The metric is one of segmentations, or a coefficient of agreement. Every pair is compared in
    both orders: most metrics give both the same figure; those with a reference, as Pk, may not. The
    figure of a metric with precision and recall is F1. By default (`options`) there are no
    intervals.
    """
    of_coders = metric.metric.over == "coders"
    compare = _by_coefficient if of_coders else _by_metric
    sampling = Sampling(resamples=0) if options is None else options
    ends = range(len(texts.coders))
    pairs = combinations(ends, 2) if of_coders else permutations(ends, 2)
    compared = {ends: compare(texts, metric, sampling, *ends) for ends in pairs}
    if of_coders:
        compared |= {(b, a): pair._replace(coder=b, other=a) for (a, b), pair in compared.items()}
    return [compared[ends] for ends in sorted(compared)]


def _by_coefficient(
    texts: CodedTexts, metric: NamedMetric, options: Sampling, a: int, b: int
) -> PairAgreement:
    rows = [[one, other] for one, other in _shared(texts, a, b).values()]
    count = len(rows)
    sampled = options.parts(count, tested=False) if options.resamples and count > 1 else []
    head = (a, b, metric.label, metric.metric.better)
    signature = metric.signature(f"texts:{count}", *texts.read_by, *sampled)
    if not rows:
        return PairAgreement(*head, nan, None, 0, _NONE_SHARED, signature)
    figure = metric.metric(rows, **metric.options)
    interval = None
    if sampled:
        interval = agreement_interval(
            metric.metric,
            rows,
            interval=cast("Any", options.interval),
            resamples=options.resamples,
            level=options.level,
            seed=options.seed,
            **metric.options,
        )
    return PairAgreement(*head, float(figure.value), interval, count, figure.undefined, signature)


def _by_metric(
    texts: CodedTexts, metric: NamedMetric, options: Sampling, a: int, b: int
) -> PairAgreement:
    shared = _shared(texts, a, b)
    label = f"{metric.label}.f1" if metric.metric.measures else metric.label
    head = (a, b, label, metric.metric.better)
    if not shared:
        return PairAgreement(
            *head, nan, None, 0, _NONE_SHARED, metric.signature("texts:0", *texts.read_by)
        )
    golds, hyps = (
        Segmentations.of({text: pair[k] for text, pair in shared.items()}) for k in (0, 1)
    )
    evaluation = SegmentEvaluation(
        systems=[texts.coders[b]],
        metrics=[metric],
        references=(golds,),
        hyps=(hyps,),
        options=options,
        refused="leave",
        read_by=texts.read_by,
        of_coders=True,
    )
    try:
        *_, row = evaluation.rows(averages=("micro",), texts=False)  # the only figure, or F1
    except SegmentationError as error:
        return PairAgreement(
            *head, nan, None, 0, str(error), metric.signature("texts:0", *texts.read_by)
        )
    count = len(shared) - len(evaluation.scored(0, 0).refused)
    undefined = row.undefined if isnan(row.value) else ""
    return PairAgreement(*head, row.value, row.interval, count, undefined, row.signature)


_NONE_SHARED = "no text has both coders"


def _shared(texts: CodedTexts, a: int, b: int) -> Mapping[str, tuple[Segmentation, Segmentation]]:
    pairs = {}
    for name, row in zip(texts.texts, texts.codings, strict=True):
        one, other = row[a], row[b]
        if one is not None and other is not None:
            pairs[name] = (one, other)
    return pairs


# The places at which coders differ.


class Disagreement(NamedTuple):
    """A place where some coders of a text have a boundary, and others have none exactly there."""

    text: int  # the index of the text
    position: int  # the number of units before the place
    placed: tuple[int, ...]  # the coders with a boundary at the place
    # The coders with a boundary some units away, which they place nowhere else, and the shift in
    # units, negative for earlier.
    near: tuple[tuple[int, int], ...]
    without: tuple[int, ...]  # the coders with no boundary here

    @property
    def kind(self) -> str:
        """`near miss` where all coders have a boundary, though not at the same place."""
        return "full miss" if self.without else "near miss"

    @property
    def votes(self) -> str:
        """The number of coders with the boundary exactly there, of all coders of the text."""
        exact_votes = len(self.placed)
        return f"{exact_votes} of {exact_votes + len(self.near) + len(self.without)}"

    @property
    def apart(self) -> tuple[int, int]:
        """The number of pairs of coders of whom one has no boundary, and of pairs nearly agreed."""
        with_boundary = len(self.placed) + len(self.near)
        shifts = [0] * len(self.placed) + [shift for _, shift in self.near]
        return with_boundary * len(self.without), sum(a != b for a, b in combinations(shifts, 2))

    def in_words(self, coders: Sequence[str]) -> str:
        """Name the coders with the boundary, those near it, and those without it.

        Examples
        --------
        >>> Disagreement(0, 5, (0,), ((1, -1),), (2,)).in_words(["anna", "ben", "cleo"])
        'anna; near ben (-1); not cleo'

        """
        parts = [", ".join(coders[k] for k in self.placed)]
        if self.near:
            parts.append("near " + ", ".join(f"{coders[k]} ({by:+d})" for k, by in self.near))
        if self.without:
            parts.append("not " + ", ".join(coders[k] for k in self.without))
        return "; ".join(parts)


def disagreements(texts: CodedTexts, *, shift: int = 1) -> list[Disagreement]:
    """Return the places where coders differ, the worst first.

    A place is the worse the more pairs of coders there are of whom one has a boundary and the other
    none; then, the more pairs have it at different units. Boundaries that all coders of a text have
    are no places, nor near misses of others. If coders of a place have a boundary at a second
    place, too, its other coders agree with them there, and are no near misses of the first. The
    greatest distance of a near miss is `shift` units.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> coded = [Segmentation([2, 4]), Segmentation([2, 4]), Segmentation([3, 2, 1])]
    >>> texts = CodedTexts(("a", "b", "c"), ("t",), (tuple(coded),))
    >>> [(d.position, d.kind, d.placed, d.near) for d in disagreements(texts)]
    [(5, 'full miss', (2,), ()), (2, 'near miss', (0, 1), ((2, 1),))]

    """
    if shift < 0:
        raise OptionError(f"shift is {shift}: want 0 or more")
    places = [
        place for t, row in enumerate(texts.codings) for place in _of_text(t, row, shift=shift)
    ]
    return sorted(places, key=_badness)


def _badness(place: Disagreement) -> tuple[int, int, int, int]:
    apart, nearly = place.apart
    return -apart, -nearly, place.text, place.position


def _of_text(
    text: int, row: Sequence[Segmentation | None], *, shift: int
) -> Iterator[Disagreement]:
    coders = {k for k, coding in enumerate(row) if coding is not None}
    open_marks: dict[int, set[int]] = {}
    for k, coding in enumerate(row):
        for position in coding.boundaries.tolist() if coding is not None else ():
            open_marks.setdefault(position, set()).add(k)
    open_marks = {place: marks for place, marks in open_marks.items() if marks != coders}
    # Places of more coders come first, and take their near misses from places of fewer.
    for position in sorted(open_marks, key=lambda place: (-len(open_marks[place]), place)):
        placed = open_marks[position]
        if not placed:
            continue  # all its boundaries are near misses of other places
        open_marks[position] = set()
        near: dict[int, int] = {}
        for distance in range(1, shift + 1):
            for by in (-distance, distance):
                marks = open_marks.get(position + by, set())
                if marks & (placed | near.keys()):  # its coders agree there exactly
                    continue
                near |= dict.fromkeys(sorted(marks), by)
                marks.clear()
        without = coders - placed - near.keys()
        yield Disagreement(
            text,
            position,
            tuple(sorted(placed)),
            tuple(sorted(near.items())),
            tuple(sorted(without)),
        )


def kinds_in_words(places: Sequence[Disagreement]) -> str:
    """Count the places of each kind in words."""
    near = sum(not place.without for place in places)
    parts = [f"{len(places) - near:,} where some coders have no boundary"] * (near < len(places))
    parts += [f"{near:,} near {'miss' if near == 1 else 'misses'}"] * (near > 0)
    return ", ".join(parts)


def worst_texts(places: Sequence[Disagreement]) -> list[int]:
    """Return the texts with differing coders by the pairs of coders apart, most first."""
    apart: dict[int, list[int]] = {}
    for place in places:
        sums = apart.setdefault(place.text, [0, 0])
        for k, count in enumerate(place.apart):
            sums[k] += count
    return sorted(apart, key=lambda text: (-apart[text][0], -apart[text][1], text))
