"""Segmentations on a terminal: strips over each other, with the places where they differ.

A unit is two columns wide, and boundaries stand between units. A symbol, and optionally a colour,
shows the kind of each boundary, below reference and hypothesis:

    · right   ▽ missing   ✕ extra   ○─▶ shifted   ◆ of another type

and below coders of one text:

    · all coders   ◆ near miss   ✕ full miss

For several references, a line has the votes: in brackets where a window of WiSeBE has a boundary
of the hypothesis, in parentheses where it has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitext.metrics.coder_differences import kinds_in_words
from bitext.reports.segmentation.drawing import compared, counted
from bitext.reports.terminal import LEAST_WIDTH, padded, painted, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.metrics.coder_differences import CodedTexts, Disagreement
    from bitext.metrics.segmentation.wisebe import WisebeScore
    from bitext.reports.segmentation.drawing import BoundaryError, Compared, ShownText

__all__ = ["can_show", "coder_key", "coder_strips", "key_line", "segment_strips"]

_FEWEST = 10  # least number of units in a row
_ROWS = 8  # rows of a text; the errors of the rest are counted
_NAME = 16
_COLOURS = {"missing": "missed", "extra": "wrong", "shifted": "partly", "retyped": "partly"}


class _Signs(NamedTuple):
    """The symbols of strips."""

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
    """Return whether an encoding has the characters of the strips.

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
    """Return the key of the symbols as one line."""
    s = _ASCII if plain else _UNICODE
    symbols = [
        painted(f"{s.right} right", "agreed", colour=colour),
        painted(f"{s.missing} missing", "missed", colour=colour),
        painted(f"{s.extra} extra", "wrong", colour=colour),
        painted(f"{s.tail}{s.shaft}{s.arrow} shifted", "partly", colour=colour),
        painted(f"{s.retyped} of another type", "partly", colour=colour),
    ]
    return "   ".join(symbols)


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
    r"""Yield the lines of a comparison; rows without an error are left out.

    Parameters
    ----------
    text : ShownText
    reference, hyp : int
        The indices of the two to compare.
    names : tuple of two str
        Their names.
    shift : int
        The greatest shift of a boundary, in units.
    limit : int
        The greatest distance of neighbours in a window of votes, in units.
    width : int
        Columns of the terminal, at least 40.
    colour : bool
        See `bitext.reports.terminal.wants_colour`.
    plain : bool
        ASCII only; see `can_show`.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.reports.segmentation.drawing import ShownText
    >>> text = ShownText("a", (Segmentation([5, 5, 1, 3]),), (Segmentation([7, 3, 4]),))
    >>> print("\n".join(segment_strips(text, shift=2)))
    a: 1 missing, 1 shifted, 1 right
                0         5         10
    reference   ├─────────┼─────────┼─┼─────┤
    hypothesis  ├─────────────┼─────┼───────┤
                          ○───▶     · ▽

    """
    signs = _ASCII if plain else _UNICODE
    comparison = compared(text.references[reference], text.hyps[hyp], shift=shift)
    votes = text.votes(hyp, limit=limit)
    label = min(_NAME, max(len(name) for name in (*names, "votes" if votes else "")))
    length = max((max(width, LEAST_WIDTH) - label - 4) // 2, _FEWEST)
    yield f"{shortened(text.name, 60)}: {counted(comparison)}"
    left = len(comparison.errors)
    # A place between two rows belongs to the first.
    rows = sorted({(e.place - 1) // length * length for e in comparison.errors})
    for index, first in enumerate(rows):
        last = min(first + length, text.n)
        mine = [e for e in comparison.errors if _inside(e.place, first, last)]
        if index == _ROWS:
            yield f"... and {left:,} more"
            return
        left -= len(mine)
        lines = [("", _axis(first, last, 2 * length + 2))]
        if votes is not None:
            lines.append(("votes", _votes(votes, first, last)))
        for name, side in zip(names, (text.references[reference], text.hyps[hyp]), strict=True):
            lines.append((name, _strip(side.boundaries.tolist(), first, last, text.n, signs)))
        lines.append(("", _marks(comparison, first, last, signs, colour=colour)))
        for name, line in lines:
            yield f"{padded(shortened(name, label), label)}  {line}".rstrip()


def _inside(place: int, first: int, last: int) -> bool:
    """Return whether a row has a place; one between two rows belongs to the first."""
    return first < place <= last


def _axis(first: int, last: int, room: int) -> str:
    """Return the number of every fifth place, if it fits."""
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


def _votes(score: WisebeScore, first: int, last: int) -> str:
    cells = [" "] * (2 * (last - first) + 2)
    for place, count in score.votes.items():
        if _inside(place, first, last):
            cells[2 * (place - first)] = str(count) if count < 10 else "+"
    for window in score.windows:
        begin, end = "[]" if window.candidates else "()"
        if _inside(window.first, first, last):
            cells[2 * (window.first - first) - 1] = begin
        if _inside(window.last, first, last):
            cells[2 * (window.last - first) + 1] = end
    return "".join(cells).rstrip()


def _marks(comparison: Compared, first: int, last: int, signs: _Signs, *, colour: bool) -> str:
    cells = [(" ", "")] * (2 * (last - first) + 1)
    for place in comparison.matches:
        if _inside(place, first, last):
            cells[2 * (place - first)] = (signs.right, "agreed")
    shifted = [error for error in comparison.errors if error.kind == "shifted"]
    for error in shifted:
        _arrow(cells, error, first, signs)
    for error in comparison.errors:
        if error.kind != "shifted" and _inside(error.place, first, last):
            sign: str = getattr(signs, error.kind)
            cells[2 * (error.place - first)] = (sign, _COLOURS[error.kind])
    painted_cells = (painted(sign, kind, colour=colour) if kind else sign for sign, kind in cells)
    return "".join(painted_cells)


def _arrow(cells: list[tuple[str, str]], error: BoundaryError, first: int, signs: _Signs) -> None:
    """Draw the part of an arrow in a row."""
    tail, head = 2 * ((error.gold or 0) - first), 2 * ((error.hyp or 0) - first)
    drawn = dict.fromkeys(range(min(tail, head), max(tail, head) + 1), signs.shaft)
    drawn |= {tail: signs.tail, head: signs.arrow if head > tail else signs.left}
    for cell, sign in drawn.items():
        if 0 <= cell < len(cells):
            cells[cell] = (sign, "partly")


# Coders of one text.


def coder_strips(
    coded: CodedTexts,
    text: int,
    places: Sequence[Disagreement],
    *,
    width: int = 100,
    colour: bool = False,
    plain: bool = False,
) -> Iterator[str]:
    r"""Yield the lines of a text with a strip a coder; rows without a difference are left out.

    Parameters
    ----------
    coded : CodedTexts
    text : int
        The index of the text.
    places : sequence of Disagreement
        The places of the text where coders differ.
    width, colour, plain
        As of `segment_strips`.

    Examples
    --------
    >>> from bitext import Segmentation
    >>> from bitext.metrics.coder_differences import CodedTexts, disagreements
    >>> row = (Segmentation([2, 2, 2]), Segmentation([2, 3, 1]), Segmentation([2, 4]))
    >>> coded = CodedTexts(("anna", "ben", "cleo"), ("t",), (row,))
    >>> print("\n".join(coder_strips(coded, 0, disagreements(coded))))
    t: 1 where some coders have no boundary; 1 boundary of all
          0         5
    anna  ├───┼───┼───┤
    ben   ├───┼─────┼─┤
    cleo  ├───┼───────┤
              ·   ✕

    """
    signs = _ASCII if plain else _UNICODE
    row = dict(zip(coded.coders, coded.codings[text], strict=True))
    there = {coder: coding.boundaries.tolist() for coder, coding in row.items() if coding}
    n = next(coding.n for coding in row.values() if coding)
    everyone = set.intersection(*(set(own) for own in there.values()))
    label = min(_NAME, max(map(len, there)))
    length = max((max(width, LEAST_WIDTH) - label - 4) // 2, _FEWEST)
    shared = f"{len(everyone):,} {'boundary' if len(everyone) == 1 else 'boundaries'} of all"
    yield f"{shortened(coded.texts[text], 60)}: {kinds_in_words(places)}; {shared}"
    rows = sorted({(place.position - 1) // length * length for place in places})
    left = len(places)
    for index, first in enumerate(rows):
        last = min(first + length, n)
        mine = [place for place in places if _inside(place.position, first, last)]
        if index == _ROWS:
            yield f"... and {left:,} more"
            return
        left -= len(mine)
        cells = [(" ", "")] * (2 * (last - first) + 1)
        for position in everyone:
            if _inside(position, first, last):
                cells[2 * (position - first)] = (signs.right, "agreed")
        for place in mine:
            full = (signs.extra, "wrong") if place.without else (signs.retyped, "partly")
            cells[2 * (place.position - first)] = full
        lines = [("", _axis(first, last, 2 * length + 2))]
        lines += [(coder, _strip(own, first, last, n, signs)) for coder, own in there.items()]
        marks = (painted(sign, kind, colour=colour) if kind else sign for sign, kind in cells)
        for name, line in [*lines, ("", "".join(marks))]:
            yield f"{padded(shortened(name, label), label)}  {line}".rstrip()


def coder_key(*, colour: bool = False, plain: bool = False) -> str:
    """Return the key of the symbols below coders as one line."""
    s = _ASCII if plain else _UNICODE
    symbols = [
        painted(f"{s.right} all coders", "agreed", colour=colour),
        painted(f"{s.retyped} near miss", "partly", colour=colour),
        painted(f"{s.extra} full miss", "wrong", colour=colour),
    ]
    return "   ".join(symbols)
