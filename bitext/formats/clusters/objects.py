"""Clusters in JSON: an object with its sentences, a list of sentences, or a sentence a line.

    {"id": "ferry", "sentences": [
      {"id": "s1", "source": "a.txt", "text": "A ferry burned.",
       "tokens": ["A", "ferry", "burned", "."], "tree": "(S (NP ...) ...)"},
      "It burned."]}

A sentence is a text, or an object with at least one of `text`, `tokens` and `tree`; on lines
too. An object with `schema`, or with `tokens` and `nodes`, is a lattice (`lattice_json`), and its
sentences are taken; one with `schema` and `clusters` holds several. Keys that are not named here
are left aside, but one that looks like a slip of the pen for one that is not there is an error, and
so are sentences of several clusters, as keys such as `cluster` or `event_id` tell.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError, InputError, nearest
from bitext.formats.json_objects import parsed, shown, unfit
from bitext.formats.line_files import split_lines
from bitext.model import Sentence, Token
from bitext.syntax.conversion import annotate, without_empty
from bitext.syntax.penn import parse_tree, unescape
from bitext.syntax.spelling import folded, spelled_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitext.model import Lattice, Tree

__all__ = ["SEVERAL", "Place", "Told", "read_objects", "sentence_of"]


# The words of a sentence from its text, its tokens, its tree, or several of them that agree.
#
# Text and tree are held against each other without white space, so are text and tokens, and tokens
# and tree word by word. How they spell marks and brackets does not count
# (`bitext.syntax.spelling`), and between text and tokens capitals do not.

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence or its tree stands, for messages."""

    path: str
    line: int | None = None

    def error(self, message: str) -> FormatError:
        """Make an error that names the place."""
        return FormatError(message, path=self.path, line=self.line)


@dataclass(frozen=True, slots=True)
class Told:
    """What a file tells of a sentence.

    Attributes
    ----------
    name : str
        What messages call it.
    place : Place
    text : str, optional
    tokens : sequence of str, optional
    tree : Tree, optional
    tree_place : Place, optional
        Where the tree stands, if elsewhere.
    id, source : str, optional
    analysed : Sentence, optional
        The sentence, where a file of columns gives all of it.

    """

    name: str
    place: Place
    text: str | None = None
    tokens: Sequence[str] | None = None
    tree: Tree | None = None
    tree_place: Place | None = None
    id: str | None = None
    source: str | None = None
    analysed: Sentence | None = None


def sentence_of(told: Told, *, aux: bool = True) -> Sentence:
    """Make a sentence of what is told of it.

    Its words are the tokens if there are any, else the leaves of the tree as the text spells
    them, else what the tokenizer makes of the text.

    Raises
    ------
    FormatError
        When there are no words, or two of text, tokens and tree disagree.

    """
    try:
        if told.tokens is not None and told.text is not None:
            _check_text(told, told.tokens, told.text)
        if told.tree is not None:
            return _with_tree(told, told.tree, aux=aux)
        if told.analysed is not None:
            return told.analysed
        if told.tokens is not None:
            words = [unescape(token) for token in told.tokens]
        else:
            from bitext.syntax.tokenizer import tokenize

            words = tokenize(told.text or "")
        return Sentence(words, id=told.id, text=told.text, source=told.source)
    except FormatError:
        raise
    except InputError as error:
        raise told.place.error(str(error)) from None


def _with_tree(told: Told, tree: Tree, *, aux: bool) -> Sentence:
    place = told.tree_place or told.place
    visible = without_empty(tree)
    if visible is None:
        raise place.error(f"the tree of {told.name} has no words, but empty elements: leave it out")
    tokens = annotate(tree, aux=aux)
    leaves = [token.form for token in tokens]
    given = told.tokens if told.analysed is None else told.analysed.forms
    if given is not None:
        words = _over_tokens(told, place, leaves, given)
    elif told.text is not None:
        words = _over_text(told, place, leaves, told.text)
    else:
        words = leaves
    return Sentence(
        [
            Token(word, token.pos, token.iob, token.trace)
            for word, token in zip(words, tokens, strict=True)
        ],
        id=told.id,
        text=told.text,
        source=told.source,
        tree=visible,
    )


