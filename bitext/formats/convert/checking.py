"""Checking a file of alignments: everything that is wrong with it, and what can be mended.

What a reader refuses is an error, what it notes a warning (or a remark, where it is legal and only
told); then come the findings of `plausibility`, and those of a schema. Whatever has one safe remedy
can be mended (`mend`), into a new file: what is written is what was read, so encodings, line ends,
SGML, missing headers and empty links are put right by that; bisegments that are there twice are
written once, and characters that XML forbids are taken for U+FFFD.

What in a bitext is allowed but hardly meant: found in arrays, part by part.

| kind | severity |
| --- | --- |
| bisegments twice; segments in several, or in none; texts of nothing but white space | warning |
| U+FFFD, characters that XML forbids, UTF-8 read as Latin-1 or Windows-1252 | warning |
| lengths that do not go together | warning |
| a side of nothing but numbers or addresses, two sides that are the same text | warning |
| the same text on both sides; pairs of texts that repeat | remark |
| 0-1 and 1-0; gaps; crossings | remark |

Lengths: with c the characters of the target for one of the source in the whole file, the difference
`t - c s` of a bisegment is divided by the root of `c s + t`, as in Gale and Church (1993, section
3); those that lie more than `ratio` times the usual spread (the median absolute deviation, as of a
normal distribution) from the median are found.

Held for each bisegment with texts on both sides are 40 bytes: two lengths, its line, its number,
and 8 bytes that stand for its texts, by which repeats are found at the end; some 90 bytes while
that is done. Of a million different pairs some two have the same 8 bytes with a chance of one in 37
million, of a billion with one in 37.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.beads import ChunkPosition, ChunkPositions, joined_sides
from bitext.formats.convert.filters import Filters, filtered
from bitext.formats.io.clashes import refuse_clashes
from bitext.formats.io.compression import unpacked
from bitext.formats.io.source import Notes
from bitext.formats.reading import opened
from bitext.formats.registry import WriteOptions, by_suffix
from bitext.formats.writing import deliver
from bitext.formats.xml.syntax import FORBIDDEN, read_prolog
from bitext.kernels.rows import identify, out_of_order, repeated, row_of, sums, with_gaps
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from bitext.formats.registry import Format
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Note, Text

__all__ = [
    "OTHERS",
    "SEVERITIES",
    "SHOWN",
    "Finding",
    "Findings",
    "Mended",
    "Plausibility",
    "Severity",
    "check",
    "mend",
]


# What a check of a file finds: what is wrong, where, and how bad that is.

Severity = Literal["error", "warning", "remark"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "remark")
_AT_FIRST = ChunkPosition()
OTHERS = "and others"  # the case of the findings of a kind that are told by their number
SHOWN = 20  # findings of a kind that are kept with their place


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found in a file.

    Attributes
    ----------
    path : str
        The file.
    line : int or None
        The line, from 1, where it is known.
    severity : {"error", "warning", "remark"}
        `error`: it cannot be read, or does not resolve; `warning`: it is hardly meant; `remark`: it
        is allowed, and not every program can do with it.
    kind : str
        What it is, in the plural.
    case : str
        This case of it, or the first of those that were told together.

    """

    path: str
    line: int | None
    severity: Severity
    kind: str
    case: str


