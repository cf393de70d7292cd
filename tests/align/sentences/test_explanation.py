from __future__ import annotations

import math

import pytest

from bitext.align.sentences import aligner_of, alignment_of
from bitext.align.sentences.aligner import explain_bead, word_reasons
from bitext.align.sentences.corridor import Corridor
from bitext.align.sentences.evidence.words import LexicalEvidence
from bitext.align.sentences.search import BandedSearch
from bitext.errors import InputError
from bitext.model import Text
from reference.translated_texts import sentences

SRC = ["The 12 boats came.", "Nobody knew Mr Watanabe.", "It rained in Kyoto, and we left."]
TGT = ["Les 12 bateaux vinrent.", "Personne ne connut Watanabe.", "Pluie.", "De Kyoto on partit."]


@pytest.fixture(scope="module")
def aligner():
    made = aligner_of([(Text(SRC), Text(TGT))])
    made.run()
    return made


def test_text_pairs_that_are_not_aligned_are_refused(aligner):
    fresh = aligner_of([(Text(SRC), Text(TGT))])
    for call in (alignment_of, lambda made, k: explain_bead(made, 0, text=k)):
        with pytest.raises(InputError, match=r"not aligned yet: run the aligner"):
            call(fresh, 0)
        for k in (1, -1):
            with pytest.raises(InputError, match=rf"no text pair {k} among 1: they count from 0"):
                call(aligner, k)


def test_the_parts_of_a_bead_are_its_score(aligner):
    path = aligner.paths[0]
    explained = [explain_bead(aligner, k, words=99) for k in range(len(path.kinds))]
    whole = sum(one.prior + sum(value for _, value in one.parts) for one in explained)
    assert whole == pytest.approx(path.score / 1024, abs=0.01)
    for one in explained:
        parts = dict(one.parts)
        assert sum(reason.gain for reason in one.words) == pytest.approx(parts["words"], abs=1e-4)
        assert 0 <= one.posterior <= 1


@pytest.mark.parametrize("same", [True, False])
def test_the_words_of_huge_sentences_are_their_part(same):
    words = [f"w{k}x" for k in range(250)]
    other = words if same else [f"v{k}y" for k in range(250)]
    texts = Text(["A dog.", " ".join(words), "A cat."]), Text(["A dog.", " ".join(other), "A cat."])
    made = aligner_of([texts])
    made.run()
    for k in range(len(made.paths[0].kinds)):
        one = explain_bead(made, k, words=9999)
        gains = sum(reason.gain for reason in one.words)
        assert gains == pytest.approx(dict(one.parts)["words"], abs=1e-3)


def test_words_and_what_came_second_are_told(aligner):
    first = explain_bead(aligner, 0, words=2)
    assert first.bead == ((0,), (0,))
    assert [(reason.word, reason.by) for reason in first.words] == [("12", "12")] * 2
    assert {reason.side for reason in first.words} == {"src", "tgt"}
    assert first.lost > 0
    assert first.instead
    assert first.bead not in first.instead
    assert first.expected == pytest.approx(first.lengths[0] * aligner.state.lengths.ratio)


def test_the_only_way_has_nothing_instead():
    made = aligner_of([(Text(["a"]), Text([]))])
    made.run()
    only = explain_bead(made, 0)
    assert (only.instead, only.lost) == ((), math.inf)
    assert (only.words, dict(only.parts)["length"]) == ((), 0.0)


@pytest.mark.parametrize("bead", [-1, 99])
def test_there_is_no_such_bead(aligner, bead):
    with pytest.raises(InputError, match=f"there is no bead {bead} among"):
        explain_bead(aligner, bead)


def test_a_method_without_words_explains_by_length():
    made = aligner_of([(Text(SRC), Text(TGT))], method="length-words")
    made.run()
    assert [name for name, _ in explain_bead(made, 1).parts] == ["length"]


def test_reasons_of_a_gap_are_none(aligner):
    evidence = next(one for one in aligner.evidence(0) if isinstance(one, LexicalEvidence))
    assert word_reasons(evidence, 1, 0, aligner.beads.index((1, 0))) == []


@pytest.mark.parametrize("method", ["lexical", "length-characters"])
def test_what_is_left_out_is_a_part(method):
    """A passage that one side lacks, and the ends of paragraphs, are among the reasons."""
    pairs = sentences(160, seed=5, names=0.5)
    src, tgt = [a for a, _ in pairs], [b for _, b in pairs[:60] + pairs[110:]]
    made = aligner_of([(Text(src), Text(tgt))], method=method)
    made.run()
    path = made.paths[0]
    explained = [explain_bead(made, k) for k in range(len(path.kinds))]
    assert any("place" in dict(one.parts) for one in explained)
    whole = sum(one.prior + sum(value for _, value in one.parts) for one in explained)
    own = made.scores(0)
    assert whole == pytest.approx(
        BandedSearch(made.beads, own, Corridor.whole(160, 110)).of(path).sum() / 1024, abs=0.1
    )


def test_beside_a_passage_there_is_another_way():
    """What stands alone is not its own other way, wherever the other text is then."""
    pairs = sentences(80, seed=5, names=0.5)
    src, tgt = [a for a, _ in pairs], [b for _, b in pairs[:30] + pairs[50:]]
    made = aligner_of([(Text(src), Text(tgt))])
    made.run()
    for k in range(25, 55):
        one = explain_bead(made, k)
        assert one.instead
        assert one.bead not in one.instead
        assert 0 <= one.lost < math.inf
