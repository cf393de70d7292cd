"""Alignments on a terminal: bisegments side by side, and where a hypothesis differs.

A sign tells the kind of each bisegment, and a colour may do so too:

    ● agreed   ○ missed   ✕ wrong   ◐ partly right   ◑ of the gold standard, partly found

`bitext.reports.alignment_data` says what they mean.
"""

from __future__ import annotations

from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from bitext.reports.alignment_data import KINDS, Difference, kind_name, overlaid, sign_of
from bitext.reports.terminal import padded, painted, shortened, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.kernels.rows import Rows
    from bitext.model import Alignment, Bitext
    from bitext.reports.alignment_data import Overlaid
    from bitext.reports.alignment_ground import Shown

__all__ = ["bead_lines", "error_lines", "key_line"]

_MOST_IDS = 6  # of a bisegment
_MOST_LINES = 6  # of a segment
_LEAST = 40  # columns in all
_NAMED = 12  # columns of an identifier


def key_line(*, colour: bool = False) -> str:
    """Return one line that tells what the signs mean."""
    told = [
        ("● agreed", "agreed"),
        ("○ missed", "missed"),
        ("✕ wrong", "wrong"),
        ("◐ partly right", "partly"),
        ("◑ partly found", "partly"),
    ]
    return "   ".join(painted(text, kind, colour=colour) for text, kind in told)


