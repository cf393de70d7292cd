"""The evidence of times, as of the cues of subtitles, for beads.

Subtitles of one film in two languages have nearly the same times, but one file may be shifted, run
at another rate (25 frames a second in place of 23.976), or lack passages (a recap, advert breaks).
So the time of the target is that of the source by a linear map whose offset changes at cuts:

    target time = rate * source time + offset of the piece

The map is estimated from the beads of a path, most of which are right. For a rate, the offsets
`target time - rate * source time` of right beads lie close together within a piece, and those of
wrong beads scatter; a dynamic program divides the beads into pieces of one offset, where a bead
costs its distance, up to a bound, and each new piece a constant. The cheapest of some rates is
refined by least squares. If too few beads fit their piece, there is no map, and times are no
evidence.

The score of a bead is the log-likelihood ratio of the two distances, that of the starts and that of
the ends of both sides: of right beads they are from a mixture of a narrow and a broad Laplace
distribution, of others from the broad one alone. So the score has a lower bound, and is near 0
where times fit no better than by chance. Tiedemann (2007, 2008) compares the overlap of cues in
time, which says the same where a bead begins and ends, with a map from two anchors given by hand or
by cognates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.sentences.evidence import BandColumns, TwoSidedBeads
from bitext.kernels.arrays import Floats, Ints, Singles, distinct, median, within
from bitext.kernels.bead_path import Band

if TYPE_CHECKING:
    Times = Floats

_FILM, _PAL, _NTSC = 24000 / 1001, 25.0, 30000 / 1001
"""Frames a second of film on television, of television in Europe, and in America."""

RATES = (
    1.0,
    *(
        a / b
        for a in (24.0, _FILM, _PAL, _NTSC, 30.0)
        for b in (24.0, _FILM, _PAL, _NTSC, 30.0)
        if abs(a / b - 1) > 1e-9 and 0.8 < a / b < 1.26
    ),
)
"""Rates of the target for the source between the usual numbers of frames a second."""

# Set by hand; scripts/bench/subtitles.py measures F1 with them.
_FEWEST_BEADS = 8  # beads with times on both sides: fewer say nothing of a map
_UNIT = 0.5  # seconds: distance from the offset of its piece that costs a bead 1
_MOST_BEAD_COST = 4.0  # the most that a bead costs: 2 seconds or more
_CUT_COST = 16.0  # the cost of a new piece: that of four beads that do not fit
_LEVEL_WIDTH = 1.0  # seconds around a level of offsets
_MOST_LEVELS = 48  # levels of offsets that are tried: bounds time
_LEAST_COST_SHARE = 0.02  # share of cost by which another rate has to be better than the same rate
_RATE_TOLERANCE = 0.02  # the largest difference of a usual rate from the median slope: bounds time
_REFINEMENTS = 3  # fits of the rate and the offsets, each to the beads that fit the one before
_RATE_ERRORS = 3.0  # standard errors within which a usual rate is that of a fit
_LEAST_RATE_ERROR = 1e-4  # of a rate: a fit to beads that fit exactly has no error
_LAGS = (16, 8, 4, 2)  # slopes are taken between beads that are this part of the text apart
_ROUNDS = 20  # of expectation and maximisation for the two distributions
_MOST_LOG = 500.0  # natural logarithm: above it a distance surely does not fit
_PRIOR_BEADS = 5.0  # beads: weight of the prior of misfits and of the scale
_MISFITS, _SCALE = 0.2, 0.3  # these priors: a share, and seconds
_LEAST_SCALE = 0.04  # seconds: a frame, the least scale
# Largest scale in seconds of a map that is used, and the largest share of misfits with it. Times of
# another film can be fitted in many pieces, but not closely.
_GATES = ((0.3, 0.65), (0.5, 0.3), (1.0, 0.2))
_MANY_BEADS = 16  # beads that fit: with fewer, the first of these does not hold
# Largest scale, in median deviations of the steps between starts from their median
_LARGEST_SCALE = 1.0
_LEAST_PIECE_BEADS = 8.0  # least mean number of beads of a piece
_AROUND_CUT = 30.0  # seconds around a cut where both pieces are tried
_LEAST_BROAD_SCALE = 2.0  # seconds: the least scale of the broad distribution
_BROAD_FACTOR = 2.0  # scale of the broad distribution, in median distances between starts


class TimeMap(NamedTuple):
    """A map of the times of the source to those of the target, with how well it fits."""

    rate: float  # seconds of the target for each second of the source
    # The time of the target, in seconds, at time 0 of the source, of each piece. Shape (pieces,).
    offsets: Floats
    # The times of the source at which a piece ends and the next begins. Shape (pieces - 1,).
    cuts: Floats
    scales: tuple[float, float]  # the mean distance of starts and of ends that fit, in seconds
    misfits: tuple[float, float]  # the shares of starts and of ends that do not fit
    broad: float  # the scale of the distances of those, in seconds

    def of(self, times: Times) -> Times:
        """Return the times of the target for some of the source.

        Examples
        --------
        >>> TimeMap(2.0, np.array([1.0, 5.0]), np.array([10.0]), (0, 0), (0, 0), 1).of(
        ...     np.array([1.0, 12.0])).tolist()
        [3.0, 29.0]

        """
        piece = np.searchsorted(self.cuts, times, side="right")
        return self.rate * times + self.offsets[np.minimum(piece, len(self.offsets) - 1)]

    def beside(self, times: Times) -> Times:
        """Return the times by the other piece of those near a cut; of others by their own."""
        mapped = self.of(times)
        for k, cut in enumerate(self.cuts.tolist()):
            before = (times < cut) & (times >= cut - _AROUND_CUT)
            behind = (times >= cut) & (times < cut + _AROUND_CUT)
            mapped = np.where(before, self.rate * times + self.offsets[k + 1], mapped)
            mapped = np.where(behind, self.rate * times + self.offsets[k], mapped)
        return mapped

    def columns(self, src: Times, tgt: Times) -> Ints:
        """Return the number of target segments that start before each source segment.

        `src` and `tgt` have the shape (segments, 2).
        """
        starts = np.fmax.accumulate(np.nan_to_num(tgt[:, 0], nan=-np.inf))
        mapped = self.of(src[:, 0])
        mapped = np.fmax.accumulate(np.where(np.isnan(mapped), -np.inf, mapped))
        slack = 2 * self.scales[0]
        return np.searchsorted(starts, mapped - slack).astype(np.int64)


class TimeEvidence:
    """Evidence of times for all beads of two texts.

    `src` and `tgt` have starts and ends in seconds, shape (segments, 2); `nan` if they are not
    known, which is not evidence. `weight` is the factor of scores.
    """

    def __init__(
        self,
        beads: Sequence[tuple[int, int]],
        src: Times,
        tgt: Times,
        model: TimeMap,
        *,
        weight: float = 1.0,
    ) -> None:
        self.beads, self.model, self.weight = list(beads), model, weight
        self._both = TwoSidedBeads.of(beads)
        self._src = [(model.of(src[:, k]), model.beside(src[:, k])) for k in (0, 1)]
        self._tgt = [tgt[:, 0], tgt[:, 1]]

    def block(self, first: int, last: int, band: Band) -> Singles:
        """Score the beads that end at each point of some rows; see `Evidence.block`."""
        out = np.zeros((len(self.beads), last - first, band.width), dtype=np.float32)
        both = self._both
        if not len(both.kinds):
            return out
        columns, row = BandColumns.of(first, last, band), np.arange(first, last)
        # A bead starts where its first segments do, and ends where its last ones do: so the scores
        # of both are those of pairs of segments, whatever the sizes of the beads.
        most = int(both.src.max())
        above = np.arange(first - most, last)
        ends = self._pairs(1, row - 1, columns.column - 1)
        end = columns.by_rows(ends, np.arange(len(row)))
        for number in distinct(both.tgt).tolist():
            starts = self._pairs(0, above, columns.column - number)
            for kind in both.kinds.tolist():
                a, b = self.beads[kind]
                if b == number:
                    out[kind] = end + columns.by_rows(starts, np.arange(len(row)) + most - a)
        return out

    def _pairs(self, side: int, rows: Ints, columns: Ints) -> Singles:
        """Return the scores of the starts (0) or of the ends (1) of pairs of segments."""
        target = self._tgt[side]
        other_starts = (
            target[within(columns, 0, len(target) - 1)]
            if len(target)
            else np.full(len(columns), np.nan)
        )
        own, other = self._src[side]
        if not len(own):
            return np.zeros((len(rows), len(columns)), dtype=np.float32)
        rows = within(rows, 0, len(own) - 1)
        distance = np.abs(own[rows][:, None] - other_starts)
        if len(self.model.cuts):
            np.fmin(distance, np.abs(other[rows][:, None] - other_starts), out=distance)
        return self._ratio(side, distance)

    def _ratio(self, side: int, distance: Times) -> Singles:
        """Return the log-likelihood ratio of distances; 0 if they are not known."""
        scale, share, broad = self.model.scales[side], self.model.misfits[side], self.model.broad
        narrow = (1 - share) * broad / scale * np.exp(distance * (1 / broad - 1 / scale))
        ratio = np.log(narrow + share) * self.weight
        return np.nan_to_num(ratio, nan=0.0, copy=False).astype(np.float32)


# Estimation of the map.


def estimate_time_map(src: Times, tgt: Times, beads: Ints) -> TimeMap | None:
    """Estimate the map of times from beads, most of which are right; None if none fits.

    `src` and `tgt` are as in `TimeEvidence`. A row of `beads` has the first and last source segment
    and the first and last target segment of a bead.

    Examples
    --------
    >>> starts = np.cumsum([2.0, 3.1, 1.7, 4.2, 2.3, 5.9, 1.1, 3.3, 2.8, 3.6])
    >>> times = np.stack([starts, starts + 1], axis=1)
    >>> every = np.arange(10)
    >>> found = estimate_time_map(times, times * 25 / 24 + 3, np.stack([every] * 4, axis=1))
    >>> round(found.rate, 4), found.offsets.round(3).tolist(), len(found.cuts)
    (1.0417, [3.0], 0)

    """
    start = src[beads[:, 0], 0], tgt[beads[:, 2], 0]
    end = src[beads[:, 1], 1], tgt[beads[:, 3], 1]
    known = ~(np.isnan(start[0]) | np.isnan(start[1]))
    x, y = start[0][known], start[1][known]
    if len(x) < _FEWEST_BEADS:
        return None
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    # Many rates fit a short text, so a rate other than 1 has to be clearly better.
    best = min(
        (_divide(x, y, rate) for rate in _candidates(x, y)),
        key=lambda each: each.cost * (1.0 if each.rate == 1.0 else 1 + _LEAST_COST_SHARE),
    )
    best = _refined(x, y, best)
    piece = best.piece
    steps = np.flatnonzero(np.diff(piece)) + 1
    offsets = best.levels[piece[np.append(0, steps)]]
    cuts = (x[steps - 1] + x[steps]) / 2
    # With a piece for every few beads, a map would fit any times.
    if len(x) < _LEAST_PIECE_BEADS * len(offsets):
        return None
    broad = max(_BROAD_FACTOR * median(np.diff(np.sort(x))), _LEAST_BROAD_SCALE)
    time_map = TimeMap(best.rate, offsets, cuts, (0.0, 0.0), (0.0, 0.0), broad)
    fits = [_mixture(np.abs(time_map.of(a) - b), broad) for a, b in (start, end)]
    (scale, misfits), other = fits
    # If all cues follow one another in equal steps, any beads fit that are as many.
    gaps = np.diff(np.sort(x)), np.diff(np.sort(y))
    uneven = min(median(np.abs(each - median(each))) for each in gaps)
    few = (1 - misfits) * len(x) < _MANY_BEADS
    fits_well = any(scale <= wide and misfits <= most for wide, most in _GATES[few:])
    if not fits_well or scale > _LARGEST_SCALE * uneven:
        return None
    return time_map._replace(scales=(scale, other[0]), misfits=(misfits, other[1]))


class _Division(NamedTuple):
    """A division of beads into pieces of one offset: the level of each bead, and the cost."""

    rate: float
    levels: Floats
    piece: Ints
    cost: float


def _candidates(x: Times, y: Times) -> list[float]:
    """Return the rates to try: median slopes (Theil and Sen), and usual ones near one of them.

    Few of the slopes between near beads go across a cut; those between far ones are more exact.
    """
    slopes = []
    for part in _LAGS:
        lag = max(len(x) // part, 1)
        wide = x[lag:] - x[:-lag]
        far = wide > 1.0
        slope = median((y[lag:] - y[:-lag])[far] / wide[far]) if far.any() else 1.0
        if 0.5 < slope < 2.0:
            slopes.append(slope)
    near = (
        [
            rate
            for rate in RATES
            if rate == 1.0 or min(abs(rate - one) for one in slopes) < _RATE_TOLERANCE
        ]
        if slopes
        else [1.0]
    )
    return [*near, *slopes]


def _divide(x: Times, y: Times, rate: float) -> _Division:
    """Divide beads into pieces of one offset with the least cost.

    Of equal costs the division is taken that stays on a level.
    """
    offset = y - rate * x
    levels = _levels(offset)
    own = np.minimum(np.abs(offset[:, None] - levels) / _UNIT, _MOST_BEAD_COST)
    total, back = own[0], np.zeros(own.shape, dtype=np.int64)
    every = np.arange(len(levels))
    for k in range(1, len(own)):
        jump = int(total.argmin())
        stays = total <= total[jump] + _CUT_COST
        back[k] = np.where(stays, every, jump)
        total = np.where(stays, total, total[jump] + _CUT_COST) + own[k]
    piece = np.empty(len(own), dtype=np.int64)
    piece[-1] = int(total.argmin())
    for k in range(len(own) - 1, 0, -1):
        piece[k - 1] = back[k, piece[k]]
    return _Division(rate, levels, piece, float(total.min()))


def _levels(offset: Times) -> Floats:
    """Return the offsets that many beads share, the most frequent first."""
    left = np.sort(offset)
    levels: list[float] = []
    while len(left) and len(levels) < _MOST_LEVELS:
        lo = np.searchsorted(left, left - _LEVEL_WIDTH / 2)
        hi = np.searchsorted(left, left + _LEVEL_WIDTH / 2, side="right")
        k = int((hi - lo).argmax())
        level = median(left[lo[k] : hi[k]])
        levels.append(level)
        is_left = np.abs(left - level) > _LEVEL_WIDTH / 2
        is_left[lo[k] : hi[k]] = False
        left = left[is_left]
    return np.array(levels)


def _refined(x: Times, y: Times, division: _Division) -> _Division:
    """Fit the rate and the offsets to the beads that fit, by least squares with a usual rate."""
    rate = division.rate
    for _ in range(_REFINEMENTS):
        offset = y - rate * x
        fits = np.abs(offset - division.levels[division.piece]) < 2 * _LEVEL_WIDTH
        if fits.sum() < _FEWEST_BEADS:
            return division
        pieces = division.piece[fits]
        inner = np.bincount(pieces, minlength=len(division.levels)).clip(1)
        mx = np.bincount(pieces, x[fits], len(division.levels)) / inner
        my = np.bincount(pieces, y[fits], len(division.levels)) / inner
        centred = [x[fits] - mx[pieces], y[fits] - my[pieces]]
        square = float((centred[0] ** 2).sum())
        slope = float((centred[0] * centred[1]).sum() / square) if square > 0 else rate
        # A usual rate within the error of the estimate is that rate; of several, the least change.
        residual = centred[1] - slope * centred[0]
        error = float(np.sqrt((residual**2).mean() / max(square, 1e-9)))
        error = max(_RATE_ERRORS * error, _LEAST_RATE_ERROR)
        usual = [each for each in RATES if abs(each - slope) <= error]
        rate = min(usual, key=lambda each: abs(each - 1), default=slope)
        division = _divide(x, y, rate)
    return division


def _mixture(distance: Times, broad: float) -> tuple[float, float]:
    """Estimate the scale of the narrow distribution and the share of the broad one."""
    distance = distance[~np.isnan(distance)]
    scale, share = _SCALE, _MISFITS
    for _ in range(_ROUNDS):
        against = np.exp(np.minimum(distance * (1 / scale - 1 / broad), _MOST_LOG))
        fits = 1 / (1 + share / (1 - share) * scale / broad * against)
        number = float(fits.sum())
        scale = (float((fits * distance).sum()) + _PRIOR_BEADS * _SCALE) / (number + _PRIOR_BEADS)
        scale = min(max(scale, _LEAST_SCALE), broad)
        share = (len(distance) - number + _PRIOR_BEADS * _MISFITS) / (len(distance) + _PRIOR_BEADS)
    return scale, share
