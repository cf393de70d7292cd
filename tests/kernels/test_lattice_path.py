import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.kernels.lattice_path import Memory, best_paths, best_scores
from reference import lattice_path_slow as slow


def packed(tables):
    """Return lengths, and the gains of tables of unequal sizes; what is outside is poison."""
    rows = np.array([len(table) for table, _ in tables], dtype=np.int64)
    columns = np.array([width for _, width in tables], dtype=np.int64)

    def gains(pairs, lo, hi):
        out = np.full((hi - lo, columns[pairs].max(), len(pairs)), 3, dtype=np.int64)
        for k, pair in enumerate(pairs.tolist()):
            table, width = tables[pair]
            for row in range(lo, min(hi, len(table))):
                out[row - lo, :width, k] = table[row]
        return out

    return rows, columns, gains


@st.composite
def batches(draw, most=7, values=(-1, 2), pairs=40):
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    count = draw(st.integers(1, pairs))
    longest = draw(st.integers(0, most))
    tables = []
    for _ in range(count):
        height, width = rng.integers(0, longest + 1, size=2).tolist()
        tables.append((rng.choice(values, size=(height, width)).tolist(), width))
    return tables


def check(tables, *, gap, free, largest, **memory):
    rows, columns, gains = packed(tables)
    options = {"gap": gap, "free": free, "largest": largest, **memory}
    found = best_paths(rows, columns, gains, **options)
    assert best_scores(rows, columns, gains, **options).tolist() == found.score.tolist()
    for k, (table, width) in enumerate(tables):
        score, steps = slow.best_path(len(table), width, table, gap=gap, free=free)
        assert found.score[k] == score
        mine = slice(found.ptr[k], found.ptr[k + 1])
        row, column = found.row[mine].tolist(), found.column[mine].tolist()
        assert list(zip(row, column, strict=True)) == steps


@given(batches(), st.booleans())
@settings(max_examples=60)
def test_scores_and_paths_are_those_of_the_printed_recurrence(tables, free):
    check(tables, gap=-1, free=free, largest=2)


@given(batches(values=(-7, -3, 0, 1, 5)), st.integers(-4, 2), st.booleans())
def test_other_gains_and_gaps(tables, gap, free):
    check(tables, gap=gap, free=free, largest=7)


@given(batches(most=9, pairs=4), st.booleans(), st.integers(1, 40), st.integers(1, 40))
def test_rows_made_again_give_the_same_path(tables, free, bits, rows):
    check(tables, gap=-1, free=free, largest=2, memory=Memory(60, rows, bits))


def test_many_pairs_of_all_lengths_at_once():
    rng = np.random.default_rng(5)
    tables = []
    for _ in range(300):
        height, width = rng.integers(0, 14, size=2).tolist()
        tables.append((rng.choice([-1, -1, -1, 2], size=(height, width)).tolist(), width))
    check(tables, gap=-1, free=True, largest=2)


def test_gains_beyond_two_and_beyond_four_bytes_are_exact():
    for large in (30_000, 2**31, 2**40):
        table = [[large, 0], [-large, large]]
        check([(table, 2)], gap=-large, free=False, largest=large)


def test_ties_go_diagonal_then_up_then_left():
    # Diagonal and two gaps: -1 + 2 against 2 - 1: with two matches in a row, the later one.
    _, steps = slow.best_path(1, 2, [[2, 2]])
    assert steps == [(0, 1)]
    # Both gaps score alike at the corner: up goes before left.
    table = [[-1, 2], [2, -9]]
    rows, columns, gains = packed([(table, 2)])
    found = best_paths(rows, columns, gains, largest=9)
    assert found.score.tolist() == [1]
    assert (found.row.tolist(), found.column.tolist()) == ([0], [1])


def test_empty_sequences_and_no_pairs():
    rows, columns, gains = packed([([], 3), ([[], []], 0), ([], 0)])
    assert best_scores(rows, columns, gains).tolist() == [0, 0, 0]
    assert best_scores(rows, columns, gains, free=False).tolist() == [-3, -2, 0]
    none = np.zeros(0, dtype=np.int64)
    found = best_paths(none, none, gains)
    assert found.ptr.tolist() == [0]
    assert found.row.size == 0


def test_no_more_cells_at_once_than_told():
    asked = []

    def gains(pairs, lo, hi):
        asked.append(len(pairs) * (hi - lo) * 40)
        return np.full((hi - lo, 40, len(pairs)), -1, dtype=np.int8)

    lengths = np.full(20_000, 40)
    best_scores(lengths, lengths, gains)
    assert max(asked) <= Memory().cells
    assert sum(asked) == 20_000 * 40 * 40
