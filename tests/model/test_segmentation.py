import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import SegmentationError
from bitext.model import Segmentation

MASSES = st.lists(st.integers(1, 5), min_size=1, max_size=8)


@given(MASSES)
def test_every_spelling_leads_back(masses):
    s = Segmentation(masses)
    assert list(s) == masses
    assert Segmentation.from_boundaries(s.boundaries, s.n) == s
    assert Segmentation.from_bits(s.bits()) == s
    assert Segmentation.from_labels(s.labels()) == s
    assert Segmentation.from_spans(s.spans()) == s


@given(MASSES)
def test_the_spellings_are_what_they_say(masses):
    s = Segmentation(masses)
    units = [k for k, mass in enumerate(masses) for _ in range(mass)]
    assert s.n == len(units)
    assert len(s) == len(masses)
    assert s.labels().tolist() == units
    opens = [k for k in range(1, len(units)) if units[k] != units[k - 1]]
    assert s.boundaries.tolist() == opens
    assert s.bits() == "".join("01"[k in opens] for k in range(1, len(units)))
    assert ["".join(map(str, units[a:b])) for a, b in s.spans()] == [
        str(k) * mass for k, mass in enumerate(masses)
    ]


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=8))
def test_labels_make_a_segment_of_each_run(labels):
    s = Segmentation.from_labels(labels)
    assert all(len(set(labels[a:b])) == 1 for a, b in s.spans())
    assert all(labels[b] != labels[b - 1] for b in s.boundaries)


@given(st.text("01", max_size=8))
def test_bits_are_read_as_written(bits):
    assert Segmentation.from_bits(bits).bits() == bits


def test_boundaries_may_come_in_any_order_and_from_a_set():
    assert Segmentation.from_boundaries({7, 3}, 9) == Segmentation([3, 4, 2])
    assert Segmentation.from_boundaries([7, 3], 9) == Segmentation([3, 4, 2])
    assert Segmentation.from_boundaries([], 3) == Segmentation([3])


@given(MASSES, MASSES)
def test_equal_when_the_masses_are(a, b):
    assert (Segmentation(a) == Segmentation(b)) == (a == b)
    if a == b:
        assert hash(Segmentation(a)) == hash(Segmentation(b))


