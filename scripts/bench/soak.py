"""A long run over 200,000 document pairs: throughput, memory, files and threads stay flat.

The run is bounded: after ten minutes (one, with --quick) no more documents are given, and it ends
in good order. Twenty times in all the state is noted: documents a second, resident memory of the
process that directs and of its workers, their open files and threads, and the journal's size.

Flat is judged by the slope of the line through the second half of the notes, when pools and caches
have filled: as grown over 200,000 documents, memory by less than 8 MB of each process beyond what
the index of the journal needs (eight bytes a document), throughput by less than a fifth either way,
files and threads not at all. The status is 1 where it is not flat. Throughput is judged in
documents for a CPU second, as what the machine does besides tells in wall time.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

# One core is one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from harness import slope
from made_corpus import CountTask, made_pairing, many, texts_of
from results import Asked, Section, told

from bitext.jobs import Document, Processes, run
from bitext.metrics.evaluation import Options
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.jobs import Result

DOCUMENTS = 200_000
KEPT = 100  # texts that there are
NOTES = 20
MEGABYTES = 8.0  # that a process may grow by, over all documents
SHARE = 0.2  # that throughput may change by
INDEX = 8 * DOCUMENTS / 2**20  # megabytes that the index of the journal takes


class State(NamedTuple):
    """How things are after so many documents; memory in MB, seconds since the begin."""

    documents: int
    seconds: float
    cpu: float
    parent: float
    workers: float
    files: int
    threads: int
    journal: int


def held(pid: int | str) -> tuple[float, int, int, float]:
    """Return resident megabytes, open files, threads and CPU seconds of a process."""
    root = Path(f"/proc/{pid}")
    lines = (root / "status").read_text(encoding="utf-8").splitlines()
    told_of = dict(line.split(":", 1) for line in lines if ":" in line)
    fields = (root / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    files = len(list((root / "fd").iterdir()))
    return int(told_of["VmRSS"].split()[0]) / 1024, files, int(told_of["Threads"]), cpu


class Watch:
    """Takes notes while the run goes on: after each twentieth of its documents or of its time."""

    def __init__(self, executor: Processes, journal: Path, documents: int, limit: float) -> None:
        self.executor, self.journal = executor, journal
        self.states: list[State] = []
        self.begun = time.monotonic()
        self.end = self.begun + limit
        self.step, self.pause = documents / NOTES, limit / NOTES
        self.done, self.next_done, self.next_time = 0, self.step, self.begun + self.pause

    def given(self, made: list[Document], count: int) -> Iterator[Document]:
        """Yield documents until there are enough, or the time is over."""
        for document in many(made, count):
            if time.monotonic() > self.end:
                return
            yield document

    def __call__(self, _: Result) -> None:
        """Count a document, and take a note where it is time."""
        self.done += 1
        if self.done >= self.next_done or time.monotonic() >= self.next_time:
            self.note()

    def note(self) -> None:
        """Note how things are."""
        now = time.monotonic()
        own, theirs = held("self"), [held(pid) for pid in self.executor.pids]
        every = [own, *theirs]
        state = State(
            self.done,
            now - self.begun,
            sum(each[3] for each in every),
            own[0],
            sum(each[0] for each in theirs),
            sum(each[1] for each in every),
            sum(each[2] for each in every),
            self.journal.stat().st_size,
        )
        self.states.append(state)
        self.next_done, self.next_time = self.done + self.step, now + self.pause
        print(f"  {state.documents:,} documents, {state.seconds:.0f} s", flush=True)


def rates(states: list[State]) -> list[tuple[float, float]]:
    """Return documents a second and documents a CPU second, between each two notes."""
    found = []
    for a, b in pairwise(states):
        done = b.documents - a.documents
        seconds, cpu = max(b.seconds - a.seconds, 1e-9), max(b.cpu - a.cpu, 1e-9)
        found.append((done / seconds, done / cpu))
    return found


def judged(states: list[State], processes: int) -> list[tuple[str, float, float, bool]]:
    """Judge the second half of the notes.

    Returns
    -------
    list of tuple
        What is judged, its growth over all documents, what is allowed, and whether it held.

    """
    half = states[len(states) // 2 :]
    places = [float(state.documents) for state in half]

    def growth(values: list[float]) -> float:
        return slope(places, values) * DOCUMENTS

    speeds = [rate for _, rate in rates(states)][len(states) // 2 - 1 :]
    mean = sum(speeds) / max(len(speeds), 1)
    # Of the documents that were done, no more: they may be few where the time was short.
    span = (places[-1] - places[0]) / DOCUMENTS
    changed = slope(places[-len(speeds) :], speeds) * DOCUMENTS * span / mean if mean else 1.0
    found = [
        ("memory of the parent, MB", growth([s.parent for s in half]), MEGABYTES + INDEX),
        ("memory of the workers, MB", growth([s.workers for s in half]), MEGABYTES * processes),
        ("open files", _more([s.files for s in half]), 0.0),
        ("threads", _more([s.threads for s in half]), 0.0),
        ("documents a CPU second, share", abs(changed), SHARE),
    ]
    return [(name, value, most, value <= most) for name, value, most in found]


def _more(counts: list[int]) -> float:
    """Return by how many counts rose, from half to half: at a note one may just be reading."""
    middle = len(counts) // 2
    return float(min(counts[middle:]) - min(counts[: middle or 1]))


def measure(asked: Asked) -> Section:
    """Run, watch, and judge."""
    limit, processes = (60.0 if asked.quick else 585.0), 2
    with tempfile.TemporaryDirectory() as place, Processes(processes) as executor:
        folder = Path(place)
        pairing = made_pairing(folder / "c", texts=KEPT, segments=20, words=False)
        made = texts_of(pairing)
        task = CountTask(pairing=pairing, options=Options())
        warm = [Document(k, "warm", made[0].item) for k in range(4 * processes)]
        run(warm, task, executor=executor, processes=processes, batch=1)
        watch = Watch(executor, folder / "journal", DOCUMENTS, limit)
        outcome = run(
            watch.given(made, DOCUMENTS),
            task,
            executor=executor,
            processes=processes,
            journal=folder / "journal",
            on_progress=watch,
        )
        seconds = time.monotonic() - watch.begun
    return _section(watch.states, outcome.output, seconds, processes)


def _section(states: list[State], done: int, seconds: float, processes: int) -> Section:
    heads = ["documents", "seconds", "a minute", "a CPU second", "parent MB", "workers MB"]
    table = Table([*heads, "open files", "threads", "journal MB"], right=set(range(9)))
    for state, (speed, by_cpu) in zip(states[1:], rates(states), strict=True):
        cells = [f"{state.documents:,}", f"{state.seconds:.0f}", f"{60 * speed:,.0f}"]
        cells += [f"{by_cpu:.0f}", f"{state.parent:.1f}", f"{state.workers:.1f}"]
        cells += [str(state.files), str(state.threads), f"{state.journal / 1e6:.1f}"]
        table.rows.append(cells)
    verdicts = Table(["growth over 200,000 documents", "is", "may be", ""], right={1, 2})
    found = judged(states, processes)
    for name, value, most, good in found:
        verdicts.rows.append([name, f"{value:.3g}", f"{most:.3g}", "flat" if good else "NOT FLAT"])
    good = all(each[-1] for each in found)
    bytes_each = states[-1].journal / states[-1].documents
    cpu_ms = 1000 * (states[-1].cpu - states[0].cpu) / (states[-1].documents - states[0].documents)
    note = (
        f"{done:,} of {DOCUMENTS:,} document pairs in {seconds:.0f} s with {processes} processes, "
        f"{bytes_each:.0f} bytes of journal and {cpu_ms:.2f} ms CPU each: "
        f"{'flat' if good else 'NOT FLAT'}."
    )
    figures = {"soak.documents": float(done), "soak.seconds": seconds}
    figures |= {"soak.journal_bytes": bytes_each, "soak.parent_mb": states[-1].parent}
    figures["soak.worker_mb"] = states[-1].workers / processes
    return Section([table, verdicts], [note], figures, verdict=good)


if __name__ == "__main__":
    sys.exit(told("soak", __doc__ or "", measure))
