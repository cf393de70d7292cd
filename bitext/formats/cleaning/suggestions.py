"""Bounds of filters proposed from a corpus, by robust spreads of what each filter measures.

The faults of a dirty corpus would move a mean, a standard deviation or an outer quantile. The
median and the median absolute deviation (MAD) stand up to faults in nearly half of the corpus. A
bound is four standard deviations from the median, as estimated from the MAD of the values on this
side of the median, since most distributions are skewed. Lengths and ratios are log-normal, so
their logarithms are taken: those of a side, or a direction, each for itself. Where more than half
of the values are equal, the MAD is 0, and the bound is a quantile.

**Source**: P. J. Rousseeuw and C. Croux, Alternatives to the median absolute deviation, Journal of
the American Statistical Association 88, 1993 (robust scales).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.errors import InputError
from bitext.formats.beads import joined_sides
from bitext.formats.cleaning.cleaner import SIDES
from bitext.formats.cleaning.filters import FILTERS
from bitext.formats.cleaning.sides import Pair, Side
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bitext.model import Bitext

__all__ = ["Suggestion", "as_profile", "suggested_bounds"]

# Filters with bounds that depend on the corpus: the bound that is proposed, and the scale on which
# values are about normally distributed.
_BOUNDED: dict[str, tuple[Literal["min", "max"], Literal["log", "logit", ""]]] = {
    "length-chars": ("max", "log"),
    "length-words": ("max", "log"),
    "ratio-chars": ("max", "log"),
    "ratio-words": ("max", "log"),
    "long-words": ("max", "log"),
    "average-word": ("max", "log"),
    "letters": ("min", "logit"),
    "repeated-chars": ("max", ""),
    "repeated-words": ("max", ""),
    "similar-sides": ("max", "logit"),
    "numbers": ("max", ""),
}
_MOST = 1 << 17  # bisegments whose values are stored; of more every second, fourth ... one
_FEWEST = 100  # bisegments that quantiles need; set by hand
_BINS = 40  # bars of a histogram
_NORMAL = 1.4826  # standard deviations of a normal distribution for one MAD
# Chosen by scripts/bench/cleaning.md, so that hardly any good bisegment is lost.
_SPREADS = 4.0  # standard deviations between median and bound


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A proposed bound of a filter, with the distribution of its values.

    Attributes
    ----------
    name : str
    side : str
        `src` or `tgt`, for a bound of one side, or of one direction; else empty.
    low, high, expected : float or None
        The bounds, and the expected ratio of filters that have one.
    share : float
        The share of the bisegments beyond the bound.
    quantile : float or None
        The value beyond which a given share of the bisegments lies.
    edges, counts : tuple
        A histogram up to twice the bound, so that the bound is in the middle; the last bar has all
        above. For a lowest bound, up to the highest value.

    """

    name: str
    side: str
    low: float | None
    high: float | None
    expected: float | None
    share: float
    quantile: float | None
    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def title(self) -> str:
        """The name with the side."""
        return f"{self.name} {self.side}".strip()


def suggested_bounds(bitexts: Iterable[Bitext], share: float = 0.005) -> list[Suggestion]:
    """Propose a bound for each filter whose bounds depend on the corpus.

    Parameters
    ----------
    bitexts : iterable of Bitext
        The bitexts, or their parts.
    share : float
        The share of the bisegments beyond the quantile, which stands beside a bound.

    Raises
    ------
    InputError
        When the corpus has fewer than 100 bisegments with texts on both sides.

    """
    values, number = _measured(bitexts)
    if number < _FEWEST:
        raise InputError(
            f"bounds are proposed from {_FEWEST} bisegments with texts on both sides or more, and "
            f"there are {number}: name more, or a profile of your own ({remedy('clean')})"
        )
    suggestions = []
    for name, (bound, scale) in _BOUNDED.items():
        rows, expected = np.asarray(values[name], dtype=np.float64), None
        if name.startswith("ratio"):
            expected = float(f"{np.nanmedian(rows[1]):.3g}")
            rows = rows * np.array([[expected], [1 / expected]])
        robust = [_robust_bound(row[~np.isnan(row)], bound, scale) for row in rows]
        sides: tuple[str, ...] = SIDES if len(rows) > 1 else ("",)
        if not any(robust):
            sides, rows, robust = ("",), rows.reshape(1, -1), [None]
        for side, row, value in zip(sides, rows, robust, strict=True):
            known = row[~np.isnan(row)]
            if known.size:
                suggestions.append(_suggestion(name, side, known, value, share, expected))
    return suggestions


