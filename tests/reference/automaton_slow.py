"""The language of a lattice by writing out every path, and its minimal automaton by residuals."""

from itertools import product


def language(lattice, key):
    """Return every sentence as a tuple of keys: any word of each node of each path."""
    after = lattice.successors()

    def walks(node):
        if node == lattice.accept:
            return [()]
        return [(head, *rest) for head in after[node] for rest in walks(head)]

    spelled = [{key(token) for token in lattice.tokens(node)} for node in range(len(lattice))]
    return {
        words
        for walk in walks(lattice.start)
        for words in product(*(spelled[n] for n in walk[:-1]))
    }


def residuals(sentences):
    """Return the different sets of continuations that the beginnings of the sentences have.

    The minimal automaton has one state for each of them (Myhill and Nerode).
    """
    follow = {}
    for words in sentences:
        for cut in range(len(words) + 1):
            follow.setdefault(words[:cut], set()).add(words[cut:])
    return {frozenset(each) for each in follow.values()}
