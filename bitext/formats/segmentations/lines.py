"""Segmentations in lines: masses, positions, bits, labels, texts with separators, transcripts."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import SegmentationError
from bitext.formats.segmentations.collecting import (
    FLAGS,
    Collected,
    Reading,
    Units,
    is_flag,
    note_labels,
)
from bitext.model import Segmentation
from bitext.model.segmentation import BIO_FORMS, LABEL_FORMS, bio_form, bit_masses, may_be_bio
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.formats.io.source import Source

__all__ = [
    "BITS",
    "BITS_APART",
    "MASSES",
    "fits_form",
    "is_header",
    "is_separator",
    "label_columns",
    "label_lines",
    "read_bits",
    "read_labels",
    "read_masses",
    "read_positions",
    "read_text",
    "read_transcript",
    "split_columns",
]

MASSES = re.compile(r"\s*[0-9]+(?:(?:\s*,\s*|\s+)[0-9]+)*\s*")
BITS = re.compile(r"[01]*")
BITS_APART = re.compile(r"[01](?:(?:\s*[,;]\s*|\s+)[01])+")

_CUTS = re.compile(r"[\s,;]+")  # between separated 0s and 1s
_SEPARATOR = re.compile(r"={5,}")
_HEAD = re.compile(r"={5,},\d+,.*")  # of a section: its depth and title, as in Wiki-727K
_RULES = "-*_#~+"
_OTHER_RULE = re.compile(r"([-*_#~+])(?:\s*\1){4,}")
_HEADS = frozenset(
    [
        *("label", "labels", "tag", "tags", "class", "topic", "section", "segment"),
        *("boundary", "bio", "iob", "gold", "pred", "prediction"),
    ]
)
_DOCSTART = "-DOCSTART-"
_TEXT_HEADS = frozenset(
    [
        *("doc", "docid", "doc_id", "document", "document_id", "documentid", "text", "textid"),
        *("text_id", "file", "filename", "file_name", "article", "article_id", "essay", "essay_id"),
        *("episode", "meeting", "dialogue", "dialogue_id", "id"),
    ]
)
_BETWEEN = re.compile(r"\s*,\s*|\s+")
# Headings of Markdown, of MediaWiki, of transcripts (between asterisks), and a markup element.
_HEADING = re.compile(
    r"#{1,6} +\S.*|={1,4}[^=\s].*[^=\s]={1,4}|={1,4} .* ={1,4}|\*{2,}[^*]+\*{2,}|</?[A-Za-z][^<>]*>"
)
_AROUND = r"^\p{P}+|\p{P}+$"  # punctuation around a word
# Behind a word: marks that end a sentence, and closing quotation marks and brackets behind them.
_SENTENCE_END = r"[.?!…‽。？！｡؟۔।॥][\p{Pe}\p{Pf}\p{Pi}\"']*$"
_FEW_LABELS = 2  # labels that may all differ
_MOST_DIGITS = 18  # digits of a number that fits into 64 bits


def read_masses(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text a line: `5,5,1,3` or `5 5 1 3`."""
    collected = Collected(source)
    for number, name, body in _named(source, lines):
        if not body.strip():
            if name is not None:
                raise source.error(f"has no mass for {name!r}; want one or more", number)
            continue
        if not MASSES.fullmatch(body):
            raise source.error(_no_masses(body), number)
        parts = body.replace(",", " ").split()
        if max(map(len, parts)) > _MOST_DIGITS:
            raise source.error("has a mass of more than 18 digits; want numbers of units", number)
        collected.masses.extend(map(int, parts))
        collected.add(name, number)
    return collected.reading("masses")


