"""Scan regular TEI without a parser, and leave the rest of the file to a parser.

Most of a large file is sentences with an `xml:id` and nothing but text in them, and links. Runs of
these are split by one regular expression; tags between runs are read one by one. The first piece
that contains anything else goes to the parser, with the rest of the file (see
`bitext.formats.xml.fast`).

What this buys, in CPU time: a TEI file of 60,000 links between 120,000 sentences is scanned in
0.79 s in place of 1.61 s by the parser, and in 0.88 s in place of 1.63 s if each sentence also has
an `n`. The conversion takes 1.5 times as long with the parser (`scripts/bench/convert.md`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from operator import is_not
from typing import Any

import numpy as np

from bitext.formats.io.source import Source
from bitext.formats.tei.scan import UNITS, XML, Scan, Scanner
from bitext.formats.xml import is_xml_name, read_prolog, unescape
from bitext.formats.xml.fast import MOST_OPEN, NAME, PAIR, TAG, VALUE, Piece, Pieces, opened_root
from bitext.kernels.arrays import prefix

_CONTAINERS = (
    "TEI TEI.2 teiHeader standOff text front body back group div div1 div2 div3 lg list item table "
    "row cell sp quote linkGrp spanGrp listAnnotation annotation annotationBlock"
)
_SMALL = "w pc c phr cl m note link span certainty hi foreign"
# Elements that are many, and are small or consist of small ones: the parser gives each at its end,
# and its memory is freed. Others stay in memory until such an element around them ends.
_MANY = {*UNITS, *_CONTAINERS.split(), *_SMALL.split()}
_MUTED = {"teiHeader", "standOff", "linkGrp", "spanGrp"}
_UNIT = re.compile(r"<(s|seg|ab|p|l|u|head) xml:id=[^<>]*>[^<]*</")
_LINK = re.compile(
    rf'<link(?: xml:id="([^"<\t\n]*)")? target="([^"<\t\n]*)"((?: {NAME}={VALUE})*) ?/>', re.ASCII
)
_XML_NAMES = {f"xml:{name}": f"{XML}{name}" for name in ("id", "lang", "base", "space")}
_NAMES_ONCE = {"target", "targets", "xmlns"}  # excluded from the further attributes of a link
_MOST_NAMES = 256  # attribute names in a run of links, each a column with one cell per link
_MOST_SHAPES = 1 << 12  # cached strings of attributes
_UNIT_PARTS, _LINK_PARTS = 5, 4
_IS_GIVEN = partial(is_not, None)
_Call = tuple["Callable[..., None]", tuple[Any, ...]]


def scan(source: Source) -> Scan:
    """Scan a TEI file, from its beginning, into its elements, text and links.

    Raises `FormatError` when the file is not well-formed or not safe to read; with the line.
    """
    scanner = Scanner(source)
    read(source, scanner)
    return scanner.finish()


def read(source: Source, scanner: Scanner) -> None:
    """Feed a whole file to a scanner.

    Raises `FormatError` when the file is not well-formed or not safe to read; with the line.
    """
    pieces = Pieces(source, b">")
    root = opened_root(pieces) if not scanner.scan.old else None
    inside = ""
    if root is not None:
        reader = _Reader(scanner)
        line = pieces.lines_again + 1
        reader.apply([(scanner.start, (root[0], _given(root[1]), line))], [(root[0], "")])
        for piece in pieces:
            if not reader.take(piece):
                break
        else:
            if pieces.regular and not reader.open:
                return
        inside = "".join(tag for _, tag in reader.open)
    names = _MANY | {read_prolog(source.head()).name} - {""}
    scanner.parse(pieces.rest(end=tuple(names), inside=inside), lines_again=pieces.lines_again)


@cache
def _units(name: str) -> re.Pattern[str]:
    """Return the pattern of elements of a name that contain nothing but text."""
    return re.compile(
        rf'<{name} xml:id="([^"<&\t\n]*)"(?: n=({VALUE}))?( xml:space="preserve")?>([^<]*)</{name}>'
    )


def _given(attributes: str) -> dict[str, str] | None:
    """Parse attributes for a scanner; return `None` where a parser has to read them."""
    if not attributes:
        return {}
    written: list[tuple[str, str]] = PAIR.findall(attributes)
    pairs = dict(written)
    unusual = len(pairs) != len(written) or any(
        ":" in name and name not in _XML_NAMES for name in pairs
    )
    own = pairs.get("xml:id")
    if unusual or (own is not None and not is_xml_name(own[1:-1])):
        return None
    pairs.pop("xmlns", None)
    return {_XML_NAMES.get(name, name): unescape(value[1:-1]) for name, value in pairs.items()}


def _runs(parts: Sequence[str], stride: int) -> Iterator[tuple[str, int, int]]:
    """Yield each run of like elements as its bounds, with the tags in front of the run."""
    size = len(parts) // stride
    borders = [k for k in range(1, size + 1) if "<" in parts[k * stride]]
    for begin, end in zip([0, *borders], [*borders, size], strict=True):
        yield parts[begin * stride], begin, end


class _Reader:
    """Reads regular pieces: each whole, or not at all."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self.open: list[tuple[str, str]] = []  # the elements that are open, with their tags
        self._shapes: dict[str, dict[str, str] | None] = {}

    def apply(self, calls: Sequence[_Call], opened: list[tuple[str, str]]) -> None:
        """Make the calls that a piece was translated to."""
        for call, arguments in calls:
            call(*arguments)
        self.open = opened

    def take(self, piece: Piece) -> bool:
        """Read a piece; return whether the piece was regular."""
        work = _Work(self._scanner, self.open[:], self._shapes, references=piece.references)
        if not work.units(piece.text, piece.line) or not work.has_new_ids():
            return False
        self.apply(work.calls, work.open)
        return True


