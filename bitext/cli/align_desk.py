"""The desk of a worker that aligns texts of a corpus: it reads one pair, and writes its file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bitext.cli.align_found import selected
from bitext.cli.align_oddities import oddities
from bitext.cli.align_output import Place, file_in, refuse_forbidden, true_losses, write

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from bitext.align.sentences.pair_paths import Evidence
    from bitext.align.sentences.sentence_options import SentenceOptions
    from bitext.align.sentences.text_languages import MisplacedSides
    from bitext.align.sentences.vectors import SentenceVectors
    from bitext.cli.align_pairs import FilePair
    from bitext.cli.align_texts import TextPair
    from bitext.formats.opening import Notes
    from bitext.model import Alignment

__all__ = ["AlignDesk", "notes_of"]


@dataclass
class AlignDesk:
    """Reads and writes as `bitext align` was asked to.

    Attributes
    ----------
    options : Namespace
    output : str or None
        The folder of the outputs; `None`: nothing is written.
    format : str
        Theirs.

    """

    options: argparse.Namespace
    output: str | None
    format: str
    _encoder: Any = field(default=None, repr=False)

    def prepare(self) -> None:
        """Load the encoder."""
        if self.options.encoder:
            from bitext.align.sentences.encoders import encoder_named

            self._encoder = encoder_named(self.options.encoder)

    def read(self, item: FilePair, notes: Notes) -> TextPair:
        """Return the texts of a pair of files."""
        from bitext.cli.align_texts import TextReader

        (pair,) = TextReader(self.options, notes).pairs(item)
        return pair

    def evidence(
        self, item: FilePair, texts: TextPair, options: SentenceOptions
    ) -> Callable[[int], Sequence[Evidence]] | None:
        """Return the vectors of the texts."""
        del item
        if not (self.options.vectors or self.options.encoder):
            return None
        from bitext.align.sentences.corpus_vectors import CorpusVectors
        from bitext.cli.align_evidence import vectors_of_pair

        return CorpusVectors(options.kinds, [vectors_of_pair(self.options, texts, self._encoder)])

    def _vectors(self, texts: TextPair) -> tuple[SentenceVectors, SentenceVectors] | None:
        """Return the vectors of the texts that were given as files."""
        if not self.options.vectors:
            return None
        from bitext.cli.align_evidence import vectors_of_pair

        return vectors_of_pair(self.options, texts, None)

    def write(
        self,
        item: FilePair,
        texts: TextPair,
        found: Alignment,
        notes: Notes,
        *,
        misplaced: MisplacedSides | None = None,
    ) -> dict[str, Any]:
        """Write an alignment, and return what the summary takes of it."""
        from bitext.formats.opening import Notes
        from bitext.formats.writing import refuse_same

        kept = selected(texts, found, self.options)
        vectors = self._vectors(texts)
        for kind, told in oddities(
            texts, found, self.options, misplaced=misplaced, vectors=vectors
        ):
            notes.add(kind, told)
        losses, output = Notes(), None
        if (place := self.place()) is not None:
            output = file_in(place, item.name, self.options)
            refuse_same([item.src, str(item.tgt)], output.split(",") if place.known.two_files
                        else [output])  # fmt: skip
            refuse_forbidden(texts.whole, place, self.options)
            write([kept.bitext], place, [output], self.options, losses)
        return {
            **kept.counts(),
            "sentences": [len(texts.src), len(texts.tgt)],
            "names": [texts.src.name, texts.tgt.name],
            "output": output,
            "sizes": _sizes(output),
            "losses": notes_of(() if place is None else true_losses(place, losses, self.options)),
            "notes": notes_of(notes.all()),
        }

    def stands(self, item: FilePair, value: Any) -> bool:
        """Tell whether the output is still there."""
        del item
        if not isinstance(value, dict) or not isinstance(value.get("output"), str | None):
            return False
        return bool(value.get("sizes") == _sizes(value.get("output")))

    def place(self) -> Place | None:
        """Return where alignments are written."""
        if self.output is None:
            return None
        from bitext.formats.registry import by_name

        return Place(self.output, by_name(self.format))


def _sizes(output: str | None) -> list[int]:
    """Return the sizes of what was written; -1 for what is not there."""
    from bitext.formats.delivery import sizes_of

    return [] if output is None else sizes_of(output)


def notes_of(notes: Any) -> list[list[Any]]:
    """Return notes as for JSON: kind, first case, count."""
    return [[note.kind, note.first, note.count] for note in notes]
