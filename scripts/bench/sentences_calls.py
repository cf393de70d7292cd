"""What `sentences.py` lets each side do: align the sentences of a file of made texts.

Each side runs in an interpreter of its own, so packages are imported where they are used. Beads
come back as pairs of lists of places.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

_held: dict[str, Any] = {}


def prepare(path: str, side: str) -> int:
    """Read the texts, as the side holds them."""
    src, tgt = json.loads(Path(path).read_text(encoding="utf-8"))
    _held["side"] = side
    if side == "bitext":
        text = import_module("bitext").Text
        src, tgt = text(src), text(tgt)
    _held["texts"] = (src, tgt)
    return len(src)


def align(method: str) -> list[list[list[int]]]:
    """Align, and return the beads."""
    src, tgt = _held["texts"]
    if _held["side"] == "galechurch":
        found = import_module("galechurch").align(src, tgt)
        return [_places(line) for line in found.to_pharaoh_lines()]
    if _held["side"] == "nltk":
        module = import_module("nltk.translate.gale_church")
        pairs = module.align_blocks([len(each) for each in src], [len(each) for each in tgt])
        return _grouped(pairs, len(src), len(tgt))
    found = import_module("bitext.align.sentences").align_sentences(src, tgt, method=method)
    return [[list(bead.src), list(bead.tgt)] for bead in found]


def _places(line: str) -> list[list[int]]:
    src, tgt = line.split(":")[:2]
    return [json.loads(src), json.loads(tgt)]


def _grouped(pairs: list[tuple[int, int]], rows: int, columns: int) -> list[list[list[int]]]:
    """Make beads of pairs of places that belong together; what is in none stands alone."""
    beads: list[list[list[int]]] = []
    for i, j in pairs:
        if beads and (i in beads[-1][0] or j in beads[-1][1]):
            beads[-1] = [sorted({*beads[-1][0], i}), sorted({*beads[-1][1], j})]
        else:
            beads.append([[i], [j]])
    seen = [{k for bead in beads for k in bead[side]} for side in (0, 1)]
    beads += [[[i], []] for i in range(rows) if i not in seen[0]]
    beads += [[[], [j]] for j in range(columns) if j not in seen[1]]
    return beads
