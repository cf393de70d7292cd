"""What readers find odd: counted by kind, with the first case of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.model.bitext import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Notes"]


class Notes:
    """Collects what is odd or lost: a count and the first case of each kind, however many.

    Going over it gives one `Note` a kind, in the order first met.

    Examples
    --------
    >>> notes = Notes()
    >>> notes.add("empty lines", "a.txt line 3", 2)
    >>> [(note.kind, note.count) for note in notes], notes
    ([('empty lines', 2)], <Notes: empty lines: 2, first a.txt line 3>)

    """

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, kind: str, first: str, count: int = 1) -> None:
        """Count `count` cases of a kind; `first` tells the first of them, with its place."""
        known, example = self._found.get(kind, (0, first))
        self._found[kind] = (known + count, example)

    def extend(self, others: Iterable[Note]) -> None:
        """Take up what another collector holds, or notes that one gave."""
        for note in others:
            self.add(note.kind, note.first, note.count)

    def __iter__(self) -> Iterator[Note]:
        return iter(self.all())

    def __repr__(self) -> str:
        return f"<Notes: {'; '.join(map(str, self)) or 'none'}>"

    def all(self) -> tuple[Note, ...]:
        """Return one note a kind, in the order first met."""
        return tuple(Note(kind, count, first) for kind, (count, first) in self._found.items())

    def drain(self) -> tuple[Note, ...]:
        """Return the notes, and begin anew: for what is read in parts, each with its own."""
        notes = self.all()
        self._found.clear()
        return notes
