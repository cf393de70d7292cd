import pickle
from fractions import Fraction
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.metrics import arcade, bisegment_similarity
from bitext.metrics.arcade import MEASURES
from bitext.model import Alignment, Bitext, Counts, Text
from reference import draw, measures

SETS = ("alignment", "sentence", "word", "character")


def bitext(src, tgt, beads, name=""):
    return Bitext(Text(src), Text(tgt), Alignment(beads), name=name)


def four(counts):
    return counts.hits, counts.proposed, counts.expected, counts.found


@st.composite
def cases(draw_):
    """A gold standard and a hypothesis over the same texts."""
    n_src, n_tgt, gold, hyp = draw_(draw.compared())
    return draw_(draw.segments(n_src)), draw_(draw.segments(n_tgt)), gold, hyp


# The worked example of the ARCADE page, over texts of its lengths.

EXAMPLE_SRC = [
    "This little text is 29 marks.",
    "Our second sentence here takes sixty marks in all, no more!!",
]
EXAMPLE_TGT = [
    "Ce petit texte compte vingt",
    "Une autre phrase, cinq mots.",
    "Et une toute brève enfin",
]
EXAMPLE_GOLD = [((0,), (0,)), ((1,), (1, 2))]
EXAMPLE_HYP = [((0,), (0,)), ((), (1,)), ((1,), (2,))]
EXAMPLE = [bitext(EXAMPLE_SRC, EXAMPLE_TGT, beads) for beads in (EXAMPLE_GOLD, EXAMPLE_HYP)]


def test_the_texts_of_the_worked_example_have_its_lengths():
    assert [len(s) for s in EXAMPLE_SRC + EXAMPLE_TGT] == [29, 60, 27, 28, 24]
    assert [len(s.split()) for s in EXAMPLE_SRC + EXAMPLE_TGT] == [6, 11, 5, 5, 5]


@pytest.mark.parametrize(
    ("measure", "hits", "proposed", "expected", "recall", "precision", "f1"),
    [
        ("alignment", 1, 3, 2, Fraction(1, 2), Fraction(1, 3), Fraction(2, 5)),
        ("sentence", 2, 2, 3, Fraction(2, 3), Fraction(1), Fraction(4, 5)),
        # 29 x 27 + 60 x 52 expected, 29 x 27 + 60 x 24 proposed
        ("character", 2223, 2223, 3903, Fraction(2223, 3903), Fraction(1), Fraction(4446, 6126)),
        # 6 x 5 + 11 x 10 expected, 6 x 5 + 11 x 5 proposed
        ("word", 85, 85, 140, Fraction(85, 140), Fraction(1), Fraction(170, 225)),
    ],
)
def test_the_worked_example(measure, hits, proposed, expected, recall, precision, f1):
    scores = arcade(*EXAMPLE)
    counts = scores[measure]
    assert four(counts) == (hits, proposed, expected, hits)
    assert (counts.recall, counts.precision) == (float(recall), float(precision))
    assert counts.f1 == pytest.approx(float(f1), abs=1e-15)


def test_the_worked_example_as_it_is_printed():
    scores = arcade(*EXAMPLE)
    assert f"{scores['character'].recall:.4f} {scores['character'].f1:.4f}" == "0.5696 0.7258"
    assert f"{scores['word'].recall:.3f} {scores['word'].f1:.3f}" == "0.607 0.756"


@given(cases())
def test_all_measures_are_those_of_the_definitions(case):
    src, tgt, gold, hyp = case
    scores = arcade(bitext(src, tgt, gold), bitext(src, tgt, hyp))
    assert {m: four(scores[m]) for m in MEASURES} == measures.all_counts(gold, hyp, src, tgt)


@given(draw.compared())
def test_positions_alone_give_the_measures_without_weights(case):
    _, _, gold, hyp = case
    scores = arcade(Alignment(gold), Alignment(hyp))
    assert {m: four(scores[m]) for m in scores} == measures.all_counts(gold, hyp)


@given(draw.compared(), st.integers(0, 10**9), st.integers(0, 10**9))
def test_positions_may_be_far(case, src_shift, tgt_shift):
    _, _, gold, hyp = case
    far = [
        Alignment([([s + src_shift for s in b[0]], [t + tgt_shift for t in b[1]]) for b in beads])
        for beads in (gold, hyp)
    ]
    near = arcade(Alignment(gold), Alignment(hyp))
    assert dict(arcade(*far)) == dict(near)


@given(cases())
def test_an_alignment_is_perfect_against_itself_in_any_order(case):
    src, tgt, gold, _ = case
    scores = arcade(bitext(src, tgt, gold), bitext(src, tgt, gold[::-1] + gold))
    for counts in scores.values():
        for value in (counts.precision, counts.recall, counts.f1):
            assert isnan(value) or value == 1


