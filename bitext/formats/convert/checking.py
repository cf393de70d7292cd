"""Checking a file of alignments for errors and implausible bisegments, and mending it.

Errors of the reader are errors, its notes warnings (or remarks, where the case is legal); then
come the findings of `Plausibility`, and those of a schema. Faults with one safe remedy can be
mended (`mend`): the bitexts are read and written to a new file, which corrects encodings, line
ends, SGML, missing headers and empty links; repeated bisegments are written once, and characters
that XML forbids become U+FFFD.

Plausibility is checked on arrays, part by part:

| kind | severity |
| --- | --- |
| repeated bisegments; segments in several, or in none; blank texts | warning |
| U+FFFD, characters that XML forbids, UTF-8 read as Latin-1 or Windows-1252 | warning |
| implausible lengths | warning |
| a side with numbers or addresses only, two sides that are the same text | warning |
| the same text on both sides; pairs of texts that repeat | remark |
| 0-1 and 1-0; gaps; crossings | remark |

Lengths: with c the characters of the target for one of the source in the whole file, the difference
`t - c s` of a bisegment is divided by the root of `c s + t`, as in Gale and Church (1993, section
3); values that deviate from the median by more than `ratio` times the spread (the median absolute
deviation, scaled to a normal distribution) are implausible.

Memory is 40 bytes for each bisegment with texts on both sides: two lengths, its line, its number,
and a hash of 8 bytes of its texts, which finds repeats at the end; some 90 bytes during that step.
The chance of any collision is one in 37 million for a million different pairs, and one in 37 for a
billion.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from operator import eq
from typing import Any, Literal

import numpy as np

from bitext.errors import FormatError, InputError, OptionError, remedy
from bitext.formats.beads import ChunkPosition, ChunkPositions, joined_sides
from bitext.formats.cleaning.cleaner import Cleaner, Profile
from bitext.formats.cleaning.repeats import Repeats, digest_rows
from bitext.formats.convert.filters import Filters, filtered
from bitext.formats.io.compression import unpacked
from bitext.formats.io.output import refuse_clashes
from bitext.formats.io.source import Notes, reads_once
from bitext.formats.languages import LanguageSamples, OtherLanguage, named_languages
from bitext.formats.reading import FileOptions, opened
from bitext.formats.registry import OWN_TEXTS, Format, WriteOptions, by_suffix
from bitext.formats.writing import deliver
from bitext.formats.xml import FORBIDDEN, has_forbidden, read_prolog
from bitext.kernels.arrays import (
    Bools,
    Rows,
    identify,
    out_of_order,
    repeated,
    row_of,
    sums,
    with_gaps,
)
from bitext.model import Alignment, Bitext, Note, Text

# Findings: kind, place and severity.

Severity = Literal["error", "warning", "remark"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "remark")
_AT_FIRST = ChunkPosition()
OTHERS = "and others"  # the case of the findings of a kind that are only counted
SHOWN = 20  # findings of a kind that are listed with their place


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, or an implausible case, of a file."""

    path: str  # the file
    line: int | None  # the line, from 1, where known
    # `error`: unreadable or unresolved; `warning`: hardly intended; `remark`: legal, but not every
    # program supports it.
    severity: Severity
    kind: str  # the kind of finding, in the plural
    case: str  # this case, or the first of several that were added together


