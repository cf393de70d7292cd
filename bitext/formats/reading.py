"""Reading files of alignments: detecting the format, loading texts, passing on bitexts."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Self

from bitext.errors import (
    BitextError,
    FormatError,
    OptionError,
    named_by_options,
    remedy,
)
from bitext.formats.content_notes import (
    drafts_with_texts,
    noted_names,
    refuse_conflict,
    with_notes_of_content,
)
from bitext.formats.corpora import refuse_manifest
from bitext.formats.io.compression import document_of, unpacked
from bitext.formats.io.encodings import (
    as_utf_8,
    check_encodings,
    encoding_of,
    exchanged,
    mark_of,
    unmarked_utf_16,
)
from bitext.formats.io.remote import beside, called, is_remote, two_files
from bitext.formats.io.source import Notes, Source, open_source
from bitext.formats.languages import Wanted, named_language
from bitext.formats.plain_text import check_lines, load_texts, refuse_exchanged
from bitext.formats.registry import (
    OWN_TEXTS,
    WORDS,
    Format,
    ReadOptions,
    SharedOptions,
    by_name,
    by_suffix,
    readable_names,
    sniff,
)
from bitext.formats.states import doubtful_translations
from bitext.formats.xml import SURROGATES, has_root
from bitext.model import Bitext, Text
from bitext.paths import path_name

if TYPE_CHECKING:
    from bitext.formats.convert.filters import Where

_UNDECODED = re.compile("[\udc80-\udcff]")  # see `Source.undecodable`
_TEXT_DOCUMENTS = (".docx", ".docm", ".odt", ".ott", ".epub", ".pdf", ".rtf")
# Formats in which an empty file is one without any bisegment; it is more often a mistake.
_EMPTY = frozenset(("champollion", "fast-align", "giza", "hunalign-text", "jsonl", "moses", "naacl",
                    "natools", "pharaoh", "po", "srt", "tsv", "vecalign"))  # fmt: skip

# Formats with one language a file that the contents show, and the least confidence.
_OF_TWO = ("android", "apple", "resx", "wmt-sgm")
_SURE_OF_TWO = 60
# Those that the names of the files show; texts line by line are not named so.
_NAMED_OF_TWO = {
    ".json": "json-strings",
    ".arb": "json-strings",
    ".yml": "yaml-strings",
    ".yaml": "yaml-strings",
    ".properties": "properties",
}
_SEGMENTED = frozenset(  # endings of segmentations
    [".masses", ".positions", ".bits", ".labels", ".rs3", ".rs4", ".edus", ".dis", ".textgrid"]
)


class Reading:
    """The bitexts of an open file, to be iterated once.

    `source` is the file, and `format` its format. After the last bitext the notes of `source` are
    those that came after that bitext.
    """

    def __init__(
        self,
        source: Source,
        known: Format,
        options: ReadOptions,
        path: str,
        where: Where | None = None,
        dropped: Notes | None = None,
    ) -> None:
        self.source, self.format = source, known
        self._options, self._path = options, path
        self._where, self._dropped = where, dropped
        self._is_first = True

    def __iter__(self) -> Iterator[Bitext]:
        if self._where is None:
            yield from self._all()
            return
        for bitext in self._all():
            yield self._where.chosen(bitext, self._dropped)
        if self._where.each:
            dropped = self.source.notes if self._dropped is None else self._dropped
            self._where.check(self._path, dropped)

    def noted(self, notes: Notes) -> Iterator[Bitext]:
        """Yield the bitexts; add their notes, and those after the last one, to `notes`."""
        for bitext in self:
            notes.extend(bitext.notes)
            yield bitext
        notes.extend(self.source.notes.drain())

    def _all(self) -> Iterator[Bitext]:
        try:
            if self.format.read is not None:
                bitexts = self.format.read(self.source, self._options)
                languages = Wanted(self.source, self._options.languages, self._options.given)
                chosen, own = languages.chosen(bitexts), self._options.name
                yield from map(self._described, noted_names(chosen, self._path, own))
        except FormatError as error:
            fault = error
        else:
            return
        # If bad units are left out, the good ones before a fatal error are not lost. If these
        # make no valid bitext either, the first error explains it best.
        if self.source.on_bad is not None:
            with suppress(BitextError):
                yield from map(self._described, self.source.collected())
        raise fault

    def _described(self, bitext: Bitext) -> Bitext:
        """Return a bitext with the metadata of its file."""
        is_first, self._is_first = self._is_first, False
        if is_first:
            refuse_exchanged(self.source, bitext, (self._options.src, self._options.tgt))
            files = self.source, self._options.second or self.source
            named = self.format.name, self._path, (files[0].encoding, files[1].encoding)
            bitext = with_notes_of_content(bitext, self._options, *named)
        doubts = [*doubtful_translations(bitext.alignment.attributes, self._path)]
        if not self._options.drafts:
            doubts += drafts_with_texts(bitext, self._path)
        if doubts:
            bitext = replace(bitext, notes=(*bitext.notes, *doubts))
        if self.source.on_bad is not None:
            bitext = self._decoded(bitext)
        # A file of ids may hold the texts as well, as TEI does: its reader then sets `holds`.
        meta = {"holds": self.format.holds, **bitext.meta}
        meta |= {"path": self._path, "format": self.format.name}
        if self._options.name:
            meta["corpus_name"] = self._options.name
        bitext = replace(bitext, meta=meta)
        if WORDS in bitext.alignment.attributes and not self.format.based:
            from bitext.formats.word_links import from_base

            bitext = from_base(bitext, self._options.base, is_noted=is_first)
        return bitext

    def _decoded(self, bitext: Bitext) -> Bitext:
        """Leave out and report the bisegments with undecodable bytes."""
        if _is_encodable(bitext):  # the usual case, and fast
            return bitext
        from bitext.formats.convert.filters import holding, select, without_segments

        bad = holding(bitext, _UNDECODED)
        if bad.any():
            bitext = select(bitext, ~bad, whole=self.format.holds != "text")
        return without_segments(bitext, _UNDECODED)


def _is_encodable(bitext: Bitext) -> bool:
    """Check whether no segment, id or column has a surrogate, which UTF-8 cannot encode."""
    strings: list[Iterable[str | None]] = [*bitext.alignment.attributes.values()]
    for text in (bitext.src, bitext.tgt):
        if text is not None:
            strings += [text.segments() if text.has_text else (), text.marked or ()]
            strings += [text.ids] * text.has_ids
    try:
        for each in strings:
            "".join(filter(None, each)).encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions(SharedOptions):
    """How a file of alignments is read: the arguments of `bitext.formats.read_all` as one value."""

    # `src`, `tgt`: the texts, for formats that hold positions or identifiers only.
    src: str | os.PathLike[str] | Text | None = None
    tgt: str | os.PathLike[str] | Text | None = None
    format: str | None = None  # the name of the format; `None`: detected from the contents
    # The encoding of files that do not declare one; or one for each side, as
    # `src=latin-1,tgt=utf-8`.
    encoding: str = "utf-8"
    # The folders, or URLs as strings, under which documents may lie; none for the file's folder.
    roots: tuple[str | os.PathLike[str], ...] = ()
    # Conditions on the values of columns, as `state=final,translated` (see `Where`); other
    # bisegments are left out. Conditions that are not for `each` file are checked by the caller.
    where: Sequence[str] | Where = ()

    def files(self, path: str) -> Iterator[str]:
        """Yield the names of the files that are read for `path`, two of which it may name."""
        for given in (path, self.src, self.tgt):
            if given and isinstance(given, (str, os.PathLike)):
                yield from two_files(os.fspath(given)) or (os.fspath(given),)

    def conditions(self, *, each: bool = True, whole: bool | None = None) -> Where | None:
        """Return the conditions on columns; `None` if there are none."""
        if not isinstance(self.where, Sequence):
            return self.where
        if not self.where:
            return None
        from bitext.formats.convert.filters import Where  # late: most runs filter nothing

        return Where(self.where, each=each, whole=whole)

    def swapped(self) -> Self:
        """Return the options with those of the source and of the target exchanged."""
        return replace(
            self,
            src=self.tgt,
            tgt=self.src,
            over_src=self.over_tgt,
            over_tgt=self.over_src,
            over_pairs=None if self.over_pairs is None else self.over_pairs.swapped(),
            encoding=exchanged(self.encoding),
        )

    def for_reader(
        self, roots: tuple[Path | str, ...], texts: tuple[Text | None, Text | None], **more: Any
    ) -> ReadOptions:
        """Return the options of the reader, with the texts read, and `more` of other values."""
        common = {name: getattr(self, name) for name in SharedOptions.__dataclass_fields__}
        more["named"] = bool(self.format)
        return ReadOptions(src=texts[0], tgt=texts[1], roots=roots, **{**common, **more})


@contextmanager
def opened(
    path: str | os.PathLike[str],
    options: FileOptions | None = None,
    *,
    on_bad: Callable[[FormatError], None] | None = None,
    dropped: Notes | None = None,
) -> Iterator[Reading]:
    """Open a file of alignments, or two as `a,b`.

    `on_bad` takes the errors of unreadable units, which are then left out. `dropped` takes the
    counts of bisegments that `where` of the options leaves out, by default the notes of the
    bitexts.

    Raises `FormatError` when the file is empty or its format cannot be detected, and `InputError`
    when it cannot be read.
    """
    options = options or FileOptions()
    place = path_name(path)
    known = by_name(options.format) if options.format else None
    if known is not None and known.read is None:
        raise OptionError(f"format {known.name!r} can be written but not read")
    conditions = options.conditions()
    pair = two_files(place) if known is None or known.two_files else None
    if pair:
        place = pair[0]
    with ExitStack() as stack:
        # Open the file, or both files of a pair.
        encoding, side = check_encodings(options.encoding), "src" if pair else ""
        own, limits = encoding_of(encoding, side), options.limits
        source = stack.enter_context(open_source(place, encoding=own, side=side, limits=limits))
        second = None
        if pair:
            second = stack.enter_context(
                open_source(pair[1], encoding=encoding, side="tgt", limits=limits)
            )
            second.on_bad = on_bad
        else:
            refuse_manifest(source, "file of alignments")
            refuse_conflict(source)
        source.on_bad = on_bad
        # Settle the format; check the options that depend on it.
        if known is None:
            detect = _detect_format if second is None else _format_of_two
            known = detect(source.head(), source.path, source.encoding)
            if second is not None and known.name == "moses":
                check_lines(source, source.notes)
                check_lines(second, source.notes)
        if second is not None and source.path == second.path:
            source.note("the same file given for both sides")
        if known.name == "tsv" and PurePath(unpacked(source.path)).suffix.lower() == ".csv":
            source.note("files named as CSV but separated by tabs, read as TSV")
        for each in filter(None, (source, second)):  # of the units a bad one is left out
            each.units, each.holders = known.units, known.holders
        if options.columns and not known.tabular:
            kind = "columns named beside a file that is no table, not used"
            source.note(kind, f"{known.name} ({remedy('columns', 'head')})")
        folder = beside(place) if is_remote(place) else Path(place).parent
        if known.holds == "text" and not pair and "=" in encoding:
            raise OptionError(
                f"{remedy(f'encoding {encoding}')} is for two files, and {source.path} holds both "
                f"sides: name one encoding"
            )
        reader_options = options.for_reader(
            tuple(map(_root, options.roots)) or (folder,),
            _given_texts(known, options, source, encoding, on_bad),
            name=_readable(options.name, source),
            second=second,
            base=_base(options.base, known),
        )
        yield Reading(source, known, reader_options, called(place), conditions, dropped)


def _given_texts(
    known: Format,
    options: FileOptions,
    source: Source,
    encoding: str,
    on_bad: Callable[[FormatError], None] | None,
) -> tuple[Text | None, Text | None]:
    """Read the texts of the options for a format of positions or identifiers."""
    if not known.has_texts:
        return load_texts(options.src, options.tgt, encoding, source.notes, on_bad)
    if (options.src, options.tgt) != (None, None):
        source.note(OWN_TEXTS, f"{known.name} ({remedy('src', 'tgt')})")
    return None, None


def _base(base: int | None, known: Format) -> int | None:
    """Check the base of positions that the user gave."""
    if base is None:
        return None
    if base not in (0, 1):
        raise OptionError(f"{remedy('base')} is {base!r}: want 0 or 1")
    if not known.based and not (known.keeps.words and known.keeps.attributes):
        raise OptionError(
            f"{remedy(f'base {base}')} is for positions that some count from 0 and others from 1, "
            f"which {known.name} does not hold: leave it out"
        )
    return base


def _readable(name: str, source: Source) -> str:
    """Return the name of a text with U+FFFD for undecodable bytes of a file name."""
    readable = SURROGATES.sub("\ufffd", name)
    if readable != name:
        kind = "names of files that are not UTF-8, with U+FFFD in the names of their texts"
        source.notes.add(kind, readable)
    return readable


def _root(root: str | os.PathLike[str]) -> Path | str:
    return root if isinstance(root, str) and is_remote(root) else Path(root)


def _format_of_two(head: bytes, path: str, encoding: str) -> Format:
    """Return the format of two files by the first bytes of one, Moses by default."""
    head = as_utf_8(head, encoding)
    those = (by_name(name) for name in _OF_TWO)
    named = _NAMED_OF_TWO.get(PurePath(unpacked(path)).suffix.lower(), "moses")
    return next((known for known in those if known.sniff(head) >= _SURE_OF_TWO), by_name(named))


def _document_error(what: str, path: str) -> FormatError:
    """Return the error of a document or archive where an alignment is wanted."""
    if "gettext" in what:
        return FormatError(f"is {what}: give the .po of it (msgunfmt makes one)", path=path)
    way = "unpack it, and give" if "archive" in what else "give"
    way = "unpack it once, and give" if "compressed" in what else way
    way = "fetch that (git lfs pull), and give" if "Git LFS" in what else way
    if path.lower().endswith(_TEXT_DOCUMENTS):
        way = "align it with its translation (bitext align), or give"
    if "RTF" in what or path.lower().endswith((".odt", ".doc")):
        way = (
            "align it with its translation (bitext align), save it as .docx if it is bilingual, "
            "or give"
        )
    return FormatError(
        f"is {what}, not an alignment: {way} the file that holds the alignment", path=path
    )


def _detect_format(raw: bytes, path: str, encoding: str) -> Format:
    head = as_utf_8(raw, encoding)
    if not head.removeprefix(mark_of(head, "utf-8")[0]).strip():
        named = by_suffix(path)
        reason = f", which no {named.name} file is" if named else ""
        advice = "give the file that holds the alignment"
        if named and named.name in _EMPTY:
            reason = ""
            advice += f", or if it holds none, name its format ({remedy(f'from {named.name}')})"
        raise FormatError(f"is empty{reason}; {advice}", path=path)
    named = by_suffix(path)
    if flaw := _misnamed(head, named) or _foreign(head, path):
        raise FormatError(flaw, path=path)
    if (what := document_of(head)) and (known := sniff(head, path)) and known.binary:
        return known
    if what:
        raise _document_error(what, path)
    known = sniff(head, path)
    if known is None and (wrong := unmarked_utf_16(raw, encoding=encoding)):
        raise FormatError(wrong, path=path)
    if named is not None and named.name == "csv" and (known is None or known.name == "tsv"):
        from bitext.formats.tables.separated import is_tab_separated

        known = by_name("tsv" if is_tab_separated(head) else "csv")
    if known is None and named is not None and named.read is None:
        raise FormatError(
            f"is named as {named.name}, which bitext writes and does not read: give the file that "
            f"holds the alignment",
            path=path,
        )
    known = known or named  # whose reader raises the error
    if flaw := _named_otherwise(path, known):
        raise FormatError(flaw, path=path)
    if known is None:
        raise _unknown_error(head, path)
    return known


def _unknown_error(head: bytes, path: str) -> FormatError:
    hint = ""
    if named_language(path):
        hint = f"if it is one of two texts, name both with a comma ({path},...); else "
    compare = "'bitext compare'" if named_by_options() else "bitext.compare"
    if re.fullmatch(rb"[01\s]+", head):
        hint = f"if these are the bits of segmentations, compare them with {compare}; else "
    elif re.match(rb"[^\S\n]*[(\[{]*\d[^a-z\n]*(?:\n|$)", head):
        hint = "word links are written as 0-0 1-1, and bisegments as [0, 1]:[2]; else "
    elif re.search(rb'(?m)^\((?:src|trg)\)="', head):
        hint = "if opus_read printed it, have it write TMX (opus_read -wm tmx); else "
    elif re.search(rb"(?m)^([=-])\1{4,}\s*$", head):
        hint = f"if it is text with rules between segments, compare it with {compare}; else "
    return FormatError(
        f"is in no format that bitext recognises; {hint}name it ({remedy('from')}), one of: "
        f"{', '.join(readable_names())}",
        path=path,
    )


def _named_otherwise(path: str, known: Format | None) -> str:
    """Return the error of a file that is named as strings, or as a segmentation; empty for none."""
    ending = PurePath(unpacked(path)).suffix.lower()
    if known is None and (strings := _NAMED_OF_TWO.get(ending)):
        return (
            f"is a file of strings in one language ({strings}): name it with that of the other "
            f"language, the source first ({path},...)"
        )
    if ending in _SEGMENTED and (known is None or known.name == "tsv"):
        return (
            f"is named as a segmentation, which 'bitext compare' takes: if it is an alignment, "
            f"name its format ({remedy('from')})"
        )
    return ""


_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!doctype\s+html|<html)\b", re.IGNORECASE
)


def _misnamed(head: bytes, named: Format | None) -> str:
    """Return the error of a file whose contents contradict its name; empty for none."""
    if _HTML.match(head) and b"<table" not in head.lower():
        return (
            "is an HTML page, not an alignment: if it is one of two texts, align it with the other "
            "('bitext align'); if it was downloaded, it may be the page about the "
            "file: get the file itself"
        )
    if named is not None and named.name == "tmx" and has_root(head, "map"):
        return (
            "is a map of a game (Tiled), whose files end with .tmx, too, and no translation memory"
        )
    ladder = re.match(rb"0\s+0\s+\d+[ \t]*\r?\n", head)
    if named is not None and named.name == "naacl" and ladder and named.sniff(head):
        ways = f"{remedy('from naacl')}, {remedy('from hunalign-ladder')}"
        return f"is named as word links, and begins as a ladder does: name its format ({ways})"
    return ""


_BEGIN = 1 << 10  # bytes of a file that show whether it is of another program; set by hand
# Files of other programs: their beginning, what they are, and what to do.
_OF_PROGRAMS = (
    (re.compile(rb"<TWBExportFile|<TrU>"), "a memory of Trados Workbench", "export it as TMX"),
    (re.compile(rb"(?:<\?xml[^>]*>\s*)?<mtf>"), "XML of MultiTerm", "export the terms as TBX"),
    (
        re.compile(rb"(?:<\?xml[^>]*>\s*)?<\?mso-application progid=\"Excel"),
        "a workbook of Excel 2003 in XML",
        "save it as .xlsx",
    ),
    (
        re.compile(rb"\*\*\* Link: ?\d+ ?- ?\d+"),
        "output of the aligner of Gale and Church (Vanilla)",
        "give the numbers of the sentences of each bead in a line, as '1,2 <=> 1'",
    ),
)
_MARKDOWN = re.compile(rb"\|[^\r\n]*\|\s*\n\|[ :|-]*\|\s*\n")


def _foreign(head: bytes, path: str) -> str:
    """Return the error of a file of another program that no reader takes; empty for none."""
    if head.startswith(b"\xd0\xcf\x11\xe0") and unpacked(path).lower().endswith(".doc"):
        return "is an old document of Word: save it as .docx"
    if head.startswith(b"SQLite format 3\0") and unpacked(path).lower().endswith(".sdltm"):
        return "is a memory of Trados Studio, which is not read: export it as TMX"
    mark, encoding = mark_of(head, "utf-8")
    begin = head[len(mark) : _BEGIN].decode(encoding, "ignore").lstrip().encode()
    for pattern, what, way in _OF_PROGRAMS:
        if pattern.match(begin):
            return f"is {what}, which is not read: {way}"
    named = by_suffix(path)
    if _MARKDOWN.match(begin) and (named is None or named.name != "csv"):
        return f"is a table in Markdown: read it as CSV ({remedy('from csv')})"
    return ""
