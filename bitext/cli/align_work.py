"""The work of `bitext align`: all texts aligned together, with what is known beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.cli.align_evidence import read_dictionaries, read_vectors
from bitext.cli.common import Progress

if TYPE_CHECKING:
    import argparse

    from bitext.cli.align_texts import TextPair
    from bitext.formats.opening import Notes
    from bitext.model import Alignment

__all__ = ["Work"]


class Work:
    """Texts to be aligned, and how.

    Parameters
    ----------
    options : Namespace
    pairs : list of TextPair
    notes : Notes
        Takes what is odd in the files that are read beside.
    told : list of str
        Takes what the user has to know.

    Attributes
    ----------
    method : str
        Its name.

    """

    def __init__(
        self,
        options: argparse.Namespace,
        pairs: list[TextPair],
        notes: Notes,
        told: list[str],
    ) -> None:
        from bitext.align.sentence_options import SentenceOptions, named

        vectors = options.vectors or options.encoder
        self.method = options.method or ("embedding" if vectors else "lexical")
        named(self.method)  # raises, with the nearest name there is
        self._options, self._pairs = options, pairs
        self._settings = SentenceOptions(beads=options.beads)
        self._given: dict[str, Any] = {}
        found = read_dictionaries(options, pairs, notes, told)
        if found:
            self._given["dictionary"] = found
        arrays = read_vectors(options, pairs)
        if arrays is not None:
            self._given["vectors"] = arrays

    def align(self) -> list[Alignment]:
        """Return the alignment of each pair of texts."""
        from bitext.align.sentences import align_corpus

        progress = Progress("sentences, in all rounds", quiet=self._options.quiet)
        sizes = [len(pair.src) for pair in self._pairs]

        def further(done: int, _: int) -> None:
            progress.add(sizes[(done - 1) % len(sizes)])

        try:
            return align_corpus(
                [(pair.src, pair.tgt) for pair in self._pairs],
                method=self.method,
                options=self._settings,
                progress=further,
                **self._given,
            )
        finally:
            progress.end()
