"""A strict reader of the part of DOT that is written: digraphs of numbered nodes, no subgraphs."""

import re

_TOKEN = re.compile(
    r'\s*(?:(?P<name>[A-Za-z_][A-Za-z0-9_]*|-?\d+(?:\.\d+)?)|"(?P<text>(?:[^"\\\n]|\\.)*)"'
    r"|(?P<sign>->|[{}\[\];,=]))"
)
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"'}


def shown(text):
    """Return what Graphviz draws for an escString."""
    spelled = re.sub(r"\\(.)", lambda found: {"n": "\n", '"': '"', "\\": "\\"}[found[1]], text)
    return re.sub(r"&(\w+);", lambda found: _ENTITIES[found[1]], spelled)


def parse(source):
    """Return the name, the statements `name: {attribute: value}` and the arcs of a digraph."""
    reader = _Reader(source)
    if reader.name() != "digraph":
        raise ValueError("no digraph")
    name, nodes, arcs = reader.name(), {}, []
    reader.sign("{")
    while not reader.sees("}"):
        first = reader.name()
        if reader.sees("="):
            reader.sign("=")
            nodes[first] = reader.name()
        elif reader.sees("->"):
            reader.sign("->")
            arcs.append((int(first), int(reader.name()), reader.attributes()))
        else:
            nodes[first] = reader.attributes()
        reader.sign(";")
    reader.sign("}")
    if reader.left:
        raise ValueError(f"{reader.left[-1]} after the end")
    return name, nodes, arcs


class _Reader:
    """The tokens that are left, the next one last."""

    def __init__(self, source):
        self.left, at = [], 0
        while source[at:].strip():
            found = _TOKEN.match(source, at)
            if not found:
                raise ValueError(f"not DOT at {source[at : at + 20]!r}")
            kind = found.lastgroup
            self.left.append((kind, shown(found[kind]) if kind == "text" else found[kind]))
            at = found.end()
        self.left.reverse()

    def sees(self, sign):
        return self.left[-1] == ("sign", sign)

    def sign(self, wanted):
        if not self.sees(wanted):
            raise ValueError(f"want {wanted!r}, found {self.left[-1]!r}")
        self.left.pop()

    def name(self):
        kind, value = self.left.pop()
        if kind == "sign":
            raise ValueError(f"want a name, found {value!r}")
        return value

    def attributes(self):
        out = {}
        if not self.sees("["):
            return out
        self.sign("[")
        while not self.sees("]"):
            key = self.name()
            self.sign("=")
            if key in out:
                raise ValueError(f"{key} twice")
            out[key] = self.name()
            if not self.sees("]"):
                self.sign(",")
        self.sign("]")
        return out
