"""Codes of languages: how they are compared, and what stands where none is known.

Codes are compared without case, `_` as `-`. A code asked for finds that very code, or any that only
says it more exactly: `en` finds `en-GB`, `en-GB` does not find `en`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.io.compression import unpacked
from bitext.formats.io.remote import called
from bitext.model.languages import is_language
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.formats.io.source import Notes
    from bitext.model import Bitext

__all__ = [
    "UNKNOWN",
    "bare_name",
    "finds",
    "in_one_pair",
    "known",
    "named_language",
    "named_languages",
    "normal",
    "note_exchanged",
    "refuse_others",
    "two_languages",
    "unknown_languages",
    "with_languages",
    "wrong_languages",
]

# For formats that cannot do without a code: of an undetermined language, by its side (BCP 47).
UNKNOWN = ("und-x-src", "und-x-tgt")

_ENDING = re.compile(r"\.([A-Za-z]{2,3})(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}))?")
_STEM = re.compile(r"(|.*[-_])([A-Za-z]{2,3})(?:\.[^.]*)?", re.DOTALL)
_TEXTS = (".txt", ".text", ".xml", ".jsonl", ".json", ".srt", ".vtt")


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


def in_one_pair(
    bitexts: Iterable[Bitext],
    asked: tuple[str, str],
    format_name: str,
    files: tuple[str, str] | None,
    notes: Notes,
) -> Iterator[Bitext]:
    """Yield bitexts on their way into a format without languages; refuse to mix languages there.

    Regions and scripts are left aside: `en-GB` and `en-US` may stand in one file.

    Parameters
    ----------
    bitexts : iterable of Bitext
        Those of one file, or of two.
    asked : pair of str
        The languages that all have in any case; empty for those of the texts.
    format_name : str
        The format.
    files : pair of str or None
        The names of two files, one a side.
    notes : Notes
        Takes files whose names tell another language than their texts have.

    Raises
    ------
    InputError
        When two document pairs have different languages, or the names of the files tell the
        languages of the two sides the other way round.

    """
    named = ("", "") if files is None else named_languages(*files)
    first = ("", "")
    for bitext in bitexts:
        if not bitext.continues:
            found = _main_codes(bitext, asked)
            if files is not None and any(named):
                _check_names(files, named, found, notes)
            # Of a side whose language is not known, here or before, nothing can be said.
            found = found[0] or first[0], found[1] or first[1]
            first = first[0] or found[0], first[1] or found[1]
            refuse_others(bitext, found, first, f"{format_name} ... lines")
        yield bitext


def _main_codes(bitext: Bitext, asked: tuple[str, str]) -> tuple[str, str]:
    """Return the languages of the sides, without region and script; by names if none has one."""
    texts = (bitext.src, bitext.tgt)
    codes = [
        code or ("" if text is None or not len(text) else known(text.lang))
        for code, text in zip(asked, texts, strict=True)
    ]
    if not any(codes):
        names = ["" if text is None else text.name for text in texts]
        codes = [*named_languages(names[0], names[1])]
    src, tgt = (normal(code).partition("-")[0] for code in codes)
    return src, tgt


def _check_names(
    files: tuple[str, str], named: tuple[str, str], found: tuple[str, str], notes: Notes
) -> None:
    """Refuse two files that are named the other way round; note other languages in their names."""
    told = f"{files[0]} and {files[1]}"
    shown = f"{found[0] or 'unknown'} and {found[1] or 'unknown'}"
    if not any(
        code and len(code) == len(name) and code != name
        for code, name in zip(found, named, strict=True)
    ):
        return
    if all(code in {"", name} for code, name in zip(found, named[::-1], strict=True)):
        raise InputError(
            f"{told}: their names say {named[0]} and {named[1]}, and the texts that would be "
            f"written there are {shown}: exchange the two names"
        )
    kind = "files whose names tell other languages than their texts have"
    notes.add(kind, f"{told}: texts in {shown}")


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


def bare_name(path: str) -> str:
    """Return a path without the endings of compression and of the kind of text."""
    name = unpacked(called(path))
    for ending in _TEXTS:
        if name.lower().endswith(ending) and len(Path(name).name) > len(ending):
            return name[: -len(ending)]
    return name


def named_language(path: str) -> str:
    """Return the language that the name of a file tells, or nothing: `de` of `a.de` and `a.de.txt`.

    That is its last part, or if this is no language, the one before.
    """
    for part in reversed(Path(bare_name(path)).suffixes[-2:]):
        found = _ENDING.fullmatch(part)
        if found and is_language(found[1].lower()):
            return found[1].lower()
    return ""


def named_languages(src: str, tgt: str) -> tuple[str, str]:
    """Return the languages that the names of two texts tell, or nothing for both.

    Endings tell them (`a.de`, `a.fr.txt`), else other differences of like names (`a_de.txt`,
    `de.txt`), else folders (`de/a.txt`).

    Examples
    --------
    >>> named_languages("a.de", "b.fr.txt"), named_languages("x/a_de", "x/a_fr")
    (('de', 'fr'), ('de', 'fr'))
    >>> named_languages("de/a.txt", "fr/a.txt"), named_languages("a.txt", "fr/a.txt")
    (('de', 'fr'), ('', ''))

    """
    stems = [_STEM.fullmatch(Path(bare_name(path)).name) for path in (src, tgt)]
    alike = all(stems) and len({found[1] for found in stems if found}) == 1
    ways = [
        (named_language(src), named_language(tgt)),
        tuple(found[2] for found in stems if found) if alike else ("", ""),
        tuple(Path(path).parent.name for path in (src, tgt)),
    ]
    for one, other in ways:
        if one != other and all(is_language(code.lower()) for code in (one, other)):
            return one.lower(), other.lower()
    return "", ""


def unknown_languages() -> str:
    """Say that languages are not known, and what to do."""
    way = remedy("src-lang", "tgt-lang")
    return f"languages that are not known, and are written so: name them ({way})"


def _told_by_names(bitext: Bitext) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the names of both texts, and the languages that these, or their documents, tell."""
    src, tgt = bitext.src, bitext.tgt
    texts = ("" if src is None else src.name, "" if tgt is None else tgt.name)
    documents = bitext.meta.get("src_doc", ""), bitext.meta.get("tgt_doc", "")
    ways = (named_languages(*names) for names in (documents, texts))
    return texts, next(filter(any, ways), ("", ""))


