"""The languages that `bitext align` is told, held against the names of the files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitext.errors import OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.cli.align_output import Place
    from bitext.cli.align_pairs import FilePair

__all__ = ["check_languages", "language_notes"]

_CODE = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
_ENDING = re.compile(r"\.([a-z]{2})(?:[-_][A-Za-z]{2,4})?(?:\.(?:txt|text|xml|jsonl?))?(?:\.\w+)?$")
_LONGEST = 3  # letters of a code


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
    endings = [found[1] if (found := _ENDING.search(name)) else "" for name in names]
    if endings == codes[::-1] != codes:
        yield (
            f"{names[0]} and {names[1]}: their names say {endings[0]} and {endings[1]}, and "
            f"--src-lang {codes[0]} --tgt-lang {codes[1]} the other way round: exchange two of them"
        )
        return
    for name, ending, code, (option, _) in zip(names, endings, codes, told, strict=True):
        if ending and len(code) == len(ending) and ending != code:
            yield f"{name}: its name says {ending}, and {option} {code}: is it misspelt?"


def _main(code: str) -> str:
    """Return a code without its region and script."""
    return re.split("[-_]", code)[0].lower()
