"""The elements of lattices in JSON: sentences, words and trees, checked one by one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from bitext.errors import FormatError, InputError
from bitext.model import Cluster, Sentence, Token, Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Elements", "Place", "shown"]

Place = tuple[int, int]


def shown(value: object) -> str:
    """Spell a value for a message."""
    shown = json.dumps(value)
    return shown if len(shown) <= 40 else shown[:39] + "…"


class Elements:
    """Takes the elements of a file, and names the first that is wrong."""

    def __init__(self, path: str) -> None:
        self.path = path

    def fail(self, message: str) -> NoReturn:
        """Raise an error that names the file."""
        raise FormatError(message, path=self.path)

    def values(self, found: dict[str, Any], key: str, *, optional: bool = False) -> list[Any]:
        """Return the list under a key."""
        if optional and found.get(key) is None:
            return []
        if key not in found:
            self.fail(f'has no "{key}"; want tokens and nodes: get the whole of the file')
        value = found[key]
        if not isinstance(value, list):
            self.fail(f'"{key}" is {shown(value)}; want a list')
        return value

    def string(self, value: object, where: str) -> str:
        """Return the value if it is a text of whole characters."""
        if not isinstance(value, str):
            self.fail(f"{where} is {shown(value)}; want a text")
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fail(f"{where} has half of a surrogate pair; want whole characters")
        return value

    def strings(self, value: object, where: str) -> list[str]:
        """Return the value if it is a list of texts."""
        if not isinstance(value, list):
            self.fail(f"{where} is {shown(value)}; want a list of texts")
        return [self.string(each, f"{where}[{k}]") for k, each in enumerate(value)]

    def optional(self, found: dict[str, Any], key: str, where: str) -> str | None:
        """Return the text under a key, or None where there is none."""
        value = found.get(key)
        return None if value is None else self.string(value, f"{where}.{key}")

    def place(self, value: object, where: str, lengths: Sequence[int]) -> Place:
        """Return [sentence, word], both in range."""
        if not (
            isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value)
        ):
            self.fail(f"{where} is {shown(value)}; want [sentence, word], from 0")
        sentence, word = value
        if not 0 <= sentence < len(lengths):
            self.fail(
                f"{where} is {shown(value)}, but the sentences are 0 to {len(lengths) - 1}; "
                f"want [sentence, word], from 0"
            )
        if not 0 <= word < lengths[sentence]:
            self.fail(
                f"{where} is {shown(value)}, but the words of sentence {sentence} are 0 to "
                f"{lengths[sentence] - 1}; want [sentence, word], from 0"
            )
        return sentence, word

    def cluster(self, found: dict[str, Any]) -> Cluster:
        """Make the cluster of the sentences, their words and their syntax."""
        forms = [
            self.strings(value, f"tokens[{k}]")
            for k, value in enumerate(self.values(found, "tokens"))
        ]
        columns: dict[str, list[Any]] = {}
        for key in ("sentences", "syntax"):
            columns[key] = self.values(found, key, optional=True) or [None] * len(forms)
            if len(columns[key]) != len(forms):
                self.fail(
                    f'"{key}" has {len(columns[key])} elements and "tokens" {len(forms)}; '
                    f"want one a sentence"
                )
        told = zip(forms, columns["sentences"], columns["syntax"], strict=True)
        try:
            sentences = [self.sentence(k, *each) for k, each in enumerate(told)]
            return Cluster(sentences, id=self.optional(found, "id", "the object"))
        except FormatError:
            raise
        except InputError as error:
            self.fail(str(error))

    def sentence(self, k: int, forms: list[str], told: object, syntax: object) -> Sentence:
        """Make sentence k of its words, what is told of it, and its syntax."""
        where = f"sentences[{k}]"
        known = {} if told is None else told
        if not isinstance(known, dict):
            self.fail(f"{where} is {shown(told)}; want an object")
        try:
            return Sentence(
                self.tokens(k, forms, syntax),
                id=self.optional(known, "id", where),
                text=self.optional(known, "text", where),
                source=self.optional(known, "source", where),
                tree=self.tree(known, where),
            )
        except FormatError:
            raise
        except InputError as error:
            self.fail(f"{where}: {error}")

    def tokens(self, k: int, forms: list[str], syntax: object) -> list[Token]:
        """Return the words of sentence k with their syntax."""
        if syntax is None:
            return [Token(form) for form in forms]
        if not isinstance(syntax, list) or len(syntax) != len(forms):
            self.fail(
                f"syntax[{k}] is {shown(syntax)}; want one [pos, iob, trace] for each of "
                f"{len(forms)} words"
            )
        out = []
        for word, (form, given) in enumerate(zip(forms, syntax, strict=True)):
            where = f"syntax[{k}][{word}]"
            if not isinstance(given, list) or len(given) != 3:
                self.fail(f"{where} is {shown(given)}; want [pos, iob, trace]")
            pos, iob = self.strings(given[:2], where)
            trace = given[2]
            if isinstance(trace, str):
                trace = self.string(trace, f"{where}[2]")
                trace = trace.split("/") if trace else []
            out.append(Token(form, pos, iob, tuple(self.strings(trace, f"{where}[2]"))))
        return out

    def tree(self, known: dict[str, Any], where: str) -> Tree | None:
        """Return the tree of a sentence, in either spelling."""
        spelled, arrays = self.optional(known, "tree", where), known.get("tree_nodes")
        if spelled is not None:
            from bitext.syntax.penn import parse_tree

            try:
                return parse_tree(spelled)
            except FormatError as error:
                place = "" if error.column is None else f" column {error.column}"
                self.fail(f"{where}.tree{place}: {error.message}")
        if arrays is None:
            return None
        if not isinstance(arrays, dict):
            self.fail(f"{where}.tree_nodes is {shown(arrays)}; want labels, parents and forms")
        labels = self.strings(arrays.get("labels"), f"{where}.tree_nodes.labels")
        parents, forms = (self.values(arrays, key) for key in ("parents", "forms"))
        if not all(type(parent) is int for parent in parents):
            self.fail(f"{where}.tree_nodes.parents is {shown(parents)}; want whole numbers")
        known_forms = [
            None if form is None else self.string(form, f"{where}.tree_nodes.forms")
            for form in forms
        ]
        return Tree(labels, parents, known_forms)
