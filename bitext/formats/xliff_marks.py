"""Marks on their way into XLIFF: which codes are pairs, which of these nest, and their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.xliff_flow import made_id, token

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.marks import Piece

__all__ = ["Ids", "nested", "pairs"]


def pairs(pieces: Sequence[Piece]) -> dict[int, int]:
    """Return for the place of each `bpt` that of its `ept`, and the reverse, where both are there.

    Examples
    --------
    >>> from bitext.formats.marks import pieces
    >>> pairs(list(pieces('<bpt i="1"/>a<ept i="1"/><ept i="2"/>')))
    {0: 2, 2: 0}

    """
    found: dict[int, int] = {}
    opened: dict[str | None, list[int]] = {}
    for k, piece in enumerate(pieces):
        if piece.kind == "bpt":
            opened.setdefault(piece.attributes.get("i"), []).append(k)
        elif piece.kind == "ept":
            openings = opened.get(piece.attributes.get("i"))
            if openings:
                begin = openings.pop()
                found[begin], found[k] = k, begin
    return found


def nested(pieces: Sequence[Piece], paired: dict[int, int]) -> set[int]:
    """Return the places of the halves of pairs that can be elements: no border of one is crossed.

    Examples
    --------
    >>> from bitext.formats.marks import pieces
    >>> found = list(pieces('<bpt i="1"/><bpt i="2"/>a<ept i="1"/>b<ept i="2"/>'))
    >>> sorted(nested(found, pairs(found)))
    [1, 5]

    """
    kept: set[int] = set()
    opened: list[int] = []
    left: set[int] = set()  # those of them that may still be elements
    for k, piece in enumerate(pieces):
        if piece.kind == "hi" or (piece.kind == "bpt" and k in paired):
            opened.append(k)
            left.add(k)
        elif piece.kind == "/hi":
            while opened:
                last = opened.pop()
                left.discard(last)
                if pieces[last].kind == "hi":
                    break
        elif piece.kind == "ept" and paired.get(k) in left:
            while opened[-1] not in left:
                opened.pop()
            left.discard(paired[k])
            if opened[-1] == paired[k]:
                kept |= {k, opened.pop()}
    return kept


class Ids:
    """Gives the ids of the inline elements of a unit.

    Parameters
    ----------
    unique : bool
        Whether each must be another one (XLIFF 2), and a name token.

    """

    def __init__(self, *, unique: bool) -> None:
        self._unique = unique
        self._reserved: set[str] = set()
        self._given: set[str] = set()
        self.number = 0  # of the last one

    def reserve(self, name: str) -> bool:
        """Keep an id for something else; tell whether it was still free."""
        free = name not in self._reserved
        self._reserved.add(name)
        self._given.add(name)
        return free

    def other_side(self) -> Ids:
        """Return what gives the ids of the target: it may repeat each `x` of the source once."""
        ids = Ids(unique=self._unique)
        ids._reserved, ids._given = self._reserved, set(self._reserved)
        ids.number = self.number
        return ids

    def give(self, x: str | None, beside: str = "") -> str:
        """Return the id of the next element: its `x`, unless that cannot be or tells too little."""
        self.number += 1
        x = x or ""
        fits = x and not beside and not x.startswith("bitext.")
        if fits and not (self._unique and (x in self._given or token(x) != x)):
            self._given.add(x)
            return x
        return made_id(self.number, x, beside)
