"""Markdown: CommonMark with tables and struck text, by markdown-it-py (the extra `documents`).

| in the document | is |
| --- | --- |
| headings | headings |
| items of lists, cells of tables, quotations and other blocks | items, cells, paragraphs |
| `*`, `**`, `` ` ``, links, pictures, HTML within a block, boxes of tasks | codes, as written |
| footnotes (`[^1]: ...`) | notes after the text; a code where they are named |
| blocks of HTML | read as HTML |
| code blocks, comments | left out |
| front matter between lines `---` or `+++` | left out, but for `title` and `lang` (`language`) |
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from bitext.errors import import_extra
from bitext.formats.documents.blocks import BlockBuilder, Code, Document, TableColumns, walk
from bitext.formats.documents.html import HtmlReader

if TYPE_CHECKING:
    from bitext.formats.io.source import Source

__all__ = ["read"]

_FRONT = re.compile(
    r"(?:---[ \t]*\n(.*?\n)??(?:---|\.\.\.)|\+\+\+[ \t]*\n(.*?\n)??\+\+\+)[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
_FIELD = re.compile(r"(title|lang|language)\s*[:=]\s*(.+)", re.IGNORECASE)
_DEFINED = re.compile(r" {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*(.*)")  # a footnote
_NAMED = re.compile(r"\[\^([^\]\s]{1,100})\]")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
_MOST_STEPS = 2_000_000  # characters that brackets of a paragraph surround, set by hand
_TASK = re.compile(r"\[[ xX]\][ \t]+")
_KINDS = {
    "list_item_open": "item",
    "td_open": "cell",
    "th_open": "cell",
    "paragraph_open": "",
    "blockquote_open": "",
    "bullet_list_open": "",
    "ordered_list_open": "",
    "table_open": "",
    "thead_open": "",
    "tbody_open": "",
    "tr_open": "",
}
_TYPES = {"strong": "bold", "em": "italic", "s": "x-strike", "link": "link"}
_MOST_NESTED = 100  # blocks within each other; the parser ignores deeper ones, and so says nothing


def read(source: Source) -> Document:
    """Read a document in Markdown."""
    parser = import_extra("markdown_it", what="reading Markdown", extra="documents")
    text = source.plain_text().replace("\r\n", "\n")
    fields: dict[str, str] = {}
    if front := _FRONT.match(text):
        for line in (front[1] or front[2] or "").splitlines():
            if field := _FIELD.match(line):
                fields[field[1].lower()] = field[2].strip().strip("\"'")
        text = text[front.end() :]
    text, notes = _without_notes(text)
    markdown = parser.MarkdownIt("commonmark", {"maxNesting": _MOST_NESTED})
    markdown.enable(["table", "strikethrough"])
    markdown.core.ruler.before("inline", "brackets", partial(_check_brackets, source))
    reader = _MarkdownReader(source, frozenset(notes))
    reader.read(markdown.parse(text))
    for reader.label, note in notes.items():
        reader.kind = "note"
        reader.read(markdown.parse(note))
    reader.tell()
    lang = fields.get("lang") or fields.get("language") or ""
    return Document(tuple(reader.builder.blocks), lang, fields.get("title", ""))


def _without_notes(text: str) -> tuple[str, dict[str, str]]:
    """Return a text without its footnotes, and these by their labels.

    A footnote goes on in indented lines, and in the lines of its first paragraph.
    """
    if "[^" not in text:
        return text, {}
    rest: list[str] = []
    notes: dict[str, list[str]] = {}
    lines: list[str] | None = None  # of the open footnote
    is_fenced = was_blank = False
    for line in text.split("\n"):
        defined = None if is_fenced else _DEFINED.match(line)
        if defined is not None:
            lines = notes.setdefault(defined[1], [])
            lines.append(defined[2])
        elif lines is not None and (line.startswith(("    ", "\t")) or not was_blank or not line):
            lines.append(line.removeprefix("\t").removeprefix("    "))
        else:
            lines = None
            if _FENCE.match(line):
                is_fenced = not is_fenced
            rest.append(line)
        was_blank = not line.strip()
    return "\n".join(rest), {label: "\n".join(lines) for label, lines in notes.items()}


def _check_brackets(source: Source, state: Any) -> None:
    """Refuse blocks with brackets that the parser reads again and again, up to where they end."""
    for token in state.tokens:
        if token.type != "inline" or "[" not in token.content:
            continue
        opened: list[int] = []
        steps = 0
        for match in _BRACKET.finditer(token.content):
            if match[0] == "[":
                opened.append(match.start())
            elif opened:
                steps += match.start() - opened.pop()
        steps += sum(len(token.content) - at for at in opened)
        if steps > _MOST_STEPS + 20 * len(token.content):
            raise source.error(
                "has a paragraph with thousands of square brackets that are not closed: take them "
                "out, or write \\[",
                (token.map or [0])[0] + 1,
            )


class _MarkdownReader:
    """Reads the tokens of the parser into blocks."""

    def __init__(self, source: Source, notes: frozenset[str]) -> None:
        self.builder = BlockBuilder()
        self.label = ""  # of the next note
        self.kind = ""  # of all blocks; empty: as their elements are
        self._source, self._notes = source, notes
        self._depth = 0
        # The number of the next item of each open list and the character behind; `None`: bullets.
        self._lists: list[tuple[int, str] | None] = []
        self._columns = TableColumns()
        self._html = HtmlReader()
        self._html.builder = self.builder

    def read(self, tokens: list[Any]) -> None:
        """Read tokens."""
        builder, deepest = self.builder, 0
        for token in tokens:
            deepest = max(deepest, token.level)
            if token.type in {"fence", "code_block"}:
                self._source.notes.add("blocks of code in Markdown, left out", self._source.path)
            elif token.type == "html_block":
                self._read_html(token.content)
            elif token.type == "heading_open":
                builder.begin(self.kind or "heading", level=int(token.tag[1:]))
            elif token.type in _KINDS:
                kind = self.kind or _KINDS[token.type]
                self._follow_lists(token)
                self._follow_table(token.type)
                levels = {"item": self._depth, "cell": self._columns.column}
                label, self.label = (self.label, "") if kind == "note" else ("", self.label)
                label = self._number() if kind == "item" else label
                builder.begin(kind, level=levels.get(kind, 0), label=label)
            elif token.nesting < 0:
                self._follow_lists(token)
                self._follow_table(token.type)
                builder.end()
            elif token.type == "inline":
                self._read_inline(token.children or [])
        if deepest >= _MOST_NESTED - 1:
            raise self._source.error(
                f"has blocks nested more than {_MOST_NESTED} deep, as no text needs: leave them out"
            )

    def _follow_lists(self, token: Any) -> None:
        if token.type == "ordered_list_open":
            self._lists.append((int(token.attrs.get("start", 1)), token.markup))
        elif token.type == "bullet_list_open":
            self._lists.append(None)
        elif token.type in {"ordered_list_close", "bullet_list_close"}:
            self._lists.pop()
        elif token.type in {"list_item_open", "list_item_close"}:
            self._depth += token.nesting

    def _number(self) -> str:
        """Count an item, and return its number as it is written; empty for bullets."""
        if not self._lists or self._lists[-1] is None:
            return ""
        number, behind = self._lists[-1]
        self._lists[-1] = number + 1, behind
        return f"{number}{behind}"

    def _follow_table(self, kind: str) -> None:
        if kind == "table_open":
            self._columns.begin_table()
        elif kind == "table_close":
            self._columns.end_table()
        elif kind == "tr_open":
            self._columns.begin_row()
        elif kind in {"td_open", "th_open"}:
            self._columns.begin_cell()

    def tell(self) -> None:
        """Add notes on elements of HTML that are left out."""
        self._html.tell(self._source)

    def _read_html(self, content: str) -> None:
        """Read a block of HTML, whose tags may end in another block."""
        from lxml import etree

        parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
        try:
            root = etree.fromstring(content.encode("utf-8", "replace"), parser)
        except etree.XMLSyntaxError:  # a comment only
            return
        if root is not None:
            self.builder.begin(self.kind)
            walk(root, self._html)
            self.builder.end()

    def _read_inline(self, tokens: list[Any]) -> None:
        """Read the inline tokens of a block; markup is native code, as it is written."""
        builder = self.builder
        first = tokens[0].content if tokens and tokens[0].type == "text" else ""
        if self._depth and (task := _TASK.match(first)):
            builder.code(task[0].rstrip(), "x-task")
            tokens[0].content = first[task.end() :]
        for token in tokens:
            name = token.type.removesuffix("_open").removesuffix("_close")
            if token.type == "text":
                self._read_text(token.content)
            elif token.type == "softbreak":
                builder.text("\n")
            elif token.type == "hardbreak":
                builder.line_break("\\")
            elif token.type == "code_inline":
                builder.open(Code("x-code", token.markup, token.markup))
                builder.text(token.content)
                builder.close()
            elif token.type == "html_inline":
                builder.code(token.content, "x-html")
            elif token.type == "image":
                builder.code(f"![{token.content}]({token.attrs.get('src', '')})", "image")
            elif token.nesting > 0:
                end = f"]({token.attrs.get('href', '')})" if name == "link" else token.markup
                begin = "[" if name == "link" else token.markup
                builder.open(Code(_TYPES.get(name, f"x-{name}"), begin, end))
            elif token.nesting < 0:
                builder.close()

    def _read_text(self, text: str) -> None:
        """Read characters, and references to footnotes."""
        at = 0
        for match in _NAMED.finditer(text) if self._notes else ():
            if match[1] in self._notes:
                self.builder.text(text[at : match.start()])
                self.builder.code(match[0], "fnote")
                at = match.end()
        self.builder.text(text[at:])
