"""Strict JSON for all formats: no repeated keys, no characters that other programs refuse."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = ["beyond_limits", "parsed", "shown", "unfit"]


_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_HALF_OF_PAIR = re.compile("[\ud800-\udfff]")


def parsed(text: str, error: Callable[[str], FormatError]) -> Any:
    """Parse a value of JSON.

    Parameters
    ----------
    text : str
        The JSON of one value.
    error : callable
        Returns the error of a message, with its place.

    Raises
    ------
    FormatError
        When an object has a repeated key, or numbers or nesting exceed the limits of the parser.
    json.JSONDecodeError
        When the text is not JSON; the caller words the error.

    Examples
    --------
    >>> parsed('{"a": [1, 2]}', lambda message: FormatError(message, path="a.json"))
    {'a': [1, 2]}
    >>> parsed('{"a": 1, "a": 2}', lambda message: FormatError(message, path="a.json"))
    Traceback (most recent call last):
      ...
    bitext.errors.FormatError: a.json: an object has the key 'a' twice; want it once

    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        unique = dict(pairs)
        if len(unique) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise error(f"an object has the key {twice!r:.40} twice; want it once")
        return unique

    try:
        return json.loads(text, object_pairs_hook=once)
    except (json.JSONDecodeError, FormatError):
        raise
    except (ValueError, RecursionError) as reason:
        raise error(beyond_limits(reason)) from None


def beyond_limits(reason: ValueError | RecursionError) -> str:
    """Word the error of JSON beyond the limits of the parser."""
    if isinstance(reason, RecursionError):
        return "is JSON beyond all limits: it is nested too deeply"
    return "is JSON beyond all limits: it has a number of more than 4,300 digits"


def unfit(text: str) -> str | None:
    r"""Describe the first character that no text file can hold; None where there is none.

    Such are control characters, except for tab, line feed and carriage return, and halves of
    surrogate pairs.

    Examples
    --------
    >>> unfit("Fog\tfell\n"), unfit("Fog\0")
    (None, "the control character '\\x00'")

    """
    if _HALF_OF_PAIR.search(text):
        return "half of a surrogate pair"
    match = _CONTROL.search(text)
    return None if match is None else f"the control character {match[0]!a}"


def shown(value: object) -> str:
    """Spell a value for a message: in JSON, cut after 40 characters."""
    spelled = json.dumps(value)
    return spelled if len(spelled) <= 40 else spelled[:39] + "…"
