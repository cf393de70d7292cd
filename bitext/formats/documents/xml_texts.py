"""Texts in XML without marked sentences: Bibles, and TEI.

**Bibles**: OSIS, USX, Zefania, and CES with verses (the parallel corpus of Bibles).

| in the file | is |
| --- | --- |
| `verse`, `VERS`, `seg type="verse"`, from tag to tag or around the text | verses, each a block |
| names of books (Zefania), `title`, `CAPTION`, `para` of headings (USX) | headings |
| other paragraphs outside of verses | paragraphs; no borders within a verse |
| notes, references between verses, pictures, headers | left out, notes with their number |
| other markup of characters | its text |

The reference of a verse is `3:16`, and in a file of several books `GEN 3:16`, with the code of the
book in USFM and USX, whatever the file calls it (`Gen`, `b.GEN`, book 1): so files in two kinds of
XML correspond.

**Source**: OSIS 2.1.1 (CrossWire Bible Society), USX 3.0 (United Bible Societies), Zefania XML of
2005; C. Christodouloupoulos and M. Steedman, A massively parallel corpus: the Bible in 100
languages, Language Resources and Evaluation 49, 2015.

**TEI** (P5, and P4 as `TEI.2`) whose sentences are not marked: novels, plays, letters.

| in the text | is |
| --- | --- |
| `head` by the depth of its division, but of a table, list or figure; `titlePart` | headings |
| `p`, `ab`, lines of verse `l`, `speaker`, `stage`, `opener` and other blocks | paragraphs |
| `item` of lists, `cell` of tables | items, cells |
| `note` | notes after the text; a code where they stand |
| `hi` and `emph` with `rend` (italic, bold ...), `ref target`, `graphic` | codes as of HTML |
| of `choice` the regular form (`reg`, `corr`, `expan`), `unclear`, `supplied`, `add` | text |
| the original in `choice`; `teiHeader`, `del`, `rdg`, `fw`, `figDesc`, page breaks | left out |
| `listBibl` | left out, with a note |

Language and title are those of the header, or `xml:lang` of the text. A file whose first 64 KB have
sentences (`s`), words (`w`) or links is no such text: `formats.opus_documents` and `formats.tei`
read it.

**Source**: TEI P5, chapters 3 (elements in all documents), 4 (structure), 6 (verse), 7 (drama).
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

from bitext.formats.documents.blocks import (
    STYLES,
    XML_LANG,
    Code,
    Document,
    Ending,
    TreeReader,
    end_nothing,
    link_code,
    names_of,
    walk,
    whole_number,
)
from bitext.formats.io.source import Source
from bitext.formats.xml.safe import local_name, whole_tree
from bitext.model.text import BIBLE_BOOKS

_OSIS_BOOKS = (
    "Gen Exod Lev Num Deut Josh Judg Ruth 1Sam 2Sam 1Kgs 2Kgs 1Chr 2Chr Ezra Neh Esth Job Ps Prov "
    "Eccl Song Isa Jer Lam Ezek Dan Hos Joel Amos Obad Jonah Mic Nah Hab Zeph Hag Zech Mal Matt "
    "Mark Luke John Acts Rom 1Cor 2Cor Gal Eph Phil Col 1Thess 2Thess 1Tim 2Tim Titus Phlm Heb Jas "
    "1Pet 2Pet 1John 2John 3John Jude Rev"
)
_OTHER_BOOKS = (  # of the parallel corpus, where they are no codes of USFM
    "SON:SNG EZE:EZK JOE:JOL NAH:NAM MAR:MRK JOH:JHN PHI:PHP JAM:JAS 1JO:1JN 2JO:2JN 3JO:3JN"
)
_CODES = dict(zip(_OSIS_BOOKS.upper().split(), BIBLE_BOOKS, strict=True)) | dict(
    one.split(":") for one in _OTHER_BOOKS.split()
)
_REFERENCE = re.compile(r"(?:b\.)?(\w+)[. ](\d+)[.:](\d+\w*(?:-\d+\w*)?)")
_VERSES = frozenset(("verse", "VERS", "seg"))
_HEADINGS = frozenset(("title", "CAPTION"))
_PARAGRAPHS = frozenset(("p", "para", "l", "lg", "PROLOG"))
_NOTES = frozenset(("note", "NOTE", "XREF", "reference", "figure"))
_LEFT_OUT = frozenset(("header", "cesHeader", "INFORMATION", "book", "MEDIA"))
_USX_HEADINGS = re.compile(r"i?m(?:t|te|s|r)\d?|cl|cd|i?s\d?|r|sr|sp|d|qa")
_USX_LEFT_OUT = re.compile(r"ide|h\d?|toc\w*|rem|sts|restore|lit|periph")


def read(source: Source) -> Document:
    """Read a Bible, or a part of one."""
    tree = whole_tree(source)
    reader = _BibleReader()
    walk(tree, reader)
    reader.end_block()
    blocks = reader.builder.blocks
    if not any(block.kind == "verse" for block in blocks):
        raise source.error("holds no verses with references, as a Bible does")
    if len(reader.books) < 2:
        blocks[:] = [replace(block, label=block.label.rpartition(" ")[2]) for block in blocks]
    return reader.document(source, reader.lang)


class _BibleReader(TreeReader):
    def __init__(self) -> None:
        super().__init__()
        self.books: set[str] = set()
        self.lang = ""
        self._book = self._chapter = ""
        self._is_open = self._in_verse = False  # whether a block is open, and whether it is a verse

    def start(self, element: Any) -> Ending | None:
        """Begin an element; return what ends it, or `None` to leave out what is in it."""
        name = local_name(element)
        get = element.get
        self.lang = self.lang or get(XML_LANG) or (get("lang") if name == "body" else "") or ""
        if name in _LEFT_OUT or (name == "para" and _USX_LEFT_OUT.fullmatch(get("style") or "")):
            if name == "book" and get("code"):
                self._begin_book(get("code"))
            elif (language := element.find(".//{*}language")) is not None:
                self.lang = self.lang or language.get("id") or ""
            return None
        if name in _NOTES:
            self.left_out["notes, references and pictures of Bibles, left out"] += 1
            return None
        if name == "BIBLEBOOK":
            place = whole_number(get("bnumber"), 0)
            named = get("bsname") or get("bnumber") or ""
            is_known = 0 < place <= len(BIBLE_BOOKS)
            self._begin_book(BIBLE_BOOKS[place - 1] if is_known else named)
            self._begin("heading", level=1)
            self.builder.text(get("bname") or "")
            self.end_block()
        elif name in {"chapter", "CHAPTER"}:
            self._chapter = get("number") or get("cnumber") or self._chapter
        ends = False
        if name in _VERSES and (name != "seg" or get("type") == "verse"):
            ends = self._verse_tag(element)
        elif name in _HEADINGS or (name == "para" and _USX_HEADINGS.fullmatch(get("style") or "")):
            self._begin("heading", level=1)
            ends = True
        elif name in _PARAGRAPHS and self._in_verse:
            self.builder.text("\n")
        elif name in _PARAGRAPHS:
            self._begin("paragraph")
            ends = True
        return partial(self._end, name) if ends else end_nothing

    def _end(self, name: str) -> None:
        # A verse that an empty element has begun continues after the paragraph.
        if not self._in_verse or name in _VERSES:
            self.end_block()

    def end_block(self) -> None:
        """End the block that is open."""
        if self._is_open:
            self.builder.end()
        self._is_open = self._in_verse = False

    def _begin(self, kind: str, *, level: int = 0, label: str = "") -> None:
        self.end_block()
        self.builder.begin(kind, level=level, label=label)
        self._is_open, self._in_verse = True, kind == "verse"

    def _verse_tag(self, element: Any) -> bool:
        """Begin or end a verse; return whether the end of the element ends it."""
        get = element.get
        if get("eID") or get("eid"):
            self.end_block()
            return False
        named = get("osisID") or get("sid") or get("id") or ""
        match = _REFERENCE.match(named)
        if match:
            self._begin_book(match[1])
            label = f"{match[2]}:{match[3]}"
            last = _REFERENCE.match(named.split()[-1]) if " " in named and get("osisID") else None
            label += f"-{last[3]}" if last else ""
        elif number := get("number") or get("vnumber"):
            label = f"{self._chapter}:{number}"
        else:
            return False
        self._begin("verse", label=f"{self._book} {label}")
        is_empty = not len(element) and not (element.text or "").strip()
        return not (is_empty and (get("sID") or get("sid") or get("number")))

    def _begin_book(self, name: str) -> None:
        code = _CODES.get(name.upper(), name.upper())
        if code != self._book:
            self.end_block()
            self._book = code
            self.books.add(code)


_PARAGRAPHS_OF_TEI = names_of(
    "p ab l speaker stage opener closer salute signed dateline byline argument trailer epigraph "
    "postscript docAuthor docDate docEdition docImprint imprimatur"
)
_PARTS_OF_TEI = frozenset(("figure", "list", "table"))  # whose heads begin no section
_LEFT_OUT_OF_TEI = names_of("teiHeader del rdg fw figDesc pb cb gb milestone anchor index listBibl")
_ORIGINALS = frozenset(("sic", "orig", "abbr"))  # left out in `choice`
_RENDERED = {
    "italic": "italic", "i": "italic", "bold": "bold", "b": "bold", "sup": "superscript",
    "superscript": "superscript", "sub": "subscript", "subscript": "subscript",
    "underline": "underline", "u": "underline", "strike": "strike",
}  # fmt: skip
_MOST_LEVELS = 6  # of headings


def read_tei(source: Source) -> Document:
    """Read a text."""
    tree = whole_tree(source)
    reader = _TeiReader()
    walk(tree, reader)
    for note in reader.notes:
        inner = _TeiReader(in_note=True)
        inner.builder.begin("note")
        walk(note, inner)
        inner.builder.end()
        reader.builder.blocks.extend(inner.builder.blocks)
    if lists := sum(1 for _ in tree.iterfind("{*}text//{*}listBibl")):
        source.note("lists of literature, left out", count=lists)
    header = tree.find("{*}teiHeader")
    title = lang = ""
    if header is not None:
        title = header.findtext("{*}fileDesc/{*}titleStmt/{*}title") or ""
        named = header.find("{*}profileDesc/{*}langUsage/{*}language")
        lang = "" if named is None else named.get("ident") or named.get("id") or ""
    places = (tree.find("{*}text"), tree)
    declared = [each.get(XML_LANG) or each.get("lang") for each in places if each is not None]
    lang = next(filter(None, declared), lang)
    return reader.document(source, lang, title)


class _TeiReader(TreeReader):
    def __init__(self, *, in_note: bool = False) -> None:
        super().__init__()
        self.notes: list[Any] = []
        self._in_note = in_note
        self._depth = 0  # of divisions
        self._blocks = 0  # open elements that are blocks

    def start(self, element: Any) -> Ending | None:
        """Begin an element; return what ends it, or `None` to leave out what is in it."""
        name, builder = local_name(element), self.builder
        parent = element.getparent()
        is_original = name in _ORIGINALS and parent is not None and local_name(parent) == "choice"
        if name in _LEFT_OUT_OF_TEI or is_original:
            return None
        if name == "note" and not self._in_note:
            builder.code("<note/>", "fnote")
            self.notes.append(element)
        elif name == "graphic":
            builder.code("<img/>", "image")
        elif name == "lb":
            builder.text("\n" * (element.get("break") != "no"))
        else:
            return self._start_block(element, name)
        return None

    def _start_block(self, element: Any, name: str) -> Ending:
        """Begin an element that has text; return what ends it."""
        builder, lang = self.builder, element.get(XML_LANG) or element.get("lang") or ""
        is_amid = name == "stage" and self._blocks > 0
        parent = element.getparent()
        of_part = name == "head" and parent is not None and local_name(parent) in _PARTS_OF_TEI
        if of_part:
            builder.begin("cell" if local_name(parent) == "table" else "", lang=lang)
        elif name in {"head", "titlePart"}:
            level = min(max(self._depth, 1), _MOST_LEVELS)
            builder.begin("" if self._in_note else "heading", level=level, lang=lang)
        elif name.startswith("div"):
            self._depth += 1
            builder.begin("", lang=lang)
            return self._end_division
        elif name in _PARAGRAPHS_OF_TEI and not is_amid:
            builder.begin("", lang=lang)
        elif name == "item":
            depth = sum(1 for _ in element.iterancestors("{*}list"))
            builder.begin("item", level=max(depth, 1), lang=lang)
        elif name == "cell":
            column = self.columns.begin_cell(whole_number(element.get("cols"), 1))
            builder.begin("cell", level=column, lang=lang)
        elif name == "table":
            self.columns.begin_table()
            return self.columns.end_table
        elif name == "row":
            self.columns.begin_row()
            return end_nothing
        else:
            code = _code_of(element, name)
            if code is None:
                return end_nothing
            builder.open(code)
            return builder.close
        self._blocks += 1
        return self._end_block

    def _end_division(self) -> None:
        self._depth -= 1
        self.builder.end()

    def _end_block(self) -> None:
        self._blocks -= 1
        self.builder.end()


def _code_of(element: Any, name: str) -> Code | None:
    """Return the code of highlighted characters and references; `None` for other elements."""
    if name in {"hi", "emph"}:
        rendered = (element.get("rend") or "italic" * (name == "emph")).lower().split()
        styles = (_RENDERED.get(word.removesuffix("s")) for word in rendered)  # `italics`
        style = next(filter(None, styles), None)
        return STYLES[style] if style else None
    if name == "ref" and element.get("target"):
        return link_code(element.get("target"))
    return None
