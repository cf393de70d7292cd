"""The work of `bitext align`: all texts aligned together, with what is known beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.cli.align_evidence import read_dictionaries, read_lexicon, sentence_vectors
from bitext.cli.align_processes import forked
from bitext.cli.progress import Progress

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.align.sentences.sentence_aligner import SentenceAligner
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
        from bitext.align.sentences.sentence_options import SentenceOptions, named

        vectors = options.vectors or options.encoder
        self.method = options.method or ("embedding" if vectors else "lexical")
        named(self.method)  # raises, with the nearest name there is
        self._options, self._pairs = options, pairs
        settings = SentenceOptions(beads=options.beads)
        settings = settings.for_texts((pair.src, pair.tgt) for pair in pairs)
        self._given: dict[str, Any] = {"method": self.method, "options": settings}
        lexicon = read_lexicon(options, pairs, told)
        if lexicon is not None:
            self._given["lexicon"] = lexicon
        self._given["dictionary"] = read_dictionaries(options, pairs, notes, told)
        found = self._vectors = sentence_vectors(options, pairs)
        if found is not None:
            from bitext.align.sentences.corpus_vectors import CorpusVectors

            self._given["more"] = CorpusVectors(settings.kinds, found)
        self._aligner: SentenceAligner | None = None

    def aligner(self) -> SentenceAligner:
        """Return what has aligned the texts; the work is done when it is first asked for."""
        if self._aligner is not None:
            return self._aligner
        from bitext.align.sentences import aligner_of

        each = forked(self._options.jobs)
        texts = [(pair.src, pair.tgt) for pair in self._pairs]
        sizes = sorted((len(pair.src) for pair in self._pairs), reverse=True)
        rounds = self._given["options"].rounds
        total = rounds * sum(sizes)
        progress = Progress("sentences, over all rounds", total, quiet=self._options.quiet)

        def further(done: int, texts: int) -> None:
            # Texts whose paths do not settle are aligned in more rounds than were asked for.
            total = texts // len(sizes) * sum(sizes)
            progress.add(sizes[(done - 1) % len(sizes)], total=total)

        with progress.beating():
            made = aligner_of(texts, **self._given, each=each)
            made.run(progress=further, each=each)
        self._aligner = made
        return made

    def align(self) -> list[Alignment]:
        """Return the alignment of each pair of texts."""
        from bitext.align.sentences import alignment_of

        aligner = self.aligner()
        return [alignment_of(aligner, k) for k in range(len(self._pairs))]

    def oddities(self, alignments: Sequence[Alignment]) -> list[list[str]]:
        """Return what the user should look at in each text, a line each."""
        from bitext.cli.align_oddities import oddities

        misplaced = self.aligner().misplaced

        vectors = self._vectors

        def of(k: int) -> list[str]:
            found = oddities(
                self._pairs[k],
                alignments[k],
                self._options,
                misplaced=misplaced[k],
                vectors=None if vectors is None else vectors[k],
            )
            return [line for _, line in found]

        order = sorted(range(len(self._pairs)), key=lambda k: -len(self._pairs[k].src))
        told = dict(zip(order, forked(self._options.jobs)(of, order), strict=True))
        return [told[k] for k in range(len(self._pairs))]

    def save_lexicon(self) -> None:
        """Write what was learned of words, where that is wanted; whole or not at all."""
        if not self._options.save_lexicon:
            return
        from bitext.align.sentences import learned_lexicon
        from bitext.formats.writing import write_whole

        lexicon = learned_lexicon(self.aligner())
        with write_whole(self._options.save_lexicon) as out:
            out.writelines(f"{line}\n" for line in lexicon.lines())
