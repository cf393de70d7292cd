"""A corpus through the command line: what a document costs to score, convert and align.

Document pairs of 300 beads (made texts, as in `alignment_scale.py`; a gold standard and a system,
which merged every tenth bead) go through `bitext score`, `bitext convert` and `bitext align` with
their journals, one process each. Whole commands are measured at three sizes of the corpus; what
a document costs is the slope of the line through them, so that start-up, which is told as well, is
not in it, nor what the lexicon of `align` costs, which is learned once from a sample. These are the
figures that `cost.py` makes the table of `docs/scale.md` of.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from alignment_scale import made
from command import measured
from harness import exponent, slope
from results import Asked, Section, told

from bitext.reports.table import Table

if TYPE_CHECKING:
    from command import Usage

BEADS = 300
LEARNED = 2000  # sentences that the lexicon is learned from: the same at all sizes
DIFFERENT = 10  # texts that are made; further ones are links to them


def make(folder: Path, documents: int) -> dict[str, int]:
    """Write a corpus; return what a document takes on the disk, by folder, in bytes."""
    for name in ("en", "fr", "gold", "hyp"):
        (folder / name).mkdir(parents=True)
    for k in range(documents):
        files = [folder / "en" / f"t{k}.en", folder / "fr" / f"t{k}.fr"]
        files += [folder / name / f"t{k}.align" for name in ("gold", "hyp")]
        if k >= DIFFERENT:
            for file in files:
                file.hardlink_to(file.with_stem(f"t{k % DIFFERENT}"))
            continue
        text = made(BEADS, seed=k)
        merged: list[tuple[list[int], list[int]]] = []
        for n, (src, tgt) in enumerate(text.beads):
            if n % 10 == 9:
                merged[-1] = (merged[-1][0] + src, merged[-1][1] + tgt)
            else:
                merged.append((src, tgt))
        held = ["\n".join(text.src), "\n".join(text.tgt)]
        held += ["\n".join(f"{a}:{b}" for a, b in beads) for beads in (text.beads, merged)]
        for file, lines in zip(files, held, strict=True):
            file.write_text(lines + "\n", encoding="utf-8")
    return {name: size_of(folder / name) // documents for name in ("en", "fr", "gold", "hyp")}


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder."""
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


class Ran(NamedTuple):
    """A command over a corpus: what it took, its journal and its output in bytes."""

    usage: Usage
    journal: int
    output: int


def commands(corpus: Path, out: Path) -> dict[str, tuple[list[str], Path]]:
    """Return the commands, and what each writes."""
    texts = ["--src", str(corpus / "en" / "{name}.en"), "--tgt", str(corpus / "fr" / "{name}.fr")]
    journal = ["--journal", str(out / "journal"), "--quiet"]
    scores, memories, beads = out / "scores.json", out / "tmx", out / "beads"
    score = ["score", str(corpus / "gold"), str(corpus / "hyp"), *texts, *journal]
    convert = ["convert", str(corpus / "gold"), f"{memories}/", "--to", "tmx", *texts, *journal]
    align = ["align", str(corpus / "en"), str(corpus / "fr"), "-o", f"{beads}/", "--to", "jsonl"]
    align += ["--learn-from", str(LEARNED)]
    return {
        "score": ([*score, "--resamples", "0", "-o", str(scores)], scores),
        "convert": ([*convert, "--src-lang", "en", "--tgt-lang", "fr"], memories),
        "align": ([*align, "--src-lang", "en", "--tgt-lang", "fr", *journal], beads),
    }


def ran(name: str, corpus: Path) -> Ran:
    """Run one of the commands."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place)
        arguments, written = commands(corpus, out)[name]
        usage = measured([sys.executable, "-m", "bitext", *arguments], corpus)
        if usage.status:
            raise SystemExit(f"{name}: status {usage.status}: {usage.said}")
        journal = out / "journal"
        kept = journal.stat().st_size if journal.exists() else 0
        return Ran(usage, kept, size_of(written))


def measure(asked: Asked) -> Section:
    """Measure all commands over corpora of three sizes."""
    sizes = (10, 20, 40) if asked.quick else (100, 200, 400)
    rounds = 1 if asked.quick else 2
    heads = ["command, documents", *(f"{size:,}" for size in sizes), "CPU grows as"]
    heads += ["ms a document", "start, s", "peak MB", "journal bytes", "output bytes"]
    table = Table(heads, right=set(range(1, len(heads))))
    found: dict[str, list[Ran]] = {}
    with tempfile.TemporaryDirectory() as place:
        for size in sizes:
            held = make(Path(place) / str(size), size)
            for _ in range(rounds):
                for name in ("score", "convert", "align"):
                    one = ran(name, Path(place) / str(size))
                    print(f"  {name} {size:,}: {one.usage.cpu:.2f} s CPU", flush=True)
                    runs = found.setdefault(name, [])
                    if len(runs) == sizes.index(size):
                        runs.append(one)
                    elif one.usage.cpu < runs[-1].usage.cpu:
                        runs[-1] = one
    figures = {
        "corpus.pairs": float(BEADS),
        "corpus.text_bytes": float(held["en"] + held["fr"]),
        "corpus.links_bytes": float(held["gold"]),
    }
    for name, runs in found.items():
        cpu = [run.usage.cpu for run in runs]
        each = slope(sizes, cpu)
        start = max(0.0, sum(cpu) / len(cpu) - each * sum(sizes) / len(sizes))
        last = runs[-1]
        made_of = {"ms": 1000 * each, "start_s": start, "peak_mb": last.usage.peak}
        made_of |= {"journal_bytes": last.journal / sizes[-1]}
        made_of |= {"output_bytes": last.output / sizes[-1]}
        figures |= {f"corpus.{name}_{key}": value for key, value in made_of.items()}
        cells = [*(f"{value:.2f}" for value in cpu), f"n^{exponent(sizes, cpu):.2f}"]
        cells += [f"{1000 * each:.1f}", f"{start:.2f}", f"{last.usage.peak:.0f}"]
        table.rows.append(
            [name, *cells, *(f"{made_of[key]:,.0f}" for key in ("journal_bytes", "output_bytes"))]
        )
    note = (
        f"Documents of {BEADS} beads; journal and output are of one document. CPU is of the whole "
        f"command with its worker; the peak is that of its largest process."
    )
    return Section([table], [note], figures)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(told("corpus", __doc__ or "", measure))
