"""vecalign, Bertalign, SentAlign, gold of Bleualign: brackets of positions, one bisegment per line.

    [0, 1]:[2]:0.12

Positions count from 0. Some files count from 1: a file without a position 0 whose last position
lies just beyond both texts is read as such, which is noted; without texts the user sets `base`. The
number at the end is a cost (vecalign: lower is better) or a similarity (SentAlign: higher is
better), and is optional. `[]` is an empty side. Lines are in any order, so crossing, overlapping
and discontinuous bisegments can be represented; they are noted. Scores are written with six
decimals where these are exact. Tuples as Python prints them are read, too: `([0, 1], [2])`, also
with a score, with the brackets of a list around all, and several in a line; and a list of pairs as
JSON has them, `[[[0, 1], [2]], [[], [3]]]`. Lines of sentences (`SRC:`, `TGT:`), which vecalign
prints behind each bisegment if asked for texts, are left out and noted.

| kept | lost |
| --- | --- |
| bisegments of any segments, in any order; segments in none | the texts, ids, languages |
| scores | attributes, word links, the names of documents |

The texts have to be stored beside the file, so nothing in them is lost. One document pair a file.

A file in the usual spelling is parsed as one array of bytes. Any other file, and any with an
irregularity, is read line by line; the result is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import isnan, nan
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bitext.formats.beads import sizes_of
from bitext.formats.io.source import Source
from bitext.formats.line_files import MOST_SEGMENTS, first_repeat, no_segment, one_pair, split_lines
from bitext.formats.positions import note_oddities, over_positions
from bitext.formats.registry import Capabilities, Format, ReadOptions, WriteOptions
from bitext.formats.scores import SCORE, known_scores, score_of
from bitext.kernels.arrays import Bools, Floats, Ints, Rows, distinct, prefix, row_of
from bitext.model import Alignment, Bitext

# No possessive quantifiers: up to Python 3.11.4 they have a bug.
_NUMBER = r"\d{1,12}(?!\d)"  # so few digits that the conversion is cheap
_SIDE = rf"\[ *(?:{_NUMBER} *(?:, *{_NUMBER} *)*)?\]"
_LINE = re.compile(rf"({_SIDE}) *: *({_SIDE})(?: *: *({SCORE})?)?", re.ASCII)
_PAIR = rf" *({_SIDE}) *, *({_SIDE}) *(?:, *({SCORE}) *)?"
_TUPLE = re.compile(rf"\[?\({_PAIR}\) *,? *\]?", re.ASCII)
_MEMBER = re.compile(rf"\[? *\[{_PAIR}\] *,? *\]?", re.ASCII)  # of a list of JSON
_SENTENCE = re.compile(r"(?:SRC|TGT):(?!\S)")
_LISTED = re.compile(r"\s*\[\s*\[\s*\[")
_BETWEEN = re.compile(r"(?<=\)) *, *(?=\()|(?<=\]) *, *(?=\[ *\[)")  # pairs of one line
_DECIMAL = r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_EVEN = re.compile(rf"(?:{_SIDE}:{_SIDE}(?::{_DECIMAL})?\r?\n)+", re.ASCII)
_BLOCK = 1 << 14  # characters matched at a time, which bounds the memory of matching
_BLANKS = " \t\r\f\v"
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:\[[\d, ]*\] *: *\[[\d, ]*\]"
    rb"|\[?\( *\[[\d, ]*\] *, *\[[\d, ]*\] *[,)]"
    rb"|\[\s*\[\s*\[[\d, ]*\] *, *\[[\d, ]*\] *[],])"
)
_TORN = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[[\d, ]*(?:\] *: *\[[\d, ]*)?")
_MAX_FIRST_LINE = 4096  # bytes of a first line that may be cut

# State of the parser at a byte: 0 between, in a bracket, or after both brackets of a line.
_INSIDE, _BEHIND = 1, 2


# Bisegments by positions, as other formats have them, too.

_MOST_DIGITS = 12  # of a position; so few that the conversion is cheap


class PositionBeads:
    """Collects the bisegments of a file by the positions of their segments."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._members: tuple[list[int], list[int]] = ([], [])
        self._sizes: tuple[list[int], list[int]] = ([], [])
        self._scores: list[float] = []
        self.lines: list[int] = []  # of the bisegments
        self.line_of_zero = 0  # the line of the first position 0; 0 without one

    def add(
        self, number: int, sides: Sequence[Sequence[str]], score: float, *, noun: str = ""
    ) -> None:
        """Add the bisegment of a line; a wrong one is refused, where `noun` names a position."""
        if flaw := _flaw(sides, noun):
            self._source.refuse(flaw, number)
            return
        if not (sides[0] or sides[1]):
            no_segment(self._source, number)
            return
        for members, sizes, side in zip(self._members, self._sizes, sides, strict=True):
            positions = list(map(int, side))
            members.extend(positions)
            sizes.append(len(positions))
            if 0 in positions:
                self.line_of_zero = self.line_of_zero or number
        self._scores.append(score)
        self.lines.append(number)

    def positions(self) -> Positions:
        """Return all bisegments."""
        src, tgt = (
            Rows(prefix(np.array(sizes, dtype=np.int64)), np.array(members, dtype=np.int64))
            for members, sizes in zip(self._members, self._sizes, strict=True)
        )
        return Positions(src, tgt, np.array(self._scores), np.array(self.lines, dtype=np.int64))


