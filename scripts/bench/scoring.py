"""Scoring alignments: all measures, beside what does it with sets; reading; and start-up.

- *scoring*: 10,000 to a million bisegments and their texts in memory. Ours gives all six measures;
  `nltk` precision, recall and F of sets of bisegments; *sets* is the scorer that papers on sentence
  aligners use, strict and lax, written here after its definition. What two of them give has to be
  the same. *Similarity* is that of bisegments in words, which nobody else has.
- *hard cases*: huge and overlapping bisegments, and resampling; CPU seconds.
- *reading* of the largest size in several formats.
- *word links*: whole processes that score files of links of 25 words a pair, CPU seconds; *sets* is
  `link_sets.py`, the same by sets of Python.
- *start-up*: whole processes, CPU seconds, the least of several.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from command import measured
from environments import environment, versions
from harness import Party, Rival, Usage, agree, grown, here, least
from results import ROOT, Asked, Section, told
from scoring_calls import FORMATS

from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = Path(__file__).with_name("scoring_calls.py")


def scored(asked: Asked, folder: Path) -> tuple[list[Table], dict[str, float]]:
    """Return the tables of scoring and of reading, and what a bisegment costs."""
    sizes = (1_000, 10_000, 100_000) if asked.quick else (10_000, 100_000, 1_000_000)
    python = environment("scoring", asked.cache) / "python"
    parties = {"bitext": Party(CALLS), "nltk": Party(CALLS, python), "sets": Party(CALLS, python)}
    held: dict[str, int] = {}

    def work(name: str, call: str) -> Callable[[int], Usage]:
        def run(size: int) -> Usage:
            for side in dict.fromkeys(("bitext", name)):  # ours makes the data
                if held.get(side) != size:
                    parties[side].call("prepare", side, size, str(folder))
                    parties[side].call(call if side == name else "score")  # imports, caches
                    held[side] = size
            return parties[name].call(call, least=0.05)

        return run

    def check(values: dict[str, Any]) -> dict[str, str]:
        ours, said = values["bitext"], {}
        for name, theirs in values.items():
            if name in {"nltk", "sets"}:
                same = {key: ours[key] for key in theirs}
                agree({"bitext": list(same.values()), name: list(theirs.values())}, within=1e-12)
                said[name] = "same"
        return said

    rivals = [Rival(name, work(name, "score")) for name in parties]
    rivals.append(Rival("bitext, similarity", work("bitext", "similar")))
    table, seconds = grown("bisegments", sizes, rivals, rounds=1 if asked.quick else 3, check=check)
    table.rows[-1][-5] = "-"  # other work
    size_of = parties["bitext"].call("written", str(folder)).value
    reading = Table(
        [f"reading {sizes[-1]:,} bisegments", "MB", "CPU s", "a second", "peak MB"],
        right={1, 2, 3, 4},
    )
    for name in FORMATS:
        with Party(CALLS) as party:
            party.call("read", str(folder), name)
            found = party.call("read", str(folder), name)
            cells = [f"{size_of[name] / 1e6:.1f}", f"{found.cpu:.2f}"]
            cells += [f"{found.value / found.cpu:,.0f}", f"{found.peak:.0f}"]
            reading.rows.append([name, *cells])
    for party in parties.values():
        party.close()
    each = 1e6 * seconds["bitext"][-1] / sizes[-1]
    return [table, reading], {"score.memory_us": each}


def word_links(asked: Asked, folder: Path) -> tuple[Table, dict[str, float]]:
    """Return how long whole processes take to score word links, and CPU seconds of the largest."""
    import numpy as np

    sizes = (1_000, 10_000) if asked.quick else (10_000, 100_000, 1_000_000)
    table = Table(["word links, 25 a pair", "MB", "CPU s", "peak MB", "sets CPU s", "sets MB"])
    table.right = {1, 2, 3, 4, 5}
    rng = np.random.default_rng(5)
    ours = 0.0
    for size in sizes:
        paths = [folder / f"links.{size}.{name}" for name in ("gold", "hyp")]
        with paths[0].open("w") as gold, paths[1].open("w") as hyp:
            for begin in range(0, size, 10_000):
                targets = np.argsort(np.arange(25) + rng.normal(0, 1.2, (size // sizes[0], 25)))
                for k in range(min(10_000, size - begin)):
                    row = targets[k % len(targets)].tolist()
                    gold.write(" ".join(f"{i}-{j}" for i, j in enumerate(row)) + "\n")
                    row[k % 25] = (k * 7) % 25
                    hyp.write(" ".join(f"{i}-{j}" for i, j in enumerate(row)) + "\n")
        program = Path(sys.executable).parent / "bitext"
        given: list[str | Path] = ["score", *paths, "--from", "pharaoh", "--names", "hyp", "--json"]
        run = measured([program, *given], ROOT)
        peer = measured([sys.executable, CALLS.with_name("link_sets.py"), *paths], ROOT)
        if run.status or peer.status:
            raise SystemExit(f"{size} pairs: {run.said or peer.said}")
        megabytes = paths[0].stat().st_size / 1e6
        cells = (f"{megabytes:.1f}", f"{run.cpu:.2f}", f"{run.peak:.0f}")
        table.rows.append([f"{size:,}", *cells, f"{peer.cpu:.2f}", f"{peer.peak:.0f}"])
        ours = run.cpu
    return table, {"score.links_s": ours}


def start_up(asked: Asked) -> Table:
    """Return how long `bitext --help` and a small score take beside a bare interpreter."""
    program = Path(sys.executable).parent / "bitext"
    corpus = ROOT / "fixtures" / "coast"
    text = str(corpus / "text" / "{name}")
    small: list[str | Path] = [program, "score", corpus / "gold", corpus / "alpha"]
    small += ["--src", f"{text}.en", "--tgt", f"{text}.fr"]
    table = Table(["whole processes", "CPU s", "wall s", "peak MB"], right={1, 2, 3})
    commands: dict[str, list[str | Path]] = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
        "bitext --help": [program, "--help"],
        "bitext score, 3 texts, all measures": small,
    }
    for name, command in commands.items():
        runs = [measured(command, ROOT) for _ in range(3 if asked.quick else 10)]
        if any(run.status for run in runs):
            raise SystemExit(f"{name}: {runs[0].said}")
        lows = [min(run.cpu for run in runs), min(run.wall for run in runs)]
        peak = max(run.peak for run in runs)
        table.rows.append([name, *(f"{low:.3f}" for low in lows), f"{peak:.0f}"])
    return table


def measure(asked: Asked) -> Section:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        tables, figures = scored(asked, Path(folder))
        links, more = word_links(asked, Path(folder))
    hard = Table(["hard cases", "CPU s"], right={1})
    for name, seconds in hard_cases().items():
        hard.rows.append([name, f"{seconds:.3f}"])
    notes = [f"Peers: {versions('scoring', asked.cache)}; *sets* is ours."]
    return Section([*tables, hard, links, start_up(asked)], notes, {**figures, **more})


def _least(work: Callable[[], object], runs: int = 3) -> float:
    return least([here(lambda: bool(work())) for _ in range(runs)])


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
    many = np.random.default_rng(1).integers(1, 50, size=(n, 4)).astype(float)
    return {
        "one of 100,000 x 100,000 against 1-1": _least(lambda: arcade(huge, diagonal)["sentence"]),
        "the same with the 1-1 inside it": _least(lambda: arcade(both, diagonal)["sentence"]),
        "1,000 windows of 1,000 x 1,000": _least(lambda: arcade(windows, windows)["sentence"]),
        "even and odd segments against 1-1": _least(
            lambda: arcade(scattered, diagonal)["sentence"]
        ),
        "similarity of the huge one and 1-1": _least(lambda: bisegment_similarity(huge, diagonal)),
        "similarity of windows and later ones": _least(
            lambda: bisegment_similarity(windows, later)
        ),
        "similarity of even, odd and 1-1": _least(
            lambda: bisegment_similarity(scattered, diagonal)
        ),
        "bootstrap, 10,000 of 100 texts": _least(lambda: bootstrap(counts), 1),
        "randomisation, 10,000 of 100 texts": _least(lambda: randomisation(counts, counts), 1),
        "paired bootstrap, 10,000 of 100 texts": _least(
            lambda: paired_bootstrap(counts, counts, seed=1), 1
        ),
        "bootstrap, 1,000 of 100,000 texts": _least(lambda: bootstrap(many, resamples=1000), 1),
        "randomisation, 1,000 of 100,000 texts": _least(
            lambda: randomisation(many, many[::-1], resamples=1000), 1
        ),
    }


if __name__ == "__main__":
    sys.exit(told("scoring", __doc__ or "", measure))
