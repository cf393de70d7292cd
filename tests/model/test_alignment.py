import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import AlignmentError, InputError
from bitext.kernels.arrays import Rows
from bitext.model import Alignment, Bisegment
from reference import draw

SHAPES = draw.alignments(6, 6)


@given(SHAPES)
def test_holds_the_bisegments_it_was_given_in_order(beads):
    made = Alignment(beads)
    want = [(tuple(sorted(s)), tuple(sorted(t))) for s, t in beads]
    assert list(made) == want
    assert [made[k] for k in range(len(made))] == want
    assert made[:] == want
    assert made[::-2] == want[::-2]
    assert len(made) == len(beads)


@given(SHAPES)
def test_arrays_and_collections_spell_the_same_alignment(beads):
    made = Alignment(beads)
    again = Alignment.from_arrays(made.src, made.tgt)
    assert list(again) == list(made)


@given(SHAPES, SHAPES)
def test_equality_is_that_of_sets(a, b):
    assert (Alignment(a) == Alignment(b)) == (set(a) == set(b))
    if set(a) == set(b):
        assert hash(Alignment(a)) == hash(Alignment(b))


def test_order_and_repeats_do_not_make_alignments_differ():
    assert Alignment([((0,), (1,)), ((1,), (0,))]) == Alignment(
        [((1,), (0,)), ((0,), (1,)), ((1,), (0,))]
    )
    assert Alignment([((0,), (1,))]) != Alignment([((1,), (0,))])
    assert Alignment([((0,), ())]) != Alignment([((), (0,))])
    assert Alignment() != []


@given(SHAPES)
def test_swapping_twice_gives_the_same_and_once_exchanges_the_sides(beads):
    made = Alignment(beads, scores=[float(k) for k in range(len(beads))])
    assert list(made.swapped()) == [(b.tgt, b.src) for b in made]
    assert list(made.swapped().swapped()) == list(made)
    assert made.swapped().scores.tolist() == made.scores.tolist()


@given(SHAPES)
def test_unique_keeps_the_first_of_each(beads):
    columns = {"n": [str(k) for k in range(len(beads))]}
    made = Alignment(beads, attributes=columns).unique()
    firsts = list(dict.fromkeys(beads))
    assert list(made) == list(Alignment(firsts))
    assert made.attributes["n"] == [str(beads.index(bead)) for bead in firsts]


@given(SHAPES)
def test_bead_types_count_sides_most_frequent_first(beads):
    types = Alignment(beads).bead_types()
    kinds = [f"{len(s)}-{len(t)}" for s, t in beads]
    assert types == {kind: kinds.count(kind) for kind in kinds}
    assert list(types.values()) == sorted(types.values(), reverse=True)


@given(SHAPES)
def test_sizes_are_what_the_indices_need(beads):
    made = Alignment(beads)
    assert made.src_size == max((i + 1 for s, _ in beads for i in s), default=0)
    assert made.tgt_size == max((i + 1 for _, t in beads for i in t), default=0)


def test_select_by_index_and_by_mask():
    made = Alignment(
        [((0,), (0,)), ((1,), ()), ((2,), (1,))], scores=[1, 2, 3], attributes={"c": list("abc")}
    )
    by_index = made.select([2, 0])
    assert list(by_index) == [made[2], made[0]]
    assert by_index.scores.tolist() == [3, 1]
    assert by_index.attributes == {"c": ["c", "a"]}
    assert list(made.select([True, False, True])) == [made[0], made[2]]
    assert len(made.select([])) == 0


@pytest.mark.parametrize("mask", [[True], [True] * 4])
def test_a_mask_of_another_length_is_refused(mask):
    made = Alignment([((0,), (0,)), ((1,), ()), ((2,), (1,))])
    with pytest.raises(AlignmentError, match=r"mask of \d for 3 bisegments: want one boolean each"):
        made.select(mask)


def test_any_collection_of_integers_is_a_side():
    made = Alignment([({2, 0}, [1]), (np.array([1]), range(3)), ((np.int32(4),), ())])
    assert list(made) == [((0, 2), (1,)), ((1,), (0, 1, 2)), ((4,), ())]
    assert made[-1] == Bisegment((4,), ())
    assert made[1].type == "1-3"