def _over_tokens(
    told: Told, place: Place, leaves: Sequence[str], tokens: Sequence[str]
) -> list[str]:
    """Return the tokens, if the tree has the same."""
    words = [unescape(token) for token in tokens]
    for k, (leaf, word) in enumerate(zip(leaves, words, strict=False)):  # counts: below
        if leaf != word and folded(leaf) != folded(word):
            raise place.error(
                f"word {k + 1} of {told.name} is {word!r:.{_SHOWN}}, and {leaf!r:.{_SHOWN}} in its "
                f"tree{_elsewhere(told)}: want the tree of these words"
            )
    if len(leaves) != len(words):
        k = min(len(leaves), len(words))
        more, which = (leaves, "its tree") if len(leaves) > len(words) else (words, "the sentence")
        raise place.error(
            f"{told.name} has {len(words)} words and its tree {len(leaves)}{_elsewhere(told)}, "
            f"{which} goes on with {more[k]!r:.{_SHOWN}}: want the tree of these words"
        )
    return words


def _over_text(told: Told, place: Place, leaves: Sequence[str], text: str) -> list[str]:
    """Return the leaves as the text spells them, if it has them and nothing else."""
    words, rest = spelled_in(leaves, text)
    if len(words) < len(leaves):
        goes_on = f"goes on with {rest!r:.{_SHOWN}}" if rest else "has ended"
        raise place.error(
            f"word {len(words) + 1} of the tree of {told.name} is "
            f"{leaves[len(words)]!r:.{_SHOWN}}, where the text{_elsewhere(told)} {goes_on}: "
            f"want the tree of this text"
        )
    if rest:
        raise place.error(
            f"the tree of {told.name} ends with word {len(leaves)}, where the text"
            f"{_elsewhere(told)} goes on with {rest!r:.{_SHOWN}}: want the tree of this text"
        )
    return words


def _check_text(told: Told, tokens: Sequence[str], text: str) -> None:
    """Refuse tokens that are not those of the text."""
    words, rest = spelled_in([unescape(token) for token in tokens], text, case=False)
    if len(words) < len(tokens):
        goes_on = f"goes on with {rest!r:.{_SHOWN}}" if rest else "has ended"
        raise told.place.error(
            f"word {len(words) + 1} of {told.name} is {tokens[len(words)]!r:.{_SHOWN}}, where its "
            f"text {goes_on}: want the words of this text, or give one of the two"
        )
    if rest:
        raise told.place.error(
            f"{told.name} ends with word {len(tokens)}, where its text goes on with "
            f"{rest!r:.{_SHOWN}}: want the words of this text, or give one of the two"
        )


def _elsewhere(told: Told) -> str:
    """Name the sentence's own place where the tree stands in another file."""
    if told.tree_place is None:
        return ""
    line = "" if told.place.line is None else f" line {told.place.line}"
    return f" ({told.place.path}{line})"


SEVERAL = "bitext.clusters/1"

_OF_CLUSTER = ("id", "sentences")
_WHICH = re.compile(r"(?:cluster|event)(?:[_-]?(?:id|name|label))?", re.IGNORECASE)
_OF_SENTENCE = ("id", "source", "text", "tokens", "tree")


def read_objects(text: str, path: str) -> list[Lattice] | tuple[str | None, list[Told]]:
    """Read lattices, or the id of a cluster and what is told of its sentences.

    Parameters
    ----------
    text : str
        What the file holds.
    path : str
        The name of the file, for messages.

    Raises
    ------
    FormatError
        When it is no JSON, or no cluster, with the line.

    """
    whole = Place(path)
    try:
        found = parsed(text, whole.error)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise _no_json(path, error) from None
        return None, _read_lines(path, text)
    if _is_lattice(found):
        return _lattices(found, path)
    name = None
    values = [found] if isinstance(found, str) else found
    if isinstance(found, dict):
        _check_keys(found, _OF_CLUSTER, "the object", whole)
        if "sentences" in found:
            name = _name(found.get("id"), "the cluster", whole)
            values = found["sentences"]
        elif any(key in found for key in ("text", "tokens", "tree")):
            values = [found]
        else:
            raise whole.error('has no "sentences"; want {"sentences": [...]} or a list of them')
    if not isinstance(values, list):
        raise whole.error(f'has "sentences" {shown(values)}; want a list')
    lines = _Lines(text)
    _refuse_several((value, whole) for value in values)
    return name, [
        _told(value, number, Place(path, lines.line_of(value)))
        for number, value in enumerate(values, start=1)
    ]


def _is_lattice(found: object) -> bool:
    return isinstance(found, dict) and ("schema" in found or {"tokens", "nodes"} <= found.keys())


def _lattices(found: dict[str, Any], path: str) -> list[Lattice]:
    """Return the lattice of an object, or those that one object holds."""
    from bitext.formats.lattices.reading import lattice_of

    if found.get("schema") != SEVERAL:
        return [lattice_of(found, path=path)]
    held = found.get("clusters")
    if not isinstance(held, list) or not held:
        raise FormatError(f'has "clusters" {shown(held)}; want a list of lattices', path=path)
    return [lattice_of(one, path=f"{path} cluster {k}") for k, one in enumerate(held, start=1)]


