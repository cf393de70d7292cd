"""JSON for all formats: each key of an object once, and no text that other programs refuse."""

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
    """Return what a text of JSON holds.

    Parameters
    ----------
    text : str
        One value.
    error : callable
        Makes the error of a message, with the place.

    Raises
    ------
    FormatError
        When an object has a key twice, or numbers or depth are beyond what can be read.
    json.JSONDecodeError
        When it is not JSON; who calls knows what is wanted instead.

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
        made = dict(pairs)
        if len(made) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise error(f"an object has the key {twice!r:.40} twice; want it once")
        return made

    try:
        return json.loads(text, object_pairs_hook=once)
    except (json.JSONDecodeError, FormatError):
        raise
    except (ValueError, RecursionError) as reason:
        raise error(beyond_limits(reason)) from None


def beyond_limits(reason: ValueError | RecursionError) -> str:
    """Describe JSON beyond the limits of the reader, without words of the library."""
    if isinstance(reason, RecursionError):
        return "is JSON beyond all limits: it is nested too deep"
    return "is JSON beyond all limits: it has a number of more than 4,300 digits"


def unfit(text: str) -> str | None:
    r"""Tell what in a text no file of text can hold; None where there is nothing.

    Control characters but tab, line feed and carriage return, and halves of surrogate pairs.

    Examples
    --------
    >>> unfit("Fog\tfell\n"), unfit("Fog\0")
    (None, "the control character '\\x00'")

    """
    if _HALF_OF_PAIR.search(text):
        return "half of a surrogate pair"
    found = _CONTROL.search(text)
    return None if found is None else f"the control character {found[0]!a}"


def shown(value: object) -> str:
    """Spell a value as messages show it: in JSON, and short."""
    spelled = json.dumps(value)
    return spelled if len(spelled) <= 40 else spelled[:39] + "…"
