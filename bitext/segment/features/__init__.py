"""Columns of node features: a scalar, a label or a bag of labels for each sentence of a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.kernels.arrays import Floats, Ints

OUTSIDE = "^"
"""The label, in conjunctions, of positions outside the text."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One number for each sentence."""

    name: str
    values: Floats  # NaN for a sentence without a value; shape (n,)


@dataclass(frozen=True, slots=True)
class Labels:
    """One label for each sentence."""

    name: str
    codes: Ints  # indices into `forms`; -1 for no label; shape (n,)
    forms: Sequence[str]  # the labels


@dataclass(frozen=True, slots=True)
class Bag:
    """Several labels for each sentence, each with a value."""

    name: str
    ptr: Ints  # the entries of sentence k are `ptr[k]` to `ptr[k + 1]`; shape (n + 1,)
    # Indices into `forms`; ascending within a sentence, without repeats. Shape (entries,).
    ids: Ints
    values: Floats  # shape (entries,)
    forms: Sequence[str]  # the labels, ascending


@dataclass(frozen=True, slots=True)
class Joint:
    """The conjunction of labels of a sentence and its neighbours; none if a part has no label."""

    # Up to three columns of labels, each with its offset from the sentence.
    parts: Sequence[tuple[Labels, int]]

    @property
    def name(self) -> str:
        """The names of the parts with their offsets: `form[-1]×form`."""
        return "×".join(f"{part.name}[{by}]" if by else part.name for part, by in self.parts)


Column = Scalar | Labels | Bag | Joint


def labels_of(name: str, values: Sequence[str]) -> Labels:
    """Return a column of labels from one string for each sentence.

    Examples
    --------
    >>> labels_of("end", [".", "?", "."]).codes.tolist()
    [0, 1, 0]

    """
    known: dict[str, int] = {}
    codes = [known.setdefault(value, len(known)) for value in values]
    return Labels(name, np.array(codes, dtype=np.int64), list(known))


def binned(name: str, values: Ints, edges: Sequence[int]) -> Labels:
    """Bin integers by the upper edges of the bins, with one more bin for larger integers.

    Examples
    --------
    >>> labels = binned("length", np.array([1, 3, 9]), [1, 2, 4])
    >>> [labels.forms[k] for k in labels.codes]
    ['1', '4', '4+']

    """
    codes = np.searchsorted(np.asarray(edges), values, side="left").astype(np.int64)
    return Labels(name, codes, [*map(str, edges), f"{edges[-1]}+"])


def cross(*parts: Labels) -> Labels:
    """Return the conjunction of columns of few labels as labels; none if a part has no label.

    Examples
    --------
    >>> crossed = cross(labels_of("end", [".", "?"]), labels_of("case", ["a", "A"]))
    >>> crossed.name, crossed.forms
    ('end×case', ['.×a', '?×A'])

    """
    first, *others = parts
    codes, forms = first.codes, list(first.forms)
    for part in others:
        joint = codes * len(part.forms) + part.codes
        joint[(codes < 0) | (part.codes < 0)] = -1
        distinct, codes = np.unique(joint, return_inverse=True)
        if len(distinct) and distinct[0] < 0:
            distinct, codes = distinct[1:], codes - 1
        size = max(1, len(part.forms))
        forms = [
            f"{forms[a]}×{part.forms[b]}"
            for a, b in zip((distinct // size).tolist(), (distinct % size).tolist(), strict=True)
        ]
    return Labels("×".join(part.name for part in parts), codes.astype(np.int64), forms)