class Positions(NamedTuple):
    """The bisegments of a file in the order of their segments there, and the line of each."""

    src: Rows
    tgt: Rows
    scores: Floats
    lines: Ints


def bitext_of_positions(source: Source, options: ReadOptions, positions: Positions) -> Bitext:
    """Return the bitext of positions that may count from 0 or 1."""
    src, tgt, scores, lines = positions
    alignment = Alignment.from_arrays(src, tgt, scores=known_scores(scores))
    note_oddities(source, alignment, lambda k: f"{source.path} line {lines[k]}")
    return over_positions(
        source,
        alignment,
        options,
        lambda k: int(lines[k]),
        lines=lines if options.lines else None,
        based=True,
    )


def _flaw(sides: Sequence[Sequence[str]], noun: str) -> str:
    """Return the error of the two sides of a bisegment; empty for none."""
    for side in sides:
        if len(set(side)) < len(side):
            again = first_repeat(side)
            again = f"the {noun} {again}" if noun else f"{again!r:.40}"
            return f"has {again} twice on a side; want each segment once"
        if any(len(name) > _MOST_DIGITS or int(name) >= MOST_SEGMENTS for name in side):
            far = max(side, key=lambda name: (len(name), name))
            return (
                f"has the position {far:.40}; want none from {MOST_SEGMENTS:,} on: check the "
                f"number, or divide the text"
            )
    return ""


def _sniff(head: bytes) -> int:
    if _HEAD.match(head):
        return 95
    return 60 if len(head) > _MAX_FIRST_LINE and _TORN.fullmatch(head) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    source.refuse_bare_returns()
    text = source.text()
    read = read_evenly(text)
    if read is None or _is_flawed(read.src) or _is_flawed(read.tgt):
        read = _read_lines(source, text)
    _note_unsorted(source, read)
    yield bitext_of_positions(source, options, read)


