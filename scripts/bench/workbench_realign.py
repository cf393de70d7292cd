"""F of proposals between confirmed beads, and the CPU seconds of a realignment.

    python scripts/bench/workbench_realign.py FOLDER ... [--report FILE]

FOLDER has texts with gold as for `workbench_keys.py`. Beads of the gold standard are confirmed:
those of the first half of the source text, each second run of ten, or each tenth one; beads that
cross others are not. F of whole beads is that of the others: as `bitext align` proposes them, and
realigned between confirmed beads with each stretch as a text pair of its own, or on one path
through all confirmed beads, as `bitext edit` does where links do not cross.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench_keys import documents

from bitext.align import align_sentences
from bitext.metrics import arcade
from bitext.model import Alignment
from bitext.workbench.changes import Bead, Sentence
from bitext.workbench.proposals import course_of, realign, stretches_between

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bitext.model import Counts

_PATTERNS: dict[str, Callable[[int, float], bool]] = {
    "first half": lambda _, place: place < 0.5,
    "each second run of ten": lambda k, _: k // 10 % 2 == 0,
    "each tenth": lambda k, _: k % 10 == 0,
}
_WAYS = ("proposed", "text pairs", "one path")
_ABOUT = """\
F of the beads that are not confirmed, over all texts, by `scripts/bench/workbench_realign.py`; in
brackets CPU seconds for all texts together."""


def cpu() -> float:
    """Return the CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def rows_of(src: Sequence[str], tgt: Sequence[str], gold: Iterable[Any]) -> dict[str, list[Any]]:
    """Return the rows of an alignment in the order of the texts; sentences have some text."""
    texts = [
        [Sentence(f"{letter}{k}", text.strip() or "-", k == 0) for k, text in enumerate(own)]
        for letter, own in (("s", src), ("t", tgt))
    ]
    share = len(src) / max(1, len(tgt))
    order = sorted(gold, key=lambda bead: bead[0][0] if bead[0] else bead[1][0] * share)
    beads = [
        Bead(f"b{k}", tuple(f"s{j}" for j in sorted(a)), tuple(f"t{j}" for j in sorted(b)))
        for k, (a, b) in enumerate(order)
    ]
    return {"source": texts[0], "target": texts[1], "beads": _in_order(beads)}


def _in_order(beads: list[Bead]) -> list[Bead]:
    """Move beads of one side between those that they stand between, as far as they do."""
    left, found, at = list(beads), [], [0, 0]
    firsts = [{_number(getattr(b, side)[0]): b for b in beads if getattr(b, side)}
              for side in ("source", "target")]  # fmt: skip
    done: set[str] = set()
    while len(done) < len(beads):
        here = [firsts[n].get(at[n]) for n in (0, 1)]
        fitting = [
            bead for bead in here
            if bead is not None and bead.id not in done
            and (not bead.source or _number(bead.source[0]) == at[0])
            and (not bead.target or _number(bead.target[0]) == at[1])
        ]  # fmt: skip
        bead = fitting[0] if fitting else next(each for each in left if each.id not in done)
        done.add(bead.id)
        found.append(bead)
        for n, own in enumerate((bead.source, bead.target)):
            at[n] = max(at[n], *(_number(each) + 1 for each in own)) if own else at[n]
    return found


def _number(name: str) -> int:
    return int(name[1:])


def clean_beads(lists: dict[str, list[Any]]) -> set[str]:
    """Return the ids of the beads with two sides that cross no others."""
    found = set()
    for bead in lists["beads"]:
        if bead.source and bead.target:
            stretches = stretches_between(lists, bead.id, bead.id)
            if course_of(lists, stretches, 0) is not None:
                found.add(bead.id)
    return found


def indices(beads: Iterable[Bead]) -> list[tuple[list[int], list[int]]]:
    """Return beads as the numbers of their sentences."""
    return [
        ([_number(each) for each in bead.source], [_number(each) for each in bead.target])
        for bead in beads
    ]


def proposed_in(lists: dict[str, list[Any]], *, along: bool) -> list[tuple[list[int], list[int]]]:
    """Return the proposals for all stretches."""
    stretches = stretches_between(lists)
    course = course_of(lists, stretches) if along else None
    content = [{row.id: row.text for row in lists[side]} for side in ("source", "target")]
    pairs = [
        ([content[0][each] for each in one.source], [content[1][each] for each in one.target])
        for one in stretches
    ]
    taken = {each for one in stretches for each in (*one.source, *one.target)}
    source, target = (
        [row.text for row in lists[side] if row.id not in taken] for side in ("source", "target")
    )
    found = realign(pairs, (source, target), course=course)
    return [
        ([_number(one.source[k]) for k in src], [_number(one.target[k]) for k in tgt])
        for one, proposal in zip(stretches, found, strict=True)
        for src, tgt, _ in proposal
    ]


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    totals: dict[tuple[str, str], Counts] = {}
    seconds: dict[tuple[str, str], float] = {}
    names = []
    for folder in options.folders:
        for name, src, tgt, gold in documents(folder):
            names.append(name)
            lists = rows_of(src, tgt, gold)
            texts = [[row.text for row in lists[side]] for side in ("source", "target")]
            begun = cpu()
            first = [(list(bead.src), list(bead.tgt)) for bead in align_sentences(*texts)]
            aligned = cpu() - begun
            clean = clean_beads(lists)
            for pattern, chosen in _PATTERNS.items():
                number, beads = 0, []
                for bead in lists["beads"]:
                    state = "proposed"
                    if bead.id in clean:
                        place = _number(bead.source[0]) / max(1, len(src))
                        state = "confirmed" if chosen(number, place) else state
                        number += 1
                    beads.append(bead._replace(state=state))
                lists["beads"] = beads
                still = indices(bead for bead in beads if bead.state == "proposed")
                sides = [{k for bead in still for k in bead[n]} for n in (0, 1)]
                for way in _WAYS:
                    begun = cpu()
                    found = (
                        first if way == "proposed" else proposed_in(lists, along=way == _WAYS[2])
                    )
                    spent = aligned if way == "proposed" else cpu() - begun
                    found = [bead for bead in found if any(sides[n] & {*bead[n]} for n in (0, 1))]
                    counts = arcade(Alignment(still), Alignment(found))["alignment"]
                    key = (pattern, way)
                    totals[key] = totals[key] + counts if key in totals else counts
                    seconds[key] = seconds.get(key, 0.0) + spent
                    print(name, *key, f"{counts.f1:.4f}", f"{spent:.2f}", file=sys.stderr, sep="\t")
    lines = [f"| confirmed | {' | '.join(_WAYS)} |", "| --- | --: | --: | --: |"]
    for pattern in _PATTERNS:
        cells = [f"{totals[pattern, way].f1:.4f} ({seconds[pattern, way]:.1f})" for way in _WAYS]
        lines.append(f"| {pattern} | {' | '.join(cells)} |")
    texts_line = f"{len(names)} texts: {', '.join(names)}."
    head = "# Proposals between confirmed beads"
    report = "\n".join([head, "", _ABOUT, "", texts_line, "", *lines, ""])
    if options.report:
        options.report.write_text(report, encoding="utf-8")
    else:
        print(report)


if __name__ == "__main__":
    main()
