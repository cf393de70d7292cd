"""A long run over many document pairs: throughput, memory and open files, tenth by tenth.

    python scripts/bench/soak.py [--documents 200000] [--seconds 600] [--processes 2]

The corpus is made: some hundred small texts, gold standards and systems, which stand for all
documents in turn, so that it has as many as are asked for. After the time it stops, and tells how
far it came. Throughput, memory of the parent and its workers (resident, MB) and their open files
should stay flat; what grows by document is the journal, on the disk, and eight bytes of its index.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.jobs import Document, Processes, run
from bitext.jobs.scoring import score_documents
from bitext.metrics.options import Options
from jobs import CountTask, make_corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.jobs import Result

KEPT = 100  # texts that there are


def many(made: list[Document], count: int, end: float) -> Iterator[Document]:
    """Yield the documents again and again, until there are enough, or the time is over."""
    for number in range(count):
        if time.monotonic() > end:
            return
        one = made[number % len(made)]
        yield Document(number, f"d{number}", one.item, one.files)


def held(pid: int | str) -> tuple[float, int]:
    """Return the resident megabytes and the open files of a process."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    size = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(size.split()[1]) / 1024, len(list(Path(f"/proc/{pid}/fd").iterdir()))


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--segments", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, Processes(options.processes) as executor:
        folder = Path(place)
        pairing = make_corpus(folder / "c", texts=KEPT, segments=options.segments)
        made = list(score_documents(pairing))
        begun = last = time.monotonic()
        done, step = 0, max(1, options.documents // 10)
        print("documents  a second  parent MB  workers MB  files", flush=True)

        def watch(_: Result) -> None:
            nonlocal done, last
            done += 1
            if done % step == 0:
                now = time.monotonic()
                ours, theirs = held("self"), [held(pid) for pid in executor.pids]
                workers = sum(size for size, _ in theirs)
                files = ours[1] + sum(count for _, count in theirs)
                print(
                    f"{done:9,}  {step / (now - last):8.0f}  {ours[0]:9.1f}  {workers:10.1f}  "
                    f"{files:5}",
                    flush=True,
                )
                last = now

        found = run(
            many(made, options.documents, begun + options.seconds),
            CountTask(pairing=pairing, options=Options()),
            executor=executor,
            processes=options.processes,
            journal=folder / "journal",
            on_progress=watch,
        )
        seconds = time.monotonic() - begun
        size = (folder / "journal").stat().st_size / found.done
        print(f"{found.output:,} documents in {seconds:.0f} s, journal {size:.0f} bytes each")


if __name__ == "__main__":
    main()
