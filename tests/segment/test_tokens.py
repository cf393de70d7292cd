"""Words of any script, and kinds of characters."""

from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.tokens import NUMERAL, Kind, Tokens, code_points, kinds_of


def words(*sentences):
    tokens = Tokens(sentences)
    forms = [tokens.forms[k] for k in tokens.ids]
    cuts = zip(tokens.ptr[:-1], tokens.ptr[1:], strict=True)
    return [forms[begin:end] for begin, end in cuts]


def test_words_of_many_scripts():
    assert words("Don’t go, twenty-one!") == [["don’t", "go", "twenty-one"]]
    assert words("L’été à Besançon.") == [["l’été", "à", "besançon"]]
    assert words("Он сказал: 15 лет.") == [["он", "сказал", NUMERAL, "лет"]]
    assert words("你好，world。") == [["你", "好", "world"]]
    assert words("नमस्ते दुनिया।") == [["नमस्ते", "दुनिया"]]


def test_signs_at_the_edges_are_of_no_word():
    assert words("'tis -x- the boys'", "— …", "") == [["tis", "x", "the", "boys"], [], []]


@given(st.lists(st.text(st.characters(codec="utf-8") | st.sampled_from("aB1 '-“。"), max_size=20)))
def test_places_point_to_the_words(sentences):
    tokens = Tokens(sentences)
    assert len(tokens.ptr) == len(sentences) + 1
    assert tokens.forms == sorted(set(tokens.forms))
    for k, sentence in enumerate(sentences):
        assert tokens.line[tokens.starts[k] : tokens.ends[k]] == sentence
        for word in range(tokens.ptr[k], tokens.ptr[k + 1]):
            begin, stop = tokens.begins[word], tokens.stops[word]
            assert tokens.starts[k] <= begin < stop <= tokens.ends[k]
            spelt = tokens.line[begin : min(stop, begin + 40)]
            form = NUMERAL if spelt.isdigit() else spelt.lower()
            assert tokens.forms[tokens.ids[word]] == form


def test_a_lone_surrogate_is_a_character_as_any_other():
    assert kinds_of(code_points("\ud800"))[0] == Kind.OTHER


def test_sentences_of_100_000_characters():
    (found,) = words("x" * 100_000)
    assert found == ["x" * 40]
    assert len(words("no end " * 15_000)[0]) == 30_000
