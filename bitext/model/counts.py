"""Counts and ratios that add up: the figures of a text by one metric, and of many texts; notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from numbers import Real
from typing import Any, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bitext.errors import InputError, OptionError
from bitext.kernels.arrays import Floats, Frozen, Ints, divided, put_all

_Numbers = TypeVar("_Numbers", bound=NDArray[Any])

_ROUNDED = 1 + 1e-9  # sums of fractions may exceed their whole by so much


_COUNTED = ("hits", "proposed", "expected", "found")
_PLAIN = (int, float)  # types of which nothing is to be converted


def f1_fractions(
    hits: _Numbers, proposed: _Numbers, expected: _Numbers, found: _Numbers
) -> tuple[_Numbers, _Numbers]:
    """Return F1 of counts as numerators and denominators; undefined where these are 0.

    As `Counts.f1` has it, without a rounding of products that are not needed.

    Examples
    --------
    >>> hits, proposed, expected, found = np.array([[1, 1], [2, 0], [3, 2], [1, 0]])
    >>> f1_fractions(hits, proposed, expected, found)
    (array([2, 0]), array([5, 2]))

    """
    is_equal = hits == found
    above = np.where(is_equal, 2 * hits, 2 * hits * found)
    below = np.where(is_equal, proposed + expected, hits * expected + found * proposed)
    return cast("_Numbers", above), cast("_Numbers", below)


def _as_numbers(instance: Counts | Ratio, *names: str) -> None:
    """Make numbers of NumPy those of Python, as sums of its small integers would overflow."""
    for name in names:
        value = getattr(instance, name)
        if type(value) in _PLAIN:
            continue
        number = value.item() if hasattr(value, "item") else value
        if not isinstance(number, Real):
            kind = type(instance).__name__
            raise InputError(f"{name} of {kind} is {value!r:.40}: want a number")
        object.__setattr__(instance, name, int(number) if isinstance(number, bool) else number)


@dataclass(frozen=True, slots=True, repr=False)
class Counts:
    """Hits among proposed and expected items; `+` pools texts.

    Precision, recall and F are between 0 and 1. A ratio without a denominator is `nan`, with
    its reason in `undefined`.

    Attributes
    ----------
    hits : float
        The number of right items among the proposed ones.
    proposed, expected : float
        The numbers of items of the hypothesis and of the gold standard. If recall leaves items
        out (strict, lax), `expected` is the number of the others.
    found : float
        The number of expected items in the hypothesis. Equal to `hits` for measures on sets; the
        two differ where precision and recall count different items (strict, lax).
    neither : float or None
        The number of items neither proposed nor expected (true negatives), where a metric counts
        them.
    k : int or None
        As of `Ratio`.

    Examples
    --------
    >>> Counts(1, 2, 4) + Counts(2, 2, 2)
    <Counts: precision 0.7500, recall 0.5000, F1 0.6000 (3 of 4, 3 of 6)>

    """

    hits: float
    proposed: float
    expected: float
    found: float = -1
    neither: float | None = None
    k: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _as_numbers(self, *_COUNTED)
        if min(self.hits, self.proposed, self.expected) < 0:
            raise InputError(f"counts of items are not below 0, as in {self._shown()}")
        if self.found < 0:
            object.__setattr__(self, "found", self.hits)
        if self.hits > self.proposed * _ROUNDED or self.found > self.expected * _ROUNDED:
            raise InputError(
                f"no more items are right than are proposed, or expected, as in {self._shown()}"
            )

    def _shown(self) -> str:
        return f"Counts(hits={self.hits}, proposed={self.proposed}, expected={self.expected})"

    @property
    def precision(self) -> float:
        """The share of proposed items that are right."""
        return self.hits / self.proposed if self.proposed else nan

    @property
    def recall(self) -> float:
        """The share of expected items in the hypothesis."""
        return self.found / self.expected if self.expected else nan

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall.

        With hits = found this is 2 hits / (proposed + expected), which is defined even where one of
        the two ratios is not. If hits and found differ, F1 is `nan` when there are hits and the
        other ratio is undefined: a text whose bisegments all have an empty side, which recall
        leaves out.
        """
        if self.hits == self.found:
            above, below = 2 * self.hits, self.proposed + self.expected
        else:
            above = 2 * self.hits * self.found
            below = self.hits * self.expected + self.found * self.proposed
        return above / below if below else nan

    @property
    def silence(self) -> float:
        """The share of expected items that are missing: 1 - recall."""
        return 1 - self.recall

    @property
    def noise(self) -> float:
        """The share of proposed items that are wrong: 1 - precision."""
        return 1 - self.precision

    def f(self, alpha: float = 0.5) -> float:
        """The weighted harmonic mean of precision P and recall R: 1 / (alpha/P + (1 - alpha)/R).

        0 where P or R is 0, `nan` if one with a weight is undefined; `f1` is the value for .5.

        Raises `OptionError` when alpha is not from 0 to 1.
        """
        if not isinstance(alpha, Real) or not 0 <= alpha <= 1:
            raise OptionError(f"the weight of precision is {alpha!r:.40}: want one from 0 to 1")
        if alpha == 0.5:
            return self.f1
        weighed = [(alpha, self.precision), (1 - alpha, self.recall)]
        shares = [(weight, share) for weight, share in weighed if weight]
        if any(share == 0 for _, share in shares):
            return 0.0
        return 1 / sum(weight / share for weight, share in shares)

    @property
    def aer(self) -> float:
        """The alignment error rate of word links: 1 - (hits + found) / (proposed + expected).

        From 0 (best) to 1; `nan` if nothing is proposed and nothing is expected.
        """
        total = self.proposed + self.expected
        return 1 - (self.hits + self.found) / total if total else nan

    @property
    def row(self) -> tuple[float, float, float, float]:
        """Hits, proposed, expected and found, as a row of `CountsTable`."""
        return self.hits, self.proposed, self.expected, self.found

    @property
    def undefined(self) -> str:
        """The reason where a ratio is `nan`, else empty."""
        reasons = []
        if not self.proposed:
            reasons.append("nothing proposed")
        if not self.expected:
            reasons.append("nothing expected")
        return ", ".join(reasons)

    def __repr__(self) -> str:
        figures = (self.precision, self.recall, self.f1)
        shown = ", ".join(
            f"{name} {_figure(value)}"
            for name, value in zip(("precision", "recall", "F1"), figures, strict=True)
        )
        recalled, windows = f"{self.found} of {self.expected}", _windows(self.k)
        return f"<Counts: {shown} ({self.hits} of {self.proposed}, {recalled}){windows}>"

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        have_neither = self.neither is not None and other.neither is not None
        return Counts(
            self.hits + other.hits,
            self.proposed + other.proposed,
            self.expected + other.expected,
            self.found + other.found,
            (self.neither or 0) + (other.neither or 0) if have_neither else None,
            self.k if self.k == other.k else None,
        )

    def __radd__(self, other: int) -> Counts:
        """Support `sum`, which begins at 0."""
        return self if other == 0 else NotImplemented


