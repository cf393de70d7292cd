"""hunalign ladders: one rung a line, from (0, 0) to the lengths of the two texts.

    0	0	0.3
    2	1	0.48
    2	2	-0.3

Rung (i, j) says that the first i source and the first j target segments correspond. A bisegment
is what lies between a rung and the next, and its score is that of the rung where it starts.
Numbers never decrease; a rung twice is no bisegment, and is noted. Columns are parted by tabs, in
ladders made by hand by blanks, and the score may be left out. The line of a bisegment is that of
the rung where it starts; an error of its positions is told at the rung where it ends.

| kept | lost | cannot be said (an error) |
| --- | --- | --- |
| which neighbours belong together | the texts, ids, languages | gaps, crossings, overlaps |
| scores | attributes, word links, document names | segments in no bisegment |

Bisegments in another order than that of the texts are put into it. The texts have to be kept
beside the file; nothing in them is lost by it. One document pair a file.

Written with scores, every line has three columns: `nan` for no score, 0 on the last rung, where
no bisegment starts.
"""

from __future__ import annotations

import re
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.lines import MOST_SEGMENTS, SCORE, head_lines, known_scores, one_pair, score_of
from bitext.formats.losses import Keeps
from bitext.formats.registry import Format, ReadOptions, WriteOptions
from bitext.formats.texts import over_positions, shown
from bitext.kernels.rows import Rows, row_of
from bitext.model import Alignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from numpy.typing import NDArray

    from bitext.formats.opening import Source
    from bitext.model import Bitext, Text

__all__ = ["FORMAT"]

_DEFAULT = WriteOptions()

_NUMBER = r"(\d{1,12})"
_RUNG = re.compile(rf"[ \t]*{_NUMBER}[ \t]+{_NUMBER}(?:[ \t]+({SCORE}))?[ \t]*", re.ASCII)
_LIKE_RUNG = re.compile(rf"[ \t]*{SCORE}[ \t]+{SCORE}(?:[ \t]+{SCORE})?[ \t]*", re.ASCII)
_ELSEWHERE = "choose a format that can, as vecalign"


def _sniff(head: bytes) -> int:
    lines = [line for line in head_lines(head) if line.strip()]
    first = _RUNG.fullmatch(lines[0]) if lines else None
    if first and not (int(first[1]) or int(first[2])):
        # What begins as a ladder is one, if also with numbers that no ladder can have.
        return 90 if all(map(_LIKE_RUNG.fullmatch, lines)) else 0
    return 35 if lines and all(map(_RUNG.fullmatch, lines)) else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    src, tgt, scores, lines, lost = _read_rungs(source)
    steps = np.diff(src), np.diff(tgt)
    taken = (steps[0] > 0) | (steps[1] > 0)
    void = np.flatnonzero(~taken)
    if void.size:
        source.notes.add(
            "rungs that repeat the one before, left out",
            f"{source.path} line {lines[void[0] + 1]}: {src[void[0]]} {tgt[void[0]]}",
            void.size,
        )
    last = lines[np.append(0, np.flatnonzero(taken) + 1)]
    alignment = Alignment.from_arrays(
        (np.append(0, src[1:][taken]), np.arange(src[-1])),
        (np.append(0, tgt[1:][taken]), np.arange(tgt[-1])),
        scores=known_scores(scores[:-1][taken]),
    )
    begins = lines[:-1][taken]
    if lost:
        # Between the rungs around a bad one are several bisegments, and which is not known.
        kept = ~np.isin(np.flatnonzero(taken), lost)
        alignment, begins, last = alignment.select(kept), begins[kept], last[np.append(True, kept)]
    yield over_positions(
        source,
        alignment,
        options,
        lambda k: int(last[k + 1]),  # of no bisegment at all, -1 asks for the only rung
        whole=(int(src[-1]), int(tgt[-1])),
        lines=begins if options.lines else None,
    )


def _read_rungs(
    source: Source,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], list[int]]:
    """Return the two columns, the scores and the lines of the rungs, checked.

    Last come the numbers of those behind which a line is left out that is no rung.
    """
    lost: list[int] = []
    src: list[int] = []
    tgt: list[int] = []
    scores: list[float] = []
    lines: list[int] = []
    match = _RUNG.fullmatch
    for number, line in enumerate(source.lines(), start=1):
        found = match(line)
        if found:
            i, j, score = found.groups()
            src.append(int(i))
            tgt.append(int(j))
            known = score_of(score or "")
            if known is None:
                source.refuse(f"has the score {score[:40]}, which no number can hold", number)
            scores.append(nan if known is None else known)
            lines.append(number)
        elif line.strip():
            source.refuse(
                f"is {line[:40]!r}; want a rung: two whole numbers, and a score or none, as "
                f"'2 1 0.48'",
                number,
            )
            lost.append(len(lines) - 1)
    rungs = np.array([src, tgt], dtype=np.int64)
    _check(source, rungs, lines)
    return rungs[0], rungs[1], np.array(scores), np.array(lines), lost


