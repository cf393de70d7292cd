"""Columns of node features: a scalar, a label or a bag of labels for each sentence of a text.

A learned column has the bins, range or vocabulary of training texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from bitext.kernels.arrays import Bools, Floats, Ints

    Numbers = Mapping[str, Ints]

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


# Conjunctions of labels as integer keys.
#
# A conjunction of up to three labels is one integer of 21 bits a label, so that the keys of a text
# are looked up in the vocabulary of a model by one search in a sorted array. Label number 0 stands
# for positions outside the text.

_LABEL_BITS = 21  # bits a label: three labels fit into a signed integer of 64 bits
_LABEL_MASK = (1 << _LABEL_BITS) - 1


class Lexicons:
    """The numbers of labels, from 1, by the name of their column.

    `forms` are the labels of each column, in the order of their numbers. With `grows`, new labels
    get the next number; otherwise they get -1.
    """

    def __init__(
        self, forms: Mapping[str, Sequence[str]] | None = None, *, grows: bool = False
    ) -> None:
        self.grows = grows
        self._index = {
            name: {form: k for k, form in enumerate(labels, start=1)}
            for name, labels in (forms or {}).items()
        }

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self._index)

    def forms(self, name: str) -> list[str]:
        """Return the labels of a column in the order of their numbers."""
        return list(self._index.get(name, ()))

    def numbers(self, labels: Labels) -> Ints:
        """Return the label number of each sentence; -1 for no label or an unknown label."""
        index = self._index.setdefault(labels.name, {}) if self.grows else {}
        if self.grows:
            known = [index.setdefault(form, len(index) + 1) for form in labels.forms]
        else:
            index = self._index.get(labels.name, index)
            known = [index.get(form, -1) for form in labels.forms]
        return np.array([*known, -1], dtype=np.int64)[labels.codes]


def joint_keys(joint: Joint, numbers: Mapping[str, Ints]) -> Ints:
    """Return the key of a conjunction at each sentence; -1 if a part has no number."""
    n = len(numbers[joint.parts[0][0].name])
    keys, good = np.zeros(n, dtype=np.int64), np.ones(n, dtype=np.bool_)
    for labels, by in joint.parts:
        part_numbers = np.zeros(n, dtype=np.int64)
        number = numbers[labels.name]
        begin, end = max(0, -by), max(0, min(n, n - by))
        if begin < end:
            part_numbers[begin:end] = number[begin + by : end + by]
        good &= part_numbers >= 0
        keys = (keys << _LABEL_BITS) | part_numbers
    keys[~good] = -1
    return keys


def parts_of(keys: Ints, parts: int) -> Ints:
    """Return the label numbers packed into keys, shape (keys, parts)."""
    shifts = np.arange(parts - 1, -1, -1) * _LABEL_BITS
    return (keys[:, None] >> shifts[None, :]) & _LABEL_MASK


def keys_of(numbers: Ints) -> Ints:
    """Return the keys of rows of label numbers: the inverse of `parts_of`."""
    keys = np.zeros(len(numbers), dtype=np.int64)
    for column in numbers.T:
        keys = (keys << _LABEL_BITS) | column.astype(np.int64)
    return keys


def spelt(keys: Ints, names: Sequence[str], lexicons: Lexicons) -> list[str]:
    """Return keys as text, such as `QNQ×N`."""
    forms = [[OUTSIDE, *lexicons.forms(name)] for name in names]
    rows = parts_of(keys, len(names)).tolist()
    return ["×".join(known[k] for known, k in zip(forms, row, strict=True)) for row in rows]


# Scaling of scalars, learned from training texts: in bins, or to 0 to 1 with clipping.


class Bins:
    """Bins with about equal numbers of training values.

    `edges` are the upper edges of the bins, ascending, with one more bin above.

    Examples
    --------
    >>> bins = Bins.fit(np.array([1.0, 2.0, 3.0, 4.0]), 2)
    >>> bins.edges.tolist(), bins.codes(np.array([-9.0, 2.5, 3.0])).tolist()
    ([2.5], [0, 0, 1])

    """

    def __init__(self, edges: Sequence[float]) -> None:
        self.edges = np.asarray(edges, dtype=np.float64)

    @classmethod
    def fit(cls, values: Floats, number: int) -> Bins:
        """Learn the edges; fewer bins if many values are equal, one bin if there is no value."""
        known = values[np.isfinite(values)]
        if not len(known):
            return cls([])
        edges = np.unique(np.quantile(known, np.arange(1, number) / number))
        return cls(edges[edges < known.max()].tolist())

    def __len__(self) -> int:
        return len(self.edges) + 1

    def codes(self, values: Floats) -> Ints:
        """Return the bin of each value; -1 for NaN."""
        codes = np.searchsorted(self.edges, values, side="left").astype(np.int64)
        codes[np.isnan(values)] = -1
        return codes


class Range:
    """Linear scaling from the minimum and maximum in training to 0 and 1, with clipping.

    Examples
    --------
    >>> Range(1.0, 3.0).scaled(np.array([0.0, 2.0, 9.0])).tolist()
    [0.0, 0.5, 1.0]

    """

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    @classmethod
    def fit(cls, values: Floats) -> Range:
        """Learn the minimum and maximum; 0 and 1 if there is no value."""
        known = values[np.isfinite(values)]
        if not len(known):
            return cls(0.0, 1.0)
        return cls(float(known.min()), float(known.max()))

    def scaled(self, values: Floats) -> Floats:
        """Scale values to 0 to 1; return 0 for NaN, and if all training values were equal."""
        if not self.high > self.low:
            return np.zeros_like(values)
        scaled = (np.clip(values, self.low, self.high) - self.low) / (self.high - self.low)
        return np.nan_to_num(scaled)


class Placed(NamedTuple):
    """The weights of a column at each sentence, numbered from the first weight of the column."""

    # The weights of sentence k are `idx[ptr[k]:ptr[k + 1]]`. If None, each sentence has one entry
    # in `idx`, which is -1 for no weight. Shape (n + 1,).
    ptr: Ints | None
    idx: Ints
    values: Floats | None  # default: 1


@dataclass(slots=True)
class Seen:
    """The values of one column in all training texts."""

    values: list[Floats] = field(default_factory=list)
    times: Counter[str] = field(default_factory=Counter)
    kind: str = "labels"
    parts: list[tuple[str, int]] = field(default_factory=list)
    keys: list[Ints] = field(default_factory=list)

    def add(self, column: Column, numbers: Numbers) -> None:
        """Add the column of one text; `numbers` are the label numbers of conjunctions."""
        if isinstance(column, Joint):
            self.kind = "joint"
            self.parts = [(part.name, by) for part, by in column.parts]
            self.keys.append(joint_keys(column, numbers))
            return
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
        """Return the column with its bins, range or vocabulary."""
        if self.kind == "joint":
            keys, times = np.unique(np.concatenate(self.keys), return_counts=True)
            keys = keys[(times >= min_count) & (keys >= 0)]
            return Learned(group, name, "joint", parts=self.parts, keys=keys)
        if self.kind != "scalar":
            forms = [form for form, times in self.times.items() if times >= min_count]
            if min_count:  # labels of edges (0) stay in the order of their codes
                forms.sort()
            return Learned(group, name, self.kind, forms=forms)
        values = np.concatenate([np.zeros(0), *self.values])
        if scale == "bins":
            return Learned(group, name, "bins", bins=Bins.fit(values, bins))
        return Learned(group, name, "min-max", limits=Range.fit(values))


@dataclass(slots=True)
class Learned:
    """One learned column of nodes or edges, with the range of its weights."""

    group: str
    name: str
    kind: str  # "bins", "min-max", "labels", "bag" or "joint"
    bins: Bins | None = None
    limits: Range | None = None
    forms: list[str] = field(default_factory=list)
    parts: Sequence[tuple[str, int]] = ()
    keys: Ints | None = None
    offsets: Sequence[int] = (0,)
    first: int = 0
    _index: dict[str, int] | None = None

    @property
    def size(self) -> int:
        """The number of weights at one offset."""
        if self.bins is not None:
            return len(self.bins)
        if self.keys is not None:
            return len(self.keys)
        return 1 if self.limits is not None else len(self.forms)

    @property
    def index(self) -> dict[str, int]:
        """The index of each label."""
        if self._index is None:
            self._index = {form: k for k, form in enumerate(self.forms)}
        return self._index

    def only(self, stays: Bools) -> Learned:
        """Return a copy with only the labels marked in `stays`; bins and ranges stay whole."""
        chosen = stays.tolist() if self.forms else []
        forms = [form for form, good in zip(self.forms, chosen, strict=True) if good]
        return replace(
            self, forms=forms, keys=None if self.keys is None else self.keys[stays], _index=None
        )

    def names(self, lexicons: Lexicons) -> list[str]:
        """Return the name of each weight, offset by offset."""
        if self.bins is not None:
            inner = [f"=bin{k}" for k in range(len(self.bins))]
        elif self.limits is not None:
            inner = [""]
        elif self.keys is not None:
            spellings = spelt(self.keys, [name for name, _ in self.parts], lexicons)
            inner = [f"={form}" for form in spellings]
        else:
            inner = [f"={form}" for form in self.forms]
        return [
            f"{self.name}{f'[{offset}]' if offset else ''}{end}"
            for offset in self.offsets
            for end in inner
        ]

    def place(self, column: Column, numbers: Numbers) -> Placed:
        """Return the weights of a column of a text; `numbers` are as for `Seen.add`."""
        if isinstance(column, Joint):
            return self._place_joint(joint_keys(column, numbers))
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
        valid = idx >= 0
        ptr = np.concatenate([[0], np.cumsum(valid)])[column.ptr]
        return Placed(ptr, idx[valid], column.values[valid])

    def _place_joint(self, joint_keys_wanted: Ints) -> Placed:
        if self.keys is None or not len(self.keys):
            return Placed(None, np.full(len(joint_keys_wanted), -1, dtype=np.int64), None)
        at = np.searchsorted(self.keys, joint_keys_wanted).clip(max=len(self.keys) - 1)
        return Placed(None, np.where(self.keys[at] == joint_keys_wanted, at, -1), None)


def used_lexicons(columns: Sequence[Learned], lexicons: Lexicons) -> Lexicons:
    """Return sorted lexicons of the labels in conjunctions; renumber the keys of `columns`."""
    # Collect the label numbers in use, sort their labels, and translate old numbers to new ones.
    used: dict[str, list[Ints]] = {}
    for column in columns:
        if column.keys is not None:
            numbers = parts_of(column.keys, len(column.parts))
            for k, (name, _) in enumerate(column.parts):
                used.setdefault(name, []).append(np.unique(numbers[:, k]))
    forms, new = {}, {}
    for name in sorted(used):
        known = ["", *lexicons.forms(name)]
        used_forms = [known[k] for k in np.unique(np.concatenate(used[name])).tolist() if k]
        forms[name] = sorted(used_forms)
        place = {form: k for k, form in enumerate(forms[name], start=1)}
        # 0 stays the number outside the text, even if the empty string is a label.
        renumbered = [0, *(place.get(form, 0) for form in known[1:])]
        new[name] = np.array(renumbered, dtype=np.int64)
    for column in columns:
        if column.keys is not None:
            numbers = parts_of(column.keys, len(column.parts))
            for k, (name, _) in enumerate(column.parts):
                numbers[:, k] = new[name][numbers[:, k]]
            column.keys = np.sort(keys_of(numbers))
    return Lexicons(forms)
