"""Times of cues: as seconds, as strings, and of several segments together."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.rows import row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.kernels.rows import Rows

__all__ = ["clock", "seconds", "shown_times", "spans_of", "times_of_column"]

_TIMES = re.compile(r"(?:([\d:]+,\d+) )?-->(?: ([\d:]+,\d+))?")


def seconds(time: str) -> float:
    """Return the seconds of a time, as `1:02:03,450`, `02:03.45`; NaN for another string.

    Digits behind the comma are a decimal fraction: `,5` is half a second.
    """
    *hours, minutes, seconds = (None, None, *time.replace(",", ".").split(":"))[-3:]
    try:
        return 3600 * int(hours[0] or 0) + 60 * int(minutes or 0) + float(seconds or "")
    except ValueError:
        return math.nan


def spans_of(times: NDArray[np.float64], rows: Rows) -> NDArray[np.float64]:
    """Return the first start and the last end of the segments of each row.

    Parameters
    ----------
    times : array of float64, shape (segments, 2)
        Seconds; `nan` where they are not known.
    rows : Rows
        The segments of each row.

    Returns
    -------
    array of float64, shape (rows, 2)
        `nan` where no segment of a row has the time.

    Examples
    --------
    >>> from bitext.kernels.rows import Rows
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


def times_of_column(column: Sequence[str | None]) -> NDArray[np.float64]:
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
