"""Recovery: reading that continues after malformed units of an XML file.

A parser stops at the first fault. If bad units are to be left out (`Source.on_bad`), the
parser gets `SoundUnits` instead of the file: the same bytes, where each malformed unit is
replaced by its line ends. So lines keep their numbers, and readers need no code for recovery.

The file is split into pieces that end where a unit begins. Each piece is parsed by itself, within
the start tags of the open elements, by the parser that reads the file afterwards; nearly all
pieces pass. In a piece that fails, units are tried one by one:

| malformed | left out |
| --- | --- |
| a unit | up to its end tag, the next unit or the next tag of a holder, whichever is first |
| text between two units | that text, but no unit |
| a tag of a holder, as `linkGrp` | all units up to the next well-formed holder |
| the end of the file | an incomplete unit; open elements are closed |

So no unit is passed on in part, and none in a holder to which it may not belong. Each unit left
out is one error for `Source.on_bad`. Memory is that of the longest unit, or of the longest text
between two units.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from bitext.formats.io.source import Source
from bitext.formats.xml import HEAD, read_prolog, root_end

_SIZE = 1 << 18  # bytes per read; set by hand
_MOST_BYTES = 1 << 24  # bytes without the start of a unit, after which recovery ends
_FED = 1 << 16  # bytes per feed: libxml2 refuses more than 10 MB
_TAIL = 1 << 12  # bytes that are first searched for the last unit; set by hand
_LONGEST_NAME = 256  # bytes of a start tag that may be cut at the end of the buffer
_MOST_NESTED = 8  # starts of units, after which the end tag of the first counts as missing
_SLASH = ord("/")
_NO_UTF_8 = b"\xff"
# The last, empty alternative in `(?:...|)*+`: see `bitext.lazy.late_pattern`.
_TAG_NAME = rb"[^\s<>/!?\"'=]++"
_ATTRIBUTES = rb"(?:[^<>\"'/]++|/(?!>)|\"[^<\"]*+\"|'[^<']*+'|)*+"
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

    The source names the `units` and their `holders`, and takes an error for each unit that is left
    out. `fault_of` parses a document that is given in pieces; it returns its fault and the line, or
    `None`.
    """

    def __init__(
        self, source: Source, codec: str, fault_of: Callable[[list[bytes]], tuple[str, int] | None]
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
        self._stack = [_Open(match[2], b"")] if match and match[2] and not match[4] else []
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
        cut = self._last_unit(max(0, self._searched - _LONGEST_NAME))
        self._searched = len(self._held)
        full = len(self._held) > _MOST_BYTES
        if not cut or (not full and _is_unfinished(self._held, cut)):
            self._through = full
            return
        piece, self._held, self._searched = self._held[:cut], self._held[cut:], 0
        self._take(piece)

    def _last_unit(self, begin: int) -> int:
        """Return the offset of the last unit in the buffer from `begin` on; 0 without one."""
        at, size = len(self._held), _TAIL
        while at > begin:
            at, size = max(begin, len(self._held) - size), size * size
            *_, last = (0, *(match.start() for match in self._begin.finditer(self._held, at)))
            if last:
                return last
        return 0

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
        """Pass on a unit, or leave the unit out; return its end, -1 if more bytes are needed."""
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
        """Check whether a piece is well-formed by itself; it begins with a tag of a holder."""
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
        """Return True for a piece that is well-formed here, and update the open elements.

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
        parser_message = self._fault_of([self._opening + inside, *fed, _end_tags(after)])
        if parser_message is None:
            return None
        first, last = self._line, self._line + piece.count(b"\n")
        shift = first - 1 - self._opening.count(b"\n") - inside.count(b"\n")
        message = _LINE.sub(lambda match: str(max(1, int(match[0]) + shift)), parser_message[0])
        return _Fault(message, min(max(first, parser_message[1] + shift), last))

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
    block = stream.read(size)
    if codec == "utf-16" and not block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        codec = "utf-16-be" if block.startswith(b"\0") else "utf-16-le"
    decoder = codecs.getincrementaldecoder(codec)("surrogatepass")
    first = True
    while True:
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
        block = stream.read(size)


def _local(name: bytes) -> str:
    return name.rpartition(b":")[2].decode("utf-8", "replace")


def _name_at(piece: bytes, at: int) -> str:
    match = _NAME_OF_TAG.match(piece, at)
    return _local(match[1]) if match else ""


def _end_tags(stack: list[_Open]) -> bytes:
    return b"".join(b"</%s>" % each.name for each in reversed(stack))


def _is_unfinished(data: bytes, end: int) -> bool:
    """Check for a comment or section that begins before an offset and ends after it."""
    return any(
        data.find(opens, 0, end) >= 0  # mostly there is none, and a search forward is faster
        and data.rfind(opens, 0, end) > data.rfind(ends, 0, end)
        for opens, ends in _UNFINISHED
    )


def _walk(piece: bytes, stack: list[_Open]) -> list[_Open] | None:
    """Return the elements that a piece leaves open; `None` if tags do not match."""
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
