"""Paths through an acyclic graph by trying all of them; the fewest spans by trying all cuts."""

from itertools import combinations, pairwise


def all_paths(arcs, last, node=0):
    """Return every list of nodes from a node to the last, in order."""
    if node == last:
        return [[last]]
    return [
        [node, *rest]
        for tail, head in sorted(arcs)
        if tail == node
        for rest in all_paths(arcs, last, head)
    ]


def walk_probability(arcs, path):
    """Return the probability of a path when each arc of a node is equally likely."""
    share = 1.0
    for node in path[:-1]:
        share /= sum(tail == node for tail, _ in arcs)
    return share


def fewest_spans(path, inputs):
    """Return the least number of runs of inputs that a list of nodes is made of."""

    def run(part):
        return any(part == nodes[i : i + len(part)] for nodes in inputs for i in range(len(nodes)))

    inner = range(1, len(path))
    for cuts in range(len(path)):
        for chosen in combinations(inner, cuts):
            bounds = [0, *chosen, len(path)]
            parts = [path[a:b] for a, b in pairwise(bounds)]
            if all(run(part) for part in parts):
                return cuts + 1
    raise AssertionError(path)
