"""The value that documents are read into: blocks of characters in order, with inline codes.

A block is one unit of running text. A run of white space in a block is one blank, line breaks are
inline codes, and soft hyphens are left out. Blocks without a letter, digit or other
visible character are left out.

Inline codes are those of `bitext.formats.xml.inline_codes`. A code stands only where its characters
begin and end, so markup around nothing leaves no code; markup around several blocks is closed at
the end of each block and opened again in the next.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bitext.formats.io.source import Source
from bitext.formats.xml import escape_value
from bitext.formats.xml.inline_codes import Piece, marked, pieces
from bitext.lazy import late_pattern
from bitext.model.languages import is_right_to_left, main_language

LONGEST_LABEL = 60  # characters around the numbers of an item; longer ones are left out
# The number of an item in Word, where it is shown as text; `o` is a bullet
ITEM_NUMBER = late_pattern(r"(?!o$)[(\[]?\w{1,8}(?:[.)\]]\w{1,8}){0,8}[.)\]]?")
# The instruction of a field that is a table of contents, or of figures, in Word and RTF
FIELD_OF_CONTENTS = late_pattern(r"\s*TOC\b")
_LINK_FIELD = late_pattern(
    r'\s*HYPERLINK\b(?:\s+(?:"([^"]*)"|([^\s\\"][^\s"]*)))?(?:.*?\\l\s+(?:"([^"]*)"|(\S+)))?',
    re.IGNORECASE | re.DOTALL,
)
_EQUATION = late_pattern(r"\s*EQ\b", re.IGNORECASE)
# Characters below their reading, or in a circle: `EQ \o\ad(\s\up 9(とう),東)`, `EQ \o\ac(○,秘)`
_OVERLAID = late_pattern(
    r"\\o\s*(?:\\a[cdlr])?\s*\((?:\\s\\up\s*[\d.]*\([^()]*\)|[^(),;]*)[,;]\s*([^()]*)\)",
    re.IGNORECASE,
)
# Kinds of notes on what becomes codes in several formats
COMMENTS = "comments, left out"
HEADS = "running heads and feet of documents, left out"
FORMULAS = "formulas, as codes and not as text"
OBJECTS = "embedded objects (formulas, tables), as codes and not as text"
NUMBERED = "\u00a0"  # the label of a further block of an item that has a number: no bullet
XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_MOST_COLUMNS = 1000  # of a cell, as in HTML
_MOST_DIGITS = 4  # Python refuses to read very long numbers
_MOST_LEVELS = 9  # of headings and lists, as in Word
_SPACE = late_pattern(r"\s+")
# Kana, Han and their punctuation, between which a line end is not a blank.
UNSPACED = late_pattern(r"[\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_CONTROL = late_pattern(r"[\x00-\x08\x0e-\x1b\x7f\ufffe\uffff]")  # not allowed in XML


def names_of(spelled: str) -> frozenset[str]:
    """Return the names in a string, which has blanks between them."""
    return frozenset(spelled.split())


class Cell(NamedTuple):
    """The cell of a table in which a block stands; tables and rows count through the document."""

    table: int
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a document.

    Attributes
    ----------
    kind : str
        One of `bitext.model.BLOCK_KINDS`.
    text : str
        The characters. Line ends are kept only where lines are those of a page (PDF).
    marked : str or None
        The XML content of a block with inline codes, as in `Text.marked`.
    level : int
        The level of a heading, from 1, or the depth of a list item, from 1; the column of a cell of
        a table, from 1, where it is known; else 0.
    lang : str
        The language of the block, where it is declared.
    label : str
        The reference of a verse, as `3:16` or `3:1-2`; the name of a note, as its references have
        it (`<note id="2"/>`, `[^2]`); the number of an item of an ordered list, as it is shown
        (`3.`, `c)`), and `NUMBERED` in its further blocks.
    cell : Cell or None
        The cell of a table, in HTML, ODT and RTF.

    """

    kind: str
    text: str
    marked: str | None = None
    level: int = 0
    lang: str = ""
    label: str = ""
    cell: Cell | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its blocks in order, its declared language and its title.

    Attributes
    ----------
    blocks : tuple of Block
    lang : str
        The declared language of the document, as a BCP 47 code; empty without.
    title : str
    widths : dict of (int, int) to int
        The number of cells in each row of a table, by the numbers of both, where they are known.

    """

    blocks: tuple[Block, ...]
    lang: str = ""
    title: str = ""
    widths: dict[tuple[int, int], int] = field(default_factory=dict, compare=False)


class Code(NamedTuple):
    """Markup around characters: its type as in TMX, and the native code of both tags."""

    type: str
    begin: str
    end: str


# Styles of characters in DOCX, ODT and RTF, with tags of HTML as their native codes.
STYLES = {
    "bold": Code("bold", "<b>", "</b>"),
    "italic": Code("italic", "<i>", "</i>"),
    "underline": Code("ulined", "<u>", "</u>"),
    "strike": Code("x-strike", "<s>", "</s>"),
    "superscript": Code("x-sup", "<sup>", "</sup>"),
    "subscript": Code("x-sub", "<sub>", "</sub>"),
}


def link_code(address: str) -> Code:
    """Return the markup of a link, as HTML writes it."""
    return Code("link", f'<a href="{escape_value(address)}">', "</a>")


def link_of_field(instruction: str) -> Code | None:
    r"""Return the markup of a link that a field of Word or RTF is; `None` for other fields.

    Examples
    --------
    >>> link_of_field(r' HYPERLINK "a.html" \l "b" \o "Tip" ').begin, link_of_field(" PAGE ")
    ('<a href="a.html#b">', None)

    """
    match = _LINK_FIELD.match(instruction)
    if match is None:
        return None
    address, place = match[1] or match[2] or "", match[3] or match[4] or ""
    address = address.replace("\\\\", "\\") + (f"#{place}" if place else "")
    return link_code(address) if address else None


Languages = tuple[str, str, str]
"""Languages that a style declares: of Western, East Asian and complex scripts."""

_EAST_ASIAN = late_pattern(r"[\u1100-\u11ff\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_RIGHT_TO_LEFT = late_pattern(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_COMPLEX = late_pattern(r"[\u0590-\u109f\u1780-\u17ff\ufb1d-\ufdff\ufe70-\ufefc]")
_HEBREW = late_pattern(r"[\u0590-\u05ff]")
_LANGUAGES_OF_HEBREW = frozenset(("he", "iw", "yi"))
_LANGUAGES_OF_EAST_ASIA = frozenset(("zh", "ja", "ko", "yue"))
_LANGUAGES_OF_SOUTH_ASIA = names_of(
    "as bn bo brx dz gu hi km kn kok lo mai ml mni mr my ne or pa sa sat shn si ta te th"
)


def declared_language(characters: str, *given: Languages) -> str:
    """Return the language that is declared for the script of some characters; empty without.

    Word and OpenDocument declare three languages for any text, most of them by default. One for a
    kind of script is passed over if the characters are not in a script of this language, as
    Hebrew in a text whose complex scripts are Arabic by default.

    Parameters
    ----------
    characters : str
    *given : tuple of (str, str, str)
        The languages of the run, of its style and so on; the first that is given holds.

    Examples
    --------
    >>> default = ("en-US", "ja-JP", "ar-SA")
    >>> [declared_language(each, ("", "", ""), default) for each in ("It rained.", "雨。", "שלום")]
    ['en-US', 'ja-JP', '']

    """
    kind = 0
    if not characters.isascii():
        if 4 * len(_EAST_ASIAN.findall(characters)) >= len(characters):
            kind = 1
        elif 2 * len(_COMPLEX.findall(characters)) >= len(characters):
            kind = 2
    for k in (kind, 0) if kind else (0,):
        for each in given:
            if code := each[k]:
                if not kind or _is_in_script(characters, code, kind):
                    return code
                break
    return ""


def _is_in_script(characters: str, code: str, kind: int) -> bool:
    """Check whether East Asian characters, or those of a complex script, may be in a language."""
    language = main_language(code)
    if kind == 1:
        return language in _LANGUAGES_OF_EAST_ASIA
    if _RIGHT_TO_LEFT.search(characters) is None:
        return language in _LANGUAGES_OF_SOUTH_ASIA
    is_hebrew = _HEBREW.search(characters) is not None
    return is_right_to_left(code) and (language in _LANGUAGES_OF_HEBREW) == is_hebrew


def equation_of_field(instruction: str) -> str | None:
    r"""Return the characters of a field with a formula of Word or RTF; `None` for other fields.

    These are known where characters have a reading, or stand in a circle; else the string is empty.

    Examples
    --------
    >>> equation_of_field(r"EQ \o\ad(\s\up 9(とう),東)"), equation_of_field(r" EQ \f(1,2) ")
    ('東', '')

    """
    if not _EQUATION.match(instruction):
        return None
    match = _OVERLAID.search(instruction)
    return match[1].strip() if match else ""


def note_code(name: str) -> str:
    """Return the native code of a reference to a note, which `Block.label` names."""
    return f'<note id="{escape_value(name)}"/>'


class _Level(NamedTuple):
    kind: str
    level: int
    lang: str
    label: str = ""


class BlockBuilder:
    """Collects the blocks of a document from its texts and tags, in order.

    Examples
    --------
    >>> builder = BlockBuilder()
    >>> builder.begin("heading", level=1)
    >>> builder.text("The "); builder.open(Code("bold", "<b>", "</b>")); builder.text(" Mill ")
    >>> builder.close(); builder.end()
    >>> [block.text for block in builder.blocks], builder.blocks[0].marked
    (['The Mill'], 'The <bpt i="1" type="bold">&lt;b&gt;</bpt>Mill<ept i="1">&lt;/b&gt;</ept>')

    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.cell: Cell | None = None  # in which the next blocks stand
        self._levels: list[_Level] = [_Level("paragraph", 0, "")]
        self._pieces: list[Piece] = []
        self._last = ""  # the last character of the block so far
        self._space = ""  # the white space that is due before the next character
        self._codes: list[tuple[Code, int]] = []  # open ones, with their number; 0: not written yet
        self._number = 0

    def begin(self, kind: str = "", *, level: int = 0, lang: str = "", label: str = "") -> None:
        """Begin an element that is a block, or contains blocks; without a kind, of the outer."""
        self.flush()
        outer = self._levels[-1]
        same = outer if not kind else _Level(kind, level, outer.lang, label)
        self._levels.append(same._replace(lang=lang or outer.lang))

    def end(self) -> None:
        """End the element that began last."""
        self.flush()
        if len(self._levels) > 1:
            self._levels.pop()

    def text(self, characters: str) -> None:
        """Add characters; white space becomes one blank."""
        characters = _CONTROL.sub("", characters).translate(_INVISIBLE)
        inner = characters.strip()
        begin = characters.index(inner[0]) if inner else len(characters)
        self._add_space(characters[:begin])
        if not inner:
            return
        plain = _joined(inner) if "\n" in inner else _SPACE.sub(" ", inner)
        if (
            self._last
            and self._space
            and not (self._space == "\n" and UNSPACED.match(self._last) and UNSPACED.match(plain))
        ):
            self._pieces.append(Piece("text", " "))
        elif self._space and not self._last and self._pieces:
            last = self._pieces[-1]
            # The blank before a formula is in the text, and that behind in its code.
            if last.attributes.get("type") == "x-math":
                self._pieces[-1] = last._replace(text=f"{last.text} ")
        self._space = ""
        self._write_codes()
        self._pieces.append(Piece("text", plain))
        self._last = plain[-1]
        self._add_space(characters[begin + len(inner) :])

    def _add_space(self, space: str) -> None:
        if space:
            self._space = "\n" if "\n" in space else self._space or " "

    def open(self, code: Code) -> None:
        """Begin markup around the next characters."""
        self._codes.append((code, 0))

    def close(self) -> None:
        """End the markup that began last."""
        if self._codes:
            code, number = self._codes.pop()
            self._close_code(code, number)

    def _close_code(self, code: Code, number: int) -> None:
        if number:
            self._pieces.append(Piece("ept", code.end, {"i": str(number)}))

    def _write_codes(self) -> None:
        """Write the open codes that have had no characters yet."""
        for k, (code, number) in enumerate(self._codes):
            if not number:
                self._number += 1
                values = {"i": str(self._number), "type": code.type}
                self._pieces.append(Piece("bpt", code.begin, values))
                self._codes[k] = (code, self._number)

    def style(self, codes: Sequence[Code]) -> None:
        """End and begin markup, so that the markup of the next characters is `codes`."""
        known = [code for code, _ in self._codes]
        same = 0
        while same < min(len(known), len(codes)) and known[same] == codes[same]:
            same += 1
        for _ in known[same:]:
            self.close()
        for code in codes[same:]:
            self.open(code)

    def code(self, native: str, kind: str) -> None:
        """Add a code that stands alone, as for a picture."""
        if self._space and self._last and kind != "fnote":
            self._pieces.append(Piece("text", " "))
            self._last, self._space = "", ""
        self._pieces.append(Piece("ph", native, {"type": kind}))

    def line_break(self, native: str) -> None:
        """Add a line break: a code, and a blank in the characters; two of them end a paragraph."""
        if self._pieces and self._pieces[-1].attributes.get("type") == "lb":
            self.flush()
        elif self._last:
            self._pieces.append(Piece("ph", native, {"type": "lb"}))
            self._space = "\n"

    def flush_as(self, kind: str, level: int = 0, label: str = "") -> None:
        """End the block, whose kind is known only at its end."""
        self._levels.append(_Level(kind, level, self._levels[-1].lang, label))
        self.flush()
        self._levels.pop()

    def flush(self) -> None:
        """End the block, if it has visible characters; open markup continues in the next block."""
        for k in range(len(self._codes) - 1, -1, -1):
            code, number = self._codes[k]
            self._close_code(code, number)
            self._codes[k] = (code, 0)
        made, self._pieces = self._pieces, []
        self._last = self._space = ""
        self._number = 0
        text = "".join(piece.text for piece in made if piece.kind == "text")
        stripped = text.rstrip(" ")
        if not stripped:
            return
        if stripped != text:
            made = _without_last(made, len(text) - len(stripped))
        while made and made[-1].kind == "ph" and made[-1].attributes.get("type") == "lb":
            made.pop()
        kind, level, lang, label = self._levels[-1]
        level = level if kind == "cell" else min(level, _MOST_LEVELS)
        has_codes = any(piece.kind != "text" for piece in made)
        xml = marked(made) if has_codes else None
        self.blocks.append(Block(kind, stripped, xml, level, lang, label, self.cell))
        if label and kind == "item":
            self._levels = [
                outer._replace(label=NUMBERED) if outer.kind == "item" and outer.label else outer
                for outer in self._levels
            ]


