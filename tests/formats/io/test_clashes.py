"""Files that would be read and written in one run."""

import os
import threading
from contextvars import copy_context

import pytest

from bitext.errors import ClashError, InputError
from bitext.formats.io.output import (
    protect_outputs,
    record_reads,
    refuse_clashes,
    refuse_read_before,
    reopen,
    write_together,
    write_whole,
)
from bitext.formats.io.source import open_source


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "a"
    made.write_text("old")
    return made


def read(path):
    with open_source(path) as source:
        return source.text()


def test_what_is_being_written_is_not_read(path, tmp_path):
    os.link(path, tmp_path / "other")
    for name in (path, tmp_path / "." / "a", tmp_path / "other"):
        with (
            pytest.raises(InputError, match=r"a: is the same file as .*(a|other), which is read"),
            write_together((tmp_path / "b", path)),
        ):
            read(name)
        assert read(path) == "old"
        assert not (tmp_path / "b").exists()


def test_an_error_that_somebody_took_for_another_keeps_the_file(path):
    same = pytest.raises(InputError, match="same file")
    with same, write_whole(path), pytest.raises(InputError, match="same file"):
        read(path)
    with protect_outputs([str(path)]):
        with pytest.raises(InputError, match="same file"):
            read(path)
        with pytest.raises(InputError, match="same file"), write_whole(path) as out:
            out.write("new")
    assert read(path) == "old"


def test_what_was_read_before_may_be_written_and_read_again(path, tmp_path):
    text = read(path)
    with protect_outputs([str(tmp_path / "none")]), write_whole(path) as out:
        out.write(text.upper())
    assert read(path) == "OLD"


def test_what_is_not_there_yet_or_no_file_may_be_read(tmp_path):
    pipe, new = tmp_path / "pipe", tmp_path / "new"
    os.mkfifo(pipe)
    with protect_outputs([str(pipe), str(new), "-", os.devnull]):
        assert read(os.devnull) == ""
        new.write_text("made meanwhile")
        assert read(new) == "made meanwhile"


def test_a_place_elsewhere_is_told_by_its_name(path):
    pytest.importorskip("fsspec").filesystem("memory").pipe("/a.tsv", b"a\tb\n")
    with (
        protect_outputs(["memory://a.tsv"]),
        pytest.raises(InputError, match="same file as memory://a"),
    ):
        read("memory://a.tsv")
    with protect_outputs([path.as_uri()]), pytest.raises(InputError, match="same file"):
        read(path)
    assert read("memory://a.tsv") == "a\tb\n"


def test_outputs_that_end_in_any_order_are_forgotten(path):
    first, second = protect_outputs([str(path)]), protect_outputs([str(path)])
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    with pytest.raises(InputError, match="same file"):
        read(path)
    second.__exit__(None, None, None)
    assert read(path) == "old"


def test_another_thread_reads_the_old_file_until_it_is_replaced(path):
    found = []
    with write_whole(path) as out:
        here = copy_context()  # which a thread may inherit
        thread = threading.Thread(target=lambda: found.append(here.run(read, path)))
        thread.start()
        thread.join()
        out.write("new")
    assert found == ["old"]
    assert read(path) == "new"


def test_what_was_met_is_known_to_who_asks(path, tmp_path):
    with protect_outputs([str(path), str(tmp_path / "none")]) as outputs:
        assert outputs.clash() is None
        with pytest.raises(ClashError):
            read(path)
        assert "a: is the same file as" in str(outputs.clash())
    with protect_outputs([str(tmp_path / "none")]) as outputs:
        read(path)
        assert outputs.clash() is None


def test_what_is_opened_is_noted(path, tmp_path):
    other = tmp_path / "other"
    other.write_text("two")
    with record_reads() as outer:
        read(path)
        with record_reads() as inner:
            read(path)
            read(other)
        read(path)
    state = path.stat()
    assert outer == {str(path): [state.st_size, state.st_mtime_ns]}
    assert [*inner] == [str(path), str(other)]
    with record_reads() as found:
        read(os.devnull)
    assert not found
    with record_reads() as outer, record_reads(around=True) as inner:
        read(path)
    assert outer == inner != {}


def test_what_was_opened_counts_as_opened_again(path, tmp_path):
    with record_reads() as before:
        read(path)
    with record_reads() as found:
        assert reopen(before)
    assert found == before
    os.link(path, tmp_path / "other")
    with protect_outputs([str(tmp_path / "other")]), pytest.raises(ClashError, match="other: is"):
        reopen(before)
    path.write_text("longer than before")
    with record_reads() as found:
        assert not reopen(before)
        path.unlink()
        assert not reopen(before)
        assert not reopen({"memory://noted.tsv": None})
    assert not found


def test_a_place_elsewhere_is_noted_by_its_name():
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").pipe("noted.tsv", b"one")
    with record_reads() as found:
        read("memory://noted.tsv")
    assert found == {"memory://noted.tsv": None}
    with (
        protect_outputs(["memory://noted.tsv"]),
        pytest.raises(ClashError, match="same file as memory:"),
    ):
        refuse_read_before(found)


def test_what_was_read_before_is_no_output(path, tmp_path):
    os.link(path, tmp_path / "other")
    before = [str(tmp_path / "none"), str(tmp_path), str(tmp_path / "other")]
    refuse_read_before(before)
    with protect_outputs([str(tmp_path / "none")]):
        refuse_read_before(before)
    with (
        protect_outputs([str(path)]),
        pytest.raises(ClashError, match=r"a: is the same file as .*other"),
    ):
        refuse_read_before(before)


def test_what_would_be_read_the_next_time_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "also").symlink_to("in")
    (tmp_path / ".in").mkdir()
    within = ["in/a", "./in/deep/a", "in/new/a", "also/a", f"{tmp_path}/in/a", "in/../in/a"]
    for folder in ("in", "in/", "also", str(tmp_path / "in"), (tmp_path / "in").as_uri()):
        for output in (*within, *((tmp_path / name).as_uri() for name in within[:2])):
            with pytest.raises(
                ClashError, match=r"a: would lie in .*, of which all files are read"
            ):
                refuse_clashes((), ["-", "out/a", output], folders=[".in", folder])
        refuse_clashes(
            (), ["-", "inner/a", "out/in/a", "in/.a", "in/.deep/a", "in", ".in/a"], folders=[folder]
        )
    with pytest.raises(ClashError, match=r"s3://b/in/a: would lie in s3://b/in/, of which"):
        refuse_clashes((), ["s3://b/in/a"], folders=["s3://b/in/"])
    refuse_clashes(
        (), ["s3://b/inner/a", "s3://c/in/a", "in/a", "s3://b/in/.a"], folders=["s3://b/in/"]
    )
    for output in within:
        refuse_clashes((), [output], folders=[])
    with pytest.raises(ClashError, match="would lie in /,"):
        refuse_clashes((), ["in/a"], folders=["/"])
