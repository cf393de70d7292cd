"""What the line formats share: the lines of a text, scores as they are spelled, one bitext a file.

Only LF and CRLF end a line; U+0085, U+2028, VT, FF and their like are characters of a segment.
"""

from __future__ import annotations

import codecs
import re
from math import isnan, nan
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from bitext.formats.opening import Source
    from bitext.model import Bitext

__all__ = [
    "MOST_SEGMENTS",
    "SCORE",
    "first_repeat",
    "flat",
    "head_lines",
    "known_scores",
    "no_segment",
    "only_one",
    "score_of",
    "spell_score",
    "split_lines",
]

T = TypeVar("T")

MOST_SEGMENTS = 20_000_000  # of a side: a number of a few digits must not fill the memory

SCORE = r"[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|(?i:inf(?:inity)?|nan))"
_SCORE = re.compile(SCORE, re.ASCII)
_BREAK = re.compile(r"\r\n|[\t\n\r]")
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, without what ends them."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def head_lines(head: bytes, most: int = 20) -> list[str]:
    """Return the first lines of a file by its first bytes, for sniffing; a torn one is left out.

    Bytes that are not UTF-8, nor marked as UTF-16, come out as replacement characters.
    """
    encoding = "utf-16" if head.startswith(_UTF16) else "utf-8-sig"
    lines = head.decode(encoding, "replace").split("\n", most)
    if len(lines) > 1:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def score_of(text: str) -> float | None:
    """Return the score that a text spells; `nan` for blanks only, `None` for anything else."""
    spelled = text.strip(" ")
    if not spelled:
        return nan
    return float(spelled) if _SCORE.fullmatch(spelled) else None


def spell_score(score: float) -> str:
    """Return the shortest spelling that reads as the same score; empty for `nan`."""
    return "" if isnan(score) else repr(float(score))


def known_scores(scores: Iterable[float]) -> NDArray[np.float64] | None:
    """Return the scores as an array, or `None` where every one is `nan`."""
    known = np.asarray(scores if isinstance(scores, np.ndarray) else list(scores), np.float64)
    return None if np.isnan(known).all() else known


def flat(segment: str) -> str:
    """Return a segment that fits on a line: each tab and line end in it becomes a blank."""
    return _BREAK.sub(" ", segment)


def first_repeat(items: Iterable[T]) -> T:
    """Return the first item that stood before; there is one."""
    seen: set[T] = set()
    return next(item for item in items if item in seen or seen.add(item))  # type: ignore[func-returns-value]


def no_segment(source: Source, line: int) -> None:
    """Note a line with two empty sides, which is no bisegment."""
    source.notes.add("lines with two empty sides, left out", f"{source.path} line {line}")


def only_one(bitexts: Iterable[Bitext], name: str) -> Sequence[Bitext]:
    """Return the bitexts if there is no more than one, for a format that holds one a file.

    Raises
    ------
    InputError
        When there are several.

    """
    items = list(bitexts)
    if len(items) > 1:
        raise InputError(
            f"{name} holds one document pair a file, and here are {len(items)}; write each to a "
            f"file of its own, or choose a format that holds several, as jsonl or xces"
        )
    return items
