"""What the words of sentences say of beads.

A bead is good when its words explain each other. Of each word y of its target sentences, which
stand beside the words s of its source sentences, the score is the logarithm of how much likelier
it is there than anywhere:

    log((1 - l(y)) + l(y) * (sum over s of t(y|s) / p(y)) / (1 + number of source words))

where t(y|s) is the chance that s is translated by y, p(y) how frequent y is, and l(y) how much of
y is ever explained: of a word that is not known it is 0, and so is the score. The same is done for
the words of the source, and the score of the bead is the mean of both sums.

Only places where words meet that are linked in the lexicon are computed; elsewhere a word has the
score log(1 - l(y)), whatever stands beside it. Links that hardly change a score are left out
beforehand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.band_columns import BandColumns, within
from bitext.align.linked_words import KnownWords, LinkedWords, groups
from bitext.kernels.rows import prefix, ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentence_pair import SentencePair
    from bitext.align.word_links import Links
    from bitext.kernels.bead_path import Band

__all__ = ["BeadWords", "LexicalEvidence"]

_ROWS = 48  # that are worked on at once: words that are far apart are not to meet in vain
_TELLING = 1.0  # the least odds of a word, times t / p, that a link is kept for: of 20 words, 0.05


class _Meetings(NamedTuple):
    """Linked words of two sentences: their places among the words of both sides, and t / p."""

    src: LinkedWords
    tgt: LinkedWords
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]


class BeadWords(NamedTuple):
    """The words of one side of a bead.

    How often each stands there, how much of each is explained, 1 a sentence + the number of all
    words, and the vocabulary.
    """

    counts: dict[int, int]
    known: dict[int, float]
    room: float
    forms: list[str]


class LexicalEvidence:
    """The evidence of words for all beads of two texts.

    Parameters
    ----------
    beads : sequence of (int, int)
    pair : SentencePair
    links : Links
        Of its vocabularies.
    weight : float
        What the mean of both directions is multiplied with: words of a sentence are not
        independent of each other.

    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        pair: SentencePair,
        links: Links,
        *,
        weight: float = 0.7,
    ) -> None:
        self.beads, self.weight, self._pair = list(beads), weight, pair
        links = self._links = _telling(links)
        linked = np.zeros(len(links.known_tgt), dtype=bool)
        linked[links.tgt] = True
        self._src = KnownWords(pair.src, links.known_src, np.diff(links.ptr) > 0)
        self._tgt = KnownWords(pair.tgt, links.known_tgt, linked)
        self._most = max(a for a, _ in beads), max(b for _, b in beads)
        self._begin = np.zeros(len(pair.tgt.vocabulary), dtype=np.int64)
        self._count = np.zeros(len(pair.tgt.vocabulary), dtype=np.int64)
        self._huge = np.flatnonzero(pair.src.weight < 1), pair.tgt.weight < 1

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Return the score of each bead that ends at each point of rows `first` <= i < `last`.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; those of beads that begin before the table mean nothing.

        """
        out = np.zeros((len(self.beads), last - first, band.width), dtype=np.float32)
        for begin, end in _parts(first, last, band):
            here = out[:, begin - first : end - first]
            met = self._meetings(begin, end, band)
            self._explain_target(here, met, begin, end, band)
            self._explain_source(here, met, begin, end, band)
        out *= np.float32(self.weight / 2)
        # Of two sentences that have hundreds of words, those without a link say nothing.
        for row in self._huge[0][
            (self._huge[0] + 1 >= first) & (self._huge[0] + 1 < last)
        ].tolist():
            column = band.lo[row + 1] + np.arange(band.width) - 1
            there = (column >= 0) & (column < len(self._huge[1]))
            there[there] = self._huge[1][column[there]]
            if (1, 1) in self.beads:
                held = out[self.beads.index((1, 1)), row + 1 - first]
                held[there] = np.maximum(held[there], 0)
        return out

    def words_between(self, side: int, begin: int, end: int) -> BeadWords:
        """Return the words of some sentences of the source (0) or target (1)."""
        held = self._pair.tgt if side else self._pair.src
        mine = slice(held.ptr[begin], held.ptr[end])
        counts: dict[int, int] = {}
        for number, times in zip(held.ids[mine].tolist(), held.times[mine].tolist(), strict=True):
            counts[number] = counts.get(number, 0) + times
        known = self._links.known_tgt if side else self._links.known_src
        share = {number: float(known[number]) for number in counts}
        room = float(held.words[begin:end].sum()) + end - begin
        return BeadWords(counts, share, room, held.vocabulary.forms)

    def ratio(self, side: str, other: int, number: int) -> float:
        """Return t / p of a word of a side (`src` or `tgt`), given one of the other side."""
        links = self._links
        source, target = (other, number) if side == "tgt" else (number, other)
        mine = slice(links.ptr[source], links.ptr[source + 1])
        at = int(links.ptr[source]) + int(np.searchsorted(links.tgt[mine], target))
        if at == links.ptr[source + 1] or links.tgt[at] != target:
            return 0.0
        return float((links.forward if side == "tgt" else links.backward)[at])

    def _meetings(self, begin: int, end: int, band: Band) -> _Meetings:
        """Return where linked words meet in beads that end in some rows, and more than those."""
        top, bottom = max(0, begin - self._most[0]), max(0, end - 1)
        size = len(self._pair.tgt)
        left = min(max(0, int(band.lo[begin]) - self._most[1]), size)
        right = min(max(left, int(band.last(end - 1))), size)
        links = self._links
        src, tgt = self._src.words(top, bottom), self._tgt.words(left, right)
        words, begins, counts, source_order = groups(src.ids)
        others, other_begins, other_counts, target_order = groups(tgt.ids)
        self._begin[others], self._count[others] = other_begins, other_counts
        # The links of the source words that are here, with target words that are here.
        number = links.ptr[words + 1] - links.ptr[words]
        link = ranges(links.ptr[words], number)
        word = np.repeat(np.arange(len(words)), number)
        present = self._count[links.tgt[link]]
        found = np.flatnonzero(present)
        link, word, present = link[found], word[found], present[found]
        # Each place of the one with each place of the other.
        self._count[others] = 0
        link, each = np.repeat(link, counts[word]), np.repeat(present, counts[word])
        source = source_order[ranges(begins[word], counts[word])]
        target = target_order[ranges(self._begin[links.tgt[link]], each)]
        source, link = np.repeat(source, each), np.repeat(link, each)
        at, on = src.sentence[source], tgt.sentence[target]
        lowest = band.lo[np.maximum(begin, at + 1)] - self._most[1]
        highest = band.last(np.minimum(end - 1, at + self._most[0]))
        kept = np.flatnonzero((on >= lowest) & (on < highest))
        source, target, link = source[kept], target[kept], link[kept]
        return _Meetings(src, tgt, source, target, links.forward[link], links.backward[link])

    def _explain_target(
        self, out: NDArray[np.float32], met: _Meetings, begin: int, end: int, band: Band
    ) -> None:
        """Add the scores of target words.

        Of each row, and of each target word that may be in a bead which ends there, the sum over
        the words of a source sentences grows with a; a sentence has the sum of its words, and a
        bead those of its sentences.
        """
        src, tgt, deep = met.src, met.tgt, self._most[1]
        rows, size, most = end - begin, len(self._pair.tgt), self._most[0]
        lo, line, step = band.lo[begin:end], np.arange(begin, end), np.arange(1, most + 1)[:, None]
        low, high = within(lo - deep, 0, size), within(band.last(line), 0, size)
        first, last = tgt.ptr[low - tgt.first], tgt.ptr[np.maximum(high, low) - tgt.first]
        ptr = prefix(last - first)
        shift = ptr[:-1] - first
        known = np.flatnonzero(met.forward)
        place = met.target[known]
        row = src.sentence[met.source[known]] - begin + step
        near = within(row, 0, rows - 1)
        inside = (row == near) & (place >= first[near]) & (place < last[near])
        weights = src.times[met.source[known]] * met.forward[known]
        touched, explained = _growing(shift[near] + place, inside, weights, int(ptr[-1]))
        row = np.repeat(np.arange(rows), last - first)[touched]
        place = touched - shift[row]
        room = 1 / np.maximum(
            self._src.room[line] - self._src.room[np.maximum(line - step, 0)], 1.0
        )
        explained *= tgt.share[place]
        explained *= room.take(row, axis=1)
        value = np.log1p(explained, out=explained)
        value *= tgt.times[place]
        across = band.width - 1 + deep
        cell = row * across + tgt.sentence[place] - lo[row] + deep
        gains = _sums(cell, value, rows * across).reshape(most, rows, across)
        columns = BandColumns.of(begin, end, band)
        ends = within(columns.column[0] - deep + np.arange(len(columns.column) + deep), 0, size)
        before = BandColumns(ends, (lo - lo[0])[:, None] + np.arange(across + 1))
        total = prefix(gains) + before.by_rows(self._tgt.nothing[ends])
        for k, (a, b) in enumerate(self.beads):
            if a and b:
                mine = total[a - 1]
                out[k] += mine[:, deep:] - mine[:, deep - b : deep - b + band.width]

    def _explain_source(
        self, out: NDArray[np.float32], met: _Meetings, begin: int, end: int, band: Band
    ) -> None:
        """Add the scores of source words, of each sentence at all columns where beads end."""
        src, tgt, most = met.src, met.tgt, self._most[1]
        top, bottom = max(0, begin - self._most[0]), max(0, end - 1)
        if top == bottom:
            return
        size, step = len(self._pair.tgt), np.arange(1, most + 1)[:, None]
        sentence = np.arange(top, bottom)
        base = band.lo[np.maximum(begin, sentence + 1)]
        ending = np.minimum(end - 1, sentence + self._most[0])
        across = int((band.lo[ending] + band.width - base).max(initial=1))
        reach = band.last(ending) - base
        known = np.flatnonzero(met.backward)
        place = met.source[known]
        own = src.sentence[place] - top
        column = tgt.sentence[met.target[known]] - base[own] + step
        inside = (column >= 0) & (column <= reach[own])
        weights = tgt.times[met.target[known]] * met.backward[known]
        touched, explained = _growing(
            place * across + column, inside, weights, len(src.ids) * across
        )
        place = touched // across
        cell = (src.sentence[place] - top) * across + touched - place * across
        ends = base[:, None] + np.arange(across)
        room = self._tgt.room[within(ends, 0, size)] - np.stack(
            [self._tgt.room[within(ends - b, 0, size)] for b in range(1, most + 1)]
        )
        room = 1 / np.maximum(room, 1.0)
        explained *= src.share[place]
        explained *= room.reshape(most, -1).take(cell, axis=1)
        value = np.log1p(explained, out=explained)
        value *= src.times[place]
        gains = _sums(cell, value, ends.size)
        lines = np.arange(begin, end)
        total = np.zeros((most, end - begin, band.width))
        for a in range(1, self._most[0] + 1):
            # In a row above which there are not so many, the bead means nothing.
            given = np.maximum(lines - a, top) - top
            here = given * across + band.lo[begin:end] - base[given]
            total += gains.take(here[:, None] + np.arange(band.width), axis=1)
            nothing = self._src.nothing[lines] - self._src.nothing[np.maximum(lines - a, 0)]
            for k, (n, b) in enumerate(self.beads):
                if n == a and b:
                    out[k] += total[b - 1] + nothing[:, None]


def _growing(
    at: NDArray[np.int64], inside: NDArray[np.bool_], weights: NDArray[np.float64], cells: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the cells that any weight is put in, and their sums after each of some steps.

    Parameters
    ----------
    at : array of int64, shape (steps, weights)
        The cell that each weight is put in at each step.
    inside : array of bool, shape (steps, weights)
        Whether it is.
    weights : array of float64, shape (weights,)
    cells : int

    Returns
    -------
    array of int64, shape (cells that are met,)
        Ascending.
    array of float64, shape (steps, cells that are met)

    """
    steps, size = at.shape
    put = np.flatnonzero(inside)
    cell = at.ravel()[put]
    step = np.repeat(np.arange(steps), np.count_nonzero(inside, axis=1))
    put -= step * size
    touched = np.zeros(cells, dtype=bool)
    touched[cell] = True
    found = np.flatnonzero(touched)
    rank = np.empty(cells, dtype=np.int64)
    rank[found] = np.arange(len(found))
    step *= len(found)
    step += rank[cell]
    sums = np.bincount(step, weights[put], steps * len(found)).astype(np.float64)
    sums = sums.reshape(steps, len(found))
    for k in range(1, steps):
        sums[k] += sums[k - 1]
    return found, sums


