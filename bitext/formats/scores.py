"""Scores of bisegments, as files spell them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isinf, isnan, nan

import numpy as np

from bitext.kernels.arrays import Floats
from bitext.lazy import late_pattern

# The expression of a score.
SCORE = r"[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|(?i:inf(?:inity)?|nan))"
_SCORE = late_pattern(SCORE, re.ASCII)

MISSING = frozenset(("NA", "N/A", "#N/A", "NaN", "nan", "NaT", "NULL", "null", "<NA>", "None"))
NULLS = ("\\N", "__NULL__")
"""Empty cells of MySQL, PostgreSQL and Hive, and of data sets such as TED talks."""
MISSING |= {*NULLS}
"""What R, pandas, databases, spreadsheets and data sets write for a missing value."""

_WORDS = frozenset(("N/A", "null", "None"))  # of these, texts as well
_BESIDE_SENTENCES = frozenset(("NA", "nan"))  # ... beside a term


def is_missing_text(cell: str, other: str) -> bool:
    """Check whether a text is rather a missing value than a translation of the other one.

    Examples
    --------
    >>> is_missing_text("NULL", "mill"), is_missing_text("nan", "grandma")
    (True, False)
    >>> is_missing_text("NA", "not applicable"), is_missing_text("NA", "The mill stood still.")
    (False, True)
    >>> is_missing_text("NULL", "The pointer is NULL."), is_missing_text("NaN", "NaN")
    (False, False)

    """
    if cell not in MISSING or cell in _WORDS:
        return False
    if re.search(rf"(?<!\w){re.escape(cell)}(?!\w)", other):
        return False
    return cell not in _BESIDE_SENTENCES or other.count(" ") > 2


def score_of(text: str) -> float | None:
    """Parse a score; return `nan` for blanks only, `None` for any other string.

    A number that overflows to infinity is refused: it would exceed every threshold.
    """
    spelled = text.strip(" ")
    if not spelled:
        return nan
    if not _SCORE.fullmatch(spelled):
        return None
    score = float(spelled)
    return None if isinf(score) and "i" not in spelled.lower() else score


def spell_score(score: float) -> str:
    """Return the shortest string that parses to the same score; empty for `nan`."""
    return "" if isnan(score) else repr(float(score))


def spell_scores(scores: Floats) -> list[str]:
    """Return `spell_score` of each score."""
    return ["" if score != score else repr(score) for score in scores.tolist()]  # noqa: PLR0124


def known_scores(scores: Iterable[float]) -> Floats | None:
    """Return the scores as an array, or `None` if all are `nan`."""
    known = np.asarray(scores if isinstance(scores, np.ndarray) else list(scores), np.float64)
    return None if np.isnan(known).all() else known
