"""XLIFF 1.0 to 1.2: XML of translation tools, one `trans-unit` a paragraph or a sentence.

    <xliff version="1.2"><file original="a.txt" source-language="en" target-language="fr" ...><body>
        <trans-unit id="1"><source>One. Two.</source>
            <seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk>
            </seg-source>
            <target><mrk mtype="seg" mid="2">Deux.</mrk> <mrk mtype="seg" mid="1">Un.</mrk></target>
        </trans-unit></body></file></xliff>

Each `file` is a document pair. If a unit has `seg-source`, its segments pair by `mid`; their
order in the target may be another, and then bisegments cross. Otherwise a unit is one bisegment. An
absent target is an empty side, an empty target a segment without characters. `alt-trans` is a
proposal, never a translation. Files named by `external-file`, `skl` or `original` are never opened;
an embedded file (`internal-file`) is skipped.

Noted are: units without a target, or with `translate="no"` (read as the
others), parts whose `mid` the other side lacks, segments that cross, ids that repeat, binary units.
A unit of codes only that is not to be translated is left out. `mrk` and the codes within text are
in `Text.marked` (the table is in `reading12`).

| data | place |
| --- | --- |
| attributes of units, `state` of a target | columns of their names; as they were if allowed |
| `note`, `context`, `prop` | columns `note`, `src.note`, `context:TYPE`, `prop:TYPE`, `note#2` |
| other columns, scores, words, further languages | `context context-type="x-bitext-NAME"` |
| n-m bisegments, sides without segments | `mrk mtype="x-bitext.segment"`, `x-bitext.none` |
| crossing | one unit for the bisegments concerned, `mid` in the order of the target |
| ids of segments, with the option | `comment` of such a `mrk` |

Left out, and noted: headers, other elements beside units, extensions, attributes of documents,
groups, notes and codes. Lost: borders of groups, gaps, overlaps (the segment is written for each),
segments in no bisegment, paragraphs. XML forbids some characters; they cannot be written. Written
files are valid by the strict schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import IO, TYPE_CHECKING, BinaryIO, Self, cast

from bitext.formats.io.source import Source
from bitext.formats.languages import finds, known
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.states import is_draft, xliff12_state
from bitext.formats.xliff import (
    KEEPS,
    XML_LANG,
    Documents,
    UnitBeads,
    note_at,
    note_extension,
    refuse_nested,
    sniff_version,
)
from bitext.formats.xliff.codes import CodeIds, half_position, made_id, nested, own_number
from bitext.formats.xliff.reading12 import (
    BORDER,
    NONE,
    OURS,
    SCORE_TYPE,
    Parts,
    parts_of,
    read_unit,
)
from bitext.formats.xliff.writing import (
    ANY,
    YES_NO,
    Bead,
    DocumentWriter,
    Segment,
    check,
    drafted,
    notes,
    series,
    spelled,
    taken,
    typed_values,
)
from bitext.formats.xml import escape, escape_value
from bitext.formats.xml.inline_codes import CODE_TAG, attributes_of, pairs, pieces, tag
from bitext.formats.xml.safe import local_name
from bitext.model import Bitext

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


# Writing XLIFF 1.2, valid by its strict schema.

# Segments with their codes; the table is that of `reading12`.

_DELIMITERS = frozenset({"bold", "italic", "underlined", "link"})
_PLACEHOLDERS = frozenset({"image", "pb", "lb"})
_MARKS = frozenset({"term", "phrase", "name", "abbreviation", "acronym", "datetime", "protected"})
_POS = {"begin": "open", "end": "close"}
_ASSOC = {"p": "preceding", "f": "following", "b": "both"}
_USER_TYPE = re.compile(r"x-\S+")
_DATATYPES = frozenset({"html", "xhtml", "xml", "plaintext", "rtf", "sgml"})
_HIDE = re.compile(r"_(?=x[0-9a-f]{1,6}_)|\s")


def hidden(text: str) -> str:
    """Return a text without white space, which `codes.shown` restores.

    Examples
    --------
    >>> hidden("a b")
    'a_x20_b'

    """
    return _HIDE.sub(lambda m: f"_x{ord(m[0]):x}_", text)


def _typed(kind: str, allowed: frozenset[str]) -> str:
    """Return a type as a `ctype` or an `mtype`; empty for none."""
    if not kind or kind in allowed:
        return kind
    if _USER_TYPE.fullmatch(kind) and not kind.startswith(("x-bitext", "x-sdl-")):
        return kind
    return OURS + hidden(kind)


def inline(marked: str, ids: CodeIds) -> str:
    """Spell a segment with its codes as XLIFF; `ids` belong to the side of the unit."""
    all_pieces = list(pieces(marked))
    paired = pairs(all_pieces)
    bare = {
        k
        for k, other in paired.items()
        if not any(all_pieces[half].text or all_pieces[half].inner for half in (k, other))
    }
    elements = nested(all_pieces, paired) & bare
    spelling = _Spelling(ids)
    parts: list[str] = []
    halves: dict[int, dict[str, str]] = {}  # attributes of the end of each pair, by its index
    for k, piece in enumerate(all_pieces):
        if piece.kind == "text":
            parts.append(escape(piece.text))
            continue
        native = spelling.native(piece.inner) if piece.inner else escape(piece.text)
        if k in paired and piece.kind == "bpt":
            attributes = spelling.opening(piece.attributes)
            halves[paired[k]] = {name: attributes[name] for name in ("id", "rid")}
            if k in elements:
                del attributes["rid"]
                parts.append(tag("g", attributes))
                continue
            name = "bx" if k in bare else "bpt"
        elif k in paired:
            if k in elements:
                parts.append("</g>")
                continue
            name, attributes = "ex" if k in bare else "ept", halves[k]
        elif piece.kind == "hi":
            parts.append(tag("mrk", _mark(piece.attributes)))
            continue
        elif piece.kind == "/hi":
            parts.append("</mrk>")
            continue
        else:
            name, attributes = spelling.alone(piece.kind, piece.attributes)
            if name == "ph" and not native and "assoc" not in attributes:
                name = "x"
        ending = f"{native}</{name}>" if native else ""
        parts.append(f"{tag(name, attributes, empty=not native)}{ending}")
    return "".join(parts)


def _mark(attributes: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes of a `mrk`, without `mid`, which is reserved for segments."""
    x = attributes.get("x")
    kind = _typed(attributes.get("type", ""), _MARKS) or OURS[:-1]
    return {"mtype": kind} | ({"comment": made_id(0, x)} if x else {})


