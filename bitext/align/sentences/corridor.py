"""The corridor that is searched for the best path, and anchors that it goes through.

The corridor is the part of a table of sentences that is searched for the best path. A table of a
million sentences a side has a million million points, and a path touches two million of them. A
corridor gives the first and the last column to search in each row; its width follows the
uncertainty of the path. Unlike a `Band`, which has a single width, it saves work in its narrow
rows.

Anchors of the path are pairs of sentences that share rare translated words. If a word occurs in few
sentences of one text, and its translation in few of the other, they tie these sentences together.
Such words are equal words, numbers and names, words that look or sound alike, and the words of a
lexicon. If no word is rare enough, two words in one sentence are combined, such as a number and a
name that occurs throughout the text. The heaviest ascending chain of ties gives the anchors, if it
is much heavier than the heaviest descending chain, which is there by chance. So a passage in a
third language, whose words resemble words of the whole text, has no anchors.

Words that are frequent in the text may be rare between two anchors. If these are far from each
other, such words make anchors between them, as in the patience diff of B. Cohen.

First come the bounds and the cached scores of a part, then the corridor, chains of points, and the
anchors with the ties that they are chosen from.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike, NDArray

from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.align.sentences.texts import SentencePair, Side
from bitext.errors import InputError
from bitext.kernels.arrays import Bools, Floats, Ints, distinct, median, prefix, ranges, within
from bitext.kernels.bead_path import BeadPath, Scores

# The bounds of a part of a corridor, and its scores in the cache.
#
# A part that is searched again is as wide as before in most of its rows. The scores of these rows
# are cached, as they cost more than the search does.

BESIDE = -(1 << 31)  # score of a bead outside of the corridor: the least number of 32 bits
ROWS = 96  # rows whose scores are computed together: fewer calls, and still in the cache
_NARROW_COLUMNS = 256  # columns: with fewer, twice as many rows
_LEAST_SAVED_POINTS = 1024  # points saved that are worth dividing rows
_CACHED_SCORES = 8_000_000  # scores of a part that are cached: memory only, 32 MB
_FEW, _MANY = 8, 256  # columns added on each side of a row when it is widened


class PartBounds(NamedTuple):
    """The columns low[i] <= j <= high[i] of the rows of a part. Neither descends."""

    low: Ints
    high: Ints

    @classmethod
    def between(cls, low: Ints, high: Ints) -> PartBounds:
        """Make bounds that do not descend, widened where they would."""
        low = np.minimum.accumulate(low[::-1])[::-1]
        return cls(low, np.maximum.accumulate(np.maximum(high, low)))

    @property
    def points(self) -> int:
        """The number of points within."""
        return int((self.high - self.low + 1).sum())

    @property
    def held(self) -> int:
        """The number of points of a band that is as wide as the widest row."""
        return len(self.low) * (int((self.high - self.low).max()) + 1)

    def runs(
        self, first: int, until: int, known: SearchedPart | None = None
    ) -> Iterator[tuple[slice, bool]]:
        """Divide rows into runs whose scores are computed together; mark the runs in the cache."""
        same = np.zeros(until - first, dtype=bool)
        if known is not None:
            run = slice(first, until)
            same = (self.low[run] == known.reach.low[run]) & (
                self.high[run] == known.reach.high[run]
            )
        edges = (same[1:] != same[:-1]).nonzero()[0] + 1
        width = self.high[first:until] - self.low[first:until] + 1
        for begin, end in itertools.pairwise([0, *edges.tolist(), until - first]):
            step = 2 * ROWS if width[begin:end].max() <= _NARROW_COLUMNS else ROWS
            for at in range(begin, end, step):
                for run in _alike(width[at : min(at + step, end)]):
                    yield slice(first + at + run.start, first + at + run.stop), bool(same[begin])

    def away(self, row: Ints, column: Ints, first: int, last: int) -> Ints:
        """Return the distance of points from an edge with columns after it."""
        low, high = self.low[row], self.high[row]
        far = high - low + 1
        left = np.where(low > first, column - low, far)
        right = np.where(high < last, high - column, far)
        return np.minimum(left, right)

    def wider(self, rows: Ints) -> PartBounds:
        """Widen the bounds threefold in the rows about those given.

        Each row gets as many more columns on both sides as it has, and so do the rows within that
        distance: a wide row means that the path is uncertain. At most 256 are added at once,
        because a row may be as wide as an omitted passage.
        """
        first, last = self.low[0], self.high[-1]
        every = distinct(rows)
        more = within((self.high - self.low + 1)[every], _FEW, _MANY)
        added = np.zeros(len(self.low), dtype=np.int64)
        for row, columns in zip(every.tolist(), more.tolist(), strict=True):
            near = slice(max(row - columns, 0), row + columns + 1)
            np.maximum(added[near], columns, out=added[near])
        low, high = np.maximum(self.low - added, first), np.minimum(self.high + added, last)
        return PartBounds.between(low, high)


def _alike(width: Ints) -> list[slice]:
    """Divide rows into runs of similar width: each row of a run costs as much as the widest."""
    count = len(width)
    before = np.maximum.accumulate(width)
    after = np.maximum.accumulate(width[::-1])[::-1]
    every = np.arange(1, count)
    points = every * before[:-1] + (count - every) * after[1:]
    if count < 2 or count * int(before[-1]) - int(points.min()) < _LEAST_SAVED_POINTS:
        return [slice(0, count)]
    cut = int(points.argmin()) + 1
    rest = [slice(cut + one.start, cut + one.stop) for one in _alike(width[cut:])]
    return [*_alike(width[:cut]), *rest]


class CachedScores:
    """A cache of the scores of one part, if these are not too many."""

    def __init__(self, scores: Scores, cells: int) -> None:
        self._scores, self.keeps = scores, cells <= _CACHED_SCORES
        self._ends: list[int] = []  # the rows that are known are from 0 to the last of these
        self._blocks: list[NDArray[np.integer]] = []

    def scores(self, first: int, last: int) -> NDArray[np.integer]:
        """Return the scores of some rows."""
        if self._ends and last <= self._ends[-1]:
            parts = []
            for end, block in zip(self._ends, self._blocks, strict=True):
                begin = end - block.shape[1]
                if begin < last and first < end:
                    parts.append(block[:, max(first - begin, 0) : last - begin])
            return parts[0] if len(parts) == 1 else _joined(parts)
        block = self._scores(first, last)
        if self.keeps and first == (self._ends[-1] if self._ends else 0):
            self._ends.append(last)
            self._blocks.append(block)
        return block


def _joined(blocks: list[NDArray[np.integer]]) -> NDArray[np.integer]:
    """Return scores of rows that follow each other, as wide as the widest of them."""
    width = max(block.shape[2] for block in blocks)
    rows = sum(block.shape[1] for block in blocks)
    scores = np.full((len(blocks[0]), rows, width), BESIDE, dtype=blocks[0].dtype)
    first = 0
    for block in blocks:
        scores[:, first : first + block.shape[1], : block.shape[2]] = block
        first += block.shape[1]
    return scores


class SearchedPart(NamedTuple):
    """The bounds of a part as it was searched before, and the cache of its scores."""

    reach: PartBounds
    held: CachedScores


PART_ROWS = 128  # rows of the smallest part
MOST_PARTS = 8  # smallest parts in a part
_UNEVEN_FACTOR = 3.0  # times the width of a neighbour: wider rows are another part


class Corridor(NamedTuple):
    """The points that are searched in each row: columns lo[i] <= j <= hi[i]."""

    # `lo`, `hi`: neither descends; from 0 to `columns`. (0, 0) and (rows, columns) are within;
    # shape (rows + 1,).
    lo: Ints
    hi: Ints
    columns: int  # the length of the second sequence

    @property
    def rows(self) -> int:
        """The length of the first sequence."""
        return len(self.lo) - 1

    @property
    def cells(self) -> int:
        """The number of points within."""
        return int((self.hi - self.lo).sum()) + self.rows + 1

    @property
    def is_whole(self) -> bool:
        """Whether the corridor is the whole table."""
        return self.cells == (self.rows + 1) * (self.columns + 1)

    @classmethod
    def whole(cls, rows: int, columns: int) -> Corridor:
        """Return the whole table."""
        return cls(np.zeros(rows + 1, np.int64), np.full(rows + 1, columns), columns)

    @classmethod
    def between(cls, lo: ArrayLike, hi: ArrayLike, columns: int) -> Corridor:
        """Return the corridor with the given columns of each row, extended so that rows connect.

        Examples
        --------
        >>> corridor = Corridor.between([0, 2, 1, 3], [1, 3, 2, 4], 4)
        >>> corridor.lo.tolist(), corridor.hi.tolist()
        ([0, 1, 1, 3], [1, 3, 3, 4])

        """
        low, high = np.array(lo, dtype=np.int64), np.array(hi, dtype=np.int64)
        if low.shape != high.shape or low.ndim != 1 or low.size == 0:
            raise InputError("a corridor has a first and a last column for each row")
        low[0], high[-1] = 0, columns
        low, high = within(low, 0, columns), within(high, 0, columns)
        low = np.minimum.accumulate(np.minimum(low, high)[::-1])[::-1]
        high = np.maximum.accumulate(np.maximum(low, high))
        # A row must begin within the columns of the row above, or no bead leads from one to the
        # other.
        low[1:] = np.minimum(low[1:], high[:-1])
        return cls(low, high, columns)

    @classmethod
    def around(
        cls, row: ArrayLike, column: ArrayLike, *, rows: int, columns: int, margin: ArrayLike
    ) -> Corridor:
        """Build the corridor within `margin` columns, or rows, of a path.

        Neither the rows nor the columns of the path descend, and the ends of the table need not be
        among its points. All points have the same margin, or each has its own.
        """
        i = np.concatenate([[0], np.asarray(row, dtype=np.int64), [rows]])
        j = np.concatenate([[0], np.asarray(column, dtype=np.int64), [columns]])
        every = np.broadcast_to(margin, len(i) - 2)
        reach = np.concatenate([every[:1], every, every[-1:]]).astype(np.int64)
        if not len(every):
            reach = np.full(2, np.max(margin, initial=0))
        low, high = np.full(rows + 1, columns), np.zeros(rows + 1, dtype=np.int64)
        np.minimum.at(low, i, j - reach)
        np.maximum.at(high, i, j + reach)
        # Since both ascend, the bound for the last row near a point is valid for all rows before
        # it.
        np.minimum.at(low, np.minimum(i + reach, rows), j)
        np.maximum.at(high, np.maximum(i - reach, 0), j)
        low = np.minimum.accumulate(low[::-1])[::-1]
        high = np.maximum.accumulate(high)
        # Between two distant points any path is possible.
        return cls.between(np.minimum(low, high), np.maximum(low, high), columns)

    def joined(self, other: Corridor) -> Corridor:
        """Join two corridors of the same table, and all between them."""
        lo, hi = np.minimum(self.lo, other.lo), np.maximum(self.hi, other.hi)
        return Corridor.between(lo, hi, self.columns)

    def parts(self, *, block: int = PART_ROWS, blocks: int = MOST_PARTS) -> list[tuple[int, int]]:
        """Return half-open runs of rows that are about as wide, in order, from 0 to `rows`.

        One band for each run then contains few points outside of the corridor.

        `block` is the number of rows of the smallest part, and `blocks` the largest number of such
        blocks in a part.
        """
        edges = np.append(np.arange(0, max(self.rows, 1), block), self.rows)
        wide = np.maximum.reduceat(self.hi - self.lo + 1, edges[:-1]).tolist()
        runs: list[tuple[int, int]] = []
        begin, least, most = 0, wide[0], wide[0]
        for k, width in enumerate(wide[1:], start=1):
            low, high = min(least, width), max(most, width)
            if high > _UNEVEN_FACTOR * low + 8 or k - begin == blocks:
                runs.append((int(edges[begin]), int(edges[k])))
                begin, low, high = k, width, width
            least, most = low, high
        return [*runs, (int(edges[begin]), self.rows)]


# The best chain of points that ascend on both sides, and the points of it that can be believed.
#
# Most points come from translations, and lie near the path; the others are scattered. The heaviest
# chain has few scattered points, since they rarely ascend together; those in it lie off the
# diagonal of their neighbours, and are dropped.

# The constants of this module are set by hand. Halving or doubling any of them does not change F1
# of whole texts (parice, text+berg and maligna, whose tables are searched whole), nor, except for
# _TIES_OF_SENTENCE (0 and -.002), any bead of texts with passages cut out (alignment_constants.md).
_NEIGHBOURS = 4  # points on each side: neighbours that a point is compared with
_FREE_COLUMNS = 2.0  # columns off the diagonal of the neighbours that are always allowed
# Columns more for the square root of the distance in rows: paths drift like a random walk.
_DRIFT = 0.7
_SLOPE_POINTS = 8  # points over which a slope is measured


def best_chain(row: Ints, column: Ints, weight: Floats) -> Ints:
    """Find the heaviest chain of points that ascends in rows and columns.

    Points are in any order, and weights above 0. The result has the indices of the points of the
    chain, ascending in row and column; among chains of equal weight it is always the same one. Time
    is n log n for n points that lie about a diagonal.

    Examples
    --------
    >>> where = np.array([0, 1, 2, 3]), np.array([5, 1, 2, 3])
    >>> best_chain(*where, np.array([2.0, 1.0, 1.0, 1.0])).tolist()
    [1, 2, 3]

    """
    if not len(row):
        return np.zeros(0, dtype=np.int64)
    # Columns descend within a row, so that no chain has two points of it.
    order = np.lexsort((-column, row))
    ends, weights = column[order], weight[order]
    # If all columns up to some point are before all columns after it, the heaviest chain is that of
    # the points before, and that of the points after: most points are a part by themselves.
    after = np.minimum.accumulate(ends[::-1])[::-1]
    cuts = np.flatnonzero(np.maximum.accumulate(ends)[:-1] < after[1:]) + 1
    edges = np.concatenate([[0], cuts, [len(ends)]])
    chosen = np.ones(len(ends), dtype=bool)
    for part in np.flatnonzero(np.diff(edges) > 1).tolist():
        own = slice(edges[part], edges[part + 1])
        chosen[own] = False
        chosen[own.start + _chain_of(ends[own].tolist(), weights[own].tolist())] = True
    return order[chosen]


def _chain_of(columns: list[int], weights: list[float]) -> Ints:
    """Find the heaviest chain of ascending columns; return the indices of its points."""
    # The ends of the chains that no other is better than: columns and weights ascend.
    ends: list[int] = []
    sums: list[float] = []
    points: list[int] = []
    before = [-1] * len(columns)
    for point, (end, own) in enumerate(zip(columns, weights, strict=True)):
        at = bisect_left(ends, end)
        total = own
        if at:
            before[point] = points[at - 1]
            total += sums[at - 1]
        worse = at
        while worse < len(ends) and sums[worse] <= total:
            worse += 1
        if worse > at or at == len(ends) or ends[at] > end:
            ends[at:worse], sums[at:worse], points[at:worse] = [end], [total], [point]
    chain = []
    point = points[-1]
    while point >= 0:
        chain.append(point)
        point = before[point]
    return np.array(chain[::-1], dtype=np.int64)


def slope(row: Ints, column: Ints, *, usual: float) -> float:
    """Estimate the columns for each row along a chain; `usual` if it has few points.

    The estimate is the median over short ways, so passages on one side only do not change it.
    """
    step = min(_SLOPE_POINTS, len(row) // 2)
    if step < 2:
        return usual
    slopes = (column[step:] - column[:-step]) / (row[step:] - row[:-step])
    # For an excerpt and a whole text, the usual ratio is not that of their sentences.
    return float(np.clip(median(slopes), min(usual, 1.0) / 64, max(usual, 1.0) * 64))


def near_diagonal(row: Ints, column: Ints, *, tilt: float) -> Bools:
    """Mark the points of a chain near the diagonal of most of their neighbours.

    Rows and columns ascend. `tilt` is the usual number of columns for each row, as in `Anchors`. If
    the diagonal changes, as beside a passage on one side only, points remain if there are enough of
    them on their side of the change.
    """
    if len(row) <= 2:
        return np.ones(len(row), dtype=bool)
    away = column - tilt * row
    side = min(_NEIGHBOURS, (len(row) - 1) // 2)
    # Before the first point and after the last one the neighbours are mirrored.
    spread = np.pad(away, side, mode="reflect")
    middle = np.median(sliding_window_view(spread, 2 * side + 1), axis=1)
    reach = np.pad(row, side, mode="reflect")
    far = np.abs(sliding_window_view(reach, 2 * side + 1) - row[:, None]).mean(axis=1)
    near = _FREE_COLUMNS + _DRIFT * np.sqrt(far)
    # A point between two diagonals that is on neither of them would be the median.
    about = np.abs(sliding_window_view(spread, 2 * side + 1) - away[:, None]) <= near[:, None]
    alone = np.count_nonzero(about, axis=1) <= max(1, side // 2)
    is_near: Bools = (np.abs(away - middle) <= near) & ~alone
    return is_near


_MOST_RARE_SENTENCES = 4  # sentences of a text: a word in more of them makes no tie
# Probability, set by hand, of a pair of two words in one sentence as a link
_PAIR_PROBABILITY = 0.4
_FREQUENT_SHARE = 0.1  # share of sentences: a word in more of them is not combined with another
_COMBINED_WORDS = 3  # words of a sentence that are combined, the rarest
_SENTENCES_PER_TIE = 4  # sentences for each tie, above which words are combined
_LEAST_PROBABILITY = 0.15  # probability: the least of a word pair that makes ties
_LEAST_RELATIVE_PROBABILITY = 0.6  # the same, as a share of that of the best pair of the word
_SIFTING_FACTOR = 8  # times: a chain that is there by chance thins out by then
_LEAST_SHARE_LEFT = 0.25  # share of a chain: with less left of it, it was there by chance
_FEWEST_ANCHORS = 3  # anchors that are believed
_BY_CHANCE = 1.75  # times as heavy as the heaviest chain that descends
_TIES_OF_SENTENCE = 4  # ties of a sentence, the heaviest: bounds the work
_LARGE_GAP = 50  # sentences between two anchors, above which more are sought
_MOST_REPEATS = 3  # times that more are sought
_KNOWN_WEIGHT = 1e3  # weight of a known anchor: above any sum of ties
_LEAST_BELIEVED_SHARE = 0.5  # share of the anchors found in between that have to be believed


class Anchors(NamedTuple):
    """Pairs of sentences that belong together, ascending on both sides."""

    # `row`, `column`: the sentences of the source and of the target; shape (anchors,).
    row: Ints
    column: Ints
    tilt: float  # the usual number of target sentences for each source sentence


class _Ties(NamedTuple):
    row: Ints
    column: Ints
    weight: Floats


def anchors_of(pair: SentencePair, lexicons: Sequence[WordPairs]) -> Anchors:
    """Find the anchors of two texts.

    `lexicons` have linked words, in the numbers of the vocabularies of the pair, as `cognates` and
    `learn` return them.

    Examples
    --------
    >>> from bitext.align.sentences.lexical.cognates import cognates
    >>> from bitext.align.sentences.texts import SentencePair
    >>> from bitext.model import Text
    >>> src = Text(["In 1786 it was climbed", "by Paccard", "and Balmat", "from Chamonix"])
    >>> tgt = Text(["Am 8. August", "Paccard war es", "mit Balmat", "aus Chamonix"])
    >>> pair = SentencePair(src, tgt)
    >>> found = anchors_of(pair, [cognates(pair.src.vocabulary, pair.tgt.vocabulary)])
    >>> found.row.tolist(), found.column.tolist()
    ([1, 2, 3], [1, 2, 3])

    """
    ties = rare_word_ties(pair, lexicons)
    usual = max(len(pair.tgt), 1) / max(len(pair.src), 1)
    chain = best_chain(*ties)
    if _is_by_chance(ties, chain):
        chain = chain[:0]
    row, column = ties.row[chain], ties.column[chain]
    # A chain of scattered points thins out when this is repeated.
    for _ in range(_SIFTING_FACTOR):
        is_near = near_diagonal(row, column, tilt=slope(row, column, usual=usual))
        row, column = row[is_near], column[is_near]
        if is_near.all():
            break
    if len(row) < max(_FEWEST_ANCHORS, _LEAST_SHARE_LEFT * len(chain)):
        row, column = row[:0], column[:0]
    return Anchors(row, column, slope(row, column, usual=usual))


def _is_by_chance(ties: _Ties, chain: Ints) -> bool:
    """Judge whether a chain is hardly heavier than the heaviest that descends."""
    other = best_chain(ties.row, ties.column.max(initial=0) - ties.column, ties.weight)
    return bool(ties.weight[chain].sum() < _BY_CHANCE * ties.weight[other].sum())


def anchors_of_samples(path: BeadPath, tilt: float) -> Anchors:
    """Return anchors on a path of which only stretches are known.

    Stretches begin with a bead of kind -1, and so does the rest after the last one. An anchor is a
    two-sided bead in the middle of a stretch, since a path is less certain at the ends. `tilt` is
    the usual number of target sentences for each source sentence.
    """
    begins = np.flatnonzero(path.kinds < 0)
    middle = (begins[:-1] + begins[1:]) // 2
    row, column = np.diff(path.row, prepend=0), np.diff(path.column, prepend=0)
    middle = middle[(row[middle] > 0) & (column[middle] > 0) & (path.kinds[middle] >= 0)]
    return Anchors(path.row[middle] - 1, path.column[middle] - 1, tilt)


def anchors_between(anchors: Anchors, pair: SentencePair, lexicons: Sequence[WordPairs]) -> Anchors:
    """Find more anchors between distant ones.

    Words that are rare between two anchors, on both sides, are sufficient. The lexicons, as in
    `anchors_of`, should be good ones. Without any anchor, the result has none.
    """
    usual = max(len(pair.tgt), 1) / max(len(pair.src), 1)
    for _ in range(_MOST_REPEATS if len(anchors.row) else 0):
        ties = _ties_between(anchors, pair, lexicons)
        row = np.concatenate([anchors.row, ties.row])
        column = np.concatenate([anchors.column, ties.column])
        weight = np.concatenate([np.full(len(anchors.row), _KNOWN_WEIGHT), ties.weight])
        chain = best_chain(row, column, weight)
        row, column, is_given = row[chain], column[chain], weight[chain] >= _KNOWN_WEIGHT
        for _ in range(_SIFTING_FACTOR):
            is_anchor = is_given | near_diagonal(row, column, tilt=slope(row, column, usual=usual))
            row, column, is_given = row[is_anchor], column[is_anchor], is_given[is_anchor]
            if is_anchor.all():
                break
        more = len(row) - len(anchors.row)
        if more <= _LEAST_BELIEVED_SHARE * (len(chain) - len(anchors.row)):
            break
        anchors = Anchors(row, column, slope(row, column, usual=usual))
    return anchors


def _ties_between(anchors: Anchors, pair: SentencePair, lexicons: Sequence[WordPairs]) -> _Ties:
    """Return pairs of sentences that share words which are rare between two anchors."""
    src, tgt, probability = _linked(lexicons)
    order = np.argsort(src, kind="stable")
    src, tgt, probability = src[order], tgt[order], probability[order]
    down = np.diff(anchors.row, prepend=-1, append=len(pair.src)) - 1
    across = np.diff(anchors.column, prepend=-1, append=len(pair.tgt)) - 1
    far = (np.maximum(down * anchors.tilt, across) >= _LARGE_GAP * anchors.tilt) & (down > 0)
    src_words = _words_between(pair.src, anchors.row, far & (across > 0), src)
    tgt_words = _words_between(pair.tgt, anchors.column, far & (across > 0), tgt)
    # Each word of the source between two anchors, with each that it is linked with.
    word, gap = src_words.wanted % src_words.wide, src_words.wanted // src_words.wide
    begin, end = np.searchsorted(src, word), np.searchsorted(src, word, side="right")
    link = ranges(begin, end - begin)
    word_index = np.repeat(np.arange(len(word)), end - begin)
    key = gap[word_index] * tgt_words.wide + tgt[link]
    wanted_index = np.searchsorted(tgt_words.wanted, key)
    wanted_index[wanted_index == len(tgt_words.wanted)] = 0
    matched = (
        np.flatnonzero(tgt_words.wanted[wanted_index] == key)
        if len(tgt_words.wanted)
        else np.zeros(0, np.int64)
    )
    sides = [
        _places(one.key, one.sentence, one.wanted[places])
        for one, places in ((src_words, word_index[matched]), (tgt_words, wanted_index[matched]))
    ]
    ties = _met(sides[0], sides[1], probability[link[matched]])
    return _summed(ties, len(pair.tgt) + 1)


class _Between(NamedTuple):
    """Words between anchors: the number of the gap, times the number of words, plus the word.

    `key` and `sentence` are of each place; `wanted` are keys of words that are rare in a gap.
    """

    key: Ints
    sentence: Ints
    wanted: Ints
    wide: int


def _words_between(side: Side, anchors: Ints, gaps: Bools, words: Ints) -> _Between:
    """Return the places of some words in some of the gaps between anchors."""
    wide = len(side.vocabulary)
    is_wanted = np.zeros(wide, dtype=bool)
    is_wanted[words] = True
    every = np.arange(len(side))
    gap = np.searchsorted(anchors, every, side="right")
    inside = gaps[gap]
    inside[anchors] = False
    sentence = np.repeat(every, np.diff(side.ptr))
    occurrences = np.flatnonzero(is_wanted[side.ids] & inside[sentence])
    sentence = sentence[occurrences]
    key = gap[sentence] * wide + side.ids[occurrences]
    keys, counts = np.unique(key, return_counts=True)
    return _Between(key, sentence, keys[counts <= _MOST_RARE_SENTENCES], wide)


def rare_word_ties(pair: SentencePair, lexicons: Sequence[WordPairs]) -> _Ties:
    """Return pairs of sentences that share rare words: row, column, and weight."""
    src, tgt, probability = _linked(lexicons)
    counts = _counts(pair.src), _counts(pair.tgt)
    rare = (counts[0][src] <= _MOST_RARE_SENTENCES) & (counts[1][tgt] <= _MOST_RARE_SENTENCES)
    rare &= (counts[0][src] > 0) & (counts[1][tgt] > 0)
    parts = [_met(_where(pair.src, src[rare]), _where(pair.tgt, tgt[rare]), probability[rare])]
    if len(parts[0].row) * _SENTENCES_PER_TIE < min(len(pair.src), len(pair.tgt)):
        parts.append(_paired(pair, (src, tgt, probability), counts))
    every = _Ties(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    return _summed(every, len(pair.tgt) + 1)


def _summed(uncombined: _Ties, wide: int) -> _Ties:
    """Sum the ties of each pair of sentences; return the heaviest ties of each sentence."""
    cell, cell_index = np.unique(uncombined.row * wide + uncombined.column, return_inverse=True)
    sums = np.bincount(cell_index, uncombined.weight, len(cell)).astype(np.float64)
    ties = _Ties(cell // wide, cell % wide, sums)
    # Words that look alike by chance would cause most of the work without giving ties.
    return _heaviest(_heaviest(ties, by_row=True), by_row=False)


def _heaviest(ties: _Ties, *, by_row: bool) -> _Ties:
    """Return the heaviest ties of each row, or of each column."""
    group = ties.row if by_row else ties.column
    order = np.lexsort((-ties.weight, group))
    ordered = group[order]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    heaviest = np.sort(order[rank < _TIES_OF_SENTENCE])
    return _Ties(ties.row[heaviest], ties.column[heaviest], ties.weight[heaviest])


def _linked(lexicons: Sequence[WordPairs]) -> tuple[Ints, Ints, Floats]:
    """Return pairs of words that are probable in both directions, with their probabilities."""
    none = np.zeros(0)
    src = np.concatenate([none, *(one.src for one in lexicons)]).astype(np.int64)
    tgt = np.concatenate([none, *(one.tgt for one in lexicons)]).astype(np.int64)
    both = [np.minimum(one.forward, one.backward) for one in lexicons]
    probability = np.concatenate([none, *both])
    likely = np.flatnonzero(probability >= _LEAST_PROBABILITY)
    src, tgt, probability = src[likely], tgt[likely], probability[likely]
    # A word with an equal counterpart is not tied to similar words.
    for words in (src, tgt):
        best = np.zeros(int(words.max(initial=0)) + 1)
        np.maximum.at(best, words, probability)
        probability = np.where(
            probability >= _LEAST_RELATIVE_PROBABILITY * best[words], probability, 0.0
        )
    likely = np.flatnonzero(probability)
    return src[likely], tgt[likely], probability[likely]


def _counts(side: Side) -> Ints:
    """Return the number of sentences with each word of the vocabulary."""
    return np.bincount(side.ids, minlength=len(side.vocabulary))


class _Places(NamedTuple):
    """For each of some links, the sentences `sentence[begin:begin + number]`."""

    sentence: Ints
    begin: Ints
    number: Ints


def _where(side: Side, words: Ints) -> _Places:
    is_wanted = np.zeros(len(side.vocabulary), dtype=bool)
    is_wanted[words] = True
    occurrences = np.flatnonzero(is_wanted[side.ids])
    sentence = np.searchsorted(side.ptr, occurrences, side="right") - 1
    return _places(side.ids[occurrences].astype(np.int64), sentence, words)


def _places(key: Ints, sentence: Ints, keys_wanted: Ints) -> _Places:
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    begin = np.searchsorted(ordered, keys_wanted)
    number = np.searchsorted(ordered, keys_wanted, side="right") - begin
    return _Places(sentence[order], begin, number)


def _met(src: _Places, tgt: _Places, probability: Floats) -> _Ties:
    """Return all pairs of sentences of linked words; all pairs of a link share its weight."""
    pair_counts = src.number * tgt.number
    link = np.repeat(np.arange(len(pair_counts)), pair_counts)
    inner = np.arange(len(link)) - prefix(pair_counts)[link]
    row = src.sentence[src.begin[link] + inner // tgt.number[link]]
    column = tgt.sentence[tgt.begin[link] + inner % tgt.number[link]]
    # At most as many of these pairs are right as the word has occurrences on a side.
    weight = 2 * probability / np.maximum(np.maximum(src.number, tgt.number), 1)
    return _Ties(row, column, weight[link])


def _paired(
    pair: SentencePair, links: tuple[Ints, Ints, Floats], counts: tuple[Ints, Ints]
) -> _Ties:
    """Return pairs of sentences that share two words, which need not be rare."""
    src, tgt, probability = links
    # Each word has one partner; both are mutually best.
    order = np.argsort(-probability, kind="stable")
    src, tgt = src[order], tgt[order]
    best_src, best_tgt = np.unique(src, return_index=True)[1], np.unique(tgt, return_index=True)[1]
    both = np.intersect1d(best_src, best_tgt)
    src, tgt = src[both], tgt[both]
    # Two words that are a translation of each other have similar counts; very frequent words would
    # pair with all others.
    src_counts, tgt_counts = counts[0][src], counts[1][tgt]
    is_likely = (np.minimum(src_counts, tgt_counts) * 2 >= np.maximum(src_counts, tgt_counts)) & (
        src_counts > 0
    )
    most = _FREQUENT_SHARE * np.array([len(pair.src), len(pair.tgt)])
    is_likely &= (src_counts <= most[0]) & (tgt_counts <= most[1])
    src, tgt, often = src[is_likely], tgt[is_likely], (src_counts + tgt_counts)[is_likely]
    # Linked words have the same number on both sides, so pairs of words can be compared.
    keys = []
    for side, words in ((pair.src, src), (pair.tgt, tgt)):
        number = np.full(len(side.vocabulary), -1)
        number[words] = np.argsort(np.argsort(often, kind="stable"), kind="stable")
        keys.append(_pairs(side, number))
    common = np.intersect1d(keys[0][0], keys[1][0])
    first, second = (_places(key, sentence, common) for key, sentence in keys)
    few = (first.number <= _MOST_RARE_SENTENCES) & (second.number <= _MOST_RARE_SENTENCES)
    first = first._replace(begin=first.begin[few], number=first.number[few])
    second = second._replace(begin=second.begin[few], number=second.number[few])
    return _met(first, second, np.full(int(few.sum()), _PAIR_PROBABILITY))


def _pairs(side: Side, number: Ints) -> tuple[Ints, Ints]:
    """Return keys for two of the rarest words of a sentence, and the sentence of each.

    `number` of a word is the lower the rarer it is, -1 for none.
    """
    at = np.flatnonzero(number[side.ids] >= 0)
    sentence = np.searchsorted(side.ptr, at, side="right") - 1
    wide = int(number.max(initial=0)) + 1
    ordered = np.sort(sentence * wide + number[side.ids[at]])
    sentence, word = ordered // wide, ordered % wide
    keys, places = [], []
    for step in range(1, _COMBINED_WORDS):
        same = np.flatnonzero(sentence[step:] == sentence[:-step])
        rank = same - np.searchsorted(sentence, sentence[same])
        same = same[rank + step < _COMBINED_WORDS]
        keys.append(word[same] * wide + word[same + step])
        places.append(sentence[same])
    return np.concatenate(keys), np.concatenate(places)
