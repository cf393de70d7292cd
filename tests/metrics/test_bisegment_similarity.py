from fractions import Fraction
from itertools import pairwise
from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.kernels.overlap import BeadEdges
from bitext.metrics.bisegment_similarity import bisegment_edges, bisegment_similarity, ratio_of
from bitext.metrics.common_ground import common_ground
from bitext.model import Alignment, Bitext, Ratio, Text
from reference import bisegment_similarity as slow
from reference import draw, measures

GRANULARITIES = ("sentence", "word", "character")


def bitext(src, tgt, beads):
    return Bitext(Text(src), Text(tgt), Alignment(beads))


def weights(segments, granularity):
    count = {"sentence": lambda _: 1, "word": measures.words, "character": len}[granularity]
    return [count(segment) for segment in segments]


def expected(gold, hyp, src=None, tgt=None, granularity="sentence"):
    """Return the sum of weights, and the number of edges, by the definition."""
    if src is None:
        src, tgt = ([""] * 9 for _ in range(2))
    sides = (weights(segments, granularity) for segments in (src, tgt))
    return slow.similarity(gold, hyp, *sides)


def assert_is(ratio, total, count):
    assert ratio.denominator == count
    assert ratio.numerator == pytest.approx(float(total), abs=1e-14)


@st.composite
def cases(draw_):
    """A gold standard and a hypothesis over the same texts, with segments without words."""
    n_src, n_tgt, gold, hyp = draw_(draw.compared())
    return draw_(draw.segments(n_src)), draw_(draw.segments(n_tgt)), gold, hyp


@settings(max_examples=60)
@given(cases(), st.sampled_from(GRANULARITIES))
def test_it_is_that_of_the_definition(case, granularity):
    src, tgt, gold, hyp = case
    found = bisegment_similarity(
        bitext(src, tgt, gold), bitext(src, tgt, hyp), granularity=granularity
    )
    assert_is(found, *expected(gold, hyp, src, tgt, granularity))


@given(draw.compared())
def test_it_is_symmetric_to_the_last_bit(case):
    _, _, gold, hyp = case
    there = bisegment_similarity(Alignment(gold), Alignment(hyp))
    assert there == bisegment_similarity(Alignment(hyp), Alignment(gold))


@given(cases(), st.sampled_from(GRANULARITIES))
def test_it_is_between_0_and_1_and_1_only_for_equal_alignments(case, granularity):
    src, tgt, gold, hyp = case
    assume(gold or hyp)
    both = bitext(src, tgt, gold), bitext(src, tgt, hyp)
    value = bisegment_similarity(*both, granularity=granularity).value
    assert 0 <= value <= 1
    assert (value == 1) == (measures.as_set(gold) == measures.as_set(hyp))
    same = [bitext(src, tgt, gold), bitext(src, tgt, gold[::-1] + gold)]
    assert not gold or bisegment_similarity(*same, granularity=granularity).value == 1


@given(draw.compared())
def test_it_is_0_only_where_nothing_overlaps(case):
    _, _, gold, hyp = case
    assume(gold or hyp)
    weighed = slow.edges(gold, hyp, [1] * 9, [1] * 9)
    overlap = any(None not in edge for edge in weighed)
    assert (bisegment_similarity(Alignment(gold), Alignment(hyp)).value > 0) == overlap


@given(draw.compared(), st.randoms(use_true_random=False))
def test_the_order_of_bisegments_and_repeats_do_not_matter(case, random):
    _, _, gold, hyp = case
    first = bisegment_similarity(Alignment(gold), Alignment(hyp))
    for beads in (gold, hyp):
        beads += beads[:2]
        random.shuffle(beads)
    assert bisegment_similarity(Alignment(gold), Alignment(hyp)) == first


@given(st.lists(cases(), max_size=5), st.sampled_from(GRANULARITIES))
def test_many_is_one_by_one(several, granularity):
    golds = [bitext(src, tgt, gold) for src, tgt, gold, _ in several]
    hyps = [bitext(src, tgt, hyp) for src, tgt, _, hyp in several]
    found = bisegment_similarity.many(golds, hyps, granularity=granularity)
    one_by_one = [
        bisegment_similarity(gold, hyp, granularity=granularity)
        for gold, hyp in zip(golds, hyps, strict=True)
    ]
    assert list(found) == one_by_one
    edges = [
        bisegment_edges(gold, hyp, granularity=granularity)
        for gold, hyp in zip(golds, hyps, strict=True)
    ]
    assert [ratio_of(each) for each in edges] == one_by_one


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


