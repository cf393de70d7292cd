"""How texts are divided into words, and what is cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.links.tokens import bare, cut, kind_of

WRITTEN = {
    "tokens": [
        ["Mr. Smith came ( late ) , and left .", "The U.S. is there ."],
        ["no marks at all"],
        ["他 来 了 。", "我们 走 了 ， 他 没 走 。"],
        ["ผม กิน ข้าว"],
        [],
    ],
    "running": [["He came, and left.", "- Why?", "“Yes.”"], ["Oui ! dit-il, en riant."]],
    "unspaced": [
        ["他来了，我走了。"],
        ["是的", "你好", "谢谢你们"],
        ["これは本です。"],
        ["ผมกินข้าวแล้ว"],
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, ts in WRITTEN.items() for t in ts])
def test_texts_are_recognised_by_their_marks_and_scripts(kind, text):
    assert kind_of(text) == kind


@settings(max_examples=30)
@given(st.text(max_size=30))
def test_nothing_but_blanks_is_lost_by_cutting(text):
    assert "".join(cut(text)) == "".join(text.split())
    assert all(word and not any(map(str.isspace, word)) for word in cut(text))


def test_elided_words_end_with_the_apostrophe_and_endings_begin_with_it():
    assert cut("d'un dell'arte I'm don’t 'tis") == [
        *("d'", "un", "dell'", "arte", "I", "'m", "don", "’t"),
        *("'", "tis"),
    ]


def test_marks_are_set_aside_around_words_only():
    assert [*map(bare, ("(late),", "U.S.", "—", "l'arbre."))] == ["late", "U.S", "—", "l'arbre"]