class _Spelling:
    """Spells the codes of one segment, whose pairs are numbered in the order they open."""

    def __init__(self, ids: CodeIds) -> None:
        self._ids = ids
        self._count = 0

    def opening(self, attributes: Mapping[str, str]) -> dict[str, str]:
        self._count += 1
        beside = own_number(attributes, self._count)
        id = self._ids.give(attributes.get("x"), beside)  # noqa: A001 - XLIFF's word
        kind = _typed(attributes.get("type", ""), _DELIMITERS)
        return {"id": id, "rid": str(self._ids.number)} | ({"ctype": kind} if kind else {})

    def alone(self, kind: str, attributes: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """Return the name and the attributes of a code without a pair, or of a lone half."""
        assoc = attributes.get("assoc", "") if kind == "ph" else ""
        beside = assoc if assoc not in _ASSOC and re.fullmatch(r"\w+", assoc, re.ASCII) else ""
        values = {"id": self._ids.give(attributes.get("x"), beside)}
        allowed = _PLACEHOLDERS if kind == "ph" else _DELIMITERS
        if kind != "ph":
            values["pos"] = _POS.get(half_position(kind, attributes), "open")
        elif assoc in _ASSOC:
            values["assoc"] = _ASSOC[assoc]
        ctype = _typed(attributes.get("type", ""), allowed)
        return "ph" if kind == "ph" else "it", values | ({"ctype": ctype} if ctype else {})

    def native(self, inner: str) -> str:
        """Return native code with flows: the same tags, under the names of XLIFF."""
        opened: dict[str, dict[str, str]] = {}

        def spelled(match: re.Match[str]) -> str:
            name, empty = match[2], bool(match[4])
            attributes = attributes_of(match[3]) or {}
            if name == "hi":
                return "</mrk>" if match[1] else tag("mrk", _mark(attributes), empty=empty)
            if match[1]:
                return match[0]
            if name == "sub":
                kind = _typed(attributes.get("type", ""), _DELIMITERS)
                data = _typed(attributes.get("datatype", ""), _DATATYPES)
                values = {"datatype": data, "ctype": kind}
                return tag("sub", {k: v for k, v in values.items() if v}, empty=empty)
            i = attributes.get("i", "")
            if name == "bpt":
                values = self.opening(attributes)
                opened[i] = {key: values[key] for key in ("id", "rid")}
            elif name == "ept":
                values = opened.pop(i, {}) or {"id": self._ids.give(None)}
            else:
                values = self.alone(name, attributes)[1]
            return tag(name, values, empty=empty)

        return CODE_TAG.sub(spelled, inner)


_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
"""
_OF_UNIT = {
    "approved": YES_NO,
    "translate": YES_NO,
    "resname": ANY,
    "extradata": ANY,
    "extype": ANY,
    "restype": re.compile(r"x-\S+|string|label|heading|header|footer|cell|caption|title"),
    "datatype": re.compile(r"x-\S+|html|xhtml|xml|plaintext|rtf|sgml|php|po|resx"),
}
_OF_TARGET = {
    "state": re.compile(
        r"x-\S+|final|needs-(?:review-)?(?:adaptation|l10n)|needs-(?:review-)?translation|new"
        r"|signed-off|translated"
    ),
    "state-qualifier": re.compile(
        r"x-\S+|(?:exact|fuzzy|id)-match|leveraged-(?:glossary|inherited|mt|repository|tm)"
        r"|(?:mt|tm)-suggestion|rejected-(?:grammar|inaccurate|length|spelling)"
    ),
}
_CONTEXT = re.compile(
    r"x-(?!bitext)\S+|database|element|elementtitle|linenumber|numparams|paramnotes|record"
    r"|recordtitle|sourcefile"
)
_START = (
    '<file original="{}" source-language="{}" target-language="{}" datatype="plaintext" '
    'xml:space="preserve"><body>\n'
)


def write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    """Write bitexts as XLIFF 1.2.

    Raises `InputError` when a text is unknown, has a character that XML forbids, or a language is
    not a code.
    """
    _Writer(out, options).write(bitexts)


class _Writer(DocumentWriter[CodeIds]):
    """Writes the documents of version 1.2; each side of a unit has ids of its own."""

    version = "xliff12"

    def head(self, langs: tuple[str, str]) -> str:  # noqa: ARG002 - each file names its own
        return _HEAD

    def begin(self, bitext: Bitext | None, langs: tuple[str, str], number: int) -> str:  # noqa: ARG002
        original = "" if bitext is None else bitext.meta.get("src_doc") or bitext.name
        return _START.format(escape_value(original), *langs)

    def end(self, *, empty: bool) -> str:  # noqa: ARG002 - a body may be empty
        return "</body></file>\n"

    def unit(self, name: str, run: list[Bead], columns: list[dict[str, str]]) -> str:
        if len(run) > 1:
            return self._crossing(name, run, columns)
        bead, rest = run[0], columns[0]
        unit = {"id": name} | taken(rest, _OF_UNIT)
        src, tgt = self.side(bead.src, bead, CodeIds(unique=False)), ""
        segments = bead.tgt or drafted(bead, rest)
        if segments or is_draft(rest.get("state", "")):
            if "state" in rest:
                rest["state"] = xliff12_state(rest["state"])
            target = spelled(taken(rest, _OF_TARGET), bead)
            text = self.side(segments, bead, CodeIds(unique=False)) if segments else ""
            tgt = f"<target{target}>{text}</target>"
        about = notes(rest, bead, "annotates")
        contexts = f"{_standard(rest, bead)}{_contexts(bead, rest, 'information')}"
        return (
            f"<trans-unit{spelled(unit, bead)}><source>{src}</source>{tgt}{about}{contexts}"
            f"</trans-unit>\n"
        )

    def _crossing(self, name: str, run: list[Bead], columns: list[dict[str, str]]) -> str:
        """Return several bisegments as one unit, the parts of the target in their own order."""
        sides = [CodeIds(unique=False), CodeIds(unique=False)]
        src = [self.side(bead.src, bead, sides[0]) for bead in run]
        marked = " ".join(
            f'<mrk mtype="seg" mid="bitext.{k}">{text}</mrk>' for k, text in enumerate(src, 1)
        )
        tgt = " ".join(
            f'<mrk mtype="seg" mid="bitext.{k}">{self.side(bead.tgt, bead, sides[1])}</mrk>'
            for k, bead in sorted(enumerate(run, 1), key=lambda item: item[1].order)
            if bead.tgt
        )
        contexts = "".join(
            _contexts(bead, rest, f"x-bitext.{k}")
            for k, (bead, rest) in enumerate(zip(run, columns, strict=True), 1)
        )
        return (
            f"<trans-unit{spelled({'id': name}, run[0])}><source>{' '.join(src)}</source>"
            f"<seg-source>{marked}</seg-source><target>{tgt}</target>{contexts}</trans-unit>\n"
        )

    def no_segment(self, codes: CodeIds) -> str:  # noqa: ARG002 - such a mark needs no id
        return f'<mrk mtype="{NONE}"/>'

    def border(self, segment: Segment, bead: Bead, codes: CodeIds) -> str:  # noqa: ARG002
        attributes = {"mtype": BORDER}
        if segment.id:
            attributes["comment"] = check(segment.id, bead, "the id")
        return tag("mrk", attributes)

    def text(self, segment: Segment, bead: Bead, codes: CodeIds) -> str:
        if segment.marked is None:
            return escape(check(segment.plain, bead, "the segment"))
        return inline(check(segment.marked, bead, "the segment"), codes)


def _standard(columns: dict[str, str], bead: Bead) -> str:
    """Remove the contexts of the types of XLIFF from the columns; return their elements."""
    kinds = [
        kind
        for name in columns
        if name.startswith("context:") and _CONTEXT.fullmatch(kind := name.removeprefix("context:"))
    ]
    values = [(kind, value) for kind in kinds for value in series(columns, f"context:{kind}")]
    contexts = typed_values(values, bead, "context", "context-type")
    return f"<context-group>{contexts}</context-group>" if contexts else ""


def _contexts(bead: Bead, columns: dict[str, str], purpose: str) -> str:
    """Return the columns and the score as contexts of our own types."""
    values = [(OURS + hidden(name), value) for name, value in columns.items()]
    if bead.score:
        values.append((SCORE_TYPE, bead.score))
    contexts = typed_values(values, bead, "context", "context-type")
    return f'<context-group purpose="{purpose}">{contexts}</context-group>' if contexts else ""


# Embedded files (`internal-file`, in base64).
#
# An embedded file may be larger than any text that the parser accepts, and its content is not
# needed. All but its beginning is removed before parsing; line ends stay, so that line numbers are
# right.

_FREE = 1 << 16  # bytes of an embedded file that are passed on
_LONGEST = 1 << 12  # bytes of the start tag
_SIZE = 1 << 18  # bytes per read
_NAME = b"internal-file"
_TAG = re.compile(rb"internal-file[^<>]*>")
_BASE64 = re.compile(rb"[A-Za-z0-9+/=\s]*")


def shortened(source: Source) -> Source:
    """Return a source that leaves out long embedded files; notes and errors are shared."""
    if b"\0" in source.head():
        return source  # UTF-16 is rare, and is not shortened
    short = Source(
        source.path,
        cast("BinaryIO", _Shortened(source.stream)),
        source.encoding,
        block_size=source.block_size,
        by_parser=source.by_parser,
    )
    short.notes, short.on_bad = source.notes, source.on_bad
    short.collecting = source.collecting
    short.units, short.holders = source.units, source.holders
    return short


class _Shortened:
    """A binary file that leaves out most bytes between `internal-file>` and the next `<`."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._ready = b""
        self._rest = b""  # bytes that may begin the tag
        self._passed_on = -1  # bytes passed on of the embedded file; -1 outside of one

    def read(self, size: int) -> bytes:
        while not self._ready:
            data = self._stream.read(_SIZE)
            if not data:
                self._ready, self._rest = self._rest, b""
                break
            self._ready = self._passed(self._rest + data)
        given, self._ready = self._ready[:size], self._ready[size:]
        return given

    def _passed(self, data: bytes) -> bytes:
        """Return the bytes to pass on, and keep back the end, where the tag may begin."""
        parts, at = [], 0
        self._rest = b""
        while at < len(data):
            if self._passed_on >= 0:
                end = cast("re.Match[bytes]", _BASE64.match(data, at)).end()
                stays = max(0, _FREE - self._passed_on)
                parts.append(data[at : min(end, at + stays)])
                parts.append(b"\n" * data.count(b"\n", min(end, at + stays), end))
                self._passed_on = -1 if end < len(data) else self._passed_on + end - at
                at = end
                continue
            tag = _TAG.search(data, at)
            if tag:
                parts.append(data[at : tag.end()])
                at, self._passed_on = tag.end(), 0
                continue
            cut = data.rfind(_NAME, at)
            cut = max(at, len(data) - len(_NAME)) if cut < 0 else cut
            cut = len(data) if len(data) - cut > _LONGEST else cut
            parts.append(data[at:cut])
            self._rest = data[cut:]
            break
        return b"".join(parts)

    def close(self) -> None:
        """Do nothing: the owner closes the file."""


def read_documents(
    source: Source,
    options: ReadOptions,
    *,
    more: Callable[[Source, Element], dict[str, dict[str, str]]] | None = None,
) -> Iterator[Bitext]:
    """Yield the document pairs of a file; `more` returns further columns of a unit, by `mid`."""
    return _Documents(shortened(source), options, more).read()


_PO_HEADER = "x-gettext-domain-header"  # of po2xliff and other programs


class _Documents(Documents):
    units = "trans-unit"
    holders = ("body", "group", "trans-unit", "bin-unit")
    of_file = ("original", "source-language", "target-language", "translate")
    passed = ("bin-unit", "internal-file")
    closing = b"</body></file></xliff>"
    version, other = "1", "xliff2"

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        more: Callable[[Source, Element], dict[str, dict[str, str]]] | None,
    ) -> None:
        super().__init__(source, options)
        self._more = more
        self._breaks: tuple[UnitBeads | None, frozenset[str]] = (None, frozenset())

    def languages(self, file: Element) -> tuple[str, str]:
        codes = (file.get("source-language", ""), file.get("target-language", ""))
        return known(str(codes[0])), known(str(codes[1]))

    def name(self, file: Element) -> str:
        return str(file.get("original", ""))

    def unit(self, unit: Element, beads: UnitBeads) -> None:
        if unit.get("restype") == _PO_HEADER:
            note_at(self.source, unit, "units with the header of a PO file, left out")
            return
        parts = parts_of(unit, self.kinds)
        if parts.others and refuse_nested(self.source, unit, parts.others):
            return
        self._see_languages(unit, parts, beads)
        if self._more is not None:
            self._type_breaks(unit, beads)
        translate = self.translates(unit)
        beads.add_unit(read_unit(self.source, unit, parts, translate=translate, more=self._more))

    def _type_breaks(self, unit: Element, beads: UnitBeads) -> None:
        """Give the codes that the header of their document defines as line breaks that type."""
        if self._breaks[0] is not beads:
            file = self._opened
            if file is None:
                file = next(unit.iterancestors("{*}file"))
            self._breaks = beads, _defined_breaks(file)
        if self._breaks[1]:
            for code in unit.iter("{*}x"):
                if code.get("id") in self._breaks[1]:
                    code.set("ctype", "lb")

    def repeat(self, learnt: Self, count: int, line: int) -> None:
        """Do nothing: reading a unit changes nothing of the reader."""

    def _see_languages(self, unit: Element, parts: Parts, beads: UnitBeads) -> None:
        """Note a text in another language than its document; adopt the language where unset."""
        for side, part in enumerate((parts.source, parts.target)):
            own = None if part is None else part.get(XML_LANG)
            if not own:
                continue
            code, langs = known(own), list(beads.langs)
            if code and not langs[side]:
                langs[side] = code
                beads.langs = (langs[0], langs[1])
            elif code and not finds(code, langs[side]):
                kind = "texts in another language than that of their document"
                if finds(langs[side], code):
                    kind = "codes of languages that say more than that of their document, left out"
                note_at(self.source, unit, kind, f"{code[:40]}, not {langs[side][:40]}")


