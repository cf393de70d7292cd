"""Whether word links help sentence alignment: aligned alone, and again with what links teach.

    python scripts/bench/alignment_links.py DATA [--sets NAME,...] [--report FILE]

DATA is that of `alignment_quality.py`. The texts of a pair of languages are aligned with the
defaults. The words of the beads are linked, and a lexicon is learned with them (`link_corpus`). The
texts are then aligned once more with this lexicon: whole, or without the word pairs of less than
three expected links. Of the second runs, the seconds have the first and the linking in them.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from alignment_quality import documents, names, scored, texts_of
from results import made_today

from bitext.align import Lexicon, link_corpus
from bitext.align.links.corpus import cut_sentence
from bitext.align.sentences import aligner_of, alignment_of
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from alignment_quality import Document

    from bitext import Alignment

_Result = TypeVar("_Result")
_RUNS = ("alone", "lexicon of the links", "its pairs of three links or more")
_FEWEST = 3.0  # expected links
_ABOUT = """\
# Sentence alignment with word links as evidence

Made by `python scripts/bench/alignment_links.py DATA`, whose docstring tells what is measured;
{versions}. F1 of beads, micro over a set, and seconds of CPU time.

{table}

{verdict}

The lexicon repeats what the first alignment holds, mistakes included. It lifts most of the sets,
and lowers the one of scanned books (text+berg), at two to three times the cost: so `bitext align`
does not do this by itself. Two commands do: `bitext link A B --align --save-lexicon FILE`, then
`bitext align A B --lexicon FILE`.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", type=names, default=[])
    parser.add_argument("--report", type=Path)
    options = parser.parse_args(arguments)
    folders = sorted(path for path in options.data.iterdir() if (path / "README.md").exists())
    made = Table(["set", *(f"{run}{unit}" for run in _RUNS for unit in ("", ", s"))])
    sums = [0.0] * len(_RUNS)
    rows = 0
    for folder in folders:
        if options.sets and folder.name not in options.sets:
            continue
        figures = measured(list(documents(folder)))
        cells = [part for f1, seconds in figures for part in (number(f1), f"{seconds:.1f}")]
        made.rows.append([folder.name, *cells])
        sums = [total + f1 for total, (f1, _) in zip(sums, figures, strict=True)]
        rows += 1
        print(*made.rows[-1], flush=True)
    means = ", ".join(
        f"{name}: {total / rows:.4f}" for name, total in zip(_RUNS, sums, strict=True)
    )
    report = _ABOUT.format(
        versions=made_today("numpy"),
        table=made.render("markdown").rstrip("\n"),
        verdict=f"Means of the sets: {means}.",
    )
    print(report)
    if options.report:
        options.report.write_text(report, encoding="utf-8")
    return 0


def measured(docs: list[Document]) -> list[tuple[float, float]]:
    """Return F1 of beads and seconds of each run over a set."""
    pairs = sorted({doc.langs for doc in docs})
    groups = [[doc for doc in docs if doc.langs == langs] for langs in pairs]
    found: list[list[Alignment]] = [[] for _ in _RUNS]
    seconds = [0.0] * len(_RUNS)
    for group in groups:
        first, alone = timed(partial(aligned, group, None))
        lexicon, linking = timed(partial(learned, group, first))
        for run, given in enumerate((None, lexicon, frequent(group, first, lexicon))):
            if run == 0:
                found[0] += first
                seconds[0] += alone
                continue
            again, cost = timed(partial(aligned, group, given))
            found[run] += again
            seconds[run] += alone + linking + cost
    ordered = [doc for group in groups for doc in group]
    return [
        (scored(ordered, alignments)["alignment"].f1, cost)
        for alignments, cost in zip(found, seconds, strict=True)
    ]


def timed(work: Callable[[], _Result]) -> tuple[_Result, float]:
    """Return a result with its CPU seconds."""
    begun = time.process_time()
    result = work()
    return result, time.process_time() - begun


def aligned(docs: list[Document], lexicon: Lexicon | None) -> list[Alignment]:
    """Return the alignments of documents, aligned together."""
    aligner = aligner_of([texts_of(doc) for doc in docs], lexicon=lexicon)
    aligner.run()
    return [alignment_of(aligner, k) for k in range(len(docs))]


def beads(docs: list[Document], alignments: list[Alignment]) -> tuple[list[list[str]], ...]:
    """Return the words of both sides of the beads with two sides."""
    sides: tuple[list[list[str]], list[list[str]]] = ([], [])
    for doc, alignment in zip(docs, alignments, strict=True):
        texts = [list(text.segments()) for text in texts_of(doc)]
        for bead in alignment:
            if bead.src and bead.tgt:
                for side, text, members in zip(sides, texts, (bead.src, bead.tgt), strict=True):
                    side.append([word for k in members for word in cut_sentence(text[k])])
    return sides


def learned(docs: list[Document], alignments: list[Alignment]) -> Lexicon:
    """Return the lexicon of the words of beads."""
    return link_corpus(*beads(docs, alignments)).lexicon


def frequent(docs: list[Document], alignments: list[Alignment], lexicon: Lexicon) -> Lexicon:
    """Return the lexicon without pairs of few expected links."""
    counts: dict[str, int] = {}
    for sentence in beads(docs, alignments)[0]:
        for word in sentence:
            counts[word.lower()] = counts.get(word.lower(), 0) + 1
    lines = []
    for line in lexicon.lines():
        cells = line.split("\t")
        few = len(cells) >= 4 and counts.get(cells[0], 0) * float(cells[2]) < _FEWEST
        if not few:
            lines.append(line)
    return Lexicon.of_lines(lines)


if __name__ == "__main__":
    sys.exit(main())
