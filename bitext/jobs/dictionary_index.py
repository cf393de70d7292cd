"""A dictionary of which what occurs in a text is found in time that the text takes alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.align.sentences.inflected_forms import BEGINNING
from bitext.align.sentences.vocabulary import words_of
from bitext.formats.dictionaries import read_dictionary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.align.sentences.vocabulary import Vocabulary
    from bitext.formats.dictionaries import Dictionary
    from bitext.formats.opening import Notes

__all__ = ["DictionaryIndex"]

_CLEAR = 5  # pairs that the other direction must have more than twice as many
_Entry = tuple[str, str, float]


class DictionaryIndex:
    """The entries of a dictionary by the beginning of the first of their words.

    Parameters
    ----------
    dictionary : Dictionary

    Examples
    --------
    >>> from bitext.align.sentences.vocabulary import Vocabulary
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
                    first.setdefault(words[0][:BEGINNING], []).append(k)

    @classmethod
    def load(cls, path: str, *, encoding: str = "utf-8") -> DictionaryIndex:
        """Read a dictionary; raises what `read_dictionary` does."""
        return cls(read_dictionary(path, encoding=encoding))

    def occurring(
        self, src: Vocabulary, tgt: Vocabulary, notes: Notes | None = None
    ) -> list[_Entry]:
        """Return the entries that occur in two texts, from source to target.

        A word occurs where the text has it, or one that begins with the same four letters: it may
        be another form. Where clearly more entries occur as they are when source and target are
        exchanged, they are; `notes` takes that.
        """
        held = _Held(src), _Held(tgt)
        given, turned = list(self._found(0, *held)), list(self._found(1, *held))
        as_given, as_turned = (
            sum(self._stands(k, side, *held) for k in found)
            for side, found in enumerate((given, turned))
        )
        if as_turned <= 2 * as_given + _CLEAR:
            return [self._entries[k] for k in given]
        if notes is not None:
            notes.add("dictionaries in the wrong direction, used exchanged", self.path)
        return [(b, a, weight) for a, b, weight in (self._entries[k] for k in turned)]

    def _found(self, side: int, src: _Held, tgt: _Held) -> Iterator[int]:
        """Yield the entries of which a side may occur in the source, the other in the target."""
        first = self._first[side]
        fits = sorted(k for begin in src.begun for k in first.get(begin, ()))
        for k in fits:
            words = self._words[k]
            if all(map(src.has, words[side])) and all(map(tgt.has, words[1 - side])):
                yield k

    def _stands(self, k: int, side: int, src: _Held, tgt: _Held) -> bool:
        """Tell whether an entry occurs with all of its words as they are."""
        words = self._words[k]
        return src.forms.issuperset(words[side]) and tgt.forms.issuperset(words[1 - side])


class _Held:
    """The words of a text, and what they begin with."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.forms = set(vocabulary.forms)
        self.begun = {form[:BEGINNING] for form in self.forms}

    def has(self, word: str) -> bool:
        """Tell whether a word occurs, or another form of it may."""
        return word in self.forms or (len(word) >= BEGINNING and word[:BEGINNING] in self.begun)
