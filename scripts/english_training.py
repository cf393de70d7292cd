"""How the weights of the English tagger and parser are learnt: steps along the gradient.

Both are log-linear models; a step raises the probability of what is right in a few sentences. The
size of a step follows Duchi, Hazan and Singer (2011), "Adaptive subgradient methods". Features
are left out at random while learning, and the weights of the later rounds are averaged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.syntax.english import best_row, tag_templates
from bitext.syntax.english.features import BITS, Slots, span_features
from bitext.syntax.english.parser import (
    RULES,
    Chart,
    Grammar,
    Rules,
    score_spans,
)
from english_trees import Example

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

LEAST_RIGHT, LEAST_ALL = 2, 20  # how often a feature occurs that is learnt

__all__ = ["LearntParser", "LearntTable", "LearntTagger"]


class _Learnt:
    """An array of weights, the squares of its gradients so far, and its average over rounds."""

    def __init__(self, shape: tuple[int, ...], *, start: float) -> None:
        self.weights = np.zeros(shape, dtype=np.float32)
        self._squares = np.full_like(self.weights, start)
        self._sum = np.zeros_like(self.weights)
        self._rounds = 0

    def remember(self) -> None:
        """Count the weights as they are into the average."""
        self._sum += self.weights
        self._rounds += 1

    def average(self) -> None:
        """Take the average for the weights."""
        self.weights = self._sum / np.float32(self._rounds)


class LearntTable(_Learnt):
    """Weights of features while they are learnt."""

    def __init__(self, keys: NDArray[np.int64], width: int, *, start: float) -> None:
        self.slots = Slots(keys)
        super().__init__((len(self.slots), width), start=start)

    def sums(self, rows: NDArray[np.int64]) -> Floats:
        """Return the sum of the weights of each row of features."""
        out = np.empty((len(rows), self.weights.shape[1]), dtype=np.float32)
        for at in range(0, len(rows), 2048):
            part = rows[at : at + 2048]
            total = self.weights[part[:, 0]]
            for k in range(1, part.shape[1]):
                total += self.weights[part[:, k]]
            out[at : at + 2048] = total
        return out

    def step(
        self, changes: Sequence[tuple[NDArray[np.int64], Floats]], *, rate: float, decay: float
    ) -> None:
        """Go along gradients: of rows of features [place, template], [place, column] each."""
        rows = np.concatenate([rows.ravel() for rows, _ in changes])
        shift, owners = 0, []
        for part, gradient in changes:
            owners.append(np.repeat(np.arange(shift, shift + len(gradient)), part.shape[1]))
            shift += len(gradient)
        owner = np.concatenate(owners)
        known = rows > 0
        rows, owner = rows[known], owner[known]
        if not len(rows):
            return
        order = np.argsort(rows, kind="stable")
        rows = rows[order]
        begin = np.flatnonzero(np.diff(rows, prepend=-1))
        gradients = np.concatenate([gradient for _, gradient in changes])
        gradient = np.add.reduceat(gradients[owner[order]], begin, axis=0)
        rows = rows[begin]
        weights = self.weights[rows]
        gradient -= decay * weights
        squares = self._squares[rows] + gradient * gradient
        self._squares[rows] = squares
        self.weights[rows] = weights + rate * gradient / np.sqrt(squares)


class Dense(_Learnt):
    """A small array of weights while it is learnt."""

    def step(self, gradient: Floats, *, rate: float, decay: float) -> None:
        """Go along the gradient."""
        gradient = gradient - decay * self.weights
        self._squares += gradient * gradient
        self.weights += rate * gradient / np.sqrt(self._squares)


class LearntTagger:
    """A tagger that learns."""

    def __init__(self, tags: Sequence[str]) -> None:
        self.tags = list(tags)
        self._number = {tag: k for k, tag in enumerate(tags)}

    def learn(
        self,
        data: Sequence[Example],
        *,
        rounds: int,
        rng: np.random.Generator,
        rate: float = 0.1,
        drop: float = 0.15,
        decay: float = 0.0,
    ) -> None:
        """Learn from examples."""
        hashes = [tag_templates([example.words]).hashes() for example in data]
        keys, count = np.unique(np.concatenate(hashes), return_counts=True)
        self.table = LearntTable(keys[count >= 2], len(self.tags), start=0.01)
        self.following = Dense((len(self.tags) + 1, len(self.tags)), start=0.01)
        rows = [self.table.slots(h) for h in hashes]
        gold = [np.array([self._number[tag] for tag in example.tags]) for example in data]
        for turn in range(rounds):
            for k in rng.permutation(len(data)):
                kept = np.where(rng.random(rows[k].shape) < drop, 0, rows[k])
                words, pairs = self._gradient(self.table.sums(kept), gold[k])
                self.table.step([(kept, words)], rate=rate, decay=decay)
                self.following.step(pairs, rate=rate, decay=decay)
            if turn >= rounds // 2:
                self.table.remember()
                self.following.remember()
        self.table.average()
        self.following.average()

    def _gradient(self, scores: Floats, gold: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return what is there less what is expected, by the forward-backward algorithm."""
        words, tags = scores.shape
        factor = np.exp(self.following.weights.astype(np.float64))
        fit = np.exp(scores - scores.max(axis=1, keepdims=True)).astype(np.float64)
        forward, backward, scale = np.empty((words, tags)), np.ones((words, tags)), np.empty(words)
        value = factor[-1] * fit[0]
        for k in range(words):
            if k:
                value = forward[k - 1] @ factor[:-1] * fit[k]
            scale[k] = value.sum()
            forward[k] = value / scale[k]
        pairs = np.zeros_like(factor)
        for k in range(words - 1, 0, -1):
            after = fit[k] * backward[k] / scale[k]
            pairs[:-1] -= np.outer(forward[k - 1], after) * factor[:-1]
            backward[k - 1] = factor[:-1] @ after
        change = -forward * backward
        pairs[-1] += change[0]
        change[np.arange(words), gold] += 1
        pairs[-1, gold[0]] += 1
        np.add.at(pairs, (gold[:-1], gold[1:]), 1)
        return change.astype(np.float32), pairs.astype(np.float32)

    def tag(self, words: Sequence[str]) -> list[str]:
        """Return the tags of a sentence."""
        scores = self.table.sums(self.table.slots(tag_templates([words]).hashes()))
        return [self.tags[k] for k in best_row(scores, self.following.weights)]


