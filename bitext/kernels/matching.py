"""Matchings and clusters.

First the assignment of rows to columns; then the common characters of two texts, in order, and the
points of two sides on a line, each with at most one near point of the other; at last clustering by
complete and average linkage, with the numbers of common features that it starts from.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Bools, Floats, Ints, Rows, matrix_product, prefix, transposed

# Assignment of rows to columns for the largest gain, where few pairs are allowed.
#
# Every row takes one of its allowed columns, or none; a column goes to at most one row. Gains are
# integers of any size, so that lower digits can break ties. Rows are added one at a time, each by
# the best chain of exchanges (Bellman-Ford): O(rows * rows * pairs), for small problems.


def assign(gains: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Return the column of each row that has one, with the largest possible sum of gains.

    `gains` has the gain of each allowed column of each row. A row without a column gains 0.

    Examples
    --------
    >>> assign([{0: 5, 1: 4}, {0: 5}])
    {0: 1, 1: 0}

    """
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for start in range(len(gains)):
        # A chain ends at a row that gives up its column, or at a free column, coded as -1 - column.
        gained, taken_by = {start: 0}, dict[int, tuple[int, int]]()
        waiting = deque([start])
        while waiting:
            row = waiting.popleft()
            for column, gain in gains[row].items():
                if column_of.get(row) == column:
                    continue
                holder = row_of.get(column)
                end = -1 - column if holder is None else holder
                total = gained[row] + gain - (0 if holder is None else gains[holder][column])
                if end not in gained or total > gained[end]:
                    gained[end], taken_by[end] = total, (row, column)
                    if holder is not None:
                        waiting.append(holder)
        end = max(gained, key=gained.__getitem__)
        if end != start:
            column_of.pop(end, None)
        while end != start:
            end, column = taken_by[end]
            column_of[end], row_of[column] = column, end
    return column_of


# Alignment of the characters of two nearly equal texts, in order.

GRAM = 16  # characters of an anchor
_MOST_GAP_SHIFT = 500  # greatest shift of a gap, in characters; set by hand
_SMALL_STRETCH = 2_000  # longest stretch between anchors that is compared in full, in characters

_Block = tuple[int, int, int]


def match_characters(
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    *,
    begins: tuple[Ints, Ints] | None = None,
) -> tuple[Ints, Ints]:
    """Pair the common characters of two texts, in the order of both.

    Texts are arrays of code points; the two results, both ascending, are the positions of the
    matched characters in either text.

    Meant for texts that differ in places, as two extractions of one document do. Stretches of 16
    characters that occur once in either text are anchors. The heaviest ascending chain of anchors
    is extended in both directions, and short stretches between anchors are compared in full. Time
    is linear in the texts except for sorting, and quadratic only in short stretches.

    `begins` has the starts of segments in either text. A stretch that only one text has can often
    be shifted, where its first characters equal those after it; it is then shifted to the start of
    a segment.
    """
    if np.array_equal(first, second):
        all_of_it = np.arange(first.size)
        return all_of_it, all_of_it
    blocks: list[_Block] = []
    done = (0, 0)
    for a, b, length in [*heaviest_chain(_anchors(first, second)), (first.size, second.size, 0)]:
        # An anchor may begin inside the one before, where a text has repetitions.
        overlap = max(done[0] - a, done[1] - b, 0)
        if length and overlap >= length:
            continue
        a, b, length = a + overlap, b + overlap, length - overlap
        blocks.extend(_between(first, second, done, (a, b)))
        blocks.append((a, b, length))
        done = (a + length, b + length)
    none = np.zeros(0, dtype=np.int64)
    pairs = [(np.arange(a, a + n), np.arange(b, b + n)) for a, b, n in blocks if n]
    in_first = np.concatenate([none, *(a for a, _ in pairs)])
    in_second = np.concatenate([none, *(b for _, b in pairs)])
    if begins is not None:
        _settle(first, in_first, in_second, second.size, begins[0])
        _settle(second, in_second, in_first, first.size, begins[1])
    return in_first, in_second


