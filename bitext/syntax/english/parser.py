"""Trees for tagged sentences: the chart, its weights, and the choice of the best brackets.

The parser does not return the most probable tree, but the tree with the largest expected number of
correct brackets: a bracket scores its probability minus `BAR`, and the best set of nested brackets
is chosen (Goodman 1996, "Parsing algorithms and metrics").

The rules of the chart parser: labels, and automata that read the daughters of a label.

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

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.model.sentence import Tree
from bitext.syntax.english.features import NAMES, Table, mix, span_features, stacked, word_codes

__all__ = [
    "BAR",
    "RULES",
    "WAYS",
    "Chart",
    "ChartParser",
    "Grammar",
    "Rules",
    "Scores",
    "Tagger",
    "best_brackets",
    "best_row",
    "score_spans",
    "tag_features",
    "tree_of",
]


if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.syntax.english.features import SpanFeatures

    Floats = NDArray[np.float32]
    AnyFloats = NDArray[np.floating[Any]]
    Codes = NDArray[np.uint64]
    Sums = Callable[[NDArray[np.int64]], Floats]

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
        self.of_category: Floats = np.zeros((len(states), len(self.categories)), dtype=np.float32)
        self.of_category[np.arange(len(states)), self.category] = 1
        names = sorted({part for parts in self.parts for part in parts})
        self.brackets: Floats = np.zeros((len(labels), len(names)), dtype=np.float32)
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
    """Weights of rules as factors, which the chart multiplies."""

    def __init__(self, grammar: Grammar, weights: Mapping[str, Floats]) -> None:
        g = grammar
        self.grammar = g
        self.root: Floats = np.exp(weights["root"])
        # From a symbol to its next state.
        self.child: Floats = np.exp(weights["child"].T)[:, g.category] * g.reads
        start = np.exp(weights["start"]) * (g.lowest[:, None] == g.category)
        following = np.exp(weights["next"]) * (g.category[:, None] == g.category)
        # From the next state: to labels, then to the previous states.
        self.up: Floats = np.ascontiguousarray(np.concatenate([start, following]).T)
        self.last: Floats = np.ascontiguousarray(np.exp(weights["last"]).T)


# The probability of each label over each span of a sentence, by the inside-outside algorithm.
#
# The chart holds all trees of a sentence that the `Grammar` allows. The weight of a tree is the
# product of the factors of its rules, of its labels and states over their spans, and of the
# categories over left daughters. Inside sums are computed from short spans to long ones, outside
# sums in reverse; each step is one array operation over all spans of a length in all sentences of a
# batch. The sums of a span are stored relative to their maximum, with the logarithm of that maximum
# beside them, so that nothing overflows.
#
# Time is cubic in the length of a sentence, memory quadratic.


_LOWEST_SCORE, _HIGHEST_SCORE = -30.0, 30.0
_NOTHING = 1e-6  # probability below which a span is pruned; set by hand


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
        # Indexed by first word and length of a span, and by end and length.
        self.symbols = np.zeros((batch, words, words + 1, symbols), dtype=self.kind)
        self.left = np.zeros((batch, words, words + 1, states), dtype=self.kind)
        self.states = np.zeros((batch, words + 1, words + 1, states), dtype=self.kind)
        self._log_by_start = np.zeros((batch, words, words + 1))
        self._log_by_end = np.zeros((batch, words + 1, words + 1))
        # For each length: the weights of splits, their sums by state, and the scale.
        self.steps: list[tuple[AnyFloats, AnyFloats, AnyFloats]] = []
        for length in range(1, words + 1):
            self._fill(length)
        top = self.symbols[np.arange(batch), 0, sizes, self._tags :] * rules.root
        self.total = top.sum(axis=1)
        self.log_total = np.log(self.total) + self._log_by_start[np.arange(batch), 0, sizes]
        self.top: AnyFloats = top / self.total[:, None]

    def _fill(self, length: int) -> None:
        """Compute the inside sums of all spans of one length."""
        batch, words = self.tags.shape
        rules, category = self.rules, self.rules.grammar.category
        count, labels = words - length + 1, len(rules.grammar.labels)
        label = np.exp(self.scores.label[:, :count, length])
        state = np.exp(self.scores.state[:, :count, length])[..., category]
        symbols = np.zeros((batch, count, self.symbols.shape[-1]), dtype=self.kind)
        states: AnyFloats
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

    def _joined(self, splits: AnyFloats, length: int) -> AnyFloats:
        """Sum over the split points of each span: [sentence, first word, state]."""
        count = splits.shape[1]
        left = self.left[:, :count, 1:length]
        right = self.states[:, length:, length - 1 : 0 : -1]
        out: AnyFloats = np.einsum("brki,brki->bri", left * splits[..., None], right)
        return out

    def outside(self, *, counted: bool = False) -> Outside:
        """Compute the posterior probability of every label, state and split.

        Parameters
        ----------
        counted : bool
            Whether to compute the expected numbers of rules too, for training.

        """
        return Outside(self, counted=counted)


class Outside:
    """Outside sums, and the posterior probabilities computed from them.

    `label`, `state` and `left` are posterior probabilities in the shapes of `Scores`. `rules()`
    returns the expected numbers of rules in the whole batch, if they are `counted`.
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
        """Propagate the outside sums of spans of one length to their parts."""
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
        # Few spans have a probability above `_NOTHING`; only these are propagated.
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

    def rules(self) -> dict[str, AnyFloats]:
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


