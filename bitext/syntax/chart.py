"""How probable each label is over each span of a sentence, by the inside-outside algorithm.

The chart holds all trees of a sentence that the `Grammar` allows. A tree weighs the product of
the factors of its rules, of its labels over their spans, of the states over theirs, and of the
categories of what is a left daughter. Inside sums are made from short spans to long ones, outside
sums backwards; each is one array operation over all spans of a length, in all sentences of a
batch. Sums are kept as shares of the largest of their span, and the logarithm of that, so that
nothing overflows.

Time is cubic in the length of a sentence, memory quadratic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.syntax.grammar import Rules

    Floats = NDArray[np.floating[Any]]

__all__ = ["Chart", "Scores"]

_LEAST, _MOST = -30.0, 30.0
_NOTHING = 1e-6  # a probability of a span that is as good as none


@dataclass(frozen=True, slots=True)
class Scores:
    """Logarithms of factors of spans: [sentence, first word, length, ...].

    `label` has a column for each label, `state` and `left` one for each category.
    """

    label: Floats
    state: Floats
    left: Floats

    def clip(self) -> None:
        """Keep factors where their products can be held."""
        for scores in (self.label, self.state, self.left):
            np.clip(scores, _LEAST, _MOST, out=scores)


class Chart:
    """The inside sums of a batch of sentences.

    Parameters
    ----------
    rules : Rules
        The factors of the rules.
    scores : Scores
        The factors of spans. Places behind the end of a short sentence are of no account.
    tags : array of int
        The tag of each word [sentence, word].
    sizes : array of int
        The number of words of each sentence.

    """

    def __init__(
        self, rules: Rules, scores: Scores, tags: NDArray[np.intp], sizes: NDArray[np.intp]
    ) -> None:
        self.rules, self.scores, self.tags, self.sizes = rules, scores, tags, sizes
        self.kind = scores.label.dtype
        grammar = rules.grammar
        batch, words = tags.shape
        self._tags = len(grammar.tags)
        symbols, states = len(grammar.classes), len(grammar.states)
        # By the first word and the length of a span; by its end and its length.
        self.symbols = np.zeros((batch, words, words + 1, symbols), dtype=self.kind)
        self.left = np.zeros((batch, words, words + 1, states), dtype=self.kind)
        self.states = np.zeros((batch, words + 1, words + 1, states), dtype=self.kind)
        self._log_by_start = np.zeros((batch, words, words + 1))
        self._log_by_end = np.zeros((batch, words + 1, words + 1))
        # Of each length: the weights of splits, their sums by state, and the scale.
        self.steps: list[tuple[Floats, Floats, Floats]] = []
        for length in range(1, words + 1):
            self._fill(length)
        top = self.symbols[np.arange(batch), 0, sizes, self._tags :] * rules.root
        self.total = top.sum(axis=1)
        self.log_total = np.log(self.total) + self._log_by_start[np.arange(batch), 0, sizes]
        self.top: Floats = top / self.total[:, None]

    def _fill(self, length: int) -> None:
        """Make the inside sums of all spans of a length."""
        batch, words = self.tags.shape
        rules, category = self.rules, self.rules.grammar.category
        count, labels = words - length + 1, len(rules.grammar.labels)
        label = np.exp(self.scores.label[:, :count, length])
        state = np.exp(self.scores.state[:, :count, length])[..., category]
        symbols = np.zeros((batch, count, self.symbols.shape[-1]), dtype=self.kind)
        states: Floats
        if length == 1:
            rows, columns = np.arange(batch)[:, None], np.arange(words)
            symbols[rows, columns, self.tags] = 1
            symbols[..., self._tags :] = label
            states = symbols @ rules.last * state
            log = np.zeros((batch, count))
            splits = sums = np.empty(0, dtype=self.kind)
        else:
            logs = (
                self._log_by_start[:, :count, 1:length]
                + self._log_by_end[:, length:, length - 1 : 0 : -1]
            )
            log = logs.max(axis=2)
            splits = np.exp(logs - log[..., None]).astype(self.kind)
            sums = self._joined(splits, length)
            raised = sums @ rules.up
            symbols[..., self._tags :] = raised[..., :labels] * label
            states = (raised[..., labels:] + symbols @ rules.last) * state
        scale = np.maximum(symbols.max(axis=2), states.max(axis=2))
        symbols /= scale[..., None]
        states /= scale[..., None]
        self.steps.append((splits, sums, scale))
        log = log + np.log(scale)
        self._log_by_start[:, :count, length] = log
        self._log_by_end[:, length:, length] = log
        self.symbols[:, :count, length] = symbols
        self.states[:, length:, length] = states
        left = np.exp(self.scores.left[:, :count, length])[..., category]
        self.left[:, :count, length] = symbols @ rules.child * left

    def _joined(self, splits: Floats, length: int) -> Floats:
        """Sum over the places where a span is split: [sentence, first word, state]."""
        count = splits.shape[1]
        left = self.left[:, :count, 1:length]
        right = self.states[:, length:, length - 1 : 0 : -1]
        out: Floats = np.einsum("brki,brki->bri", left * splits[..., None], right)
        return out

    def outside(self, *, counted: bool = False) -> Outside:
        """Return how probable everything is, given that a sentence has a tree.

        Parameters
        ----------
        counted : bool
            Count the rules as well, which training needs.

        """
        return Outside(self, counted=counted)


class Outside:
    """The outside sums, and from them the probabilities.

    `label`, `state` and `left` are the probabilities of what `Scores` weighs, in its shapes. With
    `rules()` come the expected numbers of rules in the whole batch, if they are `counted`.
    """

    def __init__(self, chart: Chart, *, counted: bool) -> None:
        self.chart = chart
        self._counted = counted
        scores, kind = chart.scores, chart.kind
        batch, words = chart.tags.shape
        self.label = np.zeros_like(scores.label)
        self.state = np.zeros_like(scores.state)
        self.left = np.zeros_like(scores.left)
        self._left = np.zeros_like(chart.left)
        self._states = np.zeros_like(chart.states)
        self._top = np.zeros((batch, words + 1, len(chart.rules.root)), dtype=kind)
        self._top[np.arange(batch), chart.sizes] = chart.rules.root / chart.total[:, None]
        self._up = np.zeros_like(chart.rules.up)
        self._child = np.zeros_like(chart.rules.child)
        self._last = np.zeros_like(chart.rules.last)
        for length in range(words, 0, -1):
            self._fill(length)

    def _fill(self, length: int) -> None:
        """Take the sums of the spans of a length down to the spans that they are made of."""
        chart, rules = self.chart, self.chart.rules
        grammar, tags = rules.grammar, len(rules.grammar.tags)
        count = chart.tags.shape[1] - length + 1
        symbols = chart.symbols[:, :count, length]
        states = chart.states[:, length:, length]
        from_left = self._left[:, :count, length]
        from_right = self._states[:, length:, length]
        self.left[:, :count, length] = (
            from_left * chart.left[:, :count, length]
        ) @ grammar.of_category
        self.state[:, :count, length] = (from_right * states) @ grammar.of_category
        left = from_left * np.exp(chart.scores.left[:, :count, length])[..., grammar.category]
        right = from_right * np.exp(chart.scores.state[:, :count, length])[..., grammar.category]
        outer = left @ rules.child.T + right @ rules.last.T
        outer[:, 0, tags:] += self._top[:, length]
        label = (outer * symbols)[..., tags:]
        self.label[:, :count, length] = label
        if self._counted:
            self._child += _rows(symbols).T @ _rows(left)
            self._last += _rows(symbols).T @ _rows(right)
        if length == 1:
            return
        # Few spans have a probability to speak of; only they go down to their parts.
        mass = label.sum(axis=2) + self.state[:, :count, length].sum(axis=2)
        batch, first = np.nonzero(mass > _NOTHING)
        splits, sums, scale = (step[batch, first] for step in chart.steps[length - 1])
        outer = outer[batch, first, tags:] * np.exp(chart.scores.label[batch, first, length])
        raised = np.concatenate([outer, right[batch, first]], axis=1) / scale[:, None]
        if self._counted:
            self._up += sums.T @ raised
        parts = (raised @ rules.up.T)[:, None, :] * splits[..., None]
        lengths, rest = np.arange(1, length), np.arange(length - 1, 0, -1)
        lefts = (batch[:, None], first[:, None], lengths)
        rights = (batch[:, None], first[:, None] + length, rest)
        self._left[lefts] += parts * chart.states[rights]
        self._states[rights] += parts * chart.left[lefts]

    def rules(self) -> dict[str, Floats]:
        """Return the expected number of each rule in the batch, in the shapes of the weights."""
        rules, labels = self.chart.rules, len(self.chart.rules.grammar.labels)
        up = (self._up * rules.up).T
        return {
            "root": self.chart.top.sum(axis=0),
            "child": ((self._child * rules.child) @ rules.grammar.of_category).T,
            "start": up[:labels],
            "next": up[labels:],
            "last": (self._last * rules.last).T,
        }


def _rows(values: Floats) -> Floats:
    return values.reshape(-1, values.shape[-1])