class Findings:
    """Collects the findings of a file: all are counted, the first of each kind are stored."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._counts: dict[tuple[Severity, str], int] = {}
        self._stored: dict[tuple[Severity, str], list[tuple[Finding, int]]] = {}

    def add(
        self,
        severity: Severity,
        kind: str,
        case: str,
        line: int | None = None,
        count: int = 1,
        *,
        path: str = "",
    ) -> None:
        """Add `count` cases of a kind, of which the first is described.

        `path` is the file of the cases, if it is another than the checked one.
        """
        key = (severity, kind)
        self._counts[key] = self._counts.get(key, 0) + count
        stored = self._stored.setdefault(key, [])
        if len(stored) < SHOWN:
            stored.append((Finding(path or self.path, line, severity, kind, case), count))

    def where(
        self,
        severity: Severity,
        kind: str,
        bitext: Bitext,
        mask: Bools,
        *,
        place: ChunkPosition = _AT_FIRST,
    ) -> None:
        """Add the bisegments of a bitext that are true in a mask.

        `place` is the position of the bitext in its document pair.
        """
        indices = np.flatnonzero(mask).tolist()
        for k in indices[:SHOWN]:
            of = f"{bitext.name}: " if bitext.name else ""
            line = int(bitext.lines[k]) if bitext.lines is not None else None
            self.add(severity, kind, f"{of}{place.bead(bitext, k)}", line or None)
        if len(indices) > SHOWN:
            self._counts[severity, kind] += len(indices) - SHOWN

    def all(self) -> list[tuple[Finding, int]]:
        """Return the first finding of each kind with the count of the kind, the worst first."""
        order = sorted(self._counts, key=lambda key: SEVERITIES.index(key[0]))
        return [(self._stored[key][0][0], self._counts[key]) for key in order]

    def each(self) -> list[tuple[Finding, int]]:
        """Return the stored findings, up to twenty for each kind, the worst first.

        Each has the count of the cases that were added together. The cases beyond twenty make one
        more finding, without a line, so that the counts of a kind add up to the count in `all`.
        """
        findings: list[tuple[Finding, int]] = []
        for key in sorted(self._counts, key=lambda key: SEVERITIES.index(key[0])):
            stored = self._stored[key]
            findings += stored
            if more := self._counts[key] - sum(count for _, count in stored):
                findings.append((Finding(self.path, None, *key, OTHERS), more))
        return findings

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(count for (of, _), count in self._counts.items() if of == severity)


_DIGEST = 8  # bytes of the hash of a pair of texts: the size of an item of `array("Q")`
# Set by hand:
_MIN_CHARACTERS = 20  # characters of the longer side that a length check needs
_MIN_BISEGMENTS = 30  # bisegments that a spread needs
_SHARE = 0.9  # least share of bisegments with numbers or addresses on a side that is not a text
# A number, or an address.
_NO_TEXT = re.compile(r"\s*(?:([-+]?[\d.,]*\d)|((?:https?|ftp)://\S+))\s*")
_USUAL = 1.4826  # standard deviations of a normal distribution for one median absolute deviation
# Bytes of UTF-8 seen as characters: a leading byte, then a trailing one, as in `Ã©` or `â€™`.
_MARK = re.compile("\ufeff")
_ESCAPED = re.compile("&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_LOST, _ENDS = re.compile("\ufffd"), re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MOJIBAKE = re.compile("[\u00c2-\u00c5\u00d0\u00d1][\u0080-\u00bf]|\u00e2\u20ac[\u0080-\u2122]")


def _has_any(characters: str) -> Callable[[str], bool]:
    """Return a function that looks for any of some characters in a text."""
    return lambda text: any(map(text.__contains__, characters))


# What segments are searched for: the kind, the pattern and the severity. A search for the
# characters of which each match has one is a hundred times faster, and mostly there is none.
_FLAWS: tuple[tuple[str, re.Pattern[str], Severity, Callable[[str], bool]], ...] = (
    ("with U+FFFD, the sign of lost characters", _LOST, "warning", _has_any("\ufffd")),
    ("with characters that XML forbids", FORBIDDEN, "warning", has_forbidden),
    (
        "with UTF-8 that was read as Latin-1 or Windows-1252",
        _MOJIBAKE,
        "warning",
        _has_any("\u00c2\u00c3\u00c4\u00c5\u00d0\u00d1\u20ac"),
    ),
    ("with a byte order mark within, as of joined files", _MARK, "warning", _has_any("\ufeff")),
    (
        "with references as in XML, as &amp;, which are characters here",
        _ESCAPED,
        "remark",
        _has_any("&"),
    ),
    (
        "with characters that some programs end a line at, as U+2028",
        _ENDS,
        "remark",
        _has_any("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"),
    ),
)


class Plausibility:
    """Checks the bitexts of a file one after another, and at the end the file as a whole.

    `findings` takes the findings. Lengths are implausible beyond `ratio` spreads. `other_language`
    is as in `check`.
    """

    def __init__(
        self,
        findings: Findings,
        *,
        ratio: float = 6.0,
        other_language: OtherLanguage | None = None,
    ) -> None:
        self._findings, self._ratio = findings, ratio
        self._samples = LanguageSamples(other_language)
        self._count = 0
        self._places, self._place = ChunkPositions(), ChunkPosition()
        self._texts, self._numbers, self._lines = array("Q"), array("q"), array("q")
        self._lengths = (array("q"), array("q"))
        # Numbers of bisegments, among those with texts on both sides, whose side is not a text.
        self._no_texts: Counter[str] = Counter()
        self._same = 0

    def look(self, bitext: Bitext) -> None:
        """Check a bitext, or a part of one."""
        self._place = self._places.of(bitext)
        src, tgt = bitext.src, bitext.tgt
        # Before any text joins its segments to one line, from which they would have to be cut.
        known = [text is not None and text.has_text for text in (src, tgt)]
        held = [
            list(text.segments()) if text is not None and there else []
            for text, there in zip((src, tgt), known, strict=True)
        ]
        sides = joined_sides(bitext, "a check") if all(known) else None
        self._check_beads(bitext)
        named = named_languages(src.name, tgt.name) if src and tgt else ("", "")
        own = [text.lang if text else "" for text in (src, tgt)]
        self._samples.add(bitext, (own[0] or named[0], own[1] or named[1]))
        for side, text, rows, segments in (
            ("source", src, bitext.alignment.src, held[0]),
            ("target", tgt, bitext.alignment.tgt, held[1]),
        ):
            if text is not None:
                self._check_coverage(bitext, side, text, rows)
                if text.has_text:
                    self._check_text(bitext, side, text, rows, segments)
        if src is not None and tgt is not None and sides is not None:
            self._check_pairs(bitext, src, tgt, sides)

    def _check_beads(self, bitext: Bitext) -> None:
        a, where = bitext.alignment, partial(self._findings.where, place=self._place)
        where(
            "remark", "0-1 and 1-0 bisegments", bitext, (a.src.lengths == 0) | (a.tgt.lengths == 0)
        )
        where("remark", "discontinuous bisegments", bitext, with_gaps(a.src) | with_gaps(a.tgt))
        where(
            "remark",
            "bisegments that cross earlier ones",
            bitext,
            out_of_order(a.src) | out_of_order(a.tgt),
        )
        again = _again(a)
        where("warning", "bisegments that occur twice", bitext, again)
        for side, rows in (("source", a.src), ("target", a.tgt)):
            shared = _shared(rows) & ~again
            where("warning", f"bisegments with {side} segments of another one", bitext, shared)

    def _check_coverage(self, bitext: Bitext, side: str, text: Text, rows: Rows) -> None:
        covered = np.zeros(len(text), dtype=np.bool_)
        covered[rows.idx] = True
        if not covered.all():
            first = text[int(covered.argmin())].id
            self._findings.add(
                "warning",
                f"{side} segments in no bisegment",
                f"{bitext.name or text.name}: segment {first}",
                count=int((~covered).sum()),
            )

    def _check_text(
        self, bitext: Bitext, side: str, text: Text, rows: Rows, segments: list[str]
    ) -> None:
        line = text.line or ""
        blank = np.fromiter(map(str.isspace, segments), np.bool_, len(segments))
        blank |= text.lengths() == 0
        self._of_segments(bitext, f"{side} segments without anything but white space", blank, rows)
        for kind, pattern, severity, may_match in _FLAWS:
            if may_match(line):
                mask = _mask_of_matches(pattern, text, segments)
                self._of_segments(bitext, f"{side} segments {kind}", mask, rows, severity)

    def _of_segments(
        self, bitext: Bitext, kind: str, mask: Bools, rows: Rows, severity: Severity = "warning"
    ) -> None:
        """Add the bisegments with any segment that is true in a mask."""
        if mask.any():
            beads = np.zeros(len(bitext.alignment), dtype=np.bool_)
            beads[row_of(rows)[mask[rows.idx]]] = True
            kind = f"bisegments with {kind}"
            self._findings.where(severity, kind, bitext, beads, place=self._place)

    def _check_pairs(
        self, bitext: Bitext, src: Text, tgt: Text, sides: tuple[list[str], list[str]]
    ) -> None:
        a = bitext.alignment
        both = np.flatnonzero((a.src.lengths > 0) & (a.tgt.lengths > 0))
        for lengths, text, rows in zip(self._lengths, (src, tgt), (a.src, a.tgt), strict=True):
            lengths.frombytes(sums(rows, text.lengths())[both].astype(np.int64).tobytes())
        lines = np.zeros(len(a), dtype=np.int64) if bitext.lines is None else bitext.lines
        self._lines.frombytes(lines[both].astype(np.int64).tobytes())
        self._numbers.frombytes((both + self._count).astype(np.int64).tobytes())
        self._count += len(a)
        texts = [side if both.size == len(a) else [side[k] for k in both] for side in sides]
        same = np.zeros(len(a), dtype=np.bool_)
        for k in compress(both.tolist(), map(eq, *texts)):
            same[k] = any(map(str.isalpha, sides[0][k]))
        for name, side in zip(("source", "target"), texts, strict=True):
            for match in filter(None, map(_NO_TEXT.fullmatch, side)):
                what = "numbers" if match[1] else "addresses"
                self._no_texts[f"nothing but {what} as the {name} text"] += 1
        self._texts.frombytes(digest_rows(*texts, size=_DIGEST).tobytes())
        self._same += int(same.sum())
        kind = "bisegments with the same text on both sides"
        self._findings.where("remark", kind, bitext, same, place=self._place)

    def finish(self) -> None:
        """Check the whole file for repeats, sides that are not text, and implausible lengths."""
        self._check_repeats()
        self._check_sides()
        for side, lang, found in self._samples.others():
            kind = f"{side} texts in {lang} whose words are those of another language"
            self._findings.add("warning", kind, found)
        src, tgt = (np.array(lengths, dtype=np.float64) for lengths in self._lengths)
        indices = np.flatnonzero((src > 0) & (tgt > 0))
        if indices.size < _MIN_BISEGMENTS:
            return
        src, tgt = src[indices], tgt[indices]
        c = tgt.sum() / src.sum()
        off = (tgt - c * src) / np.sqrt(c * src + tgt)
        middle = np.median(off)
        spread = _USUAL * np.median(np.abs(off - middle))
        far = np.abs(off - middle) > self._ratio * max(spread, 1.0)
        far &= np.maximum(src, tgt) >= _MIN_CHARACTERS
        for k in np.flatnonzero(far).tolist():
            index = int(indices[k])
            self._findings.add(
                "warning",
                "bisegments whose lengths do not fit together",
                f"bisegment {self._numbers[index]} of the file: {src[k]:,.0f} and {tgt[k]:,.0f} "
                f"characters",
                self._lines[index] or None,
            )

    def _check_sides(self) -> None:
        """Report a side that is not a text, or two sides that are the same text."""
        both = len(self._lines)
        counts = {f"{kind} in most bisegments": count for kind, count in self._no_texts.items()}
        if both > 1:
            counts["the same text on both sides in most bisegments"] = self._same
        way = remedy("columns src=2,tgt=3")
        for kind, count in counts.items():
            if count > _SHARE * both:
                case = f"{count:,} of {both:,}; of a table other columns may be meant ({way})"
                self._findings.add("warning", kind, case, count=count)

    def _check_repeats(self) -> None:
        texts = np.array(self._texts, dtype=np.uint64)
        order = np.argsort(texts, kind="stable")
        again = np.zeros(texts.size, dtype=np.bool_)
        again[1:] = texts[order[1:]] == texts[order[:-1]]
        indices = np.sort(order[again]).tolist()
        kind = "bisegments that repeat the texts of an earlier one"
        for index in indices[:SHOWN]:
            case = f"bisegment {self._numbers[index]} of the file"
            self._findings.add("remark", kind, case, self._lines[index] or None)
        if len(indices) > SHOWN:
            self._findings.add("remark", kind, OTHERS, count=len(indices) - SHOWN)


def _mask_of_matches(pattern: re.Pattern[str], text: Text, segments: list[str]) -> Bools:
    """Return a mask of the segments with a match of a pattern of some characters."""
    mask = np.zeros(len(segments), dtype=np.bool_)
    # A match on the line may go beyond a segment, so the segments that it touches are searched.
    found = [match.span() for match in pattern.finditer(text.line or "")]
    spans = np.array(found, dtype=np.int64).reshape(-1, 2)
    first = np.searchsorted(text.ends, spans[:, 0], side="right")
    last = np.searchsorted(text.starts, spans[:, 1], side="left")
    touched = {
        k
        for begin, end in set(zip(first.tolist(), last.tolist(), strict=True))
        for k in range(begin, end)
    }
    for k in touched:
        mask[k] = bool(pattern.search(segments[k]))
    return mask


def _again(a: Alignment) -> Bools:
    """Return a mask of the bisegments that are equal to an earlier one."""
    mask = np.ones(len(a), dtype=np.bool_)
    mask[np.unique(identify(a.src, a.tgt), return_index=True)[1]] = False
    return mask


def _shared(rows: Rows) -> Bools:
    """Return a mask of the rows with a member of an earlier row."""
    mask = np.zeros(len(rows.ptr) - 1, dtype=np.bool_)
    mask[row_of(rows)[repeated(rows)]] = True
    return mask


# Notes of readers on legal structures, which `Plausibility` finds again with their places.
_LEGAL = (
    *("discontinuous", "crossing", "in more than one bisegment", "not in document order"),
    "with the same text on both sides of most",
)
# Beginnings of the notes of readers on legal contents that are not read.
_REMARKS = (
    *("attributes of ", "headers, notes", "modules and extensions", "segments with inline codes"),
    *("inline codes outside of segments", "elements of messages besides their texts"),
    *("ids of codes that repeat in the source",),
    *("proposals (alt-trans)", "counts (count-group)", "binary units", "bisegments that are not "),
    *("entries with plural forms, a bisegment", "elements that mark parts of segments"),
    *("columns detected from their cells", "first lines taken as a header"),
    *("units of codes only", "deletions that are tracked", "a base beside bisegments"),
)

# Notes on contents that are unchanged in the new file.
_AS_BEFORE = (
    "targets that are not translations by their state",
    "entries with plural forms",
    "units that are not to be translated",
    "units that are not approved",
)
# Notes on contents that are not read, and so are missing from the new file.
_LEFT_OUT = ("left out", "ignored", "not taken", "not read", "of which the first")
# The namespaces that other programs require; TMX has none, or this one.
_XLIFF = "urn:oasis:names:tc:xliff:document:"
_NAMESPACES = {
    "tmx": "http://www.lisa.org/tmx14",
    "xliff12": f"{_XLIFF}1.",
    "sdlxliff": f"{_XLIFF}1.",
    "xliff2": f"{_XLIFF}2.",
}
# Properties that documents hold, and not the file that points into them.
_OF_TEXTS = (
    *("texts", "empty_segments", "uncovered", "ids", "languages", "markup", "breaks"),
    *("controls", "paragraphs"),
)


def check(
    path: str,
    *,
    reading: FileOptions,
    schema: str = "",
    ratio: float = 6.0,
    clean: Profile | None = None,
    repeats: Repeats | None = None,
    on_part: Callable[[int], None] | None = None,
    other_language: OtherLanguage | None = None,
) -> Findings:
    """Read a file to its end; return its faults and implausible cases.

    `schema` is a schema (`.xsd`, `.rng`, `.dtd`) for an XML file; empty for the one shipped for its
    format, if there is one. Lengths are implausible beyond `ratio` spreads. The rejections of all
    filters of the profile `clean` are findings; `repeats` judges duplicates and near-duplicates, by
    default among the bisegments of the file. `on_part` is called with the number of bisegments read
    since the last call. `other_language` takes sentences and the language that they are said to be
    in; it returns the language of their words if it is clearly another one, else an empty string.

    Raises `InputError` when there is no such file or schema.
    """
    findings = Findings(path)
    plausible = Plausibility(findings, ratio=ratio, other_language=other_language)
    cleaner = None
    if clean is not None:
        cleaner = Cleaner(clean, repeats=repeats, langs=reading.languages)
    places = ChunkPositions()
    name = ""
    reading = replace(reading, parts=True, lines=True)
    with opened(path, reading, on_bad=lambda error: _refused(findings, error)) as open_file:
        try:
            name = open_file.format.name
            if open_file.source.notes.drop(OWN_TEXTS):
                findings.add("remark", OWN_TEXTS, f"{name} ({remedy('src', 'tgt')})")
            for kind, case in _head_notes(open_file.source.head(), name):
                findings.add("remark", kind, case, 1)
            for bitext in open_file:
                _noted(findings, bitext.notes)
                plausible.look(bitext)
                if cleaner is not None:
                    place = places.of(bitext)
                    for rule, mask in cleaner.each(bitext, place):
                        if mask.any():
                            kind = f"bisegments {rule.reason}"
                            findings.where("warning", kind, bitext, mask, place=place)
                if on_part is not None:
                    on_part(len(bitext.alignment))
            if cleaner is not None:
                cleaner.finish()
        except FormatError as error:
            _refused(findings, error)
        except InputError as error:
            findings.add("error", "errors that end the reading", str(error))
        _noted(findings, open_file.source.notes.drain())
    plausible.finish()
    _against_schema(findings, path, name, schema)
    return findings


def _head_notes(head: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield kinds and cases of flaws in the head of a file that other programs may refuse."""
    if head[:2] in {b"<\0", b"\0<"}:
        yield "files in UTF-16 without a byte order mark", "put U+FEFF at its beginning"
    wanted = _NAMESPACES.get(name)
    if wanted is None:
        return
    prolog = read_prolog(head)
    prefix = prolog.root.rpartition(":")[0]
    spelled = re.escape(f"xmlns:{prefix}" if prefix else "xmlns")
    match = re.search(rf"(?<![\w:.-]){spelled}\s*=\s*[\"']([^\"']*)", prolog.attributes)
    given = match[1] if match else ""
    if not given and name != "tmx":
        whole = f"{wanted}{'0' if name == 'xliff2' else '2'}"
        yield f"files without the namespace of {name}", f'add xmlns="{whole}"'
    elif given and not given.startswith(wanted):
        yield f"files in a namespace that is not that of {name}", given[:80]