@pytest.mark.parametrize(
    ("beads", "message"),
    [
        ([((0,), (0,)), ((), ())], r"bisegment 1 is empty on both sides: want at least one"),
        (
            [((0,), (0,)), ((1, -2), ())],
            r"bisegment 1 has the source index -2: want indices from 0",
        ),
        ([((0,), (-1,))], r"bisegment 0 has the target index -1: want indices from 0"),
        ([((), ()), ((0,), (2**41,))], r"bisegment 1 has the target index 2199023255552: want"),
        ([((0,), (0,)), ((3, 1, 3), ())], r"bisegment 1 has the source index 3 twice: want each"),
        ([((0,), (0, 0))], r"bisegment 0 has the target index 0 twice: want each segment once"),
        ([((0,), (0,)), (0, 1)], r"bisegment 1 is \(0, 1\): want a pair of collections"),
        ([((0,), (0,), (0,))], r"bisegment 0 is .*: want a pair of collections"),
        ([((0,), (0,)), ((0.5,), (0,))], r"bisegment 1 is .*0\.5.*: want a pair of collections"),
        ([("0", "1")], r"bisegment 0 is .*: want a pair of collections"),
        ([((2**70,), ())], r"bisegment 0 is .*: want a pair of collections"),
        ([((None,), ())], r"bisegment 0 is .*: want a pair of collections"),
        ([((True, False), (True,))], r"bisegment 0 is .*: want a pair of collections"),
        ([None], r"bisegment 0 is None: want a pair of collections"),
    ],
)
def test_a_bad_bisegment_is_named_with_what_is_allowed(beads, message):
    with pytest.raises(AlignmentError, match=message):
        Alignment(beads)


@pytest.mark.parametrize(
    ("src", "tgt", "message"),
    [
        (([0, 1], [0]), ([0, 1, 1], [0]), r"1 source rows and 2 target rows: want one of each"),
        (([0, 2], [0]), ([0, 1], [0]), r"source pointers do not run from 0 to the 1 members"),
        (([0, 1], [0]), ([1, 1], [0]), r"target pointers do not run from 0 to the 1 members"),
        (([0, 2, 1, 3], [0, 1, 2]), ([0, 1, 2, 3], [0, 1, 2]), r"source pointers .* ascending"),
        (([0, 1], [0.5]), ([0, 1], [0]), r"source members are float64: want integers"),
        (([0, 1], [0]), ([0, 1], [[0]]), r"target rows are not arrays of pointers and members"),
        (([], []), ([0], []), r"source rows are not arrays of pointers"),
        (([0.0, 1.0], [0]), ([0, 1], [0]), r"source rows are not arrays of pointers"),
        (([0, 0], []), ([0, 0], []), r"bisegment 0 is empty on both sides"),
        (([0, 2], [1, 1]), ([0, 0], []), r"bisegment 0 has the source index 1 twice"),
    ],
)
def test_arrays_that_are_no_compressed_rows_are_refused(src, tgt, message):
    with pytest.raises(AlignmentError, match=message):
        Alignment.from_arrays(src, tgt)


def test_pointers_that_run_backwards_are_seen_in_unsigned_arrays_too():
    pointers = np.array([0, 3, 2, 4], dtype=np.uint64)
    with pytest.raises(AlignmentError, match=r"do not run from 0 to the 4 members, ascending"):
        Alignment.from_arrays((pointers, [0, 1, 2, 3]), ([0, 1, 2, 3], [0, 1, 2]))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"scores": [1.0]}, r"1 scores for 2 bisegments: want one each"),
        ({"scores": [[1.0], [2.0]]}, r"2 scores for 2 bisegments: want one each"),
        ({"scores": ["good", "bad"]}, r"scores are \['good', 'bad'\]: want one number each"),
        ({"attributes": {"type": ["1-1"]}}, r"1 values of 'type' for 2 bisegments: want one each"),
    ],
)
def test_columns_have_one_value_a_bisegment(columns, message):
    with pytest.raises(AlignmentError, match=message):
        Alignment([((0,), (0,)), ((1,), (1,))], **columns)


def test_an_alignment_error_is_an_input_error_and_a_value_error():
    assert issubclass(AlignmentError, InputError)
    assert issubclass(AlignmentError, ValueError)


def test_an_index_beyond_the_bisegments_is_an_index_error():
    made = Alignment([((0,), (0,))])
    for k in (1, -2):
        with pytest.raises(IndexError, match=rf"bisegment {k} of 1"):
            made[k]


def test_nothing_of_an_alignment_can_be_written():
    made = Alignment([((1, 0), (0,))], scores=[0.5])
    for array in (*made.src, *made.tgt, made.scores):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9


def test_the_arrays_of_the_caller_stay_his_own():
    pointers, members, scores = np.array([0, 1]), np.array([3]), np.array([0.5])
    made = Alignment.from_arrays((pointers, members), (pointers, members), scores=scores)
    pointers[0], members[0], scores[0] = 7, 7, 7
    assert list(made) == [((3,), (3,))]
    assert made.scores.tolist() == [0.5]


