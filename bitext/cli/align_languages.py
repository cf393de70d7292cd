"""The languages that `bitext align` is told, held against the names of the files."""

from __future__ import annotations

import re
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import name

from bitext.errors import OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.cli.align_output import Place
    from bitext.cli.align_pairs import FilePair
    from bitext.cli.align_texts import TextPair

__all__ = ["check_languages", "language_notes", "named_language", "named_languages", "script_notes"]

_CODE = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
_ENDING = re.compile(r"\.([A-Za-z]{2,3})(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}))?")
_STEM = re.compile(r"(|.*[-_])([A-Za-z]{2,3})(?:\.[^.]*)?", re.DOTALL)
_LONGEST = 3  # letters of a code
_FEW, _MANY = 50, 2000  # letters of a text that tell its script, and that are looked at
_SHARE = 0.2  # of the letters of a text are at least of the script of its language


def check_languages(options: argparse.Namespace) -> None:
    """Refuse what can be no code of a language.

    Raises
    ------
    OptionError
        Naming the option.

    """
    for option, code in (("--src-lang", options.src_lang), ("--tgt-lang", options.tgt_lang)):
        if code and not _CODE.fullmatch(code):
            raise OptionError(f"{option} {code!r}: want the code of a language, as de or zh-Hans")


def language_notes(
    files: Sequence[FilePair], options: argparse.Namespace, place: Place | None
) -> Iterator[str]:
    """Yield what is odd about the languages: files named otherwise, words that are no codes.

    Parameters
    ----------
    files : sequence of FilePair
        The first of them is looked at.
    options : Namespace
    place : Place or None
        Where alignments are written.

    """
    told = [("--src-lang", options.src_lang), ("--tgt-lang", options.tgt_lang)]
    codes = [_main(code) for _, code in told]
    if place is not None and place.known.keeps.languages:
        for (option, code), main in zip(told, codes, strict=True):
            if len(main) > _LONGEST:
                yield f"{option} {code}: is no code of a language, as de; it is written as it is"
    if not files or files[0].tgt is None or not all(codes):
        return
    names = files[0].src, files[0].tgt
    endings = [named_language(file) for file in names]
    if endings == codes[::-1] != codes:
        yield (
            f"{names[0]} and {names[1]}: their names say {endings[0]} and {endings[1]}, and "
            f"--src-lang {codes[0]} --tgt-lang {codes[1]} the other way round: exchange two of them"
        )
        return
    for file, ending, code, (option, _) in zip(names, endings, codes, told, strict=True):
        if ending and len(code) == len(ending) and ending != code:
            yield f"{file}: its name says {ending}, and {option} {code}: is it misspelt?"


def named_language(path: str) -> str:
    """Return the language that the name of a file tells, or nothing: `de` of `a.de` and `a.de.txt`.

    That is its last part, or if this is no language, the one before.
    """
    for part in reversed(Path(_bare(path)).suffixes[-2:]):
        found = _ENDING.fullmatch(part)
        if found and _is_code(found[1]):
            return found[1].lower()
    return ""


def named_languages(src: str, tgt: str) -> tuple[str, str]:
    """Return the languages that the names of two texts tell, or nothing for both.

    They are told by endings (`a.de`, `a.fr.txt`), else by what else differs in names that are alike
    (`a_de.txt`, `de.txt`), else by folders (`de/a.txt`).

    Examples
    --------
    >>> named_languages("a.de", "b.fr.txt"), named_languages("x/a_de", "x/a_fr")
    (('de', 'fr'), ('de', 'fr'))
    >>> named_languages("de/a.txt", "fr/a.txt"), named_languages("a.txt", "fr/a.txt")
    (('de', 'fr'), ('', ''))

    """
    stems = [_STEM.fullmatch(Path(_bare(path)).name) for path in (src, tgt)]
    alike = all(stems) and len({found[1] for found in stems if found}) == 1
    ways = [
        (named_language(src), named_language(tgt)),
        tuple(found[2] for found in stems if found) if alike else ("", ""),
        tuple(Path(path).parent.name for path in (src, tgt)),
    ]
    for one, other in ways:
        if one != other and all(map(_is_code, (one, other))):
            return one.lower(), other.lower()
    return "", ""


def _is_code(name: str) -> bool:
    from bitext.model.languages import is_language

    return is_language(name.lower())


def _bare(path: str) -> str:
    from bitext.cli.align_pairs import bare_name

    return bare_name(path)


def script_notes(pair: TextPair, options: argparse.Namespace) -> Iterator[str]:
    """Yield a note on a text that is not in the script of its language, where that has one only.

    Of Japanese, half a text may be in kana.
    """
    from bitext.segment.split_languages import LANGUAGES_OF_SCRIPTS

    wanted = {
        code: script for script, codes in LANGUAGES_OF_SCRIPTS.items() for code in codes.split()
    }
    for text, option, code in (
        (pair.src, "--src-lang", options.src_lang),
        (pair.tgt, "--tgt-lang", options.tgt_lang),
    ):
        script = wanted.get(_main(code))
        letters = list(islice(filter(str.isalpha, chain.from_iterable(text.segments())), _MANY))
        if script is None or len(letters) < _FEW or any(len(part) == 4 for part in _parts(code)):
            continue
        held = sum(name(letter, "").startswith(script) for letter in letters)
        if held < _SHARE * len(letters):
            yield (
                f"{text.name}: has hardly any letters of {option} {code}: are the two texts "
                f"exchanged, or the two languages?"
            )


def _parts(code: str) -> list[str]:
    return re.split("[-_]", code)


def _main(code: str) -> str:
    """Return a code without its region and script."""
    return _parts(code)[0].lower()
