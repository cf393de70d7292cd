"""Reads language models from files: text to learn from, or a model that others made."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from bitext.align.words.ngram_model import ArpaModel, NgramModel
from bitext.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitext.align.words.ranking import LanguageModel

__all__ = ["read_model"]

_ARPA = "\\data\\"
_OF_ARPA = re.compile(r"\\[0-9]+-grams:|\\end\\|ngram\s+[0-9]+\s*=\s*[0-9]+")


def read_model(lines: Iterable[str], *, path: str, order: int = 3) -> LanguageModel:
    r"""Read a model in the ARPA format from lines, or learn one from plain text.

    Lines are in the ARPA format if the first that is not empty is `\data\`.

    Parameters
    ----------
    lines : iterable of str
        Those of one file, or of several texts one after another. They are read once.
    path : str
        Its name, for errors.
    order : int
        The longest n-gram, where it is learned.

    Raises
    ------
    FormatError
        When it is a damaged file of the ARPA format, one without `\data\`, or with text before.
    InputError
        When there is no text.

    Examples
    --------
    >>> read_model(["", "A ferry burns."], path="ferry.txt").order
    3
    >>> read_model(["\\data\\", "ngram 1=1", "\\1-grams:", "-1 a", "\\end\\"], path="a.arpa").order
    1

    """
    stream = iter(lines)
    before: list[str] = []
    for line in stream:
        before.append(line)
        if line.strip():
            break
    if not any(line.strip() for line in before[-1:]):
        raise InputError(f"{path}: has no sentence to learn from; name a file with text")
    whole = chain(before, stream)
    if before[-1].strip() == _ARPA:
        return ArpaModel(whole, path=path)
    return NgramModel.of_lines(_text(whole, path), order=order)


def _text(lines: Iterable[str], path: str) -> Iterator[str]:
    r"""Yield lines of plain text; refuse those of the ARPA format."""
    for number, line in enumerate(lines, start=1):
        if line.strip() == _ARPA:
            raise FormatError(
                f"found {_ARPA} after other text: want text alone, or a model in the ARPA format "
                f"alone, with this as its first line",
                path=path,
                line=number,
            )
        if _OF_ARPA.fullmatch(line.strip()):
            raise FormatError(
                f"found {line.strip()!r:.60}, as models in the ARPA format have it, but no {_ARPA} "
                f"before it, with which these begin: give the whole file, or text alone",
                path=path,
                line=number,
            )
        yield line
