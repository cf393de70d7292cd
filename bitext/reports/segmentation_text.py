"""Segmentations on a terminal: reference and hypothesis as strips, with the errors under them.

A unit is two columns wide and boundaries stand between units. A sign tells the kind of each
boundary, and a colour may do so too:

    · right   ▽ missing   ✕ extra   ○─▶ shifted   ◆ of another type

Of several references a line counts the votes: in brackets where a window of WiSeBE has a boundary
of the hypothesis, in parentheses where it has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitext.reports.segmentation_data import compared, counted
from bitext.reports.terminal import padded, painted, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.metrics.wisebe import WisebeScore
    from bitext.reports.segmentation_data import BoundaryError, Compared, ShownText

__all__ = ["can_show", "key_line", "segment_strips"]

_LEAST = 40  # columns in all
_FEWEST = 10  # units of a row
_ROWS = 8  # of a text; the errors of the rest are counted
_NAME = 16
_COLOURS = {"missing": "missed", "extra": "wrong", "shifted": "partly", "retyped": "partly"}


class _Signs(NamedTuple):
    """What strips are drawn with."""

    begin: str
    line: str
    cut: str
    end: str
    right: str
    missing: str
    extra: str
    retyped: str
    tail: str
    arrow: str
    left: str
    shaft: str


_UNICODE = _Signs("├", "─", "┼", "┤", "·", "▽", "✕", "◆", "○", "▶", "◀", "─")
_ASCII = _Signs("|", "-", "+", "|", ".", "v", "x", "#", "o", ">", "<", "-")


def can_show(encoding: str | None) -> bool:
    """Tell whether an encoding has the signs of the strips.

    Examples
    --------
    >>> can_show("utf-8"), can_show("ascii"), can_show(None)
    (True, False, False)

    """
    try:
        "".join(_UNICODE).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def key_line(*, colour: bool = False, plain: bool = False) -> str:
    """Return one line that tells what the signs mean."""
    s = _ASCII if plain else _UNICODE
    told = [
        painted(f"{s.right} right", "agreed", colour=colour),
        painted(f"{s.missing} missing", "missed", colour=colour),
        painted(f"{s.extra} extra", "wrong", colour=colour),
        painted(f"{s.tail}{s.shaft}{s.arrow} shifted", "partly", colour=colour),
        painted(f"{s.retyped} of another type", "partly", colour=colour),
    ]
    return "   ".join(told)


def segment_strips(
    text: ShownText,
    *,
    reference: int = 0,
    hyp: int = 0,
    names: tuple[str, str] = ("reference", "hypothesis"),
    shift: int = 1,
    limit: int = 3,
    width: int = 100,
    colour: bool = False,
    plain: bool = False,
) -> Iterator[str]:
    r"""Yield lines that show where a hypothesis differs; rows without an error are left out.

    Parameters
    ----------
    text : ShownText
    reference, hyp : int
        Which two are held against each other.
    names : tuple of two str
        What they are called.
    shift : int
        How far a boundary may be shifted to be the same one.
    limit : int
        The greatest distance of neighbours in a window of votes, in units.
    width : int
        Columns of the terminal; 40 at least are used.
    colour : bool
        See `bitext.reports.terminal.wants_colour`.
    plain : bool
        ASCII only; see `can_show`.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.reports.segmentation_data import ShownText
    >>> text = ShownText("a", (Segmentation([5, 5, 1, 3]),), (Segmentation([7, 3, 4]),))
    >>> print("\n".join(segment_strips(text, shift=2)))
    a: 1 missing, 1 shifted, 1 right
                0         5         10
    reference   ├─────────┼─────────┼─┼─────┤
    hypothesis  ├─────────────┼─────┼───────┤
                          ○───▶     · ▽

    """
    signs = _ASCII if plain else _UNICODE
    found = compared(text.references[reference], text.hyps[hyp], shift=shift)
    votes = text.votes(hyp, limit=limit)
    label = min(_NAME, max(len(name) for name in (*names, "votes" if votes else "")))
    length = max((max(width, _LEAST) - label - 4) // 2, _FEWEST)
    yield f"{shortened(text.name, 60)}: {counted(found)}"
    left = len(found.errors)
    # A place between two rows ends the first of them.
    rows = sorted({(e.place - 1) // length * length for e in found.errors})
    for number, first in enumerate(rows):
        last = min(first + length, text.n)
        mine = [e for e in found.errors if _inside(e.place, first, last)]
        if number == _ROWS:
            yield f"... and {left:,} more"
            return
        left -= len(mine)
        lines = [("", _axis(first, last, 2 * length + 2))]
        if votes is not None:
            lines.append(("votes", _votes(votes, first, last)))
        for name, side in zip(names, (text.references[reference], text.hyps[hyp]), strict=True):
            lines.append((name, _strip(side.boundaries.tolist(), first, last, text.n, signs)))
        lines.append(("", _marks(found, first, last, signs, colour=colour)))
        for name, line in lines:
            yield f"{padded(shortened(name, label), label)}  {line}".rstrip()


def _inside(place: int, first: int, last: int) -> bool:
    """Tell whether a row shows a place; one between two rows ends the first of them."""
    return first < place <= last


def _axis(first: int, last: int, room: int) -> str:
    """Return the numbers of every fifth place, as far as they have room."""
    step = 5 if last < 1000 else 10
    line = ""
    for place in range(-(-first // step) * step, last + 1, step):
        longer = line.ljust(2 * (place - first)) + str(place)
        line = longer if len(longer) <= room else line
    return line


def _strip(places: Sequence[int], first: int, last: int, n: int, signs: _Signs) -> str:
    cells = [signs.line] * (2 * (last - first) + 1)
    for place in places:
        if _inside(place, first, last):
            cells[2 * (place - first)] = signs.cut
    if not first:
        cells[0] = signs.begin
    if last == n:
        cells[-1] = signs.end
    return "".join(cells)


def _votes(found: WisebeScore, first: int, last: int) -> str:
    cells = [" "] * (2 * (last - first) + 2)
    for place, count in found.votes.items():
        if _inside(place, first, last):
            cells[2 * (place - first)] = str(count) if count < 10 else "+"
    for window in found.windows:
        begin, end = "[]" if window.candidates else "()"
        if _inside(window.first, first, last):
            cells[2 * (window.first - first) - 1] = begin
        if _inside(window.last, first, last):
            cells[2 * (window.last - first) + 1] = end
    return "".join(cells).rstrip()


def _marks(found: Compared, first: int, last: int, signs: _Signs, *, colour: bool) -> str:
    cells = [(" ", "")] * (2 * (last - first) + 1)
    for place in found.matches:
        if _inside(place, first, last):
            cells[2 * (place - first)] = (signs.right, "agreed")
    shifted = [error for error in found.errors if error.kind == "shifted"]
    for error in shifted:
        _arrow(cells, error, first, signs)
    for error in found.errors:
        if error.kind != "shifted" and _inside(error.place, first, last):
            sign: str = getattr(signs, error.kind)
            cells[2 * (error.place - first)] = (sign, _COLOURS[error.kind])
    painted_cells = (painted(sign, kind, colour=colour) if kind else sign for sign, kind in cells)
    return "".join(painted_cells)


def _arrow(cells: list[tuple[str, str]], error: BoundaryError, first: int, signs: _Signs) -> None:
    """Draw as much of an arrow as a row shows."""
    tail, head = 2 * ((error.gold or 0) - first), 2 * ((error.hyp or 0) - first)
    drawn = dict.fromkeys(range(min(tail, head), max(tail, head) + 1), signs.shaft)
    drawn |= {tail: signs.tail, head: signs.arrow if head > tail else signs.left}
    for cell, sign in drawn.items():
        if 0 <= cell < len(cells):
            cells[cell] = (sign, "partly")
