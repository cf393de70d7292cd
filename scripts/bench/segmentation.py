"""Metrics of segmentations beside segeval and nltk: one long pair, and many short ones.

- *one pair*: of 10,000, 100,000 and 1,000,000 units, mean segment 10.
- *many pairs* of 100 units: ours at once through `.many`, peers pair by pair; they get a tenth of
  the pairs, and their seconds are told tenfold.
- *the error study* to n = 20 on one core, held against the published totals (not with --quick).

Peers have to give the same values, or the run ends. No package on the index has A: its peer is a
plain loop over the segments, after the definition. segeval is given masses: its Pk compares labels
by identity, and is wrong for position labels above 256.
"""

from __future__ import annotations

import csv
import sys
import time
from pathlib import Path
from typing import Any

from environments import environment, versions
from harness import Party, Rival, Usage, agree, grown
from results import ROOT, Asked, Section, told

from bitext.reports.table import Table

CALLS = Path(__file__).with_name("segmentation_calls.py")
PUBLISHED = ROOT / "fixtures" / "published" / "segmentations" / "study.tsv"
PEERS = {
    "alignment_similarity": ("plain",),
    "pk": ("nltk", "segeval"),
    "window_diff": ("nltk", "segeval"),
    "segmentation_similarity": ("segeval",),
    "boundary_similarity": ("segeval",),
}


class Sides:
    """The processes of all sides, and what they hold."""

    def __init__(self, asked: Asked) -> None:
        python = environment("segmentation", asked.cache) / "python"
        self.parties = {"bitext": Party(CALLS)}
        self.parties |= {name: Party(CALLS, python) for name in ("nltk", "segeval", "plain")}
        self._held: dict[str, tuple[int, int, int]] = {}
        self._warm: set[tuple[str, str]] = set()

    def compare(
        self, side: str, metric: str, units: int, count: int, *, many: bool = False
    ) -> Usage:
        """Let a side compare; it draws its data when they are not those that it has."""
        every = 10 if many and side != "bitext" else 1
        party = self.parties[side]
        if self._held.get(side) != (units, count, every):
            party.call("prepare", side, units, count, every)
            self._held[side] = (units, count, every)
        if (side, metric) not in self._warm:  # what is imported first is not timed
            party.call("compare", metric, many)
            self._warm.add((side, metric))
        found = party.call("compare", metric, many, least=0.02)
        return found._replace(cpu=found.cpu * every)

    def close(self) -> None:
        """End them."""
        for party in self.parties.values():
            party.close()


def checked(values: dict[str, Any]) -> dict[str, str]:
    """Hold the values of peers against ours, of which there may be ten times as many."""
    ours = values["bitext"]
    said: dict[str, str] = {}
    for name, theirs in values.items():
        some = ours[:: max(1, len(ours) // len(theirs))]
        if name != "bitext":
            said |= agree({"bitext": some, name: theirs}, within=1e-9)
    return said


def tables(asked: Asked) -> list[Table]:
    """Return the tables of one pair and of many, a metric after another."""
    long = (1_000, 10_000, 100_000) if asked.quick else (10_000, 100_000, 1_000_000)
    short = (100, 300, 1_000) if asked.quick else (1_000, 4_000, 16_000)
    rounds = 1 if asked.quick else 3
    found = []
    sides = Sides(asked)
    for many, sizes in ((False, long), (True, short)):
        for metric, peers in PEERS.items():
            what = "many pairs of 100 units" if many else "one pair, units"
            table, _ = grown(
                f"{metric.replace('_', '-')}, {what}",
                sizes,
                [Rival(name, _work(sides, name, metric, many=many)) for name in ("bitext", *peers)],
                rounds=rounds,
                check=checked,
            )
            found.append(table)
    sides.close()
    return found


def _work(sides: Sides, name: str, metric: str, *, many: bool) -> Any:
    if many:
        return lambda count: sides.compare(name, metric, 100, count, many=True)
    return lambda units: sides.compare(name, metric, units, 1)


def study() -> Table:
    """Run the error study to n = 20, and hold its totals against the published ones."""
    from bitext.metrics.registry import parse_metrics
    from bitext.metrics.study import StudiedMetric, study_errors

    names = ["window-diff", "boundary-similarity", "alignment-similarity"]
    metrics = [StudiedMetric(metric) for metric in parse_metrics(names)]
    begun = time.process_time()
    rows = study_errors(metrics, 5, 20)
    spent = time.process_time() - begun
    found = {(row.metric.label, row.error): row for row in rows if row.n == 20}
    total = sum({row.n: row.references for row in rows}.values())
    head = f"error study, n = 5 to 20, {total:,} references: {spent:.1f} CPU s"
    table = Table([head, "error", "erring", "of", "published"], right={2, 3})
    with PUBLISHED.open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines, delimiter="\t"):
            row = found[line["metric"], line["error"]]
            same = "as published" if row.erring == int(line["erring"]) else "NOT AS PUBLISHED"
            cells = [line["metric"], line["error"], f"{row.erring:,}", f"{row.references:,}"]
            table.rows.append([*cells, same])
    return table


def measure(asked: Asked) -> Section:
    """Measure."""
    found = tables(asked)
    if not asked.quick:
        found.append(study())
    notes = [f"Peers: {versions('segmentation', asked.cache)}; *plain* is our loop."]
    return Section(found, notes)


if __name__ == "__main__":
    sys.exit(told("segmentation", __doc__ or "", measure))
