"""Random segments with inline marks, and independent extractions of XLIFF files, for tests."""

import xml.etree.ElementTree as ET

from hypothesis import strategies as st

from bitext.formats.xml.inline_codes import Piece, marked

TYPES = [
    "",
    "bold",
    "link",
    "lb",
    "x-html-b",
    "font face",
    "fmt/xlf:b",
    "ui/my:x",
    "seg",
    "segment",
]
XS = ["", "1", "2", "a b", "bitext.1", "_x20_", "é"]
native = st.sampled_from(["", "<b>", "a & b", "\t\n"])
FLOW = '&lt;i alt=<sub datatype="html">a <bpt i="9" x="7"/>b<ept i="9"/> <hi>c</hi></sub>&gt;'
words = st.sampled_from(["a", "b c", " ", "&<>\"'", "\t\n", "𝄞é"])


@st.composite
def contents(draw):
    """Draw the characters of a segment, and it with its marks (`None` without any)."""
    pieces, opened = [], []
    numbers = iter(draw(st.sampled_from([(1, 2, 3, 4, 5), (4, 2, 5, 1, 3)])))
    for _ in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from(["text", "text", "bpt", "ept", "it", "ph", "hi", "/hi"]))
        if kind == "text":
            pieces.append(Piece("text", draw(words)))
        elif kind in {"ept", "/hi"}:
            known = [held for held in opened if (held == "hi") == (kind == "/hi")]
            if known:
                i = draw(st.sampled_from(known))
                opened.remove(i)
                pieces.append(Piece(kind, draw(native), {"i": i}) if i != "hi" else Piece(kind))
        else:
            i = str(next(numbers)) if kind == "bpt" else ""
            pieces.append(_beginning(draw, kind, i))
            opened += {"bpt": [i], "hi": ["hi"]}.get(kind, [])
    pieces += [
        Piece("/hi") if held == "hi" else Piece("ept", draw(native), {"i": held})
        for held in reversed(opened)
    ]
    plain = "".join(piece.text for piece in pieces if piece.kind == "text")
    if all(piece.kind == "text" for piece in pieces):
        return plain, None
    return plain, marked(pieces)


def _beginning(draw, kind, i):
    """Draw a code, or the beginning of a highlight."""
    told = {"x": draw(st.sampled_from(XS)), "type": draw(st.sampled_from(TYPES))}
    if kind == "bpt":
        told = {"i": i} | told
    elif kind == "it":
        told = {"pos": draw(st.sampled_from(["begin", "end"]))} | told
    elif kind == "ph":
        assoc = draw(st.sampled_from(["", "p", "f", "b", "other"]))
        told = {"x": told["x"], "assoc": assoc, "type": told["type"]}
    attributes = {name: value for name, value in told.items() if value}
    if kind == "hi":
        return Piece(kind, "", attributes)
    if draw(st.integers(0, 5)) == 0:
        return Piece(kind, "<i alt=>", attributes, FLOW)
    return Piece(kind, draw(native), attributes)


def _local(element):
    return element.tag.rpartition("}")[2]


def tree(path):
    """Parse a file with the parser of the standard library, local names only."""
    root = ET.fromstring(path.read_bytes())
    for element in root.iter():
        element.tag = _local(element)
    return root


def text_of(element, codes):
    """Return the text of an element without that of codes, slowly."""
    if element is None:
        return None
    parts = [element.text or ""]
    for child in element:
        if child.tag == "cp":
            parts.append(chr(int(child.get("hex"), 16)))
        elif child.tag not in codes:
            parts.append(text_of(child, codes))
        parts.append(child.tail or "")
    return "".join(parts)
