"""Jobs: what their layer costs, and what a second process brings, on texts of ordinary size.

Texts of 400 segments a side are scored in all measures, as plain files beside an alignment.

- *the layer*: CPU of `bitext.jobs.run`, of this process and its workers, with its journal, beside a
  plain loop over the same work in a process that does nothing else. By turns.
- *two processes*: documents a second of two beside one, once they have begun, by turns. On a
  machine that does something else this tells about that: so the cores that each run had (CPU by
  wall time) are told, and the bound that CPU sets: with the work of a document w and what the
  process that directs does for it p, two cores do no more than 2 w / (w + p) times what one
  worker does beside an idle core.
- *without jobs*: one such loop beside two at once, which is what the machine gives at the most: two
  cores that share their parts give less than 2.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

# One core is one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import made_corpus
from harness import Party
from made_corpus import CountTask, made_pairing, many, texts_of
from results import Asked, Section, told

from bitext.jobs import Document, Processes, run
from bitext.metrics.evaluation import Options
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

SEGMENTS = 400
KEPT = 100  # texts that there are
QUIET = 0.7  # load of a machine that does nothing else to speak of


class Cost(NamedTuple):
    """Seconds that a run took: CPU of this process, of its workers, and wall."""

    own: float
    workers: float
    wall: float

    @property
    def cpu(self) -> float:
        """Both together."""
        return self.own + self.workers

    @property
    def cores(self) -> float:
        """How many cores it had."""
        return self.cpu / self.wall


def _own() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _theirs(executor: Processes) -> float:
    """Return the CPU seconds of the workers: system ticks, of a hundredth of a second."""
    ticks = 0
    for pid in executor.pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def by_jobs(task: CountTask, documents: list[Document], journal: Path, *, processes: int) -> Cost:
    """Do the work by jobs; workers are ready before the clock starts."""
    with Processes(processes) as executor:
        warm = [Document(k, "warm", documents[0].item) for k in range(4 * processes)]
        run(warm, task, executor=executor, processes=processes, batch=1)
        theirs, own, begun = _theirs(executor), _own(), time.perf_counter()
        run(documents, task, executor=executor, processes=processes, journal=journal)
        wall = time.perf_counter() - begun
        return Cost(_own() - own, _theirs(executor) - theirs, wall)


def looped(parties: list[Party], texts: int) -> Cost:
    """Do the work in plain loops at once, each in a process of its own with its share."""
    share, begun = texts // len(parties), time.perf_counter()
    with ThreadPoolExecutor(len(parties)) as threads:
        calls = [threads.submit(party.call, "loop", share) for party in parties]
        cpu = sum(call.result().cpu for call in calls)
    return Cost(0.0, cpu, time.perf_counter() - begun)


def measure(asked: Asked) -> Section:
    """Measure by turns."""
    texts, rounds = (200, 2) if asked.quick else (1000, 5)
    quiet = os.getloadavg()[0] < QUIET
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        corpus = folder / "c"
        pairing = made_pairing(corpus, texts=min(KEPT, texts), segments=SEGMENTS)
        task = CountTask(pairing=pairing, options=Options())
        documents = list(many(texts_of(pairing), texts))
        parties = [stack.enter_context(Party(Path(made_corpus.__file__))) for _ in range(2)]
        for party in parties:
            party.call("hold", str(corpus), texts)
        ways: dict[str, Callable[[Path], Cost]] = {
            "a plain loop": lambda _: looped(parties[:1], texts),
            "two plain loops at once": lambda _: looped(parties, texts),
            "jobs, one process": partial(by_jobs, task, documents, processes=1),
            "jobs, two processes": partial(by_jobs, task, documents, processes=2),
        }
        found: dict[str, list[Cost]] = {name: [] for name in ways}
        for turn in range(rounds):
            for excerpt_place in range(len(ways)):
                name = list(ways)[(excerpt_place + turn) % len(ways)]
                cost = ways[name](folder / f"{name}-{turn}")
                print(f"  {name}: {cost.cpu:.2f} s CPU, {cost.wall:.2f} s", flush=True)
                found[name].append(cost)
        size = (folder / "jobs, one process-0").stat().st_size / texts
    return _section(found, texts, size, quiet=quiet)


def _section(found: dict[str, list[Cost]], texts: int, journal: float, *, quiet: bool) -> Section:
    heads = ["ms a document", "CPU", "of that directing", "wall", "cores had", "documents a second"]
    table = Table(heads, right={1, 2, 3, 4, 5})
    for name, costs in found.items():
        best = min(costs, key=lambda cost: cost.cpu)
        wall = min(cost.wall for cost in costs)
        cells = [f"{1000 * seconds / texts:.2f}" for seconds in (best.cpu, best.own, wall)]
        cores = median(cost.cores for cost in costs)
        table.rows.append([name, *cells, f"{cores:.2f}", f"{texts / wall:,.0f}"])
    loop, loops, one, two = found.values()
    layer = median(b.cpu / a.cpu - 1 for a, b in zip(loop, one, strict=True))
    least = min(b.cpu for b in one) / min(a.cpu for a in loop) - 1
    twice, bare = (
        median(a.wall / b.wall for a, b in zip(*ways, strict=True))
        for ways in ((one, two), (loop, loops))
    )
    work, own = (median(values) for values in ([c.workers for c in two], [c.own for c in two]))
    bound = 2 * work / (work + own)
    good = least < 0.05 and twice >= 1.8
    judged = "" if quiet else " The machine was busy, so this is not judged."
    note = (
        f"{texts:,} documents of {SEGMENTS} segments a side. The layer costs {100 * layer:+.1f} % "
        f"CPU (median of the rounds; {100 * least:+.1f} % between the least of each; wanted: under "
        f"5 %). Two processes give {twice:.2f} times the throughput of one (wanted: at least 1.8); "
        f"the CPU that they use allows {bound:.2f}, and two plain loops at once without jobs "
        f"have {bare:.2f} times that of one.{judged}"
    )
    figures = {
        "jobs.layer_percent": 100 * least,
        "jobs.two_processes": twice,
        "jobs.two_processes_bound": bound,
        "jobs.two_loops": bare,
        "jobs.directing_ms": 1000 * own / texts,
        "jobs.journal_bytes": journal,
    }
    return Section([table], [note], figures, verdict=good or not quiet)


if __name__ == "__main__":
    sys.exit(told("jobs", __doc__ or "", measure))
