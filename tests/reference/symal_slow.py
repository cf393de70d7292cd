"""Symmetrising as the program symal of Moses does it: sets of points, scanned until nothing grows.

Written after its source, plainly; points are (source, target), so rows are source words.
"""

STRAIGHT = [(-1, 0), (0, -1), (1, 0), (0, 1)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def symmetrise(forward, reverse, method):
    """Return the set of links of one sentence pair that a method makes of two sets."""
    if method == "intersection":
        return forward & reverse
    if method == "union":
        return forward | reverse
    strict = method.endswith(":strict")
    name = method.removesuffix(":strict")
    grid = _Grid(forward & reverse)
    grid.grow(forward | reverse, STRAIGHT + (DIAGONAL if "diag" in name else []), both=strict)
    if "final" in name:
        for left in (forward, reverse):
            for point in sorted(left):
                grid.add(point, both=strict or name.endswith("-and"))
    return grid.points


class _Grid:
    """The links so far, and the words that have one."""

    def __init__(self, points):
        self.points = set(points)
        self.src = {i for i, _ in points}
        self.tgt = {j for _, j in points}

    def add(self, point, *, both):
        """Add a point unless one of its words, or both, are taken; tell whether it was."""
        taken = (point[0] in self.src, point[1] in self.tgt)
        if point in self.points or (any(taken) if both else all(taken)):
            return False
        self.points.add(point)
        self.src.add(point[0])
        self.tgt.add(point[1])
        return True

    def grow(self, union, neighbours, *, both):
        added = True
        while added:
            added = False
            for i in range(1 + max((i for i, _ in union), default=0)):
                for j in range(1 + max((j for _, j in union), default=0)):
                    for down, right in neighbours if (i, j) in self.points else ():
                        point = (i + down, j + right)
                        if point in union:
                            added |= self.add(point, both=both)
