"""Cells and paragraphs of bilingual documents in Word, read into segments with their codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from bitext.errors import InputError
from bitext.formats.books.docx_writing import BREAK, CODE, CODES, DIVIDER, EMPTY, LABEL, RETURN
from bitext.formats.documents.archive import Archive
from bitext.formats.documents.blocks import FORMULAS, STYLES, Code, link_code, note_code
from bitext.formats.documents.docx import (
    REMOVED,
    RUN_CODES,
    SYMBOLS,
    Fields,
    add_reading,
    add_symbol,
    alternative_of,
    characters_of,
    child_of,
    is_on,
    property_of,
    style_hides,
    symbol_of,
    value_of,
)
from bitext.formats.io.source import Source
from bitext.formats.xml.inline_codes import Piece, marked, pieces
from bitext.formats.xml.safe import local_name

Segment = tuple[str, str | None]  # its characters, and its XML with codes


def blocks_of(element: Any) -> Iterator[Any]:
    """Yield the paragraphs and tables of a body, also those in content controls."""
    for child in element:
        name = local_name(child)
        if name in {"p", "tbl"}:
            yield child
        elif name == "sdt":  # except for a table of contents
            if child_of(child_of(child, "sdtPr"), "docPartObj") is None:
                yield from blocks_of(child)
        elif name in {"sdtContent", "ins", "moveTo", "customXml"}:
            yield from blocks_of(child)


class Style(NamedTuple):
    """A style."""

    name: str
    codes: tuple[Code, ...]  # the codes of its characters
    is_heading: bool  # whether it is a style of headings or titles
    is_code: bool  # whether it is the style of codes
    is_hidden: bool  # whether it hides its text


_VERTICAL = {name: STYLES[name] for name in ("superscript", "subscript")}
_NAMED = {
    "strong": Code("bold", "<strong>", "</strong>"),
    "emphasis": Code("italic", "<em>", "</em>"),
}
_ORDER = (*_NAMED.values(), *STYLES.values())  # of nesting
_HEADING = re.compile(r"heading \d|title|subtitle")
_LABELS = re.compile(r"‹(/?)(?:[a-z-]+ )?(\d+)(/?)›|([∅␍])")


def styles_by_id(tree: Any) -> dict[str, Style]:
    """Return the styles of a document by their ids."""
    if tree is None:
        return {}
    styles = {}
    given = {value_of(each, "styleId"): each for each in tree if local_name(each) == "style"}
    for key, each in given.items():
        name = property_of(each, "name")
        codes: tuple[Code, ...] = ()
        if value_of(each, "type") == "character":
            known = _NAMED.get(name.lower())
            codes = (known,) if known else _formatting(child_of(each, "rPr"))
        heading = _HEADING.fullmatch(name.lower()) is not None
        styles[key] = Style(name, codes, heading, name == CODE, style_hides(key, given))
    return styles


def _formatting(properties: Any) -> tuple[Code, ...]:
    """Return the codes of the properties of a run."""
    if properties is None:
        return ()
    codes = [
        code for each in properties if (code := RUN_CODES.get(local_name(each))) and is_on(each)
    ]
    raised = _VERTICAL.get(property_of(properties, "vertAlign"))
    return (*codes, raised) if raised else tuple(codes)


def read_codes(archive: Archive) -> dict[str, tuple[Piece, Piece | None]]:
    """Return the codes that labels stand for, by their numbers: alone, or a pair."""
    codes: dict[str, tuple[Piece, Piece | None]] = {}
    for name in sorted(archive.names):
        if not re.fullmatch(r"customXml/item\d+\.xml", name):
            continue
        tree = archive.tree(name)
        if tree is None or tree.tag != f"{{{CODES}}}codes":
            continue
        for each in tree:
            begin, end = each.get("begin", ""), each.get("end", "")
            try:
                first = next(pieces(f"{begin}</hi>" if begin.startswith("<hi") else begin), None)
                last = next(pieces(end), None) if end and end != "</hi>" else None
            except InputError:
                continue
            if first is not None:
                codes[each.get("n", "")] = (first, Piece("/hi") if end == "</hi>" else last)
    return codes


_HIDDEN = "hidden text, left out"
_NOTES = "notes of documents, left out of tables"
_BOXES = "text boxes, left out of tables"
_UNKNOWN = "labels of codes that the document does not explain, read as codes of their own"


class CellReader:
    """Reads cells into segments."""

    def __init__(
        self,
        targets: Mapping[str, str],
        styles: Mapping[str, Style],
        codes: Mapping[str, tuple[Piece, Piece | None]],
    ) -> None:
        self._targets, self._styles, self._codes = targets, styles, codes
        self._left_out: Counter[str] = Counter()
        self._is_hidden = False  # by the style of the paragraph

    def tell(self, source: Source) -> None:
        """Add notes on the omitted parts."""
        for kind, count in self._left_out.items():
            source.note(kind, count=count)

    def is_deleted(self, cell: Any) -> bool:
        """Return True for a cell deleted by a tracked change, and count it."""
        gone = child_of(child_of(cell, "tcPr"), "cellDel") is not None
        if gone:
            self._left_out[REMOVED] += 1
        return gone

    def read(self, cell: Any, *, strip: bool = False) -> list[Segment]:
        """Return the segments of a cell: its paragraphs with visible characters."""
        segments: list[Segment] = []
        builder: _SegmentBuilder | None = None
        for paragraph in blocks_of(cell):
            builder = builder or _SegmentBuilder(self._codes, self._left_out)
            self._inline(paragraph, builder, ())
            mark = child_of(child_of(paragraph, "pPr"), "rPr")
            if child_of(mark, "del") is not None or child_of(mark, "moveFrom") is not None:
                self._left_out[REMOVED] += 1
                continue  # the next paragraph continues with this one
            if (segment := builder.segment(strip=strip)) is not None:
                segments.append(segment)
            builder = None
        if builder is not None and (segment := builder.segment(strip=strip)) is not None:
            segments.append(segment)
        return segments

    def read_divided(self, paragraph: Any) -> list[Segment | None]:
        """Return the segments of a paragraph between dividers; `None` without characters."""
        builder = _SegmentBuilder(self._codes, self._left_out)
        self._inline(paragraph, builder, ())
        return [*builder.divided, builder.segment(strip=True)]

    def _inline(  # noqa: C901 - a list of elements
        self, element: Any, builder: _SegmentBuilder, links: tuple[Code, ...]
    ) -> None:
        """Read the runs of an element, and of elements around runs."""
        if local_name(element) == "p":
            named = self._styles.get(property_of(child_of(element, "pPr"), "pStyle"))
            self._is_hidden = named is not None and named.is_hidden
        for child in element:
            name = local_name(child)
            if name == "r":
                self._run(child, builder, links)
            elif name in {"del", "moveFrom"}:
                self._left_out[REMOVED] += 1
            elif name in {"ins", "moveTo"}:
                self._left_out[REMOVED] += 1
                self._inline(child, builder, links)
            elif name == "hyperlink":
                place = self._targets.get(value_of(child, "id")) or f"#{value_of(child, 'anchor')}"
                self._inline(child, builder, (*links, link_code(place)))
            elif name == "sdt":
                if child_of(child_of(child, "sdtPr"), "showingPlcHdr") is None:
                    self._inline(child, builder, links)
            elif name == "AlternateContent":
                if (read := alternative_of(child)) is not None:
                    self._inline(read, builder, links)
            elif name == "oMath":
                self._left_out[FORMULAS] += 1
                builder.code(f"<math>{characters_of(child)}</math>", "x-math")
            elif name in _AROUND:
                self._inline(child, builder, links)

    def _run_style(self, properties: Any, *, is_link: bool) -> tuple[tuple[Code, ...], bool] | None:
        """Return the formatting of a run, and whether it holds labels; `None` for hidden text."""
        if properties is None or not len(properties):
            return None if self._is_hidden else ((), False)
        style = self._styles.get(property_of(properties, "rStyle"))
        vanish = child_of(properties, "vanish")
        hidden = self._is_hidden or (style is not None and style.is_hidden)
        hidden = hidden if vanish is None else is_on(vanish)
        if hidden or is_on(child_of(properties, "webHidden")):
            return None
        codes = _formatting(properties)
        if style is not None:
            codes = (*style.codes, *codes)
        if is_link:  # links are underlined anyway
            codes = tuple(code for code in codes if code != STYLES["underline"])
        if len(codes) > 1:
            codes = tuple(sorted(set(codes), key=_ORDER.index))
        return codes, style is not None and style.is_code

    def _run(self, run: Any, builder: _SegmentBuilder, links: tuple[Code, ...]) -> None:
        """Read a run: its properties, then its characters and codes."""
        properties = child_of(run, "rPr")
        named = self._styles.get(property_of(properties, "rStyle"))
        if named is not None and named.name in {DIVIDER, LABEL}:
            _read_own(run, builder, divides=named.name == DIVIDER)
            return
        style = self._run_style(properties, is_link=bool(links))
        if style is None:
            self._left_out[_HIDDEN] += 1
            for each in run.iterchildren("{*}fldChar"):
                builder.field(each)
            return
        codes, is_code = style
        builder.style((*links, *codes), is_code=is_code)
        self._characters(run, builder, links)

    def _characters(  # noqa: C901 - a list of elements
        self, run: Any, builder: _SegmentBuilder, links: tuple[Code, ...]
    ) -> None:
        """Read the characters and codes of a run, or of an alternative in it."""
        for child in run:
            name = local_name(child)
            if name == "t":
                builder.text(child.text or "")
            elif name in _CHARACTERS:
                builder.text(_CHARACTERS[name])
            elif name == "br":
                if value_of(child, "type") in {"page", "column"}:
                    builder.text(" ")
                else:
                    builder.piece(BREAK)
                    builder.text(" ")
            elif name == "fldChar":
                builder.field(child)
            elif name in {"drawing", "pict", "object"}:
                if any(map(characters_of, child.iter("{*}txbxContent"))):
                    self._left_out[_BOXES] += 1
                builder.code("<img/>", "image")
            elif name in {"sym", "symEx"}:
                if not add_symbol(builder, child):
                    self._left_out[SYMBOLS] += 1
            elif name == "AlternateContent":
                if (read := alternative_of(child)) is not None:
                    self._characters(read, builder, links)
            elif name == "ruby":
                for base in child.iterchildren("{*}rubyBase"):
                    self._inline(base, builder, links)
                add_reading(builder, child)
            elif name in {"footnoteReference", "endnoteReference"}:
                self._left_out[_NOTES] += 1
                builder.code(note_code(value_of(child, "id")), "fnote")


# Documents that Trados or Wordfast translated, before they are cleaned.

_TRADOS = re.compile(r"\{0>(.*?)<\}(\d{1,3})\{>(.*?)<0\}", re.DOTALL)
_TRADOS_MARK = re.compile(r"\{0>|<\}\d{1,3}\{>|<0\}")


def trados_segments(source: Source, bodies: Iterable[Any]) -> list[tuple[str, str, str]]:
    """Return source, target and match of the segments of Trados; none in other documents.

    `bodies` are the text of the document and its notes.

    A segment is `{0>source<}match{>target<0}`, whose source and marks are hidden text. Text outside
    of segments, and marks that form none, are noted.
    """
    segments: list[tuple[str, str, str]] = []
    outside: Counter[str] = Counter()
    for text in chain.from_iterable(map(_paragraph_texts, bodies)):
        found = [(src, tgt, match) for src, match, tgt in _TRADOS.findall(text)]
        segments += [each for each in found if each[0].strip() or each[1].strip()]
        rest = _TRADOS.sub(" ", text)
        outside["marks of Trados that form no segment, left out"] += len(_TRADOS_MARK.findall(rest))
        outside["paragraphs with text outside of segments, left out"] += bool(rest.strip())
    if segments:
        kind = "documents with segments of Trados ({0>...<}100{>...<0}), read without formatting"
        source.note(kind)
        for kind, count in outside.items():
            if count:
                source.note(kind, count=count)
    return segments


def plain_text(element: Any) -> str:
    """Return the characters of a cell or paragraph on one line, with blanks between its lines."""
    return " ".join(" ".join(_paragraph_texts(element)).replace("\u00ad", "").split())


def _paragraph_texts(element: Any) -> Iterator[str]:
    for paragraph in element.iter("{*}p"):
        # A text box stands in the fallback once more, for old programs.
        if next(paragraph.iterancestors("{*}Fallback"), None) is None:
            yield "".join(_all_characters(paragraph))


def _all_characters(element: Any) -> Iterator[str]:
    """Yield the characters of a paragraph, hidden ones too, without those of inner paragraphs."""
    for child in element:
        name = local_name(child)
        if name == "t":
            yield child.text or ""
        elif name in _CHARACTERS:
            yield _CHARACTERS[name]
        elif name == "br":
            yield " "
        elif name in {"sym", "symEx"}:
            yield symbol_of(child)
        elif name == "AlternateContent":
            if (read := alternative_of(child)) is not None:
                yield from _all_characters(read)
        elif name not in {"del", "moveFrom", "pPr", "rPr", "p", "tabs", "rt"}:
            yield from _all_characters(child)


def _read_own(run: Any, builder: _SegmentBuilder, *, divides: bool) -> None:
    """Read a divider between titles, or the number of a block, and text written into it."""
    text = characters_of(run)
    builder.style((), is_code=False)
    if divides and "·" in text:
        before, _, text = text.partition("·")
        builder.text(before.removesuffix(" "))
        builder.divide()
        text = text.removeprefix(" ")
    elif not divides:
        is_item = any(local_name(each) == "tab" for each in run)
        text = (_ITEM if is_item else _NUMBER).sub("", text, count=1)
    builder.text(text)


_NUMBER = re.compile(r"^[0-9:.,*-]{0,12}\u00a0?")  # before a note or verse
_ITEM = re.compile(r"^[^ \t\r\n\u00a0]{0,300}\u00a0")  # the number of an item, before a tab
_AROUND = frozenset((
    "sdtContent", "smartTag", "customXml", "fldSimple", "dir", "bdo", "oMathPara",
))  # fmt: skip
_CHARACTERS = {
    "tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad",
}  # fmt: skip


class _SegmentBuilder:
    def __init__(
        self, codes: Mapping[str, tuple[Piece, Piece | None]], left_out: Counter[str]
    ) -> None:
        self._codes, self._left_out = codes, left_out
        self.divided: list[Segment | None] = []  # segments before dividers
        self._pieces: list[Piece] = []
        self._opened: list[tuple[Code, int]] = []  # formatting, with the index of its piece
        self._labels = ""  # characters in the style of labels that were not read yet
        self._is_code = False
        self._is_kept = False  # whether it is a segment also without characters
        self._fields = Fields()

    def style(self, codes: tuple[Code, ...], *, is_code: bool) -> None:
        """End and begin formatting, so that that of the next characters is `codes`."""
        if self._labels and not is_code:
            self._read_labels()
        if self._labels and tuple(code for code, _ in self._opened) != codes:
            self._read_labels()
        self._is_code = is_code
        same = 0
        while same < min(len(self._opened), len(codes)) and self._opened[same][0] == codes[same]:
            same += 1
        self._close(same)
        for code in codes[same:]:
            self._opened.append((code, len(self._pieces)))
            self._pieces.append(Piece("bpt", code.begin, {"i": "", "type": code.type}))

    def _close(self, depth: int) -> None:
        """End the formatting within the first `depth`; formatting of nothing leaves no codes."""
        while len(self._opened) > depth:
            code, index = self._opened.pop()
            if index == len(self._pieces) - 1:
                self._pieces.pop()
            else:
                key = f"style {index}"
                self._pieces[index] = Piece("bpt", code.begin, {"i": key, "type": code.type})
                self._pieces.append(Piece("ept", code.end, {"i": key}))

    def text(self, characters: str) -> None:
        """Add characters, unless they are the instruction of a field."""
        if not characters or not self._fields.is_shown:
            return
        if self._is_code:
            self._labels += characters
        else:
            self._pieces.append(Piece("text", characters))

    def field(self, element: Any) -> None:
        """Begin a field, its result, or end it; add the text that is chosen in a list."""
        if chosen := self._fields.follow(element):
            self.piece(Piece("text", chosen))

    def divide(self) -> None:
        """End a segment within the paragraph."""
        self.divided.append(self.segment(strip=True))
        self._pieces, self._is_kept = [], False

    def code(self, native: str, kind: str) -> None:
        """Add a code that stands alone."""
        self.piece(Piece("ph", native, {"type": kind}))

    def piece(self, piece: Piece) -> None:
        """Add a piece."""
        if self._labels:
            self._read_labels()
        self._pieces.append(piece)

    def _read_labels(self) -> None:
        """Turn labels into codes; other characters in their style are text."""
        labels, self._labels = self._labels, ""
        at = 0
        for match in _LABELS.finditer(labels):
            if match.start() > at:
                self._pieces.append(Piece("text", labels[at : match.start()]))
            at = match.end()
            ends, number, alone, sign = match.groups()
            if sign:
                self._is_kept |= sign == EMPTY
                if sign == RETURN:
                    self._pieces.append(Piece("text", "\r"))
                continue
            pair = self._codes.get(number)
            if pair is None:
                self._left_out[_UNKNOWN] += 1
                self._pieces.append(Piece("ph", match[0]))
                continue
            begin, end = pair
            piece = end if ends and end is not None and not alone else begin
            self._pieces.append(piece._replace(attributes={**piece.attributes, "": number}))
        if at < len(labels):
            self._pieces.append(Piece("text", labels[at:]))

    def segment(self, *, strip: bool) -> Segment | None:
        """Return the segment; `None` without visible characters and codes."""
        if self._labels:
            self._read_labels()
        self._close(0)
        made = self._pieces
        if all(piece.kind == "text" for piece in made):
            text = "".join(piece.text for piece in made)
            if strip:
                text = text.strip()
            return (text, None) if text.strip() or self._is_kept else None
        made = _paired(made)
        text = "".join(piece.text for piece in made if piece.kind == "text")
        return text, marked(made)


def _paired(made: Sequence[Piece]) -> list[Piece]:
    """Give each pair of codes a number of its own in the segment; half of a pair becomes `it`."""
    taken = {
        piece.attributes["i"] for piece in made
        if "" in piece.attributes and piece.attributes.get("i", "")
    }  # fmt: skip
    used: set[str] = set()
    number = 0
    opened: dict[str, list[tuple[int, str]]] = {}
    out: list[Piece] = []
    marks: list[int] = []  # indices of open highlighting
    for piece in made:
        values = {key: value for key, value in piece.attributes.items() if key}
        key = piece.attributes.get("", values.get("i", ""))
        if piece.kind == "bpt":
            i = values["i"]
            if i in used or " " in i:
                while str(number := number + 1) in taken | used:
                    pass
                i = str(number)
            used.add(i)
            opened.setdefault(key, []).append((len(out), i))
            out.append(piece._replace(attributes={**values, "i": i}))
        elif piece.kind == "ept" and opened.get(key):
            out.append(piece._replace(attributes={"i": opened[key].pop()[1]}))
        elif piece.kind == "ept":
            out.append(Piece("it", piece.text, {"pos": "end"}, piece.inner))
        elif piece.kind == "hi":
            marks.append(len(out))
            out.append(piece._replace(attributes=values))
        elif piece.kind == "/hi" and not marks:
            continue
        else:
            if piece.kind == "/hi":
                marks.pop()
            out.append(piece._replace(attributes=values))
    for index, _ in chain.from_iterable(opened.values()):
        values = {key: value for key, value in out[index].attributes.items() if key != "i"}
        out[index] = out[index]._replace(kind="it", attributes={"pos": "begin", **values})
    return [piece for k, piece in enumerate(out) if k not in marks]
