"""Segmentations in files: masses, signs, labels, texts with separators, JSON lines.

| spelling | a text is |
| --- | --- |
| `jsonl` | a line, an object: `{"id": ..., "masses": [...]}` (`segmentation_objects`) |
| `masses` | a line: `5,5,1,3` or `5 5 1 3` |
| `bits` | a line of n-1 signs: `1` where a boundary lies between two units, `0` where none does |
| `bits-final` | a line of n signs: the same, and a closing `1` for the end of the text |
| `labels` | a file, one label a unit and line: a segment is a run of equal labels |
| `text` | a file, one unit a line: a boundary is an empty line, or one of 5 or more `=` |

Before masses and signs the name of the text may stand, with a tab between; in JSON it is `id`. A
text without one is called by the number of its line. Separators at the ends of a text, or several
in a row, make no empty segments.

The spelling is told by the contents. What could be read in two ways is never guessed: the name of
the file settles it, where that ends in `.labels` or `.masses`, or it is an error that says which
ways. So is a text without a separator most of whose lines are there more than once: these may be
labels. `bits-final` has to be asked for, and so have `labels` in a file of another name.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import InputError, OptionError, SegmentationError, did_you_mean
from bitext.formats.corpus import Kind, open_corpus, text_name
from bitext.formats.manifests import refuse_manifest
from bitext.formats.opening import open_source
from bitext.formats.packing import unpacked
from bitext.formats.segmentation_lines import (
    MASSES,
    SIGNS,
    is_separator,
    read_bits,
    read_closed_bits,
    read_labels,
    read_masses,
    read_text,
)
from bitext.formats.segmentation_objects import read_objects
from bitext.model.segmentations import Segmentations
from bitext.remedies import remedy

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from bitext.formats.corpus import Entry
    from bitext.formats.opening import Source
    from bitext.formats.segmentation_reading import Reading

__all__ = ["SPELLINGS", "TextCorpus", "check_spelling", "read_corpus", "read_segmentations"]

_READERS: dict[str, Callable[[Source, Sequence[str]], Reading]] = {
    "masses": read_masses,
    "bits": read_bits,
    "bits-final": read_closed_bits,
    "labels": read_labels,
    "text": read_text,
}
SPELLINGS = ("jsonl", *_READERS)

_NUMBERS = re.compile(r"[-+.0-9,;\s]*[0-9][-+.0-9,;\s]*")
_ARRAY = re.compile(r"\[\s*(?:[\[{\]\"0-9-]|\Z)")  # a text may begin with [Music]
_FEW = 3  # signs that could be a number of units
_ASIDE = re.compile(r"(?i)readme|licen[cs]e|source$|makefile$|.*\.md$")
_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_SAID = {".labels": "labels", ".masses": "masses"}  # what the name of a file settles
_LOOK = 2  # lines for one label, and more, look like labels
_SUFFIXES = (".masses", ".bits", ".labels", ".seg", ".ref", ".hyp", ".jsonl")


def read_segmentations(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    encoding: str = "utf-8",
) -> Segmentations:
    """Read the segmentations of a file, a folder or a manifest, by the names of their texts.

    Parameters
    ----------
    path : str or path
        `-` is standard input; `.gz`, `.bz2`, `.xz` and `.zst` are unpacked. A file that is one
        text without a name is called by the name of the file; in a folder, the texts of a file
        of several are called `file:text`.
    format : str, optional
        One of `jsonl`, `masses`, `bits`, `bits-final`, `labels`, `text`. Default: told by the
        contents.
    encoding : str
        Of files that have no byte order mark.

    Returns
    -------
    Segmentations
        A mapping of names to `Segmentation`s, with notes on what was odd.

    Raises
    ------
    FormatError
        When a file is not what it should be, with the line, or its spelling cannot be told.
    InputError
        When a file cannot be read, or two texts have one name.

    """
    return read_corpus(path, spelling=format, encoding=encoding).table


@dataclass(frozen=True, slots=True)
class TextCorpus:
    """The segmentations of a file, a folder or a manifest, and where each one was read.

    Attributes
    ----------
    path : str
        As the user named it.
    readings : tuple of Reading
        What each file says.
    table : Segmentations
        All texts under the names that they have in the corpus.
    starts : tuple of int
        The index of the first text of each file.
    aside : tuple of str
        The files of a folder that were not read.
    named : bool
        Whether each file has a name given to it, by a folder or a manifest.

    """

    path: str
    readings: tuple[Reading, ...]
    table: Segmentations
    starts: tuple[int, ...]
    aside: tuple[str, ...]
    named: bool = False

    def place(self, text: int) -> tuple[Reading, int]:
        """Return the file of a text, and which text of the file it is."""
        file = bisect_right(self.starts, text) - 1
        return self.readings[file], text - self.starts[file]

    def unread(self) -> dict[str, tuple[str, str]]:
        """Return the files that hold no text: by name of the text, the file and what it is."""
        found = {}
        for name in self.aside:
            path = Path(self.path) / name
            what = _no_text(path)
            if what and not _ASIDE.match(path.name):
                found[text_name(Path(name), _KIND)] = (str(path), what)
        return found


def read_corpus(
    path: str | os.PathLike[str],
    *,
    spelling: str | None = None,
    encoding: str = "utf-8",
    watch: Callable[[list[Entry]], Iterable[Entry]] = iter,
) -> TextCorpus:
    """Read every text of a corpus; parameters and errors as of `read_segmentations`.

    Parameters
    ----------
    watch : callable
        Passes the files on one by one, to tell how far reading is.

    """
    if spelling is not None:
        check_spelling(spelling)
    corpus = open_corpus(path, kind=_KIND)
    names: list[str] = []
    starts: list[int] = []
    readings: list[Reading] = []
    for entry in watch(list(corpus.entries.values())):
        reading = _read_file(entry.path, spelling, encoding)
        readings.append(reading)
        starts.append(len(names))
        if reading.whole:
            names.append(entry.name)
        elif corpus.kind == "file":
            names += reading.table.ids
        else:
            names += [f"{entry.name}:{name}" for name in reading.table.ids]
    try:
        table = Segmentations.join([reading.table for reading in readings], names)
    except SegmentationError as error:
        raise InputError(f"{corpus.path}: {error}") from None
    return TextCorpus(
        corpus.path,
        tuple(readings),
        table,
        tuple(starts),
        corpus.aside,
        named=corpus.kind != "file",
    )


def check_spelling(name: str) -> str:
    """Return the spelling if there is one of that name.

    Raises
    ------
    OptionError
        When there is none; the message names the nearest.

    """
    if name in SPELLINGS:
        return name
    hint = did_you_mean(name, SPELLINGS)
    raise OptionError(f"spelling {name!r} is not known; {hint}want one of {', '.join(SPELLINGS)}")


def _read_file(path: str, spelling: str | None, encoding: str) -> Reading:
    with open_source(path, encoding=encoding) as source:
        source.refuse_document()
        refuse_manifest(source, "file of segmentations")
        opening = _opening(source)
        if "\0" in opening:
            raise source.error(
                f"holds NUL bytes, as no text does; name the encoding of the file "
                f"({remedy('encoding')}), as utf-16-le, or another file"
            )
        if spelling is None and _ARRAY.match(opening):
            raise source.error(
                f'begins as a JSON array; want JSON lines, an object a line as {{"id": "t1", '
                f'"masses": [5, 3]}}, or name the spelling of the file ({remedy("from")})'
            )
        if spelling == "jsonl" or (spelling is None and opening.startswith("{")):
            return read_objects(source)
        lines = source.lines()
        # Empty lines at the end are nobody's text, unless they have a name.
        while lines and not lines[-1].strip() and "\t" not in lines[-1]:
            lines.pop()
        if not any(line.strip() for line in lines):
            raise source.error("is empty; want at least one text")
        return _READERS[spelling or _tell(source, lines)](source, lines)


def _opening(source: Source) -> str:
    """Return how the characters begin; a byte order mark wins over the encoding asked for."""
    head = source.head()
    bom = next((mark for mark in _BOMS if head.startswith(mark)), b"")
    encoding = _BOMS.get(bom, source.encoding)
    return head[len(bom) :].decode(encoding, "ignore").lstrip()


def _tell(source: Source, lines: Sequence[str]) -> str:
    """Tell the spelling by the first line, by all where that leaves several, or by the name."""
    first = next(line for line in lines if line.strip())
    body = first.rpartition("\t")[2].strip()
    signs, numbers = SIGNS.fullmatch(body), _NUMBERS.fullmatch(body)
    if not (signs or numbers):
        return _tell_units(source, lines)
    bodies = [line.rpartition("\t")[2].strip() for line in lines if line.strip()]
    named = "\t" in first
    broken = len(bodies) < len(lines)
    if signs and all(map(SIGNS.fullmatch, bodies)):
        return _tell_signs(source, bodies, named=named, broken=broken)
    if not numbers or (signs and not all(map(MASSES.fullmatch, bodies))):
        return "bits"  # which says what line is none
    if not named and len(bodies) > 1 and all(map(str.isdigit, bodies)):
        way, told = _LONE[broken]
        if (said := _said(source)) in {way, "masses"}:
            return said
        raise source.error(
            f"has one number a line, which could be {told}, or masses of texts of one segment; "
            f"name the spelling: {_either(way, 'masses')}"
        )
    return "masses"


def _tell_units(source: Source, lines: Sequence[str]) -> str:
    """Tell what lines of words are: the units of a text, or its labels."""
    if _said(source) == "labels":
        return "labels"
    units = [line.strip() for line in lines]
    if all(units) and len(units) > _LOOK and not any(map(is_separator, units)):
        few = len(set(units))
        if few * _LOOK <= len(units):
            lines_told = "1 different line" if few == 1 else f"{few} different lines"
            raise source.error(
                f"has {lines_told} of {len(units):,} and no separator, which could be labels, one "
                f"a line, or a text of one segment; name the spelling: {_either('labels', 'text')}"
            )
    return "text"


def _said(source: Source) -> str:
    """Return the spelling that the name of a file says, if any."""
    return _SAID.get(Path(unpacked(source.path)).suffix.lower(), "")


# What lines of one sign or number may be, without and with empty lines between.
_LONE = {
    False: ("labels", "labels, one a line"),
    True: ("text", "a text of one unit a line, with empty lines between its segments"),
}


def _tell_signs(source: Source, bodies: Sequence[str], *, named: bool, broken: bool) -> str:
    """Tell what lines are that hold nothing but 0 and 1."""
    ways = []
    if all(body.endswith("1") for body in bodies):
        ways.append(("bits-final", "n signs with a closing 1 for the end of the text"))
    if all(len(body) == 1 for body in bodies) and len(bodies) > 1 and not named:
        ways.append(_LONE[broken])
    if all(body.startswith("1") and len(body) <= _FEW for body in bodies):
        ways.append(("masses", "masses of texts of one segment"))
    if (said := _said(source)) in dict(ways):
        return said
    if ways:
        raise source.error(
            f"has signs that could be bits, n-1 of them, or "
            f"{', or '.join(told for _, told in ways)}; name the spelling: "
            f"{_either('bits', *(name for name, _ in ways))}"
        )
    return "bits"


def _either(*spellings: str) -> str:
    return " or ".join(remedy(f"from {spelling}") for spelling in spellings)


def _holds_text(path: Path) -> bool:
    """Tell whether a file of a folder may be a segmentation: text, and no file about others."""
    return not _ASIDE.match(path.name) and not _no_text(path)


def _no_text(path: Path) -> str:
    """Tell what a file is that holds no text; an empty string of one that may hold some."""
    with open_source(path) as source:
        head = source.head()
    if not head.strip():
        return "empty"
    marked = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return "no text (NUL bytes)" if b"\0" in head and not marked else ""


_KIND = Kind("a segmentation", _holds_text, _SUFFIXES, ("text", "path"))
