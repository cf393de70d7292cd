"""Texts whose lines stand in tags, as `<p class="a">It rained.</p>`: what is looked at is between.

Tags that stand about each line tell nothing of it, but hide how its sentence begins and ends, and
make all lines longer. Lines that are nothing but a tag are looked at as they are.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Seen", "Untagged", "seen_without_tags"]

_LONGEST = 300  # characters of a tag
_TAG = rf"<(?:/?[A-Za-z][^<>]{{0,{_LONGEST}}}|!--[^<>]{{0,{_LONGEST}}}--)>"
_HEAD = re.compile(rf"(?:\s*{_TAG})+")
_TAIL = re.compile(rf"{_TAG}\Z")
_FIRST = 50  # sentences that tell whether there are tags
_MANY = 0.5  # of them begin or end with one


class Seen(Protocol):
    """What is looked at of a text."""

    def __len__(self) -> int: ...

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of some segments."""


class Untagged:
    """A text as if there were no tags at the ends of its sentences.

    Parameters
    ----------
    text : Text

    Examples
    --------
    >>> from bitext.model import Text
    >>> list(Untagged(Text(["<p><b>It</b> rained.</p>", "<hr/>"])).segments())
    ['It</b> rained.', '<hr/>']

    """

    def __init__(self, text: Seen) -> None:
        self._text = text

    def __len__(self) -> int:
        return len(self._text)

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of each segment, as `Text.segments` does."""
        return map(_bare, self._text.segments(first, last))


def seen_without_tags(text: Seen) -> Seen:
    """Return a text without tags at the ends of its sentences, if half of them or more have some.

    Examples
    --------
    >>> from bitext.model import Text
    >>> list(seen_without_tags(Text(["<s id='1'>It rained.</s>", "a < b"])).segments())
    ['It rained.', 'a < b']

    """
    first = list(islice(text.segments(0, _FIRST), _FIRST))
    tagged = sum(len(_bare(sentence)) < len(sentence.strip()) for sentence in first)
    return Untagged(text) if first and tagged >= _MANY * len(first) else text


def _bare(sentence: str) -> str:
    """Return a sentence without the tags at its ends, or as it is if it is nothing else."""
    if "<" not in sentence:
        return sentence
    head = _HEAD.match(sentence)
    begin, end = head.end() if head else 0, len(sentence)
    while end > begin:
        if sentence[end - 1].isspace():
            end -= 1
        elif tail := _TAIL.search(sentence, max(begin, end - 2 * _LONGEST), end):
            end = tail.start()
        else:
            break
    return sentence[begin:end].lstrip() or sentence
