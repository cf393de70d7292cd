"""Reading and writing alignments, whatever they are written in."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.opening import open_source, two_files, write_whole
from bitext.formats.registry import Format, ReadOptions, all_formats, by_name, by_suffix, sniff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.model import Bitext, Text

__all__ = ["Format", "all_formats", "read", "read_all", "write"]


def read(
    path: str | os.PathLike[str],
    *,
    src: str | os.PathLike[str] | Text | None = None,
    tgt: str | os.PathLike[str] | Text | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
    encoding: str = "utf-8",
    roots: Iterable[str | os.PathLike[str]] = (),
) -> Bitext:
    """Read the one bitext of a file.

    Parameters
    ----------
    path : str or path
        The file; `-` is standard input; `.gz`, `.bz2`, `.xz` and `.zst` are unpacked. Formats of
        two files are named as `corpus.en,corpus.fr`.
    src, tgt : str, path or Text, optional
        The texts (one segment a line, or an XML document), for formats that hold only positions
        or identifiers.
    format : str, optional
        The name of the format. Default: told by the contents.
    encoding : str
        The encoding of files that do not declare one.
    roots : iterable of path, optional
        The folders under which documents named in the file may lie. Default: the folder of
        the file. Documents elsewhere are never opened.

    Returns
    -------
    Bitext
        With notes on what was odd in the file.

    Raises
    ------
    FormatError
        When the file is not what it should be, or its format cannot be told.
    InputError
        When it cannot be read, or holds no document pair or several (`read_all` reads those).

    """
    found = list(read_all(path, src=src, tgt=tgt, format=format, encoding=encoding, roots=roots))
    if len(found) != 1:
        raise InputError(
            f"{os.fspath(path)}: holds {len(found)} document pairs where one is wanted; "
            f"bitext.read_all reads any number"
        )
    return found[0]


def read_all(
    path: str | os.PathLike[str],
    *,
    src: str | os.PathLike[str] | Text | None = None,
    tgt: str | os.PathLike[str] | Text | None = None,
    over: tuple[Text | None, Text | None] = (None, None),
    format: str | None = None,  # noqa: A002 - the word of the command line
    encoding: str = "utf-8",
    roots: Iterable[str | os.PathLike[str]] = (),
    name: str = "",
) -> Iterator[Bitext]:
    """Read every bitext of a file, one a document pair; parameters as of `read`.

    Parameters
    ----------
    over : pair of Text or None
        The texts that positions are checked against where `src` and `tgt` are not given.
    name : str
        The name of the text in its corpus.

    """
    from bitext.formats.texts import load_text

    where = os.fspath(path)
    known = by_name(format) if format else None
    pair = two_files(where) if known is None or known.two_files else None
    if pair:
        known = known or by_name("moses")
        where = pair[0]
    with open_source(where, encoding=encoding) as source:
        known = known or _tell(source.head(), source.path)
        beside = Path(where).parent if where != "-" else Path()
        options = ReadOptions(
            src=load_text(src, encoding, source.notes) if known.holds != "text" else None,
            tgt=load_text(pair[1] if pair else tgt, encoding, source.notes)
            if known.holds != "text" or pair
            else None,
            over_src=over[0],
            over_tgt=over[1],
            roots=tuple(Path(root) for root in roots) or (beside,),
            name=name,
        )
        for bitext in known.read(source, options):
            meta = {**bitext.meta, "path": where, "format": known.name, "holds": known.holds}
            yield replace(bitext, meta=meta)


def _tell(head: bytes, path: str) -> Format:
    if not head.strip():
        named = by_suffix(path)
        raise FormatError(
            f"is empty{f': no {named.name} file is' if named else ''}; give the file that holds "
            f"the alignment",
            path=path,
        )
    known = sniff(head, path)
    if known is None:
        raise FormatError(
            f"is in no format that bitext can tell; name it (--from), one of: "
            f"{', '.join(all_formats())}",
            path=path,
        )
    return known


def write(
    bitexts: Bitext | Iterable[Bitext],
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
) -> None:
    """Write a bitext, or several, to a file, which appears when it is whole.

    Parameters
    ----------
    bitexts : Bitext or iterable of Bitext
        Several only in formats that can hold several document pairs.
    path : str or path
        The file; `-` is standard output; compressed by its name. Two files as `a,b`.
    format : str, optional
        The name of the format. Default: told by the name of the file.

    Raises
    ------
    InputError
        When it is no bitext or lacks what the format needs, or the file cannot be written.
    OptionError
        When the format is not known or cannot be written.

    """
    from bitext.model import Alignment
    from bitext.model import Bitext as OneBitext

    where = os.fspath(path)
    known = by_name(format) if format else None
    pair = two_files(where) if known is None or known.two_files else None
    known = known or (by_name("moses") if pair else by_suffix(where))
    if known is None:
        raise OptionError(
            f"{where}: its name tells no format; name it, one of: {', '.join(all_formats())}"
        )
    if known.write is None:
        raise OptionError(f"format {known.name!r} can be read but not written")
    items = [bitexts] if isinstance(bitexts, OneBitext) else bitexts
    if isinstance(items, Alignment | str) or not isinstance(items, Iterable):
        raise InputError(
            f"{where}: {items!r:.60} is no Bitext: want one, as "
            f"Bitext(Text(source), Text(target), alignment), or several"
        )
    if known.two_files:
        if pair is None:
            raise OptionError(f"{where}: {known.name} is two files: name them as a.en,a.fr")
        with write_whole(pair[0]) as src, write_whole(pair[1]) as tgt:
            known.write(items, src, tgt)
        return
    with write_whole(where) as out:
        known.write(items, out)
