"""What readers find odd: counted by kind, with the first case of each."""

from __future__ import annotations

from bitext.model.bitext import Note

__all__ = ["Notes"]


class Notes:
    """Collects what a reader finds odd: a count and the first case of each kind, however many."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, kind: str, first: str, count: int = 1) -> None:
        """Count `count` cases of a kind; `first` tells the first of them, with its place."""
        known, example = self._found.get(kind, (0, first))
        self._found[kind] = (known + count, example)

    def extend(self, others: Notes) -> None:
        """Take up what another collector holds."""
        for note in others.all():
            self.add(note.kind, note.first, note.count)

    def all(self) -> tuple[Note, ...]:
        """Return one note a kind, in the order first met."""
        return tuple(Note(kind, count, first) for kind, (count, first) in self._found.items())

    def drain(self) -> tuple[Note, ...]:
        """Return the notes, and begin anew: for what is read in parts, each with its own."""
        notes = self.all()
        self._found.clear()
        return notes
