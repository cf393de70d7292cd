"""HTML pages, alone, in web archives (MHTML), in messages of e-mail, and in EPUB books.

| elements | kind of block |
| --- | --- |
| `h1` to `h6`, `[role=heading]` | heading, with its level |
| `li`, `dt`, `dd` | item |
| `td`, `th`, `caption` | cell |
| notes by `role` or `epub:type` (`doc-footnote`, `footnote`), of Word and LibreOffice | note |
| other blocks, and text between blocks | paragraph |

Two line breaks (`br`) in a row end a paragraph, and so does an empty line in `pre`. Scripts,
styles, fields of forms and hidden elements are left out. The readings of ruby characters become
codes. Links are codes, and never followed.

A web archive, as browsers save pages, is a message with the page, its pictures and its style sheets
as parts. Only the first part that is a page is read. A message of e-mail has its subject as a
heading, and its page, else its plain text.

Of books in EPUB, versions 2 and 3, the pages of the spine are read in order. Tables of contents
(`nav`, or `toc` of the guide of EPUB 2) are left out, unless their pages have other text as well,
as where a book is one page. A book whose pages are encrypted (DRM) is refused; obfuscated fonts are
of no concern.
"""

from __future__ import annotations

import codecs
import email.policy
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from email.parser import BytesParser
from functools import partial
from html.entities import html5
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError, OptionError
from bitext.formats.documents.archive import Archive, part_of, resolve
from bitext.formats.documents.blocks import (
    COMMENTS,
    FORMULAS,
    HEADS,
    ITEM_NUMBER,
    XML_LANG,
    BlockBuilder,
    Code,
    Document,
    Ending,
    TreeReader,
    end_nothing,
    list_number,
    names_of,
    read_bytes,
    walk,
    whole_number,
)
from bitext.formats.io.encodings import check_encoding, is_utf_8, mark_of, name_encoding
from bitext.formats.io.source import Source
from bitext.formats.xml import escape_value
from bitext.formats.xml.safe import local_name, text_of, whole_tree

if TYPE_CHECKING:
    from email.message import Message

