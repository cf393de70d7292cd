"""What `segmentation.py` lets each side do: ours, segeval, nltk, and a plain loop.

Each side runs in an interpreter of its own, so packages are imported where they are used. All draw
the same segmentations from the same seeds, and hold them as they want them: `Segmentation`, masses
(segeval), strings of 0 and 1 (nltk).
"""

from __future__ import annotations

import random
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

Masses = tuple[int, ...]
K = 5  # half the mean segment
_held: dict[str, Any] = {}


def drawn(units: int, mean: int, seed: int) -> Masses:
    """Draw masses with boundaries at random places."""
    rng = random.Random(seed)  # noqa: S311 - made data
    places = sorted(rng.sample(range(1, units), units // mean - 1))
    return tuple(b - a for a, b in pairwise([0, *places, units]))


def _spelled(side: str, masses: Masses) -> Any:
    if side == "bitext":
        return import_module("bitext").Segmentation(masses)
    if side == "nltk":
        return "1".join("0" * (mass - 1) for mass in masses)
    return masses


def prepare(side: str, units: int, count: int, every: int = 1) -> int:
    """Draw `count` pairs of segmentations of so many units; keep every so many of them."""
    seeds = range(0, count, every)
    _held["side"] = side
    _held["pairs"] = [
        tuple(_spelled(side, drawn(units, 10, which * count + seed)) for which in (0, 1))
        for seed in seeds
    ]
    return len(_held["pairs"])


def compare(metric: str, many: bool = False) -> list[float]:
    """Compare the pairs by a metric; with `many` ours takes all at once."""
    pairs: list[tuple[Any, Any]] = _held["pairs"]
    if _held["side"] == "bitext":
        function, options = _ours(metric)
        if many:
            golds, hyps = zip(*pairs, strict=True)
            found: list[float] = function.many(list(golds), list(hyps), **options).values.tolist()
            return found
        return [function(a, b, **options).value for a, b in pairs]
    work = {"segeval": _segeval, "nltk": _nltk, "plain": _plain}[_held["side"]](metric)
    return [float(work(a, b)) for a, b in pairs]


def _ours(metric: str) -> tuple[Any, dict[str, Any]]:
    options: dict[str, dict[str, Any]] = {
        "pk": {"k": K},
        "window_diff": {"k": K},
        "segmentation_similarity": {"weighted": True},
    }
    return getattr(import_module("bitext.metrics"), metric), options.get(metric, {})


def _segeval(metric: str) -> Any:
    function = getattr(import_module("segeval"), metric)
    options = {"window_size": K} if metric in {"pk", "window_diff"} else {}
    return lambda a, b: function(b, a, **options)


def _nltk(metric: str) -> Any:
    module = import_module("nltk.metrics.segmentation")
    if metric == "pk":
        return lambda a, b: module.pk(a, b, k=K)
    return lambda a, b: module.windowdiff(a, b, K)


def _plain(_: str) -> Any:
    return _alignment


def _alignment(first: Masses, second: Masses) -> float:
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