class _Batch:
    """Sentences of about one length: features, tags and what is right."""

    def __init__(
        self, grammar: Grammar, sentences: Sequence[Example], tags: Sequence[Sequence[str]]
    ) -> None:
        self.features = span_features([example.words for example in sentences], tags)
        self.sizes = np.array([len(example.words) for example in sentences])
        number = {tag: k for k, tag in enumerate(grammar.tags)}
        self.tags = np.zeros((len(sentences), int(self.sizes.max())), dtype=np.intp)
        for k, row in enumerate(tags):
            self.tags[k, : len(row)] = [number[tag] for tag in row]
        symbols = {name: k for k, name in enumerate([*grammar.tags, *grammar.labels])}
        categories = {name: k for k, name in enumerate(grammar.categories)}
        spans: dict[str, list[tuple[int, ...]]] = {"label": [], "state": [], "left": []}
        rules: dict[str, list[tuple[int, ...]]] = {rule: [] for rule in RULES}
        for k, (example, row) in enumerate(zip(sentences, tags, strict=True)):
            seen = Example(example.words, list(row), example.nodes).daughters()
            rules["root"].append((symbols[example.nodes[0][0]] - len(number),))
            for (label, first, end, _), (_, below) in zip(example.nodes, seen, strict=True):
                lab = symbols[label] - len(number)
                cat = categories[label.split("+")[-1].split("-")[0]]
                spans["label"].append((k, first, end - first, lab))
                if len(below) == 1:
                    continue
                state = -1
                for at, (from_, to, name) in enumerate(below):
                    symbol = symbols[name]
                    if at:
                        spans["state"].append((k, from_, end - from_, cat))
                    if at == len(below) - 1:
                        rules["last"].append((state, symbol))
                        break
                    spans["left"].append((k, from_, to - from_, cat))
                    rules["child"].append((cat, symbol))
                    leads = int(grammar.leads[symbol, cat])
                    rules["next" if at else "start"].append((state if at else lab, leads))
                    state = leads
        self.spans = {
            name: tuple(np.array(found, dtype=np.intp).reshape(-1, 4).T)
            for name, found in spans.items()
        }
        self.rules = {
            rule: tuple(np.array(found, dtype=np.intp).reshape(len(found), -1).T)
            for rule, found in rules.items()
        }


_OWN = ("own_start", "own_end", "own_span")
_LEFT = ("left_end", "left_span")


