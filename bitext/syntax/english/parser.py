"""Trees for tagged sentences: the chart, its weights, and the choice of the best brackets.

The parser does not return the most probable tree, but the tree with the largest expected number of
correct brackets: a bracket scores its probability minus `BAR`, and the best set of nested brackets
is chosen (Goodman 1996, "Parsing algorithms and metrics").

A *label* names the categories of one span: a single one, or several from the top down (`S+VP`). A
category may have a function (`NP-SBJ`), which the trees do not show. The daughters of a node are
read from left to right by an automaton of its lowest category: the *state* `VP|NP` means that under
a VP, an NP was the last daughter read, and that more daughters follow. A node of any width is
therefore a chain of binary steps, each of which depends on the previous daughter.

All rules are allowed, each with a weight:

- `root` [label]: a sentence is this;
- `child` [category, symbol]: a daughter that is not the last;
- `start` [label, state]: the first daughter leads to this state;
- `next` [state, state]: the next daughter leads from this state to that;
- `last` [state, symbol]: the last daughter.

A *symbol* is a tag or a label.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Bools, Floats, Singles, matrix_product
from bitext.kernels.compiled_charts import ChartKernels, chart_kernels
from bitext.model.sentence import Tree
from bitext.syntax.english.features import SpanFeatures, Table, span_templates

Some = TypeVar("Some")

if TYPE_CHECKING:
    Sums = NDArray[Any]
    AnyFloats = NDArray[np.floating[Any]]
    Codes = NDArray[np.uint64]

RULES = ("root", "child", "start", "next", "last")
_PARTS = ("tags", "labels", "classes", "states")


class Grammar:
    """The inventory of tags, labels and states.

    Parameters
    ----------
    tags : sequence of str
        Tags of words.
    labels : sequence of str
        Labels of spans; categories of one label are joined with `+`.
    classes : sequence of str
        The class of each symbol as the last daughter read: tags first, then labels.
    states : sequence of str
        `CATEGORY|CLASS`; each category has one state with the class `*` for all other classes.

    """

    def __init__(
        self,
        tags: Sequence[str],
        labels: Sequence[str],
        classes: Sequence[str],
        states: Sequence[str],
    ) -> None:
        self.tags = tuple(tags)
        self.labels = tuple(labels)
        self.classes = tuple(classes)
        self.states = tuple(states)
        self.parts = [tuple(part.split("-")[0] for part in label.split("+")) for label in labels]
        self.categories = tuple(sorted({parts[-1] for parts in self.parts}))
        number = {category: k for k, category in enumerate(self.categories)}
        state = {name: k for k, name in enumerate(self.states)}
        self.lowest = np.array([number[parts[-1]] for parts in self.parts])
        self.category = np.array([number[name.split("|")[0]] for name in self.states])
        # The state after a symbol under a category.
        self.leads = np.array(
            [
                [state.get(f"{c}|{name}", state[f"{c}|*"]) for c in self.categories]
                for name in self.classes
            ]
        )
        self.reads = np.zeros((len(self.classes), len(self.states)), dtype=bool)
        for symbol, states_of in enumerate(self.leads):
            self.reads[symbol, states_of] = True
        self.of_category: Singles = np.zeros((len(states), len(self.categories)), dtype=np.float32)
        self.of_category[np.arange(len(states)), self.category] = 1
        names = sorted({part for parts in self.parts for part in parts})
        self.brackets: Singles = np.zeros((len(labels), len(names)), dtype=np.float32)
        for k, parts in enumerate(self.parts):
            self.brackets[k, [names.index(part) for part in parts]] = 1

    def shape(self, rule: str) -> tuple[int, ...]:
        """Return the shape of the weights of a kind of rule."""
        labels, categories = len(self.labels), len(self.categories)
        states, symbols = len(self.states), len(self.classes)
        return {
            "root": (labels,),
            "child": (categories, symbols),
            "start": (labels, states),
            "next": (states, states),
            "last": (states, symbols),
        }[rule]

    def packed(self, name: str) -> dict[str, NDArray[np.generic]]:
        """Return the arguments of the constructor as arrays, with prefixed names."""
        return {f"{name}_{part}": np.array(getattr(self, part)) for part in _PARTS}

    @classmethod
    def unpacked(cls, arrays: Mapping[str, NDArray[np.generic]], name: str) -> Grammar:
        """Rebuild a grammar from the output of `packed`."""
        return cls(*([str(text) for text in arrays[f"{name}_{part}"]] for part in _PARTS))


class Rules:
    """Weights of rules as factors, which the chart multiplies.

    States are put in the order of their categories, so that states of one category, and the factors
    of steps between them, are contiguous.

    *Label states* are those that some label leads to, about half of them. The others are only
    reached from tags, so after a daughter of more than one word their sums are 0.

    Parameters
    ----------
    grammar : Grammar
        The inventory of tags, labels and states.
    weights : mapping of str to array
        The logarithms of the factors of each kind of rule.
    counted : bool
        Whether charts compute the expected numbers of rules, too, for training. All states are then
        treated as label states.

    """

    def __init__(
        self, grammar: Grammar, weights: Mapping[str, Singles], *, counted: bool = False
    ) -> None:
        g = grammar
        self.grammar = g
        self.order = np.argsort(g.category, kind="stable")
        self.category = g.category[self.order]
        self.categories = self.category.astype(np.uint32)  # as kernels want them
        self.root: Singles = np.exp(weights["root"])
        # From the last daughter, and from another daughter to its next state: [symbol, state].
        self.last: Singles = np.exp(weights["last"]).T[:, self.order]
        self.child: Singles = (np.exp(weights["child"].T)[:, g.category] * g.reads)[:, self.order]
        self.symbol = np.ascontiguousarray(np.concatenate([self.last, self.child], axis=1))
        self.counted = counted
        follows_label: Bools = np.logical_or(g.reads[len(g.tags) :].any(axis=0), counted)
        self.label_states = np.flatnonzero(follows_label[self.order])
        self.label_numbers = self.label_states.astype(np.uint32)  # as kernels want them, too
        self.narrow_category = self.category[self.label_states]
        self.narrow_categories = self.narrow_category.astype(np.uint32)
        # From labels to all states, and to the next states of other daughters.
        labels = self.last[len(g.tags) :], self.child[len(g.tags) :, self.label_states]
        self.of_label = np.ascontiguousarray(np.concatenate(labels, axis=1))
        self.from_label = np.ascontiguousarray(self.of_label.T)
        # From the next state to labels, and to the previous states of its category.
        start = np.exp(weights["start"]) * (g.lowest[:, None] == g.category)
        self.start: Singles = np.ascontiguousarray(start[:, self.order].T)
        following = np.exp(weights["next"])[np.ix_(self.order, self.order)]
        self.blocks: list[tuple[slice, Singles, Singles]] = []
        for at in _blocks(self.category):
            same_category = self.category[at, None] == self.category[at]
            up = np.ascontiguousarray((following[at, at] * same_category).T)
            self.blocks.append((at, up, np.ascontiguousarray(up.T)))

    def to_previous(self, states: AnyFloats) -> AnyFloats:
        """Multiply rows of next states with the factors of their previous states."""
        out = np.empty_like(states)
        for at, up, _ in self.blocks:
            matrix_product(states[:, at], up, out=out[:, at])
        return out

    def to_next(self, states: AnyFloats) -> AnyFloats:
        """Multiply rows of previous states with the factors of their next states."""
        out = np.empty_like(states)
        for at, _, down in self.blocks:
            matrix_product(states[:, at], down, out=out[:, at])
        return out


def _blocks(category: NDArray[np.intp]) -> list[slice]:
    """Cut states, ordered by category, into blocks of whole categories."""
    begins = np.flatnonzero(np.diff(category, prepend=-1)).tolist()
    blocks, first = [], 0
    for begin, end in pairwise([*begins, len(category)]):
        if end - first > _BLOCK_STATES and begin > first:
            blocks.append(slice(first, begin))
            first = begin
    return [*blocks, slice(first, len(category))]


# The probability of each label over each span of a sentence, by the inside-outside algorithm.
#
# The chart holds all trees of a sentence that the `Grammar` allows. The weight of a tree is the
# product of the factors of its rules, of its labels and states over their spans, and of the
# categories over left daughters. Inside sums are computed from short spans to long ones; each step
# is one array operation over all spans of a length in all sentences of a batch. Outside sums are
# computed in reverse, for the few spans that some probable tree has. The sums of a span are stored
# relative to their maximum, with the logarithm of that maximum beside them, so that nothing
# overflows.
#
# Time is cubic in the length of a sentence, memory quadratic.


# Logarithms of factors; set by hand: products of many factors do not overflow
_LOWEST_SCORE, _HIGHEST_SCORE = -30.0, 30.0
_LEAST_SPAN_PROBABILITY = 1e-6  # probability below which a span is pruned; set by hand
_LEAST_SPLIT_PROBABILITY = 1e-7  # probability below which a split of a span is pruned; set by hand
_PRODUCTS_AT_ONCE = 1 << 17  # products of daughters made at once, so that they fit into the cache
_BLOCK_STATES = 40  # states multiplied at once, of one category or several small ones; set by hand


@dataclass(frozen=True, slots=True)
class Scores:
    """Logarithms of factors of spans: [sentence, first word, length, ...].

    `label` has a column for each label, `state` and `left` one for each category.
    """

    label: AnyFloats
    state: AnyFloats
    left: AnyFloats

    def clip(self) -> None:
        """Clip the factors to a range in which their products do not overflow."""
        for scores in (self.label, self.state, self.left):
            np.clip(scores, _LOWEST_SCORE, _HIGHEST_SCORE, out=scores)


class Workspace:
    """Arrays that are used for one batch after the other, as new memory costs time."""

    def __init__(self) -> None:
        self._flat: dict[str, AnyFloats] = {}

    def array(self, name: str, shape: tuple[int, ...], kind: np.dtype[Any]) -> AnyFloats:
        """Return an array with any values, which is void after the next call with its name."""
        size = math.prod(shape)
        flat = self._flat.get(name)
        if flat is None or flat.size < size or flat.dtype != kind:
            flat = self._flat[name] = np.empty(size + size // 4, dtype=kind)
        return flat[:size].reshape(shape)


class Chart:
    """The inside sums of a batch of sentences.

    Parameters
    ----------
    rules : Rules
        The factors of the rules.
    scores : Scores
        The factors of spans. Positions after the end of a short sentence are ignored.
    tags : array of int
        The tag of each word [sentence, word].
    sizes : array of int
        The number of words of each sentence.
    space : Workspace, optional
        The memory of the arrays; the chart is void once another one is made there.

    """

    def __init__(
        self,
        rules: Rules,
        scores: Scores,
        tags: NDArray[np.intp],
        sizes: NDArray[np.intp],
        space: Workspace | None = None,
    ) -> None:
        self.space = space or Workspace()
        self.rules, self.scores, self.tags, self.sizes = rules, scores, tags, sizes
        self.kind = scores.label.dtype
        is_usual = self.kind == np.float32
        self.kernels: ChartKernels | None = chart_kernels.after(0) if is_usual else None
        batch, words = tags.shape
        labels, states = len(rules.grammar.labels), len(rules.category)
        narrow = len(rules.label_states)
        # Indexed by first word and length of a span; `states` by the end, from long spans to short
        # ones: the splits of a span are contiguous in both.
        self.label = self._empty("label", batch, words, words + 1, labels)
        self.left = self._empty("left", batch, words, words + 1, narrow)
        self.states = self._empty("states", batch, words + 1, words, states)
        self.narrow_states = self._empty("narrow states", batch, words + 1, words, narrow)
        # Of words as other daughters, all states.
        self.words = self._empty("words", batch, words, states)
        # Of kernels: the largest sum of each span in `left`.
        self.most_left = self._empty("most left", batch, words, words + 1)
        self._log_by_start = np.zeros((batch, words, words + 1))
        self._log_by_end = np.zeros((batch, words + 1, words + 1))
        # For each length: the weights of splits, their sums by state, and the scale.
        self.steps: list[tuple[AnyFloats, AnyFloats, AnyFloats]] = []
        for length in range(1, words + 1):
            self._fill(length)
        top = self.label[np.arange(batch), 0, sizes] * rules.root
        self.total = top.sum(axis=1)
        self.log_total = np.log(self.total) + self._log_by_start[np.arange(batch), 0, sizes]
        self.top: AnyFloats = top / self.total[:, None]

    def _empty(self, name: str, *shape: int) -> AnyFloats:
        return self.space.array(name, shape, self.kind)

    def _fill(self, length: int) -> None:
        """Compute the inside sums of all spans of one length."""
        rules = self.rules
        batch, count = len(self.tags), self.tags.shape[1] - length + 1
        # Matrices are multiplied by rows of all sentences, one call each.
        label = _rows(np.exp(self.scores.label[:, :count, length]))
        state = np.exp(self.scores.state[:, :count, length])
        left = np.exp(self.scores.left[:, :count, length])
        if length == 1:
            log, scale = self._fill_words(label, state, left)
        else:
            logs, log = self._split_logs(batch, count, length)
            splits = np.exp(logs, out=logs).astype(self.kind)
            sums = self._joined(splits, length)
            label *= matrix_product(_rows(sums), rules.start)
            above = matrix_product(label, rules.of_label)
            states = rules.to_previous(_rows(sums))
            shape = batch, count, -1
            parts = label.reshape(shape), states.reshape(shape), above.reshape(shape)
            scale = self._scaled(*parts, state, left, length)
            self.steps.append((splits, sums, scale))
        log = log + np.log(scale)
        self._log_by_start[:, :count, length] = log
        self._log_by_end[:, length:, length] = log

    def _fill_words(
        self, label: AnyFloats, state: AnyFloats, left: AnyFloats
    ) -> tuple[Floats, AnyFloats]:
        """Store the inside sums of words; return zeros and their scales."""
        rules, width = self.rules, len(self.rules.category)
        symbols = rules.symbol[len(rules.grammar.tags) :]
        above = (matrix_product(label, symbols) + rules.symbol[self.tags.reshape(-1)]).reshape(
            *self.tags.shape, -1
        )
        label = label.reshape(*self.tags.shape, -1)
        states = above[..., :width] * state.take(rules.category, axis=2, mode="clip")
        scale = np.maximum(np.maximum(states.max(axis=2), label.max(axis=2)), self.kind.type(1))
        shrink = (1 / scale)[..., None]
        left *= shrink
        np.multiply(label, shrink, out=self.label[:, :, 1])
        states *= shrink
        np.multiply(
            above[..., width:], left.take(rules.category, axis=2, mode="clip"), out=self.words
        )
        self.states[:, 1:, -1] = states
        self.narrow_states[:, 1:, -1] = states[..., rules.label_states]
        self.left[:, :, 1] = self.words[..., rules.label_states]
        self.most_left[:, :, 1] = self.words.max(axis=2)
        nothing = np.empty(0, dtype=self.kind)
        self.steps.append((nothing, nothing, scale))
        return np.zeros(self.tags.shape), scale

    def _split_logs(self, batch: int, count: int, length: int) -> tuple[Floats, Floats]:
        """Return the logarithms of the weights of splits, relative to the maxima, and these."""
        if self.kernels is not None:
            logs, log = np.empty((batch, count, length - 1)), np.empty((batch, count))
            self.kernels.split_logs(self._log_by_start, self._log_by_end, length, logs, log)
            return logs, log
        logs = (
            self._log_by_start[:, :count, 1:length]
            + self._log_by_end[:, length:, length - 1 : 0 : -1]
        )
        log = logs.max(axis=2)
        logs -= log[..., None]
        return logs, log

    def _joined(self, splits: AnyFloats, length: int) -> AnyFloats:
        """Sum over the split points of each span: [sentence, first word, state]."""
        batch, count, parts = splits.shape
        width, of_labels = self.states.shape[3], self.rules.label_states
        if self.kernels is not None:
            out = np.empty((batch, count, width), dtype=self.kind)
            self.kernels.split_sums(
                *(self.words, self.left, self.states, self.narrow_states),
                *(splits, self.rules.label_numbers, length, out),
            )
            return out
        out = self.words[:, :count] * self.states[:, length:, 1 - length]
        out *= splits[..., :1]
        if parts == 1:
            return out
        left = self.left[:, :count, 2:length]
        right = self.narrow_states[:, length:, 2 - length :]
        weights = splits[:, :, 1:, None]
        added = np.empty((batch, count, len(of_labels)), dtype=self.kind)
        step = max(1, _PRODUCTS_AT_ONCE // (count * (parts - 1) * left.shape[3]))
        joined = self._empty("joined", step, *left.shape[1:])
        for at in range(0, batch, step):
            batch_part = slice(at, at + step)
            both = np.multiply(left[batch_part], right[batch_part], out=joined[: batch - at])
            both *= weights[batch_part]
            # In the order of the splits, as the kernel adds: a product of matrices has its own.
            np.add.reduce(both, axis=2, out=added[batch_part])
        out[..., of_labels] += added
        return out

    def _scaled(
        self,
        label: AnyFloats,
        states: AnyFloats,
        above: AnyFloats,
        state: AnyFloats,
        left: AnyFloats,
        length: int,
    ) -> AnyFloats:
        """Store the sums of spans of one length relative to their maxima; return these."""
        rules, width = self.rules, states.shape[2]
        count = states.shape[1]
        scale: AnyFloats
        if self.kernels is not None:
            scale = np.empty(states.shape[:2], dtype=self.kind)
            self.kernels.scaled_sums(
                *(label, states, above, state, left),
                *(rules.categories, rules.narrow_categories, rules.label_numbers, length),
                *(self.label, self.states, self.narrow_states, self.left, scale, self.most_left),
            )
            return scale
        states += above[..., :width]
        states *= state.take(rules.category, axis=2, mode="clip")
        scale = np.maximum(states.max(axis=2), label.max(axis=2))
        shrink = (1 / scale)[..., None]
        np.multiply(label, shrink, out=self.label[:, :count, length])
        states *= shrink
        self.states[:, length:, -length] = states
        narrow = states.take(rules.label_states, axis=2, mode="clip")
        self.narrow_states[:, length:, -length] = narrow
        left *= shrink
        np.multiply(
            above[..., width:],
            left.take(rules.narrow_category, axis=2, mode="clip"),
            out=self.left[:, :count, length],
        )
        return scale

    def outside(self) -> Outside:
        """Compute the posterior probability of every label, state and split."""
        return Outside(self)


class Outside:
    """Outside sums, and the posterior probabilities computed from them.

    `label`, `state` and `left` are posterior probabilities in the shapes of `Scores`, the last two
    only if the rules are `counted`. `rules()` returns the expected numbers of rules in the whole
    batch, if they are `counted`.
    """

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self._counted = counted = chart.rules.counted
        self._kernels = None if counted else chart.kernels
        scores, rules, kind = chart.scores, chart.rules, chart.kind
        batch, words = chart.tags.shape
        self.label = np.zeros_like(scores.label)
        if counted:
            self.state = np.zeros_like(scores.state)
            self.left = np.zeros_like(scores.left)
            self._start = np.zeros_like(rules.start)
            self._next = [np.zeros_like(up) for _, up, _ in rules.blocks]
            self._symbol = np.zeros_like(rules.symbol)
        # Outside sums of the spans that trees have, as a last daughter after a word and after a
        # longer span, and as another daughter; `_row` has their rows, by length, sentence and first
        # word.
        spans = int((chart.sizes * (chart.sizes + 1)).sum()) // 2 + 1
        narrow = len(rules.label_states)
        self._as_last = chart.space.array("as last", (spans, len(rules.category)), kind)
        self._as_later = chart.space.array("as later", (spans, narrow), kind)
        self._as_left = chart.space.array("as left", (spans, narrow), kind)
        self._row = np.zeros((words + 1, batch, words), dtype=np.intp)
        self._rows = 1  # row 0 is that of no span
        self._row[chart.sizes, np.arange(batch), 0] = self._new_rows(batch)
        self._top = chart.rules.root / chart.total[:, None]
        for length in range(words, 0, -1):
            self._fill(length)

    def _new_rows(self, count: int) -> NDArray[np.intp]:
        """Return the numbers of new rows of outside sums, which are 0."""
        first, self._rows = self._rows, self._rows + count
        self._as_last[first : self._rows] = 0
        self._as_later[first : self._rows] = 0
        self._as_left[first : self._rows] = 0
        return np.arange(first, self._rows)

    def _add(self, to: AnyFloats, place: NDArray[np.intp], sums: AnyFloats) -> None:
        """Add to the outside sums of spans, of which none occurs twice."""
        by_place = self._row.reshape(-1)
        rows = by_place[place]
        unseen = np.flatnonzero(rows == 0)
        if len(unseen):
            rows[unseen] = self._new_rows(len(unseen))
            by_place[place] = rows
        sums += _taken(to, rows)
        to[rows] = sums

    def _fill(self, length: int) -> None:
        """Compute the posterior probabilities of spans of one length; propagate to their parts."""
        chart, rules, scores = self.chart, self.chart.rules, self.chart.scores
        width, words = len(rules.category), chart.tags.shape[1]
        of_labels = rules.label_states
        batch, first = self._row[length].nonzero()
        if not len(batch):
            return
        rows = self._row[length, batch, first]
        by_start = (batch * words + first) * (words + 1) + length
        by_end = (batch * (words + 1) + first + length + 1) * words - length
        outer = np.empty((len(rows), width + len(of_labels)), dtype=chart.kind)
        last, left = outer[:, :width], outer[:, width:]
        state_factor = np.exp(_taken(_rows(scores.state), by_start))
        left_factor = np.exp(_taken(_rows(scores.left), by_start))
        if self._kernels is not None:
            as_last = np.empty(len(rows), dtype=chart.kind)
            self._kernels.outer_rows(
                *(self._as_last, self._as_later, self._as_left, rows, _rows(chart.states), by_end),
                *(state_factor, left_factor, rules.categories, rules.narrow_categories),
                *(rules.label_numbers, outer, as_last),
            )
        else:
            last[...] = _taken(self._as_last, rows)
            last[:, of_labels] += _taken(self._as_later, rows)
            left[...] = _taken(self._as_left, rows)
            states = _taken(_rows(chart.states), by_end)
            as_last = (last * states).max(axis=1)
            if self._counted:
                categories = rules.grammar.of_category[rules.order]
                _rows(self.state)[by_start] = matrix_product(last * states, categories)
                both = left * _taken(_rows(chart.left), by_start)
                _rows(self.left)[by_start] = matrix_product(both, categories)
            last *= state_factor.take(rules.category, axis=1, mode="clip")
            left *= left_factor.take(rules.narrow_category, axis=1, mode="clip")
        outer_label = matrix_product(outer, rules.from_label)
        whole = np.flatnonzero(chart.sizes[batch] == length)
        outer_label[whole] += self._top[batch[whole]]
        inner_label = _taken(_rows(chart.label), by_start)
        label = outer_label * inner_label
        _rows(self.label)[by_start] = label
        if self._counted:
            self._symbol[len(rules.grammar.tags) :] += inner_label.T @ outer
        if length > 1:
            # Few spans are as probable as `_LEAST_SPAN_PROBABILITY`; only these are propagated.
            likely = np.flatnonzero(label.sum(axis=1) + as_last > _LEAST_SPAN_PROBABILITY)
            outer_label *= np.exp(_taken(_rows(scores.label), by_start))
            self._propagate(length, batch[likely], first[likely], outer_label[likely], last[likely])
        elif self._counted:
            scale = chart.steps[0][2][batch, first, None]
            np.add.at(self._symbol, chart.tags[batch, first], outer / scale)

    def _propagate(
        self,
        length: int,
        batch: NDArray[np.intp],
        first: NDArray[np.intp],
        label: AnyFloats,
        states: AnyFloats,
    ) -> None:
        """Add the outside sums of spans, of labels and of states, to those of their parts."""
        chart, rules = self.chart, self.chart.rules
        splits, sums, scale = chart.steps[length - 1]
        shrink = 1 / scale[batch, first, None]
        label *= shrink
        states *= shrink
        if self._counted:
            inner = sums[batch, first]
            self._start += inner.T @ label
            for total, (at, _, _) in zip(self._next, rules.blocks, strict=True):
                total += inner[:, at].T @ states[:, at]
        outer = rules.to_next(states)
        outer += matrix_product(label, rules.start.T)
        if self._kernels is not None:
            self._rows = self._kernels.outer_splits(
                *(chart.words, chart.left, chart.states, chart.narrow_states, splits),
                *(chart.most_left, outer, batch, first, rules.label_numbers, length),
                *(np.float32(_LEAST_SPLIT_PROBABILITY), self._row),
                *(self._as_left, self._as_last, self._as_later, self._rows),
            )
            return
        # The states of words, and the label states of longer daughters.
        weights, of_labels = splits[batch, first], rules.label_states
        one = chart.words[batch, first] * outer
        most = (one * chart.states[batch, first + length, 1 - length]).max(axis=1)
        span = np.flatnonzero(most * weights[:, 0] > _LEAST_SPLIT_PROBABILITY)
        weight = weights[span, :1]
        narrow = outer.take(of_labels, axis=1, mode="clip")
        to_left = chart.narrow_states[batch[span], first[span] + length, 1 - length]
        to_left *= weight
        to_left *= _taken(narrow, span)
        # The places of the parts in `_row`.
        words = chart.tags.shape[1]
        size, start = words * len(chart.tags), batch * words + first
        self._add(self._as_left, size + start[span], to_left)
        self._add(self._as_last, (length - 1) * size + start[span] + 1, _taken(one, span) * weight)
        if length == 2:
            return
        from_left = chart.left[batch, first, 2:length]
        from_left *= narrow[:, None]
        right = chart.narrow_states[batch, first + length, 2 - length :]
        split_weights = (from_left * right).max(axis=2)  # as kernels: of any order, a sum is not
        split_weights *= weights[:, 1:]
        span, at = (split_weights > _LEAST_SPLIT_PROBABILITY).nonzero()
        row, weight = span * (length - 2) + at, weights[span, at + 1, None]
        to_left = _taken(_rows(right), row)
        to_left *= weight
        to_left *= _taken(narrow, span)
        to_last = _taken(_rows(from_left), row)
        to_last *= weight
        self._add(self._as_left, (at + 2) * size + start[span], to_left)
        self._add(self._as_later, (length - at - 2) * size + start[span] + at + 2, to_last)

    def rules(self) -> dict[str, AnyFloats]:
        """Return the expected number of each rule in the batch, in the shapes of the weights."""
        rules, width = self.chart.rules, len(self.chart.rules.category)
        back = np.argsort(rules.order)
        following = np.zeros((width, width), dtype=self.chart.kind)
        for (at, up, _), total in zip(rules.blocks, self._next, strict=True):
            following[at, at] = (total * up).T
        symbol = self._symbol * rules.symbol
        return {
            "root": self.chart.top.sum(axis=0),
            "child": (symbol[:, width:][:, back] @ rules.grammar.of_category).T,
            "start": (self._start * rules.start).T[:, back],
            "next": following[np.ix_(back, back)],
            "last": symbol[:, :width].T[back],
        }


def _rows(values: AnyFloats) -> AnyFloats:
    return values.reshape(-1, values.shape[-1])


def _taken(values: AnyFloats, rows: NDArray[np.intp]) -> AnyFloats:
    """Return rows, all of which are there: `clip` spares numpy a slow check of each."""
    return values.take(rows, axis=0, mode="clip")


BAR = 0.4  # probability; set by hand
WAYS = ("forward", "backward")

Node = tuple[int, int, int]  # label, first word, number of words


class ChartParser:
    """Two charts: one reads the daughters of a node from left to right, one from right to left.

    The second one reads sentences backwards. Both were trained separately and depend on different
    neighbours, so their errors differ; the mean of their probabilities is used.
    """

    def __init__(self, packed: Mapping[str, NDArray[np.generic]]) -> None:
        self._forward, self._backward = (_OneWay(packed, way) for way in WAYS)
        self.grammar = self._forward.grammar

    @staticmethod
    def workspace() -> Workspace:
        """Return a space for batches that are parsed one after the other."""
        return Workspace()

    def parse(
        self,
        words: Sequence[Sequence[str]],
        tags: Sequence[Sequence[str]],
        space: Workspace | None = None,
    ) -> list[Tree]:
        """Return the trees of non-empty sentences, which should have similar lengths.

        Time is cubic, and memory quadratic, in the length of the longest sentence. Batches that are
        parsed one after the other may share a `space`.
        """
        sizes = np.array([len(row) for row in words])
        label = self.probabilities(words, tags, space)
        return [
            tree_of(brackets, row, row_tags, self.grammar)
            for brackets, row, row_tags in zip(
                best_brackets(label, sizes, self.grammar), words, tags, strict=True
            )
        ]

    def probabilities(
        self,
        words: Sequence[Sequence[str]],
        tags: Sequence[Sequence[str]],
        space: Workspace | None = None,
    ) -> Singles:
        """Return the probability of each label [sentence, first word, length, label].

        Parameters are those of `parse`; places after the end of a sentence have any numbers.
        """
        space = space or Workspace()
        label = self._forward.probabilities(words, tags, space)
        backward = self._backward.probabilities(
            [row[::-1] for row in words], [row[::-1] for row in tags], space
        )
        # The span at `first` is at `size - length - first` in the sentence read backwards.
        sizes, longest = np.array([len(row) for row in words]), label.shape[1]
        first, length = np.arange(longest)[:, None], np.arange(longest + 1)
        mirrored = sizes[:, None, None] - length - first
        sentence, first, length = ((mirrored >= 0) & (length > 0)).nonzero()
        mirrored = mirrored[sentence, first, length]
        place = (sentence * longest + first) * (longest + 1) + length
        other = (sentence * longest + mirrored) * (longest + 1) + length
        _rows(label)[place] += _taken(_rows(backward), other)
        label /= 2
        return label


class _OneWay:
    """A grammar with the weights of its rules and features."""

    def __init__(self, packed: Mapping[str, NDArray[np.generic]], way: str) -> None:
        self.grammar = Grammar.unpacked(packed, way)
        self._rules = Rules(
            self.grammar, {rule: packed[f"{way}_{rule}"].astype(np.float32) for rule in RULES}
        )
        self._own = Table(packed, f"{way}_own")
        self._left = Table(packed, f"{way}_left")
        self._tag = {tag: k for k, tag in enumerate(self.grammar.tags)}

    def probabilities(
        self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]], space: Workspace
    ) -> Singles:
        """Return the probability of each label [sentence, first word, length, label]."""
        features = span_templates(words, tags)
        scores = score_spans(
            *(features, self.grammar, self._own.sums, self._left.sums),
            scales=(self._own.scale, self._left.scale),
        )
        sizes = np.array([len(row) for row in words])
        numbers = np.zeros((len(words), int(sizes.max())), dtype=np.intp)
        for k, row in enumerate(tags):
            numbers[k, : len(row)] = [self._tag[tag] for tag in row]
        return Chart(self._rules, scores, numbers, sizes, space).outside().label


def score_spans(
    features: SpanFeatures[Some],
    grammar: Grammar,
    own: Callable[[Some], Sums],
    left: Callable[[Some], Sums],
    *,
    scales: tuple[float | np.float32, float | np.float32] = (1.0, 1.0),
) -> Scores:
    """Return the scores of all spans of a batch.

    The labels and categories of the grammar are the columns of the weights. `own` and `left` turn
    features of places into sums of weights; `scales` are the factors of the sums of both.
    """
    at = features
    batch, words = int(at.sentence.max()) + 1, int(at.length.max())
    labels, categories = len(grammar.labels), len(grammar.categories)
    scores = Scores(
        *(
            np.zeros((batch, words, words + 1, width), dtype=np.float32)
            for width in (labels, categories, categories)
        )
    )
    place = (at.sentence * words + at.first) * (words + 1) + at.length
    both = own(at.own_span)
    both += _taken(own(at.own_start), at.start)
    both += _taken(own(at.own_end), at.end)
    both = both * scales[0]
    _rows(scores.label)[place] = both[:, :labels]
    _rows(scores.state)[place] = both[:, labels:]
    both = left(at.left_span)
    both += _taken(left(at.left_end), at.end)
    _rows(scores.left)[place] = both * scales[1]
    scores.clip()
    return scores


def best_brackets(
    label: Singles, sizes: NDArray[np.intp], grammar: Grammar, *, bar: float = BAR
) -> list[list[Node]]:
    """Return the best set of nested brackets of each sentence, in preorder, the whole one first.

    `label` has the probability of each label, [sentence, first word, length, label], and `sizes`
    the number of words of each sentence. `bar` is the cost of a bracket: a higher cost gives fewer
    brackets.
    """
    gains = matrix_product(label, grammar.brackets) - bar
    gains = matrix_product(gains, grammar.brackets.T)
    best, gain = gains.argmax(axis=3), gains.max(axis=3)
    split = _best_splits(gain, sizes)
    return [
        _nested(gain[k] > 0, best[k], split[k], int(size)) for k, size in enumerate(sizes.tolist())
    ]


def _best_splits(gain: AnyFloats, sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the length of the first part of each span in the best set of nested brackets."""
    batch, words = gain.shape[:2]
    split = np.zeros((batch, words, words + 1), dtype=np.intp)
    kernels = chart_kernels.after(0) if gain.dtype == np.float32 else None
    if kernels is not None:
        kernels.best_splits(gain, sizes, split)
        return split
    by_start = np.zeros((batch, words, words + 1))
    by_end = np.zeros((batch, words + 1, words + 1))
    for length in range(1, words + 1):
        count = words - length + 1
        value = np.maximum(gain[:, :count, length], 0)
        if length > 1:
            both = by_start[:, :count, 1:length] + by_end[:, length:, length - 1 : 0 : -1]
            split[:, :count, length] = both.argmax(axis=2) + 1
            value = value + both.max(axis=2)
        by_start[:, :count, length] = value
        by_end[:, length:, length] = value
    return split


