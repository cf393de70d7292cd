from __future__ import annotations

import numpy as np
import pytest

from bitext.align.sentences import align_sentences, aligner_of, learned_lexicon
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.errors import FormatError, InputError
from bitext.model import Text


@pytest.mark.parametrize("worth", ["much", None, float("nan"), -0.5, float("inf")])
def test_a_worth_that_is_none_is_told(worth):
    with pytest.raises(InputError, match=r"entry 2 is .*: want a worth of 0 or more"):
        Lexicon.of_entries([("a", "b"), ("dog", "chien", worth)])


def test_what_was_saved_comes_back(tmp_path):
    lexicon = Lexicon.of_entries([("Haus", "maison"), ("Haus", "foyer", 0.5), ("alter Hund", "x")])
    lexicon.save(tmp_path / "words.tsv")
    again = Lexicon.load(tmp_path / "words.tsv")
    assert list(again.lines()) == list(lexicon.lines())
    assert len(again) == 4


def test_decomposed_words_of_a_file_are_those_of_texts_which_are_composed():
    lexicon = Lexicon.of_lines(["e\u0301te\u0301\tsummer\t0.5\t0.5\n"])
    pairs = lexicon.onto(Vocabulary(["\u00e9t\u00e9"]), Vocabulary(["summer"]))
    assert (pairs.src.tolist(), pairs.tgt.tolist()) == ([0], [0])


def test_numbers_of_other_vocabularies():
    lexicon = Lexicon.of_entries([("haus", "maison"), ("hund", "chien"), ("kuh", "vache")])
    pairs = lexicon.onto(Vocabulary(["x", "kuh", "haus"]), Vocabulary(["maison", "vache", "y"]))
    assert (pairs.src.tolist(), pairs.tgt.tolist()) == ([1, 2], [1, 0])
    assert pairs.known_src.tolist() == [0, 0.5, 0.5]


def test_of_two_lexicons_the_higher_values_hold():
    one = Lexicon.of_entries([("a", "x"), ("b", "y", 0.5)])
    two = Lexicon.of_entries([("b", "y"), ("c", "z")])
    both = one.merged(two)
    assert len(both) == 3
    assert both.pairs.forward.tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    "line",
    ["a", "a\tb", "a\tb\t0.5", "a\tb\tx\t0.5", "a\tb\t2\t0.5", "\t\t0.5", "a\tb\tnan\t0.5", ""],
)
def test_a_line_that_is_none_is_told(line):
    with pytest.raises(FormatError, match=r"words.tsv line 2: want two words and two chances"):
        Lexicon.of_lines(["a\tb\t0.5\t0.5\n", line + "\n"], path="words.tsv")


def test_a_file_in_another_encoding_is_told(tmp_path):
    (tmp_path / "words.tsv").write_bytes(b"\xe9\tx\t1\t1\n")
    with pytest.raises(FormatError, match="is not in UTF-8"):
        Lexicon.load(tmp_path / "words.tsv")


@pytest.mark.parametrize("entry", [("a",), ("a", 3), ("a", "b", 1, 2)])
def test_entries_that_are_none(entry):
    with pytest.raises(InputError, match="entry 2 is"):
        Lexicon.of_entries([("a", "b"), entry])


def test_a_dictionary_and_a_lexicon_say_what_the_texts_do_not():
    # Sentences of equal length, one left out: nothing but the words tells which.
    src = Text(["abba.", "ceed.", "fogg.", "hiij."])
    tgt = Text(["qrqr.", "uvuv.", "wxwx."])
    entries = [("abba", "qrqr"), ("fogg", "uvuv"), ("hiij", "wxwx")]
    wanted = [((0,), (0,)), ((1,), ()), ((2,), (1,)), ((3,), (2,))]
    by_dictionary = align_sentences(src, tgt, dictionary=entries, beads="1-1")
    assert list(by_dictionary) == wanted
    lexicon = Lexicon.of_entries(entries)
    assert list(align_sentences(src, tgt, lexicon=lexicon, beads="1-1")) == wanted


def test_what_was_learned_helps_another_text():
    rng = np.random.default_rng(8)
    words = ["".join(rng.choice(list("bdfgklmn"), 6)) for _ in range(30)]
    others = ["".join(rng.choice(list("pqrstvwz"), 6)) for _ in range(30)]
    picks = [rng.choice(30, 5, replace=False) for _ in range(200)]
    texts = [
        Text([" ".join(these[k] for k in pick) for pick in picks]) for these in (words, others)
    ]
    aligner = aligner_of([(texts[0], texts[1])])
    aligner.run()
    lexicon = learned_lexicon(aligner)
    assert len(lexicon) >= 30
    again = Lexicon.of_lines(lexicon.lines())
    src, tgt = Text([words[3], words[7], words[5]]), Text([others[3], others[5]])
    found = align_sentences(src, tgt, lexicon=again, rounds=1, beads="1-1")
    assert list(found) == [((0,), (0,)), ((1,), ()), ((2,), (1,))]
