"""Where the alignments of `bitext align` go: files in any format, a table of beads, JSON."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import InputError
from bitext.paths import is_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.cli.align.request import AlignRequest, Place
    from bitext.cli.align.texts import TextPair
    from bitext.formats.io.source import Notes
    from bitext.model import Alignment, Bitext, Note, Text

__all__ = [
    "BeadTotals",
    "FilteredAlignment",
    "filter_alignment",
    "find_outputs",
    "name_notes",
    "refuse_forbidden",
    "reported_losses",
    "text_output",
    "write",
]

# What no alignment has by itself, and what the texts that were read have.
_NO_LOSS = ("segments whose text is not written", "document pairs whose names")
_IN_TEXTS = frozenset(("paragraphs",))  # which links point into


def refuse_forbidden(texts: Sequence[Text], place: Place, request: AlignRequest) -> None:
    """Refuse texts with characters or ids that the format cannot hold, before the work.

    Raises
    ------
    InputError
        Naming the first of them.

    """
    from bitext.formats.xces.writing import refuse_ids
    from bitext.formats.xml.syntax import FORBIDDEN

    written = place.known.keeps
    if written.documents:
        _refuse_names([text.name for text in texts], place)
    if place.known.name == "xces":
        for text in texts:
            refuse_ids(text.ids if text.has_ids else [], text.name)
    if place.known.keeps_with_documents is not None and request.write_documents:
        written = place.known.keeps_with_documents
    if not written.texts or written.controls:
        return
    for text in texts:
        for number, sentence in enumerate(text.segments(), start=1):
            found = FORBIDDEN.search(sentence)
            if found is not None:
                raise InputError(
                    f"{text.name} sentence {number}: has the character U+{ord(found[0]):04X}, "
                    f"which XML forbids; take it out, or choose a format that is not XML, as jsonl"
                )


def _refuse_names(names: Sequence[str], place: Place) -> None:
    """Refuse names of files that the format cannot hold: bytes that are no UTF-8 among them."""
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{name}: its name is not UTF-8, and {place.known.name} holds the names of texts: "
                f"rename it, or choose another format (--to), as tmx"
            ) from None


def name_notes(place: Place) -> Iterator[str]:
    """Yield a note where the name of OUT may have been meant otherwise: its format, or a folder."""
    from bitext.formats.registry import by_suffix

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
    """Return the file of each text by its name, checked before the work.

    Raises
    ------
    InputError
        When two texts would go into one file, or a file is one that is read.

    """
    from bitext.formats.io.clashes import refuse_clashes

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
) -> None:
    """Write the alignments: all to one place, or each to its file in a folder."""
    from bitext.formats.convert.filters import without_blank
    from bitext.formats.io.remote import make_folder_of
    from bitext.formats.registry import WriteOptions
    from bitext.formats.writing import deliver

    folder = request.write_documents
    writing = WriteOptions(
        src_lang=request.src_lang,
        tgt_lang=request.tgt_lang,
        documents=None if folder is None else Path(folder),
    )
    if place.known.keeps_with_documents is not None and folder is None:
        bitexts = [
            _with_relative_names(bitext, output)
            for bitext, output in zip(bitexts, outputs, strict=True)
        ]
    if place.known.holds == "text":
        bitexts = [without_blank(bitext, losses) for bitext in bitexts]
    if not place.output.endswith("/"):
        base = _document_base(place.output, folder)
        deliver(bitexts, place.output, place.known, options=writing, losses=losses, base=base)
        return
    for bitext, output in zip(bitexts, outputs, strict=True):
        make_folder_of(output.partition(",")[0])
        try:
            deliver([bitext], output, place.known, options=writing, losses=losses)
        except InputError as error:  # of several texts, it is not plain which one it is
            if bitext.name and bitext.name not in str(error):
                raise InputError(f"{bitext.name}: {error}") from None
            raise


def _with_relative_names(bitext: Bitext, output: str) -> Bitext:
    """Return a bitext whose texts are named from the folder of its links, where they are under it.

    There those who read the links look for them.
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
    """Yield what the user should know is lost: not what the files that were read still have."""
    from bitext.formats.registry import LOSSES

    if place.known.holds == "positions":
        return
    links = place.known.holds != "text" and not request.write_documents
    told = request.src_lang or request.tgt_lang  # not only by the names of the files
    for note in losses.all():
        in_texts = links and note.kind in _IN_TEXTS
        named = note.kind == LOSSES["languages"] and not told
        if not (note.kind.startswith(_NO_LOSS) or in_texts or named):
            yield note


