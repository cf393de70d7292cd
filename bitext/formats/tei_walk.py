"""All of an XML file in its order, element by element, while it is read and forgotten.

`safexml.iterate` gives whole elements at their ends and empties them. What lies between two of them
(text, other elements, the starts of those around) is walked through here, so that a reader sees
each start, each text and each end once, in the order of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.safexml import line_of, local_name

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from bitext.formats.regular import Pieces
    from bitext.formats.tei_scan import Scanner

__all__ = ["walk"]


def walk(pieces: Pieces, scanner: Scanner, names: set[str], inside: str) -> None:
    """Go through what is left of a file.

    Parameters
    ----------
    pieces : Pieces
        The file; what was taken of it before is not seen again.
    scanner : Scanner
        Takes all that is left; knows what is open.
    names : set of str
        The local names of elements that are many, and small or made of such: at their ends they
        are emptied. The others stay in memory until one around them ends.
    inside : str
        The start tags of what is open in the root.

    Raises
    ------
    FormatError
        When the file is not well-formed, or is not safe to read; with the line.

    """
    walker = _Walker(scanner, pieces.lines_again)
    for _, target, line in pieces.rest(end=tuple(names), inside=inside):
        # An element that ended is taken out of the tree when the next has been dealt with, so the
        # place behind it can still be found here.
        walker.advance(target, line)


class _Walker:
    """Goes from element to element."""

    def __init__(self, scanner: Scanner, lines_again: int) -> None:
        self._scanner, self._lines_again = scanner, lines_again
        self._known = len(scanner.names)  # elements that come again, and were taken before
        self._node: Element | None = None

    def _start(self, node: Element, shift: int) -> None:
        if self._known:
            self._known -= 1
            return
        line = line_of(node) or 0
        line += shift if line > self._lines_again else 0
        self._scanner.start(local_name(node), node, line)

    def advance(self, target: Element, line: int) -> None:
        """Go on from the element that was left last until `target` is left.

        `line` is that of the target in the file.
        """
        shift = line - (line_of(target) or 0)
        node = self._node
        entered = node is None
        if node is None:
            node = target.getroottree().getroot()
            self._start(node, shift)
        while True:
            if entered:
                if node.text:
                    self._scanner.text(node.text)
                inner = node[0] if len(node) else None
                if inner is not None:
                    node = inner
                    self._start(node, shift)
                    continue
            else:
                if node.tail:
                    self._scanner.text(node.tail)
                after = node.getnext()
                if after is not None:
                    node, entered = after, True
                    self._start(node, shift)
                    continue
                around = node.getparent()
                if around is None:
                    break
                node = around
            self._scanner.end()
            entered = False
            if node is target:
                break
        self._node = node
