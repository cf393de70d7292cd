"""Which groups of features the semi-Markov model owes its F1 to."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from paragraphs_seen import COST, COSTS, LONGEST, Seen, segmented, semi_markov, tell

from bitext.reports.table import Table
from bitext.segment.features.groups import GROUPS, PRESETS
from bitext.segment.features.model import FeatureModel
from bitext.segment.method import f1_of
from paragraph_sets import LANGUAGES, Chapter, read_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from paragraphs_seen import Starts

FOLDS = 3
OFFSET = 0.25  # near the best for all
FAMILIES = {
    "quotation marks": ("quotes", "marks", "marks-joined", "ends", "ends-joined"),
    "forms of sentences": ("form", "forms-joined", "form-lengths", "narration"),
    "speech": ("speech", "speech-joined"),
    "words": ("words", "first-word", "first-words", "first-words-joined", "last-word"),
    "likeness": ("overlap", "cosine", "topic-shift", "drop", "edge-cosine"),
    "conjunctions": tuple(name for name in GROUPS if name.endswith(("-joined", "-lengths"))),
    "edges": tuple(name for name in GROUPS if name.startswith("edge-")),
    "edges but the length": tuple(
        name for name in GROUPS if name.startswith("edge-") and name != "edge-length"
    ),
}


def ablation(data: Path) -> Iterator[str]:
    """Score the semi-Markov model less groups of features."""
    columns: dict[str, dict[str, str]] = {}
    for sets in LANGUAGES.values():
        chapters = [c for c in read_sets(data, sets) if c.part != "test"]
        books = sorted({c.book for c in chapters})
        held: list[Callable[[Chapter], bool]] = [
            partial(of_fold, books[fold::FOLDS]) for fold in range(FOLDS)
        ]
        dev = _ablated(chapters, lambda c: c.part == "dev")
        out: dict[tuple[str, str], list[tuple[Starts, Starts]]] = {}
        for fold in held:
            for place, pairs in _ablated(chapters, fold).items():
                out.setdefault(place, []).extend(pairs)
        for (shown, name), pairs in dev.items():
            cells = columns.setdefault(shown, {})
            cells[f"{name} dev"] = _percent(pairs)
            cells[f"{name} books out"] = _percent(out[shown, name])
    heads = [
        f"{name} {what}"
        for sets in LANGUAGES.values()
        for name in sets
        if name != "sb"
        for what in ("dev", "books out")
    ]
    table = Table(["features", *heads])
    table.rows = [[shown, *(cells[head] for head in heads)] for shown, cells in columns.items()]
    yield f"## Ablation: F1 of the semi-Markov model, offset {OFFSET:+}\n\nOne model serves both "
    yield f"English sets.\n\n{table.render('markdown')}\n"


def of_fold(books: Sequence[str], chapter: Chapter) -> bool:
    """Tell whether a chapter is of one of the books."""
    return chapter.book in books


def _ablated(
    chapters: Sequence[Chapter], held: Callable[[Chapter], bool]
) -> dict[tuple[str, str], list[tuple[Starts, Starts]]]:
    """Return gold and found starts of what is held back, by features and set."""
    full = PRESETS["default"]
    others = {
        "all (default)": full,
        "less neighbours": replace(full, neighbours=0),
        "numbers by min-max, not in bins": replace(full, scale="min-max"),
        "the paper's features": PRESETS["paper"],
    }
    texts = [c.text for c in chapters if not held(c)]
    tests = [c for c in chapters if held(c)]
    found: dict[tuple[str, str], list[tuple[Starts, Starts]]] = {}

    def score(shown: str, learn: Seen, test: Seen, size: int) -> None:
        cost = COST if shown != "the paper's features" else COSTS["paper"][-1]
        weights = semi_markov(learn, size, cost=cost)
        for chapter, features, gold in zip(tests, test.features, test.golds, strict=True):
            ours = segmented(features, weights, OFFSET)
            found.setdefault((shown, chapter.of), []).append((gold, ours))

    for shown, options in others.items():
        tell("ablation", shown, tests[-1].of)
        model = FeatureModel.fit(texts, options, LONGEST)
        learn, test = Seen(model, texts), Seen(model, [c.text for c in tests])
        score(shown, learn, test, model.size)
        if options is full:
            for family, names in FAMILIES.items():
                gone = [k for k, name in enumerate(full.groups) if name in names]
                kept = ~np.isin(model.groups(), gone)
                score(f"less {family}", learn.less(kept), test.less(kept), model.size)
    return found


def _percent(pairs: Sequence[tuple[Starts, Starts]]) -> str:
    return f"{100 * f1_of([gold for gold, _ in pairs], [ours for _, ours in pairs]):.1f}"
