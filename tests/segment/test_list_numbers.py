from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.sentences.running_text import split_sentences
from bitext.segment.sentences.splitter import SentenceSplitter, with_numbers


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "1. This is one.|2. This is two.|10. And this is ten."),
        ("en", "Look at these.|1. Bananas are good.|2. Apples, too."),
        ("en", "1.2. This is a subsection.|1.3.1. Another one."),
        ("en", "a) First thing.|b) Second thing.|(c) Third thing.|(4) Fourth thing."),
        ("en", "A. First we go."),
        ("en", "iv. Details follow here."),
        ("de", "1. Das ist der erste Punkt.|2. Das ist der zweite."),
        ("fr", "1. Le premier point.|2. Le second point."),
        ("ru", "1. Это первый пункт.|2. Это второй пункт.|а) Первое дело.|б) Второе дело."),
        ("hu", "1. Ez az első pont.|2. Ez a második."),
        ("sw", "1. Hii ni ya kwanza.|2. Hii ni ya pili."),
    ],
)
def test_a_number_of_a_list_begins_its_sentence(lang, text):
    sentences = text.split("|")
    splitter = SentenceSplitter(lang)
    assert splitter.sentences(" ".join(sentences)) == sentences
    assert splitter.sentences("\n".join(sentences)) == sentences


def test_items_that_end_without_a_stop():
    items = ["1. Introduction", "2. The method", "3. Results"]
    assert SentenceSplitter("en").sentences("\n".join(items)) == items
    assert SentenceSplitter("en").sentences("\n   ".join(items)) == items
    raw = "Contents of\nthis book:\n \n1.  Introduction\n 2. The\nmethod\n3. Results\nare given."
    found = split_sentences(raw, SentenceSplitter("en"))
    assert found.sentences == ["Contents of this book:", *items[:2], "3. Results are given."]
    assert [raw[i:j] for i, j in zip(found.starts, found.ends, strict=True)][1:3] == [
        "1.  Introduction",
        "2. The\nmethod",
    ]
    as_before = split_sentences(raw, SentenceSplitter("en", lists=False))
    assert as_before.sentences[0] == "Contents of this book: 1."


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("He said that the answer was\n12. Then he left.", 2),  # a sentence in broken lines
        ("It was 1990. Then he left.", 2),
        ("1.\nIntroduction. It begins.", 3),  # a number that has the line for itself
        ("Who was it? I. And who came?", 3),  # no number
        ("The end is 5.", 1),
        ("Nothing but 5. 6.", 2),
    ],
)
def test_other_numbers_stay_where_they_were(text, count):
    sentences = SentenceSplitter("en").sentences(text)
    assert len(sentences) == count, sentences


def test_texts_of_models_are_split_as_they_were():
    text = "1. This is one. 2. This is two. (b) Nothing."
    assert SentenceSplitter("en", lists=False).sentences(text)[0] == "1."


@given(
    st.lists(
        st.sampled_from(["1.", "2.", "(3)", "a)", "I.", "b.", "Word.", "word", "12.", "(b", "5"]),
        min_size=1,
        max_size=12,
    ),
    st.data(),
)
def test_pieces_hold_what_they_held(words, data):
    joints = data.draw(st.lists(st.sampled_from([" ", "\n", "\n\n "]), min_size=12, max_size=12))
    text = "".join(word + joint for word, joint in zip(words, joints, strict=False))
    at, pieces = 0, []
    for word in words:
        at = text.index(word, at)
        pieces.append((at, at + len(word)))
        at += len(word)
    merged = data.draw(st.lists(st.booleans(), min_size=len(pieces), max_size=len(pieces)))
    spans = [pieces[0]]
    for piece, joins in zip(pieces[1:], merged[1:], strict=True):
        if joins:
            spans[-1] = (spans[-1][0], piece[1])
        else:
            spans.append(piece)
    found = with_numbers(text, spans)
    assert "".join("".join(text[i:j].split()) for i, j in found) == "".join(words)
    assert all(i < j and text[i:j] == text[i:j].strip() for i, j in found)
    assert all(before[1] <= after[0] for before, after in pairwise(found))
