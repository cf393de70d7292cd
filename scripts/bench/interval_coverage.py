"""Coverage of intervals and level of tests over few texts, measured on synthetic corpora.

    python scripts/bench/interval_coverage.py [--corpora N] [--resamples N] [--processes N]
                                               [--report FILE]

A corpus is some texts of gold bisegments, each right or wrong in the alignment of a system. A wrong
one counts once as missed, and one or two wrong bisegments are proposed in its place. The worlds
that corpora are drawn from differ in four ways:

- errors are independent, or come in bursts of five bisegments on average;
- texts are equally hard, or the log odds of an error vary between texts (standard deviation .5);
- texts have 30 to 500 bisegments (evenly in the logarithm), 30 each, or 500 each;
- of 100 bisegments, 2, 5 or 20 are wrong.

*Coverage* is the share of corpora whose 95 % interval of pooled F1 contains the F1 of the world,
computed from 20,000 texts. *Level* is the share of pairs of equally good systems between which a
test finds a difference at .05. In a fifth kind of world the systems are equally good over all
texts, and each has its own hard texts.

The rivals of the shipped methods are computed here: the hierarchical bootstrap draws texts, then
blocks within them; BCa is the bias-corrected and accelerated bootstrap (Efron 1987) of texts; t is
the figure -+ t standard errors of the jackknife, with one degree of freedom less than texts.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from results import made_today

from bitext.kernels.distributions import t_quantile
from bitext.metrics.jackknife import jackknife_interval, paired_t
from bitext.metrics.significance import bootstrap, figures, paired_bootstrap, randomisation
from bitext.reports.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.metrics.significance import Interval

TEXTS = (1, 2, 3, 5, 10, 20, 50)
RATES = (0.02, 0.05, 0.2)
LENGTHS = ((30, 500), (30, 30), (500, 500))
BLOCKS = 20  # of a text
BURST = 5.0  # bisegments, on average
F1 = 2  # among the figures of counts


class World(NamedTuple):
    """What corpora are drawn from: see the head of the file."""

    bursts: bool
    rate: float
    shortest: int
    longest: int
    texts_differ: float = 0.0
    systems_differ: float = 0.0

    def errors(
        self, lengths: NDArray[np.int64], shift: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.bool_]:
        """Draw the wrong bisegments of texts: shape (texts, longest text)."""
        p = 1 / (1 + np.exp(-np.log(self.rate / (1 - self.rate)) - shift))
        if not self.bursts:
            return np.asarray(rng.random((len(lengths), lengths.max())) < p[:, None])
        # A chain of two states, of which the share p is wrong, and a wrong one lasts BURST.
        begin = np.minimum(p / (1 - p) / BURST, 1)
        wrong = np.empty((len(lengths), lengths.max()), dtype=bool)
        state = rng.random(len(lengths)) < p
        for k in range(wrong.shape[1]):
            wrong[:, k] = state
            state = rng.random(len(lengths)) < np.where(state, 1 - 1 / BURST, begin)
        return wrong

    def texts(self, count: int, systems: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw texts: the counts of their blocks, shape (systems, texts, blocks, 4)."""
        low, high = np.log(self.shortest), np.log(self.longest + 1 - 1e-9)
        lengths = np.exp(rng.uniform(low, high, count)).astype(np.int64)
        common = rng.normal(0, 1, count) * self.texts_differ
        out = []
        for _ in range(systems):
            shift = common + rng.normal(0, 1, count) * self.systems_differ
            wrong = self.errors(lengths, shift, rng)
            inside = np.arange(wrong.shape[1]) < lengths[:, None]
            block = np.arange(wrong.shape[1]) * BLOCKS // lengths[:, None]
            place = (np.arange(count)[:, None] * BLOCKS + block)[inside]
            proposed = np.where(wrong, rng.integers(1, 3, wrong.shape), 1)
            columns = (~wrong, proposed, np.ones_like(proposed), ~wrong)
            sums = [np.bincount(place, c[inside], minlength=count * BLOCKS) for c in columns]
            out.append(np.stack(sums, axis=-1).reshape(count, BLOCKS, 4))
        return np.stack(out)

    def true_f1(self) -> float:
        """Return F1 of 20,000 texts together."""
        return _true_f1(self)

    @property
    def name(self) -> str:
        """The first three columns of tables."""
        lengths = (
            f"{self.shortest}-{self.longest}" if self.shortest < self.longest else self.longest
        )
        return f"{'bursts' if self.bursts else 'independent'} | {self.rate:.0%} | {lengths}"


@lru_cache(maxsize=1)
def _true_f1(world: World) -> float:
    rng = np.random.default_rng(1)
    sums = sum(world.texts(1_000, 1, rng).sum(axis=(0, 1, 2)) for _ in range(20))
    return float(figures(sums)[F1])