class CountsTable(Frozen, Sequence[Counts]):
    """The counts of many pairs as arrays; a `Counts` is created on access.

    Attributes
    ----------
    counts : array, shape (pairs, 4)
        Hits, proposed, expected and found.
    neither, k : array or None
        As of `Counts`, one a pair; arrays of Python integers where 64 bits are too few, as `counts`
        may be, too.

    """

    __slots__ = ("counts", "k", "neither")

    counts: NDArray[np.int64 | np.float64]
    neither: Ints | None
    k: Ints | None

    def __init__(
        self,
        counts: NDArray[np.int64 | np.float64],
        *,
        neither: Ints | None = None,
        k: Ints | None = None,
    ) -> None:
        counts = np.asarray(counts)
        if counts.ndim != 2 or counts.shape[1] != len(_COUNTED):
            raise InputError(
                f"the counts have the shape {counts.shape}: want rows of {', '.join(_COUNTED)}"
            )
        put_all(self, counts=counts, neither=neither, k=k)

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, index: int) -> Counts: ...
    @overload
    def __getitem__(self, index: slice) -> CountsTable: ...
    def __getitem__(self, index: int | slice) -> Counts | CountsTable:
        columns = (self.neither, self.k)
        if isinstance(index, slice):
            others = [None if column is None else column[index] for column in columns]
            return CountsTable(self.counts[index], neither=others[0], k=others[1])
        numbers = [None if column is None else column.item(index) for column in columns]
        hits, proposed, expected, found = self.counts[index].tolist()
        return Counts(hits, proposed, expected, found, *numbers)

    @classmethod
    def join(cls, parts: Sequence[CountsTable]) -> CountsTable:
        """Join the counts of parts by the same metric, one after another."""
        neither = [part.neither for part in parts if part.neither is not None]
        sizes = [part.k for part in parts if part.k is not None]
        return cls(
            np.concatenate([part.counts for part in parts]),
            neither=np.concatenate(neither) if len(neither) == len(parts) else None,
            k=np.concatenate(sizes) if len(sizes) == len(parts) else None,
        )

    def __repr__(self) -> str:
        columns = self.counts.sum(axis=0).tolist()
        return f"<CountsTable of {len(self)} pairs, pooled F1 {_figure(Counts(*columns).f1)}>"


