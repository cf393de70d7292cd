"""XML: safe reading with lxml, and the subsets of XML that are matched by regular expressions.

lxml reads every XML file (`safe.iterate`). For files as programs write them, five readers are
faster. Each matches a subset of XML by regular expressions, and gives up at anything else; then
lxml reads the same bytes. Tests compare both on random and damaged files (`test_quick.py` of each
format, and `tests/fuzz/two_ways.py`).

| reader | its subset | CPU seconds | with lxml | times |
| --- | --- | --- | --- | --- |
| `tmx.fast` | units of up to eight shapes that the file shows | 0.50 | 1.95 | 3.9 |
| `xliff.fast` | units of one layout, with one text a side | 0.53 | 1.35 | 2.5 |
| `xces` | links without content, their attributes in double quotes | 0.29 | 0.87 | 3.0 |
| `opus_documents` | sentences of text | 0.42 | 1.43 | 3.4 |
| | sentences of tokens (`w`) like the first one | 1.51 | 8.41 | 5.6 |
| `tei.fast` | segments of text with an `xml:id`, links, plain tags | 0.95 | 2.11 | 2.2 |

The figures are for reading some 60,000 units made by `scripts/bench/convert_made.py`: TMX with
inline codes in a tenth of them, XLIFF 1.2 without, TEI written of the same. With codes in a tenth
of its units, XLIFF takes 1.45 s in place of 1.99. A reader that is less than 1.5 times as fast as
lxml on the files that it was made for would be deleted.

All five rest on `fast.Pieces`, which hands out a piece of a file only if the encoding contains
ASCII, nothing is declared, and the piece has no section or processing instruction, no comment but
those of one line between tags, no entity but the five of XML, and no character that XML forbids.

Three others match tags for other reasons: `read_prolog`, because an unsafe file is refused
before a parser sees it; `inline_codes`, because a segment with codes is kept as a string of XML;
and `recovery.SoundUnits`, because no parser reports where a malformed unit ends.

This module has the syntax of XML as far as it is needed beside a parser: prologs, references,
characters. The prolog (everything before the root element) must lie in the first 64 KB. Reading
stops at the first string that no prolog may contain, and the root is then unknown, so nothing that
a parser would meet before the root element goes unseen.

A carriage return is written as a reference everywhere, because a parser turns it into a line feed;
a tab and a line feed only in the values of attributes, where a parser turns them into spaces.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bitext.errors import InputError
from bitext.lazy import late_pattern

HEAD = 1 << 16  # bytes at the beginning of a file that have to contain the prolog

_LATIN = {f"iso8859-{k}" for k in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)}
_WINDOWS = {f"cp{k}" for k in (874, 932, 936, 949, 950, *range(1250, 1259))}
_OTHERS = {"ascii", "koi8-r", "koi8-u", "shift_jis", "euc_jp", "euc_kr", "gb2312", "gbk"}
_CHINESE = {"gb18030", "big5", "big5hkscs", "tis-620"}
_UNICODE = {"utf-8", "utf-16", "utf-16-le", "utf-16-be"}
_ENCODINGS = _LATIN | _WINDOWS | _OTHERS | _CHINESE | _UNICODE

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
# Comments, as a part of an expression of bytes, in linear time. The last, empty alternative in
# `(?:...|)*+`: see `bitext.lazy.late_pattern`.
COMMENTS = rb"(?:<!--(?:[^-]++|-(?!->)|)*+-->\s*+|)*+"
_DECLARATION = late_pattern(
    r"<\?xml\s+version\s*=\s*(?:\"[\w.:-]*\"|'[\w.:-]*')"
    r"(?:\s+encoding\s*=\s*[\"']([\w.:-]*)[\"'])?"
    r"(?:\s+standalone\s*=\s*[\"']\w*[\"'])?\s*\?>"
)
_MISC = late_pattern(r"[ \t\r\n]+|<\?(?:.*?\?>|.*)|<!--(?:.*?-->|.*)", re.DOTALL)
_PIECE = late_pattern(
    r"[^\"'<>\[\]]+|\"[^\"]*\"|'[^']*'|<!--(?:.*?-->|.*)|<\?(?:.*?\?>|.*)|[<>\[\]]", re.DOTALL
)
# The look-ahead keeps the name whole: otherwise a tag without an end takes quadratic time.
_ROOT = late_pattern(
    r"<([^\s<>/!?\"'=\x00-\x1f\ufffe\uffff]+)(?=[\s/>])"
    r"([^<>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^<>\"']*)*)>"
)


@dataclass(frozen=True, slots=True)
class Prolog:
    """The part of a file before the root element, and the start tag of the root."""

    declared: bool  # whether there is an XML declaration
    # The encoding by the declaration, as written, or the byte order mark; `None` without either.
    encoding: str | None
    doctype: str  # the document type declaration, without quoted strings and comments; may be empty
    root: str  # the name of the root element, with its prefix; empty when the root begins later
    attributes: str  # the attributes of the root element, as written
    flaw: str = ""  # a fault of the XML declaration and its remedy; empty for none
    line: int = 1  # the line of the document type, counted from 1
    # The declared encoding where a mark of UTF-8 contradicts it: `encoding` is that of the mark,
    # which in any other encoding would be text before the declaration.
    misdeclared: str = ""

    @property
    def name(self) -> str:
        """The name of the root element without its prefix."""
        return self.root.rpartition(":")[2]

    def forbidden(self) -> str:
        """Name a declaration in the document type that is refused for safety; empty for none."""
        subset = self.doctype.partition("[")[2]
        if "<!ATTLIST" in subset:
            return "default attributes (ATTLIST)"
        if re.search(r"<!ENTITY\s+%|%[^\s;%]+;", subset):
            return "a parameter entity"
        if re.search(r"<!ENTITY\s+[^\s<>]+\s+(?:SYSTEM|PUBLIC)\b", subset):
            return "an external entity"
        return ""


@lru_cache(2)  # each format of XML asks for the same one
def read_prolog(head: bytes) -> Prolog:
    """Read the prolog in the first bytes of a file; a file that is not XML has an empty `root`."""
    mark, text = _decode(head[:HEAD])
    body = text.lstrip(" \t\r\n")
    declared = body.startswith("<?xml") and body[5:6] in {" ", "\t", "\r", "\n"}
    declaration = _DECLARATION.match(body) if declared else None
    named = declaration[1] if declaration else None
    wrong = named if named and mark == "utf-8" and codec_of(named) != mark else ""
    doctype, at = _before_root(body)
    root = _ROOT.match(body, at)
    return Prolog(
        declared=declared,
        encoding=mark if wrong else named or mark,
        doctype=doctype,
        root=root[1] if root else "",
        attributes=root[2] if root else "",
        flaw="" if not declared else _flaw(len(text) - len(body), declaration),
        line=1 + text.count("\n", 0, len(text) - len(body) + max(0, body.find("<!DOCTYPE"))),
        misdeclared=wrong,
    )


def _before_root(body: str) -> tuple[str, int]:
    """Return the document type of a text (see `_skip_doctype`), and the offset of the root."""
    at, doctype = 0, ""
    while True:
        match = _MISC.match(body, at)
        if match:
            at = match.end()
        elif not doctype and body.startswith("<!DOCTYPE", at):
            doctype, at = _skip_doctype(body, at)
        else:
            return doctype, at


def root_end(head: bytes) -> int:
    """Return the number of bytes up to the end of the start tag of the root.

    Return 0 where no root begins in the first bytes, and for UTF-16.

    Examples
    --------
    >>> root_end(b"<?xml version='1.0'?><!-- <a> --><a b='>'><c/>")
    42

    """
    body = head[:HEAD].removeprefix(codecs.BOM_UTF8).decode("latin-1")  # one character a byte
    root = _ROOT.match(body, _before_root(body)[1])
    return root.end() + len(head[:HEAD]) - len(body) if root else 0


def has_root(head: bytes, name: str) -> bool:
    """Check for a root element of that name in the first bytes of a file.

    Examples
    --------
    >>> has_root(b"<?xml version='1.0'?><txml/>", "txml"), has_root(b"<a>txml</a>", "txml")
    (True, False)

    """
    return name.encode() in head.replace(b"\0", b"") and read_prolog(head).name == name


def _flaw(space: int, declaration: re.Match[str] | None) -> str:
    if space:
        return (
            "has white space before the XML declaration; delete it, so that <?xml is the very "
            "beginning of the file"
        )
    if declaration is None:
        return 'has a broken XML declaration; want one as <?xml version="1.0" encoding="utf-8"?>'
    return ""


def _decode(head: bytes) -> tuple[str | None, str]:
    """Return the encoding of a byte order mark, and the text in that or the declared encoding."""
    for mark, codec in _MARKS:
        if head.startswith(mark):
            return codec.removesuffix("-sig"), head.decode(codec, "replace")
    text = head.decode("utf-8", "replace")
    match = _DECLARATION.match(text.lstrip(" \t\r\n"))
    codec = codec_of(match[1]) if match and match[1] else ""
    if codec in {"", "utf-8", "utf-16", "utf-16-le", "utf-16-be"}:
        return None, text
    return None, head.decode(codec, "replace")


def codec_of(name: str) -> str:
    """Return Python's name of an accepted encoding; empty for any other."""
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return codec if codec in _ENCODINGS else ""


