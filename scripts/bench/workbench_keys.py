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

The second table is of the key that confirms a bead and all below it in view down to the next one
whose probability is below a limit. `careful`: who looks at the view before and sees each error;
beads above an error are then confirmed one by one. `trusting`: who corrects only beads that a run
has stopped at, or that are beside them; wrong beads that a run confirms stay, and are counted.
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

_LIMITS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
_VIEW = 9  # beads in view at 1280 x 800 pixels: the median of 120 places of these texts
_RUNS = """\
The same with the key that confirms a bead and all below it in view ({view} beads), down to the next
one whose probability is below the limit. The careful annotator sees each error in view before the
key, and confirms the beads above it one by one; the trusting one corrects only where a run has
stopped, and leaves the wrong beads that a run confirms. {wrong} stretches are wrong in all."""

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
    src: Sequence[str],
    tgt: Sequence[str],
    proposed: Sequence[Bead],
    gold: Sequence[Bead],
    scores: Sequence[float],
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
                "probabilities": [
                    score for bead, score in zip(proposed, scores, strict=True)
                    if _in(bead, start, end)
                ],
            }
        )  # fmt: skip
    return found, crossing


def with_runs(
    stretches: Sequence[dict[str, Any]], costs: Sequence[int | None], limit: float, view: int
) -> tuple[int, int, int]:
    """Return the keys of careful and of trusting annotators, and the errors that the latter leave.

    Parameters
    ----------
    stretches : sequence of dict
        As `regions` returns them, in order.
    costs : sequence of int or None
        The keys that correct and confirm each; None for those that are left out.
    limit : float
        The least probability that a run confirms.
    view : int
        How many beads are in view.

    """
    known = [(one, cost) for one, cost in zip(stretches, costs, strict=True) if cost is not None]
    wrong = [one["proposed"] != one["gold"] for one, _ in known]
    scores = [one["probabilities"] for one, _ in known]
    careful, at = 0, 0
    while at < len(known):
        if wrong[at]:
            careful, at = careful + known[at][1], at + 1
            continue
        end = at + 1
        while end < min(len(known), at + view) and not wrong[end] and scores[end][0] >= limit:
            end += 1
        # A run would go on over an error: what is above it is confirmed bead by bead.
        over = end < min(len(known), at + view) and wrong[end] and scores[end][0] >= limit
        careful, at = careful + (end - at if over else 1), end
    trusting = errors = room = 0  # room: the beads in view that a run has not come to
    for (_, cost), is_wrong, own in zip(known, wrong, scores, strict=True):
        if min(own) >= limit and room >= len(own):
            room -= len(own)
            errors += len(own) * is_wrong
        elif is_wrong:
            trusting, room = trusting + cost, 0
        else:
            trusting, room = trusting + 1, view - 1
    return careful, trusting, errors


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
    runs = {limit: [0, 0, 0] for limit in _LIMITS}
    browser = browser_or_skip()
    try:
        found = chain.from_iterable(map(documents, options.folders))
        for name, src, tgt, gold in found:
            aligned = align_sentences(src, tgt)
            proposed = [(list(bead.src), list(bead.tgt)) for bead in aligned]
            scores = [1.0] * len(aligned) if aligned.scores is None else aligned.scores.tolist()
            stretches, crossing = regions(src, tgt, proposed, gold, scores)
            given = f"const REGIONS = {json.dumps(stretches)};"
            script = f"{given}\n{bundle('operations')}\n{_SCRIPT}"
            totals = browser.run(f"(() => {{ {script} }})()")
            wrong = sum(each["proposed"] != each["gold"] for each in stretches)
            left = sum(len(each[1]) for each in totals["failed"])
            beads = len(gold) - left - crossing
            for limit in _LIMITS:
                own = with_runs(stretches, totals["each"], limit, _VIEW)
                runs[limit] = [a + b for a, b in zip(runs[limit], own, strict=True)]
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
    wrong_beads = sum(row[2] for row in rows)
    lines = [
        f"| {limit} | {careful:,} | {careful / sums[1]:.3f} | {trusting:,} "
        f"| {trusting / sums[1]:.3f} | {errors} |"
        for limit, (careful, trusting, errors) in runs.items()
    ]
    run_head = (
        "| limit | keys, careful | a bead | keys, trusting | a bead | wrong beads that stay |"
    )
    about = _RUNS.format(view=_VIEW, wrong=wrong_beads)
    report = "\n".join(
        [
            "# Keys from the proposal to gold", "", _ABOUT, "", head, rule, *table, "",
            "## Runs", "", about, "", run_head, "| --: " * 6 + "|", *lines, "",
        ]
    )  # fmt: skip
    if options.report:
        options.report.write_text(report, encoding="utf-8")
    else:
        print(report)


if __name__ == "__main__":
    main()
