"""Word links on a terminal: pair by pair, a row for each source word.

    bisegment 2: 5 and 4 words, 3 sure links ■ and 3 possible ones □
     0 She  │ ·■·· │ ■ 1 lui
     1 did  │ □··· │ □ 0 Peu
     2 not  │ □··· │ □ 0 Peu
     3 mind │ □·■· │ □ 0 Peu  ■ 2 importait
     4 .    │ ···■ │ ■ 3 .

In the middle stands the matrix of the links, where it fits: a column for each target word. To the
right are the target words of the row; those of no row stand in a line of their own.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Literal, NamedTuple

from bitext.model.word_links import COLUMN, NULL, NULLS, Link, parse, parse_nulls
from bitext.reports.table import many
from bitext.reports.table import width as columns_of
from bitext.reports.terminal import padded, painted, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.model import Bitext, Text

__all__ = ["link_lines"]

SURE, POSSIBLE, NONE = "■", "□", "·"

_LEAST = 40  # columns in all
_WORD = 24  # columns of a word, at most, and two of them with what is between in a narrow terminal
_BETWEEN = 24
_BESIDE = 38  # columns that a matrix leaves: rules, and an item to the right of it
_RTL = {"R", "AL", "AN"}


def link_lines(
    bitext: Bitext, *, first: int = 0, width: int = 100, colour: bool = False
) -> Iterator[str]:
    """Yield the lines of a bitext with word links, an empty one between bisegments.

    Sure and possible links have symbols of their own, with and without colour. Control characters
    are shown, not sent to the terminal; words written from right to left are isolated from their
    neighbours; wide characters take two columns.

    Parameters
    ----------
    bitext : Bitext
        One whose bisegments have a column `words`; without texts words are their positions.
    first : int
        The number of the first bisegment.
    width : int
        Columns of the terminal; 40 at least are used.
    colour : bool
        See `bitext.reports.terminal.wants_colour`.

    Raises
    ------
    InputError
        When a value is no list of links.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> links = Alignment([((0,), (0,))], attributes={"words": ["0-1 1-0p 1-2"]})
    >>> bitext = Bitext(Text(["Rain fell"]), Text(["Il plut hier"]), links)
    >>> for line in link_lines(bitext, width=60):
    ...     print(line)
    bisegment 0: 2 and 3 words, 2 sure links ■ and 1 possible □
    0 Rain │ ·■· │ ■ 1 plut
    1 fell │ □·■ │ □ 0 Il  ■ 2 hier

    """
    width = max(width, _LEAST)
    values = bitext.alignment.attributes.get(COLUMN) or [None] * len(bitext.alignment)
    nulls = bitext.alignment.attributes.get(NULLS) or [None] * len(values)
    sides = bitext.words()
    for k, value in enumerate(values):
        if k:
            yield ""
        src, tgt = (None if side is None else side[k] for side in sides)
        names = _names(bitext, k, first + k)
        if value is None:
            yield shortened(f"bisegment {first + k}{names}: no word links", width)
            for mark, words in (("<", src), (">", tgt)):
                if words:
                    yield f"{mark} {shortened(' '.join(words), width - 2)}"
            continue
        pair = _Pair(sorted(parse(value)), src, tgt)
        head = f"bisegment {first + k}{names}: {pair.sizes()}{pair.counts()}"
        yield painted(shortened(head, width), "quiet", colour=colour)
        yield from pair.lines(width, colour=colour)
        if nulls[k]:
            yield from pair.no_word(parse_nulls(nulls[k] or ""), width)


def _names(bitext: Bitext, k: int, number: int) -> str:
    """Return the identifiers of a bisegment in brackets, unless they are its number."""
    bead = bitext.alignment[k]

    def ids_of(text: Text | None, members: Sequence[int]) -> str:
        known = text.ids if text is not None and text.has_ids else None
        return " ".join(known[m] if known is not None else str(m) for m in members) or "-"

    if not any(text is not None and text.has_ids for text in (bitext.src, bitext.tgt)):
        return ""
    both = f"{ids_of(bitext.src, bead.src)} : {ids_of(bitext.tgt, bead.tgt)}"
    return "" if both == f"{number} : {number}" else f" ({shortened(both, 40)})"


class _Pair(NamedTuple):
    """The links of a bisegment, ascending, and the words of its sides where they are known."""

    links: list[Link]
    src: list[str] | None
    tgt: list[str] | None

    def size(self, side: Literal["src", "tgt"]) -> int:
        """Return the number of words, or of positions up to the last that is linked."""
        words = self.src if side == "src" else self.tgt
        positions = (link.src if side == "src" else link.tgt for link in self.links)
        return max(1 + max(positions, default=-1), len(words or ()))

    def sizes(self) -> str:
        known = [None if words is None else len(words) for words in (self.src, self.tgt)]
        if known == [None, None]:
            return ""
        src, tgt = ("?" if size is None else f"{size:,}" for size in known)
        return f"{src} and {tgt} words, "

    def counts(self) -> str:
        possible = sum(link.possible for link in self.links)
        sure = len(self.links) - possible
        if not possible:
            return f"{many(sure, 'link')}{f' {SURE}' if sure else ''}"
        return f"{many(sure, 'sure link')} {SURE} and {possible:,} possible {POSSIBLE}"

    def lines(self, width: int, *, colour: bool) -> Iterator[str]:
        rows: dict[int, list[Link]] = {}
        for link in self.links:
            rows.setdefault(link.src, []).append(link)
        shown = sorted({*range(len(self.src or ())), *rows})  # positions may be beyond the words
        room = min(_WORD, (width - _BETWEEN) // 2)
        digits = len(str(self.size("src") - 1))
        labels = [_label(k, self.src, room, digits) for k in shown]
        left = max(map(columns_of, labels), default=0)
        matrix = self.size("tgt")
        if matrix > width - left - _BESIDE:
            matrix = 0
        right = width - left - (matrix + 6 if matrix else 3)
        for k, label in zip(shown, labels, strict=True):
            found = rows.get(k, [])
            items = [self._item(link, room) for link in found]
            start = f"{padded(label, left)} │ "
            if matrix:
                start += f"{self._cells(found, matrix, colour=colour)} │ "
            blank = f"{' ' * left} │ " + (f"{' ' * matrix} │ " if matrix else "")
            for number, line in enumerate(_filled(items, right)):
                yield f"{blank if number else start}{line}".rstrip()
        yield from self._lone(width, room)

    def _cells(self, links: list[Link], size: int, *, colour: bool) -> str:
        cells = [NONE] * size
        for link in links:
            symbol = POSSIBLE if link.possible else SURE
            cells[link.tgt] = painted(
                symbol, "partly" if link.possible else "agreed", colour=colour
            )
        return "".join(cells)

    def _item(self, link: Link, room: int) -> str:
        symbol = POSSIBLE if link.possible else SURE
        confidence = "" if link.confidence is None else f" ({link.confidence:.4g})"
        return f"{symbol} {_label(link.tgt, self.tgt, room)}{confidence}"

    def no_word(self, links: list[Link], width: int) -> Iterator[str]:
        """Yield the words of either side that are linked to no word."""
        room = min(_WORD, (width - _BETWEEN) // 2)
        for start, words, positions in (
            ("source, to no word: ", self.src, [link.src for link in links]),
            ("target, to no word: ", self.tgt, [link.tgt for link in links]),
        ):
            symbols = [POSSIBLE if link.possible else SURE for link in links]
            items = [
                f"{symbol} {_label(at, words, room)}"
                for symbol, at in zip(symbols, positions, strict=True)
                if at != NULL
            ]
            for number, line in enumerate(_filled(items, width - len(start)) if items else ()):
                yield f"{' ' * len(start) if number else start}{line}"

    def _lone(self, width: int, room: int) -> Iterator[str]:
        """Yield the target words that no source word is linked to."""
        linked = {link.tgt for link in self.links}
        lone = [k for k in range(len(self.tgt or ())) if k not in linked]
        if lone:
            start = "no link: "
            items = [_label(k, self.tgt, room) for k in lone]
            for number, line in enumerate(_filled(items, width - len(start))):
                yield f"{' ' * len(start) if number else start}{line}"


def _label(k: int, words: list[str] | None, room: int, digits: int = 0) -> str:
    """Return a position, and its word where that is known, in so many columns."""
    if words is None or k >= len(words):
        return f"{k:>{digits}}"
    word = shortened(words[k], room)
    if any(unicodedata.bidirectional(character) in _RTL for character in word):
        word = f"\u2068{word}\u2069"
    return f"{k:>{digits}} {word}"


def _filled(items: list[str], room: int) -> Iterator[str]:
    """Yield lines of items, as many as fit side by side; one empty line for none."""
    line = ""
    for item in items:
        if line and columns_of(line) + 2 + columns_of(item) > room:
            yield line
            line = item
        else:
            line = f"{line}  {item}" if line else item
    yield line
