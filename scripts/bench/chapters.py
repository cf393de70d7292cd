"""Pairing of chapters by content: shares of right pairs, where names and order tell nothing.

    python scripts/bench/chapters.py DATA ... [--runs N] [--report FILE]

DATA are the folders of texts with gold alignments that `alignment_quality.py` takes. Each text of
more than 150 sentences is cut at beads into 20, and into 8, chapters of about as many sentences.
Of each side one chapter in seven is left out, by chance, and the target chapters are shuffled, or
left in their order, which `pair_documents` does not know. *Right* are the pairs of the chapters
that both sides have; *sure* those with a probability of .9 at least. CPU is that of one run.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

from alignment_quality import documents, texts_of
from results import made_today

from bitext.align.documents import pair_documents
from bitext.model import Text
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from alignment_quality import Document

Chapter = tuple[Text, Text]

_COLUMNS = ["text", "chapters", "order", "pairs", "right", "wrong", "sure", "sure, wrong", "CPU s"]
_LEAST = 150  # sentences of a text that is cut
_MOST = 2_000  # beads that are taken of a longer one
_CHANCE = 0.5  # probability from which the command pairs two texts
_SURE = 0.9
_ABOUT = """\
# Chapters paired by content

Made by `python scripts/bench/chapters.py`, whose docstring tells what is measured; {versions}.

"""


def chapters_of(doc: Document, count: int) -> list[Chapter]:
    """Return the chapters of a text, cut where a bead ends."""
    src, tgt = texts_of(doc)
    sides = list(src.segments()), list(tgt.segments())
    beads = list(doc.gold.alignment)[:_MOST]
    total = max(bead.src[-1] for bead in beads if bead.src) + 1
    chapters: list[Chapter] = []
    begin, end = (0, 0), (0, 0)
    for bead in beads:
        end = (
            max([end[0], *(k + 1 for k in bead.src)]),
            max([end[1], *(k + 1 for k in bead.tgt)]),
        )
        if end[0] >= total * (len(chapters) + 1) / count or bead is beads[-1]:
            both = (
                Text(side[first:last]) for side, first, last in zip(sides, begin, end, strict=True)
            )
            one, two = both
            chapters.append((one, two))
            begin = end
    return chapters


def paired(chapters: list[Chapter], *, shuffled: bool, seed: int) -> Iterator[tuple[bool, float]]:
    """Yield whether each pair is right, and its probability; pairs that are possible come last."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    count = len(chapters)
    src, tgt = (sorted(chance.sample(range(count), count - count // 7)) for _ in range(2))
    if shuffled:
        chance.shuffle(tgt)
    pairing = pair_documents([chapters[k][0] for k in src], [chapters[k][1] for k in tgt])
    for pair in pairing.pairs:
        if pair.probability >= _CHANCE:
            yield src[pair.src] == tgt[pair.tgt], pair.probability
    yield from ((False, 0.0) for _ in {*src} & {*tgt})


def row_of(name: str, chapters: list[Chapter], *, shuffled: bool, runs: int) -> list[str]:
    """Return the row of a text."""
    begun = time.process_time()
    rows = [row for seed in range(runs) for row in paired(chapters, shuffled=shuffled, seed=seed)]
    seconds = (time.process_time() - begun) / runs
    possible = sum(not chance for _, chance in rows)
    right, wrong = (sum(is_right is one for is_right, p in rows if p) for one in (True, False))
    sure, faults = (
        sum(is_right is one for is_right, p in rows if p >= _SURE) for one in (True, False)
    )
    order = "shuffled" if shuffled else "kept"
    shares = [f"{count / possible:.3f}" for count in (right, wrong, sure, faults)]
    return [name, f"{len(chapters)}", order, f"{possible}", *shares, f"{seconds:.2f}"]


def main() -> int:
    """Print a line for each text, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    table = Table(_COLUMNS, right={1, *range(3, len(_COLUMNS))})
    for doc in (doc for folder in options.data for doc in documents(folder)):
        if len(texts_of(doc)[0]) < _LEAST:
            continue
        for count in (20, 8):
            chapters = chapters_of(doc, count)
            for shuffled in (False, True):
                row = row_of(
                    f"{doc.set_name}/{doc.name}", chapters, shuffled=shuffled, runs=options.runs
                )
                print("\t".join(row), flush=True)
                table.rows.append(row)
    if options.report:
        report = _ABOUT.format(versions=made_today("numpy")) + table.render("markdown")
        options.report.write_text(report, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