_HEADINGS = {f"h{k}": k for k in range(1, 7)}
_ITEMS = frozenset(("li", "dt", "dd"))
_QUOTATION_MARKS = frozenset('"«»‹›“”„‟‘‚「『')
_LISTS = frozenset(("ul", "ol", "dl", "menu", "dir"))
_CELLS = frozenset(("td", "th", "caption"))
_INTEGER = re.compile(r"-?\d{1,4}", re.ASCII)
_LIST_STYLE = re.compile(r"(?:^|[;\s])list-style(?:-type)?\s*:([^;]*)", re.IGNORECASE)
_UNNUMBERED = frozenset(("none", "disc", "circle", "square"))
# Styles of numbers in CSS, as the types of lists in HTML.
_ORDERED = {
    "decimal": "1", "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A",
    "upper-latin": "A", "lower-roman": "i", "upper-roman": "I", "decimal-leading-zero": "01",
}  # fmt: skip
_BLOCKS = names_of(
    "address article aside blockquote body center details dialog dir div dl fieldset "
    "figcaption figure footer form header hgroup hr html legend main menu nav ol p pre search "
    "section summary table tbody tfoot thead tr ul"
)
# Without text of the page: `del` is what was deleted, `template`, `noscript` and `case` (of EPUB)
# are shown in other cases only.
_LEFT_OUT = names_of(
    "del head script style template noscript textarea select option datalist input button canvas "
    "audio video object embed iframe map area applet frameset noframes case"
)
_OF_HEAD = names_of("title meta link style script base noscript template basefont bgsound")
_CONTROLS = "buttons and other controls of forms with text, left out"
_NOTED = {"del": "deleted text (del), left out"}
_NOTED |= dict.fromkeys(("button", "select", "textarea"), _CONTROLS)
_TYPES = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "cite": "italic",
    "u": "ulined", "a": "link", "font": "font",
}  # fmt: skip
_PLAIN = frozenset(("wbr", "rb", "rtc", "ruby", "tbody", "slot", "bdi"))
_SHOWN_ATTRIBUTES = ("href", "src", "alt", "title", "class", "lang", "dir")
_NOTES = re.compile(r"\b(?:doc-)?(?:foot|end|rear)notes?\b")
_REFERENCE = re.compile(r"\W*(?:\d+|\w?)\W*")  # the characters of a reference to a note
_BACKLINK = re.compile("(?:[↩↑⏎⤴⬆^]\\ufe0e?)+")
_LONGEST_REFERENCE = 20  # characters of such a reference, set by hand
_AROUND = frozenset(("nav", "aside", "footer", "form", "header", "search", "menu"))
_AROUND_ROLES = names_of(
    "navigation banner contentinfo complementary search menu menubar toolbar form"
)
# Numbers of the pages of a printed edition, by their kind or class: `[Pg 5]`, `{xii}`
_PAGE_CLASSES = re.compile(
    r"\b(?:pagenum(?:ber)?|page-?no|page-?number|pagebreak)s?\b", re.IGNORECASE
)
_PAGE_NUMBER = re.compile(
    r"[\W_]*(?:(?:pages?|pg|p|seite|s)\W*)?(?:\d{1,4}[a-z]?|[ivxlcdm]{1,9})?[\W_]*", re.IGNORECASE
)
_EMPTY_LINES = re.compile(r"\n[ \t\r]*\n")
_LICENCE = re.compile(r"\bpg-(?:boilerplate|header|footer|machine-header)\b")
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE
)
# Word and Outlook: the level of an item, and its number as it is shown
_ITEM_OF_WORD = re.compile(r"\bmso-list\s*:\s*\w+ level([1-9])")
_LEFT_OUT_OF_WORD = re.compile(
    r"\bmso-(?:list\s*:\s*ignore|element\s*:\s*comment|special-character\s*:\s*(comment))",
    re.IGNORECASE,
)
_NUMBER_OF_WORD = re.compile(r"\bmso-list\s*:\s*ignore", re.IGNORECASE)
# Notes and links to them and back, as Word, LibreOffice, Google Docs and InDesign name them
_NOTE_OF_WORD = re.compile(r"\bmso-element\s*:\s*(?:foot|end)note(?![-\w])")
_NOTE_OF_OFFICE = re.compile(r"sd(?:foot|end)note\d+")
_INITIAL = re.compile(r"[\"'«“‘„]?[^\W\d_]")  # as the description of a picture, no icon (`f`)
_NOTE_PLACE = re.compile(r"#[\w.:-]*?(?:note|ftn|edn|fn|cmnt)", re.IGNORECASE)
_NOTE_CLASS = re.compile(
    r"(?:foot|end)note|(?<![a-z])note|\bsup(?:er(?:script)?)?(?![a-z])", re.IGNORECASE
)
_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
_META = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_DECLARED = re.compile(rb"<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([\w.-]+)", re.IGNORECASE)
# Encodings that declared names stand for on the Web (WHATWG, Encoding Standard, section 4.2).
_ON_THE_WEB = {
    **dict.fromkeys(("ascii", "iso8859-1", "x-cp1252"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "x-sjis", "windows-31j"), "cp932"),
    "x-euc-jp": "euc_jp", "euc_kr": "cp949", "big5": "big5hkscs", "iso8859-9": "cp1254",
    **dict.fromkeys(("tis-620", "iso8859-11", "windows-874"), "cp874"),
    "iso-8859-8-i": "iso8859-8", "x-cp1250": "cp1250", "x-cp1251": "cp1251",
    "x-mac-cyrillic": "mac-cyrillic", "unicode": "utf-8",
}  # fmt: skip
_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,40});")
_XML_ENTITIES = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))
_MANY_ATTRIBUTES = re.compile(
    r"<[a-zA-Z][^\s/>]*+(?>[\s/]*+[^\s/>=][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"?|'[^']*+'?|[^\s>]*+))?){1000}"
)
_META_AT = 4096  # bytes at the head of a page that are searched for its encoding, set by hand
# Words of classes of parts around the main text, and ids of such parts.
_AROUND_WORDS = names_of(
    "ad ads advert advertisement banner breadcrumb breadcrumbs comment comments consent cookie "
    "cookies footer menu masthead nav navbar navigation newsletter pager pagination popup promo "
    "recommended related share sharing sidebar social sponsored subscribe toc topbar"
)
_WORDS = re.compile(r"[A-Z]?[a-z]+")
_BOXES = frozenset(("div", "section", "ul", "ol", "td", "table", "p"))
_LINKED = frozenset(("ul", "ol", "div", "p"))  # elements that may be mostly links
_MOST_AROUND = 0.4  # share of the characters of a page in a part with such a class, set by hand
_LINKS = 0.5  # least share of characters in links in a block of links, set by hand
_FEWEST_LINKS = 2  # links in such a block