# Ratios: figures as a numerator and a denominator, which pool by addition.


@dataclass(frozen=True, slots=True, repr=False)
class Ratio:
    """A numerator over a denominator; `+` pools texts.

    Attributes
    ----------
    numerator, denominator : float
        Whole numbers for counts, other numbers for weights.
    empty : float
        The value of 0/0 by the definition of the metric; `nan` if undefined.
    reason : str
        The reason of a denominator of 0, in words, where 0/0 is undefined.
    k : int or None
        The size of the windows, for metrics over windows; `None` for others, and where windows of
        different sizes were pooled.

    Examples
    --------
    >>> (Ratio(1, 4) + Ratio(2, 4)).value
    0.375
    >>> Ratio(0, 0, reason="no boundary").undefined
    'no boundary'

    """

    numerator: float
    denominator: float
    empty: float = field(default=nan, compare=False)
    reason: str = field(default="nothing to count", compare=False)
    k: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _as_numbers(self, "numerator", "denominator")

    @property
    def value(self) -> float:
        """The figure; for 0/0 the value of `empty`, by default `nan`."""
        return self.numerator / self.denominator if self.denominator else self.empty

    @property
    def undefined(self) -> str:
        """The reason where the value is `nan`, else empty."""
        return self.reason if isnan(self.value) else ""

    def __repr__(self) -> str:
        terms = f"{self.numerator}/{self.denominator}"
        return f"<Ratio: {_figure(self.value)} ({terms}){_windows(self.k)}>"

    def __float__(self) -> float:
        return float(self.value)

    def __add__(self, other: Ratio) -> Ratio:
        if not isinstance(other, Ratio):
            return NotImplemented
        return Ratio(
            self.numerator + other.numerator,
            self.denominator + other.denominator,
            self.empty,
            self.reason,
            self.k if self.k == other.k else None,
        )

    def __radd__(self, other: int) -> Ratio:
        """Support `sum`, which begins at 0."""
        return self if other == 0 else NotImplemented