def _settle(
    text: NDArray[np.uint32], matched: Ints, other: Ints, other_size: int, begins: Ints
) -> None:
    """Shift stretches that only this text has, over equal characters, to the starts of segments."""
    after, before = np.append(matched, text.size), np.append(-1, matched)
    alone = np.append(other, other_size) - np.append(-1, other) == 1
    for p in (np.flatnonzero((after - before > 1) & alone) - 1).tolist():
        low = int(matched[p]) + 1 if p >= 0 else 0
        high = int(matched[p + 1]) if p + 1 < matched.size else text.size
        left = _same_run(text, matched, other, p, high - low, -1)
        right = _same_run(text, matched, other, p + 1, low - high, 1)
        shifts = np.arange(-left, right + 1)
        fit = _is_in(low + shifts, begins).astype(int) + _is_in(high + shifts, begins)
        best = int(shifts[np.lexsort((np.abs(shifts), -fit))[0]])
        if best < 0:
            matched[p + 1 + best : p + 1] += high - low
        elif best > 0:
            matched[p + 1 : p + 1 + best] -= high - low


def _same_run(
    text: NDArray[np.uint32], matched: Ints, other: Ints, start: int, offset: int, step: int
) -> int:
    """Return the number of matches in a row, without a gap, that the text repeats at an offset."""
    size = 0
    for k in range(start, start + step * _MOST_GAP_SHIFT, step):
        if not 0 <= k < matched.size or not 0 <= matched[k] + offset < text.size:
            break
        if (matched[k], other[k]) != (matched[start] + step * size, other[start] + step * size):
            break
        if text[matched[k]] != text[matched[k] + offset]:
            break
        size += 1
    return size


def _is_in(values: Ints, ascending: Ints) -> Bools:
    place = np.minimum(np.searchsorted(ascending, values), max(ascending.size - 1, 0))
    return ascending[place] == values if ascending.size else np.zeros(values.size, dtype=bool)


def _anchors(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> list[_Block]:
    """Return the stretches that are unique in both texts, joined along diagonals."""
    if min(first.size, second.size) < GRAM:
        return []
    a, at_a = unique_grams(first)
    b, at_b = unique_grams(second)
    _, in_a, in_b = np.intersect1d(a, b, assume_unique=True, return_indices=True)
    start, other = at_a[in_a], at_b[in_b]
    order = np.argsort(start)
    start, other = start[order], other[order]
    # Digests may collide, so the characters are compared.
    true = np.ones(start.size, dtype=bool)
    for k in range(GRAM):
        true &= first[start + k] == second[other + k]
    start, other = start[true], other[true]
    if not start.size:
        return []
    step = np.flatnonzero((np.diff(start) != 1) | (np.diff(other) != 1))
    begins, ends = np.append(0, step + 1), np.append(step, start.size - 1)
    length = start[ends] - start[begins] + GRAM
    return list(zip(start[begins].tolist(), other[begins].tolist(), length.tolist(), strict=True))


def unique_grams(text: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], Ints]:
    """Return the digests of the stretches of 16 that occur once, and their starts."""
    digest = text.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(0x1234567)
    factor, width = 0xBF58476D1CE4E5B9, 1
    while width < GRAM:
        ahead = digest[width:] ^ (digest[width:] >> np.uint64(29))
        digest = digest[:-width] * np.uint64(factor) + ahead
        factor = factor * factor % 2**64  # a Python integer: a numpy scalar would warn of overflow
        width *= 2
    values, starts, count = np.unique(digest, return_index=True, return_counts=True)
    return values[count == 1], starts[count == 1].astype(np.int64)


