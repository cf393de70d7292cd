"""Training of word links, beside plain loops over words and paths."""

import tracemalloc

import numpy as np
import pytest

from bitext.align.links.corpus import number
from bitext.align.links.evidence import BlockCounts, summed
from bitext.align.links.similarity import CLASSES
from bitext.align.links.training import train
from bitext.kernels.word_links import JUMPS
from tests.reference.word_links_slow import slow_scores

PAIRS = [
    ("the house", "la maison"),
    ("the houses .", "les maisons ."),
    ("a table", "une table"),
    ("the 2 tables", "2 tables"),
    ("the .", "."),
]


def _words(pairs):
    return [number(pair[way] for pair in pairs) for way in (0, 1)]


def _scores(pairs, **options):
    parts = list(train(*_words(pairs), **options).links(1e-9))
    return [
        {
            (i, j): score
            for i, j, score in zip(
                one.src.tolist(), one.tgt.tolist(), one.confidences.tolist(), strict=True
            )
        }
        for links in parts
        for one in links
    ]


@pytest.mark.parametrize("passes", [(False,), (True,), (False, False, True, True)])
def test_scores_are_those_of_plain_loops(passes):
    slow = slow_scores([tuple(side.split() for side in pair) for pair in PAIRS], passes)
    for mine, other in zip(_scores(PAIRS, first=passes), slow, strict=True):
        for cell, score in other.items():
            if cell in mine:
                assert mine[cell] == pytest.approx(score, abs=2e-4)
            else:  # less than half the score of another link of the two words
                rivals = [other[c] for c in other if (c[0] == cell[0]) != (c[1] == cell[1])]
                assert score < max(rivals) / 2 + 2e-4


def test_several_blocks_give_each_pair_its_links_in_order():
    pairs = [("", "x"), *PAIRS * 3, ("y", ""), *PAIRS * 3, ("", "")]
    whole, parts = _scores(pairs), _scores(pairs, cells=40)
    assert len(whole) == len(parts) == len(pairs)
    assert (parts[0], parts[16], parts[-1]) == ({}, {}, {})
    for mine, other in zip(whole, parts, strict=True):
        links = [{cell for cell, score in each.items() if score > 0.3} for each in (mine, other)]
        assert links[0] == links[1]
        assert max(other.values(), default=1) > 0.5


def test_blocks_in_any_order_or_trained_before_give_the_same_links():
    pairs = [*PAIRS * 3, ("the cat", "le chat"), *PAIRS * 3, ("a cat .", "un chat .")]
    counts = {}

    def turned(kind, work, numbers):
        assert kind == "count"
        counts.update({k: work(k) for k in reversed(numbers)})
        return (counts[k] for k in numbers)

    assert _scores(pairs, cells=40) == _scores(pairs, cells=40, each=turned)
    assert sorted(counts) == [*range(len(counts))] != []
    total = summed(counts[k] for k in sorted(counts))

    def known(_kind, _work, numbers):
        return (counts[k] for k in numbers)

    assert _scores(pairs, cells=40) == _scores(pairs, cells=40, each=known, counts=total)


def test_the_sum_of_counts_is_that_of_a_dictionary():
    random = np.random.default_rng(5)
    parts, wanted = [], {}
    for size in (4, 0, 7, 5, 1):
        key = np.sort(random.choice(12, size, replace=False)).astype(np.int64)
        links = random.integers(1, 9, size).astype(np.float32)
        words = key.astype(np.int32), links.astype(np.float64)
        jumps, classes, near = np.ones((2, JUMPS)), np.ones((3, 3, 4)), np.ones((2, CLASSES))
        none = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.float16)
        parts.append(BlockCounts(key, links, *words, *words, jumps, classes, near, *none))
        for k, value in zip(key.tolist(), links.tolist(), strict=True):
            wanted[k] = wanted.get(k, 0) + value
    for count in range(1, 6):
        some = {k for part in parts[:count] for k in part.key.tolist()}
        assert summed(parts[:count]).key.tolist() == sorted(some)
    total = summed(parts)
    assert dict(zip(total.key.tolist(), total.links.tolist(), strict=True)) == wanted
    assert dict(zip(total.src.tolist(), total.src_links.tolist(), strict=True)) == wanted
    assert (total.jumps == 5).all()
    assert (total.classes == 5).all()
    assert (total.near == 5).all()


def test_a_word_pair_is_no_evidence_for_itself():
    """Words that occur once are linked by position and prior alone, however many passes."""
    (few,) = _scores([("aaa bbb ccc ddd", "eee fff ggg hhh")])
    assert max(few.values()) < 0.9


def test_the_order_of_pairs_does_not_matter():
    turned = _scores(PAIRS[::-1])[::-1]
    for mine, other in zip(_scores(PAIRS), turned, strict=True):
        assert mine.keys() == other.keys()
        assert np.allclose([mine[c] for c in mine], [other[c] for c in mine], atol=1e-4)


def _peak_memory(pairs):
    """The largest memory of training and linking, in blocks of 250 pairs."""
    chosen = np.random.default_rng(1).zipf(1.3, (pairs, 20)) % 3000
    words = [number([[f"{side}{k}" for k in row] for row in chosen.tolist()]) for side in "st"]
    tracemalloc.start()
    try:
        trained = train(*words, cells=100_000)
        assert len(trained.runs) == pairs // 250
        assert sum(links.src.size for links in trained.links(0.3)) > 15 * pairs
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_hardly_grows_with_the_number_of_blocks():
    few, many = _peak_memory(500), _peak_memory(1250)
    assert many < 1.15 * few
