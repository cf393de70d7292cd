"""Reading XML from untrusted sources: the only module that makes XML parsers.

| what a file may try | what happens |
| --- | --- |
| external and parameter entities | declaring one is an error; none is ever opened |
| an external document type | may be named, is never opened |
| default attributes in an internal subset | error: they multiply without being written |
| entity bombs | error: by libxml2's amplification limit, and by our count of characters |
| undefined entities | error, never an empty string |
| UTF-7 and other encodings that hide markup | error: there is a list of encodings |
| depth above 256, one text above 10 MB | error by libxml2 (`huge_tree` stays off) |
| more than 256 attributes on an element | error: some operations on them are quadratic |
| more than a million elements in one | error where it is wanted whole, else dropped as they come |
| XInclude, schemas, stylesheets, the network | never used |

Memory depends on the largest element that is wanted whole, not on the rest of the file.
Everything before the root element (the prolog) must lie in the first 64 KB, where it is examined
before a parser sees it. Errors are `FormatError`, with the line. lxml is imported at first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from bitext.errors import FormatError, leaving_out
from bitext.formats.io.source import Source
from bitext.formats.xml import HEAD, Prolog, codec_of, read_prolog

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_MOST_ATTRIBUTES = 256  # of an element; set by hand
_MAX_GAP = 5 * _MOST_ATTRIBUTES  # bytes between two <; so many attributes take more: ` a=""`
_MOST_CHILDREN = 1 << 20  # of an element that is wanted whole; set by hand
_SHORTEST = 3  # bytes of an element, comment or reference: `&a;`
_MOST_NAMES = 1 << 10  # cached names; set by hand
_LONGEST = 1 << 24  # bytes without a <; the limit of libxml2 is 10 MB
_TOO_LONG = "a text, an attribute or a name is longer than 10,000,000 bytes"
_FREE_EXPANSION = 1 << 20  # characters from entities that are always allowed, about as in libxml2
_MOST_EXPANSION = 5  # characters from entities a byte of the file, as in libxml2

_MOST_TAGS = 8_000_000  # of a document that is parsed as a whole: bounds memory, set by hand

_LESS = ord("<")

_SAFE: dict[str, Any] = {
    "resolve_entities": "internal",
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
}
_BARE: dict[str, Any] = {**_SAFE, "remove_comments": True, "remove_pis": True}

_NAME = re.compile(r"[\w.-]+")
_ICONV = re.compile(r"_|(?<=iso)(?=8859)")  # euc_jp, iso8859-1: iconv wants a hyphen
_WITHOUT_BOM = {"utf-16-le": "utf-16le", "utf-16-be": "utf-16be"}  # and none here
_OURS = re.compile(r"(?i)latin[-_]\d+|\w*_[\w-]*")  # names of encodings that the parser lacks
_PLACE = re.compile(r",? line \d+, column \d+(?: \(.*\))?$")


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute_of(element: Element, name: str) -> str:
    """Return an attribute by its local name; empty without."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return ""


def items_of(element: Element) -> list[tuple[str, str]]:
    """Return the names and values of the attributes; lxml gives strings, whatever its stubs say."""
    return cast("list[tuple[str, str]]", element.items())


def text_of(element: Element) -> str:
    """Return the characters in an element and in those within."""
    return "".join(map(str, element.itertext()))


def line_of(element: Element) -> int | None:
    """Return the line of the start tag, counted from 1."""
    return cast("int | None", element.sourceline)


LOOSE = "texts between units, left out"


def loose_text(element: Element) -> str:
    """Return the text between an element and the one before it, without white space around."""
    before, parent = element.getprevious(), element.getparent()
    text = parent.text if before is None and parent is not None else None
    return str((text if before is None else before.tail) or "").strip()


def loose_end(parent: Element) -> str:
    """Return the text at the end of an element, without white space around."""
    return str((parent[-1].tail if len(parent) else parent.text) or "").strip()


def walk(root: Element) -> Iterator[tuple[str, Element, str]]:
    """Yield ("text", its element, characters), ("start", element, "") and ("end", element, "").

    Events are in the order of the file, for everything within an element but not for itself.
    """
    if root.text:
        yield "text", root, root.text
    within, waiting = [root], [iter(root)]
    while waiting:
        child = next(waiting[-1], None)
        if child is not None:
            yield "start", child, ""
            if child.text:
                yield "text", child, child.text
            within.append(child)
            waiting.append(iter(child))
            continue
        waiting.pop()
        done = within.pop()
        if waiting:
            yield "end", done, ""
            if done.tail:
                yield "text", within[-1], done.tail


