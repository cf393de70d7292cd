"""Scores of bisegments, and identifiers of segments, as files spell them."""

from __future__ import annotations

import re
from itertools import pairwise
from math import isinf, isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import remedy
from bitext.lazy import late_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bitext.formats.io.source import Source
    from bitext.kernels.arrays import Floats

# The expression of a score.
SCORE = r"[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|(?i:inf(?:inity)?|nan))"
_SCORE = late_pattern(SCORE, re.ASCII)


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
    """Return the scores as an array, or `None` where all are `nan`."""
    known = np.asarray(scores if isinstance(scores, np.ndarray) else list(scores), np.float64)
    return None if np.isnan(known).all() else known


# Identifiers of segments in the cells of tables.


_NAME = late_pattern(r"(?=[^\d]*\d)[\w.:#/@-]{1,100}", re.ASCII)
_BETWEEN = late_pattern(r"\s*[,;+]\s*|\s+")
_EMPTY = frozenset(["", "-", "null", "omitted"])
_DIGITS = late_pattern(r"\d+", re.ASCII)
_RANGE = late_pattern(r"(.*[^\W\d_].*\d)-+(.*[^\W\d_].*\d)", re.ASCII)
_WORD = late_pattern(r"[A-Za-z]+(?:0|[1-9]\d*)", re.ASCII)
_OF_IDS = late_pattern(r"(?i)(?:\b|_)ids?\b")  # in the header of a column
ALIKE = 2
"""Identifiers, at least, for each way in which letters stand around digits; set by hand."""


def names_in(cell: str) -> list[str]:
    """Return the identifiers of a cell; none of an empty side."""
    cell = cell.strip()
    return [] if cell.lower() in _EMPTY else _BETWEEN.split(cell)


def is_identifier(name: str) -> bool:
    """Return whether a string may be an identifier: a whole number, or letters and digits."""
    if name.isascii() and name.isdecimal():
        return True
    if not _NAME.fullmatch(name) or not any(map(str.isalpha, name)):
        return False
    both = _RANGE.fullmatch(name)
    return both is None or _DIGITS.sub("#", both[1]) != _DIGITS.sub("#", both[2])


def may_be_words(cells: Sequence[str], head: str = "") -> bool:
    """Return whether the identifiers of a column may be words, too: letters with a number behind.

    Parameters
    ----------
    cells : sequence of str
    head : str
        The header of the column: below `src_id` they are identifiers.

    Examples
    --------
    >>> may_be_words(["s1", "s2"]), may_be_words(["s1.1", "s1.2"]), may_be_words(["s01", "s02"])
    (True, False, False)
    >>> may_be_words(["s1", "s2"], "Source ID")
    False

    """
    names = (name for cell in cells for name in names_in(cell))
    return not _OF_IDS.search(head) and all(map(_WORD.fullmatch, names))


def _go_up(names: Sequence[str]) -> bool:
    """Return whether identifiers have one shape and ascending numbers."""
    if len(names) < 2:
        return True
    numbers = [list(map(int, _DIGITS.findall(name))) for name in names]
    alike = len({_DIGITS.sub("#", name) for name in names}) == 1
    return alike and all(a < b for a, b in pairwise(numbers))


def are_identifiers(cells: Sequence[str]) -> bool:
    """Return whether a column has numbers or identifiers alone, most of them of one shape.

    Those of a cell go up, as segments of a bisegment do, and most stand in one cell only. Words
    with digits (`w7 w3`), as of codes or made texts, do neither.

    Examples
    --------
    >>> are_identifiers(["s1 s2", "s3", ""]), are_identifiers(["3,4", "5"])
    (True, True)
    >>> are_identifiers(["A4", "B2B", "H2O"]), are_identifiers(["0-0", "1-1"])
    (False, False)
    >>> are_identifiers(["w7 w3 w4", "w3"]), are_identifiers(["word1 a1", "word2 a2"])
    (False, False)

    """
    lists = [names_in(cell) for cell in cells]
    names = {name for each in lists for name in each}
    if len(names) < ALIKE or not all(map(is_identifier, names)):
        return False
    if ALIKE * len(names) < sum(map(len, lists)) or not all(map(_go_up, lists)):
        return False
    return ALIKE * len({_DIGITS.sub("#", name) for name in names}) <= len(names)


def refuse_identifiers(source: Source, sides: Mapping[int, tuple[Sequence[str], str]]) -> None:
    """Refuse a table with identifiers for texts; note texts that may be identifiers.

    Parameters
    ----------
    source : Source
        The file.
    sides : mapping of int to pair
        The number of the column of each side, from 0: its cells, and its header or an empty string.

    """
    columns = [cells for cells, _ in sides.values()]
    # Numbers beside names are rather texts with their numbers.
    numbers = {all(cell.strip().isdecimal() for cell in cells) for cells in columns}
    if len(numbers) > 1 or not all(map(are_identifiers, columns)):
        return
    shown = " and ".join(repr(cells[0].strip()[:40]) for cells in columns)
    pairs = remedy("from id-pairs", python="format='id-pairs'")
    if all(may_be_words(cells, head) for cells, head in sides.values()):
        kind = f"texts that may be identifiers ({pairs}: as such, in two columns of TSV)"
        source.notes.add(kind, f"{source.path}: {shown}")
        return
    src, tgt = sides
    texts = remedy(f"columns src={src + 1},tgt={tgt + 1}")
    raise source.error(
        f"has identifiers or positions where its texts should be, as {shown}: give them in two "
        f"columns with a tab between ({pairs}), or, where they are texts, say so ({texts})"
    )
