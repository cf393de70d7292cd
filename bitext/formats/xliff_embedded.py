"""Files that are embedded in an XLIFF file (`internal-file`, in base64), taken out as it is read.

They may be larger than any text that the parser takes, and are never looked at. All but their
beginning is taken out before the parser sees it; line ends stay, so that lines are those of the
file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from bitext.formats.opening import Source

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["shortened"]

_FREE = 1 << 16  # bytes of an embedded file that stay
_LONGEST = 1 << 12  # bytes of its start tag
_SIZE = 1 << 18
_NAME = b"internal-file"
_TAG = re.compile(rb"internal-file[^<>]*>")
_BASE64 = re.compile(rb"[A-Za-z0-9+/=\s]*")


def shortened(source: Source) -> Source:
    """Return a source without what is long in embedded files; notes and errors go to the same."""
    if b"\0" in source.head():
        return source  # UTF-16: rare, and read as it is
    short = Source(source.path, cast("BinaryIO", _Shortened(source.stream)), source.encoding)
    short.notes, short.on_bad = source.notes, source.on_bad
    short.collecting = source.collecting
    short.units, short.holders = source.units, source.holders
    return short


class _Shortened:
    """A binary file that leaves out what is long between `internal-file>` and the next `<`."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._ready = b""
        self._rest = b""  # read, and may begin the tag
        self._kept = -1  # bytes of the embedded file so far; -1 outside of one

    def read(self, size: int) -> bytes:
        while not self._ready:
            data = self._stream.read(_SIZE)
            if not data:
                self._ready, self._rest = self._rest, b""
                break
            self._ready = self._passed(self._rest + data)
        given, self._ready = self._ready[:size], self._ready[size:]
        return given

    def _passed(self, data: bytes) -> bytes:
        """Return what stays of some bytes, and keep back the end, if the tag may begin there."""
        parts, at = [], 0
        self._rest = b""
        while at < len(data):
            if self._kept >= 0:
                end = cast("re.Match[bytes]", _BASE64.match(data, at)).end()
                stays = max(0, _FREE - self._kept)
                parts.append(data[at : min(end, at + stays)])
                parts.append(b"\n" * data.count(b"\n", min(end, at + stays), end))
                self._kept = -1 if end < len(data) else self._kept + end - at
                at = end
                continue
            tag = _TAG.search(data, at)
            if tag:
                parts.append(data[at : tag.end()])
                at, self._kept = tag.end(), 0
                continue
            cut = data.rfind(_NAME, at)
            cut = max(at, len(data) - len(_NAME)) if cut < 0 else cut
            cut = len(data) if len(data) - cut > _LONGEST else cut
            parts.append(data[at:cut])
            self._rest = data[cut:]
            break
        return b"".join(parts)

    def close(self) -> None:
        """Leave the file to whom it belongs."""