def iterate(
    source: Source,
    *,
    start: tuple[str, ...] = (),
    end: tuple[str, ...] = (),
    before: bytes = b"",
    prolog: Prolog | None = None,
    parents: tuple[str, ...] = (),
    on_other: Callable[[Element], None] | None = None,
    most_children: int = _MOST_CHILDREN,
) -> Iterator[tuple[str, Element]]:
    """Yield (event, element) for elements with the given local names, while the file is read.

    Names are compared without their namespaces. At `"start"` an element has only its attributes.
    At `"end"` the element is whole. The element is emptied before the next event, and removed from
    its parent when the next element has ended, so that memory does not grow with the file (so an
    outer named element no longer contains inner ones named for their end). Comments and processing
    instructions are left out, entities that the file declares are expanded.

    The names in `start` are wanted at their start tags, those in `end` at their end tags. Of a file
    that was read in part, the parser gets the bytes `before` first, from whose beginning lines
    count; `prolog` is then that of the file. Elements named in `parents` should contain only wanted
    elements: `on_other` is called with each other child, at the latest when the file ends. An
    element that is wanted whole may have `most_children` elements directly in it.

    Raises `FormatError` when the file is not well-formed, or is not safe to read (see the module);
    with the line.
    """
    from lxml import etree

    prolog = admit(source) if prolog is None else prolog
    starts, ends = _Wanted(start), _Wanted(end)
    wide = codec_of(prolog.encoding or source.encoding).startswith("utf-16")
    others = None if on_other is None else _Others(parents, {*start, *end}, on_other)
    counted = _Counted(source, before, ends, others, wide=wide, most_children=most_children)
    budget = None
    if "<!ENTITY" in prolog.doctype:
        counted.expands = True
        budget = _Budget(source, counted)
    every_end = {*start, prolog.name} <= {*end}  # then names need no lookup
    last: Element | None = None
    try:
        for event, element in _parser(source, prolog, counted, {*start, *end}):
            if counted.root is None:
                counted.root = element.getroottree().getroot()
            if event == "start":
                if not start or not starts[element.tag]:
                    continue
            elif not every_end and not ends[element.tag]:
                continue
            if budget or counted.crowded:
                _check_attributes(source, event, element)
            if budget:
                budget.spend(event, element)
            yield event, element
            if event == "end":
                # The last element can be removed only now: before, the parser may still have
                # appended to its tail.
                if last is not None and (parent := last.getparent()) is not None:
                    parent.remove(last)
                element.clear(keep_tail=True)  # type: ignore[call-arg]  # newer than the stubs
                last = element
        counted.tell_rest()
    except etree.XMLSyntaxError as error:
        raise _malformed(source, _parser_message(error), error.lineno or None) from None


def _parser(
    source: Source, prolog: Prolog, counted: _Counted, names: set[str]
) -> Iterator[tuple[str, Element]]:
    from lxml import etree

    if _NAME.fullmatch(prolog.name):
        names = {*names, prolog.name}  # the root, from which the tree is pruned
    parser = etree.iterparse(
        counted,
        events=("start", "end"),
        tag=[f"{{*}}{name}" for name in sorted(names)],
        encoding=_unnamed_encoding(source, prolog),
        **_BARE,
    )
    return cast("Iterator[tuple[str, Element]]", parser)


def _unnamed_encoding(source: Source, prolog: Prolog) -> str | None:
    """Return the encoding for the parser; `None` if the parser detects the encoding."""
    if prolog.misdeclared:
        return "utf-8"
    encoding = prolog.encoding or source.encoding
    if prolog.encoding is not None:  # declared, or by a byte order mark
        detected = not _OURS.fullmatch(encoding)
    else:
        detected = codec_of(encoding) in {"", "utf-8"}
    if detected:
        return None
    codec = codec_of(encoding)
    return _WITHOUT_BOM.get(codec) or _ICONV.sub("-", codec)


def tree_parser(*, document_types: bool = False) -> Any:
    """Return a parser of whole trees, for files that `admit` accepted.

    With `document_types` the parser opens the document type of a file: for schemas of the user.
    """
    from lxml import etree

    more = {"load_dtd": True, "resolve_entities": True} if document_types else {}
    return etree.XMLParser(**{**_SAFE, **more})


