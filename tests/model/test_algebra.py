"""The algebra of alignments: combination, composition and difference, and the laws they obey."""

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.model import Alignment, Bitext, Text
from bitext.model.algebra import changes, combine, compose, difference, head, sample
from reference import draw

SHAPES = draw.alignments(5, 5).map(Alignment)
FEW = settings(max_examples=25)  # small shapes: more of them tell nothing new
SEVERAL = st.lists(SHAPES, min_size=1, max_size=4)


@st.composite
def partitions(draw_of, size=5):
    """Alignments in which every segment is in exactly one bisegment."""
    group = st.lists(st.integers(0, 4), min_size=size, max_size=size)
    src, tgt = draw_of(group), draw_of(group)
    return Alignment(
        ([k for k in range(size) if src[k] == g], [k for k in range(size) if tgt[k] == g])
        for g in sorted({*src, *tgt})
    )


def identity(size=5):
    return Alignment(((k,), (k,)) for k in range(size))


@FEW
@given(SEVERAL, st.sampled_from(["union", "intersection", "vote"]))
def test_sets_of_bisegments_are_combined_as_sets(alignments, by):
    least = {"union": 1, "intersection": len(alignments)}.get(by, len(alignments) // 2 + 1)
    beads = chain.from_iterable(set(each) for each in alignments)
    counts = {bead: sum(bead in set(each) for each in alignments) for bead in beads}
    made = combine(alignments, by=by)
    assert sorted(made) == sorted(bead for bead, count in counts.items() if count >= least)
    shares = [counts[bead] / len(alignments) for bead in made]
    assert made.scores.tolist() == pytest.approx(shares)


@FEW
@given(SEVERAL, st.sampled_from(["union", "intersection", "vote"]))
def test_combination_commutes(alignments, by):
    assert combine(alignments, by=by) == combine(alignments[::-1], by=by)


@FEW
@given(partitions())
def test_copies_of_one_alignment_combine_to_it(alignment):
    for by in ("union", "intersection", "vote"):
        assert combine([alignment] * 3, by=by) == alignment


def is_path(beads):
    return all(
        not (set(a.src) & set(b.src) or set(a.tgt) & set(b.tgt))
        and not (a.src and b.src and a.tgt and b.tgt and (a.src < b.src) != (a.tgt < b.tgt))
        for a, b in combinations(beads, 2)
    )


@FEW
@given(SEVERAL)
def test_a_path_neither_overlaps_nor_crosses(alignments):
    made = combine(alignments, by="path")
    assert is_path(list(made))
    assert set(made) <= set(combine(alignments, by="union"))


@FEW
@given(st.lists(draw.alignments(3, 3).map(Alignment), min_size=1, max_size=2))
def test_a_path_of_bisegments_with_two_sides_has_the_greatest_expected_f1(alignments):
    def whole(rows):
        return rows and rows[-1] - rows[0] == len(rows) - 1

    alignments = [
        Alignment(b for b in set(each) if whole(b.src) and whole(b.tgt)) for each in alignments
    ]
    pooled = combine(alignments, by="union")
    share = dict(zip(pooled, pooled.scores, strict=True))
    size = sum(map(len, alignments)) / len(alignments)

    def expected(beads):
        return 2 * sum(share[bead] for bead in beads) / ((len(beads) + size) or 1)

    few = list(pooled)[:8]
    if len(few) < len(pooled):
        return
    paths = (
        beads
        for number in range(len(few) + 1)
        for beads in combinations(few, number)
        if is_path(beads)
    )
    best = max(map(expected, paths))
    assert expected(list(combine(alignments, by="path"))) == pytest.approx(best, abs=1e-5)


def test_a_path_goes_by_probabilities_where_all_have_them():
    one = Alignment([((0,), (0,)), ((1,), (1,))], scores=[0.9, 0.2])
    two = Alignment([((0,), (0,)), ((1,), (1, 2))], scores=[0.9, 0.95])
    assert list(combine([one, two])) == [((0,), (0,)), ((1,), (1, 2))]


def test_a_target_without_a_source_stands_behind_the_one_before():
    made = combine([Alignment([((), (1,)), ((1,), (2,)), ((0,), (0,))])], by="union")
    assert list(made) == [((0,), (0,)), ((), (1,)), ((1,), (2,))]


def test_combinations_that_mean_nothing_are_refused():
    with pytest.raises(InputError, match="no alignment to combine"):
        combine([])
    with pytest.raises(OptionError, match="want one of union"):
        combine([identity()], by="sum")
    pair = Bitext(None, None, identity())
    for call in (
        lambda: combine([identity(), pair]),
        lambda: compose(pair, identity()),
        lambda: difference(identity(), pair),
        lambda: changes(pair, pair),
    ):
        with pytest.raises(
            InputError, match=r"given as <Bit.*: want an Alignment, as Bitext.align"
        ):
            call()
    with pytest.raises(OptionError, match="want 1 to 1 votes"):
        combine([identity()], by="vote", least=2)
    with pytest.raises(OptionError, match="want 1 to 1 votes"):
        combine([identity()], by="vote", least="1")
    with pytest.raises(OptionError, match="by='vote'"):
        combine([identity()], by="path", least=1)


@FEW
@given(partitions())
def test_an_alignment_of_each_segment_with_itself_is_the_identity(alignment):
    assert compose(identity(), alignment).alignment == alignment
    assert compose(alignment, identity()).alignment == alignment


@FEW
@given(partitions(), partitions(), partitions())
def test_composition_is_associative_without_overlaps(a, b, c):
    left = compose(compose(a, b).alignment, c).alignment
    assert left == compose(a, compose(b, c).alignment).alignment


@FEW
@given(SHAPES, SHAPES)
def test_composition_reverses_with_exchanged_sides(a, b):
    made, turned = compose(a, b), compose(b.swapped(), a.swapped())
    assert made.alignment.swapped() == turned.alignment
    assert (made.merged, made.dropped) == (turned.merged, turned.dropped)
    assert (made.uncovered_first, made.uncovered_second) == (
        turned.uncovered_second,
        turned.uncovered_first,
    )


@given(SHAPES)
def test_exchanging_sides_twice_changes_nothing(alignment):
    assert list(alignment.swapped().swapped()) == list(alignment)


def test_what_a_composition_loses_is_counted():
    first = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), (5,)), ((), (6,)), ((3,), ())])
    second = Alignment([((0, 1), (0, 1)), ((6,), ()), ((7,), (2,)), ((), (3,))])
    made = compose(first, second)
    assert set(made.alignment) == {((0, 1), (0, 1)), ((3,), ()), ((), (3,))}
    assert made[1:] == (1, 1, 1, 1)