class Findings:
    """Collects what is found in a file: all are counted, the first of each kind are kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._counts: dict[tuple[Severity, str], int] = {}
        self._kept: dict[tuple[Severity, str], list[tuple[Finding, int]]] = {}

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
        """Count `count` cases of a kind; the first of them is told.

        They are in the file that is checked, or in another one that it names: that at `path`.
        """
        key = (severity, kind)
        self._counts[key] = self._counts.get(key, 0) + count
        kept = self._kept.setdefault(key, [])
        if len(kept) < SHOWN:
            kept.append((Finding(path or self.path, line, severity, kind, case), count))

    def where(
        self,
        severity: Severity,
        kind: str,
        bitext: Bitext,
        found: NDArray[np.bool_],
        *,
        place: ChunkPosition = _AT_FIRST,
    ) -> None:
        """Count the bisegments of a bitext for which `found` is true, with their places.

        `place` tells how much of the document pair came before, where the bitext is a part of it.
        """
        places = np.flatnonzero(found).tolist()
        for k in places[:SHOWN]:
            of = f"{bitext.name}: " if bitext.name else ""
            line = int(bitext.lines[k]) if bitext.lines is not None else None
            self.add(severity, kind, f"{of}{place.bead(bitext, k)}", line or None)
        if len(places) > SHOWN:
            self._counts[severity, kind] += len(places) - SHOWN

    def all(self) -> list[tuple[Finding, int]]:
        """Return the first finding of each kind with the count of the kind, the worst first."""
        order = sorted(self._counts, key=lambda key: SEVERITIES.index(key[0]))
        return [(self._kept[key][0][0], self._counts[key]) for key in order]

    def each(self) -> list[tuple[Finding, int]]:
        """Return the findings that are kept, up to twenty a kind, the worst first.

        The count of each is that of the cases that were told together. Those beyond twenty are one
        more finding, without a line, so that the counts of a kind are as many as in `all`.
        """
        found: list[tuple[Finding, int]] = []
        for key in sorted(self._counts, key=lambda key: SEVERITIES.index(key[0])):
            kept = self._kept[key]
            found += kept
            if more := self._counts[key] - sum(count for _, count in kept):
                found.append((Finding(self.path, None, *key, OTHERS), more))
        return found

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(count for (of, _), count in self._counts.items() if of == severity)


_DIGEST = 8  # bytes that stand for the texts of a pair: the size of an item of `array("Q")`
_LEAST = 20  # characters of the longer side: short segments may well differ
_FEW = 30  # bisegments that a spread needs
_SHARE = 0.9  # of the bisegments, from which on a side is no text
# A number, or an address: what stands in columns that are no texts.
_NO_TEXT = re.compile(r"\s*(?:([-+]?[\d.,]*\d)|((?:https?|ftp)://\S+))\s*")
_USUAL = 1.4826  # standard deviations of a normal distribution for one median absolute deviation
# Bytes of UTF-8 seen as characters: a leading byte, then a trailing one, as in `Ã©` or `â€™`.
_MARK = re.compile("\ufeff")
_ESCAPED = re.compile("&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});")
_LOST, _ENDS = re.compile("\ufffd"), re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MOJIBAKE = re.compile("[\u00c2-\u00c5\u00d0\u00d1][\u0080-\u00bf]|\u00e2\u20ac[\u0080-\u2122]")


class Plausibility:
    """Looks at the bitexts of a file, one after another, and at the end at all of them.

    Parameters
    ----------
    findings : Findings
        Takes what is found.
    ratio : float
        From how many spreads on lengths do not go together.

    """

    def __init__(self, findings: Findings, *, ratio: float = 6.0) -> None:
        self._findings, self._ratio = findings, ratio
        self._count = 0
        self._places, self._place = ChunkPositions(), ChunkPosition()
        self._texts, self._numbers, self._lines = array("Q"), array("q"), array("q")
        self._lengths = (array("q"), array("q"))
        # Of bisegments with texts on both sides: how many have a side that is no text.
        self._no_texts: Counter[str] = Counter()
        self._same = 0

    def look(self, bitext: Bitext) -> None:
        """Look at a bitext, or a part of one."""
        self._place = self._places.of(bitext)
        self._look_at_beads(bitext)
        for side, text, rows in (
            ("source", bitext.src, bitext.alignment.src),
            ("target", bitext.tgt, bitext.alignment.tgt),
        ):
            if text is not None:
                self._look_at_cover(bitext, side, text, rows)
                if text.has_text:
                    self._look_at_text(bitext, side, text, rows)
        src, tgt = bitext.src, bitext.tgt
        if src is not None and tgt is not None and src.has_text and tgt.has_text:
            self._look_at_pairs(bitext, src, tgt)

    def _look_at_beads(self, bitext: Bitext) -> None:
        a, where = bitext.alignment, partial(self._findings.where, place=self._place)
        where(
            "remark",
            "0-1 and 1-0 bisegments",
            bitext,
            (a.src.lengths == 0) | (a.tgt.lengths == 0),
        )
        where("remark", "discontinuous bisegments", bitext, with_gaps(a.src) | with_gaps(a.tgt))
        where(
            "remark",
            "bisegments that cross earlier ones",
            bitext,
            out_of_order(a.src) | out_of_order(a.tgt),
        )
        again = np.ones(len(a), dtype=np.bool_)
        again[np.unique(identify(a.src, a.tgt), return_index=True)[1]] = False
        where("warning", "bisegments that are there twice", bitext, again)
        for side, rows in (("source", a.src), ("target", a.tgt)):
            shared = _shared(rows) & ~again
            where("warning", f"bisegments with {side} segments of another one", bitext, shared)

    def _look_at_cover(self, bitext: Bitext, side: str, text: Text, rows: Rows) -> None:
        held = np.zeros(len(text), dtype=np.bool_)
        held[rows.idx] = True
        if not held.all():
            first = text[int(held.argmin())].id
            self._findings.add(
                "warning",
                f"{side} segments in no bisegment",
                f"{bitext.name or text.name}: segment {first}",
                count=int((~held).sum()),
            )

    def _look_at_text(self, bitext: Bitext, side: str, text: Text, rows: Rows) -> None:
        segments = list(text.segments())
        line = text.line or ""
        blank = np.fromiter((not s or s.isspace() for s in segments), np.bool_, len(segments))
        self._of_segments(bitext, f"{side} segments without anything but white space", blank, rows)
        looked_for: tuple[tuple[str, re.Pattern[str], Severity], ...] = (
            ("with U+FFFD, the sign of lost characters", _LOST, "warning"),
            ("with characters that XML forbids", FORBIDDEN, "warning"),
            ("with UTF-8 that was read as Latin-1 or Windows-1252", _MOJIBAKE, "warning"),
            ("with a byte order mark within, as of joined files", _MARK, "warning"),
            ("with references as in XML, as &amp;, which are characters here", _ESCAPED, "remark"),
            ("with characters that some programs end a line at, as U+2028", _ENDS, "remark"),
        )
        for kind, pattern, severity in looked_for:
            if pattern.search(line):
                found = np.fromiter((bool(pattern.search(s)) for s in segments), np.bool_)
                self._of_segments(bitext, f"{side} segments {kind}", found, rows, severity)

    def _of_segments(
        self,
        bitext: Bitext,
        kind: str,
        found: NDArray[np.bool_],
        rows: Rows,
        severity: Severity = "warning",
    ) -> None:
        """Count the bisegments that hold a segment of those found."""
        if found.any():
            beads = np.zeros(len(bitext.alignment), dtype=np.bool_)
            beads[row_of(rows)[found[rows.idx]]] = True
            kind = f"bisegments with {kind}"
            self._findings.where(severity, kind, bitext, beads, place=self._place)

    def _look_at_pairs(self, bitext: Bitext, src: Text, tgt: Text) -> None:
        a = bitext.alignment
        both = np.flatnonzero((a.src.lengths > 0) & (a.tgt.lengths > 0))
        for held, text, rows in zip(self._lengths, (src, tgt), (a.src, a.tgt), strict=True):
            held.frombytes(sums(rows, text.lengths())[both].astype(np.int64).tobytes())
        lines = np.zeros(len(a), dtype=np.int64) if bitext.lines is None else bitext.lines
        self._lines.frombytes(lines[both].astype(np.int64).tobytes())
        self._numbers.frombytes((both + self._count).astype(np.int64).tobytes())
        self._count += len(a)
        same = np.zeros(len(a), dtype=np.bool_)
        sides = joined_sides(bitext, "a check")
        hashes = bytearray()
        for k in both.tolist():
            one, other = sides[0][k], sides[1][k]
            same[k] = one == other and any(map(str.isalpha, one))
            for side, characters in (("source", one), ("target", other)):
                if found := _NO_TEXT.fullmatch(characters):
                    what = "numbers" if found[1] else "addresses"
                    self._no_texts[f"nothing but {what} as the {side} text"] += 1
            spelled = f"{one}\0{other}".encode("utf-8", "surrogatepass")
            hashes += blake2b(spelled, digest_size=_DIGEST).digest()
        self._texts.frombytes(bytes(hashes))
        self._same += int(same.sum())
        kind = "bisegments with the same text on both sides"
        self._findings.where("remark", kind, bitext, same, place=self._place)

    def finish(self) -> None:
        """Look at what only the whole file tells: repeats, lengths that do not go together."""
        self._look_at_repeats()
        self._look_at_sides()
        src, tgt = (np.array(held, dtype=np.float64) for held in self._lengths)
        taken = np.flatnonzero((src > 0) & (tgt > 0))
        if taken.size < _FEW:
            return
        src, tgt = src[taken], tgt[taken]
        c = tgt.sum() / src.sum()
        off = (tgt - c * src) / np.sqrt(c * src + tgt)
        middle = np.median(off)
        spread = _USUAL * np.median(np.abs(off - middle))
        far = np.abs(off - middle) > self._ratio * max(spread, 1.0)
        far &= np.maximum(src, tgt) >= _LEAST
        for k in np.flatnonzero(far).tolist():
            place = int(taken[k])
            self._findings.add(
                "warning",
                "bisegments whose lengths do not go together",
                f"bisegment {self._numbers[place]} of the file: {src[k]:,.0f} and {tgt[k]:,.0f} "
                f"characters",
                self._lines[place] or None,
            )

    def _look_at_sides(self) -> None:
        """Tell of a side that is no text, or of two that are the same text."""
        both = len(self._lines)
        found = {f"{kind} in most bisegments": count for kind, count in self._no_texts.items()}
        if both > 1:
            found["the same text on both sides in most bisegments"] = self._same
        way = remedy("columns src=2,tgt=3")
        for kind, count in found.items():
            if count > _SHARE * both:
                case = f"{count:,} of {both:,}; of a table other columns may be meant ({way})"
                self._findings.add("warning", kind, case, count=count)

    def _look_at_repeats(self) -> None:
        texts = np.array(self._texts, dtype=np.uint64)
        order = np.argsort(texts, kind="stable")
        again = np.zeros(texts.size, dtype=np.bool_)
        again[1:] = texts[order[1:]] == texts[order[:-1]]
        places = np.sort(order[again]).tolist()
        kind = "bisegments that repeat the texts of an earlier one"
        for place in places[:SHOWN]:
            case = f"bisegment {self._numbers[place]} of the file"
            self._findings.add("remark", kind, case, self._lines[place] or None)
        if len(places) > SHOWN:
            self._findings.add("remark", kind, OTHERS, count=len(places) - SHOWN)


def _shared(rows: Rows) -> NDArray[np.bool_]:
    """Tell which rows have a member that an earlier row has."""
    found = np.zeros(len(rows.ptr) - 1, dtype=np.bool_)
    found[row_of(rows)[repeated(rows)]] = True
    return found


# Notes on what is legal, and found again by `plausibility` with its places.
_LEGAL = ("discontinuous", "crossing", "in more than one bisegment", "not in document order")
# Notes on what is legal, and not read.
_TOLD = (
    *("attributes of ", "headers, notes", "modules and extensions", "segments with inline codes"),
    *("ids of codes that repeat in the source",),
    *("proposals (alt-trans)", "counts (count-group)", "binary units", "bisegments that are not "),
    *("entries with plural forms, a bisegment", "elements that mark parts of segments"),
    *("columns told by their cells", "first lines taken as a header"),
)

# Notes on what stands in the new file as it stood before: nothing of it is mended.
_AS_BEFORE = (
    "targets that are no translations by their state",
    "entries with plural forms",
    "units that are not to be translated",
    "units that are not approved",
)
# Notes on what is in the old file, and is not read: in the new one it is not.
_LEFT_OUT = ("left out", "left aside", "not taken", "not read", "of which the first")
# The namespaces that other programs want; TMX has none, or this one.
_XLIFF = "urn:oasis:names:tc:xliff:document:"
_NAMESPACES = {
    "tmx": "http://www.lisa.org/tmx14",
    "xliff12": f"{_XLIFF}1.",
    "sdlxliff": f"{_XLIFF}1.",
    "xliff2": f"{_XLIFF}2.",
}
# What documents hold, and not the file that points into them.
_OF_TEXTS = (
    *("texts", "empty_segments", "uncovered", "ids", "languages", "markup", "breaks"),
    *("controls", "paragraphs"),
)


def check(
    path: str,
    *,
    reading: Mapping[str, Any],
    schema: str = "",
    ratio: float = 6.0,
    on_part: Callable[[int], None] | None = None,
) -> Findings:
    """Read a file to its end and return what is wrong with it.

    Parameters
    ----------
    path : str
        The file.
    reading : mapping
        Arguments of `bitext.formats.reading.opened`: the texts, the roots, the format, ...
    schema : str
        A schema (`.xsd`, `.rng`, `.dtd`) for an XML file; empty for the one shipped for its format,
        if there is one.
    ratio : float
        From how many usual spreads on lengths do not go together.
    on_part : callable, optional
        Is told how many bisegments were read since the last time.

    Raises
    ------
    InputError
        When there is no such file or schema.

    """
    findings = Findings(path)
    plausible = Plausibility(findings, ratio=ratio)
    name = ""
    with opened(
        path, **reading, parts=True, lines=True, on_bad=lambda error: _refused(findings, error)
    ) as open_file:
        try:
            name = open_file.format.name
            if open_file.format.holds == "text" and (reading.get("src") or reading.get("tgt")):
                kind = "texts named beside a file that holds its own, not read"
                findings.add("remark", kind, f"{name} ({remedy('src', 'tgt')})")
            for kind, case in _head_notes(open_file.source.head(), name):
                findings.add("remark", kind, case, 1)
            for bitext in open_file:
                _noted(findings, bitext.notes)
                plausible.look(bitext)
                if on_part is not None:
                    on_part(len(bitext.alignment))
        except FormatError as error:
            _refused(findings, error)
        except InputError as error:
            findings.add("error", "what stops the reading", str(error))
        _noted(findings, open_file.source.notes.drain())
    plausible.finish()
    _against_schema(findings, path, name, schema)
    return findings


def _head_notes(head: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the case of what the head of a file has that other programs stumble at."""
    if head[:2] in {b"<\0", b"\0<"}:
        yield "files in UTF-16 without a byte order mark", "put U+FEFF at its beginning"
    wanted = _NAMESPACES.get(name)
    if wanted is None:
        return
    prolog = read_prolog(head)
    prefix = prolog.root.rpartition(":")[0]
    spelled = re.escape(f"xmlns:{prefix}" if prefix else "xmlns")
    found = re.search(rf"(?<![\w:.-]){spelled}\s*=\s*[\"']([^\"']*)", prolog.attributes)
    given = found[1] if found else ""
    if not given and name != "tmx":
        whole = f"{wanted}{'0' if name == 'xliff2' else '2'}"
        yield f"files without the namespace of {name}", f'add xmlns="{whole}"'
    elif given and not given.startswith(wanted):
        yield f"files in a namespace that is not that of {name}", given[:80]


