"""Cells and paragraphs of bilingual documents in Word, read into segments with their codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from bitext.errors import InputError
from bitext.formats.books.docx_writing import BREAK, CODE, CODES, DIVIDER, EMPTY, LABEL, RETURN
from bitext.formats.documents.archive import Archive
from bitext.formats.documents.blocks import Code, note_code, note_counts
from bitext.formats.documents.docx_runs import (
    REMOVED,
    Inline,
    Runs,
    characters_of,
    child_of,
    is_deleted,
    is_read,
    joined_by,
    property_of,
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
        elif name in _AROUND or (name == "sdt" and is_read(child, Counter())):
            yield from blocks_of(child)


_AROUND = frozenset(("sdtContent", "ins", "moveTo", "customXml"))  # elements around blocks


_LABELS = re.compile(r"‹(/?)(?:[a-z-]+ )?(\d+)(/?)›|([∅␍])")


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


_NOTES = "notes of documents, left out of tables"
_BOXES = "text boxes, left out of tables"
_UNKNOWN = "labels of codes that the document does not explain, read as codes of their own"


class CellReader:
    """Reads cells into segments."""

    def __init__(
        self,
        targets: Mapping[str, str],
        styles: Mapping[str, Any],
        codes: Mapping[str, tuple[Piece, Piece | None]],
    ) -> None:
        self._codes = codes
        self._runs = Runs(styles)
        self._left_out = self._runs.left_out
        self._runs.targets = targets

    def tell(self, source: Source) -> None:
        """Add notes on the omitted parts."""
        note_counts(source, self._left_out)

    def is_deleted(self, cell: Any) -> bool:
        """Return True for a cell deleted by a tracked change, and count it."""
        gone = is_deleted(cell)
        self._left_out[REMOVED] += gone
        return gone

    def read(self, cell: Any, *, strip: bool = False) -> list[Segment]:
        """Return the segments of a cell: its paragraphs with visible characters."""
        segments: list[Segment] = []
        builder: _SegmentBuilder | None = None
        for paragraph in blocks_of(cell):
            builder = builder or _SegmentBuilder(self._codes, self._left_out)
            self._read_paragraph(paragraph, builder)
            if joined := joined_by(paragraph):
                self._left_out[REMOVED] += joined == REMOVED
                continue  # the next paragraph continues with this one
            if (segment := builder.segment(strip=strip)) is not None:
                segments.append(segment)
            builder = None
        self._runs.fields.end()
        if builder is not None and (segment := builder.segment(strip=strip)) is not None:
            segments.append(segment)
        return segments

    def read_divided(self, paragraph: Any) -> list[Segment | None]:
        """Return the segments of a paragraph between dividers; `None` without characters."""
        builder = _SegmentBuilder(self._codes, self._left_out)
        self._read_paragraph(paragraph, builder)
        self._runs.fields.end()
        return [*builder.divided, builder.segment(strip=True)]

    def _read_paragraph(self, paragraph: Any, builder: _SegmentBuilder) -> None:
        for part in self._runs.of(paragraph, property_of(child_of(paragraph, "pPr"), "pStyle")):
            if part.style in {DIVIDER, LABEL}:
                builder.style((), is_code=False)
                _read_own(part, builder)
                continue
            builder.style(part.codes, is_code=part.style == CODE)
            match part.kind:
                case "text":
                    builder.text(part.value)
                case "break" if part.value == "cr":
                    builder.text("\n")
                case "break":
                    builder.piece(BREAK)
                    builder.text(" ")
                case "boxes":
                    self._left_out[_BOXES] += any(map(characters_of, part.value))
                    builder.code("<img/>", "image")
                case "note":
                    self._left_out[_NOTES] += 1
                    builder.code(note_code(part.value), "fnote")
                case kind:
                    builder.code(part.value, kind)


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
    bodies = [*bodies]
    if not any("{" in (each.text or "") for body in bodies for each in body.iter("{*}t")):
        return segments  # the usual case, and fast
    for text in chain.from_iterable(map(_paragraph_texts, bodies)):
        found = [(src, tgt, match) for src, match, tgt in _TRADOS.findall(text)]
        segments += [each for each in found if each[0].strip() or each[1].strip()]
        rest = _TRADOS.sub(" ", text)
        outside["marks of Trados that form no segment, left out"] += len(_TRADOS_MARK.findall(rest))
        outside["paragraphs with text outside of segments, left out"] += bool(rest.strip())
    if segments:
        kind = "documents with segments of Trados ({0>...<}100{>...<0}), read without formatting"
        source.note(kind)
        note_counts(source, outside)
    return segments


def plain_text(element: Any) -> str:
    """Return the characters of a cell or paragraph on one line, with blanks between its lines."""
    return " ".join(" ".join(_paragraph_texts(element)).replace("\u00ad", "").split())


def _paragraph_texts(element: Any) -> Iterator[str]:
    """Yield the characters of each paragraph, hidden ones too."""
    runs = Runs({}, plain=True)
    for paragraph in element.iter("{*}p"):
        # A text box stands in the fallback once more, for old programs.
        if next(paragraph.iterancestors("{*}Fallback"), None) is None:
            parts = runs.of(paragraph, "")
            shown = (
                " " if part.kind == "break" else part.value for part in parts if part.kind in _TEXT
            )
            yield "".join(shown)


_TEXT = frozenset(("text", "break"))


def _read_own(part: Inline, builder: _SegmentBuilder) -> None:
    """Read a divider between titles, or the number of a block, and text written into it."""
    text = part.value if part.kind == "text" else ""
    if part.style == DIVIDER and "·" in text:
        before, _, text = text.partition("·")
        builder.text(before.removesuffix(" "))
        builder.divide()
        text = text.removeprefix(" ")
    elif part.style == LABEL:
        text = (_ITEM if "\t" in text else _NUMBER).sub("", text, count=1).replace("\t", "")
    builder.text(text)


_NUMBER = re.compile(r"^[0-9:.,*-]{0,12}\u00a0?")  # before a note or verse
_ITEM = re.compile(r"^[^ \t\r\n\u00a0]{0,300}\u00a0")  # the number of an item, before a tab


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

    def style(self, codes: tuple[Code, ...], *, is_code: bool) -> None:
        """End and begin formatting, so that that of the next characters is `codes`."""
        if not is_code or tuple(code for code, _ in self._opened) != codes:
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
        """Add characters."""
        if self._is_code:
            self._labels += characters
        else:
            self._pieces.append(Piece("text", characters))

    def divide(self) -> None:
        """End a segment within the paragraph."""
        self.divided.append(self.segment(strip=True))
        self._pieces, self._is_kept = [], False

    def code(self, native: str, kind: str) -> None:
        """Add a code that stands alone."""
        self.piece(Piece("ph", native, {"type": kind}))

    def piece(self, piece: Piece) -> None:
        """Add a piece."""
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
