"""Worn texts for the benchmark of doubts: what the gold standard becomes, and its F1."""

import pytest
from alignment_quality import Document
from worn_texts import WEARS, Worn, f1_of, worn

from bitext import Alignment, Bitext, Text

SRC = ["The first one, of some length, is here.", "Two.", "Three.", "Four."]
TGT = ["La première, assez longue, est ici.", "Deux.", "Trois et quatre."]
GOLD = [((0,), (0,)), ((1,), (1,)), ((2, 3), (2,))]


def document(verses=None):
    gold = Bitext(Text(SRC), Text(TGT), Alignment(GOLD))
    return Document("set", "one", ("en", "fr"), gold, verses)


def test_a_text_as_it_is_has_the_gold_standard_that_it_had():
    assert f1_of(document(), worn((SRC, TGT)), Alignment(GOLD)) == 1.0
    one_wrong = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), (2,)), ((3,), ())])
    assert f1_of(document(), worn((SRC, TGT)), one_wrong) == pytest.approx(4 / 6)


def test_neighbours_that_were_joined_join_beads():
    text = Worn(([SRC[0], "Two. Three.", "Four."], TGT), ([[0], [1, 2], [3]], [[0], [1], [2]]))
    assert f1_of(document(), text, Alignment([((0,), (0,)), ((1, 2), (1, 2))])) == 1.0
    apart = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), (2,))])
    assert f1_of(document(), text, apart) == pytest.approx(2 / 5)


def test_what_is_left_out_leaves_its_bead():
    text = Worn((SRC, TGT[1:]), ([[0], [1], [2], [3]], [[1], [2]]))
    assert f1_of(document(), text, Alignment([((0,), ()), ((1,), (0,)), ((2, 3), (1,))])) == 1.0


def test_parts_of_a_bead_count_as_one_only_with_verses():
    text = Worn(
        (SRC, [*TGT[:2], "Trois", "et quatre."]), ([[0], [1], [2], [3]], [[0], [1], [2], [2]])
    )
    parts = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), (2,)), ((3,), (3,))])
    assert f1_of(document(), text, parts) == pytest.approx(4 / 7)
    assert f1_of(document((list("abcc"), list("abc"))), text, parts) == 1.0


@pytest.mark.parametrize("kind", WEARS)
def test_every_sentence_is_of_those_that_it_has_the_words_of(kind):
    sides = [f"{w} number {k}, with a comma and more" for k in range(40) for w in ("a",)], SRC * 5
    text = worn(sides, kind)
    for whole, made, origins in zip(sides, *text, strict=True):
        assert len(made) == len(origins)
        for sentence, origin in zip(made, origins, strict=True):
            assert sentence in " ".join(whole[k] for k in origin)
    assert worn(sides, kind) == text
