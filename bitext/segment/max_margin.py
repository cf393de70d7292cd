"""Max-margin models of whole texts as methods beside the others: semi-Markov, and a plain chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.segment.decisions import weight_count
from bitext.segment.method import Method, checked_golds, part
from bitext.segment.semi_markov import decode, marginals
from bitext.segment.text_features import EdgeColumn, TextFeatures
from bitext.segment.training import SOLVERS, train

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.method import Gold, Sentences

__all__ = ["MaxMarginChain", "SemiMarkov", "chain_features"]


class SemiMarkov(Method):
    """The max-margin semi-Markov model: nodes and edges, trained on the loss of whole texts.

    Parameters
    ----------
    solver : {"auto", "cutting-plane", "bcfw"}
        How to train (`bitext.segment.training`).
    cost : float
        C, the weight of the loss of each text.
    passes : int, optional
        At most so many passes over the texts; by default as many as the solver usually needs.
    tolerance : float
        The gap between primal and dual, as a share, at which training is done.
    seed : int
        Of the order of texts.

    Attributes
    ----------
    notes : tuple of str
        What training found odd about the gold paragraphs.

    Notes
    -----
    **Source**: Shi et al. (2007), sections 2 and 3.

    """

    name = "semi-markov"
    probable = True
    options = ("solver", "cost", "passes", "tolerance", "seed")

    def __init__(
        self,
        *,
        solver: str = "auto",
        cost: float = 0.1,
        passes: int | None = None,
        tolerance: float = 1e-3,
        seed: int = 0,
    ) -> None:
        if solver not in SOLVERS:
            raise OptionError(f"solver {solver!r} is not known: want one of {', '.join(SOLVERS)}")
        if not cost > 0:
            raise OptionError(f"the cost is {cost!r}: want a number above 0")
        if passes is not None and passes < 1:
            raise OptionError(f"the passes are {passes!r}: want 1 or more")
        self.solver, self.cost, self.passes = solver, cost, passes
        self.tolerance, self.seed = tolerance, seed
        self.weights = np.zeros(0)
        self.notes: tuple[str, ...] = ()

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        texts: Sequence[Sentences] | None = None,
    ) -> Self:
        """Train; raises as `Method.fit`."""
        del texts
        starts = checked_golds(features, golds)
        views, size = self._views(features)
        trained = train(
            views,
            starts,
            size,
            solver=self.solver,
            cost=self.cost,
            passes=self.passes,
            tolerance=self.tolerance,
            seed=self.seed,
        )
        self.weights, self.notes = trained.weights, trained.notes
        return self

    def _views(self, features: Sequence[TextFeatures]) -> tuple[list[TextFeatures], int]:
        """Return what the model sees of texts to learn from, and how many weights that has."""
        return list(features), weight_count(features)

    def seen(self, features: TextFeatures) -> tuple[TextFeatures, NDArray[np.float64]]:
        """Return the features as the model sees them, and weights for all of them."""
        lacking = weight_count([features]) - len(self.weights)
        return features, np.append(self.weights, np.zeros(max(lacking, 0)))

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs."""
        del text
        seen, weights = self.seen(features)
        return decode(seen.node_scores(weights), seen.edge_scores(weights))[0]

    def confidence(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.float64]:
        """Return the probability of each sentence to start a paragraph, shape (n,).

        That of the log-linear model with these weights, which were not trained for it.
        """
        del text
        seen, weights = self.seen(features)
        return marginals(seen.node_scores(weights), seen.edge_scores(weights))

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the options and the weights."""
        return self.chosen(), {"weights": self.weights}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the method again of what `to_parts` gave; raises as `Method.from_parts`."""
        out = cls.made(header)
        out.weights = part(arrays, "weights", "f", (None,))
        return out


class MaxMarginChain(SemiMarkov):
    """A max-margin chain of two labels, start and inside: the same nodes, no features of edges.

    It is a semi-Markov model whose edges count the transitions of the labels, and is trained and
    decoded as one, with the same limit to the length of paragraphs. Options are as of `SemiMarkov`.

    Notes
    -----
    **Source**: Taskar, Guestrin and Koller (2003), Max-margin Markov networks. **Departures**: Shi
    et al. (2007) have no such baseline; it stands beside their model here, with the same features.

    """

    name = "max-margin-chain"

    def _views(self, features: Sequence[TextFeatures]) -> tuple[list[TextFeatures], int]:
        """Return what the model sees of texts to learn from, and how many weights that has."""
        nodes = weight_count(features, edges=False)
        return [chain_features(text, nodes) for text in features], nodes + 4

    def seen(self, features: TextFeatures) -> tuple[TextFeatures, NDArray[np.float64]]:
        """Return the features as the model sees them, and weights for all of them."""
        # The transitions come last: nodes that training did not know go between.
        nodes = max(weight_count([features], edges=False), len(self.weights) - 4)
        weights = np.zeros(nodes + 4)
        weights[: len(self.weights) - 4] = self.weights[:-4]
        weights[nodes:] = self.weights[-4:]
        return chain_features(features, nodes), weights

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the method again of what `to_parts` gave; raises as `Method.from_parts`."""
        out = super().from_parts(header, arrays)
        if len(out.weights) < 4:
            raise InputError("the chain of the model lacks its four transitions: train it anew")
        return out


def chain_features(features: TextFeatures, first: int) -> TextFeatures:
    """Return the nodes of a text with edges that count the transitions of a chain.

    A paragraph of L sentences holds start-inside once where L > 1, inside-inside L - 2 times,
    and the step to the next paragraph, which the last of the text has not: start-start where
    L = 1, inside-start otherwise.

    Parameters
    ----------
    features : TextFeatures
        Its edges are not looked at.
    first : int
        The weight of start-start; start-inside, inside-inside and inside-start follow.

    """
    n, longest = features.n, features.longest
    lengths = longest - np.arange(longest)
    single = lengths == 1
    leaving = np.arange(n) < n - 1
    cells = (
        leaving[:, None] & single,
        np.broadcast_to(~single, (n, longest)),
        np.broadcast_to(np.maximum(lengths - 2, 0), (n, longest)),
        leaving[:, None] & ~single,
    )
    edges = [EdgeColumn(first + k, values=c.astype(np.float32)) for k, c in enumerate(cells)]
    return TextFeatures(features.nodes, edges, longest)
