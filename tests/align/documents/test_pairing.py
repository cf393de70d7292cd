"""Pairing of documents by their contents."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import numpy as np
import pytest

from bitext.align.documents import pair_documents
from bitext.model import Text


def documents(count, *, sentences=14, seed=1, shared=True):
    """Made documents and translations: lengths are similar, words only where `shared`."""
    chance = random.Random(seed)
    src, tgt = [], []
    for number in range(count):
        one, two = [], []
        for _ in range(sentences):
            size = chance.randint(2, 16)
            one.append(" ".join(chance.choice(["sol", "mar", "luz", "pan"]) for _ in range(size)))
            two.append(" ".join(chance.choice(["дом", "лес", "мох", "сон"]) for _ in range(size)))
            if shared and chance.random() < 0.3:
                one[-1] += f" {number + 31}{chance.randint(1, 3)}"
                two[-1] += f" {one[-1].split()[-1]}"
            end = chance.choice(".?!")
            one[-1] += end
            two[-1] += end
        src.append(Text(one))
        tgt.append(Text(two))
    return src, tgt


@pytest.mark.parametrize("shared", [True, False])
def test_documents_are_paired_in_any_order_and_the_missing_ones_left_over(shared):
    src, tgt = documents(9, shared=shared)
    order = [4, 0, 8, 2, 7, 1, 3]
    pairing = pair_documents(src[1:], [tgt[k] for k in order])
    assert {(pair.src + 1, order[pair.tgt]) for pair in pairing.pairs} == {
        (k, k) for k in order if k
    }
    assert min(pair.probability for pair in pairing.pairs) > 0.8
    assert not pairing.in_order


def test_documents_in_order_keep_it():
    src, tgt = documents(8, sentences=5, shared=False, seed=4)
    pairing = pair_documents(src, tgt[:3] + tgt[4:])
    places = [pair.tgt for pair in pairing.pairs]
    assert pairing.in_order
    assert places == sorted(places)
    right = [pair for pair in pairing.pairs if pair.src == pair.tgt + (pair.tgt > 2)]
    assert len(right) == len(pairing.pairs) > 3


def solutions(rows, columns):
    """Every set of pairs in which each row and column is once at most."""
    for size in range(min(rows, columns) + 1):
        for some in combinations(range(rows), size):
            for others in permutations(range(columns), size):
                yield list(zip(some, others, strict=True))


@pytest.mark.parametrize("seed", range(6))
def test_the_pairs_are_the_best_of_all_solutions(seed):
    """The oracle: all solutions, those in order with the prior of one order among all."""
    src, tgt = documents(4, sentences=4, seed=seed)
    chance = random.Random(seed)
    chance.shuffle(tgt)
    pairing = pair_documents(src, tgt[: chance.randint(3, 4)])

    def total(pairs):
        return sum(pairing.score[pair] for pair in pairs)

    every = list(solutions(*pairing.score.shape))
    ordered = [pairs for pairs in every if [t for _, t in pairs] == sorted(t for _, t in pairs)]
    best = max(ordered if pairing.in_order else every, key=total)
    assert total([pair[:2] for pair in pairing.pairs]) == pytest.approx(total(best), abs=0.01)
    assert all(0 < pair.probability <= 1 for pair in pairing.pairs)


def test_texts_that_are_no_translations_and_empty_sides_are_not_paired():
    src, tgt = documents(2)
    assert pair_documents(src[:1], tgt[1:]).pairs == []
    assert pair_documents([], tgt).pairs == []
    assert pair_documents([Text([])], [Text([""]), *tgt]).pairs == []
    assert pair_documents([Text(["One."])], [Text(["Zwei."])]).pairs == []


def test_the_order_of_documents_changes_no_score():
    src, tgt = documents(6, sentences=6)
    order = [3, 1, 5, 0, 4, 2]
    score = pair_documents(src, tgt).score
    other = pair_documents([src[k] for k in order], tgt).score
    np.testing.assert_allclose(other, score[order], atol=1e-6)
