"""Books as one page of HTML: facing columns by paragraph, in one file without external resources.

A sentence and its translation are highlighted together under the mouse, by style alone; a small
script selects sentences by touch and with the arrow keys. On narrow screens, columns are one below
the other. Chapters begin new pages in print.

Kept: characters, beads, the borders of segments, segments in no bead, blocks and languages; inline
codes that are styles, line breaks and links to web addresses. Codes become tags of the book: no
markup of a text gets into the page. Books are written, and read only as documents.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from itertools import groupby
from typing import IO

from bitext.formats.books import (
    Block,
    Book,
    Row,
    Run,
    Sentence,
    Side,
    asset,
    make_book,
    shows_codes,
)
from bitext.formats.registry import Capabilities, Format, WriteOptions
from bitext.model import Bitext
from bitext.model.languages import is_right_to_left

SCREEN_DEPTH = 3  # levels of the table of contents, set by hand
# Beads of a row that light up: each number has its rule of style, and the rules of more cost time.
_LIGHTS = 200
_PART = 50  # rows that a browser lays out together, when they come into sight; set by hand
_COLUMNS = 50  # columns of a table; cells of further ones go into the last, set by hand
_TAGS = {
    "bold": "b", "italic": "i", "underline": "u", "strike": "s", "superscript": "sup",
    "subscript": "sub", "code": "code", "small": "small",
}  # fmt: skip


def _write(bitexts: Iterable[Bitext], out: IO[str], *, options: WriteOptions) -> None:
    out.writelines(_page(make_book(bitexts, options, format=FORMAT.name)))


def _page(book: Book) -> Iterator[str]:
    style = asset("tokens.css") + asset("book.css") + asset("screen.css") + lights(book)
    script = asset("book.js")
    depths = heading_depths(book)
    lang = book.sides[0].lang or "en"
    yield "<!DOCTYPE html>\n"
    yield f'<html lang="{escape(lang)}">\n<head><meta charset="utf-8">\n'
    yield f"{content_policy(style, script)}\n"
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<link rel="icon" href="data:,">\n'
    yield f"<title>{escape(book.title)}</title>\n<style>{style}</style></head>\n"
    yield '<body class="page">\n'
    kind = ' class="said"' if begins_with_title(book) else ""  # for screen readers
    yield f"<header{kind}><h1>{title_html(book)}</h1></header>\n"
    entries = [entry for entry in book.contents if entry.depth <= SCREEN_DEPTH]
    if len(entries) > 1:
        yield '<nav id="contents" aria-labelledby="contents-head">\n'
        yield '<h2 id="contents-head" lang="en" dir="ltr">Contents</h2>\n'
        yield from contents_list(book, lambda chapter, row: f"#{anchor(chapter, row)}")
        yield "</nav>\n"
    yield "<main>\n"
    for number, chapter in enumerate(book.chapters):
        yield f'<section class="chapter" id="{anchor(number)}">\n'
        if chapter.is_named:
            yield f"<h2>{named_title(chapter.titles, None)}</h2>\n"
        for place, row in enumerate(chapter.rows):
            if place % _PART == 0:
                yield '</div>\n<div class="part">\n' if place else '<div class="part">\n'
            depth = depths.get((number, place), 0)
            yield row_html(row, book.sides, depth=depth, anchor=anchor(number, place))
        yield "</div>\n</section>\n"
    yield f"</main>\n<script>{script}</script></body></html>\n"


# Code that pages and the chapters of EPUB books share: HTML that is well-formed XML, too.


def content_policy(style: str, script: str) -> str:
    """Return the element that lets nothing run or change a page but its own style and script."""
    allowed = f"script-src '{_hash(script)}'" if script else "script-src 'none'"
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; {allowed}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def anchor(chapter: int, row: int = -1) -> str:
    """Return the id of a chapter, or of a row in it."""
    return f"c{chapter + 1}" if row < 0 else f"c{chapter + 1}-r{row + 1}"


def heading_depths(book: Book) -> dict[tuple[int, int], int]:
    """Return the depth of the headings of each row that has one, by chapter and row."""
    return {(entry.chapter, entry.row): entry.depth for entry in book.contents}


def lights(book: Book) -> str:
    """Return the style by which the sentences of a bead light up together.

    Beads are numbered again in each row, so that there are few rules.
    """
    most = max(len(_numbers(row)) for chapter in book.chapters for row in chapter.rows)
    numbers = range(min(most, _LIGHTS))
    rules = ",\n".join(f".row:has(.b{k}:is(:hover,:focus)) .b{k}" for k in numbers)
    return f"{rules} {asset('lights.css')}" if rules else ""


def _numbers(row: Row) -> dict[int, int]:
    """Return the number within the row of each bead."""
    beads = (
        bead for side in row.sides for block in side for each in block.sentences
        for bead in each.beads
    )  # fmt: skip
    return {bead: k for k, bead in enumerate(dict.fromkeys(beads))}


def tag_of_language(side: Side) -> str:
    """Return the attributes of an element in the language of a side."""
    direction = "rtl" if side.right_to_left else "ltr"
    lang = f' lang="{escape(side.lang)}"' if side.lang else ""
    return f'{lang} dir="{direction}"'


def named_title(titles: Sequence[str], sides: Sequence[Side] | None, *, joint: str = " ") -> str:
    """Return two titles as HTML, each in its language, or one of no known language."""
    if sides is None:
        return f'<span dir="auto">{escape(titles[0])}</span>'
    return joint.join(
        f"<span{tag_of_language(side)}>{escape(title)}</span>"
        for title, side in zip(titles, sides, strict=True)
        if title
    )


def title_html(book: Book) -> str:
    """Return the title of a book as HTML, in both languages where it has one in each."""
    if any(side.title for side in book.sides):
        return named_title([side.title for side in book.sides], book.sides)
    return named_title((book.title, ""), None)


def begins_with_title(book: Book) -> bool:
    """Check whether the first row of a book is its title."""
    own = tuple(side.title for side in book.sides)
    return any(own) and book.chapters[0].rows[0].titles == own


def contents_list(
    book: Book, address: Callable[[int, int], str], *, joint: str = " "
) -> Iterator[str]:
    """Yield the table of contents as nested lists.

    `address` returns the address of a row of a chapter, or of a chapter (row -1), by their indices.
    `joint` stands between the titles of both languages.
    """
    depth = 0
    for entry in book.contents:
        if entry.depth > SCREEN_DEPTH:
            continue
        if entry.depth > depth:
            yield "<ol>" * (entry.depth - depth)
        else:
            yield "</li>" + "</ol></li>" * (depth - entry.depth)
        depth = entry.depth
        link = address(entry.chapter, entry.row)
        sides = book.sides if entry.row >= 0 else None
        yield f'<li><a href="{link}">{named_title(entry.titles, sides, joint=joint)}</a>'
    yield "</li></ol>" * depth + "\n"


def row_html(row: Row, sides: Sequence[Side], *, depth: int, anchor: str) -> str:
    """Return a row as HTML.

    `depth` is the depth of its headings, 0 without any. `anchor` is its id, which only rows with
    headings need.
    """
    numbers = _numbers(row)
    kind = f'class="row heading" id="{anchor}"' if depth else 'class="row"'
    parts = [f"<div {kind}>"]
    for name, blocks, side in zip("ab", row.sides, sides, strict=True):
        parts.append(f'<div class="{name}"{tag_of_language(side)}>')
        for group, each in groupby(blocks, _group):
            if group == "cell":
                parts += _table(list(each), numbers)
            elif group == "item":
                parts += _items(each, numbers)
            else:
                parts += [_block(block, numbers, depth) for block in each]
        parts.append("</div>")
    parts.append("</div>\n")
    return "".join(parts)


def _group(block: Block) -> str:
    return block.kind if block.kind in {"cell", "item"} else ""


def _block(block: Block, numbers: dict[int, int], depth: int) -> str:
    content, values = _content(block, numbers), _attributes(block)
    if block.kind == "heading":
        level = min(depth + 1, 6)
        return f"<h{level}{values}>{content}</h{level}>"
    if block.kind == "note":
        return f'<aside class="note" role="doc-footnote"><p{values}>{content}</p></aside>'
    kind = ' class="verse"' if block.kind == "verse" else ' class="on"' if block.goes_on else ""
    return f"<p{kind}{values}>{content}</p>"


def _items(blocks: Iterable[Block], numbers: dict[int, int]) -> Iterator[str]:
    yield "<ul>"
    for block in blocks:
        mark = " on" if block.goes_on else " n" if block.label else ""
        kind = f"d{min(max(block.level, 1), 6)}{mark}"
        yield f'<li class="{kind}"{_attributes(block)}>{_content(block, numbers)}</li>'
    yield "</ul>"


def _table(blocks: Sequence[Block], numbers: dict[int, int]) -> Iterator[str]:
    """Yield the cells as a table; a new row begins where the columns do not go on."""
    yield "<table><tbody><tr>"
    column = 0
    for k, block in enumerate(blocks):
        place = min(block.level, _COLUMNS)
        same = k > 0 and place > 1 and place == column
        if k and not same and place <= column:
            yield "</td></tr><tr>"
            column = 0
        elif k and not same:
            yield "</td>"
        if same:
            yield "<br/>"
        else:
            yield "<td></td>" * max(place - column - 1, 0)
            yield f"<td{_attributes(block)}>"
        column = place
        yield _content(block, numbers)
    yield "</td></tr></tbody></table>"


def _attributes(block: Block) -> str:
    """Return the label of a block, and its language where this is not that of the side."""
    label = f' data-label="{escape(block.label)}"' if block.label else ""
    if not block.lang:
        return label
    direction = "rtl" if is_right_to_left(block.lang) else "ltr"
    return f'{label} lang="{escape(block.lang)}" dir="{direction}"'


def _content(block: Block, numbers: dict[int, int]) -> str:
    return "".join(_sentence(each, numbers) for each in block.sentences)


def _sentence(sentence: Sentence, numbers: dict[int, int]) -> str:
    kinds = "".join(f" b{numbers[bead]}" for bead in sentence.beads if numbers[bead] < _LIGHTS)
    runs = sentence.runs
    text = escape(runs[0].text) if len(runs) == 1 and not any(runs[0][1:]) else _runs(runs)
    return f'{" " if sentence.space else ""}<span class="s{kinds}">{text}</span>'


def _runs(runs: Iterable[Run]) -> str:
    out = []
    for run in runs:
        if run.text == "\n":
            out.append("<br/>")
            continue
        html = escape(run.text)
        for style in reversed(run.styles):
            html = f"<{_TAGS[style]}>{html}</{_TAGS[style]}>"
        if run.link:
            html = f'<a href="{escape(run.link)}" rel="noopener noreferrer nofollow">{html}</a>'
        out.append(html)
    return "".join(out)


# What books keep that show the styles of characters: all formats of books but those that say more.
KEEPS = Capabilities.of(
    "texts borders empty_sides crossings gaps overlaps uncovered documents languages markup "
    "paragraphs",
    shows_codes=shows_codes,
)
FORMAT = Format(
    name="book-html",
    title="a book with facing columns, as one page of HTML",
    holds="text",
    suffixes=(".html", ".htm"),
    write=_write,
    keeps=KEEPS,
    names_languages=True,
    book=True,
)
