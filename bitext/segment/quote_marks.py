"""Which quotation marks of a text open and which close.

Some marks say it themselves („ 「 『). Most do not: “ opens in English and closes in German,
» opens in German, closes in French and does both in Swedish, and ' is mostly an apostrophe. Each
mark with a letter on one side and a space or a stop on the other votes; what nearly all marks of a
sign say holds for all of that sign in the text, and where they disagree each is judged by itself,
or else by turns. A sign that nothing is known of has the direction it has in English or French.

A single mark between letters is an apostrophe. ’ closes only what ‘ or ‚ opened; where a text has
no such opening, ’ and ' are quotation marks if they often follow a stop, as apostrophes do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.segment.characters import LETTERS, Kind, is_one_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.segment.tokens import Tokens

__all__ = ["QuoteMarks", "quote_marks"]

_OPEN, _CLOSE, _EITHER = 1, -1, 0
_FIXED = {
    **dict.fromkeys("„‚「『《〈﹁﹃｢〝", _OPEN),
    **dict.fromkeys("」』》〉﹂﹄｣〞〟", _CLOSE),
}
_USUAL = {**dict.fromkeys("“‟«‹‘‛", _OPEN), **dict.fromkeys("”»›’", _CLOSE)}
_SINGLE = frozenset("‘’‚‛'ʼ＇‹›『』〈〉﹃﹄")
_OPENS_SINGLE = "‘‚‛"
_APOSTROPHES = "'’ʼ＇"
_MOST = 4.0  # a sign has one direction when so many times more marks vote for it
_SOME = 0.25  # an apostrophe is a quotation mark when it closes so often for each time it opens
_STOPS = (Kind.FULL_STOP, Kind.QUESTION, Kind.EXCLAMATION, Kind.ELLIPSIS, Kind.COMMA, Kind.DASH)


class QuoteMarks(NamedTuple):
    """The quotation marks of a text, in order.

    Attributes
    ----------
    places : array of int64, shape (marks,)
        Where each stands on the line.
    turns : array of int8, shape (marks,)
        1 for a mark that opens, 2 for one that opens what is open already (a speech that goes on
        in a new paragraph), -1 for one that closes.
    depths : array of int8, shape (marks,)
        How many quotations are open behind the mark: 0, 1 or 2.

    """

    places: NDArray[np.int64]
    turns: NDArray[np.int8]
    depths: NDArray[np.int8]


def quote_marks(tokens: Tokens) -> QuoteMarks:
    """Find the quotation marks of a text and what they do; linear in its characters."""
    kinds = tokens.kinds
    places = np.flatnonzero(is_one_of(kinds, Kind.QUOTE, Kind.APOSTROPHE))
    places = places[~tokens.letters[places]]
    signs = tokens.codes[places]
    left = np.full(len(places), Kind.SPACE, dtype=np.uint8)
    left[places > 0] = kinds[places[places > 0] - 1]
    right = kinds[places + 1]  # the line ends with a line break
    votes = _votes(left, right)
    known, of_sign = np.unique(signs, return_inverse=True)
    present = {chr(code) for code in known.tolist()}
    ways = votes.copy()
    dropped = np.zeros(len(places), dtype=np.bool_)
    for k, code in enumerate(known.tolist()):
        sign, mine = chr(code), of_sign == k
        if sign in _APOSTROPHES:
            if sign != "'" and present.intersection(_OPENS_SINGLE):
                ways[mine] = _CLOSE
            elif not _quotes(votes[mine], left[mine]):
                dropped |= mine
        else:
            one = _direction(sign, votes[mine])
            if one != _EITHER:
                ways[mine] = one
    kept = ~dropped
    single = np.array([chr(code) in _SINGLE for code in known.tolist()], dtype=np.bool_)
    apostrophe = is_one_of(kinds[places], Kind.APOSTROPHE)
    return _follow(places[kept], ways[kept], single[of_sign][kept], apostrophe[kept])


def _votes(left: NDArray[np.uint8], right: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return for each mark whether its neighbours say that it opens (1) or closes (-1)."""
    words = (*LETTERS, Kind.SYLLABLE)
    space_left, space_right = left == Kind.SPACE, right == Kind.SPACE
    word_left, word_right = is_one_of(left, *words), is_one_of(right, *words)
    opens = (space_left & ~space_right) | (~space_left & ~word_left & word_right)
    shuts = (space_right & ~space_left) | (~space_right & ~word_right & word_left)
    votes: NDArray[np.int8] = opens.astype(np.int8) - shuts.astype(np.int8)
    return votes


def _direction(sign: str, votes: NDArray[np.int8]) -> int:
    """Return what all marks of a sign do; `_EITHER` where each is judged by itself."""
    if sign in _FIXED:
        return _FIXED[sign]
    opens, shuts = int((votes == _OPEN).sum()), int((votes == _CLOSE).sum())
    if not opens + shuts:
        return _USUAL.get(sign, _EITHER)
    if sign not in _USUAL:
        return _EITHER
    return _OPEN if opens >= _MOST * shuts else _CLOSE if shuts >= _MOST * opens else _EITHER


def _quotes(votes: NDArray[np.int8], left: NDArray[np.uint8]) -> bool:
    """Tell whether marks that may be apostrophes are quotation marks."""
    opens = int((votes == _OPEN).sum())
    shuts = int(((votes == _CLOSE) & is_one_of(left, *_STOPS)).sum())
    return opens > 0 and shuts > 0 and shuts >= _SOME * opens


def _follow(
    places: NDArray[np.int64],
    ways: NDArray[np.int8],
    single: NDArray[np.bool_],
    apostrophe: NDArray[np.bool_],
) -> QuoteMarks:
    """Go through the marks with what is open: one double quotation, one single one."""
    is_open = [False, False]
    turns, depths = [], []
    for way, inner, may_join in zip(
        ways.tolist(), single.tolist(), apostrophe.tolist(), strict=True
    ):
        now = is_open[inner]
        if may_join and (way == _OPEN) == now:
            turn = 0  # 'tis within a quotation, or boys' outside of one
        elif way == _OPEN or (way == _EITHER and not now):
            turn = 2 if now else 1
            is_open[inner] = True
        else:
            turn = -1
            is_open[inner] = False
            if not inner:
                is_open[1] = False
        turns.append(turn)
        depths.append(is_open[0] + is_open[1])
    moved = np.array(turns, dtype=np.int8)
    kept = moved != 0
    return QuoteMarks(places[kept], moved[kept], np.array(depths, dtype=np.int8)[kept])
