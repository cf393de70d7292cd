"""Segmentations in lines: masses, positions, bits, texts with separators, transcripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.segmentations.collecting import Collected, Reading, Units
from bitext.model.segmentation import bit_masses
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.io.source import Source

__all__ = [
    "BITS",
    "BITS_APART",
    "MASSES",
    "is_separator",
    "read_bits",
    "read_masses",
    "read_positions",
    "read_text",
    "read_transcript",
]

MASSES = re.compile(r"\s*[0-9]+(?:(?:\s*,\s*|\s+)[0-9]+)*\s*")
BITS = re.compile(r"[01]*")
BITS_APART = re.compile(r"[01](?:(?:\s*[,;]\s*|\s+)[01])+")

_CUTS = re.compile(r"[\s,;]+")  # between separated 0s and 1s
_SEPARATOR = re.compile(r"={5,}")
_HEAD = re.compile(r"={5,},\d+,.*")  # of a section: its depth and title, as in Wiki-727K
_RULES = "-*_#~+"
_OTHER_RULE = re.compile(r"([-*_#~+])(?:\s*\1){4,}")
_BETWEEN = re.compile(r"\s*,\s*|\s+")
# Headings of Markdown, of MediaWiki, of transcripts (between asterisks), and a markup element.
_HEADING = re.compile(
    r"#{1,6} +\S.*|={1,4}[^=\s].*[^=\s]={1,4}|={1,4} .* ={1,4}|\*{2,}[^*]+\*{2,}|</?[A-Za-z][^<>]*>"
)
_AROUND = r"^\p{P}+|\p{P}+$"  # punctuation around a word
# Behind a word: marks that end a sentence, and closing quotation marks and brackets behind them.
_SENTENCE_END = r"[.?!…‽。？！｡؟۔।॥][\p{Pe}\p{Pf}\p{Pi}\"']*$"
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
