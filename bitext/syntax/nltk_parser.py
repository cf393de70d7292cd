"""nltk's tagger, with our own grammar of chunks; no trees.

The tagger is nltk's averaged perceptron, which needs nltk's data `averaged_perceptron_tagger_eng`;
they are never downloaded behind one's back. Brackets are given as they are in text.

The tests train a tagger of nltk's own from a few sentences, write it as nltk writes it, and run
over that; the published data are not in the package index, and were not to be had for the tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.syntax.answers import brief, numbered, plain, with_chunks
from bitext.syntax.chunk_grammar import chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["NltkParser"]

_DATA = "averaged_perceptron_tagger"


class NltkParser:
    """Tag with nltk, and chunk.

    Parameters
    ----------
    model : str, default "eng"
        The language of the tagger, as in the name of nltk's data `averaged_perceptron_tagger_eng`;
        the grammar of chunks is for tags of the Penn treebank.

    """

    name = "nltk"

    def __init__(self, *, model: str = "eng") -> None:
        self._model = model
        self._loaded: Any = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with parts of speech and chunks."""
        if self._loaded is None:
            self._loaded = self._load()
        for name, sentence in numbered(sentences):
            words = [plain(form) for form in sentence.forms]
            tags = [tag for _, tag in self._loaded.tag(words)]
            yield with_chunks(sentence, tags, chunk(tags), place=f"parser nltk: {name}")

    def _load(self) -> Any:
        from nltk.tag.perceptron import PerceptronTagger

        data = f"{_DATA}_{self._model}"
        try:
            return PerceptronTagger(lang=self._model)
        except LookupError as error:
            raise InputError(
                f"parser nltk: the data {data!r} are missing: bring them: "
                f"python -m nltk.downloader {data}"
            ) from error
        except (OSError, ValueError, KeyError) as error:
            raise InputError(
                f"parser nltk: the data {data!r} cannot be read: {brief(error)}: bring them anew: "
                f"python -m nltk.downloader --force {data}"
            ) from error
