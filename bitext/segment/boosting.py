"""Gradient boosting of trees over the features of single sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.segment.decisions import Decisions, decisions, inner_rows, weight_count
from bitext.segment.extras import need
from bitext.segment.method import Method, part, starts_of
from bitext.segment.text_features import NodeRows
from bitext.segment.trees import Tree, Trees

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.method import Gold, Sentences
    from bitext.segment.text_features import TextFeatures

__all__ = ["Boosting"]

_BLOCK = 4096  # sentences whose columns are held at once


class Boosting(Method):
    """Gradient boosting of trees, trained by scikit-learn's `HistGradientBoostingClassifier`.

    The trees look at the columns that most decisions have, the numbers among them; rare words are
    left out. What is learned is kept as plain arrays: applying it needs numpy only, and gives to
    the last bit what scikit-learn gives.

    Parameters
    ----------
    rounds : int
        The number of trees.
    rate : float
        The share of each tree that is added.
    leaves : int
        The most leaves of a tree.
    columns : int
        The most columns that trees look at.
    seed : int
        Of what scikit-learn draws, which is nothing with its present options.

    Notes
    -----
    Where training knows one answer only, that is the answer. All cells of the columns are held at
    once in training: decisions times columns of 8 bytes.

    **Source**: Shi et al. (2007), section 4, compare with boosting; Friedman (2001), Ke et al.
    (2017). **Departures**: theirs is AdaBoost of stumps or trees; gradient boosting is stronger.

    """

    name = "boosting"
    probable = True
    options = ("rounds", "rate", "leaves", "columns", "seed")

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
        self.kept = np.zeros(0, dtype=np.int64)
        self.trees = Trees.of([], -1.0)

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        texts: Sequence[Sentences] | None = None,
    ) -> Self:
        """Train; raises as `Method.fit`."""
        del texts
        given = decisions(features, golds)
        held = np.bincount(given.rows.idx, minlength=weight_count(features, edges=False))
        # The most frequent; of equally frequent ones the first.
        often = np.argsort(-held, kind="stable")[: self.columns]
        self.kept = np.sort(often[held[often] > 0]).astype(np.int64)
        if given.decided and self.kept.size:
            self._train(given)
        else:
            self.trees = Trees.of([], 1.0 if given.majority else -1.0)
        return self

    def _train(self, given: Decisions) -> None:
        ensemble = need("sklearn.ensemble", "training the method 'boosting'")
        learner = ensemble.HistGradientBoostingClassifier(
            max_iter=self.rounds,
            learning_rate=self.rate,
            max_leaf_nodes=self.leaves,
            early_stopping=False,
            random_state=self.seed,
        )
        learner.fit(dense(given.rows, self.kept), given.starts)
        grown = [_tree(found.nodes) for (found,) in learner._predictors]  # noqa: SLF001
        self.trees = Trees.of(grown, learner._baseline_prediction.item())  # noqa: SLF001

    def scores(self, features: TextFeatures) -> NDArray[np.float64]:
        """Return the log odds of each sentence, shape (n,); above 0 a paragraph starts."""
        ptr, idx, values = inner_rows(features)
        out = np.full(features.n, np.inf)
        for begin in range(0, len(ptr) - 1, _BLOCK):
            some = ptr[begin : begin + _BLOCK + 1]
            cells = slice(some[0], some[-1])
            rows = NodeRows(some - some[0], idx[cells], values[cells])
            out[begin + 1 : begin + len(some)] = self.trees.sums(dense(rows, self.kept))
        return out

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs."""
        del text
        return starts_of(self.scores(features) > 0)

    def confidence(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.float64]:
        """Return the probability of each sentence to start a paragraph, shape (n,)."""
        del text
        out: NDArray[np.float64] = (1 + np.tanh(self.scores(features) / 2)) / 2
        return out

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the options, the columns and the trees."""
        header, arrays = self.trees.to_parts()
        return {**self.chosen(), **header}, {"kept": self.kept, **arrays}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the method again of what `to_parts` gave; raises as `Method.from_parts`."""
        out = cls.made(header)
        out.kept = part(arrays, "kept", "i", (None,))
        if (out.kept[:1] < 0).any() or (np.diff(out.kept) <= 0).any():
            raise InputError("the columns of the model do not ascend from 0: train it anew")
        out.trees = Trees.from_parts(header, arrays, len(out.kept))
        return out


def dense(rows: NodeRows, kept: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the kept columns of rows as a matrix, shape (rows, kept); `kept` ascends."""
    out = np.zeros((len(rows.ptr) - 1, len(kept)))
    if not kept.size:
        return out
    places = np.minimum(np.searchsorted(kept, rows.idx), len(kept) - 1)
    there = kept[places] == rows.idx
    lines = np.repeat(np.arange(len(out)), np.diff(rows.ptr))
    out[lines[there], places[there]] = rows.values[there]
    return out


def _tree(nodes: Any) -> Tree:
    """Read a tree of scikit-learn: an array of nodes with fields."""
    count = len(nodes)
    leaf = nodes["is_leaf"].astype(bool)
    own = np.arange(count)
    return Tree(
        np.where(leaf, 0, nodes["feature_idx"]).astype(np.int64),
        # A leaf leads to itself, whatever it asks for.
        np.where(leaf, 0.0, nodes["num_threshold"]).astype(np.float64),
        np.where(leaf, own, nodes["left"]).astype(np.int64),
        np.where(leaf, own, nodes["right"]).astype(np.int64),
        np.where(leaf, nodes["value"], 0.0).astype(np.float64),
        int(nodes["depth"].max(initial=0)),
    )
