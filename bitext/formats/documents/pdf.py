"""Text of PDF files, by pdfminer.six (the extra `documents`).

A page has characters at places, but no words, lines or paragraphs. These are derived in six steps:

1. Characters of one baseline are a row. A gap of a sixth of the size is a blank.
2. A strip that is empty in nearly all rows divides columns. Rows that cross it divide the page into
   bands, and the columns of a band are read one after another.
3. The first and the last rows of pages are left out if they recur, or are a number only.
4. A row begins a paragraph if it is indented, further below than usual or of another size, or if
   the row before is short and ends a sentence. So a paragraph may go on in the next column or page.
5. Rows in a larger size, or short bold rows, are headings. Small rows at the foot of a page are
   notes, which come after the text.
6. A hyphen at the end of a row is left out unless the word has it elsewhere, or the next row begins
   with a capital or a conjunction.

Thresholds are set by hand. Notes name doubtful readings.
"""

from __future__ import annotations

import io
import logging
import re
import zlib
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.errors import FormatError, import_extra
from bitext.formats.documents.blocks import Block, Document, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.io.source import Source

__all__ = ["read"]

_SAME_ROW = 0.4  # sizes between the baselines of one row, at most
_BLANK = 0.16  # sizes between two characters with a blank between them, at least
_GUTTER = 0.8  # sizes of a strip between columns, at least
_CROSSING = 0.1  # share of rows that cross such a strip, at most
_FEWEST_ROWS = 6  # rows on both sides of such a strip
_EDGE_ROWS = 2  # rows at the head and at the foot of a page that may recur
_RECURRING = 3  # pages on which a head recurs, at least; two in a file of fewer than ten pages
_INDENT = 0.7  # sizes by which the first row of a paragraph is further in
_WIDE_GAP = 1.35  # usual distances of rows above which a paragraph ends
_SHORT = 0.12  # share of the width of a column that a short row leaves free
_LARGER, _SMALLER = 1.12, 0.92  # sizes of headings and of notes, of the usual size
_LONGEST_HEADING = 120  # characters of a bold heading
_MOST_SIZES = 6  # levels of headings

_NUMBER = re.compile(r"\W*(?:\d{1,5}|[ivxlcdm]{1,8})(?:\s*[/|]\s*\d+)?\W*", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_ENDED = re.compile(r"""[.!?…:;؟۔।。！？]["'“”‘’«»)\]]*\d{0,3}$""")
_BULLET = re.compile(r"[•▪‣◦●■▸]\s*")
_NOTE = re.compile(r"(?:\d{1,3}|\*{1,3})[.)]?\s*[^\W\d]")  # begins a note
_CID = re.compile(r"\(cid:\d+\)")
_BOLD = re.compile(r"bold|black|heavy|semibold", re.IGNORECASE)
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xAD: "-"}
_HYPHENATED = re.compile(r"([^\W\d_]+)[-‐]\n([^\W\d_]+)")
_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_CONJUNCTIONS = frozenset(("und", "oder", "bzw", "sowie", "and", "or", "en", "of", "och", "og"))

_STREAM = re.compile(rb"stream\r?\n")
_FARTHEST = 20_000  # points from the origin; the longest side of a page is 14,400 (ISO 32000-1)
_STEP = 1 << 16  # bytes of a stream in one step
# Filters whose output is not bounded by the library, and the bytes of a stream that may have them.
_OLD = frozenset(("LZWDecode", "LZW", "RunLengthDecode", "RL"))
_MOST_OLD = 200_000
_MOST_FILTERS = 3
_FAULTS = (
    ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, AssertionError,
    OverflowError, NotImplementedError, EOFError,
)  # fmt: skip


@dataclass(slots=True)
class _Row:
    text: str
    x0: float
    x1: float
    y: float
    size: float
    is_bold: bool
    page: int
    left: float = 0.0  # of its column
    right: float = 0.0
    column: int = 0


class _Draft(NamedTuple):
    kind: str
    level: int
    rows: list[_Row]


