"""Compression of files, and documents that are no text, by their first bytes.

Compression is detected by name and by first bytes. A small file may unpack to a huge one, so
unpacking has limits:

| limit | why |
| --- | --- |
| size unpacked *and* ratio of unpacked to packed bytes (`Limits`) | decompression bombs |
| memory of the decoder: 128 MB, or `Limits.size` where that is more | an xz file may need 4 GB |
| at most some 16 MB from one step of any decoder | a part of a bomb is a bomb too |

Consecutive members are read as one file, zeros between them (`.gz`, `.xz`) are padding; any other
data after a member is an error.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, BinaryIO, cast

from bitext.errors import FormatError, import_extra, remedy
from bitext.lazy import late_pattern

# The commands with options for the limits.
_WITH_LIMITS = "convert stats split check sample combine compose diff join"


HEAD = 1 << 16  # bytes of a file that are examined to detect its kind

PACKED = frozenset({".gz", ".bz2", ".xz", ".zst"})

_MAGIC = {
    ".gz": re.compile(rb"\x1f\x8b\x08"),
    ".bz2": re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
    ".xz": re.compile(rb"\xfd7zXZ\x00"),
    ".zst": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
}


def archive_with(members: bytes) -> re.Pattern[bytes]:
    """Return the pattern of the first bytes of a ZIP archive with a member of such a name."""
    return late_pattern(rb"(?=PK\x03\x04).*?PK\x03\x04.{26}(?:%s)" % members, re.DOTALL)


SENTENCES_OF_TABLE = (
    "save its column of sentences as plain text, in UTF-8, or give one table with a column for "
    "each language"
)
"""The remedy where a table is given as a text."""

UNREAD_ARCHIVES = (
    ("a presentation of PowerPoint", archive_with(rb"ppt/"), "save its text as DOCX or plain text"),
    (
        "a table in OpenDocument",
        archive_with(rb"mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet"),
        SENTENCES_OF_TABLE,
    ),
    (
        "a presentation or a table in OpenDocument",
        archive_with(rb"mimetypeapplication/vnd\.oasis\.opendocument\.(?!text)"),
        "save its text as ODT or plain text",
    ),
    (
        "a document of InDesign (IDML)",
        archive_with(rb"mimetypeapplication/vnd\.adobe\.indesign"),
        "export it as RTF, DOCX or EPUB",
    ),
)
"""Documents in ZIP archives that are not read: their title, their first bytes, and the remedy."""

PICTURE = "a picture, as scans are"
FILM = "a film (Matroska)"
_DOCUMENTS = {
    b"PK\x03\x04": "a ZIP archive, as .docx, .odt, .xlsx and .epub are",
    b"%PDF-": "a PDF document",
    b"{\\rtf": "an RTF document",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": (
        "an Office document, as .doc, .xls and those with a password are"
    ),
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!\x1a\x07": "a RAR archive",
    b"\xde\x12\x04\x95": "a compiled catalogue of gettext (.mo)",
    b"\x95\x04\x12\xde": "a compiled catalogue of gettext (.mo)",
    **dict.fromkeys(
        (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*"), PICTURE
    ),
    b"\x1a\x45\xdf\xa3": FILM,
    b"version https://git-lfs.github.com/spec/": "a pointer of Git LFS to a file",
}
MODEL = "a model of paragraphs"
_MODEL = re.compile(rb"PK\x03\x04.{26}header\.json", re.DOTALL)  # the first member of the archive
_TAR_AT = 257  # offset of the magic string in the header of the first file of a tar archive
_PADDED = frozenset({".gz", ".xz"})
_WINDOW = 1 << 27  # bytes of memory of a decoder
_MOST_AT_ONCE = 1 << 20  # bytes that one step may yield, for the decoders that take such a limit
# Packed bytes of one step. zstandard takes no limit, and 4 bytes yield at most 128 KB.
_STEP = {".zst": 1 << 9}
_USUAL_STEP = 1 << 14
_TOO_MUCH_MEMORY = ("Memory usage limit", "too much memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of unpacking; a file is refused when it exceeds both.

    `ratio` is the number of unpacked bytes for each packed byte, `size` the number of all unpacked
    bytes.
    """

    ratio: float = 200.0
    size: int = 1 << 27


