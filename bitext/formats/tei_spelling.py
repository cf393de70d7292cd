"""How names, values and pointers are spelled in TEI that is written."""

from __future__ import annotations

import re

from bitext.errors import InputError
from bitext.formats.forbidden import FORBIDDEN
from bitext.formats.xml_escapes import escape, escape_value

__all__ = ["BARE", "attribute", "content", "is_name", "is_xml_name", "uri", "value_of"]

BARE = "bitext-ids"  # the subtype of our groups in which pointers are documents and bare ids
# Letters that all editions of XML 1.0 allow in names, of the scripts that ids are mostly in.
_START = (
    r"A-Z_a-zÀ-ÖØ-öø-ıĴ-ľŁ-ňŊ-žƀ-ǃ\u0386\u0388-\u038a\u038e-\u03a1\u03a3-\u03ce"
    r"\u0401-\u040c\u040e-\u044f\u0451-\u045c\u045e-\u0481\u05d0-\u05ea\u0621-\u063a"
    r"\u0641-\u064a\u0905-\u0939\u3041-\u3094\u30a1-\u30fa\u4e00-\u9fa5\uac00-\ud7a3"
)
_NAME = re.compile(rf"[{_START}][-.0-9{_START}]*")
_OURS = re.compile(r"bitext-\d+-(?:src|tgt|link)(?:-\d+)?")
_SPECIAL = re.compile(r"[&<>\"\t\n\r]")
_NOT_IN_URI = re.compile(r"[\s%#<>\"{}|\\^`()]")


def is_name(text: str) -> bool:
    """Tell whether an identifier can be an `xml:id`: a name in XML, and none that we make up.

    Examples
    --------
    >>> is_name("s1"), is_name("é.1"), is_name("1"), is_name("a:b"), is_name("bitext-1-src-1")
    (True, True, False, False, False)

    """
    return _NAME.fullmatch(text) is not None and _OURS.fullmatch(text) is None


def is_xml_name(text: str) -> bool:
    """Tell whether a text is surely a name in XML, which an `xml:id` has to be."""
    return _NAME.fullmatch(text) is not None


def content(text: str) -> str:
    """Return text as the content of an element."""
    return escape(text)


def uri(name: str) -> str:
    """Return a name as it stands in a pointer: what may not be there in percent.

    Examples
    --------
    >>> uri("en/my file.xml")
    'en/my%20file.xml'

    """

    def spelled(found: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in found[0].encode())

    return _NOT_IN_URI.sub(spelled, name)


def value_of(text: str) -> str:
    """Return text as the value of an attribute."""
    return escape_value(text) if _SPECIAL.search(text) else text


def attribute(name: str, value: str, *, empty: bool = False) -> str:
    """Return an attribute with a blank before; nothing for an empty value, unless `empty`.

    Raises
    ------
    InputError
        When the value has a character that XML forbids.

    """
    if FORBIDDEN.search(value):
        raise InputError(
            f"{name}={value[:40]!r} has a control character or another that XML cannot hold; take "
            f"it out"
        )
    return f' {name}="{value_of(value)}"' if value or empty else ""
