"""Reading XML from untrusted sources: the one place that makes XML parsers.

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

Memory is that of the largest element that is wanted whole, whatever surrounds the element.
Everything before the root element (the prolog) must lie in the first 64 KB, where it is examined
before a parser sees it. Errors are `FormatError`, with the line. lxml is imported at first use.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from bitext.formats.xml.syntax import HEAD, Prolog, codec_of, read_prolog, root_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

    from lxml.etree import _Element as Element

    from bitext.errors import FormatError
    from bitext.formats.io.source import Source


__all__ = [
    "SoundUnits",
    "admit",
    "iterate",
    "line_of",
    "local_name",
    "parse_tree",
    "tree_parser",
    "validating_parser",
    "whole_tree",
]


_MOST_ATTRIBUTES = 256  # of an element; set by hand
_LONG = 3 * _MOST_ATTRIBUTES // 2  # a quarter of what so many attributes take: ` a=""`
_MOST_CHILDREN = 1 << 20  # of an element that is wanted whole; set by hand
_MOST_NAMES = 1 << 10  # cached names; set by hand
_LONGEST = 1 << 24  # bytes without a <; the limit of libxml2 is 10 MB
_TOO_LONG = "a text, an attribute or a name is longer than 10,000,000 bytes"
_FREE_EXPANSION = 1 << 20  # characters from entities that are always allowed, about as in libxml2
_MOST_EXPANSION = 5  # characters from entities a byte of the file, as in libxml2

_MOST_TAGS = 8_000_000  # of a document that is parsed as a whole: bounds memory, set by hand

_SAFE: dict[str, Any] = {
    "resolve_entities": "internal",
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
}

_NAME = re.compile(r"[\w.-]+")
_ICONV = re.compile(r"_|(?<=iso)(?=8859)")  # euc_jp, iso8859-1: iconv wants a hyphen
_WIDE = {"utf-16-le": "utf-16le", "utf-16-be": "utf-16be"}  # and none here
_OURS = re.compile(r"(?i)latin[-_]\d+|\w*_[\w-]*")  # names of encodings that the parser lacks
_PLACE = re.compile(r",? line \d+, column \d+(?: \(.*\))?$")


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def line_of(element: Element) -> int | None:
    """Return the line of the start tag, counted from 1."""
    return cast("int | None", element.sourceline)


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

    Parameters
    ----------
    source : Source
        The file, from its beginning.
    start, end : tuple of str
        The local names wanted at their start tags, and at their end tags.
    before : bytes
        Bytes that the parser gets before the rest of the file, for a file that was read in part.
        Lines of elements count from the beginning of these bytes.
    prolog : Prolog, optional
        The prolog of the file, where its beginning was read already.
    parents : tuple of str
        The local names of elements that should contain only wanted elements.
    on_other : callable, optional
        Called with each other child of these elements, at the latest when the file ends.
    most_children : int
        The most elements directly in an element that is wanted whole.

    Raises
    ------
    FormatError
        When the file is not well-formed, or is not safe to read (see the module); with the line.

    """
    from lxml import etree

    prolog = admit(source) if prolog is None else prolog
    wanted = _Wanted(start, end)
    wide = codec_of(prolog.encoding or source.encoding).startswith("utf-16")
    others = None if on_other is None else _Others(parents, {*start, *end}, on_other)
    counted = _Counted(source, before, wanted, others, wide=wide, most_children=most_children)
    budget = _Budget(source, counted) if "<!ENTITY" in prolog.doctype else None
    every_end = {*start, prolog.name} <= {*end}  # then names need no lookup
    last: Element | None = None
    try:
        for event, element in _parser(source, prolog, counted, {*start, *end}):
            if counted.root is None:
                counted.root = element.getroottree().getroot()
            if event == "start":
                if not start or not wanted[event + element.tag]:
                    continue
            elif not every_end and not wanted[event + element.tag]:
                continue
            if budget or counted.crowded:
                _check_attributes(source, event, element)
            if budget:
                budget.spend(event, element)
            yield event, element
            if event == "end":
                if last is not None:
                    _take_out(last)
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
        remove_comments=True,
        remove_pis=True,
        **_SAFE,
    )
    return cast("Iterator[tuple[str, Element]]", parser)


