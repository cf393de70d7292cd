"""Words written as text: by the rules of print, and by what the original has."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.syntax.tokenizer import detokenize, gaps_of, plain
from reference.shared_data import data

WORDS = ["a", "the", ".", ",", "'", '"', "``", "''", "(", "-RRB-", "-", "'s", "$", "5", "n't", "--"]

CASES = [
    ("She did n't say `` we 'll see '' .", "She didn't say \"we'll see\"."),
    ("It DID N'T , and they ’ve , I 'D .", "It DIDN'T, and they’ve, I'D."),
    ("Milan 's mayor ; the sisters ' house", "Milan's mayor; the sisters' house"),
    ("( two -LRB- or -LSB- three -RSB- -RRB- ) : { yes }", "(two (or [three])): {yes}"),
    ('He said , " no " , and " maybe . "', 'He said, "no", and "maybe."'),
    ("a 'quoted word ' and a ' second one ' here", "a 'quoted word' and a 'second one' here"),
    ("rock 'n' roll in the '90s , 'til then", "rock 'n' roll in the '90s, 'til then"),
    ("“ Curly ” and ‘ single ’ and the boys ’", "“Curly” and ‘single’ and the boys’"),
    ("$ 5 , US$ 6 , 7 % and # 8 of £ 9", "$5, US$6, 7% and #8 of £9"),
    ("the $ sign , # signs", "the $ sign, # signs"),
    ("2002 -- A plane — small", "2002 -- A plane — small"),
    ("a well - known 10 – 12 km / h wind – mild", "a well-known 10–12 km/h wind – mild"),
    ("- no , -5 -", "- no, -5 -"),
    ("So ... and … ?", "So... and…?"),
    ("We can not , gon na , got ta , Gim me", "We cannot, gonna, gotta, Gimme"),
    ("It is 5 p.m. .", "It is 5 p.m."),
    ("It is ... .", "It is...."),
    ("and \\/ or", "and/or"),
    ('no end , "', 'no end,"'),
    ("so '' he", 'so" he'),
    ("one", "one"),
    ("", ""),
]


@pytest.mark.parametrize(("words", "text"), CASES)
def test_space_stands_where_print_has_it(words, text):
    assert detokenize(words.split()) == text


def test_what_is_known_overrides_the_rules():
    words = ["a", "--", "b", '"', "c", '"', "can", "not", "U.S.", "."]
    gaps = [False, False, False, True, None, None, True, None, False]
    # The first mark has space after it alone: it closes, and so the next one opens.
    assert detokenize(words, gaps=gaps) == 'a--b" c "can not U.S..'


def test_gaps_are_read_from_the_text():
    text = "It’s “odd” — isn't it… (well-known)?"
    words = ["It", "'s", "``", "odd", "''", "--", "is", "n't", "it", "...", "-LRB-"]
    words += ["well", "-", "known", "-RRB-", "?"]
    gaps = gaps_of(words, text)
    assert gaps == [False, True, False, False, True, True, False, True, False, True] + [False] * 5
    assert detokenize(words, gaps=gaps) == "It's \"odd\" -- isn't it... (well-known)?"


def test_a_gap_is_unknown_where_the_text_has_something_else():
    assert gaps_of(["one", "two", "four"], "one two three four") == [True, None]
    assert gaps_of(["one", "lost", "four"], "one two four") == [None, None]
    assert gaps_of(["p.m.", "."], "p.m.") == [None]
    assert gaps_of([], "") == gaps_of(["one"], "one") == []


def test_text_that_is_the_words_with_space_tells_nothing():
    words = ["so", ",", "it", "'s"]
    assert gaps_of(words, " ".join(words)) == [None, None, None]


def test_as_many_gaps_as_neighbours():
    with pytest.raises(InputError, match="1 gaps for 3 words: want one for each two neighbours"):
        detokenize(["a", "b", "c"], gaps=[True])


@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "the",
                ".",
                ",",
                "'",
                '"',
                "``",
                "''",
                "(",
                "-RRB-",
                "-",
                "'s",
                "$",
                "5",
                "n't",
                "s",
                "--",
            ]
        )
    )
)
def test_no_character_is_lost_but_the_stop_after_an_abbreviation(words):
    text = detokenize(words)
    assert text.replace(" ", "") == "".join(map(plain, words))
    assert "  " not in text
    assert text == text.strip()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                ["a", "the", ".", ",", "'", '"', "(", "-", "'s", "$", "5", "n't", "--"]
            ),
            st.booleans(),
        ),
        min_size=1,
    )
)
def test_a_text_comes_back_by_its_gaps(pairs):
    words = [word for word, _ in pairs]
    text = "".join(f"{word}{' ' * space}" for word, space in pairs).strip()
    known = gaps_of(words, text)
    if text != " ".join(words):
        assert None not in known
        assert detokenize(words, gaps=known) == text


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5.50-$6.",
        "It costs £3–£4 now",
        "Stocks rose - $5 more",
        "of 10-12 or $3",
        "5 - $",
    ],
)
def test_a_dash_between_sums_of_money_has_no_space(text):
    words = text.replace("$", " $ ").replace("£", " £ ").replace("–", " – ")
    words = words.replace("-  $", " -  $").replace("6.", "6 .").replace("5.50-", "5.50 -").split()
    assert detokenize(words) == text


def test_every_sentence_of_the_clusters_comes_back():
    for path in sorted(data("clusters").glob("*.json")):
        for sentence in json.loads(path.read_text(encoding="utf-8"))["sentences"]:
            words, text = sentence["tokens"], sentence["text"]
            assert detokenize(words) == text
            assert detokenize(words, gaps=gaps_of(words, text)) == text


def test_signs_that_are_not_seen_part_words_as_blanks_do():
    assert gaps_of(["The", "sea", "rose", "."], "The\u200bsea\ufeff rose.") == [True, True, False]


def test_the_words_are_no_string():
    with pytest.raises(
        InputError, match=r"the words are 'It rains \.', one string: want a list of w"
    ):
        detokenize("It rains .")
