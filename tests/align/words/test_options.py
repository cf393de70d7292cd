import pickle
from fractions import Fraction

import pytest

from bitext.align.words.options import (
    LEAVE_OUT,
    PRESETS,
    STOP_WORDS,
    WordOptions,
    choose,
    is_stop_word,
)
from bitext.errors import OptionError


def test_the_five_published_presets():
    found = {name: (made.syntax, made.leave_out) for name, made in PRESETS.items()}
    assert found == {
        "V1": (False, ()),
        "V2": (False, ("commas",)),
        "V3": (False, ("commas", "stop-words")),
        "V4": (True, ("commas", "stop-words")),
        "V5": (True, ("commas",)),
    }
    assert choose() == choose("v4") == WordOptions()
    for made in PRESETS.values():
        assert (made.forms, made.borders, made.figure4) == ("casefold", "free", False)


def test_the_text_and_the_figure_differ_in_two_things():
    text, figure = WordOptions(), WordOptions(figure4=True)
    assert (text.weight, figure.weight) == (1, Fraction(1, 2))
    edge, beyond = Fraction(2, 5), Fraction(2, 5) + Fraction(1, 10**9)
    assert not text.too_far(edge)
    assert figure.too_far(edge)
    assert text.too_far(beyond)
    assert not figure.too_far(Fraction(39, 100))


def test_numbers_of_the_match_are_read_exactly():
    for given in (Fraction(2, 5), 0.4, "0.4", "2/5", "4e-1"):
        assert choose(trace_weight=given) == choose(trace_weight=Fraction(2, 5))
    assert choose(max_distance=1 / 3).limit == Fraction(1, 3)
    # The figure changes the defaults alone.
    options = choose(figure4=True, trace_weight=3, max_distance=0)
    assert (options.weight, options.limit, options.match_threshold) == (3, 0, 0)
    assert choose(trace_weight=1) != choose(choose(trace_weight=1), figure4=True)
    assert pickle.loads(pickle.dumps(options)) == options


@pytest.mark.parametrize(
    ("form", "pos", "left_out"),
    [
        (",", "", "comma"),
        (",", ",", "comma"),
        ("，", "", "comma"),
        ("-", ",", "comma"),
        (";", ":", None),
        (".", ".", None),
        ("The", "DT", "stop word"),
        ("N’T", "RB", "stop word"),
        ("tower", "NN", None),
    ],
)
def test_what_is_left_out(form, pos, left_out):
    assert choose("V4").left_out(form, pos) == left_out
    assert choose("V5").left_out(form, pos) == (left_out if left_out == "comma" else None)
    assert choose("V1").left_out(form, pos) is None


def test_the_stop_list_is_of_closed_classes_and_casefolded():
    assert all(word == word.casefold() and word.strip() for word in STOP_WORDS)
    assert {"the", "of", "is", "n't", "'s", "which", "would", "himself"} <= STOP_WORDS
    assert not STOP_WORDS & {"tower", "said", "two", "last", "new", ".", ",", "like"}
    assert is_stop_word("HIMSELF")


def test_a_stop_list_of_the_user():
    options = choose("V4", stop_words={"Tower", "don’t"})
    assert options.stop_words == {"tower", "don't"}
    assert options.left_out("TOWER") == "stop word"
    assert options.left_out("the") is None


def test_forms_are_made_alike():
    assert choose().normal("Straße") == "strasse"
    assert choose(forms="exact").normal("Tower") == "Tower"
    assert choose(forms="porter").normal("Burning") == choose(forms="porter").normal("burned")
    assert choose(forms="snowball").normal("Generously") == "generous"
    assert choose(forms=lambda form: form[0]).normal("Tower") == "T"


def test_equal_options_are_equal_whatever_their_spelling():
    assert choose("V3", leave_out=("stop-words", "commas", "commas")) == PRESETS["V3"]
    assert PRESETS["V3"].leave_out == LEAVE_OUT
    assert choose("V3", syntax=True) == PRESETS["V4"]
    assert choose(PRESETS["V2"]) is PRESETS["V2"]
    assert hash(choose("V3", syntax=True)) == hash(PRESETS["V4"])


def test_options_travel_to_other_processes_also_after_use():
    options = choose("V4", forms="porter")
    options.normal("Towers")
    assert pickle.loads(pickle.dumps(options)) == options


