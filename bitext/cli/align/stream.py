"""The texts of a corpus of any size, one after another: never all of them are held."""

from __future__ import annotations

import os
from array import array
from dataclasses import dataclass, field
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.cli.align.inputs import FilePair, find_pairs, manifest_pairs
from bitext.cli.align.outputs import Place, file_in, refuse_forbidden, true_losses, write
from bitext.cli.align.running import selected
from bitext.cli.align.warnings import oddities
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from bitext.align.sentences.evidence import Evidence
    from bitext.align.sentences.options import SentenceOptions
    from bitext.align.sentences.vectors import SentenceVectors
    from bitext.align.sentences.wrong_language import MisplacedSides
    from bitext.cli.align.texts import TextPair
    from bitext.formats.io.source import Notes
    from bitext.model import Alignment

__all__ = ["AlignDesk", "PairStream", "Survey", "notes_of", "survey"]


# The desk of a worker that aligns texts of a corpus: it reads one pair, and writes its file.


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
            from bitext.align.sentences.vectors import encoder_named

            self._encoder = encoder_named(self.options.encoder)

    def read(self, item: FilePair, notes: Notes) -> TextPair:
        """Return the texts of a pair of files."""
        from bitext.cli.align.texts import TextReader

        (pair,) = TextReader(self.options, notes).pairs(item)
        return pair

    def evidence(
        self, item: FilePair, texts: TextPair, options: SentenceOptions
    ) -> Callable[[int], Sequence[Evidence]] | None:
        """Return the vectors of the texts."""
        del item
        if not (self.options.vectors or self.options.encoder):
            return None
        from bitext.align.sentences.evidence.vectors import CorpusVectors
        from bitext.cli.align.resources import vectors_of_pair

        return CorpusVectors(options.kinds, [vectors_of_pair(self.options, texts, self._encoder)])

    def _vectors(self, texts: TextPair) -> tuple[SentenceVectors, SentenceVectors] | None:
        """Return the vectors of the texts that were given as files."""
        if not self.options.vectors:
            return None
        from bitext.cli.align.resources import vectors_of_pair

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
        from bitext.formats.io.clashes import refuse_clashes
        from bitext.formats.io.source import Notes

        kept = selected(texts, found, self.options)
        vectors = self._vectors(texts)
        for kind, told in oddities(
            texts, found, self.options, misplaced=misplaced, vectors=vectors
        ):
            notes.add(kind, told)
        losses, output = Notes(), None
        if (place := self.place()) is not None:
            output = file_in(place, item.name, self.options)
            refuse_clashes([item.src, str(item.tgt)], [output])
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
    from bitext.formats.writing import sizes_of

    return [] if output is None else sizes_of(output)


def notes_of(notes: Any) -> list[list[Any]]:
    """Return notes as for JSON: kind, first case, count."""
    return [[note.kind, note.first, note.count] for note in notes]


_SENTENCE = 100  # bytes of the source that a sentence is taken to have