def unpacked(name: str) -> str:
    """Return the name of a file without the suffix of its compression.

    Examples
    --------
    >>> unpacked("news.txt.gz"), unpacked("news/Milan.ZST"), unpacked("news.txt"), unpacked(".gz")
    ('news.txt', 'news/Milan', 'news.txt', '.gz')

    """
    suffix = packing_of_name(name)
    return name[: -len(suffix)] if suffix else name


def packing_of_name(name: str) -> str:
    """Return the compression suffix of a name, one of `PACKED`; empty for none."""
    # Most names end otherwise, and to make paths of them takes a twentieth of short commands.
    if not name.lower().rstrip("./\\").endswith(tuple(PACKED)):
        return ""
    suffix = PurePath(name).suffix.lower()
    return suffix if suffix in PACKED else ""


def packing_of(head: bytes) -> str:
    """Detect the compression of a file from its first bytes; empty for none."""
    return next((packing for packing, magic in _MAGIC.items() if magic.match(head)), "")


def document_of(head: bytes) -> str:
    """Describe a document or archive that is not a text file, by its first bytes; empty for others.

    The bytes are those of a file that was unpacked: what is compressed was compressed twice.

    Examples
    --------
    >>> document_of(b"%PDF-1.7"), document_of(b"It rained.")
    ('a PDF document', '')

    """
    if head[_TAR_AT:].startswith(b"ustar"):
        return "a tar archive"
    if packing := packing_of(head):
        return f"a file that is compressed twice ({packing[1:]})"
    if _MODEL.match(head):
        return MODEL
    if head.startswith(b"PK"):
        for title, begins, _ in UNREAD_ARCHIVES:
            if begins.match(head):
                return title
    return next((name for magic, name in _DOCUMENTS.items() if head.startswith(magic)), "")


def decompressed(
    stream: BinaryIO, packing: str, *, path: str, limits: Limits | None = None
) -> BinaryIO:
    """Wrap a stream in a decompressor; `packing` is one of `PACKED`.

    Reading raises `FormatError`, with the `path`, for a file that is damaged or exceeds the limits.

    Raises `MissingExtraError` for `.zst`, where no library for it is installed.
    """
    return cast("BinaryIO", _Members(stream, packing, path, limits or Limits()))


def compressing(stream: BinaryIO, packing: str) -> BinaryIO:
    """Wrap a stream in a compressor whose output depends on the data alone.

    Raises `MissingExtraError` for `.zst`, where no library for it is installed.
    """
    if packing == ".gz":
        # Level 6, gzip's default: 9 takes more than twice as long for a hundredth of the size.
        packer = _GzipWriter(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0)
        return cast("BinaryIO", packer)
    if packing == ".bz2":
        return cast("BinaryIO", bz2.BZ2File(stream, "wb"))
    if packing == ".xz":
        return cast("BinaryIO", lzma.LZMAFile(stream, "wb"))
    if sys.version_info >= (3, 14):
        from compression import zstd

        sums = {zstd.CompressionParameter.checksum_flag: 1}
        return cast("BinaryIO", zstd.ZstdFile(stream, "wb", options=sums))
    zstandard = import_extra("zstandard", what="writing .zst files", extra="zst")
    packer = zstandard.ZstdCompressor(write_checksum=True)  # unlike the other formats, not always
    return cast("BinaryIO", packer.stream_writer(stream, closefd=False))


class _GzipWriter(gzip.GzipFile):
    """A compressor that says that it cannot go back, unlike its base: writers of ZIP ask."""

    def seekable(self) -> bool:
        return False

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:  # noqa: ARG002 - of its base
        raise io.UnsupportedOperation("seek")


