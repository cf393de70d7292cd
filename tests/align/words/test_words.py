from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.words.aligning import (
    WordAligner,
    align_many,
    align_words,
    pair_scores,
    scores_within,
)
from bitext.align.words.options import choose
from bitext.errors import InputError, OptionError
from bitext.metrics import arcade
from bitext.model import Alignment, Bisegment, Cluster, Sentence, Token
from reference import word_alignment_slow as slow
from reference.draw_sentences import sentences

MILAN = (
    Sentence(
        [
            Token("Milan", "NNP", "B-NP", ("B-S", "B-NP")),
            Token("is", "VBZ", "B-VP", ("I-S", "B-VP")),
            Token("beautiful", "JJ", "B-ADJP", ("I-S", "I-VP", "B-ADJP")),
        ]
    ),
    Sentence(
        [
            Token("I", "PRP", "B-NP", ("B-S", "B-NP")),
            Token("went", "VBD", "B-VP", ("I-S", "B-VP")),
            Token("to", "TO", "B-PP", ("I-S", "I-VP", "B-PP")),
            Token("Milan", "NNP", "B-NP", ("I-S", "I-VP", "I-PP", "B-NP")),
        ]
    ),
)
PUBLISHED = Path(__file__).parents[3] / "fixtures" / "published" / "milan" / "sentences.trees"


def words(text):
    return Sentence(text.split())


def pairs(alignment):
    return [(bead.src[0], bead.tgt[0]) for bead in alignment if bead.type == "1-1"]


def aligned(src, tgt, preset="V1", **options):
    return pairs(align_words(words(src), words(tgt), preset=preset, **options))


def score(src, tgt, preset="V1", **options):
    cluster = Cluster([words(src), words(tgt)])
    return int(pair_scores(cluster, preset=preset, **options)[0, 1])


def test_the_published_example_by_words():
    for preset in ("V1", "V2", "V3"):
        assert pairs(align_words(*MILAN, preset=preset)) == [(0, 3)]


def test_the_published_example_by_syntax():
    for preset in ("V4", "V5"):
        for figure4 in (False, True):
            found = align_words(*MILAN, preset=preset, figure4=figure4)
            assert pairs(found) == []
            assert found.bead_types() == {"0-1": 4, "1-0": 3}


def test_the_published_trees_give_these_words():
    from bitext.syntax.conversion import annotate
    from bitext.syntax.penn import read_trees

    lines = PUBLISHED.read_text(encoding="utf-8").splitlines()
    made = [annotate(tree) for _, tree in read_trees(lines, path=str(PUBLISHED))]
    assert made == [sentence.tokens for sentence in MILAN]


def test_all_words_stand_in_the_alignment_in_order():
    found = align_words(words("a , b c the d"), words("x b , y d z"), preset="V3")
    assert list(found) == [
        Bisegment((0,), ()),
        Bisegment((1,), ()),
        Bisegment((), (0,)),
        Bisegment((2,), (1,)),
        Bisegment((3,), ()),
        Bisegment((4,), ()),
        Bisegment((), (2,)),
        Bisegment((), (3,)),
        Bisegment((5,), (4,)),
        Bisegment((), (5,)),
    ]


def test_leading_gaps_are_free_and_trailing_ones_are_not():
    assert score("x y z a", "a") == 2
    assert score("a", "x y z a") == 2
    assert score("a x y z", "a") == 2 - 3
    assert score("x y z a", "a", borders="gap") == score("a x y z", "a", borders="gap") == -1


def test_borders_change_the_path():
    # With q: two gaps before, one after, 2 - 1 = 1. With a: one before, two after, 2 - 2 = 0. Where
    # all gaps cost, both are -1, and the step up from the corner, which keeps a, comes first.
    src, tgt = "a p q", "q a"
    assert aligned(src, tgt) == [(2, 0)]
    assert aligned(src, tgt, borders="gap") == [(0, 1)]


def test_ties_prefer_the_diagonal_then_up_then_left():
    # Equal words twice: from the bottom right the diagonal is taken at once.
    assert aligned("a a", "a") == [(1, 0)]
    assert aligned("a", "a a") == [(0, 1)]
    # Both gaps at the corner score alike: up, so the last source word stands alone.
    assert aligned("a b", "b a") == [(0, 1)]
    assert aligned("b a", "a b") == [(0, 1)]


