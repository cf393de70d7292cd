"""Objects of PDF files: their values by kinds, with references followed.

A damaged file may have any value anywhere. One of another kind than wanted counts as none.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from bitext.errors import import_extra


@cache
def library(name: str) -> Any:
    """Import a module of the library."""
    return import_extra(f"pdfminer.{name}", what="reading PDF", extra="documents")


def resolved(value: Any) -> Any:
    """Return the object that a value refers to, or the value itself."""
    return library("pdftypes").resolve1(value)


def mapping(value: Any) -> Any:
    """Return the dictionary of a value; an empty one for other values."""
    value = resolved(value)
    return value if isinstance(value, dict) else {}


def array(value: Any) -> list[Any]:
    """Return the elements of an array, which may be references; none for other values."""
    value = resolved(value)
    return value if isinstance(value, list) else []


def name_of(value: Any) -> str:
    """Return the characters of a name; empty for other values."""
    value = resolved(value)
    name = getattr(value, "name", value)
    if isinstance(name, bytes):
        name = name.decode("latin-1")
    return name if isinstance(name, str) else ""


def number_of(value: Any, default: float) -> float:
    """Return a number; `default` for other values, and beyond all places of a page."""
    value = resolved(value)
    return value if isinstance(value, int | float) and abs(value) < 1e9 else default


def is_stream(value: Any) -> bool:
    """Recognise a stream."""
    return isinstance(value, library("pdftypes").PDFStream)


def data_of(value: Any) -> bytes:
    """Return the bytes of a stream; none for other values."""
    value = resolved(value)
    data: bytes = value.get_data() if is_stream(value) else b""
    return data


def text_of(value: Any) -> str:
    """Decode a string for readers: UTF-16, UTF-8 or the encoding of PDF; empty for other values."""
    value = resolved(value)
    if not isinstance(value, bytes):
        return ""
    if value.startswith((b"\xfe\xff", b"\xff\xfe")):
        return value.decode("utf-16", "replace").strip("\x00")
    if value.startswith(b"\xef\xbb\xbf"):
        return value[3:].decode("utf-8", "replace")
    table = library("encodingdb").EncodingDB.encodings["PDFDocEncoding"]
    return "".join(table.get(byte, chr(byte)) for byte in value)
