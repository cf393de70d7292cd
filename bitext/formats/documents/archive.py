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
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError
from bitext.formats.documents.blocks import read_bytes
from bitext.formats.io.source import Source
from bitext.formats.xml.safe import whole_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Archive", "resolve"]

_STEP = 1 << 16  # bytes of one read
_MOST_MEMBERS = 50_000  # members of an archive, set by hand
_METHODS = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


class Archive:
    """The members of an archive.

    Parameters
    ----------
    source : Source
        The archive, which is read as a whole.

    Attributes
    ----------
    names : frozenset of str
    data : bytes
        The archive itself.
    repeats_names : bool
        Whether two members have one name; the last one is read.

    Raises
    ------
    FormatError
        When it is damaged, needs a password or is not safe to read.

    """

    def __init__(self, source: Source) -> None:
        self.source = source
        data = read_bytes(source)
        self.data = data
        self._packed, self._unpacked = len(data), 0
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (*_FAULTS, ValueError, UnicodeError):
            raise source.error("is a damaged ZIP archive: get the whole file anew") from None
        infos = self._zip.infolist()
        if len(infos) > _MOST_MEMBERS:
            raise source.error(f"has more than {_MOST_MEMBERS:,} members, as no document has")
        for info in infos:
            name = info.filename
            if name.startswith("/") or ".." in PurePosixPath(name).parts or "\\" in name:
                raise source.error(
                    f"has a member named {name[:60]!r}, a path outside of the document: save it "
                    f"anew in the program that made it"
                )
            if info.flag_bits & 1:
                raise source.error(
                    "is protected by a password: save it without, in the program that made it"
                )
        self._infos = {info.filename: info for info in infos}
        self.names = frozenset(self._infos)
        self.repeats_names = len(self._infos) < len(infos)

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
            raise self._error(name, f"is damaged ({error}): get the whole file anew") from None

    def _error(self, name: str, message: str) -> FormatError:
        return self.source.error(f"its member {name} {message}")

    def open(self, name: str) -> Source:
        """Return a member as a source of its own, named after the archive."""
        source = self.source
        return Source(
            f"{source.path}: {name}",
            io.BytesIO(self.read(name)),
            "utf-8",
            side=source.side,
            limits=source.limits,
        )

    def tree(self, name: str) -> Any:
        """Parse a member that is XML; `None` if there is none of this name."""
        return whole_tree(self.open(name)) if name in self.names else None

    def tell_members(self, kinds: Iterable[tuple[str, str]]) -> None:
        """Add a note for each kind of members that is not read: its beginning and its words."""
        for begin, words in kinds:
            if any(name.startswith(begin) for name in self.names):
                self.source.notes.add(words, self.source.path)


def resolve(base: str, target: str) -> str:
    """Return the name of a member that another one names, relative to its own folder.

    Examples
    --------
    >>> resolve("word/document.xml", "footnotes.xml"), resolve("OEBPS/a/b.opf", "../c.xhtml#x")
    ('word/footnotes.xml', 'OEBPS/c.xhtml')

    """
    from urllib.parse import unquote

    path = unquote(target.partition("#")[0])
    parts: list[str] = [] if path.startswith("/") else [*PurePosixPath(base).parts[:-1]]
    for part in PurePosixPath(path.lstrip("/")).parts:
        if part == "..":
            del parts[-1:]
        else:
            parts.append(part)
    return "/".join(parts)
