"""Tables of linked words: a bilingual lexicon with probabilities in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.links.corpus import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.model import WordLinks

__all__ = ["lexicon_lines"]

_DIGITS = 6  # significant digits of probabilities


def lexicon_lines(
    src: Iterable[str | Sequence[str]], tgt: Iterable[str | Sequence[str]], links: WordLinks
) -> Iterator[str]:
    r"""Yield the lines of a lexicon: source word, target word, p(t|s), p(s|t), number of links.

    p(t|s) is the share of the links of s that are links with t; words without a link have no part
    in the shares. Words are in lower case. Lines are sorted by source word, then by falling number
    of links, then by target word.

    Parameters
    ----------
    src, tgt : iterables of str, or of sequences of str
        The sentences, as of `link_words`.
    links : WordLinks
        Their links.

    Examples
    --------
    >>> from bitext.model import WordLinks
    >>> links = WordLinks.parse(["0-0 1-1", "0-0"])
    >>> for line in lexicon_lines(["The dog", "the"], ["le chien", "la"], links):
    ...     print(*line.split("\t"))
    dog chien 1 1 1
    the la 0.5 1 1
    the le 0.5 1 1

    """
    sides = number(src), number(tgt)
    words = [
        side.number[side.ptr[links.pair] + positions].astype(np.int64)
        for side, positions in zip(sides, (links.src, links.tgt), strict=True)
    ]
    wide = max(len(sides[1].forms), 1)
    pair, count = np.unique(words[0] * wide + words[1], return_counts=True)
    first, second = pair // wide, pair % wide
    totals = [
        np.bincount(own, minlength=len(side.forms)) for own, side in zip(words, sides, strict=True)
    ]
    ahead, back = count / totals[0][first], count / totals[1][second]
    names = [side.forms for side in sides]
    rows = zip(
        first.tolist(), second.tolist(), ahead.tolist(), back.tolist(), count.tolist(), strict=True
    )
    ordered = sorted(rows, key=lambda row: (names[0][row[0]], -row[4], names[1][row[1]]))
    for s, t, forward, backward, many in ordered:
        probabilities = f"{forward:.{_DIGITS}g}\t{backward:.{_DIGITS}g}"
        yield f"{names[0][s]}\t{names[1][t]}\t{probabilities}\t{many}"
