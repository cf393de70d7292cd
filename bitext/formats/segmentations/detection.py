"""Segmentations in lines: masses, positions, bits, texts with separators, transcripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from bitext.errors import many, remedy
from bitext.formats.io.compression import unpacked
from bitext.formats.io.source import Source
from bitext.formats.segmentations.collecting import (
    OF_FLAGS,
    Collected,
    OneText,
    Reading,
    ReadingOptions,
    either,
    is_flag,
    listed,
    marks_among,
    unclear_flags,
    unsound_bio,
)
from bitext.formats.segmentations.labels import (
    coders_remedy,
    fits_form,
    has_coder_columns,
    is_header,
    label_columns,
    label_lines,
    split_columns,
)
from bitext.model.segmentation import bit_masses, is_sound_bio, may_be_bio

MASSES = re.compile(r"\s*[0-9]+(?:(?:\s*,\s*|\s+)[0-9]+)*\s*")
BETWEEN_MASSES = re.compile(r"(?<=[0-9])\s*[,;\s]\s*(?=[0-9])")
# Numbers of one text, as Python, NumPy and JSON write a list, or Python a tuple.
BRACKETED = re.compile(
    r"[ \t]*[\[(][ \t]*([0-9]+(?:(?:[ \t]*,[ \t]*|[ \t]+)[0-9]+)*)[ \t]*,?[ \t]*[\])][ \t\r]*"
)
BITS = re.compile(r"[01]*")
BITS_APART = re.compile(r"[01](?:(?:\s*[,;]\s*|\s+)[01])+")

_CUTS = re.compile(r"[\s,;]+")  # between separated 0s and 1s
_SEPARATOR = re.compile(r"={5,}")
_HEAD = re.compile(r"={5,},\d+,.*")  # of a section: its depth and title, as in Wiki-727K
_RULES = "-*_#~+=—–─═•·"
_OTHER_RULE = re.compile(rf"([{_RULES}])(?:\s*\1){{2,}}")
# A word for a border, in brackets or other marks: [SEP], <eop>, __BREAK__, ##BOUNDARY##.
_BORDER = re.compile(
    r"[\[<({_#@|$=*]+\s*/?"
    r"(?:sep|separator|break|boundary|border|eos|eop|eot|"
    r"(?:end|new)?[ _-]?(?:of[ _-])?(?:sentence|paragraph|segment|topic|section))"
    r"/?\s*[\]>)}_#@|$=*]+",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*,\s*|\s+")
_ZERO_DECIMALS = re.compile(r"(?<=\d)\.0+(?![\d.])")  # as of columns with missing values
# Headings of Markdown, of MediaWiki, of transcripts (between asterisks), and a markup element.
_HEADING = re.compile(
    r"#{1,6} +\S.*|={1,4}[^=\s].*[^=\s]={1,4}|={1,4} .* ={1,4}|\*{2,}[^*]+\*{2,}|</?[A-Za-z][^<>]*>"
)
_BRACKETS = frozenset("[<({_#@|$=*")
_AROUND = r"^\p{P}+|\p{P}+$"  # punctuation around a word
# Behind a word: marks that end a sentence, and closing quotation marks and brackets after them.
_SENTENCE_END = r"[.?!…‽。？！｡؟۔।॥][\p{Pe}\p{Pf}\p{Pi}\"']*$"
_MOST_DIGITS = 18  # digits of a number that fits into 64 bits


def plain_masses(body: str) -> str:
    """Return masses with commas or blanks between, where a table has another spelling of them.

    That is with brackets around all, with `;` between, as decimals, or before empty cells.

    Examples
    --------
    >>> plain_masses("[5, 3]"), plain_masses("5;3"), plain_masses("5.0,3.0,,")
    ('5, 3', '5,3', '5,3')

    """
    bracketed = BRACKETED.fullmatch(body)
    body = bracketed[1] if bracketed else body.strip()
    if "." in body and _CUTS.search(body):  # one number with a decimal may be a flag
        body = _ZERO_DECIMALS.sub("", body)
    body = body.rstrip(",; \t")  # empty cells after the masses of a row
    return body if "," in body else body.replace(";", ",")  # 5,0;3,0 has decimal commas


def read_masses(source: Source, lines: Sequence[str]) -> Reading:
    """Read one text a line: `5,5,1,3` or `5 5 1 3`, also as `plain_masses` reads them."""
    collected = Collected(source)
    for number, name, body in _named(source, lines):
        if not body.strip():
            if name is not None:
                tab = "; take the tab out if these are the masses"
                raise source.error(
                    f"has no mass for {name!r}; want one or more"
                    f"{tab if MASSES.fullmatch(name) else ''}",
                    number,
                )
            continue
        if not MASSES.fullmatch(body):
            body = plain_masses(body)
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
                f"number of units behind them, or name the notation ({remedy('from')})",
                number,
            )
        ends = np.array(parts, dtype=np.int64)
        masses = np.diff(ends, prepend=0)
        if ends.size > 1 and not ends[0]:
            masses = masses[1:]  # position 0, the beginning of the text, is not a boundary
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
        if flaw := _flaw_of_signs(name, bits, form):
            raise source.error(flaw, number)
        closed &= bits.endswith("1")
        ones = np.frombuffer(bits.encode(), dtype=np.uint8) == ord("1")
        collected.masses.frombytes(bit_masses(ones, form).tobytes())
        collected.add(name, number)
    return collected.reading(form, closed=closed)


def _flaw_of_signs(name: str | None, bits: str, form: str) -> str:
    if not bits and name is None:
        return "is empty; of a text of one unit give the name and a tab, or its mass"
    if not bits and name and BITS.fullmatch(name):
        return (
            f"has the name {name!r} and no signs; of a text of one unit give the mass "
            f"({remedy('from masses')}), or take the tab out if these are the signs"
        )
    if not BITS.fullmatch(bits):
        k = next(k for k, bit in enumerate(bits) if bit not in "01")
        way = f"name the notation of the file ({remedy('from')})"
        return f"holds {bits[k]!r} as sign {k}; want 0s and 1s, or {way}"
    if form == "bits-final" and not bits.endswith("1"):
        return (
            f"ends in {bits[-1:] or 'nothing'}; bits-final wants a closing 1 for the end of "
            f"the text, n signs of any last one are {remedy('from end-bits')}, n-1 signs are "
            f"{remedy('from bits')}"
        )
    lacking = form != "bits" and not bits
    return f"has no signs for {name!r}; {form} want one a unit" if lacking else ""


def read_text(source: Source, lines: Sequence[str], form: str = "text") -> Reading:
    """Read one text: one unit per line, with a boundary at an empty line or a line of `=`.

    `form` names the boundaries: both kinds of lines (`text`), or one alone (`blank-lines`,
    `rules`). Neither is ever a unit.
    """
    text = OneText(source)
    gaps = {"empty": 0, "rule": 0}  # numbers of gaps between units by their strongest separator
    gap = ""
    for number, line in enumerate(lines, start=1):
        unit = line.strip()
        is_rule = form == "rules" and _OTHER_RULE.fullmatch(unit)
        if unit and not is_separator(unit) and not is_rule:
            _note_unit(source, unit, number)
            if gap and text.units:
                gaps[gap] += 1
            gap = ""
            text.take([unit], number)
            continue
        if unit and _HEAD.fullmatch(unit):
            kind = "heads as '========,2,Title.', taken as boundaries and not as units"
            source.note(kind, f"{unit[:40]!r}", line=number)
        gap = "rule" if unit or gap == "rule" else "empty"
        if form != ("blank-lines" if unit else "rules"):
            text.end_segment()
    text.end_segment()
    if not text.units:
        raise source.error("holds separators only; want one unit a line")
    if form == "text" and all(gaps.values()):
        ways = f"{remedy('from blank-lines')} or {remedy('from rules')}"
        kind = "texts with empty lines and lines of =, both taken as boundaries"
        case = f"{gaps['empty']} by empty lines, {gaps['rule']} by lines of ="
        source.note(f"{kind} (one alone: {ways})", case)
    if text.is_one_segment:
        way = remedy("from labels")
        source.note(f"texts without a separator, taken as one segment (labels: {way})")
    return text.reading(form)


def read_transcript(source: Source, lines: Sequence[str], form: str = "transcript") -> Reading:
    """Read one transcript: its words are the units, without punctuation and in small letters.

    `form` names the boundaries: the ends of lines (`transcript`), or the words with a mark that
    ends a sentence, whatever the lines (`transcript-marks`).
    """
    import regex

    around, end = regex.compile(_AROUND), regex.compile(_SENTENCE_END)
    text, by_marks = OneText(source), form == "transcript-marks"
    for number, line in enumerate(lines, start=1):
        for token in line.split() if not is_separator(line.strip()) else ():
            word = around.sub("", token)
            if word:
                text.take([word.replace("’", "'").casefold()], number)
            # A mark may stand apart from its word.
            if by_marks and end.search(token):
                text.end_segment()
        if not by_marks:
            text.end_segment()
    if not text.units:
        raise source.error("has no words; want a transcript")
    text.end_segment()
    if text.is_one_segment:
        other = "transcript" if by_marks else "transcript-marks"
        source.note(f"transcripts of one sentence (other boundaries: {remedy(f'from {other}')})")
    return text.reading(form)


def _note_unit(source: Source, unit: str, number: int) -> None:
    """Note a unit that may be meant as a boundary."""
    if unit[0].isalnum():
        return
    kind = ""
    if unit.startswith("====="):
        kind = "lines that begin with ===== and hold more, taken as units"
    elif is_rule(unit):
        way = remedy("from rules")
        kind = f"lines of one sign only, taken as units (as boundaries: {way})"
    elif _BORDER.fullmatch(unit):
        kind = "lines that may be separators, taken as units (if so: put empty lines there)"
    elif is_border(unit):
        kind = "lines that may be headings (#, ***, <...>), taken as units"
    if kind:
        source.note(kind, f"{unit[:40]!r}", line=number)


def is_rule(unit: str) -> bool:
    """Recognise a unit of one repeated character, as `-----`, which may stand for a boundary."""
    return unit[:1] in _RULES and _OTHER_RULE.fullmatch(unit) is not None


def is_border(unit: str) -> bool:
    """Recognise a unit that may stand for a border: `[SEP]`, a tag as `<s>`, a heading."""
    return unit[:1] in _BRACKETS and any(form.fullmatch(unit) for form in (_BORDER, _HEADING))


def is_separator(line: str) -> bool:
    """Recognise a separator in a stripped line: a line of `=`, or a Wiki-727K heading."""
    return line[:1] == "=" and bool(_SEPARATOR.fullmatch(line) or _HEAD.fullmatch(line))


def _named(source: Source, lines: Sequence[str]) -> Iterator[tuple[int, str | None, str]]:
    """Yield the number of each line, the name of its text if it has one, and the rest."""
    pairs, more = 0, 0  # lines of two numbers with a tab between, and other lines
    for number, line in enumerate(lines, start=1):
        name, tab, body = line.partition("\t")
        if not tab:
            more += bool(line.strip())
            yield number, None, line
            continue
        if "\t" in body:
            cells = line.split("\t")
            advice = "; masses have commas or blanks between" * all(map(str.isdecimal, cells))
            raise source.error(
                f"has several tabs; want one, between the name of a text and its segmentation"
                f"{advice}",
                number,
            )
        alone = name.strip().isdecimal() and body.strip().isdecimal()
        pairs, more = pairs + alone, more + (not alone)
        if not name.strip():
            raise source.error("has a tab and no name before it; give a name, or no tab", number)
        yield number, name.strip(), body
    if pairs and not more:
        kind = "lines of two numbers, taken as a name and a mass (masses have commas between)"
        source.notes.add(kind, f"{source.path}: {lines[0]!r:.40}")


def _no_masses(body: str) -> str:
    parts = _BETWEEN.split(body.strip())
    wrong = next((part for part in parts if not (part.isascii() and part.isdigit())), "")
    flaw = f"holds {wrong!r:.40}" if wrong else "has a comma without a number"
    return (
        f"{flaw}; want masses, whole numbers above zero with commas or blanks between, or name "
        f"the notation of the file ({remedy('from')})"
    )


# Detection of the spelling of segmentations in lines, from the contents of a file.


_NUMBERS = re.compile(r"[-+.0-9,;\s]*[0-9][-+.0-9,;\s]*")
_COUNTS = re.compile(r"[0-9,\s]*")
_MAX_DIGITS = 3  # digits, all 0 or 1, that could be a number of units; set by hand
_BY_SUFFIX = {".labels": "labels", ".masses": "masses"}  # suffixes that decide the spelling
_DIGITS = 20  # width to which numbers are padded, so that strings compare as numbers
_REPEATS = 2  # mean number of lines for each different one that makes lines look like labels
_LABEL_WORDS = 3  # of names of segments, at most; set by hand
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
    if not body and MASSES.fullmatch(first) and not first.strip().isdigit():
        return "masses"  # whose reader refuses the tab after them
    bits = BITS.fullmatch(body) or BITS_APART.fullmatch(body)
    numbers = _NUMBERS.fullmatch(body)
    if not (bits or numbers):
        return _classify_units(source, lines)
    of_labels = spelling_of_suffix(source) == "labels"
    if of_labels and not all(_COUNTS.fullmatch(line) for line in lines):
        return _classify_units(source, lines)  # topics as 1 and 1.1
    names = [line.rpartition("\t")[0].strip() for line in lines if line.strip()]
    bodies = [line.rpartition("\t")[2].strip() for line in lines if line.strip()]
    named = "\t" in first
    broken = len(bodies) < len(lines)
    if bits and all(map(BITS.fullmatch, bodies)):
        return classify_bits(source, bodies, named=named, broken=broken)
    if all(map(BITS_APART.fullmatch, bodies)) and any("0" in body for body in bodies):
        joined = ["".join(re.findall("[01]", body)) for body in bodies]
        return classify_bits(source, joined, named=named, broken=broken)
    if not numbers or (bits and not all(map(MASSES.fullmatch, bodies))):
        return "bits"  # whose reader refuses the wrong line
    if len(bodies) > 1 and all(map(str.isdigit, bodies)):
        return _classify_numbers(source, names, bodies, named=named, broken=broken)
    note_other_readings(source, bodies, named=named)
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
        f"name the notation: {either(spelling, 'masses')} (masses of one text stand in one line)"
    )


def may_be_segments(numbers: object) -> bool:
    """Recognise a list that may give the segment of each unit, counted from 1."""
    if not isinstance(numbers, list) or not all(type(number) is int for number in numbers):
        return False
    steps = (b - a for a, b in pairwise(numbers))
    return len(numbers) > 3 and numbers[0] == 1 and all(step in (0, 1) for step in steps)


def note_other_readings(
    source: Source, bodies: Sequence[str], *, listed: bool = False, named: bool = True
) -> None:
    """Note masses that may be positions of boundaries, the segment of each unit, or a number first.

    `bodies` has the masses of each text. With `listed` these are lists of JSON or Python; with
    `named` texts have names.
    """
    first = bodies[0].replace(",", " ").split()
    if first[0] == "1" and not named and len(bodies) > _MAX_DIGITS - 1:
        numbers = [body.replace(",", " ").split() for body in bodies]
        several = all(len(parts) > 1 for parts in numbers)
        if several and all(parts[0] == str(k) for k, parts in enumerate(numbers, start=1)):
            kind = "lines that begin with their number, taken as a mass (as a name: a tab behind)"
            source.note(kind)
    if first[0] == "1" and all(
        may_be_segments([int(p) if p.isdecimal() else 0 for p in body.replace(",", " ").split()])
        for body in bodies
    ):
        way = remedy("from labels")
        way = way if listed else f"in brackets, as [1, 1, 2], with {way}"
        kind = f"numbers taken as masses, which could be the segment of each unit (if so: {way})"
        if any(set(body.replace(",", " ").split()) != {"1"} for body in bodies):
            source.note(kind)
        return
    if rises(bodies) > 1:
        way = remedy("from positions")
        kind = f"numbers that rise in every text, taken as masses (positions of boundaries: {way})"
        source.note(kind)


def rises(bodies: Sequence[str]) -> int:
    """Count the numbers of texts that are above the one before; 0 if any is not."""
    count = 0
    for body in bodies:
        parts = [part.zfill(_DIGITS) for part in body.replace(",", " ").split()]
        if any(b <= a for a, b in pairwise(parts)):
            return 0
        count += max(len(parts) - 1, 0)
    return count


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
        _refuse_ragged(source, given, rows)
    if spelling_of_suffix(source) == "labels":
        return _classify_labels(source, units)
    if plain and len(units) > _REPEATS:
        if may_be_bio(units) or all(map(is_flag, units)):
            return _classify_labels(source, units)
        few = len(set(units))
        if broken and may_be_names(units):
            # A single label would divide nothing, and sentences that repeat are those of songs.
            if few > 1 and all(len(unit.split()) <= _LABEL_WORDS for unit in {*units}):
                way = remedy("from labels")
                kind = f"lines that repeat as labels do, taken as units (labels of units: {way})"
                source.note(kind, f"{few} different ones of {len(units):,}")
        elif may_be_names(units):
            different = "1 different line" if few == 1 else f"{few} different lines"
            marks = _if_mark([min(sorted(set(units)), key=units.count)]) if few == 2 else ""
            raise source.error(
                f"has {different} of {len(units):,} and no separator, which could be labels, one "
                f"a line, or a text of one segment; name the notation: {either('labels', 'text')}"
                f"{marks}"
            )
    if spelling_of_suffix(source) == "masses":
        source.note("files named .masses without masses, read as text")
    return "text"


def may_be_names(units: Sequence[str]) -> bool:
    """Recognise lines that repeat so often that they may be labels."""
    return len(set(units)) * _REPEATS <= len(units)


def _if_mark(labels: Sequence[str]) -> str:
    """Word the options for units of which some labels begin, or end, a segment."""
    option = remedy(f"labels {','.join(labels)}")
    ways = either("begin-bits", "end-bits")
    return f", or, if {labels[0]!r:.40} begins or ends segments, {option} and {ways}"


def _classify_columns(source: Source, rows: Sequence[Sequence[str]]) -> str:
    """Classify lines with tabs: units with a column of labels, or units alone."""
    bio = label_columns(rows, "bio")
    # The only B of a text of one segment is in its first line, which is no header then.
    headed = not all(fits_form([rows[0][k]], "bio") for k in bio)
    begun = [k for k in bio if may_be_bio([row[k] for row in rows[headed:]])]
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
        may = fit if form == "begin-bits" else range(len(rows[0]))
        few = few or [k for k in may if is_header([row[k] for row in rows])]
        if len(fit) > 1:
            few = few or fit
        if few or (spelling_of_suffix(source) == "labels" and fit):
            which = f"column{'s'[: len(few) > 1]} {listed(str(k + 1) for k in few)}"
            which = which if few else "one column"
            named = form == "labels" and len(few) == 1
            marks = marks_among([[row[few[0]] for row in rows[1:]]]) if named else []
            raise source.error(
                f"has {len(rows[0])} columns, of which {which} may be labels; name what they are: "
                f"{either(*ways)} ({remedy('column')}: which one)"
                f"{coders_remedy(rows, few, form)}, or, of a text of one segment, "
                f"{remedy('from text')}{_if_mark(marks) if marks else ''}"
            )
    return "text"


def _refuse_blanks(source: Source, units: Sequence[str]) -> None:
    """Refuse columns separated by blanks whose last one has BIO labels, as in CoNLL."""
    rows = [unit.split() for unit in units]
    width = len(rows[0])
    last = [row[-1] for row in rows]
    if width < 2 or any(len(row) != width for row in rows) or not may_be_bio(last):
        return
    if set(last) & {"I", "O"} or any("-" in label for label in last):
        raise source.error(
            f"has {width} columns with blanks between, of which the last may be labels; name "
            f"it ({remedy(f'column {width}')}), or, of a text, {remedy('from text')}"
        )


def _refuse_ragged(source: Source, lines: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Refuse lines of which most have a column of BIO labels or flags, and some no such column."""
    widths = [len(row) for row in rows]
    most = max(set(widths), key=widths.count)
    odd = next((k for k, width in enumerate(widths) if width != most), None)
    if odd is None or most < 2 or widths.count(most) * 3 < 2 * len(widths):
        return
    even = [row for row in rows if len(row) == most]
    if label_columns(even, "bio") or label_columns(even, "begin-bits"):
        number = [k for k, line in enumerate(lines, 1) if label_lines([line])][odd]
        raise source.error(
            f"has {many(widths[odd], 'column')}, and most lines have {most}, one of labels; want "
            f"as many in each line, or, of a text, {remedy('from text')}",
            number,
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
            raise unsound_bio(source)
        return "bio"
    if all(map(is_flag, labels)) and spelling_of_suffix(source) != "labels":
        raise unclear_flags(source, "two values")
    return "labels"


def spelling_of_suffix(source: Source) -> str:
    """Return the spelling of the suffix of a file; empty for other suffixes."""
    return _BY_SUFFIX.get(suffix_of(source), "")


def suffix_of(source: Source) -> str:
    """Return the suffix of a file in small letters, without that of compression."""
    return Path(unpacked(source.path)).suffix.lower()


def refuse_rows(
    source: Source, lines: Sequence[str], reading: Reading, options: ReadingOptions
) -> None:
    """Refuse rows of a table that would be the units of a text without a boundary."""
    if options.spelling is not None or reading.spelling != "text" or len(reading.table.masses) > 1:
        return
    separators = {".csv": ",;", ".tsv": "\t"}.get(suffix_of(source), "")
    if any(all(mark in line for line in lines) for mark in separators):
        raise source.error(
            f"is a table in which no column is known to be of labels; name it ({remedy('column')}, "
            f"its number or its name in the header), or, of a text, {remedy('from text')}"
        )


# The meaning of lines of one character or number, by whether there are empty lines between.
_LONE = {
    False: ("labels", "labels, one a line"),
    True: ("text", "a text of one unit a line, with empty lines between its segments"),
}


def classify_bits(source: Source, bodies: Sequence[str], *, named: bool, broken: bool) -> str:
    """Classify lines of 0s and 1s only."""
    # Collect all other spellings that the lines fit: if there are any, the user has to choose.
    ways = []
    if all(len(body) == 1 for body in bodies) and len(bodies) > 1:
        labels = "labels beside their units" if named else "labels, one a line"
        ways = [
            ("labels", f"{labels}, of which a run makes a segment"),
            ("begin-bits", "signs of where segments begin"),
            ("end-bits", "signs of where they end"),
        ]
        if broken:
            ways = [
                _LONE[broken],
                ("labels", "labels of texts with empty lines between"),
                ("begin-bits", "signs of where segments begin, likewise"),
                ("end-bits", "or end"),
            ]
    elif all(body.endswith("1") for body in bodies):
        ways.append(("bits-final", "n signs with a closing 1 for the end of the text"))
    begun = all(body.startswith("1") for body in bodies)
    if begun and all(len(body) <= _MAX_DIGITS for body in bodies):
        ways.append(("masses", "masses of texts of one segment"))
    if begun and "begin-bits" not in dict(ways):
        ways.append(("begin-bits", "n signs with a 1 for each unit that begins a segment"))
    if (by_suffix := spelling_of_suffix(source)) in dict(ways):
        return by_suffix
    if ways:
        raise source.error(
            f"has signs that could be bits, n-1 of them, or "
            f"{', or '.join(meaning for _, meaning in ways)}; name the notation: "
            f"{either('bits', *(name for name, _ in ways))}"
        )
    source.note(f"{SIGNS_TAKEN}, n-1 of n units (one a unit: {either('begin-bits', 'end-bits')})")
    return "bits"