def parse_tree(source: Source, prolog: Prolog, data: bytes) -> Element | None:
    """Parse a small part of a file that `admit` accepted; return `None` if malformed.

    The part begins with the prolog of the file, and contains one element.
    """
    from lxml import etree

    parser = etree.XMLParser(encoding=_unnamed_encoding(source, prolog), **_BARE)
    try:
        return cast("Element", etree.fromstring(data, parser))
    except etree.XMLSyntaxError:
        return None


def parse_fragment(text: str) -> Element | None:
    """Parse an element without document type; return `None` if malformed."""
    from lxml import etree

    try:
        return cast("Element", etree.fromstring(text, etree.XMLParser(**_BARE)))
    except etree.XMLSyntaxError:
        return None


def whole_tree(source: Source) -> Element:
    """Parse a whole file that declares no entities of its own, as a part of a document.

    References to other entities, as `&nbsp;` of XHTML, stay in the tree.

    Raises `FormatError` when the file is not well-formed, or not safe to read (see the module);
    with the line.
    """
    from lxml import etree

    prolog = admit(source)
    if "<!ENTITY" in prolog.doctype:
        raise source.error("declares entities in its document type: take them out", prolog.line)
    data = source.stream.read()
    if data.count(b"<") > _MOST_TAGS:
        raise source.error(f"has more than {_MOST_TAGS:,} tags: divide the document")
    settings = {**_BARE, "resolve_entities": False}
    parser = etree.XMLParser(encoding=_unnamed_encoding(source, prolog), **settings)
    try:
        return cast("Element", etree.fromstring(data, parser))
    except etree.XMLSyntaxError as error:
        raise _malformed(source, _parser_message(error), error.lineno or None) from None


def checking_parser(schema: Any) -> Any:
    """Return a parser that is fed piece by piece and makes no tree, to validate by a schema only.

    As there is no tree, it accepts elements nested more than 256 deep and texts of more than 10 MB.
    """
    from lxml import etree

    nothing: Any = _Nothing()  # the stubs want a target that takes events
    return etree.XMLParser(target=nothing, schema=schema, **_BARE)


class _Nothing:
    """A target of a parser that takes no events."""

    def close(self) -> None:
        """End the document."""


def validating_parser(schema: Any, root: str) -> Any:
    """Return a parser that is fed piece by piece and validates by a schema.

    Its events are the start tags of elements with the name of the `root` (see `ParsedTree`).
    """
    from lxml import etree

    return etree.XMLPullParser(events=("start",), tag=f"{{*}}{root}", schema=schema, **_BARE)


class ParsedTree:
    """The tree that a parser of `validating_parser` builds."""

    def __init__(self, parser: Any) -> None:
        self._parser = parser
        self._root: Element | None = None

    def prune(self) -> None:
        """Remove the elements that have ended, except the last child of each parent.

        After the last child, the parser may be appending text.
        """
        for _, element in self._parser.read_events():
            self._root = element if self._root is None else self._root
        node = self._root
        while node is not None:
            if len(node) > 1:
                del node[:-1]
            node = next(node.iterchildren(reversed=True), None)


