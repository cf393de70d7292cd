"""Fonts of PDF files: the character, the width and the kind of each code of a string.

The character of a code is that of the map `ToUnicode`, else that of the name of its glyph, by the
encoding of the font, else that of its number in a collection of Adobe. A code without any of these
is U+FFFD. Maps are parsed here, since those of the library have no limits: a range of two lines may
name all numbers of 32 bits.
"""

from __future__ import annotations

import io
import re
import struct
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple

from bitext.formats.documents.blocks import SYMBOL_LETTERS
from bitext.formats.documents.pdf_objects import (
    array,
    data_of,
    is_stream,
    library,
    mapping,
    name_of,
    number_of,
    resolved,
)

UNKNOWN = "\ufffd"
PLAIN, BLANK, ALONE = range(3)  # kinds of glyphs; `ALONE`: its place matters within a word

_MOST_CODES = 1 << 17  # codes of a map or widths of a font, set by hand
_LONGEST_RANGE = 1 << 16
_LONGEST = 64  # characters of a code, as of ligatures; set by hand
_WIDEST = 10.0  # sizes of a glyph, set by hand
_USUAL_WIDTH = 0.5  # of a glyph without one, in sizes
_TOKEN = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])|(\d+)|(\w+)|/([^\s/<>\[\]()]+)")
_BUILT_IN = re.compile(rb"\bdup\s+(\d{1,3})\s*/([^\s/]+)\s+put")  # the encoding of a Type 1 font
_BOLD = re.compile(r"bold|black|heavy|semibold", re.IGNORECASE)
_PRIVATE = {"\uf0b7": "•", "\uf0a7": "▪", "\uf076": "▪", "\uf0d8": "▸", "\uf020": " "}
# Encodings of TeX, T1 (Cork) and OT1, where they differ from Latin-1: characters from a code on.
_T1 = {
    0: "`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—", 25: "ıȷ", 27: ("ff", "fi", "fl", "ffi", "ffl"), 39: "’", 96: "‘",
    127: "-", 128: "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", 215: "Œ",
    223: "ẞ", 247: "œ", 255: "ß",
}  # fmt: skip
_OT1 = {
    0: "ΓΔΘΛΞΠΣΥΦΨΩ", 11: ("ff", "fi", "fl", "ffi", "ffl"), 16: "ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ", 34: "”",
    39: "’", 60: "¡", 62: "¿", 92: "“", 95: "˙", 96: "‘", 123: "–—˝˜¨",
}  # fmt: skip
_BULLET = 136  # of lists, in the encoding TS1 of symbols; the letter Ĺ in T1
_NUMBERED = re.compile(r"a(\d{1,3})")  # a glyph of a bitmap font of TeX
_ACCENTS = "´`ˆ¨˜ˇ¸˚¯ˉ˘˙˝˛"


class Glyph(NamedTuple):
    """Character, width in sizes of the font, and kind of a code."""

    text: str
    width: float
    kind: int


@dataclass(eq=False)
class Font:
    """A font.

    `decode` returns the codes of a string; `character` and `width` return the character and the
    width of a code. A font `is_vertical` if it is written from above, `is_wide` if codes have two
    bytes (the code 32 then has no extra width), and `is_guessed` if its characters come from an
    encoding that the file does not name.
    """

    name: str
    decode: Callable[[bytes], Iterable[int]]
    character: Callable[[int], str]
    width: Callable[[int], float]
    _: KW_ONLY
    is_vertical: bool = False
    is_wide: bool = False
    is_guessed: bool = False
    glyphs: dict[int, Glyph] = field(default_factory=dict)  # of the codes so far

    def __post_init__(self) -> None:
        self.is_bold = _BOLD.search(self.name) is not None

    def glyph(self, code: int) -> Glyph:
        """Return the glyph of a code."""
        glyph = self.glyphs.get(code)
        if glyph is None:
            text = plain(self.character(code))
            width = 1.0 if self.is_vertical else self.width(code)
            width = min(max(width, -_WIDEST), _WIDEST)
            glyph = self.glyphs[code] = Glyph(text, width, _kind(text))
        return glyph


