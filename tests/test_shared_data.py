"""Where the tests look for data that are no part of the project."""

from __future__ import annotations

import pytest

from reference.shared_data import data, needs_data, shared_data


def test_data_lie_beside_the_project_or_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.delenv("BITEXT_TEST_DATA", raising=False)
    assert shared_data("gold", "a").parts[-4:] == ("shared", "data", "gold", "a")
    monkeypatch.setenv("BITEXT_TEST_DATA", "")
    assert shared_data("gold").parts[-3:] == ("shared", "data", "gold")
    monkeypatch.setenv("BITEXT_TEST_DATA", str(tmp_path))
    assert shared_data("gold", "a") == tmp_path / "gold" / "a"


def test_who_needs_what_is_not_there_is_skipped(tmp_path, monkeypatch):
    monkeypatch.setenv("BITEXT_TEST_DATA", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match=r"no data for tests: .*gold \(BITEXT_TEST_D"):
        data("gold")
    assert needs_data("gold").args == (True,)
    (tmp_path / "gold").mkdir()
    assert data("gold") == tmp_path / "gold"
    assert needs_data("gold").args == (False,)
