"""The outputs of `bitext align`: probable beads, counts, files in any format, losses, clashes."""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.cli.align.request import AlignRequest, Place
from bitext.cli.common import output_in
from bitext.cli.leftovers import notes_on_files_left
from bitext.errors import InputError, OptionError, few, many
from bitext.formats.io.output import refuse_clashes
from bitext.formats.io.remote import make_folder_of, two_files
from bitext.formats.io.source import Notes
from bitext.formats.registry import LOSSES, WriteOptions, by_suffix
from bitext.formats.subtitles.times import no_times
from bitext.formats.writing import deliver
from bitext.formats.xml import FORBIDDEN, forbidden_error
from bitext.model import Alignment, Bitext, Note, Text
from bitext.paths import is_file

if TYPE_CHECKING:
    from bitext.cli.align.inputs import FilePair, PairStream
    from bitext.cli.align.texts import TextPair


# The beads that are probable enough, and how many there are of each type.

_DIGITS = 4  # decimals of a probability in outputs, set by hand
_TYPES = 6  # bead types that the summary names, set by hand


class FilteredAlignment(NamedTuple):
    """The bitext of a text without improbable beads."""

    bitext: Bitext
    numbers: list[int]  # the number of each bead among all beads of the alignment, from 1
    dropped: int  # the number of improbable beads
    empty: int  # the number of beads of empty sentences, which no method aligned

    def counts(self) -> dict[str, Any]:
        """Return the counts that `BeadTotals.add` takes, as for JSON."""
        scores = self.bitext.alignment.scores
        return {
            "beads": self.bitext.alignment.bead_types(),
            "sure": None if scores is None else float(scores.sum()) - self.empty,
            "left": self.dropped,
            "empty": self.empty,
        }


def filter_alignment(
    pair: TextPair, alignment: Alignment, request: AlignRequest
) -> FilteredAlignment:
    """Drop beads below --min-score, and round the probabilities of the others."""
    whole, aligned = pair.on_whole(alignment)
    probable = np.ones(len(whole), dtype=bool)
    if request.min_score is not None and whole.scores is not None:
        probable = whole.scores >= request.min_score
    filtered = whole if probable.all() else whole.select(probable)
    if filtered.scores is not None:
        scores = np.round(filtered.scores, _DIGITS)
        filtered = Alignment.from_arrays(filtered.src, filtered.tgt, scores=scores)
    numbers = (np.flatnonzero(probable) + 1).tolist()
    empty = int((probable & ~aligned).sum())
    return FilteredAlignment(pair.bitext(filtered), numbers, len(whole) - len(filtered), empty)


def dropped_note(request: AlignRequest, dropped: int) -> str:
    """Return the note on beads below --min-score."""
    kind = "of a lower score than" if request.is_external else "less probable than"
    return f"left out: beads {kind} {request.min_score:g}: {dropped:,}"


@dataclass(slots=True)
class BeadTotals:
    """The beads of all texts."""

    texts: int = 0
    types: dict[str, int] = field(default_factory=dict)  # the number of beads of each type
    probability: float = 0.0  # the sum of the probabilities of aligned beads
    dropped: int = 0  # the number of improbable beads
    empty: int = 0  # the number of beads of empty sentences, which no method aligned
    # What the scores of beads are: `probability`, or `score` of a program or a plug-in.
    score: str = "probability"
    scored: bool = True  # whether the beads of all texts have scores

    def add(self, counts: Mapping[str, Any]) -> None:
        """Add the counts of a text, as in `FilteredAlignment.counts`."""
        self.texts += 1
        self.probability += counts["sure"] or 0.0
        self.scored = self.scored and counts["sure"] is not None
        self.dropped += counts["left"]
        self.empty += counts["empty"]
        for kind, count in counts["beads"].items():
            self.types[kind] = self.types.get(kind, 0) + count

    def summary(self, seconds: float) -> str:
        """Return the totals as one line."""
        count = sum(self.types.values())
        texts = many(self.texts, "text")
        if not count:
            return f"no bead in {texts}"
        frequent = sorted(self.types, key=lambda kind: (-self.types[kind], kind))
        shown = few([f"{kind}: {self.types[kind]:,}" for kind in frequent], _TYPES)
        took = f"; {seconds:,.0f} s" if seconds >= 1 else ""
        beads = many(count, "bead")
        aligned = count - self.empty
        scored = aligned and self.scored
        mean = f"; mean {self.score} {self.probability / aligned:.3f}" if scored else ""
        return f"{beads} of {texts} ({shown}){mean}{took}"


# The files of the alignments, and what they lose.

_NO_LOSS = ("segments whose text is not written", "document pairs whose names")
_IN_TEXTS = frozenset(
    ("paragraphs", "segments whose times are not written")
)  # no loss where links point into the texts, which have them


