"""Bitexts on their way into a file: its format, what is lost, the file whole or not there."""

from __future__ import annotations

import re
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from bitext.formats.beads import ChunkPosition, name_of
from bitext.formats.line_files import has_breaks
from bitext.formats.registry import (
    LOSSES,
    Capabilities,
    kind_of_column,
)
from bitext.formats.xml.syntax import FORBIDDEN, has_forbidden
from bitext.kernels.rows import out_of_order, repeated, row_of, with_gaps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from bitext.formats.io.source import Notes
    from bitext.kernels.rows import Rows
    from bitext.model import Alignment, Bitext, Text

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from bitext.errors import OptionError
from bitext.formats.beads import ChunkPositions
from bitext.formats.io.output import write_together
from bitext.formats.io.remote import called, is_folder_at, local_path, size_at, two_files
from bitext.formats.io.source import Notes
from bitext.formats.languages import in_one_pair, note_exchanged
from bitext.formats.registry import (
    EMPTY,
    MERGED,
    Format,
    WriteOptions,
    all_formats,
    by_name,
    by_suffix,
    nearest_suffix,
)
from bitext.option_names import remedy
from bitext.paths import is_there

__all__ = ["count_losses", "deliver", "has_names", "sizes_of", "writable"]


def writable(path: str, name: str | None) -> Format:
    """Return the format to write a file in: that of the name given, else that its own name tells.

    Raises
    ------
    OptionError
        When there is none, it cannot be written, or two files are named and it is one.

    """
    known = by_name(name) if name else None
    if known is None:
        known = by_name("moses") if two_files(path) else by_suffix(called(path))
    if known is None:
        those = ", ".join(name for name, each in all_formats().items() if each.write)
        near = nearest_suffix(called(path))
        hint = f"did you mean {near}? " if near else ""
        raise OptionError(
            f"{path}: its name tells no format; {hint}name it ({remedy('to')}), one of: {those}"
        )
    if known.write is None:
        raise OptionError(f"format {known.name!r} can be read but not written")
    if not known.two_files and _is_two_files(path):
        raise OptionError(
            f"{path}: names two files, and {known.name} is one: name one, or choose a format of "
            f"two files ({remedy('to moses', 'to natools')})"
        )
    return known


def _is_two_files(path: str) -> bool:
    """Tell whether a name is of two files, and neither a folder nor named as a file of a format."""
    file = PurePath(called(path)).name
    if path.endswith(("/", os.sep)) or "," not in file or by_suffix(file):
        return False
    return two_files(path) is not None and not is_folder_at(path)


def deliver(
    bitexts: Iterable[Bitext],
    path: str,
    known: Format,
    *,
    options: WriteOptions | None = None,
    losses: Notes | None = None,
    notes: Notes | None = None,
    finish: Callable[[], None] | None = None,
    base: Path | None = None,
) -> None:
    """Write bitexts to a file, or two, which appear when they are whole.

    So do the documents that the options ask for, just before the file that points into them.

    Parameters
    ----------
    bitexts : iterable of Bitext
        One after another; it is asked for the next when the last is written.
    path : str
        The file, `-` for standard output; two files as `a,b`.
    known : Format
        One that can be written.
    options : WriteOptions, optional
        Those of the writer.
    losses : Notes, optional
        Takes the counts of what the format cannot hold, as it goes.
    notes : Notes, optional
        Takes what is odd about the names of the files.
    finish : callable, optional
        Is called when all is written and before the file appears; an error that it raises leaves
        no file, and no documents.
    base : Path, optional
        The folder that the names of documents in the file are relative to, where the documents
        lie under it. Default: their own folder.

    Raises
    ------
    InputError
        When a bitext lacks what the format needs, or the file cannot be written.
    OptionError
        When the format is two files and one is named.

    """
    options = options or WriteOptions()
    items = bitexts if losses is None else _counted(bitexts, known, options, losses)
    pair = two_files(path) if known.two_files else None
    if known.two_files and pair is None:
        raise OptionError(f"{path}: {known.name} is two files: name them as a.en,a.fr")
    asked, notes = (options.src_lang, options.tgt_lang), Notes() if notes is None else notes
    if all(asked):
        items = note_exchanged(items, asked, notes)
    if known.holds == "text" and not known.kept(options).languages:
        items = in_one_pair(items, asked, known.name, pair, notes)
    # Standard output cannot be taken back: it waits where the end may be an error.
    held_back = finish is not None or options.documents is not None
    with ExitStack() as stack:
        publish = None
        if options.documents is not None and known.keeps_with_documents is not None:
            from bitext.formats.opus_documents.writing import documents_aside

            options, publish = stack.enter_context(
                documents_aside(options, options.documents, base=base)
            )
        outs = stack.enter_context(
            write_together(pair or (path,), binary=known.binary, held_back=held_back)
        )
        if known.write is not None:
            known.write(items, *outs, options=options)
        if finish is not None:
            finish()
        if publish is not None:
            publish()


