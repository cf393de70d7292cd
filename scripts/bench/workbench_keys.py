"""Key presses from the aligner's proposal to gold, in the editor of the workbench.

    python scripts/bench/workbench_keys.py FOLDER ... [--report FILE]

FOLDER has texts with gold as `NAME.align` (one bead a line, `[0, 1]:[2]`) and `NAME.LANG`, one
sentence a line; folders below it, too. What is counted is the least number of keys that makes the
proposal of `bitext align` the gold standard, each bead confirmed: A* over the editor's own
operations (`workbench_keys.js`, run in Chromium). Confirming alone takes one key a bead. The same
for InterText by its guide (czcorpus/InterText_editor, manual, "Correcting alignment"): Enter,
Backspace, Ctrl and arrows, Ctrl and Enter or Backspace, one arrow key to read on; chords are one
key. Proposal and gold are compared by stretches between the borders that they share. Stretches
whose gold crosses (InterText has no crossing links) or that need more than the search looks at are
left out of both sums, and the beads in them counted.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.align import align_sentences
from bitext.workbench.standalone import bundle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from reference.browser import browser_or_skip  # type: ignore[import-not-found]

_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")

_ABOUT = """\
The least number of keys that turns the proposal of `bitext align` into gold, with each bead
confirmed, found by `scripts/bench/workbench_keys.py`; confirming alone takes one key a bead. For
InterText the number is a lower bound: its cursor is taken to be where it helps most after each
operation. Its beads cannot cross: stretches whose gold does are left out of both sums."""

Bead = tuple[list[int], list[int]]


def documents(folder: Path) -> Iterator[tuple[str, list[str], list[str], list[Bead]]]:
    """Yield name, texts and gold of each document."""
    for path in sorted(folder.rglob("*.align")):
        texts = sorted(
            each for each in path.parent.glob(f"{path.stem}.*") if each.suffix[1:].isalpha()
            and each != path and each.suffix != ".verse"
        )  # fmt: skip
        sides = [each.read_text(encoding="utf-8").splitlines() for each in texts]
        gold = []
        for line in path.read_text(encoding="utf-8").splitlines():
            members = [ast.literal_eval(side) for side in line.split(":")]
            gold.append((members[0], members[1]))
        if len(sides) != 2:
            raise SystemExit(f"{path}: want two texts, not {len(sides)}")
        ends = [max((k for bead in gold for k in bead[n]), default=-1) + 1 for n in (0, 1)]
        off = [sum(abs(len(sides[n ^ turned]) - ends[n]) for n in (0, 1)) for turned in (0, 1)]
        if off[1] < off[0]:
            sides.reverse()
        src, tgt = sides
        yield path.stem, src, tgt, whole(gold, len(src), len(tgt))


def whole(gold: Sequence[Bead], *sizes: int) -> list[Bead]:
    """Return gold in which each sentence that is in no bead is one of its own."""
    beads = [
        ([k for k in src if k < sizes[0]], [k for k in tgt if k < sizes[1]]) for src, tgt in gold
    ]
    for n, size in enumerate(sizes):
        alone = sorted({*range(size)} - {k for bead in beads for k in bead[n]})
        beads += [([k], []) if n == 0 else ([], [k]) for k in alone]
    return [bead for bead in beads if bead[0] or bead[1]]


def borders(beads: Sequence[Bead]) -> list[tuple[int, int]]:
    """Return the borders of beads in order, as numbers of sentences before them."""
    found = [(0, 0)]
    for src, tgt in beads:
        i, j = found[-1]
        if src != [*range(i, i + len(src))] or tgt != [*range(j, j + len(tgt))]:
            raise ValueError("crossing beads")
        found.append((i + len(src), j + len(tgt)))
    return found


def _in(bead: Bead, start: tuple[int, int], end: tuple[int, int]) -> bool:
    return all(start[n] <= k < end[n] for n in (0, 1) for k in bead[n])


def regions(
    src: Sequence[str], tgt: Sequence[str], proposed: Sequence[Bead], gold: Sequence[Bead]
) -> tuple[list[dict[str, Any]], int]:
    """Return the stretches between borders that the proposal and the gold share.

    Stretches whose gold crosses are left out, and the beads in them counted.
    """
    size = len(src), len(tgt)
    shared = [
        end for end in borders(proposed)
        if all(_in(bead, (0, 0), end) or _in(bead, end, size) for bead in gold)
    ]  # fmt: skip
    ratio = (sum(map(len, tgt)) + len(tgt) + 1) / (sum(map(len, src)) + len(src) + 1)
    found, crossing = [], 0
    for start, end in pairwise(shared):
        sizes = []
        for beads in (proposed, gold):
            own = [bead for bead in beads if _in(bead, start, end)]
            moved = [tuple([k - start[n] for k in bead[n]] for n in (0, 1)) for bead in own]
            moved.sort(key=lambda bead: (sum(map(max, filter(None, bead))), len(bead[0])))
            sizes.append(_sizes(moved))
        if None in sizes:
            crossing += len([bead for bead in gold if _in(bead, start, end)])
            continue
        (i, j), (i2, j2) = start, end
        found.append(
            {
                "source": src[i:i2], "target": tgt[j:j2], "proposed": sizes[0], "gold": sizes[1],
                "ratio": ratio,
            }
        )  # fmt: skip
    return found, crossing


def _sizes(beads: Sequence[Any]) -> list[tuple[int, int]] | None:
    """Return the types of beads put into order; None where they cross."""
    left, found = list(beads), []
    i = j = 0
    while left:
        for bead in left:
            src, tgt = bead
            fits = src == [*range(i, i + len(src))] and tgt == [*range(j, j + len(tgt))]
            if fits:
                break
        else:
            return None
        left.remove(bead)
        found.append((len(src), len(tgt)))
        i, j = i + len(src), j + len(tgt)
    return found


def main() -> None:
    """Count, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--report", type=Path)
    parser.add_argument("-v", action="store_true", help="show where InterText needs fewer keys")
    options = parser.parse_args()
    rows = []
    browser = browser_or_skip()
    try:
        found = chain.from_iterable(map(documents, options.folders))
        for name, src, tgt, gold in found:
            aligned = align_sentences(src, tgt)
            proposed = [(list(bead.src), list(bead.tgt)) for bead in aligned]
            stretches, crossing = regions(src, tgt, proposed, gold)
            given = f"const REGIONS = {json.dumps(stretches)};"
            script = f"{given}\n{bundle('operations')}\n{_SCRIPT}"
            totals = browser.run(f"(() => {{ {script} }})()")
            wrong = sum(each["proposed"] != each["gold"] for each in stretches)
            left = sum(len(each[1]) for each in totals["failed"])
            beads = len(gold) - left - crossing
            rows.append([name, beads, wrong, totals["ours"], totals["interText"], left + crossing])
            if options.v:
                for each in totals["worse"]:
                    print(each, file=sys.stderr)
            print(*rows[-1], sep="\t", file=sys.stderr)
    finally:
        browser.close()
    sums = ["all", *(sum(row[k] for row in rows) for k in range(1, 6))]
    table = []
    for name, beads, wrong, own, other, failed in [*rows, sums]:
        counts = [f"{count:,}" for count in (beads, wrong, own, other)]
        cells = [name, *counts, f"{own / beads:.3f}", f"{other / beads:.3f}", str(failed)]
        table.append(f"| {' | '.join(cells)} |")
    heads = ["text", "beads = keys to confirm", "stretches to correct", "keys", "keys, InterText"]
    heads += ["keys a bead", "InterText", "beads left out"]
    head = f"| {' | '.join(heads)} |"
    rule = "| --- " + "| --: " * 7 + "|"
    report = "\n".join(["# Keys from the proposal to gold", "", _ABOUT, "", head, rule, *table, ""])
    if options.report:
        options.report.write_text(report, encoding="utf-8")
    else:
        print(report)


if __name__ == "__main__":
    main()
