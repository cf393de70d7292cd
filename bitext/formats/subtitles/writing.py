"""Writing of subtitles: cues for bisegments, in order, with times for all of them."""

from __future__ import annotations

import html
import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import InputError
from bitext.formats.beads import name_of
from bitext.formats.subtitles.times import clock, no_times, spans_of, times_of_column

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO

    from numpy.typing import NDArray

    from bitext.kernels.rows import Rows
    from bitext.model import Bitext, Text

__all__ = ["write_cues"]

EMPTY = "\u00a0"  # the line of an empty side: players show nothing, and the cue does not end

# By the guides of broadcasters (BBC, Netflix): a cue has two lines of 42 characters at most, and is
# shown for seven seconds at most; 15 characters are read in a second.
_LINE = 42  # characters
_LONGEST = 7.0  # seconds
_SPEED = 15.0  # characters a second
_LEAST = 0.7  # seconds of a cue that is put between two others
_STEP = 0.001  # seconds, in which times are written

_BREAK = re.compile("\r\n|[\t\r\n]")


class _Cue(NamedTuple):
    """A cue: start and end in seconds, `nan` where they are not known; and its lines."""

    start: float
    end: float
    lines: tuple[str, ...]

    @property
    def size(self) -> int:
        return max(1, sum(len(line.strip()) for line in self.lines))


def write_cues(bitexts: Iterable[Bitext], out: IO[str], *, retimed: bool, web: bool) -> None:
    """Write a document pair as cues, numbered from 1.

    Parameters
    ----------
    bitexts : iterable of Bitext
        One document pair, or the parts of one.
    out : file
    retimed : bool
        Whether to write the target alone, at the times of the source.
    web : bool
        Whether to write WebVTT; default: SubRip.

    Raises
    ------
    InputError
        When there is a second document pair, or one without times.

    """
    cues: list[_Cue] = []
    name = ""
    for bitext in bitexts:
        if not bitext.continues and name:
            raise InputError(
                f"{name_of(bitext)}: is a second text, and a file of subtitles holds one: name a "
                f"folder for a file each"
            )
        name = name_of(bitext) or "the text"
        cues += _retimed(bitext) if retimed else _bilingual(bitext)
    if cues and not any(map(_is_timed, cues)):
        raise no_times(name)
    if web:
        out.write("WEBVTT\n\n")
    shown = (cue for cue in _with_times(cues) if cue.lines)
    for number, cue in enumerate(_in_order(shown), start=1):
        mark = "." if web else ","
        times = f"{clock(cue.start, mark=mark)} --> {clock(cue.end, mark=mark)}"
        lines = "\n".join(_spelled(line, web=web) for line in cue.lines)
        out.write(f"{number}\n{times}\n{lines}\n\n")


def _spelled(line: str, *, web: bool) -> str:
    """Return a line that ends no cue and begins none."""
    line = _BREAK.sub(" ", line)
    if web:
        line = html.escape(line, quote=False)
    elif "-->" in line:
        line = line.replace("-->", "→")
    return line if line.strip(" ") else EMPTY


def _is_timed(cue: _Cue) -> bool:
    return not math.isnan(cue.start)


# The cues of bisegments.


def _spans(bitext: Bitext) -> NDArray[np.float64]:
    """Return the times of bisegments: those of the source, else of the target."""
    a = bitext.alignment
    sides: tuple[tuple[str, Text | None, Rows], ...] = (
        ("src_time", bitext.src, a.src),
        ("tgt_time", bitext.tgt, a.tgt),
    )
    for name, text, rows in sides:
        spans = np.zeros((0, 2))
        if text is not None and text.times is not None:
            spans = spans_of(text.times, rows)
        elif name in a.attributes:
            spans = times_of_column(a.attributes[name])
        if not np.isnan(spans[:, 0]).all():
            return spans
    return np.full((len(a), 2), np.nan)


def _sides(bitext: Bitext) -> tuple[list[str], list[str]]:
    """Return the characters of all segments of both texts."""
    if (
        bitext.src is None
        or bitext.tgt is None
        or not bitext.src.has_text
        or not bitext.tgt.has_text
    ):
        raise InputError(f"{name_of(bitext)}: holds positions or ids only; subtitles need texts")
    return list(bitext.src.segments()), list(bitext.tgt.segments())


def _bilingual(bitext: Bitext) -> list[_Cue]:
    src, tgt = _sides(bitext)
    return [
        _Cue(start, end, (" ".join(src[k] for k in bead.src), " ".join(tgt[k] for k in bead.tgt)))
        for bead, (start, end) in zip(bitext.alignment, _spans(bitext).tolist(), strict=True)
    ]


def _retimed(bitext: Bitext) -> list[_Cue]:
    """Return cues of the target, at the times of the source."""
    _, tgt = _sides(bitext)
    cues: list[_Cue] = []
    inner = None if bitext.src is None else bitext.src.times
    for bead, (start, end) in zip(bitext.alignment, _spans(bitext).tolist(), strict=True):
        texts = [_BREAK.sub(" ", tgt[k]).strip() for k in bead.tgt]
        times = [(start, end)]
        if inner is not None and len(bead.src) > 1 and not np.isnan(inner[list(bead.src)]).any():
            times = [(float(inner[k, 0]), float(inner[k, 1])) for k in bead.src]
        # A cue without lines gives its time to its neighbours, and is not written.
        given = list(filter(None, texts))
        cues += _divided(given, times) if given else [_Cue(start, end, ())]
    return cues


