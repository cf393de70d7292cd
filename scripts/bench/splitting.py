"""Cost of `bitext split` and `bitext stats`, and an exact search for near-duplicates across parts.

    python scripts/bench/splitting.py [--pairs 30000] [--report FILE]

The corpus is made: sentence pairs of words by Zipf's law; one in ten has a copy behind it, most of
them with one word changed on the source side. The exact search finds every pair of a Jaccard
coefficient of 0.8 by prefix filtering (Chaudhuri, Ganti and Kaushik 2006), without hashes. CPU
seconds and memory are those of a process of its own for each command.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from itertools import accumulate
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from command import measured

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

_VOCABULARY = 30_000
_NEAR = 0.8


def make(path: Path, pairs: int) -> None:
    """Write the corpus: a table of source and target without a header."""
    rng = random.Random(1)  # noqa: S311 - a corpus, no secret
    words = rng.choices(
        range(_VOCABULARY), cum_weights=list(accumulate(1 / (r + 2) for r in range(_VOCABULARY))),
        k=400_000,
    )  # fmt: skip
    with path.open("w", encoding="utf-8") as out:
        for _ in range(pairs):
            src = [f"w{rng.choice(words)}" for _ in range(int(rng.gammavariate(3, 5)) + 1)]
            tgt = [f"{word}x" for word in src if rng.random() < 0.9] or ["x"]
            out.write(f"{' '.join(src)}\t{' '.join(tgt)}\n")
            if rng.random() < 0.1:
                if rng.random() < 0.7 and len(src) > 6:
                    src[rng.randrange(len(src))] = "new"
                out.write(f"{' '.join(src)}\t{' '.join(tgt)}\n")


def cost(folder: str, *arguments: str) -> tuple[float, float]:
    """Run a command; return its CPU seconds, and its largest memory in megabytes."""
    took = measured([sys.executable, "-m", "bitext", *arguments], Path(folder))
    if took.status:
        raise SystemExit(f"bitext {' '.join(arguments)}: status {took.status}: {took.said}")
    return took.cpu, took.peak


def near_pairs(parts: Sequence[Path]) -> tuple[int, int]:
    """Return the numbers of pairs of near-duplicates across parts, and within one."""
    rows = []
    for part in parts:
        for line in part.read_text("utf-8").splitlines():
            sides = line.split("\t")
            words = {(side, word) for side, text in enumerate(sides) for word in text.split()}
            rows.append((part, words))
    frequency = Counter(word for _, words in rows for word in words)
    index: dict[tuple[int, str], list[int]] = defaultdict(list)
    across = within = 0
    for number, (part, words) in enumerate(rows):
        rarest = sorted(words, key=lambda word: (frequency[word], word))
        candidates = set()
        # Two sets that are near share one of so many of their rarest words.
        for word in rarest[: len(words) - ceil(_NEAR * len(words)) + 1]:
            candidates.update(index[word])
            index[word].append(number)
        for other in candidates:
            place, others = rows[other]
            if len(words & others) >= _NEAR * len(words | others):
                across += place != part
                within += place == part
    return across, within


def main() -> None:
    """Run all commands; print the table, or write it to the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=30_000)
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    head = ["command", "CPU s", "memory, MB", "near-duplicates across parts", "within"]
    table = Table(head, right={1, 2, 3, 4})
    with TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.tsv")
        make(corpus, given.pairs)
        size = len(corpus.read_text("utf-8").splitlines())
        seconds, memory = cost(folder, "stats", str(corpus), "-q")
        table.rows.append(["stats", f"{seconds:.1f}", f"{memory:.0f}", "", ""])
        costs = {}
        for near in ("0.8", "0"):
            wanted = ["split", "90/5/5", str(corpus), "-o", str(Path(folder, near))]
            costs[near] = cost(folder, *wanted, "--near", near, "-q")
        for near, (seconds, memory) in costs.items():
            across, within = near_pairs(sorted(Path(folder, near).iterdir()))
            name = f"split 90/5/5 --near {near}"
            cells = [f"{seconds:.1f}", f"{memory:.0f}", f"{across:,}", f"{within:,}"]
            table.rows.append([name, *cells])
    about = f"{size:,} sentence pairs, made by `scripts/bench/splitting.py`.\n\n"
    report = f"# Splits and statistics\n\n{about}{table.render('markdown')}"
    if given.report:
        given.report.write_text(report, encoding="utf-8")
    else:
        sys.stdout.write(report)


if __name__ == "__main__":
    main()
