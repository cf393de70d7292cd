"""Links of one lattice against those of another, against all pairs one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.metrics.lattice_metrics import word_links
from bitext.model import Cluster, Counts, Lattice, Sentence
from reference import lattice_figures_slow as slow


def cluster(*sentences):
    return Cluster([Sentence(words.split()) for words in sentences])


@st.composite
def two(draw):
    """Draw two lattices over one cluster."""
    first = draw(slow.lattices())
    ascending = []
    for sentence in first.cluster:
        n = len(sentence)
        groups = draw(st.sets(st.integers(0, 9), min_size=n, max_size=n))
        ascending.append(sorted(groups))
    return first, Lattice(first.cluster, ascending)


@given(two())
def test_links_are_the_pairs_that_share_a_node(both):
    gold, hyp = (slow.links(lattice) for lattice in both)
    assert word_links(*both) == Counts(len(gold & hyp), len(hyp), len(gold))


@given(two())
def test_itself_is_perfect(both):
    found = word_links(both[0], both[0])
    assert found.hits == found.proposed == found.expected


def test_direct_links_are_pairs_as_they_were_aligned_whichever_way_round():
    made = cluster("a b", "a b", "a b")
    gold = Lattice(made, [[1, 2]] * 3, [((0, 0), (1, 0)), ((1, 0), (2, 0))])
    hyp = Lattice(made, [[1, 2]] * 3, [((1, 0), (0, 0)), ((0, 0), (2, 0)), ((0, 1), (1, 1))])
    assert word_links(gold, hyp, links="direct") == Counts(1, 3, 2)
    assert word_links(gold, hyp) == Counts(6, 6, 6)


def test_counts_add_over_clusters():
    made = cluster("a b", "a b")
    full, half = Lattice(made, [[1, 2], [1, 2]]), Lattice(made, [[1, 2], [1, 3]])
    total = word_links(full, half) + word_links(half, full)
    assert (total.precision, total.recall, total.f1) == (2 / 3, 2 / 3, 2 / 3)


def test_a_node_of_many_words_is_cheap():
    many = Cluster([Sentence(["a"])] * 20_000)
    found = word_links(
        Lattice(many, [[1]] * 20_000), Lattice(many, [[k % 2] for k in range(20_000)])
    )
    assert found == Counts(
        2 * (10_000 * 9_999 // 2), 2 * (10_000 * 9_999 // 2), 20_000 * 19_999 // 2
    )


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (("a b",), "gold is over 2 sentences and the hypothesis over 1"),
        (("a b", "a c"), "word 2 of sentence 2 is 'b' in gold and 'c' in the hypothesis"),
        (("a b", "a b c"), "word 3 of sentence 2 is missing in gold and 'c' in the hypothesis"),
        (("a", "a b"), "word 2 of sentence 1 is 'b' in gold and missing in the hypothesis"),
    ],
)
def test_other_words_are_refused_with_the_first_difference(other, message):
    gold = Lattice(cluster("a b", "a b"), [[1, 2], [1, 2]])
    words = cluster(*other)
    hyp = Lattice(words, [list(range(len(sentence))) for sentence in words])
    with pytest.raises(InputError, match=message):
        word_links(gold, hyp)


def test_unknown_links_are_refused():
    made = Lattice(cluster("a"), [[1]])
    with pytest.raises(OptionError, match="want 'shared' or 'direct'"):
        word_links(made, made, links="both")