def read(source: Source, *, main_text: bool = False) -> Document:
    """Read a page; with `main_text` without navigation, headers, footers and asides."""
    data = read_bytes(source)
    root = _as_xml(source, data)
    if root is None:
        root = page_tree(source, data)
    reader = HtmlReader(main_text=main_text, cells=True)
    title, lang = "", ""
    if root is not None:
        reader.whole = _length(root) if main_text else 0
        title = root.xpath("string((//*[local-name()='title'])[1])")
        bodies = root.iterchildren("{*}body", "body")
        declared = map(_language, (root, *bodies))  # of the body in pages of Word
        lang = next(filter(None, declared), "") or _language_of_meta(root)
        walk(_main_element(root) if main_text else root, reader)
    return reader.document(source, lang, title)


def _as_xml(source: Source, data: bytes) -> Any:
    """Parse a page that begins as XML, as browsers do; `None` for others and for damaged ones.

    Text in sections `CDATA` is text in XML only.
    """
    if not data[:_META_AT].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml"):
        return None
    if b"xmlns" not in data[:_META_AT] or b"<!ENTITY" in data:
        return None
    named = _ENTITY.sub(_by_number, data)  # an error without a document type, as many have none
    try:
        return whole_tree(part_of(source, io.BytesIO(named)))
    except FormatError:
        return None


def _by_number(match: re.Match[bytes]) -> bytes:
    chars = html5.get(match[1].decode("ascii") + ";", "")
    if not chars or match[1] in _XML_ENTITIES:
        return match[0]
    return "".join(f"&#{ord(char)};" for char in chars).encode("ascii")


def page_tree(source: Source, data: bytes) -> Any:
    """Parse a page as browsers do; `None` for an empty one.

    Raises `FormatError` when the page is not in its encoding, or elements are nested more than 256
    deep.
    """
    from lxml import etree

    text = _decoded(source, data)
    if not text.strip():
        return None
    if _MANY_ATTRIBUTES.search(text):  # whose number the parser takes the square of
        raise source.error(
            "has an element with more than 1,000 attributes: save its text as plain text"
        )
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(text.encode("utf-8", "surrogatepass"), parser)
    for fault in parser.error_log:
        if "Excessive depth" in fault.message or "huge" in fault.message.lower():
            raise source.error(
                "has elements nested more than 256 deep: leave them out, or "
                "save its text as plain text"
            )
    if root is not None:
        _end_head(root)
    return root


def _end_head(root: Any) -> None:
    """Move elements that no head has to the body, as browsers do where its tag is left out.

    The parser does so only for elements older than `main`, `section` and `article`.
    """
    head, body = root.find("head"), root.find("body")
    if head is None:
        return
    first = next((k for k, child in enumerate(head) if child.tag not in _OF_HEAD), len(head))
    moved = head[first:]
    if not moved:
        return
    if body is None:
        body = root.makeelement("body")
        root.append(body)
    behind, body.text = body.text, None
    for k, child in enumerate(moved):
        body.insert(k, child)
    moved[-1].tail = f"{moved[-1].tail or ''}{behind or ''}"


