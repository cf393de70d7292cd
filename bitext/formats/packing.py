"""Compressed files: what tells them, by name and by their first bytes, and both directions."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from bitext.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["HEAD", "MAGIC", "PACKED", "compressing", "decompressed", "unpacked"]

HEAD = 1 << 16

MAGIC = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\x00", ".zst": b"\x28\xb5\x2f\xfd"}
PACKED = frozenset(MAGIC)


def unpacked(name: str) -> str:
    """Return the name of a file without the suffix of its compression.

    Examples
    --------
    >>> unpacked("news.txt.gz"), unpacked("news/Milan.ZST"), unpacked("news.txt"), unpacked(".gz")
    ('news.txt', 'news/Milan', 'news.txt', '.gz')

    """
    suffix = PurePath(name).suffix
    return name[: -len(suffix)] if suffix.lower() in PACKED else name


def decompressed(stream: BinaryIO, packing: str) -> BinaryIO:
    """Put a decompressor in front of a stream; `packing` is a suffix of `PACKED`.

    Raises
    ------
    MissingExtraError
        For `.zst`, where no library for it is installed.

    """
    if packing == ".gz":
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    if packing == ".bz2":
        return cast("BinaryIO", bz2.BZ2File(stream))
    if packing == ".xz":
        return cast("BinaryIO", lzma.LZMAFile(stream))
    if sys.version_info >= (3, 14):
        from compression import zstd

        return cast("BinaryIO", zstd.ZstdFile(stream))
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("reading .zst files", extra="zst") from None
    return cast("BinaryIO", _Frames(stream, zstandard.ZstdDecompressor().decompressobj))


def compressing(stream: BinaryIO, packing: str) -> BinaryIO:
    """Put a compressor in front of a stream, as `decompressed` does; the same data, the same bytes.

    Raises
    ------
    MissingExtraError
        For `.zst`, where no library for it is installed.

    """
    if packing == ".gz":
        return cast("BinaryIO", gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0))
    if packing == ".bz2":
        return cast("BinaryIO", bz2.BZ2File(stream, "wb"))
    if packing == ".xz":
        return cast("BinaryIO", lzma.LZMAFile(stream, "wb"))
    if sys.version_info >= (3, 14):
        from compression import zstd

        return cast("BinaryIO", zstd.ZstdFile(stream, "wb"))
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("writing .zst files", extra="zst") from None
    return cast("BinaryIO", zstandard.ZstdCompressor().stream_writer(stream, closefd=False))


class _Frames(io.RawIOBase):
    """Decompresses frame after frame; the stream reader of zstandard takes a cut one for whole."""

    def __init__(self, stream: BinaryIO, begin: Callable[[], Any]) -> None:
        self._inner, self._begin = stream, begin
        self._frame: Any = None
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Read up to that many bytes; none only at the end."""
        while not self._ready:
            self._packed = self._packed or self._inner.read(HEAD)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError("it ends in the middle")
                return b""
            self._frame = self._frame or self._begin()
            self._ready = memoryview(self._frame.decompress(self._packed))
            self._packed = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = None
        size = len(self._ready) if size < 0 else size
        data, self._ready = bytes(self._ready[:size]), self._ready[size:]
        return data

    def close(self) -> None:
        self._inner.close()
        super().close()
