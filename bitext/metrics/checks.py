"""Checks of options that several metrics have, and of how intervals and tests are made."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["confidence", "number", "stored_numbers", "whole"]


def whole(name: str, given: Any, of: str = "", *, least: int = 0, most: int | None = None) -> int:
    """Return an option as a whole number, `of` saying what it counts.

    Raises
    ------
    OptionError
        When it is none, or not in the range.

    """
    fits = isinstance(given, int | np.integer) and not isinstance(given, bool)
    if not fits or given < least or (most is not None and given > most):
        span = f"{least} or more" if most is None else f"{least} to {most:,}"
        number = f"whole number of {of}" if of else "whole number"
        raise OptionError(f"{name} is {given!r}: want a {number}, {span}")
    return int(given)


def number(name: str, given: Any) -> float:
    """Return an option as a number; `nan` is one.

    Raises
    ------
    OptionError
        When it is none.

    """
    if not isinstance(given, Real) or isinstance(given, bool):
        raise OptionError(f"{name} is {given!r}: want a number")
    return float(given)


def confidence(level: Any) -> float:
    """Return a confidence level.

    Raises
    ------
    OptionError
        When it is no number between 0 and 1.

    """
    if not isinstance(level, Real) or not 0 < float(level) < 1:
        raise OptionError(f"the confidence level is {level!r}: want one between 0 and 1")
    return float(level)


def stored_numbers(stored: Iterable[Any]) -> list[Any]:
    """Return the numbers of a stored state, each an `int` or a `float`.

    Raises
    ------
    TypeError
        When one of them is anything else: the file was changed.

    """
    numbers = list(stored)
    if not all(type(each) in {int, float} for each in numbers):
        raise TypeError(f"want numbers, found {numbers!r:.60}")
    return numbers
