"""What a corpus costs, from measured figures: the table of docs/scale.md.

    python scripts/bench/cost.py [--pairs 1e9] [--machines 100] [--cores 16] [--write]
    python scripts/bench/cost.py --figure corpus.align_ms=90 --figure corpus.pairs=120

The figures are those of RESULTS.md (`corpus` and `jobs`), or what `--figure` says in their place,
as from a run over some of one's own documents. `--write` puts the table into docs/scale.md.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

from results import RESULTS, ROOT, figures_of

from bitext.reports.table import Table

__all__ = ["Cost", "cost_of", "costs", "table_of"]

PAGE = ROOT / "docs" / "scale.md"
COMMANDS = ("score", "convert", "align")
BEGIN, END = "<!-- costs -->", "<!-- end of costs -->"
_INDEX = 8  # bytes that the process which directs holds of each document


class Cost(NamedTuple):
    """What a command over the corpus costs.

    Attributes
    ----------
    cpu_hours : float
        Of all machines together.
    hours : float
        Until all is done, with all cores at work.
    memory_gb : float
        Of each machine: a process a core, at its peak, and the one that directs.
    journal_gb, output_gb : float
        On the disk, all machines together.
    workers : float
        Processes that one process can direct.

    """

    cpu_hours: float
    hours: float
    memory_gb: float
    journal_gb: float
    output_gb: float
    workers: float


def cost_of(
    figures: dict[str, float], command: str, *, pairs: float, machines: int, cores: int
) -> Cost:
    """Work out what one command costs.

    Examples
    --------
    >>> figures = {"corpus.pairs": 100, "jobs.directing_ms": 0.5, "corpus.score_ms": 36}
    >>> figures |= {"corpus.score_peak_mb": 50, "corpus.score_journal_bytes": 1000}
    >>> figures |= {"corpus.score_output_bytes": 0}
    >>> found = cost_of(figures, "score", pairs=1e9, machines=10, cores=10)
    >>> found.cpu_hours, found.hours, found.journal_gb, found.workers
    (100.0, 1.0, 10.0, 72.0)

    """
    own = {key: figures[f"corpus.{command}_{key}"] for key in ("ms", "peak_mb")}
    sizes = [figures[f"corpus.{command}_{key}_bytes"] for key in ("journal", "output")]
    documents = pairs / figures["corpus.pairs"]
    cpu_hours = documents * own["ms"] / 3_600_000
    index = _INDEX * documents / machines / 1e9
    return Cost(
        cpu_hours,
        cpu_hours / (machines * cores),
        (cores + 1) * own["peak_mb"] / 1000 + index,
        documents * sizes[0] / 1e9,
        documents * sizes[1] / 1e9,
        own["ms"] / figures["jobs.directing_ms"],
    )


def costs(figures: dict[str, float], *, pairs: float, machines: int, cores: int) -> dict[str, Cost]:
    """Work out what all commands cost."""
    return {
        name: cost_of(figures, name, pairs=pairs, machines=machines, cores=cores)
        for name in COMMANDS
    }


def table_of(figures: dict[str, float], *, pairs: float, machines: int, cores: int) -> str:
    """Return the table, and the figures that it is made of, as Markdown."""
    documents = pairs / figures["corpus.pairs"]
    heads = ["command", "ms a document", "CPU hours", "minutes on all", "GB a machine"]
    heads += ["journals, GB", "output, GB", "workers one can direct"]
    table = Table(heads, right=set(range(1, len(heads))))
    for name, cost in costs(figures, pairs=pairs, machines=machines, cores=cores).items():
        cells = [f"{figures[f'corpus.{name}_ms']:.1f}", f"{cost.cpu_hours:,.0f}"]
        cells += [f"{60 * cost.hours:.1f}", f"{cost.memory_gb:.1f}"]
        cells += [f"{cost.journal_gb:,.1f}" if cost.journal_gb else "-"]
        table.rows.append([name, *cells, f"{cost.output_gb:,.0f}", f"{cost.workers:.0f}"])
    text = documents * figures["corpus.text_bytes"] / 1e9
    links = documents * figures["corpus.links_bytes"] / 1e9
    said = (
        f"{pairs:,.0f} sentence pairs are {documents:,.0f} documents of "
        f"{figures['corpus.pairs']:g} pairs: {text:,.0f} GB of text, and {links:,.0f} GB for each "
        f"alignment of it. On {machines} machines of {cores} cores:"
    )
    return f"{said}\n\n{table.render('markdown').strip()}"


def main() -> int:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pairs", type=float, default=1e9)
    parser.add_argument("--machines", type=int, default=100)
    parser.add_argument("--cores", type=int, default=16)
    parser.add_argument("--figure", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--write", action="store_true", help="into docs/scale.md")
    options = parser.parse_args()
    figures = figures_of(RESULTS.read_text(encoding="utf-8"))
    for name, _, value in (given.partition("=") for given in options.figure):
        if name not in figures:
            parser.error(f"--figure {name}: is none of {', '.join(sorted(figures))}")
        figures[name] = float(value)
    wanted = {"pairs": options.pairs, "machines": options.machines, "cores": options.cores}
    text = table_of(figures, **wanted)
    print(text)
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
