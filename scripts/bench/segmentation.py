"""Metrics of segmentations beside `segeval` and `nltk`, in one run; and the whole error study.

    python scripts/bench/segmentation.py [--part pair|many|study|long ...]

- *pair*: one pair of 100,000 units, and one of a million, mean segment 10.
- *many*: 100,000 pairs of 100 units through `.many`, against the peer one pair at a time.
- *study*: the error study to n = 20 on one core, held against the published totals.
- *long*: one pair of ten million units: time and memory, without a peer.

Each tool is given segmentations as it holds them: `Segmentation`, masses (segeval), strings of 0
and 1 (nltk). Runs of both alternate; figures are CPU seconds, the least of several runs, and the
ratio is that of the fastest peer to ours. Peers are checked to give the same value. No package on
the index has A: its peer is a plain loop over the segments, written here after the definition.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import resource
import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import segeval
from nltk.metrics.segmentation import pk as nltk_pk
from nltk.metrics.segmentation import windowdiff as nltk_windowdiff

from bitext import Segmentation
from bitext.metrics import (
    alignment_similarity,
    boundary_similarity,
    pk,
    segmentation_similarity,
    window_diff,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from decimal import Decimal

Masses = tuple[int, ...]
K = 5  # half the mean segment

PUBLISHED = Path(__file__).parents[2] / "fixtures" / "published" / "segmentations" / "study.tsv"


def drawn(units: int, mean: int, seed: int) -> Masses:
    """Draw masses with boundaries at random places."""
    rng = random.Random(seed)  # noqa: S311 - made data
    places = sorted(rng.sample(range(1, units), units // mean - 1))
    return tuple(b - a for a, b in pairwise([0, *places, units]))


def plain_alignment(first: Masses, second: Masses) -> float:
    """Work out A with two pointers and no arrays: O(m1 + m2), as its authors do."""

    def edges(of: Masses, to: Masses) -> Iterable[tuple[int, int, float]]:
        j, at, other = 0, 0, 0  # the first segment of the other side that reaches in here
        for i, own in enumerate(of):
            best = (-1.0, -1.0)
            found = j
            k, start = j, other
            while k < len(to) and start < at + own:
                shared = min(at + own, start + to[k]) - max(at, start)
                close = (shared / own, shared / (own + to[k] - shared))
                if close > best:
                    best, found = close, k
                if start + to[k] <= at + own:
                    j, other = k + 1, start + to[k]
                start += to[k]
                k += 1
            yield i, found, best[1]
            at += own

    weights = {(i, j): w for i, j, w in edges(first, second)}
    weights |= {(i, j): w for j, i, w in edges(second, first)}
    return sum(weights.values()) / len(weights)


class Case:
    """A metric, and what peers do for the same value."""

    def __init__(
        self, metric: Any, options: dict[str, Any], peers: dict[str, Callable[[Any, Any], Any]]
    ) -> None:
        self.metric, self.options, self.peers = metric, options, peers


def _segeval(function: Callable[..., Decimal], **options: Any) -> Callable[[Any, Any], float]:
    return lambda a, b: float(function(b["masses"], a["masses"], **options))


def cases(k: int | None) -> list[Case]:
    """Return the metrics that are held against peers."""
    return [
        Case(
            alignment_similarity,
            {},
            {"plain loop": lambda a, b: plain_alignment(a["masses"], b["masses"])},
        ),
        Case(
            pk,
            {"k": k},
            {
                "nltk": lambda a, b: nltk_pk(a["bits"], b["bits"], k=K),
                "segeval": _segeval(segeval.pk, window_size=K),
            },
        ),
        Case(
            window_diff,
            {"k": k},
            {
                "nltk": lambda a, b: nltk_windowdiff(a["bits"], b["bits"], K),
                "segeval": _segeval(segeval.window_diff, window_size=K),
            },
        ),
        Case(
            segmentation_similarity,
            {"weighted": True},
            {"segeval": _segeval(segeval.segmentation_similarity)},
        ),
        Case(boundary_similarity, {}, {"segeval": _segeval(segeval.boundary_similarity)}),
    ]


def spelled(masses: Masses) -> dict[str, Any]:
    """Return a segmentation in the spelling of every tool."""
    segmentation = Segmentation(masses)
    return {"segmentation": segmentation, "masses": masses, "bits": segmentation.bits()}


def once(work: Callable[[], Any], least: float = 0.02) -> tuple[float, Any]:
    """Return the CPU seconds of one call, and its result; a fast call is repeated to last."""
    calls, begun = 0, time.process_time()
    while True:
        result = work()
        calls += 1
        spent = time.process_time() - begun
        if spent >= least:
            return spent / calls, result


def best(work: dict[str, Callable[[], Any]], runs: int) -> tuple[dict[str, float], dict[str, Any]]:
    """Run all in turn, several times; return the least seconds of each, and the last results."""
    least: dict[str, float] = {}
    results: dict[str, Any] = {}
    for _ in range(runs):
        for name, one in work.items():
            seconds, results[name] = once(one)
            least[name] = min(seconds, least.get(name, seconds))
    return least, results


def alike(name: str, ours: float, peers: dict[str, float]) -> None:
    """Stop when a peer gives another value: then the times compare nothing."""
    for peer, value in peers.items():
        # segeval compares labels by identity: its Pk is wrong above 256 segments.
        if abs(ours - value) > 1e-9 and (peer, name) != ("segeval", "pk"):
            raise SystemExit(f"{name}: {ours} and by {peer} {value}")


def told(name: str, size: str, seconds: dict[str, float]) -> None:
    """Print a line of the table."""
    peers = {peer: value for peer, value in seconds.items() if peer != "bitext"}
    fastest = min(peers, key=lambda peer: peers[peer])
    shown = ", ".join(f"{peer} {value * 1e3:,.3f} ms" for peer, value in seconds.items())
    ratio = peers[fastest] / seconds["bitext"]
    print(f"{name:26} {size:>18}  {ratio:8,.1f} times {fastest:10}  ({shown})", flush=True)


def pair(units: int, runs: int) -> None:
    """Compare one pair of segmentations."""
    a, b = (spelled(drawn(units, 10, seed)) for seed in (1, 2))
    for case in cases(K):
        work: dict[str, Callable[[], Any]] = {
            name: partial(peer, a, b) for name, peer in case.peers.items()
        }
        both = a["segmentation"], b["segmentation"]
        work["bitext"] = partial(case.metric, *both, **case.options)
        seconds, results = best(work, runs)
        alike(case.metric.name, results.pop("bitext").value, results)
        told(case.metric.name, f"{units:,} units", seconds)


def one_by_one(
    peer: Callable[[Any, Any], Any], golds: list[dict[str, Any]], hyps: list[dict[str, Any]]
) -> list[Any]:
    """Let a peer compare many pairs."""
    return [peer(a, b) for a, b in zip(golds, hyps, strict=True)]


def many(pairs: int, units: int) -> None:
    """Compare many short pairs; the peers get a tenth of them, their time is counted tenfold."""
    golds, hyps = (
        [spelled(drawn(units, 10, side * pairs + seed)) for seed in range(pairs)] for side in (0, 1)
    )
    ours = [[one["segmentation"] for one in side] for side in (golds, hyps)]
    for case in cases(K):
        work: dict[str, Callable[[], Any]] = {
            name: partial(one_by_one, peer, golds[::10], hyps[::10])
            for name, peer in case.peers.items()
        }
        work["bitext"] = partial(case.metric.many, *ours, **case.options)
        seconds, results = best(work, 3)
        values = results.pop("bitext").values[::10]
        for i, value in enumerate(values.tolist()):
            alike(case.metric.name, value, {peer: found[i] for peer, found in results.items()})
        seconds = {name: s * (1 if name == "bitext" else 10) for name, s in seconds.items()}
        told(case.metric.name, f"{pairs:,} x {units}", seconds)


def long(units: int) -> None:
    """Time one very long pair, and tell the memory."""
    a, b = (Segmentation(drawn(units, 10, seed)) for seed in (1, 2))
    for case in cases(None):
        seconds, _ = best({"bitext": partial(case.metric, a, b, **case.options)}, 3)
        print(f"{case.metric.name:26} {units:>12,} units  {seconds['bitext'] * 1e3:,.1f} ms")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the process with both segmentations: {peak:,.0f} MB", flush=True)


def study() -> None:
    """Run the error study to n = 20, and hold its totals against the published ones."""
    from bitext.metrics.error_metrics import StudiedMetric
    from bitext.metrics.error_study import study_errors
    from bitext.metrics.named import parse_metrics

    names = ["window-diff", "boundary-similarity", "alignment-similarity"]
    metrics = [StudiedMetric(metric) for metric in parse_metrics(names)]
    begun = time.process_time()
    rows = study_errors(metrics, 5, 20)
    spent = time.process_time() - begun
    found = {(row.metric.label, row.error): row for row in rows if row.n == 20}
    with PUBLISHED.open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            row = found[line["metric"], line["error"]]
            verdict = "as published" if row.erring == int(line["erring"]) else "NOT AS PUBLISHED"
            shown = f"{row.erring:>9,} of {row.references:,}"
            print(f"{line['metric']:26} {line['error']:>18}  {shown}  {verdict}")
    total = sum({row.n: row.references for row in rows}.values())
    print(f"n = 5 to 20, {total:,} references, three metrics: {spent:.1f} CPU seconds", flush=True)


def pairs_of_two_sizes() -> None:
    """Compare a pair of a hundred thousand units, and one of a million."""
    pair(100_000, 15)
    pair(1_000_000, 3)


PARTS: dict[str, Callable[[], None]] = {
    "pair": pairs_of_two_sizes,
    "many": partial(many, 100_000, 100),
    "study": study,
    "long": partial(long, 10_000_000),
}


def main() -> None:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--part", action="append", choices=list(PARTS), help="repeats; default all")
    for part in parser.parse_args().part or PARTS:
        print(f"-- {part}")
        PARTS[part]()


if __name__ == "__main__":
    main()
