from __future__ import annotations

import gc
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.lexical import Vocabulary, numbered, words_of


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Was it?", ["was", "it", "?"]),
        ("l’été à «Paris»", ["l", "'", "été", "à", '"', "paris", '"']),
        (
            "1 700 000 or 1.700.000, 3,5 or 3.5",
            ["1700000", "or", "1700000", ",", "3.5", "or", "3.5"],
        ),
        ("in 1957 on 12.5.1957 at 12:30", ["in", "1957", "on", "12.5.1957", "at", "12:30"]),
        ("１９９５年", ["1995", "年"]),  # full-width figures
        ("東京", ["東", "京"]),
        ("一九九三", ["一", "九", "九", "三", "1993"]),
        ("二〇二三年", ["二", "〇", "二", "三", "年", "2023"]),
        ("1'234'567 or 1’700, 'tis", ["1234567", "or", "1700", ",", "'", "tis"]),
        ("1995¹ 10⁶ 3½ ⑫", ["1995", "1", "10", "6", "3", "1", "⁄", "2", "12"]),
        ("came.¹² 10²³", ["came", ".", "12", "10", "23"]),
        ("三萬五千", ["三", "萬", "五", "千", "35000"]),
        ("三万亿", ["三", "万", "亿", "3000000000000"]),
        ("一亿二千万", ["一", "亿", "二", "千", "万", "120000000"]),
        ("ฉัน", ["ฉัน"]),  # a letter with its signs is one
        ("ที่นี่", ["ที่นี่"]),
        ("ខ្មែរ", ["ខ្មែរ"]),
        ("เป็น ไป", ["เป็น", "ไป"]),
        ("กิน น้ำ", ["กิน", "น้ํา"]),
        ("အ", ["အ"]),
        ("新しいサーバーで、ら", ["新", "しい", "サーバー", "で", ",", "ら"]),
        ("ﾃﾞｨｽｸ", ["ディスク"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("தமிழ் ১২৩ ٣٫٥", ["தமிழ்", "123", "3.5"]),
        ("کتاب‌های فارسی", ["كتاب", "هاي", "فارسي"]),
        ("یہ ہے", ["يه", "هي"]),  # Urdu
        ("בְּרֵאשִׁ֖ית בָּרָ֣א", ["בראשית", "ברא"]),
        ("כל־הארץ׃", ["כל", "-", "הארץ", "."]),
        ("كِتَابٌ، كـتاب", ["كتاب", ",", "كتاب"]),
        ("co\u00adop \u200eab\u200f", ["coop", "ab"]),
        ("\u0130stanbul", ["istanbul"]),
        ("है। ۔ ։", ["है", ".", ".", "."]),
        ("\u0301a\u0301", ["\u0301", "á"]),  # a sign without a letter stands alone
        ("", []),
        ("\x00 \x1b_", ["\x00", "\x1b"]),
    ],
)
def test_words(sentence, words):
    assert words_of(sentence) == words


def test_numerals_of_any_length_are_read():
    """Each of these would be ten to the twelfth times the one before."""
    assert [len(max(words_of("万亿" * n), key=len)) for n in (1, 10, 5000)] == [13, 85, 165]


def test_numbers_of_words_hold():
    words = Vocabulary(["a", "b"])
    assert words.numbers(["b", "c", "b"]).tolist() == [1, 2, 1]
    assert words.find(["c", "d", "a"]).tolist() == [2, -1, 0]
    assert (len(words), "d" in words, words.forms) == (3, False, ["a", "b", "c"])


@given(st.lists(st.text("aB1237,. \n\tΣσü'«。二千京\u0301\u2028\x1cﬁ１", max_size=12), max_size=6))
def test_several_sentences_have_the_words_of_each(sentences):
    number, counts, forms = numbered(sentences)
    words = [words_of(sentence) for sentence in sentences]
    assert counts.tolist() == [len(one) for one in words]
    assert [forms[k] for k in number.tolist()] == [word for one in words for word in one]
    assert forms == list(dict.fromkeys(word for one in words for word in one))


@pytest.mark.parametrize(
    "sentence",
    [
        "1 700 000 m",
        "1995¹ 234 m",
        "5\xa0700\u2009000 ft",
        "12,5 300",
        "a `b' c",
        "ä `b' c",
        "\xad 3",
    ],
)
def test_strings_between_blanks_that_depend_on_others_are_as_in_one_sentence(sentence):
    sentences = ["1 dog", sentence, "", "000 m, 1 dog", "700"]
    number, counts, forms = numbered(sentences)
    words = [words_of(one) for one in sentences]
    assert counts.tolist() == [len(one) for one in words]
    assert [forms[k] for k in number.tolist()] == [word for one in words for word in one]
    assert forms == list(dict.fromkeys(word for one in words for word in one))


def test_what_is_given_up_is_given_back_at_once():
    gc.collect()
    gc.freeze()  # what is there is not looked through again
    gc.disable()
    try:
        for _ in range(3):
            gc.collect()
            numbered(["A dog.", "", "The dog"])
            if not (left := gc.collect()):
                break  # other threads of earlier tests may leave something once
        assert left == 0
    finally:
        gc.enable()


def test_blanks_take_no_room():
    tracemalloc.start()
    number, counts, words = numbered([" " * 20_000 + "a b"] * 200)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (number.tolist(), counts.tolist(), words) == ([0, 1] * 200, [2] * 200, ["a", "b"])
    assert most < 1 << 20
