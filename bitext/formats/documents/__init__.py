"""Documents that are read as they are: their blocks of running text, in order.

`FORMATS` lists the formats; each is a module with a function `read`. A format is recognised by
the first bytes of a file, and where these decide nothing, by its name. Documents are only read:
macros in them are not run, links not followed, and archives not unpacked to files.

Documents of the formats in `_UNREAD` are refused, with a remedy. Markup that is none of these
formats is read as plain text, with a note of `note_markup`.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import NamedTuple, cast

from bitext.errors import FormatError
from bitext.formats.documents.blocks import Block, Document, cut_at, raised
from bitext.formats.io.compression import UNREAD_ARCHIVES, archive_with, unpacked
from bitext.formats.io.encodings import mark_of
from bitext.formats.io.source import Source
from bitext.formats.xml import COMMENTS
from bitext.lazy import late_pattern

__all__ = [
    "FORMATS",
    "Block",
    "Document",
    "DocumentFormat",
    "cut_at",
    "document_format",
    "note_markup",
    "raised",
    "read_document",
]


# Characters that are noted
_KEPT = (
    (
        late_pattern(r"[\ue000-\uf8ff]"),
        "characters of private use, as fonts of symbols have, kept as they are",
    ),
    (late_pattern(r"[\ufb00-\ufb04]"), "ligatures (\ufb01), kept as they are: replace them"),
)


class DocumentFormat(NamedTuple):
    """A format of documents."""

    name: str  # its name, and that of its module
    title: str  # its name in messages, with an article
    endings: tuple[str, ...]  # the endings of names of its files
    # The beginning of files in this format; `None`: the name decides.
    begins: re.Pattern[bytes] | None = None
    # A required beginning of files with such a name; `None`: none.
    named: re.Pattern[bytes] | None = None

    def matches_name(self, head: bytes, name: str) -> bool:
        """Recognise a file in this format by its lower-case name, and a possible beginning."""
        if self.begins is not None and self.named is None:
            return False
        return name.endswith(self.endings) and (self.named is None or bool(self.named.match(head)))


def _zip(members: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """Return the patterns `begins` and `named` of an archive with a member of such a name."""
    return archive_with(members), late_pattern(rb"PK\x03\x04")


_SPACE = rb"(?:\xef\xbb\xbf)?\s*+"
_NAME = rb"[^\x00-\x1f/]{1,200}"
_PROLOG = rb"(?:<\?xml[^>]*+>\s*+)?" + COMMENTS
_PROLOG_WITH_TYPE = _PROLOG + rb"(?:<!DOCTYPE[^>]*+>\s*+)?" + COMMENTS

FORMATS = (
    DocumentFormat(
        "html",
        "an HTML page",
        (".html", ".htm", ".xhtml"),
        late_pattern(
            # `table`: a part of a page, as pandas writes
            _SPACE + _PROLOG + rb"<(?:!doctype\s+html\b|html(?:\s[^<>]*)?>\s*<|table[\s>])",
            re.IGNORECASE | re.DOTALL,
        ),
        late_pattern(
            _SPACE + COMMENTS + rb"(?:<(?:head|body|title|meta|main|article|section|div|p|h[1-6]|"
            rb"ul|ol|table|blockquote|pre|center|font|a|b|i|em|strong|span)\b|"
            # A part of a page
            rb".*?(?:<br\s*/?>|</(?:p|div|h[1-6]|li|b|i|em|strong|span|a)>))",
            re.IGNORECASE | re.DOTALL,
        ),
    ),
    DocumentFormat(
        "docx", "a document of Word", (".docx", ".docm", ".dotx", ".dotm"), *_zip(rb"word/")
    ),
    DocumentFormat(
        "odt",
        "a text in OpenDocument",
        (".odt", ".ott"),
        *_zip(rb"mimetypeapplication/vnd\.oasis\.opendocument\.text"),
    ),
    DocumentFormat(
        "odt",
        "a flat text in OpenDocument",
        (".fodt",),
        late_pattern(
            _SPACE + _PROLOG + rb"<(?:[\w.-]{1,40}:)?document\b(?=[^>]*?opendocument\.text)",
            re.DOTALL,
        ),
        late_pattern(_SPACE + rb"<"),
    ),
    DocumentFormat(
        "fb2",
        "a book in FictionBook",
        (".fb2",),
        late_pattern(_SPACE + _PROLOG + rb"<(?:[\w.-]{1,40}:)?FictionBook\b", re.DOTALL),
    ),
    DocumentFormat(
        "fb2", "a packed book in FictionBook", (".fb2.zip", ".fbz"), *_zip(_NAME + rb"\.fb2")
    ),
    DocumentFormat(
        "mhtml",
        "a web archive (MHTML)",
        (".mht", ".mhtml"),
        late_pattern(
            rb"(?=(?:[\w-]{1,60}:[^\r\n]{0,1000}\r?\n(?:[ \t][^\r\n]{0,1000}\r?\n){0,20})"
            rb"{0,20}?Content-Type:\s*multipart/related)"
            # A message with pictures has the same type, and is sent to somebody
            rb"(?!(?:[^\r\n]+\r?\n)*?(?:To|Message-ID|Received|Return-Path):)",
            re.IGNORECASE,
        ),
        late_pattern(rb"[\w-]+:"),
    ),
    DocumentFormat(
        "message",
        "an e-mail message",
        (".eml",),
        late_pattern(
            rb"(?=[\w-]{1,60}:)(?=(?:[^\r\n]+\r?\n)*?From:)(?=(?:[^\r\n]+\r?\n)*?(?:Date|Subject):)"
            rb"(?:[\w-]{1,60}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*)*?"
            rb"(?:MIME-Version|Message-ID|Received|Return-Path):",
            re.IGNORECASE,
        ),
        late_pattern(rb"[\w-]+:"),
    ),
    DocumentFormat("epub", "a book in EPUB", (".epub",), *_zip(rb"mimetypeapplication/epub\+zip")),
    DocumentFormat("rtf", "a document in RTF", (".rtf",), late_pattern(rb"\{\\rtf\d?")),
    DocumentFormat("pdf", "a PDF document", (".pdf",), late_pattern(rb"(?s:.{0,1000}?)%PDF-\d")),
    DocumentFormat("markdown", "a text in Markdown", (".md", ".markdown")),
    DocumentFormat(
        "bibles",
        "a Bible in XML",
        (".osis", ".usx"),
        late_pattern(
            _SPACE
            + _PROLOG_WITH_TYPE
            + rb"<(?:osis|usx|XMLBIBLE|cesDoc(?=.*?<seg\b[^>]*\btype\s*=\s*[\"']verse))\b",
            re.DOTALL,
        ),
    ),
    DocumentFormat(
        "tei_texts",
        "a text in TEI without sentences",
        (),
        late_pattern(
            _SPACE
            + _PROLOG_WITH_TYPE
            + rb"<(?:\w{1,20}:)?TEI(?:\.2)?[\s>](?=.*?<(?:\w{1,20}:)?body\b.*?<(?:\w{1,20}:)?"
            + rb"(?:p|ab|l|head|sp)\b)(?!.*?<(?:\w{1,20}:)?(?:s|w|link|linkGrp)[\s>])"
            + rb"(?!.*?\scorresp\s*=)",
            re.DOTALL,
        ),
    ),
    DocumentFormat(
        "usfm",
        "a text in USFM",
        (".usfm", ".sfm"),
        late_pattern(_SPACE + rb"\\id[ \t]+[A-Z1-6]{3}\b"),
        late_pattern(_SPACE + rb"\\[a-z]+\d?\b"),
    ),
)

# Readers of formats that share a module; all others are `read` in the module of their name.
_READERS = {
    "bibles": "xml_texts",
    "epub": "html:read_epub",
    "fb2": "markup:read_fb2",
    "markdown": "markup",
    "message": "html:read_message",
    "mhtml": "html:read_mhtml",
    "tei_texts": "xml_texts:read_tei",
    "usfm": "markup:read_usfm",
}

OF_PAGES = frozenset({"html", "message", "mhtml"})  # of whose pages the main text can be read

# Documents that are refused: what they are, the beginning of the file, and the remedy.
_UNREAD = (
    (
        "a document of Apple Pages",
        late_pattern(rb"PK\x03\x04.{26}(?:Index|Metadata|Data|preview)[/\w.-]*", re.DOTALL),
        "export it as Word or EPUB",
    ),
    (
        "a document of Word in one file of XML",
        late_pattern(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*>\s*<\?mso-application progid=.Word\.Document"),
        "save it as DOCX",
    ),
    *UNREAD_ARCHIVES,
    (
        "a book for Kindle",
        late_pattern(rb".{60}(?:BOOKMOBI|TEXtREAd)|\xeaDRMION\xee|CONT\x02\x00", re.DOTALL),
        "want it as EPUB, or convert it (ebook-convert of Calibre)",
    ),
    ("a scan in DjVu", late_pattern(rb"AT&TFORM"), "save their text as plain text"),
    ("a file in PostScript", late_pattern(rb"(?:\x04)?%!PS"), "convert it to PDF (ps2pdf)"),
    (
        "a mailbox of several messages (mbox)",
        late_pattern(rb"From \S+ +\w{3} \w{3} +\d"),
        "save the message as .eml or as plain text",
    ),
    ("a notebook of Jupyter", late_pattern(rb'\s*\{\s*"cells"\s*:\s*\['), "export it as Markdown"),
    (
        "a web archive of Safari",
        late_pattern(rb"bplist00.{1,9}WebMain", re.DOTALL),
        "save it as HTML",
    ),
    ("a help file of Windows (CHM)", late_pattern(rb"ITSF"), "unpack its pages of HTML"),
    ("a document of WordPerfect", late_pattern(rb"\xffWPC"), "save it as DOCX or ODT"),
)
_OF_TEXTS = (".txt", ".text", ".srt", ".vtt")  # names that documents do not have
# Markup that is read as plain text: its name, the endings of its files, and a sure beginning.
_MARKUP = (
    (
        "LaTeX", (".tex", ".ltx", ".latex"),
        late_pattern(rb"(?:\s|%[^\n]*\n)*\\(?:documentclass|documentstyle|begin\{document\})"),
    ),
    ("reStructuredText", (".rst", ".rest"), None),
    ("AsciiDoc", (".adoc", ".asciidoc", ".asc"), None),
    ("Org", (".org",), None),
    ("Typst", (".typ",), None),
    (
        "troff", (".roff", ".man", ".ms", ".me"),
        late_pattern(rb"(?:\.\\\"[^\n]*\n)*\.(?:TH|Dd|SH) "),
    ),
    ("Texinfo", (".texi", ".texinfo"), late_pattern(rb"\\input texinfo")),
    ("MediaWiki", (".wiki", ".mediawiki"), None),
)  # fmt: skip


def _named_as(name: str) -> DocumentFormat | None:
    """Return the format whose ending a lower-case name has."""
    return next((each for each in FORMATS if name.endswith(each.endings)), None)


def note_markup(source: Source) -> None:
    """Add a note for a file that is not a document, in markup or under the name of a document."""
    head, name = source.head(), unpacked(source.path).lower()
    if (named := _named_as(name)) is not None:
        source.note(f"files named as {named.title}, whose content is none: read by their content")
    for markup, endings, begins in _MARKUP:
        if name.endswith(endings) or (begins is not None and begins.match(head)):
            kind = f"files in {markup}, read as plain text with its commands"
            source.note(f"{kind}: convert them (pandoc -t html)")
            return


def document_format(head: bytes, path: str) -> DocumentFormat | None:
    r"""Return the format of a document, by its first bytes and its name; `None` for other files.

    Raises `FormatError` when the file is a document of a format that is not read, or is empty and
    named as one that never is.

    Examples
    --------
    >>> document_format(b"<!doctype html>\n<p>One.", "a").name, document_format(b"One.", "a.html")
    ('html', None)

    """
    name = unpacked(path).lower()
    mark, encoding = mark_of(head, "")
    if encoding.startswith("utf-16"):
        head = head[len(mark) :].decode(encoding, "replace").encode()
    begun = (each for each in FORMATS if each.begins is not None and each.begins.match(head))
    known = next(begun, None)
    for title, begins, remedy in _UNREAD if known is None else ():
        if begins.match(head):
            raise FormatError(f"is {title}, which is not read: {remedy}", path=path)
    if known is None:
        shown = f"{name}.html" if name.endswith(".doc") else name  # as programs write reports
        known = next((each for each in FORMATS if each.matches_name(head, shown)), None)
    if not head and (named := _named_as(name)) is not None and named.begins is not None:
        raise FormatError(f"is empty, and {named.title} never is: get the file anew", path=path)
    return known


def read_document(source: Source, *, main_text: bool = False) -> Document:
    """Read a document whose format `document_format` knows.

    Raises `FormatError` when the file is not a document, is damaged, protected by a password, or
    beyond the limits.

    Omissions are added to the notes of the source. With `main_text` only the main text of HTML is
    read, without navigation, headers, footers and asides.
    """
    known = document_format(source.head(), source.path)
    if known is None:
        raise FormatError("is no document that bitext reads", path=source.path)
    name = unpacked(source.path).lower()
    named = _named_as(name)
    if name.endswith(_OF_TEXTS) or (named is not None and named.name != known.name):
        source.note(f"files that are {known.title} under another name: read by their content")
    module, _, function = _READERS.get(known.name, known.name).partition(":")
    read = getattr(import_module(f"bitext.formats.documents.{module}"), function or "read")
    given = {"main_text": main_text} if known.name in OF_PAGES else {}
    document = cast("Document", read(source, **given))
    for pattern, kind in _KEPT:
        kept = [found for block in document.blocks for found in pattern.findall(block.text)]
        if kept:
            source.note(kind, f"U+{ord(kept[0]):04X}", count=len(kept))
    return document
