"""Files that are plainly no text of one sentence a line: by their names, and how they begin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitext.formats.opening import Source

__all__ = ["refuse_other_kinds"]

_XML = (".xml", ".tei", ".xhtml", ".html", ".htm")
_SUBTITLES = (".srt", ".vtt")
_HTML = re.compile(rb"<(?:!doctype\s+html|html(?:\s[^<>]*)?>\s*<)", re.IGNORECASE)
_CAPITALS = re.compile(rb"<[A-Z][A-Z\d.]*[\s>].*?<S[\s>]", re.DOTALL)
_OTHER_SUBTITLES = (
    ("SubStation Alpha", re.compile(rb"\[Script Info\]", re.IGNORECASE)),
    ("MicroDVD", re.compile(rb"(?:\{\d+\}\{\d+\}[^\r\n]*[\r\n]+){2}")),
    ("SubViewer", re.compile(rb"\d+:\d\d:\d\d\.\d+,\d+:\d\d:\d\d\.\d+\s*[\r\n]")),
)


def refuse_other_kinds(source: Source) -> None:
    """Refuse what is markup, or subtitles in a format that is not read.

    It is asked of what is no XML document by its first bytes, and no subtitles that are read.

    Raises
    ------
    FormatError
        With what it seems to be, and what to do.

    """
    from bitext.formats.packing import unpacked

    name = unpacked(source.path).lower()
    head = source.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    if _HTML.match(head):
        raise source.error("is HTML, not one sentence a line: save its text as plain text", 1)
    if _CAPITALS.match(head):
        raise source.error(
            "has elements in capitals (<S>), as SGML has: want XML, with elements s", 1
        )
    if head.startswith(b"<") and name.endswith(_XML):
        raise source.error(
            "is XML without sentences (elements s with an id): divide it into them, or save its "
            "text as plain text",
            1,
        )
    for called, begins in _OTHER_SUBTITLES:
        if begins.match(head):
            raise source.error(f"is subtitles of {called}: make SubRip (.srt) of them", 1)
    if head and (name.endswith(_SUBTITLES) or head.split(None, 1)[0] == b"WEBVTT"):
        raise source.error(
            "is named as subtitles, or begins so, and has no line of times "
            "(00:00:01,000 --> 00:00:02,500): if each line is a sentence, name the file .txt",
            1,
        )