FORMAT = Format(
    name="xliff12",
    title="XLIFF 1.2 (1.0 and 1.1 are read too), segments paired by mid",
    holds="text",
    suffixes=(".xlf", ".xliff", ".mqxliff", ".mxliff", ".txlf"),
    sniff=lambda head: 95 if sniff_version(head) == 1 else 0,
    names_languages=True,
    read=read_documents,
    write=write,
    keeps=KEEPS,
    keeps_in_props=replace(KEEPS, ids=True),
    streams=True,
    units=("trans-unit", "bin-unit"),
    holders=("file", "group"),
)


# SDLXLIFF, of SDL Trados Studio: XLIFF 1.2 with extensions in the namespace `sdl`.
#
#     <trans-unit id="..."><source>One. Two.</source>
#         <seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk>
#             </seg-source>
#         <target><mrk mtype="seg" mid="1">Un.</mrk> <mrk mtype="seg" mid="2"/></target>
#         <sdl:seg-defs><sdl:seg id="1" conf="Translated" origin="tm" percent="100"/>...
#
# SDLXLIFF is read as XLIFF 1.2. The attributes of `sdl:seg` are columns `sdl:conf`, `sdl:origin`,
# `sdl:percent` and so on of the segment with the same `mid`, its values columns `sdl:KEY`. Most
# units contain only codes and are not to be translated; they are left out, and counted. An
# untranslated segment has an empty target and no `conf`; it is read as not translated, with the
# state `new`. A code `<x id="5"/>` is defined in the header, by `sdl:tag id="5"`; one that is
# `<br>` there has the type of line breaks. There is no writer, because Studio requires definitions
# of tags that no other format has.

