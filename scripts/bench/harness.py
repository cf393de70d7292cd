"""What all benchmarks measure with: calls in processes of their own, by turns, and by size.

A `Party` is a process that holds one side of a comparison: an interpreter, ours or that of a
peer's environment, which calls the functions of a module when it is asked (`serve.py`). So neither
side pays for the other's memory or imports, and starting is not counted. `turns` lets the sides
run in turn, A B A B, another one first each round; what is told is the least CPU of the rounds,
and of ratios the median of those within a round, as both then met the same machine.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import serve

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

__all__ = ["Party", "Rival", "Usage", "agree", "exponent", "grown", "here", "least", "ratio"]
__all__ += ["seconds", "slope", "turns"]

_SERVER = Path(serve.__file__)
# One core is one core.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


class Usage(NamedTuple):
    """What a call took.

    Attributes
    ----------
    cpu, wall : float
        Seconds, of one call.
    peak, before : float
        Resident memory in MB: at its peak during the call, and before it.
    value : Any
        What came out.

    """

    cpu: float
    wall: float
    peak: float
    before: float
    value: Any


class Party:
    """A process that calls the functions of a module.

    Parameters
    ----------
    module : path
        A file of Python.
    python : path, optional
        The interpreter; default: this one.

    """

    def __init__(self, module: str | Path, python: str | Path | None = None) -> None:
        env = dict(os.environ) | dict.fromkeys(_THREADS, "1")
        env |= {"PYTHONUTF8": "1", "PYTHONHASHSEED": "0"}
        if python is not None:  # what is on our path is not for peers
            env.pop("PYTHONPATH", None)
        self._process = subprocess.Popen(
            [python or sys.executable, _SERVER, module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=env,
            text=True,
            encoding="utf-8",
        )

    def call(self, name: str, *args: Any, least: float = 0.0) -> Usage:
        """Call a function; arguments and result are what JSON can hold."""
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise SystemExit("a party without pipes")
        requests.write(json.dumps({"name": name, "args": args, "least": least}) + "\n")
        requests.flush()
        line = answers.readline()
        if not line:
            raise SystemExit(f"{name}: the process ended with status {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise SystemExit(f"{name}: {answer['error']}")
        return Usage(**answer)

    def close(self) -> None:
        """Let the process end."""
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def here(work: Callable[[], Any], *, least: float = 0.0) -> Usage:
    """Call a function in this process, until it has lasted `least` CPU seconds."""
    return Usage(**serve.called(work, [], least))


def seconds(work: Callable[[], object], runs: int = 3) -> float:
    """Return the least CPU seconds of several runs, in this process."""
    fewest = float("inf")
    for _ in range(runs):
        begun = time.process_time()
        work()
        fewest = min(fewest, time.process_time() - begun)
    return fewest


def turns(work: Mapping[str, Callable[[], Usage]], rounds: int) -> dict[str, list[Usage]]:
    """Let all run in turn, so many rounds, another one first each round."""
    names = list(work)
    found: dict[str, list[Usage]] = {name: [] for name in names}
    for turn in range(rounds):
        for place in range(len(names)):
            name = names[(place + turn) % len(names)]
            found[name].append(work[name]())
    return found


def least(usages: Sequence[Usage]) -> float:
    """Return the least CPU seconds of the rounds."""
    return min(usage.cpu for usage in usages)


def ratio(theirs: Sequence[Usage], ours: Sequence[Usage]) -> float:
    """Return how many times as much CPU they took: the median of the rounds."""
    return median(a.cpu / max(b.cpu, 1e-9) for a, b in zip(theirs, ours, strict=True))


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Return the power of the size that values grow with: the slope of their logarithms.

    Examples
    --------
    >>> round(exponent([10, 20, 40], [1, 4, 16]), 6)
    2.0

    """
    return slope([math.log(size) for size in sizes], [math.log(max(v, 1e-9)) for v in values])


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the slope of the line through points, by least squares; 0 of points at one place.

    Examples
    --------
    >>> slope([0, 1, 2], [5, 7, 9])
    2.0

    """
    if len(set(x)) < 2:
        return 0.0
    mid_x, mid_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((a - mid_x) ** 2 for a in x)
    return sum((a - mid_x) * (b - mid_y) for a, b in zip(x, y, strict=True)) / spread


class Rival(NamedTuple):
    """One side of a comparison over sizes.

    Attributes
    ----------
    name : str
    run : callable
        `run(size)` does the work once.
    limit : float
        CPU seconds, above which larger sizes are left out.

    """

    name: str
    run: Callable[[int], Usage]
    limit: float = 20.0


def grown(
    what: str,
    sizes: Sequence[int],
    rivals: Sequence[Rival],
    *,
    rounds: int = 3,
    check: Callable[[dict[str, Any]], Mapping[str, str]] | None = None,
) -> tuple[Table, dict[str, list[float]]]:
    """Run all rivals at all sizes by turns; the first one is ours.

    Parameters
    ----------
    what : str
        The head of the first column: what is done, in which unit.
    sizes : sequence of int
    rivals : sequence of Rival
    rounds : int
    check : callable, optional
        Takes what each gave at a size, and tells of each how far it agrees with ours; it may end
        the run.

    Returns
    -------
    tuple of Table and dict
        A line for each rival: CPU seconds at each size, how many times ours at the largest size
        that it did, the peak of memory there, what of that was there before, and the growth: CPU
        is proportional to that power of the size. And the seconds of each.

    """
    heads = [what, *(f"{size:,}" for size in sizes)]
    table = Table(
        [*heads, "times ours", "peak MB", "before", "CPU grows as", "answers"],
        right=set(range(1, len(sizes) + 5)),
    )
    alive = list(rivals)
    all_of: dict[str, list[list[Usage]]] = {rival.name: [] for rival in rivals}
    said = dict.fromkeys(all_of, "")
    ours = rivals[0].name
    for size in sizes:
        work = {rival.name: _bound(rival, size) for rival in alive}
        found = turns(work, rounds)
        values = {name: usages[-1].value for name, usages in found.items()}
        said.update(check(values) if check is not None else {})
        for name, usages in found.items():
            all_of[name].append(usages)
            print(f"  {what} {size:,} {name}: {least(usages):.4g} s CPU", flush=True)
        alive = [r for r in alive if r.name == ours or least(found[r.name]) <= r.limit]
    seconds = {}
    for name, by_size in all_of.items():
        cpu = seconds[name] = [least(usages) for usages in by_size]
        cells = [_seconds(value) for value in cpu] + ["-"] * (len(sizes) - len(cpu))
        last = by_size[-1]
        times = ratio(last, all_of[ours][len(by_size) - 1])
        peak = max(usage.peak for usage in last)
        before = min(usage.before for usage in last)
        power = f"n^{exponent(sizes[: len(cpu)], cpu):.2f}" if len(cpu) > 1 else "-"
        costs = [_times(times), f"{peak:.0f}", f"{before:.0f}", power, said[name]]
        table.rows.append([name, *cells, *costs])
    return table, seconds


def _bound(rival: Rival, size: int) -> Callable[[], Usage]:
    return lambda: rival.run(size)


def _seconds(value: float) -> str:
    return f"{value:.2f}" if value >= 1 else f"{value:.3g}"


def _times(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def agree(values: Mapping[str, Any], *, within: float = 0.0) -> dict[str, str]:
    """Check that all gave the same: numbers, lists of numbers, or whatever is equal.

    Returns
    -------
    dict
        "same" for each but the first; a difference ends the run, for times of different work
        compare nothing.

    """
    (first, ours), *others = values.items()
    for name, theirs in others:
        if not _near(ours, theirs, within):
            raise SystemExit(f"{first} and {name} differ: {ours!r:.200} and {theirs!r:.200}")
    return {name: "same" for name, _ in others}


def _near(ours: Any, theirs: Any, within: float) -> bool:
    if isinstance(ours, list) and isinstance(theirs, list):
        pairs = zip(ours, theirs, strict=False)
        return len(ours) == len(theirs) and all(_near(a, b, within) for a, b in pairs)
    if isinstance(ours, float) or isinstance(theirs, float):
        return abs(float(ours) - float(theirs)) <= within
    return bool(ours == theirs)
