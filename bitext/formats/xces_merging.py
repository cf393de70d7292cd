"""Groups of the same two documents put together, wherever they stand in an XCES file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.xces_links import read_groups
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.xces_group import Group

__all__ = ["whole_groups"]

_HELD = 1_000_000  # links held back, so that a group that comes later can join its documents


def whole_groups(
    source: Source, options: ReadOptions, knows_none: Callable[[Group], bool]
) -> Iterator[tuple[Group, bool]]:
    """Yield groups with those of the same documents merged, and whether one is all there is.

    Where parts are wanted, only the group before is held, so that only neighbours are merged, and
    one of which no text is known comes in parts.
    """
    merging = _Merging(source, options)
    for group in read_groups(source, knows_none if options.parts else None):
        yield from merging.take(group)
    yield from merging.rest()


class _Merging:
    """Holds groups back until no other can join them."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source = source
        self._given = options.src is not None or options.tgt is not None
        self._most = 0 if options.parts else _HELD
        self._held: dict[tuple[str, ...], Group] = {}
        self._links = 0
        self._gone: set[int] = set()  # hashes of the keys: there may be many
        self._key: tuple[str, ...] = ()  # that of the group taken last

    def take(self, group: Group) -> Iterator[tuple[Group, bool]]:
        """Take up a group; yield what is held no longer."""
        self._links += len(group)
        if group.continues:
            yield from self._let_go(0)
            self._held[self._key] = group
            return
        key: tuple[str, ...] = (*group.pair, group.attributes.get("targType", ""))
        known = self._held.get(key)
        if known and not (group.cut or known.cut or known.continues):
            if any(group.pair) or self._given or known.is_disjoint(group):
                known.extend(group)
                known.notes.add("groups of the same two documents, merged", self._where(group))
                return
        elif not known and any(group.pair) and hash(key) in self._gone:
            kind = "groups of the same two documents, too far apart to be merged"
            group.notes.add(kind, self._where(group))
        if known:  # nothing but its place tells it apart
            key = (*key, str(len(self._held) + len(self._gone)))
        self._held[key], self._key = group, key
        if self._given and len(self._held) + len(self._gone) == 2:
            raise self._source.error(
                f"holds several document pairs, while one text is given for all; give the "
                f"folder of the documents instead ({remedy('root')})",
                group.line,
            )
        yield from self._let_go(1)

    def _let_go(self, least: int) -> Iterator[tuple[Group, bool]]:
        """Yield the oldest groups, while too many links are held, and more than `least` groups."""
        while len(self._held) > least and (self._links > self._most or not least):
            key = next(iter(self._held))
            group = self._held.pop(key)
            self._links -= len(group)
            self._gone.add(hash(key))
            yield group, False

    def _where(self, group: Group) -> str:
        names = " and ".join(map(repr, filter(None, group.pair)))
        return f"{self._source.path} line {group.line}: {names}"

    def rest(self) -> Iterator[tuple[Group, bool]]:
        """Yield what is held."""
        alone = len(self._held) == 1 and not self._gone
        while self._held:
            yield self._held.pop(next(iter(self._held))), alone
