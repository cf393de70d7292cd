"""From the words of a sentence back to its text: where space stands, and where it does not.

The words are those of the Penn treebank and of tokenizers in its manner: `do n't`, `Milan 's`,
a mark a word, brackets as `-LRB-` and the like, quotation marks as `` and ''. The rules are
those of English print. What they cannot know, they take as the commoner case:

- a dash of two hyphens, and a long one, has space on both sides (`2002 -- A plane`), a short dash
  has none between figures (`10–12`, `$5–$6`), a hyphen and a slash none between words
  (`well-known`);
- a straight quotation mark closes if one of its kind is open, or at the end, else it opens;
- an ellipsis stands at the word before it; `can not` is `cannot`; a full stop is not written
  after that of an abbreviation (`at 5 p.m.`).

A caller who has the source text knows more: `gaps_of` reads from it which words have space between
them, and these gaps override the rules.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.syntax.tokenizer import PARTING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["detokenize", "gaps_of", "plain"]

_PLAIN = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "`": "'",
    "\\/": "/",
    "\\*": "*",
}
# Other spellings of a word in the text that it was taken from.
_SPELT = {
    '"': ("``", "''", "“", "”", "„", "«", "»"),
    "'": ("`",),
    "...": ("…",),
    "--": ("—",),
}
_STRAIGHT = str.maketrans("’‘", "''")
_LEFT = frozenset(",.;:?!%)]}”’»…‰°™®") | {"...", "?!", "!?", "!!", "??"}
_RIGHT = frozenset("([{“‘„«¿¡")
_MONEY = frozenset("$£€¥#") | {"US$", "C$", "A$", "HK$", "NT$"}
_SHORT = re.compile(r"(?:n['’]t|['’](?:s|d|m|re|ve|ll))\Z", re.IGNORECASE)
_OPENED = re.compile(r"['’‘](?!(?:t|em|til|cause|n|round|\d)\b)\w", re.IGNORECASE)
_ABBREVIATED = re.compile(r".*[^\W\d_].*\.\Z", re.DOTALL)
_JOINED = frozenset(
    {
        *(("can", "not"), ("gon", "na"), ("got", "ta"), ("wan", "na"), ("gim", "me")),
        *(("lem", "me"), ("d'", "ye"), ("'t", "is"), ("'t", "was"), ("more", "'n")),
    }
)


def detokenize(words: Sequence[str], *, gaps: Sequence[bool | None] | None = None) -> str:
    r"""Write words as text.

    Parameters
    ----------
    words : sequence of str
        The words of one sentence.
    gaps : sequence of bool or None, optional
        For each two neighbours, whether space stands between them; None where that is not known,
        which is left to the rules.

    Raises
    ------
    InputError
        When there is not one gap for each two neighbours.

    Examples
    --------
    >>> detokenize("`` I do n't , '' he said ( twice ) , `` owe $ 5 . ''".split())
    '"I don\'t," he said (twice), "owe $5."'
    >>> detokenize("Milan 's towers and the sisters ' 32-story high - rise".split())
    "Milan's towers and the sisters' 32-story high-rise"
    >>> detokenize(["high", "-", "rise"], gaps=[True, True])
    'high - rise'

    """
    known = [None] * max(len(words) - 1, 0) if gaps is None else list(gaps)
    if len(known) != max(len(words) - 1, 0):
        raise InputError(
            f"{len(known)} gaps for {len(words)} words: want one for each two neighbours"
        )
    around = [None, *known, None]
    opens = _opening(words, around)
    parts: list[str] = []
    for place, word in enumerate(words):
        if place and word == "." and around[place] is None and _ABBREVIATED.match(words[place - 1]):
            continue
        space = around[place]
        if place and space is None:
            space = _spaced(words, place, opens)
        parts.append(f"{' ' if space else ''}{plain(word)}")
    return "".join(parts)


def plain(word: str) -> str:
    """Return a word without the escapes of the Penn treebank: -LRB- is (, `` is a straight mark."""
    return _PLAIN.get(word, word)


def gaps_of(words: Sequence[str], text: str) -> list[bool | None]:
    """Return for each two neighbours whether space stands between them in the text.

    None stands where the text does not tell: a word is not found, something else is between, or
    the text is nothing but the words with spaces between.

    Examples
    --------
    >>> gaps_of(["well", "-", "known", ",", "is", "n't"], "Is well-known, isn't")
    [False, False, False, True, False]
    >>> gaps_of(["so", ",", "well"], "so , well")
    [None, None]

    """
    if text == " ".join(words):
        return [None] * max(len(words) - 1, 0)
    places: list[tuple[int, int] | None] = []
    at, text = 0, text.translate(_STRAIGHT).translate(PARTING)
    for word in words:
        found = _next_occurrence(word, text, at)
        places.append(found)
        at = found[1] if found else at
    gaps: list[bool | None] = []
    for left, right in pairwise(places):
        if left is None or right is None or text[left[1] : right[0]].strip():
            gaps.append(None)
        else:
            gaps.append(left[1] < right[0])
    return gaps


def _next_occurrence(word: str, text: str, at: int) -> tuple[int, int] | None:
    """Find the next occurrence of a word, in any of its spellings."""
    word = word.translate(_STRAIGHT)
    spellings = {word, plain(word), *_SPELT.get(plain(word), ())}
    while at < len(text) and text[at].isspace():
        at += 1
    here = [spelt for spelt in spellings if text.startswith(spelt, at)]
    if here:
        return at, at + max(map(len, here))
    later = [(place, -len(spelt)) for spelt in spellings if (place := text.find(spelt, at)) >= 0]
    if not later:
        return None
    place, minus = min(later)
    return place, place - minus


def _opening(words: Sequence[str], around: Sequence[bool | None]) -> list[bool | None]:
    """Return of each quotation mark whether it opens; None for every other word."""
    out: list[bool | None] = [None] * len(words)
    depth = {'"': 0, "'": 0}
    for place, word in enumerate(words):
        if word in {"``", "`"}:
            out[place] = True
        elif word == "''":
            out[place] = False
        elif word in depth:
            before, after = around[place], around[place + 1]
            if before is not None and after is not None and before != after:
                out[place] = before
            elif depth[word] or place == len(words) - 1:
                out[place] = False
            else:
                out[place] = word == '"' or not _possessive(words, place)
        elif _OPENED.match(word) and not _SHORT.match(word):
            depth["'"] += 1
            continue
        if out[place] is not None:
            mark = plain(word)
            depth[mark] = max(depth[mark] + (1 if out[place] else -1), 0)
    return out


def _possessive(words: Sequence[str], place: int) -> bool:
    """Whether a straight apostrophe that nothing is open for belongs to the word before it."""
    if place == 0:
        return False
    return words[place - 1][-1:].casefold() in {"s", "x", "z"}


def _spaced(words: Sequence[str], place: int, opens: Sequence[bool | None]) -> bool:
    """Whether the rules want space before the word at a place."""
    left, right = plain(words[place - 1]), plain(words[place])
    if opens[place] is False or opens[place - 1] is True:
        return False
    if opens[place] is True:
        return left not in _RIGHT
    if right in _LEFT or left in _RIGHT or _SHORT.match(right):
        return False
    if left in _MONEY and right[:1].isdigit():
        return False
    if (left.casefold(), right.casefold()) in _JOINED:
        return False
    return not (_tied(words, place) or (place > 1 and _tied(words, place - 1)))


def _tied(words: Sequence[str], place: int) -> bool:
    """Whether the mark at a place ties its neighbours together."""
    if not 0 < place < len(words) - 1:
        return False
    mark, left, right = plain(words[place]), plain(words[place - 1]), plain(words[place + 1])
    if right in _MONEY and place + 2 < len(words):
        ranged = left[-1:].isdigit() and words[place + 2][:1].isdigit()
        return ranged and mark in {"-", "–", "‐"}
    if mark in {"-", "/", "‐"}:
        return left[-1:].isalnum() and right[:1].isalnum()
    return mark == "–" and left[-1:].isdigit() and right[:1].isdigit()
