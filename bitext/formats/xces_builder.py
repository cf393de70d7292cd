"""Links put into groups, as an XCES file is gone through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.inline import PART
from bitext.formats.xces_group import Group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitext.formats.opening import Source

__all__ = ["Builder"]

_KNOWN = frozenset({"targType", "fromDoc", "toDoc", "version"})  # attributes that are read
_SHARED = ("fromDoc", "toDoc", "version")  # what a group has from cesAlign when not of its own


class Builder:
    """Puts links into groups; groups may lie in groups, and links outside of any.

    Parameters
    ----------
    source : Source
        The file, for messages.
    cut : callable or None
        Tells of a group that has become long whether it may be handed out in parts.
    rooted : bool
        Whether the root of the file is a `linkGrp`.

    """

    def __init__(
        self, source: Source, cut: Callable[[Group], bool] | None = None, *, rooted: bool = False
    ) -> None:
        self._source, self._cut = source, cut
        self._rooted = rooted
        self._open: list[Group] = []
        self._loose: Group | None = None
        self._shared: dict[str, str] = {}

    def share(self, attributes: dict[str, str]) -> None:
        """Take what a `cesAlign` says for all groups in it."""
        self._shared = {key: attributes[key] for key in _SHARED if key in attributes}
        self._note_attributes(attributes, 0)

    def translation(self, attributes: dict[str, str]) -> None:
        """Take the name of a document from the header (XCES 1.0), by its number."""
        side = {"1": "fromDoc", "2": "toDoc"}.get(attributes.get("n", ""))
        if side and attributes.get("trans.loc"):
            self._shared.setdefault(side, attributes["trans.loc"])

    def group(self) -> Group:
        """Return the group that is open; outside of any, one made for loose links."""
        if self._open:
            return self._open[-1]
        if self._loose is None:
            self._loose = Group(self._source, dict(self._shared), 1)
        return self._loose

    def part(self) -> Iterator[Group]:
        """Yield the links so far of the group that is open, if it is long and may be cut."""
        group = self.group()
        if self._cut is None or len(group) < PART or not self._cut(group):
            return
        group.settle()
        group.cut = True
        more = Group(
            self._source, group.attributes, group.line, rooted=group.rooted, continues=True
        )
        more.outer = group.outer
        if self._open:
            self._open[-1] = more
        else:
            self._loose = more
        yield group

    def open(self, attributes: dict[str, str], line: int) -> Iterator[Group]:
        """Begin a group; yield the links that stood loose before it."""
        yield from self._take_loose()
        around = self._shared
        if self._open:
            self._open[-1].outer = True
            around = self._open[-1].attributes
        whole = {**{key: around[key] for key in _SHARED if key in around}, **attributes}
        rooted = self._rooted and not self._open
        self._note_attributes(attributes, line)
        self._open.append(Group(self._source, whole, line, rooted=rooted))

    def _note_attributes(self, attributes: dict[str, str], line: int) -> None:
        """Note the attributes of a root or a group that nothing is made of."""
        for name in attributes:
            if name not in _KNOWN and not name.startswith(("xmlns", "xml:", "xsi:")):
                where = f"{self._source.path} line {line}" if line else self._source.path
                kind = "attributes of cesAlign and linkGrp, left out"
                self._source.notes.add(kind, f"{where}: {name[:40]}")

    def close(self) -> Iterator[Group]:
        """End the group that is open and yield it, unless it only held other groups."""
        if self._open:
            group = self._open.pop()
            group.settle()
            if len(group) or not (group.outer or group.continues):
                yield group

    def flush(self) -> Iterator[Group]:
        """Yield what is left: loose links, and in SGML groups that were never closed."""
        while self._open:
            yield from self.close()
        yield from self._take_loose()

    def _take_loose(self) -> Iterator[Group]:
        if self._loose is not None:
            self._loose.settle()
            if len(self._loose) or not self._loose.continues:
                yield self._loose
        self._loose = None
