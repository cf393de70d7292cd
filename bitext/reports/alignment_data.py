"""Alignments of one bitext laid over each other: what became of each bisegment, and as JSON.

The bisegments of a gold standard and of a hypothesis are held against each other as sets. Each is
of one kind:

- *agreed*: both have it, with the same segments on both sides.
- *partly*: only one has it, and it shares a pair of segments (one source, one target) with a
  bisegment of the other. It is found, or right, in part: what `lax` counts and `strict` does not.
- *missed*: only the gold standard has it, and none of its pairs is proposed.
- *wrong*: only the hypothesis has it, and none of its pairs is right.

A bisegment with an empty side has no pairs: it is agreed, or missed or wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.kernels.rows import identify, take
from bitext.metrics.comparison import compare_many
from bitext.model import Alignment, Bitext
from bitext.reports.alignment_ground import common
from bitext.reports.alignment_order import levels, places
from bitext.reports.lettering import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bitext.kernels.rows import Rows
    from bitext.reports.alignment_ground import Common, Shown

__all__ = [
    "KINDS",
    "Difference",
    "Overlaid",
    "System",
    "harmless",
    "kind_name",
    "overlaid",
    "sign_of",
    "to_data",
]

KINDS = {"a": "agreed", "p": "partly", "m": "missed", "w": "wrong"}
_SIGNS = {"a": "●", "p": "◐", "m": "○", "w": "✕"}

_LONGEST = 2_000  # characters of a segment that a page holds
_LONGEST_ID = 60
_DIGITS = 6


def sign_of(kind: str, *, gold: bool) -> str:
    """Return the sign of a kind: `◑` and `◐` tell what is partly found from what is partly right.

    Examples
    --------
    >>> sign_of("p", gold=True), sign_of("p", gold=False), sign_of("m", gold=True)
    ('◑', '◐', '○')

    """
    return "◑" if gold and kind == "p" else _SIGNS[kind]


def kind_name(kind: str, *, gold: bool) -> str:
    """Return the name of a kind: what is partly right, of the gold standard, is partly found."""
    return ("partly found" if gold else "partly right") if kind == "p" else KINDS[kind]


@dataclass(frozen=True, slots=True)
class System:
    """The bisegments of the gold standard or of a hypothesis, each once.

    Attributes
    ----------
    name : str
    src, tgt : Rows
        Their segments, on the common ground.
    types : tuple of str
        Their bead types, as they were before any segment was cut.
    scores : array of float64 or None

    """

    name: str
    src: Rows
    tgt: Rows
    types: tuple[str, ...]
    scores: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.types)

    def score(self, k: int) -> float | None:
        """Return the score of a bisegment; `None` where it has none."""
        value = None if self.scores is None else float(self.scores[k])
        return value if value is not None and isfinite(value) else None


class Difference(NamedTuple):
    """A bisegment that only one of two alignments has.

    Attributes
    ----------
    system : int
        0 for the gold standard, else the number of the hypothesis, from 1.
    bead : int
        Its index there.
    kind : str
        A key of `KINDS`.

    """

    system: int
    bead: int
    kind: str


@dataclass(frozen=True, slots=True)
class Overlaid:
    """A gold standard and hypotheses over common segments.

    Attributes
    ----------
    src, tgt : Shown
        The segments of either side.
    systems : tuple of System
        The gold standard, then the hypotheses.
    kinds : tuple of (str, str)
        For each hypothesis one letter of `KINDS` for each bisegment of the gold standard, and for
        each of its own.
    levels : list of (int, int)
        Segments of the two sides that a drawing puts on one level, ascending on both.

    """

    src: Shown
    tgt: Shown
    systems: tuple[System, ...]
    kinds: tuple[tuple[str, str], ...]
    levels: list[tuple[int, int]]

    def order(self, system: int) -> NDArray[np.float64]:
        """Return where the bisegments of a system stand along the text: to sort by."""
        src, tgt = places(self.levels, self.src.size, self.tgt.size)
        found = self.systems[system]
        return np.minimum(_first(found.src, src), _first(found.tgt, tgt))

    def differences(self, hyp: int) -> list[Difference]:
        """Return what differs from the gold standard in a hypothesis, counted from 1, in order."""
        gold, own = self.kinds[hyp - 1]
        found = []
        for system, letters in ((0, gold), (hyp, own)):
            at = self.order(system).tolist()
            for k, kind in enumerate(letters):
                if kind != "a":
                    found.append((at[k], system > 0, k, Difference(system, k, kind)))
        return [difference for *_, difference in sorted(found)]

    def counts(self, hyp: int) -> dict[str, int]:
        """Count the bisegments of a hypothesis, counted from 1, by kind; `found` are those of gold.

        Agreed ones are counted once; `partly` are proposed, `found` are of the gold standard.
        """
        gold, own = self.kinds[hyp - 1]
        return {
            "agreed": own.count("a"),
            "partly": own.count("p"),
            "wrong": own.count("w"),
            "found": gold.count("p"),
            "missed": gold.count("m"),
        }


def overlaid(
    bitext: Bitext,
    hypotheses: Mapping[str, Alignment | Bitext] | None = None,
    *,
    gold_name: str = "gold",
    min_matched: float = 0.9,
) -> Overlaid:
    """Lay alignments over each other, and tell of each bisegment what became of it.

    Parameters
    ----------
    bitext : Bitext
        The texts, and the gold standard.
    hypotheses : mapping of str to Alignment or Bitext
        An alignment goes over the segments of `bitext`. A bitext may name segments in another way,
        or cut the same texts into others: then the segments become the pieces that all make.
    gold_name : str
    min_matched : float
        The least share of characters that the texts have in common.

    Raises
    ------
    InputError
        When a hypothesis has no common ground with the gold standard.

    Examples
    --------
    >>> from bitext import Alignment
    >>> gold = Alignment([((0,), (0,)), ((1, 2), (1,)), ((), (2,))])
    >>> hyp = Alignment([((0,), (0,)), ((1,), (1,)), ((2,), (2,))])
    >>> found = overlaid(Bitext(None, None, gold), {"a": hyp})
    >>> found.kinds, [KINDS[d.kind] for d in found.differences(1)]
    ((('apm', 'apw'),), ['partly', 'partly', 'missed', 'wrong'])

    """
    given = dict(hypotheses or {})
    if gold_name in given:
        raise InputError(f"a hypothesis is called {gold_name!r} as the gold standard is: rename it")
    ground = common(bitext, given, min_matched=min_matched)
    systems = [
        _system(name, ground, k, alignment)
        for k, (name, alignment) in enumerate(
            [(gold_name, bitext.alignment), *((n, _alignment(h)) for n, h in given.items())]
        )
    ]
    gold = systems[0]
    both = next((s for s in systems if ((s.src.lengths > 0) & (s.tgt.lengths > 0)).any()), gold)
    return Overlaid(
        ground.src,
        ground.tgt,
        tuple(systems),
        tuple(_kinds(gold, hyp) for hyp in systems[1:]),
        levels(both.src, both.tgt),
    )


def _alignment(hyp: Alignment | Bitext) -> Alignment:
    return hyp.alignment if isinstance(hyp, Bitext) else hyp


def _system(name: str, ground: Common, k: int, alignment: Alignment) -> System:
    """Keep each bisegment once, as an alignment is a set, and none that lost all its segments."""
    src, tgt = ground.beads[k]
    _, first = np.unique(identify(src, tgt), return_index=True)
    chosen = np.sort(first)
    chosen = chosen[(src.lengths[chosen] > 0) | (tgt.lengths[chosen] > 0)]
    sizes = (alignment.src.lengths[chosen].tolist(), alignment.tgt.lengths[chosen].tolist())
    types = tuple(f"{n}-{m}" for n, m in zip(*sizes, strict=True))
    scores = None if alignment.scores is None else alignment.scores[chosen]
    return System(name, take(src, chosen), take(tgt, chosen), types, scores)


def _kinds(gold: System, hyp: System) -> tuple[str, str]:
    """Tell of each bisegment of the two what became of it."""
    one, other = (Alignment.from_arrays(system.src, system.tgt) for system in (gold, hyp))
    (found,) = compare_many([one], [other])
    letters = []
    for exact, touched, lost in (
        (found.gold_exact, found.overlay.gold_touched, "m"),
        (found.hyp_exact, found.overlay.hyp_touched, "w"),
    ):
        pairs = zip(exact.tolist(), touched.tolist(), strict=True)
        letters.append("".join("a" if same else "p" if met else lost for same, met in pairs))
    return letters[0], letters[1]


def _first(rows: Rows, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the place of the first member of each row; beyond all where it is empty."""
    begin = np.append(rows.idx, 0)[rows.ptr[:-1]]
    return np.where(rows.lengths > 0, np.append(at, np.inf)[begin], np.inf)