def _rows(values: AnyFloats) -> AnyFloats:
    return values.reshape(-1, values.shape[-1])


# Tags of words: a linear-chain model over words, suffixes, shapes and neighbours.
#
# The weights of the features of a word score its tags, and one weight for each pair of tags scores
# the transition. Viterbi's algorithm gives the most probable sequence of tags.


_MARK_TAGS = frozenset([",", ".", ":", "``", "''"])  # tags of words without a letter or digit
_NEVER = -1e6


class Tagger:
    """A tagger with the packed weights of a model.

    Parameters
    ----------
    packed : mapping of str to array
        The arrays of the model.

    """

    def __init__(self, packed: Mapping[str, NDArray[np.generic]]) -> None:
        self.tags = tuple(str(tag) for tag in packed["tagger_tags"])
        self.following: Floats = packed["tagger_following"].astype(np.float32)
        self._table = Table(packed, "tagger")
        self._signs = [k for k, tag in enumerate(self.tags) if tag in _MARK_TAGS]

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags of each sentence; no sentence may be empty."""
        scores = self._table.sums(tag_features(sentences))
        spoken = [any(map(str.isalnum, word)) for sentence in sentences for word in sentence]
        scores[np.ix_(spoken, self._signs)] = _NEVER
        out, at = [], 0
        for sentence in sentences:
            row = best_row(scores[at : at + len(sentence)], self.following)
            out.append([self.tags[k] for k in row])
            at += len(sentence)
        return out


def best_row(scores: Floats, following: Floats) -> list[int]:
    """Return the best tag sequence; ties go to the earlier tags, from the end.

    Parameters
    ----------
    scores : array of float
        The score of each tag for each word, [word, tag].
    following : array of float
        The score of each transition, [previous tag, tag]; the last row is for the first word.

    """
    between = np.ascontiguousarray(following[:-1].T)  # [tag, previous tag]
    value = scores[0] + following[-1]
    came = np.empty(scores.shape, dtype=np.intp)
    tags = np.arange(scores.shape[1])
    for k in range(1, len(scores)):
        both = between + value
        came[k] = both.argmax(axis=1)
        value = both[tags, came[k]] + scores[k]
    row = [int(value.argmax())]
    for k in range(len(scores) - 1, 0, -1):
        row.append(int(came[k, row[-1]]))
    return row[::-1]


def tag_features(sentences: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """Return the hashes of the features of each word, with sentences concatenated."""
    sizes = np.array([len(sentence) for sentence in sentences], dtype=np.intp)
    begin = np.cumsum(sizes + 4) - sizes - 2
    place = np.concatenate([np.arange(b, b + n) for b, n in zip(begin, sizes, strict=True)])
    known = word_codes(word for sentence in sentences for word in sentence)
    line = np.zeros((int((sizes + 4).sum()), len(NAMES)), dtype=np.uint64)
    for k, at in enumerate((begin - 2, begin - 1, begin + sizes, begin + sizes + 1)):
        line[at] = k + 1
    line[place] = known
    first = np.zeros(len(place), dtype=np.uint64)
    first[np.cumsum(sizes) - sizes] = 1
    here, before, after = (_named(line[place + k]) for k in (0, -1, 1))
    before2, after2 = _named(line[place - 2]), _named(line[place + 2])
    templates: list[tuple[Codes, ...]] = [(np.zeros_like(first),)]
    templates += [(here[name],) for name in NAMES]
    templates += [(here[name], first) for name in ("kind", "shape", "lower")]
    templates += [(here["shape"], here["last3"]), (here["shape"], here["last2"])]
    templates.append((here["kind"], here["last4"]))
    for near in (before, after):
        templates += [(near[name],) for name in ("lower", "last2", "last3", "shape", "first4")]
        templates += [(near["lower"], here[name]) for name in ("lower", "last2", "kind")]
        templates += [(near[name], here[name]) for name in ("last3", "shape")]
        templates.append((near["last2"], here["lower"]))
    for far in (before2, after2):
        templates += [(far[name],) for name in ("lower", "last3", "shape")]
    templates += [
        (before2["lower"], before["lower"]),
        (after["lower"], after2["lower"]),
        (before["lower"], after["lower"]),
        (before["last2"], after["last2"]),
        (before["lower"], here["lower"], after["lower"]),
        (before["last3"], here["last2"], after["last3"]),
        (before2["lower"], before["lower"], here["last2"]),
        (after["lower"], after2["lower"], here["last2"]),
    ]
    return stacked([mix(k + 1, *parts) for k, parts in enumerate(templates)])


def _named(codes: Codes) -> dict[str, Codes]:
    return {name: codes[:, k] for k, name in enumerate(NAMES)}


BAR = 0.4
WAYS = ("forward", "backward")

Node = tuple[int, int, int]  # label, first word, number of words


class ChartParser:
    """Two charts: one reads the daughters of a node from left to right, one from right to left.

    The second one reads sentences backwards. Both were trained separately and depend on different
    neighbours, so their errors differ; the mean of their probabilities is used.

    Parameters
    ----------
    packed : mapping of str to array
        The arrays of the model.

    """

    def __init__(self, packed: Mapping[str, NDArray[np.generic]]) -> None:
        self._forward, self._backward = (_OneWay(packed, way) for way in WAYS)
        self.grammar = self._forward.grammar

    def parse(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> list[Tree]:
        """Return the trees of non-empty sentences, which should have similar lengths.

        Time is cubic, and memory quadratic, in the length of the longest sentence.
        """
        forward = self._forward.probabilities(words, tags)
        backward = self._backward.probabilities(
            [row[::-1] for row in words], [row[::-1] for row in tags]
        )
        trees = []
        for k, (row, row_tags) in enumerate(zip(words, tags, strict=True)):
            size = len(row)
            label: Floats = np.zeros((size, size + 1, len(self.grammar.labels)), np.float32)
            for n in range(1, size + 1):
                count = size - n + 1
                label[:count, n] = forward[k, :count, n] + backward[k, :count, n][::-1]
            label /= 2
            found = best_brackets(label, size, self.grammar)
            trees.append(tree_of(found, row, row_tags, self.grammar))
        return trees


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
        self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
    ) -> Floats:
        """Return the probability of each label [sentence, first word, length, label]."""
        features = span_features(words, tags)
        scores = score_spans(features, self.grammar, self._own.sums, self._left.sums)
        sizes = np.array([len(row) for row in words])
        numbers = np.zeros((len(words), int(sizes.max())), dtype=np.intp)
        for k, row in enumerate(tags):
            numbers[k, : len(row)] = [self._tag[tag] for tag in row]
        label: Floats = Chart(self._rules, scores, numbers, sizes).outside().label
        return label


def score_spans(features: SpanFeatures, grammar: Grammar, own: Sums, left: Sums) -> Scores:
    """Return the scores of all spans of a batch.

    Parameters
    ----------
    features : SpanFeatures
        The features of the batch.
    grammar : Grammar
        The grammar, whose labels and categories are the columns of the weights.
    own, left : callable
        Functions from rows of features to sums of weights.

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
    both = own(at.own_start)[at.start] + own(at.own_end)[at.end] + own(at.own_span)
    scores.label[at.sentence, at.first, at.length] = both[:, :labels]
    scores.state[at.sentence, at.first, at.length] = both[:, labels:]
    scores.left[at.sentence, at.first, at.length] = left(at.left_end)[at.end] + left(at.left_span)
    scores.clip()
    return scores


