"""Where the time of `bitext align` goes, for many short texts, long ones, and a single pair.

    python scripts/bench/align_profile.py [--data SRC TGT BEADS] [--report FILE]

The text of `alignment_scale.py`, or a given one, is repeated, with names marked and one sentence in
a hundred left out, and cut at beads into texts, which are aligned by `bitext align src tgt -o
found/ --to vecalign`. *CPU s* are of whole processes: in memory, and with `--journal` (*by jobs*),
by one worker. The shares are of the time in memory that the profiler of Python sees; it makes short
functions look slower than they are. Stages overlap: *words of beads*, *passages* and *posteriors*
are parts of *search*, and *first paths* has some of *search*.
"""

from __future__ import annotations

import argparse
import os
import pstats
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from alignment_scale import Base, given, made, repeated
from alignment_texts import divided, write_texts
from command import measured
from results import made_today

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

_CASES = [(200, 20), (100, 140), (15, 1000), (1, 50_000), (1, 100)]  # texts, and their sentences
# Each stage with the file and the names of its functions.
_STAGES = {
    "imports": ("<frozen importlib._bootstrap>", "_find_and_load"),
    "reading": ("cli/align/texts.py", "pairs"),
    "cutting": ("sentences/texts.py", "_sides"),
    "like words": ("lexical/cognates.py", "cognates"),
    "first paths": ("sentences/path_choice.py", "choose_initial_paths"),
    "search": ("sentences/lockstep.py", "together alone"),
    "words of beads": ("evidence/words.py", "block"),
    "passages": ("kernels/bead_path.py", "passage_path"),
    "posteriors": ("kernels/bead_posteriors.py", "chances_of_tables"),
    "estimates": ("sentences/state.py", "estimate"),
    "warnings": ("cli/align/running.py", "input_warnings"),
    "writing": ("align/outputs.py", "write"),
}
_COLUMNS = ["text", "texts", "source", "CPU s", "by jobs", *_STAGES]
_ABOUT = """\
# Sentence alignment: where the time goes

Made by `python scripts/bench/align_profile.py`, whose docstring tells what is measured;
{versions}.

*CPU s* are of whole processes, in memory and by jobs. The other figures are percentages of the
profiled time in memory.

"""


def aligned(texts: Sequence[Base]) -> tuple[float, float, list[str]]:
    """Align texts; return the CPU seconds in memory and by jobs, and the share of each stage."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_texts(texts, folder)
        seconds = []
        for more in ([], ["--journal", "journal"]):
            command = _command("memory" if not more else "jobs")
            usage = measured([sys.executable, "-m", *command, *more], folder)
            if usage.status:
                sys.exit(usage.said)
            seconds.append(usage.cpu)
        profiled = ["-m", "cProfile", "-o", "profile", "-m", *_command("profiled")]
        usage = measured([sys.executable, *profiled], folder)
        if usage.status:
            sys.exit(usage.said)
        return seconds[0], seconds[1], _shares(str(folder / "profile"))


def _command(name: str) -> list[str]:
    return ["bitext", "align", "src", "tgt", "-o", f"{name}/", "--to", "vecalign", "-q"]


def _shares(path: str) -> list[str]:
    """Return the percentage of the profiled time that each stage takes, with all that it calls."""
    found = pstats.Stats(path)
    times = dict.fromkeys(_STAGES, 0.0)
    for (file, _, function), (_, _, _, spent, _) in found.stats.items():  # type: ignore[attr-defined]
        for stage, (ending, names) in _STAGES.items():
            if function in names.split() and file.endswith(ending):
                times[stage] += spent
    total = found.total_tt  # type: ignore[attr-defined]
    return [f"{100 * spent / total:.0f}" for spent in times.values()]


def main() -> int:
    """Print a line for each case, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs=3, metavar=("SRC", "TGT", "BEADS"))
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    name, base = "made", made(500, seed=1)
    if options.data:
        name, base = "/".join(options.data[0].with_suffix("").parts[-2:]), given(options.data)
    rows: list[list[str]] = []
    for count, size in _CASES:
        text = repeated(base, (count + 1) * (size + 10), seed=2)
        texts = divided(text, size=size, count=count)
        memory, jobs, shares = aligned(texts)
        sentences = sum(len(one.src) for one in texts)
        figures = [f"{len(texts)}", f"{sentences:,}", f"{memory:.2f}", f"{jobs:.2f}"]
        rows.append([name, *figures, *shares])
        print("\t".join(rows[-1]), flush=True)
    if options.report:
        table = Table(_COLUMNS, set(range(1, len(_COLUMNS))), rows=rows).render("markdown")
        about = _ABOUT.format(versions=made_today("numpy"))
        options.report.write_text(about + table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
