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

from bitext.errors import InputError, brief, import_extra, many
from bitext.syntax.adapters.local import chunk
from bitext.syntax.answers import at_least_one, numbered, plain, with_chunks, with_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["BeneparParser", "SpacyParser", "StanzaParser"]


# Stanza's constituency parser.
#
# The words are passed on unchanged (`tokenize_pretokenized`), brackets as in text, white space
# within a word as `_`. The parts of speech are those of the treebank (`xpos`) where the models
# have them, also where the trees of a model have universal ones. Nothing is ever downloaded: the
# models have to be in Stanza's folder.
#
# Tests: where Stanza is installed, its own pipeline runs over small models that the test trains
# from a few sentences; elsewhere a stand-in returns output of the same form. The published models
# are not in the package index, so no test has run over them.

_STEPS = "tokenize,pos,constituency"


class StanzaParser:
    """Parse with Stanza.

    Parameters
    ----------
    model : str, default "default"
        The package of models, as Stanza names them: `default`, `default_accurate`, ...
    language : str, default "en"
        The language, by its code.
    folder : str, optional
        Where the models lie; default: Stanza's own place.
    batch : int, default 64
        The sentences that are worked on at once.

    """

    name = "stanza"

    def __init__(
        self,
        *,
        model: str = "default",
        language: str = "en",
        folder: str | None = None,
        batch: int = 64,
    ) -> None:
        self._model = model
        self._language = language
        self._folder = folder
        self._batch = at_least_one(self.name, "batch", batch)
        self._loaded: Any = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        if self._loaded is None:
            self._loaded = self._load()
        named = numbered(sentences)
        shown = f"parser stanza ({self._language}, {self._model})"
        for start in range(0, len(named), self._batch):
            part = named[start : start + self._batch]
            words = [["_".join(plain(f).split()) or "_" for f in s.forms] for _, s in part]
            answers = self._loaded(words).sentences
            if len(answers) != len(part):
                raise InputError(
                    f"{shown}: {len(answers)} sentences for {len(part)} from {part[0][0]} on: "
                    f"want a pipeline that splits none"
                )
            for (name, sentence), answer, asked in zip(part, answers, words, strict=True):
                if answer.constituency is None:
                    raise InputError(
                        f"{shown}: {name}: no tree, for the package has no constituency parser: "
                        f"want one that has, as default"
                    )
                # "_O" is Stanza's word for one line, with _ for the spaces in words.
                yield with_tree(
                    sentence,
                    format(answer.constituency, "_O"),
                    place=f"{shown}: {name}",
                    asked=asked,
                    tags=_penn(answer, len(sentence)),
                )

    def _load(self) -> Any:
        stanza = import_extra("stanza", what="parser stanza", extra="stanza")
        folder = {} if self._folder is None else {"dir": self._folder}
        try:
            return stanza.Pipeline(
                self._language,
                package=self._model,
                processors=_STEPS,
                tokenize_pretokenized=True,
                download_method=None,
                logging_level="ERROR",
                **folder,
            )
        except (OSError, ValueError, KeyError) as error:
            where = "" if self._folder is None else f", model_dir={self._folder!r}"
            raise InputError(
                f"parser stanza: no models {self._model!r} for {self._language!r} "
                f"({brief(error, width=120)}): bring them: python -c "
                f'"import stanza; stanza.download({self._language!r}, package={self._model!r}, '
                f'processors={_STEPS!r}{where})"'
            ) from error


def _penn(answer: Any, words: int) -> list[str] | None:
    """Return the tags of the treebank; some models have the universal ones in their trees."""
    tags = [word.xpos for word in answer.words]
    return tags if len(tags) == words and all(tags) else None


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
        """Return the noun chunks; refuse a model that has none."""
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
                    f"{place}: {many(len(sentence), 'word')}, and no tree: {brief(error)}: "
                    f"leave the sentence out, or cut it"
                ) from error
            yield with_tree(sentence, tree, place=place, asked=_words(sentence))

    def _load(self) -> Any:
        spacy = import_extra("spacy", what="parser benepar", extra="benepar")
        import_extra("benepar", what="parser benepar", extra="benepar")
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
    spacy = import_extra("spacy", what=f"parser {name}", extra=extra)
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
    """Mark the words with a space after them in the text; all, where the text does not fit."""
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
