"""Values of Roman and Chinese numerals, as headings and the names of chapters have them."""

from __future__ import annotations

ROMAN = r"(?=[CLXVI])C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
"""A pattern of the Roman numerals from 1 to 399."""

HAN = "〇零一二两兩三四五六七八九十百"
"""The characters of the Chinese numerals that `han_value` reads."""

_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")}
_DIGITS |= {"〇": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100}


def roman_value(numeral: str) -> int:
    """Return the value of a Roman numeral that matches `ROMAN`, in capitals or small letters.

    Examples
    --------
    >>> roman_value("XIV"), roman_value("xc")
    (14, 90)

    """
    values = [_ROMAN_VALUES[letter] for letter in numeral.upper()]
    after = [*values[1:], 0]
    return sum(-one if one < next_ else one for one, next_ in zip(values, after, strict=True))


def han_value(numeral: str) -> int:
    """Return the value of a numeral of the characters of `HAN`, and of digits of any script.

    Figures in a row are read as decimal digits: 一二 is 12, as 十二 is.

    Examples
    --------
    >>> [han_value(numeral) for numeral in ("十二", "一二", "二百零五", "1２")]
    [12, 12, 205, 12]

    """
    total = figure = 0
    for character in numeral:
        if character in _UNITS:
            total += (figure or 1) * _UNITS[character]
            figure = 0
        else:
            value = _DIGITS.get(character)
            figure = 10 * figure + (int(character) if value is None else value)
    return total + figure