def refuse_documents(pair: TextPair, place: Place, request: AlignRequest) -> None:
    """Refuse documents for a format without texts, and texts without times for subtitles.

    The sentences of documents are in no file. Raises `InputError` with the name of the document.
    """
    if place.known.keeps_retimed is not None and all(text.times is None for text in pair.whole):
        raise no_times(pair.name)
    if pair.document and not place.known.keeps.texts and not request.write_documents:
        raise InputError(
            f"{pair.document}: its sentences are in no file, and {place.known.name} holds no "
            f"texts: choose a format with texts (tmx, jsonl, tsv), or xces with --write-documents"
        )


def refuse_forbidden(texts: Sequence[Text], place: Place, request: AlignRequest) -> None:
    """Refuse texts with characters or ids that the format cannot hold, before the work.

    Raises `InputError` with the name of the first such text.
    """
    written = place.known.keeps
    if written.documents:
        _refuse_names([text.name for text in texts], place)
    if place.known.name == "xces":
        from bitext.formats.xces.group import refuse_ids

        for text in texts:
            refuse_ids(text.ids if text.has_ids else [], text.name)
    if place.known.keeps_with_documents is not None and request.write_documents:
        written = place.known.keeps_with_documents
    if not written.texts or written.controls:
        return
    for text in texts:
        for number, sentence in enumerate(text.segments(), start=1):
            if FORBIDDEN.search(sentence):
                raise forbidden_error(f"{text.name} sentence {number}:", sentence)