def read_evenly(text: str) -> Positions | None:
    """Parse a whole file in the usual spelling at once; `None` for any other file."""
    if not text.endswith("\n"):
        text += "\n"
    if not _is_even(text):
        return None
    data = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    # The state of each byte is the running sum of the steps at brackets and line ends.
    closing = np.flatnonzero(data == ord("]"))
    step = np.zeros(data.size, dtype=np.int8)
    step[data == ord("[")] = _INSIDE
    step[closing[0::2]] = -_INSIDE
    step[closing[1::2]] = _BEHIND - _INSIDE
    step[data == ord("\n")] = -_BEHIND
    state = np.cumsum(step, dtype=np.int8)
    first, values = _numbers(data, state == _INSIDE)
    sizes = np.diff(np.searchsorted(first, closing), prepend=0)
    if not (sizes[0::2] + sizes[1::2]).all():
        return None
    scores = _scores(data[state == _BEHIND])
    lines = np.arange(1, closing.size // 2 + 1)
    if np.isinf(scores).any():
        return None
    if scores.size == 0:
        scores = np.full(lines.size, nan)
    elif scores.size != lines.size:
        return None
    on_src = np.repeat(np.arange(closing.size) % 2 == 0, sizes)
    src = Rows(prefix(sizes[0::2]), values[on_src])
    tgt = Rows(prefix(sizes[1::2]), values[~on_src])
    return Positions(src, tgt, scores, lines)


def _is_even(text: str) -> bool:
    """Check whether all lines of a text with a final line end have the usual spelling."""
    begin = 0
    while begin < len(text):
        end = text.find("\n", min(begin + _BLOCK, len(text) - 1)) + 1
        if not _EVEN.fullmatch(text, begin, end):
            return False
        begin = end
    return True


def _numbers(data: NDArray[np.uint8], inside: Bools) -> tuple[Ints, Ints]:
    """Return the first byte and the value of each run of digits inside of brackets."""
    digit = data - np.uint8(ord("0"))  # other characters wrap around to 10 or more
    edges = np.flatnonzero(np.diff((digit < 10) & inside)) + 1
    first, sizes = edges[0::2], edges[1::2] - edges[0::2]
    values = np.zeros(first.size, dtype=np.int64)
    for place in range(int(sizes.max(initial=0))):
        longer = sizes > place
        values[longer] = values[longer] * 10 + digit[first[longer] + place]
    return first, values


def _scores(behind: NDArray[np.uint8]) -> Floats:
    """Return the numbers after the brackets; each follows a bracket and a colon."""
    separated = behind.copy()
    separated[(separated == ord("]")) | (separated == ord(":"))] = ord(" ")
    spelled = separated.tobytes().strip().decode("ascii")
    return np.fromstring(spelled, dtype=np.float64, sep=" ") if spelled else np.zeros(0)


def _read_lines(source: Source, text: str) -> Positions:
    """Read line by line; refuse or note bad lines."""
    beads = PositionBeads(source)
    pair = _MEMBER if _LISTED.match(text) else _TUPLE
    lines = (line.strip(_BLANKS) for line in split_lines(text))
    pieces = (
        (number, piece)
        for number, line in enumerate(lines, start=1)
        for piece in ([line] if _SENTENCE.match(line) else _BETWEEN.split(line))
    )
    for number, line in pieces:
        match = _LINE.fullmatch(line) or pair.fullmatch(line)
        if not match:
            if _SENTENCE.match(line) and beads.lines:
                source.note("lines of sentences (SRC:, TGT:), left out", line=number)
            elif line.strip():
                source.refuse(
                    f"is {line[:40]!r}; want brackets of positions, as [0, 1]:[2] or "
                    f"[0, 1]:[2]:0.12",
                    number,
                )
            continue
        score = score_of(match[3] or "")
        if score is None:
            flaw = f"has the score {match[3][:40]}, which is beyond the range of numbers"
            source.refuse(flaw, number)
            continue
        sides = [re.findall(r"\d+", side) for side in match.group(1, 2)]
        beads.add(number, sides, score, noun="index")
    return beads.positions()


def _is_flawed(rows: Rows) -> bool:
    """Check for a side with a repeated member, or with one beyond `MOST_SEGMENTS`."""
    row = row_of(rows)
    if rows.idx.max(initial=0) >= MOST_SEGMENTS:
        return True
    if (np.diff(rows.idx) + MOST_SEGMENTS * np.diff(row) > 0).all():  # ascending, the usual case
        return False
    order = np.lexsort((rows.idx, row))
    return bool(((np.diff(rows.idx[order]) == 0) & (np.diff(row[order]) == 0)).any())


def _note_unsorted(source: Source, positions: Positions) -> None:
    for rows in (positions.src, positions.tgt):
        row = row_of(rows)
        down = row[1:][(np.diff(rows.idx) < 0) & (np.diff(row) == 0)]
        if down.size:
            k = int(down[0])
            source.note(
                "sides with positions out of order",
                rows.row(k)[:8].tolist(),
                line=positions.lines[k],
                count=distinct(down).size,
            )


def _write(bitexts: Iterable[Bitext], out: IO[str], **_options: WriteOptions) -> None:
    src, tgt = 0, 0  # the numbers of segments in earlier parts
    for bitext in one_pair(bitexts, FORMAT.name):
        a = bitext.alignment
        sides = [
            _brackets(rows.idx + before, rows.ptr.tolist())
            for rows, before in ((a.src, src), (a.tgt, tgt))
        ]
        scores = [""] * len(a) if a.scores is None else map(_spell, a.scores.tolist())
        lines = zip(*sides, scores, strict=True)
        out.writelines(f"{one}:{other}{score}\n" for one, other, score in lines)
        sizes = sizes_of(bitext)
        src, tgt = src + sizes[0], tgt + sizes[1]


def _brackets(members: Ints, pointers: list[int]) -> list[str]:
    spelled = list(map(str, members.tolist()))
    return [f"[{', '.join(spelled[begin:end])}]" for begin, end in pairwise(pointers)]


def _spell(score: float) -> str:
    """Spell a score with six decimals as vecalign does, or exactly where six would change it."""
    if isnan(score):
        return ""
    usual = f"{score:.6f}"
    return f":{usual if float(usual) == score else repr(score)}"


_KEEPS = Capabilities.of(
    "borders empty_sides empty_segments crossings gaps overlaps uncovered scores breaks controls"
)

FORMAT = Format(
    name="vecalign",
    title="brackets of positions (vecalign, Bertalign, SentAlign)",
    holds="positions",
    suffixes=(".vecalign", ".align", ".path"),
    better="",
    based=True,
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=_KEEPS,
)