class PairStream:
    """The pairs of texts that the options name; a manifest is read anew each time.

    Attributes
    ----------
    notes : list of str
        On files without a partner.

    Raises
    ------
    FormatError, InputError
        As `find_pairs`.

    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.notes: list[str] = []
        self._path, self._held = options.src, None
        named = options.tgt is None and not options.known
        if named and manifest_pairs(options.src, once=False) is not None:
            return
        self._held, self.notes = find_pairs(options)
        if self._held and self._held[0].tgt is None:
            raise InputError(
                f"{options.src}: is one file of alignments; by jobs want two folders of texts, a "
                f"folder of both, or a manifest"
            )

    def __iter__(self) -> Iterator[FilePair]:
        if self._held is not None:
            return iter(self._held)
        return manifest_pairs(self._path, once=False) or iter(())


class Survey(NamedTuple):
    """What was seen of a corpus.

    Attributes
    ----------
    texts : int
        How many pairs there are.
    sample : list of (int, FilePair)
        Those to learn from, in the order of the corpus, with their numbers.

    """

    texts: int
    sample: list[tuple[int, FilePair]]


def survey(
    pairs: PairStream, place: Place | None, options: argparse.Namespace, *, sentences: int
) -> Survey:
    """Look over a corpus: is each output one of its own; which texts are learned from.

    The sample are the pairs whose numbers have the lowest hashes, as many as come to so many
    sentences by the size of the source file, 100 bytes each. It depends on the corpus only.
    Eight bytes are held of each name.

    Raises
    ------
    InputError, OptionError
        When two texts would go into one file, or a file is one that is read.

    """
    read, written = array("Q"), array("Q")
    ours = {"--save-lexicon": options.save_lexicon, "--journal": options.journal}
    ours = {option: name for option, name in ours.items() if name}
    manifest = [_absolute(options.src)] if options.tgt is None else []
    read.extend(map(_digest, manifest))
    chosen: list[tuple[int, int, int, FilePair]] = []
    total = count = 0
    for number, pair in enumerate(pairs):
        count += 1
        if place is not None:
            written.extend(map(_digest, _outputs(place, pair, options)))
        if place is not None or ours:
            read.extend(map(_digest, _inputs(pair)))
        rank = -_digest(str(number))  # the highest hash is on top
        if total < sentences or (chosen and rank > chosen[0][0]):
            size = _sentences(pair.src)
            heappush(chosen, (rank, number, size, pair))
            total += size
            while total - chosen[0][2] >= sentences:
                total -= heappop(chosen)[2]
    for option, name in ours.items():
        found = _digest(_absolute(name))
        if found in read or found in written:
            raise OptionError(
                f"{option} {name}: is a file of the texts, or of what is made of them: name another"
            )
    if place is not None and count:
        _refuse_clashes(pairs, place, options, (manifest, read), written)
    return Survey(count, sorted((number, pair) for _, number, _, pair in chosen))


def _digest(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def _sentences(path: str) -> int:
    """Return about how many sentences a file has, 1 at least; so has one that is not there."""
    try:
        return 1 + os.stat(path).st_size // _SENTENCE  # noqa: PTH116 - a million of them
    except (OSError, ValueError):
        return 1


def _outputs(place: Place, pair: FilePair, options: argparse.Namespace) -> list[str]:
    """Return the files of a text, as the system finds them."""
    from bitext.formats.io.remote import two_files

    output = file_in(place, pair.name, options)
    return [_absolute(each) for each in two_files(output) or (output,)]


def _inputs(pair: FilePair) -> list[str]:
    return [_absolute(pair.src), _absolute(str(pair.tgt))]


def _absolute(name: str) -> str:
    return name if "://" in name else os.path.abspath(name)  # noqa: PTH100 - a million of them; links are not looked at


def _refuse_clashes(
    pairs: PairStream,
    place: Place,
    options: argparse.Namespace,
    read: tuple[list[str], array[int]],
    written: array[int],
) -> None:
    import numpy as np

    outputs, inputs = np.sort(np.array(written)), np.array(read[1])
    twice = outputs[1:][outputs[1:] == outputs[:-1]]
    wrong = {*twice.tolist(), *np.intersect1d(outputs, inputs).tolist()}
    if not wrong:
        return
    known: dict[str, str] = {}
    for pair in pairs:
        for output in _outputs(place, pair, options):
            if output in known:
                raise InputError(
                    f"two texts, {known[output]!r} and {pair.name!r}, would both become {output}: "
                    f"name them otherwise in a manifest"
                )
            if _digest(output) in wrong:
                known[output] = pair.name
    for name in chain(read[0], chain.from_iterable(map(_inputs, pairs))):
        if name in known:
            raise OptionError(
                f"{name}: is read, and would be written for {known[name]!r}: name another "
                f"folder (-o)"
            )
