"""A dictionary of which what occurs in a text is found in time that the text takes alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.align.vocabulary import words_of
from bitext.formats.dictionaries import read_dictionary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitext.align.vocabulary import Vocabulary
    from bitext.formats.dictionaries import Dictionary
    from bitext.formats.opening import Notes

__all__ = ["DictionaryIndex"]

_CLEAR = 5  # pairs that the other direction must have more than twice as many
_Entry = tuple[str, str, float]


class DictionaryIndex:
    """The entries of a dictionary by the first of their words.

    Parameters
    ----------
    dictionary : Dictionary

    Examples
    --------
    >>> from bitext.align.vocabulary import Vocabulary
    >>> from bitext.formats.dictionaries import Dictionary
    >>> index = DictionaryIndex(Dictionary(("Hund", "das Haus"), ("chien", "la maison")))
    >>> index.occurring(Vocabulary(["haus", "das"]), Vocabulary(["maison", "la", "chien"]))
    [('das Haus', 'la maison', 1.0)]

    """

    def __init__(self, dictionary: Dictionary) -> None:
        self.path = dictionary.path
        self._entries = list(dictionary)
        self._words = [(tuple(words_of(a)), tuple(words_of(b))) for a, b, _ in self._entries]
        self._first: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
        for k, pair in enumerate(self._words):
            for first, words in zip(self._first, pair, strict=True):
                if words:
                    first.setdefault(words[0], []).append(k)

    @classmethod
    def load(cls, path: str, *, encoding: str = "utf-8") -> DictionaryIndex:
        """Read a dictionary; raises what `read_dictionary` does."""
        return cls(read_dictionary(path, encoding=encoding))

    def occurring(
        self, src: Vocabulary, tgt: Vocabulary, notes: Notes | None = None
    ) -> list[_Entry]:
        """Return the entries that occur in two texts, from source to target.

        Where clearly more of them occur when source and target are exchanged, they are; `notes`
        takes that.
        """
        given = self._found(0, src, tgt)
        turned = self._found(1, src, tgt)
        if len(turned) <= 2 * len(given) + _CLEAR:
            return [self._entries[k] for k in given]
        if notes is not None:
            notes.add("dictionaries in the wrong direction, used exchanged", self.path)
        return [(b, a, weight) for a, b, weight in (self._entries[k] for k in turned)]

    def _found(self, side: int, src: Vocabulary, tgt: Vocabulary) -> list[int]:
        """Return the entries of which a side occurs in the source, and the other in the target."""
        first = self._first[side]
        fits: Iterable[int] = (k for word in src.forms for k in first.get(word, ()))
        return sorted(
            k
            for k in fits
            if all(word in tgt for word in self._words[k][1 - side])
            and all(word in src for word in self._words[k][side])
        )