def _decoded(source: Source, data: bytes) -> str:
    """Decode a page by its byte order mark, its declaration, or the encoding of the source."""
    mark, encoding = mark_of(data[:4], source.encoding)
    declared = _DECLARED.match(data[len(mark) :].lstrip()) or _META.search(data[:_META_AT])
    if not mark and declared:
        name = declared[1].decode("ascii")
        encoding = _ON_THE_WEB.get(name.lower(), name)
        try:
            encoding = codecs.lookup(encoding).name
            check_encoding(encoding)
        except (LookupError, OptionError):
            raise source.error(
                f"declares the encoding {name[:40]!r}, which is not read; convert the page to UTF-8"
            ) from None
        if encoding.startswith(("utf-16", "utf-32")):  # its declaration was read as ASCII
            encoding = "utf-8"
        encoding = _ON_THE_WEB.get(encoding, encoding)
        source.declares_encoding = True
        if encoding == "cp1252" and is_utf_8(data):
            source.note("pages in UTF-8 that declare another encoding, read as UTF-8")
            encoding = "utf-8"
    source.note_encoding(encoding)
    try:
        return data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "cp1252":  # its five bytes without a character are control characters
            chars = (data[k : k + 1] for k in range(len(mark), len(data)))
            return "".join(char.decode("cp1252", "ignore") for char in chars)
        at = error.start + len(mark)
        way = name_encoding(source.side, data[at : at + _META_AT], data[at:])
        raise source.error(
            f"has the byte 0x{data[at]:02x}, which is not {encoding}; {way}",
            data.count(b"\n", 0, at) + 1,
        ) from None


def _language(element: Any) -> str:
    return element.get("lang") or element.get(XML_LANG) or ""


def _language_of_meta(root: Any) -> str:
    for element in root.iter("{*}meta"):
        if (element.get("http-equiv") or "").lower() == "content-language":
            return (element.get("content") or "").partition(",")[0]
    return ""


def _is_quotation(element: Any) -> bool:
    """Check whether a `q` has text, and neither blocks nor the quotation marks of an author.

    Style sheets show no marks around a `q` whose author has written some.
    """
    parent, previous = element.getparent(), element.getprevious()
    before = previous.tail if previous is not None else parent.text if parent is not None else ""
    inside = next(filter(str.strip, element.itertext()), "").strip()
    if not inside or _QUOTATION_MARKS & {inside[:1], (before or "")[-1:]}:
        return False
    return not any(local_name(child) in _BLOCKS for child in element.iterchildren("{*}*"))


def _main_element(root: Any) -> Any:
    """Return the element with the main text: the only `main` or `article`, else the whole page."""
    mains = [
        element for element in root.iter("{*}main", "{*}div", "{*}section")
        if element.tag.endswith("main") or element.get("role") == "main"
    ]  # fmt: skip
    articles = list(root.iter("{*}article"))
    for candidates in (mains, articles):
        if len(candidates) == 1:
            return candidates[0]
    return root