class _Work:
    """The calls to the scanner for a piece, collected until the whole piece has been read."""

    def __init__(
        self,
        scanner: Scanner,
        opened: list[tuple[str, str]],
        shapes: dict[str, dict[str, str] | None],
        *,
        references: bool,
    ) -> None:
        self._scanner, self.open, self._shapes = scanner, opened, shapes
        self._references = references
        self.calls: list[_Call] = []
        self._ids: list[str] = []

    def has_new_ids(self) -> bool:
        """Check whether all identifiers of the piece are new."""
        known = self._scanner.scan.by_id.keys()
        return len(set(self._ids)) == len(self._ids) and known.isdisjoint(self._ids)

    def _text(self, text: str) -> str:
        return unescape(text) if self._references else text

    def units(self, text: str, line: int) -> bool:
        """Translate text that begins on a line; return whether the text was regular."""
        first = _UNIT.search(text)
        if first is None:
            return self._links(text, line)
        name = first[1]
        parts = _units(name).split(text)
        ids, inner = parts[1::_UNIT_PARTS], parts[4::_UNIT_PARTS]
        if not all(map(is_xml_name, ids)):
            return False
        self._ids += ids
        lines = _lines(parts[::_UNIT_PARTS], inner, line)
        blanks = parts[_UNIT_PARTS::_UNIT_PARTS]
        numbers = [n and n[1:-1] for n in parts[2::_UNIT_PARTS]]
        numbers = numbers if any(map(_IS_GIVEN, numbers)) else []
        preserved = list(map(_IS_GIVEN, parts[3::_UNIT_PARTS]))
        preserved = preserved if any(preserved) else []
        if self._references:
            inner, blanks = list(map(unescape, inner)), list(map(unescape, blanks))
            numbers = [n and unescape(n) for n in numbers]
        # Each run of units without other elements between them is one call of the scanner.
        for before, begin, end in _runs(parts, _UNIT_PARTS):
            begun = (
                line if not begin else lines[begin - 1] + parts[begin * _UNIT_PARTS - 1].count("\n")
            )
            if not self._links(before, begun):
                return False
            if begin == end:
                continue
            # Units without text of their own, as in a header, are few: the parser reads them.
            if not self.open or any(around in _MUTED for around, _ in self.open):
                return False
            after = blanks[begin : end - 1]
            after.append("" if "<" in parts[end * _UNIT_PARTS] else blanks[end - 1])
            own = ids[begin:end], inner[begin:end], after, lines[begin:end]
            arguments = (name, *own, numbers[begin:end], preserved[begin:end])
            self.calls.append((self._scanner.take_units, arguments))
        return True

    def _links(self, text: str, line: int) -> bool:
        """Translate text without runs of segments: tags, and runs of links."""
        if "<link " not in text:
            return self._tags(text, line)
        parts = _LINK.split(text)
        lines = _lines(parts[::_LINK_PARTS], parts[2::_LINK_PARTS], line)
        for before, begin, end in _runs(parts, _LINK_PARTS):
            if not self._tags(before, lines[begin - 1] if begin else line):
                return False
            if begin < end and not self._run_of_links(parts, begin, end, lines):
                return False
        return True

    def _run_of_links(
        self, parts: Sequence[str], begin: int, end: int, lines: Sequence[int]
    ) -> bool:
        if not self.open:
            return False
        first, past = begin * _LINK_PARTS, end * _LINK_PARTS
        names: Sequence[str | None] = parts[first + 1 : past : _LINK_PARTS]
        targets = parts[first + 2 : past : _LINK_PARTS]
        rest = parts[first + 3 : past : _LINK_PARTS]
        known = [name for name in names if name is not None]
        if not all(map(is_xml_name, known)):
            return False
        self._ids += known
        if self._references:
            targets = list(map(unescape, targets))
        columns: dict[str, Sequence[str | None]] = {"id": names} if known else {}
        if any(rest):
            given = list(map(self._further, rest))
            if None in given:
                return False
            further = dict.fromkeys(name for each in given for name in each or ())
            if len(further) > _MOST_NAMES:
                return False  # most cells would be empty: read link by link
            for name in further:
                columns[name] = [(each or {}).get(name) for each in given]
        if self.open[-1][0] == "linkGrp":
            self.calls.append((self._scanner.take_links, (targets, columns, lines[begin:end])))
            return True
        for k, target in enumerate(targets):
            each = {key: value for key, col in columns.items() if (value := col[k]) is not None}
            if "id" in each:
                each[_XML_NAMES["xml:id"]] = each.pop("id")
            place = (begin + k + 1) * _LINK_PARTS
            blank = "" if "<" in parts[place] else self._text(parts[place])
            self.calls += [
                (self._scanner.start, ("link", {"target": target, **each}, lines[begin + k])),
                (self._scanner.end, ()),
                *([(self._scanner.text, (blank,))] if blank else []),
            ]
        return True

    def _further(self, attributes: str) -> dict[str, str] | None:
        """Return the further attributes of a link; `None` if a parser has to read the link."""
        if attributes in self._shapes:
            return self._shapes[attributes]
        pairs = PAIR.findall(attributes)
        given = {name: unescape(value[1:-1]) for name, value in pairs}
        unusual = len(given) != len(pairs) or not _NAMES_ONCE.isdisjoint(given) or "id" in given
        if len(self._shapes) > _MOST_SHAPES:
            self._shapes.clear()
        self._shapes[attributes] = None if unusual else given
        return self._shapes[attributes]

    def _tags(self, text: str, line: int) -> bool:
        first, *tags = text.split("<")
        if first:
            if not self.open and first.strip(" \t\n"):
                return False
            if self.open:
                self.calls.append((self._scanner.text, (self._text(first),)))
            line += first.count("\n")
        for tag in tags:
            match = TAG.fullmatch(tag)
            if match is None or not self.open:
                return False
            end, name, attributes, empty, behind = match.groups()
            if end:
                if attributes or empty or self.open.pop()[0] != name:
                    return False
                self.calls.append((self._scanner.end, ()))
            elif not self._begin(name, attributes, line, empty=bool(empty)):
                return False
            if behind:
                if not self.open and behind.strip(" \t\n"):
                    return False
                if self.open:
                    self.calls.append((self._scanner.text, (self._text(behind),)))
                line += behind.count("\n")
        return True

    def _begin(self, name: str, attributes: str, line: int, *, empty: bool) -> bool:
        given = _given(attributes)
        if given is None or "xmlns" in attributes or len(self.open) > MOST_OPEN:
            return False
        own = given.get(_XML_NAMES["xml:id"])
        if own is not None:
            self._ids.append(own)
        self.calls.append((self._scanner.start, (name, given, line)))
        if empty:
            self.calls.append((self._scanner.end, ()))
        else:
            self.open.append((name, f"<{name}{attributes}>"))
        return True


def _lines(before: Sequence[str], inner: Sequence[str], line: int) -> list[int]:
    """Return the line of each element, given the text before and inside each."""
    ends = np.array([text.count("\n") for text in before[:-1]], dtype=np.int64)
    inside = np.array([text.count("\n") for text in inner], dtype=np.int64)
    lines: list[int] = (line + np.cumsum(ends) + prefix(inside)[:-1]).tolist()
    return lines