def sizes_of(output: str) -> list[int]:
    """Return the sizes in bytes of an output, or of its two files, here or at a place.

    -1 is for what is not there, -2 for what is there and does not tell.

    Raises
    ------
    InputError
        When a place cannot be reached.

    """
    found: list[int] = []
    for name in two_files(output) or (output,):
        path = local_path(name)
        if path is None:
            size = size_at(name)
            found.append(-1 if size is None else -2 if size < 0 else size)
        else:
            found.append(path.stat().st_size if is_there(path) else -1)
    return found


def _counted(
    bitexts: Iterable[Bitext], known: Format, options: WriteOptions, losses: Notes
) -> Iterator[Bitext]:
    """Yield the bitexts, and count what of each is lost."""
    keeps = known.kept(options)
    first, places = True, ChunkPositions()
    seen: set[int] = set()  # hashes of the names that tell document pairs apart
    void = ""  # the name of a document pair that has no bisegment so far
    alone = True  # whether it is the first one, and has no names that would be lost
    for k, bitext in enumerate(bitexts):
        if not bitext.continues:
            if void:
                losses.add(EMPTY, void)
            void = "" if keeps.empty_documents else name_of(bitext)
            alone = k == 0 and not has_names(bitext)
        if len(bitext.alignment):
            void = ""
        first = k == 0 or (first and bitext.continues)
        count_losses(bitext, keeps, losses, first=first, place=places.of(bitext))
        if keeps.named is not None and not bitext.continues and (name := keeps.named(bitext)):
            if hash(name) in seen:
                losses.add(MERGED, bitext.name or name)
            seen.add(hash(name))
        yield bitext
    if void and not alone:
        losses.add(EMPTY, void)


# What a format cannot say, and how much of a bitext is lost when it is written.
#
# Each format declares its `Capabilities`; what a bitext has of the rest is counted here, in one
# place, so that every conversion tells its losses in the same words. The tests of the formats hold
# each declaration against what comes back.

_Side = Literal["source", "target"]
_AT_FIRST = ChunkPosition()
_DOCS = ("src_doc", "tgt_doc")
_NUMBER = re.compile(r"#\d+\Z")  # of a group without documents, by which it is named


def count_losses(
    bitext: Bitext,
    keeps: Capabilities,
    losses: Notes,
    *,
    first: bool = True,
    place: ChunkPosition = _AT_FIRST,
) -> None:
    """Count what is lost of a bitext in a format, by kind, with the first case of each.

    The cost is linear in the bitext, but for a sort where segments repeat or are out of order.

    Parameters
    ----------
    bitext : Bitext
        A document pair, or a part of one.
    keeps : Capabilities
        What the format holds.
    losses : Notes
        Takes the counts.
    first : bool
        Whether it is, or is of, the first document pair of the file.
    place : Place
        How much of its document pair came before it.

    """
    where = name_of(bitext)
    part = _Part(bitext, keeps, place)
    lost = keeps.lost()
    if not keeps.empty_values or keeps.unwritten is not None:
        lost += _KINDS
    for name in dict.fromkeys(lost):
        for count, case in _COUNTS[name](part):
            if count and not (name == "documents" and first):
                losses.add(LOSSES[name], f"{where}{case and ': '}{case}", count)


