"""The segmentations of many texts, by the names of the texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError, SegmentationError, many
from bitext.kernels.arrays import Frozen, Rows, prefix, put, take
from bitext.model.segmentation import MOST_UNITS, Segmentation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from bitext.model.bitext import Note

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
    ptr: NDArray[np.int64]
    masses: NDArray[np.int64]
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
        put(self, "ids", ids)
        put(self, "ptr", np.asarray(ptr, dtype=np.int64))
        put(self, "masses", np.asarray(masses, dtype=np.int64))
        put(self, "types", types or {})
        put(self, "notes", tuple(notes))
        put(self, "_index", None)
        wrong = np.flatnonzero(self.masses <= 0)
        if wrong.size:
            text, mass = self.locate(int(wrong[0]))
            raise SegmentationError(
                f"mass {mass} of text {ids[text]!r} is {self.masses[wrong[0]]}: want every mass "
                f"above zero"
            )
        bare = np.flatnonzero(np.diff(self.ptr) <= 0)
        if bare.size:
            raise SegmentationError(f"text {ids[bare[0]]!r} has no mass: want one or more")
        if self.masses.sum(dtype=np.float64) >= MOST_UNITS:
            raise SegmentationError("the texts have 2**60 units or more")
        if len(set(ids)) < len(ids):
            twice = repeated(ids)
            raise InputError(
                f"two texts are named {ids[twice]!r}: give each text a name of its own"
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

    def take(self, chosen: NDArray[np.int64]) -> Segmentations:
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
    def sizes(self) -> NDArray[np.int64]:
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
        return f"<Segmentations of {len(self)} texts, {many(len(self.masses), 'segment')}>"


def repeated(ids: Sequence[str]) -> int:
    """Return the index of the first repeated name, or -1."""
    known: set[str] = set()
    for k, name in enumerate(ids):
        if name in known:
            return k
        known.add(name)
    return -1
