"""A Stanford CoreNLP server, through nltk's `CoreNLPParser`.

Start the server in the folder of CoreNLP, with a model of English:

    java -mx4g -cp "*" edu.stanford.nlp.pipeline.StanfordCoreNLPServer -port 9000

The words are sent as they are, one sentence a line, split at white space only. nltk makes the
request; the tree is read from the `parse` of each sentence of the answer.

The tests run nltk's client against a small HTTP server that answers in the form of the real one
(CoreNLP itself is not in the package index, and was not to be had for the tests).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, OptionError
from bitext.syntax.answers import (
    at_least_one,
    brief,
    escaped,
    numbered,
    positive,
    required,
    with_tree,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["CoreNlpParser"]

_START = (
    'start one in the folder of CoreNLP: java -mx4g -cp "*" '
    "edu.stanford.nlp.pipeline.StanfordCoreNLPServer -port 9000"
)


class CoreNlpParser:
    """Parse with a CoreNLP server.

    Parameters
    ----------
    url : str, default "http://localhost:9000"
        The server.
    model : str, optional
        CoreNLP's `parse.model`: the path of the model of the parser, within its class path;
        default: that of the server.
    timeout : float, default 60
        The seconds that the server may take over one request.
    batch : int, default 16
        The sentences of one request.

    """

    name = "corenlp"

    def __init__(
        self,
        *,
        url: str = "http://localhost:9000",
        model: str | None = None,
        timeout: float = 60.0,
        batch: int = 16,
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise OptionError(
                f"parser corenlp: url is {url!r}: want the address of a server, "
                f"as http://localhost:9000"
            )
        self._url = url
        self._model = model
        self._timeout = positive(self.name, "timeout", timeout)
        self._batch = at_least_one(self.name, "batch", batch)
        self._client: Any = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        named = numbered(sentences)
        for start in range(0, len(named), self._batch):
            part = named[start : start + self._batch]
            asked = [[escaped(form) for form in sentence.forms] for _, sentence in part]
            answers = self._ask([" ".join(words) for words in asked], part[0][0])
            for (name, sentence), words, answer in zip(part, asked, answers, strict=True):
                place = f"parser corenlp ({self._url}): {name}"
                yield with_tree(sentence, answer, place=place, asked=words)

    def _ask(self, lines: list[str], first: str) -> list[str]:
        """Send one request, and return the tree of each line as a string."""
        shown = f"parser corenlp: {self._url}"
        if self._client is None:
            requests = required("requests", what="parser corenlp", extra="corenlp")
            from nltk.parse.corenlp import CoreNLPParser

            self._client = (CoreNLPParser(url=self._url), requests.exceptions)
        client, failures = self._client
        properties = {
            "annotators": "tokenize,ssplit,pos,parse",
            "tokenize.whitespace": "true",
            "ssplit.eolonly": "true",
        }
        if self._model is not None:
            properties["parse.model"] = self._model
        try:
            answer = client.api_call("\n".join(lines), properties, timeout=self._timeout)
        except failures.Timeout as error:
            raise InputError(
                f"{shown}: no answer within {self._timeout:g} seconds, from {first} on: give it "
                f"more time with timeout=, or less work with batch="
            ) from error
        except failures.ConnectionError as error:
            raise InputError(f"{shown}: no CoreNLP server answers: {_START}") from error
        except failures.HTTPError as error:
            raise InputError(
                f"{shown}: the server refused the request from {first} on: {brief(error)}: "
                f"it has to have the annotators tokenize, ssplit, pos and parse; its own limit of "
                f"time is -timeout"
            ) from error
        except (failures.RequestException, ValueError) as error:
            raise InputError(
                f"{shown}: the answer is not that of a CoreNLP server ({brief(error)}): {_START}"
            ) from error
        return self._trees(answer, len(lines), first)

    def _trees(self, answer: Any, wanted: int, first: str) -> list[str]:
        """Take the trees out of the answer."""
        found = answer.get("sentences") if isinstance(answer, dict) else None
        held = [s.get("parse") if isinstance(s, dict) else None for s in found or []]
        trees = [tree for tree in held if isinstance(tree, str)]
        if not len(trees) == len(held) == wanted:
            raise InputError(
                f"parser corenlp: {self._url}: {len(held)} sentences in the answer, "
                f"{len(trees)} of them with a tree, for {wanted} from {first} on: want a server "
                f"with the annotator parse, that splits at line ends only"
            )
        return trees
