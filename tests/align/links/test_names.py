"""Names, numbers, addresses and emoji are linked with their equals, in any language and script."""

import unicodedata

import pytest

from bitext.align import link_words
from bitext.align.links.corpus import cut_sentence

# Sentences of a made language, in another order of words: nothing but the tokens of {} is alike.
SRC = [
    "the man saw {} in the town",
    "{} is old and the town is small",
    "in the house the woman saw {}",
    "the old woman and {} are in the house",
    "a small dog saw {} and the man",
    "the dog of {} is in the old town",
]
TGT = [
    "mogo kel {} varu dastin",
    "dastin hirpe {} yonte",
    "{} varu zumi lasko kel",
    "lasko yonte {} zumi kel",
    "wuf hirpe mogo {} varu",
    "{} nu wuf dastin yonte kel",
]


def _linked(pairs):
    """Return the share of pairs whose two tokens, in sentences of their own, have one link."""
    src = [SRC[k % 6].format(one).split() for k, (one, _) in enumerate(pairs)]
    tgt = [TGT[k % 6].format(other).split() for k, (_, other) in enumerate(pairs)]
    links = link_words(src, tgt)
    right = 0
    for k, (one, other) in enumerate(pairs):
        places = src[k].index(one), tgt[k].index(other)
        found = {*zip(links[k].src.tolist(), links[k].tgt.tolist(), strict=True)}
        right += {link for link in found if link[0] == places[0] or link[1] == places[1]} == {
            places
        }
    return right / len(pairs)


NAMES = ["Kigali", "Jansen", "Mercator", "Oslo", "Paracelsus", "Wellington", "Nairobi", "Curie"]
NAMES += ["Ingolstadt", "Tolstoy", "Bergen", "Amundsen", "Petrarca", "Haydn", "Lisboa", "Quito"]


@pytest.mark.parametrize(
    ("kind", "pairs"),
    [
        ("names", [(name, name) for name in NAMES]),
        ("case", [(name.upper(), name) for name in NAMES]),
        ("endings", [(name, f"{name}nak") for name in NAMES]),
        ("numbers", [(str(k * k + 1000), str(k * k + 1000)) for k in range(16)]),
        ("separators", [(f"{k},{k * k + 100}", f"{k}.{k * k + 100}") for k in range(1, 17)]),
        ("digits of another script", [(f"{k + 11}", _arabic) for k, _arabic in enumerate(
            "".join(chr(0x660 + int(digit)) for digit in str(k + 11)) for k in range(16))]),
        ("addresses", [(f"{n}@mail.org", f"{n}@mail.org") for n in NAMES]),
        ("emoji", [(chr(0x1F600 + k), chr(0x1F600 + k)) for k in range(16)]),
        ("decomposed", [(f"é{n}", unicodedata.normalize("NFD", f"é{n}")) for n in NAMES]),
        ("Cyrillic", [("Moskva", "Москва"), ("Saratov", "Саратов"), ("Tambov", "Тамбов"),
                      ("Vladimir", "Владимир"), ("Ivanov", "Иванов"), ("Petrov", "Петров")] * 2),
    ],
)  # fmt: skip
def test_tokens_that_are_alike_are_linked(kind, pairs):
    assert _linked(pairs) >= (0.75 if kind in ("endings", "Cyrillic") else 0.9)


def test_scripts_from_right_to_left_are_linked_in_logical_order():
    src = ["the book of David", "David saw the book", "a book and a pen", "the pen of Sara"] * 3
    tgt = ["הספר של דוד", "דוד ראה את הספר", "ספר ועט", "העט של שרה"] * 3
    links = link_words(src, tgt)
    assert (3, 2) in {*zip(links[0].src.tolist(), links[0].tgt.tolist(), strict=True)}
    assert (0, 0) in {*zip(links[1].src.tolist(), links[1].tgt.tolist(), strict=True)}


def test_scripts_without_blanks_are_linked_where_they_are_cut():
    src = ["Linux 5 runs", "I like Linux", "5 cats and 7 dogs", "7 dogs like me"] * 3
    tgt = ["Linux5が動く。", "私はLinuxが好き。", "猫5匹と犬7匹。", "犬7匹は私が好き。"] * 3
    both = [[cut_sentence(sentence) for sentence in side] for side in (src, tgt)]
    links = link_words(*both)
    for k in range(4):
        row = zip(links[k].src.tolist(), links[k].tgt.tolist(), strict=True)
        words = {(both[0][k][i], both[1][k][j]) for i, j in row}
        alike = {(word, word) for word in {*both[0][k]} & {*both[1][k]}}
        assert alike <= words


def test_a_mark_is_linked_with_its_equal_and_not_with_a_word():
    src = [f"w{k} , x{k} ( y{k} ) ?" for k in range(12)]
    tgt = [f"( p{k} ) q{k} , r{k} ?" for k in range(12)]
    for pair in link_words(src, tgt):
        row = {*zip(pair.src.tolist(), pair.tgt.tolist(), strict=True)}
        marks = {(1, 4), (3, 0), (5, 2), (6, 6)}
        assert {(i, j) for i, j in row if i in {1, 3, 5, 6} or j in {0, 2, 4, 6}} == marks
