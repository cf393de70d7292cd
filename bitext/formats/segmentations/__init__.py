"""Segmentations in files: masses, positions, 0s and 1s, labels, texts with separators, JSON lines.

| spelling | a text is |
| --- | --- |
| `jsonl` | a line, an object: `{"id": "t1", "masses": [5, 3]}` (`segmentation_objects`) |
| `masses` | a line of the lengths of segments: `5,5,1,3` or `5 5 1 3` |
| `positions` | a line of the units before each boundary, and of their number: `5,10,11,14` |
| `bits` | a line of n-1 signs: `1` where a boundary lies between two units, `0` where none does |
| `begin-bits` | n signs, in a line or one a line: `1` for a unit that begins a segment |
| `end-bits` | n signs, in a line or one a line: `1` for a unit that ends a segment |
| `bits-final` | a line of n signs: as `end-bits`, with a closing `1` |
| `labels` | a file, one label a unit and line: a segment is a run of equal labels |
| `bio` | the same, of BIO labels: `B`, `I`, `O`, `E`, `S`, also with types (`B-NP`) |
| `bio-outside`, `bio-within` | the same, where `O` is outside of segments, or within the last one |
| `text` | a file, one unit a line: a boundary is an empty line, or one of 5 or more `=` |
| `spans`, `inclusive-spans` | JSON lines of spans: half-open, or with their last unit |
| `blank-lines`, `rules` | the same, where one of the two alone is a boundary |

Before masses, positions and signs the name of the text may stand, with a tab between; in JSON it
is `id`. A text without one is called by the number of its line. Labels may be a column beside
their units, with tabs between; a file of labels has several texts where there are empty lines, or
a column of their names. Separators at the ends of a text, or several in a row, make no empty
segments.

The contents tell the spelling. A file that fits two spellings is never guessed in silence:
the name of the file settles it, where that ends in `.labels` or `.masses`; or a note says which
way was taken; or it is an error that says which ways there are. So is a text without a separator
most of whose lines are there more than once: these may be labels.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import InputError, OptionError, SegmentationError, did_you_mean
from bitext.formats.corpora import Kind, open_corpus, refuse_manifest, text_name
from bitext.formats.io.compression import unpacked
from bitext.formats.io.source import open_source
from bitext.formats.segmentations.collecting import is_flag
from bitext.formats.segmentations.lines import (
    MASSES,
    SIGNS,
    SIGNS_APART,
    fits_form,
    is_header,
    is_separator,
    label_columns,
    label_lines,
    read_bits,
    read_labels,
    read_masses,
    read_positions,
    read_text,
    split_columns,
)
from bitext.formats.segmentations.objects import SPAN_FORMS, read_objects
from bitext.model.segmentation import BIT_FORMS, LABEL_FORMS, is_sound_bio, may_be_bio
from bitext.model.segmentations import Segmentations
from bitext.option_names import remedy

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from bitext.formats.corpora import Entry
    from bitext.formats.io.source import Source
    from bitext.formats.segmentations.collecting import Reading, Units

__all__ = [
    "SIGNS_TAKEN",
    "SPELLINGS",
    "TextCorpus",
    "check_spelling",
    "read_corpus",
    "read_segmentations",
]

_READERS: dict[str, Callable[[Source, Sequence[str]], Reading]] = {
    "masses": read_masses,
    "positions": read_positions,
    "bits": partial(read_bits, form="bits"),
    "bits-final": partial(read_bits, form="bits-final"),
    "text": read_text,
    "blank-lines": partial(read_text, form="blank-lines"),
    "rules": partial(read_text, form="rules"),
}
OF_LABELS = (*LABEL_FORMS, "begin-bits", "end-bits")  # in a column, one label a line
TEXTS = ("text", "blank-lines", "rules")  # spellings that hold the characters of units
SPELLINGS = ("jsonl", *_READERS, *OF_LABELS, *SPAN_FORMS)
_IN_OBJECTS = frozenset(
    (*OF_LABELS, *BIT_FORMS, *SPAN_FORMS)
)  # spellings that JSON lines may have, too

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
_OF_FLAGS = ("labels", "begin-bits", "end-bits")  # what labels of two values may say
_DIGITS = 20  # as wide as numbers are written to be compared
_LOOK = 2  # lines for one label, and more, look like labels
SIGNS_TAKEN = "0s and 1s taken as one for each potential boundary"
_SUFFIXES = (".masses", ".bits", ".labels", ".seg", ".ref", ".hyp", ".jsonl")


def read_segmentations(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    encoding: str = "utf-8",
    column: str | int | None = None,
    texts: str | int | None = None,
) -> Segmentations:
    """Read the segmentations of a file, a folder or a manifest, by the names of their texts.

    Parameters
    ----------
    path : str or path
        `-` is standard input; `.gz`, `.bz2`, `.xz` and `.zst` are unpacked. A file that is one
        text without a name is called by the name of the file; in a folder, the texts of a file
        of several are called `file:text`.
    format : str, optional
        One of `jsonl`, `masses`, `positions`, `bits`, `begin-bits`, `end-bits`, `bits-final`,
        `labels`, `bio`, `bio-outside`, `bio-within`, `text`, `blank-lines`, `rules`, `spans`,
        `inclusive-spans`. Default: told by the contents. Those of signs and labels say how
        JSON lines are meant, too.
    encoding : str
        Of files that have no byte order mark.
    column : str or int, optional
        Of labels beside their units, with tabs between (or commas, semicolons or blanks, where
        there is no tab): the column of the labels, by its number from 1 or its name in the first
        line.
    texts : str or int, optional
        What parts the texts of a file of labels: `blank-lines`, `docstart` (lines that begin with
        `-DOCSTART-`), a column of their names, by its number or its name in the first line, or
        `one`, where the file is one text. Default: empty lines, or a column that a header names so.

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
    return read_corpus(path, spelling=format, encoding=encoding, column=column, texts=texts).table


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

    def units(self, text: int) -> Units | None:
        """Return the units of a text, where its file holds their characters."""
        reading, k = self.place(text)
        return None if reading.units is None else reading.units[k]

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
    column: str | int | None = None,
    texts: str | int | None = None,
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
    column = None if column is None else str(column)
    texts = None if texts is None else str(texts)
    if (column, texts) != (None, None) and spelling not in {None, *OF_LABELS}:
        raise OptionError(
            f"{remedy('column' if texts is None else 'texts')} is for labels, and the spelling is "
            f"{spelling}: name one of {', '.join(OF_LABELS)}, or leave it out"
        )
    corpus = open_corpus(path, kind=_KIND)
    names: list[str] = []
    starts: list[int] = []
    readings: list[Reading] = []
    for entry in watch(list(corpus.entries.values())):
        reading = _read_file(entry.path, spelling, encoding, column, texts)
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


