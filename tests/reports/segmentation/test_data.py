from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Segmentation
from bitext.metrics.segmentation.boundary_edits import boundary_edits
from bitext.metrics.segmentation.segment_alignment import segment_alignment
from bitext.reports.segmentation import BoundaryError, ShownText, compared, counted


@st.composite
def sides(draw, count=2):
    n = draw(st.integers(1, 25))
    places = st.sets(st.integers(1, max(n - 1, 1)), max_size=n - 1)
    return [Segmentation.from_boundaries(draw(places) if n > 1 else [], n) for _ in range(count)]


@given(sides(), st.integers(0, 3))
def test_errors_are_the_edits_and_every_boundary_is_told_once(both, shift):
    gold, hyp = both
    found = compared(gold, hyp, shift=shift)
    edits = boundary_edits(gold, hyp, max_transposition=shift)
    assert len(found.errors) == len(edits)
    golds = [e.gold for e in found.errors if e.gold is not None]
    hyps = [e.hyp for e in found.errors if e.hyp is not None]
    assert sorted([*golds, *found.matches]) == gold.boundaries.tolist()
    assert sorted([*hyps, *found.matches]) == hyp.boundaries.tolist()
    assert all(0 < abs(e.shift) <= shift for e in found.errors if e.kind == "shifted")
    assert [e.place for e in found.errors] == sorted(e.place for e in found.errors)
    assert found.edges == segment_alignment(gold, hyp).edges


@given(sides())
def test_a_segmentation_has_no_errors_against_itself(both):
    found = compared(both[0], both[0])
    assert found.errors == []
    assert counted(found) == f"{len(both[0]) - 1} right"


def test_types_are_told_where_both_sides_have_some():
    gold = Segmentation([2, 3, 1], [{1}, {1, 2}])
    hyp = Segmentation([2, 3, 1], [{2}, {1, 2}])
    found = compared(gold, hyp)
    assert found.errors == [BoundaryError("retyped", 2, 2, "1 → 2")]
    assert found.errors[0].name == "of another type (type 1 → 2)"
    assert found.matches == [5]
    assert compared(gold, Segmentation([2, 3, 1])).errors == []
    hostile = compared(Segmentation([1, 1], [{"\u202e" * 99}]), Segmentation([2]), shift=0)
    assert hostile.errors[0].type == ""
    both = compared(Segmentation([1, 1], [{"\u202ea"}]), Segmentation([1, 1], [{"b"}]))
    assert both.errors[0].type == "[U+202E]a → b"


def test_votes_are_of_several_references_that_have_a_boundary():
    one, none = Segmentation([2, 2]), Segmentation([4])
    assert ShownText("x", (one,), (one,)).votes(0) is None
    assert ShownText("x", (none, none), (one,)).votes(0) is None
    votes = ShownText("x", (one, none), (none, one)).votes
    assert [w.candidates for w in votes(1).windows] == [1]
    assert [w.candidates for w in votes().windows] == [0]
    assert votes(0).votes == {2: 1}


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (BoundaryError("missing", 3, None), "missing"),
        (BoundaryError("extra", None, 3), "extra"),
        (BoundaryError("shifted", 5, 3), "shifted by -2"),
        (BoundaryError("missing", 3, None, "b"), "missing (type b)"),
    ],
)
def test_errors_have_names_and_places(error, name):
    assert error.name == name
    assert error.place == (error.gold or 3)