def _skip_doctype(text: str, start: int) -> tuple[str, int]:
    """Return the document type from `start`, without quoted strings and comments, and its end."""
    at, inside, parts = start, False, []
    while match := _PIECE.match(text, at):
        piece, at = match[0], match.end()
        if piece[0] in "\"'":
            parts.append('""')
        elif not piece.startswith(("<!--", "<?")):
            parts.append(piece)
        inside = (inside or piece == "[") and piece != "]"
        if piece == ">" and not inside:
            return "".join(parts), at
    return "".join(parts), len(text)


# The characters that XML 1.0 forbids (section 2.2, Char).

FORBIDDEN = late_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
SURROGATES = late_pattern("[\ud800-\udfff]")  # halves of pairs: no encoding has them
_BLANK = ord(" ")
_TAB, _LF, _CR = b"\t\n\r"
_LEAD = b"\xef"
_NONCHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")  # U+FFFE and U+FFFF


def forbidden_error(what: str, text: str) -> InputError:
    """Return the error of a text with a character that XML forbids; `what` names the text."""
    match = FORBIDDEN.search(text)
    character = f"U+{ord(match[0]):04X}" if match else ""
    return InputError(
        f"{what} has the character {character}, which XML forbids; take it out, or choose a format "
        f"that is not XML, as jsonl"
    )


