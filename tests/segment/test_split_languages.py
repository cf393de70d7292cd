"""The languages that text can be split in."""

import pytest

from bitext.errors import OptionError
from bitext.segment.split_languages import MODELS, SCRIPTS, known_language


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("en-GB", "en"),
        ("deu", "de"),
        ("ger", "de"),
        ("DE_at", "de"),
        ("zh-Hans", "zh"),
        ("yue", "yue"),
        ("hu", "hu"),
        ("isl", "is"),
        ("ice", "is"),
        (" sr-Cyrl ", "sr"),
    ],
)
def test_languages_are_known_by_their_codes(code, known):
    assert known_language(code) == known


@pytest.mark.parametrize("code", ["xx", "", "hug", "english", "-", "qaa"])
def test_what_is_no_language_is_told(code):
    with pytest.raises(OptionError, match="cannot be split: want a code of ISO 639-1"):
        known_language(code)


@pytest.mark.parametrize("code", ["th", "tha", "lo", "bo", "tib"])
def test_languages_that_do_not_mark_sentences_are_told(code):
    with pytest.raises(OptionError, match=f"'{code}' cannot be split: its script does not mark"):
        known_language(code)


def test_languages_with_models_and_rules_are_known_by_their_own_codes():
    for code in (*MODELS, *SCRIPTS):
        assert known_language(code) == code


def test_the_codes_are_those_that_nltk_knows():
    from nltk.langnames import iso639short

    wrong = {"hbs"}  # Serbo-Croatian: nltk has it with the letters that were withdrawn
    for longer, short in iso639short.items():
        if longer not in wrong and short not in {"th", "lo", "bo", "dz"}:
            assert known_language(longer) == known_language(short) == short
