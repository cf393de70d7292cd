"""What occurs of a dictionary is found by its first words as by looking at every entry."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences.lexical import Vocabulary, words_of
from bitext.align.sentences.lexical.lexicon import BEGINNING
from bitext.formats.dictionaries import Dictionary
from bitext.formats.io.source import Notes
from bitext.jobs.align_task import DictionaryIndex

WORDS = st.sampled_from(["haus", "hauses", "hausmann", "ein", "eine", "zu", "gehen", "geht", "gut"])
TERMS = st.lists(WORDS, min_size=1, max_size=2).map(" ".join)


@given(
    st.lists(st.tuples(TERMS, TERMS), max_size=8),
    st.lists(WORDS, unique=True),
    st.lists(WORDS, unique=True),
)
def test_what_occurs_is_what_a_look_at_each_entry_finds(entries, src, tgt):
    terms = tuple(a for a, _ in entries), tuple(b for _, b in entries)
    plain = Dictionary(*terms).occurring(set(src), set(tgt), words=words_of, letters=BEGINNING)
    found = DictionaryIndex(Dictionary(*terms)).occurring(Vocabulary(src), Vocabulary(tgt))
    assert [entry[:2] for entry in found] == list(zip(plain.src, plain.tgt, strict=True))


def test_the_direction_is_told_by_words_as_they_are():
    left, right = [f"links{k}" for k in "abcdefghi"], [f"droit{k}" for k in "abcdefghi"]
    index = DictionaryIndex(Dictionary(tuple(right), tuple(left), path="d.tsv"))
    notes = Notes()
    found = index.occurring(Vocabulary(left), Vocabulary(right), notes)
    assert {(a, b) for a, b, _ in found} == set(zip(left, right, strict=True))
    assert [note.kind for note in notes.all()] == [
        "dictionaries in the wrong direction, used exchanged"
    ]


def test_an_inflected_form_lets_an_entry_occur():
    index = DictionaryIndex(Dictionary(("Haus", "gut"), ("maison", "bon")))
    found = index.occurring(Vocabulary(["hauses", "gute"]), Vocabulary(["maisons", "bon"]))
    assert [entry[:2] for entry in found] == [("Haus", "maison")]
