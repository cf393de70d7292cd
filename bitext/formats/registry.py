"""The registry of formats: each module of this package that holds a `FORMAT` is one.

To add a format, add a module with a `FORMAT`, and a line to `INDEX`; nothing else has to know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bitext.errors import OptionError, did_you_mean, nearest
from bitext.formats.columns import Columns
from bitext.formats.io.compression import PACKED
from bitext.formats.io.source import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bitext.formats.io.source import Source
    from bitext.model import Bitext, Text

__all__ = [
    "EMPTY",
    "INDEX",
    "LANGUAGE",
    "LOSSES",
    "MERGED",
    "WORDS",
    "Capabilities",
    "Format",
    "ReadOptions",
    "WriteOptions",
    "all_formats",
    "by_name",
    "by_suffix",
    "further_languages",
    "kind_of_column",
    "language_column",
    "nearest_suffix",
    "sniff",
]


# What of a bitext a file of a format holds: what each format declares, and the losses by name.

LANGUAGE = "lang:"  # columns of texts in further languages: "lang:de"
WORDS = "words"  # the column of word links, as Pharaoh writes them

EMPTY = "document pairs without bisegments, left out"
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
    "document_names": "document pairs whose names, or those of their documents, are not told",
    "languages": "texts whose language is not told",
    "other_languages": "texts in further languages",
    "markup": "segments with inline marks, written without them",
    "words": "bisegments with word links, written without them",
    "breaks": "segments or values with tabs or line ends, made blanks",
    "controls": "segments with characters that XML forbids",
    "paragraphs": "paragraphs",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What of a bitext a file of a format holds; each field is a row of the table of losses.

    Attributes
    ----------
    texts : bool
        The characters of segments.
    borders : bool
        Where one segment of a side ends and the next begins.
    empty_sides : bool
        Bisegments with segments on one side only.
    empty_segments : bool
        Segments without characters, told from no segment.
    crossings : bool
        The order of segments in their texts where bisegments come in another.
    gaps : bool
        That segments of one bisegment are not neighbours.
    overlaps : bool
        That two bisegments share a segment.
    uncovered : bool
        Segments in no bisegment.
    ids : bool
        Identifiers of segments.
    scores, attributes : bool
        The columns of the alignment.
    columns : frozenset of str
        The names of those other columns that are kept where `attributes` is false.
    empty_values : bool
        Values without characters in columns that are kept, told from no value.
    documents : bool
        Which bisegments are of one document pair.
    empty_documents : bool
        Document pairs without bisegments, where others are kept apart. One that is alone in its
        file, and has no name of its own, is kept by that there is nothing in the file.
    document_names : bool
        The names of the two documents, and that of the pair where it has one of its own.
    names : frozenset of str
        Which of them (`src_doc`, `tgt_doc`, `name`) are kept where `document_names` is false.
    whole : callable or None
        Tells which bisegments keep all their segments where `borders` or `empty_segments` is false.
    unwritten : callable or None
        Tells which values of a column that is kept, by its name, are not written all the same.
    named : callable or None
        Gives what tells document pairs apart where a file has them by the names of their documents;
        pairs for which it is the same are read as one. Nothing, or an empty value, tells them.
    languages, other_languages : bool
        The languages of the two texts, and texts in further ones.
    markup : bool
        Inline marks.
    words : bool
        Word links.
    breaks : bool
        Tabs and line ends within segments, and within values of columns that are kept.
    controls : bool
        Characters that XML forbids.
    paragraphs : bool
        The paragraphs of the two texts.

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
    columns: frozenset[str] = frozenset()
    empty_documents: bool = True
    empty_values: bool = True
    names: frozenset[str] = frozenset()
    whole: Callable[[Bitext], NDArray[np.bool_]] | None = None
    unwritten: Callable[[Bitext, str], NDArray[np.bool_]] | None = None
    named: Callable[[Bitext], str] | None = None

    def lost(self) -> list[str]:
        """Return the names of what is not kept."""
        return [name for name in LOSSES if not getattr(self, name)]

    def keeps_column(self, name: str) -> bool:
        """Tell whether a column of the alignment is kept."""
        return bool(getattr(self, kind_of_column(name))) or name in self.columns


def language_column(name: str) -> str:
    """Return the code of the language that a column of an alignment is in; empty for another."""
    return name.removeprefix(LANGUAGE) if name.startswith(LANGUAGE) else ""


def further_languages(columns: Mapping[str, Sequence[str | None]]) -> list[str]:
    """Return the languages of which columns of an alignment hold texts, each once.

    Examples
    --------
    >>> further_languages({"lang:de": ["a"], "note": ["b"], "lang:it": [None], "lang:de#2": ["c"]})
    ['de']

    """
    found = (
        code.partition("#")[0]
        for name, column in columns.items()
        if (code := language_column(name)) and any(value is not None for value in column)
    )
    return list(dict.fromkeys(found))


def kind_of_column(name: str) -> str:
    """Return the kind of loss that a column of an alignment is when it is not kept."""
    if name == WORDS:
        return "words"
    return "other_languages" if language_column(name) else "attributes"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """What a reader is told beside the file.

    Attributes
    ----------
    src, tgt : Text or None
        The texts that the user named for this alignment; they win over documents that the
        file names. Formats that hold their own text do not look at them.
    over_src, over_tgt : Text or None
        The texts that positions are checked against and point to when `src` and `tgt` are not
        given: those of the gold standard, when a hypothesis is read.
    roots : tuple of Path or str
        The folders, or places as strings, that documents named in the file may lie under. No other
        file is opened.
    name : str
        The name of the text in its corpus.
    second : Source or None
        The second file of a format of two files.
    src_lang, tgt_lang : str
        The languages wanted, of a file that may hold more than two; empty for those that it says.
    parts : bool
        Whether a document pair may be handed out in parts of some thousand bisegments, as it is
        read, so that memory does not grow with the file (see `Bitext.continues`).
    lines : bool
        Whether the line of each bisegment is wanted (`Bitext.lines`).
    base : int or None
        Where positions count from, 0 or 1; `None`: told by the texts, else as the format usually
        does.
    drafts : bool
        Whether targets that are no translations by their state are read as translations.
    limits : Limits
        What a compressed document that the file names may unfold to.
    columns : Columns
        Which columns of a table hold the texts.

    """

    src: Text | None = None
    tgt: Text | None = None
    over_src: Text | None = None
    over_tgt: Text | None = None
    roots: tuple[Path | str, ...] = ()
    name: str = ""
    second: Source | None = None
    src_lang: str = ""
    tgt_lang: str = ""
    parts: bool = False
    lines: bool = False
    base: int | None = None
    drafts: bool = False
    limits: Limits = field(default_factory=Limits)
    columns: Columns = field(default_factory=Columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOptions:
    """What a writer is told beside the bitexts.

    Attributes
    ----------
    src_lang, tgt_lang : str
        The languages to write; empty for those of the texts.
    beads : bool
        Whether ids and the borders between segments are to be kept in properties, where the
        format has no other place for them (`Format.keeps_in_props`).
    documents : Path or None
        The folder where a stand-off format writes the texts, as documents that it points into.

    """

    src_lang: str = ""
    tgt_lang: str = ""
    beads: bool = False
    documents: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of alignments.

    Attributes
    ----------
    name : str
        Its name on the command line.
    title : str
        What it is, in a few words.
    holds : {"text", "ids", "positions"}
        What a bisegment of the file says of its segments: their characters, their identifiers in
        documents, or their positions in a text.
    keeps : Capabilities
        What of a bitext a file that is written holds; the rest is lost.
    keeps_in_props : Capabilities or None
        The same with `WriteOptions.beads`, where the format has properties to put more into.
    keeps_with_documents : Capabilities or None
        The same with `WriteOptions.documents`, of a stand-off format that writes the texts there.
    suffixes : tuple of str
        The endings of the names of its files, without compression; the first is the usual one.
    sniff : callable
        Takes the first bytes (64 KB at most) and gives 0 (not this) to 100 (surely this).
    read : callable
        Takes a `Source` and `ReadOptions` and yields the bitexts of the file, one a document pair,
        or parts of them where the options allow it.
    write : callable or None
        Takes an iterable of bitexts, a text file (two of them if `two_files`, a binary one if
        `binary`) and `WriteOptions` as `options`, and writes them all, one after another.
    units, holders : tuple of str
        Of XML: the elements that can be left out one by one where they are not well-formed, and
        those around them that say what they belong to, the outer ones first.
    two_files : bool
        Whether the two sides are two files.
    binary : bool
        Whether its files are bytes that are no text.
    streams : bool
        Whether reading and writing need memory for a part of a document pair only.
    better : {"higher", "lower", ""}
        Which scores of its files are the better ones; empty where files of both kinds exist.
    names_languages : bool
        Whether its files are expected to name the languages of both texts.
    tabular : bool
        Whether its columns may be named (`ReadOptions.columns`).
    extra : str
        The extra of the package that it needs, if any.
    based : bool
        Whether it holds positions that some count from 0 and others from 1.

    """

    name: str
    title: str
    holds: Literal["text", "ids", "positions"]
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], int]
    read: Callable[[Source, ReadOptions], Iterator[Bitext]]
    write: Callable[..., None] | None = None
    keeps: Capabilities = field(default_factory=Capabilities)
    keeps_in_props: Capabilities | None = None
    keeps_with_documents: Capabilities | None = None
    units: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    two_files: bool = False
    binary: bool = False
    streams: bool = False
    better: Literal["higher", "lower", ""] = "higher"
    names_languages: bool = False
    tabular: bool = False
    extra: str = ""
    based: bool = False

    def kept(self, options: WriteOptions) -> Capabilities:
        """Return what a file that is written with these options holds."""
        if options.documents is not None and self.keeps_with_documents is not None:
            return self.keeps_with_documents
        if options.beads and self.keeps_in_props is not None:
            return self.keeps_in_props
        return self.keeps


