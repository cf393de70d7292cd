"""What `scoring.py` lets each side do: score an alignment of so many bisegments, and read one.

Each side runs in an interpreter of its own, so packages are imported where they are used. Ours
makes the data and writes them as JSON; peers read that and hold the bisegments as a set of pairs
of tuples, which is what they work on.
"""

from __future__ import annotations

import json
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import Any

_held: dict[str, Any] = {}
_Beads = set[tuple[tuple[int, ...], tuple[int, ...]]]
WORDS = ("the", "harbour", "was", "quiet", "before", "six;", "then", "gulls", "came", "in", "rows")
FORMATS = {"vecalign": "gold.align", "xces": "gold.xces.xml", "hunalign-ladder": "gold.ladder"}
FORMATS |= {"tsv": "gold.tsv", "jsonl": "gold.jsonl"}


def made(size: int) -> tuple[Any, Any]:
    """Make a gold standard of so many bisegments, and a copy with every twentieth merged."""
    import numpy as np

    from bitext import Alignment, Bitext, Text

    rng = np.random.default_rng(size)
    kind = rng.choice(6, size=size, p=[0.78, 0.07, 0.07, 0.03, 0.03, 0.02])
    pointers = [
        np.concatenate([[0], np.cumsum(np.array(lengths)[kind])])
        for lengths in ([1, 2, 1, 1, 0, 2], [1, 1, 2, 0, 1, 2])
    ]
    kept = np.ones(size + 1, dtype=bool)
    kept[rng.choice(np.arange(1, size), size // 20, replace=False)] = False
    alignments = [
        Alignment.from_arrays(*((ptr[which], np.arange(ptr[-1])) for ptr in pointers))
        for which in (slice(None), kept)
    ]
    texts = []
    for ptr in pointers:
        lengths = rng.integers(5, 18, size=int(ptr[-1]))
        sentences = [" ".join(WORDS[k % 11] for k in range(n, 2 * n)) for n in range(18)]
        texts.append(Text([sentences[n] for n in lengths.tolist()]))
    gold, hyp = (Bitext(texts[0], texts[1], alignment) for alignment in alignments)
    return gold, hyp


def prepare(side: str, size: int, folder: str) -> int:
    """Hold the data of a size; ours is asked first, and writes them for the others."""
    path = Path(folder) / f"{size}.json"
    if side == "bitext":
        both = _held["both"] = made(size)
        if not path.exists():
            lists = [[(b.src, b.tgt) for b in bitext.alignment] for bitext in both]
            path.write_text(json.dumps(lists), encoding="utf-8")
    else:
        lists = json.loads(path.read_text(encoding="utf-8"))
        _held["both"] = [{(tuple(src), tuple(tgt)) for src, tgt in beads} for beads in lists]
    _held["side"] = side
    return size


def score() -> dict[str, float]:
    """Score: six measures by ours, those that they have by peers."""
    gold, hyp = _held["both"]
    if _held["side"] == "nltk":
        module = import_module("nltk.metrics.scores")
        return {
            "alignment precision": module.precision(gold, hyp),
            "alignment recall": module.recall(gold, hyp),
            "alignment F": module.f_measure(gold, hyp),
        }
    if _held["side"] == "sets":
        return _by_sets(gold, hyp)
    scores = import_module("bitext.metrics").arcade(gold, hyp)
    found = {name: scores[name] for name in scores}
    return {
        "alignment precision": found["alignment"].precision,
        "alignment recall": found["alignment"].recall,
        "alignment F": found["alignment"].f1,
        "strict precision": found["strict"].precision,
        "lax precision": found["lax"].precision,
    }


def _by_sets(gold: _Beads, hyp: _Beads) -> dict[str, float]:
    """Score strict and lax, as the scorer that papers on sentence aligners use is defined."""

    def hits(reference: _Beads, tested: _Beads) -> tuple[int, int]:
        targets: defaultdict[int, set[int]] = defaultdict(set)
        for src, tgt in reference:
            for s in src:
                targets[s].update(tgt)
        strict = lax = 0
        for src, tgt in tested:
            if (src, tgt) in reference:
                strict, lax = strict + 1, lax + 1
            elif set(tgt) & set().union(*(targets[s] for s in src)):
                lax += 1
        return strict, lax

    strict, lax = hits(gold, hyp)
    paired = [{bead for bead in family if bead[0] and bead[1]} for family in (gold, hyp)]
    hits(paired[1], paired[0])
    return {"strict precision": strict / len(hyp), "lax precision": lax / len(hyp)}


def similar() -> float:
    """Work out the bisegment similarity in words, for which there is no peer."""
    from bitext.metrics.bisegment_similarity import bisegment_similarity

    gold, hyp = _held["both"]
    return float(bisegment_similarity(gold, hyp, granularity="word").value)


def written(folder: str) -> dict[str, int]:
    """Write the gold standard in several formats; return the size of each file."""
    import bitext

    gold, _ = _held["both"]
    for name, file in FORMATS.items():
        bitext.write(gold, str(Path(folder) / file), format=name)
    return {name: (Path(folder) / file).stat().st_size for name, file in FORMATS.items()}


def read(folder: str, name: str) -> int:
    """Read one of the files."""
    import bitext

    return len(bitext.read(str(Path(folder) / FORMATS[name])).alignment)
