import io
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment
from bitext.formats.io.source import Source
from bitext.formats.positions import note_oddities

GAPS, LATE = "discontinuous bisegments", "bisegments out of order (crossing)"
AGAIN = "{} segments in more than one bisegment"


def _notes(bisegments):
    source = Source("made", io.BytesIO())
    note_oddities(source, Alignment(bisegments), lambda k: f"bead {k}")
    return {note.kind: (note.count, note.first) for note in source.notes.all()}


def test_an_orderly_alignment_has_none():
    assert _notes([]) == {}
    assert _notes([((0, 1), (0,)), ((), (1,)), ((2,), ()), ((3,), (2, 3, 4))]) == {}


def test_each_kind_with_its_first_case():
    assert _notes([((0,), (0, 2)), ((1, 3), (1,))]) == {GAPS: (2, "bead 0: [0]:[0, 2]")}
    assert _notes([((1,), (0,)), ((0,), (1,))]) == {LATE: (1, "bead 1: [0]:[1]")}
    assert _notes([((4,), ()), ((3,), (3,))]) == {LATE: (1, "bead 1: [3]:[3]")}
    assert _notes([((0,), (0,)), ((0, 1), (1,)), ((1,), (2,)), ((1,), (3,))]) == {
        AGAIN.format("source"): (2, "bead 1: source segment 0")
    }
    assert _notes([((0,), (7,)), ((1,), (7,))]) == {
        AGAIN.format("target"): (1, "bead 1: target segment 7")
    }


def test_long_sides_are_cut():
    (note,) = _notes([(tuple(range(0, 200, 2)), (0,))]).values()
    assert note == (1, "bead 0: [0, 2, 4, 6, 8, ...]:[0]")


def test_indices_far_beyond_take_no_memory():
    assert _notes([((10**12,), (0,)), ((10**12,), (1,))])[AGAIN.format("source")][0] == 1


indices = st.sets(st.integers(0, 12), max_size=3).map(lambda x: tuple(sorted(x)))


@given(st.lists(st.tuples(indices, indices).filter(any), max_size=7))
def test_as_counted_by_hand(bisegments):
    found = {kind: count for kind, (count, _) in _notes(bisegments).items()}
    gaps = sum(
        any(side and side[-1] - side[0] + 1 > len(side) for side in bead) for bead in bisegments
    )
    late = {
        k
        for j, k in combinations(range(len(bisegments)), 2)
        for before, after in zip(bisegments[j], bisegments[k], strict=True)
        if before and after and after[0] < before[0]
    }
    assert (found.get(GAPS, 0), found.get(LATE, 0)) == (gaps, len(late))
    for name, sides in zip(
        ("source", "target"),
        ([], []) if not bisegments else zip(*bisegments, strict=True),
        strict=True,
    ):
        members = [m for side in sides for m in side]
        repeated = sum(members.count(m) > 1 for m in set(members))
        assert found.get(AGAIN.format(name), 0) == repeated
