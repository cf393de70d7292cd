"""The evidence of words for beads.

The words of a good bead explain each other. The score of a target word y, given the source words s
of the bead, is the log ratio of the probability of y in the bead to its probability anywhere:

    log((1 - l(y)) + l(y) * (sum over s of t(y|s) / p(y)) / (1 + number of source words))

where t(y|s) is the probability that s is translated by y, p(y) the relative frequency of y, and
l(y) the share of y that links explain, which is 0 for an unknown word, as is its score. Source
words are scored in the same way, and the score of the bead is the mean of both sums.

Sums are computed for linked words only; a word without a linked word in the bead has the score
log(1 - l(y)). Links that hardly change a score are removed beforehand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.evidence import within
from bitext.align.sentences.lexical.word_links import KnownWords
from bitext.kernels.one_thread import one_thread
from bitext.kernels.rows import ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.lexical.word_links import LinkedWords, Links
    from bitext.align.sentences.texts import SentencePair
    from bitext.kernels.bead_path import Band

__all__ = ["BeadWords", "LexicalEvidence", "TileLimits"]


class TileLimits(NamedTuple):
    """Bounds of the tiles of a band that are scored at once: speed and memory only.

    Attributes
    ----------
    rows, columns : int
        The most rows and columns of a tile.
    cells : int
        The most numbers in memory for a tile.

    """

    rows: int = 64
    columns: int = 256
    cells: int = 4_000_000


_TILES = TileLimits()
# All words of a tile are scored for all of its rows. A tile with more rows than columns, in a band
# that moves a column a row, is mostly outside of the band: tiles are not taller than wide, but have
# at least 24 rows, as each tile has a fixed cost. Of 24, 32 and 40 rows, 24 take least time.
_SHORTEST = 24


class _Links(NamedTuple):
    """Links between words of some sentences: the indices of both words, and t / p."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]


class BeadWords(NamedTuple):
    """Words of one side of a bead.

    `counts` has the count of each word, `known` the share of each word that links explain, `room`
    the number of sentences and words, and `forms` the vocabulary.
    """

    counts: dict[int, float]
    known: dict[int, float]
    room: float
    forms: list[str]