def _measured(bitexts: Iterable[Bitext]) -> tuple[dict[str, NDArray[np.float32]], int]:
    """Return the values of each filter, of at most 131,072 bisegments, and their number.

    The number is that of bisegments with texts on both sides.
    """
    rows: dict[str, list[NDArray[np.float32]]] = {name: [] for name in _BOUNDED}
    filled: list[NDArray[np.float32]] = []
    step, seen, stored = 1, 0, 0
    for bitext in bitexts:
        src, tgt = joined_sides(bitext, "the proposal of bounds")
        first = -seen % step
        seen += len(src)
        pair = Pair(Side(src[first::step]), Side(tgt[first::step]))
        if not len(pair):
            continue
        stored += len(pair)
        filled.append(pair.both[None].astype(np.float32))
        for name, measured in rows.items():
            values = FILTERS[name].measure(pair, **FILTERS[name].defaults)
            measured.append(np.atleast_2d(values).astype(np.float32))
        if stored > _MOST:
            # Bisegments whose number is no multiple of twice the step are let go.
            step *= 2
            chosen = np.arange(stored) % 2 == 0
            for arrays in (filled, *rows.values()):
                arrays[:] = [np.concatenate(arrays, axis=1)[:, chosen]]
            stored = int(chosen.sum())
    if not filled:
        return {}, 0
    whole = {name: np.concatenate(arrays, axis=1) for name, arrays in rows.items()}
    return whole, int(np.concatenate(filled, axis=1).sum())


def _suggestion(
    name: str,
    side: str,
    values: NDArray[np.float64],
    robust: float | None,
    share: float,
    expected: float | None,
) -> Suggestion:
    """Propose the bound of one side of a filter."""
    up = _BOUNDED[name][0] == "max"
    quantile = float(
        np.quantile(values, 1 - share, method="higher")
        if up
        else np.quantile(values, share, method="lower")
    )
    default = FILTERS[name].high if up else FILTERS[name].low
    value = float(default or 0.0)
    if robust is not None:
        whole = bool((values == np.floor(values)).all())
        value = _rounded(robust, up=up, decimals=0 if whole else 2)
    beyond = values > value if up else values < value
    top = 2 * value or max(quantile, 4.0) if up else float(values.max(initial=1.0))
    counts, edges = np.histogram(np.minimum(values, top), bins=_BINS, range=(0.0, max(top, 1e-9)))
    return Suggestion(
        name,
        side,
        None if up else value,
        value if up else None,
        expected,
        float(beyond.mean()),
        quantile,
        tuple(edges.tolist()),
        tuple(counts.tolist()),
    )


def _robust_bound(values: NDArray[np.float64], bound: str, scale: str) -> float | None:
    """Return the bound by the median and the MAD of the values beyond it; none for a MAD of 0."""
    scaled = values
    if not values.size:
        return None
    if scale:
        scaled = np.clip(values, 1e-6, None if scale == "log" else 1 - 1e-6)
        scaled = np.log(scaled if scale == "log" else scaled / (1 - scaled))
    median, sign = float(np.median(scaled)), 1 if bound == "max" else -1
    beyond = sign * (scaled - median)
    spread = _NORMAL * float(np.median(beyond[beyond >= 0]))
    if spread <= 0:
        return None
    end = np.exp(median + sign * _SPREADS * spread)
    if scale == "logit":
        return float(end / (1 + end))
    return float(end) if scale == "log" else median + sign * _SPREADS * spread


def _rounded(value: float, *, up: bool, decimals: int) -> float:
    """Round a bound outwards."""
    factor = 10.0**decimals
    scaled = value * factor
    return float(np.ceil(scaled - 1e-6) if up else np.floor(scaled + 1e-6)) / factor


def as_profile(suggestions: Iterable[Suggestion]) -> str:
    """Return a profile with the proposed bounds, after the filter of blank sides.

    Examples
    --------
    >>> print(as_profile([Suggestion("ratio-chars", "tgt", None, 2.5, 1.1, 0.002, 2.2, (), ())]))
    [[filter]]
    name = "empty"
    <BLANKLINE>
    [[filter]]  # beyond it: 0.20% of the bisegments; quantile .995: 2.2
    name = "ratio-chars"
    side = "tgt"
    max = 2.5
    expected = 1.1
    <BLANKLINE>

    """
    parts = ['[[filter]]\nname = "empty"\n']
    for one in suggestions:
        quantile = "" if one.quantile is None else f"; quantile {_share(one)}: {one.quantile:.6g}"
        lines = [f"[[filter]]  # beyond it: {one.share:.2%} of the bisegments{quantile}"]
        lines += [f'name = "{one.name}"', *([f'side = "{one.side}"'] if one.side else [])]
        values = (("min", one.low), ("max", one.high), ("expected", one.expected))
        lines += [f"{key} = {value:.6g}" for key, value in values if value is not None]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _share(one: Suggestion) -> str:
    return ".005" if one.high is None else ".995"