class HtmlReader(TreeReader):
    """Reads the elements of a page, or of several in turn, into blocks.

    With `main_text` navigation, headers, footers and asides are left out, and blocks that are
    mostly links; `whole` then counts the characters of the page.
    """

    def __init__(self, *, main_text: bool = False, cells: bool = False) -> None:
        super().__init__(cells=cells)
        self.whole = 0
        self._main_text = main_text
        self._quotations = 0  # open elements `q` with marks
        self._preformatted = 0  # open elements `pre`
        self._lists: list[_Numbering | None] = []  # open lists; of items without numbers: `None`

    def start(self, element: Any) -> Ending | None:
        """Begin an element; return what ends it, or `None` to leave out what is in it."""
        name = element.tag.rpartition("}")[2].lower()
        if name in _LEFT_OUT:
            if kind := _NOTED.get(name):
                self.left_out[kind] += any(map(str.strip, element.itertext()))
            return None
        style = element.get("style") or ""
        is_hidden = element.get("hidden") is not None or (
            _HIDDEN.search(style) is not None if name != "dialog" else element.get("open") is None
        )
        if style and (match := _LEFT_OUT_OF_WORD.search(style)):
            self.left_out[COMMENTS] += match[1] is not None
            return None
        if is_hidden and not _NOTES.search(_kinds(element)):  # notes may be shown on demand
            self.left_out["hidden elements of pages, left out"] += 1
            return None
        if kind := _of_the_edition(element):
            self.left_out[kind] += any(map(str.strip, element.itertext()))
            return None
        if self._main_text and self._is_around(element, name):
            self.left_out["navigation and other parts around the main text, left out"] += 1
            return None
        builder = self.builder
        if name == "br":
            builder.line_break("<br/>")
        elif name in {"img", "svg"}:
            self._add_picture(element, name)
        elif name == "math":
            builder.code(f"<math>{_formula(element)}</math>", "x-math")
            self.left_out[FORMULAS] += 1
        elif _is_reference(element, name):
            shown = text_of(element).strip()
            builder.code(f"{_tag(element, name)}{shown}</{name}>", "fnote")
        elif name in {"rt", "rp"}:
            builder.code(f"<{name}>{text_of(element)}</{name}>", "x-ruby")
        else:
            return self._begin(element, name)
        return None

    def _add_picture(self, element: Any, name: str) -> None:
        """Add a picture as a code, or as the first letter of a word that goes on behind it."""
        letter, around = (element.get("alt") or "").strip(), element.getparent()
        behind = element.tail or ""
        if not behind and around is not None and local_name(around) == "span":
            behind = around.tail or ""
        goes_on = behind[:1].isalpha() and not behind[:2].istitle()
        if goes_on and not letter.islower() and _INITIAL.fullmatch(letter):
            self.builder.text(letter)
        else:
            self.builder.code(_tag(element, name, empty=True), "image")

    def _begin(self, element: Any, name: str) -> Ending:
        """Begin a block or a code; return what ends it."""
        builder, role = self.builder, element.get("role") or ""
        lang = _language(element)
        self._preformatted += name == "pre"
        if name == "table":
            self.columns.begin_table()
        elif name == "tr":
            self.columns.begin_row()
        elif name in _LISTS:
            self._lists.append(_numbering(element) if name == "ol" else None)
        if name in _HEADINGS or role == "heading":
            level = _HEADINGS.get(name) or whole_number(element.get("aria-level"), 2)
            builder.begin("heading", level=min(level, 6), lang=lang)
        elif _is_note(element, name):
            builder.begin("note", lang=lang)
        elif level := self._item_level(element, name):
            builder.begin("item", level=level, lang=lang, label=self._number(element, name))
        elif name in _CELLS:
            span = whole_number(element.get("colspan"), 1)
            column = 0 if name == "caption" else self.columns.begin_cell(span)
            builder.begin("cell", level=column, lang=lang)
        elif name in _BLOCKS:
            builder.begin(lang=lang)
        elif name in _PLAIN or (name == "span" and not element.attrib):
            return end_nothing
        elif name == "q" and _is_quotation(element):
            builder.text(self._quotation_marks()[0])
            self._quotations += 1
            self.left_out["quotations (q), read with the quotation marks “ ”"] += 1
            return self._end_quotation
        else:
            builder.open(Code(_TYPES.get(name, f"x-{name}"), _tag(element, name), f"</{name}>"))
            return builder.close
        return partial(self._end_block, name)

    def _end_block(self, name: str) -> None:
        if name == "table":
            self.columns.end_table()
        elif name in _LISTS:
            self._lists.pop()
        self._preformatted -= name == "pre"
        self.builder.end()

    def _end_quotation(self) -> None:
        self._quotations -= 1
        self.builder.text(self._quotation_marks()[1])

    def _quotation_marks(self) -> str:
        """Return the marks that a browser shows around an element `q`, which has none itself."""
        return "‘’" if self._quotations % 2 else "“”"

    def _item_level(self, element: Any, name: str) -> int:
        """Return the level of an item of a list, also in a page of Word; 0 for other elements."""
        if name in _ITEMS:
            return max(len(self._lists), 1)
        match = _ITEM_OF_WORD.search(element.get("style") or "") if name == "p" else None
        return int(match[1]) if match else 0

    def _number(self, element: Any, name: str) -> str:
        """Return the number of an item as it is shown; empty in a list without numbers."""
        if name != "li":
            numbers = (
                text_of(each).strip()
                for each in element.iter("{*}span", "span")
                if _NUMBER_OF_WORD.search(each.get("style") or "")
            )
            shown = next(numbers, "") if name == "p" else ""
            return shown if ITEM_NUMBER.fullmatch(shown) else ""
        numbering = self._lists[-1] if self._lists else None
        if numbering is None:
            return ""
        if _INTEGER.fullmatch(given := (element.get("value") or "").strip()):
            numbering.number = int(given)
        number = numbering.number
        numbering.number += numbering.step
        style = _list_style(element.get("style") or "", numbering.style)
        return f"{list_number(number, style)}." if style else ""

    def text(self, characters: str) -> None:
        """Read characters."""
        first, *rest = _EMPTY_LINES.split(characters) if self._preformatted else (characters,)
        self.builder.text(first)
        for part in rest:
            self.builder.flush()
            self.builder.text(part)

    def _is_around(self, element: Any, name: str) -> bool:
        """Recognise navigation, headers, footers and other asides."""
        if name in _AROUND or element.get("role") in _AROUND_ROLES:
            return name != "header" or not any(
                outer.tag.rpartition("}")[2] in {"article", "main"}
                for outer in element.iterancestors()
            )
        if name not in _BOXES:
            return False
        # An id of several words may be that of a heading, as in `#file-menu`.
        words = [word.lower() for word in _WORDS.findall(element.get("class") or "")]
        if not _AROUND_WORDS.isdisjoint([*words, (element.get("id") or "").lower()]):
            return _length(element) < _MOST_AROUND * self.whole
        links = element.findall(".//{*}a")
        if len(links) < _FEWEST_LINKS or name not in _LINKED:
            return False
        linked = sum(_length(link) for link in links)
        return linked >= _LINKS * max(_length(element), 1)


