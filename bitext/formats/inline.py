"""Alignments that hold their text: from pairs of lists of segments to a bitext, and back."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.lines import known_scores
from bitext.kernels.rows import prefix
from bitext.model import Alignment, Bitext, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions

__all__ = ["Beads", "sides"]


class Beads:
    """Collects bisegments that hold their text, in order: each segment is in one of them only."""

    def __init__(self) -> None:
        self._segments: tuple[list[str], list[str]] = ([], [])
        self._sizes: tuple[list[int], list[int]] = ([], [])
        self._scores: list[float] = []

    def add(self, src: Sequence[str], tgt: Sequence[str], score: float = nan) -> None:
        """Add a bisegment by the segments of its two sides, which may not both be empty."""
        for segments, sizes, new in zip(self._segments, self._sizes, (src, tgt), strict=True):
            segments.extend(new)
            sizes.append(len(new))
        self._scores.append(score)

    def sizes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of source and of target segments of each bisegment."""
        return np.array(self._sizes[0], dtype=np.int64), np.array(self._sizes[1], dtype=np.int64)

    def bitext(
        self,
        source: Source,
        options: ReadOptions,
        *,
        langs: tuple[str, str] = ("", ""),
        attributes: Mapping[str, Sequence[str | None]] | None = None,
    ) -> Bitext:
        """Make the bitext of what was collected, with the notes of the source."""
        src, tgt = (
            Text(segments, name=source.path, lang=lang)
            for segments, lang in zip(self._segments, langs, strict=True)
        )
        rows = [(prefix(sizes), np.arange(sizes.sum())) for sizes in self.sizes()]
        alignment = Alignment.from_arrays(
            rows[0], rows[1], scores=known_scores(self._scores), attributes=attributes
        )
        return Bitext(src, tgt, alignment, name=options.name, notes=source.notes.all())


def sides(bitext: Bitext, name: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the segments of the two sides of each bisegment, for a format that holds text.

    Raises
    ------
    InputError
        When the characters of a text are not known.

    """
    texts = []
    for side, text, option in (
        ("source", bitext.src, "--src"),
        ("target", bitext.tgt, "--tgt"),
    ):
        if text is None or not text.has_text:
            of = f" of {bitext.name}" if bitext.name else ""
            known = "positions" if text is None else "identifiers"
            raise InputError(
                f"{name} holds texts, but the {side} text{of} is known by {known} only; "
                f"give it ({option})"
            )
        texts.append(list(text.segments()))
    src, tgt = texts
    for bead in bitext.alignment:
        yield [src[k] for k in bead.src], [tgt[k] for k in bead.tgt]