class _Wanted(dict[str, bool]):
    """Caches for a full name whether its local name is one of some names."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, tag: str) -> bool:
        if len(self) > _MOST_NAMES:  # a file may invent any number of namespaces
            self.clear()
        self[tag] = tag.rpartition("}")[2] in self._names
        return self[tag]


class _Others:
    """Reports elements other than the wanted ones, directly in some parents."""

    def __init__(
        self, parents: tuple[str, ...], names: set[str], report: Callable[[Element], None]
    ) -> None:
        self._parents, self._names, self._report = parents, names, report

    def look(self, parent: Element, children: Iterable[Element]) -> None:
        """Report unwanted elements among children of an element, and within the wanted children."""
        if local_name(parent) in self._parents:
            for child in children:
                if local_name(child) not in self._names:
                    self._report(child)
                else:
                    self.look(child, child)


class _Counted:
    """Feeds bytes to the parser and counts them; prunes the tree.

    When the parser reads more bytes, the caller has processed all elements so far. So each element
    that has ended and is not inside of an element wanted whole can be removed, except the last
    child of each parent, after which the parser may be appending text.

    `crowded` is true if any element so far may have too many attributes, judged by the bytes: to
    count the attributes of each element takes longer than everything else.
    """

    def __init__(
        self,
        source: Source,
        before: bytes,
        ends: _Wanted,
        others: _Others | None = None,
        *,
        wide: bool,
        most_children: int,
    ) -> None:
        self._source, self._before, self._ends = source, before, ends
        self._others, self._most_children = others, most_children
        self._stream: BinaryIO = source.stream
        self._equals = 0  # since the last <
        self.crowded = wide  # in UTF-16 the byte of < may be half of another character
        self.taken = 0
        self.expands = False  # entities make elements without bytes of their own
        self._count_from = 0  # bytes taken before which no element has too many in it
        self.root: Element | None = None

    def read(self, size: int = -1) -> bytes:
        self._prune()
        data, self._before = self._before, b""
        data = data or self._stream.read(self._source.block_size or size)
        self.taken += len(data)
        if not self.crowded:
            self.crowded = self._count_equals(data) > _MOST_ATTRIBUTES
        return data

    def _count_equals(self, data: bytes) -> int:
        """Return the most `=` between two `<`, where there may be too many attributes."""
        first = data.find(b"<")
        if first < 0:
            self._equals += data.count(b"=")
            return self._equals
        most = self._equals + data.count(b"=", 0, first)
        begins = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == _LESS)
        if np.diff(begins, append=len(data)).max() > _MAX_GAP:
            most = max(most, *(part.count(b"=") for part in data[first:].split(b"<")))
        self._equals = data.count(b"=", data.rfind(b"<"))
        return most

    def tell_rest(self) -> None:
        """Report the unwanted elements that are still in the tree."""
        if self.root is not None and self._others is not None:
            self._others.look(self.root, self.root)

    def _prune(self) -> None:
        node, whole, most = self.root, False, 0
        # lxml counts children one by one: with every block it would take quadratic time.
        counts = self.expands or self.taken >= self._count_from
        while node is not None:
            whole = whole or self._ends[str(node.tag)]
            if whole:
                most = max(most, len(node) if counts else 0)
                if most > self._most_children:
                    raise self._source.error(
                        f"element {local_name(node)} has more than {self._most_children:,} "
                        f"elements directly in it, and is wanted whole; check the file",
                        line_of(node),
                    )
            elif len(node) > 1:
                if self._others is not None:
                    self._others.look(node, list(node)[:-1])
                node.text = node[-2].tail  # the text before the only child left
                del node[:-1]
            node = next(node.iterchildren(reversed=True), None)
        if counts:
            self._count_from = self.taken + _SHORTEST * (self._most_children - most)


class _Budget:
    """Limits the characters of a file with entities, in relation to its bytes."""

    def __init__(self, source: Source, counted: _Counted) -> None:
        self._source, self._counted, self._spent = source, counted, 0

    def spend(self, event: str, element: Element) -> None:
        for inner in element.iter() if event == "end" else (element,):
            self._spent += sum(len(str(value)) for value in inner.attrib.values())
        if event == "end":
            self._spent += len(text_of(element))
        if self._spent > _FREE_EXPANSION + _MOST_EXPANSION * self._counted.taken:
            raise self._source.error(
                f"its entities make more than {_MOST_EXPANSION} times its size of text; "
                f"write the text out instead of the entities",
                line_of(element),
            )


def _check_attributes(source: Source, event: str, element: Element) -> None:
    for inner in element.iter() if event == "end" else (element,):
        if len(inner.attrib) > _MOST_ATTRIBUTES:
            raise source.error(
                f"element {local_name(inner)} has {len(inner.attrib)} attributes, more than the "
                f"{_MOST_ATTRIBUTES} that are read; check the file",
                line_of(inner),
            )


def admit(source: Source) -> Prolog:
    """Check the prolog of a file; return the prolog of a file that may be parsed.

    If malformed units are to be left out, the stream of the source no longer has them.
    """
    head = source.head()
    prolog = read_prolog(head)
    if not head.strip():
        raise source.error("is empty where XML is wanted; give the file that holds the data")
    if prolog.flaw:
        raise source.error(prolog.flaw, 1)
    if prolog.encoding is not None and not codec_of(prolog.encoding):
        raise source.error(
            f"declares the encoding {prolog.encoding[:40]!r}, which is not read; convert the file "
            f"to UTF-8",
            1,
        )
    if codec_of(prolog.encoding or "").startswith("utf-16") and b"\0" not in head[:64]:
        raise source.error(
            f"declares the encoding {prolog.encoding!r}, but is not written in it; put the right "
            f"one, as utf-8, into its first line",
            1,
        )
    if prolog.misdeclared:
        kind = "files with the byte order mark of UTF-8, read in that and not as they declare"
        source.note(kind, prolog.misdeclared[:40])
    source.declares_encoding = prolog.encoding is not None
    source.note_encoding(prolog.encoding or source.encoding)
    what = prolog.forbidden()
    if what:
        raise source.error(
            f"declares {what} in its document type, which is not read, for safety; take it out",
            prolog.line,
        )
    if not prolog.root:
        source.refuse_document()
        raise source.error(
            f"is not XML, or has no root element in its first {HEAD >> 10} KB; check the file"
        )
    source.replace_stream(cast("BinaryIO", _Bounded(source, prolog)))
    if source.on_bad is not None and source.units:
        return _without_bad_units(source, prolog)
    return prolog


class _Bounded:
    """Reads a file up to a text, an attribute or a name that is far too long.

    The parser refuses such a string, too, but only after it has read all of it.
    """

    def __init__(self, source: Source, prolog: Prolog) -> None:
        self._source, self._stream = source, source.stream  # the source gets another one
        self._wide = codec_of(prolog.encoding or source.encoding).startswith("utf-16")
        self._line = 1  # of the last <
        self._ends = 0  # line ends since
        self._length = 0  # bytes since

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        at = data.rfind(b"<") + 1
        if at:
            self._line += self._ends + data.count(b"\n", 0, at)
            self._ends = self._length = 0
        self._ends += data.count(b"\n", at)
        self._length += len(data) - at
        if self._length > (_LONGEST << self._wide):
            raise _malformed(self._source, _TOO_LONG, None if self._wide else self._line)
        return data

    def close(self) -> None:
        self._stream.close()


def _without_bad_units(source: Source, prolog: Prolog) -> Prolog:
    """Replace the stream of a file by its well-formed units; return the prolog."""
    from bitext.formats.xml.recovery import SoundUnits

    codec = codec_of(prolog.encoding or source.encoding)
    if codec.startswith("utf-16"):
        prolog = replace(prolog, encoding="utf-8")

    def fault_of(pieces: list[bytes]) -> tuple[str, int] | None:
        return _fault_of(pieces, _unnamed_encoding(source, prolog))

    source.replace_stream(cast("BinaryIO", SoundUnits(source, codec, fault_of)))
    return prolog


def _fault_of(pieces: list[bytes], encoding: str | None) -> tuple[str, int] | None:
    """Parse a document; return its fault and the line, or `None`."""
    from lxml import etree

    parser = etree.XMLParser(encoding=encoding, **_SAFE)
    try:
        for piece in pieces:
            parser.feed(piece)
        root = parser.close()
    except etree.XMLSyntaxError as error:
        return _parser_message(error), error.lineno or 1
    if any(piece.count(b"=") > _MOST_ATTRIBUTES for piece in pieces):
        for element in root.iter("*"):
            if len(element.attrib) > _MOST_ATTRIBUTES:
                return f"{len(element.attrib)} attributes on one element", line_of(element) or 1
    return None


_HUGE = ("XML_PARSE_HUGE", "huge text node", "Huge input lookup")  # the last two before 2.14
_WRONG_BYTES = ("Invalid bytes in character encoding", "Input is not proper UTF-8")


def _parser_message(error: SyntaxError) -> str:
    parser_message = _PLACE.sub("", str(error.msg or error)).strip() or "nothing more is known"
    if "Excessive depth" in parser_message:
        return "elements are nested more than 256 deep"
    if "amplification" in parser_message:
        return "its entities make too much text of little"
    if any(words in parser_message for words in _HUGE):
        return _TOO_LONG
    if parser_message == "no element found":
        return "it ends before its root element does"
    return " ".join(parser_message.split())[:200]


def _malformed(source: Source, parser_message: str, line: int | None) -> FormatError:
    if any(words in parser_message for words in _WRONG_BYTES):
        return source.error(
            "is not well-formed XML: it has bytes that are not in the encoding that it declares "
            "(UTF-8, if it declares none); put the right one, as windows-1252, into its first line",
            line,
        )
    way = leaving_out("units") if source.units else ""
    return source.error(
        f"is not well-formed XML: {parser_message}; correct the file, or get the whole of it{way}",
        line,
    )
