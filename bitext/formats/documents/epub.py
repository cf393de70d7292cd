"""Books in EPUB, versions 2 and 3: the pages of their spine, in order.

Pages are read as those of HTML. Tables of contents (`nav`, or `toc` of the
guide of EPUB 2) are left out. A book whose pages are
encrypted (DRM) is refused; obfuscated fonts are of no concern.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError
from bitext.formats.documents.archive import Archive, resolve
from bitext.formats.documents.blocks import Document, walk
from bitext.formats.documents.html import HtmlReader, page_tree
from bitext.formats.xml.safe import local_name

if TYPE_CHECKING:
    from bitext.formats.io.source import Source

__all__ = ["read"]

_PAGES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")


def read(source: Source) -> Document:
    """Read a book."""
    archive = Archive(source)
    root = _package_name(archive)
    package = archive.tree(root)
    if package is None:
        raise source.error(f"has no member {root}, so it is no EPUB; get the book anew")
    encrypted = _encrypted(archive)
    items = {each.get("id"): each for each in _all(package, "item")}
    contents = {
        resolve(root, each.get("href") or "")
        for each in _all(package, "reference")
        if each.get("type") == "toc"
    }
    reader = HtmlReader()
    for reference in _all(package, "itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _PAGES:
            continue
        name = resolve(root, item.get("href") or "")
        if "nav" in (item.get("properties") or "").split() or name in contents:
            source.notes.add("tables of contents, left out", source.path)
            continue
        if name in encrypted:
            raise source.error(
                "is protected by a password or a system for rights (DRM): want a book without"
            )
        if name not in archive.names:
            source.notes.add("pages that a book names and does not have", f"{source.path}: {name}")
            continue
        _read_page(archive, name, reader)
    reader.tell(source)
    titles = [" ".join((each.text or "").split()) for each in _all(package, "title")]
    langs = [(each.text or "").strip() for each in _all(package, "language")]
    return Document(
        tuple(reader.builder.blocks),
        next(filter(None, langs), ""),
        next(filter(None, titles), ""),
    )


def _all(tree: Any, name: str) -> list[Any]:
    return [each for each in tree.iter() if isinstance(each.tag, str) and local_name(each) == name]


def _package_name(archive: Archive) -> str:
    container = archive.tree("META-INF/container.xml")
    for each in _all(container, "rootfile") if container is not None else ():
        return resolve("", each.get("full-path") or "")
    return next((name for name in sorted(archive.names) if name.endswith(".opf")), "content.opf")


def _encrypted(archive: Archive) -> set[str]:
    tree = archive.tree("META-INF/encryption.xml")
    references = _all(tree, "CipherReference") if tree is not None else []
    return {resolve("", each.get("URI") or "") for each in references}


def _read_page(archive: Archive, name: str, reader: HtmlReader) -> None:
    """Read a page as XML, or where it is not well-formed, as HTML."""
    try:
        root = archive.tree(name)
    except FormatError as error:
        if "is not well-formed" not in str(error):
            raise
        with archive.open(name) as page:
            root = page_tree(page, page.stream.read())
    if root is not None:
        walk(root, reader)
