"""Pharaoh: word links, one sentence pair a line.

    0-0 1-1 2p3 3-2:0.9

An item is `i-j`: source word i and target word j, both counted from 0. `ipj` or `i?j` (or `i-jp`)
is a possible link, as in gold standards; `:` and a number after an item is its confidence. Line k
is sentence pair k: a 1-1 bisegment of segment k of both texts, with its links in the column
`words`. An empty line is a pair without links; the number of such pairs is noted.

A number after a tab, or after ` ||| ` as fast_align writes it, is the score of the pair; it is
read and not written.

The texts are not in the file. Where the user gives them (--src, --tgt, one sentence a line), they
must have as many lines, and no link may lie beyond the words of its sentence, which are separated
by blanks. Some files count from 1, as gold standards of shared tasks do. A file with a position 0
counts from 0; a file without, in which a link would lie just beyond the words of its sentence,
counts from 1, which is noted; any other is read as counting from 0, which is noted, too. `--base`
sets the base. In a file that counts from 1 a position 0 is no word: such links go into the column
`null_links`. The order of the sides is not in the file either: some tools write the target first
(--swap).

| kept | lost |
| --- | --- |
| word links, marks of possible links, confidences | texts, bead types other than 1-1 |
| a pair without links, as an empty line | the difference between no links and unknown links |
| | ids, scores, attributes, languages, the borders between documents |

On writing, line k is bisegment k, whatever its segments; positions count the words of its side.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.beads import ChunkPositions
from bitext.formats.columns import SCORE, score_of
from bitext.formats.line_files import head_lines, split_lines
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.word_links import SentencePairs, linked_values, links_of
from bitext.kernels.rows import prefix
from bitext.model.word_links import Link, PlainLinks, WordLinks, parse, plain_links
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from bitext.formats.io.source import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_ITEM = r"\d{1,9}[-p?]\d{1,9}p?(?::[-+.\deE]+)?"
_SCORED = rf"(?:(?:\t| \|\|\| )(?:{SCORE}))?"
_LINE = re.compile(rf"[ \t]*(?:{_ITEM}(?:[ \t]+{_ITEM})*)?[ \t]*{_SCORED}[ \t]*", re.ASCII)
_SCORE = re.compile(rf"(.*?)(?:\t| ?\|\|\| )({SCORE})[ \t]*", re.ASCII | re.DOTALL)


def _sniff(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip()]
    if len(lines) == 1 and len(head) > 1 << 12:
        lines[0] = lines[0].rpartition(" ")[0]  # the last item may be cut
    linked = any(re.match(rf"[ \t]*{_ITEM}", line) for line in lines)
    return 90 if linked and all(map(_LINE.fullmatch, lines)) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    pairs = _Pairs(source, options)
    waiting: list[tuple[list[str], int]] = []  # lines read before the base is known
    for first, block in source.blocks():
        lines = split_lines(block)
        for begin in range(0, len(lines), options.part_size):
            waiting.append((lines[begin : begin + options.part_size], first + begin))
            if pairs.detects_base(*waiting[-1]):
                yield from pairs.take_all(waiting)
    pairs.assume_base()
    yield from pairs.take_all(waiting)
    yield from pairs.rest()


class _Pairs(SentencePairs):
    """The sentence pairs of a file of Pharaoh."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._base = options.base
        self._evidence = ""  # the line that shows that positions count from 1
        self._waiting = 0  # pairs that were examined and not added
        self._first_linked = 0  # the first line with links

    def detects_base(self, lines: list[str], first: int) -> bool:
        """Return whether the base of positions is known, after examining further lines.

        A position 0 shows base 0, a position equal to the number of words of its sentence base 1.
        """
        if self._base is not None:
            return True
        links = plain_links("\n".join(["", *lines, ""])) or _parsed(lines)
        if links.src.size:
            row = np.repeat(np.arange(links.counts.size), links.counts)
            self._first_linked = self._first_linked or first + int(row[0])
            if not (links.src.all() and links.tgt.all()):
                self._base = 0
            else:
                begin = self.number + self._waiting
                sizes = self.words(len(lines), begin)
                for positions, known in zip((links.src, links.tgt), sizes, strict=True):
                    if known is None or known.size < links.counts.size:
                        continue
                    at = np.flatnonzero(positions == known[row])
                    if at.size:
                        line = first + int(row[at[0]])
                        self._base, self._evidence = 1, f"line {line}"
                        break
        self._waiting += len(lines)
        if self._base == 1:
            kind = (
                "files read as counted from 1, since none is 0 and some would lie beyond the last "
                f"word ({remedy('base 0', python='base=0')} if they count from 0)"
            )
            self._source.notes.add(kind, f"{self._source.path} {self._evidence}")
        # Without texts only a 0 is evidence, and lines before it are read with either base alike.
        return self._base is not None or not any(self.known)

    def assume_base(self) -> None:
        """Assume base 0, and note it, where the base is still unknown."""
        if self._base is None:
            self._base = 0
            if self._first_linked:
                kind = (
                    "files without a position 0, read as counted from 0 "
                    f"({remedy('base 1', python='base=1')} if they count from 1)"
                )
                self._source.notes.add(kind, f"{self._source.path} line {self._first_linked}")

    def take_all(self, waiting: list[tuple[list[str], int]]) -> Iterator[Bitext]:
        """Add the pairs of the waiting lines; yield parts."""
        for lines, first in waiting:
            self.take(lines, first)
            yield from self.parts()
        waiting.clear()
        self._waiting = 0

    def take(self, lines: list[str], first: int) -> None:
        """Add the pairs of lines; `first` is the number of the first line."""
        size = self.size()
        last = len(lines) - 1 if size is None else min(len(lines) - 1, size - self.number)
        self.room(self.number + last, first + last)
        if not self._take_evenly(lines, first):
            for number, line in enumerate(lines, first):
                self._take_line(line, number)

    def _take_line(self, line: str, number: int) -> None:
        score = None
        if "\t" in line or "|||" in line:
            scored = _SCORE.fullmatch(line)
            if scored:
                line, score = scored[1], score_of(scored[2])
        try:
            links = parse(line)
        except InputError as error:
            self._source.refuse(str(error), number)
            self.skip()
            return
        if not links:
            self._note_empty(number, 1)
        swap = remedy("swap", python="src= for tgt=", command="convert score compose")
        advice = "" if self._base else (
            f"give the text that was aligned, with the same words, exchange the sides ({swap}) if "
            f"they are exchanged, or say that it counts from 1 "
            f"({remedy('base 1', python='base=1')})"
        )  # fmt: skip
        if self._base:
            links = self._from_1(links, number)
        self.add(links, number, advice=advice, score=score)

    def _from_1(self, links: list[Link], number: int) -> list[Link]:
        """Convert links from base 1 to base 0; refuse a position 0 that contradicts base 1."""
        none = any(not link.src and not link.tgt for link in links)
        if none or (self._evidence and any(not (link.src and link.tgt) for link in links)):
            reason = "which is not a link where words count from 1"
            if self._evidence:
                reason = f"and {self._evidence} links beyond the last word unless they count from 1"
            raise self._source.error(
                f"links word 0{' with word 0' * none}, {reason}: say where they count from "
                f"({remedy('base 0', python='base=0')})",
                number,
            )
        return [link._replace(src=link.src - 1, tgt=link.tgt - 1) for link in links]

    def _take_evenly(self, lines: list[str], first: int) -> bool:
        """Add lines of plain valid links all at once; return whether that was possible."""
        plain = plain_links("\n".join(["", *lines, ""]))
        if plain is None:
            return False
        values = lines
        if self._base:
            if not (plain.src.all() and plain.tgt.all()):  # links to no word
                return False
            plain = plain._replace(src=plain.src - 1, tgt=plain.tgt - 1)
        if self._base or plain.possible.any():
            values = plain.spell()
        links = WordLinks(prefix(plain.counts), plain.src, plain.tgt, sure=~plain.possible)
        if links.src.size < plain.src.size:  # repeated links
            return False
        for side, sizes in zip((links.src, links.tgt), self.words(len(lines)), strict=True):
            if sizes is not None and (side >= sizes[links.pair]).any():
                return False
        void = np.flatnonzero(plain.counts == 0)
        if void.size:
            self._note_empty(first + int(void[0]), void.size)
        self.extend(values, range(first, first + len(lines)), links)
        return True

    def _note_empty(self, number: int, count: int) -> None:
        kind = "empty lines, taken as sentence pairs without word links"
        self._source.notes.add(kind, f"{self._source.path} line {number}", count)


