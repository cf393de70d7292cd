"""The file of a project: journal, undo and redo, locks, shared texts, kills, damage."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import FormatError, InputError
from bitext.workbench.changes import Bead, ChangeRefused, Segment, Sentence, Splice
from bitext.workbench.project import Project
from bitext.workbench.schema import Locked, NoSuchAlignment, Stale
from reference.workbench_operations import Model, drawn_change, first_rows

REFERENCE = Path(__file__).resolve().parents[1] / "reference"
ANNA = {"annotator": "anna"}


def add_document(project, name="de-en"):
    rows = first_rows()
    texts = [project.add_text(side, "xx", rows[side]) for side in ("source", "target")]
    return project.add_document(name, *texts, rows["beads"])


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "a.bitext", "a", durable=False) as made:
        add_document(made)
        made.assign(1, "anna")
        yield made


def rows_of(project, number):
    return project.rows(number)[1]


def confirm(project, number, k=0, state="confirmed"):
    bead = rows_of(project, number)["beads"][k]
    splices = [Splice("beads", k, (bead,), (bead._replace(state=state),))]
    return project.change(number, splices, name="confirm", **ANNA)


def replayed(project, number, first=None):
    """The rows that the journal makes of the first ones."""
    model = Model(first or first_rows())
    for entry in project.since(number, 0):
        model.put(entry.splices)
    return model.rows


@given(st.randoms(use_true_random=False), st.integers(1, 30))
def test_undo_and_redo_do_what_a_plain_model_does(tmp_path_factory, draw, count):
    path = tmp_path_factory.mktemp("project") / "a.bitext"
    with Project.create(path, "a", durable=False) as project:
        number = project.assign(add_document(project), "anna")
        model = Model(first_rows())
        for k in range(count):
            chance = draw.random()
            if chance < 0.3 and model.done:
                project.undo(number, **ANNA)
                model.undo()
            elif chance < 0.5 and model.undone:
                project.redo(number, **ANNA)
                model.redo()
            else:
                name, splices = drawn_change(draw, rows_of(project, number), k)
                try:
                    project.change(number, splices, name=name, **ANNA)
                except ChangeRefused:
                    continue
                model.change(splices)
            assert rows_of(project, number) == model.rows
        assert replayed(project, number) == model.rows
        with Project(path) as again:  # what is on the disk
            assert again.rows(number) == project.rows(number)
            assert again.rows(1) == project.rows(1)
        while model.done:
            project.undo(number, **ANNA)
            model.undo()
            assert rows_of(project, number) == model.rows
        assert rows_of(project, number) == first_rows()
        with pytest.raises(ChangeRefused, match=r"^nothing to undo$"):
            project.undo(number, **ANNA)
        while model.undone:
            project.redo(number, **ANNA)
            model.redo()
        assert rows_of(project, number) == model.rows


@given(st.randoms(use_true_random=False))
def test_alignments_of_one_text_follow_each_other_and_their_journals_say_all(
    tmp_path_factory, draw
):
    path = tmp_path_factory.mktemp("project") / "a.bitext"
    with Project.create(path, "a", durable=False) as project:
        document = add_document(project)
        numbers = [project.assign(document, name) for name in ("anna", "bea")]
        for k in range(15):
            number = draw.choice(numbers)
            before = [rows_of(project, each) for each in (document, *numbers)]
            try:
                if draw.random() < 0.35:
                    turn = project.undo if draw.random() < 0.6 else project.redo
                    turn(number, **ANNA)
                else:
                    name, splices = drawn_change(draw, rows_of(project, number), k)
                    project.change(number, splices, name=name, **ANNA)
            except ChangeRefused:  # there is nothing to undo, or another alignment came between
                assert [rows_of(project, each) for each in (document, *numbers)] == before
        with Project(path) as again:
            for number in (document, *numbers):
                assert again.rows(number) == project.rows(number)
                assert replayed(project, number) == rows_of(project, number)
        for side in ("source", "target"):
            assert rows_of(project, numbers[0])[side] == rows_of(project, numbers[1])[side]


def test_no_kill_between_or_in_200_changes_loses_one_that_was_acknowledged(tmp_path):
    path = tmp_path / "a.bitext"
    with Project.create(path, "a") as project:
        document = add_document(project)
        numbers = [project.assign(document, name) for name in ("anna", "bea")]
        units = [Sentence(f"u{k}", f"Unit {k}.", k == 0) for k in range(12)]
        text = project.add_segmentation("text", "en", units, [Segment("g0", "u0", ())])
        numbers += [text, project.assign(text, "anna")]
    run = subprocess.run(
        [sys.executable, REFERENCE / "workbench_killed.py", path, "200"],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("200 killed")
    with Project(path) as project:
        for number in (document, *numbers[:2]):
            assert replayed(project, number) == rows_of(project, number)
        assert project.history(numbers[-1])  # some of the changes are those of the segmentation
        first = {"source": units, "segments": [Segment("g0", "u0", ())]}
        assert replayed(project, numbers[-1], first) == rows_of(project, numbers[-1])


@settings(max_examples=5)
@given(st.integers(0, 6), st.integers(30, 80))
def test_rows_keep_their_order_however_often_something_is_inserted_at_one_place(
    tmp_path_factory, at, count
):
    path = tmp_path_factory.mktemp("project") / "a.bitext"
    with Project.create(path, "a", durable=False) as project:
        number = project.assign(add_document(project), "anna")
        for k in range(count):
            insert = (Bead(f"e{k}", (), ()), Bead(f"f{k}", (), ()))[: 1 + k % 2]
            project.change(number, [Splice("beads", at, (), insert)], name="insert", **ANNA)
        with Project(path) as again:
            assert again.rows(number) == project.rows(number)


def test_a_change_on_an_old_version_is_refused_and_says_the_last(project):
    assert confirm(project, 2).version == 1
    assert confirm(project, 2, 1).version == 2
    bead = rows_of(project, 2)["beads"][2]
    splices = [Splice("beads", 2, (bead,), ())]
    with pytest.raises(Stale, match="its version is 2") as caught:
        project.change(2, splices, name="x", version=1, **ANNA)
    assert caught.value.version == 2
    assert [each.version for each in project.since(2, 1)] == [2]
    with pytest.raises(Stale):
        project.undo(2, version=1, **ANNA)


def test_a_new_change_ends_redo_and_the_history_keeps_what_was_undone(project):
    confirm(project, 2)
    project.undo(2, **ANNA)
    confirm(project, 2, 1, "doubtful")
    with pytest.raises(ChangeRefused, match="nothing to redo"):
        project.redo(2, **ANNA)
    found = [(each.kind, each.name, each.undone) for each in project.history(2)]
    assert found == [
        ("change", "confirm", False),
        ("undo", "confirm", False),
        ("change", "confirm", True),
    ]
    assert [each.version for each in project.history(2, before=3, limit=1)] == [2]
    assert {each.annotator for each in project.history(2)} == {"anna"}


def test_the_proposal_is_not_edited_and_is_what_each_annotator_begins_with(project):
    confirm(project, 2)
    with pytest.raises(ChangeRefused, match="the proposal is not edited"):
        confirm(project, 1)
    assert project.assign(2, "anna") == 2
    bea = project.assign(2, "bea")
    assert rows_of(project, bea) == first_rows()
    assert project.counts()[2] == {"confirmed": 1, "proposed": 6}


def split_first(project, number):
    rows = rows_of(project, number)
    one, bead = rows["source"][0], rows["beads"][0]
    parts = one.text.split(". ")
    new = Sentence("s0b", parts[1])
    splices = [
        Splice("source", 0, (one,), (one._replace(text=parts[0] + "."), new)),
        Splice("beads", 0, (bead,), (bead._replace(source=("s0", "s0b")),)),
    ]
    return project.change(number, splices, name="split sentence", **ANNA)


def test_what_another_has_changed_since_is_not_undone_over_it(project):
    bea = project.assign(1, "bea")
    split_first(project, 2)
    row = rows_of(project, bea)["source"][1]
    corrected = [Splice("source", 1, (row,), (row._replace(text="So it did."),))]
    project.change(bea, corrected, name="correct", annotator="bea")
    with pytest.raises(ChangeRefused, match="source 's0': the rows to remove are not at 0"):
        project.undo(2, **ANNA)
    project.undo(bea, annotator="bea")
    project.undo(2, **ANNA)
    assert rows_of(project, bea) == rows_of(project, 2) == first_rows()


def test_a_bead_that_another_has_changed_since_follows_an_undo(project):
    bea = project.assign(1, "bea")
    split_first(project, 2)
    bead = rows_of(project, bea)["beads"][0]
    confirmed = [Splice("beads", 0, (bead,), (bead._replace(state="confirmed"),))]
    project.change(bea, confirmed, name="confirm", annotator="bea")
    project.undo(2, **ANNA)
    assert rows_of(project, bea)["beads"][0] == bead._replace(source=("s0",), state="confirmed")


def test_a_lock_ends_a_minute_after_the_last_sign_of_life(tmp_path):
    now = [1000.0]
    with Project.create(tmp_path / "a.bitext", "a", clock=lambda: now[0]) as project:
        number = project.assign(add_document(project), "anna")
        project.lock(number, "x", "anna")
        now[0] += 59
        with pytest.raises(Locked, match=r"^anna is editing this alignment$"):
            project.lock(number, "y", "bea")
        project.lock(number, "x", "anna")
        now[0] += 59
        assert project.locks() == {number: ("x", "anna")}
        with pytest.raises(Locked):
            project.undo(number, holder="y", annotator="bea")
        now[0] += 2
        project.lock(number, "y", "bea")
        project.unlock(number, "x")
        assert project.locks() == {number: ("y", "bea")}
        project.unlock(number, "y")
        assert project.locks() == {}


def test_a_clock_that_goes_back_leaves_no_lock_behind(tmp_path):
    now = [5000.0]
    with Project.create(tmp_path / "a.bitext", "a", clock=lambda: now[0], durable=False) as made:
        add_document(made)
        number = made.assign(1, "anna")
        made.lock(number, "s.1", "anna")
        now[0] -= 30
        assert list(made.locks()) == [number]
        with pytest.raises(Locked, match="anna is editing"):
            made.lock(number, "s.2", "bea")
        now[0] -= 1000
        assert made.locks() == {}
        made.lock(number, "s.2", "bea")
        with pytest.raises(Locked, match="bea is editing"):
            made.lock(number, "s.1", "anna")


def test_a_copy_of_the_file_alone_has_all_changes_when_no_page_is_open(project, tmp_path):
    project.lock(2, "s.1", "anna")
    confirm(project, 2)
    project.unlock(2, "s.1")
    shutil.copy(project.path, tmp_path / "copy.bitext")
    with Project(tmp_path / "copy.bitext", durable=False) as copy:
        assert copy.rows(2) == project.rows(2)


def test_a_lock_of_another_server_gives_way_to_the_same_annotator_alone(tmp_path):
    with Project.create(tmp_path / "b.bitext", "b", durable=False) as project:
        number = add_document(project)
        project.lock(number, "one.x", "anna")
        with pytest.raises(Locked):
            project.lock(number, "one.y", "anna")  # another browser
        with pytest.raises(Locked):
            project.lock(number, "two.x", "bea")
        project.lock(number, "two.x", "anna")
        with pytest.raises(Locked):
            project.lock(number, "two.y", "anna")
        project.unlock_all("tw")
        assert project.locks() == {number: ("two.x", "anna")}
        project.unlock_all("two")
        assert project.locks() == {}


def test_two_open_projects_of_one_file_see_each_other(project):
    with Project(project.path) as other:
        confirm(project, 2)
        assert rows_of(other, 2) == rows_of(project, 2)
        confirm(other, 2, 1)
        confirm(project, 2, 2)
        assert rows_of(other, 2) == rows_of(project, 2)
        assert project.counts()[2] == {"confirmed": 3, "proposed": 4}


def test_a_text_is_shared_if_all_of_it_is_the_same(project):
    again = add_document(project, "again")
    info, first = project.info(again), project.info(1)
    assert (info.source, info.target) == (first.source, first.target)
    rows = first_rows()
    other = project.add_text("source", "yy", rows["source"])
    assert other not in {info.source, info.target}
    own = project.add_document("own", other, other, [
        Bead(f"b{k}", (f"s{k}",), (f"s{k}",)) for k in range(6)
    ])  # fmt: skip
    assert project.info(own).source != project.info(own).target


def test_an_alignment_that_is_not_there_is_named(project):
    for call in (project.info, project.rows, project.history, lambda n: project.since(n, 0)):
        with pytest.raises(NoSuchAlignment, match=r"^the project has no alignment 77$"):
            call(77)


def test_beads_that_do_not_fit_their_texts_are_no_document(project):
    with pytest.raises(ChangeRefused, match="source sentence 's0' would be in no bead"):
        project.add_document("x", 1, 2, [])
    assert len(project.alignments()) == 2


def test_files_that_are_no_projects_are_refused_in_one_line(tmp_path):
    with pytest.raises(InputError, match=r"none\.bitext: no such file"):
        Project(tmp_path / "none.bitext")
    text = tmp_path / "text.bitext"
    text.write_text("no project " * 200, encoding="utf-8")
    with pytest.raises(FormatError, match=r"text\.bitext: is no project, or damaged"):
        Project(text)
    other = tmp_path / "other.bitext"
    with closing(sqlite3.connect(other)) as db:
        db.execute("CREATE TABLE t (a)")
    before = other.read_bytes()
    with pytest.raises(FormatError, match=r"other\.bitext: is no project of bitext edit"):
        Project(other)
    assert other.read_bytes() == before
    with pytest.raises(InputError, match="exists already"):
        Project.create(other, "x")
    with pytest.raises(InputError, match="cannot be created: No such file"):
        Project.create(tmp_path / "no" / "x.bitext", "x")


@pytest.mark.skipif(os.name == "nt", reason="Windows moves no file that is open")
def test_a_file_that_was_deleted_or_replaced_since_takes_no_change(project, tmp_path):
    shutil.copy(project.path, tmp_path / "old.bitext")
    confirm(project, 2)
    project.path.unlink()
    fault = r"a\.bitext: was moved, deleted or replaced since it was opened: open it again"
    with pytest.raises(InputError, match=fault):
        confirm(project, 2)
    (tmp_path / "old.bitext").rename(project.path)
    with pytest.raises(InputError, match=fault):
        confirm(project, 2)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("UPDATE beads SET source = 's1' WHERE id = 'b3'", "Expecting value"),
        ("UPDATE beads SET source = 'null' WHERE id = 'b3'", "not iterable"),
        ("UPDATE beads SET state = 'done' WHERE id = 'b3'", "bead 'b3': its state is 'done'"),
        ("DELETE FROM beads WHERE id = 'b3'", "source sentence 's3' would be in no bead"),
        ("DELETE FROM sentences WHERE id = 's3'", "the source sentence 's3': no such id"),
    ],
)
def test_rows_that_another_program_has_changed_are_refused_in_one_line(project, query, told):
    path = project.path
    project.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(query)
    fault = rf"a\.bitext: is damaged, or another program has changed it: de-en: .*{told}"
    with Project(path) as again, pytest.raises(FormatError, match=fault):
        again.rows(2)


def test_a_file_of_a_later_version_is_refused(project):
    with closing(sqlite3.connect(project.path)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(FormatError, match=r"is of a later version of bitext \(schema 99"):
        Project(project.path)


def test_a_file_without_its_schema_yet_gets_it(tmp_path, project):
    """A process that is killed while it creates a file leaves one without tables."""
    path = tmp_path / "b.bitext"
    with closing(sqlite3.connect(project.path)) as db:
        (number,) = db.execute("PRAGMA application_id").fetchone()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA application_id = {number}")
    with Project(path) as made:
        assert made.alignments() == []
        assert made.name == "b"


@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_process_reads_of_another_fits_together(project, seed):
    """Rows and version come from one state of the file, whoever writes meanwhile."""
    draw = Random(seed)
    with Project(project.path) as other:
        for k in range(10):
            name, splices = drawn_change(draw, rows_of(other, 2), k)
            try:
                made = other.change(2, splices, name=name, **ANNA)
            except ChangeRefused:
                continue
            info, rows = project.rows(2)
            assert info.version == made.version
            assert json.dumps(rows) == json.dumps(rows_of(other, 2))


def test_a_disk_without_room_loses_nothing_and_is_named(project):
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    draw, errors = Random(1), []
    resource.setrlimit(resource.RLIMIT_FSIZE, (250_000, limits[1]))
    try:
        for k in range(60):
            before = project.rows(2)
            name, splices = drawn_change(draw, before[1], k)
            try:
                project.change(2, splices, name=name, **ANNA)
            except ChangeRefused:
                continue
            except InputError as error:
                errors.append((str(error), project.rows(2) == before))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert errors
    assert all("cannot be used" in told and same for told, same in errors)
    confirm(project, 2)
    with Project(project.path) as again:
        assert again.rows(2) == project.rows(2)
        assert replayed(again, 2) == rows_of(project, 2)


def test_a_folder_that_cannot_be_written_is_named(project):
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    project.path.chmod(0o400)
    with pytest.raises(InputError, match="cannot be used"), Project(project.path) as other:
        other.put("a", "b")
