"""What `clusters.py` lets each side do: align a made cluster of sentences of one event."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

SWAPPED = 0.5  # the share of words of a made sentence that it does not have from its model
_held: dict[str, Any] = {}


def made(sentences: int, words: int = 33) -> list[list[str]]:
    """Make a cluster: five sentences of words as frequent as in a text, half of them exchanged."""
    rng = random.Random(sentences)  # noqa: S311 - made data
    stock = range(2000)
    often = [1 / (rank + 2) for rank in stock]
    seeds = [rng.choices(stock, often, k=words) for _ in range(5)]
    out = []
    for _ in range(sentences):
        other = rng.choices(stock, often, k=words)
        pairs = zip(rng.choice(seeds), other, strict=True)
        out.append([f"w{new if rng.random() < SWAPPED else old}" for old, new in pairs])
    return out


def prepare(side: str, sentences: int) -> int:
    """Hold a cluster, as the side wants it."""
    held = made(sentences)
    _held["side"] = side
    if side == "bitext":
        model = import_module("bitext")
        _held["cluster"] = model.Cluster([model.Sentence(forms) for forms in held], id="made")
    else:
        _held["cluster"] = [
            {"id": f"w{k}", "tokens": [{"t": word, "n": word} for word in words]}
            for k, words in enumerate(held)
        ]
    return len(held)


def align(preset: str) -> int:
    """Align, and return the number of nodes."""
    if _held["side"] == "bitext":
        lattice = import_module("bitext.align").align_cluster(_held["cluster"], preset=preset)
        return len(lattice) - 2
    graph = import_module("collatex").collate(
        {"witnesses": _held["cluster"]}, output="graph", segmentation=False
    )
    return sum(bool(vertex.tokens) for vertex in graph.vertices())
