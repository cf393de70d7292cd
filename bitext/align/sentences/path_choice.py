"""What aligning a text pair is made of: evidence of its beads, and the path that is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from bitext.kernels.bead_path import BeadPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.evidence.lengths import LengthModel
    from bitext.align.sentences.omissions import Omissions
    from bitext.align.sentences.search_space import SearchSpace
    from bitext.kernels.bead_path import Band

    Lengths = tuple[NDArray[np.float64], NDArray[np.float64]]  # of sentences: source, target

__all__ = [
    "NOTHING",
    "Evidence",
    "PairPath",
    "Start",
    "beads_of_path",
    "changed",
    "lengths_of_paths",
]


# What paths teach of beads: how frequent each is, and how lengths go together in them.


_PASSAGE = 32  # beads of passages that are left out that are counted, of a kind and a text


def beads_of_path(
    beads: Sequence[tuple[int, int]], path: BeadPath, passages: Omissions | None = None
) -> NDArray[np.float64]:
    """Return how many beads of each kind a path has.

    Parameters
    ----------
    beads : sequence of (int, int)
    path : BeadPath
        Beads of kind -1 are not counted.
    passages : Omissions, optional
        Those that the path leaves out: of a long one 32 beads of a kind are counted, as it says
        nothing of other places.

    """
    counts = np.bincount(path.kinds[path.kinds >= 0], minlength=len(beads)).astype(np.float64)
    if passages is not None and len(path.kinds):
        alone = passages.alone(beads, path)
        counts -= np.maximum(np.bincount(path.kinds[alone], minlength=len(beads)) - _PASSAGE, 0)
    return counts


def lengths_of_paths(model: LengthModel, paths: Iterable[tuple[BeadPath, Lengths]]) -> LengthModel:
    """Return how lengths go together in the beads of some paths that have both sides.

    Parameters
    ----------
    model : LengthModel
        What is known before.
    paths : iterable of (BeadPath, (array of float64, array of float64))
        With the length of each sentence of both sides.

    """
    totals: list[Lengths] = [(np.zeros(0), np.zeros(0))]
    for path, sizes in paths:
        src, tgt = (
            np.diff(np.append(0.0, np.cumsum(side))[ends], prepend=0.0)
            for side, ends in zip(sizes, (path.row, path.column), strict=True)
        )
        both = np.flatnonzero((src > 0) & (tgt > 0))
        totals.append((src[both], tgt[both]))
    src, tgt = (np.concatenate(side) for side in zip(*totals, strict=True))
    return model.learned(src, tgt)


_NONE = np.zeros(0, dtype=np.int64)
NOTHING = BeadPath(0, _NONE, _NONE, _NONE, 0.5)
"""The path of a text pair that was not looked at."""
_CLEARLY = 3.0  # by how much a path is better, as a natural logarithm
_RARELY = 0.1  # and by how much for each bead where it is of texts of a rare kind,
_ENOUGH = 50.0  # at most where it scores above 0: what beads say there is no accident
_FEW = 0.03  # of the beads of a path that fits have an empty side, at most
_FIT, _MORE = 1.0, 70.0  # what a bead scores there, as a natural logarithm; for each that has one


class Evidence(Protocol):
    """Something that says how good beads are."""

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Return the score of each bead that ends at each point of some rows of a band."""


class PairPath(NamedTuple):
    """What is found of a text pair in a round.

    Attributes
    ----------
    path : BeadPath
    sure : array of float64, shape (beads of the path,), or None
        How sure each bead is, 0 to 1; None but in the last round.
    space : SearchSpace
        Where the path was looked for.

    """

    path: BeadPath
    sure: NDArray[np.float64] | None
    space: SearchSpace

    @property
    def beads(self) -> int:
        """How many beads the path has, where it was looked for."""
        return int(np.count_nonzero(self.path.kinds >= 0))


