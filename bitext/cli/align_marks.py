"""Marks of paragraphs, chapters and pages in plain texts that `bitext align` reads.

A mark is an empty line, or a line that is nothing but a tag: `<p>` as hunalign has it, `<P>` and
`<CHAPTER ID="1">` as in the raw files of Europarl, or any other. A form feed begins a page; what
follows it on its line is text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Marked", "is_mark", "marked", "running_paragraphs"]

_TAG = re.compile(r"\s*</?[A-Za-z][^<>]*>\s*")
_PAGE = "\f"


class Marked(NamedTuple):
    """The lines of a text without its marks.

    Attributes
    ----------
    places : array of int64
        Which lines are sentences.
    begins : list of int
        The sentences that a paragraph begins with, but for the first.

    """

    places: NDArray[np.int64]
    begins: list[int]


def is_mark(line: str) -> bool:
    """Tell whether a line is a mark and no sentence.

    Examples
    --------
    >>> [is_mark(line) for line in ("", "<p>", '<CHAPTER ID="1">', "<p>Text</p>", "a < b > c")]
    [True, True, True, False, False]

    """
    return not line.strip() or _TAG.fullmatch(line) is not None


def marked(lines: Sequence[str]) -> Marked:
    r"""Return which lines are sentences, and where paragraphs begin.

    Examples
    --------
    >>> found = marked(["One.", "<p>", "Two.", "Three.", "\fFour."])
    >>> found.places.tolist(), found.begins
    ([0, 2, 3, 4], [1, 3])

    """
    import numpy as np

    places = np.flatnonzero(np.array([not is_mark(line) for line in lines], dtype=bool))
    page = np.array([lines[k].startswith(_PAGE) for k in places[1:].tolist()], dtype=bool)
    begins = np.flatnonzero((np.diff(places) > 1) | page) + 1
    return Marked(places, begins.tolist())


def running_paragraphs(lines: Iterator[str], *, by_line: bool) -> Iterator[str]:
    """Yield the raw text of each paragraph of running text, without the marks between.

    Parameters
    ----------
    lines : iterator of str
        With their line ends.
    by_line : bool
        Whether each line is a paragraph.

    """
    held: list[str] = []
    for line in lines:
        mark = is_mark(line)
        if held and (by_line or mark or line.startswith(_PAGE)):
            yield "".join(held)
            held = []
        if not mark:
            held.append(line)
    if held:
        yield "".join(held)
