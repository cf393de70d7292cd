"""Sentence alignment of long texts: CPU seconds, peak memory and F, from 1,000 sentences a side up.

    python scripts/bench/alignment_scale.py [SIZE ...] [--data SRC TGT BEADS]... [--report FILE]

A text of some hundred sentences and its translation are repeated. The names of each copy are
marked, so that copies can be told apart as chapters of a book can; from each side one sentence in a
hundred is left out. The texts are made here, or given: `--data TEXT.src TEXT.tgt TEXT.align`, one
sentence a line, and beads as `[0, 1]:[2]`; without sizes, given texts have 100,000 sentences. Each
size runs in a process of its own, three times up to 100,000 sentences: the least of the seconds
count, as other work of the machine only adds to them. `--report` writes a table as Markdown; the
rows with a star are of other programs, with the version that was current in 2026, on made texts of
this kind.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import random
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

Bead = tuple[list[int], list[int]]
KINDS = ((1, 1), (1, 2), (2, 1), (1, 0), (0, 1), (2, 2))
CHANCES = (0.92, 0.03, 0.03, 0.005, 0.005, 0.01)
MADE, GIVEN = [1000, 10_000, 100_000], [100_000]
ROUNDS, ROUNDED = 3, 100_000  # times that a size is measured, up to so many sentences
# What others take for 100,000 sentences a side: seconds of CPU, MB, F.
OTHERS = {"hunalign, partial": (18, 258, 0.915), "YASA": (41, 864, 0.875)}
WORD = re.compile(r"[^\W\d_]+")


class Base(NamedTuple):
    """A text, its translation and their beads."""

    src: list[str]
    tgt: list[str]
    beads: list[Bead]


def made(beads: int, *, seed: int) -> Base:
    """Make a text in two languages of made words, a few of which are names."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]

    def word(number: int, size: int) -> str:
        mine = random.Random(number)  # noqa: S311
        return "".join(mine.choice(syllables) for _ in range(size))

    words = [(word(k, 1 + k % 4), word(-k - 1, 1 + (k + k % 2) % 4)) for k in range(3000)]
    names = [word(k, 3).capitalize() for k in range(5000, 5040)]
    chances = [1 / (rank + 8) for rank in range(len(words))]

    def phrase() -> tuple[list[str], list[str]]:
        size = max(2, round(rng.lognormvariate(2.0, 0.6)))
        pairs = rng.choices(words, chances, k=size)
        src = [a for a, _ in pairs if rng.random() < 0.9]
        tgt = [b for _, b in pairs if rng.random() < 0.9]
        rng.shuffle(tgt)
        if rng.random() < 0.3:
            name = rng.choice(names)
            src.append(name)
            tgt.append(name)
        return src or [words[0][0]], tgt or [words[0][1]]

    text = Base([], [], [])
    for a, b in rng.choices(KINDS, CHANCES, k=beads):
        parts = [phrase() for _ in range(max(a, b))]
        sides = ([part[0] for part in parts], [part[1] for part in parts])
        ends: list[list[int]] = []
        for side, count, held in ((sides[0], a, text.src), (sides[1], b, text.tgt)):
            merged = side[:count]
            if count:
                merged[-1] = list(itertools.chain.from_iterable(side[count - 1 :]))
            ends.append(list(range(len(held), len(held) + count)))
            held += [" ".join(sentence) + "." for sentence in merged]
        text.beads.append((ends[0], ends[1]))
    return text


def given(paths: list[Path]) -> Base:
    """Read a text, its translation and their beads."""
    src, tgt = (path.read_text(encoding="utf-8").splitlines() for path in paths[:2])
    beads = []
    for line in paths[2].read_text(encoding="utf-8").splitlines():
        sides = [[int(k) for k in re.findall(r"\d+", side)] for side in line.split(":")[:2]]
        beads.append((sides[0], sides[1]))
    return Base(src, tgt, beads)


def repeated(base: Base, sentences: int, *, seed: int, lost: float = 0.01) -> Base:
    """Repeat a text with its names marked, and leave sentences out, until it has so many."""
    rng = random.Random(seed)  # noqa: S311
    common = {word for line in base.src for word in WORD.findall(line) if word[0].isupper()}
    common &= {word for line in base.tgt for word in WORD.findall(line)}
    text = Base([], [], [])
    copy = 0
    while len(text.src) < sentences:
        mark = "q" + "".join("bcdfghjklm"[int(digit)] for digit in str(copy))

        def named(line: str, mark: str = mark) -> str:
            return WORD.sub(lambda m: m[0] + mark if m[0] in common else m[0], line)

        places: list[dict[int, int]] = []
        for side, held in ((base.src, text.src), (base.tgt, text.tgt)):
            kept = [k for k in range(len(side)) if rng.random() >= lost]
            places.append({k: len(held) + place for place, k in enumerate(kept)})
            held += [named(side[k]) for k in kept]
        for bead in base.beads:
            src, tgt = (
                [at[k] for k in side if k in at] for side, at in zip(bead, places, strict=True)
            )
            if src or tgt:
                text.beads.append((src, tgt))
        copy += 1
    return text


