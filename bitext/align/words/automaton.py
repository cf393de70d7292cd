"""The minimal automaton of a lattice: states with the same continuations are merged.

A lattice has a node for each group of aligned words, so one sentence may be spelled by several
paths, and nodes with the same continuations stand side by side. The minimal deterministic automaton
accepts exactly the sentences that the paths of the lattice spell, those of the inputs and all
others, with the fewest states; every sentence is one path in it, so that they can be counted.

The automaton is made in three passes. From the accept state back, nodes with equal words and equal
successors are merged. From the start, sets of nodes that are reached by the same words become
states. From the end back, states from which the same can follow are merged. The second pass may
need exponentially many states; it stops at a limit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from bitext.errors import LatticeError, OptionError
from bitext.kernels.arrays import Frozen, Ints, put, put_all
from bitext.model import Lattice, Token
from bitext.model.lattice import want_lattice

_KEYS: dict[str, Callable[[Token], str]] = {
    "form": lambda token: token.form,
    "casefold": lambda token: token.form.casefold(),
}


class Automaton(Frozen):
    """A deterministic acyclic automaton over words.

    States are numbered from 0, the start, so that every arc goes from a lower to a higher number.

    Attributes
    ----------
    tail, head, symbol : array of int64, shape (arcs,)
        The state that each arc leaves, the state that it enters, and its word among `keys`;
        ascending by tail, then symbol. A state has one arc a symbol at most.
    accepting : tuple of int
        The states at which a sentence may end, ascending.
    keys : tuple of str
        The keys that distinguish words, ascending.
    forms : tuple of str
        For each of the keys, the word that has it most often in the lattice.

    """

    __slots__ = ("_states", "accepting", "forms", "head", "keys", "symbol", "tail")

    tail: Ints
    head: Ints
    symbol: Ints
    accepting: tuple[int, ...]
    keys: tuple[str, ...]
    forms: tuple[str, ...]
    _states: int

    def __init__(
        self,
        states: int,
        arcs: Iterable[tuple[int, int, int]],
        accepting: Iterable[int],
        keys: Sequence[str],
        forms: Sequence[str],
    ) -> None:
        rows = np.array(sorted(arcs), dtype=np.int64).reshape(-1, 3)
        for name, column in zip(("tail", "symbol", "head"), rows.T, strict=True):
            put(self, name, np.ascontiguousarray(column))
        put_all(self, keys=tuple(keys), forms=tuple(forms), _states=states)
        put(self, "accepting", tuple(sorted(accepting)))

    def __len__(self) -> int:
        """The number of states."""
        return self._states

    def arcs(self) -> Iterator[tuple[int, int, str]]:
        """Yield (from, to, word) of each arc, ascending."""
        columns = (self.tail.tolist(), self.head.tolist(), self.symbol.tolist())
        for tail, head, symbol in zip(*columns, strict=True):
            yield tail, head, self.forms[symbol]

    def count(self) -> int:
        """Return the number of different sentences, exactly."""
        ways = [0] * len(self)
        for state in self.accepting:
            ways[state] = 1
        pairs = zip(self.tail.tolist(), self.head.tolist(), strict=True)
        for tail, head in reversed(list(pairs)):
            ways[tail] += ways[head]
        return ways[0]

    def accepts(self, keys: Iterable[str]) -> bool:
        """Check whether the language has a sentence, given as the keys of its words."""
        number = {key: k for k, key in enumerate(self.keys)}
        columns = (self.tail.tolist(), self.symbol.tolist(), self.head.tolist())
        step = {(tail, symbol): head for tail, symbol, head in zip(*columns, strict=True)}
        state: int | None = 0
        for key in keys:
            state = step.get((state, number.get(key, -1))) if state is not None else None
        return state is not None and state in self.accepting

    def sentences(self) -> Iterator[tuple[str, ...]]:
        """Yield every sentence as its words, in the order of their keys; there may be very many."""
        after: list[list[tuple[int, str]]] = [[] for _ in range(len(self))]
        for tail, head, form in self.arcs():
            after[tail].append((head, form))
        final = set(self.accepting)
        words: list[str] = []
        if 0 in final:
            yield ()
        stack = [iter(after[0])]
        while stack:
            next_arc = next(stack[-1], None)
            if next_arc is None:
                stack.pop()
                if words:
                    words.pop()
                continue
            head, form = next_arc
            words.append(form)
            if head in final:
                yield tuple(words)
            stack.append(iter(after[head]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Automaton):
            return NotImplemented
        return _state_of(self) == _state_of(other)

    def __hash__(self) -> int:
        return hash(_state_of(self))

    def __repr__(self) -> str:
        return f"<Automaton: {len(self)} states, {len(self.tail)} arcs>"


def _state_of(automaton: Automaton) -> tuple[object, ...]:
    columns = (automaton.tail, automaton.symbol, automaton.head)
    arrays = tuple(column.tobytes() for column in columns)
    return (len(automaton), automaton.accepting, automaton.keys, automaton.forms, *arrays)


def minimise(
    lattice: Lattice, key: str | Callable[[Token], str] = "form", *, limit: int = 100_000
) -> Automaton:
    """Return the minimal deterministic automaton of the sentences that a lattice spells.

    A node spells any of its words: where a node holds `The` and `the`, each path through it gives
    two sentences, unless the key takes them for one. So every input sentence is accepted.

    Parameters
    ----------
    lattice : Lattice
        Its paths give the sentences.
    key : {"form", "casefold"} or callable
        The key that distinguishes words: the form, the form without case, or the result of a
        function of a token.
    limit : int
        The most states of the automaton before it is minimised.

    Returns
    -------
    Automaton
        The same language; no automaton has fewer states.

    Raises
    ------
    LatticeError
        When more than `limit` states are needed.
    InputError
        When `lattice` is no `Lattice`.
    OptionError
        When the key is not known, or the limit less than 1.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["Milan", "burns"]), Sentence(["It", "burns"])])
    >>> a = minimise(Lattice(c, [[0, 1], [2, 3]]))  # two nodes for one word
    >>> len(a), a.count(), list(a.arcs())
    (3, 2, [(0, 1, 'It'), (0, 1, 'Milan'), (1, 2, 'burns')])

    """
    want_lattice(lattice)
    if limit < 1:
        raise OptionError(f"limit is {limit}: want the most states, 1 or more")
    if isinstance(key, str):
        if key not in _KEYS:
            raise OptionError(f"key {key!r} is not known: want {', '.join(_KEYS)} or a function")
        key = _KEYS[key]
    words = _words(lattice, key)
    nodes = _merged(lattice, [tuple(sorted(counted)) for counted in words])
    states = _determined(nodes, limit)
    total: dict[str, Counter[str]] = {}
    for counted in words:
        for name, forms in counted.items():
            total.setdefault(name, Counter()).update(forms)
    keys = sorted(total)
    return _minimal(states, keys, [total[name].most_common(1)[0][0] for name in keys])


def _words(lattice: Lattice, key: Callable[[Token], str]) -> list[dict[str, Counter[str]]]:
    """Return, for each node, the keys of its words, and the forms that have them."""
    out: list[dict[str, Counter[str]]] = []
    for node in range(len(lattice)):
        forms_of_keys: dict[str, Counter[str]] = {}
        for token in lattice.tokens(node):
            forms_of_keys.setdefault(key(token), Counter())[token.form] += 1
        out.append(forms_of_keys)
    return out


class _Merged(NamedTuple):
    """Nodes with equal words and equal successors made one.

    Merged nodes are numbered from the accept state, 0, so that every arc goes from a higher to a
    lower number.
    """

    steps: list[dict[str, frozenset[int]]]  # where the words lead, from each node
    final: list[bool]  # whether a sentence may end with each node
    start: int  # where all sentences begin


def _merged(lattice: Lattice, words: list[tuple[str, ...]]) -> _Merged:
    known: dict[tuple[tuple[str, ...], frozenset[int]], int] = {}
    number = [0] * len(lattice)
    after = lattice.successors()
    spelled: list[tuple[str, ...]] = []
    steps: list[dict[str, frozenset[int]]] = []
    final: list[bool] = []
    for node in range(len(lattice) - 1, -1, -1):
        follow = frozenset(number[head] for head in after[node])
        number[node] = known.setdefault((words[node], follow), len(known))
        if number[node] < len(steps):
            continue
        spelled.append(words[node])
        leads: dict[str, set[int]] = {}
        for head in follow:
            for word in spelled[head]:
                leads.setdefault(word, set()).add(head)
        steps.append({word: frozenset(heads) for word, heads in leads.items()})
        # Only the accept state has number 0: nothing follows it, and no other node is without.
        final.append(0 in follow)
    return _Merged(steps, final, number[lattice.start])


class _State(NamedTuple):
    """A state of the deterministic automaton: whether it accepts, and where each word leads."""

    final: bool
    steps: dict[str, int]
    rank: int  # higher than that of any state it leads to


def _determined(nodes: _Merged, limit: int) -> list[_State]:
    """Make states of the sets of nodes that the same words reach; the first is the start."""
    number = {frozenset([nodes.start]): 0}
    states: list[_State] = []
    sets = [frozenset([nodes.start])]
    for node_set in sets:  # grows as it is read
        leads: dict[str, frozenset[int]] = {}
        for node in node_set:
            for word, heads in nodes.steps[node].items():
                leads[word] = leads[word] | heads if word in leads else heads
        steps = {}
        for word, next_set in leads.items():
            steps[word] = number.setdefault(next_set, len(number))
            if steps[word] == len(sets):
                sets.append(next_set)
        if len(sets) > limit:
            raise LatticeError(
                f"the automaton needs more than {limit:,} states before it is minimised: align "
                f"with a preset that aligns more or fewer words, take fewer sentences, or raise "
                f"the limit"
            )
        states.append(_State(any(nodes.final[node] for node in node_set), steps, max(node_set)))
    return states


def _minimal(states: list[_State], keys: list[str], forms: list[str]) -> Automaton:
    """Merge the states from which the same can follow, the last first."""
    symbol = {key: k for k, key in enumerate(keys)}
    known: dict[tuple[bool, tuple[tuple[int, int], ...]], int] = {}
    merged = [0] * len(states)
    for k in sorted(range(len(states)), key=lambda k: states[k].rank):
        state = states[k]
        steps = tuple(
            sorted((symbol[word], merged[next_state]) for word, next_state in state.steps.items())
        )
        merged[k] = known.setdefault((state.final, steps), len(known))
    last = len(known) - 1
    arcs = (
        (last - number, symbol_number, last - next_state)
        for (_, steps), number in known.items()
        for symbol_number, next_state in steps
    )
    accepting = (last - number for (final, _), number in known.items() if final)
    return Automaton(len(known), arcs, accepting, keys, forms)
