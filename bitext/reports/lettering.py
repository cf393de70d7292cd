"""Text in drawings and pages: made harmless, measured without a font, and truncated."""

from __future__ import annotations

import unicodedata

from bitext.errors import many

__all__ = ["cut", "em_width", "visible"]

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
    shown, marks = [], 0
    for sign in text:
        if unicodedata.category(sign) in _STACKED:
            marks += 1
        elif sign not in _JOINERS:  # marks behind a joiner belong to the same stack
            shown.append(_rest(marks))
            marks = 0
        if marks <= _MARKS:
            shown.append(_picture(sign))
    return "".join([*shown, _rest(marks)])


def _rest(marks: int) -> str:
    more = marks - _MARKS
    return f"[+{many(more, 'mark')}]" if more > 0 else ""


def _picture(sign: str) -> str:
    code = ord(sign)
    if code < 32:
        return chr(0x2400 + code)
    if code == 127:
        return "\u2421"
    if 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE:
        return "\ufffd"
    kind = unicodedata.category(sign)
    if kind in {"Cc", "Zl", "Zp"} or (kind == "Cf" and sign not in _JOINERS | _SEEN):
        return f"[U+{code:04X}]"
    return sign


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
    for sign in text:
        code = ord(sign)
        if joined or code in _SKIN or (flag and code in _FLAG):
            joined = flag = False
            continue
        joined = sign == "\u200d" and total > 0
        flag = code in _FLAG
        total += _advance(sign)
    return total / 1000


def _advance(sign: str) -> int:
    known = _NARROW.get(sign)
    if known is not None:
        return known
    if sign.isascii():
        return _UPPER if sign.isupper() else _LETTER
    kind = unicodedata.category(sign)
    if kind in _ZERO and sign not in _SEEN:
        return 0
    if unicodedata.east_asian_width(sign) in "WF":
        return _WIDE
    base = unicodedata.normalize("NFD", sign)[0]
    if base != sign:
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
    whole = low
    while whole and unicodedata.category(text[whole]).startswith("M"):
        whole -= 1  # keep a letter with its marks
    # For a single letter, some of its marks are better than nothing.
    return text[: whole or min(low, 1 + _MARKS)] + "…"