def _refused(findings: Findings, error: FormatError) -> None:
    # It may be in a document that the file names; standard input is told as it was asked for.
    path = "" if findings.path == "-" and error.path == "standard input" else error.path
    kind = "units or files that cannot be read"
    findings.add("error", kind, error.message, error.line, path=path)


def _noted(findings: Findings, notes: tuple[Note, ...]) -> None:
    for note in notes:
        if not any(legal in note.kind for legal in _LEGAL):
            line = _line_in(note.first, findings.path)
            legal = note.kind.startswith(_TOLD)
            findings.add("remark" if legal else "warning", note.kind, note.first, line, note.count)


def _line_in(case: str, path: str) -> int | None:
    """Return the line that the first case of a note names, where it begins with the place."""
    rest = case.removeprefix(f"{'standard input' if path == '-' else path} line ")
    number = rest.partition(":")[0].partition(" ")[0] if rest != case else ""
    return int(number) if number.isdecimal() else None


def _against_schema(findings: Findings, path: str, name: str, schema: str) -> None:
    from bitext.formats.xml.schemas import shipped, validate

    known = schema or shipped(name)
    if known is None or path == "-":
        return
    for line, message in validate(path, known):
        findings.add(
            "error", f"places that are not valid by {schema or 'the schema'}", message, line
        )