def _document_base(output: str, documents: str | None) -> Path | None:
    """Return what the names of documents are relative to: the folder of the links, if it can be."""
    from bitext.formats.opus_documents.writing import name_under

    if documents is None or output == "-" or "://" in output:
        return None
    beside = Path(output).parent
    return beside if name_under(Path(documents), beside) is not None else None


def text_output(place: Place, name: str, request: AlignRequest) -> str:
    """Return the file, or the two, of a text in the folder.

    Raises
    ------
    InputError
        When no file can have the name of the text.

    """
    from bitext.formats.io.remote import join

    given = name
    if ".." in PurePath(name).parts or PurePath(name).is_absolute():
        name = PurePath(name).name
    if not PurePath(name).name.strip("."):
        raise InputError(f"a text is named {given!r}, as no file can be: name it otherwise")
    if place.known.two_files and "," in name:
        raise InputError(
            f"a text is named {given!r}, and the two files of {place.known.name} are named with a "
            f"comma between: name it otherwise"
        )

    folder = place.output
    if place.known.two_files:
        ends = (request.src_lang or "src", request.tgt_lang or "tgt")
        return ",".join(f"{join(folder, name)}.{end}" for end in ends)
    suffixes = place.known.suffixes
    return f"{join(folder, name)}{suffixes[0] if suffixes else f'.{place.known.name}'}"


# What came of alignments: which beads are kept, and how many there are of which kind.

_DIGITS = 4  # of a probability
_SHOWN = 6  # kinds of beads


class FilteredAlignment(NamedTuple):
    """What is kept of the alignment of a text.

    Attributes
    ----------
    bitext : Bitext
        With the beads that are probable enough.
    numbers : list of int
        Which of all beads they are, counted from 1.
    left : int
        How many of all beads are none of them.
    empty : int
        How many are of empty sentences that were set aside.

    """

    bitext: Bitext
    numbers: list[int]
    left: int
    empty: int

    def counts(self) -> dict[str, Any]:
        """Return what `BeadTotals` takes of it, as for JSON."""
        scores = self.bitext.alignment.scores
        return {
            "beads": self.bitext.alignment.bead_types(),
            "sure": 0.0 if scores is None else float(scores.sum()) - self.empty,
            "left": self.left,
            "empty": self.empty,
        }


def filter_alignment(pair: TextPair, found: Alignment, request: AlignRequest) -> FilteredAlignment:
    """Return the bitext of an alignment of its texts without beads that are not probable enough."""
    import numpy as np

    from bitext.model import Alignment

    found, aligned = pair.on_whole(found)
    wanted = np.ones(len(found), dtype=bool)
    if request.min_score is not None and found.scores is not None:
        wanted = found.scores >= request.min_score
    kept = found if wanted.all() else found.select(wanted)
    if kept.scores is not None:  # digits that tell nothing are not written
        kept = Alignment.from_arrays(kept.src, kept.tgt, scores=np.round(kept.scores, _DIGITS))
    numbers = (np.flatnonzero(wanted) + 1).tolist()
    empty = int((wanted & ~aligned).sum())
    return FilteredAlignment(pair.bitext(kept), numbers, len(found) - len(kept), empty)


@dataclass(slots=True)
class BeadTotals:
    """How many beads of how many texts there are.

    Attributes
    ----------
    texts : int
    kinds : dict of str to int
        Beads by their kind.
    sure : float
        The sum of the probabilities of those that were aligned.
    left : int
        Beads that were left out.
    empty : int
        Beads of empty sentences, which are there for the sake of completeness.

    """

    texts: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    sure: float = 0.0
    left: int = 0
    empty: int = 0

    def add(self, counts: Mapping[str, Any]) -> None:
        """Take the counts of a text, as `Kept.counts` returns them."""
        self.texts += 1
        self.sure += counts["sure"]
        self.left += counts["left"]
        self.empty += counts["empty"]
        for kind, count in counts["beads"].items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count

    def told(self, seconds: float) -> str:
        """Return them in a line."""
        kinds, beads = self.kinds, sum(self.kinds.values())
        texts = "1 text" if self.texts == 1 else f"{self.texts:,} texts"
        if not beads:
            return f"no bead in {texts}"
        most = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
        shown = ", ".join(f"{kind}: {kinds[kind]:,}" for kind in most[:_SHOWN])
        more = ", ..." if len(most) > _SHOWN else ""
        took = f"; {seconds:,.0f} s" if seconds >= 1 else ""
        found = "1 bead" if beads == 1 else f"{beads:,} beads"
        judged = beads - self.empty
        sure = f"; mean probability {self.sure / judged:.3f}" if judged else ""
        return f"{found} of {texts} ({shown}{more}){sure}{took}"
