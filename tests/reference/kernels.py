"""The kernels, as they would be explained: sets and loops, no arrays."""

from itertools import pairwise, product


def overlap(first, second):
    """Try every segment of one segmentation against every one of the other; both are bounds."""
    found = []
    for i, (a, b) in enumerate(pairwise(first)):
        for j, (c, d) in enumerate(pairwise(second)):
            if max(a, c) < min(b, d):
                found.append((i, j, max(a, c), min(b, d)))
    return sorted(found, key=lambda item: item[2])


def overlap_intervals(first, second):
    """Try every interval of one family against every one of the other."""
    found = []
    for i, (a, b) in enumerate(first):
        for j, (c, d) in enumerate(second):
            if max(a, c) < min(b, d):
                found.append((i, j, max(a, c), min(b, d)))
    return sorted(found, key=lambda item: item[2])


def pairs_of(beads):
    """Return the union of the products of the two sides."""
    return {pair for src, tgt in beads for pair in product(src, tgt)}


def overlay(gold, hyp, src_weights, tgt_weights):
    """Return expected, proposed and hits by weighting and source segment, and who is touched."""
    expected, proposed = pairs_of(gold), pairs_of(hyp)
    areas = []
    for pairs in (expected, proposed, expected & proposed):
        area = [[0] * len(weights) for weights in src_weights]
        for k, (ws, wt) in enumerate(zip(src_weights, tgt_weights, strict=True)):
            for s, t in pairs:
                area[k][s] += ws[s] * wt[t]
        areas.append(area)
    touched = [
        [bool(set(product(*bead)) & others) for bead in beads]
        for beads, others in ((gold, proposed), (hyp, expected))
    ]
    return (*areas, *touched)


def runs(rows):
    """Return (row, first, last + 1) of each run of consecutive members."""
    found = []
    for k, row in enumerate(rows):
        members = set(row)
        for m in sorted(members):
            if m - 1 not in members:
                end = m
                while end in members:
                    end += 1
                found.append((k, m, end))
    return found


def same_partition(left, right):
    """Tell whether two labellings put the same items together."""
    return len(set(left)) == len(set(right)) == len(set(zip(left, right, strict=True)))


def longest_common(a, b):
    """Return the length of the longest common subsequence."""
    before = [0] * (len(b) + 1)
    for x in a:
        row = [0]
        for j, y in enumerate(b):
            row.append(before[j] + 1 if x == y else max(before[j + 1], row[j]))
        before = row
    return before[-1]
