"""Explanations of word links: their figures beside plain loops, and the rules that decided."""

import functools
from itertools import product
from math import sqrt

import numpy as np
import pytest

from bitext.align import link_corpus
from bitext.align.links.corpus import number
from bitext.align.links.directions import METHODS, directed_links_of
from bitext.align.links.explanation import check_words, explain_links
from bitext.align.links.training import train
from bitext.errors import InputError
from tests.reference.linked_pairs import PAIRS, SRC, TGT
from tests.reference.word_links_slow import slow_last_pass

SIDES = [[pair[way] for pair in PAIRS] for way in (0, 1)]


def _cells(src, tgt):
    return [
        (k, i, j)
        for k, (s, t) in enumerate(zip(src, tgt, strict=True))
        for i, j in product(range(len(s.split())), range(len(t.split())))
    ]


@functools.cache
def _trained(src, tgt, **options):
    return train(number(src), number(tgt), **options)


def _explained(src, tgt, method="product", at_least=0.3, **options):
    trained = _trained(tuple(src), tuple(tgt), **options)
    blocks = range(len(trained.runs))
    links = [directed_links_of(trained, k, method, at_least)[0] for k in blocks]
    joined = type(links[0]).join(links)
    return explain_links(
        trained, _cells(src, tgt), joined, method=method, at_least=at_least
    ), joined


def test_figures_are_those_of_plain_loops():
    passes = (False, False, True, True)
    scores, posteriors, translations = slow_last_pass(
        [tuple(side.split() for side in pair) for pair in PAIRS], passes
    )
    for one in _explained(*SIDES, first=passes)[0]:
        cell = one.src, one.tgt
        assert one.score == pytest.approx(scores[one.pair][cell], abs=2e-4)
        for way, mine in enumerate((one.forward, one.backward)):
            translation, alone = translations[one.pair][way][cell]
            assert mine.translation == pytest.approx(translation, rel=1e-3, abs=1e-5)
            assert mine.by_words == pytest.approx(alone, rel=1e-3, abs=1e-5)
            known = posteriors[one.pair][way]
            assert mine.posterior == pytest.approx(known[cell], abs=2e-4)
            rest = 1 - sum(value for key, value in known.items() if key[1 - way] == cell[1 - way])
            assert mine.none == pytest.approx(rest, abs=2e-4)
        for side, rivals in enumerate((one.src_rivals, one.tgt_rivals)):
            assert [rival.score for rival in rivals] == sorted(
                (rival.score for rival in rivals), reverse=True
            )
            for rival in rivals:
                place = (rival.position, one.tgt) if side == 0 else (one.src, rival.position)
                assert place != cell
                assert rival.word == PAIRS[one.pair][side].split()[rival.position]
                assert rival.score == pytest.approx(scores[one.pair][place], abs=2e-4)
                assert rival.score == pytest.approx(sqrt(rival.forward * rival.backward), abs=1e-6)


def test_the_expected_links_of_two_words_are_those_of_all_their_cells():
    explained, _ = _explained(SRC, TGT)
    here = {}
    for one in explained:
        words = one.src_word, one.tgt_word
        here.setdefault(words, []).append(one.counts.here)
    for one in explained:
        words = one.src_word, one.tgt_word
        assert one.counts.links == pytest.approx(sum(here[words]), rel=1e-4)
        assert one.counts.together == sum(
            words[0] in s.split() and words[1] in t.split() for s, t in zip(SRC, TGT, strict=True)
        )
        assert one.counts.src_tokens == " ".join(SRC).split().count(words[0])
        assert one.counts.tgt_tokens == " ".join(TGT).split().count(words[1])


def _explained_with_vectors():
    random = np.random.default_rng(1)
    sides = [
        {word: random.normal(size=5) for word in " ".join(side).split()} for side in (SRC, TGT)
    ]
    for src, tgt in (("house", "maison"), ("the", "la"), ("tree", "arbre"), ("big", "grand")):
        sides[1][tgt] = sides[0][src] + 0.01
    return link_corpus(SRC, TGT, vectors=tuple(sides), explain=_cells(SRC, TGT)).explanations


@pytest.mark.parametrize("given", [1 << 20, 40, "vectors"])
def test_a_translation_is_made_of_its_prior_and_the_counts_of_all_other_links(given):
    if given == "vectors":
        explained = _explained_with_vectors()
        lifts = {(one.src_word, one.tgt_word): one.evidence.vectors for one in explained}
        assert lifts["house", "maison"] > max(1, lifts["house", "la"])
    else:
        explained, _ = _explained(SRC, TGT, cells=given)
        assert {one.evidence.vectors for one in explained} == {None}
    of_token = {}
    for one in explained:
        for side, position in ((0, one.src), (1, one.tgt)):
            token = side, one.pair, position
            of_token[token] = of_token.get(token, 0.0) + one.counts.here
    for one in explained:
        counts = one.counts
        others = counts.links - counts.here
        for way, totals, token in (
            (one.forward, counts.src_links, (0, one.pair, one.src)),
            (one.backward, counts.tgt_links, (1, one.pair, one.tgt)),
        ):
            every = max(totals - of_token[token], 0.0) + 10
            assert way.translation == pytest.approx(
                (others + 10 * way.families) / every, rel=1e-3, abs=1e-5
            )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("at_least", [0.05, 0.3])
