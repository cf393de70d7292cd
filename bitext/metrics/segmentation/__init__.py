"""Pairs of segmentations on one line of units: the input of every metric of segmentations.

The pairs stand one after another on the line, so the ends of a pair are bounds of both sides, and
one sweep over the whole line replaces a sweep over each pair.

Versions of a text, one sentence per line or one paragraph per block, have no common units where
their lines differ. Their characters are common, white space apart: the units are the characters of
the first version, or its words. The boundaries of the other versions are placed on them by the
common line of both versions (`bitext.metrics.common_line`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Literal, NamedTuple

import numpy as np

from bitext.errors import InputError, OptionError, SegmentationError, check_one_of, remedy
from bitext.kernels.arrays import Ints, distinct, prefix
from bitext.metrics.common_line import CommonLine, first_difference, matches, meeting_lines
from bitext.model import Segmentation, Text


class Side(NamedTuple):
    """One segmentation of each pair, laid out."""

    ptr: Ints  # pair p has the segments `ptr[p]` to `ptr[p + 1]`; shape (pairs + 1,)
    # Segment s spans the units `bounds[s]` to `bounds[s + 1]` of the line. Shape (segments + 1,).
    bounds: Ints

    @property
    def segments(self) -> Ints:
        """The number of segments of each pair."""
        return np.diff(self.ptr)

    @property
    def boundaries(self) -> Ints:
        """The places of all boundaries on the line, ascending, without the ends of pairs."""
        if self.ptr.size == 2:
            return self.bounds[1:-1]
        inner = np.ones(self.bounds.size, dtype=bool)
        inner[self.ptr] = False
        return self.bounds[inner]

    @property
    def boundary_ptr(self) -> Ints:
        """Pair p has the boundaries `boundary_ptr[p]` to `boundary_ptr[p + 1]`."""
        return self.ptr - np.arange(self.ptr.size)

    @property
    def pair_of_boundary(self) -> Ints:
        """The pair of each boundary."""
        return np.repeat(np.arange(self.ptr.size - 1), self.segments - 1)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of segmentations, each pair of the same units.

    Attributes
    ----------
    starts : array of int64, shape (pairs + 1,)
        Pair p is the units `starts[p]` to `starts[p + 1]` of the line.
    gold, hyp : Side
        The two segmentations of each pair.
    typed : tuple of the two sequences of Segmentation, or None
        The segmentations of both sides, where any boundary has types.
    first : int or None
        The number of the first pair in messages; `None` for a single pair.

    """

    starts: Ints
    gold: Side
    hyp: Side
    typed: tuple[Sequence[Segmentation], Sequence[Segmentation]] | None = None
    first: int | None = None

    @classmethod
    def of(
        cls,
        golds: Sequence[Segmentation],
        hyps: Sequence[Segmentation],
        *,
        first: int | None = None,
    ) -> Pairs:
        """Lay out pairs of segmentations; messages number them from `first` on.

        Raises `InputError` when there are not as many hypotheses as gold standards, and
        `SegmentationError` when the two of a pair do not have the same number of units.
        """
        if len(golds) != len(hyps):
            raise InputError(
                f"{len(golds)} gold standards and {len(hyps)} hypotheses: want as many"
            )
        try:
            gold, hyp = _lay(golds), _lay(hyps)
        except AttributeError:
            raise SegmentationError(_no_segmentation(golds, hyps, first)) from None
        starts = gold.bounds[gold.ptr]
        others = hyp.bounds[hyp.ptr]
        if not np.array_equal(starts, others):
            gold_n, hyp_n = np.diff(starts), np.diff(others)
            p = int(np.flatnonzero(gold_n != hyp_n)[0])
            where = "" if first is None else f"pair {first + p}: "
            raise SegmentationError(
                f"{where}the gold standard has {gold_n[p]} units and the hypothesis {hyp_n[p]}: "
                f"want two segmentations of the same units"
            )
        typed = any(s.types is not None for family in (golds, hyps) for s in family)
        return cls(starts, gold, hyp, (golds, hyps) if typed else None, first)

    @property
    def sizes(self) -> Ints:
        """The number of units of each pair."""
        return np.diff(self.starts)

    def __len__(self) -> int:
        return self.starts.size - 1

    def each(self) -> Iterator[tuple[Segmentation, Segmentation]]:
        """Yield the gold standard and the hypothesis of each pair."""
        if self.typed is not None:
            yield from zip(*self.typed, strict=True)
            return

        for p in range(len(self)):
            gold, hyp = (
                Segmentation(np.diff(side.bounds[side.ptr[p] : side.ptr[p + 1] + 1]))
                for side in (self.gold, self.hyp)
            )
            yield gold, hyp

    def name(self, p: int) -> str:
        """Return the prefix of a message about pair p."""
        return "" if self.first is None else f"pair {self.first + p}: "

    def swapped(self) -> Pairs:
        """Return the pairs with gold standard and hypothesis exchanged."""
        typed = None if self.typed is None else (self.typed[1], self.typed[0])
        return Pairs(self.starts, self.hyp, self.gold, typed, self.first)