def _read_lines(path: str, text: str) -> list[Told]:
    """Read a sentence a line."""
    found: list[Told] = []
    read: list[tuple[object, Place]] = []
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        place = Place(path, number)
        try:
            value = parsed(line, place.error)
        except json.JSONDecodeError as error:
            raise _no_json(path, error, number) from None
        if _is_lattice(value) or (isinstance(value, dict) and "sentences" in value):
            raise place.error(
                "is a cluster by itself; want a sentence a line, or one cluster a file"
            )
        found.append(_told(value, len(found) + 1, place))
        read.append((value, place))
    _refuse_several(read)
    return found


def _refuse_several(values: Iterable[tuple[object, Place]]) -> None:
    """Refuse sentences that say that they are of several clusters."""
    first: dict[str, object] = {}
    for value, place in values:
        for key, held in value.items() if isinstance(value, dict) else ():
            if not _WHICH.fullmatch(key) or first.setdefault(key, held) == held:
                continue
            raise place.error(
                f'has sentences with "{key:.40}" {shown(first[key])} and {shown(held)}; want one '
                f"cluster a file"
            )


def _no_json(path: str, error: json.JSONDecodeError, line: int | None = None) -> FormatError:
    return FormatError(
        f"is not JSON: {error.msg}; want a cluster, a list of sentences, or a sentence a line",
        path=path,
        line=line or error.lineno,
        column=error.colno,
    )


def _told(value: object, number: int, place: Place) -> Told:
    """Check the types of what is told of a sentence."""
    name = f"sentence {number}"
    if isinstance(value, str):
        return Told(name, place, text=_text(value, name, "text", place))
    if not isinstance(value, dict):
        raise place.error(f"{name} is {shown(value)}; want a text or an object")
    known = _name(value.get("id"), name, place)
    name = name if known is None else f"sentence {known!r}"
    _check_keys(value, _OF_SENTENCE, name, place)
    found = {
        key: None if value.get(key) is None else _text(value[key], name, key, place)
        for key in ("text", "tree", "source")
    }
    tokens = value.get("tokens")
    if tokens is not None:
        if not isinstance(tokens, list) or not tokens:
            raise place.error(f'{name} has "tokens" {shown(tokens)}; want a list of words')
        tokens = [_text(token, name, "tokens", place) for token in tokens]
    if tokens is None and found["text"] is None and found["tree"] is None:
        raise place.error(f'{name} has no "text"; want text, tokens or tree')
    tree = None if found["tree"] is None else _tree(found["tree"], name, place)
    return Told(name, place, found["text"], tokens, tree, id=known, source=found["source"])


def _text(value: object, name: str, key: str, place: Place) -> str:
    if not isinstance(value, str):
        raise place.error(f'{name} has {shown(value)} in "{key}"; want a text')
    wrong = unfit(value)
    if wrong:
        raise place.error(f'{name} has {wrong} in "{key}"; leave it out')
    if not value.strip():
        raise place.error(f'{name} has nothing in "{key}"; leave it out, or give its words')
    return value


def _name(value: object, what: str, place: Place) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise place.error(f"{what} has the id {shown(value)}; want a text or a whole number")
    return _text(str(value), what, "id", place)


def _tree(text: str, name: str, place: Place) -> Tree:
    try:
        return parse_tree(text)
    except FormatError as error:
        column = "" if error.column is None else f" at character {error.column}"
        raise place.error(f"the tree of {name}{column}: {error.message}") from None


def _check_keys(found: dict[str, Any], known: Iterable[str], name: str, place: Place) -> None:
    """Refuse a key that looks like one that is known and not there."""
    lacking = [key for key in known if key not in found]
    for key in found:
        near = "" if key in known else nearest(key.lower(), lacking, cutoff=0.75)
        if near:
            raise place.error(f'{name} has "{key:.40}"; did you mean "{near}"?')


class _Lines:
    """Finds the lines that the sentences stand in, one after another."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at, self._line = 0, 1

    def line_of(self, value: object) -> int | None:
        """Return the line of the next sentence, or None where it is spelled in another way."""
        if isinstance(value, dict):
            value = next((value[key] for key in ("tree", "text", "id") if value.get(key)), None)
        spelled = {json.dumps(value, ensure_ascii=ascii_) for ascii_ in (False, True)}
        places = [place for each in spelled if (place := self._text.find(each, self._at)) >= 0]
        if value is None or not places:
            self._text = ""
            return None
        self._line += self._text.count("\n", self._at, min(places))
        self._at = min(places) + 1
        return self._line