@dataclass(frozen=True, slots=True)
class Mended:
    """What became of a file that was written anew.

    Attributes
    ----------
    unread : Findings
        What could not be read: it is not in the new file.
    put_right : tuple of Note
        What is otherwise in the new file, or is read in another way than it was written.
    left_out : tuple of Note
        What is not in the new file.

    """

    unread: Findings
    put_right: tuple[Note, ...]
    left_out: tuple[Note, ...]


def mend(path: str, output: str, *, reading: Mapping[str, Any]) -> Mended:
    """Write a file anew with what has one safe remedy mended; return what was changed.

    What the reader leaves out is not in the new file, and is told. Whatever else was read has to
    come back from it (for which TMX and XLIFF get properties): a file whose format cannot be
    written with all of that is not mended.

    Units and lines that cannot be read have no safe remedy: they are left out, each a finding.

    Raises
    ------
    FormatError
        When the file cannot be read at all.
    InputError
        When its format cannot be written, or not with all that was read, or the output cannot.
    OptionError
        When the name of the output tells another format.

    """
    refuse_clashes([path], [output])
    try:
        return _written_anew(path, output, reading, WriteOptions())
    except _LossError as error:
        if path == "-" or not error.kept_in_props:
            raise
    return _written_anew(path, output, reading, WriteOptions(beads=True))