def _kind(text: str) -> int:
    if not text.strip():
        return BLANK
    if all(char < "\u0250" and char not in _ACCENTS for char in text):
        return PLAIN
    is_mark = unicodedata.category(text[0])[0] == "M" or text in _ACCENTS
    is_reverse = any(unicodedata.bidirectional(char) in {"R", "AL", "AN"} for char in text)
    return ALONE if is_mark or is_reverse else PLAIN


def plain(text: str) -> str:
    r"""Return characters without ligatures and presentation forms.

    Examples
    --------
    >>> plain("\ufb01"), plain("\ufefb")
    ('fi', 'لا')

    """
    out = []
    for char in text:
        if "\ufb00" <= char <= "\ufdff" or "\ufe70" <= char <= "\ufefc":
            out.append(unicodedata.normalize("NFKC", char))
        elif "\ue000" <= char <= "\uf8ff":
            out.append(_PRIVATE.get(char, UNKNOWN))
        else:
            out.append(char if char != "\x00" else UNKNOWN)
    return "".join(out)


def font_of(spec: Any) -> Font:
    """Return the font of a dictionary of the file; it has no character where it is damaged."""
    subtype = name_of(spec.get("Subtype"))
    if subtype == "Type0":
        return _composite(spec)
    descriptor = mapping(spec.get("FontDescriptor"))
    name = name_of(spec.get("BaseFont")) or name_of(descriptor.get("FontName"))
    characters = _encoding(spec, descriptor, name)
    unicode = _unicode_map(spec)
    numbers = {} if unicode or subtype != "Type3" else _of_tex(spec)
    characters |= numbers
    scale = 0.001
    if subtype == "Type3":
        matrix = resolved(spec.get("FontMatrix")) or [0.001]
        scale = abs(number_of(matrix[0], 0.001))
    first = int(number_of(spec.get("FirstChar", 0), 0))
    given = array(spec.get("Widths"))[:_LONGEST_RANGE]
    widths = {code: number_of(each, 0.0) * scale for code, each in enumerate(given, first)}
    metrics: dict[Any, Any] = {}
    if not widths:
        known = library("fontmetrics").FONT_METRICS.get(name.partition("+")[2] or name)
        metrics = known[1] if known else {}
    missing = number_of(descriptor.get("MissingWidth"), 0.0) * scale

    def character(code: int) -> str:
        return unicode.get(code) or characters.get(code, UNKNOWN)

    def width(code: int) -> float:
        found = widths.get(code)
        if found is None and metrics:
            found = metrics.get(characters.get(code, ""), 0.0) * scale
        if found is None:
            found = missing or (0.0 if widths else _USUAL_WIDTH)
        return found

    return Font(name, bytes, character, width, is_guessed=bool(numbers))


def _encoding(spec: Any, descriptor: Any, name: str) -> dict[int, str]:
    """Return the characters of the codes of a simple font, by the names of its glyphs."""
    encoding = resolved(spec.get("Encoding"))
    default = "WinAnsi" if name_of(spec.get("Subtype")) == "TrueType" else "Standard"
    given = encoding if isinstance(encoding, dict) else {"BaseEncoding": encoding}
    base = name_of(given.get("BaseEncoding"))
    tables = library("encodingdb").EncodingDB.encodings
    characters: dict[int, str] = dict(tables.get(base) or tables[f"{default}Encoding"])
    family = name.partition("+")[2] or name
    if base not in tables:
        # The font does not name a standard encoding, so the font file's own one holds (PDF
        # 32000-1, 9.6.6): that of the two standard symbol fonts is known, others are in the file.
        if family.startswith("Symbol"):
            characters = {ord(char): letter for char, letter in SYMBOL_LETTERS.items()}
        elif family.startswith("ZapfDingbats"):
            characters = {code: char if code < 64 else UNKNOWN for code, char in characters.items()}
        dups = _BUILT_IN.findall(data_of(descriptor.get("FontFile"))[:_MOST_CODES])
        if dups:
            characters = {int(code): _of_glyph(glyph.decode("latin-1")) for code, glyph in dups}
        if encoding is None:
            characters = _compact(data_of(descriptor.get("FontFile3"))) or characters
    # Differences change any encoding: a number, then the names of the glyphs from that code on.
    code = 0
    for each in map(resolved, array(given.get("Differences"))):
        if isinstance(each, int):
            code = each
        else:
            characters[code] = _of_glyph(name_of(each))
            code += 1
    return characters


