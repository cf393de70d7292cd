"""Where in the table of two texts the path of their alignment lies.

Between two anchors the path goes from one to the other. Where as many sentences lie between them
on both sides as is usual, it is near their diagonal; where there are more on one side, these may
be left out anywhere, so all is looked at between the diagonals of both ends. How far from it
depends on how many sentences lie between, as on their way a path drifts.

Where there are so few anchors that this is too much, sentences are aligned first by their lengths
alone; and where these are too many, blocks of sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.anchors import anchors_of
from bitext.align.block_paths import narrowed
from bitext.align.corridors import Corridor
from bitext.align.length_paths import along_lengths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.align.anchors import Anchors
    from bitext.align.sentence_pair import SentencePair
    from bitext.align.word_links import WordPairs

__all__ = ["corridor_between", "corridor_of"]

_WHOLE = 1 << 18  # points of a table of which all are looked at
_LEAST = 6.0  # columns on both sides of the diagonal between two anchors
_DRIFT = 1.5  # and so much for the square root of the sentences between them
_SHARE = 0.1  # and for each of them, as what is left out on both sides need not be at one place
_BESIDE = 5  # columns before and after what lies between two anchors
_MANY = 150  # points a sentence, above which blocks are aligned first


def corridor_of(
    pair: SentencePair,
    lexicons: Sequence[WordPairs] = (),
    *,
    anchors: Anchors | None = None,
) -> Corridor:
    """Return where the path of two texts is to be looked for.

    Parameters
    ----------
    pair : SentencePair
    lexicons : sequence of WordPairs
        Words that are linked, as `cognates` and `learn` give them: anchors come from them.
    anchors : Anchors, optional
        Those of the texts, if they are known.

    Returns
    -------
    Corridor
        The whole table where it has at most 262,144 points.

    """
    rows, columns = len(pair.src), len(pair.tgt)
    if (rows + 1) * (columns + 1) <= _WHOLE:
        return Corridor.whole(rows, columns)
    known = anchors_of(pair, lexicons) if anchors is None else anchors
    corridor = corridor_between(known, rows=rows, columns=columns)
    if corridor.cells > max(_MANY * (rows + columns), _WHOLE):
        near = along_lengths(known, pair.src.letters, pair.tgt.letters)
        if near is not None:
            return near
        return narrowed(corridor, pair.src.letters, pair.tgt.letters)
    return corridor


def corridor_between(anchors: Anchors, *, rows: int, columns: int) -> Corridor:
    """Return what lies between anchors, as wide as it is unsure where the path runs.

    Examples
    --------
    >>> from bitext.align.anchors import Anchors
    >>> anchors = Anchors(np.array([10, 90]), np.array([10, 90]), 1.0)
    >>> corridor = corridor_between(anchors, rows=100, columns=100)
    >>> corridor.lo[[11, 50, 91]].tolist(), corridor.hi[[11, 50, 91]].tolist()
    ([6, 22, 86], [39, 78, 100])

    """
    # An anchor is a sentence a side; the path is at its corner before, and at that after it.
    begin_row, begin = np.append(0, anchors.row + 1), np.append(0, anchors.column + 1)
    end_row, end = np.append(anchors.row, rows), np.append(anchors.column, columns)
    down, across = end_row - begin_row, end - begin
    more = across - anchors.tilt * down
    far = np.maximum(down * anchors.tilt, across)
    wide = _LEAST + _DRIFT * np.sqrt(far) + _SHARE * far
    every = np.arange(rows + 1)
    stretch = np.maximum(np.searchsorted(begin_row, every, side="right") - 1, 0)
    middle = begin[stretch] + anchors.tilt * (every - begin_row[stretch])
    low = middle + np.minimum(more, 0.0)[stretch] - wide[stretch]
    high = middle + np.maximum(more, 0.0)[stretch] + wide[stretch]
    low = np.clip(low, begin[stretch] - _BESIDE, end[stretch] + _BESIDE)
    high = np.clip(high, begin[stretch] - _BESIDE, end[stretch] + _BESIDE)
    # The row in which the path goes on from one stretch to the next belongs to both.
    joint = np.append(begin_row[1:] - 1, rows)
    low[joint] = np.minimum(low[joint], end - _BESIDE)
    high[joint] = np.maximum(high[joint], end + _BESIDE)
    return Corridor.between(np.floor(low), np.ceil(high), columns)