class _Members(io.RawIOBase):
    """Unpacks member after member, step by step, and counts packed and unpacked bytes."""

    def __init__(self, stream: BinaryIO, packing: str, path: str, limits: Limits) -> None:
        self._inner, self._packing, self._path, self._limits = stream, packing, path, limits
        self._begin, self._errors = _decoder(packing, max(_WINDOW, limits.size))
        self._step = _STEP.get(packing, _USUAL_STEP)
        self._member: Any = None
        self._packed, self._at = b"", 0
        self._taken = self._given = 0
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes; no bytes only at the end."""
        if not self._ready:
            self._ready = memoryview(self._fill())
        size = len(self._ready) if size < 0 else size
        data, self._ready = bytes(self._ready[:size]), self._ready[size:]
        return data

    def _fill(self) -> bytes:
        parts: list[bytes] = []
        size = 0
        while size < HEAD:
            hungry = self._member is None or getattr(self._member, "needs_input", True)
            if hungry and not self._more():
                break
            self._member = self._member or self._begin()
            part = self._unpack(self._packed[self._at : self._at + self._step] if hungry else b"")
            size += len(part)
            parts.append(part)
        return b"".join(parts)

    def _more(self) -> bool:
        """Read packed bytes if none are left; return whether there are any."""
        while True:
            if self._member is None and self._taken and self._packing in _PADDED:
                rest = self._packed[self._at : self._at + self._step]
                self._at += len(rest) - len(rest.lstrip(b"\0"))
                if rest and not rest.strip(b"\0"):
                    continue
            if self._at < len(self._packed):
                return True
            self._packed, self._at = self._inner.read(HEAD), 0
            self._taken += len(self._packed)
            if self._packed:
                continue
            if self._member is not None:
                raise FormatError(
                    "is damaged: it ends in the middle; get the whole file", path=self._path
                )
            return False

    def _unpack(self, packed: bytes) -> bytes:
        member = self._member
        try:
            part: bytes = member.decompress(
                packed, *(() if self._packing in _STEP else (_MOST_AT_ONCE,))
            )
        except self._errors as error:
            raise self._refused(str(error)) from None
        self._at += len(packed) - len(getattr(member, "unconsumed_tail", b""))
        if member.eof:
            self._at -= len(member.unused_data)
            self._member = None
        self._given += len(part)
        limits = self._limits
        if self._given > limits.size and self._given > limits.ratio * self._taken:
            options = remedy("max-size", "max-ratio", command=_WITH_LIMITS)
            raise FormatError(
                f"unfolds to more than {self._given:,} bytes from {self._taken:,}, beyond "
                f"{limits.size:,} bytes and {limits.ratio:g} to 1; if you trust it, raise one of "
                f"the limits ({options})",
                path=self._path,
            )
        return part

    def _refused(self, reason: str) -> FormatError:
        if any(words in reason for words in _TOO_MUCH_MEMORY):
            option = remedy("max-size", command=_WITH_LIMITS)
            return FormatError(
                f"needs more than {max(_WINDOW, self._limits.size):,} bytes of memory to be "
                f"unpacked; pack it with a smaller dictionary or window, or raise {option}",
                path=self._path,
            )
        return FormatError(f"is damaged: {reason}; get the whole file anew", path=self._path)

    def close(self) -> None:
        self._inner.close()
        super().close()


def _decoder(packing: str, window: int) -> tuple[Callable[[], Any], tuple[type[Exception], ...]]:
    """Return a factory of decoders, one for each member, and the errors that these raise."""
    if packing == ".gz":
        return (lambda: zlib.decompressobj(wbits=31)), (zlib.error,)
    if packing == ".bz2":
        return bz2.BZ2Decompressor, (OSError, ValueError)
    if packing == ".xz":
        # A dictionary of 128 MB needs a little more memory than its size.
        memory = window + (window >> 6)
        return (lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memory)), (lzma.LZMAError,)
    if sys.version_info >= (3, 14):
        from compression import zstd

        most = {zstd.DecompressionParameter.window_log_max: min(31, window.bit_length() - 1)}
        return (lambda: zstd.ZstdDecompressor(options=most)), (zstd.ZstdError,)
    zstandard = import_extra("zstandard", what="reading .zst files", extra="zst")
    maker = zstandard.ZstdDecompressor(max_window_size=min(window, 1 << 31))
    return maker.decompressobj, (zstandard.ZstdError,)