@dataclass(slots=True)
class _Numbering:
    """The number of the next item of an ordered list."""

    number: int
    step: int
    style: str  # as in `list_number`; empty: numbers are not shown


def _numbering(element: Any) -> _Numbering:
    kind = element.get("type") or ""
    style = _list_style(element.get("style") or "", kind if kind in _ORDERED.values() else "1")
    backwards = element.get("reversed") is not None
    items = sum(1 for _ in element.iterchildren("{*}li", "li")) if backwards else 1
    given = (element.get("start") or "").strip()
    number = int(given) if _INTEGER.fullmatch(given) else items
    return _Numbering(number, -1 if backwards else 1, style)


def _list_style(css: str, style: str) -> str:
    """Return the style of the numbers of a list, which its CSS may change."""
    match = _LIST_STYLE.search(css)
    for word in match[1].lower().split() if match else ():
        if word in _ORDERED or word in _UNNUMBERED:
            return _ORDERED.get(word, "")
    return style


def _length(element: Any) -> int:
    """Return the number of characters of an element, without white space around them."""
    return sum(len(text.strip()) for text in element.itertext())


def _kinds(element: Any) -> str:
    return f"{element.get('role')} {element.get(_EPUB_TYPE) or element.get('epub:type')}"


def _of_the_edition(element: Any) -> str:
    """Return the kind of an element that belongs to the edition and not to its text, for a note."""
    words = f"{element.get('class') or ''} {element.get('id') or ''}"
    if "pg-" in words and _LICENCE.search(words):
        return "licence and header of Project Gutenberg, left out"
    if "mw-editsection" in words:
        return "links of a wiki that edit a section, left out"
    if element.get("title") in {"header", "footer"} and local_name(element) == "div":
        return HEADS  # as LibreOffice writes them
    if not (_PAGE_CLASSES.search(element.get("class") or "") or "pagebreak" in _kinds(element)):
        return ""
    shown = text_of(element)
    return "page numbers of an edition, left out" if _PAGE_NUMBER.fullmatch(shown) else ""


def _is_reference(element: Any, name: str) -> bool:
    """Recognise a reference to a note: by its kind, or as a raised link within the page."""
    if name == "a" and ("noteref" in _kinds(element) or _is_link_of_note(element)):
        return True
    if name not in {"a", "sup"} or len(element) != 1:
        return False
    other = element[0]
    if {name, str(other.tag).rpartition("}")[2].lower()} != {"a", "sup"}:
        return False
    link = element if name == "a" else other
    within, whole = text_of(other).strip(), text_of(element).strip()
    if "#" not in link.get("href", "") or within != whole or len(whole) > _LONGEST_REFERENCE:
        return False
    return _REFERENCE.fullmatch(whole) is not None


