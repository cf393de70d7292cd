"""The benchmarks of sentence alignment run, on a gold standard of one short text."""

import shutil
from itertools import combinations
from pathlib import Path

import alignment_confidence
import alignment_doubts
import alignment_quality
import combination
import composition
import pytest
import resampled

from bitext import Alignment

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


def test_gold_standards_of_stories_have_every_sentence_once():
    every = list(combination.stories())
    assert {doc.name.partition(".")[2] for doc in every if doc.set_name == "bell"} == {
        "-".join(pair) for pair in combinations(composition.TEXTS["bell"], 2)
    }
    for doc in every:
        alignment = doc.gold.alignment
        for text, rows in zip(quality_texts(doc), (alignment.src, alignment.tgt), strict=True):
            assert sorted(rows.idx.tolist()) == list(range(len(text))), doc.name


def quality_texts(doc):
    return alignment_quality.texts_of(doc)


def test_differences_have_intervals_and_a_verdict():
    gold = Alignment([((k,), (k,)) for k in range(200)])
    bad = Alignment([((k, k + 1), (k, k + 1)) for k in range(0, 200, 2)])
    near = Alignment([((k,), (k,)) for k in range(198)] + [((198, 199), (198, 199))])
    counts = resampled.block_counts(gold, {"near": near, "bad": bad, "gold": gold}, (200, 200))
    assert counts["near"].sum(axis=0).tolist() == [198, 200, 199]
    made = resampled.compared([counts], "near", resamples=500)
    assert made["gold"].f1 == 1
    assert made["near"].f1 == pytest.approx(2 * 198 / 399)
    assert (made["bad"].verdict, made["gold"].verdict) == ("worse", "tie")


def test_alignments_are_composed_beside_direct_ones(tmp_path):
    report = tmp_path / "report.md"
    asked = [
        "--texts",
        "survey",
        "--methods",
        "length-characters",
        "--resamples",
        "500",
        "--report",
        str(report),
    ]
    assert composition.main(asked) == 0
    assert "| direct | 0." in report.read_text(encoding="utf-8")
