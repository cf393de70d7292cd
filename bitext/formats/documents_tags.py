"""Tags as machines write them, for the quick way through documents and links.

Here is said which tags mean the same to an expression and to a parser: names without a prefix,
attributes in double quotes with one blank before each, no line ends or tabs in values. Values may
hold references, which `bitext.formats.regular` has seen to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitext.formats.regular import Pieces

__all__ = ["ATTRIBUTES", "NAME", "VALUE", "Tags", "attribute_names", "opened_root"]

NAME = r"[A-Za-z_][\w.-]*"
VALUE = r'"[^"<\t\n]*"'
ATTRIBUTES = rf"(?: (?:xml:)?{NAME}={VALUE})*"
_SPACE = " \t\r\n"
_KEY = re.compile(rf" ((?:xml:)?{NAME})={VALUE}", re.ASCII)
_TAG = re.compile(rf"(/?)({NAME})({ATTRIBUTES}) ?(/?)>([^<]*)", re.ASCII)
_OPENING = re.compile(
    r"""(?:<\?xml\ version=["']1\.0["']
        (?:\ encoding=["'](?i:utf-8|us-ascii|iso-8859-\d{1,2}|windows-125\d)["'])?
        (?:\ standalone=["'](?:yes|no)["'])?\s*\?>)?\s*
    (?:<!DOCTYPE\ [A-Za-z]+(?:\s+(?=[PS])|\s*(?=>))
        (?:PUBLIC\s+"[\w\ \n/.:-]*"\s+"[^"<&]*"|SYSTEM\s+(?:"[^"<&]*"|'[^'<&]*'))?\s*>\s*)?
    <(?P<name>[A-Za-z_][\w.-]*)(?P<attributes>(?:\s+[\w.:-]+="[^"<]*")*)\s*>""",
    re.ASCII | re.VERBOSE,
)
# Names of namespaces that surely are URIs; the parser refuses those that are none.
_NAMESPACE = re.compile(r"(?:https?://[\w.-]+(?:/[\w./~-]*)?|urn:[\w:.-]+)(?:#\w*)?", re.ASCII)
_XMLNS = re.compile(r' xmlns="([^"]*)"')
_MOST_OPEN = 200  # the parser has a limit of its own, not far above


def attribute_names(attributes: str) -> list[str] | None:
    """Return the names of attributes, as `ATTRIBUTES` matches them.

    `None` where only the parser knows what they mean: a name twice, or a namespace.
    """
    if not attributes:
        return []
    names = _KEY.findall(attributes)
    odd = any(name == "xmlns" or (":" in name and name != "xml:lang") for name in names)
    return None if odd or len(set(names)) != len(names) else names


def opened_root(pieces: Pieces) -> tuple[str, str] | None:
    """Take what stands up to and with the start tag of the root.

    Return its name and its attributes, `None` where the parser has to see to the file.
    """
    prolog = pieces.prolog
    tag = f"<{prolog.root}{prolog.attributes}>"
    opening = pieces.opening(tag.encode()) if tag.isascii() else None
    found = _OPENING.fullmatch(opening.text) if opening else None
    if found is None:
        return None
    attributes = " ".join(found["attributes"].split())
    attributes = f" {attributes}" if attributes else ""
    names = _KEY.findall(attributes)
    whole = re.fullmatch(ATTRIBUTES, attributes, re.ASCII)
    known = whole is not None and len(set(names)) == len(names)
    known = known and all(":" not in name or name == "xml:lang" for name in names)
    plain = all(_NAMESPACE.fullmatch(name) for name in _XMLNS.findall(attributes))
    return (found["name"], attributes) if known and plain else None


class Tags:
    """The elements that are open in the root, as tags are taken up one by one.

    Parameters
    ----------
    root : str
        The name of the root element, which is open.
    leaf : str
        The name of the elements that are not taken up here.

    Attributes
    ----------
    closed : bool
        Whether the root has ended.

    """

    def __init__(self, root: str, leaf: str) -> None:
        self._root, self._leaf = root, leaf
        self.open: list[tuple[str, str]] = []
        self.closed = False

    def count(self, wanted: str) -> int:
        """Return the number of elements of that name that are open, one in the other."""
        return sum(name == wanted for name, _ in self.open)

    def inside(self) -> str:
        """Return the start tags of what is open in the root."""
        return "".join(tag for _, tag in self.open)

    def copy(self) -> Tags:
        """Return a copy, so that a piece that turns out odd has changed nothing."""
        other = Tags(self._root, self._leaf)
        other.open, other.closed = self.open[:], self.closed
        return other

    def take(self, tag: str) -> tuple[str, str] | None:
        """Take up a tag without its `<` and with the text behind it.

        Return what begins, ends (with `/` before it) or both (behind it), and its attributes;
        `None` where the parser has to see to it.
        """
        found = _TAG.fullmatch(tag)
        if found is None or self.closed:
            return None
        end, name, attributes, empty, behind = found.groups()
        if not end:
            odd = name == self._leaf or len(self.open) > _MOST_OPEN
            if odd or attribute_names(attributes) is None:
                return None
            if not empty:
                self.open.append((name, f"<{name}{attributes}>"))
            return f"{name}{empty}", attributes
        if attributes or empty:
            return None
        if self.open:
            return (f"/{name}", "") if self.open.pop()[0] == name else None
        self.closed = name == self._root and not behind.strip(_SPACE)
        return (f"/{name}", "") if self.closed else None