def best_brackets(label: Floats, words: int, grammar: Grammar, *, bar: float = BAR) -> list[Node]:
    """Return the best set of nested brackets, in preorder, the whole sentence first.

    Parameters
    ----------
    label : array of float
        The probability of each label [first word, length, label].
    words : int
        The length of the sentence.
    grammar : Grammar
        The grammar of the labels.
    bar : float
        The cost of a bracket: a higher cost gives fewer brackets.

    """
    gains = (label @ grammar.brackets - bar) @ grammar.brackets.T
    best, gain = gains.argmax(axis=2), gains.max(axis=2)
    by_start = np.zeros((words, words + 1))
    by_end = np.zeros((words + 1, words + 1))
    split = np.zeros((words, words + 1), dtype=np.intp)
    for length in range(1, words + 1):
        count = words - length + 1
        value = np.maximum(gain[:count, length], 0)
        if length > 1:
            both = by_start[:count, 1:length] + by_end[length : words + 1, length - 1 : 0 : -1]
            at = both.argmax(axis=1)
            split[:count, length] = at + 1
            value = value + both[np.arange(count), at]
        by_start[:count, length] = value
        by_end[length : words + 1, length] = value
    out: list[Node] = []
    waiting = [(0, words)]
    while waiting:
        first, length = waiting.pop()
        if gain[first, length] > 0 or length == words:
            out.append((int(best[first, length]), first, length))
        if length > 1:
            at = int(split[first, length])
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
