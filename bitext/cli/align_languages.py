"""The languages that `bitext align` is told, held against the names of the files."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING
from unicodedata import name

from bitext.errors import OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.cli.align_output import Place
    from bitext.cli.align_pairs import FilePair
    from bitext.cli.align_texts import TextPair

__all__ = ["check_languages", "language_notes", "script_notes"]

_CODE = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
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
    """Yield warnings about languages: unknown ones, other names of files, words, no codes.

    Parameters
    ----------
    files : sequence of FilePair
        The first of them is looked at.
    options : Namespace
    place : Place or None
        Where alignments are written.

    """
    from bitext.formats.languages import named_language, named_languages, unknown_languages

    told = [("--src-lang", options.src_lang), ("--tgt-lang", options.tgt_lang)]
    codes = [_main(code) for _, code in told]
    if place is not None and place.known.keeps.languages:
        for (option, code), main in zip(told, codes, strict=True):
            if len(main) > _LONGEST:
                yield f"{option} {code}: is no code of a language, as de; it is written as it is"
    if not files or files[0].tgt is None:
        return
    names = files[0].src, files[0].tgt
    if not all(codes):
        if place is not None and place.known.names_languages and not any(named_languages(*names)):
            yield f"{names[0]}: {unknown_languages()}"
        return
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