def _divided(texts: list[str], times: list[tuple[float, float]]) -> list[_Cue]:
    """Divide the texts of a bisegment among the cues of its source, where one would be too long."""
    whole = " ".join(texts)
    start, end = times[0][0], times[-1][1]
    if len(times) < 2 or (end - start <= _LONGEST and len(whole) <= 2 * _LINE):
        return [_Cue(start, end, _lines(whole))]
    lengths = np.array([max(until - begin, _STEP) for begin, until in times])
    ends = np.cumsum(lengths / lengths.sum())
    if len(texts) < len(times):
        parts = _cut(whole, ends[:-1].tolist())
    else:
        # Each segment goes to the cue in whose share of the time its middle is.
        sizes = np.array([len(text) for text in texts])
        middles = (np.cumsum(sizes) - sizes / 2) / sizes.sum()
        cue = np.searchsorted(ends[:-1], middles).tolist()
        parts = [
            " ".join(text for text, place in zip(texts, cue, strict=True) if place == k)
            for k in range(len(times))
        ]
    return [_Cue(*span, _lines(part)) for span, part in zip(times, parts, strict=True) if part]


def _cut(text: str, shares: list[float]) -> list[str]:
    """Cut a text at blanks near some shares of its length, behind punctuation if there is some."""
    parts: list[str] = []
    begin = 0
    for share in shares:
        at = share * len(text)
        blanks = [k for k in range(begin + 1, len(text)) if text[k] == " "]
        if not blanks:
            break
        # Punctuation is worth a sixth of the text.
        best = min(
            blanks, key=lambda k: (abs(k - at) - (text[k - 1] in ".,;:!?…–—") * len(text) / 6, k)
        )
        parts.append(text[begin:best].strip())
        begin = best + 1
    parts.append(text[begin:].strip())
    return parts + [""] * (len(shares) + 1 - len(parts))


def _lines(text: str) -> tuple[str, ...]:
    """Wrap a text in lines of at most 42 characters that are about as long, if it has blanks."""
    number = -(-len(text) // _LINE)
    if number < 2:
        return (text,)
    parts = _cut(text, [k / number for k in range(1, number)])
    return tuple(filter(None, parts))


# Times for cues that have none, and their order.


def _with_times(cues: list[_Cue]) -> list[_Cue]:
    """Return cues with times: those without are between their neighbours, or share their time."""
    result: list[_Cue] = []
    waiting: list[_Cue] = []
    for cue in cues:
        if not _is_timed(cue):
            waiting.append(cue)
            continue
        cue = (
            cue._replace(end=cue.start + max(1.0, cue.size / _SPEED))
            if math.isnan(cue.end)
            else cue
        )
        if waiting:
            before = result.pop() if result else None
            result += _placed(before, waiting, cue)
            cue, waiting = result.pop(), []
        result.append(cue)
    if waiting:
        result += _placed(result.pop(), waiting, None)
    return result


def _placed(before: _Cue | None, waiting: list[_Cue], after: _Cue | None) -> list[_Cue]:
    """Return two neighbours with the cues between them, whose times are not known."""
    wanted = sum(max(_LEAST, cue.size / _SPEED) for cue in waiting)
    ends = [] if after is None else [after]
    begins = [] if before is None else [before]
    if before is None and after is not None:
        end = after.start
        start = max(0.0, end - wanted)
    else:
        start = before.end if before is not None else 0.0
        end = start + wanted if after is None else min(after.start, start + wanted)
    if end - start >= _LEAST * len(waiting):
        return [*begins, *_shared(waiting, start, end), *ends]
    if before is not None:
        # As much of the pause as there is belongs to the time that they share.
        return [*_shared([before, *waiting], before.start, max(before.end, end)), *ends]
    if after is None:
        return waiting
    return _shared([*waiting, after], start, after.end)


def _shared(cues: list[_Cue], start: float, end: float) -> list[_Cue]:
    """Divide a time among cues by their lengths."""
    shares = np.cumsum([0, *(cue.size for cue in cues)]) / sum(cue.size for cue in cues)
    borders = (start + (end - start) * shares).tolist()
    return [
        cue._replace(start=begin, end=until)
        for cue, begin, until in zip(cues, borders[:-1], borders[1:], strict=True)
    ]


def _in_order(cues: Iterable[_Cue]) -> list[_Cue]:
    """Sort cues by their starts; a cue ends where the next begins, unless both begin together."""
    ordered = sorted(
        (cue._replace(start=round(cue.start, 3), end=round(cue.end, 3)) for cue in cues),
        key=lambda cue: cue.start,
    )
    starts = [cue.start for cue in ordered]
    for k, cue in enumerate(ordered):
        later = next((start for start in starts[k + 1 :] if start > cue.start), math.inf)
        ordered[k] = cue._replace(end=min(max(cue.end, cue.start + _STEP), later))
    return ordered
