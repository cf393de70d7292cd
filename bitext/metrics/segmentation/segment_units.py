"""Segmentations of one text over its characters or words, from versions with different lines.

Versions of a text, one sentence a line or one paragraph a block, have no common units where their
lines differ. Their characters are common, white space apart: the units are the characters of the
first version, or its words. The boundaries of the other versions are placed on them by the common
line of both versions (`bitext.metrics.common_ground`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.metrics.common_ground import CommonLine, first_difference, matches, meeting_lines
from bitext.model import Segmentation, Text
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["UNITS", "UnitText", "over_units"]

UNITS = ("characters", "words")


@dataclass(frozen=True, slots=True)
class UnitText:
    """A text in units, with the segmentations of several versions.

    Attributes
    ----------
    segmentations : tuple of Segmentation
        One a version, over the same units.
    units : sequence of str
        The units: characters, or words.
    matched : tuple of float
        The matched share of the characters of each version and of the first version.

    """

    segmentations: tuple[Segmentation, ...]
    units: Sequence[str]
    matched: tuple[float, ...]


def over_units(
    versions: Sequence[Sequence[str]],
    *,
    units: Literal["characters", "words"] = "characters",
    min_matched: float = 0.9,
    names: Sequence[str] = (),
) -> UnitText:
    """Segment one text over the common characters or words of several versions.

    Parameters
    ----------
    versions : sequence of sequences of str
        The segments of each version, in order. The first version has the units.
    units : {"characters", "words"}
        The characters other than white space; or the words between white space in the first
        version, cut where a version has a boundary within a word.
    min_matched : float
        The least share of characters, white space apart, that each version must have in common with
        the first.
    names : sequence of str, optional
        The names of the versions in messages.

    Returns
    -------
    UnitText
        The segmentations over the units. A segment without a matched character disappears.

    Raises
    ------
    InputError
        When a version has no characters, or too few that match.
    OptionError
        When an option has a value that is not allowed.

    Notes
    -----
    **Cost**: linear in the characters where versions differ in white space alone.

    Examples
    --------
    >>> gold, hyp = ["Dr. Smith came.", "He sat."], ["Dr.", "Smith came.", "He sat."]
    >>> result = over_units([gold, hyp], units="words")
    >>> result.segmentations, result.units
    ((Segmentation([3, 2]), Segmentation([1, 2, 2])), ('Dr.', 'Smith', 'came.', 'He', 'sat.'))

    """
    if units not in UNITS:
        raise OptionError(f"units {units!r} are not known: want one of {', '.join(UNITS)}")
    if not 0 <= min_matched <= 1:
        least = remedy("min-matched", python="min_matched")
        raise OptionError(f"{least} is {min_matched}: want a share from 0 to 1")
    called = [*names, *(f"version {k}" for k in range(len(names), len(versions)))]
    bare = [["".join(segment.split()) for segment in version] for version in versions]
    lines = ["".join(segments) for segments in bare]
    empty = next((k for k, line in enumerate(lines) if not line), None)
    if empty is not None:
        raise InputError(f"{called[empty]} has no characters: want a text")
    edges, matched = [], []
    for k, segments in enumerate(bare):
        if lines[k] == lines[0]:
            edges.append(np.cumsum(list(map(len, segments))))
            matched.append(1.0)
        else:
            at, share = _edges_on(versions[0], versions[k], min_matched, (called[0], called[k]))
            edges.append(at)
            matched.append(share)
    n = len(lines[0])
    inner = [np.unique(at[(at > 0) & (at < n)]) for at in edges]
    if units == "characters":
        made = [Segmentation.from_boundaries(at.tolist(), n) for at in inner]
        return UnitText(tuple(made), lines[0], tuple(matched))
    words = np.cumsum([len(word) for segment in versions[0] for word in segment.split()])
    cuts = np.unique(np.concatenate([[0], words, *inner]))
    made = [Segmentation.from_boundaries(np.searchsorted(cuts, at), cuts.size - 1) for at in inner]
    pieces = zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
    return UnitText(tuple(made), tuple(lines[0][a:b] for a, b in pieces), tuple(matched))


def _edges_on(
    first: Sequence[str], other: Sequence[str], min_matched: float, names: tuple[str, str]
) -> tuple[NDArray[np.int64], float]:
    """Return the starts of the other's segments among the characters of the first."""
    a, b = meeting_lines(Text(list(first)), Text(list(other)))
    pairs = matches(a, b)
    share = 2 * pairs[0].size / (a.points.size + b.points.size)
    if share < min_matched:
        raise InputError(
            f"{names[0]} and {names[1]} differ: {share:.1%} of their characters match, white space "
            f"apart, and {min_matched:.0%} must; the first difference is {first_difference(a, b)}"
        )
    common = CommonLine(a, b, pairs)
    starts, _ = common.spans(1)
    at = common.characters(0, starts)
    # Characters may be decomposed on the line: a start is the number of whole characters before.
    return np.cumsum(np.append(0, ~a.inner))[at], share