def test_equal_whatever_the_width_of_the_integers():
    narrow, wide = Segmentation(np.array([1, 2], dtype=np.int8)), Segmentation([1, 2])
    assert narrow == wide
    assert hash(narrow) == hash(wide)
    assert wide != [1, 2]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Segmentation([]), r"masses are \[\]: want a list of at least one"),
        (lambda: Segmentation(5), r"masses are 5: want a list"),
        (lambda: Segmentation([[1, 2]]), r"masses are \[\[1, 2\]\]: want a list"),
        (lambda: Segmentation([[1], [2, 3]]), r"masses are \[\[1\], \[2, 3\]\]: want integers"),
        (lambda: Segmentation([1.0, 2.0]), r"masses are \[1\.0, 2\.0\]: want integers"),
        (lambda: Segmentation(["1"]), r"masses are \['1'\]: want integers"),
        (lambda: Segmentation([True]), r"masses are \[True\]: want integers"),
        (lambda: Segmentation([2, 0, 1]), r"mass 1 is 0: want every mass above zero"),
        (lambda: Segmentation([2, 3, -1]), r"mass 2 is -1: want every mass above zero"),
        (lambda: Segmentation.from_boundaries([0], 3), r"boundary 0 of 3 units: want .* 1 to 2"),
        (lambda: Segmentation.from_boundaries([3], 3), r"boundary 3 of 3 units: want .* 1 to 2"),
        (lambda: Segmentation.from_boundaries([1, 2, 1], 3), r"boundary 1 is given twice"),
        (lambda: Segmentation.from_boundaries([], 0), r"units is 0: want an integer, 1 or more"),
        (lambda: Segmentation.from_boundaries([1], 3.0), r"units is 3\.0: want an integer"),
        (lambda: Segmentation.from_boundaries([1], "3"), r"units is '3': want an integer"),
        (lambda: Segmentation.from_boundaries([1.0], 3), r"boundary 1\.0 is no integer"),
        (lambda: Segmentation.from_boundaries("1", 3), r"boundary '1' is no integer"),
        (lambda: Segmentation.from_boundaries([True], 2), r"no integer: .*0s and 1s: from_bits"),
        (lambda: Segmentation.from_boundaries(None, 3), r"boundaries are None: want positions"),
        (lambda: Segmentation(np.array([2, None])), r"masses are array\(\[2, None\], .*integers"),
        (lambda: Segmentation.from_labels({1: "a"}), r"labels are of type dict: want a list of a"),
        (lambda: Segmentation.from_labels(np.ones((2, 1))), r"are of type ndarray: .*one column"),
        (lambda: Segmentation.from_labels(["a", None]), r"label 1 is None: .*\(form='labels'\)"),
        (lambda: Segmentation.from_labels(None), r"labels are None: want a label for each unit"),
        (lambda: Segmentation.from_labels({"a", "b"}), r"which have no order: want a list"),
        (lambda: Segmentation.from_labels([["a"], "b"]), r"label 0 is \['a'\]: want a name or"),
        (lambda: Segmentation.from_spans([(0.0, 2.0)]), r"span 0 is \(0\.0, 2\.0\): want two int"),
        (lambda: Segmentation.from_bits("0120"), r"sign 2 is '2': want 0s and 1s only"),
        (lambda: Segmentation.from_labels([]), r"there are no labels: want one a unit"),
        (lambda: Segmentation.from_spans([(0, 2), (3, 4)]), r"span 1 begins at 3: want 2"),
        (lambda: Segmentation.from_spans([(1, 2)]), r"span 0 begins at 1: want 0"),
        (lambda: Segmentation.from_spans([(0, 2), (2, 2)]), r"mass 1 is 0: want every mass"),
        (lambda: Segmentation.from_spans([]), r"masses are \[\]: want a list"),
        (lambda: Segmentation.from_spans([(0, 2)], inclusive="no"), r"inclusive is 'no' and first"),
        (lambda: Segmentation.from_labels([True, False]), r"where segments begin .*: give them to"),
    ],
)
def test_bad_data_are_named_with_what_is_wanted(make, message):
    with pytest.raises(SegmentationError, match=message):
        make()


def test_the_masses_cannot_be_written_and_those_of_the_caller_stay_his_own():
    given_masses = np.array([1, 2])
    s = Segmentation(given_masses)
    given_masses[0] = 9
    assert list(s) == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        s.masses[0] = 9


def test_a_long_one_is_shown_in_short():
    assert repr(Segmentation([1, 2])) == "Segmentation([1, 2])"
    assert repr(Segmentation([2] * 21)).endswith("2, ... 21 segments of 42 units])")


def test_boundaries_may_have_types():
    one = Segmentation([2, 1, 3], types=[{1}, {1, "scene"}])
    assert one.types == (frozenset({1}), frozenset({1, "scene"}))
    assert one == Segmentation.from_types([set(), {1}, {"scene", 1}, (), ()])
    assert one != Segmentation([2, 1, 3])
    assert one != Segmentation([2, 1, 3], types=[{1}, {2}])
    assert Segmentation([2, 1, 3]).types is None
    assert Segmentation([4], types=[]).types is None
    assert Segmentation([2, 1, 3], types=np.array([[1], [2]])).types == ({1}, {2})
    assert Segmentation.from_types([[], []]) == Segmentation([3])


def test_a_string_alone_is_one_type_and_not_its_letters():
    one = Segmentation([2, 1, 1], types=["scene", {"act"}])
    assert one.types == ({"scene"}, {"act"})
    assert one == Segmentation.from_types(["", "scene", ["act"]])