def _parsed(lines: list[str]) -> PlainLinks:
    """Return the links of lines in any spelling; an unreadable line has none."""
    rows: list[list[Link]] = []
    for line in lines:
        try:
            scored = _SCORE.fullmatch(line)
            rows.append(parse(scored[1] if scored else line))
        except InputError:
            rows.append([])
    flat = [link for row in rows for link in row]
    src, tgt = (np.array([link[side] for link in flat], dtype=np.int64) for side in (0, 1))
    possible = np.array([link.possible for link in flat], dtype=np.bool_)
    return PlainLinks(np.array([len(row) for row in rows], dtype=np.int64), src, tgt, possible)


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - no option applies
) -> None:
    places = ChunkPositions()
    for bitext, values in linked_values(iter(bitexts), FORMAT.name):
        first = places.of(bitext).beads
        lines = "\n".join(["", *values, ""])
        plain = plain_links(lines)
        if plain is None or plain.possible.any():
            spelled = (
                " ".join(map(_spell, links_of(value, k))) for k, value in enumerate(values, first)
            )
            lines = "\n".join(["", *spelled, ""])
        out.write(lines[1:])


def _spell(link: Link) -> str:
    confidence = "" if link.confidence is None else f":{float(link.confidence)!r}"
    return f"{link.src}{'p' if link.possible else '-'}{link.tgt}{confidence}"


FORMAT = Format(
    name="pharaoh",
    title="word links i-j, one sentence pair a line (Pharaoh)",
    holds="positions",
    suffixes=(".pharaoh", ".gdfa", ".gdf", ".intersect", ".talp"),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Capabilities(words=True),
    streams=True,
    based=True,
)
