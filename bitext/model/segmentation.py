"""A segmentation of n units into segments, its notations, and the segmentations of many texts."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from bitext.errors import InputError, SegmentationError, many
from bitext.kernels.arrays import Bools, Frozen, Ints, Rows, as_array, prefix, put, put_all, take
from bitext.model.counts import Note, noted

# Notations by bits and by labels; `--from` has the same names.
BIT_FORMS = ("bits", "begin-bits", "end-bits", "bits-final")
BIO_FORMS = ("bio", "bio-outside", "bio-within")  # the last two say where `O` is
LABEL_FORMS = ("labels", *BIO_FORMS)

# Limit for one text, and for all texts in memory together: positions are 64-bit integers, and
# metrics multiply them by three.
MOST_UNITS = 2**60

_BIO = re.compile(r"([BIESLUM])(?:[-_](.+))?|(O)", re.DOTALL)
_BIO_WORDS = {
    word: word[0].upper()
    for word in ("begin", "inside", "outside", "end", "single", "last", "unit", "middle")
}
_OPENS, _CLOSES, _WITHIN = frozenset("BSU"), frozenset("ELSU"), frozenset("IMEL")


class Segmentation(Frozen):
    """Masses over n units: the lengths of the segments, in order.

    Boundaries lie between units: a segmentation of n units has n-1 potential boundaries, and
    boundary b lies before unit b (1 <= b <= n-1). The two ends are not boundaries.

    As a sequence, its items are the masses of its segments as integers: `len` is the number of
    segments, and a slice is a list of masses.

    Parameters
    ----------
    masses : sequence of int
        The length of each segment in units; all positive.
    types : sequence of sets, optional
        The types of each boundary, where boundaries have types: a non-empty set of integers or
        strings (or a string alone) for each of the m-1 boundaries of m segments. Boundary
        similarity, segmentation similarity, boundary confusion, the slot error rate and A with
        `type_weights` use the types; all other metrics compare positions alone (see
        `metric.typed`).

    Raises
    ------
    SegmentationError
        When there is no mass, a mass is not a positive integer, or there is not one set of types a
        boundary.

    Examples
    --------
    >>> s = Segmentation([5, 5, 1, 3])
    >>> s.n, len(s), s.boundaries.tolist(), s.bits()
    (14, 4, [5, 10, 11], '0000100001100')
    >>> s[0], s[-1], s[1:3]
    (5, 3, [5, 1])

    """

    __slots__ = ("masses", "types")

    masses: Ints
    types: tuple[frozenset[int | str], ...] | None

    def __init__(
        self, masses: ArrayLike, types: Iterable[Iterable[int | str]] | None = None
    ) -> None:
        try:
            values = as_array(_listed(masses))
        except ValueError as error:
            raise SegmentationError(f"the masses are {_shown(masses)}: want integers") from error
        if values.dtype == object and values.ndim == 1 and all(map(_is_integer, values.tolist())):
            values = np.array(values.tolist())  # a column of a data frame
        if values.ndim != 1 or values.size == 0:
            raise SegmentationError(
                f"the masses are {_shown(masses)}: want a list of at least one segment length"
            )
        if values.dtype.kind not in "iu":
            raise SegmentationError(f"the masses are {_shown(masses)}: want integers")
        faults = np.flatnonzero(values <= 0)
        if faults.size:
            k = int(faults[0])
            raise SegmentationError(f"mass {k} is {values[k]}: want every mass above zero")
        if values.sum(dtype=np.float64) >= MOST_UNITS:  # a sum of floats does not wrap around
            raise SegmentationError("the masses sum to 2**60 or more: want fewer units")
        put(self, "masses", values.astype(np.int64))
        self.masses.flags.writeable = False
        put(self, "types", None if types is None else self._checked(types))

    def _checked(
        self, types: Iterable[Iterable[int | str]]
    ) -> tuple[frozenset[int | str], ...] | None:
        """Return the types as sets; `None` for a segmentation without boundaries."""
        try:
            sets = tuple(map(_type_set, types))
        except TypeError:
            raise SegmentationError(
                f"the types are {types!r:.60}: want a set of types for each boundary"
            ) from None
        wrong_type = next(
            (t for types_there in sets for t in types_there if not isinstance(t, int | str)), None
        )
        if wrong_type is not None or any(None in types_there for types_there in sets):
            raise SegmentationError(
                f"type {wrong_type!r} is no integer or string: want one of these"
            )
        if len(sets) != len(self) - 1:
            raise SegmentationError(
                f"there are types of {len(sets)} boundaries, and {len(self) - 1} boundaries: "
                f"want a set of types each"
            )
        untyped = next((k for k, types_there in enumerate(sets) if not types_there), None)
        if untyped is not None:
            raise SegmentationError(f"boundary {untyped} has no type: want one or more each")
        return sets or None

    @classmethod
    def from_boundaries(cls, boundaries: Iterable[int], n: int) -> Segmentation:
        """Make a segmentation of `n` units from the positions of its boundaries, 1 to n-1."""
        if not _is_integer(n) or n < 1:
            raise SegmentationError(f"the number of units is {n!r:.40}: want an integer, 1 or more")
        values = _iterated(boundaries, "boundaries", "positions")
        wrong_value = next((b for b in values if not _is_integer(b)), None)
        if wrong_value is not None:
            advice = " (0s and 1s: from_bits)" if isinstance(wrong_value, bool | np.bool_) else ""
            raise SegmentationError(
                f"boundary {wrong_value!r:.40} is no integer: want positions 1 to {n - 1}{advice}"
            )
        positions = sorted(map(int, values))
        for k, b in enumerate(positions):
            if not 1 <= b <= n - 1:
                raise SegmentationError(f"boundary {b} of {n} units: want positions 1 to {n - 1}")
            if k and positions[k - 1] == b:
                raise SegmentationError(f"boundary {b} is given twice: want each position once")
        return cls(np.diff([0, *positions, int(n)]))

    @classmethod
    def from_types(cls, sets: Iterable[Iterable[int | str]]) -> Segmentation:
        """Make a segmentation from n-1 sets of types, one a potential boundary; empty for none."""
        listed = _iterated(sets, "types", "a set of types for each potential boundary")
        try:
            types = list(map(_type_set, listed))
        except TypeError:
            raise SegmentationError(
                f"the types are {_shown(listed)}: want a set for each potential boundary, empty "
                f"for none"
            ) from None
        positions = [k + 1 for k, types_there in enumerate(types) if types_there]
        untyped = cls.from_boundaries(positions, len(types) + 1)
        return cls(untyped.masses, [types[k - 1] for k in positions])

    @classmethod
    def from_bits(cls, bits: str | ArrayLike, *, form: str = "bits") -> Segmentation:
        """Make a segmentation from 0s and 1s: a string, or a list or array of numbers.

        Parameters
        ----------
        bits : str or array of int or bool
            A 0 or 1 for each potential boundary, or for each unit.
        form : {"bits", "begin-bits", "end-bits", "bits-final"}
            The meaning of the bits. `bits`: whether each of the n-1 potential boundaries of n units
            is a boundary. `begin-bits`: whether each of n units begins a segment; the first unit
            does, whatever its bit. `end-bits`: whether each of n units ends a segment; the last
            unit does, whatever its bit. `bits-final`: the same, and the last bit must be 1.

        Raises
        ------
        SegmentationError
            When a value is neither 0 nor 1, or the bit of the first or last unit is missing.

        Examples
        --------
        >>> Segmentation.from_bits("0010"), Segmentation.from_bits([1, 0, 0, 1], form="begin-bits")
        (Segmentation([3, 2]), Segmentation([3, 1]))

        """
        if form not in BIT_FORMS:
            raise SegmentationError(
                f"the form of bits {form!r} is not known: want one of {', '.join(BIT_FORMS)}"
            )
        ones = _as_booleans(bits)
        if form != "bits" and not ones.size:
            raise SegmentationError(f"there are no signs: {form} want one a unit")
        if form == "bits-final" and not ones[-1]:
            raise SegmentationError("the last sign is 0: bits-final want a closing 1")
        return cls(bit_masses(ones, form))

    @classmethod
    def from_labels(cls, labels: Iterable[Hashable], *, form: str | None = None) -> Segmentation:
        """Make a segmentation from one label per unit.

        Parameters
        ----------
        labels : iterable
            One label per unit: names or numbers of topics, or BIO labels.
        form : {"labels", "bio", "bio-outside", "bio-within"}, optional
            `labels`: a segment is a run of equal labels. `bio`: labels as `B`, `I`, `O`, `E`, `S`
            (also `L`, `U`, `M`, with a type as in `B-NP`, or in words as `begin`) mark the
            beginnings and ends of segments (`bio_begins`). In `bio-outside`, `O` is outside of all
            segments; in `bio-within`, it is within the segment before. Default: runs of equal
            labels, but labels that may be BIO labels are refused.

        Raises
        ------
        SegmentationError
            When there is no label, a label is not equal to itself (NaN), or is None although the
            form is not given, a label is no BIO label although `form` says so, or the form is not
            known or must be given, as for 0s and single 1s.

        Examples
        --------
        >>> Segmentation.from_labels(["rain", "rain", "snow"])
        Segmentation([2, 1])
        >>> Segmentation.from_labels("BIIBIBII", form="bio")
        Segmentation([3, 2, 3])

        """
        if form not in (None, *LABEL_FORMS):
            raise SegmentationError(
                f"the form of labels {form!r} is not known: want one of {', '.join(LABEL_FORMS)}"
            )
        if isinstance(labels, AbstractSet) and len(labels) > 1:
            raise SegmentationError(
                f"the labels are {_shown(labels)}, which have no order: want a list of a label for "
                f"each unit"
            )
        if isinstance(labels, Mapping) or getattr(labels, "ndim", 1) != 1:
            # These would give their keys, and the names of their columns.
            raise SegmentationError(
                f"the labels are of type {type(labels).__name__}: want a list of a label for each "
                f"unit, or one column"
            )
        items = _iterated(labels, "labels", "a label for each unit")
        if not items:
            raise SegmentationError("there are no labels: want one a unit")
        lone = next((k for k, label in enumerate(items) if not _is_itself(label)), None)
        if lone is not None:
            raise SegmentationError(
                f"label {lone} is {items[lone]!r}, which equals nothing: want a label for each unit"
            )
        none = next((k for k, label in enumerate(items) if label is None), None)
        if form is None and none is not None:
            raise SegmentationError(
                f"label {none} is None: want a label for each unit, or name the form "
                f"(form='labels') if None is a label like others"
            )
        unhashable = next(
            (k for k, label in enumerate(items) if not isinstance(label, Hashable)), None
        )
        if unhashable is not None:
            raise SegmentationError(
                f"label {unhashable} is {_shown(items[unhashable])}: want a name or a number"
            )
        if form is None and all(isinstance(label, bool | np.bool_) for label in items):
            raise SegmentationError(
                "the labels are all True or False, which may say where segments begin or end: give "
                "them to from_bits (form='begin-bits' or 'end-bits'), or name form='labels'"
            )
        if form is None and _may_be_signs(items):
            raise SegmentationError(
                "the labels are 0s and 1s of which no two 1s follow each other, so that these may "
                "say where segments begin or end: give them to from_bits (form='begin-bits' or "
                "'end-bits'), or name form='labels'"
            )
        if form is None and may_be_bio(items):
            raise SegmentationError(
                "the labels are those of BIO, which begin a segment at each B, or names of which "
                "a run makes a segment: name the form (form='bio' or form='labels')"
            )
        if form in BIO_FORMS:
            opens = bio_begins(items, outside=None if form == "bio" else form == "bio-outside")
        else:
            opens = [k for k in range(1, len(items)) if items[k] != items[k - 1]]
        return cls.from_boundaries(opens, len(items))

    @classmethod
    def from_spans(
        cls, spans: Iterable[tuple[int, int]], *, inclusive: bool = False, first: int = 0
    ) -> Segmentation:
        """Make a segmentation from spans in order, each beginning at the end of the one before.

        Parameters
        ----------
        spans : iterable of pairs of int
            The first unit of each segment, and the unit after its last one (half-open).
        inclusive : bool
            Whether the second number is the last unit itself.
        first : int
            The number of the first unit: 0, or 1.

        """
        if not (isinstance(inclusive, bool | np.bool_) and _is_integer(first)):
            raise SegmentationError(
                f"inclusive is {inclusive!r:.40} and first {first!r:.40}: want True or False, "
                f"and a number"
            )
        masses, expected = [], first
        listed = _iterated(spans, "spans", "a pair of numbers for each segment")
        for k, span in enumerate(listed):
            try:
                start, end = span
            except (TypeError, ValueError):
                raise SegmentationError(f"span {k} is {span!r:.60}: want (start, end)") from None
            if not (_is_integer(start) and _is_integer(end)):
                raise SegmentationError(f"span {k} is {span!r:.60}: want two integers")
            start, end = int(start), int(end)  # small integers of NumPy overflow
            if start != expected:
                raise SegmentationError(
                    f"span {k} begins at {start}: want {expected}, where one ended"
                )
            expected = end + inclusive
            masses.append(expected - start)
        return cls(masses)

    @property
    def n(self) -> int:
        """The number of units."""
        return int(self.masses.sum())

    @property
    def boundaries(self) -> Ints:
        """The positions of the boundaries, ascending, between 1 and n-1."""
        return np.cumsum(self.masses)[:-1]

    def bits(self) -> str:
        """Return n-1 characters: `1` for a boundary, `0` for none."""
        digits = np.full(self.n - 1, ord("0"), dtype=np.uint8)
        digits[self.boundaries - 1] = ord("1")
        return digits.tobytes().decode("ascii")

    def labels(self) -> Ints:
        """Return the index of the segment of each unit."""
        return np.repeat(np.arange(len(self)), self.masses)

    def spans(self) -> list[tuple[int, int]]:
        """Return the half-open span of each segment."""
        ends = np.cumsum(self.masses)
        return list(zip((ends - self.masses).tolist(), ends.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self.masses)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        masses = self.masses[index]
        return masses.tolist() if isinstance(index, slice) else int(masses)

    def __iter__(self) -> Iterator[int]:
        return iter(self.masses.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentation):
            return NotImplemented
        return np.array_equal(self.masses, other.masses) and self.types == other.types

    def __hash__(self) -> int:
        return hash(self.masses.tobytes())

    def __repr__(self) -> str:
        masses = ", ".join(map(str, self.masses[:20].tolist()))
        rest = f", ... {many(len(self), 'segment')} of {self.n} units" if len(self) > 20 else ""
        return f"Segmentation([{masses}{rest}])"


def may_be_bio(labels: Iterable[object]) -> bool:
    """Check whether all labels are BIO labels, and some begin or end segments."""
    tags = {bio_parts(label)[0] for label in set(labels)}
    return "" not in tags and (
        "B" in tags or ("E" in tags and tags <= set("EIO") and tags != {"E"})
    )


def is_sound_bio(labels: Sequence[object]) -> bool:
    """Check the order of BIO labels; return True for a valid sequence.

    `B`, `I` and `O` alone may follow each other in any order; with `E`, `S` and the like, a segment
    that begins must end.
    """
    tags = [bio_parts(label)[0] for label in labels]
    if set(tags) <= set("BIO") or not set(tags) & _OPENS:
        return True
    is_within = False
    for tag in tags:
        if (tag in _WITHIN) != is_within:
            return False
        is_within = tag not in _CLOSES and tag != "O"
    return not is_within


def bio_begins(labels: Sequence[object], *, outside: bool | None = None) -> list[int]:
    """Return the units, after the first, at which BIO labels begin a segment.

    A segment begins at `B`, `S` (`U`), after `E` (`L`), `S` (`U`), where the type changes, and
    where units outside of all segments (`O`) begin or end. If `O` is the only label for units
    within a segment (`B O O B O`), it continues the segment. `outside` overrides this choice.

    Raises `SegmentationError` when a label is no BIO label.
    """
    parts_of_label = {label: bio_parts(label) for label in set(labels)}
    unknown = next((k for k, label in enumerate(labels) if not parts_of_label[label][0]), None)
    if unknown is not None:
        raise SegmentationError(
            f"label {unknown} is {labels[unknown]!r:.40}: want BIO labels, as B, I, O, E, S or B-NP"
        )
    outside = has_outside(parts_of_label) if outside is None else outside
    begins = []
    previous_tag, kind = parts_of_label[labels[0]] if labels else ("", "")
    for k, label in enumerate(labels):
        tag, type_ = parts_of_label[label]
        if k and (
            tag in _OPENS
            or previous_tag in _CLOSES
            or (outside and (tag == "O") != (previous_tag == "O"))
            or (tag != "O" != previous_tag and type_ and kind and type_ != kind)
        ):
            begins.append(k)
        previous_tag, kind = tag, type_
    return begins


def has_outside(labels: Iterable[object]) -> bool:
    """Check whether `O` lies outside of all segments, and does not continue one.

    `O` lies outside where other labels stand for units within a segment.
    """
    tags = {bio_parts(label)[0] for label in set(labels)}
    return "O" in tags and bool(tags & set("IM") or (tags & _OPENS and tags & _CLOSES))


def bio_form(labels: Iterable[object]) -> str:
    """Return the form of BIO labels, which says for labels with `O` where it is."""
    labels_used = set(labels)
    if all(bio_parts(label)[0] != "O" for label in labels_used):
        return "bio"
    return "bio-outside" if has_outside(labels_used) else "bio-within"


def bio_parts(label: object) -> tuple[str, str]:
    """Return the tag and the type of a BIO label; the tag is empty for any other label."""
    if not isinstance(label, str):
        return "", ""
    match = _BIO.fullmatch(label)
    if match:
        return match[1] or match[3], match[2] or ""
    word, _, kind = label.partition("-")
    return _BIO_WORDS.get(word.lower(), ""), kind


def bit_masses(ones: Bools, form: str) -> Ints:
    """Return the masses of bits, as in `Segmentation.from_bits`."""
    if form == "begin-bits":
        ones = ones[1:]
    elif form != "bits":
        ones = ones[:-1]
    edges = np.concatenate([[0], np.flatnonzero(ones) + 1, [ones.size + 1]])
    return np.diff(edges).astype(np.int64)


def _may_be_signs(labels: Sequence[object]) -> bool:
    """Recognise 0s and 1s, for each unit, with single 1s among more 0s."""
    if set(labels) not in ({0, 1}, {"0", "1"}):
        return False
    following = {(str(a)[0], str(b)[0]) for a, b in pairwise(labels)}
    several = sum(str(label)[0] == "1" for label in labels) > 1
    return several and ("0", "0") in following and ("1", "1") not in following


def _is_itself(label: object) -> bool:
    try:
        return bool(label == label)  # noqa: PLR0124 - NaN is not
    except (TypeError, ValueError):
        return False  # pandas.NA raises an error


def _type_set(types: Iterable[int | str]) -> frozenset[int | str]:
    if isinstance(types, str):
        return frozenset([types] if types else [])
    return frozenset(int(each) if isinstance(each, np.integer) else each for each in types)


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _listed(values: Any) -> Any:
    return list(values) if isinstance(values, Iterator) else values


def _iterated(values: Iterable[Any], noun: str, expected: str) -> list[Any]:
    """Return values as a list; refuse a value that is not iterable."""
    try:
        return list(values)
    except TypeError:
        raise SegmentationError(f"the {noun} are {_shown(values)}: want {expected}") from None


def _shown(value: object) -> str:
    """Return a value on one line, cut short."""
    return f"{' '.join(repr(value).split()):.60}"


def _as_booleans(bits: str | ArrayLike) -> Bools:
    if isinstance(bits, str):
        wrong_index = next((k for k, character in enumerate(bits) if character not in "01"), None)
        if wrong_index is not None:
            raise SegmentationError(
                f"sign {wrong_index} is {bits[wrong_index]!r}: want 0s and 1s only"
            )
        return np.asarray(np.frombuffer(bits.encode(), dtype=np.uint8) == ord("1"))
    try:
        values = as_array(_listed(bits))
    except ValueError:
        values = np.zeros((0, 0))
    if values.ndim != 1 or (values.size and values.dtype.kind not in "biu"):
        advice = {"f": ", as integers", "U": ", as integers, or joined to one string"}
        raise SegmentationError(
            f"the signs are {_shown(bits)}: want a string of 0s and 1s, or a list or array of them"
            f"{advice.get(values.dtype.kind, '') if values.size else ''}"
        )
    other = np.flatnonzero((values != 0) & (values != 1))
    if other.size:
        k = int(other[0])
        raise SegmentationError(f"sign {k} is {values[k]}: want 0s and 1s only")
    return values.astype(np.bool_)


# The segmentations of many texts, by the names of the texts.

Types = tuple[frozenset[int | str], ...]


class Segmentations(Frozen, Mapping[str, Segmentation]):
    """Segmentations by the names of their texts, as two arrays; views are created on access.

    Parameters
    ----------
    ids : sequence of str
        The names of the texts, in order, without repeats.
    ptr : array of int64, shape (texts + 1,)
        Text t has the masses `ptr[t]` to `ptr[t + 1]`.
    masses : array of int64
        The masses of all texts, one text after another.
    types : mapping of int to tuple of sets, optional
        The types of boundaries, by the index of the text, for texts with types.
    notes : sequence of Note
        The notes of a reader on unusual input.

    Raises
    ------
    SegmentationError
        When a text has no mass, or a mass is not above zero.
    InputError
        When two texts have the same name.

    Examples
    --------
    >>> result = Segmentations.of({"a": Segmentation([5, 5]), "b": Segmentation([1])})
    >>> result["a"], result.sizes.tolist(), list(result)
    (Segmentation([5, 5]), [10, 1], ['a', 'b'])

    """

    __slots__ = ("_index", "ids", "masses", "notes", "ptr", "types")

    ids: Sequence[str]
    ptr: Ints
    masses: Ints
    types: Mapping[int, Types]
    notes: tuple[Note, ...]
    _index: dict[str, int] | None

    def __init__(
        self,
        ids: Sequence[str],
        ptr: ArrayLike,
        masses: ArrayLike,
        *,
        types: Mapping[int, Types] | None = None,
        notes: Iterable[Note] = (),
    ) -> None:
        put_all(self, ids=ids, types=types or {}, notes=tuple(notes), _index=None)
        put(self, "ptr", np.asarray(ptr, dtype=np.int64))
        put(self, "masses", np.asarray(masses, dtype=np.int64))
        faults = np.flatnonzero(self.masses <= 0)
        if faults.size:
            text, mass = self.locate(int(faults[0]))
            raise SegmentationError(
                f"mass {mass} of text {ids[text]!r} is {self.masses[faults[0]]}: want every mass "
                f"above zero"
            )
        empty_texts = np.flatnonzero(np.diff(self.ptr) <= 0)
        if empty_texts.size:
            raise SegmentationError(f"text {ids[empty_texts[0]]!r} has no mass: want one or more")
        if self.masses.sum(dtype=np.float64) >= MOST_UNITS:
            raise SegmentationError("the texts have 2**60 units or more")
        if len(set(ids)) < len(ids):
            repeated_index = repeated(ids)
            raise InputError(
                f"two texts are named {ids[repeated_index]!r}: give each text a name of its own"
            )

    @classmethod
    def of(cls, found: Mapping[str, Segmentation]) -> Segmentations:
        """Make the arrays of a mapping of segmentations."""
        parts = [part.masses for part in found.values()]
        ptr = prefix(np.fromiter(map(len, parts), dtype=np.int64, count=len(parts)))
        types = {k: part.types for k, part in enumerate(found.values()) if part.types is not None}
        return cls(list(found), ptr, np.concatenate([np.zeros(0, np.int64), *parts]), types=types)

    @classmethod
    def join(cls, parts: Sequence[Segmentations], ids: Sequence[str]) -> Segmentations:
        """Join the texts of all parts, one after another, under new names."""
        begins = prefix(np.array([len(part) for part in parts], dtype=np.int64)).tolist()
        types = {
            begin + k: held
            for begin, part in zip(begins, parts, strict=False)
            for k, held in part.types.items()
        }
        segments = np.concatenate([np.zeros(0, np.int64), *(np.diff(p.ptr) for p in parts)])
        masses = np.concatenate([np.zeros(0, np.int64), *(p.masses for p in parts)])
        notes = [note for part in parts for note in part.notes]
        return cls(ids, prefix(segments), masses, types=types, notes=notes)

    def take(self, chosen: Ints) -> Segmentations:
        """Return the chosen texts, in the order of `chosen`."""
        rows = take(Rows(self.ptr, self.masses), chosen)
        types = (
            {k: self.types[t] for k, t in enumerate(chosen.tolist()) if t in self.types}
            if self.types
            else {}
        )
        ids = [self.ids[t] for t in chosen.tolist()]
        return Segmentations(ids, rows.ptr, rows.idx, types=types, notes=self.notes)

    @property
    def sizes(self) -> Ints:
        """The number of units of each text."""
        ends = prefix(self.masses)[self.ptr]
        return np.diff(ends)

    def at(self, index: int) -> Segmentation:
        """Return the segmentation of the text at an index."""
        masses = self.masses[self.ptr[index] : self.ptr[index + 1]]
        return Segmentation(masses, self.types.get(index))

    def locate(self, mass: int) -> tuple[int, int]:
        """Return the text of a mass of the array, and the index of the mass in this text."""
        text = int(np.searchsorted(self.ptr, mass, side="right")) - 1
        return text, mass - int(self.ptr[text])

    def index(self, name: str) -> int:
        """Return the index of a text; `KeyError` if there is none."""
        return self._indices()[name]

    def _indices(self) -> dict[str, int]:
        if self._index is None:
            put(self, "_index", {known: k for k, known in enumerate(self.ids)})
        return self._index or {}

    def __contains__(self, name: object) -> bool:
        return name in self._indices()  # and no view of the text need be made

    def __getitem__(self, name: str) -> Segmentation:
        return self.at(self.index(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentations):
            return Mapping.__eq__(self, other)
        return (
            list(self.ids) == list(other.ids)
            and np.array_equal(self.ptr, other.ptr)
            and np.array_equal(self.masses, other.masses)
            and self.types == other.types
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        sizes = f"{many(len(self), 'text')}, {many(len(self.masses), 'segment')}"
        return f"<Segmentations of {sizes}{noted(self.notes)}>"


def repeated(ids: Sequence[str]) -> int:
    """Return the index of the first repeated name, or -1."""
    seen: set[str] = set()
    for k, name in enumerate(ids):
        if name in seen:
            return k
        seen.add(name)
    return -1
