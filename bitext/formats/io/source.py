"""Opening inputs: decompression by the first bytes, decoding, lines, and notes on irregularities.

Line formats end a line with LF or CRLF and with nothing else. An input may be a pipe or a terminal,
but not an endless device, as `/dev/zero`.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Protocol, Self, cast

import numpy as np

from bitext.errors import FormatError, InputError, leaving_out, nearest, remedy
from bitext.formats.io.compression import (
    FILM,
    HEAD,
    MODEL,
    PICTURE,
    SENTENCES_OF_TABLE,
    Limits,
    decompressed,
    document_of,
    packing_of,
    packing_of_name,
)
from bitext.formats.io.encodings import (
    CYRILLIC,
    check_encoding,
    encoding_of,
    encoding_option,
    is_by_lines,
    is_utf_8,
    likelier_page,
    mark_of,
    misread_utf_8,
    name_encoding,
    unmarked_utf_16,
)
from bitext.formats.io.output import check_reading
from bitext.formats.io.remote import called, is_remote, local_path, open_remote
from bitext.model import Bitext
from bitext.model.counts import Note
from bitext.paths import (
    descriptor_of,
    home_hint,
    is_file,
    is_folder,
    is_pipe,
    names_in,
    path_name,
    temporary_folder,
    temporary_room,
)


class Notes:
    """Collects notes on irregularities and losses: a count and the first case of each kind.

    Iteration yields one `Note` for each kind, in order of first occurrence.

    Examples
    --------
    >>> notes = Notes()
    >>> notes.add("empty lines", "a.txt line 3", 2)
    >>> [(note.kind, note.count) for note in notes], notes
    ([('empty lines', 2)], <Notes: empty lines: 2, first a.txt line 3>)

    """

    def __init__(self) -> None:
        self._cases: dict[str, tuple[int, str]] = {}

    def add(self, kind: str, first: str, count: int = 1) -> None:
        """Add `count` cases of a kind; `first` describes the first of them, with its place."""
        known, example = self._cases.get(kind, (0, first))
        self._cases[kind] = (known + count, example)

    def extend(self, others: Iterable[Note]) -> None:
        """Add notes, or all notes of another collector."""
        for note in others:
            self.add(note.kind, note.first, note.count)

    def __iter__(self) -> Iterator[Note]:
        return iter(self.all())

    def __repr__(self) -> str:
        return f"<Notes: {'; '.join(map(str, self)) or 'none'}>"

    def all(self) -> tuple[Note, ...]:
        """Return one note for each kind, in order of first occurrence."""
        return tuple(Note(kind, count, first) for kind, (count, first) in self._cases.items())

    def drop(self, kind: str) -> bool:
        """Remove the note of a kind; return whether there was one."""
        return self._cases.pop(kind, None) is not None

    def drain(self) -> tuple[Note, ...]:
        """Return the notes and clear the collector, so that each part of a file has its own."""
        notes = self.all()
        self._cases.clear()
        return notes


def pooled(*groups: Iterable[Note]) -> tuple[Note, ...]:
    """Return the notes of all groups, those of one kind added up."""
    notes = Notes()
    for group in groups:
        notes.extend(group)
    return notes.all()


_opened: list[BinaryIO] = []  # the standard input that was opened last, which can be read once


def is_stream(name: str) -> bool:
    """Recognise an open file descriptor in a name, or in one of two names with a comma.

    Examples
    --------
    >>> is_stream("-"), is_stream("-,a.fr"), is_stream("/dev/stdin"), is_stream("a-b,c.fr")
    (True, True, True, False)

    """
    parts = (name, *name.split(","))
    return any(part == "-" or descriptor_of(part) is not None for part in parts)


def standard_input() -> BinaryIO:
    """Return the bytes of standard input.

    Raises `InputError` when it is closed, or was opened before.
    """
    if _copies:
        return _copies[-1].open("rb", buffering=0)
    if sys.stdin is None:
        raise InputError("standard input is closed: give it something to read, or name a file")
    stream = sys.stdin.buffer
    if stream.closed or stream in _opened:
        raise InputError("standard input can be read only once, and is needed again: name a file")
    _opened[:] = [stream]
    return stream


@contextmanager
def copied_standard_input() -> Iterator[None]:
    """Copy standard input to a temporary file, so that it can be read more than once meanwhile."""
    with temporary_folder() as folder:
        copy = folder / "standard-input"
        with open_source("-") as source, copy.open("wb") as out, temporary_room():
            shutil.copyfileobj(source.stream, out, _BLOCK)
        _copies.append(copy)
        try:
            yield
        finally:
            _copies.pop()


@contextmanager
def held_pipes() -> Iterator[None]:
    """Let named pipes be opened again meanwhile, as long as only their first megabyte was read.

    A command examines the head of a file to recognise its format, then opens the file to read it.
    """
    if _pipes:
        yield
        return
    _pipes.append({})
    try:
        yield
    finally:
        for pipe in _pipes.pop().values():
            pipe.stream.close()


@dataclass(slots=True)
class _Pipe:
    """A named pipe, with the bytes that were read from it as long as they are few."""

    stream: BinaryIO
    head: bytearray = field(default_factory=bytearray)
    reader: _PipeReader | None = None  # the only one that can read on, beyond the buffer


class _PipeReader(io.RawIOBase):
    """Reads a pipe from its first byte: the bytes that are held, then those to come."""

    def __init__(self, name: str, pipe: _Pipe) -> None:
        self._name, self._pipe, self._place = name, pipe, 0
        self._check()

    def _check(self) -> None:
        if self._pipe.reader not in {None, self}:
            raise InputError(
                f"{self._name}: is a pipe, which is read once, and is needed again: save it to a "
                f"file, and name that"
            )

    def read(self, size: int = -1, /) -> bytes:
        if size < 0:
            return self.readall()
        pipe = self._pipe
        self._check()
        if data := bytes(pipe.head[self._place : self._place + size]):
            self._place += len(data)
            return data
        data = pipe.stream.read(size)
        if pipe.reader is None and len(pipe.head) + len(data) <= _BLOCK:
            pipe.head += data
            self._place += len(data)
        else:
            pipe.reader = self
            pipe.head.clear()
        return data


def can_be_examined(name: str) -> bool:
    """Test a name for a file whose first bytes can be read before it is opened to be read whole."""
    return is_file(name) or (bool(_pipes) and is_pipe(name))


def reads_once(name: str) -> bool:
    """Check whether a file can be read only once: a stream of this process, or a named pipe."""
    return is_stream(name) or any(map(is_pipe, (name, *name.split(","))))


_copies: list[Path] = []  # of standard input
_pipes: list[dict[tuple[int, int], _Pipe]] = []  # by device and inode, of commands that run
_SPREADSHEETS = frozenset((".xlsx", ".xlsm", ".xls", ".ods"))
_BLOCK = 1 << 20  # bytes of one read
_NEXT_BLOCK = 1 << 17  # of reads after the first: the next steps find them in the cache (measured)
_ahead: list[tuple[BinaryIO, Source]] = []  # standard input whose head was examined, if any


class Collecting(Protocol):
    """A collector of bisegments."""

    def __len__(self) -> int: ...

    def rest(self) -> Iterator[Bitext]:
        """Yield the bitext of the bisegments that were not yielded yet, if any."""


class Closable(Protocol):
    """A file, or what has one."""

    def close(self) -> None:
        """Close the file."""


class Source:
    """An input: its name, its decompressed bytes, and notes on its irregularities.

    Parameters
    ----------
    path : str
        The file as the user named it, for messages.
    stream : binary file
        Its decompressed bytes.
    encoding : str
        The encoding of text without a byte order mark or a declaration of its own.
    side : {"src", "tgt", ""}
        The side that the file is the text of, if any.
    limits : Limits, optional
        The largest size to which the file, and each document that it names, may unpack.
    block_size : int
        The bytes of one read, where a reader reads block by block; 0: as many as it prefers.
    by_parser : bool
        Whether XML is read by the parser alone, and regular XML not by expressions.

    Attributes
    ----------
    notes : Notes
        Irregularities so far.
    declares_encoding : bool
        Whether the file declares its encoding; set by its reader.
    on_bad : callable or None
        Takes the error of an unreadable unit, which is then left out; `None`: the error is raised.
    undecodable : set of int
        The lines that are not in the encoding, where bad units are left out. Their undecodable
        bytes are read as surrogates (`surrogateescape`), which no other text contains.
    units, holders : tuple of str
        In XML: the elements of which a bad one is left out, and the elements around them that
        give them their context, the outer ones first.
    collecting : list of Collecting
        The collectors of its reader, which may hold bisegments that were not yielded yet.
    lines_before : int
        In XML: the lines of the file that the parser has not been given, by which the lines of its
        elements are too few.

    """

    def __init__(
        self,
        path: str,
        stream: BinaryIO,
        encoding: str = "utf-8",
        *,
        side: str = "",
        limits: Limits | None = None,
        block_size: int = 0,
        by_parser: bool = False,
    ) -> None:
        self.path = path
        self.encoding = encoding
        self.side = side
        self.declares_encoding = False
        self.limits = limits or Limits()
        self.block_size = block_size
        self.by_parser = by_parser
        self.notes = Notes()
        self.on_bad: Callable[[FormatError], None] | None = None
        self.undecodable: set[int] = set()
        self.units: tuple[str, ...] = ()
        self.holders: tuple[str, ...] = ()
        self.collecting: list[Collecting] = []
        self.lines_before = 0
        self._others: list[Closable] = []
        self._stream = io.BufferedReader(cast("io.RawIOBase", _Guarded(stream, path)), 1 << 20)

    def head(self) -> bytes:
        """Return the first bytes without consuming them."""
        return self._stream.peek(HEAD)[:HEAD]

    @property
    def stream(self) -> BinaryIO:
        """The decompressed bytes, from the current position."""
        return self._stream

    def random_access(self) -> BinaryIO:
        """Open the file for random access, or a temporary copy of its decompressed bytes."""
        head, path = self.head(), Path(self.path)
        if is_file(path):
            handle = path.open("rb")
            if handle.read(len(head)) == head:
                handle.seek(0)
                return handle
            handle.close()
        spool = TemporaryFile()  # noqa: SIM115 - the reader closes it
        with temporary_room():
            shutil.copyfileobj(self.stream, spool, 1 << 20)
            spool.seek(0)
        return cast("BinaryIO", spool)

    def replace_stream(self, stream: BinaryIO) -> None:
        """Continue with another stream, one that reads the stream of this file."""
        self._stream = io.BufferedReader(cast("io.RawIOBase", _Guarded(stream, self.path)), 1 << 20)

    def error(self, message: str, line: int | None = None) -> FormatError:
        """Return an error with the name of this file and a line, counted from 1."""
        return FormatError(message, path=self.path, line=line)

    def note(
        self, kind: str, case: object = None, *, line: int | None = None, count: int = 1
    ) -> None:
        """Note an irregularity by its kind, with the place and the case of the first one."""
        place = self.path if line is None else f"{self.path} line {line}"
        self.notes.add(kind, place if case is None else f"{place}: {case}", count)

    def refuse_document(self) -> None:
        """Refuse a document that is not a text file, as .docx and PDF.

        Raises `FormatError` when the first bytes are those of such a document.
        """
        if document := document_of(self.head()):
            advice = "save its text as plain text, in UTF-8"
            if "Office" in document:
                advice = f"save it as DOCX, or {advice}"
            elif "compressed" in document:
                advice = "unpack it once"
            elif "archive" in document:
                advice = f"unpack it, or {advice}" if "ZIP" in document else "unpack it"
            if Path(self.path).suffix.lower() in _SPREADSHEETS:
                advice = SENTENCES_OF_TABLE
            if document == PICTURE:
                advice = "recognise its text first (OCR)"
            if document == FILM:
                advice = "extract its subtitles first, as SubRip (.srt)"
            if "Git LFS" in document:
                advice = "fetch that (git lfs pull)"
            if document == MODEL:
                advice = f"give it as a model ({remedy('model', command='paragraphs')})"
            if "gettext" in document:
                advice = "give the .po of it (msgunfmt makes one)"
            raise self.error(f"is {document}, not text: {advice}")

    def refuse(self, message: str, line: int | None = None) -> None:
        """Refuse one unit: report its error to `on_bad`, or raise it.

        The error must concern the unit only, so that the reader can continue after the unit.

        Raises `FormatError` when there is no `on_bad`.
        """
        error = self.error(message, line)
        if self.on_bad is None:
            error.is_of_unit = True
            raise error
        if line not in self.undecodable:  # whose error was reported before
            self.on_bad(error)

    def collected(self) -> Iterator[Bitext]:
        """Yield the bisegments that the reader collected before a fatal error."""
        for each in filter(len, self.collecting):
            yield from each.rest()

    def text(self) -> str:
        """Read and decode the rest; a byte order mark wins over the given encoding."""
        bom, encoding = self._mark()
        return self._decoded(self._stream.read(), encoding, bom)

    def blocks(self, *, bare_returns: bool = False) -> Iterator[tuple[int, str]]:
        """Yield the rest in blocks of whole lines, each with the number of its first line.

        A block has whole lines, unless it is the last one of a file without a final line end: some
        1 MB in the first one, from which formats are detected, and less in the others. Memory is
        that of the longest line.

        Raises `FormatError` when the file cannot be decoded, or a carriage return alone ends its
        lines; with `bare_returns` the caller checks for such returns.
        """
        bom, encoding = self._mark()
        if not bare_returns:
            self.refuse_bare_returns(encoding)
        self._stream.read(len(bom))
        line = 1
        if is_by_lines(encoding):
            for data in self._whole_lines():
                yield line, self._decoded(data, encoding, b"", line)
                # `bytes.count` takes seven times as long.
                line += int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord("\n")))
            return
        # Encodings in which the byte of LF may be part of another character: decode, then split.
        decoder = codecs.getincrementaldecoder(encoding)()
        pending: list[str] = []
        while True:
            data = self._stream.read(self.block_size or _BLOCK)
            try:
                text = decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                raise self.error(
                    f"is not {encoding} in this line or soon after it: {error.reason}; "
                    f"{name_encoding(self.side)}",
                    line,
                ) from None
            cut = text.rfind("\n") + 1 if data else len(text)
            if cut or not data:
                block = "".join((*pending, text[:cut]))
                pending = []
                if block:
                    self._note_marks(block, line)
                    yield line, block
                line += block.count("\n")
            pending.append(text[cut:])
            if not data:
                return

    def refuse_bare_returns(self, encoding: str | None = None) -> None:
        """Refuse a file whose lines end with CR alone: all of it would be one line.

        Raises `FormatError` when the first bytes, read in `encoding` (that of the file by default),
        have such lines.
        """
        head = self.head()
        if b"\r" not in head:
            return
        encoding = encoding or mark_of(head, self.encoding)[1]
        text = head if is_by_lines(encoding) else head.decode(encoding, "ignore").encode()
        if b"\r" in text.strip() and b"\n" not in text:
            raise self.error(
                "has carriage returns (CR) alone where lines end; want LF, or CR and LF: convert "
                "the line ends"
            )

    def _whole_lines(self) -> Iterator[bytes]:
        """Yield the rest in blocks that end with LF, and a final block without LF, if any."""
        pending: list[bytes] = []  # pieces of one long line, joined only once
        size = self.block_size or _BLOCK
        while data := self._stream.read(size):
            size = self.block_size or _NEXT_BLOCK
            cut = data.rfind(b"\n") + 1
            if cut:
                yield b"".join((*pending, data[:cut]))
                pending = []
            pending.append(data[cut:])
        last = b"".join(pending)
        if last:
            yield last

    def stream_lines(self, *, bare_returns: bool = False) -> Iterator[tuple[int, str]]:
        """Yield the number and the text of each line of the rest, while reading; see `blocks`."""
        for first, piece in self.blocks(bare_returns=bare_returns):
            lines = piece.split("\n")
            if lines[-1] == "":
                lines.pop()
            if "\r" in piece:
                lines = [line.removesuffix("\r") for line in lines]
            yield from enumerate(lines, first)

    def _mark(self) -> tuple[bytes, str]:
        """Return the byte order mark at the head, if any, and the encoding."""
        self.refuse_document()
        head = self.head()
        bom, encoding = mark_of(head, self.encoding)
        checked = not bom and (is_by_lines(encoding) or encoding.startswith("utf-16"))
        if checked and (wrong := unmarked_utf_16(head, self.side, encoding)):
            raise self.error(wrong)
        self.note_encoding(encoding)
        return bom, encoding

    def note_encoding(self, used: str) -> None:
        """Note that a file is read in another encoding than the given one, or is likely UTF-8.

        `used` is the encoding of reading, from a byte order mark, a declaration or the user.
        """
        given = check_encoding(self.encoding)
        if given != "utf-8" and not check_encoding(used).startswith(given):  # utf-16 is utf-16-le
            named = remedy(f"encoding {self.encoding}")
            kind = f"files that declare their encoding, read in that and not as {named}"
            self.notes.add(kind, f"{self.path}: {used}")
        if misread_utf_8(self.head(), used):
            kind = f"files that seem to be UTF-8, and are read as {used} ({self._rather('utf-8')})"
            self.notes.add(kind, self.path)
        elif page := likelier_page(self.head(), used):
            way = self._rather(page)
            kind = f"files that seem to be {page}, and are read as {used} ({way})"
            if page in CYRILLIC and check_encoding(used) not in CYRILLIC:
                kind = (
                    f"files of which most letters have accents, read as {used}: are they in another"
                    f" script ({way}, if it is Russian)?"
                )
            self.notes.add(kind, self.path)

    def _rather(self, encoding: str) -> str:
        """Word the advice to read the file in another encoding."""
        if self.declares_encoding:
            return "correct the declaration in the file"
        return encoding_option(self.side, encoding)

    def _decoded(self, data: bytes, encoding: str, bom: bytes, line: int = 1) -> str:
        try:
            text = data[len(bom) :].decode(encoding)
        except UnicodeDecodeError as error:
            fault = self._undecodable(data, error.start + len(bom), encoding, line)
            if self.on_bad is None or not is_by_lines(encoding):
                raise fault from None
        else:
            self._note_marks(text, line)
            return text
        return "\n".join(
            self._decoded_line(part, encoding, number)
            for number, part in enumerate(data[len(bom) :].split(b"\n"), line)
        )

    def _note_marks(self, text: str, line: int) -> None:
        """Note line ends of CR, CR and LF, and byte order marks besides that of the file."""
        if "\r" in text and (twice := text.count("\r\r\n")):
            kind = "lines that end with two carriage returns (CR), of which one is kept"
            at = line + text.count("\n", 0, text.find("\r\r\n"))
            self.notes.add(kind, f"{self.path} line {at}", twice)
        # One character is found in a thousandth of the time of two.
        at, first, count = text.find("\ufeff"), -1, 0
        while at >= 0:
            if not at or text[at - 1] == "\n":  # that of the file itself has gone
                first = first if count else at
                count += 1
            at = text.find("\ufeff", at + 1)
        if count:
            line += text.count("\n", 0, first)
            kind = "lines that begin with a byte order mark, as in joined files, which is kept"
            self.notes.add(kind, f"{self.path} line {line}", count)

    def _decoded_line(self, data: bytes, encoding: str, line: int) -> str:
        """Decode a line, with surrogates for undecodable bytes, which are reported."""
        try:
            return data.decode(encoding)
        except UnicodeDecodeError as error:
            if self.on_bad is not None:
                self.on_bad(self._undecodable(data, error.start, encoding, line))
            self.undecodable.add(line)
            return data.decode(encoding, "surrogateescape")

    def _undecodable(self, data: bytes, at: int, encoding: str, line: int) -> FormatError:
        """Return the error of the undecodable byte `at`; `line` is the number of the first line."""
        column = at - (data.rfind(b"\n", 0, at) + 1) + 1
        end = data.find(b"\n", at)
        part = data[at : end if end >= 0 else len(data)]
        way = name_encoding(self.side, part, data[:HEAD])
        if encoding == "utf-8" and misread_utf_8(data[:at], "latin-1"):
            way = (
                "the text before is UTF-8, so the file mixes encodings: convert this line to "
                f"UTF-8{leaving_out('lines')}"
            )
        elif encoding != "utf-8" and is_utf_8(data[:HEAD]):
            way = f"it is UTF-8: read it so ({self._rather('utf-8')})"
        return self.error(
            f"byte {column} of the line is 0x{data[at]:02x}, which is not {encoding}; {way}",
            line + data.count(b"\n", 0, at),
        )

    def plain_text(self) -> str:
        """Read and decode the rest as `text` does; refuse a text with NUL bytes."""
        text = self.text()
        at = text.find("\0")
        if at < 0:
            return text
        line = text.count("\n", 0, at) + 1
        raise self.error("has NUL bytes, so it is not text: leave it out", line)

    def lines(self) -> list[str]:
        """Read and decode the rest as lines; only LF and CRLF end one.

        Raises `FormatError` when the file cannot be decoded, or a carriage return alone ends its
        lines.
        """
        self.refuse_bare_returns()
        lines = self.text().split("\n")
        if lines[-1] == "":
            lines.pop()
        return [line.removesuffix("\r") for line in lines]

    def close_with(self, other: Closable) -> None:
        """Close another file when this one is closed."""
        self._others.append(other)

    def close(self) -> None:
        """Close the file, and those that were to be closed with it."""
        self._stream.close()
        while self._others:
            self._others.pop().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class _Guarded(io.RawIOBase):
    """A wrapper of a stream that turns system errors into `FormatError`."""

    def __init__(self, stream: BinaryIO, path: str) -> None:
        self._inner, self._path = stream, path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast("bytearray", buffer))
        try:
            data = self._inner.read(len(view))
            # A pipe returns the bytes that are ready; `head` needs all of the first ones.
            while 0 < len(data) < min(len(view), HEAD):
                more = self._inner.read(len(view) - len(data))
                if not more:
                    break
                data += more
        except OSError as error:
            raise FormatError(
                f"cannot be read: {error.strerror or error}", path=self._path
            ) from None
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def open_source(
    path: str | os.PathLike[str],
    *,
    encoding: str = "utf-8",
    side: str = "",
    limits: Limits | None = None,
) -> Source:
    """Open a local or remote file for reading; `-` is standard input.

    Compression is detected from the first bytes. For the text of a side (`src`, `tgt`) the encoding
    may be given by side: `src=latin-1`. Reading raises `FormatError` when the file unpacks beyond
    the limits, by default those of `Limits()`.

    Raises `InputError` when there is no such file, it is a directory or cannot be read, or standard
    input was opened before, and `MissingExtraError` for a `.zst` file, or a remote one, where no
    library for it is installed.
    """
    name = path_name(path)
    if not name:
        raise InputError("a name is empty: name a file, or - for standard input")
    encoding = check_encoding(encoding_of(encoding, side) if side else encoding)
    if name == "-":
        if _ahead and sys.stdin is not None and _ahead[0][0] is sys.stdin.buffer:
            _, source = _ahead.pop()
            source.encoding, source.side = encoding, side
            return source
        source = Source("standard input", standard_input(), encoding, side=side, limits=limits)
        return unpacking(source, "")
    if (here := local_path(name)) is None:
        check_reading(name)
        stream, name = open_remote(name), called(name)
        return unpacking(Source(name, stream, encoding, side=side, limits=limits), name)
    name = str(here) if is_remote(name) else name
    return unpacking(Source(name, _open_file(name), encoding, side=side, limits=limits), name)


def look_ahead(limits: Limits | None = None) -> Source:
    """Open standard input to examine its head; the next `open_source` returns the same source.

    `limits` bound its unpacking, also when it is opened next. Raises `InputError` when standard
    input is closed, or was opened before.
    """
    source = open_source("-", limits=limits)
    _ahead[:] = [(sys.stdin.buffer, source)]
    return source


def _open_file(name: str) -> BinaryIO:
    if _pipes and is_pipe(name):
        state = Path(name).stat()  # before it is opened, which waits for a writer
        place = state.st_dev, state.st_ino
        pipes = _pipes[-1]
        if place not in pipes:
            check_reading(name, state)
            pipes[place] = _Pipe(_open_any(name))
        return cast("BinaryIO", _PipeReader(name, pipes[place]))
    return _open_any(name)


def _open_any(name: str) -> BinaryIO:
    """Open a file, a pipe or a terminal, and no other device."""
    try:
        stream = Path(name).open("rb", buffering=0)  # noqa: SIM115 - the Source closes it
    except FileNotFoundError:
        raise InputError(f"{name}: no such file{nearest_file(Path(name))}") from None
    except IsADirectoryError:
        raise InputError(f"{name}: is a directory where a file is wanted; name a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name}: cannot be read: {reason}") from None
    state = os.fstat(stream.fileno())
    mode = state.st_mode
    endless = stat.S_ISCHR(mode) and not stream.isatty() and not Path(name).samefile(os.devnull)
    if stat.S_ISBLK(mode) or endless:
        stream.close()
        raise InputError(f"{name}: is a device where a file is wanted; name a file or a pipe")
    try:
        check_reading(name, state)
    except InputError:
        stream.close()
        raise
    return cast("BinaryIO", stream)


def nearest_file(path: Path) -> str:
    """Word the hint on the most similar existing name, for a mistyped path."""
    folder = path.parent
    if path.is_symlink():
        return f": it is a link to {str(path.readlink())!r:.80}, which is not there"
    if not is_folder(folder):
        return f", nor a folder {folder}{home_hint(path) or '; check the path'}"
    near = nearest(path.name, names_in(folder))
    return f"; did you mean {folder / near}?" if near else "; check the path"


def unpacking(source: Source, name: str) -> Source:
    """Return a source, wrapped in a decompressor where its first bytes are compressed."""
    packing, named = packing_of(source.head()), packing_of_name(name)
    if packing == named == "":
        return source
    if named and not packing:
        source.notes.add(
            "names of compressed files on files that are not compressed",
            f"{name}: is not {named[1:]}-compressed",
        )
        return source
    stream = decompressed(source.stream, packing, path=source.path, limits=source.limits)
    unpacked = Source(source.path, stream, source.encoding, side=source.side, limits=source.limits)
    if packing != named and name:
        kind = "compressed files without the ending of the compression"
        unpacked.notes.add(kind, f"{name}: is {packing[1:]}-compressed")
    return unpacked
