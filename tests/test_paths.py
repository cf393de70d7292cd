"""Names of what is made for a while only."""

import io
import os
import stat
import tempfile
from functools import partial

import pytest

import bitext
from bitext.errors import InputError
from bitext.paths import (
    aside_in,
    files_below,
    open_to_append,
    replace_file,
    temporary_folder,
    temporary_room,
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where the system has its temporary folders."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_name_aside_is_nobody_elses(tmp_path):
    names = {aside_in(tmp_path) for _ in range(100)}
    assert len(names) == 100
    assert {name.parent for name in names} == {tmp_path}


def test_a_temporary_folder_is_of_its_owner_and_taken_away(place):
    with temporary_folder() as folder:
        assert folder.parent == place
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "deep").mkdir()
        (folder / "deep" / "file").write_text("a")
    assert list(place.iterdir()) == []


@pytest.mark.usefixtures("interrupted_mkdir")
def test_a_temporary_folder_whose_making_is_interrupted_is_not_left(place):
    with pytest.raises(KeyboardInterrupt), temporary_folder():
        pytest.fail("it was made")
    assert list(place.iterdir()) == []


@pytest.fixture(params=["nameless", "named"])
def way(request, monkeypatch):
    """How a file is written before it is whole: without a name, or under one of its own."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)


@pytest.mark.usefixtures("way")
def test_a_file_is_replaced_when_all_is_written(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o640)
    with replace_file(path) as out:
        out.write(b"new")
        assert path.read_text() == "old"
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.usefixtures("way")
def test_a_file_that_is_not_finished_leaves_the_old_one(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")

    def fail():
        with replace_file(path) as out:
            out.write(b"new" * 100_000)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.usefixtures("way")
def test_a_full_disk_names_the_file_and_not_the_part(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    (tmp_path / "a").write_text("old")
    with (
        pytest.raises(InputError, match=r"/a: cannot be written: No space left on device$"),
        replace_file(tmp_path / "a") as out,
    ):
        out.write(b"new")
    assert (tmp_path / "a").read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("open_it", [lambda path: replace_file(path).__enter__(), open_to_append])
def test_links_folders_and_devices_are_not_written(open_it, tmp_path):
    (tmp_path / "link").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    for path, why in [
        (tmp_path / "link", "is a link to nowhere, and links are not written through"),
        (tmp_path, "is a directory; name a file in it"),
        (f"{tmp_path}/new/", "new/: is a directory; name a file in it"),
        (tmp_path / "pipe", "is no file that"),
        (tmp_path / "none" / "a", "none"),
    ]:
        with pytest.raises(InputError, match=why):
            open_it(path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "pipe"]


def test_where_temporary_files_have_no_room_their_folder_is_named(place):
    with (
        pytest.raises(InputError, match=r"temporary files cannot be written: No .*TMPDIR") as found,
        temporary_room(),
    ):
        raise OSError(28, "No space left on device")
    assert str(found.value).startswith(f"{place}: ")
    with pytest.raises(OSError, match="of a file"), temporary_room():
        raise OSError(28, "of a file", "a")


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (bitext.read, b"[0]:[0]", "of type bytes, is no path: .*; write the contents into a file"),
        (bitext.read, io.StringIO("[0]:[0]"), "StringIO, is no path: .*; write the contents"),
        (bitext.read, None, "^None, of type NoneType, is no path: want the name of a file"),
        (bitext.read_segmentations, [5, 5], r"^\[5, 5\], of type list, is no path"),
        (bitext.read_cluster, b"x", "is no path"),
        (partial(bitext.write, []), b"a.tmx", "is no path"),
    ],
)
def test_what_is_no_path_is_refused(read, value, message):
    with pytest.raises(InputError, match=message):
        read(value)


def test_links_below_a_folder_leave_no_file_out(tmp_path):
    folder = tmp_path / "texts"
    for name in ("a.txt", "old/b.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / "c.txt").symlink_to(folder / "a.txt")
    (folder / "latest").symlink_to("old")  # whose files are read under their own names
    (folder / ".#a.txt").symlink_to("user@host.17")  # a lock of Emacs
    files = [folder / name for name in ("a.txt", "c.txt", "old/b.txt")]
    assert files_below(folder) == files
    for target, message in (
        ("gone.txt", "old/link: is a link to gone.txt, which is not there; restore that, or"),
        (tmp_path, rf"old/link: is a link to the folder {tmp_path}, and links .* not followed"),
    ):
        (folder / "old/link").symlink_to(target)
        with pytest.raises(InputError, match=message):
            files_below(folder)
        (folder / "old/link").unlink()
