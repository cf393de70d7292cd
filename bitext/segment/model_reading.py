"""What a file of a model says, held against what a segmenter needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import BitextError, FormatError

if TYPE_CHECKING:
    from bitext.segment.model_files import ModelParts

__all__ = ["segmenter_parts"]


def segmenter_parts(parts: ModelParts, name: str) -> dict[str, Any]:
    """Return the learned attributes of a segmenter.

    Raises
    ------
    FormatError
        When something is missing, or does not fit the rest.

    """
    from bitext.segment.features import FeatureModel
    from bitext.segment.segmenter_options import LONGEST

    settings = parts.settings
    longest, offset, breaks = (settings.get(key) for key in ("longest", "offset", "breaks"))
    if not (isinstance(longest, int) and longest >= 1 and isinstance(breaks, bool)):
        raise _damaged(name, "the longest paragraph or the breaks are missing from its settings")
    if longest > LONGEST:
        raise _damaged(name, f"its longest paragraph is {longest}: want {LONGEST:,} at most")
    if not isinstance(offset, int | float) or not np.isfinite(offset):
        raise _damaged(name, "the offset is missing from its settings")
    try:
        features = FeatureModel.from_parts(parts.features, parts.of("features"))
    except (BitextError, KeyError, TypeError, ValueError, IndexError) as error:
        raise _damaged(name, f"its features cannot be read ({error!r:.80})") from error
    if features.longest != longest:
        raise _damaged(
            name, f"its longest paragraph is {longest}, its features' {features.longest}"
        )
    found = {
        "features_": features,
        "longest_": longest,
        "offset_": float(offset),
        "breaks_": breaks,
    }
    if parts.method == "semi-markov" or not breaks:
        weights = parts.of("method").get("weights")
        if weights is None or weights.shape != (features.size,) or weights.dtype.kind != "f":
            raise _damaged(name, f"want {features.size} weights, one a feature")
        if not np.isfinite(weights).all():
            raise _damaged(name, "a weight is not finite")
        return {**found, "weights_": weights.astype(np.float64)}
    from bitext.segment.methods import METHODS

    if parts.method not in METHODS:
        raise _damaged(name, f"its method {parts.method!r} is none of: {', '.join(METHODS)}")
    try:
        method = METHODS[parts.method].from_parts(parts.learned, parts.of("method"))
    except BitextError as error:
        raise _damaged(name, str(error)) from error
    return {**found, "method_": method}


def _damaged(name: str, what: str) -> FormatError:
    return FormatError(f"{what}: the model is damaged; train it anew", path=name)
