"""The elements of a TMX file, as a parser gives them, made tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.marks_flow import Token
from bitext.formats.safexml import line_of, local_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.formats.tmx_units import Builder, Header, Unit

__all__ = ["PARENTS", "WANTED", "foreign", "read_elements", "tokens"]

WANTED = {"start": ("tmx", "body"), "end": ("header", "tu")}
PARENTS = ("tmx", "body")  # of elements wanted, and of no others
_XML = "{http://www.w3.org/XML/1998/namespace}"


def read_elements(
    source: Source,
    builder: Builder,
    events: Iterable[tuple[str, Element, int]],
    header: Header,
    *,
    again: bool = False,
) -> Iterator[Unit]:
    """Yield the units of a file by the events of its parser; fill in its header.

    `again` tells that the header was read already, and comes again.
    """
    space, opened, inside = "", False, False
    for event, element, line in events:
        name = local_name(element)
        if event == "start":
            if name == "tmx" and not opened:
                space = _space(element)
                header.version = str(element.get("version", ""))
                opened = True
            inside = inside or (name == "body" and _space(element) == space)
            continue
        if not opened:
            break
        if name == "header":
            if not again and not inside and _space(element) == space:
                known = builder.header(tokens(element, space, line))
                known.version = header.version
                for field in known.__slots__:
                    setattr(header, field, getattr(known, field))
            continue
        if _space(element) != space:
            foreign(source, local_name(element), line)
            continue
        parent = element.getparent()
        if parent is not None and any(
            local_name(outer) == "tu" for outer in (parent, *parent.iterancestors())
        ):
            continue  # in another unit, which is refused when it ends
        unit = builder.unit(tokens(element, space, line))
        if unit is not None:
            yield unit
    if not opened:
        raise source.error("has no root element tmx; give a translation memory (TMX)")


def _space(element: Element) -> str:
    return str(element.tag).rpartition("}")[0]


def foreign(source: Source, name: str, line: int) -> None:
    """Note an element that is not read."""
    where = f"{source.path} line {line}: {name[:40]}"
    source.notes.add("elements that are not read, left out", where)


def tokens(element: Element, space: str, line: int) -> list[Token]:
    """Return the tokens of an element, from its start tag to its end tag.

    Names of elements in the namespace of the root come without it; `line` is that of the element,
    where the parser counts from another beginning than the file.
    """
    shift = line - (line_of(element) or line)
    prefix = f"{space}}}" if space else ""
    found: list[Token] = []
    opened: list[tuple[str, Element, Iterator[Element]]] = []
    part: Element | None = element
    while True:
        if part is not None:
            name = str(part.tag)
            name = name.removeprefix(prefix) if prefix else name
            attributes = {str(key).replace(_XML, "xml:"): str(value) for key, value in part.items()}
            found.append(Token("<", name, attributes, (line_of(part) or 0) + shift))
            if part.text:
                found.append(Token("", str(part.text), {}, 0))
            opened.append((name, part, iter(part)))
        name, outer, children = opened[-1]
        part = next(children, None)
        if part is None:
            found.append(Token(">", name, {}, 0))
            opened.pop()
            if not opened:
                return found
            if outer.tail:
                found.append(Token("", str(outer.tail), {}, 0))