def _sums(cell: NDArray[np.int64], values: NDArray[np.float64], cells: int) -> NDArray[np.float64]:
    """Return the sums of the values in each cell, for each row of the values."""
    steps = len(values)
    at = cell + (np.arange(steps) * cells)[:, None]
    sums = np.bincount(at.ravel(), values.ravel(), steps * cells).astype(np.float64, copy=False)
    return sums.reshape(steps, cells)


def _telling(links: Links) -> Links:
    """Return the links without those that change hardly any score, apart for both directions."""
    source = np.repeat(np.arange(len(links.known_src)), np.diff(links.ptr))
    known = links.known_src[source], links.known_tgt[links.tgt]
    backward, forward = (
        np.where(share * ratio >= _TELLING * (1 - share), ratio, 0.0)
        for share, ratio in zip(known, (links.backward, links.forward), strict=True)
    )
    kept = np.flatnonzero((forward > 0) | (backward > 0))
    return links._replace(
        ptr=prefix(np.bincount(source[kept], minlength=len(links.known_src))),
        tgt=links.tgt[kept],
        forward=forward[kept],
        backward=backward[kept],
    )


def _parts(first: int, last: int, band: Band) -> Iterator[tuple[int, int]]:
    """Divide rows into parts of which the windows do not lie far from each other."""
    while first < last:
        near = band.lo[first : min(first + _ROWS, last)]
        end = first + int(np.searchsorted(near, near[0] + band.width + _ROWS, side="right"))
        yield first, end
        first = end
