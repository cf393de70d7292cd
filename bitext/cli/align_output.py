"""Where the alignments of `bitext align` go: files in any format, a table of beads, JSON."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.formats.opening import Notes
    from bitext.formats.registry import Format
    from bitext.model import Bitext, Text

__all__ = [
    "Place",
    "bead_rows",
    "bead_table",
    "file_in",
    "find_outputs",
    "find_place",
    "misnamed",
    "refuse_forbidden",
    "write",
]

_COLUMNS = 100  # of what is no terminal
_LEAST = 16  # columns that a text gets at least
_WORD_LINKS = frozenset(("giza", "naacl", "pharaoh"))  # formats that nothing else goes into


class Place(NamedTuple):
    """Where alignments go, and as what.

    Attributes
    ----------
    output : str
        A file, a folder (ends with `/`), or `-`.
    known : Format

    """

    output: str
    known: Format


def find_place(options: argparse.Namespace, inputs: Sequence[str], *, many: bool) -> Place | None:
    """Return where to write, checked before the work; `None` where the alignment is shown.

    Parameters
    ----------
    options : Namespace
    inputs : sequence of str
        The files that are read, none of which may be written.
    many : bool
        Whether there are several texts.

    Raises
    ------
    InputError, OptionError
        When the place cannot be, or the format does not fit.

    """
    from bitext.formats.delivery import writable
    from bitext.formats.opening import two_files
    from bitext.formats.places import local_path, refuse_place
    from bitext.formats.writing import refuse_same

    refuse_place(options.write_documents, "documents are written here only")
    output = options.output or ("-" if options.to else "")
    if options.save_lexicon:
        refuse_same(inputs, [options.save_lexicon])
    if not output:
        if options.write_documents:
            raise OptionError("--write-documents is for xces: give -o OUT.xml")
        return None
    folder = output != "-" and (output.endswith(("/", os.sep)) or _is_folder(output))
    if folder and not options.to:
        raise OptionError(f"OUT is the folder {output}: name the format of its files (--to)")
    plain = not options.to and output.lower().endswith(".xml") and not _told(output)
    known = writable(output, "xces" if plain else options.to or None)
    _check_place(output, known, folder=folder)
    if options.write_documents is not None:
        if known.keeps_with_documents is None or folder:
            raise OptionError(
                f"--write-documents is for one file of xces, and OUT is {output} ({known.name}): "
                f"leave it out"
            )
    elif options.split and known.holds != "text":
        raise OptionError(
            f"--split makes sentences that are in no file, and {known.name} holds no texts: choose "
            f"a format with texts (tmx, jsonl, tsv), or xces with --write-documents"
        )
    if folder:
        return Place(f"{output.rstrip('/' + os.sep)}/", known)
    if many and known.holds == "positions":
        raise OptionError(
            f"{output}: {known.name} holds one text, and there are several: name a folder "
            f"(-o aligned/ --to {known.name})"
        )
    names = two_files(output) or (output,)
    refuse_same([*inputs, *([options.save_lexicon] if options.save_lexicon else [])], names)
    for name in names:
        here = None if name == "-" else local_path(name)
        if here is not None and not here.parent.is_dir():
            raise InputError(f"{name}: no folder {here.parent}; make it first")
    return Place(output, known)


def _check_place(output: str, known: Format, *, folder: bool) -> None:
    """Refuse a format that holds no sentences, and a file where a folder is wanted."""
    from bitext.formats.places import local_path

    if known.name in _WORD_LINKS:
        raise OptionError(
            f"{known.name} holds links of words, and sentences are aligned here: choose another "
            f"format (--to)"
        )
    here = local_path(output) if folder else None
    for place in () if here is None else (here, *here.parents):
        if place.exists():
            if not place.is_dir():
                raise InputError(f"{output}: {place} is a file; name another folder (-o)")
            return


def refuse_forbidden(texts: Sequence[Text], place: Place, options: argparse.Namespace) -> None:
    """Refuse texts with characters that the format cannot hold, before the work.

    Raises
    ------
    InputError
        Naming the first of them.

    """
    from bitext.formats.forbidden import FORBIDDEN

    written = place.known.keeps
    if place.known.keeps_with_documents is not None and options.write_documents:
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


def misnamed(place: Place) -> Iterator[str]:
    """Yield a note where the name of a file says another format than it gets."""
    from bitext.formats.registry import by_suffix

    named = None if place.output.endswith("/") else by_suffix(place.output)
    if named is not None and named.name != place.known.name:
        yield f"{place.output}: is written as {place.known.name}, and its name says {named.name}"


def _is_folder(output: str) -> bool:
    from bitext.formats.opening import two_files
    from bitext.formats.places import is_folder

    return not ("://" in output and two_files(output)) and is_folder(output)


def _told(output: str) -> bool:
    from bitext.formats.registry import by_suffix

    return by_suffix(output) is not None


def find_outputs(
    place: Place, names: Sequence[str], inputs: Sequence[str], options: argparse.Namespace
) -> list[str]:
    """Return the file of each text by its name, checked before the work.

    Raises
    ------
    InputError
        When two texts would go into one file, or a file is one that is read.

    """
    from bitext.formats.opening import two_files
    from bitext.formats.writing import refuse_same

    if not place.output.endswith("/"):
        return [place.output] * len(names)
    outputs = [file_in(place, name, options) for name in names]
    known: dict[str, None] = {}
    for output, name in zip(outputs, names, strict=True):
        if output in known:
            raise InputError(
                f"two texts are named {name!r}, and both would become {output}: write one file, or "
                f"name them in a manifest"
            )
        known[output] = None
    refuse_same(inputs, [each for output in outputs for each in two_files(output) or (output,)])
    return outputs


def write(
    bitexts: Sequence[Bitext],
    place: Place,
    outputs: Sequence[str],
    options: argparse.Namespace,
    losses: Notes,
) -> None:
    """Write the alignments: all to one place, or each to its file in a folder."""
    from bitext.formats.delivery import deliver
    from bitext.formats.places import make_folder_of
    from bitext.formats.registry import WriteOptions

    folder = options.write_documents
    writing = WriteOptions(
        src_lang=options.src_lang,
        tgt_lang=options.tgt_lang,
        documents=None if folder is None else Path(folder),
    )
    if not place.output.endswith("/"):
        base = _base(place.output, folder)
        deliver(bitexts, place.output, place.known, options=writing, losses=losses, base=base)
        return
    for bitext, output in zip(bitexts, outputs, strict=True):
        make_folder_of(output.partition(",")[0])
        deliver([bitext], output, place.known, options=writing, losses=losses)


def _base(output: str, documents: str | None) -> Path | None:
    """Return what the names of documents are relative to: the folder of the links, if it can be."""
    from bitext.formats.documents_writing import name_under

    if documents is None or output == "-" or "://" in output:
        return None
    beside = Path(output).parent
    return beside if name_under(Path(documents), beside) is not None else None


def file_in(place: Place, name: str, options: argparse.Namespace) -> str:
    """Return the file, or the two, of a text in the folder."""
    if ".." in PurePath(name).parts or PurePath(name).is_absolute():
        name = PurePath(name).name
    from bitext.formats.places import join

    folder = place.output
    if place.known.two_files:
        ends = (options.src_lang or "src", options.tgt_lang or "tgt")
        return ",".join(f"{join(folder, name)}.{end}" for end in ends)
    suffixes = place.known.suffixes
    return f"{join(folder, name)}{suffixes[0] if suffixes else f'.{place.known.name}'}"


def bead_rows(bitexts: Sequence[Bitext]) -> Iterator[dict[str, Any]]:
    """Yield what is told of each bead; beads are counted from 1 in each text."""
    for bitext in bitexts:
        src, tgt = bitext.src, bitext.tgt
        if src is None or tgt is None:
            continue
        texts = [list(side.segments()) for side in (src, tgt)]
        names = [side.ids for side in (src, tgt)]
        scores = bitext.alignment.scores
        for k, bead in enumerate(bitext.alignment):
            yield {
                "text": bitext.name,
                "bead": k + 1,
                "type": bead.type,
                "score": None if scores is None else round(float(scores[k]), 4),
                "src": [names[0][s] for s in bead.src],
                "tgt": [names[1][t] for t in bead.tgt],
                "src_text": [texts[0][s] for s in bead.src],
                "tgt_text": [texts[1][t] for t in bead.tgt],
            }


def bead_table(bitexts: Sequence[Bitext], style: str) -> str:
    """Return the beads as a table; on a terminal texts are cut to its width."""
    from bitext.reports.table import Table, number

    named = ["text"] if len(bitexts) > 1 else []
    head = [*named, "bead", "type", "score", "src", "tgt", "source text", "target text"]
    table = Table(head, right={len(named), len(named) + 2}, quiet=set(range(len(named))))
    rows = list(bead_rows(bitexts))
    room = _room(rows, named) if style == "table" else 0
    for row in rows:
        score = "-" if row["score"] is None else number(row["score"])
        texts = [_cut(" ".join(row[side]), room) for side in ("src_text", "tgt_text")]
        ids = [_cut(" ".join(row[side]), 40 if room else 0) or "-" for side in ("src", "tgt")]
        mine = [row["text"]] if named else []
        table.rows.append([*mine, str(row["bead"]), row["type"], score, *ids, *texts])
    return table.render(style)


def _room(rows: list[dict[str, Any]], named: list[str]) -> int:
    """Return the columns that each of the two texts may take."""
    wide = shutil.get_terminal_size((_COLUMNS, 24)).columns if sys.stdout.isatty() else _COLUMNS
    taken = 2 * (6 + len(named)) + len("bead  type") + len("0.0000")
    for column in (*named, "src", "tgt"):
        cells = (row[column] if column == "text" else " ".join(row[column]) for row in rows)
        taken += min(40, max((len(cell) for cell in cells), default=0))
    return max(_LEAST, (wide - taken) // 2)


def _cut(text: str, room: int) -> str:
    """Cut a text that takes more columns than there are; no room: leave it whole."""
    if not room or len(text) * 2 <= room:
        return text
    from bitext.reports.table import width

    text = text[: room + 1]
    if width(text) <= room:
        return text
    while width(text) > room - 1:
        text = text[:-1]
    return f"{text}…"
