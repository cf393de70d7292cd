"""The vectors of the texts that are aligned together, through the rounds of their alignment.

In the first round neighbours joined have pooled vectors, and the log-odds of cosines are those of
random pairs. After each round the log-odds are learned from its beads 1-1, and where it is not
sure, neighbours are joined and encoded, if there is an encoder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.embedding_evidence import EmbeddingEvidence, join_unsure
from bitext.align.log_odds import LogOdds, learn_log_odds, random_spread
from bitext.align.vectors import share_means, vectors_of
from bitext.align.window_scales import window_scales
from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import ArrayLike, NDArray

    from bitext.align.encoders import Encoder
    from bitext.align.vectors import SentenceVectors
    from bitext.kernels.bead_path import BeadPath
    from bitext.model import Text

    Vectors = Encoder | SentenceVectors | ArrayLike | Path | str

__all__ = ["VectorRounds"]

_WEIGHT = 0.5  # of the log-odds of vectors, beside words and lengths
_SURE = 0.9  # the chance of a bead 1-1 that needs no second look


class VectorRounds:
    """The vectors of pairs of texts of the same two languages, by one encoder.

    Parameters
    ----------
    beads : sequence of (int, int)
    pairs : sequence of (SentenceVectors, SentenceVectors)
    weight : float
        As in `EmbeddingEvidence`.
    join : bool
        Whether neighbours are joined and encoded where the alignment is not sure; else all of
        them stay pooled, which is quicker.

    Attributes
    ----------
    odds : LogOdds
    scales : dict
        What the cosines of each bead are multiplied with, as `window_scales` returns it.

    Raises
    ------
    InputError
        When the vectors have not all as many dimensions.

    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        pairs: Sequence[tuple[SentenceVectors, SentenceVectors]],
        *,
        weight: float = _WEIGHT,
        join: bool = True,
    ) -> None:
        self.beads, self.pairs, self.weight, self.join = list(beads), list(pairs), weight, join
        known = [side for pair in self.pairs for side in pair if len(side) and side.dimensions]
        for side in known[1:]:
            if side.dimensions != known[0].dimensions:
                raise InputError(
                    f"{side.name} has {side.dimensions} dimensions, {known[0].name} "
                    f"{known[0].dimensions}: want vectors of one encoder"
                )
        self._sizes = (
            sorted({a for a, b in self.beads if a and b}),
            sorted({b for a, b in self.beads if a and b}),
        )
        self._share()
        self.odds: LogOdds = LogOdds.first(random_spread(self.pairs))

    @classmethod
    def of_texts(
        cls,
        beads: Sequence[tuple[int, int]],
        texts: Sequence[tuple[Text, Text]],
        vectors: Encoder | Sequence[tuple[Vectors, Vectors]],
        *,
        weight: float = _WEIGHT,
        join: bool = True,
    ) -> VectorRounds:
        """Return the vectors of pairs of texts, made by an encoder or given for each pair.

        Parameters
        ----------
        beads, weight, join
            As above.
        texts : sequence of (Text, Text)
        vectors : callable, or sequence of pairs
            An encoder for all of them; or for each pair of texts what `vectors_of` takes for the
            source and for the target.

        Raises
        ------
        InputError
            When there are not vectors for each pair, or they do not fit.

        """
        if callable(vectors):
            given: list[tuple[Vectors, Vectors]] = [(vectors, vectors)] * len(texts)
        else:
            given = [(src, tgt) for src, tgt in vectors]
        if len(given) != len(texts):
            raise InputError(f"vectors of {len(given)} pairs for {len(texts)} pairs of texts")
        pairs = [
            (
                vectors_of(src, first, name=src.name or "the source"),
                vectors_of(tgt, second, name=tgt.name or "the target"),
            )
            for (src, tgt), (first, second) in zip(texts, given, strict=True)
        ]
        return cls(beads, pairs, weight=weight, join=join)

    def __call__(self, k: int) -> list[EmbeddingEvidence]:
        """Return the evidence of text pair k, with what is known by now."""
        src, tgt = self.pairs[k]
        found = EmbeddingEvidence(
            self.beads, src, tgt, odds=self.odds, weight=self.weight, scales=self.scales
        )
        return [found]

    def learn(
        self, paths: Sequence[BeadPath], sure: Sequence[NDArray[np.float64]] | None = None
    ) -> None:
        """Learn from a round.

        Parameters
        ----------
        paths : sequence of BeadPath
            A bead of kind -1 is a stretch that was passed over.
        sure : sequence of array of float64, shape (beads of the path,)
            How sure each bead of each path is. Default: all of them are.

        """
        one_one = self.beads.index((1, 1)) if (1, 1) in self.beads else len(self.beads)
        single = [path.kinds == one_one for path in paths]
        if sure is not None:
            single = [one & (c >= _SURE) for one, c in zip(single, sure, strict=True)]
        if self.join:
            for pair, path, one in zip(self.pairs, paths, single, strict=True):
                # What was passed over has no kind: nothing is known there, so nothing is joined.
                settled = one | (path.kinds < 0)
                for side, ends, sizes in zip(
                    pair, (path.row, path.column), self._sizes, strict=True
                ):
                    join_unsure(side, sizes, ends, np.diff(ends, prepend=0), settled)
            self._share()
        right = [
            (path.row[one] - 1, path.column[one] - 1)
            for path, one in zip(paths, single, strict=True)
        ]
        self.odds = learn_log_odds(self.pairs, right)

    def _share(self) -> None:
        for side in (0, 1):
            texts = [pair[side] for pair in self.pairs if pair[side].dimensions]
            share_means(texts, self._sizes[side])
        self.scales = window_scales(self.pairs, self.beads)
