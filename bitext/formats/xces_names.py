"""Names of columns as names of XML attributes, and back.

A character that cannot stand in such a name, as the colon of `prop:x-domain`, is written as
`_x003A_`, its number in hexadecimal between; so is the underscore of what looks like that itself.
"""

from __future__ import annotations

import re

__all__ = ["meant", "spelled"]

_KEPT = {"xml:lang", "xml:id", "xml:space"}
_ESCAPED = re.compile(r"_x([0-9A-F]{4,6})_")
_SPECIAL = re.compile(r"_(?=x[0-9A-F]{4,6}_)|[^\w.-]|^(?:xmlns$|xtargets$|[^A-Za-z_])", re.ASCII)


def spelled(name: str) -> str:
    """Return a name that XML allows, and that no attribute of another meaning has.

    Examples
    --------
    >>> spelled("tgt.prop:x y"), spelled("certainty"), spelled("xtargets")
    ('tgt.prop_x003A_x_x0020_y', 'certainty', '_x0078_targets')

    """
    if name in _KEPT:
        return name
    return _SPECIAL.sub(lambda found: escaped(found[0]), name) or "_"


def escaped(text: str) -> str:
    """Return a text with its first character by its number."""
    return f"_x{ord(text[0]):04X}_{text[1:]}"


def meant(name: str) -> str:
    """Return the name that is spelled.

    Examples
    --------
    >>> meant("tgt.prop_x003A_x_x0020_y"), meant(spelled("_x0020_"))
    ('tgt.prop:x y', '_x0020_')

    """
    if "_x" not in name:
        return name
    return _ESCAPED.sub(lambda found: _character(found[1]) or found[0], name)


def _character(number: str) -> str:
    code = int(number, 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else ""