def heaviest_chain(blocks: list[_Block]) -> list[_Block]:
    """Return the heaviest chain of blocks that ascends in both texts; blocks ascend in the first.

    A Fenwick tree over the second text stores the best weight of a chain that ends before a place.
    """
    places = sorted(b for _, b, _ in blocks)
    best: list[tuple[int, int]] = [(0, -1)] * (len(places) + 1)
    before: list[int] = []

    def heaviest(node: int) -> tuple[int, int]:
        """Return the weight and the last block of the heaviest chain before a place."""
        weight, last = 0, -1
        while node:
            if best[node][0] > weight:
                weight, last = best[node]
            node -= node & -node
        return weight, last

    for k, (_, b, length) in enumerate(blocks):
        position = bisect_left(places, b)
        # The heaviest chain that ends before this block in the second text is extended by it. Only
        # a heavier chain replaces one in the tree, so ties go to the earlier block.
        weight, last = heaviest(position)
        before.append(last)
        node = position + 1
        while node < len(best):
            if weight + length > best[node][0]:
                best[node] = (weight + length, k)
            node += node & -node
    _, k = heaviest(len(places))
    # Predecessors lead back from the last block of the heaviest chain.
    chain = []
    while k >= 0:
        chain.append(blocks[k])
        k = before[k]
    return chain[::-1]


