"""Texts and translations with something missing, joined or divided, and how well they are aligned.

A sentence that is worn is of one or more of the gold standard, or a part of one. What the gold
standard becomes follows from that: sentences are in one bead that are of one there, directly or by
a sentence that is of two.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from alignment_quality import merged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from alignment_quality import Document

    from bitext import Alignment

__all__ = ["WEARS", "Worn", "f1_of", "worn"]

WEARS = ("a third left out", "a fifth joined", "a fifth divided", "first 30", "first 5")

_Sides = tuple[list[str], list[str]]
_Origins = tuple[list[list[int]], list[list[int]]]
_Beads = set[tuple[tuple[int, ...], tuple[int, ...]]]


class Worn(NamedTuple):
    """A text and its translation.

    Attributes
    ----------
    sides : (list of str, list of str)
    origins : (list of list of int, list of list of int)
        The sentences, by number, that each is of.

    """

    sides: _Sides
    origins: _Origins


def worn(sides: _Sides, kind: str = "") -> Worn:
    """Return a text and its translation as they are, or with something missing or changed.

    Examples
    --------
    >>> worn((["a b", "c d"], ["e"]), "first 1").origins
    ([[0]], [])
    >>> worn((["a", "b"], ["c", "d"]), "a fifth joined")
    Worn(sides=(['a b'], ['c', 'd']), origins=([[0, 1]], [[0], [1]]))

    """
    rng = random.Random(1)  # noqa: S311 - no secret
    src, tgt = ([(sentence, [k]) for k, sentence in enumerate(side)] for side in sides)
    if kind.startswith("first"):
        some = int(kind.split()[1])
        src, tgt = src[:some], tgt[: round(some * len(tgt) / len(src))]
    elif kind == "a third left out":
        tgt = [each for each in tgt if rng.random() > 1 / 3]
    elif kind == "a fifth joined":
        src, tgt = _joined(src, rng), _joined(tgt, rng)
    elif kind == "a fifth divided":
        src, tgt = _divided(src, rng), _divided(tgt, rng)
    texts = [sentence for sentence, _ in src], [sentence for sentence, _ in tgt]
    return Worn(texts, ([origin for _, origin in src], [origin for _, origin in tgt]))


def _joined(
    sentences: Sequence[tuple[str, list[int]]], rng: random.Random
) -> list[tuple[str, list[int]]]:
    found = [sentences[0]]
    for sentence, origin in sentences[1:]:
        if rng.random() < 1 / 5:
            found[-1] = f"{found[-1][0]} {sentence}", found[-1][1] + origin
        else:
            found.append((sentence, origin))
    return found


def _divided(
    sentences: Sequence[tuple[str, list[int]]], rng: random.Random
) -> list[tuple[str, list[int]]]:
    found: list[tuple[str, list[int]]] = []
    for sentence, origin in sentences:
        cuts = [
            k + 1 for k, c in enumerate(sentence) if c in " ,;，；、" and 8 < k < len(sentence) - 8
        ]
        cut = rng.choice(cuts) if cuts and rng.random() < 1 / 5 else len(sentence)
        parts = sentence[:cut], sentence[cut:]
        found += [(part, origin) for part in parts if part.strip()]
    return found


def f1_of(doc: Document, text: Worn, alignment: Alignment) -> float:
    """Return F1 of an alignment of a worn text, over the beads with both sides, 0 to 1.

    With verses, neighbouring beads of the alignment that are within one bead count as one.
    """
    groups = _groups(doc, text)
    expected = {bead for bead in groups.values() if bead[0] and bead[1]}
    if doc.verses is not None:
        names: tuple[list[str], list[str]] = ([""] * len(text.sides[0]), [""] * len(text.sides[1]))
        for number, bead in enumerate(groups.values()):
            for side in (0, 1):
                for k in bead[side]:
                    names[side][k] = str(number)
        alignment = merged(alignment, names)
    found: _Beads = {(bead.src, bead.tgt) for bead in alignment if bead.src and bead.tgt}
    return 2 * len(expected & found) / max(1, len(expected) + len(found))


def _groups(doc: Document, text: Worn) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the beads that the gold standard becomes."""
    # Sentences of the gold standard are in one group with their bead, worn ones with theirs.
    size = [len(side) for side in text.origins]
    above = list(range(sum(size)))

    def top(k: int) -> int:
        while above[k] != k:
            above[k] = above[above[k]]
            k = above[k]
        return k

    pieces: list[dict[int, list[int]]] = [{}, {}]
    for side in (0, 1):
        for k, origin in enumerate(text.origins[side]):
            for number in origin:
                pieces[side].setdefault(number, []).append(k + side * size[0])
    for bead in doc.gold.alignment:
        members = [k for side in (0, 1) for n in bead[side] for k in pieces[side].get(n, ())]
        for one in members[1:]:
            above[top(one)] = top(members[0])
    groups: dict[int, tuple[list[int], list[int]]] = {}
    for k in range(sum(size)):
        side = int(k >= size[0])
        groups.setdefault(top(k), ([], []))[side].append(k - side * size[0])
    return {key: (tuple(src), tuple(tgt)) for key, (src, tgt) in groups.items()}