def _refused(findings: Findings, error: FormatError) -> None:
    # The path may be a document that the file names; standard input keeps the name `-`.
    path = "" if findings.path == "-" and error.path == "standard input" else error.path
    kind = "units or files that cannot be read"
    findings.add("error", kind, error.message, error.line, path=path)


def _noted(findings: Findings, notes: tuple[Note, ...]) -> None:
    for note in notes:
        if not any(legal in note.kind for legal in _LEGAL):
            line = _line_in(note.first, findings.path)
            legal = note.kind.startswith(_REMARKS)
            findings.add("remark" if legal else "warning", note.kind, note.first, line, note.count)


def _line_in(case: str, path: str) -> int | None:
    """Return the line in the first case of a note, where the case begins with path and line."""
    rest = case.removeprefix(f"{'standard input' if path == '-' else path} line ")
    number = rest.partition(":")[0].partition(" ")[0] if rest != case else ""
    return int(number) if number.isdecimal() else None


def _against_schema(findings: Findings, path: str, name: str, schema: str) -> None:
    from bitext.formats.xml.schemas import MOST_FAULTS, shipped, validate

    known = schema or shipped(name)
    if known is None or path == "-" or (not schema and reads_once(path)):
        return
    faults = list(validate(path, known))
    kind = f"places that are not valid by {schema or 'the schema'}"
    if len(faults) > MOST_FAULTS:
        kind = f"{kind} (only the first {MOST_FAULTS:,} are counted)"
    for line, message in faults[:MOST_FAULTS]:
        findings.add("error", kind, message, line)


