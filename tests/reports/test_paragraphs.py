"""Figures of methods of paragraph segmentation."""

import json
from math import isnan

import numpy as np
import pytest

from bitext.errors import InputError, OptionError
from bitext.metrics import significance
from bitext.metrics.evaluation import Sampling
from bitext.model import Segmentation
from bitext.reports.paragraphs import FIGURES, score_paragraphs


def drawn(seed, chapters=8, sentences=40):
    rng = np.random.default_rng(seed)

    def some():
        bits = rng.random(sentences - 1) < 0.3
        return Segmentation.from_boundaries((np.flatnonzero(bits) + 1).tolist(), sentences)

    return [some() for _ in range(chapters)]


def decisions(family):
    return np.array([[sign == "1" for sign in one.bits()] for one in family])


def test_the_figures_are_those_of_pooled_decisions():
    golds, found = drawn(1), drawn(2)
    scores = score_paragraphs(golds, {"a": found}, Sampling(resamples=0))
    gold, hyp = decisions(golds), decisions(found)
    hits = (gold & hyp).sum()
    precision, recall = hits / hyp.sum(), hits / gold.sum()
    assert scores.value("a", "accuracy") == pytest.approx((gold == hyp).mean())
    assert scores.value("a", "precision") == pytest.approx(precision)
    assert scores.value("a", "recall") == pytest.approx(recall)
    assert scores.value("a", "F1") == pytest.approx(2 * precision * recall / (precision + recall))
    assert (scores.chapters, scores.decisions, scores.breaks) == (8, 8 * 39, gold.sum())
    with pytest.raises(KeyError):
        scores.value("a", "F2")


def test_worked_figures():
    # Published by Ocampo Diaz and Ouyang 2022.
    golds = [Segmentation([2, 2, 5, 5])]
    found = [Segmentation([3, 1, 5, 5])]
    scores = score_paragraphs(golds, {"a": found}, Sampling(resamples=0))
    assert scores.value("a", "A") == pytest.approx(19 / 24)
    assert scores.value("a", "B") == pytest.approx(0.83, abs=0.005)
    assert scores.value("a", "WindowDiff") == pytest.approx(1 - 0.83, abs=0.005)


def test_a_seed_of_training_is_no_seed_without_an_effect():
    golds = drawn(1, chapters=3)
    scores = score_paragraphs(golds, {"a": drawn(2, chapters=3)}, Sampling(seed=4))
    assert any(note.startswith("seed=: no effect") for note in scores.sampling_notes())
    assert not any("seed" in note for note in scores.sampling_notes(seeded=True))


def test_intervals_and_tests_are_by_chapters_and_from_the_seed():
    golds = drawn(1)
    found = {"first": drawn(2), "second": golds, "third": drawn(3)}
    options = {"resamples": 200, "interval": "bootstrap"}
    scores = score_paragraphs(golds, found, Sampling(seed=4, **options))
    again = score_paragraphs(golds, found, Sampling(seed=4, **options))
    assert scores.to_json() == again.to_json()
    other = score_paragraphs(golds, found, Sampling(seed=5, **options))
    assert scores.to_json() != other.to_json()
    accuracy = next(row for row in scores.rows if row.figure == "accuracy")
    right = decisions(golds) == decisions(found["first"])
    counts = np.stack([right.sum(axis=1), np.full(8, 39)], axis=1)
    (wanted,) = significance.bootstrap(counts, of=significance.quotients, resamples=200, seed=4)
    assert accuracy.interval == pytest.approx(wanted)
    by = {(row.method, row.figure): row for row in scores.rows}
    assert by["first", "F1"].p is None
    assert by["second", "F1"].p < 0.05 < by["third", "F1"].p
    gained = 1 - scores.value("first", "F1")
    assert by["second", "F1"].difference == pytest.approx(gained)
    assert by["second", "WindowDiff"].difference == pytest.approx(
        -scores.value("first", "WindowDiff")
    )


