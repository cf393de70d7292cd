"""Bitexts on their way into a file: its format, what is lost, the file whole or not there."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import PurePath
from typing import TYPE_CHECKING

from bitext.errors import OptionError
from bitext.formats.beads import ChunkPositions, name_of
from bitext.formats.io.output import write_together
from bitext.formats.io.remote import called, is_folder_at, local_path, size_at, two_files
from bitext.formats.io.source import Notes
from bitext.formats.languages import in_one_pair, note_exchanged
from bitext.formats.losses import count_losses, has_names
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from bitext.model import Bitext

__all__ = ["deliver", "sizes_of", "writable"]


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