@pytest.mark.parametrize(
    ("granularity", "total"),
    [
        ("sentence", 1 + Fraction(1, 2)),
        ("word", 1 + Fraction(11 * 5, 11 * 10)),
        ("character", 1 + Fraction(60 * 24, 60 * 52)),
    ],
)
def test_the_worked_example_of_arcade(granularity, total):
    both = [bitext(EXAMPLE_SRC, EXAMPLE_TGT, beads) for beads in (EXAMPLE_GOLD, EXAMPLE_HYP)]
    assert_is(bisegment_similarity(*both, granularity=granularity), total, 3)


@pytest.mark.parametrize(
    ("gold", "hyp", "total", "count"),
    [
        # both halves find the whole, and the whole the left one: two edges of 1/2
        ([((0, 1), (0,))], [((0,), (0,)), ((1,), (0,))], Fraction(1), 2),
        # crossing: nothing is shared on both sides
        ([((0,), (0,)), ((1,), (1,))], [((0,), (1,)), ((1,), (0,))], Fraction(0), 4),
        # a null side meets null sides only
        ([((), (0,))], [((0,), (0,))], Fraction(0), 2),
        ([((), (0, 1))], [((), (0,))], Fraction(1, 2), 1),
        ([((0,), ()), ((), (0,))], [((0, 1), ()), ((), (0,))], Fraction(3, 2), 2),
        # the closest is the one inside, though the other overlaps as much
        ([((0,), (0,))], [((0, 1), (0,)), ((0, 1, 2), (0,))], Fraction(1, 2) + Fraction(1, 3), 2),
        # one bisegment that covers both sides of a border
        (
            [((0, 1), (0, 1)), ((2, 3), (2, 3))],
            [((0,), (0,)), ((1, 2), (1, 2)), ((3,), (3,))],
            Fraction(1, 4) + Fraction(1, 7) + Fraction(1, 4),
            3,
        ),
    ],
)
def test_worked_values(gold, hyp, total, count):
    assert expected(gold, hyp) == (total, count)
    assert_is(bisegment_similarity(Alignment(gold), Alignment(hyp)), total, count)


def test_near_misses_are_graded():
    n = 5
    gold = Alignment([(range(n), range(n)), (range(n, 2 * n), range(n, 2 * n))])
    moved = [
        Alignment([(range(n - k), range(n)), (range(n - k, 2 * n), range(n, 2 * n))])
        for k in range(n)
    ]
    values = [bisegment_similarity(gold, hyp).value for hyp in moved]
    assert values[0] == 1
    assert all(near > far for near, far in pairwise(values))
    wanted = [(Fraction(n - k, n) + Fraction(n, n + k)) / 2 for k in range(n)]
    assert values == pytest.approx([float(value) for value in wanted])


def test_of_two_empty_alignments_it_is_undefined_and_of_one_0():
    none, some = Alignment([]), Alignment([((0,), (0,))])
    found = bisegment_similarity(none, none)
    assert isnan(found.value)
    assert found.undefined == "no bisegment on either side"
    assert bisegment_similarity(none, some) == bisegment_similarity(some, none) == Ratio(0, 1)
    assert len(bisegment_similarity.many([], [])) == 0


def test_texts_are_pooled_by_their_edges():
    gold, hyp = Alignment(EXAMPLE_GOLD), Alignment(EXAMPLE_HYP)
    total = sum(bisegment_similarity.many([gold, gold], [hyp, gold]), Ratio(0, 0))
    assert total == Ratio(1.5 + 2, 3 + 2)