@dataclass(frozen=True, slots=True)
class Mended:
    """The result of mending a file."""

    unread: Findings  # unreadable units, which are missing from the new file
    # Contents that are corrected in the new file, or were read as something else.
    put_right: tuple[Note, ...]
    left_out: tuple[Note, ...]  # other contents that are missing from the new file


def mend(path: str, output: str, *, reading: FileOptions) -> Mended:
    """Rewrite a file with all faults corrected that have one safe remedy; return the changes.

    Contents that the reader leaves out are missing from the new file, which is noted. All other
    contents must be preserved (for which TMX and XLIFF get properties): a file whose format cannot
    hold all of them is not mended.

    Unreadable units and lines have no safe remedy: each is left out and becomes a finding.

    Raises `FormatError` when the file cannot be read at all, `InputError` when its format cannot be
    written, or not without losses, or the output cannot be written, and `OptionError` when the
    suffix of the output is that of another format.
    """
    refuse_clashes([path], [output])
    try:
        return _rewrite(path, output, reading, WriteOptions())
    except _LossError as error:
        if path == "-" or not error.kept_in_props:
            raise
    return _rewrite(path, output, reading, WriteOptions(beads=True))


class _LossError(InputError):
    """The new file would lose contents of the old one."""

    def __init__(self, message: str, *, kept_in_props: bool) -> None:
        super().__init__(message)
        self.kept_in_props = kept_in_props