def note_exchanged(
    bitexts: Iterable[Bitext], asked: tuple[str, str], notes: Notes
) -> Iterator[Bitext]:
    """Yield bitexts; note texts whose names tell the languages asked for the other way round."""
    exchanged = tuple(normal(code).partition("-")[0] for code in asked[::-1])
    for bitext in bitexts:
        if not bitext.continues:
            texts, found = _told_by_names(bitext)
            if all(found) and found == exchanged:
                kind = (
                    "texts whose names tell the two languages the other way round: exchange two "
                    "of them"
                )
                notes.add(kind, f"{' and '.join(filter(None, texts))}: {' and '.join(found)}")
        yield bitext


def with_languages(bitext: Bitext, asked: tuple[str, str], notes: Notes) -> Bitext:
    """Return a bitext with the languages that the names of its texts tell, where it has none.

    Parameters
    ----------
    bitext : Bitext
        What is to be written in a format that names languages.
    asked : pair of str
        The languages that are written in any case; empty for those of the texts.
    notes : Notes
        Takes what was told by names, and what is not known.

    """
    sides = (bitext.src, bitext.tgt)
    lacking = [
        not (code or text is None or text.lang or not len(text))
        for code, text in zip(asked, sides, strict=True)
    ]
    texts, found = _told_by_names(bitext)
    if not any(lacking):
        return bitext
    if not any(found):
        if not bitext.continues:
            notes.add(unknown_languages(), texts[0] or bitext.name)
        return bitext
    if not bitext.continues:
        way = remedy("src-lang", "tgt-lang")
        kind = f"languages told by the names of the texts ({way} name others)"
        notes.add(kind, f"{' and '.join(filter(None, texts))}: {' and '.join(found)}")
    src, tgt = (
        text.in_language(code) if lacks and text is not None else text
        for lacks, code, text in zip(lacking, found, sides, strict=True)
    )
    return replace(bitext, src=src, tgt=tgt)
