#!/usr/bin/env python3
"""Train the paragraph models that ship with the package.

    scripts/train_paragraphs.py FOLDER -o bitext/segment/models/    write en.npz and de.npz
    scripts/train_paragraphs.py FOLDER --languages de               tell the scores alone

FOLDER holds the sets of `paragraph_sets.py`. Of each language, a model is trained on the training
parts first, and scored on the others. The model that is written is trained on the training and
development parts; it has not seen the test parts. Weights near 0 are left out and the others kept
in half precision; what that costs is told. Seeded: the same data and numpy give the same files.
"""

from __future__ import annotations

import argparse
import sys
import time
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bitext.errors import BitextError
from bitext.segment.features.groups import options_of
from bitext.segment.segmenter import ParagraphSegmenter
from paragraph_sets import LANGUAGES, Chapter, only, read_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.segment.features.groups import FeatureOptions
    from bitext.segment.training import SemiMarkov

# Tuned on development parts and on books left out of training, where F1 is flat around these.
COST = {"en": 0.01, "de": 0.01}
PASSES = {"en": 20, "de": 10}
OFFSET = {"en": 0.25, "de": 0.4}
LEAST = 1e-3  # a boundary that is wrong costs 1

_RIGHTS = (
    "The texts are in the public domain in the United States; English ones as Standard Ebooks "
    "(CC0 1.0) and German ones as ELTeC-deu (level 1, markup left out) have them."
)


@dataclass(frozen=True)
class Settings:
    """How a model is trained."""

    features: FeatureOptions
    cost: float
    passes: int
    least: float
    seed: int

    def segmenter(self, offset: float | str) -> ParagraphSegmenter:
        """Return a segmenter of these settings that has learned nothing yet."""
        return ParagraphSegmenter(
            features=self.features,
            solver="bcfw",
            cost=self.cost,
            passes=self.passes,
            offset=offset,
            seed=self.seed,
        )


def main() -> int:
    """Train the models asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="the folder that the models go to")
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--features", default="default", help="a preset (%(default)s)")
    parser.add_argument("--cost", type=float, help="C, a text; default: that of the language")
    parser.add_argument("--passes", type=int, help="default: those of the language")
    parser.add_argument(
        "--tune-offset", action="store_true", help="tune the offset for F1 on development parts"
    )
    parser.add_argument(
        "--least", type=float, default=LEAST, help="smaller weights are left out (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the order of texts (%(default)s)")
    asked = parser.parse_args()
    if asked.output is not None and not asked.output.is_dir():
        parser.error(f"{asked.output} is not a folder; want -o FOLDER that is there")
    try:
        for language in asked.languages:
            settings = Settings(
                options_of(asked.features),
                COST[language] if asked.cost is None else asked.cost,
                PASSES[language] if asked.passes is None else asked.passes,
                asked.least,
                asked.seed,
            )
            offset = "tuned" if asked.tune_offset else OFFSET[language]
            _make(language, asked.folder, asked.output, settings, offset)
    except BitextError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    return 0


def _make(
    language: str, folder: Path, output: Path | None, settings: Settings, offset: float | str
) -> None:
    chapters = read_sets(folder, LANGUAGES[language])
    begun = time.process_time()
    tuned = settings.segmenter(offset)
    tuned.fit(only(chapters, "train"), held_out=only(chapters, "dev"))
    small = pruned(tuned, settings.least)
    taken = time.process_time() - begun
    print(f"{language}: offset {tuned.offset_:+.2f}, {taken:.0f} CPU-seconds")
    scores: dict[str, dict[str, float]] = {}
    for name in LANGUAGES[language]:
        for part in ("dev", "test"):
            texts = only(chapters, part, of=name)
            whole, less = (round(100 * model.score(texts), 2) for model in (tuned, small))
            print(f"  {name} {part}: F1 {whole}, pruned {less}")
            scores.setdefault(name, {})[part] = less
    if output is None:
        return
    shipped = settings.segmenter(tuned.offset_).fit(only(chapters, "train", "dev"))
    shipped = pruned(shipped, settings.least)
    shipped.card_ |= _card(language, chapters, scores)
    test = {
        name: round(100 * shipped.score(only(chapters, "test", of=name)), 2)
        for name in LANGUAGES[language]
    }
    shipped.card_["F1 on the test parts"] = test
    path = output / f"{language}.npz"
    shipped.save(path)
    told = ", ".join(f"{name} {value}" for name, value in test.items())
    print(f"  shipped: test F1 {told}; {shipped.features_.size:,} weights, ", end="")
    print(f"{path.stat().st_size:,} bytes")


def _card(
    language: str, chapters: Sequence[Chapter], scores: dict[str, dict[str, float]]
) -> dict[str, Any]:
    return {
        "language": language,
        "data": sorted({f"{chapter.of}/{chapter.book}" for chapter in chapters}),
        "rights": _RIGHTS,
        "parts": "trained on the training and development parts of these books, up to 93%",
        "F1 of the same without the development parts": scores,
    }


def pruned(segmenter: ParagraphSegmenter, least: float) -> ParagraphSegmenter:
    """Return a trained semi-Markov model without weights near 0, the rest in half precision."""
    features, old = segmenter.features_.pruned(np.abs(segmenter.weights_) >= least)
    method = cast("SemiMarkov", copy(segmenter.method_))
    method.weights = segmenter.weights_[old].astype(np.float16)
    made = copy(segmenter)
    made.features_, made.method_ = features, method
    made.card_ = dict(segmenter.card_)
    return made


if __name__ == "__main__":
    sys.exit(main())
