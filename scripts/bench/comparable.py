"""Clusters of comparable sentences beside `collatex`, in one run.

    python scripts/bench/comparable.py [--clusters FOLDER] [--report FILE] [--part side|raw ...]

- *side*: every cluster of FOLDER (files of `bitext cluster`, such as .json with trees), aligned by
  the five presets and by CollateX: CPU seconds, nodes, repetition ratio, and how far the result
  moves when the sentences are shuffled.
- *raw*: the same clusters from their bare text, parsed by the built-in parser, by the presets.

CollateX (`collatex` on the index) is given our words, casefolded as its normal forms; its graph is
read back as a lattice of ours, and both are judged by the same metrics. *Same when shuffled* is
the mean F1 of the word links of the lattice of shuffled sentences against those of the lattice in
the given order, over several shuffles: 1 when the order does not matter.

Figures are CPU seconds, the least of several runs, of one process. `--report` writes the tables
as Markdown.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

# One core is one core.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from harness import seconds
from results import made_today

from bitext import Cluster, Lattice, LatticeError, Sentence
from bitext.align import PRESETS, align_cluster
from bitext.formats.clusters import read_cluster
from bitext.metrics import compression, repetition_ratio, word_links
from bitext.reports.table import Table
from bitext.syntax.parsers import analyse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Aligner = "Callable[[Cluster], Lattice]"

SHUFFLES = 5

_ABOUT = """\
# Comparable sentences: the presets and CollateX

Made by `python scripts/bench/comparable.py --report scripts/bench/comparable.md`, whose docstring
tells what is measured; {}.

Every lattice is acyclic and accepts all inputs: both are checked in the run. The first table is
made with the trees that come with the clusters (those of piper and ferry by hand, those of e2e-04
and the verse by a small parser), the second from bare text with the built-in parser. `~` marks an
estimate from paths drawn at random. How time grows with the sentences stands in `RESULTS.md`.
"""


def _versions() -> str:
    return f"{made_today('collatex', 'numpy')}, one core"


def by_collatex(cluster: Cluster) -> Lattice:
    """Align by CollateX, and read its graph as a lattice."""
    from collatex import collate

    witnesses = [
        {"id": f"w{k}", "tokens": [{"t": t.form, "n": t.form.casefold()} for t in sentence]}
        for k, sentence in enumerate(cluster)
    ]
    graph = collate({"witnesses": witnesses}, output="graph", segmentation=False)
    groups: list[list[int]] = [[0] * len(sentence) for sentence in cluster]
    place = {id(token): (s, w) for s, w, token in _tokens(witnesses)}
    for number, vertex in enumerate(graph.vertices()):
        for tokens in vertex.tokens.values():
            for token in tokens:
                s, w = place[id(token.token_data)]
                groups[s][w] = number
    return Lattice(cluster, groups)


def _tokens(witnesses: list[dict[str, Any]]) -> Iterator[tuple[int, int, dict[str, str]]]:
    for s, witness in enumerate(witnesses):
        for w, token in enumerate(witness["tokens"]):
            yield s, w, token


def aligners() -> dict[str, Callable[[Cluster], Lattice]]:
    """Return all that are compared, by name."""
    ours = {name: _by_preset(name) for name in PRESETS}
    return {**ours, "collatex": by_collatex}


def _by_preset(name: str) -> Callable[[Cluster], Lattice]:
    return lambda cluster: align_cluster(cluster, preset=name)


def steadiness(cluster: Cluster, align: Callable[[Cluster], Lattice]) -> float:
    """Return the mean F1 of word links after shuffling, against those in the given order."""
    rng = random.Random(1)  # noqa: S311 - an order
    gold = align(cluster)
    total = 0.0
    for _ in range(SHUFFLES):
        order = list(range(len(cluster)))
        rng.shuffle(order)
        shuffled = align(Cluster([cluster[k] for k in order]))
        back = {k: place for place, k in enumerate(order)}
        groups = [shuffled.paths.row(back[k]).tolist() for k in range(len(cluster))]
        found = word_links(gold, Lattice(cluster, groups))
        total += found.f1 if found.expected or found.proposed else 1.0
    return total / SHUFFLES


def row_of(cluster: Cluster, name: str, align: Callable[[Cluster], Lattice]) -> list[str]:
    """Return the figures of one aligner on one cluster."""
    head = [cluster.id or "", str(len(cluster)), name]
    try:
        lattice = align(cluster)
        lattice_of = [lattice.path(s) for s in range(len(cluster))]
        words_of = [[lattice.form(n) for n in path[1:-1]] for path in lattice_of]
        for sentence, words in zip(cluster, words_of, strict=True):
            same = [f.casefold() for f in sentence.forms] == [w.casefold() for w in words]
            if not same and name != "collatex":
                raise SystemExit(f"{cluster.id} {name}: an input is not accepted")
        ratio = repetition_ratio(lattice)
        return [
            *head,
            f"{seconds(lambda: align(cluster)):.3f}",
            str(len(lattice) - 2),
            f"{compression(lattice).value:.3f}",
            f"{ratio.value:.3f}" + ("" if ratio.exact else " ~"),
            f"{steadiness(cluster, align):.3f}",
        ]
    except LatticeError as error:
        return [*head, f"no lattice: {error}", "", "", "", ""]


def side(clusters: list[Cluster]) -> Table:
    """Return the table of all aligners on all clusters."""
    head = ["cluster", "sentences", "aligner", "CPU s", "nodes", "compression"]
    table = Table([*head, "repetition ratio", "same when shuffled"], right={1, 3, 4, 5, 6, 7})
    for cluster in clusters:
        for name, align in aligners().items():
            table.rows.append(row_of(cluster, name, align))
    return table


def raw(clusters: list[Cluster]) -> Table:
    """Return the table of the presets on the bare text of the clusters."""
    parsed = [
        analyse(Cluster([Sentence(s.forms, id=s.id, text=s.text) for s in c], id=c.id))
        for c in clusters
    ]
    head = ["cluster, from text", "sentences", "aligner", "CPU s", "nodes", "compression"]
    table = Table([*head, "repetition ratio", "same when shuffled"], right={1, 3, 4, 5, 6, 7})
    for cluster in parsed:
        for name in PRESETS:
            table.rows.append(row_of(cluster, name, _by_preset(name)))
    return table


def main() -> int:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clusters", type=Path, default=Path("../shared/data/clusters"))
    parser.add_argument("--report", type=Path)
    parser.add_argument("--part", action="append", choices=("side", "raw"))
    options = parser.parse_args()
    files = sorted(options.clusters.glob("*.json"))
    if not files:
        print(f"no clusters in {options.clusters}", file=sys.stderr)
        return 2
    clusters = [analyse(read_cluster(path)) for path in files]
    parts: dict[str, Callable[[], Table]] = {
        "side": lambda: side(clusters),
        "raw": lambda: raw(clusters),
    }
    wanted = options.part or list(parts)
    found = {part: parts[part]() for part in wanted}
    for table in found.values():
        print(table.render("table"), flush=True)
    if options.report:
        text = "\n".join(table.render("markdown") for table in found.values())
        options.report.write_text(f"{_ABOUT.format(_versions())}\n{text}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