def _of_tex(spec: Any) -> dict[int, str]:
    """Return the characters of a bitmap font of TeX, whose glyphs are named by their codes."""
    names = [*map(name_of, array(mapping(spec.get("Encoding")).get("Differences")))]
    numbers = {int(match[1]) for name in names if (match := _NUMBERED.fullmatch(name))}
    if not numbers or any(name not in {"", ".notdef"} and name[0] != "a" for name in names):
        return {}
    if numbers == {_BULLET}:  # a font without any other letter
        return {_BULLET: "•"}
    table = _T1 if max(numbers) > 127 or numbers & {*range(19, 23), 27, 28, 30} else _OT1
    characters = {code: chr(code) for code in numbers if 32 < code < 127 or code >= 192}
    for first, chars in table.items():
        for k, char in enumerate(chars):
            if first + k in numbers:
                characters[first + k] = char
    return characters


def _of_glyph(name: str) -> str:
    try:
        return str(library("encodingdb").name2unicode(name))
    except (KeyError, ValueError, OverflowError, TypeError, AttributeError):
        return UNKNOWN


def _compact(data: bytes) -> dict[int, str]:
    """Return the characters of the built-in encoding of a compact font (CFF)."""
    try:
        font = library("pdffont").CFFFont("", io.BytesIO(data))
        names = {code: font.gid2name.get(gid) for code, gid in font.code2gid.items()}
    except Exception:  # noqa: BLE001 - the library fails in many ways for damaged fonts
        return {}
    return {
        code: _of_glyph(name if isinstance(name, str) else name.decode("latin-1"))
        for code, name in names.items()
        if name
    }


def _unicode_map(spec: Any) -> dict[int, str]:
    """Return the characters of codes by the map `ToUnicode`."""
    out: dict[int, str] = {}
    codes = 0  # ranges may overlap
    for low, high, value in _mapped(data_of(spec.get("ToUnicode")), b"bfchar", b"bfrange"):
        codes += high - low + 1
        if codes > _MOST_CODES:
            break
        if isinstance(value, bytes):
            text = _utf_16(value)
            for k in range(high - low + 1) if text else ():
                last = ord(text[-1]) + k
                if last < 0x110000 and not 0xD800 <= last < 0xE000:
                    out[low + k] = text[:-1] + chr(last)
    return out


def _utf_16(value: bytes) -> str:
    if len(value) == 1:
        value = b"\x00" + value
    return value[: 2 * _LONGEST].decode("utf-16-be", "ignore")


