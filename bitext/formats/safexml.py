"""Reading XML that nobody vouches for: the one place that makes XML parsers.

| what a file may try | what happens |
| --- | --- |
| external entities, parameter entities, an external document type | never opened; declaring one is an error |
| default attributes in an internal subset | error: they multiply without being written |
| entity bombs | error: by libxml2's amplification limit, and by our count of characters |
| undefined entities | error, never an empty string |
| UTF-7 and other encodings that hide markup | error: there is a list of encodings |
| depth above 256, one text above 10 MB | error by libxml2 (`huge_tree` stays off) |
| more than 256 attributes on an element | error: some operations on them are quadratic |
| XInclude, schemas, stylesheets, the network | never used |

Everything before the root element (the prolog) must lie in the first 64 KB, where it is examined
before a parser sees it. Errors are `FormatError`, with the line. lxml is imported at first use.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bitext.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["Prolog", "iterate", "local_name", "read_prolog"]

_HEAD = 1 << 16
_MOST_ATTRIBUTES = 256
_FREE_EXPANSION = 1 << 20  # as libxml2: so many characters may come out of entities anyhow
_MOST_EXPANSION = 5

_LATIN = {f"iso8859-{k}" for k in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)}
_WINDOWS = {f"cp{k}" for k in (874, 932, 936, 949, 950, *range(1250, 1259))}
_OTHERS = {"ascii", "koi8-r", "koi8-u", "shift_jis", "euc_jp", "euc_kr", "gb2312", "gbk"}
_CHINESE = {"gb18030", "big5", "big5hkscs", "tis-620"}
_UNICODE = {"utf-8", "utf-16", "utf-16-le", "utf-16-be"}
_ENCODINGS = _LATIN | _WINDOWS | _OTHERS | _CHINESE | _UNICODE

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_DECLARED = re.compile(rb"<\?xml\s[^>]*?encoding\s*=\s*[\"']([^\"'>]*)", re.DOTALL)
_MISC = re.compile(r"[ \t\r\n]+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
_PIECE = re.compile(r"[^\"'<>\[\]]+|\"[^\"]*\"|'[^']*'|<!--.*?-->|<\?.*?\?>|[<>\[\]]", re.DOTALL)
_ROOT = re.compile(r"<([^\s<>/!?\"'=]+)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)>")
_PLACE = re.compile(r",? line \d+, column \d+(?: \(.*\))?$")


@dataclass(frozen=True, slots=True)
class Prolog:
    """What stands before the root element, and its start tag.

    Attributes
    ----------
    declared : bool
        Whether there is an XML declaration.
    encoding : str or None
        The encoding that a mark or the declaration names, as written; `None` for neither.
    doctype : str
        The document type declaration, with quoted strings and comments taken out; may be empty.
    root : str
        The name of the root element, with its prefix; empty when none begins in the head.
    attributes : str
        The attributes of the root element, as written.
    spaced : bool
        Whether white space stands before the XML declaration.

    """

    declared: bool
    encoding: str | None
    doctype: str
    root: str
    attributes: str
    spaced: bool = False

    @property
    def name(self) -> str:
        """The name of the root element without its prefix."""
        return self.root.rpartition(":")[2]


def read_prolog(head: bytes) -> Prolog:
    """Read the prolog in the first bytes of a file; what is not XML gives an empty `root`."""
    named, text = _decode(head[:_HEAD])
    body = text.lstrip(" \t\r\n")
    declared = body.startswith("<?xml") and body[5:6] in {" ", "\t", "\r", "\n"}
    at, doctype = 0, ""
    while True:
        found = _MISC.match(body, at)
        if found:
            at = found.end()
        elif not doctype and body[at : at + 9].upper() == "<!DOCTYPE":
            doctype, at = _skip_doctype(body, at)
        else:
            break
    root = _ROOT.match(body, at)
    return Prolog(
        declared=declared,
        encoding=named,
        doctype=doctype,
        root=root[1] if root else "",
        attributes=root[2] if root else "",
        spaced=declared and body is not text and len(body) < len(text),
    )


def _decode(head: bytes) -> tuple[str | None, str]:
    """Return the name of the encoding, as a mark or the declaration says, and the text."""
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return codec.removesuffix("-sig"), head.decode(codec, "replace")
    found = _DECLARED.match(head.lstrip(b" \t\r\n")[:1024])
    if found is None:
        return None, head.decode("utf-8", "replace")
    name = found[1].decode("ascii", "replace")
    return name, head.decode("utf-8" if _codec(name) in {"", "utf-16"} else name, "replace")


def _codec(name: str) -> str:
    """Return Python's name of an encoding on the list; empty for any other."""
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return found if found in _ENCODINGS else ""


