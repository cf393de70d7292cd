"""What stands for the characters that XML does not take as they are, between tags and in values.

A carriage return has to be a reference everywhere, as a parser makes a line feed of it; a tab and a
line feed only in the values of attributes, where it makes spaces of them.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["IN_TEXT", "IN_VALUES", "escape", "escape_value", "replaced"]

# In this order: what is put in has an ampersand itself.
IN_TEXT: Mapping[str, str] = MappingProxyType(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"}
)
IN_VALUES: Mapping[str, str] = MappingProxyType(
    {**IN_TEXT, '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}
)
_TEXT, _VALUES = str.maketrans({**IN_TEXT}), str.maketrans({**IN_VALUES})


def escape(text: str) -> str:
    """Return a text as it stands between tags.

    Examples
    --------
    >>> escape("R&D <b>")
    'R&amp;D &lt;b&gt;'

    """
    return text.translate(_TEXT)


def escape_value(value: str) -> str:
    """Return the value of an attribute as it stands between double quotes.

    Examples
    --------
    >>> escape_value('a "b"')
    'a &quot;b&quot;'

    """
    return value.translate(_VALUES)


def replaced(text: str, references: Mapping[str, str] = IN_TEXT) -> str:
    """Return a long text with what stands for its characters: a pass over it for each that it has.

    Examples
    --------
    >>> replaced("R&D <b>") == escape("R&D <b>")
    True

    """
    for sign, reference in references.items():
        if sign in text:
            text = text.replace(sign, reference)
    return text