def _mapped(  # noqa: C901 - a parser
    data: bytes, chars: bytes, ranges: bytes
) -> Iterable[tuple[int, int, bytes | int]]:
    """Yield ranges of codes with the value of the first one, from a map of characters."""
    # A map is a program of PostScript: operands are stacked until there are as many as an entry
    # has. What is out of place is left out, as viewers do.
    kind = b""
    stack: list[Any] = []
    values: list[bytes] | None = None  # of a list that is open
    for match in _TOKEN.finditer(data):
        digits, begins, ends, number, word, _ = match.groups()
        if digits is not None:
            digits = b"".join(digits.split())
            value: Any = bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))
            if values is not None:
                values.append(value)
                continue
            stack.append(value)
        elif number is not None:
            stack.append(int(number[:10]))
        elif begins:
            values = []
            continue
        elif ends and values is not None:
            stack.append(values)
            values = None
        elif word is not None:
            kind = word.removeprefix(b"begin") if word.startswith(b"begin") else b""
            stack.clear()
            continue
        if kind == chars and len(stack) == 2:
            if isinstance(stack[0], bytes) and not isinstance(stack[1], list):
                code = int.from_bytes(stack[0][:4], "big")
                yield code, code, stack[1]
            stack.clear()
        elif kind == ranges and len(stack) == 3:
            low, high, value = stack
            if isinstance(low, bytes) and isinstance(high, bytes):
                first = int.from_bytes(low[:4], "big")
                last = min(int.from_bytes(high[:4], "big"), first + _LONGEST_RANGE - 1)
                if isinstance(value, list):
                    for k, each in enumerate(value[: last - first + 1]):
                        yield first + k, first + k, each
                elif last >= first:
                    yield first, last, value
            stack.clear()


def _composite(spec: Any) -> Font:
    """Return a font of several bytes a code (Type 0)."""
    maps = library("cmapdb")
    inner = mapping(next(iter(array(spec.get("DescendantFonts"))), None))
    descriptor, system = mapping(inner.get("FontDescriptor")), mapping(inner.get("CIDSystemInfo"))
    collection = "-".join(name_of(system.get(key)).strip() for key in ("Registry", "Ordering"))
    encoding = resolved(spec.get("Encoding"))
    cmap_name = name_of(encoding.get("CMapName") if is_stream(encoding) else encoding)
    # From the bytes of a string to codes, and from these to the numbers of glyphs: by a map in the
    # file, by a published one, or two bytes each, which are the number.
    decode: Callable[[bytes], Iterable[int]] = _pairs
    numbers: dict[int, int] = {}
    if is_stream(encoding) and not cmap_name.startswith("Identity"):
        decode, numbers = _embedded(encoding.get_data())
    elif not cmap_name.startswith("Identity"):
        with suppress(maps.CMapDB.CMapNotFound):
            decode = _published(maps.CMapDB.get_cmap(cmap_name), numbers)
    is_vertical = cmap_name.endswith("V")
    # From codes to characters, the most reliable source first: the map that the file has for this,
    # that of the published collection of glyphs, the table of characters in the font. The last two
    # are by the numbers of glyphs.
    by_code = _unicode_map(spec)
    by_number: Any = {}
    if not by_code:
        with suppress(maps.CMapDB.CMapNotFound):
            by_number = maps.CMapDB.get_unicode_map(collection, is_vertical).cid2unichr
        by_number = by_number or _of_truetype(data_of(descriptor.get("FontFile2")))
    default = number_of(inner.get("DW"), 1000.0) / 1000
    widths = _cid_widths(array(inner.get("W")))

    def character(code: int) -> str:
        found = by_code.get(code)
        return by_number.get(numbers.get(code, code), UNKNOWN) if found is None else str(found)

    return Font(
        name_of(spec.get("BaseFont")),
        decode,
        character,
        lambda code: widths.get(numbers.get(code, code), default),
        is_vertical=is_vertical,
        is_wide=True,
    )


def _pairs(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2])


def _embedded(data: bytes) -> tuple[Callable[[bytes], Iterable[int]], dict[int, int]]:
    """Return the decoder of a map in the file, of codes of one or two bytes, and its numbers."""
    numbers: dict[int, int] = {}
    codes = 0
    for low, high, value in _mapped(data, b"cidchar", b"cidrange"):
        codes += high - low + 1
        if isinstance(value, int) and codes <= _MOST_CODES:
            numbers.update({low + k: value + k for k in range(high - low + 1)})
    is_short = re.search(rb"begincodespacerange\s*<[0-9A-Fa-f]{2}>", data) is not None
    return bytes if is_short else _pairs, numbers