def to_data(found: Overlaid) -> dict[str, Any]:
    """Return all of it as members of JSON: texts once, bisegments as lists of indices.

    Texts are made harmless (`bitext.reports.lettering.visible`) and cut to 2,000 characters.
    """
    return {
        "sides": [_side(side) for side in (found.src, found.tgt)],
        "systems": [_members(system) for system in found.systems],
        "kinds": [list(pair) for pair in found.kinds],
        "levels": [k for level in found.levels for k in level],
    }


def _side(side: Shown) -> dict[str, Any]:
    plain = side.ids == [str(k) for k in range(side.size)]
    return {
        "name": harmless(side.name, _LONGEST_ID),
        "size": side.size,
        "ids": None if plain else [harmless(name, _LONGEST_ID) for name in side.ids],
        "texts": None if side.texts is None else [harmless(text) for text in side.texts],
    }


def _members(system: System) -> dict[str, Any]:
    scores = [system.score(k) for k in range(len(system))]
    rounded = [None if x is None else float(f"{x:.{_DIGITS}g}") for x in scores]
    sides = [
        [rows.row(k).tolist() for k in range(len(system))] for rows in (system.src, system.tgt)
    ]
    cut = [
        None if kind == f"{len(s)}-{len(t)}" else kind
        for kind, s, t in zip(system.types, *sides, strict=True)
    ]
    return {
        "name": harmless(system.name, _LONGEST_ID),
        "src": sides[0],
        "tgt": sides[1],
        "types": cut if any(cut) else None,  # where pieces make it differ from the sizes
        "scores": rounded if any(x is not None for x in rounded) else None,
    }


_plain_signs: set[str] = set()


def harmless(text: str, longest: int = _LONGEST) -> str:
    """Return a text as `visible` makes it, cut to a length; fast where it has plain signs only."""
    part = text[:longest]
    unknown = set(part) - _plain_signs
    if unknown:
        _plain_signs.update(sign for sign in unknown if _is_plain(sign))
        if not unknown <= _plain_signs:
            part = visible(part)
    return part + ("…" if len(text) > longest else "")


def _is_plain(sign: str) -> bool:
    """Tell whether a sign stays as it is whatever stands before it."""
    return visible(sign * 5) == sign * 5
