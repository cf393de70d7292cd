from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.lexicon import Lexicon, inflected
from bitext.model import Text

WORDS = st.lists(st.text("ab", min_size=1, max_size=9), min_size=1, max_size=8, unique=True)


def pairs(entries, src, tgt, **most):
    found = inflected(Lexicon.of_entries(entries), Vocabulary(src), Vocabulary(tgt), **most)
    both = zip(found.src.tolist(), found.tgt.tolist(), strict=True)
    return {
        (src[a], tgt[b]): round(c, 6)
        for (a, b), c in zip(both, found.forward.tolist(), strict=True)
    }


def slow_worth(word, other):
    """Return what a form is worth for a word, by looking at each letter."""
    if word == other:
        return 1.0
    common = 0
    while common < min(len(word), len(other)) and word[common] == other[common]:
        common += 1
    alike = 2 * common / (len(word) + len(other))
    return 0.6 * alike if common >= 4 and alike >= 0.7 else 0.0


@given(WORDS, WORDS)
def test_forms_are_those_of_a_slow_search(given_words, text_words):
    found = pairs([(word, "x") for word in given_words], text_words, ["x"])
    wanted = {}
    for word in given_words:
        for other in text_words:
            worth = slow_worth(word, other)
            if worth:
                wanted[other, "x"] = max(wanted.get((other, "x"), 0), round(0.5 * worth, 6))
    assert found == wanted


def test_both_sides_may_be_inflected():
    found = pairs([("dolgozik", "arbeiten")], ["dolgozott", "dolog"], ["arbeitete", "arbeit"])
    assert set(found) == {("dolgozott", "arbeitete"), ("dolgozott", "arbeit")}
    assert all(0 < chance < 0.5 * 0.6 * 0.6 for chance in found.values())


def test_accents_do_not_count_and_short_words_stay_whole():
    assert set(pairs([("maïson", "ház")], ["maisons"], ["háza", "ház"])) == {("maisons", "ház")}


def test_words_of_very_many_entries_say_nothing_of_any():
    words = [a + b + c + d for a in "bdg" for b in "aeiou" for c in "klmnp" for d in "aeiou"]
    entries = [(f"in {word}", f"{word}e so on") for word in words]
    found = pairs(entries, ["in", "baka"], ["bakae", "so"])
    assert set(found) == {("in", "bakae"), ("baka", "bakae"), ("baka", "so")}
    assert ("in", "so") in pairs(entries[:4], ["in"], ["so"])


@pytest.mark.parametrize("most", [{"most": 3}, {"compared": 3}])
def test_work_is_bounded(most):
    entries, many = [("haus", "casa"), ("brot", "pane")], [f"haus{letter}" for letter in "abcdefgh"]
    texts = [*many, "brote"], ["casa", "pane"]
    assert len(pairs(entries, *texts)) == 9
    few = pairs(entries, *texts, **most)
    assert few == {("brote", "pane"): round(0.5 * 0.6 * 8 / 9, 6)}


def test_a_dictionary_of_headwords_aligns_inflected_text():
    rng = np.random.default_rng(3)
    stems = ["".join(rng.choice(list("bdfgklmnprst"), 6)) for _ in range(60)]
    other = ["".join(rng.choice(list("aeioucvwxyz"), 6)) for _ in range(60)]
    src, tgt = [], []
    for _ in range(40):
        picked = rng.integers(0, 60, 4)
        src.append(" ".join(stems[k] + rng.choice(["", "u", "um"]) for k in picked))
        tgt.append(" ".join(other[k] + rng.choice(["", "h", "hs"]) for k in picked))
    src.insert(20, "hhhhhh hhhhhhh hhhhh hhhhhh")  # nothing has its length against it
    entries = list(zip(stems, other, strict=True))
    wanted = {((k + (k >= 20),), (k,)) for k in range(40)}
    found = {tuple(bead) for bead in align_sentences(Text(src), Text(tgt), dictionary=entries)}
    assert len(found & wanted) >= 39
