"""The model of words, against its formula, and held out."""

from collections import Counter
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.features.text import STEPS, WordModel
from bitext.segment.tokens import Tokens

TEXTS = st.lists(
    st.lists(st.lists(st.sampled_from("abcd"), max_size=5).map(" ".join), max_size=4),
    min_size=1,
    max_size=3,
)


def slowly(training, words, sentences):
    """Return the bits of each word after the counts of training, those of one text left out."""
    kept, others = training
    known = {word for word, times in Counter(" ".join(kept).split()).items() if times > 1}
    single, pairs, before = Counter(), Counter(), Counter()
    all_pairs = Counter()
    for source, target in ((kept, all_pairs), (others, pairs)):
        for sentence in source:
            found = [word if word in known else "?" for word in sentence.split()]
            target.update(zip(["^", *found], found, strict=False))
            if target is pairs:
                single.update(found)
                before.update(found)
                before["^"] += bool(found)
    own = all_pairs - pairs
    size = len(known) + 1
    bits = []
    for sentence in sentences:
        found = [word if word in known else "?" for word in sentence.split()]
        for first, second in zip(["^", *found], found, strict=False):
            share = (single[second] + 1) / (sum(single.values()) + size)
            times = max(0, all_pairs[first, second] * (all_pairs[first, second] > 1))
            times = max(0, times - own[first, second])
            bits.append(-log2((times + 5 * share) / (before[first] + 5)))
    return bits[: len(words)]


@given(TEXTS, st.data())
def test_surprise_by_its_formula(texts, data):
    model = WordModel.fit([Tokens(text) for text in texts])
    everything = [sentence for text in texts for sentence in text]
    new = Tokens(["a b e", "d", "a a"])
    expected = slowly((everything, everything), new.ids, ["a b e", "d", "a a"])
    assert model.surprise(new) / STEPS == pytest.approx(np.array(expected), abs=1 / STEPS)
    mine = data.draw(st.integers(0, len(texts) - 1))
    others = [sentence for k, text in enumerate(texts) if k != mine for sentence in text]
    held = Tokens(texts[mine])
    expected = slowly((everything, others), held.ids, texts[mine])
    got = model.surprise(held, held_out=True) / STEPS
    assert got == pytest.approx(np.array(expected), abs=1 / STEPS)
