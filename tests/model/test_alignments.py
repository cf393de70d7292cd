import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import AlignmentError
from bitext.model import Alignment
from bitext.model.alignment import Alignments
from reference.draw import sides

SIDES = sides(7, 3)
BEADS = st.lists(st.tuples(SIDES, SIDES).filter(any), max_size=6)


def together(parts):
    """Lay parts out behind each other."""
    sizes = [len(part) for part in parts]
    return Alignments(Alignment([bead for part in parts for bead in part]), np.cumsum([0, *sizes]))


@given(st.lists(BEADS, max_size=6), st.slices(6))
def test_each_is_what_it_would_be_by_itself(parts, some):
    found = together(parts)
    expected = [Alignment(part) for part in parts]
    assert len(found) == len(parts)
    for own, alone in zip(found, expected, strict=True):
        assert list(own) == list(alone)
        assert (own.src_size, own.tgt_size) == (alone.src_size, alone.tgt_size)
        assert own.bead_types() == alone.bead_types()
        assert own.swapped() == alone.swapped()
        assert own.unique() == alone
    for k in range(-len(parts), len(parts)):
        assert list(found[k]) == list(expected[k])
    assert [list(own) for own in found[some]] == [list(alone) for alone in expected[some]]
    assert isinstance(found[some], Alignments)


def test_they_are_values():
    found = together([[((0,), (0,))], [((1,), ()), ((0,), (2,))]])
    assert found == together([[((0,), (0,))], [((0,), (2,)), ((1,), ())]])
    assert hash(found) == hash(together([[((0,), (0,))], [((0,), (2,)), ((1,), ())]]))
    assert found != together([[((0,), (0,)), ((1,), ())], [((0,), (2,))]])
    assert found != together([[((0,), (0,))]])
    assert found != [*found]
    assert pickle.loads(pickle.dumps(found)) == found
    assert repr(found) == "<Alignments of 2 pairs, 3 bisegments>"
    for array in (found[1].src.ptr, found[1].src.idx, found.ptr):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(IndexError, match="alignment 2 of 2"):
        found[2]


@pytest.mark.parametrize("ptr", [[], [0], [1, 2], [0, 3], [0, 2, 1, 2], [[0, 2]]])
def test_pointers_that_are_none(ptr):
    whole = Alignment([((0,), ()), ((1,), ())])
    with pytest.raises(AlignmentError, match="do not run from 0 to the 2 bisegments, ascending"):
        Alignments(whole, ptr)


def test_a_part_of_an_alignment_has_its_columns():
    whole = Alignment(
        [((0,), ()), ((1, 2), (0,)), ((), (1,))],
        scores=[1.0, 2.0, 3.0],
        attributes={"note": ("a", "b", None)},
    )
    part = whole.between(1, 3)
    assert part == Alignment([((1, 2), (0,)), ((), (1,))])
    assert part.scores.tolist() == [2.0, 3.0]
    assert part.attributes == {"note": ("b", None)}
    assert np.shares_memory(part.src.idx, whole.src.idx)
    assert len(whole.between(3, 3)) == 0
    for bounds in ((-1, 2), (2, 1), (0, 4)):
        told = "bisegments {} to {} of 3: want bounds".format(*bounds)
        with pytest.raises(AlignmentError, match=re.escape(told)):
            whole.between(*bounds)