def read(source: Source) -> Document:
    """Read the text of a PDF file.

    Raises
    ------
    FormatError
        When it needs a password, is damaged, has no text, or unfolds beyond the limits.

    """
    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)  # its warnings of damaged files
    parsing = import_extra("pdfminer.pdfparser", what="reading PDF", extra="documents")
    documents = import_extra("pdfminer.pdfdocument", what="reading PDF", extra="documents")
    data = read_bytes(source)
    budget = _Budget(source, len(data))
    for match in _STREAM.finditer(data):
        budget.inflate(data, match.end())
    try:
        document = _document_class()(parsing.PDFParser(io.BytesIO(data)))
    except (documents.PDFPasswordIncorrect, documents.PDFEncryptionError):
        raise source.error("is protected by a password: save it without") from None
    except _CircleError:
        raise _circular(source) from None
    except _faults() as error:
        raise _damaged(source, error) from None
    if document.encryption is not None:
        raise source.error("is encrypted, maybe with an empty password: save it without")
    _check_objects(source, document, budget)
    pages = [_rows(chars, number) for number, chars in enumerate(_pages(source, document))]
    rows = _without_heads(source, pages)
    if not any(rows):
        raise source.error(
            "has no text, only pictures, as scans have: recognise its text first (OCR)"
        )
    if empty := sum(not page for page in rows):
        source.notes.add("pages of PDF without text, as of scans", source.path, empty)
    blocks = _blocks(source, rows)
    title, lang = _properties(document)
    return Document(tuple(blocks), lang, title)


class _CircleError(Exception):
    """An object that refers to itself, or to objects that refer back to it."""


def _document_class() -> Any:
    """Return the document class of the library, whose objects are never references.

    The library follows a circle of references without an end.
    """
    documents = import_extra("pdfminer.pdfdocument", what="reading PDF", extra="documents")
    types = import_extra("pdfminer.pdftypes", what="reading PDF", extra="documents")

    def getobj(document: Any, number: int) -> Any:
        passed = {number}
        value = documents.PDFDocument.getobj(document, number)
        while isinstance(value, types.PDFObjRef):
            if value.objid in passed:
                raise _CircleError
            passed.add(value.objid)
            value = documents.PDFDocument.getobj(document, value.objid)
        return value

    return type("PDFDocument", (documents.PDFDocument,), {"getobj": getobj})


class _Budget:
    """Counts the bytes that the compressed streams of a file unfold to, before it is read."""

    def __init__(self, source: Source, packed: int) -> None:
        self._source, self._packed, self._unpacked = source, packed, 0

    def inflate(self, data: bytes, at: int = 0) -> None:
        """Count the inflated bytes of a stream; other data counts nothing."""
        decoder = zlib.decompressobj()
        limits = self._source.limits
        pending = data[at : at + _STEP]
        while pending and not decoder.eof:
            try:
                self._unpacked += len(decoder.decompress(pending, _STEP))
            except zlib.error:
                return
            if self._unpacked > max(limits.size, limits.ratio * self._packed):
                raise self._source.error(
                    f"unfolds to more than {self._unpacked:,} bytes from {self._packed:,}, beyond "
                    f"{limits.size:,} bytes and {limits.ratio:g} to 1, as no document does"
                )
            pending = decoder.unconsumed_tail
            if not pending:
                at += _STEP
                pending = data[at : at + _STEP]


def _check_objects(source: Source, document: Any, budget: _Budget) -> None:
    """Refuse streams of several filters, or of old ones, that may unfold without a limit."""
    types = import_extra("pdfminer.pdftypes", what="reading PDF", extra="documents")
    ascii85 = import_extra("pdfminer.ascii85", what="reading PDF", extra="documents")
    for number in {each for xref in document.xrefs for each in xref.get_objids()}:
        try:
            value = document.getobj(number)
        except _CircleError:
            raise _circular(source) from None
        except _faults():
            continue
        if not isinstance(value, types.PDFStream):
            continue
        names = [str(getattr(each, "name", each)) for each, _ in value.get_filters()]
        flate = [name for name in names if name in {"FlateDecode", "Fl"}]
        data = value.rawdata or b""
        old = any(name in _OLD for name in names) and len(data) > _MOST_OLD
        if old or len(flate) > 1 or len(names) > _MOST_FILTERS:
            raise source.error(
                f"has a stream compressed by {', '.join(names)}, which may unfold without a limit: "
                f"save it anew in another program"
            )
        if flate and names[0] in {"ASCII85Decode", "A85"}:
            budget.inflate(ascii85.ascii85decode(data))
        elif flate and names[0] in {"ASCIIHexDecode", "AHx"}:
            budget.inflate(ascii85.asciihexdecode(data))


def _faults() -> tuple[type[Exception], ...]:
    """Return the errors that the library raises for damaged files."""
    syntax = import_extra("pdfminer.psexceptions", what="reading PDF", extra="documents")
    return (*_FAULTS, syntax.PSException)


def _properties(document: Any) -> tuple[str, str]:
    """Return the title and the language that a file declares."""
    lang = document.catalog.get("Lang", b"")
    title = next((info["Title"] for info in document.info if "Title" in info), b"")
    return _string(title), _string(lang)