def test_ties_go_to_the_left_and_to_the_source():
    # The smallest cases. Reversed, {12} goes to the {1} that {1} of the other side is not in.
    gold, hyp = [((), (0,)), ((), (1,))], [((), (0,)), ((), (0, 1))]
    turned = [((), (0, 1)), ((), (1,))]
    assert bisegment_similarity(Alignment(gold), Alignment(hyp)).value == pytest.approx(2 / 3)
    assert bisegment_similarity(Alignment(gold), Alignment(turned)).value == pytest.approx(3 / 4)
    gold, hyp = (
        Alignment([((0,), (0,)), ((0,), (0, 1))]),
        Alignment([((0,), (0, 1)), ((0, 1), (0,))]),
    )
    assert bisegment_similarity(gold, hyp).value == pytest.approx(2 / 3)
    assert bisegment_similarity(gold.swapped(), hyp.swapped()).value == pytest.approx(3 / 4)


def test_segments_without_anything_to_count_tell_alignments_apart():
    texts = ["one", ""], ["un"]
    gold, hyp = bitext(*texts, [((0, 1), (0,))]), bitext(*texts, [((0,), (0,))])
    for granularity, value in zip(GRANULARITIES, (1 / 2, 1 / 2, 3 / 4), strict=True):
        assert bisegment_similarity(gold, hyp, granularity=granularity).value == value
    gold, hyp = bitext(*texts, [((1,), ())]), bitext(*texts, [((1,), (0,))])
    assert bisegment_similarity(gold, hyp, granularity="word").value == 0


def test_no_rounding_makes_different_alignments_equal():
    n = 200_000
    whole = np.ones(n, dtype=np.int64)
    # Areas that differ by less than floats tell, and sums of many ones.
    almost = BeadEdges(whole, whole, whole * 2**61, whole * 2**61)
    almost.overlap[7] -= 1
    assert ratio_of(almost).value < 1
    almost.overlap[7] += 1
    assert ratio_of(almost).value == 1


# Other ground than positions


def named(src, tgt, beads):
    return Bitext(Text.of_ids(src), Text.of_ids(tgt), Alignment(beads))


@given(draw.compared(), st.randoms(use_true_random=False))
def test_identifiers_stand_in_their_own_order(case, random):
    n_src, n_tgt, gold, hyp = case
    sides = [[f"d1.s{k}" for k in range(8, n + 8)] for n in (n_src, n_tgt)]
    both = []
    for beads in (gold, hyp):
        # Only what an alignment names is known, in any order.
        held = [sorted({x for bead in beads for x in bead[k]}) for k in range(2)]
        for names in held:
            random.shuffle(names)
        moved = [tuple([held[k].index(x) for x in bead[k]] for k in range(2)) for bead in beads]
        ids = ([side[k] for k in names] for side, names in zip(sides, held, strict=True))
        both.append(named(*ids, moved))
    assert_is(bisegment_similarity(*both), *expected(gold, hyp))
    assert bisegment_similarity(*both) == bisegment_similarity(*both[::-1])


def test_ties_go_by_the_numbers_in_identifiers_whatever_is_read_first():
    beads = [((), (0,)), ((), (1,))], [((), (0,)), ((), (0, 1))]
    for left, right in (("s9", "s10"), ("p1.s10", "p2.s9"), ("a", "b"), ("s002", "s2")):
        gold = named([], [right, left, "other"], [((), (1,)), ((), (0,))])
        hyp = named([], [left, right], beads[1])
        assert bisegment_similarity(gold, hyp).value == pytest.approx(2 / 3)
        assert bisegment_similarity(hyp, gold).value == pytest.approx(2 / 3)


@given(draw.compared(), st.integers(1, 10**9))
def test_positions_may_be_far(case, shift):
    _, _, gold, hyp = case
    far = [Alignment([([s + shift for s in b[0]], b[1]) for b in beads]) for beads in (gold, hyp)]
    assert_is(bisegment_similarity(*far), *expected(gold, hyp))


def test_far_positions_that_tie_go_to_the_left_as_numbers():
    # As words, 1000000 would come before 999999.
    gold = Alignment([((999_999,), (0,)), ((1_000_000,), (0,)), ((999_999, 1_000_000), (0,))])
    hyp = Alignment([((999_999, 1_000_000), (0, 1)), ((999_999,), (0,))])
    near = [
        Alignment([([s - 999_999 for s in b.src], b.tgt) for b in beads]) for beads in (gold, hyp)
    ]
    assert bisegment_similarity(gold, hyp) == bisegment_similarity(*near)


