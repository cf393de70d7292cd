"""Words of sentence pairs, linked in Python."""

import unicodedata

import numpy as np
import pytest

from bitext.align import Lexicon, link_corpus, link_words
from bitext.errors import InputError, OptionError
from bitext.metrics.link_scores import link_scores
from bitext.model import WordLinks
from tests.reference.shared_data import data

SRC = ["the house", "the big house", "a house", "the big tree", "a tree ."] * 3
TGT = ["la maison", "la grande maison", "une maison", "le grand arbre", "un arbre ."] * 3


@pytest.fixture(scope="module")
def links():
    return link_words(SRC, TGT)


def _plain(links):
    return WordLinks(links.ptr, links.src, links.tgt).spell()


def test_words_that_share_sentences_are_linked(links):
    assert _plain(links)[:5] == ["0-0 1-1", "0-0 1-1 2-2", "0-0 1-1", "0-0 1-1 2-2", "0-0 1-1 2-2"]
    assert (links.src_sizes.tolist(), links.tgt_sizes.tolist()) == ([2, 3, 2, 3, 3] * 3,) * 2


def test_scores_are_probabilities_above_the_smallest(links):
    assert 0.3 <= links.confidences.min() < links.confidences.max() <= 1
    fewer = link_words(SRC, TGT, min_score=0.8)
    assert fewer == links.where(links.confidences >= np.float32(0.8))
    assert 0 < fewer.src.size < links.src.size


def test_the_other_direction_has_the_same_links(links):
    turned = link_words(TGT, SRC).swapped()
    assert _plain(turned) == _plain(links)
    assert turned.confidences == pytest.approx(links.confidences, abs=1e-3)


def test_the_result_is_the_same_again_and_for_tokens_given_as_lists_or_in_capitals(links):
    other = link_words([s.upper() for s in SRC], (t.split() for t in TGT))
    assert other == links
    assert other.confidences.tolist() == links.confidences.tolist()


def test_pairs_with_an_empty_side_have_no_links_and_change_none(links):
    more = link_words(["", *SRC, " "], ["la", *TGT, ""])
    assert more[1:-1] == links
    assert (_plain(more)[0], _plain(more)[-1]) == ("", "")
    assert len(link_words([], [])) == 0
    assert _plain(link_words(["a", ""], ["", ""])) == ["", ""]


def test_the_same_text_twice_is_linked_word_by_word():
    text = [
        "one dog and one cat",
        "two cats",
        "a dog , a bird",
        "birds eat",
        "one bird eats",
        "birds , cats",
    ]
    assert _plain(link_words(text, text))[2] == "0-0 1-1 2-2 3-3 4-4"


