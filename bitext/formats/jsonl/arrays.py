"""JSON: an array of objects, one for each bisegment, or of rows.

The objects are those of JSON lines (`bitext.formats.jsonl`): by identifiers, texts or languages.
The array may be a member of an object, as `{"data": [...]}`; other members are left out, and noted.
An array of arrays is a table of rows, with or without a header (`bitext.formats.tables`), or
with one in a member `columns` before it. It is read item by item, each of 16 million characters at
most.

An object of columns, as `{"en": [...], "de": [...]}`, of columns by rows, as `{"en": {"0": ...}}`,
or of objects by rows, as `{"0": {"en": ...}}`, is read as a whole; so are arrays within an object,
as `{"data": {"train": [...]}}`. Of the rows of a viewer of data sets `{"row": {...}}` is read.

Written is an array of the objects of JSON lines, one a line. What is kept and lost is the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import IO, Any

from bitext.errors import FormatError, remedy
from bitext.formats import jsonl
from bitext.formats.header_names import heads_of, names_texts
from bitext.formats.io.compression import HEAD
from bitext.formats.io.encodings import mark_of
from bitext.formats.io.source import Source
from bitext.formats.jsonl.by_texts import is_of_sides
from bitext.formats.line_files import beyond_limits, shown
from bitext.formats.multitexts import Multitexts
from bitext.formats.registry import ReadOptions, WriteOptions
from bitext.formats.tables import read_rows
from bitext.model import Bitext

_LONGEST = 1 << 24  # characters of an item; set by hand: a limit of memory
_WIDEST = 256  # characters of the white space before an item; set by hand
_BLOCK_SIZE = 200  # items that are given on together; set by hand
_AHEAD = 1000  # characters that show whether an array has objects; set by hand
_ROWS = re.compile(r"\[[ \t\r\n]*[\[{]")
_SPACE = re.compile(r"[ \t\r\n]*")
# An object whose first member that is not a number or string is an array or an object.
_OBJECT = re.compile(
    r'\s*\{(?:\s*"[^"\\]{0,60}"\s*:\s*(?:"[^"\\]{0,200}"|[\w.+-]{1,40})\s*,)*'
    r'\s*"(?!(?:src|tgt|translation)")[^"\\]{0,200}"\s*:\s*[\[{]'
)
# Columns by rows, as data frames are written, or a list of texts, some with blanks, as a column.
_COLUMN = re.compile(
    r'\s*\{\s*"(?:[^"\\]{0,60}"\s*:\s*\{\s*"\d{1,9}"\s*:|'
    r'(?:src|tgt)"\s*:\s*\[(?:\s*"(?:[^"\\ ]|\\.)*"\s*,)*\s*"(?:[^"\\]|\\.)*\S \S)'
)
_ARRAY = re.compile(
    r'\s*(?:\[|\{(?:\s*"[^"\\]{0,60}"\s*:\s*(?:"[^"\\]{0,200}"|[\w.+-]{1,40})\s*,)*'
    r'\s*"[^"\\]{0,60}"\s*:\s*\[)\s*(?=[\[{])'
)


_REPORT = re.compile(r"bitext\.[a-z-]+/\d+")  # in the member `schema` of what --json prints
_DESCRIPTIONS = frozenset({"features", "schema", "fields", "columns", "index"})  # of a table


def _sniff(head: bytes) -> int:
    """Return a confidence by the keys of the first object, or the cells of the first row."""
    mark, encoding = mark_of(head, "utf-8")
    text = head[len(mark) :].decode(encoding, "replace")
    begin = _ARRAY.match(text)
    lines = [line for line in text.split("\n") if line.strip()]
    several = len(lines) > 1 and lines[0].rstrip().endswith("}")  # JSON lines
    if begin is not None and several and lines[1].startswith("{"):
        return 0
    if begin is None:
        if _COLUMN.match(text) and not several:
            return 92  # above that of JSON lines for its keys
        if not _OBJECT.match(text) or several or _is_pair(lines):
            return 0
        return 50 if len(lines) == 1 and len(head) >= HEAD else 25  # a cut line may be JSON lines
    try:
        first, _ = json.JSONDecoder().raw_decode(text, begin.end())
    except (ValueError, RecursionError):
        return 0
    if isinstance(first, list):
        return 60 if len(first) > 1 and all(isinstance(each, str) for each in first) else 0
    heads = heads_of([*_row_of(first)])
    sides = {head.role for head in heads} & {"src", "tgt"}
    langs = {head.lang for head in heads if head.lang and not head.role}
    if {"translation", "translations"} & _row_of(first).keys() or len(sides) == 2 or len(langs) > 1:
        return 80
    return 25 if text.lstrip("\ufeff \t\r\n").startswith("{") else 0


def _is_pair(lines: list[str]) -> bool:
    """Check whether a single line is an object with two texts, not one of columns."""
    if len(lines) != 1:
        return False
    try:
        item = json.loads(lines[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(item, dict) and names_texts(
        [key for key, value in item.items() if isinstance(value, str)]
    )


class _Items:
    """A document that is read value by value.

    `line` is that on which the current value begins, from 1. If bad units are left out, reading
    goes on after an unsound item of an array at the next item that begins a line like others.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._blocks = source.blocks(bare_returns=True)  # white space in JSON
        self._text, self._at, self._counted = "", 0, 0
        self._ended = False
        self._scan = json.JSONDecoder()
        self._blank = ""  # the white space before the current place
        self._border: re.Pattern[str] | None = None  # before an item on a line of its own
        self._is_cut = False  # the rest cannot be read
        self.line = 1

    def _more(self) -> bool:
        """Read on; return whether there was anything."""
        self._count()
        parts = [self._text[self._at :]]
        self._at = self._counted = 0
        # Twice as much as there is, so that the tries at a long value stay linear.
        wanted, size = len(parts[0]), 0
        while size <= wanted and (block := next(self._blocks, None)) is not None:
            parts.append(block[1])
            size += len(block[1])
        self._text = "".join(parts)
        self._ended = size == 0
        return size > 0

    def _count(self) -> None:
        """Set `line` to that of the current place."""
        self.line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at

    def peek(self) -> str:
        """Return the next character that is not a blank; empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            if match and match[0]:
                self._at = match.end()
                self._blank = (self._blank + match[0])[-_WIDEST:]
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended or not self._more():
                return ""

    def skip(self, wanted: str) -> None:
        """Go on after a character, which has to be next."""
        there = self.peek()
        if self._is_cut:
            return
        if there != wanted:
            what = f"has {there!r}" if there else "ends: get the whole file; it is cut"
            raise self.error(f"{what} where {wanted!r} is wanted")
        self._at += 1
        self._blank = ""

    def value(self) -> tuple[Any, str]:
        """Return the next value, and its text."""
        if not self.peek():
            raise self.error("ends within an array: get the whole file")
        self._count()
        while True:
            begin = self._at
            flaw = ""
            try:
                value, end = self._scan.raw_decode(self._text, begin)
            except json.JSONDecodeError as error:
                flaw = f"is not JSON: {error.msg}"
            except (ValueError, RecursionError) as error:
                raise self.error(beyond_limits(error)) from None
            # What seems wrong, or a number, may go on after what was read.
            if flaw or end == len(self._text):
                if len(self._text) - begin > _LONGEST:
                    flaw = f"has an item of more than {_LONGEST:,} characters, or {flaw}"
                elif not self._ended and self._more():
                    continue
            if flaw:
                raise self.error(flaw)
            self._at, self._blank = end, ""
            return value, self._text[begin:end]

    def error(self, message: str) -> Exception:
        """Return an error at the current line."""
        self._count()
        return self._source.error(message, self.line)

    def opens_rows(self) -> bool:
        """Test the next value for an array of objects or of arrays."""
        if self.peek() != "[":
            return False
        if len(self._text) - self._at < _AHEAD and not self._ended:
            self._more()
        return _ROWS.match(self._text, self._at) is not None

    def array(self) -> Iterator[tuple[int, Any, str]]:
        """Yield the items of the array that is next: line, value and text."""
        self.skip("[")
        while self.peek() != "]":
            if self._source.on_bad is not None:
                self._see_border()
            try:
                value, text = self.value()
            except FormatError as error:
                if self._goes_on(error):
                    continue
                return
            yield self.line, value, text
            try:
                if self.peek() != "]":
                    self.skip(",")
            except FormatError as error:
                if not self._goes_on(error):
                    return
        self.skip("]")

    def _see_border(self) -> None:
        """Record the characters before the next item, if it begins a line."""
        line = self._blank.rfind("\n")
        sign = self._text[self._at : self._at + 1]
        if line >= 0 and sign in {"[", "{"}:
            indent = self._blank[line:]
            if self._border is None or not self._border.fullmatch(indent + sign):
                self._border = re.compile(re.escape(indent + sign))

    def _goes_on(self, error: FormatError) -> bool:
        """Report an unsound item and go to the next one; return whether there is any.

        Raises `FormatError`, the error, unless bad units are left out.
        """
        if self._source.on_bad is None:
            error.is_of_unit = True
            raise error
        self._source.on_bad(error)
        if self._at < len(self._text) and self._text[self._at] in "[{" and "',' is w" in str(error):
            return True  # only the comma is missing
        begin = self._at + 1
        while self._border is not None:
            if found := self._border.search(self._text, begin):
                self._at = found.end() - 1
                return True
            self._at = max(self._at, len(self._text) - _WIDEST)
            if self._ended or not self._more():
                break
            begin = 0
        self._at, self._ended, self._is_cut = len(self._text), True, True
        return False


class _Header(list[Any]):
    """The names of columns, from the member `columns` of a data frame."""


def _items_of(source: Source) -> Iterator[tuple[int, Any, str]]:
    """Yield the items of the array, or of the arrays that are members of an object."""
    items = _Items(source)
    if items.peek() == "{":
        yield from _items_of_members(source, items)
    else:
        yield from items.array()
    if items.peek():
        raise items.error(
            "continues after the end of its array; want one array (JSON lines are named .jsonl)"
        )


def _items_of_members(source: Source, items: _Items) -> Iterator[tuple[int, Any, str]]:
    """Yield the items of the arrays of objects or rows within an object."""
    arrays: list[str] = []
    others: dict[str, Any] = {}  # further arrays and objects, which may be columns or rows
    items.skip("{")
    while items.peek() not in {"}", ""}:
        key = str(items.value()[0])
        items.skip(":")
        if key not in _DESCRIPTIONS and items.opens_rows():
            names = others.pop("columns", None)
            if isinstance(names, list) and not arrays:
                yield items.line, _Header(names), json.dumps(names)
            arrays.append(key)
            yield from items.array()
        else:
            value, _ = items.value()
            if key == "schema" and isinstance(value, str) and _REPORT.fullmatch(value):
                command = value.partition("/")[0].replace(".", " ")
                raise items.error(
                    f"is a report ({value}), as {command} prints in JSON, and no alignment; give "
                    f"the file of which it reports (of bitext align: what it writes as its output)"
                )
            if isinstance(value, list | dict):
                others[key] = value
            else:
                _note_member(source, items.line, key)
        if items.peek() != "}":
            items.skip(",")
    items.skip("}")
    if not arrays:
        rows, arrays = _rows_of_columns(others)
        if not rows:
            way = remedy("from jsonl", python="format='jsonl'")
            raise items.error(
                "has no array of objects; want one object a bisegment, or the two texts as columns "
                'of equal length, {"en": [...], "de": [...]}; strings by keys, with one language a '
                f"file, are named together, the source first (en.json,de.json); for JSON lines "
                f"name the format ({way})"
            )
        others = {}
        for row in rows:
            yield 1, row, json.dumps(row, ensure_ascii=False)
    for key in others:
        _note_member(source, items.line, key)
    if len(arrays) > 1:
        shown = ", ".join(repr(key[:20]) for key in arrays[:5])
        source.note("arrays of one file, read one after another", shown, count=len(arrays))


def _note_member(source: Source, line: int, key: str) -> None:
    source.note("members beside the array of objects, left out", f"{key[:40]!r}", line=line)


def _row_of(item: dict[str, Any]) -> dict[str, Any]:
    """Return the row of an item of a data set's viewer; any other item as it is."""
    row = item.get("row")
    return row if isinstance(row, dict) and "row_idx" in item else item


