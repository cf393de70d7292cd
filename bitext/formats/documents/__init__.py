"""Documents that are read as they are: their blocks of running text, in order.

`FORMATS` lists the formats; each is a module with a function `read`. A format is recognised by
the first bytes of a file, and where these decide nothing, by its name. Documents are only read:
macros in them are not run, links not followed, and archives not unpacked to files.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

from bitext.errors import FormatError
from bitext.formats.documents.blocks import Block, Document, cut_at
from bitext.formats.io.compression import unpacked
from bitext.formats.io.encodings import mark_of

if TYPE_CHECKING:
    from bitext.formats.io.source import Source

__all__ = [
    "FORMATS",
    "Block",
    "Document",
    "DocumentFormat",
    "cut_at",
    "document_format",
    "read_document",
]


class DocumentFormat(NamedTuple):
    """A format of documents.

    Attributes
    ----------
    name : str
        Its name, and that of its module.
    title : str
        Its name in messages, with an article.
    endings : tuple of str
        The endings of names of its files.
    begins : pattern of bytes or None
        The beginning of files in this format; `None`: the name decides.
    named : pattern of bytes or None
        A required beginning of files with such a name; `None`: none.

    """

    name: str
    title: str
    endings: tuple[str, ...]
    begins: re.Pattern[bytes] | None = None
    named: re.Pattern[bytes] | None = None

    def matches(self, head: bytes, name: str) -> bool:
        """Return whether a file is in this format, by its first bytes and its lower-case name."""
        if self.begins is not None and self.begins.match(head):
            return True
        if self.begins is not None and self.named is None:
            return False
        return name.endswith(self.endings) and (self.named is None or bool(self.named.match(head)))


def _zip(members: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """Return the patterns `begins` and `named` of an archive with a member of such a name."""
    member = rb"PK\x03\x04.{26}"
    begins = re.compile(rb"(?=PK\x03\x04).*?%s(?:%s)" % (member, members), re.DOTALL)
    return begins, re.compile(rb"PK\x03\x04")


_SPACE = rb"(?:\xef\xbb\xbf)?\s*"
_PROLOG = rb"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*"

FORMATS = (
    DocumentFormat(
        "html",
        "an HTML page",
        (".html", ".htm", ".xhtml"),
        re.compile(
            _SPACE + _PROLOG + rb"<(?:!doctype\s+html\b|html(?:\s[^<>]*)?>\s*<)",
            re.IGNORECASE | re.DOTALL,
        ),
        re.compile(
            _SPACE
            + rb"(?:<!--.*?-->\s*)*<(?:head|body|title|meta|main|article|section|div|p|h[1-6]|ul|"
            rb"ol|table|blockquote|pre|center|font|a|b|i|em|strong|span)\b",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    DocumentFormat("docx", "a document of Word", (".docx", ".docm"), *_zip(rb"word/")),
    DocumentFormat(
        "odt",
        "a text in OpenDocument",
        (".odt", ".ott"),
        *_zip(rb"mimetypeapplication/vnd\.oasis\.opendocument\.text"),
    ),
    DocumentFormat("epub", "a book in EPUB", (".epub",), *_zip(rb"mimetypeapplication/epub\+zip")),
    DocumentFormat("rtf", "a document in RTF", (".rtf",), re.compile(rb"\{\\rtf\d?")),
    DocumentFormat("pdf", "a PDF document", (".pdf",), re.compile(rb"(?s:.{0,1000}?)%PDF-\d")),
    DocumentFormat("markdown", "a text in Markdown", (".md", ".markdown")),
    DocumentFormat(
        "usfm",
        "a text in USFM",
        (".usfm", ".sfm"),
        re.compile(_SPACE + rb"\\id[ \t]+[A-Z1-6]{3}\b"),
        re.compile(_SPACE + rb"\\[a-z]+\d?\b"),
    ),
)


def document_format(head: bytes, path: str) -> DocumentFormat | None:
    r"""Return the format of a document, by its first bytes and its name; `None` for other files.

    Examples
    --------
    >>> document_format(b"<!doctype html>\n<p>One.", "a").name, document_format(b"One.", "a.html")
    ('html', None)

    """
    name = unpacked(path).lower()
    mark, encoding = mark_of(head, "")
    if encoding.startswith("utf-16"):
        head = head[len(mark) :].decode(encoding, "replace").encode()
    return next((each for each in FORMATS if each.matches(head, name)), None)


def read_document(source: Source, *, main_text: bool = False) -> Document:
    """Read a document whose format `document_format` knows.

    Parameters
    ----------
    source : Source
        The document; omissions are added to its notes.
    main_text : bool
        Of HTML: only the main text, without navigation, headers, footers and asides.

    Raises
    ------
    FormatError
        When the file is no document, is damaged, protected by a password, or beyond the limits.

    """
    known = document_format(source.head(), source.path)
    if known is None:
        raise FormatError("is no document that bitext reads", path=source.path)
    module = import_module(f"bitext.formats.documents.{known.name}")
    if known.name == "html":
        document = module.read(source, main_text=main_text)
    else:
        document = module.read(source)
    return cast("Document", document)
