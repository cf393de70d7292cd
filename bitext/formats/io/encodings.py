"""Encodings of texts: checking names, and detecting an encoding from the first bytes."""

from __future__ import annotations

import codecs
import re

from bitext.errors import OptionError
from bitext.option_names import remedy

__all__ = [
    "check_encoding",
    "check_encodings",
    "encoding_of",
    "exchanged",
    "is_by_lines",
    "is_utf_8",
    "is_utf_8_twice",
    "mark_of",
    "misread_utf_8",
    "name_encoding",
    "unmarked_utf_16",
    "utf_16_ends",
]

_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

# Byte order without a mark, as on Windows; Python uses that of the machine, or refuses the text.
_UNMARKED = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_NOT_OF_TEXTS = {"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}
_SIDES = ("src", "tgt")
# Set by hand, as the other thresholds here: letters of other encodings hardly ever form five
# valid sequences of UTF-8.
_FEWEST = 5  # non-ASCII letters that are evidence for UTF-8
_MOST = 0.8  # least share of non-ASCII bytes in valid sequences, for text that is UTF-8 twice
_OF_UTF_8 = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
# The first letters of such sequences, read as Latin-1 or Windows-1252: cheap to count.
_LATIN_LEADS = re.compile(r"[\xc2-\xf4](?=[^\x00-\x7f])")
# Letters of Windows-1252 at the codes where Latin-1 has control characters.
_WINDOWS = {
    ord(bytes([byte]).decode("cp1252")): byte
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_EXAMINED = 1 << 10  # bytes at the head of a file that are examined for UTF-16
_FEWEST_NULS = 8  # NUL bytes that are evidence for UTF-16
_STATEFUL = ("utf-8-sig", "iso2022", "hz")  # the meaning of a byte depends on earlier ones


def check_encodings(name: str) -> str:
    """Normalize one encoding, or one for each side, as `src=latin-1,tgt=utf-8`.

    Raises
    ------
    OptionError
        When Python does not know one, or it is given for anything but the two sides.

    Examples
    --------
    >>> check_encodings("latin-1"), check_encodings("tgt=latin-1")
    ('iso8859-1', 'tgt=iso8859-1')

    """
    if "=" not in name:
        return check_encoding(name)
    encodings: dict[str, str] = {}
    for item in name.split(","):
        side, equals, encoding = (part.strip() for part in item.partition("="))
        if side not in _SIDES or not equals or side in encodings:
            raise OptionError(
                f"encoding {name!r}: want one for all files, as latin-1, or one for a side or "
                f"each, as src=latin-1,tgt=utf-8"
            )
        encodings[side] = check_encoding(encoding)
    return ",".join(f"{side}={encoding}" for side, encoding in encodings.items())


def encoding_of(name: str, side: str) -> str:
    """Return the encoding of a side, `src` or `tgt`; UTF-8 where only the other side has one.

    For a file of neither side, `side` is empty and `name` has to be a single encoding.

    Examples
    --------
    >>> encoding_of("tgt=latin-1", "tgt"), encoding_of("tgt=latin-1", "src"), encoding_of("a", "")
    ('latin-1', 'utf-8', 'a')

    """
    if "=" not in name:
        return name
    sides = dict(item.split("=", 1) for item in name.split(","))
    return sides.get(side, "utf-8")


def exchanged(name: str) -> str:
    """Return encodings of sides with the two sides exchanged."""
    if "=" not in name:
        return name
    return ",".join(
        f"{'tgt' if item.startswith('src') else 'src'}{item[3:]}" for item in name.split(",")
    )


def check_encoding(name: str) -> str:
    """Normalize an encoding of text that Python knows.

    Raises
    ------
    OptionError
        When Python does not know it, or when it could smuggle in markup (UTF-7).

    """
    if name.startswith(tuple(f"{side}=" for side in _SIDES)):
        raise OptionError(
            f"encoding {name!r} is for the two sides of a bitext in two files, and here is one "
            f"file: name one encoding, as {name.partition('=')[2].partition(',')[0]}"
        )
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError for NUL characters in the name
        raise OptionError(f"encoding {name!r} is not known: want one as utf-8, latin-1") from None
    if not getattr(info, "_is_text_encoding", True) or info.name in _NOT_OF_TEXTS:
        raise OptionError(f"encoding {name!r} is not for text files: want one as utf-8, latin-1")
    return info.name


def mark_of(head: bytes, encoding: str) -> tuple[bytes, str]:
    r"""Return the byte order mark at the head of a file, if any, and the resulting encoding.

    Examples
    --------
    >>> mark_of(b"\xff\xfea\x00", "utf-8")
    (b'\xff\xfe', 'utf-16-le')
    >>> mark_of(b"a", "utf-16")
    (b'', 'utf-16-le')

    """
    bom = next((mark for mark in _BOMS if head.startswith(mark)), b"")
    return bom, _BOMS.get(bom) or _UNMARKED.get(encoding, encoding)


def is_by_lines(encoding: str) -> bool:
    """Return whether lines can be decoded one by one: the byte of LF is always a line end."""
    return "\n".encode(encoding) == b"\n" and not encoding.startswith(_STATEFUL)


def is_utf_8(head: bytes) -> bool:
    r"""Return whether the head of a file is UTF-8 without a mark, by its non-ASCII letters.

    Examples
    --------
    >>> accents = "à é è ô ü"
    >>> is_utf_8(accents.encode()), is_utf_8(accents.encode("latin-1")), is_utf_8(b"a e e o u")
    (True, False, False)
    >>> is_utf_8(accents.encode("utf-8-sig"))
    False

    """
    if any(head.startswith(mark) for mark in _BOMS):
        return False
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)  # which may be cut in a letter
    except UnicodeDecodeError:
        return False
    return sum(not letter.isascii() for letter in text) >= _FEWEST


def misread_utf_8(head: bytes, encoding: str) -> bool:
    r"""Return whether the head of a file seems to be UTF-8 while `encoding` is another.

    Text in a single-byte encoding is hardly ever valid UTF-8 by chance; in multi-byte encodings
    some letters are.

    Examples
    --------
    >>> misread_utf_8("é".encode(), "latin-1"), misread_utf_8("é".encode(), "utf-8")
    (True, False)
    >>> misread_utf_8("été".encode("latin-1"), "latin-1")
    False

    """
    codec = codecs.lookup(encoding).name
    if codec.startswith(("utf", "ascii")) or any(head.startswith(mark) for mark in _BOMS):
        return False
    beyond = sum(byte > 0x7F for byte in head)
    sequences = _OF_UTF_8.findall(head)
    valid = sum(map(len, sequences))
    single = len(bytes(range(256)).decode(codec, "replace")) == 256
    if single and valid and valid >= beyond - 3:  # the head may be cut within a letter
        return valid == beyond or len(sequences) >= _FEWEST
    return len(sequences) >= _FEWEST and valid >= (_MOST if single else 1) * beyond


def is_utf_8_twice(head: bytes) -> bool:
    """Return whether UTF-8 was read as Latin-1 or Windows-1252, and written as UTF-8 again.

    Examples
    --------
    >>> once = "à é è ô ü “œ”".encode()
    >>> is_utf_8_twice(once), is_utf_8_twice(once.decode("latin-1").encode())
    (False, True)

    """
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    if len(_LATIN_LEADS.findall(text)) < _FEWEST:
        return False
    read = text.translate(_WINDOWS).encode("latin-1", "replace")
    sequences = _OF_UTF_8.findall(read)
    if len(sequences) < _FEWEST:
        return False
    return sum(map(len, sequences)) >= _MOST * sum(not letter.isascii() for letter in text)


def utf_16_ends(part: str | bytes) -> str:
    """Return the byte order of UTF-16 without a mark, `le` or `be`; empty for other text.

    In UTF-16 each letter of Latin script has a NUL byte, always on the same side.

    Examples
    --------
    >>> utf_16_ends("Hello.".encode("utf-16-le")), utf_16_ends("Hello.")
    ('le', '')

    """
    nul = "\0" if isinstance(part, str) else 0
    parities = [k % 2 for k, char in enumerate(part) if char == nul]
    if len(parities) <= len(part) // 4 or len({*parities}) > 1:
        return ""
    return "le" if parities[0] else "be"


def unmarked_utf_16(head: bytes, side: str = "") -> str:
    """Return the error of a file that begins as UTF-16 without a mark; empty for none."""
    begin = head[:_EXAMINED]
    nuls = begin.count(0)
    ends = utf_16_ends(begin) if nuls >= _FEWEST_NULS else ""
    if not ends:
        if nuls < max(_FEWEST_NULS, len(begin) // 3):
            return ""
        # A missing or surplus byte changes the parity; but no text has so many NULs.
        return "has a NUL byte for each letter, as damaged UTF-16 has: give the file as it was made"
    way = remedy(f"encoding {side}{'=' if side else ''}utf-16-{ends}")
    return (
        f"has NUL bytes, as UTF-16 has without a byte order mark: read it with {way}, or convert "
        f"it to UTF-8"
    )


def name_encoding(side: str = "") -> str:
    """Word the advice for a file that is not in the encoding in which it was read."""
    way = remedy(f"encoding {side}=latin-1" if side else "encoding")
    return f"name the encoding of the file ({way}) or convert it to UTF-8"
