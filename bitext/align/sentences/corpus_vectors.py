"""The vectors of the texts that are aligned together.

What the mean of short texts is, what a cosine is worth, and how those of neighbours joined compare
with those of single sentences, is learned from all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.align.sentences.embedding_evidence import EmbeddingEvidence
from bitext.align.sentences.log_odds import LogOdds, random_spread
from bitext.align.sentences.vectors import share_means, vectors_of
from bitext.align.sentences.window_scales import window_scales
from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import ArrayLike

    from bitext.align.sentences.encoders import Encoder
    from bitext.align.sentences.vectors import SentenceVectors
    from bitext.model import Text

    Vectors = Encoder | SentenceVectors | ArrayLike | Path | str

__all__ = ["CorpusVectors"]

_WEIGHT = 0.5  # of the log-odds of vectors, beside words and lengths


class CorpusVectors:
    """The vectors of pairs of texts of the same two languages, by one encoder.

    Parameters
    ----------
    beads : sequence of (int, int)
    pairs : sequence of (SentenceVectors, SentenceVectors)
    weight : float
        As in `EmbeddingEvidence`.

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
    ) -> None:
        self.beads, self.weight = list(beads), weight
        # Their means are those of this corpus, whatever else is done with them.
        self.pairs = [(src.apart(), tgt.apart()) for src, tgt in pairs]
        known = [side for pair in self.pairs for side in pair if len(side) and side.dimensions]
        for side in known[1:]:
            if side.dimensions != known[0].dimensions:
                raise InputError(
                    f"{side.name} has {side.dimensions} dimensions, {known[0].name} "
                    f"{known[0].dimensions}: want vectors of one encoder"
                )
        for which in (0, 1):
            texts = [pair[which] for pair in self.pairs if pair[which].dimensions]
            share_means(texts, sorted({bead[which] for bead in self.beads if all(bead)}))
        self.scales = window_scales(self.pairs, self.beads)
        self.odds: LogOdds = LogOdds.first(random_spread(self.pairs))

    @classmethod
    def of_texts(
        cls,
        beads: Sequence[tuple[int, int]],
        texts: Sequence[tuple[Text, Text]],
        vectors: Encoder | Sequence[tuple[Vectors, Vectors]],
        *,
        weight: float = _WEIGHT,
    ) -> CorpusVectors:
        """Return the vectors of pairs of texts, made by an encoder or given for each pair.

        Parameters
        ----------
        beads, weight
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
        return cls(beads, pairs, weight=weight)

    def __call__(self, k: int) -> list[EmbeddingEvidence]:
        """Return the evidence of text pair k."""
        src, tgt = self.pairs[k]
        found = EmbeddingEvidence(
            self.beads, src, tgt, odds=self.odds, weight=self.weight, scales=self.scales
        )
        return [found]
