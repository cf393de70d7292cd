"""Lattices in JSON, schema `bitext.cluster/1`: all that a lattice holds, one node or arc a line.

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
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.model import Lattice, Sentence, Token, Tree

__all__ = ["SCHEMA", "json_of", "object_of"]

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
