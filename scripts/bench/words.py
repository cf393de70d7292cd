"""Words: many pairs, long pairs and clusters of sentences aligned, beside a plain loop over cells.

Sentences are made: forms after Zipf's law, tags and traces drawn for each form and place. The plain
loop works on the same words and has to give the same scores; it is run on a sample of the pairs.
Every line is of a process of its own, the least of several runs.
"""

from __future__ import annotations

import sys
from pathlib import Path

from harness import Party, exponent
from results import Asked, Section, told

from bitext.reports.table import Table

CALLS = Path(__file__).with_name("words_calls.py")
PRESETS = ("V1", "V5")  # what others leave out, made sentences do not have


def apart(name: str, preset: str, size: int) -> dict[str, float]:
    """Run one measurement in a process of its own."""
    with Party(CALLS) as party:
        found: dict[str, float] = party.call(name, preset, size).value
        return found


def pairs(count: int) -> Table:
    """Return the table of many pairs."""
    heads = ["pairs of 22 x 25 words", "pairs", "encode", "first", "scores", "paths", "whole"]
    table = Table([*heads, "ns a cell", "peak MB", "plain loop", "times"], right=set(range(1, 11)))
    for preset in PRESETS:
        found = apart("pairs", preset, count)
        cells = [f"{found[key]:.3f}" for key in ("encode", "first", "scores", "paths", "whole")]
        cells += [f"{found['scores'] / found['cells'] * 1e9:.2f}", f"{found['MB']:.0f}"]
        cells += [f"{found['plain']:.1f}", f"{found['plain'] / found['scores']:.0f}"]
        table.rows.append([preset, f"{found['pairs']:,.0f}", *cells])
    return table


def grown(name: str, what: str, key: str, sizes: tuple[int, ...], work: str) -> Table:
    """Return the table of one measurement by size; `work` tells what grows how."""
    table = Table(
        [what, *(f"{size:,}" for size in sizes), "CPU grows as", "peak MB"],
        right=set(range(1, len(sizes) + 3)),
    )
    for preset in PRESETS:
        found = [apart(name, preset, size) for size in sizes]
        cells = [f"{one[key]:.3f}" for one in found]
        power = exponent(sizes, [one[key] for one in found])
        last = [f"n^{power:.2f}{work}", f"{found[-1]['MB']:.0f}"]
        table.rows.append([preset, *cells, *last])
    return table


def measure(asked: Asked) -> Section:
    """Measure."""
    count, part = (2_500, 10) if asked.quick else (100_000, 1)
    lengths = tuple(n // part for n in (2_500, 5_000, 10_000))
    clusters = (10, 20, 40) if asked.quick else (30, 100, 500)
    note = (
        "CPU seconds. *Encode* makes numbers of the words, *first* has all verdicts to make, "
        "*scores* and *paths* are the tables alone, *whole* is from sentences to alignments."
    )
    tables = [
        pairs(count),
        grown("long", "one pair, words a side; CPU s", "paths", lengths, ", n^2 cells"),
        grown("cluster", "cluster, sentences of 33 words; CPU s", "lattice", clusters, ""),
    ]
    return Section(tables, [note])


if __name__ == "__main__":
    sys.exit(told("words", __doc__ or "", measure))
