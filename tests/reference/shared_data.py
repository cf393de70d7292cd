"""Published and made files that are no part of the project: where they lie, and who needs them.

They are looked for in the folder that `BITEXT_TEST_DATA` names, else in `shared/data` beside the
project. Tests that need what is not there are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def shared_data(*parts: str) -> Path:
    """Return the path of a file or folder of the data, whether or not it is there."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("BITEXT_TEST_DATA") or beside).absolute().joinpath(*parts)


def needs_data(*parts: str) -> pytest.MarkDecorator:
    """Return the mark of a test that is skipped where the data are not there."""
    return pytest.mark.skipif(not shared_data(*parts).exists(), reason=_reason(*parts))


def data(*parts: str) -> Path:
    """Return the path of a file or folder of the data; skip the test where it is not there."""
    path = shared_data(*parts)
    if not path.exists():
        pytest.skip(_reason(*parts))
    return path


def _reason(*parts: str) -> str:
    return f"no data for tests: {shared_data(*parts)} (BITEXT_TEST_DATA names the folder of them)"
