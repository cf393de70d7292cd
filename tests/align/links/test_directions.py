"""Links of each direction, their posteriors, and links symmetrised from both."""

import random
import sys

import numpy as np
import pytest

from bitext.align import link_corpus, link_words, symmetrise
from bitext.align.links.corpus import number
from bitext.align.links.directions import METHODS, directed_links_of
from bitext.align.links.training import train
from bitext.errors import OptionError
from bitext.kernels.word_links import METHODS as GROWN
from tests.reference.linked_pairs import PAIRS, SRC, TGT
from tests.reference.word_links_slow import slow_posteriors


@pytest.fixture(scope="module")
def both():
    return [link_words(SRC, TGT, symmetrise=way, min_score=0.1) for way in ("forward", "backward")]


@pytest.mark.parametrize("passes", [(False,), (False, False, True, True)])
def test_the_posteriors_of_a_direction_are_those_of_plain_loops(passes):
    _, slow = slow_posteriors([tuple(side.split() for side in pair) for pair in PAIRS], passes)
    words = [number(pair[way] for pair in PAIRS) for way in (0, 1)]
    trained = train(*words, first=passes)
    for way, method in enumerate(("forward", "backward")):
        assert len(trained.runs) == 1
        links, directions = directed_links_of(trained, 0, method, 1e-9)
        assert links.confidences == pytest.approx(directions[way])
        seen = 0
        for k, pair in enumerate(links):
            best = {}
            for cell, value in slow[k][way].items():
                said = cell[1 - way]
                best[said] = max(best.get(said, (0.0, None)), (value, cell))
            for i, j, value in zip(pair.src, pair.tgt, pair.confidences, strict=True):
                assert slow[k][way][int(i), int(j)] == pytest.approx(value, abs=2e-4)
                assert best[int((i, j)[1 - way])][0] == pytest.approx(value, abs=2e-4)
                seen += 1
        assert seen == sum(len(pair[1 - way].split()) for pair in PAIRS)


def test_a_word_of_a_direction_has_one_link_at_most(both):
    forward, backward = both
    for links, said in ((forward, forward.tgt), (backward, backward.src)):
        rows = set(zip(links.pair.tolist(), said.tolist(), strict=True))
        assert len(rows) == said.size
        assert links.confidences.min() >= np.float32(0.1)
        assert (links.src_sizes.tolist(), links.tgt_sizes.tolist()) == (
            [len(s.split()) for s in SRC],
            [len(t.split()) for t in TGT],
        )


@pytest.mark.parametrize("method", [*GROWN, "grow-diag:target-rows"])
def test_other_methods_combine_both_directions_as_symmetrise_does(both, method):
    mine = link_words(SRC, TGT, symmetrise=method, min_score=0.1)
    assert mine == symmetrise(*both, method=method)
    assert 0 < mine.confidences.min() <= mine.confidences.max() <= 1


def test_the_product_is_the_default_and_has_its_posteriors_when_asked():
    plain = link_corpus(SRC, TGT)
    assert plain.directions is None
    corpus = link_corpus(SRC, TGT, symmetrise="product", directions=True)
    assert corpus.links == plain.links == link_words(SRC, TGT)
    assert corpus.links.confidences.tolist() == plain.links.confidences.tolist()
    forward, backward = corpus.directions
    assert np.sqrt(forward * backward) == pytest.approx(plain.links.confidences, abs=1e-6)
    assert link_corpus([], [], directions=True).directions.forward.size == 0


def test_ordinary_runs_compute_no_directions(monkeypatch):
    def unwanted(*_):
        raise AssertionError("directions were computed")

    monkeypatch.setattr(sys.modules[link_corpus.__module__], "directed_links_of", unwanted)
    assert link_corpus(SRC, TGT, explain=[(0, 0, 0)]).directions is None
    with pytest.raises(AssertionError):
        link_corpus(SRC, TGT, directions=True)


@pytest.mark.parametrize("method", METHODS)
def test_several_blocks_and_pairs_without_cells_keep_their_places(method):
    src, tgt = ["", *SRC, "x", ""], ["y", *TGT, "", ""]
    words = number(src), number(tgt)
    trained = train(*words, cells=40)
    parts = [directed_links_of(trained, k, method, 0.2) for k in range(len(trained.runs))]
    assert len(parts) > 3
    assert sum(len(links) for links, _ in parts) == len(src)
    for links, directions in parts:
        assert links.src.size == directions.forward.size == directions.backward.size
        for k, pair in enumerate(links, sum(len(one) for one, _ in parts[: _index(parts, links)])):
            assert max(pair.src, default=-1) < len(src[k].split())
            assert max(pair.tgt, default=-1) < len(tgt[k].split())


def _index(parts, links):
    return next(k for k, (one, _) in enumerate(parts) if one is links)


@pytest.mark.parametrize("method", ["product", "forward"])
def test_probabilities_are_1_at_most(method):
    draw = random.Random(2)
    numbers = [
        [min(int(draw.paretovariate(0.7)), 300) for _ in range(draw.randint(2, 20))]
        for _ in range(400)
    ]
    words = [[" ".join(f"{side}{k}" for k in row) for row in numbers] for side in "vw"]
    links = link_words(*words, symmetrise=method)
    assert 0.999 < links.confidences.max() <= 1.0


def test_unknown_ways_to_symmetrise_are_refused_with_the_nearest():
    with pytest.raises(OptionError, match=r"'foward'; did you mean forward\?; want one of product"):
        link_words(["a"], ["b"], symmetrise="foward")
    for name in ("", "union:target-rows", "forward:target-rows"):
        with pytest.raises(OptionError, match="there is no way to symmetrise called"):
            link_corpus(["a"], ["b"], symmetrise=name)