def _published(cmap: Any, numbers: dict[int, int]) -> Callable[[bytes], Iterable[int]]:
    """Return the decoder of a published map, which adds the numbers of its codes to `numbers`."""
    tree = getattr(cmap, "code2cid", None)
    if tree is None:  # one byte each
        return bytes

    def decode(string: bytes) -> Iterable[int]:
        node, code = tree, 0
        for byte in string:
            found = node.get(byte)
            code = code << 8 | byte
            if isinstance(found, dict):
                node = found
                continue
            if found is not None:
                numbers[code] = found
                yield code
            node, code = tree, 0

    return decode


def _cid_widths(given: list[Any]) -> dict[int, float]:
    """Return the widths of numbers of glyphs, from `W`."""
    widths: dict[int, float] = {}
    stack: list[int] = []
    codes = 0
    for each in map(resolved, given):
        if isinstance(each, list) and stack:
            for k, width in enumerate(each[:_LONGEST_RANGE]):
                widths[stack[-1] + k] = number_of(width, 0.0) / 1000
            stack.clear()
        elif isinstance(each, int | float):
            stack.append(each)  # type: ignore[arg-type]
            if len(stack) == 3:
                low, high, width = stack
                codes += int(max(high - low, 0))  # ranges may overlap
                if codes > _MOST_CODES:
                    break
                for code in range(int(low), int(high) + 1):
                    widths[code] = width / 1000
                stack.clear()
    return widths


def _of_truetype(data: bytes) -> dict[int, str]:
    """Return the characters of glyphs by the table `cmap` of a TrueType font."""
    out: dict[int, str] = {}
    # Of a table that is cut short, glyphs without a character are UNKNOWN, which is noted.
    with suppress(struct.error, StopIteration):
        tables = struct.unpack_from(">H", data, 4)[0]
        entries = (struct.unpack_from(">4s4xII", data, 12 + 16 * k) for k in range(tables))
        at = next(at for tag, at, _ in entries if tag == b"cmap")
        for k in range(struct.unpack_from(">H", data, at + 2)[0]):
            platform, _, place = struct.unpack_from(">HHI", data, at + 4 + 8 * k)
            if platform in {0, 3}:
                _read_cmap(data, at + place, out)
    return out


def _read_cmap(data: bytes, at: int, out: dict[int, str]) -> None:
    """Read the segments of a table of format 4 or 12."""
    kind = struct.unpack_from(">H", data, at)[0]
    if kind == 4:
        size = struct.unpack_from(">H", data, at + 6)[0]
        count = size // 2
        rows = [
            struct.unpack_from(f">{count}H", data, at + 14 + size * k + 2 * (k > 0))
            for k in range(4)
        ]
        codes = 0
        for k, (last, first, delta, offset) in enumerate(zip(*rows, strict=True)):
            codes += max(last - first, 0)  # segments may overlap
            if codes > _MOST_CODES:
                return
            for code in range(first, min(last, 0xFFFE) + 1):
                glyph = code
                if offset:
                    place = at + 16 + 3 * size + 2 * k + offset + 2 * (code - first)
                    glyph = struct.unpack_from(">H", data, place)[0]
                out.setdefault((glyph + delta) & 0xFFFF, chr(code))
    elif kind == 12:
        groups = struct.unpack_from(">I", data, at + 12)[0]
        codes = 0
        for k in range(min(groups, _LONGEST_RANGE)):
            first, last, glyph = struct.unpack_from(">III", data, at + 16 + 12 * k)
            codes += max(last - first, 0)
            if codes > _MOST_CODES:
                return
            for code in range(first, min(last, 0x10FFFF) + 1):
                out.setdefault(glyph + code - first, chr(code))
