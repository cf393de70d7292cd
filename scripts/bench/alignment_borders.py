"""What borders of paragraphs do for sentence alignment, where they agree and where they do not.

    python scripts/bench/alignment_borders.py --data FOLDER [--methods lexical] [--sets NAME,...]
        [--report FILE]

FOLDER and the options are as in `alignment_quality.py`. Texts are taken as in
`alignment_passages.py`, each aligned by itself. Borders are put at one in eight of the points that
no bead of the gold standard is on both sides of, chosen by chance:

- `none`: there are none; `agree`: both texts have all of them;
- `joined 5 %`: so many are missing in the target; `divided 5 %`: the source has so many more, at
  any place; `both 5 %`: both of these;
- `moved 5 %`: so many of the target are elsewhere, so both texts have as many;
- `unrelated`: those of both texts are at any places, as many on both sides;
- `pages`: both texts are divided after every 2,000 characters, at the end of a sentence.

Figures are F1 over beads with both sides, micro over a set.
"""

from __future__ import annotations

import argparse
import random
import sys
from typing import TYPE_CHECKING

import alignment_passages as passages
import alignment_quality as quality
import numpy as np

from bitext.align.sentences import align_sentences
from bitext.model import Segmentation, Text
from bitext.reports.table import Table, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext import Alignment

_EVERY = 8
_PAGE = 2000  # characters
CASES = (
    *("none", "agree"),
    *(f"{how} {share} %" for share in (5, 20) for how in ("joined", "divided", "both", "moved")),
    *("unrelated", "pages"),
)

_ABOUT = """\
# Sentence alignment: borders of paragraphs that agree, and that do not

Made by `{command}`,
whose docstring tells what is measured; {versions}.

F1 over beads with both sides, micro over the texts of a set.

"""


def borders(
    base: passages.Base, case: str, texts: Sequence[Sequence[str]]
) -> tuple[list[int], list[int]]:
    """Return the borders of both sides in a case."""
    if case == "pages":
        ends = [np.cumsum([len(line) for line in lines]) // _PAGE for lines in texts]
        made = [(np.flatnonzero(np.diff(side)) + 1).tolist() for side in ends]
        return made[0], made[1]
    chance = random.Random(7)  # noqa: S311 - no secret
    points = base.points[1:-1].tolist()
    chosen = sorted(chance.sample(points, len(points) // _EVERY))
    sides = [row for row, _ in chosen], [column for _, column in chosen]
    if case == "unrelated":
        made = [chance.sample(range(1, size), len(chosen)) for size in base.size]
        return sorted(made[0]), sorted(made[1])
    how, _, given = case.partition(" ")
    many = round(int(given.partition(" ")[0] or 0) / 100 * len(chosen)) if given else 0
    if how in {"joined", "both", "moved"}:
        gone = set(chance.sample(sides[1], many))
        sides = sides[0], [column for column in sides[1] if column not in gone]
    for side, wanted in enumerate((how in {"divided", "both"}, how == "moved")):
        if wanted:
            free = sorted(set(range(1, base.size[side])) - set(sides[side]))
            sides[side].extend(chance.sample(free, many))
    return sorted(sides[0]), sorted(sides[1])


def aligned(
    bases: Sequence[passages.Base], method: str, case: str
) -> Iterator[tuple[passages.Base, passages.Changed, Alignment]]:
    """Yield each text with its two sides in a case, and their alignment."""
    for base in bases:
        made = passages.changed(base, "whole", [])
        if made is None:
            continue
        parted = borders(base, case, made.texts) if case != "none" else None
        texts = [
            Text(
                lines,
                paragraphs=Segmentation.from_boundaries(parted[side], len(lines))
                if parted
                else None,
            )
            for side, lines in enumerate(made.texts)
        ]
        yield base, made, align_sentences(texts[0], texts[1], method=method)


def f1(bases: Sequence[passages.Base], method: str, case: str) -> float:
    """Return F1 of a method in a case, micro over texts."""
    totals = np.zeros(3, dtype=np.int64)
    for base, made, alignment in aligned(bases, method, case):
        totals += passages.right_of(base, made, alignment)
    right, found_all, expected = totals.tolist()
    return float(2 * right / max(found_all + expected, 1))


def tables(options: argparse.Namespace) -> Iterator[tuple[str, Table]]:
    """Yield the figures of each method."""
    bench = passages.Bench(options)
    for method in options.methods:
        sets = [(name, bases) for name, bases, _ in bench.sets()]
        made = Table(["case", *(name for name, _ in sets)], right=set(range(1, 20)), quiet={0})
        for case in CASES:
            made.rows.append([case, *(number(f1(bases, method, case)) for _, bases in sets)])
            quality.told([method, *made.rows[-1]])
        yield method, made


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    quality.add_options(parser)
    parser.set_defaults(methods=["lexical"])
    options = parser.parse_args(arguments)
    quality.report_by_method(__file__, _ABOUT, tables(options), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
