"""The built-in parser of English, as one of the parsers.

The model lies in the package, so this is tested for real, wherever the tests run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.syntax.answers import numbered, plain, with_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.sentence import Sentence
    from bitext.syntax.english import EnglishParser

__all__ = ["BuiltinParser"]

# Words of one sentence: no writer's, but of a file without line ends. Time is linear in words, some
# milliseconds each (ENGLISH.md), so that such a file would take minutes without a word.
MOST_WORDS = 10_000


class BuiltinParser:
    """Parse English with the model of the package.

    A sentence whose words all have tags of the Penn treebank keeps them, and its tree is over
    them. Where a word has none, or one of another set, as the universal tags of CoNLL-U, the
    whole sentence gets its tags from the model.

    Examples
    --------
    >>> BuiltinParser().name
    'english'

    """

    name = "english"

    def __init__(self) -> None:
        self._loaded: EnglishParser | None = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree.

        Raises
        ------
        InputError
            When a sentence has more than 10,000 words.

        """
        if not sentences:
            return
        for name, sentence in numbered(sentences):
            if len(sentence) > MOST_WORDS:
                raise InputError(
                    f"parser english: {name} has {len(sentence):,} words, and {MOST_WORDS:,} are "
                    f"parsed at the most: is it running text? Give a sentence a line"
                )
        if self._loaded is None:
            from bitext.syntax.english import EnglishParser

            self._loaded = EnglishParser()
        words = [[plain(form) for form in sentence.forms] for sentence in sentences]
        tags = [[token.pos for token in sentence] for sentence in sentences]
        trees = self._loaded.parse_tokens(words, tags=tags)
        for (name, sentence), tree in zip(numbered(sentences), trees, strict=True):
            yield with_tree(sentence, tree, place=f"parser english: {name}")