def bead_lines(
    bitext: Bitext,
    hyp: Alignment | Bitext | None = None,
    *,
    width: int = 100,
    colour: bool = False,
) -> Iterator[str]:
    """Yield the bisegments in order, source and target side by side, wrapped.

    Parameters
    ----------
    bitext : Bitext
        The texts, and the gold standard or the only alignment.
    hyp : Alignment or Bitext, optional
        What is held against it: then each bisegment has a sign, and those that only one has stand
        one after the other at their place.
    width : int
        Columns of the terminal; 40 at least are used.
    colour : bool
        See `bitext.reports.terminal.wants_colour`. Without `hyp` it is on what is not 1-1.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> src, tgt = Text(["Rain fell.", "We waited."]), Text(["Il pleuvait.", "On attendait."])
    >>> gold = Bitext(src, tgt, Alignment([((0,), (0,)), ((1,), (1,))]))
    >>> for line in bead_lines(gold, Alignment([((0,), (0,)), ((1,), ())]), width=48):
    ...     print(line)
    ● 1-1 │ 0 Rain fell.      │ 0 Il pleuvait.
    ○ 1-1 │ 1 We waited.      │ 1 On attendait.
    ✕ 1-0 │ 1 We waited.      │

    """
    found = overlaid(bitext, {} if hyp is None else {"hypothesis": hyp})
    shown = _in_order(found)
    kinds = max((len(found.systems[d.system].types[d.bead]) for d in shown), default=3)
    head = kinds + (2 if hyp is not None else 0)
    half = max((max(width, _LEAST) - head - 6) // 2, 8)
    sides = (found.src, found.tgt)
    names = [_names(side, half) for side in sides]
    for bead in shown:
        system = found.systems[bead.system]
        sign = f"{sign_of(bead.kind, gold=not bead.system)} " if hyp is not None else ""
        label = padded(sign + system.types[bead.bead], head)
        columns = [
            _cell(side, rows, bead.bead, half, name)
            for side, rows, name in zip(sides, (system.src, system.tgt), names, strict=True)
        ]
        for k, (left, right) in enumerate(zip_longest(*columns, fillvalue="")):
            first = label if k == 0 else " " * head
            if hyp is not None:
                first = painted(first, KINDS[bead.kind], colour=colour)
            elif system.types[bead.bead] != "1-1":
                first = painted(first, "partly", colour=colour)
            yield f"{first} │ {padded(left, half)} │ {right}".rstrip()


def error_lines(
    gold: Bitext,
    hyp: Alignment | Bitext,
    *,
    name: str = "",
    width: int = 100,
    colour: bool = False,
    most: int | None = None,
    min_matched: float = 0.9,
) -> Iterator[str]:
    """Yield what differs: each with its ids, kind and bead type, and both sides shortened.

    Parameters
    ----------
    gold : Bitext
    hyp : Alignment or Bitext
    name : str
        Of the text, or of the system and the text: it begins each place.
    width : int
        Columns of the terminal.
    colour : bool
    most : int, optional
        So many differences at most; then a line tells how many are left.
    min_matched : float
        The least share of characters that texts cut differently have in common.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> src, tgt = Text(["Rain fell.", "We waited."]), Text(["Il pleuvait.", "On attendait."])
    >>> gold = Bitext(src, tgt, Alignment([((0,), (0,)), ((1,), (1,))]))
    >>> for line in error_lines(gold, Alignment([((0,), (0,)), ((1,), ())]), name="rain"):
    ...     print(line)
    rain 1 : 1  ○ missed 1-1
      < We waited.
      > On attendait.
    rain 1 : -  ✕ wrong 1-0
      < We waited.

    """
    found = overlaid(gold, {"hypothesis": hyp}, min_matched=min_matched)
    differences = found.differences(1)
    where = shortened(name, 60) + " " if name else ""
    for difference in islice(differences, most):
        system = found.systems[difference.system]
        k = difference.bead
        sides = ((found.src, system.src), (found.tgt, system.tgt))
        ids = " : ".join(_told_ids(side, rows, k) for side, rows in sides)
        kind = kind_name(difference.kind, gold=not difference.system)
        sign = sign_of(difference.kind, gold=not difference.system)
        told = painted(f"{sign} {kind} {system.types[k]}", KINDS[difference.kind], colour=colour)
        yield f"{where}{ids}  {told}"
        for mark, (side, rows) in zip("<>", sides, strict=True):
            members = rows.row(k)[:_MOST_IDS].tolist()
            if side.texts is not None and members:
                text = " ".join(side.texts[m] for m in members)
                yield f"  {mark} {shortened(text, max(width, _LEAST) - 4)}"
    if most is not None and len(differences) > most:
        yield f"... and {len(differences) - most:,} more"


def _in_order(found: Overlaid) -> list[Difference]:
    """Return all bisegments along the text; those that both have once."""
    own = found.kinds[0] if found.kinds else ("a" * len(found.systems[0]), "")
    keyed = []
    for system, letters in enumerate(own[: len(found.systems)]):
        at = found.order(system).tolist()
        for k, kind in enumerate(letters):
            if not system or kind != "a":
                keyed.append((at[k], system, k, kind))
    return [Difference(system, k, kind) for _, system, k, kind in sorted(keyed)]


def _names(side: Shown, columns: int) -> int:
    """Return the columns that the identifiers of a side take: a third of all at most."""
    return min(max(map(len, side.ids), default=1), _NAMED, columns // 3)


def _cell(side: Shown, rows: Rows, k: int, columns: int, name: int) -> list[str]:
    """Return the segments of one side of a bisegment, each with its identifier, wrapped."""
    lines = []
    room = max(columns - name - 1, 4)
    for m in rows.row(k).tolist():
        text = side.texts[m] if side.texts is not None else ""
        parts = wrapped(text, room, most=_MOST_LINES)
        lines.append(f"{padded(shortened(side.ids[m], name), name)} {parts[0]}".rstrip())
        lines += [" " * (name + 1) + part for part in parts[1:]]
    return lines


def _told_ids(side: Shown, rows: Rows, k: int) -> str:
    members = rows.row(k).tolist()
    # Pieces of one segment have one name.
    ids = dict.fromkeys(side.ids[m] for m in members[:_MOST_IDS])
    more = [f"... {len(members) - _MOST_IDS:,} more"] if len(members) > _MOST_IDS else []
    return " ".join([*(shortened(name, 30) for name in ids), *more]) or "-"
