"""Files that an earlier run, with texts that are gone since, left in a folder of outputs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from bitext.cli.common import files_named
from bitext.errors import FormatError, InputError, few
from bitext.paths import is_file, is_folder, names_in

if TYPE_CHECKING:
    from bitext.cli.request import ReadingRequest
    from bitext.formats.registry import Format

_VAGUE = 20  # what `sniff` gives JSON lines of any keys: files of other commands, too


def files_with(endings: tuple[str, ...], folders: Iterable[str]) -> list[str]:
    """List the files in folders with one of the endings, without hidden ones, in order."""
    from bitext.formats.io.compression import unpacked

    return sorted(
        f"{folder}/{name}"
        for folder in folders
        for name in names_in(folder)
        if not name.startswith(".") and unpacked(name).endswith(endings)
    )


def notes_on_leftovers(
    request: ReadingRequest,
    outputs: Sequence[str],
    operands: Iterable[str | None],
    known: Format,
    langs: tuple[str, str] | None = None,
) -> list[str]:
    """Return a note on files that an earlier run, with other texts, left in a folder (-o).

    `outputs` are the files to write in the folder, with their format and languages (default: those
    of the request). `operands` are the files and folders that the user names: one text alone, of no
    folder, is hardly all that the outputs are to be, and gets no note.
    """
    from bitext.formats.io.remote import two_files

    named = [name for name in operands if name]
    if "://" in request.output or (len(outputs) == 1 and not any(map(is_folder, named))):
        return []
    written = {
        os.path.abspath(file)  # noqa: PTH100 - links stay links
        for output in outputs
        for file in two_files(output) or (output,)
    }
    folders = {os.path.dirname(file) for file in written}  # noqa: PTH120
    langs = langs or request.languages
    return notes_on_files_left(request, folders, named, known, langs, written.__contains__)


def notes_on_files_left(
    request: ReadingRequest,
    folders: set[str],
    operands: Iterable[str],
    known: Format,
    langs: tuple[str, str],
    is_output: Callable[[str], bool],
) -> list[str]:
    """Return the note of `notes_on_leftovers` on the folders of outputs, which are absolute.

    Folders with operands are where the user works, and have other files, too. Where the run
    replaces no output, no earlier run was of these texts: volumes are written side by side.
    """
    from bitext.formats.io.source import open_source
    from bitext.formats.registry import ONLY_WRITTEN

    by_name_alone = known.two_files or known.name in ONLY_WRITTEN
    others = {os.path.abspath(name) for name in request.outputs if name}  # noqa: PTH100

    def may_be_ours(path: str) -> bool:
        with suppress(FormatError, InputError), open_source(path) as source:
            return by_name_alone or known.sniff(source.head()) > _VAGUE
        return False

    endings = tuple(files_named("", known, langs))
    left = files_left(folders, operands, endings, is_output)
    return note_on_left(
        request.output, [*filter(may_be_ours, (p for p in left if p not in others))]
    )


def files_left(
    folders: set[str],
    operands: Iterable[str],
    endings: tuple[str, ...],
    is_output: Callable[[str], bool],
) -> list[str]:
    """List the files in folders of outputs that the run does not replace, if it replaces others."""
    at_work = {os.path.dirname(os.path.abspath(name)) for name in operands}  # noqa: PTH100, PTH120
    files = files_with(endings, folders - at_work)
    if not any(map(is_output, files)):
        return []
    return [path for path in files if not is_output(path) and is_file(path)]


def note_on_left(output: str, left: Sequence[str]) -> list[str]:
    """Word the note on files that an earlier run left in a folder; empty for no files."""
    also = f"also has {few([os.path.relpath(path, output) for path in left])}"
    advice = "of no text of this run: delete what an earlier one left"
    return [f"{output}: {also}, {advice}"] if left else []