def _no_segmentation(golds: Sequence[object], hyps: Sequence[object], first: int | None) -> str:
    """Return the message about the first value that is not a segmentation."""
    sides = (("gold standard", golds), ("hypothesis", hyps))
    name, p, value = next(
        (name, p, value)
        for name, family in sides
        for p, value in enumerate(family)
        if not isinstance(value, Segmentation)
    )
    where = "" if first is None else f"pair {first + p}: "
    return (
        f"{where}the {name} is {value!r:.40}, of type {type(value).__name__}: want a Segmentation, "
        f"as Segmentation([5, 5, 1, 3])"
    )


def _lay(family: Sequence[Segmentation]) -> Side:
    masses = [segmentation.masses for segmentation in family]
    ptr = prefix(np.fromiter(map(len, masses), dtype=np.int64, count=len(masses)))
    if len(masses) == 1:
        return Side(ptr, prefix(masses[0]))
    return Side(ptr, prefix(np.concatenate([np.zeros(0, dtype=np.int64), *masses])))


# Segmentations of one text over its characters or words, from versions with different lines.


UNITS = ("characters", "words")


@dataclass(frozen=True, slots=True)
class UnitText:
    """A text in units, with the segmentations of several versions."""

    segmentations: tuple[Segmentation, ...]  # one a version, over the same units
    units: Sequence[str]  # the units: characters, or words
    # The matched share of the characters of each version and of the first version.
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
        When a version is no list of strings, has no characters, or too few that match.
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
    check_one_of("units", units, UNITS, verb="are")
    if not isinstance(min_matched, Real) or not 0 <= min_matched <= 1:
        least = remedy("min-matched", python="min_matched")
        raise OptionError(f"{least} is {min_matched!r:.40}: want a share from 0 to 1")
    texts = list(map(Text, versions))
    if not texts:
        raise InputError("there is no version: want one or more")
    called = [*names, *(f"version {k}" for k in range(len(names), len(texts)))]
    bare = [["".join(segment.split()) for segment in text.segments()] for text in texts]
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
            at, share = _edges_on(texts[0], texts[k], min_matched, (called[0], called[k]))
            edges.append(at)
            matched.append(share)
    n = len(lines[0])
    # Two edges at one place leave a segment without a matched character, which disappears.
    inner = [distinct(at[(at > 0) & (at < n)]) for at in edges]
    if units == "characters":
        segmentations = [Segmentation.from_boundaries(at.tolist(), n) for at in inner]
        return UnitText(tuple(segmentations), lines[0], tuple(matched))
    words = np.cumsum([len(word) for segment in texts[0].segments() for word in segment.split()])
    # A boundary within a word cuts it, so that every version's boundaries are between units.
    cuts = distinct(np.concatenate([[0], words, *inner]))
    segmentations = [
        Segmentation.from_boundaries(np.searchsorted(cuts, at), cuts.size - 1) for at in inner
    ]
    pieces = zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
    return UnitText(tuple(segmentations), tuple(lines[0][a:b] for a, b in pieces), tuple(matched))


def _edges_on(
    first: Text, other: Text, min_matched: float, names: tuple[str, str]
) -> tuple[Ints, float]:
    """Return the starts of the other's segments among the characters of the first."""
    a, b = meeting_lines(first, other)
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
