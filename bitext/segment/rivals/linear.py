"""Two linear methods over the features of sentences: a support vector machine and a CRF."""

from __future__ import annotations

import warnings
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bitext.errors import InputError, OptionError, import_extra
from bitext.paths import temporary_folder
from bitext.segment.method import (
    Decisions,
    Method,
    checked_golds,
    decisions,
    linear_scores,
    part,
    starts_of,
    weight_count,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.features.text import TextFeatures
    from bitext.segment.method import Gold, Sentences

__all__ = ["ChainCrf", "LinearSvm", "best_chain", "chain_marginals"]


# The best labels and the probabilities of a chain of two labels: inside (0) and start (1).
#
# The score of labels y_0 ... y_{n-1} is the sum of one score a sentence, `nodes[k]` where y_k is a
# start, and one a transition, `moves[y_{k-1}, y_k]`. The first sentence is always a start, so its
# own score is the same for all labels, and is left out.


def best_chain(
    nodes: NDArray[np.float64], moves: NDArray[np.float64]
) -> tuple[NDArray[np.int64], float]:
    """Return the starts of the best labels, and their score.

    Ties go to the labels with `inside` at the last sentence in which the candidates differ.

    Parameters
    ----------
    nodes : array of float64, shape (n,)
        The score of a start minus that of an inside, for each sentence.
    moves : array of float64, shape (2, 2)
        The scores of transitions, `moves[before, after]`.

    Returns
    -------
    starts : array of int64
        Indices of sentences, ascending from 0; empty for a text without sentences.
    score : float
        The score of the labels; 0 for a text of at most one sentence.

    Examples
    --------
    >>> best_chain(np.array([0.0, -1.0, 3.0]), np.zeros((2, 2)))
    (array([0, 2]), 3.0)

    """
    n = len(nodes)
    if n == 0:
        return np.zeros(0, dtype=np.int64), 0.0
    (inside_inside, inside_start), (start_inside, start_start) = moves.tolist()
    inside, start = -np.inf, 0.0
    # Back pointers: whether the best path to each label comes from a start.
    came = np.zeros((2, n), dtype=bool)
    from_start_in, from_start = [False], [False]
    for gain in nodes[1:].tolist():
        a, b = inside + inside_inside, start + start_inside
        c, d = inside + inside_start, start + start_start
        from_start_in.append(b > a)
        from_start.append(d > c)
        inside, start = max(a, b), max(c, d) + gain
    came[0], came[1] = from_start_in, from_start
    labels = np.zeros(n, dtype=bool)
    label, score = start > inside, max(inside, start)
    for k in range(n - 1, -1, -1):
        labels[k] = label
        label = bool(came[int(label), k])
    return np.flatnonzero(labels), float(score)


def chain_marginals(nodes: NDArray[np.float64], moves: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that each sentence is a start, shape (n,), by forward-backward.

    The probability of a labelling is proportional to the exponential of its score. The parameters
    are those of `best_chain`.

    Examples
    --------
    >>> chain_marginals(np.array([0.0, np.log(3.0)]), np.zeros((2, 2))).tolist()
    [1.0, 0.75]

    """
    n = len(nodes)
    if n == 0:
        return np.zeros(0)
    # Only differences of log weights matter, start minus inside, in the forward (`ahead`) and in
    # the backward pass (`back`).
    (inside_inside, inside_start), (start_inside, start_start) = moves.tolist()
    gains = nodes.tolist()
    ahead = np.empty(n)
    ahead[0] = np.inf
    for k in range(1, n):
        before = ahead[k - 1]
        if before == np.inf:
            ahead[k] = start_start - start_inside + gains[k]
            continue
        start = np.logaddexp(inside_start, before + start_start)
        ahead[k] = start - np.logaddexp(inside_inside, before + start_inside) + gains[k]
    back = np.zeros(n)
    for k in range(n - 2, -1, -1):
        after = back[k + 1] + gains[k + 1]
        start = np.logaddexp(start_inside, after + start_start)
        back[k] = start - np.logaddexp(inside_inside, after + inside_start)
    out: NDArray[np.float64] = (1 + np.tanh((ahead + back) / 2)) / 2
    return out


# A linear-chain conditional random field over the features of sentences.

_FIRST = "first"  # the only feature of a first sentence, since its label is known


class ChainCrf(Method):
    """A linear-chain conditional random field of two labels, trained by CRFsuite.

    The labels are *start* and *inside*; the features are those of nodes, for either label, and the
    four transitions. Training maximises the log-likelihood minus `l2` |w|^2 by L-BFGS. The model
    stores, for each feature, its weight for *start* minus that for *inside*, and the four weights
    of transitions: prediction needs numpy only.

    Parameters
    ----------
    l2 : float
        The weight of the L2 penalty.
    passes : int
        The maximum number of iterations of L-BFGS.

    Notes
    -----
    CRFsuite prints weights with six decimals, which are the precision of the model. If all training
    decisions are equal, the model always gives that answer.

    **Source**: Lafferty, McCallum and Pereira (2001); Okazaki (2007), CRFsuite. **Departures**: Shi
    et al. (2007) do not compare with a CRF; this one uses the features of their model.

    """

    name = "crf"
    probable = True
    options = ("l2", "passes")
    tuned = ("l2", (30.0, 10.0, 3.0, 1.0))

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
        """Train; raise the errors of `Method.fit`."""
        del texts
        size, given = weight_count(features, edges=False), decisions(features, golds)
        if not given.decided:
            self.weights, self.moves = np.zeros(size), _always(start=given.majority)
            return self
        crf = import_extra("pycrfsuite", what="training the method 'crf'", extra="paragraphs")
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
        # CRFsuite writes and reads models as files only.
        with temporary_folder() as folder:
            path = str(folder / "model")
            learner.train(path)
            tagger = crf.Tagger()
            tagger.open(path)
            model = tagger.info()
            tagger.close()
        self.weights, self.moves = np.zeros(size), np.zeros((2, 2))
        for (attribute, label), weight in model.state_features.items():
            if attribute != _FIRST:
                self.weights[int(attribute)] += weight if label == "1" else -weight
        for (before, after), weight in model.transitions.items():
            self.moves[int(before), int(after)] = weight
        return self

    def scores(self, features: TextFeatures) -> NDArray[np.float64]:
        """Return the score of a start minus that of an inside for each sentence, shape (n,)."""
        return linear_scores(features, self.weights, 0.0)

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs."""
        del text
        return self.by_offset(features)(self.offset)

    def by_offset(self, features: TextFeatures) -> Callable[[float], NDArray[np.int64]]:
        """Return a function from an offset to the paragraph starts of a text."""
        scores, moves = self.scores(features), self.moves
        return lambda offset: best_chain(scores + offset, moves)[0]

    def confidence(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.float64]:
        """Return the probability that each sentence starts a paragraph, shape (n,)."""
        del text
        return chain_marginals(self.scores(features) + self.offset, self.moves)

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the options as a header, and the arrays of weights and of transitions."""
        return self.chosen(), {"weights": self.weights, "moves": self.moves}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
        out = cls.made(header)
        out.weights = part(arrays, "weights", "f", (None,))
        out.moves = part(arrays, "moves", "f", (2, 2))
        return out


def _always(*, start: bool) -> NDArray[np.float64]:
    """Return scores of transitions that give every sentence but the first the same label."""
    return np.array([[0.0, 1.0], [0.0, 1.0]]) if start else np.array([[1.0, 0.0], [1.0, 0.0]])


def _items(text: TextFeatures) -> list[dict[str, float]]:
    """Return the features of each sentence by name; names are the numbers of columns."""
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


_PURPOSE = "training the method 'svm'"


class LinearSvm(Method):
    """A linear support vector machine, trained by scikit-learn's `LinearSVC` (liblinear).

    Training minimises 1/2 |w|^2 + C sum_k max(0, 1 - y_k (<w, x_k> + b))^2 over the decisions k,
    with the offset b as one more weight. Only the features of nodes are used. The model is one
    weight a feature and the offset: prediction needs numpy only.

    Parameters
    ----------
    cost : float
        C. The best value differs by orders of magnitude between sets of features: choose it by
        F1 on held-out texts.
    passes : int
        The maximum number of iterations; `converged` is false if they were too few.
    seed : int
        The seed of the order in which decisions are visited.

    Notes
    -----
    If all training decisions are equal, the model always gives that answer.

    **Source**: Shi et al. (2007), section 4, compare with a linear SVM; Fan et al. (2008),
    LIBLINEAR.

    """

    name = "svm"
    options = ("cost", "passes", "seed")
    tuned = ("cost", (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0))

    def __init__(self, *, cost: float = 0.03, passes: int = 10_000, seed: int = 0) -> None:
        if not cost > 0:
            raise OptionError(f"the cost is {cost!r}: want a number above 0")
        if passes < 1:
            raise OptionError(f"the passes are {passes!r}: want 1 or more")
        self.cost, self.passes, self.seed = cost, passes, seed
        self.weights, self.intercept = np.zeros(0), -1.0
        self.converged = True

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        texts: Sequence[Sentences] | None = None,
    ) -> Self:
        """Train; raise the errors of `Method.fit`."""
        del texts
        given, size = decisions(features, golds), weight_count(features, edges=False)
        self.converged = True
        if given.decided:
            self._train(given, size)
        else:
            self.weights, self.intercept = np.zeros(size), 1.0 if given.majority else -1.0
        return self

    def _train(self, given: Decisions, size: int) -> None:
        svm = import_extra("sklearn.svm", what=_PURPOSE, extra="paragraphs")
        sparse = import_extra("scipy.sparse", what=_PURPOSE, extra="paragraphs")
        rows = given.rows
        # liblinear takes indices of 32 bits only.
        indices, ptr = rows.idx.astype(np.int32), rows.ptr.astype(np.int32)
        matrix = sparse.csr_matrix((rows.values, indices, ptr), shape=(len(given.starts), size))
        learner = svm.LinearSVC(C=self.cost, max_iter=self.passes, random_state=self.seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            learner.fit(matrix, given.starts)
        self.converged = not any("converge" in str(warning.message) for warning in caught)
        self.weights = np.asarray(learner.coef_[0], dtype=np.float64)
        self.intercept = float(learner.intercept_[0])

    def scores(self, features: TextFeatures) -> NDArray[np.float64]:
        """Return <w, x> + b of each sentence, shape (n,); above 0 a paragraph starts."""
        return linear_scores(features, self.weights, self.intercept)

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

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the options as a header, and the weights with the offset last."""
        header = {**self.chosen(), "converged": self.converged}
        return header, {"weights": np.append(self.weights, self.intercept)}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
        out = cls.made(header)
        weights = part(arrays, "weights", "f", (None,))
        if not weights.size:
            raise InputError("the model has no weights: train it anew")
        out.weights, out.intercept = weights[:-1], float(weights[-1])
        out.converged = bool(header.get("converged", True))
        return out
