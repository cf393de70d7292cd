"""How texts are divided into words, and what is cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.links.corpus import bare, cut_sentence, kind_of

WRITTEN = {
    "tokens": [
        ["Mr. Smith came ( late ) , and left .", "The U.S. is there ."],
        ["no marks at all"],
        ["他 来 了 。", "我们 走 了 ， 他 没 走 。"],
        ["ผม กิน ข้าว"],
        [],
    ],
    "running": [
        ["He came, and left.", "- Why?", "“Yes.”"],
        ["Oui ! dit-il, en riant."],
        ["Oui\u00a0!", "Qui\u202f? Moi\u00a0!"],
    ],
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
    assert "".join(cut_sentence(text)) == "".join(text.split())
    assert all(word and not any(map(str.isspace, word)) for word in cut_sentence(text))


def test_elided_words_end_with_the_apostrophe_and_endings_begin_with_it():
    assert cut_sentence("d'un dell'arte I'm don’t 'tis") == [
        *("d'", "un", "dell'", "arte", "I", "'m", "don", "’t"),
        *("'", "tis"),
    ]


def test_marks_are_set_aside_around_words_only():
    assert [*map(bare, ("(late),", "U.S.", "—", "l'arbre."))] == ["late", "U.S", "—", "l'arbre"]


def test_joiners_and_soft_hyphens_stand_within_words():
    words = ["کتاب\u200cهای", "ශ්\u200dරී", "क्\u200dष", "rail\u00adway"]
    assert cut_sentence(" ".join(words) + ".") == [*words, "."]


def test_addresses_are_whole_without_the_marks_behind_them():
    assert cut_sentence("See https://example.org/a?b=1, or (www.x.de).") == [
        *("See", "https://example.org/a?b=1", ",", "or", "(", "www.x.de", ")", "."),
    ]
    assert cut_sentence("me@x.org! a@b") == ["me@x.org", "!", "a", "@", "b"]
    assert cut_sentence("本はhttps://a.jp、次") == ["本", "は", "https://a.jp", "、", "次"]
    assert cut_sentence("http:// www. x") == ["http", ":", "/", "/", "www", ".", "x"]


def test_emoji_of_several_code_points_are_one_token():
    emoji = ["\u2764\ufe0f", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd"]
    flags = ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"]
    assert cut_sentence("".join(emoji)) == emoji
    assert cut_sentence("".join(flags) + "1\ufe0f\u20e3 1") == [*flags, "1\ufe0f\u20e3", "1"]
    assert cut_sentence("\u260e42") == ["\u260e", "42"]


def test_numbers_are_whole_with_separators_of_all_scripts():
    assert cut_sentence("1,700.5 12:30 ١٢٣٫٥ ٧٬٠٠٠, 3") == [
        "1,700.5",
        "12:30",
        "١٢٣٫٥",
        "٧٬٠٠٠",
        ",",
        "3",
    ]


@pytest.mark.parametrize("piece", ["a.", "www.", "www.,", "a@", "https://", "\U0001f44d\u200d"])
def test_long_runs_without_an_address_are_cut_in_linear_time(piece):
    run = piece * 100_000
    assert "".join(cut_sentence(run)) == run
