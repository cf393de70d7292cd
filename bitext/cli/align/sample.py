"""The sample of a corpus, and clashes among its files, without a list of all names in memory.

Apart from `corpus`, its only importer, which would be too long with it.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from heapq import heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from bitext.cli.align.outputs import text_output
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    from bitext.cli.align.inputs import FilePair, PairStream
    from bitext.cli.align.request import AlignRequest, Place

# Set by hand. To learn from a sentence costs about as much as to align it.
_SENTENCE = 100  # bytes of a source sentence on average
# A sample is a third of the corpus, but 10,000 sentences at least.
_SHARE, _ENOUGH = 1 / 3, 10_000


class CorpusSurvey(NamedTuple):
    """The size of a corpus, and its sample."""

    texts: int  # the number of text pairs
    # Pairs to learn from with their numbers, in the order of the corpus.
    sample: list[tuple[int, FilePair]]


def survey_corpus(
    pairs: PairStream, place: Place | None, request: AlignRequest, *, learns: bool
) -> CorpusSurvey:
    """Check the outputs of a corpus for clashes, and choose its sample.

    The sample depends on the corpus alone: it is the pairs whose numbers have the lowest hashes, up
    to the wanted number of sentences, estimated from the sizes of the source files. Without
    --learn-from that is a third of the corpus within limits. Of each name of a file only a digest
    of 8 bytes stays in memory.

    Parameters
    ----------
    place : Place or None
        The output folder; `None` where nothing is aligned.
    learns : bool
        Whether there is a sample.

    Raises
    ------
    InputError, OptionError
        When two texts have one output, or an output is also an input.

    """
    read, written = array("Q"), array("Q")
    options = ("--save-lexicon", request.save_lexicon), ("--journal", request.journal)
    ours = {option: name for option, name in options if name}
    manifest = [_absolute(request.src)] if request.tgt is None else []
    read.extend(map(_digest, manifest))
    chosen: list[tuple[int, int, int, FilePair]] = []
    total = count = 0
    sentences = request.sample_size if learns else 0
    for number, pair in enumerate(pairs):
        count += 1
        if place is not None:
            written.extend(map(_digest, _outputs(place, pair, request)))
        if place is not None or ours:
            read.extend(map(_digest, _inputs(pair)))
        rank = -_digest(str(number))  # the highest hash is on top
        if total < sentences or (chosen and rank > chosen[0][0]):
            many = sentence_estimate(pair.src)
            heappush(chosen, (rank, number, many, pair))
            total += many
            while total - chosen[0][2] >= sentences:
                total -= heappop(chosen)[2]
    if request.learn_from is None and chosen:
        enough = max(_ENOUGH, _SHARE * total * count / len(chosen))
        while total - chosen[0][2] >= enough:
            total -= heappop(chosen)[2]
    for option, name in ours.items():
        digest = _digest(_absolute(name))
        if digest in read or digest in written:
            raise OptionError(
                f"{option} {name}: is a file of the texts, or of what is made of them: name another"
            )
    if place is not None and count:
        _refuse_clashes(pairs, place, request, (manifest, read), written)
    return CorpusSurvey(count, sorted((number, pair) for _, number, _, pair in chosen))


def _digest(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def sentence_estimate(path: str) -> int:
    """Estimate the number of sentences of a file from its size; 1 at least, or without a file."""
    try:
        return 1 + os.stat(path).st_size // _SENTENCE  # noqa: PTH116 - a million of them
    except (OSError, ValueError):
        return 1


def _outputs(place: Place, pair: FilePair, request: AlignRequest) -> list[str]:
    """Return the absolute paths of the output of a text."""
    from bitext.formats.io.remote import two_files

    output = text_output(place, pair.name, request)
    return [_absolute(each) for each in two_files(output) or (output,)]


def _inputs(pair: FilePair) -> list[str]:
    return [_absolute(pair.src), _absolute(str(pair.tgt))]


def _absolute(name: str) -> str:
    return name if "://" in name else os.path.abspath(name)  # noqa: PTH100 - a million of them; links are not looked at


def _refuse_clashes(
    pairs: PairStream,
    place: Place,
    request: AlignRequest,
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
        for output in _outputs(place, pair, request):
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
