"""The numbers of the labels that conjunctions are made of.

A conjunction of up to three labels is one whole number, 21 bits a label, so that those of a text
are found in the vocabulary of a model by one search in an ordered array. Number 0 is what stands
outside of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.segment.columns import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.columns import Joint, Labels

__all__ = ["Lexicons", "joint_keys", "keys_of", "parts_of", "spelt"]

_BITS = 21
_MASK = (1 << _BITS) - 1


class Lexicons:
    """The number of each label, by the name of the column: 1 and up.

    Parameters
    ----------
    forms : mapping of str to sequence of str, optional
        The labels of each column, in the order of their numbers.
    grows : bool
        Whether labels not met before get the next number; else they have none, which is -1.

    """

    def __init__(
        self, forms: Mapping[str, Sequence[str]] | None = None, *, grows: bool = False
    ) -> None:
        self.grows = grows
        self._index = {
            name: {form: k for k, form in enumerate(given, start=1)}
            for name, given in (forms or {}).items()
        }

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self._index)

    def forms(self, name: str) -> list[str]:
        """Return the labels of a column in the order of their numbers."""
        return list(self._index.get(name, ()))

    def numbers(self, labels: Labels) -> NDArray[np.int64]:
        """Return the number of the label of each sentence; -1 for none."""
        index = self._index.setdefault(labels.name, {}) if self.grows else {}
        if self.grows:
            found = [index.setdefault(form, len(index) + 1) for form in labels.forms]
        else:
            index = self._index.get(labels.name, index)
            found = [index.get(form, -1) for form in labels.forms]
        numbers: NDArray[np.int64] = np.array([*found, -1], dtype=np.int64)[labels.codes]
        return numbers


def joint_keys(joint: Joint, numbers: Mapping[str, NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return the key of a conjunction at each sentence; -1 where a part has no number."""
    n = len(numbers[joint.parts[0][0].name])
    keys, good = np.zeros(n, dtype=np.int64), np.ones(n, dtype=np.bool_)
    for labels, by in joint.parts:
        mine = np.zeros(n, dtype=np.int64)
        found = numbers[labels.name]
        begin, end = max(0, -by), max(0, min(n, n - by))
        if begin < end:
            mine[begin:end] = found[begin + by : end + by]
        good &= mine >= 0
        keys = (keys << _BITS) | mine
    keys[~good] = -1
    return keys


def parts_of(keys: NDArray[np.int64], parts: int) -> NDArray[np.int64]:
    """Return the numbers that keys are made of, shape (keys, parts)."""
    shifts = np.arange(parts - 1, -1, -1) * _BITS
    return (keys[:, None] >> shifts[None, :]) & _MASK


def keys_of(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys of rows of numbers: the inverse of `parts_of`."""
    keys = np.zeros(len(numbers), dtype=np.int64)
    for column in numbers.T:
        keys = (keys << _BITS) | column.astype(np.int64)
    return keys


def spelt(keys: NDArray[np.int64], names: Sequence[str], lexicons: Lexicons) -> list[str]:
    """Return conjunctions as text, such as `QNQ×N`."""
    forms = [[OUTSIDE, *lexicons.forms(name)] for name in names]
    rows = parts_of(keys, len(names)).tolist()
    return ["×".join(known[k] for known, k in zip(forms, row, strict=True)) for row in rows]
