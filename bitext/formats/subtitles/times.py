"""Times of cues: as seconds, as strings, and of several segments together."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from bitext.errors import InputError
from bitext.kernels.arrays import Bools, Floats, Ints, Rows, row_of
from bitext.lazy import late_pattern
from bitext.model import Bitext, Text

_THOUSANDTH = 0.001  # seconds, the unit in which times are written
TIME_COLUMNS = ("src_time", "tgt_time")  # of the bisegments of timed texts

_TIME = late_pattern(r"(?:(?:(\d{1,6}):)?(\d{1,6}):)?(\d{1,6}(?:\.\d{0,9})?)", re.ASCII)
_TIMES = late_pattern(r"(?:([\d:]+,\d+) )?-->(?: ([\d:]+,\d+))?")


def seconds(time: str) -> float:
    """Return the seconds of a time, as `1:02:03,450`, `02:03.45`; NaN for another string.

    Digits after the comma are a decimal fraction: `,5` is half a second. Blanks do not count.

    Examples
    --------
    >>> [seconds(time) for time in ("1:02:03,450", "02: 03.5", "7", "soon")]
    [3723.45, 123.5, 7.0, nan]

    """
    match = _TIME.fullmatch(time.replace(" ", "").replace(",", "."))
    if match is None:
        return math.nan
    return 3600 * int(match[1] or 0) + 60 * int(match[2] or 0) + float(match[3])


def spans_of(times: Floats, rows: Rows) -> Floats:
    """Return the first start and the last end of the segments of each row.

    Parameters
    ----------
    times : array of float64, shape (segments, 2)
        Seconds; `nan` if they are not known.
    rows : Rows
        The segments of each row.

    Returns
    -------
    array of float64, shape (rows, 2)
        `nan` where no segment of a row has the time.

    Examples
    --------
    >>> from bitext.kernels.arrays import Rows
    >>> rows = Rows(np.array([0, 2, 2]), np.array([0, 1]))
    >>> spans_of(np.array([[1.0, 2.0], [2.5, 4.0]]), rows).tolist()
    [[1.0, 4.0], [nan, nan]]

    """
    spans = np.full((len(rows.ptr) - 1, 2), np.nan)
    row = row_of(rows)
    np.fmin.at(spans[:, 0], row, times[rows.idx, 0])
    np.fmax.at(spans[:, 1], row, times[rows.idx, 1])
    return spans


def clock(seconds: float, *, mark: str = ",") -> str:
    """Return a time in hours, minutes, seconds and thousandths, before which `mark` stands.

    Examples
    --------
    >>> clock(3723.4), clock(0.9996, mark=".")
    ('01:02:03,400', '00:00:01.000')

    """
    thousandths = round(seconds * 1000)
    whole, part = divmod(thousandths, 1000)
    hours, rest = divmod(whole, 3600)
    return f"{hours:02}:{rest // 60:02}:{rest % 60:02}{mark}{part:03}"


def shown_times(span: tuple[float, float]) -> str | None:
    """Return a start and an end as SubRip writes them; without an unknown end; None without both.

    Examples
    --------
    >>> shown_times((1.0, 2.5)), shown_times((1.0, math.nan)), shown_times((math.nan, math.nan))
    ('00:00:01,000 --> 00:00:02,500', '00:00:01,000 -->', None)

    """
    start, end = ("" if math.isnan(time) else clock(time) for time in span)
    return f"{start} --> {end}".strip() if start or end else None


def times_of_column(column: Sequence[str | None]) -> Floats:
    """Return starts and ends from a column of times, as `shown_times` writes them.

    Examples
    --------
    >>> times_of_column(["00:00:01,000 --> 00:01:02,500", None]).tolist()
    [[1.0, 62.5], [nan, nan]]

    """
    found = [_TIMES.fullmatch(value or "") for value in column]
    times = [
        [seconds(part or "") for part in match.groups()] if match else [math.nan] * 2
        for match in found
    ]
    return np.array(times, dtype=np.float64).reshape(-1, 2)


def times_of_sides(bitext: Bitext) -> tuple[Floats, Floats]:
    """Return the starts and ends of the source and of the target of each bisegment.

    The times of a text come first, then those of its column; all are `nan` without either.
    """
    a = bitext.alignment
    src, tgt = (
        spans_of(text.times, rows)
        if text is not None and text.times is not None
        else times_of_column(a.attributes.get(name, [None] * len(a)))
        for name, text, rows in zip(
            TIME_COLUMNS, (bitext.src, bitext.tgt), (a.src, a.tgt), strict=True
        )
    )
    return src, tgt


def cue_times(bitext: Bitext) -> Floats:
    """Return the times of the cues of bisegments: those of the source, else of the target.

    Where both sides have the same times, a bisegment without a source has that of its target; else
    the target may be on another clock, and its times count only if the source has none at all.
    """
    src, tgt = times_of_sides(bitext)
    lacking = np.isnan(src[:, 0])
    shared = ~(lacking | np.isnan(tgt[:, 0]))
    if lacking.all() or (shared.any() and not differ(src, tgt)[shared].any()):
        src[lacking] = tgt[lacking]
    return src


def differ(times: Floats, others: Floats) -> Bools:
    """Mark the rows of `others` with a time that is not the one in `times`, to a thousandth."""
    alike = np.isnan(others) | (np.abs(times - others) < _THOUSANDTH)
    apart: Bools = np.any(~alike, axis=1)
    return apart


def interpolated(times: Floats, sizes: Ints, starts: Ints, ends: Ints) -> Floats:
    """Return the times of spans of the characters of cues that were joined.

    A cue is spoken at a constant speed, from its start to its end. A span that would end before its
    start, over cues that are out of order, has no end.

    Parameters
    ----------
    times : array of float64, shape (cues, 2)
        Starts and ends in seconds.
    sizes : array of int64, shape (cues,)
        The number of characters of each cue; one more stands between it and the next.
    starts, ends : array of int64, shape (spans,)
        Half-open spans.

    Examples
    --------
    >>> times = np.array([[1.0, 2.0], [3.0, 5.0]])  # "Come here," and "please. Now."
    >>> interpolated(times, np.array([10, 12]), np.array([0, 19]), np.array([18, 23])).tolist()
    [[1.0, 4.166666666666667], [4.333333333333333, 5.0]]

    """
    begins = np.cumsum(sizes + 1) - sizes - 1
    result = np.empty((len(starts), 2))
    for side, at in enumerate((starts, ends - 1)):
        cue = np.searchsorted(begins, at, side="right") - 1
        share = (at + side - begins[cue]) / np.maximum(sizes[cue], 1)
        result[:, side] = times[cue, 0] + (times[cue, 1] - times[cue, 0]) * np.clip(share, 0, 1)
    result[result[:, 1] < result[:, 0], 1] = np.nan  # cues that are out of order
    return result


def with_column_times(text: Text, rows: Rows, column: Sequence[str | None]) -> Text:
    """Return a text with the times of a column of bisegments.

    The time of a bisegment with several segments is shared among them by their characters.

    Parameters
    ----------
    rows : Rows
        The segments of each bisegment.
    column : sequence of (str or None)
        The time of each bisegment, as `shown_times` writes it.

    Examples
    --------
    >>> from bitext.kernels.arrays import Rows
    >>> from bitext.model import Text
    >>> rows = Rows(np.array([0, 2]), np.array([0, 1]))
    >>> text = with_column_times(Text(["Yes.", "No."]), rows, ["00:00:01,000 --> 00:00:03,000"])
    >>> text.times.tolist()
    [[1.0, 2.0], [2.25, 3.0]]

    """
    row = row_of(rows)
    spans = times_of_column(column)
    spans[spans[:, 1] < spans[:, 0], 1] = np.nan
    times = np.full((len(text), 2), np.nan)
    times[rows.idx] = spans[row]  # exact, also with one of the two times
    several = rows.lengths[row] > 1
    # The segments of a bisegment are one cue, in which a blank joins them.
    lengths = text.lengths()[rows.idx] + 1
    ends = np.cumsum(lengths) - 1
    sizes = np.bincount(row, lengths, len(spans)).astype(np.int64) - 1
    filled = rows.lengths > 0
    shared = interpolated(spans[filled], sizes[filled], ends - lengths + 1, ends)
    times[rows.idx[several]] = shared[several]
    return text.with_times(times)


def no_times(name: str) -> InputError:
    """Return the error of texts without times that are to be subtitles."""
    return InputError(
        f"{name}: has no times, and subtitles need some: align subtitles, or choose a format "
        f"without times, as tsv"
    )