class _LossError(InputError):
    """Something that was read would not be in the new file."""

    def __init__(self, message: str, *, kept_in_props: bool) -> None:
        super().__init__(message)
        self.kept_in_props = kept_in_props


def _written_anew(
    path: str, output: str, reading: Mapping[str, Any], options: WriteOptions
) -> Mended:
    done, losses, unread = Notes(), Notes(), Findings(path)
    with opened(
        path, **reading, parts=True, on_bad=lambda error: _refused(unread, error)
    ) as open_file:
        known = open_file.format
        if known.write is None:
            raise InputError(f"{path}: {known.name} can be read but not written: convert it")
        _refuse_other_format(output, known)
        filters = Filters(replace_forbidden=not known.keeps.controls)

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
                told = "; ".join(f"{loss.kind}: {loss.count:,}" for loss in losses.all())
                raise _LossError(
                    f"{output}: not written, as {known.name} that is written anew would lose "
                    f"{told}; mend {path} by hand, or convert it to another format",
                    kept_in_props=known.keeps_in_props is not None and not options.beads,
                )

        deliver(
            mended(),
            output,
            _counting(known),
            options=options,
            losses=losses,
            finish=check_losses,
        )
    left_out = [note for note in done.all() if _is_left_out(note)]
    return Mended(
        unread,
        tuple(note for note in done.all() if note not in left_out),
        tuple(left_out),
    )


