"""The reranking parser of Charniak and Johnson (BLLIP), through the package `bllipparser`.

A model is a folder, or the name of one that `python -m bllipparser.ModelFetcher` has put into its
own place. The process can hold one model only, and a sentence has at most 399 words: both are
limits of that parser.

Which tests are real: where the package is installed, its own classes of trees and sentences are
used around a stand-in for the model; elsewhere all of it is a stand-in. The models are not in the
package index, and were not to be had for the tests.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.paths import is_file, is_folder
from bitext.syntax.answers import brief, escaped, numbered, required, with_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["BllipParser"]

_PLACE = Path("~/.local/share/bllipparser")
_FILES = ("terms.txt", "pSgT.txt")  # of the first stage; without them the parser would crash


class BllipParser:
    """Parse with `bllipparser`.

    Parameters
    ----------
    model : str, default "WSJ-PTB3"
        The folder of a unified model, or the name of one that was fetched.

    """

    name = "bllip"

    def __init__(self, *, model: str = "WSJ-PTB3") -> None:
        self._model = model
        self._loaded: Any = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        if self._loaded is None:
            self._loaded = self._load()
        for name, sentence in numbered(sentences):
            place = f"parser bllip ({self._model}): {name}"
            words = [escaped(form) for form in sentence.forms]
            try:
                found = self._loaded.parse(words)
            except (RuntimeError, ValueError) as error:
                raise InputError(
                    f"{place}: {len(words)} words, and no tree: {brief(error)}: "
                    f"leave the sentence out, or cut it"
                ) from error
            if not len(found):
                raise InputError(f"{place}: no tree found: leave the sentence out, or cut it")
            yield with_tree(sentence, str(found[0].ptb_parse), place=place, asked=words)

    def _load(self) -> Any:
        package = required("bllipparser", what="parser bllip", extra="bllip")
        places = (Path(self._model), _PLACE.expanduser() / self._model)
        folder = next((p for p in places if is_folder(p / "parser")), None)
        if folder is None:
            raise InputError(
                f"parser bllip: no model {self._model!r}, nor {places[1]}: want the folder of a "
                f"unified model, or bring one: python -m bllipparser.ModelFetcher -i {self._model}"
            )
        for name in _FILES:
            if not is_file(folder / "parser" / name):
                raise InputError(
                    f"parser bllip: {folder} has no parser/{name}: want a whole unified model: "
                    f"fetch it anew"
                )
        try:
            return package.RerankingParser.from_unified_model_dir(str(folder))
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(
                f"parser bllip: the model in {folder} cannot be loaded: {brief(error)}: want one "
                f"model a process, and a whole one"
            ) from error
