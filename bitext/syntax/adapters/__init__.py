"""Adapters of parsers: the common part of their answers, and parsers that run as servers.

Parsers spell words in two ways. Those trained on running text (spaCy, benepar, stanza) expect `(`;
those that read and write trees expect `-LRB-`. `plain` and `escaped` convert words to either
spelling. The sentence keeps its own words whatever a parser returns: the tree must have exactly
these words as leaves, and output with other words is an error.

**Stanford CoreNLP** runs as a server, through nltk's `CoreNLPParser`. Start it in the folder of
CoreNLP, with a model of English:

    java -mx4g -cp "*" edu.stanford.nlp.pipeline.StanfordCoreNLPServer -port 9000

The words are sent as they are, one sentence per line, split at white space only. nltk makes the
request; the tree is read from the `parse` of each sentence of the answer.

The tests run nltk's client against a small HTTP server that answers in the form of the real one
(CoreNLP itself is not in the package index, and was not to be had for the tests).
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bitext.errors import (
    BitextError,
    FormatError,
    InputError,
    OptionError,
    brief,
    import_extra,
    many,
)
from bitext.model.sentence import Sentence, Token, Tree
from bitext.syntax.columns import chunk_trace
from bitext.syntax.conversion import annotate
from bitext.syntax.penn import BRACKETS, parse_tree

_ESCAPE = str.maketrans({bracket: name for name, bracket in BRACKETS.items()})
_UNKNOWN = "XX"  # the Penn tag of a word of unknown part of speech


def escaped(form: str) -> str:
    """Return the spelling of a word in a tree, without brackets and white space.

    Examples
    --------
    >>> escaped("("), escaped(":-)"), escaped("New York")
    ('-LRB-', ':--RRB-', 'New_York')

    """
    whole = "_".join(form.split()) or "_"
    return whole.encode("utf-8", "replace").decode().translate(_ESCAPE)


def plain(form: str) -> str:
    r"""Return the spelling of a word in running text: the inverse of `escaped`, white space apart.

    Examples
    --------
    >>> plain("-LRB-"), plain(r"and\/or"), plain("left")
    ('(', 'and/or', 'left')

    """
    if "-" in form:
        for name, bracket in BRACKETS.items():
            form = form.replace(name, bracket)
    return form.replace("\\/", "/").replace("\\*", "*") if "\\" in form else form


def with_tree(
    sentence: Sentence,
    answer: str | Tree,
    *,
    place: str,
    sent: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
) -> Sentence:
    """Return a sentence with the tree of a parser, and the chunks and traces derived from it.

    `answer` is the tree, or its bracketed string; `place` names the parser and the sentence, for
    errors. `sent` has the words that the parser got, if it got another spelling; `tags` the part of
    speech of each word, if the tags of the tree are not those of the Penn treebank. The result has
    the words of `sentence`, each with its part of speech, chunk and trace, and the tree of these
    words.

    Raises `InputError` when the answer is not a tree, or has other words.
    """
    tree = _read(answer, place) if isinstance(answer, str) else answer
    forms = sentence.forms
    tree_words = tree.words
    if tree_words != forms:
        _compare(forms, sent or forms, tree_words, place)
        words = iter(forms)
        tree_forms = [None if form is None else next(words) for form in tree.forms]
        tree = Tree(tree.labels, tree.parents, tree_forms)
    if tags is not None:
        given_tags = iter(tags)
        pairs = zip(tree.labels, tree.forms, strict=True)
        labels = [label if form is None else next(given_tags) for label, form in pairs]
        tree = Tree(labels, tree.parents, tree.forms)
    tokens = annotate(tree)
    if len(tokens) != len(forms):
        raise InputError(
            f"{place}: the tree has {len(tokens)} words and {len(forms) - len(tokens)} empty "
            f"elements for {len(forms)} words: want a tree without empty elements"
        )
    # `annotate` may spell words as text has them; the sentence keeps its own spelling.
    tokens = tuple(
        Token(form, token.pos, token.iob, token.trace)
        for form, token in zip(forms, tokens, strict=True)
    )
    return Sentence(tokens, id=sentence.id, text=sentence.text, source=sentence.source, tree=tree)


def with_chunks(
    sentence: Sentence, tags: Sequence[str], chunks: Sequence[str], *, place: str
) -> Sentence:
    """Return a sentence with parts of speech and chunks; the trace of a word is S, then its chunk.

    A chunk is `B-NP`, `I-NP`, ..., or `O`. `place` names the tagger and the sentence, for errors.
    Raises `InputError` when the number of tags or of chunks differs from that of words.
    """
    if not len(sentence) == len(tags) == len(chunks):
        raise InputError(
            f"{place}: {len(tags)} tags and {len(chunks)} chunks for {len(sentence)} words: "
            f"want one of each a word"
        )
    words = enumerate(zip(sentence.forms, tags, chunks, strict=True))
    tokens = [
        Token(form, pos or _UNKNOWN, iob, chunk_trace(k, iob)) for k, (form, pos, iob) in words
    ]
    return Sentence(tokens, id=sentence.id, text=sentence.text, source=sentence.source)


def _name(sentence: Sentence, number: int) -> str:
    """Return the name of a sentence for errors: its number from 1, and its id if it has one."""
    return f"sentence {number}" if sentence.id is None else f"sentence {number} ({sentence.id})"


def positive(parser: str, option: str, value: float) -> float:
    """Return a number above 0, or raise an error that names the option."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise OptionError(f"parser {parser}: {option} is {value!r}: want a number above 0")
    return value


