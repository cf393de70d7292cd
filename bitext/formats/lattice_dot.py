"""Lattices and automata in DOT, the language of Graphviz, drawn from left to right.

The label of a node is its form, its tooltip the part of speech and the places of its words
(sentence and word, from 1). An arc has the number of its sentences as `weight`, a line as wide as
that number asks, and the names of the sentences (their number where there are more than three) as
its label. Quotes, backslashes and what Graphviz would take for an entity are escaped; a line end in
a word is one in the label. A control character of another kind, which Graphviz cannot draw, is
shown by its picture (U+2400 and on).
"""

from __future__ import annotations

import re
from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.model import Lattice

__all__ = ["automaton_dot", "dot_of", "quoted"]

_ENTITY = re.compile(r"&(?=#?\w+;)")
_SPELLED: dict[int, int | str] = {
    **{code: 0x2400 + code for code in range(0x20)},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    ord("\\"): "\\\\",
    ord('"'): '\\"',
    ord("\n"): "\\n",
    ord("\t"): " ",
}
_MOST_NAMES = 3


def quoted(text: str) -> str:
    r"""Spell a text so that Graphviz draws it as it is.

    Examples
    --------
    >>> print(quoted('say "no" \\ &amp; go'))
    "say \"no\" \\ &amp;amp; go"

    """
    return f'"{_ENTITY.sub("&amp;", text).translate(_SPELLED)}"'


def dot_of(lattice: Lattice) -> Iterator[str]:
    """Yield the file in parts."""
    cluster = lattice.cluster
    names = cluster.names
    yield from _head(cluster.id or "lattice", "box, style=rounded")
    for node in range(len(lattice)):
        if node in {lattice.start, lattice.accept}:
            shape = "circle" if node == lattice.start else "doublecircle"
            yield f'  {node} [label="", shape={shape}, style=solid, width=0.2];\n'
            continue
        places = ", ".join(f"{names[s]}:{word + 1}" for s, word in lattice.members(node))
        tip = f"{lattice.pos(node)} {places}".strip()
        yield f"  {node} [label={quoted(lattice.form(node))}, tooltip={quoted(tip)}];\n"
    ends = zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist(), strict=True)
    for k, (tail, head) in enumerate(ends):
        who = lattice.arcs.sentences.row(k).tolist()
        few = len(who) <= _MOST_NAMES
        label = ", ".join(names[s] for s in who) if few else str(len(who))
        yield (
            f"  {tail} -> {head} [weight={len(who)}, penwidth={1 + log2(len(who)):.2f}, "
            f"label={quoted(label)}];\n"
        )
    yield "}\n"


def automaton_dot(
    states: int, accepting: Iterable[int], arcs: Iterable[tuple[int, int, str]]
) -> Iterator[str]:
    """Yield an automaton in parts: states from 0, the start, and (from, to, word) arcs."""
    yield from _head("automaton", 'circle, label="", width=0.2')
    final = set(accepting)
    for state in range(states):
        yield f"  {state} [shape=doublecircle];\n" if state in final else f"  {state};\n"
    for tail, head, word in arcs:
        yield f"  {tail} -> {head} [label={quoted(word)}];\n"
    yield "}\n"


def _head(name: str, shape: str) -> Iterator[str]:
    yield f"digraph {quoted(name)} {{\n  rankdir=LR;\n  node [shape={shape}];\n"
    yield "  edge [color=gray40];\n"