def test_the_table_has_a_line_a_method_and_its_intervals_below():
    golds = drawn(1)
    scores = score_paragraphs(golds, {"a": drawn(2), "b": golds}, Sampling(resamples=100))
    table = scores.table()
    assert table.head == [
        *("method", "accuracy ↑", "precision ↑", "recall ↑", "F1 ↑", "A ↑", "B ↑"),
        *("WindowDiff ↓", "Pk ↓"),
    ]
    assert [row[0] for row in table.rows] == ["a", "", "b", ""]
    assert table.rows[2][4] == "1.0000**"
    assert table.rows[3][4] == "[0.9650, 1.0000]"
    told = scores.caption()
    assert "8 chapters, 312 decisions, " in told
    assert "95% intervals: jackknife of 8 chapters" in told
    assert (
        "* p < 0.05, ** p < 0.01 against a (approximate randomisation, 100 resamples, seed 0)"
        in told
    )
    flat = scores.flat_table()
    assert len(flat.rows) == 2 * len(FIGURES)
    assert all(len(row) == len(flat.head) for row in flat.rows)
    assert json.loads(json.dumps(scores.to_json(), allow_nan=False))["baseline"] == "a"
    assert len(scores.to_json()["rows"]) == 2 * len(FIGURES)


def test_one_chapter_has_no_intervals_and_says_so():
    scores = score_paragraphs(
        drawn(1, chapters=1), {"a": drawn(2, chapters=1)}, Sampling(resamples=50)
    )
    assert all(row.interval is None and row.p is None for row in scores.rows)
    assert len(scores.table().rows) == 1
    assert "no intervals: one chapter" in scores.caption()


def test_chapters_too_short_for_windows_are_left_out_of_these_only():
    golds = [*drawn(1, chapters=3), Segmentation([1]), Segmentation([2])]
    found = [*drawn(2, chapters=3), Segmentation([1]), Segmentation([1, 1])]
    scores = score_paragraphs(golds, {"a": found, "b": golds}, Sampling(resamples=20))
    chapters = {row.figure: row.chapters for row in scores.rows}
    assert chapters["accuracy"] == 5
    assert chapters["WindowDiff"] == chapters["Pk"] == 3
    assert "WindowDiff: 3 chapters, the others are too short" in scores.caption()
    assert scores.decisions == 3 * 39 + 1


def test_what_is_undefined_is_told():
    golds = [Segmentation([2]), Segmentation([1])]
    scores = score_paragraphs(golds, {"a": golds, "b": golds}, Sampling(resamples=20))
    rows = {row.figure: row for row in scores.rows if row.method == "a"}
    assert isnan(rows["Pk"].value)
    assert rows["Pk"].undefined == "all chapters are too short"
    assert isnan(rows["precision"].value)
    assert rows["precision"].undefined
    assert scores.value("a", "accuracy") == 1.0
    assert scores.table().rows[0][-1] == "-"
    members = scores.to_json()["rows"]
    assert next(row for row in members if row["figure"] == "Pk")["value"] is None
    assert "nan" not in scores.flat_table().render("tsv")


def test_what_does_not_fit_is_refused():
    golds = drawn(1, chapters=2)
    with pytest.raises(InputError, match="no method to score"):
        score_paragraphs(golds, {})
    with pytest.raises(InputError, match="no chapter to score"):
        score_paragraphs([], {"a": []})
    with pytest.raises(InputError, match="a: 1 segmentations of 2 chapters"):
        score_paragraphs(golds, {"a": golds[:1]})
    with pytest.raises(InputError, match=r"b: chapter 1 has paragraphs over 3 sentences.* 40"):
        score_paragraphs(golds, {"a": golds, "b": [golds[0], Segmentation([3])]})
    with pytest.raises(OptionError, match="confidence level is 2"):
        score_paragraphs(golds, {"a": golds}, Sampling(level=2))
    with pytest.raises(OptionError, match="resamples"):
        score_paragraphs(golds, {"a": golds}, Sampling(resamples=-1))
    assert not isnan(score_paragraphs(golds, {"a": golds}, Sampling(resamples=9)).value("a", "F1"))
