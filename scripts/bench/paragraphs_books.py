"""The semi-Markov model beside a linear SVM on the same features, on books left out of training."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from paragraphs_ablation import FOLDS
from paragraphs_seen import COSTS, LONGEST, Seen, segmented, semi_markov, tell

from bitext.metrics.evaluation.sampling import Sampling
from bitext.model import Segmentation
from bitext.reports.paragraphs import score_paragraphs
from bitext.reports.table import Table
from bitext.segment.features.model import PRESETS, FeatureModel
from bitext.segment.rivals.linear import LinearSvm
from paragraph_sets import LANGUAGES, Chapter, read_sets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from paragraphs_seen import Starts

    from bitext.reports.paragraphs import ParagraphScores

SVM_COSTS = (0.003, 0.01, 0.03, 0.1)
OFFSETS = (0.0, 0.15, 0.25)
_AGAINST = ("F1", "A", "B", "WindowDiff")
_FIGURES = ("precision", "recall", "F1", "A", "B", "WindowDiff", "Pk")


def books(data: Path) -> Iterator[str]:
    """Score both on whole books, each by models of the others."""
    table = Table(["language", "features", "method", *_FIGURES])
    verdict = Table(["language", "features", *_AGAINST])
    sizes = []
    for language, sets in LANGUAGES.items():
        chapters = [c for c in read_sets(data, sets) if c.part != "test"]
        sizes.append(f"{language} {sum(len(c.text) for c in chapters):,} sentences")
        for preset in PRESETS:
            golds: list[Segmentation] = []
            found: dict[str, list[Segmentation]] = {}
            for fold in range(FOLDS):
                tell("books", language, preset, str(fold))
                golds += _fold(chapters, fold, preset, found)
            scores = score_paragraphs(golds, found, Sampling(resamples=0))
            verdict.rows.append([language, preset, *_against(scores)])
            for method in found:
                told = [f"{100 * scores.value(method, figure):.2f}" for figure in _FIGURES]
                table.rows.append([language, preset, method, *told])
    yield f"## Books left out: the semi-Markov model and a classifier of sentences\n\n{FOLDS} "
    yield f"folds of books; {', '.join(sizes)}. Per cent; WindowDiff and Pk are better low.\n\n"
    yield f"{table.render('markdown')}\n\nThe least of the costs at offset 0, "
    yield f"less the best of the SVMs by each figure:\n\n{verdict.render('markdown')}\n"


def _against(scores: ParagraphScores) -> list[str]:
    """Return how far the first semi-Markov model is from the best of the SVMs, by each figure."""
    rivals = [method for method in scores.methods if method.startswith("svm")]
    told = []
    for figure in _AGAINST:
        values = [scores.value(method, figure) for method in rivals]
        best = min(values) if figure == "WindowDiff" else max(values)
        told.append(f"{100 * (scores.value(scores.methods[0], figure) - best):+.2f}")
    return told


def _fold(
    chapters: Sequence[Chapter], fold: int, preset: str, found: dict[str, list[Segmentation]]
) -> list[Segmentation]:
    """Add what models of the other books put into those of a fold; return their paragraphs."""
    held = sorted({c.book for c in chapters})[fold::FOLDS]
    texts = [c.text for c in chapters if c.book not in held]
    model = FeatureModel.fit(texts, PRESETS[preset], LONGEST)
    learn = Seen(model, texts)
    test = Seen(model, [c.text for c in chapters if c.book in held])

    def add(method: str, ours: list[Starts]) -> None:
        found.setdefault(method, []).extend(
            Segmentation(np.diff(starts, append=features.n))
            for starts, features in zip(ours, test.features, strict=True)
        )

    for cost in COSTS[preset]:
        weights = semi_markov(learn, model.size, cost=cost)
        for offset in OFFSETS:
            ours = [segmented(features, weights, offset) for features in test.features]
            add(f"semi-markov, C = {cost}, offset {offset}", ours)
    for cost in SVM_COSTS:
        svm = LinearSvm(cost=cost).fit(learn.features, learn.golds)
        add(f"svm, C = {cost}", [svm.boundaries(features) for features in test.features])
    return [
        Segmentation(np.diff(gold, append=features.n))
        for gold, features in zip(test.golds, test.features, strict=True)
    ]
