"""What the sizes of two texts tell of how they go together.

Translators divide and join sentences, but not many. So where one text has far more sentences it is
cut more finely, as where verses stand beside sentences, if both are about as long; and if it is
longer, too, the other one is an abridged translation of it, or an excerpt.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.model import Text

__all__ = [
    "FINELY",
    "are_excerpts",
    "are_unequal",
    "length_ratio",
    "letters_by_part",
    "letters_of",
    "may_be_abridged",
    "sentence_ratio",
]

FINELY = 8
"""Sentences beside one, at most, where a text is cut more finely and no beads were asked for."""

_NARROW, _WIDE = 2, 5  # a character of Chinese or Japanese is worth 2.5 letters
_AT_ONCE = 4096  # sentences that are counted
_UNEQUAL = math.log(1.4)
_MORE, _LONGER = math.log(3.0), math.log(1.5)  # a text is, than its excerpt
_FEWER, _SHORTER = math.log(1.2), math.log(1.1)  # a text has sentences, and is, if it is abridged


def letters_of(sentences: Sequence[str]) -> NDArray[np.float64]:
    """Return the length of each sentence in letters.

    That is characters that are no space, wide ones for 2.5, and 1 more.
    """
    sizes = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
    codes = np.frombuffer("".join(sentences).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    worth = np.full(len(codes), _NARROW, dtype=np.uint8)
    worth[codes >= 0x2E80] = _WIDE
    worth[(codes <= 0x20) | (codes == 0xA0) | (codes == 0x3000)] = 0
    total = np.zeros(len(codes) + 1, dtype=np.int64)
    np.cumsum(worth, out=total[1:])
    ends = np.cumsum(sizes)
    result: NDArray[np.float64] = (total[ends] - total[ends - sizes]) / _NARROW + 1.0
    return result


def letters_by_part(sentences: Iterable[str]) -> Iterator[NDArray[np.float64]]:
    """Yield the lengths of some thousand sentences at a time, as `letters_of` returns them."""
    lines = iter(sentences)
    while some := list(islice(lines, _AT_ONCE)):
        yield letters_of(some)


def length_ratio(src: Iterable[Text], tgt: Iterable[Text]) -> float:
    """Return how long target texts are for a length of 1 of the source texts.

    Texts that are known by ids only count for nothing.

    Examples
    --------
    >>> from bitext.model import Text
    >>> round(length_ratio([Text(["It rains."])], [Text(["Es regnet.", "Niemand kommt."])]), 2)
    2.5

    """
    lengths = [1.0, 1.0]
    for side, texts in enumerate((src, tgt)):
        for text in texts:
            if text.has_text:
                lengths[side] += sum(float(some.sum()) for some in letters_by_part(text.segments()))
    return lengths[1] / lengths[0]


def are_unequal(many: float) -> bool:
    """Return whether so many target sentences for one of the source are more than translators do.

    Of 1.4 for one, or one for 1.4, but no more than 8: no text is cut so much more finely, and the
    other one is an excerpt of it.
    """
    return many > 0.0 and _UNEQUAL < abs(math.log(many)) <= math.log(FINELY)


def sentence_ratio(src: int, tgt: int, lengths: Callable[[], float]) -> float:
    """Return how many target sentences there are for one of the source.

    No bead holds more than 8 for one. If there are more, and the texts are about as long, the one
    is cut as coarsely as can be: 8 for one. Else it is an excerpt of the other.

    Parameters
    ----------
    src, tgt : int
        Sentences of both texts.
    lengths : callable
        Returns the length of the target for a length of 1 of the source, if it is asked for.

    Examples
    --------
    >>> sentence_ratio(10, 20, lambda: 1.0)
    2.0
    >>> sentence_ratio(10, 300, lambda: 1.1), sentence_ratio(10, 300, lambda: 25.0)
    (8, 30.0)

    """
    many = tgt / src if src else 0.0
    if not many or 1 / FINELY <= many <= FINELY or are_excerpts(many, lengths()):
        return many
    return FINELY if many > 1 else 1 / FINELY


def are_excerpts(sentences: float, lengths: float) -> bool:
    """Return whether one of two texts has both far more sentences and is longer than the other.

    Parameters
    ----------
    sentences : float
        Target sentences for one of the source; above 0.
    lengths : float
        The length of the target for a length of 1 of the source; above 0.

    Examples
    --------
    >>> are_excerpts(0.1, 0.1), are_excerpts(0.1, 1.2), are_excerpts(2.0, 2.0)
    (True, False, False)

    """
    return _are_apart(sentences, lengths, _MORE, _LONGER)


def may_be_abridged(sentences: float, lengths: float) -> bool:
    """Return whether one of two texts has so much fewer sentences, and is shorter, than the other.

    Of 1.2 for one, or one for 1.2: what translators leave out, beside how they divide sentences.

    Parameters
    ----------
    sentences, lengths : float
        As in `are_excerpts`.

    Examples
    --------
    >>> may_be_abridged(0.5, 0.6), may_be_abridged(0.5, 1.1), may_be_abridged(0.9, 0.9)
    (True, False, False)

    """
    return _are_apart(sentences, lengths, _FEWER, _SHORTER)


def _are_apart(
    sentences: float, lengths: float, least_sentences: float, least_lengths: float
) -> bool:
    """Return whether two ratios, of logarithms so far from 0 at least, say the same."""
    apart = math.log(sentences)
    far = math.log(lengths) * math.copysign(1.0, apart)
    return abs(apart) >= least_sentences and far >= least_lengths
