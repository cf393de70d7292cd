"""Duals of the solvers, and the speed of decoding, features and training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from harness import seconds
from paragraphs_seen import COST, LONGEST, Seen, tell

from bitext.reports.table import Table
from bitext.segment.features.groups import PRESETS
from bitext.segment.features.model import FeatureModel
from bitext.segment.semi_markov import decode
from bitext.segment.training import train
from paragraph_sets import only, read_sets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bitext.model import Text


def duals(data: Path) -> Iterator[str]:
    """Compare the dual objectives of the solvers."""
    heads = ("cutting-plane", "its gap", "passes", "bcfw", "its gap", "passes", "apart")
    table = Table(["texts", "sentences", "C", *heads])
    chapters = read_sets(data, ("sb", "doyle"))
    for texts, cost in (
        (only(chapters, "train", of="sb"), 0.1),
        (only(chapters, "train", of="doyle")[:5], 0.03),
        (only(chapters, "train", of="doyle")[:25], 0.01),
    ):
        model = FeatureModel.fit(texts, PRESETS["default"], LONGEST)
        seen = Seen(model, texts)
        values: list[float] = []
        told: list[str] = []
        for solver, passes in (("cutting-plane", 1000), ("bcfw", 20_000)):
            tell("duals", str(len(texts)), solver)
            found = train(
                seen.features,
                seen.golds,
                model.size,
                solver=solver,
                cost=cost,
                passes=passes,
                tolerance=5e-4,
            )
            values.append(found.dual)
            gap = f"{100 * found.gap / found.dual:.3f}%"
            told += [f"{found.dual:.5f}", gap, str(found.passes)]
        apart = abs(values[0] - values[1]) / max(values)
        many = f"{sum(map(len, texts)):,}"
        table.rows.append([str(len(texts)), many, str(cost), *told, f"{100 * apart:.3f}%"])
    yield "## Duals of the solvers\n\nEach is run until its gap is within 0.05% of the dual, or "
    yield "for 1,000 passes (`cutting-plane`) or\n20,000 (`bcfw`). Both duals come from below.\n\n"
    yield f"{table.render('markdown')}\n"


def speed(data: Path) -> Iterator[str]:
    """Measure decoding, features and training."""
    chapters = [c for c in read_sets(data, ("doyle", "eng")) if c.part == "train"]
    texts = [c.text for c in chapters]
    rows: list[tuple[str, str, str]] = []
    rng = np.random.default_rng(0)
    for longest, n in (
        *((longest, 100_000) for longest in (25, 50, 100, 200, 400)),
        *((50, n) for n in (50_000, 200_000, 400_000)),
    ):
        nodes, edges = rng.normal(size=n), rng.normal(size=(n, longest))
        edges[np.arange(longest)[None, :] < longest - 1 - np.arange(n)[:, None]] = -np.inf
        taken = seconds(lambda: decode(nodes, edges))  # noqa: B023
        rows.append((f"decoding, M = {longest}", f"{n:,}", f"{taken:.3f}"))
    some = _up_to(texts, 20_000)
    for preset in ("default", "paper"):
        rows += _preset_speed(preset, some)
    table = Table(["what", "sentences", "CPU-seconds", "sentences a second"])
    for what, size, taken_ in rows:
        rate = int(size.replace(",", "")) / float(taken_)
        table.rows.append([what, size, taken_, f"{rate:,.0f}"])
    yield f"## Speed\n\n{table.render('markdown')}\n"


def _preset_speed(preset: str, texts: Sequence[Text]) -> list[tuple[str, str, str]]:
    many = f"{sum(map(len, texts)):,}"
    model = FeatureModel.fit(texts, PRESETS[preset], LONGEST)
    taken = seconds(lambda: [model.of(text) for text in texts])
    rows = [(f"features, {preset}, M = {LONGEST}", many, f"{taken:.3f}")]
    seen = Seen(model, texts)
    options: dict[str, Any] = {"solver": "bcfw", "cost": COST, "passes": 30, "tolerance": 0.0}
    taken = seconds(lambda: train(seen.features, seen.golds, model.size, **options), runs=2)
    return [*rows, (f"30 passes of bcfw, {preset}, M = {LONGEST}", many, f"{taken:.3f}")]


def _up_to(texts: Sequence[Text], most: int) -> list[Text]:
    ends = np.cumsum([len(text) for text in texts])
    return list(texts[: int(np.searchsorted(ends, most, side="right"))])