def _rewrite(path: str, output: str, reading: FileOptions, options: WriteOptions) -> Mended:
    done, losses, unread = Notes(), Notes(), Findings(path)
    reading = replace(reading, parts=True)
    with opened(path, reading, on_bad=lambda error: _refused(unread, error)) as open_file:
        known = open_file.format
        if known.write is None:
            raise InputError(f"{path}: {known.name} can be read but not written: convert it")
        _refuse_other_format(output, known)
        filters = Filters(replace_forbidden=not known.keeps.controls)

        # Notes of the reader become the report of changes; losses of the writer are errors.
        def noted(notes: tuple[Note, ...]) -> None:
            for note in notes:
                if not any(legal in note.kind for legal in (*_LEGAL, *_AS_BEFORE)):
                    done.add(note.kind, note.first, note.count)

        def mended() -> Iterator[Bitext]:
            whole = known.holds != "text"
            for bitext in filtered(open_file, filters, Notes(), changed=done, whole=whole):
                noted(bitext.notes)
                yield _once(bitext, done)
            noted(open_file.source.notes.drain())

        def check_losses() -> None:
            if losses.all():
                lost = "; ".join(f"{loss.kind}: {loss.count:,}" for loss in losses.all())
                raise _LossError(
                    f"{output}: not written, as {known.name} that is written anew would lose "
                    f"{lost}; mend {path} by hand, or convert it to another format",
                    kept_in_props=known.keeps_in_props is not None and not options.beads,
                )

        deliver(
            mended(), output, _counting(known), options=options, losses=losses, finish=check_losses
        )
    left_out = [note for note in done.all() if any(phrase in note.kind for phrase in _LEFT_OUT)]
    return Mended(
        unread, tuple(note for note in done.all() if note not in left_out), tuple(left_out)
    )