def test_signatures_tell_what_changes_an_alignment():
    assert choose("V1").signature == "words|leave-out:nothing|forms:casefold|borders:free"
    assert choose("V4", figure4=True, stop_words={"a"}).signature == (
        "syntax|leave-out:commas,stop-words(1 of the user's)|forms:casefold|borders:free|figure4"
    )
    assert choose("V4", trace_weight="0.5", max_distance=1, match_threshold=-1).signature == (
        "syntax|leave-out:commas,stop-words|forms:casefold|borders:free"
        "|trace-weight:1/2|max-distance:1|match-threshold:-1"
    )
    assert choose("V5", left_out_gaps=True).signature == (
        "syntax|leave-out:commas(gaps)|forms:casefold|borders:free"
    )
    assert choose("V1", left_out_gaps=True).signature == choose("V1").signature
    assert choose("V1", trace_weight=2, max_distance=1).signature == choose("V1").signature
    assert choose("V1", forms=str.upper).signature.split("|")[2] == "forms:upper"
    # What changes nothing is not told.
    assert choose("V1", figure4=True).signature == choose("V1").signature
    assert choose("V2", stop_words={"a"}).signature == choose("V2").signature


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "V6"}, "preset 'V6' is not known: want one of V1, V2, V3, V4, V5"),
        ({"border": "gap"}, "option 'border' of the word aligner is not known: did you mean"),
        ({"zzz": 1}, "option 'zzz' of the word aligner is not known: want one of syntax"),
        ({"borders": "none"}, "borders is 'none': want one of free, gap"),
        ({"forms": "lemma"}, "forms is 'lemma': want one of casefold, exact, .* or a function"),
        ({"forms": ["exact"]}, r"forms is \['exact'\]: want one of casefold"),
        ({"leave_out": "commas"}, r"leave_out is 'commas': want a tuple, as \('commas',\)"),
        ({"leave_out": ("dots",)}, "leave_out is 'dots': want one of commas, stop-words"),
        ({"stop_words": "the"}, "the stop list is 'the': want a set of words"),
        ({"stop_words": 3}, "the stop list is 3: want a set of words"),
        ({"leave_out": None}, "leave_out is None: want a tuple"),
        ({"leave_out": 3}, "leave_out is 3: want a tuple"),
        ({"leave_out": (None,)}, r"leave_out is \(None,\): want a tuple"),
        ({"stop_words": [None]}, r"the stop list is \[None\]: want a set of words"),
        (
            {"preset": None},
            "preset None is not known: want one of V1, V2, V3, V4, V5, or WordOptions",
        ),
        ({"preset": 4}, "preset 4 is not known"),
        ({"preset": ["V1"]}, r"preset \['V1'\] is not known"),
        ({"preset": {"syntax": True}}, "preset {'syntax': True} is not known"),
        ({"figure4": 0.5}, "figure4 is 0.5: want True or False"),
        ({"syntax": "yes"}, "syntax is 'yes': want True or False"),
        ({"left_out_gaps": 1}, "left_out_gaps is 1: want True or False"),
        ({"trace_weight": -1}, "trace_weight is -1: want a number from 0 to 1000"),
        ({"trace_weight": float("inf")}, "trace_weight is inf: want a number from 0 to 1000"),
        ({"trace_weight": "two"}, "trace_weight is 'two': want a number from 0 to 1000"),
        ({"trace_weight": True}, "trace_weight is True: want a number from 0 to 1000"),
        ({"trace_weight": [1]}, r"trace_weight is \[1\]: want a number from 0 to 1000"),
        ({"max_distance": "1/0"}, "max_distance is '1/0': want a number from 0 to 1"),
        ({"max_distance": 1.5}, r"max_distance is 1\.5: want a number from 0 to 1"),
        ({"match_threshold": None}, "match_threshold is None: want a number from -1000 to 1000"),
        ({"match_threshold": float("nan")}, "match_threshold is nan: want a number from -1000"),
    ],
)
def test_options_that_are_not_allowed(options, message):
    with pytest.raises(OptionError, match=message):
        choose(**options)


def test_a_function_of_forms_that_makes_no_string():
    with pytest.raises(OptionError, match="the function makes 5 of 'Tower': want a string"):
        choose(forms=len).normal("Tower")
