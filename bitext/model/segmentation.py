"""A segmentation of n units into segments, in every spelling that is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from bitext.errors import SegmentationError
from bitext.model.frozen import Frozen, put

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

__all__ = ["Segmentation"]


class Segmentation(Frozen):
    """Masses over n units: the lengths of the segments, in order.

    Boundaries lie between units: a segmentation of n units has n-1 potential boundaries, and
    boundary b lies before unit b (1 <= b <= n-1). The two ends are not boundaries.

    As a sequence it is its segments, not its units: `len` is their number, and going over it or an
    index gives their masses as integers (a slice a list of them).

    Parameters
    ----------
    masses : sequence of int
        The length of each segment in units; all positive.
    types : sequence of sets, optional
        The types of each boundary, where boundaries of several types are told apart: a set of
        integers or strings for each of the m-1 boundaries of m segments, none of them empty.

    Raises
    ------
    SegmentationError
        When there is no mass, or one is not a positive integer, or there is not one set of types
        a boundary.

    Examples
    --------
    >>> s = Segmentation([5, 5, 1, 3])
    >>> s.n, len(s), s.boundaries.tolist(), s.bits()
    (14, 4, [5, 10, 11], '0000100001100')
    >>> s[0], s[-1], s[1:3]
    (5, 3, [5, 1])

    """

    __slots__ = ("masses", "types")

    masses: NDArray[np.int64]
    types: tuple[frozenset[int | str], ...] | None

    def __init__(
        self, masses: ArrayLike, types: Iterable[Iterable[int | str]] | None = None
    ) -> None:
        try:
            given = np.asarray(masses)
        except ValueError as error:
            raise SegmentationError(f"the masses are {masses!r:.60}: want integers") from error
        if given.ndim != 1 or given.size == 0:
            raise SegmentationError(
                f"the masses are {masses!r:.60}: want a list of at least one segment length"
            )
        if given.dtype.kind not in "iu":
            raise SegmentationError(f"the masses are {masses!r:.60}: want integers")
        wrong = np.flatnonzero(given <= 0)
        if wrong.size:
            k = int(wrong[0])
            raise SegmentationError(f"mass {k} is {given[k]}: want every mass above zero")
        # The sum in floating point does not turn over; 2**62 units are beyond all texts.
        if given.sum(dtype=np.float64) >= 2.0**62:
            raise SegmentationError("the masses sum to 2**62 or more: want fewer units")
        put(self, "masses", given.astype(np.int64))
        self.masses.flags.writeable = False
        put(self, "types", None if types is None else self._checked(types))

    def _checked(
        self, types: Iterable[Iterable[int | str]]
    ) -> tuple[frozenset[int | str], ...] | None:
        """Return the types as sets; of a segmentation without boundaries there are none."""
        try:
            sets = tuple(map(frozenset, types))
        except TypeError:
            raise SegmentationError(
                f"the types are {types!r:.60}: want a set of types for each boundary"
            ) from None
        wrong = next((t for found in sets for t in found if not isinstance(t, int | str)), None)
        if wrong is not None or any(None in found for found in sets):
            raise SegmentationError(f"type {wrong!r} is no integer or string: want one of these")
        if len(sets) != len(self) - 1:
            raise SegmentationError(
                f"there are types of {len(sets)} boundaries, and {len(self) - 1} boundaries: "
                f"want a set of types each"
            )
        bare = next((k for k, found in enumerate(sets) if not found), None)
        if bare is not None:
            raise SegmentationError(f"boundary {bare} has no type: want one or more each")
        return sets or None

    @classmethod
    def from_boundaries(cls, boundaries: Iterable[int], n: int) -> Segmentation:
        """Make a segmentation of `n` units from the positions of its boundaries, 1 to n-1."""
        positions = sorted(boundaries)
        for k, b in enumerate(positions):
            if not 1 <= b <= n - 1:
                raise SegmentationError(f"boundary {b} of {n} units: want positions 1 to {n - 1}")
            if k and positions[k - 1] == b:
                raise SegmentationError(f"boundary {b} is given twice: want each position once")
        return cls(np.diff([0, *positions, n]))

    @classmethod
    def from_types(cls, sets: Iterable[Iterable[int | str]]) -> Segmentation:
        """Make a segmentation from n-1 sets of types, one a potential boundary; empty for none."""
        given = list(map(frozenset, sets))
        at = [k + 1 for k, found in enumerate(given) if found]
        plain = cls.from_boundaries(at, len(given) + 1)
        return cls(plain.masses, [given[k - 1] for k in at])

    @classmethod
    def from_bits(cls, bits: str) -> Segmentation:
        """Make a segmentation from n-1 signs: `1` where a boundary lies, `0` where none does.

        A string of n signs with a closing 1 for the end of the text is another spelling: cut
        its last sign off before.
        """
        if not isinstance(bits, str):
            raise SegmentationError(f"the signs are {bits!r:.40}: want a string of 0s and 1s")
        wrong = next((k for k, sign in enumerate(bits) if sign not in "01"), None)
        if wrong is not None:
            raise SegmentationError(f"sign {wrong} is {bits[wrong]!r}: want 0s and 1s only")
        ones = [k + 1 for k, sign in enumerate(bits) if sign == "1"]
        return cls.from_boundaries(ones, len(bits) + 1)

    @classmethod
    def from_labels(cls, labels: Iterable[Hashable]) -> Segmentation:
        """Make a segmentation from one label a unit: a segment is a run of equal labels."""
        items = list(labels)
        if not items:
            raise SegmentationError("there are no labels: want one a unit")
        ones = [k for k in range(1, len(items)) if items[k] != items[k - 1]]
        return cls.from_boundaries(ones, len(items))

    @classmethod
    def from_spans(cls, spans: Iterable[tuple[int, int]]) -> Segmentation:
        """Make a segmentation from half-open spans, in order, each beginning where one ended."""
        masses, at = [], 0
        for k, span in enumerate(spans):
            try:
                start, end = span
            except (TypeError, ValueError):
                raise SegmentationError(f"span {k} is {span!r:.60}: want (start, end)") from None
            if start != at:
                raise SegmentationError(f"span {k} begins at {start}: want {at}, where one ended")
            masses.append(end - start)
            at = end
        return cls(masses)

    @property
    def n(self) -> int:
        """The number of units."""
        return int(self.masses.sum())

    @property
    def boundaries(self) -> NDArray[np.int64]:
        """The positions of the boundaries, ascending, between 1 and n-1."""
        return np.cumsum(self.masses)[:-1]

    def bits(self) -> str:
        """Return n-1 signs: `1` where a boundary lies, `0` where none does."""
        signs = np.full(self.n - 1, ord("0"), dtype=np.uint8)
        signs[self.boundaries - 1] = ord("1")
        return signs.tobytes().decode("ascii")

    def labels(self) -> NDArray[np.int64]:
        """Return the index of its segment for each unit."""
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
        found = self.masses[index]
        return found.tolist() if isinstance(index, slice) else int(found)

    def __iter__(self) -> Iterator[int]:
        return iter(self.masses.tolist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segmentation):
            return NotImplemented
        return np.array_equal(self.masses, other.masses) and self.types == other.types

    def __hash__(self) -> int:
        return hash(self.masses.tobytes())

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.masses[:20].tolist()))
        more = f", ... {len(self)} segments of {self.n} units" if len(self) > 20 else ""
        return f"Segmentation([{shown}{more}])"
