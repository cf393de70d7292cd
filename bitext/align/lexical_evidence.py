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

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentence_pair import SentencePair, Side
    from bitext.align.word_links import Links
    from bitext.kernels.bead_path import Band

__all__ = ["BeadWords", "LexicalEvidence"]

_ROWS = 48  # that are worked on at once: words that are far apart are not to meet in vain
_TELLING = 1.0  # the least odds of a word, times t / p, that a link is kept for: of 20 words, 0.05


class _Words(NamedTuple):
    """The words of one side that are linked.

    `ptr`, `ids`, `times` are as in `Side`; `share` is l / (1 - l) of each; `nothing` the running
    sum over sentences of log(1 - l) of all words, and `room` that of 1 + the number of words.
    """

    ptr: NDArray[np.int64]
    ids: NDArray[np.int32]
    times: NDArray[np.float64]
    sentence: NDArray[np.int64]
    share: NDArray[np.float64]
    nothing: NDArray[np.float64]
    room: NDArray[np.float64]


class _Meetings(NamedTuple):
    """Linked words of two sentences: their places among the words of both sides, and t / p."""

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
        self._src = _known(pair.src, links.known_src, np.diff(links.ptr) > 0)
        self._tgt = _known(pair.tgt, links.known_tgt, linked)
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
        size = len(self._tgt.ptr) - 1
        left = min(max(0, int(band.lo[begin]) - self._most[1]), size)
        right = min(max(left, int(band.lo[end - 1]) + band.width - 1), size)
        src, tgt, links = self._src, self._tgt, self._links
        above, before = int(src.ptr[top]), int(tgt.ptr[left])
        words, begins, counts, source_order = _groups(src.ids[above : src.ptr[bottom]])
        others, other_begins, other_counts, target_order = _groups(tgt.ids[before : tgt.ptr[right]])
        source_order += above
        target_order += before
        self._begin[others], self._count[others] = other_begins, other_counts
        # The links of the source words that are here, with target words that are here.
        number = links.ptr[words + 1] - links.ptr[words]
        link = _ranges(links.ptr[words], number)
        word = np.repeat(np.arange(len(words)), number)
        present = self._count[links.tgt[link]]
        found = np.flatnonzero(present)
        link, word, present = link[found], word[found], present[found]
        # Each place of the one with each place of the other.
        self._count[others] = 0
        link, each = np.repeat(link, counts[word]), np.repeat(present, counts[word])
        source = source_order[_ranges(begins[word], counts[word])]
        target = target_order[_ranges(self._begin[links.tgt[link]], each)]
        source, link = np.repeat(source, each), np.repeat(link, each)
        at, on = src.sentence[source], tgt.sentence[target]
        lowest = band.lo[np.maximum(begin, at + 1)] - self._most[1]
        highest = band.lo[np.minimum(end - 1, at + self._most[0])] + band.width
        kept = np.flatnonzero((on >= lowest) & (on < highest))
        link = link[kept]
        return _Meetings(source[kept], target[kept], links.forward[link], links.backward[link])

    def _explain_target(
        self, out: NDArray[np.float32], met: _Meetings, begin: int, end: int, band: Band
    ) -> None:
        """Add the scores of target words.

        Of each row, and of each target word that may be in a bead which ends there, the sum over
        the words of a source sentences grows with a; a sentence has the sum of its words, and a
        bead those of its sentences.
        """
        src, tgt, deep = self._src, self._tgt, self._most[1]
        rows, size = end - begin, len(tgt.ptr) - 1
        lo, line = band.lo[begin:end], np.arange(begin, end)
        low, high = np.clip(lo - deep, 0, size), np.clip(lo + band.width - 1, 0, size)
        first, last = tgt.ptr[low], tgt.ptr[high]
        ptr = prefix(last - first)
        shift = ptr[:-1] - first
        known = np.flatnonzero(met.forward)
        begun, places = src.sentence[met.source[known]] - begin, met.target[known]
        weights = src.times[met.source[known]] * met.forward[known]
        at, heavy = [], []
        for a in range(1, self._most[0] + 1):
            row = begun + a
            kept = np.flatnonzero((row >= 0) & (row < rows))
            row, place = row[kept], places[kept]
            kept = kept[(place >= first[row]) & (place < last[row])]
            at.append(shift[begun[kept] + a] + places[kept])
            heavy.append(weights[kept])
        touched, sums = _growing(at, heavy, int(ptr[-1]))
        row = np.repeat(np.arange(rows), last - first)[touched]
        place = touched - shift[row]
        times, share = tgt.times[place], tgt.share[place]
        across = band.width - 1 + deep
        cell = row * across + tgt.sentence[place] - lo[row] + deep
        column = np.clip(lo[:, None] + np.arange(-deep, band.width), 0, size)
        nothing = tgt.nothing[column]
        for a, explained in enumerate(sums, start=1):
            mine = [(k, b) for k, (n, b) in enumerate(self.beads) if n == a and b]
            if not mine:
                continue
            room = 1 / np.maximum(src.room[line] - src.room[np.maximum(line - a, 0)], 1.0)
            value = times * np.log1p(share * explained * room[row])
            gains = np.bincount(cell, value, rows * across).reshape(rows, across)
            total = prefix(gains) + nothing
            for k, b in mine:
                out[k] += total[:, deep:] - total[:, deep - b : deep - b + band.width]

    def _explain_source(
        self, out: NDArray[np.float32], met: _Meetings, begin: int, end: int, band: Band
    ) -> None:
        """Add the scores of source words, of each sentence at all columns where beads end."""
        src, tgt = self._src, self._tgt
        top, bottom = max(0, begin - self._most[0]), max(0, end - 1)
        size = len(tgt.ptr) - 1
        sentence = np.arange(top, bottom)
        base = band.lo[np.maximum(begin, sentence + 1)]
        reach = band.lo[np.minimum(end - 1, sentence + self._most[0])] + band.width
        across = int((reach - base).max(initial=1))
        above = int(src.ptr[top])
        known = np.flatnonzero(met.backward)
        places, ended = met.source[known], tgt.sentence[met.target[known]]
        weights = tgt.times[met.target[known]] * met.backward[known]
        ended = ended - base[src.sentence[places] - top]
        at, heavy = [], []
        for b in range(1, self._most[1] + 1):
            kept = np.flatnonzero((ended >= -b) & (ended < across - b))
            at.append((places[kept] - above) * across + ended[kept] + b)
            heavy.append(weights[kept])
        touched, sums = _growing(at, heavy, (int(src.ptr[bottom]) - above) * across)
        place = touched // across + above
        times, share = src.times[place], src.share[place]
        cell = (src.sentence[place] - top) * across + touched % across
        lines = np.arange(begin, end)
        columns = base[:, None] + np.arange(across)
        ends = np.clip(columns, 0, size)
        for b, explained in enumerate(sums, start=1):
            wanted = {a: k for k, (a, m) in enumerate(self.beads) if m == b and a}
            if not wanted:
                continue
            room = 1 / np.maximum(tgt.room[ends] - tgt.room[np.clip(columns - b, 0, size)], 1.0)
            value = times * np.log1p(share * explained * room.ravel()[cell])
            gains = np.bincount(cell, value, room.size)
            total = np.zeros((end - begin, band.width))
            for a in range(1, max(wanted) + 1):
                at_row = np.flatnonzero(lines >= a)
                given = lines[at_row] - a
                here = (given - top) * across + band.lo[lines[at_row]] - base[given - top]
                total[at_row] += gains[here[:, None] + np.arange(band.width)]
                if a in wanted:
                    nothing = src.nothing[lines] - src.nothing[np.maximum(lines - a, 0)]
                    out[wanted[a]] += total + nothing[:, None]


