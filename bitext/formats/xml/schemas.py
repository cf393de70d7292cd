"""Validating XML files against the schemas that ship with the package, or against a given one.

The package has its own schemas for formats without a redistributable one, or with only a DTD: TMX
1.4 (level 1 and 2), XCES links, mALIGNa. The schemas follow the definitions of the formats.

An XML schema (`.xsd`) is applied as the file is read, so memory does not grow with the file. A
RelaxNG schema (`.rng`) or a DTD (`.dtd`) needs the whole tree of the file in memory. A schema may
include others from its own folder and the folders in it; any other file is refused, even if a link
in the folder leads to it, and nothing is fetched from the network.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.io.source import Source, open_source
from bitext.formats.xml.safe import (
    ParsedTree,
    admit,
    checking_parser,
    tree_parser,
    validating_parser,
)

_FOLDER = Path(__file__).parent / "schema"
_SHIPPED = {"tmx": "tmx14.xsd", "xces": "cesalign.xsd", "maligna": "maligna.xsd"}
_GIVEN = "bitext:given"  # name of a document type that the user gives
_RELAX_NG = "http://relaxng.org/ns/structure/1.0"
_WEB = ("http://", "https://", "ftp://")
_BLOCK = 1 << 16  # bytes that are validated at once, as long as there is no fault; set by hand
_PIECE = 1 << 20  # bytes of a piece of a long line
MOST_FAULTS = 1000  # faults reported of one file: with more, the log of lxml takes quadratic time


def shipped(name: str) -> str | None:
    """Return the path of the schema that ships for a format; `None` without one."""
    return str(_FOLDER / _SHIPPED[name]) if name in _SHIPPED else None


def validate(path: str, schema: str) -> Iterator[tuple[int | None, str]]:
    """Yield the line and the message of each place where an XML file is invalid.

    Validation ends where a file is not well-formed; the reader of the format reports that. It also
    ends after one place more than `MOST_FAULTS`, which shows that there are more.

    Raises `InputError` when the schema is missing or invalid, and `OptionError` when the suffix of
    its name is no kind of schema.
    """
    from lxml import etree

    kind = Path(schema).suffix.lower()
    if kind not in {".xsd", ".rng", ".dtd"}:
        raise OptionError(
            f"{schema}: its name does not show the kind of schema: want .xsd, .rng or .dtd"
        )
    with open_source(schema) as source:  # raises when the file is missing
        data = source.stream.read()
    try:
        validator = _validator(kind, data, schema)
    except etree.LxmlError as error:
        raise InputError(f"{schema}: is not a usable schema: {error}") from None
    yield from islice(_errors(path, validator, as_it_is_read=kind == ".xsd"), MOST_FAULTS + 1)


def _validator(kind: str, data: bytes, schema: str) -> Any:
    from lxml import etree

    elsewhere: list[InputError] = []

    class Beside(etree.Resolver):
        """Refuses files elsewhere; files beside the schema are read as usual."""

        # The stubs leave the context out.
        def resolve(self, system_url: str, public_id: str, context: Any) -> Any:  # type: ignore[override]  # noqa: ARG002
            if system_url == _GIVEN:
                return self.resolve_string(data, context, base_url=schema)
            try:
                _refuse_elsewhere(system_url, schema)
            except InputError as error:
                elsewhere.append(error)
                raise
            return None

    parser = tree_parser(document_types=kind == ".dtd")
    parser.resolvers.add(Beside())
    try:
        if kind == ".dtd":
            # A document type that is read by itself asks no resolver for what it includes.
            empty = f'<!DOCTYPE x SYSTEM "{_GIVEN}"><x/>'
            return etree.fromstring(empty, parser).getroottree().docinfo.externalDTD
        root = etree.fromstring(data, parser, base_url=schema)
        if kind == ".xsd":
            return etree.XMLSchema(root.getroottree())
        _check_includes(root, schema, {schema})
        return etree.RelaxNG(root.getroottree())
    except etree.LxmlError:
        if elsewhere:  # replaces the error of the library
            raise elsewhere[0] from None
        raise


def _check_includes(root: Any, schema: str, seen: set[str]) -> None:
    """Refuse files outside the folder that a RelaxNG schema includes."""
    from lxml import etree

    for element in root.iter(f"{{{_RELAX_NG}}}include", f"{{{_RELAX_NG}}}externalRef"):
        url = element.get("href", "").strip()
        folder = (element.base or "").rpartition("/")[0]
        place = url if "://" in url or not folder else str(Path(folder or "/", url))
        _refuse_elsewhere(place, schema)
        if place not in seen and Path(place).is_file():
            seen.add(place)
            with suppress(etree.XMLSyntaxError):  # the library reports a better error
                _check_includes(etree.parse(place, tree_parser()).getroot(), schema, seen)


def _refuse_elsewhere(url: str, schema: str) -> None:
    if url.startswith(_WEB):  # is never fetched
        return
    folders = [Path(schema).parent.resolve(), Path(schema).resolve().parent]
    for place in {url, unquote(url)}:
        path = Path(place.removeprefix("file://")).resolve()
        if not any(path.is_relative_to(folder) for folder in folders):
            raise InputError(
                f"{schema}: includes {url}, which is not in its folder: put that file beside the "
                f"schema, and its name there into the schema"
            )


def _errors(path: str, validator: Any, *, as_it_is_read: bool) -> Iterator[tuple[int | None, str]]:
    from lxml import etree

    with open_source(path) as source:
        # With entities in the text libxml2 crashes when it validates as it reads: then by the tree.
        prolog = admit(source)
        if as_it_is_read and "<!ENTITY" not in prolog.doctype:
            valid = _valid_bytes(source, validator)
        else:
            yield from _errors_of_tree(source, validator)
            return
    if valid is not None:
        with open_source(path) as source:
            parser = validating_parser(validator, admit(source).name)
            with suppress(etree.XMLSyntaxError, FormatError):
                yield from _line_by_line(source, parser, valid)


def _errors_of_tree(source: Source, validator: Any) -> Iterator[tuple[int | None, str]]:
    from lxml import etree

    try:
        tree = etree.parse(source.stream, tree_parser())
    except (etree.XMLSyntaxError, FormatError):
        return
    validator.validate(tree)
    for entry in validator.error_log:
        yield entry.line or None, entry.message


def _valid_bytes(source: Source, validator: Any) -> int | None:
    """Return a number of bytes before the first fault of a file; `None` without a fault.

    A parser that makes no tree is fed in blocks: a quarter of the time of validating line by line.
    """
    from lxml import etree

    parser = checking_parser(validator)
    before = done = 0  # before the last block, and with it
    try:
        while block := source.stream.read(_BLOCK):
            parser.feed(block)
            if len(parser.feed_error_log):
                return before
            before, done = done, done + len(block)
    except (etree.XMLSyntaxError, FormatError):
        return before
    return None


def _line_by_line(source: Source, parser: Any, valid: int) -> Iterator[tuple[int, str]]:
    """Validate while reading; a fault belongs to the last line read, because no log has lines.

    `parser` gets the first bytes, which are `valid`, in blocks.
    """
    reported, number, whole, unpruned = 0, 0, True, 0
    tree = ParsedTree(parser)
    pieces = chain(_blocks(source, valid), iter(partial(source.stream.readline, _PIECE), b""))
    for piece in pieces:
        parser.feed(piece)
        number += whole + piece.count(b"\n", 0, -1)
        whole = piece.endswith(b"\n")
        log = parser.feed_error_log
        if len(log) > reported:
            for entry in list(log)[reported:]:
                if entry.domain_name == "SCHEMASV":
                    yield number, entry.message
            reported = len(log)
        unpruned += len(piece)
        if unpruned >= _BLOCK:
            tree.prune()
            unpruned = 0


def _blocks(source: Source, size: int) -> Iterator[bytes]:
    """Yield the first `size` bytes of a file."""
    while size > 0 and (block := source.stream.read(min(size, _BLOCK))):
        size -= len(block)
        yield block
