#!/usr/bin/env python3
"""Train the built-in English tagger and parser on the Penn-style trees of GUM.

    scripts/train_english.py FOLDER --dev        train on the training documents, tell the scores
    scripts/train_english.py FOLDER -o FILE      train on all documents, write the model

FOLDER holds `GUM_*.ptb`; the genres whose texts are CC BY are taken (academic, court, interview,
news), the others are left out. The model of the package is `bitext/syntax/english/english.npz`.
Seeded: the same data, numpy and machine give the same model.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.one_thread import one_thread
from bitext.syntax.english import EnglishParser
from bitext.syntax.english.features import pack
from bitext.syntax.english.parser import WAYS, Grammar
from english_training import LearntParser, LearntTagger
from english_trees import (
    DEVELOPMENT,
    Example,
    examples,
    fewer_labels,
    joined,
    read,
    shared_brackets,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.model.sentence import Tree

_TOP = 8.0  # the largest weight that is kept as it is; sets the step of all
_FOLDS = 8  # taggers that tag what they were not trained on, for the parser to learn from


def main() -> int:
    """Train, and tell how well it went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dev", action="store_true", help="hold the development documents back")
    parser.add_argument(
        "-o", "--output", type=Path, help="the model to write; with --dev a file aside if not given"
    )
    parser.add_argument("--rounds", type=int, default=4, help="rounds over the trees (%(default)s)")
    parser.add_argument(
        "--drop", type=float, default=0.25, help="part of the features that is hidden (%(default)s)"
    )
    parser.add_argument("--rate", type=float, default=0.08, help="size of a step (%(default)s)")
    parser.add_argument("--decay", type=float, default=0.0, help="pull to 0 (%(default)s)")
    parser.add_argument("--least", type=float, default=0.05, help="smaller weights are dropped")
    parser.add_argument("--seed", type=int, default=1, help="of what is random (%(default)s)")
    parser.add_argument("--first", type=int, help="train on that many sentences only, for a try")
    asked = parser.parse_args()
    if asked.output is None and not asked.dev:
        parser.error("no file for the model; want -o FILE, or --dev to tell the scores alone")
    if asked.output and not asked.output.parent.is_dir():
        parser.error(
            f"{asked.output.parent} is not a folder; want -o FILE in a folder that is there"
        )
    documents, left_out = read(asked.folder)
    if left_out:
        print(f"left out, as no CC BY genre: {left_out} documents of {left_out + len(documents)}")
    needed = DEVELOPMENT if asked.dev else ("GUM_*",)
    missing = [name for name in needed if not documents or (asked.dev and name not in documents)]
    if missing:
        parser.error(f"{asked.folder} has no {missing[0]}.ptb; want the folder of the trees of GUM")
    held = [tree for name in DEVELOPMENT for tree in documents.get(name, [])]
    trees = [
        tree
        for name, found in documents.items()
        if not (asked.dev and name in DEVELOPMENT)
        for tree in found
    ][: asked.first]
    output = asked.output or Path(tempfile.mkdtemp()) / "english.npz"
    began = time.process_time()
    with one_thread():
        train(trees, output, asked)
    print(f"trained in {time.process_time() - began:.0f} CPU-seconds")
    print(f"{output}: {output.stat().st_size / 1e6:.2f} MB")
    if asked.dev:
        print(evaluate(held, output))
    return 0


def train(trees: Sequence[Tree], output: Path, asked: argparse.Namespace) -> None:
    """Learn from trees, and write the model."""
    rng = np.random.default_rng(asked.seed)
    both = [(k, version) for k, tree in enumerate(trees) for version in {tree: 0, joined(tree): 1}]
    data = examples(tree for _, tree in both)
    tags = sorted({tag for example in data for tag in example.tags})
    given = jackknife(data, [k for k, _ in both], tags, rng)
    right = sum(
        a == b
        for example, row in zip(data, given, strict=True)
        for a, b in zip(example.tags, row, strict=True)
    )
    tell(f"tags of taggers that did not see the sentence: {right / sum(map(len, given)):.4f} right")
    tagger = LearntTagger(tags)
    tagger.learn(data, rounds=8, rng=rng)
    arrays = {
        "tagger_tags": np.array(tags),
        "tagger_following": tagger.following.weights.astype(np.float16),
        **pack(tagger.table.slots, tagger.table.weights, "tagger", least=asked.least, top=_TOP),
        **learn_trees(data, given, rng, asked),
    }
    aside = output.with_name(f".{output.name}.part")  # a try that is stopped spoils no model
    with aside.open("wb") as file:  # given a name, numpy would add `.npz` to it
        np.savez_compressed(file, allow_pickle=False, **arrays)
    aside.replace(output)


def learn_trees(
    data: Sequence[Example],
    given: Sequence[Sequence[str]],
    rng: np.random.Generator,
    asked: argparse.Namespace,
) -> dict[str, NDArray[np.generic]]:
    """Learn from left to right and from right to left; return the packed weights."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for way in WAYS:
        if way == "backward":
            data = [example.mirrored() for example in data]
            given = [row[::-1] for row in given]
        parser = LearntParser(Grammar(*fewer_labels(data)))
        tell(f"{way}: {len(data)} sentences, {len(parser.grammar.states)} states")
        parser.learn(
            data,
            given,
            rounds=asked.rounds,
            rng=rng,
            drop=asked.drop,
            rate=asked.rate,
            decay=asked.decay,
            tell=tell,
        )
        arrays |= parser.grammar.packed(way)
        arrays |= {f"{way}_{k}": v.weights.astype(np.float16) for k, v in parser.rules.items()}
        for name, table in (("own", parser.own), ("left", parser.left)):
            arrays |= pack(table.slots, table.weights, f"{way}_{name}", least=asked.least, top=_TOP)
    return arrays


def tell(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def jackknife(
    data: Sequence[Example], origin: Sequence[int], tags: Sequence[str], rng: np.random.Generator
) -> list[list[str]]:
    """Return the tags of each sentence from a tagger that did not see it, nor its neighbours."""
    blocks = rng.integers(0, _FOLDS, size=max(origin) // 10 + 1)
    fold = [int(blocks[k // 10]) for k in origin]
    given: list[list[str]] = [[] for _ in data]
    for held in range(_FOLDS):
        tagger = LearntTagger(tags)
        others = [example for example, f in zip(data, fold, strict=True) if f != held]
        tagger.learn(others or data, rounds=4, rng=rng)
        for k, example in enumerate(data):
            if fold[k] == held:
                given[k] = tagger.tag(example.words)
    return given


def evaluate(trees: Sequence[Tree], model: Path) -> str:
    """Return the scores of a model on trees, as text."""
    parser = EnglishParser(model)
    parser.tag(["load"])
    began = time.process_time()
    found = list(parser.parse_tokens([tree.words for tree in trees]))
    took = time.process_time() - began
    words = sum(len(tree.words) for tree in trees)
    tags = sum(
        a == b
        for gold, hyp in zip(trees, found, strict=True)
        for a, b in zip(gold.tags, hyp.tags, strict=True)
    )
    shared, proposed, expected = shared_brackets(trees, found)
    return (
        f"{len(trees)} sentences, {words} tokens: tags {tags / words:.4f} right, brackets "
        f"P {shared / proposed:.4f} R {shared / expected:.4f} "
        f"F {2 * shared / (proposed + expected):.4f}, "
        f"{words / took:.0f} tokens a CPU-second"
    )


if __name__ == "__main__":
    sys.exit(main())