def _nested(
    gained: Bools, best: NDArray[np.intp], split: NDArray[np.intp], words: int
) -> list[Node]:
    """Follow the best splits of one sentence; return its brackets in preorder."""
    is_gain, label, splits = gained.tolist(), best.tolist(), split.tolist()
    out: list[Node] = []
    waiting = [(0, words)]
    while waiting:
        first, length = waiting.pop()
        if is_gain[first][length] or length == words:
            out.append((label[first][length], first, length))
        if length > 1:
            at = splits[first][length]
            waiting += [(first + at, length - at), (first, at)]
    return out


def tree_of(
    brackets: Sequence[Node], words: Sequence[str], tags: Sequence[str], grammar: Grammar
) -> Tree:
    """Return the tree of nested brackets in preorder, with the root ROOT."""
    labels, parents, forms = ["ROOT"], [-1], list[str | None]([None])
    path = [(0, len(words))]  # open nodes with their ends
    at = 0
    for label, first, length in [*brackets, (-1, len(words), 0)]:
        while at < first:
            while path[-1][1] <= at:
                path.pop()
            labels.append(tags[at])
            parents.append(path[-1][0])
            forms.append(words[at])
            at += 1
        if label < 0:
            break
        while path[-1][1] <= first:
            path.pop()
        for part in grammar.parts[label]:
            parents.append(path[-1][0])
            path.append((len(labels), first + length))
            labels.append(part)
            forms.append(None)
    return Tree(labels, parents, forms)
