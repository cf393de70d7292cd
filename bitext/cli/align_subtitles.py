"""Subtitles that `bitext align` reads, SubRip (`.srt`) and WebVTT (`.vtt`): a cue a sentence."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitext.formats.opening import Source
    from bitext.model import Text

__all__ = ["is_subtitles", "read_subtitles"]

_ENDINGS = (".srt", ".vtt")
_TIME = r"(?:\d+:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_BEFORE = "subtitles with lines before the first cue, left out"
_WEB = re.compile(r"WEBVTT(?:\s.*)?")
_BESIDE = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:\s.*)?")  # blocks of WebVTT that are no cues
_NUMBER = re.compile(r"\s*\d+\s*")
# How a cue looks: `<i>`, `</font>`, `<v Bob>`, `<00:01.500>`, `{\an8}`
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|<[\d:.]+>|\{\\[^{}]*\}")
_BLANK = re.compile(r"[\s;]")  # what no name of a sentence may have in XCES


class _Cue(NamedTuple):
    name: str
    lines: list[str]


def is_subtitles(head: bytes, path: str, encoding: str = "utf-8") -> bool:
    r"""Tell by its first bytes and its name whether a file holds subtitles.

    It has a line of times: among its first two lines that are not empty, or, if it begins as WebVTT
    or ends with `.srt` or `.vtt`, anywhere in what is looked at.

    Examples
    --------
    >>> is_subtitles(b"1\n00:00:01,000 --> 00:00:02,500\nHello.\n", "a"), is_subtitles(b"A.\n", "a")
    (True, False)

    """
    from bitext.formats.encodings import mark_of
    from bitext.formats.packing import unpacked

    bom, known = mark_of(head, encoding)
    lines = re.split(r"[\r\n]+", head[len(bom) :].decode(known, "replace"))
    filled = [line for line in lines if line.strip()]
    sure = unpacked(path).lower().endswith(_ENDINGS) or _WEB.fullmatch("".join(filled[:1]))
    return any(map(_TIMES.fullmatch, filled if sure else filled[:2]))


def read_subtitles(source: Source, lang: str) -> Text:
    """Read one cue a sentence, its lines joined by blanks; ids are the numbers or names of cues.

    Where these are not all there, or some is there twice or has a blank, cues are counted from 1.
    Tags and other markup of cues are left out, and told.
    """
    from bitext.model import Text

    cues = list(_cues(source))
    for cue in cues:
        if any(map(_MARKUP.search, cue.lines)):
            source.notes.add("cues with markup (<i>, {\\an8}), left out", source.path)
    names = [cue.name for cue in cues]
    if len({*names}) < len(names) or not all(names) or any(map(_BLANK.search, names)):
        names = [str(k) for k in range(1, len(cues) + 1)]
    return Text([_text(cue) for cue in cues], ids=names, name=source.path, lang=lang)


def _text(cue: _Cue) -> str:
    plain = (_MARKUP.sub("", line) for line in cue.lines)
    return " ".join(html.unescape(" ".join(plain)).split())


def _cues(source: Source) -> Iterator[_Cue]:
    """Yield the cues. Their lines go up to the next times: an empty one may be amid them.

    The line before times is the number or the name of their cue if it is a number, or if it stands
    behind an empty line or before the first cue.
    """
    cue: _Cue | None = None
    held: list[str] = []  # the lines since the last times
    web: bool | None = None
    beside = False
    for _, line in source.stream_lines():
        # A carriage return alone may end lines, too.
        for plain in line.lstrip("\ufeff").rstrip("\r\n").split("\r"):
            if web is None and plain.strip():
                web = _WEB.fullmatch(plain) is not None
            if _TIMES.fullmatch(plain):
                name = _taken(held, opens=cue is None)
                if cue is not None:
                    cue.lines.extend(held)
                    yield cue
                elif _is_filled(held):
                    source.notes.add(_BEFORE, source.path)
                cue, held, beside = _Cue(name, []), [], False
            elif beside or (web and not _is_filled(held[-1:]) and _BESIDE.fullmatch(plain)):
                beside = bool(plain.strip())
            else:
                held.append(plain)
    if cue is not None:
        cue.lines.extend(held)
        yield cue


def _taken(held: list[str], *, opens: bool) -> str:
    """Take the number or the name of the next cue from the lines before its times."""
    last = max((k for k, line in enumerate(held) if line.strip()), default=None)
    if last is None:
        return ""
    behind = opens if last == 0 else not held[last - 1].strip()
    at_times = last == len(held) - 1
    if not (behind and at_times) and not (_NUMBER.fullmatch(held[last]) and (behind or at_times)):
        return ""
    name = held[last].strip()
    del held[last:]
    return name


def _is_filled(lines: list[str]) -> bool:
    return any(line.strip() for line in lines)