# Where each format is, and how its files end: known without importing any of them, since an
# import costs time and memory. A test holds it against the modules.
INDEX: dict[str, tuple[str, tuple[str, ...]]] = {
    "fast-align": ("moses:FAST_ALIGN", (".src-tgt", ".fast_align")),
    "giza": ("word_links.giza", (".a3.final", ".a3")),
    "hunalign-ladder": ("hunalign:LADDER", (".ladder",)),
    "hunalign-text": ("hunalign", (".hunalign", ".bi", ".text")),
    "jsonl": ("jsonl", (".jsonl",)),
    "maligna": ("maligna", (".al",)),
    "moses": ("moses", ()),
    "naacl": ("word_links.naacl", (".wa", ".naacl", ".wa.nonullalign", ".wa.nullalign")),
    "natools": ("moses:NATOOLS", ()),
    "parquet": ("parquet", (".parquet",)),
    "pharaoh": ("word_links.pharaoh", (".pharaoh", ".gdfa", ".gdf", ".intersect", ".talp")),
    "po": ("po", (".po", ".pot")),
    "sdlxliff": ("xliff.xliff12:SDLXLIFF", (".sdlxliff",)),
    "tei": ("tei", (".tei", ".tei.xml")),
    "tmx": ("tmx", (".tmx",)),
    "tsv": ("tsv", (".tsv",)),
    "ttx": ("cat_tools", (".ttx",)),
    "txml": ("cat_tools:TXML", (".txml",)),
    "vecalign": ("vecalign", (".vecalign", ".align", ".path")),
    "xces": (
        "xces",
        (".xces", ".xces.xml", ".ces", ".ces.xml", ".alignment.xml", ".xces.sgm", ".sgm"),
    ),
    "xliff12": ("xliff.xliff12", (".xlf", ".xliff", ".mqxliff", ".mxliff")),
    "xliff2": ("xliff.xliff2", (".xlf", ".xliff")),
}
_SURE = 60  # from here on, what a name and the contents say together is not doubted
_WEAK = 35  # up to here, contents say no more than that there are columns