def test_a_diagonal_over_different_words_aligns_nothing():
    found = align_words(words("a x b"), words("a y b"), preset="V1")
    assert pairs(found) == [(0, 0), (2, 2)]
    assert found[1:3] == [Bisegment((1,), ()), Bisegment((), (1,))]
    assert score("a x b", "a y b") == 2 - 1 + 2


def test_case_and_stems():
    assert aligned("The towers", "the Tower") == [(0, 0)]
    assert aligned("The towers", "the Tower", forms="exact") == []
    assert aligned("The towers", "the Tower", forms="porter") == [(0, 0), (1, 1)]
    assert aligned("Straße", "STRASSE") == [(0, 0)]
    assert aligned("don’t cafe\u0301", "Don't CAF\u00c9") == [(0, 0), (1, 1)]
    assert aligned("don’t cafe\u0301", "don't caf\u00e9", forms="exact") == []
    assert aligned("cat", "cow", forms=lambda form: form[0]) == [(0, 0)]


def test_what_is_left_out_costs_nothing_and_is_never_aligned():
    assert aligned(", a , b", ", a , b", preset="V2") == [(1, 1), (3, 3)]
    assert score("a , , , b", "a b", preset="V2") == score("a b", "a b") == 4
    assert score("a , , , b", "a b") == 1
    assert aligned("the tower of it", "the tower of it", preset="V3") == [(1, 1)]
    assert aligned("the of", "the of", preset="V3") == []
    assert score("the of", "tower the", preset="V3") == 0
    assert score("the of", "tower the", preset="V3", borders="gap") == -1


def test_left_out_words_may_cost_gaps():
    gaps = {"preset": "V2", "left_out_gaps": True}
    assert score("a , , , b", "a b", **gaps) == 2 + 2 - 3
    assert score("a , , , b", "a ; ; ; b", **gaps) == 2 + 2 - 3
    # Two left-out words of one form are no match, but one diagonal step.
    assert score("a , b", "a , b", **gaps) == 2 + 2 - 1
    assert aligned("a , b", "a , b", **gaps) == [(0, 0), (2, 2)]
    # Words between which only one side has much that is left out are not worth their gaps.
    long = "tower of of of of the the storm"
    assert aligned(long, "tower fell storm", preset="V3") == [(0, 0), (7, 2)]
    assert aligned(long, "tower fell storm", preset="V3", left_out_gaps=True) == [(7, 2)]
    # Where nothing is left out, nothing changes.
    assert score("a , , , b", "a b", preset="V1", left_out_gaps=True) == 1


def test_a_pair_of_commas_may_align_where_they_stay():
    assert aligned(", a", ", a") == [(0, 0), (1, 1)]


@given(
    st.lists(st.tuples(sentences(), sentences()), min_size=1, max_size=5),
    st.sampled_from(["V1", "V2", "V3", "V4", "V5"]),
    st.booleans(),
    st.sampled_from(["free", "gap"]),
    st.booleans(),
)
def test_scores_and_pairs_are_those_of_the_slow_version(
    given_pairs, preset, figure4, borders, gaps
):
    options = choose(preset, figure4=figure4, borders=borders, left_out_gaps=gaps)
    how = {
        "commas": "commas" in options.leave_out,
        "stop_words": options.stop_words if "stop-words" in options.leave_out else (),
        "syntax": options.syntax,
        "figure4": figure4,
        "borders": borders,
        "gaps": gaps,
    }
    flat = [sentence for pair in given_pairs for sentence in pair]
    aligner = WordAligner(flat, options)
    src = np.arange(0, len(flat), 2)
    scores = aligner.scores(src, src + 1).tolist()
    found = align_many(given_pairs, preset=options)
    for (first, second), value, alignment in zip(given_pairs, scores, found, strict=True):
        expected, joined = slow.align(first, second, **how)
        assert value == expected
        assert pairs(alignment) == joined
        # Every word once, and in order.
        assert alignment.src.idx.tolist() == list(range(len(first)))
        assert alignment.tgt.idx.tolist() == list(range(len(second)))
        assert set(alignment.bead_types()) <= {"1-1", "1-0", "0-1"}
    assert found[0] == align_words(*given_pairs[0], preset=options)


