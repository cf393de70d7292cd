"""Lattices in GraphML, as graph programs read it.

Nodes have `form`, `pos` and `members` ("0:2 3:1": word 2 of sentence 0 and word 1 of sentence 3,
from 0), arcs `weight` (the number of sentences that take them) and `sentences` ("0 3"). The graph
has `id`, `start` and `accept` (the ids of these nodes) and `names`, the names of the sentences as a
JSON list. The form is also the label of the node as yEd draws it. A control character that XML
cannot hold is an error.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bitext.formats.lattice_xml import check_characters
from bitext.formats.xml_escapes import escape, escape_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.model import Lattice

__all__ = ["graphml_of"]

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xmlns:y="http://www.yworks.com/xml/graphml"
    xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns \
http://www.yworks.com/xml/schema/graphml/1.1/ygraphml.xsd">
"""
_KEYS = (
    ("graph", "id", "string"),
    ("graph", "start", "string"),
    ("graph", "accept", "string"),
    ("graph", "names", "string"),
    ("node", "form", "string"),
    ("node", "pos", "string"),
    ("node", "members", "string"),
    ("edge", "weight", "int"),
    ("edge", "sentences", "string"),
)


def graphml_of(lattice: Lattice) -> Iterator[str]:
    """Yield the file in parts."""
    check_characters(lattice, "graphml")
    yield _HEAD
    for domain, name, kind in _KEYS:
        yield (
            f'  <key id="{domain}-{name}" for="{domain}" attr.name="{name}" attr.type="{kind}"/>\n'
        )
    yield '  <key id="node-drawing" for="node" yfiles.type="nodegraphics"/>\n'
    yield '  <graph id="lattice" edgedefault="directed">\n'
    cluster = lattice.cluster
    if cluster.id is not None:
        yield _data("graph-id", cluster.id)
    yield _data("graph-start", f"n{lattice.start}")
    yield _data("graph-accept", f"n{lattice.accept}")
    yield _data("graph-names", json.dumps(cluster.names, ensure_ascii=False))
    for node in range(len(lattice)):
        yield _node(lattice, node)
    ends = zip(lattice.arcs.tail.tolist(), lattice.arcs.head.tolist(), strict=True)
    for k, (tail, head) in enumerate(ends):
        who = lattice.arcs.sentences.row(k).tolist()
        yield (
            f'    <edge id="e{k}" source="n{tail}" target="n{head}">\n'
            f"  {_data('edge-weight', str(len(who)))}"
            f"  {_data('edge-sentences', ' '.join(map(str, who)))}"
            f"    </edge>\n"
        )
    yield "  </graph>\n</graphml>\n"


def _data(key: str, value: str) -> str:
    return f'    <data key="{key}">{escape(value)}</data>\n'


def _node(lattice: Lattice, node: int) -> str:
    form, pos = lattice.form(node), lattice.pos(node)
    members = " ".join(f"{sentence}:{word}" for sentence, word in lattice.members(node))
    width = 20 + 8 * max(1, len(form))
    shape = "roundrectangle" if members else "ellipse"
    return (
        f'    <node id="n{node}">\n'
        f"  {_data('node-form', form)}"
        f"  {_data('node-pos', pos)}"
        f"  {_data('node-members', members)}"
        f'      <data key="node-drawing"><y:ShapeNode>'
        f'<y:Geometry height="30" width="{escape_value(str(width))}" x="0" y="0"/>'
        f'<y:NodeLabel>{escape(form)}</y:NodeLabel><y:Shape type="{shape}"/>'
        f"</y:ShapeNode></data>\n"
        f"    </node>\n"
    )
