"""What the layer of jobs costs, and what a second process brings: texts scored, in one run.

    python scripts/bench/jobs.py [--texts 600] [--segments 400] [--runs 3]

- *cost*: CPU seconds of `bitext.jobs.run` with one process, its journal included, beside a plain
  loop over the same work in this process; the least of several runs, which alternate.
- *two*: seconds of two processes beside one, once they have begun. It tells nothing on a machine
  that does something else: the load is printed too.

Texts are of ordinary size: some hundred sentences a side, as plain text beside an alignment.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

# One core is one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from bitext.jobs import Document, Processes, Result, run
from bitext.jobs.scoring import ScoreTask, SinglePairing, score_documents
from bitext.metrics.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class CountTask(ScoreTask):
    """Scores texts, and keeps nothing: what is left is the work and the layer."""

    def assemble(self, results: Iterable[Result]) -> Any:
        """Count."""
        return sum(not result.failed for result in results)

    def whole(self) -> Any:
        """Nothing."""
        return None


def make_corpus(folder: Path, *, texts: int, segments: int) -> SinglePairing:
    """Write texts, a gold standard and a system."""
    chance = random.Random(1)  # noqa: S311 - made data
    words = [f"word{k}" for k in range(2000)]
    for name in ("gold", "hyp", "src", "tgt"):
        (folder / name).mkdir(parents=True)
    for k in range(texts):
        for side in ("src", "tgt"):
            lines = (" ".join(chance.choices(words, k=20)) + "\n" for _ in range(segments))
            (folder / side / f"t{k}.txt").write_text("".join(lines), encoding="utf-8")
        for name in ("gold", "hyp"):
            (folder / name / f"t{k}.txt").write_text(ladder(chance, segments), encoding="utf-8")
    return SinglePairing(
        gold=str(folder / "gold"),
        systems={"hyp": str(folder / "hyp")},
        src=str(folder / "src" / "{name}.txt"),
        tgt=str(folder / "tgt" / "{name}.txt"),
        gold_format="vecalign",
        hyp_format="vecalign",
    )


def ladder(chance: random.Random, segments: int) -> str:
    """Draw an alignment of so many segments a side."""
    i = j = 0
    lines = []
    while i < segments or j < segments:
        a, b = chance.choice(((1, 1), (1, 1), (1, 1), (1, 2), (2, 1)))
        a, b = min(a, segments - i), min(b, segments - j)
        lines.append(f"{list(range(i, i + a))}:{list(range(j, j + b))}\n")
        i, j = i + a, j + b
    return "".join(lines)


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of this process and of those that it began, and that ended."""
    begun = _cpu()
    work()
    return _cpu() - begun


def _cpu() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def plain(task: ScoreTask, documents: list[Document]) -> None:
    """Do the work in a loop."""
    results = [Result(d.number, d.name, task.work(d.item)) for d in documents]
    task.assemble(results)


def wall(task: ScoreTask, documents: list[Document], processes: int) -> float:
    """Return the seconds that processes need, once they have begun."""
    with Processes(processes) as executor:
        warm = [Document(k, "warm", documents[0].item) for k in range(4 * processes)]
        run(warm, task, executor=executor, processes=processes, batch=1)
        begun = time.perf_counter()
        run(documents, task, executor=executor, processes=processes)
        return time.perf_counter() - begun


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=600)
    parser.add_argument("--segments", type=int, default=400)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        pairing = make_corpus(folder / "c", texts=options.texts, segments=options.segments)
        task = ScoreTask(pairing=pairing, options=Options())
        documents = list(score_documents(pairing))
        start = min(cpu_seconds(partial(run, documents[:1], task)) for _ in range(options.runs))
        loops, jobs, ones, twos = [], [], [], []
        for k in range(options.runs):
            loops.append(cpu_seconds(partial(plain, task, documents)))
            jobs.append(cpu_seconds(partial(run, documents, task, journal=folder / f"j{k}")))
            ones.append(wall(task, documents, 1))
            twos.append(wall(task, documents, 2))
        least = min(loops)
        cost = (min(jobs) - start - least) / least
        each = 1000 * least / len(documents)
        size = f"{len(documents)} texts of {options.segments} segments"
        print(f"{size}: {each:.2f} ms CPU each, in a loop")
        print(f"begin and end of a worker: {start:.2f} s CPU")
        print(f"the layer: {100 * cost:+.1f} % CPU ({min(jobs):.2f} s with its worker)")
        print(f"two processes beside one: {min(ones) / min(twos):.2f} times the throughput")
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
