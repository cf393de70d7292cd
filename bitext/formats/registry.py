"""The registry of formats, their capabilities, and the options of readers and writers.

To add a format, add a module with a `FORMAT`, and a line to `INDEX`; nothing else changes. Other
packages add theirs by entry points (`bitext.plugins`, group `bitext.formats`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Self

from bitext.errors import BitextError, FormatError, OptionError, did_you_mean, nearest, remedy
from bitext.formats.columns import Columns
from bitext.formats.io.compression import PACKED, Limits
from bitext.formats.io.encodings import as_utf_8
from bitext.formats.io.source import Notes, Source
from bitext.formats.languages import EVERY
from bitext.formats.xml import read_prolog
from bitext.kernels.arrays import Bools
from bitext.model import Bitext, Text
from bitext.plugins import Plugin, Plugins, fault_at

# Capabilities of formats: each property of a bitext that a format may lose, by name.

LANGUAGE = "lang:"  # prefix of the columns with texts in further languages: "lang:de"
MARKS = "marks:"  # prefix of the columns with inline codes of these texts: "marks:de"
WORDS = "words"  # the column of word links, as Pharaoh writes them

OWN_TEXTS = "texts named beside a file that holds its own, not read"
UNUSED_BASE = "a base beside bisegments without positions, not used"
EMPTY = "document pairs without bisegments, left out"
HEADER = "notes and props of the header"
FIELDS = "dates, names and other fields of the header"
MERGED = "document pairs with the document names of earlier ones, read as one with these"

LOSSES = {
    "texts": "segments whose text is not written",
    "borders": "n-m bisegments, the segments of a side joined",
    "empty_sides": "0-1 and 1-0 bisegments, left out",
    "empty_segments": "segments without characters, made empty sides",
    "crossings": "bisegments out of the order of the texts (crossing), that order lost",
    "gaps": "discontinuous bisegments, their gaps lost",
    "overlaps": "segments in more than one bisegment, written once for each",
    "uncovered": "segments in no bisegment, left out",
    "ids": "identifiers of segments",
    "scores": "scores",
    "attributes": "values of other attributes",
    "documents": "document pairs after the first, the borders between them lost",
    "document_names": "document pairs whose names, or those of their documents, are not written",
    "languages": "texts whose language is not written",
    "other_languages": "texts in further languages",
    "markup": "segments with inline marks, written without them",
    "words": "bisegments with word links, written without them",
    "breaks": "segments or values with tabs or line ends, made blanks",
    "controls": "segments with characters that XML forbids",
    "paragraphs": "paragraphs",
    "times": "segments whose times are not written",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """The properties of a bitext that a format preserves; each field is a row of the loss table.

    Attributes
    ----------
    texts : bool
        The characters of segments.
    borders : bool
        Where one segment of a side ends and the next begins.
    empty_sides : bool
        Bisegments with segments on one side only.
    empty_segments : bool
        Segments without characters, distinct from a missing segment.
    crossings : bool
        The order of segments in their texts where bisegments come in another order.
    gaps : bool
        Bisegments whose segments are not neighbours.
    overlaps : bool
        Segments shared by several bisegments.
    uncovered : bool
        Segments in no bisegment.
    ids : bool
        Identifiers of segments.
    scores, attributes : bool
        The columns of the alignment.
    columns : frozenset of str
        The names of further columns that are preserved where `attributes` is false.
    empty_values : bool
        Empty strings in preserved columns, distinct from missing values.
    documents : bool
        The borders between document pairs.
    empty_documents : bool
        Document pairs without bisegments, beside others. A pair that is alone in its file and has
        no name of its own is preserved by an empty file.
    document_names : bool
        The names of the two documents, and the name of the pair where this has one of its own.
    names : frozenset of str
        The names (`src_doc`, `tgt_doc`, `name`) that are preserved where `document_names` is false.
    shows_codes : callable or None
        Returns whether all inline marks of a segment, as `Text.marked` has it, are preserved where
        `markup` is true; `None`: always.
    unwritten : callable or None
        Returns a mask of the values of a preserved column, by its name, that are lost nevertheless.
    changed : pair of str and callable, or None
        The words of a loss, and a function that returns whether the characters of a segment come
        back otherwise, though `texts` is true: white space, or what reads as markup.
    link_marks, unlinked : bool
        Marks of word links as possible, and their confidences, and bisegments of which no links are
        known, distinct from those without links, where `words` is true.
    named : callable or None
        Returns the key of a document pair in a file that has pairs by the names of their documents;
        pairs with equal keys are read as one. `None`, or an empty key, never merges.
    languages, other_languages : bool
        The languages of the two texts, and texts in further languages.
    markup : bool
        Inline marks.
    words : bool
        Word links.
    breaks : bool
        Tabs and line ends within segments, and within values of preserved columns.
    controls : bool
        Characters that XML forbids.
    paragraphs : bool
        The paragraphs of the two texts.
    times : bool
        The times of bisegments: the start of the first segment of a side, and the end of its last.
    header : tuple of str
        The beginnings of the names of notes, props and encodings (`note`, `prop:`, `ude`), and of
        fields (`creationdate`, `po_header`), that are preserved, of those in the header of the
        first document pair.
    one_time : bool
        Whether a bisegment has one time only, that of the source, where `times` is true.

    """

    texts: bool = False
    borders: bool = False
    empty_sides: bool = False
    empty_segments: bool = False
    crossings: bool = False
    gaps: bool = False
    overlaps: bool = False
    uncovered: bool = False
    ids: bool = False
    scores: bool = False
    attributes: bool = False
    documents: bool = False
    document_names: bool = False
    languages: bool = False
    other_languages: bool = False
    markup: bool = False
    words: bool = False
    breaks: bool = False
    controls: bool = False
    paragraphs: bool = False
    times: bool = False
    columns: frozenset[str] = frozenset()
    empty_documents: bool = True
    empty_values: bool = True
    link_marks: bool = True
    unlinked: bool = True
    header: tuple[str, ...] = ()
    one_time: bool = False
    names: frozenset[str] = frozenset()
    shows_codes: Callable[[str], bool] | None = None
    unwritten: Callable[[Bitext, str], Bools] | None = None
    changed: tuple[str, Callable[[str], bool]] | None = None
    named: Callable[[Bitext], str] | None = None

    @classmethod
    def of(cls, kept: str, **others: Any) -> Self:
        """Return capabilities with the properties named in `kept`, with blanks between."""
        return cls(**{**dict.fromkeys(kept.split(), True), **others})

    def lost(self) -> list[str]:
        """Return the names of the lost properties."""
        return [name for name in LOSSES if not getattr(self, name)]

    def keeps_column(self, name: str) -> bool:
        """Check whether the format preserves a column of the alignment."""
        return bool(getattr(self, kind_of_column(name))) or name in self.columns


def language_column(name: str) -> str:
    """Return the language code of a column of an alignment; empty for other columns."""
    return name.removeprefix(LANGUAGE) if name.startswith(LANGUAGE) else ""


def further_languages(columns: Mapping[str, Sequence[str | None]]) -> list[str]:
    """Return the languages of which columns of an alignment hold texts, each once.

    Examples
    --------
    >>> further_languages({"lang:de": ["a"], "note": ["b"], "lang:it": [None], "lang:de#2": ["c"]})
    ['de']

    """
    codes = (
        code.partition("#")[0]
        for name, column in columns.items()
        if (code := language_column(name)) and any(value is not None for value in column)
    )
    return list(dict.fromkeys(codes))


def kind_of_column(name: str) -> str:
    """Return the key in `LOSSES` under which the loss of a column is counted."""
    if name == WORDS:
        return "words"
    return "other_languages" if language_column(name) else "attributes"


PART = 1000  # bisegments of a part, where a document pair is read in parts; set by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedOptions:
    """The options of a reader that a user gives for a file (see `ReadOptions`)."""

    over_src: Text | None = None
    over_tgt: Text | None = None
    over_pairs: Bitext | None = None
    name: str = ""
    src_lang: str = ""
    tgt_lang: str = ""
    every_language: bool = False
    parts: bool = False
    part_size: int = PART
    lines: bool = False
    base: int | None = None
    drafts: bool = False
    limits: Limits = field(default_factory=Limits)
    columns: Columns = field(default_factory=Columns)

    @property
    def requested(self) -> tuple[str, str]:
        """The languages to choose by `two_languages`."""
        return EVERY if self.every_language else self.languages

    @property
    def languages(self) -> tuple[str, str]:
        """The two languages that the user names; empty for any."""
        return self.src_lang, self.tgt_lang


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions(SharedOptions):
    """Options of a reader.

    Attributes
    ----------
    src, tgt : Text or None
        The texts that the user named for this alignment; they win over documents that the
        file names. Formats that hold their own text ignore them.
    over_src, over_tgt : Text or None
        The texts that positions refer to when `src` and `tgt` are not given: the texts of the
        gold standard, when a hypothesis is read.
    over_pairs : Bitext or None
        The alignment whose bisegments are the sentence pairs of a file of word links: the gold
        standard, when a hypothesis is read.
    roots : tuple of Path or str
        The folders, or remote locations as strings, under which documents named in the file may
        lie. No other file is opened.
    name : str
        The name of the text in its corpus.
    second : Source or None
        The second file of a format of two files.
    src_lang, tgt_lang : str
        The languages to read from a file that may hold more than two; empty for the file's own.
    every_language : bool
        Whether all languages of a file are read: the first two are source and target, the others
        are columns (`LANGUAGE`), with their inline codes in further ones (`MARKS`). A bisegment
        with texts in further languages alone has an empty source segment.
    parts : bool
        Whether a document pair may be yielded in parts of some thousand bisegments, as it is
        read, so that memory does not grow with the file (see `Bitext.continues`).
    part_size : int
        The bisegments of a part, at least where a part can end.
    lines : bool
        Whether to record the line of each bisegment (`Bitext.lines`).
    base : int or None
        The number that positions count from, 0 or 1; `None`: detected from the texts, else the
        usual base of the format.
    drafts : bool
        Whether targets whose state marks them as untranslated are read as translations.
    limits : Limits
        The largest size that a compressed document named in the file may unpack to.
    columns : Columns
        The columns of a table that hold the texts.
    named : bool
        Whether the user named the format, which else was detected.

    """

    src: Text | None = None
    tgt: Text | None = None
    roots: tuple[Path | str, ...] = ()
    second: Source | None = None
    named: bool = False

    @property
    def texts(self) -> tuple[Text | None, Text | None]:
        """The texts that positions refer to, of each side."""
        return (
            self.over_src if self.src is None else self.src,
            self.over_tgt if self.tgt is None else self.tgt,
        )

    @property
    def given(self) -> tuple[Text | None, ...]:
        """The texts that are not named by the file."""
        return self.src, self.tgt, self.over_src, self.over_tgt


@dataclass(frozen=True, slots=True, kw_only=True)
class BookOptions:
    """Options of books."""

    title: str = ""  # the title; empty for that of the documents
    # The side that comes first: in the left column, or above the other.
    first: Literal["src", "tgt"] = "src"
    # The unit of a row; empty for that of the format: a bead in DOCX, else a paragraph.
    rows: Literal["", "paragraph", "bead"] = ""
    # The fonts of a PDF, the first one first: names of families, or files.
    fonts: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        known: Format,
        *,
        title: str = "",
        first: str | None = None,
        rows: str | None = None,
        fonts: Sequence[str] = (),
    ) -> BookOptions:
        """Return the options that a user gives for a format.

        Raises `OptionError` when a value is not known, or the format has no use for an option.
        """
        for name, given, allowed in (
            ("first", first, ("src", "tgt")),
            ("rows", rows, ("paragraph", "bead")),
        ):
            if given and given not in allowed:
                raise OptionError(f"{remedy(f'{name} {given}')}: want {' or '.join(allowed)}")
        values = {"title": title, "first": first, "rows": rows}
        names = [name for name, value in values.items() if value]
        if fonts and known.name != "pdf":
            raise OptionError(f"{remedy('font')}: for PDF, and this is {known.name}: leave it out")
        if names and not known.book:
            books = ", ".join(each for each, one in all_formats().items() if one.book)
            raise OptionError(
                f"{remedy(*names)}: for books ({books}), and this is {known.name}: leave it out"
            )
        others = [name for name in names if name != "rows"]
        if others and known.name == "docx" and rows != "paragraph":
            raise OptionError(
                f"{remedy(*others)}: for a book, and DOCX is a table of bisegments: make it a "
                f"book ({remedy('rows paragraph')})"
            )
        chosen = {name: value for name, value in values.items() if value}
        return cls(**chosen, fonts=tuple(fonts))  # type: ignore[arg-type] # just examined


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """Options of a writer.

    Attributes
    ----------
    src_lang, tgt_lang : str
        The languages to write; empty for those of the texts.
    beads : bool
        Whether to write ids and the borders between segments as properties, where the format
        has no other place for them (`Format.keeps_in_props`).
    retimed : bool
        Whether to write the text of the target alone, at the times of the source (subtitles).
    documents : Path or None
        The folder where a stand-off format writes the texts, as the documents it points into.
    book : BookOptions
        The options of a book.
    notes : Notes or None
        Takes what a writer has to say about the file, other than losses.

    """

    src_lang: str = ""
    tgt_lang: str = ""
    beads: bool = False
    retimed: bool = False
    documents: Path | None = None
    book: BookOptions = field(default_factory=BookOptions)
    notes: Notes | None = None

    @property
    def languages(self) -> tuple[str, str]:
        """The two languages to write; empty for those of the texts."""
        return self.src_lang, self.tgt_lang


def _is_another(head: bytes) -> int:  # noqa: ARG001 - the signature of `Format.sniff`
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of alignments.

    Attributes
    ----------
    name : str
        Its name on the command line.
    title : str
        A description in a few words.
    holds : {"text", "ids", "positions"}
        How a bisegment of the file represents its segments: as characters, as identifiers in
        documents, or as positions in a text.
    keeps : Capabilities
        The properties of a bitext that are preserved in a file of the format.
    keeps_in_props : Capabilities or None
        The same with `WriteOptions.beads`, where the format has properties to put more into.
    keeps_with_documents : Capabilities or None
        The same with `WriteOptions.documents`, for a stand-off format that writes the texts there.
    keeps_by_paragraph : Capabilities or None
        The same with rows of paragraphs (`BookOptions.rows`), where the format has others as well.
    keeps_retimed : Capabilities or None
        The same with `WriteOptions.retimed`, for subtitles.
    suffixes : tuple of str
        The suffixes of its files, without that of compression; the first is the usual one.
    sniff : callable
        Takes the first bytes (64 KB at most); returns a confidence from 0 (another format) to 100.
        Default: 0.
    read : callable or None
        Takes a `Source` and `ReadOptions` and yields the bitexts of the file, one for each document
        pair, or parts of them where the options allow it. `None`: the format is only written.
    write : callable or None
        Takes an iterable of bitexts, a text file (two of them if `two_files`, a binary one if
        `binary`) and `WriteOptions` as `options`, and writes all bitexts, one after another.
    write_multitexts : callable or None
        Takes a `bitext.formats.multitexts.Multitexts` and a file as `write` does, and writes a text
        of each language for each of their rows. `None`: the format holds two languages.
    units, holders : tuple of str
        In XML: the elements that can be left out one by one where they are not well-formed, and
        the elements around them that give them their context, the outer ones first.
    two_files : bool
        Whether the two sides are two files.
    binary : bool
        Whether its files are binary.
    streams : bool
        Whether reading and writing need memory for only a part of a document pair.
    better : {"higher", "lower", ""}
        Which scores of its files are better; empty if files of both kinds exist.
    names_languages : bool
        Whether its files are expected to name the languages of both texts.
    tabular : bool
        Whether its columns may be named (`ReadOptions.columns`).
    extra : str
        The extra of the package that the format needs, if any.
    book : bool
        Whether it is a book for readers, with the options of `WriteOptions.book`.
    based : bool
        Whether it holds positions that are counted from 0 by some programs and from 1 by others.
    may_lack_texts : bool
        Whether a format of texts may also hold identifiers or positions in texts that stand
        elsewhere, which the user may then name.
    remarks : callable or None
        Takes the bitexts that are written and a collector of notes; yields the bitexts, and notes
        what other programs may misread in the file.
    package : str
        The package and version that a plug-in comes from, which the registry sets.

    """

    name: str
    title: str
    holds: Literal["text", "ids", "positions"] = "text"
    suffixes: tuple[str, ...] = ()
    sniff: Callable[[bytes], int] = _is_another
    read: Callable[[Source, ReadOptions], Iterator[Bitext]] | None = None
    write: Callable[..., None] | None = None
    write_multitexts: Callable[..., None] | None = None
    keeps: Capabilities = field(default_factory=Capabilities)
    keeps_in_props: Capabilities | None = None
    keeps_with_documents: Capabilities | None = None
    keeps_by_paragraph: Capabilities | None = None
    keeps_retimed: Capabilities | None = None
    units: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    two_files: bool = False
    binary: bool = False
    streams: bool = False
    better: Literal["higher", "lower", ""] = "higher"
    names_languages: bool = False
    tabular: bool = False
    extra: str = ""
    book: bool = False
    based: bool = False
    may_lack_texts: bool = False
    remarks: Callable[[Iterable[Bitext], Notes], Iterator[Bitext]] | None = None
    package: str = ""

    @property
    def has_texts(self) -> bool:
        """Whether all of its files have their texts, so that the user need name none."""
        return self.holds == "text" and not self.may_lack_texts

    def capabilities(self, options: WriteOptions) -> Capabilities:
        """Return the properties that are preserved with these options."""
        if options.documents is not None and self.keeps_with_documents is not None:
            return self.keeps_with_documents
        if options.book.rows == "paragraph" and self.keeps_by_paragraph is not None:
            return self.keeps_by_paragraph
        if options.retimed and self.keeps_retimed is not None:
            return self.keeps_retimed
        if options.beads and self.keeps_in_props is not None:
            return self.keeps_in_props
        return self.keeps


