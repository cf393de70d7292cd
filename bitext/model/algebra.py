"""The algebra of alignments: combination, composition through a pivot, and difference.

All functions are pure: they take alignments whose indices mean the same segments, and return new
ones. Whether the indices do mean the same segments is for the caller to see.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bitext.errors import InputError, OptionError, check_type
from bitext.kernels.arrays import (
    Bools,
    Floats,
    Ints,
    Rows,
    components,
    concatenate,
    distinct,
    identify,
    side_by_side,
    take,
    union_by,
    with_gaps,
)
from bitext.model.alignment import Alignment, products
from bitext.model.bitext import Bitext

WAYS = ("union", "intersection", "vote", "path")
# Weight of a bead of probability 1 in the sum of a path: integers, so ties are exact
_UNIT = 1 << 20

# Keys beside twice the sample, so that small samples are not sorted at every part; set by hand.
_SPARE_BEADS = 1_000


def _require_alignments(*values: object) -> None:
    for wrong in (value for value in values if not isinstance(value, Alignment)):
        hint = "Bitext.alignment" if hasattr(wrong, "alignment") else "Alignment([...])"
        raise InputError(f"an alignment is given as {wrong!r:.60}: want an Alignment, as {hint}")


def _checked(bitexts: Iterable[Bitext]) -> Iterator[Bitext]:
    if isinstance(bitexts, Bitext) or not isinstance(bitexts, Iterable):
        raise InputError(f"the bitexts are {bitexts!r:.60}: want a list of Bitext")
    for bitext in bitexts:
        check_type("a bitext", bitext, Bitext, "a Bitext, as of bitext.read")
        yield bitext


def combine(
    alignments: Sequence[Alignment], *, by: str = "path", least: int | None = None
) -> Alignment:
    """Combine alignments of the same texts into one.

    The score of a bisegment is the share of the alignments that have the bisegment. Scores and
    columns of the inputs are left out.

    Parameters
    ----------
    alignments : sequence of Alignment
        At least one; a repeated bisegment of one alignment counts once.
    by : {"union", "intersection", "vote", "path"}
        `union`, `intersection` and `vote` choose the bisegments that at least one, all, or `least`
        alignments have; those of a union may overlap. `path` chooses bisegments that neither
        overlap nor cross, with the greatest expected F1.
    least : int, optional
        The votes that a bisegment needs, for `vote`; default: more than half of the alignments.

    Returns
    -------
    Alignment
        The bisegments in the order of their first segments. The order of the inputs changes
        nothing, except which of several paths of equal weight is taken.

    Raises
    ------
    InputError
        When there is no alignment.
    OptionError
        When `by` is no way to combine, or `least` is out of range or not for `vote`.

    Notes
    -----
    In a `path`, the probability of a bisegment is the mean of its scores if all alignments have
    scores from 0 to 1, which are taken as probabilities, else the share of the alignments that have
    the bisegment. The path is that of the greatest expected F1 (minimum Bayes risk), with the mean
    size of the alignments as that of the right one. Bisegments with gaps have no place in a path,
    and are left out. The weight of a bisegment with an empty side is divided equally among its
    segments, so a path may miss the greatest F1 where one with several segments is partly covered.

    Examples
    --------
    >>> a = Alignment([((0,), (0,)), ((1,), (1,))])
    >>> b = Alignment([((0,), (0,)), ((1,), (1, 2))])
    >>> c = Alignment([((0, 1), (0,)), ((), (1, 2))])
    >>> list(combine([a, b, c], by="vote"))
    [Bisegment(src=(0,), tgt=(0,))]

    """
    alignments = list(alignments)
    size = len(alignments)
    if not size:
        raise InputError("no alignment to combine: give at least one")
    _require_alignments(*alignments)
    if by not in WAYS:
        raise OptionError(f"by={by!r}: want one of {', '.join(WAYS)}")
    if least is not None and (by != "vote" or least not in range(1, size + 1)):
        raise OptionError(f"least={least}: want 1 to {size} votes, and by='vote'")
    pooled, votes, weights = _pool(alignments)
    if by == "path":
        expected = sum(map(len, alignments)) / size
        gains = votes * _UNIT if weights is None else weights
        chosen = _best_path(pooled, gains // size, expected)
    else:
        needed = {"union": 1, "intersection": size}.get(by, least or size // 2 + 1)
        chosen = np.flatnonzero(votes >= needed)
    combined = Alignment.from_arrays(pooled.src, pooled.tgt, scores=votes / size).select(chosen)
    return combined.select(_reading_order(combined))


def _pool(alignments: Sequence[Alignment]) -> tuple[Alignment, Ints, Ints | None]:
    """Return the distinct bisegments, their votes, and the sums of their probabilities."""
    parts = [each.unique() for each in alignments]
    src = concatenate([part.src for part in parts], [0] * len(parts))
    tgt = concatenate([part.tgt for part in parts], [0] * len(parts))
    _, first, group_of_bead, votes = np.unique(
        identify(src, tgt), return_index=True, return_inverse=True, return_counts=True
    )
    pooled = Alignment.from_arrays(src, tgt).select(first)
    scores = [part.scores for part in parts if part.scores is not None]
    weights = None
    if len(scores) == len(parts):
        probabilities = np.concatenate(scores)
        if ((probabilities >= 0) & (probabilities <= 1)).all():  # false for nan
            scaled = np.rint(probabilities * _UNIT).astype(np.int64)
            weights = np.zeros(len(first), dtype=np.int64)
            np.add.at(weights, group_of_bead.reshape(-1), scaled)
    return pooled, votes.astype(np.int64), weights


def _reading_order(a: Alignment) -> Ints:
    """Return the order of first source segments; without one, of the targets of those before."""
    nonempty_sides = [rows.lengths > 0 for rows in (a.src, a.tgt)]
    firsts = [np.full(len(a), -1, dtype=np.int64) for _ in nonempty_sides]
    for rows, is_nonempty, first in zip((a.src, a.tgt), nonempty_sides, firsts, strict=True):
        first[is_nonempty] = rows.idx[rows.ptr[:-1][is_nonempty]]
    src, tgt = firsts
    # A target without a source comes after the bisegment whose target is the last before.
    paired = np.flatnonzero(nonempty_sides[0] & nonempty_sides[1])
    paired = paired[np.lexsort((src[paired], tgt[paired]))]
    target_only = ~nonempty_sides[0]
    preceding = np.searchsorted(tgt[paired], tgt[target_only])
    key = src.copy()
    key[target_only] = np.append(src[paired], -1)[preceding - 1]
    return np.lexsort((tgt, target_only, key))


def _best_path(a: Alignment, weights: Ints, size: float) -> Ints:
    """Return the bisegments of the path with the greatest expected F1.

    F1 is twice the right bisegments divided by those of both alignments, so that a bisegment pays
    where its probability is above half of the F1 that is reached. The path of that price is found
    in rounds, each with the F1 of the one before (Dinkelbach 1967).

    The bisegments are distinct; the weights are their probabilities in units of `1 / _UNIT`, and
    `size` is the expected number of right bisegments in all.
    """
    # Bisegments that no other one overlaps or crosses are a path, whose F1 is a first price.
    two_sided = np.flatnonzero(~(with_gaps(a.src) | with_gaps(a.tgt)) & (_sizes(a).min(axis=0) > 0))
    price = _price(weights, two_sided[_is_free(*_spans(a, two_sided))], size)
    while True:
        chosen = _heaviest_path(a, weights - price)
        dearer = _price(weights, chosen, size)
        if dearer <= price:
            return chosen
        price = dearer


def _price(weights: Ints, chosen: Ints, size: float) -> int:
    """Return half of the expected F1 of the chosen bisegments, in units of `1 / _UNIT`."""
    return int(weights[chosen].sum() / (len(chosen) + size)) if len(chosen) else 0


def _sizes(a: Alignment) -> Ints:
    return np.stack([a.src.lengths, a.tgt.lengths])


def _spans(a: Alignment, chosen: Ints) -> list[Ints]:
    """Return the first and last + 1 source, then target segments of bisegments with two sides."""
    ends = []
    for rows in (a.src, a.tgt):
        ends += [rows.idx[rows.ptr[:-1][chosen]], rows.idx[rows.ptr[1:][chosen] - 1] + 1]
    return ends


def _heaviest_path(a: Alignment, weights: Ints) -> Ints:
    """Return the bisegments of the heaviest chain that neither overlap nor cross.

    The time is O(n log n). Of paths of equal weight the one found first is taken, in the order of
    first source, then first target segments.
    """
    is_eligible = ~(with_gaps(a.src) | with_gaps(a.tgt)) & (weights > 0)
    paired = _sizes(a).min(axis=0) > 0
    one_sided = np.flatnonzero(is_eligible & ~paired).tolist()
    two_sided = np.flatnonzero(is_eligible & paired)
    # A chain of bisegments with two sides loses the weights of the one-sided ones that it covers.
    nulls = [np.zeros(size + 1, dtype=np.int64) for size in (a.src_size, a.tgt_size)]
    for k in one_sided:
        side = 0 if a.src.lengths[k] else 1
        members = (a.src, a.tgt)[side].row(k)
        nulls[side][members + 1] += int(weights[k]) // len(members)
    null_sums = [np.cumsum(each) for each in nulls]
    spans = _spans(a, two_sided)
    gains = weights[two_sided] - sum(
        total[end] - total[begin]
        for total, begin, end in zip(null_sums, spans[::2], spans[1::2], strict=True)
    )
    is_free = _is_free(*spans)
    entangled = np.flatnonzero(~is_free)
    src_start, src_end, tgt_start, tgt_end = (each[entangled] for each in spans)
    chain = entangled[_heaviest_chain(src_start, src_end, tgt_start, tgt_end, gains[entangled])]
    chosen = two_sided[
        np.sort(np.concatenate([np.flatnonzero(is_free & (gains > 0)), chain]))
    ].tolist()
    covered = [np.zeros(size, dtype=bool) for size in (a.src_size, a.tgt_size)]
    for rows, mask in zip((a.src, a.tgt), covered, strict=True):
        mask[take(rows, np.array(chosen, dtype=np.int64)).idx] = True
    for k in sorted(one_sided, key=lambda k: (-int(weights[k]), k)):
        side = 0 if a.src.lengths[k] else 1
        indices = (a.src, a.tgt)[side].row(k)
        if not covered[side][indices].any():
            covered[side][indices] = True
            chosen.append(k)
    return np.array(chosen, dtype=np.int64)


def _is_free(src_start: Ints, src_end: Ints, tgt_start: Ints, tgt_end: Ints) -> Bools:
    """Mark each bisegment that has all others before or after it, on both sides."""
    is_free = np.ones(src_start.size, dtype=bool)
    order = np.lexsort((tgt_start, src_start))
    for start, end in ((src_start[order], src_end[order]), (tgt_start[order], tgt_end[order])):
        is_free[order[1:]] &= np.maximum.accumulate(end)[:-1] <= start[1:]
        is_free[order[:-1]] &= end[:-1] <= np.minimum.accumulate(start[::-1])[::-1][1:]
    return is_free


def _heaviest_chain(
    src_start: Ints, src_end: Ints, tgt_start: Ints, tgt_end: Ints, gains: Ints
) -> Ints:
    """Return a chain of greatest gain: each begins where the one before ends, or later."""
    begins = np.lexsort((tgt_start, src_start)).tolist()
    ends = np.lexsort((tgt_end, src_end)).tolist()
    places = distinct(tgt_end)
    # A Fenwick tree of prefix maxima over the target ends: (total, last bisegment) of a chain.
    tree: list[tuple[int, int]] = [(0, -1)] * (len(places) + 1)
    best: dict[int, int] = {}
    predecessor: dict[int, int] = {}
    top, place, closed_count = (0, -1), places.tolist(), 0
    for k in begins:
        while closed_count < len(ends) and src_end[ends[closed_count]] <= src_start[k]:
            closed = ends[closed_count]
            slot = bisect_left(place, int(tgt_end[closed])) + 1
            while slot < len(tree):
                if best[closed] > tree[slot][0]:
                    tree[slot] = (best[closed], closed)
                slot += slot & -slot
            closed_count += 1
        slot, best_before = bisect_right(place, int(tgt_start[k])), (0, -1)
        while slot:
            if tree[slot][0] > best_before[0]:
                best_before = tree[slot]
            slot -= slot & -slot
        best[k], predecessor[k] = best_before[0] + int(gains[k]), best_before[1]
        if best[k] > top[0]:
            top = (best[k], k)
    chain, k = [], top[1]
    while k >= 0:
        chain.append(k)
        k = predecessor[k]
    return np.array(chain[::-1], dtype=np.int64)


class Composition(NamedTuple):
    """An alignment composed through a pivot, and an account of the losses.

    Attributes
    ----------
    alignment : Alignment
        From the source of the first alignment to the target of the second.
    merged : int
        The composed bisegments that join several bisegments of the first or of the second.
    uncovered_first, uncovered_second : int
        The bisegments of either alignment that are left out, because the other one has no
        bisegment with their pivot segments.
    dropped : int
        The groups of bisegments with pivot segments alone, which nothing corresponds to.

    """

    alignment: Alignment
    merged: int
    uncovered_first: int
    uncovered_second: int
    dropped: int


def compose(first: Alignment, second: Alignment) -> Composition:
    """Compose an alignment to a pivot text with one from the pivot text.

    Bisegments that share a pivot segment, directly or through others, become one bisegment: the
    union of their source sides and of their target sides. A bisegment that the other alignment
    says nothing about is left out; one whose pivot segments have an empty other side there gets
    an empty side.

    Its score is the product of the scores of its parts, if both alignments have scores from 0 to 1,
    taken as independent probabilities; else there are none. Columns are left out.

    Composition is associative for alignments in which no segment is in two bisegments. An alignment
    of each segment with itself is its identity, and `compose(a, b)` with sides exchanged is
    `compose(b.swapped(), a.swapped())`.

    Parameters
    ----------
    first : Alignment
        Its target side has the pivot segments.
    second : Alignment
        Its source side has the same pivot segments.

    Examples
    --------
    >>> first = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), (2,))])
    >>> second = Alignment([((0, 1), (0,)), ((2,), ())])
    >>> made = compose(first, second)
    >>> list(made.alignment), made.merged
    ([Bisegment(src=(0, 1), tgt=(0,)), Bisegment(src=(2,), tgt=())], 1)

    """
    _require_alignments(first, second)
    sizes = len(first), len(second)
    group = components(concatenate([first.tgt, second.src], [0, 0]))
    sides = group[: sizes[0]], group[sizes[0] :]
    groups = int(group.max(initial=-1)) + 1
    parts = [np.bincount(side, minlength=groups) for side in sides]
    # A bisegment without pivot segments is a group of its own, and whole as it is.
    is_null = np.zeros(groups, dtype=bool)
    is_null[sides[0][first.tgt.lengths == 0]] = True
    is_null[sides[1][second.src.lengths == 0]] = True
    is_covered = is_null | ((parts[0] > 0) & (parts[1] > 0))
    src = union_by(first.src, sides[0], groups)
    tgt = union_by(second.tgt, sides[1], groups)
    hollow = is_covered & (src.lengths == 0) & (tgt.lengths == 0)
    chosen = np.flatnonzero(is_covered & ~hollow)
    scores = products([first.scores, second.scores], group, groups)
    composed = Alignment.from_arrays(
        take(src, chosen), take(tgt, chosen), scores=None if scores is None else scores[chosen]
    )
    is_merged = (parts[0] > 1) | (parts[1] > 1)
    return Composition(
        composed.select(_reading_order(composed)),
        merged=int(is_merged[chosen].sum()),
        uncovered_first=int((~is_covered[sides[0]]).sum()),
        uncovered_second=int((~is_covered[sides[1]]).sum()),
        dropped=int(hollow.sum()),
    )


def difference(first: Alignment, second: Alignment) -> Alignment:
    """Return the bisegments of the first alignment that the second lacks, with their columns.

    Examples
    --------
    >>> a = Alignment([((0,), (0,)), ((1,), (1,))])
    >>> list(difference(a, Alignment([((1,), (1,))])))
    [Bisegment(src=(0,), tgt=(0,))]

    """
    _require_alignments(first, second)
    ids = identify(
        concatenate([first.src, second.src], [0, 0]), concatenate([first.tgt, second.tgt], [0, 0])
    )
    return first.select(~np.isin(ids[: len(first)], ids[len(first) :]))


class Change(NamedTuple):
    """Bisegments of one alignment in the place of bisegments of another.

    Attributes
    ----------
    kind : {"moved", "split", "merged", "added", "missing"}
        `moved`: as many bisegments in both alignments, with other boundaries; `split`: more in the
        second; `merged`: fewer; `added`: none in the first; `missing`: none in the second.
    first, second : tuple of int
        The indices of the bisegments.

    """

    kind: str
    first: tuple[int, ...]
    second: tuple[int, ...]


def changes(first: Alignment, second: Alignment) -> list[Change]:
    """Return the changes from one alignment to another of the same segments.

    A change has the bisegments that only one alignment has and that share segments, directly or
    through others. A bisegment that stands n times in one alignment and m times in the other is
    common as often as in both.

    Examples
    --------
    >>> a = Alignment([((0,), (0,)), ((1, 2), (1,)), ((3,), ())])
    >>> b = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), ())])
    >>> changes(a, b)
    [Change(kind='split', first=(1,), second=(1, 2)), Change(kind='missing', first=(2,), second=())]

    """
    _require_alignments(first, second)
    src = concatenate([first.src, second.src], [0, 0])
    tgt = concatenate([first.tgt, second.tgt], [0, 0])
    size = len(first)
    ids = identify(src, tgt)
    if np.array_equal(ids[:size], ids[size:]):
        return []
    numbers = ids.tolist()
    common = Counter(numbers[:size]) & Counter(numbers[size:])
    changed: list[int] = []
    for begin, end in ((0, size), (size, len(numbers))):
        common_left = common.copy()
        for k in range(begin, end):
            if common_left[numbers[k]]:
                common_left[numbers[k]] -= 1
            else:
                changed.append(k)
    chosen = np.array(changed, dtype=np.int64)
    sides = take(src, chosen), take(tgt, chosen)
    # The segments of the target are numbered after those of the source.
    groups = components(side_by_side(sides, [0, int(src.idx.max(initial=-1)) + 1]))
    made: dict[int, tuple[list[int], list[int]]] = {}
    for k, group in zip(changed, groups.tolist(), strict=True):
        made.setdefault(group, ([], []))[k >= size].append(k - size * (k >= size))
    return [
        Change(_kind(*map(len, both)), tuple(both[0]), tuple(both[1])) for both in made.values()
    ]


def _kind(first: int, second: int) -> str:
    if not (first and second):
        return "missing" if first else "added"
    return "moved" if first == second else "split" if first < second else "merged"


def head(bitexts: Iterable[Bitext], size: int) -> Iterator[Bitext]:
    """Yield the first `size` bisegments, with their segments alone; read no further.

    Raises `OptionError` when `size` is not a whole number, 0 or more.
    """
    _check_size(size)
    beads_left, is_begun = size, False
    for bitext in _checked(bitexts):
        # Whether bisegments of the document pair were yielded.
        is_begun = is_begun and bitext.continues
        chosen = np.arange(min(beads_left, len(bitext.alignment)))
        if chosen.size:
            yield replace(_excerpt(bitext, chosen), continues=is_begun)
            beads_left, is_begun = beads_left - chosen.size, True
        if not beads_left:
            return


def sample(bitexts: Iterable[Bitext], size: int, *, seed: int = 0) -> list[Bitext]:
    """Draw `size` bisegments without replacement, each with the same chance, in one pass.

    The memory is that of some twice the sample. The sample depends on the bisegments and the seed,
    not on the parts in which a document pair comes. Fewer bisegments are all returned.

    Parameters
    ----------
    bitexts : iterable of Bitext
        Document pairs, or parts of them (`Bitext.continues`).
    size : int
        The number of bisegments to draw, at least 0.
    seed : int
        The seed of the random numbers.

    Returns
    -------
    list of Bitext
        The bisegments in their order, with their segments alone.

    Raises
    ------
    OptionError
        When `size` or `seed` is not a whole number, 0 or more.

    """
    _check_size(size)
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise OptionError(f"seed is {seed!r:.40}: want a whole number, 0 or more")
    random = np.random.default_rng(seed)
    # Each bisegment gets a random key; the sample has the smallest ones.
    samples: list[tuple[Floats, int, Bitext]] = []
    limit, document = np.inf, -1
    for bitext in _checked(bitexts):
        document += not bitext.continues
        keys = random.random(len(bitext.alignment))
        chosen = np.flatnonzero(keys < limit)
        if chosen.size:
            samples.append((keys[chosen], document, _excerpt(bitext, chosen)))
        if sum(len(keys) for keys, _, _ in samples) > 2 * size + _SPARE_BEADS:
            limit, samples = _smallest(samples, size)
    _, samples = _smallest(samples, size)
    made, last = [], -1
    for _, document, bitext in samples:
        made.append(replace(bitext, continues=document == last))
        last = document
    return made


def _check_size(size: int) -> None:
    whole = isinstance(size, int | np.integer) and not isinstance(size, bool)
    if not whole or size < 0:
        raise OptionError(f"the size is {size!r:.40}: want a number of bisegments, 0 or more")


def _smallest(
    samples: list[tuple[Floats, int, Bitext]], size: int
) -> tuple[float, list[tuple[Floats, int, Bitext]]]:
    """Return the bisegments with the `size` smallest keys, and the next key."""
    keys = np.sort(np.concatenate([np.zeros(0), *(keys for keys, _, _ in samples)]))
    if keys.size <= size:
        return np.inf, samples
    limit, kept = float(keys[size]), []
    for keys_of_sample, document, bitext in samples:
        chosen = np.flatnonzero(keys_of_sample < limit)
        if chosen.size:
            kept.append((keys_of_sample[chosen], document, _excerpt(bitext, chosen)))
    return limit, kept


def _excerpt(bitext: Bitext, chosen: Ints) -> Bitext:
    """Return the chosen bisegments with their segments alone."""
    a = bitext.alignment.select(chosen)
    texts, rows = [], []
    for text, old_rows in ((bitext.src, a.src), (bitext.tgt, a.tgt)):
        used, idx = np.unique(old_rows.idx, return_inverse=True)
        texts.append(None if text is None else text.select(used).compacted())
        new = idx.reshape(-1).astype(np.int64)
        rows.append(old_rows if text is None else Rows(old_rows.ptr, new))
    smaller = Alignment.from_arrays(rows[0], rows[1], scores=a.scores, attributes=a.attributes)
    lines = None if bitext.lines is None else bitext.lines[chosen]
    return replace(bitext, src=texts[0], tgt=texts[1], alignment=smaller, lines=lines)
