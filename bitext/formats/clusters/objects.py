"""Clusters in JSON: an object with its sentences, a list of sentences, or one sentence per line.

    {"id": "ferry", "sentences": [
      {"id": "s1", "source": "a.txt", "text": "A ferry burned.",
       "tokens": ["A", "ferry", "burned", "."], "tree": "(S (NP ...) ...)"},
      "It burned."]}

A sentence is a string, or an object with at least one of `text`, `tokens` and `tree`; in JSON lines
too. An object with `schema`, or with `tokens` and `nodes`, is a lattice (`lattices.reading`), whose
sentences are read; one with `schema` and `clusters` holds several. Further keys are ignored, but a
likely misspelling of a missing key is an error, and so are sentences with different values of a key
such as `cluster` or `event_id`, since they belong to several clusters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bitext.errors import FormatError, InputError, nearest
from bitext.formats.line_files import parsed, shown, split_lines, unfit
from bitext.model import Lattice, Sentence, Token, Tree
from bitext.syntax.columns import folded, spelled_in
from bitext.syntax.conversion import annotate, without_empty
from bitext.syntax.penn import parse_tree, unescape
from bitext.syntax.tokenizer import tokenize

# The words of a sentence come from its text, its tokens or its tree, which have to agree.
#
# Text is compared with the tree, and with the tokens, without white space; tokens and tree are
# compared word by word. Different spellings of punctuation and brackets are equal
# (`bitext.syntax.columns`), and so is case between text and tokens.

_WIDTH = 40  # characters of a word in a message


@dataclass(frozen=True, slots=True)
class Location:
    """The file and line of a sentence or its tree, for messages."""

    path: str
    line: int | None = None

    def error(self, message: str) -> FormatError:
        """Return an error with this location."""
        return FormatError(message, path=self.path, line=self.line)


@dataclass(frozen=True, slots=True)
class SentenceRecord:
    """A sentence as read from a file, before its text, tokens and tree are compared."""

    name: str  # its name in messages
    place: Location
    text: str | None = None
    tokens: Sequence[str] | None = None
    tree: Tree | None = None
    tree_place: Location | None = None  # the location of the tree, if it is in another file
    id: str | None = None
    source: str | None = None
    analysed: Sentence | None = None  # the complete sentence, from a file of columns


def sentence_of(record: SentenceRecord, *, aux: bool = True) -> Sentence:
    """Build a sentence from its record.

    Its words are the tokens if there are any, else the leaves of the tree as spelled in the text,
    else the tokens of the tokenizer.

    Raises `FormatError` when there are no words, or two of text, tokens and tree disagree.
    """
    try:
        if record.tokens is not None and record.text is not None:
            _check_text(record, record.tokens, record.text)
        if record.tree is not None:
            return _with_tree(record, record.tree, aux=aux)
        if record.analysed is not None:
            return record.analysed
        if record.tokens is not None:
            words = [unescape(token) for token in record.tokens]
        else:
            words = tokenize(record.text or "")
        return Sentence(words, id=record.id, text=record.text, source=record.source)
    except InputError as error:
        raise record.place.error(str(error)) from None


def _with_tree(record: SentenceRecord, tree: Tree, *, aux: bool) -> Sentence:
    place = record.tree_place or record.place
    visible = without_empty(tree)
    if visible is None:
        raise place.error(
            f"the tree of {record.name} has no words, but empty elements: leave it out"
        )
    tokens = annotate(tree, aux=aux)
    leaves = [token.form for token in tokens]
    given = record.tokens if record.analysed is None else record.analysed.forms
    if given is not None:
        words = _over_tokens(record, place, leaves, given)
    elif record.text is not None:
        words = _over_text(record, place, leaves, record.text)
    else:
        words = leaves
    return Sentence(
        [
            Token(word, token.pos, token.iob, token.trace)
            for word, token in zip(words, tokens, strict=True)
        ],
        id=record.id,
        text=record.text,
        source=record.source,
        tree=visible,
    )


def _over_tokens(
    record: SentenceRecord, place: Location, leaves: Sequence[str], tokens: Sequence[str]
) -> list[str]:
    """Return the tokens; refuse a tree with other leaves."""
    words = [unescape(token) for token in tokens]
    for k, (leaf, word) in enumerate(zip(leaves, words, strict=False)):  # lengths: below
        if leaf != word and folded(leaf) != folded(word):
            raise place.error(
                f"word {k + 1} of {record.name} is {word!r:.{_WIDTH}}, and {leaf!r:.{_WIDTH}} in "
                f"its tree{_elsewhere(record)}: want the tree of these words"
            )
    if len(leaves) != len(words):
        k = min(len(leaves), len(words))
        more, which = (leaves, "its tree") if len(leaves) > len(words) else (words, "the sentence")
        raise place.error(
            f"{record.name} has {len(words)} words and its tree {len(leaves)}{_elsewhere(record)}, "
            f"{which} goes on with {more[k]!r:.{_WIDTH}}: want the tree of these words"
        )
    return words


def _over_text(
    record: SentenceRecord, place: Location, leaves: Sequence[str], text: str
) -> list[str]:
    """Return the leaves as spelled in the text; refuse a text with other words."""
    words, rest = spelled_in(leaves, text)
    if len(words) < len(leaves):
        goes_on = f"goes on with {rest!r:.{_WIDTH}}" if rest else "has ended"
        raise place.error(
            f"word {len(words) + 1} of the tree of {record.name} is "
            f"{leaves[len(words)]!r:.{_WIDTH}}, where the text{_elsewhere(record)} {goes_on}: "
            f"want the tree of this text"
        )
    if rest:
        raise place.error(
            f"the tree of {record.name} ends with word {len(leaves)}, where the text"
            f"{_elsewhere(record)} goes on with {rest!r:.{_WIDTH}}: want the tree of this text"
        )
    return words


def _check_text(record: SentenceRecord, tokens: Sequence[str], text: str) -> None:
    """Refuse tokens that differ from the text."""
    words, rest = spelled_in([unescape(token) for token in tokens], text, case=False)
    if len(words) < len(tokens):
        goes_on = f"goes on with {rest!r:.{_WIDTH}}" if rest else "has ended"
        raise record.place.error(
            f"word {len(words) + 1} of {record.name} is {tokens[len(words)]!r:.{_WIDTH}}, where "
            f"its text {goes_on}: want the words of this text, or give one of the two"
        )
    if rest:
        raise record.place.error(
            f"{record.name} ends with word {len(tokens)}, where its text goes on with "
            f"{rest!r:.{_WIDTH}}: want the words of this text, or give one of the two"
        )


def _elsewhere(record: SentenceRecord) -> str:
    """Return the location of the sentence in parentheses, if its tree is in another file."""
    if record.tree_place is None:
        return ""
    line = "" if record.place.line is None else f" line {record.place.line}"
    return f" ({record.place.path}{line})"


CLUSTERS_SCHEMA = "bitext.clusters/1"

_CLUSTER_KEYS = ("id", "sentences")
CLUSTER_NAME = re.compile(r"(?:cluster|event)(?:[_-]?(?:id|name|label))?", re.IGNORECASE)
_SENTENCE_KEYS = ("id", "source", "text", "tokens", "tree")


def read_objects(text: str, path: str) -> list[Lattice] | tuple[str | None, list[SentenceRecord]]:
    """Read lattices, or the id of a cluster and the records of its sentences.

    Raises `FormatError` when the text is no JSON, or no cluster, with the line.

    `path` names the file in messages.
    """
    whole = Location(path)
    try:
        value = parsed(text, whole.error)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise _no_json(path, error) from None
        return None, _read_lines(path, text)
    if _is_lattice(value):
        return _lattices(value, path)
    name = None
    values = [value] if isinstance(value, str) else value
    if isinstance(value, dict):
        _check_keys(value, _CLUSTER_KEYS, "the object", whole)
        if "sentences" in value:
            name = _name(value.get("id"), "the cluster", whole)
            values = value["sentences"]
        elif any(key in value for key in ("text", "tokens", "tree")):
            values = [value]
        else:
            raise whole.error('has no "sentences"; want {"sentences": [...]} or a list of them')
    if not isinstance(values, list):
        raise whole.error(f'has "sentences" {shown(values)}; want a list')
    lines = LineFinder(text)
    _refuse_several((value, whole) for value in values)
    return name, [
        _record(value, number, Location(path, lines.line_of(value)))
        for number, value in enumerate(values, start=1)
    ]


def _is_lattice(value: object) -> bool:
    return isinstance(value, dict) and ("schema" in value or {"tokens", "nodes"} <= value.keys())


def _lattices(value: dict[str, Any], path: str) -> list[Lattice]:
    """Return the lattice of an object, or the several lattices of an object with `clusters`."""
    from bitext.formats.lattices.reading import lattice_of

    if value.get("schema") != CLUSTERS_SCHEMA:
        return [lattice_of(value, path=path)]
    clusters = value.get("clusters")
    if not isinstance(clusters, list) or not clusters:
        raise FormatError(f'has "clusters" {shown(clusters)}; want a list of lattices', path=path)
    return [lattice_of(one, path=f"{path} cluster {k}") for k, one in enumerate(clusters, start=1)]


def _read_lines(path: str, text: str) -> list[SentenceRecord]:
    """Read JSON lines, a sentence on each."""
    records: list[SentenceRecord] = []
    read: list[tuple[object, Location]] = []
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        place = Location(path, number)
        try:
            value = parsed(line, place.error)
        except json.JSONDecodeError as error:
            raise _no_json(path, error, number) from None
        if _is_lattice(value) or (isinstance(value, dict) and "sentences" in value):
            raise place.error(
                "is a cluster by itself; want a sentence a line, or one cluster a file"
            )
        records.append(_record(value, len(records) + 1, place))
        read.append((value, place))
    _refuse_several(read)
    return records


def _refuse_several(values: Iterable[tuple[object, Location]]) -> None:
    """Refuse sentences with different names of their cluster."""
    first: dict[str, object] = {}
    for value, place in values:
        for key, name in value.items() if isinstance(value, dict) else ():
            if not CLUSTER_NAME.fullmatch(key) or first.setdefault(key, name) == name:
                continue
            raise place.error(
                f'has sentences with "{key:.40}" {shown(first[key])} and {shown(name)}; want one '
                f"cluster a file, or a table (TSV, CSV) with a column {key:.40}"
            )


def _no_json(path: str, error: json.JSONDecodeError, line: int | None = None) -> FormatError:
    return FormatError(
        f"is not JSON: {error.msg}; want a cluster, a list of sentences, or a sentence a line",
        path=path,
        line=line or error.lineno,
        column=error.colno,
    )


def _record(value: object, number: int, place: Location) -> SentenceRecord:
    """Check the types of a sentence in JSON; return its record."""
    name = f"sentence {number}"
    if isinstance(value, str):
        return SentenceRecord(name, place, text=_text(value, name, "text", place))
    if not isinstance(value, dict):
        raise place.error(f"{name} is {shown(value)}; want a text or an object")
    known = _name(value.get("id"), name, place)
    name = name if known is None else f"sentence {known!r}"
    _check_keys(value, _SENTENCE_KEYS, name, place)
    strings = {
        key: None if value.get(key) is None else _text(value[key], name, key, place)
        for key in ("text", "tree", "source")
    }
    tokens = value.get("tokens")
    if tokens is not None:
        if not isinstance(tokens, list) or not tokens:
            raise place.error(f'{name} has "tokens" {shown(tokens)}; want a list of words')
        tokens = [_text(token, name, "tokens", place) for token in tokens]
    if tokens is None and strings["text"] is None and strings["tree"] is None:
        raise place.error(f'{name} has no "text"; want text, tokens or tree')
    tree = None if strings["tree"] is None else _tree(strings["tree"], name, place)
    return SentenceRecord(
        name, place, strings["text"], tokens, tree, id=known, source=strings["source"]
    )


def _text(value: object, name: str, key: str, place: Location) -> str:
    if not isinstance(value, str):
        raise place.error(f'{name} has {shown(value)} in "{key}"; want a text')
    wrong = unfit(value)
    if wrong:
        raise place.error(f'{name} has {wrong} in "{key}"; leave it out')
    if not value.strip():
        raise place.error(f'{name} has nothing in "{key}"; leave it out, or give its words')
    return value


def _name(value: object, owner: str, place: Location) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise place.error(f"{owner} has the id {shown(value)}; want a text or a whole number")
    return _text(str(value), owner, "id", place)


def _tree(text: str, name: str, place: Location) -> Tree:
    try:
        return parse_tree(text)
    except FormatError as error:
        column = "" if error.column is None else f" at character {error.column}"
        raise place.error(f"the tree of {name}{column}: {error.message}") from None


def _check_keys(value: dict[str, Any], known: Iterable[str], name: str, place: Location) -> None:
    """Refuse a key that is likely a misspelling of a known, missing one."""
    lacking = [key for key in known if key not in value]
    for key in value:
        near = "" if key in known else nearest(key.lower(), lacking, cutoff=0.75)
        if near:
            raise place.error(f'{name} has "{key:.40}"; did you mean "{near}"?')


class LineFinder:
    """Finds the lines of sentences in a text of JSON, one after another."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at, self._line = 0, 1

    def line_of(self, value: object) -> int | None:
        """Return the line of the next sentence, or None if its spelling differs."""
        if isinstance(value, dict):
            value = next((value[key] for key in ("tree", "text", "id") if value.get(key)), None)
        spelled = {json.dumps(value, ensure_ascii=ascii_) for ascii_ in (False, True)}
        offsets = [offset for each in spelled if (offset := self._text.find(each, self._at)) >= 0]
        if value is None or not offsets:
            self._text = ""
            return None
        self._line += self._text.count("\n", self._at, min(offsets))
        self._at = min(offsets) + 1
        return self._line
