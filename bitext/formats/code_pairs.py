"""Codes that begin or end a pair: whether the other half is there, and one only begins it.

TMX joins `bpt` and `ept` by `i` within a segment, in which no other pair may have that number; half
of a pair is `it`. What does not go together is read as it stands, and told.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["joined", "odd_halves", "odd_pairs"]

_HALF = re.compile(r'<([be])pt[^<>]*? i="([^"]*)"')
_NUMBER = re.compile(r'(<[be]pt[^<>]*? i=")([^"]*)(?=")')
_LONE = "codes that begin or end a pair (bpt, ept) without the other half in their segment"
_AGAIN = "codes that begin a pair (bpt) by the i of another one in their segment"


def odd_halves(halves: Iterable[tuple[bool, str]]) -> tuple[list[int], list[int]]:
    """Return the places of halves without another one, and of those that begin a pair once more.

    Parameters
    ----------
    halves : iterable of (bool, str)
        Whether it begins the pair, and what joins it with the other half, in order.

    Examples
    --------
    >>> odd_halves([(True, "1"), (False, "1"), (True, "1"), (False, "2")])
    ([2, 3], [2])

    """
    opened: dict[str, list[int]] = {}
    lone, again = [], []
    for k, (begins, key) in enumerate(halves):
        if begins:
            if key in opened:
                again.append(k)
            opened.setdefault(key, []).append(k)
        elif opened.get(key):
            opened[key].pop()
        else:
            lone.append(k)
    return sorted([*lone, *(k for left in opened.values() for k in left)]), again


def odd_pairs(xml: str) -> tuple[tuple[str, str], ...]:
    """Return what is odd in the pairs of a segment as `Text.marked` has it, by kind and case.

    Examples
    --------
    >>> odd_pairs('<bpt i="1"/>a<ept i="1"/>')
    ()
    >>> [case for _, case in odd_pairs('<bpt i="1"/>a<ept i="2"/>')]
    ['bpt i="1"', 'ept i="2"']

    """
    if "pt " not in xml:
        return ()
    return _odd_pairs(tuple(_HALF.findall(xml)))


@lru_cache(1 << 12)
def _odd_pairs(found: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    lone, again = odd_halves((letter == "b", i) for letter, i in found)
    cases = [f'{letter}pt i="{i[:20]}"' for letter, i in found] if lone or again else []
    return (*((_LONE, cases[k]) for k in lone), *((_AGAIN, cases[k]) for k in again))


def joined(parts: Sequence[str]) -> str:
    """Join segments with marks by blanks; pairs of later ones get other numbers, where they must.

    Examples
    --------
    >>> joined(['<bpt i="1"/>a<ept i="1"/>', "b", '<bpt i="1"/>c<ept i="1"/>'])
    '<bpt i="1"/>a<ept i="1"/> b <bpt i="2"/>c<ept i="2"/>'

    """
    found = [{i for _, i in _HALF.findall(part)} if "pt " in part else set() for part in parts]
    if sum(map(bool, found)) < 2:
        return " ".join(parts)
    taken: set[str] = set()
    out = []
    for part, numbers in zip(parts, found, strict=True):
        others: dict[str, str] = {}
        number = 0
        for i in sorted(numbers & taken):
            while str(number := number + 1) in taken | numbers:
                pass
            others[i] = str(number)
        taken |= (numbers - taken) | set(others.values())
        out.append(_renumbered(part, others) if others else part)
    return " ".join(out)


def _renumbered(xml: str, others: Mapping[str, str]) -> str:
    return _NUMBER.sub(lambda half: half[1] + others.get(half[2], half[2]), xml)
