"""Codings: the segmentations of several coders of the same texts, and the votes in them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

import numpy as np

from bitext.errors import InputError
from bitext.kernels.rows import prefix
from bitext.metrics.pairs import Pairs
from bitext.metrics.registry import Metric
from bitext.model import Segmentation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    Texts: TypeAlias = Sequence[Sequence[Segmentation]] | Sequence[Segmentation]
    Incomplete: TypeAlias = Sequence[Sequence[Segmentation | None]] | Sequence[Segmentation | None]

__all__ = [
    "Agreement",
    "CodedAlike",
    "Codings",
    "Votes",
    "coded_alike",
    "count_votes",
    "over_coders",
]

P = ParamSpec("P")
R = TypeVar("R")


def over_coders(name: str, source: str) -> Callable[[Callable[P, R]], Metric[P, R]]:
    """Register a function of codings, higher for more agreement."""

    def make(function: Callable[P, R]) -> Metric[P, R]:
        return Metric(function, name=name, over="coders", better="higher", source=source)

    return make


@dataclass(frozen=True, slots=True)
class Agreement:
    """A coefficient of agreement: what was observed, corrected for chance.

    Attributes
    ----------
    observed, chance : float
        The agreement observed, and that expected by chance.
    reason : str
        Why there is no coefficient, where there is none.

    Examples
    --------
    >>> Agreement(0.75, 0.5).value
    0.5
    >>> Agreement(1.0, 1.0, "agreement is certain by chance").undefined
    'agreement is certain by chance'

    """

    observed: float
    chance: float
    reason: str = ""

    @property
    def numerator(self) -> float:
        """The agreement beyond chance."""
        return self.observed - self.chance

    @property
    def denominator(self) -> float:
        """The most that there can be beyond chance."""
        return 1 - self.chance

    @property
    def value(self) -> float:
        """The coefficient: 1 for full agreement, 0 for that of chance; `nan` for 0/0."""
        return self.numerator / self.denominator if self.denominator and not self.reason else nan

    @property
    def undefined(self) -> str:
        """Why the value is `nan`; empty when it is not."""
        return self.reason

    def __float__(self) -> float:
        return float(self.value)


class Votes(NamedTuple):
    """How many coders have each boundary, over many texts.

    Attributes
    ----------
    ptr : array of int64, shape (texts + 1,)
        Text t has the places `ptr[t]` to `ptr[t + 1]`.
    positions : array of int64
        The positions at which some coder has a boundary, ascending within a text.
    votes : array of int64
        How many coders have it, at least 1.

    """

    ptr: NDArray[np.int64]
    positions: NDArray[np.int64]
    votes: NDArray[np.int64]

    def sums(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sum of the values of each text's places."""
        total = prefix(values)
        return total[self.ptr[1:]] - total[self.ptr[:-1]]


def count_votes(text: NDArray[np.int64], positions: NDArray[np.int64], texts: int) -> Votes:
    """Count the boundaries at each position of each text; `text` says whose each one is."""
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
        How many coders there are.
    sizes : array of int64, shape (texts,)
        The number of units of each text.
    placed : array of int64, shape (texts, coders)
        The number of boundaries of each coder.
    votes : Votes
        The boundaries of all coders.

    """

    def __init__(self, codings: Texts) -> None:
        rows: list[Any] = list(codings)
        if rows and all(isinstance(row, Segmentation) for row in rows):
            rows = [rows]  # one text
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
        """Whether some boundary has types."""
        return any(coding.types is not None for row in self.texts for coding in row)

    def pairs(self, ends: Sequence[tuple[int, int]], texts: slice, *, typed: bool) -> Pairs:
        """Lay out pairs of coders over some texts: the texts of the first pair, and so on.

        `typed` is that of all codings: those without types are then held to be among others.
        """
        rows = self.texts[texts]
        golds = [row[a] for a, _ in ends for row in rows]
        hyps = [row[b] for _, b in ends for row in rows]
        pairs = Pairs.of(golds, hyps)
        return replace(pairs, typed=(golds, hyps)) if typed else pairs


def _segmentations(row: Sequence[Segmentation], t: int) -> tuple[Segmentation, ...]:
    if isinstance(row, Segmentation):
        raise InputError(f"text {t} is one segmentation: want a list, one a coder")
    found = tuple(row)
    for k, coding in enumerate(found):
        if coding is None:
            raise InputError(
                f"text {t} has no segmentation of coder {k}: want one of each coder, or "
                f"krippendorff_alpha, which takes None for a text that a coder did not segment"
            )
        if not isinstance(coding, Segmentation):
            raise InputError(
                f"text {t}, coder {k}: found {type(coding).__name__}, want a Segmentation"
            )
    return found


class CodedAlike(NamedTuple):
    """The texts that the same coders segmented, two or more of them.

    Attributes
    ----------
    texts, coders : list of int
        Which they are, among all texts and all coders.
    codings : Codings
        What these coders did.

    """

    texts: list[int]
    coders: list[int]
    codings: Codings


def coded_alike(texts: Incomplete) -> tuple[list[CodedAlike], tuple[int, int]]:
    """Group texts by who segmented them, `None` being a text that a coder did not.

    Texts of a single coder are in no group: there is nothing to agree on.

    Returns
    -------
    list of CodedAlike, pair of int
        The groups, and how many texts and coders there are in all.

    Raises
    ------
    InputError
        As of `Codings`, and when no text has two coders.

    """
    rows: list[Any] = list(texts)
    if rows and all(isinstance(row, Segmentation | None) for row in rows):
        rows = [rows]  # one text
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
        CodedAlike(held, [*present], Codings([[rows[t][k] for k in present] for t in held]))
        for present, held in groups.items()
    ], (len(rows), coders)
