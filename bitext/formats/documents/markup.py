r"""Markdown, USFM and FictionBook.

Markdown: CommonMark with tables and struck text, by markdown-it-py (the extra `documents`).

| in the document | is |
| --- | --- |
| headings | headings |
| items of lists, cells of tables, quotations and other blocks | items, cells, paragraphs |
| `*`, `**`, `` ` ``, links, pictures, HTML within a block, boxes of tasks | codes, as written |
| attributes of headings (`{#name}`) | codes |
| footnotes (`[^1]: ...`) | notes after the text; a code where they are named |
| blocks of HTML | read as HTML |
| code blocks, comments, lines of divisions (`:::`) | left out |
| front matter between lines `---` or `+++` | left out, except for `title` and `lang` (`language`) |

Unified Standard Format Markers (USFM), as Bibles are written in.

| markers | are |
| --- | --- |
| `\mt`, `\ms`, `\s`, `\c` with `\cl`, and their like | headings |
| `\v` | verses, each a block; text before the first verse is a paragraph |
| `\p`, `\q`, `\m` and other paragraphs | no borders within a verse |
| `\f`, `\fe`, `\x` | notes after the text; a code where they stand |
| `\wj`, `\add`, `\nd`, `\bd`, `\it` and other characters | codes |
| `\id`, `\h`, `\toc`, `\rem`, `\fig` and other remarks; references in `\x` | left out |

Books in FictionBook (FB2), plain or in an archive (FB2.ZIP).

| in the book | is |
| --- | --- |
| titles of sections, by the depth of the section; subtitles | headings |
| paragraphs, lines of verse, epigraphs, citations | paragraphs |
| cells of tables | cells |
| the body of notes and comments | notes after the text; a code where they are named |
| emphasis, strong, links, pictures | codes, as HTML writes them |
| the description, pictures (`binary`) | left out, except for the title and the language |
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from bitext.errors import import_extra
from bitext.formats.documents.archive import Archive
from bitext.formats.documents.blocks import (
    STYLES,
    XML_LANG,
    BlockBuilder,
    Code,
    Document,
    Ending,
    TableColumns,
    TreeReader,
    end_nothing,
    link_code,
    names_of,
    note_counts,
    walk,
    whole_number,
)
from bitext.formats.documents.html import HtmlReader
from bitext.formats.io.source import Source
from bitext.formats.xml.safe import local_name, text_of, whole_tree

_FRONT = re.compile(
    r"(?:---[ \t]*\n(.*?\n)??(?:---|\.\.\.)|\+\+\+[ \t]*\n(.*?\n)??\+\+\+)[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
# The beginning of front matter, or all of it where names have blanks; other text after a line `---`
# is text after a rule. The last, empty alternative: see `bitext.lazy.late_pattern`.
_FIRST_FIELD = re.compile(
    r"(?:\s++|#.*\n|<!--.*-->|)*+(?:[\[{]|(?:\"[^\"\n]+\"|'[^'\n]+'|[$@]?[\w./-]+)[ \t]*[:=]|\Z"
    r"|(?:(?:[ \t#].*|- .*|\w[^:\n]*:(?:[ \t].*)?)?\n)+\Z)"
)
_FIELD = re.compile(r"(title|lang|language)\s*[:=]\s*(.+)", re.IGNORECASE)
_DEFINED = re.compile(r" {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*(.*)")  # a footnote
_NAMED = re.compile(r"\[\^([^\]\s]{1,100})\]")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_DIVISION = re.compile(r"^ {0,3}:{3,}(?!:).*$", re.MULTILINE)  # of Pandoc, Docusaurus, Quarto
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
_MOST_STEPS = 2_000_000  # characters that brackets of a paragraph surround, set by hand
_TASK = re.compile(r"\[[ xX]\][ \t]+")
_OUTER = names_of(
    "paragraph_open blockquote_open bullet_list_open ordered_list_open table_open thead_open "
    "tbody_open tr_open"
)
_KINDS = dict.fromkeys(_OUTER, "") | {
    "list_item_open": "item", "td_open": "cell", "th_open": "cell"
}  # fmt: skip
_TYPES = {"strong": "bold", "em": "italic", "s": "x-strike", "link": "link"}
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# The name and the classes of a heading: `## Title {#title .wide}`
_OF_HEADING = re.compile(r"\s+(\{[#.][^{}]*\})$")
_MOST_NESTED = 100  # blocks within each other; the parser ignores deeper ones, and so says nothing


def read(source: Source) -> Document:
    """Read a document in Markdown."""
    parser = import_extra("markdown_it", what="reading Markdown", extra="documents")
    text = source.plain_text().replace("\r\n", "\n")
    fields: dict[str, str] = {}
    front = _FRONT.match(text)
    given = "" if front is None else front[1] or front[2] or ""
    if front is not None and _FIRST_FIELD.match(given):
        for line in given.splitlines():
            if field := _FIELD.match(line):
                fields[field[1].lower()] = field[2].strip().strip("\"'")
        text = text[front.end() :]
    text, fences = _DIVISION.subn("", text)
    if fences:
        source.note("lines that begin or end divisions (:::) of Markdown, left out", count=fences)
    text, notes = _without_notes(text)
    markdown = parser.MarkdownIt("commonmark", {"maxNesting": _MOST_NESTED})
    markdown.enable(["table", "strikethrough"])
    markdown.core.ruler.before("inline", "brackets", partial(_check_brackets, source))
    reader = _MarkdownReader(source, frozenset(notes))
    reader.read(markdown.parse(text))
    for reader.label, note in notes.items():
        reader.kind = "note"
        reader.read(markdown.parse(note))
    note_counts(source, reader.html.left_out)
    lang = fields.get("lang") or fields.get("language") or ""
    return Document(tuple(reader.builder.blocks), lang, fields.get("title", ""))


def _without_notes(text: str) -> tuple[str, dict[str, str]]:
    """Return a text without its footnotes, and these by their labels.

    A footnote continues in indented lines, and in the lines of its first paragraph.
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
        elif lines is not None and (
            line.startswith(("    ", "\t"))
            or not line
            or not (was_blank or line.startswith(("# ", "## ", "### ")))
        ):
            lines.append(line.removeprefix("\t").removeprefix("    "))
        else:
            lines = None
            if _FENCE.match(line):
                is_fenced = not is_fenced
            rest.append(line)
        was_blank = not line.strip()
    return "\n".join(rest), {label: "\n".join(lines) for label, lines in notes.items()}


