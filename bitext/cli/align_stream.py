"""The texts of a corpus of any size, one after another: never all of them are held."""

from __future__ import annotations

import os
from array import array
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from bitext.cli.align_output import file_in
from bitext.cli.align_pairs import FilePair, find_pairs, manifest_pairs
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from bitext.cli.align_output import Place

__all__ = ["PairStream", "Survey", "survey"]

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
    from bitext.formats.opening import two_files

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
