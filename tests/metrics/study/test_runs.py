from __future__ import annotations

import json

import pytest

from bitext import BitextError, FormatError, InputError
from bitext.metrics.registry import parse_metric
from bitext.metrics.study import StudiedMetric, batches_of
from bitext.metrics.study import runs as study_runs
from bitext.metrics.study.runs import Journal, run_batches

METRICS = [StudiedMetric(parse_metric(text)) for text in ("window-diff", "winpr")]
BATCHES = batches_of(6, 9)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.jsonl"


@pytest.fixture
def begun(path):
    """A journal in which the first three batches are done."""
    with Journal(path, METRICS, version="1") as journal:
        for batch, found in run_batches(BATCHES[:3], METRICS):
            journal.add(batch, found)
    return journal.found


def test_a_journal_gives_back_what_was_written(path, begun):
    with Journal(path, METRICS, version="1") as journal:
        assert journal.found == begun
        assert list(journal.found) == BATCHES[:3]
        assert not journal.add(*next(run_batches(BATCHES[3:4], METRICS)))
    with Journal(path, METRICS, version="1") as journal:
        assert list(journal.found) == BATCHES[:4]


@pytest.mark.parametrize("lost", [1, 10, 60])
def test_a_last_line_that_was_cut_off_is_dropped(path, begun, lost):
    whole = path.read_bytes()
    path.write_bytes(whole[:-lost])
    with Journal(path, METRICS, version="1") as journal:
        assert journal.found == {batch: begun[batch] for batch in BATCHES[:2]}
        journal.add(BATCHES[2], begun[BATCHES[2]])
    assert path.read_bytes() == whole


def test_a_journal_cut_off_in_its_head_is_empty(path):
    path.write_bytes(b'{"schema":"bitext.stu')
    with Journal(path, METRICS, version="1") as journal:
        assert journal.found == {}
    assert json.loads(path.read_bytes())["version"] == "1"


@pytest.mark.parametrize("data", [b"dear diary", b'{"precious":1}\n{"two":2}\nand a half'])
def test_what_is_no_journal_is_left_alone(path, data):
    path.write_bytes(data)
    with pytest.raises(InputError, match="is the journal of something else"):
        Journal(path, METRICS, version="1")
    assert path.read_bytes() == data


def test_a_head_of_odd_members_is_told(path):
    with Journal(path, METRICS, version="1"):
        pass
    head = json.loads(path.read_bytes())
    path.write_bytes(json.dumps({**head, "metrics": 5}).encode() + b"\n")
    with pytest.raises(InputError, match="is the journal of other metrics or options"):
        Journal(path, METRICS, version="1")


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize(
    ("metrics", "version", "told"),
    [
        (METRICS, "2", "of version '1', and this is 2;"),
        (METRICS[:1], "1", r"of other metrics or options, as winpr\|k:n/2m\|measure:f1; name anot"),
        (METRICS[::-1], "1", "of other metrics or options; name another folder, or delete the fi"),
    ],
)
def test_a_journal_of_another_study_is_refused(path, metrics, version, told):
    with pytest.raises(InputError, match=told):
        Journal(path, metrics, version=version)


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize(
    ("line", "broken"),
    [
        (2, "{"),
        (2, "[]"),
        (3, '{"batch":[6,2,0],"found":[]}'),
        (3, '{"batch":[6,2,0,5],"found":[[[0,null]]]}'),
        (1, "?"),
    ],
)
def test_a_line_that_is_not_ours_is_told_with_its_number(path, line, broken):
    lines = path.read_text(encoding="ascii").splitlines()
    lines[line - 1] = broken
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    with pytest.raises(FormatError, match=f"line {line}: is no line of a journal.*begin anew"):
        Journal(path, METRICS, version="1")


def test_a_file_of_something_else_is_no_journal(path):
    path.write_text("[1, 2]\n", encoding="ascii")
    with pytest.raises(InputError, match="is the journal of something else"):
        Journal(path, METRICS, version="1")


def test_a_place_that_cannot_be_written_to_is_told(tmp_path):
    with pytest.raises(InputError, match=r"no folder .*none; make it first"):
        Journal(tmp_path / "none" / "journal.jsonl", METRICS, version="1")


def test_two_runs_do_not_share_a_journal(path):
    pytest.importorskip("fcntl")
    with (
        Journal(path, METRICS, version="1"),
        pytest.raises(InputError, match="is written by another run"),
    ):
        Journal(path, METRICS, version="1")


def test_processes_find_what_one_finds():
    alone = dict(run_batches(BATCHES, METRICS))
    assert list(alone) == BATCHES
    assert dict(run_batches(BATCHES, METRICS, jobs=2)) == alone


def test_a_process_that_is_lost_is_told(monkeypatch):
    monkeypatch.setattr(study_runs, "begin_worker", _die)
    with pytest.raises(BitextError, match="a job was ended from outside; run it again"):
        list(run_batches(BATCHES, METRICS, jobs=2))


def test_where_no_process_can_begin_it_is_told(monkeypatch):
    def refuse(*_given, **_named):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", refuse)
    with pytest.raises(BitextError, match=r"here \(Permission denied\): jobs=1 works without them"):
        list(run_batches(BATCHES, METRICS, jobs=2))
    assert len(list(run_batches(BATCHES[:1], METRICS))) == 1


def _die(_given):
    raise SystemExit(1)
