"""Lattices in JSON, schema `bitext.cluster/1`: writing, and reading with all checks.

The file holds the complete lattice, with one node or arc on a line:

    {"schema": "bitext.cluster/1", "id": "milan",
     "sentences": [{"id": "a", "source": null, "text": "Milan burns"}, ...],
     "tokens": [["Milan", "burns"], ["It", "burns"]],
     "nodes": [{"id": 0, "form": "", "pos": "", "members": []},
               {"id": 1, "form": "Milan", "pos": "NNP", "members": [[0, 0]]}, ...],
     "start": 0, "accept": 4,
     "arcs": [[0, 1, [0]], ...],
     "pairs": [[[0, 1], [1, 1]], ...]}

A lattice that was just aligned has the options of the aligner as `signature`, below the schema.

Sentences and words count from 0. Members are [sentence, word]; an arc is [from, to, sentences],
and arcs go from lower to higher nodes. `form` and `pos` of a node are those of most of its words.

If any syntax is known, `syntax` has, for each sentence, `[pos, iob, trace]` for each word, or null.
The trace has a slash between its elements, as `I-S/B-NP`; if an element contains a slash or is
empty, the trace is a list. A sentence has its tree as `tree`, in brackets; a tree that brackets
cannot represent (a word with blanks or brackets) is `tree_nodes`, its arrays.

On reading, `tokens` and `nodes` are required; a missing `schema` stands for this one. Ids of nodes
may be any different integers or strings: nodes are renumbered. Missing `start` and `accept` are the
nodes without members that arcs only leave, or only enter; these nodes may be left out, with their
arcs. Redundant parts (arcs, forms, start and accept, pairs within one node) have to agree. Further
keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from bitext.errors import FormatError, InputError, many
from bitext.formats.io.source import Source
from bitext.formats.line_files import parsed, shown
from bitext.model import Cluster, Lattice, Sentence, Token, Tree

# Sentences, words and trees, checked one by one.

Place = tuple[int, int]


class Elements:
    """Checks the elements of a file; raises an error for the first that is wrong."""

    def __init__(self, path: str) -> None:
        self.path = path

    def fail(self, message: str) -> NoReturn:
        """Raise an error that names the file."""
        raise FormatError(message, path=self.path)

    def values(self, item: dict[str, Any], key: str, *, optional: bool = False) -> list[Any]:
        """Return the list under a key."""
        if optional and item.get(key) is None:
            return []
        if key not in item:
            self.fail(f'has no "{key}"; want tokens and nodes: get the whole of the file')
        value = item[key]
        if not isinstance(value, list):
            self.fail(f'"{key}" is {shown(value)}; want a list')
        return value

    def string(self, value: object, where: str) -> str:
        """Return the value if it is a string without half surrogate pairs."""
        if not isinstance(value, str):
            self.fail(f"{where} is {shown(value)}; want a text")
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fail(f"{where} has half of a surrogate pair; want whole characters")
        return value

    def strings(self, value: object, where: str) -> list[str]:
        """Return the value if it is a list of strings."""
        if not isinstance(value, list):
            self.fail(f"{where} is {shown(value)}; want a list of texts")
        return [self.string(each, f"{where}[{k}]") for k, each in enumerate(value)]

    def optional(self, item: dict[str, Any], key: str, where: str) -> str | None:
        """Return the string under a key, or None if there is none."""
        value = item.get(key)
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

    def cluster(self, item: dict[str, Any]) -> Cluster:
        """Build the cluster from the sentences, their words and their syntax."""
        forms = [
            self.strings(value, f"tokens[{k}]")
            for k, value in enumerate(self.values(item, "tokens"))
        ]
        columns: dict[str, list[Any]] = {}
        for key in ("sentences", "syntax"):
            columns[key] = self.values(item, key, optional=True) or [None] * len(forms)
            if len(columns[key]) != len(forms):
                self.fail(
                    f'"{key}" has {len(columns[key])} elements and "tokens" {len(forms)}; '
                    f"want one a sentence"
                )
        rows = zip(forms, columns["sentences"], columns["syntax"], strict=True)
        try:
            sentences = [self.sentence(k, *row) for k, row in enumerate(rows)]
            return Cluster(sentences, id=self.optional(item, "id", "the object"))
        except InputError as error:
            self.fail(str(error))

    def sentence(self, k: int, forms: list[str], item: object, syntax: object) -> Sentence:
        """Build sentence k from its words, its object in `sentences`, and its syntax."""
        where = f"sentences[{k}]"
        known = {} if item is None else item
        if not isinstance(known, dict):
            self.fail(f"{where} is {shown(item)}; want an object")
        try:
            return Sentence(
                self.tokens(k, forms, syntax),
                id=self.optional(known, "id", where),
                text=self.optional(known, "text", where),
                source=self.optional(known, "source", where),
                tree=self.tree(known, where),
            )
        except InputError as error:
            self.fail(f"{where}: {error}")

    def tokens(self, k: int, forms: list[str], syntax: object) -> list[Token]:
        """Return the words of sentence k with their syntax."""
        if syntax is None:
            return [Token(form) for form in forms]
        if not isinstance(syntax, list) or len(syntax) != len(forms):
            self.fail(
                f"syntax[{k}] is {shown(syntax)}; want one [pos, iob, trace] for each of "
                f"{many(len(forms), 'word')}"
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
        """Return the tree of a sentence, from brackets or from arrays."""
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


SCHEMA = "bitext.cluster/1"


def object_of(lattice: Lattice) -> dict[str, Any]:
    """Return a lattice as dictionaries and lists for JSON.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["It", "burns"], id="a")])
    >>> item = object_of(Lattice(c, [[0, 1]]))
    >>> item["tokens"], item["nodes"][1], item["arcs"]
    ([['It', 'burns']], {'id': 1, 'form': 'It', 'pos': '', 'members': [[0, 0]]},
     [[0, 1, [0]], [1, 2, [0]], [2, 3, [0]]])

    """
    cluster, arcs = lattice.cluster, lattice.arcs
    item: dict[str, Any] = {
        "schema": SCHEMA,
        "id": cluster.id,
        "sentences": [_sentence(sentence) for sentence in cluster],
        "tokens": [list(sentence.forms) for sentence in cluster],
    }
    syntax = [_syntax(sentence) for sentence in cluster]
    if any(syntax):
        item["syntax"] = syntax
    item["nodes"] = [
        {
            "id": node,
            "form": lattice.form(node),
            "pos": lattice.pos(node),
            "members": [list(place) for place in lattice.members(node)],
        }
        for node in range(len(lattice))
    ]
    item["start"], item["accept"] = lattice.start, lattice.accept
    ptr, who = arcs.sentences.ptr.tolist(), arcs.sentences.idx.tolist()
    ends = zip(arcs.tail.tolist(), arcs.head.tolist(), strict=True)
    item["arcs"] = [[tail, head, who[ptr[k] : ptr[k + 1]]] for k, (tail, head) in enumerate(ends)]
    item["pairs"] = [[list(one), list(other)] for one, other in lattice.pairs]
    return item


def json_of(lattice: Lattice, *, signature: str = "") -> Iterator[str]:
    """Yield a lattice in JSON, in parts, with the `signature` of its aligner if it is known."""
    item = object_of(lattice)
    if signature:
        item = {"schema": item.pop("schema"), "signature": signature, **item}
    yield from _spelled(item)


def _spelled(item: dict[str, Any]) -> Iterator[str]:
    """Yield the JSON of an object, with one element of its lists on a line."""
    before = "{"
    for key, value in item.items():
        yield f"{before}{_dumps(key)}: "
        before = ",\n "
        if isinstance(value, list) and value:
            inner = "[\n  "
            for element in value:
                yield inner + _dumps(element)
                inner = ",\n  "
            yield "\n ]"
        else:
            yield _dumps(value)
    yield "}\n"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _sentence(sentence: Sentence) -> dict[str, Any]:
    item: dict[str, Any] = {"id": sentence.id, "source": sentence.source, "text": sentence.text}
    if sentence.tree is not None:
        spelled = str(sentence.tree)
        if _comes_back(spelled, sentence.tree):
            item["tree"] = spelled
        else:
            tree = sentence.tree
            item["tree_nodes"] = {
                "labels": list(tree.labels),
                "parents": list(tree.parents),
                "forms": list(tree.forms),
            }
    return item


def _comes_back(spelled: str, tree: Tree) -> bool:
    from bitext.syntax.penn import parse_tree

    try:
        return parse_tree(spelled) == tree
    except (FormatError, InputError):
        return False


def _syntax(sentence: Sentence) -> list[list[Any]] | None:
    """Return part of speech, chunk and trace of each word; None if all are empty."""
    rows = [[token.pos, token.iob, _trace(token)] for token in sentence]
    return rows if any(any(row) for row in rows) else None


def _trace(token: Token) -> str | list[str]:
    if any("/" in element or not element for element in token.trace):
        return list(token.trace)
    return "/".join(token.trace)


def read_json(source: Source) -> Lattice:
    """Read the lattice of a file.

    Raises `FormatError` when the file is no JSON, or no lattice; with the line or the element.
    """
    try:
        item = parsed(source.text(), source.error)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"is not JSON: {error.msg}; want a lattice, as 'bitext cluster' writes it in json "
            f"(dot, graphml, tei and tsv are written only)",
            path=source.path,
            line=error.lineno,
            column=error.colno,
        ) from None
    return lattice_of(item, path=source.path)


def lattice_of(item: object, *, path: str) -> Lattice:
    """Build the lattice of an object of JSON.

    Raises `FormatError` when the object is not a lattice; the message names the element.

    `item` is an object as `object_of` returns it; `path` names the file in messages.
    """
    reader = _Graph(path)
    if not isinstance(item, dict):
        reader.fail(f"holds {shown(item)} where the object of a lattice is wanted")
    schema = item.get("schema")
    if schema is None and not item.keys() & {"tokens", "nodes"}:
        reader.fail("holds no lattice; want what 'bitext cluster FILE -o NAME.json' writes")
    if schema is not None and schema != SCHEMA:
        reader.fail(
            f"has the schema {shown(schema)}; want \"{SCHEMA}\", one lattice as 'bitext cluster' "
            f"writes it to .json"
        )
    cluster = reader.cluster(item)
    lengths = [len(sentence) for sentence in cluster]
    numbers, groups = reader.groups(reader.values(item, "nodes"), cluster)
    pairs = reader.pairs(reader.values(item, "pairs", optional=True), lengths, groups)
    try:
        lattice = Lattice(cluster, groups, pairs)
    except InputError as error:
        reader.fail(f"nodes: {error}")
    reader.check_arcs(item, numbers, groups, lattice)
    return lattice


class _Graph(Elements):
    """Checks nodes, pairs and arcs, and compares them with the paths of the sentences."""

    def groups(
        self, nodes: list[Any], cluster: Cluster
    ) -> tuple[dict[int | str, int], list[list[int]]]:
        """Return the index of the node of each id, and of the node of each word."""
        lengths = [len(sentence) for sentence in cluster]
        numbers: dict[int | str, int] = {}
        groups = [[-1] * length for length in lengths]  # -1: a word without node so far
        for k, node in enumerate(nodes):
            where = f"nodes[{k}]"
            if not isinstance(node, dict):
                self.fail(f"{where} is {shown(node)}; want an object")
            name: Any = node.get("id")
            if type(name) not in {int, str} or name in numbers:
                self.fail(
                    f"{where}.id is {shown(name)}; want a number or a text that no other node has"
                )
            numbers[name] = k
            members = node.get("members")
            if not isinstance(members, list):
                self.fail(f"{where}.members is {shown(members)}; want a list of [sentence, word]")
            forms = set()
            for m, value in enumerate(members):
                sentence, word = self.place(value, f"{where}.members[{m}]", lengths)
                if groups[sentence][word] >= 0:
                    other = nodes[groups[sentence][word]]["id"]
                    self.fail(
                        f"word {word} of sentence {sentence} is in the nodes {shown(other)} and "
                        f"{shown(name)}; want each word in one node"
                    )
                groups[sentence][word] = k
                forms.add(cluster[sentence][word].form)
            form = self.optional(node, "form", where)
            if form is not None and form not in (forms or {""}):
                self.fail(
                    f"{where}.form is {shown(form)}, which none of its words is; want the form of "
                    f"one, or none"
                )
        for sentence, row in enumerate(groups):
            if -1 in row:
                self.fail(
                    f"word {row.index(-1)} of sentence {sentence} is in no node; want each word in "
                    f"one node"
                )
        return numbers, groups

    def pairs(
        self, values: list[Any], lengths: list[int], groups: list[list[int]]
    ) -> list[tuple[Place, Place]]:
        out = []
        for k, value in enumerate(values):
            where = f"pairs[{k}]"
            if not isinstance(value, list) or len(value) != 2:
                self.fail(f"{where} is {shown(value)}; want two [sentence, word]")
            one = self.place(value[0], f"{where}[0]", lengths)
            other = self.place(value[1], f"{where}[1]", lengths)
            if groups[one[0]][one[1]] != groups[other[0]][other[1]]:
                self.fail(f"{where} is {shown(value)}, two words of different nodes; want one node")
            out.append((one, other))
        return out

    def check_arcs(
        self,
        item: dict[str, Any],
        numbers: dict[int | str, int],
        groups: list[list[int]],
        lattice: Lattice,
    ) -> None:
        """Compare start, accept and arcs with the paths of the sentences."""
        # The nodes of the lattice by the indices of those in the file.
        new = {
            number: node
            for row, path in enumerate(groups)
            for number, node in zip(path, lattice.path(row)[1:-1], strict=True)
        }
        self.ends(item, numbers, new, lattice)
        if item.get("arcs") is None:
            return
        listed = self.arcs(self.values(item, "arcs"), numbers, new)
        arcs, named = lattice.arcs, set(new.values())
        steps = zip(arcs.tail.tolist(), arcs.head.tolist(), strict=True)
        # Without a node for start or accept, the file has no arcs at that end.
        made = {
            (tail, head): arcs.sentences.row(k).tolist()
            for k, (tail, head) in enumerate(steps)
            if tail in named and head in named
        }
        old = {new[k]: name for name, k in numbers.items() if k in new}
        for tail, head in sorted(listed.keys() ^ made.keys()):
            known = "is there" if (tail, head) in listed else "is missing"
            self.fail(
                f"the arc from node {shown(old.get(tail))} to {shown(old.get(head))} {known}, "
                f"against the paths of the sentences; want one arc for each step, or no arcs"
            )
        for (tail, head), who in made.items():
            if listed[tail, head] != who:
                self.fail(
                    f"the arc from node {shown(old[tail])} to {shown(old[head])} has the "
                    f"sentences {listed[tail, head]!r:.40}, but {who!r:.40} take it; want those"
                )

    def ends(
        self,
        item: dict[str, Any],
        numbers: dict[int | str, int],
        new: dict[int, int],
        lattice: Lattice,
    ) -> None:
        """Add start and accept to the nodes `new`, as named or as inferred from the arcs."""
        if item.get("start") is not None and item.get("start") == item.get("accept"):
            self.fail(f'"start" and "accept" are both {shown(item["start"])}; want two nodes')
        bare = {name for name, number in numbers.items() if number not in new}
        for key, node in (("start", lattice.start), ("accept", lattice.accept)):
            name = item.get(key)
            if name is None:
                left, entered = _passed(item.get("arcs"), bare)
                only = left - entered if key == "start" else entered - left
                if len(only) == 1:
                    new[numbers[only.pop()]] = node
                continue
            if type(name) not in {int, str} or name not in bare:
                self.fail(f'"{key}" is {shown(name)}; want the id of a node without members')
            new[numbers[name]] = node

    def arcs(
        self, values: list[Any], numbers: dict[int | str, int], new: dict[int, int]
    ) -> dict[tuple[int, int], list[int]]:
        """Return the sentences of each arc by its two nodes in the lattice."""
        out: dict[tuple[int, int], list[int]] = {}
        for k, value in enumerate(values):
            if not (
                isinstance(value, list)
                and len(value) == 3
                and isinstance(value[2], list)
                and all(type(each) is int for each in value[2])
            ):
                self.fail(f"arcs[{k}] is {shown(value)}; want [from, to, [sentences]]")
            for name in value[:2]:
                if type(name) not in {int, str} or name not in numbers:
                    self.fail(f"arcs[{k}] names the node {shown(name)}; want the id of a node")
                if numbers[name] not in new:
                    self.fail(
                        f"arcs[{k}] names the node {shown(name)}, which has no words and is not "
                        f'"start" or "accept"; want these named, or the node left out'
                    )
            tail, head = (new[numbers[name]] for name in value[:2])
            if (tail, head) in out:
                self.fail(f"arcs[{k}] is {shown(value)}, between nodes of another arc; want one")
            out[tail, head] = sorted(value[2])
        return out


def _passed(arcs: object, names: set[int | str]) -> tuple[set[int | str], set[int | str]]:
    """Return the nodes among `names` that arcs leave, and those that arcs enter."""
    sound = [each for each in arcs if isinstance(each, list)] if isinstance(arcs, list) else []
    left, entered = (
        {arc[end] for arc in sound if len(arc) > end and type(arc[end]) in {int, str}}
        for end in (0, 1)
    )
    return left & names, entered & names