def at_least_one(parser: str, option: str, value: int) -> int:
    """Return an integer from 1, or raise an error that names the option."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(f"parser {parser}: {option} is {value!r}: want a whole number from 1")
    return value


def _read(answer: str, place: str) -> Tree:
    try:
        return parse_tree(answer)
    except BitextError as error:
        reason = error.message if isinstance(error, FormatError) else str(error)
        raise InputError(
            f"{place}: the answer {brief(answer, width=60)!r} is not one Penn tree: {reason}"
        ) from error


def _compare(
    forms: Sequence[str], escaped_words: Sequence[str], tree_words: Sequence[str], place: str
) -> None:
    """Refuse a tree whose words differ from those of the sentence."""
    words = zip(forms, escaped_words, tree_words, strict=False)  # the counts show the rest
    for number, (form, sent, leaf) in enumerate(words, start=1):
        if leaf not in {form, sent} and _folded(leaf) not in {_folded(form), _folded(sent)}:
            raise InputError(
                f"{place}: word {number} is {form!r} in the sentence and {leaf!r} in the tree: "
                f"{_REMEDY}"
            )
    if len(tree_words) != len(forms):
        number = min(len(tree_words), len(forms)) + 1
        more = forms[number - 1] if len(forms) > len(tree_words) else tree_words[number - 1]
        where = "the sentence" if len(forms) > len(tree_words) else "the tree"
        raise InputError(
            f"{place}: {many(len(forms), 'word')} in the sentence and {len(tree_words)} in the "
            f"tree: word {number} of {where}, {more!r}, has no counterpart: {_REMEDY}"
        )


_REMEDY = (
    "want a parser that keeps the words it is given (switch its own tokenizer off), one leaf each"
)


def _folded(form: str) -> str:
    """Return a spelling of a word that is the same with and without the escapes of trees."""
    return plain(form).replace("``", '"').replace("''", '"')


def numbered(sentences: Iterable[Sentence]) -> list[tuple[str, Sentence]]:
    """Return each sentence with its name for errors."""
    return [(_name(s, number), s) for number, s in enumerate(sentences, start=1)]


# Any program as a parser: sentences to its standard input, Penn trees from its standard output.
#
# The program gets one sentence per line, in UTF-8, the words with a space between, brackets as
# `-LRB-` and so on, white space within a word as `_`. It has to answer with one Penn tree a line,
# in the same order, over exactly these words, and end with exit status 0. It is run once for all
# sentences that are given together, without a shell.
#
# Errors name the command and the sentence: a missing program, a status other than 0 (with the end
# of its standard error), a timeout, too few or too many lines, a line that is not a tree, a tree
# over other words.
#
# The tests run small programs of their own.


class CommandParser:
    """Parse with a program.

    Raises `OptionError` when the command is empty or cannot be split, or the time is not a number
    above 0.

    Parameters
    ----------
    command : str or sequence of str
        The program and its arguments; a string is split as a shell would, and no shell is run.
    timeout : float, default 600
        The seconds that one run may take.

    Examples
    --------
    >>> CommandParser(command="java -jar parser.jar -stdin").name
    'command'

    """

    name = "command"

    def __init__(self, *, command: str | Sequence[str], timeout: float = 600.0) -> None:
        try:
            self.words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise OptionError(
                f"parser command: {command!r} cannot be split into words ({error}): want a "
                f"program and its arguments, as a shell takes them"
            ) from error
        if not self.words or not self.words[0] or not all(isinstance(w, str) for w in self.words):
            raise OptionError(
                f"parser command: command is {command!r}: want a program and its arguments"
            )
        self._timeout = positive(self.name, "timeout", timeout)
        line = " ".join(shlex.join(self.words).split())
        self._shown = f"parser command {line if len(line) <= 160 else f'{line[:157]}...'!r}"

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        if not sentences:
            return
        escaped_sentences = [[escaped(form) for form in sentence.forms] for sentence in sentences]
        named = numbered(sentences)
        answers = self._run(
            [" ".join(words) for words in escaped_sentences], [name for name, _ in named]
        )
        for (name, sentence), words, answer in zip(named, escaped_sentences, answers, strict=True):
            yield with_tree(sentence, answer, place=f"{self._shown}: {name}", sent=words)

    def _run(self, lines: list[str], names: list[str]) -> list[str]:
        """Run the program, and return its answer to each line."""
        process = self._start()
        try:
            out, err = process.communicate("".join(f"{line}\n" for line in lines), self._timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            out, _ = process.communicate()
            done = len((out or "").splitlines())
            raise InputError(
                f"{self._shown}: no end within {self._timeout:g} seconds, at "
                f"{names[min(done, len(names) - 1)]} of {len(names)}: give it more time with "
                f"timeout=, or fewer sentences"
            ) from None
        except BaseException:
            _end(process)
            raise
        return self._checked(out, err, process.returncode, names)

    def _start(self) -> subprocess.Popen[str]:
        try:
            return subprocess.Popen(  # noqa: S603 - running the user's own command is the purpose
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise InputError(
                f"{self._shown}: cannot be run: {reason}: want a program that is on the path or "
                f"named with its folder"
            ) from error

    def _checked(self, out: str, err: str, status: int, names: list[str]) -> list[str]:
        """Return the lines of the output if they have the right form."""
        answers = out.rstrip().split("\n") if out.strip() else []
        error_text = f": {brief(err)}" if err.strip() else ""
        if status:
            at = (
                f"{names[len(answers)]} of {len(names)}" if len(answers) < len(names) else "the end"
            )
            raise InputError(
                f"{self._shown}: exit status {status} at {at}"
                f"{error_text or ', nothing on its standard'}"
                f"{'' if error_text else ' error'}: run it by hand on that sentence"
            )
        empty = next((i for i, answer in enumerate(answers) if not answer.strip()), None)
        if empty is not None and empty < len(names):
            raise InputError(
                f"{self._shown}: {names[empty]}: an empty line for an answer: want one Penn tree "
                f"a line, and one for every sentence"
            )
        if len(answers) != len(names):
            where = (
                f"none for {names[len(answers)]}"
                if len(answers) < len(names)
                else f"line {len(names) + 1} is {brief(answers[len(names)], width=40)!r}"
            )
            raise InputError(
                f"{self._shown}: {len(answers)} lines for {len(names)} sentences, {where}: want "
                f"one Penn tree a line, and one for every sentence"
                f"{error_text and f'; it said{error_text}'}"
            )
        return answers


def _end(process: subprocess.Popen[str]) -> None:
    """End a program and the processes that it started, which would hold our end of the pipes."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
    else:
        process.kill()


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
            escaped_sentences = [[escaped(form) for form in sentence.forms] for _, sentence in part]
            answers = self._ask([" ".join(words) for words in escaped_sentences], part[0][0])
            for (name, sentence), words, answer in zip(
                part, escaped_sentences, answers, strict=True
            ):
                place = f"parser corenlp ({self._url}): {name}"
                yield with_tree(sentence, answer, place=place, sent=words)

    def _ask(self, lines: list[str], first: str) -> list[str]:
        """Send one request, and return the tree of each line as a string."""
        shown = f"parser corenlp: {self._url}"
        if self._client is None:
            requests = import_extra("requests", what="parser corenlp", extra="corenlp")
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

    def _trees(self, answer: Any, expected_count: int, first: str) -> list[str]:
        answer_sentences = answer.get("sentences") if isinstance(answer, dict) else None
        parses = [s.get("parse") if isinstance(s, dict) else None for s in answer_sentences or []]
        trees = [tree for tree in parses if isinstance(tree, str)]
        if not len(trees) == len(parses) == expected_count:
            raise InputError(
                f"parser corenlp: {self._url}: {many(len(parses), 'sentence')} in the answer, "
                f"{len(trees)} of them with a tree, for {expected_count} from {first} on: want "
                f"a server with the annotator parse, that splits at line ends only"
            )
        return trees