_OF_SEGMENTS = (
    *("conf", "origin", "origin-system", "percent", "struct-match", "text-match", "locked"),
)
_NAMESPACE = b"http://sdl.com/FileTypes/SdlXliff/"
_DEFINED_BREAK = re.compile(r"<(?:br|lb|softbreak|line-?break)\b", re.IGNORECASE)


def _sniff_sdlxliff(head: bytes) -> int:
    return 97 if sniff_version(head) == 1 and _NAMESPACE in head.replace(b"\0", b"") else 0


def _segment_columns(source: Source, unit: Element) -> dict[str, dict[str, str]]:
    """Return the columns of each segment of a unit, by its `mid`."""
    columns_of: dict[str, dict[str, str]] = {}
    empty: set[str] | None = None  # the `mid` of the segments with an empty target
    for definitions in unit.iterchildren("{*}seg-defs"):
        for segment in definitions:
            mid = str(segment.get("id", "")).replace(" ", "_x0020_")  # of a segment that was split
            columns = columns_of.setdefault(mid, {})
            for name in _OF_SEGMENTS:
                value = segment.get(name)
                if value is not None:
                    columns[f"sdl:{name}"] = str(value)
            if segment.get("conf") is None:  # Studio writes no level for a segment not yet begun
                empty = _empty_targets(unit) if empty is None else empty
                columns |= {"state": "new"} if mid in empty else {}
            for child in segment:
                if local_name(child) == "value":
                    columns[f"sdl:{child.get('key', '')}"] = str(child.text or "")
                else:
                    note_extension(source, child)
    return columns_of


def _defined_breaks(file: Element) -> frozenset[str]:
    """Return the ids of the codes that the header of a document defines as line breaks."""
    return frozenset(
        str(definition.get("id"))
        for definition in file.iterfind("{*}header/{*}tag-defs/{*}tag")
        if _DEFINED_BREAK.match(str(definition.findtext("{*}ph", "")).strip())
    )


def _empty_targets(unit: Element) -> set[str]:
    marks = (mark for target in unit.iterchildren("{*}target") for mark in target.iter("{*}mrk"))
    return {
        str(mark.get("mid", ""))
        for mark in marks
        if mark.get("mtype") == "seg" and not len(mark) and not (mark.text or "").strip()
    }


SDLXLIFF = Format(
    name="sdlxliff",
    title="XLIFF 1.2 as SDL Trados Studio writes it (read)",
    holds="text",
    suffixes=(".sdlxliff",),
    sniff=_sniff_sdlxliff,
    read=partial(read_documents, more=_segment_columns),
    streams=True,
    units=("trans-unit", "bin-unit"),
    holders=("file", "group"),
)
