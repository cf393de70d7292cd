"""Conversion beside the tools of the package index that do the same, in one run.

    python scripts/bench/convert.py [--part tmx|links|grow ...] [--report FILE]

- *tmx*: a made TMX (`--size`, in MB) with inline codes in a tenth of its units, to two text files:
  units right, wrong and dropped, CPU seconds, wall time, peak memory. *Mixed*: a tenth of the units
  have attributes, props and notes; *uniform*: none has.
- *links*: made links in XCES (`--links`) with documents in the layout of OPUS, 16 % of them not
  1-1, to two text files and to TMX: plain and gzipped ("raw"), and with an element a token
  ("xml", which OpusTools reads unless told otherwise).
- *grow*: the first with files of `--sizes`, peers up to 300 MB.

All data are made by the script (`convert_made.py`), and with them the answers. Below the tools
stands the floor: bare parses of the same files that do nothing, and reading alone.

Each run of a tool is a process of its own. The tools take turns, in another order each round, and
CPU seconds (user and system, start of the process included) are the least of `--runs` rounds;
*times ours* is the median of the ratios within the rounds. Wall times depend on what else the
machine does. How the peers are called stands in `convert_peers.py`.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from convert_answers import Verdict, judged
from convert_made import make_links, make_tmx, parts_of
from convert_peers import PINS, Tool, floors, install, link_tools, ours, tmx_tools
from convert_run import Usage, measured

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from convert_made import Made

_MB = 1_000_000
_PEERS_UP_TO = 300  # MB, in the table of growth

_ABOUT = """\
# Conversion: bitext and the tools of the package index

Made by `python scripts/bench/convert.py {}`, whose docstring tells what is measured; {}.{}

"""


class Bench:
    """Runs tools by turns, and judges what they write in the first round."""

    def __init__(self, folder: Path, runs: int, schema: Path | None) -> None:
        self.folder, self.runs, self.schema = folder, runs, schema
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
            return [*counts, self._valid(tool.output)]
        return [*counts, _kinds(verdict)]

    def _valid(self, output: Path) -> str:
        if self.schema is None:
            return "well-formed"
        calls = Path(__file__).with_name("convert_calls.py")
        command: list[str | Path] = [sys.executable, calls, "dtd", self.schema, output]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        said = found.stderr.strip().split("\n")[-1]
        return f"not valid: {said[:80]}" if found.returncode else "valid"


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


def growth(bench: Bench, programs: Path, sizes: Sequence[int]) -> Table:
    """Return the table of CPU time and memory by the size of the TMX."""
    table = Table(
        ["TMX to text", "MB", "right", "CPU s", "CPU s for 100 MB", "peak MB"],
        right={1, 2, 3, 4, 5},
    )
    for size in sizes:
        made = make_tmx(bench.folder / f"tmx-{size}", size * _MB)
        few = Bench(bench.folder, bench.runs if size <= _PEERS_UP_TO else 1, None)
        tools = [ours(made, bench.out, kind="moses")]
        if size <= _PEERS_UP_TO:
            tools = tmx_tools(made, bench.out, programs)
        for tool, usages, said in few.over(tools, made):
            cpu = min(usage.cpu for usage in usages)
            peak = max(usage.peak for usage in usages)
            costs = (f"{cpu:.2f}", f"{100 * cpu / size:.2f}", f"{peak:.0f}")
            table.rows.append([tool.name, f"{size:,}", said[0], *costs])
    return table


def _versions() -> str:
    known = [f"{name} {version(name)}" for name in ("bitext", "numpy", "lxml")]
    peers = ", ".join(pin.replace("==", " ") for pin in PINS if "docopt" not in pin)
    return (
        f"{os.cpu_count()} cores, Python {platform.python_version()}; {', '.join(known)}; peers: "
        f"{peers}"
    )


def main() -> int:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", action="append", choices=("tmx", "links", "grow"))
    parser.add_argument("--size", type=int, default=200, help="of the TMX, in MB (200)")
    parser.add_argument("--links", type=int, default=1_000_000, help="how many (1000000)")
    parser.add_argument("--sizes", default="20,200,2000", help="of *grow*, in MB (20,200,2000)")
    parser.add_argument("--runs", type=int, default=3, help="rounds, of which the best counts (3)")
    parser.add_argument("--dtd", type=Path, help="the DTD of TMX 1.4, to check what is written")
    parser.add_argument("--peers", type=Path, help="where the peers are, or are put")
    parser.add_argument("--data", type=Path, help="where the made files are, or are put")
    parser.add_argument("--report", type=Path, help="the tables, as Markdown")
    parser.add_argument("--note", default="", help="what the report is to say of this run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        programs = install((options.peers or Path(temporary) / "peers").absolute())
        data = (options.data or Path(temporary) / "data").absolute()
        bench = Bench(data, options.runs, options.dtd and options.dtd.absolute())
        sizes = [int(size) for size in options.sizes.split(",")]
        parts: dict[str, Callable[[], list[Table]]] = {
            "tmx": lambda: from_tmx(bench, programs, options.size),
            "links": lambda: from_links(bench, programs, options.links),
            "grow": lambda: [growth(bench, programs, sizes)],
        }
        tables = []
        for part in options.part or parts:
            for table in parts[part]():
                print(table.render("table"), flush=True)
                tables.append(table.render("markdown"))
    if options.report:
        names = ["size", "links", "sizes", "runs"]
        asked = " ".join(f"--{name} {getattr(options, name)}" for name in names)
        text = _ABOUT.format(asked, _versions(), options.note and f" {options.note}") + "\n".join(
            tables
        )
        options.report.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
