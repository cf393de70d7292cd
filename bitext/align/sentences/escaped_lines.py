"""Texts with character references, as `R&amp;D` or `&#20013;&#25991;`: their characters are seen.

Written so, a word of another script is a row of figures, and up to eight times as long.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from bitext.align.sentences.seen_texts import Rewritten

if TYPE_CHECKING:
    from bitext.align.sentences.seen_texts import Seen

__all__ = ["seen_unescaped", "unescaped"]

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def seen_unescaped(text: Seen) -> Seen:
    """Return a text with its character references as characters, if it has any.

    Examples
    --------
    >>> from bitext.model import Text
    >>> text = Text(["salt & pepper"])
    >>> seen_unescaped(text) is text
    True

    """
    has = any("&" in sentence and _REFERENCE.search(sentence) for sentence in text.segments())
    return Rewritten(text, unescaped) if has else text


def unescaped(sentence: str) -> str:
    """Return a sentence with its character references of HTML, which end in `;`, as characters.

    Examples
    --------
    >>> [unescaped(one) for one in ("R&amp;D", "&#20013;&#x6587;", "&nonesuch; & more;")]
    ['R&D', '中文', '&nonesuch; & more;']

    """
    if "&" not in sentence:
        return sentence
    return _REFERENCE.sub(lambda found: unescape(found[0]), sentence)
