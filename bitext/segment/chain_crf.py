"""A linear-chain conditional random field over the features of sentences."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bitext.errors import OptionError
from bitext.paths import temporary_folder
from bitext.segment.decisions import decisions, linear_scores, weight_count
from bitext.segment.extras import need
from bitext.segment.method import Method, checked_golds, part
from bitext.segment.two_label_chain import best_chain, chain_marginals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.method import Gold, Sentences
    from bitext.segment.text_features import TextFeatures

__all__ = ["ChainCrf"]

_FIRST = "first"  # the one feature of a first sentence, whose label is known


class ChainCrf(Method):
    """A linear-chain conditional random field of two labels, trained by CRFsuite.

    The labels are *start* and *inside*; the features are those of nodes, for either label, and the
    four transitions. It maximises the likelihood less `l2` |w|^2 by L-BFGS. What is learned is the
    difference of the two labels, one weight a feature, and the four weights of transitions:
    applying it needs numpy only.

    Parameters
    ----------
    l2 : float
        The weight of the square of the weights.
    passes : int
        At most so many iterations of L-BFGS.

    Notes
    -----
    CRFsuite tells its weights with six decimals, and so they are kept. Where training knows one
    answer only, that is the answer.

    **Source**: Lafferty, McCallum and Pereira (2001); Okazaki (2007), CRFsuite. **Departures**: Shi
    et al. (2007) have no such baseline; it stands beside their model here, with the same features.

    """

    name = "crf"
    probable = True
    options = ("l2", "passes")

    def __init__(self, *, l2: float = 10.0, passes: int = 100) -> None:
        if not l2 >= 0:
            raise OptionError(f"l2 is {l2!r}: want 0 or more")
        if passes < 1:
            raise OptionError(f"the passes are {passes!r}: want 1 or more")
        self.l2, self.passes = l2, passes
        self.weights, self.moves = np.zeros(0), _always(start=False)

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        texts: Sequence[Sentences] | None = None,
    ) -> Self:
        """Train; raises as `Method.fit`."""
        del texts
        size, given = weight_count(features, edges=False), decisions(features, golds)
        if not given.decided:
            self.weights, self.moves = np.zeros(size), _always(start=given.majority)
            return self
        crf = need("pycrfsuite", "training the method 'crf'")
        learner = crf.Trainer(verbose=False)
        learner.select("lbfgs")
        learner.set_params(
            {
                "c1": 0.0,
                "c2": self.l2,
                "max_iterations": self.passes,
                "feature.possible_transitions": True,
                "feature.possible_states": True,
            }
        )
        for text, gold in zip(features, checked_golds(features, golds), strict=True):
            if text.n:
                learner.append(crf.ItemSequence(_items(text)), _labels(text.n, gold))
        # CRFsuite knows models as files only.
        with temporary_folder() as folder:
            path = str(folder / "model")
            learner.train(path)
            tagger = crf.Tagger()
            tagger.open(path)
            told = tagger.info()
            tagger.close()
        self.weights, self.moves = np.zeros(size), np.zeros((2, 2))
        for (attribute, label), weight in told.state_features.items():
            if attribute != _FIRST:
                self.weights[int(attribute)] += weight if label == "1" else -weight
        for (before, after), weight in told.transitions.items():
            self.moves[int(before), int(after)] = weight
        return self

    def scores(self, features: TextFeatures) -> NDArray[np.float64]:
        """Return what a start gains over an inside by the features of each sentence, (n,)."""
        return linear_scores(features, self.weights, 0.0)

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs."""
        del text
        return best_chain(self.scores(features), self.moves)[0]

    def confidence(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.float64]:
        """Return the probability of each sentence to start a paragraph, shape (n,)."""
        del text
        return chain_marginals(self.scores(features), self.moves)

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the options, the weights, and the transitions by the labels before and after."""
        return self.chosen(), {"weights": self.weights, "moves": self.moves}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the method again of what `to_parts` gave; raises as `Method.from_parts`."""
        out = cls.made(header)
        out.weights = part(arrays, "weights", "f", (None,))
        out.moves = part(arrays, "moves", "f", (2, 2))
        return out


def _always(*, start: bool) -> NDArray[np.float64]:
    """Return transitions for one answer always."""
    return np.array([[0.0, 1.0], [0.0, 1.0]]) if start else np.array([[1.0, 0.0], [1.0, 0.0]])


def _items(text: TextFeatures) -> list[dict[str, float]]:
    """Return the features of each sentence by their names, which are numbers."""
    ptr, names = text.nodes.ptr.tolist(), [str(k) for k in text.nodes.idx.tolist()]
    values = text.nodes.values.tolist()
    rest = [
        dict(zip(names[begin:end], values[begin:end], strict=True))
        for begin, end in pairwise(ptr[1:])
    ]
    return [{_FIRST: 1.0}, *rest]


def _labels(n: int, gold: NDArray[np.int64]) -> list[str]:
    labels = ["0"] * n
    for k in gold.tolist():
        labels[k] = "1"
    return labels