# The module of each format, and its suffixes, known without importing any of them, since an
# import costs time and memory. A test compares this table with the modules.
INDEX: dict[str, tuple[str, tuple[str, ...]]] = {
    "android": ("strings.pairs:ANDROID", ()),
    "apple": ("strings.pairs:APPLE", ()),
    "arrow": ("parquet:ARROW", (".arrow", ".feather")),
    "book-html": ("books.html", (".html", ".htm")),
    "champollion": ("identifiers:CHAMPOLLION", (".champollion",)),
    "csv": ("tables.separated", (".csv",)),
    "document-table": ("tables.in_documents", ()),
    "docx": ("books.docx", (".docx",)),
    "epub": ("books.epub", (".epub",)),
    "fast-align": ("moses:FAST_ALIGN", (".src-tgt", ".fast_align")),
    "giza": ("word_links.files:GIZA", (".a3.final", ".a3")),
    "hunalign-ladder": ("hunalign:LADDER", (".ladder",)),
    "hunalign-text": ("hunalign", (".hunalign", ".bi", ".text")),
    "id-pairs": ("identifiers:PAIRS", (".id-pairs",)),
    "jrc-acquis": ("tei:ACQUIS", ()),
    "json": ("jsonl.arrays", (".json",)),
    "json-strings": ("strings.keyed:JSON_STRINGS", ()),
    "jsonl": ("jsonl", (".jsonl",)),
    "maligna": ("maligna", (".al",)),
    "moses": ("moses", ()),
    "naacl": ("word_links.files:NAACL", (".wa", ".naacl", ".wa.nonullalign", ".wa.nullalign")),
    "natools": ("moses:NATOOLS", ()),
    "ods": ("tables.ods", (".ods",)),
    "opus-ids": ("xces:OPUS_IDS", (".ids",)),
    "parquet": ("parquet", (".parquet",)),
    "pdf": ("books.pdf", (".pdf",)),
    "pharaoh": ("word_links.files:PHARAOH", (".pharaoh", ".gdfa", ".gdf", ".intersect", ".talp")),
    "po": ("po", (".po", ".pot")),
    "properties": ("strings.keyed:PROPERTIES", ()),
    "qt": ("strings.bilingual", (".ts",)),
    "resx": ("strings.pairs:RESX", ()),
    "sdlxliff": ("xliff.xliff12:SDLXLIFF", (".sdlxliff",)),
    "srt": ("subtitles", (".srt",)),
    "tbx": ("dictionaries.tbx", (".tbx",)),
    "tei": ("tei", (".tei", ".tei.xml")),
    "tmx": ("tmx", (".tmx",)),
    "tsv": ("tsv", (".tsv",)),
    "ttx": ("cat_tools", (".ttx",)),
    "txml": ("cat_tools:TXML", (".txml",)),
    "vecalign": ("vecalign", (".vecalign", ".align", ".path")),
    "vtt": ("subtitles:WEBVTT", (".vtt",)),
    "wmt": ("strings.bilingual:WMT", ()),
    "wmt-sgm": ("strings.pairs:WMT_SGM", ()),
    "xces": (
        "xces",
        (".xces", ".xces.xml", ".ces", ".ces.xml", ".alignment.xml", ".xces.sgm", ".sgm"),
    ),
    "xcstrings": ("strings.bilingual:XCSTRINGS", (".xcstrings",)),
    "xliff12": ("xliff.xliff12", (".xlf", ".xliff", ".mqxliff", ".mxliff", ".txlf")),
    "xliff2": ("xliff.xliff2", (".xlf", ".xliff")),
    "xls": ("tables.spreadsheets:XLS", (".xls",)),
    "xlsx": ("tables.spreadsheets", (".xlsx", ".xlsm")),
    "yaml-strings": ("strings.keyed:YAML_STRINGS", ()),
    "zip": ("archives", (".zip",)),
}
# Root elements that only files of one format have, which are recognised without importing the
# others: that takes a fifth of the time of a short command.
_ROOTS = {"cesAlign": "xces", "tmx": "tmx"}
ONLY_WRITTEN = frozenset(("book-html", "epub", "pdf"))  # without a reader; a test compares
# Confidences that `sniff` functions return, 0 to 100, set by hand on that scale:
_SURE = 60  # from here on, a format that name and contents agree on is taken at once
_CERTAIN = 90  # from here on, no other format of `bitext` claims an XML file of these roots
_WEAK = 35  # up to here, the contents show only that there are columns