@given(cases())
def test_ratios_are_between_none_and_all(case):
    src, tgt, gold, hyp = case
    for counts in arcade(bitext(src, tgt, gold), bitext(src, tgt, hyp)).values():
        for value in (counts.precision, counts.recall, counts.f1):
            assert isnan(value) or 0 <= value <= 1
        assert isnan(counts.precision) == (counts.proposed == 0)
        assert isnan(counts.recall) == (counts.expected == 0)


@given(cases())
def test_lax_is_no_stricter_than_strict(case):
    src, tgt, gold, hyp = case
    scores = arcade(bitext(src, tgt, gold), bitext(src, tgt, hyp))
    assert scores["lax"].hits >= scores["strict"].hits
    assert scores["lax"].found >= scores["strict"].found
    assert scores["lax"].proposed == scores["strict"].proposed == scores["alignment"].proposed
    assert scores["strict"].hits == scores["alignment"].hits


@given(cases())
def test_exchanging_gold_and_hyp_exchanges_precision_and_recall(case):
    src, tgt, gold, hyp = case
    one = arcade(bitext(src, tgt, gold), bitext(src, tgt, hyp))
    other = arcade(bitext(src, tgt, hyp), bitext(src, tgt, gold))
    for m in SETS:
        assert four(other[m]) == (one[m].hits, one[m].expected, one[m].proposed, one[m].hits)


@given(cases())
def test_exchanging_source_and_target_of_both_changes_nothing(case):
    src, tgt, gold, hyp = case
    one, other = bitext(src, tgt, gold), bitext(src, tgt, hyp)
    assert dict(arcade(one.swapped(), other.swapped())) == dict(arcade(one, other))


@given(st.lists(cases(), max_size=4))
def test_many_is_one_by_one_and_adds_up_to_the_texts_put_together(texts):
    golds = [bitext(src, tgt, gold) for src, tgt, gold, _ in texts]
    hyps = [bitext(src, tgt, hyp) for src, tgt, _, hyp in texts]
    many = arcade.many(golds, hyps)
    assert [dict(scores) for scores in many] == [
        dict(arcade(gold, hyp)) for gold, hyp in zip(golds, hyps, strict=True)
    ]
    together = arcade(put_together(golds), put_together(hyps))
    for m in MEASURES:
        assert sum((scores[m] for scores in many), Counts(0, 0, 0)) == together[m]


def put_together(bitexts):
    src, tgt, beads = [], [], []
    for b in bitexts:
        beads += [
            ([s + len(src) for s in bead.src], [t + len(tgt) for t in bead.tgt])
            for bead in b.alignment
        ]
        src += b.src.segments()
        tgt += b.tgt.segments()
    return bitext(src, tgt, beads)


def test_many_may_mix_texts_with_and_without_characters():
    links = Alignment([((0,), (0,))])
    bare, full = Bitext(None, None, links), bitext(["a b"], ["c"], links)
    first, second = arcade.many([bare, full], [bare, full])
    assert list(first) == ["alignment", "sentence", "strict", "lax"]
    assert second["character"] == Counts(3, 3, 3)


def test_nothing_against_nothing_is_undefined():
    for counts in arcade(bitext(["a"], ["b"], []), bitext(["a"], ["b"], [])).values():
        assert four(counts) == (0, 0, 0, 0)
        assert isnan(counts.f1)
        assert counts.undefined == "nothing proposed, nothing expected"


def test_only_empty_sides_leave_the_pairs_undefined_but_not_the_bisegments():
    one = bitext(["a"], ["b"], [((0,), ()), ((), (0,))])
    scores = arcade(one, one)
    assert scores["alignment"].f1 == 1
    for m in ("sentence", "word", "character"):
        assert four(scores[m]) == (0, 0, 0, 0)
    for m in ("strict", "lax"):
        assert (scores[m].precision, isnan(scores[m].recall), isnan(scores[m].f1)) == (
            1,
            True,
            True,
        )


def test_segments_without_characters_weigh_nothing():
    one = bitext(["", "a"], ["b", " "], [((0,), (0,)), ((1,), (1,))])
    scores = arcade(one, one)
    assert four(scores["sentence"]) == (2, 2, 2, 2)
    assert four(scores["word"]) == (0, 0, 0, 0)
    assert four(scores["character"]) == (1, 1, 1, 1)


@pytest.mark.parametrize("measure", ["word", "character"])
@pytest.mark.parametrize(
    ("src", "tgt", "lacking"),
    [
        (None, None, "the source text and the target text"),
        (Text(["a"]), None, "the target text"),
        (None, Text(["a"]), "the source text"),
        (Text.of_ids(["x"]), Text(["a"]), "the source text"),
    ],
)
def test_a_text_that_is_lacking_is_named(src, tgt, lacking, measure):
    one = Bitext(src, tgt, Alignment([((0,), (0,))]), name="doc")
    scores = arcade(one, one)
    with pytest.raises(InputError, match=rf"^doc: {measure} granularity needs {lacking}: give it"):
        scores[measure]
    assert measure not in scores
    assert list(scores) == ["alignment", "sentence", "strict", "lax"]
    assert len(scores) == 4


