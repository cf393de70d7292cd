"""A linear support vector machine over the features of single sentences."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.segment.decisions import Decisions, decisions, linear_scores, weight_count
from bitext.segment.extras import need
from bitext.segment.method import Method, part, starts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.method import Gold, Sentences
    from bitext.segment.text_features import TextFeatures

__all__ = ["LinearSvm"]

_WHAT = "training the method 'svm'"


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
        svm, sparse = need("sklearn.svm", _WHAT), need("scipy.sparse", _WHAT)
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
        """Make the method again of what `to_parts` gave; raises as `Method.from_parts`."""
        out = cls.made(header)
        found = part(arrays, "weights", "f", (None,))
        if not found.size:
            raise InputError("the model has no weights: train it anew")
        out.weights, out.intercept = found[:-1], float(found[-1])
        out.converged = bool(header.get("converged", True))
        return out