def test_long_sentences_are_linked_in_pieces():
    words = [f"w{k * k % 61}" for k in range(510)]
    found = link_words([words, ["w1"] * 1000], [words, ["x"]])
    assert found.src_sizes.tolist() == [510, 1000]
    assert (found[0].src // 255).tolist() == (found[0].tgt // 255).tolist()
    assert not found[1].src.size or found[1].tgt.max() == 0


def test_known_translations_are_evidence():
    src, tgt = ["xa xb xc"], ["ya yb yc"]
    entries = [("xa", "yc"), ("xc", "ya"), ("unknown", "yb")]
    found = link_words(src, tgt, dictionary=entries, min_score=0.5)
    assert _plain(found) == ["0-2 2-0"]
    lexicon = Lexicon.of_entries(entries)
    assert _plain(link_words(src, tgt, lexicon=lexicon, min_score=0.5)) == ["0-2 2-0"]
    assert _plain(link_words(src, tgt, min_score=0.5)) == [""]
    with pytest.raises(InputError, match="entry 1 is"):
        link_words(src, tgt, dictionary=[("xa",)])


def test_terms_of_a_dictionary_stay_whole_where_the_text_has_them_as_tokens():
    src, tgt = ["他们 喜欢 音乐 aujourd'hui"], ["today music they like"]
    entries = [("他们", "they"), ("喜欢", "Like"), ("音乐", "music"), ("Aujourd'hui", "today")]
    found = link_words(src, tgt, dictionary=entries, min_score=0.5)
    assert _plain(found) == ["0-2 1-3 2-1 3-0"]
    # Words of a term that the text divides stay words of their own.
    found = link_words(["他 们 喜 欢"], ["they like"], dictionary=entries, min_score=0.3)
    assert _plain(found) == ["0-0 1-0 2-1 3-1"]


def test_composed_and_decomposed_accents_are_one_word():
    src, tgt = ["người việt nam", "Tiếng Việt"], ["vietnamese people", "vietnamese language"]
    entries = [("việt", "vietnamese"), ("người", "people")]
    apart = [unicodedata.normalize("NFD", line) for line in src]
    assert apart != src
    once = link_words(src, tgt, dictionary=entries)
    for given in (apart, [src[0], apart[1]], [line.split() for line in apart]):
        for terms in (entries, [(unicodedata.normalize("NFD", s), t) for s, t in entries]):
            assert link_words(given, tgt, dictionary=terms) == once
    assert link_corpus(apart, tgt).lexicon.src.forms == link_corpus(src, tgt).lexicon.src.forms


def test_the_lexicon_has_the_translations_that_were_learned():
    corpus = link_corpus(SRC, TGT)
    assert corpus.links == link_words(SRC, TGT)
    lines = [line.split("\t") for line in corpus.lexicon.lines()]
    best = max((line for line in lines if line[0] == "tree" and line[1]), key=lambda line: line[2])
    assert best[1] == "arbre"
    assert all(0 <= float(chance) <= 1 for line in lines for chance in line[2:])
    again = link_words(["a big tree"], ["un grand arbre"], lexicon=corpus.lexicon)
    assert _plain(again) == ["0-0 1-1 2-2"]
    assert len(link_corpus([], []).lexicon) == 0


def test_unequal_numbers_of_sentences_and_scores_beyond_bounds_are_refused():
    with pytest.raises(InputError, match="2 source sentences and 1 target sentences: want as many"):
        link_words(["a", "b"], ["c"])
    for score in (0, -1, 1.5, float("nan"), "0.3", None):
        with pytest.raises(OptionError, match="want a number above 0, up to 1"):
            link_words(["a"], ["b"], min_score=score)


@pytest.mark.parametrize(("corpus", "most"), [("enfr", 0.09), ("roen", 0.31)])
def test_hundreds_of_sentence_pairs_alone_give_few_errors(corpus, most):
    """A tenth below the best of eflomal from the same input would be .151 and .342."""
    pairs = [
        line.split("|||")
        for line in data("wordlinks", f"{corpus}.src-tgt").read_text(encoding="utf-8").splitlines()
    ]
    gold = WordLinks.parse(data("wordlinks", f"{corpus}.gold").read_text().splitlines())
    found = link_words((src for src, _ in pairs), (tgt for _, tgt in pairs))
    gold = WordLinks(gold.ptr, gold.src - 1, gold.tgt - 1, sure=gold.sure)
    assert link_scores(gold, found).aer <= most


@pytest.mark.parametrize("kind", [set, dict.fromkeys])
@pytest.mark.parametrize("function", [link_words, link_corpus])
def test_sentences_without_an_order_are_refused(kind, function):
    lines = ["a b", "c"]
    with pytest.raises(InputError, match=r"the sentences are .*: want a list"):
        function(lines, kind(lines))
    with pytest.raises(InputError, match=r"the sentences are .*: want a list"):
        function(kind(lines), lines)


def test_a_table_is_no_list_of_sentences():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"src": ["a b"], "tgt": ["c d"]})
    with pytest.raises(InputError, match=r"the sentences are .*: want a list"):
        link_words(frame, frame)
    assert len(link_words(frame["src"], frame["tgt"])) == 1
