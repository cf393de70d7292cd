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

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bitext.align.sentences.evidence import TwoSidedBeads
from bitext.align.sentences.lexical.word_links import KnownWords, LinkedWords, Links
from bitext.align.sentences.texts import SentencePair
from bitext.kernels.arrays import Floats, Ints, Singles, matrix_product, prefix, ranges
from bitext.kernels.bead_path import Band
from bitext.kernels.compiled import Kernels, compiled_kernels, scratch_sizes
from bitext.kernels.one_thread import one_thread


class TileLimits(NamedTuple):
    """Bounds of the tiles of a band that are scored at once: speed and memory only."""

    # `rows`, `columns`: the most rows and columns of a tile.
    rows: int = 64
    columns: int = 256
    cells: int = 4_000_000  # the most numbers in memory for a tile
    # The most values that compiled kernels make together, of one tile or more.
    values: int = 1 << 20


_TILES = TileLimits()
# All words of a tile are scored for all of its rows. A tile with more rows than columns, in a band
# that moves a column a row, is mostly outside of the band: tiles are not taller than wide, but have
# at least 24 rows, as each tile has a fixed cost. Of 24, 32 and 40 rows, 24 take least time.
_SHORTEST = 24
# Tiles of the same columns are scored together, in as many calls as one: speed and memory only.
_SUMS_AT_ONCE = 1 << 17  # sums of the tiles that are scored together, 1 MB
_PLACES_AT_ONCE = 1 << 20  # numbers in memory for the target words of these, 4 MB
# Factor: the most between the columns of two of these, as all are as wide as one
_MOST_WIDTH_FACTOR = 1.5
# The scores of words are summed one by one where few of them are not 0, else by a matrix product.
# Of each number: the time of a score one by one, more for each sentence with the word, and that of
# a score in a product, more for each sentence of it; about nanoseconds, so speed only.
_ONE, _ONE_MORE, _EVERY, _EVERY_MORE = 15.0, 12.0, 2.0, 0.1
# Factor: scores of several sentences that are not 0, for each of one sentence
_NONZERO_FACTOR = 2.5


class _Links(NamedTuple):
    """Links between words of some tiles: the indices of both words, and t / p."""

    source: Ints
    target: Ints
    forward: Floats
    backward: Floats


