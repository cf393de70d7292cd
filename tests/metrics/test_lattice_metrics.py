"""The figures of a lattice, one by one and over clusters."""

from math import isnan

import pytest
from hypothesis import given

from bitext.errors import InputError, OptionError
from bitext.metrics.lattice_metrics import (
    compression,
    lattice_figures,
    ngram_novelty,
    over_clusters,
    path_novelty,
    trigram_novelty,
)
from bitext.model import Cluster, Lattice, Ratio, Sentence
from reference import lattice_figures_slow as slow


def lattice(*sentences, groups):
    return Lattice(Cluster([Sentence(words.split()) for words in sentences]), groups)


MILAN = {"groups": [[1, 2, 3], [4, 5, 6, 1]]}


def test_the_other_apostrophe_makes_no_sequence_novel():
    made = lattice("it ’s burning now", "it 's burning today", groups=[[1, 2, 4, 5], [1, 3, 4, 6]])
    assert trigram_novelty(made) == Ratio(0, 8)
    assert ngram_novelty([["it", "'s", "burning", "now"]], made.cluster).value == 0


@given(slow.lattices())
def test_novelty_is_counted_over_all_paths(drawn):
    paths = slow.paths(drawn)
    inputs = {tuple(drawn.paths.row(k).tolist()) for k in range(len(drawn.cluster))}
    assert path_novelty(drawn) == Ratio(sum(tuple(p) not in inputs for p in paths), len(paths))
    assert trigram_novelty(drawn) == Ratio(*slow.trigrams(drawn))
    words = [slow.spelled(drawn, path) for path in paths]
    if all(drawn.form(n) == t.form for n in range(len(drawn)) for t in drawn.tokens(n)):
        assert ngram_novelty(words, drawn.cluster) == trigram_novelty(drawn)
        assert ngram_novelty(words, drawn.cluster, n=2).numerator == 0


@given(slow.lattices())
def test_blocks_of_any_size_give_the_same_novelty(drawn):
    assert trigram_novelty(drawn, at_once=2) == trigram_novelty(drawn)


@given(slow.lattices())
def test_sizes_and_compression(drawn):
    found = lattice_figures(drawn)
    assert found.paths == len(slow.paths(drawn))
    assert found.nodes == len({n for path in slow.paths(drawn) for n in path})
    assert found.arcs == sum(map(len, drawn.successors()))
    assert found.compression == compression(drawn) == Ratio(found.words - found.nodes, found.words)
    assert 0 <= found.compression.value < 1


def test_the_published_automaton():
    found = lattice_figures(lattice("Milan is beautiful", "I went to Milan", **MILAN))
    figures = {figure.name: figure.value for figure in found.all()}
    # paths: Milan; Milan is beautiful; I went to Milan; I went to Milan is beautiful
    assert (figures["nodes"], figures["arcs"], figures["paths"]) == (6, 9, 4)
    assert figures["compression"] == 1 / 7
    assert figures["path-novelty"] == 2 / 4
    # 0 + 1 + 2 + 4 trigrams, of which "to Milan is" is new
    assert figures["trigram-novelty"] == 1 / 7
    assert figures["repetition-ratio"] == 0


def test_names_and_order_and_what_may_be_missing():
    made = lattice("a b", "a c", groups=[[1, 2], [1, 3]])
    plain = [figure.name for figure in lattice_figures(made).all()]
    assert plain == [
        *("sentences", "words", "nodes", "arcs", "paths"),
        *("compression", "path-novelty", "trigram-novelty", "repetition-ratio"),
    ]
    single = [Lattice(Cluster([made.cluster[k]]), [[1, 2]]) for k in (1, 0)]
    full = lattice_figures(made, held_out=single, gold=made)
    assert [figure.name for figure in full.all()][len(plain) :] == [
        *("edgain", "edgain-per-word", "edits-saved"),
        *("link-precision", "link-recall", "link-f1"),
    ]
    assert full.links.f1 == 1
    assert isnan(full.trigram_novelty.value)


def test_the_signature_tells_what_was_drawn_and_left_out():
    made = lattice("tom saw him", "he saw tom", groups=[[1, 2, 3], [4, 2, 5]])
    assert "|repetition:exact|bitext:" in lattice_figures(made, seed=7).signature
    drawn = lattice_figures(made, steps=0, draws=50, seed=7, leave_out={"the"})
    assert "|repetition:50-paths|seed:7|left-out:1-words|bitext:" in drawn.signature
    assert not {figure.name: figure.exact for figure in drawn.all()}["repetition-ratio"]


def test_over_clusters_sizes_add_and_shares_of_paths_count_alike():
    one = lattice("tom saw him", "he saw tom", groups=[[1, 2, 3], [4, 2, 5]])
    other = lattice("a b", "a b", groups=[[1, 2], [1, 2]])
    both = [lattice_figures(made, gold=made) for made in (one, other)]
    found = {figure.name: figure for figure in over_clusters(both)}
    assert (found["words"].value, found["words"].average) == (10, "sum")
    assert found["paths"].value == 5
    assert (found["compression"].value, found["compression"].average) == (3 / 10, "micro")
    assert (found["repetition-ratio"].value, found["repetition-ratio"].average) == (1 / 8, "macro")
    assert found["trigram-novelty"].value == both[0].trigram_novelty.value  # the other has none
    assert found["link-f1"].value == 1
    single = [Lattice(Cluster([other.cluster[k]]), [[1, 2]]) for k in (1, 0)]
    mixed = over_clusters([both[0], lattice_figures(other, held_out=single)])
    assert "edgain" not in {figure.name for figure in mixed}
    twice = over_clusters([lattice_figures(other, held_out=single)] * 2)
    assert {figure.name: figure.value for figure in twice}["edgain"] == 0


def test_ngrams_are_of_words_casefolded():
    cluster = Cluster([Sentence(["Fires", "burn", "."])])
    assert ngram_novelty([["fires", "BURN", "."]], cluster) == Ratio(0, 1)
    assert ngram_novelty([["burn", "fires"]], cluster, n=1) == Ratio(0, 2)
    assert ngram_novelty([["burn", "fires"]], cluster, n=2) == Ratio(1, 1)
    assert ngram_novelty([["burn"]], cluster).undefined == "no sentence has 3 words"
    with pytest.raises(OptionError, match="sequences of 0 words"):
        ngram_novelty([], cluster, n=0)
    with pytest.raises(InputError, match="a sentence is 'fires burn': want a list of its words"):
        ngram_novelty(["fires burn"], cluster)