def _rows_of_columns(members: dict[str, Any]) -> tuple[list[Any], list[str]]:
    """Return the objects that members are columns, or rows, or groups of, and names of groups."""
    for group in members.values():  # arrays within an object
        if isinstance(group, dict) and group and all(map(_are_objects, group.values())):
            return [row for rows in group.values() for row in rows], [*group]
    if is_of_sides(members):
        return [members], []
    values = [*members.values()]
    if len(values) > 1 and all(isinstance(each, list) for each in values):
        if len({len(each) for each in values}) > 1:
            return [], []
        return [dict(zip(members, row, strict=True)) for row in zip(*values, strict=True)], []
    several = len(values) > 1 or "translation" in members
    if several and all(isinstance(each, dict) for each in values):
        if _names_texts(members) and not _names_texts(values[0]):
            keys = dict.fromkeys(key for each in values for key in each)
            rows = {key: {name: each.get(key) for name, each in members.items()} for key in keys}
            # Names of strings are kept, numbers of rows are not.
            named = "id" not in members and not all(map(str.isdecimal, keys))
            return [({"id": key} if named else {}) | row for key, row in rows.items()], []
        if not _names_texts(values[0]):
            return [], []
        named = not all(map(str.isdecimal, members))
        return [({"id": k} if named else {}) | row for k, row in members.items()], []
    return [], []


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _names_texts(item: dict[str, Any]) -> bool:
    """Check for a `translation`, or for two keys that name texts, in an object."""
    return bool({"translation", "translations"} & item.keys()) or names_texts([*item])


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    items = _items_of(source)
    first = next(items, None)
    every = items if first is None else chain([first], items)
    if first is not None and isinstance(first[1], list):
        if isinstance(first[1], _Header) and options.columns.head is None:
            options = replace(options, columns=replace(options.columns, head=True))
        yield from read_rows(source, options, _rows(source, every), padded=True)
    else:
        yield from jsonl.read_chunks(source, options, _lines(every))