def _cut_attributes(tokens: list[Any]) -> str:
    """Remove the attributes from the inline tokens of a heading; return them, or nothing."""
    last = tokens[-1] if tokens else None
    attributes = _OF_HEADING.search(last.content) if last and last.type == "text" else None
    if last is None or attributes is None:
        return ""
    last.content = last.content[: attributes.start()]
    return attributes[1]


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
    def __init__(self, source: Source, notes: frozenset[str]) -> None:
        self.builder = BlockBuilder()
        self.label = ""  # of the next note
        self.kind = ""  # of all blocks; empty: as their elements are
        self._source, self._notes = source, notes
        self._depth = 0
        # The number of the next item of each open list and the character after; `None`: bullets.
        self._lists: list[tuple[int, str] | None] = []
        self._columns = TableColumns()
        self.html = HtmlReader()  # of blocks of HTML
        self.html.builder = self.builder

    def read(self, tokens: list[Any]) -> None:
        """Read tokens."""
        builder, deepest, before = self.builder, 0, ""
        for token in tokens:
            deepest = max(deepest, token.level)
            if token.type in {"fence", "code_block"}:
                self._source.note("blocks of code in Markdown, left out")
            elif token.type == "html_block":
                self._read_html(token.content)
            elif token.type == "heading_open":
                builder.begin(self.kind or "heading", level=int(token.tag[1:]))
            elif token.type in _KINDS:
                kind = self.kind or _KINDS[token.type]
                self._follow(token)
                levels = {"item": self._depth, "cell": self._columns.column}
                label, self.label = (self.label, "") if kind == "note" else ("", self.label)
                label = self._number() if kind == "item" else label
                builder.begin(kind, level=levels.get(kind, 0), label=label)
            elif token.nesting < 0:
                self._follow(token)
                builder.end()
            elif token.type == "inline":
                parts = token.children or []
                attributes = _cut_attributes(parts) if before == "heading_open" else ""
                self._read_inline(parts)
                if attributes:
                    builder.code(attributes, "x-attributes")
            before = token.type
        if deepest >= _MOST_NESTED - 1:
            raise self._source.error(
                f"has blocks nested more than {_MOST_NESTED} deep: leave them out"
            )

    def _follow(self, token: Any) -> None:
        """Follow the beginnings and ends of lists and tables."""
        match token.type:
            case "ordered_list_open":
                self._lists.append((int(token.attrs.get("start", 1)), token.markup))
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_close" | "bullet_list_close":
                self._lists.pop()
            case "list_item_open" | "list_item_close":
                self._depth += token.nesting
            case "table_open":
                self._columns.begin_table()
            case "table_close":
                self._columns.end_table()
            case "tr_open":
                self._columns.begin_row()
            case "td_open" | "th_open":
                self._columns.begin_cell()

    def _number(self) -> str:
        """Count an item, and return its number as it is written; empty for bullets."""
        if not self._lists or self._lists[-1] is None:
            return ""
        number, behind = self._lists[-1]
        self._lists[-1] = number + 1, behind
        return f"{number}{behind}"

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
            walk(root, self.html)
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
            elif token.type == "html_inline" and _LINE_BREAK.fullmatch(token.content):
                builder.line_break(token.content)
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


