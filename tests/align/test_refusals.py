"""What aligners refuse: where it is, and what to do about it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bitext.align import (
    explain_bead,
    link_by_vectors,
    link_words,
    project_labels,
    read_model,
    symmetrise,
    term_candidates,
)
from bitext.align.sentences import (
    align_corpus,
    align_sentences,
    aligner_of,
    alignment_of,
    learned_lexicon,
)
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.align.sentences.vectors import encoder_named, vectors_of
from bitext.align.words.event_clusters import event_clusters
from bitext.errors import InputError, OptionError
from bitext.model import Text, WordLinks
from bitext.syntax import read_labels


@pytest.mark.parametrize(
    "entry", [("cat",), ("cat", 5), ("cat", "chat", 0.5, "x"), ()], ids=["one", "5", "four", "none"]
)
def test_entries_of_a_lexicon_have_two_terms(entry):
    with pytest.raises(InputError, match=r"^entry 2 is \(.*\): want a source and a target term$"):
        Lexicon.of_entries([("dog", "chien", 1.0), entry])


def test_a_dictionary_may_be_a_dict_and_words_of_two_letters_are_no_entries():
    given = {"is": "est", "at": "à"}
    lexicon = Lexicon.of_entries(given)
    assert (lexicon.src.forms, lexicon.tgt.forms) == (["is", "at"], ["est", "à"])
    with pytest.raises(InputError, match="entry 1 is 'is': want a source and a target term"):
        Lexicon.of_entries([*given])


def test_names_of_files_are_no_dictionary_and_no_lexicon():
    pair = Text(["The dog."]), Text(["Le chien."])
    with pytest.raises(InputError, match=r"the dictionary is 'a.dic': want pairs of terms, as bit"):
        align_sentences(*pair, dictionary="a.dic")
    for call in (
        lambda: align_sentences(*pair, lexicon="a"),
        lambda: link_words([], [], lexicon="a"),
    ):
        with pytest.raises(
            InputError, match=r"the lexicon is 'a': want a Lexicon, as Lexicon\.load"
        ):
            call()


def test_vectors_are_those_of_two_sides_and_a_lexicon_is_a_file(tmp_path):
    pair = Text(["The dog."]), Text(["Le chien."])
    for given in ("a.npy", "ab", ([[1.0]],)):
        with pytest.raises(
            InputError, match=r"the vectors are .*: want those of the source and th"
        ):
            align_sentences(*pair, vectors=given)
    for missing in (tmp_path / "no.lexicon", tmp_path):
        with pytest.raises(InputError, match=r"cannot be read: (No such file|Is a directory)"):
            Lexicon.load(missing)


def test_word_pairs_are_of_the_words_that_they_were_learned_with():
    known = Lexicon.of_entries([("dog", "chien"), ("cat", "chat")])
    with pytest.raises(InputError, match="are of 2 and 2 words, the vocabularies of 0 and 2: give"):
        Lexicon(Vocabulary(), known.tgt, known.pairs)


def test_sentences_known_by_ids_only_have_no_vectors():
    with pytest.raises(InputError, match="is known by ids only: give its sentences"):
        vectors_of(Text.of_ids(["s1", "s2"]), lambda texts: np.ones((len(texts), 3)))


def test_texts_may_be_generators_and_arrays():
    src, tgt = ["It rained.", "Nobody came."], ["Il plut.", "Personne ne vint."]
    expected = list(align_sentences(src, tgt))
    assert list(align_sentences((one for one in src), np.array(tgt))) == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a.en", "each a string; of a file, give its lines$"),
        (Path("a.en"), "each a string; of a file, give its lines$"),
        ({"a."}, "a set or dict has no order$"),
        ([b"a."], ": segment 0 is not a string but b'a.'$"),
        (np.array([["a.", "b."]]), "want a list of them, or one column$"),
        (None, ": the segments are of type NoneType: want a list of them"),
    ],
)
def test_texts_are_sequences_of_strings(text, told):
    with pytest.raises(InputError, match=told):
        align_sentences(text, ["Un."])


@pytest.mark.parametrize("pairs", [[("a.", "b.", "c.")], {"x": 1}, ["ab"], [Text(["One."])], [1]])
def test_pairs_of_texts_have_two(pairs):
    with pytest.raises(
        InputError, match=r"^pair 1 is .*: want two texts, the source and the target"
    ):
        align_corpus(pairs)


@pytest.mark.parametrize(
    "document", ["It rained.", ("post", ["It rained."]), ("post", (), ()), None]
)
def test_documents_have_a_name_and_sentences(document):
    with pytest.raises(InputError, match=r"^document 1 is .*: want its name and its sentences, as"):
        event_clusters([document])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"rounds": 0}, "rounds is 0: want 1 to 10"),
        ({"steps": 21}, "steps is 21: want 1 to 20"),
        ({"word_weight": 2.5}, "word_weight is 2.5: want 0 to 2"),
        ({"discount": -0.1}, "discount is -0.1: want 0 to 1"),
    ],
)
def test_options_out_of_range_tell_it(options, told):
    texts = Text(["One.", "Two."]), Text(["Un.", "Deux."])
    with pytest.raises(OptionError, match=f"^{told}$"):
        align_sentences(*texts, **options)


def test_a_method_of_vectors_wants_some():
    with pytest.raises(InputError, match="'embedding' needs vectors: give some, or take 'lexical'"):
        align_sentences(Text(["One."]), Text(["Un."]), method="embedding")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"lexicon": Lexicon.of_entries([("cat", "chat")])}, "a lexicon is of no use"),
        ({"dictionary": [("cat", "chat")]}, "a dictionary is of no use"),
        ({"vectors": (np.eye(1, 4), np.eye(1, 4))}, "vectors are of no use"),
    ],
)
def test_what_a_method_does_not_go_by_is_refused(given, told):
    with pytest.raises(OptionError, match=f"^{told} to the method 'poisson': take 'lexical'$"):
        align_sentences(Text(["One."]), Text(["Un."]), method="poisson", **given)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (0.0, "zeros only"),
        (1e30, r"numbers of the size of 1e\+30"),
        (np.inf, "a number that is not finite"),
        (np.nan, "a number that is not finite"),
    ],
)
def test_a_row_that_is_no_vector_is_named(wrong, told):
    vectors = np.eye(4, 8, dtype=np.float64)
    vectors[2] = wrong
    texts = Text(["One.", "Two.", "Three.", "Four."]), Text(["Un.", "Deux.", "Trois.", "Quatre."])
    with pytest.raises(InputError, match=rf"row 2 \(from 0\): {told}: encode that sentence anew"):
        align_sentences(*texts, vectors=(vectors, np.eye(4, 8)))


def test_an_encoder_that_has_many_models_wants_one():
    with pytest.raises(OptionError, match="want a model, as sentence-transformers:M"):
        encoder_named("sentence-transformers")


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.5])
def test_a_similarity_is_a_share(threshold):
    with pytest.raises(OptionError, match=r"a similarity of .* at least: want above 0, and up to"):
        event_clusters([], by="overlap", threshold=threshold)


def test_options_are_an_object_or_keywords():
    with pytest.raises(
        InputError, match=r"options is \{'rounds': 2\} \(dict\): want SentenceOptions"
    ):
        align_sentences(["One."], ["Un."], options={"rounds": 2})


def test_links_are_parsed_before_they_are_used():
    links, text = WordLinks.parse(["0-0"]), ["a"]
    for call in (
        lambda: symmetrise(links, ["0-0"]),
        lambda: term_candidates(text, text, ["0-0"]),
        lambda: list(project_labels(read_labels(["a X"], path="a"), text, text, ["0-0"])),
    ):
        with pytest.raises(
            InputError, match=r"is (\['0-0'\]|'0-0') \(.*\): want WordLinks, as WordLinks.p"
        ):
            call()


def test_sentence_pairs_of_series_are_in_one_order():
    import pandas as pd

    src = pd.Series(["a b", "c"], index=["s1", "s2"])
    for link in (link_words, lambda s, t: link_by_vectors(s, t, ({}, {}))):
        with pytest.raises(InputError, match="same labels in different orders, 's1' and 's2' at"):
            link(src, src[::-1])


def test_lines_of_a_language_model_are_no_path():
    with pytest.raises(
        InputError, match=r"the lines are 'en\.arpa', one string: .*as open\(path\)"
    ):
        read_model("en.arpa", path="en.arpa")


def test_an_aligner_is_wanted_where_a_bead_is_explained():
    with pytest.raises(InputError, match=r"the aligner is 'x' \(str\): want a SentenceAligner"):
        explain_bead("x", 0)


@pytest.mark.parametrize("place", ["0", 0.0, True, None])
def test_text_pairs_and_beads_have_whole_numbers(place):
    aligner = aligner_of([(["One."], ["Eins."])])
    aligner.run()
    with pytest.raises(InputError, match=f"there is no text pair {place} among 1"):
        alignment_of(aligner, place)
    with pytest.raises(InputError, match=f"there is no bead {place} among 1"):
        explain_bead(aligner, place)


@pytest.mark.parametrize("vectors", [5, np.eye(1)])
def test_vectors_are_of_two_sides(vectors):
    with pytest.raises(InputError, match=r"(?s)the vectors are .*: want"):
        align_sentences(["One."], ["Eins."], vectors=vectors)
    with pytest.raises(InputError, match="vectors"):
        align_corpus([(["One."], ["Eins."])], vectors=5)


def test_a_lexicon_is_in_a_file_with_a_name():
    aligner = aligner_of([(["One."], ["Eins."])])
    aligner.run()
    with pytest.raises(InputError, match="5, of type int, is no path"):
        learned_lexicon(aligner).save(5)
    with pytest.raises(InputError, match="5, of type int, is no path"):
        Lexicon.load(5)


def test_a_truth_value_is_no_number_of_rounds():
    with pytest.raises(OptionError, match="rounds is True: want a whole number, 1 to 10"):
        align_sentences(["One."], ["Eins."], rounds=True)