def test_types_that_do_not_fit_are_told():
    with pytest.raises(SegmentationError, match="types of 1 boundaries, and 2 boundaries"):
        Segmentation([2, 1, 3], types=[{1}])
    with pytest.raises(SegmentationError, match="boundary 1 has no type: want one or more each"):
        Segmentation([2, 1, 3], types=[{1}, set()])
    with pytest.raises(SegmentationError, match=r"type 1\.5 is no integer or string"):
        Segmentation([2, 1], types=[{1.5}])
    with pytest.raises(SegmentationError, match="type None is no integer or string"):
        Segmentation([2, 1], types=[{None}])
    with pytest.raises(SegmentationError, match=r"the types are \[1\]: want a set of types"):
        Segmentation([2, 1], types=[1])
    for sets in (5, [[], None], [0, 1], [[["act"]]]):
        with pytest.raises(SegmentationError, match=r"types are .*: want a set .*each potent"):
            Segmentation.from_types(sets)


@pytest.mark.parametrize("masses", [[2**63], [2**60], [2**59] * 2])
def test_more_units_than_numbers_hold_are_refused(masses):
    with pytest.raises(SegmentationError, match="sum to 2\\*\\*60 or more"):
        Segmentation(masses)


@pytest.mark.parametrize(
    "bits", ["0010", [0, 0, 1, 0], (False, False, True, False), np.array([0, 0, 1, 0], np.uint8)]
)
def test_bits_are_a_string_or_numbers(bits):
    assert Segmentation.from_bits(bits) == Segmentation([3, 2])


@pytest.mark.parametrize(
    ("bits", "message"),
    [
        (b"01", "want a string of 0s and 1s"),
        ([0, 2], "sign 1 is 2: want 0s and 1s only"),
        ([0.0, 1.0], "want a string of 0s and 1s"),
        ([0.0, 1.0], "or a list or array of them, as integers$"),
        (["0", "1"], "as integers, or joined to one string$"),
        ([[0, 1]], "want a string of 0s and 1s"),
        ([[0], [1, 0]], "want a string of 0s and 1s"),
        ([None], "want a string of 0s and 1s"),
    ],
)
def test_other_signs_are_refused(bits, message):
    with pytest.raises(SegmentationError, match=message):
        Segmentation.from_bits(bits)


def test_bits_of_each_unit_say_where_it_begins_or_ends_a_segment():
    assert Segmentation.from_bits("10010", form="begin-bits") == Segmentation([3, 2])
    assert Segmentation.from_bits([0, 0, 0, 1, 0], form="begin-bits") == Segmentation([3, 2])
    assert Segmentation.from_bits("00101", form="end-bits") == Segmentation([3, 2])
    assert Segmentation.from_bits("00100", form="end-bits") == Segmentation([3, 2])
    assert Segmentation.from_bits("00101", form="bits-final") == Segmentation([3, 2])
    assert Segmentation.from_bits([], form="bits") == Segmentation([1])
    with pytest.raises(SegmentationError, match="the last sign is 0: bits-final want a closing 1"):
        Segmentation.from_bits("00100", form="bits-final")
    with pytest.raises(SegmentationError, match="no signs: begin-bits want one a unit"):
        Segmentation.from_bits([], form="begin-bits")
    with pytest.raises(SegmentationError, match="form of bits 'starts' is not known: want one of"):
        Segmentation.from_bits("00", form="starts")


@pytest.mark.parametrize(
    ("labels", "masses"),
    [
        ("BIIBIBII", [3, 2, 3]),
        ("BIBIIBII", [2, 3, 3]),
        (["B-seg", "O", "O", "B-seg", "O"], [3, 2]),  # O goes on with what B began
        ("OOBIIOOBI", [2, 3, 2, 2]),  # O is outside: there are units within, I
        (["B-NP", "I-NP", "I-VP", "O"], [2, 1, 1]),  # another type begins another segment
        ("OIIBIO", [1, 2, 2, 1]),  # B only between neighbours
        ("BESSBIE", [2, 1, 1, 3]),
        ("BLUBIL", [2, 1, 3]),
        ("OOEOE", [3, 2]),
        (["begin", "inside", "Begin"], [2, 1]),
        ("BBB", [1, 1, 1]),
        ("III", [3]),
    ],
)
def test_bio_labels_say_where_segments_begin_and_end(labels, masses):
    assert list(Segmentation.from_labels(labels, form="bio")) == masses


