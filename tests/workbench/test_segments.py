"""Segmentations in a project: what changes keep, undo without end, and older projects."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import pytest

from bitext.workbench.changes import (
    ChangeRefused,
    RowList,
    Segment,
    Segments,
    Sentence,
    Splice,
    inverse,
    rows_of,
)
from bitext.workbench.project import Project
from bitext.workbench.schema import MIGRATIONS, NoSuchAlignment
from reference.workbench_operations import drawn_boundary

UNITS = [Sentence(f"u{k}", f"Unit {k}.", k == 0) for k in range(12)]
FIRST = [Segment("g0", "u0", ()), Segment("g5", "u5", ("topic",)), Segment("g9", "u9", ("a", "b"))]


def spliced(at, remove, insert):
    return Splice("segments", at, tuple(remove), tuple(insert))


def added(project, name="text"):
    number = project.add_segmentation(name, "en", UNITS, FIRST, meta={"types": ["topic"]})
    return project.assign(number, "anna")


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "a.bitext", "a", durable=False) as made:
        yield made


@pytest.mark.parametrize(
    ("splices", "message"),
    [
        ([spliced(0, FIRST[:1], [])], "first segment begins with the text"),
        ([spliced(0, FIRST, [])], "no segment"),
        ([spliced(1, FIRST[1:2], [Segment("g5", "u5", ())])], "no type"),
        ([spliced(1, FIRST[1:2], [Segment("g5", "u0", ("a",))])], "at one place, or out of order"),
        ([spliced(1, FIRST[1:2], [Segment("g5", "u9", ("a",))])], "at one place, or out of order"),
        ([spliced(1, FIRST[1:2], [Segment("g5", "u11", ("a",))])], "at one place, or out of order"),
        ([spliced(1, [], [Segment("new", "u99", ("a",))])], "names the unit 'u99'"),
        ([spliced(0, FIRST[:1], [Segment("g0", "u0", ("a",))])], "without a type"),
        ([spliced(1, [], [Segment("g9", "u3", ("a",))])], "a row 'g9' already"),
        ([Splice("source", 0, (UNITS[0],), (UNITS[0]._replace(text="Else."),))], "not edited"),
        ([Splice("beads", 0, (), ())], "no list 'beads'"),
    ],
)
def test_a_change_that_would_break_a_segmentation_is_refused(project, splices, message):
    number = added(project)
    before = project.rows(number)
    with pytest.raises(ChangeRefused, match=message):
        project.change(number, splices, name="x", annotator="anna")
    assert project.rows(number) == before


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("types", ["a", "a"], "a name twice"),
        ("types", [" a"], "no name of printable"),
        ("types", ["a\n"], "no name of printable"),
        ("types", [1], "types is no string"),
        ("types", "a", "no list of 20"),
        ("types", [str(k) for k in range(21)], "no list of 20"),
        ("state", "done", "want one of"),
        ("start", "", "start is no string"),
    ],
)
def test_a_row_that_is_none_is_refused(key, value, message):
    row = {**FIRST[1]._asdict(), "types": ["a"], key: value}
    with pytest.raises(Exception, match=message):
        rows_of([row], "segments")


@pytest.mark.parametrize("seed", range(5))
def test_random_changes_are_undone_and_done_again_and_are_in_the_file(project, seed):
    draw, number = random.Random(seed), added(project)
    states = [project.rows(number)[1]["segments"]]
    at = 0
    for tag in range(150):
        step = draw.random()
        if step < 0.25 and at:
            project.undo(number, annotator="anna")
            at -= 1
        elif step < 0.4 and at + 1 < len(states):
            project.redo(number, annotator="anna")
            at += 1
        else:
            project.change(
                number, [drawn_boundary(draw, UNITS, states[at], tag)], name="x", annotator="anna"
            )  # fmt: skip
            del states[at + 1 :]
            states.append(project.rows(number)[1]["segments"])
            at += 1
        assert project.rows(number)[1]["segments"] == states[at]
    while at:
        project.undo(number, annotator="anna")
        at -= 1
    assert project.rows(number)[1]["segments"] == FIRST
    with Project(project.path, durable=False) as again:  # what the file has
        assert again.rows(number) == project.rows(number)
        for state in states[1:]:
            again.redo(number, annotator="anna")
            assert again.rows(number)[1]["segments"] == state


def test_a_change_and_its_inverse_leave_the_segments_as_they_were():
    state = Segments(RowList(UNITS), RowList(FIRST))
    change = [spliced(2, [FIRST[2]], []), spliced(1, [], [Segment("n", "u2", ("x",))])]
    state.apply(inverse(state.apply(change)))
    assert state.lists["segments"].rows == FIRST


@pytest.mark.parametrize(
    ("k", "decided"),
    [(0, ("u0",)), (0, ("u3", "u2")), (0, ("u2", "u2")), (0, ("x",)), (1, ("u1",))],
)
def test_places_that_are_decided_are_in_their_segment(k, decided):
    state = Segments(RowList(UNITS), RowList(FIRST))
    row = FIRST[k]._replace(decided=decided)
    with pytest.raises(ChangeRefused, match="the places that are decided are not in it"):
        state.apply([spliced(k, [FIRST[k]], [row])])
    assert state.lists["segments"].rows == FIRST


def test_a_new_boundary_takes_the_places_that_are_decided_behind_it():
    units = [Sentence(f"u{k}", "x", True) for k in range(1, 6)]
    whole = Segment("g1", "u1", (), decided=("u2", "u4"))
    state = Segments(RowList(units), RowList([whole]))
    behind = Segment("n", "u3", ("topic",), decided=("u4",))
    with pytest.raises(ChangeRefused, match="segment 'g1': the places that are decided"):
        state.apply([spliced(1, [], [behind])])
    both = [whole._replace(decided=("u2",)), behind]
    state.apply([spliced(0, [whole], both)])
    assert state.lists["segments"].rows == both


def test_a_segmentation_is_none_of_the_alignments_and_has_its_own_text(project):
    number = added(project)
    assert project.alignments() == []
    assert [info.id for info in project.segmentations()] == [number - 1, number]
    with pytest.raises(NoSuchAlignment, match="is no alignment: it is a segmentation"):
        project.of_kind(number, "alignment")
    # A text that is the same is shared by alignments, and not with a segmentation.
    texts = [project.add_text("text", "en", UNITS) for _ in range(2)]
    assert texts[0] == texts[1]
    assert texts[0] != project.info(number).source


def test_a_project_that_was_made_before_segmentations_is_opened(tmp_path):
    path = tmp_path / "old.bitext"
    with closing(sqlite3.connect(path)) as db:  # as the first version of the schema had it
        db.execute(f"PRAGMA application_id = {0x62697478}")
        db.executescript(MIGRATIONS[0])
        db.executescript(
            """
            INSERT INTO texts VALUES (1, 'a', 'en'), (2, 'b', 'de');
            INSERT INTO sentences VALUES (1, 's1', 0, 'A.', 1), (2, 't1', 0, 'B.', 1);
            INSERT INTO alignments (id, name, annotator, source, target, document)
                VALUES (1, 'old', '', 1, 2, 1), (2, 'old', 'anna', 1, 2, 1);
            INSERT INTO beads VALUES
                (1, 'b', 0, '["s1"]', '["t1"]', 'proposed', 0.5, '', 0),
                (2, 'b', 0, '["s1"]', '["t1"]', 'confirmed', 0.5, 'sure', 1);
            PRAGMA user_version = 1;
            """
        )
    with Project(path, durable=False) as project:
        assert [info.kind for info in project.alignments()] == ["alignment"] * 2
        (bead,) = project.rows(2)[1]["beads"]
        assert (bead.source, bead.state, bead.comment) == (("s1",), "confirmed", "sure")
        assert project.rows(added(project))[1]["segments"] == FIRST
