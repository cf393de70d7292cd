from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.segment import sentences as tables
from bitext.segment.sentences import known_language
from bitext.segment.sentences.splitter import FullStops, SentenceSplitter

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "sentences"


LINES = [
    line.split("\t")
    for line in (FIXTURES / "full_stops.tsv").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("lang", sorted({lang for lang, _ in LINES}))
def test_full_stops_behind_abbreviations(lang):
    splitter = SentenceSplitter(lang)
    wanted = [text.split("|") for other, text in LINES if other == lang]
    assert [splitter.sentences(" ".join(sentences)) for sentences in wanted] == wanted


def test_a_letter_ends_a_sentence_before_the_number_of_a_list():
    text = "The states are listed in annex V. 4. As agreed, it is short."
    assert SentenceSplitter("en").sentences(text)[0] == "The states are listed in annex V."
    assert SentenceSplitter("en").sentences("This is on p. 4. As agreed.")[0] == "This is on p. 4."


@pytest.mark.parametrize(
    ("lang", "text", "count"),
    [
        ("en", "She works for Acme Inc. London is far.", 1),  # a name goes on as often
        ("ru", "В 1990 г. Москва была большой.", 1),
        ("es", "Vive en EE. UU. Carmen trabaja.", 1),
        ("de", "Er sah Friedrich II. Otto schwieg.", 2),  # the number goes with the name before it
        ("de", "Sie wurde 90. Karl schwieg.", 1),  # an ordinal, for all that is known
        ("en", "The answer is no. I said so.", 2),  # no Roman number
        ("hr", "To je package-doc. Ivan spava.", 2),  # no title
        ("es", "Son los ficheros .d. Cada uno es corto.", 2),
    ],
)
def test_where_the_next_word_tells_nothing(lang, text, count):
    assert len(SentenceSplitter(lang).sentences(text)) == count


def test_pieces_are_cut_and_joined():
    stops = FullStops("de")
    text = "Karl kam usw. Dann ging Dr. Weiß heim."
    joined = text.index(" Weiß")
    assert stops(text, [(0, joined), (joined + 1, len(text))]) == [(0, 13), (13, len(text))]
    assert stops("", []) == []


@pytest.mark.parametrize("codes", sorted({*tables.tables_by_code().values()}))
def test_tables_are_well_formed(codes):
    for code in codes.split():
        assert known_language(code) == code or code == "sh"
        table = tables.abbreviations(code)
        for word in frozenset().union(*table):
            assert word == word.lower()
            assert not word.endswith((".", "_"))
            assert not word.startswith((".", "_"))
        assert table.openers
        assert not table.openers & table.ends


WORDS = (
    "Hauptstr usw z B u a S Abb Dr Nr 5 12. 1990 m 7 II V C I am Er Dann Haus Karl der Dipl.-Ing "
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=12), st.sampled_from(["de", "en", "tr"]))
def test_the_quick_answer_is_the_whole_one(words, lang):
    text = ". ".join(words)
    pieces = [(0, len(text))] if text else []
    with pytest.MonkeyPatch.context() as patch:
        quick = FullStops(lang)(text, pieces)
        patch.setattr(FullStops, "is_plain", lambda _self, _word: False)
        assert FullStops(lang)(text, pieces) == quick
