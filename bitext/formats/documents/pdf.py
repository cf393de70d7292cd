"""PDF files: their text, by tags where they are tagged, else by the places of words.

The library pdfminer.six (the extra `documents`) parses the objects of a file. What unfolds is
bounded here: streams are decoded by `_decoded` within the limits of compressed files, pages are
followed by `pdf_content`, and fonts are read by `pdf_fonts`.

| in the file | is |
| --- | --- |
| tags for headings, paragraphs, lists, tables, notes | blocks, if tags have nearly all text |
| pages without tags | rows, columns and blocks, derived from places and sizes: `pdf_layout` |
| `ActualText`, ligatures, presentation forms | the plain characters |
| rotated pages; columns from above | read in their direction; other rotated text is left out |
| text beyond the crop box | left out |
| running heads, page numbers | left out |
| pages without text | told: they are pictures |
| a password that only the owner needs | read |
| a password | refused |

Notes name doubtful readings.

A tagged file declares a tree of structure (ISO 32000-1, section 14.7), which names numbers of
marked content of pages. The words of a number are joined to rows, as on pages without tags; what is
a paragraph, a heading, an item or a note is declared. The tree is not used where words beside it
are more than a tenth of the text: a note says so.
"""

from __future__ import annotations

import io
import logging
import re
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bitext.errors import FormatError, few
from bitext.formats.documents.blocks import Block, Document, TableColumns, read_bytes
from bitext.formats.documents.pdf_content import ARTIFACT, Fragment, Page, PageReader
from bitext.formats.documents.pdf_fonts import UNKNOWN
from bitext.formats.documents.pdf_layout import (
    Row,
    is_from_right,
    page_blocks,
    rows_of,
    tell_directions,
    without_hyphens,
    words_of,
)
from bitext.formats.documents.pdf_objects import (
    array,
    is_stream,
    library,
    mapping,
    name_of,
    number_of,
    resolved,
    text_of,
)
from bitext.formats.io.source import Source

_STEP = 1 << 16  # bytes of a stream in one step
_LINE_END = re.compile(rb"\r\n?|\n")
_LONGEST_TOKEN = 1 << 22  # bytes of a string, a name or a comment, set by hand
_LONGEST_END = 1 << 20  # bytes at the end that are searched for the place of the table of objects
_MOST_FILTERS = 4  # of a stream
_MOST_PAGES = 100_000  # set by hand
_MOST_LEVELS = 1000  # of the tree of pages, set by hand
_MOST_UNKNOWN = 0.5  # share of characters of a file that are not known, at most; set by hand
_MOST_TOLD = 5  # pages that a note names
_INHERITED = ("Resources", "Rotate", "CropBox")
_FAULTS = (
    ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, AssertionError,
    OverflowError, NotImplementedError, EOFError, zlib.error, MemoryError,
)  # fmt: skip


def read(source: Source) -> Document:
    """Read the text of a PDF file.

    Raises `FormatError` when it needs a password, is damaged, has no text, or unfolds beyond the
    limits.
    """
    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)  # its warnings of damaged files
    documents = library("pdfdocument")
    data = read_bytes(source)
    budget = _Budget(source, len(data))
    try:
        document = _document_class()(_parser_class(budget)(io.BytesIO(data)))
        if document.encryption is not None:
            source.note("PDF files encrypted without a password to read them")
        pages = list(_pages(source, document, budget))
        tagged = tagged_blocks(source, document, pages)
    except FormatError:
        raise
    except (documents.PDFPasswordIncorrect, documents.PDFEncryptionError):
        raise source.error("is protected by a password: save it without") from None
    except _CircleError:
        raise source.error("has an object that only refers back to itself: save it anew") from None
    except (*_FAULTS, library("psexceptions").PSException) as error:
        name = type(error).__name__
        raise source.error(f"is damaged, or no PDF ({name}): get the whole file anew") from None
    _tell_pages(source, [page for _, page in pages])
    blocks = (
        page_blocks(source, [page.fragments for _, page in pages]) if tagged is None else tagged
    )
    title, lang = _properties(document)
    return Document(tuple(blocks), lang, title)


class _CircleError(Exception):
    """An object that refers to itself, or to objects that refer back to it."""


