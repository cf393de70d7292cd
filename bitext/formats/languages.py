"""Codes of languages: how they are compared, and what stands where none is known.

Codes are compared without case, `_` as `-`. A code asked for finds that very code, or any that only
says it more exactly: `en` finds `en-GB`, `en-GB` does not find `en`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.remedies import remedy

if TYPE_CHECKING:
    from bitext.model import Bitext

__all__ = ["UNKNOWN", "finds", "known", "normal", "refuse_others"]

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


def refuse_others(
    bitext: Bitext, found: tuple[str, str], wanted: tuple[str, str], format_and_units: str
) -> None:
    """Refuse a document pair in other languages than those of the file that it is to go to.

    A text without any segment may be of any language.

    Parameters
    ----------
    bitext : Bitext
        The document pair.
    found, wanted : pair of str
        Its languages, and those of the first one.
    format_and_units : str
        The format and what it has its bisegments in: `tmx ... units`.

    Raises
    ------
    InputError
        When they are not the same.

    """
    texts = (bitext.src, bitext.tgt)
    if all(
        normal(one) == normal(other) or (text is not None and not len(text))
        for one, other, text in zip(found, wanted, texts, strict=True)
    ):
        return
    name, _, units = format_and_units.partition(" ... ")
    shown = [" and ".join(map(repr, each)) for each in (found, wanted)]
    raise InputError(
        f"{name} has the same two languages in all {units}, but {bitext.name or 'a later text'} "
        f"has {shown[0]} where the first has {shown[1]}; write each pair of languages to a file "
        f"of its own, or name two for all ({remedy('src-lang', 'tgt-lang')})"
    )
