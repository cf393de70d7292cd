r"""Unified Standard Format Markers (USFM), as Bibles are written in.

| markers | are |
| --- | --- |
| `\mt`, `\ms`, `\s`, `\c` with `\cl`, and their like | headings |
| `\v` | verses, each a block; text before the first verse is a paragraph |
| `\p`, `\q`, `\m` and other paragraphs | no borders within a verse |
| `\f`, `\fe`, `\x` | notes after the text; a code where they stand |
| `\wj`, `\add`, `\nd`, `\bd`, `\it` and other characters | codes |
| `\id`, `\h`, `\toc`, `\rem`, `\fig` and other remarks | left out |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.formats.documents.blocks import BlockBuilder, Code, Document, whole_number

if TYPE_CHECKING:
    from bitext.formats.io.source import Source

__all__ = ["read"]

_MARKER = re.compile(r"\\(\+?[a-z]+)(\d*)(?:-[se])?(?:(\*)|[ \t])?", re.ASCII)
_HEADINGS = {
    "mt": 1, "mte": 1, "imt": 1, "imte": 1, "ms": 2, "cl": 2, "cd": 3, "s": 3, "is": 3, "mr": 4,
    "r": 4, "sr": 4, "sp": 4, "d": 4, "qa": 4,
}  # fmt: skip
_LEFT_OUT_NAMES = (
    "id ide h toc toca rem sts usfm restore lit cp ca va vp fig z periph pubinfo ior iex rq xt"
)
_LEFT_OUT = frozenset(_LEFT_OUT_NAMES.split())
_PARAGRAPHS_NAMES = (
    "p m po pr cls pmo pm pmc pmr pi mi nb pc ph q qr qc qm qd b ib ip im ipi imi ipq imq ipr iq "
    "ie lh lf lim tr"
)
_PARAGRAPHS = frozenset(_PARAGRAPHS_NAMES.split())
_ITEMS = frozenset(("li", "ili", "io", "iot"))
_CELLS = frozenset(("th", "tc", "thr", "tcr"))
_NOTES = frozenset(("f", "fe", "ef", "x", "ex"))
_TYPES = {"bd": "bold", "it": "italic", "em": "italic", "bdit": "bold"}
_ORIGINS = frozenset(("fr", "xo", "fv", "fm"))  # markers in notes whose text is a reference
_ATTRIBUTES = re.compile(r"\|[^\\\n|]*+(?=\\)")
_CALLER = re.compile(r"\s*[+\-*\w]\s+")
_NUMBER = re.compile(r"\s*([\d\w,:.-]+)\s*")
_BREAK = "//"
_LONGEST_NOTE = 20_000  # characters, set by hand
_MOST_NESTED = 20  # markers of characters within each other, set by hand


def read(source: Source) -> Document:
    """Read a book in USFM."""
    reader = _UsfmReader()
    reader.read(source.plain_text().replace("\r\n", "\n"))
    return Document(tuple(reader.builder.blocks), "", reader.title)


class _UsfmReader:
    """Reads markers and the texts after them into blocks."""

    def __init__(self) -> None:
        self.builder = BlockBuilder()
        self.title = ""
        self._in_verse = self._in_note = False
        self._chapter = ""
        self._notes: list[str] = []
        self._skipped = ""  # the marker whose text is left out
        self._opened: list[str] = []  # markers of characters

    def read(self, text: str) -> None:
        """Read a book, and its notes after it."""
        text = _ATTRIBUTES.sub("", text.replace("~", "\u00a0").replace(_BREAK, " "))
        self._read_parts(text)
        self._end_block()
        self._in_note = True
        for note in self._notes:
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
                self._notes.append(text[caller.end() if caller else at : end])
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
        if name in _ORIGINS or name in _LEFT_OUT:
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
            if not nested or len(self._opened) >= _MOST_NESTED:
                self._close_codes()
            self.builder.open(Code(_TYPES.get(name, f"x-{name}"), f"\\{name} ", f"\\{name}*"))
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
