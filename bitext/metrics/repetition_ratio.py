"""The repetition ratio of a lattice: how many of its paths say a word twice that nobody did."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import OptionError
from bitext.kernels.paths import count_paths, draw_paths, successors
from bitext.kernels.repetition import can_repeat, paths_without_repetition, repeats
from bitext.model import Ratio
from bitext.model.sentence import folded, is_word

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from bitext.model import Lattice

__all__ = ["RepetitionRatio", "repetition_ratio"]


@dataclass(frozen=True, slots=True)
class RepetitionRatio:
    """The share of paths with a repetition, and how it was had.

    Attributes
    ----------
    ratio : Ratio
        Paths with a repetition over paths: of all of them where `exact`, else of those drawn.
    exact : bool
        Whether all paths were counted. If not, `ratio` is an estimate.
    words : tuple of str
        The words that some path repeats and no input does, sorted.

    """

    ratio: Ratio
    exact: bool
    words: tuple[str, ...]

    @property
    def value(self) -> float:
        """The share: 0 to 1, lower is better."""
        return self.ratio.value

    @property
    def drawn(self) -> int | None:
        """How many paths the estimate was had of; `None` where all were counted."""
        return None if self.exact else int(self.ratio.denominator)

    @property
    def error(self) -> float:
        """The standard error of the estimate; 0 where all paths were counted."""
        if self.exact:
            return 0.0
        share = self.value
        return sqrt(share * (1 - share) / self.ratio.denominator)


def repetition_ratio(
    lattice: Lattice,
    *,
    leave_out: Collection[str] = (),
    steps: int = 300_000,
    draws: int = 10_000,
    seed: int = 1,
) -> RepetitionRatio:
    """Share of the paths that repeat a word which no input repeats. 0 to 1, lower is better.

    Words that were aligned where they should not be, or were not where they should be, let paths
    say a thing twice. All paths from start to accept count alike, as many as there are.
    They are counted exactly where that takes no more than `steps` steps; otherwise paths are drawn
    uniformly, and the result says that it is an estimate, and its standard error.

    Parameters
    ----------
    lattice : Lattice
        The words of a node are read as its commonest form. Words are compared `folded`;
        punctuation, a token without letter or digit, is no word.
    leave_out : collection of str
        Words that do not count either, `folded`: a stop list, for content words only.
    steps : int
        How much exact counting may take: a step is a set of words carried along an arc. 0 draws.
    draws : int
        How many paths are drawn where counting would take more, 1 or more.
    seed : int
        Of the random generator.

    Returns
    -------
    RepetitionRatio
        Of a lattice of one sentence it is 0 of 1: an input repeats nothing that no input repeats.

    Raises
    ------
    OptionError
        When `steps` is below 0, or `draws` below 1.

    Notes
    -----
    **Source**: B. Pang, K. Knight and D. Marcu, Syntax-based alignment of multiple translations,
    NAACL 2003.

    **Departures**: a word that an input has twice may come again any number of times.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence("Milan is beautiful".split()), Sentence("I went to Milan".split())])
    >>> one, crossed = [[1, 2, 3], [4, 5, 6, 7]], [[1, 2, 3], [4, 2, 6, 7]]
    >>> repetition_ratio(Lattice(c, one)).ratio
    Ratio(0, 2)
    >>> found = repetition_ratio(Lattice(c, crossed))
    >>> found.ratio, found.words  # "Milan went to Milan"; "I went beautiful"
    (Ratio(1, 4), ('milan',))

    """
    if steps < 0:
        raise OptionError(f"{steps} steps: want 0 (draw paths) or more")
    if draws < 1:
        raise OptionError(f"{draws} draws: want 1 or more")
    spelled, word = _words(lattice, frozenset(leave_out))
    graph = successors(lattice.arcs.tail, lattice.arcs.head, len(lattice))
    candidates = can_repeat(graph, word)
    word = np.where(np.isin(word, candidates), word, -1)
    words = tuple(sorted(spelled[number] for number in candidates.tolist()))
    counts = count_paths(graph)
    clean = paths_without_repetition(graph, word, steps=steps)
    if clean is not None:
        return RepetitionRatio(Ratio(counts[0] - clean, counts[0]), exact=True, words=words)
    paths = draw_paths(graph, draws, seed=seed, counts=counts)
    repeating = int(repeats(paths, word).sum())
    return RepetitionRatio(Ratio(repeating, draws), exact=False, words=words)


def _words(lattice: Lattice, leave_out: frozenset[str]) -> tuple[list[str], NDArray[np.int64]]:
    """Return words, and of each node the number of its own; -1 where it has none that counts.

    What an input repeats does not count. It is looked for in the words of nodes, so that an input
    never counts as a path with a repetition, whatever its own words are.
    """
    known: dict[str, int] = {}
    out = np.full(len(lattice), -1, dtype=np.int64)
    for node in range(1, len(lattice) - 1):
        form = folded(lattice.form(node))
        if form not in leave_out and is_word(form):
            out[node] = known.setdefault(form, len(known))
    sentence = np.repeat(np.arange(len(lattice.cluster)), lattice.paths.lengths)
    word = out[lattice.paths.idx]
    keys, times = np.unique((sentence * (len(known) + 1) + word)[word >= 0], return_counts=True)
    repeated = keys[times > 1] % (len(known) + 1)
    out[np.isin(out, repeated)] = -1
    return list(known), out