def _is_link_of_note(element: Any) -> bool:
    """Recognise a link to a note, or back from it (`↩`).

    A number is one by its class, or by both of its places.
    """
    href = element.get("href") or ""
    if "#" not in href:
        return False
    shown = text_of(element).strip()
    if not shown or len(shown) > _LONGEST_REFERENCE or not _REFERENCE.fullmatch(shown):
        return False  # arrows are such characters, too
    if _BACKLINK.fullmatch(shown):
        return True
    around = element.getparent()
    is_inline = around is not None and local_name(around) in {"span", "sup"}
    near = (element, *element, *([around] if is_inline else ()))
    if any(_NOTE_CLASS.search(each.get("class") or "") for each in near):
        return True
    is_place = any(each.get("id") or each.get("name") for each in near)
    return is_place and _NOTE_PLACE.search(href) is not None


def _is_note(element: Any, name: str) -> bool:
    """Recognise a note by its kind, or in a page of Word or LibreOffice."""
    if name == "div" and _NOTE_OF_OFFICE.fullmatch(element.get("id") or ""):
        return True
    if name == "div" and _NOTE_OF_WORD.search(element.get("style") or ""):
        return True
    return name != "a" and _NOTES.search(_kinds(element)) is not None


def _formula(element: Any) -> str:
    """Return the characters of a formula, without its source in another notation."""
    parts = element.xpath(".//text()[not(ancestor::*[starts-with(local-name(), 'annotation')])]")
    return "".join("".join(parts).split())


def _tag(element: Any, name: str, *, empty: bool = False) -> str:
    """Return the start tag of an element, with the attributes that a translator needs."""
    values = "".join(
        f' {key}="{escape_value(element.get(key))}"'
        for key in _SHOWN_ATTRIBUTES
        if element.get(key)
    )
    return f"<{name}{values}{'/' if empty else ''}>"


# Web archives (MHTML), as browsers save pages: the page, which is read as HTML.


_PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml"))


def read_mhtml(source: Source, *, main_text: bool = False) -> Document:
    """Read the page of an archive."""
    try:
        message = BytesParser().parsebytes(read_bytes(source))
        page = next(
            (part for part in message.walk() if part.get_content_type() in _PAGE_TYPES), None
        )
        data = None if page is None else _data(page)
    except (RecursionError, ValueError, LookupError):
        raise source.error("is a damaged web archive: save the page anew") from None
    if page is None or data is None:
        raise source.error("has no page: save the page anew, as HTML")
    return read(_page_source(source, page, data), main_text=main_text)


def _page_source(source: Source, page: Message, data: bytes) -> Source:
    inner = part_of(source, io.BytesIO(data), encoding=_charset(source, page))
    inner.notes = source.notes
    return inner


def _charset(source: Source, part: Message) -> str:
    """Return the encoding that a part declares, else that of the file."""
    try:
        return check_encoding(part.get_content_charset() or source.encoding)
    except OptionError:
        return source.encoding


def _data(page: Message) -> bytes | None:
    data = page.get_payload(decode=True)
    return data if isinstance(data, bytes) else None


# Messages of e-mail: the subject as a heading, and the page, else the plain text.


