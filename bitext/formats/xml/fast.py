"""The quick way through XML files that are as regular as machines write them.

A file of millions of like elements is read fastest in large pieces with one expression each, but an
expression is no XML parser. So: `Pieces` hands out what is certain to mean the same to both. A
piece ends where a given end tag does, and holds no comment, no section, no processing instruction,
no entity but the five of XML, and no character that XML forbids. Its elements are still to be
matched by the reader, without a gap. From the first piece on that is not like that, or that the
reader cannot match whole, `rest()` gives the parser everything that is left.

Tests compare both ways on the same files: what they yield is equal.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import FormatError
from bitext.formats.xml.safe import admit, iterate, line_of, parse_tree
from bitext.formats.xml.syntax import REFERENCE, codec_of, has_forbidden_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.io.source import Source
    from bitext.formats.xml.syntax import Prolog

__all__ = [
    "ATTRIBUTES",
    "NAME",
    "VALUE",
    "Piece",
    "Pieces",
    "Tags",
    "attribute_names",
    "opened_root",
]


_SIZE = 1 << 19
_MOST = 8 << 20  # bytes without the end tag looked for, after which the parser has to see to it
_LONG = 1 << 12
_MANY = 256
_LINE = re.compile(r"([^\s:]+) line ([0-9]{1,12})(?= and )")  # "mismatch: a line 3 and b"
_NUMBER = re.compile(r"&#(?:([0-9]{1,7})|x([0-9a-fA-F]{1,6}));")
_OPENS, _BANG, _QUESTION = b"<!?"
_SPARSE = 100
_COMMON = ("&lt;", "&gt;", "&amp;", "&quot;", "&apos;")


class Piece(NamedTuple):
    """A part of a file.

    Attributes
    ----------
    text : str
        Its characters, line ends as LF, references as written; all of them are valid.
    line : int
        The line of the file on which it begins, from 1.
    references : bool
        Whether there are any references in it.

    """

    text: str
    line: int
    references: bool


class Pieces:
    """Hands out the regular pieces of an XML file, and then what is left.

    Parameters
    ----------
    source : Source
        The file, from its beginning.
    end : bytes
        The end tag after which a piece may end, as `b"</tu>"`.
    size : int
        The number of bytes that are read at once; a piece is about as long.

    Attributes
    ----------
    prolog : Prolog
        That of the file; unsafe files are refused when it is read.

    """

    def __init__(self, source: Source, end: bytes, *, size: int = _SIZE) -> None:
        self._source, self._end, self._size = source, end, size
        self.prolog: Prolog = admit(source)
        self._held = b""  # read, and not handed out
        self._given = b""  # handed out last
        self._line = self._line_given = 1
        self._opening = b""
        self._regular = self._is_regular()

    def _is_regular(self) -> bool:
        """Tell whether the file is in a kind of ASCII with nothing declared."""
        codec = codec_of(self.prolog.encoding or self._source.encoding)
        single = codec.startswith(("iso8859", "cp125")) or codec in {"utf-8", "ascii"}
        self._codec = codec
        return single and "[" not in self.prolog.doctype

    def opening(self, until: bytes) -> Piece | None:
        """Return what stands up to and with a tag, as `b"<body>"`; `None` where it is irregular.

        To be called once, before anything else, and for a tag that stands in the first 64 KB. A
        byte order mark and an XML declaration are part of what is returned.
        """
        head = self._source.head()
        at = head.find(until)
        if not self._regular or at < 0:
            self._regular = False
            return None
        self._opening = self._source.stream.read(at + len(until))
        mark = len(codecs.BOM_UTF8) if self._opening.startswith(codecs.BOM_UTF8) else 0
        piece = self._piece(self._opening[mark:])
        self._regular = piece is not None
        return piece

    @property
    def regular(self) -> bool:
        """Whether nothing irregular was met so far."""
        return self._regular

    def __iter__(self) -> Iterator[Piece]:
        """Yield the pieces after the opening, as long as they are regular.

        The last one is what follows the last end tag.
        """
        while self._regular:
            data = self._next()
            if not data:
                return
            self._given, self._line_given = data, self._line
            # What is long without an end is for the parser, which has its own limit for a text.
            odd = len(data) > _MOST or _has_markup(data)
            piece = None if odd else self._piece(data)
            if piece is None:
                self._regular = False
                return
            yield piece
            self._given = b""

    def _next(self) -> bytes:
        """Return the bytes up to the last end tag of those at hand; all that is left at the end."""
        at, searched = -1, 0
        while at < 0:
            more = self._source.stream.read(self._size)
            self._held += more
            at = self._held.rfind(self._end, max(0, searched - len(self._end)))
            searched = len(self._held)
            if not more or searched > _MOST:
                break
        cut = len(self._held) if at < 0 else at + len(self._end)
        data, self._held = self._held[:cut], self._held[cut:]
        return data

    def _piece(self, data: bytes) -> Piece | None:
        """Return a piece of these bytes, `None` where they need a parser; count its lines."""
        if has_forbidden_bytes(data) or _is_crowded(data):
            return None
        # One byte is found many times faster than several, and is seldom there.
        if b"]" in data and b"]]>" in data:
            return None
        try:
            text = data.decode(self._codec)
        except UnicodeDecodeError:
            return None
        if b"\r" in data:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        references = b"&" in data
        if references and not _all_valid(text):
            return None
        piece = Piece(text, self._line, references)
        self._line += text.count("\n")
        return piece

    def parsed(self, closing: bytes) -> Element | None:
        """Parse the piece handed out last as a tree of its own: the opening, the piece, end tags.

        Its lines lack `lines_before`. `None` where only a parser of the whole file can tell what
        it holds.
        """
        data = self._opening + self._given + closing
        if any(part.count(b"=") > _MANY for part in data.split(b"<")):
            return None  # there may be more attributes than are read
        return parse_tree(self._source, self.prolog, data)

    @property
    def lines_before(self) -> int:
        """The number of lines between the opening and the piece handed out last."""
        return self._line_given - 1 - self.lines_again if self._given else 0

    def rest(
        self,
        *,
        start: tuple[str, ...] = (),
        end: tuple[str, ...] = (),
        inside: str = "",
        parents: tuple[str, ...] = (),
        on_other: Callable[[Element, int], None] | None = None,
    ) -> Iterator[tuple[str, Element, int]]:
        """Yield (event, element, line) for the elements from the piece handed out last on.

        The parser sees the opening before that, so elements of it come again: those on lines up to
        `lines_again`. Lines are those of the file, also in errors. `inside` are the start tags,
        without line ends, of what was opened in earlier pieces and is not closed yet; they follow
        the opening, and come again too. `on_other` takes other elements in `parents`, with their
        lines (see `safe.iterate`).
        """
        again = self.lines_again
        opened = inside.encode(self._codec) if inside else b""
        before = self._opening + opened + self._given + self._held
        skipped = self.lines_before
        if self._opening and not self._given:
            skipped = max(0, self._line - 1 - again)  # 0 after an odd opening

        def line_in_file(element: Element) -> int:
            line = line_of(element) or 0
            return line + (skipped if line > again else 0)

        def other(element: Element) -> None:
            if on_other is not None:
                on_other(element, line_in_file(element))

        try:
            for event, element in iterate(
                self._source,
                start=start,
                end=end,
                before=before,
                prolog=self.prolog,
                parents=parents,
                on_other=other if parents else None,
            ):
                yield event, element, line_in_file(element)
        except FormatError as error:
            if not error.line or error.line <= again:
                raise
            message = _LINE.sub(
                lambda m: f"{m[1]} line {self._line_of_file(m[1], int(m[2]), skipped)}",
                error.message,
            )
            raise self._source.error(message, error.line + skipped) from None

    def _line_of_file(self, name: str, line: int, skipped: int) -> int:
        """Return the line of an element that a message of the parser names."""
        again = self.lines_again
        tag = rb"<%s[\s/>]" % re.escape(name.encode())
        if line <= again or (line == again + 1 and re.search(tag, self._opening)):
            return line
        return line + skipped

    @property
    def lines_again(self) -> int:
        """The number of line ends in the opening."""
        return self._opening.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n")


def _has_markup(data: bytes) -> bool:
    """Tell whether there is a comment, a section or a processing instruction."""
    signs = np.frombuffer(data, dtype=np.uint8)
    behind = signs[1:]
    begins = ((behind == _BANG) | (behind == _QUESTION)) & (signs[:-1] == _OPENS)
    return bool(begins.any())


def _is_crowded(data: bytes) -> bool:
    """Tell whether a tag is so long, and has so many attributes, that the parser may refuse it.

    Readers make expressions of the attributes that they find.
    """
    blocks = range(0, len(data) - _LONG + 1, _LONG)  # whole ones: the last may be a few bytes
    if all(data.find(b"<", at, at + _LONG) >= 0 for at in blocks):
        return False
    return any(part.count(b"=") > _MANY for part in data.split(b"<"))


def _all_valid(text: str) -> bool:
    """Tell whether every ampersand begins a reference to a character that XML allows."""
    ampersands = text.count("&")
    # To look for five words in all of the text pays where there are many of them.
    if ampersands * _SPARSE > len(text):
        named, numbers = sum(map(text.count, _COMMON)), _NUMBER.findall(text)
    else:
        found = REFERENCE.findall(text)
        numbers = [(decimal, hexadecimal) for name, decimal, hexadecimal in found if not name]
        named = len(found) - len(numbers)
    return named + len(numbers) == ampersands and all(
        _allowed(int(decimal) if decimal else int(hexadecimal, 16))
        for decimal, hexadecimal in set(numbers)
    )


def _allowed(code: int) -> bool:
    if code < 0x20:
        return code in {9, 10, 13}
    return code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code <= 0x10FFFF


# Tags as machines write them, for the quick way through documents and links.
#
# Here is said which tags mean the same to an expression and to a parser: names without a prefix,
# attributes in double quotes with one blank before each, no line ends or tabs in values. Values
# may hold references, which `bitext.formats.xml.fast` has seen to.

NAME = r"[A-Za-z_][\w.-]*"
VALUE = r'"[^"<\t\n]*"'
ATTRIBUTES = rf"(?: (?:xml:)?{NAME}={VALUE})*"
_SPACE = " \t\r\n"
_KEY = re.compile(rf" ((?:xml:)?{NAME})={VALUE}", re.ASCII)
_TAG = re.compile(rf"(/?)({NAME})({ATTRIBUTES}) ?(/?)>([^<]*)", re.ASCII)
_OPENING = re.compile(
    r"""(?:<\?xml\ version=["']1\.0["']
        (?:\ encoding=["'](?i:utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)["'])?
        (?:\ standalone=["'](?:yes|no)["'])?\s*\?>)?\s*
    (?:<!DOCTYPE\ [A-Za-z]+(?:\s+(?=[PS])|\s*(?=>))
        (?:PUBLIC\s+"[\w\ \n/.:-]*"\s+"[^"<&]*"|SYSTEM\s+(?:"[^"<&]*"|'[^'<&]*'))?\s*>\s*)?
    <(?P<name>[A-Za-z_][\w.-]*)(?P<attributes>(?:\s+[\w.:-]+="[^"<]*")*)\s*>""",
    re.ASCII | re.VERBOSE,
)
# Names of namespaces that surely are URIs; the parser refuses those that are none.
_NAMESPACE = re.compile(r"(?:https?://[\w.-]+(?:/[\w./~-]*)?|urn:[\w:.-]+)(?:#\w*)?", re.ASCII)
_XMLNS = re.compile(r' xmlns="([^"]*)"')
_MOST_OPEN = 200  # the parser has a limit of its own, not far above


def attribute_names(attributes: str) -> list[str] | None:
    """Return the names of attributes, as `ATTRIBUTES` matches them.

    `None` where only the parser knows what they mean: a name twice, or a namespace.
    """
    if not attributes:
        return []
    names = _KEY.findall(attributes)
    odd = any(name == "xmlns" or (":" in name and name != "xml:lang") for name in names)
    return None if odd or len(set(names)) != len(names) else names


def opened_root(pieces: Pieces) -> tuple[str, str] | None:
    """Take what stands up to and with the start tag of the root.

    Return its name and its attributes, `None` where the parser has to see to the file.
    """
    prolog = pieces.prolog
    tag = f"<{prolog.root}{prolog.attributes}>"
    opening = pieces.opening(tag.encode()) if tag.isascii() else None
    found = _OPENING.fullmatch(opening.text) if opening else None
    if found is None:
        return None
    attributes = " ".join(found["attributes"].split())
    attributes = f" {attributes}" if attributes else ""
    names = _KEY.findall(attributes)
    whole = re.fullmatch(ATTRIBUTES, attributes, re.ASCII)
    known = whole is not None and len(set(names)) == len(names)
    known = known and all(":" not in name or name == "xml:lang" for name in names)
    plain = all(_NAMESPACE.fullmatch(name) for name in _XMLNS.findall(attributes))
    return (found["name"], attributes) if known and plain else None


class Tags:
    """The elements that are open in the root, as tags are taken up one by one.

    Parameters
    ----------
    root : str
        The name of the root element, which is open.
    leaf : str
        The name of the elements that are not taken up here.

    Attributes
    ----------
    closed : bool
        Whether the root has ended.

    """

    def __init__(self, root: str, leaf: str) -> None:
        self._root, self._leaf = root, leaf
        self.open: list[tuple[str, str]] = []
        self.closed = False

    def count(self, wanted: str) -> int:
        """Return the number of elements of that name that are open, one in the other."""
        return sum(name == wanted for name, _ in self.open)

    def inside(self) -> str:
        """Return the start tags of what is open in the root."""
        return "".join(tag for _, tag in self.open)

    def copy(self) -> Tags:
        """Return a copy, so that a piece that turns out odd has changed nothing."""
        other = Tags(self._root, self._leaf)
        other.open, other.closed = self.open[:], self.closed
        return other

    def take(self, tag: str) -> tuple[str, str] | None:
        """Take up a tag without its `<` and with the text behind it.

        Return what begins, ends (with `/` before it) or both (behind it), and its attributes;
        `None` where the parser has to see to it.
        """
        found = _TAG.fullmatch(tag)
        if found is None or self.closed:
            return None
        end, name, attributes, empty, behind = found.groups()
        if not end:
            odd = name == self._leaf or len(self.open) > _MOST_OPEN
            if odd or attribute_names(attributes) is None:
                return None
            if not empty:
                self.open.append((name, f"<{name}{attributes}>"))
            return f"{name}{empty}", attributes
        if attributes or empty:
            return None
        if self.open:
            return (f"/{name}", "") if self.open.pop()[0] == name else None
        self.closed = name == self._root and not behind.strip(_SPACE)
        return (f"/{name}", "") if self.closed else None
