"""Words as they are compared between documents: casefolded, and plurals as their singulars.

A word is taken for the plural of another only where the documents have that other one, too, and
not as a name: so `buses` is `bus` where a bus is spoken of, and `lens` stays as it is. Names, and
words in capitals (`AIDS`) where capitals mean something, are never plurals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.align.words.names import sentence_case

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitext.align.words.names import Names
    from bitext.model import Sentence

__all__ = ["Folding", "singulars"]

_HISSING = ("s", "x", "z", "ch", "sh", "o")  # after these a plural has -es


class Folding:
    """Folds the words of some documents.

    Parameters
    ----------
    sentences : iterable of Sentence
        All of them.
    names : Names
        What they show of names.

    Examples
    --------
    >>> from bitext.align.words.names import Names
    >>> from bitext.model import Sentence
    >>> s = [Sentence("Two fires burn on Mars".split()), Sentence("The fire is Mar 's".split())]
    >>> Folding(s, Names(s)).of(s[0])
    ['two', 'fire', 'burn', 'on', 'mars']

    """

    def __init__(self, sentences: Iterable[Sentence], names: Names) -> None:
        self._names = names
        self._known: set[str] = set()
        for sentence in sentences:
            kept = self._kept(sentence)
            words = zip(sentence.forms, kept, strict=True)
            self._known.update(form.casefold() for form, is_kept in words if not is_kept)

    def of(self, sentence: Sentence) -> list[str]:
        """Return the words of a sentence as they are compared."""
        words = zip(sentence.forms, self._kept(sentence), strict=True)
        return [form.casefold() if kept else self._single(form.casefold()) for form, kept in words]

    def _kept(self, sentence: Sentence) -> list[bool]:
        """Return of each word whether it is a name or in capitals, and so no plural."""
        meant = sentence_case(sentence.forms)
        words = zip(sentence.forms, self._names.places(sentence), strict=True)
        return [named or (meant and len(form) > 1 and form.isupper()) for form, named in words]

    def _single(self, word: str) -> str:
        return next((other for other in singulars(word) if other in self._known), word)


def singulars(word: str) -> list[str]:
    """Return what a word may be the plural of, by its ending, the likeliest first.

    Examples
    --------
    >>> [singulars(word) for word in ("buses", "houses", "ties", "knives", "glass", "bus")]
    [['buse', 'bus'], ['house', 'hous'], ['tie', 'ty'], ['knive', 'knif', 'knife'], [], []]

    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return []
    found = [word[:-1]]
    if word.endswith("ies"):
        found.append(word[:-3] + "y")
    elif word.endswith("ves"):
        found += [word[:-3] + "f", word[:-3] + "fe"]
    elif word.endswith("es") and word[:-2].endswith(_HISSING):
        found.append(word[:-2])
    return [other for other in found if len(other) > 2 or word.endswith("ies")]
