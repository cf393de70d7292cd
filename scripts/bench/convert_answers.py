"""Counts what a tool made of files whose answers are known: units right, wrong and dropped.

A unit is right when both sides are the very characters that are meant. What comes out otherwise is
wrong, whatever is wrong with it; what does not come out at all is dropped. Units are told by the
number in their text, so that one that is dropped does not make those behind it wrong.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import ParseError, iterparse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from convert_made import Made

__all__ = ["Verdict", "judged", "quoted", "tabbed", "tmx_units", "two_files"]

_NUMBER = re.compile(r"\bu(\d+)\b")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


class Verdict(NamedTuple):
    """How many units came out right, wrong, and not at all; the right ones and all by kind."""

    right: int
    wrong: int
    dropped: int
    by_kind: dict[str, tuple[int, int]]
    broken: str = ""


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            yield line.removesuffix("\n")


def two_files(src: Path, tgt: Path) -> Iterator[tuple[str, str]]:
    """Yield the units of two files of lines."""
    yield from zip_longest(_lines(src), _lines(tgt), fillvalue="")


def tabbed(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the units of lines with a tab."""
    for line in _lines(path):
        src, _, tgt = line.partition("\t")
        yield src, tgt


def quoted(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the units of lines with a tab, fields quoted as the module `csv` does it."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        for row in csv.reader(file, delimiter="\t"):
            yield row[0], row[1]


def tmx_units(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the English and the French of each unit of a TMX; raises where it is no XML."""
    root = None
    for event, element in iterparse(path, events=("start", "end")):  # noqa: S314 - made by us
        root = element if root is None else root
        if event == "end" and element.tag == "tu":
            found = {
                tuv.get(_LANG): "".join(seg.itertext())
                for tuv in element.findall("tuv")
                for seg in tuv.findall("seg")
            }
            yield found.get("en", ""), found.get("fr", "")
            root.clear()


def judged(made: Made, units: Iterable[tuple[str, str]]) -> Verdict:
    """Compare what came out with the answers; both are in the same order, and are not held."""
    right: Counter[str] = Counter()
    kinds = made.kinds.read_text(encoding="ascii")
    answers = enumerate(two_files(*made.answers))
    came, at, answer, broken = 0, -1, ("", ""), ""
    try:
        for src, tgt in units:
            came += 1
            found = _NUMBER.search(src) or _NUMBER.search(tgt)
            number = int(found[1]) if found else -1
            if not at < number < made.units:
                continue
            while at < number:
                at, answer = next(answers)
            right[kinds[at]] += (src, tgt) == answer
    except ParseError as error:
        broken = str(error)
    total = right.total()
    every = Counter(kinds)
    return Verdict(
        total,
        came - total,
        max(0, made.units - came),
        {kind: (right[kind], every[kind]) for kind in sorted(every)},
        broken,
    )
