"""Pharaoh: the links between the words of sentence pairs, one pair a line.

    0-0 1-1 2p3 3-2:0.9

An item is `i-j`: source word i and target word j, both counted from 0. `ipj` or `i?j` (or `i-jp`)
is a link that is only possible, as gold standards mark them; `:` and a number behind an item is its
confidence. Line k is sentence pair k: a bisegment 1-1 of segment k of both texts, its links in the
column `words`. An empty line is a pair whose words are not linked; how many there are is noted.

The texts are not in the file. Where they are named (--src, --tgt, one sentence a line), they must
have as many lines, and no link may go beyond the words of its sentence, parted at blanks. A file
without a position 0 may count from 1: without texts that is noted, nothing is changed. Which side
is the source is not told either: some tools write the target first.

| kept | lost |
| --- | --- |
| word links, those only possible, confidences | texts, and that a bisegment is not 1-1 |
| a pair without links, as an empty line | whether no links were found or none looked for |
| | ids, scores, attributes, languages, the borders between documents |

On writing, line k is bisegment k, whatever its segments; positions count the words of its side.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.inline import PART
from bitext.formats.lines import head_lines, split_lines
from bitext.formats.losses import Keeps
from bitext.formats.part_places import Places
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.word_pairs import SentencePairs, linked_values, links_of
from bitext.model.word_links import Link, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from numpy.typing import NDArray

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_ITEM = r"\d{1,9}[-p?]\d{1,9}p?(?::[-+.\deE]+)?"
_LINE = re.compile(rf"[ \t]*{_ITEM}(?:[ \t]+{_ITEM})*[ \t]*", re.ASCII)
_MARKS = re.compile("[p:]")
_DIGITS = 9  # of a position, which is bounded before it is made
_BITS = 20  # of a number that is packed with two others into one integer

_DASH, _BLANK, _END = b"- \n"


def _sniff(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip()]
    if len(lines) == 1 and len(head) > 1 << 12:
        lines[0] = lines[0].rpartition(" ")[0]  # it may be torn
    return 90 if lines and all(map(_LINE.fullmatch, lines)) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    pairs = _Pairs(source, options)
    for first, piece in source.blocks():
        lines = split_lines(piece)
        for begin in range(0, len(lines), PART):
            pairs.take(lines[begin : begin + PART], first + begin)
            yield from pairs.parts()
    pairs.note_no_zero()
    yield from pairs.rest()


class _Pairs(SentencePairs):
    """The sentence pairs of a file of Pharaoh."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._zero, self._linked = False, 0  # whether there is a 0; the first line with links

    def take(self, lines: list[str], first: int) -> None:
        """Add the pairs of some lines, of which the first has the number given."""
        size = self.size()
        last = len(lines) - 1 if size is None else min(len(lines) - 1, size - self.number)
        self.room(self.number + last, first + last)
        if not self._take_evenly(lines, first):
            for number, line in enumerate(lines, first):
                self._take_line(line, number)

    def _take_line(self, line: str, number: int) -> None:
        try:
            links = parse(line)
        except InputError as error:
            self._source.refuse(str(error), number)
            self.skip()
            return
        if links:
            self._look(number, zero=any(not (link.src and link.tgt) for link in links))
        else:
            self._note_empty(number, 1)
        advice = "" if self._zero else (
            "no position so far is 0: if the file counts from 1, subtract 1 from each first"
        )  # fmt: skip
        self.add(links, number, advice=advice)

    def _take_evenly(self, lines: list[str], first: int) -> bool:
        """Add lines that are spelled as usual and have nothing to tell, all at once."""
        text = "\n".join(["", *lines, ""])
        found = _numbers(text)
        if found is None:
            return False
        values, counts = found
        row = np.repeat(np.arange(counts.size), counts)
        src, tgt = values[0::2], values[1::2]
        if src.size:
            if int(values.max()) >> _BITS:
                return False
            packed = (((row << _BITS) | src) << _BITS) | tgt
            if np.unique(packed).size < packed.size:
                return False
        for side, sizes in zip((src, tgt), self.words(len(lines)), strict=True):
            if sizes is not None and (side >= sizes[row]).any():
                return False
        void = np.flatnonzero(counts == 0)
        if void.size:
            self._note_empty(first + int(void[0]), void.size)
        if src.size:
            self._look(first + int(row[0]), zero=not values.all())
        self.extend(lines, range(first, first + len(lines)))
        return True

    def _look(self, number: int, *, zero: bool) -> None:
        """Take down whether links have a position 0; the first of them stand on a line."""
        self._zero = self._zero or zero
        self._linked = self._linked or number

    def _note_empty(self, number: int, count: int) -> None:
        kind = "empty lines, taken as sentence pairs without word links"
        self._source.notes.add(kind, f"{self._source.path} line {number}", count)

    def note_no_zero(self) -> None:
        """Ask whether the file counts from 1, where the texts do not tell."""
        if self._linked and not self._zero and not any(self.known):
            self._source.notes.add(
                "files without a position 0 (do they count from 1? naming the texts would tell)",
                f"{self._source.path} line {self._linked}",
            )


def _numbers(text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Return all numbers of lines of `i-j`, and how many pairs of them each line has.

    The text begins and ends with a line end. `None` when anything else stands in it.
    """
    if not text.isascii():
        return None
    data = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    marks = np.flatnonzero(data - np.uint8(ord("0")) > 9)  # a byte below 0 wraps around
    kinds = data[marks]
    dash, end = kinds == _DASH, kinds == _END
    if not (dash | end | (kinds == _BLANK)).all():
        return None
    digits = np.diff(marks) - 1
    # Between two marks stands a number, with a dash on one side of it; or nothing, on no line.
    number = (digits > 0) & (digits <= _DIGITS) & (dash[1:] ^ dash[:-1])
    number &= (digits == 1) | (data[marks[:-1] + 1] != ord("0"))
    if not (number | ((digits == 0) & end[1:] & end[:-1])).all():
        return None
    counts = np.diff(np.cumsum(dash)[end])
    spelled = text.replace("-", " ")
    values = np.fromstring(spelled, dtype=np.int64, sep=" ") if dash.any() else np.zeros(0, int)
    return values, counts


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    places = Places()
    for bitext, values in linked_values(iter(bitexts), FORMAT.name):
        first = places.of(bitext).beads
        lines = "\n".join(["", *values, ""])
        if _numbers(lines) is None:
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
    keeps=Keeps(words=True),
    streams=True,
)
