"""Encodings of texts: which may be named, and which one the first bytes tell."""

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
    codecs.BOM_UTF32_LE: "utf-32-le",  # begins as that of UTF-16
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

# Without a mark, as Windows writes it; Python takes the order of the machine, or refuses it.
_UNMARKED = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_NOT_OF_TEXTS = {"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}
_SIDES = ("src", "tgt")
_FEWEST = 5  # letters beyond ASCII that tell UTF-8: in other encodings they hardly ever fit it
_MOST = 0.8  # of the letters beyond ASCII are such pairs, where a text is UTF-8 twice
_OF_UTF_8 = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
# The letters that Windows has where Latin-1 has controls.
_WINDOWS = {
    ord(bytes([byte]).decode("cp1252")): byte
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
_LOOKED_AT = 1 << 10  # bytes at the head of a file that tell UTF-16
_FEWEST_NULS = 8  # that tell it
_STATEFUL = ("utf-8-sig", "iso2022", "hz")  # what a byte means depends on those before it


def check_encodings(name: str) -> str:
    """Return the encoding, or one for each side, as `src=latin-1,tgt=utf-8`, if Python knows them.

    Raises
    ------
    OptionError
        When one is not known, or it is said of something else than the two sides.

    Examples
    --------
    >>> check_encodings("latin-1"), check_encodings("tgt=latin-1")
    ('iso8859-1', 'tgt=iso8859-1')

    """
    if "=" not in name:
        return check_encoding(name)
    found: dict[str, str] = {}
    for item in name.split(","):
        side, equals, encoding = (part.strip() for part in item.partition("="))
        if side not in _SIDES or not equals or side in found:
            raise OptionError(
                f"encoding {name!r}: want one for all files, as latin-1, or one for a side or "
                f"each, as src=latin-1,tgt=utf-8"
            )
        found[side] = check_encoding(encoding)
    return ",".join(f"{side}={encoding}" for side, encoding in found.items())


def encoding_of(name: str, side: str) -> str:
    """Return the encoding of a side, `src` or `tgt`; UTF-8 where one of the other side is named.

    Of what is of neither side (`side` is empty) one that holds for all is returned.

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
    """Return encodings of sides for files whose sides are exchanged."""
    if "=" not in name:
        return name
    return ",".join(
        f"{'tgt' if item.startswith('src') else 'src'}{item[3:]}" for item in name.split(",")
    )


def check_encoding(name: str) -> str:
    """Return the encoding if Python knows it and it is one of text.

    Raises
    ------
    OptionError
        When it does not, or when it could smuggle in markup (UTF-7).

    """
    if name.startswith(tuple(f"{side}=" for side in _SIDES)):
        raise OptionError(
            f"encoding {name!r} is for the two sides of a bitext in two files, and here is one "
            f"file: name one encoding, as {name.partition('=')[2].partition(',')[0]}"
        )
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):  # the latter for signs that no name has
        raise OptionError(f"encoding {name!r} is not known: want one as utf-8, latin-1") from None
    if not getattr(info, "_is_text_encoding", True) or info.name in _NOT_OF_TEXTS:
        raise OptionError(f"encoding {name!r} is not for text files: want one as utf-8, latin-1")
    return info.name


def mark_of(head: bytes, encoding: str) -> tuple[bytes, str]:
    r"""Return the byte order mark at the head of a file, if any, and the encoding: it goes by that.

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
    """Tell whether the byte of LF is a line end and nothing else, and lines are decoded apart."""
    return "\n".encode(encoding) == b"\n" and not encoding.startswith(_STATEFUL)


def is_utf_8(head: bytes) -> bool:
    r"""Tell whether the beginning of a file is UTF-8, by letters beyond ASCII, and says nothing.

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
        text = codecs.getincrementaldecoder("utf-8")().decode(head)  # it may end in a letter
    except UnicodeDecodeError:
        return False
    return sum(not letter.isascii() for letter in text) >= _FEWEST


def misread_utf_8(head: bytes, encoding: str) -> bool:
    r"""Tell whether a file seems to be UTF-8 by its beginning, and is to be read otherwise.

    In an encoding of a byte a letter, hardly any text is UTF-8 by chance; in others some letters
    are.

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
    found = _OF_UTF_8.findall(head)
    held = sum(map(len, found))
    single = len(bytes(range(256)).decode(codec, "replace")) == 256
    if single and held and held >= beyond - 3:  # the head may be cut within a letter
        return held == beyond or len(found) >= _FEWEST
    return len(found) >= _FEWEST and held >= (_MOST if single else 1) * beyond


def is_utf_8_twice(head: bytes) -> bool:
    """Tell whether UTF-8 was read as Latin-1 or as Windows-1252, and written as UTF-8 again.

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
    if text.isascii():
        return False
    read = text.translate(_WINDOWS).encode("latin-1", "replace")
    found = _OF_UTF_8.findall(read)
    if len(found) < _FEWEST:
        return False
    return sum(map(len, found)) >= _MOST * sum(not letter.isascii() for letter in text)


def utf_16_ends(part: str | bytes) -> str:
    """Return `le` or `be` for what is UTF-16 without a byte order mark, read as bytes; else ``.

    Letters of Latin script have a NUL each in it, all on one side.

    Examples
    --------
    >>> utf_16_ends("Hello.".encode("utf-16-le")), utf_16_ends("Hello.")
    ('le', '')

    """
    nul = "\0" if isinstance(part, str) else 0
    held = [k % 2 for k, sign in enumerate(part) if sign == nul]
    if len(held) <= len(part) // 4 or len({*held}) > 1:
        return ""
    return "le" if held[0] else "be"


def unmarked_utf_16(head: bytes, side: str = "") -> str:
    """Return what is wrong with a file that begins as UTF-16 does without a mark; else ``."""
    begin = head[:_LOOKED_AT]
    nuls = begin.count(0)
    ends = utf_16_ends(begin) if nuls >= _FEWEST_NULS else ""
    if not ends:
        if nuls < max(_FEWEST_NULS, len(begin) // 3):
            return ""
        # A byte too many or too few somewhere changes the side; no text has so many NULs.
        return "has a NUL byte for each letter, as damaged UTF-16 has: give the file as it was made"
    way = remedy(f"encoding {side}{'=' if side else ''}utf-16-{ends}")
    return (
        f"has NUL bytes, as UTF-16 has without a byte order mark: read it with {way}, or convert "
        f"it to UTF-8"
    )


def name_encoding(side: str = "") -> str:
    """Say what to do about a file, of a side, that is not in the encoding that it was read in."""
    way = remedy(f"encoding {side}=latin-1" if side else "encoding")
    return f"name the encoding of the file ({way}) or convert it to UTF-8"