class _Part(NamedTuple):
    """A bitext, or a part of one, and what is kept of it."""

    bitext: Bitext
    keeps: Capabilities
    place: ChunkPosition

    @property
    def alignment(self) -> Alignment:
        return self.bitext.alignment

    def texts(self) -> Iterator[tuple[_Side, Text, Rows]]:
        sides: tuple[tuple[_Side, Text | None, Rows], ...] = (
            ("source", self.bitext.src, self.alignment.src),
            ("target", self.bitext.tgt, self.alignment.tgt),
        )
        for side, text, rows in sides:
            if text is not None:
                yield side, text, rows

    def segment(self, side: _Side, k: int) -> str:
        return self.place.segment(self.bitext, side, int(k))

    def marked(self, found: NDArray[np.bool_]) -> Iterator[tuple[int, str]]:
        count = int(found.sum())
        if count:
            yield count, self.place.bead(self.bitext, int(found.argmax()))


def _texts(part: _Part) -> Iterator[tuple[int, str]]:
    # Texts that files of their own hold are not lost.
    if part.bitext.meta.get("holds", "text") == "text":
        for side, text, _ in part.texts():
            if text.has_text:
                yield len(text), part.segment(side, 0) if len(text) else ""


def _borders(part: _Part) -> Iterator[tuple[int, str]]:
    a = part.alignment
    several = (a.src.lengths > 1) | (a.tgt.lengths > 1)
    if part.keeps.whole is not None and several.any():
        several &= ~part.keeps.whole(part.bitext)
    yield from part.marked(several)


def _empty_sides(part: _Part) -> Iterator[tuple[int, str]]:
    a = part.alignment
    yield from part.marked((a.src.lengths == 0) | (a.tgt.lengths == 0))


def _empty_segments(part: _Part) -> Iterator[tuple[int, str]]:
    for side, text, rows in part.texts():
        if text.has_text and not all(text.segments()):
            bare = (text.lengths() == 0)[rows.idx]
            if part.keeps.whole is not None and bare.any():
                bare &= ~part.keeps.whole(part.bitext)[row_of(rows)]
            if bare.any():
                yield int(bare.sum()), part.segment(side, int(rows.idx[bare.argmax()]))


def _crossings(part: _Part) -> Iterator[tuple[int, str]]:
    a = part.alignment
    yield from part.marked(out_of_order(a.src) | out_of_order(a.tgt))


def _gaps(part: _Part) -> Iterator[tuple[int, str]]:
    a = part.alignment
    yield from part.marked(with_gaps(a.src) | with_gaps(a.tgt))


def _overlaps(part: _Part) -> Iterator[tuple[int, str]]:
    a = part.alignment
    sides: tuple[tuple[_Side, Rows], ...] = (("source", a.src), ("target", a.tgt))
    for side, rows in sides:
        again = rows.idx[repeated(rows)]
        if again.size:
            yield int(np.unique(again).size), part.segment(side, again[0])


def _uncovered(part: _Part) -> Iterator[tuple[int, str]]:
    for side, text, rows in part.texts():
        held = np.zeros(len(text), dtype=np.bool_)
        held[rows.idx] = True
        if not held.all():
            yield int((~held).sum()), part.segment(side, int(held.argmin()))


def _ids(part: _Part) -> Iterator[tuple[int, str]]:
    for side, text, _ in part.texts():
        if text.has_ids and len(text):
            yield len(text), part.segment(side, 0)


def _scores(part: _Part) -> Iterator[tuple[int, str]]:
    if part.alignment.scores is not None:
        yield from part.marked(~np.isnan(part.alignment.scores))


def _values(kind: str, part: _Part) -> Iterator[tuple[int, str]]:
    if kind == "other_languages":  # a text of each language, however many segments it has
        columns = part.alignment.attributes
        lost = {name: columns[name] for name in columns if not part.keeps.keeps_column(name)}
        new = part.place.new_languages(lost)
        yield len(new), ", ".join(new)
    for name, column in part.alignment.attributes.items():
        if kind_of_column(name) == kind:
            if not part.keeps.keeps_column(name):
                if kind != "other_languages":
                    yield len(column) - column.count(None), name
            elif not part.keeps.empty_values and "" in column:
                case = f"{name} of bisegment {column.index('')}, without characters"
                yield column.count(""), case
            elif part.keeps.unwritten is not None:
                found = part.keeps.unwritten(part.bitext, name)
                for count, case in part.marked(found):
                    yield count, f"{name} of {case}"