def test_a_measure_that_does_not_exist_is_told_with_those_that_do():
    links = Alignment([((0,), (0,))])
    with pytest.raises(OptionError, match=r"measure 'phrase' is not known: want .*alignment, sent"):
        arcade(links, links)["phrase"]
    assert "phrase" not in arcade(links, links)


@pytest.mark.parametrize("option", ["words", "characters"])
def test_a_counter_that_does_not_exist_is_refused_also_without_texts(option):
    links = Alignment([((0,), (0,))])
    with pytest.raises(OptionError, match=r"counter 'grafeme' is not known"):
        arcade(links, links, **{option: "grafeme"})


def test_its_picture_tells_f_by_measure():
    assert repr(arcade(*(one.alignment for one in EXAMPLE))) == (
        "<ArcadeScores F alignment: 0.4000, sentence: 0.8000, strict: 0.4000, lax: 0.8000>"
    )


def test_as_many_hypotheses_as_gold_standards():
    links = Alignment([((0,), (0,))])
    with pytest.raises(InputError, match=r"1 gold standards and 2 hypotheses: want as many"):
        arcade.many([links], [links, links])
    assert arcade.many([], []) == []


def test_counters_of_the_user_weigh():
    one = bitext(["aab"], ["a"], [((0,), (0,))])
    scores = arcade(one, one, words=lambda s: s.count("a"), characters=lambda s: 10 * len(s))
    assert (scores["word"].hits, scores["character"].hits) == (2, 300)


def test_weights_beyond_64_bits_are_summed_exactly():
    n = 3_000_000_000
    one = bitext(["a"] * 4, ["b"] * 4, [((k,), (k,)) for k in range(4)])
    counts = arcade(one, one, characters=lambda _: n)["character"]
    assert four(counts) == (4 * n * n,) * 4


def test_a_huge_bisegment_scores_at_all_granularities():
    n = 100_000
    text = Text(["ab cd"] * n)
    every = ([0, n], np.arange(n))
    one = Bitext(text, text, Alignment.from_arrays(every, every))
    scores = arcade(one, one)
    assert scores["sentence"].hits == n * n
    assert scores["word"].hits == 4 * n * n
    assert scores["character"].hits == 25 * n * n


def test_a_measure_that_cannot_be_had_is_no_key():
    bare = Alignment([((0,), (0,))])
    scores = arcade(bare, bare)
    assert (scores.get("word"), scores.get("word", 0), scores.get("phrase")) == (None, 0, None)
    assert scores.get("sentence") == scores["sentence"]
    for measure, kind, told in (
        ("word", InputError, "the bitext: word granularity needs the source text and the target"),
        ("phrase", OptionError, "measure 'phrase' is not known: want one of alignment, sentence"),
    ):
        with pytest.raises(KeyError) as caught:
            scores[measure]
        assert isinstance(caught.value, kind)
        assert str(caught.value).startswith(told)  # and not in quotation marks
        again = pickle.loads(pickle.dumps(caught.value))
        assert (type(again), str(again)) == (type(caught.value), str(caught.value))


def test_what_weighs_beyond_62_bits_is_refused_and_what_does_not_is_exact():
    beads = [((0,), (0,)), ((1,), (1, 2))]
    whole = bitext(["a b", "c"], ["x", "y", "z"], beads)
    half = bitext(["a b", "c"], ["x", "y", "z"], beads[:1])
    for score in (arcade, bisegment_similarity):
        with pytest.raises(InputError, match=r"1,099,511,627,776 x .*: want less than 2\^6[23]"):
            score(whole, half, words=lambda _: 2**40, **_at_words(score))
    with pytest.raises(InputError, match=r"word granularity .* 2,147,483,648 x 4,294,967,296: "):
        arcade(whole, whole, words=lambda _: 2**31)  # only with both targets it is too much
    found = arcade(whole, half, words=lambda _: 2**30)["word"]
    assert four(found) == (2**60, 2**60, 3 * 2**60, 2**60)
    # A heavy segment of a heavy text does not matter where they never meet.
    heavy = {"a b": 2**60, "c": 1, "x": 1, "y": 2**59, "z": 2**59}
    assert arcade(whole, whole, words=heavy.__getitem__)["word"].hits == 2**60 + 2**60
    crossed = bitext(["a b", "c"], ["x", "y", "z"], [((0,), (1,)), ((1,), (1, 2)), ((0,), (0,))])
    with pytest.raises(InputError, match="want less than"):
        arcade(whole, crossed, words=heavy.__getitem__)


def _at_words(score):
    return {"granularity": "word"} if score is bisegment_similarity else {}
