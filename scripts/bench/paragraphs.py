"""Paragraph segmentation, measured: methods, feature groups, solvers, speed, in one run.

    python scripts/bench/paragraphs.py --data FOLDER [--report FILE] [--parts methods ablation ...]

FOLDER holds the sets of `scripts/paragraph_sets.py`.

- *methods*: of each set, all methods trained on the training parts, tuned on the development parts
  (the cost of the SVM; cost and offset of the semi-Markov model), scored on the test parts:
  accuracy, precision, recall, F1, A, B, WindowDiff, Pk with intervals by bootstrap over chapters.
  Stars tell differences to the semi-Markov model on the default features.
- *shipped*: the models in the package on the test parts, which they have not seen.
- *books*: all methods that learn, on whole books that they have not seen (three folds of books),
  with the strength of regularisation and the offset tuned alike on the training books.
- *ablation*: the semi-Markov model on the default features, less one group or family of groups.
  F1 on the development parts (trained on the training parts) and on books left out (three folds of
  books; trained on the training and development parts of the others). Test parts are not looked at.
- *duals*: dual objectives of both solvers at the same cost, run until they converge.
- *speed*: CPU seconds of one process, the least of several runs.

`--report` writes the tables as Markdown.
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from paragraphs_ablation import ablation
from paragraphs_books import TRIED, books
from paragraphs_seen import COSTS, LONGEST, Seen, segmented, tell, tuned
from paragraphs_speed import duals, speed
from results import made_today

from bitext.metrics.evaluation import Sampling
from bitext.reports.paragraphs import score_paragraphs
from bitext.reports.table import Table
from bitext.segment.features.groups import PRESETS
from bitext.segment.features.model import FeatureModel
from bitext.segment.method import f1_of
from bitext.segment.rivals import LinearSvm
from bitext.segment.segmenter import ParagraphSegmenter, make_method
from paragraph_sets import LANGUAGES, only, read_sets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from paragraphs_seen import Starts

    from bitext.model import Segmentation, Text

SVM_COSTS = (0.003, 0.01, 0.03, 0.1)
PARTS = ("methods", "shipped", "books", "ablation", "duals", "speed")
SETS = {"doyle": ("sb", "doyle"), "eng": ("eng",), "ger": ("ger",)}
_ABOUT = """\
# Paragraphs: methods, features, solvers, speed

Made by `python scripts/bench/paragraphs.py --data FOLDER --report scripts/bench/paragraphs.md`,
whose docstring tells what is measured; {}.
"""


def gold_of(text: Text) -> Segmentation:
    """Return the paragraphs of a text that has some."""
    if text.paragraphs is None:
        raise ValueError(text.name)
    return text.paragraphs


def as_paragraphs(texts: Sequence[Text], starts: Iterable[Starts]) -> list[Segmentation]:
    """Return starts as segmentations."""
    return [
        type(gold_of(text))(np.diff(found, append=len(text)))
        for text, found in zip(texts, starts, strict=True)
    ]


def methods(data: Path) -> Iterator[str]:
    """Score all methods on all sets."""
    for name, sets in SETS.items():
        chapters = read_sets(data, sets)
        found: dict[str, list[Segmentation]] = {}
        chosen = []
        for preset in ("default", "paper"):
            model = FeatureModel.fit(only(chapters, "train"), PRESETS[preset], LONGEST)
            learn, dev, test = (
                Seen(model, only(chapters, part)) for part in ("train", "dev", "test")
            )
            tell(name, preset, "semi-markov")
            weights, best, cost = tuned(learn, model.size, dev, COSTS[preset])
            chosen.append(f"{preset}: C = {cost}, offset {best:+.2f}")
            for shown, value in (("", best), (", offset 0", 0.0)):
                found[f"semi-markov, {preset}{shown}"] = as_paragraphs(
                    test.texts, [segmented(text, weights, value) for text in test.features]
                )
            for method in _rivals(preset):
                tell(name, preset, method)
                made = _tuned_svm(learn, dev) if method == "svm" else make_method(method)
                made.fit(learn.features, learn.golds)
                found[f"{method}, {preset}" if preset in _rival_presets(method) else method] = (
                    as_paragraphs(
                        test.texts,
                        [
                            made.boundaries(seen, text=text)
                            for seen, text in zip(test.features, test.texts, strict=True)
                        ],
                    )
                )
        scores = score_paragraphs([gold_of(text) for text in test.texts], found)
        told = scores.caption().rstrip().replace("\n", "\n- ").replace("*", "\\*")
        yield f"## Methods: {name}\n\n- {told}\n- semi-markov, tuned: {'; '.join(chosen)}\n\n"
        yield f"{scores.table().render('markdown')}\n\n"


def _rivals(preset: str) -> tuple[str, ...]:
    if preset == "paper":
        return ("svm", "boosting", "max-margin-chain")
    return ("svm", "boosting", "crf", "max-margin-chain", "quotes", "majority")


def _rival_presets(method: str) -> tuple[str, ...]:
    return () if method in {"quotes", "majority"} else ("default", "paper")


def _tuned_svm(learn: Seen, dev: Seen) -> LinearSvm:
    """Return an SVM with the cost that is best for F1 on the development parts, untrained."""
    tried = []
    for cost in SVM_COSTS:
        made = LinearSvm(cost=cost).fit(learn.features, learn.golds)
        tried.append((f1_of(dev.golds, [made.boundaries(text) for text in dev.features]), cost))
    return LinearSvm(cost=max(tried)[1])


def shipped(data: Path) -> Iterator[str]:
    """Score the models of the package."""
    table = Table(["model", "set", "decisions", "F1", "A", "B", "WindowDiff"])
    for language, sets in LANGUAGES.items():
        segmenter = ParagraphSegmenter.load(language)
        chapters = read_sets(data, sets)
        for name in sets:
            texts = only(chapters, "test", of=name)
            found = {language: list(segmenter.predict_many(texts))}
            scores = score_paragraphs(
                [gold_of(text) for text in texts], found, Sampling(resamples=0)
            )
            figures = (scores.value(language, k) for k in ("F1", "A", "B", "WindowDiff"))
            told = [f"{100 * value:.2f}" for value in figures]
            table.rows.append([language, name, str(scores.decisions), *told])
    yield f"## The models of the package, on the test parts\n\n{table.render('markdown')}\n"


def _versions() -> str:
    return f"{made_today('numpy', 'scikit-learn', 'python-crfsuite')}, one core"


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder of the sets")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument(
        "--methods", nargs="+", choices=TRIED, default=list(TRIED), help="those of books"
    )
    parser.add_argument("--report", type=Path, help="the file that the tables go to")
    asked = parser.parse_args()
    by_name: dict[str, Any] = {
        "methods": methods,
        "shipped": shipped,
        "books": partial(books, methods=asked.methods),
        "ablation": ablation,
        "duals": duals,
        "speed": speed,
    }
    text = _ABOUT.format(_versions())
    for part in PARTS:
        if part in asked.parts:
            section = "".join(by_name[part](asked.data))
            print(section, flush=True)
            text += f"\n{section}"
    if asked.report is not None:
        asked.report.write_text(text.rstrip() + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
