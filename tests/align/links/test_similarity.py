"""Word links by the similarity of vectors: each extraction, and the evidence in training."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bitext.align import link_by_vectors, link_corpus, link_words
from bitext.align.links.corpus import block_of, blocks, cut, number
from bitext.align.links.similarity import (
    CLASSES,
    EXTRACTIONS,
    Nearness,
    itermax,
    mutual_argmax,
    near_lifts,
    nearness,
    similarities,
)
from bitext.align.links.similarity import entmax as entmax_links
from bitext.align.links.similarity import softmax as softmax_links
from bitext.align.links.training import train
from bitext.align.links.vectors import word_vectors
from bitext.errors import InputError, OptionError
from tests.reference import similarity_slow as slow
from tests.reference.draw import numbers

_SIZE = st.integers(1, 6)
_VALUES = [k / 64 for k in range(-64, 65)]
_VALUES += [float("nan")] * len(_VALUES)


@st.composite
def _matrices(draw):
    rows, columns = draw(_SIZE), draw(_SIZE)
    cells = draw(numbers(len(_VALUES), least=rows * columns, most=rows * columns))
    values = [_VALUES[k] for k in cells]
    return np.array(values, dtype=np.float32).reshape(rows, columns)


def _cells(mask):
    return {(int(i), int(j)) for i, j in zip(*np.nonzero(mask), strict=True)}


@given(_matrices())
@settings(max_examples=300)
def test_argmax_and_itermax_are_those_of_plain_python(similar):
    assert _cells(mutual_argmax(similar)) == slow.mutual_argmax(similar.tolist())
    assert _cells(itermax(similar)) == slow.itermax(similar.tolist())


@given(_matrices(), st.sampled_from([0.0, 0.1, 0.4]))
@settings(max_examples=300)
def test_softmax_and_entmax_are_those_of_plain_python(similar, least):
    for links, function in ((softmax_links, slow.softmax), (entmax_links, slow.entmax)):
        known = [[-60.0 if np.isnan(v) else 30 * v for v in row] for row in similar.tolist()]
        ahead = [function(row) for row in known]
        behind = [function(list(column)) for column in zip(*known, strict=True)]
        got = links(similar, least)
        assert (got[np.isnan(similar)] == 0).all()
        ahead, behind = np.array(ahead), np.array(behind).T
        both = np.minimum(ahead, behind)
        wanted = np.where(both > least, (ahead * behind) ** 0.5, 0)
        clear = ~np.isnan(similar) & (abs(both - least) > 1e-5)
        assert_allclose(got[clear], wanted[clear], rtol=0, atol=1e-4, equal_nan=False)


@given(_matrices())
@settings(max_examples=300)
def test_nearness_is_that_of_plain_python(similar):
    wanted = np.array(slow.nearness(similar.tolist()))
    np.testing.assert_allclose(nearness(similar), wanted, atol=1e-6)


def test_the_example_of_itermax_links_a_word_twice():
    # Jalili Sabet and others (2020), section 2.2: other links of a linked word have a discount.
    similar = np.array(
        [[0.8, 0.75, 0.1, 0.0], [0.1, 0.1, 0.9, 0.2], [0.0, 0.1, 0.2, 0.7]], dtype=np.float32
    )
    assert _cells(mutual_argmax(similar)) == {(0, 0), (1, 2), (2, 3)}
    assert _cells(itermax(similar)) == {(0, 0), (1, 2), (2, 3)}  # no free source word is left
    less = np.concatenate([similar, [[0.7, 0.2, 0.0, 0.1]]]).astype(np.float32)
    assert _cells(itermax(less)) == {(0, 0), (1, 2), (2, 3), (0, 1), (3, 0)}


def test_entmax_leaves_most_words_out_and_sums_to_one():
    similar = np.array([[0.5, 0.45, 0.1]], dtype=np.float32)
    # z = (7.5, 6.75, 1.5): the threshold tau of two is m - sqrt((1 - d) / 2), with m = 7.125.
    tau = 7.125 - ((1 - 2 * 0.375**2) / 2) ** 0.5
    ahead = (7.5 - tau) ** 2, (6.75 - tau) ** 2
    assert sum(ahead) == pytest.approx(1)
    got = entmax_links(similar, 0.0)
    assert got[0].tolist() == pytest.approx([ahead[0] ** 0.5, ahead[1] ** 0.5, 0], abs=1e-5)


_SRC = ["a dog sleeps", "", "the dog", "a cat"]
_TGT = ["ein Hund schläft", "nichts", "der Hund", "eine Katze"]


def _vectors(seed=0):
    """Return vectors in which words and their translations are near each other."""
    random = np.random.default_rng(seed)
    pairs = {"a": "ein", "dog": "hund", "sleeps": "schläft", "the": "der", "cat": "katze"}
    src = {word: random.standard_normal(8) for word in pairs}
    tgt = {pairs[word]: vector + 0.1 * random.standard_normal(8) for word, vector in src.items()}
    tgt["eine"] = tgt["ein"]
    return src, tgt


@pytest.mark.parametrize("extract", EXTRACTIONS)
def test_translations_with_like_vectors_are_linked(extract):
    links = link_by_vectors(_SRC, _TGT, _vectors(), extract=extract)
    assert [_pairs(pair) for pair in links] == [
        [(0, 0), (1, 1), (2, 2)],
        [],
        [(0, 0), (1, 1)],
        [(0, 0), (1, 1)],
    ]
    assert links.src_sizes.tolist() == [3, 0, 2, 2]
    assert ((links.confidences > 0) & (links.confidences <= 1)).all()


def _pairs(pair):
    return list(zip(pair.src.tolist(), pair.tgt.tolist(), strict=True))


@given(st.integers(0, 1000))
@settings(max_examples=20)
def test_similarities_are_cosines_about_the_mean(seed):
    random = np.random.default_rng(seed)
    src, tgt = (
        [random.standard_normal((n, 3)).astype(np.float32) for n in (2, 1, 3)] for _ in range(2)
    )
    words = [["x"] * 2, ["x"], ["x"] * 3]
    sides = [word_vectors(side, words, name="side") for side in (src, tgt)]
    units = [[row / np.linalg.norm(row) for rows in side for row in rows] for side in (src, tgt)]
    means = [np.mean(side, axis=0).tolist() for side in units]
    for got, left, right in zip(similarities(*sides, 3), src, tgt, strict=True):
        wanted = slow.cosines(left.tolist(), right.tolist(), (means[0], means[1]))
        np.testing.assert_allclose(got, wanted, atol=1e-4)


def test_scores_bound_the_links():
    all_links = link_by_vectors(_SRC, _TGT, _vectors(), min_score=-1)
    assert link_by_vectors(_SRC, _TGT, _vectors(), min_score=1).src.size == 0
    some = link_by_vectors(_SRC, _TGT, _vectors(), min_score=0.99)
    assert some.src.size < all_links.src.size
    assert (some.confidences >= 0.99).all()


def test_wrong_extractions_scores_and_sides_are_refused():
    with pytest.raises(OptionError, match=r"called 'argmax'.*want one of mutual-argmax, itermax"):
        link_by_vectors(_SRC, _TGT, _vectors(), extract="argmax")
    for score in (2, -1.5, "0.3", float("nan")):
        with pytest.raises(OptionError, match="want a number from -1 to 1"):
            link_by_vectors(_SRC, _TGT, _vectors(), min_score=score)
    with pytest.raises(InputError, match="4 source sentences and 3 target sentences"):
        link_by_vectors(_SRC, _TGT[:3], _vectors())
    with pytest.raises(InputError, match="want an encoder, or those of the source"):
        link_by_vectors(_SRC, _TGT, ("a", "b", "c"))
    with pytest.raises(InputError, match="want an encoder, or those of the source"):
        link_by_vectors(_SRC, _TGT, "vectors.npy")
    src, tgt = _vectors()
    short = {word: vector[:5] for word, vector in tgt.items()}
    with pytest.raises(InputError, match="source has vectors of 8 dimensions, target of 5"):
        link_by_vectors(_SRC, _TGT, (src, short))
    for links in (link_words, link_by_vectors):
        with pytest.raises(InputError, match="want a string, or a list of tokens"):
            links([["a", 5]], [["b", "c"]], vectors=(src, tgt))
        with pytest.raises(InputError, match="one string is no corpus"):
            links("a", ["b"], vectors=(src, tgt))


# Evidence in training.


def _name(k, letters):
    """Return a word of four letters; those of two sides have none in common."""
    return "".join(letters[(k >> shift) & 3] for shift in (6, 4, 2, 0))


def _corpus(pairs, words=40, seed=3):
    """Return sentence pairs in random order of words, the links, and vectors of both sides."""
    random = np.random.default_rng(seed)
    src, tgt, gold = [], [], []
    for _ in range(pairs):
        some = random.choice(words, 5, replace=False)
        order = random.permutation(5)
        src.append(" ".join(_name(k, "abcd") for k in some))
        tgt.append(" ".join(_name(some[k], "wxyz") for k in order))
        gold.append({(int(i), j) for j, i in enumerate(order)})
    space = random.standard_normal((words, 6))
    return (
        src,
        tgt,
        gold,
        (
            {_name(k, "abcd"): space[k] for k in range(words)},
            {
                _name(k, "wxyz"): row + 0.4 * random.standard_normal(6)
                for k, row in enumerate(space)
            },
        ),
    )


def _right(links, gold):
    return sum(len(set(_pairs(pair)) & own) for pair, own in zip(links, gold, strict=True))


def test_vectors_help_where_pairs_are_few():
    src, tgt, gold, vectors = _corpus(12)
    alone, helped = link_words(src, tgt), link_words(src, tgt, vectors=vectors)
    assert _right(helped, gold) == sum(map(len, gold)) >= _right(alone, gold) + 5
    assert _right(helped, gold) >= 57


def test_vectors_that_say_nothing_do_little_harm():
    src, tgt, gold, vectors = _corpus(150)
    random = np.random.default_rng(9)
    noise = tuple({word: random.standard_normal(6) for word in side} for side in vectors)
    alone, disturbed = link_words(src, tgt), link_words(src, tgt, vectors=noise)
    assert _right(disturbed, gold) >= 0.95 * _right(alone, gold)


def test_words_without_vectors_are_linked_as_without_any():
    src, tgt, _, vectors = _corpus(60)
    dim = np.ones(6)
    lone = {"zz": dim, src[0].split()[0]: vectors[0][src[0].split()[0]]}, {"zz": dim, "yy": dim}
    with pytest.raises(InputError, match="target: has no word of the text"):
        link_words(src, tgt, vectors=lone)
    some = lone[0], {tgt[0].split()[0]: dim}
    assert link_words(src, tgt, vectors=some).src.size > 0


def test_the_lexicon_is_learned_with_vectors_too():
    src, tgt, _, vectors = _corpus(30)
    lines = list(link_corpus(src, tgt, vectors=vectors).lexicon.lines())
    assert any(line.split()[:2] == ["aaab", "wwwx"] for line in lines)


def test_classes_of_cells_do_not_depend_on_blocks_and_pieces():
    # A sentence above 500 words is cut; every cell keeps the class that it has in its pair.
    random = np.random.default_rng(5)
    sizes = [(3, 4), (0, 2), (1200, 700), (2, 2)]
    sides = [[[f"w{k}" for k in range(pair[side])] for pair in sizes] for side in (0, 1)]
    rows = [[random.standard_normal((len(words), 4)) for words in side] for side in sides]
    both = [word_vectors(r, s, name="side") for r, s in zip(rows, sides, strict=True)]
    whole = list(similarities(both[0], both[1], 4))
    words = number(sides[0]), number(sides[1])
    made = Nearness.of(iter(whole), [np.diff(side.ptr) for side in words])
    pieces = cut(*words)
    for cells in (10, 1 << 25):
        for run in blocks(pieces, cells):
            block = block_of(pieces, run, *words)
            weight = np.ones(block.cells.size, dtype=np.float32)
            own = made.of_block(pieces, block, weight)
            assert own.chance.sum() == block.cells.size
            for batch in block.batches:
                grid = own.classes[batch.cells].reshape(batch.shape)
                for row, piece in enumerate(batch.piece):
                    pair = int(pieces.pair[piece])
                    (i, j), (n, m) = pieces.offset[:, piece], pieces.size[:, piece]
                    near = nearness(whole[pair])[i : i + n, j : j + m]
                    wanted = np.clip(np.floor((near + 1) * 32), 0, 63) + 1
                    assert (grid[row, :n, :m] == wanted).all()
                    assert not grid[row, n:].any()
                    assert not grid[row, :, m:].any()


def test_lifts_are_ratios_shrunk_to_one_and_none_without_vectors():
    chance, links = np.zeros(CLASSES), np.zeros(CLASSES)
    chance[:4], links[:4] = (50, 100, 100, 0), (50, 10, 90, 0)
    lifts = near_lifts(links, chance)
    assert lifts[0] == 1
    # The rate is 0.5; each class has a third of its own counts, and 2 and 1 ninths of neighbours'.
    few = 0.3 * 0.5
    assert lifts[1:5] == pytest.approx(
        [
            ((3 * 10 + 2 * 90) / 9 + few) / ((3 * 50 + 2 * 50) / 9 + few),
            ((2 * 10 + 3 * 90) / 9 + few) / ((2 * 50 + 3 * 50) / 9 + few),
            ((10 + 2 * 90) / 9 + few) / ((50 + 2 * 50) / 9 + few),
            (90 / 9 + few) / (50 / 9 + few),
        ]
    )
    assert lifts[5:] == pytest.approx(1)
    assert (near_lifts(np.zeros(CLASSES), chance) == 1).all()


def test_links_with_vectors_in_many_blocks_are_as_good():
    src, tgt, gold, vectors = _corpus(60)
    words = number(src), number(tgt)
    sides = [
        word_vectors(given, [line.split() for line in side], name="side")
        for given, side in zip(vectors, (src, tgt), strict=True)
    ]
    near = Nearness.of(similarities(*sides, 60), [np.diff(side.ptr) for side in words])
    found = []
    for cells in (1 << 25, 300):
        trained = train(*words, near=near, cells=cells)
        found.append(sum(_right(part, gold[k : k + len(part)]) for k, part in _numbered(trained)))
    assert found[1] >= 0.9 * found[0] >= 0.9 * 0.9 * 300


def _numbered(trained):
    first = 0
    for links in trained.links(0.3):
        yield first, links
        first += len(links)