def _document_class() -> Any:
    """Return the document class of the library, whose objects are never references.

    The library follows a circle of references without an end.
    """
    documents = library("pdfdocument")
    types = library("pdftypes")

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


def _stream_class(budget: _Budget) -> Any:
    """Return the class of streams of the library, decoded within the limits."""
    types = library("pdftypes")

    def decode(stream: Any) -> None:
        data = stream.rawdata or b""
        if stream.decipher and stream.objid is not None:
            data = stream.decipher(stream.objid, stream.genno, data, stream.attrs)
        stream.data, stream.rawdata = budget.decoded(data, stream.get_filters()), None

    return type("PDFStream", (types.PDFStream,), {"decode": decode})


def _parser_class(budget: _Budget) -> Any:
    """Return the parser class of the library, with streams, tokens and lines within limits.

    The library takes the square of the length of a token or a line, since it joins its parts.
    """
    parsing = library("pdfparser")
    types = library("pdftypes")
    errors = library("psexceptions")
    parser_class = parsing.PDFParser

    bounded = _stream_class(budget)

    def push(parser: Any, *objects: Any) -> None:
        for _, value in objects:
            if type(value) is types.PDFStream:
                value.__class__ = bounded
        parser_class.push(parser, *objects)

    def fillbuf(parser: Any) -> None:
        if len(parser._curtoken) > _LONGEST_TOKEN:  # noqa: SLF001 - as below
            raise errors.PSSyntaxError
        parser_class.fillbuf(parser)

    def parse_string(parser: Any, data: bytes, at: int) -> int:
        if type(parser._curtoken) is bytes:  # noqa: SLF001
            parser._curtoken = bytearray(parser._curtoken)  # noqa: SLF001
        return int(parser_class._parse_string(parser, data, at))  # noqa: SLF001

    def add_token(parser: Any, token: Any) -> None:
        token = bytes(token) if type(token) is bytearray else token
        parser_class._add_token(parser, token)  # noqa: SLF001

    def nextline(parser: Any) -> tuple[int, bytes]:
        data, begin = parser.fp.getvalue(), parser.bufpos + parser.charpos
        if begin >= len(data):
            raise errors.PSEOF
        line_end = _LINE_END.search(data, begin)
        end = line_end.end() if line_end else len(data)
        parser.seek(end)
        return begin, data[begin:end]

    def revreadlines(parser: Any) -> Iterator[bytes]:
        yield from reversed(parser.fp.getvalue()[-_LONGEST_END:].splitlines())

    methods = [push, fillbuf, nextline, revreadlines]
    members: dict[str, Any] = {method.__name__: method for method in methods}
    members |= {"_parse_string": parse_string, "_add_token": add_token}
    return type("PDFParser", (parser_class,), members)