@given(st.lists(sentences(), min_size=1, max_size=5), st.sampled_from(["V1", "V4", "V5"]))
@settings(max_examples=30)
def test_scores_are_symmetric_and_a_sentence_is_most_like_itself(held, preset):
    scores = pair_scores(Cluster(held), preset=preset)
    turned = pair_scores(Cluster(held[::-1]), preset=preset)
    assert (scores == scores.T).all()
    assert (turned[::-1, ::-1] == scores).all()
    own = np.diag(scores)
    twice = pair_scores(Cluster([*held, held[0]]), preset=preset)
    assert twice[0, -1] == own[0]
    assert (scores <= np.minimum(own[:, None], own[None, :])).all()


def test_pairs_scored_in_parts_are_the_same():
    cluster = Cluster(words(" ".join("abcdefg"[k % 5 : k % 7 + 1]) or "x") for k in range(12))
    whole = pair_scores(cluster, preset="V1")
    aligner = WordAligner(cluster.sentences, choose("V1"))
    assert (scores_within(aligner, at_once=7) == whole).all()


def test_the_result_scores_as_any_other_alignment():
    gold = align_words(words("a b c"), words("a b d"), preset="V1")
    hyp = Alignment([((0,), (0,)), ((1,), ()), ((2,), (2,)), ((), (1,))])
    counts = arcade(gold, hyp)["sentence"]
    assert (counts.hits, counts.proposed, counts.expected) == (1, 2, 2)


def test_no_pairs_and_one_sentence():
    assert list(align_many([])) == []
    assert pair_scores(Cluster([words("a b")]), preset="V1").tolist() == [[4]]


def test_a_sentence_without_syntax_tells_what_to_do():
    with pytest.raises(
        InputError, match=r"parse the sentences first with bitext\.syntax\.analyse, or"
    ):
        align_words(words("a b"), words("a b"))
    with pytest.raises(OptionError, match="did you mean 'borders'"):
        align_words(words("a b"), words("a b"), preset="V1", border="gap")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (
            lambda: align_words("Milan is", words("a"), preset="V1"),
            r"sentence 1 is 'Milan is' \(str\): want a Sentence of its words, as Sentence",
        ),
        (
            lambda: align_words(words("a"), ["Milan"]),
            r"sentence 2 is \['Milan'\] \(list\): want a S",
        ),
        (lambda: align_words(words("a"), None), r"sentence 2 is None \(NoneType\)"),
        (
            lambda: align_many([(words("a"), words("b")), "ab"]),
            "pair 2 is 'ab': want two sentences",
        ),
        (lambda: align_many([(words("a"),)]), "pair 1 is .*: want two sentences, as"),
        (lambda: align_many([words("a b")]), "pair 1 is <Sentence 'a b'>: want two sentences"),
        (
            lambda: pair_scores([words("a"), words("b")]),
            r"the cluster is \[<Sentence 'a'>, <Sentence 'b'>\] \(list\): want a Cluster",
        ),
    ],
)
def test_what_are_no_sentences(make, told):
    with pytest.raises(InputError, match=told):
        make()


def test_many_pairs_are_aligned_lazily_and_in_order():
    held = [words(text) for text in ("a b c", "b", "x c a", "y")]
    given_pairs = [(one, two) for one in held for two in held]
    found = align_many(iter(given_pairs), preset="V1")
    each = [align_words(*pair, preset="V1") for pair in given_pairs]
    assert [list(alignment) for alignment in found] == [list(alignment) for alignment in each]
    assert list(found[5]) == list(each[5])
    assert [list(alignment) for alignment in found[3:9:2]] == [list(a) for a in each[3:9:2]]


def test_very_long_sentences():
    rng = np.random.default_rng(3)
    numbers = rng.integers(0, 300, size=2000)
    changed = np.where(rng.random(2000) < 0.2, 999, numbers)
    first, second = (Sentence([f"w{k}" for k in side]) for side in (numbers, changed))
    found = pairs(align_words(first, second, preset="V1"))
    assert all(first[i].form == second[j].form for i, j in found)
    assert len(found) >= (numbers == changed).sum()
