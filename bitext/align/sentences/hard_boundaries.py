"""Hard boundaries: points that every path goes through, for example between paragraphs.

Paragraphs (or chapters, or pages) are aligned before sentences, by their lengths and by the anchors
inside them. A hard boundary is a point between two beads of paragraphs that both have a high
posterior. If both texts have the same number of paragraphs, each paragraph is matched with the
paragraph of the same number, except where another alignment scores clearly better: one paragraph
may be divided in one text while two others are joined.

If few beads reach the threshold, the paragraphs of the two texts do not correspond, and there are
no hard boundaries. Pages do not correspond either, but are about equally long in any two texts. So
sentences are aligned by their lengths, once with the boundaries and once without. If the second
path is clearly better at half of the boundaries, there are none.

The second chapter sets aside empty sentences that separate nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bitext.align.sentences.bead_types import letters_by_part
from bitext.align.sentences.cleaning import is_empty
from bitext.align.sentences.corridor import Anchors, Corridor
from bitext.align.sentences.evidence import FREEDOM, LEAST_SPREAD, UNIT, LengthEvidence, LengthModel
from bitext.align.sentences.lockstep import alone
from bitext.align.sentences.search import (
    BandedSearch,
    BandScores,
    best_along,
    posteriors_along,
)
from bitext.align.sentences.seed_stretches import narrowed
from bitext.align.sentences.texts import SentencePair
from bitext.errors import InputError
from bitext.kernels.arrays import Bools, Floats, Ints, Singles, prefix
from bitext.kernels.bead_path import Band, BeadPath
from bitext.lazy import late_pattern
from bitext.model import Alignment, Segmentation, Text

# Set by hand. Change of F1 if halved and if doubled, mean of nine cases of paragraphs that
# correspond or not (alignment_constants.md): _LEAST_POSTERIOR -.085 and 0, _LEAST_BOUNDARY_SHARE
# -.006 and 0, _VARIANCE 0 and 0, _ANCHOR_SCORE +.002 and 0. The others move no bead.
_COLUMNS_BESIDE = 8  # columns searched beside a part, so that its path is not near an edge
# Natural logarithm: score of a bead across a boundary, below that of any other
_FORBIDDEN_LOG = -2e4
# Types of beads of paragraphs, and of sentences where boundaries are checked
_BEADS = ((1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (3, 1), (1, 3))
_CHANCES = np.log([0.8, 0.03, 0.03, 0.05, 0.05, 0.02, 0.02])  # priors of these
_LEAST_POSTERIOR = 0.95  # least posterior of two beads of paragraphs with a boundary between them
# Natural logarithm: least lead of another path over that by numbers of paragraphs
_LEAST_LEAD = 2.0
# Least share of paragraphs with a boundary; with fewer they do not correspond
_LEAST_BOUNDARY_SHARE = 0.4
# Letters: variance of the length of a paragraph for each letter, above that of a sentence
_VARIANCE = 8.0
_ANCHOR_SCORE = 2.0  # natural logarithm: score of each anchor, up to three, between two paragraphs
# Paragraphs from the diagonal that are searched, beside a tenth of all: bounds time
_DIAGONAL_WIDTH = 40
_NONE = np.zeros(0, dtype=np.int64)
# Points of a table, above which it is narrowed by blocks: bounds time and memory
_CELLS = 8_000_000
_MANY_PARAGRAPHS = 4000  # paragraphs, above which anchors narrow the table: bounds time and memory
# Natural logarithm: least gain of a path without boundaries for each boundary that it crosses, the
# odds of the least posterior
_LEAST_GAIN = 3.0
# Least share of such boundaries in texts whose paragraphs do not correspond
_LEAST_CONTRADICTED_SHARE = 0.5
_FEWEST_SENTENCES = 20  # sentences of a side, fewer of which contradict no boundary
_MOST_BESIDE = 100  # columns beside a boundary in which this path is searched: bounds time
_MOST_POINTS_BESIDE = 1_000_000  # points of this search, above which boundaries stay: bounds time
_POSTERIOR_REACH = 10  # paragraphs from the path over which posteriors are summed: bounds time


class HardBoundaries(NamedTuple):
    """Points that every path goes through."""

    # `row`, `column`: neither descends, and at least one increases from point to point. The first
    # point is (0, 0), and the last is the opposite corner of the table; shape (points,).
    row: Ints
    column: Ints

    def narrowed(self, corridor: Corridor) -> Corridor:
        """Narrow a corridor to the parts between boundaries, with a margin of a few columns."""
        every = np.arange(corridor.rows + 1)
        before = np.maximum(np.searchsorted(self.row, every, side="left") - 1, 0)
        after = np.minimum(np.searchsorted(self.row, every, side="right"), len(self.row) - 1)
        low, high = self.column[before] - _COLUMNS_BESIDE, self.column[after] + _COLUMNS_BESIDE
        low, high = np.maximum(low, corridor.lo), np.minimum(high, corridor.hi)
        apart = low > high
        low[apart] = self.column[before][apart] - _COLUMNS_BESIDE
        high[apart] = self.column[after][apart] + _COLUMNS_BESIDE
        # The boundaries themselves are searched even where the corridor does not contain them.
        np.minimum.at(low, self.row, self.column - _COLUMNS_BESIDE)
        np.maximum.at(high, self.row, self.column + _COLUMNS_BESIDE)
        return Corridor.between(low, high, corridor.columns)

    def block(self, beads: Sequence[tuple[int, int]], first: int, last: int, band: Band) -> Singles:
        """Score beads within one part as 0, and beads across a boundary as -20,000.

        Scores are natural logarithms, of shape (beads, last - first, width), for the half-open
        range of rows of the table.
        """
        row = np.arange(first, last)[:, None]
        column = band.lo[first:last, None] + np.arange(band.width)
        out = np.zeros((len(beads), last - first, band.width), dtype=np.float32)
        last_row, last_column = int(self.row[-1]), int(self.column[-1])
        for k, (a, b) in enumerate(beads):
            # A bead ends in the part of its last source sentence; without a source side, in the
            # part of its last target sentence.
            if a:
                part = np.searchsorted(self.row, np.clip(row, 1, last_row), side="left")
            else:
                part = np.searchsorted(self.column, np.clip(column, 1, last_column), side="left")
            top, bottom = self.row[part - 1], self.row[part]
            left, right = self.column[part - 1], self.column[part]
            inside = (row - a >= top) & (row <= bottom) & (column - b >= left) & (column <= right)
            out[k] = np.where(inside, 0.0, _FORBIDDEN_LOG)
        return out


def hard_boundaries_of(pair: SentencePair, anchors: Anchors | None = None) -> HardBoundaries | None:
    """Return the boundaries between corresponding paragraphs of two texts.

    Anchors are pairs of sentences that are likely translations; pairs of paragraphs with anchors in
    common score higher. The result is None if a text has fewer than two paragraphs, or if the
    paragraphs of the two texts do not correspond.

    Examples
    --------
    >>> from bitext.align.sentences.texts import SentencePair
    >>> from bitext.model import Segmentation, Text
    >>> src = Text(["One.", "Two.", "Three."], paragraphs=Segmentation([2, 1]))
    >>> tgt = Text(["Un.", "Trois."], paragraphs=Segmentation([1, 1]))
    >>> found = hard_boundaries_of(SentencePair(src, tgt))
    >>> found.row.tolist(), found.column.tolist()
    ([0, 2, 3], [0, 1, 2])

    """
    sides = pair.src.text.paragraphs, pair.tgt.text.paragraphs
    if sides[0] is None or sides[1] is None or min(len(sides[0]), len(sides[1])) < 2:
        return None
    src = np.append(0, np.cumsum(sides[0].masses))
    tgt = np.append(0, np.cumsum(sides[1].masses))
    letters = [
        np.add.reduceat(side.letters, ends[:-1])
        for side, ends in ((pair.src, src), (pair.tgt, tgt))
    ]
    known = anchors or Anchors(_NONE, _NONE, 1.0)
    row, column = paragraph_points(
        letters[0],
        letters[1],
        np.searchsorted(src, known.row, side="right") - 1,
        np.searchsorted(tgt, known.column, side="right") - 1,
    )
    if not are_enough(len(row), *letters):
        return None
    boundaries = HardBoundaries(src[row], tgt[column])
    return None if _are_contradicted(pair, boundaries) else boundaries


def _are_contradicted(pair: SentencePair, boundaries: HardBoundaries) -> bool:
    """Judge whether the lengths of sentences fit clearly better without most of the boundaries."""
    rows, columns = len(pair.src), len(pair.tgt)
    inner = boundaries.row[1:-1], boundaries.column[1:-1]
    if min(rows, columns) < _FEWEST_SENTENCES or not len(inner[0]):
        return False
    # The path that is right goes at most a part of the texts beside the boundaries.
    sizes = np.maximum(np.diff(boundaries.row), np.diff(boundaries.column))
    margin = np.minimum(np.maximum(sizes[1:], sizes[:-1]), _MOST_BESIDE)
    around = Corridor.around(*inner, rows=rows, columns=columns, margin=margin)
    if around.cells > _MOST_POINTS_BESIDE:
        return False
    model = LengthModel.first(pair.src.letters, pair.tgt.letters)
    lengths = LengthEvidence(_BEADS, pair.src.letters, pair.tgt.letters, model)

    def free(first: int, last: int, band: Band) -> Ints:
        scores = lengths.block(first, last, band) + _CHANCES[:, None, None]
        result: Ints = np.rint(scores * UNIT).astype(np.int64)
        return result

    def bound(first: int, last: int, band: Band) -> Ints:
        within = boundaries.block(_BEADS, first, last, band) * UNIT
        return free(first, last, band) + within.astype(np.int64)

    paths = (
        best_along(_BEADS, free, around),
        best_along(_BEADS, bound, boundaries.narrowed(around)),
    )
    # Both paths are compared between the points that they have in common.
    ends = [np.append(0, path.row) * (columns + 1) + np.append(0, path.column) for path in paths]
    common = np.intersect1d(*ends)
    gain = np.zeros(len(common) - 1, dtype=np.int64)
    for path, own_ends, sign in zip(paths, ends, (1, -1), strict=True):
        sums = _sums(path, free, rows, columns)
        gain += sign * np.diff(sums[np.searchsorted(own_ends, common)])
    # A boundary off the free path is contradicted if the stretch around it gains enough for each
    # boundary in it.
    points = inner[0] * (columns + 1) + inner[1]
    after = np.searchsorted(common, points)
    crossed = common[after] != points
    stretch = np.maximum(after - 1, 0)
    number = np.bincount(stretch[crossed], minlength=len(gain))
    contradicted = crossed & (gain > _LEAST_GAIN * UNIT * number)[stretch]
    return bool(contradicted.mean() >= _LEAST_CONTRADICTED_SHARE)


def are_enough(points: int, src: Floats, tgt: Floats) -> bool:
    """Judge whether the points are enough for paragraphs that correspond.

    `points` is the number of points that `paragraph_points` returns; `src` and `tgt` have the
    lengths of the paragraphs.
    """
    return points - 1 >= _LEAST_BOUNDARY_SHARE * min(len(src), len(tgt))


def paragraph_points(
    src: Floats, tgt: Floats, row: Ints = _NONE, column: Ints = _NONE
) -> tuple[Ints, Ints]:
    """Align paragraphs; return the points between beads with a high posterior.

    Raises `InputError` if a side has no paragraphs.

    `src` and `tgt` have the lengths of the paragraphs, above 0; `row` and `column` the source and
    the target paragraph of each anchor, by default no anchors. The first point of the table of
    paragraphs is (0, 0), and the last is the opposite corner.
    """
    rows, columns = len(src), len(tgt)
    if not rows or not columns:
        raise InputError(f"{rows} and {columns} paragraphs: want one or more a side")
    lengths = _Paragraphs(src, tgt, row, column)
    corridor = _corridor(rows, columns, row, column)
    if corridor.cells > _CELLS:
        corridor = narrowed(corridor, src, tgt)
    path = best_along(_BEADS, lengths.scores, corridor)
    reach = _POSTERIOR_REACH
    posteriors = alone(
        posteriors_along(
            *(_BEADS, lengths.scores, path), rows=rows, columns=columns, reach=reach, unit=UNIT
        )
    )
    # A point lies between two adjacent beads above the threshold. A bead with an empty side makes
    # none, because its place among its neighbours is arbitrary.
    numbers = np.array(_BEADS)[path.kinds]
    good = (posteriors >= _LEAST_POSTERIOR) & (numbers > 0).all(axis=1)
    between = good[:-1] & good[1:]
    row_of, column_of = path.row[:-1][between], path.column[:-1][between]
    if rows == columns:
        same = _same_numbers(path, lengths, rows)
        others = ~same[row_of]
        diagonal = np.flatnonzero(same)[1:-1]
        row_of = np.concatenate([row_of[others], diagonal])
        column_of = np.concatenate([column_of[others], diagonal])
        order = np.argsort(row_of, kind="stable")
        row_of, column_of = row_of[order], column_of[order]
    return np.concatenate([[0], row_of, [rows]]), np.concatenate([[0], column_of, [columns]])


def _corridor(rows: int, columns: int, row: Ints, column: Ints) -> Corridor:
    """Return a corridor around the diagonal, or around the anchors where texts are long."""
    at, to = np.array([0, rows]), np.array([0, columns])
    if max(rows, columns) > _MANY_PARAGRAPHS and len(row):
        known, first = np.unique(row, return_index=True)
        inside = (known > 0) & (known < rows)
        at = np.concatenate([[0], known[inside], [rows]])
        to = np.concatenate([[0], np.maximum.accumulate(column[first])[inside], [columns]])
    every = np.arange(rows + 1)
    down, across = np.diff(at), np.diff(to)
    part = np.minimum(np.searchsorted(at, every, side="right"), len(down)) - 1
    around = _DIAGONAL_WIDTH + np.maximum(down, across)[part] // 10
    middle = to[part] + (every - at[part]) * across[part] // down[part]
    low, high = np.minimum(middle - around, columns), np.minimum(middle + around, columns)
    return Corridor.between(low, high, columns)


def _same_numbers(path: BeadPath, lengths: _Paragraphs, paragraphs: int) -> Bools:
    """Mark the points (k, k), k = 0 ... paragraphs, at which paragraphs are matched by number.

    Points on the path are marked, and all points between two of them where the diagonal scores at
    most `_LEAST_LEAD` less than the path.
    """
    every = np.arange(1, paragraphs + 1)
    by_number = BeadPath(0, np.zeros(paragraphs, dtype=np.int64), every, every, 0.5)
    own, other = (_sums(one, lengths.scores, paragraphs, paragraphs) for one in (path, by_number))
    row, column = np.append(0, path.row), np.append(0, path.column)
    on_diagonal = np.flatnonzero(row == column)
    at = row[on_diagonal]
    loss = np.diff(own[on_diagonal]) - np.diff(other[at])
    # The loss from one common point to the next decides for all points between the two.
    similar = np.repeat(loss < _LEAST_LEAD * UNIT, np.diff(at))
    out = np.append(similar, True)
    out[at] = True
    return out


def _sums(path: BeadPath, scores: BandScores, rows: int, columns: int) -> Ints:
    """Return the score of the first 0, 1, ... beads of a path."""
    corridor = Corridor.around(path.row, path.column, rows=rows, columns=columns, margin=0)
    return np.append(0, np.cumsum(BandedSearch(_BEADS, scores, corridor).of(path)))


def _alone(lengths: Floats) -> Floats:
    """Return the log density of each length under a log-normal distribution fitted to all."""
    logs = np.log(lengths)
    mean, spread = float(logs.mean()), max(float(logs.std()), LEAST_SPREAD)
    density: Floats = -logs - np.log(spread) - ((logs - mean) / spread) ** 2 / 2
    return density


class _Paragraphs:
    """Scores of beads of paragraphs, from lengths and anchors."""

    def __init__(self, src: Floats, tgt: Floats, row: Ints, column: Ints) -> None:
        # Lengths are scaled to the geometric mean of both texts, so that exchanging source and
        # target changes nothing.
        unit = float(np.sqrt(tgt.sum() / src.sum()))
        sides = src * unit, tgt / unit
        self.src, self.tgt = (prefix(side) for side in sides)
        self.alone = [prefix(_alone(side)) for side in sides]
        self.wide = len(tgt)
        self.cells, self.times = np.unique(row * self.wide + column, return_counts=True)

    def scores(self, first: int, last: int, band: Band) -> Ints:
        """Return the scores of the beads that end in rows `first` to `last` of a band."""
        row = np.arange(first, last)
        column = band.lo[first:last, None] + np.arange(band.width)
        ends = np.clip(column, 0, self.wide)
        out = np.empty((len(_BEADS), *column.shape))
        for k, (a, b) in enumerate(_BEADS):
            out[k] = _CHANCES[k]
            if not (a and b):
                continue
            begins = np.clip(column - b, 0, self.wide)
            src_length = (self.src[row] - self.src[np.maximum(row - a, 0)])[:, None]
            tgt_length = self.tgt[ends] - self.tgt[begins]
            variance = _VARIANCE * (src_length + tgt_length) / 2 + 1.0
            fit = np.log1p((tgt_length - src_length) ** 2 / variance / FREEDOM)
            out[k] -= (FREEDOM + 1) / 2 * fit + np.log(variance) / 2
            # The null model: each side by itself, divided into `a` (or `b`) paragraphs anywhere.
            above = self.alone[0][row] - self.alone[0][np.maximum(row - a, 0)]
            beside = self.alone[1][ends] - self.alone[1][begins]
            out[k] -= (above[:, None] + (a - 1) * np.log(src_length + 1.0)) / 2
            out[k] -= (beside + (b - 1) * np.log(tgt_length + 1.0)) / 2
            for up in range(1, a + 1):
                for back in range(1, b + 1):
                    out[k] += _ANCHOR_SCORE * np.minimum(self._shared(row - up, column - back), 3)
        return np.rint(out * UNIT).astype(np.int64)

    def _shared(self, row: Ints, column: Ints) -> Ints:
        """Count the anchors between each pair of paragraphs."""
        if not len(self.cells):
            return np.zeros(column.shape, dtype=np.int64)
        inside = (row >= 0)[:, None] & (column >= 0) & (column < self.wide)
        cell = np.where(inside, row[:, None] * self.wide + column, -1)
        at = np.minimum(np.searchsorted(self.cells, cell), len(self.cells) - 1)
        return np.where(self.cells[at] == cell, self.times[at], 0)


# Empty sentences that separate nothing are removed before alignment and restored after it.
#
# Empty lines between paragraphs are evidence if both texts have them; so are lines with nothing but
# tags, and lines that repeat one character (`* * *`). If only one text has empty lines, or if they
# follow every sentence (a double-spaced text) or mark pages, they have no counterpart in the other
# text, and they distort the number of sentences.

# Set by hand: halving or doubling moves no bead (alignment_constants.md, which has a double-spaced
# text).
_COMPARED_PARAGRAPHS = 400  # paragraphs compared: bounds time
_EVERY_SHARE = 0.98  # share of sentences followed by an empty one: then these separate nothing
_LINE = late_pattern(r"\s*([-*_=~#+•·–—＊※◆◇])(?:\s*\1)+\s*")  # `* * *`, `-----`, `※※※`


class Filled(NamedTuple):
    """An alignment of whole texts, after empty sentences were restored."""

    alignment: Alignment
    aligned: Bools  # false for beads of restored empty sentences only; shape (beads,)


class SetAside(NamedTuple):
    """The empty sentences removed from two texts."""

    # Positions of the remaining sentences in the whole texts, source and target.
    places: tuple[Ints, Ints]
    sizes: tuple[int, int]  # number of sentences of the whole texts

    def put_back(self, found: Alignment) -> Filled:
        """Restore the empty sentences in an alignment.

        An empty sentence between two sentences of the same bead becomes part of the bead. Empty
        sentences between two beads are aligned one to one as far as both texts have some there; the
        others are left unaligned. These new beads have score 1.

        `found` aligns the texts without their empty sentences, in order and without gaps.
        """
        spans = [
            _spans(rows.ptr, places)
            for rows, places in zip((found.src, found.tgt), self.places, strict=True)
        ]
        # The number of empty sentences before each bead and after the last, on each side.
        left = [
            np.append(begin, size) - np.append(0, end)
            for (begin, end), size in zip(spans, self.sizes, strict=True)
        ]
        more = np.maximum(*left)
        before = np.cumsum(more)
        total = len(found) + int(before[-1])
        aligned = np.zeros(total, dtype=bool)
        aligned[np.arange(len(found)) + before[:-1]] = True
        # New beads are numbered from 0 within each gap.
        number = np.arange(int(before[-1])) - np.repeat(before - more, more)
        rows = []
        for (begin, end), few in zip(spans, left, strict=True):
            masses = np.zeros(total, dtype=np.int64)
            masses[aligned] = end - begin
            masses[~aligned] = number < np.repeat(few, more)
            rows.append((np.append(0, np.cumsum(masses)), np.arange(int(masses.sum()))))
        scores = None
        if found.scores is not None:
            scores = np.ones(total)
            scores[aligned] = found.scores
        return Filled(Alignment.from_arrays(rows[0], rows[1], scores=scores), aligned)


def without_empty(src: Text, tgt: Text) -> tuple[Text, Text, SetAside | None]:
    """Remove empty sentences from two texts, unless they separate corresponding paragraphs.

    A sentence is empty if it has no visible character, if it consists of tags, or if it repeats one
    dividing character (`* * *`, `-----`). Empty sentences stay if they divide both texts into
    paragraphs that correspond by their lengths, and if at least some of these have more than one
    sentence. They also stay if one of the texts has no other sentences. The third result is None if
    nothing was removed.

    Examples
    --------
    >>> src, tgt, aside = without_empty(Text(["A.", "", "B.", "", "C."]), Text(["A.", "B. C."]))
    >>> list(src.segments()), aside.places[0].tolist()
    (['A.', 'B.', 'C.'], [0, 2, 4])

    """
    seen = _visible(src), _visible(tgt)
    if all(side.all() for side in seen) or not all(side.any() for side in seen):
        return src, tgt, None
    if max(map(_between, seen)) < _EVERY_SHARE:
        letters = _paragraphs(src, seen[0]), _paragraphs(tgt, seen[1])
        if min(map(len, letters)) > 1 and are_enough(len(paragraph_points(*letters)[0]), *letters):
            return src, tgt, None
    places = np.flatnonzero(seen[0]), np.flatnonzero(seen[1])
    return _some(src, places[0]), _some(tgt, places[1]), SetAside(places, (len(src), len(tgt)))


def _visible(text: Text) -> Bools:
    """Mark the sentences that are not empty; mark all if only their ids are known."""
    if not text.has_text:
        return np.ones(len(text), dtype=bool)
    return ~np.fromiter(map(_is_empty, text.segments()), dtype=bool, count=len(text))


def _is_empty(sentence: str) -> bool:
    if sentence[:1].isalnum():  # as most are
        return False
    return is_empty(sentence) or _LINE.fullmatch(sentence) is not None


def _paragraphs(text: Text, visible: Bools) -> Floats:
    """Return the lengths of the first paragraphs, in letters."""
    places = np.flatnonzero(visible)
    begins = places[np.diff(places, prepend=-2) > 1]
    end = int(begins[_COMPARED_PARAGRAPHS]) if len(begins) > _COMPARED_PARAGRAPHS else len(text)
    letters = np.concatenate(list(letters_by_part(text.segments(0, end))))
    return np.add.reduceat(letters, begins[:_COMPARED_PARAGRAPHS])


def _between(visible: Bools) -> float:
    """Return the share of adjacent non-empty sentences that are separated by an empty one."""
    steps = np.diff(np.flatnonzero(visible))
    return float((steps > 1).mean()) if len(steps) else 0.0


def _spans(ptr: Ints, places: Ints) -> tuple[Ints, Ints]:
    """Return the begins and ends of the beads of one side, in positions of the whole text.

    A bead that is empty on this side begins and ends where the previous bead ends.
    """
    has = ptr[1:] > ptr[:-1]
    end = np.zeros(len(has), dtype=np.int64)
    end[has] = places[ptr[1:][has] - 1] + 1
    end = np.maximum.accumulate(end)
    begin = np.append(0, end[:-1])
    begin[has] = places[ptr[:-1][has]]
    return begin, end


def _some(text: Text, places: Ints) -> Text:
    """Return a text with the sentences at the given positions of another text."""
    if len(places) == len(text):
        return text
    sentences: Sequence[str] = list(text.segments())
    paragraphs = text.paragraphs
    if paragraphs is not None:
        number = np.repeat(np.arange(len(paragraphs)), paragraphs.masses)[places]
        masses = np.bincount(number)
        paragraphs = Segmentation(masses[masses > 0])
    return Text(
        [sentences[k] for k in places.tolist()],
        name=text.name,
        lang=text.lang,
        paragraphs=paragraphs,
        times=None if text.times is None else text.times[places],
    )
