"""Checks of options that several metrics have."""

from __future__ import annotations

from typing import Any

import numpy as np

from bitext.errors import OptionError

__all__ = ["whole"]


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
