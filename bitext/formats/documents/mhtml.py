"""Web archives (MHTML), as browsers save pages: the page, which is read as HTML.

An archive is a message with the page, its pictures and its style sheets as parts. Only the first
part that is a page is read.
"""

from __future__ import annotations

import io
from email.parser import BytesParser
from typing import TYPE_CHECKING

from bitext.errors import OptionError
from bitext.formats.documents import html
from bitext.formats.documents.blocks import Document, read_bytes
from bitext.formats.io.encodings import check_encoding
from bitext.formats.io.source import Source

if TYPE_CHECKING:
    from email.message import Message

__all__ = ["read"]

_PAGES = frozenset(("text/html", "application/xhtml+xml"))


def read(source: Source, *, main_text: bool = False) -> Document:
    """Read the page of an archive."""
    try:
        message = BytesParser().parsebytes(read_bytes(source))
        page = next((part for part in message.walk() if part.get_content_type() in _PAGES), None)
        data = None if page is None else _data(page)
    except (RecursionError, ValueError, LookupError):
        raise source.error("is a damaged web archive: save the page anew") from None
    if page is None or data is None:
        raise source.error("has no page: save the page anew, as HTML")
    encoding = page.get_content_charset() or source.encoding
    try:
        encoding = check_encoding(encoding)
    except OptionError:
        encoding = source.encoding
    inner = Source(source.path, io.BytesIO(data), encoding, side=source.side, limits=source.limits)
    inner.notes = source.notes
    return html.read(inner, main_text=main_text)


def _data(page: Message) -> bytes | None:
    data = page.get_payload(decode=True)
    return data if isinstance(data, bytes) else None