def _is_left_out(note: Note) -> bool:
    return any(sign in note.kind for sign in _LEFT_OUT)


def _refuse_other_format(output: str, known: Format) -> None:
    named = by_suffix(output)
    if named is None or named is known or unpacked(output).lower().endswith(known.suffixes):
        return
    raise OptionError(
        f"{remedy(f'fix {output}', python=output)}: its name tells {named.name}, and the file is "
        f"written in the format it has, {known.name}; name it otherwise, or convert it (bitext "
        f"convert)"
    )


def _counting(known: Format) -> Format:
    """Return a format by which only what its file itself says is counted as lost.

    Of a file that points into documents these hold the texts, before and after.
    """
    if known.keeps.texts:
        return known
    of_texts: dict[str, Any] = dict.fromkeys(_OF_TEXTS, True)
    return replace(known, keeps=replace(known.keeps, **of_texts))


def _once(bitext: Bitext, done: Notes) -> Bitext:
    """Leave out bisegments that are there twice, with the same columns."""
    a = bitext.alignment
    if bitext.meta.get("holds") == "text":
        return bitext  # every segment is in one bisegment: none can be there twice
    first = np.unique(identify(a.src, a.tgt), return_index=True)[1]
    again = np.ones(len(a), dtype=np.bool_)
    again[first] = False
    if not again.any():
        return bitext
    k = int(again.argmax())
    kind = "bisegments that are there twice, written once"
    done.add(kind, f"{bitext.name}: bisegment {k} ({a[k].type})", int(again.sum()))
    return replace(bitext, alignment=a.select(~again))