def _refuse_other_format(output: str, known: Format) -> None:
    named = by_suffix(output)
    if named is None or named is known or unpacked(output).lower().endswith(known.suffixes):
        return
    raise OptionError(
        f"{remedy(f'fix {output}', python=output)}: its name says {named.name}, and the file is "
        f"written in the format it has, {known.name}; name it otherwise, or convert it (bitext "
        f"convert)"
    )


def _counting(known: Format) -> Format:
    """Return a format whose losses are those of the file itself.

    The texts of a file that points into documents are in these documents, before and after.
    """
    if known.keeps.texts:
        return known
    of_texts: dict[str, Any] = dict.fromkeys(_OF_TEXTS, True)
    return replace(known, keeps=replace(known.keeps, **of_texts))


def _once(bitext: Bitext, done: Notes) -> Bitext:
    """Leave out repeated bisegments of a file by positions or ids."""
    if bitext.meta.get("holds") == "text":
        return bitext  # every segment is in one bisegment: none can be there twice
    a = bitext.alignment
    again = _again(a)
    if not again.any():
        return bitext
    k = int(again.argmax())
    kind = "bisegments that occur twice, written once"
    done.add(kind, f"{bitext.name}: bisegment {k} ({a[k].type})", int(again.sum()))
    return replace(bitext, alignment=a.select(~again))
