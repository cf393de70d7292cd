"""Registry of the parsers, and annotation of sentences with syntax.

A parser has a name and a method `parse`, which returns every sentence with the same words, the part
of speech, chunk and trace of each word, and the tree if there is one. `english` is built in. The
others are adapters around installed parsers: each imports its package on first use, never downloads
a model, and raises an error with the command that installs a missing package.

Any other parser can be run by `command`, as a program that reads tokens and writes Penn trees.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

from bitext.errors import InputError, OptionError, check_list, check_type, did_you_mean
from bitext.model.sentence import Cluster, Sentence, Token, Tree
from bitext.syntax.conversion import annotate, without_empty
from bitext.syntax.penn import parse_tree
from bitext.syntax.tokenizer import tokenize


@runtime_checkable
class Parser(Protocol):
    """The interface of parsers and taggers."""

    @property
    def name(self) -> str:
        """The name of the parser in error messages."""
        ...

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence, in order, with unchanged words and their syntax."""
        ...


@dataclass(frozen=True, slots=True)
class ParserEntry:
    """A parser of the registry."""

    name: str  # the name of the parser
    # `module`, `kind`: the module and the name of its class.
    module: str
    kind: str
    extra: str | None  # the extra that installs its package; None if it needs none
    about: str  # a description in one line
    makes: str = "trees"  # whether it returns trees, or only parts of speech and chunks

    @property
    def options(self) -> dict[str, Any]:
        """The options with their defaults; `inspect.Parameter.empty` marks a required option."""
        parameters = inspect.signature(self._class()).parameters
        return {name: parameter.default for name, parameter in parameters.items()}

    def make(self, **options: Any) -> Parser:
        """Return the parser with the given options.

        Raises `OptionError` when an option of text has another type, or the parser refuses a value.
        """
        parameters = inspect.signature(self._class()).parameters
        known = {name: value for name, value in options.items() if name in parameters}
        texts = {
            name: self._text(name, value, parameters[name].annotation)
            for name, value in known.items()
        }
        parser: Parser = self._class()(**(options | texts))
        return parser

    def _text(self, option: str, value: Any, annotation: object) -> Any:
        """Return an option of text as a string; parsers check numbers themselves."""
        allowed = str(annotation).split(" | ")
        if "str" not in allowed or isinstance(value, str):
            return value
        if isinstance(value, PathLike):
            return fspath(value)
        if value is None and "None" in allowed:
            return value
        if isinstance(value, list | tuple) and "Sequence[str]" in allowed:
            return value
        expected = "a string or a list of them" if "Sequence[str]" in allowed else "a string"
        raise OptionError(f"parser {self.name}: {option} is {value!r:.60}: want {expected}")

    def _class(self) -> Any:
        return getattr(importlib.import_module(self.module), self.kind)


_ADAPTERS, _LOCAL = "bitext.syntax.adapters", "bitext.syntax.adapters.local"
# The name, module, class, extra and description of each parser.
_TREES: tuple[tuple[str, str, str, str | None, str], ...] = (
    (
        "english",
        _LOCAL,
        "BuiltinParser",
        None,
        "the built-in parser of English; nothing to install",
    ),
    ("benepar", _LOCAL, "BeneparParser", "benepar", "the Berkeley neural parser, through spaCy"),
    ("stanza", _LOCAL, "StanzaParser", "stanza", "the constituency parser of Stanza"),
    ("corenlp", _ADAPTERS, "CoreNlpParser", "corenlp", "a Stanford CoreNLP server, through nltk"),
    ("bllip", _LOCAL, "BllipParser", "bllip", "the reranking parser of Charniak and Johnson"),
    (
        "command",
        _ADAPTERS,
        "CommandParser",
        None,
        "any program: a line of tokens in, a Penn tree out",
    ),
)
_CHUNKS: tuple[tuple[str, str, str, str | None, str], ...] = (
    ("spacy", _LOCAL, "SpacyParser", "spacy", "a spaCy tagger with noun chunks; no trees"),
    ("nltk", _LOCAL, "NltkParser", None, "nltk's tagger with a grammar of chunks; no trees"),
)
_ENTRIES = [
    *(ParserEntry(*entry) for entry in _TREES),
    *(ParserEntry(*entry, "chunks") for entry in _CHUNKS),
]

