"""The layout of a book: aligned texts as chapters of facing paragraphs, for any format of books.

`make_book` turns bitexts into a `Book`, the same value for every format; a writer of a format goes
over its chapters, rows, blocks, sentences and runs, in this order:

| value | is |
| --- | --- |
| `Book` | a title, two sides (languages and directions), contents, and chapters |
| `Chapter` | a part of the book that begins with a heading, or a document pair; its rows in order |
| `Row` | facing blocks: the fewest of both texts such that no bead crosses the border of a row |
| `Block` | a heading, paragraph, list item, cell of a table, note or verse, or a piece of one |
| `Sentence` | a segment with the numbers of its beads, by which both sides are joined |
| `Run` | characters of one style: the inline codes that a book can show |

Blocks come from `Text.blocks`, else from the paragraphs of a text. A text without either is divided
like the other text; if neither text has any, each row is a bead. Cells of one row of a table are in
one row of the book.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from importlib.resources import files
from itertools import chain, pairwise
from pathlib import PurePath
from string import Template
from typing import NamedTuple

import numpy as np

from bitext.errors import InputError, many
from bitext.formats.beads import known_texts
from bitext.formats.documents.blocks import UNSPACED
from bitext.formats.registry import WriteOptions
from bitext.formats.xml import FORBIDDEN
from bitext.formats.xml.inline_codes import Piece, pieces
from bitext.kernels.arrays import Bools, Ints, Rows, row_of
from bitext.model import Bitext, Blocks, Text
from bitext.model.languages import is_right_to_left

STYLES = ("bold", "italic", "underline", "strike", "superscript", "subscript", "code", "small")


class Run(NamedTuple):
    r"""Characters of one style."""

    text: str  # the characters; `"\n"` alone is a line break
    styles: tuple[str, ...] = ()  # some of `STYLES`, in their order
    link: str = ""  # the address (`http:` or `https:`) of a link; else empty


class Sentence(NamedTuple):
    """A segment in a book."""

    runs: tuple[Run, ...]  # its characters
    # The numbers of its beads, from 0, each different from those of all other beads of the book.
    # Sentences of both sides with a number in common are translations of each other.
    beads: tuple[int, ...]
    # Whether a blank comes before it: not at the beginning of a block, and not between Chinese or
    # Japanese sentences.
    space: bool

    @property
    def text(self) -> str:
        """Its characters, without styles; line breaks are blanks."""
        return "".join(" " if run.text == "\n" else run.text for run in self.runs)


class Block(NamedTuple):
    """A block of one side in a row, or the piece of a block that is in the row."""

    kind: str  # one of `bitext.model.BLOCK_KINDS`
    # As in `bitext.model.Blocks`: of a heading or item from 1, the column of a cell, else 0.
    level: int
    lang: str  # its language as a BCP 47 code, where it is not that of the side; else empty
    goes_on: bool  # whether it continues the last block of its side in the row before
    sentences: tuple[Sentence, ...]  # one or more
    # The number of a note, as its references show it, the reference of a verse, or the number of an
    # item of an ordered list; empty for other blocks, and for a piece that goes on.
    label: str = ""

    @property
    def text(self) -> str:
        """Its characters, without styles."""
        parts = ((" " if each.space else "") + each.text for each in self.sentences)
        return "".join(parts)


class Row(NamedTuple):
    """Facing blocks."""

    # The blocks of the side that comes first in the book, and of the other; one may be empty.
    sides: tuple[tuple[Block, ...], tuple[Block, ...]]

    @property
    def level(self) -> int:
        """The level of the highest heading in the row; 0 without one."""
        levels = [block.level or 1 for block in chain(*self.sides) if block.kind == "heading"]
        return min(levels, default=0)

    @property
    def titles(self) -> tuple[str, str]:
        """The characters of the headings of both sides."""
        first, second = (
            " ".join(block.text for block in side if block.kind == "heading") for side in self.sides
        )
        return first, second


class Chapter(NamedTuple):
    """A part of a book: a file of an EPUB book, a new page in print."""

    # Its titles in both languages; empty before the first heading of a text.
    titles: tuple[str, str]
    # Whether the titles are the name of the document pair, which stands in none of its rows.
    is_named: bool
    rows: tuple[Row, ...]


class Entry(NamedTuple):
    """An entry of the table of contents."""

    depth: int  # from 1; at most one more than that of the entry before
    titles: tuple[str, str]  # in both languages; one may be empty
    chapter: int  # the index of its chapter
    row: int  # the index of the row with the heading in the chapter; -1 for the chapter itself


class Side(NamedTuple):
    """One of the two texts of a book."""

    lang: str  # its language as a BCP 47 code; empty if it is not known
    right_to_left: bool
    title: str  # the title in this language; may be empty


class Book(NamedTuple):
    """A bilingual book."""

    title: str  # never empty
    sides: tuple[Side, Side]  # the side that comes first (on the left, or above), and the other
    chapters: tuple[Chapter, ...]
    # All headings, and the names of document pairs without one, in order.
    contents: tuple[Entry, ...]


def asset(name: str) -> str:
    """Read a file of this folder: a style sheet, a script, a template."""
    return files("bitext.formats.books").joinpath(name).read_text(encoding="utf-8")


def template(name: str, values: Mapping[str, str]) -> str:
    """Read a template of this folder, with values in the places of their names.

    A line that begins with two blanks goes on with the line before.
    """
    return Template(asset(name).replace("\n  ", "")).substitute(values)


_CHAPTER = 1500  # characters of a chapter on average, at least: a page in print; set by hand
_SAMPLE = 2000  # characters that show the direction of a text of an unknown language, set by hand
_TAG = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


class _Pair(NamedTuple):
    name: str
    rows: list[Row]


def make_book(bitexts: Iterable[Bitext], options: WriteOptions, *, format: str) -> Book:  # noqa: A002 - the field's word for it
    """Lay out bitexts as one book; several document pairs become a chapter each.

    Raises `InputError` when a text is not known, a segment has a character that XML forbids, or
    there is no text.

    `format` is the name of the format, for messages.
    """
    pairs: list[_Pair] = []
    langs, titles, samples = ["", ""], ["", ""], ["", ""]
    beads, has_paragraphs = 0, False
    given = (options.src_lang, options.tgt_lang)
    turned = options.book.first == "tgt"
    for bitext in bitexts:
        texts = known_texts(bitext, format)
        if not bitext.continues or not pairs:
            pairs.append(_Pair(_name(bitext), []))
        for side, text in enumerate(texts):
            langs[side] = langs[side] or text.lang
            if text.blocks is not None and len(pairs) == 1:
                titles[side] = titles[side] or _allowed(text.blocks.title)
            if len(samples[side]) < _SAMPLE:
                samples[side] += " ".join(text.segments(0, _SAMPLE // 10))[:_SAMPLE]
        # A text in another language than its side, as of another document pair, has its own.
        own = [(given[k] or langs[k], given[k] or text.lang) for k, text in enumerate(texts)]
        by_bead = options.book.rows == "bead"
        pairs[-1].rows.extend(_rows(bitext, texts, beads, own, by_bead=by_bead))
        beads += len(bitext.alignment)
        has_paragraphs = has_paragraphs or any(
            text.blocks is not None or text.paragraphs is not None for text in texts
        )
    pairs = [pair for pair in pairs if pair.rows]
    if not pairs:
        raise InputError(f"{format}: there is no sentence to make a book of")
    if options.book.rows == "paragraph" and not has_paragraphs and options.notes is not None:
        options.notes.add("texts without paragraphs, whose rows are beads", pairs[0].name)
    if turned:
        for pair in pairs:
            pair.rows[:] = [Row((row.sides[1], row.sides[0])) for row in pair.rows]
    sides = []
    for requested, known, sample, title in zip(given, langs, samples, titles, strict=True):
        code = language_tag(requested or known)
        is_reverse = is_right_to_left(code) if code else _is_right_to_left(sample)
        sides.append(Side(code, is_reverse, title))
    if turned:
        sides.reverse()
    return _bound(pairs, (sides[0], sides[1]), _allowed(options.book.title))


def language_tag(code: str) -> str:
    """Return a language code as a BCP 47 tag; empty if it is none.

    Examples
    --------
    >>> [language_tag(code) for code in ("pt_BR", "en", "<b>", "")]
    ['pt-BR', 'en', '', '']

    """
    tag = code.replace("_", "-")
    return tag if _TAG.fullmatch(tag) else ""


def _is_right_to_left(sample: str) -> bool:
    """Compare the numbers of characters from right to left and from left to right."""
    kinds = [unicodedata.bidirectional(character) for character in sample]
    return kinds.count("R") + kinds.count("AL") > kinds.count("L")


def _name(bitext: Bitext) -> str:
    """Return the name of a document pair, without folders and ending."""
    name = bitext.name or bitext.meta.get("src_doc", "") or bitext.meta.get("path", "")
    return _allowed(PurePath(name).stem or name)


def _allowed(title: str) -> str:
    """Replace characters of a title that XML forbids."""
    return FORBIDDEN.sub("\ufffd", title)


# Rows: a cut between rows is a point (i, j) of units of both texts that no bead crosses.


class _Units(NamedTuple):
    """The units of one text that rows never divide: blocks or sentences."""

    starts: list[int]  # the first segment of each unit, and the number of segments
    unit_of: Ints  # the unit of each segment
    blocks: Blocks
    block_of: list[int]  # the block of each segment


def _units(text: Text, *, by_sentence: bool) -> _Units:
    size = len(text)
    blocks = text.blocks
    if blocks is None and text.paragraphs is not None and size:
        blocks = Blocks.of_paragraphs(text.paragraphs.boundaries.tolist())
    if blocks is None:
        blocks = Blocks.of_paragraphs(())
    begins = np.array(blocks.begins, dtype=np.int64)
    places = np.arange(size)
    block_of = np.searchsorted(begins, places, side="right") - 1
    if by_sentence or len(blocks) < 2:
        return _Units([*range(size + 1)], places, blocks, block_of.tolist())
    first = [k for k in range(len(blocks)) if not _continues_table_row(blocks, k)]
    starts = begins[first]
    unit_of = np.searchsorted(starts, places, side="right") - 1
    return _Units([*starts.tolist(), size], unit_of, blocks, block_of.tolist())


def _continues_table_row(blocks: Blocks, k: int) -> bool:
    """Check whether a block is in the same table row as the block before."""
    if k == 0 or blocks.kinds[k] != "cell" or blocks.kinds[k - 1] != "cell":
        return False
    before, column = blocks.levels[k - 1], blocks.levels[k]
    # A second paragraph of a cell has its column; in the first column it may be the next row.
    return 0 < before < column or before == column > 1


def _rows(
    bitext: Bitext,
    texts: tuple[Text, Text],
    before: int,
    langs: Sequence[tuple[str, str]],
    *,
    by_bead: bool,
) -> Iterator[Row]:
    """Yield the rows of a document pair.

    Its beads are numbered from `before`; `langs` are the languages of each side and of its text.
    """
    a = bitext.alignment
    src, tgt = (_units(text, by_sentence=by_bead) for text in texts)
    cuts = _cuts(
        _extents(a.src, src.unit_of), _extents(a.tgt, tgt.unit_of), len(src.starts) - 1,
        len(tgt.starts) - 1,
    )  # fmt: skip
    sides = [
        _SideLayout(text, units, rows, before, own)
        for text, units, rows, own in zip(texts, (src, tgt), (a.src, a.tgt), langs, strict=True)
    ]
    for (i, j), (next_i, next_j) in pairwise(cuts):
        first = sides[0].blocks(src.starts[i], src.starts[next_i])
        second = sides[1].blocks(tgt.starts[j], tgt.starts[next_j])
        if first or second:
            yield Row((first, second))


def _extents(rows: Rows, unit_of: Ints) -> tuple[Ints, Ints]:
    """Return the first and the last unit of each bead on a side; (-1, -2) if there is none."""
    count = len(rows.ptr) - 1
    first = np.full(count, len(unit_of), dtype=np.int64)
    last = np.full(count, -2, dtype=np.int64)
    beads, units = row_of(rows), unit_of[rows.idx]
    np.minimum.at(first, beads, units)
    np.maximum.at(last, beads, units)
    first[last < 0] = -1
    return first, last


def _cuts(
    src: tuple[Ints, Ints], tgt: tuple[Ints, Ints], rows: int, columns: int
) -> list[tuple[int, int]]:
    """Return the points between the smallest groups of units that no bead crosses.

    `src` and `tgt` are extents as `_extents` returns them, `rows` and `columns` the numbers of
    source and target units.
    """
    both = (src[1] >= 0) & (tgt[1] >= 0)
    # Between source units i - 1 and i, the target units of all beads before end at `low[i]`, and
    # those of all beads after begin at `high[i]`.
    low = np.zeros(rows + 1, dtype=np.int64)
    np.maximum.at(low, src[1][both] + 1, tgt[1][both] + 1)
    low = np.maximum.accumulate(low)
    high = np.full(rows + 1, columns, dtype=np.int64)
    np.minimum.at(high, src[0][both], tgt[0][both])
    high = np.minimum.accumulate(high[::-1])[::-1]
    open_rows = (~_crossed(src, rows) & (low <= high)).tolist()
    is_open = ~_crossed(tgt, columns)
    open_columns = is_open.tolist()
    # The next open column from each one on.
    following = np.where(is_open, np.arange(columns + 1), columns)
    nexts = np.minimum.accumulate(following[::-1])[::-1].tolist()
    lows, highs = low.tolist(), high.tolist()
    cuts = [(0, 0)]
    for i in range(1, rows + 1):
        if not open_rows[i]:
            continue
        last, j = cuts[-1]
        at = nexts[max(lows[i], j)]
        if at > highs[i]:
            continue
        # Target units that correspond to nothing come before the next source unit.
        cuts += [(last, k) for k in range(j + 1, min(highs[last], at) + 1) if open_columns[k]]
        cuts.append((i, at))
    last, j = cuts[-1]
    cuts += [(last, k) for k in range(j + 1, columns + 1) if open_columns[k]]
    return cuts


def _crossed(extents: tuple[Ints, Ints], size: int) -> Bools:
    """Mark the points between units that some bead crosses."""
    first, last = extents
    change = np.zeros(size + 2, dtype=np.int64)
    some = last >= 0
    np.add.at(change, first[some] + 1, 1)
    np.add.at(change, last[some] + 1, -1)
    return np.cumsum(change)[: size + 1] > 0


class _SideLayout:
    """The blocks of one text, by their segments."""

    def __init__(
        self, text: Text, units: _Units, rows: Rows, before: int, langs: tuple[str, str]
    ) -> None:
        self._text, self._units = text, units
        self._side_lang, self._lang = map(language_tag, langs)
        self._segments = list(text.segments())
        if text.line is not None and FORBIDDEN.search(text.line):
            self._refuse_forbidden()
        several: dict[int, list[int]] = {}  # the beads of segments in more than one
        self._beads: list[tuple[int, ...]] = [()] * len(text)
        beads = (row_of(rows) + before).tolist()
        for segment, bead in zip(rows.idx.tolist(), beads, strict=True):
            if self._beads[segment]:
                several.setdefault(segment, [*self._beads[segment]]).append(bead)
            else:
                self._beads[segment] = (bead,)
        for segment, numbers in several.items():
            self._beads[segment] = tuple(numbers)
        self._last = -1  # the block of the last row
        self._notes: dict[str, int] = {}  # the numbers of notes by their names

    def _refuse_forbidden(self) -> None:
        for k, segment in enumerate(self._segments):
            match = FORBIDDEN.search(segment)
            if match:
                raise InputError(
                    f"{self._text.name or 'the text'} sentence {k + 1}: has the character "
                    f"U+{ord(match[0]):04X}, which no book can show; take it out"
                )

    def blocks(self, first: int, last: int) -> tuple[Block, ...]:
        """Return the blocks of segments `first` up to `last`, without those of no characters."""
        units, out = self._units, []
        at = first
        while at < last:
            number = units.block_of[at]
            end = at
            while end < last and units.block_of[end] == number:
                end += 1
            places = [k for k in range(at, end) if self._segments[k].strip()]
            at = end
            if places:
                lang = language_tag(units.blocks.langs[number]) or self._lang
                own = "" if lang == self._side_lang else lang
                kind, level = units.blocks.kinds[number], units.blocks.levels[number]
                goes_on, self._last = number == self._last, number
                sentences = self._sentences(places)
                label = "" if goes_on else self._label(number)
                out.append(Block(kind, level, own, goes_on, sentences, label))
        return tuple(out)

    def _label(self, number: int) -> str:
        """Return the label of a block: that of a verse or an item, or the number of a note."""
        blocks = self._units.blocks
        label = blocks.labels[number] if blocks.labels else ""
        if label and blocks.kinds[number] == "note":
            return str(self._notes.setdefault(label, len(self._notes) + 1))
        return label

    def _sentences(self, places: Sequence[int]) -> tuple[Sentence, ...]:
        marked = self._text.marked
        segments = [self._segments[k] for k in places]
        codes = [None if marked is None else marked[k] for k in places]
        runs = block_runs(segments, codes, self._notes)
        spaces = [False, *(_is_spaced(a, b) for a, b in pairwise(segments))]
        beads = (self._beads[k] for k in places)
        return tuple(map(Sentence, runs, beads, spaces))


def _is_spaced(before: str, after: str) -> bool:
    """Check whether a blank separates two sentences."""
    return not (UNSPACED.match(before.rstrip()[-1:]) and UNSPACED.match(after.lstrip()[:1]))


# Chapters and contents.


class _Heading(NamedTuple):
    """A heading at a row of a chapter; the level of a document pair among several is 0."""

    level: int
    titles: tuple[str, str]
    chapter: int
    row: int


def _bound(pairs: Sequence[_Pair], sides: tuple[Side, Side], title: str) -> Book:
    """Divide document pairs into chapters; make the table of contents and the title."""
    chapters: list[Chapter] = []
    headings: list[_Heading] = []
    for pair in pairs:
        parts = _chapters(pair.rows) if len(pairs) == 1 else [pair.rows]
        for k, rows in enumerate(parts):
            number = len(chapters)
            titles = rows[0].titles if rows[0].level else ("", "")
            is_named = len(pairs) > 1 and not rows[0].level
            if is_named:
                titles = (pair.name, "")
                headings.append(_Heading(0, titles, number, -1))
            for place, row in enumerate(rows):
                if row.level:
                    begins_pair = len(pairs) > 1 and k == 0 and place == 0
                    level = 0 if begins_pair else row.level
                    headings.append(_Heading(level, row.titles, number, place))
            chapters.append(Chapter(titles, is_named, tuple(rows)))
    title_of = title or (_title(pairs, sides) if len(pairs) > 1 else "")
    if title_of:
        sides = (sides[0]._replace(title=""), sides[1]._replace(title=""))
    else:
        sides = _titled(sides, headings)
        titles_of = dict.fromkeys(side.title for side in sides if side.title)
        title_of = " · ".join(titles_of) or pairs[0].name or "Bitext"
    return Book(title_of, sides, tuple(chapters), tuple(_contents(headings)))


def _title(pairs: Sequence[_Pair], sides: tuple[Side, Side]) -> str:
    codes = ", ".join(side.lang for side in sides if side.lang)
    return f"{many(len(pairs), 'text')}{f' ({codes})' if codes else ''}"


def _titled(sides: tuple[Side, Side], headings: Sequence[_Heading]) -> tuple[Side, Side]:
    """Give the sides the titles of a first heading that is the only one of its level or above."""
    if not headings:
        return sides
    first = headings[0]
    if any(each.level <= first.level for each in headings[1:]):
        return sides
    one, other = (
        side if side.title else side._replace(title=heading)
        for side, heading in zip(sides, first.titles, strict=True)
    )
    return one, other


def _chapters(rows: list[Row]) -> list[list[Row]]:
    """Divide the rows of one document pair at its headings.

    Chapters begin with the headings of the highest level that has two or more, and of those above.
    A heading directly after another one, as that of a part or of the book, begins none. Where
    chapters would be shorter than a page on average, they are sections of one chapter.
    """
    levels = [row.level for row in rows]
    several = [level for level in sorted(set(levels)) if level and levels.count(level) > 1]
    if not several:
        return [rows]
    begins = [
        k for k, level in enumerate(levels)
        if 0 < level <= several[0] and k and not 0 < levels[k - 1] < level
    ]  # fmt: skip
    size = sum(len(block.text) for row in rows for block in row.sides[0])
    other = sum(len(block.text) for row in rows for block in row.sides[1])
    if max(size, other) < _CHAPTER * (len(begins) + 1):
        return [rows]
    return [rows[a:b] for a, b in pairwise([0, *begins, len(rows)])]


def _contents(headings: Iterable[_Heading]) -> Iterator[Entry]:
    """Yield the entries of headings by their levels; a level that no heading has is no depth."""
    levels: list[int] = []
    for level, titles, chapter, row in headings:
        while levels and levels[-1] >= level:
            levels.pop()
        levels.append(level)
        yield Entry(len(levels), titles, chapter, row)


# Inline codes as styles. The type of a code (as in TMX) or its tag of HTML names the style.

_TYPES = {
    "bold": "bold", "b": "bold", "strong": "bold", "italic": "italic", "i": "italic",
    "em": "italic", "cite": "italic", "dfn": "italic", "var": "italic", "u": "underline",
    "ins": "underline", "ulined": "underline", "dulined": "underline", "underlined": "underline",
    "s": "strike", "strike": "strike", "x-strike": "strike", "sup": "superscript",
    "superscript": "superscript", "x-sup": "superscript", "sub": "subscript",
    "subscript": "subscript", "x-sub": "subscript", "code": "code", "x-code": "code", "tt": "code",
    "kbd": "code", "samp": "code", "small": "small",
}  # fmt: skip
_HTML_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)\b[^<>]*>")
_ADDRESS = re.compile(r"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_ALT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_MARKDOWN_LINK = re.compile(r"\]\(\s*<?(https?://[^\s<>]+?)>?(?:\s[^()]*)?\)")
_MARKDOWN_IMAGE = re.compile(r"!\[([^\]]*)\]")
_WEB = re.compile(r"https?://[^\s<>\"'\\]+", re.IGNORECASE)
_BREAKS = re.compile(r"[\t\n\r]+")  # within characters with codes, shown as a blank
_HALF = "it"  # what ends half of a pair: the other half, wherever it is
# A reference to a note of a name: in Word and OpenDocument, and in Markdown.
_NOTE = re.compile(r'<note id="([^"<>]+)"/>|\[\^([^\]\s]+)\]')
_SHOWN = 40  # characters of a code that stands for text, as %s; set by hand


class _OpenCodes:
    """The open codes of a block, and the style of characters among them."""

    def __init__(self) -> None:
        self._styles: Counter[str] = Counter()
        self._links: dict[int, str] = {}  # by the number of the code, in order
        self._open: dict[str, list[int]] = {}  # numbers of codes by what ends them
        self._style_of: dict[int, str] = {}
        self._count = 0

    def begin(self, key: str, kind: str, native: str) -> None:
        """Begin a code that `key` will end."""
        self._count += 1
        self._open.setdefault(key, []).append(self._count)
        if style := _style_of(kind, native):
            self._styles[style] += 1
            self._style_of[self._count] = style
        if link := _link(native):
            self._links[self._count] = link

    def end(self, key: str) -> None:
        """End the code that began last by `key`, if there is one."""
        if numbers := self._open.get(key):
            number = numbers.pop()
            self._links.pop(number, None)
            if style := self._style_of.pop(number, ""):
                self._styles[style] -= 1

    def end_segment(self) -> None:
        """End the pairs of a segment: only halves (`it`) reach beyond it."""
        for key in [key for key in self._open if key != _HALF]:
            for _ in range(len(self._open[key])):
                self.end(key)
            del self._open[key]

    def run(self, text: str) -> Run:
        """Return characters in the style of the open codes."""
        styles = tuple(style for style in STYLES if self._styles[style])
        return Run(text, styles, next(reversed(self._links.values()), ""))


def block_runs(
    segments: Sequence[str], marked: Sequence[str | None], notes: dict[str, int] | None = None
) -> list[tuple[Run, ...]]:
    r"""Return the runs of each segment of a block; styles go on from one segment to the next.

    `marked` has the segments with their inline codes, as `Text.marked`. New names are added to
    `notes`, the numbers of notes by name, in the order of their references.

    Examples
    --------
    >>> block_runs(["One."], ['<bpt i="1">&lt;b&gt;</bpt>One<ept i="1"/>.'])
    [(Run(text='One', styles=('bold',), link=''), Run(text='.', styles=(), link=''))]

    """
    if not any(marked):
        return [(Run(_flat(segment)),) for segment in segments]
    opened = _OpenCodes()
    out: list[tuple[Run, ...]] = []
    for segment, xml in zip(segments, marked, strict=True):
        runs: list[Run] = []
        for piece in [Piece("text", segment)] if xml is None else pieces(xml):
            _read_piece(piece, opened, runs, notes)
        opened.end_segment()
        out.append(tuple(_joined_runs(runs)))
    return out


def _flat(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "\t" in text else text


def _read_piece(
    piece: Piece, opened: _OpenCodes, runs: list[Run], notes: dict[str, int] | None
) -> None:
    """Add the runs of a piece of a segment; begin or end its code."""
    kind, native, values = piece.kind, piece.text, piece.attributes
    meaning = values.get("type", "")
    if kind == "text":
        if native:
            runs.append(opened.run(_BREAKS.sub(" ", native)))
    elif kind == "bpt":
        opened.begin(f"i{values.get('i', '')}", meaning, native)
    elif kind == "ept":
        opened.end(f"i{values.get('i', '')}")
    elif kind == "hi":
        opened.begin("hi", meaning, "")
    elif kind == "/hi":
        opened.end("hi")
    elif kind == "it" and values.get("pos") == "begin":
        opened.begin(_HALF, meaning, native)
    elif kind == "it":
        opened.end(_HALF)
    elif (run := _stand_in(meaning, native, {} if notes is None else notes)) is not None:
        runs.append(run)


def _style_of(kind: str, native: str) -> str:
    """Return the style of a code by its type, else by its tag; empty for another one."""
    style = _TYPES.get(kind.lower(), "")
    if not style and (tag := _HTML_TAG.match(native)):
        style = _TYPES.get(tag[1].lower(), "")
    return style


def _link(native: str) -> str:
    """Return the web address that a code leads to; empty for other addresses."""
    match = _ADDRESS.search(native)
    address = unescape(match[1] or match[2] or "") if match else ""
    if not match and (written := _MARKDOWN_LINK.search(native)):
        address = written[1]
    return address if _WEB.fullmatch(address) else ""


def _stand_in(kind: str, native: str, notes: dict[str, int]) -> Run | None:
    """Return the run that a code without characters is shown as; `None` for nothing."""
    tag = _HTML_TAG.match(native)
    name = tag[1].lower() if tag else ""
    shown = " ".join(_HTML_TAG.sub("", native).split())
    if kind == "lb" or name == "br":
        return Run("\n")
    if kind == "fnote":
        if named := _NOTE.fullmatch(native):
            number = notes.setdefault(named[1] or named[2], len(notes) + 1)
            return Run(str(number), ("superscript",))
        return Run(_cut(shown), ("superscript",)) if shown and shown[0] != "\\" else None
    if kind == "image" or name == "img":
        match = _ALT.search(native) or _MARKDOWN_IMAGE.match(native)
        alt = unescape(next(filter(None, match.groups()), "")) if match else ""
        return Run(f"[{alt}]", ("italic",)) if alt else None
    if kind == "x-ruby":
        return Run(f"({shown})", ("small",)) if name == "rt" and shown else None
    if kind == "x-math":
        return Run(shown + " " * native.endswith(" "), ("code",))
    if tag or not native.strip() or native.lstrip()[0] in "<\\":
        return None
    return Run(_cut(native.strip()), ("code",))  # stands for text, as a variable


def _cut(code: str) -> str:
    return code if len(code) <= _SHOWN else f"{code[: _SHOWN - 1]}…"


def _joined_runs(runs: Iterable[Run]) -> Iterator[Run]:
    """Join neighbours of the same style."""
    last: Run | None = None
    for run in runs:
        if last is not None and "\n" not in (run.text, last.text) and run[1:] == last[1:]:
            last = last._replace(text=last.text + run.text)
            continue
        if last is not None:
            yield last
        last = run
    if last is not None:
        yield last


def shows_codes(xml: str) -> bool:
    """Check whether a book can show all inline codes of a segment.

    Examples
    --------
    >>> shows_codes('<bpt i="1" type="bold"/>a<ept i="1"/>')
    True
    >>> shows_codes('a<ph type="image">&lt;img src="a.png"/&gt;</ph>')
    False

    """
    for piece in pieces(xml):
        if piece.kind in {"bpt", "hi"} or (
            piece.kind == "it" and piece.attributes.get("pos") != "end"
        ):
            if not (_style_of(piece.attributes.get("type", ""), piece.text) or _link(piece.text)):
                return False
        elif piece.kind == "ph":
            kind = piece.attributes.get("type", "")
            run = _stand_in(kind, piece.text, {})
            shown = "" if run is None else run.text
            is_cut = len(shown) == _SHOWN and shown.endswith("…")
            if kind == "image" or "<img" in piece.text.lower() or not shown or is_cut:
                return False
    return True
