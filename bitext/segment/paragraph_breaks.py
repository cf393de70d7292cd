"""Passages with their paragraphs, as text: breaks are added to it, and nothing else changes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitext.segment.passages import Passage

__all__ = ["paragraphs_of", "unwrapped", "with_breaks"]

_VERSE = 2  # columns that verse is further in than prose, or more
_WHITE = re.compile(r"\s+")


def with_breaks(passage: Passage, *, end: str = "\n", by_line: bool = False, forget: bool) -> str:
    r"""Return the raw text of a passage with the breaks of its paragraphs.

    A break is a blank line. Where white space has one already it stays as it is; a line end gets
    another behind it; into white space without a line end two go, behind it. Take what was added
    out and the text is as before.

    Parameters
    ----------
    passage : Passage
    end : str
        What ends a line in the book.
    by_line : bool
        Whether the end of a line is a break already: for text with one paragraph a line.
    forget : bool
        Whether breaks that are there and are none any more become a line end, or one blank where
        a line is a paragraph. If not they stay.

    """
    if passage.spans is None or passage.decision is None:
        return passage.raw
    raw = passage.raw
    sentence_spans = zip(
        passage.spans.starts.tolist(),
        passage.spans.ends.tolist(),
        passage.decision.starts.tolist(),
        strict=True,
    )
    parts: list[str] = []
    at = 0
    for k, (start, stop, starting) in enumerate(sentence_spans):
        gap = raw[at:start]
        if starting and (k or passage.joined):
            gap = _broken(gap, end, by_line=by_line)
        elif forget and (k or passage.joined):
            gap = _mended(gap, end, by_line=by_line)
        sentence = raw[start:stop]
        parts += [gap, _mended(sentence, end, by_line=by_line) if forget else sentence]
        at = stop
    return "".join((*parts, raw[at:]))


def unwrapped(passage: Passage, *, end: str = "\n", by_line: bool = False) -> str:
    """Return a passage with each paragraph as one line; options as of `with_breaks`.

    Verse keeps its lines: all lines of a paragraph that are further in than the others are.
    """
    if passage.spans is None or passage.decision is None or not passage.spans.sentences:
        return passage.raw
    raw, spans = passage.raw, passage.spans
    starts, ends = spans.starts.tolist(), spans.ends.tolist()
    margin = min(map(_indent, filter(str.strip, raw.split("\n")))) + _VERSE
    parts = []
    for first, last in paragraphs_of(passage):
        if first or (passage.joined and passage.decision.starts[0]):
            parts.append(end if by_line else 2 * end)
        elif passage.joined:
            parts.append(" ")
        else:
            parts.append(raw[: starts[0]])
        begin = _line_start(raw, starts[first])
        if _is_verse(raw[begin : ends[last - 1]], margin):
            # What stands before the first paragraph is written already.
            parts.append(raw[begin if first or passage.joined else starts[0] : ends[last - 1]])
            continue
        for k in range(first, last):
            # Chinese and Japanese have nothing between their sentences, and that stays.
            apart = k > first and starts[k] > ends[k - 1]
            parts += [" " if apart else "", spans.sentences[k]]
    return "".join((*parts, raw[ends[-1] :]))


def _line_start(raw: str, place: int) -> int:
    """Return where the line of a place begins if it is its first character, else the place."""
    begin = raw.rfind("\n", 0, place) + 1
    return place if raw[begin:place].strip() else begin


def _is_verse(raw: str, margin: int) -> bool:
    """Return whether a paragraph has several lines that all begin at the margin or further in."""
    lines = raw.split("\n")
    return len(lines) > 1 and all(_indent(line) >= margin for line in lines if line.strip())


def _indent(line: str) -> int:
    """Return at which column a line begins; a tab is 8 blanks."""
    white = line[: len(line) - len(line.lstrip())]
    return len(white.expandtabs())


def paragraphs_of(passage: Passage) -> list[tuple[int, int]]:
    """Return the half-open spans of paragraphs over the sentences of a passage.

    The first one may go on with a paragraph of the passage before: see its decision.
    """
    if passage.decision is None:
        return []
    starts = passage.decision.starts
    n = len(starts)
    inner = [k for k in range(1, n) if starts[k]]
    return list(zip([0, *inner], [*inner, n], strict=True)) if n else []


def _broken(gap: str, end: str, *, by_line: bool) -> str:
    lines = gap.count("\n")
    if by_line:
        return gap if lines else gap + end
    if lines > 1:
        return gap
    if lines:
        cut = gap.index("\n") + 1
        return gap[:cut] + end + gap[cut:]
    return gap + 2 * end


def _mended(text: str, end: str, *, by_line: bool) -> str:
    """Return text whose breaks of paragraphs are white space as any other."""
    most, instead = (0, " ") if by_line else (1, end)
    if text.count("\n") <= most:
        return text
    return _WHITE.sub(lambda found: instead if found[0].count("\n") > most else found[0], text)