PARSERS: Mapping[str, ParserEntry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})


def parser_named(name: str, **options: Any) -> Parser:
    """Return a parser by its name.

    Parameters
    ----------
    name : str
        One of `PARSERS`.
    **options
        The options of that parser; `PARSERS[name].options` lists them.

    Raises
    ------
    OptionError
        When there is no such parser or option, with the most similar name; when a required option
        is missing; when the parser refuses a value.

    Examples
    --------
    >>> parser_named("command", command="my-parser --one-a-line").name
    'command'
    >>> parser_named("benpar")
    Traceback (most recent call last):
      ...
    bitext.errors.OptionError: no parser 'benpar'; did you mean 'benepar'? the parsers: english,
    benepar, stanza, corenlp, bllip, command, spacy, nltk

    """
    if not isinstance(name, str) or name not in PARSERS:
        hint = did_you_mean(str(name).lower(), PARSERS)
        raise OptionError(f"no parser {name!r}; {hint}the parsers: {', '.join(PARSERS)}")
    entry = PARSERS[name]
    known = entry.options
    for option in options:
        if option not in known:
            if not known:
                raise OptionError(f"parser {name} has no options; leave {option!r} out")
            hint = did_you_mean(option, known)
            raise OptionError(
                f"parser {name} has no option {option!r}; {hint}its options: {', '.join(known)}"
            )
    for option, default in known.items():
        if default is inspect.Parameter.empty and option not in options:
            raise OptionError(f"parser {name} needs the option {option}: give {option}=...")
    return entry.make(**options)


# Annotation with syntax: of raw texts, trees, and sentences of a cluster.


def analyse(cluster: Cluster, parser: Parser | None = None) -> Cluster:
    """Return a cluster with part of speech, chunk and trace of every word.

    Parameters
    ----------
    cluster : Cluster
        Sentences with syntax are returned unchanged. Chunks and traces are derived from a tree.
    parser : Parser, optional
        Parses all other sentences in one call; by default the built-in parser of English.

    Raises
    ------
    InputError
        When the parser returns another number of sentences, or other words, or a tree has empty
        elements.

    Examples
    --------
    >>> from bitext.model.sentence import Cluster, Sentence
    >>> from bitext.syntax.penn import parse_tree
    >>> s = Sentence(["It", "burns"], tree=parse_tree("(S (NP (PRP It)) (VP (VBZ burns)))"))
    >>> analyse(Cluster([s]))[0][1].trace
    ('I-S', 'B-VP')

    """
    check_type("the cluster", cluster, Cluster, "a Cluster, as parse_cluster(sentences)")
    done = {
        k: _with_analysis(sentence) for k, sentence in enumerate(cluster) if _has_syntax(sentence)
    }
    unparsed = [k for k in range(len(cluster)) if k not in done]
    if unparsed:
        if parser is None:
            from bitext.syntax.adapters.local import BuiltinParser

            parser = BuiltinParser()
        if isinstance(parser, str):
            raise InputError(
                f"the parser is {parser!r:.40}: want a Parser, as parser_named({parser!r:.40})"
            )
        parsed = list(parser.parse([cluster[k] for k in unparsed]))
        if len(parsed) != len(unparsed):
            raise InputError(
                f"parser {parser.name}: {len(parsed)} sentences came back for {len(unparsed)}: "
                f"want one for each"
            )
        for k, sentence in zip(unparsed, parsed, strict=True):
            if sentence.forms != cluster[k].forms:
                raise InputError(
                    f"parser {parser.name}: sentence {k + 1} came back as {sentence.text!r:.60}, "
                    f"not {cluster[k].text!r:.60}: want the words that it was given"
                )
            done[k] = sentence
    return Cluster([done[k] for k in range(len(cluster))], id=cluster.id)


