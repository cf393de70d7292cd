"""Codes of languages: how they are compared, and what stands where none is known.

Codes are compared without case, `_` as `-`. A code asked for finds that very code, or any that only
says it more exactly: `en` finds `en-GB`, `en-GB` does not find `en`.
"""

from __future__ import annotations

__all__ = ["UNKNOWN", "finds", "known", "normal"]

# For formats that cannot do without a code: of an undetermined language, by its side (BCP 47).
UNKNOWN = ("und-x-src", "und-x-tgt")


def normal(code: str) -> str:
    """Return a code as it is compared.

    Examples
    --------
    >>> normal("FR_fr")
    'fr-fr'

    """
    return code.strip().replace("_", "-").lower()


def finds(wanted: str, code: str) -> bool:
    """Tell whether a code is that of the language wanted.

    Examples
    --------
    >>> finds("en", "EN-us"), finds("en-GB", "en"), finds("en", "enm")
    (True, False, False)

    """
    asked, given = normal(wanted), normal(code)
    return given == asked or given.startswith(f"{asked}-")


def known(code: str) -> str:
    """Return a code as it is; empty for what is written where none is known."""
    return "" if normal(code) in UNKNOWN else code
