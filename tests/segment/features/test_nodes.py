"""Node features of hand-worked texts."""

import numpy as np
import pytest

from bitext.segment.features import Bag, Joint, Labels, Lexicons, Scalar, columns, joint_keys, spelt
from bitext.segment.features.text import TextView

TALK = ["“Well,” he said, “go.”", "I asked why.", "Mr Holmes had 2 dogs.", ""]


def told(ask, sentences=TALK):
    """Return what a group says of each sentence, by the name of the column."""
    view = TextView(sentences, 30)
    found = {}
    for column in ask(view):
        if isinstance(column, Scalar):
            found[column.name] = column.values.tolist()
        elif isinstance(column, Labels):
            found[column.name] = [column.forms[k] if k >= 0 else None for k in column.codes]
        elif isinstance(column, Bag):
            cuts = zip(column.ptr[:-1], column.ptr[1:], strict=True)
            found[column.name] = [
                {column.forms[column.ids[k]]: float(column.values[k]) for k in range(begin, end)}
                for begin, end in cuts
            ]
        elif isinstance(column, Joint):
            lexicons = Lexicons(grows=True)
            names = [part.name for part, _ in column.parts]
            keys = joint_keys(
                column, {part.name: lexicons.numbers(part) for part, _ in column.parts}
            )
            known = [
                spelt(keys[k : k + 1], names, lexicons)[0] if keys[k] >= 0 else None
                for k in range(len(keys))
            ]
            found[column.name] = known
    return found


def test_the_groups_of_the_paper():
    assert told(columns.length) == {"length": [4, 3, 5, 0]}
    assert told(columns.position) == {"position": [0, 1 / 3, 2 / 3, 1]}
    assert told(columns.capitals) == {"capitals": [1, 1, 2, 0]}
    assert told(columns.first_word) == {"first-word": ["well", "i", "mr", None]}
    assert told(columns.final_punctuation) == {
        "final-punctuation": ["full-stop", "full-stop", "full-stop", "nothing"]
    }
    assert told(columns.quotes) == {
        "quote-pairs": [2, 0, 0, 0],
        "inside-quotes": ["no"] * 4,
    }


def test_quotations_of_the_paper_are_half_the_marks():
    sentences = ["“Well,” he said, “go", "on.", "Now.”", "I went."]
    assert told(columns.half_marks, sentences) == {
        "half-marks-before": [0, 1.5, 0, 0.5],
        "half-marks": [1.5, 0, 0.5, 0],
        "inside-quotes": [0, 1, 1, 0],
    }


def test_overlap_and_products():
    words = ["a a b", "a b c", "", "c"]
    assert told(columns.overlap, words) == {"overlap": [2, 0, 0, 0]}
    assert told(columns.inner_product, words) == {"inner-product": [0, 3, 0, 0]}
    (cosines,) = told(columns.cosine_with_previous, words).values()
    assert cosines == pytest.approx([0, 3 / (5 * 3) ** 0.5, 0, 0])


def test_overlap_and_product_of_the_paper():
    words = ["a a b", "a b c", "", "c"]
    # Sets {a, b} and {a, b, c}: 2 * 2 / (2 + 3).
    assert told(columns.dice, words) == {"dice": [0.8, 0, 0, 0]}
    # Joint bags: a2 b1 with a3 b2 c1; a3 b2 c1 with a1 b1 c1; a1 b1 c1 with c1; c1 with c1.
    assert told(columns.joint_product, words) == {"joint-product": [8, 6, 1, 1]}
    for ask in (columns.dice, columns.joint_product, columns.half_marks):
        assert all(values == [] for values in told(ask, []).values())


def test_bags_are_scaled():
    view = TextView(["a a b", "b"], 30, bags="unit")
    assert columns.words(view)[0].values == pytest.approx(np.array([2, 1, 5**0.5]) / 5**0.5)
    view = TextView(["a a b", "b"], 30, bags="printed")
    assert columns.words(view)[0].values.tolist() == [0.4, 0.2, 1.0]
    view = TextView(["a a b", "b"], 30, bags="binary")
    assert columns.words(view)[0].values.tolist() == [1.0, 1.0, 1.0]


def test_bags_with_a_neighbour():
    view = TextView(["a b", "b c", "d"], 30, bags="printed")
    (before,) = columns.words_with_previous(view)
    (behind,) = columns.words_with_next(view)
    spelling = [[column.forms[k] for k in column.ids] for column in (before, behind)]
    assert spelling == [
        ["a", "b", "a", "b", "c", "b", "c", "d"],
        ["a", "b", "c", "b", "c", "d", "d"],
    ]
    assert before.values.tolist() == pytest.approx(
        [0.5, 0.5, *(v / 6 for v in (1, 2, 1)), *[1 / 3] * 3]
    )


def test_what_was_found_to_help():
    assert told(columns.form) == {"form": ["QNQ", "N", "N", ""]}
    speech = ["“One.", "“Two,” he said.", "“It", "goes.", "on”"]
    assert told(columns.form, speech) == {"form": ["Q>", "RQN", "Q>", "IQ>", "IQ"]}
    assert told(columns.narration) == {"narration": [2, 3, 5, 0]}
    assert told(columns.numerals) == {"numerals": ["0", "0", "1", "0"]}
    assert told(columns.first_words)["first-words"] == [
        "well he",
        "i asked",
        "mr holmes",
        None,
    ]
    assert told(columns.last_word)["last-word"] == ["go", "why", "dogs", None]
    assert told(columns.shape)["shape"] == [
        "capitalised",
        "one-capital",
        "capitalised",
        "none",
    ]
    speech = told(columns.speech, ["“Yes,” said he.", "“No.”", "He rose."])
    assert speech == {"speech": ["said", None, None], "speech-two": ["said he", None, None]}


def test_signs_are_the_same_whatever_the_language():
    english = told(columns.ends, ["“Well?” he said—“go.”", "“Go!”"])
    assert english == {"end": [".”", "!”"], "begin": ["“", "“"]}
    assert told(columns.ends, ["»Well?« he said — »go.«", "»Go!«"]) == english
    assert told(columns.ends, ["«No...", "... ", "", "!" * 99])["end"] == [
        "...",
        "...",
        "",
        "!!!",
    ]


def test_conjunctions_name_their_neighbours():
    found = told(columns.forms_joined)
    assert found["form[-1]×form"] == ["^×QNQ", "QNQ×N", "N×N", "N×"]
    assert found["form[-2]×form[-1]×form"][2] == "QNQ×N×N"
    assert found["form[-1]×form×form[1]"] == ["^×QNQ×N", "QNQ×N×N", "N×N×", "N××^"]
    assert told(columns.first_words_joined)["first-word×form"][3] is None
    speech = told(columns.speech_joined, ["“Yes,” said he.", "“No.”"])
    assert speech["speech[-1]×form"] == ["^×QN", "said×Q"]
    ends = told(columns.ends_joined, ["Go?", "He went."])
    assert ends["end[-1]×first-word"] == ["^×go", "?×he"]


@pytest.mark.parametrize("sentences", [[], [""], ["..."], ["One."], ["", "“", "a", "”"]])
def test_odd_texts_have_columns_of_their_length(sentences):
    for name in dir(columns):
        ask = getattr(columns, name)
        if (
            not name.startswith(("_", "edge_"))
            and getattr(ask, "__module__", "") == columns.__name__
        ):
            if isinstance(ask, type) or name == "sentence_forms":  # no columns
                continue
            for values in told(ask, sentences).values():
                assert len(values) == len(sentences)
