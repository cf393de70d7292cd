"""Agreement expected by chance, for each coefficient, and the coefficients of sums of columns.

With p a share of boundaries (boundaries over potential boundaries), and where agreement is
judged on boundaries and on their absence:

    multi-kappa, Cohen   mean over pairs of coders m, n of p_m p_n + (1 - p_m)(1 - p_n)
    multi-pi, Scott      p p + (1 - p)(1 - p), p the share of all coders together
    alpha                the same with p p as b (b - 1) / (N (N - 1)), b boundaries among N marks
    Bennett              1/2, for two categories

By a similarity only the first summand counts: chance is agreement on boundaries (Fournier 2013).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bitext.errors import InputError
from bitext.metrics.coders import Agreement, Codings
from bitext.metrics.observed import tally, tally_of_some

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from bitext.metrics.coders import Incomplete, Texts
    from bitext.metrics.observed import Columns, Observed, Tally

    Chance = Callable[[Columns, bool, bool], NDArray[np.float64]]

__all__ = ["CHANCE", "coded", "coefficient", "coefficients", "tallied"]

_OF_TWO = {"cohen-kappa": "multi_kappa", "scott-pi": "multi_pi"}
_NO_PLACE = "no text has two units: there is no place for a boundary"
_CERTAIN = "agreement is certain by chance: no coder has a boundary, or all have one everywhere"


def coded(name: str, codings: Texts) -> Codings:
    """Check the texts, and that there are as many coders as the coefficient is for."""
    texts = Codings(codings)
    if name in _OF_TWO and texts.coders != 2:
        raise InputError(
            f"{name} is for two coders, and there are {texts.coders}: "
            f"want two, or {_OF_TWO[name]}, its form for more"
        )
    return texts


def tallied(
    name: str, codings: Incomplete, observed: Observed, options: Mapping[str, Any]
) -> Tally:
    """Count what a coefficient is made of; of alpha texts may lack coders."""
    if name == "krippendorff-alpha":
        return tally_of_some(codings, observed, options)
    return tally(coded(name, cast("Texts", codings)), observed, options)


def coefficient(name: str, sums: Tally, *, pooled: bool = False) -> Agreement:
    """Return a coefficient of the whole corpus."""
    columns = sums.columns(sums.counts.sum(axis=0))
    observed = float(sums.observed(columns))
    chance = float(CHANCE[name](columns, sums.both, pooled))
    if not columns.places.any():
        return Agreement(observed, chance, _NO_PLACE)
    return Agreement(observed, chance, _CERTAIN if chance == 1 else "")


def coefficients(
    counts: NDArray[np.float64],
    zero_division: float = np.nan,
    *,
    name: str,
    sums: Tally,
    pooled: bool = False,
) -> NDArray[np.float64]:
    """Return a coefficient of each of many sums of columns, shape (..., columns) to (..., 1)."""
    columns = sums.columns(counts)
    chance = CHANCE[name](columns, sums.both, pooled)
    beyond = sums.observed(columns) - chance
    defined = (chance != 1) & ~np.isnan(beyond)
    out = np.full(beyond.shape, zero_division)
    np.divide(beyond, 1 - chance, out=out, where=defined)
    return out[..., None]


def _ratio(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.full(np.broadcast_shapes(above.shape, below.shape), np.nan)
    np.divide(above, below, out=out, where=below != 0)
    return out


def _by_coder(columns: Columns, both: bool, pooled: bool) -> NDArray[np.float64]:
    """Return the mean over pairs of coders of the product of their own shares."""
    del pooled  # of the mean of all coders only
    shares = _ratio(columns.placed, columns.places)
    chance = _mean_product(shares)
    return chance + _mean_product(1 - shares) if both else chance


def _mean_product(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean product of two different ones along the last axis."""
    coders = shares.shape[-1]
    # The sum over the pairs, each coder with all that stand before.
    before = np.cumsum(shares, axis=-1)[..., :-1]
    total = (before * shares[..., 1:]).sum(axis=-1)
    return np.asarray(total / (coders * (coders - 1) / 2))


def _by_mean(columns: Columns, both: bool, pooled: bool) -> NDArray[np.float64]:
    """Return the square of the mean share."""
    if both or pooled:
        share = _ratio(columns.placed.sum(axis=-1), columns.places.sum(axis=-1))
    else:
        share = _ratio(columns.shares, columns.counted)
    return share * share + (1 - share) * (1 - share) if both else share * share


def _without_replacement(columns: Columns, both: bool, pooled: bool) -> NDArray[np.float64]:
    """Return the chance that two different marks of all that were made are the same."""
    del pooled  # always
    marks, total = columns.placed.sum(axis=-1), columns.places.sum(axis=-1)
    alike = marks * (marks - 1)
    if both:
        alike = alike + (total - marks) * (total - marks - 1)
    return _ratio(alike, total * (total - 1))


def _constant(columns: Columns, both: bool, pooled: bool, *, value: float) -> NDArray[np.float64]:
    del both, pooled  # whatever was observed
    return np.full(columns.agreed.shape, value)


CHANCE: dict[str, Chance] = {
    "bennett-s": partial(_constant, value=0.5),
    "cohen-kappa": _by_coder,
    "fleiss-kappa": _by_mean,
    "krippendorff-alpha": _without_replacement,
    "multi-kappa": _by_coder,
    "multi-pi": _by_mean,
    "observed-agreement": partial(_constant, value=0.0),
    "scott-pi": _by_mean,
}
