"""The lexicon of a corpus is that of `learn`, whatever the parts; and what is left out of it."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.corpus import BagWords, kept_pairs, learn_from_bags
from bitext.align.sentences.lexical.cognates import cognates
from bitext.align.sentences.lexical.translation_model import BeadPoints, learn
from bitext.align.sentences.lexical.word_links import shares_of, without_common
from bitext.align.sentences.texts import SentencePair
from bitext.kernels.arrays import prefix
from bitext.model import Text

sentences = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=5).map(" ".join)
texts = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=12)


def bags(side):
    return BagWords(side.ptr, side.ids, side.times, len(side.vocabulary))


def prepared(lines):
    pair = SentencePair(Text([s for s, _ in lines]), Text([t for _, t in lines]))
    shares = tuple(shares_of([side], len(side.vocabulary)) for side in (pair.src, pair.tgt))
    prior = without_common(cognates(pair.src.vocabulary, pair.tgt.vocabulary), *shares)
    return pair, shares, prior


@given(texts, st.integers(1, 3), st.integers(1, 40))
def test_it_is_what_is_learned_at_once(lines, steps, part):
    pair, shares, prior = prepared(lines)
    ends = np.arange(1, len(lines) + 1)
    wanted = learn([pair], [BeadPoints(ends, ends)], prior, shares=shares, steps=steps)
    how = {"shares": shares, "discount": 0.5, "steps": steps, "at_once": part}
    found = learn_from_bags(bags(pair.src), bags(pair.tgt), prior, **how)
    assert found.src.tolist() == wanted.src.tolist()
    assert found.tgt.tolist() == wanted.tgt.tolist()
    for mine, other in zip(found[2:], wanted[2:], strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-12)


@given(texts, st.integers(0, 40), st.integers(1, 40))
def test_pairs_that_stand_together_most_often_are_kept(lines, most, part):
    pair, *_ = prepared(lines)
    src, tgt = bags(pair.src), bags(pair.tgt)
    together = Counter(
        (x, y)
        for k in range(len(lines))
        for x in src.ids[src.ptr[k] : src.ptr[k + 1]].tolist()
        for y in tgt.ids[tgt.ptr[k] : tgt.ptr[k + 1]].tolist()
    )
    least = next(n for n in range(1, 99) if sum(c >= n for c in together.values()) <= most)
    wanted = sorted(x * tgt.forms + y for (x, y), c in together.items() if c >= least)
    assert kept_pairs(src, tgt, most=most, at_once=part).tolist() == wanted


def test_nothing_is_learned_of_nothing():
    none = BagWords(prefix(np.zeros(0, np.int64)), np.zeros(0, np.int32), np.zeros(0, np.int32), 2)
    prior = prepared([("a b", "a c")])[2]
    found = learn_from_bags(none, none, prior, shares=(np.zeros(2), np.zeros(2)))
    assert (len(found.src), found.known_src.tolist()) == (0, [0.0, 0.0])