def _string(value: Any) -> str:
    if not isinstance(value, bytes):
        return ""
    encoding = "utf-16" if value.startswith((b"\xfe\xff", b"\xff\xfe")) else "latin-1"
    return value.decode(encoding, "replace").strip()


def _pages(source: Source, document: Any) -> Iterator[list[Any]]:
    """Yield the characters of each page."""
    paging = import_extra("pdfminer.pdfpage", what="reading PDF", extra="documents")
    interpreting = import_extra("pdfminer.pdfinterp", what="reading PDF", extra="documents")
    converting = import_extra("pdfminer.converter", what="reading PDF", extra="documents")
    manager = interpreting.PDFResourceManager()
    device = converting.PDFPageAggregator(manager, laparams=None)
    interpreter = interpreting.PDFPageInterpreter(manager, device)
    pages = paging.PDFPage.create_pages(document)
    while True:
        try:
            page = next(pages, None)
            if page is None:
                return
            interpreter.process_page(page)
        except _faults() as error:
            raise _damaged(source, error) from None
        yield list(_characters(device.get_result()))


def _circular(source: Source) -> FormatError:
    return source.error("has an object that only refers back to itself: save it anew")


def _damaged(source: Source, error: Exception) -> FormatError:
    name = type(error).__name__
    return source.error(f"is damaged, or no PDF ({name}): get the whole file anew")


def _characters(layout: Any) -> Iterator[Any]:
    """Yield the characters of a page and of the figures in it."""
    stack = [iter(layout)]
    while stack:
        item = next(stack[-1], None)
        if item is None:
            stack.pop()
        elif hasattr(item, "fontname"):
            is_near = max(abs(item.x0), abs(item.x1), abs(item.y0), abs(item.y1)) < _FARTHEST
            if item.upright and 0 < item.size < _FARTHEST and is_near:
                yield item
        elif hasattr(item, "__iter__"):
            stack.append(iter(item))


def _rows(characters: Sequence[Any], page: int) -> list[_Row]:
    """Return the rows of a page in the order of reading."""
    baselines = _baselines(characters, raised=False)
    gutters = _gutters(baselines)
    columns: dict[int, list[Any]] = {}
    for group in baselines:
        for column, chars in _divided(group, gutters):
            columns.setdefault(column, []).extend(chars)
    rows = [
        row
        for column, chars in columns.items()
        for group in _baselines(chars, raised=True)
        if (row := _row(group, page, column)) is not None
    ]
    ordered: list[_Row] = []
    band: list[_Row] = []
    for row in sorted(rows, key=lambda each: (-each.y, each.column)):
        if row.column < 0:  # crosses a strip: ends a band
            ordered += [*sorted(band, key=lambda each: each.column), row]
            band = []
        else:
            band.append(row)
    ordered += sorted(band, key=lambda each: each.column)
    for column in {row.column for row in ordered}:
        rows = [row for row in ordered if row.column == column]
        left, right = min(row.x0 for row in rows), max(row.x1 for row in rows)
        for row in rows:
            row.left, row.right = left, right
    return ordered


def _baselines(characters: Sequence[Any], *, raised: bool) -> list[list[Any]]:
    """Group characters by their baselines, from above, each group from left to right.

    With `raised` smaller characters whose middle is within a row belong to the row.
    """
    groups: list[list[Any]] = []
    for char in sorted(characters, key=lambda each: -each.y0):
        for group in reversed(groups[-3:]):
            first = group[0]
            near = abs(first.y0 - char.y0) <= _SAME_ROW * min(first.size, char.size)
            middle, size = (char.y0 + char.y1) / 2, char.size
            low, high = first.y0, first.y1
            if size > first.size:  # a raised character came first
                middle, size = (first.y0 + first.y1) / 2, first.size
                low, high = char.y0, char.y1
            if near or (raised and size < 0.8 * (high - low) and low <= middle <= high):
                group.append(char)
                break
        else:
            groups.append([char])
    return [sorted(group, key=lambda each: each.x0) for group in groups]


