"""Lattices for a terminal: the alignment table, cut to its width, and lists of clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.lattices import columns
from bitext.reports.lettering import padded
from bitext.reports.table import Table, printable, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.model import Lattice

_CUT = 24  # the most characters of a word that are shown


def alignment_table(lattice: Lattice) -> Table:
    """Return the alignment table: a row a sentence, words of one node below each other."""
    table = Table(["sentence", *(str(k) for k in range(1, columns(lattice).width + 1))])
    table.rows = [[name, *cells] for name, cells in _rows(lattice)]
    return table


def alignment_blocks(lattice: Lattice, line: int) -> str:
    """Return the alignment table in blocks that fit a line of so many columns.

    Sentences that have no word in a block are left out of it. A word that is aligned with one of
    another sentence has a star; words that merely stand in one column are not aligned.
    """
    rows = [(printable(name), cells) for name, cells in _rows(lattice, short=True)]
    head = max(width(name) for name, _ in rows) + 2
    widths = [max(width(cells[k]) for _, cells in rows) for k in range(len(rows[0][1]))]
    blocks = []
    for first, last in _blocks(widths, max(line - head, 2 * _CUT + 1)):
        shown = ((name, cells[first:last]) for name, cells in rows if any(cells[first:last]))
        lines = [
            f"{padded(name, head)}"
            + " ".join(
                padded(cell, size) for cell, size in zip(cells, widths[first:last], strict=True)
            )
            for name, cells in shown
        ]
        blocks.append("\n".join(text.rstrip() for text in lines) + "\n")
    return "\n".join([*blocks, "* aligned with the same word of another sentence\n"])


def cluster_table(names: Iterable[str], lattices: Iterable[Lattice]) -> Table:
    """Return a list of clusters with their sizes."""
    table = Table(
        ["cluster", "sentences", "sources", "words", "nodes", "arcs", "first sentence"],
        right={1, 2, 3, 4, 5},
    )
    for name, lattice in zip(names, lattices, strict=True):
        cluster = lattice.cluster
        sources = {s.source for s in cluster if s.source is not None}
        first = cluster[0].text
        table.rows.append(
            [
                name,
                str(len(cluster)),
                str(len(sources)) if sources else "-",
                str(cluster.words),
                str(len(lattice) - 2),
                str(len(lattice.arcs.tail)),
                first if len(first) <= 60 else first[:59] + "…",
            ]
        )
    return table


def _rows(lattice: Lattice, *, short: bool = False) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each sentence and its cells, empty where it has no word.

    Short cells are for a terminal: long words are cut, and aligned words are marked.
    """
    places, size = columns(lattice)
    names = lattice.cluster.names
    for s, (name, sentence, taken) in enumerate(zip(names, lattice.cluster, places, strict=True)):
        nodes = lattice.paths.row(s).tolist()
        cells = [""] * size
        for column, form, node in zip(taken, sentence.forms, nodes, strict=True):
            cells[column] = _short(form, len(lattice.members(node)) > 1) if short else form
        yield name, cells


def _short(form: str, shared: bool) -> str:
    cell = printable(form)
    cell = cell if len(cell) <= _CUT else cell[: _CUT - 1] + "…"
    return f"{cell}*" if shared else cell


def _blocks(widths: Sequence[int], line: int) -> Iterator[tuple[int, int]]:
    """Yield first and last + 1 of runs of columns that fit a line, a blank between."""
    first, taken = 0, 0
    for column, size in enumerate(widths):
        if taken and taken + 1 + size > line:
            yield first, column
            first, taken = column, 0
        taken += size + (1 if taken else 0)
    yield first, len(widths)
