"""Reads lattices in JSON, and checks that they are what they say; see `lattice_json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError, InputError
from bitext.formats.json_objects import parsed
from bitext.formats.lattice_elements import Elements, Place, shown
from bitext.formats.lattice_json import SCHEMA
from bitext.model import Lattice

if TYPE_CHECKING:
    from bitext.formats.opening import Source
    from bitext.model import Cluster

__all__ = ["lattice_of", "read_json"]


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
