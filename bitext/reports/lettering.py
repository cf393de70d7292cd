"""Text in drawings, on pages and on a terminal: made harmless, measured without a font, cut."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TextIO

from bitext.errors import many
from bitext.reports.table import width

# Average advances of common sans-serif fonts, in thousandths of the font size.
_NARROW = {
    **dict.fromkeys("ijl'|", 250),
    **dict.fromkeys("ftI!.,:;/\\()[]{}`\u2018\u2019", 330),
    **dict.fromkeys('rs-"*\u201c\u201d ', 400),
    **dict.fromkeys("cJkvxyz^", 530),
    **dict.fromkeys("ABKEPSXYVTFLZ&\u2013", 680),
    **dict.fromkeys("CDGHNOQRU", 760),
    **dict.fromkeys("mMWw%@\u2014\u2026", 880),
}
_LETTER = 590
_UPPER = 700
_WIDE = 1000  # East Asian and emoji
_ZERO = {"Mn", "Me", "Cf", "Cc"}
_JOINERS = {"\u200c", "\u200d"}  # part of ordinary words
_STACKED = {"Mn", "Me"}  # combining marks above, below or around the letter before
_MARKS = 4  # combining marks in a row: no word has more, and a stack would cover its neighbours
_MEASURED = 400  # characters to measure: the rest of a longer text fits nowhere
_SKIN = range(0x1F3FB, 0x1F400)
_FLAG = range(0x1F1E6, 0x1F200)
# Visible format characters: those before or around Arabic and Kaithi numbers.
_SEEN = {*map(chr, range(0x600, 0x606)), "\u06dd", "\u070f", "\u0890", "\u0891", "\u08e2"}
_SEEN |= {"\U000110bd", "\U000110cd"}


def visible(text: str) -> str:
    r"""Make all characters visible that could control a page, or hide in it.

    Control characters become their pictures. Marks of writing direction and other invisible format
    characters become their code point in brackets. Characters that UTF-8 or XML does not allow
    become the replacement character. The first four combining marks of a letter stay, and further
    ones are counted.

    Examples
    --------
    >>> visible("tab\tand \u202eright to left")
    'tab␉and [U+202E]right to left'
    >>> visible("a" + 3000 * "\u0301").encode("ascii", "backslashreplace").decode()
    'a\\u0301\\u0301\\u0301\\u0301[+2,996 marks]'

    """
    if text.isascii() and text.isprintable():
        return text
    parts, mark_count = [], 0
    for character in text:
        if unicodedata.category(character) in _STACKED:
            mark_count += 1
        elif character not in _JOINERS:  # marks after a joiner belong to the same stack
            parts.append(_rest(mark_count))
            mark_count = 0
        if mark_count <= _MARKS:
            parts.append(_picture(character))
    return "".join([*parts, _rest(mark_count)])


def _rest(marks: int) -> str:
    omitted = marks - _MARKS
    return f"[+{many(omitted, 'mark')}]" if omitted > 0 else ""


def _picture(character: str) -> str:
    code = ord(character)
    if code < 32:
        return chr(0x2400 + code)
    if code == 127:
        return "\u2421"
    if 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE:
        return "\ufffd"
    kind = unicodedata.category(character)
    if kind in {"Cc", "Zl", "Zp"} or (kind == "Cf" and character not in _JOINERS | _SEEN):
        return f"[U+{code:04X}]"
    return character


def em_width(text: str) -> float:
    r"""Estimate the width of a text in a sans-serif font, in font sizes.

    Combining marks have no width, East Asian wide characters and emoji one font size. Joined emoji
    have the width of one.

    Examples
    --------
    >>> em_width("illicit") < em_width("mammoth"), em_width("e\u0301") == em_width("e")
    (True, True)

    """
    total, joined, flag = 0, False, False
    for character in text:
        code = ord(character)
        if joined or code in _SKIN or (flag and code in _FLAG):
            joined = flag = False
            continue
        joined = character == "\u200d" and total > 0
        flag = code in _FLAG
        total += _advance(character)
    return total / 1000


def _advance(character: str) -> int:
    known = _NARROW.get(character)
    if known is not None:
        return known
    if character.isascii():
        return _UPPER if character.isupper() else _LETTER
    kind = unicodedata.category(character)
    if kind in _ZERO and character not in _SEEN:
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    base = unicodedata.normalize("NFD", character)[0]
    if base != character:
        return _advance(base)
    return _UPPER if kind == "Lu" else _WIDE if kind == "So" else _LETTER


def cut(text: str, limit: float) -> str:
    """Truncate a text with an ellipsis to a width in font sizes.

    Examples
    --------
    >>> cut("short", 6), cut("Donaudampfschifffahrt", 6)
    ('short', 'Donauda…')

    """
    if len(text) <= _MEASURED and em_width(text) <= limit:
        return text
    # The estimate never shrinks with more text, so bisection finds the longest prefix that fits.
    low, high = 0, min(len(text), _MEASURED)
    while low < high:
        middle = (low + high + 1) // 2
        if em_width(text[:middle] + "…") <= limit:
            low = middle
        else:
            high = middle - 1
    end = low
    while end and unicodedata.category(text[end]).startswith("M"):
        end -= 1  # keep a letter with its marks
    # For a single letter, some of its marks are better than nothing.
    return text[: end or min(low, 1 + _MARKS)] + "…"


# Text on a terminal: colours, and truncation and wrapping by columns.


LEAST_WIDTH = 40  # columns used on a narrower terminal, too
_COLOURS = {"agreed": "32", "partly": "34", "missed": "33", "wrong": "31", "quiet": "2"}


def wants_colour(stream: TextIO | None = None, environ: Mapping[str, str] = os.environ) -> bool:
    """Return True for a stream to colour: a terminal whose environment allows colours.

    A non-empty `NO_COLOR` (no-color.org) and a `TERM` of `dumb` forbid colours.

    Examples
    --------
    >>> import io
    >>> wants_colour(io.StringIO())
    False

    """
    out = sys.stdout if stream is None else stream
    if environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return out is not None and out.isatty()


def painted(text: str, kind: str, *, colour: bool) -> str:
    r"""Return a text in the colour of its kind: agreed, partly, missed, wrong, or quiet.

    Examples
    --------
    >>> painted("no", "wrong", colour=True), painted("no", "wrong", colour=False)
    ('\x1b[31mno\x1b[0m', 'no')

    """
    return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if colour else text


def key_of(symbols: Iterable[tuple[str, str]], *, colour: bool) -> str:
    """Return the key of symbols, each with its meaning and the kind of its colour, as one line."""
    return "   ".join(painted(text, kind, colour=colour) for text, kind in symbols)


def clipped(text: str, columns: int) -> str:
    """Truncate a text with an ellipsis to a number of columns.

    No letter loses its combining marks.

    Examples
    --------
    >>> clipped("  one  two", 10), clipped("  one  two", 8)
    ('  one  two', '  one  …')

    """
    return text if width(text) <= columns else _head(text, columns - 1) + "…"


def shortened(text: str, columns: int) -> str:
    r"""Join a text to one line, and truncate it with an ellipsis to a number of columns.

    Control characters become visible (`bitext.reports.lettering.visible`), white space becomes one
    space, and wide characters take two columns.

    Examples
    --------
    >>> shortened("one  two\nthree", 9), shortened("漢字漢字", 5)
    ('one two …', '漢字…')

    """
    line = visible(" ".join(text[: 8 * columns + 80].split()))
    if width(line) <= columns and len(text) <= 8 * columns + 80:
        return line
    return _head(line, columns - 1) + "…"


def wrapped(text: str, columns: int, *, most: int | None = None) -> list[str]:
    """Wrap a text to a number of columns, at spaces where possible.

    Beyond `most` lines, the last one ends in an ellipsis. An empty text is one empty line.

    Examples
    --------
    >>> wrapped("a longish sentence of words", 10)
    ['a longish', 'sentence', 'of words']
    >>> wrapped("Donaudampfschiff", 10, most=1)
    ['Donaudamp…']

    """
    lines, line = [], ""
    limit = len(text) if most is None else 8 * columns * most + 80
    for word in text[:limit].split():
        word = visible(word)
        while True:
            joined = f"{line} {word}" if line else word
            if width(joined) <= columns:
                line = joined
                break
            if line:
                lines.append(line)
                line = ""
                continue
            part = _head(word, columns) or word[:1]  # a single wide character may be too wide
            lines.append(part)
            word = word[len(part) :]
        if most is not None and len(lines) > most:
            break
    lines.append(line)
    lines = [kept for kept in lines if kept] or [""]
    if most is not None and (len(lines) > most or limit < len(text)):
        lines = lines[:most]
        lines[-1] = _head(lines[-1], columns - 1) + "…"
    return lines


def padded(text: str, columns: int) -> str:
    """Pad a text with spaces to a number of columns."""
    return text + " " * max(columns - width(text), 0)


def _head(text: str, columns: int) -> str:
    """Return the longest prefix that fits, with whole letters and their marks."""
    used = 0
    for k, character in enumerate(text):
        used += width(character)
        if used > columns:
            end = k
            while end and unicodedata.category(text[end]).startswith("M"):
                end -= 1
            return text[:end]
    return text
