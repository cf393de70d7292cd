from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.translation_model import BeadPoints, adjusted_discount, learn
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.align.sentences.texts import SentencePair
from bitext.model import Text
from tests.reference.sentence_evidence_slow import translate

sentences = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4).map(" ".join)
pairs = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=8, unique=True)


def one_to_one(pair):
    ends = np.arange(1, len(pair.src) + 1)
    return BeadPoints(ends, ends)


def hints(pair, found):
    src, tgt = pair.src.vocabulary, pair.tgt.vocabulary
    x, y = src.find([s for s, _ in found]), tgt.find([t for _, t in found])
    chance = np.array(list(found.values()), dtype=float)
    order = np.lexsort((y, x))
    known = np.zeros(len(src)), np.zeros(len(tgt))
    return WordPairs(x[order], y[order], chance[order], chance[order], *known)


@given(pairs, st.integers(1, 3))
def test_chances_are_those_of_the_formula(texts, steps):
    pair = SentencePair(Text([s for s, _ in texts]), Text([t for _, t in texts]))
    held = {("a", "a"): 0.5} if "a" in pair.src.vocabulary and "a" in pair.tgt.vocabulary else {}
    found = learn([pair], [one_to_one(pair)], hints(pair, held), discount=0.4, steps=steps)
    beads = [(s.split(), t.split()) for s, t in texts]
    forward, _ = translate(beads, held, 0.4, steps)
    backward, _ = translate([(t, s) for s, t in beads], held, 0.4, steps)
    src, tgt = pair.src.vocabulary.forms, pair.tgt.vocabulary.forms
    for x, y, there, back in zip(*found[:4], strict=True):
        assert there == pytest.approx(forward.get((src[x], tgt[y]), 0.0), abs=1e-9)
        assert back == pytest.approx(backward.get((tgt[y], src[x]), 0.0), abs=1e-9)
    # What is left out is little more frequent together than apart.
    size = sum(len(t) for _, t in beads)
    kept = {(src[x], tgt[y]) for x, y in zip(found.src, found.tgt, strict=True)}
    for (s, y), chance in forward.items():
        frequent = sum(t.count(y) for _, t in beads) / size
        assert (s, y) in kept or chance / frequent < 4.0
    assert ((found.known_tgt >= 0) & (found.known_tgt <= 0.8)).all()
    for word, chances in ((found.src, found.forward), (found.tgt, found.backward)):
        assert (np.bincount(word, chances) <= 1.0).all()


def test_words_are_translated_alike_whatever_stands_for_one():
    # Each word of the target is three syllables: they share its chance.
    src, tgt = made_up(4, 200, 30)
    cut = [" ".join(f"{word} x{word} y{word}" for word in line.split()) for line in tgt]
    ratios = []
    for lines in (tgt, cut):
        pair = SentencePair(Text(src), Text(lines))
        found = learn([pair], [one_to_one(pair)], hints(pair, {}))
        frequent = 1 / len(pair.tgt.vocabulary)
        ratios.append(np.median(found.forward[found.forward > 10 * frequent]) / frequent)
    assert ratios[1] == pytest.approx(ratios[0], rel=0.15)


def made_up(seed, sentences, words):
    rng = np.random.default_rng(seed)
    chosen = [rng.choice(words, 6, replace=False) for _ in range(sentences)]
    src = [" ".join(f"s{k}" for k in one).replace("s", "q") for one in chosen]
    tgt = [" ".join(f"t{k}" for k in rng.permutation(one)) for one in chosen]
    to_letters = str.maketrans("0123456789", "abcdefghij")
    return [[line.translate(to_letters) for line in lines] for lines in (src, tgt)]


def test_a_code_is_cracked():
    src, tgt = made_up(1, 300, 40)
    pair = SentencePair(Text(src), Text(tgt))
    found = learn([pair], [one_to_one(pair)], hints(pair, {}))
    best = {}
    for x, y, chance in zip(found.src, found.tgt, found.forward, strict=True):
        if chance > best.get(x, (0, 0))[0]:
            best[x] = chance, y
    forms = pair.src.vocabulary.forms, pair.tgt.vocabulary.forms
    assert len(best) == 40
    assert all(forms[0][x][1:] == forms[1][y][1:] for x, (_, y) in best.items())


def test_several_texts_are_learned_from_together():
    src, tgt = made_up(2, 60, 12)
    whole = SentencePair(Text(src), Text(tgt))
    words = Vocabulary(), Vocabulary()
    halves = [
        SentencePair(Text(src[part]), Text(tgt[part]), vocabularies=words)
        for part in (slice(0, 25), slice(25, 60))
    ]
    one = learn([whole], [one_to_one(whole)], hints(whole, {}))
    two = learn(halves, [one_to_one(half) for half in halves], hints(whole, {}))
    for a, b in zip(one, two, strict=True):
        assert np.allclose(a, b)


def test_no_beads_teach_nothing():
    pair = SentencePair(Text(["a"]), Text(["b"]))
    gaps = BeadPoints(np.array([1, 1]), np.array([0, 1]))
    found = learn([pair], [gaps], hints(pair, {}))
    assert len(found.src) == 0
    assert not found.known_src.any()


def test_what_was_met_once_is_believed_less_where_much_is_left_out():
    assert adjusted_discount(0.55, 0.0) == 0.55
    assert 0.55 < adjusted_discount(0.55, 0.05) < adjusted_discount(0.55, 0.2) < 1.0
    assert adjusted_discount(0.55, 0.9) == adjusted_discount(1.0, 0.2) == 1.0


def test_what_is_learned_does_not_depend_on_what_is_worked_on_at_once():
    src, tgt = made_up(3, 120, 30)
    pair = SentencePair(Text(src), Text(tgt))
    wanted = learn([pair], [one_to_one(pair)], hints(pair, {}))
    found = learn([pair], [one_to_one(pair)], hints(pair, {}), at_once=7)
    for one, other in zip(wanted, found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    assert len(wanted.src)
