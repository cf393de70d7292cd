"""Columns with what training text taught of them: their bins, their range or their vocabulary."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.segment.columns import Bag, Labels, Scalar
from bitext.segment.scaling import Bins, Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.segment.columns import Column

__all__ = ["Learned", "Placed", "Seen", "pack", "unpack"]

_BETWEEN = "\n"  # no label holds a line break


def pack(forms: Sequence[str]) -> NDArray[np.uint8]:
    """Return strings as bytes, a line each."""
    text = _BETWEEN.join(forms)
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def unpack(data: NDArray[np.uint8], size: int) -> list[str]:
    """Return the strings of `pack`."""
    if not size:
        return []
    return data.tobytes().decode("utf-8", "surrogatepass").split(_BETWEEN)


class Placed(NamedTuple):
    """The weights that a column has at each sentence, counted from its first.

    Attributes
    ----------
    ptr : array of int64, shape (n + 1,), optional
        Sentence k has `idx[ptr[k]:ptr[k + 1]]`; without it there is one a sentence, -1 for none.
    idx : array of int64
    values : array of float64, optional
        Default: 1.

    """

    ptr: NDArray[np.int64] | None
    idx: NDArray[np.int64]
    values: NDArray[np.float64] | None


@dataclass(slots=True)
class Seen:
    """What one column was in all training texts."""

    values: list[NDArray[np.float64]] = field(default_factory=list)
    times: Counter[str] = field(default_factory=Counter)
    kind: str = "labels"

    def add(self, column: Column) -> None:
        """Take in the column of one text."""
        if isinstance(column, Scalar):
            self.kind = "scalar"
            self.values.append(column.values)
            return
        if isinstance(column, Bag):
            self.kind = "bag"
            ids = column.ids
        else:
            ids = column.codes[column.codes >= 0]
        often = np.bincount(ids, minlength=len(column.forms)).tolist()
        for form, times in zip(column.forms, often, strict=True):
            if times:
                self.times[form] += times

    def learn(self, group: str, name: str, scale: str, bins: int, min_count: int) -> Learned:
        """Return the column as learned."""
        if self.kind != "scalar":
            forms = [form for form, times in self.times.items() if times >= min_count]
            if min_count:  # those of edges stand in the order of their codes
                forms.sort()
            return Learned(group, name, self.kind, forms=forms)
        values = np.concatenate([np.zeros(0), *self.values])
        if scale == "bins":
            return Learned(group, name, "bins", bins=Bins.fit(values, bins))
        return Learned(group, name, "min-max", limits=Range.fit(values))


@dataclass(slots=True)
class Learned:
    """One column, of nodes or edges, with its weights."""

    group: str
    name: str
    kind: str  # "bins", "min-max", "labels" or "bag"
    bins: Bins | None = None
    limits: Range | None = None
    forms: list[str] = field(default_factory=list)
    offsets: Sequence[int] = (0,)
    first: int = 0
    _index: dict[str, int] | None = None

    @property
    def size(self) -> int:
        """How many weights it has at one offset."""
        if self.bins is not None:
            return len(self.bins)
        return 1 if self.limits is not None else len(self.forms)

    @property
    def index(self) -> dict[str, int]:
        """The place of each label."""
        if self._index is None:
            self._index = {form: k for k, form in enumerate(self.forms)}
        return self._index

    def names(self) -> list[str]:
        """Return the name of each weight, offset by offset."""
        if self.bins is not None:
            inner = [f"=bin{k}" for k in range(len(self.bins))]
        elif self.limits is not None:
            inner = [""]
        else:
            inner = [f"={form}" for form in self.forms]
        return [
            f"{self.name}{f'[{offset}]' if offset else ''}{end}"
            for offset in self.offsets
            for end in inner
        ]

    def place(self, column: Column) -> Placed:
        """Return the weights that a column of a text has."""
        if isinstance(column, Scalar):
            if self.bins is not None:
                return Placed(None, self.bins.codes(column.values), None)
            if self.limits is not None:
                values = self.limits.scaled(column.values)
                return Placed(None, np.where(values != 0, 0, -1), values)
            raise TypeError(self.name)
        index = self.index
        # The last entry is for the code -1.
        known = np.array([*(index.get(form, -1) for form in column.forms), -1], dtype=np.int64)
        if isinstance(column, Labels):
            return Placed(None, known[column.codes], None)
        idx = known[column.ids]
        kept = idx >= 0
        ptr = np.concatenate([[0], np.cumsum(kept)])[column.ptr]
        return Placed(ptr, idx[kept], column.values[kept])
