"""Markdown: CommonMark with tables and struck text, by markdown-it-py (the extra `documents`).

| in the document | is |
| --- | --- |
| headings | headings |
| items of lists, cells of tables, quotations and other blocks | items, cells, paragraphs |
| `*`, `**`, `` ` ``, links, pictures and HTML within a block | codes, as written |
| code blocks and HTML blocks | left out |
| front matter between lines `---` | left out, but for `title` and `lang` (`language`) |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitext.errors import import_extra
from bitext.formats.documents.blocks import BlockBuilder, Code, Document

if TYPE_CHECKING:
    from bitext.formats.io.source import Source

__all__ = ["read"]

_FRONT = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"(title|lang|language)\s*:\s*(.+)")
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
        for line in front[1].splitlines():
            if field := _FIELD.match(line):
                fields[field[1]] = field[2].strip().strip("\"'")
        text = text[front.end() :]
    markdown = parser.MarkdownIt("commonmark", {"maxNesting": _MOST_NESTED})
    markdown.enable(["table", "strikethrough"])
    builder = BlockBuilder()
    depth = 0
    deepest = 0
    for token in markdown.parse(text):
        deepest = max(deepest, token.level)
        if token.type in {"fence", "code_block", "html_block"}:
            what = "HTML" if token.type == "html_block" else "code"
            source.notes.add(f"blocks of {what} in Markdown, left out", source.path)
        elif token.type == "heading_open":
            builder.begin("heading", level=int(token.tag[1:]))
        elif token.type in _KINDS:
            depth += token.type == "list_item_open"
            builder.begin(_KINDS[token.type], level=depth if _KINDS[token.type] == "item" else 0)
        elif token.nesting < 0:
            depth -= token.type == "list_item_close"
            builder.end()
        elif token.type == "inline":
            _read_inline(builder, token.children or [])
    if deepest >= _MOST_NESTED - 1:
        raise source.error(
            f"has blocks nested more than {_MOST_NESTED} deep, as no text needs: leave them out"
        )
    lang = fields.get("lang") or fields.get("language") or ""
    return Document(tuple(builder.blocks), lang, fields.get("title", ""))


def _read_inline(builder: BlockBuilder, tokens: list[Any]) -> None:
    """Read the inline tokens of a block; markup is native code, as it is written."""
    for token in tokens:
        name = token.type.removesuffix("_open").removesuffix("_close")
        if token.type == "text":
            builder.text(token.content)
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