def _read_file(
    path: str,
    spelling: str | None,
    encoding: str,
    column: str | None = None,
    texts: str | None = None,
) -> Reading:
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
        if opening.startswith("{") and (spelling is None or spelling in _IN_OBJECTS):
            return read_objects(source, spelling)
        if spelling in {"jsonl", *SPAN_FORMS}:
            return read_objects(source)
        lines = source.lines()
        # Empty lines at the end are nobody's text, unless they have a name.
        while lines and not lines[-1].strip() and "\t" not in lines[-1]:
            lines.pop()
        if not any(line.strip() for line in lines):
            raise source.error("is empty; want at least one text")
        if len(lines) == 1 and "\r" in lines[0].strip():
            raise source.error(
                "has carriage returns (CR) alone where lines end; want LF, or CR and LF: convert "
                "the line ends"
            )
        if told := spelling is None:
            spelling = _tell(source, lines, column, texts)
        if spelling in OF_LABELS and (spelling not in BIT_FORMS or _one_a_line(lines)):
            return read_labels(source, lines, spelling, column, told=told, texts=texts)
        if spelling in BIT_FORMS:
            return read_bits(source, lines, spelling)
        return _READERS[spelling](source, lines)


def _one_a_line(lines: Sequence[str]) -> bool:
    """Tell whether signs are those of one text, one a line, and not texts of one unit each."""
    return len(lines) > 1 and all(
        len(cell) == 1 or not SIGNS.fullmatch(cell)
        for line in label_lines(lines)
        for cell in [line.rpartition("\t")[2].strip()]
    )


def _opening(source: Source) -> str:
    """Return how the characters begin; a byte order mark wins over the encoding asked for."""
    head = source.head()
    bom = next((mark for mark in _BOMS if head.startswith(mark)), b"")
    encoding = _BOMS.get(bom, source.encoding)
    return head[len(bom) :].decode(encoding, "ignore").lstrip()


