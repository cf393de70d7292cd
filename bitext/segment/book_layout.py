"""The layout of a book in plain text: blocks of text, blank lines, headings and other boundaries.

A *block* is what stands between blank lines. These are boundaries, which no paragraph spans:

| what | as |
| --- | --- |
| a line `# doc: NAME` | the start of a chapter of that name |
| a form feed | |
| a line of three or more stars, dashes or the like; an asterism | `* * *` |
| a block of one or two short lines that is a heading | `CHAPTER IV`, `Drittes Kapitel`, `IX.` |
| a block of one short line in capitals | `THE FLOOD` |

What Project Gutenberg puts before and behind a book, up to `*** START OF` and from `*** END OF`,
stays as it is; a file may hold several books. The raw text of all the blocks, one after another, is
the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Block", "blocks_of", "heading_of"]

_LONGEST = 1 << 21  # characters of a block that is given in one piece

_DOC = re.compile(r"# doc:\s*(.*?)\s*$")
_RULE = re.compile(r"[ \t]*(?:(?:[*•⁂†#~=_–—-][ \t]*){3,}|⁂[ \t]*)\r?\n?$")
_FRAME = re.compile(r"\*\*\* ?(START|END) OF TH(?:E|IS) PROJECT GUTENBERG", re.IGNORECASE)
_GUTENBERG = re.compile(r"project gutenberg", re.IGNORECASE)
_HELD = 2000  # lines that the front of Project Gutenberg may have

_NUMBER = (
    r"(?:[ivxlcdm]+|\d+|the\s+\w+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty\S*|thirty\S*|first|"
    r"second|third|fourth|fifth|last|eins|zwei|drei|premier|première|primero|primo|первая)"
)
_UNIT = (
    r"(?:chapter|book|part|letter|volume|stave|act|scene|canto|section|kapitel|buch|teil|theil|"
    r"band|abschnitt|brief|akt|aufzug|szene|chapitre|livre|partie|tome|capítulo|capitulo|libro|"
    r"parte|capitolo|hoofdstuk|deel|boek|rozdział|глава|часть|книга|kapitola|luku)"
)
_HEADING = re.compile(
    rf"""(?:
      {_UNIT}\s+{_NUMBER}\b.{{0,80}}        # CHAPTER IV. The Flood
    | \S{{1,24}}\s+{_UNIT}\.?               # Drittes Kapitel
    | \d{{1,3}}\.\s+{_UNIT}\.?              # 3. Kapitel
    | (?:[IVXLCDM]+|\d{{1,3}})[.:)]?        # IX.
    | (?:[IVXLCDM]+|\d{{1,3}})[.:)]\s+[^.!?…,;:"“”„»«]{{1,60}}  # IX. The Flood
    | (?:prologue|epilogue|preface|introduction|contents|conclusion|postscript|dedication|
        prolog|epilog|vorwort|nachwort|einleitung|inhalt|schluss|widmung|
        prologue|épilogue|préface|prólogo|epílogo|prefacio)\.?
    | 第.{{1,8}}[章回节節部卷](?:\s*.{{0,40}})?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_HEADING = 120
_SMALL_ROMAN = re.compile(r"[ivxlcdm]+")


class Block(NamedTuple):
    """A piece of a book.

    Attributes
    ----------
    kind : str
        `text`, `blank` (lines), `heading`, `boundary` or `aside` (what is not of the book).
    raw : str
        Its characters, with line ends.
    name : str
        The chapter that it starts, of a heading.
    whole : bool
        Whether it ends here. A block of millions of characters comes in several pieces: text goes
        on when the next block is text too.

    """

    kind: str
    raw: str
    name: str = ""
    whole: bool = True


def blocks_of(
    lines: Iterable[str], *, by_line: bool = False, longest: int = _LONGEST
) -> Iterator[Block]:
    r"""Yield the blocks of a book.

    Parameters
    ----------
    lines : iterable of str
        Its lines with their line ends.
    by_line : bool
        Whether each line is a block: for text with one paragraph a line.
    longest : int
        Characters of a block of text from which it comes in several pieces.

    Examples
    --------
    >>> book = ["CHAPTER I\n", "\n", "It rained. We\n", "stayed.\n", "\n", "* * *\n"]
    >>> [(block.kind, block.raw) for block in blocks_of(book)]
    [('heading', 'CHAPTER I\n'), ('blank', '\n'), ('text', 'It rained. We\nstayed.\n'),
     ('blank', '\n'), ('boundary', '* * *\n')]

    """
    held: list[str] = []
    kind, size, begun = "", 0, False
    for line_kind, line in _kinds(lines):
        apart = line_kind in {"boundary", "doc"} or (by_line and line_kind == "text")
        if held and (apart or line_kind != kind):
            yield _block(kind, held, begun=begun)
            held, size, begun = [], 0, False
        kind = line_kind
        held.append(line)
        size += len(line)
        if apart:
            yield _block(kind, held)
            held, size = [], 0
        elif size > longest:
            yield Block(kind, "".join(held), whole=False)
            held, size, begun = [], 0, kind == "text"
    if held:
        yield _block(kind, held, begun=begun)


def heading_of(raw: str) -> str | None:
    r"""Return the words of a block if it is a heading, else `None`.

    Examples
    --------
    >>> heading_of("CHAPTER IV.\nThe Flood\n"), heading_of("Part of it was true.\n")
    ('CHAPTER IV. The Flood', None)

    """
    if len(raw) > _LONGEST_HEADING:
        return None
    lines = raw.strip().split("\n")
    words = " ".join(raw.split()).strip("_*=# ")
    if not words or len(lines) > 2:
        return None
    if _HEADING.fullmatch(words) and not _SMALL_ROMAN.fullmatch(words):
        return words
    letters = sum(sign.isalpha() for sign in words)
    ends = words[-1] in "!?…,;:\"'“”‘’«»-—" or (words[-1] == "." and " " not in words)
    if len(lines) == 1 and letters > 1 and words.upper() == words != words.lower() and not ends:
        return words
    return None


def _block(kind: str, held: list[str], *, begun: bool = False) -> Block:
    raw = "".join(held)
    if kind == "doc":
        named = _DOC.match(raw)
        return Block("heading", raw, "" if named is None else named[1])
    if kind == "text" and not begun:
        name = heading_of(raw)
        if name is not None:
            return Block("heading", raw, name)
    return Block(kind, raw)


def _kinds(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with its kind: `text`, `blank`, `boundary`, `doc` or `aside`."""
    held: list[str] | None = []  # lines of what may be the front of Project Gutenberg
    marked = behind = False
    for line in lines:
        frame = _FRAME.match(line.lstrip()) if "***" in line else None
        if behind:
            yield "aside", line
            behind = frame is None or frame[1].upper() != "START"  # another book in the file
            continue
        if frame is not None:
            if frame[1].upper() == "START":
                for front in held or ():
                    yield "aside", front
                held = None
            else:
                yield from _plain(held or ())
                held, behind = None, True
            yield "aside", line
            continue
        if held is None:
            yield from _plain((line,))
            continue
        held.append(line)
        # It names itself in its first lines, or is none.
        marked = marked or (len(held) <= 10 and _GUTENBERG.search(line) is not None)
        if len(held) > (_HELD if marked else 10):
            yield from _plain(held)
            held = None
    yield from _plain(held or ())


def _plain(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        *before, rest = line.split("\f")
        for part in before:
            if part:
                yield _kind(part), part
            yield "boundary", "\f"
        if rest:
            yield _kind(rest), rest


def _kind(line: str) -> str:
    if not line.strip():
        return "blank"
    if line.startswith("# doc:"):
        return "doc"
    return "boundary" if _RULE.match(line) else "text"