def all_formats() -> dict[str, Format]:
    """Import every format; return them by name: those of `bitext`, then plug-ins that work."""
    return {name: _loaded(name) for name in INDEX} | PLUGINS.all()


@cache
def _loaded(name: str) -> Format:
    module, _, attribute = INDEX[name][0].partition(":")
    format_: Format = getattr(import_module(f"bitext.formats.{module}"), attribute or "FORMAT")
    return format_


def by_name(name: str) -> Format:
    """Return the format with a name.

    Raises `OptionError`, with the nearest name, when there is no such format, and `PluginError`
    when the format is that of a plug-in which cannot be used.
    """
    if name in INDEX:
        return _loaded(name)
    if (plugged := PLUGINS.get(name)) is not None:
        return plugged
    names = format_names()
    hint = did_you_mean(str(name), names)
    raise OptionError(f"format {name!r} is not known; {hint}the formats: {', '.join(names)}")


def format_names() -> list[str]:
    """Return the names of all formats: those of `bitext`, then those of plug-ins."""
    return [*INDEX, *(name for name in PLUGINS.names() if name not in INDEX)]


def readable_names() -> list[str]:
    """Return the names of the formats that are read, not only written."""
    return [name for name, known in all_formats().items() if known.read is not None]


def format_suffixes(*, read: bool = False) -> set[str]:
    """Return the suffixes of all formats; with `read` of those that are not only written."""
    own = (suffixes for name, (_, suffixes) in INDEX.items() if not (read and name in ONLY_WRITTEN))
    plugged = (each.suffixes for each in PLUGINS.all().values() if each.read or not read)
    return {suffix for suffixes in (*own, *plugged) for suffix in suffixes}


