"""What a check of a file finds: what is wrong, where, and how bad that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.formats.part_places import Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.model import Bitext

__all__ = ["OTHERS", "SEVERITIES", "SHOWN", "Finding", "Findings", "Severity"]

Severity = Literal["error", "warning", "remark"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "remark")
_AT_FIRST = Place()
OTHERS = "and others"  # the case of the findings of a kind that are told by their number
SHOWN = 20  # findings of a kind that are kept with their place


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found in a file.

    Attributes
    ----------
    path : str
        The file.
    line : int or None
        The line, from 1, where it is known.
    severity : {"error", "warning", "remark"}
        `error`: it cannot be read, or does not resolve; `warning`: it is hardly meant; `remark`: it
        is allowed, and not every program can do with it.
    kind : str
        What it is, in the plural.
    case : str
        This case of it, or the first of those that were told together.

    """

    path: str
    line: int | None
    severity: Severity
    kind: str
    case: str


class Findings:
    """Collects what is found in a file: all are counted, the first of each kind are kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._counts: dict[tuple[Severity, str], int] = {}
        self._kept: dict[tuple[Severity, str], list[tuple[Finding, int]]] = {}

    def add(
        self,
        severity: Severity,
        kind: str,
        case: str,
        line: int | None = None,
        count: int = 1,
        *,
        path: str = "",
    ) -> None:
        """Count `count` cases of a kind; the first of them is told.

        They are in the file that is checked, or in another one that it names: that at `path`.
        """
        key = (severity, kind)
        self._counts[key] = self._counts.get(key, 0) + count
        kept = self._kept.setdefault(key, [])
        if len(kept) < SHOWN:
            kept.append((Finding(path or self.path, line, severity, kind, case), count))

    def where(
        self,
        severity: Severity,
        kind: str,
        bitext: Bitext,
        found: NDArray[np.bool_],
        *,
        place: Place = _AT_FIRST,
    ) -> None:
        """Count the bisegments of a bitext for which `found` is true, with their places.

        `place` tells how much of the document pair came before, where the bitext is a part of it.
        """
        places = np.flatnonzero(found).tolist()
        for k in places[:SHOWN]:
            of = f"{bitext.name}: " if bitext.name else ""
            line = int(bitext.lines[k]) if bitext.lines is not None else None
            self.add(severity, kind, f"{of}{place.bead(bitext, k)}", line or None)
        if len(places) > SHOWN:
            self._counts[severity, kind] += len(places) - SHOWN

    def all(self) -> list[tuple[Finding, int]]:
        """Return the first finding of each kind with the count of the kind, the worst first."""
        order = sorted(self._counts, key=lambda key: SEVERITIES.index(key[0]))
        return [(self._kept[key][0][0], self._counts[key]) for key in order]

    def each(self) -> list[tuple[Finding, int]]:
        """Return the findings that are kept, up to twenty a kind, the worst first.

        The count of each is that of the cases that were told together. Those beyond twenty are one
        more finding, without a line, so that the counts of a kind are as many as in `all`.
        """
        found: list[tuple[Finding, int]] = []
        for key in sorted(self._counts, key=lambda key: SEVERITIES.index(key[0])):
            kept = self._kept[key]
            found += kept
            if more := self._counts[key] - sum(count for _, count in kept):
                found.append((Finding(self.path, None, *key, OTHERS), more))
        return found

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(count for (of, _), count in self._counts.items() if of == severity)
