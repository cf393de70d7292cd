"""The text of a sentence of a document: its white space, and its tokens put together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

__all__ = ["INLINE", "NO_SPANS", "SPACE", "Token", "laid_out", "tidy", "tokens_of"]

SPACE = " \t\r\n"
NO_SPANS = "sentences of tokens without spans, joined with one blank"

# Elements that mark a part of a sentence: of TEI, and of HTML.
INLINE = frozenset(
    ("hi", "emph", "ref", "ptr", "foreign", "distinct", "mentioned", "soCalled", "title", "term",
     "gloss", "name", "persName", "placeName", "orgName", "geogName", "rs", "date", "num",
     "measure", "formula", "code", "graphic", "a", "b", "br", "em", "font", "i", "img", "span",
     "strong", "sub", "sup", "u")
)  # fmt: skip

_ODD_SPANS = "sentences of tokens whose spans contradict each other, joined with one blank"
_RUN = re.compile(r"[ \t\r\n]+")
_SPAN = re.compile(r"(\d{1,12}):(\d{1,12})", re.ASCII)


class Token(NamedTuple):
    """A token of a sentence, or text beside tokens, without a span and a name."""

    text: str
    span: str | None = None
    name: str = ""


def tidy(text: str) -> str:
    r"""Strip white space from the ends; make one blank of each run that has a line end.

    Examples
    --------
    >>> tidy(" one\n   two  three ")
    'one two  three'

    """
    text = text.strip(SPACE)
    if "\n" in text or "\r" in text:
        return _RUN.sub(lambda run: " " if "\n" in run[0] or "\r" in run[0] else run[0], text)
    return text


def laid_out(tokens: list[tuple[str, str | None]]) -> tuple[str, str]:
    """Return the text of a sentence by its tokens, and text beside them, with their spans.

    Where they do not say where they stand they are joined with a blank; then the kind of the note
    on that comes with it, else an empty string.
    """
    spaced = _by_spans(tokens)
    if spaced is not None:
        return spaced, ""
    if len(tokens) == 1:
        return tokens[0][0], ""
    text = " ".join(token for token, _ in tokens)
    return text, NO_SPANS if any(span is None for _, span in tokens) else _ODD_SPANS


def _by_spans(pieces: list[tuple[str, str | None]]) -> str | None:
    """Put tokens where their spans say; `None` when they do not say it, or contradict it."""
    out: list[str] = []
    at: int | None = None
    for text, span in pieces:
        found = _SPAN.fullmatch(span or "")
        if not found:
            return None
        start, length = int(found[1]), int(found[2])
        if length != len(text) or (at is not None and start < at):
            return None
        if at is not None and start > at:
            out.append(" ")
        out.append(text)
        at = start + length
    return "".join(out)


def tokens_of(element: Element) -> list[Token]:
    """Return the tokens of a sentence, and text beside them."""
    found: list[Token] = []
    _collect(element, found)
    return found


def _collect(element: Element, found: list[Token]) -> None:
    """Add the tokens of an element of a sentence, and text beside them, to `found`."""
    beside = element.text
    if beside and (kept := tidy(beside)):
        found.append(Token(kept))
    for child in element:
        name = child.tag
        if name == "w" or name.endswith("}w"):
            text = "".join(map(str, child.itertext())) if len(child) else child.text
            if text and (token := tidy(text)):
                found.append(Token(token, child.get("span"), child.get("id") or ""))
        else:
            _collect(child, found)
        beside = child.tail
        if beside and (kept := tidy(beside)):
            found.append(Token(kept))
