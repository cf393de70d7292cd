"""Detection of the spelling of segmentations in lines, from the contents of a file."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.formats.io.compression import unpacked
from bitext.formats.segmentations.collecting import is_flag, listed
from bitext.formats.segmentations.labels import (
    coders_remedy,
    fits_form,
    has_coder_columns,
    is_header,
    label_columns,
    label_lines,
    split_columns,
)
from bitext.formats.segmentations.lines import BITS, BITS_APART, MASSES, is_separator
from bitext.model.segmentation import is_sound_bio, may_be_bio
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.formats.io.source import Source
    from bitext.formats.segmentations.collecting import ReadingOptions

__all__ = [
    "OF_FLAGS",
    "SIGNS_TAKEN",
    "detect_spelling",
    "either",
    "spelling_of_suffix",
    "suffix_of",
]

_NUMBERS = re.compile(r"[-+.0-9,;\s]*[0-9][-+.0-9,;\s]*")
_FEW = 3  # digits, all 0 or 1, that could be a number of units; set by hand
_BY_SUFFIX = {".labels": "labels", ".masses": "masses"}  # suffixes that decide the spelling
OF_FLAGS = ("labels", "begin-bits", "end-bits")  # possible spellings of labels of two values
_DIGITS = 20  # width to which numbers are padded, so that strings compare as numbers
_REPEATS = 2  # mean number of lines for each different one that makes lines look like labels
SIGNS_TAKEN = "0s and 1s taken as one for each potential boundary"


def detect_spelling(source: Source, lines: Sequence[str], options: ReadingOptions) -> str:
    """Detect the spelling from the first line; where several remain, from all lines or the name."""
    column, texts = options.column, options.texts
    if has_coder_columns(label_lines(lines), options.coders):
        return _detect_coders(source, label_lines(lines), options.coders)
    if column is not None:
        return _detect_column(source, label_lines(lines), column)
    if texts is not None:
        spelling = _classify_units(source, label_lines(lines))
        return "labels" if spelling == "text" else spelling
    first = next(line for line in lines if line.strip())
    body = first.rpartition("\t")[2].strip()
    bits = BITS.fullmatch(body) or BITS_APART.fullmatch(body)
    numbers = _NUMBERS.fullmatch(body)
    if not (bits or numbers):
        return _classify_units(source, lines)
    names = [line.rpartition("\t")[0].strip() for line in lines if line.strip()]
    bodies = [line.rpartition("\t")[2].strip() for line in lines if line.strip()]
    named = "\t" in first
    broken = len(bodies) < len(lines)
    if bits and all(map(BITS.fullmatch, bodies)):
        return _classify_bits(source, bodies, named=named, broken=broken)
    if all(map(BITS_APART.fullmatch, bodies)) and any("0" in body for body in bodies):
        joined = ["".join(re.findall("[01]", body)) for body in bodies]
        return _classify_bits(source, joined, named=named, broken=broken)
    if not numbers or (bits and not all(map(MASSES.fullmatch, bodies))):
        return "bits"  # whose reader refuses the wrong line
    if len(bodies) > 1 and all(map(str.isdigit, bodies)):
        return _classify_numbers(source, names, bodies, named=named, broken=broken)
    _note_rising(source, bodies)
    return "masses"


def _classify_numbers(
    source: Source, names: Sequence[str], bodies: Sequence[str], *, named: bool, broken: bool
) -> str:
    """Classify lines of one number each: labels, or texts of one segment."""
    sentences = 2 * sum(" " in name for name in names) > len(names)
    if named and not sentences and "0" not in bodies:
        return "masses"
    spelling, meaning = _LONE[broken]
    if named:
        spelling, meaning = "labels", "labels beside their units"
    if (by_suffix := spelling_of_suffix(source)) in {spelling, "masses"}:
        return by_suffix
    raise source.error(
        f"has one number a line, which could be {meaning}, or masses of texts of one segment; "
        f"name the spelling: {either(spelling, 'masses')} (masses of one text stand in one line)"
    )


def _note_rising(source: Source, bodies: Sequence[str]) -> None:
    """Note masses that rise in every text, as positions of boundaries would."""
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


def _classify_units(source: Source, lines: Sequence[str]) -> str:
    """Classify lines of words: the units of a text, or its labels."""
    given, lines = lines, label_lines(lines)
    broken = len(given) > len(lines)
    units = [line.strip() for line in lines]
    plain = not any(map(is_separator, units))
    rows = split_columns(lines, named=suffix_of(source) == ".csv")
    columns = plain and len(rows) > 1 and len(rows[0]) > 1
    if columns and all(len(row) == len(rows[0]) for row in rows):
        return _classify_columns(source, rows)
    if plain and len(units) > _REPEATS:
        _refuse_blanks(source, units)
    if spelling_of_suffix(source) == "labels":
        return _classify_labels(source, units)
    if plain and len(units) > _REPEATS:
        if may_be_bio(units) or all(map(is_flag, units)):
            return _classify_labels(source, units)
        few = len(set(units))
        if few * _REPEATS <= len(units) and not broken:
            different = "1 different line" if few == 1 else f"{few} different lines"
            raise source.error(
                f"has {different} of {len(units):,} and no separator, which could be labels, one "
                f"a line, or a text of one segment; name the spelling: {either('labels', 'text')}"
            )
    return "text"


def _classify_columns(source: Source, rows: Sequence[Sequence[str]]) -> str:
    """Classify lines with tabs: units with a column of labels, or units alone."""
    bio = label_columns(rows, "bio")
    begun = [k for k in bio if may_be_bio([row[k] for row in rows[1:]])]
    if len(bio) == 1 and begun:
        return _classify_labels(source, _values(rows, bio[0], "bio"))
    if len(begun) > 1:
        raise source.error(
            f"has {len(rows[0])} columns, of which {len(begun)} may be BIO labels; name one "
            f"({remedy(f'column {begun[-1] + 1}')}){coders_remedy(rows, begun, 'bio')}"
        )
    for form, ways in (("begin-bits", OF_FLAGS), ("labels", ("labels",))):
        fit = label_columns(rows, form)
        few = [k for k in fit if len(set(_values(rows, k, form))) * _REPEATS <= len(rows)]
        if len(fit) > 1:
            few = few or fit
        if few or (spelling_of_suffix(source) == "labels" and fit):
            which = f"column{'s'[: len(few) > 1]} {listed(str(k + 1) for k in few)}"
            which = which if few else "one column"
            raise source.error(
                f"has {len(rows[0])} columns, of which {which} may be labels; name what they are: "
                f"{either(*ways)} ({remedy('column')}: which one)"
                f"{coders_remedy(rows, few, form)}, or, of a text of one segment, "
                f"{remedy('from text')}"
            )
    return "text"


def _refuse_blanks(source: Source, units: Sequence[str]) -> None:
    """Refuse columns separated by blanks whose last one has BIO labels, as in CoNLL."""
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


def _detect_column(source: Source, lines: Sequence[str], column: str) -> str:
    """Detect the spelling of the column of labels that the user named."""
    rows = split_columns(lines, named=True)
    width = min(map(len, rows))
    numbered = column.isdecimal()
    k = int(column) - 1 if numbered else -1
    if not numbered and column in rows[0][:width]:
        k, rows = rows[0].index(column), rows[1:]
    if not (rows and 0 <= k < width):
        return "labels"  # whose reader raises the error
    values = [row[k] for row in rows]
    return _classify_labels(source, values[1:] if is_header(values) else values)


def _detect_coders(source: Source, lines: Sequence[str], coders: Sequence[str]) -> str:
    """Detect the spelling of the labels of the coders that the user named."""
    rows = split_columns(lines, named=True)
    width = min(map(len, rows))
    columns = [rows[0].index(name) for name in coders if name in rows[0][:width]]
    columns += [int(name) - 1 for name in coders if name.isdecimal() and 0 < int(name) <= width]
    spellings = {
        _classify_labels(source, labels)
        for k in columns
        if (labels := [row[k] for row in rows[1:] if row[k] not in {"", "NA"}])
    }
    return spellings.pop() if len(spellings) == 1 else "labels"


def _classify_labels(source: Source, labels: Sequence[str]) -> str:
    """Classify labels: runs of equal labels, or marks of the begins or ends of segments."""
    if may_be_bio(labels):
        if not is_sound_bio(labels):
            raise source.error(
                "has labels that may be BIO labels, but do not follow each other as these do, or "
                f"names of which a run makes a segment; name the spelling: "
                f"{either('bio', 'labels')}"
            )
        return "bio"
    if all(map(is_flag, labels)) and spelling_of_suffix(source) != "labels":
        raise source.error(
            f"has labels of two values, which may be names of which a run makes a segment, or "
            f"say where segments begin or end; name the spelling: {either(*OF_FLAGS)}"
        )
    return "labels"


def spelling_of_suffix(source: Source) -> str:
    """Return the spelling of the suffix of a file; empty for other suffixes."""
    return _BY_SUFFIX.get(suffix_of(source), "")


def suffix_of(source: Source) -> str:
    """Return the suffix of a file in small letters, without that of compression."""
    return Path(unpacked(source.path)).suffix.lower()


# The meaning of lines of one character or number, by whether there are empty lines between.
_LONE = {
    False: ("labels", "labels, one a line"),
    True: ("text", "a text of one unit a line, with empty lines between its segments"),
}


def _classify_bits(source: Source, bodies: Sequence[str], *, named: bool, broken: bool) -> str:
    """Classify lines of 0s and 1s only."""
    # Collect all other spellings that the lines fit: if there are any, the user has to choose.
    ways = []
    if all(len(body) == 1 for body in bodies) and len(bodies) > 1:
        if broken:
            ways.append(_LONE[broken])
            ways.append(("labels", "labels of texts with empty lines between"))
            ways.append(("begin-bits", "signs of where segments begin, likewise"))
            ways.append(("end-bits", "or end"))
        else:
            labels = "labels beside their units" if named else "labels, one a line"
            ways.append(("labels", f"{labels}, of which a run makes a segment"))
            ways.append(("begin-bits", "signs of where segments begin"))
            ways.append(("end-bits", "signs of where they end"))
    elif all(body.endswith("1") for body in bodies):
        ways.append(("bits-final", "n signs with a closing 1 for the end of the text"))
    begun = all(body.startswith("1") for body in bodies)
    if begun and all(len(body) <= _FEW for body in bodies):
        ways.append(("masses", "masses of texts of one segment"))
    if begun and "begin-bits" not in dict(ways):
        ways.append(("begin-bits", "n signs with a 1 for each unit that begins a segment"))
    if (by_suffix := spelling_of_suffix(source)) in dict(ways):
        return by_suffix
    if ways:
        raise source.error(
            f"has signs that could be bits, n-1 of them, or "
            f"{', or '.join(meaning for _, meaning in ways)}; name the spelling: "
            f"{either('bits', *(name for name, _ in ways))}"
        )
    kind = f"{SIGNS_TAKEN}, n-1 of n units (one a unit: {either('begin-bits', 'end-bits')})"
    source.notes.add(kind, source.path)
    return "bits"


def either(*spellings: str) -> str:
    """Return the options that name spellings, for messages."""
    return " or ".join(remedy(f"from {spelling}") for spelling in spellings)