def _tell(source: Source, lines: Sequence[str], column: str | None, texts: str | None) -> str:
    """Tell the spelling by the first line, by all where that leaves several, or by the name."""
    if column is not None:
        return _tell_column(source, label_lines(lines), column)
    if texts is not None:
        told = _tell_units(source, label_lines(lines))
        return "labels" if told == "text" else told
    first = next(line for line in lines if line.strip())
    body = first.rpartition("\t")[2].strip()
    signs = SIGNS.fullmatch(body) or SIGNS_APART.fullmatch(body)
    numbers = _NUMBERS.fullmatch(body)
    if not (signs or numbers):
        return _tell_units(source, lines)
    names = [line.rpartition("\t")[0].strip() for line in lines if line.strip()]
    bodies = [line.rpartition("\t")[2].strip() for line in lines if line.strip()]
    named = "\t" in first
    broken = len(bodies) < len(lines)
    if signs and all(map(SIGNS.fullmatch, bodies)):
        return _tell_signs(source, bodies, named=named, broken=broken)
    if all(map(SIGNS_APART.fullmatch, bodies)) and any("0" in body for body in bodies):
        joined = ["".join(re.findall("[01]", body)) for body in bodies]
        return _tell_signs(source, joined, named=named, broken=broken)
    if not numbers or (signs and not all(map(MASSES.fullmatch, bodies))):
        return "bits"  # which says what line is none
    if len(bodies) > 1 and all(map(str.isdigit, bodies)):
        return _tell_numbers(source, names, bodies, named=named, broken=broken)
    _note_rising(source, bodies)
    return "masses"


def _tell_numbers(
    source: Source, names: Sequence[str], bodies: Sequence[str], *, named: bool, broken: bool
) -> str:
    """Classify lines of one number each: labels, or texts of one segment."""
    sentences = 2 * sum(" " in name for name in names) > len(names)
    if named and not sentences and "0" not in bodies:
        return "masses"
    way, told = _LONE[broken]
    if named:
        way, told = "labels", "labels beside their units"
    if (said := _said(source)) in {way, "masses"}:
        return said
    raise source.error(
        f"has one number a line, which could be {told}, or masses of texts of one segment; "
        f"name the spelling: {_either(way, 'masses')} (masses of one text stand in one line)"
    )


def _note_rising(source: Source, bodies: Sequence[str]) -> None:
    """Note masses that rise in every text, as positions of boundaries do."""
    rises = 0
    for body in bodies:
        parts = [part.zfill(_DIGITS) for part in body.replace(",", " ").split()]
        if any(b <= a for a, b in pairwise(parts)):
            return
        rises += len(parts) - 1
    if rises > 1:
        way = remedy("from positions")
        kind = f"numbers that rise in every text, taken as masses (positions of boundaries: {way})"
        source.notes.add(kind, source.path)


def _tell_units(source: Source, lines: Sequence[str]) -> str:
    """Tell what lines of words are: the units of a text, or its labels."""
    given, lines = lines, label_lines(lines)
    broken = len(given) > len(lines)
    units = [line.strip() for line in lines]
    plain = not any(map(is_separator, units))
    rows = split_columns(lines)
    columns = plain and len(rows) > 1 and len(rows[0]) > 1
    if columns and all(len(row) == len(rows[0]) for row in rows):
        return _tell_columns(source, rows)
    if plain and len(units) > _LOOK:
        _refuse_blanks(source, units)
    if _said(source) == "labels":
        return _tell_labels(source, units)
    if plain and len(units) > _LOOK:
        if may_be_bio(units) or all(map(is_flag, units)):
            return _tell_labels(source, units)
        few = len(set(units))
        if few * _LOOK <= len(units) and not broken:
            lines_told = "1 different line" if few == 1 else f"{few} different lines"
            raise source.error(
                f"has {lines_told} of {len(units):,} and no separator, which could be labels, one "
                f"a line, or a text of one segment; name the spelling: {_either('labels', 'text')}"
            )
    return "text"