def test_probabilities_are_multiplied_and_other_scores_left_out():
    first = Alignment([((0,), (0,)), ((1,), (1,))], scores=[0.5, 0.25])
    second = Alignment([((0, 1), (0,))], scores=[0.5])
    assert compose(first, second).alignment.scores.tolist() == [0.0625]
    costs = Alignment([((0, 1), (0,))], scores=[3.0])
    assert compose(first, costs).alignment.scores is None


@FEW
@given(SHAPES, SHAPES)
def test_a_difference_has_what_the_second_lacks(a, b):
    assert set(difference(a, b)) == set(a) - set(b)
    assert len(difference(a, a)) == 0


def parts(sizes, *, continues):
    """Parts of document pairs: bisegment k has the segments `s<k>` and `t<k>`."""
    begin = 0
    for size, same in zip(sizes, continues, strict=True):
        src, tgt = ([f"{side}{begin + k}" for k in range(size)] for side in "st")
        yield Bitext(Text(src), Text(tgt), identity(size), continues=same)
        begin += size


def drawn(bitexts):
    return [pair for bitext in bitexts for pair in bitext.pairs()]


def test_a_sample_does_not_depend_on_the_parts():
    whole = sample(parts([6000], continues=[False]), 40, seed=3)
    cut = sample(parts([1000, 0, 2500, 2500], continues=[False, True, True, True]), 40, seed=3)
    assert drawn(whole) == drawn(cut)
    assert len(set(map(str, drawn(whole)))) == 40
    assert drawn(whole) == sorted(drawn(whole), key=lambda pair: int(pair[0][0][1:]))
    assert [bitext.continues for bitext in cut] == [False, True, True][: len(cut)]
    assert drawn(whole) != drawn(sample(parts([6000], continues=[False]), 40, seed=4))


def test_every_bisegment_is_drawn_as_often_as_any_other():
    counts = dict.fromkeys(range(5), 0)
    for seed in range(120):
        for src, _ in drawn(sample(parts([2, 3], continues=[False, False]), 2, seed=seed)):
            counts[int(src[0][1:])] += 1
    assert all(25 < count < 72 for count in counts.values())  # 48 expected, sd below 6


def test_a_small_text_is_drawn_whole():
    assert len(drawn(sample(parts([2, 1], continues=[False, False]), 9))) == 3
    assert sample([], 3) == []


def test_the_head_reads_no_further():
    def endless():
        yield from parts([0, 2, 3], continues=[False, True, True])
        raise AssertionError("read too far")

    made = list(head(endless(), 4))
    assert [pair[0] for pair in drawn(made)] == [["s0"], ["s1"], ["s2"], ["s3"]]
    assert [bitext.continues for bitext in made] == [False, True]


@pytest.mark.parametrize("size", [-1, 1.0, "2", True])
def test_a_size_is_a_number_of_bisegments(size):
    for taken in (sample, head):
        with pytest.raises(OptionError, match=f"the size is {size!r}: want a number of bisegments"):
            list(taken(parts([3], continues=[False]), size))
    assert not list(head(parts([3], continues=[False]), 0))


def test_a_sample_does_not_keep_the_characters_of_the_others():
    made = sample(parts([4000], continues=[False]), 3)
    assert sum(len(bitext.src.line) for bitext in made) < 30


@pytest.mark.parametrize("seed", ["x", -1, 1.5, True, None])
def test_seeds_are_whole_numbers(seed):
    with pytest.raises(OptionError, match=r"seed is .*: want a whole number, 0 or more"):
        sample([], 1, seed=seed)


@pytest.mark.parametrize("wrong", [None, 5, [((0,), (0,))]])
@pytest.mark.parametrize("function", [changes, compose, difference])
def test_alignments_are_wanted_on_both_sides(function, wrong):
    for pair in ((Alignment(), wrong), (wrong, Alignment())):
        with pytest.raises(InputError, match="an alignment is given as"):
            function(*pair)


@pytest.mark.parametrize("wrong", [Bitext(Text([]), Text([]), Alignment()), [Alignment()], 5])
def test_bitexts_are_listed(wrong):
    with pytest.raises(InputError, match=r"bitexts? (is|are) "):
        list(head(wrong, 1))
    with pytest.raises(InputError, match=r"bitexts? (is|are) "):
        sample(wrong, 1)
