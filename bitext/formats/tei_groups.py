"""Groups of links of a TEI file, as columns."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Group", "Link", "Links"]


class Link(NamedTuple):
    """A link: its pointers as written, its other attributes, its line, the `xml:base` in force."""

    targets: str
    attributes: dict[str, str]
    line: int
    base: str


@dataclass(slots=True)
class Links:
    """Links in their order.

    Attributes
    ----------
    targets : list of str
        Their pointers as written.
    lines : array
        The line of each.
    columns : dict
        Their other attributes by name: a list of values, which may be shorter than the links.

    """

    targets: list[str] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("q"))
    columns: dict[str, list[str | None]] = field(default_factory=dict)
    _bases: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.targets)

    def add(self, targets: str, attributes: Mapping[str, str], line: int, base: str) -> None:
        """Add a link."""
        k = len(self.targets)
        self.targets.append(targets)
        self.lines.append(line)
        self._bases.append(base)
        for name, value in attributes.items():
            self.put(k, name, value)

    def extend(
        self,
        targets: Sequence[str],
        columns: Mapping[str, Sequence[str | None]],
        lines: Sequence[int],
        base: str,
    ) -> None:
        """Add many links."""
        size = len(self.targets)
        self.targets.extend(targets)
        self.lines.extend(lines)
        self._bases.extend([base] * len(targets))
        for name, values in columns.items():
            column = self.columns.setdefault(name, [])
            column.extend([None] * (size - len(column)))
            column.extend(values)

    def put(self, k: int, name: str, value: str) -> None:
        """Give a link one more attribute."""
        column = self.columns.setdefault(name, [])
        column.extend([None] * (k + 1 - len(column)))
        column[k] = value

    def column(self, name: str) -> list[str | None]:
        """Return the values of an attribute, one a link."""
        known = self.columns.get(name, [])
        return known + [None] * (len(self) - len(known))

    def __iter__(self) -> Iterator[Link]:
        columns = list(self.columns.items())
        for k, (targets, line, base) in enumerate(
            zip(self.targets, self.lines, self._bases, strict=True)
        ):
            given = {
                name: value
                for name, column in columns
                if k < len(column) and (value := column[k]) is not None
            }
            yield Link(targets, given, line, base)


@dataclass(slots=True)
class Group:
    """Links that stand together; `attributes` are those of the linkGrp, empty for loose links."""

    attributes: dict[str, str]
    line: int
    base: str
    links: Links = field(default_factory=Links)