def longest_ascent(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs that ascend in both numbers.

    The pairs ascend in the first number, and descend in the second where the first is the same.

    Examples
    --------
    >>> longest_ascent([(0, 0), (1, 4), (2, 1), (3, 3)])
    [(0, 0), (2, 1), (3, 3)]

    """
    ends: list[int] = []  # the least second number at which a run of each length ends
    last: list[int] = []  # the pair that has it
    before: list[int] = []
    for k, (_, second) in enumerate(pairs):
        at = bisect_left(ends, second)
        before.append(last[at - 1] if at else -1)
        if at == len(ends):
            ends.append(second)
            last.append(k)
        else:
            ends[at], last[at] = second, k
    chain = []
    k = last[-1] if last else -1
    while k >= 0:
        chain.append(pairs[k])
        k = before[k]
    return chain[::-1]


def _between(
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    start: tuple[int, int],
    end: tuple[int, int],
) -> list[_Block]:
    """Match a stretch between two anchors: from both ends inwards, then in full if short."""
    a, b = first[start[0] : end[0]], second[start[1] : end[1]]
    front = _common(a, b)
    blocks = [(start[0], start[1], front)]
    a, b = a[front:], b[front:]
    back = _common(a[::-1], b[::-1])
    inner_a, inner_b = a[: a.size - back], b[: b.size - back]
    if inner_a.size and inner_b.size and max(inner_a.size, inner_b.size) <= _SMALL_STRETCH:
        matcher = SequenceMatcher(None, inner_a.tolist(), inner_b.tolist(), autojunk=False)
        offset = (start[0] + front, start[1] + front)
        blocks += [
            (m.a + offset[0], m.b + offset[1], m.size) for m in matcher.get_matching_blocks()
        ]
    blocks.append((end[0] - back, end[1] - back, back))
    return blocks


def _common(a: NDArray[np.uint32], b: NDArray[np.uint32]) -> int:
    size = min(a.size, b.size)
    differ = np.flatnonzero(a[:size] != b[:size])
    return int(differ[0]) if differ.size else size


# Matching of the points of two sides on a line, each with at most one near point of the other.
#
# An unmatched point costs the `alone` of its side, and a match at distance d, at most `reach`,
# costs `fixed + slope * d`; all costs are integers. The result is a matching of least cost that
# keeps the order of both sides; among matchings of equal cost, the one with
#
# 1. more matches,
# 2. then the smaller sum of distances,
# 3. then the *leftmost*: the one that matches the first point, from the left, that only one of two
#    matchings leaves alone.
#
# Such a matching has a simple structure. Exchanging crossing matches, or shortening one over an
# unmatched point, costs no more; so no two matches cross, and no unmatched point lies within a
# match. The matched points form *blocks*, runs of neighbours with as many points of one side as of
# the other, and within a block the k-th point of one side is matched with the k-th of the other. A
# block that begins at a point ends where the walk that goes up at points of one side and down at
# points of the other is back for the first time. So a point begins one block or is unmatched, and
# the better choice follows from those of the points to its right. The cost of a block is a
# difference of two running sums.
#
# The line is cut where two neighbours are more than `reach` apart. The parts are processed
# together, in arrays, from their last points to their first; long parts one by one. Time and memory
# are linear in the points, except for sorting, whatever the reach.

_LONG_PART = 100  # points of a part that is processed alone; set by hand
_FORBIDDEN_COST = 1 << 62  # above any sum of costs, which may be added to it

Matches = tuple["Ints", "Ints"]


def pair_off(places: Ints, of_gold: Bools, step: int) -> Matches:
    """Match points of different sides exactly `step` apart, 1 or more, from the left.

    `places` are ascending, each place once; `of_gold` masks the points of gold. Returns the index
    of the left and of the right point of each match, from the left.
    """
    if step == 1:
        left = _every_other(places, of_gold, 1)
        return left, left + 1
    order = np.lexsort((places, places % step))
    firsts = _every_other(places[order], of_gold[order], step)
    left, right = order[firsts], order[firsts + 1]
    by_place = np.argsort(left)
    return left[by_place], right[by_place]


def _every_other(places: Ints, of_gold: Bools, step: int) -> Ints:
    """Return the first of every two neighbours that match, run by run."""
    near = (places[1:] - places[:-1] == step) & (of_gold[1:] != of_gold[:-1])
    links = np.flatnonzero(near)
    if not links.size:
        return links
    begins = np.flatnonzero(np.diff(links, prepend=-2) != 1)
    rank = np.arange(links.size)
    rank -= np.repeat(begins, np.diff(begins, append=links.size))
    return np.asarray(links[rank % 2 == 0])


def match_points(
    places: Ints,
    of_gold: Bools,
    *,
    reach: int,
    alone: tuple[int, int],
    fixed: int,
    slope: int,
    long: int = _LONG_PART,
) -> Matches:
    """Return the matching of least cost; ties as above.

    Points and matches are those of `pair_off`; unrelated lines stand more than `reach` apart, the
    greatest distance of a match. An unmatched point of gold costs `alone[0]`, one of the other side
    `alone[1]`, and a match at distance d costs `fixed + slope * d`. A part of more than `long`
    points is worked on by itself.
    """
    spare = sum(alone) - fixed
    if spare < 0:
        reach = 0
    elif slope:
        reach = min(reach, spare // slope)  # beyond this reach, two unmatched points cost less
    if reach < 1 or places.size < 2:
        none = np.zeros(0, dtype=np.int64)
        return none, none
    if reach == 1:
        return pair_off(places, of_gold, 1)
    bounds = np.concatenate(
        ([0], np.flatnonzero(np.diff(places) > reach) + 1, [places.size])
    ).astype(np.int64)
    length = np.diff(bounds)
    golds = np.diff(prefix(of_gold.astype(np.int64))[bounds])
    live = (golds > 0) & (golds < length)
    matched = np.zeros(places.size, dtype=bool)
    matched[np.repeat(live & (length == 2), length)] = True
    costs = _Costs(reach, alone, fixed, slope)
    for group in (live & (length > 2) & (length <= long), live & (length > long)):
        chosen = np.flatnonzero(np.repeat(group, length))
        if chosen.size:
            parts = _Parts.of(places[chosen], of_gold[chosen], length[group], reach)
            matched[chosen] = parts.matched(costs, long)
    gold, other = np.flatnonzero(matched & of_gold), np.flatnonzero(matched & ~of_gold)
    return np.minimum(gold, other), np.maximum(gold, other)


class _Costs(NamedTuple):
    reach: int
    alone: tuple[int, int]
    fixed: int
    slope: int

    def ranked(self, points: int) -> _Costs:
        """Return the costs with the numbers of matches and the distances in the lower digits."""
        one = points * self.reach + 1
        unit = one * (points + 1)
        gold, other = self.alone
        return _Costs(
            self.reach,
            (gold * unit + one, other * unit + one),
            self.fixed * unit + one,
            self.slope * unit + 1,
        )

    def most(self, points: int) -> int:
        """Return an upper bound of the cost of any matching of `points` points."""
        return points * (max(*self.alone, self.fixed + self.slope * self.reach) + 1)


class _Parts(NamedTuple):
    """Parts of the line as nodes: one before each point, and one at the end of each part."""

    ends: Ints  # the node at the end of each part
    length: Ints  # the number of points of each part
    up: Bools  # whether a point of gold follows the node
    level: Ints  # the level of the walk, from its beginning
    back: Ints  # the next node of the part on the same level; -1 without one
    # The lowest level, on the side of the open points, on which a block over the point may begin:
    # on a lower one, the oldest open point would be out of reach.
    depth: Ints
    place: Ints  # the running sum of places, counted up at gold and down at the others

    @classmethod
    def of(cls, places: Ints, of_gold: Bools, length: Ints, reach: int) -> _Parts:
        """Lay out the points of parts; `length` has the number of points of each."""
        ends = np.cumsum(length + 1) - 1
        nodes = int(ends[-1]) + 1
        before = np.ones(nodes, dtype=bool)
        before[ends] = False
        node = np.flatnonzero(before)
        sign = np.where(of_gold, 1, -1)
        first = np.cumsum(length) - length

        def running(steps: Ints) -> Ints:
            """Return the sums before each node, from 0 in each part."""
            total = prefix(steps)
            sums = np.empty(nodes, dtype=np.int64)
            sums[node] = total[:-1]
            sums[ends] = total[first + length]
            return np.asarray(sums - np.repeat(total[first], length + 1))

        level = running(sign)
        key = np.repeat(np.arange(length.size), length + 1) * (2 * int(length.max()) + 1) + level
        order = np.argsort(key, kind="stable")
        key = key[order]
        back = np.full(nodes, -1)
        again = key[1:] == key[:-1]
        back[order[:-1][again]] = order[1:][again]
        up = np.zeros(nodes, dtype=bool)
        up[node] = of_gold
        # The number of points of the other side within reach on the left.
        gold, other = places[of_gold], places[~of_gold]
        near = np.empty(places.size, dtype=np.int64)
        for own_points, other_points, where in ((gold, other, of_gold), (other, gold, ~of_gold)):
            near[where] = np.searchsorted(other_points, own_points) - np.searchsorted(
                other_points, own_points - reach
            )
        depth = np.full(nodes, _FORBIDDEN_COST)
        depth[node] = -sign * level[node] - near
        relative = places - np.repeat(places[first], length)
        return cls(ends, length, up, level, back, depth, running(sign * relative))

    def matched(self, costs: _Costs, long: int) -> Bools:
        """Mark the matched points."""
        points = int(self.length.max())
        ranked = costs.ranked(points)
        small = points <= long and ranked.most(points) < _FORBIDDEN_COST
        block_begins = self._taken_together(ranked) if small else self._taken_one_by_one(ranked)
        inside = np.zeros(self.up.size + 1, dtype=np.int64)
        inside[block_begins] += 1
        inside[self.back[block_begins]] -= 1
        before = np.ones(self.up.size, dtype=bool)
        before[self.ends] = False
        covered = np.cumsum(inside[:-1]) > 0
        return np.asarray(covered[before])

    def _taken_together(self, costs: _Costs) -> Ints:
        """Return the nodes at which a block begins, for all parts together, one point at a time."""
        by_length = np.argsort(-self.length, kind="stable")
        ends, length = self.ends[by_length], self.length[by_length]
        nodes = self.up.size
        # One more node, for blocks that never end.
        best = np.full(nodes + 1, _FORBIDDEN_COST)
        best[ends] = 0
        highest = np.full((2, nodes + 1), _FORBIDDEN_COST)
        is_taken = np.zeros(nodes, dtype=bool)
        alone = np.array([costs.alone[1], costs.alone[0]])
        for back in range(1, int(length[0]) + 1):
            t = ends[: np.searchsorted(-length, -back, side="right")] - back
            up, again = self.up[t].astype(np.int64), self.back[t]
            level = self.level[t]
            opening_row = 1 - up  # row 0: blocks that gold opens
            inner = highest[opening_row, t + 1]
            highest[opening_row, t] = np.maximum(inner, highest[opening_row, again])
            highest[up, t] = self.depth[t]
            whole = (again >= 0) & (inner <= np.where(up == 1, level, -level))
            apart = np.abs(self.place[again] - self.place[t])
            cost = (again - t) // 2 * costs.fixed + apart * costs.slope
            block = np.where(whole, cost + np.where(whole, best[again], 0), _FORBIDDEN_COST)
            left = best[t + 1] + alone[up]
            best[t] = np.minimum(block, left)
            is_taken[t] = block <= left
        begins = []
        t = ends - length
        while t.size:
            begins.append(t[is_taken[t]])
            t = np.where(is_taken[t], self.back[t], t + 1)
            ends = ends[: t.size]
            going = t < ends
            t, ends = t[going], ends[going]
        return np.concatenate(begins)

    def _taken_one_by_one(self, costs: _Costs) -> Ints:
        """Return the same for one part, in integers of any size."""
        up, level, back = self.up.tolist(), self.level.tolist(), self.back.tolist()
        depth, place = self.depth.tolist(), self.place.tolist()
        nodes = len(up)
        best = [0] * nodes
        is_taken = [False] * nodes
        above, below = [_FORBIDDEN_COST] * (nodes + 1), [_FORBIDDEN_COST] * (nodes + 1)
        begins = []
        for end, length in zip(self.ends.tolist(), self.length.tolist(), strict=True):
            # From the last point to the first: the cheapest way is to leave point t alone, or to
            # match the block from t to the next node of its level, if all points within have
            # partners in reach.
            for t in range(end - 1, end - length - 1, -1):
                again = back[t]
                same_costs, other_costs = (above, below) if up[t] else (below, above)
                inner = same_costs[t + 1]
                same_costs[t] = max(inner, same_costs[again])
                other_costs[t] = depth[t]
                left = best[t + 1] + costs.alone[0 if up[t] else 1]
                if again >= 0 and inner <= (level[t] if up[t] else -level[t]):
                    apart = abs(place[again] - place[t])
                    block = (again - t) // 2 * costs.fixed + apart * costs.slope + best[again]
                    is_taken[t] = block <= left
                    left = min(block, left)
                best[t] = left
            t = end - length
            while t < end:
                if is_taken[t]:
                    begins.append(t)
                    t = back[t]
                else:
                    t += 1
        return np.array(begins, dtype=np.int64)


# Complete-link clustering: each step joins the two groups whose least similar members are most
# similar, while this similarity is at least a threshold. Ties go to the pair with the earliest
# member of all, then to the one whose other group has the earliest member. A group takes the row of
# its earliest member. A join can only lower similarities to the new group, so each row keeps its
# best neighbour to the right until this neighbour is joined. Memory is the table; time is about its
# size, at worst its size times the items.

_REMOVED = -1.0  # in place of similarities, which are not below 0


def complete_link(similarity: Floats, *, threshold: float) -> Ints:
    """Cluster items by complete linkage; return the earliest member of the group of each item.

    `similarity`, of shape (items, items), is 0 or more; only the values right of the diagonal
    count, and the array is overwritten. Two members of a group have a similarity of `threshold` at
    least, which is above 0.
    """
    similarity[np.tri(len(similarity), dtype=bool)] = _REMOVED
    return _linked(similarity, np.minimum, threshold=threshold)


def average_link(similarity: Floats, *, threshold: float, groups: int | None = None) -> Ints:
    """Cluster items by average linkage; return the earliest member of the group of each item.

    Each step joins the two groups whose members are most similar on average, ties as for
    `complete_link`, until no mean is at least `threshold`; or, if `groups` is given, until there
    are so many groups, 1 or more. `similarity`, of shape (items, items), is 0 or more; only the
    values right of the diagonal count.

    The mean for a joined group lies between those of its parts, so each row keeps its best
    neighbour here, too. Sums are exact if the similarities are multiples of a power of 2.
    """
    # Sums over pairs of members.
    total = np.where(np.tri(len(similarity), dtype=bool), _REMOVED, similarity)
    return _linked(total, np.add, threshold=threshold, groups=groups, mean=True)


def _linked(
    table: Floats,
    joined: np.ufunc,
    *,
    threshold: float,
    groups: int | None = None,
    mean: bool = False,
) -> Ints:
    """Join the two most similar groups, and their values in the table, until none are similar.

    With `mean` the values are sums over pairs of members, which are compared by their means.
    """
    count = len(table)
    group = np.arange(count)
    if count < 2:
        return group
    size = np.ones(count)
    best = table.argmax(axis=1)
    value = table[group, best]
    for left in range(count, 1, -1):
        one = int(value.argmax())
        if left <= groups if groups is not None else not value[one] >= threshold:
            break
        # The joined group has the row and column of `one`, which is the earlier; only the values
        # right of the diagonal count.
        other = int(best[one])
        table[:one, one] = joined(table[:one, one], table[:one, other])
        between = slice(one + 1, other)
        table[one, between] = joined(table[one, between], table[between, other])
        table[one, other + 1 :] = joined(table[one, other + 1 :], table[other, other + 1 :])
        size[one] += size[other]
        table[:, other] = _REMOVED
        table[other] = _REMOVED
        value[other] = _REMOVED
        group[group == other] = one
        # Rows whose best neighbour was one of the two look for another.
        stale = np.flatnonzero(((best == one) | (best == other)) & (value > _REMOVED))
        stale = np.append(stale, one)
        similar = table[stale] / (size[stale, None] * size) if mean else table[stale]
        best[stale] = similar.argmax(axis=1)
        value[stale] = similar[np.arange(len(stale)), best[stale]]
    return group


_COMMON_ITEMS = 32  # items with a feature above which a product of matrices is faster; set by hand
_CELLS_AT_ONCE = 1 << 21  # pairs or cells in memory at a time; set by hand: 16 MB


def shared_features(
    items: Rows, *, common: int = _COMMON_ITEMS, at_once: int = _CELLS_AT_ONCE
) -> NDArray[np.int32]:
    """Return the number of common features of every two items.

    Row k of `items` has the features of item k, as numbers from 0. The result, of shape
    (items, items), is symmetric; the diagonal has the number of features of each item.

    Features of at most `common` items are counted for each pair of their items, frequent ones by a
    product of matrices. Memory grows with the square of the items; `at_once` bounds the rest: the
    pairs or cells that are laid out together.
    """
    count = len(items.ptr) - 1
    holders = transposed(items, int(items.idx.max(initial=-1)) + 1)
    times = holders.lengths
    common_counts = np.zeros((count, count), dtype=np.int32)
    flat = common_counts.reshape(-1)
    for size in np.unique(times[(times > 1) & (times <= common)]).tolist():
        group = holders.idx[holders.ptr[:-1][times == size][:, None] + np.arange(size)]
        # Features with as many items are laid out together: each pair of items is a cell.
        one, other = np.triu_indices(size, 1)
        step = max(1, at_once // len(one))
        for lo in range(0, len(group), step):
            keys = group[lo : lo + step, one] * count + group[lo : lo + step, other]
            pair_keys, counts = np.unique(keys, return_counts=True)
            flat[pair_keys] += counts.astype(np.int32)
    common_counts += common_counts.T
    # Frequent features as columns of 0 and 1, whose product counts all pairs at once.
    often = np.flatnonzero(times > common)
    step = max(1, at_once // max(count, 1))
    for lo in range(0, len(often), step):
        chosen = often[lo : lo + step]
        table = np.zeros((count, len(chosen)), dtype=np.float32)
        for column, feature in enumerate(chosen.tolist()):
            table[holders.row(feature), column] = 1
        for row in range(0, count, step):
            part = matrix_product(table[row : row + step], table.T)
            common_counts[row : row + step] += part.astype(np.int32)
    np.fill_diagonal(common_counts, items.lengths)
    return common_counts