def test_every_decision_agrees_with_the_links(method, at_least):
    explained, links = _explained(SRC, TGT, method, at_least)
    having = {
        (k, i, j)
        for k, pair in enumerate(links)
        for i, j in zip(pair.src.tolist(), pair.tgt.tolist(), strict=True)
    }
    for one in explained:
        assert one.linked == ((one.pair, one.src, one.tgt) in having)
        refusals = ("below", "more probable", "leaves out")
        refused = [any(word in part for word in refusals) for part in one.decision.split("; ")]
        if method in {"product", "forward", "backward"}:
            assert refused == [not one.linked]
        elif len(refused) == 3:
            assert refused[0] != refused[1]
            assert refused[2] != one.linked
        else:
            assert refused == [not one.linked] * 2


def test_jumps_lead_from_the_nearest_linked_words():
    (one,) = link_corpus(SRC, TGT, explain=[(3, 1, 1)]).explanations
    assert (one.src_word, one.tgt_word, one.linked) == ("big", "grand", True)
    for mine in (one.forward, one.backward):
        assert (mine.before.position, mine.before.linked, mine.before.jump) == (0, 0, 1)
        assert (mine.after.position, mine.after.linked, mine.after.jump) == (2, 2, 1)
        assert 0 < mine.before.probability < 1
    (first,) = link_corpus(SRC, TGT, explain=[(3, 0, 0)]).explanations
    start = first.forward.before
    assert (start.position, start.linked, start.posterior, start.jump) == (-1, -1, 1.0, 1)


def test_evidence_names_families_letters_and_known_translations():
    src, tgt = ["houses stand", "a house", "paris"], ["houses là", "maison", "paris"]
    entries = [("house", "maison", 0.64)]
    corpus = link_corpus(src, tgt, dictionary=entries, explain=[(0, 0, 0), (1, 1, 0), (2, 0, 0)])
    alike, known, paris = corpus.explanations
    assert alike.evidence.src_family == ("houses", "house")
    assert (alike.evidence.similarity, alike.evidence.identical) == (1.0, True)
    assert alike.counts.given == 0.0
    assert 0 < known.counts.given <= 6.4
    assert known.counts.links == pytest.approx(known.counts.here + known.counts.given, abs=1e-4)
    assert known.evidence.similarity < 0.5
    assert paris.evidence.spelling > 1


def test_words_of_several_blocks_are_explained_as_those_of_one():
    asked = _cells(SRC, TGT)
    whole, _ = _explained(SRC, TGT)
    parts, links = _explained(SRC, TGT, cells=40)
    assert [(one.pair, one.src, one.tgt) for one in parts] == asked
    for one, other in zip(parts, whole, strict=True):
        assert (one.src_word, one.counts.together) == (other.src_word, other.counts.together)
        assert one.linked == (one.score >= np.float32(0.3) and "below" not in one.decision)
    assert sum(one.linked for one in parts) == links.src.size


def test_words_in_different_pieces_of_a_long_sentence_are_never_linked():
    long = [f"w{k * k % 61}" for k in range(510)]
    here, apart = link_corpus([long], [long], explain=[(0, 300, 300), (0, 0, 509)]).explanations
    assert (here.src_word, here.tgt_word) == (long[300], long[300])
    assert here.forward is not None
    assert all(rival.position >= 255 for rival in (*here.src_rivals, *here.tgt_rivals))
    assert (apart.linked, apart.score, apart.forward, apart.src_rivals) == (False, 0.0, None, ())
    assert "longer than 500 words" in apart.decision


def test_words_that_are_not_there_are_refused():
    sizes = np.array([2, 0]), np.array([3, 1])
    assert check_words([(0, 1, 2)], sizes) == [(0, 1, 2)]
    for place, message in (
        ((2, 0, 0), "there is no sentence pair 2 among 2: they count from 0"),
        ((-1, 0, 0), "no sentence pair -1"),
        ((0, 2, 0), "sentence pair 0 has no source word 2 among 2: they count from 0"),
        ((1, 0, 0), "sentence pair 1 has no source word 0 among 0"),
        ((0, 0, 3), "sentence pair 0 has no target word 3 among 3"),
        ((0, 1), "want a sentence pair, a source word and a target word"),
        ((0, 0, 0.5), "as whole numbers from 0"),
        (("0", "0", "0"), "as whole numbers from 0"),
        (7, "explain has 7"),
    ):
        with pytest.raises(InputError, match=message):
            check_words([place], sizes)
    with pytest.raises(InputError, match="no sentence pair 1 among 1"):
        link_corpus(["a"], ["b"], explain=[(1, 0, 0)])