# Unified Standard Format Markers (USFM), as Bibles are written in.


_MARKER = re.compile(r"\\(\+?[a-z]+)(\d*)(?:-[se])?(?:(\*)|[ \t])?", re.ASCII)
_HEADINGS = {
    "mt": 1, "mte": 1, "imt": 1, "imte": 1, "ms": 2, "cl": 2, "cd": 3, "s": 3, "is": 3, "mr": 4,
    "r": 4, "sr": 4, "sp": 4, "d": 4, "qa": 4,
}  # fmt: skip
_LEFT_OUT = names_of(
    "id ide h toc toca rem sts usfm restore lit cp ca va vp fig z periph pubinfo ior iex rq"
)
_PARAGRAPHS = names_of(
    "p m po pr cls pmo pm pmc pmr pi mi nb pc ph q qr qc qm qd b ib ip im ipi imi ipq imq ipr iq "
    "ie lh lf lim tr"
)
_ITEMS = frozenset(("li", "ili", "io", "iot"))
_CELLS = frozenset(("th", "tc", "thr", "tcr"))
_NOTES = frozenset(("f", "fe", "ef", "x", "ex"))
_OF_REFERENCES = frozenset(("x", "ex"))  # notes of nothing but references
_USFM_TYPES = {"bd": "bold", "it": "italic", "em": "italic", "bdit": "bold"}
_ORIGINS = frozenset(("fr", "xo", "fv", "fm"))  # markers in notes whose text is a reference
_ATTRIBUTES = re.compile(r"\|[^\\\n|]*+(?=\\)")
_CALLER = re.compile(r"\s*[+\-*\w]\s+")
_NUMBER = re.compile(r"\s*([\d\w,:.-]+)\s*")
_BREAK = "//"
_LONGEST_NOTE = 20_000  # characters, set by hand
_MOST_USFM_NESTED = 20  # markers of characters within each other, set by hand


def read_usfm(source: Source) -> Document:
    """Read a book in USFM."""
    reader = _UsfmReader()
    reader.read(source.plain_text().replace("\r\n", "\n"))
    return Document(tuple(reader.builder.blocks), "", reader.title)


