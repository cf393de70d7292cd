"""The words of a document: where each token (`w`) with an id stands in its sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.formats.documents_text import laid_out, tokens_of
from bitext.formats.safexml import iterate
from bitext.model.word_links import tokens

if TYPE_CHECKING:
    from bitext.formats.opening import Source

__all__ = ["read_words"]


def read_words(source: Source) -> dict[str, tuple[int, int]]:
    """Return the sentence of each token by its id, and the number of the words before it there.

    Words are what blanks part in the text of the sentence; a token that begins within one, as a
    full stop may, stands at its place. Of two tokens with one id neither is known.
    """
    found: dict[str, tuple[int, int]] = {}
    twice: set[str] = set()
    for number, (_, sentence) in enumerate(iterate(source, end=("s",))):
        pieces = list(tokens_of(sentence))
        text, _ = laid_out([(piece.text, piece.span) for piece in pieces])
        at = words = 0
        for piece in pieces:
            apart = text.startswith(" ", at)
            at += apart
            within = bool(at) and not apart  # within the word that ended before
            words -= within
            if piece.name:
                if piece.name in found:
                    twice.add(piece.name)
                found[piece.name] = number, words
            words += len(tokens(piece.text))
            at += len(piece.text)
    return {name: place for name, place in found.items() if name not in twice}