def _unnamed_encoding(source: Source, prolog: Prolog) -> str | None:
    """Return the encoding for the parser; `None` where the parser detects the encoding."""
    encoding = prolog.encoding or source.encoding
    if prolog.encoding is not None:  # declared, or by a byte order mark
        detected = not _OURS.fullmatch(encoding)
    else:
        detected = codec_of(encoding) in {"", "utf-8"}
    return None if detected else _iconv_name(codec_of(encoding))


def _iconv_name(codec: str) -> str:
    return _WIDE.get(codec) or _ICONV.sub("-", codec)


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

    parser = etree.XMLParser(encoding=_unnamed_encoding(source, prolog), **_SAFE)
    try:
        return cast("Element", etree.fromstring(data, parser))
    except etree.XMLSyntaxError:
        return None


def whole_tree(source: Source) -> Element:
    """Parse a whole file that declares no entities of its own, as a part of a document.

    References to other entities, as `&nbsp;` of XHTML, stay in the tree.

    Raises
    ------
    FormatError
        When the file is not well-formed, or not safe to read (see the module); with the line.

    """
    from lxml import etree

    prolog = admit(source)
    if "<!ENTITY" in prolog.doctype:
        raise source.error("declares entities in its document type: take them out", prolog.line)
    data = source.stream.read()
    if data.count(b"<") > _MOST_TAGS:
        raise source.error(f"has more than {_MOST_TAGS:,} tags: divide the document")
    parser = etree.XMLParser(
        encoding=_unnamed_encoding(source, prolog),
        remove_comments=True,
        remove_pis=True,
        **{**_SAFE, "resolve_entities": False},
    )
    try:
        return cast("Element", etree.fromstring(data, parser))
    except etree.XMLSyntaxError as error:
        raise _malformed(source, _parser_message(error), error.lineno or None) from None


def validating_parser(schema: Any) -> Any:
    """Return a parser that is fed piece by piece and validates by a schema."""
    from lxml import etree

    return etree.XMLPullParser(
        events=("end",), schema=schema, remove_comments=True, remove_pis=True, **_SAFE
    )


def _take_out(element: Element) -> None:
    """Remove a finished element from its parent.

    To be called when a later element has ended: only then does the parser no longer append to its
    tail.
    """
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


class _Wanted(dict[str, bool]):
    """Caches for an event and a full name, joined, whether the caller asked for both."""

    def __init__(self, start: tuple[str, ...], end: tuple[str, ...]) -> None:
        super().__init__()
        self._names = {"start": start, "end": end}

    def __missing__(self, key: str) -> bool:
        if len(self) > _MOST_NAMES:  # a file may invent any number of namespaces
            self.clear()
        event = "start" if key.startswith("start") else "end"
        self[key] = key.removeprefix(event).rpartition("}")[2] in self._names[event]
        return self[key]


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
        wanted: _Wanted,
        others: _Others | None = None,
        *,
        wide: bool,
        most_children: int,
    ) -> None:
        self._source, self._before, self._wanted = source, before, wanted
        self._others, self._most_children = others, most_children
        self._stream: BinaryIO = source.stream
        self._equals = 0  # since the last <
        self.crowded = wide  # in UTF-16 the byte of < may be half of another character
        self.taken = 0
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
        if any(b"<" not in data[at : at + _LONG] for at in range(first, len(data), _LONG)):
            most = max(most, *(part.count(b"=") for part in data[first:].split(b"<")))
        self._equals = data.count(b"=", data.rfind(b"<"))
        return most

    def tell_rest(self) -> None:
        """Report the unwanted elements that are still in the tree."""
        if self.root is not None and self._others is not None:
            self._others.look(self.root, self.root)

    def _prune(self) -> None:
        node, whole = self.root, False
        while node is not None:
            count = len(node)
            whole = whole or self._wanted["end" + str(node.tag)]
            if count > 1 and not whole:
                if self._others is not None:
                    self._others.look(node, list(node)[:-1])
                del node[:-1]
            if count > self._most_children and whole:
                raise self._source.error(
                    f"element {local_name(node)} has more than {self._most_children:,} elements "
                    f"directly in it, and is wanted whole; check the file",
                    line_of(node),
                )
            node = node[-1] if count else None


