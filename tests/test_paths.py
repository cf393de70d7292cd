"""Names of what is made for a while only."""

import tempfile

import pytest

from bitext.paths import aside_in, temporary_folder


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