def _refuse_names(names: Sequence[str], place: Place) -> None:
    """Refuse names of files that are not UTF-8, in a format that has the names of texts."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{name}: its name is not UTF-8, and {place.known.name} holds the names of texts: "
                f"rename it, or choose another format (--to), as tmx"
            ) from None


def name_notes(place: Place) -> Iterator[str]:
    """Yield notes on a name of OUT that suggests another format, or a file, not a folder."""
    if place.made:
        name = f"{place.output.rstrip('/')}{''.join(place.known.suffixes[:1])}"
        other = "" if place.known.holds == "positions" else f"; -o {name} is one file of all"
        yield f"{place.output} is made a folder, a file for each text{other}"
    named = None if place.output.endswith("/") else by_suffix(place.output)
    if named is not None and named.name != place.known.name:
        yield f"{place.output}: is written as {place.known.name}, and its name says {named.name}"


def find_outputs(
    place: Place, names: Sequence[str], inputs: Sequence[str], request: AlignRequest
) -> list[str]:
    """Return the output of each text, checked before the work.

    Raises `InputError` when two texts have one output, or an output is also an input.
    """
    if not place.output.endswith("/"):
        return [place.output] * len(names)
    outputs = [text_output(place, name, request) for name in names]
    known: dict[str, str] = {}
    for output, name in zip(outputs, names, strict=True):
        if output in known:
            both = f"{known[output]!r} and {name!r}"
            texts = f"two texts are named {both if known[output] != name else repr(name)}"
            raise InputError(
                f"{texts}, and both would become {output}: write one file, or name them otherwise "
                f"in a manifest"
            )
        known[output] = name
    refuse_clashes(inputs, outputs)
    return outputs


def write(
    bitexts: Sequence[Bitext],
    place: Place,
    outputs: Sequence[str],
    request: AlignRequest,
    losses: Notes,
    notes: Notes,
) -> None:
    """Write the alignments into one output, or each into its file of a folder.

    The losses of the format are added to `losses`, other remarks on an output to `notes`.
    """
    folder = request.write_documents
    writing = WriteOptions(
        src_lang=request.src_lang,
        tgt_lang=request.tgt_lang,
        retimed=request.retime,
        documents=None if folder is None else Path(folder),
        book=request.book_options(place.known),
        notes=notes,
    )
    if place.known.keeps_with_documents is not None and folder is None:
        bitexts = [
            _with_relative_names(bitext, output)
            for bitext, output in zip(bitexts, outputs, strict=True)
        ]
    if place.known.holds == "text":
        bitexts = [_without_blank(bitext, losses) for bitext in bitexts]
    if not place.output.endswith("/"):
        base = _document_base(place.output, folder)
        deliver(bitexts, place.output, place.known, options=writing, losses=losses, base=base)
        return
    for bitext, output in zip(bitexts, outputs, strict=True):
        make_folder_of(output.partition(",")[0])
        try:
            deliver([bitext], output, place.known, options=writing, losses=losses)
        except InputError as error:  # the message may not name which of several texts it is about
            if bitext.name and bitext.name not in str(error):
                raise InputError(f"{bitext.name}: {error}") from None
            raise


def _without_blank(bitext: Bitext, losses: Notes) -> Bitext:
    """Return a bitext without beads of empty sentences only, which become a loss."""
    texts = bitext.src, bitext.tgt
    if all(text is not None and all(map(str.strip, text.segments())) for text in texts):
        return bitext  # most texts have no empty sentence
    from bitext.formats.convert.filters import without_blank

    return without_blank(bitext, losses)


def _with_relative_names(bitext: Bitext, output: str) -> Bitext:
    """Name the texts relative to the folder of the links, where they are in it.

    Readers of links look for texts there.
    """
    if output == "-" or "://" in output:
        return bitext
    folder = Path(os.path.normpath(Path(output).absolute())).parent
    meta = dict(bitext.meta)
    for key, text in (("src_doc", bitext.src), ("tgt_doc", bitext.tgt)):
        name = meta.get(key) or ("" if text is None else text.name)
        path = Path(os.path.normpath(Path(name).absolute()))
        if name and path.is_relative_to(folder) and is_file(path):
            meta[key] = path.relative_to(folder).as_posix()
    return replace(bitext, meta=meta)


def reported_losses(place: Place, losses: Notes, request: AlignRequest) -> Iterator[Note]:
    """Yield the losses to report: all but those that the input files make good."""
    if place.known.holds == "positions":
        return
    links = place.known.holds != "text" and not request.write_documents
    given = request.src_lang or request.tgt_lang  # as options, not only by the names of files
    for note in losses.all():
        in_texts = links and note.kind in _IN_TEXTS
        named = note.kind == LOSSES["languages"] and not given
        if not (note.kind.startswith(_NO_LOSS) or in_texts or named):
            yield note


def _document_base(output: str, documents: str | None) -> Path | None:
    """Return the folder of the links, if the names of documents can be relative to it."""
    if documents is None or output == "-" or "://" in output:
        return None
    from bitext.formats.opus_documents.writing import name_under

    beside = Path(output).parent
    return beside if name_under(Path(documents), beside) is not None else None


def text_output(place: Place, name: str, request: AlignRequest) -> str:
    """Return the output of a text in a folder: a file, or two with a comma between.

    Raises `InputError` when no file can have the name of the text.
    """
    given = name
    if ".." in PurePath(name).parts or PurePath(name).is_absolute():
        name = PurePath(name).name
    if not PurePath(name).name.strip("."):
        raise InputError(
            f"a text is named {given!r}, which cannot be the name of a file: name it otherwise"
        )
    if place.known.two_files and "," in name:
        raise InputError(
            f"a text is named {given!r}, and the two files of {place.known.name} are named with a "
            f"comma between: name it otherwise"
        )

    return output_in(place.output, name, place.known, request.languages)


# The sample of a corpus, and clashes among its files, without a list of all names in memory.

# Set by hand. To learn from a sentence costs about as much as to align it.
_SENTENCE = 100  # bytes of a source sentence on average
# A sample is a third of the corpus, but 10,000 sentences at least.
_SHARE, _ENOUGH = 1 / 3, 10_000


class CorpusSurvey(NamedTuple):
    """The size of a corpus, and its sample."""

    texts: int  # the number of text pairs
    sample: list[tuple[int, FilePair]]  # pairs to learn from, numbered in the corpus
    notes: list[str]  # about files of other texts in the output folder


def survey_corpus(
    pairs: PairStream, place: Place | None, request: AlignRequest, *, learns: bool
) -> CorpusSurvey:
    """Check the outputs of a corpus for clashes, and choose its sample, if there is to be one.

    The sample depends on the corpus alone: it is the pairs whose numbers have the lowest hashes, up
    to the wanted number of sentences, estimated from the sizes of the source files. Without
    --learn-from that is a third of the corpus within limits. Of each name of a file only a digest
    of 8 bytes stays in memory.

    `place` is the output folder; `None` if nothing is aligned. With `learns` a sample is chosen.
    Raises `InputError` or `OptionError` when two texts have one output, or an output is also an
    input.
    """
    read, written, folders = array("Q"), array("Q"), set[str]()
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
            outputs = _outputs(place, pair, request)
            written.extend(map(_digest, outputs))
            folders.update(map(os.path.dirname, outputs))
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
            raise OptionError(f"{option} {name}: is one of the inputs or outputs: name another")
    notes = []
    if place is not None and count:
        _refuse_clashes(pairs, place, request, (manifest, read), written)
        notes = _notes_on_leftovers(place, folders, request, written)
    return CorpusSurvey(count, sorted((number, pair) for _, number, _, pair in chosen), notes)


def _notes_on_leftovers(
    place: Place, folders: set[str], request: AlignRequest, written: array[int]
) -> list[str]:
    if "://" in place.output:
        return []
    digests = np.sort(np.array(written))

    def is_output(path: str) -> bool:
        digest = _digest(path)
        found = np.searchsorted(digests, np.uint64(digest))
        return bool(found < len(digests) and digests[found] == digest)

    given = filter(None, (request.src, request.tgt))
    languages = request.languages
    return notes_on_files_left(request, folders, given, place.known, languages, is_output)


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
    output = text_output(place, pair.name, request)
    return [_absolute(each) for each in two_files(output) or (output,)]


def _inputs(pair: FilePair) -> list[str]:
    return [_absolute(pair.src), _absolute(str(pair.tgt))]


def _absolute(name: str) -> str:
    return name if "://" in name else os.path.abspath(name)  # noqa: PTH100 - a million of them; links are unread


def _refuse_clashes(
    pairs: PairStream,
    place: Place,
    request: AlignRequest,
    read: tuple[list[str], array[int]],
    written: array[int],
) -> None:
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
