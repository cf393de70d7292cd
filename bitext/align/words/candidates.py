"""Paths of a lattice that say something new: drawn or listed, told apart, left out for a reason."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.words.stop_words import is_stop_word
from bitext.align.words.wording import Wording, key_of
from bitext.kernels.paths import (
    all_paths,
    arc_log2,
    count_paths,
    draw_paths,
    random_shares,
    successors,
    walk_arcs,
)
from bitext.kernels.rows import take
from bitext.model.sentence import is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.align.words.wording import Worded
    from bitext.kernels.rows import Rows
    from bitext.model.lattice import Lattice

__all__ = ["REASONS", "WALKS", "Candidate", "Candidates"]

WALKS = ("arcs", "paths")
REASONS = ("input", "repeat", "repetition")

_BATCH = 500  # walks that are drawn at a time

Words = tuple[str, ...]


class Candidate(NamedTuple):
    """What a path says, and its nodes, start and accept left out."""

    worded: Worded
    nodes: tuple[int, ...]


class Candidates:
    """Novel sentences of a lattice.

    Two sentences say the same if their words are the same once `folded`, marks left out.

    Parameters
    ----------
    lattice : Lattice
    repetition : bool
        Whether sentences are left out that say a content word more often than every input does.
    keep_inputs : bool
        Whether sentences that say what an input says are kept.

    Attributes
    ----------
    wording : Wording
    variants : dict of tuple of str to list of Candidate
        By the words that they say, in the order in which they were found: those that differ in
        case or marks. Of paths in the very same words, the first of the fewest spans.
    paths : int
        How many the lattice has.
    drawn : int
        How many were looked at.
    dropped : Counter of str
        How many were left out, by the reason.
    complete : bool
        Whether all were looked at.

    """

    def __init__(self, lattice: Lattice, *, repetition: bool, keep_inputs: bool) -> None:
        self.wording = Wording(lattice)
        self.variants: dict[Words, list[Candidate]] = {}
        self.drawn = 0
        self.dropped: Counter[str] = Counter()
        self.complete = False
        self._graph = successors(lattice.arcs.tail, lattice.arcs.head, len(lattice))
        self._counts = count_paths(self._graph)
        self._repetition = repetition
        inputs = [key_of(sentence.forms) for sentence in lattice.cluster]
        self._inputs = set() if keep_inputs else set(inputs)
        self._most: Counter[str] = Counter()  # of each word: how often an input says it, at most
        for words in inputs:
            self._most |= Counter(words)
        self._known: dict[tuple[int, ...], str] = {}

    @property
    def paths(self) -> int:
        """The number of paths of the lattice."""
        return self._counts[0]

    def gather(self, wanted: int, *, walk: str, seed: int, most: int) -> None:
        """Look at `most` paths, or draw until there are so many candidates; at all if they are few.

        Parameters
        ----------
        wanted : int
            Drawing stops with so many. It is not heeded where all paths are looked at.
        walk : str
            `arcs` or `paths`: what is equally likely.
        seed : int
        most : int
            A lattice of no more paths is looked at in full.

        """
        self.complete = self.paths <= most
        paths = self._all(walk, seed) if self.complete else self._walks(walk, seed, most)
        for nodes in paths:
            if not self.complete and len(self.variants) >= wanted:
                break
            self.drawn += 1
            reason = self._known.get(nodes)
            if reason is None:
                reason = self._judged(nodes)
                self._known[nodes] = reason or "repeat"
            if reason:
                self.dropped[reason] += 1

    def _judged(self, nodes: tuple[int, ...]) -> str:
        """Return why a path is left out, or keep it and return nothing."""
        worded = self.wording.of(nodes)
        words = worded.key
        if words in self._inputs:
            return "input"
        if self._repetition and self._repeats(words):
            return "repetition"
        if words not in self.variants:
            self.variants[words] = [Candidate(worded, nodes)]
            return ""
        variants = self.variants[words]
        for k, (other, there) in enumerate(variants):
            if other.forms == worded.forms:
                # Ties by the nodes, so that the order in which paths are met decides nothing.
                if (len(worded.spans), nodes) < (len(other.spans), there):
                    variants[k] = Candidate(worded, nodes)
                return "repeat"
        variants.append(Candidate(worded, nodes))
        return "repeat"

    def _repeats(self, words: Words) -> bool:
        return len(set(words)) < len(words) and any(
            count > 1 and count > self._most[word] and is_word(word) and not is_stop_word(word)
            for word, count in Counter(words).items()
        )

    def _walks(self, walk: str, seed: int, most: int) -> Iterator[tuple[int, ...]]:
        for first in range(0, most, _BATCH):
            draws = min(_BATCH, most - first)
            if walk == "arcs":
                rows = walk_arcs(self._graph, draws, seed=seed, first=first)
            else:
                rows = draw_paths(self._graph, draws, seed=seed, first=first, counts=self._counts)
            yield from _inner(rows)

    def _all(self, walk: str, seed: int) -> Iterator[tuple[int, ...]]:
        """Yield all paths in an order in which endless walks could first meet them.

        Each path waits for a time that is exponential, its mean the inverse of the probability
        of the path: the order of the times is that of draws without replacement.
        """
        rows = all_paths(self._graph)
        waits = -np.log(1.0 - random_shares(seed, np.arange(self.paths)))
        times = np.log2(np.maximum(waits, 2.0**-60))
        if walk == "arcs":
            times -= arc_log2(self._graph, rows)
        yield from _inner(take(rows, np.argsort(times, kind="stable")))


def _inner(rows: Rows) -> Iterator[tuple[int, ...]]:
    """Yield the nodes of each path, without the first and the last."""
    ptr, nodes = rows.ptr.tolist(), rows.idx.tolist()
    for first, end in pairwise(ptr):
        yield tuple(nodes[first + 1 : end - 1])
