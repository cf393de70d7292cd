"""Candidates of terms: measures against published values, and spans against a search of all."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.links.terms import (
    c_values,
    function_words,
    lexicon_lines,
    log_likelihood,
    phrase_lines,
    term_candidates,
    term_lines,
)
from bitext.errors import InputError, OptionError
from bitext.model import WordLinks


@pytest.mark.parametrize(
    ("both", "first", "second", "none", "published"),
    [  # Dunning 1993, table 2
        (110, 2442, 111, 29114, 270.72),
        (29, 13, 123, 31612, 263.90),
        (31, 23, 139, 31584, 256.84),
    ],
)
def test_log_likelihood_ratios_of_dunning(both, first, second, none, published):
    total = both + first + second + none
    assert round(log_likelihood(both, both + first, both + second, total), 2) == published


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(1, 9))
def test_log_likelihood_is_symmetric_and_0_at_independence(both, first, second, none):
    total = both + first + second + none
    made = log_likelihood(both, both + first, both + second, total)
    assert made >= 0
    assert made == pytest.approx(log_likelihood(both, both + second, both + first, total))
    assert log_likelihood(2 * 3, 2 * 5, 3 * 4, 4 * 5) == 0


def phrase(words):
    return (tuple(words.split()),) * 2


def test_c_values_of_frantzi_ananiadou_and_mima():
    # IJDL 2000, section 2.2.2: frequencies, and the C-values with log2(n); here it is log2(n + 1).
    published = {
        "adenoid cystic basal cell carcinoma": (5, 11.6096, 5),
        "cystic basal cell carcinoma": (11, 12, 4),
        "ulcerated basal cell carcinoma": (7, 14, 4),
        "recurrent basal cell carcinoma": (5, 10, 4),
        "circumscribed basal cell carcinoma": (3, 6, 4),
        "basal cell carcinoma": (984, 1551.3613, 3),
    }
    logarithms = {3: (1.5849625, 2), 4: (2, 2.3219281), 5: (2.3219281, 2.5849625)}
    made = c_values({phrase(words): count for words, (count, _, _) in published.items()})
    for words, (_, value, size) in published.items():
        theirs, ours = logarithms[size]
        assert made[phrase(words)] / ours * theirs == pytest.approx(value, abs=1e-4)


def test_parts_of_a_repeated_passage_are_no_terms():
    passage = {phrase(words): 5 for words in ("a b c d", "a b c", "b c", "c d", "b", "c")}
    made = c_values({**passage, phrase("c"): 8})
    assert {words[0]: value for words, value in made.items() if value} == {
        ("a", "b", "c", "d"): pytest.approx(5 * 2.3219281),
        ("c",): 3,
    }


def test_the_shorter_side_has_the_number_of_words():
    key = ("bird",), ("oiseau", "de", "mer")
    assert c_values({key: 3}) == {key: 3}


def found(src, tgt, links, **options):
    terms = term_candidates(src, tgt, WordLinks.parse(links), **options)
    return {(term.src, term.tgt): term for term in terms}


SRC = ["The sea bird and the old boat", "A sea bird", "A grey bird , a boat", *"abcdefghijkl"]
TGT = ["L' oiseau de mer et le vieux bateau", "Un oiseau de mer", "Un oiseau gris , un bateau",
       *"abcdefghijkl"]  # fmt: skip
LINKS = ["0-0 1-3 2-1 3-4 4-5 5-6 6-7", "0-0 1-3 2-1", "0-0 1-2 2-1 3-3 4-4 5-5", *[""] * 12]


def test_terms_have_their_counts_shares_and_pairs():
    made = found(SRC, TGT, LINKS)
    # `sea` and `mer` are only within `sea bird`; no other pair of words is twice there.
    assert set(made) == {
        ("bird", "oiseau"),
        ("sea bird", "oiseau de mer"),
        ("boat", "bateau"),
    }
    bird = made["bird", "oiseau"]
    assert (bird.occurrences, bird.forward, bird.backward, bird.examples) == (3, 1, 1, (0, 1, 2))
    assert bird.c_value == 1  # 3, less 2 within one longer pair
    assert made["sea bird", "oiseau de mer"].c_value == pytest.approx(2 * 1.5849625)
    assert bird.likelihood == pytest.approx(log_likelihood(3, 3, 3, 15))


def test_words_are_written_as_they_are_within_sentences():
    src, tgt = (
        ["Bird", "a bird", "a bird", *"abcdefghi"],
        ["Oiseau", "Oiseau", "Oiseau"] + [""] * 9,
    )
    assert set(found(src, tgt, ["0-0", "1-0", "1-0", *[""] * 9])) == {("bird", "Oiseau")}


@pytest.mark.parametrize(
    ("src", "links", "message"),
    [
        (
            ["a b"],
            ["0-0"] * 2,
            "1 source sentence, 1 target sentence and links of 2 sentence pairs:",
        ),
        (
            ["a b"] * 2,
            ["0-0"],
            "2 source sentences, 1 target sentence and links of 1 sentence pair",
        ),
        (
            ["a b"],
            ["0-0 2-1"],
            r"pair 0 has source word 2 \(both from 0\), and the sentence has 2 w",
        ),
        (
            ["a b"],
            ["1-9"],
            r"has target word 9 \(both from 0\), and the sentence has 2 words: want",
        ),
        ("a b", ["0-0"], "one string is no corpus"),
    ],
)
def test_links_are_those_of_the_sentences(src, links, message):
    with pytest.raises(InputError, match=message):
        term_candidates(src, ["c d"], WordLinks.parse(links))


SEA = (
    ["the sea bird cries", "a sea bird", "my bird sleeps", *"abcdefghij"],
    ["l' oiseau de mer crie", "un oiseau de mer", "mon oiseau dort", *"abcdefghij"],
    ["0-0 1-3 2-1 3-4", "0-0 1-3 2-1", "0-0 1-1 2-2", *[""] * 10],
)


@pytest.mark.parametrize("read", [term_candidates, phrase_lines, lexicon_lines])
def test_links_to_no_word_do_not_count(read):
    src, tgt, lines = SEA
    sizes = [np.array([len(each.split()) for each in side]) for side in (src, tgt)]
    links = WordLinks.parse(lines)
    known = WordLinks(links.ptr, links.src, links.tgt, src_sizes=sizes[0], tgt_sizes=sizes[1])
    assert list(read(src, tgt, known.with_null())) == list(read(src, tgt, links)) != []


@pytest.mark.parametrize("read", [term_candidates, phrase_lines, lexicon_lines])
def test_tokens_of_a_table_have_no_blanks(read):
    links = WordLinks.parse(["0-0 1-1"])
    for token in ("Hà Nội", "", "a\tb"):
        with pytest.raises(InputError, match=r"a token is .* write Hà_Nội for Hà Nội"):
            list(read([[token, "đẹp"]], [["Hanoi", "beautiful"]], links))
    with pytest.raises(InputError, match=r"has target word 1 .* has 1 word: want the links of the"):
        list(read([["Hà_Nội", "đẹp"]], [["Hanoi"]], links))
    with pytest.raises(InputError, match="0 source sentences, 0 target sentences and links of 1"):
        list(read([], [], links))


def test_tags_ask_for_a_noun_and_for_no_verb():
    tags = [["DET", "NOUN", "NOUN", "CCONJ", "DET", "ADJ", "VERB"], ["DT", "NN", "NN"],
            ["DT", "JJ", "NN", ",", "DT", "VBZ"], *[["X"]] * 12]  # fmt: skip
    made = found(SRC, TGT, LINKS, tags=tags)
    assert ("sea bird", "oiseau de mer") in made
    assert ("boat", "bateau") not in made
    with pytest.raises(InputError, match=r"source sentence 1 .* has 3 words and 1 tags"):
        found(SRC, TGT, LINKS, tags=[tags[0], ["DT"], *tags[2:]])
    with pytest.raises(InputError, match="tags of 16 sentences for 15 source sentences"):
        found(SRC, TGT, LINKS, tags=[*tags, ["X"]])


@pytest.mark.parametrize(
    ("tags", "is_term"),
    [
        ("NOUN", True),
        ("ADJ NOUN", True),
        ("NOUN ADP NOUN", True),
        ("NOUN ADP DET NOUN", True),
        ("NOUN ADJ", True),
        ("ADJA NN", True),
        ("NN APPR ART NE", True),
        ("ADJ", False),
        ("ADJ ADJ", False),
        ("NOUN ADP", False),
        ("NOUN ADP DET ADJ", False),
        ("ADJ ADP NOUN", False),
        ("NOUN DET NOUN", False),
        ("NOUN ADP ADP NOUN", False),
        ("NOUN VERB NOUN", False),
    ],
)
def test_patterns_of_tags(tags, is_term):
    own = tags.split()
    words = " ".join(f"word{'abcd'[k]}" for k in range(len(own)))
    links = " ".join(f"{k}-{k}" for k in range(len(own)))
    made = found([words] * 3 + ["."] * 20, [words] * 3 + ["."] * 20, [links] * 3 + [""] * 20,
                 tags=[own] * 3 + [["PUNCT"]] * 20)  # fmt: skip
    assert ((words, words) in made) == is_term


@settings(max_examples=100)
@given(st.data())
def test_candidates_are_all_consistent_spans_with_linked_content_words_at_the_ends(data):
    size = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    names = ["alpha", "beta", "gamma", "delta"]
    sides = [[data.draw(st.sampled_from([name, name, ",7"])) for name in names[:n]] for n in size]
    cells = st.tuples(st.integers(0, size[0] - 1), st.integers(0, size[1] - 1))
    links = sorted(data.draw(st.sets(cells, max_size=5)))
    counts = {}
    for i, j in product(*map(range, size)):
        for a, b in product(range(i + 1, size[0] + 1), range(j + 1, size[1] + 1)):
            inside = [(x, y) for x, y in links if i <= x < a and j <= y < b]
            cut = any((i <= x < a) != (j <= y < b) for x, y in links)
            ends = {i, a - 1} <= {x for x, _ in inside} and {j, b - 1} <= {y for _, y in inside}
            span = sides[0][i:a] + sides[1][j:b]
            if inside and ends and not cut and all(word.isalpha() for word in span):
                counts[tuple(sides[0][i:a]), tuple(sides[1][j:b])] = 3
    many = 3
    filler = [["."]] * 20
    made = found(
        [sides[0]] * many + filler,
        [sides[1]] * many + filler,
        [" ".join(f"{x}-{y}" for x, y in links)] * many + [""] * 20,
    )
    values = c_values(counts)
    expected = {tuple(map(" ".join, key)): value for key, value in values.items() if value}
    assert {key: term.c_value for key, term in made.items()} == expected


def test_frequent_words_between_rare_ones_are_function_words_and_names_are_not():
    nouns = [f"{a}{b}noun" for a in "bcd" for b in "aeiou"]
    src = [f"he saw the {noun} of Anna here".split() for noun in nouns]
    tgt = [f"il vit le {noun[::-1]} de Anna ici".split() for noun in nouns]
    words = function_words(list(zip(src, tgt, strict=True)), [[(k, k) for k in range(7)]] * 15)
    assert {"the", "of"} <= words[0]
    assert {"le", "de"} <= words[1]
    assert not words[0] & {*nouns, "anna"}


def test_lines_and_wrong_options():
    (line,) = term_lines([found(SRC, TGT, LINKS)["sea bird", "oiseau de mer"]])
    assert line.split("\t")[:5] == ["sea bird", "oiseau de mer", "1", "1", "2"]
    assert line.split("\t")[-1] == "0 1"
    for option, value in (("max_words", "3"), ("min_count", 1.5), ("max_words", True)):
        with pytest.raises(OptionError, match=f"{option} is {value!r}: want at least 1, a whole"):
            term_candidates([], [], WordLinks.parse([]), **{option: value})
    for option in ("max_words", "min_count"):
        with pytest.raises(OptionError, match=f"{option} is 0: want at least 1"):
            found(SRC, TGT, LINKS, **{option: 0})


def test_nothing_is_found_in_nothing():
    assert term_candidates([], [], WordLinks.parse([])) == []
