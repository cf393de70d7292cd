"""Validating XML files: against the schemas that ship with the package, or one that is given.

Shipped are schemas of our own for formats whose makers left none that may be passed on, or only a
DTD: TMX 1.4 (level 1 and 2), XCES links, mALIGNa. They say what the formats' own definitions say
of elements and attributes.

An XML schema (`.xsd`) is applied as the file is read, so memory does not grow with the file. A
RelaxNG schema (`.rng`) or a DTD (`.dtd`) needs the whole tree of the file in memory. A schema may
include others from its own folder; nothing is fetched.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, OptionError
from bitext.formats.opening import open_source
from bitext.formats.safexml import admit, tree_parser, validating_parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.opening import Source

__all__ = ["shipped", "validate"]

_FOLDER = Path(__file__).parent / "schema"
_SHIPPED = {"tmx": "tmx14.xsd", "xces": "cesalign.xsd", "maligna": "maligna.xsd"}
_PIECE = 1 << 20
_MOST = 1000  # findings of one file


def shipped(name: str) -> str | None:
    """Return the path of the schema that ships for a format; `None` where none does."""
    return str(_FOLDER / _SHIPPED[name]) if name in _SHIPPED else None


def validate(path: str, schema: str) -> Iterator[tuple[int | None, str]]:
    """Yield the line and the message of each place where an XML file is not valid.

    A file that is not well-formed yields nothing more from there: its reader says so.

    Raises
    ------
    InputError
        When the schema is not there or is none.
    OptionError
        When its name tells no kind of schema.

    """
    from lxml import etree

    kind = Path(schema).suffix.lower()
    if kind not in {".xsd", ".rng", ".dtd"}:
        raise OptionError(f"{schema}: its name tells no kind of schema: want .xsd, .rng or .dtd")
    with open_source(schema) as source:  # raises when it is not there
        data = source.stream.read()
    try:
        if kind == ".dtd":
            import io

            validator: Any = etree.DTD(io.BytesIO(data))
        else:
            tree = etree.ElementTree(etree.fromstring(data, tree_parser(), base_url=schema))
            validator = etree.XMLSchema(tree) if kind == ".xsd" else etree.RelaxNG(tree)
    except etree.LxmlError as error:
        raise InputError(f"{schema}: is no schema that can be used: {error}") from None
    yield from _errors(path, validator, as_it_is_read=kind == ".xsd")


def _errors(path: str, validator: Any, *, as_it_is_read: bool) -> Iterator[tuple[int | None, str]]:
    from lxml import etree

    with open_source(path) as source:
        # With entities in the text libxml2 crashes when it validates as it reads: then by the tree.
        prolog = admit(source)
        if as_it_is_read and "<!ENTITY" not in prolog.doctype:
            yield from _line_by_line(source, validator)
            return
        try:
            tree = etree.parse(source.stream, tree_parser())
        except etree.XMLSyntaxError:
            return
        validator.validate(tree)
        for entry in list(validator.error_log)[:_MOST]:
            yield entry.line or None, entry.message


def _line_by_line(source: Source, validator: Any) -> Iterator[tuple[int, str]]:
    """Validate as the file is read: what comes up with a line is on it, for no log tells lines."""
    from lxml import etree

    parser = validating_parser(validator)
    told, number, whole = 0, 0, True
    for line in _lines(source):
        number += whole
        whole = line.endswith(b"\n")
        try:
            parser.feed(line)
        except etree.XMLSyntaxError:
            return
        log = parser.feed_error_log
        if len(log) > told:
            for entry in list(log)[told:]:
                if entry.domain_name == "SCHEMASV":
                    yield number, entry.message
            told = len(log)
            if told > _MOST:
                return
        for _, element in parser.read_events():
            element.clear(keep_tail=True)
            parent = element.getparent()
            while parent is not None and element.getprevious() is not None:
                del parent[0]


def _lines(source: Source) -> Iterator[bytes]:
    """Yield the bytes of each line, of a long one in pieces."""
    while line := source.stream.readline(_PIECE):
        yield line