class _Tiles(NamedTuple):
    """Tiles with as many rows and columns each; the last rows of the last one may be repeated."""

    begin: Ints  # the first row of each; shape (tiles,)
    lo: Ints  # the first column of each row; shape (tiles, rows)
    width: int  # the number of columns of each row
    across: int  # the number of columns of a tile, from its first one to the last one that matters


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

    `links` are those of the vocabularies of `pair`. `weight` is the factor of the mean of both
    directions: below 1, as the words of a sentence are not independent of each other. Scores do not
    depend on the sizes of tiles.
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
        self._place = np.zeros(0, dtype=np.int32)
        self._huge = np.flatnonzero(self._src.weight < 1), self._tgt.weight < 1

    def block(self, first: int, last: int, band: Band) -> Singles:
        """Score the beads that end at each point of some rows; see `Evidence.block`."""
        shape = len(self.beads), last - first, band.width
        kernels = compiled_kernels(math.prod(shape)) if self._both else None
        out = (
            np.zeros(shape, dtype=np.float32)
            if kernels is None
            else TwoSidedBeads.of(self.beads).scores(*shape)
        )
        if kernels is not None:
            band = band._replace(lo=np.ascontiguousarray(band.lo))
            self._compiled(kernels, first, last, band, out)
        elif self._both:
            # The matrix products are too small for several threads.
            with one_thread():
                for begin, end, left, tiles in self._batches(first, last, band):
                    scores = self._scored(tiles).reshape(len(self._both), -1, tiles.width)
                    tile_cells = slice(begin - first, end - first), slice(left, left + tiles.width)
                    out[self._both, *tile_cells] = scores[:, : end - begin]
            out *= np.float32(self.weight / 2)
        # In a pair of sentences with hundreds of words each, missing links are not evidence.
        for row in self._huge[0][
            (self._huge[0] + 1 >= first) & (self._huge[0] + 1 < last)
        ].tolist():
            column = band.lo[row + 1] + np.arange(band.width) - 1
            in_band = (column >= 0) & (column < len(self._huge[1]))
            in_band[in_band] = self._huge[1][column[in_band]]
            if (1, 1) in self.beads:
                single_scores = out[self.beads.index((1, 1)), row + 1 - first]
                single_scores[in_band] = np.maximum(single_scores[in_band], 0)
        return out

    def _compiled(self, kernels: Kernels, first: int, last: int, band: Band, out: Singles) -> None:
        """Score some rows by compiled kernels, weighted; put the scores into `out`.

        The steps are those of `_scored` and `_explain`, without the sums that are 0. Values of
        several tiles are made together.
        """
        most, deep = self._most
        tiles: list[tuple[int, ...]] = []
        room = words = 0
        for begin, end, left, right in self._tiles(first, last, band):
            # The next tile, if there is one, overwrites these.
            out[:, begin - first : end - first, right:] = 0.0
            rows, width, ahead = end - begin, right - left, int(band.lo[begin]) + left
            low = int(band.lo[end - 1]) + left
            across = max(min(int(band.last(end - 1)), low + width - 1), low) + 1 - ahead
            src = self._src.many(*_inside(begin - most, rows + most - 1, len(self._pair.src)))
            tgt = self._tgt.many(*_inside(ahead - deep, across + deep - 1, len(self._pair.tgt)))
            more = tgt * most * rows + src * deep * across
            if tiles and room + more > self._limits.values:
                self._compiled_tiles(kernels, np.array(tiles), room, words, first, band, out)
                tiles, room, words = [], 0, 0
            tiles.append((begin, rows, left, width, ahead, across))
            room, words = room + more, words + src + tgt
        self._compiled_tiles(kernels, np.array(tiles), room, words, first, band, out)

    def _compiled_tiles(
        self,
        kernels: Kernels,
        tiles: Ints,
        room: int,
        words: int,
        first: int,
        band: Band,
        out: Singles,
    ) -> None:
        """Score some tiles by compiled kernels, of so many words, and values at most."""
        (most, deep), links, types = self._most, self._links, TwoSidedBeads.of(self.beads)
        src, tgt, shares = self._pair.src, self._pair.tgt, (links.src_shares, links.tgt_shares)
        source = src.ptr, src.ids, src.times, self._src.weight, shares[0].linked
        target = tgt.ptr, tgt.ids, tgt.times, self._tgt.weight, shares[1].linked
        # The ratios of all words stand in one array, so that a single call takes the logarithms.
        values = links.scratch.of_size(room)
        scratch = links.scratch.rooms(scratch_sizes(tiles, words, most, deep))
        runs, word_index = np.empty((words, 3), dtype=np.int32), np.empty(words, dtype=np.int32)
        word_arrays = values, runs, word_index
        hi = np.ascontiguousarray(band.last(np.arange(first, first + out.shape[1])))
        value_count = kernels.word_values(
            *(
                tiles,
                source,
                target,
                tuple(links.by_target),
                (links.ptr, links.tgt, links.backward),
            ),
            *((shares[0].odds, shares[1].odds), (self._src.room, self._tgt.room)),
            *(band.lo, hi, first, most, deep, links.places, scratch, *word_arrays),
        )
        np.log(values[:value_count], out=values[:value_count])
        kernels.word_scores(
            *(
                tiles,
                source,
                target,
                (self._src.nothing, self._tgt.nothing),
                most,
                deep,
                scratch,
                *word_arrays,
            ),
            *(band.lo, hi, first, types.kinds, *types.sides, np.float32(self.weight / 2), out),
        )

    def is_spared(self, row: int, column: int, kind: int) -> bool:
        """Check for a 1-1 bead of sentences with hundreds of words, whose score is 0 or more."""
        if self.beads[kind] != (1, 1):
            return False
        return row - 1 in self._huge[0] and bool(self._huge[1][column - 1])

    def words_between(self, side: int, begin: int, end: int) -> BeadWords:
        """Return the words of a range of sentences of the source (0) or target (1)."""
        texts_side = self._pair.tgt if side else self._pair.src
        occurrences = slice(texts_side.ptr[begin], texts_side.ptr[end])
        counts: dict[int, float] = {}
        weight = texts_side.weight[begin:end]
        times = texts_side.times[occurrences] * np.repeat(
            weight, np.diff(texts_side.ptr[begin : end + 1])
        )
        for number, count in zip(texts_side.ids[occurrences].tolist(), times.tolist(), strict=True):
            counts[number] = counts.get(number, 0.0) + count
        known = (self._links.tgt_shares if side else self._links.src_shares).known
        share = {number: float(known[number]) for number in counts}
        room = float((texts_side.words[begin:end] * weight).sum()) + end - begin
        return BeadWords(counts, share, room, texts_side.vocabulary.forms)

    def ratio(self, side: str, other: int, number: int) -> float:
        """Return t / p of a word of a side (`src` or `tgt`), given a word of the other side."""
        links = self._links
        source, target = (other, number) if side == "tgt" else (number, other)
        source_links = slice(links.ptr[source], links.ptr[source + 1])
        link = int(links.ptr[source]) + int(np.searchsorted(links.tgt[source_links], target))
        if link == links.ptr[source + 1] or links.tgt[link] != target:
            return 0.0
        return float((links.forward if side == "tgt" else links.backward)[link])

    def _tiles(self, first: int, last: int, band: Band) -> Iterator[tuple[int, int, int, int]]:
        """Divide rows of a band into tiles: half-open ranges of rows and of columns.

        Columns count from the first column of each row, and end at the last one that matters.
        """
        begin, (most, deep), limits = first, self._most, self._limits
        far = band.last(np.arange(first, last)) - band.lo[first:last]
        tall = min(limits.rows, max(_SHORTEST, band.width))
        tall = -(-(last - first) // -(-(last - first) // tall))  # all about as tall
        while begin < last:
            rows, wide = min(tall, last - begin), limits.columns
            # Rows of a tile have near columns: words that are far apart are matched in vain.
            near = band.lo[begin : begin + rows]
            reach = int(near[0]) + band.width + limits.rows
            if near[-1] > reach:
                rows = int(np.searchsorted(near, reach, side="right"))
            while True:
                end = begin + rows
                before, across = int(band.lo[end - 1] - band.lo[begin]), min(wide, band.width)
                src, tgt = rows + most, across + before + deep
                words = self._words_about(begin, end, band, tgt)
                cells = words[1] * (most * rows + tgt) + words[0] * (deep * tgt + src)
                if cells <= limits.cells or rows == wide == 1:
                    break
                rows, wide = (rows // 2, wide) if rows > 1 else (rows, max(across // 2, 1))
            used = int(far[begin - first : end - first].max()) + 1
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

    def _batches(self, first: int, last: int, band: Band) -> Iterator[tuple[int, int, int, _Tiles]]:
        """Gather tiles of the same columns; yield their rows and first column with them."""
        deep = self._most[0] * self._most[1]
        room = _PLACES_AT_ONCE // max(len(self._pair.tgt.vocabulary), 1)
        batch: list[tuple[int, int, int, int]] = []
        across: list[int] = []
        for tile in self._tiles(first, last, band):
            begin, end, left, right = tile
            # The columns up to the last one that matters.
            low = int(band.lo[end - 1]) + left
            hi = min(int(band.last(end - 1)), low + right - left - 1)
            wide = max(hi, low) + 1 - int(band.lo[begin]) - left
            if batch:
                tile_count, least, most = len(batch) + 1, min(wide, *across), max(wide, *across)
                tall = batch[0][1] - batch[0][0]
                follows = begin == batch[-1][1] and (left, right) == batch[0][2:]
                # Only the last one may have fewer rows, as the rows of all follow one another.
                full = batch[-1][1] - batch[-1][0] == tall
                fits_batch = (
                    full
                    and end - begin <= tall
                    and most <= _MOST_WIDTH_FACTOR * least
                    and tile_count <= room
                )
                if not (
                    follows and fits_batch and tile_count * tall * most * deep <= _SUMS_AT_ONCE
                ):
                    yield _together(batch, max(across), band)
                    batch, across = [], []
            batch.append(tile)
            across.append(wide)
        if batch:
            yield _together(batch, max(across), band)

    def _scored(self, tiles: _Tiles) -> Floats:
        """Return the unweighted scores of the beads with two sides that end in some tiles.

        For each row and each distinct target word of a tile, the sums of t / p over the last 1, 2,
        ... source sentences are running sums. The score of a target sentence is the sum over its
        words, and the score of a bead the running sum over its target sentences. Source words are
        explained in the same way, for each column.

        The result has the shape (beads, tiles, rows, width).
        """
        (most, deep), width, across = self._most, tiles.width, tiles.across
        number, rows = tiles.lo.shape
        a, b = np.array([self.beads[k] for k in self._both]).T[..., None, None]
        ahead = tiles.lo[:, 0]
        src = self._src.words(tiles.begin - most, rows + most - 1)
        tgt = self._tgt.words(ahead - deep, across + deep - 1)
        links = self._between(src, tgt, number)
        tile, row, place = np.arange(number)[:, None], np.arange(rows), tiles.lo - ahead[:, None]

        # Target words, explained by the source sentences that end at each row.
        forward_links = links.source, links.target, links.forward
        room = self._src.room_of(tiles.begin, rows, most)
        sums = _explain(src, tgt, forward_links, room, across + deep - 1, by_point=True)
        alone = self._tgt.silence(ahead - deep, across + deep - 1)[:, None]
        total = _in_a_row(sums, alone, deep, axis=2, spare=width)
        shape = deep, number, most, rows, across + deep - 1
        by_points = _windows(total, shape, width)
        result: Floats = by_points[b - 1, tile, a - 1, row, place + deep - 1]

        # Source words, explained by the target sentences that end at each column.
        backward_links = links.target, links.source, links.backward
        room = self._tgt.room_of(ahead, across, deep)
        sums = _explain(tgt, src, backward_links, room, rows + most - 1, by_point=False)
        alone = self._src.silence(tiles.begin - most, rows + most - 1)[:, :, None]
        total = _in_a_row(sums, alone, most, axis=1, spare=width)
        shape = most, number, rows + most - 1, deep, across
        by_points = _windows(total, shape, width)
        result += by_points[a - 1, tile, row + most - 1, b - 1, place]
        return result

    def _between(self, src: LinkedWords, tgt: LinkedWords, tiles: int) -> _Links:
        """Return the links between the source words and the target words of each tile."""
        links, wide = self._links, len(self._pair.tgt.vocabulary)
        if len(self._place) < tiles * wide:
            self._place = np.zeros(tiles * wide, dtype=np.int32)
        at = tgt.tile * wide + tgt.ids
        self._place[at] = np.arange(1, len(at) + 1)
        begin = links.ptr[src.ids]
        number = links.ptr[src.ids + 1] - begin
        link = ranges(begin, number)
        source = np.repeat(np.arange(len(src.ids)), number)
        target = self._place[src.tile[source] * wide + links.tgt[link]]
        self._place[at] = 0
        linked = target.nonzero()[0]
        link = link[linked]
        target = target[linked].astype(np.int64) - 1
        return _Links(source[linked], target, links.forward[link], links.backward[link])


def _together(
    tiles: Sequence[tuple[int, int, int, int]], across: int, band: Band
) -> tuple[int, int, int, _Tiles]:
    first, end, left, right = tiles[0]
    begin, last = np.array([tile[0] for tile in tiles], dtype=np.int64), tiles[-1][1]
    row = np.minimum(begin[:, None] + np.arange(end - first), last - 1)
    return first, last, left, _Tiles(begin, band.lo[row] + left, right - left, across)


def _inside(first: int, count: int, size: int) -> tuple[int, int]:
    """Clip `count` sentences from `first` on to a text."""
    return min(max(first, 0), size), min(max(first + count, 0), size)


def _in_a_row(sums: Floats, alone: Floats, most: int, *, axis: int, spare: int) -> Floats:
    """Sum the scores of the last 1 to `most` sentences at each one, `alone` included.

    `axis` is that of the sentences, 1 or 2. The result is flat, with `spare` numbers more.
    """
    result = np.empty(most * sums.size + spare)
    result[most * sums.size :] = 0.0
    totals = result[: most * sums.size].reshape(most, *sums.shape)
    np.add(sums, alone, out=totals[0])
    by_sentence = totals.swapaxes(axis + 1, 1)
    for k in range(1, most):
        by_sentence[k, :k] = 0.0
        np.add(by_sentence[k - 1, k:], by_sentence[0, :-k], out=by_sentence[k, k:])
    return result


def _windows(flat: Floats, shape: tuple[int, ...], width: int) -> Floats:
    """View a flat array as one of a shape, with the `width` numbers from each one on.

    Numbers after the end of a row are any.
    """
    steps = [flat.itemsize]
    for size in shape[:0:-1]:
        steps.insert(0, steps[0] * size)
    return np.ndarray((*shape, width), flat.dtype, flat, 0, (*steps, flat.itemsize))


def _explain(
    giving: LinkedWords,
    taking: LinkedWords,
    links: tuple[Ints, Ints, Floats],
    room: Floats,
    sentences: int,
    *,
    by_point: bool,
) -> Floats:
    """Score the words of one side of some tiles, given sentences of the other side.

    The words of `giving` explain those of `taking`, which has `sentences` sentences in each tile.
    `links` has the indices of both words of each link, and t / p. `room`, of shape (tiles, steps,
    points), is the number of sentences and words in the last 1, 2, ... sentences of the side that
    explains, at each point; the first of the sentences of the first point is 0.

    The result has the score of each sentence, shape (tiles, sentences, steps * points); with
    `by_point`, (tiles, steps * points, sentences).
    """
    (tiles, steps, points), (giver, taker, ratio) = room.shape, links
    useful = ratio.nonzero()[0]
    giver, taker, ratio = giver[useful], taker[useful], ratio[useful]
    is_word = np.zeros(len(taking.ids), dtype=bool)
    is_word[taker] = True
    words = is_word.nonzero()[0]
    rank, size = is_word.cumsum() - 1, len(words)
    # Sum of t / p over the words of each sentence that explains, for each word to be explained.
    wide, each = points + steps - 1, giving.number[giver]
    place = ranges(giving.begin[giver], each)
    cell = giving.sentence[place] * size
    cell += np.repeat(rank[taker], each)
    weights = np.repeat(ratio, each)
    weights *= giving.times[place]
    sums = np.bincount(cell, weights, wide * size).astype(np.float64, copy=False)
    sums = sums.reshape(wide, size)
    sums *= taking.share[words]
    # The sums over the last 1, 2, ... sentences grow by one sentence in each step.
    alone = sums.astype(np.float32)
    grown = np.empty((steps, points, size), dtype=np.float32)
    grown[0] = alone[steps - 1 :]
    for step in range(1, steps):
        np.add(grown[step - 1], alone[steps - 1 - step : wide - step], out=grown[step])
    scores = _WordScores(
        many=grown.reshape(steps * points, size),
        inverse=(1 / np.maximum(room, 1.0)).astype(np.float32).reshape(tiles, -1),
        tile=taking.tile[words],
        number=(number := taking.number[words]),
        sentence=taking.sentence[place := ranges(taking.begin[words], number)],
        times=taking.times[place],
    )
    # The faster of two ways with the same sums, by the estimated share of scores that are not 0.
    filled = _NONZERO_FACTOR * np.count_nonzero(alone) / max(alone.size, 1)
    one_by_one = filled * (_ONE + _ONE_MORE * len(place) / max(size, 1))
    if one_by_one < _EVERY + _EVERY_MORE * sentences:
        return scores.one_by_one(sentences, by_point=by_point)
    return scores.by_products(sentences, by_point=by_point)


class _WordScores(NamedTuple):
    """The words of some tiles, to be scored and summed by sentences."""

    # For each word, the sum of t / p over the sentences before each point, times l / (1 - l). Shape
    # (points, words).
    many: Singles
    # One through the number of sentences and words there. Shape (tiles, points).
    inverse: Singles
    # `tile`, `number`: the tile of each word, ascending, and the number of its items; shape
    # (words,).
    tile: Ints
    number: Ints
    # `sentence`, `times`: the sentence of each item, and the weighted count of its word there;
    # shape (items,).
    sentence: Ints
    times: Floats

    # In both ways 32-bit numbers are summed in 64 bits, so that the order of addition does not
    # change the sum.

    def by_products(self, sentences: int, *, by_point: bool) -> Floats:
        """Sum the scores of the words of each sentence by a matrix product for each tile."""
        occurrences, (tiles, points) = self.many, self.inverse.shape
        ends = np.searchsorted(self.tile, np.arange(tiles + 1))
        sizes = np.diff(ends)
        cells = prefix(sizes * sentences)
        word = np.repeat(np.arange(len(self.tile)), self.number)
        of = self.tile[word]
        times = np.zeros(int(cells[-1]))
        times[cells[of] + self.sentence * sizes[of] + word - ends[of]] = self.times
        out = np.empty((tiles, points, sentences) if by_point else (tiles, sentences, points))
        # Tile by tile, and in the same memory, which stays in the cache.
        room = points * int(sizes.max(initial=0))
        scaled, logs = np.empty(room, dtype=np.float32), np.empty(room)
        for k, (first, last) in enumerate(pairwise(ends.tolist())):
            shape = points, last - first
            own = scaled[: points * shape[1]].reshape(shape)
            np.multiply(occurrences[:, first:last], self.inverse[k, :, None], out=own)
            own += 1  # not `log1p`, which takes six times as long as `log` without AVX-512
            log_scores = logs[: points * shape[1]].reshape(shape)
            np.log(own, out=log_scores, dtype=np.float32)
            by_word = times[cells[k] : cells[k + 1]].reshape(sentences, last - first)
            if by_point:
                matrix_product(log_scores, by_word.T, out=out[k])
            else:
                matrix_product(by_word, log_scores.T, out=out[k])
        return out

    def one_by_one(self, sentences: int, *, by_point: bool) -> Floats:
        """Sum the scores that are not 0 one by one."""
        occurrences, (tiles, points) = self.many, self.inverse.shape
        nonzero = np.flatnonzero(occurrences != 0)  # of a mask it takes a fifth of the time
        point = nonzero // max(occurrences.shape[1], 1)
        word = nonzero - point * occurrences.shape[1]
        tile, number = self.tile[word], self.number[word]
        log_scores = occurrences.reshape(-1)[nonzero]
        log_scores *= self.inverse[tile, point]
        log_scores += 1
        np.log(log_scores, out=log_scores)
        item = ranges(prefix(self.number)[word], number)
        cell = tile * (points * sentences) + point * (sentences if by_point else 1)
        cell = np.repeat(cell, number)
        cell += self.sentence[item] * (1 if by_point else points)
        weights = np.repeat(log_scores.astype(np.float64), number)
        weights *= self.times[item]
        out = np.bincount(cell, weights, tiles * points * sentences)
        by_cell: Floats = out.astype(np.float64, copy=False)  # of no words: integers
        return by_cell.reshape(
            (tiles, points, sentences) if by_point else (tiles, sentences, points)
        )
