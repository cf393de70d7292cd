from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment.sentences.running_text import RunningText, sentences_by_line, split_sentences
from bitext.segment.sentences.splitter import SentenceSplitter


@pytest.mark.parametrize(
    ("raw", "running"),
    [
        ("", ""),
        (" \n ", ""),
        ("He came.\r\n  She\tleft.", "He came. She left."),
        ("the Dampf\u00ad\nschiff", "the Dampfschiff"),
        ("the Dampf¬\nschiff", "the Dampfschiff"),
        ("Dampf\u00ad schiff", "Dampf\u00ad schiff"),  # no line end
        ("a well-\nknown man, well-known", "a well-known man, well-known"),
        ("the rail-\nway; a railway", "the railway; a railway"),
        ("Haupt- \nund Nebensatz", "Haupt- und Nebensatz"),
        ("said-\nand went", "said- and went"),
        ("the Anglo-\nSaxon", "the Anglo-Saxon"),
        ("a well-\nknown man", "a well-known man"),
        ("in 1914-\n18, pages 3–\n5", "in 1914-18, pages 3–5"),
        ("un arc-\nen-ciel, à vis-à-\nvis", "un arc-en-ciel, à vis-à-vis"),
        ("her sister—\nMrs. Hill--\ncame", "her sister—Mrs. Hill--came"),
        ("her sister —\nMrs. Hill – \ncame", "her sister — Mrs. Hill – came"),
        ("Wait—\n“No”", "Wait— “No”"),
        ("Fahr-\nund Gehweg, Ein-\noder", "Fahr- und Gehweg, Ein- oder"),
        ("他来了，\n她走了。", "他来了，她走了。"),
        ("他来了，\n\n她走了。", "他来了， 她走了。"),  # a paragraph ends there
        ("왔다\n갔다", "왔다 갔다"),
    ],
)
def test_white_space_is_one_blank_and_words_are_joined_where_that_is_sure(raw, running):
    assert RunningText(raw).text == running


@given(st.text("ab-\u00ad \n天。", max_size=40))
def test_every_character_is_found_again_in_the_raw_text(raw):
    running = RunningText(raw)
    places = running.places(list(range(len(running.text)))).tolist()
    for sign, place in zip(running.text, places, strict=True):
        assert sign == " " or raw[place] == sign
    letters = [place for sign, place in zip(running.text, places, strict=True) if sign != " "]
    assert letters == sorted(set(letters))


@given(st.text("天地。？” \n\u00ad-ab", max_size=40))
def test_sentences_and_white_space_are_the_raw_text(raw):
    spans = split_sentences(raw, SentenceSplitter("zh"))
    at = 0
    for sentence, start, end in zip(*spans, strict=True):
        assert not raw[at:start].strip()
        assert raw[start:end].split()[0][0] == sentence[0]
        assert raw[start:end] == raw[start:end].strip()
        at = end
    assert not raw[at:].strip()


def test_lines_may_be_sentences():
    spans = sentences_by_line("He  came.\r\n\n She\u2028left.")
    assert spans.sentences == ["He came.", "She left."]
    assert spans.starts.tolist() == [0, 13]
    assert spans.ends.tolist() == [9, 22]


@pytest.mark.parametrize(
    ("raw", "items"),
    [
        ("To buy:\n• Bread\n• Salt. And oil.", ["To buy:", "• Bread", "• Salt.", "And oil."]),
        ("- Bread\n- Salt\n", ["- Bread", "- Salt"]),
        ("He saw the sea\n- it was calm -\nand the hills\nbehind it.", None),
    ],
)
def test_items_of_lists_begin_at_bullets(raw, items):
    found = split_sentences(raw, SentenceSplitter("en"))
    assert found.sentences == (items or [raw.replace("\n", " ")])
    spans = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    assert [" ".join(raw[start:end].split()) for start, end in spans] == found.sentences