def test_labels_that_may_be_read_in_two_ways_have_to_be_named():
    with pytest.raises(SegmentationError, match=r"form='bio' or form='labels'"):
        Segmentation.from_labels("BIIBIBII")
    assert list(Segmentation.from_labels("BIIB", form="labels")) == [1, 2, 1]
    assert list(Segmentation.from_labels("AABI")) == [2, 1, 1]
    with pytest.raises(SegmentationError, match="label 1 is 'x': want BIO labels"):
        Segmentation.from_labels("BxI", form="bio")
    with pytest.raises(SegmentationError, match="form of labels 'iob' is not known"):
        Segmentation.from_labels("BI", form="iob")


@pytest.mark.parametrize("labels", ["10010", [1, 0, 0, 1], np.array([0.0, 0.0, 1.0, 0.0, 1.0])])
def test_single_1s_among_0s_have_to_be_named(labels):
    with pytest.raises(SegmentationError, match=r"to from_bits .*, or name form='labels'"):
        Segmentation.from_labels(labels)
    assert len(Segmentation.from_labels(labels, form="labels")) > 2
    for topics in ([0, 0, 1, 1], [0, 0, 1], [0, 1, 0, 1]):
        assert Segmentation.from_labels(topics) == Segmentation.from_labels(topics, form="labels")


@pytest.mark.parametrize("labels", [["a", float("nan")], np.array([1.0, np.nan])])
def test_a_label_that_equals_nothing_is_refused(labels):
    with pytest.raises(SegmentationError, match=r"label 1 is .*nan.*, which equals nothing"):
        Segmentation.from_labels(labels)


def test_spans_may_hold_their_last_unit_and_count_from_1():
    assert Segmentation.from_spans([(0, 4), (5, 6)], inclusive=True) == Segmentation([5, 2])
    assert Segmentation.from_spans([(1, 5), (6, 7)], inclusive=True, first=1) == Segmentation(
        [5, 2]
    )
    assert Segmentation.from_spans([(1, 6), (6, 8)], first=1) == Segmentation([5, 2])
    with pytest.raises(SegmentationError, match="the spans are 5: want a pair of numbers for each"):
        Segmentation.from_spans(5)


def test_an_index_is_of_segments():
    s = Segmentation([5, 1, 3])
    assert (len(s), s[0], s[-1], s[1:], list(s)) == (3, 5, 3, [1, 3], [5, 1, 3])
    assert type(s[0]) is int
    with pytest.raises(IndexError):
        s[3]


def test_masses_and_bits_may_be_iterators_and_columns_of_objects():
    assert Segmentation(iter([2, 3])) == Segmentation([2, 3])
    assert Segmentation(np.array([2, 3], dtype=object)) == Segmentation([2, 3])
    assert Segmentation.from_bits(iter([0, 1])) == Segmentation([2, 1])


def test_a_value_of_several_lines_is_shown_on_one():
    with pytest.raises(SegmentationError) as told:
        Segmentation(np.array([[1.5, 2], [3, 4]]))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.uint64])
def test_positions_and_spans_may_be_integers_of_numpy(kind):
    assert Segmentation.from_boundaries(np.array([5], dtype=kind), kind(10)) == Segmentation([5, 5])
    spans = np.array([[0, 99], [100, 127]], dtype=kind)
    assert Segmentation.from_spans(spans, inclusive=True) == Segmentation([100, 28])


def test_masked_values_are_refused():
    assert Segmentation(np.ma.array([3, 5], mask=[0, 0])) == Segmentation([3, 5])
    with pytest.raises(SegmentationError, match="the masses are masked_array"):
        Segmentation(np.ma.array([3, 5], mask=[0, 1]))
    with pytest.raises(SegmentationError, match="the signs are masked_array"):
        Segmentation.from_bits(np.ma.array([0, 1], mask=[0, 1]))