class LexicalEvidence:
    """Evidence of words for all beads of two texts.

    Parameters
    ----------
    beads : sequence of (int, int)
    pair : SentencePair
    links : Links
        The links of the vocabularies of `pair`.
    weight : float
        The factor of the mean of both directions: below 1, as the words of a sentence are not
        independent of each other.
    tiles : TileLimits
        Scores do not depend on the sizes of tiles.

    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        pair: SentencePair,
        links: Links,
        *,
        weight: float = 0.7,
        tiles: TileLimits = _TILES,
    ) -> None:
        self.beads, self.weight, self._pair, self._limits = list(beads), weight, pair, tiles
        self._links = links
        self._src = KnownWords(pair.src, links.src_shares)
        self._tgt = KnownWords(pair.tgt, links.tgt_shares)
        self._most = max(a for a, _ in beads), max(b for _, b in beads)
        self._both = [k for k, (a, b) in enumerate(self.beads) if a and b]
        self._place = np.full(len(pair.tgt.vocabulary), -1, dtype=np.int64)
        self._huge = np.flatnonzero(pair.src.weight < 1), pair.tgt.weight < 1

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Score the beads that end at each point of the rows `first` <= i < `last` of a band.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; scores of beads that begin before the table are undefined.

        """
        out = np.zeros((len(self.beads), last - first, band.width), dtype=np.float32)
        if self._both:
            # The matrix products are too small for several threads.
            with one_thread():
                for begin, end, left, right in self._tiles(first, last, band):
                    tile = self._tile(begin, end, band.lo[begin:end] + left, right - left, band)
                    out[self._both, begin - first : end - first, left:right] = tile
        out *= np.float32(self.weight / 2)
        # In a pair of sentences with hundreds of words each, missing links are no evidence.
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

    def is_spared(self, row: int, column: int, kind: int) -> bool:
        """Check for a 1-1 bead of sentences with hundreds of words, whose score is 0 or more."""
        if self.beads[kind] != (1, 1):
            return False
        return row - 1 in self._huge[0] and bool(self._huge[1][column - 1])

    def words_between(self, side: int, begin: int, end: int) -> BeadWords:
        """Return the words of a range of sentences of the source (0) or target (1)."""
        held = self._pair.tgt if side else self._pair.src
        mine = slice(held.ptr[begin], held.ptr[end])
        counts: dict[int, float] = {}
        weight = held.weight[begin:end]
        times = held.times[mine] * np.repeat(weight, np.diff(held.ptr[begin : end + 1]))
        for number, many in zip(held.ids[mine].tolist(), times.tolist(), strict=True):
            counts[number] = counts.get(number, 0.0) + many
        known = (self._links.tgt_shares if side else self._links.src_shares).known
        share = {number: float(known[number]) for number in counts}
        room = float((held.words[begin:end] * weight).sum()) + end - begin
        return BeadWords(counts, share, room, held.vocabulary.forms)

    def ratio(self, side: str, other: int, number: int) -> float:
        """Return t / p of a word of a side (`src` or `tgt`), given a word of the other side."""
        links = self._links
        source, target = (other, number) if side == "tgt" else (number, other)
        mine = slice(links.ptr[source], links.ptr[source + 1])
        at = int(links.ptr[source]) + int(np.searchsorted(links.tgt[mine], target))
        if at == links.ptr[source + 1] or links.tgt[at] != target:
            return 0.0
        return float((links.forward if side == "tgt" else links.backward)[at])

    def _tiles(self, first: int, last: int, band: Band) -> Iterator[tuple[int, int, int, int]]:
        """Divide rows of a band into tiles: half-open ranges of rows and of columns.

        Columns count from the first column of each row, and end at the last one that matters.
        """
        begin, (most, deep), limits = first, self._most, self._limits
        tall = min(limits.rows, max(_SHORTEST, band.width))
        while begin < last:
            rows, wide = min(tall, last - begin), limits.columns
            # Rows of a tile have near columns: words that are far apart are matched in vain.
            near = band.lo[begin : begin + rows]
            rows = int(np.searchsorted(near, near[0] + band.width + limits.rows, side="right"))
            while True:
                end = begin + rows
                before, across = int(band.lo[end - 1] - band.lo[begin]), min(wide, band.width)
                src, tgt = rows + most, across + before + deep
                words = self._words_about(begin, end, band, tgt)
                cells = words[1] * (most * rows + tgt) + words[0] * (deep * tgt + src)
                if cells <= limits.cells or rows == wide == 1:
                    break
                rows, wide = (rows // 2, wide) if rows > 1 else (rows, max(across // 2, 1))
            used = int((band.last(np.arange(begin, end)) - band.lo[begin:end]).max()) + 1
            for left in range(0, min(used, band.width), wide):
                yield begin, end, left, min(left + wide, band.width)
            begin = end

    def _words_about(self, begin: int, end: int, band: Band, wide: int) -> tuple[int, int]:
        """Count the source and target words of the beads that end in some rows.

        The target words are those of `wide` sentences, at the mean of the columns of the rows.
        """
        size, (most, deep) = len(self._pair.tgt), self._most
        left = min(max(0, int(band.lo[begin]) - deep), size)
        right = min(max(left, int(band.last(end - 1))), size)
        src = self._src.many(max(0, begin - most), max(0, end - 1))
        tgt = self._tgt.many(left, right)
        return src, tgt if right - left <= wide else -(-tgt * wide // (right - left))

    def _tile(
        self, begin: int, end: int, lo: NDArray[np.int64], width: int, band: Band
    ) -> NDArray[np.float64]:
        """Return the unweighted scores of the beads with two sides that end in a tile.

        For each row and each distinct target word, the sums of t / p over the last 1, 2, ... source
        sentences are running sums. The score of a target sentence is the sum over its words, and
        the score of a bead the running sum over its target sentences. Source words are explained in
        the same way, for each column.
        """
        (most, deep), size = self._most, len(self._pair.tgt)
        rows, ahead, start = end - begin, int(lo[0]), begin - most
        row, a, b = np.arange(rows), *np.array([self.beads[k] for k in self._both]).T[..., None]
        across = int((band.last(np.arange(begin, end)) - ahead).max()) + 1
        across = max(min(across, int(lo[-1]) - ahead + width), 1)
        line, column = begin + row, ahead + np.arange(across)
        src = self._src.words(max(0, start), max(0, end - 1), start=start)
        low, high = (min(max(j, 0), size) for j in (ahead - deep, ahead + across - 1))
        tgt = self._tgt.words(low, high, start=ahead - deep)
        links = self._between(src, tgt)
        # Of rows whose last columns do not matter, other scores are taken there.
        spare = max(int(lo[-1]) - ahead + width - across, 0)
        place = lo - ahead

        # Target words, explained by the source sentences that end at each row.
        room = self._src.room[line] - self._src.room[np.maximum(line - _steps(most), 0)]
        given = links.source, links.target, links.forward
        sums = _explained(src, tgt, given, room, across + deep - 1)
        ends = within(np.arange(ahead - deep, ahead + across), 0, size)
        deeper = most * rows
        total = _in_a_row(sums, np.diff(self._tgt.nothing[ends]), deep, spare * deeper)
        shape = deep, most, rows, across + spare - width + 1, width
        steps = (across + deep - 1) * deeper, rows, 1, deeper, deeper
        by_points = _view(total, (deep - 1) * deeper, shape, steps)
        result: NDArray[np.float64] = by_points[b - 1, a - 1, row, place]

        # Source words, explained by the target sentences that end at each column.
        room = self._tgt.room[within(column, 0, size)]
        room = room - self._tgt.room[within(column - _steps(deep), 0, size)]
        taken = links.target, links.source, links.backward
        sums = _explained(tgt, src, taken, room, rows + most - 1)
        ends = np.maximum(np.arange(start, end), 0)
        deeper = deep * across
        total = _in_a_row(sums, np.diff(self._src.nothing[ends]), most, spare)
        shape = most, deep, rows, across + spare - width + 1, width
        steps = (rows + most - 1) * deeper, across, deeper, 1, 1
        by_points = _view(total, (most - 1) * deeper, shape, steps)
        result += by_points[a - 1, b - 1, row, place]
        return result

    def _between(self, src: LinkedWords, tgt: LinkedWords) -> _Links:
        """Return the links between some source words and some target words."""
        links = self._links
        self._place[tgt.ids] = np.arange(len(tgt.ids))
        number = links.ptr[src.ids + 1] - links.ptr[src.ids]
        link = ranges(links.ptr[src.ids], number)
        target = self._place[links.tgt[link]]
        self._place[tgt.ids] = -1
        here = np.flatnonzero(target >= 0)
        source, link = np.repeat(np.arange(len(src.ids)), number)[here], link[here]
        return _Links(source, target[here], links.forward[link], links.backward[link])


def _in_a_row(
    sums: NDArray[np.float64], alone: NDArray[np.float64], most: int, spare: int
) -> NDArray[np.float64]:
    """Sum the scores of the last 1 to `most` sentences at each one, `alone` included.

    The result is flat, with `spare` numbers more.
    """
    result = np.empty(most * sums.size + spare)
    result[most * sums.size :] = 0.0
    totals = result[: most * sums.size].reshape(most, *sums.shape)
    np.add(sums, alone[:, None], out=totals[0])
    for k in range(1, most):
        totals[k, :k] = 0.0
        np.add(totals[k - 1, k:], totals[0, :-k], out=totals[k, k:])
    return result


def _view(
    flat: NDArray[np.float64], start: int, shape: tuple[int, ...], steps: tuple[int, ...]
) -> NDArray[np.float64]:
    """View a flat array from an index on, with steps in numbers; parts of the view overlap."""
    size = flat.itemsize
    return np.ndarray(shape, flat.dtype, flat, start * size, tuple(step * size for step in steps))


def _steps(number: int) -> NDArray[np.int64]:
    """Return a column of the integers from 1 to a number."""
    return np.arange(1, number + 1)[:, None]


def _explained(
    giving: LinkedWords,
    taking: LinkedWords,
    links: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]],
    room: NDArray[np.float64],
    sentences: int,
) -> NDArray[np.float64]:
    """Score the words of one side, given sentences of the other side.

    Parameters
    ----------
    giving, taking : LinkedWords
        The words that explain, and those that are explained.
    links : array of int64, array of int64, array of float64
        The indices of both words of each link, and t / p.
    room : array of float64, shape (steps, points)
        The number of sentences and words in the last 1, 2, ... sentences of the side that explains,
        at each point. The first of the sentences of the first point is 0.
    sentences : int
        The number of sentences of the side that is explained.

    Returns
    -------
    array of float64, shape (sentences, steps * points)

    """
    (steps, points), (giver, taker, ratio) = room.shape, links
    useful = np.flatnonzero(ratio)
    giver, taker, ratio = giver[useful], taker[useful], ratio[useful]
    met = np.zeros(len(taking.ids), dtype=bool)
    met[taker] = True
    words = np.flatnonzero(met)
    rank = np.cumsum(met) - 1
    # Sum of t / p over the words of each sentence that explains, for each word to be explained.
    wide, each = points + steps - 1, giving.number[giver]
    place = ranges(giving.begin[giver], each)
    cell = np.repeat(rank[taker] * wide, each)
    cell += giving.sentence[place]
    weights = np.repeat(ratio, each)
    weights *= giving.times[place]
    alone = np.bincount(cell, weights, len(words) * wide).reshape(len(words), wide)
    alone = (alone * taking.share[words, None]).astype(np.float32)
    grown = np.empty((len(words), steps, points), dtype=np.float32)
    grown[:, 0] = alone[:, steps - 1 :]
    for k in range(1, steps):
        np.add(grown[:, k - 1], alone[:, steps - 1 - k : wide - k], out=grown[:, k])
    grown *= (1 / np.maximum(room, 1.0)).astype(np.float32)
    grown += 1  # not `log1p`, which takes six times as long as `log` without AVX-512
    # 32-bit numbers are summed in 64 bits, so that the order of addition does not change the sum.
    said = np.empty((len(words), steps * points))
    np.log(grown.reshape(said.shape), out=said, dtype=np.float32)
    number = taking.number[words]
    place = ranges(taking.begin[words], number)
    times = np.zeros((sentences, len(words)))
    times[taking.sentence[place], np.repeat(np.arange(len(words)), number)] = taking.times[place]
    result: NDArray[np.float64] = times @ said
    return result