class Start(NamedTuple):
    """What is found from some frequencies of beads, before anything is known of the texts.

    Attributes
    ----------
    chance : array of float64, shape (beads,)
    found : mapping of int to PairPath
        The first paths, by the number of the text pair.
    scores : mapping of int to int
        Of each of these paths, with what they teach.
    marked : bool
        Whether marks were looked at to find them.

    """

    chance: NDArray[np.float64]
    found: Mapping[int, PairPath]
    scores: Mapping[int, int]
    marked: bool = True

    @property
    def score(self) -> int:
        """The score of all paths."""
        return sum(self.scores.values())

    def fits(self, beads: Sequence[tuple[int, int]], *, unit: float) -> bool:
        """Return whether its paths fit so well that no other start would score better.

        Where much is left out and it was not seen, sentences are put beside what is not their
        translation, so beads score little, and some are left alone all the same. Of 92 cases of 23
        pairs of languages, another start is better for 28; with as few beads alone, none of these
        has two thirds of the score that is wanted here.

        Parameters
        ----------
        beads : sequence of (int, int)
            Of the paths.
        unit : float
            How much of a score a natural logarithm of 1 is.

        """
        kinds = np.concatenate([_NONE, *(one.path.kinds for one in self.found.values())])
        kinds = kinds[kinds >= 0]
        if not len(kinds) or any(one.space.passages is not None for one in self.found.values()):
            return False
        alone = [k for k, (a, b) in enumerate(beads) if not (a and b)]
        share = float(np.isin(kinds, alone).mean())
        wanted = (_FIT + _MORE * share) * unit
        return share <= _FEW and self.score >= wanted * len(kinds)

    def of(self, some: Sequence[int]) -> Start:
        """Return it with some of its paths only."""
        return self._replace(
            found={k: self.found[k] for k in some}, scores={k: self.scores[k] for k in some}
        )

    def joined(self, other: Start) -> Start:
        """Return it with the paths of another start in the place of its own."""
        return self._replace(
            found={**self.found, **other.found}, scores={**self.scores, **other.scores}
        )

    def telling(self, beads: Sequence[tuple[int, int]], *, least: float) -> Start:
        """Return it with those of its paths that score enough for each bead with both sides.

        Parameters
        ----------
        beads : sequence of (int, int)
            Of the paths.
        least : float
            How much, in the unit of the scores.

        """
        both = [k for k, (a, b) in enumerate(beads) if a and b]
        kept = [
            k
            for k, one in self.found.items()
            if self.scores[k] >= least * np.count_nonzero(np.isin(one.path.kinds, both))
        ]
        return self.of(kept)

    def as_rare(self) -> dict[int, float]:
        """Return what speaks for its paths as those of texts of a rare kind: all is below 0."""
        leads = {k: _RARELY * one.beads for k, one in self.found.items()}
        return {
            k: -min(lead, _ENOUGH) if self.scores[k] > 0 else -lead for k, lead in leads.items()
        }

    def with_better(
        self, other: Start, *, unit: float, leads: Mapping[int, float] | None = None
    ) -> Start:
        """Return it with those paths of another start that clearly score better.

        Parameters
        ----------
        other : Start
            Of some of its text pairs, or of all: if all are better, it is returned itself.
        unit : float
            How much of a score a natural logarithm of 1 is.
        leads : mapping of int to float, optional
            How much speaks for the other one beside, or against it, as a natural logarithm, by
            text pair.

        """
        known = leads or {}
        least = {k: (_CLEARLY - known.get(k, 0.0)) * unit for k in self.found}
        better = [k for k in other.found if other.scores[k] > self.scores[k] + least[k]]
        if len(better) == len(self.found):
            return other
        return self.joined(other.of(better))

    def or_better(self, others: Sequence[Start], *, unit: float) -> Start:
        """Return which of the `starts` is right, this one being the usual: that which scores best.

        More than a bead or two must tell that much is left out; and that one text is cut more
        finely than the other, which is rare, a tenth of a natural logarithm for each bead.

        Parameters
        ----------
        others : sequence of Start
            In the order of `starts`.
        unit : float
            How much of a score a natural logarithm of 1 is.

        """
        told = sum(one.beads for one in self.found.values())
        leads = [_CLEARLY, *[_CLEARLY + _RARELY * told] * (len(others) - 1)]
        better = [
            other
            for other, lead in zip(others, leads, strict=True)
            if other.score > self.score + lead * unit
        ]
        return max(better, key=lambda other: other.score, default=self)


def changed(before: Sequence[BeadPath], after: Sequence[BeadPath]) -> float:
    """Return which share of the beads of some paths end where none ended before, 0 to 1.

    What was not aligned, of kind -1, is left aside.

    Parameters
    ----------
    before, after : sequence of BeadPath
        Of the same text pairs, in the same order.

    Examples
    --------
    >>> kinds, every = np.zeros(4, np.int64), np.arange(1, 5)
    >>> one = BeadPath(0, kinds, every, every, 0.5)
    >>> changed([one], [one._replace(column=np.array([1, 3, 3, 4]))])
    0.25

    """
    new = beads = 0
    for old, path in zip(before, after, strict=True):
        told = path.kinds >= 0
        ends, known = (side.row * (1 << 32) + side.column for side in (path, old))
        new += int(np.count_nonzero(~np.isin(ends[told], known)))
        beads += int(np.count_nonzero(told))
    return new / beads if beads else 0.0
