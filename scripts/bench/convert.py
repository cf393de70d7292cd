"""Conversion beside the tools of the package index that do the same.

- *TMX*: a made file with inline codes in a tenth of its units, to two text files: units right,
  wrong and dropped, CPU, wall time, peak memory. *Mixed*: a tenth of the units have attributes,
  props and notes; *uniform*: none has.
- *links*: made links in XCES with documents in the layout of OPUS, 16 % of them not 1-1, to two
  text files and to TMX: plain and gzipped ("raw"), and with an element a token ("xml", which
  OpusTools reads unless told otherwise).
- *growth*: the first with files of three sizes, peers up to 200 MB.

All data are made by the script (`convert_made.py`), and with them the answers. Below the tools
stands the floor: bare parses of the same files that do nothing, and reading alone.

Each run of a tool is a process of its own, whose start is counted. The tools take turns, in another
order each round, and CPU seconds are the least of the rounds; *times ours* is the median of the
ratios within the rounds. How the peers are called stands in `convert_peers.py`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from command import Usage, measured
from convert_answers import Verdict, judged
from convert_made import make_links, make_tmx, parts_of
from convert_peers import Tool, floors, link_tools, ours, tmx_tools
from environments import environment, versions
from harness import exponent
from results import Asked, Section, told

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from convert_made import Made

_MB = 1_000_000
_PEERS_UP_TO = 200  # MB, in the table of growth


class Bench:
    """Runs tools by turns, and judges what they write in the first round."""

    def __init__(self, folder: Path, runs: int) -> None:
        self.folder, self.runs = folder, runs
        self.out = folder / "out"

    def over(self, tools: Sequence[Tool], made: Made) -> list[tuple[Tool, list[Usage], list[str]]]:
        """Return of each tool what every round took, and what is said of its output."""
        usages: list[list[Usage]] = [[] for _ in tools]
        verdicts: list[list[str]] = [[] for _ in tools]
        for turn in range(self.runs):
            for place in range(len(tools)):
                k = (place + turn) % len(tools)
                shutil.rmtree(self.out, ignore_errors=True)
                self.out.mkdir(parents=True)
                usage = measured(tools[k].command, self.folder)
                print(f"  {tools[k].name}: {usage.cpu:.2f} s CPU, {usage.peak:.0f} MB", flush=True)
                usages[k].append(usage)
                if usage.status:
                    verdicts[k] = [f"stops: {usage.said[:60]}"]
                elif tools[k].units and not verdicts[k]:
                    verdicts[k] = self._judged(tools[k], made)
        shutil.rmtree(self.out, ignore_errors=True)
        return list(zip(tools, usages, verdicts, strict=True))

    def _judged(self, tool: Tool, made: Made) -> list[str]:
        if tool.units is None:
            return []
        verdict = judged(made, tool.units())
        print(f"    {verdict}", flush=True)
        counts = [f"{n:,}" for n in (verdict.right, verdict.wrong, verdict.dropped)]
        if verdict.broken:
            return ["-", "-", "-", f"no XML: {verdict.broken}"]
        if tool.output:
            return [*counts, "well-formed"]
        return [*counts, _kinds(verdict)]


def _kinds(verdict: Verdict) -> str:
    return ", ".join(
        f"{_KINDS[kind]} {100 * right / every:.4g} %"
        for kind, (right, every) in verdict.by_kind.items()
        if every
    )


_KINDS = {
    "c": "codes",
    "e": "escaped twice",
    "r": "references",
    "p": "plain",
    "0": "0-1",
    "1": "1-1",
    "n": "n-m",
}
_HEAD = ("right", "wrong", "dropped", "of a kind right, or the file")
_COSTS = ("CPU s", "times ours", "a CPU s", "wall s", "peak MB")


def _table(title: str, rows: list[tuple[Tool, list[Usage], list[str]]], work: str) -> Table:
    """Make the table of tools; `work` is what was done, as "200 MB" or "1000000 links"."""
    table = Table([title, *_HEAD, *_COSTS], right={1, 2, 3, 5, 6, 7, 8, 9})
    size, unit = work.split(" ")
    for tool, usages, said in rows:
        cells = [tool.name, *(said + [""] * 4)[:4]]
        if any(usage.status for usage in usages):
            table.rows.append([*cells, *["-"] * len(_COSTS)])
            continue
        cpu = min(usage.cpu for usage in usages)
        pairs = list(zip(usages, rows[0][1], strict=True))
        ratio = f"{median(theirs.cpu / our.cpu for theirs, our in pairs):.2f}"
        if any(our.status for _, our in pairs):
            ratio = "-"
        table.rows.append(
            [
                *cells,
                f"{cpu:.2f}",
                ratio,
                f"{float(size) / cpu:,.0f} {unit}",
                f"{min(usage.wall for usage in usages):.2f}",
                f"{max(usage.peak for usage in usages):.0f}",
            ]
        )
    return table


def from_tmx(bench: Bench, programs: Path, size: int) -> list[Table]:
    """Return the tables of a TMX of that many MB to two text files, mixed and uniform."""
    tables = []
    for mixed in (True, False):
        folder = bench.folder / (f"tmx-{size}" if mixed else f"tmx-uniform-{size}")
        made = make_tmx(folder, size * _MB, mixed=mixed)
        tools = tmx_tools(made, bench.out, programs)
        if mixed:
            tools += floors(made, "tu")
        rows = bench.over(tools, made)
        title = f"{'mixed' if mixed else 'uniform'} TMX of {size:,} MB, {made.units:,} units"
        tables.append(_table(title, rows, f"{made.path.stat().st_size / _MB} MB"))
    return tables


def from_links(bench: Bench, programs: Path, links: int) -> list[Table]:
    """Return the tables of links to two text files and to TMX, by the layout of documents."""
    tables = []
    for layout in ("plain", "gzipped", "tokenised"):
        made = make_links(bench.folder / f"links-{layout}-{links}", links, layout)
        size = sum(path.stat().st_size for path in parts_of(made)) / _MB
        for kind in ("moses", "tmx"):
            tools = link_tools(made, bench.out, programs, layout, kind=kind)
            if kind == "moses":
                tools += floors(made, "link,s")
            title = f"{links:,} links, {layout} ({size:,.0f} MB), to {kind}"
            tables.append(_table(title, bench.over(tools, made), f"{links} links"))
    return tables


def growth(bench: Bench, programs: Path, sizes: Sequence[int]) -> tuple[Table, dict[str, float]]:
    """Return the table of CPU time and memory by the size of the TMX, and what a unit costs."""
    heads = ["TMX to text, MB", *(f"{size:,}" for size in sizes), "CPU grows as"]
    table = Table(
        [*heads, *(f"peak MB at {size:,}" for size in sizes)],
        right=set(range(1, 2 * len(sizes) + 2)),
    )
    found: dict[str, list[Usage]] = {}
    figures: dict[str, float] = {}
    for size in sizes:
        made = make_tmx(bench.folder / f"tmx-{size}", size * _MB)
        few = Bench(bench.folder, bench.runs if size <= _PEERS_UP_TO else 1)
        tools = [ours(made, bench.out, kind="moses")]
        if size <= _PEERS_UP_TO:
            tools = tmx_tools(made, bench.out, programs)
        for tool, usages, _ in few.over(tools, made):
            found.setdefault(tool.name, []).append(min(usages, key=lambda usage: usage.cpu))
        best = found["bitext"][-1]
        figures["convert.unit_us"] = 1e6 * best.cpu / made.units
        figures["convert.unit_bytes"] = made.path.stat().st_size / made.units
        figures["convert.peak_mb"] = best.peak
    for name, runs in found.items():
        blank = ["-"] * (len(sizes) - len(runs))
        cpu = [usage.cpu for usage in runs]
        cells = [*(f"{value:.2f}" for value in cpu), *blank]
        cells.append(f"n^{exponent(sizes[: len(cpu)], cpu):.2f}")
        table.rows.append([name, *cells, *(f"{usage.peak:.0f}" for usage in runs), *blank])
    return table, figures


def measure(asked: Asked) -> Section:
    """Run all parts."""
    programs = environment("convert", asked.cache)
    size, links, runs, sizes = 60, 200_000, 2, (15, 60, 240)
    if asked.quick:
        size, links, runs, sizes = 12, 30_000, 1, (3, 12, 48)
    elif asked.large:
        size, links, runs, sizes = 200, 1_000_000, 1, (20, 200, 2000)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), runs)
        tables = [*from_tmx(bench, programs, size), *from_links(bench, programs, links)]
        cost, figures = growth(bench, programs, sizes)
    notes = [f"Peers: {versions('convert', asked.cache)}."]
    return Section([*tables, cost], notes, figures)


if __name__ == "__main__":
    sys.exit(told("convert", __doc__ or "", measure))