def read_positions(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text a line: the units before each boundary, and their number at the end."""
    collected = Collected(source)
    for number, name, body in _named(source, lines):
        parts = body.replace(",", " ").split()
        if not parts and name is None:
            continue
        if not parts or not MASSES.fullmatch(body) or max(map(len, parts)) > _MOST_DIGITS:
            raise source.error(
                f"holds {body.strip()!r:.40}; want the positions of boundaries, rising, and the "
                f"number of units behind them, or name the spelling ({remedy('from')})",
                number,
            )
        ends = np.array(parts, dtype=np.int64)
        masses = np.diff(ends, prepend=0)
        if ends.size > 1 and not ends[0]:
            masses = masses[1:]  # position 0, the beginning of the text, is no boundary
        fallen = np.flatnonzero(masses <= 0)
        if fallen.size:
            k = int(fallen[0]) + ends.size - masses.size
            raise source.error(
                f"has {ends[k]} as position {k}; want each above the one before it, or masses "
                f"({remedy('from masses')})",
                number,
            )
        collected.masses.frombytes(masses.tobytes())
        collected.add(name, number)
    return collected.reading("positions")


def read_bits(source: Source, lines: Sequence[str], form: str) -> Reading:
    """Read one text a line, 0s and 1s as in `Segmentation.from_bits`."""
    collected = Collected(source)
    closed = True
    for number, name, body in _named(source, lines):
        bits = _CUTS.sub("", body)
        _check_signs(source, number, name, bits, form)
        closed &= bits.endswith("1")
        ones = np.frombuffer(bits.encode(), dtype=np.uint8) == ord("1")
        collected.masses.frombytes(bit_masses(ones, form).tobytes())
        collected.add(name, number)
    return collected.reading(form, closed=closed)


def _check_signs(source: Source, number: int, name: str | None, bits: str, form: str) -> None:
    if not bits and name is None:
        raise source.error(
            "is empty; of a text of one unit give the name and a tab, or its mass", number
        )
    if not bits and name and BITS.fullmatch(name):
        raise source.error(
            f"has the name {name!r} and no signs; of a text of one unit give the mass "
            f"({remedy('from masses')}), or take the tab out if these are the signs",
            number,
        )
    if not BITS.fullmatch(bits):
        k = next(k for k, bit in enumerate(bits) if bit not in "01")
        raise source.error(
            f"holds {bits[k]!r} as sign {k}; want 0s and 1s, or name the spelling of the file "
            f"({remedy('from')})",
            number,
        )
    if form == "bits-final" and not bits.endswith("1"):
        raise source.error(
            f"ends in {bits[-1:] or 'nothing'}; bits-final wants a closing 1 for the end of "
            f"the text, n signs of any last one are {remedy('from end-bits')}, n-1 signs are "
            f"{remedy('from bits')}",
            number,
        )
    if form != "bits" and not bits:
        raise source.error(f"has no signs for {name!r}; {form} want one a unit", number)


def split_columns(lines: Sequence[str], *, named: bool = False) -> list[list[str]]:
    """Split lines into cells at tabs.

    Where the user `named` a column and there is no tab at all, cells are those of CSV with the same
    number of commas or semicolons in every line, or else are separated by blanks.
    """
    if named and not any("\t" in line for line in lines):
        for delimiter in ",;":
            try:
                rows = [*csv.reader(lines, delimiter=delimiter, skipinitialspace=True)]
            except csv.Error:  # a carriage return, or a cell beyond its limit
                continue
            if len(rows) == len(lines) and {*map(len, rows)} == {len(rows[0])} != {1}:
                return [[cell.strip() for cell in row] for row in rows]
        return [line.split() for line in lines]
    return [[cell.strip() for cell in line.split("\t")] for line in lines]


def read_labels(
    source: Source,
    lines: Sequence[str],
    form: str,
    column: str | None = None,
    *,
    detected: bool = False,
    texts: str | None = None,
) -> Reading:
    """Read labels of one text or several, one a line, or in a column beside the units.

    Parameters
    ----------
    form : str
        `labels`, `bio`, or a spelling of 0s and 1s (`Segmentation.from_bits`).
    column : str, optional
        The column of the labels, by its number from 1, or by its name in a header. Default: the
        only column that may hold labels.
    detected : bool
        Whether the spelling was detected from the contents, and not set by the user.
    texts : str, optional
        The separator of texts, as of `read_segmentations`.

    """
    content = label_lines(lines)
    places = np.array([k for k, line in enumerate(lines, 1) if _is_label(line)], dtype=np.int64)
    table = _Labels([line.strip() for line in content], places)
    if column is not None or any("\t" in line for line in content):
        table = _label_column(source, content, places, form, column, texts)
    elif form == "labels" and len(content) > _FEW_LABELS:
        _refuse_sentences(source, table.labels)
    if form == "bio":
        form = bio_form(table.labels)
    note_labels(source, table.labels, form, detected=detected)
    # The borders of texts come from a column of names, else from separators between lines.
    starts, names = table.starts, table.names
    if names is None:
        starts = _text_starts(source, lines, table.places, texts)
        names = [None] if len(starts) == 1 else [str(k + 1) for k in range(len(starts))]
    collected = Collected(source)
    for start, end, name in zip(starts, [*starts[1:], len(table.labels)], names, strict=True):
        labels = table.labels[start:end]
        try:
            if form in LABEL_FORMS:
                made = Segmentation.from_labels(labels, form=form)
            else:
                made = Segmentation.from_bits(_flags(source, labels, places[start:]), form=form)
        except SegmentationError as error:
            raise source.error(str(error), int(table.places[start])) from None
        collected.put(made)
        collected.add(name, int(table.places[start]))
    units = None
    if table.units is not None:
        ends = zip(starts, [*starts[1:], len(table.units)], strict=True)
        units = tuple(
            Units("\n".join(table.units[start:end]), table.places[start:end]) for start, end in ends
        )
    return collected.reading(form, units=units, labels=form)


@dataclass(frozen=True, slots=True)
class _Labels:
    """The labels of a file, and the other columns.

    Attributes
    ----------
    labels : list of str
    places : array of int64
        The line of each label.
    units : list of str or None
        The cells of the other columns.
    starts, names : list of int, list of str; or None
        The first label and the name of each text that a column names.

    """

    labels: list[str]
    places: NDArray[np.int64]
    units: list[str] | None = None
    starts: Sequence[int] = (0,)
    names: Sequence[str | None] | None = None


def label_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines that may be labels: neither empty nor `-DOCSTART-`."""
    return [line for line in lines if _is_label(line)]


def _is_label(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(_DOCSTART)


def _text_starts(
    source: Source, lines: Sequence[str], places: NDArray[np.int64], texts: str | None
) -> list[int]:
    """Return the first label of each text, by empty lines or `-DOCSTART-` lines."""
    empty = [number for number, line in enumerate(lines, 1) if not line.strip()]
    marks = [number for number, line in enumerate(lines, 1) if line.startswith(_DOCSTART)]
    if texts not in {None, "one", "blank-lines", "docstart"}:
        raise source.error(
            f"has no columns, and texts are to be separated by {texts!r}; want "
            f"{remedy('texts blank-lines', 'texts docstart', 'texts one')}"
        )
    if texts == "docstart" and not marks:
        raise source.error(
            f"has no line that begins with {_DOCSTART}; name what else separates texts "
            f"({remedy('texts')})"
        )
    if texts == "one":
        return [0]
    parting = marks if texts == "docstart" else sorted(empty + marks)
    starts = np.unique(np.searchsorted(places, parting))
    starts = np.unique(np.append(0, starts[starts < places.size]))
    if texts is None and starts.size > 1:
        other = ["texts docstart"] * (len(marks) > 1) + ["texts one"]
        kind = f"labels with empty lines, which end texts (others: {remedy(*other)})"
        source.notes.add(kind, f"{source.path}: {starts.size:,} texts")
    first_labels: list[int] = starts.tolist()
    return first_labels


def _refuse_sentences(source: Source, labels: Sequence[str]) -> None:
    """Refuse lines of several words that are all different, which are no labels."""
    several = sum(any(char in label for char in " ,;") for label in labels)
    if len(set(labels)) == len(labels) and 2 * several > len(labels):
        raise source.error(
            f"has as many different labels as lines, as {labels[-1]!r:.40}: want labels, or their "
            f"column beside the units ({remedy('column')}, its number or its name in the header)"
        )


def _flags(source: Source, labels: Sequence[str], places: NDArray[np.int64]) -> list[bool]:
    wrong = next((k for k, label in enumerate(labels) if not is_flag(label)), None)
    if wrong is not None:
        raise source.error(
            f"holds {labels[wrong]!r:.40} as a label; want 0 or 1, or name the spelling of the "
            f"file ({remedy('from')})",
            int(places[wrong]),
        )
    return [FLAGS[label.lower()] for label in labels]


def _label_column(
    source: Source,
    lines: Sequence[str],
    places: NDArray[np.int64],
    form: str,
    column: str | None,
    texts: str | None,
) -> _Labels:
    """Return the labels of a column, with the units and the texts of the other columns."""
    rows = split_columns(lines, named=column is not None)
    width = len(rows[0])
    uneven = next((k for k, row in enumerate(rows) if len(row) != width), None)
    if uneven is not None:
        raise source.error(
            f"has {len(rows[uneven])} columns, and line 1 has {width}; want the same in each line",
            int(places[uneven]),
        )
    k = _chosen(source, rows, form, column)
    values = [row[k] for row in rows]
    header = len(values) > 1 and (
        (column is not None and column == values[0] and not column.isdecimal())
        or is_header(values)
        or (form != "labels" and not fits_form(values[:1], form) and fits_form(values[1:], form))
    )
    head: Sequence[str] = ()
    if header:
        head, rows, values, places = rows[0], rows[1:], values[1:], places[1:]
        source.notes.add(
            "first lines taken as a header", f"{source.path}: {lines[0].strip()!r:.60}"
        )
    if column is None:
        name = remedy(f"column {k + 1}")
        kind = f"labels taken from column {k + 1} of {width} (to name another: as {name})"
        source.notes.add(kind, source.path)
    named = _text_column(source, rows, head, k, form, texts)
    units = None
    if width - (named is not None) > 1:
        units = [
            "\t".join(cell for c, cell in enumerate(row) if c not in {k, named}) for row in rows
        ]
    if named is None:
        return _Labels(values, places, units)
    names = [row[named] for row in rows]
    starts = [0, *(k for k in range(1, len(names)) if names[k] != names[k - 1])]
    return _Labels(values, places, units, starts, [names[start] for start in starts])


def _text_column(
    source: Source,
    rows: Sequence[Sequence[str]],
    head: Sequence[str],
    labels: int,
    form: str,
    texts: str | None,
) -> int | None:
    """Return the index of the column with the names of texts, or `None`."""
    width = len(rows[0])
    if texts in {"one", "blank-lines", "docstart"}:
        return None
    if texts is not None:
        at = int(texts) - 1 if texts.isdecimal() else -1
        if not texts.isdecimal() and texts in head:
            at = list(head).index(texts)
        if not 0 <= at < width or at == labels:
            raise source.error(
                f"has no column {texts!r} of the names of texts; want a number from 1 to {width}, "
                f"or a name in the header, other than that of the labels"
            )
        return at
    # Without an option only a column whose header names texts is accepted.
    may = [c for c in range(width) if c != labels and _names_texts([row[c] for row in rows], form)]
    if not may:
        return None
    named = next((c for c in may if head and head[c].lower() in _TEXT_HEADS), None)
    if named is None:
        k = may[0] + 1
        raise source.error(
            f"has a column {k} that may name the texts ({rows[0][k - 1]!r:.30}, then "
            f"{next(row[k - 1] for row in rows if row[k - 1] != rows[0][k - 1])!r:.30}): say so "
            f"({remedy(f'texts {k}')}), or what else separates texts "
            f"({remedy('texts blank-lines', 'texts one')})"
        )
    way = remedy("texts one")
    source.notes.add(
        f"texts separated by their names in a column (all one text: {way})",
        f"{source.path}: {head[named]!r:.30}",
    )
    return named


def _names_texts(values: Sequence[str], form: str) -> bool:
    """Return whether a column may name texts: few values, each in one run, none a label."""
    stretches = 1 + sum(a != b for a, b in pairwise(values))
    few = 1 < stretches == len(set(values)) and stretches * _FEW_LABELS <= len(values)
    return few and (form == "labels" or not fits_form(values, form))


def _chosen(source: Source, rows: Sequence[Sequence[str]], form: str, column: str | None) -> int:
    """Return the index of the column of labels; refuse an unclear or missing one."""
    width = len(rows[0])
    if column is None:
        fit = label_columns(rows, form)
        if len(fit) == 1:
            return fit[0]
        which = ", ".join(str(k + 1) for k in fit)
        may = f"columns {which} may be" if fit else "none is surely"
        raise source.error(
            f"has {width} columns, of which {may} that of the labels; name it "
            f"({remedy('column')}, its number or its name in the header)"
        )
    if column.isdecimal():
        if 1 <= int(column) <= width:
            return int(column) - 1
        raise source.error(f"has {width} columns, and no column {column}; want 1 to {width}")
    if column in rows[0]:
        return list(rows[0]).index(column)
    raise source.error(
        f"has no column {column!r}; the first line has {', '.join(map(repr, rows[0]))}", 1
    )


def label_columns(rows: Sequence[Sequence[str]], form: str) -> list[int]:
    """Return the columns that may be labels of a kind; the first line may be a header."""
    return [
        k
        for k in range(len(rows[0]))
        if fits_form([row[k] for row in rows], form)
        or (len(rows) > 1 and fits_form([row[k] for row in rows[1:]], form))
    ]


def fits_form(values: Sequence[str], form: str) -> bool:
    """Return whether values may be labels of a kind; `labels` need a repeated value."""
    if form == "labels":
        return len(set(values)) < len(values)
    if form in BIO_FORMS:
        return may_be_bio([*values, "B"])  # with a B, so that I and O alone are accepted, too
    return all(map(is_flag, values))


def is_header(values: Sequence[str]) -> bool:
    """Return whether the first cell of a column of labels is its header."""
    return values[0].lower() in _HEADS and values[0] not in values[1:]


def read_text(source: Source, lines: Sequence[str], form: str = "text") -> Reading:
    """Read one text: a unit a line, with a boundary at an empty line or a line of `=`.

    Parameters
    ----------
    form : {"text", "blank-lines", "rules"}
        The boundaries: both kinds of lines, or one alone. Neither is ever a unit.

    """
    collected = Collected(source)
    units: list[str] = []
    line_numbers: list[int] = []
    begun, ruled = 0, form != "blank-lines"
    gaps = {"empty": 0, "rule": 0}  # numbers of gaps between units by their strongest separator
    gap = ""
    for number, line in enumerate(lines, start=1):
        unit = line.strip()
        if (
            unit
            and not is_separator(unit)
            and not (form == "rules" and _OTHER_RULE.fullmatch(unit))
        ):
            _note_unit(source, unit, number)
            if gap and units:
                gaps[gap] += 1
            gap = ""
            units.append(unit)
            line_numbers.append(number)
            continue
        if unit and _HEAD.fullmatch(unit):
            kind = "heads as '========,2,Title.', taken as boundaries and not as units"
            source.notes.add(kind, f"{source.path} line {number}: {unit[:40]!r}")
        gap = "rule" if unit or gap == "rule" else "empty"
        if len(units) > begun and (ruled if unit else form != "rules"):
            collected.masses.append(len(units) - begun)
            begun = len(units)
    if len(units) > begun:
        collected.masses.append(len(units) - begun)
    if not units:
        raise source.error("holds separators only; want one unit a line")
    if form == "text" and all(gaps.values()):
        kind = (
            f"texts with empty lines and lines of =, both taken as boundaries (one alone: "
            f"{remedy('from blank-lines')} or {remedy('from rules')})"
        )
        case = f"{gaps['empty']} by empty lines, {gaps['rule']} by lines of ="
        source.notes.add(kind, f"{source.path}: {case}")
    if len(collected.masses) == 1 and len(units) > 1:
        way = remedy("from labels")
        kind = f"texts without a separator, taken as one segment (labels: {way})"
        source.notes.add(kind, source.path)
    collected.add(None, line_numbers[0])
    text = Units("\n".join(units), np.array(line_numbers, dtype=np.int64))
    return collected.reading(form, units=(text,))


def read_transcript(source: Source, lines: Sequence[str], form: str = "transcript") -> Reading:
    """Read one transcript: its words are the units, without punctuation and in small letters.

    Parameters
    ----------
    form : {"transcript", "transcript-marks"}
        The boundaries: the ends of lines; or the words with a mark that ends a sentence, whatever
        the lines.

    """
    import regex

    around, end = regex.compile(_AROUND), regex.compile(_SENTENCE_END)
    collected = Collected(source)
    words: list[str] = []
    places: list[int] = []
    begun, by_marks = 0, form == "transcript-marks"
    for number, line in enumerate(lines, start=1):
        for token in line.split() if not is_separator(line.strip()) else ():
            word = around.sub("", token)
            if word:
                words.append(word.replace("’", "'").casefold())
                places.append(number)
            # A mark may stand apart from its word.
            if by_marks and end.search(token) and len(words) > begun:
                collected.masses.append(len(words) - begun)
                begun = len(words)
        if not by_marks and len(words) > begun:
            collected.masses.append(len(words) - begun)
            begun = len(words)
    if not words:
        raise source.error("has no words; want a transcript")
    if len(words) > begun:
        collected.masses.append(len(words) - begun)
    if len(collected.masses) == 1 and len(words) > 1:
        other = "transcript" if by_marks else "transcript-marks"
        kind = f"transcripts of one sentence (other boundaries: {remedy(f'from {other}')})"
        source.notes.add(kind, source.path)
    collected.add(None, places[0])
    text = Units("\n".join(words), np.array(places, dtype=np.int64))
    return collected.reading(form, units=(text,))


def _note_unit(source: Source, unit: str, number: int) -> None:
    """Note a unit that may be meant as a boundary."""
    kind = ""
    if unit.startswith("====="):
        kind = "lines that begin with ===== and hold more, taken as units"
    elif unit[0] in "#=*<" and _HEADING.fullmatch(unit):
        kind = "lines that may be headings (#, ***, <...>), taken as units"
    elif unit[0] in _RULES and _OTHER_RULE.fullmatch(unit):
        way = remedy("from rules")
        kind = f"lines of one sign only, taken as units (as boundaries: {way})"
    if kind:
        source.notes.add(kind, f"{source.path} line {number}: {unit[:40]!r}")


def is_separator(line: str) -> bool:
    """Return whether a stripped line is a separator: a line of `=`, or a Wiki-727K heading."""
    return line[:1] == "=" and bool(_SEPARATOR.fullmatch(line) or _HEAD.fullmatch(line))


def _named(source: Source, lines: Sequence[str]) -> Iterator[tuple[int, str | None, str]]:
    """Yield the number of each line, the name of its text if it has one, and the rest."""
    for number, line in enumerate(lines, start=1):
        name, tab, body = line.partition("\t")
        if not tab:
            yield number, None, line
            continue
        if "\t" in body:
            raise source.error(
                "has several tabs; want one, between the name of a text and its segmentation",
                number,
            )
        if not name.strip():
            raise source.error("has a tab and no name before it; give a name, or no tab", number)
        yield number, name.strip(), body


def _no_masses(body: str) -> str:
    parts = _BETWEEN.split(body.strip())
    wrong = next((part for part in parts if not (part.isascii() and part.isdigit())), "")
    flaw = f"holds {wrong!r:.40}" if wrong else "has a comma without a number"
    return (
        f"{flaw}; want masses, whole numbers above zero with commas or blanks between, or name "
        f"the spelling of the file ({remedy('from')})"
    )
