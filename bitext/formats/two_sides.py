"""Formats of two files whose items correspond one by one: read in step, without holding either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.inline import Beads
from bitext.formats.lines import PART

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitext.errors import FormatError
    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.model import Bitext

__all__ = ["note_void", "read_in_step", "unequal"]


def read_in_step(
    source: Source,
    second: Source,
    options: ReadOptions,
    items: Callable[[Source], Iterator[list[str]]],
    *,
    noun: str,
) -> Iterator[Bitext]:
    """Yield the bitext of two files, or its parts.

    Parameters
    ----------
    source, second : Source
        The two files.
    options : ReadOptions
        Say whether parts are wanted.
    items : callable
        Gives the items of a file, some at a time; an empty one is an empty side.
    noun : str
        What they are, in the plural, for messages.

    Raises
    ------
    FormatError
        At the end, when one file has more items than the other.

    """
    source.notes.extend(second.notes)
    beads = Beads(source, options, names=(source.path, second.path))
    files = items(source), items(second)
    waiting: list[list[str]] = [[], []]
    done, ready = 0, 1
    while ready:
        waiting = [held or _next(rest) for held, rest in zip(waiting, files, strict=True)]
        ready = min(map(len, waiting))  # none where one of them is at its end
        for begin in range(0, ready, PART):
            end = min(begin + PART, ready)
            _add(beads, source, done + begin, waiting[0][begin:end], waiting[1][begin:end], noun)
            yield from beads.parts()
        done += ready
        waiting = [held[ready:] for held in waiting]
    if any(waiting):
        src, tgt = (
            done + len(held) + sum(map(len, rest))
            for held, rest in zip(waiting, files, strict=True)
        )
        raise unequal(source, second, (src, tgt), noun)
    yield from beads.rest()


def _next(rest: Iterator[list[str]]) -> list[str]:
    """Return the next items, none at the end only."""
    return next((items for items in rest if items), [])


def _add(
    beads: Beads, source: Source, before: int, src: list[str], tgt: list[str], noun: str
) -> None:
    """Add items of both files; `before` items stand before them."""
    if all(src) and all(tgt):
        beads.extend(src, tgt)
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
