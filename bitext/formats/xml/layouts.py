"""Layouts of elements that a program writes alike, many elements matched by one expression.

Programs write all units of a file alike: the same tags with the same attributes in the same order
and the same white space between them. The layout of one unit gives an expression that matches the
values of the others. The match is complete if the lengths of the values and of the fixed parts add
up to the length of the text. What the values mean is for the reader of a format to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.xml.fast import Piece

NUL = "\0"
Value = TypeVar("Value")


class Layout(Protocol):
    """The layout of a unit, with the white space in front."""

    @property
    def expression(self) -> str:
        """Matches a unit; its groups are the values, after a first group with one `<`."""

    @property
    def fixed(self) -> int:
        """The number of characters of a unit outside of the groups."""

    @property
    def names(self) -> Sequence[str]:
        """The content of each group; `<` for the first."""

    @property
    def ends(self) -> tuple[int, int]:
        """The numbers of line ends before the start tag, and outside of the groups as a whole."""


Known = TypeVar("Known", bound=Layout)


@dataclass(frozen=True, slots=True)
class Matches:
    """The units of a text."""

    # The values of each group, for all units; empty where a unit has another layout.
    groups: Sequence[tuple[str, ...]]
    blocks: Sequence[str]  # the values of each group, joined by NUL
    begins: Sequence[int]  # the number of the first group of each layout
    counts: Sequence[int]  # the number of units of each layout
    size: int  # the number of characters in the groups and around them

    def __len__(self) -> int:
        return len(self.groups[0])

    def which(self, layout: int) -> list[int] | None:
        """Return the units of a layout, by its number; `None` for all units."""
        if self.counts[layout] == len(self.groups[0]):
            return None
        return [k for k, mark in enumerate(self.groups[self.begins[layout]]) if mark]


class Layouts(Generic[Known]):
    """The known layouts of the units of a file.

    Parameters
    ----------
    other : str
        An expression that matches units of unknown layouts, in one group. Default: none.

    """

    def __init__(self, other: str = "") -> None:
        self._other = other
        self._known: list[Known] = []
        self._alone: list[re.Pattern[str]] = []  # the expression of each
        self._together: re.Pattern[str] | None = None  # of all, compiled when it is needed

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[Known]:
        return iter(self._known)

    def add(self, layout: Known) -> None:
        """Add a new layout."""
        self._known.append(layout)
        self._alone.append(re.compile(layout.expression))
        self._together = None

    def fits(self, unit: str) -> bool:
        """Return True if the layout of a unit, with the white space in front of it, is known."""
        return any(pattern.fullmatch(unit) for pattern in self._alone)

    @property
    def pattern(self) -> re.Pattern[str]:
        """The expression of all layouts; a piece with several new ones compiles it once."""
        if self._together is None:
            each = [known.expression for known in self._known]
            self._together = re.compile("|".join([*each, self._other] if self._other else each))
        return self._together

    def match(self, text: str) -> Matches | None:
        """Return the units of a text; `None` without any.

        The text is matched whole if its length is the size of the matches.
        """
        matches = self.pattern.findall(text) if self._known or self._other else []
        if not matches:
            return None
        single = isinstance(matches[0], str)  # an expression of one group
        groups = [tuple(matches)] if single else list(zip(*matches, strict=True))
        blocks = [NUL.join(group) for group in groups]
        size = sum(map(len, blocks)) - len(blocks) * (len(matches) - 1)
        begins, counts, at = [], [], 0
        for layout in self._known:
            begins.append(at)
            counts.append(blocks[at].count("<"))
            size += counts[-1] * layout.fixed
            at += len(layout.names)
        return Matches(groups, blocks, begins, counts, size)

    def lines(self, piece: Piece, matches: Matches) -> list[int]:
        """Return the line on which each unit begins, without line ends in values."""
        before, whole = np.zeros((2, len(matches)), dtype=np.int64)
        for layout, begin in zip(self._known, matches.begins, strict=True):
            here = np.fromiter(map(bool, matches.groups[begin]), np.bool_, len(matches))
            before[here], whole[here] = layout.ends
        lines: list[int] = (piece.line + np.cumsum(whole) - whole + before).tolist()
        return lines


def lines_of_units(piece: Piece, begin: re.Pattern[str]) -> list[int]:
    """Return the line on which each unit of a piece begins; `begin` matches where one does."""
    lines, line, at = [], piece.line, 0
    for match in begin.finditer(piece.text):
        line += piece.text.count("\n", at, match.start())
        at = match.start()
        lines.append(line)
    return lines


def placed(
    values: list[Value], which: list[int] | None, among: Sequence[Value | None]
) -> list[Any]:
    """Put values at the positions in `which`; `None` for all positions."""
    if which is None:
        return values
    whole = list(among)
    for k, value in zip(which, values, strict=True):
        whole[k] = value
    return whole
