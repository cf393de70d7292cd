"""Rivals of our model of paragraphs: baselines, boosting, a support vector machine, a CRF.

The two baselines are the rule of quotation marks, and the more frequent answer.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, OptionError, import_extra, remedy
from bitext.kernels.arrays import Floats, Ints
from bitext.paths import temporary_folder
from bitext.segment.features.text import NodeRows, TextFeatures
from bitext.segment.method import (
    Decisions,
    Method,
    checked_golds,
    decided_starts,
    decisions,
    inner_rows,
    linear_scores,
    part,
    sentences_of,
    weight_count,
)
from bitext.segment.tokens import Beginning, Close, Tokens, punctuation

if TYPE_CHECKING:
    from bitext.segment.method import Gold, Sentences

# The rule of quotation marks, which is strong in fiction: speech has paragraphs of its own.


class QuoteRule(Method):
    """Break after a closing quotation mark at the end of a sentence, and before an opening one.

    The rule has no parameters, and reads the sentences instead of their features. Opening and
    closing marks are inferred from the text (`bitext.segment.tokens`). Full stops and brackets
    may follow a closing mark. Marks of a quotation inside another one are ignored, since they do
    not change the speaker.

    Examples
    --------
    >>> import numpy as np
    >>> from bitext.segment.features.text import NodeRows, TextFeatures
    >>> bare = NodeRows(np.zeros(5, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    >>> story = ["He came in.", "“Good evening.", "I am late.”", "We sat down."]
    >>> QuoteRule().boundaries(TextFeatures(bare, [], 30), text=story).tolist()
    [0, 1, 3]

    """

    name = "quotes"
    learns = False

    def fit(self, features: Sequence[TextFeatures], golds: Sequence[Gold]) -> Self:
        """Learn nothing; raise the errors of `Method.fit`."""
        checked_golds(features, golds)
        return self

    def boundaries(self, features: TextFeatures, *, text: Sentences | None = None) -> Ints:
        """Return the starts of the paragraphs.

        Raises `InputError` when `text` is missing, or the numbers of sentences and of feature rows
        differ.
        """
        if text is None:
            raise InputError("the quote rule reads the sentences: give them as text=[...]")
        sentences = sentences_of(text)
        if len(sentences) != features.n:
            raise InputError(
                f"the text has {len(sentences)} sentences and its features {features.n}: want equal"
            )
        marks = punctuation(Tokens(sentences))
        opening = (marks.beginning == Beginning.OPENING) & (marks.before == 0)
        closing = (marks.close == Close.LAST) | (marks.close == Close.BEFORE)
        breaks = opening | (marks.beginning == Beginning.AGAIN)
        breaks[1:] |= (closing & (marks.after == 0))[:-1]
        return decided_starts(breaks)

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return empty parts: the rule has no parameters."""
        return {}, {}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return a new rule; both arguments are ignored."""
        del header, arrays
        return cls()


class Majority(Method):
    """Break before every sentence if most training sentences start a paragraph, otherwise nowhere.

    Examples
    --------
    >>> from bitext.segment.features.text import NodeRows, TextFeatures
    >>> bare = NodeRows(np.zeros(5, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    >>> four = TextFeatures(bare, [], 30)
    >>> Majority().fit([four], [np.array([0, 2])]).boundaries(four).tolist()
    [0]
    >>> Majority().fit([four], [np.array([0, 1, 3])]).boundaries(four).tolist()
    [0, 1, 2, 3]

    """

    name = "majority"

    def __init__(self) -> None:
        self.breaks = False

    def fit(self, features: Sequence[TextFeatures], golds: Sequence[Gold]) -> Self:
        """Count breaks in the training texts; raise the errors of `Method.fit`."""
        self.breaks = decisions(features, golds).majority
        return self

    def boundaries(self, features: TextFeatures, *, text: Sentences | None = None) -> Ints:
        """Return the starts of the paragraphs: sentence 0 alone, or all sentences."""
        del text
        return decided_starts(np.full(features.n, self.breaks))

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the learned answer in the header, and no arrays."""
        return {"breaks": self.breaks}, {}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
        del arrays
        if not isinstance(header.get("breaks"), bool):
            raise InputError("the model does not tell whether it breaks: train it anew")
        out = cls()
        out.breaks = header["breaks"]
        return out


# Gradient boosting of trees over the features of single sentences.


# Sums of regression trees as plain arrays, evaluated by numpy.

_CELLS_AT_ONCE = 1 << 20  # rows times trees evaluated at once; set by hand to bound memory


class Tree(NamedTuple):
    """A regression tree; node 0 is the root, and both children of a leaf are the leaf itself."""

    # The column that the node compares with its threshold. Shape (nodes,).
    column: Ints
    threshold: Floats  # rows with a value up to the threshold go left; shape (nodes,)
    # `left`, `right`: the children; shape (nodes,).
    left: Ints
    right: Ints
    value: Floats  # the value that a leaf adds to the sum; shape (nodes,)
    depth: int  # the number of steps from the root to the deepest leaf


class Trees(NamedTuple):
    """A base value plus a sum of trees, with the nodes of all trees concatenated."""

    roots: Ints  # shape (trees,)
    # `column`, `threshold`, `left`, `right`, `value`: the arrays of the `Tree`s; `left` and `right`
    # index the concatenated nodes; shape (nodes,).
    column: Ints
    threshold: Floats
    left: Ints
    right: Ints
    value: Floats
    base: float  # the initial value of the sum
    depth: int  # the depth of the deepest tree

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

    def sums(self, matrix: Floats, *, at_once: int = _CELLS_AT_ONCE) -> Floats:
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

        Raises `InputError` when a part is missing, or a node refers to a child or a column that
        does not exist.
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


_MOST_SEED = 2**32 - 1  # of scikit-learn
_SENTENCES_AT_ONCE = 4096  # sentences whose columns are in memory at once; set by hand


def _check_seed(seed: int) -> None:
    """Refuse a seed that scikit-learn does not take."""
    if not isinstance(seed, Integral) or not 0 <= seed <= _MOST_SEED:
        raise OptionError(f"the seed is {seed!r}: want a whole number, 0 to {_MOST_SEED:,}")


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
        _check_seed(seed)
        self.rounds, self.rate, self.leaves = rounds, rate, leaves
        self.columns, self.seed = columns, seed
        self.selected = np.zeros(0, dtype=np.int64)
        self.trees = Trees.of([], -1.0)

    def fit(self, features: Sequence[TextFeatures], golds: Sequence[Gold]) -> Self:
        """Train; raise the errors of `Method.fit`."""
        training = decisions(features, golds)
        column_counts = np.bincount(
            training.rows.idx, minlength=weight_count(features, edges=False)
        )
        # The most frequent columns; the first of equally frequent ones.
        often = np.argsort(-column_counts, kind="stable")[: self.columns]
        self.selected = np.sort(often[column_counts[often] > 0]).astype(np.int64)
        if training.decided and self.selected.size:
            self._train(training)
        else:
            self.trees = Trees.of([], 1.0 if training.majority else -1.0)
        return self

    def _train(self, training: Decisions) -> None:
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
        learner.fit(dense(training.rows, self.selected), training.starts)
        grown = [_tree(tree.nodes) for (tree,) in learner._predictors]  # noqa: SLF001
        self.trees = Trees.of(grown, learner._baseline_prediction.item())  # noqa: SLF001

    def scores(self, features: TextFeatures, *, at_once: int = _SENTENCES_AT_ONCE) -> Floats:
        """Return the log odds of each sentence, shape (n,); above 0 a paragraph starts.

        `at_once` bounds the number of sentences whose columns are in memory.
        """
        ptr, idx, values = inner_rows(features)
        out = np.full(features.n, np.inf)
        for begin in range(0, len(ptr) - 1, at_once):
            row_ptr = ptr[begin : begin + at_once + 1]
            cells = slice(row_ptr[0], row_ptr[-1])
            rows = NodeRows(row_ptr - row_ptr[0], idx[cells], values[cells])
            out[begin + 1 : begin + len(row_ptr)] = self.trees.sums(dense(rows, self.selected))
        return out

    def confidence(self, features: TextFeatures) -> Floats:
        """Return the probability that each sentence starts a paragraph, shape (n,)."""
        return (1 + np.tanh((self.scores(features) + self.offset) / 2)) / 2

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


def dense(rows: NodeRows, columns: Ints) -> Floats:
    """Return selected columns of rows as a matrix, shape (rows, columns); `columns` ascends."""
    out = np.zeros((len(rows.ptr) - 1, len(columns)))
    if not columns.size:
        return out
    places = np.minimum(np.searchsorted(columns, rows.idx), len(columns) - 1)
    is_selected = columns[places] == rows.idx
    lines = np.repeat(np.arange(len(out)), np.diff(rows.ptr))
    out[lines[is_selected], places[is_selected]] = rows.values[is_selected]
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


# Two linear methods over the features of sentences: a support vector machine and a CRF.


# The best labels and the probabilities of a chain of two labels: inside (0) and start (1).
#
# The score of labels y_0 ... y_{n-1} is the sum of one score per sentence, `nodes[k]` where y_k is
# a start, and one a transition, `moves[y_{k-1}, y_k]`. The first sentence is always a start, so its
# own score is the same for all labels, and is left out.


def best_chain(nodes: Floats, moves: Floats) -> tuple[Ints, float]:
    """Return the starts of the best labels, and their score.

    `nodes`, of shape (n,), has for each sentence the score of a start minus that of an inside;
    `moves[before, after]`, of shape (2, 2), has the scores of transitions. Starts are indices of
    sentences, ascending from 0; a text without sentences has none. A text of at most one sentence
    scores 0. Ties go to the labels with `inside` at the last sentence in which the candidates
    differ.

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


def chain_marginals(nodes: Floats, moves: Floats) -> Floats:
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
    return (1 + np.tanh((ahead + back) / 2)) / 2


# A linear-chain conditional random field over the features of sentences.

_FIRST_FEATURE = "first"  # the only feature of a first sentence, since its label is known


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

    def fit(self, features: Sequence[TextFeatures], golds: Sequence[Gold]) -> Self:
        """Train; raise the errors of `Method.fit`."""
        size, training = weight_count(features, edges=False), decisions(features, golds)
        if not training.decided:
            self.weights, self.moves = np.zeros(size), _always(start=training.majority)
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
                starts = set(gold.tolist())
                labels = ["1" if k in starts else "0" for k in range(text.n)]
                learner.append(crf.ItemSequence(_items(text)), labels)
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
            if attribute != _FIRST_FEATURE:
                self.weights[int(attribute)] += weight if label == "1" else -weight
        for (before, after), weight in model.transitions.items():
            self.moves[int(before), int(after)] = weight
        return self

    def scores(self, features: TextFeatures) -> Floats:
        """Return the score of a start minus that of an inside for each sentence, shape (n,)."""
        return linear_scores(features, self.weights, 0.0)

    def by_offset(self, features: TextFeatures) -> Callable[[float], Ints]:
        """Return a function from an offset to the paragraph starts of a text."""
        scores, moves = self.scores(features), self.moves
        return lambda offset: best_chain(scores + offset, moves)[0]

    def confidence(self, features: TextFeatures) -> Floats:
        """Return the probability that each sentence starts a paragraph, shape (n,)."""
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


def _always(*, start: bool) -> Floats:
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
    return [{_FIRST_FEATURE: 1.0}, *rest]


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
        if not 0 < cost < float("inf"):
            raise OptionError(f"the cost is {cost!r}: want a number above 0")
        if passes < 1:
            raise OptionError(f"the passes are {passes!r}: want 1 or more")
        _check_seed(seed)
        self.cost, self.passes, self.seed = cost, passes, seed
        self.weights, self.intercept = np.zeros(0), -1.0
        self.converged = True

    def fit(self, features: Sequence[TextFeatures], golds: Sequence[Gold]) -> Self:
        """Train; raise the errors of `Method.fit`."""
        training, size = decisions(features, golds), weight_count(features, edges=False)
        self.converged, self.notes = True, ()
        if training.decided:
            self._train(training, size)
        else:
            self.weights, self.intercept = np.zeros(size), 1.0 if training.majority else -1.0
        return self

    def _train(self, training: Decisions, size: int) -> None:
        svm = import_extra("sklearn.svm", what=_PURPOSE, extra="paragraphs")
        sparse = import_extra("scipy.sparse", what=_PURPOSE, extra="paragraphs")
        rows = training.rows
        # liblinear takes indices of 32 bits only.
        indices, ptr = rows.idx.astype(np.int32), rows.ptr.astype(np.int32)
        matrix = sparse.csr_matrix((rows.values, indices, ptr), shape=(len(training.starts), size))
        learner = svm.LinearSVC(C=self.cost, max_iter=self.passes, random_state=self.seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            learner.fit(matrix, training.starts)
        self.converged = not any("converge" in str(warning.message) for warning in caught)
        if not self.converged:
            fault = f"training had not converged at the limit of passes, {self.passes:,}"
            self.notes = (f"{fault}: a smaller C ({remedy('cost')}) needs fewer",)
        self.weights = np.asarray(learner.coef_[0], dtype=np.float64)
        self.intercept = float(learner.intercept_[0])

    def scores(self, features: TextFeatures) -> Floats:
        """Return <w, x> + b of each sentence, shape (n,); above 0 a paragraph starts."""
        return linear_scores(features, self.weights, self.intercept)

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
