"""All methods on whole books left out of training, tuned alike on the other books.

The books of a language are three folds. Each fold is segmented by models of the others: the
option that sets the strength of regularisation and the offset are those with the highest F1 when
each third of the training books is held out in turn, as `bitext paragraphs score --tune` chooses
them; then the model learns from all of them. Nothing is chosen on the books that are scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from paragraphs_ablation import FOLDS
from paragraphs_seen import LONGEST, PASSES, Seen, tell

from bitext.metrics.evaluation import Sampling
from bitext.model import Segmentation
from bitext.reports.paragraphs import score_paragraphs
from bitext.reports.table import Table
from bitext.segment.features.groups import PRESETS
from bitext.segment.features.model import FeatureModel
from bitext.segment.method import choose, folds_of
from bitext.segment.segmenter import METHODS
from paragraph_sets import LANGUAGES, Chapter, read_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from paragraphs_seen import Starts

    from bitext.segment.method import Method

# Every second chapter of the English books, so that both languages have about as much text.
EVERY = {"en": 2, "de": 1}
# What is tuned, with fewer values than by default, and the other options: both save time.
_MAX_MARGIN = {"solver": "bcfw", "passes": PASSES}
TRIED: dict[str, tuple[str, tuple[float, ...], dict[str, Any]]] = {
    "semi-markov": ("cost", (0.01, 0.03, 0.1), _MAX_MARGIN),
    "max-margin-chain": ("cost", (0.01, 0.03, 0.1), _MAX_MARGIN),
    "svm": ("cost", (0.003, 0.01, 0.03), {}),
    "crf": ("l2", (10.0,), {"passes": 60}),
    "boosting": ("rounds", (100, 200), {}),
}
_FIGURES = ("precision", "recall", "F1", "A", "B", "WindowDiff", "Pk")
_AGAINST = ("F1", "A", "B", "WindowDiff")


class _Fold(NamedTuple):
    """The training and test texts of a fold, with the splits of the training texts for tuning."""

    learn: Seen
    test: Seen
    splits: list[tuple[list[int], list[int]]]


def books(data: Path, methods: Sequence[str] = tuple(TRIED)) -> Iterator[str]:
    """Score the methods on whole books, each by models of the others."""
    table = Table(["language", "method", "offset", *_FIGURES, "chosen, by fold"])
    verdict = Table(["language", "best rival by", *_AGAINST])
    sizes = []
    for language, sets in LANGUAGES.items():
        chapters = read_sets(data, sets)[:: EVERY[language]]
        sizes.append(f"{language} {sum(len(c.text) for c in chapters):,} sentences")
        folds = [_fold(chapters, fold) for fold in range(FOLDS)]
        golds = [
            Segmentation(np.diff(gold, append=features.n))
            for fold in folds
            for gold, features in zip(fold.test.golds, fold.test.features, strict=True)
        ]
        found: dict[str, list[Segmentation]] = {}
        chosen: dict[str, list[str]] = {}
        for method in methods:
            for number, fold in enumerate(folds):
                tell("books", language, method, str(number))
                _segment(method, fold, found, chosen)
        scores = score_paragraphs(golds, found, Sampling(resamples=0))
        for key in found:
            method, _, offset = key.partition(" ")
            told = [f"{100 * scores.value(key, figure):.2f}" for figure in _FIGURES]
            choice = "; ".join(chosen[method]) if offset == "tuned" else ""
            table.rows.append([language, method, offset, *told, choice])
        if "semi-markov" in methods:
            for offset in ("tuned", "0"):
                row = [language, f"offset {offset}"]
                for figure in _AGAINST:
                    values = {
                        key.split()[0]: 100 * scores.value(key, figure)
                        for key in found
                        if key.endswith(f" {offset}")
                    }
                    ours = values.pop("semi-markov")
                    best = (min if figure == "WindowDiff" else max)(values, key=values.__getitem__)
                    row.append(f"{ours - values[best]:+.2f} ({best})")
                verdict.rows.append(row)
    yield "## Books left out: all methods, tuned alike\n\n"
    yield f"{FOLDS} folds of books, the default features; {', '.join(sizes)}. Per cent; WindowDiff "
    yield f"and Pk are better low.\n\n{table.render('markdown')}\n\n"
    yield "The semi-Markov model less the best of its rivals by each figure:\n\n"
    yield f"{verdict.render('markdown')}\n"


def _fold(chapters: Sequence[Chapter], fold: int) -> _Fold:
    held = sorted({c.book for c in chapters})[fold::FOLDS]
    others = [c for c in chapters if c.book not in held]
    model = FeatureModel.fit([c.text for c in others], PRESETS["default"], LONGEST)
    splits = [
        (
            [k for k, c in enumerate(others) if c.book not in dev],
            [k for k, c in enumerate(others) if c.book in dev],
        )
        for dev in folds_of([c.book for c in others])
    ]
    learn = Seen(model, [c.text for c in others])
    return _Fold(learn, Seen(model, [c.text for c in chapters if c.book in held]), splits)


def _segment(
    name: str,
    fold: _Fold,
    found: dict[str, list[Segmentation]],
    chosen: dict[str, list[str]],
) -> None:
    """Tune and train a method on a fold; add its paragraphs at both offsets, and the choice."""
    option, values, options = TRIED[name]
    kind = type(name, (METHODS[name],), {"tuned": (option, values)})
    choice = choose(kind, options, fold.learn.features, fold.learn.golds, fold.splits)
    chosen.setdefault(name, []).append(f"{choice.value:g}, {choice.offset:+.2f}")
    method: Method = METHODS[name](**{**options, option: choice.value})
    method.fit(fold.learn.features, fold.learn.golds)
    decoders: list[Callable[[float], Starts]] = [method.by_offset(f) for f in fold.test.features]
    for shown, offset in (("tuned", choice.offset), ("0", 0.0)):
        found.setdefault(f"{name} {shown}", []).extend(
            Segmentation(np.diff(decoder(offset), append=features.n))
            for decoder, features in zip(decoders, fold.test.features, strict=True)
        )