class Ratios(Frozen, Sequence[Ratio]):
    """Many ratios as two arrays; a `Ratio` is created on access.

    Attributes
    ----------
    numerators, denominators : array
        One of each a pair.
    empty, reason
        As of `Ratio`.
    k : array of int64 or None
        The size of the windows of each pair.

    """

    __slots__ = ("denominators", "empty", "k", "numerators", "reason")

    numerators: NDArray[np.float64 | np.int64]
    denominators: NDArray[np.float64 | np.int64]
    empty: float
    reason: str
    k: Ints | None

    def __init__(
        self,
        numerators: ArrayLike,
        denominators: ArrayLike,
        *,
        empty: float = nan,
        reason: str = "nothing to count",
        k: Ints | None = None,
    ) -> None:
        above, below = _numbers(numerators), _numbers(denominators)
        if above.ndim != 1 or above.shape != below.shape:
            raise InputError(
                f"{above.size} numerators and {below.size} denominators: want one of each a pair"
            )
        put_all(self, numerators=above, denominators=below)
        put_all(self, empty=empty, reason=reason, k=k)

    @property
    def values(self) -> Floats:
        """The figures."""
        return divided(self.numerators, self.denominators, empty=self.empty)

    @property
    def counts(self) -> Floats:
        """Numerators and denominators, shape (pairs, 2)."""
        return np.stack([self.numerators, self.denominators], axis=1).astype(np.float64)

    @classmethod
    def join(cls, parts: Sequence[Ratios]) -> Ratios:
        """Join the ratios of parts by the same metric, one after another."""
        sizes = [part.k for part in parts]
        known_sizes = [k for k in sizes if k is not None]
        empty, reason = common_empty(
            (bool((part.denominators == 0).any()), part.empty, part.reason) for part in parts
        )
        return cls(
            np.concatenate([part.numerators for part in parts]),
            np.concatenate([part.denominators for part in parts]),
            empty=empty,
            reason=reason,
            k=np.concatenate(known_sizes) if len(known_sizes) == len(parts) else None,
        )

    def total(self) -> Ratio:
        """Return the pooled ratio."""
        is_uniform = self.k is not None and len(self) > 0 and bool((self.k == self.k[0]).all())
        return Ratio(
            self.numerators.sum().item(),
            self.denominators.sum().item(),
            self.empty,
            self.reason,
            int(self.k[0]) if is_uniform and self.k is not None else None,
        )

    def __len__(self) -> int:
        return len(self.numerators)

    @overload
    def __getitem__(self, index: int) -> Ratio: ...
    @overload
    def __getitem__(self, index: slice) -> Ratios: ...
    def __getitem__(self, index: int | slice) -> Ratio | Ratios:
        if isinstance(index, slice):
            return Ratios(
                self.numerators[index],
                self.denominators[index],
                empty=self.empty,
                reason=self.reason,
                k=None if self.k is None else self.k[index],
            )
        return Ratio(
            self.numerators[index].item(),
            self.denominators[index].item(),
            self.empty,
            self.reason,
            None if self.k is None else int(self.k[index]),
        )

    def __repr__(self) -> str:
        return f"<Ratios of {len(self)} pairs, pooled {_figure(self.total().value)}>"


def _figure(value: float) -> str:
    return "undefined" if isnan(value) else f"{value:.4f}"


def _windows(k: int | None) -> str:
    return "" if k is None else f", k={k}"


def _numbers(values: ArrayLike) -> NDArray[Any]:
    """Return an array of numbers, as floats where 64-bit integers are too small."""
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "biufO":
        raise InputError(f"the terms of ratios are {values!r:.60}: want numbers")
    return numbers.astype(np.float64) if numbers.dtype == object else numbers


def common_empty(parts: Iterable[tuple[bool, float, str]]) -> tuple[float, str]:
    """Return the value of 0/0 and its reason, of parts that are 0/0 somewhere; else of the first.

    A part is whether it is 0/0 somewhere, with its own value and reason. Metrics of `bitext` have
    one value for all parts, but other functions may not.

    Raises `InputError` when parts that are 0/0 have different values.
    """
    all_parts = list(parts)
    deciding = [part[1:] for part in all_parts if part[0]] or [all_parts[0][1:]]
    values = {None if isnan(empty) else empty for empty, _ in deciding}
    if len(values) > 1:
        raise InputError(
            "returns 0/0 with different values for different texts (the `empty` of Ratio): want one"
        )
    return deciding[0]


def joined(parts: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Join the results of parts: by the `join` of their class, if any, or as a list."""
    join = getattr(type(parts[0]), "join", None)
    if join is not None:
        return cast("Sequence[Any]", join(parts))
    return [result for part in parts for result in part]


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a reader on unusual input that was read all the same, counted by kind.

    Attributes
    ----------
    kind : str
        The kind, in the plural: `bisegments without any segment`.
    count : int
        The number of cases.
    first : str
        The first case, with its place.

    """

    kind: str
    count: int
    first: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.count:,}, first {self.first}"


def noted(notes: Sequence[Note]) -> str:
    """Return the part of a `repr` with the number of notes, which may name another reading."""
    return f"; notes: {len(notes)}" if notes else ""