def _documents(part: _Part) -> Iterator[tuple[int, str]]:
    if not part.bitext.continues:
        yield 1, ""


def has_names(bitext: Bitext) -> bool:
    """Tell whether a document pair, or one of its documents, has a name that nothing else tells."""
    return any(map(bitext.meta.get, _DOCS)) or bool(_own_name(bitext))


def _document_names(part: _Part) -> Iterator[tuple[int, str]]:
    if part.bitext.continues:
        return
    told = {name: part.bitext.meta.get(name, "") for name in _DOCS} | {
        "name": _own_name(part.bitext)
    }
    kept = {part.bitext.name if name == "name" else told[name] for name in part.keeps.names}
    lost = [name for key, name in told.items() if key not in part.keeps.names and name not in kept]
    if any(lost):
        yield 1, next(filter(None, lost))


def _own_name(bitext: Bitext) -> str:
    """Return the name of a document pair; empty where something else tells it.

    That is so where it comes from the names of the documents, of the file, or of the corpus.
    """
    name, meta = bitext.name, bitext.meta
    stem = PurePath(meta.get("path", "")).name.partition(".")[0]
    derived = any(map(meta.get, _DOCS)) or name == meta.get("corpus_name", "")
    numbered = stem and _NUMBER.sub("", name) == stem
    return "" if derived or numbered else name


def _languages(part: _Part) -> Iterator[tuple[int, str]]:
    if not part.bitext.continues:
        for side, text, _ in part.texts():
            yield bool(text.lang), f"{side}: {text.lang}"


def _markup(part: _Part) -> Iterator[tuple[int, str]]:
    for side, text, _ in part.texts():
        if text.marked is not None:
            known = [k for k, marked in enumerate(text.marked) if marked is not None]
            yield len(known), part.segment(side, known[0])


_BREAK = re.compile("[\t\n\r]")


def _breaks(part: _Part) -> Iterator[tuple[int, str]]:
    if any(has_breaks(list(text.segments())) for _, text, _ in part.texts()):
        yield from _matching(part, _BREAK)
    for name, column in part.alignment.attributes.items():
        if part.keeps.keeps_column(name) and _BREAK.search("\0".join(filter(None, column))):
            found = [k for k, value in enumerate(column) if value and _BREAK.search(value)]
            yield len(found), f"{name} of bisegment {found[0]}"


def _controls(part: _Part) -> Iterator[tuple[int, str]]:
    if any(has_forbidden("".join(text.segments())) for _, text, _ in part.texts()):
        yield from _matching(part, FORBIDDEN)


def _matching(part: _Part, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Count the segments in which a pattern is found; it finds single characters."""
    for side, text, rows in part.texts():
        line = text.line or ""
        places = np.fromiter((found.start() for found in pattern.finditer(line)), np.int64)
        which = np.searchsorted(text.ends, places, side="right")
        inside = which < len(text)
        which, places = which[inside], places[inside]
        which = np.unique(which[text.starts[which] <= places])
        which = which[np.isin(which, rows.idx)]
        if which.size:
            yield int(which.size), part.segment(side, int(which[0]))


def _paragraphs(part: _Part) -> Iterator[tuple[int, str]]:
    if part.bitext.meta.get("holds", "text") == "text":
        for side, text, _ in part.texts():
            if text.paragraphs is not None:
                yield len(text.paragraphs.masses), side


_KINDS = ("attributes", "other_languages", "words")  # of columns
_COUNTS: dict[str, Callable[[_Part], Iterator[tuple[int, str]]]] = {
    "texts": _texts,
    "borders": _borders,
    "empty_sides": _empty_sides,
    "empty_segments": _empty_segments,
    "crossings": _crossings,
    "gaps": _gaps,
    "overlaps": _overlaps,
    "uncovered": _uncovered,
    "ids": _ids,
    "scores": _scores,
    "attributes": partial(_values, "attributes"),
    "documents": _documents,
    "document_names": _document_names,
    "languages": _languages,
    "other_languages": partial(_values, "other_languages"),
    "markup": _markup,
    "words": partial(_values, "words"),
    "breaks": _breaks,
    "controls": _controls,
    "paragraphs": _paragraphs,
}
