"""All of an XML file in its order, element by element, while it is read and forgotten.

`safexml.iterate` gives whole elements at their ends and empties them. What lies between two of them
(text, other elements, the starts of those around) is walked through here, so that a reader sees
each start, each text and each end once, in the order of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitext.formats.prolog import read_prolog
from bitext.formats.safexml import iterate

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source

__all__ = ["Visitor", "walk"]


class Visitor(Protocol):
    """Takes what a file holds, in its order."""

    def start(self, element: Element) -> None:
        """Take the start of an element: its name and attributes."""

    def text(self, text: str) -> None:
        """Take text, as it stands."""

    def end(self, element: Element) -> None:
        """Take the end of an element; those inside it may be gone."""


def walk(source: Source, visitor: Visitor, names: tuple[str, ...]) -> None:
    """Go through a file.

    Parameters
    ----------
    source : Source
        The file, from its beginning.
    visitor : Visitor
        Takes all that is in it.
    names : tuple of str
        The local names of elements that are many, and small or made of such: at their ends they
        are emptied. The others stay in memory until one around them ends.

    Raises
    ------
    FormatError
        When the file is not well-formed, or is not safe to read; with the line.

    """
    root = read_prolog(source.head()).name
    node: Element | None = None
    for _, target in iterate(source, end=tuple({*names, root} - {""})):
        # An element that ended is taken out of the tree when the next has been dealt with, so the
        # place behind it can still be found here.
        node = _advance(node, target, visitor)


def _advance(node: Element | None, target: Element, visitor: Visitor) -> Element:
    """Go on from the element that was left last until `target` is left; return that."""
    entered = node is None
    if node is None:
        node = target.getroottree().getroot()
        visitor.start(node)
    while True:
        if entered:
            if node.text:
                visitor.text(node.text)
            inner = node[0] if len(node) else None
            if inner is not None:
                node = inner
                visitor.start(node)
                continue
        else:
            if node.tail:
                visitor.text(node.tail)
            after = node.getnext()
            if after is not None:
                node, entered = after, True
                visitor.start(node)
                continue
            around = node.getparent()
            if around is None:
                return node
            node = around
        visitor.end(node)
        entered = False
        if node is target:
            return node
