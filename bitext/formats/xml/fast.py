"""Regular pieces of XML files, for readers that match them by expressions.

A file of millions of similar elements is read fastest in large pieces by one regular expression,
but an expression is not an XML parser. So `Pieces` yields only pieces with the same meaning to
both. Each ends with a given end tag, and contains no comment (those of one line between tags are
taken out), no section, no processing instruction, no entity but the five of XML, no carriage return
without a line feed, and no character that XML forbids. The reader has to match all of its elements,
without a gap. From the first piece that is irregular, or that the reader cannot match whole,
`rest()` parses the remainder of the file. `Layouts` matches many elements of the same layout at
once. Tests check that both ways give equal results for the same files.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from bitext.errors import FormatError
from bitext.formats.beads import Beads
from bitext.formats.io.compression import HEAD
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions
from bitext.formats.xml import Prolog, codec_of, has_forbidden_bytes, unescape
from bitext.formats.xml.safe import admit, iterate, line_of, parse_tree
from bitext.lazy import late_pattern

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_SIZE = 1 << 19  # bytes per read; set by hand
_MOST_BYTES = 8 << 20  # bytes of a piece without its end tag; a longer piece goes to the parser
_SUSPECT_GAP = 1 << 12  # bytes; blocks of this length without a < are checked for long tags
_MOST_ATTRIBUTES = 256  # of an element, as in `safe`
_LINE = late_pattern(r"([^\s:]+) line ([0-9]{1,12})(?= and )")  # "mismatch: a line 3 and b"
# A comment in one line between two tags, as OmegaT writes them; with the white space before.
_COMMENT = late_pattern(rb"(?:(?<=>)|\A)([ \t\r\n]*)<!--(?:[ -,.-~]|-(?!-))*-->(?=[ \t\r\n]*<)")
_NUMBER = late_pattern(rb"&#(?:([0-9]{1,7})|x([0-9a-fA-F]{1,6}));")
_OPENS, _BANG, _QUESTION = b"<!?"
_AMPERSAND, _SEMICOLON, _LF = b"&;\n"
# The first three characters of the references with names, as a number.
_LT, _GT, _AMP, _QUO, _APO = (
    int.from_bytes(name) for name in (b"lt;", b"gt;", b"amp", b"quo", b"apo")
)


class Piece(NamedTuple):
    """A piece of a file."""

    text: str  # the characters, line ends as LF, references as written; all references are valid
    line: int  # the line of the file on which the piece begins, from 1
    references: bool  # whether the piece contains references


class Pieces:
    """Yields the regular pieces of an XML file, then gives the rest to a parser.

    The source stands at the beginning of the file. `end` is the end tag after which a piece may
    end, as `b"</tu>"`. A piece is about as long as one read: `size` bytes, unless the source has a
    `block_size`. `prolog` is the prolog of the file; unsafe files are refused.
    """

    def __init__(self, source: Source, end: bytes, *, size: int = _SIZE) -> None:
        self._source, self._end, self._size = source, end, source.block_size or size
        self.prolog: Prolog = admit(source)
        self._held = b""  # read, not yielded yet
        self._given = b""  # the last piece
        self._line = self._line_given = 1
        self._opening = b""
        self._codec = codec = codec_of(self.prolog.encoding or source.encoding)
        # Regular: the encoding contains ASCII, and the file declares nothing.
        single = codec.startswith(("iso8859", "cp125")) or codec in {"utf-8", "ascii"}
        self._regular = single and "[" not in self.prolog.doctype and not source.by_parser

    def opening(self, until: bytes, *, exclusive: bool = False) -> Piece | None:
        """Read up to the end of a tag, as `b"<body>"`; return `None` for an irregular opening.

        To be called once, before anything else, and for a tag in the first 64 KB. The piece
        includes a byte order mark and an XML declaration; if `exclusive` it ends before the tag.
        """
        head = self._source.head()
        at = head.find(until)
        if not self._regular or at < 0:
            self._regular = False
            return None
        self._opening = self._source.stream.read(at if exclusive else at + len(until))
        mark = len(codecs.BOM_UTF8) if self._opening.startswith(codecs.BOM_UTF8) else 0
        piece = self._piece(self._opening[mark:])
        self._regular = piece is not None
        return piece

    @property
    def are_few(self) -> bool:
        """Whether the file is read at once, without a request for smaller pieces."""
        return not self._source.block_size and len(self._source.head()) < HEAD

    @property
    def regular(self) -> bool:
        """Whether the file was regular so far."""
        return self._regular

    def __iter__(self) -> Iterator[Piece]:
        """Yield the pieces after the opening, as long as they are regular.

        The last piece is the remainder after the last end tag.
        """
        while self._regular:
            data = self._next()
            if not data:
                return
            self._given, self._line_given = data, self._line
            # A long piece without an end tag goes to the parser, which limits the length of a text.
            irregular = len(data) > _MOST_BYTES
            if not irregular and _has_markup(data):
                data = _COMMENT.sub(rb"\1", data)
                irregular = not data.endswith(self._end) or _has_markup(data)
            piece = None if irregular else self._piece(data)
            if piece is None:
                self._regular = False
                return
            yield piece
            self._given = b""

    def _next(self) -> bytes:
        """Return the bytes up to the last end tag in the buffer, all remaining bytes at the end."""
        at, searched = -1, 0
        held = bytearray(self._held)  # grows in place, also where a piece is very long
        while at < 0:
            more = self._source.stream.read(self._size)
            held += more
            at = held.rfind(self._end, max(0, searched - len(self._end)))
            searched = len(held)
            if not more or searched > _MOST_BYTES:
                break
        cut = len(held) if at < 0 else at + len(self._end)
        with memoryview(held) as view:
            data, self._held = bytes(view[:cut]), bytes(view[cut:])
        return data

    def _piece(self, data: bytes) -> Piece | None:
        """Decode a piece and count its lines; return `None` where the bytes need a parser."""
        if has_forbidden_bytes(data) or _is_crowded(data):
            return None
        # A search for one byte is many times faster than for three, and rarely succeeds.
        if b"]" in data and b"]]>" in data:
            return None
        try:
            text = data.decode(self._codec)
        except UnicodeDecodeError:
            return None
        if b"\r" in data:
            text = text.replace("\r\n", "\n")
            if "\r" in text:  # ends a line of the text, but none that parsers count
                return None
        references = b"&" in data
        if references and not are_all_valid(data):
            return None
        piece = Piece(text, self._line, references)
        # Line ends are counted in the bytes: in text with characters above U+00FF it takes longer.
        self._line += int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == _LF))
        return piece

    def parsed(self, closing: bytes, text: str | None = None) -> Element | None:
        """Parse the last piece as a tree of its own: the opening, the piece, end tags.

        Lines of the tree lack `lines_before`. The `text` is parsed in place of the piece. Return
        `None` where only a parser of the whole file can read the piece.
        """
        given = self._given if text is None else text.encode(self._codec)
        data = self._opening + given + closing
        if _is_crowded(data):
            return None
        return parse_tree(self._source, self.prolog, data)

    @property
    def lines_before(self) -> int:
        """The number of lines between the opening and the last piece."""
        return self._line_given - 1 - self.lines_again if self._given else 0

    @property
    def lines_skipped(self) -> int:
        """The number of lines between the opening and the part that `rest()` parses."""
        if self._opening and not self._given:
            return max(0, self._line - 1 - self.lines_again)  # 0 after an irregular opening
        return self.lines_before

    def rest(
        self,
        *,
        start: tuple[str, ...] = (),
        end: tuple[str, ...] = (),
        inside: str = "",
        parents: tuple[str, ...] = (),
        on_other: Callable[[Element, int], None] | None = None,
    ) -> Iterator[tuple[str, Element, int]]:
        """Yield (event, element, line) for the elements from the last piece on.

        The parser gets the opening first, so elements of the opening come again, on lines up to
        `lines_again`. Lines are lines of the file, also in errors. `inside` are the start tags,
        without line ends, of the elements that earlier pieces left open; the tags follow the
        opening, and these elements come again, too. `on_other` takes other elements in `parents`,
        with their lines (see `safe.iterate`).
        """
        again = self.lines_again
        opened = inside.encode(self._codec) if inside else b""
        before = self._opening + opened + self._given + self._held
        skipped = self.lines_skipped

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
                lambda m: self._place_in_file(m[1], int(m[2]), opened, skipped), error.message
            )
            raise self._source.error(message, error.line + skipped) from None

    def _place_in_file(self, name: str, line: int, opened: bytes, skipped: int) -> str:
        """Return the name and the line of an element that a message of the parser names.

        The line is unknown if an earlier piece left the element open.
        """
        again = self.lines_again
        tag = rb"<%s[\s/>]" % re.escape(name.encode())
        if line == again + 1 and re.search(tag, opened):
            return name
        if line > again + 1 or (line > again and not re.search(tag, self._opening)):
            line += skipped
        return f"{name} line {line}"

    @property
    def lines_again(self) -> int:
        """The number of line ends in the opening."""
        return self._opening.count(b"\n")


def _has_markup(data: bytes) -> bool:
    """Check for a comment, a section or a processing instruction in the bytes."""
    signs = np.frombuffer(data, dtype=np.uint8)
    behind = signs[1:]
    begins = ((behind == _BANG) | (behind == _QUESTION)) & (signs[:-1] == _OPENS)
    return bool(begins.any())


def _is_crowded(data: bytes) -> bool:
    """Check for a tag that may have more attributes than the parser accepts.

    Readers build expressions from the attributes of a tag, so tags have to be short.
    """
    blocks = range(0, len(data) - _SUSPECT_GAP + 1, _SUSPECT_GAP)  # without the last, shorter block
    if all(data.find(b"<", at, at + _SUSPECT_GAP) >= 0 for at in blocks):
        return False
    return any(part.count(b"=") > _MOST_ATTRIBUTES for part in data.split(b"<"))


def are_all_valid(data: bytes) -> bool:
    """Check whether every ampersand begins a reference to a character that XML allows.

    The encoding contains ASCII.
    """
    signs = np.frombuffer(data, dtype=np.uint8)
    at = np.flatnonzero(signs == _AMPERSAND)
    # The five characters after each ampersand; those after the end are the last one.
    behind = [signs[np.minimum(at + k, signs.size - 1)].astype(np.int64) for k in range(1, 6)]
    three = (behind[0] << 16) | (behind[1] << 8) | behind[2]
    ends = [each == _SEMICOLON for each in behind]
    named = (three == _LT) | (three == _GT) | ((three == _AMP) & ends[3])
    named |= (three == _QUO) & (behind[3] == ord("t")) & ends[4]
    named |= (three == _APO) & (behind[3] == ord("s")) & ends[4]
    others = at.size - int(np.count_nonzero(named))
    numbers = _NUMBER.findall(data) if others else []
    return others == len(numbers) and all(
        _allowed(int(decimal) if decimal else int(hexadecimal, 16))
        for decimal, hexadecimal in set(numbers)
    )


def _allowed(code: int) -> bool:
    if code < 0x20:
        return code in {9, 10, 13}
    return code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code <= 0x10FFFF


# Tags as programs write them.
#
# A tag means the same to an expression and to a parser if the name has no prefix, attributes are in
# double quotes with one blank before each, and values have no line ends or tabs. Values may contain
# references, which `Pieces` has checked.

NAME = r"[A-Za-z_][\w.-]*"
VALUE = r'"[^"<\t\n]*"'
ATTRIBUTES = rf"(?: (?:xml:)?{NAME}={VALUE})*"
_SPACE = " \t\r\n"
KEY = late_pattern(rf" ((?:xml:)?{NAME})={VALUE}", re.ASCII)
PAIR = late_pattern(rf" ((?:xml:)?{NAME})=({VALUE})", re.ASCII)
# A tag without its `<`, with the text after the tag.
TAG = late_pattern(rf"(/?)({NAME})({ATTRIBUTES}) ?(/?)>([^<]*)", re.ASCII)
_OPENING = late_pattern(
    r"""(?:<\?xml\ version=["']1\.0["']
        (?:\ encoding=["'](?i:utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)["'])?
        (?:\ standalone=["'](?:yes|no)["'])?\s*\?>)?\s*
    (?:<!DOCTYPE\ [A-Za-z]+(?:\s+(?=[PS])|\s*(?=>))
        (?:PUBLIC\s+"[\w\ \n/.:-]*"\s+"[^"<&]*"|SYSTEM\s+(?:"[^"<&]*"|'[^'<&]*'))?\s*>\s*)?
    <(?P<name>[A-Za-z_][\w.-]*)(?P<attributes>(?:\s+[\w.:-]+="[^"<]*")*)\s*>""",
    re.ASCII | re.VERBOSE,
)
# Namespaces that are certainly URIs; the parser refuses a namespace that is none.
_NAMESPACE = late_pattern(r"(?:https?://[\w.-]+(?:/[\w./~-]*)?|urn:[\w:.-]+)(?:#\w*)?", re.ASCII)
_XMLNS = late_pattern(r' xmlns="([^"]*)"')
MOST_OPEN = 200  # open elements; libxml2 refuses more than 256


def attribute_names(attributes: str) -> list[str] | None:
    """Return the names of attributes, as `ATTRIBUTES` matches them.

    Return `None` where a parser has to read the attributes: a name twice, or a namespace.
    """
    if not attributes:
        return []
    names = KEY.findall(attributes)
    unusual = any(name == "xmlns" or (":" in name and name != "xml:lang") for name in names)
    return None if unusual or len(set(names)) != len(names) else names


def opened_root(pieces: Pieces) -> tuple[str, str] | None:
    """Read up to the end of the start tag of the root; return its name and its attributes.

    Return `None` where a parser has to read the file.
    """
    prolog = pieces.prolog
    tag = f"<{prolog.root}{prolog.attributes}>"
    opening = pieces.opening(tag.encode()) if tag.isascii() else None
    match = _OPENING.fullmatch(opening.text) if opening else None
    if match is None:
        return None
    attributes = " ".join(match["attributes"].split())
    attributes = f" {attributes}" if attributes else ""
    names = KEY.findall(attributes)
    whole = re.fullmatch(ATTRIBUTES, attributes, re.ASCII)
    known = whole is not None and len(set(names)) == len(names)
    known = known and all(":" not in name or name == "xml:lang" for name in names)
    plain = all(_NAMESPACE.fullmatch(name) for name in _XMLNS.findall(attributes))
    return (match["name"], attributes) if known and plain else None


class Tags:
    """The stack of open elements within the root.

    `root` is the name of the root element, which is open, and `leaf` that of the elements that the
    reader matches itself. `closed` is true once the root has ended.
    """

    def __init__(self, root: str, leaf: str) -> None:
        self._root, self._leaf = root, leaf
        self.open: list[tuple[str, str]] = []
        self.closed = False

    def count(self, wanted: str) -> int:
        """Return the number of open elements with that name."""
        return sum(name == wanted for name, _ in self.open)

    def inside(self) -> str:
        """Return the start tags of the open elements within the root."""
        return "".join(tag for _, tag in self.open)

    def copy(self) -> Tags:
        """Copy the stack, so that an irregular piece leaves the original unchanged."""
        other = Tags(self._root, self._leaf)
        other.open, other.closed = self.open[:], self.closed
        return other

    def take(self, tag: str) -> tuple[str, str] | None:
        """Apply a tag, given without its `<` and with the text after the tag.

        Return the name, for an end tag with `/` before and for an empty element with `/` after,
        and the attributes; `None` if a parser has to read the tag.
        """
        match = TAG.fullmatch(tag)
        if match is None or self.closed:
            return None
        end, name, attributes, empty, behind = match.groups()
        if not end:
            unusual = name == self._leaf or len(self.open) > MOST_OPEN
            if unusual or attribute_names(attributes) is None:
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


# Layouts of elements that a program writes alike, many elements matched by one expression.
#
# Programs write all units of a file alike: the same tags with the same attributes in the same order
# and the same white space between them. The layout of one unit gives an expression that matches the
# values of the others. The match is complete if the lengths of the values and of the fixed parts
# add up to the length of the text. What the values mean is for the reader of a format to say.

NUL = "\0"
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a unit, with the white space in front."""

    # Matches a unit; its groups are the values, after a first group with one `<`.
    expression: str
    fixed: int  # the number of characters of a unit outside of the groups
    names: Sequence[str]  # the content of each group; `<` for the first
    # The numbers of line ends before the start tag, and outside of the groups as a whole.
    ends: tuple[int, int]


class WrittenUnit:
    """A unit as written, translated to the parts of an expression.

    `names` are those of the values, `fixed` is the number of characters outside of these, and
    `ends` that of the line ends among them.
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.names: list[str] = []
        self.fixed = self.ends = 0

    def literal(self, text: str) -> None:
        """Add characters that all units have."""
        self.parts.append(re.escape(text))
        self.fixed += len(text)
        self.ends += text.count("\n")


Known = TypeVar("Known", bound=Layout)


@dataclass(frozen=True, slots=True)
class Matches:
    """The units of a text."""

    # The values of each group, for all units; empty if a unit has another layout.
    groups: Sequence[tuple[str, ...]]
    blocks: Sequence[str]  # the values of each group, joined by NUL
    begins: Sequence[int]  # the number of the first group of each layout
    counts: Sequence[int]  # the number of units of each layout
    size: int  # the number of characters in the groups and around them

    def __len__(self) -> int:
        return len(self.groups[0])

    def values(self, group: int, which: list[int] | None, *, references: bool) -> list[str]:
        """Return the values of a group of some units; `None`: of all. `references` are replaced."""
        own = self.groups[group]
        values = list(own) if which is None else [own[k] for k in which]
        if references and "&" in self.blocks[group]:
            return unescape(NUL.join(values)).split(NUL)
        return values

    def which(self, layout: int) -> list[int] | None:
        """Return the units of a layout, by its number; `None` for all units."""
        if self.counts[layout] == len(self.groups[0]):
            return None
        return [k for k, mark in enumerate(self.groups[self.begins[layout]]) if mark]


class Layouts(Generic[Known]):
    """The known layouts of the units of a file.

    `other` is an expression that matches units of unknown layouts, in one group; by default none.
    """

    def __init__(self, other: str = "") -> None:
        self._other = other
        self._known: list[Known] = []
        self._alone: list[re.Pattern[str]] = []  # the expression of each
        self._together: re.Pattern[str] | None = None  # of all, compiled when it is needed

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[Known]:
        return iter(self._known)

    def add(self, layout: Known) -> None:
        """Add a new layout."""
        self._known.append(layout)
        self._alone.append(re.compile(layout.expression))
        self._together = None

    def fits(self, unit: str) -> bool:
        """Look up the layout of a unit, with the white space in front of it."""
        return any(pattern.fullmatch(unit) for pattern in self._alone)

    @property
    def pattern(self) -> re.Pattern[str]:
        """The expression of all layouts; a piece with several new ones compiles it once."""
        if self._together is None:
            each = [known.expression for known in self._known]
            self._together = re.compile("|".join([*each, self._other] if self._other else each))
        return self._together

    def match(self, text: str) -> Matches | None:
        """Return the units of a text; `None` without any.

        The text is matched whole if its length is the size of the matches.
        """
        matches = self.pattern.findall(text) if self._known or self._other else []
        if not matches:
            return None
        single = isinstance(matches[0], str)  # an expression of one group
        groups = [tuple(matches)] if single else list(zip(*matches, strict=True))
        blocks = [NUL.join(group) for group in groups]
        size = sum(map(len, blocks)) - len(blocks) * (len(matches) - 1)
        begins, counts, at = [], [], 0
        for layout in self._known:
            begins.append(at)
            counts.append(blocks[at].count("<"))
            size += counts[-1] * layout.fixed
            at += len(layout.names)
        return Matches(groups, blocks, begins, counts, size)

    def lines(self, piece: Piece, matches: Matches) -> list[int]:
        """Return the line on which each unit begins, without line ends in values."""
        before, whole = np.zeros((2, len(matches)), dtype=np.int64)
        for layout, begin in zip(self._known, matches.begins, strict=True):
            here = np.fromiter(map(bool, matches.groups[begin]), np.bool_, len(matches))
            before[here], whole[here] = layout.ends
        lines: list[int] = (piece.line + np.cumsum(whole) - whole + before).tolist()
        return lines


def lines_of_units(piece: Piece, begin: re.Pattern[str]) -> list[int]:
    """Return the line on which each unit of a piece begins; `begin` matches where one does."""
    lines, line, at = [], piece.line, 0
    for match in begin.finditer(piece.text):
        line += piece.text.count("\n", at, match.start())
        at = match.start()
        lines.append(line)
    return lines


def placed(
    values: list[Value], which: list[int] | None, among: Sequence[Value | None]
) -> list[Any]:
    """Put values at the positions in `which`; `None` for all positions."""
    if which is None:
        return values
    whole = list(among)
    for k, value in zip(which, values, strict=True):
        whole[k] = value
    return whole


def in_parts(units: range, beads: Beads, options: ReadOptions) -> Iterator[range]:
    """Yield runs of consecutive units, each up to the end of a part, as the parser adds them."""
    at = units.start
    while at < units.stop:
        room = options.part_size - len(beads) if options.parts else len(units)
        end = min(at + max(room, 1), units.stop)
        yield range(at, end)
        at = end