class LearntParser:
    """A chart parser that learns."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.rules = {rule: Dense(grammar.shape(rule), start=0.1) for rule in RULES}

    def learn(
        self,
        data: Sequence[Example],
        tags: Sequence[Sequence[str]],
        *,
        rounds: int,
        rng: np.random.Generator,
        rate: float = 0.1,
        drop: float = 0.3,
        decay: float = 0.0,
        cells: int = 4000,
        least: float = 0.005,
        tell: Callable[[str], None] = print,
        after: Callable[[int], None] | None = None,
    ) -> None:
        """Learn from examples with the tags that a tagger gives them.

        Gradients of spans that are all nearer to 0 than `least` are not followed.
        """
        batches = self._batches(data, tags, cells)
        for turn in range(rounds):
            gain = 0.0
            for k in rng.permutation(len(batches)):
                gain += self._step(batches[k], rng, rate=rate, drop=drop, decay=decay, least=least)
            if turn >= (rounds - 1) // 2:
                for learnt in self._learnt():
                    learnt.remember()
            tell(f"round {turn + 1}: log-likelihood {gain / len(data):.3f} a sentence")
            if after is not None:
                after(turn)
        for learnt in self._learnt():
            learnt.average()

    def _learnt(self) -> list[_Learnt]:
        return [self.own, self.left, *self.rules.values()]

    def _batches(
        self, data: Sequence[Example], tags: Sequence[Sequence[str]], cells: int
    ) -> list[_Batch]:
        """Make the batches, and the tables of what occurs in them often enough."""
        order = sorted(range(len(data)), key=lambda k: len(data[k].words))
        batches, group = [], list[int]()
        for k in [*order, -1]:
            if group and (k < 0 or (len(group) + 1) * len(data[k].words) ** 2 > cells):
                batches.append(
                    _Batch(self.grammar, [data[g] for g in group], [tags[g] for g in group])
                )
                group = []
            group.append(k)
        labels, categories = len(self.grammar.labels), len(self.grammar.categories)
        own = _keys(batches, _OWN, ("label", "state"))
        left = _keys(batches, _LEFT, ("left",))
        self.own = LearntTable(own, labels + categories, start=0.1)
        self.left = LearntTable(left, categories, start=0.1)
        for batch in batches:
            for table, names in ((self.own, _OWN), (self.left, _LEFT)):
                for name in names:
                    rows = table.slots(getattr(batch.features, name))
                    batch.features = replace(batch.features, **{name: rows})
        return batches

    def _step(
        self,
        batch: _Batch,
        rng: np.random.Generator,
        *,
        rate: float,
        drop: float,
        decay: float,
        least: float,
    ) -> float:
        """Go a step; return the log-likelihood of the batch before it."""
        full = batch.features
        at = replace(
            full,
            **{
                name: np.where(
                    rng.random(getattr(full, name).shape, np.float32) < drop, 0, getattr(full, name)
                )
                for name in _OWN + _LEFT
            },
        )
        scores = score_spans(at, self.grammar, self.own.sums, self.left.sums)
        weights = {rule: dense.weights for rule, dense in self.rules.items()}
        chart = Chart(Rules(self.grammar, weights, counted=True), scores, batch.tags, batch.sizes)
        outside = chart.outside()
        gain = -float(chart.log_total.sum())
        change = {}
        for name, places in batch.spans.items():
            change[name] = -getattr(outside, name)
            change[name][places] += 1
            gain += float(getattr(scores, name)[places].sum())
        for rule, expected in outside.rules().items():
            found = np.zeros_like(expected)
            np.add.at(found, batch.rules[rule], 1)
            gain += float((found * weights[rule]).sum())
            self.rules[rule].step(found - expected, rate=rate, decay=decay)
        spans = (at.sentence, at.first, at.length)
        own = np.concatenate([change["label"][spans], change["state"][spans]], axis=1)
        kept = np.abs(own).max(axis=1) > least
        own = own[kept]
        self.own.step(
            [
                (at.own_span[kept], own),
                _by_place(at.own_start, at.start[kept], own),
                _by_place(at.own_end, at.end[kept], own),
            ],
            rate=rate,
            decay=decay,
        )
        left = change["left"][spans]
        kept = np.abs(left).max(axis=1) > least
        left = left[kept]
        self.left.step(
            [(at.left_span[kept], left), _by_place(at.left_end, at.end[kept], left)],
            rate=rate,
            decay=decay,
        )
        return gain


def _by_place(
    rows: NDArray[np.int64], place: NDArray[np.intp], gradient: Floats
) -> tuple[NDArray[np.int64], Floats]:
    """Sum the gradients of spans by their place."""
    order = np.argsort(place, kind="stable")
    place = place[order]
    begin = np.flatnonzero(np.diff(place, prepend=-1))
    if not len(begin):
        return rows[:0], gradient
    return rows[place[begin]], np.add.reduceat(gradient[order], begin, axis=0)


def _keys(
    batches: Sequence[_Batch], names: Sequence[str], kinds: Sequence[str]
) -> NDArray[np.int64]:
    """Return the features that occur on spans of trees twice, or anywhere often."""
    right, all_ = np.zeros(1 << BITS, dtype=np.uint8), np.zeros(1 << BITS, dtype=np.uint16)
    often = [np.zeros(0, dtype=np.int64)]  # each when it is: to look through all takes a second
    for batch in batches:
        at = batch.features
        words = int(at.length.max())
        found = np.zeros((len(batch.sizes), words, words + 1), dtype=bool)
        for kind in kinds:
            found[batch.spans[kind][:3]] = True
        good = found[at.sentence, at.first, at.length]
        for name in names:
            hashes = getattr(at, name)
            place = at.start if name.endswith("start") else at.end
            by_span = hashes if name.endswith("span") else None
            every = hashes[place] if by_span is None else by_span
            for counts, some, least, most in (
                (right, every[good], LEAST_RIGHT, 100),
                (all_, every, LEAST_ALL, 50_000),
            ):
                keys, number = np.unique(some, return_counts=True)
                before = counts[keys]
                counts[keys] = np.minimum(before + number, most)
                often.append(keys[(before < least) & (counts[keys] >= least)].astype(np.int64))
    return np.unique(np.concatenate(often))
