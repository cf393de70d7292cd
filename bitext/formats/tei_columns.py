"""Alignments out of TEI links: bisegments, scores, and the attributes of links as columns."""

from __future__ import annotations

import re
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.lines import known_scores, score_of
from bitext.kernels.rows import Rows, prefix
from bitext.model import Alignment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitext.formats.tei_sides import Made

__all__ = ["Bead", "alignment_of", "with_columns"]

Bead = tuple[list[int], list[int]]
_OUR_LINK = re.compile(r"bitext-\d+-link-\d+")


def alignment_of(beads: Sequence[Bead], links: Sequence[Made]) -> Alignment:
    """Return bisegments, each with the attributes of its link."""
    rows = []
    for which in (0, 1):
        sizes = np.array([len(bead[which]) for bead in beads], dtype=np.int64)
        members = np.array([k for bead in beads for k in bead[which]], dtype=np.int64)
        rows.append(Rows(prefix(sizes), members))
    columns: dict[str, list[str | None]] = {}
    for k, link in enumerate(links):
        for name, value in link.attributes.items():
            columns.setdefault(name, [None] * len(links))[k] = value
    return with_columns(rows, columns, len(links))


def with_columns(
    rows: Sequence[Rows], given: Mapping[str, list[str | None]], size: int
) -> Alignment:
    """Return the alignment with the attributes of links as scores and columns."""
    scores = [nan] * size
    columns: dict[str, list[str | None]] = {}
    for name in sorted(given, key="a score".__eq__):  # what we wrote is the score, if it is there
        values = given[name]
        if name in {"cert", "a score"}:
            numbers = [nan if value is None else score_of(value) for value in values]
            scores = [
                old if new is None or isnan(new) else new
                for old, new in zip(scores, numbers, strict=True)
            ]
            values = [
                value if number is None or (value is not None and isnan(number)) else None
                for value, number in zip(values, numbers, strict=True)
            ]
        elif name == "id":
            values = [v if v is None or not _OUR_LINK.fullmatch(v) else None for v in values]
        if any(value is not None for value in values):
            _merge(columns, name.removeprefix("a column "), values)
    return Alignment.from_arrays(rows[0], rows[1], scores=known_scores(scores), attributes=columns)


def _merge(columns: dict[str, list[str | None]], name: str, values: list[str | None]) -> None:
    """Add a column; of one that is there already, the new values count."""
    known = columns.get(name)
    if known is None:
        columns[name] = values
        return
    columns[name] = [old if new is None else new for old, new in zip(known, values, strict=True)]
