from __future__ import annotations

import pytest

from bitext.align.cognates import cognates
from bitext.align.vocabulary import Vocabulary


def found(src, tgt):
    words = Vocabulary(src), Vocabulary(tgt)
    pairs = cognates(*words)
    return {
        (src[x], tgt[y]): chance
        for x, y, chance in zip(pairs.src, pairs.tgt, pairs.forward, strict=True)
    }


@pytest.mark.parametrize(
    ("src", "tgt"),
    [
        ("1957", "1957"),
        (",", ","),
        ("expedition", "expédition"),
        ("diplomáciai", "diplomatic"),
        ("москва", "moskva"),
        ("αθήνα", "athina"),
        ("parlament", "parlement"),
    ],
)
def test_what_is_alike_is_linked(src, tgt):
    assert (src, tgt) in found([src, "etwas", "anderes"], ["autre", tgt, "chose"])


@pytest.mark.parametrize(
    ("src", "tgt"), [("haus", "maison"), ("der", "des"), ("1957", "1958"), ("ab", "abc")]
)
def test_what_is_not_alike_is_not(src, tgt):
    assert (src, tgt) not in found([src], [tgt])


def test_equal_words_are_surer_than_like_ones_and_rows_ascend():
    src, tgt = ["nation", "nationen", "a"], ["nations", "nation", "a"]
    chances = found(src, tgt)
    assert chances["nation", "nation"] == 0.5 > chances["nation", "nations"] > 0
    pairs = cognates(Vocabulary(src), Vocabulary(tgt))
    keys = pairs.src.astype(int) * 10 + pairs.tgt
    assert (keys[1:] > keys[:-1]).all()
    assert pairs.known_src[0] > pairs.known_src[2] > 0  # an equal `a` may be an accident


def test_long_words_differ_within_what_is_looked_at():
    assert found(["x" * 3000], ["y" * 3000]) == {}
    assert found([], ["word"]) == {}
    assert found(["word"], []) == {}