class _Budget:
    """Decodes streams, and counts the bytes that they unfold to and the instructions in them."""

    def __init__(self, source: Source, packed: int) -> None:
        self._source, self._packed, self._unpacked = source, packed, 0

    def spend(self, size: int) -> None:
        """Count bytes; refuse the file above the limits."""
        self._unpacked += size
        limits = self._source.limits
        if self._unpacked > max(limits.size, limits.ratio * self._packed):
            raise self._source.error(
                f"unfolds to more than {self._unpacked:,} bytes from {self._packed:,}, beyond "
                f"{limits.size:,} bytes and {limits.ratio:g} to 1: save it anew"
            )

    def decoded(self, data: bytes, filters: list[Any]) -> bytes:
        """Decode a stream by its filters; that of a picture is no data."""
        if len(filters) > _MOST_FILTERS:
            raise self._source.error(
                f"has a stream with {len(filters)} filters, which no program writes: save it anew"
            )
        ascii85 = library("ascii85")
        for given, parameters in filters:
            name = str(getattr(given, "name", given))
            if name in {"FlateDecode", "Fl"}:
                data = self._inflated(data)
            elif name in {"LZWDecode", "LZW"}:
                early = (parameters or {}).get("EarlyChange", 1)
                data = self._of_codes(data, early=early != 0)
            elif name in {"RunLengthDecode", "RL"}:
                self.spend(64 * len(data))
                data = library("runlength").rldecode(data)
            elif name in {"ASCII85Decode", "A85"}:
                data = ascii85.ascii85decode(data)
            elif name in {"ASCIIHexDecode", "AHx"}:
                data = ascii85.asciihexdecode(data)
            elif name != "Crypt":
                return b""
            if isinstance(parameters, dict) and name[0] in "FL":
                data = self._predicted(data, parameters)
        return data

    def _inflated(self, data: bytes) -> bytes:
        """Inflate data; of damaged data what comes before the damage."""
        decoder = zlib.decompressobj()
        out = []
        at, pending = _STEP, data[:_STEP]
        while pending and not decoder.eof:
            before = decoder.copy()
            try:
                part = decoder.decompress(pending, _STEP)
            except zlib.error:
                out.append(_before_damage(before, pending))
                break
            self.spend(len(part))
            out.append(part)
            pending = decoder.unconsumed_tail
            if not pending:
                pending = data[at : at + _STEP]
                at += _STEP
        return b"".join(out)

    def _of_codes(self, data: bytes, *, early: bool) -> bytes:
        """Decode the codes of LZW (ISO 32000-1, section 7.4.4)."""
        first = [bytes([byte]) for byte in range(256)] + [b"", b""]
        table, out = first[:], []
        width, last, bits, held = 9, b"", 0, 0
        for byte in data:
            held, bits = (held << 8) | byte, bits + 8
            if bits < width:
                continue
            bits -= width
            code, held = held >> bits, held & ((1 << bits) - 1)
            if code == 257 or code > len(table):
                break
            if code == 256:
                table, width, last = first[:], 9, b""
                continue
            if code == len(table) and not last:
                break
            entry = table[code] if code < len(table) else last + last[:1]
            self.spend(len(entry))
            out.append(entry)
            if last and len(table) < 4096:
                table.append(last + entry[:1])
            last = entry
            width = min(max((len(table) + early).bit_length(), 9), 12)
        return b"".join(out)

    def _predicted(self, data: bytes, parameters: dict[str, Any]) -> bytes:
        utilities = library("utils")
        kind, colors, columns, bits = (
            resolved(parameters.get(key, default))
            for key, default in (
                ("Predictor", 1), ("Colors", 1), ("Columns", 1), ("BitsPerComponent", 8)
            )
        )  # fmt: skip
        if not isinstance(kind, int) or kind == 1:
            return data
        if not 0 < colors <= 64 or not 0 < columns <= len(data) + 64:
            raise ValueError
        name = "apply_tiff_predictor" if kind == 2 else "apply_png_predictor"
        arguments = (colors, columns, bits, data)
        undo = getattr(utilities, name)
        return bytes(undo(*arguments) if kind == 2 else undo(kind, *arguments))


def _before_damage(decoder: Any, data: bytes) -> bytes:
    """Inflate what comes before the damage, at most a step."""
    out = bytearray()
    for k in range(len(data)):
        try:
            out += decoder.decompress(data[k : k + 1], _STEP)
        except zlib.error:
            break
        if len(out) > _STEP:
            break
    return bytes(out)


def _properties(document: Any) -> tuple[str, str]:
    """Return the title and the language that a file declares."""
    title = next((info["Title"] for info in document.info if "Title" in info), b"")
    return text_of(title).strip(), text_of(document.catalog.get("Lang")).strip()


def _pages(source: Source, document: Any, budget: _Budget) -> Iterator[tuple[int, Page]]:
    """Yield each page with the number of its object."""
    reader = PageReader(budget.spend)
    for number, page in _page_objects(source, document):
        contents = resolved(page.get("Contents"))
        parts = map(resolved, contents if isinstance(contents, list) else [contents])
        _note_fields(source, page.get("Annots"))
        rotation = resolved(page.get("Rotate"))
        turn = rotation % 360 if isinstance(rotation, int) else 0
        streams = [*filter(is_stream, parts)]
        yield number, reader.read(streams, page.get("Resources"), turn, _box(page))


