"""Symmetrised links, against the scanning of one sentence pair after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import OptionError
from bitext.kernels.word_links import METHODS, Links, symmetrised
from reference import symal_slow as slow
from reference.draw import numbers
from reference.shared_data import data

LINKS = numbers(36, most=12).map(lambda found: {divmod(k, 6) for k in found})
PAIRS = st.lists(st.tuples(LINKS, LINKS), max_size=4)


def links_of(pairs):
    """Return links as arrays; sentence pair k has those of the k-th set."""
    rows = [(k, *link) for k, links in enumerate(pairs) for link in sorted(links, reverse=True)]
    return Links(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


def sets_of(links, size):
    found = [set() for _ in range(size)]
    for k, i, j in zip(*(side.tolist() for side in links), strict=True):
        assert (i, j) not in found[k]
        found[k].add((i, j))
    return found


def by_pair(pairs, method):
    forward, reverse = ([pair[side] for pair in pairs] for side in (0, 1))
    return sets_of(symmetrised(links_of(forward), links_of(reverse), method), len(pairs))


@pytest.mark.parametrize("method", METHODS)
@given(pairs=PAIRS)
def test_links_are_those_of_scanning_pair_by_pair(pairs, method):
    found = by_pair(pairs, method)
    assert found == [slow.symmetrise(*pair, method) for pair in pairs]
    for (forward, reverse), links in zip(pairs, found, strict=True):
        assert forward & reverse <= links <= forward | reverse
    if METHODS[method]:  # target rows are the same with the sides exchanged
        turned = [tuple({(j, i) for i, j in links} for links in pair) for pair in pairs]
        there = [{(i, j) for j, i in links} for links in by_pair(turned, method)]
        assert by_pair(pairs, f"{method}:target-rows") == there


@given(PAIRS, st.integers(1, 10**8))
def test_where_words_stand_does_not_matter(pairs, far):
    moved = [tuple({(i + far, j + far) for i, j in links} for links in pair) for pair in pairs]
    found = [{(i - far, j - far) for i, j in each} for each in by_pair(moved, "grow-diag-final")]
    assert found == by_pair(pairs, "grow-diag-final")


@pytest.mark.parametrize("method", METHODS)
def test_links_come_sorted(method):
    pairs = [({(1, 1), (0, 1), (2, 0)}, {(1, 1), (1, 2), (0, 0)})] * 3
    forward, reverse = ([pair[side] for pair in pairs] for side in (0, 1))
    found = symmetrised(links_of(forward), links_of(reverse), method)
    keys = list(zip(*(side.tolist() for side in found), strict=True))
    assert keys == sorted(keys)


# 0-0 is in both, 0-1 beside it and 1-1 diagonal to it; 3-3 and 3-4 are far from all of them.
FORWARD, REVERSE = {(0, 0), (0, 1), (3, 3)}, {(0, 0), (1, 1), (3, 4)}


@pytest.mark.parametrize(
    ("method", "links"),
    [
        ("intersection", {(0, 0)}),
        ("union", FORWARD | REVERSE),
        # 0-1 touches 0-0, and 1-1 then touches 0-1.
        ("grow", {(0, 0), (0, 1), (1, 1)}),
        ("grow-diag", {(0, 0), (0, 1), (1, 1)}),
        # 3-3 is left of forward; then only target word 4 of 3-4 is free.
        ("grow-diag-final", {(0, 0), (0, 1), (1, 1), (3, 3), (3, 4)}),
        ("grow-diag-final-and", {(0, 0), (0, 1), (1, 1), (3, 3)}),
        # Source word 0 of 0-1 has a link already; 1-1 has two free words.
        ("grow-diag:strict", {(0, 0), (1, 1)}),
        ("grow-diag-final:strict", {(0, 0), (1, 1), (3, 3)}),
    ],
)
def test_worked_values(method, links):
    assert by_pair([(FORWARD, REVERSE)], method) == [links]


def test_links_that_grow_against_the_scan_take_a_round_each():
    n = 3_000  # each link, up to the first, is found in a round of its own
    forward = {(k, k) for k in range(n)}
    assert by_pair([(forward, {(n - 1, n - 1)})], "grow-diag") == [forward]


def test_a_method_that_there_is_not_is_refused():
    none = links_of([])
    with pytest.raises(OptionError, match="'grow-dia'; did you mean grow-diag"):
        symmetrised(none, none, "grow-dia")
    with pytest.raises(OptionError, match="'union:target-rows'"):
        symmetrised(none, none, "union:target-rows")


def pairs_of(name, *, turned=False):
    found = []
    for line in data("wordlinks", name).read_text(encoding="ascii").splitlines():
        links = {tuple(map(int, item.split("-"))) for item in line.split()}
        found.append({(j, i) for i, j in links} if turned else links)
    return found


@pytest.mark.parametrize(
    ("corpus", "lines", "grown"),
    [
        ("enfr.fastalign", 447, 443),
        ("enfr.giza", 447, 446),
        ("roen.fastalign", 248, 242),
        ("roen.giza", 248, 245),
    ],
)
def test_published_links_are_made_again(corpus, lines, grown):
    forward, reverse = pairs_of(f"{corpus}.talp"), pairs_of(f"{corpus}.reverse.talp", turned=True)
    pairs = list(zip(forward, reverse, strict=True))
    for method, name, equal in (
        ("union", "union", lines),
        ("intersection", "intersection", lines),
        ("grow-diag:strict", "grow-diagonal", grown),
        ("grow-diag-final:strict", "grow-diagonal-final", grown),
    ):
        published = pairs_of(f"{corpus}.{name}.talp")
        found = by_pair(pairs, method)
        assert len(published) == len(found) == lines
        assert sum(map(set.__eq__, found, published)) == equal
