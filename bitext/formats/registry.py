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
from bitext.formats.keeps import Keeps
from bitext.formats.opening import Limits
from bitext.formats.packing import PACKED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitext.formats.opening import Source
    from bitext.model import Bitext, Text

__all__ = [
    "INDEX",
    "Format",
    "ReadOptions",
    "WriteOptions",
    "all_formats",
    "by_name",
    "by_suffix",
    "nearest_suffix",
    "sniff",
]


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
    keeps : Keeps
        What of a bitext a file that is written holds; the rest is lost.
    keeps_in_props : Keeps or None
        The same with `WriteOptions.beads`, where the format has properties to put more into.
    keeps_with_documents : Keeps or None
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
    keeps: Keeps = field(default_factory=Keeps)
    keeps_in_props: Keeps | None = None
    keeps_with_documents: Keeps | None = None
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

    def kept(self, options: WriteOptions) -> Keeps:
        """Return what a file that is written with these options holds."""
        if options.documents is not None and self.keeps_with_documents is not None:
            return self.keeps_with_documents
        if options.beads and self.keeps_in_props is not None:
            return self.keeps_in_props
        return self.keeps


# Where each format is, and how its files end: known without importing any of them, since an
# import costs time and memory. A test holds it against the modules.
INDEX: dict[str, tuple[str, tuple[str, ...]]] = {
    "fast-align": ("fast_align", (".src-tgt", ".fast_align")),
    "giza": ("giza", (".a3.final", ".a3")),
    "hunalign-ladder": ("ladder", (".ladder",)),
    "hunalign-text": ("hunalign", (".hunalign", ".bi", ".text")),
    "jsonl": ("jsonl", (".jsonl",)),
    "maligna": ("maligna", (".al",)),
    "moses": ("moses", ()),
    "naacl": ("naacl", (".wa", ".naacl", ".wa.nonullalign", ".wa.nullalign")),
    "natools": ("natools", ()),
    "parquet": ("parquet", (".parquet",)),
    "pharaoh": ("pharaoh", (".pharaoh", ".gdfa", ".gdf", ".intersect", ".talp")),
    "po": ("po", (".po", ".pot")),
    "sdlxliff": ("sdlxliff", (".sdlxliff",)),
    "tei": ("tei", (".tei", ".tei.xml")),
    "tmx": ("tmx", (".tmx",)),
    "tsv": ("tsv", (".tsv",)),
    "ttx": ("ttx", (".ttx",)),
    "txml": ("txml", (".txml",)),
    "vecalign": ("vecalign", (".vecalign", ".align", ".path")),
    "xces": (
        "xces",
        (".xces", ".xces.xml", ".ces", ".ces.xml", ".alignment.xml", ".xces.sgm", ".sgm"),
    ),
    "xliff12": ("xliff12", (".xlf", ".xliff", ".mqxliff", ".mxliff")),
    "xliff2": ("xliff2", (".xlf", ".xliff")),
}
_SURE = 60  # from here on, what a name and the contents say together is not doubted
_WEAK = 35  # up to here, contents say no more than that there are columns


def all_formats() -> dict[str, Format]:
    """Return every format by its name, sorted; this imports them all."""
    return {name: _loaded(name) for name in INDEX}


@cache
def _loaded(name: str) -> Format:
    found: Format = import_module(f"bitext.formats.{INDEX[name][0]}").FORMAT
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