class Cell(NamedTuple):
    """One world and number of texts, and how much of it to measure."""

    world: World
    texts: int
    corpora: int
    resamples: int
    seed: int

    def corpora_of(self, systems: int) -> Iterator[NDArray[np.float64]]:
        """Yield corpora: the counts of blocks, shape (systems, texts, blocks, 4)."""
        rng = np.random.default_rng(self.seed)
        step = max(1, 500 // self.texts)
        left = self.corpora
        while left:
            some = min(step, left)
            drawn = self.world.texts(some * self.texts, systems, rng)
            yield from np.moveaxis(drawn.reshape(systems, some, self.texts, BLOCKS, 4), 1, 0)
            left -= some


# Intervals: the counts of the blocks of texts, shape (texts, blocks, 4), to the interval of F1.


def _shipped(counts: NDArray[np.float64], _: Cell) -> Interval:
    one = len(counts) == 1
    return jackknife_interval(counts[0] if one else counts.sum(axis=1), one_text=one)[F1]


def _percentile(counts: NDArray[np.float64], cell: Cell) -> Interval:
    units = counts[0] if len(counts) == 1 else counts.sum(axis=1)
    return bootstrap(units, resamples=cell.resamples)[F1]


def _hierarchical(counts: NDArray[np.float64], cell: Cell) -> tuple[float, float]:
    rng, texts = np.random.default_rng(0), len(counts)
    drawn = rng.multinomial(texts, np.full(texts, 1 / texts), cell.resamples)
    even = np.full(BLOCKS, 1 / BLOCKS)
    blocks = np.stack([rng.multinomial(drawn[:, k] * BLOCKS, even) for k in range(texts)], axis=1)
    return _percentiles(figures(np.tensordot(blocks, counts, axes=2))[:, F1], 0.025, 0.975)


def _bca(counts: NDArray[np.float64], cell: Cell) -> tuple[float, float]:
    units = counts.sum(axis=1)
    rng, n = np.random.default_rng(0), len(units)
    values = figures(rng.multinomial(n, np.full(n, 1 / n), cell.resamples) @ units)[:, F1]
    whole, without = figures(units.sum(axis=0))[F1], figures(units.sum(axis=0) - units)[:, F1]
    below = (values < whole).mean() + (values == whole).mean() / 2
    normal = NormalDist()
    bias = normal.inv_cdf(min(max(below, 1 / len(values)), 1 - 1 / len(values)))
    away = without.mean() - without
    acceleration = (away**3).sum() / (6 * max((away**2).sum(), 1e-300) ** 1.5)
    ends = [bias + normal.inv_cdf(share) for share in (0.025, 0.975)]
    shares = [normal.cdf(bias + end / (1 - acceleration * end)) for end in ends]
    return _percentiles(values, *np.clip(np.nan_to_num(shares, nan=0.5), 0, 1).tolist())


def _student(counts: NDArray[np.float64], _: Cell) -> tuple[float, float]:
    units = counts.sum(axis=1)
    n, total = len(units), units.sum(axis=0)
    without = figures(total - units)[:, F1]
    error = np.sqrt(without.var() * (n - 1))
    whole, t = figures(total)[F1], t_quantile(0.95, n - 1)
    return whole - t * error, whole + t * error


def _percentiles(values: NDArray[np.float64], *shares: float) -> tuple[float, float]:
    low, high = np.quantile(values, shares)
    return float(low), float(high)


INTERVALS: dict[str, tuple[Callable[..., tuple[float, float]], int]] = {
    # with the least number of texts
    "jackknife": (_shipped, 1),
    "percentile": (_percentile, 1),
    "hierarchical": (_hierarchical, 1),
    "BCa": (_bca, 2),
    "t": (_student, 2),
}


def covered(cell: Cell) -> dict[str, tuple[float, float]]:
    """Return the coverage and the median width of each method."""
    true = cell.world.true_f1()
    methods = {name: of for name, (of, least) in INTERVALS.items() if cell.texts >= least}
    ends: dict[str, list[tuple[float, float]]] = {name: [] for name in methods}
    for (counts,) in cell.corpora_of(1):
        for name, of in methods.items():
            low, high = of(counts, cell)
            ends[name].append((low, high))
    out = {}
    for name, pairs in ends.items():
        low, high = np.array(pairs).T
        inside = (low <= true + 1e-12) & (true - 1e-12 <= high)
        out[name] = (float(inside.mean()), float(np.median(high - low)))
    return out


# Tests: the counts of two systems, shape (texts, blocks, 4) each, to p of F1.


def _by_texts(a: NDArray[np.float64], b: NDArray[np.float64], cell: Cell) -> float:
    return randomisation(a.sum(axis=1), b.sum(axis=1), resamples=cell.resamples)[F1]


def _by_blocks(count: int) -> Callable[..., float]:
    def test(a: NDArray[np.float64], b: NDArray[np.float64], cell: Cell) -> float:
        a, b = (x.reshape(len(x) * count, -1, 4).sum(axis=1) for x in (a, b))
        return randomisation(a, b, resamples=cell.resamples)[F1]

    return test


def _by_t(a: NDArray[np.float64], b: NDArray[np.float64], _: Cell) -> float:
    if len(a) == 1:
        return paired_t(a[0], b[0], one_text=True)[F1]
    return paired_t(a.sum(axis=1), b.sum(axis=1))[F1]


def _by_bootstrap(a: NDArray[np.float64], b: NDArray[np.float64], cell: Cell) -> float:
    return paired_bootstrap(a.sum(axis=1), b.sum(axis=1), resamples=cell.resamples)[F1]


TESTS: dict[str, tuple[Callable[..., float], int, int]] = {
    # with the least and the greatest number of texts
    "t": (_by_t, 1, 10_000),
    "randomisation": (_by_texts, 5, 10_000),
    "5 blocks": (_by_blocks(5), 1, 7),
    "10 blocks": (_by_blocks(10), 1, 7),
    "20 blocks": (_by_blocks(20), 1, 7),
    "bootstrap": (_by_bootstrap, 10, 10_000),
}


def found(cell: Cell) -> dict[str, float]:
    """Return the share of pairs of systems that each test finds different at .05."""
    tests = {name: of for name, (of, least, most) in TESTS.items() if least <= cell.texts <= most}
    p: dict[str, list[float]] = {name: [] for name in tests}
    for a, b in cell.corpora_of(2):
        for name, of in tests.items():
            p[name].append(of(a, b, cell))
    return {name: float(np.mean(np.array(values) <= 0.05)) for name, values in p.items()}


# The report.

_ABOUT = """\
# Few texts: coverage of intervals, level of tests

Made by `{command}`, whose docstring
tells what is measured; {versions}. {corpora:,} corpora a cell, so a share of .95 has a standard
error of {error:.3f}; {resamples:,} resamples.

`jackknife` is what `bitext` ships; it takes blocks of a single text. The others are rivals.

"""


def _summary(rows: Sequence[tuple[Cell, dict[str, Any]]], names: Sequence[str]) -> Table:
    """Return least, mean and greatest value of each method by the number of texts."""
    table = Table(["texts", *names])
    for texts in dict.fromkeys(cell.texts for cell, _ in rows):
        line = [str(texts)]
        for name in names:
            values = [
                value[0] if isinstance(value, tuple) else value
                for cell, found in rows
                if cell.texts == texts and (value := found.get(name)) is not None
            ]
            if values:
                line.append(f"{np.mean(values):.3f} ({min(values):.2f}-{max(values):.2f})")
            else:
                line.append("-")
        table.rows.append(line)
    return table


def _full(rows: Sequence[tuple[Cell, dict[str, Any]]], names: Sequence[str]) -> Table:
    table = Table(["errors", "wrong", "lengths", "texts", *names])
    for cell, found in rows:
        cells = [found.get(name) for name in names]
        shown = [
            "-"
            if value is None
            else f"{value[0]:.3f} / {value[1]:.3f}"
            if isinstance(value, tuple)
            else f"{value:.3f}"
            for value in cells
        ]
        table.rows.append([*cell.world.name.split(" | "), str(cell.texts), *shown])
    return table


def _measured(
    of: Callable[[Cell], dict[str, Any]], cells: Sequence[Cell], processes: int
) -> list[tuple[Cell, dict[str, Any]]]:
    with ProcessPoolExecutor(processes) as pool:
        return list(zip(cells, pool.map(of, cells, chunksize=len(TEXTS)), strict=True))


def _main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpora", type=int, default=1000, help="corpora a cell (1000)")
    parser.add_argument("--resamples", type=int, default=500, help="of bootstraps and tests (500)")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--report", type=Path, help="the Markdown file to write")
    options = parser.parse_args()
    alike = [World(b, rate, *length) for b in (False, True) for rate in RATES for length in LENGTHS]
    harder = [world._replace(texts_differ=0.5) for world in alike]
    own = [world._replace(texts_differ=0.5, systems_differ=0.5) for world in alike]
    sampled = (options.corpora, options.resamples, 1)
    parts = []
    for head, worlds, kind in (
        ("Coverage, texts equally hard", alike, "interval"),
        ("Coverage, some texts harder", harder, "interval"),
        ("Level, systems equal on every text", harder, "test"),
        ("Level, systems equal over all texts, each with its own hard texts", own, "test"),
    ):
        cells = [Cell(world, n, *sampled) for world in worlds for n in TEXTS]
        of, names = (covered, [*INTERVALS]) if kind == "interval" else (found, [*TESTS])
        rows = _measured(of, cells, options.processes)
        note = "coverage / median width" if kind == "interval" else "share of p at most .05"
        parts += [
            f"## {head}",
            f"Mean (least-greatest) over worlds, by the number of texts; {note} of each below.",
            _summary(rows, names).render("markdown"),
            _full(rows, names).render("markdown"),
        ]
    text = _ABOUT.format(
        command=" ".join(["python", "scripts/bench/interval_coverage.py", *sys.argv[1:]]),
        versions=made_today("numpy"),
        corpora=options.corpora,
        error=(0.05 * 0.95 / options.corpora) ** 0.5,
        resamples=options.resamples,
    ) + "\n\n".join(part.strip() for part in parts)
    if options.report is None:
        print(text)
    else:
        options.report.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    with np.errstate(all="ignore"):
        sys.exit(_main())