def peak() -> float:
    """Return the peak memory of this process in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def strict(gold: list[Bead], found: list[Bead]) -> float:
    """Return the F of beads that are right in all."""
    known = {(tuple(src), tuple(tgt)) for src, tgt in gold}
    hits = sum((tuple(src), tuple(tgt)) in known for src, tgt in found)
    return 2 * hits / (len(known) + len(found))


def measure(sentences: int, options: argparse.Namespace) -> dict[str, float | int | str]:
    """Align one pair of texts in this process, and tell what it took."""
    from bitext.align.sentences import align_sentences
    from bitext.model import Text

    base = given(options.data[0]) if options.data else made(500, seed=options.seed)
    text = repeated(base, sentences, seed=options.seed + 1)
    # Of each side only what the aligner is given is kept, and the beads in a file.
    gold = options.work / f"{sentences}.json"
    gold.write_text(json.dumps(text.beads))
    text.beads.clear()
    src = Text(text.src)
    text.src.clear()
    tgt = Text(text.tgt)
    text.tgt.clear()
    del text, base
    before, begun = peak(), time.process_time()
    found = align_sentences(src, tgt, method=options.method)
    seconds, memory = time.process_time() - begun, peak()
    beads = [(list(bead.src), list(bead.tgt)) for bead in found]
    score = strict(json.loads(gold.read_text()), beads)
    return {
        "text": "/".join(options.data[0][0].with_suffix("").parts[-2:]) if options.data else "made",
        "method": options.method,
        "source": len(src),
        "target": len(tgt),
        "seconds": round(seconds, 2),
        "megabytes": round(memory),
        "of texts": round(before),
        "F": round(score, 4),
    }


def table(rows: list[dict[str, Any]], *, load: float) -> str:
    """Return the figures as Markdown; *growth* is what ten times the sentences cost."""
    from results import machine, made_today

    from bitext.reports.table import Table

    cells: list[list[str]] = []
    before: dict[str, Any] = {}
    for row in rows:
        grown = ["-", "-"]
        if before and before["text"] == row["text"]:
            exponent = math.log10(row["source"] / before["source"])
            grown = [
                f"{(row[name] / max(before[name], 0.01)) ** (1 / exponent):.1f}"
                for name in ("seconds", "megabytes")
            ]
        before = row
        figures = [f"{row['seconds']:.1f}", f"{row['megabytes']:,}", f"{row['of texts']:,}"]
        size = [f"{row['source']:,}", f"{row['target']:,}"]
        cells.append([row["text"], row["method"], *size, *figures, *grown, f"{row['F']:.4f}"])
    for name, (seconds, megabytes, score) in OTHERS.items():
        known = [f"{seconds:.1f}", f"{megabytes:,}", "-", "-", "-", f"{score:.3f}"]
        cells.append(["made", f"{name} *", "100,000", "100,000", *known])
    columns = [
        *("text", "method", "source", "target", "CPU s", "MB", "of it before"),
        *("growth of CPU", "growth of MB", "F"),
    ]
    return (
        "# Sentence alignment: what long texts cost\n\n"
        "Made by `python scripts/bench/alignment_scale.py`, whose docstring tells what is "
        f"measured;\n{made_today('numpy')}; {machine()}.\nLoad of the machine while it ran: "
        f"{load:.0f}; other work beside makes CPU seconds more, not fewer.\n\n"
        f"*CPU s* are the least of {ROUNDS} rounds, one above {ROUNDED:,} sentences. *MB* is the "
        "peak of the process,\n*of it before* what it had before the aligner began: Python, numpy, "
        "the texts and what making them\ntook. *Growth* is the factor for ten times the sentences. "
        "F is of beads that are right in all.\n\n"
        + Table(columns, set(range(2, len(columns))), rows=cells).render("markdown")
        + "\n\\* Of other programs.\n"
    )


def main() -> int:
    """Print a line for each size, and write the report."""
    import tempfile

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", type=int, nargs="*")
    parser.add_argument(
        "--data", type=Path, nargs=3, action="append", metavar=("SRC", "TGT", "BEADS")
    )
    parser.add_argument("--method", default="lexical")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        with tempfile.TemporaryDirectory() as folder:
            options.work = Path(folder)
            print(json.dumps(measure(options.sizes[0], options)), flush=True)
        return 0
    runs: list[tuple[int, list[Path]]] = []
    if options.report or not options.data:
        runs += [(size, []) for size in options.sizes or MADE]
    for paths in options.data or []:
        sizes = options.sizes if options.sizes and not options.report else GIVEN
        runs += [(size, paths) for size in sizes]
    rows, loads = [], []
    for size, paths in runs:
        command = [sys.executable, __file__, "--here", str(size), "--method", options.method]
        command += ["--seed", str(options.seed)]
        if paths:
            command += ["--data", *map(str, paths)]
        rounds = []
        for _ in range(ROUNDS if size <= ROUNDED else 1):
            done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
            if done.returncode:
                return 1
            rounds.append(json.loads(done.stdout))
            loads.append(os.getloadavg()[0])
        rows.append(min(rounds, key=lambda row: row["seconds"]))
        print(json.dumps(rows[-1]), flush=True)
    if options.report:
        options.report.write_text(table(rows, load=sum(loads) / len(loads)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