def has_forbidden(text: str) -> bool:
    r"""Look for a character in a text that XML forbids (see `FORBIDDEN`).

    Examples
    --------
    >>> has_forbidden("a\t\x7f"), has_forbidden("a\x01"), has_forbidden("\ufffe")
    (False, True, True)

    """
    try:
        return has_forbidden_bytes(text.encode())
    except UnicodeEncodeError:  # half of a surrogate pair
        return True


def any_forbidden(segments: Sequence[str]) -> bool:
    """Check for a character in the segments that XML forbids."""
    return has_forbidden("".join(segments))


def has_forbidden_bytes(data: bytes) -> bool:
    """Check for a character in UTF-8 text that XML forbids."""
    codes = np.frombuffer(data, dtype=np.uint8)
    low = codes[codes < _BLANK]
    if ((low != _TAB) & (low != _LF) & (low != _CR)).any():
        return True
    # A search for one byte is many times faster than for three, and rarely succeeds.
    return _LEAD in data and any(code in data for code in _NONCHARACTERS)


REFERENCE = late_pattern(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,7})|#x([0-9a-fA-F]{1,6}));")
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}


def unescape(text: str) -> str:
    """Replace references by their characters, once; all references are valid.

    Examples
    --------
    >>> unescape("R&amp;D &amp;lt; &#x1F600;")
    'R&D &lt; 😀'

    """
    if "&" not in text:
        return text
    if "&#" in text:
        return REFERENCE.sub(lambda match: _character(match[0]), text)
    for name, character in _NAMED.items():  # the ampersand last, so that no reference is made
        text = text.replace(f"&{name};", character)
    return text


@lru_cache(1 << 12)
def _character(reference: str) -> str:
    name = reference[1:-1]
    if name in _NAMED:
        return _NAMED[name]
    return chr(int(f"0{name[1:]}", 16) if name[1] == "x" else int(name[1:]))


# In this order: the replacements contain ampersands.
_IN_TEXT = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#13;"))
_IN_VALUES = (*_IN_TEXT, ('"', "&quot;"), ("\t", "&#9;"), ("\n", "&#10;"))


def escape(text: str) -> str:
    """Escape a text for use between tags.

    A search for each special character is faster than `str.translate`: measured on sentences
    without any, 0.8 µs at most in place of 2.5, and of 15 where there are characters beyond ASCII.

    Examples
    --------
    >>> escape("R&D <b>")
    'R&amp;D &lt;b&gt;'

    """
    for character, reference in _IN_TEXT:
        if character in text:
            text = text.replace(character, reference)
    return text


def escape_value(value: str) -> str:
    """Escape the value of an attribute in double quotes.

    Examples
    --------
    >>> escape_value('a "b"')
    'a &quot;b&quot;'

    """
    for character, reference in _IN_VALUES:
        if character in value:
            value = value.replace(character, reference)
    return value


# Letters that all editions of XML 1.0 allow in names, of the scripts that ids are mostly in.
_NAME_START = (
    r"A-Z_a-zÀ-ÖØ-öø-ıĴ-ľŁ-ňŊ-žƀ-ǃ\u0386\u0388-\u038a\u038e-\u03a1\u03a3-\u03ce"
    r"\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u05d0-\u05ea\u0621-\u063a"
    r"\u0641-\u064a\u0905-\u0939\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3"
)
_XML_NAME = late_pattern(rf"[{_NAME_START}][-.0-9{_NAME_START}]*")


def is_xml_name(text: str) -> bool:
    """Recognise a name in XML, which each `xml:id` has to be."""
    return _XML_NAME.fullmatch(text) is not None
