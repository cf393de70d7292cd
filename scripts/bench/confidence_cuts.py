"""How honest scores are where passages were cut out: in a passage, beside one, and elsewhere.

The cases are some of `alignment_passages.py`. A bead with both sides is right when it is what the
cut has left of a bead of the gold standard; one with an empty side, when none of its sentences has
a partner there. In a passage are the beads that the search for passages has left out
(`bitext.align.sentences.omissions`), beside one are those at most 16 beads from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import alignment_passages as passages
import alignment_quality as quality
import numpy as np

from bitext.align.sentences import aligner_of, alignment_of
from bitext.model import Text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bitext import Alignment
    from bitext.align.sentences.aligner import SentenceAligner

__all__ = ["PLACES", "measured_cuts", "places_of", "right_left"]

CASES = ("src 100", "tgt 20", "both 100", "moved 50", "tgt mid 33%", "src thrice 10%")
PLACES = ("in a passage", "beside one", "elsewhere")
_BESIDE = 16  # beads


def measured_cuts(
    options: argparse.Namespace, method: str
) -> Iterator[tuple[str, NDArray[np.int64], NDArray[np.bool_], NDArray[np.float64]]]:
    """Yield of each set and text the places of its beads, whether each is right, and its score."""
    for name, bases, other in passages.Bench(options).sets():
        for base in bases:
            foreign = list(other.doc.gold.tgt.segments()) if other.doc.gold.tgt else []
            for case in CASES:
                made = passages.changed(base, case, foreign)
                if made is None:
                    continue
                aligner = aligner_of([(Text(made.texts[0]), Text(made.texts[1]))], method=method)
                aligner.run()
                right = right_left(base, made, alignment_of(aligner, 0))
                yield name, places_of(aligner), right, aligner.posteriors(0)
        quality.told([name, method, "cut"])


def right_left(
    base: passages.Base, made: passages.Changed, alignment: Alignment
) -> NDArray[np.bool_]:
    """Return whether each bead of an alignment of a text that was cut is right."""
    src, tgt = made.sides
    here = set(src.tolist()), set(tgt.tolist())
    left: set[Any] = {
        (tuple(k for k in a if k in here[0]), tuple(k for k in b if k in here[1]))
        for a, b in base.beads
    }
    expected = {(a, b) for a, b in left if a and b}
    linked = {k for a, _ in expected for k in a}, {k for _, b in expected for k in b}
    merged = list(alignment)
    if base.doc.verses is not None:
        held = [
            [verses[k] if k >= 0 else f"foreign {n}" for n, k in enumerate(side.tolist())]
            for verses, side in zip(base.doc.verses, made.sides, strict=True)
        ]
        merged = list(quality.merged(alignment, (held[0], held[1])))
    good: list[bool] = []
    at: dict[tuple[int, int], int] = {}
    for number, bead in enumerate(merged):
        a, b = (tuple(side[list(k)].tolist()) for side, k in zip(made.sides, bead, strict=True))
        alone = not linked[0].intersection(a) and not linked[1].intersection(b)
        good.append((a, b) in expected if a and b else alone)
        at |= {(0, k): number for k in bead.src} | {(1, k): number for k in bead.tgt}
    # Each bead is part of the merged one that its first sentence is in.
    found = (at[0, bead.src[0]] if bead.src else at[1, bead.tgt[0]] for bead in alignment)
    return np.array([good[number] for number in found], dtype=bool)


def places_of(aligner: SentenceAligner) -> NDArray[np.int64]:
    """Return the place of each bead of the only text pair: its number among `PLACES`."""
    known, path = aligner.space(0).passages, aligner.paths[0]
    found = np.full(len(path.kinds), 2)
    if known is not None:
        inside = known.alone(aligner.beads, path)
        near = np.convolve(inside, np.ones(2 * _BESIDE + 1), "full")[
            _BESIDE : len(inside) + _BESIDE
        ]
        found[near > 0.5] = 1
        found[inside] = 0
    return found
