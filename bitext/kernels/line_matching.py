"""Match the points of two sides on a line: each with at most one of the other side, near it.

A point that is left alone costs `alone` of its side, and a match at distance d, at most `reach`,
costs `fixed + slope * d`, all of them integers. The answer is a matching of least cost that keeps
the order of both sides; among those of equal cost the one with

1. more matches,
2. then the smaller sum of distances,
3. then the *leftmost*: at the first point, from the left, that one matching leaves alone and the
   other does not, the one that matches it.

Such a matching has a simple shape. Shorten or exchange its matches, and it costs no more: so no two
of them cross, and no point is left alone below a match. The points that are not left alone fall
into *blocks*, stretches of neighbours in which both sides are equally many, and in a block the
first of one side goes with the first of the other. A block that begins at a point ends where the
walk that goes up at points of one side and down at points of the other is back for the first
time. So a point begins one block, or is left alone, and the best of the two choices follows from
those of the points right of it. The cost of a block is a difference of two running sums.

The line falls apart where two neighbours are more than `reach` apart. Parts are worked on together,
in arrays, from their last points to their first; long parts by themselves.
Time and memory are linear in the points, but for sorting, whatever the reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.kernels.rows import prefix

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["match_points", "pair_off"]

_LONG = 100  # points of a part that is worked on by itself
_NEVER = 1 << 62

Matches = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def pair_off(places: NDArray[np.int64], of_gold: NDArray[np.bool_], step: int) -> Matches:
    """Match points of different sides that are exactly `step` apart, each as soon as it can be.

    Parameters
    ----------
    places : array of int64
        Where the points lie; ascending, each place once.
    of_gold : array of bool
        Whose they are.
    step : int
        The distance, 1 or more.

    Returns
    -------
    pair of arrays of int64
        The index of the left and of the right point of each match, from the left.

    """
    if step == 1:
        left = _every_other(places, of_gold, 1)
        return left, left + 1
    order = np.lexsort((places, places % step))
    at = _every_other(places[order], of_gold[order], step)
    left, right = order[at], order[at + 1]
    by_place = np.argsort(left)
    return left[by_place], right[by_place]


def _every_other(
    places: NDArray[np.int64], of_gold: NDArray[np.bool_], step: int
) -> NDArray[np.int64]:
    """Return the first of each two neighbours that match, run by run."""
    near = (places[1:] - places[:-1] == step) & (of_gold[1:] != of_gold[:-1])
    links = np.flatnonzero(near)
    if not links.size:
        return links
    begins = np.flatnonzero(np.diff(links, prepend=-2) != 1)
    rank = np.arange(links.size)
    rank -= np.repeat(begins, np.diff(begins, append=links.size))
    return np.asarray(links[rank % 2 == 0])


def match_points(
    places: NDArray[np.int64],
    of_gold: NDArray[np.bool_],
    *,
    reach: int,
    alone: tuple[int, int],
    fixed: int,
    slope: int,
) -> Matches:
    """Return the matching of least cost, as the module describes it.

    Parameters
    ----------
    places : array of int64
        Where the points lie; ascending, each place once. Lines that have nothing to do with each
        other are laid more than `reach` apart.
    of_gold : array of bool
        Whose they are.
    reach : int
        The greatest distance of a match.
    alone : pair of int
        What a point of gold and what one of the other side costs when it is left alone.
    fixed, slope : int
        A match at distance d costs `fixed + slope * d`.

    Returns
    -------
    pair of arrays of int64
        The index of the left and of the right point of each match, from the left.

    """
    spare = sum(alone) - fixed
    if spare < 0:
        reach = 0
    elif slope:
        reach = min(reach, spare // slope)  # beyond that, two points are left alone for less
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
    for group in (live & (length > 2) & (length <= _LONG), live & (length > _LONG)):
        chosen = np.flatnonzero(np.repeat(group, length))
        if chosen.size:
            parts = _Parts.of(places[chosen], of_gold[chosen], length[group], reach)
            matched[chosen] = parts.matched(costs)
    gold, other = np.flatnonzero(matched & of_gold), np.flatnonzero(matched & ~of_gold)
    return np.minimum(gold, other), np.maximum(gold, other)


class _Costs(NamedTuple):
    """What a matching costs."""

    reach: int
    alone: tuple[int, int]
    fixed: int
    slope: int

    def ranked(self, points: int) -> _Costs:
        """Return the costs with the number of operations and the distances in the lower digits."""
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
        """Return more than any matching of so many points costs."""
        return points * (max(*self.alone, self.fixed + self.slope * self.reach) + 1)


class _Parts(NamedTuple):
    """Parts of the line as nodes: one before each point, and one at the end of each part.

    Attributes
    ----------
    ends : array of int64
        The node at the end of each part.
    length : array of int64
        The number of points of each part.
    up : array of bool
        Whether a point of gold follows the node.
    level : array of int64
        How far the walk is above its beginning.
    back : array of int64
        The next node of the part on the same level; -1 where there is none.
    depth : array of int64
        The level of the node, away from where the point after it closes blocks, that such a
        block begins on or above: on lower ones, the oldest open point would be out of reach.
    place : array of int64
        The running sum of places, counted up at gold and down at the others.

    """

    ends: NDArray[np.int64]
    length: NDArray[np.int64]
    up: NDArray[np.bool_]
    level: NDArray[np.int64]
    back: NDArray[np.int64]
    depth: NDArray[np.int64]
    place: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        places: NDArray[np.int64],
        of_gold: NDArray[np.bool_],
        length: NDArray[np.int64],
        reach: int,
    ) -> _Parts:
        """Lay out the points of parts of so many points each."""
        ends = np.cumsum(length + 1) - 1
        nodes = int(ends[-1]) + 1
        before = np.ones(nodes, dtype=bool)
        before[ends] = False
        node = np.flatnonzero(before)
        sign = np.where(of_gold, 1, -1)
        first = np.cumsum(length) - length

        def running(steps: NDArray[np.int64]) -> NDArray[np.int64]:
            """Return the sums before each node, from 0 in each part."""
            total = prefix(steps)
            out = np.empty(nodes, dtype=np.int64)
            out[node] = total[:-1]
            out[ends] = total[first + length]
            return np.asarray(out - np.repeat(total[first], length + 1))

        level = running(sign)
        key = np.repeat(np.arange(length.size), length + 1) * (2 * int(length.max()) + 1) + level
        order = np.argsort(key, kind="stable")
        key = key[order]
        back = np.full(nodes, -1)
        again = key[1:] == key[:-1]
        back[order[:-1][again]] = order[1:][again]
        up = np.zeros(nodes, dtype=bool)
        up[node] = of_gold
        # How many points of the other side lie within reach on the left.
        gold, other = places[of_gold], places[~of_gold]
        near = np.empty(places.size, dtype=np.int64)
        for mine, theirs, where in ((gold, other, of_gold), (other, gold, ~of_gold)):
            near[where] = np.searchsorted(theirs, mine) - np.searchsorted(theirs, mine - reach)
        depth = np.full(nodes, _NEVER)
        depth[node] = -sign * level[node] - near
        relative = places - np.repeat(places[first], length)
        return cls(ends, length, up, level, back, depth, running(sign * relative))

    def matched(self, costs: _Costs) -> NDArray[np.bool_]:
        """Return which points are matched."""
        points = int(self.length.max())
        ranked = costs.ranked(points)
        small = points <= _LONG and ranked.most(points) < _NEVER
        taken = self._taken_together(ranked) if small else self._taken_one_by_one(ranked)
        inside = np.zeros(self.up.size + 1, dtype=np.int64)
        inside[taken] += 1
        inside[self.back[taken]] -= 1
        before = np.ones(self.up.size, dtype=bool)
        before[self.ends] = False
        covered = np.cumsum(inside[:-1]) > 0
        return np.asarray(covered[before])

    def _taken_together(self, costs: _Costs) -> NDArray[np.int64]:
        """Return the nodes at which a block begins, all parts a point at a time."""
        by_length = np.argsort(-self.length, kind="stable")
        ends, length = self.ends[by_length], self.length[by_length]
        nodes = self.up.size
        # One node more, for blocks that never end.
        best = np.full(nodes + 1, _NEVER)
        best[ends] = 0
        highest = np.full((2, nodes + 1), _NEVER)
        taken = np.zeros(nodes, dtype=bool)
        alone = np.array([costs.alone[1], costs.alone[0]])
        for back in range(1, int(length[0]) + 1):
            t = ends[: np.searchsorted(-length, -back, side="right")] - back
            up, again = self.up[t].astype(np.int64), self.back[t]
            level = self.level[t]
            mine = 1 - up  # row 0: blocks that gold opens
            inner = highest[mine, t + 1]
            highest[mine, t] = np.maximum(inner, highest[mine, again])
            highest[up, t] = self.depth[t]
            whole = (again >= 0) & (inner <= np.where(up == 1, level, -level))
            apart = np.abs(self.place[again] - self.place[t])
            cost = (again - t) // 2 * costs.fixed + apart * costs.slope
            block = np.where(whole, cost + np.where(whole, best[again], 0), _NEVER)
            left = best[t + 1] + alone[up]
            best[t] = np.minimum(block, left)
            taken[t] = block <= left
        found = []
        t = ends - length
        while t.size:
            found.append(t[taken[t]])
            t = np.where(taken[t], self.back[t], t + 1)
            ends = ends[: t.size]
            going = t < ends
            t, ends = t[going], ends[going]
        return np.concatenate(found)

    def _taken_one_by_one(self, costs: _Costs) -> NDArray[np.int64]:
        """Return the same, a point at a time, in integers of any size."""
        up, level, back = self.up.tolist(), self.level.tolist(), self.back.tolist()
        depth, place = self.depth.tolist(), self.place.tolist()
        nodes = len(up)
        best = [0] * nodes
        taken = [False] * nodes
        above, below = [_NEVER] * (nodes + 1), [_NEVER] * (nodes + 1)
        found = []
        for end, length in zip(self.ends.tolist(), self.length.tolist(), strict=True):
            for t in range(end - 1, end - length - 1, -1):
                again = back[t]
                mine, theirs = (above, below) if up[t] else (below, above)
                inner = mine[t + 1]
                mine[t] = max(inner, mine[again])
                theirs[t] = depth[t]
                left = best[t + 1] + costs.alone[0 if up[t] else 1]
                if again >= 0 and inner <= (level[t] if up[t] else -level[t]):
                    apart = abs(place[again] - place[t])
                    block = (again - t) // 2 * costs.fixed + apart * costs.slope + best[again]
                    taken[t] = block <= left
                    left = min(block, left)
                best[t] = left
            t = end - length
            while t < end:
                if taken[t]:
                    found.append(t)
                    t = back[t]
                else:
                    t += 1
        return np.array(found, dtype=np.int64)
