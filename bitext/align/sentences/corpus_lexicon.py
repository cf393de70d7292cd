"""A lexicon learned from the beads of a corpus, in memory that does not grow with it.

It is the model of `lexicon_learning`, for many more beads than that holds at once: the words that
stand together are gone through in parts, once to count them and twice in each step of expectation
and maximisation. What is held of pairs of words is bounded: of all pairs those are kept that stand
together in most beads. Counts are whole numbers and the rule looks at whole counts only, so it
makes no difference in which parts the beads came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.lexicon_learning import (
    ALIKE,
    NULL,
    Translation,
    chances_of,
    telling_pairs,
)
from bitext.align.sentences.repeated_beads import told_before
from bitext.align.sentences.words_together import LARGEST
from bitext.kernels.rows import prefix, ranges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bitext.align.sentences.word_links import WordPairs

__all__ = ["BagWords", "kept_pairs", "learn_from_bags"]

_PART = 1_000_000  # pairs of words in beads that are looked at at once
_MOST = 2_000_000  # pairs of words of which something is held


class BagWords(NamedTuple):
    """The words of one side of many beads.

    Attributes
    ----------
    ptr : array of int64, shape (beads + 1,)
    ids : array of int32
        The different words of bead k are `ids[ptr[k]:ptr[k + 1]]`, ascending.
    times : array of int32
        How often each stands there.
    forms : int
        How many words there are in the vocabulary.

    """

    ptr: NDArray[np.int64]
    ids: NDArray[np.int32]
    times: NDArray[np.int32]
    forms: int

    @property
    def bead(self) -> NDArray[np.int64]:
        """The bead of each of `ids`."""
        return np.repeat(np.arange(len(self.ptr) - 1), np.diff(self.ptr))

    def chosen(self, kept: NDArray[np.bool_]) -> BagWords:
        """Return the words of some beads."""
        sizes = np.diff(self.ptr)
        mine = np.repeat(kept, sizes)
        return BagWords(prefix(sizes[kept]), self.ids[mine], self.times[mine], self.forms)


def learn_from_bags(
    src: BagWords,
    tgt: BagWords,
    prior: WordPairs,
    *,
    shares: tuple[NDArray[np.float64], NDArray[np.float64]],
    discount: float = 0.55,
    steps: int = 3,
    most: int = _MOST,
) -> WordPairs:
    """Learn which words translate which from many beads.

    Parameters
    ----------
    src, tgt : BagWords
        Of the same beads.
    prior, shares, discount, steps
        As in `lexicon_learning.learn`.
    most : int
        Pairs of words of which something is held (`kept_pairs`).

    """
    many = np.diff(src.ptr) * np.diff(tgt.ptr)
    words = ((side.bead, side.ids.astype(np.int64)) for side in (src, tgt))
    told = told_before(*words, beads=len(many))
    used = (many > 0) & (many <= LARGEST) & ~told
    src, tgt = src.chosen(used), tgt.chosen(used)
    keys = kept_pairs(src, tgt, most=most)
    known = prior.src.astype(np.int64) * tgt.forms + prior.tgt
    place, met = _places(keys, known)
    hints = np.zeros((2, len(keys)))
    hints[:, place[met]] = prior.forward[met], prior.backward[met]
    forward, backward = _translations(src, tgt, keys, hints, discount=discount, steps=steps)
    found = keys // tgt.forms, keys % tgt.forms
    return telling_pairs(found, forward, backward, shares=shares, discount=discount)


def kept_pairs(src: BagWords, tgt: BagWords, *, most: int = _MOST) -> NDArray[np.int64]:
    """Return the pairs of words that stand together in most beads, at most so many.

    A pair is kept when it stands together in n beads or more; n is the least number for which
    there are not too many. For few beads it is 1: all are kept.

    Returns
    -------
    array of int64
        Source word * target vocabulary + target word, ascending.

    Examples
    --------
    >>> src = BagWords(np.array([0, 1, 2]), np.array([0, 0]), np.array([1, 1]), 1)
    >>> tgt = BagWords(np.array([0, 2, 3]), np.array([0, 2, 2]), np.array([1, 1, 1]), 3)
    >>> kept_pairs(src, tgt).tolist(), kept_pairs(src, tgt, most=1).tolist()
    ([0, 2], [2])

    """
    least, total = 1, 0
    found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for keys in _together(src, tgt):
        opens = np.flatnonzero(np.diff(keys, prepend=-1))
        beads = np.diff(opens, append=len(keys))
        often = beads >= least
        found.append((keys[opens[often]], beads[often]))
        total += len(found[-1][0])
        while total > most:
            least += 1
            found = [(key[n >= least], n[n >= least]) for key, n in found]
            total = sum(len(key) for key, _ in found)
    return np.concatenate([np.zeros(0, dtype=np.int64), *(key for key, _ in found)])


def _together(src: BagWords, tgt: BagWords) -> Iterator[NDArray[np.int64]]:
    """Yield the pairs of words of all beads in ascending order, those of some words at once."""
    width = np.diff(tgt.ptr)
    order = np.argsort(src.ids, kind="stable")
    words, beads = src.ids[order], src.bead[order]
    ends = np.append(np.flatnonzero(np.diff(words)) + 1, len(words))
    sizes = prefix(width[beads])
    begin = 0
    while begin < len(words):
        # As many words as fit; one at least.
        last = int(np.searchsorted(sizes[ends], sizes[begin] + _PART, side="right"))
        end = int(ends[max(last - 1, int(np.searchsorted(ends, begin, side="right")))])
        mine = beads[begin:end]
        target = tgt.ids[ranges(tgt.ptr[mine], width[mine])]
        keys = np.repeat(words[begin:end].astype(np.int64), width[mine]) * tgt.forms + target
        keys.sort()
        yield keys
        begin = end


def _translations(
    src: BagWords,
    tgt: BagWords,
    keys: NDArray[np.int64],
    hints: NDArray[np.float64],
    *,
    discount: float,
    steps: int,
) -> tuple[Translation, Translation]:
    """Return what the words of each side yield of the other: expectation and maximisation."""
    counts = [
        np.bincount(side.ids, side.times, side.forms).astype(np.float64) for side in (src, tgt)
    ]
    frequent = [count / max(count.sum(), 1.0) for count in counts]
    room = [_sums(side) for side in (src, tgt)]
    source, target = keys // tgt.forms, keys % tgt.forms
    chance = [
        ALIKE * hints[0] + 4 * frequent[1][target],
        ALIKE * hints[1] + 4 * frequent[0][source],
    ]
    expected = [np.zeros(len(keys)), np.zeros(len(keys))]
    for step in range(steps):
        expected = [np.zeros(len(keys)), np.zeros(len(keys))]
        for x, y, bead, first, last in _parts(src, tgt):
            kind, here = _places(keys, src.ids[x].astype(np.int64) * tgt.forms + tgt.ids[y])
            kind, x, y, bead = kind[here], x[here], y[here], bead[here]
            for way, (gives, takes, giver, taker) in enumerate(
                ((src, tgt, x, y), (tgt, src, y, x))
            ):
                begin = int(takes.ptr[first])
                own = slice(begin, int(takes.ptr[last]))
                part = gives.times[giver] * chance[way][kind]
                total = np.bincount(taker - begin, part, own.stop - begin)
                here_room = np.repeat(room[way][first:last], np.diff(takes.ptr[first : last + 1]))
                total += NULL * here_room * frequent[1 - way][takes.ids[own]]
                part *= (takes.times[own] / np.maximum(total, 1e-300))[taker - begin]
                expected[way] += np.bincount(kind, part, len(keys))
        less = discount * (0.5 if not step else 1.0)
        for way, giver in enumerate((source, target)):
            each = float(counts[1 - way].sum()) / max(float(counts[way].sum()), 1.0)
            chance[way] = chances_of(expected[way], giver, counts[way], each=each, less=less)
    return (
        Translation(chance[0], expected[0], frequent[1], counts[1]),
        Translation(chance[1], expected[1], frequent[0], counts[0]),
    )


def _parts(
    src: BagWords, tgt: BagWords
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int, int]]:
    """Yield the pairs of words of some beads: their places, their beads, and which beads."""
    across, down = np.diff(tgt.ptr), np.diff(src.ptr)
    ends = prefix(across * down)
    first = 0
    while first < len(down):
        last = int(np.searchsorted(ends, ends[first] + _PART, side="right")) - 1
        last = max(last, first + 1)
        many = (across * down)[first:last]
        bead = np.repeat(np.arange(first, last), many)
        inner = np.arange(len(bead)) - np.repeat(prefix(many)[:-1], many)
        x = inner // across[bead] + src.ptr[bead]
        yield x, inner % across[bead] + tgt.ptr[bead], bead, first, last
        first = last


def _places(
    keys: NDArray[np.int64], wanted: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return where each is among ascending keys, and whether it is there."""
    place = np.searchsorted(keys, wanted)
    met = place < len(keys)
    met[met] = keys[place[met]] == wanted[met]
    return place, met


def _sums(side: BagWords) -> NDArray[np.float64]:
    """Return the number of words of each bead."""
    return np.bincount(side.bead, side.times, len(side.ptr) - 1).astype(np.float64)
