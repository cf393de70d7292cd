"""Subtitles that `bitext align` reads, SubRip (`.srt`) and WebVTT (`.vtt`): a cue a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.opening import Source
    from bitext.model import Text

__all__ = ["cue_texts", "is_subtitles", "read_subtitles"]

_TIME = r"(?:\d+:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_BESIDE = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:\s.*)?")  # blocks of WebVTT that are no cues
_FIRST = 200  # lines in which the first times are


class _Cue(NamedTuple):
    name: str
    lines: list[str]


def is_subtitles(head: bytes, encoding: str = "utf-8") -> bool:
    r"""Tell by its first bytes whether a file holds subtitles: it has a line of times.

    Before it, there is a number or a name, or what WebVTT begins with.

    Examples
    --------
    >>> is_subtitles(b"1\n00:00:01,000 --> 00:00:02,500\nHello.\n"), is_subtitles(b"Hello.\n")
    (True, False)

    """
    from bitext.formats.encodings import mark_of

    bom, known = mark_of(head, encoding)
    lines = head[len(bom) :].decode(known, "replace").splitlines()
    if lines and _BESIDE.fullmatch(lines[0]):
        return any(map(_TIMES.fullmatch, lines[:_FIRST]))
    filled = [line for line in lines[:_FIRST] if line.strip()]
    return any(map(_TIMES.fullmatch, filled[:2]))


def read_subtitles(source: Source, lang: str) -> Text:
    """Read one cue a sentence, its lines joined by blanks; ids are the numbers or names of cues.

    Where these are not all there, or some is there twice, cues are counted from 1.
    """
    from bitext.model import Text

    cues = list(_cues(source))
    names = [cue.name for cue in cues]
    if not all(names) or len({*names}) < len(names):
        names = [str(k) for k in range(1, len(cues) + 1)]
    return Text([_text(cue) for cue in cues], ids=names, name=source.path, lang=lang)


def cue_texts(source: Source) -> Iterator[str]:
    """Yield the text of each cue, as running text."""
    for cue in _cues(source):
        yield _text(cue)


def _text(cue: _Cue) -> str:
    return " ".join(line.strip() for line in cue.lines if line.strip())


def _cues(source: Source) -> Iterator[_Cue]:
    """Yield the cues. Their lines go up to the next times: an empty one may be amid them."""
    cue: _Cue | None = None
    before, beside = "", False
    for _, line in source.stream_lines():
        plain = line.lstrip("\ufeff").rstrip("\r\n")
        if _TIMES.fullmatch(plain):
            # The line before is the number of this cue, not text of the one that ends here.
            name = before.strip()
            if cue is not None:
                if cue.lines and name:
                    cue.lines.pop()
                yield cue
            cue, beside = _Cue(name, []), False
        elif beside or (not before.strip() and _BESIDE.fullmatch(plain)):
            beside = bool(plain.strip())
        elif cue is not None:
            cue.lines.append(plain)
        before = plain
    if cue is not None:
        yield cue
