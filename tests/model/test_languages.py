"""The language of a text is identified, or nothing is said of it."""

import pytest

from bitext.errors import InputError
from bitext.model.languages import (
    identified_language,
    main_language,
    most_probable_language,
)

pytest.importorskip("py3langid")

GERMAN = "Der Wirt ging in das Haus, und sie war nicht da. Dann wurde es im Dorf sehr still."
FRENCH = "Il est entré dans la maison, et elle ne vit pas ce que je vis. Puis il est parti."
ICELANDIC = (
    "Jöklar landsins eru hluti af hinni kraftmiklu náttúru, og margir ferðamenn koma hingað."
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ([GERMAN], "de"),
        ([FRENCH], "fr"),
        ([ICELANDIC], "is"),
        (["他走进屋里，可是她不在那里。后来他们都坐下来。"], "zh"),
        ([ICELANDIC] * 500, "is"),  # longer than all windows
        (["", "  ", f"<p>{GERMAN}</p>", "https://example.org/of/the/house"], "de"),
        ([GERMAN] * 9 + ["Chapter One"], "de"),
    ],
)
def test_a_text_in_one_language_is_identified(text, code):
    assert identified_language(text) == code


@pytest.mark.parametrize(
    "text",
    [[], [""], ["Tessel Ferry 12 14 18"], ["Nei."], ["1 2 3 4"] * 90, ["OK"] * 3]
    + [[GERMAN, FRENCH] * count for count in (2, 9, 90)],
)
def test_nothing_is_said_of_a_short_or_mixed_text(text):
    assert identified_language(text) == ""


def test_windows_are_taken_from_the_whole_text():
    assert identified_language([GERMAN] * 200 + [FRENCH] * 200) == ""
    assert identified_language([FRENCH] * 3 + [GERMAN] * 200) == "de"


def test_a_short_text_has_a_most_probable_language():
    code, probability = most_probable_language("Der Mann war gestern in Berlin.")
    assert code == "de"
    assert 0.5 < probability < 0.95


@pytest.mark.parametrize("code", [5, None, b"en"])
def test_codes_are_strings(code):
    with pytest.raises(InputError, match=r"the language is .*: want a code, as en"):
        main_language(code)
