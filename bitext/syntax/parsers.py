"""The parsers by name: sentences in, the same sentences with their syntax out.

The interface is small: a name, and `parse`, which returns every sentence with its own words, the
part of speech, chunk and trace of each word, and the tree if there is one. `english` is built in
and needs nothing. The others are adapters around parsers that the user has: each imports its
package on first use, never downloads a model by itself, and raises an error with the command that
installs what is missing.

Any other parser is reached through `command`, which runs a program: tokens in, Penn trees out.
"""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass
from os import PathLike, fspath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from bitext.errors import OptionError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitext.model.sentence import Sentence

__all__ = ["PARSERS", "Parser", "ParserEntry", "parser_named"]


@runtime_checkable
class Parser(Protocol):
    """Anything that gives sentences their syntax."""

    @property
    def name(self) -> str:
        """The name of the parser in error messages."""
        ...

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence, in order, with its words as they were and with their syntax."""
        ...


@dataclass(frozen=True, slots=True)
class ParserEntry:
    """A parser of the registry.

    Attributes
    ----------
    name : str
        What it is called.
    module, kind : str
        Where its class stands.
    extra : str or None
        The extra that brings its package; None when nothing is needed.
    about : str
        What it is, in one line.
    makes : {"trees", "chunks"}
        Whether it makes trees, or parts of speech and chunks alone.

    """

    name: str
    module: str
    kind: str
    extra: str | None
    about: str
    makes: str = "trees"

    @property
    def options(self) -> dict[str, Any]:
        """Its options with their defaults; one without a default has `inspect.Parameter.empty`."""
        parameters = inspect.signature(self._class()).parameters
        return {name: parameter.default for name, parameter in parameters.items()}

    def make(self, **options: Any) -> Parser:
        """Make the parser, with options that it has.

        Raises
        ------
        OptionError
            When a text is something else, or the parser refuses a value.

        """
        parameters = inspect.signature(self._class()).parameters
        known = {name: value for name, value in options.items() if name in parameters}
        texts = {
            name: self._text(name, value, parameters[name].annotation)
            for name, value in known.items()
        }
        made: Parser = self._class()(**(options | texts))
        return made

    def _text(self, option: str, value: Any, annotation: object) -> Any:
        """Return a value that is to be a text as one; numbers are looked at by the parsers."""
        allowed = str(annotation).split(" | ")
        if "str" not in allowed or isinstance(value, str):
            return value
        if isinstance(value, PathLike):
            return fspath(value)
        if value is None and "None" in allowed:
            return value
        if isinstance(value, list | tuple) and "Sequence[str]" in allowed:
            return value
        wanted = "a string or a list of them" if "Sequence[str]" in allowed else "a string"
        raise OptionError(f"parser {self.name}: {option} is {value!r:.60}: want {wanted}")

    def _class(self) -> Any:
        return getattr(importlib.import_module(self.module), self.kind)


_ENTRIES = (
    ParserEntry(
        "english",
        "bitext.syntax.adapters.local",
        "BuiltinParser",
        None,
        "the built-in parser of English; nothing to install",
    ),
    ParserEntry(
        "benepar",
        "bitext.syntax.adapters.neural",
        "BeneparParser",
        "benepar",
        "the Berkeley neural parser, through spaCy",
    ),
    ParserEntry(
        "stanza",
        "bitext.syntax.adapters.neural",
        "StanzaParser",
        "stanza",
        "the constituency parser of Stanza",
    ),
    ParserEntry(
        "corenlp",
        "bitext.syntax.adapters.servers",
        "CoreNlpParser",
        "corenlp",
        "a Stanford CoreNLP server, through nltk",
    ),
    ParserEntry(
        "bllip",
        "bitext.syntax.adapters.local",
        "BllipParser",
        "bllip",
        "the reranking parser of Charniak and Johnson",
    ),
    ParserEntry(
        "command",
        "bitext.syntax.adapters.servers",
        "CommandParser",
        None,
        "any program: a line of tokens in, a Penn tree out",
    ),
    ParserEntry(
        "spacy",
        "bitext.syntax.adapters.neural",
        "SpacyParser",
        "spacy",
        "a spaCy tagger with noun chunks; no trees",
        "chunks",
    ),
    ParserEntry(
        "nltk",
        "bitext.syntax.adapters.local",
        "NltkParser",
        None,
        "nltk's tagger with a grammar of chunks; no trees",
        "chunks",
    ),
)

PARSERS: Mapping[str, ParserEntry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})


def parser_named(name: str, **options: Any) -> Parser:
    """Make a parser by its name.

    Parameters
    ----------
    name : str
        One of `PARSERS`.
    **options
        The options of that parser; `PARSERS[name].options` lists them.

    Raises
    ------
    OptionError
        When there is no such parser or option, naming the nearest; when one is missing that the
        parser needs; when the parser refuses a value.

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