def _growing(
    at: Sequence[NDArray[np.int64]], weights: Sequence[NDArray[np.float64]], cells: int
) -> tuple[NDArray[np.int64], Iterator[NDArray[np.float64]]]:
    """Return the cells that any weight is put in, and their sums after each group of weights."""
    touched = np.zeros(cells, dtype=bool)
    for one in at:
        touched[one] = True
    found = np.flatnonzero(touched)
    rank = np.empty(cells, dtype=np.int64)
    rank[found] = np.arange(len(found))
    groups = zip(at, weights, strict=True)
    parts = (
        np.bincount(rank[one], weight, len(found)).astype(np.float64) for one, weight in groups
    )
    return found, accumulate(parts)


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


def _known(side: Side, known: NDArray[np.float64], linked: NDArray[np.bool_]) -> _Words:
    """Return the words of a side that are linked, and what all say where nothing is beside them."""
    share, everywhere = known[side.ids], side.sentence
    weight = side.weight
    times = side.times * weight[everywhere]
    nothing = np.bincount(everywhere, times * np.log1p(-share), len(side))
    kept = np.flatnonzero(linked[side.ids])
    share, times, sentence = share[kept], times[kept], everywhere[kept]
    return _Words(
        ptr=prefix(np.bincount(sentence, minlength=len(side))),
        ids=side.ids[kept],
        times=times,
        sentence=sentence,
        share=share / (1 - share),
        nothing=np.concatenate([[0.0], np.cumsum(nothing)]),
        room=np.concatenate([[0.0], np.cumsum(side.words * weight + 1.0)]),
    )


def _groups(ids: NDArray[np.int32]) -> tuple[NDArray[np.int64], ...]:
    """Return the different words of an array, and where each stands.

    Those of word k are at `places[begin[k]:begin[k] + number[k]]`, ascending; returned are the
    words, `begin`, `number` and `places`.
    """
    # Numbers with their places below them: sorting these is quicker than finding the order.
    ordered = ids.astype(np.int64) << 32
    ordered += np.arange(len(ids))
    ordered.sort()
    words = ordered >> 32
    opens = np.flatnonzero(np.diff(words, prepend=-1))
    return words[opens], opens, np.diff(opens, append=len(words)), ordered & 0xFFFFFFFF


def _ranges(begin: NDArray[np.int64], number: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return `number[k]` integers from `begin[k]` on, for each k."""
    ptr = prefix(number)
    result: NDArray[np.int64] = np.arange(ptr[-1]) + np.repeat(begin - ptr[:-1], number)
    return result


def _parts(first: int, last: int, band: Band) -> Iterator[tuple[int, int]]:
    """Divide rows into parts of which the windows do not lie far from each other."""
    while first < last:
        near = band.lo[first : min(first + _ROWS, last)]
        end = first + int(np.searchsorted(near, near[0] + band.width + _ROWS, side="right"))
        yield first, end
        first = end
