"""The counts behind agreement among coders: one row of sums for each text, which add up over texts.

Agreement is observed in one of two ways. On *boundaries*, each pair of coders agrees or disagrees
on the presence of each potential boundary. By a *similarity* (S, B, A), it is the sum of the
numerators over the sum of the denominators, over pairs of coders and texts (Fournier 2013).
Agreement by chance is always computed from the boundaries of each coder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, islice
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, OptionError
from bitext.kernels.arrays import Floats, Ints, batches, divided, prefix
from bitext.metrics.registry import Metric, parse_metric
from bitext.metrics.segmentation import Pairs
from bitext.model import Ratios, Segmentation

# Codings: the segmentations of the same texts by several coders, and the votes in them.

if TYPE_CHECKING:
    Texts: TypeAlias = Sequence[Sequence[Segmentation]] | Sequence[Segmentation]
    Incomplete: TypeAlias = Sequence[Sequence[Segmentation | None]] | Sequence[Segmentation | None]
    Observed: TypeAlias = str | Metric[..., Any] | Callable[[Pairs], Ratios]

P = ParamSpec("P")
R = TypeVar("R")


def over_coders(name: str, source: str) -> Callable[[Callable[P, R]], Metric[P, R]]:
    """Register a function of codings as a metric that is higher for more agreement."""

    def make(function: Callable[P, R]) -> Metric[P, R]:
        return Metric(function, name=name, over="coders", better="higher", source=source)

    return make


@dataclass(frozen=True, slots=True, repr=False)
class Agreement:
    """A coefficient of agreement: observed agreement, corrected for chance.

    Examples
    --------
    >>> Agreement(0.75, 0.5).value
    0.5
    >>> Agreement(1.0, 1.0, "agreement is certain by chance").undefined
    'agreement is certain by chance'

    """

    observed: float  # the observed agreement
    chance: float  # the agreement expected by chance
    reason: str = ""  # the reason of a missing coefficient

    @property
    def numerator(self) -> float:
        """The agreement beyond chance."""
        return self.observed - self.chance

    @property
    def denominator(self) -> float:
        """The greatest possible agreement beyond chance."""
        return 1 - self.chance

    @property
    def value(self) -> float:
        """The coefficient: 1 for full agreement, 0 for agreement by chance; `nan` for 0/0."""
        return self.numerator / self.denominator if self.denominator and not self.reason else nan

    @property
    def undefined(self) -> str:
        """The reason where the value is `nan`, else empty."""
        return self.reason

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        figure = f"undefined ({self.reason})" if self.reason else f"{self.value:.4f}"
        return f"<Agreement {figure}: observed {self.observed:.4f}, chance {self.chance:.4f}>"


class Votes(NamedTuple):
    """The number of coders with each boundary, over many texts."""

    ptr: Ints  # text t has the places `ptr[t]` to `ptr[t + 1]`; shape (texts + 1,)
    positions: Ints  # of boundaries by any coder, ascending within a text
    votes: Ints  # the number of coders with a boundary there, at least 1

    def sums(self, values: Ints) -> Ints:
        """Return the sum of the values over the positions of each text."""
        total = prefix(values)
        return total[self.ptr[1:]] - total[self.ptr[:-1]]


def count_votes(text: Ints, positions: Ints, texts: int) -> Votes:
    """Count the boundaries at each position of each text; `text` is the text of each boundary."""
    order = np.lexsort((positions, text))
    text, positions = text[order], positions[order]
    opens = np.ones(text.size, dtype=bool)
    opens[1:] = (np.diff(text) != 0) | (np.diff(positions) != 0)
    first = np.flatnonzero(opens)
    ptr = prefix(np.bincount(text[first], minlength=texts).astype(np.int64))
    return Votes(ptr, positions[first], np.diff(np.append(first, text.size)))


class Codings:
    """Texts, each segmented by the same coders.

    Attributes
    ----------
    texts : tuple of tuples of Segmentation
        Of each text, one segmentation a coder.
    coders : int
        The number of coders.
    sizes : array of int64, shape (texts,)
        The number of units of each text.
    placed : array of int64, shape (texts, coders)
        The number of boundaries of each coder.
    votes : Votes
        The boundaries of all coders.

    """

    def __init__(self, codings: Texts) -> None:
        rows = coding_rows(codings)
        if not rows:
            raise InputError("there are no codings: want a list of texts")
        self.texts = tuple(_segmentations(row, t) for t, row in enumerate(rows))
        self.coders = len(self.texts[0])
        for t, row in enumerate(self.texts):
            if len(row) != self.coders:
                raise InputError(
                    f"text {t} has {len(row)} coders and text 0 has {self.coders}: "
                    f"want the same coders in every text"
                )
        if self.coders < 2:
            raise InputError(f"text 0 has {self.coders} coders: want two or more to agree")
        self._lay()

    def _lay(self) -> None:
        masses = [coding.masses for row in self.texts for coding in row]
        segments = np.fromiter(map(len, masses), dtype=np.int64, count=len(masses))
        ends = np.cumsum(np.concatenate(masses))
        last = np.cumsum(segments) - 1
        begins = np.concatenate([[0], ends[last][:-1]])
        units = (ends[last] - begins).reshape(len(self.texts), self.coders)
        uneven = np.flatnonzero((units != units[:, :1]).any(axis=1))
        if uneven.size:
            t = int(uneven[0])
            k = int(np.flatnonzero(units[t] != units[t, 0])[0])
            raise InputError(
                f"text {t} has {units[t, 0]} units for coder 0 and {units[t, k]} for coder {k}: "
                f"want segmentations of the same units"
            )
        self.sizes = units[:, 0]
        self.placed = (segments - 1).reshape(units.shape)
        coding = np.delete(np.repeat(np.arange(len(masses)), segments), last)
        positions = np.delete(ends, last) - begins[coding]
        self.votes = count_votes(coding // self.coders, positions, len(self.texts))

    @property
    def typed(self) -> bool:
        """Whether any boundary has types."""
        return any(coding.types is not None for row in self.texts for coding in row)

    def pairs(self, ends: Sequence[tuple[int, int]], texts: slice, *, typed: bool) -> Pairs:
        """Lay out pairs of coders over some texts: the texts of the first pair, and so on.

        `typed` is the property of all codings: a text without types may stand among typed ones.
        """
        rows = self.texts[texts]
        golds = [row[a] for a, _ in ends for row in rows]
        hyps = [row[b] for _, b in ends for row in rows]
        pairs = Pairs.of(golds, hyps)
        return replace(pairs, typed=(golds, hyps)) if typed else pairs


def coding_rows(codings: Any) -> list[Any]:
    """Return codings as a list of texts, also those of one text, a list of segmentations."""
    if not isinstance(codings, Iterable) or isinstance(codings, Mapping | str | Segmentation):
        raise InputError(
            f"the codings are {codings!r:.60}: want a list of texts, each a list of a segmentation "
            f"a coder"
        )
    rows = [list(row) if isinstance(row, Iterator) else row for row in codings]
    is_one_text = rows and all(isinstance(row, Segmentation | None) for row in rows)
    return [rows] if is_one_text else rows


def _segmentations(row: Sequence[Segmentation], t: int) -> tuple[Segmentation, ...]:
    if isinstance(row, Segmentation):
        raise InputError(f"text {t} is one segmentation: want a list, one a coder")
    if not isinstance(row, Iterable) or isinstance(row, Mapping | str):
        raise InputError(f"text {t} is {row!r:.40}: want a list of a segmentation a coder")
    codings = tuple(row)
    for k, coding in enumerate(codings):
        if coding is None:
            raise InputError(
                f"text {t} has no segmentation of coder {k}: want one of each coder, or a "
                f"coefficient, which takes None for a text that a coder did not segment"
            )
        if not isinstance(coding, Segmentation):
            raise InputError(
                f"text {t}, coder {k}: found {type(coding).__name__}, want a Segmentation"
            )
    return codings


class CodedAlike(NamedTuple):
    """Texts segmented by the same coders, two or more."""

    texts: list[int]  # their indices among all texts
    coders: list[int]  # their indices among all coders
    codings: Codings  # the segmentations of these texts by these coders


def coded_alike(texts: Incomplete) -> tuple[list[CodedAlike], tuple[int, int]]:
    """Group texts by their coders; `None` stands for a text that a coder did not segment.

    Return the groups, and the numbers of all texts and all coders. Texts of a single coder are in
    no group. Raises `InputError` as `Codings` does, and when no text has two coders.
    """
    rows = coding_rows(texts)
    if not any(isinstance(row, list | tuple) and None in row for row in rows):
        whole = Codings(rows)
        shape = len(whole.texts), whole.coders
        return [CodedAlike([*range(shape[0])], [*range(shape[1])], whole)], shape
    coders = len(rows[0])
    groups: dict[tuple[int, ...], list[int]] = {}
    for t, row in enumerate(rows):
        if len(row) != coders:
            raise InputError(
                f"text {t} has {len(row)} coders and text 0 has {coders}: want a segmentation or "
                f"None of each coder in every text"
            )
        present = tuple(k for k, coding in enumerate(row) if coding is not None)
        if len(present) > 1:
            groups.setdefault(present, []).append(t)
    if not groups:
        raise InputError("no text has two coders: want two or more to agree")
    return [
        CodedAlike(
            texts_of_group,
            [*present],
            Codings([[rows[t][k] for k in present] for t in texts_of_group]),
        )
        for present, texts_of_group in groups.items()
    ], (len(rows), coders)


_HEAD_COLUMNS = 4  # columns of a tally before those of each coder
# Segments of pairs of coders that are compared at once; set by hand: some megabytes of arrays.
_SEGMENTS_AT_ONCE = 1 << 18


class Columns(NamedTuple):
    """The columns of a tally, or of sums of its rows: shape (...,), the last two (..., coders)."""

    agreed: Floats  # the numerator of the observed agreement
    judged: Floats  # the denominator of the observed agreement
    shares: Floats  # the sum of the shares of boundaries, one a coder and text
    counted: Floats  # the number of these shares
    placed: Floats  # the boundaries of each coder
    places: Floats  # the potential boundaries


@dataclass(frozen=True, slots=True)
class Tally:
    """The columns of each text, with the way to read them."""

    counts: Floats  # the `Columns`, side by side; shape (texts, 4 + 2 coders)
    coders: int  # the number of coders
    both: bool  # whether agreement is on boundaries and on their absence, or on boundaries alone
    empty: float  # the observed agreement where the denominator is 0

    def columns(self, counts: Floats) -> Columns:
        """Split sums of rows into their columns."""
        agreed, judged, shares, counted = (counts[..., k] for k in range(_HEAD_COLUMNS))
        end = _HEAD_COLUMNS + self.coders
        return Columns(
            agreed, judged, shares, counted, counts[..., _HEAD_COLUMNS:end], counts[..., end:]
        )

    def observed(self, columns: Columns) -> Floats:
        """Return the observed agreement."""
        return divided(columns.agreed, columns.judged, empty=self.empty)


def tally(
    codings: Codings,
    observed: Observed,
    options: Mapping[str, Any],
    *,
    at_once: int = _SEGMENTS_AT_ONCE,
) -> Tally:
    """Reduce each text to the columns of agreement.

    `observed` is `boundaries`; or a similarity: its name, as the command line writes it or S, B or
    A, a metric, a `functools.partial` of one, or a function from `Pairs` to `Ratios`. `options` are
    those of the similarity. `at_once` bounds the memory: the segments that are compared at once.

    Raises `OptionError` when `observed` is not known, is no similarity or does not return ratios.
    """
    if isinstance(observed, str) and observed == "boundaries":
        if options:
            raise OptionError(
                f"agreement on boundaries has no option {next(iter(options))!r}: "
                f"want a similarity as `observed`, or no options"
            )
        return _by_boundaries(codings)
    return _by_similarity(codings, _comparing(observed, options), observed, at_once)


def tally_of_some(
    texts: Incomplete,
    observed: Observed,
    options: Mapping[str, Any],
    *,
    weight: Callable[[int], float],
) -> Tally:
    """Reduce texts that not all coders segmented to columns.

    A text is `None` for a coder who did not segment it; texts of a single coder have empty rows.
    `weight` returns the weight of each pair of the m coders of a text, from m.
    """
    groups, shape = coded_alike(texts)
    first = tally(groups[0].codings, observed, options)
    if (len(groups[0].texts), len(groups[0].coders)) == shape:
        return first
    coders = shape[1]
    counts = np.zeros((shape[0], _HEAD_COLUMNS + 2 * coders))
    for group in groups:
        part = tally(group.codings, observed, options)
        part.counts[:, :2] *= weight(len(group.coders))
        coder_numbers = np.array(group.coders)
        into = [
            *range(_HEAD_COLUMNS),
            *(_HEAD_COLUMNS + coder_numbers),
            *(_HEAD_COLUMNS + coders + coder_numbers),
        ]
        counts[np.ix_(group.texts, into)] = part.counts
    return Tally(counts, coders, first.both, first.empty)


def _by_boundaries(codings: Codings) -> Tally:
    """Judge every potential boundary by every pair of coders."""
    coders, votes = codings.coders, codings.votes
    judged = (codings.sizes - 1) * (coders * (coders - 1) // 2)
    # A pair disagrees where one coder has a boundary and the other has none.
    agreed = judged - votes.sums(votes.votes * (coders - votes.votes))
    places = np.repeat(codings.sizes[:, None] - 1, coders, axis=1)
    shares, counted = _shares(codings.placed, places)
    return _stack(
        [agreed, judged, shares, counted], codings.placed, places, both=True, empty=np.nan
    )


def _by_similarity(
    codings: Codings, compare: Callable[[Pairs], Ratios], observed: object, at_once: int
) -> Tally:
    """Sum the numerators and the denominators of all pairs of coders, some pairs at a time."""
    typed = codings.typed
    marks = _marks(codings) if typed else codings.placed
    places = np.zeros(marks.shape)
    heads: list[list[NDArray[Any]]] = []
    empty = np.nan
    for begin, end in batches(prefix(_segments(codings)), at_once):
        part = slice(begin, end)
        # Published figures are sums by halves for one text, and in sequence for several.
        sums = [_Sum(by_halves=k < 2 and len(marks) == 1) for k in range(_HEAD_COLUMNS)]
        for ends in _pairs_at_once(codings, part, at_once):
            pairs = codings.pairs(ends, part, typed=typed)
            ratios = compare(pairs)
            if not hasattr(ratios, "numerators") or len(ratios) != len(pairs):
                raise OptionError(
                    f"{observed!r:.60} does not give one ratio a pair: "
                    f"want a similarity as S, B or A"
                )
            empty, shape = ratios.empty, (len(ends), -1)
            # Every coder has a share in each of his pairs. With types, the potential boundaries of
            # a pair are counted once for each of its types.
            room = (codings.sizes[part] - 1) * _types(pairs).reshape(shape)
            both = np.array(ends)
            np.add.at(places[part].T, both, room[:, None])
            placed = marks[part].T[both].transpose(0, 2, 1)
            shares = _shares(placed, np.stack([room, room], axis=-1))
            rows = (ratios.numerators.reshape(shape), ratios.denominators.reshape(shape), *shares)
            for total, each in zip(sums, rows, strict=True):
                total.add(each)
        heads.append([total.value for total in sums])
    places /= codings.coders - 1
    joined = [np.concatenate(parts) for parts in zip(*heads, strict=True)]
    return _stack(joined, marks, places, both=False, empty=empty)


class _Sum:
    """A sum of rows that come in parts, equal bit for bit to the sum of all rows at once."""

    def __init__(self, *, by_halves: bool) -> None:
        self._rows: list[NDArray[Any]] = []
        self._by_halves = by_halves

    def add(self, rows: NDArray[Any]) -> None:
        self._rows.append(rows)
        if not self._by_halves:
            self._rows = [np.add.accumulate(np.concatenate(self._rows), axis=0)[-1:]]

    @property
    def value(self) -> NDArray[Any]:
        return np.asarray(np.concatenate(self._rows).sum(axis=0))


def _pairs_at_once(codings: Codings, part: slice, segments: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs of coders that are compared at once on some texts."""
    pairs_at_once = max(segments // int(_segments(codings)[part].sum()), 1)
    pairs = combinations(range(codings.coders), 2)
    while batch := list(islice(pairs, pairs_at_once)):
        yield batch


def _segments(codings: Codings) -> Ints:
    """Return an upper bound of the segments of two coders in each text."""
    return np.asarray(2 * (codings.placed.max(axis=1) + 1))


def _types(pairs: Pairs) -> Ints:
    """Return the number of types in each pair, 1 at least."""
    if pairs.typed is None:
        return np.ones(len(pairs), dtype=np.int64)
    kinds = (len(_kinds(gold) | _kinds(hyp)) for gold, hyp in zip(*pairs.typed, strict=True))
    return np.fromiter((max(1, each) for each in kinds), dtype=np.int64, count=len(pairs))


def _marks(codings: Codings) -> Ints:
    """Return the number of marks of each coder: the types of all boundaries."""
    return np.array(
        [
            [len(c) - 1 if c.types is None else sum(map(len, c.types)) for c in row]
            for row in codings.texts
        ]
    )


def _kinds(coding: Segmentation) -> set[int | str]:
    if coding.types is None:
        return {1} if len(coding) > 1 else set()
    return set().union(*coding.types)


def _shares(placed: Ints, places: Ints) -> tuple[Floats, Floats]:
    """Return the sum of the coders' shares of boundaries in each text, and the number of shares.

    A text of one unit has no potential boundary, and no share.
    """
    shares = divided(placed, places, empty=0.0)
    return shares.sum(axis=-1), (places > 0).sum(axis=-1).astype(np.float64)


def _stack(
    heads: list[NDArray[Any]], placed: Ints, places: NDArray[Any], *, both: bool, empty: float
) -> Tally:
    counts = np.concatenate([np.stack(heads, axis=1), placed, places], axis=1).astype(np.float64)
    return Tally(counts, placed.shape[1], both, empty)


def _comparing(observed: object, options: Mapping[str, Any]) -> Callable[[Pairs], Ratios]:
    """Return a function that compares pairs by a similarity."""
    if isinstance(observed, str):
        named = parse_metric(observed)
        return _comparing(named.metric, {**named.options, **options})
    if isinstance(observed, partial):
        all_options = {**observed.keywords, **options}
        if isinstance(observed.func, Metric):
            return _comparing(observed.func, all_options)
        return partial(observed, **options)
    if isinstance(observed, Metric):
        if observed.over != "segmentation" or observed.better != "higher":
            raise OptionError(
                f"{observed.name} is no similarity of segmentations: want one that is higher for "
                f"segmentations more alike, as S, B or A"
            )
        observed.check_options(options)
        return partial(observed.pairs, **options)  # type: ignore[return-value]
    if callable(observed):
        return partial(observed, **options)
    raise OptionError(
        f"observed is {observed!r:.60}: want 'boundaries', the name of a similarity or a metric"
    )