def parse_cluster(
    texts: Iterable[str],
    *,
    id: str | None = None,  # noqa: A002 - the field's own word
    parser: Parser | None = None,
) -> Cluster:
    """Tokenise and parse raw sentences to a cluster.

    Parameters
    ----------
    texts : iterable of str
        One sentence each; `split_sentences` splits running text.
    id : str, optional
        The name of the cluster.
    parser : Parser, optional
        By default the built-in parser of English.

    Raises
    ------
    InputError
        When there is no sentence, or one has no words; and as `analyse`.

    Examples
    --------
    >>> found = parse_cluster(["Milan is beautiful.", "I went to Milan."], id="milan")
    >>> found, found[1].forms
    (<Cluster 'milan': 2 sentences, 9 words>, ('I', 'went', 'to', 'Milan', '.'))
    >>> found[0][0].pos, found[0][0].trace
    ('NNP', ('B-S', 'B-NP'))

    """
    if isinstance(texts, str):
        raise InputError("the texts are one text; want a list of sentences, as of split_sentences")
    check_list("the texts", texts, "a list of sentences")
    sentences = []
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise InputError(
                f"sentence {number} is {text!r:.40} ({type(text).__name__}): want a text"
            )
        words = tokenize(text)
        if not words:
            raise InputError(f"sentence {number} is {text!r:.40}, without words: leave it out")
        sentences.append(Sentence(words, text=text))
    return analyse(Cluster(sentences, id=id), parser)


def sentence_of_tree(
    tree: str | Tree,
    *,
    id: str | None = None,  # noqa: A002 - the field's own word
    source: str | None = None,
) -> Sentence:
    """Return the sentence of a Penn tree, with the syntax of its words.

    Parameters
    ----------
    tree : str or Tree
        A tree or its bracketed string. Empty elements (-NONE-) affect chunks, as in `annotate`,
        and are not words.
    id, source : str, optional
        The id and the source of the sentence.

    Raises
    ------
    FormatError
        When the string is not exactly one tree.
    InputError
        When the tree has only empty elements.

    Examples
    --------
    >>> s = sentence_of_tree("(S (NP (PRP I)) (VP (VBD left) (NP (-NONE- *))))", id="s1")
    >>> s, s[1].trace, str(s.tree)
    (<Sentence s1: 'I left'>, ('I-S', 'B-VP'), '(S (NP (PRP I)) (VP (VBD left)))')

    """
    whole = tree if isinstance(tree, Tree) else parse_tree(tree)
    visible = without_empty(whole)
    if visible is None:
        raise InputError("the tree has no words, but empty elements: leave it out")
    return Sentence(annotate(whole), id=id, source=source, tree=visible)


def _has_syntax(sentence: Sentence) -> bool:
    return sentence.tree is not None or sentence.analysed


def _with_analysis(sentence: Sentence) -> Sentence:
    """Return a sentence with chunks and traces from its tree, for words that lack them."""
    whole = sentence.analysed and all(token.trace for token in sentence)
    if sentence.tree is None or whole:
        return sentence
    analysed = annotate(sentence.tree)
    if len(analysed) != len(sentence):
        raise InputError(
            f"sentence {sentence.text!r:.60} has {len(sentence)} words, and its tree "
            f"{len(analysed)} and empty elements (-NONE-): want neither among the words"
        )
    words = [
        Token(form, word.pos, word.iob, word.trace)
        for form, word in zip(sentence.forms, analysed, strict=True)
    ]
    return Sentence(
        words, id=sentence.id, text=sentence.text, source=sentence.source, tree=sentence.tree
    )
