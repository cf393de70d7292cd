"""Clusters of comparable sentences beside CollateX: time, memory and nodes by size.

Made clusters: five sentences of 33 words, each sentence of the cluster one of them with half of
its words exchanged. CollateX (`collatex` on the index) is given our words; both make a graph that
has every sentence as a path, and the fewer nodes it has the more was matched. How the two compare
on real clusters stands in `comparable.md`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from environments import environment, versions
from harness import Party, Rival, Usage, grown
from results import Asked, Section, told

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = Path(__file__).with_name("clusters_calls.py")
SIDES = {"bitext, V1": ("bitext", "V1"), "bitext, V2": ("bitext", "V2"), "collatex": ("", "")}


def measure(asked: Asked) -> Section:
    """Align clusters of three sizes by all, in turn."""
    python = environment("clusters", asked.cache) / "python"
    parties = {name: Party(CALLS, None if side else python) for name, (side, _) in SIDES.items()}
    held: dict[str, int] = {}

    def aligned(name: str) -> Callable[[int], Usage]:
        side, preset = SIDES[name]

        def work(size: int) -> Usage:
            if held.get(name) != size:
                if name not in held:  # what is imported first is not timed
                    parties[name].call("prepare", side, 3)
                    parties[name].call("align", preset)
                parties[name].call("prepare", side, size)
                held[name] = size
            return parties[name].call("align", preset)

        return work

    def check(values: dict[str, Any]) -> dict[str, str]:
        return {name: f"{value:,} nodes" for name, value in values.items()}

    table, _ = grown(
        "sentences",
        (10, 20, 40) if asked.quick else (25, 100, 400),
        [Rival(name, aligned(name)) for name in SIDES],
        rounds=1 if asked.quick else 3,
        check=check,
    )
    for party in parties.values():
        party.close()
    return Section([table], [f"Peers: {versions('clusters', asked.cache)}."])


if __name__ == "__main__":
    sys.exit(told("clusters", __doc__ or "", measure))
