"""Groups of links of a TEI file, as columns."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.formats.attribute_columns import AttributeColumns

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
    columns : AttributeColumns
        Their other attributes by name.

    """

    columns: AttributeColumns
    targets: list[str] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("q"))
    _bases: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.targets)

    def add(self, targets: str, attributes: Mapping[str, str], line: int, base: str) -> None:
        """Add a link."""
        k = len(self.targets)
        self.targets.append(targets)
        self.lines.append(line)
        self._bases.append(base)
        self.columns.put(k, attributes, line)

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
        self.columns.extend(size, columns, lines[0] if lines else None)

    def put(self, k: int, name: str, value: str) -> None:
        """Give a link one more attribute."""
        self.columns.put(k, {name: value})

    def __iter__(self) -> Iterator[Link]:
        given = self.columns.rows(len(self))
        for each in zip(self.targets, given, self.lines, self._bases, strict=True):
            yield Link(*each)


@dataclass(slots=True)
class Group:
    """Links that stand together; `attributes` are those of the linkGrp, empty for loose links."""

    attributes: dict[str, str]
    line: int
    base: str
    links: Links
