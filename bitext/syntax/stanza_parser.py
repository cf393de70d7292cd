"""Stanza's constituency parser.

The words are given as they are (`tokenize_pretokenized`), brackets as in text, white space within a
word as `_`. The parts of speech are those of the treebank (`xpos`) where the models give any, also
where the trees of a model have universal ones. Nothing is ever downloaded: the models have to lie
in the folder of Stanza's.

Which tests are real: where Stanza is installed, its own pipeline runs over small models of its own
kind that the test trains from a few sentences; elsewhere the adapter is tested over a stand-in that
answers in the same form. The published models are not in the package index, and were not to be had
for the tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.syntax.answers import at_least_one, brief, numbered, plain, required, with_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["StanzaParser"]

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
        stanza = required("stanza", what="parser stanza", extra="stanza")
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