def by_suffix(path: str) -> Format | None:
    """Return the format of the suffix of a file, or `None`; suffixes of plug-ins come last."""
    names = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() not in PACKED]
    endings = [ending for length in (2, 1) if (ending := "".join(names[-length:]))]
    for ending in endings:
        for name, (_, suffixes) in INDEX.items():
            if ending in suffixes:
                return _loaded(name)
    plugged = PLUGINS.all().values() if endings else ()
    fitting = (each for ending in endings for each in plugged if ending in each.suffixes)
    return next(fitting, None)


# Endings of files that no format has, by the ending that holds the same.
_WRITTEN_AS = {
    **dict.fromkeys((".doc", ".fodt", ".odt", ".rtf"), ".docx"),
    **dict.fromkeys((".azw", ".azw3", ".fb2", ".kfx", ".mobi"), ".epub"),
    **dict.fromkeys((".ass", ".ssa", ".sub"), ".srt"),
    **dict.fromkeys((".md", ".markdown"), ".html"),
    ".txt": ".tsv",
}


def nearest_suffix(path: str) -> str:
    """Return the suffix of a format that is most similar to the file's own; empty for none."""
    names = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() not in PACKED]
    own = names[-1] if names else ""
    return _WRITTEN_AS.get(own) or (nearest(own, sorted(format_suffixes())) if own else "")


