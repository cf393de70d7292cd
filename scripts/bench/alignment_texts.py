"""Sentence alignment of many short texts: what `bitext align` takes, and F, beside one long text.

    python scripts/bench/alignment_texts.py [TEXTS ...] [--data SRC TGT BEADS]... [--size N]
        [--report FILE]

The text of `alignment_scale.py`, or a given one, is repeated, with names marked and one sentence in
a hundred left out, and cut at beads into TEXTS (30, 100, 300) of N source sentences (100). These
are aligned as a user does it, by `bitext align src tgt -o found/ --to vecalign -j 1`: as one corpus
(*together*), and with `--journal`, where each is aligned by itself with what groups of them teach
(*by jobs*). *As one* is the same sentences as one text. What a whole process takes is measured,
with all that it starts; F is of beads that are right in all.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from alignment_scale import Base, Bead, given, made, repeated, strict
from command import measured
from results import made_today

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

_COUNTS = [30, 100, 300]
_WAYS: dict[str, list[str]] = {"together": [], "by jobs": ["--journal", "journal"], "as one": []}
_COLUMNS = ["text", "texts", "source", "target", "way", "CPU s", "ms a sentence", "MB", "F"]
_ABOUT = """\
# Sentence alignment: what many short texts cost

Made by `python scripts/bench/alignment_texts.py`, whose docstring tells what is measured;
{versions}.

*CPU s* are of whole processes, Python's beginning, reading and writing too; *ms* are of CPU, for a
source sentence. *MB* is the peak of the largest process. F is of beads that are right in all.

"""


def divided(text: Base, *, size: int, count: int) -> list[Base]:
    """Return so many parts of a text, cut where a bead ends, of about as many source sentences."""
    parts: list[Base] = []
    begin, end = (0, 0), (0, 0)
    beads: list[Bead] = []
    for src, tgt in text.beads:
        end = max([end[0], *(k + 1 for k in src)]), max([end[1], *(k + 1 for k in tgt)])
        beads.append(([k - begin[0] for k in src], [k - begin[1] for k in tgt]))
        if end[0] - begin[0] >= size and len(parts) < count:
            parts.append(Base(text.src[begin[0] : end[0]], text.tgt[begin[1] : end[1]], beads))
            begin, beads = end, []
    return parts


def joined(texts: Sequence[Base]) -> Base:
    """Return texts one after the other as one."""
    whole = Base([], [], [])
    for text in texts:
        rows, columns = len(whole.src), len(whole.tgt)
        whole.beads.extend(
            ([k + rows for k in src], [k + columns for k in tgt]) for src, tgt in text.beads
        )
        whole.src.extend(text.src)
        whole.tgt.extend(text.tgt)
    return whole


def write_texts(texts: Sequence[Base], folder: Path) -> None:
    """Write both sides of texts into folders named src and tgt, a sentence a line."""
    for side in ("src", "tgt"):
        (folder / side).mkdir()
        for k, text in enumerate(texts):
            lines = getattr(text, side)
            path = folder / side / f"{k:05}.txt"
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def aligned(texts: Sequence[Base], options: Sequence[str]) -> tuple[float, float, float]:
    """Align texts by the command line; return its CPU seconds, peak in MB, and F."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_texts(texts, folder)
        bitext = Path(sys.executable).with_name("bitext")
        written = ["src", "tgt", "-o", "found/", "--to", "vecalign", "-j", "1"]
        usage = measured([bitext, "align", *written, *options], folder)
        if usage.status:
            sys.exit(usage.said)
        found = sorted((folder / "found").iterdir())
        if len(found) != len(texts):
            sys.exit(f"{len(texts)} texts were to be aligned, and {len(found)} were")
        gold, told = (
            joined(texts),
            [
                Base(text.src, text.tgt, _beads(path))
                for text, path in zip(texts, found, strict=True)
            ],
        )
        return usage.cpu, usage.peak, strict(gold.beads, joined(told).beads)


def _beads(path: Path) -> list[Bead]:
    """Read what vecalign writes: both sides of a bead, and its cost."""
    sides = (line.split(":")[:2] for line in path.read_text(encoding="utf-8").splitlines())
    numbers = ([[int(k) for k in re.findall(r"\d+", side)] for side in both] for both in sides)
    return [(src, tgt) for src, tgt in numbers]


def _name(path: Path) -> str:
    return "/".join(path.with_suffix("").parts[-2:])


def main() -> int:
    """Print a line for each run, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=int, nargs="*")
    parser.add_argument(
        "--data", type=Path, nargs=3, action="append", metavar=("SRC", "TGT", "BEADS")
    )
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    bases = [("made", made(500, seed=1))]
    bases += [(_name(paths[0]), given(paths)) for paths in options.data or []]
    rows: list[list[str]] = []
    for name, base in bases:
        for count in options.texts or _COUNTS:
            text = repeated(base, (count + 1) * (options.size + 10), seed=2)
            texts = divided(text, size=options.size, count=count)
            whole = joined(texts)
            src, tgt = len(whole.src), len(whole.tgt)
            for way, more in _WAYS.items():
                some = [whole] if way == "as one" else texts
                seconds, megabytes, score = aligned(some, more)
                src, tgt = (
                    sum(len(getattr(one, side)) for one in texts) for side in ("src", "tgt")
                )
                figures = [f"{seconds:.1f}", f"{1000 * seconds / src:.2f}", f"{megabytes:,.0f}"]
                rows.append(
                    [name, f"{len(texts)}", f"{src:,}", f"{tgt:,}", way, *figures, f"{score:.4f}"]
                )
                print(*rows[-1], sep="\t", flush=True)
    if options.report:
        table = Table(_COLUMNS, {1, 2, 3, 5, 6, 7, 8}, rows=rows).render("markdown")
        about = _ABOUT.format(versions=made_today("numpy"))
        options.report.write_text(about + table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