def _lines(items: Iterable[tuple[int, Any, str]]) -> Iterator[tuple[list[int], list[str]]]:
    """Yield items as lines, many at once, each with the number of its first line.

    Line ends stand between values only, so an item is one line with blanks in their place.
    """
    rest = iter(items)
    while some := list(islice(rest, _BLOCK_SIZE)):
        if isinstance(some[0][1], dict) and _row_of(some[0][1]) is not some[0][1]:
            some = [(n, each, json.dumps(_row_of(each))) for n, each, _ in some]
        yield [line for line, _, _ in some], [text.replace("\n", " ") for _, _, text in some]


def _rows(source: Source, items: Iterable[tuple[int, Any, str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of arrays; refuse other items."""
    for line, item, _ in items:
        if not isinstance(item, list) or any(isinstance(each, list | dict) for each in item):
            source.refuse(f"has {shown(item)} beside arrays of cells; want arrays only", line)
            continue
        if any(item):
            cells = (each if isinstance(each, str | None) else json.dumps(each) for each in item)
            yield line, [cell or "" for cell in cells]


def _write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    items = _Commas(out)
    jsonl.write_objects(bitexts, items, options=options)  # type: ignore[arg-type]
    out.write("\n]\n" if items.begun else "[]\n")


def _write_multitexts(multitexts: Multitexts, out: IO[str]) -> None:
    items = _Commas(out)
    jsonl.write_multitext_objects(multitexts, items)  # type: ignore[arg-type]
    out.write("\n]\n" if items.begun else "[]\n")


class _Commas:
    """A file for lines of JSON, which become the items of an array."""

    def __init__(self, out: IO[str]) -> None:
        self._out, self.begun = out, False

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._out.write(f",\n{line[:-1]}" if self.begun else f"[\n{line[:-1]}")
            self.begun = True


FORMAT = replace(
    jsonl.FORMAT,
    name="json",
    title="an array of JSON objects, one a bisegment",
    suffixes=(".json",),
    sniff=_sniff,
    read=_read,
    write=_write,
    write_multitexts=_write_multitexts,
)
