"""vecalign, Bertalign, SentAlign and Bleualign gold: brackets of positions, one bisegment a line.

    [0, 1]:[2]:0.12

Positions count from 0. The number at the end is a cost (vecalign: lower is better) or a
similarity (SentAlign: higher is better), and may be left out. `[]` is an empty side. Lines in any order, so
crossing, overlapping and discontinuous bisegments can be said. Neither ids nor texts.
"""

from __future__ import annotations

import re
from math import nan
from typing import TYPE_CHECKING, NoReturn

from bitext.errors import AlignmentError
from bitext.formats.registry import Format, ReadOptions
from bitext.formats.texts import over_positions
from bitext.model import Alignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DIGITS = 12  # bounds a number before it is made
_SIDE = rf"\[ *((?:\d{{1,{_DIGITS}}}(?: *, *\d{{1,{_DIGITS}}})*)?) *\]"
_NUMBER = r"([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:inf|nan))"
_LINE = re.compile(rf"\s*{_SIDE} *: *{_SIDE} *(?:: *{_NUMBER}? *)?\s*", re.ASCII)
_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[[\d, ]*\] *: *\[[\d, ]*\]")


def _sniff(head: bytes) -> int:
    return 95 if _HEAD.match(head) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    sides: tuple[list[list[int]], list[list[int]]] = ([], [])
    scores: list[float] = []
    places: list[int] = []
    match = _LINE.fullmatch
    for number, line in enumerate(source.lines(), start=1):
        found = match(line)
        if not found:
            if line.strip():
                _refuse(source, number, line)
            continue
        src, tgt, score = found.groups()
        if not (src or tgt):
            source.notes.add(
                "lines with two empty sides, left out", f"{source.path} line {number}: {line}"
            )
            continue
        sides[0].append([int(x) for x in src.split(",")] if src else [])
        sides[1].append([int(x) for x in tgt.split(",")] if tgt else [])
        scores.append(float(score) if score else nan)
        places.append(number)
    known = None if all(score != score for score in scores) else scores  # noqa: PLR0124 - nan
    try:
        alignment = Alignment(zip(*sides, strict=True), scores=known)
    except AlignmentError as error:
        raise _place(source, places, sides, error) from None
    yield over_positions(source, alignment, options, places.__getitem__)


def _refuse(source: Source, number: int, line: str) -> NoReturn:
    raise source.error(
        f"is {line[:40]!r}; want brackets of positions, as [0, 1]:[2] or [0, 1]:[2]:0.12", number
    )


def _place(
    source: Source,
    places: list[int],
    sides: tuple[list[list[int]], list[list[int]]],
    error: AlignmentError,
) -> Exception:
    """Say on which line the bisegment stands that the model refuses."""
    for number, src, tgt in zip(places, *sides, strict=True):
        try:
            Alignment([(src, tgt)])
        except AlignmentError as found:
            return source.error(str(found).partition(" has ")[2], number)
    return error


def _write(bitexts: Iterable[Bitext], out: IO[str]) -> None:
    for bitext in bitexts:
        scores = bitext.alignment.scores
        for k, bead in enumerate(bitext.alignment):
            score = "" if scores is None or scores[k] != scores[k] else f":{scores[k]:.6f}"  # noqa: PLR0124
            out.write(f"{list(bead.src)}:{list(bead.tgt)}{score}\n")


FORMAT = Format(
    name="vecalign",
    title="brackets of positions (vecalign, Bertalign, SentAlign)",
    holds="positions",
    suffixes=(".vecalign", ".align", ".path"),
    sniff=_sniff,
    read=_read,
    write=_write,
)
