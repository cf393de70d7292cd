"""Archives of documents (ZIP), as DOCX, ODT and EPUB are: their members, read safely.

| in the archive | is |
| --- | --- |
| members that need a password | refused |
| members of a name outside of the archive (`../a`, `/a`) | refused, whatever they hold |
| members that unpack beyond the limits, all together | refused; limits as of compressed files |
| other compression than deflate | refused |
| XML with entities of its own | refused |

Nothing is unpacked to a file.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast
from urllib.parse import unquote

from bitext.errors import FormatError
from bitext.formats.documents.blocks import read_bytes
from bitext.formats.io.source import Source, unpacking
from bitext.formats.xml.safe import whole_tree

_STEP = 1 << 16  # bytes of one read
MOST_MEMBERS = 1_000_000  # of a corpus; set by hand: the largest one of OPUS has half as many
_MOST_MEMBERS = 50_000  # members of an archive, set by hand
_METHODS = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


PROTECTED = "is protected by a password: save it without, in the program that made it"


class Archive:
    """The members of an archive.

    Without a `handle` for random access the archive is read as a whole into memory, as `data`. It
    may have at most `most_members` members. `names` are the names of the members, and `in_order`
    the same in the order of the archive. `repeats_names` is true if two members have one name; the
    last of them is read.

    Raises `FormatError` when the archive is damaged, needs a password or is not safe to read.
    """

    def __init__(
        self, source: Source, handle: BinaryIO | None = None, *, most_members: int = _MOST_MEMBERS
    ) -> None:
        self.source = source
        self.data = read_bytes(source) if handle is None else b""
        handle = io.BytesIO(self.data) if handle is None else handle
        self._handle = handle
        self._packed, self._unpacked = handle.seek(0, io.SEEK_END), 0
        try:
            self._zip = zipfile.ZipFile(handle)
        except (*_FAULTS, ValueError, UnicodeError):
            raise source.error("is a damaged ZIP archive: get the whole file anew") from None
        infos = self._zip.infolist()
        if len(infos) > most_members:
            raise source.error(
                f"has more than {most_members:,} members: save it anew, or divide it"
            )
        self._infos: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            name = info.filename.replace("\\", "/")  # as .NET wrote them before its version 4.6
            if name.startswith("/") or ".." in PurePosixPath(name).parts:
                raise source.error(
                    f"has a member named {name[:60]!r}, a path outside of the archive: save it "
                    f"anew in the program that made it"
                )
            if info.flag_bits & 1:
                raise source.error(PROTECTED)
            self._infos[name] = info
        self.names = frozenset(self._infos)
        self.in_order = list(self._infos)
        self.repeats_names = len(self._infos) < len(infos)

    def close(self) -> None:
        """Close the archive, and its handle."""
        self._zip.close()
        self._handle.close()

    def read(self, name: str) -> bytes:
        """Read a member; no bytes if there is none of this name."""
        return b"".join(self.pieces(name))

    def pieces(self, name: str) -> Iterator[bytes]:
        """Yield a member in pieces; nothing if there is none of this name."""
        info = self._infos.get(name)
        if info is None:
            return
        if info.compress_type not in _METHODS:
            raise self._error(name, "is packed by a method that documents do not use")
        limits = self.source.limits
        try:
            with self._zip.open(info) as member:
                while part := member.read(_STEP):
                    self._unpacked += len(part)
                    most = max(limits.size, limits.ratio * self._packed)
                    if self._unpacked > most:
                        raise self._error(
                            name,
                            f"unfolds to more than {self._unpacked:,} bytes from {self._packed:,}, "
                            f"beyond {limits.size:,} bytes and {limits.ratio:g} to 1, as no "
                            f"document does",
                        )
                    yield part
        except FormatError:
            raise
        except (*_FAULTS, ValueError) as error:
            raise self._error(
                name, f"is damaged ({str(error)[:80]}): get the whole file anew"
            ) from None

    def _error(self, name: str, message: str) -> FormatError:
        return self.source.error(f"its member {name[:60]} {message}")

    def open(self, name: str) -> Source:
        """Return a member as a source of its own, named after the archive."""
        return part_of(self.source, io.BytesIO(self.read(name)), name)

    def stream(self, name: str, *, side: str = "") -> Source:
        """Return a member, unpacked while it is read, as a source named after the archive."""
        joined = cast("BinaryIO", _Joined(self.pieces(name)))
        member = part_of(self.source, joined, name, encoding=self.source.encoding, side=side)
        return unpacking(member, name)

    def tree(self, name: str) -> Any:
        """Parse a member that is XML; `None` if there is none of this name."""
        if name not in self.names:
            return None
        with self.open(name) as source:  # its buffer of a megabyte would wait for the collector
            return whole_tree(source)

    def tell_members(self, kinds: Iterable[tuple[str, str]]) -> None:
        """Add a note for each kind of members that is not read: its beginning and its words."""
        for begin, words in kinds:
            if any(name.startswith(begin) for name in self.names):
                self.source.note(words)


def part_of(
    source: Source, stream: BinaryIO, name: str = "", *, encoding: str = "utf-8", side: str = ""
) -> Source:
    """Return a part of a file as a source of its own, named after the file."""
    path = f"{source.path}: {name}" if name else source.path
    return Source(path, stream, encoding, side=side or source.side, limits=source.limits)


class _Joined(io.RawIOBase):
    """A file of the pieces that an iterator yields."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes; no bytes only at the end."""
        self._rest = self._rest or next(self._pieces, b"")
        size = len(self._rest) if size < 0 else size
        data, self._rest = self._rest[:size], self._rest[size:]
        return data


def resolve(base: str, target: str) -> str:
    """Return the name of a member that another one names, relative to its own folder.

    Examples
    --------
    >>> resolve("word/document.xml", "footnotes.xml"), resolve("OEBPS/a/b.opf", "../c.xhtml#x")
    ('word/footnotes.xml', 'OEBPS/c.xhtml')

    """
    path = unquote(target.partition("#")[0])
    parts: list[str] = [] if path.startswith("/") else [*PurePosixPath(base).parts[:-1]]
    for part in PurePosixPath(path.lstrip("/")).parts:
        if part == "..":
            del parts[-1:]
        else:
            parts.append(part)
    return "/".join(parts)
