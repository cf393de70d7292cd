"""Inline marks of a segment, in the one vocabulary that all formats translate from and to.

`Text.marked` holds a segment with its marks as XML: the content of a TMX 1.4 `seg`, without line
ends other than those of the text. What may stand in it:

| mark | attributes | content |
| --- | --- | --- |
| `bpt`, `ept` | `i` joins the two; `bpt` also `x`, `type` | native code: begins, ends a pair |
| `it` | `pos` (`begin`, `end`), `x`, `type` | native code: half of a pair, the other is elsewhere |
| `ph` | `x`, `assoc`, `type` | native code that stands alone |
| `hi` | `x`, `type` | text of the segment, with marks in it |
| `sub` | `datatype`, `type` | within code only: a flow of its own, with marks in it |

The characters of the segment are its own and those in `hi`. `&`, `<` and `>` are escaped; a mark
without content is written `<ph x="1"/>`.

`pieces` takes such XML apart, without recursion, and `marked` puts it together again: `text`,
codes with their native code, and `hi` and `/hi` where highlighting begins and ends. Native code
with flows in it has `inner`, its XML; `flows` gives their texts, `cut` parts a joined segment.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import InputError
from bitext.formats.regular import unescape
from bitext.formats.xml_escapes import escape, escape_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = [
    "ALLOWED",
    "CODES",
    "LOST_ATTRIBUTES",
    "LOST_ELEMENTS",
    "Piece",
    "attributes_of",
    "cut",
    "flows",
    "marked",
    "pieces",
    "plain",
    "tag",
]

CODES = ("bpt", "ept", "it", "ph")
# Kinds of notes on what readers do not keep, which is as lost as what a writer does not.
LOST_ATTRIBUTES = "attributes of codes and marks, left out"
LOST_ELEMENTS = (
    "elements that mark parts of segments (hi, ref, ...), of which only the text is read"
)
ALLOWED: Mapping[str, tuple[str, ...]] = {
    "bpt": ("i", "x", "type"),
    "ept": ("i",),
    "it": ("pos", "x", "type"),
    "ph": ("x", "assoc", "type"),
    "hi": ("x", "type"),
    "sub": ("datatype", "type"),
}

_Token = tuple[str, str, "Mapping[str, str]", bool, bool]

_NONE: Mapping[str, str] = MappingProxyType({})
_TOKEN = re.compile(r"(<(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>)")
_TAG = re.compile(r"<(/?)(bpt|ept|it|ph|hi|sub)((?:[^<>\"'/]|\"[^\"<]*\"|'[^'<]*')*)(/?)>")
_NAME = r"[ \t\n]+([A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?)"
_ATTRIBUTE = re.compile(_NAME + r"[ \t\n]*=[ \t\n]*(?:\"([^\"<]*)\"|'([^'<]*)')")
_ATTRIBUTES = re.compile(rf"(?:{_ATTRIBUTE.pattern})*[ \t\n]*")
_PLAIN_VALUES = '(?: [a-z]+="[^"<>]*")*'
_SIMPLE = re.compile(rf"<(bpt|ept|it|ph){_PLAIN_VALUES}(?:/>|>[^<>]*</\1>)")
_HI = re.compile(rf"<hi{_PLAIN_VALUES}/?>|</hi>")


class Piece(NamedTuple):
    """A part of a segment with marks.

    Attributes
    ----------
    kind : str
        `text`; `bpt`, `ept`, `it`, `ph`: a code; `hi` and `/hi`: highlighting begins, ends.
    text : str
        The characters of a text; the native code of a code, without the texts of flows in it.
    attributes : mapping of str to str
        Those of the mark.
    inner : str
        The content of a code as XML, where there are flows (`sub`) in it; else empty.

    """

    kind: str
    text: str = ""
    attributes: Mapping[str, str] = _NONE
    inner: str = ""


def tag(name: str, attributes: Mapping[str, str], *, empty: bool = False) -> str:
    """Return a start tag, or the tag of an element without content.

    Examples
    --------
    >>> tag("ph", {"x": "1"}, empty=True)
    '<ph x="1"/>'

    """
    values = "".join(f' {key}="{escape_value(value)}"' for key, value in attributes.items())
    return f"<{name}{values}{'/' if empty else ''}>"


def attributes_of(written: str) -> dict[str, str] | None:
    r"""Return the attributes of a start tag, given what stands behind its name.

    `None` where that is not well-formed: an attribute stands twice, or is not in quotes.

    Examples
    --------
    >>> attributes_of(" i='1' type=\"a&amp;b\"")
    {'i': '1', 'type': 'a&b'}

    """
    if not _ATTRIBUTES.fullmatch(written):
        return None
    found = _ATTRIBUTE.findall(written)
    values = {
        name: unescape((double or single).replace("\n", " ").replace("\t", " "))
        for name, double, single in found
    }
    return values if len(values) == len(found) else None


def plain(xml: str) -> str:
    """Return the characters of a segment with marks: without codes and their flows.

    Examples
    --------
    >>> plain('A <bpt i="1">&lt;b&gt;</bpt><hi>R&amp;D</hi><ept i="1"/>.')
    'A R&D.'

    """
    if "<sub" not in xml:
        text = _HI.sub("", _SIMPLE.sub("", xml))
        if "<" not in text:
            return unescape(text)
    return "".join(piece.text for piece in pieces(xml) if piece.kind == "text")


def pieces(xml: str) -> Iterator[Piece]:
    """Yield the pieces of a segment with marks, in order.

    Raises
    ------
    InputError
        When it is not well-formed, or has other marks than those of the vocabulary.

    Examples
    --------
    >>> for piece in pieces('A<ph x="1">&lt;br/&gt;</ph> <hi>b</hi>'):
    ...     print(piece.kind, repr(piece.text), dict(piece.attributes))
    text 'A' {}
    ph '<br/>' {'x': '1'}
    text ' ' {}
    hi '' {}
    text 'b' {}
    /hi '' {}

    """
    tokens = _tokens(xml)
    depth = 0  # of highlighting
    for token, name, attributes, closes, empty in tokens:
        if not name:
            yield Piece("text", unescape(token))
        elif closes:
            depth -= 1
            if name != "hi" or depth < 0:
                raise _broken(xml, f"an end tag </{name}> that nothing begins")
            yield Piece("/hi")
        elif name == "sub":
            raise _broken(xml, "<sub> outside of code")
        elif name == "hi":
            yield Piece("hi", "", attributes)
            if empty:
                yield Piece("/hi")
            depth += not empty
        elif empty:
            yield Piece(name, "", attributes)
        else:
            yield _code(xml, name, attributes, tokens)
    if depth:
        raise _broken(xml, "<hi> without an end tag")


def _code(xml: str, name: str, attributes: Mapping[str, str], tokens: Iterator[_Token]) -> Piece:
    """Take the tokens of a code up to its end tag."""
    opened: list[str] = [name]
    inner: list[str] = []
    native: list[str] = []
    for token, other, _, closes, empty in tokens:
        if not other:
            native.append(token if len(opened) == 1 else "")
        elif closes:
            if opened.pop() != other:
                raise _broken(xml, f"an end tag </{other}> that nothing begins")
            if not opened:
                has_flows = any(part.startswith("<") for part in inner)
                inside = "".join(inner) if has_flows else ""
                return Piece(name, unescape("".join(native)), attributes, inside)
        elif not _may_stand(other, opened):
            raise _broken(xml, f"<{other}> where it may not stand")
        elif not empty:
            opened.append(other)
        inner.append(token)
    raise _broken(xml, f"<{opened[-1]}> without an end tag")


def _may_stand(name: str, opened: Sequence[str]) -> bool:
    """Tell whether a mark may begin: a flow within code, anything else outside of it."""
    return (name == "sub") == (opened[-1] in CODES)


def _tokens(xml: str) -> Iterator[_Token]:
    """Yield texts, and tags with name, attributes, whether they close, and close at once."""
    for k, token in enumerate(_TOKEN.split(xml)):
        if k % 2 == 0:
            if "<" in token:
                raise _broken(xml, "a < that is not escaped")
            if token:
                yield token, "", _NONE, False, False
            continue
        found = _TAG.fullmatch(token)
        attributes = attributes_of(found[3]) if found else None
        if found is None or attributes is None or (found[1] and (found[3].strip() or found[4])):
            raise _broken(xml, f"{token[:40]!r}, which is no mark of it")
        yield token, found[2], attributes, bool(found[1]), bool(found[4])


def _broken(xml: str, what: str) -> InputError:
    return InputError(
        f"the segment with marks {xml[:60]!r} has {what}; want the content of a TMX seg: text, "
        f"bpt, ept, it, ph and hi"
    )


def marked(pieces: Iterable[Piece]) -> str:
    """Return a segment with marks, of its pieces: as `pieces` yields them, or newly made.

    Attributes that the vocabulary does not have, or that are empty and may be left out, are.

    Raises
    ------
    InputError
        When a piece is of no known kind.

    Examples
    --------
    >>> marked([Piece("text", "a "), Piece("ph", "<br>", {"x": "1", "id": "7"}), Piece("hi")])
    'a <ph x="1">&lt;br&gt;</ph><hi>'

    """
    parts = []
    for kind, text, attributes, inner in pieces:
        if kind == "text":
            parts.append(escape(text))
        elif kind == "/hi":
            parts.append("</hi>")
        elif kind in ALLOWED and kind != "sub":
            kept = {name: value for name, value in attributes.items() if name in ALLOWED[kind]}
            content = inner or escape(text)
            if kind == "hi":
                parts.append(tag(kind, kept))
            elif content:
                parts.append(f"{tag(kind, kept)}{content}</{kind}>")
            else:
                parts.append(tag(kind, kept, empty=True))
        else:
            raise InputError(f"a piece is of the kind {kind!r}: want text, a code, hi or /hi")
    return "".join(parts)


def flows(inner: str) -> list[str]:
    """Return the characters of each flow (`sub`) in the content of a code, outer before inner.

    Examples
    --------
    >>> flows('&lt;img alt="<sub>a <ph x="1">(<sub>very</sub>)</ph>dog</sub>"&gt;')
    ['a dog', 'very']

    """
    found: list[list[str]] = []
    opened: list[tuple[str, int]] = []  # names, and for a flow its number
    for token, name, _, closes, empty in _tokens(inner):
        if not name:
            around = next((entry for entry in reversed(opened) if entry[0] != "hi"), ("", 0))
            if around[0] == "sub":
                found[around[1]].append(unescape(token))
        elif closes:
            if opened:
                opened.pop()
        else:
            if name == "sub":
                found.append([])
            if not empty:
                opened.append((name, len(found) - 1))
    return ["".join(parts) for parts in found]


def cut(xml: str, lengths: Sequence[int]) -> list[str] | None:
    """Part a segment with marks that was joined by blanks, by the lengths of its parts.

    `None` where no blank stands between the parts, or one stands in `hi`.

    Examples
    --------
    >>> cut('a<ph x="1"/> bc', [1, 2])
    ['a<ph x="1"/>', 'bc']

    """
    parts: list[list[Piece]] = [[]]
    left, depth = list(lengths[::-1]), 0
    for piece in pieces(xml):
        depth += (piece.kind == "hi") - (piece.kind == "/hi")
        text = piece.text
        while piece.kind == "text" and text:
            if left and left[-1] == 0 and len(left) > 1:
                if text[0] != " " or depth:
                    return None
                left.pop()
                parts.append([])
                text = text[1:]
                continue
            size = left[-1] if left else 0
            if not size:
                return None
            parts[-1].append(Piece("text", text[:size]))
            left[-1] -= len(text[:size])
            text = text[size:]
        if piece.kind != "text":
            parts[-1].append(piece)
    if left != [0]:
        return None
    return [marked(part) for part in parts]
