"""Gradient boosting of trees over the features of single sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from bitext.errors import InputError, OptionError, import_extra
from bitext.segment.features.text import NodeRows
from bitext.segment.method import (
    Decisions,
    Method,
    decisions,
    inner_rows,
    part,
    starts_of,
    weight_count,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.features.text import TextFeatures
    from bitext.segment.method import Gold, Sentences

__all__ = ["Boosting", "Tree", "Trees"]


# Sums of regression trees as plain arrays, evaluated by numpy.

_CELLS = 1 << 20  # rows times trees evaluated at once; set by hand to bound memory


class Tree(NamedTuple):
    """A regression tree; node 0 is the root, and both children of a leaf are the leaf itself.

    Attributes
    ----------
    column : array of int64, shape (nodes,)
        The column that the node compares with its threshold.
    threshold : array of float64, shape (nodes,)
        Rows with a value up to the threshold go left.
    left, right : array of int64, shape (nodes,)
        The children.
    value : array of float64, shape (nodes,)
        The value that a leaf adds to the sum.
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
    """A base value plus a sum of trees, with the nodes of all trees concatenated.

    Attributes
    ----------
    roots : array of int64, shape (trees,)
    column, threshold, left, right, value : arrays, shape (nodes,)
        The arrays of the `Tree`s; `left` and `right` index the concatenated nodes.
    base : float
        The initial value of the sum.
    depth : int
        The depth of the deepest tree.

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
        """Concatenate trees.

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

    def sums(self, matrix: NDArray[np.float64], *, at_once: int = _CELLS) -> NDArray[np.float64]:
        """Return the sum of each row of a dense matrix, added tree by tree from `base` on.

        `at_once` bounds the number of rows times trees evaluated together.
        """
        out = np.full(len(matrix), self.base)
        if not self.roots.size:
            return out
        step = max(1, at_once // self.roots.size)
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
        """Return the base and the depth for a JSON header, and the arrays by name."""
        names = ("roots", "column", "threshold", "left", "right", "value")
        arrays = {f"trees.{name}": getattr(self, name) for name in names}
        return {"base": self.base, "depth": self.depth}, arrays

    @classmethod
    def from_parts(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], columns: int
    ) -> Self:
        """Rebuild trees from the output of `to_parts`, over a number of columns.

        Raises
        ------
        InputError
            When a part is missing, or a node refers to a child or a column that does not exist.

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


_BLOCK = 4096  # sentences whose columns are in memory at once; set by hand


class Boosting(Method):
    """Gradient boosting of trees, trained by scikit-learn's `HistGradientBoostingClassifier`.

    The trees use the columns that are non-zero in most decisions, numeric features among them; rare
    words are left out. The trained model is stored as plain arrays: prediction needs numpy only,
    and equals that of scikit-learn to the last bit.

    Parameters
    ----------
    rounds : int
        The number of trees.
    rate : float
        The learning rate: the factor of the values of each tree.
    leaves : int
        The maximum number of leaves of a tree.
    columns : int
        The maximum number of columns that trees use.
    seed : int
        The seed of scikit-learn, which draws no random numbers with the options used here.

    Notes
    -----
    If all training decisions are equal, the model always gives that answer. Training needs a dense
    matrix of decisions times columns, 8 bytes a cell.

    **Source**: Shi et al. (2007), section 4, compare with boosting; Friedman (2001), Ke et al.
    (2017). **Departures**: they use AdaBoost; gradient boosting of trees is used here.

    """

    name = "boosting"
    probable = True
    options = ("rounds", "rate", "leaves", "columns", "seed")
    tuned = ("rounds", (50, 100, 200, 400))

    def __init__(
        self,
        *,
        rounds: int = 200,
        rate: float = 0.1,
        leaves: int = 31,
        columns: int = 500,
        seed: int = 0,
    ) -> None:
        if rounds < 1 or columns < 1:
            raise OptionError(f"{rounds!r} rounds and {columns!r} columns: want 1 or more each")
        if leaves < 2:
            raise OptionError(f"{leaves!r} leaves of a tree: want 2 or more")
        if not 0 < rate <= 1:
            raise OptionError(f"the rate is {rate!r}: want a number above 0, up to 1")
        self.rounds, self.rate, self.leaves = rounds, rate, leaves
        self.columns, self.seed = columns, seed
        self.selected = np.zeros(0, dtype=np.int64)
        self.trees = Trees.of([], -1.0)

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        texts: Sequence[Sentences] | None = None,
    ) -> Self:
        """Train; raise the errors of `Method.fit`."""
        del texts
        given = decisions(features, golds)
        held = np.bincount(given.rows.idx, minlength=weight_count(features, edges=False))
        # The most frequent columns; the first of equally frequent ones.
        often = np.argsort(-held, kind="stable")[: self.columns]
        self.selected = np.sort(often[held[often] > 0]).astype(np.int64)
        if given.decided and self.selected.size:
            self._train(given)
        else:
            self.trees = Trees.of([], 1.0 if given.majority else -1.0)
        return self

    def _train(self, given: Decisions) -> None:
        ensemble = import_extra(
            "sklearn.ensemble", what="training the method 'boosting'", extra="paragraphs"
        )
        learner = ensemble.HistGradientBoostingClassifier(
            max_iter=self.rounds,
            learning_rate=self.rate,
            max_leaf_nodes=self.leaves,
            early_stopping=False,
            random_state=self.seed,
        )
        learner.fit(dense(given.rows, self.selected), given.starts)
        grown = [_tree(tree.nodes) for (tree,) in learner._predictors]  # noqa: SLF001
        self.trees = Trees.of(grown, learner._baseline_prediction.item())  # noqa: SLF001

    def scores(self, features: TextFeatures, *, at_once: int = _BLOCK) -> NDArray[np.float64]:
        """Return the log odds of each sentence, shape (n,); above 0 a paragraph starts.

        `at_once` bounds the number of sentences whose columns are in memory.
        """
        ptr, idx, values = inner_rows(features)
        out = np.full(features.n, np.inf)
        for begin in range(0, len(ptr) - 1, at_once):
            some = ptr[begin : begin + at_once + 1]
            cells = slice(some[0], some[-1])
            rows = NodeRows(some - some[0], idx[cells], values[cells])
            out[begin + 1 : begin + len(some)] = self.trees.sums(dense(rows, self.selected))
        return out

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs."""
        del text
        return self.by_offset(features)(self.offset)

    def by_offset(self, features: TextFeatures) -> Callable[[float], NDArray[np.int64]]:
        """Return a function from an offset to the paragraph starts of a text."""
        scores = self.scores(features)
        return lambda offset: starts_of(scores > -offset)

    def confidence(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.float64]:
        """Return the probability that each sentence starts a paragraph, shape (n,)."""
        del text
        out: NDArray[np.float64] = (1 + np.tanh((self.scores(features) + self.offset) / 2)) / 2
        return out

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the options, the columns and the trees."""
        header, arrays = self.trees.to_parts()
        return {**self.chosen(), **header}, {"kept": self.selected, **arrays}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
        out = cls.made(header)
        out.selected = part(arrays, "kept", "i", (None,))
        if (out.selected[:1] < 0).any() or (np.diff(out.selected) <= 0).any():
            raise InputError("the columns of the model do not ascend from 0: train it anew")
        out.trees = Trees.from_parts(header, arrays, len(out.selected))
        return out


def dense(rows: NodeRows, columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return selected columns of rows as a matrix, shape (rows, columns); `columns` ascends."""
    out = np.zeros((len(rows.ptr) - 1, len(columns)))
    if not columns.size:
        return out
    places = np.minimum(np.searchsorted(columns, rows.idx), len(columns) - 1)
    there = columns[places] == rows.idx
    lines = np.repeat(np.arange(len(out)), np.diff(rows.ptr))
    out[lines[there], places[there]] = rows.values[there]
    return out


def _tree(nodes: Any) -> Tree:
    """Convert a tree of scikit-learn, a structured array of nodes."""
    count = len(nodes)
    leaf = nodes["is_leaf"].astype(bool)
    own = np.arange(count)
    return Tree(
        np.where(leaf, 0, nodes["feature_idx"]).astype(np.int64),
        # The children of a leaf are the leaf itself, so its column does not matter.
        np.where(leaf, 0.0, nodes["num_threshold"]).astype(np.float64),
        np.where(leaf, own, nodes["left"]).astype(np.int64),
        np.where(leaf, own, nodes["right"]).astype(np.int64),
        np.where(leaf, nodes["value"], 0.0).astype(np.float64),
        int(nodes["depth"].max(initial=0)),
    )
