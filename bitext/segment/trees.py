"""Sums of regression trees as plain arrays, and their answers in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from bitext.errors import InputError
from bitext.segment.method import part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["Tree", "Trees"]

_CELLS = 1 << 20  # rows times trees looked at at once


class Tree(NamedTuple):
    """One tree; node 0 is its root, and a leaf has itself on both sides.

    Attributes
    ----------
    column : array of int64, shape (nodes,)
        The column that the node asks for.
    threshold : array of float64, shape (nodes,)
        Up to it a row goes to the left.
    left, right : array of int64, shape (nodes,)
        The nodes below.
    value : array of float64, shape (nodes,)
        What a leaf adds to the sum.
    depth : int
        The number of steps from the root to the deepest leaf.

    """

    column: NDArray[np.int64]
    threshold: NDArray[np.float64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: NDArray[np.float64]
    depth: int


class Trees(NamedTuple):
    """A number and trees, whose answers add up; all nodes stand one after another.

    Attributes
    ----------
    roots : array of int64, shape (trees,)
    column, threshold, left, right, value : arrays, shape (nodes,)
        As of a `Tree`; `left` and `right` count from the first node of all.
    base : float
        What the sum begins with.
    depth : int
        Of the deepest tree.

    """

    roots: NDArray[np.int64]
    column: NDArray[np.int64]
    threshold: NDArray[np.float64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: NDArray[np.float64]
    base: float
    depth: int

    @classmethod
    def of(cls, trees: Sequence[Tree], base: float) -> Self:
        """Lay out trees.

        Examples
        --------
        >>> stump = Tree(
        ...     column=np.array([0, 0, 0]),
        ...     threshold=np.array([0.5, 0.0, 0.0]),
        ...     left=np.array([1, 1, 2]),
        ...     right=np.array([2, 1, 2]),
        ...     value=np.array([0.0, -1.0, 1.0]),
        ...     depth=1,
        ... )
        >>> Trees.of([stump, stump], 0.25).sums(np.array([[0.5], [0.6]])).tolist()
        [-1.75, 2.25]

        """
        sizes = np.array([len(tree.value) for tree in trees], dtype=np.int64)
        roots = np.cumsum(sizes) - sizes
        shifts = np.repeat(roots, sizes)

        def laid(name: str, kind: type) -> NDArray[Any]:
            parts = [np.zeros(0, dtype=kind), *(getattr(tree, name) for tree in trees)]
            return np.concatenate(parts).astype(kind)

        return cls(
            roots,
            laid("column", np.int64),
            laid("threshold", np.float64),
            laid("left", np.int64) + shifts,
            laid("right", np.int64) + shifts,
            laid("value", np.float64),
            float(base),
            max((tree.depth for tree in trees), default=0),
        )

    def sums(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of each row of a dense matrix, added tree by tree from `base` on."""
        out = np.full(len(matrix), self.base)
        if not self.roots.size:
            return out
        step = max(1, _CELLS // self.roots.size)
        for begin in range(0, len(matrix), step):
            rows = matrix[begin : begin + step]
            lines = np.arange(len(rows))[:, None]
            at = np.broadcast_to(self.roots, (len(rows), self.roots.size))
            for _ in range(self.depth):
                below = rows[lines, self.column[at]] <= self.threshold[at]
                at = np.where(below, self.left[at], self.right[at])
            terms = np.column_stack([out[begin : begin + step], self.value[at]])
            # A running sum: the order of addition is that of the trees.
            out[begin : begin + step] = np.cumsum(terms, axis=1)[:, -1]
        return out

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return what the trees are: members of JSON, and arrays by name."""
        names = ("roots", "column", "threshold", "left", "right", "value")
        arrays = {f"trees.{name}": getattr(self, name) for name in names}
        return {"base": self.base, "depth": self.depth}, arrays

    @classmethod
    def from_parts(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], columns: int
    ) -> Self:
        """Make trees again of what `to_parts` gave, over so many columns.

        Raises
        ------
        InputError
            When a part is missing, or a node points to what there is not.

        """
        base, depth = header.get("base"), header.get("depth")
        value = part(arrays, "trees.value", "f", (None,))
        nodes = len(value)
        if not isinstance(base, int | float) or not isinstance(depth, int):
            raise InputError("the model does not tell the base and the depth of its trees")
        roots = part(arrays, "trees.roots", "i", (None,))
        left = part(arrays, "trees.left", "i", (nodes,))
        right = part(arrays, "trees.right", "i", (nodes,))
        column = part(arrays, "trees.column", "i", (nodes,))
        inside = all(bool(((p >= 0) & (p < nodes)).all()) for p in (roots, left, right))
        known = bool(((column >= 0) & (column < max(columns, 1))).all())
        if not (inside and known and 0 <= depth <= nodes):
            raise InputError("the trees of the model point to what there is not: train it anew")
        threshold = part(arrays, "trees.threshold", "f", (nodes,))
        return cls(roots, column, threshold, left, right, value, float(base), depth)
