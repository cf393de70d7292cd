"""Bounds of filters proposed from a corpus: quantiles of what each filter measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.formats.beads import joined_sides
from bitext.formats.cleaning.filters import FILTERS
from bitext.formats.cleaning.sides import Pair, Side
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bitext.model import Bitext

__all__ = ["Suggestion", "as_profile", "suggested_bounds"]

# Filters with bounds that depend on the corpus, and which of both bounds are proposed.
_BOUNDED = {
    "length-chars": "both",
    "length-words": "both",
    "ratio-chars": "max",
    "ratio-words": "max",
    "long-words": "max",
    "letters": "min",
    "repeated-chars": "max",
    "repeated-words": "max",
    "similar-sides": "max",
    "numbers": "max",
}
_MOST = 1 << 17  # bisegments whose values are stored; of more every second, fourth ... one
_FEWEST = 100  # bisegments that quantiles need; set by hand
_BINS = 40  # bars of a histogram


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Proposed bounds of a filter, with the distribution of its values.

    Attributes
    ----------
    name : str
    low, high, expected : float or None
        The bounds, and the expected ratio of filters that have one.
    edges, counts : tuple
        A histogram up to the highest bound and half as much again; the last bar has all above.

    """

    name: str
    low: float | None
    high: float | None
    expected: float | None
    edges: tuple[float, ...]
    counts: tuple[int, ...]


def suggested_bounds(bitexts: Iterable[Bitext], share: float = 0.005) -> list[Suggestion]:
    """Propose bounds beyond which a share of the bisegments lies, for each bound of a filter.

    Parameters
    ----------
    bitexts : iterable of Bitext
        The bitexts, or their parts.
    share : float
        The share of the bisegments beyond a bound.

    Raises
    ------
    InputError
        When the corpus has fewer than 100 bisegments with texts on both sides.

    """
    rows: dict[str, list[NDArray[np.float32]]] = {name: [] for name in _BOUNDED}
    lengths: list[NDArray[np.float32]] = []
    step, seen, stored = 1, 0, 0
    for bitext in bitexts:
        src, tgt = joined_sides(bitext, "the proposal of bounds")
        first = -seen % step
        seen += len(src)
        pair = Pair(Side(src[first::step]), Side(tgt[first::step]))
        if not len(pair):
            continue
        stored += len(pair)
        sides = (pair.src.lengths, pair.tgt.lengths, pair.src.word_counts, pair.tgt.word_counts)
        lengths.append(np.where(pair.both, sides, np.nan).astype(np.float32))
        for name, measured in rows.items():
            if not name.startswith("ratio"):
                one = FILTERS[name].measure(pair, **FILTERS[name].defaults)
                measured.append(np.atleast_2d(one).astype(np.float32))
        if stored > _MOST:
            # Bisegments whose number is no multiple of twice the step are let go.
            step *= 2
            kept = np.arange(stored) % 2 == 0
            for arrays in (lengths, *filter(None, rows.values())):
                arrays[:] = [np.concatenate(arrays, axis=1)[:, kept]]
            stored = int(kept.sum())
    whole = np.concatenate(lengths, axis=1) if lengths else np.zeros((4, 0), dtype=np.float32)
    if (number := int((~np.isnan(whole[0])).sum())) < _FEWEST:
        raise InputError(
            f"bounds are proposed from {_FEWEST} bisegments with texts on both sides or more, and "
            f"there are {number}: name more, or a profile of your own ({remedy('clean')})"
        )
    suggestions = []
    for name, bounds in _BOUNDED.items():
        expected: float | None = None
        values: NDArray[np.float32]
        if name.startswith("ratio"):
            one, other = whole[:2] if name == "ratio-chars" else whole[2:]
            ratios = other / np.maximum(one, 1)
            expected = float(f"{np.nanmedian(ratios):.3g}")
            scaled = one * expected
            values = np.maximum(scaled, other) / np.maximum(np.minimum(scaled, other), 1e-9)
        else:
            values = np.concatenate(rows[name], axis=1).ravel()
        known = np.asarray(values[~np.isnan(values)], dtype=np.float64)
        suggestions.append(_suggestion(name, bounds, known, share, expected))
    return suggestions


def _suggestion(
    name: str, bounds: str, values: NDArray[np.float64], share: float, expected: float | None
) -> Suggestion:
    low = high = None
    if values.size and bounds != "max":
        low = _rounded(float(np.quantile(values, share, method="lower")), up=False)
    if values.size and bounds != "min":
        high = _rounded(float(np.quantile(values, 1 - share, method="higher")), up=True)
    top = 1.5 * high if high else float(values.max(initial=1.0))
    counts, edges = np.histogram(np.minimum(values, top), bins=_BINS, range=(0.0, max(top, 1e-9)))
    return Suggestion(name, low, high, expected, tuple(edges.tolist()), tuple(counts.tolist()))


def _rounded(value: float, *, up: bool) -> float:
    """Round a bound outwards: whole numbers stay, others have two decimals."""
    scaled = value * 100
    return float(np.ceil(scaled - 1e-6) if up else np.floor(scaled + 1e-6)) / 100


def as_profile(suggestions: Iterable[Suggestion]) -> str:
    """Return a profile with the proposed bounds, after the filter of blank sides.

    Examples
    --------
    >>> print(as_profile([Suggestion("ratio-chars", None, 2.5, 1.1, (), ())]))
    [[filter]]
    name = "empty"
    <BLANKLINE>
    [[filter]]
    name = "ratio-chars"
    max = 2.5
    expected = 1.1
    <BLANKLINE>

    """
    parts = ['[[filter]]\nname = "empty"\n']
    for one in suggestions:
        lines = ["[[filter]]", f'name = "{one.name}"']
        values = (("min", one.low), ("max", one.high), ("expected", one.expected))
        lines += [f"{key} = {value!r}" for key, value in values if value is not None]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
