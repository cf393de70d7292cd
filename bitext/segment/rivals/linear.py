"""A linear support vector machine over the features of single sentences."""

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
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.features.text import TextFeatures
    from bitext.segment.method import Gold, Sentences

__all__ = ["ChainCrf", "LinearSvm", "best_chain", "chain_marginals"]


# The best labels and the probabilities of a chain of two labels: inside (0) and start (1).
#
# The score of labels y_0 ... y_{n-1} is the sum of one score a sentence, `nodes[k]` where y_k is a
# start, and one a transition, `moves[y_{k-1}, y_k]`. The first sentence is always a start, and its
# own score is the same whatever follows: it is not looked at.


def best_chain(
    nodes: NDArray[np.float64], moves: NDArray[np.float64]
) -> tuple[NDArray[np.int64], float]:
    """Return the starts of the best labels, and their score.

    Of equally good labels the one with `inside` at the last sentence where they differ.

    Parameters
    ----------
    nodes : array of float64, shape (n,)
        What a start gains over an inside at each sentence.
    moves : array of float64, shape (2, 2)
        What a label gains after another: `moves[before, after]`.

    Returns
    -------
    starts : array of int64
        Ascending from 0; none of a text without sentences.
    score : float
        0 of a text of one sentence or none.

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
    # Whether the best way to each label comes from a start.
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
    """Return the probability of each sentence to be a start, shape (n,), by forward-backward.

    The probability of labels is proportional to the exponential of their score; arguments are as
    of `best_chain`.

    Examples
    --------
    >>> chain_marginals(np.array([0.0, np.log(3.0)]), np.zeros((2, 2))).tolist()
    [1.0, 0.75]

    """
    n = len(nodes)
    if n == 0:
        return np.zeros(0)
    # Only differences matter, start less inside; those of the way ahead and of the way back.
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
        """Score a start against an inside by the features of each sentence, (n,)."""
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
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
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


_PURPOSE = "training the method 'svm'"


class LinearSvm(Method):
    """A linear support vector machine, trained by scikit-learn's `LinearSVC` (liblinear).

    It minimises 1/2 |w|^2 + C sum_k max(0, 1 - y_k (<w, x_k> + b))^2 over the decisions k, with
    the offset b as one more weight. Only the features of nodes count. What is learned is one weight
    a feature and the offset: applying it needs numpy only.

    Parameters
    ----------
    cost : float
        C. What is best differs by orders of magnitude between sets of features: choose it by F1
        on held-out texts.
    passes : int
        At most so many iterations; `converged` tells whether they were enough.
    seed : int
        Of the order in which decisions are visited.

    Notes
    -----
    Where training knows one answer only, that is the answer.

    **Source**: Shi et al. (2007), section 4, compare with one; Fan et al. (2008), LIBLINEAR.

    """

    name = "svm"
    options = ("cost", "passes", "seed")

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
        """Train; raises as `Method.fit`."""
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
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            learner.fit(matrix, given.starts)
        self.converged = not any("converge" in str(warning.message) for warning in told)
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
        return starts_of(self.scores(features) > 0)

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the options and the weights, the offset last."""
        header = {**self.chosen(), "converged": self.converged}
        return header, {"weights": np.append(self.weights, self.intercept)}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
        out = cls.made(header)
        found = part(arrays, "weights", "f", (None,))
        if not found.size:
            raise InputError("the model has no weights: train it anew")
        out.weights, out.intercept = found[:-1], float(found[-1])
        out.converged = bool(header.get("converged", True))
        return out
