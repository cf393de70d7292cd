"""Links between the words of a bisegment: the column `words` of an alignment.

    0-0 1-2p 3-1:0.9

Items parted by blanks: source position, `-`, target position, both from 0; `p` behind a link that
is only possible (the others are sure); `:` and a number behind one with a confidence. The
spellings `1p2` and `1?2` of a possible link are read too. An empty string says that no words are
linked, which is more than no value.

A position counts the words of one side of the bisegment: its segments joined with a blank, taken
apart at blanks, tabs and line ends, and at nothing else (no-break spaces are part of a word). Links
are a set; their order is kept, and of two equal ones a sure one is kept before a possible one, else
the first.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["COLUMN", "MOST", "Link", "beyond", "distinct", "parse", "spell", "swapped", "tokens"]

COLUMN = "words"
MOST = 999_999_999  # the highest position that is read

_POSITION = r"(\d{1,9})"  # bounded before it is made
_CONFIDENCE = r"(?::([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?))?"
_LINK = re.compile(rf"{_POSITION}([-p?]){_POSITION}(p?){_CONFIDENCE}", re.ASCII)
_PLAIN = re.compile(r"(?:\d{1,9}-\d{1,9}(?: \d{1,9}-\d{1,9})*)?", re.ASCII)
_BLANKS = re.compile(r"[ \t\r\n]+")
_SHOWN = 40


class Link(NamedTuple):
    """A source word and a target word that correspond.

    Attributes
    ----------
    src, tgt : int
        Their positions among the words of their sides, from 0.
    possible : bool
        Whether it is only possible, not sure.
    confidence : float or None
        How sure its maker was, on whatever scale; `None` where that is not told.

    """

    src: int
    tgt: int
    possible: bool = False
    confidence: float | None = None


def parse(text: str) -> list[Link]:
    """Return the links that a text spells, in its order, equal ones and all.

    Raises
    ------
    InputError
        When something else stands there; the message shows it, without a place.

    Examples
    --------
    >>> parse("0-0 1-2p 3?1:0.9")[1:]
    [Link(src=1, tgt=2, possible=True, confidence=None), \
Link(src=3, tgt=1, possible=True, confidence=0.9)]

    """
    items = tokens(text)
    if _PLAIN.fullmatch(text):
        pairs = (item.split("-") for item in items)
        return [Link(int(src), int(tgt)) for src, tgt in pairs]
    return [_link(item) for item in items]


def _link(item: str) -> Link:
    found = _LINK.fullmatch(item)
    if not found or (found[2] != "-" and found[4]):
        raise InputError(
            f"{item[:_SHOWN]!r} is no word link; want two positions from 0 to {MOST}, as 0-1, or "
            f"0-1p for a possible link, and 0-1:0.9 with a confidence"
        )
    confidence = float(found[5]) if found[5] else None
    if confidence is not None and not isfinite(confidence):
        raise InputError(f"{item[:_SHOWN]!r} has a confidence beyond all numbers; want one as 0.9")
    return Link(int(found[1]), int(found[3]), found[2] != "-" or bool(found[4]), confidence)


def spell(links: Iterable[Link]) -> str:
    """Return links as the column `words` has them.

    Examples
    --------
    >>> spell([Link(0, 0), Link(1, 2, possible=True), Link(3, 1, confidence=0.5)])
    '0-0 1-2p 3-1:0.5'

    """
    return " ".join(
        f"{link.src}-{link.tgt}{'p' * link.possible}"
        f"{'' if link.confidence is None else f':{float(link.confidence)!r}'}"
        for link in links
    )


def distinct(links: Iterable[Link]) -> list[Link]:
    """Return the links without repeats: a sure one before a possible one, else the first.

    Examples
    --------
    >>> spell(distinct(parse("0-0p 1-1 0-0 1-1:0.5")))
    '0-0 1-1'

    """
    found: dict[tuple[int, int], Link] = {}
    for link in links:
        known = found.setdefault(link[:2], link)
        if known.possible and not link.possible:
            found[link[:2]] = link
    return list(found.values())


def beyond(links: Iterable[Link], src: int | None, tgt: int | None) -> Link | None:
    """Return the first link beyond the numbers of words of the sides, `None` where not known.

    Examples
    --------
    >>> beyond(parse("0-0 1-3"), 2, 3)
    Link(src=1, tgt=3, possible=False, confidence=None)

    """
    for link in links:
        if (src is not None and link.src >= src) or (tgt is not None and link.tgt >= tgt):
            return link
    return None


def swapped(text: str) -> str:
    """Return a value of the column with source and target exchanged.

    Examples
    --------
    >>> swapped("0-1 2-3p")
    '1-0 3-2p'

    """
    return spell(link._replace(src=link.tgt, tgt=link.src) for link in parse(text))


def tokens(side: str) -> list[str]:
    r"""Return the words of a side, as positions count them.

    Examples
    --------
    >>> tokens(" no\u00a0break here ")
    ['no\xa0break', 'here']

    """
    if "\t" in side or "\n" in side or "\r" in side:
        side = _BLANKS.sub(" ", side)
    words = side.split(" ")
    return [word for word in words if word] if "" in words else words
