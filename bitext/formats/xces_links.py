"""The groups of links of an XCES file, in XML or SGML, as the file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitext.formats.prolog import read_prolog
from bitext.formats.regular import Pieces
from bitext.formats.safexml import local_name
from bitext.formats.xces_builder import Builder
from bitext.formats.xces_inside import look_inside
from bitext.formats.xces_quick import Quick
from bitext.formats.xces_sgml import is_sgml, tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.formats.xces_group import Group, WordLink

__all__ = ["read_groups"]

_ROOTS = {"cesalign", "cesdoc", "linkgrp", "linklist", "link"}
_SPELLING = {"fromdoc": "fromDoc", "todoc": "toDoc", "targtype": "targType"}


def read_groups(source: Source, cut: Callable[[Group], bool] | None = None) -> Iterator[Group]:
    """Yield the groups of links of a file, each when it is whole.

    Parameters
    ----------
    source : Source
        The file.
    cut : callable, optional
        Tells of a group that has become long whether it may be handed out in parts.

    Raises
    ------
    FormatError
        When the file is no alignment, or a link is broken; with the line.

    """
    head = source.head()
    root = read_prolog(head).name
    if root and root.lower() not in _ROOTS:
        raise source.error(_other_root(root))
    builder = Builder(source, cut, rooted=root.lower() == "linkgrp")
    found = False
    for group in _from_sgml(source, builder) if is_sgml(head) else _from_xml(source, builder):
        found = True
        yield group
    if not found:
        raise source.error("holds no linkGrp and no link; give the alignment, not a document of it")


def _other_root(root: str) -> str:
    if root == "liuAlign":
        return (
            "is a word alignment (liuAlign), not an alignment of sentences; give a file whose root "
            "element is cesAlign, cesDoc or linkGrp"
        )
    return f"has the root element {root[:40]!r}; want cesAlign, cesDoc or linkGrp with links in it"


def _from_xml(source: Source, builder: Builder) -> Iterator[Group]:
    pieces = Pieces(source, b"/>")
    quick = Quick(pieces, builder)
    yield from quick.groups()
    if not quick.done:
        yield from _parsed(source, builder, pieces, quick)
    yield from builder.flush()


def _parsed(source: Source, builder: Builder, pieces: Pieces, quick: Quick) -> Iterator[Group]:
    """Yield the groups of what the quick way leaves to the parser."""
    again = quick.again
    for event, element, line in pieces.rest(
        start=("cesAlign", "linkGrp", "translation"),
        end=("link", "linkGrp", "cesAlign"),
        inside=quick.inside,
    ):
        if event == "end" and element.tag.endswith("link"):
            yield from _link(source, builder, element, line)
            continue
        name = local_name(element)
        if name == "translation":
            builder.translation(dict(_attributes(element)))
        elif event == "end":
            yield from builder.close() if name == "linkGrp" else builder.flush()
        elif again:
            again -= 1  # begun before
        elif name == "linkGrp":
            yield from builder.open(dict(_attributes(element)), line)
        else:
            builder.share(dict(_attributes(element)))


def _link(source: Source, builder: Builder, element: Element, line: int) -> Iterator[Group]:
    """Take up a link that has ended."""
    attributes = _attributes(element)
    words: list[WordLink] = []
    if len(element):
        named, words = look_inside(source, builder.group(), element, line)
        if named == "":
            return  # refused
        if named is not None:
            attributes = [*attributes, ("xtargets", named)]
    builder.group().add(attributes, line, words)
    yield from builder.part()


def _attributes(element: Element) -> list[tuple[str, str]]:
    return cast("list[tuple[str, str]]", element.items())


def _from_sgml(source: Source, builder: Builder) -> Iterator[Group]:
    source.notes.add("alignments in SGML, not XML, read by their tags", source.path)
    for tag in tags(source):
        attributes = {_SPELLING.get(key, key): value for key, value in tag.attributes.items()}
        if tag.name == "link" and not tag.closes:
            builder.group().add(list(attributes.items()), tag.line)
            yield from builder.part()
        elif tag.name == "linkgrp":
            yield from builder.close()
            if not tag.closes:
                yield from builder.open(attributes, tag.line)
        elif tag.name == "cesalign" and not tag.closes:
            builder.share(attributes)
    yield from builder.flush()
