from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import OptionError
from bitext.segment.sentence_splitting import SentenceSplitter, join_pieces, known_language

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "paragraphs"
DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "paragraphs"


def joined(*pieces, lang="en"):
    text, spans, at = " ".join(pieces), [], 0
    for piece in pieces:
        spans.append((at, at + len(piece)))
        at += len(piece) + 1
    return [text[start:end] for start, end in join_pieces(text, spans, lang)]


@pytest.mark.parametrize(
    ("pieces", "lang"),
    [
        (("“Who is there?”", "said she."), "en"),  # lower case goes on
        (("“What!”", "—and he sat down."), "en"),
        (("Oh!", "…” rejoined the baronet."), "en"),
        (("“Heads below!”", "(a loud crash) came."), "en"),
        (("He stopped.", "* * *"), "en"),  # no letter
        (("He stopped.", "” He sat."), "en"),  # a closing mark
        (("Er ging.", "« Sie auch."), "de"),
        (("Er ging.", "“ Sie auch."), "de"),
        (("Aus!", "– »als Lehrer«."), "de"),
        (("Il vint.", "» Elle partit."), "fr"),
        (("Warum?", "'s ist gut."), "de"),
        (('"Who?"', '" he said.'), "en"),  # a mark that goes both ways, before a blank
    ],
)
def test_pieces_that_go_on_are_joined(pieces, lang):
    assert joined(*pieces, lang=lang) == [" ".join(pieces)]


@pytest.mark.parametrize(
    ("pieces", "lang"),
    [
        (("He came.", "She left."), "en"),
        (("He came.", "“and then?”"), "en"),  # behind an opening mark
        (("Er kam.", "»und dann?«"), "de"),
        (("Il vint.", "« et alors? »"), "fr"),
        (("He came.", '"and then?"'), "en"),
        (("Han kom.", "”och sedan?”"), "sv"),
        (("Wait!", "), it is odd."), "en"),  # a comma before the letter
        (("That is No.", "4. And that."), "en"),
        (("Objection No.", "1."), "en"),  # a digit is enough
    ],
)
def test_other_pieces_are_sentences(pieces, lang):
    assert joined(*pieces, lang=lang) == list(pieces)


@pytest.mark.parametrize(
    ("code", "known"), [("en-GB", "en"), ("deu", "de"), ("DE_at", "de"), ("zh-Hans", "zh")]
)
def test_languages_are_known_by_their_codes(code, known):
    assert known_language(code) == known


def test_other_languages_are_told():
    with pytest.raises(OptionError, match="'la' cannot be split: want one of cs, da, de"):
        known_language("la")


def test_chinese_and_japanese_have_a_rule():
    splitter = SentenceSplitter("ja")
    text = "「もう夜か？」と彼は言った。誰も答えない！！ 3.5キロ"
    assert splitter.sentences(text) == [
        "「もう夜か？」",
        "と彼は言った。",
        "誰も答えない！！",
        "3.5キロ",
    ]


@given(st.text("天地。！？”」 \n…a1", max_size=30))
def test_every_character_but_white_space_is_in_a_sentence(text):
    spans = SentenceSplitter("zh").spans(text).tolist()
    outside, at = "", 0
    for start, end in spans:
        outside += text[at:start]
        assert text[start:end].strip() == text[start:end] != ""
        at = end
    assert not (outside + text[at:]).strip()


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_text_without_characters_has_no_sentence(text):
    assert SentenceSplitter("zh").spans(text).shape == (0, 2)


@pytest.mark.parametrize(("name", "lang"), [("ferry.en", "en"), ("clock.de", "de")])
def test_stories_are_split_as_their_files_say(name, lang):
    from bitext.formats.paragraph_files import read_paragraph_file

    splitter = SentenceSplitter(lang)
    for text in read_paragraph_file(FIXTURES / f"{name}.tsv"):
        sentences = list(text.segments())
        assert splitter.sentences(" ".join(sentences)) == sentences


@pytest.mark.skipif(not DATA.is_dir(), reason="the paragraph data are not here")
@pytest.mark.parametrize(("name", "lang"), [("sb", "en"), ("ger", "de")])
def test_the_data_are_split_as_they_were(name, lang):
    from bitext.formats.paragraph_files import read_paragraph_file

    splitter = SentenceSplitter(lang)
    for text in read_paragraph_file(min((DATA / name).iterdir())):
        sentences = list(text.segments())
        assert splitter.sentences(" ".join(sentences)) == sentences
