"""Edgain, against every path and every edit one by one."""

import pytest
from hypothesis import given

from bitext.errors import InputError
from bitext.metrics.edgain import EdGain, edgain
from bitext.model import Cluster, Lattice, Sentence
from reference import lattice_figures_slow as slow


def without(lattice, left_out):
    """Return the lattice of all sentences but one, with the same words at one node."""
    kept = [k for k in range(len(lattice.cluster)) if k != left_out]
    others = Cluster([lattice.cluster[k] for k in kept])
    return Lattice(others, [lattice.paths.row(k).tolist() for k in kept])


def held_out(lattice):
    return (
        [without(lattice, k) for k in range(len(lattice.cluster))]
        if len(lattice.cluster) > 1
        else []
    )


@given(slow.lattices(sentences=4, words=4))
def test_distances_are_those_to_the_nearest(lattice):
    cluster, others = lattice.cluster, held_out(lattice)
    found = edgain(cluster, iter(others))
    if len(cluster) == 1:
        assert found == EdGain((), (), ())
        return
    words = [tuple(form.casefold() for form in sentence.forms) for sentence in cluster]
    near = tuple(
        slow.nearest([w for n, w in enumerate(words) if n != k], words[k])
        for k in range(len(words))
    )
    paths = tuple(slow.distance(other, w) for other, w in zip(others, words, strict=True))
    assert (found.to_inputs, found.to_lattice) == (near, paths)
    assert found.words == tuple(map(len, words))
    assert all(a >= b for a, b in zip(near, paths, strict=True))
    assert found.value == (sum(near) - sum(paths)) / len(words)


def test_ratios_and_their_empty_cases():
    found = EdGain((4, 5, 5), (2, 2, 2), (2, 1, 1))
    assert (found.value, found.per_word.value, found.saved.value) == (2 / 3, 2 / 14, 2 / 6)
    assert (found + EdGain((2,), (2,), (0,))).value == 1
    assert sum([found, found]).words == found.words * 2
    alone = edgain(Cluster([Sentence(["a"])]), [])
    assert alone.value != alone.value
    assert alone.gain.undefined == "a cluster of one sentence has no other"
    assert EdGain((1, 1), (0, 0), (0, 0)).saved.undefined == "every sentence has a double"


def test_words_are_compared_folded_and_punctuation_counts():
    cluster = Cluster([Sentence(["Straßen’s", "."]), Sentence(["STRASSEN'S", "!"])])
    others = [Lattice(Cluster([cluster[k]]), [[1, 2]]) for k in (1, 0)]
    assert edgain(cluster, others).to_inputs == (1, 1)


def test_lattices_of_other_sentences_are_refused():
    cluster = Cluster([Sentence([word]) for word in "abc"])
    right = [
        Lattice(Cluster([s for s in cluster if s.forms != (word,)]), [[1], [2]]) for word in "abc"
    ]
    assert edgain(cluster, right).value == 0
    with pytest.raises(InputError, match="lattice 1 is not over all sentences but sentence 1"):
        edgain(cluster, right[::-1])
    with pytest.raises(InputError, match="2 lattices for 3 sentences"):
        edgain(cluster, right[:2])
    with pytest.raises(InputError, match="more lattices than the 3 sentences"):
        edgain(cluster, [*right, right[0]])


@pytest.mark.parametrize("nearest", [["1", 0], [-1, 0], [0.5, 0], [0]])
def test_distances_to_the_nearest_are_whole_numbers_one_a_sentence(nearest):
    lattice = Lattice(Cluster([Sentence(["a"]), Sentence(["b"])]), [[0], [1]])
    with pytest.raises(ValueError, match=r"want a whole number, 0 or more|want one for each"):
        edgain(lattice.cluster, held_out(lattice), nearest=nearest)
