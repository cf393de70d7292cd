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

__all__ = [
    "UNKNOWN",
    "finds",
    "known",
    "normal",
    "refuse_others",
    "two_languages",
    "wrong_languages",
]

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


def two_languages(names: list[str], asked: tuple[str, str]) -> tuple[str, str] | None:
    """Choose two of the languages that there are; `None` where that cannot be done.

    Parameters
    ----------
    names : list of str
        The languages that there are.
    asked : pair of str
        The languages asked for; empty for one that is not. Without any there must be just two.

    Examples
    --------
    >>> two_languages(["en", "fr"], ("", "")), two_languages(["de", "en-GB", "fr"], ("fr", "en"))
    (('en', 'fr'), ('fr', 'en-GB'))

    """
    if not any(asked):
        return (names[0], names[1]) if len(names) == 2 else None
    src, tgt = (_chosen(each, names) for each in asked)
    if not (src and tgt):
        others = [name for name in names if name not in {src, tgt}]
        only = others[0] if len(others) == 1 else ""
        src, tgt = (src if asked[0] else only), (tgt if asked[1] else only)
    return (src, tgt) if src and tgt and src != tgt else None


def _chosen(asked: str, names: list[str]) -> str:
    """Return the language asked for, or the first that only says it more exactly; or nothing."""
    if asked in names or not asked:
        return asked
    return next((name for name in names if finds(asked, name)), "")


def wrong_languages(names: list[str], asked: tuple[str, str]) -> str:
    """Say that the languages that there are will not do."""
    shown = ", ".join(map(repr, names))[:80] or "none"
    options = remedy("src-lang", "tgt-lang")
    if not any(asked):
        return (
            f"has the languages {shown}; want two, the same on all lines: keep two languages, or "
            f"ask for two ({options})"
        )
    return (
        f"has the languages {shown}, and asked for are {asked[0] or 'any'!r} and "
        f"{asked[1] or 'any'!r}; ask for two of those ({options})"
    )