class _UsfmReader:
    def __init__(self) -> None:
        self.builder = BlockBuilder()
        self.title = ""
        self._in_verse = self._in_note = False
        self._chapter = ""
        self._of_references = False
        self._notes: list[tuple[str, str]] = []  # the marker and the text of each
        self._skipped = ""  # the marker whose text is left out
        self._opened: list[str] = []  # markers of characters

    def read(self, text: str) -> None:
        """Read a book, and its notes after it."""
        text = _ATTRIBUTES.sub("", text.replace("~", "\u00a0").replace(_BREAK, " "))
        self._read_parts(text)
        self._end_block()
        self._in_note = True
        for name, note in self._notes:
            self._of_references = name in _OF_REFERENCES
            self.builder.begin("note")
            self._read_parts(note)
            self._end_block()

    def _read_parts(self, text: str) -> None:
        at = 0
        while match := _MARKER.search(text, at):
            self._add(text[at : match.start()])
            at = match.end()
            name, closes = match[1].removeprefix("+"), bool(match[3])
            if name in _NOTES and not closes and not self._in_note:
                end = text.find(f"\\{match[1]}{match[2]}*", at, at + _LONGEST_NOTE)
                if end < 0:  # nothing ends the note: it ends with its line
                    end = text.find("\n", at)
                    end = len(text) if end < 0 else end
                self.builder.code(f"\\{name}*", "fnote")
                caller = _CALLER.match(text, at, end)
                self._notes.append((name, text[caller.end() if caller else at : end]))
                at = end
                continue
            if name in {"c", "v"} and not closes:
                number = _NUMBER.match(text, at)
                at = number.end() if number else at
                label = number[1] if number else ""
                if name == "c":
                    self._chapter = label
                    self._begin("")
                else:
                    self._begin("verse", label=f"{self._chapter}:{label}")
                continue
            if name == "h" and not self.title:
                self.title = text[at : text.find("\n", at)].strip()
            self._mark(name, match[2], closes=closes, nested=match[1].startswith("+"))
        self._add(text[at:])

    def _add(self, text: str) -> None:
        if not self._skipped:
            self.builder.text(text)

    def _mark(self, name: str, number: str, *, closes: bool, nested: bool) -> None:
        """Begin or end a paragraph or characters."""
        if closes:
            if self._skipped == name:
                self._skipped = ""
            elif name in self._opened:
                while self._opened and self._opened.pop() != name:
                    self.builder.close()
                self.builder.close()
            return
        if name in _ORIGINS or name in _LEFT_OUT or (name == "xt" and self._of_references):
            self._skipped = name
            return
        self._skipped = ""
        if name in _HEADINGS:
            self._begin("heading", level=_HEADINGS[name] + max(whole_number(number, 1) - 1, 0))
        elif name in _ITEMS or name in _CELLS:
            self._begin("item" if name in _ITEMS else "cell", level=int(name in _ITEMS))
        elif name in _PARAGRAPHS:
            if not self._in_verse:
                self._begin("paragraph")
            else:
                self.builder.text("\n")
        elif not name.startswith(("f", "x")):
            if not nested or len(self._opened) >= _MOST_USFM_NESTED:
                self._close_codes()
            self.builder.open(Code(_USFM_TYPES.get(name, f"x-{name}"), f"\\{name} ", f"\\{name}*"))
            self._opened.append(name)

    def _begin(self, kind: str, *, level: int = 0, label: str = "") -> None:
        self._end_block()
        self._in_verse = kind == "verse"
        if kind:
            self.builder.begin(kind, level=level, label=label)

    def _close_codes(self) -> None:
        for _ in self._opened:
            self.builder.close()
        self._opened.clear()

    def _end_block(self) -> None:
        self._close_codes()
        self._skipped = ""
        self.builder.end()
        self._in_verse = False


# Books in FictionBook (FB2), plain or in an archive (FB2.ZIP).