def all_formats() -> dict[str, Format]:
    """Return every format by its name, sorted; this imports them all."""
    return {name: _loaded(name) for name in INDEX}


@cache
def _loaded(name: str) -> Format:
    module, _, attribute = INDEX[name][0].partition(":")
    found: Format = getattr(import_module(f"bitext.formats.{module}"), attribute or "FORMAT")
    return found


def by_name(name: str) -> Format:
    """Return the format of that name.

    Raises
    ------
    OptionError
        When there is none; the message names the nearest.

    """
    if name in INDEX:
        return _loaded(name)
    hint = did_you_mean(name, INDEX)
    raise OptionError(f"format {name!r} is not known; {hint}the formats: {', '.join(INDEX)}")


def by_suffix(path: str) -> Format | None:
    """Return the format that the name of a file tells, or `None`."""
    names = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() not in PACKED]
    for length in (2, 1):
        ending = "".join(names[-length:])
        for name, (_, suffixes) in INDEX.items():
            if ending and ending in suffixes:
                return _loaded(name)
    return None


def nearest_suffix(path: str) -> str:
    """Return the ending of a format that is most like that of a name; empty for none."""
    names = [suffix.lower() for suffix in Path(path).suffixes if suffix.lower() not in PACKED]
    known = [suffix for _, suffixes in INDEX.values() for suffix in suffixes]
    return nearest(names[-1], known) if names else ""


def sniff(head: bytes, path: str) -> Format | None:
    """Return the format that the first bytes tell; the name decides between equals.

    It decides as well for a format of positions where the bytes tell hardly anything.
    """
    named = by_suffix(path)
    if named is not None and named.sniff(head) >= _SURE:
        return named
    best, most = None, 0
    for known in all_formats().values():
        sure = known.sniff(head)
        if sure and known is named:
            sure += 1
        if sure > most:
            best, most = known, sure
    # A file of numbers with a bad line is of the format of its name, lest the numbers become texts.
    if named is not None and named.holds == "positions" and most <= _WEAK:
        return named
    return best
