"""Scores of pairs of strings by lexicons and by vectors."""

import random

import numpy as np
import pytest

from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.align.sentences.pair_scores import LexiconScores, VectorScores, learned_lexicons
from bitext.errors import FormatError, InputError
from bitext.kernels.arrays import Rows

ENDS = [f"{a}{b}{c}" for a in "rst" for b in "aeiou" for c in "klmn"]
WORDS = [f"{begin}{end}" for begin in ("ba", "de") for end in ENDS]
OTHERS = [f"{word[::-1]}u" for word in WORDS]


def sentences(number, seed=7):
    draw = random.Random(seed)
    pairs = []
    for _ in range(number):
        chosen = draw.choices(range(len(WORDS)), k=16)
        pairs.append((" ".join(WORDS[k] for k in chosen), " ".join(OTHERS[k] for k in chosen)))
    return [list(side) for side in zip(*pairs, strict=True)]


@pytest.fixture(scope="module")
def lexicon():
    return Lexicon.of_entries(zip(WORDS, OTHERS, strict=True))


def test_a_corpus_that_is_its_own_lexicon():
    src, tgt = sentences(300)
    half = tgt[1][: len(tgt[1]) // 2] + tgt[2][len(tgt[2]) // 2 :]
    src += [src[0], src[1]]
    tgt += [tgt[5], half]
    scores = learned_lexicons([(src[:200], tgt[:200]), (src[200:], tgt[200:])])
    values = scores(src, tgt).min(axis=0)
    assert values[:300].min() > 0.9
    assert values[300:].max() < 0.5


def test_too_small_a_corpus():
    with pytest.raises(InputError, match="too few bisegments to learn a lexicon from"):
        learned_lexicons([sentences(50)])


def test_parts_do_not_change_scores(lexicon):
    src, tgt = sentences(40)
    scores = LexiconScores(lexicon)
    parts = [scores(src[k : k + 7], tgt[k : k + 7]) for k in range(0, 40, 7)]
    np.testing.assert_array_equal(np.concatenate(parts, axis=1), scores(src, tgt))


def test_strings_of_unknown_words_have_no_score(lexicon):
    assert np.isnan(LexiconScores(lexicon)(["zyx", "", WORDS[0]], ["xyz", OTHERS[0], ""])).all()
    dictionary = LexiconScores(lexicon, is_dictionary=True)
    assert np.isnan(dictionary(["zyx"], ["xyz"])).all()


def test_lexicons_that_do_not_fit(lexicon):
    src, tgt = sentences(50)
    assert LexiconScores(lexicon).check(src, tgt)
    assert not LexiconScores(lexicon).check(src[:9], tgt[:9])
    with pytest.raises(InputError, match=r"a\.lexicon: is in the wrong direction"):
        LexiconScores(lexicon, name="a.lexicon").check(tgt, src)
    with pytest.raises(InputError, match="knows 0% of the words of the target: name one of these"):
        LexiconScores(lexicon).check(src, src)
    with pytest.raises(InputError, match="holds no pair of words"):
        LexiconScores(Lexicon.of_entries([]))


def test_inflected_forms_of_a_dictionary():
    entries = Lexicon.of_entries([("hund", "chien"), ("haus", "maison"), ("wasser", "eau")])
    scores = LexiconScores(entries, is_dictionary=True)
    same, other = scores(["Hunde Hauses", "Hunde Hauses"], ["chiens maisons", "eau eau"]).T
    assert same.min() > 0.85 > other.min()


@pytest.fixture
def files(tmp_path):
    def write(*arrays):
        paths = [str(tmp_path / f"{k}.npy") for k in range(len(arrays))]
        for path, array in zip(paths, arrays, strict=True):
            np.save(path, np.array(array, dtype=np.float32))
        return paths

    return write


def rows(*groups):
    ptr = np.cumsum([0, *map(len, groups)])
    return Rows(ptr, np.array([k for group in groups for k in group], dtype=np.int64))


def test_similarity_of_vectors(files):
    one = np.random.default_rng(5).normal(size=(6, 16))
    scores = VectorScores(*files(one, one))
    each = rows([0], [1, 2], [])
    filled = np.array([True, True, False])
    same, pair, blank = scores(each, each, filled)
    assert (same, pair) == (pytest.approx(1), pytest.approx(1))
    assert np.isnan(blank)
    assert scores(rows([0]), rows([3]), np.array([True]))[0] < 0.6


def test_vectors_that_do_not_fit(files):
    two = files(np.eye(3), np.eye(4))
    with pytest.raises(FormatError, match=r"has 4 dimensions, and .*0.npy has 3: want vectors of"):
        VectorScores(*two)
    scores = VectorScores(*files(np.eye(3), [[1, 0, 0], [0, 0, 0], [0, 1, 0]]))
    with pytest.raises(InputError, match=r"1.npy row 1 \(from 0\): zeros only, for a segment"):
        scores(rows([0], [1]), rows([0], [1]), np.array([True, True]))


def test_raw_vectors_need_their_dimensions(tmp_path):
    path = str(tmp_path / "a.f32")
    np.random.default_rng(5).normal(size=(6, 4)).astype("<f4").tofile(path)
    assert len(VectorScores(path, path, dimensions=4).sides[0]) == 6
    with pytest.raises(FormatError, match="whose number of dimensions is not known"):
        VectorScores(path, path)
