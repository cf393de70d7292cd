r"""Compare words with a text, however either spells marks and brackets.

Words and text are compared without white space. Changes that tools make on the way do not count:
brackets as -LRB-, quotes as `` and '', \/ for /, and straight or curly marks, dashes and ellipses
in one character or in several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bitext.syntax.penn import unescape

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Spelled", "folded", "spelled_in"]

_SPELLINGS = str.maketrans(
    {
        '"': "''",
        "“": "''",
        "”": "''",
        "„": "''",
        "`": "'",
        "‘": "'",
        "’": "'",
        "—": "--",
        "…": "...",
    }
)


class Spelled(NamedTuple):
    """Words as a text spells them.

    Attributes
    ----------
    words : list of str
        Those before the first that is not there.
    rest : str
        The text from there on, without white space around it; empty where text and words end
        together, or the text ends first.

    """

    words: list[str]
    rest: str


def spelled_in(words: Sequence[str], text: str, *, case: bool = True) -> Spelled:
    """Find words in a text that should have them and nothing else.

    Parameters
    ----------
    words : sequence of str
        The words, with brackets as characters.
    text : str
        The text.
    case : bool
        Whether capitals and small letters are told apart.

    Returns
    -------
    Spelled
        All words, and no rest, where they are those of the text. A word is as it was given where
        the text has white space within it, or shares a sign with its neighbour (`a - - b`, where
        the text has `a—b`).

    Examples
    --------
    >>> spelled_in(["``", "No", "''"], "“No”")
    Spelled(words=['“', 'No', '”'], rest='')
    >>> spelled_in(["It", "burns"], "It burned.")
    Spelled(words=['It'], rest='burned.')
    >>> spelled_in(["It", "burns"], "It")
    Spelled(words=['It'], rest='')

    """
    text = _unquoted(unescape(text))
    spelled = [folded(char, case=case) for char in text]
    line = "".join(spelled)
    owner = [k for k, chars in enumerate(spelled) for _ in chars]
    found: list[str] = []
    at = 0
    for given in words:
        plain = folded(given, case=case)
        end = at + len(plain)
        if not plain or not line.startswith(plain, at):
            break
        word = text[owner[at] : owner[end - 1] + 1]
        # A sign that the words cut in two, or a word that the text does, is spelled as given.
        cut = (at and owner[at - 1] == owner[at]) or (
            end < len(owner) and owner[end] == owner[end - 1]
        )
        found.append(given if cut or len(word.split()) > 1 else word)
        at = end
    return Spelled(found, text[owner[at] :].strip() if at < len(owner) else "")


def folded(word: str, *, case: bool = True) -> str:
    r"""Spell a word in the way in which words and text are compared.

    Examples
    --------
    >>> folded("“"), folded("1\\/2"), folded("a b"), folded("It", case=False)
    ("''", '1/2', 'ab', 'it')

    """
    plain = "".join(_unquoted(word).translate(_SPELLINGS).split())
    return plain if case else plain.casefold()


def _unquoted(text: str) -> str:
    return text.replace("\\/", "/").replace("\\*", "*") if "\\" in text else text
