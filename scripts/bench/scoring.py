"""Scoring: time and memory from ten thousand to a million bisegments, reading, and start-up.

    python scripts/bench/scoring.py [--most 1000000]

Every figure is of a process of its own. `score` is all six measures beyond reading, from
alignments and texts in memory to the counts. The peer is the scorer that papers on sentence
aligners use, which is pure Python on sets (strict and lax, written here after its definition):
ratios are against it, in one run. `similar` is the bisegment similarity in words, for which there
is no peer. Times are CPU seconds, the least of several runs; memory is the peak of the process
up to `score`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitext import Bitext

SIZES = (10_000, 100_000, 1_000_000)
WORDS = ("the", "harbour", "was", "quiet", "before", "six;", "then", "gulls", "came", "in", "rows")


def made(size: int) -> tuple[Bitext, Bitext]:
    """Make a gold standard of so many bisegments, and a copy with every twentieth merged."""
    import numpy as np

    from bitext import Alignment, Bitext, Text

    rng = np.random.default_rng(size)
    kind = rng.choice(6, size=size, p=[0.78, 0.07, 0.07, 0.03, 0.03, 0.02])
    pointers = [
        np.concatenate([[0], np.cumsum(np.array(lengths)[kind])])
        for lengths in ([1, 2, 1, 1, 0, 2], [1, 1, 2, 0, 1, 2])
    ]
    kept = np.ones(size + 1, dtype=bool)
    kept[rng.choice(np.arange(1, size), size // 20, replace=False)] = False
    alignments = [
        Alignment.from_arrays(*((ptr[which], np.arange(ptr[-1])) for ptr in pointers))
        for which in (slice(None), kept)
    ]
    texts = []
    for ptr in pointers:
        lengths = rng.integers(5, 18, size=int(ptr[-1]))
        sentences = [" ".join(WORDS[k % 11] for k in range(n, 2 * n)) for n in range(18)]
        texts.append(Text([sentences[n] for n in lengths.tolist()]))
    gold, hyp = (Bitext(texts[0], texts[1], alignment) for alignment in alignments)
    return gold, hyp


def peer(gold: Bitext, hyp: Bitext) -> tuple[float, float]:
    """Score strict and lax precision and recall with sets, as papers on sentence aligners do."""

    def hits(
        reference: set[tuple[tuple[int, ...], tuple[int, ...]]],
        tested: set[tuple[tuple[int, ...], tuple[int, ...]]],
    ) -> tuple[int, int]:
        targets: defaultdict[int, set[int]] = defaultdict(set)
        for src, tgt in reference:
            for s in src:
                targets[s].update(tgt)
        strict = lax = 0
        for src, tgt in tested:
            if (src, tgt) in reference:
                strict, lax = strict + 1, lax + 1
            elif set(tgt) & set().union(*(targets[s] for s in src)):
                lax += 1
        return strict, lax

    beads = [{(b.src, b.tgt) for b in bitext.alignment} for bitext in (gold, hyp)]
    paired = [{b for b in family if b[0] and b[1]} for family in beads]
    strict, lax = hits(beads[0], beads[1])
    hits(paired[1], paired[0])
    return strict / len(beads[1]), lax / len(beads[1])


def least(work: Callable[[], object], runs: int = 3) -> float:
    """Return the least CPU seconds of several runs."""
    seconds = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        seconds.append(time.process_time() - begun)
    return min(seconds)


def score(size: int) -> dict[str, float]:
    """Measure scoring at one size, and the peer on the same data."""
    from bitext.metrics import arcade
    from bitext.metrics.bisegment_similarity import bisegment_similarity

    gold, hyp = made(size)
    before = peak()

    def every_measure() -> None:
        scores = arcade(gold, hyp)
        for measure in scores:
            scores[measure]

    begun = time.process_time()
    every_measure()
    first = time.process_time() - begun
    found = {"first": first, "score": least(every_measure), "MB": peak(), "MB before": before}
    found["similar"] = least(lambda: bisegment_similarity(gold, hyp, granularity="word"))
    found["peer"] = least(lambda: peer(gold, hyp), 1)
    scores, (strict, lax) = arcade(gold, hyp), peer(gold, hyp)
    if (scores["strict"].precision, scores["lax"].precision) != (strict, lax):
        raise SystemExit("the peer and bitext disagree")
    return found


def read(path: str) -> dict[str, float]:
    """Measure reading one file."""
    import bitext

    begun = time.process_time()
    count = len(bitext.read(path).alignment)
    return {"read": time.process_time() - begun, "MB": peak(), "bisegments": count}


def peak() -> float:
    """Return the peak memory of this process in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        # What getrusage tells begins with the memory of the process that forked this one.
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def apart(*arguments: str) -> dict[str, float]:
    """Run one measurement in a process of its own."""
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def wall(command: list[str], runs: int = 10) -> tuple[float, float]:
    """Return the least and the median wall seconds of whole processes."""
    seconds = []
    for _ in range(runs):
        begun = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        seconds.append(time.perf_counter() - begun)
    seconds.sort()
    return seconds[0], seconds[len(seconds) // 2]


def hard_cases() -> dict[str, float]:
    """Measure alignments with huge and overlapping bisegments, and resampling."""
    import numpy as np

    from bitext import Alignment
    from bitext.metrics import arcade
    from bitext.metrics.bisegment_similarity import bisegment_similarity
    from bitext.metrics.significance import bootstrap, paired_bootstrap, randomisation

    n = 100_000
    huge = Alignment([(range(n), range(n))])
    diagonal = Alignment([((k,), (k,)) for k in range(n)])
    both = Alignment([(range(n), range(n)), *(((k,), (k,)) for k in range(n))])
    windows, later = (
        Alignment([(range(k, k + 1000), range(k, k + 1000)) for k in range(begin, begin + 1000)])
        for begin in (0, 500)
    )
    scattered = Alignment([(range(k, n, 2), range(k, n, 2)) for k in range(2)])
    # Draws are kept for the next measure, so these are run once, with a seed each.
    counts = np.random.default_rng(0).integers(1, 50, size=(100, 1)) * np.array([[1, 2, 2, 1]])
    return {
        "one of 100,000 x 100,000 against 1-1": least(lambda: arcade(huge, diagonal)["sentence"]),
        "the same with the 1-1 inside it": least(lambda: arcade(both, diagonal)["sentence"]),
        "1,000 windows of 1,000 x 1,000": least(lambda: arcade(windows, windows)["sentence"]),
        "even and odd segments against 1-1": least(lambda: arcade(scattered, diagonal)["sentence"]),
        "similarity of the huge one and 1-1": least(lambda: bisegment_similarity(huge, diagonal)),
        "similarity of windows and later ones": least(lambda: bisegment_similarity(windows, later)),
        "similarity of even, odd and 1-1": least(lambda: bisegment_similarity(scattered, diagonal)),
        "bootstrap, 10,000 of 100 texts": least(lambda: bootstrap(counts), 1),
        "randomisation, 10,000 of 100 texts": least(lambda: randomisation(counts, counts), 1),
        "paired bootstrap, 10,000 of 100 texts": least(
            lambda: paired_bootstrap(counts, counts, seed=1), 1
        ),
    }


def start_up() -> None:
    """Print how long `bitext --help` and a small score take beside a bare interpreter."""
    program = str(Path(sys.executable).parent / "bitext")
    corpus = Path(__file__).resolve().parents[2] / "fixtures" / "coast"
    text = str(corpus / "text" / "{name}")
    small = [program, "score", str(corpus / "gold"), str(corpus / "alpha")]
    small += ["--src", f"{text}.en", "--tgt", f"{text}.fr"]
    print("\nwhole processes, wall seconds            least  median")
    for name, command in (
        ("python -c pass", [sys.executable, "-c", "pass"]),
        ("python -c 'import numpy'", [sys.executable, "-c", "import numpy"]),
        ("bitext --help", [program, "--help"]),
        ("bitext score, 3 texts, all measures", small),
    ):
        low, middle = wall(command)
        print(f"{name:<38} {low:7.3f} {middle:7.3f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=SIZES[-1], help="bisegments at the most")
    parser.add_argument("--score", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--read", help=argparse.SUPPRESS)
    parser.add_argument("--hard", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.score:
        print(json.dumps(score(options.score)))
        return
    if options.read:
        print(json.dumps(read(options.read)))
        return
    if options.hard:
        print(json.dumps(hard_cases()))
        return
    print(
        "bisegments   first s  score s  ns each   MB  (before)   peer s  peer / bitext  similar s"
    )
    for size in (size for size in SIZES if size <= options.most):
        found = apart("--score", str(size))
        print(
            f"{size:>10,} {found['first']:>9.3f} {found['score']:>8.3f} "
            f"{found['score'] / size * 1e9:>8.0f} {found['MB']:>5.0f} {found['MB before']:>9.0f} "
            f"{found['peer']:>8.3f} {found['peer'] / found['score']:>14.1f} "
            f"{found['similar']:>10.3f}"
        )
    print("\nhard cases                                  s")
    for name, seconds in apart("--hard").items():
        print(f"{name:<40} {seconds:>6.3f}")
    print(f"\nreading {options.most:,} bisegments              s   MB   per second")
    with tempfile.TemporaryDirectory() as folder:
        files = written(Path(folder), options.most)
        for name, path in files.items():
            found = apart("--read", path)
            megabytes = Path(path).stat().st_size / 1e6
            rate = found["bisegments"] / found["read"]
            print(
                f"{name:<28} {megabytes:>6.0f} MB {found['read']:>6.2f} {found['MB']:>5.0f} "
                f"{rate:>12,.0f}"
            )
    start_up()


def written(folder: Path, size: int) -> dict[str, str]:
    """Write the made gold standard in several formats."""
    import bitext

    gold, _ = made(size)
    files = {"vecalign": "gold.align", "xces": "gold.xces.xml", "hunalign-ladder": "gold.ladder"}
    files |= {"tsv": "gold.tsv", "jsonl": "gold.jsonl"}
    paths = {name: os.fspath(folder / file) for name, file in files.items()}
    for name, path in paths.items():
        bitext.write(gold, path, format=name)
    return paths


if __name__ == "__main__":
    main()
