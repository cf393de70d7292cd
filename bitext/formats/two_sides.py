"""Formats of two files whose items correspond one by one: read in step, without holding either."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.inline import Beads
from bitext.formats.lines import PART

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitext.errors import FormatError
    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.model import Bitext

__all__ = ["Items", "note_void", "read_in_step", "unequal"]


class Items(NamedTuple):
    """Some items of a file.

    Attributes
    ----------
    texts : list of str
        Their characters; an item without any is an empty side.
    lines : sequence of int
        The line of the file on which each begins; anything where these are not wanted.

    """

    texts: list[str]
    lines: Sequence[int]

    def part(self, begin: int, end: int | None = None) -> Items:
        """Return some of them."""
        return Items(self.texts[begin:end], self.lines[begin:end])


def read_in_step(
    source: Source,
    second: Source,
    options: ReadOptions,
    items: Callable[[Source], Iterator[Items]],
    *,
    noun: str,
) -> Iterator[Bitext]:
    """Yield the bitext of two files, or its parts.

    Parameters
    ----------
    source, second : Source
        The two files.
    options : ReadOptions
        Say whether parts are wanted, and lines, which are those of the first file.
    items : callable
        Gives the items of a file, some at a time.
    noun : str
        What they are, in the plural, for messages.

    Raises
    ------
    FormatError
        At the end, when one file has more items than the other.

    """
    beads = Beads(source, options, names=(source.path, second.path))
    files = items(source), items(second)
    waiting = [_NONE, _NONE]
    done, ready = 0, 1
    while ready:
        waiting = [
            held if held.texts else _next(rest) for held, rest in zip(waiting, files, strict=True)
        ]
        source.notes.extend(second.notes.drain())
        ready = min(len(held.texts) for held in waiting)  # none where one of them is at its end
        for begin in range(0, ready, PART):
            end = min(begin + PART, ready)
            src, tgt = (held.part(begin, end) for held in waiting)
            _add(beads, source, done + begin, src, tgt.texts, noun)
            yield from beads.parts()
        done += ready
        waiting = [held.part(ready) for held in waiting]
    if any(held.texts for held in waiting):
        sizes = [
            done + len(held.texts) + sum(len(more.texts) for more in rest)
            for held, rest in zip(waiting, files, strict=True)
        ]
        raise unequal(source, second, (sizes[0], sizes[1]), noun)
    yield from beads.rest()


_NONE = Items([], ())


def _next(rest: Iterator[Items]) -> Items:
    """Return the next items, none at the end only."""
    return next((items for items in rest if items.texts), _NONE)


def _add(
    beads: Beads, source: Source, before: int, items: Items, tgt: list[str], noun: str
) -> None:
    """Add items of both files; `before` items stand before them."""
    src, lines = items
    if all(src) and all(tgt):
        beads.extend(src, tgt, lines=lines)
        return
    taken = [bool(one or other) for one, other in zip(src, tgt, strict=True)]
    if not all(taken):
        note_void(source, before + taken.index(False), taken.count(False), noun)
    sizes = [
        [1 if side else 0 for side, there in zip(sides, taken, strict=True) if there]
        for sides in (src, tgt)
    ]
    beads.extend(
        [side for side in src if side],
        [side for side in tgt if side],
        sizes=(sizes[0], sizes[1]),
        lines=list(compress(lines, taken)),
    )


def note_void(source: Source, first: int, count: int, noun: str) -> None:
    """Note items without characters in both files, the first of them by its number from 0."""
    kind = f"{noun} that are empty in both files, left out"
    source.notes.add(kind, f"{source.path} {noun[:-1]} {first + 1}", count)


def unequal(source: Source, second: Source, counts: tuple[int, int], noun: str) -> FormatError:
    """Make the error of two files with different numbers of items."""
    return source.error(
        f"has {counts[0]} {noun}, and {second.path or 'the target side'} has {counts[1]}; want as "
        f"many, since {noun[:-1]} k of both is bisegment k: give the two files of one corpus"
    )