@st.composite
def cut_differently(draw_):
    src, tgt = (draw_(draw.segments(draw_(st.integers(1, 4)))) for _ in range(2))
    gold = draw_(draw.alignments(len(src), len(tgt)))
    other = draw_(draw.recut(src)), draw_(draw.recut(tgt))
    hyp = draw_(draw.alignments(len(other[0]), len(other[1])))
    return bitext(src, tgt, gold), bitext(*other, hyp)


@given(cut_differently())
def test_texts_that_are_cut_differently_are_compared_on_their_pieces(case):
    ground = common_ground(*case)
    gold, hyp = (
        [
            (tuple(beads.src.row(k).tolist()), tuple(beads.tgt.row(k).tolist()))
            for k in range(len(beads.src.ptr) - 1)
            if beads.src.row(k).size + beads.tgt.row(k).size
        ]
        for beads in (ground.gold, ground.hyp)
    )
    src, tgt = ([side.segment(k) for k in range(side.size)] for side in (ground.src, ground.tgt))
    for granularity in GRANULARITIES:
        found = bisegment_similarity(*case, granularity=granularity)
        assert_is(found, *expected(gold, hyp, src, tgt, granularity))


def test_a_text_cut_differently_scores_as_the_text_does():
    gold = bitext(["One two three.", "Four."], ["Un deux.", "Trois. Quatre."], [((0,), (0,))])
    hyp = bitext(["One two", "three. Four."], ["Un deux.", "Trois.", "Quatre."], [((0,), (0,))])
    # On the pieces "One two", "three." and "Four." it is {1, 2} x {1} against {1} x {1}.
    assert bisegment_similarity(gold, hyp).value == 1 / 2
    assert bisegment_similarity(gold, hyp, granularity="word").value == 4 / 6
    assert bisegment_similarity(gold, hyp, granularity="character").value == pytest.approx(7 / 13)


# Edges


def test_edges_name_the_bisegments_as_they_are_listed():
    gold = Alignment([((0, 1), (0,)), ((2,), (1,)), ((0, 1), (0,)), ((3,), (3,))])
    hyp = Alignment([((5,), (5,)), ((0,), (0,)), ((0,), (0,)), ((2,), (1,))])
    edges = bisegment_edges(gold, hyp)
    rows = zip(*(column.tolist() for column in (*edges, edges.weights)), strict=True)
    assert list(rows) == [
        (0, 1, 1, 2, 0.5),
        (1, 3, 1, 1, 1.0),
        (3, -1, 0, 1, 0.0),
        (-1, 0, 0, 1, 0.0),
    ]


# What is refused


@pytest.mark.parametrize(
    ("granularity", "message"),
    [
        ("word", r"^the bitext: word granularity needs the source text and the target text: give"),
        ("character", r"character granularity needs the source text and the target text"),
    ],
)
def test_granularities_that_need_texts_say_which(granularity, message):
    one = Alignment(EXAMPLE_GOLD)
    with pytest.raises(InputError, match=message):
        bisegment_similarity(one, one, granularity=granularity)


def test_one_text_may_lack():
    one = Bitext(Text(["a", "b"]), None, Alignment([((0,), (0,))]), name="letters")
    with pytest.raises(InputError, match=r"^letters: word granularity needs the target text: give"):
        bisegment_similarity(one, one, granularity="word")
    assert bisegment_similarity(one, one).value == 1


def test_other_granularities_are_refused():
    one = Alignment(EXAMPLE_GOLD)
    with pytest.raises(OptionError, match=r"'lax' is not known: want one of sentence, word, chara"):
        bisegment_similarity(one, one, granularity="lax")
    with pytest.raises(OptionError, match=r"counter 'spaces' is not known; did you mean 'space'"):
        bisegment_similarity(one, one, words="spaces")


def test_pairs_are_as_many():
    with pytest.raises(InputError, match=r"^1 gold standards and 0 hypotheses: want as many"):
        bisegment_similarity.many([Alignment([])], [])


def test_counters_are_those_asked_for():
    texts = ["one, two"], ["un", "deux"]
    gold, hyp = bitext(*texts, [((0,), (0, 1))]), bitext(*texts, [((0,), (1,))])
    for words, value in (("space", 1 / 2), (len, 4 / 6), (lambda _: 0, 1 / 2)):
        found = bisegment_similarity(gold, hyp, granularity="word", words=words)
        assert found.value == pytest.approx(value)
