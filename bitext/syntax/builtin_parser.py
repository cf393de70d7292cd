"""The built-in parser of English, as one of the parsers.

The model lies in the package, so this is tested for real, wherever the tests run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.syntax.answers import numbered, plain, with_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.sentence import Sentence
    from bitext.syntax.english import EnglishParser

__all__ = ["BuiltinParser"]


class BuiltinParser:
    """Parse English with the model of the package.

    Examples
    --------
    >>> BuiltinParser().name
    'english'

    """

    name = "english"

    def __init__(self) -> None:
        self._loaded: EnglishParser | None = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        if not sentences:
            return
        if self._loaded is None:
            from bitext.syntax.english import EnglishParser

            self._loaded = EnglishParser()
        words = [[plain(form) for form in sentence.forms] for sentence in sentences]
        trees = self._loaded.parse_tokens(words)
        for (name, sentence), tree in zip(numbered(sentences), trees, strict=True):
            yield with_tree(sentence, tree, place=f"parser english: {name}")
