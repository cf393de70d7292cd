"""The beads that `bitext align` shows: rows of JSON, and a table that fits the terminal."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.cli.align_found import Kept

__all__ = ["bead_rows", "bead_table"]

_COLUMNS = 100  # of what is no terminal
_LEAST = 16  # columns that a text gets at least


def bead_rows(found: Sequence[Kept]) -> Iterator[dict[str, Any]]:
    """Yield what is told of each bead; beads are counted from 1 in each text.

    Those that were left out count too: a bead has the number that `--explain` takes.
    """
    for bitext, numbers, *_ in found:
        src, tgt = bitext.src, bitext.tgt
        if src is None or tgt is None:
            continue
        texts = [list(side.segments()) for side in (src, tgt)]
        names = [side.ids for side in (src, tgt)]
        scores = bitext.alignment.scores
        for k, bead in enumerate(bitext.alignment):
            yield {
                "text": bitext.name,
                "bead": numbers[k],
                "type": bead.type,
                "score": None if scores is None else round(float(scores[k]), 4),
                "src": [names[0][s] for s in bead.src],
                "tgt": [names[1][t] for t in bead.tgt],
                "src_text": [texts[0][s] for s in bead.src],
                "tgt_text": [texts[1][t] for t in bead.tgt],
            }


def bead_table(found: Sequence[Kept], style: str) -> str:
    """Return the beads as a table; on a terminal texts are cut to its width."""
    from bitext.reports.table import Table, number

    named = ["text"] if len(found) > 1 else []
    head = [*named, "bead", "type", "score", "src", "tgt", "source text", "target text"]
    table = Table(head, right={len(named), len(named) + 2}, quiet=set(range(len(named))))
    rows = list(bead_rows(found))
    room = _room(rows, named) if style == "table" else 0
    for row in rows:
        score = "-" if row["score"] is None else number(row["score"])
        texts = [_cut(" ".join(row[side]), room) for side in ("src_text", "tgt_text")]
        ids = [_cut(" ".join(row[side]), 40 if room else 0) or "-" for side in ("src", "tgt")]
        mine = [row["text"]] if named else []
        table.rows.append([*mine, str(row["bead"]), row["type"], score, *ids, *texts])
    return table.render(style)


def _room(rows: list[dict[str, Any]], named: list[str]) -> int:
    """Return the columns that each of the two texts may take."""
    wide = shutil.get_terminal_size((_COLUMNS, 24)).columns if sys.stdout.isatty() else _COLUMNS
    taken = 2 * (6 + len(named)) + len("bead  type") + len("0.0000")
    for column in (*named, "src", "tgt"):
        cells = (row[column] if column == "text" else " ".join(row[column]) for row in rows)
        taken += min(40, max((len(cell) for cell in cells), default=0))
    return max(_LEAST, (wide - taken) // 2)


def _cut(text: str, room: int) -> str:
    """Cut a text that takes more columns than there are; no room: leave it whole."""
    if not room or len(text) * 2 <= room:
        return text
    from bitext.reports.table import width

    text = text[: room + 1]
    if width(text) <= room:
        return text
    while width(text) > room - 1:
        text = text[:-1]
    return f"{text}…"
