"""Running text whose lines are broken at some width, told from text with a sentence a line."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "are_broken_within_sentences",
    "are_paragraphs",
    "are_sentences",
    "begin_further_in",
    "width_of_lines",
]

_FEWEST = 20  # lines with another after them that tell
_NARROWEST = 24  # characters of a line that is broken
_WIDEST = 1000  # and of one that may be
_ALIKE = 0.9  # of the full lines are not exactly as long, or they are rows of a table
_FULL = 0.5  # of the lines that have another after them, so many have no room for its first word
_ENDING = 0.5  # of those that are full, so many at most end as a sentence does
_ENDS = re.compile(r"""[.!?…:;؟۔।።。！？]["'“”‘’«»‹›」』）)\]]*$""")
_INNER = re.compile(r"[.!?…][\"'’”»)]*\s+(?=\S)|[。！？।۔؟](?=\S)")
_PLAIN_INNER = re.compile(
    rf"(?:\w{{4}}(?=\.)|(?=[!?…。！？।۔؟]))(?:{_INNER.pattern})"
)  # not behind Mr.
_FEWEST_SENTENCES = 5
_MOST_ENDED = 0.9  # of the lines end as sentences do, where each is one
_MOST_PARTED = 0.1  # blank lines to a line with text, where other marks part paragraphs
_FEWEST_LONG = 0.3  # of the lines hold another sentence, where each is a paragraph
_FEWEST_FURTHER_IN, _MOST_FURTHER_IN = 3, 0.7  # lines that begin paragraphs: so many, and a share
_FEWEST_BROKEN = 3  # lines that tell of a short text that its sentences go on behind them
_INDENT = re.compile(r"(?: {2}|\t|\u3000)\s*\S")
_LETTER = re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[\u2e80-\u9fff\uf900-\uff60]")  # of scripts without blanks
_FIRST = re.compile(rf"{_SIGN.pattern}{{1,2}}|\S+")


def width_of_lines(lines: Sequence[str]) -> int | None:
    r"""Return the width at which the lines of a text are broken, or None where they are not.

    A line with letters is full at a width when it is no wider, and would be with the first word of
    the next line. Lines are broken where half of them are full at one width, and most of these do
    not end as a sentence does: sentences, verses and entries are of all lengths, or end as such.

    Parameters
    ----------
    lines : sequence of str
        Without their line ends; empty ones are between paragraphs.

    Returns
    -------
    int or None
        In characters, 24 or more. None, too, where fewer than 20 lines have one after them.

    Examples
    --------
    >>> import textwrap
    >>> text = "The ferry had left by the time that he came down to the harbour again. " * 20
    >>> width_of_lines(textwrap.wrap(text, 60))
    60
    >>> width_of_lines(text.split(". ")) is None
    True

    """
    stripped = [line.rstrip() for line in lines]
    letters = [_LETTER.search(line) is not None for line in stripped]
    both = [(a, b) for (a, b), told in zip(pairwise(stripped), letters, strict=False) if told and b]
    if len(both) < _FEWEST:
        return None
    size = np.array([min(len(line), _WIDEST) for line, _ in both])
    # A line is full at widths from its own up to that of itself, a blank and the word.
    first = [_FIRST.search(after) for _, after in both]
    room = np.array([min(len(word.group()), _WIDEST) if word else 0 for word in first])
    change = np.zeros(int((size + room).max()) + 2, dtype=np.int64)
    np.add.at(change, size, 1)
    np.add.at(change, size + room + 1, -1)
    full = np.cumsum(change)
    full[:_NARROWEST] = full[_WIDEST:] = 0
    width = int(np.argmax(full))
    if full[width] < max(_FULL * len(both), 1):
        return None
    held = np.flatnonzero((size <= width) & (width <= size + room)).tolist()
    ends = sum(_ENDS.search(both[k][0]) is not None for k in held)
    unspaced = sum(_SIGN.match(both[k][1].lstrip()) is not None for k in held)
    alike = int(np.bincount(size[held]).max())
    if ends > _ENDING * len(held) or (alike > _ALIKE * len(held) and unspaced <= len(held) / 2):
        return None
    return width


