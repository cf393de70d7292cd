"""Tokens a second of the built-in English parser, without and with compiled kernels.

    python scripts/bench/parsing.py TEXT ... [--sentences N] [--rounds N] [--report FILE]

TEXT has a sentence a line, of which N are drawn from all texts. They are tagged and parsed in
batches by numpy alone and with the extra `fast`, in turn in one process, whole and cut to some
lengths; the trees have to be the same. Loading of the model and of numba is not counted. What a
report has below its first table, written by hand, stays.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.kernels.compiled_charts import chart_kernels, load_chart_kernels
from bitext.reports.table import Table
from bitext.syntax import tokenize
from bitext.syntax.english import EnglishParser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.kernels.compiled_charts import ChartKernels

_LENGTHS = (10, 20, 40, 100)
_ABOUT = """\
Tokens a CPU second of one process, by `scripts/bench/parsing.py`, without numba and with the extra
`fast`: the best of {rounds} rounds in turn, the slowest in brackets. The load of the machine was
{load:.1f} on {cores} cores at the end. The trees of both are the same."""


def cpu() -> float:
    """Return the CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def seconds(
    sentences: Sequence[list[str]], kernels: ChartKernels | None
) -> tuple[float, list[str]]:
    """Return the CPU seconds in which sentences are parsed, and their trees."""
    with chart_kernels.using(kernels):
        before = cpu()
        trees = list(EnglishParser().parse_tokens(sentences))
        taken = cpu() - before
    return taken, [str(tree) for tree in trees]


def row(
    name: str, sentences: Sequence[list[str]], compiled: ChartKernels | None, rounds: int
) -> list[str]:
    """Measure both ways on some sentences; return a row of the table."""
    size = sum(map(len, sentences))
    told = [name, f"{len(sentences):,}", f"{size:,}"]
    wanted: list[str] = []
    ways: dict[ChartKernels | None, list[float]] = {way: [] for way in (None, compiled)}
    for _ in range(rounds):
        for way, taken in ways.items():
            one, trees = seconds(sentences, way)
            taken.append(one)
            wanted = wanted or trees
            if trees != wanted:
                sys.exit(f"{name}: the trees differ")
    told += [f"{size / min(taken):,.0f} ({size / max(taken):,.0f})" for taken in ways.values()]
    return told + ["not installed"] * (compiled is None)


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("texts", nargs="+", type=Path, metavar="TEXT")
    parser.add_argument("--sentences", type=int, default=500, metavar="N")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--report", type=Path, metavar="FILE")
    asked = parser.parse_args()
    lines = [
        line
        for path in asked.texts
        for line in path.read_text(encoding="utf-8", errors="replace").split("\n")
        if len(line.split()) > 2
    ]
    random.Random(7).shuffle(lines)  # noqa: S311 - a sample
    tokens = [list(tokenize(line)) for line in lines]
    drawn = tokens[: asked.sentences]
    compiled = load_chart_kernels()
    for way in (None, compiled):
        seconds([["It", "works", "."]], way)
    table = Table(["sentences", "number", "tokens", "numpy", "with fast"])
    table.rows.append(row("whole", drawn, compiled, asked.rounds))
    for length in _LENGTHS:
        cut = [one[:length] for one in tokens if len(one) >= length][: asked.sentences]
        if cut:
            table.rows.append(row(f"cut to {length}", cut, compiled, asked.rounds))
    load, cores = os.getloadavg()[0], os.cpu_count()
    about = _ABOUT.format(rounds=asked.rounds, load=load, cores=cores)
    text = f"# The speed of the built-in parser\n\n{about}\n\n{table.render('markdown').rstrip()}\n"
    if asked.report:
        before = asked.report.read_text(encoding="utf-8") if asked.report.exists() else ""
        _, mark, notes = before.partition("\n## ")
        asked.report.write_text(text + mark + notes, encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