def _row(chars: Sequence[Any], page: int, column: int) -> _Row | None:
    """Return the row of characters on a baseline; `None` without a visible one."""
    parts: list[str] = []
    last: Any = None
    for char in chars:
        text = char.get_text().translate(_LIGATURES)
        if last is not None and char.x0 - last.x1 > _BLANK * min(char.size, last.size):
            parts.append(" ")
        parts.append(text)
        last = char
    text = " ".join("".join(parts).split())
    if not text:
        return None
    inked = [char for char in chars if char.get_text().strip()]
    sizes = Counter(round(char.size, 1) for char in inked)
    bold = sum(_BOLD.search(char.fontname) is not None for char in inked)
    return _Row(
        text, inked[0].x0, inked[-1].x1, median(char.y0 for char in inked),
        sizes.most_common(1)[0][0], bold > 0.9 * len(inked), page, column=column,
    )  # fmt: skip


def _gutters(groups: Sequence[Sequence[Any]]) -> list[float]:
    """Return the middles of the strips between columns."""
    inked = [[char for char in group if char.get_text().strip()] for group in groups]
    inked = [group for group in inked if group]
    if len(inked) < _FEWEST_ROWS:
        return []
    size = median(char.size for group in inked for char in group)
    first = int(min(group[0].x0 for group in inked))
    last = int(max(char.x1 for group in inked for char in group)) + 1
    width = last - first + 2
    crossing, begins, ends = [0] * width, [0] * width, [0] * width
    for group in inked:
        for one, other in pairwise([*group, group[-1]]):  # blanks within lines are no strip
            end = other.x0 if 0 < other.x0 - one.x1 < _GUTTER * size else one.x1
            for x in range(int(one.x0) - first, int(end) - first + 1):
                crossing[min(max(x, 0), width - 1)] += 1
        begins[int(group[0].x0) - first] += 1
        ends[int(max(char.x1 for char in group)) - first + 1] += 1
    gutters: list[float] = []
    begin = None
    left, right = 0, len(inked)  # rows that begin before a place, and that end after it
    for x in range(width):
        left, right = left + begins[x], right - ends[x]
        least = min(left, right)
        is_free = least >= _FEWEST_ROWS and crossing[x] <= _CROSSING * least
        if is_free and begin is None:
            begin = x
        elif not is_free and begin is not None:
            if x - begin >= _GUTTER * size:
                gutters.append(first + (begin + x) / 2)
            begin = None
    return gutters


def _divided(group: Sequence[Any], gutters: Sequence[float]) -> list[tuple[int, list[Any]]]:
    """Divide a row into columns; the column of a row that crosses a strip is -1."""
    if not gutters:
        return [(0, list(group))]
    parts: dict[int, list[Any]] = {}
    for char in group:
        if not char.get_text().strip():
            continue
        if any(char.x0 < gutter < char.x1 for gutter in gutters):
            return [(-1, list(group))]
        parts.setdefault(sum(gutter <= char.x0 for gutter in gutters), []).append(char)
    for (_, one), (_, other) in pairwise(sorted(parts.items())):
        if other[0].x0 - one[-1].x1 < _GUTTER * one[-1].size:
            return [(-1, list(group))]
    return sorted(parts.items())


def _without_heads(source: Source, pages: list[list[_Row]]) -> list[list[_Row]]:
    """Leave out rows at the heads and feet of pages that recur, or are numbers."""
    keys: Counter[str] = Counter()
    edges: list[set[int]] = []
    for rows in pages:
        by_height = sorted(range(len(rows)), key=lambda k: -rows[k].y)
        edge = {*by_height[:_EDGE_ROWS], *by_height[-_EDGE_ROWS:]}
        edges.append(edge)
        keys.update({_DIGITS.sub("#", rows[k].text.lower()) for k in edge})
    fewest = 2 if len(pages) < 10 else _RECURRING
    sizes = [row.size for rows in pages for row in rows]
    large = _LARGER * median(sizes) if sizes else 0.0  # as `Chapter 2` at the top of a page
    out: list[list[_Row]] = []
    left_out = 0
    for rows, edge in zip(pages, edges, strict=True):
        kept = []
        for k, row in enumerate(rows):
            key = _DIGITS.sub("#", row.text.lower())
            recurs = keys[key] >= fewest and len(pages) > 1
            if row.size >= large and "#" in key and any(map(str.isalpha, key)):
                recurs = False
            if k in edge and (recurs or _NUMBER.fullmatch(row.text)):
                left_out += 1
            else:
                kept.append(row)
        out.append(kept)
    if left_out:
        source.notes.add("running heads and page numbers of PDF, left out", source.path, left_out)
    return out