def test_an_empty_alignment():
    made = Alignment()
    assert (len(made), list(made), made.src_size, made.tgt_size) == (0, [], 0, 0)
    assert made.bead_types() == {}
    assert len(made.unique()) == len(made.swapped()) == 0
    assert repr(made) == "<Alignment: 0 bisegments>"


@given(st.lists(st.one_of(st.none(), st.floats()), max_size=4))
def test_a_score_may_be_lacking(scores):
    made = Alignment([((k,), ()) for k in range(len(scores))], scores=scores)
    want = [float("nan") if score is None else score for score in scores]
    assert np.array_equal(made.scores, want, equal_nan=True)


def test_a_million_bisegments_take_less_than_200_mb():
    n = 1_000_000
    pointers = np.arange(n + 1)
    tracemalloc.start()
    try:
        made = Alignment.from_arrays((pointers, np.arange(n)), (pointers, np.arange(n)))
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(made) == n
    assert kept < 50e6
    assert most < 200e6


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ([0.5], "want a list of indices, or a mask"),
        ([[0]], "want a list of indices, or a mask"),
        ([1, 2], "there is no bisegment 2: the alignment has 2"),
        ([-3], "there is no bisegment -3"),
    ],
)
def test_a_choice_that_is_none(chosen, message):
    alignment = Alignment([((0,), (0,)), ((1,), ())])
    assert list(alignment.select([-1])) == [((1,), ())]
    assert len(alignment.select([])) == 0
    with pytest.raises(AlignmentError, match=message):
        alignment.select(chosen)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("x", "the values of 'n' are one string"),
        ([1], "'n' has the value 1: want strings, or None"),
    ],
)
def test_columns_hold_strings(column, message):
    with pytest.raises(AlignmentError, match=message):
        Alignment([((0,), (0,))], attributes={"n": column})


def test_columns_of_arrays_are_no_string():
    rows = ([0, 1, 2], [0, 1])
    with pytest.raises(AlignmentError, match="the values of 'n' are one string"):
        Alignment.from_arrays(rows, rows, attributes={"n": "ab"})


def test_columns_are_taken_in_their_order_whatever_holds_them():
    import pandas as pd

    beads = [((0,), (0,)), ((1,), (1,))]
    for column in (pd.Series(["a", None], index=[1, 0], dtype=object), iter(["a", None])):
        made = Alignment(beads, attributes={"note": column})
        assert (made.attributes["note"][0], made.select([1]).attributes["note"]) == ("a", [None])


def test_rows_are_taken_as_they_are():
    src, tgt = (
        Rows(np.array(ptr), np.array(idx))
        for ptr, idx in (([0, 1, 1], [0]), ([0, 1, 3], [0, 1, 2]))
    )
    alignment = Alignment.of_rows(src, tgt, scores=np.array([0.5, 1.0]))
    assert alignment.src.ptr is src.ptr
    assert alignment.tgt.idx is tgt.idx
    assert alignment == Alignment.from_arrays(src, tgt)
    assert alignment.scores.tolist() == [0.5, 1.0]
    with pytest.raises(AlignmentError, match="bisegment 1 is empty on both sides"):
        Alignment.of_rows(src, src)


@pytest.mark.parametrize("column", [{"a", "b"}, {"a": 1, "b": 2}, 5])
def test_columns_are_lists(column):
    beads = [((0,), (0,)), ((1,), (1,))]
    with pytest.raises(InputError, match=r"the values of 'x' are .*: want a list of one each"):
        Alignment(beads, attributes={"x": column})
    with pytest.raises(AlignmentError, match="want a dictionary of lists"):
        Alignment(beads, attributes=["x"])


def test_columns_do_not_change_with_the_lists_that_were_given():
    column = ["a"]
    alignment = Alignment([((0,), (0,))], attributes={"x": column})
    column[0] = "b"
    assert alignment.attributes == {"x": ["a"]}


@pytest.mark.parametrize("bounds", [("0", 1), (None, 1), (0.0, 1)])
def test_bounds_of_parts_are_integers(bounds):
    with pytest.raises(AlignmentError, match="want two integers"):
        Alignment([((0,), (0,))]).between(*bounds)


def test_masked_values_are_refused():
    masked, beads = np.ma.array([0, 1], mask=[0, 1]), [((0,), (0,)), ((1,), (1,))]
    with pytest.raises(AlignmentError, match="the scores are masked_array"):
        Alignment(beads, scores=masked)
    with pytest.raises(InputError, match="has masked values"):
        Alignment.from_arrays(([0, 2], masked), ([0, 1], [0]))
    with pytest.raises(InputError, match="has masked values"):
        Alignment(beads).select(masked)
