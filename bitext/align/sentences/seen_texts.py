"""What is looked at of a text: its segments as they are, or as if they were written otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Rewritten", "Seen"]


class Seen(Protocol):
    """What is looked at of a text."""

    def __len__(self) -> int: ...

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of some segments."""


class Rewritten:
    """A text whose segments are seen as if they were written otherwise; none is kept.

    Parameters
    ----------
    text : Seen
    change : callable
        Returns how a segment is seen.

    Examples
    --------
    >>> from bitext.model import Text
    >>> list(Rewritten(Text(["It rained.", "He came."]), str.upper).segments(1))
    ['HE CAME.']

    """

    __slots__ = ("_change", "_text")

    def __init__(self, text: Seen, change: Callable[[str], str]) -> None:
        self._text, self._change = text, change

    def __len__(self) -> int:
        return len(self._text)

    def segments(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """Return the characters of each segment, as `Text.segments` does."""
        return map(self._change, self._text.segments(first, last))
