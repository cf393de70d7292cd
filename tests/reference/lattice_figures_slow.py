"""The figures of lattices by their definitions: all paths, all pairs, all edits, one by one."""

from fractions import Fraction
from functools import cache
from itertools import combinations

from hypothesis import strategies as st

from bitext.model import Cluster, Lattice, Sentence
from reference.draw import numbers, up_to


@st.composite
def lattices(draw, *, sentences=4, words=5, alphabet=("a", "A", "b", "c", ",", "d")):
    """Draw lattices; groups ascend in each sentence, so that there is no cycle."""
    forms, groups = [], []
    for _ in range(1 + draw(up_to(sentences - 1))):
        group = sorted({*draw(numbers(2 * words + 1, least=1, most=words))})
        groups.append(group)
        row = draw(numbers(len(alphabet), least=len(group), most=len(group)))
        forms.append([alphabet[k] for k in row])
    return Lattice(Cluster([Sentence(row) for row in forms]), groups)


def paths(lattice):
    """Return all paths, as lists of nodes without both ends."""
    after, found = lattice.successors(), []
    waiting = [[0]]
    while waiting:
        path = waiting.pop()
        if path[-1] == lattice.accept:
            found.append(path[1:-1])
        waiting += [[*path, node] for node in after[path[-1]]]
    return found


def spelled(lattice, path):
    return [lattice.form(node).casefold() for node in path]


def repetition(lattice, leave_out=()):
    """Return paths with a repetition, and paths."""

    def repeated(path):
        words = [w for w in spelled(lattice, path) if any(c.isalnum() for c in w)]
        return {w for w in words if words.count(w) > 1 and w not in leave_out}

    inputs = [lattice.paths.row(k).tolist() for k in range(len(lattice.cluster))]
    allowed = set().union(*map(repeated, inputs))
    found = [repeated(path) - allowed for path in paths(lattice)]
    return sum(map(bool, found)), len(found), sorted(set().union(*found))


def trigrams(lattice):
    """Return new trigrams, and trigrams, over all paths."""

    def of(path):
        words = spelled(lattice, path)
        return list(zip(words, words[1:], words[2:], strict=False))

    inputs = [lattice.paths.row(k).tolist() for k in range(len(lattice.cluster))]
    known = {gram for path in inputs for gram in of(path)}
    found = [gram not in known for path in paths(lattice) for gram in of(path)]
    return sum(found), len(found)


def edits(one, other):
    """Return the edit distance of two sequences; words may be sets, which meet."""

    @cache
    def least(i, j):
        if not i or not j:
            return i + j
        differs = other[j - 1] not in one[i - 1]
        return min(least(i - 1, j - 1) + differs, least(i - 1, j) + 1, least(i, j - 1) + 1)

    return least(len(one), len(other))


def distance(lattice, words):
    """Return the edit distance to the nearest path; a node takes the form of any member."""
    held = [{token.form.casefold() for token in lattice.tokens(n)} for n in range(len(lattice))]
    return min(edits(tuple(held[n] for n in path), tuple(words)) for path in paths(lattice))


def nearest(sentences, words):
    return min(edits(tuple({w} for w in other), tuple(words)) for other in sentences)


def links(lattice):
    """Return all pairs of words that share a node."""
    return {pair for node in range(len(lattice)) for pair in combinations(lattice.members(node), 2)}


def share(new, of):
    return Fraction(new, of) if of else None
