"""The rules of the chart parser: labels, and automata that read the daughters of a label.

A *label* is what stands over one span: one category, or several of the same span from the top
down (`S+VP`). A category may have a function, which the trees do not show: `NP-SBJ`. The
daughters of a node are read from left to right by an automaton of its lowest category: a *state*
`VP|NP` means that under a VP, an NP has just been read, and that more is to come. So a node of
any width is a chain of binary steps, and each step knows the daughter before.

All rules are allowed; how good they are is a weight:

- `root` [label]: a sentence is this;
- `child` [category, symbol]: a daughter that is not the last;
- `start` [label, state]: the first daughter leads to this state;
- `next` [state, state]: the next daughter leads from this state to that;
- `last` [state, symbol]: the last daughter.

A *symbol* is a tag or a label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

__all__ = ["RULES", "Grammar", "Rules"]

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
        The class of each symbol as a daughter that was just read: tags first, then labels.
    states : sequence of str
        `CATEGORY|CLASS`; for each category one with the class `*`, for the other classes.

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
        # The state that a symbol leads to under a category.
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
        """Return what the constructor takes as arrays, whose names begin with a name."""
        return {f"{name}_{part}": np.array(getattr(self, part)) for part in _PARTS}

    @classmethod
    def unpacked(cls, arrays: Mapping[str, NDArray[np.generic]], name: str) -> Grammar:
        """Make a grammar of the arrays of `packed`."""
        return cls(*([str(text) for text in arrays[f"{name}_{part}"]] for part in _PARTS))


class Rules:
    """The weights of rules, as factors: what the chart multiplies."""

    def __init__(self, grammar: Grammar, weights: Mapping[str, Floats]) -> None:
        g = grammar
        self.grammar = g
        self.root: Floats = np.exp(weights["root"])
        # Symbol to the state that it leads to.
        self.child: Floats = np.exp(weights["child"].T)[:, g.category] * g.reads
        start = np.exp(weights["start"]) * (g.lowest[:, None] == g.category)
        following = np.exp(weights["next"]) * (g.category[:, None] == g.category)
        # From the state that was led to: to labels, then to the states before.
        self.up: Floats = np.ascontiguousarray(np.concatenate([start, following]).T)
        self.last: Floats = np.ascontiguousarray(np.exp(weights["last"]).T)
