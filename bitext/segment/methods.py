"""The methods of paragraph segmentation by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitext.errors import OptionError, did_you_mean
from bitext.segment.rivals.baselines import Majority, QuoteRule
from bitext.segment.rivals.boosting import Boosting
from bitext.segment.rivals.linear import ChainCrf, LinearSvm
from bitext.segment.training.training import MaxMarginChain, SemiMarkov

if TYPE_CHECKING:
    from bitext.segment.method import Method

__all__ = ["METHODS", "make_method", "method_options"]

METHODS: dict[str, type[Method]] = {
    method.name: method
    for method in (
        Majority,
        QuoteRule,
        LinearSvm,
        Boosting,
        ChainCrf,
        MaxMarginChain,
        SemiMarkov,
    )
}


def make_method(name: str, **options: Any) -> Method:
    """Make an untrained method by its name.

    Raises
    ------
    OptionError
        When there is no such method or option, naming the nearest; when an option has a value that
        is not allowed.

    Examples
    --------
    >>> make_method("svm", cost=0.01).chosen()
    {'cost': 0.01, 'passes': 10000, 'seed': 0}

    """
    method = _known(name)
    wrong = next((option for option in options if option not in method.options), None)
    if wrong is not None:
        told = ", ".join(method.options) or "none"
        raise OptionError(f"the method {name!r} has no option {wrong!r}; its options: {told}")
    try:
        return method(**options)
    except TypeError as error:
        raise OptionError(f"the method {name!r} cannot have {options}: want numbers") from error


def method_options(name: str) -> dict[str, Any]:
    """Return the options of a method with their defaults.

    Raises
    ------
    OptionError
        When there is no such method, naming the nearest.

    Examples
    --------
    >>> method_options("crf")
    {'l2': 10.0, 'passes': 100}

    """
    return _known(name)().chosen()


def _known(name: str) -> type[Method]:
    if name not in METHODS:
        hint = did_you_mean(name, METHODS)
        raise OptionError(f"no method {name!r}; {hint}the methods: {', '.join(METHODS)}")
    return METHODS[name]