def _tell_columns(source: Source, rows: Sequence[Sequence[str]]) -> str:
    """Classify lines with tabs: units with a column of labels, or units alone."""
    bio = label_columns(rows, "bio")
    begun = [k for k in bio if may_be_bio([row[k] for row in rows[1:]])]
    if len(bio) == 1 and begun:
        return _tell_labels(source, _values(rows, bio[0], "bio"))
    for form, ways in (("begin-bits", _OF_FLAGS), ("labels", ("labels",))):
        fit = label_columns(rows, form)
        few = [k for k in fit if len(set(_values(rows, k, form))) * _LOOK <= len(rows)]
        if few or (_said(source) == "labels" and fit):
            which = f"column {few[0] + 1}" if len(few) == 1 else "one column"
            raise source.error(
                f"has {len(rows[0])} columns, of which {which} may be labels; name what they are: "
                f"{_either(*ways)} ({remedy('column')}: which one), or, of a text of one segment, "
                f"{remedy('from text')}"
            )
    return "text"


def _refuse_blanks(source: Source, units: Sequence[str]) -> None:
    """Refuse lines of columns with blanks between of which the last are BIO labels, as of CoNLL."""
    rows = [unit.split() for unit in units]
    width = len(rows[0])
    if width > 1 and all(len(row) == width for row in rows):
        last = [row[-1] for row in rows]
        if may_be_bio(last) and (set(last) & {"I", "O"} or any("-" in label for label in last)):
            raise source.error(
                f"has {width} columns with blanks between, of which the last may be labels; name "
                f"it ({remedy(f'column {width}')}), or, of a text, {remedy('from text')}"
            )


def _values(rows: Sequence[Sequence[str]], k: int, form: str) -> list[str]:
    """Return the labels of a column, without its header."""
    values = [row[k] for row in rows]
    return values if fits_form(values[:1], form) or form == "labels" else values[1:]


def _tell_column(source: Source, lines: Sequence[str], column: str) -> str:
    """Tell the spelling of the column of labels that was named."""
    rows = split_columns(lines, named=True)
    width = min(map(len, rows))
    numbered = column.isdecimal()
    k = int(column) - 1 if numbered else -1
    if not numbered and column in rows[0][:width]:
        k, rows = rows[0].index(column), rows[1:]
    if not (rows and 0 <= k < width):
        return "labels"  # whose reader says what is wrong
    values = [row[k] for row in rows]
    return _tell_labels(source, values[1:] if is_header(values) else values)


def _tell_labels(source: Source, labels: Sequence[str]) -> str:
    """Classify labels: runs of equal ones, or marks of where segments begin or end."""
    if may_be_bio(labels):
        if not is_sound_bio(labels):
            raise source.error(
                "has labels that may be BIO labels, but do not follow each other as these do, or "
                f"names of which a run makes a segment; name the spelling: "
                f"{_either('bio', 'labels')}"
            )
        return "bio"
    if all(map(is_flag, labels)) and _said(source) != "labels":
        raise source.error(
            f"has labels of two values, which may be names of which a run makes a segment, or "
            f"say where segments begin or end; name the spelling: {_either(*_OF_FLAGS)}"
        )
    return "labels"


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
    if all(len(body) == 1 for body in bodies) and len(bodies) > 1:
        if broken:
            ways.append(_LONE[broken])
            ways.append(("labels", "labels of texts with empty lines between"))
            ways.append(("begin-bits", "signs of where segments begin, likewise"))
            ways.append(("end-bits", "or end"))
        else:
            what = "labels beside their units" if named else "labels, one a line"
            ways.append(("labels", f"{what}, of which a run makes a segment"))
            ways.append(("begin-bits", "signs of where segments begin"))
            ways.append(("end-bits", "signs of where they end"))
    elif all(body.endswith("1") for body in bodies):
        ways.append(("bits-final", "n signs with a closing 1 for the end of the text"))
    begun = all(body.startswith("1") for body in bodies)
    if begun and all(len(body) <= _FEW for body in bodies):
        ways.append(("masses", "masses of texts of one segment"))
    if begun and "begin-bits" not in dict(ways):
        ways.append(("begin-bits", "n signs with a 1 for each unit that begins a segment"))
    if (said := _said(source)) in dict(ways):
        return said
    if ways:
        raise source.error(
            f"has signs that could be bits, n-1 of them, or "
            f"{', or '.join(told for _, told in ways)}; name the spelling: "
            f"{_either('bits', *(name for name, _ in ways))}"
        )
    kind = f"{SIGNS_TAKEN}, n-1 of n units (one a unit: {_either('begin-bits', 'end-bits')})"
    source.notes.add(kind, source.path)
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