def _without_last(made: list[Piece], blanks: int) -> list[Piece]:
    """Remove blanks at the end of the characters."""
    out = list(made)
    for k in range(len(out) - 1, -1, -1):
        if out[k].kind == "text" and blanks:
            text = out[k].text.rstrip(" ")
            blanks -= len(out[k].text) - len(text)
            out[k] = Piece("text", text)
    return [piece for piece in out if piece.kind != "text" or piece.text]


def _joined(characters: str) -> str:
    """Join lines by a blank, except between Chinese or Japanese characters."""
    out: list[str] = []
    for line in filter(None, map(str.strip, characters.split("\n"))):
        if out and not (UNSPACED.match(out[-1][-1]) and UNSPACED.match(line)):
            out.append(" ")
        out.append(_SPACE.sub(" ", line))
    return "".join(out)


_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MOST_LETTERS = 780  # numbers that Word shows as letters


def list_number(number: int, style: str, *, doubles: bool = False) -> str:
    """Return a number as an ordered list shows it; decimal where it has no other spelling.

    `style` is `1`, `a`, `A`, `i` or `I`, as in HTML, or `01`. With `doubles`, `z` is followed by
    `aa`, `bb`, as in Word, and else by `aa`, `ab`.

    Examples
    --------
    >>> [list_number(number, "a") for number in (3, 28)], list_number(28, "A", doubles=True)
    (['c', 'ab'], 'BB')
    >>> list_number(14, "i"), list_number(7, "01"), list_number(0, "i")
    ('xiv', '07', '0')

    """
    text = ""
    if style in {"i", "I"} and 0 < number < 4000:
        for value, letters in _ROMAN:
            text += letters * (number // value)
            number %= value
    elif style in {"a", "A"} and 0 < number <= _MOST_LETTERS:
        if doubles:
            text = chr(97 + (number - 1) % 26) * ((number - 1) // 26 + 1)
        else:
            while number:
                number, letter = divmod(number - 1, 26)
                text = chr(97 + letter) + text
    else:
        return f"{number:02}" if style == "01" else str(number)
    return text if style.islower() else text.upper()


class TableColumns:
    """Tracks the column of the open cell, in tables that may be in cells of others.

    Parameters
    ----------
    builder : BlockBuilder, optional
        Is given the cells of tables that are in no others.

    Attributes
    ----------
    column : int
        The column of the open cell, from 1; 0 outside of tables, and before the first cell.
    widths : dict of (int, int) to int
        As in `Document`.

    Examples
    --------
    >>> columns = TableColumns()
    >>> columns.begin_table(); columns.begin_row()
    >>> columns.begin_cell(2), columns.begin_cell()
    (1, 3)

    """

    def __init__(self, builder: BlockBuilder | None = None) -> None:
        self.column = 0
        self.widths: dict[tuple[int, int], int] = {}
        self._builder = builder
        self._outer: list[tuple[int, int]] = []
        self._next = 1
        self._table = self._row = 0

    @property
    def in_table(self) -> bool:
        """Whether a table is open."""
        return bool(self._outer)

    def begin_table(self) -> None:
        """Begin a table, perhaps in a cell of another one."""
        self._outer.append((self.column, self._next))
        self.column, self._next = 0, 1
        self._table += len(self._outer) == 1

    def end_table(self) -> None:
        """End the table that began last."""
        if self._outer:
            self.column, self._next = self._outer.pop()
        if self._builder is not None and not self._outer:
            self._builder.cell = None

    def begin_row(self) -> None:
        """Begin a row."""
        self._next = 1
        self._row += len(self._outer) == 1

    def begin_cell(self, span: int = 1) -> int:
        """Begin a cell over `span` columns; return the first of these."""
        if self._outer:
            self.column = self._next
            self._next += min(max(span, 1), _MOST_COLUMNS)
        if self._builder is not None and len(self._outer) == 1:
            self._builder.cell = Cell(self._table, self._row, self.column)
            self.widths[self._table, self._row] = self._next - 1
        return self.column


# Letters of the font Symbol, by the characters of Latin-1 with their codes (ISO 32000-1, annex D.5)
SYMBOL_LETTERS = dict(
    zip(
        map(chr, (*range(0x20, 0x60), *range(0x61, 0x7F), *range(0xA0, 0xBD), *range(0xBF, 0xE6),
                  0xF1, 0xF2)),
        " !∀#∃%&∋()∗+,-./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⟩∫",
        strict=True,
    )
)  # fmt: skip


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def raised(block: Block) -> str:
    """Return the text of a block, its superscript digits as superscript characters.

    Examples
    --------
    >>> xml = 'A.<bpt i="1" type="x-sup">&lt;sup&gt;</bpt>12<ept i="1">&lt;/sup&gt;</ept> B 3.'
    >>> raised(Block("paragraph", "A.12 B 3.", xml))
    'A.¹² B 3.'

    """
    xml = block.marked
    if xml is None or STYLES["superscript"].type not in xml:
        return block.text
    parts: list[str] = []
    opened: set[str] = set()  # numbers of the pairs of codes that are superscript and open
    for piece in pieces(xml):
        number = piece.attributes.get("i", "")
        if piece.kind == "bpt" and piece.attributes.get("type") == STYLES["superscript"].type:
            opened.add(number)
        elif piece.kind == "ept":
            opened.discard(number)
        elif piece.kind == "text":
            parts.append(piece.text.translate(_RAISED) if opened else piece.text)
    return "".join(parts)


def cut_at(xml: str, spans: Sequence[tuple[int, int]]) -> list[str | None]:
    """Split a block with codes into sentences, by their half-open spans; `None`: without codes.

    A code between two sentences goes with the sentence that it marks: one that begins markup with
    the next, any other with the last. A pair whose halves are in two sentences becomes two halves
    (`it`).

    Examples
    --------
    >>> cut_at('<bpt i="1"/>A. B<ept i="1"/>. C.', [(0, 2), (3, 5), (6, 8)])
    ['<it pos="begin"/>A.', 'B<it pos="end"/>.', None]

    """
    parts: list[list[Piece]] = [[] for _ in spans]
    begins: dict[str, tuple[int, int]] = {}  # number of a pair -> sentence, and index in it
    at, k = 0, 0
    last = len(spans) - 1
    for piece in pieces(xml):
        if piece.kind == "text":
            end = at + len(piece.text)
            while k < last and spans[k][1] <= at:
                k += 1
            j = k
            while j <= last and spans[j][0] < end:
                first, final = max(at, spans[j][0]), min(end, spans[j][1])
                if first < final:
                    parts[j].append(Piece("text", piece.text[first - at : final - at]))
                j += 1
            k = max(k, min(j - 1, last))
            at = end
            continue
        place = k
        if piece.kind == "bpt":
            while place < last and spans[place][1] <= at:
                place += 1
        else:
            while place > 0 and spans[place][0] >= at:
                place -= 1
        number = piece.attributes.get("i", "")
        if piece.kind == "bpt":
            begins[number] = (place, len(parts[place]))
        elif piece.kind == "ept" and number in begins:
            sentence, index = begins.pop(number)
            if sentence != place:
                parts[sentence][index] = _half(parts[sentence][index], "begin")
                piece = _half(piece, "end")
        parts[place].append(piece)
    return [marked(part) if any(piece.kind != "text" for piece in part) else None for part in parts]


def _half(piece: Piece, position: str) -> Piece:
    values = {key: value for key, value in piece.attributes.items() if key != "i"}
    return Piece("it", piece.text, {"pos": position, **values}, piece.inner)


def whole_number(text: str | None, default: int) -> int:
    """Return a whole number of at most four digits; `default` for other text.

    Examples
    --------
    >>> whole_number("12", 1), whole_number("", 1), whole_number("9" * 5000, 1)
    (12, 1, 1)

    """
    return int(text) if text and text.isdecimal() and len(text) <= _MOST_DIGITS else default


def note_counts(source: Source, counts: Mapping[str, int]) -> None:
    """Add a note on each kind of omitted or changed parts that occurs."""
    for kind, count in counts.items():
        if count:
            source.note(kind, count=count)


def style_level(name: str) -> int:
    """Return the level of headings in a style of Word or OpenDocument; 0 for other styles.

    Examples
    --------
    >>> [style_level(name) for name in ("heading 2", "Subtitle", "Body")]
    [2, 2, 0]

    """
    name = name.lower()
    if name.startswith("heading "):
        return whole_number(name[8:], 0)
    return {"title": 1, "subtitle": 2}.get(name, 0)


Ending = Callable[[], object]
"""What ends an element."""


class TreeReader(ABC):
    """Reads the elements and texts of a tree, which `walk` passes, into blocks.

    `left_out` counts omitted and changed parts by the kinds of their notes, and `langs` the
    characters by their declared language. With `cells`, blocks in tables have their cells.
    """

    def __init__(self, *, cells: bool = False) -> None:
        self.builder = BlockBuilder()
        self.left_out: Counter[str] = Counter()
        self.langs: Counter[str] = Counter()
        self.columns = TableColumns(self.builder if cells else None)

    @abstractmethod
    def start(self, element: Any) -> Ending | None:
        """Begin an element; return what ends it, or `None` to leave out what is in it."""

    def text(self, characters: str) -> None:
        """Read characters."""
        self.builder.text(characters)

    def document(self, source: Source, lang: str = "", title: str = "") -> Document:
        """Return the document, and add its notes.

        Without `lang` its language is the one that most characters declare.
        """
        note_counts(source, self.left_out)
        lang = lang.strip() or max(self.langs, key=self.langs.__getitem__, default="")
        blocks = tuple(self.builder.blocks)
        return Document(blocks, lang, " ".join(title.split()), self.columns.widths)


def end_nothing() -> None:
    """End an element that is nothing by itself."""


def read_bytes(source: Source) -> bytes:
    """Read a document as a whole; refuse one beyond the limit of size."""
    limit = source.limits.size
    data = source.stream.read(limit + 1)
    if len(data) > limit:
        raise source.error(f"is larger than {limit:,} bytes: take out pictures, or divide it")
    return data


def walk(root: Any, reader: TreeReader) -> None:
    """Pass the elements and texts of a tree to a reader, in order and without recursion."""
    import html

    end = reader.start(root)
    if end is None:
        return
    reader.text(root.text or "")
    opened: list[tuple[Any, Iterator[Any], Ending]] = [(root, iter(root), end)]
    while opened:
        element, children, end = opened[-1]
        child = next(children, None)
        if child is None:
            opened.pop()
            end()
            if opened and element.tail:
                reader.text(element.tail)
            continue
        if isinstance(child.tag, str):
            if (end := reader.start(child)) is not None:
                reader.text(child.text or "")
                opened.append((child, iter(child), end))
                continue
        elif (child.text or "").startswith("&"):  # a reference to an entity that HTML knows
            reader.text(html.unescape(child.text))
        if child.tail:
            reader.text(child.tail)