class _Budget:
    """Limits the characters of a file with entities, in relation to its bytes."""

    def __init__(self, source: Source, counted: _Counted) -> None:
        self._source, self._counted, self._spent = source, counted, 0

    def spend(self, event: str, element: Element) -> None:
        for inner in element.iter() if event == "end" else (element,):
            self._spent += sum(len(str(value)) for value in inner.attrib.values())
        if event == "end":
            self._spent += sum(map(len, map(str, element.itertext())))
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

    Where malformed units are to be left out, the stream of the source no longer has them.
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


def _parser_message(error: SyntaxError) -> str:
    """Return the message of the parser without the position."""
    said = _PLACE.sub("", str(error.msg or error)).strip() or "nothing more is known"
    if "Excessive depth" in said:
        return "elements are nested more than 256 deep"
    if "amplification" in said:
        return "its entities make too much text of little"
    if "XML_PARSE_HUGE" in said:
        return _TOO_LONG
    if said == "no element found":
        return "it ends before its root element does"
    return " ".join(said.split())[:200]


def _malformed(source: Source, said: str, line: int | None) -> FormatError:
    """Return the error for a fault of a file."""
    return source.error(
        f"is not well-formed XML: {said}; correct the file, or get the whole of it", line
    )


# Recovery: reading that goes on after malformed units.
#
# A parser stops at the first fault. Where bad units are to be left out (`Source.on_bad`), the
# parser gets `SoundUnits` instead of the file: the same bytes, where each malformed unit is
# replaced by its line ends. So lines keep their numbers, and readers need no code for recovery.
#
# The file is split into pieces that end where a unit begins. Each piece is parsed by itself, within
# the start tags of the open elements, by the parser that reads the file afterwards; nearly all
# pieces pass. In a piece that fails, units are tried one by one:
#
# | malformed | left out |
# | --- | --- |
# | a unit | up to its end tag, the next unit or the next tag of a holder, whichever is first |
# | text between two units | that text, but no unit |
# | a tag of a holder, as `linkGrp` | all units up to the next well-formed holder |
# | the end of the file | an incomplete unit; open elements are closed |
#
# So no unit is passed on in part, and none in a holder to which it may not belong. Each unit left
# out is one error for `Source.on_bad`. Memory is that of the longest unit, or of the longest text
# between two units.

