"""Reading and writing alignments in any format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bitext.errors import InputError, OptionError, check_truths, check_type, many
from bitext.lazy import imported_late

if TYPE_CHECKING:
    from bitext.formats.columns import Columns
    from bitext.formats.convert.filters import Where
    from bitext.formats.io.source import Notes
    from bitext.formats.registry import Format, all_formats
    from bitext.model import Bitext, Text

# The module of each public name, imported at the first access to the name: modules of this package
# are imported where nothing is read, as by workers that have no task yet.
_HOMES = {
    "bitext.formats": ("read", "read_all", "write"),
    "bitext.formats.io.source": ("Notes",),
    "bitext.formats.registry": ("Format", "all_formats"),
}

__all__ = ["Format", "Notes", "all_formats", "read", "read_all", "write"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = imported_late(__name__, _HOMES)


def read(
    path: str | os.PathLike[str],
    *,
    src: str | os.PathLike[str] | Text | None = None,
    tgt: str | os.PathLike[str] | Text | None = None,
    format: str | None = None,  # noqa: A002 - the word of the command line
    encoding: str = "utf-8",
    roots: Iterable[str | os.PathLike[str]] = (),
    src_lang: str = "",
    tgt_lang: str = "",
    where: str | Sequence[str] | Where = (),
    base: int | None = None,
    drafts: bool = False,
    columns: str | Mapping[str, int | str] | Columns | None = None,
    head: bool | None = None,
) -> Bitext:
    """Read the one bitext of a file.

    Parameters
    ----------
    path : str or path
        The file; `-` is standard input; `.gz`, `.bz2`, `.xz` and `.zst` are unpacked. Formats of
        two files are named as `corpus.en,corpus.fr`.
    src, tgt : str, path or Text, optional
        The texts (one segment per line, or an XML document), for formats that hold only positions
        or identifiers.
    format : str, optional
        The name of the format. Default: detected from the contents.
    encoding : str
        The encoding of files that do not declare one; or one for each side, of two files and of
        `src` and `tgt`, as `"src=latin-1,tgt=utf-8"`.
    roots : iterable of path, optional
        The folders under which documents named in the file may lie. Default: the folder of
        the file. Documents elsewhere are never opened.
    src_lang, tgt_lang : str, optional
        The languages to read from a file that holds several.
    where : str or sequence of str, optional
        Conditions on the values of columns, as `state=final,translated`: `COLUMN=VALUE,...`,
        `!=`, or `>=`, `<=`, `>`, `<` and a number (see `bitext.formats.convert.filters.Where`).
        Bisegments that do not meet them are left out.
    base : int, optional
        The number that positions of word links count from, 0 or 1. Default: detected from the
        texts, where these are known, else the usual base of the format.
    drafts : bool
        Whether targets whose state marks them as untranslated (`needs-translation`, `fuzzy`, ...)
        are read as translations. Default: such targets go to the column `draft`.
    columns : str or mapping, optional
        The columns of a table (TSV, CSV, spreadsheets; the keys of JSON, the columns of Parquet)
        that hold the texts, by number from 1 or by name: `"src=2,tgt=3,score=1"`, `{"src": "en",
        "tgt": "de"}`, or all in order, `"score,src,tgt"`. Default: detected from a header, or from
        the cells. `"sheet=NAME"` is the sheet of a workbook, `"sep=tab"` the separator of CSV,
        `"escape=backslash"` or `"escape=none"` whether CSV and TSV have escapes of databases.
    head : bool, optional
        Whether the first line of a table is a header. Default: detected from its cells.

    Returns
    -------
    Bitext
        With notes on irregularities of the file.

    Raises
    ------
    FormatError
        When the file is malformed, or its format cannot be detected.
    InputError
        When it cannot be read, or holds no document pair or several (`read_all` reads those).

    """
    bitexts = list(
        read_all(
            path,
            src=src,
            tgt=tgt,
            format=format,
            encoding=encoding,
            roots=roots,
            src_lang=src_lang,
            tgt_lang=tgt_lang,
            where=where,
            base=base,
            drafts=drafts,
            columns=columns,
            head=head,
        )
    )
    if len(bitexts) != 1:
        raise InputError(
            f"{os.fspath(path)}: holds {many(len(bitexts), 'document pair')} where one is wanted; "
            f"bitext.read_all reads any number"
        )
    return bitexts[0]


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
    src_lang: str = "",
    tgt_lang: str = "",
    columns: str | Mapping[str, int | str] | Columns | None = None,
    head: bool | None = None,
    parts: bool = False,
    where: str | Sequence[str] | Where = (),
    base: int | None = None,
    drafts: bool = False,
) -> Iterator[Bitext]:
    """Read every bitext of a file, one for each document pair; further parameters as in `read`.

    Parameters
    ----------
    over : pair of Text or None
        The texts against which positions are checked where `src` and `tgt` are not given.
    name : str
        The name of the text in its corpus.
    parts : bool
        Whether a long document pair may come in parts (see `Bitext.continues`), so that memory does
        not grow with the file where the format allows that.

    """
    from bitext.formats.columns import Columns
    from bitext.formats.reading import FileOptions, opened

    if isinstance(where, str):
        where = [where] if where else ()
    check_truths(drafts=drafts, parts=parts)
    options = FileOptions(
        src=src,
        tgt=tgt,
        over_src=over[0],
        over_tgt=over[1],
        format=format,
        encoding=encoding,
        roots=tuple(roots),
        name=name,
        src_lang=src_lang,
        tgt_lang=tgt_lang,
        columns=Columns.of(columns, head),
        parts=parts,
        where=where,
        base=base,
        drafts=drafts,
    )
    with opened(path, options) as reading:
        yield from reading


def write(
    bitexts: Bitext | Iterable[Bitext],
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    src_lang: str = "",
    tgt_lang: str = "",
    losses: Notes | None = None,
    notes: Notes | None = None,
    title: str = "",
    first: str | None = None,
    rows: str | None = None,
    fonts: Sequence[str] = (),
    retimed: bool = False,
) -> None:
    """Write a bitext, or several, to a file, which appears only when complete.

    Parameters
    ----------
    bitexts : Bitext or iterable of Bitext
        Several only in formats that can hold several document pairs.
    path : str or path
        The file; `-` is standard output; compressed by its name. Two files as `a,b`.
    format : str, optional
        The name of the format. Default: that of the file's suffix.
    src_lang, tgt_lang : str, optional
        The languages to write. Default: the languages of the texts, or the codes in their names,
        as in `a.en` and `a.fr`.
    losses : Notes, optional
        Takes the counts of properties that the format cannot hold.
    notes : Notes, optional
        Takes languages that are unknown, inferred from file names, or contradicted by them.
    title : str, optional
        The title of a book (HTML, EPUB, PDF, DOCX). Default: that of the documents, or their first
        heading.
    first : {"src", "tgt"}, optional
        The side that comes first in a book. Default: the source text.
    rows : {"paragraph", "bead"}, optional
        The unit of a row of a book. Default: the bisegment in DOCX, else the paragraph, where the
        texts have any.
    fonts : sequence of str, optional
        The fonts of a PDF, the first one first: names of families, or files.
    retimed : bool
        Of subtitles: write the target alone, at the times of the source. Default: both languages.

    Raises
    ------
    InputError
        When `bitexts` is no bitext or lacks what the format needs, or the file cannot be written.
    OptionError
        When the format is not known or cannot be written.

    """
    from bitext.formats.io.source import Notes
    from bitext.formats.registry import BookOptions, WriteOptions
    from bitext.formats.writing import deliver, writable
    from bitext.paths import path_name

    where = path_name(path)
    known = writable(where, format)
    check_truths(retimed=retimed)
    for name, value in (("losses", losses), ("notes", notes)):
        if value is not None:
            check_type(name, value, Notes, "Notes, as bitext.formats.Notes()")
    book = BookOptions.of(known, title=title, first=first, rows=rows, fonts=fonts)
    if retimed and known.keeps_retimed is None:
        raise OptionError(f"retimed is for srt and vtt, and {where} is {known.name}: leave it out")
    options = WriteOptions(src_lang=src_lang, tgt_lang=tgt_lang, book=book, retimed=retimed)
    items = _each(bitexts, where)
    deliver(items, where, known, options=options, losses=losses, notes=notes, infers_languages=True)


def _each(bitexts: Bitext | Iterable[Bitext], where: str) -> Iterator[Bitext]:
    """Yield the bitexts; refuse an item of another type."""
    from bitext.model import Alignment, Bitext

    several = isinstance(bitexts, Iterable) and not isinstance(bitexts, Alignment | str)
    for each in bitexts if several and not isinstance(bitexts, Bitext) else (bitexts,):
        if not isinstance(each, Bitext):
            raise InputError(
                f"{where}: {each!r:.60} is not a Bitext: want one, as "
                f"Bitext(Text(source), Text(target), alignment), or several"
            )
        yield each
