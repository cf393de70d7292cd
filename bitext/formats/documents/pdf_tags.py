"""Tagged PDF: blocks by the tree of structure that a file declares (ISO 32000-1, section 14.7).

The tree names numbers of marked content of pages. The words of a number are joined to rows, as on
pages without tags; what is a paragraph, a heading, an item or a note is declared. The tree is not
used where words beside it are more than a tenth of the text: a note says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.formats.documents.blocks import Block, TableColumns
from bitext.formats.documents.pdf_content import ARTIFACT, Fragment, Page, text_string
from bitext.formats.documents.pdf_fonts import library
from bitext.formats.documents.pdf_layout import (
    Row,
    rows_of,
    tell_directions,
    without_hyphens,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.io.source import Source

__all__ = ["tagged_blocks"]

_LEAST_TAGGED = 0.9  # share of the characters that have tags, set by hand
_MOST_LEVELS = 500  # of the tree, set by hand
_MOST_ROLES = 10  # roles that stand for others in a row, set by hand
_SAME_ROW = 0.45  # sizes between the baselines of one row, at most
_KINDS = {"LI": "item", "TD": "cell", "TH": "cell", "Caption": "cell", "Note": "note"}
_KINDS["FENote"] = "note"
_HEADINGS = {"Title": 1, "H": 1, **{f"H{k}": k for k in range(1, 7)}}
_BLOCKS_NAMES = (
    "P BlockQuote Code Index BibEntry Div Sect Part Art Document DocumentFragment Aside Table "
    "THead TBody TFoot TR L LBody TOC"
)
_BORDERS = frozenset((*_KINDS, *_HEADINGS, *_BLOCKS_NAMES.split()))
_LEFT_OUT = frozenset(("Artifact", "Figure", "Formula", "Form", "Annot", "Lbl", "RT", "RP"))
_CONTENTS = "tables of contents, left out"


class _Level(NamedTuple):
    """An open element: the kind of its blocks, and whether a block ends with the element."""

    kind: str
    level: int
    lang: str
    page: int
    is_border: bool
    is_table: bool = False


def tagged_blocks(
    source: Source, document: Any, pages: Sequence[tuple[int, Page]]
) -> list[Block] | None:
    """Return the blocks by the tags; `None` without tags, or where they lack much of the text."""
    types = library("pdftypes")
    root = types.resolve1(document.catalog.get("StructTreeRoot"))
    if not isinstance(root, dict):
        return None
    reader = _TagReader(source, root, pages)
    reader.follow()
    tagged, whole = reader.characters, reader.whole
    if tagged < _LEAST_TAGGED * whole:
        if tagged:
            kind = "PDF files whose tags lack much of the text, read by the places of words"
            source.notes.add(kind, source.path)
        return None
    return reader.blocks()


class _TagReader:
    """Follows the tree, and collects the words of each block."""

    def __init__(self, source: Source, root: Any, pages: Sequence[tuple[int, Page]]) -> None:
        self._source, self._root = source, root
        self._types = library("pdftypes")
        self._words: dict[tuple[int, int], list[Fragment]] = {}
        self._places: dict[int, int] = {}  # number of an object -> place of the page
        self.whole = self.characters = 0
        self._artifacts = 0
        for k, (number, page) in enumerate(pages):
            self._places[number] = k
            for word in page.fragments:
                if word.mark == ARTIFACT:
                    self._artifacts += 1
                    continue
                self.whole += len(word.text)
                self._words.setdefault((k, word.mark), []).append(word)
        roles = self._types.resolve1(root.get("RoleMap"))
        self._roles: dict[str, Any] = roles if isinstance(roles, dict) else {}
        self._block: list[tuple[int, Fragment]] = []
        self._blocks: list[tuple[_Level, list[tuple[int, Fragment]]]] = []
        self._columns = TableColumns()
        self._levels = [_Level("paragraph", 0, "", -1, is_border=True)]

    def follow(self) -> None:
        """Follow the tree, each element once."""
        passed: set[int] = set()
        stack: list[Iterator[Any]] = [self._kids(self._root)]
        lists = [0]
        while stack:
            kid = next(stack[-1], None)
            if kid is None:
                stack.pop()
                lists.pop()
                self._end()
                continue
            reference, kid = kid, self._types.resolve1(kid)
            if isinstance(kid, int):
                self._add(self._levels[-1].page, kid)
                continue
            number = getattr(reference, "objid", id(kid))
            if not isinstance(kid, dict) or number in passed or len(stack) > _MOST_LEVELS:
                continue
            passed.add(number)
            outer = self._levels[-1]
            page = self._places.get(getattr(kid.get("Pg"), "objid", -1), outer.page)
            if "MCID" in kid:
                mcid = self._types.resolve1(kid["MCID"])
                if isinstance(mcid, int):
                    self._add(page, mcid)
                continue
            role = self._role(kid)
            if role == "TOC":
                self._source.notes.add(_CONTENTS, self._source.path)
            is_left_out = role in _LEFT_OUT or role == "TOC"
            lists.append(lists[-1] + (role == "L"))
            self._begin(kid, role, page, lists[-1])
            stack.append(self._kids(kid))
            if is_left_out:
                self._leave_out(stack.pop(), page)
                lists.pop()
                self._end()
        self._end_block()

    def _kids(self, element: Any) -> Iterator[Any]:
        kids = self._types.resolve1(element.get("K"))
        return iter(kids if isinstance(kids, list) else [] if kids is None else [element["K"]])

    def _role(self, element: Any) -> str:
        name = ""
        role = self._types.resolve1(element.get("S"))
        for _ in range(_MOST_ROLES):
            name = getattr(role, "name", "")
            if name in _BORDERS or name in _LEFT_OUT or name not in self._roles:
                break
            role = self._types.resolve1(self._roles[name])
        return name if isinstance(name, str) else ""

    def _begin(self, element: Any, role: str, page: int, depth: int) -> None:
        outer = self._levels[-1]
        given = self._types.resolve1(element.get("Lang"))
        lang = text_string(given) if isinstance(given, bytes) else outer.lang
        kind, level = outer.kind, outer.level
        if role in _HEADINGS:
            kind, level = "heading", _HEADINGS[role]
        elif role in _KINDS:
            kind, level = _KINDS[role], depth if role == "LI" else 0
            if role in {"TD", "TH"}:
                self._columns.begin_cell(self._span(element))
                level = self._columns.column
        elif role == "Table":
            self._columns.begin_table()
        elif role == "TR":
            self._columns.begin_row()
        is_border = role in _BORDERS
        if is_border:
            self._end_block()
        self._levels.append(_Level(kind, level, lang, page, is_border, role == "Table"))

    def _span(self, element: Any) -> int:
        """Return the number of columns of a cell."""
        given = self._types.resolve1(element.get("A"))
        for each in given if isinstance(given, list) else [given]:
            values = self._types.resolve1(each)
            span = self._types.resolve1(values.get("ColSpan")) if isinstance(values, dict) else 1
            if isinstance(span, int) and span > 1:
                return span
        return 1

    def _end(self) -> None:
        if len(self._levels) > 1:
            if self._levels[-1].is_border:
                self._end_block()
            if self._levels.pop().is_table:
                self._columns.end_table()

    def _end_block(self) -> None:
        if self._block:
            self._blocks.append((self._levels[-1], self._block))
            self._block = []

    def _add(self, page: int, mcid: int) -> None:
        for word in self._words.pop((page, mcid), ()):
            self.characters += len(word.text)
            self._block.append((page, word))

    def _leave_out(self, kids: Iterator[Any], page: int) -> None:
        """Count the words of an element that is left out."""
        stack = [(kid, page, 0) for kid in kids]
        while stack:
            kid, page, depth = stack.pop()
            kid = self._types.resolve1(kid)
            if isinstance(kid, dict) and depth < _MOST_LEVELS:
                page = self._places.get(getattr(kid.get("Pg"), "objid", -1), page)
                inner = [self._types.resolve1(kid["MCID"])] if "MCID" in kid else self._kids(kid)
                stack += [(each, page, depth + 1) for each in inner]
            elif isinstance(kid, int):
                for word in self._words.pop((page, kid), ()):
                    self.characters += len(word.text)

    def blocks(self) -> list[Block]:
        """Return the blocks, notes at the end."""
        made = [(level, list(_rows(words))) for level, words in self._blocks]
        words = words_of(row.text for _, rows in made for row in rows)
        out: dict[bool, list[Block]] = {False: [], True: []}
        for level, rows in made:
            text = "\n".join(row.text for row in rows)
            text = without_hyphens(self._source, text, words)
            if text.strip():
                block = Block(level.kind, text, None, level.level, level.lang)
                out[level.kind == "note"].append(block)
        tell_directions(self._source, [row for _, rows in made for row in rows])
        if self._artifacts:
            kind = "running heads and page numbers of PDF, left out"
            self._source.notes.add(kind, self._source.path, self._artifacts)
        return [*out[False], *out[True]]


def _rows(words: Sequence[tuple[int, Fragment]]) -> Iterator[Row]:
    """Join words in the order of the file to rows: a row ends where the height changes."""
    row: list[Fragment] = []
    row_page = -1
    for page, word in words:
        if row and (page != row_page or abs(word.y - row[0].y) > _SAME_ROW * row[0].size):
            yield from rows_of(row, row_page)
            row = []
        row.append(word)
        row_page = page
    if row:
        yield from rows_of(row, row_page)