def are_broken_within_sentences(lines: Sequence[str]) -> bool:
    """Return whether most lines end within a sentence: the next one goes on with a small letter.

    It tells of texts that are too short to have a width (`width_of_lines`). In a text without a
    capital at the beginning of a line, or a stop at the end of one, a small letter may begin a
    sentence: of that it tells nothing.

    Parameters
    ----------
    lines : sequence of str
        Without their line ends; empty ones are between paragraphs.

    Examples
    --------
    >>> are_broken_within_sentences(["The ferry had", "left by the time", "that he came", "down."])
    True
    >>> are_broken_within_sentences(["it rained", "we stayed", "nobody came", "it was late"])
    False

    """
    stripped = [line.strip() for line in lines]
    both = [(a, b) for a, b in pairwise(stripped) if a and b]
    going_on = sum(_ENDS.search(a) is None and b[0].islower() for a, b in both)
    capitals = any(line[:1].isupper() for line in stripped)
    stops = any(map(_ENDS.search, stripped))
    return going_on >= max(_FEWEST_BROKEN, _FULL * len(both)) and capitals and stops


def are_sentences(lines: Sequence[str]) -> bool:
    """Return whether each line seems to be one sentence: nearly all end as such, few hold another.

    Parameters
    ----------
    lines : sequence of str
        Without their line ends; fewer than 5 that are not empty tell nothing.

    Examples
    --------
    >>> are_sentences(["It rained.", "We stayed.", "Was it late?", "It was.", "Nobody came."])
    True

    """
    filled = [line.strip() for line in lines if line.strip()]
    if len(filled) < _FEWEST_SENTENCES:
        return False
    ended = sum(_ENDS.search(line) is not None for line in filled)
    single = sum(_INNER.search(line) is None for line in filled)
    return ended >= _MOST_ENDED * len(filled) and single >= _FULL * len(filled)


def are_paragraphs(lines: Sequence[str]) -> bool:
    """Return whether each line seems to be a paragraph: nearly all end as such, some hold several.

    Parameters
    ----------
    lines : sequence of str
        Without their line ends. Fewer than 5 that are not empty tell nothing, and where blank lines
        part the paragraphs, lines do not.

    Examples
    --------
    >>> are_paragraphs(["It rained. We stayed.", "So?", "They came. We went.", "It did.", "No."])
    True

    """
    filled = [line.strip() for line in lines if line.strip()]
    if len(filled) < _FEWEST_SENTENCES or _are_parted(lines):
        return False
    ended = sum(_ENDS.search(line) is not None for line in filled)
    several = sum(_PLAIN_INNER.search(line) is not None for line in filled)
    return ended >= _MOST_ENDED * len(filled) and several >= _FEWEST_LONG * len(filled)


def begin_further_in(lines: Sequence[str]) -> bool:
    """Return whether paragraphs seem to begin with a line that is further in than the others.

    Such lines come behind the end of a sentence, and most of the others do not.

    Parameters
    ----------
    lines : sequence of str
        Without their line ends. Where blank lines part the paragraphs, others do not.

    Examples
    --------
    >>> begin_further_in(["  It was", "late.", "  We", "sat.", "  He", "went.", "  It", "rained."])
    True

    """
    filled = [line.rstrip() for line in lines if line.strip()]
    further = [_INDENT.match(line) is not None for line in filled[1:]]
    if sum(further) < _FEWEST_FURTHER_IN or sum(further) > _MOST_FURTHER_IN * len(further):
        return False
    if _are_parted(lines):
        return False
    ended = [_ENDS.search(line) is not None for line in filled[:-1]]
    begun = sum(a and b for a, b in zip(ended, further, strict=True))
    other = sum(a and not b for a, b in zip(ended, further, strict=True))
    rest = len(further) - sum(further)
    return begun >= _MOST_ENDED * sum(further) and other <= _ENDING * rest


def _are_parted(lines: Sequence[str]) -> bool:
    """Return whether blank lines part more than a tenth of the lines from the next."""
    filled = [k for k, line in enumerate(lines) if line.strip()]
    parted = sum(b - a > 1 for a, b in pairwise(filled))
    return parted > _MOST_PARTED * len(filled)
