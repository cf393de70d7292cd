"""Sentences of TEI: what is text in them, and the white space between their tokens.

Tokens (`w`, `pc`) are separated by `join`, else by the white space between them. In a text without
any, two `w` are separated by a blank, and so are a closing mark and a `w`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bitext.formats.xml.safe import local_name

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# Elements that are no part of the text around them, forms that a `choice` has besides those to
# read, and line breaks. TXM writes the annotations of a token into the token (`ana`).
ASIDE = frozenset({"note", "fw", "rdg", "del", "figDesc", "index"})
ORIGINAL = frozenset({"sic", "orig", "abbr"})
BREAKS = frozenset({"lb", "pb", "cb", "gb"})
ANNOTATION = "ana"
NO_TEXT = ASIDE | ORIGINAL | BREAKS | {ANNOTATION}
ASIDES = "notes and the like inside segments, not taken as their text"  # the kind of a note
TOKENS = frozenset({"w", "pc"})
ROOTS = frozenset({"TEI", "TEI.2", "teiCorpus", "teiCorpus.2"})
_BLANKS = " \t\r\n"
_CLOSING = frozenset(",.;:!?)]}»”’…。，、；：！？）」』")  # marks that a blank follows


def take_out_asides(sentence: Element) -> int:
    """Remove notes and the like, which are no text, from a sentence; return their number.

    A line break becomes a line end.
    """
    count = 0
    for element in list(sentence.iterdescendants()):
        parent, name = element.getparent(), local_name(element)
        if parent is None:  # it was in one that was taken out
            continue
        if name in BREAKS:
            if element.get("break") != "no":
                element.tail = f"\n{element.tail or ''}"
        elif name in NO_TEXT and (name not in ORIGINAL or local_name(parent) == "choice"):
            element.clear(keep_tail=True)  # type: ignore[call-arg]  # newer than the stubs
            count += name != ANNOTATION
    return count


class TokenSpacing:
    """Decides on the white space between the tokens of a file, in the order of the file.

    White space after a token is held back until it is known what follows.
    """

    def __init__(self) -> None:
        # The `join` of the last token, or `pc`, while only white space has followed.
        self.after: str | None = None
        self.is_spaced = False  # whether white space separates some tokens
        self.is_glued = False  # whether a token followed another, since this was set to false
        self.tokens = 0  # with text, since this was set to 0
        self.made_blanks = 0  # put between tokens
        self._held: list[str] = []

    def holds(self, text: str) -> bool:
        """Hold back white space after a token; return whether the text was that."""
        if self.after is None or text.strip(_BLANKS):
            return False
        self._held.append(text)
        return True

    def flush(self) -> str:
        """Return the white space that was held back."""
        self.after = None
        if not self._held:
            return ""
        blank, self._held = "".join(self._held), []
        return blank

    def begin(self, name: str, join: str | None, pieces: Sequence[str]) -> str:
        """Return the white space before a token; `pieces` are the texts so far."""
        before = self.after
        if before is None:
            return ""
        if before in {"right", "both"} or join in {"left", "both"}:
            self._held = []
        elif self._held:
            self.is_spaced = True
        elif name == "w" and (before != "pc" or self._ends_word(pieces)):
            self._held = [" "]
            self.made_blanks += 1
        self.is_glued = self.is_glued or not self._held
        return self.flush()

    def _ends_word(self, pieces: Sequence[str]) -> bool:
        """Check whether a blank follows a mark, in a file without white space between tokens."""
        without = self.made_blanks > 0 and not self.is_spaced
        return without and "".join(pieces[-1:])[-1:] in _CLOSING

    def end(self, name: str, join: str | None) -> None:
        """End a token."""
        self.after = join or ("pc" if name == "pc" else "")


def text_of_tokens(sentence: Element, spacing: TokenSpacing) -> str:
    """Return the text of a sentence with tokens; white space between these is a line end."""
    pieces: list[str] = []
    spacing.is_glued, spacing.tokens = False, 0
    _collect(sentence, spacing, pieces)
    spacing.flush()
    return "".join(pieces)


def _collect(element: Element, spacing: TokenSpacing, pieces: list[str]) -> None:
    _add(element.text, spacing, pieces)
    for child in element:
        name = local_name(child)
        is_token, join = name in TOKENS, child.get("join")
        if spacing.begin(name, join, pieces) if is_token else spacing.flush():
            pieces.append("\n")
        if is_token and not len(child):
            token = child.text or ""
            pieces.append(token)
            spacing.tokens += bool(token.strip(_BLANKS))
        else:
            _collect(child, spacing, pieces)
            if spacing.flush():
                pieces.append("\n")
            spacing.tokens += is_token
        if is_token:
            spacing.end(name, join)
        _add(child.tail, spacing, pieces)


def _add(text: str | None, spacing: TokenSpacing, pieces: list[str]) -> None:
    if text and not spacing.holds(text):
        if spacing.flush():
            pieces.append("\n")
        pieces.append(text)