_SIZE = 1 << 18  # bytes per read; set by hand
_MOST_BYTES = 1 << 24  # bytes without the start of a unit, after which recovery ends
_FED = 1 << 16  # bytes per feed: libxml2 refuses more than 10 MB
_LONGEST_NAME = 256  # bytes of a start tag that may be cut at the end of the buffer
_MOST_NESTED = 8  # starts of units, after which the end tag of the first counts as missing
_SLASH = ord("/")
_NO_UTF_8 = b"\xff"
_TAG_NAME = rb"[^\s<>/!?\"'=]++"
_ATTRIBUTES = rb"(?:[^<>\"'/]++|/(?!>)|\"[^<\"]*+\"|'[^<']*+')*+"
_SKIPPED = rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
_TOKEN = re.compile(rb"%s|<(/?)(%s)(%s)(/?)>" % (_SKIPPED, _TAG_NAME, _ATTRIBUTES), re.DOTALL)
_NAME_OF_TAG = re.compile(rb"</?(%s)" % _TAG_NAME)
_PREFIX = rb"(?:[\w.-]+:)?"
_DECLARED = re.compile(rb"(<\?xml\b[^>]*?)\s+encoding\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_LINE = re.compile(r"(?<=\bline )\d+")
_UNFINISHED = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"))


class _Open(NamedTuple):
    """An open element: its name as written, and its start tag."""

    name: bytes
    tag: bytes


class _Fault(NamedTuple):
    """The message of a parser about a piece, and the line of the file."""

    message: str
    line: int


class SoundUnits:
    """The bytes of an XML file, without malformed units.

    UTF-16 comes out as UTF-8.

    Parameters
    ----------
    source : Source
        The file, from its beginning; names the `units` and their `holders`, and takes an error for
        each unit that is left out.
    codec : str
        The encoding of the file.
    fault_of : callable
        Parses a document that is given in pieces; returns its fault and the line, or `None`.

    """

    def __init__(
        self,
        source: Source,
        codec: str,
        fault_of: Callable[[list[bytes]], tuple[str, int] | None],
    ) -> None:
        self._source, self._fault_of = source, fault_of
        self._stream = source.stream  # the source gets another one
        self._blocks = _blocks(self._stream, codec, source.block_size or _SIZE)
        self._held = b""
        while len(self._held) < HEAD and (block := next(self._blocks, b"")):
            self._held += block
        prolog, end = read_prolog(self._held), root_end(self._held)
        self._root = prolog.name
        self._opening, self._held = self._held[:end], self._held[end:]
        self._ready, self._out = b"", [self._opening]
        self._searched = 0
        self._line = 1 + self._opening.count(b"\n")
        # Units are searched within the root: a unit that is the root is left to the parser.
        self._through = not end or self._root in source.units
        match = _TOKEN.search(self._opening, self._opening.rfind(b"<"))
        self._stack = [_Open(match[2], b"")] if match and not match[4] else []
        units, holders = (
            b"|".join(re.escape(name.encode()) for name in names)
            for names in (source.units, (*source.holders, self._root))
        )
        begin = rb"<%s(?:%s)(?=[\s/>])" % (_PREFIX, units)
        self._begin = re.compile(begin)
        self._begin_or_skip = re.compile(rb"%s|(%s)" % (_SKIPPED, begin), re.DOTALL)
        self._end = re.compile(rb"</%s(?:%s)\s*>" % (_PREFIX, units))
        self._holder = re.compile(rb"</?(%s(?:%s))(?=[\s/>&])" % (_PREFIX, holders))
        self._ranks = {name: rank for rank, name in enumerate(source.holders)}
        self._awaited = ""  # the holder that has to begin before units are passed on again
        self._ended = False
        self._begun = False  # whether a unit, or a holder, was passed on
        self._cut = False  # whether the file ends within a unit

    def read(self, size: int = -1) -> bytes:
        """Return some of the remaining bytes; none at the end."""
        while not self._ready:
            if self._out:
                self._ready, self._out = b"".join(self._out), []
            elif self._through:
                self._ready, self._held = self._held or next(self._blocks, b""), b""
                if not self._ready:
                    break
            elif self._ended:
                break
            else:
                self._advance()
        end = len(self._ready) if size < 0 else size
        given, self._ready = self._ready[:end], self._ready[end:]
        return given

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _advance(self) -> None:
        """Read on to the beginning of a unit, and process the bytes before."""
        block = next(self._blocks, b"")
        self._held += block
        if not block:
            self._ended = True
            piece, self._held = self._held, b""
            self._take(piece)
            if not self._through:
                self._close_open()
            return
        cut = 0
        for match in self._begin.finditer(self._held, max(0, self._searched - _LONGEST_NAME)):
            cut = match.start()
        self._searched = len(self._held)
        full = len(self._held) > _MOST_BYTES
        if not cut or (not full and _is_unfinished(self._held, cut)):
            self._through = full
            return
        piece, self._held, self._searched = self._held[:cut], self._held[cut:], 0
        self._take(piece)

    def _take(self, piece: bytes) -> None:
        """Pass on a piece, or its well-formed parts."""
        if not self._awaited:
            # Most pieces leave the open elements unchanged. Only other pieces, and pieces with
            # prefixes, need a look at each tag.
            alike = b"xmlns" not in piece and self._fault(piece, self._stack) is None
            if alike or self._fits(piece):
                self._begun = True
                self._give(piece)
                return
        at = 0
        while at < len(piece):
            begin = self._next_unit(piece, at)
            self._between(piece[at:begin])
            if self._through:
                self._held = piece[at:] + self._held
                return
            end = begin if begin == len(piece) else self._unit(piece, begin)
            if end < 0:  # the unit ends after the piece
                self._held = piece[begin:] + self._held
                return
            at = end

    def _next_unit(self, piece: bytes, at: int) -> int:
        """Return the offset of the next unit outside of comments; the end without one."""
        for match in self._begin_or_skip.finditer(piece, at):
            if match[1] is not None:
                return match.start()
        return len(piece)

    def _unit(self, piece: bytes, begin: int) -> int:
        """Pass on a unit, or leave the unit out; return its end, -1 where more bytes are needed."""
        end, plain = _element_end(piece, begin, self._holder), self._end.search(piece, begin)
        if end < 0 and not self._ended and len(piece) < _MOST_BYTES:
            return -1
        what = f"a {_name_at(piece, begin)}"
        for tried in dict.fromkeys((end, plain.end() if plain else 0)):
            if tried > 0 and self._fault(piece[begin:tried], self._stack) is None:
                if self._awaited:
                    why = f"stands in a {self._awaited} whose tags are broken"
                    self._leave_out(piece[begin:tried], what, why)
                else:
                    self._begun = True
                    self._give(piece[begin:tried])
                return tried
        ends = [len(piece)] if plain is None else [plain.end()]
        for border in (self._begin.search(piece, begin + 1), self._holder.search(piece, begin)):
            ends += [border.start()] if border else []
        self._cut = self._ended and min(ends) == len(piece)
        self._leave_out(piece[begin : min(ends)], what)
        return min(ends)

    def _between(self, piece: bytes) -> None:
        """Pass on the bytes between two units, or leave them out."""
        if self._awaited:
            self._resume(piece)
        elif not piece.strip():
            self._give(piece)
        elif self._fits(piece):
            self._begun = True
            self._give(piece)
        else:
            holder = self._holder.search(piece)
            before = piece if holder is None else piece[: holder.start()]
            behind = piece[len(before) :]
            if before.strip() and not self._begun:
                # Without the head of the file, nothing is known about its units.
                self._through = True
            elif before.strip() and (not behind or self._goes_on(behind)):
                self._leave_out(before, "something between two units")
                self._give(behind)
            else:
                self._tell(piece, "something between two units")
                self._resume(piece)

    def _goes_on(self, piece: bytes) -> bool:
        """Return whether a piece that begins with a tag of a holder is well-formed by itself."""
        # An open holder of that name may have ended before, by a broken tag.
        name, opens = _name_at(piece, 0), piece[1] != _SLASH
        again = opens and any(_local(each.name) == name for each in self._stack)
        return not again and self._fits(piece)

    def _resume(self, piece: bytes) -> None:
        """Search for a well-formed holder; pass on the bytes from its start tag.

        Open holders are closed, as far as the piece has tags of theirs.
        """
        named = [_local(match[1]) for match in self._holder.finditer(piece)]
        ranks = [self._ranks[name] for name in (*named, self._awaited) if name in self._ranks]
        self._awaited = self._source.holders[min(ranks)] if ranks else self._root
        depth = len(self._stack)
        for k, each in enumerate(self._stack):
            if ranks and self._ranks.get(_local(each.name), -1) >= min(ranks):
                depth = min(depth, k)
        self._out.append(_end_tags(self._stack[depth:]))
        self._stack = self._stack[:depth]
        for match in self._holder.finditer(piece):
            if _local(match[1]) == self._awaited and piece[match.start() + 1] != _SLASH:
                at = match.start()
                if self._fits(piece[at:]):
                    self._awaited = ""
                    self._blank(piece[:at])
                    self._give(piece[at:])
                    return
        self._blank(piece)

    def _close_open(self) -> None:
        if self._stack and not (self._awaited or self._cut):
            message = "it ends before its root element does; get the whole of it"
            self._source.refuse(f"is not well-formed XML: {message}", self._line)
        self._out.append(_end_tags(self._stack))
        self._stack = []

    def _fits(self, piece: bytes) -> bool:
        """Return whether a piece is well-formed here; if so, update the open elements.

        The piece may leave holders open, but no unit.
        """
        after = _walk(piece, self._stack)
        if after is None or any(_local(each.name) in self._source.units for each in after):
            return False
        if self._fault(piece, after) is not None:
            return False
        self._stack = after
        return True

    def _fault(self, piece: bytes, after: list[_Open]) -> _Fault | None:
        """Return the error of a piece that leaves some elements open."""
        inside = b"".join(each.tag for each in self._stack)
        fed = [piece[at : at + _FED] for at in range(0, len(piece), _FED)]
        said = self._fault_of([self._opening + inside, *fed, _end_tags(after)])
        if said is None:
            return None
        first, last = self._line, self._line + piece.count(b"\n")
        shift = first - 1 - self._opening.count(b"\n") - inside.count(b"\n")
        message = _LINE.sub(lambda match: str(max(1, int(match[0]) + shift)), said[0])
        return _Fault(message, min(max(first, said[1] + shift), last))

    def _give(self, piece: bytes) -> None:
        if piece:
            self._out.append(piece)
        self._line += piece.count(b"\n")

    def _blank(self, piece: bytes) -> None:
        self._give(b"\n" * piece.count(b"\n"))

    def _leave_out(self, piece: bytes, what: str, why: str = "") -> None:
        """Leave out a piece, and report why."""
        self._tell(piece, what, why)
        self._blank(piece)

    def _tell(self, piece: bytes, what: str, why: str = "") -> None:
        fault = None if why else self._fault(piece, self._stack)
        why = why or f"is not well-formed XML: {fault.message if fault else 'tags do not match'}"
        self._source.refuse(
            f"has {what} that {why}; correct it", fault.line if fault else self._line
        )


def _blocks(stream: BinaryIO, codec: str, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file; UTF-16 is converted to UTF-8, without its declared encoding."""
    if not codec.startswith("utf-16"):
        while block := stream.read(size):
            yield block
        return
    decoder = codecs.getincrementaldecoder("utf-16" if codec == "utf-16" else codec)(
        "surrogatepass"
    )
    first = True
    while True:
        block = stream.read(size)
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError:  # half of a character at the end: for the parser
            yield _NO_UTF_8
            return
        data = text.removeprefix("\ufeff" if first else "").encode("utf-8", "surrogatepass")
        yield _DECLARED.sub(rb"\1", data, count=1) if first else data
        first = False
        if not block:
            return


def _local(name: bytes) -> str:
    return name.rpartition(b":")[2].decode("utf-8", "replace")


def _name_at(piece: bytes, at: int) -> str:
    match = _NAME_OF_TAG.match(piece, at)
    return _local(match[1]) if match else ""


def _end_tags(stack: list[_Open]) -> bytes:
    return b"".join(b"</%s>" % each.name for each in reversed(stack))


def _is_unfinished(data: bytes, end: int) -> bool:
    """Return whether a comment or section that begins before an offset ends after it."""
    return any(data.rfind(opens, 0, end) > data.rfind(ends, 0, end) for opens, ends in _UNFINISHED)


def _walk(piece: bytes, stack: list[_Open]) -> list[_Open] | None:
    """Return the elements that a piece leaves open; `None` where tags do not match."""
    after = stack[:]
    for match in _TOKEN.finditer(piece):
        closing, name, _, empty = match.groups()
        if name is None or empty:
            continue
        if not closing:
            after.append(_Open(name, match[0]))
        elif not after or after.pop().name != name:
            return None
    return after


def _element_end(piece: bytes, begin: int, border: re.Pattern[bytes]) -> int:
    """Return the end of an element by its tags; 0 for broken tags, -1 after the piece."""
    depth = starts = 0
    name = b""
    for match in _TOKEN.finditer(piece, begin):
        if match[2] is None:
            continue
        if not name and match.start() != begin:
            return 0  # the start tag itself is broken
        name = name or match[2]
        if border.match(piece, match.start()):
            return 0
        if match[2] == name:
            starts += not match[1]
            depth += (-1 if match[1] else 1) * (not match[4])
        if starts > _MOST_NESTED:
            return 0
        if not depth:
            return match.end()
    return -1