def _box(page: dict[str, Any]) -> tuple[float, ...]:
    """Return the rectangle to which a page is cropped; empty where it is not, or without area."""
    given = [number_of(each, 0.0) for each in array(page.get("CropBox"))]
    if len(given) != 4:
        return ()
    (left, right), (low, high) = sorted(given[::2]), sorted(given[1::2])
    return (left, low, right, high) if left < right and low < high else ()


def _note_fields(source: Source, annotations: Any) -> None:
    """Add a note on the text of fields of forms, and on text that was typed onto a page."""
    for each in map(mapping, array(annotations)):
        key = {"FreeText": "Contents", "Widget": "V"}.get(name_of(each.get("Subtype")), "")
        if text_of(each.get(key)).strip():
            source.note("text in forms and typed onto pages of PDF, left out")


def _page_objects(source: Source, document: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the pages of the tree of pages, with values that they inherit."""
    passed: set[int] = set()
    stack: list[Iterator[tuple[Any, Any]]] = [iter([(document.catalog.get("Pages"), {})])]
    count = 0
    while stack:
        following = next(stack[-1], None)
        if following is None:
            stack.pop()
            continue
        reference, inherited = following
        number = getattr(reference, "objid", -1)
        node = resolved(reference)
        if not isinstance(node, dict) or number in passed:
            continue
        # Damaged files have pages among their own descendants: each object is passed once.
        passed.add(number if number >= 0 else -2 - len(passed))
        node = inherited | node
        kids = resolved(node.get("Kids"))
        if isinstance(kids, list):
            if len(stack) > _MOST_LEVELS:
                raise source.error("has pages nested deeper than in any document: save it anew")
            given = {key: node[key] for key in _INHERITED if key in node}
            stack.append(iter([(kid, given) for kid in kids]))
        elif (count := count + 1) > _MOST_PAGES:
            raise source.error(f"has more than {_MOST_PAGES:,} pages: divide it")
        else:
            yield number, node


def _tell_pages(source: Source, pages: list[Page]) -> None:
    """Refuse a file without text; add notes on pages without, and on text that is left out."""
    empty = [k for k, page in enumerate(pages, 1) if not page.fragments]
    if len(empty) == len(pages):
        raise source.error(
            "has no text, only pictures, as scans have: recognise its text first (OCR)"
        )
    scans = [k for k in empty if pages[k - 1].pictures]
    if scans:
        named = few([*map(str, scans)], _MOST_TOLD)
        kind = "pages of PDF that are pictures: recognise their text first (OCR)"
        source.note(kind, f"page {named}", count=len(scans))
    unknown = [sum(each.text.count(UNKNOWN) for each in page.fragments) for page in pages]
    whole = sum(len(each.text) for page in pages for each in page.fragments)
    if sum(unknown) > _MOST_UNKNOWN * whole:
        first = next(k for k, count in enumerate(unknown, 1) if count)
        raise source.error(
            f"has characters that cannot be identified, on page {first} first, since its fonts do "
            f"not name them: recognise its text (OCR), or save it anew in the program that made it"
        )
    if guessed := [k for k, page in enumerate(pages, 1) if page.is_guessed]:
        kind = "pages of PDF in bitmap fonts of TeX, whose letters are taken by the encoding of TeX"
        source.note(kind, f"page {guessed[0]}", count=len(guessed))
    for k, page in enumerate(pages, 1):
        if page.rotated:
            kind = "words of PDF in another direction than their page, left out"
            source.note(kind, f"page {k}", count=page.rotated)
        if page.outside:
            kind = "words of PDF beyond the borders to which their page is cropped, left out"
            source.note(kind, f"page {k}", count=page.outside)
        if unknown[k - 1]:
            kind = "characters of PDF that cannot be identified, by a font without their names"
            source.note(kind, f"page {k}", count=unknown[k - 1])


# Tagged PDF: blocks by the tree of structure that a file declares (ISO 32000-1, section 14.7).


_LEAST_TAGGED = 0.9  # share of the characters that have tags, set by hand
_MOST_TAG_LEVELS = 500  # of the tree, set by hand
_MOST_ROLES = 10  # roles that stand for others in a row, set by hand
_SAME_ROW = 0.45  # sizes between the baselines of one row, at most
_KINDS = {"LI": "item", "TD": "cell", "TH": "cell", "Caption": "cell", "Note": "note"}
_KINDS["FENote"] = "note"
_HEADINGS = {"Title": 1, "H": 1, **{f"H{k}": k for k in range(1, 7)}}
_BLOCKS_NAMES = (
    "P BlockQuote Code Index BibEntry Div Sect Part Art Document DocumentFragment Aside Table "
    "THead TBody TFoot TR L LBody TOC"
)
_BORDERS = frozenset((*_KINDS, *_HEADINGS, *_BLOCKS_NAMES.split()))
_WITHIN = frozenset(("P", *_HEADINGS))  # in which code is a part of a sentence
_LEFT_OUT = frozenset(("Artifact", "Figure", "Formula", "Form", "Annot", "Lbl", "RT", "RP"))
_CONTENTS = "tables of contents, left out"


class _Level(NamedTuple):
    """An open element: the kind of its blocks, and whether a block ends with the element."""

    kind: str
    level: int
    lang: str
    page: int
    depth: int  # of lists
    is_border: bool
    is_table: bool = False
    is_within: bool = False  # whether code in the element is a part of a sentence


def tagged_blocks(
    source: Source, document: Any, pages: Sequence[tuple[int, Page]]
) -> list[Block] | None:
    """Return the blocks by the tags; `None` without tags, or where they lack much of the text."""
    root = resolved(document.catalog.get("StructTreeRoot"))
    if not isinstance(root, dict):
        return None
    reader = _TagReader(source, root, pages)
    reader.follow()
    tagged, whole = reader.characters, reader.whole
    if tagged < _LEAST_TAGGED * whole:
        if tagged:
            source.note("PDF files whose tags lack much of the text, read by the places of words")
        return None
    return reader.blocks()


class _TagReader:
    """Follows the tree, and collects the words of each block."""

    def __init__(self, source: Source, root: Any, pages: Sequence[tuple[int, Page]]) -> None:
        self._source, self._root = source, root
        self._words: dict[tuple[int, int], list[Fragment]] = {}
        self._places: dict[int, int] = {}  # number of an object -> place of the page
        self._reverse = [is_from_right(page.fragments) for _, page in pages]
        self.whole = self.characters = 0
        self._artifacts = 0
        for k, (number, page) in enumerate(pages):
            self._places[number] = k
            for word in page.fragments:
                if word.mark == ARTIFACT:
                    self._artifacts += 1
                    continue
                self.whole += len(word.text)
                self._words.setdefault((k, word.mark), []).append(word)
        self._roles = mapping(root.get("RoleMap"))
        self._block: list[tuple[int, Fragment]] = []
        self._blocks: list[tuple[_Level, list[tuple[int, Fragment]]]] = []
        self._columns = TableColumns()
        self._levels = [_Level("paragraph", 0, "", -1, 0, is_border=True)]

    def follow(self) -> None:
        """Follow the tree, each element once."""
        passed: set[int] = set()
        stack: list[Iterator[Any]] = [self._kids(self._root)]
        while stack:
            kid = next(stack[-1], None)
            if kid is None:
                stack.pop()
                self._end()
                continue
            reference, kid = kid, resolved(kid)
            if isinstance(kid, int):
                self._add(self._levels[-1].page, kid)
                continue
            number = getattr(reference, "objid", id(kid))
            if not isinstance(kid, dict) or number in passed or len(stack) > _MOST_TAG_LEVELS:
                continue
            passed.add(number)
            outer = self._levels[-1]
            page = self._places.get(getattr(kid.get("Pg"), "objid", -1), outer.page)
            if "MCID" in kid:
                mcid = resolved(kid["MCID"])
                if isinstance(mcid, int):
                    self._add(page, mcid)
                continue
            role = self._role(kid)
            if role == "TOC":
                self._source.note(_CONTENTS)
            self._begin(kid, role, page)
            if role in _LEFT_OUT or role == "TOC":
                self._leave_out(self._kids(kid), page)
                self._end()
            else:
                stack.append(self._kids(kid))
        self._end_block()

    def _kids(self, element: Any) -> Iterator[Any]:
        kids = resolved(element.get("K"))
        return iter(kids if isinstance(kids, list) else [] if kids is None else [element["K"]])

    def _role(self, element: Any) -> str:
        name = name_of(element.get("S"))
        for _ in range(_MOST_ROLES):
            if name in _BORDERS or name in _LEFT_OUT or name not in self._roles:
                break
            name = name_of(self._roles[name])
        return name

    def _begin(self, element: Any, role: str, page: int) -> None:
        outer = self._levels[-1]
        depth = outer.depth + (role == "L")
        given = resolved(element.get("Lang"))
        lang = text_of(given) if isinstance(given, bytes) else outer.lang
        kind, level = outer.kind, outer.level
        if role in _HEADINGS:
            kind, level = "heading", _HEADINGS[role]
        elif role in _KINDS:
            kind, level = _KINDS[role], depth if role == "LI" else 0
            if role in {"TD", "TH"}:
                level = self._columns.begin_cell(self._span(element))
        elif role == "Table":
            self._columns.begin_table()
        elif role == "TR":
            self._columns.begin_row()
        is_border = role in _BORDERS and not (role == "Code" and outer.is_within)
        if is_border:
            self._end_block()
        is_within = role in _WITHIN or (outer.is_within and not is_border)
        self._levels.append(
            _Level(kind, level, lang, page, depth, is_border, role == "Table", is_within)
        )

    def _span(self, element: Any) -> int:
        given = resolved(element.get("A"))
        for each in given if isinstance(given, list) else [given]:
            span = resolved(mapping(each).get("ColSpan"))
            if isinstance(span, int) and span > 1:
                return span
        return 1

    def _end(self) -> None:
        if len(self._levels) > 1:
            if self._levels[-1].is_border:
                self._end_block()
            if self._levels.pop().is_table:
                self._columns.end_table()

    def _end_block(self) -> None:
        if self._block:
            self._blocks.append((self._levels[-1], self._block))
            self._block = []

    def _add(self, page: int, mcid: int) -> None:
        for word in self._words.pop((page, mcid), ()):
            self.characters += len(word.text)
            self._block.append((page, word))

    def _leave_out(self, kids: Iterator[Any], page: int) -> None:
        """Count the words of an element that is left out."""
        stack = [(kid, page, 0) for kid in kids]
        while stack:
            kid, page, depth = stack.pop()
            kid = resolved(kid)
            if isinstance(kid, dict) and depth < _MOST_TAG_LEVELS:
                page = self._places.get(getattr(kid.get("Pg"), "objid", -1), page)
                inner = [resolved(kid["MCID"])] if "MCID" in kid else self._kids(kid)
                stack += [(each, page, depth + 1) for each in inner]
            elif isinstance(kid, int):
                for word in self._words.pop((page, kid), ()):
                    self.characters += len(word.text)

    def blocks(self) -> list[Block]:
        """Return the blocks, notes at the end."""
        made = [(level, list(_rows(words, self._reverse))) for level, words in self._blocks]
        words = words_of(row.text for _, rows in made for row in rows)
        out: dict[bool, list[Block]] = {False: [], True: []}
        for level, rows in made:
            text = "\n".join(row.text for row in rows)
            text = without_hyphens(self._source, text, words)
            if text.strip():
                block = Block(level.kind, text, None, level.level, level.lang)
                out[level.kind == "note"].append(block)
        tell_directions(self._source, [row for _, rows in made for row in rows])
        if self._artifacts:
            kind = "running heads and page numbers of PDF, left out"
            self._source.note(kind, count=self._artifacts)
        return [*out[False], *out[True]]


def _rows(words: Sequence[tuple[int, Fragment]], reverse: Sequence[bool]) -> Iterator[Row]:
    """Join words in the order of the file to rows: a row ends where the height changes.

    `reverse` has the direction of each page.
    """
    row: list[Fragment] = []
    row_page = -1
    for page, word in words:
        if row and (page != row_page or abs(word.y - row[0].y) > _SAME_ROW * row[0].size):
            yield from rows_of(row, row_page, is_reverse=reverse[row_page])
            row = []
        row.append(word)
        row_page = page
    if row:
        yield from rows_of(row, row_page, is_reverse=reverse[row_page])