def _check(source: Source, rungs: NDArray[np.int64], lines: list[int]) -> None:
    if not lines:
        raise source.error("holds no rung; want a first line '0 0'")
    if rungs[:, 0].any():
        raise source.error(
            f"the first rung is {_spell(rungs, 0)}; want 0 0; if the ladder counts from 1, take 1 "
            f"from each number, otherwise put a first line '0 0'",
            lines[0],
        )
    down = np.flatnonzero((np.diff(rungs) < 0).any(axis=0))
    if down.size:
        k = int(down[0])
        raise source.error(
            f"rung {_spell(rungs, k + 1)} comes after {_spell(rungs, k)}; want numbers that never "
            f"decrease: a ladder cannot say crossings",
            lines[k + 1],
        )
    far = np.flatnonzero((rungs > MOST_SEGMENTS).any(axis=0))
    if far.size:
        raise source.error(
            f"rung {_spell(rungs, int(far[0]))} goes beyond {MOST_SEGMENTS} segments; check "
            f"the number, or divide the text",
            lines[far[0]],
        )


def _spell(rungs: NDArray[np.int64], k: int) -> str:
    return f"{rungs[0, k]} {rungs[1, k]}"


def _write(
    bitexts: Iterable[Bitext],
    out: IO[str],
    *,
    options: WriteOptions = _DEFAULT,  # noqa: ARG001 - nothing of them matters here
) -> None:
    last, scored = (0, 0), False
    for bitext in one_pair(bitexts, FORMAT.name):
        alignment = _ladder_of(bitext)
        scored = scored or alignment.scores is not None
        src = (alignment.src.ptr + last[0]).tolist()
        tgt = (alignment.tgt.ptr + last[1]).tolist()
        last = src.pop(), tgt.pop()  # where the next part begins
        rungs = zip(src, tgt, strict=True)
        if not scored:
            out.writelines(f"{i}\t{j}\n" for i, j in rungs)
            continue
        known = [nan] * len(alignment) if alignment.scores is None else alignment.scores.tolist()
        lines = zip(rungs, known, strict=True)
        out.writelines(f"{i}\t{j}\t{score!r}\n" for (i, j), score in lines)
    out.write(f"{last[0]}\t{last[1]}\t0\n" if scored else f"{last[0]}\t{last[1]}\n")


def _ladder_of(bitext: Bitext) -> Alignment:
    """Return the alignment with its bisegments in the order of the texts, all of them covered."""
    given = bitext.alignment
    alignment = given
    if not (_unbroken(given.src) and _unbroken(given.tgt)):
        alignment = given.select(_order(given))
    for side, rows, text in (
        ("source", alignment.src, bitext.src),
        ("target", alignment.tgt, bitext.tgt),
    ):
        _require_cover(alignment, side, rows, text)
    return alignment


def _require_cover(alignment: Alignment, side: str, rows: Rows, text: Text | None) -> None:
    wrong = np.flatnonzero(rows.idx != np.arange(rows.idx.size))
    if wrong.size:
        bead = alignment[int(row_of(rows)[wrong[0]])]
        raise InputError(
            f"a ladder cannot say the bisegment {shown(bead)}: it wants {side} "
            f"segment {wrong[0]} next, all segments in order and each once; {_ELSEWHERE}"
        )
    if text is not None and len(text) > rows.idx.size:
        raise InputError(
            f"a ladder covers all of both texts, but {side} segment {rows.idx.size} of "
            f"{len(text)} is in no bisegment; {_ELSEWHERE}"
        )


def _unbroken(rows: Rows) -> bool:
    return np.array_equal(rows.idx, np.arange(rows.idx.size))


def _order(alignment: Alignment) -> NDArray[np.int64]:
    """Order bisegments by the texts: between two of both sides come 1-0, then 0-1."""
    firsts, filled = [], []
    for rows in (alignment.src, alignment.tgt):
        filled.append(rows.lengths > 0)
        first = np.zeros(len(alignment), dtype=np.int64)
        first[filled[-1]] = rows.idx[rows.ptr[:-1][filled[-1]]]
        firsts.append(first)
    both = filled[0] & filled[1]
    rank = np.zeros(len(alignment), dtype=np.int64)
    for first, there in zip(firsts, filled, strict=True):
        anchors = np.sort(first[both])
        one_sided = there & ~both
        rank[one_sided] = np.searchsorted(anchors, first[one_sided])
        rank[both] = np.searchsorted(anchors, first[both], side="right")
    kind = np.where(both, 0, np.where(filled[0], 1, 2))
    order: NDArray[np.int64] = np.lexsort((np.where(filled[0], *firsts), kind, rank))
    return order


FORMAT = Format(
    name="hunalign-ladder",
    title="ladders of positions (hunalign)",
    holds="positions",
    suffixes=(".ladder",),
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=Keeps(
        borders=True,
        empty_sides=True,
        empty_segments=True,
        scores=True,
        breaks=True,
        controls=True,
    ),
)
