"""spaCy: its tagger with noun chunks, and the Berkeley neural parser (benepar) within it.

Both keep the words of the sentence: a document is made of them, and spaCy's own tokenizer is not
run. Brackets are given as they are in text, `(` for `-LRB-`, and white space within a word as `_`.

* `SpacyParser` makes no trees. Noun phrases are spaCy's noun chunks, cut before a possessive `'s`;
  the other chunks come from the tags by the grammar of `chunk_grammar`.
* `BeneparParser` makes trees. Its models bring their own tagger, so a blank spaCy pipeline is
  enough around them; `pipeline=` puts a full one there.

Which tests are real: the spaCy adapter runs over a trained English model, and benepar over a small
model of its own kind that the test trains from a few sentences, where these packages are
installed; elsewhere both are tested over stand-ins that answer in the same form. The published
benepar models are not in the package index, and were not to be had for the tests.

benepar 0.2 cannot load its published models with transformers 5 or later; the extra sees to that.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.syntax.answers import (
    at_least_one,
    brief,
    numbered,
    plain,
    required,
    with_chunks,
    with_tree,
)
from bitext.syntax.chunk_grammar import chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["BeneparParser", "SpacyParser"]


class SpacyParser:
    """Tag with a spaCy model, and chunk.

    Parameters
    ----------
    model : str, default "en_core_web_sm"
        The name of an installed model, or the folder of one; it needs a tagger and a dependency
        parser.
    batch : int, default 64
        The sentences that are worked on at once.

    """

    name = "spacy"

    def __init__(self, *, model: str = "en_core_web_sm", batch: int = 64) -> None:
        self._model = model
        self._batch = at_least_one(self.name, "batch", batch)
        self._loaded: Any = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with parts of speech and chunks."""
        if self._loaded is None:
            self._loaded = _load(self._model, name=self.name, extra="spacy")
        named = numbered(sentences)
        texts = (_document(self._loaded, sentence) for sentence in sentences)
        for (name, sentence), text in zip(
            named, self._loaded.pipe(texts, batch_size=self._batch), strict=True
        ):
            place = f"parser spacy ({self._model}): {name}"
            tags = [token.tag_ for token in text]
            yield with_chunks(sentence, tags, chunk(tags, nouns=self._nouns(text)), place=place)

    def _nouns(self, text: Any) -> list[tuple[int, int]]:
        """Return the noun chunks, and say what a model lacks that has none."""
        if text.has_annotation("TAG") and text.has_annotation("DEP"):
            try:
                return [(span.start, span.end) for span in text.noun_chunks]
            except NotImplementedError as error:
                raise InputError(
                    f"parser spacy: spaCy knows no noun chunks for the language of "
                    f"{self._model!r}: want a model of a language that has them, as en_core_web_sm"
                ) from error
        raise InputError(
            f"parser spacy: the model {self._model!r} gives no parts of speech or no dependencies "
            f"(its parts: {', '.join(self._loaded.pipe_names) or 'none'}): want one with a tagger "
            f"and a parser, as en_core_web_sm"
        )


class BeneparParser:
    """Parse with benepar.

    Parameters
    ----------
    model : str, default "benepar_en3"
        The name of a downloaded model, or the path of one.
    pipeline : str, optional
        The spaCy model that benepar is added to; default: a blank English pipeline.
    batch : int, default 64
        The sentences that are worked on at once.

    """

    name = "benepar"

    def __init__(
        self, *, model: str = "benepar_en3", pipeline: str | None = None, batch: int = 64
    ) -> None:
        self._model = model
        self._pipeline = pipeline
        self._batch = at_least_one(self.name, "batch", batch)
        self._loaded: Any = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        if self._loaded is None:
            self._loaded = self._load()
        named = numbered(sentences)
        texts = (_document(self._loaded, sentence) for sentence in sentences)
        answers = self._loaded.pipe(texts, batch_size=self._batch)
        for name, sentence in named:
            place = f"parser benepar ({self._model}): {name}"
            try:
                text = next(answers)
                tree = text[:]._.parse_string
            except (ValueError, RecursionError) as error:
                # Longer than the model's longest, or deeper than its writer of brackets goes.
                raise InputError(
                    f"{place}: {len(sentence)} words, and no tree: {brief(error)}: "
                    f"leave the sentence out, or cut it"
                ) from error
            yield with_tree(sentence, tree, place=place, asked=_words(sentence))

    def _load(self) -> Any:
        spacy = required("spacy", what="parser benepar", extra="benepar")
        required("benepar", what="parser benepar", extra="benepar")
        nlp = (
            spacy.blank("en")
            if self._pipeline is None
            else _load(self._pipeline, name=self.name, extra="benepar")
        )
        try:
            nlp.add_pipe("benepar", config={"model": self._model})
        except (LookupError, OSError) as error:
            raise InputError(
                f"parser benepar: no model {self._model!r}: want a downloaded one, or the path of "
                f'one: python -c "import benepar; benepar.download({self._model!r})"'
            ) from error
        except (AttributeError, ImportError, TypeError) as error:
            raise InputError(
                f"parser benepar: the packages that are installed do not go together "
                f"({brief(error)}): benepar 0.2 wants transformers below 5: "
                f"pip install 'bitext[benepar]'"
            ) from error
        return nlp


def _load(model: str, *, name: str, extra: str) -> Any:
    spacy = required("spacy", what=f"parser {name}", extra=extra)
    try:
        return spacy.load(model)
    except OSError as error:
        raise InputError(
            f"parser {name}: spaCy has no model {model!r}: want an installed one, or the folder "
            f"of one: python -m spacy download {model}"
        ) from error


def _document(nlp: Any, sentence: Sentence) -> Any:
    """Make a spaCy document of the words, one sentence, with the spaces of its text."""
    forms = _words(sentence)
    starts = [True] + [False] * (len(forms) - 1)
    kind = importlib.import_module("spacy.tokens").Doc
    return kind(nlp.vocab, words=forms, spaces=_spaces(sentence), sent_starts=starts)


def _words(sentence: Sentence) -> list[str]:
    return ["_".join(plain(form).split()) or "_" for form in sentence.forms]


def _spaces(sentence: Sentence) -> list[bool]:
    """Tell after which words space stands in the text; after each, where the text does not fit."""
    text, at = sentence.text, 0
    ends: list[int] = []
    begins: list[int] = []
    for form in sentence.forms:
        found = text.find(form, at)
        if found < 0 or text[at:found].strip():
            return [True] * len(sentence)
        begins.append(found)
        at = found + len(form)
        ends.append(at)
    return [*(e < b for e, b in zip(ends[:-1], begins[1:], strict=True)), False]
