"""The options of a paragraph segmenter, held against what they may be."""

from __future__ import annotations

from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from bitext.errors import OptionError, did_you_mean
from bitext.segment.training import check_training

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitext.segment.features import FeatureOptions
    from bitext.segment.method import Method

__all__ = ["LONGEST", "check_options", "feature_options", "made_method", "training_options"]

LONGEST = 1000  # the most that M may be: time and memory are in proportion to it

_COST = 0.01
_OF_METHODS = ("solver", "cost", "passes", "tolerance", "seed")


def check_options(options: Mapping[str, Any]) -> None:
    """Hold options against what they may be, as far as features and training do not.

    Raises
    ------
    OptionError
        When one is not allowed.

    """
    longest, offset, method = options["longest"], options["offset"], options["method"]
    if longest is not None and not (isinstance(longest, Integral) and 1 <= int(longest) <= LONGEST):
        raise OptionError(f"the longest paragraph is {longest!r}: want 1 to {LONGEST:,} sentences")
    if offset != "tuned" and not (isinstance(offset, Real) and isfinite(offset)):
        raise OptionError(f"the offset is {offset!r}: want a number, or 'tuned'")
    if method != "semi-markov":
        from bitext.segment.methods import method_options

        method_options(method)  # tells an unknown method
        if offset != 0.0:
            raise OptionError(f"the method {method!r} has no offset: leave it out")
    else:
        check_training(**training_options(options))


def training_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those options that `train` takes, of a semi-Markov model."""
    found = {name: options[name] for name in _OF_METHODS}
    if found["cost"] is None:
        found["cost"] = _COST
    return found


def made_method(options: Mapping[str, Any]) -> Method:
    """Return the method of the options, untrained, with those of them that are its own."""
    from bitext.segment.methods import make_method, method_options

    own = method_options(options["method"])
    given = {
        name: options[name] for name in _OF_METHODS if name in own and options[name] is not None
    }
    return make_method(options["method"], **given)


def feature_options(features: str | FeatureOptions) -> FeatureOptions:
    """Return the options of features, given as such or as the name of a preset.

    Raises
    ------
    OptionError
        When there is no such preset, naming the nearest.

    """
    from bitext.segment.features import PRESETS

    if not isinstance(features, str):
        return features
    if features not in PRESETS:
        hint = did_you_mean(features, PRESETS)
        raise OptionError(f"no features {features!r}; {hint}the presets: {', '.join(PRESETS)}")
    return PRESETS[features]
