"""The benchmarks of sentence alignment run, on a gold standard of one short text."""

import shutil
from pathlib import Path

import alignment_confidence
import alignment_doubts
import alignment_quality
import pytest

ORCHARD = Path(__file__).parents[2] / "fixtures" / "orchard"


@pytest.fixture
def gold(tmp_path):
    folder = tmp_path / "gold" / "orchard"
    folder.mkdir(parents=True)
    for lang in ("en", "fr"):
        shutil.copy(ORCHARD / f"orchard.{lang}", folder)
    shutil.copy(ORCHARD / "orchard.en-fr.align", folder / "orchard.align")
    (folder / "README.md").write_text("| orchard | en-fr |\n", encoding="utf-8")
    return folder.parent


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (alignment_quality, "| orchard | lexical | 0."),
        (alignment_confidence, "| orchard | lexical | "),
        (alignment_doubts, "| lexical | "),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_report_is_made(script, told, gold, tmp_path):
    report = tmp_path / "report.md"
    asked = ["--data", str(gold), "--methods", "lexical", "--report", str(report)]
    assert script.main(asked) == 0
    assert told in report.read_text(encoding="utf-8")
    assert str(tmp_path) not in report.read_text(encoding="utf-8"), "no folder of this machine"
