r"""Rich Text Format (RTF).

| in the document | is |
| --- | --- |
| paragraphs with an outline level, of their own or by their style (`heading 1`) | headings |
| paragraphs with a number or a bullet | items |
| paragraphs in a table | cells |
| drop caps | the beginning of the paragraph after them |
| lists to choose from, in forms | the chosen entry |
| footnotes and endnotes | notes after the text; a code where they stand |
| text boxes | blocks after the paragraph that they belong to |
| bold, italic, underlined, struck, raised and lowered text, links | codes, as HTML writes them |
| hidden and deleted text, heads and feet, comments | left out |

The language is the one that most characters declare.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from bitext.formats.documents.blocks import (
    COMMENTS,
    FIELD_OF_CONTENTS,
    FORMULAS,
    ITEM_NUMBER,
    OBJECTS,
    STYLES,
    BlockBuilder,
    Cell,
    Code,
    Document,
    Languages,
    declared_language,
    equation_of_field,
    link_of_field,
    names_of,
    note_code,
    read_bytes,
    style_level,
)
from bitext.formats.io.source import Source

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+"
    rb"|([^\\{}\r\n]+)"
)
_MOST_GROUPS = 1000  # groups within each other, as no document has; set by hand
_SKIPPED = names_of(
    "fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl "
    "footerr footerf annotation atnid atnauthor atrfstart atrfend atndate atnref xe tc rxe "
    "listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore "
    "latentstyles xmlnstbl pgdsctbl fldinst bkmkstart bkmkend pntext listtext ftnsep ftnsepc "
    "aftnsep aftnsepc nonshppict template operator filetbl private mmathPr userprops fchars lchars "
    "sp shprslt"
)
# Destinations that are read though programs may skip them (`\\*`): notes and text boxes.
_READ = frozenset(("footnote", "shptxt", "shpinst", "do", "dptxbxtext"))
_NOTED = {
    "annotation": COMMENTS,
    "object": OBJECTS,
    **dict.fromkeys(("moMath", "moMathPara"), FORMULAS),
}
_FLAGS = {  # of the state that a word sets
    "intbl": "in_table", "dropcapli": "drops", "shptxt": "is_box", "dptxbxtext": "is_box"
}  # fmt: skip
_CHARACTERS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "tab": " ", "emspace": " ", "enspace": " ", "qmspace": " ",
    "column": " ", "zwj": "\u200d", "zwnj": "\u200c",
}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "\u2011", b"-": ""}
_ESCAPED = frozenset((b"{", b"}", b"\\"))
_CODES = {
    "b": STYLES["bold"],
    "i": STYLES["italic"],
    "ul": STYLES["underline"],
    "strike": STYLES["strike"],
    "super": STYLES["superscript"],
    "sub": STYLES["subscript"],
}
_SYMBOL = "symbol"  # of fonts of symbols, whose bytes are no letters
# Code pages of Windows by the numbers of character sets of fonts.
_CHARSETS = {
    0: "cp1252", 2: _SYMBOL, 77: "mac-roman", 128: "cp932", 129: "cp949", 134: "cp936",
    136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_PAGES = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}
# Code pages of Mac OS, as Word for it has written them
_PAGES_OF_MAC = {
    10000: "mac-roman", 10006: "mac-greek", 10007: "mac-cyrillic", 10029: "mac-latin2",
    10079: "mac-iceland", 10081: "mac-turkish",
}  # fmt: skip
# Languages by the lower ten bits of their numbers (LCID).
_LANGUAGES = {
    1: "ar", 2: "bg", 3: "ca", 4: "zh", 5: "cs", 6: "da", 7: "de", 8: "el", 9: "en", 10: "es",
    11: "fi", 12: "fr", 13: "he", 14: "hu", 15: "is", 16: "it", 17: "ja", 18: "ko", 19: "nl",
    20: "no", 21: "pl", 22: "pt", 24: "ro", 25: "ru", 26: "hr", 27: "sk", 28: "sq", 29: "sv",
    30: "th", 31: "tr", 32: "ur", 33: "id", 34: "uk", 35: "be", 36: "sl", 37: "et", 38: "lv",
    39: "lt", 41: "fa", 42: "vi", 43: "hy", 45: "eu", 47: "mk", 54: "af", 55: "ka", 57: "hi",
    60: "ga", 62: "ms", 65: "sw", 69: "bn", 73: "ta", 82: "cy", 86: "gl",
}  # fmt: skip
# Words that declare a language, and the kind of script that it is of, as in `Languages`
_LANGUAGE_WORDS = {
    "lang": 0, "langnp": 0, "deflang": 0, "langfe": 1, "langfenp": 1, "deflangfe": 1, "alang": 2,
    "adeflang": 2,
}  # fmt: skip


@dataclass(slots=True)
class _State:
    """State of a group: inherited at its start, restored at its end."""

    skipped: bool = False
    # What collects skipped characters, as of the instruction of a field; `None`: nothing.
    collected: list[str] | None = None
    codes: frozenset[str] = frozenset()
    hidden: bool = False
    page: str = ""  # of the font; empty: that of the document
    after_unicode: int = 1  # characters to leave out after one in Unicode
    langs: Languages = ("", "", "")
    style: int = 0
    level: int = 0
    is_item: bool = False
    depth: int = 1  # of an item
    is_choice: bool = False  # between two spellings: in a code page, and in Unicode (`upr`)
    in_table: bool = False
    drops: bool = False  # a drop cap
    is_note: bool = False
    is_box: bool = False  # a text box
    link: Code | None = None


@dataclass(slots=True)
class _Tables:
    """The tables of fonts and styles, while they are read."""

    fonts: dict[int, str] = field(default_factory=dict)
    styles: dict[int, int] = field(default_factory=dict)  # levels of their headings
    kind: str = ""
    number: int = 0
    level: int = 0
    name: list[str] = field(default_factory=list)


def read(source: Source) -> Document:
    """Read a document in RTF."""
    data = read_bytes(source)
    reader = _RtfReader(source)
    reader.read(data)
    lang = max(reader.langs, key=reader.langs.__getitem__, default="")
    blocks = (*reader.builder.blocks, *reader.notes.blocks)
    return Document(blocks, lang, "", reader.widths)


class _RtfReader:
    def __init__(self, source: Source) -> None:
        self.builder = BlockBuilder()
        self.notes = BlockBuilder()
        self._boxes = BlockBuilder()  # text boxes of the open paragraph
        self.langs: Counter[str] = Counter()
        self.widths: dict[tuple[int, int], int] = {}  # the cells of each row of a table
        self._cell = Cell(0, 1, 1)  # the open cell, or the next one
        self._table_ended = True
        self._source = source
        self._state = _State()
        self._states: list[_State] = []
        self._page = "cp1252"
        self._tables = _Tables()
        self._bytes = bytearray()  # characters of a code page that are not decoded yet
        self._leave_out = 0  # characters after one in Unicode
        self._surrogate = ""
        self._instruction: list[str] = []
        self._number: list[str] = []  # of the open item, as its program shows it
        self._entries: list[list[str]] = []  # of a list in a form
        self._chosen: dict[str, int] = {}  # the number of the chosen entry, and of the default
        self._note_count = 0
        self._note = ""  # the name of the open note, until its first paragraph
        self._default_langs: Languages = ("", "", "")
        self._starred = False

    def read(self, data: bytes) -> None:
        """Read a document up to the end of its first group."""
        at = 0
        while match := _TOKEN.match(data, at):
            at = match.end()
            word, number, byte, symbol, brace, text = match.groups()
            if word is not None:
                self._flush()
                name = word.decode("ascii")
                if name == "bin":
                    at += max(int(number or 0), 0)
                else:
                    self._word(name, None if number is None else int(number))
            elif byte is not None:
                self._add_text(bytes([int(byte, 16)]))
            elif symbol is not None:
                self._symbol(symbol)
            elif brace == b"{":
                self._flush()
                self._begin_group()
            elif brace == b"}":
                self._flush()
                self._end_group()
                if not self._states:
                    break
            elif text is not None:
                self._add_text(text)
        self._flush()
        if self._states:
            raise self._source.error("is damaged: it ends in the middle; get the whole file")
        self.builder.flush()
        self.builder.blocks += self._boxes.blocks
        self.notes.flush()

    def _begin_group(self) -> None:
        if len(self._states) >= _MOST_GROUPS:
            raise self._source.error(
                f"has groups nested more than {_MOST_GROUPS:,} deep: save it anew"
            )
        self._states.append(replace(self._state))
        self._starred = False
        self._leave_out = 0
        if self._state.is_choice:
            self._state.is_choice, self._state.skipped = False, True

    def _end_group(self) -> None:
        if not self._states:
            return
        outer = self._states.pop()
        self._leave_out = 0
        choice = ""
        instructions = self._instruction
        if self._state.collected is instructions and outer.collected is not instructions:
            instruction = "".join(self._instruction)
            if FIELD_OF_CONTENTS.match(instruction):
                outer.skipped = True
                self._source.note("tables of contents, left out")
            outer.link = link_of_field(instruction) or outer.link
            self._instruction.clear()
            equation = None if outer.skipped else equation_of_field(instruction)
            if equation == "":
                self._source.note(FORMULAS)
                self._styled().code("<math/>", "x-math")
            choice = self._choice() or equation or ""
        if (self._state.is_note, self._state.is_box) != (outer.is_note, outer.is_box):
            self._end_paragraph()
        self._end_entry()
        if self._tables.kind and not outer.skipped:
            self._tables.kind = ""
        self._state = outer
        if choice and not outer.skipped:  # which the result of the field may repeat
            self._add_characters(choice)
            outer.skipped = True

    def _choice(self) -> str:
        """Return the entry that is chosen in a list of a form; empty without one."""
        entries, chosen = self._entries, self._chosen
        self._entries, self._chosen = [], {}
        numbers = (chosen.get(name, 0) for name in ("ffres", "ffdefres"))
        return next(("".join(entries[k]) for k in numbers if 0 <= k < len(entries)), "")

    def _end_entry(self) -> None:
        tables = self._tables
        if tables.kind == "stylesheet" and tables.name:
            name = "".join(tables.name).strip().strip(";")
            tables.styles[tables.number] = tables.level or style_level(name)
            tables.name.clear()
            tables.level = tables.number = 0

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._starred = True
            return
        if symbol in _ESCAPED:  # may be the second byte of a character
            self._add_text(symbol)
            return
        self._flush()
        if symbol in _SYMBOLS:
            self._add_characters(_SYMBOLS[symbol])
        elif symbol in {b"\n", b"\r"}:
            self._end_paragraph()

    def _word(self, name: str, number: int | None) -> None:
        state = self._state
        on = number is None or number != 0
        starred, self._starred = self._starred, False
        if name == "upr":
            state.is_choice = not state.skipped
        elif name == "ud" and starred:
            outer = self._states[-1] if self._states else state
            state.skipped = outer.skipped
        elif name in _SKIPPED or (starred and name not in _READ):
            if (kind := _NOTED.get(name)) and not state.skipped:
                self._source.note(kind)
            if kind in {FORMULAS, OBJECTS} and not state.skipped:
                code = ("<math/>", "x-math") if kind == FORMULAS else ("<img/>", "image")
                self._styled().code(*code)
            if name in {"fonttbl", "stylesheet"}:
                self._tables.kind = name
            self._collect(name)
            state.skipped = True
        elif name == "u" and (state.collected is not None or not state.skipped):
            self._unicode(number or 0)
        elif state.skipped:
            self._word_of_table(name, number)
        elif name in _CHARACTERS:
            self._add_characters(_CHARACTERS[name])
        elif name in _CODES:
            state.codes = state.codes | {name} if on else state.codes - {name}
        else:
            self._word_of_text(name, number)

    def _collect(self, name: str) -> None:
        """Choose what collects the characters of a destination that is skipped."""
        state = self._state
        state.collected = {"fldinst": self._instruction, "stylesheet": self._tables.name}.get(name)
        if name in {"listtext", "pntext"}:
            self._number.clear()
            state.collected = self._number
        elif name == "ffl":
            state.collected = []
            self._entries.append(state.collected)

    def _word_of_table(self, name: str, number: int | None) -> None:
        """Obey a control word in a table of fonts or styles, or in a list of a form."""
        tables = self._tables
        if name in {"ffres", "ffdefres"}:
            self._chosen[name] = number or 0
        if name == "f" and tables.kind == "fonttbl":
            tables.number = number or 0
        elif name == "fcharset" and tables.kind == "fonttbl":
            if number in _CHARSETS and (number or not self._page.startswith("mac")):
                tables.fonts[tables.number] = _CHARSETS[number]
        elif name == "s" and tables.kind == "stylesheet":
            tables.number = number or 0
        elif name == "outlinelevel" and tables.kind == "stylesheet":
            tables.level = (number or 0) + 1

    def _word_of_text(self, name: str, number: int | None) -> None:  # noqa: C901 - a list of words
        state = self._state
        value = number or 0
        if name in {"par", "sect", "page"}:
            self._end_paragraph()
        elif name in {"cell", "row", "nestcell", "nestrow"}:
            self._end_cell(name)
        elif name == "line":
            self._styled().line_break("<br/>")
        elif name == "pard":
            state.style = state.level = 0
            state.is_item = state.in_table = state.drops = False
            state.depth = 1
        elif name == "plain":
            state.codes, state.hidden, state.langs = frozenset(), False, self._default_langs
        elif name in {"ulnone", "nosupersub"}:
            state.codes -= {"ul"} if name == "ulnone" else {"super", "sub"}
        elif name == "s":
            state.style = value
        elif name == "outlinelevel":
            state.level = value + 1 if value < 9 else 0
        elif name in {"ls", "pnlvlblt", "pnlvlbody"}:
            state.is_item = name != "ls" or value > 0
        elif name == "ilvl":
            state.depth = min(value, 8) + 1
        elif name in _FLAGS:
            setattr(state, _FLAGS[name], True)
        elif name in {"v", "deleted"}:
            state.hidden = number is None or number != 0
            kind = "hidden text, left out" if name == "v" else "tracked changes, read as accepted"
            if state.hidden:
                self._source.note(kind)
        elif name == "footnote":
            self._note_count += 1
            self._note = str(self._note_count)
            self._styled().code(note_code(self._note), "fnote")
            state.is_note = True
        elif name == "f":
            state.page = self._tables.fonts.get(value, "")
        elif name == "uc":
            state.after_unicode = max(value, 0)
        elif name in _LANGUAGE_WORDS:
            langs = list(state.langs)
            langs[_LANGUAGE_WORDS[name]] = _LANGUAGES.get(value & 0x3FF, "")
            state.langs = (langs[0], langs[1], langs[2])
            if "def" in name:
                self._default_langs = state.langs
        elif name == "ansicpg":
            self._page = _page(value) or self._page
        elif name in _PAGES:
            self._page = _PAGES[name]

    def _end_cell(self, name: str) -> None:
        """End a cell or a row; go on to the next one of a table that is in no other."""
        self._state.in_table = True
        self._end_paragraph()
        self._state.in_table = name in {"cell", "nestcell"}
        table, row, column = self._cell
        if name == "cell":
            self._cell = Cell(table, row, column + 1)
            self.widths[table, row] = column
        elif name == "row":
            self._cell = Cell(table, row + 1, 1)

    def _unicode(self, number: int) -> None:
        unit = number & 0xFFFF
        if 0xD800 <= unit < 0xDC00:
            self._surrogate = chr(unit)
        elif 0xDC00 <= unit < 0xE000:
            if self._surrogate:
                both = (ord(self._surrogate) - 0xD800) * 0x400 + (unit - 0xDC00) + 0x10000
                self._add_characters(chr(both))
            self._surrogate = ""
        else:
            self._add_characters(chr(unit))
        self._leave_out = self._state.after_unicode

    def _add_text(self, text: bytes) -> None:
        cut = min(self._leave_out, len(text))
        self._leave_out -= cut
        state = self._state
        if not state.skipped or state.collected is not None:
            self._bytes += text[cut:]

    def _flush(self) -> None:
        """Decode the characters of the code page so far."""
        if self._bytes:
            page = self._state.page or self._page
            data = bytes(self._bytes)
            text = self._symbols(data) if page == _SYMBOL else data.decode(page, "replace")
            unknown = text.count("\ufffd") if page != _SYMBOL else 0
            if unknown and not self._state.skipped and not self._state.hidden:
                kind = f"bytes of RTF that are no characters of its code page ({page})"
                self._source.note(f"{kind}, read as U+FFFD", count=unknown)
            self._bytes.clear()
            self._add_characters(text)

    def _symbols(self, data: bytes) -> str:
        """Return characters of a font of symbols: bullets; others have no known letter."""
        unknown = sum(byte not in b" \xb7" for byte in data)
        if unknown and not self._state.skipped and not self._state.hidden:
            kind = "characters of RTF in fonts of symbols, whose letters are not known"
            self._source.note(kind, count=unknown)
        return "".join({0x20: " ", 0xB7: "•"}.get(byte, "\ufffd") for byte in data)

    def _add_characters(self, text: str) -> None:
        state = self._state
        self._leave_out = 0
        if state.skipped:
            if state.collected is not None:
                state.collected.append(text)
        elif not state.hidden:
            self._styled().text(text)
            self.langs[declared_language(text, state.langs, self._default_langs)] += len(text)

    def _styled(self) -> BlockBuilder:
        """Return the builder of the text or of the notes, with the codes of the state."""
        state, builder = self._state, self._open_builder()
        link = [state.link] if state.link is not None else []
        names = state.codes - {"ul"} if link else state.codes
        builder.style([*link, *(_CODES[name] for name in _CODES if name in names)])
        return builder

    def _open_builder(self) -> BlockBuilder:
        if self._state.is_note:
            return self.notes
        return self._boxes if self._state.is_box else self.builder

    def _end_paragraph(self) -> None:
        state = self._state
        if state.skipped or state.drops:  # with a drop cap the next paragraph goes on
            state.drops = False
            return
        level = state.level or self._tables.styles.get(state.style, 0)
        given: dict[str, Any] = {"kind": "paragraph"}
        if state.is_note:
            given = {"kind": "note", "label": self._note}
            self._note = ""  # its further paragraphs have none
        elif level:
            given = {"kind": "heading", "level": level}
        elif state.in_table:
            given = {"kind": "cell"}
        elif state.is_item:
            number = "".join(self._number).strip()
            label = number if ITEM_NUMBER.fullmatch(number) else ""
            given = {"kind": "item", "level": state.depth, "label": label}
        builder = self._open_builder()
        if builder is self.builder:
            self._number.clear()
            if state.in_table and self._table_ended:
                self._cell = self._cell._replace(table=self._cell.table + 1)
            self._table_ended = not state.in_table
            self.builder.cell = self._cell if state.in_table else None
        builder.flush_as(**given)
        if builder is self.builder and self._boxes.blocks:
            builder.blocks += self._boxes.blocks
            self._boxes.blocks.clear()


def _page(number: int) -> str:
    """Return the code page of a number; empty for an unknown one."""
    page = _PAGES_OF_MAC.get(number, f"cp{number}")
    try:
        codecs.lookup(page)
    except LookupError:
        return ""
    return page
