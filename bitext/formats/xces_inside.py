"""What stands inside of links: word links, and targets as elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.safexml import local_name
from bitext.formats.xces_group import WordLink
from bitext.formats.xces_locators import RANGE, targets

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from bitext.formats.opening import Source
    from bitext.formats.xces_group import Group

__all__ = ["look_inside"]

_HREFS = ("{http://www.w3.org/1999/xlink}href", "href")


def look_inside(
    source: Source, group: Group, link: Element, line: int
) -> tuple[str | None, list[WordLink]]:
    """Return the targets that elements `align` name, if any, and the word links; note others.

    Raises
    ------
    FormatError
        When a locator is of another kind than is read, unless bad units are collected; then the
        targets are empty.

    """
    kinds = [local_name(child) for child in link]
    named = None
    aligns = [child for child, kind in zip(link, kinds, strict=True) if kind == "align"]
    if aligns and link.get("xtargets") is None:
        hrefs = [_href(align) for align in aligns]
        named = targets(hrefs)
        if named is None:
            shown = ", ".join(repr(href[:60]) for href in hrefs[:3])
            source.refuse(
                f"has a link whose align elements are {shown}; want two, one a text, each with an "
                f"xlink:href as #s1 or #xpointer(id('s1')/range-to(id('s3')))",
                line,
            )
            named = ""
        group.ranged |= RANGE in named
    words = [
        WordLink(child.get("xtargets") or "", child.get("certainty") or "", line)
        for child, kind in zip(link, kinds, strict=True)
        if kind == "wordLink"
    ]
    others = [
        kind for kind in kinds if kind != "wordLink" and not (kind == "align" and named is not None)
    ]
    if others:
        first = f"{source.path} line {line}: {others[0]}"
        group.notes.add("elements inside links, left out", first, len(others))
    return named, words


def _href(align: Element) -> str:
    return next((value for key in _HREFS if (value := align.get(key)) is not None), "")