def sniff(head: bytes, path: str) -> Format | None:
    """Return the format that fits the first bytes best; the name of the file breaks ties.

    The name decides as well for a format of positions where the bytes are hardly conclusive. Text
    in UTF-16 or UTF-32 with its mark is examined in UTF-8.
    """
    head = as_utf_8(head)
    named = by_suffix(path)
    if named is not None and named.sniff(head) >= _SURE:
        return named
    packed = head.startswith(b"PK\x03\x04")  # a member may stand in it as it is
    if not packed and (usual := _ROOTS.get(read_prolog(head).name)) is not None:
        known = _loaded(usual)
        certainty = known.sniff(head)
        rivals = (each.sniff(head) for each in PLUGINS.all().values())
        if certainty >= _CERTAIN and certainty > max(rivals, default=0):
            return known
    best, highest = None, 0
    for known in all_formats().values():
        confidence = known.sniff(head) if known.binary or not packed else 0
        if confidence and known is named:
            confidence += 1
        if confidence > highest:
            best, highest = known, confidence
    # A file of numbers with a bad line is of the format of its name, lest the numbers become texts.
    if named is not None and named.holds == "positions" and highest <= _WEAK:
        return named
    # So is XML with something before it, lest its lines become texts.
    if named is not None and named.holders and b"<?xml" in head and not (best and best.holders):
        return named
    return best


