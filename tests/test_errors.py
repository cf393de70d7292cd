"""What the errors of all rooms share."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bitext.errors import did_you_mean, nearest


def test_the_nearest_name_is_told():
    assert nearest("tmxx", ["moses", "tmx", "tsv"]) == "tmx"
    assert did_you_mean("tmxx", {"moses": 0, "tmx": 1}) == "did you mean 'tmx'? "


@pytest.mark.parametrize(
    ("name", "known"), [("docx", ["moses", "tmx"]), ("", ["tmx"]), ("tmx", [])]
)
def test_where_none_is_near_nothing_is_told(name, known):
    assert nearest(name, known) == ""
    assert did_you_mean(name, known) == ""


def test_how_near_a_name_has_to_be_can_be_asked_for():
    assert nearest("abcd", ["abxy"]) == ""
    assert nearest("abcd", ["abxy"], cutoff=0.4) == "abxy"


def test_what_looks_for_names_is_imported_by_an_error_only():
    code = "import sys, bitext.errors; print('difflib' in sys.modules)"
    code += "; bitext.errors.nearest('a', 'b'); print('difflib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