def _blocks(source: Source, pages: list[list[_Row]]) -> list[Block]:
    """Join rows to paragraphs, headings and notes."""
    rows = [row for page in pages for row in page]
    sizes: Counter[float] = Counter()
    for row in rows:
        sizes[row.size] += len(row.text)
    usual = sizes.most_common(1)[0][0]
    larger = sorted({size for size in sizes if size >= _LARGER * usual}, reverse=True)
    levels = {size: min(k + 1, _MOST_SIZES) for k, size in enumerate(larger)}
    gaps = [
        one.y - other.y for one, other in pairwise(rows)
        if (one.page, one.column) == (other.page, other.column) and one.size == other.size == usual
    ]  # fmt: skip
    leading = median(gap for gap in gaps if gap > 0) if any(gap > 0 for gap in gaps) else 0.0
    foot: dict[tuple[int, int], float] = {}  # lowest row of the text, by page and column
    for row in rows:
        if row.size > _SMALLER * usual:
            place = row.page, row.column
            foot[place] = min(row.y, foot.get(place, row.y))
    drafts: dict[bool, list[_Draft]] = {False: [], True: []}  # of the text, and of notes
    for row in rows:
        level = levels.get(row.size, 0)
        is_note = row.size <= _SMALLER * usual and row.y < foot.get((row.page, row.column), 0.0)
        bullet = _BULLET.match(row.text)
        kind = "note" if is_note else "paragraph"
        if bullet:
            kind, level = "item", 1
        elif level or _is_bold_heading(row):
            kind, level = "heading", level or min(len(levels) + 1, _MOST_SIZES)
        last = drafts[is_note][-1] if drafts[is_note] else None
        goes_on = (
            last is not None
            and not bullet
            and (last.kind, last.level) in {(kind, level), ("item", 1)}
            and not (last.kind == "item" and kind == "heading")
            and not (is_note and _NOTE.match(row.text))
            and not _begins(last.rows[-1], row, leading)
        )
        if goes_on and last is not None:
            last.rows.append(row)
        else:
            drafts[is_note].append(_Draft(kind, level, [row]))
    words = Counter(word.casefold() for row in rows for word in _WORD.findall(row.text))
    blocks = []
    for draft in (*drafts[False], *drafts[True]):
        text = _without_hyphens(source, "\n".join(row.text for row in draft.rows), words)
        text = _BULLET.sub("", text, count=1) if draft.kind == "item" else text
        if text.strip():
            blocks.append(Block(draft.kind, text, None, draft.level))
    _tell(source, rows)
    return blocks


def _is_bold_heading(row: _Row) -> bool:
    is_short = len(row.text) <= _LONGEST_HEADING
    return row.is_bold and is_short and _ENDED.search(row.text) is None


def _begins(last: _Row, row: _Row, leading: float) -> bool:
    """Return whether `row` begins a new paragraph after the row `last`."""
    if abs(last.size - row.size) > 0.05 * last.size:
        return True
    width = max(last.right - last.left, 1.0)
    is_ended = _ENDED.search(last.text) is not None
    is_short = last.right - last.x1 > _SHORT * width
    indent = row.x0 - row.left > _INDENT * row.size
    if (last.page, last.column) != (row.page, row.column):
        return is_ended and (indent or is_short)
    gap = last.y - row.y
    if leading and gap > _WIDE_GAP * leading * max(row.size / last.size, 1.0):
        return True
    further_in = row.x0 - last.x0 > _INDENT * row.size
    return (further_in and (is_ended or is_short)) or (is_ended and is_short)


def _without_hyphens(source: Source, text: str, words: Counter[str]) -> str:
    """Join words that are divided at the ends of rows."""

    def joined(match: re.Match[str]) -> str:
        one, other = match[1], match[2]
        if words[f"{one}-{other}".casefold()] or other in _CONJUNCTIONS or not other[0].islower():
            return match[0]  # which the splitter of sentences joins with the hyphen
        if not words[f"{one}{other}".casefold()]:
            kind = "words divided at the ends of lines of PDF, joined without a hyphen by guess"
            source.notes.add(kind, f"{source.path}: {one}-{other}")
        return f"{one}{other}"

    return _HYPHENATED.sub(joined, text)


def _tell(source: Source, rows: Sequence[_Row]) -> None:
    """Add notes on characters and directions that are read with doubt."""
    unknown = sum(len(_CID.findall(row.text)) for row in rows)
    if unknown:
        source.notes.add("characters of PDF without a known letter", source.path, unknown)
    reverse = sum(len(_RTL.findall(row.text)) > len(row.text) / 2 for row in rows)
    if reverse:
        kind = "lines of PDF from right to left, whose letters may be in the order of the page"
        source.notes.add(kind, source.path, reverse)
    if any(row.column > 0 for row in rows):
        source.notes.add("pages of PDF in columns, read one after another", source.path)
