import ctypes

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext.kernels import arrays as kernel
from bitext.kernels.arrays import Rows
from bitext.model import Alignment
from reference import draw
from reference import kernels as slow

SETS = st.lists(draw.sides(8, 5), max_size=6)


def rows_of(sets):
    flat = [m for row in sets for m in sorted(row)]
    ptr = np.cumsum([0, *map(len, sets)])
    return Rows(ptr, np.array(flat, dtype=np.int64))


def sets_of(rows):
    return [frozenset(rows.row(k).tolist()) for k in range(len(rows.ptr) - 1)]


def is_canonical(rows):
    return all((np.diff(rows.row(k)) > 0).all() for k in range(len(rows.ptr) - 1))


@given(SETS)
def test_lengths_rows_and_row_of(sets):
    rows = rows_of(sets)
    assert rows.lengths.tolist() == [len(s) for s in sets]
    assert sets_of(rows) == sets
    assert kernel.row_of(rows).tolist() == [k for k, s in enumerate(sets) for _ in s]


@given(
    st.lists(st.integers(0, 9) | st.integers(0, (1 << 60) - 1), max_size=40),
    st.sampled_from([1 << 60, 1 << 62]),
    st.integers(1, 9),
)
def test_distinct_values_are_those_of_numpy(values, limit, at_once):
    # Of at most 7 values below 2 ** 60, value and index have room in 63 bits.
    values = np.array(values, dtype=np.int64)
    for some in (values, values[:7], values[values < 10]):
        least = 10 if len(some) and some.max() < 10 else limit
        wanted, index = np.unique(some, return_inverse=True)
        found = kernel.distinct_below(some.copy(), least, at_once=at_once)
        assert [one.tolist() for one in found] == [wanted.tolist(), index.tolist()]


@given(st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=1, max_size=3))
def test_prefix_holds_running_sums_from_zero(values):
    want = [[sum(row[:k]) for k in range(4)] for row in values]
    assert kernel.prefix(np.array(values)).tolist() == want
    assert kernel.prefix(np.array(values[0])).tolist() == want[0]


@given(SETS, st.lists(draw.weights(8, 9), min_size=1, max_size=3))
def test_sums_of_each_row(sets, values):
    found = kernel.sums(rows_of(sets), np.array(values))
    assert found.tolist() == [[sum(v[m] for m in s) for s in sets] for v in values]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), max_size=9), st.integers(5, 7))
def test_sum_by_group(items, groups):
    items.sort(key=lambda item: item[0])
    group = np.array([g for g, _ in items], dtype=np.int64)
    values = np.array([[v for _, v in items]] * 2, dtype=np.int64)
    want = [sum(v for g, v in items if g == k) for k in range(groups)]
    assert kernel.sum_by(group, values, groups).tolist() == [want, want]


@given(SETS, st.permutations(range(8)))
def test_relabel_renames_the_members_and_keeps_the_rows_sorted(sets, new):
    found = kernel.relabel(rows_of(sets), np.array(new))
    assert sets_of(found) == [frozenset(new[m] for m in s) for s in sets]
    assert is_canonical(found)


@given(SETS, st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_spread_puts_the_parts_in_the_place_of_the_members(sets, sizes):
    ends = np.cumsum(sizes).tolist()
    parts = [frozenset(range(e - n, e)) for e, n in zip(ends, sizes, strict=True)]
    found = kernel.spread(rows_of(sets), rows_of(parts))
    assert sets_of(found) == [frozenset().union(*(parts[m] for m in s)) for s in sets]
    assert is_canonical(found)


@given(SETS, st.data())
def test_take_chooses_rows_in_any_order_with_repeats(sets, data):
    chosen = data.draw(st.lists(st.integers(0, len(sets) - 1), max_size=8)) if sets else []
    found = kernel.take(rows_of(sets), np.array(chosen, dtype=np.int64))
    assert sets_of(found) == [sets[k] for k in chosen]


@given(st.lists(st.tuples(SETS, st.integers(0, 99)), max_size=4))
def test_concatenate_raises_the_members_of_each_part(parts):
    found = kernel.concatenate([rows_of(s) for s, _ in parts], [o for _, o in parts])
    assert sets_of(found) == [frozenset(m + o for m in s) for sets, o in parts for s in sets]


@given(SETS)
def test_runs_are_the_maximal_stretches(sets):
    found = kernel.runs(rows_of(sets))
    assert list(zip(*(x.tolist() for x in found), strict=True)) == slow.runs(sets)


@given(st.lists(draw.beads(5, 5), max_size=9))
def test_identify_gives_equal_pairs_and_only_those_one_number(beads):
    made = Alignment(beads)
    found = kernel.identify(made.src, made.tgt)
    assert slow.same_partition(found.tolist(), beads)
    assert slow.same_partition(kernel.identify_by_dictionary(made.src, made.tgt).tolist(), beads)


@given(st.lists(draw.beads(3, 3), max_size=9), st.integers(1, 3))
def test_identify_survives_a_collision_of_digests(beads, values):
    made = Alignment(beads)

    def poor(src, tgt):
        return ((src.lengths + tgt.lengths) % values).astype(np.uint64)

    found = kernel.identify(made.src, made.tgt, digest=poor)
    assert slow.same_partition(found.tolist(), beads)


def test_identify_tells_the_sides_apart():
    made = Alignment([((0,), (1,)), ((1,), (0,)), ((0, 1), ()), ((), (0, 1)), ((0,), (1,))])
    assert slow.same_partition(kernel.identify(made.src, made.tgt).tolist(), [0, 1, 2, 3, 0])


def test_identify_tells_far_indices_apart():
    far = 2**40
    beads = [((far - k,), (far - k // 2,)) for k in range(50)] * 2
    made = Alignment(beads)
    assert slow.same_partition(kernel.identify(made.src, made.tgt).tolist(), beads)


class _Stack(ctypes.Structure):
    """Words that no float is, passed by value: they are what the next call finds on the stack."""

    _fields_ = (("words", ctypes.c_uint32 * 50_000),)


def test_matrix_products_do_not_warn_of_bytes_behind_their_rows():
    stack = _Stack()
    stack.words[:] = [0x7FA00000] * 50_000
    function = ctypes.CDLL(None).getpid
    function.argtypes = [_Stack]
    rows, column = np.ones((2, 5), dtype=np.float32), np.ones((1, 5), dtype=np.float32).T
    for _ in range(3):
        function(stack)
        assert kernel.matrix_product(rows, column).tolist() == [[5.0], [5.0]]


@given(SETS)
def test_transposed_rows_have_the_rows_of_each_member(sets):
    rows = kernel.transposed(rows_of(sets), 8)
    assert sets_of(rows) == [frozenset(k for k, s in enumerate(sets) if m in s) for m in range(8)]
    assert is_canonical(rows)