_CODES = {
    "emphasis": STYLES["italic"],
    "strong": STYLES["bold"],
    "strikethrough": STYLES["strike"],
    "sub": STYLES["subscript"],
    "sup": STYLES["superscript"],
    "code": Code("x-code", "<code>", "</code>"),
    "style": Code("x-style", "<span>", "</span>"),
}
_FB2_PARAGRAPHS = frozenset(("p", "v", "text-author", "date"))
_FB2_CELLS = frozenset(("td", "th"))
_FB2_NOTES = re.compile(r"notes|comments|footnotes", re.IGNORECASE)
_MOST_LEVELS = 6  # of headings


def read_fb2(source: Source) -> Document:
    """Read a book."""
    tree = whole_tree(_book(source))
    reader = _Fb2Reader()
    bodies = [each for each in tree if local_name(each) == "body"]
    for notes in (False, True):
        for body in bodies:
            if (_FB2_NOTES.fullmatch(body.get("name") or "") is not None) == notes:
                reader.is_notes = notes
                walk(body, reader)
    title, lang = (
        tree.findtext(f"{{*}}description/{{*}}title-info/{{*}}{name}") or ""
        for name in ("book-title", "lang")
    )
    return reader.document(source, lang, title)


def _book(source: Source) -> Source:
    """Return the book in an archive; the source itself if it is none."""
    if not source.head().startswith(b"PK"):
        return source
    archive = Archive(source)
    names = sorted(name for name in archive.names if name.lower().endswith(".fb2"))
    if len(names) != 1:
        raise source.error(f"has {len(names)} books: unpack it, and name them one by one")
    return archive.open(names[0])


class _Fb2Reader(TreeReader):
    def __init__(self) -> None:
        super().__init__()
        self.is_notes = False
        self._depth = 0  # of sections
        self._in_title = False

    def start(self, element: Any) -> Ending | None:
        """Begin an element; return what ends it, or `None` to leave out what is in it."""
        name, builder = local_name(element), self.builder
        lang = element.get(XML_LANG) or ""
        if name == "section":
            self._depth += 1
            builder.begin("note" if self.is_notes else "", lang=lang)
        elif name in {"title", "subtitle"}:
            return self._start_title(element, name)
        elif name == "p" and self._in_title:  # the lines of a title are one heading
            builder.line_break("<br/>")
            return end_nothing
        elif name in _FB2_CELLS:
            column = self.columns.begin_cell(whole_number(element.get("colspan"), 1))
            builder.begin("cell", level=column, lang=lang)
        elif name in _FB2_PARAGRAPHS:
            builder.begin("", lang=lang)
        elif name in _CODES:
            builder.open(_CODES[name])
            return builder.close
        elif name == "a":
            return self._start_link(element)
        elif name in {"image", "empty-line"}:
            if name == "image":
                builder.code("<img/>", "image")
            else:
                builder.flush()
            return None
        else:
            if name == "table":
                self.columns.begin_table()
            elif name == "tr":
                self.columns.begin_row()
            builder.begin("", lang=lang)
        return partial(self._end, name)

    def _start_title(self, element: Any, name: str) -> Ending | None:
        if self.is_notes and name == "title" and self._depth:
            return None  # the number of a note
        level = min(max(self._depth, 1) + (name == "subtitle"), _MOST_LEVELS)
        is_line = not any(map(str.isalnum, text_of(element)))  # as * * *
        lang = element.get(XML_LANG) or ""
        self.builder.begin("" if is_line else "heading", level=level, lang=lang)
        self._in_title = name == "title"
        return partial(self._end, name)

    def _start_link(self, element: Any) -> Ending | None:
        target = next((v for k, v in element.attrib.items() if k.endswith("href")), "")
        if element.get("type") == "note":
            shown = text_of(element).strip()
            self.builder.code(f"{link_code(target).begin}{shown}</a>", "fnote")
            return None
        self.builder.open(link_code(target))
        return self.builder.close

    def _end(self, name: str) -> None:
        self._in_title = False
        self._depth -= name == "section"
        if name == "table":
            self.columns.end_table()
        self.builder.end()
