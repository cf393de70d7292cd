"""Reads lattices in JSON, and checks that they are what they say; see `lattice_json`.

Lattices in JSON, schema `bitext.cluster/1`: all that a lattice holds, one node or arc a line.

    {"schema": "bitext.cluster/1", "id": "milan",
     "sentences": [{"id": "a", "source": null, "text": "Milan burns"}, ...],
     "tokens": [["Milan", "burns"], ["It", "burns"]],
     "nodes": [{"id": 0, "form": "", "pos": "", "members": []},
               {"id": 1, "form": "Milan", "pos": "NNP", "members": [[0, 0]]}, ...],
     "start": 0, "accept": 4,
     "arcs": [[0, 1, [0]], ...],
     "pairs": [[[0, 1], [1, 1]], ...]}

Sentences and words count from 0. Members are [sentence, word]; an arc is [from, to, sentences],
and arcs go from lower to higher nodes. `form` and `pos` of a node are those of most of its words.

Where something is known of the syntax, `syntax` has, for each sentence, `[pos, iob, trace]` for
each word, or null. The trace has a stroke between its elements, as `I-S/B-NP`; if one of them holds
a stroke itself or is empty, it is a list. A sentence has its tree as `tree`, in brackets; a tree
that would not come back so (a word with blanks or brackets) is `tree_nodes`, its arrays.

On reading, `tokens` and `nodes` have to be there; without `schema`, it is this one. Ids of nodes
may be any different whole numbers or strings: nodes are numbered anew. Where `start` and `accept`
are not named, they are the nodes without members that arcs only leave, and only enter; they may be
left out, with their arcs. What the file says twice (arcs, forms, start and accept, pairs within one
node) has to agree. Keys that are not named here are left aside.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from bitext.errors import FormatError, InputError
from bitext.formats.json_objects import parsed
from bitext.model import Cluster, Lattice, Sentence, Token, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.io.source import Source

__all__ = [
    "SCHEMA",
    "Elements",
    "Place",
    "json_of",
    "lattice_of",
    "object_of",
    "read_json",
    "shown",
]


# The elements of lattices in JSON: sentences, words and trees, checked one by one.

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


SCHEMA = "bitext.cluster/1"


def object_of(lattice: Lattice) -> dict[str, Any]:
    """Return what the file holds, as dictionaries and lists.

    Examples
    --------
    >>> from bitext.model import Cluster, Lattice, Sentence
    >>> c = Cluster([Sentence(["It", "burns"], id="a")])
    >>> found = object_of(Lattice(c, [[0, 1]]))
    >>> found["tokens"], found["nodes"][1], found["arcs"]
    ([['It', 'burns']], {'id': 1, 'form': 'It', 'pos': '', 'members': [[0, 0]]},
     [[0, 1, [0]], [1, 2, [0]], [2, 3, [0]]])

    """
    cluster, arcs = lattice.cluster, lattice.arcs
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "id": cluster.id,
        "sentences": [_sentence(sentence) for sentence in cluster],
        "tokens": [list(sentence.forms) for sentence in cluster],
    }
    syntax = [_syntax(sentence) for sentence in cluster]
    if any(syntax):
        found["syntax"] = syntax
    found["nodes"] = [
        {
            "id": node,
            "form": lattice.form(node),
            "pos": lattice.pos(node),
            "members": [list(place) for place in lattice.members(node)],
        }
        for node in range(len(lattice))
    ]
    found["start"], found["accept"] = lattice.start, lattice.accept
    ptr, who = arcs.sentences.ptr.tolist(), arcs.sentences.idx.tolist()
    ends = zip(arcs.tail.tolist(), arcs.head.tolist(), strict=True)
    found["arcs"] = [[tail, head, who[ptr[k] : ptr[k + 1]]] for k, (tail, head) in enumerate(ends)]
    found["pairs"] = [[list(one), list(other)] for one, other in lattice.pairs]
    return found


def json_of(lattice: Lattice) -> Iterator[str]:
    """Yield the file in parts."""
    yield from _spelled(object_of(lattice))


def _spelled(found: dict[str, Any]) -> Iterator[str]:
    """Write an object with one element of its lists a line."""
    before = "{"
    for key, value in found.items():
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
    found: dict[str, Any] = {
        "id": sentence.id,
        "source": sentence.source,
        "text": sentence.text,
    }
    if sentence.tree is not None:
        spelled = str(sentence.tree)
        if _comes_back(spelled, sentence.tree):
            found["tree"] = spelled
        else:
            tree = sentence.tree
            found["tree_nodes"] = {
                "labels": list(tree.labels),
                "parents": list(tree.parents),
                "forms": list(tree.forms),
            }
    return found


def _comes_back(spelled: str, tree: Tree) -> bool:
    from bitext.syntax.penn import parse_tree

    try:
        return parse_tree(spelled) == tree
    except (FormatError, InputError):
        return False


def _syntax(sentence: Sentence) -> list[list[Any]] | None:
    """Return part of speech, chunk and trace of each word; None where nothing is known."""
    found = [[token.pos, token.iob, _trace(token)] for token in sentence]
    return found if any(any(word) for word in found) else None


def _trace(token: Token) -> str | list[str]:
    if any("/" in element or not element for element in token.trace):
        return list(token.trace)
    return "/".join(token.trace)


def read_json(source: Source) -> Lattice:
    """Read the lattice of a file.

    Raises
    ------
    FormatError
        When it is no JSON, or no lattice; with the line or the element.

    """
    try:
        found = parsed(source.text(), source.error)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"is not JSON: {error.msg}; want a lattice, as 'bitext cluster' writes it in json "
            f"(dot, graphml, tei and tsv are written only)",
            path=source.path,
            line=error.lineno,
            column=error.colno,
        ) from None
    return lattice_of(found, path=source.path)


def lattice_of(found: object, *, path: str) -> Lattice:
    """Make the lattice of what a file holds.

    Parameters
    ----------
    found : object
        What `lattice_json.object_of` gives: dictionaries, lists, strings and numbers.
    path : str
        The file, for messages.

    Raises
    ------
    FormatError
        When it is no lattice; the message names the element.

    """
    reader = _Graph(path)
    if not isinstance(found, dict):
        reader.fail(f"holds {shown(found)} where the object of a lattice is wanted")
    schema = found.get("schema")
    if schema is None and not found.keys() & {"tokens", "nodes"}:
        reader.fail("holds no lattice; want what 'bitext cluster FILE -o NAME.json' writes")
    if schema is not None and schema != SCHEMA:
        reader.fail(
            f"has the schema {shown(schema)}; want \"{SCHEMA}\", one lattice as 'bitext cluster' "
            f"writes it to .json"
        )
    cluster = reader.cluster(found)
    lengths = [len(sentence) for sentence in cluster]
    numbers, groups = reader.groups(reader.values(found, "nodes"), cluster)
    pairs = reader.pairs(reader.values(found, "pairs", optional=True), lengths, groups)
    try:
        lattice = Lattice(cluster, groups, pairs)
    except InputError as error:
        reader.fail(f"nodes: {error}")
    reader.check_arcs(found, numbers, groups, lattice)
    return lattice


class _Graph(Elements):
    """Takes nodes, pairs and arcs, and holds them against the paths of the sentences."""

    def groups(
        self, nodes: list[Any], cluster: Cluster
    ) -> tuple[dict[int | str, int], list[list[int]]]:
        """Return the number of each id, and the number of the node of each word."""
        lengths = [len(sentence) for sentence in cluster]
        numbers: dict[int | str, int] = {}
        groups = [[-1] * length for length in lengths]
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
        found: dict[str, Any],
        numbers: dict[int | str, int],
        groups: list[list[int]],
        lattice: Lattice,
    ) -> None:
        """Hold start, accept and arcs against the paths of the sentences."""
        # The nodes of the file, as the lattice numbers them.
        new = {
            number: node
            for row, path in enumerate(groups)
            for number, node in zip(path, lattice.path(row)[1:-1], strict=True)
        }
        self.ends(found, numbers, new, lattice)
        if found.get("arcs") is None:
            return
        told = self.arcs(self.values(found, "arcs"), numbers, new)
        arcs, named = lattice.arcs, set(new.values())
        steps = zip(arcs.tail.tolist(), arcs.head.tolist(), strict=True)
        # Where the file has no node for start or accept, it has no arcs there either.
        made = {
            (tail, head): arcs.sentences.row(k).tolist()
            for k, (tail, head) in enumerate(steps)
            if tail in named and head in named
        }
        old = {new[k]: name for name, k in numbers.items() if k in new}
        for tail, head in sorted(told.keys() ^ made.keys()):
            known = "is there" if (tail, head) in told else "is missing"
            self.fail(
                f"the arc from node {shown(old.get(tail))} to {shown(old.get(head))} {known}, "
                f"against the paths of the sentences; want one arc for each step, or no arcs"
            )
        for (tail, head), who in made.items():
            if told[tail, head] != who:
                self.fail(
                    f"the arc from node {shown(old[tail])} to {shown(old[head])} has the "
                    f"sentences {told[tail, head]!r:.40}, but {who!r:.40} take it; want those"
                )

    def ends(
        self,
        found: dict[str, Any],
        numbers: dict[int | str, int],
        new: dict[int, int],
        lattice: Lattice,
    ) -> None:
        """Add start and accept to the nodes that are known, as named or as the arcs tell them."""
        if found.get("start") is not None and found.get("start") == found.get("accept"):
            self.fail(f'"start" and "accept" are both {shown(found["start"])}; want two nodes')
        bare = {name for name, number in numbers.items() if number not in new}
        for key, node in (("start", lattice.start), ("accept", lattice.accept)):
            name = found.get(key)
            if name is None:
                left, entered = _passed(found.get("arcs"), bare)
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
        """Return the sentences of each arc, by the nodes of the lattice."""
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
    """Return which of some nodes are left by arcs, and which are entered."""
    sound = [each for each in arcs if isinstance(each, list)] if isinstance(arcs, list) else []
    left, entered = (
        {arc[end] for arc in sound if len(arc) > end and type(arc[end]) in {int, str}}
        for end in (0, 1)
    )
    return left & names, entered & names