# Formats of plug-ins: their errors name the package.


def _plugged(plugin: Plugin, made: object) -> Format:
    """Check the format of a plug-in, and let its errors name the package."""
    if not isinstance(made, Format):
        raise plugin.error(f"is {made!r:.60}: want a bitext.formats.Format")
    if made.name != plugin.name:
        raise plugin.error(f"its format is named {made.name!r}: want the name of the entry point")
    wrong = [s for s in made.suffixes if not (s.startswith(".") and s == s.lower())]
    if isinstance(made.suffixes, str) or wrong:
        raise plugin.error(f"its suffixes are {made.suffixes!r:.60}: want a tuple as ('.arrows',)")

    def sniff(head: bytes) -> int:
        try:
            return int(made.sniff(head))
        except Exception:  # noqa: BLE001 - a file of another format must stay readable
            return 0

    def read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
        with _failing(plugin, f"{source.path}: cannot be read"):
            yield from made.read(source, options)  # type: ignore[misc]

    def write(bitexts: Iterable[Bitext], *outputs: object, options: WriteOptions) -> None:
        with _failing(plugin, "cannot write"):
            made.write(bitexts, *outputs, options=options)  # type: ignore[misc]

    reads = None if made.read is None else read
    writes = None if made.write is None else write
    return replace(made, sniff=sniff, read=reads, write=writes, package=plugin.package)


@contextmanager
def _failing(plugin: Plugin, what: str) -> Iterator[None]:
    """Turn the errors of a plug-in that are not those of a user or of the system into its own."""
    try:
        yield
    except FormatError as error:
        error.is_of_unit = False  # its package words the remedy
        raise
    except (BitextError, OSError, MemoryError):
        raise
    except Exception as error:
        raise plugin.error(f"{what}: {fault_at(error)}") from error


PLUGINS: Plugins[Format] = Plugins("bitext.formats", make=_plugged, own=lambda: INDEX)