def _skip_doctype(text: str, start: int) -> tuple[str, int]:
    """Return the document type from `start`, without quoted strings and comments, and its end."""
    at, inside, kept = start, False, []
    while found := _PIECE.match(text, at):
        piece, at = found[0], found.end()
        if piece[0] in "\"'":
            kept.append('""')
        elif not piece.startswith(("<!--", "<?")):
            kept.append(piece)
        inside = (inside or piece == "[") and piece != "]"
        if piece == ">" and not inside:
            return "".join(kept), at
    return "".join(kept), len(text)


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def iterate(
    source: Source, *, start: tuple[str, ...] = (), end: tuple[str, ...] = ()
) -> Iterator[tuple[str, Element]]:
    """Yield (event, element) for elements of the given local names, as the file is read.

    Names are compared without their namespaces. At `"start"` an element has its attributes and
    nothing else yet. At `"end"` it is whole; when the next event is asked for, it is emptied and
    taken out of its parent, so that memory does not grow with the file (an outer named element
    no longer holds the inner ones that were named too). Comments and processing instructions
    are left out, entities of the file itself are put in.

    Parameters
    ----------
    source : Source
        The file, from its beginning.
    start, end : tuple of str
        The local names wanted at their start tags, and at their end tags.

    Raises
    ------
    FormatError
        When the file is not well-formed, or is not safe to read (see the module); with the line.

    """
    from lxml import etree

    prolog = _admit(source)
    counted = _Counted(source)
    events = [event for event, names in (("start", start), ("end", end)) if names]
    names = sorted({*start, *end})
    wanted = _Wanted(start, end)
    budget = _Budget(source, counted) if "<!ENTITY" in prolog.doctype else None
    parser = etree.iterparse(
        counted,
        events=events,
        tag=[f"{{*}}{name}" for name in names],
        encoding=None if prolog.encoding or source.encoding == "utf-8" else source.encoding,
        resolve_entities="internal",  # type: ignore[arg-type]  # the stubs know bool only
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    last: Element | None = None
    try:
        for event, element in parser:
            if last is not None and event == "end":
                _free(last)
                last = None
            if wanted.get(event + element.tag) or wanted.look_up(event, element.tag):
                if len(element.attrib) > _MOST_ATTRIBUTES:
                    raise source.error(
                        f"element {local_name(element)} has {len(element.attrib)} attributes, "
                        f"more than the {_MOST_ATTRIBUTES} that are read; check the file",
                        element.sourceline,
                    )
                if budget:
                    budget.spend(event, element)
                yield event, element
            if event == "end":
                element.clear(keep_tail=True)
                last = element
    except etree.XMLSyntaxError as error:
        raise _translate(source, error) from None


def _free(element: Element) -> None:
    """Take a finished element out of its parent.

    It goes when a later one has ended: only then is the parser surely not writing after it.
    """
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


class _Wanted(dict[str, bool]):
    """Remembers for each event and full name whether the caller asked for it."""

    def __init__(self, start: tuple[str, ...], end: tuple[str, ...]) -> None:
        super().__init__()
        self._names = {"start": start, "end": end}

    def look_up(self, event: str, tag: str) -> bool:
        known = self[event + tag] = tag.rpartition("}")[2] in self._names[event]
        return known


class _Counted:
    """Counts the bytes that the parser has taken."""

    def __init__(self, source: Source) -> None:
        self._stream: BinaryIO = source.stream
        self.taken = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.taken += len(data)
        return data


class _Budget:
    """Counts the characters that a file with entities comes to, against its bytes."""

    def __init__(self, source: Source, counted: _Counted) -> None:
        self._source, self._counted, self._spent = source, counted, 0

    def spend(self, event: str, element: Element) -> None:
        if event == "start":
            self._spent += sum(map(len, map(str, element.attrib.values())))
        else:
            self._spent += sum(map(len, element.itertext()))
            self._spent += sum(
                len(str(value)) for inner in element.iter() for value in inner.attrib.values()
            )
        if self._spent > _FREE_EXPANSION + _MOST_EXPANSION * self._counted.taken:
            raise self._source.error(
                f"its entities make more than {_MOST_EXPANSION} times its size of text; "
                f"write the text out instead of the entities",
                element.sourceline,
            )


def _admit(source: Source) -> Prolog:
    """Refuse a file by its prolog; return the prolog of one that may be parsed."""
    head = source.head()
    prolog = read_prolog(head)
    if not head.strip():
        raise source.error("is empty where XML is wanted; give the file that holds the data")
    if prolog.spaced:
        raise source.error(
            "has white space before the XML declaration; delete it, so that <?xml is the "
            "very beginning of the file",
            1,
        )
    if prolog.encoding is not None and not _codec(prolog.encoding):
        raise source.error(
            f"declares the encoding {prolog.encoding[:40]!r}, which is not read; convert the file "
            f"to UTF-8",
            1,
        )
    what = _forbidden(prolog.doctype)
    if what:
        raise source.error(
            f"declares {what} in its document type, which is not read, for safety; take it out",
            1 + source.head().count(b"\n", 0, max(0, head.upper().find(b"<!DOCTYPE"))),
        )
    if not prolog.root and len(head) >= _HEAD:
        raise source.error(
            f"has no root element in its first {_HEAD >> 10} KB; shorten what stands before it"
        )
    return prolog


def _forbidden(doctype: str) -> str:
    """Name the first thing in a document type that is refused; empty for none."""
    subset = doctype.partition("[")[2]
    if "<!ATTLIST" in subset:
        return "default attributes (ATTLIST)"
    if re.search(r"<!ENTITY\s+%|%[^\s;%]+;", subset):
        return "a parameter entity"
    if re.search(r"<!ENTITY\s+[^\s<>]+\s+(?:SYSTEM|PUBLIC)\b", subset):
        return "an external entity"
    return ""


def _translate(source: Source, error: SyntaxError) -> FormatError:
    """Make an error of ours of one of the parser: what is wrong, on one line."""
    said = _PLACE.sub("", str(error.msg or error)).strip() or "nothing more is known"
    line = error.lineno or None
    if "Excessive depth" in said:
        said = "elements are nested more than 256 deep"
    elif "amplification" in said:
        said = "its entities make too much text of little"
    elif said == "no element found":
        said = "it ends before its root element does"
    return source.error(
        f"is not well-formed XML: {' '.join(said.split())[:200]}; correct the file, or get it whole",
        line,
    )
