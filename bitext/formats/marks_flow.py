"""From what a file has within a segment to marks in the vocabulary of `marks`.

A file is taken as tokens (start tags, end tags, texts); who makes them does not matter. What TMX
has comes out as it is. What it does not have is made something that it has, and told:

| found | becomes |
| --- | --- |
| `ut` | `ph` |
| `bpt`, `ept` without `i` | `it`: the other half is not known |
| `it` without `pos` | `ph` |
| `sub` outside of code (TMX 1.1) | `ph` with the `sub` in it |
| another element with content, as `a` of HTML or `g` of XLIFF | `bpt`, `ept` with its tags whole |
| another element without content, as `br` or `x` | `ph` with its tag whole as native code |
| `hi`, or a code without content, with attributes that TMX does not have | likewise |
| an element within native code, but for `sub` | native code, tags and all |
| attributes of others that TMX does not have | left out, which is a loss |
| `bpt` or `ept` without the other half, or two by one `i` | the same, as it stands |
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from bitext.formats.code_pairs import odd_pairs
from bitext.formats.marks import ALLOWED, CODES, LOST_ATTRIBUTES, tag
from bitext.formats.xml_escapes import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["FLOWS", "Token", "flow"]

FLOWS = "flows within codes (sub), whose text is kept with the marks only"


class Token(NamedTuple):
    """A start tag, an end tag or a text of a file.

    Attributes
    ----------
    what : {"<", ">", ""}
        Which of them, in this order.
    name : str
        The name of the element, or the characters of a text.
    attributes : mapping of str to str
        Those of a start tag.
    line : int
        The line of a start tag.

    """

    what: str
    name: str
    attributes: Mapping[str, str]
    line: int


class _Open(NamedTuple):
    """An element that is open: what ends it, and whether native code stands in it."""

    end: str
    codes: int
    native: bool


def flow(tokens: Sequence[Token], odd: Callable[[str, str], None]) -> tuple[str, str | None]:
    """Return the characters of a segment, and the segment with its marks if it has any.

    Parameters
    ----------
    tokens : sequence of Token
        The content of the segment.
    odd : callable
        Takes the kind of what is odd, and the case.

    """
    if not any(token.what for token in tokens):
        return "".join(token.name for token in tokens), None
    out: list[str] = []
    plain: list[str] = []
    opened = [_Open("", 0, native=False)]
    numbers = _free_numbers(tokens)
    for k, token in enumerate(tokens):
        top = opened[-1]
        if not token.what:
            out.append(escape(token.name))
            if not top.codes:
                plain.append(token.name)
        elif token.what == ">":
            opened.pop()
            out.append(top.end)
        else:
            content = tokens[k + 1].what != ">"
            start, entry = _begun(token, top, numbers, content=content, odd=odd)
            out.append(start)
            opened.append(entry)
    xml = "".join(out)
    for kind, case in odd_pairs(xml):
        odd(kind, case)
    return "".join(plain), xml


def _free_numbers(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the numbers that join no pair of the segment so far."""
    taken = {token.attributes.get("i") for token in tokens if token.name in {"bpt", "ept"}}
    return (str(k) for k in count(1) if str(k) not in taken)


def _begun(
    token: Token,
    top: _Open,
    numbers: Iterator[str],
    *,
    content: bool,
    odd: Callable[[str, str], None],
) -> tuple[str, _Open]:
    """Return the start tag of a mark as it is written, and its entry on the stack."""
    name = token.name
    if name == "sub":
        odd(FLOWS, "sub")
        start = tag("sub", _kept(token, "sub", odd))
        if top.native:
            return start, _Open("</sub>", top.codes, native=False)
        odd(_NOT_THERE, "sub outside of code")
        return f"<ph>{start}", _Open("</sub></ph>", top.codes + 1, native=False)
    if top.native:
        odd(_NOT_THERE, f"{name} within code")
        end = escape(f"</{_local(name)}>") if content else ""
        return escape(_whole(token, empty=not content)), _Open(end, top.codes, native=True)
    known = name in CODES or name in {"hi", "ut"}
    if known and (_fits(token) or (content and name != "hi")):
        if name == "hi":
            start = tag("hi", token.attributes)
            return start, _Open("</hi>", top.codes, native=False)
        name, attributes = _code(token, odd)
        start = tag(name, attributes, empty=not content)
        return start, _Open(f"</{name}>" if content else "", top.codes + 1, native=True)
    if known:
        odd(_FOREIGN_ATTRIBUTES, f"{name} {_other(token)}")
    else:
        odd("elements within segments that TMX does not have, kept as codes with their tags", name)
    code = escape(_whole(token, empty=not content))
    if not content:
        return f"<ph>{code}", _Open("</ph>", top.codes + 1, native=True)
    i = next(numbers)
    end = f'<ept i="{i}">{escape(f"</{_local(name)}>")}</ept>'
    return f'<bpt i="{i}">{code}</bpt>', _Open(end, top.codes, native=False)


def _whole(token: Token, *, empty: bool) -> str:
    """Return a start tag with all that it says, its namespaces among it."""
    space, _, local = token.name.rpartition("}")
    attributes = {"xmlns": space[1:]} if space else {}
    for key, value in token.attributes.items():
        space, _, name = key.rpartition("}")
        if space:
            prefix = f"ns{len(attributes)}"
            attributes[f"xmlns:{prefix}"] = space[1:]
            name = f"{prefix}:{name}"
        attributes[name] = value
    return tag(local, attributes, empty=empty)


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _fits(token: Token) -> bool:
    """Tell whether TMX has all attributes of a mark."""
    return token.attributes.keys() <= set(ALLOWED["ph" if token.name == "ut" else token.name])


def _other(token: Token) -> str:
    """Return the first attribute of a mark that TMX does not have."""
    allowed = ALLOWED["ph" if token.name == "ut" else token.name]
    return _local(next(key for key in token.attributes if key not in allowed))


_FOREIGN_ATTRIBUTES = "marks with attributes that TMX does not have, kept as codes with their tags"
_NOT_THERE = "marks where TMX does not have them, put right"


def _code(token: Token, odd: Callable[[str, str], None]) -> tuple[str, Mapping[str, str]]:
    """Return the name and the attributes that a code gets."""
    name = "ph" if token.name == "ut" else token.name
    missing = {"bpt": "i", "ept": "i", "it": "pos"}.get(name, "")
    kept = _kept(token, name, odd)
    if not missing or (missing in kept and (name != "it" or kept["pos"] in {"begin", "end"})):
        return name, kept
    odd("codes without the attribute that TMX wants, made others", f"{name} without {missing}")
    kept = {key: value for key, value in kept.items() if key not in {"i", "pos"}}
    if name == "it":
        return "ph", kept
    return "it", {"pos": "begin" if name == "bpt" else "end", **kept}


def _kept(token: Token, name: str, odd: Callable[[str, str], None]) -> Mapping[str, str]:
    allowed = ALLOWED[name]
    if all(key in allowed for key in token.attributes):
        return token.attributes
    other = next(key for key in token.attributes if key not in allowed)
    odd(LOST_ATTRIBUTES, f"{name} {_local(other)}")
    return {key: value for key, value in token.attributes.items() if key in allowed}