_QUOTED = re.compile(r"(?m)^(?:> ?)+")
_STUFFED = re.compile(r"(?m)^ ")  # before a line, in messages whose lines flow
_FLOWING = re.compile(r"(?m)(?<!^--) \n")  # a line end that is none, except behind `-- `
_PARAGRAPHS = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def read_message(source: Source, *, main_text: bool = False) -> Document:
    """Read the subject and the text of a message; attachments are left out."""
    try:
        message = BytesParser(policy=email.policy.default).parsebytes(read_bytes(source))
        body = message.get_body(("html", "plain"))
        data = None if body is None else _data(body)
        subject = " ".join(str(message.get("subject") or "").split())
    except (RecursionError, ValueError, LookupError):
        raise source.error("is a damaged e-mail message: save it anew") from None
    if body is None or data is None:
        raise source.error("is an e-mail message without a text: save its text as plain text")
    if attached := sum(1 for _ in message.iter_attachments()):
        source.note("attachments of messages, left out", count=attached)
    builder = BlockBuilder()
    if subject:
        builder.begin("heading", level=1)
        builder.text(subject)
        builder.end()
    heading = tuple(builder.blocks)
    if body.get_content_type() in _PAGE_TYPES:
        page = read(_page_source(source, body, data), main_text=main_text)
        return Document((*heading, *page.blocks), page.lang, subject)
    try:
        text = data.decode(_charset(source, body)).replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise source.error(
            "is an e-mail message whose text is not in the encoding that it declares: save its "
            "text as plain text"
        ) from None
    text, quoted = _QUOTED.subn("", text)
    if quoted:
        source.note("quoted lines of messages, read without their marks (>)", count=quoted)
    paragraphs = _PARAGRAPHS.split(text)
    if str(body.get_param("format")).lower() == "flowed" and _FLOWING.search(text):  # RFC 3676
        glue = "" if str(body.get_param("delsp")).lower() == "yes" else " "
        paragraphs = _FLOWING.sub(glue, _STUFFED.sub("", text)).split("\n")
    for paragraph in paragraphs:
        builder.begin("paragraph")
        builder.text(paragraph)
        builder.end()
    return Document(tuple(builder.blocks), "", subject)


# Books in EPUB, versions 2 and 3: the pages of their spine, in order.


_PAGES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")


def read_epub(source: Source) -> Document:
    """Read a book."""
    archive = Archive(source)
    root = _package_name(archive)
    package = archive.tree(root)
    if package is None:
        raise source.error(f"has no member {root}, so it is no EPUB; get the book anew")
    encrypted = _encrypted(archive)
    items = {each.get("id"): each for each in _all(package, "item")}
    contents = {
        resolve(root, each.get("href") or "")
        for each in (*_all(package, "reference"), *items.values())
        if each.get("type") == "toc" or "nav" in (each.get("properties") or "").split()
    }
    reader = HtmlReader()
    for reference in _all(package, "itemref"):
        item = items.get(reference.get("idref"))
        name = "" if item is None else resolve(root, item.get("href") or "")
        if item is not None and item.get("media-type") not in _PAGES:
            source.note("pages of books that are no XHTML (pictures, DTBook), left out", name)
            continue
        if name in encrypted:
            raise source.error(
                "is protected by a password or a system for rights (DRM): want a book without"
            )
        if name not in archive.names:
            shown = name or reference.get("idref")
            source.note("pages that a book names and does not have", shown)
            continue
        page = _page(archive, name)
        if name in contents and page is not None and _has_contents_alone(page):
            source.note("tables of contents, left out")
        elif page is not None:
            walk(page, reader)
    title, lang = (
        next((each.text for each in _all(package, name) if (each.text or "").strip()), "")
        for name in ("title", "language")
    )
    return reader.document(source, lang, title)


def _all(tree: Any, name: str) -> Iterable[Any]:
    return () if tree is None else tree.iter(f"{{*}}{name}")


def _package_name(archive: Archive) -> str:
    for each in _all(archive.tree("META-INF/container.xml"), "rootfile"):
        return resolve("", each.get("full-path") or "")
    return next((name for name in sorted(archive.names) if name.endswith(".opf")), "content.opf")


def _encrypted(archive: Archive) -> set[str]:
    references = _all(archive.tree("META-INF/encryption.xml"), "CipherReference")
    return {resolve("", each.get("URI") or "") for each in references}


def _has_contents_alone(page: Any) -> bool:
    """Check whether at most a half of the letters of a page are beside its links and headings."""
    shown = ".//text()[not(ancestor::*[local-name()='head' or local-name()='style'])]"
    linked = "|".join(f"ancestor::*[local-name()='{name}']" for name in ("a", "nav", *_HEADINGS))
    beside, within = (
        sum(map(str.isalpha, "".join(page.xpath(f"{shown}[{condition}]"))))
        for condition in (f"not({linked})", linked)
    )
    return beside <= within


def _page(archive: Archive, name: str) -> Any:
    """Parse a page as XML, or where it is not well-formed, as HTML; `None` for an empty one."""
    try:
        return archive.tree(name)
    except FormatError as error:
        if "is not well-formed" not in str(error):
            raise
        with archive.open(name) as page:
            return page_tree(page, page.stream.read())
