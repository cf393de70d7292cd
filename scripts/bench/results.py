"""What benchmarks found: kept as one JSON file each, and put together as RESULTS.md.

Each benchmark is a script with a function `measure(asked)` that returns a `Section`; `told` is its
main program. The file of a run is in the folder of caches, and so is not committed; RESULTS.md is.
A part whose file is not there stays in RESULTS.md as it is, so that one part can be renewed by
itself, on any machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitext.reports.table import Table

__all__ = ["RESULTS", "ROOT", "Asked", "Section", "composed", "figures_of", "told"]

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("RESULTS.md")
CACHE = ROOT / "build" / "bench"

_FIGURE = re.compile(r"^\| `([a-z0-9_.]+)` \| ([-0-9.e+]+) \|", re.MULTILINE)
_PART = re.compile(r"^## ([a-z]+)$", re.MULTILINE)


class Asked(NamedTuple):
    """What a run is to do.

    Attributes
    ----------
    quick : bool
        Small sizes and few rounds: whether it runs, and about how it stands.
    cache : Path
        Where environments, made files and results are.
    large : bool
        Sizes that take hours, where a benchmark has such.

    """

    quick: bool
    cache: Path
    large: bool = False


@dataclass(slots=True)
class Section:
    """What one benchmark found.

    Attributes
    ----------
    tables : list of Table
    notes : list of str
        Paragraphs, before the tables.
    figures : dict of str to float
        What other sums are made of (`cost.py`), by name.
    verdict : bool
        Whether all that it watches over held.

    """

    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)
    verdict: bool = True

    def body(self) -> str:
        """Return it as Markdown."""
        parts = [*self.notes, *(table.render("markdown").strip() for table in self.tables)]
        if self.figures:
            rows = [f"| `{name}` | {value:.6g} |" for name, value in self.figures.items()]
            parts.append("\n".join(["| figure | value |", "| --- | --: |", *rows]))
        return "\n\n".join(parts) + "\n"


def machine() -> str:
    """Return what this machine is, in one line."""
    name = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        names = re.findall(r"model name\s*:\s*(.+)", cpus.read_text(encoding="utf-8"))
        name = names[0] if names else name
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores ({name}), {memory:.0f} GB, {platform.system()}"


def software() -> str:
    """Return the versions that a figure depends on."""
    return made_with("numpy", "lxml")


def made_with(*packages: str) -> str:
    """Return the versions of Python, of bitext with its commit, and of some packages.

    numba is among these where `bitext` uses it, as many figures depend on it.
    """
    if find_spec("numba") and os.environ.get("BITEXT_COMPILED") != "0":
        packages = (*packages, "numba")
    commit = ""
    if shutil.which("git"):  # hours of work are not lost for it
        commit = _git("rev-parse", "--short", "HEAD")
        # What is run, and not the reports that one run after the other renews.
        if commit and _git("status", "--porcelain", "--", "*.py"):
            commit += "-dirty"
        commit = commit and f" at {commit}"
    own = f"Python {platform.python_version()}, bitext {version('bitext')}{commit}"
    return ", ".join([own, *(f"{name} {version(name)}" for name in packages)])


def _git(*words: str) -> str:
    """Return what git says of the project; nothing where it knows nothing of it."""
    command = ["git", "-C", str(ROOT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def made_today(*packages: str) -> str:
    """Return the day, and what `made_with` does: for the heads of reports."""
    return f"{datetime.now(UTC):%Y-%m-%d}, {made_with(*packages)}"


def _flags(asked: Asked) -> str:
    return " --quick" * asked.quick + " --large" * asked.large


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def told(name: str, about: str, measure: Callable[[Asked], Section]) -> int:
    """Run a benchmark as its arguments ask, print what it found, and keep it.

    Returns
    -------
    int
        The exit status: 1 where what it watches over did not hold.

    """
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, few rounds")
    parser.add_argument("--cache", type=Path, default=CACHE, help="environments and results")
    parser.add_argument("--large", action="store_true", help="sizes that take long (convert)")
    options = parser.parse_args()
    asked = Asked(options.quick, options.cache.absolute(), options.large)
    begun, before = time.monotonic(), _load()
    section = measure(asked)
    seconds, after = time.monotonic() - begun, _load()
    said = (
        f"{about.partition(chr(10))[0]}\n\n"
        f"`scripts/benchmarks --only {name}{_flags(asked)}`, "
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {seconds:,.0f} s. {machine()}; {software()}; "
        f"load {before} at the begin, {after} at the end.\n\n"
    )
    text = said + section.body()
    print(f"\n{text}", flush=True)
    folder = asked.cache / "results"
    folder.mkdir(parents=True, exist_ok=True)
    kept = {"name": name, "text": text, "quick": asked.quick, "verdict": section.verdict}
    (folder / f"{name}.json").write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return 0 if section.verdict else 1


def composed(names: Sequence[str], cache: Path, path: Path = RESULTS) -> str:
    """Put the results together, in the order of the names; what was not renewed stays."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    pieces = _PART.split(old)
    parts = dict(zip(pieces[1::2], (text.strip() + "\n" for text in pieces[2::2]), strict=True))
    for name in names:
        file = cache / "results" / f"{name}.json"
        if file.exists():
            parts[name] = json.loads(file.read_text(encoding="utf-8"))["text"].strip() + "\n"
    held = [f"## {name}\n\n{parts[name]}" for name in names if name in parts]
    return "\n".join([_HEAD, *held])


def figures_of(text: str) -> dict[str, float]:
    r"""Return the figures of RESULTS.md by their names.

    Examples
    --------
    >>> figures_of("| figure | value |\n| --- | --: |\n| `score.ms` | 6.5 |\n")
    {'score.ms': 6.5}

    """
    return {name: float(value) for name, value in _FIGURE.findall(text)}


_HEAD = """\
# What bitext takes, and what others take for the same

Made by `scripts/benchmarks` (`--quick` for a few minutes, `--only NAME` for one part; the peers
come from the package index, pinned in `scripts/bench/peers.txt`, each family in an environment of
its own). Each part tells when and where it was run, and how busy the machine was: seconds are of
the processor and so bear company, but ratios are what to look at. Sides of a comparison run in turn
in processes of their own; CPU seconds are the least of the rounds, *times ours* the median of the
ratios within a round. *Before* is the memory with data and packages, before the work. *CPU grows
as* tells the power of the size, 1 being linear, from the sizes of the table.

How well sentences are aligned stands in `alignment_quality.md`, paragraphs in `paragraphs.md`:
both need texts that are not of this repository.
"""


if __name__ == "__main__":
    sys.exit("this is no benchmark; run scripts/benchmarks")
